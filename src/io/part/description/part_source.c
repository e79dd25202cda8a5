/* io/part/description/part_source.c - where the matrices of a part come from: a mesh, or files of matrices. */
#include "io/part/description/part_read.h"

#include "base/input.h"
#include "io/part/frame_read.h"
#include "io/part/matrix_market.h"
#include "io/part/mesh_read.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The path of a file that the description names under a key; NULL after an error. */
static const char *file_of(TmlPartRead *p, TmlEntry *x, const char *key)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v == NULL) {
        tml_entry_error(x, NULL, "missing key '%s': a file", key);
        return NULL;
    }
    const char *name = tml_read_text(x, v, key);
    const char *path = name != NULL ? tml_input_beside(&p->m->arena, v->file, name) : NULL;
    p->r->nomem |= path != NULL && !tml_model_input_add(p->m, path);
    return path;
}

static double number_or(TmlEntry *x, const char *key, TmlRange range, const char *unit,
                        double standard)
{
    const TmlValue *v = tml_value_find(x->value, key);
    double out = standard;
    return v != NULL && tml_read_ranged(x, v, key, range, unit, &out) ? out : standard;
}

static void scale_nodes(int n, TmlVec3 *x, double scale)
{
    for (int k = 0; k < n; ++k) {
        x[k] = v3_scale(scale, x[k]);
    }
}

/* --- materials ---------------------------------------------------------------------------------- */

static bool read_material(TmlEntry *x, TmlFeMaterial *out)
{
    static const char *const key[3] = {"young", "poisson", "density"};
    static const char *const unit[3] = {"Pa", "", "kg/m^3"};
    static const TmlRange range[3] = {TML_POSITIVE, TML_ANY, TML_POSITIVE};
    double value[3] = {0};
    bool ok = tml_read_is_map(x, x->value, NULL);
    if (ok) {
        tml_read_keys(x, x->value, tml_keys_of_part_material, NULL, NULL);
    }
    for (int k = 0; k < 3 && ok; ++k) {
        const TmlValue *v = tml_value_find(x->value, key[k]);
        if (v == NULL) {
            tml_entry_error(x, NULL, "missing key '%s'", key[k]);
        }
        ok = v != NULL && tml_read_ranged(x, v, key[k], range[k], unit[k], &value[k]);
    }
    *out = (TmlFeMaterial){.young = value[0], .poisson = value[1], .density = value[2]};
    return ok;
}

static const TmlFeSet *find_set(const TmlFeSet *set, int n, const char *name)
{
    for (int k = 0; k < n; ++k) {
        if (strcmp(set[k].name, name) == 0) {
            return &set[k];
        }
    }
    return NULL;
}

/* Gives a material to the elements of its set, or to all without one. */
/* Shells of a set, or all, get the thickness that the entry has. */
static void give_thickness(TmlPartRead *p, TmlEntry *x, const TmlFeSet *set)
{
    TmlFeMesh *mesh = &p->mesh;
    const TmlValue *v = tml_value_find(x->value, "thickness");
    double thickness = 0.0;
    int shells = 0;
    if (v == NULL || !tml_read_ranged(x, v, "thickness", TML_POSITIVE, "m", &thickness)) {
        return;
    }
    TmlFeSection *all = tml_reader_alloc(p->r, (size_t)mesh->n_sections + 1, sizeof *all);
    if (all == NULL) {
        return;
    }
    if (mesh->n_sections > 0) {
        memcpy(all, mesh->section, (size_t)mesh->n_sections * sizeof *all);
    }
    all[mesh->n_sections] = (TmlFeSection){.name = "thickness", .thickness = thickness};
    mesh->section = all;
    for (int k = 0; k < (set != NULL ? set->n : mesh->n_elements); ++k) {
        TmlFeElement *e = &mesh->element[set != NULL ? set->at[k] : k];
        if (e->type->n_faces == 1 && e->section < 0) {
            e->section = mesh->n_sections;
            shells++;
        }
    }
    mesh->n_sections++;
    if (shells == 0) {
        tml_entry_error(x, v, "thickness: no shells without one are there");
    }
}

/* Elements of another set keep theirs: which one holds would depend on the order of the entries. of_file: number of the
 * materials of the mesh's file, which are replaced. */
static void give_material(TmlPartRead *p, TmlEntry *x, const char *name, int of_file)
{
    TmlFeMesh *mesh = &p->mesh;
    TmlFeMaterial material;
    if (!read_material(x, &material)) {
        return;
    }
    material.name = name;
    TmlFeMaterial *all = tml_reader_alloc(p->r, (size_t)mesh->n_materials + 1, sizeof *all);
    const TmlValue *v = tml_value_find(x->value, "set");
    const char *wanted = v != NULL ? tml_read_text(x, v, "set") : NULL;
    const TmlFeSet *set = NULL;
    if (wanted != NULL) {
        set = find_set(mesh->element_set, mesh->n_element_sets, wanted);
        if (set == NULL) {
            tml_entry_unknown_name(x, v, "set of elements", wanted, mesh->element_set,
                                   mesh->n_element_sets, sizeof *mesh->element_set);
            return;
        }
    }
    if (all == NULL || (v != NULL && wanted == NULL)) {
        return;
    }
    const int number = mesh->n_materials;
    if (number > 0) {
        memcpy(all, mesh->material, (size_t)number * sizeof *all);
    }
    all[number] = material;
    mesh->material = all;
    mesh->n_materials++;
    for (int k = 0; set != NULL && k < set->n; ++k) {
        TmlFeElement *e = &mesh->element[set->at[k]];
        if (e->material >= of_file) { // one that the file gives is replaced
            tml_entry_error(x, v, "set: element %lld has material '%s' already", (long long)e->id,
                            all[e->material].name);
            return;
        }
        e->material = number;
    }
    for (int k = 0; set == NULL && k < mesh->n_elements; ++k) {
        mesh->element[k].material =
            mesh->element[k].material < 0 ? number : mesh->element[k].material;
    }
    give_thickness(p, x, set);
}

/* Entries with a set, or those without, which are for the elements that are left. */
static void give_materials(TmlPartRead *p, const TmlValue *all, bool with_set, int of_file)
{
    for (int k = 0; k < all->n; ++k) {
        const TmlValue *v = all->item[k];
        const bool set = v->kind == TML_VALUE_MAP && tml_value_find(v, "set") != NULL;
        if (set == with_set) {
            TmlEntry x = {.r = p->r, .kind = "material", .name = all->key[k]->text, .value = v};
            give_material(p, &x, all->key[k]->text, of_file);
        }
    }
}

static void read_materials(TmlPartRead *p)
{
    const TmlValue *all = tml_value_find(p->root, "materials");
    const TmlValue *one = tml_value_find(p->root, "material");
    const int of_file = p->mesh.n_materials;
    TmlEntry list = {.r = p->r, .kind = "part", .name = "materials", .value = all};
    if (all != NULL && tml_read_is_map(&list, all, "materials")) {
        give_materials(p, all, true, of_file);
        give_materials(p, all, false, of_file);
    }
    if (one != NULL) {
        TmlEntry x = {.r = p->r, .kind = "material", .value = one};
        give_material(p, &x, "material", of_file);
    }
    TmlEntry whole = {.r = p->r, .kind = "part", .value = p->root};
    give_thickness(p, &whole, NULL);
}

/* --- meshes ------------------------------------------------------------------------------------- */

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcasecmp(path + n - k, suffix) == 0;
}

/* A mesh; what its file includes is read as well. */
static TmlStatus mesh_of(TmlPartRead *p, const char *path, TmlError *err)
{
    TML_TRY(tml_fe_mesh_read(path, &p->mesh, err));
    for (int k = 0; k < p->mesh.n_included; ++k) {
        p->r->nomem |= !tml_model_input_add(p->m, p->mesh.included[k]);
    }
    return TML_OK;
}

/* Materials, then stiffness and mass of a mesh that is read. */
static TmlStatus assemble(TmlPartRead *p, TmlEntry *x, TmlError *err)
{
    int rule = 0;
    const TmlValue *v = tml_value_find(p->root, "mass_rule");
    if (v != NULL && !tml_read_choice(x, v, "mass_rule", "exact|ccx", &rule)) {
        return TML_OK; // reported
    }
    const int before = p->r->report.n;
    read_materials(p);
    if (p->r->report.n > before) {
        return TML_OK;
    }
    p->o.rule = rule == 1 ? TML_FE_MASS_CCX : TML_FE_MASS_EXACT;
    return tml_fe_assemble(&p->mesh, p->o.rule, &p->fe, err);
}

/* Elements of one type that are taken as another. */
static void read_types(TmlPartRead *p)
{
    const TmlValue *all = tml_value_find(p->root, "elements");
    TmlEntry x = {.r = p->r, .kind = "elements", .value = all};
    if (all == NULL || !tml_read_is_map(&x, all, NULL)) {
        return;
    }
    for (int k = 0; k < all->n; ++k) {
        const char *to = tml_read_text(&x, all->item[k], all->key[k]->text);
        TmlError err = {0};
        int count = 0;
        if (to == NULL) {
            continue;
        }
        if (tml_fe_retype(&p->mesh, all->key[k]->text, to, &count, &err) != TML_OK) {
            tml_entry_error(&x, all->item[k], "%s", err.message);
        } else if (count == 0) {
            tml_entry_error(&x, all->key[k], "the mesh has no %s", all->key[k]->text);
        }
    }
}

static TmlStatus read_mesh(TmlPartRead *p, TmlEntry *x, TmlError *err)
{
    const char *path = file_of(p, x, "mesh");
    if (path == NULL) {
        return TML_OK; // reported
    }
    TML_TRY(mesh_of(p, path, err));
    tml_fe_scale(&p->mesh, number_or(x, "scale", TML_POSITIVE, "m", 1.0));
    read_types(p);
    return assemble(p, x, err);
}

static TmlStatus read_beams(TmlPartRead *p, TmlEntry *x, const TmlValue *beams, TmlError *err)
{
    const int before = p->r->report.n;
    TML_TRY(tml_frame_read(p->r, beams, &p->mesh, err));
    return p->r->report.n > before ? TML_OK : assemble(p, x, err);
}

/* --- matrices ----------------------------------------------------------------------------------- */

typedef struct NodeOrder {
    int64_t id;
    int at;
} NodeOrder;

static int by_id(const void *a, const void *b)
{
    const int64_t i = ((const NodeOrder *)a)->id, j = ((const NodeOrder *)b)->id;
    return (i > j) - (i < j);
}

/* Nodes of a mesh in the order of their numbers, which is that of the freedoms of matrices; the sets
 * of the mesh follow. */
static TmlStatus nodes_of_mesh(TmlPartRead *p, const char *path, TmlNodeTable *out, TmlError *err)
{
    TML_TRY(mesh_of(p, path, err));
    TmlArena *arena = &p->m->arena;
    const int n = p->mesh.n_nodes;
    NodeOrder *order;
    int *place;
    TML_NEW(arena, order, n);
    TML_NEW(arena, place, n);
    TML_NEW(arena, out->id, n);
    TML_NEW(arena, out->x, n);
    for (int k = 0; k < n; ++k) {
        order[k] = (NodeOrder){p->mesh.id[k], k};
    }
    qsort(order, (size_t)n, sizeof *order, by_id);
    for (int k = 0; k < n; ++k) {
        place[order[k].at] = k;
        out->id[k] = order[k].id;
        out->x[k] = p->mesh.x[order[k].at];
    }
    for (int s = 0; s < p->mesh.n_node_sets; ++s) {
        TmlFeSet *set = &p->mesh.node_set[s];
        int *at;
        TML_NEW(arena, at, set->n + 1);
        for (int k = 0; k < set->n; ++k) {
            at[k] = place[set->at[k]];
        }
        set->at = at;
    }
    for (int c = 0; c < p->mesh.n_couplings; ++c) {
        TmlFeCoupling *coupling = &p->mesh.coupling[c];
        int *at;
        TML_NEW(arena, at, coupling->n + 1);
        for (int k = 0; k < coupling->n; ++k) {
            at[k] = place[coupling->node[k]];
        }
        coupling->node = at;
        coupling->follower = coupling->follower >= 0 ? place[coupling->follower] : -1;
    }
    out->n = n;
    p->relations_left =
        p->mesh.n_relations; // the places of its nodes are not those of the matrices
    p->mesh.n_relations = p->mesh.n_terms = 0;
    return TML_OK;
}

/* Rows and columns of rotations count in the unit of length of the file, whose others are in `factor`. */
static void times(TmlCsc *A, int per, double factor, double length)
{
    const double by[3] = {factor, factor * length, factor * length * length};
    for (int j = 0; j < A->cols; ++j) {
        for (int k = A->start[j]; k < A->start[j + 1]; ++k) {
            A->x[k] *= by[(j % per > 2) + (A->row[k] % per > 2)];
        }
    }
}

static TmlStatus load_matrices(TmlPartRead *p, TmlEntry *x, const char *K, const char *M,
                               const TmlNodeTable *nodes, double scale, TmlError *err)
{
    TmlFeMatrices *fe = &p->fe;
    TML_TRY(tml_matrix_read(K, -1, &fe->arena, &fe->K, err));
    const int per = fe->K.rows > 3 * nodes->n ? 6 : 3;
    if (fe->K.rows > per * nodes->n || fe->K.rows <= per * (nodes->n - 1)) {
        return tml_fail(err, TML_E_MODEL,
                        "%s: %d rows do not fit %d nodes of three or six degrees of freedom each",
                        K, fe->K.rows, nodes->n);
    }
    if (fe->K.rows < per * nodes->n) { // a list that ends before the last freedoms
        TML_TRY(tml_matrix_read(K, per * nodes->n, &fe->arena, &fe->K, err));
    }
    TML_TRY(tml_matrix_read(M, per * nodes->n, &fe->arena, &fe->M, err));
    times(&fe->K, per, number_or(x, "stiffness_factor", TML_POSITIVE, "", 1.0), scale);
    times(&fe->M, per, number_or(x, "mass_factor", TML_POSITIVE, "", 1.0), scale);
    fe->n_nodes = nodes->n;
    fe->n = per * nodes->n;
    fe->id = nodes->id;
    fe->x = nodes->x;
    TML_NEW(&fe->arena, fe->first, nodes->n + 1);
    for (int k = 0; k <= nodes->n; ++k) {
        fe->first[k] = per * k;
    }
    return TML_OK;
}

static TmlStatus read_matrices(TmlPartRead *p, const TmlValue *section, TmlError *err)
{
    TmlEntry x = {.r = p->r, .kind = "matrices", .value = section};
    TmlEntry whole = {.r = p->r, .value = p->root};
    TmlNodeTable nodes = {0};
    if (!tml_read_is_map(&x, section, NULL)) {
        return TML_OK;
    }
    tml_read_keys(&x, section, tml_keys_of_part_matrices, NULL, NULL);
    const char *K = file_of(p, &x, "stiffness"), *M = file_of(p, &x, "mass");
    const char *table = file_of(p, &x, "nodes");
    if (K == NULL || M == NULL || table == NULL) {
        return TML_OK; // reported
    }
    if (has_suffix(table, ".msh") || has_suffix(table, ".inp")) {
        TML_TRY(nodes_of_mesh(p, table, &nodes, err));
    } else {
        TML_TRY(tml_node_table_read(table, &p->m->arena, &nodes, err));
    }
    const double scale = number_or(&whole, "scale", TML_POSITIVE, "m", 1.0);
    scale_nodes(nodes.n, nodes.x, scale);
    for (int k = 0; k < p->mesh.n_couplings; ++k) {
        scale_nodes(1, &p->mesh.coupling[k].at, scale);
    }
    return load_matrices(p, &x, K, M, &nodes, scale, err);
}

/* Keys that the source of the part has no use for would be taken for granted by their writer. */
static void refuse_keys(TmlPartRead *p, TmlEntry *x, const char *source, const char *const *key)
{
    for (int k = 0; key[k] != NULL; ++k) {
        const TmlValue *v = tml_value_find(p->root, key[k]);
        if (v != NULL) {
            tml_entry_error(x, v, "%s: does not go with '%s'", key[k], source);
        }
    }
}

TmlStatus tml_part_read_source(TmlPartRead *p, TmlError *err)
{
    static const char *const not_matrices[] = {"material", "materials", "thickness", "mass_rule",
                                               NULL};
    static const char *const not_beams[] = {"scale", "thickness", "mass_rule", NULL};
    TmlEntry x = {.r = p->r, .value = p->root};
    const TmlValue *mesh = tml_value_find(p->root, "mesh"),
                   *beams = tml_value_find(p->root, "beams");
    const TmlValue *matrices = tml_value_find(p->root, "matrices");
    if ((mesh != NULL) + (matrices != NULL) + (beams != NULL) != 1) {
        tml_entry_error(&x, NULL, "expected one of the keys 'mesh', 'matrices' and 'beams'");
        return TML_OK;
    }
    if (mesh == NULL) {
        refuse_keys(p, &x, beams != NULL ? "beams" : "matrices",
                    beams != NULL ? not_beams : not_matrices);
    }
    if (p->r->report.n > 0) {
        return TML_OK;
    }
    return mesh != NULL    ? read_mesh(p, &x, err)
           : beams != NULL ? read_beams(p, &x, beams, err)
                           : read_matrices(p, matrices, err);
}
