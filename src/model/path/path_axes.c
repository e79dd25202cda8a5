/* model/path/path_axes.c - unit vectors along a path, and components of vectors for expressions.
 *
 * With c the curve, all as power series about s, x = sum_m x_m (s' - s)^m:
 *
 *   (A1)  t = c' (c' . c')^(-1/2)
 *   (A2)  b = -v (v . v)^(-1/2),  v = c' x c''          n = b x t
 *   (A3)  r = q^(-1/2):  m q_0 r_m = sum_{k=1..m} (k/2 - m) q_k r_{m-k}
 */
#include <math.h>

#include "math/vec3.h"
#include "model/path/path.h"

enum { TERMS = TML_SPLINE_HIGHEST + 1 };

/* out_m = sum_k u_k . v_{m-k} */
static void series_dot(int n, const TmlVec3 *u, const TmlVec3 *v, double *out)
{
    for (int m = 0; m < n; ++m) {
        out[m] = 0.0;
        for (int k = 0; k <= m; ++k) {
            out[m] += v3_dot(u[k], v[m - k]);
        }
    }
}

static void series_cross(int n, const TmlVec3 *u, const TmlVec3 *v, TmlVec3 *out)
{
    for (int m = 0; m < n; ++m) {
        out[m] = v3(0, 0, 0);
        for (int k = 0; k <= m; ++k) {
            out[m] = v3_add(out[m], v3_cross(u[k], v[m - k]));
        }
    }
}

/* v divided by its length. */
static void series_unit(int n, const TmlVec3 *v, TmlVec3 *out)
{
    double q[TERMS] = {0}, r[TERMS];
    series_dot(n, v, v, q);
    r[0] = 1.0 / sqrt(q[0]);
    for (int m = 1; m < n; ++m) {
        r[m] = 0.0;
        for (int k = 1; k <= m; ++k) {
            r[m] += (0.5 * k - m) * q[k] * r[m - k] / (m * q[0]); // (A3)
        }
    }
    for (int m = 0; m < n; ++m) {
        out[m] = v3(0, 0, 0);
        for (int k = 0; k <= m; ++k) {
            out[m] = v3_axpy(r[k], v[m - k], out[m]);
        }
    }
}

/* (A2), constant where the path is straight. */
static void find_binormal(const TmlPath *p, int n, const TmlVec3 *c1, const TmlVec3 *c2,
                          const TmlVec3 *t, TmlVec3 *b)
{
    TmlVec3 v[TERMS];
    series_cross(n, c1, c2, v);
    const double speed = v3_norm(c1[0]);
    if (v3_norm(v[0]) * p->length > 1e-12 * speed * speed * speed) { // more than rounding leaves
        series_unit(n, v, b);
        for (int m = 0; m < n; ++m) {
            b[m] = v3_neg(b[m]);
        }
        return;
    }
    const TmlVec3 across = fabs(t[0].z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    const TmlVec3 normal = v3_norm(p->normal) > 0.0 ? p->normal : across;
    b[0] = v3_unit(v3_axpy(-v3_dot(normal, t[0]), t[0], normal));
    for (int m = 1; m < n; ++m) {
        b[m] = v3(0, 0, 0);
    }
}

void tml_path_axes(const TmlPath *p, double s, int order, TmlVec3 (*axes)[3])
{
    const int n = order + 1;
    TmlVec3 c[TML_PATH_HIGHEST + 1], c1[TERMS], c2[TERMS], t[TERMS], b[TERMS], y[TERMS];
    tml_path_derivatives(p, s, order + 2, c);
    double factorial = 1.0;
    for (int m = 0; m < n; ++m) {
        factorial *= m > 0 ? m : 1;
        c1[m] = v3_scale(1.0 / factorial, c[m + 1]);
        c2[m] = v3_scale(1.0 / factorial, c[m + 2]);
    }
    series_unit(n, c1, t); // (A1)
    find_binormal(p, n, c1, c2, t, b);
    series_cross(n, b, t, y);
    factorial = 1.0;
    for (int m = 0; m < n; ++m) {
        factorial *= m > 0 ? m : 1;
        axes[m][0] = v3_scale(factorial, t[m]);
        axes[m][1] = v3_scale(factorial, y[m]);
        axes[m][2] = v3_scale(factorial, b[m]);
    }
}

/* --- components ------------------------------------------------------------------------------- */

typedef struct Component {
    const TmlPath *path;
    TmlTrackVector vector;
    int axis;
} Component;

static void component_eval(const void *user, double s, int order, double *d)
{
    const Component *c = user;
    TmlVec3 r[TERMS], axes[TERMS][3];
    if (c->vector == TML_TRACK_POINT) {
        tml_path_derivatives(c->path, s, order, r);
    } else {
        tml_path_axes(c->path, s, order, axes);
    }
    for (int m = 0; m <= order; ++m) {
        const TmlVec3 v = c->vector == TML_TRACK_POINT ? r[m] : axes[m][c->vector - 1];
        d[m] = c->axis == 0 ? v.x : c->axis == 1 ? v.y : v.z;
    }
}

/* Pieces of a path of order k meet with k - 2 derivatives; functions say that they have three. */
static int smoothness(const TmlPath *p, TmlTrackVector vector)
{
    const int used = vector == TML_TRACK_POINT ? 0 : vector == TML_TRACK_TANGENT ? 1 : 2;
    const int left = (p->function[0] != NULL ? 3 : p->order - 2) - used;
    return left < 0 ? 0 : left > 3 ? 3 : left;
}

TmlSpline *tml_path_coordinate(const TmlPath *p, TmlTrackVector vector, int axis, TmlArena *arena)
{
    Component *c = tml_arena_alloc(arena, 1, sizeof *c);
    TmlSpline *out = NULL;
    if (c == NULL) {
        return NULL;
    }
    *c = (Component){p, vector, axis};
    const bool functions = p->function[0] != NULL;
    const TmlSplineSource source = {.eval = component_eval,
                                    .user = c,
                                    .n = functions ? 0 : p->n + 1,
                                    .x = p->knot,
                                    .smooth = smoothness(p, vector),
                                    .from = functions ? p->from : -1.0,
                                    .per = functions ? 1.0 / p->per_metre : 0.5 * p->length};
    return tml_spline_from_source(&source, arena, &out, NULL) == TML_OK ? out : NULL;
}
