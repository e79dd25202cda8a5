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
#include "model/measure/law.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

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

/* The end of the joint in whose axes reactions are read, and about whose axes it turns. */
static const char *friction_end(const FrictionData *p)
{
    return p->motion == FRICTION_SECOND ? "second" : "first";
}

/* (F2) over members of the reaction, "fxfy" for example */
static int law_norm(TmlLaw *law, const FrictionData *p, double round, const char *members)
{
    const char *frame = tml_law_frame(law, friction_end(p));
    const int f0 = law_num(law, round);
    int sum = law_square(law, f0);
    for (const char *m = members; m[0] != '\0'; m += 2) {
        const char member[] = {m[0], m[1], '\0'};
        const int part = tml_law_call(law, "reaction", member, 2, law->joint, frame);
        sum = law_add(law, sum, law_square(law, part));
    }
    return law_sub(law, law_sqrt(law, sum), f0);
}

/* the part of bending torques in N */
static int law_bending(TmlLaw *law, const FrictionData *p, const char *members)
{
    const int norm = law_norm(law, p, p->smoothing * p->reach, members);
    if (p->reach_rate == 0.0 || !friction_slides(p, 0)) {
        return law_mul(law, law_num(law, 1.0 / p->reach), norm);
    }
    const int displacement = tml_law_call(law, "displacement", NULL, 1, law->joint);
    const int moved = law_sub(law, displacement, law_num(law, p->start));
    const int grown = law_mul(law, law_num(law, p->reach_rate), moved);
    return law_div(law, norm, law_add(law, law_num(law, p->reach), grown));
}

/* (F3) */
static int law_load(TmlLaw *law, const FrictionData *p)
{
    // axial, radial and bending members about each axis of sliding
    static const char *const axial[] = {"fz", "", "", "", "fx", "fy"},
                             *const radial[] = {"fxfy", "fxfy", "fxfy", "fxfyfz", "fyfz", "fxfz"},
                             *const bending[] = {"txty", "txty", "txty", "", "tytz", "txtz"};
    const double f0 = p->smoothing;
    const bool along = friction_slides(p, 0);
    int N = law_num(law, p->preload);
    if (p->load) {
        N = law_add(law, N, law_norm(law, p, f0, radial[p->motion]));
    }
    if (p->reach > 0.0 && bending[p->motion][0] != '\0') {
        const char *members = along && p->torsion <= 0.0 ? "txtytz" : bending[p->motion];
        N = law_add(law, N, law_bending(law, p, members));
    }
    if (p->torsion > 0.0 && along) {
        const int norm = law_norm(law, p, f0 * p->torsion, "tz");
        N = law_add(law, N, law_mul(law, law_num(law, 1.0 / p->torsion), norm));
    }
    if (p->load && p->arm > 0.0 && axial[p->motion][0] != '\0') {
        const int norm = law_norm(law, p, f0, axial[p->motion]);
        N = law_add(law, N, law_mul(law, law_num(law, p->arm / p->radius), norm));
    }
    return N;
}

/* (F1) */
static int law_mu(TmlLaw *law, const FrictionData *p, double mu_s, double mu_d, int s)
{
    const double drop = mu_d - mu_s;
    int mu = law_step5(law, s, -p->v_s, -mu_s, p->v_s, mu_s);
    if (drop != 0.0) {
        mu = law_add(law, mu, law_step5(law, s, p->v_s, 0.0, p->v_d, drop));
        mu = law_add(law, mu, law_step5(law, s, -p->v_d, -drop, -p->v_s, 0.0));
    }
    return mu;
}

// what the expressions of one element are made of; s_k = lever[k] * rate[k]
typedef struct Sliding {
    int lever[3], rate[3], creep[3]; // creep: c_k
    int speed, stuck;                // s and c of (F5)
} Sliding;

/* The velocity at the contact that belongs to F_k. */
static void law_velocity(TmlLaw *law, const FrictionData *p, int k, Sliding *out)
{
    static const char *const spins[] = {"WX", "WY", "WZ"};
    if (p->motion >= FRICTION_BALL) {
        const int axis = p->motion == FRICTION_SECOND ? 1 : k;
        out->lever[k] = law_num(law, p->radius);
        out->rate[k] =
            tml_law_call(law, spins[axis], NULL, 3, tml_law_frame(law, "second"),
                         tml_law_frame(law, "first"), tml_law_frame(law, friction_end(p)));
    } else if (friction_slides(p, k)) {
        out->lever[k] = law_num(law, 1.0);
        out->rate[k] = tml_law_call(law, "velocity", NULL, 1, law->joint);
    } else {
        out->lever[k] = law_num(law, p->radius);
        out->rate[k] = tml_law_call(law, "angular_velocity", NULL, 1, law->joint);
    }
}

static bool has_one_direction(const FrictionData *p)
{
    return friction_n_f(p) == 1 && friction_n_x(p) == 0;
}

/* All s_k, and s of (F5) where it is needed. */
static Sliding law_sliding(TmlLaw *law, const FrictionData *p)
{
    Sliding out = {0};
    int sum = law_square(law, law_num(law, 1e-3 * p->v_s));
    for (int k = 0; k < friction_n_f(p); ++k) {
        law_velocity(law, p, k, &out);
        sum = law_add(law, sum, law_square(law, law_mul(law, out.lever[k], out.rate[k])));
    }
    out.speed = law_sqrt(law, sum);
    return out;
}

/* All c_k, and c of (F5). */
static void law_creep(TmlLaw *law, const FrictionData *p, Sliding *out)
{
    int sum = law_square(law, law_num(law, 1e-3 * p->creep));
    for (int k = 0; k < friction_n_x(p); ++k) {
        out->creep[k] = tml_law_state(law, k);
        sum = law_add(law, sum, law_square(law, out->creep[k]));
    }
    out->stuck = law_sqrt(law, sum);
}

/* m_k of (F4) or (F5) */
static int law_direction(TmlLaw *law, const FrictionData *p, const Sliding *at, double mu_s,
                         double mu_d, int k)
{
    if (has_one_direction(p)) {
        return law_mu(law, p, mu_s, mu_d, law_mul(law, at->lever[0], at->rate[0])); // (F4)
    }
    const int mu = law_mu(law, p, mu_s, mu_d, at->speed), s = at->speed;
    int m = law_div(law, law_mul(law, law_mul(law, mu, at->lever[k]), at->rate[k]), s);
    if (friction_n_x(p) > 0) {
        // step5 at a thousandth of the way is (15/8 - 5/4 1e-6 + 3/8 1e-12) 1e-3
        const double rest = (1.875 - 1.25e-6 + 0.375e-12) * 1e-3;
        const int slips = law_step5(law, s, -p->v_s, -1.0, p->v_s, 1.0);
        const int at_rest = law_div(law, law_num(law, rest * 1e-3 * p->v_s), s);
        const int sticks = law_add(law, law_sub(law, law_num(law, 1.0), slips), at_rest);
        const int grip = law_step5(law, at->stuck, -p->creep, -mu_s, p->creep, mu_s);
        const int pull = law_mul(law, law_mul(law, sticks, grip), at->creep[k]);
        m = law_add(law, m, law_div(law, pull, at->stuck));
    }
    return m; // (F5)
}

/* (F6) */
static int friction_f(TmlLaw *law, const void *data, int k)
{
    const FrictionData *p = data;
    const double drag = friction_slides(p, k) ? p->drag : p->drag_torque;
    if (law->joint == NULL) {
        tml_law_fail(law, "needs a joint: its load is the joint's reaction");
        return 0;
    }
    const int N =
        law_mul(law, law_num(law, friction_slides(p, k) ? -1.0 : -p->radius), law_load(law, p));
    Sliding at = law_sliding(law, p);
    if (friction_n_x(p) > 0) {
        law_creep(law, p, &at);
    }
    const int F = law_mul(law, N, law_direction(law, p, &at, p->mu_s, p->mu_d, k));
    return drag > 0.0
               ? law_sub(law, F,
                         law_mul(law, law_num(law, drag), law_direction(law, p, &at, 1.0, 1.0, k)))
               : F;
}

/* (F7) */
static int friction_x(TmlLaw *law, const void *data, int k)
{
    static const double haste = 100.0, leak = 1e-6; // of (F7)
    const FrictionData *p = data;
    if (law->joint == NULL) {
        return 0; // told of F
    }
    const Sliding at = law_sliding(law, p);
    const int S = law_step5(law, at.speed, p->v_s, 1.0, p->v_d, 0.0);
    const int moves = law_mul(law, law_mul(law, S, at.lever[k]), at.rate[k]);
    const int fades = law_step5(law, at.speed, p->v_s, leak, p->v_d, haste + leak);
    const int relaxes = law_mul(law, law_num(law, p->v_s / p->creep), fades);
    return law_sub(law, moves, law_mul(law, relaxes, tml_law_state(law, k)));
}

static const TmlForceLaw friction_law = {
    .steady = true,
    .f = friction_f,
    .n_x = friction_n_x,
    .x_scale = friction_x_scale,
    .x = friction_x,
};

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
     "elastic displacement at which sticking surfaces begin to slip; 0: they do not stick, but "
     "creep",
     NULL},
    {"radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, radius), "0",
     "radius of the pin or ball", NULL},
    {"arm", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, arm), "0",
     "lever arm of the friction due to an axial load; 0: no such friction", NULL},
    {"reach", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, reach), "0",
     "lever arm by which bending torques press on the surface; 0: they do not", NULL},
    {"reach_rate", TML_PARAM_REAL, TML_ANY, "", offsetof(FrictionData, reach_rate), "0",
     "growth of reach with the displacement from the start, for parts that overlap", NULL},
    {"torsion", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FrictionData, torsion), "0",
     "lever arm by which torques about the sliding direction press on the surface; 0: reach", NULL},
    {"load", TML_PARAM_BOOL, TML_ANY, "", offsetof(FrictionData, load), "true",
     "whether the force of the joint presses on the surface", NULL},
    {"preload", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(FrictionData, preload), "0",
     "constant load on the surface, for example by a press fit", NULL},
    {"drag", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(FrictionData, drag), "0",
     "constant friction force of a translation, independent of the load", NULL},
    {"drag_torque", TML_PARAM_REAL, TML_NONNEGATIVE, "N m", offsetof(FrictionData, drag_torque),
     "0", "constant friction torque of a rotation, independent of the load", NULL},
    {"smoothing", TML_PARAM_REAL, TML_POSITIVE, "N", offsetof(FrictionData, smoothing), "1e-3",
     "load below which norms are rounded off", NULL},
    {0},
};

TML_FORCE_TYPE(friction) = {
    .info = {.name = "friction",
             .text = "Coulomb friction in a joint, loaded by the joint's reaction.",
             .example = "joint: pin, static: 0.3, dynamic: 0.2, radius: 1 cm",
             .data_size = sizeof(FrictionData),
             .params = friction_params},
    .ends = TML_ENDS_JOINT,
    .check = friction_check,
    .prepare = friction_prepare,
    .n_f = friction_n_f,
    .law = &friction_law,
    .wrench = friction_wrench,
    .tangent = friction_tangent,
    .f_map = friction_f_map,
};
