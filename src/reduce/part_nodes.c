/* reduce/part_nodes.c - the nodes of a part that are kept: places, shapes, stresses, triangles. */
#include "reduce/part_nodes.h"

#include "math/vec3.h"
#include "reduce/element/element.h"
#include "reduce/mesh/fe_stress.h"

#include <math.h>
#include <string.h>

typedef struct Kept {
    const TmlFeMatrices *fe;
    int n;       /* nodes that are kept */
    int *at;     /* n: nodes of the mesh */
    int32_t *as; /* nodes of the mesh: number among the kept ones; -1: not kept */
    int n_triangles;
    int32_t *corner; /* nodes of the mesh */
} Kept;

static TmlStatus choose_nodes(Kept *k, bool all, TmlArena *arena, TmlError *err)
{
    const TmlFeMatrices *fe = k->fe;
    TML_NEW(arena, k->at, fe->n_nodes + 1);
    TML_NEW(arena, k->as, fe->n_nodes + 1);
    if (fe->mesh != NULL) {
        TML_TRY(tml_fe_surface(fe->mesh, arena, &k->n_triangles, &k->corner, err));
    }
    const bool surface = !all && k->n_triangles > 0;
    for (int i = 0; i < fe->n_nodes; ++i) {
        k->as[i] = surface || fe->first[i] == fe->first[i + 1] ? -1 : 0;
    }
    for (int i = 0; i < 3 * k->n_triangles; ++i) {
        k->as[k->corner[i]] = 0;
    }
    for (int i = 0; i < fe->n_nodes; ++i) {
        if (k->as[i] == 0) {
            k->as[i] = k->n;
            k->at[k->n++] = i;
        }
    }
    return TML_OK;
}

static TmlStatus put_places(const Kept *k, TmlArena *arena, TmlPart *part, TmlError *err)
{
    int64_t *id;
    TmlVec3 *x;
    int32_t *corner;
    TML_NEW(arena, id, k->n + 1);
    TML_NEW(arena, x, k->n + 1);
    TML_NEW(arena, corner, 3 * (size_t)k->n_triangles + 1);
    for (int i = 0; i < k->n; ++i) {
        id[i] = k->fe->id[k->at[i]];
        x[i] = v3_sub(k->fe->x[k->at[i]], part->origin);
    }
    for (int i = 0; i < 3 * k->n_triangles; ++i) {
        corner[i] = k->as[k->corner[i]];
    }
    part->n_nodes = k->n;
    part->id = id;
    part->x = x;
    part->n_triangles = k->n_triangles;
    part->corner = k->n_triangles > 0 ? corner : NULL;
    return TML_OK;
}

static TmlStatus put_shapes(const Kept *k, int m, const double *u, TmlArena *arena, TmlPart *part,
                            TmlError *err)
{
    float *shape;
    TML_NEW(arena, shape, 3 * (size_t)m * (size_t)k->n + 1);
    for (int i = 0; i < k->n; ++i) {
        const size_t first = (size_t)k->fe->first[k->at[i]];
        for (int j = 0; j < m; ++j) {
            for (size_t a = 0; a < 3; ++a) {
                shape[3 * ((size_t)i * (size_t)m + (size_t)j) + a] =
                    (float)u[(size_t)j * (size_t)k->fe->n + first + a];
            }
        }
    }
    part->shape = shape;
    return TML_OK;
}

/* Whether an element of the mesh gives stresses to its nodes. */
static bool has_stresses(const TmlFeMesh *mesh)
{
    for (int e = 0; mesh != NULL && e < mesh->n_elements; ++e) {
        if (mesh->element[e].type->to_nodes != NULL) {
            return true;
        }
    }
    return false;
}

static TmlStatus put_stresses(const Kept *k, int m, const double *u, TmlArena *scratch,
                              TmlArena *arena, TmlPart *part, TmlError *err)
{
    const size_t nodes = (size_t)k->fe->n_nodes;
    float *stress;
    double *one, *weight;
    TML_NEW(arena, stress, 6 * (size_t)m * (size_t)k->n + 1);
    TML_NEW(scratch, one, 6 * nodes);
    TML_NEW(scratch, weight, nodes);
    for (int j = 0; j < m; ++j) {
        tml_fe_nodal_stress(k->fe, u + (size_t)j * (size_t)k->fe->n, weight, one);
        for (int i = 0; i < k->n; ++i) {
            for (size_t a = 0; a < 6; ++a) {
                stress[6 * ((size_t)i * (size_t)m + (size_t)j) + a] =
                    (float)one[6 * (size_t)k->at[i] + a];
            }
        }
    }
    part->stress = stress;
    return TML_OK;
}

/* Of each node the material of the solids around it, where all have the same. */
static TmlStatus put_materials(const Kept *k, TmlArena *scratch, TmlArena *arena, TmlPart *part,
                               TmlError *err)
{
    const TmlFeMesh *mesh = k->fe->mesh;
    double *elastic;
    int *of; // material and one; 0: none yet, -1: several
    TML_NEW(arena, elastic, 2 * (size_t)k->n + 1);
    TML_NEW(scratch, of, k->fe->n_nodes);
    for (int e = 0; e < mesh->n_elements; ++e) {
        const TmlFeElement *one = &mesh->element[e];
        for (int i = 0; one->type->to_nodes != NULL && i < one->type->n_nodes; ++i) {
            int *at = &of[mesh->node[one->first + i]];
            *at = *at == 0 || *at == one->material + 1 ? one->material + 1 : -1;
        }
    }
    for (int i = 0; i < k->n; ++i) {
        const int material = of[k->at[i]] - 1;
        elastic[2 * i] = material >= 0 ? mesh->material[material].young : (double)NAN;
        elastic[2 * i + 1] = material >= 0 ? mesh->material[material].poisson : (double)NAN;
    }
    part->elastic = elastic;
    return TML_OK;
}

TmlStatus tml_part_nodes(const TmlModes *modes, const TmlPartNodes *how, const double *u,
                         TmlArena *arena, TmlPart *part, TmlError *err)
{
    TmlArena scratch = {0};
    Kept k = {.fe = modes->t->fe};
    TmlStatus status = choose_nodes(&k, how->all, &scratch, err);
    status = status == TML_OK ? put_places(&k, arena, part, err) : status;
    status = status == TML_OK ? put_shapes(&k, modes->m, u, arena, part, err) : status;
    if (status == TML_OK && how->stresses && has_stresses(k.fe->mesh)) {
        status = put_stresses(&k, modes->m, u, &scratch, arena, part, err);
        status = status == TML_OK ? put_materials(&k, &scratch, arena, part, err) : status;
    }
    tml_arena_free(&scratch);
    return status;
}
