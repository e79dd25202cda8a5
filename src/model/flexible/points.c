/* model/flexible/points.c - points and vectors of flexible bodies at the model's initial state. */
#include "model/flexible/flexible.h"

#include "math/triad.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/sheet.h"

#include <math.h>
#include <string.h>

TmlMat33 tml_flex_triad(TmlVec3 a, TmlVec3 b)
{
    const TmlVec3 x = v3_unit(a), z = v3_unit(v3_cross(a, b));
    return (TmlMat33){x, v3_cross(z, x), z};
}

void tml_flex_initial_vector(const TmlModel *m, const TmlVector *v, TmlVec3 *x, TmlVec3 *rate)
{
    *x = *rate = v3(0, 0, 0);
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const TmlBody *body = &m->bodies.at[t->body];
        const bool own = body->type->hidden;
        const TmlMat33 A = q4_matrix(body->p0);
        const TmlVec3 s = own ? v3(0, 0, 0) : m3_mulv(&A, t->s_b);
        const TmlVec3 ds = v3_cross(body->omega0, s);
        const bool point = own || !t->direction;
        *x = v3_axpy(t->c, point ? v3_add(body->r0, s) : s, *x);
        *rate = v3_axpy(t->c, point ? v3_add(body->v0, ds) : ds, *rate);
    }
}

/* Vector i of an element. */
static const TmlVector *vector_of(const TmlModel *m, int flex, int i)
{
    const TmlMesh *mesh = &m->meshes.at[m->flexes.at[flex].mesh];
    const int per_node = mesh->type->vectors;
    return &mesh->vector[m->flexes.at[flex].node[i / per_node] * per_node + i % per_node];
}

/* Sums of value and rate over the vectors of an element. */
static void weighted(const TmlModel *m, int flex, const double *s, TmlVec3 *x, TmlVec3 *rate)
{
    const TmlFlexType *type = m->meshes.at[m->flexes.at[flex].mesh].type;
    *x = *rate = v3(0, 0, 0);
    for (int i = 0; i < type->nodes * type->vectors; ++i) {
        TmlVec3 xi, vi;
        tml_flex_initial_vector(m, vector_of(m, flex, i), &xi, &vi);
        *x = v3_axpy(s[i], xi, *x);
        *rate = v3_axpy(s[i], vi, *rate);
    }
}

TmlFrameKin tml_flex_initial_point(const TmlModel *m, int point)
{
    const TmlFlexPoint *p = &m->points.at[point];
    TmlVec3 a[3] = {{0}}, b[3] = {{0}};
    TmlFrameKin out = {0};
    TmlTriad triad;
    weighted(m, p->flex, p->s[0], &out.r, &out.v);
    weighted(m, p->flex, p->s[1], &a[0], &a[1]);
    if (p->axes != TML_TRIAD_LEAST && p->axes != TML_TRIAD_SPINLESS) {
        weighted(m, p->flex, p->s[2], &b[0], &b[1]);
    }
    tml_triad_of(p->axes, a, b, &p->start, &triad);
    double w[3] = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            w[i] += triad.R[0][6 * i + j] * (&a[1].x)[j] + triad.R[0][6 * i + 3 + j] * (&b[1].x)[j];
        }
    }
    out.A = m3_mul(&triad.A, &p->turn);
    out.omega = v3(w[0], w[1], w[2]);
    return out;
}

/* Axes with x along a, for elements without r_y; y in the plane of x and the global y or x axis. */
static TmlMat33 axes_along(TmlVec3 a)
{
    return tml_flex_triad(a, fabs(a.y) < 0.9 * v3_norm(a) ? v3(0, 1, 0) : v3(-1, 0, 0));
}

static bool any(const double *s, int n)
{
    for (int i = 0; i < n; ++i) {
        if (s[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Weights of one kind at the place of a point. On a sheet directions across it are those of the element, which are
 * continuous as they are. */
static void weigh(const TmlMesh *mesh, const TmlFlex *flex, const TmlFlexPoint *p, TmlFlexKind what,
                  double *s)
{
    const bool of_sheet = p->sheet == TML_SHEET_PATCH ? what != TML_FLEX_RZ : what == TML_FLEX_R;
    if (p->sheet != TML_SHEET_NONE && of_sheet) {
        tml_sheet_weights(mesh->type, flex, p->sheet, p->xi, what == TML_FLEX_RX,
                          what == TML_FLEX_RY, s);
        return;
    }
    mesh->type->shape(mesh->data, flex->table, p->xi, what, s);
}

/* The gradients that the axes of the frame follow, and how. */
static TmlTriadKind choose_gradients(const TmlMesh *mesh, const TmlFlex *flex, TmlFlexPoint *p)
{
    const TmlFlexType *type = mesh->type;
    const int n = type->nodes * type->vectors;
    double across[2][TML_FLEX_MAX_VECTORS];
    weigh(mesh, flex, p, TML_FLEX_RY, across[0]);
    weigh(mesh, flex, p, TML_FLEX_RZ, across[1]);
    const bool has_y = any(across[0], n), has_z = any(across[1], n);
    const bool line = type->topology == TML_FLEX_LINE && has_y;
    TmlFlexKind first = TML_FLEX_RX, second = TML_FLEX_RY;
    p->turn = m3_identity();
    if (line && has_z) { // along y; along x and z in turn
        first = TML_FLEX_RY;
        second = TML_FLEX_RZ;
        p->turn = (TmlMat33){{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    } else if (line) {
        first = TML_FLEX_RY;
        second = TML_FLEX_RX;
        p->turn = (TmlMat33){{0, 1, 0}, {1, 0, 0}, {0, 0, -1}};
    } else if (has_z) { // a plate: along z; along y and x in turn
        first = TML_FLEX_RZ;
        second = TML_FLEX_RX;
        p->turn = (TmlMat33){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    }
    weigh(mesh, flex, p, TML_FLEX_R, p->s[0]);
    weigh(mesh, flex, p, first, p->s[1]);
    weigh(mesh, flex, p, second, p->s[2]);
    return !has_y ? TML_TRIAD_LEAST : line && has_z ? TML_TRIAD_EVEN : TML_TRIAD_ALONG;
}

static int add_point(TmlModel *m, int flex, const double xi[3], TmlSheetKind sheet, bool station)
{
    const TmlMesh *mesh = &m->meshes.at[m->flexes.at[flex].mesh];
    TmlFlexPoint p = {.flex = flex, .xi = {xi[0], xi[1], xi[2]}, .sheet = sheet};
    TmlVec3 a, rate;
    bool ok = true;
    p.axes = choose_gradients(mesh, &m->flexes.at[flex], &p);
    p.axes = station && p.axes == TML_TRIAD_LEAST ? TML_TRIAD_SPINLESS : p.axes;
    weighted(m, flex, p.s[1], &a, &rate);
    p.start = axes_along(a);
    TML_LIST_ADD(m->points, p, &ok);
    return ok ? m->points.n - 1 : -1;
}

int tml_flex_add_point(TmlModel *m, int flex, const double xi[3])
{
    return add_point(m, flex, xi, TML_SHEET_NONE, false);
}

int tml_flex_add_station(TmlModel *m, int flex, const double xi[3], TmlSheetKind sheet)
{
    return add_point(m, flex, xi, sheet, true);
}

void tml_flex_point_move(const TmlModel *m, TmlFlexPoint *p, const double xi[3])
{
    const TmlFlex *flex = &m->flexes.at[p->flex];
    memcpy(p->xi, xi, sizeof p->xi);
    choose_gradients(&m->meshes.at[flex->mesh], flex, p); // the kind stays
}

static TmlVec3 column(const double *J, int k)
{
    return v3(J[3 * k], J[3 * k + 1], J[3 * k + 2]);
}

double tml_flex_axes(const double *J, const double *J_middle, double *T)
{
    const TmlVec3 a = column(J, 0), b = column(J, 1), c = column(J, 2);
    const double det = v3_dot(a, v3_cross(b, c));
    if (det > 0.0) {
        const TmlMat33 R = tml_flex_triad(column(J_middle, 0), column(J_middle, 1));
        const TmlVec3 axis[3] = {R.cx, R.cy, R.cz};
        const TmlVec3 inverse[3] = {v3_scale(1.0 / det, v3_cross(b, c)),
                                    v3_scale(1.0 / det, v3_cross(c, a)),
                                    v3_scale(1.0 / det, v3_cross(a, b))};
        for (int k = 0; k < 9; ++k) {
            T[k] = v3_dot(inverse[k % 3], axis[k / 3]);
        }
    }
    return det;
}
