/* analysis/rows/row_joints.c - rows of all methods in joint coordinates, where the model allows these.
 *
 * A row inside of a step needs positions and velocities on the constraints, and accelerations and multipliers that solve the equations of motion
 * there (analysis/rows/between.c). The sparse system takes a matrix and its factors for that. The recursion over the tree
 * (docs/theory/recursion.md) takes neither: joint coordinates of the interpolated state (Q3), then one evaluation. Both move the
 * state in the sense of M, and differ by the square of the error of the interpolation.
 */
#include "analysis/rows/row_joints.h"

#include "analysis/integrator/explicit/explicit_problem.h"
#include "base/fail.h"
#include "system/recursion/recursion.h"

#include <math.h>
#include <string.h>

/* What is farther than this from the constraints, in lengths of the model or radians, is for the sparse system to judge: a step may be too
 * long for its rows. */
static const double farthest = 1e-3;

struct TmlRowJoints {
    TmlSystem *sys;
    TmlArena arena;
    TmlRecursion *recursion;
    double *x, *y, *x1, *y1; /* of the last solution */
    double *xt, *yt, *dy;    /* scratch */
    TmlState at;
    double *q; // nq: of the state that was given
    int64_t count;
};

/* Tells whether the matrix of all bodies would be the better way, as the methods in joint coordinates judge it. */
static bool suits(TmlRowJoints *j, double tolerance)
{
    return tml_joints_unfit(j->recursion, tolerance) == NULL &&
           tml_recursion_take_setup(j->recursion);
}

static TmlStatus take_room(TmlRowJoints *j, const TmlState *s, TmlError *err)
{
    const int nx = tml_recursion_positions(j->recursion), ny = tml_recursion_speeds(j->recursion);
    double **positions[] = {&j->x, &j->x1, &j->xt}, **speeds[] = {&j->y, &j->y1, &j->yt, &j->dy};
    for (size_t k = 0; k < sizeof positions / sizeof positions[0]; ++k) {
        TML_NEW(&j->arena, *positions[k], nx + 1);
    }
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; ++k) {
        TML_NEW(&j->arena, *speeds[k], ny + 1);
    }
    TML_TRY(tml_state_create_in(j->sys, &j->arena, &j->at, err));
    TML_NEW(&j->arena, j->q, tml_dims(j->sys)->nq);
    tml_state_copy(j->sys, s, &j->at);
    return TML_OK;
}

TmlStatus tml_row_joints_create(TmlSystem *sys, const TmlState *s, double tolerance,
                                TmlRowJoints **out, TmlError *err)
{
    const char *why;
    *out = NULL;
    TmlRowJoints *j = tml_mem_zalloc(1, sizeof *j);
    if (j == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for rows in joint coordinates");
    }
    TmlError refused = {0}; // a model that has none is no failure
    j->sys = sys;
    TmlStatus status = tml_recursion_create(sys, s, &j->recursion, &why, &refused);
    const bool none = why != NULL || (status == TML_OK && !suits(j, tolerance));
    if (status != TML_OK && !none && err != NULL) {
        *err = refused;
    }
    status = none ? TML_OK : status;
    status = status == TML_OK && !none ? take_room(j, s, err) : status;
    if (status != TML_OK || none) {
        tml_row_joints_free(j);
        return status;
    }
    *out = j;
    return TML_OK;
}

int64_t tml_row_joints_count(const TmlRowJoints *j)
{
    return j->count;
}

void tml_row_joints_free(TmlRowJoints *j)
{
    if (j != NULL) {
        tml_recursion_free(j->recursion);
        tml_arena_free(&j->arena);
        tml_mem_free(j);
    }
}

/* A quaternion and its negative are one orientation: those of s go on with the signs of the state that was given. */
static void keep_signs(const TmlRowJoints *j, TmlState *s)
{
    const TmlDims *dim = tml_dims(j->sys);
    for (int b = 1; b < dim->nb; ++b) {
        const int at = dim->span[b].q0 + 3;
        const double *p = j->q + at;
        if (dim->span[b].nq != 7 ||
            p[0] * s->q[at] + p[1] * s->q[at + 1] + p[2] * s->q[at + 2] + p[3] * s->q[at + 3] >=
                0.0) {
            continue;
        }
        for (int k = at; k < at + 4; ++k) {
            s->q[k] = -s->q[k];
            s->v[k] = -s->v[k];
            s->a[k] = -s->a[k];
        }
    }
}

/* Tries again with other rows of the loops: those that were kept may have become dependent. */
static bool row_anew(TmlRowJoints *j)
{
    TmlRecursion *r = j->recursion;
    return tml_recursion_rows(r) > 0 && tml_recursion_choose(r, j->at.t, j->x, j->y) &&
           tml_recursion_row(r, &j->at, j->x, j->y, j->x1, j->y1);
}

bool tml_row_joints_solve(TmlRowJoints *j, bool reactions, TmlState *s)
{
    const TmlDims *dim = tml_dims(j->sys);
    TmlRecursion *r = j->recursion;
    double off;
    memcpy(j->q, s->q, (size_t)dim->nq * sizeof *s->q);
    j->at.t = s->t;
    memcpy(j->at.X, s->X, (size_t)dim->nx * sizeof *s->X);
    if (!tml_recursion_take(r, s, j->x, j->y, &off) || !(off <= farthest)) {
        return false;
    }
    if (!tml_recursion_row(r, &j->at, j->x, j->y, j->x1, j->y1) && !row_anew(j)) {
        return false;
    }
    memcpy(s->Xd, j->at.Xd, (size_t)dim->nx * sizeof *s->Xd);
    memcpy(s->V, j->at.V, (size_t)dim->nv * sizeof *s->V);
    memcpy(s->F, j->at.F, (size_t)dim->nf * sizeof *s->F);
    tml_recursion_state(r, j->x, j->y, j->y1, true, true, s);
    keep_signs(j, s);
    if (reactions) {
        tml_system_kinematics(j->sys, s, true);
        tml_recursion_reactions(r, s);
    }
    j->count++;
    return true;
}

bool tml_row_joints_probe(TmlRowJoints *j, const TmlState *s, double c_v, double *du, double *dX)
{
    const TmlDims *dim = tml_dims(j->sys);
    TmlRecursion *r = j->recursion;
    if (!tml_recursion_fit(r, j->x, du, j->dy)) {
        return false;
    }
    memcpy(j->xt, j->x, (size_t)tml_recursion_positions(r) * sizeof *j->xt);
    tml_recursion_shift(r, c_v * c_v, j->dy, j->xt);
    for (int k = 0; k < tml_recursion_speeds(r); ++k) {
        j->yt[k] = j->y[k] + c_v * j->dy[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        j->at.X[k] = s->X[k] + c_v * dX[k];
    }
    j->at.t = s->t;
    if (!tml_recursion_rates(r, &j->at, j->xt, j->yt, HUGE_VAL, j->x1, j->dy)) {
        return false;
    }
    for (int k = 0; k < tml_recursion_speeds(r); ++k) {
        j->dy[k] -= j->y1[k];
    }
    tml_recursion_spread_speeds(r, j->dy, du);
    for (int k = 0; k < dim->nx; ++k) {
        dX[k] = j->at.Xd[k] - s->Xd[k];
    }
    return true;
}
