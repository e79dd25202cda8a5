/* model/modal/modal_equations.c - equations of motion of a modal body, (MO3) to (MO8) of modal.h. */
#include "model/modal/modal.h"

#include "math/array.h"
#include "math/vec3.h"

#include <string.h>

/* vee of a row major matrix: f x g of f g^T. */
static TmlVec3 vee(const double *X)
{
    return v3(X[5] - X[7], X[6] - X[2], X[1] - X[3]);
}

static double trace(const double *X)
{
    return X[0] + X[4] + X[8];
}

static TmlVec3 times(const double *X, TmlVec3 v)
{
    return v3(X[0] * v.x + X[1] * v.y + X[2] * v.z, X[3] * v.x + X[4] * v.y + X[5] * v.z,
              X[6] * v.x + X[7] * v.y + X[8] * v.z);
}

static TmlVec3 transposed_times(const double *X, TmlVec3 v)
{
    return v3(X[0] * v.x + X[3] * v.y + X[6] * v.z, X[1] * v.x + X[4] * v.y + X[7] * v.z,
              X[2] * v.x + X[5] * v.y + X[8] * v.z);
}

static TmlMat33 matrix_of(const double *X)
{
    return (TmlMat33){{X[0], X[3], X[6]}, {X[1], X[4], X[7]}, {X[2], X[5], X[8]}};
}

/* G_ij, counted from 0: the undeformed shape. */
static const double *moment(const TmlModal *b, int i, int j)
{
    return b->G + 9 * ((size_t)i * (size_t)(b->m + 1) + (size_t)j);
}

TmlStatus tml_modal_sums_create(const TmlModal *body, TmlArena *arena, TmlModalSums *s,
                                TmlError *err)
{
    const int m = body->m, n = body->loads.n;
    *s = (TmlModalSums){0};
    TML_NEW(arena, s->load_g, (size_t)n * (size_t)m);
    TML_NEW(arena, s->load_b, n);
    TML_NEW(arena, s->load_N, n);
    TML_NEW(arena, s->C, 3 * (size_t)m);
    TML_NEW(arena, s->E, 9 * (size_t)m);
    TML_NEW(arena, s->E1, 9 * (size_t)m);
    TML_NEW(arena, s->E2, 9 * (size_t)m);
    TML_NEW(arena, s->column, 6 + (size_t)m);
    return TML_OK;
}

/* out[9] += sum_i G_ji x_i over modes i. */
static void contract_row(const TmlModal *b, int j, const double *x, double *out)
{
    const double *G = moment(b, j, 1);
    for (int i = 0; i < b->m; ++i, G += 9) {
        for (int k = 0; k < 9; ++k) {
            out[k] += x[i] * G[k];
        }
    }
}

void tml_modal_shape(const TmlModalIn *in, TmlModalSums *s)
{
    const TmlModal *b = in->body;
    double cc[9];
    s->S = v3_at(b->P);
    memcpy(cc, moment(b, 0, 0), sizeof cc);
    contract_row(b, 0, in->eta, cc);
    for (int j = 0; j < b->m; ++j) {
        double *E = s->E + 9 * j;
        memcpy(E, moment(b, j + 1, 0), 9 * sizeof *E);
        contract_row(b, j + 1, in->eta, E); // (MO3)
        for (int k = 0; k < 9; ++k) {
            cc[k] += in->eta[j] * E[k];
        }
        s->S = v3_axpy(in->eta[j], v3_at(b->P + 3 * (j + 1)), s->S);
        const TmlVec3 rest = b->C_r != NULL ? v3_at(b->C_r + 3 * j) : v3(0, 0, 0);
        v3_put(s->C + 3 * j, v3_sub(rest, vee(E))); // (MO4)
    }
    double J[9];
    const double t = trace(cc);
    for (int k = 0; k < 9; ++k) {
        J[k] = (k % 4 == 0 ? t : 0.0) - cc[k] + b->J_r[k];
    }
    s->J = matrix_of(J);
}

void tml_modal_rates(const TmlModalIn *in, TmlModalSums *s)
{
    const TmlModal *b = in->body;
    double Ht[9] = {0};
    s->P1 = v3(0, 0, 0);
    for (int j = 0; j < b->m; ++j) {
        double *E1 = s->E1 + 9 * j;
        memset(E1, 0, 9 * sizeof *E1);
        contract_row(b, j + 1, in->eta1, E1); // (MO5)
        for (int k = 0; k < 9; ++k) {
            Ht[k] += in->eta1[j] * s->E[9 * j + k];
        }
        s->P1 = v3_axpy(in->eta1[j], v3_at(b->P + 3 * (j + 1)), s->P1);
    }
    s->Ht = matrix_of(Ht);
}

/* sum of x_j times vectors. */
static TmlVec3 combine(const double *vectors, int m, const double *x)
{
    TmlVec3 sum = {0};
    for (int j = 0; vectors != NULL && j < m; ++j) {
        sum = v3_axpy(x[j], v3_at(vectors + 3 * j), sum);
    }
    return sum;
}

static double row_times(const double *row, int m, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < m; ++i) {
        sum += row[i] * x[i];
    }
    return sum;
}

static double trace_of(const TmlMat33 *A)
{
    return A->cx.x + A->cy.y + A->cz.z;
}

void tml_modal_residual(const TmlModalIn *in, TmlModalSums *s, double *e)
{
    const TmlModal *b = in->body;
    const int m = b->m;
    const TmlVec3 w = in->w, Jw = m3_mulv(&s->J, w);
    TmlVec3 x = v3_scale(b->mass, in->f); // (MO6)
    x = v3_add(x, v3_cross(in->al, s->S));
    x = v3_add(x, combine(b->P + 3, m, in->eta2));
    x = v3_add(x, v3_cross(w, v3_axpy(2.0, s->P1, v3_cross(w, s->S))));
    v3_put(e, x);
    x = v3_add(v3_cross(s->S, in->f), m3_mulv(&s->J, in->al)); // (MO7)
    x = v3_add(x, combine(s->C, m, in->eta2));
    x = v3_add(x, v3_cross(w, v3_add(Jw, combine(b->C_r, m, in->eta1))));
    x = v3_axpy(2.0 * trace_of(&s->Ht), w, x);
    x = v3_axpy(-2.0, m3_mulv(&s->Ht, w), x);
    v3_put(e + 3, x);
    const double ww = v3_dot(w, w);
    for (int j = 0; j < m; ++j) { // (MO8)
        const double *E = s->E + 9 * j;
        const size_t row = (size_t)j * (size_t)m;
        double y = v3_dot(v3_at(b->P + 3 * (j + 1)), in->f);
        y += v3_dot(v3_at(s->C + 3 * j), in->al);
        y += row_times(b->M + row, m, in->eta2);
        y += v3_dot(w, times(E, w)) - trace(E) * ww;
        y -= 2.0 * v3_dot(w, vee(s->E1 + 9 * j));
        y += row_times(b->K + row, m, in->eta);
        e[6 + j] = y + (b->D != NULL ? row_times(b->D + row, m, in->eta1) : 0.0);
    }
    tml_modal_load_forces(in, s, e + 6);
}

void tml_modal_mass_times(const TmlModal *body, const TmlModalSums *s, const double *x, double *y)
{
    const int m = body->m;
    const TmlVec3 a = v3_at(x), al = v3_at(x + 3);
    TmlVec3 f = v3_add(v3_scale(body->mass, a), v3_cross(al, s->S));
    v3_put(y, v3_add(f, combine(body->P + 3, m, x + 6)));
    f = v3_add(v3_cross(s->S, a), m3_mulv(&s->J, al));
    v3_put(y + 3, v3_add(f, combine(s->C, m, x + 6)));
    for (int j = 0; j < m; ++j) {
        y[6 + j] = v3_dot(v3_at(body->P + 3 * (j + 1)), a) + v3_dot(v3_at(s->C + 3 * j), al) +
                   row_times(body->M + (size_t)j * (size_t)m, m, x + 6);
    }
}

double tml_modal_kinetic(const TmlModalIn *in, const TmlModalSums *s, TmlVec3 v)
{
    const TmlModal *b = in->body;
    double sum = b->mass * v3_dot(v, v) + 2.0 * v3_dot(v, v3_add(v3_cross(in->w, s->S), s->P1));
    sum += v3_dot(in->w, v3_axpy(2.0, combine(s->C, b->m, in->eta1), m3_mulv(&s->J, in->w)));
    for (int j = 0; j < b->m; ++j) {
        sum += in->eta1[j] * row_times(b->M + (size_t)j * (size_t)b->m, b->m, in->eta1);
    }
    return 0.5 * sum;
}

double tml_modal_stored(const TmlModalIn *in, TmlModalSums *s)
{
    const int m = in->body->m;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        sum += in->eta[j] * row_times(in->body->K + (size_t)j * (size_t)m, m, in->eta);
    }
    return 0.5 * sum + tml_modal_load_energy(in, s);
}

double tml_modal_power(const TmlModalIn *in, const TmlModalSums *s)
{
    const TmlModal *b = in->body;
    double sum = 0.0;
    for (int j = 0; j < b->m; ++j) {
        const size_t row = (size_t)j * (size_t)b->m;
        double f = row_times(b->K + row, b->m, in->eta);
        f += b->D != NULL ? row_times(b->D + row, b->m, in->eta1) : 0.0;
        sum -= f * in->eta1[j];
    }
    return sum + tml_modal_load_power(in, s);
}

/* --- derivatives ------------------------------------------------------------------------------ */

/* The first rows of one column of K, which has n. */
static void column_put(double *K, int n, int column, int rows, const double *e)
{
    for (int r = 0; r < rows; ++r) {
        K[(size_t)r * (size_t)n + (size_t)column] = e[r];
    }
}

/* e[6 + m]: what e changes by when f, w, al change by df, dw, dal. */
static void frame_column(const TmlModalIn *in, const TmlModalSums *s, TmlVec3 df, TmlVec3 dw,
                         TmlVec3 dal, double *e)
{
    const TmlModal *b = in->body;
    const TmlVec3 w = in->w;
    TmlVec3 x = v3_add(v3_scale(b->mass, df), v3_cross(dal, s->S));
    x = v3_add(x, v3_cross(dw, v3_axpy(2.0, s->P1, v3_cross(w, s->S))));
    v3_put(e, v3_add(x, v3_cross(w, v3_cross(dw, s->S))));
    const TmlVec3 h = v3_add(m3_mulv(&s->J, w), combine(b->C_r, b->m, in->eta1));
    x = v3_add(v3_cross(s->S, df), m3_mulv(&s->J, dal));
    x = v3_add(x, v3_add(v3_cross(dw, h), v3_cross(w, m3_mulv(&s->J, dw))));
    x = v3_axpy(2.0 * trace_of(&s->Ht), dw, x);
    v3_put(e + 3, v3_axpy(-2.0, m3_mulv(&s->Ht, dw), x));
    for (int j = 0; j < b->m; ++j) {
        const double *E = s->E + 9 * j;
        double y = v3_dot(v3_at(b->P + 3 * (j + 1)), df) + v3_dot(v3_at(s->C + 3 * j), dal);
        y += v3_dot(dw, v3_add(times(E, w), transposed_times(E, w)));
        y -= 2.0 * trace(E) * v3_dot(w, dw);
        e[6 + j] = y - 2.0 * v3_dot(dw, vee(s->E1 + 9 * j));
    }
}

/* J changes by dJ_i = tr(X) 1 - X, X = E_i + E_i^T, with coordinate i: dJ_i v. */
static TmlVec3 inertia_change(const double *E, TmlVec3 v)
{
    const TmlVec3 Xv = v3_add(times(E, v), transposed_times(E, v));
    return v3_axpy(-1.0, Xv, v3_scale(2.0 * trace(E), v));
}

/* e[6]: rows of the frame in the column of mode i. */
static void mode_column(const TmlModalIn *in, const TmlModalSums *s, int i, double c_q, double c_v,
                        double c_a, double *e)
{
    const TmlModal *b = in->body;
    const TmlVec3 w = in->w, P = v3_at(b->P + 3 * (i + 1)), C = v3_at(s->C + 3 * i);
    const double *E = s->E + 9 * i, *E1 = s->E1 + 9 * i, *E2 = s->E2 + 9 * i;
    const TmlVec3 wP = v3_cross(w, P);
    TmlVec3 x = v3_axpy(c_q, v3_add(v3_cross(in->al, P), v3_cross(w, wP)), v3_scale(c_a, P));
    v3_put(e, v3_axpy(2.0 * c_v, wP, x));
    x = v3_add(v3_cross(P, in->f), inertia_change(E, in->al));
    x = v3_add(x, v3_add(v3_cross(w, inertia_change(E, w)), vee(E2)));
    x = v3_axpy(2.0 * trace(E1), w, x);
    x = v3_scale(c_q, v3_axpy(-2.0, transposed_times(E1, w), x));
    x = v3_axpy(c_v, v3_axpy(-2.0, times(E, w), v3_scale(2.0 * trace(E), w)), x);
    if (b->C_r != NULL) {
        x = v3_axpy(c_v, v3_cross(w, v3_at(b->C_r + 3 * i)), x);
    }
    v3_put(e + 3, v3_axpy(c_a, C, x));
}

/* Weights of G_ij in the row of mode j and the column of mode i:
 *   c_q (al . vee(G_ij) + w . G_ij w - tr(G_ij) w.w) + c_v 2 w . vee(G_ij) */
static void mode_weights(const TmlModalIn *in, double c_q, double c_v, double W[9])
{
    const TmlVec3 w = in->w, x = v3_axpy(2.0 * c_v, w, v3_scale(c_q, in->al));
    const double u[3] = {w.x, w.y, w.z}, ww = v3_dot(w, w);
    for (int k = 0; k < 9; ++k) {
        W[k] = c_q * (u[k / 3] * u[k % 3] - (k % 4 == 0 ? ww : 0.0));
    }
    W[5] += x.x;
    W[7] -= x.x;
    W[6] += x.y;
    W[2] -= x.y;
    W[1] += x.z;
    W[3] -= x.z;
}

/* The rows of the modes in the column of mode i. */
static void mode_rows(const TmlModal *b, int i, const double W[9], double c_q, double c_v,
                      double c_a, double *K)
{
    const int m = b->m, n = 6 + m;
    for (int j = 0; j < m; ++j) {
        const double *G = moment(b, i + 1, j + 1);
        const size_t at = (size_t)j * (size_t)m + (size_t)i;
        double x = c_q * b->K[at] + c_a * b->M[at] + (b->D != NULL ? c_v * b->D[at] : 0.0);
        for (int k = 0; k < 9; ++k) {
            x += W[k] * G[k];
        }
        K[(size_t)(6 + j) * (size_t)n + (size_t)(6 + i)] = x;
    }
}

void tml_modal_tangent(const TmlModalIn *in, TmlModalSums *s, const double *X, double c_q,
                       double c_v, double c_a, double *K)
{
    const TmlModal *b = in->body;
    const int m = b->m, n = 6 + m;
    double W[9];
    for (int k = 0; k < 6; ++k) {
        const TmlVec3 df = v3(X[k], X[6 + k], X[12 + k]), dw = v3(X[18 + k], X[24 + k], X[30 + k]);
        const TmlVec3 dal = v3(X[36 + k], X[42 + k], X[48 + k]);
        frame_column(in, s, df, dw, dal, s->column);
        column_put(K, n, k, n, s->column);
    }
    mode_weights(in, c_q, c_v, W);
    for (int i = 0; i < m; ++i) {
        double *E2 = s->E2 + 9 * i, top[6];
        memset(E2, 0, 9 * sizeof *E2);
        contract_row(b, i + 1, in->eta2, E2);
        mode_column(in, s, i, c_q, c_v, c_a, top);
        column_put(K, n, 6 + i, 6, top);
        mode_rows(b, i, W, c_q, c_v, c_a, K);
    }
    tml_modal_load_tangent(in, s, c_q, K);
}
