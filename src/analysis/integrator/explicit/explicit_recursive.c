/* analysis/integrator/explicit/explicit_recursive.c - y = (x, u, X), f = (x', u', X') in joint coordinates, by the recursion of
 * system/recursion/recursion.h.
 *
 *   (X4)  u' of a tree solves nothing but its joints, one after the other; rows that close loops have multipliers over the tree.
 *         As in (X2) stages of a method need not be on the loops, and (X3) moves its end onto them, least in the sense of M
 *   (X6)  below a tolerance of 1e-7 stages are moved onto the loops as well: f is taken at the closed stage, which differs by the error of
 *         the stage. Where loops hold by a part s of their rows, accelerations off the loops are off by the gap over s, and no step brings that down
 *   (X5)  a stage whose loops gape by more than a tenth of the model's length is none: the step has left the branch
 *
 * Norms are those of the bodies that a change of joint coordinates moves, so that a tolerance means the same as for all methods.
 */
#include "analysis/integrator/explicit/explicit_bodies.h"

#include "base/fail.h"
#include "system/recursion/recursion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double widest_gap = 0.1;        // (X5)
static const double closed_tolerance = 1e-7; // (X6)

typedef struct Recursive {
    TmlRecursion *recursion;
    int nx, nu;  /* positions, speeds */
    bool closes; /* (X6) */
    TmlState s;  /* time, X, X', V and F of the last evaluation */
    double *du;  /* nu of the system */
} Recursive;

static double recursive_norm(TmlExplicit *p, const double *dy, double h, int *at)
{
    const Recursive *w = p->work;
    const TmlIntegrator *it = p->it;
    int where[3] = {-1, -1, -1};
    double part[3];
    tml_recursion_spread_positions(w->recursion, dy, w->du);
    part[0] = tml_norm_u(it->sys, &it->norm, w->du, &where[0]);
    tml_recursion_spread_speeds(w->recursion, dy + w->nx, w->du);
    part[1] = tml_norm_w(it->sys, &it->norm, w->du, &where[1]);
    part[2] = tml_norm_x(it->sys, &it->norm, dy + w->nx + w->nu, &where[2]);
    return h * tml_explicit_worst(part, where, at);
}

static double recursive_norm_part(TmlExplicit *p, const double *dy, double h)
{
    return recursive_norm(p, dy, h, NULL);
}

/* Evaluates f at y by (X4). */
static bool evaluate(TmlExplicit *p, double t, const double *y, double *f)
{
    Recursive *w = p->work;
    const size_t states = (size_t)tml_dims(p->it->sys)->nx * sizeof *y;
    const int at = w->nx + w->nu;
    w->s.t = t;
    memcpy(w->s.X, y + at, states);
    const bool good =
        tml_recursion_rates(w->recursion, &w->s, y, y + w->nx, widest_gap, f, f + w->nx);
    memcpy(f + at, w->s.Xd, states);
    return good;
}

static void recursive_begin(TmlExplicit *p, double *y, double *f)
{
    Recursive *w = p->work;
    const TmlIntegrator *it = p->it;
    tml_state_copy(it->sys, &it->now, &w->s);
    memcpy(y + w->nx + w->nu, it->now.X, (size_t)tml_dims(it->sys)->nx * sizeof *y);
    if (!tml_recursion_begin(w->recursion, &it->now, y, y + w->nx) ||
        !evaluate(p, it->now.t, y, f)) {
        for (int k = 0; k < p->n; ++k) {
            f[k] = (double)NAN; // the first step then says that there is none
        }
    }
}

static TmlStatus recursive_prepare(TmlExplicit *p, const double *y, TmlError *err)
{
    const Recursive *w = p->work;
    (void)err;
    if (tml_recursion_worn(w->recursion)) { // should that fail, the step will
        (void)!tml_recursion_choose(w->recursion, p->it->now.t, y, y + w->nx);
    }
    return TML_OK;
}

static TmlStatus rates_or_cause(TmlExplicit *p, double t, double *y, double *f, bool end,
                                TmlAttempt *out)
{
    Recursive *w = p->work;
    p->it->iterations++;
    out->iterations++;
    out->converged = false;
    out->cause = TML_CAUSE_NONFINITE;
    if (!tml_explicit_finite(p->n, y)) {
        return TML_OK;
    }
    out->cause = TML_CAUSE_NEWTON;
    if ((end || w->closes) && !tml_recursion_close(w->recursion, t, y, y + w->nx)) {
        return TML_OK;
    }
    out->converged = evaluate(p, t, y, f);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_SINGULAR;
    return TML_OK;
}

static TmlStatus recursive_rates(TmlExplicit *p, double t, double *y, double *f, TmlAttempt *out,
                                 TmlError *err)
{
    (void)err;
    return rates_or_cause(p, t, y, f, false, out);
}

static TmlStatus recursive_finish(TmlExplicit *p, double t, double *y, double *f, const double *e,
                                  TmlAttempt *out, TmlError *err)
{
    (void)e, (void)err;
    return rates_or_cause(p, t, y, f, true, out);
}

static void recursive_state(TmlExplicit *p, double t, const double *y, const double *f, bool solved,
                            TmlState *s)
{
    const Recursive *w = p->work;
    const TmlDims *dim = tml_dims(p->it->sys);
    const int at = w->nx + w->nu;
    s->t = t;
    memcpy(s->X, y + at, (size_t)dim->nx * sizeof *y);
    memcpy(s->Xd, f + at, (size_t)dim->nx * sizeof *y);
    if (solved) {
        memcpy(s->V, w->s.V, (size_t)dim->nv * sizeof *y);
        memcpy(s->F, w->s.F, (size_t)dim->nf * sizeof *y);
    }
    // of what is solved the driver looks at paces and turns
    tml_recursion_state(w->recursion, y, y + w->nx, f + w->nx, solved, solved, s);
}

static bool recursive_row(TmlExplicit *p, double t, double *y, double *f, TmlState *s)
{
    Recursive *w = p->work;
    const size_t states = (size_t)tml_dims(p->it->sys)->nx * sizeof *y;
    const int at = w->nx + w->nu;
    w->s.t = t;
    memcpy(w->s.X, y + at, states);
    if (!tml_explicit_finite(p->n, y) ||
        !tml_recursion_row(w->recursion, &w->s, y, y + w->nx, f, f + w->nx)) {
        return false;
    }
    memcpy(f + at, w->s.Xd, states);
    recursive_state(p, t, y, f, true, s);
    tml_system_kinematics(p->it->sys, s, true);
    tml_recursion_reactions(w->recursion, s);
    return true;
}

/* By joint coordinates as they are: metres beside radians, and no weights. */
static double recursive_answer(const TmlExplicit *p, const double *dy, const double *df)
{
    const Recursive *w = p->work;
    double x = 0.0, a = 0.0;
    for (int k = 0; k < w->nx; ++k) {
        x += dy[k] * dy[k];
    }
    for (int k = w->nx; k < w->nx + w->nu; ++k) {
        a += df[k] * df[k];
    }
    return w->nx + w->nu < p->n || !(x > 0.0) ? HUGE_VAL : sqrt(sqrt(a / x));
}

static void recursive_power(TmlExplicit *p, TmlPower *out)
{
    *out = tml_system_power(p->it->sys);
}

static TmlStatus recursive_setup(TmlExplicit *p, TmlError *err)
{
    TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    Recursive *w;
    const char *why;
    TML_NEW(it->arena, w, 1);
    p->work = w;
    TML_NEW(it->arena, w->du, dim->nu);
    TML_TRY(tml_state_create_in(it->sys, it->arena, &w->s, err));
    const TmlStatus status = tml_recursion_create(it->sys, &it->now, &w->recursion, &why, err);
    if (status != TML_OK) {
        return why == NULL ? status
                           : tml_fail(err, status,
                                      "coordinates=recursive: not with this model, %s; use "
                                      "coordinates=auto or absolute",
                                      why);
    }
    w->nx = tml_recursion_positions(w->recursion);
    w->nu = tml_recursion_speeds(w->recursion);
    w->closes = tml_recursion_rows(w->recursion) > 0 && it->norm.rotation < closed_tolerance;
    p->n = w->nx + w->nu + dim->nx;
    return TML_OK;
}

static void recursive_teardown(TmlExplicit *p)
{
    Recursive *w = p->work;
    if (w != NULL) {
        tml_recursion_free(w->recursion);
    }
}

const TmlExplicitType tml_explicit_recursive = {
    .name = "recursive",
    .setup = recursive_setup,
    .teardown = recursive_teardown,
    .begin = recursive_begin,
    .prepare = recursive_prepare,
    .rates = recursive_rates,
    .finish = recursive_finish,
    .norm = recursive_norm,
    .norm_part = recursive_norm_part,
    .state = recursive_state,
    .row = recursive_row,
    .answer = recursive_answer,
    .power = recursive_power,
};

/* --- which coordinates ------------------------------------------------------------------------ */

/* Multipliers of loops that share links with many others make a matrix that is hardly sparse; from here on, in parts of what the
 * recursion itself costs, the sparse matrix of all bodies is the better one. */
static const double most_burden = 10.0;
/* Below this tolerance explicit methods do not pass the singular positions of ten four-bars in a row: rounding of accelerations grows with the
 * inverse square of the distance from such a position. */
static const double tight_loops = 1e-9;

void tml_coordinates_note(TmlIntegrator *it, const char *why, const TmlRecursion *r)
{
    const int speeds = r != NULL ? tml_recursion_speeds(r) : 0;
    const int rows = r != NULL ? tml_recursion_rows(r) : 0;
    if (why != NULL) {
        snprintf(it->coordinates, sizeof it->coordinates, "of bodies: %s", why);
    } else if (rows == 0) {
        snprintf(it->coordinates, sizeof it->coordinates, "of joints: %d, a tree", speeds);
    } else {
        snprintf(it->coordinates, sizeof it->coordinates,
                 "of joints: %d, less %d rows that close loops", speeds, rows);
    }
}

const char *tml_joints_unfit(const TmlRecursion *r, double tolerance)
{
    if (tml_recursion_rows(r) > 0 && tolerance < tight_loops) {
        return "it has loops, and the tolerance is below 1e-9";
    }
    return tml_recursion_burden(r) > most_burden ? "its loops are not local" : NULL;
}

/* Returns why joint coordinates do not suit the model, or NULL; in *status what else went wrong. */
static const char *unfit(TmlSystem *sys, const TmlState *s, double tolerance, TmlStatus *status,
                         TmlError *err)
{
    TmlRecursion *r;
    TmlError refused = {0}; // a reason is no failure: err stays as it is
    const char *why;
    *status = tml_recursion_create(sys, s, &r, &why, &refused);
    if (*status == TML_OK) {
        why = tml_joints_unfit(r, tolerance);
    }
    *status = why != NULL ? TML_OK : *status;
    if (*status != TML_OK && err != NULL) {
        *err = refused;
    }
    tml_recursion_free(r);
    return why;
}

bool tml_explicit_fits_joints(TmlSystem *sys, const TmlState *s, double tolerance)
{
    TmlStatus status;
    return unfit(sys, s, tolerance, &status, NULL) == NULL && status == TML_OK;
}

TmlStatus tml_explicit_setup_by(TmlExplicit *p, TmlCoordinatesChoice choice,
                                const TmlExplicitType *absolute, TmlIntegrator *it, TmlError *err)
{
    TmlStatus status = TML_OK;
    const char *why = choice == TML_COORDINATES_ABSOLUTE ? "as asked for"
                      : choice == TML_COORDINATES_AUTO
                          ? unfit(it->sys, &it->now, it->norm.rotation, &status, err)
                          : NULL;
    TML_TRY(status);
    TML_TRY(tml_explicit_setup(p, why != NULL ? absolute : &tml_explicit_recursive, it, err));
    const Recursive *w = why == NULL ? p->work : NULL;
    it->own_rows = why == NULL;
    tml_coordinates_note(it, why, w != NULL ? w->recursion : NULL);
    return TML_OK;
}
