/* io/results/hdf5_modal.c - modal bodies in a result file. */
#include "io/results/hdf5_modal.h"

#include "io/results/part_mark.h"
#include "model/modal/modal.h"

TmlStatus tml_h5_modal_init(TmlH5ModalList *l, TmlArena *arena, const TmlSim *sim,
                            size_t *row_bytes, TmlError *err)
{
    const TmlModel *model = tml_sim_model(sim);
    l->n = tml_model_modal_count(model);
    TML_NEW(arena, l->at, l->n);
    for (int k = 0; k < l->n; ++k) {
        l->at[k].info = tml_model_modal(model, k);
        *row_bytes += TML_H5_MODAL_SETS * (size_t)l->at[k].info.modes * sizeof(double);
    }
    return TML_OK;
}

/* --- creation ------------------------------------------------------------------------------ */

static TmlStatus fixed(TmlArena *arena, hid_t group, const TmlModel *model, int k,
                       const TmlModalInfo *info, TmlError *err)
{
    double *hertz, *mark, size;
    TML_TRY(tml_h5_attr_text(group, "name", tml_model_modal_name(model, k), err));
    TML_TRY(tml_h5_attr_text(group, "part", info->part != NULL ? info->part : "", err));
    TML_TRY(tml_h5_attr_number(group, "mass", info->mass, err));
    TML_TRY(tml_h5_attr_number(group, "size", info->size, err));
    if (info->modes == 0) {
        return TML_OK;
    }
    TML_NEW(arena, hertz, info->modes);
    TML_NEW(arena, mark, info->modes);
    for (int j = 0; j < info->modes; ++j) {
        hertz[j] = tml_model_modal_hertz(model, k, j);
        mark[j] = tml_part_mark(model->modals.at[k].part, j, &size);
    }
    const hsize_t n = (hsize_t)info->modes;
    TML_TRY(tml_h5_array(group, "mark", H5T_NATIVE_DOUBLE, 1, &n, mark, err));
    return tml_h5_array(group, "hertz", H5T_NATIVE_DOUBLE, 1, &n, hertz, err);
}

static TmlStatus growing(TmlH5Modal *b, TmlArena *arena, hid_t group, int capacity, hsize_t rows,
                         TmlError *err)
{
    static const char *const names[TML_H5_MODAL_SETS] = {"coordinates", "rates"};
    for (int s = 0; s < TML_H5_MODAL_SETS && b->info.modes > 0; ++s) {
        TmlH5Column *c = &b->column[s];
        *c = (TmlH5Column){.memory = H5T_NATIVE_DOUBLE, .rank = 2};
        c->dim[1] = (hsize_t)b->info.modes;
        TML_TRY(tml_h5_column_create(group, names[s], rows, c, err));
        TML_NEW(arena, b->buffer[s], (size_t)b->info.modes * (size_t)capacity);
    }
    return TML_OK;
}

static TmlStatus body_create(TmlH5Modal *b, TmlArena *arena, hid_t parent, const TmlModel *model,
                             int k, int capacity, hsize_t rows, TmlError *err)
{
    char safe[TML_H5_NAME_MAX];
    hid_t group;
    TML_TRY(
        tml_h5_group(parent, tml_h5_safe_name(tml_model_modal_name(model, k), safe), &group, err));
    TmlStatus status = fixed(arena, group, model, k, &b->info, err);
    status = status == TML_OK ? growing(b, arena, group, capacity, rows, err) : status;
    H5Gclose(group);
    return status;
}

TmlStatus tml_h5_modal_create(TmlH5ModalList *l, TmlArena *arena, hid_t file, const TmlSim *sim,
                              int capacity, hsize_t rows, TmlError *err)
{
    hid_t group;
    TmlStatus status = TML_OK;
    if (l->n == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "modal", &group, err));
    for (int k = 0; k < l->n && status == TML_OK; ++k) {
        status = body_create(&l->at[k], arena, group, tml_sim_model(sim), k, capacity, rows, err);
    }
    H5Gclose(group);
    return status;
}

void tml_h5_modal_close(TmlH5ModalList *l)
{
    for (int k = 0; k < l->n; ++k) {
        for (int s = 0; s < TML_H5_MODAL_SETS; ++s) {
            if (l->at[k].column[s].id > 0) {
                H5Dclose(l->at[k].column[s].id);
            }
        }
    }
}

/* --- rows ---------------------------------------------------------------------------------- */

void tml_h5_modal_fill(const TmlH5ModalList *l, int row, const TmlSim *sim)
{
    for (int k = 0; k < l->n; ++k) {
        const TmlH5Modal *b = &l->at[k];
        const size_t at = (size_t)row * (size_t)b->info.modes;
        for (int j = 0; j < b->info.modes; ++j) {
            b->buffer[TML_H5_COORDINATES][at + (size_t)j] = tml_row_mode(sim, k, j);
            b->buffer[TML_H5_RATES][at + (size_t)j] = tml_row_mode_rate(sim, k, j);
        }
    }
}

TmlStatus tml_h5_modal_write(TmlH5ModalList *l, hsize_t first, hsize_t n, TmlError *err)
{
    for (int k = 0; k < l->n; ++k) {
        TmlH5Modal *b = &l->at[k];
        for (int s = 0; s < TML_H5_MODAL_SETS && b->info.modes > 0; ++s) {
            TML_TRY(tml_h5_column_write(&b->column[s], first, n, b->buffer[s], err));
        }
    }
    return TML_OK;
}
