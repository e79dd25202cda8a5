/* analysis/driver/step_failure.c - why no step is short enough, as users can use it.
 *
 * A function of time or of the motion that leaves its domain (the root of a number that becomes
 * negative) is smooth up to there, with rates that grow: steps shrink for their error, and the last
 * try tells of nothing else. So what lies ahead is looked at: the equations with the present motion
 * at times that steps of late would have reached, and a millionth of the run at least.
 */
#include "analysis/driver/sim_internal.h"
#include "analysis/kinematic/kinematics.h"

#include "base/fail.h"

#include <math.h>

/* Returns the first of r[n] that is not finite, those of joints and expressions before bodies, or
 * -1. */
static int not_finite(const TmlSystem *sys, const double *r)
{
    const TmlDims *dim = tml_dims(sys);
    for (int k = dim->nu; k < dim->n; ++k) {
        if (!isfinite(r[k])) {
            return k;
        }
    }
    for (int k = 0; k < dim->nu; ++k) {
        if (!isfinite(r[k])) {
            return k;
        }
    }
    return -1;
}

/* Returns the number of an unknown whose equation is not finite a little later, or -1 when all are
 * finite. */
static int not_finite_ahead(TmlSim *sim)
{
    static const TmlLevel level[] = {TML_LEVEL_POSITION, TML_LEVEL_VELOCITY,
                                     TML_LEVEL_ACCELERATION};
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->trial;
    int bad = -1;
    const double far = fmax(sim->control.h_usual, 1e-6 * sim->end);
    for (double part = 1e-9; part < 2.0 && bad < 0; part *= 1e3) {
        for (int k = 0; k < 3 && bad < 0; ++k) {
            tml_state_copy(sys, &sim->it.now, s);
            s->t = sim->it.now.t + part * far;
            for (int i = 0; i < tml_dims(sys)->nq; ++i) {
                s->q[i] += (s->t - sim->it.now.t) * s->v[i];
            }
            tml_system_retract(sys, s->q);
            tml_system_residual_settled(sys, s, level[k], tml_system_scratch(sys));
            bad = not_finite(sys, tml_system_scratch(sys));
        }
    }
    return bad;
}

/* What is known of a step that fell to nothing. */
typedef struct Failure {
    double h;
    TmlCause cause;
    char who[256]; /* the unknown that is worst; "": none */
} Failure;

static Failure failure_of(TmlSim *sim, double h, const TmlAttempt *a)
{
    const int bad = not_finite_ahead(sim), worst = bad >= 0 ? bad : a->worst;
    Failure f = {.h = h};
    f.cause = bad >= 0 ? TML_CAUSE_NONFINITE : a->converged ? TML_CAUSE_ERROR : a->cause;
    if (worst >= 0) {
        tml_system_unknown_name(sim->sys, worst, f.who, sizeof f.who);
    }
    return f;
}

static const char *text_of(TmlCause cause)
{
    static const char *const text[] = {
#define CAUSE_TEXT(code, words) words,
        TML_CAUSE_LIST(CAUSE_TEXT)
#undef CAUSE_TEXT
    };
    return text[cause];
}

static const char *worst_at(const Failure *f)
{
    return f->who[0] != '\0' ? ", worst at " : "";
}

static TmlStatus fail_at_singular_start(const TmlSim *sim, const Failure *f, TmlError *err)
{
    return tml_fail(
        err, TML_E_STEP,
        "at t = %.9g s the step fell to %.3g s: the start is a singular position "
        "of %s, from which the motion may continue in more than one way; start at a slightly "
        "different position, or give the bodies velocities that select one way",
        sim->it.now.t, f->h, tml_system_singular_start(sim->sys));
}

static TmlStatus fail_of_drives(const TmlSim *sim, const Failure *f, TmlError *err)
{
    return tml_fail(err, TML_E_STEP,
                    "the drives cannot move the model beyond t = %.9g s: the joints lock "
                    "there, or leave open which "
                    "way it goes on (a singular position)%s%s; give drives that turn back "
                    "before, or, if the "
                    "motion should pass, masses and 'trammel run'",
                    sim->it.now.t, worst_at(f), f->who);
}

static TmlStatus fail_with_advice(const TmlSim *sim, const Failure *f, TmlError *err)
{
    static const char *const advice[TML_CAUSE_COUNT] = {
        [TML_CAUSE_NONE] = "",
        [TML_CAUSE_ERROR] = "the motion changes abruptly there (impact, switching force, or a "
                            "tolerance below rounding): try a larger --tol or a smoother force",
        [TML_CAUSE_NEWTON] = "a force is too abrupt, or the mechanism meets a position that it "
                             "cannot pass: try a smoother force, a larger --tol, or check the "
                             "joints for a dead point",
        [TML_CAUSE_SINGULAR] = "the mechanism is at a singular position or a body has no inertia: "
                               "check for a dead point, or give the body mass and inertia",
        [TML_CAUSE_NONFINITE] = "an expression divides by zero or leaves its domain: guard it "
                                "with IF or MAX",
    };
    return tml_fail(
        err, TML_E_STEP,
        "at t = %.9g s the step fell to %.3g s (the smallest allowed is %.3g s): %s%s%s; %s",
        sim->it.now.t, f->h, sim->control.h_min, text_of(f->cause), worst_at(f), f->who,
        advice[f->cause]);
}

TmlStatus tml_sim_step_failure(TmlSim *sim, double h, const TmlAttempt *a, TmlError *err)
{
    char joints[512] = "";
    const Failure f = failure_of(sim, h, a);
    const bool finite = f.cause != TML_CAUSE_NONFINITE;
    const bool at_start = sim->it.now.t - sim->start <= 1e-6 * (sim->end - sim->start);
    if (finite && at_start && tml_system_singular_start(sim->sys) != NULL) {
        return fail_at_singular_start(sim, &f, err);
    }
    if (finite && sim->type == &tml_kinematics_type) {
        return fail_of_drives(sim, &f, err);
    }
    if (sim->options.step > 0.0) {
        return tml_fail(
            err, TML_E_STEP,
            "at t = %.9g s the fixed step of %.3g s is too long: %s%s%s; give a shorter "
            "one with --step, or leave it out for steps by the error",
            sim->it.now.t, h, text_of(f.cause), worst_at(&f), f.who);
    }
    const double hold = tml_system_weakest(sim->sys, &sim->it.now, joints, sizeof joints);
    if (finite && hold < TML_SINGULAR_HOLD && joints[0] != '\0') {
        return tml_fail(err, TML_E_STEP,
                        "at t = %.9g s the step fell to %.3g s: " TML_SINGULAR_TEXT, sim->it.now.t,
                        h, joints, hold);
    }
    return fail_with_advice(sim, &f, err);
}
