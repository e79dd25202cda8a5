/* cli/worktable.c - a comparison as a table, as CSV and as a diagram. */
#include "worktable.h"

#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_MAX = 160 };

/* --- table --------------------------------------------------------------------------------- */

static void print_references(const TmlCompare *c)
{
    const TmlReferenceRun *first = tml_compare_reference(c, 0),
                          *second = tml_compare_reference(c, 1);
    printf("reference: %s at tolerance %g", first->method, first->tolerance);
    if (second != NULL) {
        printf(
            "; for %s itself %s at %g\nThe two differ by %.2g at most: errors marked ~ are below "
            "that and not certain.",
            first->method, second->method, second->tolerance, tml_compare_doubt(c));
    }
    printf("\n\n");
}

void cli_work_head(const TmlCompare *c, const char *title, bool absolute, int name_width)
{
    int n = 0;
    while (tml_compare_channel(c, n) != NULL) {
        n++;
    }
    if (title != NULL && title[0] != '\0') {
        printf("%s\n", title);
    }
    printf("%d rows of %d channel%s; errors %s\n", tml_compare_output_rows(c), n, n == 1 ? "" : "s",
           absolute ? "absolute" : "relative to the range of the channel");
    print_references(c);
    printf("%-*s %9s  %9s  %9s %8s %8s %10s %10s %9s %8s %10s\n", name_width, "method", "tolerance",
           "max error", "RMS error", "steps", "rejected", "iterations", "residuals", "Jacobians",
           "factors", "CPU s");
    fflush(stdout);
}

void cli_work_row(const TmlCompareRow *r, double doubt, int name_width)
{
    const TmlSimStats *s = &r->stats;
    printf("%-*s %9.1e  ", name_width, r->method, r->tolerance);
    if (r->status != TML_OK) {
        printf("failed: %s\n", r->message);
        return;
    }
    printf("%9.2e%c %9.2e %8" PRId64 " %8" PRId64 " %10" PRId64 " %10" PRId64 " %9" PRId64
           " %8" PRId64 " %10.3g\n",
           r->max_error, r->max_error < doubt ? '~' : ' ', r->rms_error, s->steps, s->rejected,
           s->iterations, s->residuals, s->jacobians, s->factorizations + s->refactorizations,
           r->seconds);
    fflush(stdout);
}

/* --- files --------------------------------------------------------------------------------- */

/* In quotes, for names and messages may hold anything. */
static void csv_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '"') {
            fputc('"', file);
        }
        fputc(*c, file);
    }
    fputc('"', file);
}

static void csv_row(FILE *file, const TmlCompare *c, const TmlCompareRow *r)
{
    const TmlReferenceRun *ref = tml_compare_reference(c, r->reference);
    const TmlSimStats *s = &r->stats;
    const bool done = r->status == TML_OK;
    csv_text(file, r->method);
    fprintf(file, ",%.17g,%s,", r->tolerance, tml_status_name(r->status));
    csv_text(file, ref->method);
    fprintf(file, ",%.17g,", ref->tolerance);
    if (done) { // a run that failed has no error and no time: empty cells
        fprintf(file, "%.17g,%.17g", r->max_error, r->rms_error);
    } else {
        fputc(',', file);
    }
    fprintf(file,
            ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
            ",%" PRId64 ",",
            s->steps, s->rejected, s->iterations, s->residuals, s->jacobians, s->factorizations,
            s->refactorizations, s->solves);
    if (done) {
        fprintf(file, "%.9g", r->seconds);
    }
    fputc(',', file);
    csv_text(file, r->message);
    fputc('\n', file);
}

int cli_work_csv(const TmlCompare *c, const char *path)
{
    char *text = NULL;
    size_t n = 0;
    TmlError err = {0};
    FILE *file = open_memstream(&text, &n);
    if (file == NULL) {
        return cli_fail(TML_E_NOMEM, &err);
    }
    fputs("method,tolerance,status,reference,reference_tolerance,max_error,rms_error,steps,"
          "rejected,iterations,residuals,jacobians,factorizations,refactorizations,solves,"
          "cpu_seconds,message\n",
          file);
    const TmlCompareRow *r;
    for (int k = 0; (r = tml_compare_row(c, k)) != NULL; ++k) {
        csv_row(file, c, r);
    }
    const TmlStatus status = fclose(file) == 0 ? tml_file_write(path, text, n, &err) : TML_E_NOMEM;
    free(text);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

/* --- diagram ------------------------------------------------------------------------------- */

/* The points of all methods; the series of both panels look into it. */
typedef struct Points {
    int n, n_series;
    double *error, *seconds, *work;
    char (*text)[NOTE_MAX];
    const char **note;
    TmlSeries *series[2]; // over time, over evaluations
} Points;

static bool points_alloc(Points *p, size_t n)
{
    p->error = calloc(n + 1, sizeof *p->error);
    p->seconds = calloc(n + 1, sizeof *p->seconds);
    p->work = calloc(n + 1, sizeof *p->work);
    p->text = calloc(n + 1, sizeof *p->text);
    p->note = calloc(n + 1, sizeof *p->note);
    p->series[0] = calloc(n + 1, sizeof *p->series[0]);
    p->series[1] = calloc(n + 1, sizeof *p->series[1]);
    return p->error != NULL && p->seconds != NULL && p->work != NULL && p->text != NULL &&
           p->note != NULL && p->series[0] != NULL && p->series[1] != NULL;
}

static void points_free(Points *p)
{
    free(p->error);
    free(p->seconds);
    free(p->work);
    free(p->text);
    free(p->note);
    free(p->series[0]);
    free(p->series[1]);
}

static void add_point(Points *p, const TmlCompareRow *r)
{
    const int k = p->n++;
    const bool done = r->status == TML_OK;
    p->error[k] = r->max_error;
    p->seconds[k] = done ? r->seconds : (double)NAN;
    p->work[k] = done ? (double)r->stats.residuals : (double)NAN;
    snprintf(p->text[k], sizeof p->text[k],
             "%.60s, tolerance %g: error %.3g, %" PRId64 " steps, %.3g s", r->method, r->tolerance,
             r->max_error, r->stats.steps, r->seconds);
    p->note[k] = p->text[k];
    // rows of one method follow each other, with one text for all
    if (k == 0 || p->series[0][p->n_series - 1].name != r->method) {
        p->series[0][p->n_series] = (TmlSeries){.name = r->method,
                                                .x = p->seconds + k,
                                                .y = p->error + k,
                                                .marks = true,
                                                .notes = p->note + k};
        p->series[1][p->n_series] = p->series[0][p->n_series];
        p->series[1][p->n_series++].x = p->work + k;
    }
    p->series[0][p->n_series - 1].n++;
    p->series[1][p->n_series - 1].n++;
}

static TmlStatus draw(const Points *p, const char *path, const char *title, bool absolute,
                      TmlError *err)
{
    TmlPlot plot[2] = {tml_plot_default(), tml_plot_default()};
    for (int k = 0; k < 2; ++k) {
        plot[k].x.log = plot[k].y.log = true;
        plot[k].y.label = absolute ? "largest error" : "largest error, relative to the range";
        plot[k].n_series = p->n_series;
        plot[k].series = p->series[k];
    }
    plot[0].x.label = "CPU time, s";
    plot[1].x.label = "residual evaluations";
    TmlFigure figure = tml_figure_default();
    figure.title = title;
    figure.n_plots = figure.columns = 2;
    figure.plots = plot;
    figure.legend = TML_LEGEND_ONE;
    return tml_figure_write(&figure, path, err);
}

int cli_work_svg(const TmlCompare *c, const char *path, const char *title, bool absolute)
{
    size_t n = 0;
    while (tml_compare_row(c, (int)n) != NULL) {
        n++;
    }
    Points p = {0};
    TmlError err = {0};
    TmlStatus status = TML_E_NOMEM;
    if (points_alloc(&p, n)) {
        for (size_t k = 0; k < n; ++k) {
            add_point(&p, tml_compare_row(c, (int)k));
        }
        status = draw(&p, path, title, absolute, &err);
    }
    points_free(&p);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}
