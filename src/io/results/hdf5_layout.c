/* io/results/hdf5_layout.c - which datasets a result file has, and where a value of a row lies. */
#include "io/results/hdf5_layout.h"

#include "analysis/driver/sim_facts.h"
#include "trammel/analysis.h"
#include "trammel/sim.h"

#include <stdio.h>
#include <string.h>

/* Rows wait in memory up to this many, and up to about this many bytes. A call of HDF5 costs the same for one row as for a chunk of
 * them: with 64 rows a time, 10,000 rows of 100 bodies took 113,000 of them and 3 s, most of it without a byte written. */
enum { BUFFER_ROWS = 1024, BUFFER_BYTES = 16 << 20, SHORT_RUN = 64 };

#define XYZ                                                                                        \
    {                                                                                              \
        "x", "y", "z"                                                                              \
    }
static const TmlH5Field time_fields[] = {{"time", "s", 1, {NULL}}};
static const TmlH5Field body_fields[] = {
    {"position", "m", 3, XYZ},         {"orientation", "", 4, {"w", "x", "y", "z"}},
    {"velocity", "m/s", 3, XYZ},       {"angular_velocity", "rad/s", 3, XYZ},
    {"acceleration", "m/s^2", 3, XYZ}, {"angular_acceleration", "rad/s^2", 3, XYZ},
};
static const TmlH5Field joint_fields[] = {
    {"reaction",
     "N, N m",
     12,
     {"fx", "fy", "fz", "tx", "ty", "tz", "fx_local", "fy_local", "fz_local", "tx_local",
      "ty_local", "tz_local"}},
};
static const TmlH5Field certificate_fields[] = {
    {"phi", "", 1, {NULL}},
    {"phi_dot", "", 1, {NULL}},
    {"phi_ddot", "", 1, {NULL}},
    {"kinetic", "J", 1, {NULL}},
    {"potential", "J", 1, {NULL}},
    {"dissipated", "J", 1, {NULL}},
    {"work", "J", 1, {NULL}},
    {"energy", "J", 1, {NULL}},
    {"integrated_phi", "", 1, {NULL}},
    {"integrated_phi_dot", "", 1, {NULL}},
    {"integrated_phi_ddot", "", 1, {NULL}},
    {"forces", "", 1, {NULL}},
    // of models with contacts alone
    {"lost_contact", "J", 1, {NULL}},
    {"lost_friction", "J", 1, {NULL}},
};
enum { CONTACT_FIELDS = 2 };
/* Of one point; a row has as many as there is room for. */
static const TmlH5Field contact_fields[] = {
    {"count", "", 1, {NULL}},  {"between", "", 3, {NULL}}, {"point", "m", 3, {NULL}},
    {"normal", "", 3, {NULL}}, {"force", "N", 3, {NULL}},  {"depth", "m", 1, {NULL}},
};
enum { LEAST_POINTS = 4, MOST_POINTS = 64, N_CONTACT = 6 };
static const TmlH5Field channel_value = {"value", "", 1, {NULL}};
/* --- layout -------------------------------------------------------------------------------- */

int tml_h5_set_columns(const TmlH5Set *s)
{
    return s->packed ? s->n_fields : s->n_fields * s->n_items;
}

/* Where the values of an item's field lie in a buffered row. */
static double *set_at(const TmlH5Set *s, int row, int item, int field)
{
    const size_t n = (size_t)s->field[field].n;
    if (s->packed) {
        return s->buffer[field] + ((size_t)row * (size_t)s->n_items + (size_t)item) * n;
    }
    return s->buffer[item * s->n_fields + field] + (size_t)row * n;
}

static size_t set_row_bytes(const TmlH5Set *s)
{
    size_t n = 0;
    for (int k = 0; k < s->n_fields; ++k) {
        n += (size_t)s->field[k].n;
    }
    return n * (size_t)s->n_items * sizeof(double);
}

/* Channels are the fields of one item, so that each is named and has its unit. */
static TmlStatus channels_layout(TmlH5Layout *l, const TmlSim *sim, TmlH5Set *s, TmlError *err)
{
    const int n = tml_row_channel_count(sim);
    if (n > TML_H5_PACKED_ABOVE) {
        *s = (TmlH5Set){"channels", n, 1, &channel_value, false, true, NULL, NULL};
        return TML_OK;
    }
    TmlH5Field *field;
    TML_NEW(l->arena, field, n);
    for (int k = 0; k < n; ++k) {
        const char *unit = tml_row_channel_unit(sim, k);
        field[k] = (TmlH5Field){tml_row_channel_name(sim, k), unit != NULL ? unit : "", 1, {NULL}};
    }
    *s = (TmlH5Set){"channels", 1, n, field, true, false, NULL, NULL};
    return TML_OK;
}

/* Points that touch: a table of a fixed number of points in each row. */
static TmlStatus contacts_layout(TmlH5Layout *l, const TmlSim *sim, TmlH5Set *s, TmlError *err)
{
    const int wanted = 2 * tml_sim_shape_count(sim);
    TmlH5Field *field;
    *s = (TmlH5Set){"contacts", 1, 0, NULL, true, false, NULL, NULL};
    l->points = 0;
    if (tml_sim_contact_count(sim) == 0) {
        return TML_OK;
    }
    l->points = wanted < LEAST_POINTS ? LEAST_POINTS : wanted > MOST_POINTS ? MOST_POINTS : wanted;
    TML_NEW(l->arena, field, N_CONTACT);
    for (int k = 0; k < N_CONTACT; ++k) {
        field[k] = contact_fields[k];
        field[k].n *= k > 0 ? l->points : 1;
    }
    s->field = field;
    s->n_fields = N_CONTACT;
    return TML_OK;
}

/* Returns how many rows wait: a power of two, so that chunks, which have as many rows or a part of them, are written whole; no more
 * than the run is expected to have. */
static int capacity_for(size_t row_bytes, double expected)
{
    int rows = 1;
    while (2 * rows <= BUFFER_ROWS && 2 * (size_t)rows * row_bytes <= BUFFER_BYTES &&
           (rows < SHORT_RUN || rows < expected)) {
        rows *= 2;
    }
    return rows;
}

TmlStatus tml_h5_layout_init(TmlH5Layout *l, TmlArena *arena, const TmlSim *sim, TmlError *err)
{
    l->arena = arena;
    const TmlModel *model = tml_sim_model(sim);
    const int bodies = tml_model_body_count(model) - 1, joints = tml_model_joint_count(model);
    const int n_body = sizeof body_fields / sizeof body_fields[0];
    const int n_certificate = sizeof certificate_fields / sizeof certificate_fields[0] -
                              (tml_sim_contact_count(sim) > 0 ? 0 : CONTACT_FIELDS);
    l->set[TML_H5_TIME] = (TmlH5Set){NULL, 1, 1, time_fields, true, false, NULL, NULL};
    l->set[TML_H5_BODIES] = (TmlH5Set){
        "bodies", bodies, n_body, body_fields, false, bodies > TML_H5_PACKED_ABOVE, NULL, NULL};
    l->set[TML_H5_JOINTS] = (TmlH5Set){
        "joints", joints, 1, joint_fields, false, joints > TML_H5_PACKED_ABOVE, NULL, NULL};
    l->set[TML_H5_CERTIFICATE] =
        (TmlH5Set){"certificate", 1, n_certificate, certificate_fields, true, false, NULL, NULL};
    TML_TRY(channels_layout(l, sim, &l->set[TML_H5_CHANNELS], err));
    TML_TRY(contacts_layout(l, sim, &l->set[TML_H5_CONTACTS], err));
    TML_NEW(arena, l->joint, joints);
    for (int k = 0; k < joints; ++k) {
        l->joint[k] = k;
    }

    size_t row_bytes = 0;
    TML_TRY(tml_h5_flexible_init(&l->flexible, arena, sim, &row_bytes, err));
    TML_TRY(tml_h5_modal_init(&l->modal, arena, sim, &row_bytes, err));
    for (int k = 0; k < TML_H5_SETS; ++k) {
        row_bytes += set_row_bytes(&l->set[k]);
    }
    l->capacity = capacity_for(row_bytes, tml_sim_end_time(sim) / tml_sim_output_step(sim));
    return TML_OK;
}

/* --- creation ------------------------------------------------------------------------------ */

static const char *item_name(const TmlSim *sim, int kind, int item)
{
    const TmlModel *model = tml_sim_model(sim);
    switch (kind) {
    case TML_H5_BODIES:
        return tml_model_body_name(model, item + 1); // 0 is ground
    case TML_H5_JOINTS:
        return tml_model_joint_name(model, item);
    default:
        return tml_row_channel_name(sim, item);
    }
}

static TmlStatus field_attributes(hid_t id, const TmlH5Field *f, TmlError *err)
{
    TML_TRY(tml_h5_attr_text(id, "unit", f->unit, err));
    if (f->column[0] == NULL) {
        return TML_OK;
    }
    return tml_h5_attr_texts(id, "columns", f->n, f->column, err);
}

/* The datasets of one item, or of all when packed, in an open group. */
static TmlStatus set_fields(TmlH5Layout *l, TmlH5Set *s, int item, hid_t group, hsize_t rows,
                            TmlError *err)
{
    for (int k = 0; k < s->n_fields; ++k) {
        const TmlH5Field *f = &s->field[k];
        const int at = s->packed ? k : item * s->n_fields + k;
        TmlH5Column *c = &s->column[at];
        *c = (TmlH5Column){.memory = H5T_NATIVE_DOUBLE, .rank = 1};
        if (s->packed) {
            c->dim[c->rank++] = (hsize_t)s->n_items;
        }
        if (s == &l->set[TML_H5_CONTACTS] && k > 0) { // points, then what each has
            c->dim[c->rank++] = (hsize_t)l->points;
            if (f->n > l->points) {
                c->dim[c->rank++] = (hsize_t)(f->n / l->points);
            }
        } else if (f->n > 1) {
            c->dim[c->rank++] = (hsize_t)f->n;
        }
        char name[TML_H5_NAME_MAX];
        TML_TRY(tml_h5_column_create(group, tml_h5_safe_name(f->name, name), rows, c, err));
        TML_TRY(field_attributes(c->id, f, err));
        if (s->flat) {
            TML_TRY(tml_h5_attr_text(c->id, "name", f->name, err));
        }
        const size_t n = (size_t)f->n * (s->packed ? (size_t)s->n_items : 1);
        TML_NEW(l->arena, s->buffer[at], n * (size_t)l->capacity);
    }
    return TML_OK;
}

static TmlStatus set_names(TmlH5Layout *l, const TmlSim *sim, int kind, hid_t group, TmlError *err)
{
    const TmlH5Set *s = &l->set[kind];
    const char **names;
    TML_NEW(l->arena, names, s->n_items);
    for (int k = 0; k < s->n_items; ++k) {
        names[k] = item_name(sim, kind, k);
    }
    TML_TRY(tml_h5_texts(group, "names", s->n_items, names, err));
    if (kind != TML_H5_CHANNELS) {
        return TML_OK;
    }
    for (int k = 0; k < s->n_items; ++k) {
        const char *unit = tml_row_channel_unit(sim, k);
        names[k] = unit != NULL ? unit : "";
    }
    return tml_h5_texts(group, "units", s->n_items, names, err);
}

/* One group per item. */
static TmlStatus set_items(TmlH5Layout *l, const TmlSim *sim, int kind, hid_t group, hsize_t rows,
                           TmlError *err)
{
    TmlH5Set *s = &l->set[kind];
    for (int k = 0; k < s->n_items; ++k) {
        const char *name = item_name(sim, kind, k);
        char safe[TML_H5_NAME_MAX];
        hid_t own;
        TML_TRY(tml_h5_group(group, tml_h5_safe_name(name, safe), &own, err));
        TmlStatus status = tml_h5_attr_text(own, "name", name, err);
        if (status == TML_OK) {
            status = set_fields(l, s, k, own, rows, err);
        }
        H5Gclose(own);
        TML_TRY(status);
    }
    return TML_OK;
}

static TmlStatus set_create(TmlH5Layout *l, hid_t file, const TmlSim *sim, int kind, hsize_t rows,
                            TmlError *err)
{
    TmlH5Set *s = &l->set[kind];
    const int n = tml_h5_set_columns(s);
    TML_NEW(l->arena, s->column, n);
    TML_NEW(l->arena, s->buffer, n);
    if (s->path == NULL) {
        return set_fields(l, s, 0, file, rows, err);
    }
    if (s->n_fields == 0 && kind == TML_H5_CONTACTS) {
        return TML_OK;
    }
    char path[TML_NAME_MAX];
    snprintf(path, sizeof path, "%s%s", s->path, s->packed ? "_packed" : "");
    hid_t group;
    TML_TRY(tml_h5_group(file, path, &group, err));
    TmlStatus status;
    if (s->packed) {
        status = set_names(l, sim, kind, group, err);
        status = status == TML_OK ? set_fields(l, s, 0, group, rows, err) : status;
    } else if (s->flat) {
        status = set_fields(l, s, 0, group, rows, err);
    } else {
        status = set_items(l, sim, kind, group, rows, err);
    }
    H5Gclose(group);
    return status;
}

TmlStatus tml_h5_layout_create(TmlH5Layout *l, hid_t file, const TmlSim *sim, hsize_t rows,
                               TmlError *err)
{
    const hsize_t capacity = (hsize_t)l->capacity;
    rows = rows > 0 && rows < capacity
               ? rows
               : capacity; // chunks are no larger than what is written at once
    for (int k = 0; k < TML_H5_SETS; ++k) {
        TML_TRY(set_create(l, file, sim, k, rows, err));
    }
    TML_TRY(tml_h5_flexible_create(&l->flexible, l->arena, file, sim, l->capacity, rows, err));
    return tml_h5_modal_create(&l->modal, l->arena, file, sim, l->capacity, rows, err);
}

void tml_h5_layout_close(TmlH5Layout *l)
{
    tml_h5_flexible_close(&l->flexible);
    tml_h5_modal_close(&l->modal);
    for (int k = 0; k < TML_H5_SETS; ++k) {
        const TmlH5Set *s = &l->set[k];
        const int n = s->column != NULL ? tml_h5_set_columns(s) : 0;
        for (int c = 0; c < n; ++c) {
            H5Dclose(s->column[c].id);
        }
    }
}

/* --- sims one after another ------------------------------------------------------------------ */

static int joint_index(const TmlModel *model, const char *name)
{
    for (int k = 0; k < tml_model_joint_count(model); ++k) {
        if (strcmp(tml_model_joint_name(model, k), name) == 0) {
            return k;
        }
    }
    return -1;
}

bool tml_h5_layout_fits(const TmlH5Layout *l, const char *const *names, const TmlSim *sim)
{
    const TmlModel *model = tml_sim_model(sim);
    const TmlH5Set *channels = &l->set[TML_H5_CHANNELS];
    int found = 0;
    for (int k = 0; k < l->set[TML_H5_JOINTS].n_items; ++k) {
        found += joint_index(model, names[k]) >= 0;
    }
    return found == tml_model_joint_count(model) &&
           tml_model_body_count(model) == l->set[TML_H5_BODIES].n_items + 1 &&
           tml_row_channel_count(sim) ==
               (channels->packed ? channels->n_items : channels->n_fields);
}

void tml_h5_layout_next(TmlH5Layout *l, const char *const *names, const TmlSim *sim)
{
    for (int k = 0; k < l->set[TML_H5_JOINTS].n_items; ++k) {
        l->joint[k] = joint_index(tml_sim_model(sim), names[k]);
    }
}

/* --- rows ---------------------------------------------------------------------------------- */

static void row_bodies(const TmlH5Set *s, int row, const TmlSim *sim)
{
    for (int k = 0; k < s->n_items; ++k) {
        const TmlBodyState b = tml_row_body(sim, k + 1); // 0 is ground
        const void *const source[] = {&b.position, &b.orientation,  &b.velocity,
                                      &b.omega,    &b.acceleration, &b.alpha};
        for (int f = 0; f < s->n_fields; ++f) {
            memcpy(set_at(s, row, k, f), source[f], (size_t)s->field[f].n * sizeof(double));
        }
    }
}

static void row_joints(const TmlH5Layout *l, int row, const TmlSim *sim)
{
    const TmlH5Set *s = &l->set[TML_H5_JOINTS];
    for (int k = 0; k < s->n_items; ++k) {
        const TmlReaction r =
            l->joint[k] >= 0 ? tml_row_reaction(sim, l->joint[k]) : (TmlReaction){0};
        const TmlVec3 part[4] = {r.force, r.torque, r.force_local, r.torque_local};
        memcpy(set_at(s, row, k, 0), part, sizeof part);
    }
}

static void row_channels(const TmlH5Set *s, int row, const TmlSim *sim)
{
    const int n = s->packed ? s->n_items : s->n_fields;
    for (int k = 0; k < n; ++k) {
        *set_at(s, row, s->packed ? k : 0, s->packed ? 0 : k) = tml_row_channel(sim, k);
    }
}

static void row_certificate(const TmlH5Set *s, int row, const TmlSim *sim)
{
    const TmlCertificate c = tml_row_certificate(sim);
    const double value[] = {c.phi,
                            c.phi_dot,
                            c.phi_ddot,
                            c.kinetic,
                            c.potential,
                            c.dissipated,
                            c.work,
                            c.energy_error,
                            c.integrated_phi,
                            c.integrated_phi_dot,
                            c.integrated_phi_ddot,
                            c.forces,
                            c.lost_contact,
                            c.lost_friction};
    for (int f = 0; f < s->n_fields; ++f) {
        *set_at(s, row, 0, f) = value[f];
    }
}

static void put(double *to, TmlVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* Places without a point have -1 for all three of `between`. */
static void row_contacts(const TmlH5Layout *l, int row, const TmlSim *sim)
{
    const TmlH5Set *s = &l->set[TML_H5_CONTACTS];
    TmlRowContact point[MOST_POINTS];
    if (l->points == 0) {
        return;
    }
    const int n = tml_row_contacts(sim, point, l->points);
    *set_at(s, row, 0, 0) = n;
    for (int k = 0; k < l->points; ++k) {
        const TmlRowContact none = {.body = {-1, -1}}, *p = k < n ? &point[k] : &none;
        const double f = p->force;
        const TmlVec3 who = {k < n ? tml_sim_contact_index(sim, p->contact) : -1, p->body[0],
                             p->body[1]};
        const TmlVec3 force = {f * p->normal.x + p->friction.x, f * p->normal.y + p->friction.y,
                               f * p->normal.z + p->friction.z};
        put(set_at(s, row, 0, 1) + 3 * k, who);
        put(set_at(s, row, 0, 2) + 3 * k, p->point);
        put(set_at(s, row, 0, 3) + 3 * k, p->normal);
        put(set_at(s, row, 0, 4) + 3 * k, force);
        set_at(s, row, 0, 5)[k] = p->depth;
    }
}

void tml_h5_layout_fill(const TmlH5Layout *l, int row, const TmlSim *sim)
{
    *set_at(&l->set[TML_H5_TIME], row, 0, 0) = tml_row_time(sim);
    row_channels(&l->set[TML_H5_CHANNELS], row, sim);
    row_bodies(&l->set[TML_H5_BODIES], row, sim);
    row_joints(l, row, sim);
    row_certificate(&l->set[TML_H5_CERTIFICATE], row, sim);
    row_contacts(l, row, sim);
    tml_h5_flexible_fill(&l->flexible, row, sim);
    tml_h5_modal_fill(&l->modal, row, sim);
}
