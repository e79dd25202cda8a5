/* io/part/inp/inp.c - files of Abaqus and CalculiX: lines, keywords, includes. */
#include "io/part/inp/inp.h"

#include "base/input.h"
#include "base/real.h"
#include "io/part/mesh_read.h"
#include "math/vec3.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- keywords ------------------------------------------------------------------------------ */

static TmlStatus begin_step(TmlInpReader *r, TmlError *err)
{
    (void)err;
    r->in_step = r->skip = true;
    tml_mesh_note(&r->build, "steps are left out, with their loads and supports");
    return TML_OK;
}

static TmlStatus end_step(TmlInpReader *r, TmlError *err)
{
    (void)err;
    r->in_step = false;
    r->skip = true;
    return TML_OK;
}

static const struct {
    const char *name;
    TmlInpBegin *begin;
    TmlInpData *data;
} keywords[] = {
    {"NODE", tml_inp_node, tml_inp_node_data},
    {"ELEMENT", tml_inp_element, tml_inp_element_data},
    {"NSET", tml_inp_nset, tml_inp_nset_data},
    {"ELSET", tml_inp_elset, tml_inp_elset_data},
    {"MATERIAL", tml_inp_material, NULL},
    {"ELASTIC", tml_inp_elastic, tml_inp_elastic_data},
    {"DENSITY", tml_inp_density, tml_inp_density_data},
    {"SOLID SECTION", tml_inp_solid_section, tml_inp_solid_data},
    {"BEAM SECTION", tml_inp_beam_section, tml_inp_beam_data},
    {"SHELL SECTION", tml_inp_shell_section, tml_inp_shell_data},
    {"MASS", tml_inp_mass, tml_inp_mass_data},
    {"ROTARY INERTIA", tml_inp_rotary, tml_inp_rotary_data},
    {"SPRING", tml_inp_spring, tml_inp_spring_data},
    {"SURFACE", tml_inp_surface, tml_inp_surface_data},
    {"COUPLING", tml_inp_coupling, NULL},
    {"KINEMATIC", tml_inp_kinematic, tml_inp_coupling_data},
    {"DISTRIBUTING", tml_inp_distributing, tml_inp_coupling_data},
    {"KINEMATIC COUPLING", tml_inp_kinematic_coupling, tml_inp_kinematic_coupling_data},
    {"RIGID BODY", tml_inp_rigid_body, NULL},
    {"EQUATION", tml_inp_equation, tml_inp_equation_data},
    {"MPC", tml_inp_mpc, tml_inp_mpc_data},
    {"TIE", tml_inp_tie, tml_inp_tie_data},
    {"PART", tml_inp_part, NULL},
    {"END PART", tml_inp_end_part, NULL},
    {"ASSEMBLY", tml_inp_assembly, NULL},
    {"END ASSEMBLY", tml_inp_end_assembly, NULL},
    {"INSTANCE", tml_inp_instance, tml_inp_instance_data},
    {"END INSTANCE", tml_inp_end_instance, NULL},
    {"STEP", begin_step, NULL},
    {"END STEP", end_step, NULL},
};

/* Do not matter for the matrices of a free part. */
static const char *const quiet[] = {"HEADING",
                                    "PREPRINT",
                                    "PRINT",
                                    "RESTART",
                                    "AMPLITUDE",
                                    "TIME POINTS",
                                    "PHYSICAL CONSTANTS",
                                    "FILTER",
                                    "NODE PRINT",
                                    "EL PRINT",
                                    "NODE FILE",
                                    "EL FILE",
                                    "NODE OUTPUT",
                                    "ELEMENT OUTPUT",
                                    "OUTPUT",
                                    "FILE FORMAT",
                                    "CONTACT PRINT",
                                    "CONTACT FILE",
                                    "SECTION PRINT",
                                    "MONITOR"};
/* The same, but someone might expect them to: a note tells. */
static const char *const noted[] = {"BOUNDARY",
                                    "INITIAL CONDITIONS",
                                    "PLASTIC",
                                    "EXPANSION",
                                    "CONDUCTIVITY",
                                    "SPECIFIC HEAT",
                                    "DAMPING",
                                    "GLOBAL DAMPING",
                                    "CONTACT PAIR",
                                    "SURFACE INTERACTION",
                                    "SURFACE BEHAVIOR",
                                    "FRICTION",
                                    "CONTACT",
                                    "CONTACT INCLUSIONS",
                                    "CONTACT PROPERTY ASSIGNMENT",
                                    "TRANSFORM",
                                    "ORIENTATION",
                                    "CREEP",
                                    "CYCLIC HARDENING",
                                    "DEPVAR",
                                    "USER OUTPUT VARIABLES",
                                    "MODAL DAMPING",
                                    "CFLUX",
                                    "CLOAD"};

static bool in_list(const char *name, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        if (strcmp(list[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* --- messages and values ------------------------------------------------------------------- */

TmlStatus tml_inp_fail(const TmlInpReader *r, TmlError *err, const char *fmt, ...)
{
    char text[TML_ERROR_MAX / 2];
    const TmlInpSource *s = &r->source[r->depth > 0 ? r->depth - 1 : 0];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return tml_fail(err, TML_E_MODEL, "%s:%d: %s", s->file, s->line, text);
}

const char *tml_inp_value(const TmlInpReader *r, const char *key)
{
    for (int k = 0; k < r->now.n; ++k) {
        if (strcmp(r->now.key[k], key) == 0) {
            return r->now.value[k];
        }
    }
    return NULL;
}

int tml_inp_line(const TmlInpReader *r)
{
    const TmlInpSource *s = &r->source[r->depth > 0 ? r->depth - 1 : 0];
    return s->file == r->source[0].file ? s->line : 0; // the text of a part is of the main file
}

TmlStatus tml_inp_int(const TmlInpReader *r, const char *text, const char *what, int64_t *out,
                      TmlError *err)
{
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1) {
        return tml_inp_fail(r, err, "*%s: %s should be a whole number from 1 on", r->now.name,
                            what);
    }
    *out = value;
    return TML_OK;
}

TmlStatus tml_inp_real(const TmlInpReader *r, const char *text, const char *what, double *out,
                       TmlError *err)
{
    char plain[TML_INP_WORD], *end = NULL;
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c != '\0'; ++c) { // exponents of Fortran
        *c = *c == 'D' || *c == 'd' ? 'E' : *c;
    }
    *out = tml_real_read(plain, &end);
    if (end == plain || *end != '\0' || !isfinite(*out)) {
        return tml_inp_fail(r, err, "*%s: %s should be a number", r->now.name, what);
    }
    return TML_OK;
}

/* --- lines --------------------------------------------------------------------------------- */

/* The next line of the innermost file, its end cut off; NULL at the end of all files. */
char *tml_inp_next_line(TmlInpReader *r)
{
    while (r->depth > 0) {
        TmlInpSource *s = &r->source[r->depth - 1];
        if (*s->at != '\0') {
            char *line = s->at, *end = strchrnul(line, '\n');
            s->at = *end != '\0' ? end + 1 : end;
            *end = '\0';
            s->line++;
            for (; end > line && isspace((unsigned char)end[-1]); --end) {
                end[-1] = '\0';
            }
            while (isspace((unsigned char)*line)) {
                ++line;
            }
            return line;
        }
        if (r->depth == 1) {
            return NULL; // the last line stays known, for messages
        }
        tml_mem_free(s->text);
        r->depth--;
    }
    return NULL;
}

/* A text between commas without blanks around it; false: too long. *at: behind the comma. */
static bool next_item(const char **at, char *out)
{
    const char *begin = *at + strspn(*at, " \t"), *comma = strchrnul(begin, ',');
    size_t n = (size_t)(comma - begin);
    while (n > 0 && isspace((unsigned char)begin[n - 1])) {
        --n;
    }
    *at = *comma == ',' ? comma + 1 : comma;
    if (n >= TML_INP_WORD) {
        return false;
    }
    memcpy(out, begin, n);
    out[n] = '\0';
    return true;
}

static void to_upper(char *text)
{
    for (; *text != '\0'; ++text) {
        *text = (char)toupper((unsigned char)*text);
    }
}

/* One blank between words of a name. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; ++from) {
        const bool blank = isspace((unsigned char)*from);
        if (!blank || (to > text && to[-1] != ' ')) {
            *to++ = blank ? ' ' : *from;
        }
    }
    *to = '\0';
}

/* "KEY = VALUE", quotes around the value dropped; names of files keep their case. */
static void split_parameter(const char *item, char *key, char *value)
{
    const char *equals = strchr(item, '=');
    snprintf(key, TML_INP_WORD, "%.*s", equals != NULL ? (int)(equals - item) : TML_INP_WORD - 1,
             item);
    snprintf(value, TML_INP_WORD, "%s", equals != NULL ? equals + 1 : "");
    to_upper(key);
    squeeze(key);
    size_t n = strlen(key);
    if (n > 0 && key[n - 1] == ' ') {
        key[n - 1] = '\0';
    }
    const size_t blank = strspn(value, " \t\"");
    memmove(value, value + blank, strlen(value + blank) + 1);
    n = strlen(value);
    if (n > 0 && value[n - 1] == '"') {
        value[n - 1] = '\0';
    }
}

/* Adds the parameters of a line to the keyword. */
static TmlStatus add_parameters(TmlInpReader *r, const char *text, TmlError *err)
{
    char item[TML_INP_WORD];
    while (*text != '\0') {
        if (!next_item(&text, item)) {
            return tml_inp_fail(r, err, "*%s: a parameter is too long", r->now.name);
        }
        if (item[0] == '\0') {
            continue;
        }
        if (!isalpha((unsigned char)item[0])) { // a line of data would be lost in silence
            return tml_inp_fail(r, err,
                                "*%s: a parameter begins with a letter; does the line before end "
                                "with a comma by mistake?",
                                r->now.name);
        }
        if (r->now.n == TML_INP_KEYS) {
            return tml_inp_fail(r, err, "*%s has more than %d parameters", r->now.name,
                                TML_INP_KEYS);
        }
        split_parameter(item, r->now.key[r->now.n], r->now.value[r->now.n]);
        r->now.n++;
    }
    return TML_OK;
}

/* A line that ends with a comma is continued. */
static TmlStatus read_keyword(TmlInpReader *r, const char *line, TmlError *err)
{
    bool open = line[strlen(line) - 1] == ','; // also where the name alone is in the line
    const char *at = line + 1;
    r->now.n = 0;
    if (!next_item(&at, r->now.name)) {
        r->now.name[0] = '\0';
        return tml_inp_fail(r, err, "a keyword is too long");
    }
    to_upper(r->now.name);
    squeeze(r->now.name);
    TML_TRY(add_parameters(r, at, err));
    while (open) {
        const char *more = tml_inp_next_line(r);
        if (more == NULL) {
            return tml_inp_fail(r, err, "*%s: the file ends within its parameters", r->now.name);
        }
        open = more[0] != '\0' && more[strlen(more) - 1] == ',';
        TML_TRY(add_parameters(r, more, err));
    }
    return TML_OK;
}

TmlStatus tml_inp_split(const TmlInpReader *r, const char *line, TmlInpLine *out, TmlError *err)
{
    out->n = 0;
    while (*line != '\0') {
        if (out->n == TML_INP_ITEMS || !next_item(&line, out->item[out->n])) {
            return tml_inp_fail(r, err, "*%s: a line has too many or too long entries",
                                r->now.name);
        }
        out->n++;
    }
    return TML_OK;
}

/* --- files --------------------------------------------------------------------------------- */

static TmlStatus open_source(TmlInpReader *r, const char *path, TmlError *err)
{
    TmlInpSource *s = &r->source[r->depth];
    size_t length = 0;
    *s = (TmlInpSource){.file = tml_arena_strdup(&r->build.mesh->arena, path)};
    if (s->file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    TML_TRY(tml_input_read(path, &s->text, &length, err));
    r->depth++;
    s->at = s->text;
    r->bytes += length;
    if (strlen(s->text) != length) {
        return tml_fail(err, TML_E_MODEL, "%s: is no text file", path);
    }
    return r->bytes <= TML_INPUT_MAX
               ? TML_OK
               : tml_inp_fail(r, err, "the files are larger than %d MB", TML_INPUT_MAX >> 20);
}

/* Files beside the first one, or below its folder. */
static TmlStatus include_file(TmlInpReader *r, TmlError *err)
{
    enum { MOST_FILES = 100 };
    const char *name = tml_inp_value(r, "INPUT");
    if (name == NULL || name[0] == '\0') {
        return tml_inp_fail(r, err, "*INCLUDE has no INPUT=FILE");
    }
    if (name[0] == '/' || strstr(name, "..") != NULL || strchr(name, '\\') != NULL) {
        return tml_inp_fail(r, err, "*INCLUDE: only files in this folder or below are read");
    }
    if (r->depth == TML_INP_DEPTH || ++r->n_files > MOST_FILES) {
        return tml_inp_fail(r, err, "*INCLUDE: files include each other too often");
    }
    TmlFeMesh *mesh = r->build.mesh;
    const char *path = tml_input_beside(&mesh->arena, mesh->file, name);
    if (mesh->included == NULL) {
        mesh->included = tml_arena_alloc(&mesh->arena, MOST_FILES, sizeof *mesh->included);
    }
    if (path == NULL || mesh->included == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", name);
    }
    mesh->included[mesh->n_included++] = path;
    return open_source(r, path, err);
}

/* --- the file as a whole ------------------------------------------------------------------- */

static TmlStatus begin_keyword(TmlInpReader *r, TmlInpData **data, TmlError *err)
{
    const char *name = r->now.name;
    *data = NULL;
    r->skip = r->generate = false;
    r->lines = 0;
    r->to_nodes = r->to_elements = NULL;
    r->point_set[0] = '\0';
    if (r->in_step && strcmp(name, "END STEP") != 0) {
        r->skip = true;
        return TML_OK;
    }
    for (size_t k = 0; k < sizeof keywords / sizeof keywords[0]; ++k) {
        if (strcmp(keywords[k].name, name) == 0) {
            *data = keywords[k].data;
            return keywords[k].begin(r, err);
        }
    }
    r->skip = true;
    if (in_list(name, quiet, sizeof quiet / sizeof quiet[0])) {
        return TML_OK;
    }
    r->transformed = r->transformed || strcmp(name, "TRANSFORM") == 0;
    if (in_list(name, noted, sizeof noted / sizeof noted[0])) {
        tml_mesh_note(&r->build, "*%s is left out", name);
        return TML_OK;
    }
    return tml_inp_fail(
        r, err, "*%s is not read, and might change the result: take it out of the file", name);
}

static TmlStatus take_data(TmlInpReader *r, const char *line, TmlInpData *data, TmlError *err)
{
    TmlInpLine items;
    if (data == NULL) {
        return r->now.name[0] == '\0'
                   ? tml_inp_fail(r, err, "a keyword that begins with * should be here")
                   : tml_inp_fail(r, err, "*%s should have no lines of data", r->now.name);
    }
    TML_TRY(tml_inp_split(r, line, &items, err));
    r->lines++;
    return data(r, &items, err);
}

static TmlStatus read_lines(TmlInpReader *r, TmlError *err)
{
    TmlInpData *data = NULL;
    const char *line;
    while (!r->build.nomem && (line = tml_inp_next_line(r)) != NULL) {
        if (line[0] == '\0' || (line[0] == '*' && line[1] == '*')) {
            continue;
        }
        if (line[0] != '*') {
            if (!r->skip) {
                TML_TRY(take_data(r, line, data, err));
            }
            continue;
        }
        TML_TRY(tml_inp_element_end(r, err));
        TML_TRY(tml_inp_equation_end(r, err));
        const TmlInpKeyword before = r->now;
        TML_TRY(read_keyword(r, line, err));
        if (strcmp(r->now.name, "INCLUDE") != 0) {
            TML_TRY(begin_keyword(r, &data, err));
        } else if (!r->in_step) {
            TML_TRY(include_file(r, err));
            r->now = before; // lines of data may stand in a file of their own
        }
    }
    TML_TRY(tml_mesh_memory(&r->build, err));
    TML_TRY(tml_inp_element_end(r, err));
    TML_TRY(tml_inp_equation_end(r, err));
    if (r->in_part || r->in_instance || r->in_assembly || r->in_step) {
        return tml_inp_fail(r, err, "the file ends within *%s",
                            r->in_step       ? "STEP"
                            : r->in_instance ? "INSTANCE"
                            : r->in_part     ? "PART"
                                             : "ASSEMBLY");
    }
    return TML_OK;
}

typedef struct Numbered {
    int64_t id;
    int at;
} Numbered;

static int by_number(const void *a, const void *b)
{
    const int64_t p = ((const Numbered *)a)->id, q = ((const Numbered *)b)->id;
    return (p > q) - (p < q);
}

/* Places of nodes in the order of their numbers. */
static TmlStatus order_nodes(TmlInpReader *r, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    Numbered *list;
    TML_NEW(&r->scratch, list, mesh->n_nodes);
    TML_NEW(&r->scratch, r->by_id, mesh->n_nodes);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        list[k] = (Numbered){mesh->id[k], k};
    }
    qsort(list, (size_t)mesh->n_nodes, sizeof *list, by_number);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        r->by_id[k] = list[k].at;
    }
    return TML_OK;
}

static TmlStatus read_all(TmlInpReader *r, const char *path, TmlError *err)
{
    bool more = false;
    TML_TRY(open_source(r, path, err));
    tml_inp_look_for_instances(r);
    TML_TRY(read_lines(r, err));
    TML_TRY(tml_inp_parts_left(r, &more, err));
    if (more) {
        TML_TRY(read_lines(r, err));
    }
    if (r->build.n_nodes == 0) {
        return tml_inp_fail(r, err, "the file has no nodes");
    }
    TML_TRY(tml_inp_take_halves(r, err));
    tml_inp_left_sets(r);
    TML_TRY(tml_inp_nodes_of_elements(r, err));
    TML_TRY(tml_inp_coupling_points(r, err));
    TML_TRY(tml_mesh_finish(&r->build, err));
    TML_TRY(order_nodes(r, err));
    TML_TRY(tml_inp_couplings(r, err));
    TML_TRY(tml_inp_assign(r, err));
    return tml_inp_relations(r, err); // they ask for the thickness of shells
}

TmlStatus tml_inp_read(const char *path, TmlFeMesh *out, TmlError *err)
{
    *out = (TmlFeMesh){0};
    out->file = tml_arena_strdup(&out->arena, path);
    TmlInpReader *r = out->file != NULL ? tml_mem_zalloc(1, sizeof *r) : NULL;
    if (r == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    tml_mesh_build_init(&r->build, out);
    r->mesh_part = -1;
    const TmlStatus status = read_all(r, path, err);
    for (int k = 0; k < r->depth; ++k) {
        tml_mem_free(r->source[k].text);
    }
    tml_mem_free(r->material);
    tml_mem_free(r->section);
    tml_mem_free(r->left);
    tml_mem_free(r->left_node);
    tml_mem_free(r->piece);
    tml_mem_free(r->coupling);
    tml_mem_free(r->point);
    tml_mem_free(r->text);
    tml_mem_free(r->wanted);
    tml_mem_free(r->half);
    tml_mem_free(r->instance);
    tml_mem_free(r->tie);
    tml_mem_free(r->term);
    tml_mem_free(r->relation);
    tml_mem_free(r->fe_term);
    tml_arena_free(&r->scratch);
    tml_mesh_build_free(&r->build);
    tml_mem_free(r);
    return status;
}
