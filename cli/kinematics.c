/* cli/kinematics.c - trammel kinematics and trammel inverse: given motions, and the forces that they take. */
#include "cli.h"
#include "progress.h"
#include "run_settings.h"
#include "terminal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { AXES_MAX = 8 };

typedef struct Settings {
    RunSettings run;
    CliPairs motion, grid;
} Settings;

#define AT(field) offsetof(Settings, field)
#define OPTIONS                                                                                     \
    {"motion",                                                                                      \
     0,                                                                                             \
     CLI_PAIR,                                                                                      \
     "JOINT=FUNCTION",                                                                              \
     "drive a joint by a function of time, in rad or m, or by a table, FILE.csv:COLUMN[:HZ]; may "  \
     "be repeated",                                                                                 \
     AT(motion)},                                                                                   \
        {"end", 'e', CLI_POSITIVE, "T", "end of the motion, s", AT(run.end)},                       \
        {"output-step", 0, CLI_POSITIVE, "DT", "time between output rows, s", AT(run.output_step)}, \
        {"tol",                                                                                     \
         't',                                                                                       \
         CLI_POSITIVE,                                                                              \
         "EPS",                                                                                     \
         "how far a step may bend away from its prediction, relative; positions are exact anyway",  \
         AT(run.tol)},                                                                              \
        {"output", 'o', CLI_TEXT, "OUT.h5", "write all results as HDF5", AT(run.out)},              \
        {"csv",                                                                                     \
         0,                                                                                         \
         CLI_TEXT,                                                                                  \
         "OUT.csv",                                                                                 \
         "write the channels, or the workspace, as comma-separated values",                         \
         AT(run.csv)},                                                                              \
        {"report", 0, CLI_TEXT, "OUT.html", "write a report as an HTML page", AT(run.report)},      \
        {"summary", 0, CLI_TEXT, "OUT.json", "write statistics as JSON", AT(run.summary)},          \
        CLI_LOAD_OPTIONS(AT(run.load)),                                                             \
    {                                                                                               \
        "quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(run.quiet)                            \
    }

static const CliOption kinematics_options[] = {
    OPTIONS,
    {"grid", 0, CLI_PAIR, "NAME=FROM:TO:COUNT",
     "instead of a motion, positions at rest over a grid of joint coordinates or parameters; one "
     "--grid for each axis",
     AT(grid)},
    {0},
};

static const CliOption inverse_options[] = {
    OPTIONS,
    {0},
};
#undef OPTIONS
#undef AT

/* --- workspaces --------------------------------------------------------------------------------------------- */

static int read_axis(const char *name, const char *text, TmlWorkspaceAxis *axis)
{
    char *end = NULL;
    axis->name = name;
    axis->count = 1;
    axis->from = axis->to = strtod(text, &end);
    if (end != text && *end == ':') {
        const char *at = end + 1;
        axis->to = strtod(at, &end);
        if (end != at && *end == ':') {
            at = end + 1;
            const long n = strtol(at, &end, 10);
            if (end != at && *end == '\0' && n >= 1 && n <= 1000000) {
                axis->count = (int)n;
                return CLI_GO_ON;
            }
        }
    }
    return cli_wrong("option '--grid' needs NAME=FROM:TO:COUNT in rad or m, not '%s=%s'", name,
                     text);
}

static bool on_point(void *user, int done, int all)
{
    double *drawn = user;
    const double now = cli_clock();
    if (isatty(STDERR_FILENO) && now - *drawn > 0.1) {
        char text[80];
        snprintf(text, sizeof text, "\r\x1b[K%d of %d points", done, all);
        (void)cli_terminal_progress(text);
        *drawn = now;
    }
    return !cli_cancelled();
}

static void print_workspace(const TmlWorkspace *w)
{
    printf("  workspace    %d of %d points reached\n", tml_workspace_reached(w),
           tml_workspace_points(w));
    printf("\n  %-28s %14s %14s\n", "column", "smallest", "largest");
    for (int c = 0; c < tml_workspace_columns(w); ++c) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int p = 0; p < tml_workspace_points(w); ++p) {
            const double x = tml_workspace_value(w, p, c);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        printf("  %-28s %14.7g %14.7g %s\n", tml_workspace_column(w, c), low, high,
               tml_workspace_unit(w, c));
    }
}

static int workspace(const Settings *s, const char *path)
{
    TmlError err = {0};
    TmlWorkspaceAxis axis[AXES_MAX];
    TmlWorkspace *w = NULL;
    double drawn = 0.0;
    const RunSettings *r = &s->run;
    if (s->motion.n > 0 || r->out != NULL || r->report != NULL || r->summary != NULL ||
        r->end > 0.0) {
        return cli_wrong("--grid gives positions at rest: it takes --csv, and no motion, end, -o, "
                         "--report or --summary");
    }
    if (s->grid.n > AXES_MAX) {
        return cli_wrong("--grid: at most %d axes", AXES_MAX);
    }
    for (int k = 0; k < s->grid.n; ++k) {
        const int wrong = read_axis(s->grid.key[k], s->grid.value[k], &axis[k]);
        if (wrong != CLI_GO_ON) {
            return wrong;
        }
    }
    if (cli_same_file(r->csv, path)) {
        return cli_wrong("'%s' is the model and would be overwritten", r->csv);
    }
    const TmlLoadOptions load = cli_load_options(&r->load);
    cli_cancel_init();
    TmlStatus status =
        tml_workspace_create(path, &load, s->grid.n, axis, on_point, &drawn, &w, &err);
    if (drawn > 0.0) {
        (void)cli_terminal_progress("\r\x1b[K");
    }
    if (status == TML_OK && !r->quiet) {
        print_workspace(w);
    }
    if (status == TML_OK && r->csv != NULL) {
        status = tml_workspace_write(w, r->csv, &err);
    }
    tml_workspace_free(w);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

/* --- motions -------------------------------------------------------------------------------------------------- */

static int add_motions(Settings *s)
{
    TmlError err = {0};
    if (s->motion.n == 0) {
        return CLI_GO_ON;
    }
    const TmlStatus status =
        tml_motions_text(s->motion.n, s->motion.key, s->motion.value, &s->run.load.more, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

static int run_given(const CliCommand *self, int argc, char **argv)
{
    Settings s = {0};
    int n = 0, result = cli_parse(self, argc, argv, &s, &n);
    s.run.integrator = "kinematics";
    s.run.drives = self == &cli_inverse;
    if (result == CLI_GO_ON && (tml_is_commands(argv[0]) || tml_is_dump(argv[0]))) {
        result =
            cli_wrong("'%s' is no model: a command file or a dump says itself what to do", argv[0]);
    }
    if (result == CLI_GO_ON && s.grid.n > 0) {
        result = workspace(&s, argv[0]);
    }
    result = result == CLI_GO_ON ? cli_run_check(&s.run, argv[0]) : result;
    result = result == CLI_GO_ON ? add_motions(&s) : result;
    result = result == CLI_GO_ON ? cli_run_model(&s.run, argv[0]) : result;
    cli_pairs_free(&s.motion);
    cli_pairs_free(&s.grid);
    cli_load_free(&s.run.load);
    return result;
}

const CliCommand cli_kinematics = {
    .name = "kinematics",
    .arguments = "MODEL",
    .text = "Compute positions, velocities and accelerations for given motions without "
            "integration, or a "
            "workspace.",
    .n_min = 1,
    .n_max = 1,
    .options = kinematics_options,
    .run = run_given,
};

const CliCommand cli_inverse = {
    .name = "inverse",
    .arguments = "MODEL",
    .text = "Compute the forces of the drives for given motions (inverse dynamics).",
    .n_min = 1,
    .n_max = 1,
    .options = inverse_options,
    .run = run_given,
};
