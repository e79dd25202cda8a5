/* system/contact/cross.c - two flexible lines that cross: the closest points of two elements, both of which travel.
 *
 * With d = c_1 - c_0, N = d / |d|, G = (1 - N N^T) / |d|, a_k = r_x and b_k = r_xx of line k:
 *
 *   (W1)  d . a_0 = 0, d . a_1 = 0, |d| being least: Newton on |d|^2 / 2 from the nearest of 5 x 5 places
 *   (W2)  phi_k = N . a_k;  phi_0,x0 = -a_0 . G a_0 + N . b_0,  phi_0,x1 = a_0 . G a_1,
 *         phi_1,x0 = -a_1 . G a_0,  phi_1,x1 = a_1 . G a_1 + N . b_1
 *   (W3)  dphi_k at fixed x: a_k . G (dr_1 - dr_0) + N . da_k;   dx = -phi_x^-1 dphi
 *
 * As in (V1) of travel.c a point at a node belongs to the element that begins there. Two ways to compute a place at a
 * node differ in the last digits: places within 1e-9 of a node are the node. Lines that are parallel have no such points.
 */
#include "system/contact/travel.h"

#include "math/vec3.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <string.h>

enum { PIECES = 4, ROUNDS = 30 };

/* Places nearer to a node than this, in elements, are the node: far above the rounding of (W1). */
static const double node_width = 1e-9;

typedef struct Both {
    double xi[2];
    TmlCurveSpot at[2];
    TmlVec3 d;
} Both;

static void look(const TmlSystem *sys, const int *element, Both *b)
{
    for (int k = 0; k < 2; ++k) {
        b->at[k] = tml_curve_spot(sys, element[k], b->xi[k]);
    }
    b->d = v3_sub(b->at[1].r, b->at[0].r);
}

/* The least of some places: where Newton's way begins. */
static void begin(const TmlSystem *sys, const int *element, Both *b)
{
    TmlCurveSpot at[2][PIECES + 1];
    double least = HUGE_VAL;
    for (int i = 0; i <= PIECES; ++i) {
        for (int k = 0; k < 2; ++k) {
            at[k][i] = tml_curve_spot(sys, element[k], (double)i / PIECES);
        }
    }
    for (int i = 0; i <= PIECES; ++i) {
        for (int j = 0; j <= PIECES; ++j) {
            const double apart = v3_norm(v3_sub(at[1][j].r, at[0][i].r));
            if (apart < least) {
                least = apart;
                b->xi[0] = (double)i / PIECES;
                b->xi[1] = (double)j / PIECES;
            }
        }
    }
}

static double inside(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* One step of (W1) with some places held; the largest move. */
static double improve(const TmlSystem *sys, const int *element, const bool *held, Both *b)
{
    const TmlVec3 a0 = b->at[0].a, a1 = b->at[1].a;
    const double l0 = sys->model->flexes.at[element[0]].size[0];
    const double l1 = sys->model->flexes.at[element[1]].size[0];
    const double g0 = -v3_dot(b->d, a0), g1 = v3_dot(b->d, a1), cross = -v3_dot(a0, a1);
    // the curvature is left out where with it there is no minimum
    const double full0 = v3_dot(a0, a0) - v3_dot(b->d, b->at[0].bend);
    const double full1 = v3_dot(a1, a1) + v3_dot(b->d, b->at[1].bend);
    const bool bowl = full0 > 0.0 && full0 * full1 > cross * cross;
    const double h0 = bowl ? full0 : v3_dot(a0, a0), h1 = bowl ? full1 : v3_dot(a1, a1);
    double x0 = 0.0, x1 = 0.0;
    if (!held[0] && !held[1]) {
        const double det = fmax(h0 * h1 - cross * cross, 1e-12 * h0 * h1);
        x0 = -(h1 * g0 - cross * g1) / det;
        x1 = -(h0 * g1 - cross * g0) / det;
    } else if (!held[0]) {
        x0 = -g0 / h0;
    } else if (!held[1]) {
        x1 = -g1 / h1;
    }
    const double to0 = inside(b->xi[0] + x0 / l0, -0.5, 1.5);
    const double to1 = inside(b->xi[1] + x1 / l1, -0.5, 1.5);
    const double move = fmax(fabs(to0 - b->xi[0]), fabs(to1 - b->xi[1]));
    b->xi[0] = to0;
    b->xi[1] = to1;
    look(sys, element, b);
    return move;
}

static void descend(const TmlSystem *sys, const int *element, const bool *held, Both *b)
{
    look(sys, element, b);
    for (int k = 0; k < ROUNDS && improve(sys, element, held, b) > 1e-15; ++k) {
    }
}

static double snap(double x)
{
    return fabs(x) < node_width ? 0.0 : fabs(x - 1.0) < node_width ? 1.0 : x;
}

bool tml_travel_both(const TmlSystem *sys, const TmlNear *near)
{
    TmlCarrier *c[2] = {tml_carrier_of(sys, near->shape[0]), tml_carrier_of(sys, near->shape[1])};
    const int element[2] = {c[0]->element, c[1]->element};
    bool held[2] = {false, false};
    Both b;
    begin(sys, element, &b);
    descend(sys, element, held, &b);
    for (int k = 0; k < 2; ++k) { // free ends hold the point
        const bool before = c[k]->open[0] && b.xi[k] < 0.0,
                   behind = c[k]->open[1] && b.xi[k] >= 1.0;
        if (before || behind) {
            held[k] = true;
            b.xi[k] = before ? 0.0 : 1.0;
            descend(sys, element, held, &b);
        }
    }
    for (int k = 0; k < 2; ++k) {
        b.xi[k] = snap(b.xi[k]);
        // the depth falls along N for the second line, and against it for the first
        const TmlVec3 out = v3_scale(k == 0 ? -1.0 : 1.0, v3_unit(b.d));
        if (held[k] ? !tml_travel_end_counts(sys, c[k], b.xi[k] < 0.5 ? 0 : 1, out)
                    : !(b.xi[k] >= 0.0 && b.xi[k] < 1.0)) {
            return false;
        }
    }
    for (int k = 0; k < 2; ++k) {
        const double xi[3] = {b.xi[k], 0.0, 0.0};
        c[k]->fixed[0] = held[k];
        tml_travel_place(sys, c[k], xi);
    }
    return true;
}

/* --- derivatives ------------------------------------------------------------------------------------------ */

/* dphi_k at fixed places, by the columns of end e: (W3). */
static void place_row(const TmlSystem *sys, const TmlCarrier *c, const Both *b, const TmlMat33 *G,
                      int k, int e, double *row)
{
    const TmlFlexOwner *owner = &sys->flex->element[c->element];
    const TmlFlexPoint *p = &sys->flex->at[c->point - 1];
    const TmlVec3 q = m3_mulv(G, b->at[k].a), N = v3_unit(b->d);
    memset(row, 0, (size_t)owner->parts.cols * sizeof *row);
    for (int i = 0; i < owner->n; ++i) {
        TmlVec3 f = v3_scale(e == 1 ? p->s[0][i] : -p->s[0][i], q);
        f = k == e ? v3_axpy(b->at[e].slope[i], N, f) : f;
        const double F[3] = {f.x, f.y, f.z};
        tml_vector_dual(sys, owner->vector[i], &owner->parts, F, 1, row);
    }
}

/* -phi_x^-1; a place that is held does not move. */
static void inverse(const Both *b, const TmlMat33 *G, const bool *held, double out[2][2])
{
    const TmlVec3 N = v3_unit(b->d), a0 = b->at[0].a, a1 = b->at[1].a;
    const TmlVec3 Ga0 = m3_mulv(G, a0), Ga1 = m3_mulv(G, a1);
    const double m[2][2] = {{-v3_dot(a0, Ga0) + v3_dot(N, b->at[0].bend), v3_dot(a0, Ga1)},
                            {-v3_dot(a1, Ga0), v3_dot(a1, Ga1) + v3_dot(N, b->at[1].bend)}};
    const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    out[0][0] = held[0] ? 0.0 : held[1] ? -1.0 / m[0][0] : -m[1][1] / det;
    out[1][1] = held[1] ? 0.0 : held[0] ? -1.0 / m[1][1] : -m[0][0] / det;
    out[0][1] = held[0] || held[1] ? 0.0 : m[0][1] / det;
    out[1][0] = held[0] || held[1] ? 0.0 : m[1][0] / det;
}

int tml_travel_both_ways(const TmlSystem *sys, const TmlNear *near, double c_q,
                         TmlWay out[TML_WAYS])
{
    const TmlCarrier *c[2] = {tml_carrier_of(sys, near->shape[0]),
                              tml_carrier_of(sys, near->shape[1])};
    const int element[2] = {c[0]->element, c[1]->element};
    const bool held[2] = {c[0]->fixed[0], c[1]->fixed[0]};
    Both b = {.xi = {sys->flex->at[c[0]->point - 1].xi[0], sys->flex->at[c[1]->point - 1].xi[0]}};
    double phi[2][2][TML_END_MAX_NU], x[2][2];
    int n = 0;
    look(sys, element, &b);
    const TmlVec3 N = v3_unit(b.d);
    const TmlMat33 nn = m3_outer(N, N), one = m3_identity(), across = m3_axpy(-1.0, &nn, &one);
    const TmlMat33 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const TmlMat33 G = m3_axpy(1.0 / v3_norm(b.d), &across, &none);
    inverse(&b, &G, held, x);
    for (int k = 0; k < 2; ++k) {
        for (int e = 0; e < 2; ++e) {
            place_row(sys, c[e], &b, &G, k, e, phi[k][e]);
        }
    }
    for (int k = 0; k < 2; ++k) {
        if (held[k]) {
            continue;
        }
        out[n] = (TmlWay){.side = k, .way = 0, .a = b.at[k].a};
        for (int e = 0; e < 2; ++e) {
            for (int i = 0; i < tml_end_parts(sys, c[e]->end)->cols; ++i) {
                out[n].row[e][i] = c_q * (x[k][0] * phi[0][e][i] + x[k][1] * phi[1][e][i]);
            }
        }
        ++n;
    }
    return n;
}
