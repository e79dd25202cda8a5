/* reduce/mesh/stress_sites.c - where a mesh has stresses at its nodes, and how large they are. */
#include "reduce/mesh/stress_sites.h"

#include "math/vec3.h"
#include "reduce/mesh/fe_stress.h"

#include <string.h>

/* Shells whose normals differ by less than 20 degrees lie in one plane: a curved shell is averaged, a fold is not. */
static const double plane = 0.93969262;

static bool is_site_of(const TmlFeMesh *mesh, const TmlStressSite *s, const TmlFeOne *one,
                       const TmlVec3 *normal, bool *swapped)
{
    const TmlFeElement *a = &mesh->element[s->element], *b = one->element;
    TmlFeOne first;
    if (b->type->ends || a->type->ends || a->material != b->material ||
        (a->type->normal == NULL) != (b->type->normal == NULL)) {
        return false;
    }
    if (b->type->normal == NULL) {
        return true;
    }
    tml_fe_one(mesh, s->element, TML_FE_MASS_EXACT, &first);
    const double c = v3_dot(first.type->normal(&first), *normal);
    *swapped = c < 0.0;
    return a->section == b->section && (c > plane || c < -plane);
}

static void add_to_sites(const TmlFeMesh *mesh, int element, TmlStressSites *out)
{
    TmlFeOne one;
    TmlVec3 normal = v3(0, 0, 0);
    tml_fe_one(mesh, element, TML_FE_MASS_EXACT, &one);
    const int sides = one.type->sides != NULL ? one.type->sides(&one) : 1;
    if (one.type->to_nodes == NULL || sides == 0) {
        return;
    }
    if (one.type->normal != NULL) {
        normal = one.type->normal(&one);
    }
    for (int i = 0; i < one.type->n_nodes; ++i) {
        const int at = one.element->first + i, node = mesh->node[at];
        int k = out->of_node[node], last = -1;
        while (k >= 0 && !is_site_of(mesh, &out->site[k], &one, &normal, &out->swapped[at])) {
            last = k;
            k = out->site[k].next;
        }
        if (k < 0) {
            k = out->n++;
            out->site[k] = (TmlStressSite){
                .node = node, .element = element, .sides = sides, .first = out->places, .next = -1};
            *(last < 0 ? &out->of_node[node] : &out->site[last].next) = k;
            out->places += sides;
            out->swapped[at] = false;
        }
        out->site[k].members++;
        out->of[at] = k;
    }
}

TmlStatus tml_stress_sites(const TmlFeMesh *mesh, TmlArena *arena, TmlStressSites *out,
                           TmlError *err)
{
    int all = 0;
    for (int k = 0; k < mesh->n_elements; ++k) {
        all += mesh->element[k].type->n_nodes;
    }
    *out = (TmlStressSites){0};
    TML_NEW(arena, out->site, (size_t)all + 1);
    TML_NEW(arena, out->of, (size_t)all + 1);
    TML_NEW(arena, out->swapped, (size_t)all + 1);
    TML_NEW(arena, out->of_node, (size_t)mesh->n_nodes + 1);
    memset(out->of, -1, ((size_t)all + 1) * sizeof *out->of);
    memset(out->of_node, -1, ((size_t)mesh->n_nodes + 1) * sizeof *out->of_node);
    for (int k = 0; k < mesh->n_elements; ++k) {
        add_to_sites(mesh, k, out);
    }
    return TML_OK;
}

void tml_site_stress(const TmlFeMatrices *a, const TmlStressSites *sites, const double *u,
                     double *out)
{
    double own[TML_FE_FREEDOMS], points[6 * TML_FE_POINTS],
        nodes[6 * (TML_FE_NODES + 2 * TML_FE_SIDES)];
    const TmlFeMesh *mesh = a->mesh;
    memset(out, 0, 6 * (size_t)sites->places * sizeof *out);
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        TmlFeOne one;
        if (sites->of[e->first] < 0) {
            continue;
        }
        tml_fe_one(mesh, k, TML_FE_MASS_EXACT, &one);
        tml_fe_own(a, e, u, own);
        one.type->stress(&one, own, points);
        one.type->to_nodes(&one, points, nodes);
        const double *from = nodes;
        for (int i = 0; i < e->type->n_nodes; ++i) {
            const TmlStressSite *s = &sites->site[sites->of[e->first + i]];
            for (int p = 0; p < s->sides; ++p, from += 6) {
                const int to = s->first + (sites->swapped[e->first + i] ? s->sides - 1 - p : p);
                for (int c = 0; c < 6; ++c) {
                    out[6 * (size_t)to + (size_t)c] += from[c] / s->members;
                }
            }
        }
    }
}
