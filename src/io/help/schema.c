/* io/help/schema.c - JSON schema (draft 2020-12) of the model format, for editors.
 *
 * Written from the tables that the reader uses. The schema accepts whatever the reader might: a
 * number may be an expression, and names are checked by the reader only.
 */
#include "io/help/schema.h"

#include <assert.h>
#include <string.h>

#include "io/text/json.h"
#include "io/text/textbuf.h"
#include "model/contact/contacts.h"
#include "model/read/sections.h"
#include "model/registry.h"
#include "model/wheel/road/road.h"
#include "trammel/io.h"

/* --- small pieces ---------------------------------------------------------------------------- */

/* A reference to a definition, inside an open object; and as the value of a key. */
static void ref_here(TmlJson *j, const char *name)
{
    char path[TML_NAME_MAX] = "#/$defs/";
    strncat(path, name, sizeof path - strlen(path) - 1);
    tml_json_string(j, "$ref", path);
}

static void ref(TmlJson *j, const char *key, const char *name)
{
    tml_json_open(j, key, '{');
    ref_here(j, name);
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

/* What the value of a key is: of one definition, of a type of JSON, of one of two definitions, or a list of a definition. */
typedef enum FormKind { SPECIAL, REF, TYPE, EITHER, LIST } FormKind;

typedef struct Form {
    FormKind kind;
    const char *name, *other;
    int least, most; /* items of a list; most 0: any number */
} Form;

/* By the kind of the key; those that are not here are special. */
static const Form forms[] = {
    [TML_KEY_NUMBER] = {.kind = REF, .name = "number"},
    [TML_KEY_INT] = {.kind = REF, .name = "number"},
    [TML_KEY_BOOL] = {.kind = TYPE, .name = "boolean"},
    [TML_KEY_VEC3] = {.kind = REF, .name = "vector"},
    [TML_KEY_NUMBERS] = {.kind = TYPE, .name = "array"},
    [TML_KEY_MATRIX] = {.kind = TYPE, .name = "array"},
    [TML_KEY_ROTATION] = {.kind = REF, .name = "rotation"},
    [TML_KEY_TEXT] = {.kind = REF, .name = "text"},
    [TML_KEY_EXPR] = {.kind = REF, .name = "text"},
    [TML_KEY_BODY] = {.kind = TYPE, .name = "string"},
    [TML_KEY_BODIES] = {.kind = LIST, .name = "text", .least = 2, .most = 2},
    [TML_KEY_FRAME] = {.kind = REF, .name = "frame_reference"},
    [TML_KEY_FRAMES] = {.kind = LIST, .name = "frame_reference", .least = 2, .most = 2},
    [TML_KEY_POINTS] = {.kind = LIST, .name = "vector_or_pair", .least = 2, .most = 0},
    [TML_KEY_AXES] = {.kind = LIST, .name = "vector", .least = 2, .most = 2},
    [TML_KEY_LOCKED] = {.kind = REF, .name = "locked"},
    [TML_KEY_SHAPE] = {.kind = REF, .name = "shapes"},
    [TML_KEY_FRAME_MAP] = {.kind = REF, .name = "body_frames"},
    [TML_KEY_BETWEEN] = {.kind = EITHER, .name = "text", .other = "between_list"},
    [TML_KEY_OPTIONS] = {.kind = TYPE, .name = "object"},
    [TML_KEY_FILES] = {.kind = EITHER, .name = "text", .other = "texts"},
    [TML_KEY_EXPRS] = {.kind = EITHER, .name = "text", .other = "texts"},
    [TML_KEY_MATERIAL] = {.kind = REF, .name = "material"},
    [TML_KEY_CROSS] = {.kind = REF, .name = "cross_sections"},
    [TML_KEY_WIRE] = {.kind = REF, .name = "contact_wire"},
    [TML_KEY_MESSENGER] = {.kind = REF, .name = "messenger_wire"},
    [TML_KEY_DROPPERS] = {.kind = REF, .name = "droppers"},
    [TML_KEY_ARMS] = {.kind = REF, .name = "steady_arms"},
    [TML_KEY_LISTS] = {.kind = REF, .name = "number_lists"},
    [TML_KEY_ATTACH] = {.kind = REF, .name = "attachment"},
    [TML_KEY_FLEX_FRAMES] = {.kind = REF, .name = "flexible_frames"},
    [TML_KEY_MODAL_FRAMES] = {.kind = REF, .name = "modal_frames"},
    [TML_KEY_MODAL_SHAPES] = {.kind = REF, .name = "modal_shapes"},
    [TML_KEY_ELEMENTS] = {.kind = EITHER, .name = "number", .other = "numbers"},
    [TML_KEY_ARC] = {.kind = REF, .name = "arc"},
    [TML_KEY_PATCH] = {.kind = REF, .name = "patch"},
    [TML_KEY_REST] = {.kind = EITHER, .name = "text", .other = "rest_shape"},
    [TML_KEY_PLACE] = {.kind = EITHER, .name = "text", .other = "mesh_place"},
    [TML_KEY_EDGES] = {.kind = REF, .name = "edges"},
    [TML_KEY_STATIONS] = {.kind = EITHER, .name = "text", .other = "stations"},
    [TML_KEY_LOAD] = {.kind = REF, .name = "load"},
    [TML_KEY_NODES] = {.kind = LIST, .name = "node", .least = 2, .most = 0},
    [TML_KEY_ATTACH_LIST] = {.kind = LIST, .name = "attachment_at", .least = 0, .most = 0},
    [TML_KEY_SEGMENTS] = {.kind = LIST, .name = "segment", .least = 1, .most = 0},
    [TML_KEY_FAULTS] = {.kind = REF, .name = "irregularities"},
    [TML_KEY_SPLINE] = {.kind = EITHER, .name = "text", .other = "spline"},
};
static_assert(sizeof forms / sizeof *forms == TML_KEY_LISTS + 1,
              "a new kind of key needs its form");

/* Fields of the schema of a key, inside an open object. */
static void key_fields(TmlJson *j, const TmlKey *k)
{
    const size_t kind = (size_t)k->kind;
    const Form f = kind < sizeof forms / sizeof *forms ? forms[kind] : (Form){.kind = SPECIAL};
    describe(j, k->text, k->unit, k->standard);
    if (f.kind == REF) {
        ref_here(j, f.name);
    } else if (f.kind == TYPE) {
        tml_json_string(j, "type", f.name);
    } else if (f.kind == EITHER) {
        any_of(j, f.name, f.other);
    } else if (f.kind == LIST) {
        list_of(j, f.name, f.least, f.most);
    } else if (k->kind == TML_KEY_CHOICE) {
        words(j, k->choices);
    } else if (k->kind == TML_KEY_FRICTION) {
        any_of(j, "none", strcmp(k->name, "rolling") == 0 ? "rolling" : "friction");
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

/* Maps with the keys of a table, in the order of their sections. */
static const struct {
    const char *name;
    const TmlKey *keys;
} objects[] = {
    {"rotation", tml_keys_rotation},
    {"place", tml_keys_top_frame},
    {"term", tml_keys_term},
    {"body", tml_keys_body},
    {"body_frame", tml_keys_frame},
    {"spline", tml_keys_spline},
    {"variable", tml_keys_variable},
    {"state", tml_keys_state},
    {"event", tml_keys_event},
    {"delay", tml_keys_delay},
    {"path", tml_keys_path},
    {"profile", tml_keys_profile},
    {"segment", tml_keys_segment},
    {"irregularities", tml_keys_faults},
    {"track", tml_keys_track},
    {"system", tml_keys_system},
    {"output", tml_keys_output},
    {"settings", tml_keys_simulate},
    {"rotating_frame", tml_keys_rotating_frame},
    {"material", tml_keys_material},
    {"cross_section", tml_keys_cross},
    {"node", tml_keys_node},
    {"attachment", tml_keys_attach},
    {"attachment_at", tml_keys_attach_at},
    {"mesh_place", tml_keys_mesh_place},
    {"edges", tml_keys_edges},
    {"arc", tml_keys_arc},
    {"patch", tml_keys_patch},
    {"rest_shape", tml_keys_rest},
    {"load", tml_keys_load},
    {"stations", tml_keys_stations},
    {"contact_wire", tml_keys_contact_wire},
    {"messenger_wire", tml_keys_messenger},
    {"droppers", tml_keys_droppers},
    {"steady_arms", tml_keys_arms},
    {"catenary", tml_keys_catenary},
    {"flexible_frame", tml_keys_flex_frame},
    {"flexible_body", tml_keys_flexible},
    {"modal_frame", tml_keys_modal_frame},
    {"modal_body", tml_keys_modal},
    {"ground", tml_keys_ground},
    {"surface_material", tml_keys_surface},
};

/* Sections and maps with names of the user's, each with an entry of this definition; with `plain_too` also without a map. */
static const struct {
    const char *name, *entry;
    bool plain_too;
} collections[] = {
    {"catenaries", "catenary", false},
    {"flexible_frames", "flexible_frame", false},
    {"flexible", "flexible_body", false},
    {"modal_frames", "modal_frame", false},
    {"modal_shapes", "shapes", false},
    {"modal", "modal_body", false},
    {"materials", "surface_material", false},
    {"contacts", "contact", false},
    {"body_frames", "body_frame", false},
    {"bodies", "body", false},
    {"frames", "place", false},
    {"splines", "spline", false},
    {"joints", "joint", false},
    {"forces", "force", false},
    {"variables", "variable", true},
    {"states", "state", false},
    {"events", "event", false},
    {"delays", "delay", false},
    {"paths", "path", false},
    {"roads", "road", false},
    {"profiles", "profile", false},
    {"tracks", "track", false},
    {"systems", "system", false},
    {"outputs", "output", true},
};

static void write_definitions(TmlJson *j)
{
    tml_schema_values(j);
    for (size_t k = 0; k < sizeof objects / sizeof *objects; ++k) {
        object(j, objects[k].name, objects[k].keys);
    }
    for (size_t k = 0; k < sizeof collections / sizeof *collections; ++k) {
        named(j, collections[k].name, collections[k].entry, collections[k].plain_too);
    }
    tml_json_open(j, "frame_reference", '{');
    any_of(j, "text", "place");
    tml_json_close(j);
    one_or_list(j, "locked", "text", true);
    one_or_list(j, "shapes", "shape", false);
    one_or_list(j, "cross_sections", "cross_section", false);
    tml_json_open(j, "number_or_numbers", '{');
    any_of(j, "number", "numbers");
    tml_json_close(j);
    one_or_list(j, "number_lists", "number_or_numbers", false);
    tml_json_open(j, "numbers", '{');
    list_of(j, "number", 1, 0);
    tml_json_close(j);
    write_shapes(j);
    write_friction(j);
    write_contact(j);
    write_joint(j);
    write_force(j);
    write_road(j);
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
