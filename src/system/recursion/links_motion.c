/* system/recursion/links_motion.c - outwards: axes, points and velocities of all links, and of the bodies on them.
 *
 *   (N1)  d = A_p (d_0 + E x),  w = w_p + s y,  v = v_p + w_p x d + e y,
 *         zeta = w_p x (s y),  kappa = w_p x (w_p x d) + 2 w_p x (e y)
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <string.h>

static TmlQuat quat_at(const double *x)
{
    return (TmlQuat){x[0], x[1], x[2], x[3]};
}

static TmlVec3 vec_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static void vec_put(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

/* --- links ------------------------------------------------------------------------------------ */

static inline void move_pin(const TmlLink *l, const TmlLinkMotion *p, double x, double y,
                            TmlLinkMotion *m)
{
    const double c = cos(x), s = sin(x);
    const TmlMat33 G = m3_mul(&p->A, &l->L);
    m->A.cx = v3_axpy(s, G.cy, v3_scale(c, G.cx));
    m->A.cy = v3_axpy(-s, G.cx, v3_scale(c, G.cy));
    m->A.cz = m->s = G.cz;
    m->d = m3_mulv(&p->A, l->d);
    const TmlVec3 turn = v3_scale(y, m->s), wd = v3_cross(p->w, m->d);
    m->w = v3_add(p->w, turn);
    m->v = v3_add(p->v, wd);
    m->zeta = v3_cross(p->w, turn);
    m->kappa = v3_cross(p->w, wd);
}

static inline void move_along(const TmlLinkMotion *p, TmlVec3 slip, TmlLinkMotion *m)
{
    const TmlVec3 wd = v3_cross(p->w, m->d);
    m->A = p->A;
    m->w = p->w;
    m->v = v3_add(v3_add(p->v, wd), slip);
    m->zeta = v3(0, 0, 0);
    m->kappa = v3_cross(p->w, v3_axpy(2.0, slip, wd));
}

static inline void move_ball(const TmlLink *l, const TmlLinkMotion *p, const double *x,
                             const double *y, TmlLinkMotion *m)
{
    const TmlMat33 R = q4_matrix(quat_at(x));
    m->A = m3_mul(&p->A, &R);
    m->d = m3_mulv(&p->A, l->d);
    const TmlVec3 turn = m3_mulv(&p->A, vec_at(y)), wd = v3_cross(p->w, m->d);
    m->w = v3_add(p->w, turn);
    m->v = v3_add(p->v, wd);
    m->zeta = v3_cross(p->w, turn);
    m->kappa = v3_cross(p->w, wd);
}

void tml_links_move(TmlRecursion *r)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        TmlLinkMotion *m = &r->motion[k];
        const TmlLinkMotion *p = &r->motion[l->parent];
        const double *x = r->x + l->x0, *y = r->y + l->y0;
        switch (l->kind) {
        case TML_LINK_PIN:
            move_pin(l, p, *x, *y, m);
            break;
        case TML_LINK_SLIDE:
            m->s = m3_mulv(&p->A, l->e);
            m->d = m3_mulv(&p->A, v3_axpy(*x, l->e, l->d));
            move_along(p, v3_scale(*y, m->s), m);
            break;
        case TML_LINK_SHIFT:
            m->d = m3_mulv(&p->A, v3_add(vec_at(x), l->d));
            move_along(p, m3_mulv(&p->A, vec_at(y)), m);
            break;
        case TML_LINK_BALL:
            move_ball(l, p, x, y, m);
            break;
        }
        m->r = v3_add(p->r, m->d);
    }
}

/* --- bodies ----------------------------------------------------------------------------------- */

void tml_links_body(const TmlRecursion *r, int body, TmlFrameKin *out)
{
    const TmlBodyPlace *b = &r->place[body];
    const TmlLinkMotion *m = &r->motion[b->link];
    const TmlVec3 s = m3_mulv(&m->A, b->s), ws = v3_cross(m->w, s);
    out->r = v3_add(m->r, s);
    out->A = m3_mul(&m->A, &b->K);
    out->v = v3_add(m->v, ws);
    out->omega = m->w;
    out->a =
        v3_add(v3_sub(m->a, r->motion[-1].a), v3_add(v3_cross(m->alpha, s), v3_cross(m->w, ws)));
    out->alpha = m->alpha;
}

/* Sets the axes of all links as quaternions: signs go on from the state that coordinates count from. */
static void turn_links(TmlRecursion *r)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const TmlQuat p = l->parent < 0 ? q4_identity() : r->p[l->parent];
        const double *x = r->x + l->x0;
        if (l->kind == TML_LINK_PIN) {
            const TmlQuat turn = {cos(0.5 * x[0]), 0.0, 0.0, sin(0.5 * x[0])};
            r->p[k] = q4_mul(q4_mul(p, r->L[k]), turn);
        } else {
            r->p[k] = l->kind == TML_LINK_BALL ? q4_mul(p, quat_at(x)) : p;
        }
    }
}

/* Sets accelerations of the links from those of the joints. */
static void accelerate(TmlRecursion *r, const double *y1)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        TmlLinkMotion *m = &r->motion[k];
        const TmlLinkMotion *p = &r->motion[l->parent];
        const double *z = y1 + l->y0;
        m->a = v3_add(p->a, v3_add(v3_cross(p->alpha, m->d), m->kappa));
        m->alpha = v3_add(p->alpha, m->zeta);
        switch (l->kind) {
        case TML_LINK_PIN:
            m->alpha = v3_axpy(*z, m->s, m->alpha);
            break;
        case TML_LINK_SLIDE:
            m->a = v3_axpy(*z, m->s, m->a);
            break;
        case TML_LINK_SHIFT:
            m->a = v3_add(m->a, m3_mulv(&p->A, vec_at(z)));
            break;
        case TML_LINK_BALL:
            m->alpha = v3_add(m->alpha, m3_mulv(&p->A, vec_at(z)));
            break;
        }
    }
}

/* Sets coordinates and rates of a body; *k is its motion. */
static void put_body(const TmlRecursion *r, int body, TmlFrameKin *k, TmlState *s)
{
    const TmlBodySpan *span = &r->sys->dim.span[body];
    const TmlBodyPlace *b = &r->place[body];
    double u[6];
    tml_links_body(r, body, k);
    vec_put(s->q + span->q0, k->r);
    if (span->nq == 7) {
        const TmlQuat p = q4_unit(b->link < 0 ? b->p : q4_mul(r->p[b->link], b->p));
        double *q = s->q + span->q0 + 3;
        q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z;
    }
    const TmlBodyType *type = r->sys->model->bodies.at[body].type;
    vec_put(u, k->v);
    vec_put(u + 3, k->omega);
    type->expand(s->q + span->q0, u, s->v + span->q0);
    vec_put(u, k->a);
    vec_put(u + 3, k->alpha);
    type->acceleration(s->q + span->q0, s->v + span->q0, u, s->a + span->q0);
}

void tml_recursion_state(TmlRecursion *r, const double *x, const double *y, const double *y1,
                         bool solved, bool place, TmlState *s)
{
    TmlFrameKin own;
    if (!solved) { // else the links are there
        memcpy(r->x, x, (size_t)r->nx * sizeof *x);
        memcpy(r->y, y, (size_t)r->ny * sizeof *y);
        tml_links_move(r);
        accelerate(r, y1);
    }
    turn_links(r);
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        put_body(r, b, place ? &r->sys->body[b].k : &own, s);
    }
    r->sys->motion += place;
    if (solved) {
        tml_loops_put(r, s);
    }
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Writes what turns w and displacements v of the links are for the bodies. */
static void put_changes(const TmlRecursion *r, double *du)
{
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlBodySpan *span = &r->sys->dim.span[b];
        const TmlBodyPlace *at = &r->place[b];
        const TmlVec3 s = m3_mulv(&r->motion[at->link].A, at->s);
        vec_put(du + span->u0, v3_add(r->ra[at->link], v3_cross(r->rw[at->link], s)));
        if (span->nu == 6) {
            vec_put(du + span->u0 + 3, r->rw[at->link]);
        }
    }
}

void tml_recursion_spread_speeds(const TmlRecursion *r, const double *dy, double *du)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const TmlLinkMotion *m = &r->motion[k], *p = &r->motion[l->parent];
        const double *z = dy + l->y0;
        TmlVec3 v = v3_add(r->ra[l->parent], v3_cross(r->rw[l->parent], m->d));
        TmlVec3 w = r->rw[l->parent];
        switch (l->kind) {
        case TML_LINK_PIN:
            w = v3_axpy(*z, m->s, w);
            break;
        case TML_LINK_SLIDE:
            v = v3_axpy(*z, m->s, v);
            break;
        case TML_LINK_SHIFT:
            v = v3_add(v, m3_mulv(&p->A, vec_at(z)));
            break;
        case TML_LINK_BALL:
            w = v3_add(w, m3_mulv(&p->A, vec_at(z)));
            break;
        }
        r->ra[k] = v;
        r->rw[k] = w;
    }
    put_changes(r, du);
}

void tml_recursion_spread_positions(const TmlRecursion *r, const double *dx, double *du)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const double *z = dx + l->x0;
        double *to = r->dy + l->y0;
        if (l->kind == TML_LINK_BALL) { // 2 dq q^-1
            const TmlQuat q = quat_at(r->x + l->x0), t = q4_mul(quat_at(z), q4_conj(q));
            vec_put(to, v3_scale(2.0 / q4_dot(q, q), v3(t.x, t.y, t.z)));
        } else {
            memcpy(to, z, (l->kind == TML_LINK_SHIFT ? 3 : 1) * sizeof *to);
        }
    }
    tml_recursion_spread_speeds(r, r->dy, du);
}
