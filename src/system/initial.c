/* system/initial.c - a consistent start: positions, velocities, accelerations, multipliers. */
#include "system/system.h"

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

/* The joints that do not close, worst first, at most five. */
static TmlStatus cannot_close(TmlSystem *sys, const TmlState *s, TmlLevel level, TmlError *err)
{
    const TmlModel *m = sys->model;
    char text[1024];
    size_t at = 0;
    double shown = HUGE_VAL;
    tml_system_kinematics(sys, s, false);
    for (int n = 0; n < 5; ++n) {
        int worst = -1;
        double size = 1e-9 * sys->length;
        for (int c = 0; c < m->constraints.n; ++c) {
            double phi[TML_MAX_ROWS], largest = 0.0;
            tml_constraint_level(sys, c, s->t, level, phi);
            for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
                largest = fmax(largest, fabs(phi[k]));
            }
            if (largest > size && largest < shown) {
                worst = c;
                size = largest;
            }
        }
        if (worst < 0) {
            break;
        }
        shown = size;
        const int w = snprintf(text + at, sizeof text - at, "%s'%s' (off by %.3g)",
                               at > 0 ? ", " : "", m->constraints.at[worst].name, size);
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

/* What assembly changed, body by body. */
static void report_moves(const TmlSystem *sys, const TmlState *before, const TmlState *s,
                         TmlNotes *notes)
{
    enum { LISTED = 20 };
    int listed = 0;
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBody *body = &sys->model->bodies.at[b];
        double dq[TML_BODY_MAX_NQ], du[TML_BODY_MAX_NU] = {0}, dv[TML_BODY_MAX_NU] = {0};
        const int q0 = sys->q0[b];
        for (int k = 0; k < body->type->nq; ++k) {
            dq[k] = s->q[q0 + k] - before->q[q0 + k];
        }
        body->type->reduce(s->q + q0, dq, du);
        for (int k = 0; k < body->type->nq; ++k) {
            dq[k] = s->v[q0 + k] - before->v[q0 + k];
        }
        body->type->reduce(s->q + q0, dq, dv);
        const double move = v3_norm(v3(du[0], du[1], du[2]));
        const double chord = v3_norm(v3(du[3], du[4], du[5])); // 2 sin(turn / 2)
        const double turn = 2.0 * asin(fmin(1.0, 0.5 * chord));
        const double speed = v3_norm(v3(dv[0], dv[1], dv[2]));
        const double spin = v3_norm(v3(dv[3], dv[4], dv[5]));
        const bool moved = move > 1e-8 * sys->length || turn > 1e-8;
        const bool changed =
            is_given(before->v + q0, body->type->nq) && (speed > 1e-8 * sys->length || spin > 1e-8);
        if (!moved && !changed) {
            continue;
        }
        if (++listed > LISTED) {
            tml_notes_add(notes, "assembly moved further bodies");
            return;
        }
        if (moved) {
            tml_notes_add(notes, "assembly moved body '%s' by %.4g m and turned it by %.4g deg",
                          body->name, move, turn * 180.0 / 3.14159265358979323846);
        }
        if (changed) {
            tml_notes_add(notes,
                          "assembly changed the velocity of body '%s' by %.4g m/s and %.4g rad/s",
                          body->name, speed, spin);
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

/* Redundant joints whose places are given to ten digits or fewer contradict each other: what
 * contradiction is taken for that, relative to the length of the model. */
static const double most_misfit = 1e-7;

/* Positions and velocities; the arena is for what is not needed afterwards. */
static TmlStatus close_start(TmlSystem *sys, TmlState *s, const TmlStart *from, TmlArena *arena,
                             TmlNotes *notes, TmlError *err)
{
    TmlState before;
    double level[3];
    TML_TRY(tml_state_create_in(sys, arena, &before, err));
    tml_system_initial(sys, s);
    if (from != NULL) {
        tml_system_take_state(sys, from, s);
    }
    tml_system_retract(sys, s->q);
    tml_state_copy(sys, s, &before);
    start_memory(sys, s, from);

    // positions; the second time takes away what (C1) leaves, e times the first change
    const bool fresh = from == NULL; // what the model locks is its own start
    const TmlCloseWhat positions = {.position = true, .assembly = fresh};
    double worst = tml_system_close(sys, s, positions);
    worst = worst >= 0.0 ? tml_system_close(sys, s, positions) : worst;
    if (worst < 0.0 || worst > most_misfit) {
        return cannot_close(sys, s, TML_LEVEL_POSITION, err);
    }
    if (worst > 1e-9) {
        tml_notes_add(notes,
                      "redundant joints do not close to more than %.3g m, as places of few "
                      "digits leave it; the least of all misfits is taken",
                      worst * sys->length);
    }
    start_memory(sys, s, from);

    // velocities; the first guess keeps the given angular velocities
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        double u[TML_BODY_MAX_NU];
        type->reduce(before.q + sys->q0[b], before.v + sys->q0[b], u);
        type->expand(s->q + sys->q0[b], u, s->v + sys->q0[b]);
    }
    const TmlCloseWhat velocities = {.velocity = true, .assembly = fresh};
    tml_system_close(sys, s, velocities);
    tml_system_close(sys, s, velocities);
    tml_system_violation(sys, s, level);
    if (!(level[1] <= 1e-8)) {
        return cannot_close(sys, s, TML_LEVEL_VELOCITY, err);
    }
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

    // independent rows, then accelerations and multipliers
    TML_TRY(tml_system_rank(sys, s, notes, err));
    return tml_system_accelerations(sys, s, err);
}
