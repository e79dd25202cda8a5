/* model/force/deformation.c - what the stiffness of a bushing multiplies.
 *
 * n0 is the direction of x0, L = |x0|, l = |x|, chi = phi - phi0.
 *
 *   (D1)  linear:  e = (x - x0, chi)
 *   (D2)  string:  e = (x - x0 + n0 [l - L - n0 . (x - x0)], chi)
 *   (D3)  beam:    e = (L psi x n0 + n0 [l - L (1 - w)], chi)
 *         psi = beta + chi/2,  w = |beta|^2/10 + |chi_n|^2/24,  chi_n = chi - n0 (n0 . chi)
 *         beta = f(c) n0 x m,  m = exp(-chi~/2) x/l,  c = n0 . m,  f = acos(c) / sin(acos(c))
 *
 * (D2) stretches along the line between the frames: its force has the components across the axis
 * that the tension of a string has. In (D3) m is that line, seen from axes half way between both
 * frames, where the rotation vector chi has the same components; the ends of the beam are turned
 * against the line by -beta - chi/2 and -beta + chi/2. The quadratic energy of (D3) with the matrix
 * of a clamped beam is that of both end rotations, and w is the part by which a cubic with these
 * slopes is longer than its chord.                                                         own
 *
 *   (D4)  f' = (c f - 1) / (1 - c^2),  f'' = (f + 3 c f') / (1 - c^2)
 *   (D5)  f = sum a_k (1 - c)^k,  a_0 = 1,  a_k = a_{k-1} k / (2 k + 1)      near c = 1
 *   (D6)  exp(a~) y = y + s a x y + v a x (a x y),  s, v = sum (-|a|^2)^k / (2 k + 1)!, (2 k + 2)!
 */
#include "model/force/deformation.h"

#include "math/jet6.h"
#include "math/vec3.h"

/* sum of (-q)^k / (2 k + first)!: the angle is at most half a turn, so that q <= 2.5. */
static Jet6 sine_series(const Jet6 *q, int first)
{
    enum { TERMS = 14 }; // 2.5^14 / 29! < 1e-24
    double f = 0.0, df = 0.0, ddf = 0.0, a = first == 1 ? 1.0 : 0.5;
    double power[TERMS] = {1.0};
    for (int k = 1; k < TERMS; ++k) {
        power[k] = power[k - 1] * q->x;
    }
    for (int k = 0; k < TERMS; ++k) {
        f += a * power[k];
        df += k > 0 ? a * k * power[k - 1] : 0.0;
        ddf += k > 1 ? a * k * (k - 1) * power[k - 2] : 0.0;
        a /= -(double)((2 * k + first + 1) * (2 * k + first + 2));
    }
    return jet_function(q, f, df, ddf);
}

/* (D6) */
static Jet6Vec turned(const Jet6Vec *a, const Jet6Vec *y)
{
    const Jet6 q = jet_dot(a, a), s = sine_series(&q, 1), v = sine_series(&q, 2);
    const Jet6Vec once = jet_cross(a, y), twice = jet_cross(a, &once);
    const Jet6Vec first = jet_vec_scale(&s, &once), second = jet_vec_scale(&v, &twice);
    const Jet6Vec sum = jet_vec_axpy(1.0, &first, y);
    return jet_vec_axpy(1.0, &second, &sum);
}

/* (D4), (D5) */
static Jet6 angle_over_sine(const Jet6 *c)
{
    enum { TERMS = 40 }; // 4^-40 < 1e-24 where the series is used
    const double u = 1.0 - c->x;
    double f = 0.0, df = 0.0, ddf = 0.0;
    if (u < 0.5) {
        double a[TERMS] = {1.0};
        for (int k = 1; k < TERMS; ++k) {
            a[k] = a[k - 1] * k / (2.0 * k + 1.0);
        }
        for (int k = TERMS - 1; k >= 0; --k) {
            ddf = ddf * u + 2.0 * df;
            df = df * u + f;
            f = f * u + a[k];
        }
        return jet_function(c, f, -df, ddf); // u' = -1
    }
    const double x = fmax(c->x, -1.0 + 1e-12), d = 1.0 - x * x; // folded back: any direction
    f = acos(x) / sqrt(d);
    df = (x * f - 1.0) / d;
    return jet_function(c, f, df, (f + 3.0 * x * df) / d);
}

static Jet6 length_of(const Jet6Vec *x)
{
    const Jet6 q = jet_dot(x, x);
    const double l = sqrt(q.x);
    return jet_function(&q, l, 0.5 / l, -0.25 / (l * q.x));
}

/* Distance, which becomes a parabola below the shortest length: its gradient is x / shortest. */
static Jet6 distance_of(const Jet6Vec *x, double shortest)
{
    const Jet6 q = jet_dot(x, x);
    if (q.x < shortest * shortest) {
        return jet_function(&q, 0.5 * (q.x / shortest + shortest), 0.5 / shortest, 0.0);
    }
    return length_of(x);
}

/* Component along n0 replaced. */
static Jet6Vec with_axial(const Jet6Vec *across, const Jet6Vec *n0, const Jet6 *axial)
{
    const Jet6 now = jet_dot(n0, across), more = jet_axpy(-1.0, &now, axial);
    const Jet6Vec add = jet_vec_scale(&more, n0);
    return jet_vec_axpy(1.0, &add, across);
}

/* (D2) */
static Jet6Vec string_part(const Jet6Vec *x, const Jet6Vec *x0, const Jet6Vec *n0, double L,
                           double shortest)
{
    const Jet6 l = distance_of(x, shortest), free = jet_constant(L, x->x.second);
    const Jet6 axial = jet_axpy(-1.0, &free, &l);
    const Jet6Vec off = jet_vec_axpy(-1.0, x0, x);
    return with_axial(&off, n0, &axial);
}

/* (D3) */
static Jet6Vec beam_part(const Jet6Vec *x, const Jet6Vec *chi, const Jet6Vec *n0, double L)
{
    const Jet6 l = length_of(x), one = jet_constant(1.0, l.second);
    const Jet6 zero = jet_constant(0.0, l.second);
    const Jet6 inverse = jet_function(&l, 1.0 / l.x, -1.0 / (l.x * l.x), 2.0 / (l.x * l.x * l.x));
    const Jet6Vec none = {zero, zero, zero};
    const Jet6Vec line = jet_vec_scale(&inverse, x), half = jet_vec_axpy(-0.5, chi, &none);
    const Jet6Vec m = turned(&half, &line);
    const Jet6 c = jet_dot(n0, &m), f = angle_over_sine(&c);
    const Jet6Vec sine = jet_cross(n0, &m), beta = jet_vec_scale(&f, &sine);
    const Jet6Vec psi = jet_vec_axpy(0.5, chi, &beta), across = jet_cross(&psi, n0);
    // w and the stretch
    const Jet6 twist = jet_dot(n0, chi), twist2 = jet_mul(&twist, &twist);
    const Jet6 beta2 = jet_dot(&beta, &beta), chi2 = jet_dot(chi, chi);
    const Jet6 bend2 = jet_axpy(-1.0, &twist2, &chi2);
    const Jet6 part = jet_axpy(0.1, &beta2, &zero), w = jet_axpy(1.0 / 24.0, &bend2, &part);
    const Jet6 shrunk = jet_axpy(-1.0, &one, &w); // w - 1
    const Jet6 axial = jet_axpy(L, &shrunk, &l);
    const Jet6Vec bent = jet_vec_axpy(L, &across, &none);
    return with_axial(&bent, n0, &axial);
}

static void put_component(const Jet6 *j, int k, TmlDeformation *out)
{
    out->e[k] = j->x;
    for (int r = 0, n = 0; r < 6; ++r) {
        out->E[6 * k + r] = j->g[r];
        for (int c = 0; c <= r && j->second; ++c, ++n) {
            out->H[k][6 * r + c] = out->H[k][6 * c + r] = j->h[n];
        }
    }
}

void tml_deformation(TmlMeasureOf formulation, TmlVec3 x0, TmlVec3 phi0, double shortest, TmlVec3 x,
                     TmlVec3 phi, bool second, TmlDeformation *out)
{
    const double L = v3_norm(x0);
    const Jet6Vec jx = {jet_variable(x.x, 0, second), jet_variable(x.y, 1, second),
                        jet_variable(x.z, 2, second)};
    const Jet6Vec jp = {jet_variable(phi.x, 3, second), jet_variable(phi.y, 4, second),
                        jet_variable(phi.z, 5, second)};
    const Jet6Vec j0 = jet_vec_constant(x0, second), p0 = jet_vec_constant(phi0, second);
    const Jet6Vec n0 = jet_vec_constant(v3_unit(x0), second), chi = jet_vec_axpy(-1.0, &p0, &jp);
    Jet6Vec e = jet_vec_axpy(-1.0, &j0, &jx); // (D1)
    if (formulation == TML_OF_DISTANCE) {
        e = string_part(&jx, &j0, &n0, L, shortest);
    } else if (formulation == TML_OF_LINE) {
        e = beam_part(&jx, &chi, &n0, L);
    }
    const Jet6 *const component[6] = {&e.x, &e.y, &e.z, &chi.x, &chi.y, &chi.z};
    for (int k = 0; k < 6; ++k) {
        put_component(component[k], k, out);
    }
}
