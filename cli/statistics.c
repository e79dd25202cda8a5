/* cli/statistics.c - trammel statistics: mean, deviation and extremes of a channel. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOWS_MAX = 10000 };

typedef struct StatisticsSettings {
    const char *along, *json;
    double low_pass, order, from, to, every, level;
    bool quiet;
} StatisticsSettings;

static const CliOption statistics_options[] = {
    {"low-pass", 0, CLI_POSITIVE, "HZ",
     "filter the channel first, forwards and backwards; 20 Hz for contact forces by EN 50318",
     offsetof(StatisticsSettings, low_pass)},
    {"order", 0, CLI_POSITIVE, "N", "order of the Butterworth low pass, even; 4",
     offsetof(StatisticsSettings, order)},
    {"from", 0, CLI_NUMBER, "X", "leave out rows before, in s, or in the unit of --along",
     offsetof(StatisticsSettings, from)},
    {"to", 0, CLI_NUMBER, "X", "leave out rows behind", offsetof(StatisticsSettings, to)},
    {"along", 0, CLI_TEXT, "CHANNEL",
     "--from, --to and --every are values of this channel instead of time, for example a position",
     offsetof(StatisticsSettings, along)},
    {"every", 0, CLI_POSITIVE, "X", "also of each piece of this length, for example of each span",
     offsetof(StatisticsSettings, every)},
    {"level", 0, CLI_NUMBER, "VALUE", "rows that are not above this count as loss; 0",
     offsetof(StatisticsSettings, level)},
    {"json", 0, CLI_TEXT, "OUT.json", "write the numbers", offsetof(StatisticsSettings, json)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(StatisticsSettings, quiet)},
    {0},
};

typedef struct Work {
    const StatisticsSettings *s;
    TmlChannels *c;
    int channel, along; /* along: -1: time */
    int64_t n;
    double *time, *x, *raw, *value;
    double from, to;
    FILE *json; /* in memory */
    TmlError err;
} Work;

static TmlStatus find_channel(Work *w, const char *name, int *out)
{
    *out = tml_channels_match(w->c, name, 0);
    return *out >= 0 ? TML_OK : tml_channels_unknown(w->c, name, &w->err);
}

static TmlStatus read_rows(Work *w)
{
    TmlStatus status = TML_OK;
    w->n = tml_channels_info(w->c, w->channel).rows;
    for (int k = 0; k < 4; ++k) {
        double **const room[] = {&w->time, &w->x, &w->raw, &w->value};
        *room[k] = calloc((size_t)w->n + 1, sizeof **room[k]);
        if (*room[k] == NULL) {
            return TML_E_NOMEM;
        }
    }
    status = tml_channels_read(w->c, w->channel, w->time, w->raw, &w->err);
    if (status == TML_OK && w->along >= 0 && tml_channels_info(w->c, w->along).rows != w->n) {
        snprintf(w->err.message, sizeof w->err.message, "--along: '%s' has other rows than '%s'",
                 w->s->along, tml_channels_info(w->c, w->channel).name);
        return TML_E_ARGUMENT;
    }
    if (status == TML_OK && w->along >= 0) {
        status = tml_channels_read(w->c, w->along, NULL, w->x, &w->err);
    }
    for (int64_t k = 0; k < w->n; ++k) {
        w->x[k] = w->along >= 0 ? w->x[k] : w->time[k];
        w->value[k] = w->raw[k];
    }
    if (status == TML_OK && w->s->low_pass > 0.0) {
        status = tml_low_pass(w->n, w->time, w->raw, w->s->low_pass, (int)w->s->order, w->value,
                              &w->err);
    }
    return status;
}

static void put(Work *w, const char *name, double value, const char *end)
{
    if (isfinite(value)) {
        fprintf(w->json, "\"%s\": %.15g%s", name, value, end);
    } else {
        fprintf(w->json, "\"%s\": null%s", name, end);
    }
}

/* One window, on the screen and in the file. */
static TmlStatus tell(Work *w, double from, double to, bool piece)
{
    const TmlStatistics s = tml_statistics(w->n, w->x, w->value, from, to, w->s->level);
    const TmlStatistics raw = tml_statistics(w->n, w->x, w->raw, from, to, w->s->level);
    if (s.rows == 0 && !piece) {
        snprintf(w->err.message, sizeof w->err.message, "there are no rows from %g to %g", from,
                 to);
        return TML_E_ARGUMENT;
    }
    if (!w->s->quiet && piece) {
        printf("  %10g %10g %12.5g %12.5g %12.5g %12.5g %9.3g\n", from, to, s.mean, s.deviation,
               s.min, s.max, 100.0 * raw.loss);
    } else if (!w->s->quiet) {
        const TmlChannelInfo info = tml_channels_info(w->c, w->channel);
        printf("%s%s%s from %g to %g, %lld rows", info.name, info.unit[0] != '\0' ? ", " : "",
               info.unit, from, to, (long long)s.rows);
        if (w->s->low_pass > 0.0) {
            printf(", low pass %g Hz", w->s->low_pass);
        }
        printf("\n  mean         %.6g\n  deviation    %.6g\n", s.mean, s.deviation);
        printf("  extremes     %.6g to %.6g\n  statistical  %.6g to %.6g (mean -+ 3 deviations)\n",
               s.min, s.max, s.mean - 3.0 * s.deviation, s.mean + 3.0 * s.deviation);
        printf("  loss         %.4g %% of the rows, unfiltered, are not above %g\n",
               100.0 * raw.loss, w->s->level);
    }
    put(w, "from", from, ", ");
    put(w, "to", to, ", ");
    put(w, "rows", (double)s.rows, ", ");
    put(w, "mean", s.mean, ", ");
    put(w, "deviation", s.deviation, ", ");
    put(w, "min", s.min, ", ");
    put(w, "max", s.max, ", ");
    put(w, "statistical_min", s.mean - 3.0 * s.deviation, ", ");
    put(w, "statistical_max", s.mean + 3.0 * s.deviation, ", ");
    put(w, "loss_percent", 100.0 * raw.loss, "");
    return TML_OK;
}

static TmlStatus tell_pieces(Work *w)
{
    const double every = w->s->every, count = ceil((w->to - w->from) / every - 1e-9);
    if (!(count <= WINDOWS_MAX)) {
        snprintf(w->err.message, sizeof w->err.message, "--every %g: more than %d pieces", every,
                 WINDOWS_MAX);
        return TML_E_ARGUMENT;
    }
    if (!w->s->quiet) {
        printf("  %10s %10s %12s %12s %12s %12s %9s\n", "from", "to", "mean", "deviation", "min",
               "max", "loss, %");
    }
    fprintf(w->json, ",\n \"pieces\": [");
    for (int k = 0; k < (int)count; ++k) {
        fprintf(w->json, "%s\n  {", k > 0 ? "," : "");
        const double from = w->from + k * every, next = w->from + (k + 1) * every;
        // a row between two pieces belongs to the second
        const TmlStatus status = tell(w, from, next < w->to ? nextafter(next, from) : w->to, true);
        if (status != TML_OK) {
            return status;
        }
        fprintf(w->json, "}");
    }
    fprintf(w->json, "]");
    return TML_OK;
}

static TmlStatus work(Work *w, const char *path, const char *name)
{
    TmlStatus status = tml_channels_open(path, &w->c, &w->err);
    status = status == TML_OK ? find_channel(w, name, &w->channel) : status;
    w->along = -1;
    if (status == TML_OK && w->s->along != NULL) {
        status = find_channel(w, w->s->along, &w->along);
    }
    status = status == TML_OK ? read_rows(w) : status;
    if (status != TML_OK) {
        return status;
    }
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int64_t k = 0; k < w->n; ++k) {
        least = fmin(least, w->x[k]);
        most = fmax(most, w->x[k]);
    }
    w->from = isnan(w->s->from) ? least : w->s->from;
    w->to = isnan(w->s->to) ? most : w->s->to;
    fprintf(w->json, "{");
    status = tell(w, w->from, w->to, false);
    status = status == TML_OK && w->s->every > 0.0 ? tell_pieces(w) : status;
    fprintf(w->json, "}\n");
    return status;
}

static int statistics_run(const CliCommand *self, int argc, char **argv)
{
    StatisticsSettings s = {.order = 4.0, .from = (double)NAN, .to = (double)NAN};
    int n = 0;
    const int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (s.order != floor(s.order) || s.order > 1000.0) {
        return cli_wrong("--order %g: expected a whole, even number", s.order);
    }
    Work w = {.s = &s};
    char *text = NULL;
    size_t size = 0;
    w.json = open_memstream(&text, &size);
    TmlStatus status = w.json != NULL ? work(&w, argv[0], argv[1]) : TML_E_NOMEM;
    if (w.json != NULL) {
        fclose(w.json);
    }
    if (status == TML_OK && s.json != NULL) {
        status = tml_file_write(s.json, text, size, &w.err);
    }
    free(text);
    free(w.time);
    free(w.x);
    free(w.raw);
    free(w.value);
    tml_channels_free(w.c);
    return status == TML_OK ? 0 : cli_fail(status, &w.err);
}

const CliCommand cli_statistics = {
    .name = "statistics",
    .arguments = "RESULTS CHANNEL",
    .text = "Mean, deviation, extremes and losses of a channel, of a window and of pieces of it, "
            "also after a low pass.",
    .n_min = 2,
    .n_max = 2,
    .options = statistics_options,
    .run = statistics_run,
};
