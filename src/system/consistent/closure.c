/* system/consistent/closure.c - moving a state onto the constraints before their rank is known.
 *
 * With W a diagonal metric (mass and mean inertia, floored so that massless bodies have one too),
 * J the rows of all constraints in u, D the diagonal of J W^-1 J^T and e a number:
 *
 *   (C1)  near:      [W J^T; J -e D] [du; mu] = [-W (q - q_0); -Phi],   q <- q o du, repeated
 *   (C2)  onto:      [W J^T; J -e D] [du; mu] = [0; -Phi],              q <- q o du, repeated
 *   (C3)  velocity:  [W J^T; J -e D] [dv; mu] = [0; -(J v + Phi_t)],    repeated
 *
 * (C1), for the initial assembly only, has the closest state on the constraints as its fixed point,
 * reaches it linearly and leaves Phi = e D mu. (C2) is the method of Levenberg and Marquardt. Off
 * the constraints redundant rows are independent by as little as the distance d, and contradict
 * each other by d^2: solving them would move by d for ever. With e of the size of |Phi| what is
 * independent by less than the square root of |Phi| is not followed, and the iteration converges
 * quadratically wherever |Phi| bounds the distance to the constraints, whatever the rank
 * (Yamashita and Fukushima 2001; Fan and Yuan 2005). A try that does not reduce |Phi| is taken back
 * and made with a larger e. Rows are measured by their size |J_k| in (dr / L, dtheta), so that
 * units do not matter. Should (C2) not arrive, system/consistent/closure_path.c follows a path.
 */
#include "system/consistent/closure.h"
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU, NEAR = 40 }; // most iterations of (C1)

/* Bodies that are held count as so much heavier: others make all but a hundred millionth of a move.
 */
static const double held_weight = 1e8;

static TmlStatus closure_pattern(TmlSystem *sys, TmlClosure *cl, TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlPattern p;
    bool ok = true;
    size_t count = 0;
    tml_pattern_init(&p, sys->dim.nu + sys->dim.m_all, sys->dim.nu + sys->dim.m_all);
    for (int k = 0; k < sys->dim.nu + sys->dim.m_all && ok; ++k) {
        ok = tml_pattern_add(&p, k, k);
    }
    for (int c = 0; c < m->constraints.n && ok; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows * con->n_ends && ok; ++k) {
            const int row = sys->dim.nu + sys->constraint[c].row0 + k / con->n_ends;
            const TmlParts *e = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            for (int j = 0; j < e->cols && ok; ++j) {
                const int i = tml_parts_unknown(sys, e, j);
                ok = tml_pattern_add(&p, i, row) && tml_pattern_add(&p, row, i);
                count += 2;
            }
        }
    }
    const TmlStatus status = ok ? tml_pattern_csc(&p, &cl->arena, &cl->A, err)
                                : tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
    tml_pattern_free(&p);
    TML_TRY(status);
    TML_NEW(&cl->arena, cl->map, count);
    return TML_OK;
}

static void closure_maps(TmlSystem *sys, TmlClosure *cl)
{
    const TmlModel *m = sys->model;
    size_t at = 0;
    for (int k = 0; k < sys->dim.nu + sys->dim.m_all; ++k) {
        cl->diagonal[k] = tml_csc_find(&cl->A, k, k);
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            const int row = sys->dim.nu + sys->constraint[c].row0 + k / con->n_ends;
            const TmlParts *e = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            for (int j = 0; j < e->cols; ++j) {
                const int i = tml_parts_unknown(sys, e, j);
                cl->map[at++] = tml_csc_find(&cl->A, i, row);
                cl->map[at++] = tml_csc_find(&cl->A, row, i);
            }
        }
    }
}

/* Sets W from the masses at the initial state, relative to the mean mass, in the units of the
 * unknowns. */
static void closure_metric(TmlSystem *sys, TmlClosure *cl)
{
    const TmlModel *m = sys->model;
    const double length2 = sys->dim.length * sys->dim.length;
    double total = 0.0, *flexible = cl->x; // free until the first solution
    memset(flexible, 0, (size_t)sys->dim.nu * sizeof *flexible);
    if (sys->flex != NULL) {
        tml_flex_mass_diagonal(sys, flexible, &total);
    }
    if (sys->modal != NULL) {
        tml_modal_mass_diagonal(sys, flexible, &total);
    }
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        double q[TML_BODY_MAX_NQ], v[TML_BODY_MAX_NQ], M[NU * NU];
        TmlBodyKin kin;
        body->type->initial(body, q, v);
        const TmlBodyIn in = {.data = body->data, .q = q, .v = v};
        body->type->kin(&in, &kin);
        body->type->mass(&in, &kin, M);
        const int nu = body->type->nu;
        for (int k = 0; k < nu; ++k) {
            const bool length = k < body->type->lengths;
            const double floor = length ? 1e-3 : 1e-3 * length2;
            const bool carried = body->type->hidden || body->type->carried;
            const double mass = carried  ? flexible[sys->dim.span[b].u0 + k]
                                : length ? M[0]
                                         : (M[21] + M[28] + M[35]) / 3.0;
            const int i = sys->dim.span[b].u0 + k;
            const bool held = (body->locked & TML_LOCK_HELD) != 0;
            const double weight = fmax(mass / sys->dim.mass, floor);
            sys->inverse_mass[i] = 1.0 / (weight * sys->dim.mass);
            cl->metric[i] =
                weight * sys->dim.unit[i] * sys->dim.unit[i] / length2 * (held ? held_weight : 1.0);
            cl->lengths[i] = held ? sqrt(held_weight) : 1.0;
        }
    }
}

static TmlStatus closure_fill(TmlSystem *sys, TmlClosure *cl, TmlError *err)
{
    const int n = sys->dim.nu + sys->dim.m_all;
    TML_TRY(closure_pattern(sys, cl, err));
    TML_NEW(&cl->arena, cl->diagonal, n);
    TML_NEW(&cl->arena, cl->metric, sys->dim.nu);
    TML_NEW(&cl->arena, cl->lengths, sys->dim.nu);
    TML_NEW(&cl->arena, cl->x, n);
    TML_NEW(&cl->arena, cl->du, sys->dim.nu);
    TML_NEW(&cl->arena, cl->q0, sys->dim.nq);
    TML_NEW(&cl->arena, cl->q_try, sys->dim.nq);
    TML_NEW(&cl->arena, cl->q_last, sys->dim.nq);
    TML_NEW(&cl->arena, cl->q_here, sys->dim.nq);
    TML_NEW(&cl->arena, cl->q_direct, sys->dim.nq);
    TML_NEW(&cl->arena, cl->path_start, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->size, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->offset, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->skip, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->D, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->dq, sys->dim.nq);
    TML_NEW(&cl->arena, cl->phi, sys->dim.m_all);
    TML_NEW(&cl->arena, cl->locked, sys->dim.nu);
    closure_maps(sys, cl);
    closure_metric(sys, cl);
    return tml_lu_create(&cl->A, &cl->lu, err);
}

TmlStatus tml_closure_create(TmlSystem *sys, TmlError *err)
{
    TmlClosure *cl = tml_mem_zalloc(1, sizeof *cl);
    if (cl == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
    }
    sys->closure = cl;
    return closure_fill(sys, cl, err);
}

void tml_closure_free(TmlSystem *sys)
{
    if (sys->closure != NULL) {
        tml_lu_free(sys->closure->lu);
        tml_arena_free(&sys->closure->arena);
        tml_mem_free(sys->closure);
        sys->closure = NULL;
    }
}

static void locks_fill(const TmlSystem *sys, TmlClosure *cl, bool velocity)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const unsigned bits = sys->model->bodies.at[b].locked >> (velocity ? 4 : 0);
        for (int i = sys->dim.span[b].u0; i < sys->dim.span[b + 1].u0; ++i) {
            const int k = i - sys->dim.span[b].u0;
            cl->locked[i] = k < 3 ? (bits >> k & 1u) != 0 : (bits & TML_LOCK_ROTATION) != 0;
            cl->locked[i] |= velocity && k >= 3 && k < 6 && (bits >> (k + 1) & 1u) != 0;
        }
    }
}

static bool row_skips(const TmlSystem *sys, int c, int k, bool position)
{
    const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
    return position && (pfaffian || sys->closure->skip[sys->constraint[c].row0 + k]);
}

/* Assembles the matrix at the last kinematics, but for the diagonal of the multipliers, whose D
 * goes to cl->D. Unknowns are in their units and rows relative to their sizes, so that the matrix
 * has no dimension. Pfaffian rows take no part at position level. */
static void matrix_fill(TmlSystem *sys, double t, bool position, const double *metric)
{
    const TmlModel *m = sys->model;
    TmlClosure *cl = sys->closure;
    const int *map = cl->map;
    memset(cl->A.x, 0, (size_t)cl->A.start[cl->A.cols] * sizeof *cl->A.x);
    memset(cl->D, 0, (size_t)sys->dim.m_all * sizeof *cl->D);
    for (int k = 0; k < sys->dim.nu; ++k) {
        cl->A.x[cl->diagonal[k]] = metric[k];
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const double *Ju = tml_constraint_rows(sys, c, t);
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            const int row = k / con->n_ends, all = sys->constraint[c].row0 + row;
            const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            const bool skip = row_skips(sys, c, row, position);
            const double *x = Ju + (size_t)k * (size_t)sys->stride;
            for (int j = 0; j < p->cols; ++j, map += 2) {
                const int i = tml_parts_unknown(sys, p, j);
                if (!skip && !cl->locked[i]) {
                    const double y = x[j] * sys->dim.unit[i] / cl->size[all];
                    cl->A.x[map[0]] += y;
                    cl->A.x[map[1]] += y;
                    cl->D[all] += y * y / metric[i];
                }
            }
        }
    }
}

/* Puts -e D on the diagonal of the multipliers. Rows without effect have no multiplier. */
static void damping_fill(TmlSystem *sys, double e)
{
    TmlClosure *cl = sys->closure;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        cl->A.x[cl->diagonal[sys->dim.nu + k]] = cl->D[k] > 0.0 ? -e * cl->D[k] : -1.0;
    }
}

/* Sets the sizes of the rows at the last kinematics; a row without effect has the size of the
 * model. Sizes only grow while a state is moved, so that a row does not become important by losing
 * its effect. */
static void sizes_fill(TmlSystem *sys, double t, bool first)
{
    const TmlModel *m = sys->model;
    TmlClosure *cl = sys->closure;
    for (int c = 0; c < m->constraints.n; ++c) {
        const double *Ju = tml_constraint_rows(sys, c, t);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            double *size = &cl->size[sys->constraint[c].row0 + k];
            const double now = tml_constraint_row_size(sys, c, k, Ju);
            *size = fmax(first ? 0.0 : *size, now > 1e-12 * sys->dim.length ? now : 0.0);
            *size = *size > 0.0 ? *size : sys->dim.length;
        }
    }
}

/* Evaluates phi[m_all], not scaled, at the last kinematics and the given level. It returns the
 * largest relative to the sizes of the rows and, unless norm is NULL, the root of the sum of their
 * squares in it. */
static double rows_level(TmlSystem *sys, double t, TmlLevel level, double *phi, double *norm)
{
    const TmlModel *m = sys->model;
    const TmlClosure *cl = sys->closure;
    double worst = 0.0, sum = 0.0;
    for (int c = 0; c < m->constraints.n; ++c) {
        const int row0 = sys->constraint[c].row0;
        double *p = phi + row0;
        tml_constraint_level(sys, c, t, level, p);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const bool skip = row_skips(sys, c, k, level == TML_LEVEL_POSITION);
            p[k] = skip ? 0.0 : p[k] - (level == TML_LEVEL_POSITION ? cl->offset[row0 + k] : 0.0);
            const double x = p[k] / cl->size[row0 + k];
            worst = isfinite(x) ? fmax(worst, fabs(x)) : x;
            sum += x * x;
            if (!isfinite(x)) {
                return (double)NAN;
            }
        }
    }
    if (norm != NULL) {
        *norm = sqrt(sum);
    }
    return worst;
}

/* Solves for the right side (pull, -phi) and puts du into closure->du. The present matrix is
 * factored first when it is new. */
static bool closure_solve(TmlSystem *sys, const double *pull, bool factor)
{
    TmlClosure *cl = sys->closure;
    if (factor && tml_lu_refactor(cl->lu, &cl->A) >= 0) {
        return false;
    }
    for (int k = 0; k < sys->dim.nu; ++k) {
        cl->x[k] = pull != NULL && !cl->locked[k] ? pull[k] / sys->dim.unit[k] : 0.0;
    }
    for (int k = 0; k < sys->dim.m_all; ++k) {
        cl->x[sys->dim.nu + k] = -cl->phi[k] / cl->size[k];
    }
    tml_lu_solve(cl->lu, cl->x);
    for (int k = 0; k < sys->dim.nu; ++k) {
        if (!isfinite(cl->x[k])) {
            return false; // pull, which may stand in du, is still there
        }
    }
    for (int k = 0; k < sys->dim.nu; ++k) {
        cl->du[k] = sys->dim.unit[k] * cl->x[k];
    }
    return true;
}

/* Moves q by du, but no body by more than a fraction of the model or of a turn. It returns the
 * largest move relative to the size. */
static double move_positions(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    double largest = 0.0;
    for (int k = 0; k < sys->dim.nu; ++k) {
        largest = fmax(largest, fabs(cl->du[k]) / sys->dim.unit[k]);
    }
    const double limit = 0.5, scale = largest > limit ? limit / largest : 1.0;
    for (int k = 0; k < sys->dim.nu; ++k) {
        cl->du[k] *= scale;
    }
    tml_system_expand(sys, s->q, cl->du, cl->dq);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] += cl->dq[k];
    }
    tml_system_retract(sys, s->q);
    return scale * largest;
}

/* -W (q - q_0) in u */
static void pull_fill(TmlSystem *sys, const TmlState *s, double *pull)
{
    TmlClosure *cl = sys->closure;
    for (int k = 0; k < sys->dim.nq; ++k) {
        cl->dq[k] = s->q[k] - cl->q0[k];
    }
    tml_system_reduce(sys, s->q, cl->dq, pull);
    for (int k = 0; k < sys->dim.nu; ++k) {
        pull[k] *= -cl->metric[k];
    }
}

/* Rows that are below this, relative to their size, are zero but for rounding. */
static const double rounding = 1e-14;

/* The least damping keeps the matrix regular where rows are redundant. The second is the most. */
static const double least_damping = 1e-11, most_damping = 1e-2;

/* By which it grows where the pivots of redundant rows cannot be told from rounding. */
static const double damping_growth = 100.0;

/* Solves as closure_solve with new factors and damping *e, or with more of it where there are no factors. */
static bool closure_solve_damped(TmlSystem *sys, const double *pull, double *e)
{
    damping_fill(sys, *e);
    while (!closure_solve(sys, pull, true)) {
        if (*e >= most_damping) {
            return false;
        }
        *e = fmin(most_damping, damping_growth * *e);
        damping_fill(sys, *e);
    }
    return true;
}

static double damping_of(double worst, double factor)
{
    return fmin(most_damping, fmax(least_damping, factor * worst * worst));
}

/* Iterates by (C1), whose limit is the closest state; (C2) goes on from where it comes to. It
 * returns false when the matrix is singular or a number is not finite. */
static bool close_near(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    for (int it = 0; it < NEAR; ++it) {
        tml_system_kinematics(sys, s, false);
        sizes_fill(sys, s->t, it == 0);
        const double worst = rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi, NULL);
        // a state that is on the constraints already stays untouched, to the bit
        if (!(worst > rounding)) {
            return isfinite(worst);
        }
        matrix_fill(sys, s->t, true, cl->metric);
        double e = damping_of(worst, 1.0);
        pull_fill(sys, s, cl->du);
        if (!closure_solve_damped(sys, cl->du, &e)) {
            return false;
        }
        if (move_positions(sys, s) <= 1e-10) {
            break;
        }
    }
    return true;
}

/* Returns what the linear rows leave of Phi after the last solution, which is e D mu. */
static double remainder_of(const TmlSystem *sys, double e)
{
    const TmlClosure *cl = sys->closure;
    double sum = 0.0;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        const double x = e * cl->D[k] * cl->x[sys->dim.nu + k];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Returns the factor of the damping after a step from norm `before` to `after`, of which the linear
 * rows promised `promised`: less damping where it is what held the step back, more where the rows
 * bent away. */
static double next_factor(double factor, double before, double after, double promised)
{
    if (!(after < before)) {
        return 16.0 * factor;
    }
    if (promised > 0.1 * before && after < 2.0 * promised) {
        return fmax(0.1 * factor, 1e-8);
    }
    return after > 0.25 * before ? 4.0 * factor : factor;
}

double tml_closure_onto(TmlSystem *sys, TmlState *s, int most)
{
    TmlClosure *cl = sys->closure;
    const size_t bytes = (size_t)sys->dim.nq * sizeof *cl->q_try;
    const double *metric = cl->metric;
    double factor = 1.0, norm;
    tml_system_kinematics(sys, s, false);
    sizes_fill(sys, s->t, true);
    double worst = rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi, &norm);
    cl->n_norms = 0;
    for (int it = 0; it < most && worst > rounding; ++it) { // (C2)
        double e = damping_of(worst, factor);
        matrix_fill(sys, s->t, true, metric);
        if (!closure_solve_damped(sys, NULL, &e)) {
            return -1.0;
        }
        const double promised = remainder_of(sys, e);
        double after;
        memcpy(cl->q_try, s->q, bytes);
        const double moved = move_positions(sys, s);
        tml_system_kinematics(sys, s, false);
        sizes_fill(sys, s->t, false);
        const double reached = rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi, &after);
        factor = next_factor(factor, norm, after, promised);
        metric = after <= 0.1 * norm ? metric : cl->lengths;
        if (after < norm) {
            cl->norms[cl->n_norms++] = norm = after;
            worst = reached;
        } else {
            memcpy(s->q, cl->q_try, bytes);
            tml_system_kinematics(sys, s, false);
            rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi, NULL);
        }
        if (moved <= (after < norm ? 1e-15 : 1e-12)) {
            break; // as far as rounding allows, or at the least of all misfits
        }
    }
    return isfinite(worst) ? worst : -1.0;
}

static double close_position(TmlSystem *sys, TmlState *s, TmlCloseWhat what)
{
    TmlClosure *cl = sys->closure;
    memcpy(cl->q0, s->q, (size_t)sys->dim.nq * sizeof *cl->q0);
    if (what.assembly && !close_near(sys, s)) {
        memcpy(s->q, cl->q0, (size_t)sys->dim.nq * sizeof *cl->q0); // (C2) has more patience
    }
    const double worst = tml_closure_onto(sys, s, TML_CLOSURE_MOST);
    const bool closed = worst >= 0.0 && worst <= TML_CLOSED;
    return closed || !what.path ? worst : tml_closure_follow(sys, s, worst);
}

/* Moves velocities by (C3) until the rows are at rounding: `e` and rows of an overdetermined system
 * leave a remainder. */
static void close_velocity(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    double first = 0.0;
    for (int it = 0; it < 3; ++it) {
        tml_system_kinematics(sys, s, false);
        if (it == 0) {
            sizes_fill(sys, s->t, true);
        }
        const double worst = rows_level(sys, s->t, TML_LEVEL_VELOCITY, cl->phi, NULL);
        first = it == 0 ? worst : first;
        if (worst == 0.0 || !isfinite(worst) || (it > 0 && worst <= 1e-9 * first)) {
            break;
        }
        if (it == 0) {
            matrix_fill(sys, s->t, false, cl->metric);
        }
        double e = least_damping;
        if (!(it == 0 ? closure_solve_damped(sys, NULL, &e) : closure_solve(sys, NULL, false))) {
            break;
        }
        tml_system_expand(sys, s->q, cl->du, cl->dq);
        for (int k = 0; k < sys->dim.nq; ++k) {
            s->v[k] += cl->dq[k];
        }
    }
    tml_system_retract_velocity(sys, s->q, s->v);
}

double tml_system_close(TmlSystem *sys, TmlState *s, TmlCloseWhat what)
{
    TmlClosure *cl = sys->closure;
    double worst = 0.0;
    memset(cl->locked, 0, (size_t)sys->dim.nu * sizeof *cl->locked);
    if (what.position) {
        if (what.assembly) {
            locks_fill(sys, cl, false);
        }
        worst = close_position(sys, s, what);
    }
    memset(cl->locked, 0, (size_t)sys->dim.nu * sizeof *cl->locked);
    if (what.velocity && worst >= 0.0) {
        if (what.assembly) {
            locks_fill(sys, cl, true);
        }
        close_velocity(sys, s);
    }
    return worst;
}
