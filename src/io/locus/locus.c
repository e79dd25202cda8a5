/* io/locus/locus.c - eigenvalues over a parameter: values one after the other. */
#include "io/locus/locus.h"

#include "trammel/io.h"
#include "trammel/sim.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 100000 };

/* Rates below this part of the largest eigenvalue are rounding. Free motions have double zeros that no eigenvectors span, and
 * rounding of 1e-16 moves these by its square root. */
static const double rounding = 1e-7;

TmlLocusOptions tml_locus_options_default(void)
{
    return (TmlLocusOptions){.size = sizeof(TmlLocusOptions),
                             .points = 21,
                             .crossings = true,
                             .linear = tml_linear_options_default()};
}

static TmlStatus check_options(const TmlLocusOptions *o, TmlError *err)
{
    if (o->parameter == NULL || o->parameter[0] == '\0') {
        return tml_fail(err, TML_E_ARGUMENT, "a locus needs the name of a parameter");
    }
    if (o->points < 2 || o->points > MOST_POINTS) {
        return tml_fail(err, TML_E_ARGUMENT, "a locus has from 2 to %d values, not %d",
                        (int)MOST_POINTS, (int)o->points);
    }
    if (!isfinite(o->from) || !isfinite(o->to) || o->from == o->to) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a locus goes between two different numbers, not from %g to %g", o->from,
                        o->to);
    }
    if (!(o->at >= 0.0) || !isfinite(o->at)) {
        return tml_fail(err, TML_E_ARGUMENT, "the time of the state is %g s", o->at);
    }
    return TML_OK;
}

/* The state that is asked for, linearised. */
static TmlStatus linearise(const TmlLocusOptions *o, TmlSim *sim, TmlLinear **lin, TmlError *err)
{
    TmlStaticsOptions statics = tml_statics_options_default();
    statics.spin = o->linear.spin;
    statics.fixed = o->linear.fixed;
    statics.nearest = o->nearest;
    if (o->at > 0.0) {
        TML_TRY(tml_sim_run(sim, NULL, NULL, err));
    }
    if (o->statics) {
        TML_TRY(tml_sim_statics(sim, &statics, NULL, err));
    }
    return tml_sim_linearize(sim, &o->linear, lin, err);
}

static TmlStatus take(TmlArena *arena, const TmlLinear *lin, TmlLocusPoint *p, TmlError *err)
{
    double largest = 0.0;
    p->n = tml_linear_info(lin).modes;
    TML_NEW(arena, p->mode, p->n + 1);
    TML_NEW(arena, p->branch, p->n + 1);
    for (int k = 0; k < p->n; ++k) {
        p->mode[k] = tml_linear_mode(lin, k);
        largest = fmax(largest, hypot(p->mode[k].real, p->mode[k].imag));
    }
    p->noise = rounding * largest;
    return TML_OK;
}

TmlStatus tml_locus_evaluate(TmlLocus *w, double value, TmlLocusPoint *out, TmlError *err)
{
    const TmlLocusOptions *o = &w->options;
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlLinear *lin = NULL;
    TmlSimOptions run = tml_sim_options_default();
    *out = (TmlLocusPoint){.value = value};
    if (o->go_on != NULL && !o->go_on(o->user)) {
        return tml_fail(err, TML_E_CANCELLED, "stopped at %s = %.9g", o->parameter, value);
    }
    run.end_time = o->at > 0.0 ? o->at : 1.0; // without a run any will do
    TmlStatus status = tml_model_with(w->model, 1, &o->parameter, &value, &model, err);
    status = status == TML_OK ? tml_sim_create(model, &run, &sim, err) : status;
    status = status == TML_OK ? linearise(o, sim, &lin, err) : status;
    status = status == TML_OK ? take(&w->arena, lin, out, err) : status;
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    return status == TML_OK ? TML_OK
                            : tml_fail_ctx(err, status, "at %s = %.9g", o->parameter, value);
}

static TmlStatus follow(TmlLocus *w, TmlError *err)
{
    const TmlLocusOptions *o = &w->options;
    for (int k = 0; k < o->points; ++k) {
        if (!tml_mem_grow((void **)&w->point, &w->cap, w->n + 1, sizeof *w->point)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        const double u = (double)k / (o->points - 1);
        TML_TRY(tml_locus_evaluate(w, (1.0 - u) * o->from + u * o->to, &w->point[w->n], err));
        ++w->n;
    }
    TML_TRY(tml_locus_join(w, err));
    return o->crossings ? tml_locus_cross(w, err) : TML_OK;
}

TmlStatus tml_locus(const TmlModel *model, const TmlLocusOptions *options, TmlLocus **out,
                    TmlError *err)
{
    *out = NULL;
    TML_TRY(check_options(options, err));
    TmlLocus *w = tml_mem_zalloc(1, sizeof *w);
    if (w == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    w->model = model;
    w->options = *options;
    w->options.parameter = tml_arena_strdup(&w->arena, options->parameter);
    const TmlStatus status =
        w->options.parameter != NULL ? follow(w, err) : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status != TML_OK) {
        tml_locus_free(w);
        return status;
    }
    *out = w;
    return TML_OK;
}

void tml_locus_free(TmlLocus *w)
{
    if (w != NULL) {
        tml_arena_free(&w->arena);
        tml_mem_free(w->point);
        tml_mem_free(w->crossing);
        tml_mem_free(w);
    }
}

/* --- what is asked of it ---------------------------------------------------------------------- */

int tml_locus_points(const TmlLocus *w)
{
    return w->n;
}

double tml_locus_value(const TmlLocus *w, int point)
{
    return point >= 0 && point < w->n ? w->point[point].value : (double)NAN;
}

int tml_locus_modes(const TmlLocus *w, int point)
{
    return point >= 0 && point < w->n ? w->point[point].n : 0;
}

TmlMode tml_locus_mode(const TmlLocus *w, int point, int mode)
{
    return mode >= 0 && mode < tml_locus_modes(w, point) ? w->point[point].mode[mode]
                                                         : (TmlMode){0};
}

int tml_locus_branch(const TmlLocus *w, int point, int mode)
{
    return mode >= 0 && mode < tml_locus_modes(w, point) ? w->point[point].branch[mode] : -1;
}

int tml_locus_branches(const TmlLocus *w)
{
    return w->branches;
}

int tml_locus_unstable(const TmlLocus *w, int point)
{
    return point >= 0 && point < w->n ? tml_locus_count_unstable(&w->point[point]) : 0;
}

int tml_locus_least(const TmlLocus *w, int point)
{
    int best = -1;
    for (int k = 0; k < tml_locus_modes(w, point); ++k) {
        const TmlLocusPoint *p = &w->point[point];
        if (hypot(p->mode[k].real, p->mode[k].imag) > p->noise &&
            (best < 0 || p->mode[k].real > p->mode[best].real)) {
            best = k;
        }
    }
    return best;
}

int tml_locus_crossings(const TmlLocus *w)
{
    return w->n_crossings;
}

TmlCrossing tml_locus_crossing(const TmlLocus *w, int index)
{
    return index >= 0 && index < w->n_crossings ? w->crossing[index] : (TmlCrossing){.branch = -1};
}
