/* system/recursion/loops.c - multipliers of the rows that close loops, over the tree.
 *
 * With the articulated inertias of links_inertia.c, the innovations u of a wrench that row i puts on the ends of its joint go
 * along the paths of these ends to the ground only:
 *
 *   (N7)  u_ki = -S^T (f, n)_i at link k,  Lambda_ij = sum_k u_ki^T D_k^-1 u_kj
 *   (N8)  Lambda lambda = G y'_0 - gamma,  y' = y'_0 - M^-1 G^T lambda;
 *         Lambda mu = Phi,  x -= M^-1 G^T mu;  Lambda nu = G y + Phi_t,  y -= M^-1 G^T nu
 *
 * Rows share an entry when their paths do, so Lambda is sparse when loops are local; it is kept as an envelope, L D L^T, its
 * rows in the order of loops_order.c. Near singular positions pivots go to zero: they are kept above 1e-14 of the diagonal.
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

static const double floor_of_pivots = 1e-14;

/* --- rows ------------------------------------------------------------------------------------- */

/* Moves the frames of a joint that is cut. */
static void move_joint(TmlRecursion *r, int c)
{
    TmlSystem *sys = r->sys;
    const TmlConstraint *con = &sys->model->constraints.at[c];
    for (int e = 0; e < con->n_ends; ++e) {
        TmlFrameKin k;
        tml_links_body(r, con->end[e].body, &k);
        tml_frame_offset(&k, &con->end[e], &sys->kin[sys->constraint[c].end0 + e]);
    }
}

void tml_loops_move(TmlRecursion *r)
{
    for (int i = 0; i < r->loops.n_cut; ++i) {
        move_joint(r, r->loops.cut[i].constraint);
    }
    r->sys->motion += r->loops.n_cut > 0; // frames no longer belong to the last kinematics
}

void tml_loops_rows(TmlRecursion *r, double t)
{
    for (int i = 0; i < r->loops.n_cut; ++i) {
        const TmlCutJoint *cut = &r->loops.cut[i];
        const TmlElementIn in = tml_constraint_in(r->sys, cut->constraint, t);
        r->sys->model->constraints.at[cut->constraint].type->jacobian(&in, cut->J);
    }
}

/* --- (N7) ------------------------------------------------------------------------------------- */

/* Takes a wrench (f, n) on a link over its joint; returns the innovation. */
static TmlVec3 innovate(const TmlLink *l, const TmlLinkMotion *m, TmlVec3 *f, TmlVec3 *n,
                        TmlVec3 *Du)
{
    TmlVec3 u = {0};
    switch (l->kind) {
    case TML_LINK_PIN:
    case TML_LINK_SLIDE:
        u.x = l->kind == TML_LINK_PIN ? -v3_dot(m->s, *n) : -v3_dot(m->s, *f);
        *Du = v3(m->D1 * u.x, 0, 0);
        *f = v3_axpy(Du->x, m->Um, *f);
        *n = v3_axpy(Du->x, m->Uc, *n);
        break;
    case TML_LINK_SHIFT:
        u = v3_neg(*f);
        *Du = sym_mulv(&m->D3, u);
        *f = v3(0, 0, 0);
        *n = v3_add(*n, m3_mulv(&m->Bt, *Du));
        break;
    case TML_LINK_BALL:
        u = v3_neg(*n);
        *Du = sym_mulv(&m->D3, u);
        *f = v3_add(*f, m3_tmulv(&m->Bt, *Du));
        *n = v3(0, 0, 0);
        break;
    }
    return u;
}

/* Puts the wrench of a row on the links of its ends. */
static void load_row(TmlRecursion *r, const TmlCutJoint *cut, int k)
{
    TmlLoops *l = &r->loops;
    const TmlConstraint *con = &r->sys->model->constraints.at[cut->constraint];
    const TmlFrameKin *e = r->sys->kin + r->sys->constraint[cut->constraint].end0;
    for (int i = 0; i < con->n_ends; ++i) {
        const int link = r->place[con->end[i].body].link;
        if (link >= 0) { // (f, n) are less the forces
            const TmlRow *J = &cut->J[k * con->n_ends + i];
            const TmlVec3 arm = v3_sub(e[i].r, r->motion[link].r);
            l->wf[link] = v3_sub(l->wf[link], J->r);
            l->wn[link] = v3_sub(l->wn[link], v3_add(J->theta, v3_cross(arm, J->r)));
        }
    }
}

static void respond_row(TmlRecursion *r, const TmlCutJoint *cut, int k, TmlVec3 *u, TmlVec3 *Du)
{
    TmlLoops *l = &r->loops;
    load_row(r, cut, k);
    for (int i = 0; i < cut->n_path; ++i) {
        const int link = l->path[cut->path0 + i], parent = r->link[link].parent;
        TmlVec3 f = l->wf[link], n = l->wn[link];
        l->wf[link] = l->wn[link] = v3(0, 0, 0);
        u[i] = innovate(&r->link[link], &r->motion[link], &f, &n, &Du[i]);
        if (parent >= 0) {
            l->wf[parent] = v3_add(l->wf[parent], f);
            l->wn[parent] = v3_add(l->wn[parent], v3_add(n, v3_cross(r->motion[link].d, f)));
        }
    }
}

/* Fills the envelope of Lambda. */
static void fill_envelope(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    memset(l->value, 0, l->start[l->m] * sizeof *l->value);
    for (int k = 0; k < r->n_links; ++k) {
        for (int i = l->touch0[k]; i < l->touch0[k + 1]; ++i) {
            const int row = l->row[l->touch_row[i]].place;
            const TmlVec3 u = l->u[l->touch_at[i]];
            double *to = l->value + l->start[row] - l->first[row];
            for (int j = l->touch0[k]; j < l->touch0[k + 1]; ++j) {
                const int column = l->row[l->touch_row[j]].place;
                if (column <= row) {
                    to[column] += v3_dot(u, l->Du[l->touch_at[j]]);
                }
            }
        }
    }
}

/* L D L^T in the place of Lambda, row by row. */
static void factor_envelope(TmlLoops *l)
{
    l->hold = 1.0;
    for (int i = 0; i < l->m; ++i) {
        double *a = l->value + l->start[i] - l->first[i];
        const double diagonal = a[i];
        for (int j = l->first[i]; j < i; ++j) { // a_j becomes L_ij D_j
            const double *b = l->value + l->start[j] - l->first[j];
            const int from = l->first[i] > l->first[j] ? l->first[i] : l->first[j];
            double sum = a[j];
            for (int k = from; k < j; ++k) {
                sum -= a[k] * b[k];
            }
            a[j] = sum;
        }
        double pivot = diagonal;
        for (int j = l->first[i]; j < i; ++j) {
            const double L = a[j] / l->pivot[j];
            pivot -= L * a[j];
            a[j] = L;
        }
        l->hold = fmin(l->hold, pivot / diagonal);
        l->diagonal[i] = diagonal;
        l->pivot[i] = fmax(pivot, floor_of_pivots * diagonal);
    }
}

bool tml_loops_lambda(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    double sum = 0.0;
    for (int i = 0; i < l->m; ++i) {
        const TmlLoopRow *row = &l->row[i];
        respond_row(r, &l->cut[row->cut], row->k, l->u + row->u0, l->Du + row->u0);
    }
    fill_envelope(r);
    for (int i = 0; i < l->m; ++i) {
        sum += l->value[l->start[i + 1] - 1];
    }
    return isfinite(sum);
}

bool tml_loops_factor(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    if (!tml_loops_lambda(r)) {
        return false;
    }
    factor_envelope(l);
    for (int i = 0; i < l->m; ++i) {
        if (!(l->pivot[i] > 0.0)) {
            return false;
        }
    }
    return true;
}

/* --- (N8) ------------------------------------------------------------------------------------- */

/* Sets phi of one joint at a level, at the last rows. */
static void level_of(TmlRecursion *r, const TmlCutJoint *cut, double t, TmlLevel level, double *phi)
{
    const TmlConstraint *con = &r->sys->model->constraints.at[cut->constraint];
    const TmlElementIn in = tml_constraint_in(r->sys, cut->constraint, t);
    double extra[TML_MAX_ROWS] = {0};
    if (level == TML_LEVEL_POSITION) {
        con->type->residual(&in, phi);
        return;
    }
    const bool velocity = level == TML_LEVEL_VELOCITY;
    if (velocity && con->type->rate != NULL) {
        con->type->rate(&in, extra);
    } else if (!velocity && con->type->gamma != NULL) {
        con->type->gamma(&in, extra);
    }
    for (int k = 0; k < con->type->rows; ++k) {
        phi[k] = velocity ? extra[k] : -extra[k];
        for (int e = 0; e < con->n_ends; ++e) {
            const TmlRow *J = &cut->J[k * con->n_ends + e];
            const TmlFrameKin *f = &in.e[e];
            phi[k] += velocity ? v3_dot(J->r, f->v) + v3_dot(J->theta, f->omega)
                               : v3_dot(J->r, f->a) + v3_dot(J->theta, f->alpha);
        }
    }
}

double tml_loops_level(TmlRecursion *r, double t, TmlLevel level)
{
    TmlLoops *l = &r->loops;
    double most = 0.0;
    for (int i = 0; i < l->n_cut; ++i) {
        const TmlCutJoint *cut = &l->cut[i];
        double phi[TML_MAX_ROWS];
        level_of(r, cut, t, level, phi);
        for (int k = 0; k < cut->n_rows; ++k) {
            const TmlLoopRow *row = &l->row[cut->row0 + k];
            const bool rolls = (r->sys->pfaffian[cut->constraint] >> row->k & 1u) != 0;
            const double value = rolls && level == TML_LEVEL_POSITION ? 0.0 : phi[row->k];
            l->rhs[row->place] = value;
            most = fmax(most, fabs(value) / l->size[cut->row0 + k]);
            most = isfinite(value) ? most : HUGE_VAL;
        }
    }
    return most;
}

static void solve(TmlLoops *l)
{
    double *b = l->rhs;
    for (int i = 0; i < l->m; ++i) {
        const double *a = l->value + l->start[i] - l->first[i];
        for (int j = l->first[i]; j < i; ++j) {
            b[i] -= a[j] * b[j];
        }
    }
    for (int i = 0; i < l->m; ++i) {
        b[i] /= l->pivot[i];
    }
    for (int i = l->m - 1; i >= 0; --i) {
        const double *a = l->value + l->start[i] - l->first[i];
        for (int j = l->first[i]; j < i; ++j) {
            b[j] -= a[j] * b[i];
        }
    }
    for (int i = 0; i < l->m; ++i) {
        l->lambda[i] = b[l->row[i].place];
    }
}

/* Returns D^-1 of the innovations of all rows at link k. */
static TmlVec3 innovation(const TmlLoops *l, int k)
{
    TmlVec3 Du = {0};
    for (int i = l->touch0[k]; i < l->touch0[k + 1]; ++i) {
        Du = v3_axpy(-l->lambda[l->touch_row[i]], l->Du[l->touch_at[i]], Du);
    }
    return Du;
}

static void put(double *y, TmlVec3 v)
{
    y[0] = v.x;
    y[1] = v.y;
    y[2] = v.z;
}

void tml_loops_respond(TmlRecursion *r, double *dy, bool accelerations)
{
    TmlLoops *l = &r->loops;
    solve(l);
    for (int k = 0; k < r->n_links; ++k) { // (N6) without (N1)
        const TmlLink *link = &r->link[k];
        TmlLinkMotion *m = &r->motion[k];
        const TmlLinkMotion *p = &r->motion[link->parent];
        const TmlVec3 Du = innovation(l, k), w0 = r->rw[link->parent];
        const TmlVec3 v0 = v3_add(r->ra[link->parent], v3_cross(w0, m->d));
        TmlVec3 v = v0, w = w0;
        double *z = dy + link->y0;
        switch (link->kind) {
        case TML_LINK_PIN:
            *z = Du.x - m->D1 * (v3_dot(m->Um, v) + v3_dot(m->Uc, w));
            w = v3_axpy(*z, m->s, w);
            break;
        case TML_LINK_SLIDE:
            *z = Du.x - m->D1 * (v3_dot(m->Um, v) + v3_dot(m->Uc, w));
            v = v3_axpy(*z, m->s, v);
            break;
        case TML_LINK_SHIFT:
            v = v3_sub(Du, sym_mulv(&m->D3, m3_tmulv(&m->Bt, w)));
            put(z, m3_tmulv(&p->A, v3_sub(v, v0)));
            break;
        case TML_LINK_BALL:
            w = v3_sub(Du, sym_mulv(&m->D3, m3_mulv(&m->Bt, v)));
            put(z, m3_tmulv(&p->A, v3_sub(w, w0)));
            break;
        }
        r->ra[k] = v;
        r->rw[k] = w;
        if (accelerations) {
            m->a = v3_add(m->a, v);
            m->alpha = v3_add(m->alpha, w);
        }
    }
}

void tml_loops_put(const TmlRecursion *r, TmlState *s)
{
    const TmlLoops *l = &r->loops;
    for (int i = 0; i < l->m; ++i) {
        const int c = l->cut[l->row[i].cut].constraint;
        s->lambda[r->sys->constraint[c].row0 + l->row[i].k] = l->lambda[i];
    }
}

void tml_loops_power(TmlRecursion *r, double t)
{
    TmlLoops *l = &r->loops;
    for (int i = 0; i < l->n_cut; ++i) {
        const TmlCutJoint *cut = &l->cut[i];
        const TmlConstraint *con = &r->sys->model->constraints.at[cut->constraint];
        double lambda[TML_MAX_ROWS] = {0};
        if (con->type->rate != NULL) {
            const TmlElementIn in = tml_constraint_in(r->sys, cut->constraint, t);
            for (int k = 0; k < cut->n_rows; ++k) {
                lambda[l->row[cut->row0 + k].k] = l->lambda[cut->row0 + k];
            }
            r->sys->power.other += tml_drive_power(con, &in, lambda);
        }
    }
}
