/* cli/plot.c - trammel plot: channels of a result file as a figure for papers and scripts.
 *
 * Channels with the same unit share a panel; panels stand above each other over the same time.
 */
#include "cli.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum {
    CHANNELS_MAX = 256,
    PANEL_MAX = 28, // colours and dashes make so many looks
    LABEL_MAX = 300,
    SIDE_MAX = 20000,
};

typedef struct PlotSettings {
    const char *output, *x, *size, *title, *x_label, *y_label, *style;
    double from, to, scale;
    bool log, list, quiet;
} PlotSettings;

static const CliOption plot_options[] = {
    {"output", 'o', CLI_TEXT, "FILE", "write the figure: .svg or .png",
     offsetof(PlotSettings, output)},
    {"list", 'l', CLI_FLAG, NULL, "print the channels (those that match) and their units",
     offsetof(PlotSettings, list)},
    {"x", 'x', CLI_TEXT, "CHANNEL", "plot over this channel, not over time",
     offsetof(PlotSettings, x)},
    {"from", 0, CLI_NUMBER, "T", "begin at this time, s", offsetof(PlotSettings, from)},
    {"to", 0, CLI_NUMBER, "T", "end at this time, s", offsetof(PlotSettings, to)},
    {"log", 0, CLI_FLAG, NULL, "logarithmic values", offsetof(PlotSettings, log)},
    {"title", 0, CLI_TEXT, "TEXT", "heading of the figure", offsetof(PlotSettings, title)},
    {"xlabel", 0, CLI_TEXT, "TEXT", "label of the horizontal axis",
     offsetof(PlotSettings, x_label)},
    {"ylabel", 0, CLI_TEXT, "TEXT", "label of the vertical axes", offsetof(PlotSettings, y_label)},
    {"size", 0, CLI_TEXT, "WxH", "size of the page in pixels; default: as large as the panels need",
     offsetof(PlotSettings, size)},
    {"scale", 0, CLI_POSITIVE, "S", "pixels of a PNG per pixel of the page; 1",
     offsetof(PlotSettings, scale)},
    {"style", 0, CLI_TEXT, "light|dark", "colours of paper and ink; light",
     offsetof(PlotSettings, style)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(PlotSettings, quiet)},
    {0},
};

/* One channel of the figure, with the rows that are shown. */
typedef struct Curve {
    int channel;
    TmlChannelInfo info;
    int n;
    const double *x, *y;
    double *time, *value, *over; // all rows; over: values of --x
} Curve;

typedef struct Job {
    const PlotSettings *s;
    TmlChannels *file;
    int width, height;
    int n, n_panels;
    Curve curve[CHANNELS_MAX];
    int panel_of[CHANNELS_MAX];
    TmlSeries series[CHANNELS_MAX]; // by panel
    TmlPlot plot[CHANNELS_MAX];
    char label[CHANNELS_MAX][LABEL_MAX], x_label[LABEL_MAX];
} Job;

/* --- command line -------------------------------------------------------------------------- */

static int check_size(const PlotSettings *s, Job *job)
{
    char rest;
    if (s->size == NULL) {
        return CLI_GO_ON;
    }
    if (sscanf(s->size, "%5dx%5d%c", &job->width, &job->height, &rest) != 2 || job->width < 1 ||
        job->height < 1 || job->width > SIDE_MAX || job->height > SIDE_MAX) {
        return cli_wrong("option '--size' needs WIDTHxHEIGHT such as 640x400, not '%s'", s->size);
    }
    return CLI_GO_ON;
}

static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

static int check_settings(const PlotSettings *s, const char *input, int n_channels, Job *job)
{
    if (s->list) {
        return CLI_GO_ON;
    }
    if (n_channels == 0) {
        return cli_wrong("no channel given; 'trammel plot %s --list' lists them", input);
    }
    if (s->output == NULL) {
        return cli_wrong("nothing to write: add -o FILE.svg or -o FILE.png, or --list");
    }
    if (!ends_in(s->output, ".svg") && !ends_in(s->output, ".png")) {
        return cli_wrong("-o: the name of the file must end in .svg or .png, not '%s'", s->output);
    }
    if (ends_in(s->output, ".png") && !tml_figure_has_png()) {
        return cli_wrong("this trammel was built without PNG support; use .svg, or install cairo "
                         "(libcairo2-dev) and build it again");
    }
    if (same_file(s->output, input)) {
        return cli_wrong("'%s' holds the results and would be overwritten", s->output);
    }
    if (s->style != NULL && strcmp(s->style, "light") != 0 && strcmp(s->style, "dark") != 0) {
        return cli_wrong("option '--style' needs light or dark, not '%s'", s->style);
    }
    if (s->from >= s->to) {
        return cli_wrong("--from %g is not before --to %g", s->from, s->to);
    }
    return check_size(s, job);
}

/* --- channels ------------------------------------------------------------------------------ */

static int add_channel(Job *job, int channel)
{
    for (int k = 0; k < job->n; ++k) {
        if (job->curve[k].channel == channel) {
            return CLI_GO_ON; // named twice
        }
    }
    if (job->n == CHANNELS_MAX) {
        return cli_wrong("more than %d channels for one figure", CHANNELS_MAX);
    }
    job->curve[job->n++] =
        (Curve){.channel = channel, .info = tml_channels_info(job->file, channel)};
    return CLI_GO_ON;
}

static int choose_channels(Job *job, int n, char **patterns)
{
    TmlError err = {0};
    for (int k = 0; k < n; ++k) {
        int at = tml_channels_match(job->file, patterns[k], 0);
        if (at < 0) {
            return cli_fail(tml_channels_unknown(job->file, patterns[k], &err), &err);
        }
        for (; at >= 0; at = tml_channels_match(job->file, patterns[k], at + 1)) {
            const int result = add_channel(job, at);
            if (result != CLI_GO_ON) {
                return result;
            }
        }
    }
    return CLI_GO_ON;
}

/* Keep the rows from --from to --to. Lines over time go on to the edge of the panel: the rows next
 * to the range stay too. */
static void cut_rows(const PlotSettings *s, Curve *c)
{
    const int more = s->x == NULL;
    int first = 0, end = c->n;
    while (first < end && c->time[first] < s->from) {
        first++;
    }
    while (end > first && c->time[end - 1] > s->to) {
        end--;
    }
    if (first < end) {
        first -= first > 0 ? more : 0;
        end += end < c->n ? more : 0;
    }
    c->n = end - first;
    c->x = (s->x == NULL ? c->time : c->over) + first;
    c->y = c->value + first;
}

static TmlStatus read_curve(Job *job, Curve *c, int x_channel, TmlError *err)
{
    const size_t rows = (size_t)c->info.rows + 1;
    c->time = malloc(rows * sizeof *c->time);
    c->value = malloc(rows * sizeof *c->value);
    c->over = malloc((x_channel >= 0 ? rows : 1) * sizeof *c->over);
    if (c->time == NULL || c->value == NULL || c->over == NULL || c->info.rows >= INT_MAX) {
        return TML_E_NOMEM;
    }
    TmlStatus status = tml_channels_read(job->file, c->channel, c->time, c->value, err);
    if (status == TML_OK && x_channel >= 0) {
        status = tml_channels_read(job->file, x_channel, NULL, c->over, err);
    }
    c->n = (int)c->info.rows;
    return status;
}

static int read_curves(Job *job, int x_channel)
{
    TmlError err = {0};
    for (int k = 0; k < job->n; ++k) {
        Curve *c = &job->curve[k];
        if (x_channel >= 0 &&
            tml_channels_info(job->file, x_channel).attempts != c->info.attempts) {
            return cli_wrong("'%s' has a row per %s and '%s' per %s: they have no rows in common",
                             job->s->x, c->info.attempts ? "output time" : "attempted step",
                             c->info.name, c->info.attempts ? "attempted step" : "output time");
        }
        const TmlStatus status = read_curve(job, c, x_channel, &err);
        if (status != TML_OK) {
            return cli_fail(status, &err);
        }
    }
    return CLI_GO_ON;
}

/* --- figure -------------------------------------------------------------------------------- */

/* What a name tells about the quantity: `position` of rod1.position.x, `energy` of energy.kinetic;
 * length 0: nothing. */
static const char *quantity(const char *name, int *length)
{
    const char *first = strchr(name, '.'), *last = strrchr(name, '.');
    const char *what = first == last ? name : first + 1;
    *length = first != NULL ? (int)strcspn(what, ".") : 0;
    return what;
}

/* Label of a panel: the name of its only channel, or the quantity that all have in common. */
static void make_label(Job *job, int panel, char out[LABEL_MAX])
{
    const char *name = "", *unit = "";
    int length = 0, members = 0;
    for (int k = 0; k < job->n; ++k) {
        if (job->panel_of[k] != panel) {
            continue;
        }
        int own = 0;
        const char *what = quantity(job->curve[k].info.name, &own);
        if (members++ == 0) {
            name = what;
            length = own;
            unit = job->curve[k].info.unit;
        }
        length = own == length && strncmp(what, name, (size_t)own) == 0 ? length : 0;
    }
    if (members == 1) {
        for (int k = 0; k < job->n; ++k) {
            name = job->panel_of[k] == panel ? job->curve[k].info.name : name;
        }
        length = (int)strlen(name);
    }
    snprintf(out, LABEL_MAX, "%.*s%s%.60s", length > 200 ? 200 : length, name,
             length > 0 && unit[0] != '\0' ? ", " : "", unit);
    for (char *c = out; members > 1 && *c != '\0'; ++c) {
        *c = *c == '_' ? ' ' : *c;
    }
}

/* Channels with the same unit share a panel. */
static int make_panels(Job *job)
{
    const char *unit[CHANNELS_MAX];
    int members[CHANNELS_MAX] = {0};
    for (int k = 0; k < job->n; ++k) {
        int p = 0;
        while (p < job->n_panels && strcmp(unit[p], job->curve[k].info.unit) != 0) {
            p++;
        }
        unit[p] = job->curve[k].info.unit;
        job->n_panels += p == job->n_panels;
        job->panel_of[k] = p;
        if (++members[p] > PANEL_MAX) {
            return cli_wrong("more than %d channels%s%s: they could not be distinguished",
                             PANEL_MAX, unit[p][0] != '\0' ? " in " : " without a unit", unit[p]);
        }
    }
    return CLI_GO_ON;
}

/* Is there anything that a logarithmic axis can show? */
static bool has_positive(const Curve *c)
{
    for (int k = 0; k < c->n; ++k) {
        if (c->y[k] > 0.0 && isfinite(c->y[k])) {
            return true;
        }
    }
    return false;
}

static int fill_panel(Job *job, int panel, int *used)
{
    const PlotSettings *s = job->s;
    TmlPlot *plot = &job->plot[panel];
    bool positive = false;
    *plot = tml_plot_default();
    plot->series = job->series + *used;
    plot->y.log = s->log;
    plot->x.tight = s->x == NULL;
    for (int k = 0; k < job->n; ++k) {
        if (job->panel_of[k] == panel) {
            const Curve *c = &job->curve[k];
            job->series[(*used)++] =
                (TmlSeries){.name = c->info.name, .n = c->n, .x = c->x, .y = c->y};
            plot->n_series++;
            positive = positive || has_positive(c);
        }
    }
    if (s->log && !positive) {
        return cli_wrong("--log: '%s' has no positive value", plot->series[0].name);
    }
    make_label(job, panel, job->label[panel]);
    const char *label = s->y_label != NULL ? s->y_label : job->label[panel];
    plot->y.label = label[0] != '\0' ? label : NULL;
    plot->x.label = s->x_label != NULL ? s->x_label : job->x_label;
    if (s->x == NULL) {
        plot->x.low = isfinite(s->from) ? s->from : (double)NAN;
        plot->x.high = isfinite(s->to) ? s->to : (double)NAN;
    }
    return CLI_GO_ON;
}

static int draw(Job *job)
{
    const PlotSettings *s = job->s;
    TmlError err = {0};
    int used = 0, result = make_panels(job);
    for (int p = 0; p < job->n_panels && result == CLI_GO_ON; ++p) {
        result = fill_panel(job, p, &used);
    }
    if (result != CLI_GO_ON) {
        return result;
    }
    TmlFigure figure = tml_figure_default();
    figure.title = s->title;
    figure.n_plots = job->n_panels;
    figure.plots = job->plot;
    figure.share_x = true;
    figure.dark = s->style != NULL && strcmp(s->style, "dark") == 0;
    figure.width = job->width;
    figure.height = job->height;
    figure.scale = s->scale;
    const TmlStatus status = tml_figure_write(&figure, s->output, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (!s->quiet) {
        printf("%s: %d channel%s, %d rows\n", s->output, job->n, job->n > 1 ? "s" : "",
               job->curve[0].n);
    }
    return 0;
}

static int plot_file(Job *job, int n, char **patterns)
{
    const PlotSettings *s = job->s;
    TmlError err = {0};
    const char *note = tml_channels_note(job->file);
    if (note != NULL && !s->quiet) {
        fprintf(stderr, "note: %s\n", note);
    }
    if (s->list) {
        return cli_list_channels(job->file, n, patterns);
    }
    int result = choose_channels(job, n, patterns), x_channel = -1;
    snprintf(job->x_label, LABEL_MAX, "%s", tml_channels_time(job->file));
    if (result == CLI_GO_ON && s->x != NULL) {
        x_channel = tml_channels_match(job->file, s->x, 0);
        if (x_channel < 0) {
            return cli_fail(tml_channels_unknown(job->file, s->x, &err), &err);
        }
        const TmlChannelInfo info = tml_channels_info(job->file, x_channel);
        snprintf(job->x_label, LABEL_MAX, "%s%s%s", info.name, info.unit[0] != '\0' ? ", " : "",
                 info.unit);
    }
    result = result == CLI_GO_ON ? read_curves(job, x_channel) : result;
    int rows = 0;
    for (int k = 0; k < job->n && result == CLI_GO_ON; ++k) {
        cut_rows(s, &job->curve[k]);
        rows += job->curve[k].n;
    }
    if (result == CLI_GO_ON && rows == 0) {
        return cli_wrong("no rows to plot%s", isfinite(s->from) || isfinite(s->to)
                                                  ? " between --from and --to"
                                                  : ": the run has written none");
    }
    return result == CLI_GO_ON ? draw(job) : result;
}

static int plot_run(const CliCommand *self, int argc, char **argv)
{
    PlotSettings s = {.from = -HUGE_VAL, .to = HUGE_VAL, .scale = 1.0};
    int n = 0, result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    Job *job = calloc(1, sizeof *job);
    TmlError err = {0};
    if (job == NULL) {
        return cli_fail(TML_E_NOMEM, &err);
    }
    job->s = &s;
    result = check_settings(&s, argv[0], n - 1, job);
    if (result == CLI_GO_ON) {
        const TmlStatus status = tml_channels_open(argv[0], &job->file, &err);
        result = status == TML_OK ? plot_file(job, n - 1, argv + 1) : cli_fail(status, &err);
    }
    for (int k = 0; k < job->n; ++k) {
        free(job->curve[k].time);
        free(job->curve[k].value);
        free(job->curve[k].over);
    }
    tml_channels_free(job->file);
    free(job);
    return result;
}

const CliCommand cli_plot = {
    .name = "plot",
    .arguments = "OUT.h5 CHANNEL...",
    .text = "Plot channels of a result file (or CSV) as SVG or PNG.",
    .n_min = 1,
    .n_max = INT_MAX,
    .options = plot_options,
    .run = plot_run,
};
