/* cli/bench.c - trammel bench: the papers' experiments. */
#include "bench.h"

#include "cli.h"
#include "machine.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct BenchSettings {
    const char *json, *plot, *results;
    bool brief, all, table;
    double limit;
} BenchSettings;

static const CliOption bench_options[] = {
    {"json", 0, CLI_TEXT, "OUT.json", "write the numbers as JSON", offsetof(BenchSettings, json)},
    {"svg", 0, CLI_TEXT, "OUT.svg", "write the figures, if the experiment has any",
     offsetof(BenchSettings, plot)},
    {"brief", 0, CLI_FLAG, NULL, "cut long runs short; what is projected from them is marked",
     offsetof(BenchSettings, brief)},
    {"limit", 0, CLI_POSITIVE, "S",
     "stop a run of a machine after S seconds of CPU time; its cost is projected",
     offsetof(BenchSettings, limit)},
    {"all", 0, CLI_FLAG, NULL, "all experiments, one after another", offsetof(BenchSettings, all)},
    {"results", 0, CLI_TEXT, "FOLDER", "write the numbers of each experiment as FOLDER/NAME.json",
     offsetof(BenchSettings, results)},
    {"table", 0, CLI_FLAG, NULL,
     "print the page of all experiments whose numbers are in --results FOLDER",
     offsetof(BenchSettings, table)},
    {0},
};

static const CliBench *const benches[] = {&cli_bench_double_pendulum,
                                          &cli_bench_flexible_pendulum,
                                          &cli_bench_hmmwv,
                                          &cli_bench_belt_drive,
                                          &cli_bench_atv,
                                          &cli_bench_tracked_vehicle,
                                          &cli_bench_tracked_vehicle_flexible,
                                          &cli_bench_excavator,
                                          &cli_bench_pantograph,
                                          &cli_bench_engine};

enum { N_BENCHES = sizeof benches / sizeof benches[0] };

void cli_bench_progress(const char *method, double tolerance)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    if (method != NULL) {
        fprintf(stderr, "\r%s, tolerance %g\033[K", method, tolerance);
    } else {
        fputs("\r\033[K", stderr);
    }
    fflush(stderr);
}

bool cli_bench_has(const char *integrator)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        if (strcmp(tml_integrator_name(k), integrator) == 0) {
            return true;
        }
    }
    return false;
}

void cli_bench_json(FILE *json, const char *key, double value, const char *after)
{
    if (isfinite(value)) {
        fprintf(json, "\"%s\": %.17g%s", key, value, after);
    } else {
        fprintf(json, "\"%s\": null%s", key, after);
    }
}

static int unknown_bench(const char *name)
{
    const char *names[N_BENCHES];
    for (int k = 0; k < N_BENCHES; ++k) {
        names[k] = benches[k]->name;
    }
    const char *near = cli_nearest(name, names, N_BENCHES);
    if (near != NULL) {
        return cli_wrong("unknown experiment '%s'; did you mean '%s'?", name, near);
    }
    return cli_wrong("unknown experiment '%s'; 'trammel bench' lists them", name);
}

/* path NULL: no file for the numbers. */
static int bench_one(const CliBench *bench, const char *path, const BenchSettings *settings)
{
    if (settings->plot != NULL && !bench->plots) {
        return cli_wrong("experiment '%s' draws nothing: leave out '--svg'", bench->name);
    }
    TmlError err = {0};
    char *text = NULL;
    size_t n = 0;
    TmlStatus status = path != NULL ? tml_file_check(path, &err) : TML_OK;
    FILE *json = path != NULL && status == TML_OK ? open_memstream(&text, &n) : NULL;
    if (path != NULL && json == NULL) {
        return cli_fail(status != TML_OK ? status : TML_E_NOMEM, &err);
    }
    const CliBenchOrder order = {json, settings->plot, settings->brief, settings->limit};
    int result = bench->run(bench, &order);
    if (json != NULL) {
        // figures that are missed are written, too: they are what the page is for
        const bool written = fclose(json) == 0 && n > 0;
        status = written ? tml_file_write(path, text, n, &err) : TML_OK;
        result = status != TML_OK ? cli_fail(status, &err) : result;
        free(text);
    }
    return result;
}

/* The numbers go to --json, or into the folder of --results. */
static int bench_to_file(const CliBench *bench, const BenchSettings *settings)
{
    char path[4096];
    if (settings->results == NULL) {
        return bench_one(bench, settings->json, settings);
    }
    snprintf(path, sizeof path, "%s/%s.json", settings->results, bench->name);
    return bench_one(bench, path, settings);
}

/* All of them, whatever becomes of one; the exit status is the first that is not zero. */
static int bench_all(const BenchSettings *settings)
{
    int result = 0;
    for (int k = 0; k < N_BENCHES && !cli_cancelled(); ++k) {
        printf("%s=== %s\n\n", k > 0 ? "\n" : "", benches[k]->name);
        const int one = bench_to_file(benches[k], settings);
        result = result != 0 ? result : one;
    }
    return result;
}

/* NULL, or what does not go together. */
static const char *contradiction(const BenchSettings *s, int n)
{
    if (n == 0 && s->json != NULL) {
        return "option '--json' needs the NAME of an experiment before it; '--results FOLDER' "
               "serves all";
    }
    if (s->json != NULL && s->results != NULL) {
        return "options '--json' and '--results' name two places for the same numbers: give one of "
               "them";
    }
    if (s->table && s->results == NULL) {
        return "option '--table' needs '--results FOLDER', where the numbers are";
    }
    if (n > 0 && (s->all || s->table)) {
        return "a NAME does not go with '--all' and '--table', which take all experiments";
    }
    return s->all && s->plot != NULL ? "option '--svg' needs the NAME of an experiment" : NULL;
}

static int bench_run(const CliCommand *self, int argc, char **argv)
{
    BenchSettings settings = {0};
    int n = 0;
    const int result = cli_parse(self, argc, argv, &settings, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    const char *wrong = contradiction(&settings, n);
    if (wrong != NULL) {
        return cli_wrong("%s", wrong);
    }
    if (settings.all || settings.table) {
        return settings.all ? bench_all(&settings)
                            : machine_table(benches, N_BENCHES, settings.results);
    }
    for (int k = 0; k < N_BENCHES; ++k) {
        if (n == 0) {
            printf("  %-18s %s\n", benches[k]->name, benches[k]->text);
        } else if (strcmp(benches[k]->name, argv[0]) == 0) {
            return bench_to_file(benches[k], &settings);
        }
    }
    return n == 0 ? 0 : unknown_bench(argv[0]);
}

const CliCommand cli_bench = {
    .name = "bench",
    .arguments = "[NAME]",
    .text = "Repeat an experiment from the literature; without NAME, list them.",
    .n_max = 1,
    .options = bench_options,
    .run = bench_run,
};
