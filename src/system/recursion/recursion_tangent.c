/* system/recursion/recursion_tangent.c - the equations of a tree in joint coordinates as implicit methods need them: their residual,
 * and its derivatives by accelerations, speeds and positions.
 *
 *   (N10)  t_k = S_k^T (f_k, n_k) - tau_k = 0, k over all links: (a, alpha) of (N6) for given y';
 *          f = m (a + alpha x c + w x (w x c)) - F,  n = J alpha + w x J w + c x m (..) - T,  and inwards
 *          f_p += f,  n_p += n + d x f
 *   (N11)  K_0, K_1, K_2 = dt/dy', dt/dy, dt/dx. A unit change of a coordinate turns all that is behind its link by phi and moves it
 *          by delta r; velocities and accelerations follow from (N1) and (N6) by the product rule, with axes, arms and inertias that
 *          turn by phi: delta (J u) = phi x J u + J (delta u - phi x u)
 *   (N12)  of forces: delta (F, T) = K_q (delta r, phi) + K_v (delta v, delta w) at each frame, K of the elements themselves, and the
 *          change of the frame's arm; of (N9) the derivatives of the law
 *
 *   (N13)  states X add rows X' - g = 0 and columns by X' and X; variables V and forces F that follow from expressions are no unknowns:
 *          delta V = sum over frames of grad (delta r, phi, delta v, delta w) + sum grad delta (X, V), in the order in which they settle,
 *          and delta F turns into wrenches by the map of the element
 *
 * Columns cost in proportion to what is behind their link, all of them to the number of links times the depth of the tree.
 * Equations of a ball are along the axes of the link itself, and its moment, which they say is zero, is not passed on. Else a thin rod has a
 * direction of hardly any inertia that turns from stage to stage, and iterations with one matrix for all stages diverge.
 * Positions of balls are no rates of their speeds: their columns of K_2 belong to a turn about axes of the parent, and joint_charts.c
 * makes those by the coordinates of a chart of them. Loops: tangent_loops.c.
 */
#include "system/recursion/tangent.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { FRAME = TML_FRAME_SIZE };

static const double zero[2] = {0.0, 0.0};

static bool turns(const TmlLink *l)
{
    return l->kind == TML_LINK_PIN || l->kind == TML_LINK_BALL;
}

/* Whether it has three coordinates along the axes of its parent. */
static bool threefold(const TmlLink *l)
{
    return l->kind == TML_LINK_SHIFT || l->kind == TML_LINK_BALL;
}

const char *tml_tangent_refuse(const TmlRecursion *r)
{
    const TmlLoops *l = &r->loops;
    for (int i = 0; i < l->n_cut; ++i) {
        if (r->sys->model->constraints.at[l->cut[i].constraint].type->gamma_tangent == NULL) {
            return "a joint that closes a loop has no derivatives at acceleration level";
        }
    }
    return r->sys->n_settles < r->sys->dim.nv + r->sys->dim.nf
               ? "a variable follows from an implicit equation"
               : NULL;
}

/* Finds room for what forces and equations are asked for. */
static TmlStatus room_for_forces(TmlTangent *t, TmlError *err)
{
    TmlRecursion *r = t->r;
    const TmlSystem *sys = r->sys;
    const TmlModel *m = sys->model;
    const int equations = sys->dim.nx + sys->dim.nv + sys->dim.nf;
    size_t K = 0, P = 0, g = 0, gu = 0;
    TML_NEW(&r->arena, t->K0, m->forces.n + 1);
    TML_NEW(&r->arena, t->P0, m->forces.n + 1);
    TML_NEW(&r->arena, t->g0, equations + 1);
    TML_NEW(&r->arena, t->gu0, equations + 1);
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        const size_t n = (size_t)(FRAME * force->n_ends);
        t->K0[f] = K;
        t->P0[f] = P;
        K += r->on_axis[f] ? 0 : 2 * n * n;
        P += (size_t)(force->n_f * force->n_ends);
    }
    for (int k = 0; k < equations; ++k) {
        t->g0[k] = g;
        t->gu0[k] = gu;
        g += (size_t)sys->equation[k].binding->n_ends;
        gu += (size_t)sys->equation[k].binding->n_unknowns;
    }
    TML_NEW(&r->arena, t->K, K + 1);
    TML_NEW(&r->arena, t->P, P + 1);
    TML_NEW(&r->arena, t->gq, g + 1);
    TML_NEW(&r->arena, t->gv, g + 1);
    TML_NEW(&r->arena, t->gu, gu + 1);
    TML_NEW(&r->arena, t->dX, sys->dim.nx + 1);
    TML_NEW(&r->arena, t->dV, sys->dim.nv + sys->dim.nf + 1);
    return TML_OK;
}

TmlStatus tml_tangent_create(TmlRecursion *r, TmlTangent **out, TmlError *err)
{
    TmlTangent *t;
    TML_NEW(&r->arena, t, 1);
    t->r = r;
    TML_NEW(&r->arena, t->change, r->n_links + 1);
    TML_NEW(&r->arena, t->behind, r->n_links + 1);
    TML_NEW(&r->arena, t->yw, r->n_links + 1);
    TML_NEW(&r->arena, t->y1w, r->n_links + 1);
    TML_NEW(&r->arena, t->reach, r->n_links + 1);
    TML_NEW(&r->arena, t->sum, 2 * ((size_t)r->n_links + 1));
    for (int k = r->n_links - 1; k >= 0; --k) { // links are in depth-first order
        t->behind[k] = k + 1;
        for (int j = k + 1; j < r->n_links && r->link[j].parent >= k; j = t->behind[j]) {
            t->behind[k] = t->behind[j];
        }
    }
    t->change++;
    t->size = r->ny + r->sys->dim.nx + r->loops.m;
    *out = t;
    TML_TRY(tml_tangent_loops_setup(t, err));
    return room_for_forces(t, err);
}

int tml_tangent_size(const TmlTangent *t)
{
    return t->size;
}

/* --- (N10) ------------------------------------------------------------------------------------ */

static TmlVec3 at3(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static void put(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

/* Returns S z of a link in global axes. */
static TmlVec3 spread(const TmlRecursion *r, int k, const double *z)
{
    const TmlLink *l = &r->link[k];
    return threefold(l) ? m3_mulv(&r->motion[l->parent].A, at3(z + l->y0))
                        : v3_scale(z[l->y0], r->motion[k].s);
}

/* Takes x, y and behind y the states. */
static void take(TmlRecursion *r, TmlState *s, const double *x, const double *y)
{
    memcpy(r->x, x, (size_t)r->nx * sizeof *x);
    memcpy(r->y, y, (size_t)r->ny * sizeof *y);
    memcpy(s->X, y + r->ny, (size_t)r->sys->dim.nx * sizeof *y);
}

/* (N6) for given y', and f and n of each link without forces. */
static void inertial(TmlTangent *t, const double *y, const double *y1)
{
    TmlRecursion *r = t->r;
    TmlLinkMotion *ground = &r->motion[-1];
    ground->f = ground->n = v3(0, 0, 0);
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        TmlLinkMotion *m = &r->motion[k];
        const TmlLinkMotion *p = &r->motion[l->parent];
        t->yw[k] = spread(r, k, y);
        t->y1w[k] = spread(r, k, y1);
        m->a = v3_add(p->a, v3_add(v3_cross(p->alpha, m->d), m->kappa));
        m->alpha = v3_add(p->alpha, m->zeta);
        TmlVec3 *to = turns(l) ? &m->alpha : &m->a;
        *to = v3_add(*to, t->y1w[k]);
        m->f = m->n = v3(0, 0, 0);
        if (l->mass > 0.0) {
            const TmlVec3 c = m3_mulv(&m->A, l->c);
            const TmlSym J = sym_turn(&m->A, &l->J);
            const TmlVec3 a = v3_add(v3_cross(m->alpha, c), v3_cross(m->w, v3_cross(m->w, c)));
            m->f = v3_scale(l->mass, v3_add(m->a, a));
            m->n = v3_add(v3_add(sym_mulv(&J, m->alpha), v3_cross(m->w, sym_mulv(&J, m->w))),
                          v3_cross(c, m->f));
        }
    }
}

/* Adds (f, n) of a link to those of its parent. What the equations of the link say is zero stays behind: the moment of a ball, the force of a
 * shift. */
static inline void pass_inwards(const TmlLink *l, TmlVec3 d, TmlVec3 f, TmlVec3 n, TmlVec3 *f_p,
                                TmlVec3 *n_p)
{
    if (l->kind != TML_LINK_BALL) {
        *n_p = v3_add(*n_p, n);
    }
    if (l->kind != TML_LINK_SHIFT) {
        *f_p = v3_add(*f_p, f);
        *n_p = v3_add(*n_p, v3_cross(d, f));
    }
}

bool tml_tangent_residual(TmlTangent *t, TmlState *s, const double *x, const double *y,
                          const double *y1, double *out)
{
    TmlRecursion *r = t->r;
    double sum = 0.0;
    r->sys->stats.residuals++;
    take(r, s, x, y);
    tml_links_move(r);
    if (!tml_links_loads(r, s)) {
        return false;
    }
    inertial(t, y, y1);
    if (r->loaded) {
        tml_links_add_forces(r);
    }
    if (r->loops.m > 0) {
        t->lambda = y1 + r->ny + r->sys->dim.nx;
        tml_tangent_loops_residual(t, s->t, out + r->ny + r->sys->dim.nx);
    }
    for (int k = r->n_links - 1; k >= 0; --k) {
        const TmlLink *l = &r->link[k];
        const TmlLinkMotion *m = &r->motion[k];
        TmlLinkMotion *p = &r->motion[l->parent];
        double *z = out + l->y0;
        pass_inwards(l, m->d, m->f, m->n, &p->f, &p->n);
        if (threefold(l)) {
            put(z, turns(l) ? m3_tmulv(&m->A, m->n) : m3_tmulv(&p->A, m->f));
            sum += z[0] + z[1] + z[2];
        } else {
            *z = l->kind == TML_LINK_PIN ? v3_dot(m->s, m->n) - m->tau : v3_dot(m->s, m->f);
            sum += *z;
        }
    }
    for (int k = 0; k < r->sys->dim.nx; ++k) { // (N13)
        out[r->ny + k] = y1[r->ny + k] - s->Xd[k];
    }
    for (int k = r->ny + r->sys->dim.nx; k < t->size; ++k) {
        sum += out[k];
    }
    return isfinite(sum);
}

/* --- (N11) ------------------------------------------------------------------------------------ */

enum { NO_LINK = -2 }; /* a column by a state */

/* Sets the change of link j itself. */
static void begin_column(const TmlTangent *t, const TmlColumn *c, TmlVec3 axis)
{
    const TmlRecursion *r = t->r;
    const TmlLinkMotion *p = &r->motion[r->link[c->j].parent];
    TmlLinkChange *d = &t->change[c->j];
    const bool turn = turns(&r->link[c->j]);
    *d = (TmlLinkChange){.r = c->shift};
    if (c->seed == TML_BY_ACCELERATION) {
        *(turn ? &d->alpha : &d->a) = axis;
    } else if (c->seed == TML_BY_SPEED && turn) {
        d->w = axis;
        d->alpha = v3_cross(p->w, axis);
    } else if (c->seed == TML_BY_SPEED) {
        d->v = axis;
        d->a = v3_scale(2.0, v3_cross(p->w, axis));
    } else if (!turn) {
        d->v = v3_cross(p->w, axis);
        d->a = v3_add(v3_cross(p->alpha, axis), v3_cross(p->w, d->v));
    }
}

/* Sets the change of link k behind link j from that of its parent. */
static void pass_on(const TmlTangent *t, const TmlColumn *c, int k)
{
    const TmlRecursion *r = t->r;
    const TmlLink *l = &r->link[k];
    const TmlLinkMotion *m = &r->motion[k], *p = &r->motion[l->parent];
    const TmlLinkChange *dp = &t->change[l->parent];
    TmlLinkChange *d = &t->change[k];
    const TmlVec3 dd = v3_cross(c->phi, m->d); // of d
    const TmlVec3 y1 = v3_cross(c->phi, t->y1w[k]), y = v3_cross(c->phi, t->yw[k]);
    const TmlVec3 wd = v3_cross(p->w, m->d),
                  dwd = v3_add(v3_cross(dp->w, m->d), v3_cross(p->w, dd)); // of w_p x d
    const TmlVec3 turned = v3_add(v3_cross(dp->w, t->yw[k]), v3_cross(p->w, y));
    d->r = v3_add(dp->r, dd);
    d->v = v3_add(dp->v, dwd);
    d->w = dp->w;
    d->alpha = dp->alpha;
    d->a = v3_add(v3_add(dp->a, v3_add(v3_cross(dp->alpha, m->d), v3_cross(p->alpha, dd))),
                  v3_add(v3_cross(dp->w, wd), v3_cross(p->w, dwd)));
    if (turns(l)) {
        d->w = v3_add(d->w, y);
        d->alpha = v3_add(d->alpha, v3_add(turned, y1));
    } else {
        d->v = v3_add(d->v, y);
        d->a = v3_add(d->a, v3_axpy(2.0, turned, y1));
    }
}

/* Sets the change of f and n of link k, forces left out. */
static void change_inertial(const TmlTangent *t, const TmlColumn *col, int k)
{
    const TmlRecursion *r = t->r;
    const TmlLink *l = &r->link[k];
    const TmlLinkMotion *m = &r->motion[k];
    TmlLinkChange *d = &t->change[k];
    d->f = d->n = v3(0, 0, 0);
    if (!(l->mass > 0.0)) {
        return;
    }
    const TmlVec3 phi = col->phi, c = m3_mulv(&m->A, l->c), dc = v3_cross(phi, c);
    const TmlSym J = sym_turn(&m->A, &l->J);
    const TmlVec3 wc = v3_cross(m->w, c);
    const TmlVec3 dwc = v3_add(v3_cross(d->w, c), v3_cross(m->w, dc));
    const TmlVec3 turn = v3_add(v3_cross(m->alpha, c), v3_cross(m->w, wc));
    const TmlVec3 dturn = v3_add(v3_add(v3_cross(d->alpha, c), v3_cross(m->alpha, dc)),
                                 v3_add(v3_cross(d->w, wc), v3_cross(m->w, dwc)));
    const TmlVec3 f = v3_scale(l->mass, v3_add(m->a, turn));
    d->f = v3_scale(l->mass, v3_add(d->a, dturn));
    const TmlVec3 Ja = sym_mulv(&J, m->alpha), Jw = sym_mulv(&J, m->w);
    const TmlVec3 dJa =
        v3_add(v3_cross(phi, Ja), sym_mulv(&J, v3_sub(d->alpha, v3_cross(phi, m->alpha))));
    const TmlVec3 dJw = v3_add(v3_cross(phi, Jw), sym_mulv(&J, v3_sub(d->w, v3_cross(phi, m->w))));
    d->n = v3_add(v3_add(dJa, v3_add(v3_cross(d->w, Jw), v3_cross(m->w, dJw))),
                  v3_add(v3_cross(dc, f), v3_cross(c, d->f)));
}

/* --- (N12) ------------------------------------------------------------------------------------ */

void tml_tangent_end(const TmlTangent *t, const TmlColumn *c, int body, TmlVec3 place,
                     TmlEndChange *out)
{
    const TmlRecursion *r = t->r;
    const int k = r->place[body].link;
    *out = (TmlEndChange){0};
    if (k < c->j || k >= c->end) {
        return;
    }
    const TmlLinkChange *d = &t->change[k];
    const TmlLinkMotion *m = &r->motion[k];
    const TmlVec3 arm = v3_sub(place, m->r), turned = v3_cross(c->phi, arm);
    const TmlVec3 spun = v3_add(v3_cross(d->w, arm), v3_cross(m->w, turned)); // of w x arm
    out->r = v3_add(d->r, turned);
    out->phi = c->phi;
    out->v = v3_add(d->v, spun);
    out->w = d->w;
    out->a = v3_add(v3_add(d->a, v3_add(v3_cross(d->alpha, arm), v3_cross(m->alpha, turned))),
                    v3_add(v3_cross(d->w, v3_cross(m->w, arm)), v3_cross(m->w, spun)));
    out->alpha = d->alpha;
}

/* The same of an end of a force or expression: place, turning, velocity, angular velocity. */
static void change_of_end(const TmlTangent *t, const TmlColumn *c, int e, double out[4 * 3])
{
    TmlEndChange d;
    tml_tangent_end(t, c, t->r->sys->end[e].body, t->r->sys->kin[e].r, &d);
    put(out, d.r);
    put(out + 3, d.phi);
    put(out + 6, d.v);
    put(out + 9, d.w);
}

/* Adds what the changes of F do to the wrench on end e of force f. */
static void wrench_by_unknowns(const TmlTangent *t, int f, int e, double w[FRAME])
{
    const TmlSystem *sys = t->r->sys;
    const TmlForce *force = &sys->model->forces.at[f];
    const double *dF = t->dV + sys->dim.nv + sys->force[f].row0;
    for (int k = 0; k < force->n_f; ++k) {
        const TmlRow *P = t->P + t->P0[f] + (size_t)(k * force->n_ends + e);
        w[0] += dF[k] * P->r.x, w[1] += dF[k] * P->r.y, w[2] += dF[k] * P->r.z;
        w[3] += dF[k] * P->theta.x, w[4] += dF[k] * P->theta.y, w[5] += dF[k] * P->theta.z;
    }
}

/* Returns the change of an equation of (S3), by the change of the motion and of what it reads. */
static double change_equation(const TmlTangent *t, const TmlColumn *c, int k)
{
    const TmlSystem *sys = t->r->sys;
    const TmlEquation *eq = &sys->equation[k];
    const int V = sys->dim.size - sys->dim.nv - sys->dim.nf, X = 3 * sys->dim.nq + sys->dim.m_all;
    double sum = 0.0;
    for (int e = 0; e < eq->binding->n_ends; ++e) {
        const TmlRow *q = t->gq + t->g0[k] + e, *v = t->gv + t->g0[k] + e;
        double d[12];
        change_of_end(t, c, eq->end0 + e, d);
        sum += v3_dot(q->r, at3(d)) + v3_dot(q->theta, at3(d + 3)) + v3_dot(v->r, at3(d + 6)) +
               v3_dot(v->theta, at3(d + 9));
    }
    for (int i = 0; i < eq->binding->n_unknowns; ++i) {
        const int at = eq->offset[i];
        const bool state = at >= X && at < X + sys->dim.nx;
        const double d = at >= V ? t->dV[at - V] : state ? t->dX[at - X] : 0.0;
        sum += t->gu[t->gu0[k] + (size_t)i] * d;
    }
    return sum;
}

/* Sets the changes of V and F, one after the other. */
static void change_values(TmlTangent *t, const TmlColumn *c)
{
    const TmlSystem *sys = t->r->sys;
    for (int i = 0; i < sys->n_settles; ++i) {
        const int k = sys->settles[i];
        t->dV[k] = c->seed == TML_BY_ACCELERATION ? 0.0 : change_equation(t, c, sys->dim.nx + k);
    }
}

/* Adds what a change of the motion does to the wrenches of force f. */
static void change_force(const TmlTangent *t, const TmlColumn *c, int f)
{
    const TmlRecursion *r = t->r;
    const TmlSystem *sys = r->sys;
    const int n = sys->model->forces.at[f].n_ends, end0 = sys->force[f].end0, size = FRAME * n;
    const double *Kq = t->K + t->K0[f], *Kv = Kq + size * size;
    double q[FRAME * TML_MAX_ENDS], v[FRAME * TML_MAX_ENDS], part[12];
    for (int e = 0; e < n; ++e) {
        change_of_end(t, c, end0 + e, part);
        memcpy(q + FRAME * e, part, FRAME * sizeof *q);
        memcpy(v + FRAME * e, part + FRAME, FRAME * sizeof *v);
    }
    for (int e = 0; e < n; ++e) {
        const int k = r->place[sys->end[end0 + e].body].link;
        double w[FRAME] = {0};
        wrench_by_unknowns(t, f, e, w);
        for (int i = 0; i < FRAME; ++i) {
            const double *a = Kq + (FRAME * e + i) * size, *b = Kv + (FRAME * e + i) * size;
            for (int j = 0; j < size; ++j) {
                w[i] += a[j] * q[j] + b[j] * v[j];
            }
        }
        if (k >= 0) {
            const TmlVec3 arm = v3_sub(sys->kin[end0 + e].r, r->motion[k].r);
            const bool behind = k >= c->j && k < c->end;
            const TmlVec3 F = v3_neg(sys->wrench[end0 + e].r), dF = at3(w); // wrench has minus it
            const TmlVec3 moved = behind ? v3_cross(v3_cross(c->phi, arm), F) : v3(0, 0, 0);
            TmlLinkChange *d = &t->change[k];
            d->f = v3_sub(d->f, dF);
            d->n = v3_sub(d->n, v3_add(at3(w + 3), v3_add(moved, v3_cross(arm, dF))));
        }
    }
}

static void evaluate_tangents(TmlTangent *t, const TmlState *s)
{
    const TmlSystem *sys = t->r->sys;
    for (int f = 0; f < sys->model->forces.n; ++f) {
        const TmlForce *force = &sys->model->forces.at[f];
        const size_t n = (size_t)(FRAME * force->n_ends);
        if (!t->r->on_axis[f]) {
            const TmlElementIn in = tml_force_in(sys, s, f);
            double *K = t->K + t->K0[f];
            memset(K, 0, 2 * n * n * sizeof *K);
            if (force->type->tangent != NULL) {
                force->type->tangent(&in, K, K + n * n);
            }
            if (force->n_f > 0) {
                force->type->f_map(&in, t->P + t->P0[f]);
            }
        }
    }
}

static void evaluate_gradients(TmlTangent *t, const TmlState *s)
{
    const TmlSystem *sys = t->r->sys;
    double u[TML_BIND_MAX_UNKNOWNS];
    TmlRow a[TML_MAX_ENDS];
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        const TmlEquation *eq = &sys->equation[k];
        const TmlBindIn in = tml_equation_in(sys, s, eq, u);
        TmlBindGrad g = {
            .q = t->gq + t->g0[k], .v = t->gv + t->g0[k], .a = a, .u = t->gu + t->gu0[k]};
        tml_binding_gradient(eq->binding, &in, &g);
    }
}

static void change_forces(const TmlTangent *t, const TmlColumn *c)
{
    const TmlModel *m = t->r->sys->model;
    for (int f = 0; f < m->forces.n && t->r->loaded && c->seed != TML_BY_ACCELERATION; ++f) {
        if (!t->r->on_axis[f]) {
            change_force(t, c, f);
        }
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* Bounds the distance of all that is behind each link from its joint point. */
static void find_reach(TmlTangent *t)
{
    const TmlRecursion *r = t->r;
    memset(t->reach, 0, (size_t)r->n_links * sizeof *t->reach);
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const int k = r->place[b].link;
        if (k >= 0) {
            t->reach[k] = fmax(t->reach[k], v3_norm(r->place[b].s));
        }
    }
    for (int k = r->n_links - 1; k >= 0; --k) {
        const int p = r->link[k].parent;
        if (p >= 0) {
            t->reach[p] = fmax(t->reach[p], t->reach[k] + v3_norm(r->motion[k].d));
        }
    }
}

double tml_tangent_bound(const TmlTangent *t, const double *dy, double translation, double rotation)
{
    const TmlRecursion *r = t->r;
    double moved = 0.0, turned = 0.0;
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const double *z = dy + l->y0;
        const double *before = l->parent >= 0 ? t->sum + 2 * (ptrdiff_t)l->parent : zero;
        double *sum = t->sum + 2 * (ptrdiff_t)k;
        const double size = threefold(l) ? v3_norm(at3(z)) : fabs(*z);
        sum[0] = before[0] + size * (turns(l) ? t->reach[k] : 1.0);
        sum[1] = before[1] + (turns(l) ? size : 0.0);
        moved = !(sum[0] <= moved) ? sum[0] : moved;
        turned = !(sum[1] <= turned) ? sum[1] : turned;
    }
    return fmax(moved / translation, turned / rotation);
}

double tml_tangent_spin(const TmlTangent *t)
{
    double most = 0.0;
    for (int k = 0; k < t->r->n_links; ++k) {
        const double square = v3_dot(t->r->motion[k].w, t->r->motion[k].w);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

void tml_tangent_powers(TmlTangent *t, TmlState *s, const double *x, const double *y,
                        const double *lambda)
{
    TmlRecursion *r = t->r;
    const bool loops = r->loops.m > 0;
    take(r, s, x, y);
    if (r->loaded || r->equations || loops) {
        tml_links_move(r);
        (void)!tml_links_loads(r, s); // what is not finite shows in the powers
    }
    if (loops) {
        memcpy(r->loops.lambda, lambda, (size_t)r->loops.m * sizeof *lambda);
        tml_loops_move(r);
        tml_loops_power(r, s->t);
    }
    if (!r->loaded && !r->equations && !loops) {
        r->sys->power = (TmlPower){0};
        tml_links_axes(r);
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Sums inwards and writes the column K[row * n], which begins at K. */
static void end_column(const TmlTangent *t, const TmlColumn *c, int n, double *K)
{
    const TmlRecursion *r = t->r;
    for (int k = r->n_links - 1; k >= 0; --k) {
        const TmlLink *l = &r->link[k];
        const TmlLinkMotion *m = &r->motion[k];
        const bool behind = k > c->j && k < c->end;
        TmlLinkChange *d = &t->change[k], *p = &t->change[l->parent];
        const TmlVec3 dd = behind ? v3_cross(c->phi, m->d) : k == c->j ? c->shift : v3(0, 0, 0);
        pass_inwards(l, m->d, d->f, d->n, &p->f, &p->n);
        if (l->kind != TML_LINK_SHIFT) {
            p->n = v3_add(p->n, v3_cross(dd, m->f));
        }
        // the axes of links behind turn, and those of a ball itself: (phi x s).v = s.(v x phi)
        const bool ball = l->kind == TML_LINK_BALL;
        TmlVec3 change = turns(l) ? d->n : d->f;
        if (behind || (ball && k == c->j)) {
            change = v3_add(change, v3_cross(turns(l) ? m->n : m->f, c->phi));
        }
        if (threefold(l)) {
            const TmlVec3 z = m3_tmulv(ball ? &m->A : &r->motion[l->parent].A, change);
            K[l->y0 * n] = z.x, K[(l->y0 + 1) * n] = z.y, K[(l->y0 + 2) * n] = z.z;
        } else {
            K[l->y0 * n] = v3_dot(m->s, change);
        }
    }
}

/* Writes the rows of the states. */
static void states_of_column(const TmlTangent *t, const TmlColumn *c, int n, double *K)
{
    const TmlRecursion *r = t->r;
    for (int k = 0; k < r->sys->dim.nx; ++k) {
        K[(r->ny + k) * n] = c->seed == TML_BY_ACCELERATION ? 0.0 : -change_equation(t, c, k);
    }
}

/* The column by state j: forces and rates alone change. */
static void column_of_state(TmlTangent *t, int j, double *K)
{
    const TmlRecursion *r = t->r;
    const int n = t->size;
    const TmlColumn c = {.seed = TML_BY_SPEED, .j = NO_LINK, .end = NO_LINK};
    t->dX[j] = 1.0;
    for (int k = -1; k < r->n_links; ++k) {
        t->change[k] = (TmlLinkChange){0};
    }
    change_values(t, &c);
    change_forces(t, &c);
    end_column(t, &c, n, K);
    states_of_column(t, &c, n, K);
    for (int k = n - r->loops.m; k < n; ++k) { // rows of loops read no states
        K[k * n] = 0.0;
    }
    t->dX[j] = 0.0;
}

/* The column by multiplier k: wrenches alone change. */
static void column_of_multiplier(TmlTangent *t, int k, double *K[3])
{
    const TmlRecursion *r = t->r;
    const int n = t->size, at = n - r->loops.m + k;
    const TmlColumn c = {.seed = TML_BY_ACCELERATION, .j = NO_LINK, .end = NO_LINK};
    for (int i = 0; i < n; ++i) {
        for (int seed = TML_BY_ACCELERATION; seed <= TML_BY_POSITION; ++seed) {
            K[seed][i * n + at] = 0.0;
        }
    }
    for (int i = -1; i < r->n_links; ++i) {
        t->change[i] = (TmlLinkChange){0};
    }
    tml_tangent_loops_load(t, k);
    end_column(t, &c, n, K[TML_BY_ACCELERATION] + at);
}

static void column(TmlTangent *t, TmlSeed seed, int j, int component, double *K)
{
    const TmlRecursion *r = t->r;
    const int n = t->size;
    const TmlMat33 *A = &r->motion[r->link[j].parent].A;
    const bool turn = turns(&r->link[j]);
    const TmlVec3 axis = !threefold(&r->link[j]) ? r->motion[j].s
                         : component == 0        ? A->cx
                         : component == 1        ? A->cy
                                                 : A->cz;
    TmlColumn c = {.seed = seed, .j = j, .end = t->behind[j]};
    c.phi = seed == TML_BY_POSITION && turn ? axis : v3(0, 0, 0);
    c.shift = seed == TML_BY_POSITION && !turn ? axis : v3(0, 0, 0);
    for (int k = -1; k < r->n_links; ++k) {
        t->change[k].f = t->change[k].n = v3(0, 0, 0);
    }
    begin_column(t, &c, axis);
    for (int k = j; k < c.end; ++k) {
        if (k > j) {
            pass_on(t, &c, k);
        }
        change_inertial(t, &c, k);
    }
    change_values(t, &c);
    change_forces(t, &c);
    if (r->loops.m > 0) {
        tml_tangent_loops_change(t, &c);
        tml_tangent_loops_rows(t, &c, K + (ptrdiff_t)(n - r->loops.m) * n);
    }
    end_column(t, &c, n, K);
    states_of_column(t, &c, n, K);
}

void tml_tangent_matrices(TmlTangent *t, const TmlState *s, double *K[3])
{
    const TmlRecursion *r = t->r;
    const int n_all = t->size;
    r->sys->stats.jacobians++;
    find_reach(t);
    evaluate_tangents(t, s);
    evaluate_gradients(t, s);
    if (r->loops.m > 0) {
        tml_tangent_loops_evaluate(t, s->t);
    }
    for (int j = 0; j < r->n_links; ++j) {
        const int n = threefold(&r->link[j]) ? 3 : 1;
        for (int i = 0; i < n; ++i) {
            for (int seed = TML_BY_ACCELERATION; seed <= TML_BY_POSITION; ++seed) {
                column(t, (TmlSeed)seed, j, i, K[seed] + r->link[j].y0 + i);
            }
        }
    }
    for (int j = 0; j < r->sys->dim.nx; ++j) {
        for (int i = 0; i < n_all; ++i) {
            K[TML_BY_ACCELERATION][i * n_all + r->ny + j] = i == r->ny + j ? 1.0 : 0.0;
            K[TML_BY_POSITION][i * n_all + r->ny + j] = 0.0;
        }
        column_of_state(t, j, K[TML_BY_SPEED] + r->ny + j);
    }
    for (int k = 0; k < r->loops.m; ++k) {
        column_of_multiplier(t, k, K);
    }
    for (int k = 0; k < r->n_axes; ++k) {
        const TmlAxisLaw *a = &r->axis[k];
        const int at = r->link[a->link].y0 * (n_all + 1);
        double law[3];
        tml_links_axis_law(r, a, law);
        K[TML_BY_SPEED][at] -= law[2]; // sign^2 is one
        K[TML_BY_POSITION][at] -= law[1];
    }
}
