/* cli/rail.c - trammel rail: contact points and equivalent conicity of a wheelset. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct RailSettings {
    CliLoad load;
    const char *left, *right, *csv, *json, *picture;
    double range, step, yaw, base, radius, gap;
    bool quiet;
} RailSettings;

static const CliOption rail_options[] = {
    {"left", 0, CLI_TEXT, "FORCE", "rail_wheel on the left rail; default: the first one",
     offsetof(RailSettings, left)},
    {"right", 0, CLI_TEXT, "FORCE",
     "rail_wheel on the right rail; default: the first on that track",
     offsetof(RailSettings, right)},
    {"range", 0, CLI_POSITIVE, "R", "lateral shifts from -R to R, m; 0.008",
     offsetof(RailSettings, range)},
    {"step", 0, CLI_POSITIVE, "H", "step of the shifts, m; 0.0001", offsetof(RailSettings, step)},
    {"yaw", 0, CLI_NUMBER, "PSI", "yaw of the wheelset, rad; 0", offsetof(RailSettings, yaw)},
    {"base", 0, CLI_POSITIVE, "E", "distance of the contacts for conicity, m; 1.5",
     offsetof(RailSettings, base)},
    {"radius", 0, CLI_POSITIVE, "R0",
     "rolling radius for conicity, m; default: the mean of both wheels",
     offsetof(RailSettings, radius)},
    {"gap", 0, CLI_POSITIVE, "G", "list further contacts with gaps up to G in m; 1e-5",
     offsetof(RailSettings, gap)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write a line for each shift", offsetof(RailSettings, csv)},
    {"json", 0, CLI_TEXT, "OUT.json", "write shifts, all contacts and conicities",
     offsetof(RailSettings, json)},
    {"svg", 0, CLI_TEXT, "OUT.svg", "draw radii, conicity and contact points",
     offsetof(RailSettings, picture)},
    CLI_LOAD_OPTIONS(offsetof(RailSettings, load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(RailSettings, quiet)},
    {0},
};

static void print_jumps(const TmlRailTable *t)
{
    for (int k = 0; k + 1 < tml_rail_table_rows(t); ++k) {
        const TmlRailTableRow *a = tml_rail_table_row(t, k), *b = a + 1;
        for (int side = 0; a->jump && side < 2; ++side) {
            const double from = 1e3 * a->contact[side][0].wheel_y,
                         to = 1e3 * b->contact[side][0].wheel_y;
            if (fabs(to - from) > 0.5) {
                printf("  jump         at %.6g mm the contact of the %s wheel goes from %.4g to "
                       "%.4g mm\n",
                       1e3 * a->y, side == 0 ? "left" : "right", from, to);
            }
        }
    }
}

static void print_table(const TmlRailTable *t, double range)
{
    const int n = tml_rail_table_rows(t);
    const double low = tml_rail_table_row(t, 0)->y, high = tml_rail_table_row(t, n - 1)->y;
    printf("  wheels       %s and %s, shifts from %.6g to %.6g mm\n", tml_rail_table_wheel(t, 0),
           tml_rail_table_wheel(t, 1), 1e3 * low, 1e3 * high);
    if (low > -range * (1.0 - 1e-9) || high < range * (1.0 - 1e-9)) {
        printf("  note         beyond these shifts a wheel leaves its rail\n");
    }
    print_jumps(t);
    printf("\n%12s %14s\n", "amplitude mm", "tan(gamma_e)");
    for (int k = 1; 1e-3 * k <= fmax(high, -low) * (1.0 + 1e-9); ++k) {
        const double gamma = tml_rail_table_conicity(t, 1e-3 * k);
        if (isfinite(gamma)) {
            printf("%12d %14.6f\n", k, gamma);
        }
    }
}

static int rail_model(const TmlModel *model, const RailSettings *s)
{
    TmlError err = {0};
    TmlRailTable *t = NULL;
    TmlRailTableOptions o = tml_rail_table_options_default();
    o.left = s->left;
    o.right = s->right;
    o.yaw = s->yaw;
    o.range = s->range > 0.0 ? s->range : o.range;
    o.step = s->step > 0.0 ? s->step : o.step;
    o.base = s->base > 0.0 ? s->base : o.base;
    o.radius = s->radius > 0.0 ? s->radius : o.radius;
    o.gap = s->gap > 0.0 ? s->gap : o.gap;
    TmlStatus status = tml_rail_table(model, &o, &t, &err);
    if (status == TML_OK && !s->quiet) {
        const char *title = tml_model_title(model);
        printf("%s\n", title != NULL && title[0] != '\0' ? title : "(no title)");
        print_table(t, o.range);
    }
    const char *const path[] = {s->csv, s->json, s->picture};
    for (size_t k = 0; k < sizeof path / sizeof path[0] && status == TML_OK; ++k) {
        status = path[k] != NULL ? tml_write_rail_table(path[k], t, &err) : TML_OK;
    }
    tml_rail_table_free(t);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

static int rail_run(const CliCommand *self, int argc, char **argv)
{
    RailSettings settings = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    TmlModel *model = NULL;
    if (result == CLI_GO_ON) {
        result = cli_load(argv[0], &settings.load, &model);
    }
    const char *const output[] = {settings.csv, settings.json, settings.picture};
    result = result == CLI_GO_ON ? cli_outputs_check(model, 3, output) : result;
    result = result == CLI_GO_ON ? rail_model(model, &settings) : result;
    tml_model_free(model);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_rail = {
    .name = "rail",
    .arguments = "MODEL",
    .text =
        "Compute contact points, rolling radii and equivalent conicity of a wheelset on its rails.",
    .n_min = 1,
    .n_max = 1,
    .options = rail_options,
    .run = rail_run,
};
