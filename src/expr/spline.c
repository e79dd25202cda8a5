/* expr/spline.c - natural cubic, Akima and linear interpolation of a table.
 *
 * Every rule is a piecewise cubic with value y_i, slope m_i, and on piece i, with s = x - x_i,
 * h_i = x_{i+1} - x_i and the chord d_i = (y_{i+1} - y_i) / h_i,
 *
 *   (S1)  p = y_i + m_i s + c s^2 + e s^3
 *   (S2)  c = (3 d_i - 2 m_i - m_{i+1}) / h_i,   e = (m_i + m_{i+1} - 2 d_i) / h_i^2
 *
 * Natural cubic: second derivatives continuous, zero at both ends, which gives for the slopes
 *
 *   (S3)  2 m_0 + m_1 = 3 d_0,   m_{n-2} + 2 m_{n-1} = 3 d_{n-2}
 *   (S4)  h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1} = 3 (h_i d_{i-1} + h_{i-1} d_i)
 *
 * Akima (1970): with two chords added at each end by d_{-1} = 2 d_0 - d_1, d_{-2} = 2 d_{-1} - d_0,
 *
 *   (S5)  m_i = (w_1 d_{i-1} + w_2 d_i) / (w_1 + w_2),
 *         w_1 = |d_{i+1} - d_i|,  w_2 = |d_{i-1} - d_{i-2}|;  the mean when both are zero
 *
 * Linear: c = e = 0 and the slope of a piece is its chord. Beyond the ends there are two more
 * pieces: the tangent, the last value, or the parabola through three points, here at the first,
 *
 *   (S6)  c = (d_1 - d_0) / (h_0 + h_1),  m = d_0 - c h_0
 *
 * The integral from x_0 to each knot is stored.
 */
#include "expr/spline.h"

#include <math.h>

enum { N_KINDS = 3, MIN_POINTS_SMOOTH = 4, MIN_POINTS_LINEAR = 2 };

typedef struct Piece {
    double y, m, c, e; // (S1)
    double area;       // integral from the first knot to the start of the piece
} Piece;

struct TmlSpline {
    TmlSplineKind kind;
    int n;
    int smooth;             // continuous derivatives
    const double *x;        // n, shared by all kinds of the table
    const Piece *piece;     // n - 1
    Piece before, behind;   // beyond the ends, by x - x_0 and x - x_{n-1}
    TmlSpline *as[N_KINDS]; // the same table by other rules; NULL: too few points
    TmlSplineSource source; // in place of pieces; eval NULL: none
};

/* Slopes of the natural cubic by elimination without pivoting (the matrix is diagonally
 * dominant). r: n numbers of work. */
static void slopes_cubic(int n, const double *h, const double *d, double *m, double *r)
{
    r[0] = 0.5;        // upper neighbour after elimination
    m[0] = 1.5 * d[0]; // (S3)
    for (int i = 1; i < n - 1; ++i) {
        const double pivot = 2.0 * (h[i - 1] + h[i]) - h[i] * r[i - 1];
        r[i] = h[i - 1] / pivot;
        m[i] = (3.0 * (h[i] * d[i - 1] + h[i - 1] * d[i]) - h[i] * m[i - 1]) / pivot; // (S4)
    }
    m[n - 1] = (3.0 * d[n - 2] - m[n - 2]) / (2.0 - r[n - 2]); // (S3)
    for (int i = n - 2; i >= 0; --i) {
        m[i] -= r[i] * m[i + 1];
    }
}

/* Chord k of the extended table, k from -2 to n. */
static double chord(int n, const double *d, int k)
{
    const int last = n - 2;
    if (k < 0) {
        return (double)(1 - k) * d[0] + (double)k * d[1];
    }
    if (k > last) {
        return (double)(1 + k - last) * d[last] - (double)(k - last) * d[last - 1];
    }
    return d[k];
}

static void slopes_akima(int n, const double *d, double *m)
{
    for (int i = 0; i < n; ++i) {
        const double before = chord(n, d, i - 1), after = chord(n, d, i);
        const double w1 = fabs(chord(n, d, i + 1) - after);
        const double w2 = fabs(before - chord(n, d, i - 2));
        m[i] = w1 + w2 > 0.0 ? (w1 * before + w2 * after) / (w1 + w2) : 0.5 * (before + after);
    } // (S5)
}

static double piece_area(const Piece *p, double s)
{
    return s * (p->y + s * (p->m / 2.0 + s * (p->c / 3.0 + s * p->e / 4.0)));
}

/* m NULL: linear. */
static void fill_pieces(TmlSpline *spline, Piece *piece, const double *y, const double *h,
                        const double *d, const double *m)
{
    const int n = spline->n;
    double area = 0.0;
    for (int i = 0; i < n - 1; ++i) {
        Piece *p = &piece[i];
        *p = (Piece){.y = y[i], .m = d[i], .area = area};
        if (m != NULL) { // (S2)
            p->m = m[i];
            p->c = (3.0 * d[i] - 2.0 * m[i] - m[i + 1]) / h[i];
            p->e = (m[i] + m[i + 1] - 2.0 * d[i]) / (h[i] * h[i]);
        }
        area += piece_area(p, h[i]);
    }
    spline->piece = piece;
}

/* Value and slope at the end of piece k, and its area, as a straight piece. */
static Piece piece_end(const TmlSpline *spline, int k)
{
    const Piece *p = &spline->piece[k];
    const double s = spline->x[k + 1] - spline->x[k];
    return (Piece){.y = p->y + s * (p->m + s * (p->c + s * p->e)),
                   .m = p->m + s * (2.0 * p->c + 3.0 * s * p->e),
                   .area = p->area + piece_area(p, s)};
}

/* (S6) at the first of three points; h and d: to the second, and on to the third. */
static void set_parabola(Piece *p, double h0, double d0, double h1, double d1)
{
    p->c = (d1 - d0) / (h0 + h1);
    p->m = d0 - p->c * h0;
}

static void set_ends(TmlSpline *spline, TmlSplineEnds ends)
{
    const int n = spline->n;
    const double *x = spline->x;
    spline->before = (Piece){.y = spline->piece[0].y, .m = spline->piece[0].m};
    spline->behind = piece_end(spline, n - 2);
    if (ends == TML_SPLINE_CONSTANT) {
        spline->before.m = spline->behind.m = 0.0;
    } else if (ends == TML_SPLINE_PARABOLA && n > 2) {
        const double first[3] = {spline->piece[0].y, spline->piece[1].y, piece_end(spline, 1).y};
        const double last[3] = {spline->behind.y, spline->piece[n - 2].y, spline->piece[n - 3].y};
        const double h0 = x[1] - x[0], h1 = x[2] - x[1];
        const double g0 = x[n - 2] - x[n - 1], g1 = x[n - 3] - x[n - 2]; // backwards
        set_parabola(&spline->before, h0, (first[1] - first[0]) / h0, h1,
                     (first[2] - first[1]) / h1);
        set_parabola(&spline->behind, g0, (last[1] - last[0]) / g0, g1, (last[2] - last[1]) / g1);
    }
}

void tml_spline_set_ends(TmlSpline *spline, TmlSplineEnds ends)
{
    for (int k = 0; k < N_KINDS; ++k) {
        if (spline->as[k] != NULL) {
            set_ends(spline->as[k], ends);
        }
    }
}

static TmlStatus check_table(TmlSplineKind kind, int n, const double *x, const double *y,
                             TmlError *err)
{
    const int least = kind == TML_SPLINE_LINEAR ? MIN_POINTS_LINEAR : MIN_POINTS_SMOOTH;
    if (n < least) {
        return tml_fail(err, TML_E_MODEL, "a spline of this type needs at least %d points, got %d",
                        least, n);
    }
    for (int i = 0; i < n; ++i) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            return tml_fail(err, TML_E_MODEL, "spline point %d is not finite: (%g, %g)", i + 1,
                            x[i], y[i]);
        }
        if (i > 0 && !(x[i] > x[i - 1])) {
            return tml_fail(err, TML_E_MODEL,
                            "spline x must increase: point %d has %.9g after %.9g", i + 1, x[i],
                            x[i - 1]);
        }
    }
    return TML_OK;
}

TmlStatus tml_spline_create(TmlSplineKind kind, int n, const double *x, const double *y,
                            TmlArena *arena, TmlSpline **out, TmlError *err)
{
    static const int continuous[] = {
        [TML_SPLINE_CUBIC] = 2, [TML_SPLINE_AKIMA] = 1, [TML_SPLINE_LINEAR] = 0};
    *out = NULL;
    TML_TRY(check_table(kind, n, x, y, err));

    // all rules at once: cubspl and akispl may ask for any of them later
    TmlSpline *all;
    Piece *piece;
    double *knot, *h, *d, *m, *r;
    TML_NEW(arena, all, N_KINDS);
    TML_NEW(arena, piece, (size_t)n * N_KINDS);
    TML_NEW(arena, knot, n);
    TML_NEW(arena, h, n);
    TML_NEW(arena, d, n);
    TML_NEW(arena, m, n);
    TML_NEW(arena, r, n);
    for (int i = 0; i < n; ++i) {
        knot[i] = x[i];
    }
    for (int i = 0; i < n - 1; ++i) {
        h[i] = x[i + 1] - x[i];
        d[i] = (y[i + 1] - y[i]) / h[i];
    }

    const bool smooth = n >= MIN_POINTS_SMOOTH;
    for (int k = 0; k < N_KINDS; ++k) {
        TmlSpline *s = &all[k];
        *s = (TmlSpline){.kind = (TmlSplineKind)k, .n = n, .smooth = continuous[k], .x = knot};
        const bool linear = s->kind == TML_SPLINE_LINEAR;
        if (s->kind == TML_SPLINE_CUBIC && smooth) {
            slopes_cubic(n, h, d, m, r);
        } else if (s->kind == TML_SPLINE_AKIMA && smooth) {
            slopes_akima(n, d, m);
        }
        if (linear || smooth) {
            fill_pieces(s, piece + (ptrdiff_t)k * n, y, h, d, linear ? NULL : m);
            set_ends(s, TML_SPLINE_TANGENT);
        }
        for (int j = 0; j < N_KINDS; ++j) {
            s->as[j] = smooth || j == TML_SPLINE_LINEAR ? &all[j] : NULL;
        }
    }
    *out = &all[kind];
    return TML_OK;
}

TmlStatus tml_spline_from_source(const TmlSplineSource *source, TmlArena *arena, TmlSpline **out,
                                 TmlError *err)
{
    TmlSpline *s;
    *out = NULL;
    TML_NEW(arena, s, 1);
    *s = (TmlSpline){.kind = TML_SPLINE_CUBIC,
                     .n = source->n,
                     .smooth = source->smooth,
                     .x = source->x,
                     .source = *source};
    for (int k = 0; k < N_KINDS; ++k) {
        s->as[k] = s;
    }
    *out = s;
    return TML_OK;
}

/* Piece that holds x, the right one at a knot; -1 before and n - 1 after the table. */
static int piece_find(const TmlSpline *spline, double x)
{
    const int n = spline->n;
    if (!(x >= spline->x[0])) {
        return -1;
    }
    if (x >= spline->x[n - 1]) {
        return n - 1;
    }
    int low = 0, high = n - 1; // x[low] <= x < x[high]
    while (high - low > 1) {
        const int mid = low + (high - low) / 2;
        if (spline->x[mid] <= x) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

void tml_spline_eval(const TmlSpline *spline, double x, int order, double *d)
{
    if (spline->source.eval != NULL) {
        spline->source.eval(spline->source.user, x, order, d);
        return;
    }
    const int i = piece_find(spline, x);
    const Piece p = i < 0 ? spline->before : i == spline->n - 1 ? spline->behind : spline->piece[i];
    const double s = x - spline->x[i < 0 ? 0 : i];
    d[0] = p.y + s * (p.m + s * (p.c + s * p.e)); // (S1)
    if (order > 0) {
        d[1] = p.m + s * (2.0 * p.c + 3.0 * s * p.e);
    }
    if (order > 1) {
        d[2] = 2.0 * p.c + 6.0 * s * p.e;
    }
    if (order > 2) {
        d[3] = 6.0 * p.e;
    }
    for (int k = 4; k <= order; ++k) {
        d[k] = 0.0;
    }
}

const TmlSplineSource *tml_spline_source(const TmlSpline *spline)
{
    return spline->source.eval != NULL ? &spline->source : NULL;
}

int tml_spline_knots(const TmlSpline *spline, const double **x)
{
    *x = spline->x;
    return spline->n;
}

int tml_spline_smoothness(const TmlSpline *spline)
{
    return spline->smooth;
}

const TmlSpline *tml_spline_as(const TmlSpline *spline, TmlSplineKind kind)
{
    return spline->as[kind];
}

/* Integral from the first knot to x. */
static double area_to(const TmlSpline *spline, double x)
{
    const int i = piece_find(spline, x);
    const Piece *p = i < 0                ? &spline->before
                     : i == spline->n - 1 ? &spline->behind
                                          : &spline->piece[i];
    return p->area + piece_area(p, x - spline->x[i < 0 ? 0 : i]);
}

double tml_spline_integral(const TmlSpline *spline, double from, double to)
{
    return area_to(spline, to) - area_to(spline, from);
}
