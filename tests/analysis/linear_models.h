/* tests/analysis/linear_models.h - models that are linearised, and their modes. */
#pragma once

#include "study.h"

#include "trammel/analysis.h"

static const double pi = 3.14159265358979323846;

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlLinear *lin;
    TmlLinearInfo info;
} Case;

static inline void case_free(Case *c)
{
    tml_linear_free(c->lin);
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

/* The model linearised; statics: about its equilibrium. False: a failed check. */
static inline bool case_make(TestCtx *t, const char *text, bool statics, const TmlLinearOptions *o,
                             Case *c)
{
    const TmlSimOptions options = study_options(1.0, 1.0, NULL);
    TmlError err = {0};
    *c = (Case){.model = study_model(t, text)};
    c->sim = study_sim(t, c->model, &options);
    if (c->sim == NULL) {
        return false;
    }
    if (statics) {
        TmlStaticsInfo info;
        CHECK_OK(t, tml_sim_statics(c->sim, NULL, &info, &err), &err);
    }
    CHECK_OK(t, tml_sim_linearize(c->sim, o, &c->lin, &err), &err);
    if (c->lin != NULL) {
        c->info = tml_linear_info(c->lin);
    }
    return c->lin != NULL;
}

/* The mode nearest re + i im. */
static inline TmlMode mode_near(const Case *c, double re, double im)
{
    TmlMode best = {0};
    double off = HUGE_VAL;
    for (int k = 0; k < c->info.modes; ++k) {
        const TmlMode m = tml_linear_mode(c->lin, k);
        if (hypot(m.real - re, m.imag - im) < off) {
            off = hypot(m.real - re, m.imag - im);
            best = m;
        }
    }
    return best;
}

/* Eigenvalues of up to 100 1/s of small matrices: some hundred roundings. */
static const double EIGENVALUE = 1e-11;

static inline void check_mode(TestCtx *t, const Case *c, double re, double im, double tolerance)
{
    const TmlMode m = mode_near(c, re, im);
    CHECK_NEAR(t, m.real, re, tolerance);
    CHECK_NEAR(t, m.imag, im, tolerance);
}

/* --- models ----------------------------------------------------------------------------------- */

/* N masses on a line between two walls. */
static inline char *chain_text(int n, double damping)
{
    char *text = malloc(2048);
    snprintf(
        text, 2048,
        "trammel: 1\n"
        "parameters: {N: %d, k: 800, c: %.17g}\n"
        "bodies:\n"
        "  for i in 1..N:\n"
        "    \"m{i}\": {type: point, mass: 2, position: [\"i\", 0, 0]}\n"
        "joints:\n"
        "  for i in 1..N:\n"
        "    \"line{i}\": {type: point_on_line, frames: [{body: ground,\n"
        "      rotation: {axis: y, angle: pi/2}}, \"m{i}\"]}\n"
        "forces:\n"
        "  left: {type: spring, frames: [ground, m1], stiffness: k, damping: c}\n"
        "  right: {type: spring, frames: [\"m{N}\", {body: ground, position: [N + 1, 0, 0]}],\n"
        "          stiffness: k, damping: c}\n"
        "  for i in 2..N:\n"
        "    \"s{i}\": {type: spring, frames: [\"m{i-1}\", \"m{i}\"], stiffness: k, damping: c}\n",
        n, damping);
    return text;
}

/* A top that spins upright on its tip. In fixed axes the tilt z obeys
 * I_t z'' - i I_s W z' - m g l z = 0: nutation and precession. */
static const char sleeping_top[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  top: {mass: 2, inertia: [0.02, 0.02, 0.03], cm: [0, 0, 0.3], angular_velocity: [0, 0, "
    "120]}\n"
    "joints:\n"
    "  tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n";

/* A bead on an arm that turns at W: its spring is softened by the rotation, s^2 = W^2 - k / m. */
static const char bead_on_arm[] =
    "trammel: 1\n"
    "parameters: {W: 6, k: 500, m: 2, r: 0.8, l: r - m*W^2*r/k}\n"
    "bodies:\n"
    "  arm: {mass: 3, inertia: [0.1, 0.4, 0.4], angular_velocity: [0, 0, W]}\n"
    "  bead: {mass: m, inertia: [0.01, 0.02, 0.03], position: [r, 0, 0], velocity: [0, W*r, 0],\n"
    "         angular_velocity: [0, 0, W]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}\n"
    "  slide: {type: translational, bodies: [arm, bead], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: pin, function: W*time}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [arm, bead], stiffness: k, free_length: l}\n";

/* A blade hinged on a turning hub, the hinge along z (lag) or across the blade (flap):
 *   lag    w^2 = W^2 m l R / (Izz + m l^2)
 *   flap   w^2 = W^2 (m l (R + l) + Izz - Ixx) / (Iyy + m l^2)
 * The hinge axis turns with the hub, and so does the inertia. variant 2: both, by a universal
 * joint whose first axis is the flap axis. */
static inline const char *blade(int variant)
{
    static const char *const text[] = {
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: revolute, bodies: [hub, blade], at: [0.3, 0, 0], axis: z}\n",
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: revolute, bodies: [hub, blade], at: [0.3, 0, 0], axis: y}\n",
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "  tip: {type: point, mass: 0.5, position: [1.5, 0, 0.1], velocity: [0, 10.5, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: universal, bodies: [hub, blade], at: [0.3, 0, 0], axes: [y, z]}\n"
        "forces:\n"
        "  hold: {type: spring, frames: [{body: blade, position: [0.6, 0, 0]}, tip],\n"
        "         stiffness: 400, damping: 3}\n",
    };
    return text[variant];
}
