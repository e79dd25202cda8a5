/* reduce/mesh/fe_stress.c - stresses at points of integration. */
#include "reduce/mesh/fe_stress.h"

#include <string.h>

void tml_fe_own(const TmlFeMatrices *a, const TmlFeElement *e, const double *u, double *out)
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
        tml_fe_own(a, one.element, u, own);
        one.type->stress(&one, own, out);
        out += 6 * one.type->n_stress;
    }
}
