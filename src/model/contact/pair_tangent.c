/* model/contact/pair_tangent.c - derivatives of the wrenches of a pair of shapes, and when its gaps close.
 *
 * Equations are those of model/contact/pair_point.h.
 */
#include "model/contact/pair_point.h"

#include "math/vec3.h"
#include "model/force/pair.h"

#include <math.h>

/* How a touch moves with one of the twelve variables. */
typedef struct Move {
    TmlVec3 dP, dN, du, dr0, dr1, domega; /* domega: of 1 against 0 */
    TmlVec3 turn, whole,
        dz; /* of the frame of the bristles; of z with a y that stays, whole and of z_t */
    double depth, size, curvature[2], fade;
    double share; /* (C17) */
} Move;

static TmlVec3 axis(int k)
{
    return v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
}

/* (C4): the six variables that column c moves. */
static void relative(const TmlPairIn *in, const TmlPairFrames *g, int c, double *x)
{
    const TmlVec3 e = axis(c), zero = v3(0, 0, 0);
    TmlVec3 shift, turn;
    if (c < PAIR_R1) {
        shift = v3_neg(c < PAIR_T0 ? e : v3_cross(e, v3_sub(g->x1, in->e[0]->r)));
        turn = c < PAIR_T0 ? zero : v3_neg(e);
    } else {
        shift = c < PAIR_T1 ? e : v3_cross(e, v3_sub(g->x1, in->e[1]->r));
        turn = c < PAIR_T1 ? zero : e;
    }
    shift = m3_tmulv(&g->R, shift);
    turn = m3_tmulv(&g->R, turn);
    const double all[TML_TOUCH_VARIABLES] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < TML_TOUCH_VARIABLES; ++k) {
        x[k] = all[k];
    }
}

/* da of (C17). */
static double share_move(const TmlPoint *x, const double *y, double size)
{
    double all = 0.0;
    if (x->patch == NULL) {
        return 0.0;
    }
    for (int k = 0; k < TML_TOUCH_VARIABLES; ++k) {
        all += y[k] * x->patch->by[k];
    }
    return (size - x->share * all) / x->patch->size;
}

static Move motion_move(const TmlPairIn *in, const TmlPairFrames *g, const TmlPoint *x,
                        const TmlTouchRate *rate, int c)
{
    Move m = {0};
    double y[TML_TOUCH_VARIABLES];
    TmlVec3 dp = v3(0, 0, 0), dn = v3(0, 0, 0);
    relative(in, g, c, y);
    for (int k = 0; k < TML_TOUCH_VARIABLES; ++k) {
        dp = v3_axpy(y[k], rate->p[k], dp);
        dn = v3_axpy(y[k], rate->n[k], dn);
        m.depth += y[k] * rate->depth[k];
        m.size += y[k] * rate->size[k];
        m.fade += y[k] * rate->fade[k];
        m.curvature[0] += y[k] * rate->curvature[0][k];
        m.curvature[1] += y[k] * rate->curvature[1][k];
    }
    m.share = share_move(x, y, m.size);
    m.dP = m3_mulv(&g->R, dp); // (C5)
    m.dN = m3_mulv(&g->R, dn);
    if (c < PAIR_T0) {
        m.dr0 = axis(c);
        m.dP = v3_add(m.dP, m.dr0);
    } else if (c < PAIR_R1) {
        m.dP = v3_add(m.dP, v3_cross(axis(c), x->arm0));
        m.dN = v3_add(m.dN, v3_cross(axis(c), x->N));
    } else if (c < PAIR_T1) {
        m.dr1 = axis(c);
    }
    if (x->held) { // (C16)
        m.whole = c < PAIR_T0   ? v3_neg(axis(c))
                  : c < PAIR_R1 ? v3_neg(v3_cross(axis(c), x->reach[0]))
                  : c < PAIR_T1 ? axis(c)
                                : v3_cross(axis(c), x->reach[1]);
        m.dz = v3_axpy(-v3_dot(x->N, x->z), m.dN, m.whole);
    } else if (x->slot >= 0) { // (C13)
        const int turns = in->bristles->home == 0 ? PAIR_T0 : PAIR_T1;
        m.turn = c >= turns && c < turns + 3 ? axis(c) : v3(0, 0, 0);
        m.whole = v3_cross(m.turn, x->z);
        m.dz = v3_axpy(-v3_dot(x->N, x->z), m.dN, m.whole);
    }
    m.du = v3_sub(v3_cross(in->e[1]->omega, v3_sub(m.dP, m.dr1)),
                  v3_cross(in->e[0]->omega, v3_sub(m.dP, m.dr0))); // (C6)
    return m;
}

static Move twist_move(const TmlPoint *x, int c)
{
    const TmlVec3 e = axis(c);
    switch (c / 3) {
    case 0:
        return (Move){.du = v3_neg(e)};
    case 1:
        return (Move){.du = v3_neg(v3_cross(e, x->arm0)), .domega = v3_neg(e)};
    case 2:
        return (Move){.du = e};
    default:
        return (Move){.du = v3_cross(e, x->arm1), .domega = e};
    }
}

/* (C8) */
static double press_move(const TmlPoint *x, const Move *m)
{
    const TmlPress *p = &x->press;
    const double rate = -v3_dot(m->du, x->N) - v3_dot(x->u, m->dN);
    return x->by_fade * m->fade + p->by_depth * m->depth + p->by_size * m->size +
           p->by_curvature[0] * m->curvature[0] + p->by_curvature[1] * m->curvature[1] +
           p->by_rate * rate;
}

static TmlVec3 tangential(const TmlPoint *x, TmlVec3 a)
{
    return v3_axpy(-v3_dot(a, x->N), x->N, a);
}

/* The change of the slip within the tangent plane. */
static TmlVec3 slip_move(const TmlPoint *x, const Move *m)
{
    return tangential(x, v3_axpy(-x->un, m->dN, m->du));
}

/* (C7) */
static TmlVec3 force_move(const TmlPairIn *in, const TmlPoint *x, const Move *m, double dF)
{
    const TmlPress *p = &x->press;
    TmlVec3 df = v3_axpy(dF, x->N, v3_scale(p->force, m->dN));
    if (in->law->slip == NULL || p->force <= 0.0) {
        return df;
    }
    const TmlVec3 dv = slip_move(x, m);
    df = v3_axpy(dF, x->slip.by_force, v3_axpy(m->share, x->by_share, df));
    df = v3_add(df, m3_mulv(&x->slip.by_v, dv));
    if (x->slot >= 0 || x->held) {
        df = v3_add(df, m3_mulv(&x->slip.by_z, tangential(x, m->dz)));
    }
    return v3_axpy(-v3_dot(x->slip.force, m->dN), x->N, df);
}

/* The change of (C10). */
static TmlVec3 couple_move(const TmlPairIn *in, const TmlPoint *x, const Move *m, double dF)
{
    if (in->law->roll == NULL || x->press.force <= 0.0) {
        return v3(0, 0, 0);
    }
    return v3_axpy(dF, x->roll.by_force,
                   v3_add(m3_mulv(&x->roll.by_n, m->dN), m3_mulv(&x->roll.by_omega, m->domega)));
}

/* Column c of K += the change of both wrenches. Where both bodies are shifted alike neither changes, so that what a shift of the first
 * does is that of the second turned round. */
static void add_column(const TmlPairIn *in, const TmlPoint *x, const Move *m, int c, double *K)
{
    const double dF = press_move(x, m);
    const TmlVec3 df = force_move(in, x, m, dF), dm = couple_move(in, x, m, dF);
    const TmlVec3 t0 =
        v3_add(dm, v3_add(v3_cross(v3_sub(m->dP, m->dr0), x->f), v3_cross(x->arm0, df)));
    const TmlVec3 t1 =
        v3_add(dm, v3_add(v3_cross(v3_sub(m->dP, m->dr1), x->f), v3_cross(x->arm1, df)));
    const double column[PAIR_SIZE] = {-df.x, -df.y, -df.z, -t0.x, -t0.y, -t0.z,
                                      df.x,  df.y,  df.z,  t1.x,  t1.y,  t1.z};
    for (int r = 0; r < PAIR_SIZE; ++r) {
        K[r * PAIR_SIZE + c] += column[r];
    }
    for (int r = 0; r < PAIR_SIZE && c < PAIR_T0; ++r) {
        K[r * PAIR_SIZE + PAIR_R1 + c] -= column[r];
    }
}

/* The change of s N x z of (C15); dz: that of z, whatever of it lies along N. */
static TmlVec3 spin_move(const TmlPairIn *in, const TmlPoint *x, const Move *m, TmlVec3 dz)
{
    const double half = in->bristles->home == 0 ? 0.5 : -0.5;
    const TmlVec3 omega = v3_sub(in->e[1]->omega, in->e[0]->omega);
    const double ds = half * (v3_dot(m->dN, omega) + v3_dot(x->N, m->domega));
    const TmlVec3 d = v3_add(v3_cross(m->dN, x->z), v3_cross(x->N, dz));
    return v3_axpy(ds, v3_cross(x->N, x->z), v3_scale(x->spin, d));
}

/* (C13): dy' */
static TmlVec3 bristle_move(const TmlPairIn *in, const TmlPoint *x, const Move *m, double dF)
{
    const TmlSlip *s = &x->slip;
    TmlVec3 d = v3_axpy(dF, s->rate_by_force, m3_mulv(&s->rate_by_v, slip_move(x, m)));
    d = v3_axpy(m->share, x->rate_by_share, d);
    d = v3_add(d, m3_mulv(&s->rate_by_z, tangential(x, m->dz)));
    d = v3_axpy(-v3_dot(s->rate, m->dN), x->N, d);
    d = v3_add(d, spin_move(in, x, m, m->whole));
    return m3_tmulv(&in->e[in->bristles->home]->A,
                    v3_sub(d, v3_cross(m->turn, tml_point_bristle_rate(x))));
}

static void set_column(TmlVec3 a, int c, int width, double *K)
{
    K[c] = a.x;
    K[width + c] = a.y;
    K[2 * width + c] = a.z;
}

/* All derivatives of and by one bristle. */
static void bristle_tangent(const TmlPairIn *in, const TmlPairFrames *g, const TmlPoint *x,
                            const TmlTouchRate *rate, TmlBristleTangent *out)
{
    out->used = true;
    for (int c = 0; c < PAIR_SIZE; ++c) {
        const Move motion = motion_move(in, g, x, rate, c), twist = twist_move(x, c);
        set_column(bristle_move(in, x, &motion, press_move(x, &motion)), c, PAIR_SIZE, out->by_q);
        set_column(bristle_move(in, x, &twist, press_move(x, &twist)), c, PAIR_SIZE, out->by_v);
    }
    const TmlMat33 *A = &in->e[in->bristles->home]->A;
    const TmlVec3 axes[3] = {A->cx, A->cy, A->cz};
    for (int k = 0; k < 3; ++k) {
        const Move m = {.dz = axes[k], .whole = axes[k]};
        const TmlVec3 df = m3_mulv(&x->slip.by_z, tangential(x, m.dz));
        const TmlVec3 t0 = v3_cross(x->arm0, df), t1 = v3_cross(x->arm1, df);
        const double column[PAIR_SIZE] = {-df.x, -df.y, -df.z, -t0.x, -t0.y, -t0.z,
                                          df.x,  df.y,  df.z,  t1.x,  t1.y,  t1.z};
        set_column(bristle_move(in, x, &m, 0.0), k, 3, out->by_y);
        for (int r = 0; r < PAIR_SIZE; ++r) {
            out->wrench[3 * r + k] = column[r];
        }
    }
}

/* Friction within its width is as stiff as it gets. */
static void note_stiff(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t)
{
    const TmlSlipType *slip = in->law->slip;
    if (in->stiff == NULL || slip == NULL || slip->width == NULL || in->stiff->n == TML_SLIPS) {
        return;
    }
    if (tml_pair_straight(in, t->id) ||
        v3_norm(tml_pair_motion(in, g, t).slip_v) <= slip->width(in->law->slip_data)) {
        in->stiff->id[in->stiff->n++] = t->id;
    }
}

bool tml_pair_tangent(const TmlPairIn *in, double *Kq, double *Kv, TmlBristleTangent *bristle)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->sided ? in->reach : 0.0, touch, rate);
    const TmlPatchSize patch = tml_patch_size(touch, rate, n);
    bool touches = false;
    uint64_t taken = 0;
    for (int k = 0; k < n; ++k) {
        if (!tml_pair_closed(tml_pair_side(in, &touch[k]), touch[k].depth)) {
            continue;
        }
        touches = true;
        note_stiff(in, &g, &touch[k]);
        const int slot = tml_pair_slot(in, touch[k].id, false, &taken);
        const TmlPoint x =
            tml_pair_point(in, &g, &touch[k], &patch, tml_pair_straight(in, touch[k].id), slot);
        for (int c = 0; c < PAIR_SIZE; c = c + 1 == PAIR_R1 ? PAIR_T1 : c + 1) {
            const Move motion = motion_move(in, &g, &x, &rate[k], c), twist = twist_move(&x, c);
            add_column(in, &x, &motion, c, Kq);
            add_column(in, &x, &twist, c, Kv);
        }
        if (bristle != NULL && x.slot >= 0) {
            bristle_tangent(in, &g, &x, &rate[k], &bristle[slot]);
        }
    }
    return touches;
}

void tml_pair_rates(const TmlPairIn *in, TmlPairRates *out)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->reach, touch, rate);
    double deepest = -HUGE_VAL;
    *out = (TmlPairRates){0};
    for (int k = 0; k < n; ++k) {
        const bool deeper = touch[k].depth > deepest;
        const bool closed = tml_pair_closed(tml_pair_side(in, &touch[k]), touch[k].depth);
        const TmlPoint x = tml_pair_point(in, &g, &touch[k], NULL, false, -1);
        deepest = deeper ? touch[k].depth : deepest;
        for (int c = 0; c < PAIR_SIZE; ++c) {
            const Move motion = motion_move(in, &g, &x, &rate[k], c), twist = twist_move(&x, c);
            out->depth_q[c] = deeper ? motion.depth : out->depth_q[c];
            if (closed) { // (C8)
                out->force_q[c] += press_move(&x, &motion);
                out->force_v[c] += press_move(&x, &twist);
            }
        }
    }
}

/* --- onset -------------------------------------------------------------------------------------- */

/* The first t > 0 with g + a t + b t^2 / 2 = 0; HUGE_VAL: none. */
static double first_root(double g, double a, double b)
{
    const double disc = a * a - 2.0 * b * g;
    if (disc < 0.0) {
        return HUGE_VAL;
    }
    // the form without cancellation: both roots by the sum of two numbers of one sign
    const double s = a <= 0.0 ? -a + sqrt(disc) : -a - sqrt(disc);
    const double t1 = s != 0.0 ? 2.0 * g / s : HUGE_VAL, t2 = b != 0.0 ? s / b : HUGE_VAL;
    double t = HUGE_VAL;
    t = t1 > 0.0 ? fmin(t, t1) : t;
    return t2 > 0.0 ? fmin(t, t2) : t;
}

/* (C9) */
double tml_pair_gap_second(const TmlPairIn *in, const TmlPairFrames *g, const TmlPoint *x,
                           const TmlTouchRate *rate)
{
    const TmlFrameKin *a = in->e[0], *b = in->e[1];
    const TmlVec3 twist[4] = {a->v, a->omega, b->v, b->omega};
    const TmlVec3 change[4] = {a->a, a->alpha, b->a, b->alpha};
    TmlVec3 du = v3(0, 0, 0), dN = v3(0, 0, 0);
    for (int c = 0; c < PAIR_SIZE; ++c) {
        const double v = v3_dot(axis(c), twist[c / 3]), w = v3_dot(axis(c), change[c / 3]);
        const Move motion = motion_move(in, g, x, rate, c), turn = twist_move(x, c);
        du = v3_axpy(v, motion.du, v3_axpy(w, turn.du, du));
        dN = v3_axpy(v, motion.dN, dN);
    }
    return v3_dot(du, x->N) + v3_dot(x->u, dN);
}

/* Damping that is cut off leaves no force within a depth, and some again just before the gap opens: a step, long where
 * nothing happens, would pass it over. Whether the point is there, and a depth at which there is a force again. */
static bool comes_back(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t,
                       double *depth)
{
    enum { HALVES = 40 };
    TmlPairIn plain = *in;
    plain.sided = TML_SIDED_NONE;
    const TmlPoint now = tml_pair_point(&plain, g, t, NULL, false, -1);
    TmlTouch then = *t;
    if (now.press.force > 0.0 || now.un <= 0.0) {
        return false;
    }
    for (int k = 0; k < HALVES; ++k) {
        then.depth *= 0.5;
        then.size *= 0.5;
        if (tml_pair_point(&plain, g, &then, NULL, false, -1).press.force > 0.0) {
            *depth = then.depth;
            break;
        }
    }
    return true;
}

/* Whether a gap can close within the time h: its second rate is at most
 *
 *   (C14)  |a_0| + |a_1| + sum (|alpha| + omega^2) |arm| + 2 (|omega_0| + |omega_1|) |u| + kappa u^2
 *
 * by the triangle inequality on (C9), kappa the larger curvature of the gap: the normal turns by kappa times the way
 * of the point. Twice that leaves room for what changes within h. */
static bool may_close(const TmlPairIn *in, const TmlPoint *x, const TmlTouch *t, double gap,
                      double h)
{
    const TmlFrameKin *a = in->e[0], *b = in->e[1];
    const double wa = v3_norm(a->omega), wb = v3_norm(b->omega), u = v3_norm(x->u);
    const double second =
        v3_norm(a->a) + v3_norm(b->a) + (v3_norm(a->alpha) + wa * wa) * v3_norm(x->arm0) +
        (v3_norm(b->alpha) + wb * wb) * v3_norm(x->arm1) + 2.0 * (wa + wb) * u +
        (u > 0.0 ? fmax(fabs(t->curvature[0]), fabs(t->curvature[1])) * u * u : 0.0);
    return !(fabs(gap) > fabs(x->un) * h + second * h * h);
}

/* What the look for onsets and releases needs of a point; derivatives of points are made when one is in question. */
typedef struct Outlook {
    const TmlPairIn *in;
    const TmlPairFrames *g;
    TmlTouch *touch;
    TmlTouchRate *rate;
    bool rated;
    double horizon;
} Outlook;

/* When the depth of point k becomes less by `gap`, or more by minus that; HUGE_VAL: not before the horizon. */
static double time_to(Outlook *o, int k, const TmlPoint *x, double gap)
{
    if (!may_close(o->in, x, &o->touch[k], gap, o->horizon)) {
        return HUGE_VAL;
    }
    if (!o->rated) {
        tml_pair_touches(o->in, o->g, o->in->reach, o->touch, o->rate);
        o->rated = true;
    }
    return first_root(gap, x->un, tml_pair_gap_second(o->in, o->g, x, &o->rate[k]));
}

/* The same of a piece of a patch that overlaps: its depth is that of a volume, which need not change as its place does. A
 * side that slides along with the body keeps its depth, though it moves along its own normal. */
static double piece_time_to(Outlook *o, int k, const TmlPoint *x, double gap)
{
    const TmlFrameKin *a = o->in->e[0], *b = o->in->e[1];
    const TmlVec3 twist[4] = {a->v, a->omega, b->v, b->omega};
    double rate = 0.0;
    if (!(time_to(o, k, x, gap) < HUGE_VAL)) {
        return HUGE_VAL;
    }
    for (int c = 0; c < PAIR_SIZE; ++c) {
        rate += v3_dot(axis(c), twist[c / 3]) * motion_move(o->in, o->g, x, &o->rate[k], c).depth;
    }
    return first_root(gap, -rate, 0.0);
}

/* Whether the end of the force of a point that touches is foreseen: nothing jumps there. Steps land on it by sides of their own, where
 * it has some, but come near it in shorter ones. */
static bool ends_softly(const TmlPairIn *in, const TmlTouch *t, TmlSide side, bool jumps)
{
    return t->depth > 0.0 && t->size == 0.0 &&
           ((side == TML_SIDE_NONE && !jumps) || tml_pair_cuts(in, side) ||
            (in->sided == TML_SIDED_ALL && side == TML_SIDE_PRESSED));
}

double tml_pair_onset(const TmlPairIn *in, double to, double horizon, double *release)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const TmlPressType *press = in->law->press;
    const bool jumps = press->jumps != NULL && press->jumps(in->law->press_data);
    const int n = tml_pair_touches(in, &g, in->reach, touch, NULL);
    Outlook o = {in, &g, touch, rate, false, horizon};
    double onset = HUGE_VAL, end = HUGE_VAL;
    for (int k = 0; k < n; ++k) {
        double aim = -to, behind = to;
        const TmlPoint x = tml_pair_motion(in, &g, &touch[k]);
        const TmlSide side = tml_pair_side(in, &touch[k]);
        const bool opens = jumps && side == TML_SIDE_NONE; // others have their sides
        if (release != NULL && ends_softly(in, &touch[k], side, jumps)) {
            end = fmin(end, time_to(&o, k, &x, -to - touch[k].depth)); // behind it
        }
        if (tml_pair_continues(in, side, touch[k].depth) ||
            (touch[k].depth > 0.0 && !opens &&
             (x.un <= 0.0 || !comes_back(in, &g, &touch[k], &aim)))) {
            continue;
        }
        if (side == TML_SIDE_SLACK && !(aim > 0.0)) {
            continue; // no force comes back, and none ends where the gap opens
        }
        if (in->sided == TML_SIDED_JUMPS && side == TML_SIDE_OPEN) {
            behind = 0.0; // it sets in behind the step, wherever that ends
        }
        // the gap to the depth that is aimed at; of a point that opens to a gap of the same size
        const bool piece = touch[k].size > 0.0 && touch[k].depth > 0.0;
        const double gap = (touch[k].depth > 0.0 ? aim : behind) - touch[k].depth;
        onset = fmin(onset, piece ? piece_time_to(&o, k, &x, gap) : time_to(&o, k, &x, gap));
    }
    if (release != NULL) {
        *release = end <= horizon ? end : HUGE_VAL;
    }
    return onset <= horizon ? onset : HUGE_VAL;
}
