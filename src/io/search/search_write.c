/* io/search/search_write.c - results of fits and optimisations as JSON, and CSV.
 *
 * The page has the same JSON, from which it draws.
 */
#include "io/search/fit.h"
#include "io/search/optimum.h"
#include "io/search/search_html.h"

#include "base/fail.h"
#include "io/export/csv.h"
#include "io/file/draft.h"
#include "io/text/json.h"
#include "trammel/trammel.h"

#include <math.h>
#include <string.h>

/* --- both ------------------------------------------------------------------------------------------------------------------ */

static void put_head(const TmlSearch *s, const char *title, TmlJson *j)
{
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "trammel", tml_version());
    tml_json_string(j, "kind", s->kind);
    tml_json_string(j, "title", title);
    tml_json_string(j, "model", tml_model_input(s->model, 0));
}

static void put_numbers(TmlJson *j, const char *key, int n, const double *x)
{
    tml_json_open(j, key, '[');
    for (int k = 0; k < n; ++k) {
        tml_json_number(j, NULL, x[k]);
    }
    tml_json_close(j);
}

static void put_evaluations(const TmlSearch *s, TmlJson *j)
{
    tml_json_open(j, "evaluations", '[');
    for (int k = 0; k < s->count; ++k) {
        const TmlEvaluation *e = &s->done[k];
        tml_json_open(j, NULL, '{');
        tml_json_number(j, "value", e->value);
        put_numbers(j, "x", s->n, e->x);
        if (e->y != NULL && e->status == TML_OK) {
            tml_json_number(j, "excess", e->excess);
            put_numbers(j, "y", s->m, e->y);
        }
        tml_json_bool(j, "slopes", e->slopes);
        tml_json_number(j, "seconds", e->seconds);
        if (e->status != TML_OK) {
            tml_json_string(j, "message", e->message);
        }
        tml_json_close(j);
    }
    tml_json_close(j);
}

typedef struct Text {
    const TmlTextBuf *json;
    bool page;
} Text;

static TmlStatus fill(void *user, FILE *to, TmlError *err)
{
    const Text *t = user;
    const char *mark = strstr(tml_search_html, "@SEARCH@");
    (void)err;
    if (!t->page) {
        fputs(t->json->at, to);
        fputc('\n', to);
        return TML_OK;
    }
    fwrite(tml_search_html, 1, (size_t)(mark - tml_search_html), to);
    for (const char *c = t->json->at; *c != '\0'; ++c) { // inside of a page no '<' may begin a tag
        if (*c == '<' || *c == '>' || *c == '&') {
            fprintf(to, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, to);
        }
    }
    fputs(mark + strlen("@SEARCH@"), to);
    return TML_OK;
}

static TmlStatus write_text(const char *path, TmlTextBuf *json, bool page, TmlError *err)
{
    Text t = {json, page};
    const TmlStatus status = json->failed || json->at == NULL
                                 ? tml_fail(err, TML_E_NOMEM, "out of memory")
                                 : tml_draft_write(path, TML_LINK_REPLACE, fill, &t, err);
    tml_textbuf_free(json);
    return status;
}

static void put_cell(FILE *to, double value)
{
    if (isfinite(value)) {
        fprintf(to, ",%.17g", value);
    } else {
        fputc(',', to);
    }
}

/* --- a fit ----------------------------------------------------------------------------------------------------------------- */

static void put_fit_parameters(const TmlFit *f, TmlJson *j)
{
    const int n = f->s.n;
    tml_json_open(j, "parameters", '[');
    for (int k = 0; k < n; ++k) {
        const TmlFree *p = &f->s.free[k];
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", p->name);
        tml_json_number(j, "start", p->start);
        tml_json_number(j, "value", f->x[k]);
        tml_json_number(j, "deviation", f->deviation[k]);
        tml_json_number(j, "low", f->low[k]);
        tml_json_number(j, "high", f->high[k]);
        tml_json_number(j, "from", p->low);
        tml_json_number(j, "to", p->high);
        put_numbers(j, "correlation", n, f->correlation + (size_t)k * (size_t)n);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_open(j, "outputs", '[');
    for (int o = 0; o < f->n_outputs; ++o) {
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", f->output[o].name);
        tml_json_string(j, "unit", f->output[o].unit);
        tml_json_number(j, "noise", f->sigma[o]);
        tml_json_bool(j, "estimated", !isfinite(f->output[o].noise));
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void put_column(const TmlFit *f, const TmlMeasuredSet *set, const char *key,
                       const double *of, int o, TmlJson *j)
{
    tml_json_open(j, key, '[');
    for (int row = 0; row < set->n_times; ++row) {
        tml_json_number(j, NULL, of[set->first + row * f->n_outputs + o]);
    }
    tml_json_close(j);
}

static void put_sets(const TmlFit *f, TmlJson *j)
{
    tml_json_open(j, "measurements", '[');
    for (int k = 0; k < f->n_sets; ++k) {
        const TmlMeasuredSet *set = &f->set[k];
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", set->name);
        put_numbers(j, "time", set->n_times, set->time);
        tml_json_open(j, "outputs", '[');
        for (int o = 0; o < f->n_outputs; ++o) {
            tml_json_open(j, NULL, '{');
            put_column(f, set, "measured", f->target, o, j);
            put_column(f, set, "fitted", f->y, o, j);
            tml_json_close(j);
        }
        tml_json_close(j);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void fit_json(const TmlFit *f, TmlTextBuf *text)
{
    TmlJson j = {.text = text, .compact = true};
    const TmlFitResult *r = &f->result;
    put_head(&f->s, tml_fit_title(f), &j);
    tml_json_bool(&j, "converged", r->converged);
    tml_json_string(&j, "message", r->message);
    tml_json_int(&j, "points", r->points);
    tml_json_int(&j, "iterations", r->iterations);
    tml_json_int(&j, "failed", r->failed);
    tml_json_number(&j, "cost", r->cost);
    tml_json_number(&j, "confidence", r->confidence);
    put_fit_parameters(f, &j);
    put_sets(f, &j);
    put_evaluations(&f->s, &j);
    tml_json_close(&j);
}

TmlStatus tml_fit_write_json(const TmlFit *f, const char *path, TmlError *err)
{
    TmlTextBuf text = {0};
    fit_json(f, &text);
    return write_text(path, &text, false, err);
}

TmlStatus tml_fit_write_page(const TmlFit *f, const char *path, TmlError *err)
{
    TmlTextBuf text = {0};
    fit_json(f, &text);
    return write_text(path, &text, true, err);
}

static TmlStatus fill_fit(void *user, FILE *to, TmlError *err)
{
    const TmlFit *f = user;
    (void)err;
    fputs("measurement,time", to);
    for (int o = 0; o < f->n_outputs; ++o) {
        fputc(',', to);
        tml_csv_name(to, f->output[o].name);
        char name[300];
        snprintf(name, sizeof name, "%s.fitted", f->output[o].name);
        fputc(',', to);
        tml_csv_name(to, name);
    }
    fputc('\n', to);
    for (int k = 0; k < f->n_sets; ++k) {
        const TmlMeasuredSet *set = &f->set[k];
        for (int row = 0; row < set->n_times; ++row) {
            fprintf(to, "%d", k + 1);
            put_cell(to, set->time[row]);
            for (int o = 0; o < f->n_outputs; ++o) {
                const int at = set->first + row * f->n_outputs + o;
                put_cell(to, f->target[at]);
                put_cell(to, f->y[at]);
            }
            fputc('\n', to);
        }
    }
    return TML_OK;
}

TmlStatus tml_fit_write_csv(const TmlFit *f, const char *path, TmlError *err)
{
    TmlFit *user = (TmlFit *)(uintptr_t)f; // it is only read
    return tml_draft_write(path, TML_LINK_REPLACE, fill_fit, user, err);
}

/* --- an optimisation ------------------------------------------------------------------------------------------------------- */

static void put_responses(const TmlOptimum *o, TmlJson *j)
{
    tml_json_open(j, "responses", '[');
    for (int r = 0; r < o->n_responses; ++r) {
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", o->response[r].name);
        tml_json_string(j, "unit", o->response[r].unit);
        tml_json_number(j, "first", o->first[r]);
        tml_json_number(j, "best", o->y[r]);
        tml_json_number(j, "min", o->limit[r].min);
        tml_json_number(j, "max", o->limit[r].max);
        tml_json_number(j, "factor", o->factor[r]);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void optimum_json(const TmlOptimum *o, TmlTextBuf *text)
{
    TmlJson j = {.text = text, .compact = true};
    const TmlOptimumResult *r = &o->result;
    put_head(&o->s, tml_optimum_title(o), &j);
    tml_json_bool(&j, "converged", r->converged);
    tml_json_bool(&j, "feasible", r->feasible);
    tml_json_bool(&j, "maximize", o->maximise);
    tml_json_string(&j, "method", r->method);
    tml_json_string(&j, "message", r->message);
    tml_json_int(&j, "failed", r->failed);
    tml_json_number(&j, "objective", r->objective);
    tml_json_open(&j, "parameters", '[');
    for (int k = 0; k < o->s.n; ++k) {
        const TmlFree *p = &o->s.free[k];
        tml_json_open(&j, NULL, '{');
        tml_json_string(&j, "name", p->name);
        tml_json_number(&j, "start", p->start);
        tml_json_number(&j, "value", o->x[k]);
        tml_json_number(&j, "from", p->low);
        tml_json_number(&j, "to", p->high);
        tml_json_close(&j);
    }
    tml_json_close(&j);
    put_responses(o, &j);
    put_evaluations(&o->s, &j);
    tml_json_close(&j);
}

TmlStatus tml_optimum_write_json(const TmlOptimum *o, const char *path, TmlError *err)
{
    TmlTextBuf text = {0};
    optimum_json(o, &text);
    return write_text(path, &text, false, err);
}

TmlStatus tml_optimum_write_page(const TmlOptimum *o, const char *path, TmlError *err)
{
    TmlTextBuf text = {0};
    optimum_json(o, &text);
    return write_text(path, &text, true, err);
}

static TmlStatus fill_optimum(void *user, FILE *to, TmlError *err)
{
    const TmlOptimum *o = user;
    (void)err;
    fputs("evaluation", to);
    for (int k = 0; k < o->s.n; ++k) {
        fputc(',', to);
        tml_csv_name(to, o->s.free[k].name);
    }
    fputs(",objective,violation", to);
    for (int r = 0; r < o->n_responses; ++r) {
        fputc(',', to);
        tml_csv_name(to, o->response[r].name);
    }
    fputc('\n', to);
    for (int e = 0; e < o->s.count; ++e) {
        const TmlEvaluation *at = &o->s.done[e];
        const bool good = at->status == TML_OK;
        fprintf(to, "%d", e + 1);
        for (int k = 0; k < o->s.n; ++k) {
            put_cell(to, at->x[k]);
        }
        put_cell(to, good ? at->value : (double)NAN);
        put_cell(to, good ? at->excess : (double)NAN);
        for (int r = 0; r < o->n_responses; ++r) {
            put_cell(to, good ? at->y[r] : (double)NAN);
        }
        fputc('\n', to);
    }
    return TML_OK;
}

TmlStatus tml_optimum_write_csv(const TmlOptimum *o, const char *path, TmlError *err)
{
    TmlOptimum *user = (TmlOptimum *)(uintptr_t)o; // it is only read
    return tml_draft_write(path, TML_LINK_REPLACE, fill_optimum, user, err);
}
