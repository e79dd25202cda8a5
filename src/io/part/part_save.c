/* io/part/part_save.c - writes a reduced part to an HDF5 file. */
#include "io/part/part_file.h"
#include "io/part/part_layout.h"

#include "base/file.h"
#include "io/file/draft.h"
#include "io/results/hdf5_driver.h"
#include "trammel/trammel.h"

#include <string.h>

static TmlStatus flatten(const TmlPart *p, TmlArena *arena, TmlPartFlat *out, TmlError *err)
{
    const size_t m = (size_t)p->m, n = (size_t)p->n_frames;
    TML_NEW(arena, out->frame_x, 3 * n + 1);
    TML_NEW(arena, out->turns, n + 1);
    TML_NEW(arena, out->node, n + 1);
    TML_NEW(arena, out->phi, 3 * m * n + 1);
    TML_NEW(arena, out->psi, 3 * m * n + 1);
    TML_NEW(arena, out->stiffening, m * m * (size_t)p->n_stiffening + 1);
    for (size_t f = 0; f < n; ++f) {
        const TmlPartFrame *from = &p->frame[f];
        const double x[3] = {from->x.x, from->x.y, from->x.z};
        memcpy(out->frame_x + 3 * f, x, sizeof x);
        out->turns[f] = from->turns;
        out->node[f] = from->node;
        memcpy(out->phi + 3 * m * f, from->phi, 3 * m * sizeof *out->phi);
        memcpy(out->psi + 3 * m * f, from->psi, 3 * m * sizeof *out->psi);
    }
    TML_NEW(arena, out->applied, (6 + 4 * m) * (size_t)p->n_loads + 1);
    for (int l = 0; l < p->n_loads; ++l) {
        const TmlPartLoad *from = &p->load[l];
        double *to = out->applied + (6 + 4 * m) * (size_t)l;
        const double wrench[6] = {from->force.x,  from->force.y,  from->force.z,
                                  from->torque.x, from->torque.y, from->torque.z};
        memcpy(to, wrench, sizeof wrench);
        memcpy(to + 6, from->mode, m * sizeof *to);
        memcpy(to + 6 + m, from->turn, 3 * m * sizeof *to);
    }
    out->load = NULL;
    if (p->n_stiffening > 0 && p->stiffening[0].load != NULL) {
        TML_NEW(arena, out->load, m * (size_t)p->n_stiffening + 1);
    }
    for (int k = 0; k < p->n_stiffening; ++k) {
        memcpy(out->stiffening + m * m * (size_t)k, p->stiffening[k].K, m * m * sizeof(double));
        if (out->load != NULL && p->stiffening[k].load != NULL) {
            memcpy(out->load + m * (size_t)k, p->stiffening[k].load, m * sizeof(double));
        }
    }
    return TML_OK;
}

/* An array that may be empty, which then is not written. */
static TmlStatus put(hid_t parent, const char *name, TmlPartType type, int rank, const hsize_t *dim,
                     const void *data, TmlError *err)
{
    for (int k = 0; k < rank; ++k) {
        if (dim[k] == 0) {
            return TML_OK;
        }
    }
    return tml_h5_array(parent, name, tml_part_h5_type(type), rank, dim, data, err);
}

static TmlStatus put_numbers(hid_t file, const TmlPart *p, const TmlPartFlat *flat, TmlError *err)
{
    TML_TRY(tml_h5_attr_text(file, "format", TML_PART_FORMAT, err));
    TML_TRY(tml_h5_attr_number(file, "version", TML_PART_VERSION, err));
    TML_TRY(tml_h5_attr_text(file, "name", p->name, err));
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"modes", p->m},           {"frames", p->n_frames},     {"load_cases", p->n_stiffening},
        {"nodes", p->n_nodes},     {"fixed_modes", p->n_fixed}, {"triangles", p->n_triangles},
        {"loads", p->n_loads},     {"mass", p->mass},           {"size", p->size},
        {"origin_x", p->origin.x}, {"origin_y", p->origin.y},   {"origin_z", p->origin.z},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) {
        TML_TRY(tml_h5_attr_number(file, all[k].name, all[k].value, err));
    }
    const double axes[9] = {p->axes.cx.x, p->axes.cx.y, p->axes.cx.z, p->axes.cy.x, p->axes.cy.y,
                            p->axes.cy.z, p->axes.cz.x, p->axes.cz.y, p->axes.cz.z};
    const hsize_t square[2] = {3, 3};
    TML_TRY(put(file, "axes", TML_PART_REAL, 2, square, axes, err));
    return tml_h5_attr_number(file, "checksum", tml_part_checksum(p, flat), err);
}

static TmlStatus put_arrays(hid_t file, const TmlPart *p, TmlError *err)
{
    for (const TmlPartArray *a = tml_part_arrays; a->name != NULL; ++a) {
        hsize_t dim[TML_H5_RANK_MAX];
        size_t values;
        const void *data;
        memcpy(&data, (const char *)p + a->offset, sizeof data);
        const int rank = tml_part_dims(p, a->dims, dim, &values);
        if (data != NULL) {
            TML_TRY(put(file, a->name, a->type, rank, dim, data, err));
        }
    }
    return TML_OK;
}

static TmlStatus put_frames(hid_t file, const TmlPart *p, const TmlPartFlat *flat, TmlArena *arena,
                            TmlError *err)
{
    const hsize_t dim[3] = {(hsize_t)p->n_frames, (hsize_t)p->m, 3}, flat_dim[2] = {dim[0], 3};
    const char **names;
    hid_t group;
    TML_NEW(arena, names, p->n_frames + 1);
    for (int f = 0; f < p->n_frames; ++f) {
        names[f] = p->frame[f].name;
    }
    if (p->n_frames == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "frames", &group, err));
    TmlStatus status = tml_h5_texts(group, "name", p->n_frames, names, err);
    status =
        status == TML_OK ? put(group, "x", TML_PART_REAL, 2, flat_dim, flat->frame_x, err) : status;
    status =
        status == TML_OK ? put(group, "turns", TML_PART_INT, 1, dim, flat->turns, err) : status;
    status = status == TML_OK ? put(group, "node", TML_PART_LONG, 1, dim, flat->node, err) : status;
    status = status == TML_OK ? put(group, "phi", TML_PART_REAL, 3, dim, flat->phi, err) : status;
    status = status == TML_OK ? put(group, "psi", TML_PART_REAL, 3, dim, flat->psi, err) : status;
    H5Gclose(group);
    return status;
}

static TmlStatus put_stiffening(hid_t file, const TmlPart *p, const TmlPartFlat *flat,
                                TmlArena *arena, TmlError *err)
{
    const hsize_t dim[3] = {(hsize_t)p->n_stiffening, (hsize_t)p->m, (hsize_t)p->m};
    const char **names;
    hid_t group;
    TML_NEW(arena, names, p->n_stiffening + 1);
    for (int k = 0; k < p->n_stiffening; ++k) {
        names[k] = p->stiffening[k].name;
    }
    if (p->n_stiffening == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "stiffening", &group, err));
    TmlStatus status = tml_h5_texts(group, "name", p->n_stiffening, names, err);
    status =
        status == TML_OK ? put(group, "K", TML_PART_REAL, 3, dim, flat->stiffening, err) : status;
    if (status == TML_OK && flat->load != NULL) {
        status = put(group, "load", TML_PART_REAL, 2, dim, flat->load, err);
    }
    H5Gclose(group);
    return status;
}

static TmlStatus put_loads(hid_t file, const TmlPart *p, const TmlPartFlat *flat, TmlArena *arena,
                           TmlError *err)
{
    const hsize_t dim[2] = {(hsize_t)p->n_loads, (hsize_t)(6 + 4 * p->m)};
    const char **names;
    hid_t group;
    TML_NEW(arena, names, p->n_loads + 1);
    for (int l = 0; l < p->n_loads; ++l) {
        names[l] = p->load[l].name;
    }
    if (p->n_loads == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "loads", &group, err));
    TmlStatus status = tml_h5_texts(group, "name", p->n_loads, names, err);
    status =
        status == TML_OK ? put(group, "load", TML_PART_REAL, 2, dim, flat->applied, err) : status;
    H5Gclose(group);
    return status;
}

static TmlStatus fill(hid_t file, const TmlPart *p, TmlError *err)
{
    TmlArena arena = {0};
    TmlPartFlat flat;
    TmlStatus status = flatten(p, &arena, &flat, err);
    status = status == TML_OK ? put_numbers(file, p, &flat, err) : status;
    status = status == TML_OK ? put_arrays(file, p, err) : status;
    status = status == TML_OK ? put_frames(file, p, &flat, &arena, err) : status;
    status = status == TML_OK ? put_stiffening(file, p, &flat, &arena, err) : status;
    status = status == TML_OK ? put_loads(file, p, &flat, &arena, err) : status;
    tml_arena_free(&arena);
    return status;
}

/* Through the descriptor of the draft, which has no name yet. */
static TmlStatus write_to(int fd, const char *path, const TmlPart *p, TmlError *err)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_file_locking(access, true, true); // some file systems cannot lock: go on without
    H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    TmlStatus status = tml_h5_driver_adopt(access, TML_H5_DRAFT, fd, err);
    const hid_t file = status == TML_OK ? H5Fcreate(path, H5F_ACC_TRUNC, create, access) : -1;
    if (status == TML_OK && file < 0) {
        status = tml_h5_fail(err, "cannot create");
    }
    status = status == TML_OK ? fill(file, p, err) : status;
    if (status == TML_OK) {
        status = tml_h5_close(file, err);
    } else if (file >= 0) {
        H5Fclose(file);
    }
    H5Pclose(create);
    H5Pclose(access);
    return status;
}

TmlStatus tml_part_save(const char *path, const TmlPart *part, TmlError *err)
{
    TmlDraft draft;
    TML_TRY(tml_h5_ready(err));
    TML_TRY(tml_draft_open(&draft, path, TML_LINK_REPLACE, err));
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    TmlStatus status = write_to(draft.fd, path, part, err);
    tml_h5_quiet_end(&quiet);
    status = status == TML_OK ? tml_draft_publish(&draft, draft.fd, err) : status;
    tml_draft_end(&draft);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}
