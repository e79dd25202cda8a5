/* io/results/modes_h5.c - modes beside the state about which was linearised, in one result file.
 *
 * The state is written as a run of one row, so that scene, bodies and flexible bodies stand where
 * readers of results look for them; the group /modes is added afterwards:
 *
 *   real, imag, frequency, natural_frequency, damping_ratio, time_constant    (mode)
 *   translation, rotation                                                      (mode, 2, body, 3)
 *   flexible/<name>                                                  (mode, 2, nodes * vectors, 3)
 *   modal/<name>              (mode, 2, coordinates): as the part of a modal body normalises them
 *   energy                                                 (mode, bodies, then flexible bodies)
 */
#include "io/results/modes_h5.h"
#include "io/results/hdf5_driver.h"

#include "base/arena.h"
#include "io/results/hdf5_file.h"
#include "trammel/trammel.h"

#include <string.h>

enum { NUMBERS = 6 };

typedef struct Modes {
    const TmlModel *model;
    const TmlLinear *lin;
    TmlLinearInfo info;
    TmlArena arena;
    hid_t group;
} Modes;

static TmlStatus write_numbers(Modes *m, TmlError *err)
{
    static const char *const name[NUMBERS] = {
        "real", "imag", "frequency", "natural_frequency", "damping_ratio", "time_constant"};
    const hsize_t n = (hsize_t)m->info.modes;
    double *x;
    TML_NEW(&m->arena, x, n > 0 ? n : 1);
    for (int i = 0; i < NUMBERS; ++i) {
        for (int k = 0; k < m->info.modes; ++k) {
            const TmlMode mode = tml_linear_mode(m->lin, k);
            const double all[NUMBERS] = {mode.real,          mode.imag,
                                         mode.frequency,     mode.natural_frequency,
                                         mode.damping_ratio, mode.time_constant};
            x[k] = all[i];
        }
        TML_TRY(tml_h5_array(m->group, name[i], H5T_NATIVE_DOUBLE, 1, &n, x, err));
    }
    return TML_OK;
}

static void put_vec(double *to, TmlVec3 x)
{
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

/* Real parts of all bodies but ground, then imaginary ones. */
static TmlStatus write_bodies(Modes *m, bool rotation, TmlError *err)
{
    const int n = tml_model_body_count(m->model) - 1;
    const hsize_t dim[4] = {(hsize_t)m->info.modes, 2, (hsize_t)n, 3};
    double *x;
    if (n == 0) {
        return TML_OK;
    }
    TML_NEW(&m->arena, x, 6 * (size_t)m->info.modes * (size_t)n + 1);
    for (int k = 0; k < m->info.modes; ++k) {
        for (int b = 0; b < n; ++b) {
            const TmlModeBody s = tml_linear_body(m->lin, k, b + 1);
            double *re = x + 3 * ((size_t)(2 * k) * (size_t)n + (size_t)b), *im = re + 3 * n;
            put_vec(re, rotation ? s.rotation : s.translation);
            put_vec(im, rotation ? s.rotation_imag : s.translation_imag);
        }
    }
    return tml_h5_array(m->group, rotation ? "rotation" : "translation", H5T_NATIVE_DOUBLE, 4, dim,
                        x, err);
}

static TmlStatus write_flexible(Modes *m, hid_t group, int f, TmlError *err)
{
    const TmlFlexibleInfo info = tml_model_flexible(m->model, f);
    const int n = info.nodes * info.vectors;
    const hsize_t dim[4] = {(hsize_t)m->info.modes, 2, (hsize_t)n, 3};
    char name[TML_H5_NAME_MAX];
    double *x;
    TML_NEW(&m->arena, x, 6 * (size_t)m->info.modes * (size_t)n + 1);
    for (int k = 0; k < m->info.modes; ++k) {
        for (int i = 0; i < n; ++i) {
            TmlVec3 re, im;
            double *to = x + 3 * ((size_t)(2 * k) * (size_t)n + (size_t)i);
            tml_linear_vector(m->lin, k, f, i / info.vectors, i % info.vectors, &re, &im);
            put_vec(to, re);
            put_vec(to + 3 * n, im);
        }
    }
    return tml_h5_array(group, tml_h5_safe_name(tml_model_flexible_name(m->model, f), name),
                        H5T_NATIVE_DOUBLE, 4, dim, x, err);
}

static TmlStatus write_all_flexible(Modes *m, TmlError *err)
{
    hid_t group;
    const int n = tml_model_flexible_count(m->model);
    if (n == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(m->group, "flexible", &group, err));
    TmlStatus status = TML_OK;
    for (int f = 0; f < n && status == TML_OK; ++f) {
        status = write_flexible(m, group, f, err);
    }
    H5Gclose(group);
    return status;
}

static TmlStatus write_modal(Modes *m, hid_t group, int b, TmlError *err)
{
    const int n = tml_model_modal(m->model, b).modes;
    const hsize_t dim[3] = {(hsize_t)m->info.modes, 2, (hsize_t)n};
    char name[TML_H5_NAME_MAX];
    double *x;
    if (n == 0) {
        return TML_OK; // HDF5 takes no empty arrays here
    }
    TML_NEW(&m->arena, x, 2 * (size_t)m->info.modes * (size_t)n);
    for (int k = 0; k < m->info.modes; ++k) {
        for (int j = 0; j < n; ++j) {
            double *to = x + (size_t)(2 * k) * (size_t)n + (size_t)j;
            tml_linear_modal(m->lin, k, b, j, to, to + n);
        }
    }
    return tml_h5_array(group, tml_h5_safe_name(tml_model_modal_name(m->model, b), name),
                        H5T_NATIVE_DOUBLE, 3, dim, x, err);
}

static TmlStatus write_all_modal(Modes *m, TmlError *err)
{
    hid_t group;
    const int n = tml_model_modal_count(m->model);
    if (n == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(m->group, "modal", &group, err));
    TmlStatus status = TML_OK;
    for (int b = 0; b < n && status == TML_OK; ++b) {
        status = write_modal(m, group, b, err);
    }
    H5Gclose(group);
    return status;
}

static TmlStatus write_energy(Modes *m, TmlError *err)
{
    const int bodies = tml_model_body_count(m->model) - 1;
    const int n = bodies + tml_model_flexible_count(m->model);
    const hsize_t dim[2] = {(hsize_t)m->info.modes, (hsize_t)n};
    double *x;
    if (n == 0) {
        return TML_OK;
    }
    TML_NEW(&m->arena, x, (size_t)m->info.modes * (size_t)n + 1);
    for (int k = 0; k < m->info.modes; ++k) {
        for (int b = 0; b < n; ++b) {
            x[(size_t)k * (size_t)n + (size_t)b] = b < bodies
                                                       ? tml_linear_body(m->lin, k, b + 1).energy
                                                       : tml_linear_flexible(m->lin, k, b - bodies);
        }
    }
    return tml_h5_array(m->group, "energy", H5T_NATIVE_DOUBLE, 2, dim, x, err);
}

static TmlStatus fill_group(Modes *m, TmlError *err)
{
    const TmlVec3 w = m->info.spin.rate;
    TML_TRY(tml_h5_attr_number(m->group, "time", m->info.time, err));
    TML_TRY(tml_h5_attr_number(m->group, "order", m->info.order, err));
    TML_TRY(tml_h5_attr_number(m->group, "shift", m->info.shift, err));
    TML_TRY(tml_h5_attr_number(m->group, "sparse", m->info.sparse, err));
    TML_TRY(tml_h5_attr_number(m->group, "imbalance", m->info.imbalance, err));
    TML_TRY(tml_h5_attr_number(m->group, "spin_x", w.x, err));
    TML_TRY(tml_h5_attr_number(m->group, "spin_y", w.y, err));
    TML_TRY(tml_h5_attr_number(m->group, "spin_z", w.z, err));
    if (m->info.modes == 0) {
        return TML_OK; // HDF5 takes no empty arrays here, and there is nothing to show
    }
    TML_TRY(write_numbers(m, err));
    TML_TRY(write_bodies(m, false, err));
    TML_TRY(write_bodies(m, true, err));
    TML_TRY(write_all_flexible(m, err));
    TML_TRY(write_all_modal(m, err));
    return write_energy(m, err);
}

static TmlStatus add_group(const char *path, Modes *m, TmlError *err)
{
    TML_TRY(tml_h5_ready(err));
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    hid_t file;
    TmlStatus status = tml_h5_open_whole(path, -1, false, &file, err);
    status = status == TML_OK ? tml_h5_group(file, "modes", &m->group, err) : status;
    if (status == TML_OK) {
        status = fill_group(m, err);
        H5Gclose(m->group);
    }
    if (status == TML_OK) {
        status = tml_h5_close(file, err);
    } else if (file >= 0) {
        H5Fclose(file); // leaves the file as it was
    }
    tml_h5_quiet_end(&quiet);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}

TmlStatus tml_write_modes_h5(const char *path, TmlSim *sim, const TmlLinear *lin, TmlError *err)
{
    TmlWriter *writer = NULL;
    TmlError other = {0};
    Modes m = {.model = tml_sim_model(sim), .lin = lin, .info = tml_linear_info(lin)};
    TML_TRY(tml_linear_row(lin, sim, err));
    TML_TRY(tml_writer_open(path, sim, &writer, err));
    TmlStatus status = tml_writer_row(writer, sim, err);
    const TmlStatus closed = tml_writer_close(writer, sim, &other);
    if (status == TML_OK && closed != TML_OK) {
        status = closed;
        *err = other;
    }
    status = status == TML_OK ? add_group(path, &m, err) : status;
    tml_arena_free(&m.arena);
    return status;
}
