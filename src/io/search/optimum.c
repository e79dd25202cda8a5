/* io/search/optimum.c - the best parameters by responses.
 *
 * Methods work in the unit cube: x = low + u (high - low), or low (high / low)^u in equal ratios. The objective is in units of its
 * size at the start, a limit b of a response y is
 *
 *   (E10)  c = (y - b) / size,  size = max(|b|, |y at the start|), 1 if both are zero
 *
 * and the derivatives by u follow from those of responses, (V3). A point whose runs fail counts as worse than all others, by the spread
 * of the objectives so far, and as a violation of every limit: methods with derivatives shorten their step. The best is that of all
 * evaluations, not what the method returns: of those that keep the limits the one with the least objective, else the one that violates
 * them least. (own)
 */
#include "io/search/optimum.h"

#include "base/fail.h"
#include "io/search/minimise.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { LOCAL_EVALUATIONS = 200, GLOBAL_EVALUATIONS = 2000 };

static const double feasible = 1e-6; // of the size of a limit
static const double far = 100.0; // accuracies by which the end of a method is not the best point

/* --- responses ---------------------------------------------------------------------------------------------------------- */

static TmlSearchTask task_of(const TmlOptimum *o)
{
    return (TmlSearchTask){.end = (double)NAN, .n_used = o->n_used, .used = o->used};
}

TmlStatus tml_optimum_values(TmlSearch *s, const double *x, bool tight, double *y, TmlError *err)
{
    TmlOptimum *o = (TmlOptimum *)s;
    const TmlSearchTask task = task_of(o);
    TmlRows rows = {.width = s->model->channels.n + 1};
    const TmlStatus status = tml_search_rows(s, &task, x, tight, &rows, NULL, err);
    for (int r = 0; r < o->n_responses && status == TML_OK; ++r) {
        y[r] = tml_response_value(&rows, &o->response[r]);
    }
    tml_mem_free(rows.at);
    return status;
}

/* (V3) of one response. */
static TmlStatus add_slopes(const TmlOptimum *o, int r, const TmlRows *rows, const double *slope,
                            double *weight, double *d, TmlError *err)
{
    const int n = o->s.n;
    if (!tml_response_weights(rows, &o->response[r], weight)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "response '%s' is a time of a row, which has no derivative",
                        o->response[r].name);
    }
    for (int k = 0; k < n; ++k) {
        d[k] = 0.0;
    }
    for (int row = 0; row < rows->n; ++row) {
        const double *at =
            slope + ((size_t)row * (size_t)o->n_used + (size_t)o->place[r]) * (size_t)n;
        for (int k = 0; k < n && weight[row] != 0.0; ++k) {
            d[k] += weight[row] * at[k];
        }
    }
    return TML_OK;
}

TmlStatus tml_optimum_slopes(TmlSearch *s, const double *x, double *y, double *d, TmlError *err)
{
    TmlOptimum *o = (TmlOptimum *)s;
    const TmlSearchTask task = task_of(o);
    TmlRows rows = {.width = s->model->channels.n + 1};
    double *slope = NULL, *weight = NULL;
    TmlStatus status = tml_search_rows(s, &task, x, false, &rows, &slope, err);
    if (status == TML_OK) {
        weight = tml_mem_zalloc((size_t)rows.n + 1, sizeof *weight);
        status = weight != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int r = 0; r < o->n_responses && status == TML_OK; ++r) {
        y[r] = tml_response_value(&rows, &o->response[r]);
        status = add_slopes(o, r, &rows, slope, weight, d + (size_t)r * (size_t)s->n, err);
    }
    tml_mem_free(weight);
    tml_mem_free(slope);
    tml_mem_free(rows.at);
    return status;
}

/* --- the program ---------------------------------------------------------------------------------------------------------- */

typedef struct Search {
    TmlOptimum *o;
    double size;         /* of the objective */
    double *x, *y, *d;   /* of an evaluation */
    double *limit_size;  /* of responses */
    double *u;           /* of the best */
    double best, excess; /* of the best: as minimised, over size; violation */
    double low, high;    /* of the objectives so far */
    TmlStatus status;    /* why the search ended, but for the method's own reasons */
    TmlError *err;
} Search;

static double x_of(const TmlFree *f, double u)
{
    return u <= 0.0   ? f->low
           : u >= 1.0 ? f->high
           : f->log   ? f->low * pow(f->high / f->low, u)
                      : f->low + u * (f->high - f->low);
}

static double u_of(const TmlFree *f, double x)
{
    const double u =
        f->log ? log(x / f->low) / log(f->high / f->low) : (x - f->low) / (f->high - f->low);
    return fmin(fmax(u, 0.0), 1.0);
}

static double dx_du(const TmlFree *f, double x)
{
    return f->log ? x * log(f->high / f->low) : f->high - f->low;
}

/* The objective as it is asked for. */
static double objective(const TmlOptimum *o, const double *y)
{
    double sum = 0.0;
    for (int r = 0; r < o->n_responses; ++r) {
        sum += o->factor[r] != 0.0 ? o->factor[r] * y[r] : 0.0;
    }
    return sum;
}

/* Value of a constraint and its derivative by u: those below zero first, then those that are zero. */
static void put(const Search *z, int at, int r, double sign, double bound, double *c, double *dc)
{
    const TmlOptimum *o = z->o;
    const int n = o->s.n;
    c[at] = sign * (z->y[r] - bound) / z->limit_size[r]; // (E10)
    for (int k = 0; k < n && dc != NULL; ++k) {
        dc[(size_t)at * (size_t)n + (size_t)k] =
            sign * z->d[r * n + k] * dx_du(&o->s.free[k], z->x[k]) / z->limit_size[r];
    }
}

static void constraints(const Search *z, double *c, double *dc)
{
    const TmlOptimum *o = z->o;
    int below, equal, at = 0;
    tml_optimum_limits(o, &below, &equal);
    for (int r = 0; r < o->n_responses; ++r) {
        const TmlLimit *limit = &o->limit[r];
        if (limit->min != limit->max && isfinite(limit->min)) {
            put(z, at++, r, -1.0, limit->min, c, dc);
        }
        if (limit->min != limit->max && isfinite(limit->max)) {
            put(z, at++, r, 1.0, limit->max, c, dc);
        }
    }
    for (int r = 0; r < o->n_responses; ++r) {
        if (o->limit[r].min == o->limit[r].max) {
            put(z, at++, r, 1.0, o->limit[r].min, c, dc);
        }
    }
}

/* The largest violation of a limit, over its size. */
static double excess_of(const Search *z)
{
    const TmlOptimum *o = z->o;
    double excess = 0.0;
    for (int r = 0; r < o->n_responses; ++r) {
        const double off = fmax(z->y[r] - o->limit[r].max, o->limit[r].min - z->y[r]);
        excess = fmax(excess, off / z->limit_size[r]);
    }
    return excess;
}

/* Keeps the point if it is better than all before. */
static void note_best(Search *z, const double *u, double f, double excess)
{
    TmlOptimum *o = z->o;
    const bool good = excess <= feasible, had = z->excess <= feasible;
    if (good == had ? (good ? f < z->best : excess < z->excess) : good) {
        z->best = f;
        z->excess = excess;
        memcpy(z->u, u, (size_t)o->s.n * sizeof *u);
        memcpy(o->x, z->x, (size_t)o->s.n * sizeof *o->x);
        memcpy(o->y, z->y, (size_t)o->n_responses * sizeof *o->y);
    }
}

static void fail_value(const Search *z, double *f, double *c, double *df, double *dc)
{
    int below, equal;
    const int n = z->o->s.n;
    tml_optimum_limits(z->o, &below, &equal);
    *f = z->high + fmax(z->high - z->low, 1.0);
    for (int k = 0; k < below + equal; ++k) {
        c[k] = 1.0;
    }
    if (df != NULL) {
        memset(df, 0, (size_t)n * sizeof *df);
        memset(dc, 0, (size_t)n * (size_t)(below + equal) * sizeof *dc);
    }
}

static void good_value(Search *z, const double *u, TmlEvaluation *e, double *f, double *c,
                       double *df, double *dc)
{
    TmlOptimum *o = z->o;
    const double sign = o->maximise ? -1.0 : 1.0;
    e->value = objective(o, z->y);
    e->excess = excess_of(z);
    *f = sign * e->value / z->size;
    z->low = fmin(z->low, *f);
    z->high = fmax(z->high, *f);
    constraints(z, c, dc);
    for (int k = 0; k < o->s.n && df != NULL; ++k) {
        df[k] = 0.0;
        for (int r = 0; r < o->n_responses; ++r) {
            df[k] += o->factor[r] * z->d[r * o->s.n + k];
        }
        df[k] *= sign * dx_du(&o->s.free[k], z->x[k]) / z->size;
    }
    note_best(z, u, *f, e->excess);
}

static bool value(void *user, const double *u, double *f, double *c, double *df, double *dc)
{
    Search *z = user;
    TmlOptimum *o = z->o;
    TmlEvaluation *e = NULL;
    for (int k = 0; k < o->s.n; ++k) {
        z->x[k] = x_of(&o->s.free[k], u[k]);
    }
    if (z->status == TML_OK) {
        z->status = tml_search_evaluate(&o->s, z->x, z->y, df != NULL ? z->d : NULL, &e, z->err);
    }
    if (z->status != TML_OK || e == NULL || e->status != TML_OK) {
        fail_value(z, f, c, df, dc);
    } else {
        good_value(z, u, e, f, c, df, dc);
    }
    const double sign = o->maximise ? -1.0 : 1.0;
    tml_search_tell(&o->s, sign * z->best * z->size, 0);
    return z->status == TML_OK && !o->s.stopped;
}

/* --- the search ----------------------------------------------------------------------------------------------------------- */

static TmlStatus make_search(Search *z, TmlOptimum *o, TmlError *err)
{
    const size_t n = (size_t)o->s.n, m = (size_t)o->n_responses;
    *z = (Search){.o = o, .best = HUGE_VAL, .excess = HUGE_VAL, .low = HUGE_VAL, .err = err};
    z->high = -HUGE_VAL;
    TML_NEW(&o->s.arena, z->x, n);
    TML_NEW(&o->s.arena, z->u, n);
    TML_NEW(&o->s.arena, z->y, m);
    TML_NEW(&o->s.arena, z->d, m * n);
    TML_NEW(&o->s.arena, z->limit_size, m);
    return TML_OK;
}

/* The first evaluation: sizes, and whether derivatives are there. */
static TmlStatus start(Search *z, bool slopes, TmlError *err)
{
    TmlOptimum *o = z->o;
    TmlEvaluation *e = NULL;
    for (int k = 0; k < o->s.n; ++k) {
        z->x[k] = o->s.free[k].start;
        z->u[k] = u_of(&o->s.free[k], z->x[k]);
    }
    TML_TRY(tml_search_evaluate(&o->s, z->x, z->y, slopes ? z->d : NULL, &e, err));
    if (e->status != TML_OK) {
        return tml_fail(err, e->status, "the first run, with the parameters of the start: %s",
                        e->message != NULL ? e->message : "failed");
    }
    memcpy(o->first, z->y, (size_t)o->n_responses * sizeof *o->first);
    e->value = objective(o, z->y);
    z->size = fabs(e->value) > 0.0 ? fabs(e->value) : 1.0;
    for (int r = 0; r < o->n_responses; ++r) {
        const TmlLimit *l = &o->limit[r];
        const double size = fmax(fabs(z->y[r]), fmax(isfinite(l->min) ? fabs(l->min) : 0.0,
                                                     isfinite(l->max) ? fabs(l->max) : 0.0));
        z->limit_size[r] = size > 0.0 ? size : 1.0;
    }
    e->excess = excess_of(z);
    z->low = z->high = (o->maximise ? -1.0 : 1.0) * e->value / z->size;
    note_best(z, z->u, z->low, e->excess);
    tml_search_tell(&o->s, e->value, 0);
    return TML_OK;
}

/* A method with slopes whose last point is not near the best one has ended at a kink, or where constraints are violated. */
static void check_end(const Search *z, bool *converged, const char **why)
{
    for (int k = 0; k < z->o->s.n && *converged; ++k) {
        if (fabs(u_of(&z->o->s.free[k], z->x[k]) - z->u[k]) > far * z->o->accuracy) {
            *converged = false;
            *why = "not converged: the method ended at a kink, or where constraints are violated";
        }
    }
}

/* One method from the best so far. step: the first one, where it makes no use of slopes. */
static TmlStatus search_by(Search *z, const char *method, int evaluations, double step,
                           bool *converged, const char **why, TmlError *err)
{
    TmlOptimum *o = z->o;
    TmlProgram p = {.method = method,
                    .n = o->s.n,
                    .evaluations = evaluations,
                    .accuracy = o->accuracy,
                    .step = step,
                    .feasible = 0.5 * feasible,
                    .seed = (unsigned long)o->seed + 1u,
                    .value = value,
                    .user = z};
    double *u = tml_arena_alloc(&o->s.arena, (size_t)o->s.n, sizeof *u);
    if (u == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    tml_optimum_limits(o, &p.n_below, &p.n_equal);
    memcpy(u, z->u, (size_t)o->s.n * sizeof *u);
    TML_TRY(tml_minimise(&p, u, converged, why, err));
    if (tml_method_has_slopes(method)) {
        check_end(z, converged, why);
    }
    return z->status == TML_E_CANCELLED && o->s.stopped ? TML_OK : z->status;
}

/* What finishes a global search, or serves where there are no derivatives. */
static const char *without_slopes(const TmlOptimum *o)
{
    int below, equal;
    tml_optimum_limits(o, &below, &equal);
    // bobyqa needs two parameters
    return below + equal > 0 || o->s.n < 2 ? "cobyla" : "bobyqa";
}

static TmlStatus search(Search *z, bool *converged, const char **why, TmlError *err)
{
    TmlOptimum *o = z->o;
    const bool by_itself = strcmp(o->method, "auto") == 0;
    TML_TRY(start(z, by_itself || tml_method_has_slopes(o->method), err));
    const char *method = !by_itself ? o->method : o->s.differenced ? without_slopes(o) : "slsqp";
    const bool global = tml_method_is_global(method);
    const int most = o->evaluations > 0 ? o->evaluations
                     : global           ? GLOBAL_EVALUATIONS
                                        : LOCAL_EVALUATIONS;
    o->result.method = method;
    TML_TRY(search_by(z, method, most, 0.1, converged, why, err));
    // a global method has found where to look; one with slopes may have ended at a kink, as that of a maximum over rows
    const bool smooth = by_itself && tml_method_has_slopes(method);
    if ((global || smooth) && !o->s.stopped) {
        const char *local = without_slopes(o);
        o->result.method = tml_arena_printf(&o->s.arena, "%s, then %s", method, local);
        TML_TRY(o->result.method != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory"));
        TML_TRY(search_by(z, local, LOCAL_EVALUATIONS, smooth ? 0.01 : 0.1, converged, why, err));
    }
    return TML_OK;
}

static TmlStatus finish(Search *z, bool converged, const char *why, TmlError *err)
{
    TmlOptimum *o = z->o;
    TmlOptimumResult *r = &o->result;
    const char *method = r->method, *text = o->s.stopped ? "stopped; this is the best so far" : why;
    *r = (TmlOptimumResult){.converged = converged && !o->s.stopped,
                            .stopped = o->s.stopped,
                            .feasible = z->excess <= feasible,
                            .differenced = o->s.differenced,
                            .evaluations = o->s.count,
                            .failed = o->s.failed,
                            .replayed = o->s.replayed,
                            .objective = objective(o, o->y),
                            .method = method};
    if (!r->feasible) {
        text = tml_arena_printf(&o->s.arena, "%s; no point keeps all constraints", text);
    }
    if (text != NULL && o->s.differenced) {
        text = tml_arena_printf(&o->s.arena, "%s; derivatives are not computed: %s", text,
                                o->s.difference);
    }
    const char *between = "; at a bound: ";
    for (int k = 0; k < o->s.n && text != NULL; ++k) {
        if (o->x[k] <= o->s.free[k].low || o->x[k] >= o->s.free[k].high) {
            text = tml_arena_printf(&o->s.arena, "%s%s%s", text, between, o->s.free[k].name);
            between = ", ";
        }
    }
    r->message = text;
    return text != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_optimum_run(TmlOptimum *o, const TmlSearchOptions *options, TmlError *err)
{
    Search z;
    bool converged = false;
    const char *why = "";
    const uint64_t mark = o->s.mark;
    TML_TRY(make_search(&z, o, err));
    o->s.mark = tml_optimum_mark(o);
    TmlStatus status = tml_search_begin(&o->s, options != NULL ? options->journal : NULL,
                                        options != NULL && options->resume,
                                        options != NULL ? &options->hooks : NULL, err);
    o->s.mark = mark;
    TML_TRY(status);
    status = search(&z, &converged, &why, err);
    status = status == TML_OK ? finish(&z, converged, why, err) : status;
    tml_search_end(&o->s, status == TML_OK && !o->s.stopped);
    return status;
}

/* --- facts ---------------------------------------------------------------------------------------------------------------- */

TmlOptimumResult tml_optimum_result(const TmlOptimum *o)
{
    return o->result;
}

const char *tml_optimum_title(const TmlOptimum *o)
{
    const char *title = o->s.title[0] != '\0' ? o->s.title : tml_model_title(o->s.model);
    return title != NULL ? title : "";
}

const TmlModel *tml_optimum_model(const TmlOptimum *o)
{
    return o->s.model;
}

int tml_optimum_parameters(const TmlOptimum *o)
{
    return o->s.n;
}

static const TmlFree *parameter(const TmlOptimum *o, int k)
{
    return k >= 0 && k < o->s.n ? &o->s.free[k] : NULL;
}

const char *tml_optimum_parameter(const TmlOptimum *o, int k)
{
    return parameter(o, k) != NULL ? o->s.free[k].name : NULL;
}

double tml_optimum_start(const TmlOptimum *o, int k)
{
    return parameter(o, k) != NULL ? o->s.free[k].start : (double)NAN;
}

double tml_optimum_value(const TmlOptimum *o, int k)
{
    return parameter(o, k) != NULL ? o->x[k] : (double)NAN;
}

double tml_optimum_low(const TmlOptimum *o, int k)
{
    return parameter(o, k) != NULL ? o->s.free[k].low : (double)NAN;
}

double tml_optimum_high(const TmlOptimum *o, int k)
{
    return parameter(o, k) != NULL ? o->s.free[k].high : (double)NAN;
}

int tml_optimum_responses(const TmlOptimum *o)
{
    return o->n_responses;
}

static bool is_response(const TmlOptimum *o, int r)
{
    return r >= 0 && r < o->n_responses;
}

const char *tml_optimum_response(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->response[r].name : NULL;
}

const char *tml_optimum_response_unit(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->response[r].unit : NULL;
}

double tml_optimum_first(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->first[r] : (double)NAN;
}

double tml_optimum_best(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->y[r] : (double)NAN;
}

double tml_optimum_min(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->limit[r].min : (double)NAN;
}

double tml_optimum_max(const TmlOptimum *o, int r)
{
    return is_response(o, r) ? o->limit[r].max : (double)NAN;
}
