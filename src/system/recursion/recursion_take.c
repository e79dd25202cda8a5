/* system/recursion/recursion_take.c - joint coordinates of a state that need not be on the constraints: the nearest ones.
 *
 * The interpolated motion of a row is off the constraints by the error of the interpolation. With J the motion of the bodies by
 * y, and r~, A~, v~ what the state says, positions and speeds are
 *
 *   (Q3)  x <- x + M^-1 J^T (m (r~ - r), J_b theta),   theta the turn from A to A~;   y = M^-1 J^T (m v~, J_b w~)
 *
 * the least changes in the sense of M, as (N8) moves a state onto the loops. M^-1 is the recursion itself, for links at rest without
 * weight. The first x of a joint is read off the poses of its two bodies; what (Q3) still lacks is of the square of the error.
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Two pins whose axes are closer to each other than this are one: how a turn is shared between them is rounding. */
static const double least_cross = 1e-3;

/* Tells whether the axes of all links follow from those of bodies: a point has none, so its link must not turn. */
static bool shows_axes(const TmlRecursion *r, const TmlHang *h)
{
    const TmlLinkKind last = h->n > 0 ? r->link[h->first + h->n - 1].kind : TML_LINK_BALL;
    const bool turns = last == TML_LINK_PIN || last == TML_LINK_BALL;
    return r->sys->dim.span[h->body].nu == 6 || (h->parent == TML_GROUND && !turns);
}

bool tml_recursion_take_setup(TmlRecursion *r)
{
    for (int k = 0; k < r->n_hangs; ++k) {
        if (!shows_axes(r, &r->hang[k])) {
            return false;
        }
    }
    r->n_axes = 0;
    memset(r->on_axis, 0, (size_t)r->sys->model->forces.n * sizeof *r->on_axis);
    for (int k = 0; k < r->n_links; ++k) {
        r->motion[k].tau = 0.0;
    }
    tml_links_loads_sort(r);
    return true;
}

/* --- what the state says ---------------------------------------------------------------------- */

static void read_body(TmlRecursion *r, const TmlState *s, int body)
{
    const TmlBodySpan *span = &r->sys->dim.span[body];
    const double *q = s->q + span->q0;
    TmlGiven *g = &r->given[body];
    double u[6] = {0};
    r->sys->model->bodies.at[body].type->reduce(q, s->v + span->q0, u);
    g->r = v3(q[0], q[1], q[2]);
    g->v = v3(u[0], u[1], u[2]);
    if (span->nq == 7) {
        g->p = q4_unit((TmlQuat){q[3], q[4], q[5], q[6]});
        g->A = q4_matrix(g->p);
        g->w = v3(u[3], u[4], u[5]);
    }
}

/* Returns the axes of the link that carries a body, as the state has them. */
static TmlMat33 axes_of_link(const TmlRecursion *r, int body)
{
    const TmlMat33 back = m3_transpose(&r->place[body].K);
    return m3_mul(&r->given[body].A, &back);
}

static TmlQuat turn_of_link(const TmlRecursion *r, int body)
{
    return q4_mul(r->given[body].p, q4_conj(r->place[body].p));
}

/* Returns the angle of a turn about z. */
static double angle_about_z(const TmlMat33 *R)
{
    return atan2(R->cx.y - R->cy.x, R->cx.x + R->cy.y);
}

/* Sets the angles of one or two pins that make R of the parent's axes. */
static bool take_pins(TmlRecursion *r, int first, int n, const TmlMat33 *R, double *x)
{
    const TmlLink *l = &r->link[first];
    TmlMat33 B = m3_tmul(&l->L, R);
    if (n == 1) {
        x[l->x0] = angle_about_z(&B);
        return true;
    }
    const TmlMat33 *L =
        &r->link[first + 1].L; // B = Rz(x_1) L Rz(x_2): its third column is that of L, turned
    const double turn = atan2(B.cz.y, B.cz.x) - atan2(L->cz.y, L->cz.x);
    const double c = cos(turn), s = sin(turn);
    const TmlMat33 Rz = {v3(c, s, 0.0), v3(-s, c, 0.0), v3(0.0, 0.0, 1.0)};
    x[l->x0] = turn;
    B = m3_tmul(&Rz, &B);
    B = m3_tmul(L, &B);
    x[r->link[first + 1].x0] = angle_about_z(&B);
    return hypot(L->cz.x, L->cz.y) > least_cross;
}

static void take_ball(const TmlRecursion *r, const TmlHang *h, double *x)
{
    const TmlQuat p = turn_of_link(r, h->parent);
    const TmlQuat q = q4_mul(q4_conj(p), turn_of_link(r, h->body));
    x[0] = q.w, x[1] = q.x, x[2] = q.y, x[3] = q.z;
}

/* Sets the coordinates of one joint: displacements come first, then what turns. */
static bool take_hang(TmlRecursion *r, const TmlHang *h, double *x)
{
    const TmlMat33 P = axes_of_link(r, h->parent), C = axes_of_link(r, h->body);
    const TmlVec3 from = v3_sub(r->given[h->parent].r, m3_mulv(&P, r->place[h->parent].s));
    const TmlVec3 to = v3_sub(r->given[h->body].r, m3_mulv(&C, r->place[h->body].s));
    TmlVec3 rest = m3_tmulv(&P, v3_sub(to, from));
    for (int k = h->first; k < h->first + h->n; ++k) {
        const TmlLink *l = &r->link[k];
        double *own = x + l->x0;
        rest = v3_sub(rest, l->d);
        switch (l->kind) {
        case TML_LINK_SLIDE:
            own[0] = v3_dot(l->e, rest);
            break;
        case TML_LINK_SHIFT:
            own[0] = rest.x, own[1] = rest.y, own[2] = rest.z;
            break;
        case TML_LINK_BALL:
            take_ball(r, h, own);
            break;
        case TML_LINK_PIN: {
            const TmlMat33 R = m3_tmul(&P, &C);
            return take_pins(r, k, h->first + h->n - k, &R, x);
        }
        }
    }
    return true;
}

/* --- (Q3) ------------------------------------------------------------------------------------ */

/* Applies M^-1 to the loads r->Q at r->x. */
static bool apply(TmlRecursion *r, double *dy)
{
    const bool loaded = r->loaded;
    r->motion[-1].a = v3(0, 0, 0);
    r->loaded = true;
    const bool good = tml_links_accelerate(r, dy);
    r->loaded = loaded;
    return good;
}

/* Sets the load of a body to its inertia times a displacement, and a turn if it has one. */
static void load(TmlRecursion *r, int body, const TmlMat33 *A, TmlVec3 dr, TmlVec3 turn)
{
    const TmlBody *b = &r->sys->model->bodies.at[body];
    const TmlBodySpan *span = &r->sys->dim.span[body];
    double mass, *Q = r->Q + span->u0;
    TmlMat33 J = {0};
    b->type->inertia(b->data, &mass, &J);
    Q[0] = mass * dr.x, Q[1] = mass * dr.y, Q[2] = mass * dr.z;
    if (span->nu == 6) {
        const TmlVec3 T = m3_mulv(A, m3_mulv(&J, m3_tmulv(A, turn)));
        Q[3] = T.x, Q[4] = T.y, Q[5] = T.z;
    }
}

static void rest(TmlRecursion *r)
{
    memset(r->y, 0, (size_t)r->ny * sizeof *r->y);
    tml_links_move(r);
}

/* Loads all bodies by how far they are from where the state has them. Returns the largest distance, in lengths of the model and radians. */
static double load_distances(TmlRecursion *r)
{
    double most = 0.0;
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlBodyPlace *at = &r->place[b];
        const TmlLinkMotion *m = &r->motion[at->link];
        const TmlGiven *g = &r->given[b];
        const TmlMat33 A = m3_mul(&m->A, &at->K);
        const TmlVec3 dr = v3_sub(g->r, v3_add(m->r, m3_mulv(&m->A, at->s)));
        TmlVec3 turn = v3(0, 0, 0);
        if (r->sys->dim.span[b].nu == 6) {
            turn = v3_scale(0.5, v3_add(v3_cross(A.cx, g->A.cx),
                                        v3_add(v3_cross(A.cy, g->A.cy), v3_cross(A.cz, g->A.cz))));
        }
        const double off = fmax(v3_norm(dr) / r->sys->dim.length, v3_norm(turn));
        most = !(off <= most) ? off : most;
        load(r, b, &A, dr, turn);
    }
    return most;
}

static void load_motion(TmlRecursion *r)
{
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlGiven *g = &r->given[b];
        load(r, b, &g->A, g->v, g->w);
    }
}

bool tml_recursion_take(TmlRecursion *r, const TmlState *s, double *x, double *y, double *off)
{
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        read_body(r, s, b);
    }
    for (int k = 0; k < r->n_hangs; ++k) {
        if (!take_hang(r, &r->hang[k], r->x)) {
            return false;
        }
    }
    rest(r);
    *off = load_distances(r);
    if (!isfinite(*off) || !apply(r, r->dy)) {
        return false;
    }
    (void)tml_links_turn(r, r->dy, r->x);
    tml_links_move(r);
    load_motion(r);
    memcpy(x, r->x, (size_t)r->nx * sizeof *x);
    return apply(r, y);
}

bool tml_recursion_fit(TmlRecursion *r, const double *x, const double *du, double *dy)
{
    memcpy(r->x, x, (size_t)r->nx * sizeof *x);
    rest(r);
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlBodyPlace *at = &r->place[b];
        const double *u = du + r->sys->dim.span[b].u0;
        const bool turns = r->sys->dim.span[b].nu == 6;
        const TmlMat33 A = m3_mul(&r->motion[at->link].A, &at->K);
        load(r, b, &A, v3(u[0], u[1], u[2]), turns ? v3(u[3], u[4], u[5]) : v3(0, 0, 0));
    }
    return apply(r, dy);
}

void tml_recursion_shift(const TmlRecursion *r, double c, const double *dy, double *x)
{
    for (int k = 0; k < r->ny; ++k) {
        r->dy[k] = c * dy[k];
    }
    (void)tml_links_turn(r, r->dy, x);
}
