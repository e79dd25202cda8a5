/* system/consistent/closure_path.c - onto the constraints by a path, where the direct way does not arrive.
 *
 *   (C4)  Phi_k(q) = (1 - x) Phi_k(q_A),   x from 0 to 1
 *
 * With drives, q_A is the nearest state on all other constraints, and only the drives move from
 * where they are there to where they are wanted, as a run would move them. Without, or should that
 * fail, q_A is where the model starts and all rows move. The next state is predicted along the
 * last two and put onto (C4) by (C2); a part of the way that fails is halved, one that goes well is
 * doubled.                                                                                    own
 */
#include "system/consistent/closure.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 15 }; // iterations of (C2) in a part of the way, which is meant to be short

static const double first_part = 0.05, largest_part = 0.25, least_part = 1e-4;

/* Tells whether the rows of a constraint may depend on time. */
static bool is_drive(const TmlSystem *sys, int c)
{
    return sys->model->constraints.at[c].type->rate != NULL;
}

/* Marks the rows that take part: those of drives or not. Returns how many rows drives have. */
static int skip_drives(TmlSystem *sys, bool skip)
{
    int n = 0;
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            sys->closure->skip[sys->constraint[c].row0 + k] = skip && is_drive(sys, c);
            n += is_drive(sys, c);
        }
    }
    return n;
}

/* Puts Phi at s into `start` for the rows that move along the path, and zero for the others. */
static void start_fill(TmlSystem *sys, const TmlState *s, bool drives_only, double *start)
{
    tml_system_kinematics(sys, s, false);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        double *p = start + sys->constraint[c].row0;
        tml_constraint_level(sys, c, s->t, TML_LEVEL_POSITION, p);
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            const bool moves = is_drive(sys, c) || !drives_only;
            p[k] = moves && (sys->pfaffian[c] >> k & 1u) == 0 ? p[k] : 0.0;
        }
    }
}

static void offsets_fill(TmlSystem *sys, double x)
{
    TmlClosure *cl = sys->closure;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        cl->offset[k] = (1.0 - x) * cl->path_start[k]; // (C4)
    }
}

/* Follows the path from s at x = 0 to x = 1. Returns the violation that is left there, or a negative
 * number. */
static double follow(TmlSystem *sys, TmlState *s, double slack)
{
    TmlClosure *cl = sys->closure;
    const size_t bytes = (size_t)sys->dim.nq * sizeof *s->q;
    double x = 0.0, part = first_part, last_part = 0.0, worst = -1.0;
    memcpy(cl->q_last, s->q, bytes);
    while (x < 1.0 && part >= least_part) {
        const double to = fmin(1.0, x + part), ahead = last_part > 0.0 ? (to - x) / last_part : 0.0;
        memcpy(cl->q_here, s->q, bytes);
        for (int k = 0; k < sys->dim.nq; ++k) {
            s->q[k] += ahead * (s->q[k] - cl->q_last[k]);
        }
        tml_system_retract(sys, s->q);
        offsets_fill(sys, to);
        worst = tml_closure_onto(sys, s, ITERATIONS);
        if (worst >= 0.0 && worst <= fmax(TML_CLOSED, slack * (1.0 - to))) {
            memcpy(cl->q_last, cl->q_here, bytes);
            last_part = to - x;
            x = to;
            part = fmin(largest_part, 2.0 * part);
        } else {
            memcpy(s->q, cl->q_here, bytes);
            part *= 0.5;
        }
    }
    offsets_fill(sys, 1.0);
    return x >= 1.0 ? worst : -1.0;
}

static double follow_drives(TmlSystem *sys, TmlState *s)
{
    TmlClosure *cl = sys->closure;
    const int n = skip_drives(sys, true);
    const double worst = n > 0 ? tml_closure_onto(sys, s, TML_CLOSURE_MOST) : -1.0;
    skip_drives(sys, false);
    if (!(worst >= 0.0 && worst <= TML_CLOSED)) {
        return -1.0;
    }
    start_fill(sys, s, true, cl->path_start);
    return follow(sys, s, 0.0);
}

double tml_closure_follow(TmlSystem *sys, TmlState *s, double worst)
{
    TmlClosure *cl = sys->closure;
    const size_t bytes = (size_t)sys->dim.nq * sizeof *s->q;
    memcpy(cl->q_direct, s->q, bytes);
    memcpy(s->q, cl->q0, bytes);
    double left = follow_drives(sys, s);
    if (left < 0.0) {
        memcpy(s->q, cl->q0, bytes);
        start_fill(sys, s, false, cl->path_start);
        left = follow(sys, s, worst);
    }
    if (left < 0.0) {
        memcpy(s->q, cl->q_direct, bytes);
    }
    return left >= 0.0 ? left : worst;
}
