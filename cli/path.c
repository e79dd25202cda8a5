/* cli/path.c - the points of an equilibrium path: files, and what is told of them. */
#include "path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_WRITERS = 2, SHOWN = 6 };

typedef struct PathRun {
    const CliPath *path;
    bool quiet;
    TmlWriter *writer[N_WRITERS]; // NULL: not wanted, or not open yet
    bool open;
    int points; // allowed
} PathRun;

static bool read_range(const char *text, double *from, double *to)
{
    char *end = NULL;
    *from = strtod(text, &end);
    if (end == text || *end != ':') {
        return false;
    }
    text = end + 1;
    *to = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*from) && isfinite(*to) && *from != *to;
}

int cli_path_check(CliPath *path, CliLoad *load)
{
    const bool alone = path->step > 0.0 || path->points > 0.0;
    if (path->what == NULL) {
        return alone ? cli_wrong("--path-step and --path-points belong to --path") : CLI_GO_ON;
    }
    char *equals = strchr(path->what, '=');
    if (equals == NULL || equals == path->what || !read_range(equals + 1, &path->from, &path->to)) {
        return cli_wrong("option '--path' needs NAME=FROM:TO with two different numbers, not '%s'",
                         path->what);
    }
    *equals = '\0';
    load->follow = path->what;
    return CLI_GO_ON;
}

static TmlStatus open_writers(PathRun *run, const TmlSim *sim, TmlError *err)
{
    const char *const path[N_WRITERS] = {run->path->results, run->path->csv};
    for (int k = 0; k < N_WRITERS; ++k) {
        if (path[k] != NULL) {
            const TmlStatus status = tml_writer_open(path[k], sim, &run->writer[k], err);
            if (status != TML_OK) {
                return status;
            }
        }
    }
    run->open = true;
    return TML_OK;
}

/* A limit or branch point, with the first channels. */
static void print_crossing(const PathRun *run, const TmlSim *sim)
{
    const TmlPathPoint at = tml_row_path(sim);
    printf("  %s %s = %.9g", at.kind == TML_PATH_LIMIT ? "limit point " : "branch point",
           run->path->what, at.parameter);
    for (int k = 0, shown = 0; k < tml_row_channel_count(sim) && shown < SHOWN; ++k) {
        const char *name = tml_row_channel_name(sim, k);
        if (strcmp(name, run->path->what) != 0 && strcmp(name, "unstable") != 0 &&
            strcmp(name, "point") != 0 && strcmp(name, "parameter") != 0) {
            printf(", %s %.6g", name, tml_row_channel(sim, k));
            ++shown;
        }
    }
    printf("\n");
}

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    PathRun *run = user;
    TmlStatus status = run->open ? TML_OK : open_writers(run, sim, err);
    for (int k = 0; k < N_WRITERS && status == TML_OK; ++k) {
        status = run->writer[k] != NULL ? tml_writer_row(run->writer[k], sim, err) : TML_OK;
    }
    if (status == TML_OK && !run->quiet && tml_row_path(sim).kind != TML_PATH_POINT) {
        print_crossing(run, sim);
    }
    return status;
}

static void print_end(const PathRun *run, const TmlSim *sim, const TmlPathInfo *info)
{
    const TmlPathPoint at = tml_row_path(sim);
    printf("  %s      %s = %.9g after a length of %.4g: %d points, %d iterations%s\n",
           info->reached ? "reached" : "ended  ", run->path->what, at.parameter, info->length,
           (int)info->points, (int)info->iterations, at.unstable > 0 ? ", unstable" : "");
    printf("  met          %d limit point%s, %d branch point%s\n", (int)info->limits,
           info->limits == 1 ? "" : "s", (int)info->branches, info->branches == 1 ? "" : "s");
    const bool away = (at.parameter - run->path->from) * (run->path->to - run->path->from) < 0.0;
    if (!info->reached && info->points < run->points) {
        printf("  note         %g was not reached%s\n", run->path->to,
               away ? ": the path leads as far to the other side" : "");
    } else if (!info->reached) {
        printf("  note         %g was not reached: --path-points gives more points\n",
               run->path->to);
    }
}

static void close_writers(PathRun *run, const TmlSim *sim, TmlStatus *status, TmlError *err)
{
    for (int k = 0; k < N_WRITERS; ++k) {
        TmlError other = {0};
        if (run->writer[k] == NULL) {
            continue;
        }
        tml_writer_status(run->writer[k], *status, err->message);
        const TmlStatus closed = tml_writer_close(run->writer[k], sim, &other);
        if (*status == TML_OK && closed != TML_OK) {
            *status = closed;
            *err = other;
        }
    }
}

int cli_path_run(TmlSim *sim, const CliPath *path, const TmlStaticsOptions *statics,
                 const char *json, bool quiet)
{
    TmlError err = {0};
    TmlPathInfo info;
    PathRun run = {.path = path, .quiet = quiet};
    TmlPathOptions o = tml_path_options_default();
    o.statics = statics;
    o.from = path->from;
    o.to = path->to;
    o.step = path->step > 0.0 ? path->step : o.step;
    o.max_points = path->points > 0.0 ? (int32_t)fmin(path->points, 1e9) : o.max_points;
    run.points = o.max_points;
    if (!quiet) {
        const char *title = tml_model_title(tml_sim_model(sim));
        printf("%s\n", title != NULL && title[0] != '\0' ? title : "(no title)");
    }
    TmlStatus status = tml_sim_path(sim, &o, on_row, &run, &info, &err);
    close_writers(&run, sim, &status, &err);
    if (!quiet && info.points > 0) {
        print_end(&run, sim, &info);
    }
    if (status == TML_OK && json != NULL) {
        const TmlStaticsInfo last = {.iterations = info.iterations,
                                     .residual = tml_row_path(sim).residual};
        status = tml_write_statics(json, sim, &last, &err);
    }
    tml_sim_free(sim);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}
