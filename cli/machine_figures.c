/* cli/machine_figures.c - figures of a machine beside those of its paper: printed, as JSON, and as a page. */
#include "machine.h"

#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

MachineFigure *machine_figure(Machine *m, const char *unit, double paper, double ours,
                              const char *what, ...)
{
    static MachineFigure none; // beyond the last: written, never read
    MachineFigure *f = m->n_figures < MACHINE_FIGURES ? &m->figure[m->n_figures++] : &none;
    va_list args;
    *f = (MachineFigure){.unit = unit, .paper = paper, .ours = ours};
    va_start(args, what);
    vsnprintf(f->what, sizeof f->what, what, args);
    va_end(args);
    return f;
}

void machine_at_least(MachineFigure *f, double bound)
{
    f->limit = MACHINE_AT_LEAST;
    f->bound = bound;
}

void machine_at_most(MachineFigure *f, double bound)
{
    f->limit = MACHINE_AT_MOST;
    f->bound = bound;
}

void machine_within(MachineFigure *f, double low, double high)
{
    f->limit = MACHINE_WITHIN;
    f->bound = low;
    f->other = high;
}

/* --- one figure as texts ------------------------------------------------------------------------ */

static bool misses(const MachineFigure *f)
{
    switch (f->limit) {
    case MACHINE_AT_LEAST:
        return f->ours < f->bound;
    case MACHINE_AT_MOST:
        return f->ours > f->bound;
    case MACHINE_WITHIN:
        return f->ours < f->bound || f->ours > f->other;
    case MACHINE_SHOWN:
        break;
    }
    return false;
}

typedef struct Texts {
    char paper[32], ours[40], wanted[64];
    const char *verdict;
} Texts;

static Texts texts_of(const MachineFigure *f)
{
    Texts t = {.verdict = ""};
    snprintf(t.paper, sizeof t.paper, isfinite(f->paper) ? "%.4g" : "-", f->paper);
    snprintf(t.ours, sizeof t.ours, isfinite(f->ours) ? "%.4g%s" : "-", f->ours,
             f->projected ? " *" : "");
    if (f->limit == MACHINE_AT_LEAST) {
        snprintf(t.wanted, sizeof t.wanted, "at least %.4g", f->bound);
    } else if (f->limit == MACHINE_AT_MOST) {
        snprintf(t.wanted, sizeof t.wanted, "at most %.4g", f->bound);
    } else if (f->limit == MACHINE_WITHIN) {
        snprintf(t.wanted, sizeof t.wanted, "%.4g to %.4g", f->bound, f->other);
    }
    if (f->limit != MACHINE_SHOWN) {
        t.verdict = !isfinite(f->ours) ? "not run" : misses(f) ? "NO" : "yes";
    }
    return t;
}

/* --- on the terminal ---------------------------------------------------------------------------- */

static void print_runs(const Machine *m)
{
    printf("%-40s %9s %9s %9s %8s %8s %11s\n", "method", "tolerance", "until s", "CPU s", "steps",
           "rejected", "Jacobians");
    for (int k = 0; k < m->n_results; ++k) {
        const MachineResult *r = &m->result[k];
        char method[64];
        snprintf(method, sizeof method, "%s%s%s", r->run.method, r->change[0] != '\0' ? ", " : "",
                 r->change);
        printf("%-40s %9.0e ", method, r->run.tolerance);
        if (!r->done) {
            printf("stopped\n");
            continue;
        }
        printf("%9.3g %9.3g %8" PRId64 " %8" PRId64 " %11" PRId64 "\n", r->reached, r->seconds,
               r->stats.steps, r->stats.rejected, r->stats.jacobians);
    }
    printf("\n");
}

static void print_figures(const Machine *m, bool *projected)
{
    printf("%-58s %9s %11s  %-20s\n", "figure", "paper", "here", "wanted");
    for (int k = 0; k < m->n_figures; ++k) {
        const MachineFigure *f = &m->figure[k];
        const Texts t = texts_of(f);
        char what[128];
        snprintf(what, sizeof what, "%s%s%s", f->what, f->unit[0] != '\0' ? ", " : "", f->unit);
        printf("%-58s %9s %11s  %-20s %s\n", what, t.paper, t.ours, t.wanted, t.verdict);
        *projected = *projected || (f->projected && isfinite(f->ours));
    }
}

/* --- JSON --------------------------------------------------------------------------------------- */

static void json_text(FILE *json, const char *text)
{
    fputc('"', json);
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') {
            fputc('\\', json);
        }
        fputc(*c, json);
    }
    fputc('"', json);
}

static void json_runs(const Machine *m, FILE *json)
{
    fputs("  \"runs\": [", json);
    for (int k = 0; k < m->n_results; ++k) {
        const MachineResult *r = &m->result[k];
        fprintf(json, "%s\n    {\"method\": ", k > 0 ? "," : "");
        json_text(json, r->run.method);
        fputs(", ", json);
        cli_bench_json(json, "tolerance", r->run.tolerance, ", ");
        fputs("\"change\": ", json);
        json_text(json, r->change);
        fputs(", ", json);
        cli_bench_json(json, "end", r->reached, ", ");
        cli_bench_json(json, "cpu_seconds", r->done ? r->seconds : (double)NAN, ", ");
        fprintf(json,
                "\"steps\": %" PRId64 ", \"rejected\": %" PRId64 ", \"jacobians\": %" PRId64 "}",
                r->stats.steps, r->stats.rejected, r->stats.jacobians);
    }
    fputs("\n  ],\n", json);
}

static void json_figures(const Machine *m, FILE *json)
{
    fputs("  \"figures\": [", json);
    for (int k = 0; k < m->n_figures; ++k) {
        const MachineFigure *f = &m->figure[k];
        const Texts t = texts_of(f);
        fprintf(json, "%s\n    {\"figure\": ", k > 0 ? "," : "");
        json_text(json, f->what);
        fputs(", \"unit\": ", json);
        json_text(json, f->unit);
        fputs(", ", json);
        cli_bench_json(json, "paper", f->paper, ", ");
        cli_bench_json(json, "here", f->ours, ", ");
        fprintf(json, "\"projected\": %s, \"wanted\": \"%s\", \"met\": \"%s\"}",
                f->projected ? "true" : "false", t.wanted, t.verdict);
    }
    fputs("\n  ],\n", json);
}

/* One line of the page for each figure; `machine_table` takes them out again, line by line. */
static void json_page(const Machine *m, FILE *json)
{
    fputs("  \"page\": [", json);
    for (int k = 0; k < m->n_figures; ++k) {
        const MachineFigure *f = &m->figure[k];
        const Texts t = texts_of(f);
        fprintf(json, "%s\n    \"| %s%s%s | %s | %s | %s | %s |\"", k > 0 ? "," : "", f->what,
                f->unit[0] != '\0' ? ", " : "", f->unit, t.paper, t.ours, t.wanted, t.verdict);
    }
    fputs("\n  ]\n", json);
}

static void write_json(const Machine *m, FILE *json)
{
    fprintf(json, "{\n  \"bench\": \"%s\",\n  \"form\": \"%s\",\n", m->bench->name,
            m->order->brief ? "brief" : "whole");
    json_runs(m, json);
    json_figures(m, json);
    json_page(m, json);
    fputs("}\n", json);
}

/* --- the end ------------------------------------------------------------------------------------ */

static int count_misses(const Machine *m)
{
    int n = 0;
    for (int k = 0; k < m->n_figures; ++k) {
        n += misses(&m->figure[k]);
    }
    return n;
}

static void free_machine(Machine *m)
{
    for (int k = 0; k < MACHINE_RUNS; ++k) {
        free(m->result[k].time);
        free(m->result[k].value);
    }
    tml_model_free(m->model);
    machine_remove_files(m);
}

int machine_close(Machine *m, TmlStatus status, const TmlError *err)
{
    int result = 0;
    if (status == TML_OK) {
        bool projected = false;
        printf("%s\n\n", m->bench->text);
        print_runs(m);
        print_figures(m, &projected);
        if (projected) {
            printf("\n* projected: the slow run was cut short, and its cost is taken to go on as "
                   "it was\n");
        }
        const int n = count_misses(m);
        if (n > 0) {
            printf("\n%d of the figures %s not what is wanted\n", n, n > 1 ? "are" : "is");
            result = 1;
        }
        if (m->order->json != NULL) {
            write_json(m, m->order->json);
        }
    } else {
        result = cli_fail(status, err);
    }
    free_machine(m);
    return result;
}

/* --- the page of all ---------------------------------------------------------------------------- */

/* The lines of "page" of one results file. */
static void print_page(const char *folder, const CliBench *bench)
{
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/%s.json", folder, bench->name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return;
    }
    bool inside = false, brief = false, head = false;
    while (fgets(line, sizeof line, file) != NULL) {
        brief = brief || strstr(line, "\"form\": \"brief\"") != NULL;
        inside = inside || strstr(line, "\"page\": [") != NULL;
        char *begin = inside ? strstr(line, "\"| ") : NULL;
        char *end = begin != NULL ? strrchr(line, '"') : NULL;
        if (end == NULL || end == begin) {
            continue;
        }
        if (!head) {
            printf("\n## %s\n\n%s%s.\n\n| figure | paper | here | wanted | met "
                   "|\n|---|---|---|---|---|\n",
                   bench->name, bench->text, brief ? " (brief form)" : "");
            head = true;
        }
        *end = '\0';
        printf("%s\n", begin + 1);
    }
    fclose(file);
}

static void print_page_head(void)
{
    printf("# The experiments of the papers\n\nThis page is written by `trammel bench --table "
           "--results FOLDER` from what "
           "`trammel bench NAME --results FOLDER` measured.\nRatios are those of CPU times of two "
           "runs, one after the other on "
           "the same core. A star marks a ratio whose slow run was cut\nshort; its cost is taken "
           "to go on as it was. The models "
           "are in [models/papers](../../models/papers), the papers "
           "in\n[references](../references.md).\n");
}

static bool has_results(const char *folder, const CliBench *bench)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.json", folder, bench->name);
    return access(path, R_OK) == 0;
}

int machine_table(const CliBench *const *benches, int n, const char *folder)
{
    int found = 0;
    for (int k = 0; k < n; ++k) {
        if (has_results(folder, benches[k])) {
            if (found++ == 0) {
                print_page_head();
            }
            print_page(folder, benches[k]);
        }
    }
    if (found == 0) {
        return cli_wrong("no results of an experiment are in '%s'; 'trammel bench NAME --results "
                         "%s' writes them",
                         folder, folder);
    }
    return 0;
}
