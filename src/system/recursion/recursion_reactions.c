/* system/recursion/recursion_reactions.c - multipliers of the joints of the tree, inwards from the accelerations.
 *
 * W_b = (F, N) is the wrench by which the joint of body b moves it, about its centre of mass:
 *
 *   (Q1)   F_b = m (a - g) - F_applied - F_loops + sum F_c,
 *          N_b = J alpha + w x J w - T_applied - T_loops + sum (N_c + (r_c - r_b) x F_c),   c: children of b
 *   (Q2)  sum_k lambda_k (J_r, J_theta)_k = -(F, N - arm x F)
 *          rows of the joint at its frame on the body, arm: from the centre of mass to that frame
 *
 * (Q2) has six equations for at most six multipliers. What is left over is moved by the joint, and zero; so the equations are
 * solved by orthogonal vectors, whatever the units. Nothing of this is articulated: the digits are those of the accelerations.
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { WRENCH = 6 };

/* Rows whose part across the others is below this are none: joints of the tree have independent rows. */
static const double least_part = 1e-8;

/* --- (Q1) ------------------------------------------------------------------------------------- */

/* Sets what moves a body beside its joint and its children, with the sign that its joint has to make good for. */
static void begin_body(TmlRecursion *r, int b)
{
    const TmlSystem *sys = r->sys;
    const TmlBody *body = &sys->model->bodies.at[b];
    const TmlBodySpan *span = &sys->dim.span[b];
    const TmlFrameKin *k = &sys->body[b].k;
    const double *Q = r->Q + span->u0;
    double mass;
    TmlMat33 J = {0};
    body->type->inertia(body->data, &mass, &J);
    const TmlVec3 own = m3_tmulv(&k->A, k->omega), turn = m3_tmulv(&k->A, k->alpha);
    const TmlVec3 n = v3_add(m3_mulv(&J, turn), v3_cross(own, m3_mulv(&J, own)));
    r->force[b] = v3_scale(mass, v3_sub(k->a, sys->gravity));
    r->torque[b] = span->nu == WRENCH ? m3_mulv(&k->A, n) : v3(0, 0, 0);
    if (r->loaded) {
        r->force[b] = v3_sub(r->force[b], v3(Q[0], Q[1], Q[2]));
        r->torque[b] =
            span->nu == WRENCH ? v3_sub(r->torque[b], v3(Q[3], Q[4], Q[5])) : r->torque[b];
    }
}

/* Takes the wrenches of a joint that is cut, by its multipliers, from what moves its bodies. */
static void add_cut(TmlRecursion *r, const TmlCutJoint *cut)
{
    const TmlSystem *sys = r->sys;
    const TmlConstraint *con = &sys->model->constraints.at[cut->constraint];
    const TmlFrameKin *e = sys->kin + sys->constraint[cut->constraint].end0;
    for (int i = 0; i < cut->n_rows; ++i) {
        const int k = r->loops.row[cut->row0 + i].k;
        const double lambda = r->loops.lambda[cut->row0 + i];
        for (int j = 0; j < con->n_ends; ++j) {
            const int b = con->end[j].body;
            const TmlRow *J = &cut->J[k * con->n_ends + j];
            const TmlVec3 arm = v3_sub(e[j].r, sys->body[b].k.r);
            r->force[b] = v3_axpy(lambda, J->r, r->force[b]);
            r->torque[b] = v3_axpy(lambda, v3_add(J->theta, v3_cross(arm, J->r)), r->torque[b]);
        }
    }
}

static void give_to_parent(TmlRecursion *r, const TmlHang *h)
{
    const int b = h->body, p = h->parent;
    const TmlVec3 d = v3_sub(r->sys->body[b].k.r, r->sys->body[p].k.r);
    r->force[p] = v3_add(r->force[p], r->force[b]);
    r->torque[p] = v3_add(r->torque[p], v3_add(r->torque[b], v3_cross(d, r->force[b])));
}

/* --- (Q2) ------------------------------------------------------------------------------------ */

static inline double dot(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

static inline void subtract(double x, const double *a, double *b)
{
    for (int i = 0; i < WRENCH; ++i) {
        b[i] -= x * a[i];
    }
}

static void put(double out[WRENCH], TmlVec3 f, TmlVec3 n, double length)
{
    out[0] = f.x, out[1] = f.y, out[2] = f.z;
    out[3] = n.x / length, out[4] = n.y / length, out[5] = n.z / length;
}

/* Takes the parts along the k unit vectors before it out of a[k]; adds them to column k of R. Returns the square of what is left. */
static double orthogonalise(int k, double a[TML_MAX_ROWS][WRENCH],
                            double R[TML_MAX_ROWS][TML_MAX_ROWS])
{
    for (int j = 0; j < k; ++j) {
        const double along = dot(a[j], a[k]);
        R[j][k] += along;
        subtract(along, a[j], a[k]);
    }
    return dot(a[k], a[k]);
}

/* Solves sum x_k a_k = b for independent a_k: (a_1 .. a_n) = Q R by Gram's and Schmidt's method, once more where little is left. */
static void solve_rows(int n, double a[TML_MAX_ROWS][WRENCH], double b[WRENCH],
                       double x[TML_MAX_ROWS])
{
    double R[TML_MAX_ROWS][TML_MAX_ROWS] = {{0}};
    for (int k = 0; k < n; ++k) {
        const double size = dot(a[k], a[k]);
        double rest = orthogonalise(k, a, R);
        rest = rest < 0.5 * size ? orthogonalise(k, a, R) : rest;
        const double length = rest > least_part * least_part * size ? sqrt(rest) : 0.0;
        const double scale = length > 0.0 ? 1.0 / length : 0.0;
        R[k][k] = scale;
        for (int i = 0; i < WRENCH; ++i) {
            a[k][i] *= scale;
        }
        x[k] = dot(a[k], b);
        subtract(x[k], a[k], b);
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) {
            x[k] -= R[k][j] * x[j];
        }
        x[k] *= R[k][k];
    }
}

static void solve_joint(TmlRecursion *r, const TmlHang *h, const TmlState *s, double *lambda)
{
    const TmlSystem *sys = r->sys;
    const TmlConstraint *con = &sys->model->constraints.at[h->constraint];
    const TmlElementIn in = tml_constraint_in(sys, h->constraint, s->t);
    const int e = con->end[0].body == h->body ? 0 : 1, n = con->type->rows;
    const double length = sys->dim.length;
    double a[TML_MAX_ROWS][WRENCH], b[WRENCH];
    con->type->jacobian(&in, sys->room.J);
    for (int k = 0; k < n; ++k) {
        const TmlRow *J = &sys->room.J[k * con->n_ends + e];
        put(a[k], J->r, J->theta, length);
    }
    const TmlVec3 arm = v3_sub(in.e[e].r, sys->body[h->body].k.r), F = r->force[h->body];
    put(b, v3_neg(F), v3_sub(v3_cross(arm, F), r->torque[h->body]), length);
    solve_rows(n, a, b, lambda);
}

void tml_recursion_reactions(TmlRecursion *r, TmlState *s)
{
    const TmlSystem *sys = r->sys;
    memset(s->lambda, 0, (size_t)sys->dim.m_all * sizeof *s->lambda);
    r->force[TML_GROUND] = r->torque[TML_GROUND] = v3(0, 0, 0);
    for (int b = 1; b < sys->dim.nb; ++b) {
        begin_body(r, b);
    }
    for (int i = 0; i < r->loops.n_cut && r->loops.m > 0; ++i) {
        add_cut(r, &r->loops.cut[i]);
    }
    tml_loops_put(r, s);
    for (int k = r->n_hangs - 1; k >= 0; --k) { // children first
        const TmlHang *h = &r->hang[k];
        if (h->constraint >= 0) {
            solve_joint(r, h, s, s->lambda + sys->constraint[h->constraint].row0);
            give_to_parent(r, h);
        }
    }
}
