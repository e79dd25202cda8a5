/* model/wheel/rail/rail_profile.c - cross sections of wheels and rails as smooth curves.
 *
 * y(s) and z(s) are natural cubic splines over the length s of the chords. They minimise
 *
 *   (P1)  sum |p(s_i) - p_i|^2 + lambda integral |p''|^2 ds
 *
 * (C. H. Reinsch, 1967): with g = p'' at the inner points, h the distances of neighbours,
 *
 *   (P2)  (R + lambda Q^T Q) g = Q^T p_i,   p = p_i - lambda Q g
 *         R: (h_{i-1} + h_i) / 3 on the diagonal, h_i / 6 beside it
 *         Q^T: second divided differences, 1/h_{i-1}, -1/h_{i-1} - 1/h_i, 1/h_i
 *
 * lambda is the largest with the rms distance that is allowed. Tables of profiles are rounded to 1e-5 mm at
 * distances of 0.1 mm, which makes curvatures of an interpolating spline random: they come from a
 * second, smoother fit, while positions, on which conformal contact depends, come from the first.
 */
#include "model/wheel/rail/rail_profile.h"

#include <math.h>
#include <string.h>

/* Points nearer than this part of the median distance are one point. */
static const double near_part = 0.02;
/* The cosine of the sharpest corner that two neighbouring chords may make: 120 degrees. */
static const double sharpest = -0.5;

/* Work of a fit of n points: all arrays have n entries. */
typedef struct Fit {
    int n;
    const double *s, *at[2]; /* data */
    double *p[2], *g[2];     /* values and second derivatives */
    double *d0, *d1, *d2;    /* factors of (P2) */
} Fit;

/* Row i of Q^T, inner point i from 1 to n - 2. */
static void differences(const double *s, int i, double q[3])
{
    const double a = 1.0 / (s[i] - s[i - 1]), b = 1.0 / (s[i + 1] - s[i]);
    q[0] = a;
    q[1] = -a - b;
    q[2] = b;
}

/* Factors L D L^T of R + lambda Q^T Q: d0 is D, d1 and d2 the two lower diagonals of L. */
static void fit_factor(Fit *f, double lambda)
{
    for (int i = 1; i < f->n - 1; ++i) {
        double q[3], r[3] = {0}, w[3] = {0};
        differences(f->s, i, q);
        double a0 =
            (f->s[i + 1] - f->s[i - 1]) / 3.0 + lambda * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        double a1 = 0.0, a2 = 0.0; // beside the diagonal, towards i - 1 and i - 2
        if (i > 1) {
            differences(f->s, i - 1, r);
            a1 = (f->s[i] - f->s[i - 1]) / 6.0 + lambda * (q[0] * r[1] + q[1] * r[2]);
        }
        if (i > 2) {
            differences(f->s, i - 2, w);
            a2 = lambda * q[0] * w[2];
        }
        f->d2[i] = i > 2 ? a2 / f->d0[i - 2] : 0.0;
        f->d1[i] =
            i > 1 ? (a1 - f->d2[i] * f->d0[i - 2 > 0 ? i - 2 : 0] * f->d1[i - 1]) / f->d0[i - 1]
                  : 0.0;
        a0 -= i > 1 ? f->d1[i] * f->d1[i] * f->d0[i - 1] : 0.0;
        a0 -= i > 2 ? f->d2[i] * f->d2[i] * f->d0[i - 2] : 0.0;
        f->d0[i] = a0;
    }
}

/* (P2) for one coordinate. */
static void fit_solve(Fit *f, double lambda, int c)
{
    double *g = f->g[c], *p = f->p[c], q[3];
    const double *at = f->at[c];
    const int n = f->n;
    g[0] = g[n - 1] = 0.0;
    for (int i = 1; i < n - 1; ++i) {
        differences(f->s, i, q);
        g[i] = q[0] * at[i - 1] + q[1] * at[i] + q[2] * at[i + 1];
        g[i] -= i > 1 ? f->d1[i] * g[i - 1] : 0.0;
        g[i] -= i > 2 ? f->d2[i] * g[i - 2] : 0.0;
    }
    for (int i = n - 2; i > 0; --i) {
        g[i] /= f->d0[i];
    }
    for (int i = n - 2; i > 0; --i) {
        g[i] -= i < n - 2 ? f->d1[i + 1] * g[i + 1] : 0.0;
        g[i] -= i < n - 3 ? f->d2[i + 2] * g[i + 2] : 0.0;
    }
    memcpy(p, at, (size_t)n * sizeof *p);
    for (int i = 1; i < n - 1; ++i) {
        differences(f->s, i, q);
        for (int k = 0; k < 3; ++k) {
            p[i - 1 + k] -= lambda * q[k] * g[i];
        }
    }
}

/* Fits with this lambda; the rms distance from the points. */
static double fit_with(Fit *f, double lambda)
{
    double sum = 0.0;
    fit_factor(f, lambda);
    for (int c = 0; c < 2; ++c) {
        fit_solve(f, lambda, c);
        for (int i = 0; i < f->n; ++i) {
            sum += (f->p[c][i] - f->at[c][i]) * (f->p[c][i] - f->at[c][i]);
        }
    }
    return sqrt(sum / f->n);
}

/* The smoothest fit within the deviation, which it returns. */
static double fit_within(Fit *f, double deviation)
{
    const double length = f->s[f->n - 1];
    double low = -80.0, high = 0.0; // exponents of e, in lengths cubed
    for (int k = 0; k < 40 && deviation > 0.0; ++k) {
        const double middle = 0.5 * (low + high);
        *(fit_with(f, length * length * length * exp(middle)) > deviation ? &high : &low) = middle;
    }
    return fit_with(f, deviation > 0.0 ? length * length * length * exp(low) : 0.0);
}

/* --- points ---------------------------------------------------------------------------------- */

static double distance(const double *a, const double *b)
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* A distance between neighbours that half of them do not reach, nearly: by halving. */
static double median_distance(int n, const double *p)
{
    double low = 0.0, high = 0.0;
    for (int i = 1; i < n; ++i) {
        high = fmax(high, distance(p + 2 * i, p + 2 * i - 2));
    }
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        int below = 0;
        for (int i = 1; i < n; ++i) {
            below += distance(p + 2 * i, p + 2 * i - 2) < middle;
        }
        *(2 * below > n - 1 ? &high : &low) = middle;
    }
    return high;
}

/* Points in order from the inside, without those that are too near the one before; which[k] is the
 * number of a point in the table. Returns how many there are. */
static int take_points(const TmlProfilePoints *in, double *p, int *which)
{
    const double *q = in->point, least = near_part * median_distance(in->n, q);
    const bool turned = q[2 * in->n - 2] < q[0];
    int n = 0;
    for (int i = 0; i < in->n; ++i) {
        const int from = turned ? in->n - 1 - i : i;
        if (n == 0 || distance(q + 2 * from, p + 2 * n - 2) > least) {
            memcpy(p + 2 * n, q + 2 * from, 2 * sizeof *p);
            which[n++] = from + 1;
        }
    }
    return n;
}

static double side(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static TmlStatus check_points(int n, const double *p, const int *which, TmlError *err)
{
    for (int i = 1; i + 1 < n; ++i) {
        const double *a = p + 2 * i - 2, *b = a + 2, *c = b + 2;
        const double dot = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
        if (dot < sharpest * distance(a, b) * distance(b, c)) {
            return tml_fail(err, TML_E_MODEL,
                            "the profile turns back at point %d (y %.9g m, z %.9g m)", which[i],
                            b[0], b[1]);
        }
    }
    for (int i = 0; i + 1 < n; ++i) {
        const double *a = p + 2 * i, *b = a + 2;
        for (int k = i + 2; k + 1 < n; ++k) {
            const double *c = p + 2 * k, *d = c + 2;
            const bool apart =
                fmin(c[0], d[0]) > fmax(a[0], b[0]) || fmax(c[0], d[0]) < fmin(a[0], b[0]);
            if (!apart && side(a, b, c) * side(a, b, d) < 0.0 &&
                side(c, d, a) * side(c, d, b) < 0.0) {
                return tml_fail(
                    err, TML_E_MODEL,
                    "the profile crosses itself between points %d and %d (y %.9g m, z %.9g m)",
                    which[i], which[k], c[0], c[1]);
            }
        }
    }
    return TML_OK;
}

/* --- the curve ------------------------------------------------------------------------------- */

/* Value and three derivatives of a cubic between two points. */
static void cubic(const double *s, const double *f, const double *g, int i, double x, double d[4])
{
    const double h = s[i + 1] - s[i], u = (x - s[i]) / h, v = 1.0 - u;
    d[0] = v * f[i] + u * f[i + 1] +
           h * h / 6.0 * ((v * v * v - v) * g[i] + (u * u * u - u) * g[i + 1]);
    d[1] = (f[i + 1] - f[i]) / h +
           h / 6.0 * ((1.0 - 3.0 * v * v) * g[i] + (3.0 * u * u - 1.0) * g[i + 1]);
    d[2] = v * g[i] + u * g[i + 1];
    d[3] = (g[i + 1] - g[i]) / h;
}

static int piece(const TmlRailProfile *p, double s)
{
    int low = 0, high = p->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(p->s[middle] > s ? &high : &low) = middle;
    }
    return low;
}

static void curve_at(const TmlRailProfile *p, double s, double d[2][4])
{
    const double inside = fmin(fmax(s, 0.0), p->s[p->n - 1]);
    const int i = piece(p, inside);
    cubic(p->s, p->y, p->yy, i, inside, d[0]);
    cubic(p->s, p->z, p->zz, i, inside, d[1]);
    for (int c = 0; c < 2 && inside != s; ++c) { // straight on
        d[c][0] += (s - inside) * d[c][1];
        d[c][2] = d[c][3] = 0.0;
    }
}

void tml_rail_profile_at(const TmlRailProfile *p, double s, double at[3][2])
{
    double d[2][4];
    curve_at(p, s, d);
    for (int k = 0; k < 3; ++k) {
        at[k][0] = d[0][k];
        at[k][1] = d[1][k];
    }
}

double tml_rail_profile_length(const TmlRailProfile *p)
{
    return p->s[p->n - 1];
}

/* Curvature by a cubic with the slopes kk; constant beyond the ends. */
static double curvature_at(const TmlRailProfile *p, double s, double *slope)
{
    const double inside = fmin(fmax(s, 0.0), p->s[p->n - 1]);
    const int i = piece(p, inside);
    const double h = p->s[i + 1] - p->s[i], u = (inside - p->s[i]) / h, v = 1.0 - u;
    const double a = p->k[i], b = p->k[i + 1], da = h * p->kk[i], db = h * p->kk[i + 1];
    *slope = inside == s
                 ? (6.0 * u * v * (b - a) + v * (v - 2.0 * u) * da + u * (u - 2.0 * v) * db) / h
                 : 0.0;
    return v * v * (1.0 + 2.0 * u) * a + u * u * (1.0 + 2.0 * v) * b + u * v * v * da -
           u * u * v * db;
}

double tml_rail_profile_curvature(const TmlRailProfile *p, double s)
{
    double slope;
    return curvature_at(p, s, &slope);
}

void tml_rail_profile_dual(const TmlRailProfile *p, Dual s, Dual point[2], Dual tangent[2],
                           Dual *curvature)
{
    double d[2][4], slope;
    curve_at(p, s.x, d);
    for (int c = 0; c < 2; ++c) {
        if (point != NULL) {
            point[c] = d6_function(s, d[c][0], d[c][1]);
        }
        if (tangent != NULL) {
            tangent[c] = d6_function(s, d[c][1], d[c][2]);
        }
    }
    if (curvature != NULL) {
        const double k = curvature_at(p, s.x, &slope);
        *curvature = d6_function(s, k, slope);
    }
}

/* Curvatures at the points, from the fit f. */
static void curvatures(const Fit *f, TmlRailProfile *p)
{
    const int n = p->n;
    for (int i = 0; i < n; ++i) {
        double d[2][4];
        for (int c = 0; c < 2; ++c) {
            cubic(p->s, f->p[c], f->g[c], i < n - 1 ? i : n - 2, p->s[i], d[c]);
        }
        const double speed = hypot(d[0][1], d[1][1]);
        p->k[i] = (d[1][1] * d[0][2] - d[0][1] * d[1][2]) / (speed * speed * speed);
    }
    for (int i = 0; i < n; ++i) {
        const int a = i > 0 ? i - 1 : 0, b = i < n - 1 ? i + 1 : n - 1;
        p->kk[i] = (p->k[b] - p->k[a]) / (p->s[b] - p->s[a]);
    }
}

/* Two fits of the points q: the curve, and the smoother one of the curvatures. */
static TmlStatus fit_profile(const TmlProfilePoints *in, const double *q, TmlArena *arena,
                             TmlRailProfile *p, TmlError *err)
{
    enum { ARRAYS = 16 };
    const int n = p->n;
    double *a[ARRAYS];
    for (int k = 0; k < ARRAYS; ++k) {
        TML_NEW(arena, a[k], n);
    }
    p->s = a[0], p->k = a[1], p->kk = a[2], p->y = a[3], p->z = a[4], p->yy = a[5], p->zz = a[6];
    for (int i = 0; i < n; ++i) {
        a[7][i] = q[2 * i];
        a[8][i] = q[2 * i + 1];
        p->s[i] = i > 0 ? p->s[i - 1] + distance(q + 2 * i, q + 2 * i - 2) : 0.0;
    }
    Fit f = {n, p->s, {a[7], a[8]}, {a[9], a[10]}, {a[11], a[12]}, a[13], a[14], a[15]};
    fit_within(&f, fmax(in->smoothing, in->deviation));
    curvatures(&f, p);
    f.p[0] = p->y, f.p[1] = p->z, f.g[0] = p->yy, f.g[1] = p->zz;
    p->deviation = fit_within(&f, in->deviation);
    return TML_OK;
}

TmlStatus tml_rail_profile_create(const TmlProfilePoints *points, TmlArena *arena,
                                  TmlRailProfile **out, TmlError *err)
{
    TmlRailProfile *p;
    double *q;
    int *which;
    if (points->n < 2) {
        return tml_fail(err, TML_E_MODEL, "a profile has two points at least, got %d", points->n);
    }
    TML_NEW(arena, p, 1);
    TML_NEW(arena, q, 2 * points->n);
    TML_NEW(arena, which, points->n);
    for (int i = 0; i < 2 * points->n; ++i) {
        if (!isfinite(points->point[i])) {
            return tml_fail(err, TML_E_MODEL, "point %d of the profile is not a number", i / 2 + 1);
        }
    }
    p->n = take_points(points, q, which);
    if (p->n < 2) {
        return tml_fail(err, TML_E_MODEL, "the points of the profile are one point");
    }
    TML_TRY(check_points(p->n, q, which, err));
    *out = p;
    return fit_profile(points, q, arena, p, err);
}
