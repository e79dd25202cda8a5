/* io/part/description/part_forces.c - load cases of a part that forces of a model scale.
 *
 * A case is one entry or a list of entries whose loads add up: an acceleration of the mass; a force and a torque on an interface;
 * a force shared by nodes; a pressure on the outer faces all of whose nodes are chosen.
 */
#include "io/part/description/part_read.h"

#include "math/vec3.h"
#include "reduce/mesh/face.h"
#include "reduce/mesh/fe_stress.h"

/* A case while it is read; forces of nodes are summed over all nodes of the part. */
typedef struct Case {
    TmlPartRead *p;
    TmlVec3 acceleration;
    int n_wrenches;
    TmlLoadWrench *wrench;
    TmlVec3 *force; /* fe.n_nodes */
    bool *chosen;   /* fe.n_nodes: of the entry at hand */
} Case;

/* False: reported, or there is no such key. */
static bool read_vector(TmlEntry *x, const char *key, TmlVec3 *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    return v != NULL && tml_read_vec3(x, v, key, out);
}

static bool has(const TmlEntry *x, const char *key)
{
    return tml_value_find(x->value, key) != NULL;
}

static bool chooses_nodes(const TmlEntry *x)
{
    static const char *const keys[] = {"set", "nodes", "node", "box", "near"};
    bool any = false;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        any = any || has(x, keys[k]);
    }
    return any;
}

/* --- entries ------------------------------------------------------------------------------------ */

static void add_wrench(Case *c, TmlEntry *x)
{
    const TmlValue *v = tml_value_find(x->value, "interface");
    const char *name = tml_read_text(x, v, "interface");
    TmlLoadWrench w = {.interface = name != NULL ? tml_part_interface(c->p, x, v, name) : -1};
    const bool force = read_vector(x, "force", &w.force),
               torque = read_vector(x, "torque", &w.torque);
    if (w.interface < 0 || x->bad) {
        return;
    }
    if (!force && !torque) {
        tml_entry_error(x, v, "'interface' goes with 'force', 'torque' or both");
        return;
    }
    const TmlInterface *at = &c->p->o.interface[w.interface];
    const int node = at->tie == TML_TIE_NODE ? at->node[0] : -1;
    if (torque && node >= 0 && c->p->fe.first[node + 1] - c->p->fe.first[node] == 3) {
        tml_entry_error(x, tml_value_find(x->value, "torque"),
                        "torque: interface '%s' is a node without rotation", at->name);
        return;
    }
    c->wrench[c->n_wrenches++] = w;
}

/* The force is shared by the nodes in equal parts. */
static void share_force(Case *c, TmlEntry *x, int n)
{
    TmlVec3 f;
    if (!read_vector(x, "force", &f)) {
        return;
    }
    for (int k = 0; k < c->p->fe.n_nodes; ++k) {
        if (c->chosen[k]) {
            c->force[k] = v3_axpy(1.0 / n, f, c->force[k]);
        }
    }
}

static void press_face(Case *c, const int *node, int n, double pressure)
{
    TmlVec3 x[TML_FACE_NODES], f[TML_FACE_NODES] = {{0}};
    for (int i = 0; i < n; ++i) {
        x[i] = c->p->mesh.x[node[i]];
    }
    tml_face_pressure(n, x, pressure, f);
    for (int i = 0; i < n; ++i) {
        c->force[node[i]] = v3_add(c->force[node[i]], f[i]);
    }
}

static void press(Case *c, TmlEntry *x)
{
    const TmlValue *v = tml_value_find(x->value, "pressure");
    const TmlFeMesh *mesh = c->p->fe.mesh;
    TmlArena scratch = {0};
    TmlFeFace *face;
    TmlError err = {0};
    double pressure;
    int n = 0, pressed = 0;
    if (!tml_read_ranged(x, v, "pressure", TML_ANY, "Pa", &pressure)) {
        return;
    }
    if (mesh == NULL) {
        tml_entry_error(x, v, "pressure: matrices have no faces; name forces of nodes instead");
        return;
    }
    if (tml_fe_outer_faces(mesh, &scratch, &n, &face, &err) != TML_OK) {
        x->r->nomem = true;
    }
    for (int k = 0; k < n && !x->r->nomem; ++k) {
        int node[TML_FACE_NODES];
        const int around = tml_fe_face_nodes(mesh, face[k], node);
        bool all = true;
        for (int i = 0; i < around; ++i) {
            all = all && c->chosen[node[i]];
        }
        if (all) {
            press_face(c, node, around, pressure);
            ++pressed;
        }
    }
    tml_arena_free(&scratch);
    if (pressed == 0 && !x->r->nomem) {
        tml_entry_error(x, v,
                        "pressure: no outer face of the mesh has all its nodes among those that "
                        "are chosen");
    }
}

static void add_on_nodes(Case *c, TmlEntry *x)
{
    int n = 0;
    for (int k = 0; k < c->p->fe.n_nodes; ++k) {
        c->chosen[k] = false;
    }
    if (!tml_part_choose(c->p, x, c->chosen)) {
        return;
    }
    for (int k = 0; k < c->p->fe.n_nodes; ++k) {
        n += c->chosen[k];
    }
    if (n == 0) {
        tml_entry_error(x, NULL, "no node of the part lies there");
    } else if (has(x, "force") == has(x, "pressure") || has(x, "torque")) {
        tml_entry_error(x, NULL,
                        "nodes go with either 'force', which they share in equal parts, or "
                        "'pressure' on their faces; a torque needs an interface");
    } else if (has(x, "force")) {
        share_force(c, x, n);
    } else {
        press(c, x);
    }
}

static void add_entry(Case *c, TmlEntry *x)
{
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_of_part_applied, NULL, NULL);
    const bool nodes = chooses_nodes(x), interface = has(x, "interface"),
               acceleration = has(x, "acceleration");
    if (nodes + interface + acceleration != 1) {
        tml_entry_error(x, NULL,
                        "expected one of 'acceleration', 'interface' and nodes (set, nodes, node, "
                        "box, near); loads that act together are a list");
        return;
    }
    if (nodes) {
        add_on_nodes(c, x);
    } else if (interface) {
        add_wrench(c, x);
    } else if (has(x, "force") || has(x, "torque") || has(x, "pressure")) {
        tml_entry_error(x, NULL, "'acceleration' goes with no other load; write a list of loads");
    } else {
        TmlVec3 a;
        c->acceleration =
            read_vector(x, "acceleration", &a) ? v3_add(c->acceleration, a) : c->acceleration;
    }
}

/* --- cases -------------------------------------------------------------------------------------- */

/* The nodes that have a force. */
static void gather(Case *c, TmlAppliedLoad *out)
{
    const int n = c->p->fe.n_nodes;
    int *node = tml_reader_alloc(c->p->r, (size_t)n, sizeof *node);
    TmlVec3 *force = tml_reader_alloc(c->p->r, (size_t)n, sizeof *force);
    for (int k = 0; k < n && node != NULL && force != NULL; ++k) {
        if (v3_norm(c->force[k]) > 0.0) {
            node[out->n_nodes] = k;
            force[out->n_nodes++] = c->force[k];
        }
    }
    out->node = node;
    out->force = force;
    out->acceleration = c->acceleration;
    out->n_wrenches = c->n_wrenches;
    out->wrench = c->wrench;
}

static void read_case(TmlPartRead *p, TmlEntry *x, TmlAppliedLoad *out)
{
    const bool list = x->value->kind == TML_VALUE_LIST;
    const size_t entries = list ? (size_t)x->value->n : 1, nodes = (size_t)p->fe.n_nodes;
    Case c = {.p = p,
              .wrench = tml_reader_alloc(p->r, entries + 1, sizeof *c.wrench),
              .force = tml_reader_alloc(p->r, nodes, sizeof *c.force),
              .chosen = tml_reader_alloc(p->r, nodes, sizeof *c.chosen)};
    *out = (TmlAppliedLoad){.name = x->name};
    if (c.wrench == NULL || c.force == NULL || c.chosen == NULL) {
        return;
    }
    for (size_t k = 0; k < entries; ++k) {
        TmlEntry one = *x;
        one.value = list ? x->value->item[k] : x->value;
        add_entry(&c, &one);
    }
    gather(&c, out);
}

void tml_part_read_loads(TmlPartRead *p)
{
    const TmlValue *all = tml_value_find(p->root, "loads");
    TmlEntry x = {.r = p->r, .kind = "loads", .value = all};
    if (all == NULL || !tml_read_is_map(&x, all, NULL)) {
        return;
    }
    TmlAppliedLoad *load = tml_reader_alloc(p->r, (size_t)all->n + 1, sizeof *load);
    for (int k = 0; k < all->n && load != NULL; ++k) {
        TmlEntry one = {.r = p->r,
                        .kind = "load",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        read_case(p, &one, &load[k]);
    }
    p->o.n_loads = load != NULL ? all->n : 0;
    p->o.load = load;
}
