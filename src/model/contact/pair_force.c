/* model/contact/pair_force.c - from touches of two shapes to wrenches on two frames, with derivatives.
 *
 * The first frame has its origin at r_0, its shape the origin x_0 and the axes R; a touch (p, n) is
 * given in these. P = x_0 + R p and N = R n in global axes.
 *
 *   (C1)  u = v_1 + omega_1 x (P - r_1) - v_0 - omega_0 x (P - r_0)      material of 1 against 0 at P
 *   (C2)  rate of the depth -u.N, slip v = u - (u.N) N
 *   (C3)  f = F N + T(F, v) on frame 1 at P, -f on frame 0
 *   (C4)  variables of the relative motion: R^T (dx_1 - dx_0 - dtheta_0 x (x_1 - x_0)), R^T (dtheta_1 - dtheta_0)
 *   (C5)  dP = dr_0 + dtheta_0 x (P - r_0) + R dp,  dN = dtheta_0 x N + R dn
 *   (C6)  du at fixed twists = omega_1 x (dP - dr_1) - omega_0 x (dP - dr_0)
 *   (C7)  df = dF N + F dN + T_F dF + T_v dv - N (T.dN), T_v and dv within the tangent plane
 *   (C10) couple m(F, N, omega_1 - omega_0) of rolling and spinning on frame 1, -m on frame 0
 *   (C8)  dF = F_d dd + F_s ds + F_c dc + F_r (-du.N - u.dN)
 *
 *   (C11) a touch that fades has 1 - fade of the law's force
 *   (C9)  gap g = -d: g' = u.N, g'' = u'.N + u.N' along the motion; onset: first root of g + g' t + g'' t^2 / 2
 *         with g counted from the depth that is aimed at
 *
 * In (C7) the friction turns with its plane: T.N = 0 holds always, so dT.N = -T.dN.
 * Text: docs/theory/contact.md
 */
#include "model/contact/pair_force.h"

#include "math/vec3.h"
#include "model/force/pair.h"

#include <math.h>

/* The relative pose and what turns it into global axes. */
typedef struct Frames {
    TmlVec3 x0, x1; /* origins of the shapes */
    TmlMat33 R;     /* axes of the first shape */
    TmlPose pose;
} Frames;

/* One touch in global axes, with what the laws say of it. */
typedef struct Point {
    TmlVec3 P, N, arm0, arm1, u, slip_v;
    double un, by_fade;
    TmlPress press;
    TmlSlip slip;
    TmlRoll roll;
    TmlVec3 f;
} Point;

static Frames frames_of(const TmlPairIn *in)
{
    Frames g;
    const TmlMat33 R1 = m3_mul(&in->e[1]->A, &in->place[1]->A);
    g.x0 = v3_add(in->e[0]->r, m3_mulv(&in->e[0]->A, in->place[0]->r));
    g.x1 = v3_add(in->e[1]->r, m3_mulv(&in->e[1]->A, in->place[1]->r));
    g.R = m3_mul(&in->e[0]->A, &in->place[0]->A);
    g.pose.r = m3_tmulv(&g.R, v3_sub(g.x1, g.x0));
    g.pose.A = m3_tmul(&g.R, &R1);
    return g;
}

/* The rate with which a point closed: its own, else the largest of the pair. */
static double entry_of(const TmlPairIn *in, uint64_t id)
{
    double most = 0.0;
    for (int k = 0; k < in->n_memory; ++k) {
        const TmlPointMemory *memory = &in->memory[k];
        if (memory->id == id) {
            return signbit(memory->entry) && memory->before > 0.0 ? memory->before
                                                                  : fabs(memory->entry);
        }
        most = fmax(most, fabs(in->memory[k].entry));
    }
    return most;
}

/* (C1), (C2) */
static Point motion_of(const TmlPairIn *in, const Frames *g, const TmlTouch *t)
{
    const TmlFrameKin *a = in->e[0], *b = in->e[1];
    Point x; // large: what has no law is not even cleared
    x.P = v3_add(g->x0, m3_mulv(&g->R, t->p));
    x.N = m3_mulv(&g->R, t->n);
    x.f = x.slip.force = x.roll.torque = v3(0, 0, 0);
    x.press.force = x.by_fade = 0.0;
    x.arm0 = v3_sub(x.P, a->r);
    x.arm1 = v3_sub(x.P, b->r);
    x.u = v3_sub(v3_add(b->v, v3_cross(b->omega, x.arm1)),
                 v3_add(a->v, v3_cross(a->omega, x.arm0))); // (C1)
    x.un = v3_dot(x.u, x.N);
    x.slip_v = v3_axpy(-x.un, x.N, x.u); // (C2)
    return x;
}

/* (C11) */
static void fade_press(double fade, Point *x)
{
    TmlPress *p = &x->press;
    const double part = 1.0 - fade;
    x->by_fade = -p->force;
    p->force *= part;
    p->by_depth *= part;
    p->by_size *= part;
    p->by_rate *= part;
    p->by_curvature[0] *= part;
    p->by_curvature[1] *= part;
    p->stored *= part;
    p->elastic *= part;
}

/* (C1) to (C3); straight: friction by its tangent at v = 0. */
static Point point_of(const TmlPairIn *in, const Frames *g, const TmlTouch *t, bool straight)
{
    Point x = motion_of(in, g, t);
    if (t->depth <= 0.0) {
        return x;
    }
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = t->depth,
                              .size = t->size,
                              .rate = -x.un,
                              .curvature = {t->curvature[0], t->curvature[1]},
                              .entry = entry_of(in, t->id)};
    x.press = (TmlPress){0};
    in->law->press->press(&press, &x.press);
    fade_press(t->fade, &x);
    x.f = v3_scale(x.press.force, x.N); // (C3)
    if (in->law->slip != NULL && x.press.force > 0.0) {
        const TmlSlipIn slip = {.data = in->law->slip_data,
                                .force = x.press.force,
                                .v = straight ? v3(0, 0, 0) : x.slip_v};
        x.slip = (TmlSlip){0};
        in->law->slip->slip(&slip, &x.slip);
        if (straight) {
            x.slip.force = m3_mulv(&x.slip.by_v, x.slip_v);
            x.slip.by_force = v3(0, 0, 0); // of a line whose slope is kept
        }
        x.f = v3_add(x.f, x.slip.force);
    }
    if (in->law->roll != NULL && x.press.force > 0.0) {
        const TmlRollIn roll = {.data = in->law->roll_data,
                                .force = x.press.force,
                                .n = x.N,
                                .omega = v3_sub(in->e[1]->omega, in->e[0]->omega)};
        x.roll = (TmlRoll){0};
        in->law->roll->roll(&roll, &x.roll); // (C10)
    }
    return x;
}

/* Whether the tangent at v = 0 stands for the law of a point. */
static bool is_straight(const TmlPairIn *in, uint64_t id)
{
    for (int k = 0; in->watch != NULL && k < in->watch->n; ++k) {
        if (in->watch->id[k] == id) {
            return in->watch->straight[k];
        }
    }
    return false;
}

/* Notes the slip of a point, and says whether the correction before has turned it round. */
static bool turns_round(const TmlPairIn *in, uint64_t id, TmlVec3 v)
{
    TmlSlipWatch *w = in->watch;
    const TmlSlipType *law = in->law->slip;
    if (w == NULL || law == NULL || law->width == NULL) {
        return false;
    }
    int k = 0;
    while (k < w->n && w->id[k] != id) {
        ++k;
    }
    if (k == w->n) {
        if (k < TML_SLIPS) {
            w->id[k] = id;
            w->v[k] = v;
            w->straight[k] = false;
            w->n++;
        }
        return false;
    }
    const double width = law->width(in->law->slip_data);
    w->straight[k] = v3_norm(w->v[k]) > width && v3_norm(v) > width && v3_dot(v, w->v[k]) < 0.0;
    w->v[k] = w->straight[k] ? v3(0, 0, 0) : v;
    return w->straight[k];
}

static void add_point(const TmlPairIn *in, const Point *x, TmlPairForce *out)
{
    out->w[1].r = v3_add(out->w[1].r, x->f);
    out->w[1].theta = v3_add(out->w[1].theta, v3_add(v3_cross(x->arm1, x->f), x->roll.torque));
    out->w[0].r = v3_sub(out->w[0].r, x->f);
    out->w[0].theta = v3_sub(out->w[0].theta, v3_add(v3_cross(x->arm0, x->f), x->roll.torque));
    out->touching++;
    out->force += x->press.force;
    out->stored += x->press.stored;
    out->power_elastic += x->press.elastic * x->un;
    out->power_press += (x->press.force - x->press.elastic) * x->un;
    out->power_slip += v3_dot(x->slip.force, x->slip_v) +
                       v3_dot(x->roll.torque, v3_sub(in->e[1]->omega, in->e[0]->omega));
}

int tml_pair_force(const TmlPairIn *in, TmlPairForce *out, TmlPairPoint *point)
{
    TmlTouch touch[TML_TOUCH_MAX];
    const Frames g = frames_of(in);
    const int n = tml_touch(&in->shape[0], &in->shape[1], &g.pose, in->reach, touch, NULL);
    *out = (TmlPairForce){.depth = -HUGE_VAL};
    for (int k = 0; k < n; ++k) {
        Point x = motion_of(in, &g, &touch[k]);
        const bool straight = touch[k].depth > 0.0 && turns_round(in, touch[k].id, x.slip_v);
        x = point_of(in, &g, &touch[k], straight);
        out->straight = out->straight || straight;
        out->depth = fmax(out->depth, touch[k].depth);
        if (touch[k].depth > 0.0) {
            add_point(in, &x, out);
        }
        if (point != NULL) {
            point[k] = (TmlPairPoint){.id = touch[k].id,
                                      .p = x.P,
                                      .n = x.N,
                                      .friction = x.slip.force,
                                      .depth = touch[k].depth,
                                      .rate = -x.un,
                                      .size = touch[k].size,
                                      .force = x.press.force,
                                      .curvature = {touch[k].curvature[0], touch[k].curvature[1]}};
        }
    }
    return n;
}

/* --- derivatives ------------------------------------------------------------------------------- */

/* How a touch moves with one of the twelve variables. */
typedef struct Move {
    TmlVec3 dP, dN, du, dr0, dr1, domega; /* domega: of 1 against 0 */
    double depth, size, curvature[2], fade;
} Move;

static TmlVec3 axis(int k)
{
    return v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
}

/* (C4): the six variables that column c moves. */
static void relative(const TmlPairIn *in, const Frames *g, int c, double *x)
{
    const TmlVec3 e = axis(c), zero = v3(0, 0, 0);
    TmlVec3 shift = zero, turn = zero;
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

static Move motion_move(const TmlPairIn *in, const Frames *g, const Point *x,
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
    m.du = v3_sub(v3_cross(in->e[1]->omega, v3_sub(m.dP, m.dr1)),
                  v3_cross(in->e[0]->omega, v3_sub(m.dP, m.dr0))); // (C6)
    return m;
}

static Move twist_move(const Point *x, int c)
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
static double press_move(const Point *x, const Move *m)
{
    const TmlPress *p = &x->press;
    const double rate = -v3_dot(m->du, x->N) - v3_dot(x->u, m->dN);
    return x->by_fade * m->fade + p->by_depth * m->depth + p->by_size * m->size +
           p->by_curvature[0] * m->curvature[0] + p->by_curvature[1] * m->curvature[1] +
           p->by_rate * rate;
}

/* (C7) */
static TmlVec3 force_move(const TmlPairIn *in, const Point *x, const Move *m, double dF)
{
    const TmlPress *p = &x->press;
    TmlVec3 df = v3_axpy(dF, x->N, v3_scale(p->force, m->dN));
    if (in->law->slip == NULL || p->force <= 0.0) {
        return df;
    }
    // the part of dv within the tangent plane
    const TmlVec3 full = v3_axpy(-x->un, m->dN, m->du);
    const TmlVec3 dv = v3_axpy(-v3_dot(full, x->N), x->N, full);
    df = v3_axpy(dF, x->slip.by_force, df);
    df = v3_add(df, m3_mulv(&x->slip.by_v, dv));
    return v3_axpy(-v3_dot(x->slip.force, m->dN), x->N, df);
}

/* The change of (C10). */
static TmlVec3 couple_move(const TmlPairIn *in, const Point *x, const Move *m, double dF)
{
    if (in->law->roll == NULL || x->press.force <= 0.0) {
        return v3(0, 0, 0);
    }
    return v3_axpy(dF, x->roll.by_force,
                   v3_add(m3_mulv(&x->roll.by_n, m->dN), m3_mulv(&x->roll.by_omega, m->domega)));
}

/* Column c of K += the change of both wrenches. */
static void add_column(const TmlPairIn *in, const Point *x, const Move *m, int c, double *K)
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
}

bool tml_pair_tangent(const TmlPairIn *in, double *Kq, double *Kv)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const Frames g = frames_of(in);
    const int n = tml_touch(&in->shape[0], &in->shape[1], &g.pose, 0.0, touch, rate);
    bool touches = false;
    for (int k = 0; k < n; ++k) {
        if (touch[k].depth <= 0.0) {
            continue;
        }
        touches = true;
        const Point x = point_of(in, &g, &touch[k], is_straight(in, touch[k].id));
        for (int c = 0; c < PAIR_SIZE; ++c) {
            const Move motion = motion_move(in, &g, &x, &rate[k], c), twist = twist_move(&x, c);
            add_column(in, &x, &motion, c, Kq);
            add_column(in, &x, &twist, c, Kv);
        }
    }
    return touches;
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
static double gap_second(const TmlPairIn *in, const Frames *g, const Point *x,
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
static bool comes_back(const TmlPairIn *in, const Frames *g, const TmlTouch *t, double *depth)
{
    enum { HALVES = 40 };
    const Point now = point_of(in, g, t, false);
    TmlTouch then = *t;
    if (now.press.force > 0.0 || now.un <= 0.0) {
        return false;
    }
    for (int k = 0; k < HALVES; ++k) {
        then.depth *= 0.5;
        then.size *= 0.5;
        if (point_of(in, g, &then, false).press.force > 0.0) {
            *depth = then.depth;
            break;
        }
    }
    return true;
}

double tml_pair_onset(const TmlPairIn *in, double to, double horizon)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const Frames g = frames_of(in);
    const TmlPressType *press = in->law->press;
    const bool jumps = press->jumps != NULL && press->jumps(in->law->press_data);
    const int n = tml_touch(&in->shape[0], &in->shape[1], &g.pose, in->reach, touch, rate);
    double onset = HUGE_VAL;
    for (int k = 0; k < n; ++k) {
        double aim = -to;
        if (touch[k].depth > 0.0 && !jumps && !comes_back(in, &g, &touch[k], &aim)) {
            continue;
        }
        // the gap to the depth that is aimed at; of a point that opens to a gap of the same size
        const double gap = (touch[k].depth > 0.0 ? aim : to) - touch[k].depth;
        const Point x = motion_of(in, &g, &touch[k]);
        onset = fmin(onset, first_root(gap, x.un, gap_second(in, &g, &x, &rate[k])));
    }
    return onset <= horizon ? onset : HUGE_VAL;
}
