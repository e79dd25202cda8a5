/* model/constraint/point_on_curve.c - a point of a body stays on the axis of a flexible body.
 *
 * The place on the axis is a coordinate s of its own: the first end is a body of that one number.
 *
 *   (1)  phi = r_1 - r(s),  r(s) = sum W_e(s) r_e                           three rows
 *   (2)  J: 1 for the point, -r_s for s, -W_e for the ends of the axis
 *   (3)  gamma = 2 s' sum W_e' v_e + s'^2 r_ss
 *
 * s has no mass: its row says that the force on the point has no part along the axis. From element
 * to element r and r_s are continuous; r_ss, and with it the accelerations, may jump.
 */
#include "math/vec3.h"
#include "model/flexible/on_curve.h"
#include "model/registry.h"

#include <math.h>
#include <string.h>

/* Entries that are zero now but not in another element: no number, only part of the pattern. */
static const double present = 1e-200;

/* (1) and its derivatives by s. */
typedef struct Place {
    const TmlCurvePiece *piece;
    double s1;                   /* s' */
    TmlVec3 r, r_s, r_ss, r_sss; /* of positions */
    TmlVec3 v_s, v_ss;           /* sums of W_e', W_e'' times velocities */
} Place;

/* NULL without ends of the axis: asked for the force on the point only. */
static const TmlCurvePiece *piece_at(const TmlElementIn *in)
{
    const TmlOnCurve *c = in->data;
    const double s = in->e[0].r.x;
    int low = 0, high = c->n - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->piece[middle].from <= s) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return in->n_ends > 2 && c->n > 0 ? &c->piece[low] : NULL;
}

/* w[4]: W_e and its derivatives by s. */
static void weights(const TmlCurvePiece *p, int k, double s, double w[4])
{
    const double x = (s - p->from) / p->length;
    memset(w, 0, 4 * sizeof *w);
    for (int i = TML_CURVE_TERMS - 1; i >= 0; --i) {
        w[3] = w[3] * x + 3.0 * w[2];
        w[2] = w[2] * x + 2.0 * w[1];
        w[1] = w[1] * x + w[0];
        w[0] = w[0] * x + p->weight[k][i];
    }
    for (int d = 1; d < 4; ++d) {
        w[d] /= pow(p->length, d);
    }
}

static Place place_of(const TmlElementIn *in)
{
    const double s = in->e[0].r.x;
    Place p = {.piece = piece_at(in), .s1 = in->e[0].v.x};
    for (int k = 0; p.piece != NULL && k < p.piece->n; ++k) {
        const TmlFrameKin *e = &in->e[p.piece->end[k]];
        double w[4];
        weights(p.piece, k, s, w);
        p.r = v3_axpy(w[0], e->r, p.r);
        p.r_s = v3_axpy(w[1], e->r, p.r_s);
        p.r_ss = v3_axpy(w[2], e->r, p.r_ss);
        p.r_sss = v3_axpy(w[3], e->r, p.r_sss);
        p.v_s = v3_axpy(w[1], e->v, p.v_s);
        p.v_ss = v3_axpy(w[2], e->v, p.v_ss);
    }
    return p;
}

static void put3(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

static void point_on_curve_residual(const TmlElementIn *in, double *phi)
{
    put3(phi, v3_sub(in->e[1].r, place_of(in).r));
}

/* Component k of a row by position. */
static void set(TmlRow *rows, int n_ends, int k, int end, double x)
{
    TmlVec3 *r = &rows[k * n_ends + end].r;
    *(k == 0 ? &r->x : k == 1 ? &r->y : &r->z) = x;
}

static double part(TmlVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void point_on_curve_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const Place p = place_of(in);
    memset(J, 0, 3 * (size_t)in->n_ends * sizeof *J);
    for (int k = 0; k < 3; ++k) {
        J[k * in->n_ends].r.x = -part(p.r_s, k);
        set(J, in->n_ends, k, 1, 1.0);
        for (int e = 2; e < in->n_ends; ++e) {
            set(J, in->n_ends, k, e, present);
        }
    }
    for (int i = 0; p.piece != NULL && i < p.piece->n; ++i) {
        double w[4];
        weights(p.piece, i, in->e[0].r.x, w);
        for (int k = 0; k < 3; ++k) {
            set(J, in->n_ends, k, p.piece->end[i], -w[0]);
        }
    }
}

/* (3) */
static void point_on_curve_gamma(const TmlElementIn *in, double *gamma)
{
    const Place p = place_of(in);
    put3(gamma, v3_axpy(2.0 * p.s1, p.v_s, v3_scale(p.s1 * p.s1, p.r_ss)));
}

static void point_on_curve_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const Place p = place_of(in);
    const TmlVec3 l = v3(lambda[0], lambda[1], lambda[2]);
    K[0] -= v3_dot(l, p.r_ss);
    for (int i = 0; p.piece != NULL && i < p.piece->n; ++i) {
        const int e = p.piece->end[i];
        double w[4];
        weights(p.piece, i, in->e[0].r.x, w);
        for (int k = 0; k < 3; ++k) {
            K[6 * e + k] -= w[1] * lambda[k];
        }
    }
}

static void point_on_curve_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const Place p = place_of(in);
    const TmlVec3 by_s = v3_axpy(2.0 * p.s1, p.v_ss, v3_scale(p.s1 * p.s1, p.r_sss));
    const TmlVec3 by_rate = v3_axpy(2.0, p.v_s, v3_scale(2.0 * p.s1, p.r_ss));
    memset(Gm, 0, 3 * (size_t)in->n_ends * sizeof *Gm);
    memset(Gv, 0, 3 * (size_t)in->n_ends * sizeof *Gv);
    for (int k = 0; k < 3; ++k) {
        Gm[k * in->n_ends].r.x = part(by_s, k);
        Gv[k * in->n_ends].r.x = part(by_rate, k);
    }
    for (int i = 0; p.piece != NULL && i < p.piece->n; ++i) {
        double w[4];
        weights(p.piece, i, in->e[0].r.x, w);
        for (int k = 0; k < 3; ++k) {
            set(Gm, in->n_ends, k, p.piece->end[i], p.s1 * p.s1 * w[2]);
            set(Gv, in->n_ends, k, p.piece->end[i], 2.0 * p.s1 * w[1]);
        }
    }
}

static const char *const point_on_curve_rows[] = {"translation along x", "translation along y",
                                                  "translation along z"};

static const TmlJointReading point_on_curve_reading = {.ends = tml_read_on_curve};

TML_CONSTRAINT_TYPE(point_on_curve) = {
    .info =
        {.name = "point_on_curve",
         .text =
             "The origin of the second frame stays on the axis of a flexible body, the "
             "first, and slides along it; the x of the frame NAME.s is its position on the curve.",
         .example = "bodies: [rope, rod], at: [1, 0, 0]",
         .data_size = sizeof(TmlOnCurve)},
    .ends = TML_ENDS_FRAMES,
    .rows = 3,
    .arrow = true,
    .reaction_ends = 2,
    .row_names = point_on_curve_rows,
    .reading = &point_on_curve_reading,
    .residual = point_on_curve_residual,
    .jacobian = point_on_curve_jacobian,
    .gamma = point_on_curve_gamma,
    .curvature = point_on_curve_curvature,
    .gamma_tangent = point_on_curve_gamma_tangent,
};
