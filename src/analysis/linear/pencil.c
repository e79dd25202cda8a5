/* analysis/linear/pencil.c - the linearised equations of a system about a state, as sparse matrices.
 *
 * The stage matrix K(c_a, c_v, c_q, c_x) is linear in its coefficients, so that five assemblies
 * give its parts. It is written for rotation vectors theta from the present position; these turn
 * with a body that rotates, which shifts frequencies. Here rotations are variations in global axes,
 * dA = e~ A, and with e = D(theta) theta, D = 1 + theta~/2 + theta~ theta~/6, along a motion with
 * angular velocity w and acceleration al:
 *
 *   (L3)  theta = e,   theta' = e' - w~ e / 2
 *   (L4)  theta'' = e'' - w~ e' + (w~ w~ / 6 - al~ / 2) e               spin = w~
 *   (L5)                                                               second = w~ w~ / 6 - al~ / 2
 *   (L6)  J' e = (K_v / 2) e - J w~ e / 2 for holonomic rows, since (Phi'')_v = 2 (Phi')_q
 *
 * In axes that turn with W, e' and e'' above are e' + W~ e and e'' + 2 W~ e' + W~ W~ e of what is
 * seen from them; the same for positions and gradients, where w = 0 and second = 0. So
 *
 *   (L9)  spin = w~ - 2 W~,   second = w~ w~ / 6 - al~ / 2 + W~ W~ - w~ W~      (positions: W~ W~)
 *
 * serves in (L3) to (L6).
 *
 * Shifted system. The state of the linear system is (e, h, X) with J e = 0, J h = 0, p = h + d and
 * d normal to the constraints in the sense of M. (A - s) (e, h, X) = (b_e, b_h, b_X) reads
 *
 *   (L7)  h = s e + b_e,  r = s h + b_h + f,  X' = s X + b_X
 *         (s^2 A + s C + K) e + C d + A f + ... = -A (s b_e + b_h) - C b_e - (by X') b_X
 *         J e = 0;   [M J^T; J 0] [d; mu] = [0; -J' e];   M f + J^T nu + (J^T)' mu + M' d = 0
 *
 * The last two terms: the directions that the constraints allow turn with the mechanism, and the
 * part of r that belongs to h is taken along them (docs/theory/linearize.md).
 *
 *   (L8)  (J^T)' mu + M' d = S^T mu + w~ M d / 2 - M (w~ - W~) d,   S = (Phi'')_v - (Phi')_q
 */
#include "analysis/linear/pencil.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <string.h>

/* --- parts of the matrices ------------------------------------------------------------------ */

/* Makes a matrix with the pattern of `like` and values of its own. */
static TmlStatus csc_like(const TmlCsc *like, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    *out = *like;
    TML_NEW(arena, out->x, like->start[like->cols]);
    return TML_OK;
}

typedef struct Part {
    TmlCsc *to;
    TmlCoeffs c;
    double c_x;
} Part;

static TmlStatus stage_parts(TmlPencil *p, const TmlState *s, TmlError *err)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STAGE);
    const size_t entries = (size_t)K->start[K->cols];
    const Part parts[] = {{&p->rest, {.a = 0.0}, 0.0},
                          {&p->a, {.a = 1.0}, 0.0},
                          {&p->v, {.v = 1.0}, 0.0},
                          {&p->q, {.q = 1.0}, 0.0},
                          {&p->x, {.a = 0.0}, 1.0}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        TmlCsc *to = parts[k].to;
        TML_TRY(csc_like(K, p->arena, to, err));
        tml_system_stage_jacobian(sys, s, parts[k].c, parts[k].c_x);
        memcpy(to->x, K->x, entries * sizeof *K->x);
        for (size_t i = 0; i < entries && k > 0; ++i) {
            to->x[i] -= p->rest.x[i];
        }
    }
    for (int k = dim->nu; k < dim->nu + dim->m; ++k) { // the small diagonal is no derivative
        const int at = tml_csc_find(&p->rest, k, k);
        if (at >= 0) {
            p->rest.x[at] = 0.0;
        }
    }
    return TML_OK;
}

/* Fills M, J and the derivative of the Pfaffian rows by position. */
static TmlStatus step_parts(TmlPencil *p, const TmlState *s, TmlError *err)
{
    TmlSystem *sys = p->sys;
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    const size_t entries = (size_t)K->start[K->cols];
    const TmlCoeffs a = {.a = 1.0}, v = {.v = 1.0, .chart = TML_CHART_ROTATION},
                    vq = {.v = 1.0, .q = 1.0, .chart = TML_CHART_ROTATION};
    TML_TRY(csc_like(K, p->arena, &p->step, err));
    TML_TRY(csc_like(K, p->arena, &p->rate, err));
    tml_system_jacobian(sys, s, a, 0.0);
    memcpy(p->step.x, K->x, entries * sizeof *K->x);
    tml_system_jacobian(sys, s, vq, 0.0);
    memcpy(p->rate.x, K->x, entries * sizeof *K->x);
    tml_system_jacobian(sys, s, v, 0.0);
    for (size_t k = 0; k < entries; ++k) {
        p->rate.x[k] -= K->x[k];
    }
    return TML_OK;
}

static TmlStatus body_parts(TmlPencil *p, TmlError *err)
{
    const TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlMat33 W = p->frame, WW = m3_mul(&W, &W);
    TML_NEW(p->arena, p->body, dim->nu);
    TML_NEW(p->arena, p->turn, 2 * dim->nb);
    TML_NEW(p->arena, p->spin, 2 * dim->nb);
    TML_NEW(p->arena, p->second, 2 * dim->nb);
    for (int b = 1; b < dim->nb; ++b) {
        for (int k = dim->span[b].u0; k < dim->span[b + 1].u0; ++k) {
            p->body[k] = b;
        }
        const TmlMat33 w = m3_skew(tml_body_motion(sys, b)->omega),
                       al = m3_skew(tml_body_motion(sys, b)->alpha);
        const TmlMat33 ww = m3_mul(&w, &w), wW = m3_mul(&w, &W), half = m3_scale(-0.5, &al);
        const TmlTriple place = tml_triple(sys, b, false), rotation = tml_triple(sys, b, true);
        if (!place.scalars) {
            p->spin[place.index] = m3_scale(-2.0, &W); // (L9)
            p->second[place.index] = WW;
        }
        if (rotation.n == 3) {
            const TmlMat33 own = m3_axpy(1.0 / 6.0, &ww, &half); // (L5)
            const TmlMat33 both = m3_add(&own, &WW);
            p->turn[rotation.index] = w;
            p->spin[rotation.index] = m3_axpy(-2.0, &W, &w);
            p->second[rotation.index] = m3_axpy(-1.0, &wW, &both);
        }
    }
    return TML_OK;
}

static TmlStatus row_parts(TmlPencil *p, TmlError *err)
{
    const TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    TML_NEW(p->arena, p->row_pfaffian, dim->m);
    for (int k = 0; k < dim->m_all; ++k) {
        const TmlRowPlace row = tml_system_row(sys, k);
        if (row.unknown >= 0 && row.velocity) {
            p->row_pfaffian[row.unknown] = true;
            p->n_pfaffian++;
        }
    }
    return TML_OK;
}

/* --- matrices from entries ------------------------------------------------------------------ */

/* Entries are put twice: once for the pattern, once for the values. */
typedef struct Builder {
    TmlPattern pattern;
    TmlCsc *out; /* NULL: collecting the pattern */
    bool ok;
} Builder;

static void put(Builder *b, int row, int col, double x)
{
    if (x == 0.0) {
        return;
    }
    if (b->out == NULL) {
        b->ok = b->ok && tml_pattern_add(&b->pattern, row, col);
    } else {
        b->out->x[tml_csc_find(b->out, row, col)] += x;
    }
}

typedef void (*PutAll)(const TmlPencil *p, double shift, Builder *b);

static TmlStatus build(const TmlPencil *p, int n, PutAll put_all, double shift, TmlCsc *out,
                       TmlError *err)
{
    Builder b = {.ok = true};
    tml_pattern_init(&b.pattern, n, n);
    put_all(p, shift, &b);
    const TmlStatus status =
        b.ok ? tml_pattern_csc(&b.pattern, p->arena, out, err)
             : tml_fail(err, TML_E_NOMEM, "out of memory for the linearised equations");
    tml_pattern_free(&b.pattern);
    if (status == TML_OK) {
        b.out = out;
        put_all(p, shift, &b);
    }
    return status;
}

/* [M J^T; J 0] */
static void put_saddle(const TmlPencil *p, double shift, Builder *b)
{
    const TmlDims *dim = tml_dims(p->sys);
    const int n = dim->nu + dim->m;
    (void)shift;
    for (int j = 0; j < n; ++j) {
        for (int k = p->step.start[j]; k < p->step.start[j + 1]; ++k) {
            const int i = p->step.row[k];
            if (i < n && (i < dim->nu || j < dim->nu)) {
                put(b, i, j, p->step.x[k]);
            }
        }
    }
}

static void put_inertia(const TmlPencil *p, double shift, Builder *b)
{
    (void)shift;
    for (int j = 0; j < tml_dims(p->sys)->n; ++j) {
        for (int k = p->a.start[j]; k < p->a.start[j + 1]; ++k) {
            put(b, p->a.row[k], j, p->a.x[k] + p->rest.x[k]);
        }
    }
}

/* The first columns and rows of the parts of (L7). */
typedef struct Places {
    int d, f;                            /* columns of d, f; their multipliers follow */
    int rows_e, rows_d, rows_jd, rows_f; /* J e; M d; J d; M f */
} Places;

static Places places(const TmlSystem *sys)
{
    const TmlDims *dim = tml_dims(sys);
    const int n = dim->n, nu = dim->nu, m = dim->m;
    return (Places){n, n + nu + m, n, n + m, n + m + nu, n + 2 * m + nu};
}

/* Puts a column of (L7) for the motion of all bodies into the rows (L1). */
static void put_motion(const TmlPencil *p, double s, int j, Builder *b)
{
    const TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const Places at = places(sys);
    const TmlTriple t = tml_triple_of(sys, p->body[j], j);
    const bool turns = t.rotation || (p->frame_turns && !t.scalars);
    for (int k = p->a.start[j]; k < p->a.start[j + 1]; ++k) {
        const int i = p->a.row[k];
        const double a = p->a.x[k], v = p->v.x[k], q = p->q.x[k];
        put(b, i, j, s * s * a + s * v + q);
        put(b, i, at.f + j, a);
        put(b, i, at.d + j, v);
        const bool constraint = i >= dim->nu && i < dim->nu + dim->m;
        if (constraint) {
            put(b, at.rows_jd + i - dim->nu, j, 0.5 * v); // (L6)
            put(b, at.rows_f + j, at.d + i, 0.5 * v);     // (L8)
        }
        for (int c = 0; c < t.n && turns; ++c) { // (L3), (L4)
            const double w = tml_mat33_at(&p->spin[t.index], j - t.first, c);
            const double x = tml_mat33_at(&p->second[t.index], j - t.first, c);
            put(b, i, t.first + c, a * (x - s * w) - 0.5 * v * w);
            put(b, i, at.d + t.first + c, -a * w);
            if (constraint) {
                put(b, at.rows_jd + i - dim->nu, t.first + c, -0.5 * a * w);
            }
        }
    }
}

/* Puts an entry M_ij of the inertia by (L8). */
static void put_turning(const TmlPencil *p, int i, int j, double M, Builder *b)
{
    const TmlSystem *sys = p->sys;
    const Places at = places(sys);
    const TmlTriple ti = tml_triple_of(sys, p->body[i], i), tj = tml_triple_of(sys, p->body[j], j);
    for (int c = 0; c < ti.n && ti.rotation; ++c) {
        const double w = tml_mat33_at(&p->turn[ti.index], c, i - ti.first);
        put(b, at.rows_f + ti.first + c, at.d + j, 0.5 * w * M);
    }
    for (int c = 0; c < tj.n && (tj.rotation || (p->frame_turns && !tj.scalars)); ++c) {
        const double w = tml_mat33_at(&p->turn[tj.index], j - tj.first, c);
        const double W = tml_mat33_at(&p->frame, j - tj.first, c);
        put(b, at.rows_f + i, at.d + tj.first + c, -M * (w - W));
    }
}

static void put_shifted(const TmlPencil *p, double s, Builder *b)
{
    const TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const Places at = places(sys);
    const int nu = dim->nu, m = dim->m;
    for (int j = 0; j < nu; ++j) {
        put_motion(p, s, j, b);
    }
    for (int j = nu; j < dim->n; ++j) {
        const bool state = j >= nu + m && j < nu + m + dim->nx;
        for (int k = p->rest.start[j]; k < p->rest.start[j + 1]; ++k) {
            put(b, p->rest.row[k], j, state ? s * p->rest.x[k] + p->x.x[k] : p->rest.x[k]);
        }
    }
    for (int j = 0; j < nu + m; ++j) {
        for (int k = p->step.start[j]; k < p->step.start[j + 1]; ++k) {
            const int i = p->step.row[k];
            const double x = p->step.x[k];
            if (i < nu) { // M, J^T
                put(b, at.rows_d + i, at.d + j, x);
                put(b, at.rows_f + i, at.f + j, x);
                if (j < nu) {
                    put_turning(p, i, j, x, b);
                }
            } else if (i < nu + m && j < nu) { // J
                put(b, at.rows_e + i - nu, j, x);
                put(b, at.rows_jd + i - nu, at.d + j, x);
            }
        }
    }
}

TmlStatus tml_pencil_shifted(TmlPencil *p, double shift, TmlCsc *out, TmlError *err)
{
    const TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    return build(p, dim->n + 2 * (dim->nu + dim->m), put_shifted, shift, out, err);
}

/* --- life ----------------------------------------------------------------------------------- */

static TmlStatus factor(const TmlPencil *p, const TmlCsc *A, TmlLu **lu, TmlError *err)
{
    const TmlDims *dim = tml_dims(p->sys);
    TML_TRY(tml_lu_create(A, lu, err));
    tml_lu_set_equations(*lu, dim->nu + dim->m);
    const int column = tml_lu_factor(*lu, A);
    if (column < 0) {
        return TML_OK;
    }
    char who[256];
    tml_system_unknown_name(p->sys, column, who, sizeof who);
    return tml_fail(
        err, TML_E_SINGULAR,
        "cannot linearise: %s has no inertia, or the mechanism is at a singular position", who);
}

static TmlStatus pencil_fill(TmlPencil *p, const TmlState *s, TmlError *err)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    if (!tml_system_has_stage(sys)) {
        TML_TRY(tml_system_build_stage(sys, err));
    }
    TML_NEW(p->arena, p->z, dim->n);
    TML_NEW(p->arena, p->w, dim->n);
    TML_NEW(p->arena, p->t, dim->n);
    tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, p->z);
    TML_TRY(stage_parts(p, s, err));
    TML_TRY(step_parts(p, s, err));
    TML_TRY(body_parts(p, err));
    TML_TRY(row_parts(p, err));
    TML_TRY(build(p, dim->nu + dim->m, put_saddle, 0.0, &p->saddle, err));
    TML_TRY(build(p, dim->n, put_inertia, 0.0, &p->inertia, err));
    TML_TRY(factor(p, &p->saddle, &p->saddle_lu, err));
    return factor(p, &p->inertia, &p->inertia_lu, err);
}

TmlStatus tml_pencil_create(TmlSystem *sys, const TmlState *s, const TmlSpin *spin, TmlArena *arena,
                            TmlPencil *out, TmlError *err)
{
    *out = (TmlPencil){
        .sys = sys, .arena = arena, .frame = m3_skew(spin->rate), .frame_turns = tml_spins(spin)};
    const TmlStatus status = pencil_fill(out, s, err);
    if (status != TML_OK) {
        tml_pencil_free(out);
    }
    return status;
}

void tml_pencil_free(TmlPencil *p)
{
    tml_lu_free(p->saddle_lu);
    tml_lu_free(p->inertia_lu);
    p->saddle_lu = p->inertia_lu = NULL;
}

/* --- products ------------------------------------------------------------------------------- */

/* z += scale * B x for the unknowns of one triple. */
static void block_mul(TmlTriple t, const TmlMat33 *B, double scale, const double *x, double *z)
{
    const int k = t.first;
    if (t.n == 0) {
        return;
    }
    const TmlVec3 y = m3_mulv(B, v3(x[k], x[k + 1], t.n > 2 ? x[k + 2] : 0.0));
    z[k] += scale * y.x;
    z[k + 1] += scale * y.y;
    if (t.n > 2) {
        z[k + 2] += scale * y.z;
    }
}

/* z[nu] += scale * B x, B one block per triple. */
static void blocks_mul(const TmlPencil *p, const TmlMat33 *B, double scale, const double *x,
                       double *z)
{
    for (int b = 1; b < tml_dims(p->sys)->nb; ++b) {
        const TmlTriple place = tml_triple(p->sys, b, false), turn = tml_triple(p->sys, b, true);
        if (p->frame_turns && !place.scalars) {
            block_mul(place, &B[place.index], scale, x, z);
        }
        block_mul(turn, &B[turn.index], scale, x, z);
    }
}

/* z[nu] += W~ x */
static void frame_mul(const TmlPencil *p, const double *x, double *z)
{
    for (int b = 1; b < tml_dims(p->sys)->nb && p->frame_turns; ++b) {
        const TmlTriple place = tml_triple(p->sys, b, false);
        if (!place.scalars) {
            block_mul(place, &p->frame, 1.0, x, z);
        }
        block_mul(tml_triple(p->sys, b, true), &p->frame, 1.0, x, z);
    }
}

static void add(int n, const double *x, double *y)
{
    for (int k = 0; k < n && x != NULL; ++k) {
        y[k] += x[k];
    }
}

void tml_pencil_apply(TmlPencil *p, const double *e, const double *rate, const double *second,
                      double *y)
{
    const TmlDims *dim = tml_dims(p->sys);
    const int n = dim->n, nu = dim->nu;
    memset(p->z, 0, (size_t)n * sizeof *p->z);
    memset(p->w, 0, (size_t)n * sizeof *p->w);
    memset(p->t, 0, (size_t)n * sizeof *p->t);
    add(nu, e, p->t);
    add(nu, rate, p->w);
    add(nu, second, p->z);
    if (rate != NULL) {
        blocks_mul(p, p->spin, -1.0, rate, p->z); // (L4)
    }
    if (e != NULL) {
        blocks_mul(p, p->second, 1.0, e, p->z);
        blocks_mul(p, p->spin, -0.5, e, p->w); // (L3)
    }
    tml_csc_mul(&p->a, p->z, y);
    tml_csc_mul(&p->v, p->w, y);
    tml_csc_mul(&p->q, p->t, y);
}

void tml_pencil_rate(TmlPencil *p, const double *e, double *phi)
{
    const TmlDims *dim = tml_dims(p->sys);
    const int n = dim->n, nu = dim->nu, m = dim->m;
    double *x = p->z, *holonomic = p->w, *pfaffian = p->t;
    memset(x, 0, (size_t)n * sizeof *x);
    memset(holonomic, 0, (size_t)n * sizeof *x);
    memset(pfaffian, 0, (size_t)n * sizeof *x);
    add(nu, e, x);
    tml_csc_mul(&p->v, x, holonomic);
    tml_csc_mul(&p->rate, x, pfaffian);
    for (int k = 0; k < m; ++k) {
        phi[k] = p->row_pfaffian[k] ? pfaffian[nu + k] : 0.5 * holonomic[nu + k]; // (L6)
    }
    memset(x, 0, (size_t)n * sizeof *x);
    memset(holonomic, 0, (size_t)n * sizeof *x);
    blocks_mul(p, p->spin, -0.5, e, x);
    tml_csc_mul(&p->step, x, holonomic);
    for (int k = 0; k < m; ++k) {
        phi[k] += holonomic[nu + k];
    }
}

void tml_pencil_mass(const TmlPencil *p, const double *e, double *y)
{
    const int nu = tml_dims(p->sys)->nu;
    memset(y, 0, (size_t)nu * sizeof *y);
    for (int j = 0; j < nu; ++j) {
        for (int k = p->step.start[j]; k < p->step.start[j + 1]; ++k) {
            if (p->step.row[k] < nu) {
                y[p->step.row[k]] += p->step.x[k] * e[j];
            }
        }
    }
}

void tml_pencil_turning(TmlPencil *p, const double *d, const double *mu, double *y)
{
    const TmlDims *dim = tml_dims(p->sys);
    const int n = dim->n, nu = dim->nu, m = dim->m;
    double *x = p->z, *v = p->w, *q = p->t;
    memset(x, 0, (size_t)n * sizeof *x);
    memset(v, 0, (size_t)n * sizeof *v);
    memset(q, 0, (size_t)n * sizeof *q);
    for (int k = 0; k < m; ++k) { // (L8): S is half of (Phi'')_v for holonomic rows
        x[nu + k] = p->row_pfaffian[k] ? mu[k] : 0.5 * mu[k];
    }
    tml_csc_tmul(&p->v, x, v);
    for (int k = 0; k < m; ++k) {
        x[nu + k] = p->row_pfaffian[k] ? mu[k] : 0.0;
    }
    tml_csc_tmul(&p->rate, x, q);
    for (int k = 0; k < nu; ++k) {
        y[k] = v[k] - q[k];
    }
    tml_pencil_mass(p, d, x);
    blocks_mul(p, p->turn, 0.5, x, y);
    memset(x, 0, (size_t)nu * sizeof *x);
    blocks_mul(p, p->turn, -1.0, d, x);
    frame_mul(p, d, x);
    tml_pencil_mass(p, x, v);
    add(nu, v, y);
}
