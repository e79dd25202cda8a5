/* analysis/rows/row_read.c - what can be read of an output row. */
#include "analysis/driver/sim_internal.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "trammel/flexible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- channels of models without outputs ---------------------------------------------------- */

/* Adds the positions of one thing as three channels. */
static void position_channels(TmlSim *sim, const char *name, struct TmlDefaultChannel what)
{
    for (int c = 0; c < 3; ++c) {
        struct TmlDefaultChannel *to = &sim->rows.default_channel[sim->rows.n_default++];
        *to = what;
        to->component = c;
        snprintf(to->name, sizeof to->name, "%.120s.%c", name, "xyz"[c]);
    }
}

/* Adds channels of both ends of a line, or of the first and the last corner of a patch. */
static void flexible_channels(TmlSim *sim, int mesh)
{
    const bool patch = tml_model_flexible(sim->model, mesh).patch;
    char name[TML_NAME_MAX];
    for (int end = 0; end < 2; ++end) {
        snprintf(name, sizeof name, "%.110s.%s", tml_flex_name(sim->sys, mesh),
                 end == 0 ? "start" : "end");
        const struct TmlDefaultChannel what = {
            .body = -1, .mesh = mesh, .u = end, .v = patch ? end : 0};
        position_channels(sim, name, what);
    }
}

/* Without outputs in the model, positions are the channels: of bodies, of ends of flexible ones. */
TmlStatus tml_sim_default_channels(TmlSim *sim, TmlError *err)
{
    enum { MAX_BODIES = 100, MAX_FLEXIBLE = 50 };
    const TmlModel *m = sim->model;
    const int all = tml_model_body_count(m) - 1, n = all < MAX_BODIES ? all : MAX_BODIES;
    const int meshes = tml_flex_count(sim->sys);
    const int flexible = meshes < MAX_FLEXIBLE ? meshes : MAX_FLEXIBLE;
    if (m->channels.n > 0 || n + flexible <= 0) {
        return TML_OK;
    }
    TML_NEW(tml_system_arena(sim->sys), sim->rows.default_channel, 3 * n + 6 * flexible);
    for (int k = 1; k <= n; ++k) {
        const struct TmlDefaultChannel what = {.body = tml_model_shown_body(m, k)};
        position_channels(sim, tml_model_body_name(m, k), what);
    }
    for (int k = 0; k < flexible; ++k) {
        flexible_channels(sim, k);
    }
    return TML_OK;
}

/* --- reading a row ------------------------------------------------------------------------- */

bool tml_sim_has_row(const TmlSim *sim)
{
    return sim->rows.is_there;
}

bool tml_row_exists(const TmlSim *sim, const char *function)
{
    char text[160];
    if (sim->rows.is_there) {
        return true;
    }
    if (*sim->rows.misuse == NULL && sim->options.hooks.log != NULL) {
        snprintf(text, sizeof text, "%s was called without a row: call tml_sim_row_at first",
                 function);
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, text);
    }
    *sim->rows.misuse = *sim->rows.misuse == NULL ? function : *sim->rows.misuse;
    return false;
}

TmlStatus tml_sim_row_misuse(TmlSim *sim, TmlError *err)
{
    const char *function = *sim->rows.misuse;
    *sim->rows.misuse = NULL;
    return function == NULL
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT,
                          "%s was called without a row, and gave no numbers: call tml_sim_row_at "
                          "after tml_sim_create or tml_sim_step first",
                          function);
}

TmlStatus tml_sim_row_status(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_sim_row_misuse(sim, err));
    return sim->rows.is_there
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT, "there is no row: call tml_sim_row_at");
}

static const double none = (double)NAN;
static const TmlVec3 no_vector = {(double)NAN, (double)NAN, (double)NAN};

double tml_row_time(const TmlSim *sim)
{
    const bool known = sim->rows.was_there || tml_row_exists(sim, __func__);
    return !known ? none : tml_sim_path_asked(sim, NULL) ? tml_row_path(sim).length : sim->row.t;
}

TmlBodyState tml_row_body(const TmlSim *sim, int index)
{
    TmlBodyState out = {.orientation = {1, 0, 0, 0}};
    if (!tml_row_exists(sim, __func__)) {
        return (TmlBodyState){no_vector, {none, none, none, none}, no_vector, no_vector, no_vector,
                              no_vector};
    }
    const int body = tml_model_shown_body(sim->model, index);
    if (body <= 0) {
        return out;
    }
    const TmlFrameKin *k = tml_body_motion(sim->sys, body);
    out.position = k->r;
    out.orientation = tml_body_orientation(sim->sys, &sim->row, body);
    out.velocity = k->v;
    out.omega = k->omega;
    out.acceleration = k->a;
    out.alpha = k->alpha;
    return out;
}

TmlReaction tml_row_reaction(const TmlSim *sim, int joint)
{
    TmlReaction out = {.unique = true};
    TmlSystem *sys = sim->sys;
    if (!tml_row_exists(sim, __func__)) {
        return (TmlReaction){no_vector, no_vector, no_vector, no_vector, false};
    }
    if (joint < 0 || joint >= tml_model_joint_count(sim->model)) {
        return out;
    }
    TmlState row = sim->row;
    row.lambda = tml_system_shared_lambda(sys, &row);
    const TmlRow w = tml_system_reaction(sys, &row, joint);
    out.force = w.r;
    out.torque = w.theta;
    int ends;
    const TmlFrameKin *motion = tml_joint_motion(sys, joint, &ends);
    if (ends > 1) {
        const TmlMat33 *A = &motion[1].A;
        out.force_local = m3_tmulv(A, w.r);
        out.torque_local = m3_tmulv(A, w.theta);
    }
    out.unique = tml_joint_is_unique(sys, joint);
    return out;
}

double tml_row_state(const TmlSim *sim, int state)
{
    const bool known = state >= 0 && state < tml_dims(sim->sys)->nx;
    return known && tml_row_exists(sim, __func__) ? sim->row.X[state] : none;
}

TmlCertificate tml_row_certificate(const TmlSim *sim)
{
    const bool known = sim->rows.was_there || tml_row_exists(sim, __func__);
    return known ? sim->rows.certificate
                 : (TmlCertificate){none, none, none, none, none, none, none,
                                    none, none, none, none, none, none, none};
}

/* Returns the number of channels: those of the model, or the positions that stand for them. */
static int own_channels(const TmlSim *sim)
{
    return sim->model->channels.n > 0 ? sim->model->channels.n : sim->rows.n_default;
}

int tml_row_channel_count(const TmlSim *sim)
{
    return own_channels(sim) + tml_path_channels(sim) + tml_drive_channels(sim);
}

const char *tml_row_channel_name(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim)) {
        return NULL;
    }
    const int drive = channel - own_channels(sim) - tml_path_channels(sim);
    if (drive >= 0) {
        return sim->drive_channel[drive].name;
    }
    if (channel >= own_channels(sim)) {
        return tml_path_channel_name(sim, channel - own_channels(sim));
    }
    return sim->model->channels.n > 0 ? sim->model->channels.at[channel].name
                                      : sim->rows.default_channel[channel].name;
}

const char *tml_row_channel_unit(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim)) {
        return NULL;
    }
    const int drive = channel - own_channels(sim) - tml_path_channels(sim);
    if (drive >= 0) {
        return sim->drive_channel[drive].unit;
    }
    if (channel >= own_channels(sim)) {
        return "";
    }
    if (sim->model->channels.n == 0) {
        return "m";
    }
    const char *unit = sim->model->channels.at[channel].unit;
    return unit != NULL ? unit : "";
}

double tml_row_channel(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim) || !tml_row_exists(sim, __func__)) {
        return none;
    }
    const int drive = channel - own_channels(sim) - tml_path_channels(sim);
    if (drive >= 0) {
        return tml_drive_channel(sim, drive);
    }
    if (channel >= own_channels(sim)) {
        return tml_path_channel(sim, channel - own_channels(sim));
    }
    if (sim->model->channels.n > 0) {
        return tml_system_channel(sim->sys, &sim->row, channel);
    }
    const struct TmlDefaultChannel *c = &sim->rows.default_channel[channel];
    const double place[3] = {c->u, c->v, 0.0};
    const TmlVec3 r =
        c->body < 0 ? tml_row_place(sim, c->mesh, place) : tml_body_motion(sim->sys, c->body)->r;
    return c->component == 0 ? r.x : c->component == 1 ? r.y : r.z;
}

int tml_sim_channel_find(const TmlSim *sim, const char *name)
{
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        if (strcmp(tml_row_channel_name(sim, k), name) == 0) {
            return k;
        }
    }
    return -1;
}
