/* system/consistent/initial.c - a consistent start: positions, velocities, accelerations, multipliers. */
#include "system/contact/touching.h"
#include "system/system_internal.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tml_notes_add(TmlNotes *notes, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (notes == NULL ||
        !tml_mem_grow((void **)&notes->text, &notes->cap, notes->n + 1, sizeof *notes->text)) {
        return false;
    }
    const char *copy = tml_arena_strdup(notes->arena, text);
    if (copy != NULL) {
        notes->text[notes->n++] = copy;
    }
    return copy != NULL;
}

/* Finds the row of constraint c that is off most, relative to its size. */
static double worst_row(TmlSystem *sys, int c, double t, TmlLevel level, int *row, double *phi)
{
    double all[TML_MAX_ROWS], worst = 0.0;
    tml_constraint_level(sys, c, t, level, all);
    const double *Ju = tml_constraint_rows(sys, c, t);
    for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
        const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
        const double size = tml_constraint_row_size(sys, c, k, Ju);
        const double x = fabs(all[k]) / (size > 1e-12 * sys->dim.length ? size : sys->dim.length);
        if (x > worst && !(level == TML_LEVEL_POSITION && pfaffian)) {
            worst = x;
            *row = k;
            *phi = fabs(all[k]);
        }
    }
    return worst;
}

/* Writes the error that lists the joints that do not close, the worst first, five at most. */
static TmlStatus cannot_close(TmlSystem *sys, const TmlState *s, TmlLevel level, TmlError *err)
{
    const TmlModel *m = sys->model;
    char text[1024];
    size_t at = 0;
    double shown = HUGE_VAL;
    tml_system_kinematics(sys, s, false);
    for (int n = 0; n < 5; ++n) {
        int worst = -1, row = 0, row_k = 0;
        double size = 1e-9, phi = 0.0, phi_k = 0.0;
        for (int c = 0; c < m->constraints.n; ++c) {
            const double x = worst_row(sys, c, s->t, level, &row_k, &phi_k);
            if (x > size && x < shown) {
                worst = c;
                size = x;
                row = row_k;
                phi = phi_k;
            }
        }
        if (worst < 0) {
            break;
        }
        shown = size;
        const int w = snprintf(text + at, sizeof text - at, "%s'%s' (off by %.3g %s%s)",
                               at > 0 ? ", " : "", m->constraints.at[worst].name, phi,
                               tml_constraint_row_is_length(sys, worst, row, s->t) ? "m" : "rad",
                               level == TML_LEVEL_VELOCITY ? "/s" : "");
        at += w > 0 && (size_t)w < sizeof text - at ? (size_t)w : 0;
    }
    return tml_fail(err, TML_E_ASSEMBLY,
                    "the mechanism cannot be assembled: no %s satisfy the joints %s; check their "
                    "positions and axes, or unlock what is locked",
                    level == TML_LEVEL_POSITION ? "positions" : "velocities",
                    at > 0 ? text : "(none found)");
}

/* Bodies that start at rest as far as the model says take the velocities that joints give them. */
static bool is_given(const double *v, int n)
{
    for (int k = 0; k < n; ++k) {
        if (v[k] != 0.0) {
            return true;
        }
    }
    return false;
}

/* What is less is rounding, in lengths of the model, in rad, or in these a second. */
static const double told_change = 1e-8;

/* Modal bodies are held as they are, but by a weight that is finite: less than this is what that leaves. */
static const double told_deformation = 1e-6;

static double norm3(const double *x)
{
    return v3_norm(v3(x[0], x[1], x[2]));
}

static void tell_move(TmlNotes *notes, const char *name, double move, double least, double turn)
{
    const double degrees = turn * 180.0 / 3.14159265358979323846;
    if (move > least && turn > told_change) {
        tml_notes_add(notes, "assembly moved body '%s' by %.4g m and turned it by %.4g deg", name,
                      move, degrees);
    } else if (move > least) {
        tml_notes_add(notes, "assembly moved body '%s' by %.4g m", name, move);
    } else {
        tml_notes_add(notes, "assembly turned body '%s' by %.4g deg", name, degrees);
    }
}

static void tell_change(TmlNotes *notes, const char *name, double speed, double least, double spin)
{
    static const char text[] = "assembly changed the velocity of body";
    if (speed > least && spin > told_change) {
        tml_notes_add(notes, "%s '%s' by %.4g m/s and %.4g rad/s", text, name, speed, spin);
    } else {
        tml_notes_add(notes, "%s '%s' by %.4g %s", text, name, speed > least ? speed : spin,
                      speed > least ? "m/s" : "rad/s");
    }
}

/* Notes the deformation of a modal body, whose coordinates are those of hidden bodies; *told is the last that was noted. */
static void tell_deformed(const TmlSystem *sys, int b, double move, int *told, TmlNotes *notes)
{
    const int owner = sys->dim.span[b].owner;
    if (move > told_deformation * sys->dim.length && owner != *told) {
        *told = owner;
        tml_notes_add(notes, "assembly deformed modal body '%s' by %.4g m",
                      sys->model->bodies.at[owner].name, move);
    }
}

/* Notes what assembly changed, body by body. */
static void report_moves(const TmlSystem *sys, const TmlState *before, const TmlState *s,
                         TmlNotes *notes)
{
    enum { LISTED = 20 };
    int listed = 0, deformed = -1;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBody *body = &sys->model->bodies.at[b];
        double dq[TML_BODY_MAX_NQ], du[TML_BODY_MAX_NU] = {0}, dv[TML_BODY_MAX_NU] = {0};
        const int q0 = sys->dim.span[b].q0;
        for (int k = 0; k < body->type->nq; ++k) {
            dq[k] = s->q[q0 + k] - before->q[q0 + k];
        }
        body->type->reduce(s->q + q0, dq, du);
        for (int k = 0; k < body->type->nq; ++k) {
            dq[k] = s->v[q0 + k] - before->v[q0 + k];
        }
        body->type->reduce(s->q + q0, dq, dv);
        const double move = norm3(du), speed = norm3(dv), spin = norm3(dv + 3);
        const double turn = 2.0 * asin(fmin(1.0, 0.5 * norm3(du + 3))); // from 2 sin(turn / 2)
        const double least = told_change * sys->dim.length;
        const bool moved = move > least || turn > told_change;
        const bool changed =
            (speed > least || spin > told_change) && is_given(before->v + q0, body->type->nq);
        if (body->type->scalars) {
            tell_deformed(sys, b, move, &deformed, notes);
            continue;
        }
        if (!moved && !changed) {
            continue;
        }
        if (++listed > LISTED) {
            tml_notes_add(notes, "assembly moved further bodies");
            return;
        }
        if (moved) {
            tell_move(notes, body->name, move, least, turn);
        }
        if (changed) {
            tell_change(notes, body->name, speed, least, spin);
        }
    }
}

/* Memory starts at the assembled state (angles at their principal value, or where they were). */
static void start_memory(TmlSystem *sys, const TmlState *s, const TmlStart *from)
{
    memset(sys->memory, 0, (size_t)sys->n_memory * sizeof *sys->memory);
    if (from != NULL) {
        tml_system_take_memory(sys, from, s);
    }
    tml_system_commit(sys, s);
}

/* Moves velocities onto the constraints at the positions of s. The first guess keeps the velocities and angular
 * velocities of `given`. */
static TmlStatus close_velocities(TmlSystem *sys, TmlState *s, const TmlState *given, bool fresh,
                                  TmlError *err)
{
    const TmlCloseWhat velocities = {.velocity = true, .assembly = fresh};
    double level[3];
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        double u[TML_BODY_MAX_NU];
        type->reduce(given->q + sys->dim.span[b].q0, given->v + sys->dim.span[b].q0, u);
        type->expand(s->q + sys->dim.span[b].q0, u, s->v + sys->dim.span[b].q0);
    }
    tml_system_close(sys, s, velocities);
    tml_system_close(sys, s, velocities);
    tml_system_violation(sys, s, level);
    return level[1] <= 1e-8 ? TML_OK : cannot_close(sys, s, TML_LEVEL_VELOCITY, err);
}

TmlStatus tml_system_set_moving(TmlSystem *sys, TmlState *s, const TmlState *given, TmlError *err)
{
    TML_TRY(tml_closure_create(sys, err));
    const TmlStatus status = close_velocities(sys, s, given, true, err);
    tml_closure_free(sys);
    TML_TRY(status);
    return tml_system_accelerations(sys, s, err);
}

/* Moves positions and velocities onto the constraints. The arena is for what is not needed
 * afterwards. */
static TmlStatus close_start(TmlSystem *sys, TmlState *s, const TmlStart *from, TmlArena *arena,
                             TmlNotes *notes, TmlError *err)
{
    TmlState before;
    TML_TRY(tml_state_create_in(sys, arena, &before, err));
    tml_system_initial(sys, s);
    if (from != NULL) {
        tml_system_take_state(sys, from, s);
    }
    tml_system_hold_constants(sys, s);
    tml_system_retract(sys, s->q);
    tml_state_copy(sys, s, &before);
    start_memory(sys, s, from);

    // positions; the second time is for memory that follows them
    const bool fresh = from == NULL; // what the model locks is its own start
    const TmlCloseWhat positions = {.position = true, .assembly = fresh, .path = true};
    double worst = tml_system_close(sys, s, positions);
    worst = worst >= 0.0 ? tml_system_close(sys, s, positions) : worst;
    if (worst < 0.0 || worst > TML_CLOSED) {
        return cannot_close(sys, s, TML_LEVEL_POSITION, err);
    }
    if (worst > 1e-9) {
        tml_notes_add(notes,
                      "redundant joints do not close to more than %.3g m, as places of few "
                      "digits leave it; the least of all misfits is taken",
                      worst * sys->dim.length);
    }
    start_memory(sys, s, from);

    TML_TRY(close_velocities(sys, s, &before, fresh, err));
    report_moves(sys, &before, s, notes);
    return TML_OK;
}

TmlStatus tml_system_assemble(TmlSystem *sys, TmlState *s, const TmlStart *from, TmlNotes *notes,
                              TmlError *err)
{
    TmlArena scratch = {0};
    const TmlStatus status = close_start(sys, s, from, &scratch, notes, err);
    tml_arena_free(&scratch);
    TML_TRY(status);
    TML_TRY(tml_touching_start(sys, s, err));

    // independent rows, then accelerations and multipliers
    TML_TRY(tml_system_rank(sys, s, notes, err));
    tml_system_choose_regularisation(sys, s);
    return tml_system_accelerations(sys, s, err);
}
