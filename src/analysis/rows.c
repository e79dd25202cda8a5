/* analysis/rows.c - output rows between the ends of accepted steps, and what can be read of them.
 *
 * Positions and velocities are interpolated (Hermite polynomials through positions, velocities and
 * accelerations of the step's ends) and moved onto the constraints. Accelerations and multipliers
 * are solved for at the ends of the step and interpolated linearly, or solved for at the row where
 * that agrees better with the interpolated motion. docs/decisions/0005-output-rows.md
 */
#include "analysis/sim_internal.h"

#include "base/clock.h"
#include "base/fail.h"
#include "math/vec3.h"
#include "model/flex.h"
#include "trammel/flexible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double tml_sim_row_time(const TmlSim *sim, int64_t k)
{
    const double t = sim->row_base + (double)(k - sim->row_first) * sim->output_step;
    return t > sim->end * (1.0 - 1e-12) ? sim->end : t;
}

enum {
    HIGH_ORDER = 4
}; /* steps of such methods are too long for three powers to tell their work */

/* --- work done ----------------------------------------------------------------------------- */

/* Integral over the last interval of the parabola through three values (trapezium at the start). */
static double last_interval(const double *t, const double *p, int n)
{
    const double h = t[0] - t[1];
    if (n < 3) {
        return 0.5 * h * (p[0] + p[1]);
    }
    const double h1 = t[1] - t[2];
    const double curve = ((p[0] - p[1]) / h - (p[1] - p[2]) / h1) / (h + h1);
    return 0.5 * h * (p[0] + p[1]) - curve * h * h * h / 6.0;
}

void tml_sim_account(TmlSim *sim, double t)
{
    for (int k = 2; k > 0; --k) {
        sim->power_time[k] = sim->power_time[k - 1];
        sim->power[0][k] = sim->power[0][k - 1];
        sim->power[1][k] = sim->power[1][k - 1];
    }
    sim->power_time[0] = t;
    sim->power[0][0] = sim->sys->power_stored;
    sim->power[1][0] = sim->sys->power_other;
    // after a kink the older value belongs to another curve
    sim->power_points = sim->restart_pending    ? 2
                        : sim->power_points < 3 ? sim->power_points + 1
                                                : 3;
    if (sim->power_points >= 2 && sim->type->order < HIGH_ORDER) {
        sim->work_stored += last_interval(sim->power_time, sim->power[0], sim->power_points);
        sim->work_other += last_interval(sim->power_time, sim->power[1], sim->power_points);
    }
}

static const double gauss_node[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* Power at x in [0, 1] of the last step, by the polynomial through the ends and Gauss points. */
static double power_at(const double end[2], const double inside[3], double x)
{
    const double node[5] = {0.0, gauss_node[0], gauss_node[1], gauss_node[2], 1.0};
    const double value[5] = {end[0], inside[0], inside[1], inside[2], end[1]};
    double sum = 0.0;
    for (int j = 0; j < 5; ++j) {
        double basis = 1.0;
        for (int k = 0; k < 5; ++k) {
            basis *= k != j ? (x - node[k]) / (node[j] - node[k]) : 1.0;
        }
        sum += value[j] * basis;
    }
    return sum;
}

/* Work done up to x in [0, 1] of the last step of length h; which: stored, other. The integral of
 * the polynomial over all of the step is the Gauss formula, so that the ends agree. */
static double work_at(const TmlSim *sim, int which, double h, double x)
{
    const double end[2] = {sim->power[which][1], sim->power[which][0]};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        sum += gauss_weight[k] * power_at(end, sim->power_inside[which], x * gauss_node[k]);
    }
    return h * x * sum;
}

/* --- interpolation ------------------------------------------------------------------------- */

/* Cubic Hermite over h at x in [0, 1]. */
static double hermite(double y0, double d0, double y1, double d1, double h, double x)
{
    const double u = 1.0 - x;
    return u * u * (1.0 + 2.0 * x) * y0 + x * x * (3.0 - 2.0 * x) * y1 +
           h * x * u * (u * d0 - x * d1);
}

/* Derivative of the cubic Hermite polynomial. */
static double hermite_rate(double y0, double d0, double y1, double d1, double h, double x)
{
    return 6.0 * x * (1.0 - x) * (y1 - y0) / h + (1.0 - x) * (1.0 - 3.0 * x) * d0 +
           x * (3.0 * x - 2.0) * d1;
}

/* Quintic Hermite over h at x in [0, 1] through values y, first and second derivatives d, c. */
static double hermite5(const double y[2], const double d[2], const double c[2], double h, double x)
{
    // y0 + h d0 x + h^2/2 c0 x^2 + x^3 (p + q x + r x^2), three conditions at x = 1
    const double r0 = y[1] - y[0] - h * d[0] - 0.5 * h * h * c[0];
    const double r1 = h * (d[1] - d[0]) - h * h * c[0], r2 = h * h * (c[1] - c[0]);
    const double p = 10.0 * r0 - 4.0 * r1 + 0.5 * r2, q = -15.0 * r0 + 7.0 * r1 - r2,
                 r = 6.0 * r0 - 3.0 * r1 + 0.5 * r2;
    return y[0] + x * (h * d[0] + x * (0.5 * h * h * c[0] + x * (p + x * (q + x * r))));
}

/* Rows this close to a step end, in steps, are the step end. */
static const double end_slack = 1e-9;

/* q by the quintic through q, v and a of the ends; v by the cubic through v and a, and a as its
 * derivative: the derivative of the quintic would see the local error of q divided by the step.
 * Multipliers and the like linearly. */
static void interpolate(const TmlSystem *sys, const TmlState *s0, const TmlState *s1, double t,
                        TmlState *out)
{
    const double h = s1->t - s0->t, x = h > 0.0 ? (t - s0->t) / h : 1.0;
    if (!(h > 0.0) || x > 1.0 - end_slack) {
        tml_state_copy(sys, s1, out);
        return;
    }
    out->t = t;
    for (int k = 3 * sys->nq; k < sys->size; ++k) {
        out->data[k] = (1.0 - x) * s0->data[k] + x * s1->data[k];
    }
    for (int k = 0; k < sys->nq; ++k) {
        const double y[2] = {s0->q[k], s1->q[k]}, d[2] = {s0->v[k], s1->v[k]},
                     c[2] = {s0->a[k], s1->a[k]};
        out->q[k] = hermite5(y, d, c, h, x);
        out->v[k] = hermite(d[0], c[0], d[1], c[1], h, x);
        out->a[k] = hermite_rate(d[0], c[0], d[1], c[1], h, x);
    }
    for (int k = 0; k < sys->nx; ++k) {
        out->X[k] = hermite(s0->X[k], s0->Xd[k], s1->X[k], s1->Xd[k], h, x);
    }
}

/* Largest difference between the accelerations of s and the interpolated ones at x. */
static double acceleration_gap(const TmlSystem *sys, const double *a, const double *b)
{
    double gap = 0.0;
    for (int k = 0; k < sys->nq; ++k) {
        gap = fmax(gap, fabs(a[k] - b[k]));
    }
    return gap;
}

/* Accelerations and multipliers of a row. Those solved for at the row are accurate to a high order,
 * but useless where forces are stiff, since they take interpolation errors for deflections; those
 * interpolated linearly are safe. The derivative of the interpolated velocities tells which to
 * take. */
static void row_accelerations(TmlSim *sim, const TmlState *s0, const TmlState *s1)
{
    const TmlSystem *sys = sim->sys;
    const double h = s1->t - s0->t, x = h > 0.0 ? (sim->row.t - s0->t) / h : 1.0;
    TmlState *row = &sim->row, *trial = &sim->trial;
    if (x < end_slack || x > 1.0 - end_slack) {
        return; // a step end, solved for already
    }
    tml_state_copy(sys, row, trial);
    const bool solved = tml_system_accelerations(sim->sys, trial, NULL) == TML_OK &&
                        tml_system_min_norm_lambda(sim->sys, trial, NULL) == TML_OK;
    const double gap = acceleration_gap(sys, trial->a, row->a);
    for (int k = 0; k < sys->nq; ++k) {
        sim->trial_a[k] = row->a[k];
        row->a[k] = (1.0 - x) * s0->a[k] + x * s1->a[k];
    }
    if (solved && gap <= acceleration_gap(sys, row->a, sim->trial_a)) {
        tml_state_copy(sys, trial, row);
    } else {
        tml_system_project(sim->sys, row);
    }
}

/* Powers at the trial state, with the forces that belong to its motion: interpolated ones lag by
 * the square of the step. */
static void trial_powers(TmlSim *sim)
{
    TmlSystem *sys = sim->sys;
    tml_system_residual_settled(sys, &sim->trial, TML_LEVEL_ACCELERATION, sys->scratch);
}

/* Work of a long step: powers at three Gauss points of the interpolated motion. Multipliers of
 * driven motions work too; then the method's own state inside the step is worth its price. */
void tml_sim_account_step(TmlSim *sim, const TmlState *s0, const TmlState *s1)
{
    TmlSystem *sys = sim->sys;
    const double h = s1->t - s0->t;
    if (sim->type->order < HIGH_ORDER || sim->conservative) {
        return;
    }
    const TmlSystemStats before = sys->stats;
    for (int k = 0; k < 3; ++k) {
        const double t = s0->t + gauss_node[k] * h;
        if (!(sim->driven && sim->type->dense != NULL &&
              sim->type->dense(&sim->it, t, &sim->trial, NULL) == TML_OK)) {
            interpolate(sys, s0, s1, t, &sim->trial);
            tml_system_retract(sys, sim->trial.q);
        }
        trial_powers(sim);
        sim->work_stored += gauss_weight[k] * h * sys->power_stored;
        sim->work_other += gauss_weight[k] * h * sys->power_other;
        sim->power_inside[0][k] = sys->power_stored;
        sim->power_inside[1][k] = sys->power_other;
    }
    sys->stats = before; // not work of the method
}

TmlStatus tml_sim_inside(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                         TmlState *out, TmlError *err)
{
    if (sim->type->dense != NULL) {
        return sim->type->dense(&sim->it, t, out, err);
    }
    interpolate(sim->sys, s0, s1, t, out);
    tml_system_retract(sim->sys, out->q);
    tml_system_retract_velocity(sim->sys, out->q, out->v);
    return TML_OK;
}

/* Accelerations and multipliers at a step end; the violations of the raw state are noted first. */
static TmlStatus make_ready(TmlSim *sim, TmlStepEnd *end, TmlError *err)
{
    double level[3];
    if (end->ready) {
        return TML_OK;
    }
    tml_system_violation(sim->sys, &end->s, level);
    sim->stats.max_phi = fmax(sim->stats.max_phi, level[0]);
    sim->stats.max_phi_dot = fmax(sim->stats.max_phi_dot, level[1]);
    sim->stats.max_phi_ddot = fmax(sim->stats.max_phi_ddot, level[2]);
    TML_TRY(tml_system_accelerations(sim->sys, &end->s, err));
    TML_TRY(tml_system_min_norm_lambda(sim->sys, &end->s, err));
    end->ready = true;
    return TML_OK;
}

static void certify(TmlSim *sim, double work_stored, double work_other)
{
    TmlCertificate *c = &sim->certificate;
    double level[3];
    const TmlEnergy e = tml_system_energy(sim->sys, &sim->row);
    tml_system_violation(sim->sys, &sim->row, level);
    c->phi = level[0];
    c->phi_dot = level[1];
    c->phi_ddot = level[2];
    c->kinetic = e.kinetic;
    c->potential = e.gravity + e.stored;
    c->work = sim->conservative ? 0.0 : work_other;
    c->dissipated = sim->conservative ? 0.0 : -(work_stored + e.stored - sim->first_stored);
    c->energy_error = c->kinetic + c->potential - sim->first_energy - c->work + c->dissipated;
}

static TmlStatus emit(TmlSim *sim, double t, TmlRowFn row, void *user, TmlError *err)
{
    const TmlStepEnd *a = &sim->ends[1 - sim->last_end], *b = &sim->ends[sim->last_end];
    const double h = b->s.t - a->s.t, x = h > 0.0 ? (t - a->s.t) / h : 1.0;
    if (sim->type->dense != NULL && t > a->s.t && t < b->s.t) {
        TML_TRY(sim->type->dense(&sim->it, t, &sim->row, err));
    } else {
        interpolate(sim->sys, &a->s, &b->s, t, &sim->row);
        tml_system_retract(sim->sys, sim->row.q);
        tml_system_retract_velocity(sim->sys, sim->row.q, sim->row.v);
        tml_system_project(sim->sys, &sim->row); // where it cannot, the certificate tells
        row_accelerations(sim, &a->s, &b->s);
    }
    if (sim->type->order >= HIGH_ORDER) {
        certify(sim, a->work_stored + work_at(sim, 0, h, x), a->work_other + work_at(sim, 1, h, x));
    } else {
        const double *stored = sim->power[0], *other = sim->power[1];
        certify(sim, hermite(a->work_stored, stored[1], b->work_stored, stored[0], h, x),
                hermite(a->work_other, other[1], b->work_other, other[0], h, x));
    }
    tml_system_kinematics(sim->sys, &sim->row, true);
    for (int k = 0; k < sim->sys->size; ++k) {
        if (!isfinite(sim->row.data[k])) {
            return tml_fail(err, TML_E_NONFINITE, "a value is not finite at t = %.9g s", t);
        }
    }
    tml_sim_energy_watch(sim);
    tml_sim_row_check(sim);
    TML_TRY(tml_sim_error_row(sim, err));
    return row != NULL ? row(user, sim, err) : TML_OK;
}

TmlStatus tml_sim_emit_rows(TmlSim *sim, TmlRowFn row, void *user, bool start, TmlError *err)
{
    const double began = tml_clock();
    double began_cpu = -1.0; // read when there is a row: most steps have none
    const TmlSystemStats before = sim->sys->stats;
    TmlStepEnd *a = &sim->ends[1 - sim->last_end], *b = &sim->ends[sim->last_end];
    sim->on_path = false;
    TmlStatus status = TML_OK;
    const double slack = 1e-12 * fmax(fmin(1.0, sim->end), fabs(b->s.t)); // runs of 1e-13 s, too
    // rows that the caller stepped over with tml_sim_step are gone
    const int64_t first =
        sim->row_first + (int64_t)ceil((a->s.t - sim->row_base - slack) / sim->output_step);
    sim->next_row = first > sim->next_row ? first : sim->next_row;
    while (status == TML_OK) {
        const double t = tml_sim_row_time(sim, sim->next_row);
        const bool past_end =
            sim->next_row > 0 && tml_sim_row_time(sim, sim->next_row - 1) >= sim->end;
        if (past_end || t > b->s.t + (start ? 0.0 : slack)) {
            break;
        }
        began_cpu = began_cpu < 0.0 ? tml_clock_cpu() : began_cpu;
        status = make_ready(sim, a, err);
        status = status == TML_OK ? make_ready(sim, b, err) : status;
        if (status == TML_OK) {
            status = emit(sim, fmin(t, b->s.t), row, user, err);
            sim->next_row++;
        }
    }
    const double last = sim->next_row > 0 ? tml_sim_row_time(sim, sim->next_row - 1) : -HUGE_VAL;
    if (status == TML_OK && sim->event_row && last < b->s.t - slack) { // between the others
        began_cpu = began_cpu < 0.0 ? tml_clock_cpu() : began_cpu;
        status = make_ready(sim, a, err);
        status = status == TML_OK ? make_ready(sim, b, err) : status;
        status = status == TML_OK ? emit(sim, b->s.t, row, user, err) : status;
    }
    sim->event_row = false;
    sim->sys->stats = before; // counts and phases are those of the steps
    sim->stats.seconds_output += tml_clock() - began;
    sim->cpu_output += began_cpu < 0.0 ? 0.0 : tml_clock_cpu() - began_cpu;
    return status;
}

/* --- setup --------------------------------------------------------------------------------- */

/* Positions of one thing as three channels. */
static void position_channels(TmlSim *sim, const char *name, struct TmlDefaultChannel what)
{
    for (int c = 0; c < 3; ++c) {
        struct TmlDefaultChannel *to = &sim->default_channel[sim->n_default++];
        *to = what;
        to->component = c;
        snprintf(to->name, sizeof to->name, "%.120s.%c", name, "xyz"[c]);
    }
}

/* Both ends of a line, the first and the last corner of a patch. */
static void flexible_channels(TmlSim *sim, int mesh)
{
    const TmlMesh *s = &sim->model->meshes.at[mesh];
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    char name[TML_NAME_MAX];
    for (int end = 0; end < 2; ++end) {
        snprintf(name, sizeof name, "%.110s.%s", s->name, end == 0 ? "start" : "end");
        const struct TmlDefaultChannel what = {
            .body = -1, .mesh = mesh, .u = end, .v = patch ? end : 0};
        position_channels(sim, name, what);
    }
}

/* Without outputs in the model, positions are the channels: of bodies, of ends of flexible ones. */
static TmlStatus default_channels(TmlSim *sim, TmlError *err)
{
    enum { MAX_BODIES = 100, MAX_FLEXIBLE = 50 };
    const TmlModel *m = sim->model;
    const int all = tml_model_body_count(m) - 1, n = all < MAX_BODIES ? all : MAX_BODIES;
    const int flexible = m->meshes.n < MAX_FLEXIBLE ? m->meshes.n : MAX_FLEXIBLE;
    if (m->channels.n > 0 || n + flexible <= 0) {
        return TML_OK;
    }
    TML_NEW(&sim->sys->arena, sim->default_channel, 3 * n + 6 * flexible);
    for (int k = 1; k <= n; ++k) {
        const struct TmlDefaultChannel what = {.body = tml_model_shown_body(m, k)};
        position_channels(sim, m->bodies.at[what.body].name, what);
    }
    for (int k = 0; k < flexible; ++k) {
        flexible_channels(sim, k);
    }
    return TML_OK;
}

/* No force, no motion, no viscous stress, no load. */
static bool is_conservative(const TmlModel *m)
{
    bool any = m->forces.n > 0;
    for (int k = 0; k < m->constraints.n; ++k) {
        any = any || m->constraints.at[k].type->rate != NULL;
    }
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        any = any || mesh->data->material.damping > 0.0 || mesh->load != NULL;
    }
    return !any;
}

TmlStatus tml_sim_rows_setup(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_state_create(sim->sys, &sim->row, err));
    TML_TRY(tml_state_create(sim->sys, &sim->trial, err));
    TML_NEW(&sim->sys->arena, sim->trial_a, sim->sys->nq);
    for (int k = 0; k < sim->model->constraints.n; ++k) {
        sim->driven = sim->driven || sim->model->constraints.at[k].type->rate != NULL;
    }
    sim->conservative = is_conservative(sim->model);
    for (int k = 0; k < 2; ++k) {
        TML_TRY(tml_state_create(sim->sys, &sim->ends[k].s, err));
    }
    tml_sim_rows_begin(sim);
    return default_channels(sim, err);
}

void tml_sim_rows_begin(TmlSim *sim)
{
    for (int k = 0; k < 2; ++k) {
        tml_state_copy(sim->sys, &sim->it.now, &sim->ends[k].s);
        sim->ends[k].ready = false;
    }
    const TmlEnergy e = tml_system_energy(sim->sys, &sim->it.now);
    sim->first_stored = e.stored;
    sim->first_energy = e.kinetic + e.gravity + e.stored;
    tml_system_residual(sim->sys, &sim->it.now, TML_LEVEL_ACCELERATION, sim->sys->scratch);
    sim->power_points = 0;
    tml_sim_account(sim, sim->it.now.t);
    sim->power_points = 1;
}

/* --- reading a row ------------------------------------------------------------------------- */

double tml_row_time(const TmlSim *sim)
{
    return sim->on_path ? sim->path.length : sim->row.t;
}

TmlBodyState tml_row_body(const TmlSim *sim, int index)
{
    TmlBodyState out = {.orientation = {1, 0, 0, 0}};
    const int body = tml_model_shown_body(sim->model, index);
    if (body <= 0) {
        return out;
    }
    const double *q = sim->row.q + sim->sys->q0[body];
    const TmlFrameKin *k = &sim->sys->body[body].k;
    out.position = k->r;
    if (sim->model->bodies.at[body].type->nq == 7) {
        out.orientation = (TmlQuat){q[3], q[4], q[5], q[6]};
    }
    out.velocity = k->v;
    out.omega = k->omega;
    out.acceleration = k->a;
    out.alpha = k->alpha;
    return out;
}

TmlReaction tml_row_reaction(const TmlSim *sim, int joint)
{
    TmlReaction out = {.unique = true};
    TmlSystem *sys = sim->sys;
    if (joint < 0 || joint >= sim->model->constraints.n) {
        return out;
    }
    const TmlConstraint *con = &sim->model->constraints.at[joint];
    const TmlRow w = tml_system_reaction(sys, &sim->row, joint);
    out.force = w.r;
    out.torque = w.theta;
    if (con->n_ends > 1) {
        const TmlMat33 *A = &sys->kin[sys->constraint[joint].end0 + 1].A;
        out.force_local = m3_tmulv(A, w.r);
        out.torque_local = m3_tmulv(A, w.theta);
    }
    for (int k = 0; k < con->type->rows && sys->not_unique != NULL; ++k) {
        out.unique = out.unique && !sys->not_unique[sys->constraint[joint].row0 + k];
    }
    return out;
}

TmlCertificate tml_row_certificate(const TmlSim *sim)
{
    return sim->certificate;
}

/* Of the model, or those that stand for them. */
static int own_channels(const TmlSim *sim)
{
    return sim->model->channels.n > 0 ? sim->model->channels.n : sim->n_default;
}

int tml_row_channel_count(const TmlSim *sim)
{
    return own_channels(sim) + tml_path_channels(sim);
}

const char *tml_row_channel_name(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim)) {
        return NULL;
    }
    if (channel >= own_channels(sim)) {
        return tml_path_channel_name(sim, channel - own_channels(sim));
    }
    return sim->model->channels.n > 0 ? sim->model->channels.at[channel].name
                                      : sim->default_channel[channel].name;
}

const char *tml_row_channel_unit(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim)) {
        return NULL;
    }
    if (channel >= own_channels(sim)) {
        return "";
    }
    if (sim->model->channels.n == 0) {
        return "m";
    }
    const char *unit = sim->model->channels.at[channel].unit;
    return unit != NULL ? unit : "";
}

double tml_row_channel(const TmlSim *sim, int channel)
{
    if (channel < 0 || channel >= tml_row_channel_count(sim)) {
        return (double)NAN;
    }
    if (channel >= own_channels(sim)) {
        return tml_path_channel(sim, channel - own_channels(sim));
    }
    if (sim->model->channels.n > 0) {
        return tml_system_channel(sim->sys, &sim->row, channel);
    }
    const struct TmlDefaultChannel *c = &sim->default_channel[channel];
    const double place[3] = {c->u, c->v, 0.0};
    const TmlVec3 r =
        c->body < 0 ? tml_row_place(sim, c->mesh, place) : sim->sys->body[c->body].k.r;
    return c->component == 0 ? r.x : c->component == 1 ? r.y : r.z;
}

int tml_sim_channel_find(const TmlSim *sim, const char *name)
{
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        if (strcmp(tml_row_channel_name(sim, k), name) == 0) {
            return k;
        }
    }
    return -1;
}
