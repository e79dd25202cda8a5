/* reduce/mesh/mass_points.c - the mass of a mesh as points, and loads on it.
 *
 *   (MP1)  a solid: m_p = rho w_p det J,  N_p = (N_1 I, N_2 I, ...) at the points of its mass
 *   (MP2)  load = sum_p m_p N_p^T (B x_p + c)
 */
#include "reduce/mesh/mass_points.h"

#include "math/vec3.h"
#include "reduce/element/isoparametric.h"

#include <limits.h>
#include <string.h>

enum { MOST_POINTS = TML_FE_POINTS > TML_FE_MASSES ? TML_FE_POINTS : TML_FE_MASSES };

bool tml_fe_turns(const TmlFeMesh *mesh)
{
    for (int k = 0; k < mesh->n_elements; ++k) {
        if (mesh->element[k].type->n_freedoms == 6) {
            return true;
        }
    }
    return false;
}

/* --- points of one element ----------------------------------------------------------------- */

/* Points of an element; N[3][freedoms of the element]. */
typedef struct Point {
    double mass;
    TmlVec3 x;
    double N[3][TML_FE_FREEDOMS];
} Point;

static int solid_points(const TmlFeOne *e, Point *out)
{
    TmlFePoint at[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double N[TML_FE_NODES], dN[TML_FE_NODES][3];
    const int n =
        e->rule == TML_FE_MASS_CCX ? e->type->stiffness_points(at) : e->type->mass_points(at);
    for (int p = 0; p < n; ++p) {
        out[p] = (Point){.x = v3(0, 0, 0)};
        out[p].mass = e->material.density * at[p].weight * tml_iso_gradient(e, at[p].at, g);
        e->type->shape(at[p].at, N, dN);
        for (int a = 0; a < e->type->n_nodes; ++a) { // (MP1)
            out[p].x = v3_axpy(N[a], e->x[a], out[p].x);
            for (int i = 0; i < 3; ++i) {
                out[p].N[i][3 * a + i] = N[a];
            }
        }
    }
    return n;
}

static int element_points(const TmlFeOne *e, Point *out)
{
    TmlFeMassPoint own[TML_FE_MASSES];
    if (e->type->masses == NULL) {
        return solid_points(e, out);
    }
    const int n = e->type->masses(e, own);
    for (int p = 0; p < n; ++p) {
        out[p] = (Point){.mass = own[p].mass, .x = own[p].x};
        for (int i = 0; i < 3; ++i) {
            memcpy(out[p].N[i], own[p].N[i], sizeof own[p].N[i]);
        }
    }
    return n;
}

/* Freedom j of element e in the matrices. */
static int freedom(const TmlFeMatrices *a, const TmlFeElement *e, int j)
{
    const int m = e->type->n_freedoms;
    return a->first[a->mesh->node[e->first + j / m]] + j % m;
}

/* --- all points ---------------------------------------------------------------------------- */

typedef struct Filling {
    int n;     /* points so far */
    int *next; /* by freedom: entries, then the next free place */
    double *mass;
    TmlVec3 *x;
    TmlCsc *N; /* NULL: count only */
} Filling;

static void take_points(const TmlFeMatrices *a, const TmlFeOne *e, int count, const Point *point,
                        Filling *f)
{
    const int n = e->type->n_freedoms * e->type->n_nodes;
    for (int p = 0; p < count; ++p, ++f->n) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < n; ++j) {
                if (point[p].N[i][j] == 0.0) {
                    continue;
                }
                int *next = &f->next[freedom(a, e->element, j)];
                if (f->N != NULL) {
                    f->N->row[*next] = 3 * f->n + i;
                    f->N->x[*next] = point[p].N[i][j];
                }
                ++*next;
            }
        }
        if (f->N != NULL) {
            f->mass[f->n] = point[p].mass;
            f->x[f->n] = point[p].x;
        }
    }
}

static void all_points(const TmlFeMatrices *a, TmlFeMassRule rule, Point *space, Filling *f)
{
    f->n = 0;
    for (int k = 0; k < a->mesh->n_elements; ++k) {
        TmlFeOne one;
        tml_fe_one(a->mesh, k, rule, &one);
        take_points(a, &one, element_points(&one, space), space, f);
    }
}

TmlStatus tml_fe_mass_points(const TmlFeMatrices *a, TmlFeMassRule rule, TmlArena *arena, int *n,
                             double **mass, TmlVec3 **x, TmlCsc *N, TmlError *err)
{
    Filling f = {0};
    Point *space;
    int64_t total = 0;
    TML_NEW(arena, space, MOST_POINTS);
    TML_NEW(arena, f.next, a->n);
    all_points(a, rule, space, &f);
    *N = (TmlCsc){.rows = 3 * f.n, .cols = a->n};
    TML_NEW(arena, N->start, a->n + 1);
    for (int k = 0; k < a->n; ++k) {
        total += f.next[k];
        if (total > INT_MAX || f.n > INT_MAX / 3) {
            return tml_fail(err, TML_E_MODEL,
                            "the mesh is too large: its mass has too many points");
        }
        N->start[k + 1] = (int)total;
        f.next[k] = N->start[k];
    }
    TML_NEW(arena, N->row, total);
    TML_NEW(arena, N->x, total);
    TML_NEW(arena, *mass, f.n);
    TML_NEW(arena, *x, f.n);
    f.N = N;
    f.mass = *mass;
    f.x = *x;
    all_points(a, rule, space, &f);
    *n = f.n;
    return TML_OK;
}

/* --- loads --------------------------------------------------------------------------------- */

void tml_fe_load(const TmlFeMatrices *a, const TmlMat33 *B, TmlVec3 c, double *load)
{
    Point point[MOST_POINTS];
    for (int k = 0; k < a->mesh->n_elements; ++k) {
        TmlFeOne one;
        tml_fe_one(a->mesh, k, TML_FE_MASS_EXACT, &one);
        const int count = element_points(&one, point);
        const int n = one.type->n_freedoms * one.type->n_nodes;
        for (int p = 0; p < count; ++p) { // (MP2)
            const TmlVec3 b = v3_scale(point[p].mass, v3_add(m3_mulv(B, point[p].x), c));
            for (int j = 0; j < n; ++j) {
                load[freedom(a, one.element, j)] +=
                    point[p].N[0][j] * b.x + point[p].N[1][j] * b.y + point[p].N[2][j] * b.z;
            }
        }
    }
}
