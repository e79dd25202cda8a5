/* reduce/basis/spider.c - the rows of rigid and averaging spiders. */
#include "reduce/basis/spider.h"

#include "math/dense.h"
#include "math/principal.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdio.h>

/* Nodes lie on a line when their spread across it is less than this part of that along it. */
static const double line_spread = 1e-6;

void tml_spider_text(char *out, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(out, size, fmt, args);
    va_end(args);
}

void tml_spider_row(TmlVec3 r, int which, double row[6])
{
    // t x r = -r~ t: column c of the three rows
    const double skew[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}};
    for (int c = 0; c < 3; ++c) {
        row[c] = which == c;
        row[3 + c] = which < 3 ? skew[which][c] : which - 3 == c;
    }
}

static double weight_of(const TmlInterface *i, int k)
{
    return i->weight != NULL ? i->weight[k] : 1.0;
}

/* Weighted centre of the nodes and their moments about it, J = sum w (r.r 1 - r r^T). */
static double moments_of(const TmlFeMatrices *fe, const TmlInterface *i, TmlVec3 *centre,
                         TmlMat33 *J)
{
    double sum = 0.0;
    *centre = v3(0, 0, 0);
    *J = m3_diag(0, 0, 0);
    for (int k = 0; k < i->n; ++k) {
        sum += weight_of(i, k);
        *centre = v3_axpy(weight_of(i, k), fe->x[i->node[k]], *centre);
    }
    *centre = v3_scale(1.0 / sum, *centre);
    for (int k = 0; k < i->n; ++k) {
        const TmlVec3 r = v3_sub(fe->x[i->node[k]], *centre);
        const TmlMat33 rr = m3_skew_skew(r, r);
        *J = m3_axpy(-weight_of(i, k), &rr, J);
    }
    return sum;
}

static bool on_a_line(const TmlMat33 *J)
{
    double w[3];
    TmlMat33 axes;
    tml_principal(J, w, &axes);
    const double least = fmin(w[0], fmin(w[1], w[2])), most = fmax(w[0], fmax(w[1], w[2]));
    return !(least > line_spread * line_spread * most);
}

TmlStatus tml_spider_check(const TmlFeMatrices *fe, const TmlInterface *i, TmlError *err)
{
    bool turns = false;
    if (i->n < 1) {
        return tml_fail(err, TML_E_MODEL, "interface '%s' has no nodes", i->name);
    }
    for (int k = 0; k < i->n; ++k) {
        turns = turns || fe->first[i->node[k] + 1] - fe->first[i->node[k]] == 6;
        if (!(weight_of(i, k) > 0.0)) {
            return tml_fail(err, TML_E_MODEL,
                            "interface '%s': the weight of node %lld is %g, but "
                            "must be positive",
                            i->name, (long long)fe->id[i->node[k]], weight_of(i, k));
        }
    }
    if (i->tie == TML_TIE_NODE) {
        return i->n == 1 ? TML_OK
                         : tml_fail(err, TML_E_MODEL,
                                    "interface '%s': %d nodes where one is meant; tie them to a "
                                    "frame by 'tie: rigid' or 'tie: average'",
                                    i->name, i->n);
    }
    TmlVec3 centre;
    TmlMat33 J;
    moments_of(fe, i, &centre, &J);
    if (i->n < 3 || on_a_line(&J)) {
        if (i->tie == TML_TIE_RIGID && turns) {
            return TML_OK; // rotations of the nodes hold the frame
        }
        return tml_fail(err, TML_E_MODEL,
                        "interface '%s': its %d node%s lie%s on a line, so that nothing holds the "
                        "frame's rotation about it; take three nodes or more that do not",
                        i->name, i->n, i->n == 1 ? "" : "s", i->n == 1 ? "s" : "");
    }
    return TML_OK;
}

/* H about the frame, its rotations scaled by the spread of the nodes so that it is well
 * conditioned; then H^-1 w_k R_k^T column by column. */
TmlStatus tml_spider_average(const TmlFeMatrices *fe, const TmlInterface *i, double *rows,
                             TmlError *err)
{
    double H[36] = {0};
    int pivot[6];
    TmlVec3 centre;
    TmlMat33 J;
    const double sum = moments_of(fe, i, &centre, &J);
    const double length = sqrt((J.cx.x + J.cy.y + J.cz.z) / (2.0 * sum));
    for (int k = 0; k < i->n; ++k) {
        for (int a = 0; a < 3; ++a) {
            double r[6];
            tml_spider_row(v3_sub(fe->x[i->node[k]], i->at), a, r);
            for (int c = 0; c < 36; ++c) {
                const double s = (c / 6 < 3 ? 1.0 : length) * (c % 6 < 3 ? 1.0 : length);
                H[c] += weight_of(i, k) * r[c / 6] * r[c % 6] / s;
            }
        }
    }
    TML_TRY(tml_dense_factor(6, H, pivot, err));
    for (int k = 0; k < i->n; ++k) {
        for (int a = 0; a < 3; ++a) {
            const size_t at = (size_t)fe->first[i->node[k]] + (size_t)a;
            double r[6];
            tml_spider_row(v3_sub(fe->x[i->node[k]], i->at), a, r);
            for (int c = 0; c < 6; ++c) {
                r[c] *= weight_of(i, k) / (c < 3 ? 1.0 : length);
            }
            tml_dense_solve(6, H, pivot, 1, r);
            for (int c = 0; c < 6; ++c) {
                rows[(size_t)c * (size_t)fe->n + at] += r[c] / (c < 3 ? 1.0 : length);
            }
        }
    }
    return TML_OK;
}
