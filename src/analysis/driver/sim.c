/* analysis/driver/sim.c - making a sim: options, system, consistent start, memory. */
#include "analysis/driver/memory.h"

#include "analysis/kinematic/kinematics.h"
#include "analysis/statics/at_rest.h"
#include "base/block.h"
#include "base/clock.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "base/pool.h"
#include "trammel/trammel.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char default_integrator[] = "auto"; // for a model that names no method

const char *tml_version(void)
{
    return TML_VERSION;
}

TmlSimOptions tml_sim_options_default(void)
{
    return (TmlSimOptions){
        .size = sizeof(TmlSimOptions),
        .end_time = (double)NAN,
        .output_step = (double)NAN,
        .tolerance = (double)NAN,
        .record_solver = true,
        .start_time = (double)NAN,
    };
}

static double given(double first, double second, double otherwise)
{
    return !isnan(first) ? first : !isnan(second) ? second : otherwise;
}

static TmlStatus positive(const char *name, double x, const char *unit, TmlError *err)
{
    return x > 0.0 && isfinite(x)
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT, "%s is %g%s; it must be positive and finite", name,
                          x, unit);
}

/* Chooses a number: where 0 was asked for it is that of the model, else ours. */
static TmlStatus chosen(const char *name, const char *unit, double own, double models,
                        double otherwise, double *out, TmlError *err)
{
    if (own == 0.0) {
        *out = given(models, (double)NAN, otherwise);
        return TML_OK;
    }
    *out = own;
    return positive(name, own, unit, err);
}

static TmlStatus choose_integrator(TmlSim *sim, TmlError *err)
{
    const char *name = sim->options.integrator;
    name = name != NULL ? name : sim->model->run.integrator;
    name = name != NULL ? name : default_integrator;
    sim->type =
        strcmp(name, TML_KINEMATICS) == 0 ? &tml_kinematics_type : tml_find_integrator(name);
    if (sim->type != NULL || strcmp(name, tml_auto_info.name) == 0) {
        return TML_OK; // auto: chosen when the system is known
    }
    enum { MAX = 64 };
    const char *names[MAX];
    char list[512] = "";
    int n = 0;
    for (; tml_integrator_name(n) != NULL && n < MAX; ++n) {
        const size_t used = strlen(list);
        names[n] = tml_integrator_name(n);
        snprintf(list + used, sizeof list - used, "%s%s", n > 0 ? ", " : "", names[n]);
    }
    const char *near = tml_nearest(name, names, n);
    return tml_fail(err, TML_E_ARGUMENT, "there is no integrator '%s'%s%s%s", name,
                    near != NULL ? "; did you mean '" : "; known: ", near != NULL ? near : list,
                    near != NULL ? "'?" : "");
}

static TmlStatus choose_steps(TmlSim *sim, TmlError *err)
{
    const TmlRunSettings *run = &sim->model->run;
    const TmlSimOptions *o = &sim->options;
    double step;
    TML_TRY(chosen("largest step", " s", o->max_step, run->max_step, sim->end, &sim->control.h_max,
                   err));
    TML_TRY(chosen("smallest step", " s", o->min_step, run->min_step, 1e-13 * sim->end,
                   &sim->control.h_min, err));
    TML_TRY(chosen("first step", " s", o->first_step, run->first_step, 0.0, &sim->control.h, err));
    TML_TRY(chosen("step", " s", o->step, (double)NAN, 0.0, &step, err));
    sim->control.fixed = step;
    sim->control.rounding = tml_sim_rounding;
    sim->control.weakness = tml_sim_weakness;
    sim->control.user = sim;
    if (step > 0.0) {
        sim->control.h = sim->control.h_max = step;
    } else if (sim->control.h_min > sim->control.h_max) {
        return tml_fail(err, TML_E_ARGUMENT, "smallest step %g s is longer than the largest, %g s",
                        sim->control.h_min, sim->control.h_max);
    }
    return TML_OK;
}

/* Sets times and tolerance, which come from the caller, else from the model, else from a
 * default. */
static TmlStatus choose_numbers(TmlSim *sim, TmlError *err)
{
    const TmlRunSettings *run = &sim->model->run;
    const TmlSimOptions *o = &sim->options;
    sim->end = given(o->end_time, run->end, (double)NAN);
    if (isnan(sim->end)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "no end time: write simulate: {end: ...} in the model, or give --end");
    }
    TML_TRY(positive("end time", sim->end, " s", err));
    sim->start = given(o->start_time, o->from != NULL ? o->from->it.now.t : 0.0, 0.0);
    if (o->from == NULL && sim->start != 0.0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "start time %g s: only a run that continues another one has a start time",
                        sim->start);
    }
    if (!(sim->end >= sim->start) || !(sim->start >= 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "the end time, %g s, lies before the start, %g s",
                        sim->end, sim->start);
    }
    const double duration = sim->end > sim->start ? sim->end - sim->start : sim->end;
    sim->output_step = given(o->output_step, run->output_step, duration / 100.0);
    TML_TRY(positive("output step", sim->output_step, " s", err));
    if (duration / sim->output_step > 1e9) {
        return tml_fail(err, TML_E_ARGUMENT, "output step %g s gives more than 1e9 rows up to %g s",
                        sim->output_step, sim->end);
    }
    return choose_steps(sim, err);
}

double tml_sim_tolerance_asked(const TmlSim *sim)
{
    return given(sim->options.tolerance, sim->model->run.tolerance, (double)NAN);
}

/* Checks the tolerance that was asked for before any work is done. */
static TmlStatus check_tolerance(const TmlSim *sim, TmlError *err)
{
    const double asked = tml_sim_tolerance_asked(sim);
    return isnan(asked) ? TML_OK : positive("tolerance", asked, "", err);
}

/* The options that a model gives belong to the method that it names, and to no other. */
static int model_options(const TmlSim *sim)
{
    const TmlRunSettings *run = &sim->model->run;
    const char *asked = sim->options.integrator, *own = run->integrator;
    const bool other = asked != NULL && strcmp(asked, own != NULL ? own : default_integrator) != 0;
    return other ? 0 : run->n_options;
}

/* Lists the options of the model first, so that those of the caller come later and win. */
static TmlStatus gather_options(TmlSim *sim, TmlError *err)
{
    const TmlRunSettings *run = &sim->model->run;
    const TmlSimOptions *o = &sim->options;
    const int n_model = model_options(sim);
    if (o->n_options < 0 ||
        (o->n_options > 0 && (o->option_key == NULL || o->option_value == NULL))) {
        return tml_fail(err, TML_E_ARGUMENT, "%d integrator options, but no keys and values",
                        o->n_options);
    }
    const int n = n_model + o->n_options;
    TML_NEW(tml_system_arena(sim->sys), sim->option_key, n);
    TML_NEW(tml_system_arena(sim->sys), sim->option_value, n);
    for (int k = 0; k < n; ++k) {
        const bool own = k < n_model;
        const int i = own ? k : k - n_model;
        const char *key = own ? run->option_key[i] : sim->options.option_key[i];
        const char *value = own ? run->option_value[i] : sim->options.option_value[i];
        sim->option_key[k] = tml_arena_strdup(tml_system_arena(sim->sys), key);
        sim->option_value[k] = tml_arena_strdup(tml_system_arena(sim->sys), value);
        if (sim->option_key[k] == NULL || sim->option_value[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    sim->n_options = n;
    return TML_OK;
}

/* Returns the rounding of the largest coordinate of a place, in m, as estimates of local errors see
 * it: those of high order are sums of several positions, and a step rounds several times. */
static double position_rounding(const TmlSim *sim)
{
    return 32.0 * DBL_EPSILON * tml_norm_farthest(sim->sys, sim->it.now.q);
}

/* Returns the error of positions that a step may have. It is not less than their rounding, which
 * far from the origin (a planet, in m) is more than the tolerance asks for; that is said once. */
static double allowed_translation(TmlSim *sim)
{
    const double asked = sim->tolerance * tml_dims(sim->sys)->length,
                 rounding = position_rounding(sim);
    if (rounding <= asked) {
        return asked;
    }
    if (!sim->rounding_told) {
        tml_notes_add(&sim->notes,
                      "positions are so far from the origin that their rounding is above the "
                      "tolerance: errors of %.2g m are allowed, not %.2g m; length_scale sets the "
                      "size of the motion",
                      rounding, asked);
        sim->rounding_told = true;
    }
    return rounding;
}

/* Sets the allowed errors. Those of the states follow the tolerance when another method has
 * another. */
static void set_norm(TmlSim *sim)
{
    TmlNorm *norm = &sim->it.norm;
    const double before = sim->tolerance;
    sim->tolerance = given(tml_sim_tolerance_share(sim) * tml_sim_tolerance_asked(sim),
                           sim->type->tolerance, 0.0);
    norm->translation = allowed_translation(sim);
    norm->rotation = sim->tolerance;
    for (int k = 0; k < tml_dims(sim->sys)->nx && before > 0.0; ++k) {
        norm->state[k] *= sim->tolerance / before;
    }
}

static TmlStatus setup_method(TmlSim *sim, TmlError *err)
{
    TmlIntegrator *it = &sim->it;
    tml_arena_free(&sim->method_arena); // an earlier setup had this, with other rows
    it->work = NULL;
    it->opts = tml_arena_alloc(it->arena, 1, sim->type->info.data_size);
    if (it->opts == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_options_parse(&sim->type->info, sim->n_options, sim->option_key, sim->option_value,
                              it->opts, err));
    if (sim->type->check != NULL) {
        TML_TRY(sim->type->check(it->opts, err));
    }
    set_norm(sim);
    it->coordinates[0] = '\0';
    sim->control.smooth = sim->type->smooth_law;
    TML_TRY(tml_sim_memory_method(sim, err));
    TML_TRY(tml_system_set_solver(sim->sys, TML_SOLVER_DIRECT, TML_SOLVER_AUTO, err));
    return sim->type->setup(it, err);
}

TmlStatus tml_sim_setup_method(TmlSim *sim, TmlError *err)
{
    const TmlStatus status = setup_method(sim, err);
    if (status != TML_OK) { // another method may want the room
        tml_sim_drop_method(sim);
    }
    return status;
}

void tml_sim_drop_method(TmlSim *sim)
{
    if (sim->type != NULL && sim->type->teardown != NULL) {
        sim->type->teardown(&sim->it);
    }
    sim->it.work = sim->it.opts = NULL;
    tml_arena_free(&sim->method_arena);
}

/* Starts the method that is named or chosen, or its successor should it not be able to start. */
static TmlStatus setup_integrator(TmlSim *sim, TmlError *err)
{
    const TmlDims *dim = tml_dims(sim->sys);
    TmlIntegrator *it = &sim->it;
    it->sys = sim->sys;
    it->arena = &sim->method_arena;
    it->norm.rate = 1.0 / sim->end;
    TML_NEW(tml_system_arena(sim->sys), it->norm.state, dim->nx);
    TML_NEW(tml_system_arena(sim->sys), it->norm.state_rounding, dim->nx);
    TML_TRY(tml_sim_runaway_setup(sim, err));
    TML_TRY(gather_options(sim, err));
    if (sim->type == NULL) {
        TML_TRY(tml_sim_choose(sim, err));
    }
    const TmlStatus status = tml_sim_setup_method(sim, err);
    return sim->n_options == 0 && tml_sim_has_successor(sim, status) ? tml_sim_hand_over(sim, err)
                                                                     : status;
}

/* Sets the scales of the user states before any step. */
static TmlStatus first_scales(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_sim_scales_setup(sim, err));
    tml_sim_scales_start(sim);
    tml_sim_runaway_start(sim);
    return TML_OK;
}

static void log_notes(const TmlSim *sim)
{
    const TmlHooks *hooks = &sim->options.hooks;
    for (int k = 0; k < sim->notes.n && hooks->log != NULL; ++k) {
        hooks->log(hooks->user, TML_LOG_WARNING, sim->notes.text[k]);
    }
}

/* Sets the first state: that of the model, or the one that another sim has come to. */
static TmlStatus assemble(TmlSim *sim, TmlError *err)
{
    const TmlSim *from = sim->options.from;
    TmlStart start = {.t = sim->start};
    if (from != NULL) {
        start.sys = from->sys;
        start.s = &from->it.now;
    }
    sim->options.from = NULL; // the other sim may be gone from here on
    TML_TRY(tml_sim_events_take(sim, from, err));
    sim->goes_on = from != NULL;
    TML_TRY(tml_system_past_create(sim->sys, err));
    if (from != NULL && from->it.now.t == sim->start) {
        TML_TRY(tml_system_take_past(sim->sys, from->sys, err));
    }
    TML_TRY(tml_system_assemble(sim->sys, &sim->it.now, from != NULL ? &start : NULL, &sim->notes,
                                err));
    if (!sim->goes_on) {
        TML_TRY(tml_sim_contacts_start(sim, err));
    }
    int stuck = 0;
    TML_TRY(tml_system_stuck(sim->sys, &sim->notes, &stuck, err));
    return stuck > 0 && sim->options.strict
               ? tml_fail(err, TML_E_ASSEMBLY, "%s", sim->notes.text[sim->notes.n - 1])
               : TML_OK;
}

static TmlStatus check_threads(const TmlSim *sim, TmlError *err)
{
    const int n = sim->options.threads;
    return n >= 0 && n <= TML_POOL_MOST
               ? TML_OK
               : tml_fail(
                     err, TML_E_ARGUMENT,
                     "threads is %d; it must be from 1 to %d, or 0 for what OMP_NUM_THREADS says",
                     n, TML_POOL_MOST);
}

static TmlStatus sim_fill(TmlSim *sim, TmlError *err)
{
    if (!sim->model->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is not finished: call tml_model_finish");
    }
    TML_TRY(choose_integrator(sim, err));
    TML_TRY(choose_numbers(sim, err));
    TML_TRY(check_tolerance(sim, err));
    TML_TRY(check_threads(sim, err));
    TML_TRY(tml_system_create(sim->model, tml_pool_asked(sim->options.threads), &sim->sys, err));
    TML_TRY(tml_sim_memory_system(sim, err));
    double scale;
    TML_TRY(chosen("length scale", " m", sim->options.length_scale, sim->model->run.length_scale,
                   0.0, &scale, err));
    if (scale > 0.0) {
        tml_system_set_length(sim->sys, scale);
    }
    sim->notes.arena = &sim->note_arena;
    sim->notes.every_row = sim->options.every_row;
    TML_TRY(tml_system_drives_setup(sim->sys, err));
    TML_TRY(tml_closure_create(sim->sys, err));
    TML_TRY(tml_state_create(sim->sys, &sim->it.now, err));
    TML_TRY(tml_state_create(sim->sys, &sim->it.next, err));
    TML_TRY(assemble(sim, err));
    tml_closure_free(sim->sys);
    TML_TRY(tml_sim_delays_setup(sim, err));
    TML_TRY(setup_integrator(sim, err));
    log_notes(sim);
    TML_TRY(first_scales(sim, err));
    tml_sim_memory_spare(sim);
    TML_TRY(tml_sim_rows_setup(sim, err));
    TML_TRY(tml_sim_row_check_setup(sim, err));
    TML_TRY(tml_sim_error_setup(sim, err));
    TML_TRY(tml_sim_events_setup(sim, err));
    tml_sim_breaks_setup(sim);
    sim->restart_pending = true;
    const bool at_rest = sim->model->run.from_rest || sim->options.equilibrium;
    return at_rest && !sim->goes_on ? tml_sim_start_at_rest(sim, err) : TML_OK;
}

TmlStatus tml_sim_create(const TmlModel *model, const TmlSimOptions *options, TmlSim **out,
                         TmlError *err)
{
    *out = NULL;
    if (options != NULL && options->size != sizeof *options) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "options of another version: start from tml_sim_options_default");
    }
    TmlSim *sim = tml_mem_zalloc(1, sizeof *sim);
    if (sim == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    sim->started = tml_clock();
    sim->model = model;
    sim->options = options != NULL ? *options : tml_sim_options_default();
    sim->limit = HUGE_VAL;
    sim->owner = tml_blocks_new_owner();
    sim->born = tml_blocks_born();
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status = tml_sim_memory_told(sim, sim_fill(sim, err), err);
    tml_blocks_enter(former);
    if (status != TML_OK) {
        tml_sim_free(sim);
        return status;
    }
    // texts of the caller, which may go: the sim has copies of what it needs
    sim->options.integrator = NULL;
    sim->options.n_options = 0;
    sim->options.option_key = sim->options.option_value = NULL;
    sim->stats.seconds_setup = tml_clock() - sim->started;
    tml_system_set_stats(sim->sys, (TmlSystemStats){0}); // the run counts from here on
    *out = sim;
    return TML_OK;
}

void tml_sim_clear(TmlSim *sim)
{
    const uint64_t group = sim->group;
    tml_sim_drop_method(sim);
    tml_sim_error_free(sim);
    tml_sim_rows_free(sim);
    tml_sim_tries_free(sim);
    tml_sim_delays_free(sim);
    tml_mem_free(sim->notes.text);
    tml_arena_free(&sim->note_arena);
    tml_arena_free(&sim->method_arena);
    tml_system_free(sim->sys);
    tml_block_set_group(sim, 0);
    tml_blocks_free_group(group);
}

void tml_sim_free(TmlSim *sim)
{
    if (sim != NULL) {
        tml_sim_clear(sim);
        tml_mem_free(sim);
    }
}

/* --- what the sim is and did --------------------------------------------------------------- */

double tml_sim_time(const TmlSim *sim)
{
    return sim->it.now.t;
}

double tml_sim_end_time(const TmlSim *sim)
{
    return sim->end;
}

double tml_sim_output_step(const TmlSim *sim)
{
    return sim->output_step;
}

const TmlModel *tml_sim_model(const TmlSim *sim)
{
    return sim->model;
}

const char *tml_sim_integrator(const TmlSim *sim)
{
    return sim->type->info.name;
}

const char *tml_sim_coordinates(const TmlSim *sim)
{
    return sim->it.coordinates[0] != '\0' ? sim->it.coordinates : NULL;
}

double tml_sim_tolerance(const TmlSim *sim)
{
    return sim->options.step > 0.0 ? (double)NAN : sim->tolerance;
}

double tml_sim_tolerance_used(const TmlSim *sim)
{
    return sim->tolerance;
}

const TmlSimOptions *tml_sim_options(const TmlSim *sim)
{
    return &sim->options;
}

double tml_sim_cpu_output(const TmlSim *sim)
{
    return sim->cpu_output;
}

bool tml_sim_option(const TmlSim *sim, int index, const char **key, const char **value)
{
    if (index < 0 || index >= sim->n_options) {
        return false;
    }
    *key = sim->option_key[index];
    *value = sim->option_value[index];
    return true;
}

TmlSimStats tml_sim_stats(const TmlSim *sim)
{
    TmlSimStats st = sim->stats;
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlLuInfo *lu = tml_system_lu_info(sys, TML_FACTORS_STEP);
    st.iterations = sim->it.iterations;
    st.loop_evaluations = sim->it.loop.evaluations;
    st.loop_corrections = sim->it.loop.corrections;
    st.loop_krylov = sim->it.loop.krylov;
    st.loop_preconditioners = sim->it.loop.preconditioners;
    st.loop_partitions = sim->it.loop.partitions;
    const TmlSystemStats done = tml_system_stats(sys);
    st.residuals = done.residuals;
    st.jacobians = done.jacobians;
    st.solves = done.solves;
    st.analyses = done.analyses;
    st.solves_iterated = done.iterated;
    st.products = done.products;
    st.factorizations = done.factors;
    st.refactorizations = done.refactors;
    const TmlTouchingStats touching = tml_system_touching_stats(sys);
    st.contact_lists = touching.lists;
    st.contact_patterns = touching.patterns;
    st.contact_candidates = touching.candidates;
    st.contact_touching = touching.contacts;
    st.contact_onsets = sim->contacts.onsets;
    st.contact_releases = sim->contacts.releases;
    st.seconds_residual = done.seconds_residual;
    st.seconds_jacobian = done.seconds_jacobian;
    st.seconds_factor = done.seconds_factor;
    st.seconds_solve = done.seconds_solve;
    st.seconds_total = sim->stats.seconds_total + sim->stats.seconds_output;
    st.n_bodies = tml_model_body_count(sim->model) - 1;
    st.n_joints = sim->model->constraints.n;
    st.n_forces = sim->model->forces.n;
    st.n_coordinates = dim->nq;
    st.n_constraints = dim->m_all;
    st.n_redundant = dim->m_all - dim->m;
    st.n_unknowns = dim->n;
    st.matrix_entries = tml_system_matrix(sys, TML_MATRIX_STEP)->start[dim->n];
    st.factor_entries = lu->lnz + lu->unz;
    st.degrees_of_freedom = dim->nu - dim->m;
    st.memory = tml_system_reserved(sys) + sim->method_arena.reserved;
    return st;
}

int tml_sim_note_count(const TmlSim *sim)
{
    return sim->notes.n;
}

const char *tml_sim_note(const TmlSim *sim, int index)
{
    return index >= 0 && index < sim->notes.n ? sim->notes.text[index] : NULL;
}

const char *tml_integrator_name(int index)
{
    for (int k = 0; index > 0 && tml_integrator_types[k] != NULL; ++k) {
        if (k == index - 1) {
            return tml_integrator_types[k]->info.name;
        }
    }
    return index == 0 ? tml_auto_info.name : NULL;
}
