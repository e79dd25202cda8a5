/* model/measure/measure_element.c - measures of joints and forces: reactions, wrenches, outputs.
 *
 *   (E1)  reaction on the second body  y = -sum_k lambda_k J_k1        (force or torque part)
 *   (E2)  dy = -J_k1 dlambda_k - K_1 dx,  K the curvature for these lambdas, K_1 its rows of end 1
 *   (E3)  force on the last end        y = w(x, nu, F),  dy = Kq dx + Kv dnu + P dF
 *
 * A component is c . y with c an axis of a frame: d(c . y) = c . dy + (c x y) . dtheta; for the
 * magnitude c = y / |y| is kept fixed.
 */
#include "math/vec3.h"
#include "model/measure/measure.h"

#include <string.h>

// what an element is given, gathered from the binding's ends and unknowns
typedef struct ElementState {
    TmlFrameKin e[TML_MAX_ENDS];
    double u[TML_MAX_ROWS > TML_MAX_OWN ? TML_MAX_ROWS : TML_MAX_OWN]; // lambdas or F
    TmlElementIn in;
} ElementState;

static int output_count(const TmlForceType *type)
{
    int n = 0;
    while (type->info.outputs != NULL && type->info.outputs[n].name != NULL) {
        ++n;
    }
    return n;
}

/* Without the work memory of the element itself. */
static size_t own_scratch(const TmlLeaf *leaf)
{
    const size_t n = 6 * (size_t)leaf->n_ends, f = (size_t)leaf->n_unknowns;
    switch (leaf->kind) {
    case TML_LEAF_REACTION:
        return (size_t)leaf->constraint->rows * n + n * n;
    case TML_LEAF_FORCE:
        return n + f * n + 2 * n * n;
    case TML_LEAF_OUTPUT:
        return (size_t)output_count(leaf->force) * (1 + 2 * n + f);
    default:
        return 0;
    }
}

size_t tml_element_scratch(const TmlLeaf *leaf)
{
    const bool works = leaf->constraint != NULL && leaf->constraint->work != NULL;
    return own_scratch(leaf) + (works ? leaf->constraint->work(leaf->data) : 0);
}

static void element_gather(const TmlLeaf *leaf, const TmlBindIn *in, double *scratch,
                           ElementState *s)
{
    for (int k = 0; k < leaf->n_ends; ++k) {
        s->e[k] = in->e[leaf->end[k]];
    }
    for (int k = 0; k < leaf->n_unknowns; ++k) {
        s->u[k] = in->u[leaf->unknown[k]];
    }
    s->in = (TmlElementIn){.data = leaf->data,
                           .e = s->e,
                           .n_ends = leaf->n_ends,
                           .t = in->t,
                           .f = s->u,
                           .memory = leaf->memory >= 0 ? in->memory + leaf->memory : NULL,
                           .work = scratch + own_scratch(leaf)};
}

static TmlVec3 part(const TmlLeaf *leaf, const TmlRow *w)
{
    return leaf->torque ? w->theta : w->r;
}

/* Which end of the element the wrench acts on. */
static int acted_end(const TmlLeaf *leaf)
{
    return leaf->kind == TML_LEAF_REACTION ? 1 : leaf->n_ends - 1;
}

/* (E1); J is left for the gradient. */
static TmlVec3 reaction_vector(const TmlLeaf *leaf, const ElementState *s, TmlRow *J)
{
    const int n = leaf->n_ends;
    TmlVec3 y = v3(0, 0, 0);
    memset(J, 0, (size_t)(leaf->constraint->rows * n) * sizeof *J);
    leaf->constraint->jacobian(&s->in, J);
    for (int k = 0; k < leaf->n_unknowns; ++k) {
        y = v3_axpy(-s->u[k], part(leaf, &J[k * n + acted_end(leaf)]), y);
    }
    return y;
}

static TmlVec3 force_vector(const TmlLeaf *leaf, const ElementState *s, TmlRow *w)
{
    memset(w, 0, (size_t)leaf->n_ends * sizeof *w);
    leaf->force->wrench(&s->in, w);
    return part(leaf, &w[acted_end(leaf)]);
}

static TmlVec3 axis_of(const TmlLeaf *leaf, const TmlBindIn *in, TmlVec3 y)
{
    if (leaf->axis == TML_AXIS_MAGNITUDE) {
        return v3_unit(y);
    }
    const TmlMat33 *A = &in->e[leaf->slot[TML_SLOT_AXES]].A;
    return leaf->axis == 0 ? A->cx : leaf->axis == 1 ? A->cy : A->cz;
}

double tml_element_value(const TmlLeaf *leaf, const TmlBindIn *in, double *scratch)
{
    ElementState s;
    element_gather(leaf, in, scratch, &s);
    if (leaf->kind == TML_LEAF_OUTPUT) {
        leaf->force->output(&s.in, scratch);
        return scratch[leaf->axis];
    }
    TmlRow *rows = (TmlRow *)scratch;
    const TmlVec3 y = leaf->kind == TML_LEAF_REACTION ? reaction_vector(leaf, &s, rows)
                                                      : force_vector(leaf, &s, rows);
    return v3_dot(axis_of(leaf, in, y), y);
}

/* rows[end] += scale c . (rows of K that belong to the acted end) */
static void add_matrix_rows(const TmlLeaf *leaf, const double *K, double scale, TmlVec3 c,
                            TmlRow *rows)
{
    const int n = 6 * leaf->n_ends, first = 6 * acted_end(leaf) + (leaf->torque ? 3 : 0);
    const double *K0 = K + first * n, *K1 = K0 + n, *K2 = K1 + n;
    for (int k = 0; k < leaf->n_ends; ++k) {
        double x[6];
        for (int m = 0; m < 6; ++m) {
            const int col = 6 * k + m;
            x[m] = c.x * K0[col] + c.y * K1[col] + c.z * K2[col];
        }
        const TmlRow row = {v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5])};
        tml_row_add(&rows[leaf->end[k]], scale, &row);
    }
}

/* Below the first row of blocks K is its transpose. */
static void complete_arrow(int n, double *K)
{
    for (int i = 6; i < 6 * n; ++i) {
        for (int k = 0; k < 6; ++k) {
            K[i * 6 * n + k] = K[k * 6 * n + i];
        }
    }
}

static TmlVec3 reaction_gradient(const TmlLeaf *leaf, const TmlBindIn *in, const ElementState *s,
                                 double scale, double *scratch, TmlBindGrad *out)
{
    const int n = leaf->n_ends;
    TmlRow *J = (TmlRow *)scratch;
    double *K = scratch + 6 * leaf->constraint->rows * n;
    const TmlVec3 y = reaction_vector(leaf, s, J), c = axis_of(leaf, in, y);
    for (int k = 0; k < leaf->n_unknowns; ++k) { // (E2)
        out->u[leaf->unknown[k]] -= scale * v3_dot(c, part(leaf, &J[k * n + acted_end(leaf)]));
    }
    if (leaf->constraint->curvature != NULL) {
        memset(K, 0, (size_t)(36 * n * n) * sizeof *K);
        leaf->constraint->curvature(&s->in, s->u, K);
        if (leaf->constraint->arrow) {
            complete_arrow(n, K);
        }
        add_matrix_rows(leaf, K, -scale, c, out->q);
    }
    return y;
}

static TmlVec3 force_gradient(const TmlLeaf *leaf, const TmlBindIn *in, const ElementState *s,
                              double scale, double *scratch, TmlBindGrad *out)
{
    const int n = leaf->n_ends;
    TmlRow *w = (TmlRow *)scratch, *P = w + n;
    double *Kq = scratch + 6 * n * (1 + leaf->n_unknowns), *Kv = Kq + 36 * n * n;
    const TmlVec3 y = force_vector(leaf, s, w), c = axis_of(leaf, in, y);
    if (leaf->force->tangent != NULL) { // (E3)
        memset(Kq, 0, (size_t)(72 * n * n) * sizeof *Kq);
        leaf->force->tangent(&s->in, Kq, Kv);
        add_matrix_rows(leaf, Kq, scale, c, out->q);
        add_matrix_rows(leaf, Kv, scale, c, out->v);
    }
    if (leaf->n_unknowns > 0) {
        memset(P, 0, (size_t)(leaf->n_unknowns * n) * sizeof *P);
        leaf->force->f_map(&s->in, P);
        for (int k = 0; k < leaf->n_unknowns; ++k) {
            out->u[leaf->unknown[k]] += scale * v3_dot(c, part(leaf, &P[k * n + acted_end(leaf)]));
        }
    }
    return y;
}

static void output_gradient(const TmlLeaf *leaf, const ElementState *s, double scale,
                            double *scratch, TmlBindGrad *out)
{
    const int n = leaf->n_ends, m = output_count(leaf->force), f = leaf->n_unknowns;
    TmlRow *Oq = (TmlRow *)scratch, *Ov = Oq + m * n;
    double *Of = scratch + 12 * m * n;
    memset(scratch, 0, (size_t)(m * (12 * n + f)) * sizeof *scratch);
    leaf->force->output_tangent(&s->in, Oq, Ov, Of);
    for (int k = 0; k < n; ++k) {
        tml_row_add(&out->q[leaf->end[k]], scale, &Oq[leaf->axis * n + k]);
        tml_row_add(&out->v[leaf->end[k]], scale, &Ov[leaf->axis * n + k]);
    }
    for (int k = 0; k < f; ++k) {
        out->u[leaf->unknown[k]] += scale * Of[leaf->axis * f + k];
    }
}

void tml_element_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale, double *scratch,
                          TmlBindGrad *out)
{
    ElementState s;
    element_gather(leaf, in, scratch, &s);
    if (leaf->kind == TML_LEAF_OUTPUT) {
        output_gradient(leaf, &s, scale, scratch, out);
        return;
    }
    const TmlVec3 y = leaf->kind == TML_LEAF_REACTION
                          ? reaction_gradient(leaf, in, &s, scale, scratch, out)
                          : force_gradient(leaf, in, &s, scale, scratch, out);
    if (leaf->axis != TML_AXIS_MAGNITUDE) {
        const TmlRow turn = {.theta = v3_cross(axis_of(leaf, in, y), y)};
        tml_row_add(&out->q[leaf->slot[TML_SLOT_AXES]], scale, &turn);
    }
}

void tml_element_commit(const TmlLeaf *leaf, const TmlBindIn *in, double *memory)
{
    ElementState s;
    element_gather(leaf, in, in->work, &s);
    if (leaf->kind == TML_LEAF_REACTION) {
        leaf->constraint->commit(&s.in, memory);
    } else {
        leaf->force->commit(&s.in, memory);
    }
}
