/* system/flexible/flex_load.c - (D1) and (D2) of flex_load.h. */
#include "system/flexible/flex_load.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/triad.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/section.h"
#include "model/measure/binding.h"
#include "system/flexible/flex.h"

#include <string.h>

enum { N = TML_FLEX_MAX_N, GAUSS = TML_LOAD_GAUSS };

/* Weights of one Gauss point of one element. */
typedef struct LoadPoint {
    double w; /* m or m^2 */
    double s[3][TML_FLEX_MAX_VECTORS];
} LoadPoint;

/* What one element needs; no points where a constant load acts as the weight does. */
typedef struct LoadElement {
    int n;
    LoadPoint *point;
} LoadElement;

struct TmlFlexLoads {
    int *first;           /* meshes: where their sets begin in q */
    TmlVec3 *q;           /* sets: at the time of the last forces */
    LoadElement *element; /* flexes */
};

static const TmlMesh *mesh_of(const TmlSystem *sys, int e)
{
    return &sys->model->meshes.at[sys->model->flexes.at[e].mesh];
}

/* Returns the mass per length or area. */
static double line_mass(const TmlFlexData *data)
{
    const TmlCrossSection *s = &data->section;
    return data->material.density *
           (s->kind == TML_CROSS_PLATE ? s->height : tml_section_of_mass(s).area);
}

/* Returns the length or area without stress: the weights of positions sum up to the mass. */
static double element_size(const TmlMesh *mesh, const TmlFlex *flex)
{
    const double *w = tml_flex_weight(mesh->type, flex->table);
    double mass = 0.0;
    for (int i = 0; i < mesh->type->nodes * mesh->type->vectors; ++i) {
        mass += mesh->type->kind[i % mesh->type->vectors] == TML_FLEX_R ? w[i] : 0.0;
    }
    return mass / line_mass(flex->data);
}

static TmlStatus make_points(TmlSystem *sys, int e, LoadElement *out, TmlError *err)
{
    const TmlMesh *mesh = mesh_of(sys, e);
    const TmlFlex *flex = &sys->model->flexes.at[e];
    const bool patch = mesh->type->topology == TML_FLEX_PATCH;
    const double size = element_size(mesh, flex);
    double x[GAUSS], w[GAUSS];
    tml_gauss(GAUSS, x, w);
    out->n = patch ? GAUSS * GAUSS : GAUSS;
    TML_NEW(&sys->arena, out->point, out->n);
    for (int p = 0; p < out->n; ++p) {
        const int i = p % GAUSS, j = p / GAUSS;
        const double xi[3] = {x[i], patch ? x[j] : 0.0, 0.0};
        LoadPoint *to = &out->point[p];
        to->w = size * w[i] * (patch ? w[j] : 1.0);
        mesh->type->shape(flex->data, flex->table, xi, TML_FLEX_R, to->s[0]);
        mesh->type->shape(flex->data, flex->table, xi, TML_FLEX_RX, to->s[1]);
        mesh->type->shape(flex->data, flex->table, xi, TML_FLEX_RY, to->s[2]);
    }
    return TML_OK;
}

/* The weight acts at the centre of mass, a load on the axis. */
static bool needs_points(const TmlFlexLoad *load, const TmlCrossSection *s)
{
    return load != NULL && (load->follower || load->sets > 1 || s->mass_centre[0] != 0.0 ||
                            s->mass_centre[1] != 0.0);
}

TmlStatus tml_flex_load_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    int sets = 0;
    for (int k = 0; k < m->meshes.n; ++k) {
        sets += m->meshes.at[k].load != NULL ? m->meshes.at[k].load->sets : 0;
    }
    if (sets == 0) {
        return TML_OK;
    }
    struct TmlFlexLoads *loads;
    TML_NEW(&sys->arena, loads, 1);
    TML_NEW(&sys->arena, loads->first, m->meshes.n);
    TML_NEW(&sys->arena, loads->q, sets);
    TML_NEW(&sys->arena, loads->element, m->flexes.n);
    for (int k = 1; k < m->meshes.n; ++k) {
        const TmlFlexLoad *before = m->meshes.at[k - 1].load;
        loads->first[k] = loads->first[k - 1] + (before != NULL ? before->sets : 0);
    }
    for (int e = 0; e < m->flexes.n; ++e) {
        if (needs_points(mesh_of(sys, e)->load, &m->flexes.at[e].data->section)) {
            TML_TRY(make_points(sys, e, &loads->element[e], err));
        }
    }
    sys->flex->loads = loads;
    return TML_OK;
}

/* Sets the axes at a point; b is for bodies that have r_y. */
static void section_axes(const LoadPoint *p, int n, int dim, const double *x, TmlTriad *triad)
{
    double g[2][3] = {{0}};
    for (int i = 0; i < n; ++i) {
        for (int d = 0; d < dim; ++d) {
            g[0][d] += p->s[1][i] * x[i * dim + d];
            g[1][d] += p->s[2][i] * x[i * dim + d];
        }
    }
    const TmlVec3 a[3] = {{g[0][0], g[0][1], g[0][2]}}, b[3] = {{g[1][0], g[1][1], g[1][2]}};
    tml_triad(a, b, triad);
}

/* Subtracts w q from f[i] on the vectors and returns its power. */
static double take_off(double w, TmlVec3 q, int dim, const double *v, double *f)
{
    const double c[3] = {q.x, q.y, q.z};
    double power = 0.0;
    for (int d = 0; d < dim; ++d) {
        f[d] -= w * c[d];
        power += w * c[d] * v[d];
    }
    return power;
}

/* Evaluates the load at point p of an element. */
static TmlVec3 load_at(const TmlSystem *sys, int e, int p)
{
    const TmlMesh *mesh = mesh_of(sys, e);
    const TmlVec3 *q = &sys->flex->loads->q[sys->flex->loads->first[sys->model->flexes.at[e].mesh]];
    return mesh->load->sets > 1 ? q[(e - mesh->flex0) * GAUSS + p] : q[0];
}

static double element_load(const TmlSystem *sys, int e, double *f)
{
    const TmlMesh *mesh = mesh_of(sys, e);
    const TmlFlexIn in = tml_flex_in(sys, e);
    const LoadElement *load = &sys->flex->loads->element[e];
    const int n = mesh->type->nodes * mesh->type->vectors, dim = mesh->type->dim;
    double power = 0.0;
    if (load->n == 0) {
        const double *w = tml_flex_weight(mesh->type, in.table);
        const double scale = 1.0 / line_mass(in.data);
        for (int i = 0; i < n; ++i) {
            power += take_off(scale * w[i], load_at(sys, e, 0), dim, in.v + i * dim, f + i * dim);
        }
    }
    for (int p = 0; p < load->n; ++p) {
        TmlVec3 global = load_at(sys, e, p);
        if (mesh->load->follower) {
            TmlTriad triad;
            section_axes(&load->point[p], n, dim, in.x, &triad);
            global = m3_mulv(&triad.A, global); // (D2)
        }
        for (int i = 0; i < n; ++i) {
            power += take_off(load->point[p].w * load->point[p].s[0][i], global, dim,
                              in.v + i * dim, f + i * dim);
        }
    }
    return power;
}

static TmlVec3 load_value(TmlBinding *const *force, double t, double *work)
{
    double q[3] = {0};
    const TmlBindIn in = {.t = t, .work = work};
    for (int k = 0; k < 3; ++k) {
        q[k] = tml_binding_value(force[k], &in);
    }
    return v3(q[0], q[1], q[2]);
}

void tml_flex_load_forces(TmlSystem *sys, double t)
{
    t = tml_system_time(sys, t);
    const TmlModel *m = sys->model;
    if (sys->flex->loads == NULL) {
        return;
    }
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlFlexLoad *load = m->meshes.at[k].load;
        TmlVec3 *q = &sys->flex->loads->q[sys->flex->loads->first[k]];
        for (int i = 0; load != NULL && i < load->sets; ++i) {
            q[i] = load_value(&load->force[3 * i], t, sys->work);
        }
    }
    for (int e = 0; e < m->flexes.n; ++e) {
        if (mesh_of(sys, e)->load != NULL) {
            sys->power.other += element_load(sys, e, sys->flex->f + (size_t)e * N);
        }
    }
}

/* D[3 * 3] = q~ (R_a s_x + R_b s_y): minus the derivative of A q_section by one vector. */
static void axes_derivative(const TmlTriad *triad, TmlVec3 q, double sx, double sy, double D[9])
{
    const double *R = triad->R[0];
    for (int c = 0; c < 3; ++c) {
        const TmlVec3 turn = v3(sx * R[c] + sy * R[3 + c], sx * R[6 + c] + sy * R[9 + c],
                                sx * R[12 + c] + sy * R[15 + c]);
        const TmlVec3 d = v3_cross(q, turn);
        D[c] = d.x;
        D[3 + c] = d.y;
        D[6 + c] = d.z;
    }
}

void tml_flex_load_tangent(const TmlSystem *sys, int e, double c_q, double *K)
{
    const LoadElement *load =
        sys->flex->loads != NULL ? &sys->flex->loads->element[e] : &(const LoadElement){0};
    const TmlMesh *mesh = mesh_of(sys, e);
    const TmlFlexIn in = tml_flex_in(sys, e);
    const int n = mesh->type->nodes * mesh->type->vectors, dim = mesh->type->dim, size = n * dim;
    for (int p = 0; p < load->n && mesh->load->follower; ++p) {
        const LoadPoint *at = &load->point[p];
        TmlTriad triad;
        section_axes(at, n, dim, in.x, &triad);
        const TmlVec3 q = m3_mulv(&triad.A, load_at(sys, e, p));
        for (int j = 0; j < n; ++j) {
            double D[9];
            axes_derivative(&triad, q, at->s[1][j], at->s[2][j], D);
            for (int i = 0; i < n; ++i) {
                for (int k = 0; k < dim * dim; ++k) {
                    K[(i * dim + k / dim) * size + j * dim + k % dim] +=
                        c_q * at->w * at->s[0][i] * D[3 * (k / dim) + k % dim];
                }
            }
        }
    }
}
