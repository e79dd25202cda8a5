/* model/path/path.c - smooth curves through points.
 *
 * With h_k the chords and M_k the second derivatives at the points, continuity of the slopes is
 *
 *   (W1)  h_{k-1} M_{k-1} + 2 (h_{k-1} + h_k) M_k + h_k M_{k+1} = 6 (v_k - v_{k-1}),
 *         v_k = (r_{k+1} - r_k) / h_k
 *
 * with M = 0 at open ends. A closed curve has all indices modulo n: the two corners of its matrix
 * are a product of two vectors, which Sherman's and Morrison's formula takes away.
 */
#include "model/path/path.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Solve a tridiagonal system for three components; upper is overwritten. */
static void solve_tridiagonal(int n, const double *lower, const double *diagonal, double *upper,
                              TmlVec3 *x)
{
    double pivot = diagonal[0];
    x[0] = v3_scale(1.0 / pivot, x[0]);
    for (int k = 1; k < n; ++k) {
        upper[k - 1] /= pivot;
        pivot = diagonal[k] - lower[k] * upper[k - 1];
        x[k] = v3_scale(1.0 / pivot, v3_axpy(-lower[k], x[k - 1], x[k]));
    }
    for (int k = n - 2; k >= 0; --k) {
        x[k] = v3_axpy(-upper[k], x[k + 1], x[k]);
    }
}

typedef struct Work {
    double *h, *lower, *diagonal, *upper, *again; // chords and a matrix
    TmlVec3 *M, *corner;                          // second derivatives; of the corners
} Work;

/* (W1) of point k between the chords before and behind it. */
static void fill_row(const TmlVec3 *point, int n, int k, Work *w)
{
    const int before = (k + n - 1) % n, behind = (k + 1) % n;
    const double a = w->h[before], b = w->h[k];
    const TmlVec3 v = v3_scale(1.0 / b, v3_sub(point[behind], point[k]));
    const TmlVec3 u = v3_scale(1.0 / a, v3_sub(point[k], point[before]));
    w->lower[k] = a;
    w->diagonal[k] = 2.0 * (a + b);
    w->upper[k] = b;
    w->M[k] = v3_scale(6.0, v3_sub(v, u));
}

static void bend_open(const TmlVec3 *point, int n, Work *w)
{
    for (int k = 1; k + 1 < n; ++k) {
        fill_row(point, n, k, w);
    }
    w->M[0] = w->M[n - 1] = v3(0, 0, 0);
    if (n > 2) {
        solve_tridiagonal(n - 2, w->lower + 1, w->diagonal + 1, w->upper + 1, w->M + 1);
    }
}

static void bend_closed(const TmlVec3 *point, int n, Work *w)
{
    for (int k = 0; k < n; ++k) {
        fill_row(point, n, k, w);
        w->corner[k] = v3(0, 0, 0);
    }
    // the matrix is T + u v^T with u = (g, 0, .., c), v = (1, 0, .., b/g)
    const double corner = w->h[n - 1], g = -w->diagonal[0];
    w->diagonal[0] -= g;
    w->diagonal[n - 1] -= corner * corner / g;
    w->corner[0].x = g;
    w->corner[n - 1].x = corner;
    for (int k = 0; k < n; ++k) {
        w->again[k] = w->upper[k];
    }
    solve_tridiagonal(n, w->lower, w->diagonal, w->upper, w->M);
    solve_tridiagonal(n, w->lower, w->diagonal, w->again, w->corner);
    const double vz = 1.0 + w->corner[0].x + corner / g * w->corner[n - 1].x;
    const TmlVec3 vy = v3_axpy(corner / g, w->M[n - 1], w->M[0]);
    for (int k = 0; k < n; ++k) {
        w->M[k] = v3_axpy(-w->corner[k].x / vz, vy, w->M[k]);
    }
}

/* Twice the area that the points enclose, as a vector. */
TmlVec3 tml_path_plane(int n, const TmlVec3 *point)
{
    TmlVec3 area = {0}, middle = {0};
    double size = 0.0;
    for (int k = 0; k < n; ++k) {
        middle = v3_axpy(1.0 / n, point[k], middle);
    }
    for (int k = 0; k < n; ++k) {
        const TmlVec3 a = v3_sub(point[k], middle), b = v3_sub(point[(k + 1) % n], middle);
        area = v3_add(area, v3_cross(a, b));
        size += v3_norm(a) * v3_norm(b);
    }
    // 1e-9: what points of ten digits on a line leave
    return v3_norm(area) > 1e-9 * size ? v3_unit(area) : v3(0, 0, 0);
}

static void fill_pieces(TmlPath *p, int n, const TmlVec3 *point, const Work *w, double *knot)
{
    for (int k = 0; k < p->n; ++k) {
        const TmlVec3 a = point[k], b = point[(k + 1) % n], M = w->M[k], N = w->M[(k + 1) % n];
        const double h = w->h[k];
        TmlVec3 *c = p->c + (ptrdiff_t)TML_PATH_ORDER * k;
        knot[k + 1] = knot[k] + h;
        c[0] = a;
        c[1] = v3_axpy(-h / 6.0, v3_axpy(2.0, M, N), v3_scale(1.0 / h, v3_sub(b, a)));
        c[2] = v3_scale(0.5, M);
        c[3] = v3_scale(1.0 / (6.0 * h), v3_sub(N, M));
    }
}

static TmlStatus fill_cubic(const TmlPathPoints *points, Work *w, TmlPath *p, double *knot,
                            TmlArena *arena, TmlError *err)
{
    const int n = points->n;
    TML_NEW(arena, w->lower, n);
    TML_NEW(arena, w->diagonal, n);
    TML_NEW(arena, w->upper, n);
    TML_NEW(arena, w->again, n);
    TML_NEW(arena, w->M, n);
    TML_NEW(arena, w->corner, n);
    if (points->closed) {
        bend_closed(points->point, n, w);
    } else {
        bend_open(points->point, n, w);
    }
    fill_pieces(p, n, points->point, w, knot);
    return TML_OK;
}

static TmlStatus check_points(const TmlPathPoints *points, TmlError *err)
{
    const bool natural = points->order == TML_PATH_ORDER && !points->control;
    const int ends = points->closed ? 3 : 2;
    const int least = points->closed || natural || points->order < ends ? ends : points->order;
    if (points->order < 2 || points->order > TML_PATH_MAX_ORDER) {
        return tml_fail(err, TML_E_MODEL, "the order of a path is %d, expected 2 to %d",
                        points->order, TML_PATH_MAX_ORDER);
    }
    if (points->n < least) {
        return tml_fail(err, TML_E_MODEL, "a path needs at least %d points, there are %d", least,
                        points->n);
    }
    return TML_OK;
}

TmlStatus tml_path_create(const TmlPathPoints *points, TmlArena *arena, TmlPath **out,
                          TmlError *err)
{
    const int n = points->n, order = points->order;
    TmlPath *p = NULL;
    Work w;
    double *knot;
    *out = NULL;
    TML_TRY(check_points(points, err));
    TML_NEW(arena, p, 1);
    p->closed = points->closed;
    p->order = order;
    p->n = p->closed ? n : points->control ? n - order + 1 : n - 1;
    TML_NEW(arena, p->c, (size_t)n * (size_t)order);
    TML_NEW(arena, knot, n + 1);
    TML_NEW(arena, w.h, n);
    for (int k = 0; k < n; ++k) {
        w.h[k] = v3_norm(v3_sub(points->point[(k + 1) % n], points->point[k]));
        if (!(w.h[k] > 0.0) && (p->closed || k < n - 1)) {
            return tml_fail(err, TML_E_MODEL, "points %d and %d of the path are the same", k + 1,
                            (k + 1) % n + 1);
        }
    }
    if (order == TML_PATH_ORDER && !points->control) {
        TML_TRY(fill_cubic(points, &w, p, knot, arena, err));
    } else {
        TML_TRY(tml_path_fill_bspline(points, w.h, p, knot, err));
    }
    p->knot = knot;
    p->length = knot[p->n];
    p->normal = tml_path_plane(n, points->point);
    *out = p;
    return TML_OK;
}

/* The piece that holds s, by halving. */
static int piece_of(const TmlPath *p, double s)
{
    int low = 0, high = p->n - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (p->knot[middle] <= s) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static void piece_at(const TmlPath *p, double s, int order, TmlVec3 *d)
{
    const int k = piece_of(p, s);
    const TmlVec3 *c = p->c + (ptrdiff_t)p->order * k;
    const double x = s - p->knot[k];
    for (int m = 0; m <= order; ++m) {
        d[m] = v3(0, 0, 0);
        for (int i = p->order - 1; i >= m; --i) { // i (i - 1) .. (i - m + 1) x^(i - m)
            double factor = 1.0;
            for (int f = 0; f < m; ++f) {
                factor *= i - f;
            }
            d[m] = v3_axpy(factor, c[i], v3_scale(x, d[m]));
        }
    }
}

void tml_path_derivatives(const TmlPath *p, double s, int order, TmlVec3 *d)
{
    if (p->closed) {
        s -= p->length * floor(s / p->length);
    }
    const double inside = fmax(0.0, fmin(p->length, s));
    const int needed = s != inside && order == 0 ? 1 : order;
    TmlVec3 out[TML_PATH_HIGHEST + 1];
    if (p->function[0] != NULL) {
        tml_path_function_at(p, inside, needed, out);
    } else {
        piece_at(p, inside, needed, out);
    }
    if (s != inside) { // straight on behind open ends
        out[0] = v3_axpy(s - inside, out[1], out[0]);
        for (int m = 2; m <= order; ++m) {
            out[m] = v3(0, 0, 0);
        }
    }
    memcpy(d, out, (size_t)(order + 1) * sizeof *d);
}

void tml_path_at(const TmlPath *p, double s, TmlVec3 d[TML_PATH_DERIVATIVES + 1])
{
    const bool functions = p->function[0] != NULL;
    d[TML_PATH_DERIVATIVES] = v3(0, 0, 0);
    tml_path_derivatives(p, s, TML_PATH_DERIVATIVES - (functions ? 1 : 0), d);
}

double tml_path_nearest(const TmlPath *p, TmlVec3 r)
{
    enum { EACH = 8, ITERATIONS = 20 };
    TmlVec3 d[TML_PATH_DERIVATIVES + 1];
    double best = 0.0, least = HUGE_VAL;
    for (int k = 0; k < EACH * p->n + 1; ++k) {
        const int piece = k / EACH < p->n ? k / EACH : p->n - 1;
        const double h = p->knot[piece + 1] - p->knot[piece];
        const double s = p->knot[piece] + h * (k - piece * EACH) / EACH;
        tml_path_at(p, s, d);
        const double off = v3_norm(v3_sub(d[0], r));
        if (off < least) {
            least = off;
            best = s;
        }
    }
    const double sampled = best;
    // towards where the distance is across the path
    for (int k = 0; k < ITERATIONS; ++k) {
        tml_path_at(p, best, d);
        const TmlVec3 off = v3_sub(d[0], r);
        const double slope = v3_dot(d[1], d[1]) + v3_dot(off, d[2]);
        const double move = v3_dot(off, d[1]) / (slope > 0.0 ? slope : v3_dot(d[1], d[1]));
        best -= move;
        if (fabs(move) <= 1e-15 * p->length) {
            break;
        }
    }
    tml_path_at(p, best, d);
    return v3_norm(v3_sub(d[0], r)) <= least ? best : sampled; // corners may throw it about
}
