/* model/path/path_spline.c - paths that are B-splines: of any order, through points or by control
 * points.
 *
 * Knots t_i, order k, control points P_i; the basis function i is not zero on (t_i, t_{i+k}).
 *
 *   (S1)  open, through points at the chord lengths u_i:  t_{i+k} = mean of u_{i+1} .. u_{i+k-1},
 *         k times u_0 and u_{n-1} at the ends                       [de Boor; knots by averages]
 *   (S2)  closed, through points:  t_{i+k-1} = u_i, midway between the points where k is odd
 *   (S3)  control points:  equal knots, of which open ones have k at the ends
 *   (S4)  derivative m:  P^m_i = (k - m) (P^{m-1}_i - P^{m-1}_{i-1}) / (t_{i+k-m} - t_i)
 */
#include "model/path/path.h"

#include "math/vec3.h"

#include <math.h>

enum { MAX_POINTS = 1000 }; // of one dense matrix: a second of work at most

typedef struct Spline {
    int k, n, n_control; // order, given points, control points with those that are repeated
    double *t;           // n_control + k
    TmlVec3 *P;          // n_control
    TmlArena arena;
} Spline;

/* Values at u of the k basis functions that are not zero in [t_s, t_{s+1}], the last is number s.
 */
static void basis_at(const Spline *b, int s, double u, double *B)
{
    B[0] = 1.0;
    for (int k = 1; k < b->k; ++k) {
        double carry = 0.0;
        for (int i = 0; i < k; ++i) {
            const double right = b->t[s + 1 + i], left = b->t[s + 1 + i - k];
            const double part = B[i] / (right - left);
            B[i] = carry + (right - u) * part;
            carry = (u - left) * part;
        }
        B[k] = carry;
    }
}

/* The interval that holds u, among those from k - 1 on. */
static int span_of(const Spline *b, double u)
{
    int s = b->k - 1;
    while (s < b->n_control - 1 && b->t[s + 1] <= u) {
        ++s;
    }
    return s;
}

/* Gauss's elimination with row exchanges; false: singular. */
static bool solve_dense(int n, double *A, TmlVec3 *x)
{
    for (int c = 0; c < n; ++c) {
        int best = c;
        for (int r = c + 1; r < n; ++r) {
            best = fabs(A[r * n + c]) > fabs(A[best * n + c]) ? r : best;
        }
        if (!(fabs(A[best * n + c]) > 1e-13)) { // rows sum up to 1
            return false;
        }
        for (int k = c; k < n && best != c; ++k) {
            const double swap = A[c * n + k];
            A[c * n + k] = A[best * n + k];
            A[best * n + k] = swap;
        }
        const TmlVec3 top = x[best];
        x[best] = x[c];
        x[c] = top;
        for (int r = c + 1; r < n; ++r) {
            const double f = A[r * n + c] / A[c * n + c];
            for (int k = c; k < n && f != 0.0; ++k) {
                A[r * n + k] -= f * A[c * n + k];
            }
            x[r] = v3_axpy(-f, top, x[r]);
        }
    }
    for (int c = n - 1; c >= 0; --c) {
        for (int k = c + 1; k < n; ++k) {
            x[c] = v3_axpy(-A[c * n + k], x[k], x[c]);
        }
        x[c] = v3_scale(1.0 / A[c * n + c], x[c]);
    }
    return true;
}

/* Chord length up to point i of a closed polygon, any i. */
static double place_of(const double *u, int n, int i)
{
    const int turn = i >= 0 ? i / n : -((n - 1 - i) / n);
    return u[i - turn * n] + turn * u[n];
}

static void set_knots(Spline *b, const TmlPathPoints *points, const double *u)
{
    const int k = b->k, n = b->n;
    for (int i = 0; i < b->n_control + k; ++i) {
        if (points->control) { // (S3)
            b->t[i] = points->closed ? i : fmin(fmax(i - k + 1, 0), n - k + 1);
        } else if (points->closed) { // (S2)
            const double at = place_of(u, n, i - k + 1);
            b->t[i] = k % 2 == 0 ? at : 0.5 * (at + place_of(u, n, i - k));
        } else { // (S1)
            double sum = 0.0;
            for (int m = i - k + 1; m < i; ++m) {
                sum += u[m < 0 ? 0 : m > n - 1 ? n - 1 : m] / (k - 1);
            }
            b->t[i] = i < k ? 0.0 : i >= n ? u[n - 1] : sum;
        }
    }
}

/* Control points in place of the points that the spline goes through. */
static TmlStatus interpolate(Spline *b, const double *u, TmlError *err)
{
    const int n = b->n;
    double *A, B[TML_PATH_MAX_ORDER];
    if (n > MAX_POINTS) {
        return tml_fail(
            err, TML_E_MODEL,
            "a path of order %d has at most %d points, there are %d (order 2 and 4: any "
            "number)",
            b->k, MAX_POINTS, n);
    }
    TML_NEW(&b->arena, A, (size_t)n * (size_t)n);
    for (int i = 0; i < n; ++i) {
        const int s = span_of(b, u[i]);
        basis_at(b, s, u[i], B);
        for (int m = 0; m < b->k; ++m) {
            A[i * n + (s - b->k + 1 + m) % n] += B[m];
        }
    }
    if (!solve_dense(n, A, b->P)) {
        return tml_fail(err, TML_E_MODEL, "no path of order %d goes through these points", b->k);
    }
    return TML_OK;
}

/* Coefficients of the polynomial in [t_s, t_{s+1}], by (S4) at its left end. */
static void piece_of(const Spline *b, int s, TmlVec3 *c)
{
    TmlVec3 P[TML_PATH_MAX_ORDER];
    double B[TML_PATH_MAX_ORDER], factorial = 1.0;
    for (int i = 0; i < b->k; ++i) {
        P[i] = b->P[s - b->k + 1 + i];
    }
    for (int m = 0; m < b->k; ++m) {
        const Spline lower = {.k = b->k - m, .t = b->t}; // its functions end with number s too
        basis_at(&lower, s, b->t[s], B);
        c[m] = v3(0, 0, 0);
        for (int i = 0; i < b->k - m; ++i) {
            c[m] = v3_axpy(B[i] / factorial, P[i + m], c[m]);
        }
        factorial *= m + 1;
        for (int i = b->k - 1; i > m; --i) {
            const int at = s - b->k + 1 + i;
            const double step = b->t[at + b->k - m - 1] - b->t[at];
            P[i] = v3_scale((b->k - m - 1) / step, v3_sub(P[i], P[i - 1]));
        }
    }
}

static TmlStatus fill(Spline *b, const TmlPathPoints *points, const double *u, TmlPath *p,
                      double *knot, TmlError *err)
{
    const int k = b->k, n = b->n;
    TML_NEW(&b->arena, b->t, b->n_control + k);
    TML_NEW(&b->arena, b->P, b->n_control);
    set_knots(b, points, u);
    // equal knots are as far apart as makes the whole as long as the polygon
    const double scale = points->control ? u[points->closed ? n : n - 1] / p->n : 1.0;
    for (int i = 0; i < b->n_control + k; ++i) {
        b->t[i] *= scale;
    }
    for (int i = 0; i < n; ++i) {
        b->P[i] = points->point[i];
    }
    if (!points->control && k > 2) { // a polygon is its own control polygon
        TML_TRY(interpolate(b, u, err));
    }
    for (int i = n; i < b->n_control; ++i) {
        b->P[i] = b->P[i % n];
    }
    p->n = 0;
    for (int s = k - 1; s < b->n_control; ++s) {
        if (b->t[s + 1] > b->t[s]) {
            piece_of(b, s, p->c + (ptrdiff_t)k * p->n);
            knot[p->n++] = b->t[s] - b->t[k - 1];
        }
    }
    knot[p->n] = b->t[b->n_control] - b->t[k - 1];
    return TML_OK;
}

TmlStatus tml_path_fill_bspline(const TmlPathPoints *points, const double *chord, TmlPath *p,
                                double *knot, TmlError *err)
{
    const int n = points->n, k = points->order;
    Spline b = {.k = k, .n = n, .n_control = points->closed ? n + k - 1 : n};
    double *u = tml_arena_alloc(&b.arena, (size_t)n + 1, sizeof *u);
    TmlStatus status = u != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int i = 0; i < n && status == TML_OK; ++i) {
        u[i + 1] = u[i] + chord[i];
    }
    status = status == TML_OK ? fill(&b, points, u, p, knot, err) : status;
    tml_arena_free(&b.arena);
    return status;
}
