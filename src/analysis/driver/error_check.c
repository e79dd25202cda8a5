/* analysis/driver/error_check.c - the global error of a run, by another run.
 *
 * Error control bounds what one step adds. What comes of it at the end depends on the motion: a
 * body that spins fast is off by an angle that grows with every turn, and the energy says nothing
 * of it. The only honest way to know is to compute the motion by other means: here by radau, of
 * order 5, at a thousandth of the tolerance, and row by row
 *
 *   (G1)  difference = max |y - y_other|          of each channel; of the position of each body
 *   (G2)  relative = difference / scale           scale of a channel: its range in the run, and at
 *         least 1e-3 of its largest value; of a body: its range, and at least the model's length L
 *   (G3)  suggested = min(1e-2, 100 tol^(p/(p+1)))     p: order of the method. Local errors of tol
 *         in each of some tol^(-1/(p+1)) steps add up to tol^(p/(p+1)); the factor is for what the
 *         motion makes of them
 *
 * The difference is the error of the run as long as the other's is much smaller. Where neither
 * method can follow the motion, because it is chaotic, it is large and says so.
 */
#include "analysis/driver/error_check.h"

#include "analysis/driver/sim_internal.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char other_method[] = "radau";
/* Tolerance of the other run: this factor of that of the run, but not less than the tightest; the
 * third where the run has fixed steps. */
static const double tighter_factor = 1e-3;
static const double tightest_tolerance = 1e-12;
static const double fixed_step_tolerance = 1e-9;
static const double least_range = 1e-3;     // (G2)
static const double vanishing_range = 1e-9; // range over the largest value of that unit: rounding
static const double large_error = 1e-2, error_factor = 100.0; // (G3)

TmlStatus tml_sim_error_setup(TmlSim *sim, TmlError *err)
{
    if (!sim->options.check_error) {
        return TML_OK;
    }
    TmlErrorCheck *c = tml_mem_zalloc(1, sizeof *c);
    if (c == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    sim->error = c;
    const int bodies = tml_model_body_count(sim->model) - 1;
    c->output_step = sim->output_step;
    c->n_channels = tml_row_channel_count(sim);
    c->n_items = c->n_channels + 3 * bodies;
    c->info.items = c->n_channels + bodies;
    TML_NEW(&c->arena, c->item, c->info.items);
    TML_NEW(&c->arena, c->lowest, c->n_items);
    TML_NEW(&c->arena, c->highest, c->n_items);
    return TML_OK;
}

void tml_sim_error_free(TmlSim *sim)
{
    if (sim->error != NULL) {
        tml_mem_free(sim->error->data);
        tml_arena_free(&sim->error->arena);
        tml_mem_free(sim->error);
        sim->error = NULL;
    }
}

/* Returns column k of the row that a sim is set to. */
static double column(const TmlErrorCheck *c, const TmlSim *sim, int k)
{
    if (k < c->n_channels) {
        return tml_row_channel(sim, k);
    }
    const TmlVec3 r = tml_row_body(sim, 1 + (k - c->n_channels) / 3).position;
    const int axis = (k - c->n_channels) % 3;
    return axis == 0 ? r.x : axis == 1 ? r.y : r.z;
}

TmlStatus tml_sim_error_row(TmlSim *sim, TmlError *err)
{
    TmlErrorCheck *c = sim->error;
    if (c == NULL) {
        return TML_OK;
    }
    const size_t width = (size_t)c->n_items + 1;
    if (!tml_mem_grow((void **)&c->data, &c->cap, (int)c->rows + 1, width * sizeof *c->data)) {
        return tml_fail(err, TML_E_NOMEM, "no memory for the rows that the error is judged by");
    }
    double *to = c->data + (size_t)c->rows++ * width;
    to[0] = sim->row.t;
    for (int k = 0; k < c->n_items; ++k) {
        to[1 + k] = column(c, sim, k);
    }
    return TML_OK;
}

/* --- the other run -------------------------------------------------------------------------- */

static const double *row_at(const TmlErrorCheck *c, int64_t k)
{
    return c->data + (size_t)k * ((size_t)c->n_items + 1);
}

static void find_ranges(TmlErrorCheck *c)
{
    for (int k = 0; k < c->n_items; ++k) {
        c->lowest[k] = HUGE_VAL;
        c->highest[k] = -HUGE_VAL;
        for (int64_t i = 0; i < c->rows; ++i) {
            const double x = row_at(c, i)[1 + k];
            c->lowest[k] = x < c->lowest[k] ? x : c->lowest[k];
            c->highest[k] = x > c->highest[k] ? x : c->highest[k];
        }
    }
}

static double largest_value(const TmlErrorCheck *c, int k)
{
    return fmax(fabs(c->lowest[k]), fabs(c->highest[k]));
}

/* Returns (G2) of a channel. Channels that vanish beside others of their unit hold rounding, and
 * their scale is infinite. */
static double channel_scale(const TmlErrorCheck *c, const TmlSim *sim, int k)
{
    const char *unit = tml_row_channel_unit(sim, k);
    double others = 0.0;
    for (int j = 0; j < c->n_channels; ++j) {
        const double x = largest_value(c, j);
        const bool same = strcmp(tml_row_channel_unit(sim, j), unit) == 0;
        others = same && isfinite(x) ? fmax(others, x) : others;
    }
    const double big = largest_value(c, k);
    return big > vanishing_range * others ? fmax(c->highest[k] - c->lowest[k], least_range * big)
                                          : HUGE_VAL;
}

static void set_items(TmlErrorCheck *c, const TmlSim *sim)
{
    find_ranges(c);
    for (int k = 0; k < c->info.items; ++k) {
        TmlErrorItem *item = &c->item[k];
        *item = (TmlErrorItem){.body = k >= c->n_channels};
        if (!item->body) {
            item->name = tml_row_channel_name(sim, k);
            item->unit = tml_row_channel_unit(sim, k);
            item->scale = channel_scale(c, sim, k);
            continue;
        }
        const int index = 1 + k - c->n_channels, first = c->n_channels + 3 * (index - 1);
        item->name = tml_model_body_name(sim->model, index);
        item->unit = "m";
        item->scale = tml_dims(sim->sys)->length;
        for (int axis = 0; axis < 3; ++axis) {
            item->scale = fmax(item->scale, c->highest[first + axis] - c->lowest[first + axis]);
        }
    }
}

/* Returns the difference of (G1) of one item at one row. */
static double difference(const TmlErrorCheck *c, const TmlSim *other, int k, const double *mine)
{
    if (k < c->n_channels) {
        return fabs(mine[1 + k] - column(c, other, k));
    }
    const int first = c->n_channels + 3 * (k - c->n_channels);
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double d = mine[1 + first + axis] - column(c, other, first + axis);
        sum += d * d;
    }
    return sqrt(sum);
}

static void compare_row(TmlErrorCheck *c, const TmlSim *other, const double *mine)
{
    const double end = row_at(c, c->rows - 1)[0], start = row_at(c, 0)[0];
    const double place = end > start ? (mine[0] - start) / (end - start) : 0.0;
    const int part = (int)fmin(TML_ERROR_PARTS * place, TML_ERROR_PARTS - 1);
    for (int k = 0; k < c->info.items; ++k) {
        TmlErrorItem *item = &c->item[k];
        const double d = difference(c, other, k, mine), relative = d / item->scale;
        if (!isfinite(d)) {
            continue; // the run tells of channels that are not finite
        }
        if (d > item->difference) {
            item->difference = d;
            item->relative = relative;
            item->time = mine[0];
        }
        c->part[part] = fmax(c->part[part], relative);
    }
    c->info.rows++;
}

/* Compares rows of both at the same times; events may put others between them. */
static TmlStatus other_row(void *user, const TmlSim *other, TmlError *err)
{
    TmlErrorCheck *c = user;
    const double t = tml_row_time(other), near = 1e-6 * other->output_step;
    (void)err;
    while (c->next < c->rows && row_at(c, c->next)[0] < t - near) {
        c->next++;
    }
    if (c->next < c->rows && row_at(c, c->next)[0] <= t + near) {
        compare_row(c, other, row_at(c, c->next++));
    }
    return TML_OK;
}

static TmlStatus run_other(TmlErrorCheck *c, TmlSim *sim, double tolerance, TmlError *err)
{
    TmlSimOptions o = sim->options;
    TmlSim *other = NULL;
    o.integrator = other_method;
    o.tolerance = tolerance;
    o.n_options = 0;
    o.step = o.first_step = 0.0;
    o.min_step = o.max_step = 0.0;
    o.end_time = row_at(c, c->rows - 1)[0];
    o.output_step = c->output_step;
    o.record_solver = o.check_error = false;
    o.hooks.log = NULL; // it would say what the run has said
    c->next = 0;
    c->info.rows = 0;
    memset(c->part, 0, sizeof c->part);
    set_items(c, sim);
    TML_TRY(tml_sim_create(sim->model, &o, &other, err));
    const TmlStatus status = tml_sim_run(other, other_row, c, err);
    c->info.steps = tml_sim_stats(other).steps;
    tml_sim_free(other);
    return status;
}

/* (G3) */
static double suggested(const TmlSim *sim)
{
    const double tol = sim->options.step > 0.0 ? 0.0 : sim->tolerance, p = sim->type->order;
    return tol > 0.0 ? fmin(large_error, error_factor * pow(tol, p / (p + 1.0))) : large_error;
}

static void find_worst(TmlErrorCheck *c)
{
    c->info.worst = -1;
    c->info.relative = 0.0;
    for (int k = 0; k < c->info.items; ++k) {
        if (c->item[k].relative > c->info.relative) {
            c->info.relative = c->item[k].relative;
            c->info.worst = k;
        }
    }
}

static TmlStatus comparable(const TmlSim *sim, TmlError *err)
{
    const TmlErrorCheck *c = sim->error;
    if (c == NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "the run has kept no rows: set check_error in its options");
    }
    if (sim->start > 0.0 || sim->goes_on) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "the error of a run that continues another one is not estimated");
    }
    return c->rows > 1 ? TML_OK : tml_fail(err, TML_E_ARGUMENT, "the run has no rows to compare");
}

TmlStatus tml_sim_check_error(TmlSim *sim, TmlError *err)
{
    TML_TRY(comparable(sim, err));
    TmlErrorCheck *c = sim->error;
    const bool fixed = sim->options.step > 0.0;
    double tolerance =
        fixed ? fixed_step_tolerance : fmax(tighter_factor * sim->tolerance, tightest_tolerance);
    const double loosest = fixed ? 1e-5 : fmax(sim->tolerance, tightest_tolerance);
    TmlStatus status = run_other(c, sim, tolerance, err);
    while (status == TML_E_STEP && 10.0 * tolerance <= loosest * (1.0 + 1e-9)) {
        tolerance *= 10.0;
        status = run_other(c, sim, tolerance, err);
    }
    if (status != TML_OK) {
        return tml_fail_ctx(err, status, "the run to compare with, by %s at %.2g", other_method,
                            tolerance);
    }
    c->info.integrator = other_method;
    c->info.tolerance = tolerance;
    c->info.suggested = suggested(sim);
    find_worst(c);
    c->done = true;
    return TML_OK;
}

bool tml_sim_error_info(const TmlSim *sim, TmlErrorInfo *out)
{
    const bool known = sim->error != NULL && sim->error->done;
    *out = known ? sim->error->info : (TmlErrorInfo){.worst = -1};
    return known;
}

TmlErrorItem tml_sim_error_item(const TmlSim *sim, int index)
{
    const TmlErrorCheck *c = sim->error;
    return c != NULL && c->done && index >= 0 && index < c->info.items ? c->item[index]
                                                                       : (TmlErrorItem){0};
}

int tml_sim_error_parts(const TmlSim *sim, const double **relative)
{
    const bool known = sim->error != NULL && sim->error->done;
    *relative = known ? sim->error->part : NULL;
    return known ? TML_ERROR_PARTS : 0;
}
