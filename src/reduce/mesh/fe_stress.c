/* reduce/mesh/fe_stress.c - stresses at points of integration, and at nodes. */
#include "reduce/mesh/fe_stress.h"

#include <string.h>

static void gather(const TmlFeMatrices *a, const TmlFeElement *e, const double *u, double *out)
{
    const int m = e->type->n_freedoms;
    for (int i = 0; i < e->type->n_nodes; ++i) {
        const double *from = u + a->first[a->mesh->node[e->first + i]];
        memcpy(out + i * m, from, (size_t)m * sizeof *out);
    }
}

int64_t tml_fe_stress_points(const TmlFeMesh *mesh, int64_t *first)
{
    int64_t n = 0;
    for (int k = 0; k < mesh->n_elements; ++k) {
        if (first != NULL) {
            first[k] = n;
        }
        n += mesh->element[k].type->n_stress;
    }
    if (first != NULL) {
        first[mesh->n_elements] = n;
    }
    return n;
}

void tml_fe_stress(const TmlFeMatrices *a, const double *u, double *out)
{
    double own[TML_FE_FREEDOMS];
    for (int k = 0; k < a->mesh->n_elements; ++k) {
        TmlFeOne one;
        tml_fe_one(a->mesh, k, TML_FE_MASS_EXACT, &one);
        gather(a, one.element, u, own);
        one.type->stress(&one, own, out);
        out += 6 * one.type->n_stress;
    }
}

void tml_fe_nodal_stress(const TmlFeMatrices *a, const double *u, double *weight, double *out)
{
    double own[TML_FE_FREEDOMS], points[6 * TML_FE_POINTS], nodes[6 * TML_FE_NODES];
    const TmlFeMesh *mesh = a->mesh;
    memset(weight, 0, (size_t)mesh->n_nodes * sizeof *weight);
    memset(out, 0, 6 * (size_t)mesh->n_nodes * sizeof *out);
    for (int k = 0; k < mesh->n_elements; ++k) {
        TmlFeOne one;
        if (mesh->element[k].type->to_nodes == NULL) {
            continue;
        }
        tml_fe_one(mesh, k, TML_FE_MASS_EXACT, &one);
        gather(a, one.element, u, own);
        one.type->stress(&one, own, points);
        one.type->to_nodes(&one, points, nodes);
        for (int i = 0; i < one.type->n_nodes; ++i) {
            const int node = mesh->node[one.element->first + i];
            weight[node] += 1.0;
            for (int c = 0; c < 6; ++c) {
                out[6 * (size_t)node + (size_t)c] += nodes[6 * i + c];
            }
        }
    }
    for (int k = 0; k < mesh->n_nodes; ++k) {
        for (int c = 0; c < 6 && weight[k] > 0.0; ++c) {
            out[6 * (size_t)k + (size_t)c] /= weight[k];
        }
    }
}
