/* io/study/study_design.c - the values of the parameters of all runs.
 *
 * All random numbers are functions of seed, parameter and run: a run has the same values whoever makes it and in
 * whatever order.
 *
 * Designs that fill a space work in the cube [0, 1)^P. A place u in a spread is the value
 *
 *   (V1)  from + u (to - from);  from (to / from)^u in equal ratios;  values[floor(n u)];  mean + deviation z(u)
 *
 * with z the inverse of the normal distribution.
 *
 *   random           u independent
 *   latin_hypercube  u = (pi(k) + v) / N, pi a permutation of 0..N-1 for each parameter
 *   sobol            Sobol's sequence, shifted digit by digit by the seed
 *   morris           N paths. Each starts in a corner of a lattice of L levels and changes one parameter after the
 *                    other by L / (2 (L - 1)) of the range: P + 1 runs [Morris, Technometrics 33 (1991)]
 *   indices          A and B, N runs each from 2 P dimensions of Sobol's sequence, and for each parameter i A with
 *                    column i of B: N (P + 2) runs [Saltelli et al., Comput. Phys. Commun. 181 (2010)]
 */
#include "io/study/study.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { RUNS_MAX = 10000000 };

/* --- numbers ------------------------------------------------------------------------------------------ */

/* The mixing function of SplitMix64 [Steele, Lea, Flood, OOPSLA 2014]. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double tml_study_random(uint64_t seed, uint64_t stream, uint64_t index)
{
    return (double)(mix(mix(mix(seed) ^ stream) ^ index) >> 11) * 0x1p-53;
}

/* z with Phi(z) = u by Newton's method on log-concave Phi from a start of the logistic distribution, which is within 0.1
 * of it in the middle; u at the ends is kept half a unit of its own precision away. */
static double normal_quantile(double u)
{
    u = fmin(fmax(u, 0x1p-54), 1.0 - 0x1p-53);
    double z = log(u / (1.0 - u)) / 1.702;
    for (int k = 0; k < 60; ++k) {
        const double lower = 0.5 * erfc(-z / sqrt(2.0));
        const double density = exp(-0.5 * z * z) / sqrt(2.0 * 3.14159265358979323846);
        const double newton = (lower - u) / density;
        const double dz = newton / (1.0 + 0.5 * newton * z); // Halley: Phi'' = -z Phi'
        z -= fmin(fmax(dz, -0.5), 0.5);
        if (fabs(dz) < 1e-14 * fmax(1.0, fabs(z))) {
            break;
        }
    }
    return z;
}

double tml_spread_value(const TmlSpread *s, double u)
{
    switch (s->kind) {
    case TML_SPREAD_VALUES: {
        const int k = (int)(u * s->n);
        return s->value[k < s->n ? k : s->n - 1];
    }
    case TML_SPREAD_NORMAL:
        return s->mean + s->deviation * normal_quantile(u);
    case TML_SPREAD_RANGE:
        break;
    }
    if (u >= 1.0) { // the end itself, without rounding
        return s->to;
    }
    return s->log ? s->from * pow(s->to / s->from, u) : s->from + u * (s->to - s->from); // (V1)
}

/* --- designs ------------------------------------------------------------------------------------------ */

static TmlStatus make_room(TmlStudy *s, double runs, TmlError *err)
{
    if (!(runs >= 1.0 && runs <= RUNS_MAX)) {
        return tml_fail(err, TML_E_ARGUMENT, "the study has %.6g runs; 1 to %d are possible", runs,
                        RUNS_MAX);
    }
    s->runs = (int)runs;
    TML_NEW(&s->arena, s->value, (size_t)s->runs * (size_t)s->n_spreads + 1);
    return TML_OK;
}

/* Number of places of a parameter in a grid. */
static int grid_count(const TmlSpread *p)
{
    return p->kind == TML_SPREAD_VALUES ? p->n : p->count;
}

static TmlStatus grid(TmlStudy *s, TmlError *err)
{
    double runs = 1.0;
    for (int p = 0; p < s->n_spreads; ++p) {
        if (grid_count(&s->spread[p]) < 1) {
            return tml_fail(err, TML_E_MODEL,
                            "parameter '%s': a grid needs 'values', or 'from', 'to' and 'count'",
                            s->spread[p].name);
        }
        runs *= grid_count(&s->spread[p]);
    }
    TML_TRY(make_room(s, runs, err));
    for (int run = 0; run < s->runs; ++run) { // the last parameter changes first
        int rest = run;
        for (int p = s->n_spreads - 1; p >= 0; --p) {
            const TmlSpread *x = &s->spread[p];
            const int n = grid_count(x), k = rest % n;
            rest /= n;
            s->value[run * s->n_spreads + p] =
                x->kind == TML_SPREAD_VALUES
                    ? x->value[k]
                    : tml_spread_value(x, n > 1 ? k / (double)(n - 1) : 0.0);
        }
    }
    return TML_OK;
}

/* Columns of a table, one value a run. */
static TmlStatus list(TmlStudy *s, TmlError *err)
{
    TML_TRY(make_room(s, s->n_spreads > 0 ? s->spread[0].n : 0, err));
    for (int p = 0; p < s->n_spreads; ++p) {
        if (s->spread[p].kind != TML_SPREAD_VALUES || s->spread[p].n != s->runs) {
            return tml_fail(err, TML_E_MODEL, "parameter '%s': a list needs %d values, as '%s' has",
                            s->spread[p].name, s->runs, s->spread[0].name);
        }
        for (int run = 0; run < s->runs; ++run) {
            s->value[run * s->n_spreads + p] = s->spread[p].value[run];
        }
    }
    return TML_OK;
}

/* A permutation of 0..n-1 [Fisher and Yates]. */
static void shuffle(uint64_t seed, uint64_t stream, int n, int *at)
{
    for (int k = 0; k < n; ++k) {
        at[k] = k;
    }
    for (int k = n - 1; k > 0; --k) {
        const int other = (int)(tml_study_random(seed, stream, (uint64_t)k) * (k + 1));
        const int kept = at[k];
        at[k] = at[other];
        at[other] = kept;
    }
}

static TmlStatus latin(TmlStudy *s, TmlError *err)
{
    int *at;
    TML_TRY(make_room(s, s->samples, err));
    TML_NEW(&s->arena, at, s->runs);
    for (int p = 0; p < s->n_spreads; ++p) {
        shuffle(s->seed, 2 * (uint64_t)p, s->runs, at);
        for (int run = 0; run < s->runs; ++run) {
            const double v = tml_study_random(s->seed, 2 * (uint64_t)p + 1, (uint64_t)run);
            s->value[run * s->n_spreads + p] =
                tml_spread_value(&s->spread[p], (at[run] + v) / s->runs);
        }
    }
    return TML_OK;
}

static uint32_t shift_of(const TmlStudy *s, int dimension)
{
    return (uint32_t)(mix(mix(s->seed) ^ (uint64_t)dimension) >> 32);
}

static TmlStatus even(TmlStudy *s, bool independent, TmlError *err)
{
    if (!independent && s->n_spreads > TML_SOBOL_MAX) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "sobol: %d parameters; %d are possible, latin_hypercube takes more",
                        s->n_spreads, TML_SOBOL_MAX);
    }
    TML_TRY(make_room(s, s->samples, err));
    for (int run = 0; run < s->runs; ++run) {
        for (int p = 0; p < s->n_spreads; ++p) {
            const double u = independent ? tml_study_random(s->seed, (uint64_t)p, (uint64_t)run)
                                         : tml_sobol(p, (uint32_t)run, shift_of(s, p));
            s->value[run * s->n_spreads + p] = tml_spread_value(&s->spread[p], u);
        }
    }
    return TML_OK;
}

static TmlStatus indices(TmlStudy *s, TmlError *err)
{
    const int P = s->n_spreads;
    if (2 * P > TML_SOBOL_MAX) {
        return tml_fail(err, TML_E_ARGUMENT, "indices: %d parameters; %d are possible", P,
                        TML_SOBOL_MAX / 2);
    }
    TML_TRY(make_room(s, (double)s->samples * (P + 2), err));
    for (int run = 0; run < s->runs; ++run) {
        const int sample = run / (P + 2), kind = run % (P + 2); // A, A with a column of B, ..., B
        for (int p = 0; p < P; ++p) {
            const bool other = kind == P + 1 || kind == p + 1;
            const int d = other ? P + p : p;
            s->value[run * P + p] =
                tml_spread_value(&s->spread[p], tml_sobol(d, (uint32_t)sample, shift_of(s, d)));
        }
    }
    return TML_OK;
}

static TmlStatus morris(TmlStudy *s, TmlError *err)
{
    const int P = s->n_spreads, L = s->levels;
    const double step = 0.5 * L / (L - 1);
    int *order;
    double *u;
    if (L < 2 || L % 2 != 0) {
        return tml_fail(err, TML_E_MODEL, "morris: 'levels' must be an even number, not %d", L);
    }
    TML_TRY(make_room(s, (double)s->samples * (P + 1), err));
    TML_NEW(&s->arena, order, P + 1);
    TML_NEW(&s->arena, u, P + 1);
    for (int path = 0; path < s->samples; ++path) {
        const uint64_t stream = 3 * (uint64_t)path;
        shuffle(s->seed, stream, P, order);
        for (int p = 0; p < P; ++p) { // a level from which the step stays inside, up or down
            const int level = (int)(tml_study_random(s->seed, stream + 1, (uint64_t)p) * (L / 2));
            const bool down = tml_study_random(s->seed, stream + 2, (uint64_t)p) < 0.5;
            u[p] = level / (double)(L - 1) + (down ? step : 0.0);
        }
        for (int k = 0; k <= P; ++k) {
            if (k > 0) {
                u[order[k - 1]] += u[order[k - 1]] > 0.5 - 1e-9 ? -step : step;
            }
            for (int p = 0; p < P; ++p) {
                s->value[(path * (P + 1) + k) * P + p] = tml_spread_value(&s->spread[p], u[p]);
            }
        }
    }
    return TML_OK;
}

TmlStatus tml_study_design_make(TmlStudy *s, TmlError *err)
{
    switch (s->design) {
    case TML_DESIGN_GRID:
        return grid(s, err);
    case TML_DESIGN_LIST:
        return list(s, err);
    case TML_DESIGN_RANDOM:
        return even(s, true, err);
    case TML_DESIGN_SOBOL:
        return even(s, false, err);
    case TML_DESIGN_LATIN:
        return latin(s, err);
    case TML_DESIGN_MORRIS:
        return morris(s, err);
    case TML_DESIGN_INDICES:
        return indices(s, err);
    }
    return tml_fail(err, TML_E_INTERNAL, "an unknown design");
}
