/* io/read/channels_csv.c - channels of a CSV file (RFC 4180), such as a run writes or a spreadsheet.
 *
 * The first row names the columns, the first column is the time. A name that ends in a unit in
 * brackets, "force [N]", has that unit. Empty cells are gaps. A last row that is still being
 * written, without its line end, is left out.
 */
#include "io/read/channels.h"

#include "base/file.h"
#include "base/real.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 1000000 };

typedef struct Reader {
    const char *path;
    char *text, *at;
    int line;
} Reader;

static TmlStatus wrong(const Reader *r, TmlError *err, const char *what, const char *cell)
{
    return tml_fail(err, TML_E_IO, "%s:%d: %s%.40s%s", r->path, r->line, what, cell,
                    cell[0] != '\0' ? "'" : "");
}

static TmlStatus read_file(Reader *r, TmlError *err)
{
    const int fd = tml_file_open(r->path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "'%s': cannot open: %s", r->path, strerror(errno));
    }
    int n = 0, cap = 0;
    ssize_t got = 1;
    bool room = true;
    while (got > 0 && room) {
        room = tml_mem_grow((void **)&r->text, &cap, n + (1 << 16) + 1, 1);
        got = room ? tml_read_some(fd, 1 << 16, r->text + n) : 0;
        n += got > 0 ? (int)got : 0;
        room = room && n < (1 << 30);
    }
    const int why = errno;
    (void)tml_file_close(fd);
    if (got < 0 || !room) {
        return tml_fail(err, TML_E_IO, "'%s': %s", r->path,
                        got < 0 ? strerror(why) : "too large to be read");
    }
    r->text[n] = '\0';
    if (memchr(r->text, '\0', (size_t)n) != NULL) {
        return tml_fail(err, TML_E_IO, "'%s': not a text file", r->path);
    }
    r->at = r->text;
    r->line = 1;
    if (strncmp(r->at, "\xef\xbb\xbf", 3) == 0) { // a mark that some programs put first
        r->at += 3;
    }
    return TML_OK;
}

/* The next cell, without its quotes, closed by a zero. *end: what stood behind it, ',' '\n' or 0
 * at the end of the file. */
static char *next_cell(Reader *r, char *end)
{
    char *cell = r->at, *to = r->at;
    bool quoted = false;
    for (; *r->at != '\0' && (quoted || (*r->at != ',' && *r->at != '\n')); ++r->at) {
        r->line += *r->at == '\n';
        if (*r->at == '"') {
            const bool twice = quoted && r->at[1] == '"';
            if (!twice) {
                quoted = !quoted;
                continue;
            }
            r->at++;
        }
        if (*r->at != '\r' || quoted) {
            *to++ = *r->at;
        }
    }
    *end = *r->at;
    r->line += *end == '\n';
    r->at += *end != '\0';
    *to = '\0';
    return cell;
}

/* Cuts "name [unit]" into both; returns the unit, "" where there is none. */
static const char *cut_unit(char *name)
{
    const size_t n = strlen(name);
    char *bracket = n > 0 && name[n - 1] == ']' ? strrchr(name, '[') : NULL;
    const char *unit = "";
    if (bracket != NULL && bracket > name) {
        name[n - 1] = '\0';
        unit = bracket + 1;
        while (bracket > name && bracket[-1] == ' ') {
            bracket--;
        }
        *bracket = '\0';
    }
    return unit;
}

static TmlStatus read_head(TmlChannels *c, Reader *r, TmlError *err)
{
    char end = ',';
    while (end == ',') {
        char *name = next_cell(r, &end);
        const char *unit = cut_unit(name);
        if (c->columns > 0) {
            const TmlChannel at = {.source = TML_CHANNEL_COLUMN, .column = c->columns};
            TML_TRY(tml_channels_add(c, at, name, unit, err));
        } else {
            char label[TML_NAME_MAX];
            unit = strcmp(name, "time") == 0 && unit[0] == '\0' ? "s" : unit; // as runs write it
            snprintf(label, sizeof label, "%.80s%s%.40s", name, unit[0] ? ", " : "", unit);
            c->time_name = tml_channels_text(c, label);
        }
        if (++c->columns > COLUMNS_MAX) {
            return wrong(r, err, "too many columns", "");
        }
    }
    return c->columns > 1
               ? TML_OK
               : tml_fail(err, TML_E_IO,
                          "'%s': the first row must name the time and a channel at least", r->path);
}

/* One row; false: a piece of a row that is still being written. */
static TmlStatus read_row(TmlChannels *c, Reader *r, double *row, bool *whole, TmlError *err)
{
    char end = ',';
    int n = 0;
    const Reader start = *r;
    while (end == ',') {
        char *cell = next_cell(r, &end), *rest = cell;
        double x = tml_real_read(cell, &rest);
        rest += strspn(rest, " \t");
        if (rest == cell + strspn(cell, " \t") && *rest == '\0') {
            x = (double)NAN;
        } else if (*rest != '\0' || rest == cell) {
            *whole = end != '\0';
            return *whole ? wrong(&start, err, "not a number: '", cell) : TML_OK;
        }
        if (n < c->columns) {
            row[n] = x;
        }
        n++;
    }
    *whole = end == '\n' || n == c->columns;
    if (*whole && n != c->columns) {
        char text[64];
        snprintf(text, sizeof text, "%d cells where the first row has %d", n, c->columns);
        return wrong(&start, err, text, "");
    }
    return TML_OK;
}

static TmlStatus read_rows(TmlChannels *c, Reader *r, TmlError *err)
{
    int cap = 0;
    bool whole = true;
    while (*r->at != '\0' && whole) {
        if (*r->at == '\n' || (r->at[0] == '\r' && r->at[1] == '\n')) { // an empty line
            r->at += r->at[0] == '\r' ? 2 : 1;
            r->line++;
            continue;
        }
        if (!tml_mem_grow((void **)&c->table, &cap, (int)c->rows + 1,
                          (size_t)c->columns * sizeof *c->table)) {
            return tml_fail(err, TML_E_NOMEM, "'%s': out of memory", r->path);
        }
        TML_TRY(read_row(c, r, c->table + (size_t)c->rows * (size_t)c->columns, &whole, err));
        c->rows += whole;
    }
    return TML_OK;
}

TmlStatus tml_channels_open_csv(TmlChannels *c, const char *path, TmlError *err)
{
    Reader r = {.path = path};
    TmlStatus status = read_file(&r, err);
    status = status == TML_OK ? read_head(c, &r, err) : status;
    status = status == TML_OK ? read_rows(c, &r, err) : status;
    tml_mem_free(r.text);
    return status;
}
