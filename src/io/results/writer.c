/* io/results/writer.c - result files: chooses the kind, keeps how the run ended. */
#include "io/results/writer.h"
#include "io/file/held.h"
#include "io/file/unnamed.h"

#include "base/arena.h"
#include "base/fail.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct TmlWriter {
    const TmlWriterKind *kind;
    void *data;
    char unnamed[32]; // its path when it has no name, for messages; else empty
    char ending[TML_ERROR_MAX];
};

static const TmlWriterKind *const writer_kinds[] = {&tml_writer_hdf5, &tml_writer_csv, NULL};

/* Does the path end with one of the suffixes, in any case of letters? */
static bool has_suffix(const char *path, const char *suffixes)
{
    const size_t n_path = strlen(path);
    for (const char *s = suffixes; *s != '\0';) {
        const size_t n = strcspn(s, " ");
        if (n_path > n && strncasecmp(path + n_path - n, s, n) == 0) {
            return true;
        }
        s += n + strspn(s + n, " ");
    }
    return false;
}

static TmlStatus told(const TmlWriter *w, TmlStatus status, TmlError *err)
{
    return w->unnamed[0] != '\0' ? tml_unnamed_told(w->unnamed, status, err) : status;
}

TmlStatus tml_writer_open(const char *path, const TmlSim *sim, TmlWriter **out, TmlError *err)
{
    return tml_writer_resume(path, sim, 0, out, err);
}

TmlStatus tml_writer_resume(const char *path, const TmlSim *sim, int64_t rows, TmlWriter **out,
                            TmlError *err)
{
    *out = NULL;
    const TmlWriterKind *const *kind = writer_kinds;
    const bool unnamed = tml_is_unnamed(path); // and so without a suffix
    while (*kind != NULL && !unnamed && !has_suffix(path, (*kind)->suffixes)) {
        kind++;
    }
    if (*kind == NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s': the name of a result file ends in .h5, .hdf5 or .csv", path);
    }
    TmlWriter *w = tml_mem_zalloc(1, sizeof *w);
    if (w == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the writer of '%s'", path);
    }
    w->kind = *kind;
    snprintf(w->ending, sizeof w->ending, "%s", tml_status_text(TML_OK));
    snprintf(w->unnamed, sizeof w->unnamed, "%s", unnamed ? path : "");
    const TmlStatus status = told(w, w->kind->open(path, sim, rows, &w->data, err), err);
    if (status != TML_OK) {
        tml_mem_free(w);
        return status;
    }
    *out = w;
    return TML_OK;
}

TmlStatus tml_writer_row(TmlWriter *w, const TmlSim *sim, TmlError *err)
{
    return told(w, w->kind->row(w->data, sim, err), err);
}

void tml_writer_path(const TmlWriter *w, char *out, size_t size)
{
    tml_file_path(w->kind->descriptor(w->data), out, size);
}

TmlStatus tml_writer_flush(TmlWriter *w, TmlError *err)
{
    return told(w, w->kind->flush(w->data, err), err);
}

bool tml_writer_fits(const TmlWriter *w, const TmlSim *next)
{
    return w->kind->fits == NULL || w->kind->fits(w->data, next);
}

TmlStatus tml_writer_next(TmlWriter *w, const TmlSim *former, const TmlSim *next, TmlError *err)
{
    if (!tml_writer_fits(w, next)) {
        return tml_fail(
            err, TML_E_ARGUMENT,
            "the results have no place for the bodies, joints and channels of this sim");
    }
    const TmlStatus status =
        w->kind->next != NULL ? w->kind->next(w->data, former, next, err) : TML_OK;
    return told(w, status, err);
}

void tml_writer_status(TmlWriter *w, TmlStatus status, const char *message)
{
    const bool told = status != TML_OK && message != NULL && message[0] != '\0';
    snprintf(w->ending, sizeof w->ending, "%s", told ? message : tml_status_text(status));
}

TmlStatus tml_writer_close(TmlWriter *w, const TmlSim *sim, TmlError *err)
{
    if (w == NULL) {
        return TML_OK;
    }
    const TmlStatus status = told(w, w->kind->close(w->data, sim, w->ending, err), err);
    tml_mem_free(w);
    return status;
}
