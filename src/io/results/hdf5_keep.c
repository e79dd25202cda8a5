/* io/results/hdf5_keep.c - a run that goes on takes its earlier rows along, dataset by dataset. */
#include "io/results/hdf5_keep.h"

#include "base/arena.h"
#include "base/fail.h"
#include "io/read/results_read.h"

enum { PORTION = 1 << 20 }; // bytes that are copied at a time

typedef struct Keep {
    TmlResultFile old;
    hsize_t n;
} Keep;

/* Copies the rows of one dataset, which has the same name in both files. */
static TmlStatus keep_column(Keep *k, TmlH5Column *c, TmlError *err)
{
    char name[3 * TML_H5_NAME_MAX];
    TmlH5Array old;
    if (H5Iget_name(c->id, name, sizeof name) <= 0 || !tml_h5_array_open(k->old.file, name, &old)) {
        return tml_fail(err, TML_E_IO, "the file has other datasets than the run that goes on");
    }
    size_t values = 1;
    for (int d = 1; d < c->rank; ++d) {
        values *= c->dim[d];
    }
    const size_t row = c->row_bytes > 0 ? c->row_bytes : 1;
    const hsize_t portion = row < PORTION ? PORTION / row : 1;
    unsigned char *buffer = tml_mem_zalloc(portion, row);
    TmlStatus status =
        buffer == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for earlier rows") : TML_OK;
    if (status == TML_OK &&
        (old.rank != c->rank || tml_h5_array_row(&old) != values || old.dim[0] < k->n)) {
        status = tml_fail(err, TML_E_IO, "'%s' has %llu rows, the run goes on behind row %llu",
                          name, (unsigned long long)old.dim[0], (unsigned long long)k->n);
    }
    for (hsize_t at = 0; at < k->n && status == TML_OK; at += portion) {
        const hsize_t m = k->n - at < portion ? k->n - at : portion;
        status = tml_h5_array_read(&old, c->memory, (int64_t)at, (int64_t)m, buffer, err);
        status = status == TML_OK ? tml_h5_column_write(c, at, m, buffer, err) : status;
    }
    tml_mem_free(buffer);
    tml_h5_array_close(&old);
    return status;
}

static TmlStatus keep_all(Keep *k, TmlH5Layout *l, TmlError *err)
{
    for (int s = TML_H5_SETS - 1; s >= 0; --s) { // the time last
        const int columns = tml_h5_set_columns(&l->set[s]);
        for (int c = 0; c < columns; ++c) {
            TML_TRY(keep_column(k, &l->set[s].column[c], err));
        }
    }
    for (int i = 0; i < l->flexible.n; ++i) {
        for (int s = 0; s < TML_H5_FLEX_SETS; ++s) {
            TmlH5Column *c = &l->flexible.at[i].column[s];
            TML_TRY(c->id > 0 ? keep_column(k, c, err) : TML_OK);
        }
    }
    for (int i = 0; i < l->modal.n; ++i) {
        for (int s = 0; s < TML_H5_MODAL_SETS; ++s) {
            TmlH5Column *c = &l->modal.at[i].column[s];
            TML_TRY(c->id > 0 ? keep_column(k, c, err) : TML_OK);
        }
    }
    return TML_OK;
}

TmlStatus tml_h5_keep_rows(const char *path, TmlH5Layout *l, hsize_t n, TmlError *err)
{
    Keep k = {.n = n};
    TML_TRY(tml_result_open(path, &k.old, err));
    const TmlStatus status = keep_all(&k, l, err);
    tml_result_close(&k.old);
    return status;
}
