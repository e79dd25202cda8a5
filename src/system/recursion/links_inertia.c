/* system/recursion/links_inertia.c - inwards and outwards again: articulated inertias and accelerations.
 *
 *   (N2)  [M B; B^T C] = [m 1, -m c~; m c~, J - m c~ c~],  f = m w x (w x c) - F,  n = w x J w + c x f - T
 *   (N3)  U = [M B; B^T C] S,  D = S^T U,  u = tau - S^T (f, n),  tau of (N9)
 *   (N4)  [..]' = [..] - U D^-1 U^T,  (f, n)' = (f, n) + [..]' (kappa, zeta) + U D^-1 u
 *   (N5)  M_p += M', B_p += B' + X, C_p += C' + Y + Y^T, f_p += f', n_p += n' + d x f';
 *         X: rows d x (row of M'),  Y = d~ (B' + X/2)
 *   (N6)  (a, alpha) = (a_p + alpha_p x d + kappa, alpha_p + zeta),  y' = D^-1 (u - U^T (a, alpha)), then S y' is added
 *
 * The reference point of each link is its own joint point, so that no inertia is a small difference of large ones. Weight is
 * an acceleration of the ground, a = -g.
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

static const double least_pivot =
    1e-13; // relative to inertias about other axes: rounding is 1e-16 of these

/* (N2) without forces, of one link. */
static inline void begin_inertia(const TmlLink *l, TmlLinkMotion *m)
{
    if (!(l->mass > 0.0)) {
        m->M = m->C = (TmlSym){0};
        m->Bt = (TmlMat33){0};
        m->f = m->n = v3(0, 0, 0);
        return;
    }
    const TmlVec3 c = m3_mulv(&m->A, l->c);
    const TmlVec3 mc = v3_scale(l->mass, c);
    m->C = sym_turn(&m->A, &l->C);
    m->f = v3_cross(m->w, v3_cross(m->w, mc));
    m->n = v3_cross(m->w, sym_mulv(&m->C, m->w)); // as c x (w x (w x c)) = w x (c x (w x c))
    m->M = sym_diagonal(l->mass);
    m->Bt = m3_skew(mc);
}

static void begin_all(TmlRecursion *r)
{
    TmlLinkMotion *ground = &r->motion[-1];
    ground->M = ground->C = (TmlSym){0};
    ground->Bt = (TmlMat33){0};
    ground->f = ground->n = v3(0, 0, 0);
    for (int k = 0; k < r->n_links; ++k) {
        begin_inertia(&r->link[k], &r->motion[k]);
    }
}

void tml_links_add_forces(TmlRecursion *r)
{
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlBodySpan *span = &r->sys->dim.span[b];
        const TmlBodyPlace *at = &r->place[b];
        TmlLinkMotion *m = &r->motion[at->link];
        const double *Q = r->Q + span->u0;
        const TmlVec3 F = v3(Q[0], Q[1], Q[2]), s = m3_mulv(&m->A, at->s);
        const TmlVec3 T = span->nu == 6 ? v3(Q[3], Q[4], Q[5]) : v3(0, 0, 0);
        m->f = v3_sub(m->f, F);
        m->n = v3_sub(m->n, v3_add(T, v3_cross(s, F)));
    }
}

/* --- (N3), (N4) ------------------------------------------------------------------------------- */

/* What a link passes on to its parent. */
typedef struct Passed {
    TmlSym M, C;
    TmlMat33 Bt;
    TmlVec3 f, n;
} Passed;

static inline void pass_axis(TmlLinkMotion *m, double u, Passed *o)
{
    const double D1 = m->D1, uD = u * D1;
    const TmlVec3 Uc = m->Uc, Um = m->Um, UmD = v3_scale(D1, Um);
    o->M = m->M;
    o->C = m->C;
    sym_add_square(&o->M, -D1, Um);
    sym_add_square(&o->C, -D1, Uc);
    o->Bt.cx = v3_axpy(-UmD.x, Uc, m->Bt.cx);
    o->Bt.cy = v3_axpy(-UmD.y, Uc, m->Bt.cy);
    o->Bt.cz = v3_axpy(-UmD.z, Uc, m->Bt.cz);
    m->u.x = u;
    const TmlVec3 f = v3_add(sym_mulv(&o->M, m->kappa), m3_tmulv(&o->Bt, m->zeta));
    const TmlVec3 n = v3_add(m3_mulv(&o->Bt, m->kappa), sym_mulv(&o->C, m->zeta));
    o->f = v3_add(m->f, v3_axpy(uD, Um, f));
    o->n = v3_add(m->n, v3_axpy(uD, Uc, n));
}

static inline bool pass_pin(TmlLinkMotion *m, Passed *o)
{
    m->Um = m3_tmulv(&m->Bt, m->s);
    m->Uc = sym_mulv(&m->C, m->s);
    const double D = v3_dot(m->s, m->Uc);
    m->D1 = 1.0 / D;
    pass_axis(m, m->tau - v3_dot(m->s, m->n), o);
    return D > least_pivot * sym_trace(&m->C);
}

static inline bool pass_slide(TmlLinkMotion *m, Passed *o)
{
    m->Um = sym_mulv(&m->M, m->s);
    m->Uc = m3_mulv(&m->Bt, m->s);
    const double D = v3_dot(m->s, m->Um);
    m->D1 = 1.0 / D;
    pass_axis(m, -v3_dot(m->s, m->f), o);
    return D > least_pivot * sym_trace(&m->M);
}

/* M' = M - B C^-1 B^T, nothing else is left: a ball passes on a force alone. */
static inline bool pass_ball(TmlLinkMotion *m, Passed *o)
{
    const bool good = sym_invert(&m->C, least_pivot, &m->D3);
    const TmlSym BCB = sym_turn(&(TmlMat33){v3(m->Bt.cx.x, m->Bt.cy.x, m->Bt.cz.x),
                                            v3(m->Bt.cx.y, m->Bt.cy.y, m->Bt.cz.y),
                                            v3(m->Bt.cx.z, m->Bt.cy.z, m->Bt.cz.z)},
                                &m->D3);
    o->M = (TmlSym){m->M.xx - BCB.xx, m->M.yy - BCB.yy, m->M.zz - BCB.zz,
                    m->M.xy - BCB.xy, m->M.xz - BCB.xz, m->M.yz - BCB.yz};
    m->u = v3_neg(m->n);
    o->f =
        v3_add(m->f, v3_add(sym_mulv(&o->M, m->kappa), m3_tmulv(&m->Bt, sym_mulv(&m->D3, m->u))));
    return good;
}

/* C' = C - B^T M^-1 B, and a torque alone. */
static inline bool pass_shift(TmlLinkMotion *m, Passed *o)
{
    const bool good = sym_invert(&m->M, least_pivot, &m->D3);
    const TmlSym BMB = sym_turn(&m->Bt, &m->D3);
    o->C = (TmlSym){m->C.xx - BMB.xx, m->C.yy - BMB.yy, m->C.zz - BMB.zz,
                    m->C.xy - BMB.xy, m->C.xz - BMB.xz, m->C.yz - BMB.yz};
    m->u = v3_neg(m->f);
    o->n = v3_add(m->n, m3_mulv(&m->Bt, sym_mulv(&m->D3, m->u)));
    return good;
}

/* --- (N5) ------------------------------------------------------------------------------------- */

/* Adds Y + Y^T to C, Wt the transpose of B' + X/2. */
static inline void add_turned(TmlSym *C, TmlVec3 d, const TmlMat33 *Wt)
{
    const TmlVec3 x = v3_axpy(-d.z, Wt->cy, v3_scale(d.y, Wt->cz));
    const TmlVec3 y = v3_axpy(-d.x, Wt->cz, v3_scale(d.z, Wt->cx));
    const TmlVec3 z = v3_axpy(-d.y, Wt->cx, v3_scale(d.x, Wt->cy));
    C->xx += 2.0 * x.x;
    C->yy += 2.0 * y.y;
    C->zz += 2.0 * z.z;
    C->xy += x.y + y.x;
    C->xz += x.z + z.x;
    C->yz += y.z + z.y;
}

/* Sets the columns of X^T. */
static inline TmlMat33 shifted(TmlVec3 d, const TmlSym *M)
{
    return (TmlMat33){v3_cross(d, v3(M->xx, M->xy, M->xz)), v3_cross(d, v3(M->xy, M->yy, M->yz)),
                      v3_cross(d, v3(M->xz, M->yz, M->zz))};
}

static inline void give_all(TmlVec3 d, const Passed *o, TmlLinkMotion *p)
{
    const TmlMat33 X = shifted(d, &o->M), W = m3_axpy(0.5, &X, &o->Bt);
    sym_add(&p->M, &o->M);
    p->Bt = m3_add(&p->Bt, &o->Bt);
    p->Bt = m3_add(&p->Bt, &X);
    sym_add(&p->C, &o->C);
    add_turned(&p->C, d, &W);
    p->f = v3_add(p->f, o->f);
    p->n = v3_add(p->n, v3_add(o->n, v3_cross(d, o->f)));
}

static inline void give_force(TmlVec3 d, const Passed *o, TmlLinkMotion *p)
{
    const TmlMat33 X = shifted(d, &o->M), W = m3_scale(0.5, &X);
    sym_add(&p->M, &o->M);
    p->Bt = m3_add(&p->Bt, &X);
    add_turned(&p->C, d, &W);
    p->f = v3_add(p->f, o->f);
    p->n = v3_add(p->n, v3_cross(d, o->f));
}

static inline void give_torque(const Passed *o, TmlLinkMotion *p)
{
    sym_add(&p->C, &o->C);
    p->n = v3_add(p->n, o->n);
}

static bool inwards(TmlRecursion *r)
{
    bool good = true;
    for (int k = r->n_links - 1; k >= 0; --k) {
        const TmlLink *l = &r->link[k];
        TmlLinkMotion *m = &r->motion[k], *p = &r->motion[l->parent];
        Passed o;
        switch (l->kind) {
        case TML_LINK_PIN:
            good &= pass_pin(m, &o);
            give_all(m->d, &o, p);
            break;
        case TML_LINK_SLIDE:
            good &= pass_slide(m, &o);
            give_all(m->d, &o, p);
            break;
        case TML_LINK_SHIFT:
            good &= pass_shift(m, &o);
            give_torque(&o, p);
            break;
        case TML_LINK_BALL:
            good &= pass_ball(m, &o);
            give_force(m->d, &o, p);
            break;
        }
    }
    return good;
}

/* --- (N6) ------------------------------------------------------------------------------------- */

static inline void put(double *y, TmlVec3 v)
{
    y[0] = v.x;
    y[1] = v.y;
    y[2] = v.z;
}

static void outwards(TmlRecursion *r, double *y1)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        TmlLinkMotion *m = &r->motion[k];
        const TmlLinkMotion *p = &r->motion[l->parent];
        double *z = y1 + l->y0;
        const TmlVec3 a = v3_add(p->a, v3_add(v3_cross(p->alpha, m->d), m->kappa));
        const TmlVec3 alpha = v3_add(p->alpha, m->zeta);
        m->a = a;
        m->alpha = alpha;
        switch (l->kind) {
        case TML_LINK_PIN:
            *z = m->D1 * (m->u.x - v3_dot(m->Um, a) - v3_dot(m->Uc, alpha));
            m->alpha = v3_axpy(*z, m->s, alpha);
            break;
        case TML_LINK_SLIDE:
            *z = m->D1 * (m->u.x - v3_dot(m->Um, a) - v3_dot(m->Uc, alpha));
            m->a = v3_axpy(*z, m->s, a);
            break;
        case TML_LINK_SHIFT:
            m->a = sym_mulv(&m->D3, v3_sub(m->u, m3_tmulv(&m->Bt, alpha)));
            put(z, m3_tmulv(&p->A, v3_sub(m->a, a)));
            break;
        case TML_LINK_BALL:
            m->alpha = sym_mulv(&m->D3, v3_sub(m->u, m3_mulv(&m->Bt, a)));
            put(z, m3_tmulv(&p->A, v3_sub(m->alpha, alpha)));
            break;
        }
    }
}

bool tml_links_articulate(TmlRecursion *r)
{
    begin_all(r);
    return inwards(r);
}

bool tml_links_accelerate(TmlRecursion *r, double *y1)
{
    begin_all(r);
    if (r->loaded) {
        tml_links_add_forces(r);
    }
    const bool good = inwards(r);
    outwards(r, y1);
    return good;
}
