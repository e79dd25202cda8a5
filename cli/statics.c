/* cli/statics.c - trammel statics: the static equilibrium of a model. */
#include "cli.h"
#include "path.h"

#include <stddef.h>
#include <stdio.h>

typedef struct StaticsSettings {
    CliLoad load;
    CliPath path;
    const char *out, *spin;
    bool quiet, fixed, nearest;
} StaticsSettings;

static const CliOption statics_options[] = {
    {"spin", 0, CLI_TEXT, "X,Y,Z",
     "use a frame that rotates at these rad/s, through the point of rotating_frame",
     offsetof(StaticsSettings, spin)},
    {"fixed", 0, CLI_FLAG, NULL, "use non-rotating axes, even if the model has a rotating_frame",
     offsetof(StaticsSettings, fixed)},
    {"nearest", 0, CLI_FLAG, NULL, "the equilibrium nearest to the start, even if it is unstable",
     offsetof(StaticsSettings, nearest)},
    {"json", 0, CLI_TEXT, "OUT.json", "write positions, reactions, forces and channels",
     offsetof(StaticsSettings, out)},
    CLI_PATH_OPTIONS(offsetof(StaticsSettings, path)),
    CLI_LOAD_OPTIONS(offsetof(StaticsSettings, load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(StaticsSettings, quiet)},
    {0},
};

enum { LISTED = 40 }; // lines of each list

static void print_rest(int n)
{
    if (n > LISTED) {
        printf("  ... and %d more\n", n - LISTED);
    }
}

static void print_bodies(const TmlModel *model, const TmlSim *sim)
{
    const int n = tml_model_body_count(model);
    if (n > 1) {
        printf("\nbodies: centre of mass in m, orientation as quaternion\n");
    }
    for (int b = 1; b < n && b <= LISTED; ++b) {
        const TmlBodyState s = tml_row_body(sim, b);
        printf("  %-16s (%.6g, %.6g, %.6g)  (%.5g, %.5g, %.5g, %.5g)\n",
               tml_model_body_name(model, b), s.position.x, s.position.y, s.position.z,
               s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z);
    }
    print_rest(n - 1);
}

static void print_flexible(const TmlModel *model, const TmlSim *sim)
{
    const int n = tml_model_flexible_count(model);
    if (n > 0) {
        printf("\nflexible bodies: first and last node in m\n");
    }
    for (int f = 0; f < n && f < LISTED; ++f) {
        const int last = tml_model_flexible(model, f).nodes - 1;
        const TmlVec3 a = tml_row_node(sim, f, 0, 0), b = tml_row_node(sim, f, last, 0);
        printf("  %-16s (%.9g, %.9g, %.9g)  (%.9g, %.9g, %.9g)\n",
               tml_model_flexible_name(model, f), a.x, a.y, a.z, b.x, b.y, b.z);
    }
    print_rest(n);
}

/* All are in the results; a table of hundreds helps nobody. */
static void print_modal(const TmlModel *model, const TmlSim *sim)
{
    const int n = tml_model_modal_count(model);
    if (n > 0) {
        printf("\nmodal bodies: coordinates of the first modes\n");
    }
    for (int k = 0; k < n && k < LISTED; ++k) {
        const int modes = tml_model_modal(model, k).modes;
        printf("  %-16s", tml_model_modal_name(model, k));
        for (int j = 0; j < modes && j < 6; ++j) {
            printf(" %.6g", tml_row_mode(sim, k, j));
        }
        printf("%s\n", modes > 6 ? " ..." : "");
    }
    print_rest(n);
}

static void print_wrench(const char *name, const TmlReaction *r, const char *remark)
{
    printf("  %-16s (%.6g, %.6g, %.6g)  (%.6g, %.6g, %.6g)%s\n", name, r->force.x, r->force.y,
           r->force.z, r->torque.x, r->torque.y, r->torque.z, remark);
}

static void print_joints(const TmlModel *model, const TmlSim *sim)
{
    const int n = tml_model_joint_count(model);
    if (n > 0) {
        printf("\njoints: force in N, torque in N m on the second body\n");
    }
    for (int k = 0; k < n && k < LISTED; ++k) {
        const TmlReaction r = tml_row_reaction(sim, k);
        print_wrench(tml_model_joint_name(model, k), &r, r.unique ? "" : "  not unique");
    }
    print_rest(n);
}

static void print_forces(const TmlSim *sim)
{
    const int n = tml_sim_force_count(sim);
    if (n > 0) {
        printf("\nforces: force in N, torque in N m on the last end\n");
    }
    for (int k = 0; k < n && k < LISTED; ++k) {
        const TmlReaction r = tml_row_force(sim, k);
        const char *name, *unit;
        double value;
        print_wrench(tml_sim_force_name(sim, k), &r, "");
        for (int i = 0; tml_row_force_output(sim, k, i, &name, &unit, &value); ++i) {
            printf("  %-16s   %s %.9g %s\n", "", name, value, unit);
        }
    }
    print_rest(n);
}

void cli_print_stability(const TmlStaticsInfo *info)
{
    if (info->unstable < 0) {
        printf("  stability    not known: the stiffness has no finite or regular matrix\n");
    } else if (info->unstable > 0) {
        printf("  stability    unstable: %d motion%s away from it, in %.3g s by a factor of e\n",
               (int)info->unstable, info->unstable == 1 ? " leads" : "s lead", 1.0 / info->growth);
    } else if (info->negative > 0) {
        printf("  stability    stable: Coriolis forces or feedback hold %d motion%s of negative "
               "stiffness\n",
               (int)info->negative, info->negative == 1 ? "" : "s");
    } else {
        printf("  stability    stable\n");
    }
    if (info->nearer) {
        printf("  note         another equilibrium is nearer to the start, moved by %.6g m and "
               "%.6g rad, but unstable\n"
               "               (%d motion%s): --nearest takes it\n",
               info->nearer_moved, info->nearer_turned, (int)info->nearer_unstable,
               info->nearer_unstable == 1 ? "" : "s");
    } else if (info->beyond > 3.0) {
        printf("  note         %.3g times as far from the start as the model linearised there "
               "would move: others may be nearer\n",
               info->beyond);
    }
}

static void print_equilibrium(const TmlModel *model, const TmlSim *sim, const TmlStaticsInfo *info)
{
    const char *title = tml_model_title(model);
    printf("%s\n  equilibrium  in %d iterations",
           title != NULL && title[0] != '\0' ? title : "(no title)", (int)info->iterations);
    if (info->load_steps > 0) {
        printf(", %d load steps: not reached downhill", (int)info->load_steps);
    }
    const TmlVec3 w = info->spin.rate;
    if (w.x != 0.0 || w.y != 0.0 || w.z != 0.0) {
        printf("\n  frame        turns with (%.6g, %.6g, %.6g) rad/s", w.x, w.y, w.z);
    }
    printf("\n  moved        %.6g m and %.6g rad at most\n", info->moved, info->turned);
    printf("  balance      off by %.2g of the largest force\n", info->residual);
    cli_print_stability(info);
    if (info->neutral) {
        printf("  note         some motion meets no resistance: other positions are as good\n");
    }
    print_bodies(model, sim);
    print_flexible(model, sim);
    print_modal(model, sim);
    print_joints(model, sim);
    print_forces(sim);
    if (tml_row_channel_count(sim) > 0) {
        printf("\nchannels\n");
    }
    for (int k = 0; k < tml_row_channel_count(sim) && k < LISTED; ++k) {
        printf("  %-16s %.9g %s\n", tml_row_channel_name(sim, k), tml_row_channel(sim, k),
               tml_row_channel_unit(sim, k));
    }
    print_rest(tml_row_channel_count(sim));
}

/* The equilibrium as results of one row. */
static TmlStatus write_row(const CliPath *to, const TmlSim *sim, TmlError *err)
{
    const char *const path[] = {to->results, to->csv};
    TmlStatus status = TML_OK;
    for (size_t k = 0; k < sizeof path / sizeof path[0] && status == TML_OK; ++k) {
        TmlWriter *writer = NULL;
        TmlError other = {0};
        if (path[k] == NULL) {
            continue;
        }
        status = tml_writer_open(path[k], sim, &writer, err);
        if (status != TML_OK) {
            break;
        }
        status = tml_writer_row(writer, sim, err);
        const TmlStatus closed = tml_writer_close(writer, sim, &other);
        if (status == TML_OK && closed != TML_OK) {
            status = closed;
            *err = other;
        }
    }
    return status;
}

static int statics_model(const TmlModel *model, const StaticsSettings *s,
                         const TmlStaticsOptions *o)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlStaticsInfo info;
    TmlSimOptions options = tml_sim_options_default();
    options.end_time = 1.0; // nothing is run
    options.strict = s->load.strict;
    TmlStatus status = tml_sim_create(model, &options, &sim, &err);
    if (status == TML_OK && s->path.what != NULL) {
        return cli_path_run(sim, &s->path, o, s->out, s->quiet);
    }
    status = status == TML_OK ? tml_sim_statics(sim, o, &info, &err) : status;
    if (status == TML_OK && !s->quiet) {
        print_equilibrium(model, sim, &info);
    }
    if (status == TML_OK && s->out != NULL) {
        status = tml_write_statics(s->out, sim, &info, &err);
    }
    status = status == TML_OK ? write_row(&s->path, sim, &err) : status;
    tml_sim_free(sim);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

static int statics_run(const CliCommand *self, int argc, char **argv)
{
    StaticsSettings settings = {0};
    TmlStaticsOptions o = tml_statics_options_default();
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    TmlModel *model = NULL;
    result = result == CLI_GO_ON ? cli_path_check(&settings.path, &settings.load) : result;
    result = result == CLI_GO_ON ? cli_load(argv[0], &settings.load, &model) : result;
    if (result == CLI_GO_ON) {
        cli_warnings(model);
    }
    const char *const output[] = {settings.out, settings.path.results, settings.path.csv};
    result = result == CLI_GO_ON ? cli_outputs_check(model, 3, output) : result;
    result = result == CLI_GO_ON ? cli_spin(model, settings.spin, &o.spin) : result;
    o.fixed = settings.fixed;
    o.nearest = settings.nearest;
    result = result == CLI_GO_ON ? statics_model(model, &settings, &o) : result;
    tml_model_free(model);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_statics = {
    .name = "statics",
    .arguments = "MODEL",
    .text =
        "Find the static equilibrium (positions, reactions, forces), or follow it along a path.",
    .n_min = 1,
    .n_max = 1,
    .options = statics_options,
    .run = statics_run,
};
