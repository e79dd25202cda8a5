/* io/help/schema_part.c - JSON schema (draft 2020-12) of the description of a part (PART.yaml), for editors.
 *
 * Written from the tables that the reader uses. Keys that may be a number or a map, and maps of names, are told in the table below;
 * all others have the schema of their kind.
 */
#include "io/help/schema.h"
#include "io/part/description/part_read.h"
#include "io/part/frame_read.h"
#include "io/text/textbuf.h"
#include "trammel/io.h"

#include <string.h>

/* What stands under a key: one entry, or a map or a list of entries; `other`: another kind that it may be. */
typedef struct Inner {
    const char *owner, *key, *entry;
    enum { ONE, MAP, LIST } form;
    const char *other;
} Inner;

static const Inner inner[] = {
    {"part", "parameters", "number", MAP, NULL},
    {"part", "matrices", "matrices", ONE, NULL},
    {"part", "beams", "beams", ONE, NULL},
    {"part", "elements", "text", MAP, NULL},
    {"part", "material", "material", ONE, NULL},
    {"part", "materials", "material", MAP, NULL},
    {"part", "interfaces", "interface", MAP, NULL},
    {"part", "modes", "modes", ONE, "number"},
    {"part", "damping", "damping", ONE, "number"},
    {"part", "stiffening", "stiffening", ONE, NULL},
    {"part", "loads", "applied", MAP, "applied_list"},
    {"part", "keep", "kept", MAP, "number"},
    {"beams", "nodes", "vector", MAP, NULL},
    {"beams", "sections", "section", MAP, NULL},
    {"beams", "members", "member", LIST, NULL},
    {"member", "nodes", "text", LIST, NULL},
    {"section", "tube", "number", LIST, "number"},
    {"interface", "distance", "number", LIST, "number"},
    {"interface", "length", "number", LIST, "number"},
    {"applied", "distance", "number", LIST, "number"},
    {"applied", "length", "number", LIST, "number"},
    {"damping", "table", "numbers", LIST, NULL},
    {"stiffening", "loads", "load", MAP, NULL},
};

static const Inner *inner_of(const char *owner, const char *key)
{
    for (size_t k = 0; k < sizeof inner / sizeof *inner; ++k) {
        if (strcmp(inner[k].owner, owner) == 0 && strcmp(inner[k].key, key) == 0) {
            return &inner[k];
        }
    }
    return NULL;
}

static void ref(TmlJson *j, const char *name)
{
    char path[TML_NAME_MAX] = "#/$defs/";
    strncat(path, name, sizeof path - strlen(path) - 1);
    tml_json_string(j, "$ref", path);
}

/* `other` stands for each entry of a map, else for the whole. */
static void one_of(TmlJson *j, const char *entry, const char *other)
{
    if (other == NULL) {
        ref(j, entry);
        return;
    }
    tml_json_open(j, "anyOf", '[');
    tml_json_open(j, NULL, '{');
    ref(j, entry);
    tml_json_close(j);
    tml_json_open(j, NULL, '{');
    ref(j, other);
    tml_json_close(j);
    tml_json_close(j);
}

static void write_inner(TmlJson *j, const Inner *i)
{
    if (i->form == ONE) {
        one_of(j, i->entry, i->other);
        return;
    }
    const bool list = i->form == LIST;
    if (list && i->other != NULL) {
        tml_json_open(j, "type", '[');
        tml_json_string(j, NULL, "array");
        tml_json_string(j, NULL, "number");
        tml_json_string(j, NULL, "string");
        tml_json_close(j);
    } else {
        tml_json_string(j, "type", list ? "array" : "object");
    }
    tml_json_open(j, list ? "items" : "additionalProperties", '{');
    one_of(j, i->entry, list ? NULL : i->other);
    tml_json_close(j);
}

/* "properties", those that are required, and no others. */
static void write_fields(TmlJson *j, const char *name, const TmlKey *keys)
{
    tml_json_string(j, "type", "object");
    tml_json_open(j, "properties", '{');
    for (const TmlKey *k = keys; k->name != NULL; ++k) {
        const Inner *i = inner_of(name, k->name);
        if (i == NULL) {
            tml_schema_key(j, k);
            continue;
        }
        tml_json_open(j, k->name, '{');
        tml_json_string(j, "description", k->text);
        write_inner(j, i);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_open(j, "required", '[');
    for (const TmlKey *k = keys; k->name != NULL; ++k) {
        if (k->standard == NULL) {
            tml_json_string(j, NULL, k->name);
        }
    }
    tml_json_close(j);
    tml_json_bool(j, "additionalProperties", false);
}

static void list_of(TmlJson *j, const char *name, const char *entry)
{
    tml_json_open(j, name, '{');
    tml_json_string(j, "type", "array");
    tml_json_open(j, "items", '{');
    ref(j, entry);
    tml_json_close(j);
    tml_json_close(j);
}

static void write_entries(TmlJson *j)
{
    static const struct {
        const char *name;
        const TmlKey *keys;
    } all[] = {
        {"matrices", tml_keys_of_part_matrices},     {"beams", tml_beams_keys},
        {"section", tml_beams_keys_section},         {"member", tml_beams_keys_member},
        {"material", tml_keys_of_part_material},     {"interface", tml_keys_of_part_interface},
        {"modes", tml_keys_of_part_modes},           {"damping", tml_keys_of_part_damping},
        {"stiffening", tml_keys_of_part_stiffening}, {"load", tml_keys_of_part_load},
        {"applied", tml_keys_of_part_applied},       {"kept", tml_keys_of_part_kept},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        tml_json_open(j, all[k].name, '{');
        write_fields(j, all[k].name, all[k].keys);
        tml_json_close(j);
    }
    list_of(j, "numbers", "number");
    list_of(j, "applied_list", "applied");
}

TmlStatus tml_schema_part(char **out, TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson json = {.text = &text}, *j = &json;
    *out = NULL;
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    tml_json_string(j, "title", "Trammel part");
    write_fields(j, "part", tml_keys_of_part);
    tml_json_open(j, "$defs", '{');
    tml_schema_values(j);
    write_entries(j);
    tml_json_close(j);
    tml_json_close(j);
    return tml_textbuf_take(&text, out, err);
}
