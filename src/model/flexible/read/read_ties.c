/* model/flexible/read/read_ties.c - what the nodes of flexible bodies are tied to: start, end, edges, attach. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/body/body.h"
#include "model/flexible/read/read_mesh.h"

/* --- places ---------------------------------------------------------------------------------- */

static void no_node(TmlEntry *x, const TmlValue *at, const TmlMesh *mesh)
{
    if (mesh->type->topology == TML_FLEX_PATCH) {
        tml_entry_error(x, at,
                        "at: no node there; nodes of '%s' are at multiples of 1/%d along x and "
                        "1/%d along y",
                        mesh->name, mesh->n_x, mesh->n_y);
    } else {
        tml_entry_error(x, at, "at: no node there; '%s' has nodes at %.6g, %.6g, ..., 1",
                        mesh->name, mesh->xi[0], mesh->xi[1]);
    }
}

/* at: of the mesh: the node, or -1 after reporting. */
static int read_node(TmlEntry *x, const TmlValue *at, const TmlMesh *mesh)
{
    double place[2] = {0};
    const bool patch = mesh->type->topology == TML_FLEX_PATCH;
    const bool ok = patch ? tml_read_numbers(x, at, "at", 2, "two numbers from 0 to 1", place)
                          : tml_read_ranged(x, at, "at", TML_FRACTION, "", &place[0]);
    if (!ok) {
        return -1;
    }
    const bool inside = place[0] >= 0.0 && place[0] <= 1.0 && place[1] >= 0.0 && place[1] <= 1.0;
    const int node = inside ? tml_mesh_node_at(mesh, place[0], place[1]) : -1;
    if (node < 0) {
        no_node(x, at, mesh);
    }
    return node;
}

static TmlMeshDraft *find_draft(TmlMeshDraft *all, const char *name, size_t n)
{
    for (TmlMeshDraft *d = all; d != NULL; d = d->next) {
        if (strncmp(d->mesh.name, name, n) == 0 && d->mesh.name[n] == '\0') {
            return d;
        }
    }
    return NULL;
}

/* The node that a word after the dot names: start, end, n3, corner2; -1: none. */
static int node_of_word(const TmlMesh *mesh, const char *word)
{
    const bool patch = mesh->type->topology == TML_FLEX_PATCH;
    const int row = mesh->n_x + 1;
    if (!patch && strcmp(word, "start") == 0) {
        return 0;
    }
    if (!patch && strcmp(word, "end") == 0) {
        return mesh->n_nodes - 1;
    }
    if (word[0] == 'n' && isdigit((unsigned char)word[1])) {
        char *stop;
        const long k = strtol(word + 1, &stop, 10);
        return *stop == '\0' && k < mesh->n_nodes ? (int)k : -1;
    }
    if (patch && strncmp(word, "corner", 6) == 0 && word[6] >= '1' && word[6] <= '4' &&
        word[7] == '\0') {
        const int corner[4] = {0, mesh->n_x, mesh->n_nodes - 1, mesh->n_nodes - row};
        return corner[word[6] - '1'];
    }
    return -1;
}

static void unknown_mesh(TmlEntry *x, const TmlValue *v, const char *name, TmlMeshDraft *all)
{
    enum { SHOWN = 64 };
    const char *known[SHOWN];
    int n = 0;
    for (TmlMeshDraft *d = all; d != NULL && n < SHOWN; d = d->next) {
        known[n++] = d->mesh.name;
    }
    tml_entry_unknown(x, v, "flexible body", name, known, n);
}

/* "other.end" or {mesh: other, at: 0.5}: a node. */
static bool read_place(TmlEntry *x, const TmlValue *v, const char *what, TmlMeshDraft *all,
                       TmlTie *tie)
{
    tie->body = -1;
    if (v->kind == TML_VALUE_MAP) {
        tml_read_keys(x, v, tml_keys_mesh_place, NULL, NULL);
        const TmlValue *mesh = tml_value_find(v, "mesh"), *at = tml_value_find(v, "at");
        if (mesh == NULL || at == NULL) {
            tml_entry_error(x, v, "%s: missing key '%s'", what, mesh == NULL ? "mesh" : "at");
            return false;
        }
        const char *name = tml_read_text(x, mesh, "mesh");
        tie->mesh = name != NULL ? find_draft(all, name, strlen(name)) : NULL;
        if (name != NULL && tie->mesh == NULL) {
            unknown_mesh(x, mesh, name, all);
        }
        if (tie->mesh == NULL || !tie->mesh->ok) {
            return false;
        }
        tie->node = read_node(x, at, &tie->mesh->mesh);
        return tie->node >= 0;
    }
    const char *name = tml_read_text(x, v, what);
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (name == NULL) {
        return false;
    }
    if (dot == NULL) {
        tml_entry_expected(x, v, what, "a node of a flexible body: NAME.start, NAME.end, NAME.n3");
        return false;
    }
    tie->mesh = find_draft(all, name, (size_t)(dot - name));
    if (tie->mesh == NULL) {
        unknown_mesh(x, v, tml_reader_printf(x->r, "%.*s", (int)(dot - name), name), all);
        return false;
    }
    tie->node = tie->mesh->ok ? node_of_word(&tie->mesh->mesh, dot + 1) : -1;
    if (tie->mesh->ok && tie->node < 0) {
        tml_entry_error(x, v, "%s: '%s' has no node '%s'; write %s or n0 to n%d", what,
                        tie->mesh->mesh.name, dot + 1,
                        tie->mesh->mesh.type->topology == TML_FLEX_PATCH ? "corner1 to corner4"
                                                                         : "start, end,",
                        tie->mesh->mesh.n_nodes - 1);
    }
    return tie->node >= 0;
}

/* --- reading --------------------------------------------------------------------------------- */

static bool read_rigid(TmlEntry *x, const TmlValue *v, const char *what, TmlTie *tie)
{
    if (!tml_read_body_ref(x, v, what, &tie->body)) {
        return false;
    }
    const TmlBody *body = &x->r->m->bodies.at[tie->body];
    if (body->type->mesh || body->type->hidden) {
        tml_entry_error(x, v, "%s: '%s' is no rigid body; to tie to its node write join: %s.end",
                        what, body->name, body->name);
        return false;
    }
    if (tie->kind == TML_TIE_CLAMP && body->type->nu == 3) {
        tml_entry_error(x, v, "%s: '%s' is a point and has no axes; write pin", what, body->name);
        return false;
    }
    return true;
}

/* slide: a body, with `axis`. */
static bool read_slide(TmlEntry *x, const TmlValue *map, const TmlValue *v, bool plane, TmlTie *tie)
{
    const TmlValue *axis = tml_value_find(map, "axis");
    if (axis == NULL) {
        tml_entry_error(x, map, "slide: missing key 'axis': the direction it is free along");
        return false;
    }
    if (!tml_read_direction(x, axis, "axis", &tie->axis)) {
        return false;
    }
    if (plane && fabs(tie->axis.z) > 1e-9) { // sine of the angle to the plane
        tml_entry_error(x, axis, "axis: a plane body slides in the plane z = 0");
        return false;
    }
    return read_rigid(x, v, "slide", tie);
}

/* Whether a name that may be pinned to is a rigid body. */
static bool names_body(TmlEntry *x, const TmlValue *v)
{
    const char *name = v->kind == TML_VALUE_SCALAR ? tml_read_text(x, v, "pin") : NULL;
    return name != NULL && (tml_model_find_body(x->r->m, name) >= 0 || strchr(name, '.') == NULL);
}

/* hinge: a body or a node, with `axis`. */
static bool read_hinge(TmlMeshDraft *d, const TmlValue *map, const TmlValue *v, TmlMeshDraft *all,
                       TmlTie *tie)
{
    TmlEntry *x = &d->x;
    const TmlValue *axis = tml_value_find(map, "axis");
    if (d->mesh.type->dim == 2 || v3_norm(tml_mesh_normal(&d->mesh)) > 0.0) {
        tml_entry_error(x, v, "hinge: '%s' stays in a plane, where a pin is a hinge; write pin",
                        d->mesh.name);
        return false;
    }
    if (axis == NULL) {
        tml_entry_error(x, map, "hinge: missing key 'axis': the direction that both turn about");
        return false;
    }
    return tml_read_direction(x, axis, "axis", &tie->axis) &&
           (names_body(x, v) ? read_rigid(x, v, "hinge", tie)
                             : read_place(x, v, "hinge", all, tie));
}

/* The map of one tie: clamp, pin, slide, join or hinge. */
static bool read_tie(TmlMeshDraft *d, const TmlValue *map, TmlMeshDraft *all, TmlTie *tie)
{
    static const char *const keys[] = {"clamp", "pin", "slide", "join", "hinge"};
    static const TmlTieKind kinds[] = {TML_TIE_CLAMP, TML_TIE_PIN, TML_TIE_SLIDE, TML_TIE_CLAMP,
                                       TML_TIE_HINGE};
    TmlEntry *x = &d->x;
    const TmlValue *v = NULL;
    int which = 0, found = 0;
    for (int k = 0; k < 5; ++k) {
        const TmlValue *item = tml_value_find(map, keys[k]);
        if (item != NULL) {
            v = item;
            which = k;
            ++found;
        }
    }
    if (found != 1) {
        tml_entry_error(x, map, "%s: write one of 'clamp', 'pin', 'slide', 'join' and 'hinge'",
                        tie->where);
        return false;
    }
    if (which != 2 && which != 4 && tml_value_find(map, "axis") != NULL) {
        tml_entry_error(x, tml_value_find(map, "axis"),
                        "'axis' goes with 'slide' and 'hinge' only");
        return false;
    }
    tie->at = v;
    tie->kind = kinds[which];
    switch (which) {
    case 0:
        return read_rigid(x, v, "clamp", tie);
    case 1:
        return names_body(x, v) ? read_rigid(x, v, "pin", tie) : read_place(x, v, "pin", all, tie);
    case 2:
        return read_slide(x, map, v, d->mesh.type->dim == 2, tie);
    case 4:
        return read_hinge(d, map, v, all, tie);
    default:
        return read_place(x, v, "join", all, tie);
    }
}

static bool same_target(const TmlTie *a, const TmlTie *b)
{
    return a->body == b->body && (a->body >= 0 || (a->mesh == b->mesh && a->node == b->node)) &&
           a->kind != TML_TIE_SLIDE && b->kind != TML_TIE_SLIDE;
}

/* Tie a node. Twice to the same thing (corners of patches): the stronger counts. */
static void put_tie(TmlMeshDraft *d, int node, const TmlTie *tie)
{
    TmlTie *old = &d->tie[node];
    if (old->kind == TML_TIE_NONE) {
        *old = *tie;
    } else if (old->corner) {
        put_tie(d, node - 1, tie);
    } else if (same_target(old, tie)) {
        const bool both = tie->kind == old->kind;
        old->free = both ? old->free & tie->free : tie->kind > old->kind ? tie->free : old->free;
        old->along |= tie->along;
        old->kind = tie->kind > old->kind ? tie->kind : old->kind;
    } else {
        tml_entry_error(&d->x, tie->at,
                        "%s: node %d is tied already (%s); tie one of the two things to the other, "
                        "or use a joint",
                        tie->where, node, old->where);
    }
}

static void read_end(TmlMeshDraft *d, const char *key, int node, TmlMeshDraft *all)
{
    const TmlValue *map = tml_value_find(d->x.value, key);
    TmlTie tie = {.where = key, .name = key, .free = tml_clamp_free(d->mesh.type, false)};
    if (map == NULL || !tml_read_is_map(&d->x, map, key)) {
        return;
    }
    tml_read_keys(&d->x, map, tml_keys_attach, NULL, NULL);
    if (read_tie(d, map, all, &tie)) {
        put_tie(d, node, &tie);
    }
}

static void read_attach(TmlMeshDraft *d, TmlMeshDraft *all)
{
    TmlEntry *x = &d->x;
    const TmlValue *list = tml_value_find(x->value, "attach");
    if (list != NULL && list->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, list, "attach", "a list of {at: place, clamp: body}");
        return;
    }
    for (int k = 0; list != NULL && k < list->n; ++k) {
        const TmlValue *map = list->item[k];
        const bool patch = d->mesh.type->topology == TML_FLEX_PATCH;
        TmlTie tie = {.where = "attach", .name = tml_reader_printf(x->r, "attach%d", k + 1)};
        tie.free = patch ? 0 : tml_clamp_free(d->mesh.type, false);
        if (!tml_read_is_map(x, map, "attach")) {
            continue;
        }
        tml_read_keys(x, map, tml_keys_attach_at, NULL, NULL);
        const TmlValue *at = tml_value_find(map, "at");
        if (at == NULL) {
            tml_entry_error(x, map, "attach: missing key 'at': the place, from 0 to 1");
            continue;
        }
        const int node = read_node(x, at, &d->mesh);
        if (read_tie(d, map, all, &tie) && node >= 0) {
            put_tie(d, node, &tie);
        }
    }
}

/* Node k along an edge: left, right, bottom, top. */
static int edge_node(const TmlMesh *mesh, int edge, int k)
{
    const int row = mesh->n_x + 1;
    return edge == 0   ? k * row
           : edge == 1 ? k * row + mesh->n_x
           : edge == 2 ? k
                       : mesh->n_y * row + k;
}

static void read_edges(TmlMeshDraft *d, TmlMeshDraft *all)
{
    static const char *const edges[] = {"left", "right", "bottom", "top"};
    TmlEntry *x = &d->x;
    const TmlValue *map = tml_value_find(x->value, "edges");
    if (map == NULL || !tml_read_is_map(x, map, "edges")) {
        return;
    }
    tml_read_keys(x, map, tml_keys_edges, NULL, NULL);
    for (int e = 0; e < 4; ++e) {
        const TmlValue *v = tml_value_find(map, edges[e]);
        TmlTie tie = {.where = edges[e],
                      .free = tml_clamp_free(d->mesh.type, e >= 2),
                      .along = 1u << (e < 2 ? TML_FLEX_RY : TML_FLEX_RX)};
        if (v == NULL || !tml_read_is_map(x, v, edges[e])) {
            continue;
        }
        tml_read_keys(x, v, tml_keys_attach, NULL, NULL);
        if (!read_tie(d, v, all, &tie)) {
            continue;
        }
        if (tie.body < 0) {
            tml_entry_error(x, tie.at, "%s: an edge is clamped or pinned to a body", edges[e]);
            continue;
        }
        for (int k = 0; k <= (e < 2 ? d->mesh.n_y : d->mesh.n_x); ++k) {
            tie.name = tml_reader_printf(x->r, "%s%d", edges[e], k);
            put_tie(d, edge_node(&d->mesh, e, k), &tie);
        }
    }
}

/* Keys that belong to the other kind of mesh. */
static void refuse(TmlEntry *x, const char *key, const char *what)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_entry_error(x, v, "'%s' goes with %s only", key, what);
    }
}

void tml_read_ties(TmlMeshDraft *d, TmlMeshDraft *all)
{
    if (d->mesh.type->topology == TML_FLEX_PATCH) {
        refuse(&d->x, "start", "lines");
        refuse(&d->x, "end", "lines");
        read_edges(d, all);
    } else {
        refuse(&d->x, "edges", "patches");
        read_end(d, "start", 0, all);
        read_end(d, "end", d->mesh.n_nodes - 1, all);
    }
    read_attach(d, all);
}
