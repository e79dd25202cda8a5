/* io/part/part_load.c - reads a reduced part from an HDF5 file. */
#include "io/part/part_file.h"
#include "io/part/part_layout.h"

#include "base/file.h"
#include "base/input.h"
#include "io/read/hdf5_read.h"
#include "io/read/hdf5_trust.h"
#include "io/results/hdf5_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* More are damage: moments of so many modes take 18 GB. */
enum { MODES_MAX = 16384 };

/* --- numbers ------------------------------------------------------------------------------------ */

static TmlStatus get_count(hid_t file, const char *name, int most, int *out, TmlError *err)
{
    const double x = tml_h5_attr_value(file, name);
    if (!(x >= 0.0 && x <= most && x == floor(x))) {
        return tml_fail(err, TML_E_IO, "damaged: attribute '%s' is no count", name);
    }
    *out = (int)x;
    return TML_OK;
}

static TmlStatus check_format(hid_t file, TmlArena *arena, TmlError *err)
{
    const char *format = NULL;
    TML_TRY(tml_h5_attr_one(arena, file, "format", &format, err));
    const double version = tml_h5_attr_value(file, "version");
    if (format == NULL || strcmp(format, TML_PART_FORMAT) != 0) {
        return tml_fail(err, TML_E_IO, "not a part; 'trammel reduce' makes them");
    }
    return version >= 1.0 && version <= TML_PART_VERSION && version == floor(version)
               ? TML_OK
               : tml_fail(err, TML_E_IO,
                          "a part file of version %g, but 1 to %d can be read; make it again with "
                          "'trammel reduce'",
                          version, TML_PART_VERSION);
}

/* --- arrays ------------------------------------------------------------------------------------- */

/* An array of exactly these sizes; NULL in *out: there is none, which is fine where one of the sizes
 * is zero or it is not needed. */
static TmlStatus get(hid_t parent, const char *name, TmlPartType type, int rank, const hsize_t *dim,
                     bool needed, TmlArena *arena, void **out, TmlError *err)
{
    size_t values = 1;
    for (int k = 0; k < rank; ++k) {
        values *= (size_t)dim[k];
    }
    TmlH5Array a;
    *out = NULL;
    if (!tml_h5_array_open(parent, name, &a)) {
        if (needed && values > 0) {
            return tml_fail(err, TML_E_IO, "damaged: '%s' is missing", name);
        }
        *out = needed ? tml_arena_alloc(arena, 1, 8) : NULL;
        return needed && *out == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
    }
    TmlStatus status = TML_OK;
    if (a.rank != rank || memcmp(a.dim, dim, (size_t)rank * sizeof *dim) != 0) {
        status = tml_fail(err, TML_E_IO, "damaged: '%s' has another size", name);
    } else if ((*out = tml_arena_alloc(arena, values, tml_part_type_size(type))) == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", name);
    } else {
        status = tml_h5_array_read(&a, tml_part_h5_type(type), 0, (int64_t)dim[0], *out, err);
    }
    tml_h5_array_close(&a);
    return status;
}

static TmlStatus get_arrays(hid_t file, TmlArena *arena, TmlPart *p, TmlError *err)
{
    for (const TmlPartArray *a = tml_part_arrays; a->name != NULL; ++a) {
        hsize_t dim[TML_H5_RANK_MAX];
        size_t values;
        void *data = NULL;
        const int rank = tml_part_dims(p, a->dims, dim, &values);
        TML_TRY(get(file, a->name, a->type, rank, dim, a->needed, arena, &data, err));
        memcpy((char *)p + a->offset, &data, sizeof data);
    }
    return TML_OK;
}

static TmlStatus get_numbers(hid_t file, TmlArena *arena, TmlPart *p, TmlError *err)
{
    TML_TRY(tml_h5_attr_one(arena, file, "name", &p->name, err));
    TML_TRY(get_count(file, "modes", MODES_MAX, &p->m, err));
    TML_TRY(get_count(file, "frames", INT_MAX / 8, &p->n_frames, err));
    TML_TRY(get_count(file, "load_cases", MODES_MAX, &p->n_stiffening, err));
    TML_TRY(get_count(file, "nodes", INT_MAX / 8, &p->n_nodes, err));
    TML_TRY(get_count(file, "fixed_modes", MODES_MAX, &p->n_fixed, err));
    p->n_loads = 0; // files of versions 1 to 4 have none
    if (tml_h5_attr_value(file, "version") >= 5.0) {
        TML_TRY(get_count(file, "loads", MODES_MAX, &p->n_loads, err));
    }
    TML_TRY(get_count(file, "triangles", INT_MAX / 8, &p->n_triangles, err));
    p->mass = tml_h5_attr_value(file, "mass");
    p->size = tml_h5_attr_value(file, "size");
    p->origin = (TmlVec3){tml_h5_attr_value(file, "origin_x"), tml_h5_attr_value(file, "origin_y"),
                          tml_h5_attr_value(file, "origin_z")};
    void *axes = NULL;
    const hsize_t square[2] = {3, 3};
    TML_TRY(get(file, "axes", TML_PART_REAL, 2, square, true, arena, &axes, err));
    const double *a = axes;
    p->axes = (TmlMat33){{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}};
    if (p->name == NULL || !(p->mass > 0.0) || !isfinite(p->mass) || !(p->size > 0.0)) {
        return tml_fail(err, TML_E_IO, "damaged: name, mass or size is missing");
    }
    return TML_OK;
}

/* --- frames and load cases ---------------------------------------------------------------------- */

static TmlStatus get_names(hid_t group, int n, TmlArena *arena, const char *const **out,
                           TmlError *err)
{
    int found = 0;
    const hid_t set = H5Dopen2(group, "name", H5P_DEFAULT);
    if (set < 0) {
        return tml_fail(err, TML_E_IO, "damaged: names are missing");
    }
    const TmlStatus status = tml_h5_read_texts(arena, set, false, &found, out, err);
    H5Dclose(set);
    return status == TML_OK && found != n
               ? tml_fail(err, TML_E_IO, "damaged: %d names of %d", found, n)
               : status;
}

static TmlStatus read_frames(hid_t group, TmlArena *arena, TmlPart *p, TmlPartFlat *flat,
                             TmlError *err)
{
    const hsize_t dim[3] = {(hsize_t)p->n_frames, (hsize_t)p->m, 3}, two[2] = {dim[0], 3};
    const char *const *name;
    TmlPartFrame *frame;
    void *x, *turns, *node = NULL, *phi, *psi;
    TML_TRY(get_names(group, p->n_frames, arena, &name, err));
    TML_TRY(get(group, "x", TML_PART_REAL, 2, two, true, arena, &x, err));
    TML_TRY(get(group, "turns", TML_PART_INT, 1, dim, true, arena, &turns, err));
    TML_TRY(get(group, "node", TML_PART_LONG, 1, dim, false, arena, &node, err));
    TML_TRY(get(group, "phi", TML_PART_REAL, 3, dim, true, arena, &phi, err));
    TML_TRY(get(group, "psi", TML_PART_REAL, 3, dim, true, arena, &psi, err));
    *flat = (TmlPartFlat){.frame_x = x, .turns = turns, .node = node, .phi = phi, .psi = psi};
    TML_NEW(arena, frame, p->n_frames);
    for (int f = 0; f < p->n_frames; ++f) {
        const double *at = flat->frame_x + 3 * (size_t)f;
        const size_t skip = 3 * (size_t)p->m * (size_t)f;
        frame[f] = (TmlPartFrame){.name = name[f],
                                  .x = {at[0], at[1], at[2]},
                                  .turns = flat->turns[f] != 0,
                                  .node = flat->node != NULL ? flat->node[f] : 0,
                                  .phi = flat->phi + skip,
                                  .psi = flat->psi + skip};
    }
    p->frame = frame;
    return TML_OK;
}

static TmlStatus read_stiffening(hid_t group, TmlArena *arena, TmlPart *p, TmlPartFlat *flat,
                                 TmlError *err)
{
    const hsize_t dim[3] = {(hsize_t)p->n_stiffening, (hsize_t)p->m, (hsize_t)p->m};
    const char *const *name;
    TmlPartStiffening *list;
    void *K, *load;
    const size_t m = (size_t)p->m;
    TML_TRY(get_names(group, p->n_stiffening, arena, &name, err));
    TML_TRY(get(group, "K", TML_PART_REAL, 3, dim, true, arena, &K, err));
    TML_TRY(get(group, "load", TML_PART_REAL, 2, dim, false, arena, &load, err));
    TML_NEW(arena, list, p->n_stiffening);
    flat->stiffening = K;
    flat->load = load;
    for (int k = 0; k < p->n_stiffening; ++k) {
        const size_t skip = (size_t)k * m;
        list[k] = (TmlPartStiffening){name[k], flat->stiffening + skip * m,
                                      flat->load != NULL ? flat->load + skip : NULL};
    }
    p->stiffening = list;
    return TML_OK;
}

static TmlStatus read_loads(hid_t group, TmlArena *arena, TmlPart *p, TmlPartFlat *flat,
                            TmlError *err)
{
    const size_t m = (size_t)p->m, each = 6 + 4 * m;
    const hsize_t dim[2] = {(hsize_t)p->n_loads, (hsize_t)each};
    const char *const *name;
    TmlPartLoad *list;
    void *data;
    TML_TRY(get_names(group, p->n_loads, arena, &name, err));
    TML_TRY(get(group, "load", TML_PART_REAL, 2, dim, true, arena, &data, err));
    TML_NEW(arena, list, p->n_loads);
    flat->applied = data;
    for (int l = 0; l < p->n_loads; ++l) {
        const double *x = flat->applied + each * (size_t)l;
        list[l] = (TmlPartLoad){name[l], {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, x + 6, x + 6 + m};
    }
    p->load = list;
    return TML_OK;
}

typedef TmlStatus (*ReadGroup)(hid_t, TmlArena *, TmlPart *, TmlPartFlat *, TmlError *);

static TmlStatus in_group(hid_t file, const char *name, int n, ReadGroup read, TmlArena *arena,
                          TmlPart *p, TmlPartFlat *flat, TmlError *err)
{
    if (n == 0) {
        return TML_OK;
    }
    const hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    if (group < 0) {
        return tml_fail(err, TML_E_IO, "damaged: '%s' is missing", name);
    }
    const TmlStatus status = read(group, arena, p, flat, err);
    H5Gclose(group);
    return status;
}

/* --- all ---------------------------------------------------------------------------------------- */

static bool corners_fit(const TmlPart *p)
{
    for (int k = 0; p->corner != NULL && k < 3 * p->n_triangles; ++k) {
        if (p->corner[k] < 0 || p->corner[k] >= p->n_nodes) {
            return false;
        }
    }
    return p->corner != NULL || p->n_triangles == 0;
}

static TmlStatus read_part(hid_t file, TmlArena *arena, TmlPart *p, TmlError *err)
{
    TmlPartFlat flat = {0};
    TML_TRY(check_format(file, arena, err));
    TML_TRY(get_numbers(file, arena, p, err));
    TML_TRY(get_arrays(file, arena, p, err));
    TML_TRY(in_group(file, "frames", p->n_frames, read_frames, arena, p, &flat, err));
    TML_TRY(in_group(file, "stiffening", p->n_stiffening, read_stiffening, arena, p, &flat, err));
    TML_TRY(in_group(file, "loads", p->n_loads, read_loads, arena, p, &flat, err));
    const double sum = tml_h5_attr_value(file, "checksum");
    const bool together = (p->rest_J == NULL) == (p->rest_C == NULL) &&
                          ((p->rest_J == NULL) == (p->rest_M == NULL) || p->m == 0);
    if (sum != tml_part_checksum(p, &flat) || !corners_fit(p) || (!together && p->m > 0)) {
        return tml_fail(err, TML_E_IO, "damaged: its numbers do not fit its checksum");
    }
    return TML_OK;
}

static TmlStatus open_and_read(int fd, const char *path, TmlArena *arena, TmlPart *p, TmlError *err)
{
    const off_t bytes = lseek(fd, 0, SEEK_END);
    if (bytes < 0) {
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    TmlStatus status = tml_h5_driver_adopt(access, TML_H5_READ, fd, err);
    const hid_t file = status == TML_OK ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    if (status == TML_OK && file < 0) {
        status = tml_h5_fail(err, "cannot open; no HDF5 file, or a damaged one");
    }
    status = status == TML_OK ? tml_h5_trust(file, (int64_t)bytes, err) : status;
    status = status == TML_OK ? read_part(file, arena, p, err) : status;
    if (file >= 0) {
        H5Fclose(file);
    }
    H5Pclose(access);
    return status;
}

TmlStatus tml_part_load(const char *path, TmlArena *arena, TmlPart *out, TmlError *err)
{
    *out = (TmlPart){0};
    TML_TRY(tml_h5_ready(err));
    const int fd = tml_file_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "cannot open '%s': %s", path, strerror(errno));
    }
    TmlStatus status = tml_input_plain(path, fd, err);
    if (status != TML_OK) {
        (void)tml_file_close(fd);
        return status;
    }
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    status = open_and_read(fd, path, arena, out, err);
    tml_h5_quiet_end(&quiet);
    (void)tml_file_close(fd);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}
