/* cli/linearize.c - trammel linearize: eigenvalues, modes, and the bodies that carry them. */
#include "over.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct LinearSettings {
    CliLoad load;
    double at;
    bool statics, nearest, partition, fixed;
    const char *modes, *shift, *spin, *out, *csv, *results, *report;
    bool quiet;
    CliOver over;
} LinearSettings;

static const CliOption linear_options[] = {
    {"static", 0, CLI_FLAG, NULL, "about the static equilibrium, not the initial state",
     offsetof(LinearSettings, statics)},
    {"nearest", 0, CLI_FLAG, NULL,
     "with --static: the equilibrium nearest to the start, even if it is unstable",
     offsetof(LinearSettings, nearest)},
    {"at", 0, CLI_POSITIVE, "T", "about the state that a run reaches at the time T in s",
     offsetof(LinearSettings, at)},
    {"modes", 'k', CLI_TEXT, "K",
     "the K modes nearest the shift; default: all, or 20 if there are more than 600 states",
     offsetof(LinearSettings, modes)},
    {"shift", 0, CLI_TEXT, "S", "a real number in 1/s; default 0", offsetof(LinearSettings, shift)},
    {"partition", 0, CLI_FLAG, NULL, "use independent coordinates of the bodies (small systems)",
     offsetof(LinearSettings, partition)},
    {"spin", 0, CLI_TEXT, "X,Y,Z",
     "use a frame that rotates at these rad/s, through the point of rotating_frame",
     offsetof(LinearSettings, spin)},
    {"fixed", 0, CLI_FLAG, NULL, "use non-rotating axes, even if the model has a rotating_frame",
     offsetof(LinearSettings, fixed)},
    {"json", 0, CLI_TEXT, "OUT.json", "write eigenvalues, shapes and the matrix",
     offsetof(LinearSettings, out)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write the eigenvalues", offsetof(LinearSettings, csv)},
    {"output", 'o', CLI_TEXT, "OUT.h5", "write eigenvalues, shapes and the state as HDF5",
     offsetof(LinearSettings, results)},
    {"report", 0, CLI_TEXT, "OUT.html", "write a page that shows the modes in motion",
     offsetof(LinearSettings, report)},
    CLI_OVER_OPTIONS(offsetof(LinearSettings, over)),
    CLI_LOAD_OPTIONS(offsetof(LinearSettings, load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(LinearSettings, quiet)},
    {0},
};

/* Bodies first, then flexible ones; 0 is ground. */
static double share(const TmlModel *model, const TmlLinear *lin, int mode, int k)
{
    const int n = tml_model_body_count(model);
    return k < n ? tml_linear_body(lin, mode, k).energy : tml_linear_flexible(lin, mode, k - n);
}

static const char *share_name(const TmlModel *model, int k)
{
    const int n = tml_model_body_count(model);
    return k < n ? tml_model_body_name(model, k) : tml_model_flexible_name(model, k - n);
}

/* The three bodies with most of a mode's energy. */
static void print_carriers(const TmlModel *model, const TmlLinear *lin, int mode)
{
    enum { MOST = 3 };
    int best[MOST] = {0};
    const int n = tml_model_body_count(model) + tml_model_flexible_count(model);
    for (int b = 1; b < n; ++b) {
        const double e = share(model, lin, mode, b);
        for (int k = 0; k < MOST; ++k) {
            if (best[k] == 0 || e > share(model, lin, mode, best[k])) {
                for (int i = MOST - 1; i > k; --i) {
                    best[i] = best[i - 1];
                }
                best[k] = b;
                break;
            }
        }
    }
    for (int k = 0; k < MOST && best[k] > 0; ++k) {
        const double e = 100.0 * share(model, lin, mode, best[k]);
        if (k == 0 ? e > 0.0 : e >= 0.5) {
            printf("%s%s %.3g %%", k > 0 ? ", " : "", share_name(model, best[k]), e);
        }
    }
    putchar('\n');
}

static void print_frame(const TmlLinearInfo *info)
{
    const TmlVec3 w = info->spin.rate;
    const double rate = sqrt(w.x * w.x + w.y * w.y + w.z * w.z);
    // in a frame that turns speeds are differences of large numbers
    const double v = 1e-9 + 1e-6 * rate * info->length;
    if (rate > 0.0) {
        printf("  frame        turns with (%.6g, %.6g, %.6g) rad/s\n", w.x, w.y, w.z);
    }
    if (info->speed > v || info->imbalance > 1e-6) {
        printf("  note         no equilibrium: speeds up to %.3g m/s, accelerations up to %.3g "
               "m/s^2, %.2g of the largest force without balance\n",
               info->speed, info->acceleration, info->imbalance);
    }
    if (info->unsteady > 1e-4) {
        printf("  note         something does not turn with the frame (%.2g of its rate squared): "
               "eigenvalues are those of this moment\n",
               info->unsteady);
    }
}

void cli_print_modes(const TmlModel *model, const TmlLinear *lin, const TmlStaticsInfo *statics)
{
    const char *title = tml_model_title(model);
    const TmlLinearInfo info = tml_linear_info(lin);
    printf("%s\n  linearised   about t = %g s, %d degree%s of freedom, %d states\n",
           title != NULL && title[0] != '\0' ? title : "(no title)", info.time,
           (int)info.degrees_of_freedom, info.degrees_of_freedom == 1 ? "" : "s", (int)info.order);
    print_frame(&info);
    if (statics != NULL) {
        printf("  moved        %.6g m and %.6g rad at most from the start to the equilibrium\n",
               statics->moved, statics->turned);
        cli_print_stability(statics);
    }
    if (info.idle_states > 0) {
        printf("  bristles     %d states of friction that no point has are not among the modes\n",
               (int)info.idle_states);
    }
    if (info.sparse) {
        printf("  modes        the %d nearest %g 1/s of %d eigenvalues; --modes K shows others\n",
               (int)info.modes, info.shift, (int)info.order);
    }
    printf("\n%5s %13s %13s %12s %9s %12s  %s\n", "mode", "real 1/s", "imag 1/s", "freq. Hz",
           "damping", "time c. s", "kinetic energy");
    for (int k = 0; k < info.modes; ++k) {
        const TmlMode m = tml_linear_mode(lin, k);
        // below this a real part is rounding beside the oscillation
        const bool undamped = fabs(m.real) <= 1e-10 * fabs(m.imag);
        printf("%5d %13.6g %13.6g %12.6g ", k + 1, undamped ? 0.0 : m.real, m.imag, m.frequency);
        if (undamped) {
            printf("%9s %12s  ", "none", "-");
        } else {
            printf("%9.4f %12.5g  ", m.damping_ratio, m.time_constant);
        }
        print_carriers(model, lin, k);
    }
}

static int read_options(const LinearSettings *s, TmlLinearOptions *o)
{
    char *end = NULL;
    *o = tml_linear_options_default();
    o->partition = s->partition;
    o->fixed = s->fixed;
    if (s->modes != NULL) {
        const long n = strtol(s->modes, &end, 10);
        if (*end != '\0' || n < 1 || n > 1000000) {
            return cli_wrong("option '--modes' needs a whole number from 1, not '%s'", s->modes);
        }
        o->modes = (int32_t)n;
    }
    if (s->shift != NULL) {
        o->shift = strtod(s->shift, &end);
        if (end == s->shift || *end != '\0' || !isfinite(o->shift)) {
            return cli_wrong("option '--shift' needs a finite number, not '%s'", s->shift);
        }
    }
    return CLI_GO_ON;
}

/* Bring the sim to the state that is asked for. */
static TmlStatus reach(TmlSim *sim, const LinearSettings *s, const TmlLinearOptions *o,
                       TmlStaticsInfo *info, TmlError *err)
{
    TmlStaticsOptions options = tml_statics_options_default();
    options.spin = o->spin;
    options.fixed = o->fixed;
    options.nearest = s->nearest;
    const TmlStatus status = s->at > 0.0 ? tml_sim_run(sim, NULL, NULL, err) : TML_OK;
    return status == TML_OK && s->statics ? tml_sim_statics(sim, &options, info, err) : status;
}

static TmlStatus write_files(const LinearSettings *s, TmlSim *sim, const TmlLinear *lin,
                             TmlError *err)
{
    const char *const path[] = {s->out, s->csv, s->results};
    TmlStatus status = TML_OK;
    for (size_t k = 0; k < sizeof path / sizeof path[0] && status == TML_OK; ++k) {
        status = path[k] != NULL ? tml_write_modes(path[k], sim, lin, err) : TML_OK;
    }
    return status == TML_OK && s->report != NULL ? tml_report_modes(sim, lin, s->report, NULL, err)
                                                 : status;
}

/* sim: where the commands of a file have led; NULL: the start of the model. Frees it. */
static int linearize_model(const TmlModel *model, TmlSim *sim, const LinearSettings *s,
                           const TmlLinearOptions *o)
{
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlStaticsInfo info = {0};
    TmlSimOptions options = tml_sim_options_default();
    options.end_time = s->at > 0.0 ? s->at : 1.0; // without a run any will do
    options.strict = s->load.strict;
    TmlStatus status = sim == NULL ? tml_sim_create(model, &options, &sim, &err) : TML_OK;
    status = status == TML_OK ? reach(sim, s, o, &info, &err) : status;
    status = status == TML_OK ? tml_sim_linearize(sim, o, &lin, &err) : status;
    if (status == TML_OK && !s->quiet) {
        cli_print_modes(model, lin, s->statics ? &info : NULL);
    }
    status = status == TML_OK ? write_files(s, sim, lin, &err) : status;
    tml_linear_free(lin);
    tml_sim_free(sim);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcmp(path + n - k, suffix) == 0;
}

static int check_settings(LinearSettings *s, const char *input)
{
    const bool commands = tml_is_commands(input);
    const int refused = cli_over_check(&s->over);
    if (refused != CLI_GO_ON) {
        return refused;
    }
    if (s->over.what != NULL && commands) {
        return cli_wrong("--over: a command file of Adams has no parameters");
    }
    if (s->over.what != NULL && (s->results != NULL || s->report != NULL)) {
        return cli_wrong("--over has no -o and no --report; use --csv, --json and --svg");
    }
    if (commands && s->at > 0.0) {
        return cli_wrong("--at: the commands of '%s' say how far to simulate", input);
    }
    if (s->results != NULL && !ends_in(s->results, ".h5") && !ends_in(s->results, ".hdf5")) {
        return cli_wrong("-o: the name of the file must end in .h5 or .hdf5, not '%s'", s->results);
    }
    return s->report != NULL ? cli_html_check(s->report, input) : CLI_GO_ON;
}

static int over_model(const TmlModel *model, LinearSettings *s, const TmlLinearOptions *o)
{
    TmlLocusOptions *options = &s->over.options;
    options->linear = *o;
    options->statics = s->statics;
    options->nearest = s->nearest;
    options->at = s->at;
    return cli_over_run(model, &s->over, s->csv, s->out, s->quiet);
}

static int linearize_run(const CliCommand *self, int argc, char **argv)
{
    LinearSettings settings = {0};
    TmlLinearOptions o;
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    result = result == CLI_GO_ON ? read_options(&settings, &o) : result;
    result = result == CLI_GO_ON ? check_settings(&settings, argv[0]) : result;
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    if (result == CLI_GO_ON) {
        result = tml_is_commands(argv[0])
                     ? cli_commands_reach(argv[0], &settings.load, &model, &sim)
                     : cli_load(argv[0], &settings.load, &model);
    }
    if (result == CLI_GO_ON) {
        cli_warnings(model);
    }
    const char *const output[] = {settings.out, settings.csv, settings.results,
                                  settings.over.picture};
    result = result == CLI_GO_ON ? cli_outputs_check(model, 4, output) : result;
    result = result == CLI_GO_ON ? cli_spin(model, settings.spin, &o.spin) : result;
    if (result == CLI_GO_ON && settings.over.what != NULL) {
        result = over_model(model, &settings, &o);
    } else if (result == CLI_GO_ON) {
        result = linearize_model(model, sim, &settings, &o);
    } else {
        tml_sim_free(sim);
    }
    tml_model_free(model);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_linearize = {
    .name = "linearize",
    .arguments = "MODEL",
    .text = "Compute eigenvalues and modes about the initial state, an equilibrium, a state of a "
            "run or the final state of a command file (.acf).",
    .n_min = 1,
    .n_max = 1,
    .options = linear_options,
    .run = linearize_run,
};
