/* analysis/keep/record.c - output rows as a table in memory. */
#include "trammel/record.h"

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/flexible.h"
#include "trammel/modal.h"

#include <stdio.h>
#include <string.h>

struct TmlRecord {
    TmlArena arena;
    bool all;
    int columns, bodies, joints, flexible, modal, channels;
    int cap_names;
    const char **name, **unit;
    int64_t rows, room;
    double *value; // room * columns
};

static TmlStatus add(TmlRecord *r, const char *unit, TmlError *err, const char *name)
{
    int cap = r->cap_names;
    void *names = (void *)r->name, *units = (void *)r->unit;
    bool ok = tml_mem_grow(&names, &cap, r->columns + 1, sizeof *r->name);
    r->name = names;
    cap = r->cap_names;
    ok = ok && tml_mem_grow(&units, &cap, r->columns + 1, sizeof *r->unit);
    r->unit = units;
    r->cap_names = ok ? cap : r->cap_names;
    const char *own = ok ? tml_arena_strdup(&r->arena, name) : NULL;
    const char *own_unit = ok ? tml_arena_strdup(&r->arena, unit != NULL ? unit : "") : NULL;
    if (own == NULL || own_unit == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the names of channels");
    }
    r->name[r->columns] = own;
    r->unit[r->columns++] = own_unit;
    return TML_OK;
}

/* A name and its parts: "rod" and "position.x", .y, .z. */
static TmlStatus add_parts(TmlRecord *r, const char *of, const char *field, const char *unit, int n,
                           const char *const *parts, TmlError *err)
{
    char name[4 * TML_NAME_MAX];
    for (int k = 0; k < n; ++k) {
        snprintf(name, sizeof name, "%s.%s.%s", of, field, parts[k]);
        TML_TRY(add(r, unit, err, name));
    }
    return TML_OK;
}

static const char *const xyz[] = {"x", "y", "z"};

static TmlStatus name_bodies(TmlRecord *r, const TmlModel *m, TmlError *err)
{
    static const char *const wxyz[] = {"w", "x", "y", "z"};
    r->bodies = tml_model_body_count(m);
    for (int b = 1; b < r->bodies; ++b) {
        const char *of = tml_model_body_name(m, b);
        TML_TRY(add_parts(r, of, "position", "m", 3, xyz, err));
        TML_TRY(add_parts(r, of, "orientation", "", 4, wxyz, err));
        TML_TRY(add_parts(r, of, "velocity", "m/s", 3, xyz, err));
        TML_TRY(add_parts(r, of, "angular_velocity", "rad/s", 3, xyz, err));
        TML_TRY(add_parts(r, of, "acceleration", "m/s^2", 3, xyz, err));
        TML_TRY(add_parts(r, of, "angular_acceleration", "rad/s^2", 3, xyz, err));
    }
    return TML_OK;
}

static TmlStatus name_joints(TmlRecord *r, const TmlModel *m, TmlError *err)
{
    static const char *const f[] = {"fx", "fy", "fz"}, *const t[] = {"tx", "ty", "tz"};
    static const char *const fl[] = {"fx_local", "fy_local", "fz_local"}, *const tl[] = {
                                                                              "tx_local",
                                                                              "ty_local",
                                                                              "tz_local"};
    r->joints = tml_model_joint_count(m);
    for (int k = 0; k < r->joints; ++k) {
        const char *of = tml_model_joint_name(m, k);
        TML_TRY(add_parts(r, of, "reaction", "N", 3, f, err));
        TML_TRY(add_parts(r, of, "reaction", "N m", 3, t, err));
        TML_TRY(add_parts(r, of, "reaction", "N", 3, fl, err));
        TML_TRY(add_parts(r, of, "reaction", "N m", 3, tl, err));
    }
    return TML_OK;
}

static TmlStatus name_flexible(TmlRecord *r, const TmlModel *m, TmlError *err)
{
    char node[32], name[2 * TML_NAME_MAX];
    r->flexible = tml_model_flexible_count(m);
    for (int k = 0; k < r->flexible; ++k) {
        const TmlFlexibleInfo info = tml_model_flexible(m, k);
        for (int i = 0; i < info.nodes; ++i) {
            snprintf(node, sizeof node, "node%d", i);
            TML_TRY(add_parts(r, tml_model_flexible_name(m, k), node, "m", 3, xyz, err));
        }
    }
    r->modal = tml_model_modal_count(m);
    for (int k = 0; k < r->modal; ++k) {
        const int modes = tml_model_modal(m, k).modes;
        for (int i = 0; i < modes; ++i) {
            snprintf(name, sizeof name, "%s.mode%d", tml_model_modal_name(m, k), i + 1);
            TML_TRY(add(r, "", err, name));
            snprintf(name, sizeof name, "%s.mode%d.rate", tml_model_modal_name(m, k), i + 1);
            TML_TRY(add(r, "", err, name));
        }
    }
    return TML_OK;
}

static TmlStatus name_certificate(TmlRecord *r, TmlError *err)
{
    static const char *const names[][2] = {
        {"certificate.phi", ""},    {"certificate.phi_dot", ""}, {"certificate.phi_ddot", ""},
        {"certificate.forces", ""}, {"energy.kinetic", "J"},     {"energy.potential", "J"},
        {"energy.dissipated", "J"}, {"energy.work", "J"},        {"energy.balance", "J"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        TML_TRY(add(r, names[k][1], err, names[k][0]));
    }
    return TML_OK;
}

static TmlStatus name_all(TmlRecord *r, const TmlSim *sim, TmlError *err)
{
    const TmlModel *m = tml_sim_model(sim);
    TML_TRY(add(r, "s", err, "time"));
    r->channels = tml_row_channel_count(sim);
    for (int k = 0; k < r->channels; ++k) {
        TML_TRY(add(r, tml_row_channel_unit(sim, k), err, tml_row_channel_name(sim, k)));
    }
    if (!r->all) {
        return TML_OK;
    }
    TML_TRY(name_bodies(r, m, err));
    TML_TRY(name_joints(r, m, err));
    TML_TRY(name_flexible(r, m, err));
    return name_certificate(r, err);
}

TmlStatus tml_record_create(const TmlSim *sim, bool all, TmlRecord **out, TmlError *err)
{
    *out = NULL;
    TmlRecord *r = tml_mem_zalloc(1, sizeof *r);
    if (r == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for rows");
    }
    r->all = all;
    const TmlStatus status = name_all(r, sim, err);
    if (status != TML_OK) {
        tml_record_free(r);
        return status;
    }
    *out = r;
    return TML_OK;
}

void tml_record_free(TmlRecord *r)
{
    if (r != NULL) {
        tml_mem_free((void *)r->name);
        tml_mem_free((void *)r->unit);
        tml_mem_free(r->value);
        tml_arena_free(&r->arena);
        tml_mem_free(r);
    }
}

static double *put3(double *to, TmlVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

static double *put_parts(const TmlRecord *r, const TmlSim *sim, double *to)
{
    for (int b = 1; b < r->bodies; ++b) {
        const TmlBodyState s = tml_row_body(sim, b);
        to = put3(to, s.position);
        *to++ = s.orientation.w;
        to = put3(to, (TmlVec3){s.orientation.x, s.orientation.y, s.orientation.z});
        to = put3(put3(to, s.velocity), s.omega);
        to = put3(put3(to, s.acceleration), s.alpha);
    }
    for (int k = 0; k < r->joints; ++k) {
        const TmlReaction s = tml_row_reaction(sim, k);
        to = put3(put3(to, s.force), s.torque);
        to = put3(put3(to, s.force_local), s.torque_local);
    }
    const TmlModel *m = tml_sim_model(sim);
    for (int k = 0; k < r->flexible; ++k) {
        const int nodes = tml_model_flexible(m, k).nodes;
        for (int i = 0; i < nodes; ++i) {
            to = put3(to, tml_row_node(sim, k, i, 0));
        }
    }
    for (int k = 0; k < r->modal; ++k) {
        const int modes = tml_model_modal(m, k).modes;
        for (int i = 0; i < modes; ++i) {
            *to++ = tml_row_mode(sim, k, i);
            *to++ = tml_row_mode_rate(sim, k, i);
        }
    }
    return to;
}

TmlStatus tml_record_row(void *record, const TmlSim *sim, TmlError *err)
{
    TmlRecord *r = record;
    if (r->rows == r->room) {
        const int64_t room = r->room > 0 ? 2 * r->room : 64;
        double *grown = tml_mem_resize(r->value, (size_t)room * (size_t)r->columns * sizeof *grown);
        if (grown == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for %lld rows", (long long)room);
        }
        r->value = grown;
        r->room = room;
    }
    double *to = r->value + r->rows++ * r->columns;
    *to++ = tml_row_time(sim);
    for (int k = 0; k < r->channels; ++k) {
        *to++ = tml_row_channel(sim, k);
    }
    if (r->all) {
        to = put_parts(r, sim, to);
        const TmlCertificate c = tml_row_certificate(sim);
        const double of[] = {c.phi,       c.phi_dot,    c.phi_ddot, c.forces,      c.kinetic,
                             c.potential, c.dissipated, c.work,     c.energy_error};
        memcpy(to, of, sizeof of);
    }
    return TML_OK;
}

int64_t tml_record_rows(const TmlRecord *record)
{
    return record->rows;
}

int tml_record_columns(const TmlRecord *record)
{
    return record->columns;
}

const char *tml_record_name(const TmlRecord *record, int column)
{
    return column >= 0 && column < record->columns ? record->name[column] : NULL;
}

const char *tml_record_unit(const TmlRecord *record, int column)
{
    return column >= 0 && column < record->columns ? record->unit[column] : NULL;
}

const double *tml_record_values(const TmlRecord *record)
{
    return record->value;
}
