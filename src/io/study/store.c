/* io/study/store.c - the records of a study in a file, one behind the other.
 *
 * A record is written with one call and carries its size, the mark of its study and a sum over its bytes. After a kill
 * at any moment the file is a list of whole records, and a piece of one at most, which is cut off when the study goes
 * on. Only results that are asked for again need more than the places of records in memory.
 */
#include "io/study/study.h"

#include "base/fail.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static TmlStatus nomem(TmlError *err)
{
    return tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* --- what is there ---------------------------------------------------------------------------------------- */

/* Takes the record that begins at `at`; false: there is none, or what is there is no whole one. *other: it is of another
 * study. */
static bool take_record(TmlStore *s, int64_t at, int64_t size, int64_t *next, bool *other)
{
    TmlRecord head;
    if (size - at < (int64_t)sizeof head || !tml_read_at(s->fd, at, sizeof head, &head) ||
        head.size < sizeof head || head.size > (uint64_t)(size - at)) {
        return false;
    }
    char *bytes = tml_mem_zalloc(1, head.size);
    const bool whole = bytes != NULL && tml_read_at(s->fd, at, head.size, bytes) &&
                       tml_record_sum(bytes, head.size) == head.sum;
    const bool good = whole && tml_record_good(s->study, bytes, head.size);
    tml_mem_free(bytes);
    *other = whole && !good;
    if (good && s->at[head.run] < 0) {
        s->at[head.run] = at;
        s->count++;
    }
    *next = at + (int64_t)head.size;
    return good;
}

static TmlStatus take_all(TmlStore *s, TmlStoreMode mode, TmlError *err)
{
    struct stat is;
    bool other = false;
    if (fstat(s->fd, &is) != 0) {
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    if (mode == TML_STORE_NEW && is.st_size > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' has runs of a study that was not finished: go on with it (--resume) "
                        "or begin again (--restart)",
                        s->records);
    }
    if (mode == TML_STORE_RESUME) {
        while (take_record(s, s->end, is.st_size, &s->end, &other)) {
        }
    }
    if (other) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' has runs of another study: its model, values or settings differ; "
                        "begin again (--restart), or choose another name",
                        s->records);
    }
    if (!tml_file_cut(s->fd, s->end)) {
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    s->own = true;
    return TML_OK;
}

/* --- in and out ------------------------------------------------------------------------------------------- */

static char *joined(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    char *out = tml_mem_zalloc(1, n + m + 1);
    if (out != NULL) {
        memcpy(out, a, n);
        memcpy(out + n, b, m);
    }
    return out;
}

static TmlStatus open_records(TmlStore *s, TmlStoreMode mode, TmlError *err)
{
    s->fd = tml_file_open(s->records, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->fd < 0) {
        return tml_fail(err, TML_E_IO, "'%s': cannot open: %s", s->records, strerror(errno));
    }
    if (flock(s->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return tml_fail(err, TML_E_IO, "'%s': another process is making this study", s->records);
    }
    return take_all(s, mode, err);
}

TmlStatus tml_store_open(const char *path, const TmlStudy *study, TmlStoreMode mode, TmlStore **out,
                         TmlError *err)
{
    *out = NULL;
    TML_TRY(tml_file_check(path, err));
    TmlStore *s = tml_mem_zalloc(1, sizeof *s);
    if (s == NULL) {
        return nomem(err);
    }
    *s = (TmlStore){.study = study, .fd = -1};
    s->path = joined(path, "");
    s->records = joined(path, ".runs");
    s->at = tml_mem_zalloc((size_t)study->runs, sizeof *s->at);
    TmlStatus status = s->path != NULL && s->records != NULL && s->at != NULL ? TML_OK : nomem(err);
    for (int run = 0; run < study->runs && status == TML_OK; ++run) {
        s->at[run] = -1;
    }
    status = status == TML_OK ? open_records(s, mode, err) : status;
    if (status != TML_OK) {
        tml_store_close(s);
        return status;
    }
    *out = s;
    return TML_OK;
}

void tml_store_close(TmlStore *s)
{
    if (s == NULL) {
        return;
    }
    if (s->fd >= 0) {
        if (s->own && s->end == 0) { // nothing is lost with it
            (void)unlink(s->records);
        }
        (void)tml_file_close(s->fd);
    }
    tml_mem_free(s->path);
    tml_mem_free(s->records);
    tml_mem_free(s->at);
    tml_mem_free(s->message);
    tml_mem_free(s->reports);
    tml_mem_free(s);
}

TmlStatus tml_store_reports(TmlStore *s, const char *folder, TmlError *err)
{
    tml_mem_free(s->reports);
    s->reports = joined(folder, "");
    return s->reports != NULL ? TML_OK : nomem(err);
}

int tml_store_count(const TmlStore *s)
{
    return s->count;
}

bool tml_store_has(const TmlStore *s, int run)
{
    return run >= 0 && run < s->study->runs && s->at[run] >= 0;
}

TmlStatus tml_store_add(TmlStore *s, const void *bytes, size_t size, bool *failed,
                        const char **message, TmlError *err)
{
    TmlRecord head;
    if (!tml_record_good(s->study, bytes, size)) {
        return tml_fail(err, TML_E_ARGUMENT, "a record is damaged, or of another study");
    }
    memcpy(&head, bytes, sizeof head);
    if (failed != NULL) {
        *failed = head.status != TML_OK;
    }
    tml_mem_free(s->message);
    s->message = tml_mem_zalloc(1, (size_t)head.message + 1);
    if (s->message == NULL) {
        return nomem(err);
    }
    memcpy(s->message, (const char *)bytes + size - (size_t)head.message, (size_t)head.message);
    if (message != NULL) {
        *message = s->message;
    }
    if (s->at[head.run] >= 0) {
        return TML_OK;
    }
    if (!tml_write_at(s->fd, s->end, size, bytes)) {
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    s->at[head.run] = s->end;
    s->end += (int64_t)size;
    s->count++;
    return TML_OK;
}

TmlStatus tml_store_record(const TmlStore *s, int run, void **bytes, size_t *size, TmlError *err)
{
    TmlRecord head;
    *bytes = NULL;
    if (!tml_store_has(s, run)) {
        return tml_fail(err, TML_E_ARGUMENT, "run %d is not there", run);
    }
    if (!tml_read_at(s->fd, s->at[run], sizeof head, &head)) {
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    char *out = tml_mem_zalloc(1, head.size);
    if (out == NULL) {
        return nomem(err);
    }
    if (!tml_read_at(s->fd, s->at[run], head.size, out)) {
        tml_mem_free(out);
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    *bytes = out;
    *size = head.size;
    return TML_OK;
}

TmlStatus tml_store_read(TmlStore *s, int run, bool rows, TmlRecordParts *out, TmlError *err)
{
    TmlRecord head;
    *out = (TmlRecordParts){.head = {.run = run}};
    if (!tml_read_at(s->fd, s->at[run], sizeof head, &head)) {
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    const size_t responses = 8 * (size_t)s->study->n_responses;
    const size_t histories =
        head.size - sizeof head - responses - (size_t)head.message; // whole records only are kept
    const size_t kept = rows ? histories : 0;
    const int64_t at = s->at[run] + (int64_t)sizeof head;
    char *block = tml_mem_zalloc(1, responses + kept + (size_t)head.message + 1);
    if (block == NULL) {
        return nomem(err);
    }
    if (!tml_read_at(s->fd, at, responses + kept, block) ||
        !tml_read_at(s->fd, at + (int64_t)(responses + histories), (size_t)head.message,
                     block + responses + kept)) {
        tml_mem_free(block);
        return tml_fail(err, TML_E_IO, "'%s': %s", s->records, strerror(errno));
    }
    *out = (TmlRecordParts){.head = head,
                            .response = (const double *)(const void *)block,
                            .rows = (const double *)(const void *)(block + responses),
                            .message = block + responses + kept,
                            .block = block};
    return TML_OK;
}

TmlStatus tml_store_responses(TmlStore *s, double **out, TmlError *err)
{
    const int n = s->study->n_responses;
    double *all = tml_mem_zalloc((size_t)s->study->runs * (size_t)n + 1, sizeof *all);
    *out = all;
    if (all == NULL) {
        return nomem(err);
    }
    for (int run = 0; run < s->study->runs; ++run) {
        TmlRecordParts r = {0};
        if (s->at[run] >= 0) {
            const TmlStatus status = tml_store_read(s, run, false, &r, err);
            if (status != TML_OK) {
                tml_mem_free(all);
                *out = NULL;
                return status;
            }
        }
        for (int k = 0; k < n; ++k) {
            all[(size_t)run * (size_t)n + (size_t)k] =
                r.response != NULL ? r.response[k] : (double)__builtin_nan("");
        }
        tml_mem_free(r.block);
    }
    return TML_OK;
}

TmlStatus tml_store_finish(TmlStore *s, const char *csv, const char *html, TmlError *err)
{
    TML_TRY(tml_store_write_h5(s, err));
    TML_TRY(csv != NULL ? tml_store_write_csv(s, csv, err) : TML_OK);
    TML_TRY(html != NULL ? tml_store_write_page(s, html, err) : TML_OK);
    if (s->count == s->study->runs) {
        s->end = 0; // the records have done their duty
    }
    return TML_OK;
}
