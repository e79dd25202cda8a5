/* cli/run_files.c - the result files of `trammel run`: opened, continued, closed. */
#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Results are kept, or made into a report. */
bool cli_run_writes_results(const RunSettings *s)
{
    return s->out != NULL || s->report != NULL;
}

/* The file of a part: out.h5, out-2.h5, ... */
void cli_run_part_name(const char *path, int part, char *out, size_t size)
{
    const char *dot = strrchr(path, '.');
    if (part > 1) {
        snprintf(out, size, "%.*s-%d%s", (int)(dot - path), path, part, dot);
    } else {
        snprintf(out, size, "%s", path);
    }
}

/* The file of results of a new part: asked for, or without a name, for the report. */
static TmlStatus new_part(Run *run, char *path, size_t size)
{
    const char *out = run->settings->out;
    if (out != NULL) {
        cli_run_part_name(out, run->parts + 1, path, size);
    } else {
        int *grown = realloc(run->spare, (size_t)(run->parts + 1) * sizeof *grown);
        if (grown == NULL) {
            return TML_E_NOMEM;
        }
        run->spare = grown;
        const TmlStatus status =
            tml_results_unnamed(run->settings->report, &grown[run->parts], path, size, &run->err);
        if (status != TML_OK) {
            return status;
        }
    }
    run->parts++;
    return TML_OK;
}

/* The file of results of a part that has been written. */
void cli_run_results_of(const Run *run, int part, char *path, size_t size)
{
    if (run->settings->out != NULL) {
        cli_run_part_name(run->settings->out, part, path, size);
    } else {
        snprintf(path, size, "/proc/self/fd/%d", run->spare[part - 1]);
    }
}

/* Rows of the next sim follow in the same files; joints that were not there before need another
 * one, as a file describes one model. */
TmlStatus cli_run_join_writers(Run *run, const TmlSim *next)
{
    char path[4096];
    const int had = tml_row_channel_count(run->sim), has = tml_row_channel_count(next);
    if (had != has) {
        snprintf(run->err.message, sizeof run->err.message,
                 "a simulation has %d columns, the ones before have %d: some cannot be computed",
                 has, had);
        return TML_E_MODEL;
    }
    for (int k = 0; k < N_WRITERS; ++k) {
        TmlWriter *w = run->writer[k];
        TmlStatus status = TML_OK;
        const bool goes_on = k == CSV || !run->back; // a result file has one course of time
        if (w != NULL && goes_on && tml_writer_fits(w, next)) {
            status = tml_writer_next(w, run->sim, next, &run->err);
        } else if (w != NULL) {
            run->writer[k] = NULL;
            status = tml_writer_close(w, run->sim, &run->err);
            status = status == TML_OK ? new_part(run, path, sizeof path) : status;
            status =
                status == TML_OK ? tml_writer_open(path, next, &run->writer[k], &run->err) : status;
        }
        if (status != TML_OK) {
            return status;
        }
    }
    return TML_OK;
}

/* --force: what another process is writing gets another name. */
static TmlStatus set_aside(Run *run, const char *path)
{
    char kept[4096];
    const TmlStatus status = tml_writer_set_aside(path, kept, sizeof kept, &run->err);
    if (status == TML_OK && kept[0] != '\0') {
        fprintf(stderr, "note: another process is writing '%s', which is now '%s'\n", path, kept);
    }
    return status;
}

TmlStatus cli_run_open_writers(Run *run)
{
    char results[4096];
    const bool some = cli_run_writes_results(run->settings);
    const char *const path[N_WRITERS] = {some ? results : NULL, run->settings->csv};
    if (run->parts > 0) {
        return TML_OK; // they are open
    }
    const TmlStatus made = some ? new_part(run, results, sizeof results) : TML_OK;
    run->parts = 1;
    if (made != TML_OK) {
        return made;
    }
    for (int k = 0; k < N_WRITERS && run->settings->force; ++k) {
        const TmlStatus status = path[k] != NULL ? set_aside(run, path[k]) : TML_OK;
        if (status != TML_OK) {
            return status;
        }
    }
    for (int k = 0; k < N_WRITERS; ++k) {
        if (path[k] != NULL) {
            const int64_t rows = run->closing.rows; // of the run that goes on
            const TmlStatus status =
                tml_writer_resume(path[k], run->sim, rows, &run->writer[k], &run->err);
            if (status != TML_OK) {
                return status;
            }
        }
    }
    return TML_OK;
}

/* Another run may have renamed the file by --force: say where the rows are. */
static void tell_moved(const Run *run, int kind)
{
    char now[4096];
    const char *const asked = kind == RESULTS ? run->settings->out : run->settings->csv;
    tml_writer_path(run->writer[kind], now, sizeof now);
    if (run->parts == 1 && now[0] != '\0' && !cli_same_file(now, asked)) {
        fprintf(stderr, "warning: '%s' was renamed: the results of this run are in '%s'\n", asked,
                now);
    }
}

/* The first failure is what the user needs to read; those that follow from it are not kept. */
void cli_run_close_writers(Run *run)
{
    for (int k = 0; k < N_WRITERS; ++k) {
        TmlError err = {0};
        if (run->writer[k] == NULL) {
            continue;
        }
        tell_moved(run, k);
        tml_writer_status(run->writer[k], run->status, run->err.message);
        const TmlStatus status = tml_writer_close(run->writer[k], run->sim, &err);
        run->writer[k] = NULL;
        if (status != TML_OK && run->status == TML_OK) {
            run->status = status;
            run->err = err;
        }
    }
}
