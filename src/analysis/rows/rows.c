/* analysis/rows/rows.c - output rows at any time of the last accepted step.
 *
 * Positions, velocities and states are interpolated, by the method's own polynomial or that of
 * analysis/rows/between.c, and moved onto the constraints; accelerations and multipliers are solved for
 * there, so that all have the order of the method. docs/decisions/0005-output-rows.md
 */
#include "analysis/driver/sim_internal.h"

#include "base/block.h"
#include "base/clock.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

double tml_sim_row_time(const TmlSim *sim, int64_t k)
{
    const double t = sim->rows.base + (double)(k - sim->rows.first) * sim->output_step;
    return t > sim->end * (1.0 - 1e-12) ? sim->end : t;
}

/* --- the last step --------------------------------------------------------------------------- */

/* Ends of steps between a jump and the next: their polynomials may be joined. */
enum { CUBIC_ORDER = 4 };
static const double end_slack = 1e-9;  // rows this close to a step end, in steps, are the end
static const double least_ratio = 0.1; // of the step before to this one, or rounding would show

TmlStepEnd *tml_sim_step_end(TmlSim *sim)
{
    return &sim->rows.ends[sim->rows.last_end];
}

TmlStepEnd *tml_sim_step_start(TmlSim *sim)
{
    return &sim->rows.ends[(sim->rows.last_end + TML_STEP_ENDS - 1) % TML_STEP_ENDS];
}

static TmlStepEnd *end_before(TmlSim *sim)
{
    return &sim->rows.ends[(sim->rows.last_end + TML_STEP_ENDS - 2) % TML_STEP_ENDS];
}

void tml_sim_step_ended(TmlSim *sim)
{
    sim->rows.last_end = (sim->rows.last_end + 1) % TML_STEP_ENDS;
    TmlStepEnd *end = tml_sim_step_end(sim);
    end->ready = end->noted = end->restarted = false;
    tml_state_copy(sim->sys, &sim->it.now, &end->s);
    tml_account_work(sim, end->work);
    sim->rows.smooth_ends =
        sim->rows.smooth_ends < TML_STEP_ENDS ? sim->rows.smooth_ends + 1 : TML_STEP_ENDS;
    sim->rows.is_there = false;
}

void tml_sim_step_restarts(TmlSim *sim)
{
    TmlStepEnd *end = tml_sim_step_end(sim);
    tml_state_copy(sim->sys, &sim->it.now, &end->s);
    end->ready = end->noted = false;
    end->restarted = true;
    sim->rows.smooth_ends = 1;
}

/* Tells whether cubic velocities are too coarse for the method, and the end before can help. */
static bool takes_third(const TmlSim *sim, const TmlBetween *b, const TmlStepEnd *before)
{
    const double h = b->at[1]->t - b->at[0]->t, h1 = b->at[0]->t - before->s.t;
    return sim->type->order > CUBIC_ORDER && sim->type->dense == NULL &&
           sim->rows.smooth_ends == TML_STEP_ENDS && h1 > least_ratio * h;
}

/* Sets the motion at t inside the step of b, not on the constraints. */
static void motion_inside(TmlSim *sim, const TmlBetween *b, double t, TmlState *out)
{
    if (sim->type->dense != NULL) {
        sim->type->dense(&sim->it, b->at[1], t, out);
    } else {
        tml_between_interpolate(sim->sys, b, t, out);
    }
}

void tml_sim_inside(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t, TmlInside what,
                    TmlState *out)
{
    const TmlBetween b = {
        .n = 2, .path = what == TML_INSIDE_PATH, .at = {s0, s1}, .solved = {s0, s1}};
    motion_inside(sim, &b, t, out);
    if (what == TML_INSIDE_COMPLETE) {
        tml_between_complete(sim->sys, &sim->rows.between, &b, out);
    }
}

/* Notes the violations of an end as it was integrated. */
static void note_violation(TmlSim *sim, TmlStepEnd *end)
{
    if (end->noted) {
        return;
    }
    tml_system_violation(sim->sys, &end->s, end->violation);
    sim->stats.max_phi = fmax(sim->stats.max_phi, end->violation[0]);
    sim->stats.max_phi_dot = fmax(sim->stats.max_phi_dot, end->violation[1]);
    sim->stats.max_phi_ddot = fmax(sim->stats.max_phi_ddot, end->violation[2]);
    end->noted = true;
}

/* Assembly leaves the start on the constraints to rounding, with accelerations and multipliers. */
static const double assembled = 1e-14;

/* Tells whether an end is the start of the run as it was assembled. */
static bool is_assembled(TmlSim *sim, TmlStepEnd *end)
{
    const TmlDims *dim = tml_dims(sim->sys); // values may jump at the start
    if (sim->stats.steps > 0 || end->restarted || tml_system_is_flexible(sim->sys) ||
        dim->nx + dim->nv + dim->nf > 0) {
        return false;
    }
    note_violation(sim, end);
    return fmax(end->violation[0], fmax(end->violation[1], end->violation[2])) <= assembled;
}

/* Puts a step end onto the constraints and solves for its accelerations and multipliers, with
 * factors of its own. Where there is no solution, at a singular position, those of the method stay. */
static TmlStatus make_ready(TmlSim *sim, TmlStepEnd *end, TmlError *err)
{
    TmlSystem *sys = sim->sys;
    if (end->ready) {
        return TML_OK;
    }
    tml_state_copy(sys, &end->s, &end->row);
    const TmlStatus status = is_assembled(sim, end)
                                 ? TML_OK
                                 : tml_between_settle(sys, &sim->rows.between, &end->row, err);
    end->solved = status == TML_OK;
    end->ready = true;
    if (status == TML_E_SINGULAR || status == TML_E_STEP) {
        return TML_OK;
    }
    return status;
}

/* --- a row ----------------------------------------------------------------------------------- */

/* A row in which nothing presses or turns has forces of rounding only, and these are never in balance. Those count as zero
 * that are this small beside what moves, or beside the largest force of a row before. */
static const double idle_force = 1e-6;

/* Returns the largest force and torque that the equations of motion leave without balance, in *about
 * the largest that are about, and how far the constraints are off. The last kinematics are those of the row then. */
static double unbalanced(TmlSim *sim, double *about, double violation[3])
{
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    double *r = tml_system_scratch(sys), *du = r + dim->n, worst = 0.0, size = 0.0;
    tml_system_residual_judged(sys, &sim->row, r, violation);
    tml_system_add_redundant(sys, &sim->row, r);
    for (int k = 0; k < dim->nu; ++k) {
        worst = fmax(worst, fabs(r[k]) * dim->unit[k]);
    }
    tml_system_reduce(sys, sim->row.q, sim->row.a, du);
    tml_system_mass_mul(sys, &sim->row, du, r);
    for (int k = 0; k < dim->nu; ++k) {
        size = fmax(size, fabs(r[k]) * dim->unit[k]);
    }
    for (int k = 0; k < dim->m_all; ++k) {
        size = fmax(size, fabs(sim->row.lambda[k]) * dim->length);
    }
    const TmlVec3 g = tml_system_gravity(sys);
    size = fmax(size, dim->mass * dim->length * v3_norm(g));
    // at rest without weight: what would move a body by less than rounding in the step is no force
    const double h = tml_sim_step_end(sim)->s.t - tml_sim_step_start(sim)->s.t;
    size = fmax(size, h > 0.0 ? 1e-12 * dim->mass * dim->length * dim->length / (h * h) : 0.0);
    sim->rows.forces_in_play = size;
    sim->rows.largest_force = fmax(sim->rows.largest_force, size);
    *about = size;
    return worst;
}

/* Notes how well the constraints hold, in the row and in the solution that it was made from. */
static void certify_constraints(TmlSim *sim, const double level[3])
{
    const TmlStepEnd *a = tml_sim_step_start(sim), *b = tml_sim_step_end(sim);
    TmlCertificate *c = &sim->rows.certificate;
    TmlSimStats *st = &sim->stats;
    c->phi = level[0];
    c->phi_dot = level[1];
    c->phi_ddot = level[2];
    const TmlStepEnd *first = sim->row.t < b->s.t ? a : b;
    const TmlStepEnd *last = sim->row.t > a->s.t ? b : a;
    c->integrated_phi = fmax(first->violation[0], last->violation[0]);
    c->integrated_phi_dot = fmax(first->violation[1], last->violation[1]);
    c->integrated_phi_ddot = fmax(first->violation[2], last->violation[2]);
    st->max_row_phi = fmax(st->max_row_phi, c->phi);
    st->max_row_phi_dot = fmax(st->max_row_phi_dot, c->phi_dot);
    st->max_row_phi_ddot = fmax(st->max_row_phi_ddot, c->phi_ddot);
}

static void certify(TmlSim *sim)
{
    const TmlState *s0 = &tml_sim_step_start(sim)->s, *s1 = &tml_sim_step_end(sim)->s;
    TmlCertificate *c = &sim->rows.certificate;
    TmlSystem *sys = sim->sys;
    double about, violation[3];
    const double off = unbalanced(sim, &about, violation);
    const TmlEnergy e = tml_system_energy_here(sys, &sim->row);
    // the kinetic energy is the work of a force that stops the motion
    about = fmax(about, idle_force * fmax(e.kinetic, sim->rows.largest_force));
    c->forces = about > 0.0 ? off / about : 0.0;
    sim->stats.max_row_forces = fmax(sim->stats.max_row_forces, c->forces);
    c->kinetic = e.kinetic;
    c->potential = e.gravity + e.stored;
    certify_constraints(sim, violation);
    const TmlWorkDone done = tml_account_at(sim, s0, s1, sim->row.t, e.stored);
    c->work = done.work;
    c->dissipated = done.dissipated;
    c->lost_contact = done.lost_contact;
    c->lost_friction = done.lost_friction;
    c->energy_error = c->kinetic + c->potential - sim->rows.first_energy - c->work + c->dissipated;
}

/* Tells whether t is one of the ends of the last step, and which. */
static TmlStepEnd *end_at(TmlSim *sim, double t)
{
    TmlStepEnd *a = tml_sim_step_start(sim), *b = tml_sim_step_end(sim);
    const double h = b->s.t - a->s.t, x = h > 0.0 ? (t - a->s.t) / h : 1.0;
    return x > 1.0 - end_slack ? b : x < end_slack ? a : NULL;
}

/* Makes a row inside of the last step, with the ends that are ready. */
static TmlBetweenWay fill_inside(TmlSim *sim, double t)
{
    const TmlStepEnd *a = tml_sim_step_start(sim), *b = tml_sim_step_end(sim);
    TmlBetween points = {.n = 2,
                         .at = {&a->s, &b->s, &end_before(sim)->s},
                         .solved = {a->ready ? &a->row : NULL, b->ready ? &b->row : NULL}};
    points.n = takes_third(sim, &points, end_before(sim)) ? 3 : 2;
    motion_inside(sim, &points, t, &sim->row);
    return tml_between_complete(sim->sys, &sim->rows.between, &points, &sim->row);
}

static TmlStatus make_ends_ready(TmlSim *sim, TmlError *err)
{
    TML_TRY(make_ready(sim, tml_sim_step_start(sim), err));
    return make_ready(sim, tml_sim_step_end(sim), err);
}

/* Makes the row at t of the last step, which may be its end, by the method where that has a way of its own. */
static bool fill_by_method(TmlSim *sim, const TmlStepEnd *end, double t)
{
    const TmlState *s0 = &tml_sim_step_start(sim)->s, *s1 = &tml_sim_step_end(sim)->s;
    return sim->type->row != NULL && s1->t > s0->t && (end == NULL || !end->restarted) &&
           sim->type->row(&sim->it, s1, end != NULL ? end->s.t : t, &sim->row);
}

/* Makes the row at t of the last step; *placed: the kinematics are its own. Ends are solved for where a row lies on one, or needs them: each costs a matrix and its
 * factors, as much as the row itself. */
static TmlStatus fill(TmlSim *sim, double t, bool *placed, TmlError *err)
{
    TmlStepEnd *end = end_at(sim, t);
    *placed = fill_by_method(sim, end, t);
    if (*placed) {
        return TML_OK;
    }
    if (end != NULL) {
        TML_TRY(make_ready(sim, end, err));
        tml_state_copy(sim->sys, &end->row, &sim->row);
        sim->stats.rows_interpolated += !end->solved;
        return TML_OK;
    }
    if (tml_dims(sim->sys)->nx > 0) { // rates of user states come from both ends
        TML_TRY(make_ends_ready(sim, err));
    }
    TmlBetweenWay way = fill_inside(sim, t);
    if (way == TML_BETWEEN_WANTS_ENDS) {
        TML_TRY(make_ends_ready(sim, err));
        way = fill_inside(sim, t);
    }
    sim->stats.rows_interpolated += way == TML_BETWEEN_INTERPOLATED;
    *placed = sim->rows.between.placed == tml_system_motion(sim->sys);
    return TML_OK;
}

/* Rows that are off the constraints by this part of the model's size are none, unless the solution
 * itself is: near singular positions it may be off by a little. */
static const double violation_limit = 1e-4;

static bool closes(const TmlSim *sim)
{
    const TmlCertificate *c = &sim->rows.certificate;
    return c->phi <= fmax(violation_limit, 10.0 * c->integrated_phi);
}

static TmlStatus too_long(TmlSim *sim, double t, TmlError *err)
{
    return tml_fail(err, TML_E_STEP,
                    "the step that ends at t = %.9g s is too long: within it, at t = %.9g s, the "
                    "motion is too far from the joints to be moved onto them; give a shorter one "
                    "with --step, or leave it out for steps by the error",
                    tml_sim_step_end(sim)->s.t, t);
}

/* Sets all values at t, with factors of its own. */
static TmlStatus compute(TmlSim *sim, double t, TmlError *err)
{
    note_violation(sim, tml_sim_step_start(sim));
    note_violation(sim, tml_sim_step_end(sim));
    if (tml_account_reads_end(sim)) {
        TML_TRY(make_ready(sim, tml_sim_step_end(sim), err));
    }
    bool placed;
    TML_TRY(fill(sim, t, &placed, err));
    if (!placed) {
        tml_system_kinematics(sim->sys, &sim->row, true);
    }
    const uint64_t motion = tml_system_motion(sim->sys);
    certify(sim);
    if (tml_system_motion(sim->sys) != motion) { // the account looked at other times
        tml_system_kinematics(sim->sys, &sim->row, true);
    }
    return closes(sim) ? TML_OK : too_long(sim, t, err);
}

static TmlStatus make_row(TmlSim *sim, double t, TmlError *err)
{
    sim->rows.is_there = false;
    tml_system_swap_factors(sim->sys);
    const TmlStatus status = compute(sim, t, err);
    tml_system_swap_factors(sim->sys);
    for (int k = 0; status == TML_OK && k < tml_dims(sim->sys)->size; ++k) {
        if (!isfinite(sim->row.data[k])) {
            return tml_fail(err, TML_E_NONFINITE, "a value is not finite at t = %.9g s", t);
        }
    }
    sim->rows.is_there = status == TML_OK;
    sim->rows.was_there = sim->rows.was_there || sim->rows.is_there;
    return status;
}

TmlStatus tml_sim_row_at(TmlSim *sim, double t, TmlError *err)
{
    const double from = tml_sim_step_start(sim)->s.t, to = tml_sim_step_end(sim)->s.t;
    const double slack = 1e-12 * fmax(1.0, fabs(to));
    TML_TRY(tml_sim_row_misuse(sim, err));
    if (!(t >= from - slack && t <= to + slack)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "there is no row at t = %.9g s: the last step went from %.9g to %.9g s", t,
                        from, to);
    }
    const TmlSystemStats before = tml_system_stats(sim->sys);
    tml_sim_path_end(sim);
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status = make_row(sim, fmin(fmax(t, from), to), err);
    tml_blocks_enter(former);
    tml_system_set_stats(sim->sys, before);
    return status;
}

void tml_sim_row_last(TmlSim *sim)
{
    // matrices are gone when there was no memory to build them for other rows
    const bool whole = tml_system_has_matrices(sim->sys);
    if (!whole || tml_sim_row_at(sim, sim->it.now.t, NULL) != TML_OK) {
        tml_state_copy(sim->sys, &sim->it.now, &sim->row);
        tml_system_kinematics(sim->sys, &sim->row, true);
        sim->rows.is_there = true;
    }
}

static TmlStatus emit(TmlSim *sim, double t, TmlRowFn row, void *user, TmlError *err)
{
    TML_TRY(make_row(sim, t, err));
    tml_sim_energy_watch(sim);
    tml_sim_row_check(sim);
    TML_TRY(tml_sim_error_row(sim, err));
    return row != NULL ? row(user, sim, err) : TML_OK;
}

/* The row behind an onset or a release at which the last step has started: its time is that of the row before it but for
 * rounding, so that times increase. */
static TmlStatus emit_behind(TmlSim *sim, TmlRowFn row, void *user, TmlError *err)
{
    const double t = tml_sim_step_start(sim)->s.t;
    TML_TRY(make_row(sim, t, err));
    sim->row.t = nextafter(t, HUGE_VAL);
    tml_sim_row_check(sim);
    return row != NULL ? row(user, sim, err) : TML_OK;
}

TmlStatus tml_sim_emit_rows(TmlSim *sim, TmlRowFn row, void *user, bool start, TmlError *err)
{
    const double began = tml_clock();
    double began_cpu = -1.0; // the clock is read when there is a row: most steps have none
    const TmlSystemStats before = tml_system_stats(sim->sys);
    const TmlStepEnd *a = tml_sim_step_start(sim), *b = tml_sim_step_end(sim);
    tml_sim_path_end(sim);
    TmlStatus status = TML_OK;
    const double slack = 1e-12 * fmax(fmin(1.0, sim->end), fabs(b->s.t)); // runs of 1e-13 s, too
    // rows that the caller stepped over with tml_sim_step are gone
    const int64_t first =
        sim->rows.first + (int64_t)ceil((a->s.t - sim->rows.base - slack) / sim->output_step);
    sim->rows.next = first > sim->rows.next ? first : sim->rows.next;
    if (tml_sim_contacts_take_row_behind(sim)) {
        began_cpu = tml_clock_cpu();
        status = emit_behind(sim, row, user, err);
    }
    while (status == TML_OK) {
        const double t = tml_sim_row_time(sim, sim->rows.next);
        const bool past_end =
            sim->rows.next > 0 && tml_sim_row_time(sim, sim->rows.next - 1) >= sim->end;
        if (past_end || t > b->s.t + (start ? 0.0 : slack)) {
            break;
        }
        began_cpu = began_cpu < 0.0 ? tml_clock_cpu() : began_cpu;
        status = emit(sim, fmin(t, b->s.t), row, user, err);
        sim->rows.next++;
    }
    const double last = sim->rows.next > 0 ? tml_sim_row_time(sim, sim->rows.next - 1) : -HUGE_VAL;
    const bool located = tml_sim_contacts_take_row(sim);
    const bool asked = tml_sim_events_take_row(sim) || located;
    if (status == TML_OK && asked && last < b->s.t - slack) { // this row lies between the others
        began_cpu = began_cpu < 0.0 ? tml_clock_cpu() : began_cpu;
        status = emit(sim, b->s.t, row, user, err);
    }
    tml_system_set_stats(sim->sys, before); // counts and phases are those of the steps
    sim->stats.seconds_output += tml_clock() - began;
    sim->cpu_output += began_cpu < 0.0 ? 0.0 : tml_clock_cpu() - began_cpu;
    return status;
}

/* --- setup --------------------------------------------------------------------------------- */

void tml_sim_row_given(TmlSim *sim)
{
    TmlSystem *sys = sim->sys;
    double level[3];
    const TmlEnergy e = tml_system_energy(sys, &sim->row);
    tml_system_violation(sys, &sim->row, level);
    sim->rows.certificate = (TmlCertificate){.phi = level[0],
                                             .phi_dot = level[1],
                                             .phi_ddot = level[2],
                                             .kinetic = e.kinetic,
                                             .potential = e.gravity + e.stored};
    tml_system_kinematics(sys, &sim->row, true);
    sim->rows.is_there = sim->rows.was_there = true;
}

void tml_sim_row_gone(TmlSim *sim)
{
    sim->rows.is_there = false;
}

void tml_sim_rows_start_over(TmlSim *sim)
{
    for (int k = 0; k < TML_STEP_ENDS; ++k) {
        tml_state_copy(sim->sys, &sim->it.now, &sim->rows.ends[k].s);
        sim->rows.ends[k].ready = sim->rows.ends[k].noted = false;
    }
}

void tml_sim_rows_count_from_here(TmlSim *sim)
{
    sim->rows.base = sim->it.now.t;
    sim->rows.first = sim->rows.next - 1;
}

TmlStatus tml_sim_rows_setup(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_state_create(sim->sys, &sim->row, err));
    TML_TRY(tml_state_create(sim->sys, &sim->trial, err));
    sim->rows.base = sim->start;
    TML_TRY(tml_between_setup(sim->sys, &sim->rows.between, err));
    sim->rows.between.allowed = sim->it.norm.state;
    for (int k = 0; k < TML_STEP_ENDS; ++k) {
        TML_TRY(tml_state_create(sim->sys, &sim->rows.ends[k].s, err));
        TML_TRY(tml_state_create(sim->sys, &sim->rows.ends[k].row, err));
    }
    TML_NEW(tml_system_arena(sim->sys), sim->rows.misuse, 1);
    TML_TRY(tml_account_setup(sim, err));
    if (!sim->it.own_rows || tml_account_solves(sim)) { // else the method does it itself
        TML_TRY(tml_row_joints_create(sim->sys, &sim->it.now, sim->it.norm.rotation,
                                      &sim->rows.between.joints, err));
    }
    tml_sim_rows_begin(sim);
    if (sim->rows.between.joints == NULL) {
        // the factors get their memory and pivots here, so that these do not depend on the first row; rows in joint coordinates seldom need them
        tml_system_swap_factors(sim->sys);
        tml_system_project(sim->sys, &sim->rows.ends[0].row);
        tml_system_swap_factors(sim->sys);
    }
    TML_TRY(tml_sim_drive_channels(sim, err));
    return tml_sim_default_channels(sim, err);
}

void tml_sim_rows_free(TmlSim *sim)
{
    tml_row_joints_free(sim->rows.between.joints);
}

void tml_sim_rows_begin(TmlSim *sim)
{
    for (int k = 0; k < TML_STEP_ENDS; ++k) {
        tml_state_copy(sim->sys, &sim->it.now, &sim->rows.ends[k].s);
        tml_state_copy(sim->sys, &sim->it.now, &sim->rows.ends[k].row);
        sim->rows.ends[k].ready = sim->rows.ends[k].noted = false;
        memset(sim->rows.ends[k].work, 0, sizeof sim->rows.ends[k].work);
    }
    sim->rows.smooth_ends = 1;
    sim->rows.is_there = false;
    tml_account_begin(sim);
}
