/* io/export/analysis.c - results of statics and linearisation as JSON, eigenvalues as CSV. */
#include "io/results/modes_h5.h"
#include "io/text/json.h"

#include "base/fail.h"
#include "model/model.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static TmlStatus write_file(const char *path, TmlTextBuf *text, TmlError *err)
{
    char *all;
    TML_TRY(tml_textbuf_take(text, &all, err));
    const TmlStatus status = tml_file_write(path, all, strlen(all), err);
    tml_text_free(all);
    return status;
}

static void json_head(TmlJson *j, const TmlModel *model)
{
    tml_json_string(j, "trammel", TML_VERSION);
    tml_json_string(j, "model", model->file);
    tml_json_string(j, "title", model->title);
}

static void json_vec(TmlJson *j, const char *key, TmlVec3 x)
{
    tml_json_open(j, key, '[');
    tml_json_number(j, NULL, x.x);
    tml_json_number(j, NULL, x.y);
    tml_json_number(j, NULL, x.z);
    tml_json_close(j);
}

static void json_quat(TmlJson *j, const char *key, TmlQuat p)
{
    tml_json_open(j, key, '[');
    tml_json_number(j, NULL, p.w);
    tml_json_number(j, NULL, p.x);
    tml_json_number(j, NULL, p.y);
    tml_json_number(j, NULL, p.z);
    tml_json_close(j);
}

static void json_wrench(TmlJson *j, const TmlReaction *r)
{
    json_vec(j, "force", r->force);
    json_vec(j, "torque", r->torque);
    json_vec(j, "force_local", r->force_local);
    json_vec(j, "torque_local", r->torque_local);
}

/* --- modes ---------------------------------------------------------------------------------- */

/* Energy, and the displacement of each node. */
static void json_mode_flexible(TmlJson *j, const TmlModel *model, const TmlLinear *lin, int mode)
{
    tml_json_open(j, "flexible", '{');
    for (int f = 0; f < tml_model_flexible_count(model); ++f) {
        const int nodes = tml_model_flexible(model, f).nodes;
        tml_json_open(j, tml_model_flexible_name(model, f), '{');
        tml_json_number(j, "energy", tml_linear_flexible(lin, mode, f));
        for (int part = 0; part < 2; ++part) {
            tml_json_open(j, part == 0 ? "nodes" : "nodes_imag", '[');
            for (int k = 0; k < nodes; ++k) {
                TmlVec3 x[2];
                tml_linear_node(lin, mode, f, k, &x[0], &x[1]);
                json_vec(j, NULL, x[part]);
            }
            tml_json_close(j);
        }
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_mode_bodies(TmlJson *j, const TmlModel *model, const TmlLinear *lin, int mode)
{
    tml_json_open(j, "bodies", '{');
    for (int b = 1; b < tml_model_body_count(model); ++b) {
        const TmlModeBody x = tml_linear_body(lin, mode, b);
        tml_json_open(j, tml_model_body_name(model, b), '{');
        tml_json_number(j, "energy", x.energy);
        json_vec(j, "translation", x.translation);
        json_vec(j, "rotation", x.rotation);
        json_vec(j, "translation_imag", x.translation_imag);
        json_vec(j, "rotation_imag", x.rotation_imag);
        tml_json_close(j);
    }
    tml_json_close(j);
    json_mode_flexible(j, model, lin, mode);
    tml_json_open(j, "states", '{');
    for (int k = 0; k < model->states.n; ++k) {
        double re, im;
        tml_linear_state(lin, mode, k, &re, &im);
        tml_json_open(j, model->states.at[k].name, '[');
        tml_json_number(j, NULL, re);
        tml_json_number(j, NULL, im);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_modes(TmlJson *j, const TmlModel *model, const TmlLinear *lin)
{
    const TmlLinearInfo info = tml_linear_info(lin);
    tml_json_open(j, "modes", '[');
    for (int k = 0; k < info.modes; ++k) {
        const TmlMode m = tml_linear_mode(lin, k);
        tml_json_open(j, NULL, '{');
        tml_json_number(j, "real", m.real);
        tml_json_number(j, "imag", m.imag);
        tml_json_number(j, "frequency", m.frequency);
        tml_json_number(j, "natural_frequency", m.natural_frequency);
        tml_json_number(j, "damping_ratio", m.damping_ratio);
        tml_json_number(j, "time_constant", m.time_constant);
        json_mode_bodies(j, model, lin, k);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void csv_modes(TmlTextBuf *text, const TmlLinear *lin)
{
    const TmlLinearInfo info = tml_linear_info(lin);
    tml_textbuf_put(text, "real,imag,frequency,natural_frequency,damping_ratio,time_constant\n");
    for (int k = 0; k < info.modes; ++k) {
        const TmlMode m = tml_linear_mode(lin, k);
        const double x[] = {m.real,          m.imag,         m.frequency, m.natural_frequency,
                            m.damping_ratio, m.time_constant};
        for (size_t i = 0; i < sizeof x / sizeof x[0]; ++i) {
            char number[TML_NUMBER_MAX];
            tml_textbuf_add(text, "%s%s", i > 0 ? "," : "", tml_number_text(x[i], number));
        }
        tml_textbuf_put(text, "\n");
    }
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcmp(path + n - k, suffix) == 0;
}

TmlStatus tml_write_modes(const char *path, TmlSim *sim, const TmlLinear *lin, TmlError *err)
{
    const TmlLinearInfo info = tml_linear_info(lin);
    const double *A = tml_linear_matrix(lin);
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    if (ends_in(path, ".h5") || ends_in(path, ".hdf5")) {
        return tml_write_modes_h5(path, sim, lin, err);
    }
    if (ends_in(path, ".csv")) {
        csv_modes(&text, lin);
        return write_file(path, &text, err);
    }
    tml_json_open(&j, NULL, '{');
    json_head(&j, tml_sim_model(sim));
    tml_json_number(&j, "time", info.time);
    tml_json_int(&j, "order", info.order);
    tml_json_int(&j, "degrees_of_freedom", info.degrees_of_freedom);
    tml_json_number(&j, "shift", info.shift);
    tml_json_bool(&j, "sparse", info.sparse);
    tml_json_number(&j, "speed", info.speed);
    tml_json_number(&j, "acceleration", info.acceleration);
    tml_json_number(&j, "imbalance", info.imbalance);
    json_vec(&j, "spin", info.spin.rate);
    tml_json_number(&j, "unsteady", info.unsteady);
    json_modes(&j, tml_sim_model(sim), lin);
    tml_json_open(&j, "matrix", '['); // by columns
    for (int k = 0; A != NULL && k < info.order * info.order; ++k) {
        tml_json_number(&j, NULL, A[k]);
    }
    tml_json_close(&j);
    tml_json_close(&j);
    return write_file(path, &text, err);
}

/* --- statics -------------------------------------------------------------------------------- */

static void json_bodies(TmlJson *j, const TmlSim *sim, const TmlModel *model)
{
    tml_json_open(j, "bodies", '{');
    for (int b = 1; b < tml_model_body_count(model); ++b) {
        const TmlBodyState s = tml_row_body(sim, b);
        tml_json_open(j, tml_model_body_name(model, b), '{');
        json_vec(j, "position", s.position);
        json_quat(j, "orientation", s.orientation);
        tml_json_close(j);
    }
    tml_json_close(j);
}

/* Vectors of all nodes: position, gradients. */
static void json_flexible(TmlJson *j, const TmlSim *sim, const TmlModel *model)
{
    tml_json_open(j, "flexible", '{');
    for (int f = 0; f < tml_model_flexible_count(model); ++f) {
        const TmlFlexibleInfo info = tml_model_flexible(model, f);
        tml_json_open(j, tml_model_flexible_name(model, f), '{');
        tml_json_open(j, "nodes", '[');
        for (int k = 0; k < info.nodes; ++k) {
            tml_json_open(j, NULL, '{');
            for (int v = 0; v < info.vectors; ++v) {
                json_vec(j, tml_model_flexible_vector(model, f, v), tml_row_node(sim, f, k, v));
            }
            tml_json_close(j);
        }
        tml_json_close(j);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_modal(TmlJson *j, const TmlSim *sim, const TmlModel *model)
{
    tml_json_open(j, "modal", '{');
    for (int k = 0; k < tml_model_modal_count(model); ++k) {
        tml_json_open(j, tml_model_modal_name(model, k), '[');
        for (int i = 0; i < tml_model_modal(model, k).modes; ++i) {
            tml_json_number(j, NULL, tml_row_mode(sim, k, i));
        }
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_joints(TmlJson *j, const TmlSim *sim, const TmlModel *model)
{
    tml_json_open(j, "joints", '{');
    for (int k = 0; k < model->constraints.n; ++k) {
        const TmlReaction r = tml_row_reaction(sim, k);
        tml_json_open(j, model->constraints.at[k].name, '{');
        json_wrench(j, &r);
        tml_json_bool(j, "unique", r.unique);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_forces(TmlJson *j, const TmlSim *sim)
{
    tml_json_open(j, "forces", '{');
    for (int k = 0; k < tml_sim_force_count(sim); ++k) {
        const TmlReaction r = tml_row_force(sim, k);
        const char *name, *unit;
        double value;
        tml_json_open(j, tml_sim_force_name(sim, k), '{');
        json_wrench(j, &r);
        tml_json_open(j, "outputs", '{');
        for (int i = 0; tml_row_force_output(sim, k, i, &name, &unit, &value); ++i) {
            tml_json_number(j, name, value);
        }
        tml_json_close(j);
        tml_json_close(j);
    }
    tml_json_close(j);
}

static void json_channels(TmlJson *j, const TmlSim *sim)
{
    tml_json_open(j, "channels", '{');
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        tml_json_number(j, tml_row_channel_name(sim, k), tml_row_channel(sim, k));
    }
    tml_json_close(j);
}

static void json_stability(TmlJson *j, const TmlStaticsInfo *info)
{
    tml_json_int(j, "unstable", info->unstable); // -1: not known
    tml_json_int(j, "negative", info->negative);
    tml_json_number(j, "growth", info->growth);
    tml_json_number(j, "beyond", info->beyond);
    if (info->nearer) {
        tml_json_open(j, "nearer", '{');
        tml_json_number(j, "moved", info->nearer_moved);
        tml_json_number(j, "turned", info->nearer_turned);
        tml_json_int(j, "unstable", info->nearer_unstable);
        tml_json_close(j);
    }
}

TmlStatus tml_write_statics(const char *path, const TmlSim *sim, const TmlStaticsInfo *info,
                            TmlError *err)
{
    const TmlModel *model = tml_sim_model(sim);
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    tml_json_open(&j, NULL, '{');
    json_head(&j, model);
    tml_json_number(&j, "time", tml_row_time(sim));
    tml_json_int(&j, "iterations", info->iterations);
    tml_json_int(&j, "load_steps", info->load_steps);
    tml_json_number(&j, "residual", info->residual);
    tml_json_number(&j, "moved", info->moved);
    tml_json_number(&j, "turned", info->turned);
    tml_json_bool(&j, "neutral", info->neutral);
    json_stability(&j, info);
    json_vec(&j, "spin", info->spin.rate);
    tml_json_number(&j, "potential", tml_row_certificate(sim).potential);
    json_bodies(&j, sim, model);
    json_flexible(&j, sim, model);
    if (tml_model_modal_count(model) > 0) {
        json_modal(&j, sim, model);
    }
    json_joints(&j, sim, model);
    json_forces(&j, sim);
    json_channels(&j, sim);
    tml_json_close(&j);
    return write_file(path, &text, err);
}
