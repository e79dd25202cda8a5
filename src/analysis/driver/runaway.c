/* analysis/driver/runaway.c - tells a motion that runs away from one that is merely large or fast.
 *
 * A damper with the wrong sign makes speeds grow as exp(k t). Nothing fails then: steps become
 * shorter as the motion becomes faster, and a run that could go on to 1e300 would take for ever. It
 * is ended when the growth is steady, so that what is flung or spun up at a limited rate is left
 * alone, and
 *
 *   (W1)  positions are so large that their rounding, eps |r|, exceeds the tolerance: errors of
 *         steps cannot be told any more; the same of angles, |w| times the time of a doubling, which joint
 *         coordinates count without making steps shorter; or
 *   (W2)  steps have become shorter in proportion, and would at this rate fall below the smallest
 *         allowed before the end; or
 *   (W4)  the largest rate r = max(|v| / L, |w|) is a thousand times what the model has of its own:
 *         its rates and sqrt(|a| / L) at the start, sqrt(g / L), and one over the time of a
 *         doubling. Feedback with a delay oscillates at a frequency of its own while it grows, and
 *         steps shrink less than in proportion: of models with delays or states. A state, with
 *         delays: 1e12 times its scale; or
 *   (W3)  a value is above 1e100, whose products with others do not fit into a number.
 *
 * Steady: of the last 16 doublings of the largest speed (a factor of 65,000) the latter half took
 * as long as the former, within a factor of 1.5. An oscillation that grows does so in bursts, which
 * such a factor allows for. At a constant acceleration the latter takes 256 times as long, and any
 * power of time below the 13th is not steady; where a force has a pole or a mechanism locks up it
 * takes a small part, and the steps end there by themselves. A pendulum that falls from near its
 * upper rest grows steadily, but does not make steps shorter and stays where it is.
 */
#include "analysis/driver/runaway.h"

#include "analysis/driver/sim_internal.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double unevenness = 1.5, proportion_limit = 0.7, largest_size = 1e100;
static const double beyond = 1e3, state_beyond = 1e12; // (W4)

/* Notes a doubling at time t with steps h. */
static void push(TmlGrowth *g, double t, double h)
{
    memmove(g->t + 1, g->t, sizeof g->t - sizeof *g->t);
    memmove(g->h + 1, g->h, sizeof g->h - sizeof *g->h);
    g->t[0] = t;
    g->h[0] = h;
    g->doublings += g->doublings < TML_GROWTH_DOUBLINGS;
}

void tml_growth_add(TmlGrowth *g, double x, double t, double h)
{
    if (!(x > 0.0) || !isfinite(x)) {
        return;
    }
    if (g->level <= 0.0) {
        *g = (TmlGrowth){.level = x, .t = {t}, .h = {h}};
        return;
    }
    const int n = ilogb(x / g->level);
    for (int k = 1; k <= n && k <= TML_GROWTH_DOUBLINGS; ++k) { // a step may hold several
        push(g, t - h + h * k / n, h);
    }
    g->level = n > 0 ? ldexp(g->level, n) : g->level;
}

bool tml_growth_is_steady(const TmlGrowth *g)
{
    enum { LAST = TML_GROWTH_DOUBLINGS, MIDDLE = LAST / 2 };
    const double late = g->t[0] - g->t[MIDDLE], early = g->t[MIDDLE] - g->t[LAST];
    return g->doublings >= LAST && late <= unevenness * early && early <= unevenness * late;
}

double tml_growth_interval(const TmlGrowth *g)
{
    return (g->t[0] - g->t[TML_GROWTH_DOUBLINGS]) / TML_GROWTH_DOUBLINGS;
}

bool tml_growth_costs_steps(const TmlGrowth *g)
{
    const double first = g->h[TML_GROWTH_DOUBLINGS];
    return tml_growth_is_steady(g) &&
           log2(first / g->h[0]) >= proportion_limit * TML_GROWTH_DOUBLINGS;
}

/* --- what is watched ------------------------------------------------------------------------ */

typedef struct Largest {
    double speed, spin, way; /* of any body: m/s, rad/s, m from the origin */
    int fastest, farthest;
    double state; /* over its scale */
    int at;
} Largest;

static Largest find_largest(const TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s = &sim->it.now;
    Largest big = {.fastest = -1, .farthest = -1, .at = -1};
    double rate = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        const TmlFrameKin *k = tml_body_motion(sys, b); // of the last evaluation, close enough
        const TmlPace pace = tml_body_pace(sys, b);
        if (pace.rate > rate) {
            rate = pace.rate;
            big.speed = v3_norm(k->v);
            big.spin = v3_norm(k->omega);
            big.fastest = b;
        }
        if (pace.way * dim->length > big.way) {
            big.way = pace.way * dim->length;
            big.farthest = b;
        }
    }
    for (int k = 0; k < dim->nx; ++k) {
        const double x = fabs(s->X[k]) / sim->runaway.scale[k];
        if (x > big.state) {
            big.state = x;
            big.at = k;
        }
    }
    return big;
}

static const char advice[] =
    "something adds energy: check the signs of forces, torques and dampers, and of feedback";

static TmlStatus fail_away(TmlSim *sim, const Largest *big, TmlError *err)
{
    sim->runaway.happened = true;
    return tml_fail(
        err, TML_E_STEP,
        "body '%s' runs away: at t = %.9g s it is %.3g m from the origin, where rounding "
        "exceeds the tolerance, and the speed of body '%s', %.3g m/s, doubles every "
        "%.3g s; %s",
        tml_body_name(sim->sys, big->farthest), sim->it.now.t, big->way,
        tml_body_name(sim->sys, big->fastest), big->speed,
        tml_growth_interval(&sim->runaway.motion), advice);
}

/* Returns the time at which steps would have shrunk to the smallest that is allowed. */
static double ends_at(const TmlSim *sim, const TmlGrowth *g)
{
    return sim->it.now.t + tml_growth_interval(g) * log2(fmax(g->h[0] / sim->control.h_min, 1.0));
}

/* Writes what grows, how large it is and when. */
static void name_growth(const TmlSim *sim, const Largest *big, const TmlGrowth *g, char *what,
                        size_t size)
{
    const bool motion = g == &sim->runaway.motion;
    if (motion) {
        const bool turns = big->spin > big->speed / tml_dims(sim->sys)->length;
        snprintf(what, size, "body '%s' runs away: its %s, %.3g %s at t = %.9g s",
                 tml_body_name(sim->sys, big->fastest), turns ? "angular velocity" : "speed",
                 turns ? big->spin : big->speed, turns ? "rad/s" : "m/s", sim->it.now.t);
    } else {
        snprintf(what, size, "state '%s' runs away: its value, %.3g at t = %.9g s",
                 sim->model->states.at[big->at].name, sim->it.now.X[big->at], sim->it.now.t);
    }
}

static TmlStatus fail_fast(TmlSim *sim, const Largest *big, const TmlGrowth *g, TmlError *err)
{
    char what[256];
    name_growth(sim, big, g, what, sizeof what);
    sim->runaway.happened = true;
    return tml_fail(
        err, TML_E_STEP,
        "%s, has doubled every %.3g s, %d times at least, and steps became as much "
        "shorter; at this rate they are below the smallest allowed, %.3g s, at t = %.3g "
        "s; %s",
        what, tml_growth_interval(g), TML_GROWTH_DOUBLINGS, sim->control.h_min, ends_at(sim, g),
        advice);
}

/* Returns the rate that the model has of its own, for (W4), in 1/s. */
static double own_rate(TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlRunaway *w = &sim->runaway;
    if (w->own <= 0.0) { // the first step is over, close enough to the start
        w->own = sqrt(v3_norm(tml_system_gravity(sys)) / dim->length);
        for (int b = 1; b < dim->nb; ++b) {
            const TmlPace pace = tml_body_pace(sys, b);
            w->own = fmax(w->own, fmax(pace.rate, sqrt(pace.acceleration)));
        }
        w->own = fmax(w->own, 1.0 / sim->end);
    }
    return w->own;
}

static TmlStatus fail_beyond(TmlSim *sim, const Largest *big, const TmlGrowth *g, TmlError *err)
{
    char what[256];
    name_growth(sim, big, g, what, sizeof what);
    sim->runaway.happened = true;
    return tml_fail(err, TML_E_STEP,
                    "%s, has doubled every %.3g s, %d times at least, and is far beyond the normal "
                    "motion of the model; %s, and the time of delays",
                    what, tml_growth_interval(g), TML_GROWTH_DOUBLINGS, advice);
}

static TmlStatus fail_turning(TmlSim *sim, const Largest *big, TmlError *err)
{
    const TmlGrowth *g = &sim->runaway.motion;
    char what[256];
    name_growth(sim, big, g, what, sizeof what);
    sim->runaway.happened = true;
    return tml_fail(err, TML_E_STEP,
                    "%s, has doubled every %.3g s, %d times at least, and rounding of its angle "
                    "exceeds the tolerance; %s",
                    what, tml_growth_interval(g), TML_GROWTH_DOUBLINGS, advice);
}

static TmlStatus fail_large(TmlSim *sim, const Largest *big, TmlError *err)
{
    const bool state = big->state > largest_size;
    sim->runaway.happened = true;
    return tml_fail(
        err, TML_E_NONFINITE,
        "%s '%s' runs away: at t = %.9g s values are above 1e100, more than arithmetic "
        "can carry; %s",
        state ? "state" : "body",
        state ? sim->model->states.at[big->at].name
              : tml_body_name(sim->sys, big->way > largest_size ? big->farthest : big->fastest),
        sim->it.now.t, advice);
}

TmlStatus tml_sim_runaway_setup(TmlSim *sim, TmlError *err)
{
    TML_NEW(tml_system_arena(sim->sys), sim->runaway.scale, tml_dims(sim->sys)->nx);
    return TML_OK;
}

void tml_sim_runaway_start(TmlSim *sim)
{
    for (int k = 0; k < tml_dims(sim->sys)->nx; ++k) {
        sim->runaway.scale[k] = fmax(tml_sim_scales_size(sim, k), 1e-9);
    }
}

bool tml_sim_ran_away(const TmlSim *sim)
{
    return sim->runaway.happened;
}

TmlStatus tml_sim_runaway(TmlSim *sim, double h, TmlError *err)
{
    const TmlDims *dim = tml_dims(sim->sys);
    TmlRunaway *w = &sim->runaway;
    const double length = dim->length, t = sim->it.now.t;
    const Largest big = find_largest(sim);
    const TmlGrowth *const growth[] = {&w->motion, &w->states};
    tml_growth_add(&w->motion, fmax(big.speed / length, big.spin), t, h);
    tml_growth_add(&w->states, big.state, t, h);
    if (big.way > largest_size || big.speed > largest_size || big.spin > largest_size ||
        big.state > largest_size) {
        return fail_large(sim, &big, err); // (W3)
    }
    if (DBL_EPSILON * big.way > sim->tolerance * length && tml_growth_is_steady(&w->motion)) {
        return fail_away(sim, &big, err); // (W1)
    }
    if (DBL_EPSILON * big.spin * tml_growth_interval(&w->motion) > sim->tolerance &&
        tml_growth_is_steady(&w->motion)) {
        return fail_turning(sim, &big, err); // (W1)
    }
    const double own = own_rate(sim);
    const bool fed = tml_system_is_delayed(sim->sys) || dim->nx > 0;
    const bool far[] = {fed && fmax(big.speed / length, big.spin) >
                                   beyond * fmax(own, 1.0 / tml_growth_interval(&w->motion)),
                        tml_system_is_delayed(sim->sys) && big.state > state_beyond};
    for (int k = 0; k < 2; ++k) {
        if (far[k] && tml_growth_is_steady(growth[k])) {
            return fail_beyond(sim, &big, growth[k], err); // (W4)
        }
        if (tml_growth_costs_steps(growth[k]) && ends_at(sim, growth[k]) < sim->end) {
            return fail_fast(sim, &big, growth[k], err); // (W2)
        }
    }
    return TML_OK;
}
