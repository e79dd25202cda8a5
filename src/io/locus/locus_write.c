/* io/locus/locus_write.c - eigenvalues over a parameter as CSV, JSON and pictures. */
#include "io/locus/locus.h"
#include "io/text/json.h"

#include "model/model.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NUMBERS = 6 };

static void numbers_of(const TmlMode *m, double x[NUMBERS])
{
    const double all[NUMBERS] = {
        m->real, m->imag, m->frequency, m->natural_frequency, m->damping_ratio, m->time_constant};
    memcpy(x, all, sizeof all);
}

static void csv_text(const TmlLocus *w, TmlTextBuf *text)
{
    char number[TML_NUMBER_MAX];
    tml_textbuf_add(text,
                    "%s,branch,real,imag,frequency,natural_frequency,damping_ratio,time_constant\n",
                    w->options.parameter);
    for (int k = 0; k < w->n; ++k) {
        const TmlLocusPoint *p = &w->point[k];
        for (int i = 0; i < p->n; ++i) {
            double x[NUMBERS];
            numbers_of(&p->mode[i], x);
            tml_textbuf_put(text, tml_number_text(p->value, number));
            tml_textbuf_add(text, ",%d", p->branch[i] + 1);
            for (int c = 0; c < NUMBERS; ++c) {
                tml_textbuf_add(text, ",%s", tml_number_text(x[c], number));
            }
            tml_textbuf_put(text, "\n");
        }
    }
}

static void json_crossings(const TmlLocus *w, TmlJson *j)
{
    tml_json_open(j, "crossings", '[');
    for (int k = 0; k < w->n_crossings; ++k) {
        const TmlCrossing *c = &w->crossing[k];
        tml_json_open(j, NULL, '{');
        tml_json_number(j, "value", c->value);
        tml_json_number(j, "frequency", c->frequency);
        tml_json_number(j, "slope", c->slope);
        tml_json_number(j, "doubt", c->doubt);
        tml_json_int(j, "branch", c->branch + 1);
        tml_json_bool(j, "unstable", c->unstable);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_text(const TmlLocus *w, TmlTextBuf *text)
{
    TmlJson j = {.text = text};
    tml_json_open(&j, NULL, '{');
    tml_json_string(&j, "trammel", TML_VERSION);
    tml_json_string(&j, "model", w->model->file);
    tml_json_string(&j, "title", w->model->title);
    tml_json_string(&j, "parameter", w->options.parameter);
    json_crossings(w, &j);
    tml_json_open(&j, "points", '[');
    for (int k = 0; k < w->n; ++k) {
        const TmlLocusPoint *p = &w->point[k];
        tml_json_open(&j, NULL, '{');
        tml_json_number(&j, "value", p->value);
        tml_json_int(&j, "unstable", tml_locus_count_unstable(p));
        tml_json_open(&j, "modes", '[');
        for (int i = 0; i < p->n; ++i) {
            tml_json_open(&j, NULL, '{');
            tml_json_int(&j, "branch", p->branch[i] + 1);
            tml_json_number(&j, "real", p->mode[i].real);
            tml_json_number(&j, "imag", p->mode[i].imag);
            tml_json_number(&j, "frequency", p->mode[i].frequency);
            tml_json_number(&j, "damping_ratio", p->mode[i].damping_ratio);
            tml_json_close(&j);
        }
        tml_json_close(&j);
        tml_json_close(&j);
    }
    tml_json_close(&j);
    tml_json_close(&j);
}

/* --- pictures ----------------------------------------------------------------------------------- */

enum { PANELS = 3 };

/* Points of all branches one after the other. */
typedef struct Lines {
    double *value, *real, *frequency;
    TmlSeries *series[PANELS];
    int n, at;
} Lines;

static TmlStatus lines_make(const TmlLocus *w, TmlArena *arena, Lines *l, TmlError *err)
{
    int all = 0;
    for (int k = 0; k < w->n; ++k) {
        all += w->point[k].n;
    }
    TML_NEW(arena, l->value, all + 1);
    TML_NEW(arena, l->real, all + 1);
    TML_NEW(arena, l->frequency, all + 1);
    for (int c = 0; c < PANELS; ++c) {
        TML_NEW(arena, l->series[c], w->branches + w->n_crossings + 1);
    }
    return TML_OK;
}

static void put_branch(const TmlLocus *w, int branch, Lines *l)
{
    const int from = l->at;
    for (int k = 0; k < w->n; ++k) {
        const TmlLocusPoint *p = &w->point[k];
        for (int i = 0; i < p->n; ++i) {
            if (p->branch[i] == branch && hypot(p->mode[i].real, p->mode[i].imag) > p->noise) {
                l->value[l->at] = p->value;
                l->real[l->at] = p->mode[i].real;
                l->frequency[l->at++] = p->mode[i].frequency;
            }
        }
    }
    const int n = l->at - from;
    if (n == 0) {
        return; // zero throughout
    }
    const bool marks = n == 1;
    const double *const x[PANELS] = {l->value + from, l->value + from, l->real + from};
    const double *const y[PANELS] = {l->real + from, l->frequency + from, l->frequency + from};
    for (int c = 0; c < PANELS; ++c) {
        l->series[c][l->n] = (TmlSeries){.n = n, .x = x[c], .y = y[c], .marks = marks};
    }
    ++l->n;
}

static TmlStatus write_picture(const char *path, const TmlLocus *w, TmlError *err)
{
    TmlArena arena = {0};
    Lines l = {0};
    TmlStatus status = lines_make(w, &arena, &l, err);
    TmlPlot plot[PANELS];
    for (int k = 0; status == TML_OK && k < w->branches; ++k) {
        put_branch(w, k, &l);
    }
    static const char *const title[PANELS] = {"Growth", "Frequency", "Root locus"};
    for (int c = 0; c < PANELS; ++c) {
        plot[c] = tml_plot_default();
        plot[c].title = title[c];
        plot[c].x.label = c < 2 ? w->options.parameter : "real part, 1/s";
        plot[c].y.label = c == 0 ? "real part, 1/s" : "frequency, Hz";
        plot[c].n_series = l.n;
        plot[c].series = l.series[c];
    }
    TmlFigure figure = tml_figure_default();
    figure.title = w->model->title;
    figure.n_plots = PANELS;
    figure.columns = 1;
    figure.plots = plot;
    status = status == TML_OK ? tml_figure_write(&figure, path, err) : status;
    tml_arena_free(&arena);
    return status;
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcasecmp(path + n - k, suffix) == 0;
}

TmlStatus tml_write_locus(const char *path, const TmlLocus *locus, TmlError *err)
{
    TmlTextBuf text = {0};
    char *all;
    if (ends_in(path, ".svg") || ends_in(path, ".png")) {
        return write_picture(path, locus, err);
    }
    if (!ends_in(path, ".csv") && !ends_in(path, ".json")) {
        return tml_fail(
            err, TML_E_ARGUMENT,
            "the name of a file for a locus ends in .csv, .json, .svg or .png, not '%s'", path);
    }
    (ends_in(path, ".csv") ? csv_text : json_text)(locus, &text);
    TML_TRY(tml_textbuf_take(&text, &all, err));
    const TmlStatus status = tml_file_write(path, all, strlen(all), err);
    tml_text_free(all);
    return status;
}
