/* model/wheel/road/road_triangles.c - a road of triangles, in the model or from a road data file.
 *
 * The height is that of the plane of the triangle below; where several lie above each other, of the highest one:
 *
 *   (T1)  h = z_0 + h_x (x - x_0) + h_y (y - y_0),  (h_x, h_y) = -(n_x, n_y) / n_z,  n the triangle's normal
 *
 * Slopes jump at edges. A tyre with `contact: disc` rolls over them as a disc does, one with `contact: plane` takes a mean of
 * slopes. Upright triangles, faces of steps, have no height; the edge above them counts. Triangles, edges and borders are found by a
 * grid of squares in the plane. Edges with one triangle are borders of the road, unless another triangle reaches over them.
 */
#include "base/fail.h"
#include "model/wheel/road/rdf.h"
#include "model/wheel/road/road.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Triangle {
    double x0, y0, z0, hx, hy; /* (T1) */
    double a[2], b[2], det;    /* sides in the plane, a x b */
    double friction;
} Triangle;

typedef struct Edge {
    TmlVec3 from, to;
    bool border;
} Edge;

/* Things of each square of the grid: those of square k stand from start[k] on. */
typedef struct Lists {
    int *start, *item;
} Lists;

typedef struct TrianglesData {
    TmlReals nodes, elements, frictions;
    const char *file;
    /* by read_file and prepare */
    TmlRdf rdf;
    int n, n_edges, nx, ny;
    double x0, y0, size;
    Triangle *triangle;
    Edge *edge;
    Lists triangles, edges;
} TrianglesData;

/* --- reading --------------------------------------------------------------------------------- */

static TmlStatus triangles_file(void *data, const char *path, TmlArena *arena, TmlError *err)
{
    TrianglesData *p = data;
    return tml_rdf_read(path, arena, &p->rdf, err);
}

static TmlStatus triangles_check(const void *data, TmlError *err)
{
    const TrianglesData *p = data;
    const int nodes = p->nodes.n / 3;
    if ((p->file != NULL) == (p->nodes.n > 0)) {
        return tml_fail(err, TML_E_MODEL,
                        "a road of triangles needs either file or nodes and elements");
    }
    if (p->nodes.n % 3 != 0 || p->elements.n % 3 != 0 || (p->nodes.n > 0 && p->elements.n == 0)) {
        return tml_fail(err, TML_E_MODEL,
                        "nodes are rows [x, y, z] and elements rows of three numbers of nodes, "
                        "counted from 1; got %d and %d numbers",
                        p->nodes.n, p->elements.n);
    }
    if (p->frictions.n > 0 && p->frictions.n != p->elements.n / 3) {
        return tml_fail(err, TML_E_MODEL,
                        "frictions: expected one number for each of %d elements, got %d",
                        p->elements.n / 3, p->frictions.n);
    }
    for (int k = 0; k < p->elements.n; ++k) {
        const double v = p->elements.value[k];
        if (!(v >= 1.0 && v <= nodes && v == floor(v))) {
            return tml_fail(err, TML_E_MODEL,
                            "element %d: there is no node %.9g; nodes count from 1 to %d",
                            k / 3 + 1, v, nodes);
        }
    }
    return TML_OK;
}

/* Nodes and elements of the model in the form of those of a file. */
static TmlStatus from_model(TrianglesData *p, TmlArena *arena, TmlError *err)
{
    const int n = p->nodes.n / 3, m = p->elements.n / 3;
    TmlVec3 *node = tml_arena_alloc(arena, (size_t)n, sizeof *node);
    int *element = tml_arena_alloc(arena, 3 * (size_t)m, sizeof *element);
    double *friction = tml_arena_alloc(arena, (size_t)m, sizeof *friction);
    if (node == NULL || element == NULL || friction == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < n; ++k) {
        const double *x = &p->nodes.value[3 * k];
        node[k] = v3(x[0], x[1], x[2]);
    }
    for (int k = 0; k < 3 * m; ++k) {
        element[k] = (int)p->elements.value[k] - 1;
        friction[k / 3] = p->frictions.n > 0 ? p->frictions.value[k / 3] : 1.0;
    }
    p->rdf = (TmlRdf){n, m, node, element, friction};
    return TML_OK;
}

/* --- triangles and edges --------------------------------------------------------------------- */

/* The triangle of three corners; false: it stands upright or has no area. */
static bool triangle_of(const TmlVec3 c[3], double friction, Triangle *out)
{
    const TmlVec3 a = v3_sub(c[1], c[0]), b = v3_sub(c[2], c[0]), n = v3_cross(a, b);
    *out = (Triangle){.x0 = c[0].x,
                      .y0 = c[0].y,
                      .z0 = c[0].z,
                      .a = {a.x, a.y},
                      .b = {b.x, b.y},
                      .det = n.z,
                      .friction = friction};
    if (!(fabs(n.z) > 1e-9 * v3_norm(n))) {
        return false;
    }
    out->hx = -n.x / n.z; // (T1)
    out->hy = -n.y / n.z;
    return true;
}

/* A side of a triangle by its nodes, the smaller number first. */
typedef struct Side {
    int low, high, triangle;
} Side;

static int by_nodes(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    return x->low != y->low     ? (x->low < y->low ? -1 : 1)
           : x->high != y->high ? (x->high < y->high ? -1 : 1)
                                : x->triangle - y->triangle;
}

/* Sides of triangles that are no longer than a plane goes on across them become edges. */
static void edges_of(TrianglesData *p, Side *side, int n)
{
    qsort(side, (size_t)n, sizeof *side, by_nodes);
    for (int k = 0; k < n;) {
        int same = 1;
        while (k + same < n && side[k + same].low == side[k].low &&
               side[k + same].high == side[k].high) {
            ++same;
        }
        const Triangle *t = &p->triangle[side[k].triangle],
                       *u = &p->triangle[side[k + same - 1].triangle];
        const double turn = fabs(t->hx - u->hx) + fabs(t->hy - u->hy);
        if (same != 2 || turn > 1e-9) {
            p->edge[p->n_edges++] = (Edge){.from = p->rdf.node[side[k].low],
                                           .to = p->rdf.node[side[k].high],
                                           .border = same == 1};
        }
        k += same;
    }
}

static TmlStatus make_triangles(TrianglesData *p, TmlArena *arena, TmlError *err)
{
    const size_t m = (size_t)p->rdf.n_elements;
    Side *side = tml_arena_alloc(arena, 3 * m, sizeof *side);
    p->triangle = tml_arena_alloc(arena, m, sizeof *p->triangle);
    p->edge = tml_arena_alloc(arena, 3 * m, sizeof *p->edge);
    if (side == NULL || p->triangle == NULL || p->edge == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    int n = 0;
    p->n = p->n_edges = 0;
    for (int k = 0; k < p->rdf.n_elements; ++k) {
        const int *e = &p->rdf.element[3 * k];
        const TmlVec3 corner[3] = {p->rdf.node[e[0]], p->rdf.node[e[1]], p->rdf.node[e[2]]};
        if (!triangle_of(corner, p->rdf.friction[k], &p->triangle[p->n])) {
            continue;
        }
        for (int j = 0; j < 3; ++j) {
            const int u = e[j], v = e[(j + 1) % 3];
            side[n++] = (Side){u < v ? u : v, u < v ? v : u, p->n};
        }
        ++p->n;
    }
    if (p->n == 0) {
        return tml_fail(err, TML_E_MODEL,
                        "no triangle of the road can be driven on: all stand upright");
    }
    edges_of(p, side, n);
    return TML_OK;
}

/* --- the grid -------------------------------------------------------------------------------- */

typedef struct Box {
    double x[2], y[2];
} Box;

static Box box_of(int n, const double *x, const double *y)
{
    Box b = {{x[0], x[0]}, {y[0], y[0]}};
    for (int k = 1; k < n; ++k) {
        b.x[0] = fmin(b.x[0], x[k]);
        b.x[1] = fmax(b.x[1], x[k]);
        b.y[0] = fmin(b.y[0], y[k]);
        b.y[1] = fmax(b.y[1], y[k]);
    }
    return b;
}

static Box triangle_box(const TrianglesData *p, int k)
{
    const Triangle *t = &p->triangle[k];
    const double x[3] = {t->x0, t->x0 + t->a[0], t->x0 + t->b[0]};
    const double y[3] = {t->y0, t->y0 + t->a[1], t->y0 + t->b[1]};
    return box_of(3, x, y);
}

static Box edge_box(const TrianglesData *p, int k)
{
    const Edge *e = &p->edge[k];
    const double x[2] = {e->from.x, e->to.x}, y[2] = {e->from.y, e->to.y};
    return box_of(2, x, y);
}

static int square_of(double x, double from, double size, int n)
{
    const double k = floor((x - from) / size);
    return k < 0.0 ? 0 : k > n - 1 ? n - 1 : (int)k;
}

static void squares_of(const TrianglesData *p, Box b, int from[2], int to[2])
{
    from[0] = square_of(b.x[0], p->x0, p->size, p->nx);
    to[0] = square_of(b.x[1], p->x0, p->size, p->nx);
    from[1] = square_of(b.y[0], p->y0, p->size, p->ny);
    to[1] = square_of(b.y[1], p->y0, p->size, p->ny);
}

/* Lists of the things whose boxes reach into each square; room: squares and 1. */
static TmlStatus fill(const TrianglesData *p, int n, Box (*box)(const TrianglesData *p, int k),
                      TmlArena *arena, Lists *out, TmlError *err)
{
    const size_t squares = (size_t)p->nx * (size_t)p->ny;
    int from[2], to[2];
    out->start = tml_arena_alloc(arena, squares + 1, sizeof *out->start);
    if (out->start == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    memset(out->start, 0, (squares + 1) * sizeof *out->start);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < n; ++k) {
            squares_of(p, box(p, k), from, to);
            for (int j = from[1]; j <= to[1]; ++j) {
                for (int i = from[0]; i <= to[0]; ++i) {
                    int *at = &out->start[(size_t)j * (size_t)p->nx + (size_t)i];
                    if (pass == 1) {
                        out->item[--*at] = k;
                    } else {
                        ++*at;
                    }
                }
            }
        }
        if (pass == 0) { // counts become ends, which the second pass moves to the starts
            for (size_t s = 1; s <= squares; ++s) {
                out->start[s] += out->start[s - 1];
            }
            out->item = tml_arena_alloc(arena, (size_t)out->start[squares] + 1, sizeof *out->item);
            if (out->item == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory");
            }
        }
    }
    return TML_OK;
}

static TmlStatus triangles_prepare(void *data, TmlArena *arena, TmlError *err)
{
    TrianglesData *p = data;
    enum { MOST = 2000 }; // squares along each side
    if (p->file == NULL) {
        TML_TRY(from_model(p, arena, err));
    }
    TML_TRY(make_triangles(p, arena, err));
    Box all = triangle_box(p, 0);
    for (int k = 1; k < p->n; ++k) {
        const Box b = triangle_box(p, k);
        all.x[0] = fmin(all.x[0], b.x[0]);
        all.x[1] = fmax(all.x[1], b.x[1]);
        all.y[0] = fmin(all.y[0], b.y[0]);
        all.y[1] = fmax(all.y[1], b.y[1]);
    }
    const double width = all.x[1] - all.x[0], depth = all.y[1] - all.y[0];
    p->x0 = all.x[0];
    p->y0 = all.y[0];
    p->size = fmax(sqrt(width * depth / p->n), fmax(width, depth) / MOST);
    p->nx = (int)ceil(width / p->size) + 1;
    p->ny = (int)ceil(depth / p->size) + 1;
    TML_TRY(fill(p, p->n, triangle_box, arena, &p->triangles, err));
    return fill(p, p->n_edges, edge_box, arena, &p->edges, err);
}

/* --- heights --------------------------------------------------------------------------------- */

static bool covers(const Triangle *t, double x, double y)
{
    const double dx = x - t->x0, dy = y - t->y0, least = -1e-12;
    const double u = (dx * t->b[1] - dy * t->b[0]) / t->det;
    const double v = (t->a[0] * dy - t->a[1] * dx) / t->det;
    return u >= least && v >= least && u + v <= 1.0 - least;
}

/* The highest triangle over a place; NULL: there is none. */
static const Triangle *triangle_at(const TrianglesData *p, double x, double y)
{
    const int square =
        square_of(y, p->y0, p->size, p->ny) * p->nx + square_of(x, p->x0, p->size, p->nx);
    const Triangle *best = NULL;
    double top = -HUGE_VAL;
    for (int k = p->triangles.start[square]; k < p->triangles.start[square + 1]; ++k) {
        const Triangle *t = &p->triangle[p->triangles.item[k]];
        const double h = t->z0 + t->hx * (x - t->x0) + t->hy * (y - t->y0);
        if (h > top && covers(t, x, y)) {
            best = t;
            top = h;
        }
    }
    return best;
}

/* The nearest point of an edge, in the plane. */
static double nearest_on(const Edge *e, double x, double y, double *part)
{
    const double dx = e->to.x - e->from.x, dy = e->to.y - e->from.y;
    const double size = dx * dx + dy * dy, way = (x - e->from.x) * dx + (y - e->from.y) * dy;
    *part = size > 0.0 ? fmin(fmax(way / size, 0.0), 1.0) : 0.0;
    return hypot(x - e->from.x - *part * dx, y - e->from.y - *part * dy);
}

/* The nearest border; NULL: there is none. */
static const Edge *border_near(const TrianglesData *p, double x, double y, double *distance,
                               double *part)
{
    const Edge *best = NULL;
    *distance = HUGE_VAL;
    for (int k = 0; k < p->n_edges; ++k) {
        double at = 0.0;
        const double d = p->edge[k].border ? nearest_on(&p->edge[k], x, y, &at) : HUGE_VAL;
        if (d < *distance) {
            best = &p->edge[k];
            *distance = d;
            *part = at;
        }
    }
    return best;
}

static void triangles_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const TrianglesData *p = data;
    const Triangle *t = triangle_at(p, x, y);
    if (t != NULL) {
        out->h = t->z0 + t->hx * (x - t->x0) + t->hy * (y - t->y0);
        out->x = t->hx;
        out->y = t->hy;
        out->friction = t->friction;
        return;
    }
    double distance, part = 0.0;
    const Edge *e = border_near(p, x, y, &distance, &part);
    out->h = e != NULL ? e->from.z + part * (e->to.z - e->from.z) : 0.0;
}

static TmlRoadBorder triangles_border(const void *data, double x, double y)
{
    const TrianglesData *p = data;
    double d, part = 0.0;
    const Edge *e = border_near(p, x, y, &d, &part);
    const bool on = triangle_at(p, x, y) != NULL;
    if (e == NULL) {
        return (TmlRoadBorder){.inside = ROAD_NO_BORDER};
    }
    // a border that another triangle reaches over is none
    const double away = 1e-6 * p->size, sign = on ? 1.0 : -1.0;
    const double bx = e->from.x + part * (e->to.x - e->from.x),
                 by = e->from.y + part * (e->to.y - e->from.y);
    const double ux = d > 0.0 ? (x - bx) / d : 0.0, uy = d > 0.0 ? (y - by) / d : 0.0;
    const bool goes_on = on && triangle_at(p, bx - away * ux, by - away * uy) != NULL;
    return (TmlRoadBorder){
        .inside = goes_on ? fmax(d, 0.5 * p->size) : sign * d, .x = sign * ux, .y = sign * uy};
}

/* Where the way crosses an edge, in parts of it; false: it does not. */
static bool crosses(const Edge *e, const double from[2], const double to[2], double *part)
{
    const double ex = e->to.x - e->from.x, ey = e->to.y - e->from.y;
    const double wx = to[0] - from[0], wy = to[1] - from[1];
    const double cross = wx * ey - wy * ex, dx = e->from.x - from[0], dy = e->from.y - from[1];
    if (!(fabs(cross) > 1e-9 * hypot(ex, ey) * hypot(wx, wy))) {
        return false;
    }
    const double way = (dx * ey - dy * ex) / cross;
    *part = (dx * wy - dy * wx) / cross;
    return way > 0.0 && way < 1.0 && *part >= 0.0 && *part <= 1.0;
}

static int triangles_edges(const void *data, const double from[2], const double to[2], int n,
                           TmlRoadEdge *out)
{
    const TrianglesData *p = data;
    const double x[2] = {from[0], to[0]}, y[2] = {from[1], to[1]};
    const Box way = box_of(2, x, y);
    int low[2], high[2], found = 0;
    squares_of(p, way, low, high);
    for (int j = low[1]; j <= high[1]; ++j) {
        for (int i = low[0]; i <= high[0]; ++i) {
            const int square = j * p->nx + i;
            for (int k = p->edges.start[square]; k < p->edges.start[square + 1] && found < n; ++k) {
                const Edge *e = &p->edge[p->edges.item[k]];
                double part;
                if (!crosses(e, from, to, &part)) {
                    continue;
                }
                const TmlVec3 d = v3_sub(e->to, e->from), at = v3_axpy(part, d, e->from);
                const bool here =
                    square_of(at.x, p->x0, p->size, p->nx) == i &&
                    square_of(at.y, p->y0, p->size, p->ny) == j; // once, not once a square
                if (here) {
                    out[found++] = (TmlRoadEdge){.at = at, .along = v3_scale(1.0 / v3_norm(d), d)};
                }
            }
        }
    }
    return found;
}

static const TmlParam triangles_params[] = {
    {"file", TML_PARAM_STRING, TML_ANY, "", offsetof(TrianglesData, file), "",
     "road data file (.rdf) with METHOD = '3D', relative to the model", NULL},
    {"nodes", TML_PARAM_POINTS, TML_ANY, "m", offsetof(TrianglesData, nodes), "",
     "instead of file: corners [x, y, z]", NULL},
    {"elements", TML_PARAM_POINTS, TML_ANY, "", offsetof(TrianglesData, elements), "",
     "with nodes: triangles [i, j, k] by the numbers of their corners, counted from 1", NULL},
    {"frictions", TML_PARAM_REALS, TML_ANY, "", offsetof(TrianglesData, frictions), "",
     "with elements: factor of the coefficients of friction on each; 1 without it", NULL},
    {0},
};

extern const TmlRoadType tml_road_triangles;
const TmlRoadType tml_road_triangles = {
    .info = {.name = "triangles",
             .text = "Triangles, in the model or from a road data file (.rdf).",
             .data_size = sizeof(TrianglesData),
             .params = triangles_params},
    .read_file = triangles_file,
    .check = triangles_check,
    .prepare = triangles_prepare,
    .at = triangles_at,
    .border = triangles_border,
    .edges = triangles_edges,
};
