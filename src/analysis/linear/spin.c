/* analysis/linear/spin.c - motion with a frame that turns steadily: rates (W1), matrices along (W2). */
#include "analysis/linear/spin.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "system/coordinates/charts.h"

#include <math.h>
#include <string.h>

double tml_mat33_at(const TmlMat33 *A, int row, int col)
{
    const TmlVec3 c = col == 0 ? A->cx : col == 1 ? A->cy : A->cz;
    return row == 0 ? c.x : row == 1 ? c.y : c.z;
}

/* --- the motion ----------------------------------------------------------------------------- */

TmlSpin tml_spin_choose(const TmlModel *model, const TmlSpin *own, bool fixed)
{
    return fixed ? (TmlSpin){0} : tml_spins(own) ? *own : model->spin;
}

void tml_spin_motion(const TmlSystem *sys, const TmlSpin *spin, const double *q, bool second,
                     double *u)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const double *x = q + dim->span[b].q0;
        const TmlTriple at = tml_triple(sys, b, false), turn = tml_triple(sys, b, true);
        TmlVec3 arm = v3(x[0], x[1], at.n > 2 ? x[2] : 0.0);
        arm = dim->span[b].lengths > 0 ? v3_sub(arm, spin->at) : arm;
        arm = at.scalars ? v3(0, 0, 0) : arm;
        const TmlVec3 v = v3_cross(spin->rate, arm), a = v3_cross(spin->rate, v);
        const double first[3] = {second ? a.x : v.x, second ? a.y : v.y, second ? a.z : v.z};
        const double then[3] = {spin->rate.x, spin->rate.y, spin->rate.z};
        memcpy(u + at.first, first, (size_t)at.n * sizeof *u);
        for (int k = 0; k < turn.n; ++k) {
            u[turn.first + k] = second ? 0.0 : then[k];
        }
    }
}

void tml_spin_rates(const TmlSystem *sys, const TmlSpin *spin, TmlState *s, double *u)
{
    tml_spin_motion(sys, spin, s->q, false, u);
    tml_system_expand(sys, s->q, u, s->v);
    tml_spin_motion(sys, spin, s->q, true, u);
    tml_system_set_accelerations(sys, u, s);
}

static TmlStatus check_planes(const TmlSystem *sys, const TmlSpin *spin, TmlError *err)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlTriple t = tml_triple(sys, b, false);
        if (t.n == 2 && !t.scalars && (spin->rate.x != 0.0 || spin->rate.y != 0.0)) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "the frame turns about (%.4g, %.4g, %.4g), but '%s' moves in the plane "
                            "x, y only: turn about z, or take elements that leave the plane",
                            spin->rate.x, spin->rate.y, spin->rate.z, tml_body_name(sys, b));
        }
    }
    return TML_OK;
}

/* Refuses nodes that are tied to what does not turn. */
static TmlStatus check_nodes(const TmlSystem *sys, const TmlSpin *spin, double limit, TmlError *err)
{
    for (int f = 0; f < tml_flex_count(sys); ++f) {
        for (int k = 0; k < tml_flex_nodes(sys, f); ++k) {
            TmlVec3 x[3];
            tml_flex_node(sys, f, k, 0, x);
            const TmlVec3 want = v3_cross(spin->rate, v3_sub(x[0], spin->at));
            if (!(v3_norm(v3_sub(x[1], want)) <= limit)) {
                return tml_fail(err, TML_E_ARGUMENT,
                                "node %d of flexible body '%s' does not turn with the frame, at "
                                "(%.4g, %.4g, %.4g) rad/s: tie it to a body that turns, not to "
                                "ground",
                                k + 1, tml_flex_name(sys, f), spin->rate.x, spin->rate.y,
                                spin->rate.z);
            }
        }
    }
    return TML_OK;
}

TmlStatus tml_spin_check(TmlSystem *sys, const TmlSpin *spin, const TmlState *s, double *r,
                         TmlError *err)
{
    const TmlDims *dim = tml_dims(sys);
    const double size = dim->length > 1.0 ? dim->length : 1.0;
    // positions are off by 1e-10 of the size; what does not turn is off by about the size
    const double limit = 1e-6 * v3_norm(spin->rate) * size;
    char who[256];
    TML_TRY(check_planes(sys, spin, err));
    tml_system_residual(sys, s, TML_LEVEL_VELOCITY, r);
    for (int row = 0; row < dim->m_all; ++row) {
        const int k = tml_row_unknown(sys, row);
        if (k >= 0 && !(fabs(r[dim->nu + k]) <= limit)) {
            tml_system_row_name(sys, row, who, sizeof who);
            return tml_fail(err, TML_E_ARGUMENT,
                            "%s does not turn with the frame: at (%.4g, %.4g, %.4g) rad/s it would "
                            "be off by %.4g per second; joints with ground need the axis of the "
                            "frame, motions its rate",
                            who, spin->rate.x, spin->rate.y, spin->rate.z, fabs(r[dim->nu + k]));
        }
    }
    return check_nodes(sys, spin, limit, err);
}

/* --- the matrix ----------------------------------------------------------------------------- */

/* Returns the body whose unknown is column j of the step matrix, or 0 when it is none. */
static int body_of(const TmlSystem *sys, int j, int from)
{
    const TmlDims *dim = tml_dims(sys);
    int b = from;
    while (j < dim->nu && j >= dim->span[b + 1].u0) {
        ++b;
    }
    return j < dim->nu ? b : 0;
}

/* Finds the unknowns that turn together with column j; *b is body_of the column before, then of
 * this. */
static TmlTriple triple_at(const TmlSystem *sys, int j, int *b)
{
    *b = body_of(sys, j, *b);
    return *b > 0 ? tml_triple_of(sys, *b, j) : (TmlTriple){.first = j, .n = 1, .body = 0};
}

static bool add_pattern(const TmlSystem *sys, const TmlCsc *step, TmlPattern *pattern)
{
    bool ok = true;
    for (int j = 0, b = 1; j < tml_dims(sys)->n; ++j) {
        const TmlTriple t = triple_at(sys, j, &b);
        for (int k = step->start[j]; k < step->start[j + 1]; ++k) {
            for (int c = 0; c < t.n; ++c) {
                ok = ok && tml_pattern_add(pattern, step->row[k], t.first + c);
            }
        }
    }
    return ok;
}

static void find_places(const TmlSystem *sys, const TmlCsc *step, TmlSpinMatrix *m)
{
    for (int j = 0, b = 1; j < tml_dims(sys)->n; ++j) {
        const TmlTriple t = triple_at(sys, j, &b);
        for (int k = step->start[j]; k < step->start[j + 1]; ++k) {
            for (int c = 0; c < t.n; ++c) {
                m->to[3 * k + c] = tml_csc_find(&m->K, step->row[k], t.first + c);
            }
        }
    }
}

TmlStatus tml_spin_matrix_create(TmlSystem *sys, const TmlSpin *spin, TmlArena *arena,
                                 TmlSpinMatrix *out, TmlError *err)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *step = tml_system_matrix(sys, TML_MATRIX_STEP);
    const size_t entries = (size_t)step->start[dim->n];
    const TmlMat33 W = m3_skew(spin->rate), WW = m3_mul(&W, &W);
    TmlPattern pattern;
    *out = (TmlSpinMatrix){.S1 = {W, m3_scale(0.5, &W)}, .S2 = {WW, m3_scale(1.0 / 6.0, &WW)}};
    tml_pattern_init(&pattern, dim->n, dim->n);
    const TmlStatus status =
        add_pattern(sys, step, &pattern)
            ? tml_pattern_csc(&pattern, arena, &out->K, err)
            : tml_fail(err, TML_E_NOMEM, "out of memory for the equations of the turning frame");
    tml_pattern_free(&pattern);
    TML_TRY(status);
    TML_NEW(arena, out->to, 3 * entries);
    TML_NEW(arena, out->v, entries);
    TML_NEW(arena, out->a, entries);
    find_places(sys, step, out);
    return tml_lu_create(&out->K, &out->lu, err);
}

void tml_spin_matrix_free(TmlSpinMatrix *m)
{
    tml_lu_free(m->lu);
    m->lu = NULL;
}

/* Adds to columns of motion entry k of the step matrix times a row of (W2). */
static void fill_motion(TmlSpinMatrix *m, const TmlSystem *sys, const TmlCsc *step)
{
    for (int j = 0, b = 1; j < tml_dims(sys)->nu; ++j) {
        b = body_of(sys, j, b);
        const TmlTriple t = tml_triple_of(sys, b, j);
        const TmlMat33 *S1 = &m->S1[t.rotation], *S2 = &m->S2[t.rotation];
        for (int k = step->start[j]; k < step->start[j + 1]; ++k) {
            for (int c = 0; c < t.n && !t.scalars; ++c) {
                m->K.x[m->to[3 * k + c]] += m->v[k] * tml_mat33_at(S1, j - t.first, c) +
                                            m->a[k] * tml_mat33_at(S2, j - t.first, c);
            }
        }
    }
}

void tml_spin_matrix_fill(TmlSpinMatrix *m, TmlSystem *sys, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *step = tml_system_matrix(sys, TML_MATRIX_STEP);
    const int entries = step->start[dim->n];
    const TmlCoeffs none = {.chart = TML_CHART_ROTATION}, v = {.v = 1.0, .chart = none.chart},
                    a = {.a = 1.0, .chart = none.chart};
    memset(m->K.x, 0, (size_t)m->K.start[dim->n] * sizeof *m->K.x);
    for (int j = 0, b = 1; j < dim->n; ++j) {
        b = body_of(sys, j, b);
        const int own = b > 0 ? j - tml_triple_of(sys, b, j).first : 0;
        for (int k = step->start[j]; k < step->start[j + 1]; ++k) {
            m->K.x[m->to[3 * k + own]] += step->x[k];
        }
    }
    tml_system_jacobian(sys, s, v, 0.0);
    memcpy(m->v, step->x, (size_t)entries * sizeof *m->v);
    tml_system_jacobian(sys, s, a, 0.0);
    memcpy(m->a, step->x, (size_t)entries * sizeof *m->a);
    tml_system_jacobian(sys, s, none, 0.0);
    for (int k = 0; k < entries; ++k) {
        const bool row = step->row[k] >= dim->nu && step->row[k] < dim->nu + dim->m;
        m->v[k] = row ? 0.0 : m->v[k] - step->x[k]; // constraints are taken at position level
        m->a[k] = row ? 0.0 : m->a[k] - step->x[k];
    }
    fill_motion(m, sys, step);
}
