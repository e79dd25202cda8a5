/* io/export/export_csv.c - channels of a result file as comma-separated values.
 *
 * The form is that of io/export/csv.c, so that whatever reads the CSV of a run reads this.
 */
#include "io/export/csv.h"
#include "io/file/draft.h"
#include "io/file/held.h"
#include "io/text/textbuf.h"

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/trammel.h"

#include <stdio.h>
#include <string.h>

typedef struct Table {
    TmlChannels *file;
    TmlArena arena;
    int n, cap;
    int *channel;   /* n: in the order in which they are asked for */
    double *time;   /* rows */
    double **value; /* n * rows */
    int64_t rows;
    bool units; /* in the heading */
} Table;

static TmlStatus add(Table *t, int channel, TmlError *err)
{
    const TmlChannelInfo info = tml_channels_info(t->file, channel);
    for (int k = 0; k < t->n; ++k) {
        if (t->channel[k] == channel) {
            return TML_OK; // named twice
        }
    }
    if (t->n > 0) {
        const TmlChannelInfo first = tml_channels_info(t->file, t->channel[0]);
        if (first.attempts != info.attempts) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "'%s' has a row per %s and '%s' per %s: write them to two files",
                            first.name, first.attempts ? "attempted step" : "output time",
                            info.name, info.attempts ? "attempted step" : "output time");
        }
    }
    t->channel[t->n++] = channel;
    t->rows = info.rows;
    return TML_OK;
}

/* Channels that match the patterns; without any all that have a row per output time. */
static TmlStatus choose(Table *t, int n, const char *const *pattern, TmlError *err)
{
    const int count = tml_channels_count(t->file);
    TML_NEW(&t->arena, t->channel, count > 0 ? count : 1);
    for (int k = 0; k < count && n == 0; ++k) {
        if (!tml_channels_info(t->file, k).attempts) {
            TML_TRY(add(t, k, err));
        }
    }
    for (int k = 0; k < n; ++k) {
        int at = tml_channels_match(t->file, pattern[k], 0);
        if (at < 0) {
            return tml_channels_unknown(t->file, pattern[k], err);
        }
        for (; at >= 0; at = tml_channels_match(t->file, pattern[k], at + 1)) {
            TML_TRY(add(t, at, err));
        }
    }
    return t->n > 0 ? TML_OK : tml_fail(err, TML_E_ARGUMENT, "the file has no channels");
}

static TmlStatus read_all(Table *t, TmlError *err)
{
    TML_NEW(&t->arena, t->time, t->rows > 0 ? t->rows : 1);
    TML_NEW(&t->arena, t->value, t->n);
    for (int k = 0; k < t->n; ++k) {
        TML_NEW(&t->arena, t->value[k], t->rows > 0 ? t->rows : 1);
        TML_TRY(
            tml_channels_read(t->file, t->channel[k], k == 0 ? t->time : NULL, t->value[k], err));
    }
    return TML_OK;
}

/* "time" of "time, s". */
static void put_time_name(const Table *t, FILE *file)
{
    char name[256];
    const char *text = tml_channels_time(t->file), *comma = strrchr(text, ',');
    const int n = comma != NULL ? (int)(comma - text) : (int)strlen(text);
    snprintf(name, sizeof name, "%.*s", n, text);
    tml_csv_name(file, name);
}

/* "name", or "name [unit]", which readers of channels know. */
static void put_name(const TmlChannelInfo *info, bool units, FILE *file)
{
    char text[1024];
    const bool unit = units && info->unit[0] != '\0';
    snprintf(text, sizeof text, "%s%s%s%s", info->name, unit ? " [" : "", unit ? info->unit : "",
             unit ? "]" : "");
    tml_csv_name(file, text);
}

static TmlStatus put_rows(void *user, FILE *file, TmlError *err)
{
    const Table *t = user;
    const bool units = t->units;
    char number[TML_NUMBER_MAX];
    (void)err;
    put_time_name(t, file);
    for (int k = 0; k < t->n; ++k) {
        const TmlChannelInfo info = tml_channels_info(t->file, t->channel[k]);
        fputc(',', file);
        put_name(&info, units, file);
    }
    fputc('\n', file);
    for (int64_t row = 0; row < t->rows; ++row) {
        fputs(tml_number_text(t->time[row], number), file);
        for (int k = 0; k < t->n; ++k) {
            fputc(',', file);
            fputs(tml_number_text(t->value[k][row], number), file);
        }
        fputc('\n', file);
    }
    return TML_OK; // the stream keeps its failure
}

static TmlStatus write_all(Table *t, const char *csv, TmlError *err)
{
    TML_TRY(tml_file_refuse_held(csv, err));
    return tml_draft_write(csv, TML_LINK_FOLLOW, put_rows, t, err);
}

TmlStatus tml_export_csv(const char *results, int n, const char *const *pattern, bool units,
                         const char *csv, int64_t *rows, int *columns, TmlError *err)
{
    Table t = {.units = units};
    TmlStatus status = tml_channels_open(results, &t.file, err);
    status = status == TML_OK ? choose(&t, n, pattern, err) : status;
    status = status == TML_OK ? read_all(&t, err) : status;
    status = status == TML_OK ? write_all(&t, csv, err) : status;
    if (status == TML_OK && rows != NULL) {
        *rows = t.rows;
    }
    if (status == TML_OK && columns != NULL) {
        *columns = t.n;
    }
    tml_arena_free(&t.arena);
    tml_channels_free(t.file);
    return status;
}
