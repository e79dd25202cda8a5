/* model/primitive/relation.c - linear relations between joint coordinates, equation (Y1).
 *
 * Every derivative of (Y1) is the weighted sum of those of the coordinates, which are primitives:
 * TML_PRIM_ANGLE and TML_PRIM_ALONG with axis z. Each pair of ends has its own block.
 */
#include "model/primitive/relation.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/primitive/primitive.h"

const char *const tml_relation_rows[] = {"relation of the joint coordinates"};

static TmlPrim coordinate(const TmlTerm *term)
{
    return term->coordinate == TML_COORD_ANGLE ? (TmlPrim){.kind = TML_PRIM_ANGLE}
                                               : (TmlPrim){.kind = TML_PRIM_ALONG, .axis_i = 2};
}

static TmlRow row_scale(double s, TmlRow x)
{
    return (TmlRow){v3_scale(s, x.r), v3_scale(s, x.theta)};
}

TmlStatus tml_relation_check(const TmlRelation *p, int least, TmlError *err)
{
    if (p->terms.n < least || p->terms.n > TML_RELATION_TERMS) {
        return tml_fail(err, TML_E_MODEL, "%d terms given, expected %d to %d", p->terms.n, least,
                        (int)TML_RELATION_TERMS);
    }
    for (int k = 0; k < p->terms.n; ++k) {
        const double c = p->terms.term[k].coefficient;
        if (!isfinite(c) || c == 0.0) {
            return tml_fail(err, TML_E_MODEL,
                            "the coefficient of term %d is %g, expected a number other than 0",
                            k + 1, c);
        }
    }
    return TML_OK;
}

void tml_relation_prepare(TmlRelation *p, const double *scale, const TmlFrameKin *e)
{
    p->constant = 0.0;
    for (int k = 0; k < p->terms.n; ++k) {
        const TmlTerm *term = &p->terms.term[k];
        const TmlPrim prim = coordinate(term);
        p->weight[k] = term->coefficient * (scale != NULL ? scale[k] : 1.0);
        p->start[k] = tml_prim_value(&prim, &e[2 * k], &e[2 * k + 1], 0.0);
        p->constant += p->weight[k] * p->start[k];
    }
}

/* s_k on the branch nearest to the last accepted state. */
static double term_value(const TmlElementIn *in, int k)
{
    const TmlRelation *p = in->data;
    const TmlPrim prim = coordinate(&p->terms.term[k]);
    const double last = p->start[k] + in->memory[k];
    return tml_prim_value(&prim, &in->e[2 * k], &in->e[2 * k + 1], last);
}

void tml_relation_residual(const TmlElementIn *in, double *phi)
{
    const TmlRelation *p = in->data;
    phi[0] = -p->constant;
    for (int k = 0; k < p->terms.n; ++k) {
        phi[0] += p->weight[k] * term_value(in, k); // (Y1)
    }
}

void tml_relation_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const TmlRelation *p = in->data;
    for (int k = 0; k < p->terms.n; ++k) {
        const TmlPrim prim = coordinate(&p->terms.term[k]);
        const TmlFrameKin *e = &in->e[2 * k];
        TmlRow *row = &J[2 * k];
        tml_prim_rows(&prim, &e[0], &e[1], &row[0], &row[1]);
        row[0] = row_scale(p->weight[k], row[0]);
        row[1] = row_scale(p->weight[k], row[1]);
    }
}

void tml_relation_gamma(const TmlElementIn *in, double *gamma)
{
    const TmlRelation *p = in->data;
    gamma[0] = 0.0;
    for (int k = 0; k < p->terms.n; ++k) {
        const TmlPrim prim = coordinate(&p->terms.term[k]);
        gamma[0] -= p->weight[k] * tml_prim_second_rate(&prim, &in->e[2 * k], &in->e[2 * k + 1]);
    }
}

void tml_relation_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    enum { NB = 12 }; // rows of the block of one pair of ends
    const TmlRelation *p = in->data;
    const int n = 6 * in->n_ends;
    for (int k = 0; k < p->terms.n; ++k) {
        const TmlPrim prim = coordinate(&p->terms.term[k]);
        double block[NB * NB] = {0};
        tml_prim_curvature(&prim, &in->e[2 * k], &in->e[2 * k + 1], lambda[0] * p->weight[k],
                           block);
        for (int row = 0; row < NB; ++row) {
            for (int col = 0; col < NB; ++col) {
                K[(NB * k + row) * n + NB * k + col] += block[row * NB + col];
            }
        }
    }
}

void tml_relation_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const TmlRelation *p = in->data;
    for (int k = 0; k < p->terms.n; ++k) {
        const TmlPrim prim = coordinate(&p->terms.term[k]);
        const TmlFrameKin *e = &in->e[2 * k];
        TmlRow *m = &Gm[2 * k], *v = &Gv[2 * k];
        tml_prim_second_rate_tangent(&prim, &e[0], &e[1], &m[0], &m[1], &v[0], &v[1]);
        for (int end = 0; end < 2; ++end) {
            m[end] = row_scale(-p->weight[k], m[end]);
            v[end] = row_scale(-p->weight[k], v[end]);
        }
    }
}

void tml_relation_commit(const TmlElementIn *in, double *memory)
{
    const TmlRelation *p = in->data;
    for (int k = 0; k < p->terms.n; ++k) {
        memory[k] = term_value(in, k) - p->start[k];
    }
}
