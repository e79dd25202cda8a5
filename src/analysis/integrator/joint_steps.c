/* analysis/integrator/joint_steps.c - see joint_steps.h. */
#include "analysis/integrator/joint_steps.h"

#include "analysis/integrator/explicit/explicit_problem.h"
#include "base/fail.h"
#include "math/small_lu.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 80 }; /* beyond, sparse matrices of all bodies are as cheap */

/* --- motion ----------------------------------------------------------------------------------- */

void tml_joint_steps_move(TmlJointSteps *j, const double *x, const double *v, const double *a)
{
    tml_charts_motion(j->recursion, j->base, x, v, a, j->X, j->Y, j->Y1);
    memcpy(j->Y + j->n, v + j->n, (size_t)(j->all - j->n) * sizeof *v);
    memcpy(j->Y1 + j->n, a + j->n, (size_t)(j->size - j->n) * sizeof *a);
}

bool tml_joint_steps_residual(TmlJointSteps *j, double t, const double *x, const double *v,
                              const double *a, double *out)
{
    j->s.t = t;
    if (!tml_charts_hold(j->recursion, x)) {
        return false;
    }
    tml_joint_steps_move(j, x, v, a);
    return tml_tangent_residual(j->tangent, &j->s, j->X, j->Y, j->Y1, out);
}

void tml_joint_steps_matrices(TmlJointSteps *j, const double *x, const double *v, const double *a)
{
    tml_tangent_matrices(j->tangent, &j->s, j->K);
    tml_charts_matrices(j->recursion, x, v, a, j->size, j->K);
    j->split = false;
}

bool tml_joint_steps_solve(TmlJointSteps *j, double t, double gap, const double *X, const double *Y,
                           double *Y1)
{
    const size_t states = (size_t)(j->all - j->n) * sizeof *Y;
    j->s.t = t;
    memcpy(j->s.X, Y + j->n, states);
    if (!tml_recursion_rates(j->recursion, &j->s, X, Y, gap, j->X1, Y1)) {
        return false;
    }
    memcpy(Y1 + j->n, j->s.Xd, states);
    memcpy(Y1 + j->all, tml_recursion_multipliers(j->recursion),
           (size_t)(j->size - j->all) * sizeof *Y1);
    return true;
}

bool tml_joint_steps_end(TmlJointSteps *j, double t)
{
    memcpy(j->end_x, j->X, (size_t)j->positions * sizeof(double));
    memcpy(j->end_w, j->Y, (size_t)j->all * sizeof(double));
    memcpy(j->end_a, j->Y1, (size_t)j->size * sizeof(double));
    // without loops that normalises quaternions
    return tml_recursion_close(j->recursion, t, j->end_x, j->end_w) &&
           (j->size == j->all ||
            tml_joint_steps_solve(j, t, HUGE_VAL, j->end_x, j->end_w, j->end_a));
}

/* --- the start -------------------------------------------------------------------------------- */

/* Sets the start of a step at positions x and speeds v. */
static void start_at(TmlJointSteps *j, const double *x, const double *v)
{
    memcpy(j->base, x, (size_t)j->positions * sizeof *x);
    memcpy(j->w_n, v, (size_t)j->all * sizeof *v);
    tml_charts_begin(j->recursion, x, j->x_n);
}

void tml_joint_steps_advance(TmlJointSteps *j)
{
    start_at(j, j->end_x, j->end_w);
}

bool tml_joint_steps_choose(const TmlIntegrator *it, TmlJointSteps *j)
{
    return tml_recursion_worn(j->recursion) &&
           tml_recursion_choose(j->recursion, it->now.t, j->base, j->w_n) &&
           tml_joint_steps_solve(j, it->now.t, HUGE_VAL, j->base, j->w_n, j->start);
}

void tml_joint_steps_restart(const TmlIntegrator *it, TmlJointSteps *j)
{
    tml_state_copy(it->sys, &it->now, &j->s);
    const bool good = tml_recursion_begin(j->recursion, &it->now, j->end_x, j->end_w);
    memcpy(j->end_w + j->n, it->now.X, (size_t)(j->all - j->n) * sizeof(double));
    start_at(j, j->end_x, j->end_w);
    if (!good || !tml_joint_steps_solve(j, it->now.t, HUGE_VAL, j->base, j->w_n, j->start)) {
        for (int k = 0; k < j->n; ++k) {
            j->start[k] = (double)NAN; // the first step then says that there is none
        }
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

bool tml_joint_steps_along(TmlJointSteps *j, double *d)
{
    double *b = j->room;
    if (!j->split) {
        memcpy(j->along, j->K[0], (size_t)j->size * (size_t)j->size * sizeof *b);
        j->split = tml_small_factor(j->size, j->along, j->pivot_along);
    }
    memset(b, 0, (size_t)j->size * sizeof *b);
    for (int i = 0; i < j->n; ++i) {
        for (int k = 0; k < j->n; ++k) {
            b[i] += j->K[0][i * j->size + k] * d[k];
        }
    }
    if (j->split) {
        tml_small_solve(j->size, j->along, j->pivot_along, b);
        memcpy(d, b, (size_t)j->n * sizeof *d);
    }
    return j->split;
}

double tml_joint_steps_norm(const TmlIntegrator *it, TmlJointSteps *j, const double *c,
                            const double *x, const double *v, int *at)
{
    int where = -1;
    tml_charts_change(j->recursion, c, x, j->room);
    tml_recursion_spread_speeds(j->recursion, j->room, j->du);
    const double way = tml_norm_u(it->sys, &it->norm, j->du, at);
    tml_charts_change(j->recursion, c, v, j->room);
    tml_recursion_spread_speeds(j->recursion, j->room, j->du);
    const double rate = tml_norm_w(it->sys, &it->norm, j->du, &where);
    *at = rate > way ? where : *at;
    double size = rate > way || isnan(rate) ? rate : way;
    const double states = tml_norm_x(it->sys, &it->norm, v + j->n, &where);
    *at = states > size ? where : *at;
    return states > size || isnan(states) ? states : size;
}

/* --- states ----------------------------------------------------------------------------------- */

void tml_joint_steps_put(const TmlJointSteps *j, double t, const double *x, const double *v,
                         const double *a, bool place, TmlState *s)
{
    const size_t states = (size_t)(j->all - j->n) * sizeof *x;
    s->t = t;
    memcpy(s->X, v + j->n, states);
    memcpy(s->Xd, a + j->n, states);
    tml_recursion_state(j->recursion, x, v, a, false, place, s);
}

void tml_joint_steps_put_values(const TmlIntegrator *it, const TmlJointSteps *j, TmlState *s)
{
    const TmlDims *dim = tml_dims(it->sys);
    memcpy(s->V, j->s.V, (size_t)dim->nv * sizeof *s->V);
    memcpy(s->F, j->s.F, (size_t)dim->nf * sizeof *s->F);
}

/* --- set-up ----------------------------------------------------------------------------------- */

static TmlStatus take_room(TmlIntegrator *it, TmlJointSteps *j, TmlError *err)
{
    const int n = j->size > j->positions ? j->size : j->positions;
    const size_t square = (size_t)j->size * (size_t)j->size;
    double **own[] = {&j->base, &j->x_n, &j->w_n,   &j->start, &j->X,     &j->Y,
                      &j->Y1,   &j->X1,  &j->end_x, &j->end_w, &j->end_a, &j->room};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], n);
    }
    for (int k = 0; k < 3; ++k) {
        TML_NEW(it->arena, j->K[k], square);
    }
    TML_NEW(it->arena, j->along, square);
    TML_NEW(it->arena, j->pivot_along, n);
    TML_NEW(it->arena, j->du, tml_dims(it->sys)->nu);
    TML_TRY(tml_state_create_in(it->sys, it->arena, &j->s, err));
    return tml_tangent_create(j->recursion, &j->tangent, err);
}

static int unknowns(const TmlSystem *sys, const TmlRecursion *r)
{
    return tml_recursion_speeds(r) + tml_dims(sys)->nx + tml_recursion_rows(r);
}

/* Why joint coordinates do not suit the model, or NULL. */
static const char *unfit(const TmlSystem *sys, const TmlRecursion *r, bool asked)
{
    const char *why = tml_tangent_refuse(r);
    if (why == NULL && tml_system_is_rough(sys, TML_KINKS_OF_FRICTION)) {
        why = "a force is not smooth (friction or a switch)";
    }
    if (why == NULL && tml_system_is_delayed(sys)) {
        why = "it has delays";
    }
    if (why == NULL && !asked && unknowns(sys, r) > MOST_UNKNOWNS) {
        why = "there are more than 80";
    }
    return why;
}

bool tml_joint_steps_fit(TmlSystem *sys, const TmlState *s)
{
    TmlRecursion *r;
    TmlError refused = {0};
    const char *why;
    const TmlStatus status = tml_recursion_create(sys, s, &r, &why, &refused);
    const bool fits = status == TML_OK && unfit(sys, r, false) == NULL;
    tml_recursion_free(r);
    return fits;
}

/* Makes the recursion and room for it; *why: why joint coordinates do not suit the model. */
static TmlStatus try_joints(TmlIntegrator *it, bool asked, TmlJointSteps *j, const char **why,
                            TmlError *err)
{
    TmlError refused = {0};
    const TmlStatus status = tml_recursion_create(it->sys, &it->now, &j->recursion, why, &refused);
    if (status != TML_OK) {
        if (*why == NULL && err != NULL) {
            *err = refused;
        }
        return *why == NULL ? status : TML_OK;
    }
    *why = unfit(it->sys, j->recursion, asked);
    if (*why != NULL) {
        tml_joint_steps_free(j);
        return TML_OK;
    }
    j->positions = tml_recursion_positions(j->recursion);
    j->n = tml_recursion_speeds(j->recursion);
    j->all = j->n + tml_dims(it->sys)->nx;
    j->size = unknowns(it->sys, j->recursion);
    return take_room(it, j, err);
}

TmlStatus tml_joint_steps_setup(TmlIntegrator *it, int choice, const char *also, TmlJointSteps *j,
                                TmlError *err)
{
    const bool asked = choice == TML_COORDINATES_RECURSIVE;
    const char *why = choice == TML_COORDINATES_ABSOLUTE ? "as asked for" : also;
    if (why == NULL) {
        TML_TRY(try_joints(it, asked, j, &why, err));
    }
    if (why != NULL && asked) {
        return tml_fail(err, TML_E_MODEL,
                        "coordinates=recursive: not with this model, %s; use "
                        "coordinates=auto or absolute",
                        why);
    }
    it->own_rows = why == NULL;
    tml_coordinates_note(it, why, j->recursion);
    return TML_OK;
}

void tml_joint_steps_free(TmlJointSteps *j)
{
    tml_recursion_free(j->recursion);
    j->recursion = NULL;
}
