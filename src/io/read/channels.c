/* io/read/channels.c - channels of a file: finding and reading them by name. */
#include "io/read/channels.h"

#include "base/nearest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int tml_channels_text(TmlChannels *c, const char *text)
{
    const int at = c->text.n;
    tml_textbuf_add(&c->text, "%s%c", text, '\0');
    return at;
}

TmlStatus tml_channels_add(TmlChannels *c, TmlChannel where, const char *name, const char *unit,
                           TmlError *err)
{
    if (!tml_mem_grow((void **)&c->at, &c->cap, c->n + 1, sizeof *c->at)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d channels", c->n + 1);
    }
    // channels that follow each other mostly share their unit
    const char *last = c->n > 0 ? c->text.at + c->at[c->n - 1].unit : NULL;
    where.unit =
        last != NULL && strcmp(last, unit) == 0 ? c->at[c->n - 1].unit : tml_channels_text(c, unit);
    where.name = tml_channels_text(c, name);
    c->at[c->n++] = where;
    return c->text.failed ? tml_fail(err, TML_E_NOMEM, "out of memory for names") : TML_OK;
}

TmlStatus tml_channels_open(const char *path, TmlChannels **out, TmlError *err)
{
    const char *dot = strrchr(path, '.');
    TmlChannels *c = tml_mem_zalloc(1, sizeof *c);
    *out = NULL;
    if (c == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    c->is_csv = dot != NULL && strcasecmp(dot, ".csv") == 0;
    const TmlStatus status =
        c->is_csv ? tml_channels_open_csv(c, path, err) : tml_channels_open_h5(c, path, err);
    if (status != TML_OK) {
        tml_channels_free(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

void tml_channels_free(TmlChannels *c)
{
    if (c == NULL) {
        return;
    }
    if (!c->is_csv) {
        tml_result_modal_close(c->n_modal, c->modal);
        tml_result_close(&c->file);
    }
    tml_textbuf_free(&c->text);
    tml_mem_free(c->at);
    tml_mem_free(c->table);
    tml_mem_free(c);
}

int tml_channels_count(const TmlChannels *c)
{
    return c->n;
}

TmlChannelInfo tml_channels_info(const TmlChannels *c, int channel)
{
    const TmlChannel *at = &c->at[channel];
    const bool attempts = at->source == TML_RESULT_SOLVER;
    return (TmlChannelInfo){
        .name = c->text.at + at->name,
        .unit = c->text.at + at->unit,
        .rows = c->is_csv  ? c->rows
                : attempts ? c->file.set[TML_RESULT_SOLVER].rows
                           : c->file.rows,
        .attempts = attempts,
    };
}

const char *tml_channels_title(const TmlChannels *c)
{
    return c->title != NULL ? c->title : "";
}

const char *tml_channels_time(const TmlChannels *c)
{
    return c->is_csv ? c->text.at + c->time_name : "time, s";
}

const char *tml_channels_note(const TmlChannels *c)
{
    return c->note[0] != '\0' ? c->note : NULL;
}

/* The energies stand in the group `certificate` of the file: that name is understood too. */
static bool same_name(const char *name, const char *wanted)
{
    static const char group[] = "certificate.", energy[] = "energy.";
    if (strcmp(name, wanted) == 0) {
        return true;
    }
    return strncmp(wanted, group, strlen(group)) == 0 &&
           strncmp(name, energy, strlen(energy)) == 0 &&
           strcmp(name + strlen(energy), wanted + strlen(group)) == 0;
}

int tml_channels_match(const TmlChannels *c, const char *pattern, int from)
{
    const bool plain = strpbrk(pattern, "*?[") == NULL;
    for (int k = from; k < c->n; ++k) {
        const char *name = c->text.at + c->at[k].name;
        if (same_name(name, pattern) || (!plain && fnmatch(pattern, name, 0) == 0)) {
            return k;
        }
    }
    return -1;
}

/* Names that begin with what was written, or hold it: what was left out is mostly the end. */
static int names_with(const TmlChannels *c, const char *word, const char **out, int most)
{
    int n = 0;
    for (int k = 0; k < c->n && n < most; ++k) {
        const char *name = c->text.at + c->at[k].name;
        if (strcasestr(name, word) != NULL) {
            out[n++] = name;
        }
    }
    return n;
}

TmlStatus tml_channels_unknown(const TmlChannels *c, const char *name, TmlError *err)
{
    enum { MOST = 3 };
    const char *near[MOST];
    int n = 0;
    if (strpbrk(name, "*?[") != NULL) {
        return tml_fail(err, TML_E_ARGUMENT, "no channel matches '%s'", name);
    }
    const char **all = tml_mem_zalloc((size_t)c->n + 1, sizeof *all);
    if (all == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < c->n; ++k) {
        all[k] = c->text.at + c->at[k].name;
    }
    while (n < MOST && (near[n] = tml_nearest(name, all, c->n)) != NULL) {
        for (int k = 0; k < c->n; ++k) { // an empty name is near to none
            all[k] = strcmp(all[k], near[n]) == 0 ? "" : all[k];
        }
        n++;
    }
    tml_mem_free(all);
    n = n == 0 ? names_with(c, name, near, MOST) : n;
    char list[1024] = "";
    for (int k = 0; k < n; ++k) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s'%.200s'",
                 k == 0       ? "; did you mean "
                 : k == n - 1 ? " or "
                              : ", ",
                 near[k]);
    }
    return tml_fail(err, TML_E_ARGUMENT, "unknown channel '%s'%s%s", name, list,
                    n > 0 ? "?" : "; 'trammel plot FILE --list' prints them all");
}

TmlStatus tml_channels_read(TmlChannels *c, int channel, double *time, double *value, TmlError *err)
{
    if (channel < 0 || channel >= c->n) {
        return tml_fail(err, TML_E_ARGUMENT, "no channel %d of %d", channel, c->n);
    }
    if (!c->is_csv) {
        return tml_channels_read_h5(c, &c->at[channel], time, value, err);
    }
    for (int64_t k = 0; k < c->rows; ++k) {
        const double *row = c->table + (size_t)k * (size_t)c->columns;
        if (time != NULL) {
            time[k] = row[0];
        }
        if (value != NULL) {
            value[k] = row[c->at[channel].column];
        }
    }
    return TML_OK;
}
