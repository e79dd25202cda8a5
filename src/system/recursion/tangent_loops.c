/* system/recursion/tangent_loops.c - derivatives of what closes loops: wrenches J^T lambda of the joints that are cut, and their
 * rows at acceleration level.
 *
 *   (N14)  t_k + (J S)^T lambda = 0,  J (a, alpha) - gamma = 0, with
 *          delta (J^T lambda) = (J^T lambda)_m delta m,
 *          delta (J a - gamma) = J delta a + (a^T J_m - gamma_m) delta m - gamma_v delta v
 *          m, v, a: motion, twist and acceleration of the ends, whose changes are those of the links that carry them
 */
#include "system/recursion/tangent.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "system/matrix/blocks.h"

#include <string.h>

static const TmlConstraint *joint_of(const TmlTangent *t, int i)
{
    return &t->r->sys->model->constraints.at[t->r->loops.cut[i].constraint];
}

TmlStatus tml_tangent_loops_setup(TmlTangent *t, TmlError *err)
{
    TmlArena *arena = &t->r->arena;
    TML_NEW(arena, t->cut, t->r->loops.n_cut + 1);
    for (int i = 0; i < t->r->loops.n_cut; ++i) {
        const TmlConstraint *con = joint_of(t, i);
        const size_t n = (size_t)con->n_ends, rows = (size_t)con->type->rows;
        TmlCutTangent *c = &t->cut[i];
        TML_NEW(arena, c->K, tml_curvature_size(con));
        TML_NEW(arena, c->row, tml_curvature_size(con));
        TML_NEW(arena, c->m, rows * n);
        TML_NEW(arena, c->v, rows * n);
        TML_NEW(arena, c->wrench, n);
        TML_NEW(arena, c->moved, n);
        TML_NEW(arena, c->ends, n);
    }
    return TML_OK;
}

/* --- residual --------------------------------------------------------------------------------- */

/* Sets lambda[rows] of a joint; those of rows that are left out are zero. */
static void multipliers_of(const TmlTangent *t, const TmlCutJoint *cut, double *lambda)
{
    memset(lambda, 0, TML_MAX_ROWS * sizeof *lambda);
    for (int k = 0; k < cut->n_rows; ++k) {
        lambda[t->r->loops.row[cut->row0 + k].k] = t->lambda[cut->row0 + k];
    }
}

static void load_joint(TmlTangent *t, int i)
{
    TmlRecursion *r = t->r;
    const TmlConstraint *con = joint_of(t, i);
    const TmlCutJoint *cut = &r->loops.cut[i];
    const TmlFrameKin *e = r->sys->kin + r->sys->constraint[cut->constraint].end0;
    double lambda[TML_MAX_ROWS];
    multipliers_of(t, cut, lambda);
    for (int k = 0; k < con->n_ends; ++k) {
        TmlRow *w = &t->cut[i].wrench[k];
        const int link = r->place[con->end[k].body].link;
        *w = (TmlRow){0};
        for (int row = 0; row < con->type->rows; ++row) {
            const TmlRow *J = &cut->J[row * con->n_ends + k];
            w->r = v3_axpy(lambda[row], J->r, w->r);
            w->theta = v3_axpy(lambda[row], J->theta, w->theta);
        }
        if (link >= 0) {
            TmlLinkMotion *m = &r->motion[link];
            m->f = v3_add(m->f, w->r);
            m->n = v3_add(m->n, v3_add(w->theta, v3_cross(v3_sub(e[k].r, m->r), w->r)));
        }
    }
}

void tml_tangent_loops_residual(TmlTangent *t, double time, double *out)
{
    TmlRecursion *r = t->r;
    const TmlLoops *l = &r->loops;
    tml_loops_move(r);
    tml_loops_rows(r, time);
    for (int i = 0; i < l->n_cut; ++i) {
        load_joint(t, i);
    }
    tml_loops_level(r, time, TML_LEVEL_ACCELERATION);
    for (int k = 0; k < l->m; ++k) {
        out[k] = l->rhs[l->row[k].place];
    }
}

/* --- derivatives ------------------------------------------------------------------------------ */

/* (a^T J_m - gamma_m) of one row. */
static void evaluate_row(const TmlConstraint *con, const TmlElementIn *in, int k, TmlCutTangent *c)
{
    const int n = con->n_ends;
    double unit[TML_MAX_ROWS] = {0};
    if (con->type->curvature == NULL) {
        return;
    }
    unit[k] = 1.0;
    memset(c->row, 0, tml_curvature_size(con) * sizeof *c->row);
    con->type->curvature(in, unit, c->row);
    for (int e = 0; e < n; ++e) {
        c->moved[e] = (TmlRow){in->e[e].a, in->e[e].alpha};
    }
    tml_curvature_times(n, c->moved, c->row, con->type->arrow, c->m + k * n);
}

static void evaluate_joint(TmlTangent *t, double time, int i)
{
    const TmlConstraint *con = joint_of(t, i);
    const TmlCutJoint *cut = &t->r->loops.cut[i];
    const TmlElementIn in = tml_constraint_in(t->r->sys, cut->constraint, time);
    const int n = con->n_ends;
    TmlCutTangent *c = &t->cut[i];
    double lambda[TML_MAX_ROWS];
    con->type->gamma_tangent(&in, c->m, c->v);
    for (int k = 0; k < con->type->rows * n; ++k) {
        c->m[k] = (TmlRow){v3_neg(c->m[k].r), v3_neg(c->m[k].theta)};
        c->v[k] = (TmlRow){v3_neg(c->v[k].r), v3_neg(c->v[k].theta)};
    }
    for (int k = 0; k < cut->n_rows; ++k) {
        evaluate_row(con, &in, t->r->loops.row[cut->row0 + k].k, c);
    }
    multipliers_of(t, cut, lambda);
    memset(c->K, 0, tml_curvature_size(con) * sizeof *c->K);
    if (con->type->curvature != NULL) {
        con->type->curvature(&in, lambda, c->K);
    }
}

void tml_tangent_loops_evaluate(TmlTangent *t, double time)
{
    for (int i = 0; i < t->r->loops.n_cut; ++i) {
        evaluate_joint(t, time, i);
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

static void ends_of_column(TmlTangent *t, const TmlColumn *c, int i)
{
    const TmlConstraint *con = joint_of(t, i);
    const TmlSystem *sys = t->r->sys;
    const TmlFrameKin *e = sys->kin + sys->constraint[t->r->loops.cut[i].constraint].end0;
    for (int k = 0; k < con->n_ends; ++k) {
        tml_tangent_end(t, c, con->end[k].body, e[k].r, &t->cut[i].ends[k]);
    }
}

/* w += K_ab x, K of `width` columns; by_column: of its transpose. */
static void add_block(const double *K, int width, bool transposed, const TmlEndChange *x, TmlRow *w)
{
    const double in[TML_FRAME_SIZE] = {x->r.x, x->r.y, x->r.z, x->phi.x, x->phi.y, x->phi.z};
    double out[TML_FRAME_SIZE] = {0};
    for (int i = 0; i < TML_FRAME_SIZE; ++i) {
        for (int j = 0; j < TML_FRAME_SIZE; ++j) {
            out[i] += (transposed ? K[j * width + i] : K[i * width + j]) * in[j];
        }
    }
    w->r = v3_add(w->r, v3(out[0], out[1], out[2]));
    w->theta = v3_add(w->theta, v3(out[3], out[4], out[5]));
}

/* moved = K (changes of the ends); of an arrow only the first row of blocks is stored. */
static void move_wrench(const TmlConstraint *con, TmlCutTangent *c)
{
    const int n = con->n_ends, width = TML_FRAME_SIZE * n;
    const bool arrow = con->type->arrow;
    memset(c->moved, 0, (size_t)n * sizeof *c->moved);
    for (int a = 0; a < n; ++a) {
        const bool stored = a == 0 || !arrow;
        for (int b = 0; b < (stored ? n : 1); ++b) {
            const double *K = stored ? c->K + TML_FRAME_SIZE * (a * width + b)
                                     : c->K + (ptrdiff_t)TML_FRAME_SIZE * a;
            add_block(K, width, !stored, &c->ends[b], &c->moved[a]);
        }
    }
}

static void change_joint(TmlTangent *t, const TmlColumn *col, int i)
{
    const TmlRecursion *r = t->r;
    const TmlConstraint *con = joint_of(t, i);
    const TmlFrameKin *e = r->sys->kin + r->sys->constraint[r->loops.cut[i].constraint].end0;
    TmlCutTangent *c = &t->cut[i];
    move_wrench(con, c);
    for (int k = 0; k < con->n_ends; ++k) {
        const int link = r->place[con->end[k].body].link;
        if (link < 0) {
            continue;
        }
        const TmlVec3 arm = v3_sub(e[k].r, r->motion[link].r), dF = c->moved[k].r;
        const bool behind = link >= col->j && link < col->end;
        const TmlVec3 turned =
            behind ? v3_cross(v3_cross(col->phi, arm), c->wrench[k].r) : v3(0, 0, 0);
        TmlLinkChange *d = &t->change[link];
        d->f = v3_add(d->f, dF);
        d->n = v3_add(d->n, v3_add(c->moved[k].theta, v3_add(turned, v3_cross(arm, dF))));
    }
}

void tml_tangent_loops_change(TmlTangent *t, const TmlColumn *c)
{
    for (int i = 0; i < t->r->loops.n_cut; ++i) {
        ends_of_column(t, c, i);
        if (c->seed == TML_BY_POSITION) {
            change_joint(t, c, i);
        }
    }
}

void tml_tangent_loops_rows(TmlTangent *t, const TmlColumn *c, double *K)
{
    const TmlLoops *l = &t->r->loops;
    (void)c;
    for (int k = 0; k < l->m; ++k) {
        const TmlLoopRow *row = &l->row[k];
        const TmlCutTangent *cut = &t->cut[row->cut];
        const int n = joint_of(t, row->cut)->n_ends;
        double sum = 0.0;
        for (int e = 0; e < n; ++e) {
            const TmlEndChange *d = &cut->ends[e];
            const TmlRow *J = &l->cut[row->cut].J[row->k * n + e];
            const TmlRow *m = &cut->m[row->k * n + e], *v = &cut->v[row->k * n + e];
            sum += v3_dot(J->r, d->a) + v3_dot(J->theta, d->alpha) + v3_dot(m->r, d->r) +
                   v3_dot(m->theta, d->phi) + v3_dot(v->r, d->v) + v3_dot(v->theta, d->w);
        }
        K[k * t->size] = sum;
    }
}

void tml_tangent_loops_load(TmlTangent *t, int k)
{
    const TmlRecursion *r = t->r;
    const TmlLoopRow *row = &r->loops.row[k];
    const TmlCutJoint *cut = &r->loops.cut[row->cut];
    const TmlConstraint *con = joint_of(t, row->cut);
    const TmlFrameKin *e = r->sys->kin + r->sys->constraint[cut->constraint].end0;
    for (int i = 0; i < con->n_ends; ++i) {
        const int link = r->place[con->end[i].body].link;
        if (link >= 0) {
            const TmlRow *J = &cut->J[row->k * con->n_ends + i];
            const TmlVec3 arm = v3_sub(e[i].r, r->motion[link].r);
            TmlLinkChange *d = &t->change[link];
            d->f = v3_add(d->f, J->r);
            d->n = v3_add(d->n, v3_add(J->theta, v3_cross(arm, J->r)));
        }
    }
}
