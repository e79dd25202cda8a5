/* io/search/fit.c - parameters from measurements by the method of Levenberg and Marquardt.
 *
 * With residuals r and J of fit_spread.c, columns of J scaled to length one and C = J^T J,
 *
 *   (E9)  (C + mu) s = -J^T r
 *
 * for parameters that are not held at a bound. A step whose gain (what the sum of squares lost, over what the linear problem
 * promised) is above 1e-4 is taken. Standard deviations of outputs that are not given are estimated from what is left, and the
 * fit goes on with them until they settle. [Nocedal, Wright: Numerical Optimization, section 10.3; weights: own]
 */
#include "io/search/fit.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { WEIGHINGS = 3 };

static const double converged_part = 1e-9; // of the sum of squares that a step promises
static const double converged_step = 1e-9; // of sizes of parameters
static const double least_gain = 1e-4, mu_most = 1e12;

typedef struct Solver {
    TmlFit *f;
    double *C, *V, *unit, *w, *length; /* of tml_fit_normal */
    double *slope, *step, *trial, *y,
        *d;                /* J^T r over lengths; steps over sizes; trial and what it gave */
    double *sigma, *again; /* outputs: in use, estimated from what is left */
    bool *held;
    double mu, cost;
    int iterations;
} Solver;

static TmlStatus make_solver(Solver *z, TmlFit *f, TmlError *err)
{
    const size_t n = (size_t)f->s.n, m = (size_t)f->s.m;
    *z = (Solver){.f = f};
    TML_NEW(&f->s.arena, z->C, n * n);
    TML_NEW(&f->s.arena, z->V, n * n);
    TML_NEW(&f->s.arena, z->unit, n * n);
    TML_NEW(&f->s.arena, z->w, n);
    TML_NEW(&f->s.arena, z->length, n);
    TML_NEW(&f->s.arena, z->slope, n);
    TML_NEW(&f->s.arena, z->step, n);
    TML_NEW(&f->s.arena, z->trial, n);
    TML_NEW(&f->s.arena, z->held, n);
    TML_NEW(&f->s.arena, z->y, m + 1);
    TML_NEW(&f->s.arena, z->d, m * n + 1);
    TML_NEW(&f->s.arena, z->sigma, (size_t)f->n_outputs);
    TML_NEW(&f->s.arena, z->again, (size_t)f->n_outputs);
    for (int k = 0; k < f->s.n; ++k) {
        const TmlFree *p = &f->s.free[k];
        const double range = p->high - p->low;
        f->scale[k] = p->start != 0.0 ? fabs(p->start) : isfinite(range) ? range : 1.0;
    }
    return TML_OK;
}

static double sum_of_squares(const TmlFit *f, const double *y, const double *sigma)
{
    double sum = 0.0;
    for (int i = 0; i < f->s.m; ++i) {
        const double r = tml_fit_residual(f, y, sigma, i);
        sum += r * r;
    }
    return sum;
}

/* Deviations that begin the fit: those that are given, or a hundredth of the range of the measured values. */
static void first_sigma(Solver *z)
{
    const TmlFit *f = z->f;
    for (int o = 0; o < f->n_outputs; ++o) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = o; i < f->s.m; i += f->n_outputs) {
            low = isfinite(f->target[i]) ? fmin(low, f->target[i]) : low;
            high = isfinite(f->target[i]) ? fmax(high, f->target[i]) : high;
        }
        const double range = high - low, size = fmax(fabs(low), fabs(high));
        z->sigma[o] = isfinite(f->output[o].noise) ? f->output[o].noise
                                                   : 0.01 * (range > 0.0  ? range
                                                             : size > 0.0 ? size
                                                                          : 1.0);
    }
}

/* Deviations of what is left, with the loss of freedom by the parameters; the largest relative change. */
static double estimate_sigma(Solver *z)
{
    const TmlFit *f = z->f;
    const double left = (double)f->points / (double)(f->points > f->s.n ? f->points - f->s.n : 1);
    double change = 0.0;
    for (int o = 0; o < f->n_outputs; ++o) {
        double sum = 0.0;
        int count = 0;
        for (int i = o; i < f->s.m; i += f->n_outputs) {
            const double off = f->y[i] - f->target[i];
            sum += isfinite(f->target[i]) ? off * off : 0.0;
            count += isfinite(f->target[i]);
        }
        const double estimate = sqrt(sum / count * left);
        const bool known = isfinite(f->output[o].noise) || !(estimate > 0.0);
        z->again[o] = known ? z->sigma[o] : estimate;
        change = fmax(change, fabs(z->again[o] / z->sigma[o] - 1.0));
    }
    return change;
}

/* --- evaluations ------------------------------------------------------------------------------------------------------ */

/* y and, where wanted, d at x into the buffers. A failure of the runs is *good false. */
static TmlStatus evaluate(Solver *z, const double *x, bool slopes, bool *good, TmlError *err)
{
    TmlFit *f = z->f;
    TmlEvaluation *e;
    TML_TRY(tml_search_evaluate(&f->s, x, z->y, slopes ? z->d : NULL, &e, err));
    *good = e->status == TML_OK;
    e->value = *good ? sum_of_squares(f, z->y, z->sigma) : (double)NAN;
    tml_search_tell(&f->s, *good && !(z->cost <= e->value) ? e->value : z->cost, z->iterations);
    return TML_OK;
}

/* What the buffers have becomes the state. */
static void accept(Solver *z, const double *x)
{
    TmlFit *f = z->f;
    memcpy(f->x, x, (size_t)f->s.n * sizeof *x);
    memcpy(f->y, z->y, (size_t)f->s.m * sizeof *f->y);
    memcpy(f->d, z->d, (size_t)f->s.m * (size_t)f->s.n * sizeof *f->d);
    z->cost = sum_of_squares(f, f->y, z->sigma);
}

/* --- steps ------------------------------------------------------------------------------------------------------------ */

/* J^T r over sizes and lengths, and the parameters at a bound that lead out of it. */
static TmlStatus look(Solver *z, TmlError *err)
{
    const TmlFit *f = z->f;
    TML_TRY(tml_fit_normal(f, z->sigma, z->C, z->V, z->unit, z->w, z->length, err));
    for (int k = 0; k < f->s.n; ++k) {
        double sum = 0.0;
        for (int i = 0; i < f->s.m; ++i) {
            sum += tml_fit_slope(f, z->sigma, i, k) * tml_fit_residual(f, f->y, z->sigma, i);
        }
        z->slope[k] = sum / z->length[k];
        z->held[k] = (f->x[k] <= f->s.free[k].low && sum > 0.0) ||
                     (f->x[k] >= f->s.free[k].high && sum < 0.0);
    }
    return TML_OK;
}

/* (E9) by Cholesky's factors, which exist for mu > 0; a held parameter has a row of the unit matrix. */
static void solve(Solver *z)
{
    const int n = z->f->s.n;
    double *L = z->unit;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b <= a; ++b) {
            const bool out = z->held[a] || z->held[b];
            double sum = a == b ? (out ? 1.0 : z->C[a * n + a] + z->mu)
                         : out  ? 0.0
                                : z->C[a * n + b];
            for (int k = 0; k < b; ++k) {
                sum -= L[a * n + k] * L[b * n + k];
            }
            L[a * n + b] = a == b ? sqrt(fmax(sum, 1e-300)) : sum / L[b * n + b];
        }
    }
    for (int a = 0; a < n; ++a) {
        double sum = z->held[a] ? 0.0 : -z->slope[a];
        for (int k = 0; k < a; ++k) {
            sum -= L[a * n + k] * z->step[k];
        }
        z->step[a] = sum / L[a * n + a];
    }
    for (int a = n - 1; a >= 0; --a) {
        double sum = z->step[a];
        for (int k = a + 1; k < n; ++k) {
            sum -= L[k * n + a] * z->step[k];
        }
        z->step[a] = sum / L[a * n + a];
    }
}

/* The trial inside of the bounds. Returns the largest part of a size by which it moves; *promised: what the sum of squares loses in
 * the linear problem. */
static double make_trial(Solver *z, double *promised)
{
    const TmlFit *f = z->f;
    const int n = f->s.n;
    double largest = 0.0, linear = 0.0, square = 0.0;
    for (int k = 0; k < n; ++k) {
        const double to = f->x[k] + f->scale[k] * z->step[k] / z->length[k];
        z->trial[k] = fmin(fmax(to, f->s.free[k].low), f->s.free[k].high);
        z->step[k] = (z->trial[k] - f->x[k]) / f->scale[k];
        largest = fmax(largest, fabs(z->step[k]));
        z->step[k] *= z->length[k];
        linear += z->slope[k] * z->step[k];
    }
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            square += z->step[a] * z->C[a * n + b] * z->step[b];
        }
    }
    *promised = -2.0 * linear - square;
    return largest;
}

/* One step, or a larger mu. *why: the end is reached. */
static TmlStatus iterate(Solver *z, const char **why, bool *converged, TmlError *err)
{
    TmlFit *f = z->f;
    double promised;
    bool good = false;
    TML_TRY(look(z, err));
    solve(z);
    const double moved = make_trial(z, &promised);
    if (promised <= converged_part * z->cost || moved < converged_step) {
        *converged = true;
        *why = "converged";
        return TML_OK;
    }
    const bool exact = !f->s.differenced;
    TML_TRY(evaluate(z, z->trial, exact, &good, err));
    const double gain = good ? (z->cost - sum_of_squares(f, z->y, z->sigma)) / promised : -1.0;
    if (gain > least_gain && !exact) {
        TML_TRY(evaluate(z, z->trial, true, &good, err));
    }
    if (gain > least_gain && good) {
        accept(z, z->trial);
        z->mu = fmax(z->mu * (gain > 0.5 ? 0.2 : 1.0), 1e-12);
    } else {
        z->mu *= 8.0;
        *why = z->mu > mu_most ? "no step in any direction makes the sum of squares less" : NULL;
    }
    return TML_OK;
}

static TmlStatus minimise(Solver *z, const char **why, bool *converged, TmlError *err)
{
    *why = NULL;
    z->mu = 1e-3;
    while (*why == NULL && z->iterations < z->f->iterations) {
        z->iterations++;
        TML_TRY(iterate(z, why, converged, err));
    }
    if (*why == NULL) {
        *why =
            tml_arena_printf(&z->f->s.arena, "not converged after %d iterations", z->f->iterations);
    }
    return *why != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* All weighings. */
static TmlStatus weigh(Solver *z, const char **why, bool *converged, TmlError *err)
{
    TmlFit *f = z->f;
    for (int k = 0; k < WEIGHINGS; ++k) {
        *converged = false;
        TML_TRY(minimise(z, why, converged, err));
        const double change = estimate_sigma(z);
        if (change < 0.01 || f->n_outputs == 1 || !*converged || k == WEIGHINGS - 1) {
            break;
        }
        memcpy(z->sigma, z->again, (size_t)f->n_outputs * sizeof *z->sigma);
        z->cost = sum_of_squares(f, f->y, z->sigma);
    }
    return TML_OK;
}

static TmlStatus start(Solver *z, TmlError *err)
{
    TmlFit *f = z->f;
    bool good = false;
    z->cost = HUGE_VAL;
    for (int k = 0; k < f->s.n; ++k) {
        z->trial[k] = f->s.free[k].start;
    }
    TML_TRY(evaluate(z, z->trial, true, &good, err));
    if (!good) {
        const TmlEvaluation *e = &f->s.done[f->s.count - 1];
        return tml_fail(err, e->status, "the first run, with the parameters of the start: %s",
                        e->message != NULL ? e->message : "failed");
    }
    accept(z, z->trial);
    return TML_OK;
}

/* --- results ---------------------------------------------------------------------------------------------------------- */

static TmlStatus finish(Solver *z, const char *why, bool converged, TmlError *err)
{
    TmlFit *f = z->f;
    TmlFitResult *r = &f->result;
    (void)estimate_sigma(z);
    memcpy(f->sigma, z->again, (size_t)f->n_outputs * sizeof *f->sigma);
    *r = (TmlFitResult){.converged = converged,
                        .stopped = f->s.stopped,
                        .differenced = f->s.differenced,
                        .points = f->points,
                        .iterations = z->iterations,
                        .evaluations = f->s.count,
                        .failed = f->s.failed,
                        .replayed = f->s.replayed,
                        .cost = sum_of_squares(f, f->y, f->sigma),
                        .confidence = f->confidence,
                        .message = why};
    if (f->s.differenced) {
        r->message = tml_arena_printf(&f->s.arena, "%s; derivatives are differences of runs: %s",
                                      r->message, f->s.difference);
    }
    TML_TRY(r->message != NULL ? tml_fit_spread(f, err)
                               : tml_fail(err, TML_E_NOMEM, "out of memory"));
    const char *between = "; at a bound: ";
    for (int k = 0; k < f->s.n && r->message != NULL; ++k) {
        if (f->x[k] <= f->s.free[k].low || f->x[k] >= f->s.free[k].high) {
            r->message =
                tml_arena_printf(&f->s.arena, "%s%s%s", r->message, between, f->s.free[k].name);
            between = ", ";
        }
    }
    return r->message != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

static TmlStatus fit_all(Solver *z, TmlError *err)
{
    const char *why = "";
    bool converged = false, began = false;
    first_sigma(z);
    TmlStatus status = start(z, err);
    began = status == TML_OK;
    status = began ? weigh(z, &why, &converged, err) : status;
    if (status == TML_E_CANCELLED && began && z->f->s.stopped) {
        why = "stopped; these are the best parameters so far";
        converged = false;
        status = TML_OK;
    }
    return status == TML_OK ? finish(z, why, converged, err) : status;
}

TmlStatus tml_fit_run(TmlFit *f, const TmlSearchOptions *o, TmlError *err)
{
    Solver z;
    TML_TRY(make_solver(&z, f, err));
    TML_TRY(tml_search_begin(&f->s, o != NULL ? o->journal : NULL, o != NULL && o->resume,
                             o != NULL ? &o->hooks : NULL, err));
    const TmlStatus status = fit_all(&z, err);
    tml_search_end(&f->s, status == TML_OK && !f->s.stopped);
    return status;
}

TmlStatus tml_fit_settings(TmlFit *f, const char *integrator, double tolerance, TmlError *err)
{
    if (integrator != NULL) {
        f->s.run.integrator = tml_arena_strdup(&f->s.arena, integrator);
        if (f->s.run.integrator == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    f->s.run.tolerance = isnan(tolerance) ? f->s.run.tolerance : tolerance;
    f->s.mark = tml_mark_settings(f->s.mark, &f->s.run);
    return TML_OK;
}

/* --- facts ------------------------------------------------------------------------------------------------------------ */

TmlFitResult tml_fit_result(const TmlFit *f)
{
    return f->result;
}

const char *tml_fit_title(const TmlFit *f)
{
    const char *title = f->s.title[0] != '\0' ? f->s.title : tml_model_title(f->s.model);
    return title != NULL ? title : "";
}

const TmlModel *tml_fit_model(const TmlFit *f)
{
    return f->s.model;
}

int tml_fit_parameters(const TmlFit *f)
{
    return f->s.n;
}

static double entry(const TmlFit *f, const double *of, int k)
{
    return k >= 0 && k < f->s.n ? of[k] : (double)NAN;
}

const char *tml_fit_parameter(const TmlFit *f, int k)
{
    return k >= 0 && k < f->s.n ? f->s.free[k].name : NULL;
}

double tml_fit_value(const TmlFit *f, int k)
{
    return entry(f, f->x, k);
}

double tml_fit_deviation(const TmlFit *f, int k)
{
    return entry(f, f->deviation, k);
}

double tml_fit_low(const TmlFit *f, int k)
{
    return entry(f, f->low, k);
}

double tml_fit_high(const TmlFit *f, int k)
{
    return entry(f, f->high, k);
}

double tml_fit_correlation(const TmlFit *f, int a, int b)
{
    const int n = f->s.n;
    return a >= 0 && a < n && b >= 0 && b < n ? f->correlation[a * n + b] : (double)NAN;
}

int tml_fit_outputs(const TmlFit *f)
{
    return f->n_outputs;
}

const char *tml_fit_output(const TmlFit *f, int o)
{
    return o >= 0 && o < f->n_outputs ? f->output[o].name : NULL;
}

const char *tml_fit_output_unit(const TmlFit *f, int o)
{
    return o >= 0 && o < f->n_outputs ? f->output[o].unit : NULL;
}

double tml_fit_noise(const TmlFit *f, int o)
{
    return o >= 0 && o < f->n_outputs ? f->sigma[o] : (double)NAN;
}

int tml_fit_measurements(const TmlFit *f)
{
    return f->n_sets;
}

const char *tml_fit_measurement(const TmlFit *f, int k)
{
    return k >= 0 && k < f->n_sets ? f->set[k].name : NULL;
}

int tml_fit_times(const TmlFit *f, int k)
{
    return k >= 0 && k < f->n_sets ? f->set[k].n_times : 0;
}

double tml_fit_time(const TmlFit *f, int k, int row)
{
    return row >= 0 && row < tml_fit_times(f, k) ? f->set[k].time[row] : (double)NAN;
}

/* Place of a number of a measurement; -1: there is none. */
static int place(const TmlFit *f, int k, int row, int o)
{
    const bool there = row >= 0 && row < tml_fit_times(f, k) && o >= 0 && o < f->n_outputs;
    return there ? f->set[k].first + row * f->n_outputs + o : -1;
}

double tml_fit_measured(const TmlFit *f, int k, int row, int o)
{
    const int at = place(f, k, row, o);
    return at >= 0 ? f->target[at] : (double)NAN;
}

double tml_fit_predicted(const TmlFit *f, int k, int row, int o)
{
    const int at = place(f, k, row, o);
    return at >= 0 ? f->y[at] : (double)NAN;
}
