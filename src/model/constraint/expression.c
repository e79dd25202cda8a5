/* model/constraint/expression.c - a constraint written as an expression of motions and time.
 *
 *   (X1)  phi(q, t) = expression
 *
 * Value and all derivatives come from the bound expression: exact, by jets up to third order. One
 * that reads velocities, linearly, is a nonholonomic row (X2): expression_velocity.c.
 * Binding: model/measure/binding.c. Text: docs/theory/constraints.md#expression
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/measure/binding.h"
#include "model/primitive/expression_velocity.h"
#include "model/read/read.h"
#include "model/registry.h"

enum { MEMORY = TML_MAX_ENDS }; // turn counts of the angles in one expression

typedef struct ExpressionData {
    TmlBinding *expression;
    TmlBinding *rate; // by time, of one that reads velocities; else NULL
} ExpressionData;

static const TmlBinding *binding(const void *data)
{
    return ((const ExpressionData *)data)->expression;
}

static const TmlBinding *rate_of(const void *data)
{
    return ((const ExpressionData *)data)->rate;
}

/* The derivative by time of an expression that reads velocities. */
static TmlStatus expression_complete(TmlModel *m, void *data, TmlError *err)
{
    ExpressionData *p = data;
    const TmlBinding *b = p->expression;
    if (b == NULL || b->expr == NULL || !b->uses_twist || b->uses_acceleration ||
        b->n_unknowns > 0) {
        return TML_OK; // what is wrong is told by prepare
    }
    return tml_binding_rate_create(m, b, b->where, &p->rate, err);
}

static uint32_t expression_pfaffian(const void *data)
{
    return rate_of(data) != NULL ? 1u : 0u;
}

static TmlBindIn bind_in(const TmlElementIn *in)
{
    return (TmlBindIn){.e = in->e, .t = in->t, .memory = in->memory, .work = in->work};
}

static size_t expression_work(const void *data)
{
    const TmlBinding *rate = rate_of(data);
    return rate != NULL ? tml_velocity_work(binding(data), rate) : binding(data)->work;
}

static bool expression_drives(const void *data)
{
    return tml_expr_uses(binding(data)->expr, 0); // leaf 0 is time
}

static TmlStatus expression_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    const TmlBinding *b = binding(data);
    if (b->uses_acceleration || b->n_unknowns > 0) {
        return tml_fail(err, TML_E_MODEL,
                        "'%s' reads accelerations, reactions, variables or states; a constraint "
                        "may depend on displacements, angles, time and linearly on velocities only",
                        b->text);
    }
    if (!b->uses_motion) {
        return tml_fail(err, TML_E_MODEL, "'%s' depends on no motion: nothing can satisfy it",
                        b->text);
    }
    if (b->n_memory > MEMORY) {
        return tml_fail(err, TML_E_MODEL, "'%s' has %d angles, at most %d are possible", b->text,
                        b->n_memory, (int)MEMORY);
    }
    return rate_of(data) != NULL ? tml_velocity_check(b, e, n_ends, err) : TML_OK;
}

static void expression_residual(const TmlElementIn *in, double *phi)
{
    const TmlBindIn at = bind_in(in);
    phi[0] = tml_binding_value(binding(in->data), &at); // (X1)
}

static void expression_jacobian(const TmlElementIn *in, TmlRow *J)
{
    if (rate_of(in->data) != NULL) {
        tml_velocity_jacobian(binding(in->data), in, J);
        return;
    }
    const TmlBindIn at = bind_in(in);
    TmlRow by_twist[TML_MAX_ENDS], by_acceleration[TML_MAX_ENDS];
    double by_unknown[1]; // prepare allows none
    TmlBindGrad grad = {.q = J, .v = by_twist, .a = by_acceleration, .u = by_unknown};
    tml_binding_gradient(binding(in->data), &at, &grad);
}

static void expression_rate(const TmlElementIn *in, double *phi_t)
{
    if (rate_of(in->data) != NULL) {
        phi_t[0] = tml_velocity_rest(binding(in->data), in);
        return;
    }
    const TmlBindIn at = bind_in(in);
    phi_t[0] = tml_binding_dt(binding(in->data), &at);
}

static void expression_gamma(const TmlElementIn *in, double *gamma)
{
    if (rate_of(in->data) != NULL) {
        gamma[0] = tml_velocity_gamma(rate_of(in->data), in);
        return;
    }
    const TmlBindIn at = bind_in(in);
    gamma[0] = -tml_binding_second_rate(binding(in->data), &at);
}

static void expression_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    if (rate_of(in->data) != NULL) {
        tml_velocity_curvature(binding(in->data), in, lambda[0], K);
        return;
    }
    const TmlBindIn at = bind_in(in);
    tml_binding_curvature(binding(in->data), &at, lambda[0], K);
}

static void expression_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    if (rate_of(in->data) != NULL) {
        tml_velocity_gamma_tangent(rate_of(in->data), in, Gm, Gv);
        return;
    }
    const TmlBindIn at = bind_in(in);
    tml_binding_second_rate_tangent(binding(in->data), &at, Gm, Gv);
    for (int end = 0; end < in->n_ends; ++end) {
        Gm[end] = (TmlRow){v3_neg(Gm[end].r), v3_neg(Gm[end].theta)};
        Gv[end] = (TmlRow){v3_neg(Gv[end].r), v3_neg(Gv[end].theta)};
    }
}

static void expression_jacobian_t(const TmlElementIn *in, TmlRow *Jt)
{
    if (rate_of(in->data) != NULL) {
        tml_velocity_jacobian_t(binding(in->data), in, Jt);
        return;
    }
    const TmlBindIn at = bind_in(in);
    tml_binding_rows_dt(binding(in->data), &at, Jt);
}

static void expression_gamma_t(const TmlElementIn *in, double *gamma_t)
{
    if (rate_of(in->data) != NULL) {
        gamma_t[0] = tml_velocity_gamma_t(rate_of(in->data), in);
        return;
    }
    const TmlBindIn at = bind_in(in);
    gamma_t[0] = -tml_binding_second_rate_dt(binding(in->data), &at);
}

/* Of a row of velocities. */
static void expression_velocity_tangent(const TmlElementIn *in, TmlRow *D)
{
    tml_velocity_tangent(binding(in->data), in, D);
}

static void expression_commit(const TmlElementIn *in, double *memory)
{
    const TmlBindIn at = bind_in(in);
    tml_binding_commit(binding(in->data), &at, memory);
}

static const char *const expression_rows[] = {"expression"};

static const TmlParam expression_params[] = {
    {"expression", TML_PARAM_EXPR, TML_ANY, "", offsetof(ExpressionData, expression), NULL,
     "what must be zero: an expression of displacements, angles and time, or one that is linear "
     "in velocities",
     NULL},
    {0},
};

static const TmlJointReading expression_reading = {.complete = expression_complete};

TML_CONSTRAINT_TYPE(expression) = {
    .info = {.name = "expression",
             .text = "An expression of displacements, angles and time, or linear in velocities, "
                     "that is constrained to zero.",
             .example = "expression: DZ(rod) - DX(rod)^2",
             .data_size = sizeof(ExpressionData),
             .params = expression_params},
    .ends = TML_ENDS_EXPR,
    .rows = 1,
    .n_memory = MEMORY,
    .row_names = expression_rows,
    .work = expression_work,
    .drives = expression_drives,
    .pfaffian_rows = expression_pfaffian,
    .reading = &expression_reading,
    .prepare = expression_prepare,
    .residual = expression_residual,
    .jacobian = expression_jacobian,
    .rate = expression_rate,
    .gamma = expression_gamma,
    .curvature = expression_curvature,
    .gamma_tangent = expression_gamma_tangent,
    .jacobian_t = expression_jacobian_t,
    .gamma_t = expression_gamma_t,
    .velocity_tangent = expression_velocity_tangent,
    .commit = expression_commit,
};
