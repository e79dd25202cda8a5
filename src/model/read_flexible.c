/* model/read_flexible.c - flexible bodies: shape, material, section, what their ends are tied to.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/body.h"
#include "model/mesh.h"
#include "model/read.h"
#include "model/registry.h"

/* --- material and section -------------------------------------------------------------------- */

/* A number of a map within another; NAN stays where it is absent. */
static bool read_part(TmlEntry *x, const TmlValue *map, const char *key, TmlRange range,
                      const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(map, key);
    return v == NULL || tml_read_ranged(x, v, key, range, unit, out);
}

static bool required(TmlEntry *x, const TmlValue *map, const char *what, const char *key,
                     double value)
{
    if (isnan(value)) {
        tml_entry_error(x, map, "%s: missing key '%s'", what, key);
        return false;
    }
    return true;
}

static bool read_material(TmlEntry *x, const TmlValue *map, TmlMaterial *m)
{
    const double none = (double)NAN;
    int model = 0, plane = 0;
    *m = (TmlMaterial){.E = none, .nu = 0.3, .density = none, .c10 = none, .bulk = none};
    tml_read_keys(x, map, tml_keys_material, NULL, NULL);
    const TmlValue *v = tml_value_find(map, "model"), *p = tml_value_find(map, "plane");
    bool ok = v == NULL || tml_read_choice(x, v, "model", "elastic|mooney_rivlin", &model);
    ok &= p == NULL || tml_read_choice(x, p, "plane", "strain|stress", &plane);
    m->model = (TmlMaterialModel)model;
    m->plane_stress = plane == 1;
    ok &= read_part(x, map, "E", TML_POSITIVE, "Pa", &m->E);
    ok &= read_part(x, map, "nu", TML_ANY, "", &m->nu);
    ok &= read_part(x, map, "density", TML_POSITIVE, "kg/m^3", &m->density);
    ok &= read_part(x, map, "damping", TML_NONNEGATIVE, "s", &m->damping);
    ok &= read_part(x, map, "c10", TML_POSITIVE, "Pa", &m->c10);
    ok &= read_part(x, map, "c01", TML_NONNEGATIVE, "Pa", &m->c01);
    ok &= read_part(x, map, "bulk", TML_POSITIVE, "Pa", &m->bulk);
    if (!(m->nu > -1.0 && m->nu < 0.5)) {
        tml_entry_error(x, tml_value_find(map, "nu"),
                        "nu: Poisson's ratio is above -1 and below 0.5, got %.9g", m->nu);
        ok = false;
    }
    ok = required(x, map, "material", "density", m->density) && ok;
    if (m->model == TML_MATERIAL_ELASTIC) {
        return required(x, map, "material", "E", m->E) && ok;
    }
    ok = required(x, map, "material", "c10", m->c10) && ok;
    return required(x, map, "material", "bulk", m->bulk) && ok;
}

/* Torsion constant of a rectangle a >= b: Saint-Venant's series. */
static double rectangle_torsion(double a, double b)
{
    const double pi = 3.14159265358979323846;
    double sum = 0.0;
    for (int k = 1; k < 60; k += 2) {
        sum += tanh(k * pi * a / (2.0 * b)) / pow(k, 5);
    }
    return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(pi, 5) * (b / a) * sum);
}

/* Area and moments of rectangles and circles; torsion and shear factors where not given. */
static void section_moments(TmlCrossSection *s)
{
    const double pi = 3.14159265358979323846;
    double torsion = s->Iy + s->Iz, shear = 1.0;
    if (s->kind == TML_CROSS_RECTANGLE) {
        const double h = s->height, w = s->width;
        s->area = h * w;
        s->Iz = w * h * h * h / 12.0;
        s->Iy = h * w * w * w / 12.0;
        torsion = h > w ? rectangle_torsion(h, w) : rectangle_torsion(w, h);
        shear = 5.0 / 6.0;
    } else if (s->kind == TML_CROSS_CIRCLE) {
        const double r2 = s->radius * s->radius, i2 = s->inner * s->inner;
        s->area = pi * (r2 - i2);
        s->Iy = s->Iz = 0.25 * pi * (r2 * r2 - i2 * i2);
        torsion = s->Iy + s->Iz;
        shear = 0.9;
    }
    s->J = isnan(s->J) ? torsion : s->J;
    s->shear_y = isnan(s->shear_y) ? shear : s->shear_y;
    s->shear_z = isnan(s->shear_z) ? shear : s->shear_z;
}

static bool read_section(TmlEntry *x, const TmlValue *map, TmlCrossSection *s)
{
    const double none = (double)NAN;
    *s = (TmlCrossSection){.height = none,
                           .width = none,
                           .radius = none,
                           .area = none,
                           .Iy = none,
                           .Iz = none,
                           .J = none,
                           .shear_y = none,
                           .shear_z = none};
    tml_read_keys(x, map, tml_keys_cross, NULL, NULL);
    bool ok = read_part(x, map, "height", TML_POSITIVE, "m", &s->height);
    ok &= read_part(x, map, "width", TML_POSITIVE, "m", &s->width);
    ok &= read_part(x, map, "radius", TML_POSITIVE, "m", &s->radius);
    ok &= read_part(x, map, "inner_radius", TML_NONNEGATIVE, "m", &s->inner);
    ok &= read_part(x, map, "area", TML_POSITIVE, "m^2", &s->area);
    ok &= read_part(x, map, "Iy", TML_POSITIVE, "m^4", &s->Iy);
    ok &= read_part(x, map, "Iz", TML_POSITIVE, "m^4", &s->Iz);
    ok &= read_part(x, map, "J", TML_POSITIVE, "m^4", &s->J);
    ok &= read_part(x, map, "shear_y", TML_POSITIVE, "", &s->shear_y);
    ok &= read_part(x, map, "shear_z", TML_POSITIVE, "", &s->shear_z);
    if (!isnan(s->radius)) {
        s->kind = TML_CROSS_CIRCLE;
        if (s->inner >= s->radius) {
            tml_entry_error(x, map, "section: inner_radius is not smaller than radius");
            ok = false;
        }
    } else if (!isnan(s->area)) {
        s->kind = TML_CROSS_GENERAL;
        ok = required(x, map, "section", "Iy", s->Iy) && ok;
        ok = required(x, map, "section", "Iz", s->Iz) && ok;
    } else if (tml_value_find(map, "thickness") != NULL) {
        s->kind = TML_CROSS_PLATE;
        ok &= read_part(x, map, "thickness", TML_POSITIVE, "m", &s->height);
    } else {
        s->kind = TML_CROSS_RECTANGLE;
        ok = required(x, map, "section", "height", s->height) && ok;
        ok = required(x, map, "section", "width", s->width) && ok;
    }
    section_moments(s);
    return ok;
}

/* --- shape ----------------------------------------------------------------------------------- */

/* The straight line of the key `line`, as nodes of unit gradients. */
static bool read_line(TmlEntry *x, const TmlFlexType *type, const TmlMesh *mesh, TmlMeshNode *node,
                      double *length)
{
    const TmlValue *v = tml_value_find(x->value, "line");
    const TmlValue *across = tml_value_find(x->value, "y_axis");
    TmlVec3 r[2], y = {0};
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'line': the two ends of the axis");
        return false;
    }
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "line", "a list of two points");
        return false;
    }
    bool ok = tml_read_vec3(x, v->item[0], "line", &r[0]);
    ok &= tml_read_vec3(x, v->item[1], "line", &r[1]);
    ok &= across == NULL || tml_read_direction(x, across, "y_axis", &y);
    if (!ok) {
        return false;
    }
    const TmlVec3 d = v3_sub(r[1], r[0]);
    *length = v3_norm(d);
    if (!(*length > 0.0)) {
        tml_entry_error(x, v, "line: the two ends are the same point");
        return false;
    }
    const TmlVec3 ex = v3_scale(1.0 / *length, d);
    if (type->dim == 2 && (r[0].z != 0.0 || r[1].z != 0.0)) {
        tml_entry_error(x, v, "line: a plane body lies in the plane z = 0");
        return false;
    }
    if (type->dim == 2) {
        y = v3_cross(v3(0, 0, 1), ex);
    } else if (across == NULL) {
        y = fabs(ex.z) < 0.9 ? v3_cross(v3(0, 0, 1), ex) : v3(0, 1, 0);
    }
    y = v3_axpy(-v3_dot(y, ex), ex, y);
    if (!(v3_norm(y) > 1e-9)) {
        tml_entry_error(x, across, "y_axis is parallel to the line");
        return false;
    }
    const TmlVec3 ey = v3_unit(y), ez = v3_cross(ex, ey);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        const double s = (double)k / (mesh->n_nodes - 1);
        node[k].x[TML_FLEX_R] = v3_axpy(s, d, r[0]);
        node[k].x[TML_FLEX_RX] = ex;
        node[k].x[TML_FLEX_RY] = ey;
        node[k].x[TML_FLEX_RZ] = ez;
    }
    return true;
}

/* velocity and angular_velocity: a rigid motion about the first node. */
static bool read_motion(TmlEntry *x, int n, TmlMeshNode *node)
{
    const TmlValue *linear = tml_value_find(x->value, "velocity");
    const TmlValue *angular = tml_value_find(x->value, "angular_velocity");
    TmlVec3 v = {0}, w = {0};
    bool ok = linear == NULL || tml_read_vec3(x, linear, "velocity", &v);
    ok &= angular == NULL || tml_read_vec3(x, angular, "angular_velocity", &w);
    for (int k = 0; k < n; ++k) {
        const TmlVec3 s = v3_sub(node[k].x[TML_FLEX_R], node[0].x[TML_FLEX_R]);
        node[k].v[TML_FLEX_R] = v3_add(v, v3_cross(w, s));
        for (int i = TML_FLEX_RX; i < TML_FLEX_KINDS; ++i) {
            node[k].v[i] = v3_cross(w, node[k].x[i]);
        }
    }
    return ok;
}

/* --- ends ------------------------------------------------------------------------------------ */

/* start, end: {clamp: body} or {pin: body}. */
static bool read_attachment(TmlEntry *x, const char *key, TmlMesh *mesh, int node,
                            const TmlMeshNode *at)
{
    const TmlValue *map = tml_value_find(x->value, key);
    TmlModel *m = x->r->m;
    if (map == NULL) {
        return true;
    }
    if (!tml_read_is_map(x, map, key)) {
        return false;
    }
    tml_read_keys(x, map, tml_keys_attach, NULL, NULL);
    const TmlValue *clamp = tml_value_find(map, "clamp"), *pin = tml_value_find(map, "pin");
    if ((clamp == NULL) == (pin == NULL)) {
        tml_entry_error(x, map, "%s: write one of 'clamp' and 'pin'", key);
        return false;
    }
    int body = TML_GROUND;
    if (!tml_read_body_ref(x, clamp != NULL ? clamp : pin, key, &body)) {
        return false;
    }
    const TmlBodyType *type = m->bodies.at[body].type;
    if (type == &tml_body_flexible || type->hidden) {
        tml_entry_error(x, map, "%s: '%s' is no rigid body", key, m->bodies.at[body].name);
        return false;
    }
    for (int k = 0; k < mesh->type->vectors; ++k) {
        const TmlFlexKind kind = mesh->type->kind[k];
        TmlError err = {0};
        if ((clamp != NULL || kind == TML_FLEX_R) &&
            tml_mesh_attach(m, body, at->x[kind], kind != TML_FLEX_R,
                            &mesh->vector[node * mesh->type->vectors + k], &err) != TML_OK) {
            x->r->nomem = true;
        }
    }
    return true;
}

static void add_frame(TmlEntry *x, const TmlValue *at, const char *name, TmlEnd end)
{
    TmlModel *m = x->r->m;
    bool ok = true;
    const TmlNamedFrame frame = {name, end};
    if (tml_model_find_frame(m, name) >= 0) {
        tml_entry_error(x, at, "there is already a frame or body '%s'", name);
        return;
    }
    TML_LIST_ADD(m->frames, frame, &ok);
    x->r->nomem |= !ok;
}

/* A frame at (u, v) of the mesh, offset across the axis. */
static void place_frame(TmlEntry *x, const TmlValue *at, int mesh, const char *name, double u,
                        double v, const TmlMat33 *A)
{
    TmlModel *m = x->r->m;
    double xi[3];
    const int e = tml_mesh_place(m, mesh, u, v, xi);
    const int point = tml_flex_add_point(m, e, xi);
    x->r->nomem |= point < 0 || name == NULL;
    if (!x->r->nomem) {
        add_frame(x, at, name, (TmlEnd){m->meshes.at[mesh].body, {0, 0, 0}, *A, point + 1});
    }
}

static void read_frame(TmlEntry *x, void *arg)
{
    const int mesh = *(const int *)arg;
    const char *owner = x->r->m->meshes.at[mesh].name;
    const bool patch = x->r->m->meshes.at[mesh].type->topology == TML_FLEX_PATCH;
    double place[2] = {0};
    TmlMat33 A = m3_identity();
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_flex_frame, NULL, NULL);
    const TmlValue *at = tml_value_find(x->value, "at");
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    if (at == NULL) {
        tml_entry_error(x, x->key, "missing key 'at': the place, 0 to 1 along the body");
        return;
    }
    bool ok = patch ? tml_read_numbers(x, at, "at", 2, "two numbers from 0 to 1", place)
                    : tml_read_ranged(x, at, "at", TML_FRACTION, "", &place[0]);
    ok &= rotation == NULL || tml_read_rotation(x, rotation, "rotation", &A);
    if (ok && !(place[0] >= 0.0 && place[0] <= 1.0 && place[1] >= 0.0 && place[1] <= 1.0)) {
        tml_entry_error(x, at, "at: the place is from 0 to 1");
        ok = false;
    }
    if (ok) {
        place_frame(x, x->key, mesh, tml_reader_printf(x->r, "%s.%s", owner, x->name), place[0],
                    place[1], &A);
    }
}

/* --- one flexible body ------------------------------------------------------------------------ */

static const TmlFlexType *read_type(TmlEntry *x)
{
    enum { MAX_TYPES = 32 };
    const TmlValue *v = tml_value_find(x->value, "type");
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'type'");
        return NULL;
    }
    const char *known[MAX_TYPES], *name = tml_read_text(x, v, "type");
    int n = 0;
    for (; tml_flex_types[n] != NULL && n < MAX_TYPES; ++n) {
        known[n] = tml_flex_types[n]->info.name;
    }
    const TmlFlexType *type = name != NULL ? tml_find_flex_type(name) : NULL;
    if (name != NULL && type == NULL) {
        tml_entry_unknown(x, v, "type of flexible body", name, known, n);
    }
    return type;
}

static bool read_data(TmlEntry *x, const TmlFlexType *type, TmlFlexData *data)
{
    const TmlValue *material = tml_value_find(x->value, "material");
    const TmlValue *section = tml_value_find(x->value, "section");
    const TmlValue *form = tml_value_find(x->value, "formulation");
    int k = 0;
    bool ok = true;
    if (material == NULL || section == NULL) {
        tml_entry_error(x, x->key, "missing key '%s'", material == NULL ? "material" : "section");
        return false;
    }
    ok &= tml_read_is_map(x, material, "material") && read_material(x, material, &data->material);
    ok &= tml_read_is_map(x, section, "section") && read_section(x, section, &data->section);
    ok &= form == NULL ||
          tml_read_choice(x, form, "formulation", "continuum|elastic_line|enhanced", &k);
    data->formulation = (TmlFormulation)k;
    TmlError err = {0};
    if (ok && type->check != NULL && type->check(data, &err) != TML_OK) {
        tml_entry_error(x, x->key, "%s", err.message);
        ok = false;
    }
    return ok;
}

static bool read_count(TmlEntry *x, const char *key, int *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key '%s'", key);
        return false;
    }
    if (!tml_read_int(x, v, key, out)) {
        return false;
    }
    if (*out < 1 || *out > 1000000) {
        tml_entry_error(x, v, "%s: expected 1 to 1000000, got %d", key, *out);
        return false;
    }
    return true;
}

static bool add_body(TmlEntry *x, int *body)
{
    TmlModel *m = x->r->m;
    bool ok = true;
    if (tml_model_find_frame(m, x->name) >= 0) {
        tml_entry_error(x, x->key, "there is already a body or frame of this name");
        return false;
    }
    const TmlBody stand_in = {
        .name = x->name, .type = &tml_body_flexible, .source = x->key, .p0 = {1, 0, 0, 0}};
    *body = m->bodies.n;
    TML_LIST_ADD(m->bodies, stand_in, &ok);
    x->r->nomem |= !ok;
    return ok;
}

static void read_mesh(TmlEntry *x, void *arg)
{
    TmlReader *r = x->r;
    TmlModel *m = r->m;
    TmlMesh mesh = {.name = x->name, .source = x->key, .n_y = 1};
    double length = 0.0;
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_flexible, NULL, NULL);
    mesh.type = read_type(x);
    mesh.data = tml_reader_alloc(r, 1, sizeof *mesh.data);
    if (mesh.type == NULL || mesh.data == NULL || !add_body(x, &mesh.body)) {
        return;
    }
    bool ok = read_data(x, mesh.type, mesh.data);
    ok &= read_count(x, "elements", &mesh.n_x);
    if (!ok) {
        return;
    }
    mesh.n_nodes = tml_mesh_nodes(mesh.type, mesh.n_x, mesh.n_y);
    mesh.vector =
        tml_reader_alloc(r, (size_t)(mesh.n_nodes * mesh.type->vectors), sizeof *mesh.vector);
    TmlMeshNode *node = tml_reader_alloc(r, (size_t)mesh.n_nodes, sizeof *node);
    if (mesh.vector == NULL || node == NULL) {
        return;
    }
    ok = read_line(x, mesh.type, &mesh, node, &length) && read_motion(x, mesh.n_nodes, node);
    ok = ok && read_attachment(x, "start", &mesh, 0, &node[0]);
    ok = ok && read_attachment(x, "end", &mesh, mesh.n_nodes - 1, &node[mesh.n_nodes - 1]);
    if (!ok) {
        return;
    }
    const TmlMeshPlan plan = {node, node, {length / mesh.n_x, 0.0}};
    TmlError err = {0};
    if (tml_mesh_build(m, &mesh, &plan, &err) != TML_OK) {
        r->nomem |= err.status == TML_E_NOMEM;
        tml_entry_error(x, x->key, "%s", err.message);
        return;
    }
    int index = m->meshes.n - 1;
    const TmlMat33 one = m3_identity();
    place_frame(x, x->key, index, x->name, 0.0, 0.0, &one);
    place_frame(x, x->key, index, tml_reader_printf(r, "%s.start", x->name), 0.0, 0.0, &one);
    place_frame(x, x->key, index, tml_reader_printf(r, "%s.end", x->name), 1.0, 0.0, &one);
    tml_read_entries(r, tml_value_find(x->value, "frames"), "frame", x->scope, read_frame, &index);
}

void tml_read_flexible(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "flexible body", NULL, read_mesh, NULL);
}
