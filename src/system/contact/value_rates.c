/* system/contact/value_rates.c - derivatives of what expressions read of contacts, in the rows of their equations.
 *
 * A value W of contacts (contact_force(floor) and others) is a sum over near pairs, or that of the deepest pair. With
 * w the wrench of a pair on one of its frames, u the twist of that frame, y the bristles of the pair:
 *
 *   (D1)  forces and torques: rows of the tangents of w
 *   (D2)  power: d(w.u) = u.dw + w.du
 *   (D3)  the sum of normal forces and the depth: tml_pair_rates
 *   (D4)  the row of an equation e(.., W): e_W (W_q P + W_v W + c_x W_y), as (J6) of jacobian.c has it for frames
 *   (D5)  a point that travels by dx along its element adds (W_q a + W_v (r_x', omega_x)) dx, with (V4) of travel.c
 *
 * Which bodies and bristles a value may depend on follows from its entry and is part of the pattern from the start, so
 * that bodies that meet change nothing in these rows. The number of points is piecewise constant.
 */
#include "math/vec3.h"
#include "model/contact/bristle_states.h"
#include "model/force/pair.h"
#include "system/contact/touching.h"
#include "system/matrix/blocks.h"

#include <string.h>

TmlStatus tml_contact_rates_room(TmlSystem *sys, TmlError *err)
{
    const size_t carriers = (size_t)sys->touching->n_carriers;
    TML_NEW(&sys->arena, sys->touching->value_row, carriers * (size_t)sys->stride);
    return TML_OK;
}

/* Whether a value can depend on the motion of a body. */
static bool may_read(const TmlSystem *sys, const TmlContactValue *value, int body)
{
    const TmlModel *m = sys->model;
    if (value->body[0] >= 0 && value->body[1] >= 0) {
        return body == value->body[0] || body == value->body[1];
    }
    for (int k = 0; value->contact >= 0 && k < m->shapes.n; ++k) {
        const TmlContact *entry = &m->contacts.at[value->contact];
        if (m->shapes.at[k].body == body && (entry->side[0][k] != 0 || entry->side[1][k] != 0)) {
            return true;
        }
    }
    return value->contact < 0;
}

/* Derivatives of one value by the frames of one pair, and by its bristles. */
typedef struct PairRate {
    double q[PAIR_SIZE], v[PAIR_SIZE], y[3 * TML_BRISTLES_A_PAIR];
} PairRate;

static void add_row(double s, const double *K, int r, double *to)
{
    for (int c = 0; c < PAIR_SIZE; ++c) {
        to[c] += s * K[r * PAIR_SIZE + c];
    }
}

/* Adds s times row r of the wrenches: 0 to 5 on the first frame, 6 to 11 on the second. */
static void add_wrench_row(const TmlNear *near, const TmlBristleTangent *bristle, const double *Kq,
                           const double *Kv, double s, int r, PairRate *out)
{
    add_row(s, Kq, r, out->q);
    add_row(s, Kv, r, out->v);
    for (int k = 0; near->bristle >= 0 && k < near->bristles.n; ++k) {
        for (int i = 0; i < 3 && bristle[k].used; ++i) {
            out->y[3 * k + i] += s * bristle[k].wrench[3 * r + i];
        }
    }
}

/* (D1), (D2) */
static void wrench_rate(TmlSystem *sys, const TmlContactValue *value, const TmlNear *near,
                        const TmlPairIn *in, int e, PairRate *out)
{
    TmlBristleTangent *bristle = sys->touching->tangent;
    double Kq[PAIR_SIZE * PAIR_SIZE] = {0}, Kv[PAIR_SIZE * PAIR_SIZE] = {0};
    if (near->bristle >= 0) {
        memset(bristle, 0, (size_t)near->bristles.n * sizeof *bristle);
    }
    if (!tml_pair_tangent(in, Kq, Kv, bristle)) {
        return;
    }
    if (value->asked != TML_CONTACT_POWER) {
        add_wrench_row(near, bristle, Kq, Kv, 1.0, 6 * e + (int)(value->asked - TML_CONTACT_FX),
                       out);
        return;
    }
    TmlPairForce force;
    tml_pair_force(in, &force, NULL);
    for (int k = 0; k < 2; ++k) {
        const TmlFrameKin *f = in->e[k];
        const TmlRow *w = &force.w[k];
        const double u[6] = {f->v.x, f->v.y, f->v.z, f->omega.x, f->omega.y, f->omega.z};
        const double own[6] = {w->r.x, w->r.y, w->r.z, w->theta.x, w->theta.y, w->theta.z};
        for (int r = 0; r < 6 && (value->body[0] < 0 || k == e); ++r) {
            add_wrench_row(near, bristle, Kq, Kv, u[r], 6 * k + r, out);
            out->v[6 * k + r] += own[r]; // (D2)
        }
    }
}

static void pair_rate(TmlSystem *sys, const TmlContactValue *value, const TmlNear *near,
                      const TmlPairIn *in, int e, PairRate *out)
{
    TmlPairRates rates;
    *out = (PairRate){0};
    if (value->asked == TML_CONTACT_COUNT) {
        return;
    }
    if (value->asked != TML_CONTACT_FORCE && value->asked != TML_CONTACT_DEPTH) {
        wrench_rate(sys, value, near, in, e, out);
        return;
    }
    tml_pair_rates(in, &rates); // (D3)
    if (value->asked == TML_CONTACT_DEPTH) {
        memcpy(out->q, rates.depth_q, sizeof out->q);
    } else {
        memcpy(out->q, rates.force_q, sizeof out->q);
        memcpy(out->v, rates.force_v, sizeof out->v);
    }
}

/* (D5) */
static void take_ways(TmlSystem *sys, const TmlNear *near, const PairRate *rate, TmlCoeffs c)
{
    struct TmlTouching *t = sys->touching;
    TmlWay way[TML_WAYS];
    const int n = tml_travel_ways(sys, near, c.q, way);
    for (int k = 0; k < n; ++k) {
        const TmlWay *x = &way[k];
        const double *q = rate->q + 6 * x->side, *v = rate->v + 6 * x->side;
        const double along = q[0] * x->a.x + q[1] * x->a.y + q[2] * x->a.z + v[0] * x->v_x.x +
                             v[1] * x->v_x.y + v[2] * x->v_x.z + v[3] * x->omega_x.x +
                             v[4] * x->omega_x.y + v[5] * x->omega_x.z;
        for (int e = 0; e < 2; ++e) {
            const int carrier = t->carried_by[near->shape[e]];
            const int nu = tml_end_parts(sys, t->carrier[carrier].end)->cols;
            double *row = t->value_row + (size_t)carrier * (size_t)sys->stride;
            for (int i = 0; i < nu; ++i) {
                row[i] += along * x->row[e][i];
            }
        }
    }
}

/* (D4) of one pair: to the rows of its bodies. */
static void take(TmlSystem *sys, const TmlNear *near, const TmlPairIn *in, const PairRate *rate,
                 TmlCoeffs c)
{
    struct TmlTouching *t = sys->touching;
    if (near->travels && !in->absent) {
        take_ways(sys, near, rate, c);
    }
    for (int e = 0; e < 2; ++e) {
        const int carrier = t->carried_by[near->shape[e]], end = t->carrier[carrier].end;
        const int nu = tml_end_parts(sys, end)->cols;
        double *row = t->value_row + (size_t)carrier * (size_t)sys->stride;
        TmlFrameMap map = sys->room.map[0];
        if (nu == 0) {
            continue;
        }
        tml_end_map(sys, end, c, TML_MAP_MOTION | TML_MAP_TWIST, &map);
        for (int k = 0; k < nu; ++k) {
            for (int p = 0; p < 6; ++p) {
                row[k] +=
                    rate->q[6 * e + p] * map.P[p * nu + k] + rate->v[6 * e + p] * map.W[p * nu + k];
            }
        }
    }
}

/* Adds the columns of the bristles of pairs that the value speaks of. */
static void emit_bristles(TmlSystem *sys, const TmlContactValue *value, int row, double factor)
{
    struct TmlTouching *t = sys->touching;
    const TmlModel *m = sys->model;
    for (int k = 0; k < m->bristles.n; ++k) {
        const TmlBristlePair *p = &m->bristles.at[k];
        const int a = m->shapes.at[p->shape[0]].body, b = m->shapes.at[p->shape[1]].body;
        double x[3 * TML_BRISTLES_A_PAIR] = {0};
        if (tml_value_end(value, a, b) < 0) {
            continue;
        }
        for (int i = 0; i < t->n; ++i) {
            TmlNear *near = &t->near[i];
            const int e = near->bristle == k ? tml_value_asks(sys, value, near) : -1;
            if (e >= 0) {
                PairRate rate;
                TmlPairIn in = tml_near_in(sys, near, 0.0);
                in.watch = NULL;
                pair_rate(sys, value, near, &in, e, &rate);
                for (int j = 0; j < 3 * p->n; ++j) {
                    x[j] = factor * rate.y[j];
                }
            }
        }
        tml_emit(sys, row, 1, sys->dim.nu + sys->dim.m + p->state0, 3 * p->n, x, true);
    }
}

static void sum_pairs(TmlSystem *sys, const TmlContactValue *value, TmlCoeffs c)
{
    struct TmlTouching *t = sys->touching;
    PairRate rate;
    if (value->asked == TML_CONTACT_DEPTH) {
        TmlNear near;
        double reach;
        if (tml_value_deepest(sys, value, &near, &reach)) {
            const TmlPairIn in = tml_near_in(sys, &near, reach);
            pair_rate(sys, value, &near, &in, 0, &rate);
            take(sys, &near, &in, &rate, c);
        }
        return;
    }
    for (int i = 0; i < t->n; ++i) {
        TmlNear *near = &t->near[i];
        const int e = tml_value_asks(sys, value, near);
        if (e >= 0) {
            TmlPairIn in = tml_near_in(sys, near, 0.0);
            in.watch = NULL; // as the value itself
            pair_rate(sys, value, near, &in, e, &rate);
            take(sys, near, &in, &rate, c);
        }
    }
}

void tml_contact_rates_emit(TmlSystem *sys, const TmlEquation *eq, int row, const double *gu,
                            double sign, TmlCoeffs c, double c_x)
{
    const TmlBinding *b = eq->binding;
    struct TmlTouching *t = sys->touching;
    for (int i = 0; t != NULL && i < b->n_unknowns; ++i) {
        if (b->unknown[i].kind != TML_UNKNOWN_CONTACT) {
            continue;
        }
        const TmlContactValue *value = &sys->model->contact_values.at[b->unknown[i].index];
        const double factor = sign * gu[i];
        memset(t->value_row, 0, (size_t)t->n_carriers * (size_t)sys->stride * sizeof *t->value_row);
        if (factor != 0.0) {
            sum_pairs(sys, value, c);
        }
        for (int k = 0; k < t->n_carriers; ++k) {
            const TmlParts *p = tml_end_parts(sys, t->carrier[k].end);
            double *x = t->value_row + (size_t)k * (size_t)sys->stride;
            if (p->cols == 0 || !may_read(sys, value, t->carrier[k].body)) {
                continue;
            }
            for (int j = 0; j < p->cols; ++j) {
                x[j] *= factor;
            }
            tml_emit_rows(sys, row, 1, p, x, true); // (D4)
        }
        emit_bristles(sys, value, row, factor * c_x);
    }
}
