/* cli/compare.c - trammel compare: work against precision of several methods on one model. */
#include "cli.h"
#include "progress.h"
#include "worktable.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LIST_MAX = 64 };

typedef struct CompareSettings {
    const char *integrators, *tols, *channels, *reference, *csv, *svg, *report;
    double end, output_step, repeat, limit;
    CliLoad load;
    bool absolute;
} CompareSettings;

#define AT(field) offsetof(CompareSettings, field)
static const CliOption compare_options[] = {
    {"integrators", 'i', CLI_TEXT, "A,B,...",
     "methods, with options as NAME:KEY=VALUE; default: all", AT(integrators)},
    {"tols", 't', CLI_TEXT, "E1,E2,...", "tolerances; default: 1e-3,1e-4,1e-5,1e-6", AT(tols)},
    {"end", 'e', CLI_POSITIVE, "T", "end of the simulated time, s", AT(end)},
    {"output-step", 0, CLI_POSITIVE, "DT", "time between the rows that are compared, s",
     AT(output_step)},
    {"channels", 0, CLI_TEXT, "A,B,...", "compare these channels only", AT(channels)},
    {"reference", 0, CLI_TEXT, "NAME:TOL", "method and tolerance of the reference run",
     AT(reference)},
    CLI_LOAD_OPTIONS(offsetof(CompareSettings, load)),
    {"repeat", 0, CLI_POSITIVE, "N",
     "number of timed runs, of which the fastest counts; default: 3", AT(repeat)},
    {"limit", 0, CLI_POSITIVE, "S", "time limit of each run, s, also of references; default: 300",
     AT(limit)},
    {"absolute", 0, CLI_FLAG, NULL, "errors in the unit of the channel, not relative to its range",
     AT(absolute)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write the table as comma-separated values", AT(csv)},
    {"svg", 0, CLI_TEXT, "OUT.svg", "draw the work-precision diagram", AT(svg)},
    {"report", 0, CLI_TEXT, "OUT.html", "write table and diagrams as a page", AT(report)},
    {0},
};
#undef AT

/* A list written with commas; the texts live in `held`. */
typedef struct List {
    int n;
    const char *at[LIST_MAX];
    char *held;
} List;

typedef struct Job {
    const CompareSettings *settings;
    List methods, channels;
    double tolerance[LIST_MAX];
    int n_tolerances;
    char *reference; // without its tolerance
    double reference_tolerance;
    const char *title;
    int name_width;
    double doubt;
    int done; // runs that came to their end
} Job;

/* --- the command line ---------------------------------------------------------------------- */

static int split(const char *option, const char *text, List *out)
{
    out->held = strdup(text);
    if (out->held == NULL) {
        return cli_fail(TML_E_NOMEM, &(TmlError){0});
    }
    for (char *part = out->held; part != NULL;) {
        char *comma = strchr(part, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        if (part[0] == '\0') {
            return cli_wrong("option '--%s': there is nothing between two commas in '%s'", option,
                             text);
        }
        if (out->n == LIST_MAX) {
            return cli_wrong("option '--%s' has more than %d entries", option, LIST_MAX);
        }
        out->at[out->n++] = part;
        part = comma;
    }
    return CLI_GO_ON;
}

static bool positive_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && *out > 0.0;
}

static int read_tolerances(const char *text, Job *job)
{
    List list = {0};
    int result = split("tols", text, &list);
    for (int k = 0; k < list.n && result == CLI_GO_ON; ++k) {
        if (!positive_number(list.at[k], &job->tolerance[k])) {
            result = cli_wrong("option '--tols': '%s' is not a positive number", list.at[k]);
        }
    }
    job->n_tolerances = list.n;
    free(list.held);
    return result;
}

/* "auto" stands for one of the others. */
static void all_methods(List *out)
{
    for (int k = 0; tml_integrator_name(k) != NULL && out->n < LIST_MAX; ++k) {
        if (strcmp(tml_integrator_name(k), "auto") != 0) {
            out->at[out->n++] = tml_integrator_name(k);
        }
    }
}

/* NAME, NAME:TOL, NAME:KEY=VALUE or NAME:KEY=VALUE:TOL */
static int read_reference(const char *text, Job *job)
{
    job->reference = strdup(text);
    if (job->reference == NULL) {
        return cli_fail(TML_E_NOMEM, &(TmlError){0});
    }
    char *colon = strrchr(job->reference, ':');
    if (colon != NULL && strchr(colon, '=') == NULL) {
        if (!positive_number(colon + 1, &job->reference_tolerance)) {
            return cli_wrong("option '--reference': '%s' is not a positive number", colon + 1);
        }
        *colon = '\0';
    }
    return CLI_GO_ON;
}

static int read_lists(const CompareSettings *s, Job *job)
{
    int result = CLI_GO_ON;
    if (s->integrators == NULL || strcmp(s->integrators, "all") == 0) {
        all_methods(&job->methods);
    } else {
        result = split("integrators", s->integrators, &job->methods);
    }
    if (result == CLI_GO_ON) {
        result = read_tolerances(s->tols != NULL ? s->tols : "1e-3,1e-4,1e-5,1e-6", job);
    }
    if (result == CLI_GO_ON && s->channels != NULL) {
        result = split("channels", s->channels, &job->channels);
    }
    if (result == CLI_GO_ON && s->reference != NULL) {
        result = read_reference(s->reference, job);
    }
    if (result == CLI_GO_ON && s->repeat > 0.0 &&
        (s->repeat != floor(s->repeat) || s->repeat > 1e6)) {
        result = cli_wrong("option '--repeat' needs a whole number, not %g", s->repeat);
    }
    return result;
}

/* Mistakes that would be found after the runs, or after the model is overwritten. */
static int check_path(const char *option, const char *path, const char *model)
{
    const size_t n = path != NULL ? strlen(path) : 0;
    if (path == NULL) {
        return CLI_GO_ON;
    }
    if (cli_same_file(path, model)) {
        return cli_wrong("'%s' is the model and would be overwritten", path);
    }
    if (n < 4 || path[n - 4] != '.' || strcasecmp(path + n - 3, option) != 0) {
        return cli_wrong("--%s: the name of the file must end in .%s, not '%s'", option, option,
                         path);
    }
    TmlError err = {0};
    const TmlStatus status = tml_file_check(path, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

/* --- the comparison ------------------------------------------------------------------------ */

static void on_note(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "note: %s\n", text);
}

static bool on_begin(void *user, const TmlCompare *c)
{
    Job *job = user;
    job->doubt = tml_compare_doubt(c);
    cli_work_head(c, job->title, job->settings->absolute, job->name_width);
    return !cli_cancelled();
}

static bool on_row(void *user, const TmlCompareRow *row)
{
    Job *job = user;
    job->done += row->status == TML_OK;
    cli_work_row(row, job->doubt, job->name_width);
    return !cli_cancelled();
}

static bool on_step(void *user)
{
    (void)user;
    return !cli_cancelled();
}

static TmlCompareOptions make_options(Job *job)
{
    const CompareSettings *s = job->settings;
    TmlCompareOptions o = tml_compare_options_default();
    o.n_methods = job->methods.n;
    o.method = job->methods.at;
    o.n_tolerances = job->n_tolerances;
    o.tolerance = job->tolerance;
    o.n_channels = job->channels.n;
    o.channel = job->channels.at;
    o.reference = job->reference;
    o.reference_tolerance = job->reference_tolerance;
    o.end_time = s->end > 0.0 ? s->end : o.end_time;
    o.output_step = s->output_step > 0.0 ? s->output_step : o.output_step;
    o.absolute = s->absolute;
    o.repeat = s->repeat > 0.0 ? (int)s->repeat : o.repeat;
    o.limit = s->limit > 0.0 ? s->limit : o.limit;
    o.user = job;
    o.note = on_note;
    o.begin = on_begin;
    o.row = on_row;
    o.go_on = on_step;
    return o;
}

/* What was measured before a failure or Ctrl-C is kept. */
static int write_files(const Job *job, const TmlCompare *c)
{
    const CompareSettings *s = job->settings;
    int result = 0;
    if (s->csv != NULL) {
        result = cli_work_csv(c, s->csv);
    }
    if (result == 0 && s->svg != NULL) {
        result = cli_work_svg(c, s->svg, job->title, s->absolute);
    }
    if (result == 0 && s->report != NULL) {
        TmlError err = {0};
        const TmlStatus status = tml_report_compare(c, s->report, NULL, &err);
        result = status == TML_OK ? 0 : cli_fail(status, &err);
    }
    return result;
}

static int compare_model(Job *job, const TmlModel *model)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    for (int k = 0; k < job->methods.n; ++k) {
        const int n = (int)strlen(job->methods.at[k]);
        job->name_width = n > job->name_width ? n : job->name_width;
    }
    job->title = tml_model_title(model);
    cli_cancel_init();
    const TmlCompareOptions o = make_options(job);
    const TmlStatus status = tml_compare(model, &o, &c, &err);
    int result = 0;
    if (c != NULL && tml_compare_row(c, 0) != NULL) {
        result = write_files(job, c);
    }
    tml_compare_free(c);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (result == 0 && job->done == 0) {
        fputs("error: no run came to its end\n", stderr);
        return tml_status_exit(TML_E_STEP);
    }
    return result;
}

static int compare_run(const CliCommand *self, int argc, char **argv)
{
    CompareSettings settings = {0};
    Job job = {.settings = &settings, .reference_tolerance = (double)NAN, .name_width = 6};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    if (result == CLI_GO_ON) {
        result = read_lists(&settings, &job);
    }
    if (result == CLI_GO_ON) {
        result = check_path("csv", settings.csv, argv[0]);
    }
    if (result == CLI_GO_ON) {
        result = check_path("svg", settings.svg, argv[0]);
    }
    if (result == CLI_GO_ON && settings.report != NULL) {
        result = cli_html_check(settings.report, argv[0]);
    }
    TmlModel *model = NULL;
    result = result == CLI_GO_ON ? cli_load(argv[0], &settings.load, &model) : result;
    if (result == CLI_GO_ON) {
        cli_warnings(model);
    }
    const char *const output[] = {settings.csv, settings.svg, settings.report};
    result = result == CLI_GO_ON ? cli_outputs_check(model, 3, output) : result;
    result = result == CLI_GO_ON ? compare_model(&job, model) : result;
    tml_model_free(model);
    free(job.methods.held);
    free(job.channels.held);
    free(job.reference);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_compare = {
    .name = "compare",
    .arguments = "MODEL",
    .text =
        "Compare cost and error of integrators on a model: table, CSV and work-precision diagram.",
    .n_min = 1,
    .n_max = 1,
    .options = compare_options,
    .run = compare_run,
};
