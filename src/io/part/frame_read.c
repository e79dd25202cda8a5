/* io/part/frame_read.c - a space frame of beams, described by nodes, members and sections. */
#include "io/part/frame_read.h"

#include "io/part/mesh_build.h"
#include "io/part/part_value.h"
#include "math/vec3.h"
#include "reduce/beam_section.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 10000 }; /* elements of a piece of a member */

typedef struct Reader {
    TmlReport *report;
    TmlMeshBuild build;
    TmlNames nodes;  /* by name: place */
    int n_named;     /* nodes that have names */
    int64_t last_id; /* the largest number so far */
    TmlNames sections;
} Reader;

/* --- nodes --------------------------------------------------------------------------------- */

/* The number that a name is, or 0. */
static int64_t number_of(const char *name)
{
    char *end = NULL;
    const long long value = strtoll(name, &end, 10);
    return end != name && *end == '\0' && value > 0 && value < INT_MAX ? value : 0;
}

static void read_nodes(Reader *r, const TmlValue *frame)
{
    const TmlValue *nodes = tml_value_find(frame, "nodes");
    if (nodes == NULL || nodes->kind != TML_VALUE_MAP || nodes->n == 0) {
        tml_report_add(r->report, nodes != NULL ? nodes : frame,
                       "frame: expected nodes: {NAME: [x, y, z], ...}");
        return;
    }
    for (int k = 0; k < nodes->n; ++k) { // numbers of the user keep theirs
        const int64_t id = number_of(nodes->key[k]->text);
        r->last_id = id > r->last_id ? id : r->last_id;
    }
    for (int k = 0; k < nodes->n && !r->build.nomem; ++k) {
        const char *name = nodes->key[k]->text;
        const int64_t given = number_of(name), id = given > 0 ? given : ++r->last_id;
        double x[3] = {0};
        if (!tml_part_numbers(r->report, nodes, nodes->item[k], "a node", "m", 3, x)) {
            continue;
        }
        if (tml_names_find(&r->nodes, name) >= 0) {
            tml_report_add(r->report, nodes->key[k], "node '%s' is given twice", name);
            continue;
        }
        r->build.nomem = !tml_names_add(&r->nodes, name, r->build.n_nodes) || r->build.nomem;
        tml_mesh_add_node(&r->build, id, v3(x[0], x[1], x[2]), nodes->key[k]->line);
        tml_mesh_set_add(&r->build,
                         tml_mesh_set(&r->build, &r->build.nodes, name, nodes->key[k]->line), id);
    }
}

/* --- sections ------------------------------------------------------------------------------ */

static const double steel = 0.3; /* Poisson's ratio that shear factors are for */

static bool read_rectangle(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    double x[2];
    if (!tml_part_numbers(r->report, at, at, "rectangle", "m", 2, x)) {
        return false;
    }
    tml_section_rectangle(x[0], x[1], steel, s);
    return x[0] > 0.0 && x[1] > 0.0;
}

static bool read_tube(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    static const char *const keys[] = {"radius", "wall"};
    double radius, wall;
    const TmlValue *given;
    if (!tml_part_keys(r->report, at, "tube", keys, 2) ||
        !tml_part_positive(r->report, at, tml_value_find(at, "radius"), "radius", "m", &radius)) {
        return false;
    }
    given = tml_value_find(at, "wall");
    wall = radius;
    if (given != NULL && !tml_part_positive(r->report, at, given, "wall", "m", &wall)) {
        return false;
    }
    tml_section_tube(radius, radius - wall, steel, s);
    return wall <= radius;
}

static bool read_box(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    double x[3];
    if (!tml_part_numbers(r->report, at, at, "box", "m", 3, x)) {
        return false;
    }
    tml_section_box(x[0], x[1], x[2], s);
    return x[2] > 0.0 && 2.0 * x[2] < x[0] && 2.0 * x[2] < x[1];
}

static bool read_moments(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    double shear[2] = {INFINITY, INFINITY}; // beams that do not shear
    const TmlValue *given = tml_value_find(at, "shear");
    const bool ok =
        tml_part_positive(r->report, at, tml_value_find(at, "area"), "area", "m^2", &s->area) &&
        tml_part_positive(r->report, at, tml_value_find(at, "Iy"), "Iy", "m^4", &s->Iy) &&
        tml_part_positive(r->report, at, tml_value_find(at, "Iz"), "Iz", "m^4", &s->Iz) &&
        tml_part_positive(r->report, at, tml_value_find(at, "J"), "J", "m^4", &s->J) &&
        (given == NULL || tml_part_numbers(r->report, at, given, "shear", "", 2, shear));
    s->shear_y = shear[0];
    s->shear_z = shear[1];
    return ok && shear[0] > 0.0 && shear[1] > 0.0;
}

/* Sections that are not round need to know where their z axis is. */
static bool read_up(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    const TmlValue *up = tml_value_find(at, "up");
    if (up == NULL && s->Iy != s->Iz) {
        tml_report_add(r->report, at,
                       "a section that is not round needs up: the direction of its z "
                       "axis");
        return false;
    }
    return up == NULL || tml_part_direction(r->report, up, "up", &s->up);
}

static bool read_section(Reader *r, const TmlValue *at, TmlFeSection *s)
{
    static const char *const keys[] = {"rectangle", "tube", "box",   "area", "Iy",
                                       "Iz",        "J",    "shear", "up"};
    if (!tml_part_keys(r->report, at, "section", keys, sizeof keys / sizeof keys[0])) {
        return false;
    }
    const int before = r->report->n;
    const TmlValue *rectangle = tml_value_find(at, "rectangle"), *tube = tml_value_find(at, "tube");
    const TmlValue *box = tml_value_find(at, "box"), *area = tml_value_find(at, "area");
    if ((rectangle != NULL) + (tube != NULL) + (box != NULL) + (area != NULL) != 1) {
        tml_report_add(r->report, at, "a section has one of rectangle, tube, box or area");
        return false;
    }
    const bool ok = rectangle != NULL ? read_rectangle(r, rectangle, s)
                    : tube != NULL    ? read_tube(r, tube, s)
                    : box != NULL     ? read_box(r, box, s)
                                      : read_moments(r, at, s);
    if (!ok && r->report->n == before) {
        tml_report_add(r->report, at,
                       "dimensions must be positive, walls thinner than the section");
    }
    return ok && read_up(r, at, s);
}

static TmlStatus read_sections(Reader *r, const TmlValue *frame, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    const TmlValue *all = tml_value_find(frame, "sections");
    if (all == NULL || all->kind != TML_VALUE_MAP || all->n == 0) {
        tml_report_add(r->report, all != NULL ? all : frame,
                       "frame: expected sections: {NAME: {rectangle: [a, b], up: z}, ...}");
        return TML_OK;
    }
    TML_NEW(&mesh->arena, mesh->section, all->n);
    for (int k = 0; k < all->n; ++k) {
        TmlFeSection *s = &mesh->section[mesh->n_sections];
        s->name = tml_arena_strdup(&mesh->arena, all->key[k]->text);
        if (s->name == NULL || !tml_names_add(&r->sections, s->name, mesh->n_sections)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for sections");
        }
        mesh->n_sections++;
        (void)read_section(r, all->item[k], s);
    }
    return TML_OK;
}

/* --- members ------------------------------------------------------------------------------- */

static int find_name(Reader *r, const TmlNames *names, const TmlValue *v, const char *what)
{
    const int k = v != NULL && v->kind == TML_VALUE_SCALAR ? tml_names_find(names, v->text) : -1;
    if (k < 0 && v != NULL) {
        tml_report_add(r->report, v, "there is no %s of this name", what);
    }
    return k;
}

/* Elements from one node to another, with new nodes between. */
static void add_piece(Reader *r, int from, int to, int elements, int section, int line)
{
    TmlMeshBuild *b = &r->build;
    const TmlFeElementType *type = tml_fe_type_named("beam31");
    const TmlVec3 x0 = b->x[from], d = v3_sub(b->x[to], x0);
    int64_t node[2] = {b->id[from], 0};
    const int64_t end = b->id[to];
    for (int k = 1; k <= elements && !b->nomem; ++k) {
        node[1] = k < elements ? ++r->last_id : end;
        if (k < elements) {
            tml_mesh_add_node(b, node[1], v3_axpy((double)k / elements, d, x0), line);
        }
        const int place = tml_mesh_add_element(b, type, b->n_elements + 1, node, line);
        if (b->nomem) {
            return;
        }
        b->element[place].section = section;
        TmlGrowingSet *set = tml_mesh_set(b, &b->elements, b->mesh->section[section].name, line);
        if (set != NULL) {
            set->by_place = true;
        }
        tml_mesh_set_add(b, set, place);
        node[0] = node[1];
    }
}

static void read_member(Reader *r, const TmlValue *at)
{
    static const char *const keys[] = {"nodes", "section", "elements"};
    if (!tml_part_keys(r->report, at, "member", keys, 3)) {
        return;
    }
    const TmlValue *nodes = tml_value_find(at, "nodes"), *count = tml_value_find(at, "elements");
    const TmlValue *name = tml_value_find(at, "section");
    double elements = 1.0;
    if (nodes == NULL || nodes->kind != TML_VALUE_LIST || nodes->n < 2 || name == NULL) {
        tml_report_add(r->report, at, "a member has nodes: [A, B, ...] and section: NAME");
        return;
    }
    const int section = find_name(r, &r->sections, name, "section");
    if (count != NULL && !tml_part_positive(r->report, at, count, "elements", "", &elements)) {
        return;
    }
    if (elements != floor(elements) || elements > MOST_PIECES) {
        tml_report_add(r->report, count, "elements: expected a whole number up to %d", MOST_PIECES);
        return;
    }
    int from = find_name(r, &r->nodes, nodes->item[0], "node");
    for (int k = 1; k < nodes->n; ++k) {
        const int to = find_name(r, &r->nodes, nodes->item[k], "node");
        if (from >= 0 && to >= 0 && section >= 0) {
            add_piece(r, from, to, (int)elements, section, nodes->item[k]->line);
        }
        from = to;
    }
}

static void read_members(Reader *r, const TmlValue *frame)
{
    const TmlValue *members = tml_value_find(frame, "members");
    if (members == NULL || members->kind != TML_VALUE_LIST || members->n == 0) {
        tml_report_add(r->report, members != NULL ? members : frame,
                       "frame: expected members: [{nodes: [A, B], section: NAME}, ...]");
        return;
    }
    for (int k = 0; k < members->n && !r->build.nomem; ++k) {
        read_member(r, members->item[k]);
    }
}

static TmlStatus read_frame(Reader *r, const TmlValue *frame, TmlError *err)
{
    static const char *const keys[] = {"nodes", "sections", "members"};
    if (!tml_part_keys(r->report, frame, "frame", keys, 3)) {
        return TML_OK;
    }
    read_nodes(r, frame);
    TML_TRY(read_sections(r, frame, err));
    read_members(r, frame);
    return r->report->n > 0 ? TML_OK : tml_mesh_finish(&r->build, err);
}

TmlStatus tml_frame_read(const TmlValue *frame, TmlReport *report, TmlFeMesh *out, TmlError *err)
{
    Reader r = {.report = report};
    *out = (TmlFeMesh){0};
    out->file = tml_arena_strdup(&out->arena, frame->file != NULL ? frame->file : "frame");
    if (out->file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a frame");
    }
    tml_mesh_build_init(&r.build, out);
    const TmlStatus status = read_frame(&r, frame, err);
    tml_mesh_build_free(&r.build);
    tml_names_free(&r.nodes);
    tml_names_free(&r.sections);
    return status;
}
