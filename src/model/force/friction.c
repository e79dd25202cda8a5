/* model/force/friction.c - Coulomb friction in a joint, with the joint's own reaction as load.
 *
 * The friction forces are algebraic unknowns F_k defined by expressions of reaction(joint), so that
 * they and their derivatives by motion, velocity and multipliers are exact. s is the sliding speed
 * at the contact, R the pin's radius, N the load, all norms rounded off at zero by a force f_0:
 *
 *   (F1)  mu(s) = step5(s, -v_s, -mu_s, v_s, mu_s) + step5(s, v_s, 0, v_d, mu_d - mu_s)
 *                 + step5(s, -v_d, mu_s - mu_d, -v_s, 0)        odd, twice differentiable
 *   (F2)  |a| := sqrt(a . a + f_0^2) - f_0
 *   (F3)  N = N_0 + |f_x, f_y| + |t_x, t_y| / reach + |f_z| arm / R       rotation
 *         N = N_0 + |f_x, f_y| + |t_x, t_y, t_z| / reach                  translation, both
 *         N = N_0 + |f_x, f_y, f_z|                                       ball
 *   (F4)  rotation: F = -R N mu(R w);   translation: F = -N mu(v)
 *   (F5)  both, ball: F_k = -h_k N mu(s) s_k / s,  s = sqrt(sum_k s_k^2 + (v_s / 1000)^2),
 *         s_k the velocity v or R w_k, lever h_k = 1 or R
 *
 * Reactions in the axes of the joint's first frame. Rows J_k of the coordinate that F_k drives
 * (displacement P3, angle P5; for a ball the axes of the first frame):
 *
 *   (F6)  w = sum_k F_k J_k,  dw = sum_k F_k K_k dx
 *
 * Text: docs/theory/forces.md#friction
 */
#include "base/fail.h"
#include "model/force/pair.h"
#include "model/primitive.h"
#include "model/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum FrictionMotion {
    FRICTION_ROTATION,
    FRICTION_TRANSLATION,
    FRICTION_BOTH, // F_0 along, F_1 about z
    FRICTION_BALL, // torques about the axes of the first frame
} FrictionMotion;

typedef struct FrictionData {
    int joint, motion;
    double mu_s, mu_d, v_s, v_d;
    double radius, arm, reach, preload, smoothing;
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

static int friction_n_f(const void *data)
{
    static const int counts[] = {1, 1, 2, 3};
    return counts[((const FrictionData *)data)->motion];
}

/* --- the defining expressions ----------------------------------------------------------------- */

// text that grows; once it does not fit, `ok` stays false
typedef struct Text {
    char *at;
    size_t size, used;
    bool ok;
} Text;

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
static void text_norm(Text *t, const char *joint, double factor, double round, const char *members)
{
    text_add(t, " + %.17g*(sqrt((%.17g)^2", factor, round);
    for (const char *m = members; m[0] != '\0'; m += 2) {
        text_add(t, " + reaction(%s, %.*s.first%c).%c%c^2", joint, (int)strlen(joint) - 1, joint,
                 joint[0], m[0], m[1]);
    }
    text_add(t, ") - %.17g)", round);
}

/* (F3), joint being the quoted name */
static void text_load(Text *t, const FrictionData *p, const char *joint)
{
    const double f0 = p->smoothing;
    text_add(t, "(%.17g", p->preload);
    text_norm(t, joint, 1.0, f0, p->motion == FRICTION_BALL ? "fxfyfz" : "fxfy");
    if (p->reach > 0.0 && p->motion != FRICTION_BALL) {
        text_norm(t, joint, 1.0 / p->reach, f0 * p->reach,
                  p->motion == FRICTION_ROTATION ? "txty" : "txtytz");
    }
    if (p->arm > 0.0 && p->motion == FRICTION_ROTATION) {
        text_norm(t, joint, p->arm / p->radius, f0, "fz");
    }
    text_add(t, ")");
}

/* (F1) of a speed given as text */
static void text_mu(Text *t, const FrictionData *p, const char *speed)
{
    const double drop = p->mu_d - p->mu_s;
    text_add(t, "*(step5(%s, %.17g, %.17g, %.17g, %.17g)", speed, -p->v_s, -p->mu_s, p->v_s,
             p->mu_s);
    text_add(t, " + step5(%s, %.17g, 0, %.17g, %.17g)", speed, p->v_s, p->v_d, drop);
    text_add(t, " + step5(%s, %.17g, %.17g, %.17g, 0))", speed, -p->v_d, -drop, -p->v_s);
}

/* s_k as text: the sliding velocity that belongs to F_k */
static void text_velocity(Text *t, const FrictionData *p, const char *joint, int k)
{
    if (p->motion == FRICTION_BALL) {
        const int n = (int)strlen(joint) - 1;
        const char q = joint[0];
        text_add(t, "%.17g*W%c(%.*s.second%c, %.*s.first%c, %.*s.first%c)", p->radius, "XYZ"[k], n,
                 joint, q, n, joint, q, n, joint, q);
    } else if (p->motion == FRICTION_TRANSLATION || (p->motion == FRICTION_BOTH && k == 0)) {
        text_add(t, "velocity(%s)", joint);
    } else {
        text_add(t, "%.17g*angular_velocity(%s)", p->radius, joint);
    }
}

/* s of (F5) */
static void text_speed(Text *t, const FrictionData *p, const char *joint)
{
    text_add(t, "sqrt((%.17g)^2", 1e-3 * p->v_s);
    for (int k = 0; k < friction_n_f(p); ++k) {
        text_add(t, " + (");
        text_velocity(t, p, joint, k);
        text_add(t, ")^2");
    }
    text_add(t, ")");
}

static bool friction_expression(const FrictionData *p, const char *joint, int k, Text *t)
{
    char buffer[2048];
    Text s = {buffer, sizeof buffer, 0, true};
    const bool single = friction_n_f(p) == 1;
    const bool force = p->motion == FRICTION_TRANSLATION || (p->motion == FRICTION_BOTH && k == 0);
    if (single) {
        text_velocity(&s, p, joint, 0);
    } else {
        text_speed(&s, p, joint);
    }
    text_add(t, "-%.17g*", force ? 1.0 : p->radius); // (F4), (F5)
    text_load(t, p, joint);
    text_mu(t, p, buffer);
    if (!single) {
        text_add(t, "*");
        text_velocity(t, p, joint, k);
        text_add(t, "/%s", buffer);
    }
    return t->ok && s.ok;
}

static TmlStatus friction_f_text(const void *data, const char *joint, int k, char *text,
                                 size_t size)
{
    char quoted[TML_NAME_MAX + 2];
    if (joint == NULL) {
        return TML_E_MODEL; // the load is a joint's reaction: frames alone have none
    }
    const char quote = strchr(joint, '"') == NULL ? '"' : '\'';
    const int n = snprintf(quoted, sizeof quoted, "%c%s%c", quote, joint, quote);
    Text t = {text, size, 0, true};
    if (n < 0 || (size_t)n >= sizeof quoted || !friction_expression(data, quoted, k, &t)) {
        return TML_E_INTERNAL;
    }
    return TML_OK;
}

/* --- the wrench ------------------------------------------------------------------------------- */

static const TmlPrim *friction_prim(const FrictionData *p, int k)
{
    const bool along = p->motion == FRICTION_TRANSLATION || (p->motion == FRICTION_BOTH && k == 0);
    return along ? &friction_along : &friction_about;
}

/* J_k of (F6) for both ends */
static void friction_rows(const TmlElementIn *in, int k, TmlRow J[2])
{
    const FrictionData *p = in->data;
    if (p->motion == FRICTION_BALL) {
        const TmlMat33 *A = &in->e[0].A;
        const TmlVec3 c = k == 0 ? A->cx : k == 1 ? A->cy : A->cz;
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
        w[0] = row_axpy(in->f[k], J[0], w[0]); // (F6)
        w[1] = row_axpy(in->f[k], J[1], w[1]);
    }
}

static void friction_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const FrictionData *p = in->data;
    (void)Kv;
    if (p->motion == FRICTION_BALL) {
        TmlRow w[2];
        friction_wrench(in, w);
        const TmlMat33 skew = m3_skew(w[1].theta);
        pair_add(Kq, PAIR_T1, PAIR_T0, -1.0, &skew);
        pair_add(Kq, PAIR_T0, PAIR_T0, 1.0, &skew);
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
     "what slides: rotation about z, translation along z, both (cylindrical), a ball (spherical)",
     "rotation|translation|both|ball"},
    {"static", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(FrictionData, mu_s), NULL,
     "coefficient at static_velocity, the largest", NULL},
    {"dynamic", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(FrictionData, mu_d), NULL,
     "coefficient from dynamic_velocity on", NULL},
    {"static_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(FrictionData, v_s), "0.01",
     "sliding speed at which the static coefficient is reached", NULL},
    {"dynamic_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(FrictionData, v_d), "0.015",
     "sliding speed from which the dynamic coefficient holds", NULL},
    {"radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, radius), "0",
     "radius of the pin or ball", NULL},
    {"arm", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, arm), "0",
     "lever at which an axial load rubs; 0: it does not", NULL},
    {"reach", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, reach), "0",
     "lever by which bending torques press on the surface; 0: they do not", NULL},
    {"preload", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(FrictionData, preload), "0",
     "constant load on the surface, as by a press fit", NULL},
    {"smoothing", TML_PARAM_REAL, TML_POSITIVE, "N", offsetof(FrictionData, smoothing), "1e-3",
     "load below which norms are rounded off", NULL},
    {0},
};

const TmlForceType tml_force_friction = {
    .info = {.name = "friction",
             .text = "Coulomb friction in a joint, loaded by the joint's reaction.",
             .data_size = sizeof(FrictionData),
             .params = friction_params},
    .ends = TML_ENDS_JOINT,
    .check = friction_check,
    .n_f = friction_n_f,
    .f_text = friction_f_text,
    .wrench = friction_wrench,
    .tangent = friction_tangent,
    .f_map = friction_f_map,
};
