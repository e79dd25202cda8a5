/* io/study/store_page.c - a page with pictures of a study: one file, whose data is JSON inside of it.
 *
 * Above RUNS_SHOWN runs the page has every n-th of them; histories have as many runs and rows as numbers are allowed.
 */
#include "io/study/study.h"
#include "io/study/study_html.h"

#include "base/fail.h"
#include "io/file/draft.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS_SHOWN = 20000, HISTORIES_SHOWN = 300, ROWS_SHOWN = 400, NUMBERS_SHOWN = 1500000 };

typedef struct Page {
    TmlStore *store;
    const TmlStudy *s;
    FILE *to;
    double *y;
} Page;

/* A text as JSON that may stand in a page: no '<' either. */
static void put_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c == '<' || *c == '>' || *c == '&') {
            fprintf(to, "\\u%04x", *c);
        } else {
            fputc(*c, to);
        }
    }
    fputc('"', to);
}

static void put_value(FILE *to, double value, int digits)
{
    if (isfinite(value)) {
        fprintf(to, "%.*g", digits, value);
    } else {
        fputs("null", to);
    }
}

static void put_head(const Page *p)
{
    const TmlStudy *s = p->s;
    FILE *to = p->to;
    fputs("{\"title\":", to);
    put_text(to, tml_study_title(s));
    fputs(",\"design\":", to);
    put_text(to, tml_study_design(s));
    fputs(",\"trammel\":", to);
    put_text(to, tml_version());
    fputs(",\"model\":", to);
    put_text(to, tml_model_input(s->model, 0) != NULL ? tml_model_input(s->model, 0) : "");
    fputs(",\"options\":\"", to);
    if (isfinite(s->run.end_time)) {
        fprintf(to, " --end %.17g", s->run.end_time);
    }
    if (isfinite(s->run.output_step)) {
        fprintf(to, " --output-step %.17g", s->run.output_step);
    }
    if (isfinite(s->run.tolerance)) {
        fprintf(to, " --tol %.17g", s->run.tolerance);
    }
    fputs("\"", to);
    fprintf(to, ",\"total\":%d,\"reports\":", s->runs);
    if (p->store->reports != NULL) {
        put_text(to, p->store->reports);
    } else {
        fputs("null", to);
    }
    fputs(",\"parameters\":[", to);
    for (int k = 0; k < s->n_spreads; ++k) {
        fputs(k > 0 ? ",{\"name\":" : "{\"name\":", to);
        put_text(to, s->spread[k].name);
        fputs("}", to);
    }
    fputs("],\"responses\":[", to);
    for (int k = 0; k < s->n_responses; ++k) {
        fputs(k > 0 ? ",{\"name\":" : "{\"name\":", to);
        put_text(to, s->response[k].name);
        fputs(",\"unit\":", to);
        put_text(to, s->response[k].unit);
        fputs("}", to);
    }
    fputs("]", to);
}

static int stride(int n, int most)
{
    return n <= most ? 1 : (n + most - 1) / most;
}

static TmlStatus put_runs(const Page *p, TmlError *err)
{
    const TmlStudy *s = p->s;
    const int step = stride(s->runs, RUNS_SHOWN);
    fputs(",\"runs\":[", p->to);
    for (int run = 0; run < s->runs; run += step) {
        TmlRecordParts r = {0};
        const bool there = tml_store_has(p->store, run);
        if (there) {
            TML_TRY(tml_store_read(p->store, run, false, &r, err));
        }
        fprintf(p->to, "%s{\"n\":%d,\"s\":%d,\"v\":[", run > 0 ? ",\n" : "", run + 1,
                !there                    ? -1
                : r.head.status == TML_OK ? 0
                                          : 1);
        for (int k = 0; k < s->n_spreads; ++k) {
            fputs(k > 0 ? "," : "", p->to);
            put_value(p->to, tml_study_value(s, run, k), 9);
        }
        for (int k = 0; k < s->n_responses; ++k) {
            fputs(",", p->to);
            put_value(p->to, there ? r.response[k] : (double)NAN, 9);
        }
        fputs("],\"x\":[", p->to);
        for (int k = 0; k < s->n_spreads; ++k) { // as texts: to be typed again, digit by digit
            fprintf(p->to, "%s\"%.17g\"", k > 0 ? "," : "", tml_study_value(s, run, k));
        }
        fputs("]", p->to);
        if (there && r.head.message > 0) {
            fputs(",\"m\":", p->to);
            put_text(p->to, r.message);
        }
        fputs("}", p->to);
        tml_mem_free(r.block);
    }
    fputs("]", p->to);
    return TML_OK;
}

static void put_effects(const Page *p)
{
    static const char *const names[][3] = {
        {"first order", "total", "deviation"},
        {"mean effect", "mean size", "deviation"},
        {"change of mean", "rank correlation", NULL},
    };
    static const char *const text[] = {
        "parts of the variance (Sobol indices)",
        "elementary effects by the whole range of a parameter (Morris)",
        "difference of means over the parameter, and rank correlation",
    };
    const TmlStudy *s = p->s;
    const int kind = s->design == TML_DESIGN_INDICES ? 0 : s->design == TML_DESIGN_MORRIS ? 1 : 2;
    fputs(",\"effect_text\":", p->to);
    put_text(p->to, text[kind]);
    fputs(",\"effect_names\":[", p->to);
    for (int k = 0; k < 3 && names[kind][k] != NULL; ++k) {
        fputs(k > 0 ? "," : "", p->to);
        put_text(p->to, names[kind][k]);
    }
    fputs("],\"effects\":[", p->to);
    for (int r = 0; r < s->n_responses; ++r) {
        fputs(r > 0 ? ",[" : "[", p->to);
        for (int k = 0; k < s->n_spreads; ++k) {
            const TmlEffect e = tml_study_effect(s, p->y, k, r);
            fputs(k > 0 ? ",[" : "[", p->to);
            put_value(p->to, e.main, 6);
            fputs(",", p->to);
            put_value(p->to, e.total, 6);
            if (kind < 2) {
                fputs(",", p->to);
                put_value(p->to, e.spread, 6);
            }
            fputs("]", p->to);
        }
        fputs("]", p->to);
    }
    fputs("]", p->to);
}

/* One column of the runs that are shown: 0 the time, then the kept channels. */
static TmlStatus put_column(const Page *p, int column, int step, int most_rows, TmlError *err)
{
    const size_t width = (size_t)p->s->n_kept + 1;
    fputs("[", p->to);
    for (int run = 0; run < p->s->runs; run += step) {
        TmlRecordParts r = {0};
        if (tml_store_has(p->store, run)) {
            TML_TRY(tml_store_read(p->store, run, true, &r, err));
        }
        const int rows = stride(r.head.rows, most_rows);
        fputs(run > 0 ? ",[" : "[", p->to);
        for (int k = 0; k < r.head.rows; k += rows) {
            fputs(k > 0 ? "," : "", p->to);
            put_value(p->to, r.rows[(size_t)k * width + (size_t)column], 5);
        }
        fputs("]", p->to);
        tml_mem_free(r.block);
    }
    fputs("]", p->to);
    return TML_OK;
}

static TmlStatus put_histories(const Page *p, TmlError *err)
{
    const TmlStudy *s = p->s;
    const int columns = s->n_kept > 0 ? s->n_kept + 1 : 0;
    // a run of the page is one of its list, whose own stride is that of put_runs
    const int base = stride(s->runs, RUNS_SHOWN);
    const int step = base * stride((s->runs + base - 1) / base, HISTORIES_SHOWN);
    const int shown = (s->runs + step - 1) / step;
    int most = columns > 0 ? NUMBERS_SHOWN / (columns * shown) : 0;
    most = most > ROWS_SHOWN ? ROWS_SHOWN : most < 2 ? 2 : most;
    fputs(",\"history_runs\":[", p->to);
    for (int run = 0; run < s->runs && columns > 0; run += step) {
        fprintf(p->to, "%s%d", run > 0 ? "," : "", run / base);
    }
    fputs("],\"time\":", p->to);
    if (columns == 0) {
        fputs("[]", p->to);
    } else {
        TML_TRY(put_column(p, 0, step, most, err));
    }
    fputs(",\"histories\":[", p->to);
    for (int c = 1; c < columns; ++c) {
        fputs(c > 1 ? ",{\"name\":" : "{\"name\":", p->to);
        put_text(p->to, s->kept_name[c - 1]);
        fputs(",\"unit\":", p->to);
        put_text(p->to, s->kept_unit[c - 1]);
        fputs(",\"rows\":", p->to);
        TML_TRY(put_column(p, c, step, most, err));
        fputs("}", p->to);
    }
    fputs("]}", p->to);
    return TML_OK;
}

static TmlStatus fill(void *user, FILE *to, TmlError *err)
{
    Page *p = user;
    const char *mark = strstr(tml_study_html, "@STUDY@");
    p->to = to;
    fwrite(tml_study_html, 1, (size_t)(mark - tml_study_html), to);
    put_head(p);
    TML_TRY(put_runs(p, err));
    put_effects(p);
    TML_TRY(put_histories(p, err));
    fputs(mark + strlen("@STUDY@"), to);
    return TML_OK;
}

TmlStatus tml_store_write_page(TmlStore *store, const char *path, TmlError *err)
{
    Page p = {.store = store, .s = store->study};
    TML_TRY(tml_store_responses(store, &p.y, err));
    const TmlStatus status = tml_draft_write(path, TML_LINK_REPLACE, fill, &p, err);
    tml_mem_free(p.y);
    return status;
}
