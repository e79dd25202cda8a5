/* reduce/part_nodes.c - the nodes of a part that are kept: places, shapes, stresses, triangles. */
#include "reduce/part_nodes.h"

#include "math/vec3.h"
#include "reduce/element/element.h"
#include "reduce/mesh/fe_stress.h"
#include "reduce/mesh/stress_sites.h"

#include <math.h>
#include <string.h>

/* An entry is a node of the mesh, once for each of its places of stress. */
typedef struct Kept {
    const TmlFeMatrices *fe;
    TmlStressSites sites; /* none: no stresses are kept */
    int n;                /* entries */
    int *at;              /* n: nodes of the mesh */
    int32_t *as;          /* nodes of the mesh: the first of their entries; -1: not kept */
    int32_t *of_site;     /* sites: the first of their entries; -1: not kept */
    int *place;           /* n: place of stress; -1: none */
    int32_t *side;        /* n: TmlPart.side */
    int64_t *element;     /* n: TmlPart.element */
    double *elastic;      /* n x 2 */
    int n_triangles;
    int32_t *corner; /* places in mesh->node */
} Kept;

static bool has_stresses(const TmlFeMesh *mesh)
{
    for (int e = 0; mesh != NULL && e < mesh->n_elements; ++e) {
        if (mesh->element[e].type->to_nodes != NULL) {
            return true;
        }
    }
    return false;
}

/* Which nodes of the mesh stay: as[] is 0 there, else -1. */
static TmlStatus choose_nodes(Kept *k, bool all, TmlArena *arena, TmlError *err)
{
    const TmlFeMatrices *fe = k->fe;
    TML_NEW(arena, k->as, fe->n_nodes + 1);
    if (fe->mesh != NULL) {
        TML_TRY(tml_fe_surface(fe->mesh, arena, &k->n_triangles, &k->corner, err));
    }
    const bool surface = !all && k->n_triangles > 0;
    for (int i = 0; i < fe->n_nodes; ++i) {
        k->as[i] = surface || fe->first[i] == fe->first[i + 1] ? -1 : 0;
    }
    for (int i = 0; i < 3 * k->n_triangles; ++i) {
        k->as[fe->mesh->node[k->corner[i]]] = 0;
    }
    return TML_OK;
}

static void add_entry(Kept *k, int node, int place)
{
    k->elastic[2 * k->n] = k->elastic[2 * k->n + 1] = (double)NAN;
    k->at[k->n] = node;
    k->place[k->n++] = place;
}

/* One entry for each place of stress of a site. Sites are told apart by an element where a node has several. */
static void add_site(Kept *k, int site)
{
    const TmlFeMesh *mesh = k->fe->mesh;
    const TmlStressSite *s = &k->sites.site[site];
    const TmlFeElement *e = &mesh->element[s->element];
    const bool alone = k->sites.of_node[s->node] == site && s->next < 0;
    k->of_site[site] = k->n;
    for (int p = 0; p < s->sides; ++p) {
        k->side[k->n] = e->type->normal != NULL ? TML_PART_TOP + p
                        : e->type->ends         ? TML_PART_FIBRE + p
                                                : TML_PART_NODE;
        k->element[k->n] = alone ? 0 : e->id;
        add_entry(k, s->node, s->first + p);
        k->elastic[2 * k->n - 2] = mesh->material[e->material].young;
        k->elastic[2 * k->n - 1] = mesh->material[e->material].poisson;
    }
}

static TmlStatus make_entries(Kept *k, TmlArena *scratch, TmlArena *arena, TmlError *err)
{
    const int nodes = k->fe->n_nodes, most = nodes + k->sites.places + 1;
    TML_NEW(scratch, k->at, most);
    TML_NEW(scratch, k->place, most);
    TML_NEW(scratch, k->of_site, k->sites.n + 1);
    TML_NEW(arena, k->side, most);
    TML_NEW(arena, k->element, most);
    TML_NEW(arena, k->elastic, 2 * (size_t)most);
    for (int i = 0; i < nodes; ++i) {
        if (k->as[i] < 0) {
            continue;
        }
        const int site = k->sites.n > 0 ? k->sites.of_node[i] : -1;
        k->as[i] = k->n;
        if (site < 0) {
            add_entry(k, i, -1);
        }
        for (int s = site; s >= 0; s = k->sites.site[s].next) {
            add_site(k, s);
        }
    }
    return TML_OK;
}

/* The entry that a corner of a triangle has its colour from: the first place of its own element. */
static int32_t entry_of(const Kept *k, int32_t corner)
{
    const int site = k->sites.n > 0 ? k->sites.of[corner] : -1;
    return site >= 0 ? k->of_site[site] : k->as[k->fe->mesh->node[corner]];
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
        corner[i] = entry_of(k, k->corner[i]);
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

static TmlStatus put_stresses(const Kept *k, int m, const double *u, TmlArena *scratch,
                              TmlArena *arena, TmlPart *part, TmlError *err)
{
    float *stress;
    double *one;
    TML_NEW(arena, stress, 6 * (size_t)m * (size_t)k->n + 1);
    TML_NEW(scratch, one, 6 * (size_t)k->sites.places + 1);
    for (int j = 0; j < m; ++j) {
        tml_site_stress(k->fe, &k->sites, u + (size_t)j * (size_t)k->fe->n, one);
        for (int i = 0; i < k->n; ++i) {
            for (size_t a = 0; k->place[i] >= 0 && a < 6; ++a) {
                stress[6 * ((size_t)i * (size_t)m + (size_t)j) + a] =
                    (float)one[6 * (size_t)k->place[i] + a];
            }
        }
    }
    part->stress = stress;
    part->elastic = k->elastic;
    part->side = k->side;
    part->element = k->element;
    return TML_OK;
}

static TmlStatus put_all(Kept *k, const TmlModes *modes, const TmlPartNodes *how, const double *u,
                         TmlArena *scratch, TmlArena *arena, TmlPart *part, TmlError *err)
{
    const bool stresses = how->stresses && has_stresses(k->fe->mesh);
    TML_TRY(choose_nodes(k, how->all, scratch, err));
    if (stresses) {
        TML_TRY(tml_stress_sites(k->fe->mesh, scratch, &k->sites, err));
    }
    TML_TRY(make_entries(k, scratch, arena, err));
    TML_TRY(put_places(k, arena, part, err));
    TML_TRY(put_shapes(k, modes->m, u, arena, part, err));
    return k->sites.n > 0 ? put_stresses(k, modes->m, u, scratch, arena, part, err) : TML_OK;
}

TmlStatus tml_part_nodes(const TmlModes *modes, const TmlPartNodes *how, const double *u,
                         TmlArena *arena, TmlPart *part, TmlError *err)
{
    TmlArena scratch = {0};
    Kept k = {.fe = modes->t->fe};
    const TmlStatus status = put_all(&k, modes, how, u, &scratch, arena, part, err);
    tml_arena_free(&scratch);
    return status;
}
