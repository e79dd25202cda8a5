/* model/read/contact/read_stations.c - stations of flexible bodies: the shapes with which they touch.
 *
 * A station is a sphere about a point of the middle line or surface. Along an element stations are the points of Gauss,
 * and each stands for its share of the length or area at rest. Across a flat section they are those of Lobatto, whose
 * outermost spheres reach to the edges: with them the section resists tilting as evenly spread pressure does.
 *
 *   (S1)  radius: of a circle; half the thickness of a plate; half the smaller side of a rectangle
 *   (S2)  across the longer side L of a rectangle with the shorter t: places -1, 0, 1 times (L - t) / 2, shares 1/6, 2/3, 1/6
 *
 * Text: docs/theory/contact_flexible.md
 */
#include <math.h>
#include <string.h>

#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mesh.h"
#include "model/read/contact/read_laws.h"

enum { STANDARD = 4, MOST = 8, ACROSS = 3 };

/* What is said of a flexible body, and a sphere for each element. */
typedef struct Stations {
    TmlEntry x;
    int mesh, n;
    double radius; /* 0: that of the section */
    const char *group, *material;
    int made_of;
} Stations;

/* (S1), (S2) of one element. */
typedef struct Profile {
    double radius, reach; /* m: of the spheres; of the outermost centres */
    int axis;             /* of xi along which they lie: 1, 2; 0: one alone */
} Profile;

static const char *read_name(TmlEntry *x, const char *key)
{
    const TmlValue *v = tml_value_find(x->value, key);
    return v != NULL ? tml_read_text(x, v, key) : NULL;
}

/* The key `contact` of a mesh; false: it never touches, or an error. */
static bool read_said(Stations *s, const TmlValue *v)
{
    TmlEntry *x = &s->x;
    s->n = STANDARD;
    s->made_of = -1;
    if (v == NULL) {
        return true;
    }
    if (v->kind == TML_VALUE_SCALAR && strcmp(v->text, "none") == 0) {
        return false;
    }
    if (v->kind != TML_VALUE_MAP) {
        tml_entry_expected(x, v, "contact", "none, or a map such as {stations: 4}");
        return false;
    }
    x->value = v;
    tml_read_keys(x, v, tml_keys_stations, NULL, NULL);
    const TmlValue *stations = tml_value_find(v, "stations"), *radius = tml_value_find(v, "radius");
    double n = STANDARD;
    if (stations != NULL && tml_read_ranged(x, stations, "stations", TML_POSITIVE, "", &n) &&
        !(n == floor(n) && n <= MOST)) {
        tml_entry_error(x, stations, "stations: expected a whole number from 1 to %d, got %.9g",
                        (int)MOST, n);
    }
    if (radius != NULL) {
        tml_read_ranged(x, radius, "radius", TML_POSITIVE, "m", &s->radius);
    }
    s->n = (int)n;
    s->group = read_name(x, "group");
    s->material = read_name(x, "material");
    const TmlModel *m = x->r->m;
    s->made_of = s->material != NULL ? tml_find_material(m, s->material) : -1;
    if (s->material != NULL && s->made_of < 0) {
        tml_entry_unknown_name(x, tml_value_find(v, "material"), "material", s->material,
                               m->materials.at, m->materials.n, sizeof *m->materials.at);
    }
    return !x->bad;
}

/* False: the section does not tell. */
static bool profile_of(const Stations *s, const TmlFlexType *type, const TmlCrossSection *c,
                       Profile *out)
{
    *out = (Profile){.radius = s->radius};
    if (s->radius > 0.0) {
        return true;
    }
    const bool plane = type->dim == 2, axes = tml_mesh_has_section(type);
    switch (c->kind) {
    case TML_CROSS_CIRCLE:
        out->radius = c->radius;
        break;
    case TML_CROSS_PLATE:
        out->radius = 0.5 * c->height;
        break;
    case TML_CROSS_RECTANGLE:
        out->radius = plane ? 0.5 * c->height : 0.5 * fmin(c->height, c->width);
        out->reach = plane ? 0.0 : 0.5 * fabs(c->height - c->width);
        out->axis = out->reach <= 0.0 ? 0 : c->height > c->width ? 1 : 2;
        return axes; // a line without axes does not know how its rectangle lies
    case TML_CROSS_GENERAL:
    default:
        break;
    }
    return out->radius > 0.0;
}

/* Whether vector k of two nodes is the same. */
static bool same_vector(const TmlMesh *mesh, int a, int b, int k)
{
    const int n = mesh->type->vectors;
    const TmlVector *x = &mesh->vector[a * n + k], *y = &mesh->vector[b * n + k];
    bool same = x->n == y->n;
    for (int i = 0; i < x->n && same; ++i) {
        const TmlVectorTerm *p = &x->term[i], *q = &y->term[i];
        same = p->body == q->body && p->c == q->c && p->direction == q->direction &&
               p->s_b.x == q->s_b.x && p->s_b.y == q->s_b.y && p->s_b.z == q->s_b.z;
    }
    return same;
}

/* Whether the vectors of two nodes are the same, so that a line goes on smoothly. */
static bool same_node(const TmlMesh *mesh, int a, int b)
{
    bool same = true;
    for (int k = 0; a != b && k < mesh->type->vectors; ++k) {
        same = same && same_vector(mesh, a, b, k);
    }
    return same;
}

/* Nodes at the sides of an element: where x begins and ends, the same of y. Lines have one node a side. */
static void side_nodes(const TmlFlexType *type, const TmlFlex *flex, int side, int node[2])
{
    static const int corner[4][2] = {{0, 3}, {1, 2}, {0, 1}, {3, 2}};
    const bool patch = type->topology == TML_FLEX_PATCH;
    node[0] = flex->node[patch ? corner[side][0] : side];
    node[1] = flex->node[patch ? corner[side][1] : side];
}

/* Whether no element begins where this one ends, or ends where it begins; side: as TmlBodyShape.open counts. */
static bool is_open(const TmlModel *m, const TmlMesh *mesh, int element, int side)
{
    int own[2], other[2];
    if (mesh->type->topology == TML_FLEX_LINE && side > 1) {
        return true; // the edges of a flat beam
    }
    side_nodes(mesh->type, &m->flexes.at[element], side, own);
    for (int e = mesh->flex0; e < mesh->flex0 + mesh->n_x * mesh->n_y; ++e) {
        side_nodes(mesh->type, &m->flexes.at[e], side ^ 1, other);
        if (same_node(mesh, other[0], own[0]) && same_node(mesh, other[1], own[1])) {
            return false;
        }
    }
    return true;
}

/* One more than the element of a line that begins where this one ends, or ends where it begins, at an angle: its node is another
 * one in the same place, that of the first vector. 0: there is none. */
static int corner_of(const TmlModel *m, const TmlMesh *mesh, int element, int end)
{
    const int node = m->flexes.at[element].node[end];
    for (int e = mesh->flex0; e < mesh->flex0 + mesh->n_x; ++e) {
        if (e != element && same_vector(mesh, m->flexes.at[e].node[1 - end], node, 0)) {
            return e + 1;
        }
    }
    return 0;
}

/* Elements whose nodes have slopes, so that what they are touched on has no corner where elements meet. */
static bool has_segments(const TmlFlexType *type)
{
    bool slope = false;
    for (int k = 0; k < type->vectors; ++k) {
        slope = slope || type->kind[k] == TML_FLEX_RX;
    }
    return slope && (type->nodes == 2 || type->topology == TML_FLEX_PATCH);
}

static TmlSheetKind sheet_of(const TmlFlexType *type, const Profile *p)
{
    return type->topology == TML_FLEX_PATCH ? TML_SHEET_PATCH
           : p->axis == 1                   ? TML_SHEET_Y
           : p->axis == 2                   ? TML_SHEET_Z
                                            : TML_SHEET_NONE;
}

/* weight 0: that which travels */
static void add_station(Stations *s, int element, const double xi[3], double weight,
                        const TmlShape *sphere, const Profile *p, int *count)
{
    TmlModel *m = s->x.r->m;
    const TmlMesh *mesh = &m->meshes.at[s->mesh];
    const bool travels = weight == 0.0;
    bool ok = true;
    TmlBodyShape shape = {.name = mesh->name,
                          .group = s->group,
                          .material = s->material,
                          .made_of = s->made_of,
                          .body = mesh->body,
                          .shape = *sphere,
                          .place = {v3(0, 0, 0), m3_identity()},
                          .finished = true,
                          .element = element + 1,
                          .station = (*count)++,
                          .xi = {xi[0], xi[1], xi[2]},
                          .weight = weight,
                          .face = mesh->type->topology == TML_FLEX_PATCH,
                          .segment = travels,
                          .sheet = travels ? sheet_of(mesh->type, p) : TML_SHEET_NONE,
                          .reach = p->reach,
                          .mutual = has_segments(mesh->type),
                          .source = mesh->source};
    for (int side = 0; side < 4 && travels; ++side) {
        shape.open[side] = is_open(m, mesh, element, side);
        if (side < 2 && shape.open[side] && !shape.face) {
            shape.corner[side] = corner_of(m, mesh, element, side);
        }
    }
    TML_LIST_ADD(m->shapes, shape, &ok);
    s->x.r->nomem |= !ok;
}

/* The places along one element, and across a flat section. */
static void add_element(Stations *s, int element, const Profile *p, const TmlShape *sphere,
                        int *count)
{
    static const double place[ACROSS] = {-1.0, 0.0, 1.0},
                        share[ACROSS] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    const TmlModel *m = s->x.r->m;
    const TmlFlex *flex = &m->flexes.at[element];
    const TmlFlexType *type = m->meshes.at[s->mesh].type;
    const bool patch = type->topology == TML_FLEX_PATCH;
    double x[MOST], w[MOST];
    tml_gauss(s->n, x, w);
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < (patch ? s->n : p->axis > 0 ? ACROSS : 1); ++j) {
            double xi[3] = {x[i], patch ? x[j] : 0.0, 0.0}, weight = w[i] * flex->size[0];
            if (patch) {
                weight *= w[j] * flex->size[1];
            } else if (p->axis > 0) { // (S2)
                xi[p->axis] = place[j] * p->reach;
                weight *= share[j];
            }
            add_station(s, element, xi, weight, sphere, p, count);
        }
    }
}

static void add_mesh(TmlReader *r, int index)
{
    const TmlModel *m = r->m;
    const TmlMesh *mesh = &m->meshes.at[index];
    const TmlShapeType *type = tml_find_shape_type("sphere");
    Stations s = {.mesh = index,
                  .x = {.r = r, .kind = "flexible body", .name = mesh->name, .key = mesh->source}};
    double *radius = NULL;
    int count = 0;
    if (!read_said(&s, mesh->contact)) {
        return;
    }
    for (int e = mesh->flex0; e < mesh->flex0 + mesh->n_x * mesh->n_y && !r->nomem; ++e) {
        Profile p;
        if (!profile_of(&s, mesh->type, &m->flexes.at[e].data->section, &p)) {
            tml_entry_warning(
                &s.x, mesh->source,
                "it cannot touch: its section does not define the distance of the surface from the "
                "middle line; write contact: {radius: ...}, or contact: none");
            return;
        }
        if (radius == NULL || *radius != p.radius) {
            radius = tml_reader_alloc(r, 1, type->info.data_size);
        }
        if (radius != NULL) {
            *radius = p.radius; // all that a sphere has
            const TmlShape sphere = {type, radius};
            add_element(&s, e, &p, &sphere, &count);
            if (has_segments(mesh->type)) {
                const bool patch = mesh->type->topology == TML_FLEX_PATCH;
                const double middle[3] = {0.5, patch ? 0.5 : 0.0, 0.0};
                add_station(&s, e, middle, 0.0, &sphere, &p, &count);
            }
        }
    }
}

void tml_read_stations(TmlReader *r)
{
    for (int k = 0; k < r->m->meshes.n && !r->nomem; ++k) {
        add_mesh(r, k);
    }
}

void tml_place_stations(TmlReader *r)
{
    TmlModel *m = r->m;
    for (int k = 0; k < m->shapes.n && !r->nomem; ++k) {
        TmlBodyShape *s = &m->shapes.at[k];
        if (s->element > 0) {
            s->point = tml_flex_add_station(m, s->element - 1, s->xi, s->sheet) + 1;
            r->nomem |= s->point == 0;
        }
    }
}
