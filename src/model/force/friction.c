/* model/force/friction.c - Coulomb friction in a joint, with the joint's own reaction as load.
 *
 * The friction forces are algebraic unknowns F_k defined by expressions of reaction(joint), so that
 * they and their derivatives by motion, velocity and multipliers are exact. s_k are the sliding
 * velocities at the contact (v or R w_k), R the pin's radius, N the load, h_k = 1 or R a lever; all
 * norms are rounded off at zero by a force f_0:
 *
 *   (F1)  mu(s) = step5(s, -v_s, -mu_s, v_s, mu_s) + step5(s, v_s, 0, v_d, mu_d - mu_s)
 *                 + step5(s, -v_d, mu_s - mu_d, -v_s, 0)        odd, twice differentiable
 *   (F2)  |a| := sqrt(a . a + f_0^2) - f_0
 *   (F3)  N = N_0 + |f_x, f_y| + |t_x, t_y| / reach + |f_z| arm / R       rotation
 *         N = N_0 + |f_x, f_y| + |t_x, t_y| / reach + |t_z| / torsion     translation, both
 *         N = N_0 + |f_x, f_y, f_z|                                       ball
 *         without torsion: |t_x, t_y, t_z| / reach; reach grows by reach_rate times displacement
 *   (F4)  one motion without creep:  m = mu(s_0)
 *   (F5)  else m_k = mu(s) s_k / s + (1 - b(s)) step5(c, -D, -mu_s, D, mu_s) c_k / c,
 *         s = sqrt(sum_k s_k^2 + (v_s / 1000)^2),  c = sqrt(sum_k c_k^2 + (D / 1000)^2),
 *         b(s) = step5(s, -v_s, -1, v_s, 1) - what it is at rest, times v_s / (1000 s)
 *   (F6)  F_k = -h_k N m_k - drag m_k(mu_s = mu_d = 1)
 *   (F7)  c_k' = S s_k - (100 (1 - S) + 1e-6) (v_s / D) c_k,  S = step5(s, v_s, 1, v_d, 0)
 *
 * The creep c_k is a state of the element: how far the surfaces have moved while they stick. D is
 * where sticking gives way. The 1e-6 makes it zero in equilibrium and counts after days only.
 *
 * Reactions in the axes of the joint's first frame (second, for its axis y). Rows J_k of the
 * coordinate that F_k drives (displacement P3, angle P5; for others axes of one of the frames):
 *
 *   (F8)  w = sum_k F_k J_k,  dw = sum_k F_k K_k dx
 *
 * Text: docs/theory/forces.md#friction
 */
#include "base/fail.h"
#include "model/force/pair.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum FrictionMotion {
    FRICTION_ROTATION,
    FRICTION_TRANSLATION,
    FRICTION_BOTH,   // F_0 along, F_1 about z
    FRICTION_BALL,   // torques about the axes of the first frame
    FRICTION_FIRST,  // about x of the first frame
    FRICTION_SECOND, // about y of the second frame
} FrictionMotion;

typedef struct FrictionData {
    int joint, motion;
    bool load;
    double mu_s, mu_d, v_s, v_d;
    double radius, arm, reach, reach_rate, torsion, preload, drag, drag_torque, creep, smoothing;
    double start; // displacement at the start
} FrictionData;

static const TmlPrim friction_along = {TML_PRIM_ALONG, 2, 0},
                     friction_about = {TML_PRIM_ANGLE, 0, 0};

static TmlStatus friction_check(const void *data, TmlError *err)
{
    const FrictionData *p = data;
    if (!(p->v_d > p->v_s)) {
        return tml_fail(err, TML_E_MODEL,
                        "dynamic_velocity (%.9g m/s) must be larger than static_velocity (%.9g "
                        "m/s)",
                        p->v_d, p->v_s);
    }
    if (p->motion != FRICTION_TRANSLATION && !(p->radius > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "friction of a rotation needs a radius > 0");
    }
    return TML_OK;
}

static TmlStatus friction_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    ((FrictionData *)data)->start = tml_prim_value(&friction_along, &e[0], &e[1], 0.0);
    return TML_OK;
}

static int friction_n_f(const void *data)
{
    static const int counts[] = {1, 1, 2, 3, 1, 1};
    return counts[((const FrictionData *)data)->motion];
}

static int friction_n_x(const void *data)
{
    return ((const FrictionData *)data)->creep > 0.0 ? friction_n_f(data) : 0;
}

static double friction_x_scale(const void *data)
{
    return ((const FrictionData *)data)->creep;
}

static bool friction_slides(const FrictionData *p, int k)
{
    return p->motion == FRICTION_TRANSLATION || (p->motion == FRICTION_BOTH && k == 0);
}

/* --- the defining expressions ----------------------------------------------------------------- */

// text that grows; once it does not fit, `ok` stays false
typedef struct Text {
    char *at;
    size_t size, used;
    bool ok;
} Text;

// what all texts are written from; names without quotes
typedef struct Writer {
    const FrictionData *p;
    const char *self, *joint;
    char quote;
    char speed[2048], creep[512]; // s and c of (F5)
} Writer;

static void text_add(Text *t, const char *fmt, ...) TML_PRINTF(2, 3);

static void text_add(Text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(t->at + t->used, t->size - t->used, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= t->size - t->used) {
        t->ok = false;
        return;
    }
    t->used += (size_t)n;
}

/* + factor * (sqrt(sum of squares + round^2) - round) (F2), over the members of the reaction */
static void text_norm(Text *t, const Writer *w, double factor, double round, const char *members)
{
    const char q = w->quote, *end = w->p->motion == FRICTION_SECOND ? "second" : "first";
    text_add(t, " + %.17g*(sqrt((%.17g)^2", factor, round);
    for (const char *m = members; m[0] != '\0'; m += 2) {
        text_add(t, " + reaction(%c%s%c, %c%s.%s%c).%c%c^2", q, w->joint, q, q, w->joint, end, q,
                 m[0], m[1]);
    }
    text_add(t, ") - %.17g)", round);
}

/* the part of bending torques in N */
static void text_bending(Text *t, const Writer *w, const char *members)
{
    const FrictionData *p = w->p;
    const double f0 = p->smoothing;
    if (p->reach_rate == 0.0 || !friction_slides(p, 0)) {
        text_norm(t, w, 1.0 / p->reach, f0 * p->reach, members);
        return;
    }
    text_add(t, " + (0");
    text_norm(t, w, 1.0, f0 * p->reach, members);
    text_add(t, ")/(%.17g + %.17g*(displacement(%c%s%c) - %.17g))", p->reach, p->reach_rate,
             w->quote, w->joint, w->quote, p->start);
}

/* (F3) */
static void text_load(Text *t, const Writer *w)
{
    // axial, radial and bending members about each axis of sliding
    static const char *const axial[] = {"fz", "", "", "", "fx", "fy"},
                             *const radial[] = {"fxfy", "fxfy", "fxfy", "fxfyfz", "fyfz", "fxfz"},
                             *const bending[] = {"txty", "txty", "txty", "", "tytz", "txtz"};
    const FrictionData *p = w->p;
    const double f0 = p->smoothing;
    const bool along = friction_slides(p, 0);
    text_add(t, "(%.17g", p->preload);
    if (p->load) {
        text_norm(t, w, 1.0, f0, radial[p->motion]);
    }
    if (p->reach > 0.0 && bending[p->motion][0] != '\0') {
        text_bending(t, w, along && p->torsion <= 0.0 ? "txtytz" : bending[p->motion]);
    }
    if (p->torsion > 0.0 && along) {
        text_norm(t, w, 1.0 / p->torsion, f0 * p->torsion, "tz");
    }
    if (p->load && p->arm > 0.0 && axial[p->motion][0] != '\0') {
        text_norm(t, w, p->arm / p->radius, f0, axial[p->motion]);
    }
    text_add(t, ")");
}

/* (F1) of a speed given as text */
static void text_mu(Text *t, const FrictionData *p, double mu_s, double mu_d, const char *speed)
{
    const double drop = mu_d - mu_s;
    text_add(t, "(step5(%s, %.17g, %.17g, %.17g, %.17g)", speed, -p->v_s, -mu_s, p->v_s, mu_s);
    if (drop != 0.0) {
        text_add(t, " + step5(%s, %.17g, 0, %.17g, %.17g)", speed, p->v_s, p->v_d, drop);
        text_add(t, " + step5(%s, %.17g, %.17g, %.17g, 0)", speed, -p->v_d, -drop, -p->v_s);
    }
    text_add(t, ")");
}

/* s_k as text: the sliding velocity that belongs to F_k */
static void text_velocity(Text *t, const Writer *w, int k)
{
    const FrictionData *p = w->p;
    const char q = w->quote, *joint = w->joint;
    if (p->motion >= FRICTION_BALL) {
        const char *end = p->motion == FRICTION_SECOND ? "second" : "first";
        const char axis = p->motion == FRICTION_BALL ? "XYZ"[k] : end[0] == 'f' ? 'X' : 'Y';
        text_add(t, "%.17g*W%c(%c%s.second%c, %c%s.first%c, %c%s.%s%c)", p->radius, axis, q, joint,
                 q, q, joint, q, q, joint, end, q);
    } else if (friction_slides(p, k)) {
        text_add(t, "velocity(%c%s%c)", q, joint, q);
    } else {
        text_add(t, "%.17g*angular_velocity(%c%s%c)", p->radius, q, joint, q);
    }
}

/* c_k as text */
static void text_creep(Text *t, const Writer *w, int k)
{
    text_add(t, "%c%s.x%d%c", w->quote, w->self, k + 1, w->quote);
}

/* s and c of (F5) */
static bool write_sizes(Writer *w)
{
    const FrictionData *p = w->p;
    Text s = {w->speed, sizeof w->speed, 0, true}, c = {w->creep, sizeof w->creep, 0, true};
    text_add(&s, "sqrt((%.17g)^2", 1e-3 * p->v_s);
    text_add(&c, "sqrt((%.17g)^2", 1e-3 * p->creep);
    for (int k = 0; k < friction_n_f(p); ++k) {
        text_add(&s, " + (");
        text_velocity(&s, w, k);
        text_add(&s, ")^2");
        text_add(&c, " + ");
        text_creep(&c, w, k);
        text_add(&c, "^2");
    }
    text_add(&s, ")");
    text_add(&c, ")");
    return s.ok && c.ok;
}

/* m_k of (F4) or (F5) */
static void text_direction(Text *t, const Writer *w, double mu_s, double mu_d, int k)
{
    const FrictionData *p = w->p;
    char buffer[512];
    if (friction_n_f(p) == 1 && friction_n_x(p) == 0) {
        Text s = {buffer, sizeof buffer, 0, true};
        text_velocity(&s, w, 0);
        t->ok &= s.ok;
        text_mu(t, p, mu_s, mu_d, buffer);
        return;
    }
    text_add(t, "(");
    text_mu(t, p, mu_s, mu_d, w->speed);
    text_add(t, "*");
    text_velocity(t, w, k);
    text_add(t, "/%s", w->speed);
    if (friction_n_x(p) > 0) {
        // step5 at a thousandth of the way is (15/8 - 5/4 1e-6 + 3/8 1e-12) 1e-3
        const double rest = (1.875 - 1.25e-6 + 0.375e-12) * 1e-3;
        text_add(t, " + (1 - step5(%s, %.17g, -1, %.17g, 1) + %.17g/%s)*", w->speed, -p->v_s,
                 p->v_s, rest * 1e-3 * p->v_s, w->speed);
        text_add(t, "step5(%s, %.17g, %.17g, %.17g, %.17g)*", w->creep, -p->creep, -mu_s, p->creep,
                 mu_s);
        text_creep(t, w, k);
        text_add(t, "/%s", w->creep);
    }
    text_add(t, ")");
}

static TmlStatus friction_writer(const void *data, const char *self, const char *joint, Writer *w)
{
    if (joint == NULL) {
        return TML_E_MODEL; // the load is a joint's reaction: frames alone have none
    }
    const bool marks = strchr(joint, '"') != NULL || strchr(self, '"') != NULL;
    *w = (Writer){.p = data, .self = self, .joint = joint, .quote = marks ? '\'' : '"'};
    return write_sizes(w) ? TML_OK : TML_E_INTERNAL;
}

/* (F6) */
static TmlStatus friction_f_text(const void *data, const char *self, const char *joint, int k,
                                 char *text, size_t size)
{
    const FrictionData *p = data;
    const double drag = friction_slides(p, k) ? p->drag : p->drag_torque;
    Text t = {text, size, 0, true};
    Writer w;
    TML_TRY(friction_writer(data, self, joint, &w));
    text_add(&t, "-%.17g*", friction_slides(p, k) ? 1.0 : p->radius);
    text_load(&t, &w);
    text_add(&t, "*");
    text_direction(&t, &w, p->mu_s, p->mu_d, k);
    if (drag > 0.0) {
        text_add(&t, " - %.17g*", drag);
        text_direction(&t, &w, 1.0, 1.0, k);
    }
    return t.ok ? TML_OK : TML_E_INTERNAL;
}

/* (F7) */
static TmlStatus friction_x_text(const void *data, const char *self, const char *joint, int k,
                                 char *text, size_t size)
{
    static const double haste = 100.0, leak = 1e-6; // of (F7)
    const FrictionData *p = data;
    Text t = {text, size, 0, true};
    Writer w;
    TML_TRY(friction_writer(data, self, joint, &w));
    text_add(&t, "step5(%s, %.17g, 1, %.17g, 0)*", w.speed, p->v_s, p->v_d);
    text_velocity(&t, &w, k);
    text_add(&t, " - %.17g*step5(%s, %.17g, %.17g, %.17g, %.17g)*", p->v_s / p->creep, w.speed,
             p->v_s, leak, p->v_d, haste + leak);
    text_creep(&t, &w, k);
    return t.ok ? TML_OK : TML_E_INTERNAL;
}

/* --- the wrench ------------------------------------------------------------------------------- */

static const TmlPrim *friction_prim(const FrictionData *p, int k)
{
    return friction_slides(p, k) ? &friction_along : &friction_about;
}

/* J_k of (F8) for both ends */
static void friction_rows(const TmlElementIn *in, int k, TmlRow J[2])
{
    const FrictionData *p = in->data;
    if (p->motion >= FRICTION_BALL) {
        const TmlMat33 *A = &in->e[p->motion == FRICTION_SECOND ? 1 : 0].A;
        const int axis = p->motion == FRICTION_SECOND ? 1 : k;
        const TmlVec3 c = axis == 0 ? A->cx : axis == 1 ? A->cy : A->cz;
        J[0] = (TmlRow){.theta = v3_neg(c)};
        J[1] = (TmlRow){.theta = c};
        return;
    }
    tml_prim_rows(friction_prim(p, k), &in->e[0], &in->e[1], &J[0], &J[1]);
}

static void friction_f_map(const TmlElementIn *in, TmlRow *P)
{
    for (int k = 0; k < friction_n_f(in->data); ++k) {
        friction_rows(in, k, &P[2 * k]);
    }
}

static void friction_wrench(const TmlElementIn *in, TmlRow *w)
{
    w[0] = w[1] = (TmlRow){0};
    for (int k = 0; k < friction_n_f(in->data); ++k) {
        TmlRow J[2];
        friction_rows(in, k, J);
        w[0] = row_axpy(in->f[k], J[0], w[0]); // (F8)
        w[1] = row_axpy(in->f[k], J[1], w[1]);
    }
}

static void friction_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const FrictionData *p = in->data;
    (void)Kv;
    if (p->motion >= FRICTION_BALL) {
        const int turns = p->motion == FRICTION_SECOND ? PAIR_T1 : PAIR_T0; // whose axes they are
        TmlRow w[2];
        friction_wrench(in, w);
        const TmlMat33 skew = m3_skew(w[1].theta);
        pair_add(Kq, PAIR_T1, turns, -1.0, &skew);
        pair_add(Kq, PAIR_T0, turns, 1.0, &skew);
        return;
    }
    for (int k = 0; k < friction_n_f(p); ++k) {
        tml_prim_curvature(friction_prim(p, k), &in->e[0], &in->e[1], in->f[k], Kq);
    }
}

static const TmlParam friction_params[] = {
    {"joint", TML_PARAM_JOINT, TML_ANY, "", offsetof(FrictionData, joint), NULL,
     "joint in which it acts", NULL},
    {"motion", TML_PARAM_CHOICE, TML_ANY, "", offsetof(FrictionData, motion), "rotation",
     "what slides: rotation about z, translation along z, both (cylindrical), a ball (spherical), "
     "or one axis of a universal joint: x of its first or y of its second frame",
     "rotation|translation|both|ball|first_axis|second_axis"},
    {"static", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(FrictionData, mu_s), NULL,
     "coefficient at static_velocity, the largest", NULL},
    {"dynamic", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(FrictionData, mu_d), NULL,
     "coefficient from dynamic_velocity on", NULL},
    {"static_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(FrictionData, v_s), "0.01",
     "sliding speed at which the static coefficient is reached", NULL},
    {"dynamic_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(FrictionData, v_d), "0.015",
     "sliding speed from which the dynamic coefficient holds", NULL},
    {"creep", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, creep), "0",
     "way after which sticking surfaces give way; 0: they do not stick, but slide slowly", NULL},
    {"radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, radius), "0",
     "radius of the pin or ball", NULL},
    {"arm", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, arm), "0",
     "lever at which an axial load rubs; 0: it does not", NULL},
    {"reach", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, reach), "0",
     "lever by which bending torques press on the surface; 0: they do not", NULL},
    {"reach_rate", TML_PARAM_REAL, TML_ANY, "", offsetof(FrictionData, reach_rate), "0",
     "growth of reach with the displacement from the start, as of parts that overlap", NULL},
    {"torsion", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, torsion), "0",
     "lever by which torques about the direction of sliding press; 0: reach", NULL},
    {"load", TML_PARAM_BOOL, TML_ANY, "", offsetof(FrictionData, load), "true",
     "whether the force of the joint presses on the surface", NULL},
    {"preload", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(FrictionData, preload), "0",
     "constant load on the surface, as by a press fit", NULL},
    {"drag", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(FrictionData, drag), "0",
     "constant friction force of a translation, whatever the load", NULL},
    {"drag_torque", TML_PARAM_REAL, TML_NONNEGATIVE, "N m", offsetof(FrictionData, drag_torque),
     "0", "constant friction torque of a rotation, whatever the load", NULL},
    {"smoothing", TML_PARAM_REAL, TML_POSITIVE, "N", offsetof(FrictionData, smoothing), "1e-3",
     "load below which norms are rounded off", NULL},
    {0},
};

const TmlForceType tml_force_friction = {
    .info = {.name = "friction",
             .text = "Coulomb friction in a joint, loaded by the joint's reaction.",
             .example = "joint: pin, static: 0.3, dynamic: 0.2, radius: 1 cm",
             .data_size = sizeof(FrictionData),
             .params = friction_params},
    .ends = TML_ENDS_JOINT,
    .check = friction_check,
    .prepare = friction_prepare,
    .n_f = friction_n_f,
    .n_x = friction_n_x,
    .x_scale = friction_x_scale,
    .x_text = friction_x_text,
    .f_text = friction_f_text,
    .wrench = friction_wrench,
    .tangent = friction_tangent,
    .f_map = friction_f_map,
};
