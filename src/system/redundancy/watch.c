/* system/redundancy/watch.c - rows that are left out as redundant must hold all the same.
 *
 * A row that is a combination of others holds when they do: its violation is that of the others,
 * times the coefficients of the combination. One that repeats others only at the start (a drive
 * that asks for what a joint forbids, an axis that is askew) does not. With the size |J_k| of a
 * row in (dr / L, dtheta) an accepted state is refused when
 *
 *   (W1)  |Phi_k| / |J_k| > max(bound, more max_a |Phi_a| / |J_a|)              a: active rows
 *   (W2)  |Phi'_k| / |J_k| > max(bound speed, more max_a |Phi'_a| / |J_a|)
 *
 * (W2) is the only one for Pfaffian rows. The active rows are looked at only when the bound is
 * exceeded, so that a model without redundant rows pays nothing and others little.           own
 */
#include "system/system_internal.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

/* Rows that are independent by less than the first count as redundant, so that they may be off by
 * as much (places and axes of few digits); the second is what the violation of active rows may
 * become through the coefficients of a combination. */
static const double bound = TML_RANK_TOLERANCE, violation_factor = 1e3;

/* A row that has no effect where its size is taken has the size of the model. */
static const double no_effect_size = 1e-12;

typedef struct TmlWatched {
    int constraint, row; /* the row counts within the constraint */
    double size;
} TmlWatched;

struct TmlWatch {
    int n;
    TmlWatched *at;
};

static double row_size(TmlSystem *sys, int c, int k, double t)
{
    const double size = tml_constraint_row_size(sys, c, k, tml_constraint_rows(sys, c, t));
    return size > no_effect_size * sys->dim.length ? size : sys->dim.length;
}

TmlStatus tml_system_watch_setup(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlModel *m = sys->model;
    if (sys->watch == NULL) {
        TmlWatch *watch;
        TML_NEW(&sys->arena, watch, 1);
        TML_NEW(&sys->arena, watch->at, sys->dim.m_all - sys->dim.m);
        sys->watch = watch;
    }
    sys->watch->n = 0; // as many as before when other rows are kept
    tml_system_kinematics(sys, s, false);
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            if (sys->row_unknown[sys->constraint[c].row0 + k] < 0) {
                sys->watch->at[sys->watch->n++] =
                    (TmlWatched){.constraint = c, .row = k, .size = row_size(sys, c, k, s->t)};
            }
        }
    }
    return TML_OK;
}

static bool has_level(const TmlSystem *sys, int c, int k, TmlLevel level)
{
    return level != TML_LEVEL_POSITION || (sys->pfaffian[c] >> k & 1u) == 0;
}

/* Returns the largest violation of the active rows, relative to their sizes. */
static double active_violation(TmlSystem *sys, double t, TmlLevel level)
{
    const TmlModel *m = sys->model;
    double phi[TML_MAX_ROWS], worst = 0.0;
    for (int c = 0; c < m->constraints.n; ++c) {
        tml_constraint_level(sys, c, t, level, phi);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const bool active = sys->row_unknown[sys->constraint[c].row0 + k] >= 0;
            if (active && has_level(sys, c, k, level)) {
                worst = fmax(worst, fabs(phi[k]) / row_size(sys, c, k, t));
            }
        }
    }
    return worst;
}

/* Returns what the velocities of the rows are relative to: the fastest body, in lengths of the
 * model or radians a second, and at least one. */
static double speed_of(const TmlSystem *sys)
{
    double speed = 1.0;
    for (int b = 1; b < sys->dim.nb; ++b) {
        speed = fmax(speed, tml_body_pace(sys, b).rate);
    }
    return speed;
}

static TmlStatus refuse(TmlSystem *sys, const TmlState *s, const TmlWatched *w, TmlLevel level,
                        double phi, TmlError *err)
{
    const int row = sys->constraint[w->constraint].row0 + w->row;
    const char *rate = level == TML_LEVEL_VELOCITY ? "/s" : "";
    char name[256], others[512];
    bool depends = true;
    tml_system_row_name(sys, row, name, sizeof name);
    const char *unit = tml_constraint_row_is_length(sys, w->constraint, w->row, s->t) ? "m" : "rad";
    TML_TRY(tml_system_partners(sys, s, row, others, sizeof others, &depends, err));
    if (!depends) {
        return tml_fail(err, TML_E_ASSEMBLY,
                        "at t = %.9g s %s is off by %.3g %s%s: at the start it repeats others and "
                        "was left out, here it does not; the start is a singular position: start "
                        "a little beside it",
                        s->t, name, fabs(phi), unit, rate);
    }
    return tml_fail(err, TML_E_ASSEMBLY,
                    "at t = %.9g s %s is off by %.3g %s%s: it contradicts %s, which it repeats; "
                    "take one of them away, or correct its function, place or axis",
                    s->t, name, fabs(phi), unit, rate, others[0] != '\0' ? others : "the others");
}

TmlStatus tml_system_watch(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlWatch *watch = sys->watch;
    if (watch == NULL || watch->n == 0) {
        return TML_OK;
    }
    tml_system_kinematics(sys, s, false);
    const double speed = speed_of(sys);
    for (int level = TML_LEVEL_POSITION; level <= TML_LEVEL_VELOCITY; ++level) {
        const double scale = level == TML_LEVEL_POSITION ? 1.0 : speed;
        double phi[TML_MAX_ROWS], active = -1.0;
        int last = -1;
        for (int k = 0; k < watch->n; ++k) {
            const TmlWatched *w = &watch->at[k];
            if (w->constraint != last) {
                tml_constraint_level(sys, w->constraint, s->t, (TmlLevel)level, phi);
                last = w->constraint;
            }
            const double x = fabs(phi[w->row]) / w->size;
            if (!(x > scale * bound) || !has_level(sys, w->constraint, w->row, (TmlLevel)level)) {
                continue; // what is not finite is found elsewhere
            }
            active = active < 0.0 ? active_violation(sys, s->t, (TmlLevel)level) : active;
            if (!(x <= violation_factor * active)) { // (W1), (W2)
                return refuse(sys, s, w, (TmlLevel)level, phi[w->row], err);
            }
        }
    }
    return TML_OK;
}
