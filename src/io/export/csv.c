/* io/export/csv.c - channels as comma-separated values (RFC 4180).
 *
 * First row: time (of paths: length) and the names of the channels; then one row an output time
 * with 17 digits, which read back to the same bits.
 */
#include "io/export/csv.h"
#include "io/file/draft.h"
#include "io/file/held.h"
#include "io/results/writer.h"
#include "io/text/textbuf.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/file.h"
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct CsvFile {
    FILE *file;
    TmlDraft draft; // until the heading is written
    int fd;         // of the file, whatever its name becomes; holds it
    int name;       // descriptor by which the system tells that name
    double flushed; // s, clock of the last flush
    char path[];
} CsvFile;

static TmlStatus csv_fail(const CsvFile *f, TmlError *err)
{
    return tml_fail(err, errno == ENOMEM ? TML_E_NOMEM : TML_E_IO, "'%s': cannot write: %s",
                    f->path, strerror(errno));
}

void tml_csv_name(FILE *file, const char *name)
{
    const size_t n = strlen(name);
    const bool blank = n > 0 && (name[0] == ' ' || name[n - 1] == ' ');
    const bool formula = n > 0 && strchr("=+-@", name[0]) != NULL;
    if (!blank && !formula && strpbrk(name, ",\"\r\n") == NULL) {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    for (const char *c = name; *c != '\0'; ++c) {
        if (*c == '"') {
            fputc('"', file);
        }
        fputc(*c, file);
    }
    fputc('"', file);
}

static TmlStatus csv_flush(void *data, TmlError *err)
{
    CsvFile *f = data;
    f->flushed = tml_clock();
    return fflush(f->file) != 0 || ferror(f->file) ? csv_fail(f, err) : TML_OK;
}

static TmlStatus csv_row(void *data, const TmlSim *sim, TmlError *err)
{
    CsvFile *f = data;
    char number[TML_NUMBER_MAX];
    fputs(tml_number_text(tml_row_time(sim), number), f->file);
    const int n = tml_row_channel_count(sim);
    for (int k = 0; k < n; ++k) {
        fputc(',', f->file);
        fputs(tml_number_text(tml_row_channel(sim, k), number), f->file);
    }
    if (fputc('\n', f->file) == EOF || ferror(f->file)) {
        return csv_fail(f, err);
    }
    return tml_clock() - f->flushed > TML_FLUSH_SECONDS ? csv_flush(f, err) : TML_OK;
}

/* Frees f; the first failure counts. */
static TmlStatus csv_end(CsvFile *f, TmlStatus status, TmlError *err)
{
    if (f->file != NULL && fclose(f->file) != 0 && status == TML_OK) {
        status = csv_fail(f, err);
    }
    if (f->fd >= 0) {
        (void)tml_file_close(f->fd);
    }
    if (f->name >= 0) {
        (void)tml_file_close(f->name);
    }
    tml_draft_end(&f->draft);
    tml_mem_free(f);
    return status;
}

static TmlStatus csv_close(void *data, const TmlSim *sim, const char *ending, TmlError *err)
{
    (void)sim, (void)ending;
    CsvFile *f = data;
    return csv_end(f, csv_flush(f, err), err);
}

static int csv_descriptor(const void *data)
{
    return ((const CsvFile *)data)->name;
}

static TmlStatus put_heading(CsvFile *f, const TmlSim *sim, TmlError *err)
{
    fputs(tml_row_time_name(sim), f->file);
    const int n = tml_row_channel_count(sim);
    for (int k = 0; k < n; ++k) {
        fputc(',', f->file);
        tml_csv_name(f->file, tml_row_channel_name(sim, k));
    }
    fputc('\n', f->file);
    return csv_flush(f, err);
}

/* Copies the first rows of the file as it was, whose heading must be the one that the draft has so far. */
static TmlStatus keep_rows(CsvFile *f, int64_t rows, TmlError *err)
{
    char *old = NULL, *heading = NULL;
    size_t n = 0;
    TML_TRY(tml_input_read(f->path, &old, &n, err));
    const long head = ftell(f->file);
    TmlStatus status = TML_OK;
    heading = head > 0 ? tml_mem_zalloc((size_t)head, 1) : NULL;
    if (heading == NULL || pread(f->fd, heading, (size_t)head, 0) != head) {
        status = csv_fail(f, err);
    } else if (n < (size_t)head || memcmp(old, heading, (size_t)head) != 0) {
        status = tml_fail(err, TML_E_IO,
                          "'%s': the file has other columns than the run that goes on", f->path);
    } else {
        const char *at = old + head;
        int64_t there = 0;
        for (const char *line = at; there < rows && (line = strchr(line, '\n')) != NULL; ++there) {
            at = ++line;
        }
        if (there < rows) {
            status = tml_fail(err, TML_E_IO,
                              "'%s': the file has %lld rows, the run goes on behind row %lld",
                              f->path, (long long)there, (long long)rows);
        } else if (fwrite(old + head, 1, (size_t)(at - old - head), f->file) !=
                   (size_t)(at - old - head)) {
            status = csv_fail(f, err);
        }
    }
    tml_mem_free(heading);
    tml_mem_free(old);
    return status == TML_OK ? csv_flush(f, err) : status;
}

/* The file with its heading takes the name, held so that other runs leave it alone. */
static TmlStatus csv_begin(CsvFile *f, const TmlSim *sim, int64_t rows, TmlError *err)
{
    TML_TRY(tml_file_refuse_held(f->path, err));
    TML_TRY(tml_draft_open(&f->draft, f->path, TML_LINK_FOLLOW, err));
    f->fd = tml_file_dup(f->draft.fd);
    f->file = f->fd >= 0 ? tml_draft_stream(&f->draft) : NULL;
    if (f->file == NULL) {
        return csv_fail(f, err);
    }
    TML_TRY(put_heading(f, sim, err));
    if (rows > 0) {
        TML_TRY(keep_rows(f, rows, err));
    }
    tml_file_hold(f->fd);
    TML_TRY(tml_draft_publish(&f->draft, f->fd, err));
    if (f->draft.place != NULL) { // a pipe has no name that could change
        f->name = tml_file_open(f->path, O_RDONLY | O_CLOEXEC, 0);
    }
    return TML_OK;
}

static TmlStatus csv_open(const char *path, const TmlSim *sim, int64_t rows, void **data,
                          TmlError *err)
{
    *data = NULL;
    const size_t n_path = strlen(path) + 1;
    CsvFile *f = tml_mem_zalloc(1, sizeof *f + n_path);
    if (f == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    memcpy(f->path, path, n_path);
    f->fd = f->name = f->draft.fd = -1;
    f->draft.path = f->path;
    const TmlStatus status = csv_begin(f, sim, rows, err);
    if (status != TML_OK) {
        return csv_end(f, status, err);
    }
    *data = f;
    return TML_OK;
}

const TmlWriterKind tml_writer_csv = {
    .suffixes = ".csv",
    .open = csv_open,
    .row = csv_row,
    .flush = csv_flush,
    .descriptor = csv_descriptor,
    .close = csv_close,
};
