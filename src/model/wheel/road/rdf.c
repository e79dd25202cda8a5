/* model/wheel/road/rdf.c - road data files; see rdf.h. */
#include "model/wheel/road/rdf.h"

#include "base/input.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Section { SECTION_OTHER, SECTION_UNITS, SECTION_NODES, SECTION_ELEMENTS } Section;

typedef struct Reader {
    const char *path;
    TmlArena *arena;
    TmlError *err;
    int line, cap_nodes, cap_elements;
    Section section;
    double unit; /* m; 0: not told yet */
    TmlVec3 offset;
    bool method;
    int *number; /* of each node */
    int *at;     /* line of each element */
    TmlVec3 *node;
    int *element;
    double *friction;
    int n_nodes, n_elements;
} Reader;

static TmlStatus wrong(Reader *r, const char *what, const char *word)
{
    return tml_fail(r->err, TML_E_MODEL, "%s:%d: %s '%.60s'", r->path, r->line, what, word);
}

static void cut_comment(char *line)
{
    line[strcspn(line, "!$")] = '\0';
    for (char *c = line; *c != '\0'; ++c) {
        *c = (char)toupper((unsigned char)*c);
    }
}

/* A list that grows by copying, in the arena: at most twice what it holds is lost. */
static void *grown(TmlArena *arena, void *old, int n, int *cap, size_t size, int parts)
{
    if (n < *cap) {
        return old;
    }
    *cap = *cap > 0 ? 2 * *cap : 256;
    char *more = tml_arena_alloc(arena, (size_t)*cap * (size_t)parts, size);
    if (more != NULL && n > 0) {
        memcpy(more, old, (size_t)n * (size_t)parts * size);
    }
    return more;
}

/* Up to `most` numbers of a line; -1: something else stands there. */
static int numbers_of(const char *text, int most, double *out)
{
    int n = 0;
    while (*(text += strspn(text, " \t,\r")) != '\0') {
        char *end;
        const double x = strtod(text, &end);
        if (end == text || !isfinite(x) || n == most) {
            return -1;
        }
        out[n++] = x;
        text = end;
    }
    return n;
}

static TmlStatus read_node(Reader *r, const char *line)
{
    double x[4];
    int cap = r->cap_nodes;
    if (numbers_of(line, 4, x) != 4 || x[0] != floor(x[0]) || !(fabs(x[0]) < 1e9)) {
        return wrong(r, "expected a node: number x y z, got", line);
    }
    r->number = grown(r->arena, r->number, r->n_nodes, &cap, sizeof *r->number, 1);
    r->node = grown(r->arena, r->node, r->n_nodes, &r->cap_nodes, sizeof *r->node, 1);
    if (r->number == NULL || r->node == NULL) {
        return tml_fail(r->err, TML_E_NOMEM, "out of memory");
    }
    r->number[r->n_nodes] = (int)x[0];
    r->node[r->n_nodes++] = v3(x[1], x[2], x[3]);
    return TML_OK;
}

static TmlStatus read_element(Reader *r, const char *line)
{
    double x[5];
    const int n = numbers_of(line, 5, x);
    int cap = r->cap_elements, other = r->cap_elements;
    bool whole = n >= 3;
    for (int k = 0; k < 3 && whole; ++k) {
        whole = x[k] == floor(x[k]) && fabs(x[k]) < 1e9;
    }
    if (!whole || (n > 3 && !(x[3] >= 0.0))) {
        return wrong(r, "expected an element: three numbers of nodes and its friction, got", line);
    }
    r->at = grown(r->arena, r->at, r->n_elements, &cap, sizeof *r->at, 1);
    r->friction = grown(r->arena, r->friction, r->n_elements, &other, sizeof *r->friction, 1);
    r->element =
        grown(r->arena, r->element, r->n_elements, &r->cap_elements, sizeof *r->element, 3);
    if (r->at == NULL || r->friction == NULL || r->element == NULL) {
        return tml_fail(r->err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < 3; ++k) {
        r->element[3 * r->n_elements + k] = (int)x[k];
    }
    r->at[r->n_elements] = r->line;
    r->friction[r->n_elements++] = n > 3 ? x[3] : 1.0;
    return TML_OK;
}

static TmlStatus read_unit(Reader *r, const char *word)
{
    static const struct {
        const char *word;
        double metres;
    } units[] = {{"'M'", 1.0},     {"'METER'", 1.0},   {"'MM'", 1e-3},     {"'CM'", 1e-2},
                 {"'KM'", 1e3},    {"'INCH'", 0.0254}, {"'FOOT'", 0.3048}, {"'MILE'", 1609.344},
                 {"'METRE'", 1.0}, {"'IN'", 0.0254},   {"'FT'", 0.3048}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; ++k) {
        if (strcmp(word, units[k].word) == 0) {
            r->unit = units[k].metres;
            return TML_OK;
        }
    }
    return wrong(r, "LENGTH: unknown unit", word);
}

static TmlStatus read_key(Reader *r, char *line, char *equals)
{
    *equals = '\0';
    const char *key = tml_input_trim(line), *value = tml_input_trim(equals + 1);
    double x[3];
    if (strcmp(key, "LENGTH") == 0 && r->section == SECTION_UNITS) {
        return read_unit(r, value);
    }
    if (strcmp(key, "METHOD") == 0) {
        r->method = true;
        return strcmp(value, "'3D'") == 0
                   ? TML_OK
                   : wrong(r,
                           "METHOD: only '3D', triangles, is read; write other roads as a "
                           "`profile` or `bumps`; got",
                           value);
    }
    if (strcmp(key, "OFFSET") == 0) {
        if (numbers_of(value, 3, x) != 3) {
            return wrong(r, "OFFSET: expected x y z, got", value);
        }
        r->offset = v3(x[0], x[1], x[2]);
    }
    if (strcmp(key, "ROTATION_ANGLE_XY_PLANE") == 0 && strtod(value, NULL) != 0.0) {
        return wrong(r, "ROTATION_ANGLE_XY_PLANE is not read; turn the road with `rotation`; got",
                     value);
    }
    return TML_OK;
}

static void begin_section(Reader *r, const char *name)
{
    r->section = strncmp(name, "UNITS", 5) == 0      ? SECTION_UNITS
                 : strncmp(name, "NODES", 5) == 0    ? SECTION_NODES
                 : strncmp(name, "ELEMENTS", 8) == 0 ? SECTION_ELEMENTS
                                                     : SECTION_OTHER;
}

static TmlStatus read_line(void *user, int number, char *line)
{
    Reader *r = user;
    r->line = number;
    cut_comment(line);
    line = tml_input_trim(line);
    char *equals = strchr(line, '=');
    if (line[0] == '[' || line[0] == '(') {
        begin_section(r, tml_input_trim(line + 1));
        return TML_OK;
    }
    if (line[0] == '\0' || line[0] == '{' || line[0] == '\'') {
        return TML_OK;
    }
    if (equals != NULL) {
        return read_key(r, line, equals);
    }
    return r->section == SECTION_NODES      ? read_node(r, line)
           : r->section == SECTION_ELEMENTS ? read_element(r, line)
                                            : TML_OK;
}

typedef struct Numbered {
    int number, index;
} Numbered;

static int by_number(const void *a, const void *b)
{
    const Numbered *x = a, *y = b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1) : x->index - y->index;
}

/* Numbers of nodes become their places. */
static TmlStatus resolve(Reader *r)
{
    Numbered *list = tml_arena_alloc(r->arena, (size_t)r->n_nodes + 1, sizeof *list);
    if (list == NULL) {
        return tml_fail(r->err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < r->n_nodes; ++k) {
        list[k] = (Numbered){r->number[k], k};
        r->node[k] = v3_scale(r->unit, v3_add(r->node[k], r->offset));
    }
    qsort(list, (size_t)r->n_nodes, sizeof *list, by_number);
    for (int k = 1; k < r->n_nodes; ++k) {
        if (list[k].number == list[k - 1].number) {
            return tml_fail(r->err, TML_E_MODEL, "%s: there are two nodes %d", r->path,
                            list[k].number);
        }
    }
    for (int k = 0; k < 3 * r->n_elements; ++k) {
        int low = 0, high = r->n_nodes;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            low = list[middle].number < r->element[k] ? middle + 1 : low;
            high = list[middle].number < r->element[k] ? high : middle;
        }
        if (low == r->n_nodes || list[low].number != r->element[k]) {
            return tml_fail(r->err, TML_E_MODEL, "%s:%d: there is no node %d", r->path,
                            r->at[k / 3], r->element[k]);
        }
        r->element[k] = list[low].index;
    }
    return TML_OK;
}

static TmlStatus check(const Reader *r)
{
    return !r->method ? tml_fail(r->err, TML_E_MODEL, "%s: there is no METHOD = '3D'", r->path)
           : r->unit == 0.0
               ? tml_fail(r->err, TML_E_MODEL,
                          "%s: [UNITS] has no LENGTH; a road without units could be off by a "
                          "factor of a thousand",
                          r->path)
           : r->n_nodes == 0 ? tml_fail(r->err, TML_E_MODEL, "%s: there are no [NODES]", r->path)
           : r->n_elements == 0
               ? tml_fail(r->err, TML_E_MODEL, "%s: there are no [ELEMENTS]", r->path)
               : TML_OK;
}

TmlStatus tml_rdf_read(const char *path, TmlArena *arena, TmlRdf *out, TmlError *err)
{
    Reader r = {.path = path, .arena = arena, .err = err};
    TML_TRY(tml_input_lines(path, read_line, &r, err));
    TML_TRY(check(&r));
    TML_TRY(resolve(&r));
    *out = (TmlRdf){.n_nodes = r.n_nodes,
                    .n_elements = r.n_elements,
                    .node = r.node,
                    .element = r.element,
                    .friction = r.friction};
    return TML_OK;
}
