/* model/flex.c - points and vectors of flexible bodies at the model's initial state. */
#include "model/flex.h"

#include "math/triad.h"
#include "math/vec3.h"
#include "model/body.h"

#include <math.h>

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
    if (p->spin) {
        weighted(m, p->flex, p->s[2], &b[0], &b[1]);
        tml_triad(a, b, &triad);
    } else {
        tml_triad_least(a, &p->start, &triad);
    }
    double w[3] = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            w[i] += triad.R[0][6 * i + j] * (&a[1].x)[j] + triad.R[0][6 * i + 3 + j] * (&b[1].x)[j];
        }
    }
    out.A = triad.A;
    out.omega = v3(w[0], w[1], w[2]);
    return out;
}

/* Axes with x along a, for elements without r_y; y in the plane of x and the global y or x axis. */
static TmlMat33 axes_along(TmlVec3 a)
{
    return tml_flex_triad(a, fabs(a.y) < 0.9 * v3_norm(a) ? v3(0, 1, 0) : v3(-1, 0, 0));
}

int tml_flex_add_point(TmlModel *m, int flex, const double xi[3])
{
    const TmlMesh *mesh = &m->meshes.at[m->flexes.at[flex].mesh];
    const void *table = m->flexes.at[flex].table;
    TmlFlexPoint p = {.flex = flex, .xi = {xi[0], xi[1], xi[2]}};
    TmlVec3 a, rate;
    bool ok = true;
    mesh->type->shape(mesh->data, table, xi, TML_FLEX_R, p.s[0]);
    mesh->type->shape(mesh->data, table, xi, TML_FLEX_RX, p.s[1]);
    mesh->type->shape(mesh->data, table, xi, TML_FLEX_RY, p.s[2]);
    for (int i = 0; i < mesh->type->nodes * mesh->type->vectors; ++i) {
        p.spin = p.spin || p.s[2][i] != 0.0;
    }
    weighted(m, flex, p.s[1], &a, &rate);
    p.start = axes_along(a);
    TML_LIST_ADD(m->points, p, &ok);
    return ok ? m->points.n - 1 : -1;
}
