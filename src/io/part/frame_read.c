/* io/part/frame_read.c - a space frame of beams, described by nodes, members and sections. */
#include "io/part/frame_read.h"

#include "io/part/mesh_build.h"
#include "math/vec3.h"
#include "reduce/mesh/beam_section.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const TmlKey tml_beams_keys[] = {
    {"nodes", TML_KEY_OPTIONS, "", NULL, "names with places: {A: [0, 0, 0], ...}", NULL},
    {"sections", TML_KEY_OPTIONS, "", NULL, "names with cross sections", NULL},
    {"members", TML_KEY_OPTIONS, "", NULL, "a list of pieces between nodes", NULL},
    {0},
};

const TmlKey tml_beams_keys_section[] = {
    {"rectangle", TML_KEY_NUMBERS, "m", "", "sides along y and z", NULL},
    {"tube", TML_KEY_NUMBERS, "m", "", "radius and wall; the radius alone: a full circle", NULL},
    {"box", TML_KEY_NUMBERS, "m", "", "sides along y and z, and wall", NULL},
    {"area", TML_KEY_NUMBER, "m^2", "", "area, for a section by its moments", NULL},
    {"Iy", TML_KEY_NUMBER, "m^4", "", "second moment about y", NULL},
    {"Iz", TML_KEY_NUMBER, "m^4", "", "second moment about z", NULL},
    {"J", TML_KEY_NUMBER, "m^4", "", "torsion constant", NULL},
    {"shear", TML_KEY_NUMBERS, "", "",
     "shear correction factors along y and z; default: Cowper's factors; for sections by moments "
     "no shear deformation",
     NULL},
    {"reach", TML_KEY_NUMBERS, "m", "",
     "distances of the outer fibres along y and z, for stresses of a section by its moments", NULL},
    {"up", TML_KEY_VEC3, "", "", "direction of the z axis; round sections need none", NULL},
    {0},
};

const TmlKey tml_beams_keys_member[] = {
    {"nodes", TML_KEY_OPTIONS, "", NULL, "two or more names", NULL},
    {"section", TML_KEY_TEXT, "", NULL, "name of a section", NULL},
    {"elements", TML_KEY_INT, "", "1", "elements of each piece", NULL},
    {0},
};

enum { MOST_ELEMENTS = 10000 }; /* of a piece of a member */

typedef struct Frame {
    TmlReader *r;
    TmlMeshBuild build;
    TmlNames nodes, sections; /* by name: place */
    int64_t last_id;          /* the largest number of a node so far */
} Frame;

/* --- nodes --------------------------------------------------------------------------------- */

/* The number that a name is, or 0. */
static int64_t number_of(const char *name)
{
    char *end = NULL;
    const long long value = strtoll(name, &end, 10);
    return end != name && *end == '\0' && value > 0 && value < INT_MAX ? value : 0;
}

static void read_node(Frame *f, TmlEntry *x, const TmlValue *key, const TmlValue *place)
{
    TmlMeshBuild *b = &f->build;
    const int64_t given = number_of(key->text), id = given > 0 ? given : ++f->last_id;
    TmlVec3 at;
    tml_check_units(x, place, "a node", "m");
    if (!tml_read_vec3(x, place, "a node", &at)) {
        return;
    }
    b->nomem = !tml_names_add(&f->nodes, key->text, b->n_nodes) || b->nomem;
    tml_mesh_add_node(b, id, at, key->line);
    tml_mesh_set_add(b, tml_mesh_set(b, &b->nodes, key->text, key->line), id);
}

static void read_nodes(Frame *f, TmlEntry *x)
{
    const TmlValue *nodes = tml_value_find(x->value, "nodes");
    if (nodes == NULL || nodes->kind != TML_VALUE_MAP || nodes->n == 0) {
        tml_entry_expected(x, nodes, "nodes", "names with places: {A: [0, 0, 0], ...}");
        return;
    }
    for (int k = 0; k < nodes->n; ++k) { // numbers of the user keep theirs
        const int64_t id = number_of(nodes->key[k]->text);
        f->last_id = id > f->last_id ? id : f->last_id;
    }
    for (int k = 0; k < nodes->n && !f->build.nomem; ++k) {
        read_node(f, x, nodes->key[k], nodes->item[k]);
    }
}

/* --- sections ------------------------------------------------------------------------------ */

static const double poisson = 0.3; /* that Cowper's shear factors are for */

/* One to three positive numbers; false after an error. */
static bool read_sizes(TmlEntry *x, const TmlValue *v, const char *what, int n,
                       const char *expected, double *out)
{
    bool ok = tml_read_numbers(x, v, what, n, expected, out);
    for (int k = 0; k < n && ok; ++k) {
        if (!(out[k] > 0.0)) {
            tml_entry_error(x, v, "%s: sizes must be positive", what);
            ok = false;
        }
    }
    return ok;
}

static bool thin_walls(TmlEntry *x, const TmlValue *v, bool ok)
{
    if (!ok) {
        tml_entry_error(x, v, "the walls are thicker than the section");
    }
    return ok;
}

static bool read_tube(TmlEntry *x, const TmlValue *v, TmlFeSection *s)
{
    double size[2];
    const bool full = v->kind != TML_VALUE_LIST || v->n == 1;
    if (v->kind == TML_VALUE_SCALAR
            ? !tml_read_ranged(x, v, "tube", TML_POSITIVE, "m", &size[0])
            : !read_sizes(x, v, "tube", full ? 1 : 2, "a list: radius, wall", size)) {
        return false;
    }
    if (!full && !thin_walls(x, v, size[1] <= size[0])) {
        return false;
    }
    tml_section_tube(size[0], full ? 0.0 : size[0] - size[1], poisson, s);
    return true;
}

static bool read_shape(TmlEntry *x, TmlFeSection *s)
{
    const TmlValue *rectangle = tml_value_find(x->value, "rectangle");
    const TmlValue *tube = tml_value_find(x->value, "tube");
    const TmlValue *box = tml_value_find(x->value, "box");
    double size[3];
    if (rectangle != NULL) {
        if (!read_sizes(x, rectangle, "rectangle", 2, "a list of two numbers", size)) {
            return false;
        }
        tml_section_rectangle(size[0], size[1], poisson, s);
        return true;
    }
    if (tube != NULL) {
        return read_tube(x, tube, s);
    }
    if (!read_sizes(x, box, "box", 3, "a list of three numbers", size) ||
        !thin_walls(x, box, 2.0 * size[2] < size[0] && 2.0 * size[2] < size[1])) {
        return false;
    }
    tml_section_box(size[0], size[1], size[2], s);
    return true;
}

static bool read_moments(TmlEntry *x, TmlFeSection *s)
{
    static const char *const keys[4] = {"area", "Iy", "Iz", "J"};
    static const char *const units[4] = {"m^2", "m^4", "m^4", "m^4"};
    double *const to[4] = {&s->area, &s->Iy, &s->Iz, &s->J};
    for (int k = 0; k < 4; ++k) {
        const TmlValue *v = tml_value_find(x->value, keys[k]);
        if (v == NULL) {
            tml_entry_error(x, NULL, "missing key '%s'", keys[k]);
            return false;
        }
        if (!tml_read_ranged(x, v, keys[k], TML_POSITIVE, units[k], to[k])) {
            return false;
        }
    }
    s->shear_y = s->shear_z = (double)INFINITY; // beams that do not shear
    const TmlValue *reach = tml_value_find(x->value, "reach");
    double size[2];
    if (reach != NULL && !read_sizes(x, reach, "reach", 2, "a list of two numbers", size)) {
        return false;
    }
    s->reach_y = reach != NULL ? size[0] : 0.0;
    s->reach_z = reach != NULL ? size[1] : 0.0;
    return true;
}

/* Directions and factors that all kinds of sections may have. */
static bool read_rest(TmlEntry *x, TmlFeSection *s)
{
    const TmlValue *shear = tml_value_find(x->value, "shear"), *up = tml_value_find(x->value, "up");
    double factor[2];
    if (shear != NULL) {
        if (!read_sizes(x, shear, "shear", 2, "a list of two numbers", factor)) {
            return false;
        }
        s->shear_y = factor[0];
        s->shear_z = factor[1];
    }
    if (up == NULL && s->Iy != s->Iz) {
        tml_entry_error(x, NULL, "missing key 'up': where the z axis of the section points");
        return false;
    }
    return up == NULL || tml_read_direction(x, up, "up", &s->up);
}

static bool read_section(TmlEntry *x, TmlFeSection *s)
{
    static const char *const kinds[4] = {"rectangle", "tube", "box", "area"};
    int n = 0;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return false;
    }
    tml_read_keys(x, x->value, tml_beams_keys_section, NULL, NULL);
    for (int k = 0; k < 4; ++k) {
        n += tml_value_find(x->value, kinds[k]) != NULL;
    }
    if (n != 1) {
        tml_entry_error(x, NULL, "expected one of the keys 'rectangle', 'tube', 'box' and 'area'");
        return false;
    }
    const bool moments = tml_value_find(x->value, "area") != NULL;
    return (moments ? read_moments(x, s) : read_shape(x, s)) && read_rest(x, s);
}

static TmlStatus read_sections(Frame *f, TmlEntry *x, TmlError *err)
{
    TmlFeMesh *mesh = f->build.mesh;
    const TmlValue *all = tml_value_find(x->value, "sections");
    if (all == NULL || all->kind != TML_VALUE_MAP || all->n == 0) {
        tml_entry_expected(x, all, "sections", "names with cross sections");
        return TML_OK;
    }
    TML_NEW(&mesh->arena, mesh->section, all->n);
    for (int k = 0; k < all->n; ++k) {
        TmlFeSection *s = &mesh->section[mesh->n_sections];
        TmlEntry own = {
            .r = f->r, .kind = "section", .name = all->key[k]->text, .value = all->item[k]};
        s->name = tml_arena_strdup(&mesh->arena, own.name);
        if (s->name == NULL || !tml_names_add(&f->sections, s->name, mesh->n_sections)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for sections");
        }
        mesh->n_sections++;
        (void)read_section(&own, s);
    }
    return TML_OK;
}

/* --- members ------------------------------------------------------------------------------- */

static int find_name(TmlEntry *x, const TmlNames *names, const TmlValue *v, const char *what)
{
    const int k = v->kind == TML_VALUE_SCALAR ? tml_names_find(names, v->text) : -1;
    if (k < 0) {
        tml_entry_error(x, v, "there is no %s of this name", what);
    }
    return k;
}

/* Elements from one node to another, with new nodes between. */
static void add_piece(Frame *f, int from, int to, int elements, int section, int line)
{
    TmlMeshBuild *b = &f->build;
    const TmlFeElementType *type = tml_fe_type_named("beam31");
    const TmlVec3 x0 = b->x[from], d = v3_sub(b->x[to], x0);
    const int64_t end = b->id[to];
    int64_t node[2] = {b->id[from], 0};
    for (int k = 1; k <= elements && !b->nomem; ++k) {
        node[1] = k < elements ? ++f->last_id : end;
        if (k < elements) {
            tml_mesh_add_node(b, node[1], v3_axpy((double)k / elements, d, x0), line);
        }
        const int place = tml_mesh_add_element(b, type, b->n_elements + 1, node, line);
        TmlGrowingSet *set = tml_mesh_set(b, &b->elements, b->mesh->section[section].name, line);
        if (b->nomem) {
            return;
        }
        b->element[place].section = section;
        set->by_place = true;
        tml_mesh_set_add(b, set, place);
        node[0] = node[1];
    }
}

static void read_member(Frame *f, TmlEntry *x)
{
    const TmlValue *nodes = tml_value_find(x->value, "nodes");
    const TmlValue *name = tml_value_find(x->value, "section");
    const TmlValue *count = tml_value_find(x->value, "elements");
    int elements = 1;
    if (nodes == NULL || nodes->kind != TML_VALUE_LIST || nodes->n < 2 || name == NULL) {
        tml_entry_error(x, NULL, "expected nodes: [A, B, ...] and section: NAME");
        return;
    }
    const int section = find_name(x, &f->sections, name, "section");
    if (count != NULL && !tml_read_int(x, count, "elements", &elements)) {
        return;
    }
    if (elements < 1 || elements > MOST_ELEMENTS) {
        tml_entry_error(x, count, "elements: from 1 to %d", MOST_ELEMENTS);
        return;
    }
    int from = find_name(x, &f->nodes, nodes->item[0], "node");
    for (int k = 1; k < nodes->n; ++k) {
        const int to = find_name(x, &f->nodes, nodes->item[k], "node");
        if (from >= 0 && to >= 0 && section >= 0) {
            add_piece(f, from, to, elements, section, nodes->item[k]->line);
        }
        from = to;
    }
}

static void read_members(Frame *f, TmlEntry *x)
{
    const TmlValue *members = tml_value_find(x->value, "members");
    if (members == NULL || members->kind != TML_VALUE_LIST || members->n == 0) {
        tml_entry_expected(x, members, "members", "a list: [{nodes: [A, B], section: NAME}, ...]");
        return;
    }
    for (int k = 0; k < members->n && !f->build.nomem; ++k) {
        TmlEntry own = {.r = f->r, .kind = "member", .value = members->item[k]};
        if (tml_read_is_map(&own, own.value, NULL)) {
            tml_read_keys(&own, own.value, tml_beams_keys_member, NULL, NULL);
            read_member(f, &own);
        }
    }
}

static TmlStatus read_frame(Frame *f, const TmlValue *beams, TmlError *err)
{
    TmlEntry x = {.r = f->r, .kind = "beams", .value = beams};
    if (!tml_read_is_map(&x, beams, NULL)) {
        return TML_OK;
    }
    const int before = f->r->report.n;
    tml_read_keys(&x, beams, tml_beams_keys, NULL, NULL);
    read_nodes(f, &x);
    TML_TRY(read_sections(f, &x, err));
    read_members(f, &x);
    return f->r->report.n > before ? TML_OK : tml_mesh_finish(&f->build, err);
}

TmlStatus tml_frame_read(TmlReader *r, const TmlValue *beams, TmlFeMesh *out, TmlError *err)
{
    Frame f = {.r = r};
    *out = (TmlFeMesh){0};
    out->file = tml_arena_strdup(&out->arena, beams->file != NULL ? beams->file : "beams");
    if (out->file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a frame");
    }
    tml_mesh_build_init(&f.build, out);
    const TmlStatus status = read_frame(&f, beams, err);
    tml_mesh_build_free(&f.build);
    tml_names_free(&f.nodes);
    tml_names_free(&f.sections);
    return status;
}
