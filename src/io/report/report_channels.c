/* io/report/report_channels.c - curves in a report: outputs, energies, violations, reactions, motions.
 *
 * Without thinning all curves share one group of rows. Else those of one thing (an output, a joint,
 * a body) have rows of their own: linear interpolation between them stays within a part of each
 * curve's range. A group that would still be too large gets a looser bound, which the report tells;
 * when all is too much, motions of bodies and then reactions are left out, and it says so.
 */
#include "io/report/report_parts.h"
#include "io/report/thinning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DOUBLE_BYTES = 4 << 20, // curves in 64 bits up to this, in 32 bits beyond
    TOTAL_BYTES = 8 << 20,  // in 32 bits; what comes later is left out
    GROUP_VALUES = 1 << 20, // of one group; else its bound is loosened
};

/* A field of bodies, joints or the run, with the names of its columns. */
typedef struct Field {
    const char *name, *unit;
    int n; // columns that are wanted
    const char *column[6];
} Field;

static const Field energy_fields[] = {{"kinetic", "J", 1, {"kinetic"}},
                                      {"potential", "J", 1, {"potential"}},
                                      {"dissipated", "J", 1, {"dissipated"}},
                                      {"work", "J", 1, {"work"}},
                                      {"energy", "J", 1, {"balance"}},
                                      {"lost_contact", "J", 1, {"lost in contacts"}},
                                      {"lost_friction", "J", 1, {"lost in friction of contacts"}},
                                      {0}};
static const Field violation_fields[] = {
    {"integrated_phi", "", 1, {"integrated position"}},
    {"integrated_phi_dot", "", 1, {"integrated velocity"}},
    {"integrated_phi_ddot", "", 1, {"integrated acceleration"}},
    {"phi", "", 1, {"row position"}},
    {"phi_dot", "", 1, {"row velocity"}},
    {"phi_ddot", "", 1, {"row acceleration"}},
    {"forces", "", 1, {"row forces"}},
    {0}};
static const Field reaction_fields[] = {{"reaction", "N", 6, {"fx", "fy", "fz", "tx", "ty", "tz"}},
                                        {0}};
static const Field body_fields[] = {{"position", "m", 3, {"x", "y", "z"}},
                                    {"velocity", "m/s", 3, {"vx", "vy", "vz"}},
                                    {"angular_velocity", "rad/s", 3, {"wx", "wy", "wz"}},
                                    {"acceleration", "m/s^2", 3, {"ax", "ay", "az"}},
                                    {0}};

/* Something with curves: a joint, a body, the energies. */
typedef struct Thing {
    TmlResultKind set;
    int item;
    const char *kind, *group;    // as the picker shows them
    const char *prefix, *suffix; // of the curve's name around that of its column
    const Field *field;
} Thing;

typedef struct Curves {
    TmlReportJob *job;
    TmlArena arena; // of the group at hand
    TmlRowSet rows; // its curves, then time
    TmlTextBuf items;
    TmlJson json; // of the items
    int n_items;
    double *low, *high; // of each curve
    TmlCone cone;
    double *before;
    int64_t kept, cap;
    double *time, *value; // of kept rows
    double bound;
    double bytes; // of all groups so far, in 32 bits
} Curves;

/* --- items ------------------------------------------------------------------------------------ */

static void describe(Curves *c, const char *name, const char *unit, const char *kind,
                     const char *group, const char *label)
{
    TmlJson *j = &c->json;
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", name);
    tml_json_string(j, "unit", unit);
    tml_json_string(j, "kind", kind);
    tml_json_string(j, "group", group);
    tml_json_string(j, "label", label);
    tml_json_close(j);
    c->n_items++;
}

static bool has_field(const TmlResultSet *set, const char *name)
{
    int k = 0;
    while (k < set->n_fields && strcmp(set->field[k].name, name) != 0) {
        ++k;
    }
    return k < set->n_fields;
}

/* All curves of a thing. */
static TmlStatus add_thing(Curves *c, const Thing *t, TmlError *err)
{
    for (const Field *f = t->field; f->name != NULL; ++f) {
        if (!has_field(&c->job->file.set[t->set], f->name)) {
            continue; // a file of an earlier version
        }
        TML_TRY(tml_rows_field(&c->rows, &c->job->file, t->set, t->item, f->name, f->n, err));
        for (int k = 0; k < f->n; ++k) {
            const char *name =
                tml_arena_printf(&c->arena, "%s%s%s", t->prefix, f->column[k], t->suffix);
            const bool torque = t->set == TML_RESULT_JOINTS && f->column[k][0] == 't';
            if (name == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory for the channels");
            }
            describe(c, name, torque ? "N m" : f->unit, t->kind, t->group, f->column[k]);
        }
    }
    return TML_OK;
}

/* -1: all of them. */
static TmlStatus add_output(Curves *c, int k, TmlError *err)
{
    const TmlResultSet *set = &c->job->file.set[TML_RESULT_CHANNELS];
    const char *field = set->n_fields > 0 ? set->field[0].name : "";
    TML_TRY(tml_rows_field(&c->rows, &c->job->file, TML_RESULT_CHANNELS, k, field, 1, err));
    for (int i = k < 0 ? 0 : k; i < (k < 0 ? set->n_items : k + 1); ++i) {
        describe(c, set->item[i], set->item_unit != NULL ? set->item_unit[i] : "", "output",
                 "outputs", set->item[i]);
    }
    return TML_OK;
}

static TmlStatus add_joint(Curves *c, int k, TmlError *err)
{
    const char *name = c->job->file.set[TML_RESULT_JOINTS].item[k];
    const Thing t = {TML_RESULT_JOINTS,
                     k,
                     "reaction",
                     tml_arena_printf(&c->arena, "joint %s", name),
                     tml_arena_printf(&c->arena, "reaction(%s).", name),
                     "",
                     reaction_fields};
    return t.group == NULL || t.prefix == NULL
               ? tml_fail(err, TML_E_NOMEM, "out of memory for the channels")
               : add_thing(c, &t, err);
}

static TmlStatus add_body(Curves *c, int k, TmlError *err)
{
    const char *name = c->job->file.set[TML_RESULT_BODIES].item[k];
    const Thing t = {TML_RESULT_BODIES,
                     k,
                     "body",
                     tml_arena_printf(&c->arena, "body %s", name),
                     tml_arena_printf(&c->arena, "%s.", name),
                     "",
                     body_fields};
    return t.group == NULL || t.prefix == NULL
               ? tml_fail(err, TML_E_NOMEM, "out of memory for the channels")
               : add_thing(c, &t, err);
}

static TmlStatus add_account(Curves *c, int k, TmlError *err)
{
    static const Thing accounts[] = {
        {TML_RESULT_CERTIFICATE, 0, "energy", "energy", "energy.", "", energy_fields},
        {TML_RESULT_CERTIFICATE, 0, "certificate", "constraint violation", "violation.", "",
         violation_fields}};
    return add_thing(c, &accounts[k], err);
}

/* --- thinning --------------------------------------------------------------------------------- */

static TmlStatus keep(Curves *c, const double *row, TmlError *err)
{
    const size_t n = c->rows.width - 1;
    if (c->kept == c->cap) {
        const int64_t cap = c->cap > 0 ? 2 * c->cap : 256;
        double *time = tml_mem_resize(c->time, (size_t)cap * sizeof *time);
        c->time = time != NULL ? time : c->time;
        double *value = tml_mem_resize(c->value, (size_t)cap * (n + 1) * sizeof *value);
        c->value = value != NULL ? value : c->value;
        if (time == NULL || value == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the channels");
        }
        c->cap = cap;
    }
    memcpy(c->value + (size_t)c->kept * n, row, n * sizeof *row);
    c->time[c->kept++] = row[n];
    return TML_OK;
}

typedef TmlStatus (*RowFn)(Curves *c, const double *row, bool first, TmlError *err);

static TmlStatus find_range(Curves *c, const double *row, bool first, TmlError *err)
{
    (void)err;
    for (size_t k = 0; k < c->rows.width - 1; ++k) {
        c->low[k] = first ? row[k] : fmin(c->low[k], row[k]);
        c->high[k] = first ? row[k] : fmax(c->high[k], row[k]);
    }
    return TML_OK;
}

static TmlStatus thin_row(Curves *c, const double *row, bool first, TmlError *err)
{
    const double t = row[c->rows.width - 1];
    if (first || c->job->whole) {
        TML_TRY(keep(c, row, err));
        tml_cone_start(&c->cone, t, row);
    } else {
        if (!tml_cone_fits(&c->cone, t, row)) {
            if (c->before[c->rows.width - 1] > c->cone.t) {
                TML_TRY(keep(c, c->before, err));
            }
            tml_cone_start(&c->cone, c->before[c->rows.width - 1], c->before);
        }
        tml_cone_take(&c->cone, t, row);
    }
    memcpy(c->before, row, c->rows.width * sizeof *row);
    return TML_OK;
}

static TmlStatus each_row(Curves *c, RowFn fn, int64_t limit, TmlError *err)
{
    const int64_t last = c->job->file.rows;
    const int portion = tml_rows_portion(&c->rows, last);
    double *buffer = tml_mem_zalloc((size_t)portion * c->rows.width, sizeof *buffer);
    TmlStatus status =
        buffer == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for the channels") : TML_OK;
    for (int64_t at = c->job->first; at < last && status == TML_OK && c->kept <= limit;) {
        const int n = last - at < portion ? (int)(last - at) : portion;
        status = tml_rows_read(&c->rows, &c->job->file, at, n, buffer, err);
        for (int k = 0; k < n && status == TML_OK; ++k) {
            status = fn(c, buffer + (size_t)k * c->rows.width, at + k == c->job->first, err);
        }
        at += n;
    }
    tml_mem_free(buffer);
    return status;
}

/* Keeps rows with ever looser bounds until they are few enough. */
static TmlStatus thin(Curves *c, TmlError *err)
{
    const size_t n = c->rows.width - 1;
    const int64_t limit = c->job->whole ? INT64_MAX : (int64_t)(GROUP_VALUES / (n + 1)) + 2;
    TML_NEW(&c->arena, c->low, n);
    TML_NEW(&c->arena, c->high, n);
    TML_NEW(&c->arena, c->before, n + 1);
    TML_TRY(tml_cone_init(&c->cone, &c->arena, n, err));
    if (!c->job->whole) {
        TML_TRY(each_row(c, find_range, INT64_MAX, err));
    }
    for (c->bound = c->job->bound;; c->bound *= 4.0) {
        for (size_t k = 0; k < n; ++k) {
            c->cone.bound[k] = c->bound * (c->high[k] - c->low[k]);
        }
        c->kept = 0;
        TML_TRY(each_row(c, thin_row, limit, err));
        const bool more = c->kept > 0 && c->before[n] > c->time[c->kept - 1];
        TML_TRY(more ? keep(c, c->before, err) : TML_OK);
        if (c->kept <= limit || c->bound > 1.0) {
            return TML_OK;
        }
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static void group_begin(Curves *c)
{
    c->json = (TmlJson){.text = &c->items, .compact = true};
    c->n_items = 0;
    tml_json_open(&c->json, NULL, '[');
}

static void group_end(Curves *c)
{
    tml_rows_free(&c->rows);
    tml_textbuf_free(&c->items);
    tml_mem_free(c->time);
    tml_mem_free(c->value);
    tml_arena_free(&c->arena);
    c->time = c->value = NULL;
    c->kept = c->cap = 0;
}

static TmlStatus group_write(Curves *c, TmlError *err)
{
    TmlContainer *to = &c->job->c;
    const int64_t n = (int64_t)c->rows.width - 1;
    const double bytes = 4.0 * (double)c->kept * (double)(n + 1);
    const bool wide = 2.0 * (c->bytes + bytes) <= DOUBLE_BYTES;
    const TmlBlockSpec time = {TML_BLOCK_F64, 1, {c->kept}, 0.0, false};
    const TmlBlockSpec value = {wide ? TML_BLOCK_F64 : TML_BLOCK_F32, 2, {c->kept, n}, 0.0, false};
    c->bytes += bytes;
    tml_json_open(&to->json, NULL, '{');
    TML_TRY(tml_block_values(to, "time", &time, c->time, err));
    tml_json_number(&to->json, "error_bound", c->job->whole ? 0.0 : c->bound);
    tml_json_close(&c->json);
    if (c->items.failed) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the channels");
    }
    tml_json_raw(&to->json, "items", c->items.at);
    TML_TRY(tml_block_values(to, "values", &value, c->value, err));
    tml_json_close(&to->json);
    return TML_OK;
}

static TmlStatus group_finish(Curves *c, TmlError *err)
{
    if (c->n_items == 0) {
        return TML_OK;
    }
    TML_TRY(tml_rows_time(&c->rows, err));
    TML_TRY(thin(c, err));
    return group_write(c, err);
}

typedef TmlStatus (*AddFn)(Curves *c, int k, TmlError *err);

/* One group for each of n things; *left: how many found no room. */
static TmlStatus groups(Curves *c, int n, AddFn add, int *left, TmlError *err)
{
    TmlStatus status = TML_OK;
    *left = 0;
    for (int k = 0; k < n && status == TML_OK; ++k) {
        if (c->bytes > TOTAL_BYTES) {
            *left = n - k;
            break;
        }
        group_begin(c);
        status = add(c, k, err);
        status = status == TML_OK ? group_finish(c, err) : status;
        group_end(c);
    }
    return status;
}

static TmlStatus packed_outputs(Curves *c, int k, TmlError *err)
{
    (void)k;
    return add_output(c, -1, err);
}

/* Everything in one group. Packed bodies and joints are too many to choose from. */
static TmlStatus add_all(Curves *c, int unused, TmlError *err)
{
    const TmlResultSet *set = c->job->file.set;
    const int joints = set[TML_RESULT_JOINTS].packed ? 0 : set[TML_RESULT_JOINTS].n_items;
    const int bodies = set[TML_RESULT_BODIES].packed ? 0 : set[TML_RESULT_BODIES].n_items;
    (void)unused;
    TML_TRY(add_output(c, -1, err));
    TML_TRY(add_account(c, 0, err));
    TML_TRY(add_account(c, 1, err));
    for (int k = 0; k < joints; ++k) {
        TML_TRY(add_joint(c, k, err));
    }
    for (int k = 0; k < bodies; ++k) {
        TML_TRY(add_body(c, k, err));
    }
    return TML_OK;
}

static void tell_left_out(TmlJson *j, const char *what, int left, int of)
{
    char text[160];
    if (left > 0) {
        snprintf(text, sizeof text, "%s of %d of %d: too many for a report", what, left, of);
        tml_json_string(j, NULL, text);
    }
}

TmlStatus tml_report_channels(TmlReportJob *job, TmlError *err)
{
    Curves c = {.job = job};
    TmlJson *j = &job->c.json;
    const TmlResultSet *channels = &job->file.set[TML_RESULT_CHANNELS];
    const TmlResultSet *joints = &job->file.set[TML_RESULT_JOINTS];
    const TmlResultSet *bodies = &job->file.set[TML_RESULT_BODIES];
    int none = 0, no_joints = joints->packed ? joints->n_items : 0;
    int no_bodies = bodies->packed ? bodies->n_items : 0;
    tml_json_open(j, "channels", '{');
    tml_json_open(j, "groups", '[');
    if (job->whole) {
        TML_TRY(groups(&c, 1, add_all, &none, err));
    } else {
        TML_TRY(channels->packed ? groups(&c, 1, packed_outputs, &none, err)
                                 : groups(&c, channels->n_items, add_output, &none, err));
        TML_TRY(groups(&c, 2, add_account, &none, err));
        TML_TRY(no_joints > 0 ? TML_OK : groups(&c, joints->n_items, add_joint, &no_joints, err));
        TML_TRY(no_bodies > 0 ? TML_OK : groups(&c, bodies->n_items, add_body, &no_bodies, err));
    }
    tml_json_close(j);
    tml_json_open(j, "left_out", '[');
    tell_left_out(j, "reactions", no_joints, joints->n_items);
    tell_left_out(j, "motions", no_bodies, bodies->n_items);
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}
