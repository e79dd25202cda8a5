/* analysis/statics/statics_none.c - motions without resistance: what is neutral at an equilibrium, and what
 * runs away where there is none.
 */
#include "analysis/linear/motion_name.h"
#include "analysis/statics/statics_work.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef TmlStaticsWork Work;

bool tml_statics_weakest(Work *w, bool driven, double *x, double *stiffness, double *pull)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double *Mx = w->dx, size = 0.0;
    const double shift = 1e-10 / w->tau_first;
    uint64_t seed = 5;
    w->ramp = 1.0;
    tml_flex_forget(sys);
    if (!tml_statics_residual(w, &w->s, x) || tml_statics_factor(w, &w->s, shift) >= 0) {
        return false;
    }
    for (int k = 0; k < dim->n; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[k] = k >= dim->nu ? 0.0 : driven ? -w->r[k] : (double)(int64_t)seed * 0x1.0p-63;
    }
    for (int it = 0; it < 6; ++it) {
        if (it > 0 || !driven) {
            memset(Mx, 0, (size_t)dim->n * sizeof *Mx);
            tml_system_mass_mul(sys, &w->s, x, Mx);
            memcpy(x, Mx, (size_t)dim->n * sizeof *x);
        }
        tml_statics_solve(w, x);
        const double before = size;
        size = tml_statics_size(w, x);
        if (!(size > 0.0) || !isfinite(size)) {
            return false;
        }
        *stiffness = 1.0 / size - shift; // x had size 1
        for (int k = 0; k < dim->n; ++k) {
            x[k] = k < dim->nu ? x[k] / size : 0.0;
        }
        if (fabs(size - before) < 1e-6 * size) {
            break;
        }
    }
    double inertia = 0.0, force = 0.0;
    tml_system_mass_mul(sys, &w->s, x, Mx);
    for (int k = 0; k < dim->nu; ++k) {
        inertia += x[k] * Mx[k];
        force -= x[k] * w->r[k];
    }
    *pull = inertia > 0.0 ? force / inertia : 0.0;
    return true;
}

double tml_statics_no_stiffness(const Work *w)
{
    const double weight = v3_norm(w->sim->model->gravity) / tml_dims(w->sys)->length;
    return fmax(1e-7 / w->tau_first, 1e-9 * weight);
}

static bool resists(const Work *w, double stiffness)
{
    return fabs(stiffness) > tml_statics_no_stiffness(w);
}

void tml_statics_acceleration(Work *w, const TmlState *s, double *u)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    tml_system_kinematics(sys, s, false);
    tml_spin_motion(sys, &w->info.spin, s->q, true, w->u);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlFrameKin *k = tml_body_motion(sys, b);
        const double a[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        for (int i = dim->span[b].u0; i < dim->span[b + 1].u0; ++i) {
            u[i] = a[i - dim->span[b].u0] - w->u[i];
        }
    }
}

/* Sets x to the acceleration with which the forces without balance start to move w->s, as a motion
 * of size 1. It returns its size in 1/s^2, or 0 when it is not to be had. */
static double first_motion(Work *w, double *x)
{
    TmlSystem *sys = w->sys;
    TmlError ignored;
    if (tml_system_accelerations(sys, &w->s, &ignored) != TML_OK) {
        return 0.0;
    }
    tml_statics_acceleration(w, &w->s, x);
    const double size = tml_statics_size(w, x);
    for (int k = 0; k < tml_dims(sys)->nu; ++k) {
        x[k] /= size;
    }
    return isfinite(size) ? size : 0.0;
}

TmlStatus tml_statics_none(Work *w, double *x, TmlError *err)
{
    char who[512];
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double stiffness = 0.0, pull = 0.0;
    // at the start resistance may be zero by chance, as that of a pendulum held level
    tml_state_copy(sys, &w->lost, &w->s);
    tml_system_commit(sys, &w->s);
    if (tml_statics_weakest(w, true, x, &stiffness, &pull) && !resists(w, stiffness)) {
        for (int k = 0; k < dim->nu; ++k) {
            x[k] = pull < 0.0 ? -x[k] : x[k];
        }
        tml_motion_name(sys, &w->s, x, who, sizeof who);
        return tml_fail(
            err, TML_E_SINGULAR,
            "no static equilibrium: nothing holds %s, with an acceleration of %.4g m/s^2; "
            "hold it with a joint or a spring",
            who, fabs(pull) * dim->length);
    }
    const double size = first_motion(w, x);
    if (!(size > 0.0)) {
        return tml_fail(err, TML_E_STEP,
                        "no static equilibrium was found in %d iterations; start nearer to one, or "
                        "run the model with damping until it rests",
                        (int)w->info.iterations);
    }
    // far from balance the resistance to a motion depends on the coordinates it is measured in
    tml_motion_name(sys, &w->s, x, who, sizeof who);
    return tml_fail(err, TML_E_STEP,
                    "no static equilibrium was found in %d iterations: at the end forces still "
                    "drive %s, with an acceleration of %.4g m/s^2; hold free bodies, start nearer "
                    "to an equilibrium, or run the model with damping until it comes to rest",
                    (int)w->info.iterations, who, size * dim->length);
}
