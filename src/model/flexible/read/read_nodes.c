/* model/flexible/read/read_nodes.c - flexible lines through nodes that are listed with their axes.
 *
 * One element lies between two nodes, along the cubic of hermite.h: tangents are the x axes of the
 * nodes. y is carried along it from the first node by the least rotation; what is left to y of the
 * other node is shared out evenly by length.
 *
 * A body that is kept in a plane has vectors of two numbers there (mesh.c): its nodes must lie in
 * it, and each of y and z along the plane or across.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/flexible/curve.h"
#include "model/flexible/hermite.h"
#include "model/flexible/read/read_mesh.h"

enum { MAX_NODES = 1000000 };

/* One node as it is listed. */
typedef struct Listed {
    TmlVec3 r;
    TmlMat33 A;
} Listed;

typedef struct Piece {
    const Listed *from, *to;
    TmlHermite curve;
} Piece;

/* y of the first node carried to xi, and the tangent there. */
static TmlVec3 carried(const Piece *p, double xi, TmlVec3 *t)
{
    enum { STEPS = 16 };
    TmlVec3 y = p->from->A.cy, r, d;
    *t = p->from->A.cx;
    for (int i = 1; i <= STEPS; ++i) {
        tml_hermite_at(&p->curve, xi * i / STEPS, &r, &d);
        const TmlVec3 next = v3_unit(d);
        y = tml_curve_carry(y, *t, next);
        *t = next;
    }
    return y;
}

/* Nodes of an element between its ends. */
static void put_inner(const Piece *p, int step, TmlMeshNode *node)
{
    TmlVec3 t, r, d;
    const TmlVec3 y = carried(p, 1.0, &t), y1 = p->to->A.cy;
    const double left = atan2(v3_dot(v3_cross(y, y1), t), v3_dot(y, y1));
    for (int i = 1; i < step; ++i) {
        const double share = (double)i / step, xi = tml_hermite_place(&p->curve, share);
        const TmlVec3 across = carried(p, xi, &t);
        const TmlMat33 R = q4_matrix(q4_exp(v3_scale(left * share, t)));
        tml_hermite_at(&p->curve, xi, &r, &d);
        tml_mesh_put_node(&node[i], r, t, m3_mulv(&R, across));
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_node(TmlEntry *x, const TmlValue *v, Listed *out)
{
    *out = (Listed){.A = m3_identity()};
    if (!tml_read_is_map(x, v, "nodes")) {
        return false;
    }
    tml_read_keys(x, v, tml_keys_node, NULL, NULL);
    const TmlValue *position = tml_value_find(v, "position");
    const TmlValue *rotation = tml_value_find(v, "rotation");
    if (position == NULL) {
        tml_entry_error(x, v, "nodes: missing key 'position'");
        return false;
    }
    const bool ok = tml_read_vec3(x, position, "position", &out->r);
    return (rotation == NULL || tml_read_rotation(x, rotation, "rotation", &out->A)) && ok;
}

/* Neighbours apart, and the x axes of both along the way from one to the other. */
static bool check_piece(TmlEntry *x, const TmlValue *list, int k, const Piece *p)
{
    const TmlVec3 d = v3_sub(p->to->r, p->from->r);
    if (!(v3_norm(d) > 0.0)) {
        tml_entry_error(x, list->item[k + 1], "nodes: %d and %d are the same point", k + 1, k + 2);
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        const double c = v3_dot(d, (i == 0 ? p->from : p->to)->A.cx) / v3_norm(d);
        if (c < 0.1) { // beyond 84 degrees a cubic is no beam
            tml_entry_error(x, list->item[k + i],
                            "nodes: x of node %d is %.3g deg from the way from node %d to %d; "
                            "it is the tangent of the axis",
                            k + i + 1, acos(fmax(c, -1.0)) * (180.0 / 3.14159265358979), k + 1,
                            k + 2);
            return false;
        }
    }
    return true;
}

static bool refuse_others(TmlEntry *x)
{
    static const char *const others[] = {"line",   "arc",   "polyline", "smooth", "elements",
                                         "y_axis", "twist", "rest",     "stretch"};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
        const TmlValue *v = tml_value_find(x->value, others[k]);
        if (v != NULL) {
            tml_entry_error(x, v, "'%s' does not go with 'nodes'", others[k]);
            return false;
        }
    }
    return true;
}

static void fill(TmlMeshDraft *d, const Listed *node, const Piece *piece)
{
    const int step = d->mesh.type->nodes - 1;
    double before = 0.0;
    tml_mesh_put_node(&d->start[0], node[0].r, node[0].A.cx, node[0].A.cy);
    for (int e = 0; e < d->mesh.n_x; ++e) {
        const Piece *p = &piece[e];
        const int first = e * step;
        put_inner(p, step, &d->start[first]);
        tml_mesh_put_node(&d->start[first + step], p->to->r, p->to->A.cx, p->to->A.cy);
        d->first[e] = first;
        d->size[2 * e] = p->curve.length;
        for (int i = 1; i <= step; ++i) {
            d->mesh.xi[first + i] = (before + p->curve.length * i / step) / d->length;
        }
        before += p->curve.length;
    }
    d->mesh.xi[d->mesh.n_nodes - 1] = 1.0;
}

bool tml_read_listed_nodes(TmlMeshDraft *d)
{
    TmlEntry *x = &d->x;
    const TmlValue *list = tml_value_find(x->value, "nodes");
    if (list->kind != TML_VALUE_LIST || list->n < 2 || list->n > MAX_NODES) {
        tml_entry_expected(x, list, "nodes", "a list of two or more {position, rotation}");
        return false;
    }
    Listed *node = tml_reader_alloc(x->r, (size_t)list->n, sizeof *node);
    Piece *piece = tml_reader_alloc(x->r, (size_t)list->n, sizeof *piece);
    bool ok = refuse_others(x) && node != NULL && piece != NULL;
    for (int k = 0; k < list->n && ok; ++k) {
        ok = read_node(x, list->item[k], &node[k]);
    }
    for (int k = 0; k + 1 < list->n && ok; ++k) {
        piece[k] = (Piece){.from = &node[k], .to = &node[k + 1]};
        ok = check_piece(x, list, k, &piece[k]);
        piece[k].curve = tml_hermite(node[k].r, node[k].A.cx, node[k + 1].r, node[k + 1].A.cx);
        d->length += piece[k].curve.length;
    }
    d->mesh.listed = true;
    d->mesh.n_y = 1;
    d->mesh.n_x = list->n - 1;
    d->mesh.n_nodes = d->mesh.n_x * (d->mesh.type->nodes - 1) + 1;
    if (!ok || !tml_mesh_draft_alloc(d)) {
        return false;
    }
    fill(d, node, piece);
    memcpy(d->rest, d->start, (size_t)d->mesh.n_nodes * sizeof *d->rest);
    return tml_read_displacement(d);
}

/* --- planes ----------------------------------------------------------------------------------- */

/* A vector that lies along the plane to rounding, or across it where that may be: exactly so. */
static bool settle(TmlVec3 *v, TmlVec3 normal, double tiny, bool may_cross)
{
    const double out = v3_dot(*v, normal);
    const TmlVec3 in = v3_axpy(-out, normal, *v);
    if (fabs(out) <= tiny) {
        *v = in;
        return true;
    }
    if (may_cross && v3_norm(in) <= tiny) {
        *v = v3_scale(out, normal);
        return true;
    }
    return false;
}

static bool settle_nodes(TmlMeshDraft *d, TmlMeshNode *node, TmlVec3 normal)
{
    const double tiny = 1e-9; // what angles and places written with ten digits leave
    const double height = v3_dot(node[0].x[TML_FLEX_R], normal);
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        TmlVec3 *x = node[k].x;
        TmlVec3 from = v3_axpy(-height, normal, x[TML_FLEX_R]);
        const bool ok = settle(&from, normal, tiny * (d->length + fabs(height)), false) &&
                        settle(&x[TML_FLEX_RX], normal, tiny, false) &&
                        settle(&x[TML_FLEX_RY], normal, tiny, true) &&
                        settle(&x[TML_FLEX_RZ], normal, tiny, true);
        x[TML_FLEX_R] = v3_axpy(height, normal, from);
        if (!ok) {
            tml_entry_error(&d->x, tml_value_find(d->x.value, "plane"),
                            "plane: the axis, or y and z of a section, leave the plane");
            return false;
        }
    }
    return true;
}

bool tml_read_plane(TmlMeshDraft *d)
{
    const TmlValue *v = tml_value_find(d->x.value, "plane");
    int k = 0;
    if (v == NULL) {
        return true;
    }
    if (d->mesh.type->topology != TML_FLEX_LINE || d->mesh.type->dim != 3) {
        tml_entry_error(&d->x, v, "plane: goes with lines in space (beam, beam3, cable)");
        return false;
    }
    if (!tml_read_choice(&d->x, v, "plane", "xy|yz|zx", &k)) {
        return false;
    }
    d->mesh.plane = k + 1;
    const TmlVec3 normal = tml_mesh_normal(&d->mesh);
    return settle_nodes(d, d->start, normal) && settle_nodes(d, d->rest, normal);
}
