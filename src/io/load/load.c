/* io/load/load.c - model files and their includes.
 *
 * A file is parsed, the files that it names under `include` are merged into its tree, and the
 * tree is read. Reading opens these files and the tables that splines name, nothing else.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/adams.h"
#include "base/input.h"
#include "io/load/load.h"
#include "io/load/rest_shape.h"
#include "io/load/yaml.h"
#include "io/part/part_file.h"
#include "model/read/read.h"
#include "trammel/io.h"

enum { MAX_INCLUDES = 256, MAX_DEPTH = 32 };

typedef struct Loader {
    TmlModel *m;
    TmlArena *arena;
    TmlReport *report;
    const char *open[MAX_DEPTH]; /* real paths of the files being read, outermost first */
    int depth, files;
    const TmlAdamsOptions *adams; /* NULL: datasets as they are */
    int n_sources;                /* texts that stand for files, whatever the disk holds */
    const TmlSource *source;
} Loader;

/* --- merging --------------------------------------------------------------------------------- */

static bool find_key(const TmlValue *map, const char *key, int *out)
{
    for (int k = 0; k < map->n; ++k) {
        if (strcmp(map->key[k]->text, key) == 0) {
            *out = k;
            return true;
        }
    }
    return false;
}

/* Two loops with the same head, `for k in 1..4`, are one: a document can have a key once. */
static bool repeats(const TmlValue *key, const TmlValue *a, const TmlValue *b)
{
    return strncmp(key->text, "for ", 4) == 0 && a->kind == TML_VALUE_MAP &&
           b->kind == TML_VALUE_MAP;
}

/* Entries of b behind those of a. Equal keys: both stay (the reader reports names that exist
 * twice), or the one of a counts. */
static TmlValue *merge_maps(TmlArena *arena, const TmlValue *a, const TmlValue *b,
                            bool first_counts)
{
    TmlValue *v = tml_arena_alloc(arena, 1, sizeof *v);
    const size_t both = (size_t)a->n + (size_t)b->n;
    TmlValue **item = tml_arena_alloc(arena, both, sizeof *item);
    TmlValue **key = tml_arena_alloc(arena, both, sizeof *key);
    if (v == NULL || item == NULL || key == NULL) {
        return NULL;
    }
    int n = 0, found;
    for (int k = 0; k < a->n; ++k, ++n) {
        item[n] = a->item[k];
        key[n] = a->key[k];
    }
    for (int k = 0; k < b->n; ++k) {
        const bool there = find_key(a, b->key[k]->text, &found);
        if (!first_counts && there && repeats(a->key[found], a->item[found], b->item[k])) {
            item[found] = merge_maps(arena, item[found], b->item[k], false);
            if (item[found] == NULL) {
                return NULL;
            }
        } else if (!first_counts || !there) {
            item[n] = b->item[k];
            key[n++] = b->key[k];
        }
    }
    *v = *a;
    v->n = n;
    v->item = item;
    v->key = key;
    return v;
}

/* Sections of an included document into the including one, which takes precedence. */
static TmlStatus merge_document(Loader *l, TmlValue **root, const TmlValue *other, TmlError *err)
{
    TmlValue *merged = merge_maps(l->arena, *root, other, true);
    for (int k = 0; merged != NULL && k < (*root)->n; ++k) {
        const TmlSection *section = tml_section_find(merged->key[k]->text);
        const TmlValue *theirs = tml_value_find(other, merged->key[k]->text);
        const bool maps = theirs != NULL && theirs->kind == TML_VALUE_MAP &&
                          merged->item[k]->kind == TML_VALUE_MAP;
        if (!maps || section == NULL) {
            continue;
        }
        // settings and parameters may be set again, named things may not
        merged->item[k] = merge_maps(l->arena, merged->item[k], theirs, !section->named);
        if (merged->item[k] == NULL) {
            merged = NULL;
        }
    }
    if (merged == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    *root = merged;
    return TML_OK;
}

/* --- includes -------------------------------------------------------------------------------- */

static TmlStatus load_tree(Loader *l, const char *path, const TmlValue *from, TmlValue **out,
                           TmlError *err);

static TmlStatus include_one(Loader *l, const TmlValue *at, TmlValue **root, TmlError *err)
{
    if (at->kind != TML_VALUE_SCALAR || at->text[0] == '\0') {
        tml_report_add(l->report, at, "include: expected the name of a file or a list of them");
        return TML_OK;
    }
    const char *path = tml_input_beside(l->arena, at->file, at->text);
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlValue *other = NULL;
    TML_TRY(load_tree(l, path, at, &other, err));
    if (other != NULL && other->kind != TML_VALUE_MAP) {
        tml_report_add(l->report, other, "expected a map of sections (bodies, joints, ...)");
        return TML_OK;
    }
    const TmlValue *version = tml_value_find(other, "trammel");
    if (version != NULL && (version->kind != TML_VALUE_SCALAR || strcmp(version->text, "1") != 0)) {
        tml_report_add(l->report, version, "trammel: expected version 1 of the format");
    }
    return other != NULL ? merge_document(l, root, other, err) : TML_OK;
}

static TmlStatus include_all(Loader *l, TmlValue **root, TmlError *err)
{
    const TmlValue *include = tml_value_find(*root, "include");
    if (include == NULL || include->kind == TML_VALUE_NULL) {
        return TML_OK;
    }
    if (include->kind != TML_VALUE_LIST) {
        return include_one(l, include, root, err);
    }
    for (int k = 0; k < include->n; ++k) {
        TML_TRY(include_one(l, include->item[k], root, err));
    }
    return TML_OK;
}

/* Names for the error "a includes b includes a"; false when the file is open already. */
static bool push_file(Loader *l, const char *path, const TmlValue *from)
{
    char real[PATH_MAX];
    const char *name = realpath(path, real) != NULL ? real : path;
    for (int k = 0; k < l->depth; ++k) {
        if (strcmp(l->open[k], name) == 0) {
            tml_report_add(l->report, from, "include: '%s' includes itself%s", path,
                           k < l->depth - 1 ? ", by way of this file" : "");
            return false;
        }
    }
    if (l->depth == MAX_DEPTH || l->files == MAX_INCLUDES) {
        tml_report_add(l->report, from, "include: more than %d files, or %d deep", MAX_INCLUDES,
                       MAX_DEPTH);
        return false;
    }
    const char *copy = tml_arena_strdup(l->arena, name);
    l->open[l->depth] = copy != NULL ? copy : "";
    l->depth++;
    l->files++;
    return true;
}

/* Notes of a converted dataset as texts of the model. */
static TmlStatus keep_notes(Loader *l, const TmlReport *notes, TmlError *err)
{
    bool ok = true;
    const int stored = notes->n < notes->limit ? notes->n : notes->limit;
    for (int k = 0; k < stored; ++k) {
        const struct TmlReportLine *at = &notes->line[k];
        const char *text =
            tml_arena_printf(l->arena, "%s:%d:%d: %s", at->file, at->line, at->column, at->text);
        ok &= text != NULL;
        TML_LIST_ADD(l->m->notes, text, &ok);
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* A model text of either language, by the suffix of its name. */
static TmlStatus parse_any(Loader *l, const char *text, size_t length, const char *name,
                           TmlValue **out, TmlError *err)
{
    if (!tml_adams_is_dataset(name)) {
        return tml_yaml_parse(text, length, name, l->arena, l->report, out, err);
    }
    static const TmlAdamsOptions plain = {0};
    TmlReport notes = {.arena = l->arena};
    TML_TRY(tml_adams_parse(text, length, name, l->adams != NULL ? l->adams : &plain, l->m,
                            l->report, &notes, out, err));
    return keep_notes(l, &notes, err);
}

/* A file, or the text that stands for it. */
static TmlStatus read_source(const Loader *l, const char *path, const TmlValue *from, char **out,
                             size_t *length, TmlError *err)
{
    for (int k = 0; k < l->n_sources; ++k) {
        if (strcmp(l->source[k].path, path) == 0) {
            *length = strlen(l->source[k].text);
            *out = tml_mem_zalloc(*length + 1, 1);
            if (*out == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory");
            }
            memcpy(*out, l->source[k].text, *length);
            return TML_OK;
        }
    }
    // a user may pipe a model in; what a model names is a plain file
    return from == NULL ? tml_input_read_any(path, out, length, err)
                        : tml_input_read(path, out, length, err);
}

/* For a dump. name: lives as long as the model. */
static TmlStatus keep_source(Loader *l, const char *name, const char *text, size_t length,
                             TmlError *err)
{
    bool ok = true;
    const TmlSource source = {name, tml_arena_strndup(l->arena, text, length)};
    TML_LIST_ADD(l->m->sources, source, &ok);
    return ok && name != NULL && source.text != NULL ? TML_OK
                                                     : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* from: the include that names it, NULL for the model itself. *out NULL: errors were reported. */
static TmlStatus load_tree(Loader *l, const char *path, const TmlValue *from, TmlValue **out,
                           TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    if (!push_file(l, path, from)) {
        return TML_OK;
    }
    TmlStatus status = read_source(l, path, from, &text, &length, err);
    if (status == TML_E_IO && from != NULL) {
        tml_report_add(l->report, from, "include: %s", err != NULL ? err->message : path);
        l->depth--;
        return TML_OK;
    }
    const char *name = tml_arena_strdup(l->arena, path);
    if (status == TML_OK && from == NULL) {
        l->m->file = name;
        l->m->text = tml_arena_strndup(l->arena, text, length);
    }
    if (status == TML_OK && (name == NULL || !tml_model_input_add(l->m, name) ||
                             (from != NULL && !tml_report_hide(l->report, l->open[0], name)))) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    status = status == TML_OK ? keep_source(l, name, text, length, err) : status;
    if (status == TML_OK) {
        status = parse_any(l, text, length, name, out, err);
    }
    tml_mem_free(text);
    if (status == TML_OK && *out != NULL && (*out)->kind == TML_VALUE_MAP) {
        status = include_all(l, out, err);
    }
    l->depth--;
    return status;
}

/* --- models ---------------------------------------------------------------------------------- */

/* The reader knows no integrators; here the name still has its place. */
static void check_integrator(Loader *l, const TmlValue *root)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    int n = 0;
    for (const char *name = tml_integrator_name(0); name != NULL && n < MAX_NAMES;
         name = tml_integrator_name(n)) {
        names[n++] = name;
    }
    const TmlValue *v = tml_value_find(tml_value_find(root, "simulate"), "integrator");
    if (v == NULL || v->kind != TML_VALUE_SCALAR) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        if (strcmp(names[k], v->text) == 0) {
            return;
        }
    }
    const char *near = tml_nearest(v->text, names, n);
    tml_report_add(l->report, v, "simulate: unknown integrator '%s'%s%s%s", v->text,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?" : "");
}

/* Reads and finishes; all errors of both are told together. */
static TmlStatus build(Loader *l, const TmlValue *root, const TmlOverrides *given, TmlError *err)
{
    if (root != NULL) {
        check_integrator(l, root);
        tml_reader_document(l->m->reader, root, true, given);
        return tml_reader_finish(l->m->reader, err);
    }
    return tml_report_status(l->report, err);
}

static Loader loader_of(TmlModel *m)
{
    m->load_part = tml_part_take_for;
    m->find_rest = tml_find_rest;
    return (Loader){.m = m, .arena = &m->arena, .report = &m->reader->report};
}

/* Hand over the model, or free it after a failure. */
static TmlStatus finish(Loader *l, TmlStatus status, TmlModel **out)
{
    if (status == TML_OK) {
        *out = l->m;
    } else {
        tml_model_free(l->m);
    }
    return status;
}

TmlStatus tml_load_root(TmlModel *m, const char *path, const TmlAdamsOptions *adams,
                        TmlValue **root, TmlError *err)
{
    Loader l = loader_of(m);
    l.adams = adams;
    TML_TRY(load_tree(&l, path, NULL, root, err));
    TML_TRY(tml_report_status(l.report, err));
    return *root != NULL && (*root)->kind == TML_VALUE_MAP
               ? TML_OK
               : tml_fail(err, TML_E_MODEL, "%s: expected a map of sections", path);
}

TmlLoadOptions tml_load_options_default(void)
{
    return (TmlLoadOptions){.size = sizeof(TmlLoadOptions)};
}

/* Those of a dataset are read with it. */
static TmlStatus give_inputs(TmlModel *m, const char *path, const TmlLoadOptions *o, TmlError *err)
{
    bool ok = true;
    for (int k = 0; k < o->n_inputs && !tml_adams_is_dataset(path); ++k) {
        const TmlGivenInput given = {.name = tml_arena_strdup(&m->arena, o->input_name[k]),
                                     .value = tml_arena_strdup(&m->arena, o->input_value[k])};
        ok &= given.name != NULL && given.value != NULL;
        TML_LIST_ADD(m->given_inputs, given, &ok);
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* Sections that the caller adds to those of the file, under names that are new. */
static TmlStatus add_more(Loader *l, const char *text, TmlValue **root, TmlError *err)
{
    TmlValue *other = NULL;
    l->m->more = tml_arena_strdup(l->arena, text);
    if (l->m->more == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(
        tml_yaml_parse(text, strlen(text), "added to the model", l->arena, l->report, &other, err));
    return other != NULL && *root != NULL && (*root)->kind == TML_VALUE_MAP &&
                   other->kind == TML_VALUE_MAP
               ? merge_document(l, root, other, err)
               : TML_OK;
}

static TmlStatus load_any(const char *path, const TmlLoadOptions *o, const TmlAdamsOptions *adams,
                          int n_sources, const TmlSource *source, TmlModel **out, TmlError *err)
{
    TmlModel *m = NULL;
    *out = NULL;
    if (o->size != sizeof *o) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "options of another version: start from tml_load_options_default");
    }
    TML_TRY(tml_model_create(&m, err));
    Loader l = loader_of(m);
    TmlValue *root = NULL;
    l.adams = adams;
    m->strict = o->strict;
    l.n_sources = n_sources;
    l.source = source;
    const bool follow = o->follow != NULL && strcmp(o->follow, "time") != 0;
    TmlStatus status = follow ? tml_model_follow(m, o->follow, err) : TML_OK;
    status = status == TML_OK ? give_inputs(m, path, o, err) : status;
    status = status == TML_OK ? load_tree(&l, path, NULL, &root, err) : status;
    status = status == TML_OK && o->more != NULL ? add_more(&l, o->more, &root, err) : status;
    const TmlOverrides given = {o->n, o->names, o->values, o->texts};
    return finish(&l, status == TML_OK ? build(&l, root, &given, err) : status, out);
}

TmlStatus tml_load_dataset(const char *path, const TmlLoadOptions *o, const TmlAdamsOptions *adams,
                           TmlModel **out, TmlError *err)
{
    return load_any(path, o, adams, 0, NULL, out, err);
}

TmlStatus tml_load_sources(const char *path, int n, const TmlSource *source,
                           const TmlLoadOptions *o, TmlModel **out, TmlError *err)
{
    const TmlAdamsOptions adams = tml_adams_options(o);
    return load_any(path, o, &adams, n, source, out, err);
}

TmlAdamsOptions tml_adams_options(const TmlLoadOptions *o)
{
    return (TmlAdamsOptions){.user_library = o->user_library,
                             .n_inputs = o->n_inputs,
                             .input_name = o->input_name,
                             .input_value = o->input_value,
                             .n_solids = o->n_solids,
                             .solid_name = o->solid_name,
                             .solid_file = o->solid_file,
                             .solids = o->solids,
                             .n_flex = o->n_flex,
                             .flex_name = o->flex_name,
                             .flex_file = o->flex_file};
}

TmlStatus tml_load_with(const char *path, const TmlLoadOptions *options, TmlModel **out,
                        TmlError *err)
{
    const TmlLoadOptions standard = tml_load_options_default();
    const TmlLoadOptions *o = options != NULL ? options : &standard;
    const TmlAdamsOptions adams = tml_adams_options(o);
    return tml_load_dataset(path, o, &adams, out, err);
}

TmlStatus tml_load(const char *path, int n, const char *const *names, const double *values,
                   TmlModel **out, TmlError *err)
{
    TmlLoadOptions o = tml_load_options_default();
    o.n = n;
    o.names = names;
    o.values = values;
    return tml_load_with(path, &o, out, err);
}

static TmlStatus parse_text(Loader *l, const char *text, const char *name, TmlValue **root,
                            TmlError *err)
{
    const char *file = tml_arena_strdup(l->arena, name);
    if (file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(parse_any(l, text, strlen(text), file, root, err));
    return *root != NULL && (*root)->kind == TML_VALUE_MAP ? include_all(l, root, err) : TML_OK;
}

TmlStatus tml_load_text(const char *text, const char *name, int n, const char *const *names,
                        const double *values, TmlModel **out, TmlError *err)
{
    TmlModel *m = NULL;
    *out = NULL;
    TML_TRY(tml_model_create(&m, err));
    Loader l = loader_of(m);
    TmlValue *root = NULL;
    m->file = tml_arena_strdup(&m->arena, name);
    m->text = tml_arena_strdup(&m->arena, text);
    TmlStatus status = keep_source(&l, m->file, text, strlen(text), err);
    status = status == TML_OK ? parse_text(&l, text, name, &root, err) : status;
    const TmlOverrides given = {.n = n, .names = names, .values = values};
    return finish(&l, status == TML_OK ? build(&l, root, &given, err) : status, out);
}

/* Parameters that a model was given, but for those that are given again, then the new ones. Returns
 * how many. */
static int merge_overrides(const TmlModel *from, int n, const char *const *names,
                           const double *values, const char **all_names, double *all_values)
{
    int count = 0;
    for (int k = 0; k < from->overrides.n; ++k) {
        bool again = false;
        for (int i = 0; i < n; ++i) {
            again = again || strcmp(from->overrides.at[k].name, names[i]) == 0;
        }
        if (!again) {
            all_names[count] = from->overrides.at[k].name;
            all_values[count++] = from->overrides.at[k].value;
        }
    }
    for (int i = 0; i < n; ++i) {
        all_names[count] = names[i];
        all_values[count++] = values[i];
    }
    return count;
}

TmlStatus tml_model_with(const TmlModel *from, int n, const char *const *names,
                         const double *values, TmlModel **out, TmlError *err)
{
    *out = NULL;
    if (from->sources.n == 0 || tml_adams_is_dataset(from->file)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        from->sources.n == 0
                            ? "the model was built from pieces of text: build it again"
                            : "the model is a dataset, which has no parameters");
    }
    const size_t most = (size_t)n + (size_t)from->overrides.n;
    const char **all_names = tml_mem_zalloc(most + 1, sizeof *all_names);
    double *all_values = tml_mem_zalloc(most + 1, sizeof *all_values);
    const size_t n_given = (size_t)from->given_inputs.n + 1;
    const char **input_name = tml_mem_zalloc(n_given, sizeof *input_name);
    const char **input_value = tml_mem_zalloc(n_given, sizeof *input_value);
    TmlStatus status =
        all_names != NULL && all_values != NULL && input_name != NULL && input_value != NULL
            ? TML_OK
            : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status == TML_OK) {
        TmlLoadOptions o = tml_load_options_default();
        o.n = merge_overrides(from, n, names, values, all_names, all_values);
        o.names = all_names;
        o.values = all_values;
        o.strict = from->strict;
        o.follow = from->followed;
        o.more = from->more;
        o.n_inputs = from->given_inputs.n;
        o.input_name = input_name;
        o.input_value = input_value;
        for (int k = 0; k < from->given_inputs.n; ++k) {
            input_name[k] = from->given_inputs.at[k].name;
            input_value[k] = from->given_inputs.at[k].value;
        }
        status = tml_load_sources(from->file, from->sources.n, from->sources.at, &o, out, err);
    }
    tml_mem_free(all_names);
    tml_mem_free(all_values);
    tml_mem_free(input_name);
    tml_mem_free(input_value);
    return status;
}

TmlStatus tml_model_add(TmlModel *m, const char *text, TmlError *err)
{
    if (m->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is finished");
    }
    Loader l = loader_of(m);
    TmlValue *root = NULL;
    TML_TRY(parse_text(&l, text, "text", &root, err));
    if (root != NULL) {
        return tml_model_read(m, root, 0, NULL, NULL, err);
    }
    return tml_report_status(l.report, err);
}
