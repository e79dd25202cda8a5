/* system/coordinates/tree_motion.c - motion of the bodies from joint coordinates, and back. See tree.h. */
#include "system/coordinates/tree.h"

#include "math/array.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "system/system_internal.h"

#include <string.h>

static TmlQuat about(double x, double y, double z, double angle)
{
    const double s = sin(0.5 * angle);
    return (TmlQuat){cos(0.5 * angle), x * s, y * s, z * s};
}

static TmlVec3 column(const TmlMat33 *A, int k)
{
    return k == 0 ? A->cx : k == 1 ? A->cy : A->cz;
}

/* Return position and axes of a body; those of the ground and of points are the global ones. */
static TmlVec3 body_r(const TmlTree *tree, const double *q, int b)
{
    return b == TML_GROUND ? v3(0, 0, 0) : v3_at(q + tree->sys->dim.span[b].q0);
}

static TmlQuat body_p(const TmlTree *tree, const double *q, int b)
{
    const double *p = q + tree->sys->dim.span[b].q0 + 3;
    const bool turns = tree->sys->dim.span[b + 1].q0 - tree->sys->dim.span[b].q0 == 7;
    return turns ? (TmlQuat){p[0], p[1], p[2], p[3]} : q4_identity();
}

static void body_put(const TmlTree *tree, double *q, int b, TmlVec3 r, TmlQuat p)
{
    double *at = q + tree->sys->dim.span[b].q0;
    v3_put(at, r);
    if (tree->sys->dim.span[b + 1].q0 - tree->sys->dim.span[b].q0 == 7) {
        p = q4_unit(p);
        at[3] = p.w, at[4] = p.x, at[5] = p.y, at[6] = p.z;
    }
}

/* --- positions ------------------------------------------------------------------------------ */

/* Returns R of (J2) at the rotations x. */
static TmlQuat rotation(const TmlTreeJoint *t, const double *x)
{
    switch (t->rotation) {
    case TML_FREE_ABOUT_Z:
        return q4_mul(about(0, 0, 1, x[0]), t->R0);
    case TML_FREE_CROSS:
        return q4_mul(q4_mul(about(1, 0, 0, x[0]), t->R0), about(0, 1, 0, x[1]));
    case TML_FREE_ALL:
        return q4_mul(q4_exp(v3_at(x)), t->R0);
    default:
        return t->R0;
    }
}

/* d + E x_t of (J1) */
static TmlVec3 displacement(const TmlTreeJoint *t, const double *x)
{
    double d[3] = {t->d0.x, t->d0.y, t->d0.z};
    for (int k = 0; k < 3; ++k) {
        d[k] += (t->along >> k & 1u) != 0 ? *x++ : 0.0;
    }
    return v3_at(d);
}

/* Sets the axes w of the rotations in those of i. */
static void axes(const TmlTreeJoint *t, const double *x, TmlVec3 w[3])
{
    w[0] = v3(0, 0, 1);
    if (t->rotation == TML_FREE_CROSS) {
        const TmlMat33 R = q4_matrix(q4_mul(about(1, 0, 0, x[0]), t->R0));
        w[0] = v3(1, 0, 0);
        w[1] = R.cy;
    } else if (t->rotation == TML_FREE_ALL) {
        for (int k = 0; k < 3; ++k) {
            w[k] = rotation_rate(v3_at(x), v3(k == 0, k == 1, k == 2));
        }
    }
}

/* Sets S of (J3) at r_j, A_i. */
static void columns(TmlTree *tree, const TmlTreeJoint *t, const double *x)
{
    const double sign = t->flip ? -1.0 : 1.0;
    TmlTwist *S = tree->S + t->x0;
    TmlVec3 w[3];
    for (int k = 0; k < 3; ++k) {
        if ((t->along >> k & 1u) != 0) {
            *S++ = (TmlTwist){.v = v3_scale(sign, column(&t->A_i, k))};
        }
    }
    axes(t, x + t->n_along, w);
    for (int k = 0; k < t->n - t->n_along; ++k) {
        const TmlVec3 s = v3_scale(sign, m3_mulv(&t->A_i, w[k]));
        *S++ = (TmlTwist){.v = v3_cross(t->r_j, s), .w = s};
    }
}

/* Places one joint, whose parent is placed, by (J1). */
static void place(TmlTree *tree, TmlTreeJoint *t, const double *x, double *q)
{
    const TmlQuat R = rotation(t, x + t->n_along), p = body_p(tree, q, t->parent);
    const TmlVec3 d = displacement(t, x), r = body_r(tree, q, t->parent);
    const TmlMat33 A = q4_matrix(p);
    if (!t->flip) {
        const TmlQuat p_i = q4_mul(p, t->p_i), p_b = q4_mul(q4_mul(p_i, R), q4_conj(t->p_j));
        const TmlMat33 A_b = q4_matrix(p_b);
        t->A_i = q4_matrix(p_i);
        t->r_j = v3_add(v3_add(r, m3_mulv(&A, t->i.s_b)), m3_mulv(&t->A_i, d));
        body_put(tree, q, t->body, v3_sub(t->r_j, m3_mulv(&A_b, t->j.s_b)), p_b);
    } else {
        const TmlQuat p_i = q4_mul(q4_mul(p, t->p_j), q4_conj(R));
        const TmlQuat p_b = q4_mul(p_i, q4_conj(t->p_i));
        const TmlMat33 A_b = q4_matrix(p_b);
        t->A_i = q4_matrix(p_i);
        t->r_j = v3_add(r, m3_mulv(&A, t->j.s_b));
        const TmlVec3 r_i = v3_sub(t->r_j, m3_mulv(&t->A_i, d));
        body_put(tree, q, t->body, v3_sub(r_i, m3_mulv(&A_b, t->i.s_b)), p_b);
    }
}

void tml_tree_positions(TmlTree *tree, const double *x, TmlState *s)
{
    for (int k = 0; k < tree->n_joints; ++k) {
        TmlTreeJoint *t = &tree->joint[k];
        place(tree, t, x + t->x0, s->q);
        columns(tree, t, x + t->x0);
    }
}

void tml_tree_begin(TmlTree *tree, const TmlState *s)
{
    for (int k = 0; k < tree->n_joints; ++k) {
        TmlTreeJoint *t = &tree->joint[k];
        const int b_i = t->flip ? t->body : t->parent, b_j = t->flip ? t->parent : t->body;
        const TmlQuat pi = body_p(tree, s->q, b_i), pj = body_p(tree, s->q, b_j);
        const TmlQuat p_i = q4_mul(pi, t->p_i), p_j = q4_mul(pj, t->p_j);
        const TmlMat33 Ai = q4_matrix(pi), Aj = q4_matrix(pj), A_i = q4_matrix(p_i);
        const TmlVec3 r_i = v3_add(body_r(tree, s->q, b_i), m3_mulv(&Ai, t->i.s_b));
        const TmlVec3 r_j = v3_add(body_r(tree, s->q, b_j), m3_mulv(&Aj, t->j.s_b));
        // signs of Euler parameters come out as they are in s
        t->R0 = q4_unit(q4_mul(q4_conj(p_i), p_j));
        t->d0 = m3_tmulv(&A_i, v3_sub(r_j, r_i));
        t->r_j = r_j;
        t->A_i = A_i;
        columns(tree, t, (const double[6]){0});
    }
}

/* --- velocities ----------------------------------------------------------------------------- */

void tml_tree_spread(TmlTree *tree, const TmlState *s, const double *dx, double *du)
{
    const TmlSystem *sys = tree->sys;
    tree->V[TML_GROUND] = (TmlTwist){0};
    for (int k = 0; k < tree->n_joints; ++k) {
        const TmlTreeJoint *t = &tree->joint[k];
        TmlTwist V = tree->V[t->parent];
        for (int i = t->x0; i < t->x0 + t->n; ++i) { // (J3)
            V.v = v3_axpy(dx[i], tree->S[i].v, V.v);
            V.w = v3_axpy(dx[i], tree->S[i].w, V.w);
        }
        tree->V[t->body] = V;
        double *u = du + sys->dim.span[t->body].u0;
        v3_put(u, v3_add(V.v, v3_cross(V.w, body_r(tree, s->q, t->body))));
        if (sys->dim.span[t->body + 1].u0 - sys->dim.span[t->body].u0 == 6) {
            v3_put(u + 3, V.w);
        }
    }
}

void tml_tree_velocities(TmlTree *tree, const double *x1, TmlState *s)
{
    tml_tree_spread(tree, s, x1, tree->u);
    tml_system_expand(tree->sys, s->q, tree->u, s->v);
}

/* --- and back ------------------------------------------------------------------------------- */

/* Finds the coordinates y of a difference D = S y of twists. */
static void solve_joint(const TmlTreeJoint *t, const double *x, TmlTwist D, double *y)
{
    const double sign = t->flip ? -1.0 : 1.0;
    const TmlVec3 v = m3_tmulv(&t->A_i, v3_add(D.v, v3_cross(D.w, t->r_j)));
    const TmlVec3 w = m3_tmulv(&t->A_i, D.w);
    const double along[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
        if ((t->along >> k & 1u) != 0) {
            *y++ = sign * along[k];
        }
    }
    if (t->rotation == TML_FREE_ABOUT_Z) {
        *y = sign * w.z;
    } else if (t->rotation == TML_FREE_CROSS) {
        TmlVec3 axis[3];
        axes(t, x + t->n_along, axis);
        y[0] = sign * w.x;
        y[1] = sign * v3_dot(axis[1], w);
    } else if (t->rotation == TML_FREE_ALL) {
        v3_put(y, v3_scale(sign, rotation_rate_inverse(v3_at(x + t->n_along), w)));
    }
}

/* Sets the twists of all bodies from u[nu]. */
static void twists(const TmlTree *tree, const TmlState *s, const double *u, TmlTwist *V)
{
    const TmlSystem *sys = tree->sys;
    V[TML_GROUND] = (TmlTwist){0};
    for (int b = 1; b < sys->dim.nb; ++b) {
        const bool turns = sys->dim.span[b].nu == 6;
        V[b].w = turns ? v3_at(u + sys->dim.span[b].u0 + 3) : v3(0, 0, 0);
        V[b].v = v3_sub(v3_at(u + sys->dim.span[b].u0), v3_cross(V[b].w, body_r(tree, s->q, b)));
    }
}

static TmlTwist twist_sub(TmlTwist a, TmlTwist b)
{
    return (TmlTwist){v3_sub(a.v, b.v), v3_sub(a.w, b.w)};
}

void tml_tree_gather(TmlTree *tree, const TmlState *s, const double *x, const double *du,
                     double *dx)
{
    twists(tree, s, du, tree->V1);
    for (int k = 0; k < tree->n_joints; ++k) {
        const TmlTreeJoint *t = &tree->joint[k];
        const TmlTwist D = twist_sub(tree->V1[t->body], tree->V1[t->parent]);
        solve_joint(t, x + t->x0, D, dx + t->x0);
    }
}

void tml_tree_read_rates(TmlTree *tree, const TmlState *s, const double *x, double *x1)
{
    tml_system_reduce(tree->sys, s->q, s->v, tree->u);
    tml_tree_gather(tree, s, x, tree->u, x1);
}

/* Returns S' x' of one joint. */
static TmlTwist drift(const TmlTree *tree, const TmlTreeJoint *t, const double *x, const double *x1)
{
    const double sign = t->flip ? -1.0 : 1.0;
    const TmlTwist *Vi = &tree->V[t->flip ? t->body : t->parent];
    const TmlTwist *Vj = &tree->V[t->flip ? t->parent : t->body];
    const TmlVec3 v_j = v3_add(Vj->v, v3_cross(Vj->w, t->r_j));
    TmlTwist rate = {0}, c = {0};
    for (int i = 0; i < t->n; ++i) {
        const TmlTwist *S = &tree->S[t->x0 + i];
        if (i < t->n_along) {
            rate.v = v3_axpy(x1[i], S->v, rate.v);
        } else {
            rate.w = v3_axpy(x1[i], S->w, rate.w);
        }
    }
    // turning of w in the axes of i
    TmlVec3 w1 = v3(0, 0, 0);
    x += t->n_along;
    x1 += t->n_along;
    if (t->rotation == TML_FREE_ALL) {
        w1 = rotation_bias(v3_at(x), v3_at(x1));
    } else if (t->rotation == TML_FREE_CROSS) {
        TmlVec3 axis[3];
        axes(t, x, axis);
        w1 = v3_scale(x1[0] * x1[1], v3_cross(axis[0], axis[1]));
    }
    c.w = v3_axpy(sign, m3_mulv(&t->A_i, w1), v3_cross(Vi->w, rate.w));
    c.v = v3_add(v3_cross(Vi->w, rate.v), v3_add(v3_cross(v_j, rate.w), v3_cross(t->r_j, c.w)));
    return c;
}

/* Sets V' of all bodies: v_0' = a - alpha x r - omega x v. */
static void twist_rates(const TmlTree *tree, const TmlState *s)
{
    const TmlSystem *sys = tree->sys;
    twists(tree, s, tree->udot, tree->V1);
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlVec3 v = v3_at(tree->u + sys->dim.span[b].u0);
        tree->V1[b].v = v3_sub(tree->V1[b].v, v3_cross(tree->V[b].w, v));
    }
}

void tml_tree_read_second(TmlTree *tree, const TmlState *s, const double *x, const double *x1,
                          double *x2)
{
    const TmlSystem *sys = tree->sys;
    tml_system_reduce(sys, s->q, s->v, tree->u);
    tml_system_reduce(sys, s->q, s->a, tree->udot);
    twists(tree, s, tree->u, tree->V);
    twist_rates(tree, s);
    for (int k = 0; k < tree->n_joints; ++k) {
        const TmlTreeJoint *t = &tree->joint[k];
        const TmlTwist c = drift(tree, t, x + t->x0, x1 + t->x0);
        const TmlTwist D = twist_sub(twist_sub(tree->V1[t->body], tree->V1[t->parent]), c); // (J4)
        solve_joint(t, x + t->x0, D, x2 + t->x0);
    }
}

void tml_tree_accelerations(TmlTree *tree, const double *x, const double *x1, const double *x2,
                            TmlState *s)
{
    const TmlSystem *sys = tree->sys;
    tree->V1[TML_GROUND] = (TmlTwist){0};
    for (int k = 0; k < tree->n_joints; ++k) {
        const TmlTreeJoint *t = &tree->joint[k];
        const int b = t->body, q0 = sys->dim.span[b].q0;
        const TmlTwist c = drift(tree, t, x + t->x0, x1 + t->x0), V = tree->V[b];
        TmlTwist A = {v3_add(tree->V1[t->parent].v, c.v), v3_add(tree->V1[t->parent].w, c.w)};
        for (int i = t->x0; i < t->x0 + t->n; ++i) { // (J4)
            A.v = v3_axpy(x2[i], tree->S[i].v, A.v);
            A.w = v3_axpy(x2[i], tree->S[i].w, A.w);
        }
        tree->V1[b] = A;
        const TmlVec3 r = body_r(tree, s->q, b), v = v3_add(V.v, v3_cross(V.w, r));
        double udot[6];
        v3_put(udot, v3_add(v3_add(A.v, v3_cross(A.w, r)), v3_cross(V.w, v)));
        v3_put(udot + 3, A.w);
        sys->model->bodies.at[b].type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
    }
}
