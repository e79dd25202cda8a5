/* io/report/report_rows.c - rows of a result file for a report. */
#include "io/report/report_rows.h"

#include <string.h>

enum { PORTION_VALUES = 1 << 21, PORTION_ROWS = 8192 };

static TmlStatus add(TmlRowSet *s, TmlRowPart part, TmlError *err)
{
    if (!tml_mem_grow((void **)&s->part, &s->cap, s->n + 1, sizeof *s->part)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for rows");
    }
    part.at = s->width;
    s->part[s->n++] = part;
    s->width += part.n;
    return TML_OK;
}

TmlStatus tml_rows_field(TmlRowSet *s, TmlResultFile *f, TmlResultKind kind, int item,
                         const char *field, int take, TmlError *err)
{
    const TmlResultSet *set = &f->set[kind];
    const int k = tml_result_field(set, field);
    if (set->n_items == 0) {
        return TML_OK;
    }
    if (k < 0 || set->field[k].width < take) {
        return tml_fail(err, TML_E_IO, "damaged: '/%s' has no '%s' of %d values", set->group, field,
                        take);
    }
    const size_t items = item < 0 ? (size_t)set->n_items : 1;
    return add(s,
               (TmlRowPart){.kind = kind,
                            .item = item,
                            .field = k,
                            .stored = (size_t)set->field[k].width,
                            .take = (size_t)take,
                            .n = items * (size_t)take},
               err);
}

TmlStatus tml_rows_array(TmlRowSet *s, const TmlH5Array *array, TmlError *err)
{
    const size_t n = tml_h5_array_row(array);
    return add(s, (TmlRowPart){.array = array, .stored = n, .take = n, .n = n}, err);
}

TmlStatus tml_rows_time(TmlRowSet *s, TmlError *err)
{
    return add(s, (TmlRowPart){.time = true, .stored = 1, .take = 1, .n = 1}, err);
}

void tml_rows_free(TmlRowSet *s)
{
    tml_mem_free(s->part);
    tml_mem_free(s->scratch);
    *s = (TmlRowSet){0};
}

int tml_rows_portion(const TmlRowSet *s, int64_t rows)
{
    const int64_t fit = (int64_t)(PORTION_VALUES / (s->width > 0 ? s->width : 1));
    const int64_t most = rows < PORTION_ROWS ? rows : PORTION_ROWS, n = fit < most ? fit : most;
    return n < 1 ? 1 : (int)n;
}

/* Room for n rows of a part as they are in the file. */
static TmlStatus reserve(TmlRowSet *s, const TmlRowPart *p, size_t n, TmlError *err)
{
    const size_t needed = n * (p->n / p->take) * p->stored;
    if (needed > s->n_scratch) {
        tml_mem_free(s->scratch);
        s->n_scratch = 0;
        s->scratch = tml_mem_zalloc(needed, sizeof *s->scratch);
        if (s->scratch == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for rows");
        }
        s->n_scratch = needed;
    }
    return TML_OK;
}

/* From the scratch into the rows. */
static void place(const TmlRowSet *s, const TmlRowPart *p, size_t n, double *out)
{
    const double *from = s->scratch;
    for (size_t row = 0; row < n; ++row) {
        double *to = out + row * s->width + p->at;
        for (size_t k = 0; k < p->n; k += p->take, from += p->stored, to += p->take) {
            memcpy(to, from, p->take * sizeof *to);
        }
    }
}

TmlStatus tml_rows_read(TmlRowSet *s, TmlResultFile *f, int64_t first, int n, double *out,
                        TmlError *err)
{
    for (int k = 0; k < s->n && n > 0; ++k) {
        const TmlRowPart *p = &s->part[k];
        TML_TRY(reserve(s, p, (size_t)n, err));
        if (p->time) {
            memcpy(s->scratch, f->time + first, (size_t)n * sizeof *out);
        } else if (p->array != NULL) {
            TML_TRY(tml_h5_array_read(p->array, H5T_NATIVE_DOUBLE, first, n, s->scratch, err));
        } else {
            TML_TRY(tml_result_read(f, p->kind, p->item, p->field, first, n, s->scratch, err));
        }
        place(s, p, (size_t)n, out);
    }
    return TML_OK;
}
