/* io/help/schema.c - JSON schema (draft 2020-12) of the model format, for editors.
 *
 * Written from the tables that the reader uses. The schema accepts whatever the reader might: a
 * number may be an expression, and names are checked by the reader only.
 */
#include "io/help/schema.h"

#include <string.h>

#include "io/text/json.h"
#include "io/text/textbuf.h"
#include "model/contact/contacts.h"
#include "model/read/sections.h"
#include "model/registry.h"
#include "model/wheel/road/road.h"
#include "trammel/io.h"

/* --- small pieces ---------------------------------------------------------------------------- */

static void ref(TmlJson *j, const char *key, const char *name)
{
    char path[TML_NAME_MAX] = "#/$defs/";
    strncat(path, name, sizeof path - strlen(path) - 1);
    tml_json_open(j, key, '{');
    tml_json_string(j, "$ref", path);
    tml_json_close(j);
}

static void list_of(TmlJson *j, const char *item, int least, int most)
{
    tml_json_string(j, "type", "array");
    ref(j, "items", item);
    if (least > 0) {
        tml_json_int(j, "minItems", least);
    }
    if (most > 0) {
        tml_json_int(j, "maxItems", most);
    }
}

static void any_of(TmlJson *j, const char *a, const char *b)
{
    tml_json_open(j, "anyOf", '[');
    ref(j, NULL, a);
    ref(j, NULL, b);
    tml_json_close(j);
}

static void words(TmlJson *j, const char *choices)
{
    tml_json_open(j, "enum", '[');
    while (choices != NULL && *choices != '\0') {
        char word[TML_NAME_MAX] = "";
        const size_t n = strcspn(choices, "|");
        strncat(word, choices, n < sizeof word ? n : sizeof word - 1);
        tml_json_string(j, NULL, word);
        choices += n + (choices[n] == '|');
    }
    tml_json_close(j);
}

static void describe(TmlJson *j, const char *text, const char *unit, const char *standard)
{
    TmlTextBuf line = {0};
    char *done = NULL;
    tml_textbuf_add(
        &line, "%s%s%s%s%s%s%s", text, *unit != '\0' ? " [" : "", unit, *unit != '\0' ? "]" : "",
        standard != NULL && *standard != '\0' ? " (default " : "", standard != NULL ? standard : "",
        standard != NULL && *standard != '\0' ? ")" : "");
    if (tml_textbuf_take(&line, &done, NULL) == TML_OK) {
        tml_json_string(j, "description", done);
        tml_text_free(done);
    } else {
        j->text->failed = true;
    }
}

/* --- values ---------------------------------------------------------------------------------- */

/* Fields of the schema of a key, inside an open object. */
static void key_fields(TmlJson *j, const TmlKey *k)
{
    describe(j, k->text, k->unit, k->standard);
    switch (k->kind) {
    case TML_KEY_NONE:
        break;
    case TML_KEY_NUMBER:
    case TML_KEY_INT:
        tml_json_string(j, "$ref", "#/$defs/number");
        break;
    case TML_KEY_BOOL:
        tml_json_string(j, "type", "boolean");
        break;
    case TML_KEY_VEC3:
        tml_json_string(j, "$ref", "#/$defs/vector");
        break;
    case TML_KEY_NUMBERS:
    case TML_KEY_MATRIX:
        tml_json_string(j, "type", "array");
        break;
    case TML_KEY_ROTATION:
        tml_json_string(j, "$ref", "#/$defs/rotation");
        break;
    case TML_KEY_TEXT:
    case TML_KEY_EXPR:
        tml_json_string(j, "$ref", "#/$defs/text");
        break;
    case TML_KEY_CHOICE:
        words(j, k->choices);
        break;
    case TML_KEY_BODY:
        tml_json_string(j, "type", "string");
        break;
    case TML_KEY_BODIES:
        list_of(j, "text", 2, 2);
        break;
    case TML_KEY_FRAME:
        tml_json_string(j, "$ref", "#/$defs/frame_reference");
        break;
    case TML_KEY_FRAMES:
        list_of(j, "frame_reference", 2, 2);
        break;
    case TML_KEY_POINTS:
        list_of(j, "vector_or_pair", 2, 0);
        break;
    case TML_KEY_AXES:
        list_of(j, "vector", 2, 2);
        break;
    case TML_KEY_LOCKED:
        tml_json_string(j, "$ref", "#/$defs/locked");
        break;
    case TML_KEY_SHAPE:
        tml_json_string(j, "$ref", "#/$defs/shapes");
        break;
    case TML_KEY_FRAME_MAP:
        tml_json_string(j, "$ref", "#/$defs/body_frames");
        break;
    case TML_KEY_BETWEEN:
        any_of(j, "text", "between_list");
        break;
    case TML_KEY_FRICTION:
        any_of(j, "none", strcmp(k->name, "rolling") == 0 ? "rolling" : "friction");
        break;
    case TML_KEY_OPTIONS:
        tml_json_string(j, "type", "object");
        break;
    case TML_KEY_FILES:
    case TML_KEY_EXPRS:
        any_of(j, "text", "texts");
        break;
    case TML_KEY_MATERIAL:
        tml_json_string(j, "$ref", "#/$defs/material");
        break;
    case TML_KEY_CROSS:
        tml_json_string(j, "$ref", "#/$defs/cross_sections");
        break;
    case TML_KEY_WIRE:
        tml_json_string(j, "$ref", "#/$defs/contact_wire");
        break;
    case TML_KEY_MESSENGER:
        tml_json_string(j, "$ref", "#/$defs/messenger_wire");
        break;
    case TML_KEY_DROPPERS:
        tml_json_string(j, "$ref", "#/$defs/droppers");
        break;
    case TML_KEY_ARMS:
        tml_json_string(j, "$ref", "#/$defs/steady_arms");
        break;
    case TML_KEY_LISTS:
        tml_json_string(j, "$ref", "#/$defs/number_lists");
        break;
    case TML_KEY_ATTACH:
        tml_json_string(j, "$ref", "#/$defs/attachment");
        break;
    case TML_KEY_FLEX_FRAMES:
        tml_json_string(j, "$ref", "#/$defs/flexible_frames");
        break;
    case TML_KEY_MODAL_FRAMES:
        tml_json_string(j, "$ref", "#/$defs/modal_frames");
        break;
    case TML_KEY_MODAL_SHAPES:
        tml_json_string(j, "$ref", "#/$defs/modal_shapes");
        break;
    case TML_KEY_ELEMENTS:
        any_of(j, "number", "numbers");
        break;
    case TML_KEY_ARC:
        tml_json_string(j, "$ref", "#/$defs/arc");
        break;
    case TML_KEY_PATCH:
        tml_json_string(j, "$ref", "#/$defs/patch");
        break;
    case TML_KEY_REST:
        any_of(j, "text", "rest_shape");
        break;
    case TML_KEY_PLACE:
        any_of(j, "text", "mesh_place");
        break;
    case TML_KEY_EDGES:
        tml_json_string(j, "$ref", "#/$defs/edges");
        break;
    case TML_KEY_STATIONS:
        any_of(j, "text", "stations");
        break;
    case TML_KEY_LOAD:
        tml_json_string(j, "$ref", "#/$defs/load");
        break;
    case TML_KEY_NODES:
        list_of(j, "node", 2, 0);
        break;
    case TML_KEY_ATTACH_LIST:
        list_of(j, "attachment_at", 0, 0);
        break;
    case TML_KEY_SEGMENTS:
        list_of(j, "segment", 1, 0);
        break;
    case TML_KEY_FAULTS:
        tml_json_string(j, "$ref", "#/$defs/irregularities");
        break;
    case TML_KEY_SPLINE:
        any_of(j, "text", "spline");
        break;
    }
}

static void write_keys(TmlJson *j, const TmlKey *keys)
{
    for (const TmlKey *k = keys; k != NULL && k->name != NULL; ++k) {
        tml_json_open(j, k->name, '{');
        key_fields(j, k);
        tml_json_close(j);
    }
}

void tml_schema_key(TmlJson *j, const TmlKey *k)
{
    tml_json_open(j, k->name, '{');
    key_fields(j, k);
    tml_json_close(j);
}

static void param_fields(TmlJson *j, const TmlParam *p)
{
    describe(j, p->text, p->unit, p->standard);
    switch (p->kind) {
    case TML_PARAM_NONE:
        break;
    case TML_PARAM_REAL:
    case TML_PARAM_INT:
        tml_json_string(j, "$ref", "#/$defs/number");
        break;
    case TML_PARAM_BOOL:
        tml_json_string(j, "type", "boolean");
        break;
    case TML_PARAM_VEC3:
        tml_json_string(j, "$ref", "#/$defs/vector");
        break;
    case TML_PARAM_CHOICE:
    case TML_PARAM_COORDINATE:
        words(j, p->choices);
        break;
    case TML_PARAM_REALS:
        list_of(j, "number", 0, 0);
        break;
    case TML_PARAM_POINTS:
    case TML_PARAM_MAT66:
        tml_json_string(j, "type", "array");
        break;
    case TML_PARAM_EXPR:
    case TML_PARAM_JOINT:
    case TML_PARAM_STRING:
    case TML_PARAM_ROAD:
    case TML_PARAM_TIR:
    case TML_PARAM_PROFILE:
    case TML_PARAM_TRACK:
        tml_json_string(j, "$ref", "#/$defs/text");
        break;
    case TML_PARAM_EXPRS3:
        list_of(j, "text", 0, 3);
        break;
    case TML_PARAM_SPLINE:
        any_of(j, "text", "spline");
        break;
    case TML_PARAM_PATH:
        any_of(j, "text", "path");
        break;
    case TML_PARAM_TERMS:
        list_of(j, "term", 1, 0);
        break;
    }
}

static void write_params(TmlJson *j, const TmlParam *params)
{
    for (const TmlParam *p = params; p != NULL && p->name != NULL; ++p) {
        tml_json_open(j, p->name, '{');
        param_fields(j, p);
        tml_json_close(j);
    }
}

/* --- entries --------------------------------------------------------------------------------- */

static void required_keys(TmlJson *j, const TmlKey *keys, const TmlParam *params)
{
    tml_json_open(j, "required", '[');
    for (const TmlKey *k = keys; k != NULL && k->name != NULL; ++k) {
        if (k->standard == NULL) {
            tml_json_string(j, NULL, k->name);
        }
    }
    for (const TmlParam *p = params; p != NULL && p->name != NULL; ++p) {
        if (p->standard == NULL) {
            tml_json_string(j, NULL, p->name);
        }
    }
    tml_json_close(j);
}

/* An object with exactly these keys. */
static void object(TmlJson *j, const char *name, const TmlKey *keys)
{
    tml_json_open(j, name, '{');
    tml_json_string(j, "type", "object");
    tml_json_open(j, "properties", '{');
    write_keys(j, keys);
    tml_json_close(j);
    required_keys(j, keys, NULL);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
}

static bool has_param(const TmlTypeInfo *info, const char *name)
{
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What an entry of that type has: the properties are open. */
static void when(TmlJson *j, const char *key, const TmlTypeInfo *info)
{
    tml_json_open(j, NULL, '{');
    tml_json_open(j, "if", '{');
    tml_json_open(j, "properties", '{');
    tml_json_open(j, key, '{');
    tml_json_string(j, "const", info->name);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_open(j, "then", '{');
    tml_json_string(j, "description", info->text);
    tml_json_open(j, "properties", '{');
}

/* Keys of an element type: its own, those of its ends, and `type`. */
static void element(TmlJson *j, const TmlTypeInfo *info, TmlEndsKind ends, const TmlKey *common)
{
    const TmlKey *const lists[] = {common, tml_keys_ends(ends)};
    when(j, "type", info);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        for (const TmlKey *k = lists[i]; k->name != NULL; ++k) {
            if (!has_param(info, k->name)) { // the element's own meaning counts
                tml_json_open(j, k->name, '{');
                key_fields(j, k);
                tml_json_close(j);
            }
        }
    }
    write_params(j, info->params);
    tml_json_close(j);
    required_keys(j, common, info->params);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
    tml_json_close(j);
}

static void element_head(TmlJson *j, const char *name)
{
    tml_json_open(j, name, '{');
    tml_json_string(j, "type", "object");
    tml_json_open(j, "required", '[');
    tml_json_string(j, NULL, "type");
    tml_json_close(j);
    tml_json_open(j, "properties", '{');
    tml_json_open(j, "type", '{');
    tml_json_open(j, "enum", '[');
}

static void element_middle(TmlJson *j)
{
    tml_json_close(j);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_open(j, "allOf", '[');
}

static void write_joint(TmlJson *j)
{
    element_head(j, "joint");
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        tml_json_string(j, NULL, tml_constraint_types[k]->info.name);
    }
    element_middle(j);
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        element(j, &tml_constraint_types[k]->info, tml_constraint_types[k]->ends, tml_keys_joint);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void write_force(TmlJson *j)
{
    element_head(j, "force");
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        tml_json_string(j, NULL, tml_force_types[k]->info.name);
    }
    element_middle(j);
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        element(j, &tml_force_types[k]->info, tml_force_types[k]->ends, tml_keys_force);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void type_names(TmlJson *j, const char *key)
{
    tml_json_open(j, key, '{');
    tml_json_open(j, "enum", '[');
}

/* The type decides on the parameters. */
static void write_road(TmlJson *j)
{
    int n;
    const TmlRoadType *const *types = tml_road_types(&n);
    tml_json_open(j, "road", '{');
    tml_json_string(j, "type", "object");
    required_keys(j, tml_keys_road, NULL);
    tml_json_open(j, "properties", '{');
    type_names(j, "type");
    for (int k = 0; k < n; ++k) {
        tml_json_string(j, NULL, types[k]->info.name);
    }
    element_middle(j);
    for (int k = 0; k < n; ++k) {
        when(j, "type", &types[k]->info);
        write_keys(j, tml_keys_road);
        write_params(j, types[k]->info.params);
        tml_json_close(j);
        tml_json_bool(j, "additionalProperties", false);
        tml_json_close(j);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_close(j);
}

/* The law decides on the parameters; materials may give those that are required. */
static void write_contact(TmlJson *j)
{
    tml_json_open(j, "contact", '{');
    tml_json_string(j, "type", "object");
    required_keys(j, tml_keys_contact, NULL);
    tml_json_open(j, "properties", '{');
    type_names(j, "law");
    for (int k = 0; tml_press_types[k] != NULL; ++k) {
        tml_json_string(j, NULL, tml_press_types[k]->info.name);
    }
    tml_json_string(j, NULL, "none");
    element_middle(j);
    for (int k = 0; tml_press_types[k] != NULL; ++k) {
        const TmlTypeInfo *info = &tml_press_types[k]->info;
        when(j, "law", info);
        write_keys(j, tml_keys_contact);
        write_params(j, info->params);
        tml_json_close(j);
        tml_json_bool(j, "additionalProperties", false);
        tml_json_close(j);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_close(j);
}

/* Parameters of all laws: which one it is need not be said. */
static void write_friction(TmlJson *j)
{
    tml_json_open(j, "none", '{');
    tml_json_string(j, "const", "none");
    tml_json_close(j);
    tml_json_open(j, "rolling", '{');
    tml_json_string(j, "type", "object");
    tml_json_open(j, "properties", '{');
    write_params(j, tml_roll_types[0]->info.params);
    tml_json_close(j);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
    tml_json_open(j, "friction", '{');
    tml_json_string(j, "type", "object");
    tml_json_open(j, "properties", '{');
    type_names(j, "law");
    for (int k = 0; tml_slip_types[k] != NULL; ++k) {
        tml_json_string(j, NULL, tml_slip_types[k]->info.name);
    }
    tml_json_close(j);
    tml_json_close(j);
    for (int k = 0; tml_slip_types[k] != NULL; ++k) {
        for (const TmlParam *p = tml_slip_types[k]->info.params; p->name != NULL; ++p) {
            bool known = false;
            for (int i = 0; i < k && !known; ++i) {
                known = has_param(&tml_slip_types[i]->info, p->name);
            }
            if (!known) {
                tml_json_open(j, p->name, '{');
                param_fields(j, p);
                tml_json_close(j);
            }
        }
    }
    tml_json_close(j);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
}

/* --- definitions ----------------------------------------------------------------------------- */

static void types(TmlJson *j, const char *name, const char *a, const char *b, const char *c,
                  const char *text)
{
    tml_json_open(j, name, '{');
    tml_json_open(j, "type", '[');
    tml_json_string(j, NULL, a);
    tml_json_string(j, NULL, b);
    if (c != NULL) {
        tml_json_string(j, NULL, c);
    }
    tml_json_close(j);
    tml_json_string(j, "description", text);
    tml_json_close(j);
}

static void one_or_list(TmlJson *j, const char *name, const char *item, bool flag)
{
    tml_json_open(j, name, '{');
    tml_json_open(j, "anyOf", '[');
    ref(j, NULL, item);
    tml_json_open(j, NULL, '{');
    list_of(j, item, 0, 0);
    tml_json_close(j);
    if (flag) {
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "type", "boolean");
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void write_vectors(TmlJson *j)
{
    tml_json_open(j, "vector", '{');
    tml_json_open(j, "anyOf", '[');
    tml_json_open(j, NULL, '{');
    words(j, "x|y|z|-x|-y|-z|+x|+y|+z");
    tml_json_close(j);
    tml_json_open(j, NULL, '{');
    list_of(j, "number", 3, 3);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_open(j, "vector_or_pair", '{');
    tml_json_open(j, "anyOf", '[');
    ref(j, NULL, "vector");
    tml_json_open(j, NULL, '{');
    list_of(j, "number", 2, 2);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_close(j);
    tml_json_open(j, "between_list", '{');
    tml_json_string(j, "type", "array");
    tml_json_int(j, "minItems", 2);
    tml_json_int(j, "maxItems", 2);
    tml_json_close(j);
    tml_json_open(j, "texts", '{');
    list_of(j, "text", 0, 0);
    tml_json_close(j);
}

static void write_shape(TmlJson *j, const TmlTypeInfo *s, const TmlKey *axis)
{
    tml_json_open(j, s->name, '{');
    tml_json_open(j, "type", '[');
    tml_json_string(j, NULL, "object");
    tml_json_string(j, NULL, "null");
    tml_json_close(j);
    tml_json_string(j, "description", s->text);
    tml_json_open(j, "properties", '{');
    write_params(j, s->params);
    write_keys(j, axis);
    write_keys(j, tml_keys_shape);
    tml_json_close(j);
    required_keys(j, NULL, s->params);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
}

static void write_shapes(TmlJson *j)
{
    tml_json_open(j, "shape", '{');
    tml_json_string(j, "type", "object");
    tml_json_int(j, "minProperties", 1);
    tml_json_int(j, "maxProperties", 1);
    tml_json_open(j, "properties", '{');
    const TmlKey *axis;
    int k = 0;
    for (const TmlTypeInfo *s; (s = tml_written_shape(k, &axis)) != NULL; ++k) {
        write_shape(j, s, axis);
    }
    tml_json_close(j);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_close(j);
}

void tml_schema_values(TmlJson *j)
{
    types(j, "number", "number", "string", NULL, "a number or an expression of parameters");
    types(j, "text", "string", "number", "boolean", "a text or an expression");
    write_vectors(j);
}

/* A map from names to entries, with `for`. */
static void named(TmlJson *j, const char *name, const char *entry, bool plain_too)
{
    tml_json_open(j, name, '{');
    tml_json_open(j, "type", '[');
    tml_json_string(j, NULL, "object");
    tml_json_string(j, NULL, "null");
    tml_json_close(j);
    tml_json_open(j, "patternProperties", '{');
    ref(j, "^for ", name);
    tml_json_close(j);
    tml_json_open(j, "additionalProperties", '{');
    if (plain_too) {
        any_of(j, "text", entry);
    } else {
        char path[TML_NAME_MAX] = "#/$defs/";
        strncat(path, entry, sizeof path - strlen(path) - 1);
        tml_json_string(j, "$ref", path);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void write_definitions(TmlJson *j)
{
    tml_schema_values(j);
    object(j, "rotation", tml_keys_rotation);
    object(j, "place", tml_keys_top_frame);
    tml_json_open(j, "frame_reference", '{');
    any_of(j, "text", "place");
    tml_json_close(j);
    one_or_list(j, "locked", "text", true);
    write_shapes(j);
    one_or_list(j, "shapes", "shape", false);
    object(j, "term", tml_keys_term);
    object(j, "body", tml_keys_body);
    object(j, "body_frame", tml_keys_frame);
    object(j, "spline", tml_keys_spline);
    object(j, "variable", tml_keys_variable);
    object(j, "state", tml_keys_state);
    object(j, "event", tml_keys_event);
    object(j, "delay", tml_keys_delay);
    object(j, "path", tml_keys_path);
    object(j, "profile", tml_keys_profile);
    object(j, "segment", tml_keys_segment);
    object(j, "irregularities", tml_keys_faults);
    object(j, "track", tml_keys_track);
    object(j, "system", tml_keys_system);
    object(j, "output", tml_keys_output);
    object(j, "settings", tml_keys_simulate);
    object(j, "rotating_frame", tml_keys_rotating_frame);
    object(j, "material", tml_keys_material);
    object(j, "cross_section", tml_keys_cross);
    one_or_list(j, "cross_sections", "cross_section", false);
    object(j, "node", tml_keys_node);
    object(j, "attachment", tml_keys_attach);
    object(j, "attachment_at", tml_keys_attach_at);
    object(j, "mesh_place", tml_keys_mesh_place);
    object(j, "edges", tml_keys_edges);
    object(j, "arc", tml_keys_arc);
    object(j, "patch", tml_keys_patch);
    object(j, "rest_shape", tml_keys_rest);
    object(j, "load", tml_keys_load);
    object(j, "stations", tml_keys_stations);
    object(j, "contact_wire", tml_keys_contact_wire);
    object(j, "messenger_wire", tml_keys_messenger);
    object(j, "droppers", tml_keys_droppers);
    object(j, "steady_arms", tml_keys_arms);
    tml_json_open(j, "number_or_numbers", '{');
    any_of(j, "number", "numbers");
    tml_json_close(j);
    one_or_list(j, "number_lists", "number_or_numbers", false);
    object(j, "catenary", tml_keys_catenary);
    named(j, "catenaries", "catenary", false);
    tml_json_open(j, "numbers", '{');
    list_of(j, "number", 1, 0);
    tml_json_close(j);
    object(j, "flexible_frame", tml_keys_flex_frame);
    object(j, "flexible_body", tml_keys_flexible);
    named(j, "flexible_frames", "flexible_frame", false);
    named(j, "flexible", "flexible_body", false);
    object(j, "modal_frame", tml_keys_modal_frame);
    object(j, "modal_body", tml_keys_modal);
    named(j, "modal_frames", "modal_frame", false);
    named(j, "modal_shapes", "shapes", false);
    named(j, "modal", "modal_body", false);
    object(j, "ground", tml_keys_ground);
    object(j, "surface_material", tml_keys_surface);
    named(j, "materials", "surface_material", false);
    write_friction(j);
    write_contact(j);
    named(j, "contacts", "contact", false);
    write_joint(j);
    write_force(j);
    write_road(j);
    named(j, "body_frames", "body_frame", false);
    named(j, "bodies", "body", false);
    named(j, "frames", "place", false);
    named(j, "splines", "spline", false);
    named(j, "joints", "joint", false);
    named(j, "forces", "force", false);
    named(j, "variables", "variable", true);
    named(j, "states", "state", false);
    named(j, "events", "event", false);
    named(j, "delays", "delay", false);
    named(j, "paths", "path", false);
    named(j, "roads", "road", false);
    named(j, "profiles", "profile", false);
    named(j, "tracks", "track", false);
    named(j, "systems", "system", false);
    named(j, "outputs", "output", true);
    tml_json_open(j, "parameters", '{');
    tml_json_string(j, "type", "object");
    ref(j, "additionalProperties", "number");
    tml_json_close(j);
}

TmlStatus tml_schema(char **out, TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson json = {.text = &text}, *j = &json;
    *out = NULL;
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    tml_json_string(j, "title", "Trammel model");
    tml_json_string(j, "type", "object");
    tml_json_open(j, "properties", '{');
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        tml_json_open(j, s->name, '{');
        if (s->self.name != NULL) {
            key_fields(j, &s->self);
        } else {
            tml_json_string(j, "description", s->text);
            char path[TML_NAME_MAX] = "#/$defs/";
            strncat(path, strcmp(s->name, "simulate") == 0 ? "settings" : s->name,
                    sizeof path - strlen(path) - 1);
            tml_json_string(j, "$ref", path);
        }
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_bool(j, "additionalProperties", false);
    tml_json_open(j, "$defs", '{');
    write_definitions(j);
    tml_json_close(j);
    tml_json_close(j);
    return tml_textbuf_take(&text, out, err);
}
