/* cli/bench.c - trammel bench: the papers' experiments. */
#include "bench.h"

#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct BenchSettings {
    const char *json, *plot;
} BenchSettings;

static const CliOption bench_options[] = {
    {"json", 0, CLI_TEXT, "OUT.json", "write the numbers as JSON", offsetof(BenchSettings, json)},
    {"svg", 0, CLI_TEXT, "OUT.svg", "write the figures, if the experiment has any",
     offsetof(BenchSettings, plot)},
    {0},
};

static const CliBench *const benches[] = {&cli_bench_double_pendulum, &cli_bench_flexible_pendulum};

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

static int bench_one(const CliBench *bench, const char *path, const char *plot)
{
    if (plot != NULL && !bench->plots) {
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
    int result = bench->run(bench, json, plot);
    if (json != NULL) {
        status = fclose(json) == 0 ? tml_file_write(path, text, n, &err) : TML_E_NOMEM;
        result = result == 0 && status != TML_OK ? cli_fail(status, &err) : result;
        free(text);
    }
    return result;
}

static int bench_run(const CliCommand *self, int argc, char **argv)
{
    BenchSettings settings = {0};
    int n = 0;
    const int result = cli_parse(self, argc, argv, &settings, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (n == 0 && settings.json != NULL) {
        return cli_wrong("option '--json' needs the NAME of an experiment before it");
    }
    for (int k = 0; k < N_BENCHES; ++k) {
        if (n == 0) {
            printf("  %-18s %s\n", benches[k]->name, benches[k]->text);
        } else if (strcmp(benches[k]->name, argv[0]) == 0) {
            return bench_one(benches[k], settings.json, settings.plot);
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
