/* io/report_modes.c - a report of the modes of a linearisation.
 *
 * The state goes through an ordinary result file of one row, so that shapes, joints and flexible
 * bodies are those of any other report; the modes are added to its header.
 */
#include "analysis/linear_work.h"
#include "io/report_parts.h"
#include "model/model.h"
#include "system/vectors.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- energies --------------------------------------------------------------------------------- */

/* Share of a body or, numbered after them, of a flexible body in a mode. */
typedef struct Share {
    const char *name;
    double share;
} Share;

static int larger(const void *a, const void *b)
{
    const double x = ((const Share *)a)->share, y = ((const Share *)b)->share;
    return x > y ? -1 : x < y;
}

/* [["rod", 0.93], ...], largest first; what is below half a percent says nothing. */
static void put_energy(TmlJson *j, const TmlModel *m, const TmlLinear *lin, int mode, Share *list)
{
    int n = 0;
    for (int b = 1; b < tml_model_body_count(m); ++b) {
        list[n++] = (Share){tml_model_body_name(m, b), tml_linear_body(lin, mode, b).energy};
    }
    for (int f = 0; f < tml_model_flexible_count(m); ++f) {
        list[n++] = (Share){tml_model_flexible_name(m, f), tml_linear_flexible(lin, mode, f)};
    }
    qsort(list, (size_t)n, sizeof *list, larger);
    tml_json_open(j, "energy", '[');
    for (int k = 0; k < n && list[k].share >= 0.005; ++k) {
        tml_json_open(j, NULL, '[');
        tml_json_string(j, NULL, list[k].name);
        tml_json_number(j, NULL, list[k].share);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static TmlStatus put_list(TmlJson *j, const TmlModel *m, const TmlLinear *lin, TmlError *err)
{
    const int n = tml_model_body_count(m) + tml_model_flexible_count(m);
    Share *list = tml_mem_zalloc((size_t)n, sizeof *list);
    if (list == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the modes");
    }
    tml_json_open(j, "list", '[');
    for (int k = 0; k < tml_linear_info(lin).modes; ++k) {
        const TmlMode mode = tml_linear_mode(lin, k);
        tml_json_open(j, NULL, '{');
        tml_json_number(j, "real", mode.real);
        tml_json_number(j, "imag", mode.imag);
        tml_json_number(j, "frequency", mode.frequency);
        tml_json_number(j, "natural_frequency", mode.natural_frequency);
        tml_json_number(j, "damping_ratio", mode.damping_ratio);
        tml_json_number(j, "time_constant", mode.time_constant);
        put_energy(j, m, lin, k, list);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_mem_free(list);
    return TML_OK;
}

/* --- shapes ----------------------------------------------------------------------------------- */

static double *put_vec(double *to, TmlVec3 x)
{
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
    return to + 3;
}

/* Displacements or rotations of all bodies in a mode: real parts, then imaginary ones. */
static void body_shape(const TmlModel *m, const TmlLinear *lin, int mode, bool turn, double *to)
{
    for (int part = 0; part < 2; ++part) {
        for (int b = 1; b < tml_model_body_count(m); ++b) {
            const TmlModeBody x = tml_linear_body(lin, mode, b);
            to = put_vec(to, turn ? (part == 0 ? x.rotation : x.rotation_imag)
                                  : (part == 0 ? x.translation : x.translation_imag));
        }
    }
}

/* Changes of all vectors of the nodes of a flexible body, in the same order. The kinematics are
 * those of the state. */
static void node_shape(const TmlLinear *lin, int mode, int flexible, double *to)
{
    const TmlSystem *sys = lin->sim->sys;
    const TmlMesh *mesh = &sys->model->meshes.at[flexible];
    const size_t size = (size_t)sys->nu + (size_t)sys->nx;
    for (int part = 0; part < 2; ++part) {
        const double *du = lin->shape + ((size_t)mode * 2 + (size_t)part) * size;
        for (int k = 0; k < mesh->n_nodes * mesh->type->vectors; ++k) {
            to = put_vec(to, tml_vector_change(sys, &mesh->vector[k], du));
        }
    }
}

enum { TRANSLATION = -2, ROTATION = -1 }; /* else the number of a flexible body */

/* One block (mode, 2, items, 3). */
static TmlStatus put_shapes(TmlReportJob *job, const char *key, int what, TmlError *err)
{
    const TmlLinear *lin = job->linear;
    const TmlModel *m = tml_sim_model(lin->sim);
    const int modes = tml_linear_info(lin).modes;
    const int items = what < 0 ? tml_model_body_count(m) - 1
                               : m->meshes.at[what].n_nodes * m->meshes.at[what].type->vectors;
    const size_t width = 6 * (size_t)items;
    double *value = tml_mem_zalloc(width * (size_t)modes + 1, sizeof *value);
    if (value == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the modes");
    }
    for (int k = 0; k < modes; ++k) {
        if (what < 0) {
            body_shape(m, lin, k, what == ROTATION, value + (size_t)k * width);
        } else {
            node_shape(lin, k, what, value + (size_t)k * width);
        }
    }
    const TmlBlockSpec spec = {TML_BLOCK_F32, 4, {modes, 2, items, 3}, 0.0, false};
    const TmlStatus status = tml_block_values(&job->c, key, &spec, value, err);
    tml_mem_free(value);
    return status;
}

TmlStatus tml_report_modes_part(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const TmlModel *m = tml_sim_model(job->linear->sim);
    tml_json_open(j, "modes", '{');
    tml_json_number(j, "time", tml_linear_info(job->linear).time);
    TML_TRY(put_list(j, m, job->linear, err));
    TML_TRY(put_shapes(job, "translation", TRANSLATION, err));
    TML_TRY(put_shapes(job, "rotation", ROTATION, err));
    tml_json_open(j, "flexible", '[');
    for (int f = 0; f < tml_model_flexible_count(m); ++f) {
        TML_TRY(put_shapes(job, NULL, f, err));
    }
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}

/* --- the state -------------------------------------------------------------------------------- */

/* A name for a result file that is gone when the report is made. */
static TmlStatus spare_name(char *path, size_t size, TmlError *err)
{
    const char *folder = getenv("TMPDIR");
    const int n = snprintf(path, size, "%s/trammel-XXXXXX.h5",
                           folder != NULL && folder[0] != '\0' ? folder : "/var/tmp");
    const int fd = n > 0 && (size_t)n < size ? mkstemps(path, 3) : -1;
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "cannot create a temporary file in '%s': %s",
                        folder != NULL ? folder : "/var/tmp", strerror(errno));
    }
    close(fd);
    return TML_OK;
}

static TmlStatus write_state(const char *path, TmlSim *sim, TmlError *err)
{
    TmlWriter *w = NULL;
    tml_sim_row_now(sim);
    TML_TRY(tml_writer_open(path, sim, &w, err));
    const TmlStatus status = tml_writer_row(w, sim, err);
    TmlError closing = {0};
    const TmlStatus closed = tml_writer_close(w, sim, status == TML_OK ? err : &closing);
    return status != TML_OK ? status : closed;
}

TmlStatus tml_report_modes(TmlSim *sim, const TmlLinear *lin, const char *html,
                           const TmlReportOptions *options, TmlError *err)
{
    char path[4096];
    TML_TRY(spare_name(path, sizeof path, err));
    TmlStatus status = write_state(path, sim, err);
    if (status == TML_OK) {
        status = tml_report_state(path, lin, html, options, err);
    }
    unlink(path);
    return status;
}
