/* io/read/results_modal.c - modal bodies of a result file. */
#include "io/read/results_modal.h"

/* One number for each mode. */
static TmlStatus numbers_read(TmlResultFile *f, hid_t group, const char *name, int m, double **out,
                              TmlError *err)
{
    TmlH5Array a;
    if (!tml_h5_array_open(group, name, &a) || a.rank != 1 || a.dim[0] != (hsize_t)m) {
        tml_h5_array_close(&a);
        return tml_fail(err, TML_E_IO, "damaged: no '%s' of %d modes", name, m);
    }
    *out = tml_arena_alloc(&f->arena, (size_t)m, sizeof **out);
    const TmlStatus status = *out == NULL
                                 ? tml_fail(err, TML_E_NOMEM, "out of memory")
                                 : tml_h5_array_read(&a, H5T_NATIVE_DOUBLE, 0, m, *out, err);
    tml_h5_array_close(&a);
    return status;
}

static TmlStatus body_open(TmlResultFile *f, hid_t group, TmlResultModal *b, TmlError *err)
{
    static const char *const names[TML_RESULT_MODAL_SETS] = {"coordinates", "rates"};
    TML_TRY(tml_h5_attr_one(&f->arena, group, "name", &b->name, err));
    TML_TRY(tml_h5_attr_one(&f->arena, group, "part", &b->part, err));
    if (b->name == NULL) {
        return tml_fail(err, TML_E_IO, "damaged: a body has no name");
    }
    if (H5Lexists(group, names[0], H5P_DEFAULT) <= 0) {
        return TML_OK; // a rigid part
    }
    for (int s = 0; s < TML_RESULT_MODAL_SETS; ++s) {
        TmlH5Array *a = &b->value[s];
        if (!tml_h5_array_open(group, names[s], a) || a->rank != 2 || a->dim[1] == 0 ||
            a->dim[1] != b->value[0].dim[1]) {
            return tml_fail(err, TML_E_IO, "damaged: '%s' has an unexpected shape", names[s]);
        }
        if ((int64_t)a->dim[0] < f->rows) {
            tml_h5_array_refresh(a); // it was looked at before /time was
        }
        if ((int64_t)a->dim[0] < f->rows) {
            return tml_fail(err, TML_E_IO, "damaged: '%s' has %llu rows, not %lld", names[s],
                            (unsigned long long)a->dim[0], (long long)f->rows);
        }
    }
    b->m = (int)b->value[0].dim[1];
    TML_TRY(numbers_read(f, group, "hertz", b->m, &b->hertz, err));
    return numbers_read(f, group, "mark", b->m, &b->mark, err);
}

TmlStatus tml_result_modal(TmlResultFile *f, int *n, TmlResultModal **out, TmlError *err)
{
    const int count = tml_h5_links(f->file, "modal");
    *n = 0;
    if (count < 0) {
        return tml_h5_fail(err, "damaged: cannot read group 'modal'");
    }
    TML_NEW(&f->arena, *out, count);
    for (int k = 0; k < count; ++k) {
        const hid_t group = tml_h5_link_open(f->file, "modal", k);
        if (group < 0) {
            return tml_h5_fail(err, "cannot read group 'modal'");
        }
        TmlResultModal *b = &(*out)[(*n)++];
        const TmlStatus status = body_open(f, group, b, err);
        H5Oclose(group);
        if (status != TML_OK) {
            return tml_fail_ctx(err, status, "modal body '%s'", b->name != NULL ? b->name : "");
        }
    }
    return TML_OK;
}

void tml_result_modal_close(int n, TmlResultModal *bodies)
{
    for (int k = 0; k < n; ++k) {
        for (int s = 0; s < TML_RESULT_MODAL_SETS; ++s) {
            tml_h5_array_close(&bodies[k].value[s]);
        }
    }
}

TmlStatus tml_result_modal_rows(const TmlResultModal *b, int set, int64_t first, int64_t n,
                                double *out, TmlError *err)
{
    return tml_h5_array_read(&b->value[set], H5T_NATIVE_DOUBLE, first, n, out, err);
}
