/* io/export/csv.c - channels as comma-separated values (RFC 4180).
 *
 * First row: time (of paths: length) and the names of the channels; then one row an output time
 * with 17 digits, which read back to the same bits.
 */
#include "io/export/csv.h"
#include "io/file/held.h"
#include "io/results/writer.h"
#include "io/text/textbuf.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct CsvFile {
    FILE *file;
    double flushed; // s, clock of the last flush
    char path[];
} CsvFile;

static TmlStatus csv_fail(const CsvFile *f, TmlError *err)
{
    return tml_fail(err, TML_E_IO, "'%s': cannot write: %s", f->path, strerror(errno));
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

static TmlStatus csv_close(void *data, const TmlSim *sim, const char *ending, TmlError *err)
{
    (void)sim, (void)ending;
    CsvFile *f = data;
    TmlStatus status = csv_flush(f, err);
    if (fclose(f->file) != 0 && status == TML_OK) {
        status = csv_fail(f, err);
    }
    tml_mem_free(f);
    return status;
}

/* The file, empty, with a lock that other runs respect: nothing of theirs is cut off. */
static TmlStatus csv_take(CsvFile *f, TmlError *err)
{
    TML_TRY(tml_file_refuse_held(f->path, err));
    f->file = fopen(f->path, "a");
    if (f->file == NULL) {
        return csv_fail(f, err);
    }
    (void)flock(fileno(f->file), LOCK_EX | LOCK_NB); // best effort: not every file system can
    struct stat info;
    const bool plain = fstat(fileno(f->file), &info) == 0 && S_ISREG(info.st_mode);
    if (plain && ftruncate(fileno(f->file), 0) != 0) {
        const TmlStatus status = csv_fail(f, err);
        fclose(f->file);
        return status;
    }
    return TML_OK;
}

static int csv_descriptor(const void *data)
{
    return fileno(((const CsvFile *)data)->file);
}

static TmlStatus csv_open(const char *path, const TmlSim *sim, void **data, TmlError *err)
{
    *data = NULL;
    const size_t n_path = strlen(path) + 1;
    CsvFile *f = tml_mem_zalloc(1, sizeof *f + n_path);
    if (f == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    memcpy(f->path, path, n_path);
    const TmlStatus opened = csv_take(f, err);
    if (opened != TML_OK) {
        tml_mem_free(f);
        return opened;
    }
    fputs(tml_row_time_name(sim), f->file);
    const int n = tml_row_channel_count(sim);
    for (int k = 0; k < n; ++k) {
        fputc(',', f->file);
        tml_csv_name(f->file, tml_row_channel_name(sim, k));
    }
    fputc('\n', f->file);
    const TmlStatus status = csv_flush(f, err);
    if (status != TML_OK) {
        fclose(f->file);
        tml_mem_free(f);
        return status;
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
