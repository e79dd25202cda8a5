/* system/consistent/project.c - states that are close to the constraints moved onto them.
 *
 *   (P1)  [M J^T; J -e] [dx; mu] = [0; -phi],   x = q, q', q'';  phi = Phi, Phi', Phi''
 *
 * with the acceleration-level matrix at the present position: the change is orthogonal to all
 * motion along the constraints in the sense of M. Positions are repeated with the same factors.
 *
 *   (P2)  [M J^T; J -e] [dx'; mu] = [M dx; 0]         what (P1) leaves of a small change dx
 *
 * The same matrix tells how firmly the constraints hold. With S = J M^-1 J^T + e and D the lengths
 * of the rows (their roots of (J M^-1 J^T)_kk, or close to it):
 *
 *   (P3)  sigma^2 = 1 / |D S^-1 D|          |.|: the largest eigenvalue, by power iteration with
 *   (P4)  [M J^T; J -e] [x; -mu] = [0; D y],  y <- D mu
 *
 * A violation of the rows by a relative d moves the bodies by up to d / sigma; accelerations that
 * follow from such positions have d / sigma^2. Near a singular position one eigenvalue, or as many
 * as motions lose their constraints, is far above the others: a few iterations come close.
 *
 * What -e does to the rate of convergence depends on the same eigenvalue: (P1), (P2) and Newton's method on positions leave
 *
 *   (P5)  rho = e / (l + e),   l = sigma^2 - e
 *
 * of an error along its vector. Far from singular positions l is a number of the mechanism's kind, but in a straight chain of N bodies on
 * pins, which cannot bend sideways, it falls with 1 / N^4: 2e-11 at 1000 shoes of a track, where rho is 0.83 at the usual e and
 * no iteration ends. There e is a thousandth of l. Rows that are dependent to rounding keep the usual e, which is made for them.
 *
 * Forces that read accelerations are part of the acceleration-level matrix and would be part of the
 * projection: a force that makes an acceleration would leave nothing of any change. Without
 * constraints (P2) leaves all; else the matrix is made without them.
 */
#include "system/consistent/row_motion.h"
#include "system/redundancy/name_list.h"

#include <math.h>
#include <string.h>

double tml_system_rows(TmlSystem *sys, const TmlState *s, TmlLevel level, double *r)
{
    const TmlModel *m = sys->model;
    double phi[TML_MAX_ROWS], worst = 0.0;
    memset(r, 0, (size_t)sys->dim.n * sizeof *r);
    tml_row_motion(sys, s);
    for (int c = 0; c < m->constraints.n; ++c) {
        tml_constraint_level(sys, c, s->t, level, phi);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            const bool skip = level == TML_LEVEL_POSITION && (sys->pfaffian[c] >> k & 1u) != 0;
            if (row >= 0 && !skip) {
                r[sys->dim.nu + row] = phi[k];
                worst = fmax(worst, fabs(phi[k]));
            }
        }
    }
    return worst;
}

static bool matrix_renew(TmlSystem *sys, const TmlState *s, double *r)
{
    const TmlCoeffs c = {.a = 1.0};
    tml_system_residual(sys, s, TML_LEVEL_VELOCITY, r);
    if (sys->reads_acceleration) {
        tml_system_jacobian_plain(sys, s, c);
    } else {
        tml_system_jacobian(sys, s, c, 0.0);
    }
    return tml_system_factor(sys, TML_FACTORS_ACCELERATION) < 0;
}

/* The factors are no good for accelerations when the matrix was made without forces. */
static void matrix_leave(TmlSystem *sys)
{
    sys->factored[TML_FACTORS_ACCELERATION] =
        sys->factored[TML_FACTORS_ACCELERATION] && !sys->reads_acceleration;
}

/* x -= N du */
static void subtract(const TmlSystem *sys, const double *q, const double *du, double *dq, double *x)
{
    tml_system_expand(sys, q, du, dq);
    for (int k = 0; k < sys->dim.nq; ++k) {
        x[k] -= dq[k];
    }
}

static bool project_position(TmlSystem *sys, TmlState *s, double *r, double *dq)
{
    enum { MAX_ITERATIONS = 10 };
    double last = HUGE_VAL;
    for (int it = 0; it < MAX_ITERATIONS; ++it) {
        const double worst = tml_system_rows(sys, s, TML_LEVEL_POSITION, r);
        if (worst <= 1e-15 * sys->dim.length || worst >= 0.5 * last) {
            return worst <= 1e-9 * sys->dim.length; // it is at rounding, or does not get there
        }
        last = worst;
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        subtract(sys, s->q, r, dq, s->q);
        tml_system_retract(sys, s->q);
    }
    return last <= 1e-9 * sys->dim.length;
}

/* Another pass follows only where the last one has left less than this part of the rows: with new
 * factors the first does nearly all, and a second takes what rounding left; with kept factors each
 * gains as much as they are still right. */
static const double new_gain = 1e-3, kept_gain = 0.1;

/* Returns false when the factors do not serve: what they leave of the rows does not shrink. */
static bool project_rates(TmlSystem *sys, TmlState *s, TmlLevel level, double gain, double *r,
                          double *dq)
{
    enum { MOST_PASSES = 8 };
    static const double rounding = 1e-10; // relative to the rates
    double *x = level == TML_LEVEL_VELOCITY ? s->v : s->a, last = HUGE_VAL, size = 0.0;
    for (int k = 0; k < sys->dim.nq; ++k) {
        size = fmax(size, fabs(x[k]));
    }
    for (int it = 0; it < MOST_PASSES; ++it) {
        const double worst = tml_system_rows(sys, s, level, r);
        if (worst == 0.0 || !(worst < gain * last)) {
            last = fmin(worst, last);
            break;
        }
        last = worst;
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        subtract(sys, s->q, r, dq, x);
    }
    if (level == TML_LEVEL_VELOCITY) {
        tml_system_retract_velocity(sys, s->q, s->v);
    }
    return last <= rounding * fmax(size, 1.0);
}

bool tml_system_project_velocity(TmlSystem *sys, TmlState *s)
{
    double *r = sys->scratch, *dq = r + sys->dim.n;
    const bool done = matrix_renew(sys, s, r);
    if (done) {
        project_rates(sys, s, TML_LEVEL_VELOCITY, new_gain, r, dq);
    }
    matrix_leave(sys);
    return done;
}

bool tml_system_project(TmlSystem *sys, TmlState *s)
{
    double *r = sys->scratch, *dq = r + sys->dim.n;
    const bool done =
        sys->dim.m == 0 || (matrix_renew(sys, s, r) && project_position(sys, s, r, dq));
    if (done && sys->dim.m > 0) {
        project_rates(sys, s, TML_LEVEL_VELOCITY, new_gain, r, dq);
        project_rates(sys, s, TML_LEVEL_ACCELERATION, new_gain, r, dq);
    }
    matrix_leave(sys);
    return done;
}

bool tml_system_project_kept(TmlSystem *sys, TmlState *s)
{
    double *r = sys->scratch, *dq = r + sys->dim.n;
    const bool done =
        sys->dim.m == 0 || (project_position(sys, s, r, dq) &&
                            project_rates(sys, s, TML_LEVEL_VELOCITY, kept_gain, r, dq) &&
                            project_rates(sys, s, TML_LEVEL_ACCELERATION, kept_gain, r, dq));
    return done;
}

bool tml_system_tangent(TmlSystem *sys, const TmlState *s, bool renew, int n, double *const *du)
{
    double *r = sys->scratch;
    if (sys->reads_acceleration && sys->dim.m == 0) {
        return true;
    }
    const bool done = (!renew && !sys->reads_acceleration) || matrix_renew(sys, s, r);
    for (int i = 0; i < n && done; ++i) { // (P2)
        memset(r + sys->dim.nu, 0, (size_t)(sys->dim.n - sys->dim.nu) * sizeof *r);
        tml_system_mass_mul(sys, s, du[i], r);
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        memcpy(du[i], r, (size_t)sys->dim.nu * sizeof *r);
    }
    matrix_leave(sys);
    return done;
}

/* y = y / |y|; returns |y|. */
static double normalise(int n, double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += y[k] * y[k];
    }
    for (int k = 0; k < n && sum > 0.0; ++k) {
        y[k] /= sqrt(sum);
    }
    return sqrt(sum);
}

/* Computes (P3) with the acceleration-level factors. It starts from signs without an order, which
 * are the same in every run. r[n], y[m] and d[m] are scratch. */
static double largest_eigenvalue(TmlSystem *sys, double *r, double *y, double *d)
{
    enum { ITERATIONS = 4 };
    unsigned random = 1u;
    double value = 0.0;
    for (int k = 0; k < sys->dim.m; ++k) {
        random = random * 1664525u + 1013904223u;
        y[k] = (random >> 16 & 1u) != 0 ? 1.0 : -1.0;
        d[k] = tml_row_length(sys, k);
    }
    (void)normalise(sys->dim.m, y);
    for (int it = 0; it < ITERATIONS; ++it) {
        memset(r, 0, (size_t)sys->dim.n * sizeof *r);
        for (int k = 0; k < sys->dim.m; ++k) {
            r[sys->dim.nu + k] = d[k] * y[k];
        }
        tml_system_solve(sys, TML_FACTORS_ACCELERATION, r);
        for (int k = 0; k < sys->dim.m; ++k) {
            y[k] = -d[k] * r[sys->dim.nu + k]; // (P4)
        }
        value = fmax(value, normalise(sys->dim.m, y));
    }
    return value;
}

/* Names the joints whose rows have a part of the combination y[m] that is weak. */
static void name_weakest(const TmlSystem *sys, const double *y, char *text, size_t size)
{
    static const double part = 0.1; // of the largest: what has less is not of the loop
    TmlNameList names = tml_name_list_begin(text, size);
    double largest = 0.0;
    int last = -1;
    for (int k = 0; k < sys->dim.m; ++k) {
        largest = fmax(largest, fabs(y[k]));
    }
    for (int row = 0; row < sys->dim.m_all; ++row) {
        const int k = sys->row_unknown[row], owner = sys->row_owner[row];
        if (k >= 0 && fabs(y[k]) > part * largest && owner != last) {
            tml_name_list_add(&names, sys->model->constraints.at[owner].name);
            last = owner;
        }
    }
}

double tml_system_weakest(TmlSystem *sys, const TmlState *s, char *text, size_t size)
{
    const TmlSystemStats before = sys->stats;
    const TmlPower power = sys->power;
    double *r = sys->scratch, *y = r + sys->dim.n, sigma = 0.0;
    if (sys->dim.m == 0) {
        return 1.0;
    }
    if (matrix_renew(sys, s, r)) {
        const double value = largest_eigenvalue(sys, r, y, y + sys->dim.m); // y: 2 m <= size
        sigma = value > 1.0 ? 1.0 / sqrt(value) : 1.0;
        if (size > 0) {
            name_weakest(sys, y, text, size);
        }
    }
    matrix_leave(sys);
    sys->stats = before; // the method alone is counted
    sys->power = power;
    return isfinite(sigma) ? sigma : 0.0;
}

double tml_system_hold(TmlSystem *sys, const TmlState *s)
{
    return tml_system_weakest(sys, s, NULL, 0);
}

/* Returns l of (P5) with this e, or 0 where the matrix has no factors with it. */
static double least_hold(TmlSystem *sys, const TmlState *s, double e)
{
    sys->regularisation = e;
    const double sigma = tml_system_hold(sys, s);
    return sys->regularisation == e ? fmax(sigma * sigma - e, 0.0) : 0.0;
}

void tml_system_choose_regularisation(TmlSystem *sys, const TmlState *s)
{
    enum { FEW = 300 };                // the rows of shorter chains hold better than (P5) asks for
    static const double slow = 0.02;   // a rate that costs no correction
    static const double none = 1e-19;  // below the rounding of any pivot
    static const double noise = 1e-15; // l that rounding of rows of length one can make
    static const double part = 1e-3;   // of l: rho, while l stays what it is
    const double usual = TML_REGULARISATION;
    if (sys->dim.m < FEW || least_hold(sys, s, usual) > usual / slow) {
        sys->regularisation = usual;
        return;
    }
    const double l = least_hold(sys, s, none);
    sys->regularisation = l > noise ? fmin(usual, part * l) : usual;
}
