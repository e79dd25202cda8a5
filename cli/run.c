/* cli/run.c - trammel run: simulate a model and write results.
 *
 * However a run ends, what was reached is saved, the summary is written, and the exit status and
 * one message say what happened. A command file of Adams runs several simulations one after
 * another, each from where the one before has come to.
 */
#include "run_files.h"
#include "verdict.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_FILES = N_WRITERS + 4, LOGS_MAX = 12 };

// readers of a running file wait half a second, or longer where writing takes a twentieth of the time
static const double flush_seconds = 0.5, flush_share = 20.0, longest_wait = 5.0;

static void on_log(void *user, TmlLogLevel level, const char *text)
{
    Run *run = user;
    if (!run->settings->quiet && run->logs++ < LOGS_MAX) { // large models repeat themselves
        cli_progress_clear(&run->progress);
        fprintf(stderr, "%s: %s\n", level == TML_LOG_WARNING ? "warning" : "note", text);
    }
}

/* After each step: rows that wait for others go out, and Ctrl-C is heard. */
static bool on_progress(void *user, const TmlProgress *now)
{
    Run *run = user;
    cli_progress_update(&run->progress, now);
    const double clock = cli_clock();
    if (clock - run->flushed > fmax(flush_seconds, run->wait)) {
        for (int k = 0; k < N_WRITERS; ++k) {
            if (run->writer[k] != NULL && run->status == TML_OK) {
                run->status = tml_writer_flush(run->writer[k], &run->err);
            }
        }
        run->flushed = cli_clock();
        run->wait = fmin(longest_wait, flush_share * (run->flushed - clock));
    }
    // with checkpoints, a signal is heard between steps, where the state is whole
    return run->status == TML_OK && (run->checkpoint.path != NULL || !cli_cancelled());
}

/* Writes the state when it is time, or when the run is to stop. */
static TmlStatus on_between(void *user, TmlSim *sim, TmlError *err)
{
    Run *run = user;
    CliCheckpoint *c = &run->checkpoint;
    const bool stop = cli_cancelled();
    TmlStatus status = TML_OK;
    if (c->path == NULL || !(stop || cli_checkpoint_due(c))) {
        return TML_OK;
    }
    for (int k = 0; k < N_WRITERS && status == TML_OK;
         ++k) { // rows first: the state is behind them
        status = run->writer[k] != NULL ? tml_writer_flush(run->writer[k], err) : TML_OK;
    }
    c->rows = run->closing.rows;
    c->energy_error = run->closing.energy_error;
    c->kinetic = run->closing.kinetic;
    status = status == TML_OK ? cli_checkpoint_write(c, sim, err) : status;
    if (status == TML_OK && stop) {
        snprintf(err->message, sizeof err->message,
                 "cancelled at t = %.9g s; add --resume to go on", tml_sim_time(sim));
        return err->status = TML_E_CANCELLED;
    }
    return status;
}

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Run *run = user;
    const TmlCertificate c = tml_row_certificate(sim);
    if (tml_row_time(sim) <= run->begun) {
        return TML_OK;
    }
    run->closing.energy_error = fmax(run->closing.energy_error, fabs(c.energy_error));
    run->closing.kinetic = fmax(run->closing.kinetic, c.kinetic);
    run->closing.rows++;
    if (run->settings->drives) {
        cli_drives_row(&run->drives, sim);
    }
    for (int k = 0; k < N_WRITERS; ++k) {
        if (run->writer[k] != NULL) {
            const TmlStatus status = tml_writer_row(run->writer[k], sim, err);
            if (status != TML_OK) {
                return status;
            }
        }
    }
    return TML_OK;
}

/* Free what no simulation goes back to. */
static void free_sim(const Run *run, TmlSim *sim)
{
    for (int k = 0; k < run->n_kept; ++k) {
        if (run->kept[k].sim == sim) {
            return;
        }
    }
    tml_sim_free(sim);
}

static void free_model(const Run *run, TmlModel *model)
{
    for (int k = 0; k < run->n_kept; ++k) {
        if (run->kept[k].model == model) {
            return;
        }
    }
    tml_model_free(model);
}

/* Simulations share models, and those that do nothing share sims: each is freed once. */
static void free_kept(Run *run)
{
    while (run->n_kept > 0) {
        const Kept last = run->kept[--run->n_kept];
        if (last.sim != run->sim) {
            free_sim(run, last.sim);
        }
        if (last.model != run->model) {
            free_model(run, last.model);
        }
    }
    free(run->kept);
    run->kept = NULL;
}

/* A sim of the model, from where the one before has come to. */
static TmlStatus open_sim(Run *run, double start)
{
    const RunSettings *s = run->settings;
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    o.from = run->from;
    o.start_time = start;
    o.strict = s->load.strict;
    o.integrator = s->integrator;
    o.end_time = run->end;
    o.output_step = run->output_step;
    o.tolerance = s->tol > 0.0 ? s->tol : o.tolerance;
    o.step = s->step > 0.0 ? s->step : o.step;
    o.threads = (int)s->threads;
    o.n_options = s->option.n;
    o.option_key = s->option.key;
    o.option_value = s->option.value;
    o.record_solver = cli_run_writes_results(run->settings);
    o.check_error = s->check_error;
    o.drive_channels = s->drives;
    o.hooks =
        (TmlHooks){.user = run, .log = on_log, .progress = on_progress, .between = on_between};
    TmlStatus status = run->replay != NULL ? tml_dump_open_with(run->replay, s->load.library, &o,
                                                                &run->model, &sim, &run->err)
                                           : tml_sim_create(run->model, &o, &sim, &run->err);
    if (status == TML_OK && run->sim != NULL) {
        status = cli_run_join_writers(run, sim);
    }
    if (status == TML_OK) {
        free_sim(run, run->sim);
        run->from = run->sim = sim;
        run->back = false;
    } else {
        tml_sim_free(sim);
    }
    if (run->logs > LOGS_MAX) {
        fprintf(stderr, "... and %d more; 'trammel check' lists them all\n", run->logs - LOGS_MAX);
    }
    return status;
}

/* Run the sim to its end. */
static void run_sim(Run *run)
{
    TmlError err = {0};
    const double clock = cli_clock();
    cli_progress_init(&run->progress, run->settings->quiet);
    const TmlStatus status = tml_sim_run(run->sim, on_row, run, &err);
    cli_progress_clear(&run->progress);
    run->closing.seconds += cli_clock() - clock;
    if (run->status == TML_OK) { // else a writer failed, and the run was cancelled for it
        run->status = status;
        run->err = err;
    }
}

/* --strict: outputs that are not finite are a failure. */
static void check_finite(Run *run)
{
    if (run->settings->load.strict && run->status == TML_OK) {
        run->status = cli_check_finite(run->sim, run->closing.rows, &run->err);
    }
}

/* --check-error: the run is what it is, whatever becomes of the comparison. */
static void check_error(Run *run)
{
    if (run->settings->check_error && !cli_cancelled()) {
        cli_progress_init(&run->progress, run->settings->quiet);
        cli_check_error(run->sim, &run->progress, run->settings->quiet);
    }
}

/* What a failed run is repeated from. */
static void write_dump(Run *run)
{
    const TmlLoadOptions load = cli_load_options(&run->settings->load);
    if (run->sim == NULL || !cli_can_repeat(run->status)) {
        return;
    }
    if (run->settings->dump != NULL) {
        const bool done = cli_write_dump(run->settings->dump, run->sim, &load, run->err.message);
        run->dumped = done ? run->settings->dump : NULL;
    } else if (!run->settings->quiet && run->replay == NULL) {
        fputs("note: --dump FILE.json saves what is needed to repeat this failure\n", stderr);
    }
}

/* The run that was stopped, if there is a checkpoint of it. */
static TmlStatus resume(Run *run)
{
    const TmlHooks hooks = {
        .user = run, .log = on_log, .progress = on_progress, .between = on_between};
    TmlModel *model = NULL;
    CliCheckpoint *c = &run->checkpoint;
    const TmlStatus status = cli_checkpoint_resume(c, &hooks, &model, &run->sim, &run->err);
    if (run->sim == NULL) {
        return status;
    }
    tml_model_free(run->model);
    run->model = model;
    run->from = run->sim;
    run->closing.rows = c->rows;
    run->closing.energy_error = c->energy_error;
    run->closing.kinetic = c->kinetic;
    if (!run->settings->quiet) {
        fprintf(stderr, "note: the run goes on at t = %.9g s\n", tml_sim_time(run->sim));
    }
    return TML_OK;
}

/* That of the end: a run that is resumed then has nothing to do. */
static void last_checkpoint(Run *run)
{
    CliCheckpoint *c = &run->checkpoint;
    if (run->status == TML_OK && c->path != NULL) {
        c->written = -HUGE_VAL;
        run->status = on_between(run, run->sim, &run->err);
    }
}

static void simulate(Run *run)
{
    const RunSettings *s = run->settings;
    run->end = s->end > 0.0 ? s->end : (double)NAN;
    run->output_step = s->output_step > 0.0 ? s->output_step : (double)NAN;
    run->status = cli_checkpoint_begin(&run->checkpoint, s, run->model, &run->err);
    if (run->status == TML_OK && s->resume) {
        run->status = resume(run);
    }
    if (run->status == TML_OK && run->sim == NULL) {
        run->status = open_sim(run, (double)NAN);
    }
    if (run->status == TML_OK) {
        run->status = cli_run_open_writers(run);
    }
    if (run->status == TML_OK) {
        cli_cancel_init();
        run_sim(run);
        last_checkpoint(run);
        check_finite(run);
        check_error(run);
        write_dump(run);
    }
    cli_run_close_writers(run);
}

static int check_outputs(const Run *run)
{
    const RunSettings *s = run->settings;
    const char *const output[] = {s->out, s->csv, s->summary, s->report};
    return cli_outputs_check(run->model, (int)(sizeof output / sizeof output[0]), output);
}

/* --- command files ---------------------------------------------------------------------------- */

/* Equilibrium now, or at the ends of equal steps. */
static TmlStatus run_statics(Run *run, double now, double end, int steps)
{
    TmlStatus status = TML_OK;
    for (int k = steps > 0 ? 1 : 0; k <= steps && status == TML_OK; ++k) {
        const double t = steps > 0 ? now + (end - now) * k / steps : now;
        TmlStaticsInfo info;
        run->end = t + 1.0; // nothing is run
        status = open_sim(run, run->from != NULL ? t : (double)NAN);
        status = status == TML_OK ? cli_run_open_writers(run) : status;
        status = status == TML_OK ? tml_sim_statics(run->sim, NULL, &info, &run->err) : status;
        if (status == TML_OK && !run->settings->quiet && (info.unstable > 0 || info.nearer)) {
            fprintf(stderr, "note: the equilibrium at t = %g s is %s\n", t,
                    info.unstable > 0 ? "unstable"
                                      : "not the one nearest to the start, which is unstable");
        }
        run->begun = -1.0;
        status = status == TML_OK ? on_row(run, run->sim, &run->err) : status;
        run->begun = t;
    }
    return status;
}

/* Eigenvalues now; a changed model goes on from the state of the one before. */
static TmlStatus run_eigenvalues(Run *run, double now, bool changed)
{
    TmlLinear *lin = NULL;
    TmlStatus status = TML_OK;
    run->end = now + 1.0; // nothing is run
    if (run->sim == NULL || changed || run->back) {
        status = open_sim(run, run->from != NULL ? now : (double)NAN);
    }
    status = status == TML_OK ? tml_sim_linearize(run->sim, NULL, &lin, &run->err) : status;
    if (status == TML_OK && !run->settings->quiet) {
        cli_progress_clear(&run->progress);
        cli_print_modes(run->model, lin, NULL);
        putchar('\n');
    }
    tml_linear_free(lin);
    return status;
}

static TmlStatus run_stage(Run *run, const TmlSimulation *s)
{
    const double now = run->from != NULL ? tml_sim_time(run->from) : 0.0;
    if (s->kind == TML_SIMULATION_EIGENVALUES) {
        return run_eigenvalues(run, now, s->changed);
    }
    const double end = !isnan(s->end) ? s->end : now + s->duration;
    const double step = s->steps > 0 ? (end - now) / s->steps : s->output_step;
    if (s->kind == TML_SIMULATION_STATICS) {
        const int steps = isnan(end)     ? 0
                          : s->steps > 0 ? s->steps
                          : isnan(step)  ? 1
                          : end > now    ? (int)fmin(1e6, ceil((end - now) / step * (1.0 - 1e-12)))
                                         : 0;
        return run_statics(run, now, end, steps);
    }
    if (!(end > now)) { // an earlier command has come here
        if (!run->settings->quiet) {
            fprintf(stderr, "note: %s:%d:1: nothing to simulate: %g s is reached already\n",
                    s->file, s->line, end);
        }
        return TML_OK;
    }
    run->end = end;
    run->output_step = isnan(step) ? run->output_step : step;
    run->status = open_sim(run, (double)NAN);
    if (run->status != TML_OK) {
        return run->status;
    }
    const int freedoms = tml_sim_stats(run->sim).degrees_of_freedom;
    if (s->kind == TML_SIMULATION_KINEMATICS && freedoms > 0) {
        snprintf(run->err.message, sizeof run->err.message,
                 "%s:%d:1: SIMULATE/KINEMATICS needs a model without degrees of freedom; %d "
                 "degree%s of freedom %s left",
                 s->file, s->line, freedoms, freedoms > 1 ? "s" : "", freedoms > 1 ? "are" : "is");
        return TML_E_MODEL;
    }
    run->status = cli_run_open_writers(run);
    if (run->status == TML_OK) {
        run_sim(run);
        run->begun = tml_sim_time(run->sim);
    }
    return run->status;
}

static int command_notes(const TmlCommands *commands, const RunSettings *s)
{
    int n = 0;
    for (; tml_commands_note(commands, n) != NULL; ++n) {
        if (s->load.strict || !s->quiet) {
            fprintf(stderr, "%s: %s\n", s->load.strict ? "error" : "note",
                    tml_commands_note(commands, n));
        }
    }
    return s->load.strict && n > 0 ? CLI_WRONG : CLI_GO_ON;
}

/* The model that a simulation is about, which the next sim takes over from the last one. */
static int next_model(Run *run, const TmlCommands *commands, int k, TmlModel **former)
{
    *former = NULL;
    if (!tml_commands_simulation(commands, k).changed) {
        return CLI_GO_ON;
    }
    *former = run->model;
    run->model = NULL;
    run->status = tml_commands_model(commands, k, &run->model, &run->err);
    if (run->status != TML_OK) {
        return CLI_GO_ON;
    }
    const int result = check_outputs(run);
    return result == CLI_GO_ON
               ? cli_notes(run->model, run->settings->load.strict, run->settings->quiet || k > 0)
               : result;
}

/* Which simulation failed. */
static void tell_stage(Run *run, const TmlSimulation *s)
{
    const TmlError err = run->err;
    if (strncmp(err.message, s->file, strlen(s->file)) != 0) {
        snprintf(run->err.message, sizeof run->err.message, "%s:%d:1: %.*s", s->file, s->line,
                 (int)sizeof err.message - 1024, err.message);
    }
}

/* RELOAD: the simulation begins where an earlier one ended, or at the start. */
static void go_back(Run *run, const TmlSimulation *s, int k)
{
    if (s->from != k - 1) {
        run->from = s->from >= 0 ? run->kept[s->from].sim : NULL;
        run->back = true;
        run->begun = -1.0;
    }
}

static int simulate_commands(Run *run, const TmlCommands *commands)
{
    int noted = command_notes(commands, run->settings);
    if (tml_commands_reload(commands)) {
        run->kept = calloc((size_t)tml_commands_count(commands), sizeof *run->kept);
        if (run->kept == NULL) {
            run->status = TML_E_NOMEM;
            return CLI_GO_ON;
        }
    }
    cli_cancel_init();
    run->output_step = (double)NAN;
    run->begun = -1.0;
    for (int k = 0; k < tml_commands_count(commands) && noted == CLI_GO_ON; ++k) {
        const TmlSimulation s = tml_commands_simulation(commands, k);
        TmlModel *former;
        go_back(run, &s, k);
        noted = next_model(run, commands, k, &former);
        if (run->status == TML_OK && noted == CLI_GO_ON) {
            run->status = run_stage(run, &s);
        }
        if (run->sim != NULL && tml_sim_model(run->sim) == former && former != NULL) {
            // no sim was made of the new model: the last one is shown with its own
            tml_model_free(run->model);
            run->model = former;
        } else {
            free_model(run, former);
        }
        if (run->status != TML_OK) {
            tell_stage(run, &s);
        }
        if (run->kept != NULL) {
            run->kept[run->n_kept++] = (Kept){run->sim, run->model};
        }
        if (run->status != TML_OK || (run->sim != NULL && tml_sim_halted(run->sim))) {
            break;
        }
    }
    cli_run_close_writers(run);
    return noted;
}

/* A file that belongs to the run's end failed. */
static void note_failure(Run *run, TmlStatus status, const TmlError *err)
{
    if (status != TML_OK && run->status == TML_OK) {
        run->status = status;
        run->err = *err;
    } else if (status != TML_OK) {
        fprintf(stderr, "error: %s\n", err->message);
    }
}

static void write_summary(Run *run)
{
    TmlError err = {0};
    if (run->settings->summary != NULL) {
        const TmlStatus status = tml_write_summary(run->settings->summary, run->model, run->sim,
                                                   run->status, run->err.message, &err);
        run->summarised = status == TML_OK;
        note_failure(run, status, &err);
    }
}

/* Of whatever was reached. */
static void write_report(Run *run)
{
    char results[4096], page[4096];
    if (run->settings->report == NULL || run->closing.rows == 0) {
        return;
    }
    for (int k = 1; k <= run->parts; ++k) {
        TmlError err = {0};
        cli_run_results_of(run, k, results, sizeof results);
        cli_run_part_name(run->settings->report, k, page, sizeof page);
        const TmlStatus status = tml_report(results, page, NULL, &err);
        run->reported = status == TML_OK && (k == 1 || run->reported);
        note_failure(run, status, &err);
    }
}

/* What user-written routines said. */
static void print_messages(const Run *run)
{
    for (int k = 0; run->model != NULL && tml_model_message(run->model, k) != NULL; ++k) {
        fprintf(stderr, "user routine: %s\n", tml_model_message(run->model, k));
    }
}

/* Files of simulations that bring joints. */
static void print_parts(const Run *run)
{
    const char *const first[] = {run->settings->out, run->reported ? run->settings->report : NULL};
    char path[4096];
    for (int k = 2; k <= run->parts; ++k) {
        for (int i = 0; i < 2; ++i) {
            if (first[i] != NULL) {
                cli_run_part_name(first[i], k, path, sizeof path);
                cli_closing_file(path);
            }
        }
    }
}

static void print_end(Run *run)
{
    const RunSettings *s = run->settings;
    const char *files[N_FILES] = {NULL};
    int n = 0;
    const char *const wanted[] = {s->out, s->csv, run->summarised ? s->summary : NULL,
                                  run->reported ? s->report : NULL, run->dumped};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; ++k) {
        if (wanted[k] != NULL) {
            files[n++] = wanted[k];
        }
    }
    run->closing.files = files;
    run->closing.all = s->stats;
    if (run->sim != NULL && !s->quiet && run->closing.rows > 0) {
        cli_closing_print(&run->closing, run->model, run->sim);
        print_parts(run);
        if (s->drives) {
            cli_drives_print(&run->drives, run->sim);
        }
        if (s->out == NULL && s->csv == NULL && s->report == NULL) {
            puts("  no results kept: add -o OUT.h5, --csv OUT.csv or --report OUT.html");
        }
    }
}

/* Load and run; the exit status, or CLI_GO_ON when the run has its own status. */
static int load_and_run(Run *run, const char *path)
{
    const RunSettings *s = run->settings;
    const TmlLoadOptions o = cli_load_options(&s->load);
    const bool commands = tml_is_commands(path) || s->commands != NULL;
    if (commands) {
        TmlCommands *read = NULL;
        run->status = tml_commands_open(s->commands != NULL ? s->commands : path,
                                        s->commands != NULL ? path : NULL, &o, &read, &run->err);
        const int noted = run->status == TML_OK ? simulate_commands(run, read) : CLI_GO_ON;
        tml_commands_free(read);
        return noted;
    }
    if (tml_is_dump(path)) {
        const CliLoad *load = &s->load;
        if (load->set.n > 0 || load->input.n > 0 || load->solid.n > 0 || load->solids != NULL ||
            load->flex.n > 0) {
            return cli_wrong(
                "--set, --input, --solid, --solids, --flex: a dump contains these settings");
        }
        if (s->dump != NULL) {
            return cli_wrong("--dump: '%s' is one", path);
        }
        run->replay = path;
        simulate(run);
        return CLI_GO_ON;
    }
    run->status = tml_load_with(path, &o, &run->model, &run->err);
    int noted = run->status == TML_OK ? cli_notes(run->model, s->load.strict, s->quiet) : CLI_GO_ON;
    if (noted == CLI_GO_ON && run->status == TML_OK) {
        noted = check_outputs(run);
    }
    if (noted == CLI_GO_ON && run->status == TML_OK) {
        simulate(run);
    }
    return noted;
}

/* Results that were made for the report only go with their descriptors. */
static void free_spare(Run *run)
{
    for (int k = 0; k < run->parts && run->spare != NULL; ++k) {
        close(run->spare[k]);
    }
    free(run->spare);
}

int cli_run_model(const RunSettings *s, const char *path)
{
    Run run = {.settings = s, .begun = -1.0};
    int result = load_and_run(&run, path);
    if (result == CLI_GO_ON) {
        write_summary(&run);
        write_report(&run);
        print_messages(&run);
        print_end(&run);
        result = run.status == TML_OK ? 0 : cli_fail(run.status, &run.err);
    }
    cli_drives_free(&run.drives);
    cli_checkpoint_free(&run.checkpoint);
    free_spare(&run);
    free_kept(&run);
    tml_sim_free(run.sim);
    tml_model_free(run.model);
    return result;
}

static int run_run(const CliCommand *self, int argc, char **argv)
{
    RunSettings settings = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    if (result == CLI_GO_ON) {
        result = cli_run_check(&settings, argv[0]);
    }
    if (result == CLI_GO_ON) {
        result = cli_run_model(&settings, argv[0]);
    }
    cli_pairs_free(&settings.option);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_run = {
    .name = "run",
    .arguments = "MODEL",
    .text = "Simulate a model, or execute the command file (.acf) of an Adams dataset, and write "
            "results.",
    .n_min = 1,
    .n_max = 1,
    .options = cli_run_options,
    .run = run_run,
};
