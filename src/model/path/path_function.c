/* model/path/path_function.c - curves by three functions of one parameter, fixed in a frame.
 *
 * The parameter u runs from a to b. The place s of a point is in metres all the same, so that its
 * errors weigh as those of points do: with L the sum of chords between many points,
 *
 *   (W2)  u = a + s (b - a) / L,    d^k r / ds^k = r^(k)(u) ((b - a) / L)^k
 *
 * Functions give three derivatives. Higher ones, which tangents of path_on_path and derivatives in
 * expressions need, are those of the polynomial through the third at seven places (math/stencil.h),
 * around the closing point of closed curves, inside of the ends of open ones.
 */
#include <math.h>

#include "math/stencil.h"
#include "math/vec3.h"
#include "model/path/path.h"

enum { GIVEN = 3 }; // derivatives of the functions

/* r and its derivatives by u. */
static void functions_at(const TmlUserFunction *const f[3], double u, int order, double d[3][4])
{
    for (int c = 0; c < 3; ++c) {
        double g[1] = {0.0}, H[1] = {0.0}, T[1] = {0.0};
        TmlJet jet = {0.0, g, H, T};
        f[c]->eval(f[c]->user, &u, order, &jet);
        d[c][0] = jet.value;
        d[c][1] = g[0];
        d[c][2] = H[0];
        d[c][3] = T[0];
    }
}

/* d[m] by u for m = 4 .. TML_PATH_HIGHEST. */
static void higher_at(const TmlPath *p, double u, TmlVec3 *d)
{
    enum { PLACES = 7, SIDE = PLACES / 2 };
    // 4e-3: rounding counts 6e-14, 1e-11 and 3e-9 in one, two and three derivatives of the third,
    // h^6 is 4e-15
    const double size = p->to - p->from, h = 4e-3 * size;
    const double inside = fmin(fmax(u, p->from + SIDE * h), p->to - SIDE * h);
    const double middle = p->closed ? u : inside;
    double t[PLACES], f[3][PLACES], out[3][PLACES];
    for (int k = 0; k < PLACES; ++k) {
        double r[3][4];
        t[k] = middle + (k - SIDE) * h - u;
        const double at = u + t[k], turn = at > p->to ? -size : at < p->from ? size : 0.0;
        functions_at(p->function, at + turn, GIVEN, r);
        for (int c = 0; c < 3; ++c) {
            f[c][k] = r[c][GIVEN];
        }
    }
    for (int c = 0; c < 3; ++c) {
        stencil_derivatives(PLACES, t, f[c], out[c]);
    }
    for (int m = GIVEN + 1; m <= TML_PATH_HIGHEST; ++m) {
        d[m] = v3(out[0][m - GIVEN], out[1][m - GIVEN], out[2][m - GIVEN]);
    }
}

void tml_path_function_at(const TmlPath *p, double s, int order, TmlVec3 *d)
{
    const double u = p->from + s * p->per_metre;
    const int given = order < GIVEN ? order : GIVEN;
    TmlVec3 by_u[TML_PATH_HIGHEST + 1];
    double r[3][4], factor = 1.0;
    functions_at(p->function, u, given, r);
    for (int k = 0; k <= given; ++k) {
        by_u[k] = v3(r[0][k], r[1][k], r[2][k]);
    }
    if (order > GIVEN) {
        higher_at(p, u, by_u);
    }
    for (int k = 0; k <= order; ++k) {
        d[k] = v3_scale(factor, by_u[k]); // (W2)
        factor *= p->per_metre;
    }
}

TmlStatus tml_path_create_function(const TmlUserFunction *const f[3], double from, double to,
                                   bool closed, TmlArena *arena, TmlPath **out, TmlError *err)
{
    enum { PIECES = 128 }; // for the length, the plane, and where a search begins
    TmlPath *p = NULL;
    TmlVec3 *point;
    double *knot, length = 0.0;
    *out = NULL;
    TML_NEW(arena, p, 1);
    TML_NEW(arena, point, PIECES + 1);
    TML_NEW(arena, knot, PIECES + 1);
    for (int k = 0; k <= PIECES; ++k) {
        double r[3][4];
        functions_at(f, k < PIECES ? from + (to - from) * k / PIECES : to, 0, r);
        point[k] = v3(r[0][0], r[1][0], r[2][0]);
        length += k > 0 ? v3_norm(v3_sub(point[k], point[k - 1])) : 0.0;
    }
    if (!(isfinite(length) && length > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "the functions give no curve, but %s",
                        isfinite(length) ? "a point" : "values that are no numbers");
    }
    const double gap = v3_norm(v3_sub(point[PIECES], point[0]));
    if (closed && gap > 1e-6 * length) { // one in ten of the digits of a coarse routine
        return tml_fail(err, TML_E_MODEL, "it is closed, but its ends are %.4g m apart", gap);
    }
    for (int k = 0; k <= PIECES; ++k) {
        knot[k] = length * k / PIECES;
    }
    *p = (TmlPath){.n = PIECES,
                   .closed = closed,
                   .length = length,
                   .knot = knot,
                   .function = {f[0], f[1], f[2]},
                   .from = from,
                   .to = to,
                   .per_metre = (to - from) / length};
    p->normal = tml_path_plane(PIECES, point);
    *out = p;
    return TML_OK;
}
