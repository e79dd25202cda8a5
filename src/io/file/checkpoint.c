/* io/file/checkpoint.c - a whole run as a file, from which the same program goes on.
 *
 * A line "trammel checkpoint 1", a sum of all that follows, the length of the note, the note, and the state
 * (analysis/keep/saved.c). The file holds places in the memory of a program. Who can write it could make the program do
 * anything, so that a file of another user is refused.
 */
#include "analysis/driver/image.h"
#include "base/arena.h"
#include "base/fail.h"
#include "base/file.h"
#include "base/input.h"
#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "trammel checkpoint 1\n";

static uint64_t sum_of(const unsigned char *at, size_t n)
{
    uint64_t sum = 14695981039346656037u ^ n;
    size_t k = 0;
    for (; k + sizeof sum <= n; k += sizeof sum) {
        uint64_t word;
        memcpy(&word, at + k, sizeof word);
        sum = (sum ^ word) * 1099511628211u;
        sum ^= sum >> 29;
    }
    for (; k < n; ++k) {
        sum = (sum ^ at[k]) * 1099511628211u;
    }
    return sum;
}

enum { HEAD = sizeof head - 1, BODY = HEAD + 8 };

TmlStatus tml_checkpoint_write(const char *path, const TmlSim *sim, const char *note, TmlError *err)
{
    TmlBytes out = {0};
    const uint64_t n_note = note != NULL ? strlen(note) : 0, none = 0;
    tml_bytes_put(&out, head, HEAD);
    tml_bytes_put(&out, &none, sizeof none);
    tml_bytes_put(&out, &n_note, sizeof n_note);
    tml_bytes_put(&out, note, n_note);
    TmlStatus status = tml_sim_freeze(sim, &out, err);
    if (status == TML_OK) {
        const uint64_t sum = sum_of(out.at + BODY, out.n - BODY);
        memcpy(out.at + HEAD, &sum, sizeof sum);
        status = tml_file_write(path, out.at, out.n, err);
    }
    tml_bytes_free(&out);
    return status;
}

static TmlStatus check_owner(const char *path, TmlError *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return tml_fail(err, TML_E_IO, "'%s': cannot read: %s", path, strerror(errno));
    }
    return info.st_uid == geteuid() || info.st_uid == 0
               ? TML_OK
               : tml_fail(err, TML_E_IO,
                          "'%s': the checkpoint belongs to another user; a checkpoint can do what "
                          "a program can, so copy "
                          "it if you trust that user",
                          path);
}

static TmlStatus read_note(TmlBytes *in, char **note, TmlError *err)
{
    uint64_t n = 0;
    tml_bytes_get(in, &n, sizeof n);
    if (in->failed || n > in->n - in->read) {
        return tml_fail(err, TML_E_MODEL, "the checkpoint is damaged");
    }
    char *text = tml_mem_zalloc(n + 1, 1);
    if (text == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a checkpoint");
    }
    tml_bytes_get(in, text, n);
    *note = text;
    return TML_OK;
}

static TmlStatus take(TmlBytes *in, const TmlHooks *hooks, TmlModel **model, TmlSim **sim,
                      char **note, TmlError *err)
{
    uint64_t sum = 0;
    if (in->n < BODY || memcmp(in->at, head, HEAD) != 0) {
        return tml_fail(err, TML_E_MODEL, "this is no checkpoint");
    }
    memcpy(&sum, in->at + HEAD, sizeof sum);
    if (sum_of(in->at + BODY, in->n - BODY) != sum) {
        return tml_fail(err, TML_E_MODEL, "the checkpoint is damaged");
    }
    in->read = BODY;
    TML_TRY(read_note(in, note, err));
    TmlBytes graph = {.at = in->at + in->read, .n = in->n - in->read};
    return tml_sim_thaw(&graph, hooks, model, sim, err);
}

TmlStatus tml_checkpoint_open(const char *path, const TmlHooks *hooks, TmlModel **model,
                              TmlSim **sim, char **note, TmlError *err)
{
    char *text = NULL, *read = NULL;
    size_t n = 0;
    *model = NULL;
    *sim = NULL;
    if (note != NULL) {
        *note = NULL;
    }
    TML_TRY(check_owner(path, err));
    TML_TRY(tml_input_read(path, &text, &n, err));
    TmlBytes in = {.at = (unsigned char *)text, .n = n};
    TmlStatus status = take(&in, hooks, model, sim, &read, err);
    if (status != TML_OK) {
        status = tml_fail_ctx(err, status, "'%s'", path);
    }
    if (status == TML_OK && note != NULL) {
        *note = read;
    } else {
        tml_mem_free(read);
    }
    tml_mem_free(text);
    return status;
}
