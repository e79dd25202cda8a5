/* system/accelerations.c - q'', lambda, X', V, F at given t, q, q', X.
 *
 *   (A1)  [M Phi_q^T; Phi_q 0] with the derivatives by X', V, F: the Newton matrix at c_q = c_v = 0
 *
 * One iteration solves the linear case; forces that depend on q'' or lambda need more, and new
 * factors where a correction is not below a hundredth of the one before.
 *
 *   (A2)  z <- z - K^-1 r(z), r the residual at s, K (A1) at an earlier state: refinement, which
 *         contracts by as much as K has changed. It ends when the next correction would be below
 *         rounding, whose size on this model is learned where corrections stop shrinking, and is
 *         given up when a sweep gains less than a factor of ten                               own
 */
#include "system/system_internal.h"
#include "system/variable_chain.h"

#include "base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 10, FEW_UNKNOWNS = 40 };

static const double slow_rate = 0.1;    // (A2)
static const double least_gain = 0.002; // factors are kept while sweeps shrink corrections to this
static const double noise = 2e-13;      // corrections that stop shrinking below this are rounding
static const double loose_target = 1e-10;

/* Subtracts the correction dz[n] from the unknowns of s. */
void tml_system_correct(const TmlSystem *sys, TmlState *s, const double *dz, double *dq)
{
    tml_system_expand(sys, s->q, dz, dq);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->a[k] -= dq[k];
    }
    dz += sys->dim.nu;
    for (int row = 0; row < sys->dim.m_all; ++row) {
        if (sys->row_unknown[row] >= 0) {
            s->lambda[row] -= dz[sys->row_unknown[row]];
        }
    }
    dz += sys->dim.m;
    for (int k = 0; k < sys->dim.nx; ++k) {
        s->Xd[k] -= dz[k];
    }
    dz += sys->dim.nx;
    for (int k = 0; k < sys->dim.nv + sys->dim.nf; ++k) {
        s->V[k] -= dz[k]; // F follows V in the state
    }
}

/* Sets the part of p'' along p, which follows from the velocities. */
static void settle_norms(const TmlSystem *sys, TmlState *s)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = sys->dim.span[b].q0;
        const TmlFrameKin *k = &sys->body[b].k;
        const double udot[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
    }
}

static double largest(int n, const double *x)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        if (!isfinite(x[k])) {
            return HUGE_VAL;
        }
        big = fmax(big, fabs(x[k]));
    }
    return big;
}

/* Returns the size of what is solved for. */
static double unknowns_size(const TmlSystem *sys, const TmlState *s)
{
    return largest(sys->dim.nq, s->a) + largest(sys->dim.m_all, s->lambda) +
           largest(sys->dim.nx, s->Xd) +
           largest(sys->dim.nv + sys->dim.nf, s->V); // F follows V in the state
}

static TmlStatus no_pivot(const TmlSystem *sys, int column, double t, TmlError *err)
{
    char who[256];
    tml_system_unknown_name(sys, column, who, sizeof who);
    const int equation = column - sys->dim.nu - sys->dim.m;
    if (equation >= 0 && equation < sys->dim.nx + sys->dim.nv &&
        tml_equation_is_implicit(sys, equation)) {
        const TmlBinding *b = sys->equation[equation].binding;
        return tml_fail(err, TML_E_SINGULAR,
                        "the implicit equations do not determine %s%s at t = %.9g s: %s%.200s = 0",
                        equation < sys->dim.nx ? "the rate of " : "", who, t,
                        b->rate ? "the rate of " : "", b->text);
    }
    if (equation >= sys->dim.nx && equation < sys->dim.nx + sys->dim.nv) {
        char chain[512];
        tml_variable_chain(sys, equation - sys->dim.nx, chain, sizeof chain);
        return tml_fail(
            err, TML_E_SINGULAR, "the equation of %s does not determine it (t = %.9g s)%s%s", who,
            t, chain[0] != '\0' ? ": variables depend on each other in a circle, " : "", chain);
    }
    return tml_fail(err, TML_E_SINGULAR,
                    "%s has no inertia, or the mechanism is at a singular position "
                    "(t = %.9g s); give the body mass and inertia, or fix that motion",
                    who, t);
}

/* Names what is not finite in the residual r. Expressions come last in it, and are what is wrong
 * when both they and bodies are. */
static TmlStatus not_finite(const TmlSystem *sys, const double *r, double t, TmlError *err)
{
    char who[256];
    int k = sys->dim.n - 1;
    while (k > 0 && isfinite(r[k])) {
        --k;
    }
    tml_system_unknown_name(sys, k, who, sizeof who);
    return tml_fail(err, TML_E_NONFINITE,
                    k < sys->dim.nu + sys->dim.m
                        ? "a force or constraint is not finite at t = %.9g s (%s)"
                        : "an expression is not finite at t = %.9g s (%s)",
                    t, who);
}

/* Tells whether nothing in (A1) depends on the state: factors once made stay right then. */
static bool matrix_is_constant(const TmlSystem *sys)
{
    return sys->constant_mass && sys->dim.m == 0 && sys->linear_unknowns;
}

/* Makes one residual and one solution with the factors of a constant matrix. Its condition, that
 * of a consistent mass matrix in scaled coordinates, is so small that refinement would gain
 * nothing. */
static TmlStatus solve_constant(TmlSystem *sys, TmlState *s, TmlError *err)
{
    double *r = sys->scratch, *dq = sys->scratch + sys->dim.n;
    tml_system_residual_settled(sys, s, TML_LEVEL_ACCELERATION, r);
    if (!isfinite(largest(sys->dim.n, r))) {
        return not_finite(sys, r, s->t, err);
    }
    tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
    tml_system_correct(sys, s, r, dq);
    return TML_OK;
}

/* Makes the matrix and its factors at the last residual. */
static TmlStatus renew(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlCoeffs c = {.a = 1.0};
    tml_system_jacobian(sys, s, c, 0.0);
    const int column = tml_system_factor(sys, TML_FACTORS_ACCELERATION);
    if (column >= 0 && sys->out_of_memory) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the factors of %d unknowns",
                        sys->dim.n);
    }
    return column >= 0 ? no_pivot(sys, column, s->t, err) : TML_OK;
}

static TmlStatus no_convergence(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    char joints[512] = "";
    const double t = s->t, hold = tml_system_weakest(sys, s, joints, sizeof joints);
    if (hold < TML_SINGULAR_HOLD && joints[0] != '\0') {
        return tml_fail(err, TML_E_STEP, "at t = %.9g s " TML_SINGULAR_TEXT, t, joints, hold);
    }
    return tml_fail(
        err, TML_E_STEP,
        "accelerations and reactions do not converge at t = %.9g s: a force depends too "
        "strongly on accelerations or reactions (friction?)",
        t);
}

static TmlStatus solve_accelerations(TmlSystem *sys, TmlState *s, TmlError *err)
{
    enum { MAX_ITERATIONS = 25 };
    if (matrix_is_constant(sys) && sys->factored[TML_FACTORS_ACCELERATION]) {
        return solve_constant(sys, s, err);
    }
    double *r = sys->scratch, *dq = sys->scratch + sys->dim.n, last = HUGE_VAL;
    bool slow_going = true;
    tml_system_kinematics(sys, s, false);
    settle_norms(sys, s);
    for (int it = 0; it < MAX_ITERATIONS; ++it) {
        tml_system_residual_settled(sys, s, TML_LEVEL_ACCELERATION, r);
        if (!isfinite(largest(sys->dim.n, r))) {
            return not_finite(sys, r, s->t, err);
        }
        if (slow_going) {
            TML_TRY(renew(sys, s, err));
        }
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        const double step = largest(sys->dim.n, r);
        // most expressions are linear in the unknowns: the second pass only refines the first
        slow_going = it > 0 && step > 0.01 * last;
        double scale = unknowns_size(sys, s);
        tml_system_correct(sys, s, r, dq);
        scale = fmax(scale, unknowns_size(sys, s));
        if (it > 0 && step <= 1e-10 * fmax(scale, 1e-6)) {
            return TML_OK;
        }
        // near equilibrium of stiff bodies large forces cancel: their rounding is what is left
        if (it > 1 && step >= 0.5 * last && step <= 1e-6 * fmax(scale, 1e-6)) {
            return TML_OK;
        }
        last = step;
        if (sys->linear_unknowns && it >= 1) {
            return TML_OK; // one refinement has been made
        }
    }
    return no_convergence(sys, s, err);
}

/* Rows that are left out carry nothing while the others are solved for: (A1) does not see them, and
 * what tml_system_min_norm_lambda gave them at another state would count twice. */
static void unload_redundant(const TmlSystem *sys, TmlState *s)
{
    for (int row = 0; row < sys->dim.m_all && sys->dim.m < sys->dim.m_all; ++row) {
        s->lambda[row] = sys->row_unknown[row] >= 0 ? s->lambda[row] : 0.0;
    }
}

TmlStatus tml_system_accelerations(TmlSystem *sys, TmlState *s, TmlError *err)
{
    unload_redundant(sys, s);
    return solve_accelerations(sys, s, err);
}

/* --- kept factors --------------------------------------------------------------------------- */

/* Returns the largest part of the correction r relative to the unknowns of its kind.
 * Accelerations need not be better than the rounding of the weight, as they may be a small
 * difference of weights. */
static double relative_size(const TmlSystem *sys, const TmlState *s, const double *r)
{
    const TmlVec3 g = sys->gravity;
    const double weight = fabs(g.x) + fabs(g.y) + fabs(g.z);
    const double a = fmax(largest(sys->dim.nq, s->a), weight), tiny = 1e-30;
    const double lambda = fmax(largest(sys->dim.m_all, s->lambda), 1e-3 * sys->dim.mass * a);
    const double rest = largest(sys->dim.nx, s->Xd) + largest(sys->dim.nv + sys->dim.nf, s->V);
    double size = largest(sys->dim.nu, r) / fmax(a, tiny);
    size = fmax(size, largest(sys->dim.m, r + sys->dim.nu) / fmax(lambda, tiny));
    const int n = sys->dim.nu + sys->dim.m;
    return fmax(size, largest(sys->dim.n - n, r + n) / fmax(rest, tiny));
}

/* Refines by (A2). *done tells that the accelerations are those of s; otherwise other factors are
 * needed. */
static TmlStatus refine(TmlSystem *sys, TmlState *s, TmlKept *kept, bool *done, TmlError *err)
{
    const double target = kept->loose ? loose_target : fmax(4.0 * DBL_EPSILON, kept->floor);
    double *r = sys->scratch, *dq = sys->scratch + sys->dim.n;
    double size[MAX_SWEEPS];
    *done = false;
    for (int it = 0; it < MAX_SWEEPS && !*done; ++it) {
        tml_system_residual_settled(sys, s, TML_LEVEL_ACCELERATION, r);
        if (!isfinite(largest(sys->dim.n, r))) {
            return not_finite(sys, r, s->t, err);
        }
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        size[it] = relative_size(sys, s, r);
        const double rate = it > 0 ? size[it] / size[it - 1] : 1.0;
        const bool rounded = it > 0 && size[it - 1] <= noise;
        if (!isfinite(size[it]) || (it > 0 && rate > slow_rate && !rounded)) {
            return TML_OK;
        }
        tml_system_correct(sys, s, r, dq);
        // gains alternate, so two are taken together
        const double gain = it > 1 ? sqrt(size[it] / size[it - 2]) : rate;
        *done = size[it] <= DBL_EPSILON || (it > 0 && gain * size[it] <= target) || rounded;
        kept->floor =
            rounded && rate > slow_rate ? fmin(fmax(kept->floor, size[it]), noise) : kept->floor;
        kept->ready = it == 0 || rounded || size[it] <= pow(least_gain, it) * size[0];
    }
    return TML_OK;
}

/* New factors of a few unknowns cost no more than the sweeps that would replace them, unless there
 * are forces to differentiate. */
static bool worth_keeping(const TmlSystem *sys)
{
    return sys->dim.n >= FEW_UNKNOWNS || sys->model->forces.n > 0 || sys->touching != NULL;
}

TmlStatus tml_system_accelerations_kept(TmlSystem *sys, TmlState *s, TmlKept *kept, TmlError *err)
{
    TmlStatus status = TML_OK;
    bool done = false;
    kept->renewed = false;
    unload_redundant(sys, s);
    if (sys->factored[TML_FACTORS_ACCELERATION] && matrix_is_constant(sys)) {
        status = solve_constant(sys, s, err);
        done = true;
        if (!kept->ready) { // the caller has not seen the matrix yet
            tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0}, 0.0);
            kept->ready = kept->renewed = true;
        }
    } else if (kept->ready && sys->factored[TML_FACTORS_ACCELERATION] && worth_keeping(sys)) {
        tml_system_kinematics(sys, s, false);
        settle_norms(sys, s);
        status = refine(sys, s, kept, &done, err);
    }
    if (status == TML_OK && !done) {
        status = solve_accelerations(sys, s, err);
        kept->ready = kept->renewed = status == TML_OK;
    }
    return status;
}
