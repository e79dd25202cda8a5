/* model/path_function.c - curves by three functions of one parameter, fixed in a frame.
 *
 * The parameter u runs from a to b. The place s of a point is in metres all the same, so that its
 * errors weigh as those of points do: with L the sum of chords between many points,
 *
 *   (W2)  u = a + s (b - a) / L,    d^k r / ds^k = r^(k)(u) ((b - a) / L)^k
 *
 * Functions give three derivatives. The fourth, which tangents of path_on_path need, is a
 * difference:
 *
 *   (W3)  r^(4)(u) = (r^(3)(u + h) - r^(3)(u - h)) / (2 h)
 */
#include <math.h>

#include "math/vec3.h"
#include "model/path.h"

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

/* (W3), with both places inside of the ends. */
static TmlVec3 fourth_at(const TmlPath *p, double u)
{
    const double h = 1e-4 * (p->to - p->from); // h^2 / 6 of it is as small as rounding
    const double v = fmin(fmax(u, p->from + h), p->to - h);
    double above[3][4], below[3][4];
    functions_at(p->function, v + h, 3, above);
    functions_at(p->function, v - h, 3, below);
    return v3_scale(0.5 / h, v3(above[0][3] - below[0][3], above[1][3] - below[1][3],
                                above[2][3] - below[2][3]));
}

void tml_path_function_at(const TmlPath *p, double s, TmlVec3 d[TML_PATH_DERIVATIVES + 1])
{
    const double u = p->from + s * p->per_metre;
    double r[3][4], factor = 1.0;
    functions_at(p->function, u, 3, r);
    for (int k = 0; k < 4; ++k) {
        d[k] = v3_scale(factor, v3(r[0][k], r[1][k], r[2][k])); // (W2)
        factor *= p->per_metre;
    }
    d[4] = v3(0, 0, 0); // see tml_path_fourth
}

TmlVec3 tml_path_fourth(const TmlPath *p, double s, const TmlVec3 d[TML_PATH_DERIVATIVES + 1])
{
    const double around = p->closed ? s - p->length * floor(s / p->length) : s;
    if (p->function[0] == NULL || around < 0.0 || around > p->length) {
        return d[4];
    }
    const double u = p->from + around * p->per_metre, by = p->per_metre * p->per_metre;
    return v3_scale(by * by, fourth_at(p, u));
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
        functions_at(f, from + (to - from) * k / PIECES, 0, r);
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
