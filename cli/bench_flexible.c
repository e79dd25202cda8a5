/* cli/bench_flexible.c - the flexible pendulum of [002] and [000]: figures 2 to 8 of [002].
 *
 * For each modulus of elasticity every method runs with the largest tolerance of a ladder for which
 * the tip stays within 1e-4 m of a tight explicit run over 0 to 1 s: times are compared at equal
 * accuracy. Short runs are timed five times without output, the fastest counts.
 */
#include "bench.h"

#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_MODULI = 7, N_METHODS = 3, N_ROWS = 1001, REPEAT = 5, N_FIGURES = 6 };
enum { HHT, ADAMS, TLISMNI };
enum { TIP_X, TIP_Y, MID_X, MID_Y, N_CHANNELS };

static const double moduli[N_MODULI] = {2e5, 2e6, 2e7, 2e8, 2e9, 2e10, 2e11};
static const char *const methods[N_METHODS] = {"hht", "adams", "tlismni-hht"};
static const char *const channels[N_CHANNELS] = {"tip_x", "tip_y", "mid_x", "mid_y"};
static const double largest_error = 1e-4; /* m */
static const double tight = 1e-6;         /* tolerance of the explicit reference */
static const double long_run = 5.0;       /* s: longer runs are timed once, with their output */

typedef struct Track {
    double at[N_ROWS][N_CHANNELS];
    int rows;
} Track;

typedef struct Cell {
    double seconds, error, tolerance;
    TmlSimStats stats;
} Cell;

typedef struct Bench {
    Cell cell[N_MODULI][N_METHODS];
    Track reference, track;
    /* curves of the figures: moduli 2e5, 2e8 and 2e11 by adams and hht */
    double time[N_ROWS], tip[3][2][N_ROWS], middle[3][2][N_ROWS];
} Bench;

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- runs ---------------------------------------------------------------------------------- */

static TmlStatus take_row(void *user, const TmlSim *sim, TmlError *err)
{
    Track *track = user;
    (void)err;
    for (int k = 0; k < N_CHANNELS && track->rows < N_ROWS; ++k) {
        track->at[track->rows][k] = tml_row_channel(sim, tml_sim_channel_find(sim, channels[k]));
    }
    track->rows++;
    return TML_OK;
}

static bool on_progress(void *user, const TmlProgress *p)
{
    (void)user, (void)p;
    return !cli_cancelled();
}

/* One run; track NULL: without output. */
static TmlStatus run_once(const TmlModel *model, const char *method, double tolerance, Track *track,
                          Cell *cell, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    o.integrator = method;
    o.tolerance = tolerance;
    o.end_time = 1.0;
    o.output_step = 1.0 / (N_ROWS - 1);
    o.hooks.progress = on_progress;
    TmlStatus status = tml_sim_create(model, &o, &sim, err);
    if (status == TML_OK) {
        const double start = cpu_time();
        if (track != NULL) {
            track->rows = 0;
        }
        status = tml_sim_run(sim, track != NULL ? take_row : NULL, track, err);
        cell->seconds = cpu_time() - start;
        cell->stats = tml_sim_stats(sim);
        cell->tolerance = tolerance;
    }
    tml_sim_free(sim);
    return status;
}

static double tip_error(const Track *a, const Track *b)
{
    double worst = 0.0;
    for (int k = 0; k < N_ROWS; ++k) {
        worst = fmax(worst,
                     hypot(a->at[k][TIP_X] - b->at[k][TIP_X], a->at[k][TIP_Y] - b->at[k][TIP_Y]));
    }
    return worst;
}

/* Falling tolerances, six a decade. */
static double rung(int k)
{
    return pow(10.0, -3.0 - k / 6.0);
}

/* The run of the largest tolerance that is accurate enough, then its time. */
static TmlStatus measure(Bench *b, const TmlModel *model, int modulus, int method, TmlError *err)
{
    enum { RUNGS = 36 };
    Cell *cell = &b->cell[modulus][method];
    cell->error = HUGE_VAL;
    for (int k = 0; k < RUNGS && !(cell->error <= largest_error); ++k) {
        cli_bench_progress(methods[method], rung(k));
        const TmlStatus status = run_once(model, methods[method], rung(k), &b->track, cell, err);
        if (status == TML_E_CANCELLED || (status != TML_OK && k + 1 == RUNGS)) {
            return status;
        }
        cell->error = status == TML_OK ? tip_error(&b->track, &b->reference) : HUGE_VAL;
    }
    for (int k = 0; k < REPEAT && cell->seconds < long_run; ++k) {
        Cell again;
        const TmlStatus status =
            run_once(model, methods[method], cell->tolerance, NULL, &again, err);
        if (status != TML_OK) {
            return status;
        }
        cell->seconds = k == 0 ? again.seconds : fmin(cell->seconds, again.seconds);
    }
    return TML_OK;
}

/* Distance of the middle from the line between pin and tip. */
static double bending(const double *x)
{
    return (x[TIP_X] * x[MID_Y] - x[TIP_Y] * x[MID_X]) / hypot(x[TIP_X], x[TIP_Y]);
}

static void keep_curves(Bench *b, const Track *track, int figure, int which)
{
    for (int k = 0; k < N_ROWS; ++k) {
        b->time[k] = (double)k / (N_ROWS - 1);
        b->tip[figure][which][k] = track->at[k][TIP_Y];
        b->middle[figure][which][k] = bending(track->at[k]);
    }
}

static TmlStatus one_modulus(Bench *b, int m, TmlError *err)
{
    static const char *const name[] = {"E"};
    TmlModel *model = NULL;
    Cell unused;
    TmlStatus status = tml_load_text(cli_model_flexible_pendulum, "pendulum.yaml", 1, name,
                                     &moduli[m], &model, err);
    cli_bench_progress("adams", tight);
    status =
        status == TML_OK ? run_once(model, "adams", tight, &b->reference, &unused, err) : status;
    for (int k = 0; k < N_METHODS && status == TML_OK; ++k) {
        status = measure(b, model, m, k, err);
        if (status == TML_OK && k == HHT && m % 3 == 0) {
            // the explicit curve is the tight one: at loose tolerances it rings at the stability
            // limit
            keep_curves(b, &b->reference, m / 3, 0);
            keep_curves(b, &b->track, m / 3, 1);
        }
    }
    tml_model_free(model);
    return status;
}

/* --- what is shown ------------------------------------------------------------------------- */

static void print_row(const Bench *b, int m)
{
    printf("%8.0e", moduli[m]);
    for (int k = 0; k < N_METHODS; ++k) {
        const Cell *c = &b->cell[m][k];
        printf(" | %8.2e %8" PRId64 " %8.2e %9.4f", c->tolerance, c->stats.steps, c->error,
               c->seconds);
    }
    printf("\n");
    fflush(stdout);
}

static void print_head(void)
{
    printf("Flexible pendulum of [002]: two plane beam elements, 1 s; tolerance, steps, largest "
           "error of the tip in m,\nCPU time in s, at the largest tolerance that keeps the tip "
           "within %g m\n\n%8s",
           largest_error, "E, Pa");
    for (int k = 0; k < N_METHODS; ++k) {
        printf(" | %-36s", methods[k]);
    }
    printf("\n");
}

static void print_end(const Bench *b)
{
    double low = HUGE_VAL, high = 0.0;
    for (int m = 0; m < N_MODULI; ++m) {
        low = fmin(low, b->cell[m][HHT].seconds);
        high = fmax(high, b->cell[m][HHT].seconds);
    }
    const Cell *last = b->cell[N_MODULI - 1];
    printf("\nhht: largest over smallest time of all moduli %.2f\n", high / low);
    printf("adams: time at 2e11 over time at 2e5 Pa %.0f\n",
           last[ADAMS].seconds / b->cell[0][ADAMS].seconds);
    printf("at 2e11 Pa adams takes %.0f times the time of hht, %.0f times that of tlismni-hht\n",
           last[ADAMS].seconds / last[HHT].seconds, last[ADAMS].seconds / last[TLISMNI].seconds);
}

static TmlPlot curves(const Bench *b, const char *title, const char *label,
                      const double y[2][N_ROWS], TmlSeries *series)
{
    TmlPlot p = tml_plot_default();
    for (int k = 0; k < 2; ++k) {
        series[k] = (TmlSeries){k == 0 ? "adams" : "hht", N_ROWS, b->time, y[k], false, NULL};
    }
    p.title = title;
    p.x.label = "time, s";
    p.x.tight = true;
    p.y.label = label;
    p.n_series = 2;
    p.series = series;
    return p;
}

static TmlStatus write_plot(const Bench *b, const char *path, TmlError *err)
{
    TmlPlot plot[N_FIGURES];
    TmlSeries series[N_FIGURES][2];
    double seconds[2][N_MODULI];
    static const char tip[] = "height of the tip, m", middle[] = "deformation at the middle, m";
    plot[0] = curves(b, "Figure 2: E = 2e5 Pa", tip, b->tip[0], series[0]);
    plot[1] = curves(b, "Figure 3: E = 2e5 Pa", middle, b->middle[0], series[1]);
    plot[2] = curves(b, "Figure 5: E = 2e8 Pa", middle, b->middle[1], series[2]);
    plot[3] = curves(b, "Figure 6: E = 2e11 Pa", tip, b->tip[2], series[3]);
    plot[4] = curves(b, "Figure 7: E = 2e11 Pa", middle, b->middle[2], series[4]);
    plot[5] = curves(b, "Figure 8: CPU time", "CPU time, s", b->tip[0], series[5]);
    plot[5].x = (TmlAxis){"modulus of elasticity, Pa", true, (double)NAN, (double)NAN, false};
    plot[5].y.log = true;
    for (int k = 0; k < 2; ++k) {
        for (int m = 0; m < N_MODULI; ++m) {
            seconds[k][m] = b->cell[m][k == 0 ? ADAMS : HHT].seconds;
        }
        series[5][k] =
            (TmlSeries){methods[k == 0 ? ADAMS : HHT], N_MODULI, moduli, seconds[k], true, NULL};
    }
    TmlFigure figure = tml_figure_default();
    figure.title = "Flexible pendulum of [002]";
    figure.n_plots = N_FIGURES;
    figure.columns = 2;
    figure.plots = plot;
    figure.legend = TML_LEGEND_ONE;
    return tml_figure_write(&figure, path, err);
}

static void json_map(const Bench *b, FILE *json, int m, const char *key, const char *after)
{
    fprintf(json, "\"%s\": {", key);
    for (int k = 0; k < N_METHODS; ++k) {
        const Cell *c = &b->cell[m][k];
        const double value = strcmp(key, "cpu") == 0         ? c->seconds
                             : strcmp(key, "error") == 0     ? c->error
                             : strcmp(key, "tolerance") == 0 ? c->tolerance
                                                             : (double)c->stats.steps;
        cli_bench_json(json, methods[k], value, k + 1 < N_METHODS ? ", " : "}");
    }
    fputs(after, json);
}

static void write_json(const CliBench *self, const Bench *b, FILE *json)
{
    fprintf(json, "{\n  \"bench\": \"%s\",\n  \"rows\": [", self->name);
    for (int m = 0; m < N_MODULI; ++m) {
        fprintf(json, "%s\n    {", m > 0 ? "," : "");
        cli_bench_json(json, "modulus", moduli[m], ", ");
        json_map(b, json, m, "cpu", ", ");
        json_map(b, json, m, "steps", ", ");
        json_map(b, json, m, "error", ", ");
        json_map(b, json, m, "tolerance", "}");
    }
    fputs("\n  ]\n}\n", json);
}

static int flexible_run(const CliBench *self, const CliBenchOrder *order)
{
    FILE *json = order->json;
    const char *plot = order->plot;
    TmlError err = {0};
    TmlStatus status = TML_OK;
    Bench *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return cli_wrong("out of memory");
    }
    cli_cancel_init();
    print_head();
    for (int m = 0; m < N_MODULI && status == TML_OK; ++m) {
        status = one_modulus(b, m, &err);
        cli_bench_progress(NULL, 0.0);
        if (status == TML_OK) {
            print_row(b, m);
        }
    }
    if (status == TML_OK) {
        print_end(b);
        status = write_plot(b, plot != NULL ? plot : "flexible_pendulum.svg", &err);
    }
    if (status == TML_OK) {
        printf("written %s: figures 2, 3 and 5 to 8\n",
               plot != NULL ? plot : "flexible_pendulum.svg");
    }
    if (status == TML_OK && json != NULL) {
        write_json(self, b, json);
    }
    free(b);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

const CliBench cli_bench_flexible_pendulum = {
    .name = "flexible_pendulum",
    .text = "pendulum of flexible beams of [002] and [000]: its figures, time against stiffness",
    .run = flexible_run,
    .plots = true,
};
