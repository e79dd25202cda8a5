/* system/closure.c - moving a state onto the constraints before their rank is known.
 *
 * With W a diagonal metric (mass and mean inertia, floored so that massless bodies have one too),
 * J the rows of all constraints in u, e a small number:
 *
 *   (C1)  position:  [W J^T; J -e] [du; mu] = [-W (q - q_0); -Phi],   q <- q o du, repeated
 *   (C2)  velocity:  [W J^T; J -e] [dv; mu] = [0; -(J v + Phi_t)],     repeated once
 *
 * The pull towards q_0 in (C1) is used by the initial assembly only: its fixed point is the closest
 * state on the constraints, but for Phi = e mu, which a second call removes. e, relative to the
 * diagonal of J W^-1 J^T, keeps the matrix regular when rows are redundant; without the pull it
 * does not move the fixed point as long as the redundant rows agree. own
 */
#include "system/flex.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU, MAX_ITERATIONS = 60 };

/* Bodies that are held count as so much heavier: others make all but a hundred millionth of a move.
 */
static const double held_weight = 1e8;

struct TmlClosure {
    TmlArena arena; /* of all below: the closure is dropped after the initial assembly */
    TmlCsc A;       /* nu + m_all */
    TmlLu *lu;
    int *map;        /* for each constraint, row, end, component: J^T entry, then J entry */
    int *diagonal;   /* nu + m_all */
    double *metric;  /* nu: W */
    double *x, *du;  /* nu + m_all: right side and solution; nu */
    double *q0, *dq; /* nq */
    double *phi;     /* m_all */
    bool *locked;    /* nu */
};

static TmlStatus closure_pattern(TmlSystem *sys, TmlClosure *cl, TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlPattern p;
    bool ok = true;
    size_t count = 0;
    tml_pattern_init(&p, sys->nu + sys->m_all, sys->nu + sys->m_all);
    for (int k = 0; k < sys->nu + sys->m_all && ok; ++k) {
        ok = tml_pattern_add(&p, k, k);
    }
    for (int c = 0; c < m->constraints.n && ok; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows * con->n_ends && ok; ++k) {
            const int row = sys->nu + sys->constraint[c].row0 + k / con->n_ends;
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
    for (int k = 0; k < sys->nu + sys->m_all; ++k) {
        cl->diagonal[k] = tml_csc_find(&cl->A, k, k);
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            const int row = sys->nu + sys->constraint[c].row0 + k / con->n_ends;
            const TmlParts *e = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            for (int j = 0; j < e->cols; ++j) {
                const int i = tml_parts_unknown(sys, e, j);
                cl->map[at++] = tml_csc_find(&cl->A, i, row);
                cl->map[at++] = tml_csc_find(&cl->A, row, i);
            }
        }
    }
}

/* W from the masses at the initial state, relative to the mean mass. */
static void closure_metric(TmlSystem *sys, TmlClosure *cl)
{
    const TmlModel *m = sys->model;
    const double length2 = sys->length * sys->length;
    double total = 0.0, *flexible = cl->x; // free until the first solution
    if (sys->flex != NULL) {
        memset(flexible, 0, (size_t)sys->nu * sizeof *flexible);
        tml_flex_mass_diagonal(sys, flexible, &total);
    }
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        double q[TML_BODY_MAX_NQ], v[TML_BODY_MAX_NQ], M[NU * NU];
        TmlBodyKin kin;
        body->type->initial(body, q, v);
        const TmlBodyIn in = {.data = body->data, .q = q, .v = v};
        body->type->kin(&in, &kin);
        body->type->mass(&in, &kin, M);
        const int nu = body->type->nu;
        double *w = cl->metric + sys->u0[b];
        for (int k = 0; k < nu; ++k) {
            const bool length = k < body->type->lengths;
            const double floor = length ? 1e-3 : 1e-3 * length2;
            const double mass = body->type->hidden ? flexible[sys->u0[b] + k]
                                : length           ? M[0]
                                                   : (M[21] + M[28] + M[35]) / 3.0;
            w[k] = fmax(mass / sys->mass, floor);
            sys->inverse_mass[sys->u0[b] + k] = 1.0 / (w[k] * sys->mass);
            w[k] *= (body->locked & TML_LOCK_HELD) != 0 ? held_weight : 1.0;
        }
    }
}

static TmlStatus closure_fill(TmlSystem *sys, TmlClosure *cl, TmlError *err)
{
    const int n = sys->nu + sys->m_all;
    TML_TRY(closure_pattern(sys, cl, err));
    TML_NEW(&cl->arena, cl->diagonal, n);
    TML_NEW(&cl->arena, cl->metric, sys->nu);
    TML_NEW(&cl->arena, cl->x, n);
    TML_NEW(&cl->arena, cl->du, sys->nu);
    TML_NEW(&cl->arena, cl->q0, sys->nq);
    TML_NEW(&cl->arena, cl->dq, sys->nq);
    TML_NEW(&cl->arena, cl->phi, sys->m_all);
    TML_NEW(&cl->arena, cl->locked, sys->nu);
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
    for (int b = 1; b < sys->nb; ++b) {
        const unsigned bits = sys->model->bodies.at[b].locked >> (velocity ? 4 : 0);
        for (int i = sys->u0[b]; i < sys->u0[b + 1]; ++i) {
            const int k = i - sys->u0[b];
            cl->locked[i] = k < 3 ? (bits >> k & 1u) != 0 : (bits & TML_LOCK_ROTATION) != 0;
            cl->locked[i] |= velocity && k >= 3 && k < 6 && (bits >> (k + 1) & 1u) != 0;
        }
    }
}

/* Matrix at the last kinematics. Pfaffian rows take no part at position level. */
static void matrix_fill(TmlSystem *sys, double t, bool position, double e)
{
    const TmlModel *m = sys->model;
    TmlClosure *cl = sys->closure;
    const int *map = cl->map;
    memset(cl->A.x, 0, (size_t)cl->A.start[cl->A.cols] * sizeof *cl->A.x);
    for (int k = 0; k < sys->nu; ++k) {
        cl->A.x[cl->diagonal[k]] = cl->metric[k];
    }
    for (int k = 0; k < sys->m_all; ++k) {
        cl->A.x[cl->diagonal[sys->nu + k]] = -e;
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const double *Ju = tml_constraint_rows(sys, c, t);
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            const int row = k / con->n_ends;
            const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            const bool skip = position && (sys->pfaffian[c] >> row & 1u) != 0;
            const double *x = Ju + (size_t)k * (size_t)sys->stride;
            double *diagonal = &cl->A.x[cl->diagonal[sys->nu + sys->constraint[c].row0 + row]];
            for (int j = 0; j < p->cols; ++j, map += 2) {
                const int i = tml_parts_unknown(sys, p, j);
                if (!skip && !cl->locked[i]) {
                    cl->A.x[map[0]] += x[j];
                    cl->A.x[map[1]] += x[j];
                    *diagonal -=
                        e * x[j] * x[j] / cl->metric[i]; // light bodies: J J^T / W is large
                }
            }
        }
    }
}

/* phi[m_all] at the last kinematics and level; returns the largest. */
static double rows_level(TmlSystem *sys, double t, TmlLevel level, double *phi)
{
    const TmlModel *m = sys->model;
    double worst = 0.0;
    for (int c = 0; c < m->constraints.n; ++c) {
        double *p = phi + sys->constraint[c].row0;
        tml_constraint_level(sys, c, t, level, p);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            if (level == TML_LEVEL_POSITION && (sys->pfaffian[c] >> k & 1u) != 0) {
                p[k] = 0.0;
            }
            worst = fmax(worst, fabs(p[k]));
        }
    }
    return worst;
}

/* Solve for right side (pull, -phi), factoring the present matrix first when it is new; du in
 * closure->du. */
static bool closure_solve(TmlSystem *sys, const double *pull, bool factor)
{
    TmlClosure *cl = sys->closure;
    if (factor && tml_lu_refactor(cl->lu, &cl->A) >= 0) {
        return false;
    }
    for (int k = 0; k < sys->nu; ++k) {
        cl->x[k] = pull != NULL && !cl->locked[k] ? pull[k] : 0.0;
    }
    for (int k = 0; k < sys->m_all; ++k) {
        cl->x[sys->nu + k] = -cl->phi[k];
    }
    tml_lu_solve(cl->lu, cl->x);
    for (int k = 0; k < sys->nu; ++k) {
        if (!isfinite(cl->x[k])) {
            return false;
        }
    }
    memcpy(cl->du, cl->x, (size_t)sys->nu * sizeof *cl->du);
    return true;
}

/* q <- q moved by du, no body by more than a fraction of the model or of a turn. Returns the
 * largest move relative to the size. */
static double move_positions(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    double largest = 0.0;
    for (int k = 0; k < sys->nu; ++k) {
        largest = fmax(largest, fabs(cl->du[k]) / sys->unit[k]);
    }
    const double limit = 0.5, scale = largest > limit ? limit / largest : 1.0;
    for (int k = 0; k < sys->nu; ++k) {
        cl->du[k] *= scale;
    }
    tml_system_expand(sys, s->q, cl->du, cl->dq);
    for (int k = 0; k < sys->nq; ++k) {
        s->q[k] += cl->dq[k];
    }
    tml_system_retract(sys, s->q);
    return scale * largest;
}

/* -W (q - q_0) in u */
static void pull_fill(TmlSystem *sys, const TmlState *s, double *pull)
{
    TmlClosure *cl = sys->closure;
    for (int k = 0; k < sys->nq; ++k) {
        cl->dq[k] = s->q[k] - cl->q0[k];
    }
    tml_system_reduce(sys, s->q, cl->dq, pull);
    for (int k = 0; k < sys->nu; ++k) {
        pull[k] *= -cl->metric[k];
    }
}

static double close_position(TmlSystem *sys, TmlState *s, bool assembly)
{
    TmlClosure *cl = sys->closure;
    double worst = 0.0;
    memcpy(cl->q0, s->q, (size_t)sys->nq * sizeof *cl->q0);
    for (int it = 0; it < MAX_ITERATIONS; ++it) {
        tml_system_kinematics(sys, s, false);
        worst = rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi);
        // a state that is on the constraints already stays untouched, to the bit
        if (!isfinite(worst) || worst <= 1e-14 * sys->length) {
            break;
        }
        matrix_fill(sys, s->t, true, 1e-11);
        if (assembly) {
            pull_fill(sys, s, cl->du);
        }
        if (!closure_solve(sys, assembly ? cl->du : NULL, true)) {
            return -1.0;
        }
        const double moved = move_positions(sys, s);
        if (moved <= 1e-15 || (!assembly && moved <= 1e-11 && it > 0)) {
            tml_system_kinematics(sys, s, false);
            worst = rows_level(sys, s->t, TML_LEVEL_POSITION, cl->phi);
            break;
        }
    }
    return isfinite(worst) ? worst / sys->length : -1.0;
}

/* (C2). Repeated until the rows are at rounding: `e` and rows of an overdetermined system leave a
 * remainder. */
static void close_velocity(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    double first = 0.0;
    for (int it = 0; it < 3; ++it) {
        tml_system_kinematics(sys, s, false);
        const double worst = rows_level(sys, s->t, TML_LEVEL_VELOCITY, cl->phi);
        first = it == 0 ? worst : first;
        if (worst == 0.0 || !isfinite(worst) || (it > 0 && worst <= 1e-9 * first)) {
            break;
        }
        if (it == 0) {
            matrix_fill(sys, s->t, false, 1e-11);
        }
        if (!closure_solve(sys, NULL, it == 0)) {
            break;
        }
        tml_system_expand(sys, s->q, cl->du, cl->dq);
        for (int k = 0; k < sys->nq; ++k) {
            s->v[k] += cl->dq[k];
        }
    }
    tml_system_retract_velocity(sys, s->q, s->v);
}

double tml_system_close(TmlSystem *sys, TmlState *s, TmlCloseWhat what)
{
    TmlClosure *cl = sys->closure;
    double worst = 0.0;
    memset(cl->locked, 0, (size_t)sys->nu * sizeof *cl->locked);
    if (what.position) {
        if (what.assembly) {
            locks_fill(sys, cl, false);
        }
        worst = close_position(sys, s, what.assembly);
    }
    memset(cl->locked, 0, (size_t)sys->nu * sizeof *cl->locked);
    if (what.velocity && worst >= 0.0) {
        if (what.assembly) {
            locks_fill(sys, cl, true);
        }
        close_velocity(sys, s);
    }
    return worst;
}
