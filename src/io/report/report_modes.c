/* io/report/report_modes.c - modes in a report: the group /modes of a result file, see io/results/modes_h5.c. */
#include "io/file/unnamed.h"
#include "io/report/report_parts.h"
#include "io/results/modes_h5.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS = 6, SHOWN = 8 };

static const double balanced = 1e-6; /* of the largest force, as `trammel linearize` has it */

static const char *const number_name[NUMBERS] = {
    "real", "imag", "frequency", "natural_frequency", "damping_ratio", "time_constant"};

typedef struct Modes {
    TmlReportJob *job;
    TmlArena arena;
    hid_t group;
    int n;
    double *number[NUMBERS]; /* n each */
    double *energy;          /* n * items; NULL: none */
    int items;
} Modes;

/* A whole dataset of that many dimensions; NULL and TML_OK: it is not there. */
static TmlStatus read_whole(Modes *m, hid_t parent, const char *name, int rank, hsize_t *dim,
                            double **out, TmlError *err)
{
    TmlH5Array a = {0};
    *out = NULL;
    if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) {
        return TML_OK;
    }
    if (!tml_h5_array_open(parent, name, &a) || a.rank != rank ||
        (m->n > 0 && a.dim[0] != (hsize_t)m->n)) {
        tml_h5_array_close(&a);
        return tml_fail(err, TML_E_IO, "damaged: 'modes/%s' has an unexpected shape", name);
    }
    double *x = tml_arena_alloc(&m->arena, (size_t)a.dim[0] * tml_h5_array_row(&a) + 1, sizeof *x);
    TmlStatus status = x != NULL
                           ? tml_h5_array_read(&a, H5T_NATIVE_DOUBLE, 0, (int64_t)a.dim[0], x, err)
                           : tml_fail(err, TML_E_NOMEM, "out of memory for the modes");
    memcpy(dim, a.dim, (size_t)rank * sizeof *dim);
    tml_h5_array_close(&a);
    *out = x;
    return status;
}

static TmlStatus read_numbers(Modes *m, TmlError *err)
{
    hsize_t dim[TML_H5_RANK_MAX];
    for (int i = 0; i < NUMBERS; ++i) {
        TML_TRY(read_whole(m, m->group, number_name[i], 1, dim, &m->number[i], err));
        if (m->number[i] == NULL) {
            return i == 0 ? TML_OK // no modes at all
                          : tml_fail(err, TML_E_IO, "damaged: no 'modes/%s'", number_name[i]);
        }
        m->n = (int)dim[0];
    }
    TML_TRY(read_whole(m, m->group, "energy", 2, dim, &m->energy, err));
    m->items = m->energy != NULL ? (int)dim[1] : 0;
    return TML_OK;
}

/* Name of a body, or of a flexible body behind them. */
static const char *item_name(const Modes *m, int item)
{
    const TmlResultSet *bodies = &m->job->file.set[TML_RESULT_BODIES];
    const int flexible = item - bodies->n_items;
    return item < bodies->n_items          ? bodies->item[item]
           : flexible < m->job->n_flexible ? m->job->flexible[flexible].name
                                           : "";
}

/* Shares of one mode, largest first, those below half a percent left out. */
static void put_energy(TmlJson *j, const Modes *m, int mode)
{
    const double *share = m->energy != NULL ? m->energy + (size_t)mode * (size_t)m->items : NULL;
    double below = HUGE_VAL;
    int last = -1;
    tml_json_open(j, "energy", '[');
    for (int shown = 0; shown < SHOWN; ++shown) {
        int best = -1;
        for (int k = 0; k < m->items; ++k) {
            const bool next = share[k] < below || (share[k] == below && k > last);
            best = next && share[k] >= 0.005 && (best < 0 || share[k] > share[best]) ? k : best;
        }
        if (best < 0) {
            break;
        }
        below = share[best];
        last = best;
        tml_json_open(j, NULL, '[');
        tml_json_string(j, NULL, item_name(m, best));
        tml_json_number(j, NULL, share[best]);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void put_list(TmlJson *j, const Modes *m)
{
    tml_json_open(j, "list", '[');
    for (int k = 0; k < m->n; ++k) {
        tml_json_open(j, NULL, '{');
        for (int i = 0; i < NUMBERS; ++i) {
            tml_json_number(j, number_name[i], m->number[i][k]);
        }
        put_energy(j, m, k);
        tml_json_close(j);
    }
    tml_json_close(j);
}

/* A dataset (mode, 2, n, 3) as a block. */
static TmlStatus put_shape(Modes *m, hid_t parent, const char *name, const char *key, TmlError *err)
{
    hsize_t dim[TML_H5_RANK_MAX] = {(hsize_t)m->n, 2, 0, 3};
    double none = 0.0, *x;
    TML_TRY(read_whole(m, parent, name, 4, dim, &x, err));
    TmlBlockSpec spec = {.type = TML_BLOCK_F32, .rank = 4};
    for (int k = 0; k < 4; ++k) {
        spec.dim[k] = (int64_t)dim[k];
    }
    return tml_block_values(&m->job->c, key, &spec, x != NULL ? x : &none, err);
}

static TmlStatus put_flexible(Modes *m, TmlError *err)
{
    TmlJson *j = &m->job->c.json;
    tml_json_open(j, "flexible", '[');
    for (int f = 0; f < m->job->n_flexible; ++f) {
        char name[TML_H5_NAME_MAX], path[TML_H5_NAME_MAX + 16];
        snprintf(path, sizeof path, "flexible/%s",
                 tml_h5_safe_name(m->job->flexible[f].name, name));
        TML_TRY(put_shape(m, m->group, path, NULL, err));
    }
    tml_json_close(j);
    return TML_OK;
}

/* Coordinates of the modal bodies that are drawn, in their order; a file of an older version has none. */
static TmlStatus put_modal(Modes *m, TmlError *err)
{
    TmlJson *j = &m->job->c.json;
    tml_json_open(j, "modal", '[');
    for (int k = 0; k < m->job->n_modal; ++k) {
        const TmlReportModal *b = &m->job->modal[k];
        char name[TML_H5_NAME_MAX], path[TML_H5_NAME_MAX + 16];
        hsize_t dim[TML_H5_RANK_MAX] = {(hsize_t)m->n, 2, (hsize_t)b->part.m};
        double *x;
        snprintf(path, sizeof path, "modal/%s", tml_h5_safe_name(b->result->name, name));
        TML_TRY(read_whole(m, m->group, path, 3, dim, &x, err));
        const TmlBlockSpec spec = {
            TML_BLOCK_F32, 3, {(int64_t)dim[0], (int64_t)dim[1], (int64_t)dim[2]}, 0.0, false};
        if (x == NULL || dim[2] != (hsize_t)b->part.m) {
            tml_json_raw(j, NULL, NULL);
            continue;
        }
        TML_TRY(tml_block_values(&m->job->c, NULL, &spec, x, err));
    }
    tml_json_close(j);
    return TML_OK;
}

static void read_attr(hid_t group, const char *name, double *x)
{
    const double value = tml_h5_attr_value(group, name);
    *x = isfinite(value) ? value : 0.0;
}

static void put_notes(TmlJson *j, hid_t group)
{
    double w[3], imbalance, sparse, order;
    read_attr(group, "spin_x", &w[0]);
    read_attr(group, "spin_y", &w[1]);
    read_attr(group, "spin_z", &w[2]);
    read_attr(group, "imbalance", &imbalance);
    read_attr(group, "sparse", &sparse);
    read_attr(group, "order", &order);
    tml_json_open(j, "notes", '[');
    char text[256];
    if (w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0) {
        snprintf(text, sizeof text, "seen from a frame that turns with (%.6g, %.6g, %.6g) rad/s",
                 w[0], w[1], w[2]);
        tml_json_string(j, NULL, text);
    }
    if (imbalance > balanced) {
        snprintf(text, sizeof text,
                 "no equilibrium: %.2g of the largest force is without balance, eigenvalues are "
                 "those of this moment",
                 imbalance);
        tml_json_string(j, NULL, text);
    }
    if (sparse != 0.0) {
        snprintf(text, sizeof text, "only some of the modes of %.0f states", order);
        tml_json_string(j, NULL, text);
    }
    tml_json_close(j);
}

static TmlStatus put_modes(Modes *m, TmlError *err)
{
    TmlJson *j = &m->job->c.json;
    double time;
    TML_TRY(read_numbers(m, err));
    read_attr(m->group, "time", &time);
    tml_json_open(j, "modes", '{');
    tml_json_number(j, "time", time);
    put_notes(j, m->group);
    put_list(j, m);
    TML_TRY(put_shape(m, m->group, "translation", "translation", err));
    TML_TRY(put_shape(m, m->group, "rotation", "rotation", err));
    TML_TRY(put_flexible(m, err));
    TML_TRY(m->job->n_modal > 0 ? put_modal(m, err) : TML_OK);
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_report_modes_part(TmlReportJob *job, TmlError *err)
{
    Modes m = {.job = job, .group = H5Gopen2(job->file.file, "modes", H5P_DEFAULT)};
    if (m.group < 0) {
        return tml_fail(err, TML_E_IO, "damaged: 'modes' is no group");
    }
    const TmlStatus status = put_modes(&m, err);
    H5Gclose(m.group);
    tml_arena_free(&m.arena);
    return status;
}

/* --- of a linearisation ----------------------------------------------------------------------- */

TmlStatus tml_report_modes(TmlSim *sim, const TmlLinear *lin, const char *html,
                           const TmlReportOptions *options, TmlError *err)
{
    char path[64];
    int fd;
    TML_TRY(tml_results_unnamed(NULL, &fd, path, sizeof path, err));
    TmlStatus status = tml_write_modes_h5(path, sim, lin, err);
    status = tml_unnamed_told(path, status, err);
    status = status == TML_OK ? tml_report(path, html, options, err) : status;
    close(fd);
    return status;
}
