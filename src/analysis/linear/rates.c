/* analysis/linear/rates.c - the time scales of a model at its present state.
 *
 *   (U1)  |J2|, sqrt |J1|, |J3|: derivatives of the accelerations by velocities and positions along the
 *         constraints, and of the user states' rates by the states; the largest eigenvalues by power
 *         iteration on differences
 *   (U2)  how fast the motion itself goes: the largest over the bodies of |v| / L, |w| and (U3), and 10 / t_end
 *   (U3)  what an acceleration makes of a body at rest. It turns it by a radian, or moves it by L, in sqrt(L / |a|);
 *         where it dies out at a rate r before that, what is left is a velocity |a| / r:
 *         min(sqrt(|a| / L), |a| / (L r)), r = max(|J2 a| / |a|, sqrt(|J1 a| / |a|))                       own
 *
 * A stiff spring or damper that starts far from its balance makes large accelerations for a moment; without r
 * these would count as fast motion, and the model as one that is not stiff.
 */
#include "analysis/linear/rates.h"

#include "base/arena.h"

#include <math.h>
#include <stdint.h>

typedef enum Derivative { BY_VELOCITY, BY_POSITION, BY_STATE } Derivative;

/* The work of an estimate: a direction and its image, and a disturbed state. */
typedef struct Estimate {
    TmlSystem *sys;
    const TmlState *now;
    TmlState s;
    double *y, *dq; /* max(nu, nx), nq */
} Estimate;

/* Returns how many numbers a direction has: u-components in lengths L and radians, or user
 * states. */
static int direction_size(const TmlSystem *sys, Derivative by)
{
    const TmlDims *dim = tml_dims(sys);
    return by == BY_STATE ? dim->nx : dim->nu;
}

/* Turns the translations of y from lengths L to metres (or back with 1 / L). */
static void scale_direction(const TmlSystem *sys, double L, double *y)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlTriple t = tml_triple(sys, b, false);
        for (int k = t.first; k < t.first + t.n; ++k) {
            y[k] *= L;
        }
    }
}

/* Sets e->s to the present state, disturbed by eps along y. */
static void disturb(Derivative by, double eps, Estimate *e)
{
    const TmlSystem *sys = e->sys;
    const TmlDims *dim = tml_dims(sys);
    tml_state_copy(sys, e->now, &e->s);
    if (by == BY_STATE) {
        for (int k = 0; k < dim->nx; ++k) {
            e->s.X[k] += eps * e->y[k];
        }
        return;
    }
    scale_direction(sys, dim->length, e->y);
    tml_system_expand(sys, e->now->q, e->y, e->dq);
    double *to = by == BY_VELOCITY ? e->s.v : e->s.q;
    for (int k = 0; k < dim->nq; ++k) {
        to[k] += eps * e->dq[k];
    }
    tml_system_retract(sys, e->s.q);
    tml_system_retract_velocity(sys, e->s.q, e->s.v);
}

/* Scales y[n] to one and returns what its norm was. */
static double normalise(int n, double *y)
{
    double norm = 0.0;
    for (int k = 0; k < n; ++k) {
        norm += y[k] * y[k];
    }
    norm = sqrt(norm);
    for (int k = 0; k < n && norm > 0.0; ++k) {
        y[k] /= norm;
    }
    return isfinite(norm) ? norm : 0.0;
}

/* Sets y to the change of accelerations (or of rates of states) over eps. It returns |y| before y
 * is scaled to one, which tends to |J2|, |J1| or |J3|; 0 when there is none. */
static double power_step(Derivative by, Estimate *e)
{
    const TmlSystem *sys = e->sys;
    const TmlDims *dim = tml_dims(sys);
    const double eps = 1e-6;
    disturb(by, eps, e);
    if (tml_system_accelerations(e->sys, &e->s, NULL) != TML_OK) {
        return 0.0;
    }
    for (int k = 0; k < dim->nx && by == BY_STATE; ++k) {
        e->y[k] = (e->s.Xd[k] - e->now->Xd[k]) / eps;
    }
    if (by != BY_STATE) {
        for (int k = 0; k < dim->nq; ++k) {
            e->dq[k] = (e->s.a[k] - e->now->a[k]) / eps;
        }
        tml_system_reduce(sys, e->now->q, e->dq, e->y);
        scale_direction(sys, 1.0 / dim->length, e->y);
    }
    return normalise(direction_size(sys, by), e->y);
}

static double largest_rate(Derivative by, Estimate *e)
{
    enum { ITERATIONS = 8 };
    const int n = direction_size(e->sys, by);
    double rate = 0.0;
    uint64_t seed = 11;
    for (int k = 0; k < n; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        e->y[k] = (double)(int64_t)seed * 0x1.0p-63 / sqrt((double)n);
    }
    for (int k = 0; k < ITERATIONS && n > 0; ++k) {
        const double last = rate;
        rate = power_step(by, e);
        if (rate == 0.0 || fabs(rate - last) < 1e-3 * rate) {
            break;
        }
    }
    return rate;
}

/* Returns the r of (U3). */
static double transience(Estimate *e)
{
    const TmlDims *dim = tml_dims(e->sys);
    double rate[2] = {0.0};
    for (int by = BY_VELOCITY; by <= BY_POSITION; ++by) {
        tml_system_reduce(e->sys, e->now->q, e->now->a, e->y);
        scale_direction(e->sys, 1.0 / dim->length, e->y);
        rate[by] = normalise(dim->nu, e->y) > 0.0 ? power_step((Derivative)by, e) : 0.0;
    }
    return fmax(rate[BY_VELOCITY], sqrt(rate[BY_POSITION]));
}

/* (U2) */
static double motion_rate(TmlSystem *sys, const TmlState *s, double end, double r)
{
    double rate = 10.0 / end;
    tml_system_kinematics(sys, s, false);
    for (int b = 1; b < tml_dims(sys)->nb; ++b) {
        const TmlPace pace = tml_body_pace(sys, b);
        const double a = pace.acceleration, gained = fmin(sqrt(a), r > 0.0 ? a / r : HUGE_VAL);
        rate = fmax(rate, fmax(pace.rate, gained)); // (U3)
    }
    return rate;
}

TmlRates tml_rates_at(TmlSystem *sys, const TmlState *s, double end)
{
    const TmlDims *dim = tml_dims(sys);
    TmlArena scratch = {0};
    Estimate e = {.sys = sys, .now = s};
    TmlRates rates = {0};
    double r = 0.0;
    e.y =
        tml_arena_alloc(&scratch, (size_t)(dim->nu > dim->nx ? dim->nu : dim->nx) + 1, sizeof *e.y);
    e.dq = tml_arena_alloc(&scratch, (size_t)dim->nq + 1, sizeof *e.dq);
    if (e.y != NULL && e.dq != NULL && tml_state_create_in(sys, &scratch, &e.s, NULL) == TML_OK) {
        rates.damping = largest_rate(BY_VELOCITY, &e);
        rates.oscillation = sqrt(largest_rate(BY_POSITION, &e));
        rates.states = largest_rate(BY_STATE, &e);
        r = transience(&e);
    }
    rates.motion = motion_rate(sys, s, end, r);
    tml_arena_free(&scratch);
    return rates;
}

double tml_rates_fastest(const TmlRates *r)
{
    return fmax(fmax(r->damping, r->oscillation), r->states);
}
