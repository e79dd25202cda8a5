/* model/flexible/read/read_flexible.c - flexible bodies: their kind, material and motion; frames on them.
 *
 * Where nodes lie is read in read_line.c and read_patch.c, what they are tied to in read_ties.c.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/read/read_mesh.h"
#include "model/measure/binding.h"
#include "model/registry.h"

bool tml_mesh_draft_alloc(TmlMeshDraft *d)
{
    TmlReader *r = d->x.r;
    TmlMesh *mesh = &d->mesh;
    const size_t nodes = (size_t)mesh->n_nodes, elements = (size_t)mesh->n_x * (size_t)mesh->n_y;
    mesh->vector = tml_reader_alloc(r, nodes * (size_t)mesh->type->vectors, sizeof *mesh->vector);
    d->start = tml_reader_alloc(r, nodes, sizeof *d->start);
    d->rest = tml_reader_alloc(r, nodes, sizeof *d->rest);
    d->tie = tml_reader_alloc(r, nodes, sizeof *d->tie);
    d->size = tml_reader_alloc(r, 2 * elements, sizeof *d->size);
    if (mesh->type->topology == TML_FLEX_LINE) {
        d->first = tml_reader_alloc(r, elements, sizeof *d->first);
        mesh->xi = tml_reader_alloc(r, nodes, sizeof *mesh->xi);
    }
    return !r->nomem;
}

/* angular_velocity: a rigid motion about the first node. */
static bool read_motion(TmlEntry *x, int n, TmlMeshNode *node)
{
    const TmlValue *angular = tml_value_find(x->value, "angular_velocity");
    TmlVec3 w = {0};
    const bool ok = angular == NULL || tml_read_vec3(x, angular, "angular_velocity", &w);
    for (int k = 0; k < n; ++k) {
        const TmlVec3 s = v3_sub(node[k].x[TML_FLEX_R], node[0].x[TML_FLEX_R]);
        node[k].v[TML_FLEX_R] = v3_cross(w, s);
        for (int i = TML_FLEX_RX; i < TML_FLEX_KINDS; ++i) {
            node[k].v[i] = v3_cross(w, node[k].x[i]);
        }
    }
    return ok;
}

/* --- frames ----------------------------------------------------------------------------------- */

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
                        double v, TmlVec3 s, const TmlMat33 *A)
{
    TmlModel *m = x->r->m;
    double xi[3];
    const int e = tml_mesh_place(m, mesh, u, v, xi);
    const int point = tml_flex_add_point(m, e, xi);
    x->r->nomem |= point < 0 || name == NULL;
    if (!x->r->nomem) {
        add_frame(x, at, name, (TmlEnd){m->meshes.at[mesh].body, s, *A, point + 1});
    }
}

/* node: one of `nodes`, or a place between two by length: 2.5. */
static bool read_frame_node(TmlEntry *x, const TmlMesh *mesh, const TmlValue *v, double *u)
{
    const int step = mesh->type->nodes - 1;
    double place = 0.0;
    if (!tml_read_number(x, v, "node", &place)) {
        return false;
    }
    if (!mesh->listed) {
        tml_entry_error(x, v, "node: the body has no 'nodes'; write 'at'");
        return false;
    }
    if (!(place >= 1.0 && place <= mesh->n_x + 1.0)) {
        tml_entry_error(x, v, "node: expected 1 to %d, got %.9g", mesh->n_x + 1, place);
        return false;
    }
    const int k = (int)fmin(place, mesh->n_x) - 1; // the element behind it; the last node ends one
    const double from = mesh->xi[k * step], to = mesh->xi[(k + 1) * step];
    *u = place - 1.0 - k == 1.0 ? to : from + (place - 1.0 - k) * (to - from);
    return true;
}

/* at or node. */
static bool read_frame_place(TmlEntry *x, const TmlMesh *mesh, double place[2])
{
    const TmlValue *at = tml_value_find(x->value, "at"), *node = tml_value_find(x->value, "node");
    if ((at == NULL) == (node == NULL)) {
        tml_entry_error(x, x->key,
                        at == NULL ? "missing key 'at': the place, 0 to 1 along the body"
                                   : "'at' does not go with 'node'");
        return false;
    }
    if (node != NULL) {
        return read_frame_node(x, mesh, node, &place[0]);
    }
    const bool ok = mesh->type->topology == TML_FLEX_PATCH
                        ? tml_read_numbers(x, at, "at", 2, "two numbers from 0 to 1", place)
                        : tml_read_ranged(x, at, "at", TML_FRACTION, "", &place[0]);
    if (ok && !(place[0] >= 0.0 && place[0] <= 1.0 && place[1] >= 0.0 && place[1] <= 1.0)) {
        tml_entry_error(x, at, "at: the place is from 0 to 1");
        return false;
    }
    return ok;
}

static void read_frame(TmlEntry *x, void *arg)
{
    const int mesh = *(const int *)arg;
    const TmlMesh *body = &x->r->m->meshes.at[mesh];
    double place[2] = {0};
    TmlMat33 A = m3_identity();
    TmlVec3 s = {0};
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_flex_frame, NULL, NULL);
    const TmlValue *position = tml_value_find(x->value, "position");
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    bool ok = read_frame_place(x, body, place);
    ok &= position == NULL || tml_read_vec3(x, position, "position", &s);
    ok &= rotation == NULL || tml_read_rotation(x, rotation, "rotation", &A);
    if (ok) {
        place_frame(x, x->key, mesh, tml_reader_printf(x->r, "%s.%s", body->name, x->name),
                    place[0], place[1], s, &A);
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

/* Where a section may have a stiffness matrix; the formulation is that of resultants. */
static bool matrix_fits(TmlEntry *x, const TmlFlexType *type, const TmlValue *form,
                        TmlFlexData *data)
{
    const TmlValue *section = tml_value_find(x->value, "section");
    const TmlValue *at = tml_value_find(section, "stiffness");
    const bool space = type->topology == TML_FLEX_LINE && type->dim == 3;
    const bool axes = tml_mesh_has_section(type);
    bool coupled = false;
    for (int i = 0; i < TML_RESULTANTS * TML_RESULTANTS; ++i) {
        coupled = coupled || (i % (TML_RESULTANTS + 1) != 0 &&
                              data->section.stiffness[i / TML_RESULTANTS][i % TML_RESULTANTS] != 0);
    }
    if (!space || (axes && form != NULL && data->formulation != TML_FORM_ELASTIC_LINE)) {
        tml_entry_error(x, at,
                        "stiffness: goes with beam and beam3, formulation elastic_line, and "
                        "with cable");
        return false;
    }
    data->formulation = axes ? TML_FORM_ELASTIC_LINE : data->formulation;
    if (coupled && !type->couples) {
        tml_entry_error(x, at, "stiffness: type '%s' takes no numbers off the diagonal; take beam3",
                        type->info.name);
        return false;
    }
    return true;
}

/* What runs through the shape of a cable: strains then change along the way of the material, which dampers and contact do not know. */
static bool read_transport(TmlEntry *x, const TmlFlexType *type, TmlFlexData *data)
{
    const TmlValue *v = tml_value_find(x->value, "transport");
    const TmlMaterial *m = &data->material;
    if (v == NULL) {
        return true;
    }
    if (!type->transports) {
        tml_entry_error(x, v, "transport: goes with type cable");
        return false;
    }
    if (!tml_read_ranged(x, v, "transport", TML_ANY, "m/s", &data->transport)) {
        return false;
    }
    const bool damped = m->damping > 0.0 || m->slope_damping > 0.0;
    const TmlValue *contact = tml_value_find(x->value, "contact");
    if (data->transport != 0.0 && (damped || contact != NULL)) {
        tml_entry_error(x, contact != NULL ? contact : v,
                        "transport: %s not for wires that run through their shape; take %s",
                        contact != NULL ? "contact is" : "'damping' and 'slope_damping' are",
                        contact != NULL ? "frames with forces" : "'mass_damping'");
        return false;
    }
    return true;
}

bool tml_read_flex_data(TmlEntry *x, const TmlFlexType *type, TmlFlexData *data)
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
    const bool is_map = tml_read_is_map(x, section, "section");
    const bool matrix = is_map && tml_value_find(section, "stiffness") != NULL;
    ok &= tml_read_is_map(x, material, "material") &&
          tml_read_material(x, material, matrix, &data->material);
    ok &= is_map && tml_read_section(x, section, &data->section);
    if (ok && matrix) {
        tml_section_from_matrix(&data->material, &data->section);
    }
    ok &= form == NULL ||
          tml_read_choice(x, form, "formulation", "continuum|elastic_line|enhanced", &k);
    data->formulation = form != NULL ? (TmlFormulation)k : type->standard;
    if (matrix && !matrix_fits(x, type, form, data)) {
        return false;
    }
    if (form == NULL && data->material.model != TML_MATERIAL_ELASTIC) {
        data->formulation = TML_FORM_CONTINUUM; // the one that takes any law
    }
    if (ok && data->material.slope_damping > 0.0 && !type->slope_damping) {
        tml_entry_error(x, tml_value_find(material, "slope_damping"),
                        "slope_damping: goes with type cable");
        ok = false;
    }
    ok = ok && read_transport(x, type, data);
    TmlError err = {0};
    if (ok && type->check != NULL && type->check(data, &err) != TML_OK) {
        tml_entry_error(x, x->key, "%s", err.message);
        ok = false;
    }
    return ok;
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

/* Keys of the other kind of mesh. */
static bool shape_fits(TmlMeshDraft *d)
{
    static const char *const line[] = {"line",  "arc",          "polyline", "smooth", "y_axis",
                                       "twist", "displacement", "nodes",    "plane"};
    const bool patch = d->mesh.type->topology == TML_FLEX_PATCH;
    for (size_t k = 0; patch && k < sizeof line / sizeof *line; ++k) {
        const TmlValue *v = tml_value_find(d->x.value, line[k]);
        if (v != NULL) {
            tml_entry_error(&d->x, v, "'%s' is of lines; type '%s' needs 'patch'", line[k],
                            d->mesh.type->info.name);
            return false;
        }
    }
    const TmlValue *v = tml_value_find(d->x.value, "patch");
    if (!patch && v != NULL) {
        tml_entry_error(
            &d->x, v, "'patch' is of plates; type '%s' needs 'line', 'arc', 'polyline' or 'nodes'",
            d->mesh.type->info.name);
        return false;
    }
    return true;
}

/* Nodes start where somebody has found them to be at rest. */
static void take_found(TmlMeshDraft *d)
{
    const TmlReader *r = d->x.r;
    const TmlMesh *mesh = &d->mesh;
    const int vectors = mesh->type->vectors;
    for (int k = 0; k < r->found.n; ++k) {
        const TmlFoundShape *found = &r->found.at[k];
        if (strcmp(found->name, mesh->name) != 0 || found->n != mesh->n_nodes * vectors) {
            continue;
        }
        for (int i = 0; i < found->n; ++i) {
            const double *x = found->vector + 3 * (size_t)i;
            d->start[i / vectors].x[mesh->type->kind[i % vectors]] = v3(x[0], x[1], x[2]);
        }
    }
}

/* First round: nodes. arg: end of the list of drafts. */
static void read_draft(TmlEntry *x, void *arg)
{
    TmlMeshDraft ***tail = arg;
    TmlReader *r = x->r;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_flexible, NULL, NULL);
    TmlMeshDraft *d = tml_reader_alloc(r, 1, sizeof *d);
    if (d == NULL) {
        return;
    }
    d->x = *x;
    d->mesh = (TmlMesh){.name = x->name,
                        .source = x->key,
                        .contact = tml_value_find(x->value, "contact"),
                        .type = read_type(x)};
    d->mesh.data = tml_reader_alloc(r, 1, sizeof *d->mesh.data);
    **tail = d;
    *tail = &d->next;
    if (d->mesh.type == NULL || d->mesh.data == NULL || !add_body(x, &d->mesh.body)) {
        return;
    }
    d->ok = shape_fits(d) && (d->mesh.type->topology == TML_FLEX_PATCH ? tml_read_patch_nodes(d)
                                                                       : tml_read_line_nodes(d));
    const bool placed = d->ok;
    if (placed) {
        take_found(d);
    }
    // without nodes there is no s: what else is wrong is found in the next attempt
    const bool data = placed ? tml_read_along_data(d) : false;
    d->ok = placed && read_motion(&d->x, d->mesh.n_nodes, d->start) && tml_read_velocity(d) && data;
    d->ok = placed && tml_read_load(d) && d->ok;
}

static void add_frames(TmlMeshDraft *d, int index)
{
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    TmlEntry *x = &d->x;
    const TmlMat33 one = m3_identity();
    const TmlVec3 none = {0};
    place_frame(x, x->key, index, x->name, 0.0, 0.0, none, &one);
    if (d->mesh.type->topology == TML_FLEX_PATCH) {
        for (int k = 0; k < 4; ++k) {
            place_frame(x, x->key, index, tml_reader_printf(x->r, "%s.corner%d", x->name, k + 1),
                        corner[k][0], corner[k][1], none, &one);
        }
        place_frame(x, x->key, index, tml_reader_printf(x->r, "%s.centre", x->name), 0.5, 0.5, none,
                    &one);
    } else {
        place_frame(x, x->key, index, tml_reader_printf(x->r, "%s.start", x->name), 0.0, 0.0, none,
                    &one);
        place_frame(x, x->key, index, tml_reader_printf(x->r, "%s.end", x->name), 1.0, 0.0, none,
                    &one);
    }
    tml_read_entries(x->r, tml_value_find(x->value, "frames"), "frame", x->scope, read_frame,
                     &index);
}

/* Third round: elements, frames, joints of slides. */
static void build(TmlMeshDraft *d)
{
    TmlReader *r = d->x.r;
    const TmlMeshPlan plan = {d->start, d->rest, d->size, d->first, d->data};
    TmlError err = {0};
    if (tml_mesh_build(r->m, &d->mesh, &plan, &err) != TML_OK) {
        r->nomem |= err.status == TML_E_NOMEM;
        tml_entry_error(&d->x, d->x.key, "%s", err.message);
        return;
    }
    add_frames(d, r->m->meshes.n - 1);
    tml_add_slides(d, r->m->meshes.n - 1);
}

void tml_read_flexible(TmlReader *r, const TmlValue *section)
{
    TmlMeshDraft *all = NULL, **tail = &all;
    tml_read_entries(r, section, "flexible body", NULL, read_draft, &tail);
    for (TmlMeshDraft *d = all; d != NULL && !r->nomem; d = d->next) {
        if (d->ok) {
            tml_read_ties(d, all);
            d->ok = !d->x.bad;
        }
    }
    for (TmlMeshDraft *d = all; d != NULL && !r->nomem; d = d->next) {
        if (d->ok) {
            tml_resolve_ties(d);
        }
    }
    for (TmlMeshDraft *d = all; d != NULL && !r->nomem; d = d->next) {
        if (d->ok) {
            build(d);
            d->ok = !d->x.bad;
        }
    }
    bool all_built = true;
    for (TmlMeshDraft *d = all; d != NULL; d = d->next) {
        all_built = all_built && d->ok;
    }
    for (TmlMeshDraft *d = all; d != NULL && all_built; d = d->next) {
        tml_add_turned(d);
    }
}
