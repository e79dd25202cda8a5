/* io/part/description/part_interfaces.c - the nodes of interfaces, by set, number, box or distance. */
#include "io/part/description/part_read.h"

#include "math/vec3.h"

#include <float.h>
#include <string.h>

/* How nodes are chosen; what is not given does not choose. */
typedef struct Choice {
    bool box, near, axis;
    TmlVec3 low, high, at, along;
    double least, most; /* distance */
    double from, to;    /* along the axis */
} Choice;

static bool read_pair(TmlEntry *x, const TmlValue *v, const char *what, double *low, double *high)
{
    double pair[2];
    if (v->kind == TML_VALUE_SCALAR) {
        *low = 0.0;
        return tml_read_ranged(x, v, what, TML_POSITIVE, "m", high);
    }
    if (!tml_read_numbers(x, v, what, 2, "a number or a list of two", pair)) {
        return false;
    }
    *low = pair[0];
    *high = pair[1];
    if (!(pair[1] > pair[0])) {
        tml_entry_error(x, v, "%s: the second number must be larger than the first", what);
    }
    return pair[1] > pair[0];
}

static bool read_box(TmlEntry *x, const TmlValue *v, Choice *c)
{
    TmlVec3 a, b;
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "box", "two opposite corners");
        return false;
    }
    if (!tml_read_vec3(x, v->item[0], "box", &a) || !tml_read_vec3(x, v->item[1], "box", &b)) {
        return false;
    }
    c->box = true;
    c->low = v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
    c->high = v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
    return true;
}

static bool read_near(TmlEntry *x, const TmlValue *near, Choice *c)
{
    const TmlValue *distance = tml_value_find(x->value, "distance");
    const TmlValue *axis = tml_value_find(x->value, "axis");
    const TmlValue *length = tml_value_find(x->value, "length");
    c->near = true;
    c->axis = axis != NULL;
    c->from = -DBL_MAX;
    c->to = DBL_MAX;
    if (distance == NULL) {
        tml_entry_error(x, near, "near: missing key 'distance': how near");
        return false;
    }
    return tml_read_vec3(x, near, "near", &c->at) &&
           read_pair(x, distance, "distance", &c->least, &c->most) &&
           (axis == NULL || tml_read_direction(x, axis, "axis", &c->along)) &&
           (length == NULL || read_pair(x, length, "length", &c->from, &c->to));
}

static bool is_chosen(const Choice *c, TmlVec3 x, double slack)
{
    if (c->box &&
        !(x.x >= c->low.x - slack && x.x <= c->high.x + slack && x.y >= c->low.y - slack &&
          x.y <= c->high.y + slack && x.z >= c->low.z - slack && x.z <= c->high.z + slack)) {
        return false;
    }
    if (c->near) {
        TmlVec3 r = v3_sub(x, c->at);
        const double along = c->axis ? v3_dot(r, c->along) : 0.0;
        r = c->axis ? v3_axpy(-along, c->along, r) : r;
        const double d = v3_norm(r);
        return d >= c->least - slack && d <= c->most + slack && along >= c->from - slack &&
               along <= c->to + slack;
    }
    return true;
}

/* --- nodes -------------------------------------------------------------------------------------- */

int tml_part_node(TmlPartRead *p, TmlEntry *x, const TmlValue *at, const char *what, int64_t id)
{
    for (int k = 0; k < p->fe.n_nodes; ++k) {
        if (p->fe.id[k] == id && p->fe.first[k + 1] > p->fe.first[k]) {
            return k;
        }
        if (p->fe.id[k] == id) {
            tml_entry_error(x, at, "%s: node %lld belongs to no element", what, (long long)id);
            return -1;
        }
    }
    tml_entry_error(x, at, "%s: there is no node %lld", what, (long long)id);
    return -1;
}

/* Marks the nodes of a set; false after an error. */
static bool mark_set(TmlPartRead *p, TmlEntry *x, const TmlValue *v, bool *in)
{
    const char *name = tml_read_text(x, v, "set");
    const TmlFeMesh *mesh = &p->mesh;
    for (int s = 0; name != NULL && s < mesh->n_node_sets; ++s) {
        const TmlFeSet *set = &mesh->node_set[s];
        if (strcmp(set->name, name) == 0) {
            for (int k = 0; k < set->n; ++k) {
                in[set->at[k]] = true;
            }
            return true;
        }
    }
    if (name != NULL) {
        tml_entry_unknown_name(x, v, "set of nodes", name, mesh->node_set, mesh->n_node_sets,
                               sizeof *mesh->node_set);
    }
    return false;
}

static bool mark_numbers(TmlPartRead *p, TmlEntry *x, const TmlValue *v, const char *key, bool *in)
{
    TmlReals list = {0};
    double one;
    if (v->kind == TML_VALUE_LIST ? !tml_read_reals(x, v, key, &list)
                                  : !tml_read_number(x, v, key, &one)) {
        return false;
    }
    const double *number = v->kind == TML_VALUE_LIST ? list.value : &one;
    for (int k = 0; k < (v->kind == TML_VALUE_LIST ? list.n : 1); ++k) {
        const int node = tml_part_node(p, x, v, key, (int64_t)number[k]);
        if (node < 0) {
            return false;
        }
        in[node] = true;
    }
    return true;
}

bool tml_part_choose(TmlPartRead *p, TmlEntry *x, bool *in)
{
    const TmlFeMatrices *fe = &p->fe;
    const TmlValue *set = tml_value_find(x->value, "set"),
                   *nodes = tml_value_find(x->value, "nodes");
    const TmlValue *node = tml_value_find(x->value, "node"), *box = tml_value_find(x->value, "box");
    const TmlValue *near = tml_value_find(x->value, "near");
    Choice c = {0};
    if (set == NULL && nodes == NULL && node == NULL && box == NULL && near == NULL) {
        tml_entry_error(x, NULL, "no nodes: expected 'set', 'nodes', 'node', 'box' or 'near'");
        return false;
    }
    if ((set != NULL && !mark_set(p, x, set, in)) ||
        (nodes != NULL && !mark_numbers(p, x, nodes, "nodes", in)) ||
        (node != NULL && !mark_numbers(p, x, node, "node", in)) ||
        (box != NULL && !read_box(x, box, &c)) || (near != NULL && !read_near(x, near, &c))) {
        return false;
    }
    double size = 0.0;
    for (int k = 0; k < fe->n_nodes; ++k) {
        size = fmax(size, v3_norm(v3_sub(fe->x[k], fe->x[0])));
    }
    const bool given = set != NULL || nodes != NULL || node != NULL;
    for (int k = 0; k < fe->n_nodes; ++k) {
        // a node on the edge of a box is inside of it, whatever its last digits are
        in[k] = (in[k] || !given) && fe->first[k + 1] > fe->first[k] &&
                is_chosen(&c, fe->x[k], 1e-9 * size);
    }
    return true;
}

/* --- interfaces --------------------------------------------------------------------------------- */

/* The number of the frame; an interface before it may not have the same. */
static void read_id(TmlPartRead *p, TmlEntry *x, const TmlInterface *list, TmlInterface *out)
{
    const TmlValue *v = tml_value_find(x->value, "id");
    int id = 0;
    if (v == NULL || !tml_read_int(x, v, "id", &id)) {
        return;
    }
    if (id <= 0) {
        tml_entry_error(x, v, "id: the number must be above 0");
    }
    for (const TmlInterface *other = list; other < out; ++other) {
        const bool node = other->tie == TML_TIE_NODE && other->n > 0;
        if ((other->id != 0 ? other->id : node ? p->fe.id[other->node[0]] : 0) == id) {
            tml_entry_error(x, v, "id: interface '%s' has the number %d, too", other->name, id);
        }
    }
    out->id = id;
}

static void read_interface(TmlPartRead *p, TmlEntry *x, TmlInterface *out)
{
    static const TmlTie ties[3] = {TML_TIE_RIGID, TML_TIE_AVERAGE, TML_TIE_NODE};
    const TmlFeMatrices *fe = &p->fe;
    int tie = 0, n = 0;
    *out = (TmlInterface){.name = x->name};
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_of_part_interface, NULL, NULL);
    const TmlValue *at = tml_value_find(x->value, "at"), *how = tml_value_find(x->value, "tie");
    bool *in = tml_reader_alloc(p->r, (size_t)fe->n_nodes, sizeof *in);
    int *node = tml_reader_alloc(p->r, (size_t)fe->n_nodes, sizeof *node);
    if (in == NULL || node == NULL ||
        (how != NULL && !tml_read_choice(x, how, "tie", "rigid|average|node", &tie)) ||
        !tml_part_choose(p, x, in)) {
        return;
    }
    TmlVec3 centre = v3(0, 0, 0);
    for (int k = 0; k < fe->n_nodes; ++k) {
        if (in[k]) {
            node[n++] = k;
            centre = v3_add(centre, fe->x[k]);
        }
    }
    if (n == 0) {
        tml_entry_error(x, NULL, "no node of the part lies there");
        return;
    }
    out->tie = how == NULL && n == 1 ? TML_TIE_NODE : ties[tie];
    out->n = n;
    out->node = node;
    out->at = out->tie == TML_TIE_NODE ? fe->x[node[0]] : v3_scale(1.0 / n, centre);
    if (at != NULL && out->tie == TML_TIE_NODE) {
        tml_entry_error(x, at, "at: the frame of a node is at the node");
    } else if (at != NULL && tml_read_vec3(x, at, "at", &centre)) {
        out->at = centre;
    }
}

/* Couplings of the mesh's file. */
static void add_couplings(TmlPartRead *p, TmlInterface *list)
{
    const TmlValue *where = tml_value_find(p->root, "mesh");
    TmlEntry x = {.r = p->r, .kind = "part", .value = p->root};
    for (int k = 0; k < p->mesh.n_couplings; ++k) {
        const TmlFeCoupling *c = &p->mesh.coupling[k];
        for (int i = 0; i < p->o.n_interfaces; ++i) {
            if (strcmp(list[i].name, c->name) == 0) {
                tml_entry_error(&x, where,
                                "two interfaces are called '%s': that of line %d of the mesh's "
                                "file, and another",
                                c->name, c->line);
            }
        }
        list[p->o.n_interfaces++] = (TmlInterface){.name = c->name,
                                                   .tie = c->node_alone ? TML_TIE_NODE
                                                          : c->average  ? TML_TIE_AVERAGE
                                                                        : TML_TIE_RIGID,
                                                   .at = c->at,
                                                   .n = c->n,
                                                   .node = c->node,
                                                   .follows = c->follower >= 0,
                                                   .follower = c->follower,
                                                   .id = c->id};
    }
}

void tml_part_read_interfaces(TmlPartRead *p)
{
    const TmlValue *all = tml_value_find(p->root, "interfaces");
    TmlEntry x = {.r = p->r, .kind = "interfaces", .value = all};
    const bool none = all == NULL || all->kind == TML_VALUE_NULL;
    if (!none && !tml_read_is_map(&x, all, NULL)) {
        return;
    }
    const int n = none ? 0 : all->n;
    TmlInterface *list =
        tml_reader_alloc(p->r, (size_t)(n + p->mesh.n_couplings) + 1, sizeof *list);
    if (list == NULL) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        TmlEntry one = {.r = p->r,
                        .kind = "interface",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        read_interface(p, &one, &list[k]);
        read_id(p, &one, list, &list[k]);
        p->o.n_interfaces = k + 1;
    }
    add_couplings(p, list);
    p->o.interface = list;
}

int tml_part_interface(TmlPartRead *p, TmlEntry *x, const TmlValue *at, const char *name)
{
    for (int k = 0; k < p->o.n_interfaces; ++k) {
        if (strcmp(p->o.interface[k].name, name) == 0) {
            return k;
        }
    }
    tml_entry_unknown_name(x, at, "interface", name, p->o.interface, p->o.n_interfaces,
                           sizeof *p->o.interface);
    return -1;
}
