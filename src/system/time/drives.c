/* system/time/drives.c - where in time a driven constraint jumps.
 *
 * At a state whose kinematics are known a row is a function of time, phi(t), with its rate
 * phi_t(t). An interval from a to b may hold a jump when
 *
 *   (J1)  |phi(b) - phi(a) - (b - a) (phi_t(a) + phi_t(b)) / 2| > p       of the position,
 *   (J2)  |phi_t(a) - 2 phi_t(m) + phi_t(b)| > r,  m = (a + b) / 2         of the velocity,
 *
 * is halved then, and searched from the left. Both vanish with the interval where phi is smooth, by
 * (b - a)^3 and (b - a)^2; a jump stays until the ends are neighbours among the numbers. Angles are
 * compared to full turns. Only rows that may jump are looked at.                              own
 */
#include "system/system_internal.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = 20000 };

static const double turn = 6.28318530717958647693;

struct TmlDrives {
    int n;
    int *constraint; /* n */
};

typedef struct Sample {
    double t, phi, rate;
} Sample;

typedef struct Search {
    TmlSystem *sys;
    int constraint, row;
    bool angle, pfaffian;
    double position, rate; /* p and r of (J1), (J2) */
    int samples;           /* taken so far */
    TmlDriveJump *out;
} Search;

/* Tells whether the functions in the data of a constraint leave a jump of position or velocity
 * possible. Constraints of a user's own that move without an expression may do anything. */
static bool may_jump(const TmlConstraint *con)
{
    bool any = false, jumps = false;
    for (const TmlParam *p = con->type->info.params; p != NULL && p->name != NULL; ++p) {
        const TmlBinding *b = NULL;
        if (p->kind == TML_PARAM_EXPR) {
            memcpy(&b, (const char *)con->data + p->offset, sizeof b);
        }
        any = any || b != NULL;
        jumps =
            jumps || (b != NULL && tml_expr_uses(b->expr, 0) && tml_expr_smoothness(b->expr) < 1);
    }
    return con->type->rate != NULL && (jumps || !any);
}

TmlStatus tml_system_drives_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    TML_NEW(&sys->arena, sys->drives, 1);
    TML_NEW(&sys->arena, sys->drives->constraint, m->constraints.n);
    for (int c = 0; c < m->constraints.n; ++c) {
        if (may_jump(&m->constraints.at[c])) {
            sys->drives->constraint[sys->drives->n++] = c;
        }
    }
    return TML_OK;
}

static Sample sample(Search *x, double t)
{
    const TmlConstraintType *type = x->sys->model->constraints.at[x->constraint].type;
    const TmlElementIn in = tml_constraint_in(x->sys, x->constraint, t);
    double phi[TML_MAX_ROWS] = {0}, rate[TML_MAX_ROWS] = {0};
    type->residual(&in, phi);
    type->rate(&in, rate);
    x->samples++;
    return (Sample){t, x->pfaffian ? 0.0 : phi[x->row], rate[x->row]};
}

/* (J1) */
static double position_gap(const Search *x, const Sample *a, const Sample *b)
{
    const double gap = b->phi - a->phi - 0.5 * (b->t - a->t) * (a->rate + b->rate);
    return x->pfaffian ? 0.0 : fabs(x->angle ? remainder(gap, turn) : gap);
}

/* Keeps a jump between two neighbours among the numbers. The middle value of if(time - 1: a, b, c)
 * counts for one number only and may hide half of it, so that what is a few numbers farther on
 * either side is compared. */
static void keep_jump(Search *x, const Sample *a, const Sample *b)
{
    const double few = 2e-15 * fmax(fabs(a->t), 1e-3);
    const Sample before = sample(x, a->t - few), behind = sample(x, b->t + few);
    const double position = position_gap(x, &before, &behind);
    *x->out = (TmlDriveJump){.constraint = x->constraint,
                             .row = x->row,
                             .left = a->t,
                             .right = behind.t,
                             .position = position > x->position ? position : 0.0,
                             .rate = behind.rate - before.rate};
}

/* Finds the first jump between a and b. */
static bool search(Search *x, const Sample *a, const Sample *b)
{
    const double middle = a->t + 0.5 * (b->t - a->t);
    const double position = position_gap(x, a, b);
    if (!(middle > a->t && middle < b->t)) {
        const bool found = position > x->position || fabs(b->rate - a->rate) > x->rate;
        if (found) {
            keep_jump(x, a, b);
        }
        return found;
    }
    const Sample m = sample(x, middle);
    const bool suspect =
        position > x->position || fabs(a->rate - 2.0 * m.rate + b->rate) > x->rate; // (J1), (J2)
    if (!suspect || x->samples > MOST_SAMPLES) {
        return false;
    }
    return search(x, a, &m) || search(x, &m, b);
}

bool tml_system_drive_jump(TmlSystem *sys, const TmlState *s, double end, double rate,
                           TmlDriveJump *out)
{
    const TmlModel *m = sys->model;
    const TmlDrives *drives = sys->drives;
    bool found = false;
    if (drives == NULL || drives->n == 0) {
        return false;
    }
    const double earliest = sys->earliest, latest = sys->latest;
    sys->earliest = -HUGE_VAL; // a search looks across breaks
    sys->latest = HUGE_VAL;
    tml_system_kinematics(sys, s, false);
    for (int i = 0; i < drives->n; ++i) {
        const int c = drives->constraint[i];
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const double *Ju = tml_constraint_rows(sys, c, s->t);
            const double size = tml_constraint_row_size(sys, c, k, Ju);
            Search x = {.sys = sys,
                        .constraint = c,
                        .row = k,
                        .angle = !tml_constraint_row_is_length(sys, c, k, s->t),
                        .pfaffian = (sys->pfaffian[c] >> k & 1u) != 0,
                        .position = 1e-7 * size,
                        .rate = rate * size,
                        .out = out};
            const Sample a = sample(&x, s->t), b = sample(&x, found ? out->right : end);
            found = (b.t > a.t && search(&x, &a, &b)) || found;
        }
    }
    sys->earliest = earliest;
    sys->latest = latest;
    return found;
}
