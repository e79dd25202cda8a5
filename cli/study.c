/* cli/study.c - trammel sweep: many runs of one model on all cores, or on the machines of an MPI job.
 *
 * The leader gives runs out one by one, so that fast and slow ones mix; it writes each record as it comes. What is asked
 * for twice or killed goes on from there.
 */
#include "cli.h"
#include "crew.h"
#include "progress.h"
#include "study_reports.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { FAILURES_TOLD = 5, WORKERS_MAX = 1024, RANGES_MAX = 64 };

typedef struct StudySettings {
    CliLoad load;
    CliPairs ranges;
    const char *out, *csv, *page, *integrator;
    double end, output_step, tol, jobs;
    bool resume, restart, quiet, dry, reports;
} StudySettings;

#define AT(field) offsetof(StudySettings, field)
static const CliOption study_options[] = {
    {"output", 'o', CLI_TEXT, "OUT.h5", "write all results as HDF5; default: the name of the study",
     AT(out)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write parameters and responses, a line for each run", AT(csv)},
    {"report", 0, CLI_TEXT, "OUT.html", "write a page with scatter plots, effects and histories",
     AT(page)},
    {"reports", 0, CLI_FLAG, NULL,
     "with --report: write a report of each run, too, which the page links to", AT(reports)},
    {"jobs", 'j', CLI_POSITIVE, "N",
     "processes that make runs; default: all cores. Under mpirun: all ranks", AT(jobs)},
    {"resume", 0, CLI_FLAG, NULL, "go on with a study that was not finished", AT(resume)},
    {"restart", 0, CLI_FLAG, NULL, "throw the runs of an unfinished study away", AT(restart)},
    {"integrator", 'i', CLI_TEXT, "NAME", "method of all runs", AT(integrator)},
    {"tol", 't', CLI_POSITIVE, "EPS", "local error allowed per step, relative", AT(tol)},
    {"end", 'e', CLI_NUMBER, "T", "end of the simulated time, s", AT(end)},
    {"output-step", 0, CLI_POSITIVE, "DT", "time between output rows, s", AT(output_step)},
    {"dry-run", 'n', CLI_FLAG, NULL, "print the runs and do not make them", AT(dry)},
    CLI_LOAD_OPTIONS(AT(load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(quiet)},
    {0},
};

typedef struct Job {
    const StudySettings *s;
    const TmlStudy *study;
    TmlStore *store;
    CliCrew crew;
    int next, waiting; // run to be given out next; runs that are under way
    int failed, old;   // failed: of this process; old: runs that were there
    double begun, drawn;
    bool shown;
} Job;

/* --- words ---------------------------------------------------------------------------------------------------- */

static void say_time(char *to, size_t size, double s)
{
    if (s < 90.0) {
        snprintf(to, size, "%.0f s", s);
    } else if (s < 5400.0) {
        snprintf(to, size, "%.0f min", s / 60.0);
    } else {
        snprintf(to, size, "%.1f h", s / 3600.0);
    }
}

static void draw(Job *job)
{
    const double now = cli_clock();
    if (!job->shown || now - job->drawn < 0.1) {
        return;
    }
    char text[200], rest[32] = "";
    const int done = tml_store_count(job->store), all = tml_study_runs(job->study);
    const int made = done - job->old;
    if (made > 0) {
        char time[24];
        say_time(time, sizeof time, (now - job->begun) / made * (all - done));
        snprintf(rest, sizeof rest, ", %s to go", time);
    }
    job->drawn = now;
    snprintf(text, sizeof text, "\r\x1b[K%d of %d runs, %d failed%s", done, all, job->failed, rest);
    (void)cli_terminal_progress(text);
}

static void clear(const Job *job)
{
    if (job->shown) {
        (void)cli_terminal_progress("\r\x1b[K");
    }
}

static void tell_failure(Job *job, int run, const char *message)
{
    if (job->failed <= FAILURES_TOLD && !job->s->quiet) {
        clear(job);
        fprintf(stderr, "warning: run %d failed: %.*s%s\n", run + 1, (int)strcspn(message, "\n"),
                message,
                job->failed == FAILURES_TOLD ? " (further failures are in the results only)" : "");
    }
}

/* --- runs ------------------------------------------------------------------------------------------------------ */

void *cli_crew_make(const TmlStudy *study, int run, bool (*go_on)(void *user, const TmlProgress *p),
                    size_t *size)
{
    const TmlHooks hooks = {.progress = go_on};
    void *bytes = NULL;
    TmlError *err = calloc(1, sizeof *err);
    if (err != NULL && tml_study_run(study, run, &hooks, &bytes, size, err) != TML_OK &&
        tml_study_lost(study, run, err->message, &bytes, size, NULL) != TML_OK) {
        bytes = NULL;
    }
    free(err);
    return bytes;
}

static TmlStatus keep(Job *job, const void *bytes, size_t size, int run, TmlError *err)
{
    bool failed = false;
    const char *message = "";
    const TmlStatus status = tml_store_add(job->store, bytes, size, &failed, &message, err);
    if (status == TML_OK && failed) {
        job->failed++;
        tell_failure(job, run, message);
    }
    return status;
}

/* Gives a worker the next run that is not there yet. */
static void employ(Job *job, int worker)
{
    const int runs = tml_study_runs(job->study);
    while (job->next < runs && tml_store_has(job->store, job->next)) {
        job->next++;
    }
    if (job->next < runs) { // one that cannot be given comes back as lost
        (void)job->crew.give(&job->crew, worker, job->next++);
        job->waiting++;
    }
}

static TmlStatus lost(Job *job, const CliCrewNews *news, TmlError *err)
{
    void *bytes = NULL;
    size_t size = 0;
    TmlStatus status = tml_study_lost(job->study, news->run, news->why, &bytes, &size, err);
    status = status == TML_OK ? keep(job, bytes, size, news->run, err) : status;
    tml_study_record_free(bytes);
    return status;
}

static TmlStatus run_all(Job *job, TmlError *err)
{
    TmlStatus status = TML_OK;
    for (int k = 0; k < job->crew.workers; ++k) {
        employ(job, k);
    }
    while (job->waiting > 0 && status == TML_OK && !cli_cancelled()) {
        CliCrewNews news;
        const CliCrewEvent event = job->crew.news(&job->crew, &news);
        if (event == CREW_FAILED) {
            err->status = TML_E_NOMEM;
            snprintf(err->message, sizeof err->message, "%s", news.why);
            return TML_E_NOMEM;
        }
        if (event == CREW_RECORD || (event == CREW_LOST && news.run >= 0)) {
            status = event == CREW_LOST ? lost(job, &news, err)
                                        : keep(job, news.bytes, news.size, news.run, err);
            job->waiting--;
            free(news.bytes);
            employ(job, news.worker);
        }
        draw(job);
    }
    return status;
}

static int processes_of(const StudySettings *s)
{
    return s->jobs > 0.0 ? (int)fmin(s->jobs, WORKERS_MAX) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* --- before and after -------------------------------------------------------------------------------------------- */

static void print_runs(const TmlStudy *study)
{
    const int P = tml_study_parameters(study);
    printf("run");
    for (int p = 0; p < P; ++p) {
        printf(",%s", tml_study_parameter(study, p));
    }
    printf("\n");
    for (int run = 0; run < tml_study_runs(study); ++run) {
        printf("%d", run + 1);
        for (int p = 0; p < P; ++p) {
            printf(",%.10g", tml_study_value(study, run, p));
        }
        printf("\n");
    }
}

/* Refuses a study whose results would not fit on the disk: records, and the file made of them. */
static int check_room(const TmlStudy *study, const char *out)
{
    char folder[4096];
    struct statvfs is;
    const char *end = strrchr(out, '/');
    snprintf(folder, sizeof folder, "%.*s", end != NULL ? (int)(end - out) + 1 : 1,
             end != NULL ? out : ".");
    const double need = 2.0 * tml_study_bytes(study);
    if (statvfs(folder, &is) == 0) {
        const double room = (double)is.f_bavail * (double)is.f_frsize;
        if (need > room) {
            return cli_wrong("the study needs about %.3g GB in '%s', where %.3g GB are left; keep "
                             "fewer histories (keep: [...]), or ask for fewer rows (--output-step)",
                             1e-9 * need, folder, 1e-9 * room);
        }
    }
    return CLI_GO_ON;
}

static void print_effects(const TmlStudy *study, TmlStore *store)
{
    const bool indices = strcmp(tml_study_design(study), "indices") == 0;
    const bool morris = strcmp(tml_study_design(study), "morris") == 0;
    if (!indices && !morris) {
        return;
    }
    printf("  %-24s %-20s %12s %12s\n", "response", "parameter", indices ? "first order" : "mean",
           indices ? "total" : "mean size");
    for (int r = 0; r < tml_study_responses(study) && r < 12; ++r) {
        for (int p = 0; p < tml_study_parameters(study); ++p) {
            TmlEffect e;
            if (tml_store_effect(store, p, r, &e, NULL) == TML_OK) {
                printf("  %-24s %-20s %12.4g %12.4g\n", p == 0 ? tml_study_response(study, r) : "",
                       tml_study_parameter(study, p), e.main, e.total);
            }
        }
    }
}

/* Reports of all runs, if they are asked for. */
static TmlStatus make_reports(Job *job, TmlError *err)
{
    char folder[4096];
    if (!job->s->reports) {
        return TML_OK;
    }
    const int failed = cli_study_reports(job->study, job->s->page, processes_of(job->s));
    if (failed < 0) {
        snprintf(err->message, sizeof err->message, "the reports of the runs were not written");
        return TML_E_IO;
    }
    if (failed > 0) {
        fprintf(stderr, "warning: %d reports of runs could not be made\n", failed);
    }
    cli_study_reports_folder(job->s->page, folder, sizeof folder);
    return tml_store_reports(job->store, folder, err);
}

static int finish(Job *job, const char *out, TmlStatus status, TmlError *err)
{
    const int all = tml_study_runs(job->study), done = tml_store_count(job->store);
    clear(job);
    if (status != TML_OK) {
        fprintf(stderr, "note: %d of %d runs are kept in '%s.runs': --resume goes on\n", done, all,
                out);
        return cli_fail(status, err);
    }
    if (done < all) {
        fprintf(stderr, "cancelled: %d of %d runs are kept in '%s.runs': --resume goes on\n", done,
                all, out);
        return 1;
    }
    status = make_reports(job, err);
    status =
        status == TML_OK ? tml_store_finish(job->store, job->s->csv, job->s->page, err) : status;
    if (status != TML_OK) {
        return cli_fail(status, err);
    }
    if (!job->s->quiet) {
        char time[24];
        say_time(time, sizeof time, cli_clock() - job->begun);
        printf("%s\n  runs         %d (%s) over %d parameter%s, %d failed\n",
               tml_study_title(job->study), all, tml_study_design(job->study),
               tml_study_parameters(job->study), tml_study_parameters(job->study) == 1 ? "" : "s",
               job->failed);
        printf("  time         %s, %d process%s\n", time, job->crew.workers,
               job->crew.workers == 1 ? "" : "es");
        print_effects(job->study, job->store);
        printf("  written      %s%s%s%s%s\n", out, job->s->csv != NULL ? ", " : "",
               job->s->csv != NULL ? job->s->csv : "", job->s->page != NULL ? ", " : "",
               job->s->page != NULL ? job->s->page : "");
    }
    return job->failed == all ? 1 : 0;
}

static int lead(const StudySettings *s, const TmlStudy *study, const char *out, bool mpi)
{
    Job job = {.s = s, .study = study, .begun = cli_clock()};
    TmlError *err = calloc(1, sizeof *err);
    if (err == NULL) {
        return cli_wrong("out of memory");
    }
    const TmlStoreMode mode = s->restart  ? TML_STORE_RESTART
                              : s->resume ? TML_STORE_RESUME
                                          : TML_STORE_NEW;
    TmlStatus status = tml_store_open(out, study, mode, &job.store, err);
    int result = status == TML_OK ? CLI_GO_ON : cli_fail(status, err);
    if (result == CLI_GO_ON && mpi) {
        cli_crew_mpi_join(&job.crew, study);
    } else if (result == CLI_GO_ON && !cli_crew_children(&job.crew, study, processes_of(s))) {
        result = cli_wrong("no process can be made for the runs: %s", strerror(errno));
    }
    if (result == CLI_GO_ON) {
        job.old = tml_store_count(job.store);
        job.shown = !s->quiet && isatty(STDERR_FILENO);
        cli_cancel_init();
        status = run_all(&job, err);
        job.crew.dismiss(&job.crew);
        result = finish(&job, out, status, err);
    }
    tml_store_close(job.store);
    free(err);
    return result;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* Takes what is a range out of the parameters that --set gives. */
static int sort_ranges(StudySettings *s)
{
    static const char *key[RANGES_MAX], *value[RANGES_MAX];
    CliPairs *set = &s->load.set;
    int kept = 0;
    s->ranges = (CliPairs){.key = key, .value = value};
    for (int k = 0; k < set->n; ++k) {
        if (strpbrk(set->value[k], ":,") != NULL && s->ranges.n == RANGES_MAX) {
            return cli_wrong("more than %d ranges", RANGES_MAX);
        }
        if (strpbrk(set->value[k], ":,") != NULL) {
            key[s->ranges.n] = set->key[k];
            value[s->ranges.n++] = set->value[k];
        } else {
            set->key[kept] = set->key[k];
            set->value[kept++] = set->value[k];
        }
    }
    set->n = kept;
    return CLI_GO_ON;
}

static int load(const char *path, const StudySettings *s, TmlStudy **out)
{
    const TmlLoadOptions o = cli_load_options(&s->load);
    TmlError *err = calloc(1, sizeof *err);
    TmlStatus status = TML_E_NOMEM;
    if (err == NULL) {
        return cli_wrong("out of memory");
    }
    if (tml_is_study(path) && s->ranges.n > 0) {
        free(err);
        return cli_wrong("--set %s=%s: '%s' is a study, which has the values itself",
                         s->ranges.key[0], s->ranges.value[0], path);
    }
    if (tml_is_study(path)) {
        status = tml_study_load(path, &o, out, err);
    } else if (s->ranges.n == 0) {
        status =
            tml_study_load(path, &o, out, err); // a file that cannot be read is no study, either
        if (status != TML_OK && status != TML_E_IO) {
            free(err);
            return cli_wrong(
                "nothing changes from run to run: give ranges, such as --set k=1e5:1e7:9, "
                "or the file of a study");
        }
    } else {
        status = tml_study_grid(path, s->ranges.n, s->ranges.key, s->ranges.value, &o, out, err);
    }
    if (status == TML_OK) {
        status = tml_study_settings(*out, s->integrator, s->end, s->output_step, s->tol, err);
    }
    const int result = status == TML_OK ? CLI_GO_ON : cli_fail(status, err);
    free(err);
    return result;
}

/* The name of the results: that of the study or the model, with .h5 for its suffix. */
static int name_results(const char *path, const StudySettings *s, char *out, size_t size)
{
    const char *base = strrchr(path, '/'), *given = s->out;
    base = base != NULL ? base + 1 : path;
    const char *dot = strrchr(base, '.');
    const char *end = given != NULL ? strrchr(given, '.') : NULL;
    if (given != NULL && (end == NULL || (strcmp(end, ".h5") != 0 && strcmp(end, ".hdf5") != 0))) {
        return cli_wrong("-o: the name of the results must end in .h5, not '%s'", given);
    }
    if (given != NULL) {
        snprintf(out, size, "%s", given);
    } else {
        snprintf(out, size, "%.*s-study.h5", dot != NULL ? (int)(dot - base) : (int)strlen(base),
                 base);
    }
    return CLI_GO_ON;
}

static int check_page(const char *page, const char *input)
{
    const size_t n = page != NULL ? strlen(page) : 0;
    if (page != NULL && (n < 6 || strcmp(page + n - 5, ".html") != 0)) {
        return cli_wrong("--report: the name of the page must end in .html, not '%s'", page);
    }
    if (cli_same_file(page, input)) {
        return cli_wrong("--report: '%s' is the study itself", page);
    }
    return CLI_GO_ON;
}

static int study_lead_or_work(const StudySettings *s, const char *path, bool mpi, bool leads)
{
    TmlStudy *study = NULL;
    char out[4096];
    int result = name_results(path, s, out, sizeof out);
    result = result == CLI_GO_ON ? load(path, s, &study) : result;
    const char *const outputs[] = {out, s->csv, s->page};
    if (result == CLI_GO_ON && leads) {
        cli_warnings(tml_study_model(study));
        result = cli_outputs_check(tml_study_model(study), 3, outputs);
        result = result == CLI_GO_ON ? check_page(s->page, path) : result;
    }
    if (mpi) {
        result = cli_crew_mpi_agree(result, leads);
    }
    if (!leads) {
        result = cli_crew_mpi_work(result == CLI_GO_ON ? study : NULL);
    } else if (result == CLI_GO_ON && s->dry) {
        print_runs(study);
        result = 0;
    } else if (result == CLI_GO_ON) {
        result = check_room(study, out);
        result = result == CLI_GO_ON ? lead(s, study, out, mpi) : result;
    }
    if (mpi && leads) {
        cli_crew_mpi_stop();
    }
    tml_study_free(study);
    return result;
}

static int study_run(const CliCommand *self, int argc, char **argv)
{
    StudySettings settings = {.end = (double)NAN, .output_step = (double)NAN, .tol = (double)NAN};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    bool leads = true;
    const bool mpi = result == CLI_GO_ON && cli_crew_is_mpi();
    if (result == CLI_GO_ON && settings.resume && settings.restart) {
        result = cli_wrong("--resume and --restart exclude each other");
    }
    if (result == CLI_GO_ON && settings.reports && settings.page == NULL) {
        result =
            cli_wrong("--reports: the page that links to them needs a name: --report OUT.html");
    }
    result = result == CLI_GO_ON ? sort_ranges(&settings) : result;
    if (result == CLI_GO_ON && mpi) {
        result = cli_crew_mpi_begin(&leads);
    }
    if (result == CLI_GO_ON) {
        (void)setenv("OMP_NUM_THREADS", "1", 1);
        result = study_lead_or_work(&settings, argv[0], mpi, leads);
        if (mpi) {
            cli_crew_mpi_end();
        }
    }
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_study = {
    .name = "sweep",
    .arguments = "MODEL|STUDY",
    .text = "Make many runs of a model with different parameters, on all cores or under mpirun.",
    .n_min = 1,
    .n_max = 1,
    .options = study_options,
    .run = study_run,
};
