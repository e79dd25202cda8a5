/* io/search/search_journal.c - evaluations of a search in a file, one behind the other.
 *
 * Each is written with one call and carries its size, the mark of its search and a sum over its bytes: after a kill the file is a list
 * of whole evaluations and a piece of one at most, which is cut off.
 */
#include "io/search/search.h"

#include "base/fail.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Head {
    uint64_t size, mark, sum; /* sum: of all bytes, this one taken as 0 */
    int32_t n, m, slopes, status;
    int64_t message; /* bytes */
    double seconds;
} Head;

enum { MESSAGE_MAX = 1000 };

static uint64_t sum_of(const void *bytes, size_t size)
{
    Head head;
    memcpy(&head, bytes, sizeof head);
    head.sum = 0;
    const uint64_t h = tml_stir(0xcbf29ce484222325u, &head, sizeof head);
    return tml_stir(h, (const char *)bytes + sizeof head, size - sizeof head);
}

static size_t size_of(const Head *h)
{
    const size_t n = (size_t)h->n, m = (size_t)h->m;
    return sizeof *h + 8 * (n + m + (h->slopes != 0 ? n * m : 0)) + (size_t)h->message;
}

/* The whole evaluation at `at`; NULL: there is none. */
static char *read_at(const TmlSearchJournal *j, int64_t at, Head *head, bool *other)
{
    struct stat is;
    if (fstat(j->fd, &is) != 0 || is.st_size - at < (int64_t)sizeof *head ||
        !tml_read_at(j->fd, at, sizeof *head, head) || head->n < 0 || head->m < 0 ||
        head->message < 0 || head->message > MESSAGE_MAX || head->size != size_of(head) ||
        head->size > (uint64_t)(is.st_size - at)) {
        return NULL;
    }
    char *bytes = tml_mem_zalloc(1, head->size);
    if (bytes != NULL && tml_read_at(j->fd, at, head->size, bytes) &&
        sum_of(bytes, head->size) == head->sum) {
        *other = *other || head->mark != j->mark;
        return bytes;
    }
    tml_mem_free(bytes);
    return NULL;
}

static TmlStatus take_all(TmlSearchJournal *j, bool resume, TmlError *err)
{
    struct stat is;
    Head head;
    bool other = false;
    if (fstat(j->fd, &is) != 0) {
        return tml_fail(err, TML_E_IO, "'%s': %s", j->path, strerror(errno));
    }
    for (char *bytes; resume && (bytes = read_at(j, j->size, &head, &other)) != NULL;) {
        tml_mem_free(bytes);
        j->size += (int64_t)head.size;
    }
    if (other) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' has evaluations of another search: its model, values or settings "
                        "differ; begin again (--restart), or choose another name",
                        j->path);
    }
    return tml_file_cut(j->fd, j->size)
               ? TML_OK
               : tml_fail(err, TML_E_IO, "'%s': %s", j->path, strerror(errno));
}

TmlStatus tml_search_journal_open(TmlSearchJournal *j, const char *path, bool resume, uint64_t mark,
                                  TmlError *err)
{
    *j = (TmlSearchJournal){.fd = -1, .mark = mark};
    if (path == NULL) {
        return TML_OK;
    }
    TML_TRY(tml_file_check(path, err));
    j->path = tml_mem_zalloc(1, strlen(path) + 1);
    if (j->path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    memcpy(j->path, path, strlen(path));
    j->fd = tml_file_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    TmlStatus status = TML_OK;
    if (j->fd < 0) {
        status = tml_fail(err, TML_E_IO, "'%s': cannot open: %s", path, strerror(errno));
    } else if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        status = tml_fail(err, TML_E_IO, "'%s': another process is making this search", path);
    } else {
        status = take_all(j, resume, err);
    }
    if (status != TML_OK) { // what is there stays
        if (j->fd >= 0) {
            (void)tml_file_close(j->fd);
        }
        tml_mem_free(j->path);
        *j = (TmlSearchJournal){.fd = -1};
    }
    return status;
}

bool tml_search_journal_next(TmlSearchJournal *j, int n, int m, const double *x, bool slopes,
                             TmlEvaluation *e, double *y, double *d, TmlArena *arena)
{
    Head head;
    bool other = false;
    char *bytes = j->fd >= 0 && j->at < j->size ? read_at(j, j->at, &head, &other) : NULL;
    const size_t wide = 8 * (size_t)n;
    const bool same = bytes != NULL && head.n == n && head.m == m && (head.slopes != 0) == slopes &&
                      memcmp(bytes + sizeof head, x, wide) == 0;
    if (same) {
        const char *from = bytes + sizeof head + wide;
        memcpy(y, from, 8 * (size_t)m);
        from += 8 * (size_t)m;
        if (slopes) {
            memcpy(d, from, wide * (size_t)m);
            from += wide * (size_t)m;
        }
        e->status = (TmlStatus)head.status;
        e->seconds = head.seconds;
        e->message =
            head.message > 0 ? tml_arena_printf(arena, "%.*s", (int)head.message, from) : NULL;
        j->at += (int64_t)head.size;
    } else if (j->fd >= 0 && j->at < j->size) {
        j->size = j->at; // another way was taken, which these do not belong to
        if (!tml_file_cut(j->fd, j->size)) {
            j->size = j->at; // a rest that stays is told by its x when the search goes on again
        }
    }
    tml_mem_free(bytes);
    return same;
}

TmlStatus tml_search_journal_add(TmlSearchJournal *j, int n, int m, const TmlEvaluation *e,
                                 const double *y, const double *d, TmlError *err)
{
    if (j->fd < 0) {
        return TML_OK;
    }
    const size_t length = e->message != NULL ? strlen(e->message) : 0;
    Head head = {.mark = j->mark,
                 .n = n,
                 .m = m,
                 .slopes = d != NULL,
                 .status = (int32_t)e->status,
                 .message = (int64_t)(length < MESSAGE_MAX ? length : MESSAGE_MAX),
                 .seconds = e->seconds};
    head.size = size_of(&head);
    char *bytes = tml_mem_zalloc(1, head.size), *to = bytes;
    if (bytes == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    to += sizeof head;
    memcpy(to, e->x, 8 * (size_t)n);
    to += 8 * (size_t)n;
    memcpy(to, y, 8 * (size_t)m);
    to += 8 * (size_t)m;
    if (d != NULL) {
        memcpy(to, d, 8 * (size_t)n * (size_t)m);
        to += 8 * (size_t)n * (size_t)m;
    }
    if (head.message > 0) {
        memcpy(to, e->message, (size_t)head.message);
    }
    memcpy(bytes, &head, sizeof head);
    head.sum = sum_of(bytes, head.size);
    memcpy(bytes, &head, sizeof head);
    const bool good = tml_write_at(j->fd, j->size, head.size, bytes);
    tml_mem_free(bytes);
    if (!good) {
        return tml_fail(err, TML_E_IO, "'%s': %s", j->path, strerror(errno));
    }
    j->size += (int64_t)head.size;
    j->at = j->size;
    return TML_OK;
}

void tml_search_journal_close(TmlSearchJournal *j, bool finished)
{
    if (j->fd >= 0) {
        if (finished || j->size == 0) { // it has done its duty
            (void)unlink(j->path);
        }
        (void)tml_file_close(j->fd);
    }
    tml_mem_free(j->path);
    *j = (TmlSearchJournal){.fd = -1};
}
