/* model/read/read_document.c - the sections of a document, in the order in which they need each other.
 */
#include <math.h>
#include <string.h>

#include "expr/expr.h"
#include "math/vec3.h"
#include "model/measure/binding.h"
#include "model/read/read.h"

static const double STANDARD_GRAVITY = 9.80665; // m/s^2, exact by definition (CGPM 1901)

static void check_sections(TmlReader *r, const TmlValue *root)
{
    enum { MAX_SECTIONS = 40 };
    const char *names[MAX_SECTIONS];
    int n = 0;
    for (const TmlSection *s = tml_sections; s->name != NULL && n < MAX_SECTIONS; ++s) {
        names[n++] = s->name;
    }
    TmlEntry x = {.r = r, .value = root};
    for (int k = 0; k < root->n; ++k) {
        if (tml_section_find(root->key[k]->text) == NULL) {
            tml_entry_unknown(&x, root->key[k], "section", root->key[k]->text, names, n);
        }
    }
}

static void check_version(TmlReader *r, const TmlValue *root, bool whole)
{
    TmlEntry x = {.r = r, .value = root};
    const TmlValue *v = tml_value_find(root, "trammel");
    int version = 1;
    if (v == NULL && whole) {
        tml_entry_error(&x, root, "missing key 'trammel': the version of the format, 1");
    } else if (v != NULL && tml_read_int(&x, v, "trammel", &version) && version != 1) {
        tml_entry_error(&x, v, "trammel: this is version %d of the format; known is version 1",
                        version);
    }
}

/* Gravity that a followed parameter may change. */
static void read_gravity_at(TmlReader *r, const TmlValue *gravity)
{
    TmlEntry x = {.r = r, .kind = "section", .name = "gravity", .value = gravity};
    if (gravity->n != 3) {
        tml_entry_expected(&x, gravity, NULL, "three numbers");
        return;
    }
    for (int k = 0; k < 3; ++k) {
        tml_read_expression(&x, gravity->item[k], NULL,
                            (TmlPending){.target = TML_TARGET_SLOT,
                                         .slot = &r->m->gravity_at[k],
                                         .allowed = TML_ALLOW_TIME_ONLY});
    }
}

static void read_head(TmlReader *r, const TmlValue *root)
{
    TmlEntry x = {.r = r, .value = root};
    const TmlValue *title = tml_value_find(root, "title");
    const TmlValue *gravity = tml_value_find(root, "gravity");
    if (title != NULL && title->kind == TML_VALUE_SCALAR) {
        r->m->title = title->text;
    } else if (title != NULL) {
        tml_entry_expected(&x, title, "title", "a text");
    }
    if (gravity != NULL) {
        tml_check_units(&x, gravity, "gravity", "m/s^2");
    }
    if (gravity != NULL && r->m->followed != NULL && gravity->kind == TML_VALUE_LIST) {
        read_gravity_at(r, gravity);
    } else if (gravity != NULL && tml_read_vec3(&x, gravity, "gravity", &r->m->gravity) &&
               gravity->kind == TML_VALUE_SCALAR) {
        // a word is a direction
        r->m->gravity = v3_scale(STANDARD_GRAVITY, r->m->gravity);
    }
}

static void read_rotating_frame(TmlReader *r, const TmlValue *section)
{
    TmlEntry x = {.r = r, .kind = "rotating_frame", .value = section};
    TmlVec3 axis = v3(0, 0, 1);
    double speed = 0.0;
    if (section == NULL || section->kind == TML_VALUE_NULL || !tml_read_is_map(&x, section, NULL)) {
        return;
    }
    tml_read_keys(&x, section, tml_keys_rotating_frame, NULL, NULL);
    const TmlValue *v = tml_value_find(section, "speed");
    const TmlValue *along = tml_value_find(section, "axis"), *at = tml_value_find(section, "at");
    if (v == NULL) {
        tml_entry_error(&x, section, "missing key 'speed': how fast the frame turns, in rad/s");
    }
    if (v == NULL || !tml_read_number(&x, v, "speed", &speed) ||
        (along != NULL && !tml_read_direction(&x, along, "axis", &axis)) ||
        (at != NULL && !tml_read_vec3(&x, at, "at", &r->m->spin.at))) {
        return; // reported
    }
    r->m->spin.rate = v3_scale(speed, axis);
}

/* --- simulate --------------------------------------------------------------------------------- */

static void read_setting(TmlEntry *x, const char *key, const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    double value;
    if (v != NULL && tml_read_ranged(x, v, key, TML_POSITIVE, unit, &value)) {
        *out = value;
    }
}

/* Options are texts; one that is an expression of parameters becomes its value. */
static const char *option_text(TmlEntry *x, const TmlValue *v)
{
    if (v->kind != TML_VALUE_SCALAR) {
        tml_entry_expected(x, v, "options", "a number or a word");
        return "";
    }
    if (!tml_reader_has_parameter(x->r, v->text)) {
        return v->text;
    }
    double value;
    return tml_read_number(x, v, "options", &value) ? tml_reader_printf(x->r, "%.17g", value) : "";
}

static void read_options(TmlEntry *x, const TmlValue *v, TmlRunSettings *run)
{
    if (!tml_read_is_map(x, v, "options")) {
        return;
    }
    const char **key = tml_reader_alloc(x->r, (size_t)v->n, sizeof *key);
    const char **value = tml_reader_alloc(x->r, (size_t)v->n, sizeof *value);
    for (int k = 0; k < v->n && key != NULL && value != NULL; ++k) {
        key[k] = v->key[k]->text;
        value[k] = option_text(x, v->item[k]);
    }
    run->n_options = key != NULL && value != NULL ? v->n : 0;
    run->option_key = key;
    run->option_value = value;
}

void tml_read_simulate(TmlReader *r, const TmlValue *section)
{
    TmlEntry x = {.r = r, .kind = "simulate", .value = section};
    TmlRunSettings *run = &r->m->run;
    if (section == NULL || section->kind == TML_VALUE_NULL || !tml_read_is_map(&x, section, NULL)) {
        return;
    }
    tml_read_keys(&x, section, tml_keys_simulate, NULL, NULL);
    read_setting(&x, "end", "s", &run->end);
    read_setting(&x, "output_step", "s", &run->output_step);
    read_setting(&x, "tolerance", "", &run->tolerance);
    read_setting(&x, "first_step", "s", &run->first_step);
    read_setting(&x, "min_step", "s", &run->min_step);
    read_setting(&x, "max_step", "s", &run->max_step);
    read_setting(&x, "length_scale", "m", &run->length_scale);
    read_setting(&x, "time_scale", "s", &run->time_scale);
    if (run->min_step > run->max_step) {
        tml_entry_error(&x, tml_value_find(section, "min_step"),
                        "min_step (%.9g s) is greater than max_step (%.9g s)", run->min_step,
                        run->max_step);
    }
    const TmlValue *integrator = tml_value_find(section, "integrator");
    const TmlValue *options = tml_value_find(section, "options");
    if (integrator != NULL) {
        run->integrator = tml_read_text(&x, integrator, "integrator");
    }
    if (options != NULL) {
        read_options(&x, options, run);
    }
    const TmlValue *start = tml_value_find(section, "start");
    int rest = 0;
    if (start != NULL && tml_read_choice(&x, start, "start", "given|equilibrium", &rest)) {
        run->from_rest = rest == 1;
    }
}

/* --- document --------------------------------------------------------------------------------- */

static void keep_contacts(TmlReader *r, const TmlValue *section)
{
    bool ok = true;
    if (section != NULL && section->kind != TML_VALUE_NULL) {
        TML_LIST_ADD(r->contacts, section, &ok);
    }
    r->nomem |= !ok;
}

void tml_reader_document(TmlReader *r, const TmlValue *root, bool whole, const TmlOverrides *given)
{
    TmlEntry x = {.r = r, .value = root};
    if (root->kind != TML_VALUE_MAP) {
        tml_entry_expected(&x, root, NULL, "a map of sections (trammel, bodies, joints, ...)");
        return;
    }
    check_sections(r, root);
    check_version(r, root, whole);
    tml_read_parameters(r, tml_value_find(root, "parameters"), given);
    read_head(r, root);
    read_rotating_frame(r, tml_value_find(root, "rotating_frame"));
    tml_read_bodies(r, tml_value_find(root, "bodies"));
    tml_read_ground(r, tml_value_find(root, "ground"));
    tml_read_materials(r, tml_value_find(root, "materials"));
    tml_read_frames(r, tml_value_find(root, "frames"));
    tml_read_modal(r, tml_value_find(root, "modal"));
    tml_read_flexible(r, tml_value_find(root, "flexible"));
    tml_read_splines(r, tml_value_find(root, "splines"));
    tml_read_paths(r, tml_value_find(root, "paths"));
    tml_read_roads(r, tml_value_find(root, "roads"));
    tml_read_profiles(r, tml_value_find(root, "profiles"));
    tml_read_tracks(r, tml_value_find(root, "tracks"));
    tml_read_catenaries(r, tml_value_find(root, "catenaries"));
    tml_read_joints(r, tml_value_find(root, "joints"));
    tml_read_forces(r, tml_value_find(root, "forces"));
    keep_contacts(r, tml_value_find(root, "contacts"));
    tml_read_signals(r, root);
    tml_read_inputs(r, root, tml_value_find(root, "inputs"));
    tml_read_delays(r, tml_value_find(root, "delays"));
    tml_read_systems(r, tml_value_find(root, "systems"));
    tml_read_events(r, tml_value_find(root, "events"));
    tml_read_simulate(r, tml_value_find(root, "simulate"));
}

TmlStatus tml_model_read(TmlModel *m, const TmlValue *root, int n_overrides,
                         const char *const *names, const double *values, TmlError *err)
{
    if (m->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is finished");
    }
    const TmlOverrides given = {.n = n_overrides, .names = names, .values = values};
    tml_reader_document(m->reader, root, false, &given);
    if (m->reader->nomem) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    return tml_report_status(&m->reader->report, err);
}
