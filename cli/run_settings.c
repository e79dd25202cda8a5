/* cli/run_settings.c - options of `trammel run`, and what is wrong with them before anything is
 * run.
 */
#include "run_settings.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(RunSettings, field)
const CliOption cli_run_options[] = {
    {"integrator", 'i', CLI_TEXT, "NAME",
     "method, auto by default; 'trammel integrators' lists them", AT(integrator)},
    {"tol", 't', CLI_POSITIVE, "EPS", "local error allowed per step, relative", AT(tol)},
    {"end", 'e', CLI_POSITIVE, "T", "end of the simulated time, s", AT(end)},
    {"output-step", 0, CLI_POSITIVE, "DT", "time between output rows, s", AT(output_step)},
    {"step", 0, CLI_POSITIVE, "H", "fixed step without error control, s", AT(step)},
    {"option", 0, CLI_PAIR, "KEY=VALUE", "option of the integrator; may be repeated", AT(option)},
    CLI_LOAD_OPTIONS(AT(load)),
    {"commands", 0, CLI_TEXT, "FILE.acf", "execute this command file with an Adams dataset",
     AT(commands)},
    {"output", 'o', CLI_TEXT, "OUT.h5", "write all results as HDF5", AT(out)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write the channels as comma-separated values", AT(csv)},
    {"summary", 0, CLI_TEXT, "OUT.json", "write statistics as JSON, also of a failed run",
     AT(summary)},
    {"report", 0, CLI_TEXT, "OUT.html", "write a report as an HTML page, also of a failed run",
     AT(report)},
    {"dump", 0, CLI_TEXT, "FILE.json",
     "if the run fails, write a file from which 'trammel run FILE.json' repeats the failure",
     AT(dump)},
    {"checkpoint", 0, CLI_TEXT, "FILE", "write the state of the run now and then, and at its end",
     AT(checkpoint)},
    {"checkpoint-every", 0, CLI_POSITIVE, "SECONDS",
     "time between two checkpoints, 60 s by default", AT(every)},
    {"resume", 0, CLI_FLAG, NULL,
     "go on from the checkpoint, if there is one, as if the run had never stopped", AT(resume)},
    {"check-error", 0, CLI_FLAG, NULL,
     "run once more with a method of higher order, and report the error of the results",
     AT(check_error)},
    {"threads", 0, CLI_POSITIVE, "N",
     "threads for models of 128 flexible elements and more; results do not depend on it",
     AT(threads)},
    {"force", 0, CLI_FLAG, NULL, "rename results that another process is writing", AT(force)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(quiet)},
    {"stats", 0, CLI_FLAG, NULL, "print sizes and memory too", AT(stats)},
    {0},
};
#undef AT

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcasecmp(path + n - k, suffix) == 0;
}

/* The number of threads is a whole one that fits an int; what is too many the library says. */
static bool is_count(double x)
{
    return x <= 1e6 && x == floor(x);
}

static int check_checkpoint(const RunSettings *s, const char *model)
{
    const char *const others[] = {s->out, s->csv, s->summary, s->report, s->dump};
    if (s->checkpoint == NULL) {
        return s->resume || s->every > 0.0
                   ? cli_wrong("%s needs --checkpoint FILE",
                               s->resume ? "--resume" : "--checkpoint-every")
                   : CLI_GO_ON;
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
        if (others[k] != NULL && strcmp(others[k], s->checkpoint) == 0) {
            return cli_wrong("--checkpoint: '%s' is written by another option", s->checkpoint);
        }
    }
    if (s->commands != NULL || tml_is_commands(model) || tml_is_dump(model)) {
        return cli_wrong(
            "--checkpoint is for the run of a model, not for a command file or a dump");
    }
    if (s->report != NULL && s->out == NULL) {
        return cli_wrong(
            "--checkpoint with --report: add -o OUT.h5, so that the rows outlast a stop");
    }
    TmlError err = {0};
    const TmlStatus status = tml_file_check(s->checkpoint, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

int cli_run_check(const RunSettings *s, const char *model)
{
    if (!is_count(s->threads)) {
        return cli_wrong("option '--threads' needs a whole number, not %g", s->threads);
    }
    const char *const path[] = {s->out, s->csv, s->summary, s->report, s->dump, s->checkpoint};
    for (size_t k = 0; k < sizeof path / sizeof path[0]; ++k) {
        if (cli_same_file(path[k], model) || cli_same_file(path[k], s->commands)) {
            return cli_wrong("'%s' is the model and would be overwritten", path[k]);
        }
    }
    if ((s->commands != NULL || tml_is_commands(model)) && (s->end > 0.0 || s->output_step > 0.0)) {
        return cli_wrong("--end and --output-step: the command file says when");
    }
    if ((s->commands != NULL || tml_is_commands(model)) && (s->check_error || s->dump != NULL)) {
        return cli_wrong("%s is of one run, not of a command file",
                         s->check_error ? "--check-error" : "--dump");
    }
    const int wrong = check_checkpoint(s, model);
    if (wrong != CLI_GO_ON) {
        return wrong;
    }
    if (s->csv != NULL && !ends_in(s->csv, ".csv")) {
        return cli_wrong("--csv: the name of the file must end in .csv, not '%s'", s->csv);
    }
    if (s->out != NULL && !ends_in(s->out, ".h5") && !ends_in(s->out, ".hdf5")) {
        return cli_wrong("--output: the name of the file must end in .h5 or .hdf5, not '%s'%s",
                         s->out, ends_in(s->out, ".csv") ? "; --csv writes channels" : "");
    }
    if (s->summary != NULL) {
        TmlError err = {0};
        const TmlStatus status = tml_file_check(s->summary, &err);
        if (status != TML_OK) {
            return cli_fail(status, &err);
        }
    }
    return s->report != NULL ? cli_html_check(s->report, model) : CLI_GO_ON;
}
