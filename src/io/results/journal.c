/* io/results/journal.c - writes to a file that all come to be, or none, wherever a kill falls. */
#include "io/results/journal.h"

#include "base/arena.h"
#include "base/file.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Before the bytes of a write. */
typedef struct Head {
    int64_t at;
    uint64_t size;
} Head;

/* The last bytes of a file whose commit was cut off. */
typedef struct Foot {
    char mark[8];
    uint64_t used; // bytes of the writes before it
    uint64_t sum;  // of them: they might be those of something else
} Foot;

static const Foot foot_empty = {.mark = "TmlJrnl"};

void tml_journal_free(TmlJournal *j)
{
    tml_mem_free(j->bytes);
    *j = (TmlJournal){0};
}

static bool reserve(TmlJournal *j, size_t more)
{
    if (more <= j->room - j->used) {
        return true;
    }
    const size_t room = 2 * j->room + more;
    unsigned char *bytes = room > more || j->room == 0 ? tml_mem_resize(j->bytes, room) : NULL;
    if (bytes == NULL) {
        return false;
    }
    j->bytes = bytes;
    j->room = room;
    return true;
}

bool tml_journal_add(TmlJournal *j, off_t at, size_t size, const void *bytes)
{
    const Head head = {at, size};
    if (!reserve(j, sizeof head + size + sizeof(Foot))) {
        return false;
    }
    memcpy(j->bytes + j->used, &head, sizeof head);
    memcpy(j->bytes + j->used + sizeof head, bytes, size);
    j->used += sizeof head + size;
    return true;
}

/* The write that begins at `from`; sets the start of the next. False: there is none. */
static bool next_write(const TmlJournal *j, size_t *from, Head *head, const unsigned char **bytes)
{
    if (j->used - *from < sizeof *head) {
        return false;
    }
    memcpy(head, j->bytes + *from, sizeof *head);
    const size_t start = *from + sizeof *head;
    if (head->size > j->used - start || head->at < 0) {
        return false;
    }
    *bytes = j->bytes + start;
    *from = start + (size_t)head->size;
    return true;
}

void tml_journal_overlay(const TmlJournal *j, off_t at, size_t size, void *bytes)
{
    Head head;
    const unsigned char *own;
    for (size_t from = 0; next_write(j, &from, &head, &own);) {
        const int64_t low = head.at > at ? head.at : at;
        const int64_t own_end = head.at + (int64_t)head.size, end = at + (int64_t)size;
        const int64_t high = own_end < end ? own_end : end;
        if (low < high) {
            memcpy((unsigned char *)bytes + (low - at), own + (low - head.at),
                   (size_t)(high - low));
        }
    }
}

static uint64_t checksum(const TmlJournal *j)
{
    return crc32_z(crc32_z(0, NULL, 0), j->bytes, j->used);
}

/* The writes to their places. */
static bool apply(const TmlJournal *j, int fd)
{
    Head head;
    const unsigned char *bytes;
    for (size_t from = 0; next_write(j, &from, &head, &bytes);) {
        if (!tml_write_at(fd, head.at, (size_t)head.size, bytes)) {
            return false;
        }
    }
    return true;
}

bool tml_journal_commit(TmlJournal *j, int fd, off_t end)
{
    if (j->used == 0 || j->broken) {
        return !j->broken;
    }
    Foot foot = foot_empty;
    foot.used = j->used;
    foot.sum = checksum(j);
    memcpy(j->bytes + j->used, &foot, sizeof foot); // tml_journal_add has kept the room
    if (!tml_write_at(fd, end, j->used + sizeof foot, j->bytes)) {
        const int why = errno;
        (void)!tml_file_cut(fd, end); // no foot is there, so what is cut off means nothing
        errno = why;
        return false;
    }
    j->broken = !apply(j, fd) || !tml_file_cut(fd, end);
    j->used = j->broken ? j->used : 0;
    return !j->broken;
}

TmlStatus tml_journal_load(int fd, TmlJournal *out, off_t *end, TmlError *err)
{
    struct stat info;
    Foot foot;
    *out = (TmlJournal){0};
    if (fstat(fd, &info) != 0) {
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    const off_t at = info.st_size - (off_t)sizeof foot;
    *end = info.st_size;
    if (!S_ISREG(info.st_mode) || at < 0) {
        return TML_OK; // a folder, say
    }
    if (!tml_read_at(fd, at, sizeof foot, &foot)) {
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    if (memcmp(foot.mark, foot_empty.mark, sizeof foot.mark) != 0 || foot.used > (uint64_t)at) {
        return TML_OK;
    }
    if (!reserve(out, (size_t)foot.used + sizeof foot)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->used = (size_t)foot.used;
    if (!tml_read_at(fd, at - (off_t)foot.used, out->used, out->bytes)) {
        tml_journal_free(out);
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    if (checksum(out) != foot.sum) {
        tml_journal_free(out);
        return TML_OK;
    }
    *end = at - (off_t)foot.used;
    return TML_OK;
}

TmlStatus tml_journal_replay(int fd, TmlError *err)
{
    TmlJournal j;
    off_t end;
    TML_TRY(tml_journal_load(fd, &j, &end, err));
    const bool done = j.used == 0 || (apply(&j, fd) && tml_file_cut(fd, end));
    tml_journal_free(&j);
    return done ? TML_OK : tml_fail(err, TML_E_IO, "cannot write: %s", strerror(errno));
}
