/* model/contact/shape/mesh/tessellate.c - triangles of extrusions, revolutions and height fields.
 *
 * Spheres, and pins along the axis, meet these shapes as they are. For all others they are meshes: what a mesh
 * touches, they touch. A chord of a 64th of a turn is off its arc by 1.2e-3 of the radius.
 */
#include "model/contact/shape/mesh/tessellate.h"
#include "base/fail.h"
#include "math/vec3.h"

enum { TURN = 64 };
static const double two_pi = 6.283185307179586;

/* --- the curve --------------------------------------------------------------------------------- */

static double sweep_of(const TmlProfilePiece *p)
{
    const double a = atan2(p->a.y - p->c.y, p->a.x - p->c.x);
    const double b = atan2(p->b.y - p->c.y, p->b.x - p->c.x);
    const double sweep = p->side * (b - a);
    return sweep > 0.0 ? sweep : sweep + two_pi;
}

static int chords_of(const TmlProfilePiece *p)
{
    // two at least: a line and an arc enclose something
    return p->radius > 0.0 ? (int)fmax(2.0, ceil(sweep_of(p) / (two_pi / TURN) - 1e-9)) : 1;
}

/* Points of the whole curve, each piece without its end. */
static TmlStatus points_of(const TmlProfile *profile, const TmlShapeSetup *setup, TmlVec2 **out,
                           int *count, TmlError *err)
{
    int n = 0;
    for (int k = 0; k < profile->n; ++k) {
        n += chords_of(&profile->piece[k]);
    }
    TML_TAKE(setup, *out, n);
    *count = 0;
    for (int k = 0; k < profile->n; ++k) {
        const TmlProfilePiece *p = &profile->piece[k];
        const int chords = chords_of(p);
        const double start = atan2(p->a.y - p->c.y, p->a.x - p->c.x);
        for (int i = 0; i < chords; ++i) {
            const double angle = start + p->side * sweep_of(p) * i / chords;
            (*out)[(*count)++] = i == 0 ? p->a
                                        : (TmlVec2){p->c.x + p->radius * cos(angle),
                                                    p->c.y + p->radius * sin(angle)};
        }
    }
    return TML_OK;
}

static double turn_of(TmlVec2 a, TmlVec2 b, TmlVec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool is_in(TmlVec2 a, TmlVec2 b, TmlVec2 c, TmlVec2 x)
{
    return turn_of(a, b, x) >= 0.0 && turn_of(b, c, x) >= 0.0 && turn_of(c, a, x) >= 0.0;
}

/* Whether the corner at `next[at]`-chain place `b` between a and c can be cut off: no other corner is in it. */
static bool is_ear(const TmlVec2 *x, const int *next, int a, int b, int c, double least)
{
    if (!(turn_of(x[a], x[b], x[c]) > least)) {
        return false;
    }
    for (int k = next[c]; k != a; k = next[k]) {
        const bool same = (x[k].x == x[a].x && x[k].y == x[a].y) ||
                          (x[k].x == x[b].x && x[k].y == x[b].y) ||
                          (x[k].x == x[c].x && x[k].y == x[c].y);
        if (!same && is_in(x[a], x[b], x[c], x[k])) {
            return false;
        }
    }
    return true;
}

/* n - 2 triangles of a simple polygon, by cutting off ears. */
static TmlStatus cut_ears(const TmlVec2 *x, int n, const TmlShapeSetup *setup, int (**out)[3],
                          TmlError *err)
{
    int *next, done = 0, at = 0;
    double size = 0.0;
    TML_TAKE(setup, next, n);
    TML_TAKE(setup, *out, n - 2);
    for (int k = 0; k < n; ++k) {
        next[k] = (k + 1) % n;
        size = fmax(size, fabs(x[k].x - x[0].x) + fabs(x[k].y - x[0].y));
    }
    for (int left = n, tried = 0; left > 3; ++tried) {
        const int b = next[at], c = next[b];
        if (tried > left) {
            return tml_fail(err, TML_E_MODEL, "the curve crosses itself near (%g, %g)", x[at].x,
                            x[at].y);
        }
        if (is_ear(x, next, at, b, c, 1e-10 * size * size)) {
            (*out)[done][0] = at;
            (*out)[done][1] = b;
            (*out)[done++][2] = c;
            next[at] = c;
            --left;
            tried = 0;
        }
        at = next[at];
    }
    (*out)[done][0] = at;
    (*out)[done][1] = next[at];
    (*out)[done][2] = next[next[at]];
    return TML_OK;
}

/* --- solids ------------------------------------------------------------------------------------ */

static void put(TmlMeshTriangles *t, int a, int b, int c)
{
    int *to = t->triangle[t->n_triangles++];
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static TmlStatus finish(const TmlMeshTriangles *t, const TmlShapeSetup *setup,
                        const TmlMeshSolid **out, TmlError *err)
{
    TmlMeshSolid *solid;
    TML_TAKE(setup, solid, 1);
    *out = solid;
    return tml_mesh_solid(t, setup, solid, err);
}

TmlStatus tml_extruded_mesh(const TmlProfile *profile, double thickness, const TmlShapeSetup *setup,
                            const TmlMeshSolid **out, TmlError *err)
{
    TmlVec2 *x;
    int n, (*ear)[3] = NULL;
    TmlMeshTriangles t = {0};
    TML_TRY(points_of(profile, setup, &x, &n, err));
    TML_TRY(cut_ears(x, n, setup, &ear, err));
    t.n_corners = 2 * n;
    TML_TAKE(setup, t.corner, 2 * n);
    TML_TAKE(setup, t.triangle, 4 * n - 4);
    for (int k = 0; k < n; ++k) {
        const int after = (k + 1) % n;
        t.corner[k] = v3(x[k].x, x[k].y, -0.5 * thickness);
        t.corner[n + k] = v3(x[k].x, x[k].y, 0.5 * thickness);
        put(&t, k, after, n + after);
        put(&t, k, n + after, n + k);
    }
    for (int k = 0; k < n - 2; ++k) {
        put(&t, n + ear[k][0], n + ear[k][1], n + ear[k][2]);
        put(&t, ear[k][0], ear[k][2], ear[k][1]);
    }
    return finish(&t, setup, out, err);
}

/* The corner of point k of the curve at a place of the turn; points on the axis have one. */
static int around(const TmlVec2 *x, const int *first, int k, int place)
{
    return x[k].x > 0.0 ? first[k] + place % TURN : first[k];
}

TmlStatus tml_revolved_mesh(const TmlProfile *profile, const TmlShapeSetup *setup,
                            const TmlMeshSolid **out, TmlError *err)
{
    TmlVec2 *x;
    int n, *first;
    TmlMeshTriangles t = {0};
    TML_TRY(points_of(profile, setup, &x, &n, err));
    TML_TAKE(setup, first, n);
    TML_TAKE(setup, t.corner, n * TURN);
    TML_TAKE(setup, t.triangle, 2 * n * TURN);
    for (int k = 0; k < n; ++k) {
        const int places = x[k].x > 0.0 ? TURN : 1;
        first[k] = t.n_corners;
        for (int j = 0; j < places; ++j) {
            const double angle = two_pi * j / TURN;
            t.corner[t.n_corners++] = v3(x[k].x * cos(angle), x[k].x * sin(angle), x[k].y);
        }
    }
    for (int k = 0; k < n; ++k) {
        const int after = (k + 1) % n;
        for (int j = 0; j < TURN && (x[k].x > 0.0 || x[after].x > 0.0); ++j) {
            const int a = around(x, first, k, j), c = around(x, first, k, j + 1);
            const int b = around(x, first, after, j), d = around(x, first, after, j + 1);
            if (b != d) {
                put(&t, a, d, b);
            }
            if (a != c) {
                put(&t, a, c, d);
            }
        }
    }
    return finish(&t, setup, out, err);
}

/* Corner number k of the way round the grid, counterclockwise from above. */
static int rim_corner(int columns, int rows, int k)
{
    const int w = columns - 1, h = rows - 1;
    const int column = k < w ? k : k < w + h ? w : k < 2 * w + h ? 2 * w + h - k : 0;
    const int row = k < w ? 0 : k < w + h ? k - w : k < 2 * w + h ? h : 2 * (w + h) - k;
    return row * columns + column;
}

TmlStatus tml_field_mesh(const double *heights, int columns, int rows, double dx, double dy,
                         const TmlShapeSetup *setup, const TmlMeshSolid **out, TmlError *err)
{
    const int rim = 2 * (columns - 1) + 2 * (rows - 1), n = columns * rows;
    const double wide = (columns - 1) * dx, deep = (rows - 1) * dy;
    TmlMeshTriangles t = {.n_corners = n + rim + 1};
    double low = heights[0];
    TML_TAKE(setup, t.corner, n + rim + 1);
    TML_TAKE(setup, t.triangle, 2 * (columns - 1) * (rows - 1) + 3 * rim);
    for (int k = 0; k < n; ++k) {
        const int row = k / columns, column = k % columns;
        t.corner[k] = v3(column * dx, row * dy, heights[k]);
        low = fmin(low, heights[k]);
    }
    for (int k = 0; k < (columns - 1) * (rows - 1); ++k) {
        const int a = k / (columns - 1) * columns + k % (columns - 1), b = a + columns;
        put(&t, a, a + 1, b + 1);
        put(&t, a, b + 1, b);
    }
    t.corner[n + rim] = v3(0.5 * wide, 0.5 * deep, low - fmax(wide, deep));
    for (int k = 0; k < rim; ++k) {
        const int top = rim_corner(columns, rows, k),
                  after = rim_corner(columns, rows, (k + 1) % rim);
        const int below = n + k, beside = n + (k + 1) % rim;
        t.corner[below] = v3(t.corner[top].x, t.corner[top].y, t.corner[n + rim].z);
        put(&t, below, beside, after);
        put(&t, below, after, top);
        put(&t, n + rim, beside, below);
    }
    return finish(&t, setup, out, err);
}
