/* model/contact/shape/height_field.c - ground of given heights on a grid: z = f(x, y), solid below.
 *
 * Between the points of the grid f is bicubic (Catmull and Rom) with continuous slopes. The nearest point to
 * the centre q of a sphere has, with tangents T = [a b], a = (1, 0, f_x), b = (0, 1, f_y), and the normal n,
 *
 *   (P20)  T^T (q - S) = 0,  q = S + h n,  s = sqrt(1 + f_x^2 + f_y^2)
 *   (P21)  dn = D d(x, y),  D = P [-grad f_x, -grad f_y] / s,  P = 1 - n n^T
 *   (P22)  d(x, y) = M^-1 T^T dq,  M = T^T (T + h D),   H = D M^-1 T^T
 *   (P23)  curvatures: B c = k G c,  B = -f_ij / s,  G = T^T T,  dk = c^T (dB - k dG) c / (c^T G c)
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/mesh/tessellate.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/profile/point_touch.h"

#include <string.h>

typedef struct HeightData {
    TmlReals heights;
    int columns;
    double dx, dy;
    const TmlMeshSolid *triangles; // made by prepare
} HeightData;

const TmlMeshSolid *tml_height_field_triangles(const void *data)
{
    return ((const HeightData *)data)->triangles;
}

static int rows_of(const HeightData *d)
{
    return d->heights.n / d->columns;
}

static double width(const HeightData *d)
{
    return (d->columns - 1) * d->dx;
}

static double length(const HeightData *d)
{
    return (rows_of(d) - 1) * d->dy;
}

static void height_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const HeightData *d = data;
    double bottom = HUGE_VAL, top = -HUGE_VAL;
    for (int k = 0; k < d->heights.n; ++k) {
        bottom = fmin(bottom, d->heights.value[k]);
        top = fmax(top, d->heights.value[k]);
    }
    // a cubic through two points stays within a quarter of what lies around them
    const double over = 0.5 * (top - bottom);
    *low = v3(0.0, 0.0, -HUGE_VAL);
    *high = v3(width(d), length(d), top + over);
}

static TmlStatus height_check(const void *data, TmlError *err)
{
    const HeightData *d = data;
    if (d->columns < 2 || d->heights.n < 2 * d->columns || d->heights.n % d->columns != 0) {
        return tml_fail(
            err, TML_E_MODEL,
            "%d heights in %d columns: at least two columns and two full rows are wanted",
            d->heights.n, d->columns);
    }
    return TML_OK;
}

static TmlStatus height_prepare(void *data, const TmlShapeSetup *setup, TmlError *err)
{
    HeightData *d = data;
    return tml_field_mesh(d->heights.value, d->columns, rows_of(d), d->dx, d->dy, setup,
                          &d->triangles, err);
}

static const TmlParam height_params[] = {
    {"heights", TML_PARAM_REALS, TML_ANY, "m", offsetof(HeightData, heights), NULL,
     "heights, row by row; x grows along a row, y from row to row", NULL},
    {"columns", TML_PARAM_INT, TML_ANY, "", offsetof(HeightData, columns), NULL,
     "number of heights per row", NULL},
    {"dx", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(HeightData, dx), NULL, "distance of columns",
     NULL},
    {"dy", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(HeightData, dy), NULL, "distance of rows",
     NULL},
    {0},
};

TML_SHAPE_TYPE(height_field) = {
    .info = {.name = "height_field",
             .text = "Ground of given heights on a grid that begins at its position; solid below, "
                     "nothing beside the grid. It is smooth for spheres, and made of triangles for "
                     "other shapes.",
             .data_size = sizeof(HeightData),
             .params = height_params,
             .example = "heights: [0, 0, 0, 0.1], columns: 2, dx: 1, dy: 1"},
    .surface = TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .check = height_check,
    .prepare = height_prepare,
    .bounds = height_bounds,
};

/* --- the surface ------------------------------------------------------------------------------ */

/* f and its derivatives up to the third: by[i][j] = d^(i+j) f / dx^i dy^j. */
typedef struct Height {
    double by[4][4];
} Height;

/* Beyond the grid the surface goes on straight. */
static double at(const HeightData *d, int column, int row)
{
    const int nx = d->columns, ny = rows_of(d);
    if (column < 0 || column >= nx) {
        const int edge = column < 0 ? 0 : nx - 1, inner = column < 0 ? 1 : nx - 2;
        return 2.0 * at(d, edge, row) - at(d, inner, row);
    }
    if (row < 0 || row >= ny) {
        const int edge = row < 0 ? 0 : ny - 1, inner = row < 0 ? 1 : ny - 2;
        return 2.0 * at(d, column, edge) - at(d, column, inner);
    }
    return d->heights.value[row * nx + column];
}

/* Weights of four points, and their derivatives by the coordinate; step: distance of points. */
static void weights(double u, double step, double w[4][4])
{
    const double c[4][4] = {// of 1, u, u^2, u^3
                            {0.0, -0.5, 1.0, -0.5},
                            {1.0, 0.0, -2.5, 1.5},
                            {0.0, 0.5, 2.0, -1.5},
                            {0.0, 0.0, -0.5, 0.5}};
    for (int k = 0; k < 4; ++k) {
        const double *a = c[k];
        w[0][k] = a[0] + u * (a[1] + u * (a[2] + u * a[3]));
        w[1][k] = (a[1] + u * (2.0 * a[2] + u * 3.0 * a[3])) / step;
        w[2][k] = (2.0 * a[2] + u * 6.0 * a[3]) / (step * step);
        w[3][k] = 6.0 * a[3] / (step * step * step);
    }
}

static void height_at(const HeightData *d, double x, double y, Height *out)
{
    const double gx = x / d->dx, gy = y / d->dy;
    const int i = (int)fmin(fmax(floor(gx), 0.0), d->columns - 2);
    const int j = (int)fmin(fmax(floor(gy), 0.0), rows_of(d) - 2);
    double wx[4][4], wy[4][4];
    weights(gx - i, d->dx, wx);
    weights(gy - j, d->dy, wy);
    *out = (Height){0};
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
            const double z = at(d, i + c - 1, j + r - 1);
            for (int m = 0; m < 4; ++m) {
                for (int n = 0; m + n < 4; ++n) {
                    out->by[m][n] += wx[m][c] * wy[n][r] * z;
                }
            }
        }
    }
}

static double distance2(const HeightData *d, TmlVec3 q, double x, double y)
{
    Height f;
    height_at(d, x, y, &f);
    const TmlVec3 e = v3(x - q.x, y - q.y, f.by[0][0] - q.z);
    return v3_dot(e, e);
}

/* The best of points half a cell apart, within `far` of the centre. */
static void scan(const HeightData *d, TmlVec3 q, double far, double *x, double *y)
{
    const double hx = 0.5 * d->dx, hy = 0.5 * d->dy;
    const int nx = (int)fmin(ceil(far / hx), 100.0), ny = (int)fmin(ceil(far / hy), 100.0);
    double best = distance2(d, q, q.x, q.y);
    *x = q.x;
    *y = q.y;
    for (int i = -nx; i <= nx; ++i) {
        for (int j = -ny; j <= ny; ++j) {
            const double px = q.x + i * hx, py = q.y + j * hy;
            const double e = px < 0.0 || py < 0.0 || px > width(d) || py > length(d)
                                 ? HUGE_VAL
                                 : distance2(d, q, px, py);
            if (e < best) {
                best = e;
                *x = px;
                *y = py;
            }
        }
    }
}

/* (P20) by Newton's method, with halved steps while the distance would grow. */
static void nearest(const HeightData *d, TmlVec3 q, double *x, double *y, Height *f)
{
    height_at(d, *x, *y, f);
    for (int k = 0; k < 50; ++k) {
        const double fx = f->by[1][0], fy = f->by[0][1], e = f->by[0][0] - q.z;
        const double g0 = *x - q.x + e * fx, g1 = *y - q.y + e * fy;
        double a = 1.0 + fx * fx + e * f->by[2][0], c = 1.0 + fy * fy + e * f->by[0][2];
        double b = fx * fy + e * f->by[1][1];
        if (!(a > 0.0) ||
            !(a * c - b * b > 0.0)) { // not convex here: without the second derivatives
            a = 1.0 + fx * fx;
            b = fx * fy;
            c = 1.0 + fy * fy;
        }
        const double det = a * c - b * b, sx = -(c * g0 - b * g1) / det,
                     sy = -(a * g1 - b * g0) / det;
        const double before = distance2(d, q, *x, *y);
        double s = 1.0;
        // squares of distances cannot tell short steps apart, which are Newton's own
        while (s > 1e-6 && hypot(sx, sy) > 1e-4 * d->dx &&
               distance2(d, q, *x + s * sx, *y + s * sy) > before) {
            s *= 0.5;
        }
        *x += s * sx;
        *y += s * sy;
        height_at(d, *x, *y, f);
        if (hypot(sx, sy) <= 1e-15 * (fabs(q.x) + fabs(q.y) + d->dx + d->dy)) {
            return;
        }
    }
}

/* --- touches ---------------------------------------------------------------------------------- */

/* (P23): both curvatures, and their derivatives by x and y. */
static void bends(const Height *f, double s, double k[2], double dk[2][2])
{
    const double fx = f->by[1][0], fy = f->by[0][1];
    const double B[3] = {-f->by[2][0] / s, -f->by[1][1] / s, -f->by[0][2] / s};
    const double G[3] = {1.0 + fx * fx, fx * fy, 1.0 + fy * fy};
    const double det = G[0] * G[2] - G[1] * G[1];
    const double half = 0.5 * (B[0] * G[2] - 2.0 * B[1] * G[1] + B[2] * G[0]) / det;
    const double product = (B[0] * B[2] - B[1] * B[1]) / det;
    const double root = sqrt(fmax(half * half - product, 0.0));
    for (int m = 0; m < 2; ++m) {
        k[m] = half + (m == 0 ? -root : root);
        // the direction: (B - k G) c = 0, from the larger row
        const double r0 = B[0] - k[m] * G[0], r1 = B[1] - k[m] * G[1], r2 = B[2] - k[m] * G[2];
        double c0 = -r1, c1 = r0;
        if (hypot(r1, r2) > hypot(r0, r1)) {
            c0 = r2;
            c1 = -r1;
        }
        if (!(hypot(c0, c1) > 0.0)) {
            c0 = m == 0;
            c1 = m == 1;
        }
        const double norm = G[0] * c0 * c0 + 2.0 * G[1] * c0 * c1 + G[2] * c1 * c1;
        for (int v = 0; v < 2; ++v) {
            const double fxv = v == 0 ? f->by[2][0] : f->by[1][1];
            const double fyv = v == 0 ? f->by[1][1] : f->by[0][2];
            const double ds = (fx * fxv + fy * fyv) / s;
            const double dB[3] = {-f->by[3 - v][v] / s - B[0] * ds / s,
                                  -f->by[2 - v][1 + v] / s - B[1] * ds / s,
                                  -f->by[1 - v][2 + v] / s - B[2] * ds / s};
            const double dG[3] = {2.0 * fx * fxv, fxv * fy + fx * fyv, 2.0 * fy * fyv};
            dk[m][v] = ((dB[0] - k[m] * dG[0]) * c0 * c0 + 2.0 * (dB[1] - k[m] * dG[1]) * c0 * c1 +
                        (dB[2] - k[m] * dG[2]) * c1 * c1) /
                       norm;
        }
    }
}

/* Of the foot (x, y) below q. */
static TmlSurfaceNear surface(TmlVec3 q, double x, double y, const Height *f)
{
    const double fx = f->by[1][0], fy = f->by[0][1], s = sqrt(1.0 + fx * fx + fy * fy);
    const TmlVec3 T[2] = {v3(1, 0, fx), v3(0, 1, fy)}, n = v3(-fx / s, -fy / s, 1.0 / s);
    TmlSurfaceNear out = {.n = n};
    out.height = v3_dot(n, v3_sub(q, v3(x, y, f->by[0][0])));
    TmlVec3 D[2] = {v3(-f->by[2][0] / s, -f->by[1][1] / s, 0.0),
                    v3(-f->by[1][1] / s, -f->by[0][2] / s, 0.0)};
    double M[2][2];
    for (int j = 0; j < 2; ++j) { // (P21), (P22)
        D[j] = v3_axpy(-v3_dot(n, D[j]), n, D[j]);
        for (int i = 0; i < 2; ++i) {
            M[i][j] = v3_dot(T[i], v3_axpy(out.height, D[j], T[j]));
        }
    }
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    double dk[2][2];
    bends(f, s, out.curvature, dk);
    for (int i = 0; i < 3; ++i) {
        const double t0 = i == 0 ? T[0].x : i == 1 ? T[0].y : T[0].z;
        const double t1 = i == 0 ? T[1].x : i == 1 ? T[1].y : T[1].z;
        const double d0 = (M[1][1] * t0 - M[0][1] * t1) / det,
                     d1 = (M[0][0] * t1 - M[1][0] * t0) / det;
        const TmlVec3 column = v3_axpy(d0, D[0], v3_scale(d1, D[1]));
        memcpy(i == 0 ? &out.H.cx : i == 1 ? &out.H.cy : &out.H.cz, &column, sizeof column);
        out.curvature_rate[0][i] = dk[0][0] * d0 + dk[0][1] * d1;
        out.curvature_rate[1][i] = dk[1][0] * d0 + dk[1][1] * d1;
    }
    return out;
}

TML_PAIR_FUNCTION(height_field, sphere)
{
    const HeightData *d = first;
    const double R = *(const double *)second, k[2] = {1.0 / R, 1.0 / R}, far = R + reach;
    const TmlVec3 q = pose->r;
    if (q.x < 0.0 || q.y < 0.0 || q.x > width(d) || q.y > length(d)) {
        return 0; // beside the grid
    }
    double x, y;
    Height f;
    scan(d, q, far, &x, &y);
    nearest(d, q, &x, &y, &f);
    const TmlSurfaceNear s = surface(q, x, y, &f);
    if (s.height > far) {
        return 0;
    }
    tml_point_touch(&s, q, NULL, R, k, touch, rate);
    return 1;
}
