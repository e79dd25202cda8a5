/* analysis/driver/state_scales.c - scales of user states, found by the program.
 *
 * A state may be a current, a bristle of a micrometre or a pressure of 1e8 Pa, and many start at
 * zero with a rate of zero. Its allowed error is the tolerance times
 *
 *   (X0)  the scale in the model, if there is one; else max(|X| so far, floor)
 *
 * and the floor, which lets a state come to life, follows from the equations around it. With
 *
 *   (X1)  A = max(|a|/L, |alpha|, |g|/L, (|v|/L)^2, omega^2) so far, and at least 0.01 1/s^2, which
 *         is a motion by the length L of the model in 14 s: rest
 *   (X2)  acts_k = c A / |da/dX_k|                  the state that moves the bodies as much as A
 *   (X3)  acts_k = min_j acts_j / (|dX'_j/dX_k| T_j)      the same by way of other states j
 *   (X4)  led_k = max(c (|X'_k| + |dX'_k|_motion) T_k, 0.1 |X'_k / (dX'_k/dX_k)|)
 *         what the present rate leads to, and a motion by L at the rate sqrt(A), now or later
 *   (X5)  led_k = max_j |dX'_k/dX_j| led_j T_k            the same by way of other states j
 *   (X6)  T_k = min(1 / sqrt(A), 1 / |dX'_k/dX_k|)        how long the state remembers
 *   (X7)  rounding of X_k by that of positions: eps (r / L) |dX'_k|_motion / sqrt(A), r the largest
 *         coordinate. A state that integrates a velocity has no more digits than the position
 *
 *   (X8)  noise_k = 16 |dX'_k| T_k, dX'_k by changes of q in the last digits; by way of other states
 *         as in (X5). Where led_k is below it, the rate is that of a zero, as of the angle between a
 *         body and itself, and an error of noise_k is allowed. Axes along those of the world have
 *         products without rounding: dX'_k is the larger of that here and that with all bodies turned
 *         by 0.3 rad or so, each about an axis of its own. Joints need not hold there, for dX'_k is a
 *         slope times the last digit wherever it is taken
 *
 *   (X9)  The bristle of a contact is a displacement: where no weight tells how far it bends, its
 *         scale is at least c L. Before the shapes touch nothing leads to it and it acts on nothing
 *
 * the floor is the lesser of acts_k and led_k, or the one that is known. Each is a guess that may
 * be far too large (a state that hardly acts; one that nothing leads to where it could go), which
 * is why the lesser counts, and c = 1e-3. X_k in other units gives the same steps. The length of
 * the run is nowhere in it.
 *
 * (X4) grows with the rates that are seen. A try in which a state of which nothing was known, or
 * which was thought to be large, shows its first rate is made once more, with what that tells. At a
 * jump the rate has no order in the step: a try that is far shorter than T_k and still too
 * inaccurate raises |X| so far to what the jump leads to, |X'_k| T_k.
 */
#include "analysis/driver/sim_internal.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MANY_STATES = 200 }; /* (X3), (X5) are left out above */
enum { KEPT = 6 };          /* numbers of a state that a run goes on with */

static const double guessed_part = 1e-3;    // c
static const double own_guessed_part = 0.1; // c of a state with a time constant of its own
static const double rest_rate = 1e-2;       // 1/s^2: (X1)
static const double unknown_scale = 1e-30;  // scale of a state of which nothing at all is known
static const double jump_part = 1e-6;
static const double noise_units = 16.0; // (X8): of the largest change by rounding that was seen
static const double usual_turn = 0.3;   // rad: (X8)

TmlStatus tml_sim_scales_setup(TmlSim *sim, TmlError *err)
{
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlStateScales *w = &sim->scales;
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    const int first = dim->nu + dim->m;
    w->given = true;
    w->acceleration = rest_rate;
    for (int k = 0; k < dim->nx; ++k) {
        w->given = w->given && sim->model->states.at[k].scale > 0.0;
    }
    w->entries = K->start[first + dim->nx] - K->start[first];
    TML_NEW(tml_system_arena(sys), w->seen, KEPT * dim->nx);
    w->acts = w->seen + dim->nx;
    w->led = w->acts + dim->nx;
    w->motion = w->led + dim->nx;
    w->noise = w->motion + dim->nx;
    w->rate = w->noise + dim->nx;
    TML_NEW(tml_system_arena(sys), w->q, 2 * dim->nq);
    TML_NEW(tml_system_arena(sys), w->r, dim->n);
    TML_NEW(tml_system_arena(sys), w->y, dim->n);
    TML_NEW(tml_system_arena(sys), w->column, w->entries);
    if (dim->nx <= MANY_STATES && !w->given) {
        TML_NEW(tml_system_arena(sys), w->J, dim->nx * dim->nx);
    }
    return TML_OK;
}

/* Updates A of (X1) at the last kinematics. */
static void see_motion(TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    double a = fmax(sim->scales.acceleration, rest_rate);
    a = fmax(a, v3_norm(tml_system_gravity(sys)) / dim->length);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlPace pace = tml_body_pace(sys, b);
        a = fmax(a, fmax(pace.acceleration, pace.rate * pace.rate));
    }
    sim->scales.acceleration = isfinite(a) ? a : sim->scales.acceleration;
}

/* (X6) */
static double memory_time(const TmlStateScales *w, int k)
{
    return 1.0 / fmax(sqrt(w->acceleration), w->rate[k]);
}

/* Returns (X4) for a rate of the state. */
static double led_by(const TmlStateScales *w, int k, double rate)
{
    const double time = memory_time(w, k);
    const bool own = w->rate[k] * time >= 1.0;
    return fmax(guessed_part * (fabs(rate) + w->motion[k]) * time,
                own ? own_guessed_part * fabs(rate) * time : 0);
}

static double floor_of(const TmlStateScales *w, int k)
{
    const double least = fmin(w->acts[k], w->led[k]);
    return least > 0.0 ? least : fmax(w->acts[k], w->led[k]);
}

/* (X0) */
double tml_sim_scales_acceleration(const TmlSim *sim)
{
    return sim->scales.acceleration;
}

double tml_sim_scales_size(const TmlSim *sim, int k)
{
    const double given = sim->model->states.at[k].scale;
    const TmlStateScales *w = &sim->scales;
    const double least = tml_system_is_bristle(sim->sys, k)
                             ? guessed_part * tml_dims(sim->sys)->length // (X9)
                             : unknown_scale;
    return given > 0.0 ? given : fmax(fmax(w->seen[k], floor_of(w, k)), least);
}

static void set_allowed(TmlSim *sim)
{
    const TmlStateScales *w = &sim->scales;
    const TmlNorm *norm = &sim->it.norm;
    if (tml_dims(sim->sys)->nx == 0) {
        return;
    }
    // (X7): eps r / L, r the largest coordinate, times what a motion by L leads to
    const double last_place = tml_norm_rounding(sim->sys, norm, sim->it.now.q) * norm->translation /
                              tml_dims(sim->sys)->length / sqrt(w->acceleration);
    for (int k = 0; k < tml_dims(sim->sys)->nx; ++k) {
        const double noise = w->led[k] <= w->noise[k] ? w->noise[k] : 0.0; // (X8)
        norm->state[k] = fmax(sim->tolerance * tml_sim_scales_size(sim, k), noise);
        norm->state_rounding[k] = last_place * w->motion[k];
    }
}

static void see(double *largest, double x)
{
    if (isfinite(x) && fabs(x) > *largest) {
        *largest = fabs(x);
    }
}

void tml_sim_scales_accept(TmlSim *sim)
{
    const TmlDims *dim = tml_dims(sim->sys);
    TmlStateScales *w = &sim->scales;
    if (dim->nx == 0 && !tml_system_is_delayed(sim->sys)) {
        return;
    }
    see_motion(sim);
    for (int k = 0; k < dim->nx; ++k) {
        see(&w->seen[k], sim->it.now.X[k]);
        see(&w->led[k], led_by(w, k, sim->it.now.Xd[k]));
    }
    set_allowed(sim);
}

bool tml_sim_scales_judge(TmlSim *sim, double error)
{
    TmlStateScales *w = &sim->scales;
    bool anew = false;
    for (int k = 0; k < tml_dims(sim->sys)->nx; ++k) {
        if (w->led[k] == 0.0 && !(sim->model->states.at[k].scale > 0.0)) {
            const double before = tml_sim_scales_size(sim, k);
            see(&w->led[k], led_by(w, k, sim->it.next.Xd[k]));
            const double size = tml_sim_scales_size(sim, k);
            anew = anew || size < 0.5 * before || (size > 2.0 * before && error > 1.0);
        }
    }
    if (anew) {
        set_allowed(sim);
    }
    return anew;
}

void tml_sim_scales_reject(TmlSim *sim, double h)
{
    const TmlDims *dim = tml_dims(sim->sys);
    TmlStateScales *w = &sim->scales;
    for (int k = 0; k < dim->nx; ++k) {
        const double time = memory_time(w, k);
        if (h < jump_part * time) {
            see(&w->seen[k], sim->it.next.X[k]);
            see(&w->seen[k], sim->it.next.Xd[k] * time);
        }
    }
    if (dim->nx > 0) {
        set_allowed(sim);
    }
}

/* --- sensitivities ---------------------------------------------------------------------------- */

/* Turns a change of right sides r into what it does to accelerations, X', V and F, which is minus
 * K^-1 r. Signs do not matter here. */
static void respond(TmlSystem *sys, double *r)
{
    const TmlDims *dim = tml_dims(sys);
    memset(r + dim->nu, 0, (size_t)dim->m * sizeof *r); // the mechanism stays where it is
    tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
}

/* Sets |da/dX_k| for all k in w->acts, and w->rate and w->J. The columns of X' hold dR/dX' + c_x
 * dR/dX. */
static void look_at_states(TmlSystem *sys, const TmlState *s, TmlStateScales *w)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    const int column = dim->nu + dim->m, first = K->start[column];
    memcpy(w->column, K->x + first, (size_t)w->entries * sizeof *w->column);
    tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0}, 1.0);
    for (int k = 0; k < dim->nx; ++k) {
        memset(w->r, 0, (size_t)dim->n * sizeof *w->r);
        for (int p = K->start[column + k]; p < K->start[column + k + 1]; ++p) {
            w->r[K->row[p]] = K->x[p] - w->column[p - first];
        }
        respond(sys, w->r);
        double a = 0.0;
        for (int i = 0; i < dim->nu; ++i) {
            a = fmax(a, fabs(w->r[i]) / dim->unit[i]);
        }
        w->acts[k] = isfinite(a) ? a : 0.0;
        w->rate[k] = isfinite(w->r[column + k]) ? fabs(w->r[column + k]) : 0.0;
        for (int j = 0; j < dim->nx && w->J != NULL; ++j) {
            w->J[j * dim->nx + k] = fabs(w->r[column + j]);
        }
    }
}

/* r += K y */
static void add_product(const TmlCsc *K, int columns, const double *y, double *r)
{
    for (int c = 0; c < columns; ++c) {
        for (int p = K->start[c]; p < K->start[c + 1]; ++p) {
            r[K->row[p]] += K->x[p] * y[c];
        }
    }
}

/* Returns a number from -1 to 1. */
static double by_lot(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

/* Sets w->motion to the rates of the states that a motion of the usual size brings. Any direction
 * of the motion will do. */
static void look_at_motion(TmlSystem *sys, const TmlState *s, TmlStateScales *w)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    uint64_t seed = 17;
    for (int k = 0; k < dim->nu; ++k) {
        const double x = by_lot(&seed);
        w->y[k] = dim->unit[k] * (x + copysign(0.5, x));
    }
    memset(w->r, 0, (size_t)dim->n * sizeof *w->r);
    tml_system_jacobian(sys, s, (TmlCoeffs){.q = 1.0}, 0.0);
    add_product(K, dim->nu, w->y, w->r);
    tml_system_jacobian(sys, s, (TmlCoeffs){.v = sqrt(w->acceleration)}, 0.0);
    add_product(K, dim->nu, w->y, w->r);
    respond(sys, w->r);
    for (int k = 0; k < dim->nx; ++k) {
        see(&w->motion[k], w->r[dim->nu + dim->m + k]);
    }
}

/* A factor of time, sin(w t) at the start, may be zero just now: (X4) takes the larger of the
 * couplings of now and of a later time, which is any. */
static const double later = 0.618; // of 1 / sqrt(A)

static void look_at_motion_later(TmlSystem *sys, const TmlState *s, TmlStateScales *w)
{
    TmlState then = *s;
    then.t += later / sqrt(w->acceleration);
    tml_system_residual(sys, &then, TML_LEVEL_ACCELERATION, w->r);
    look_at_motion(sys, &then, w);
    tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, w->r);
}

/* Raises w->noise to dX' of (X8) at s, the largest of four. near: room for another state. */
static void look_at_last_digits(TmlSystem *sys, const TmlState *s, TmlState *near,
                                TmlStateScales *w, uint64_t *seed)
{
    enum { TRIALS = 4 };
    const TmlDims *dim = tml_dims(sys);
    tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, w->y);
    for (int trial = 0; trial < TRIALS; ++trial) {
        for (int k = 0; k < dim->nq; ++k) {
            const double last = DBL_EPSILON * fmax(fabs(s->q[k]), dim->unit_q[k]);
            near->q[k] = s->q[k] + 2.0 * last * by_lot(seed);
        }
        tml_system_residual(sys, near, TML_LEVEL_ACCELERATION, w->r);
        for (int k = 0; k < dim->n; ++k) {
            w->r[k] -= w->y[k];
        }
        respond(sys, w->r);
        for (int k = 0; k < dim->nx; ++k) {
            see(&w->noise[k], w->r[dim->nu + dim->m + k]);
        }
    }
}

/* Sets w->noise to dX' of (X8), here and with all bodies turned. */
static void look_at_noise(TmlSystem *sys, const TmlState *s, TmlStateScales *w)
{
    const TmlDims *dim = tml_dims(sys);
    TmlState near = *s, turned = *s;
    uint64_t seed = 29;
    near.q = w->q;
    turned.q = w->q + dim->nq;
    memset(w->noise, 0, (size_t)dim->nx * sizeof *w->noise);
    look_at_last_digits(sys, s, &near, w, &seed);
    memcpy(turned.q, s->q, (size_t)dim->nq * sizeof *turned.q);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlVec3 way = {by_lot(&seed), by_lot(&seed), by_lot(&seed)};
        tml_body_turn(sys, turned.q, b, v3_scale(usual_turn, way));
    }
    look_at_last_digits(sys, &turned, &near, w, &seed);
    tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, w->r);
}

/* Applies (X3), a state at a time, by the fewest others between it and the motion; y is scratch. */
static void act_by_others(const TmlStateScales *w, int n, double *y)
{
    for (bool found = true; found;) {
        found = false;
        for (int k = 0; k < n; ++k) {
            y[k] = w->acts[k];
            for (int j = 0; j < n && w->acts[k] == 0.0; ++j) {
                const double x = w->acts[j] / (w->J[j * n + k] * memory_time(w, j));
                const bool reaches = w->acts[j] > 0.0 && isfinite(x);
                y[k] = reaches && (y[k] == 0.0 || x < y[k]) ? x : y[k];
            }
            found = found || y[k] != w->acts[k];
        }
        memcpy(w->acts, y, (size_t)n * sizeof *y);
    }
}

/* Applies (X5) in the same manner to w->led or w->noise. */
static void led_by_others(const TmlStateScales *w, double *led, int n, double *y)
{
    for (bool found = true; found;) {
        found = false;
        for (int k = 0; k < n; ++k) {
            y[k] = led[k];
            for (int j = 0; j < n && led[k] == 0.0; ++j) {
                see(&y[k], w->J[k * n + j] * led[j] * memory_time(w, k));
            }
            found = found || y[k] != led[k];
        }
        memcpy(led, y, (size_t)n * sizeof *y);
    }
}

static void look(TmlSim *sim)
{
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlStateScales *w = &sim->scales;
    const TmlState *s = &sim->it.now;
    look_at_states(sys, s, w);
    memset(w->motion, 0, (size_t)dim->nx * sizeof *w->motion);
    look_at_motion(sys, s, w);
    look_at_motion_later(sys, s, w);
    look_at_noise(sys, s, w);
    for (int k = 0; k < dim->nx; ++k) {
        const double x = guessed_part * w->acceleration / w->acts[k]; // (X2)
        w->acts[k] = isfinite(x) ? x : 0.0;
        see(&w->led[k], led_by(w, k, s->Xd[k]));
        w->noise[k] *= noise_units * memory_time(w, k);
    }
    if (w->J != NULL) {
        act_by_others(w, dim->nx, w->r);
        led_by_others(w, w->led, dim->nx, w->r);
        led_by_others(w, w->noise, dim->nx, w->r);
    }
    tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0}, 0.0);
}

/* Tells whether every state has become as large as its floor: the equations say nothing more
 * then. */
static bool all_alive(const TmlSim *sim)
{
    const TmlStateScales *w = &sim->scales;
    for (int k = 0; k < tml_dims(sim->sys)->nx; ++k) {
        if (!(w->seen[k] > floor_of(w, k))) {
            return false;
        }
    }
    return true;
}

void tml_sim_scales_start(TmlSim *sim)
{
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlStateScales *w = &sim->scales;
    if (dim->nx == 0) {
        return;
    }
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    const int first = dim->nu + dim->m;
    for (int k = 0; k < dim->nx; ++k) {
        see(&w->seen[k], sim->it.now.X[k]);
    }
    if (!w->given && !all_alive(sim) && K->start[first + dim->nx] - K->start[first] == w->entries) {
        tml_system_residual(sys, &sim->it.now, TML_LEVEL_ACCELERATION, w->r);
        see_motion(sim);
        tml_system_jacobian(sys, &sim->it.now, (TmlCoeffs){.a = 1.0}, 0.0);
        if (tml_system_factor(sys, TML_FACTORS_ACCELERATION) < 0) {
            look(sim);
        }
    }
    for (int k = 0; k < dim->nx; ++k) {
        see(&w->led[k], led_by(w, k, sim->it.now.Xd[k]));
    }
    set_allowed(sim);
}

const double *tml_sim_scales_kept(const TmlSim *sim, int *n)
{
    *n = KEPT * tml_dims(sim->sys)->nx;
    return sim->scales.seen;
}

void tml_sim_scales_restore(TmlSim *sim, const double *kept, double acceleration)
{
    const int n = KEPT * tml_dims(sim->sys)->nx;
    if (n > 0) {
        memcpy(sim->scales.seen, kept, (size_t)n * sizeof *kept);
    }
    sim->scales.acceleration = fmax(acceleration, rest_rate);
    set_allowed(sim);
}
