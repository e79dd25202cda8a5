/* cli/checkpoint.c - runs that are written down now and then, and go on from there.
 *
 * The note of a checkpoint has the rows that were out, and what the run is: files that the model was read from with their
 * sums, and options. A command that resumes must say the same, or the rows in its files would be those of two runs.
 */
#include "checkpoint.h"

#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double every_default = 60.0; // s

static TmlStatus fail(TmlError *err, TmlStatus status, const char *text)
{
    err->status = status;
    snprintf(err->message, sizeof err->message, "%s", text);
    return status;
}

/* FNV-1a of a file; 0: it cannot be read. */
static uint64_t sum_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint64_t sum = 14695981039346656037u;
    int c;
    if (file == NULL) {
        return 0;
    }
    while ((c = fgetc(file)) != EOF) {
        sum = (sum ^ (uint64_t)c) * 1099511628211u;
    }
    fclose(file);
    return sum;
}

static void put_pairs(FILE *out, const char *what, const CliPairs *pairs)
{
    for (int k = 0; k < pairs->n; ++k) {
        fprintf(out, "%s %s=%s\n", what, pairs->key[k], pairs->value[k]);
    }
}

static void put_identity(FILE *out, const RunSettings *s, const TmlModel *model)
{
    for (int k = 0; tml_model_input(model, k) != NULL; ++k) {
        fprintf(out, "the file '%s' with the sum %016" PRIx64 "\n", tml_model_input(model, k),
                sum_of(tml_model_input(model, k)));
    }
    fprintf(out, "--integrator %s\n", s->integrator != NULL ? s->integrator : "(of the model)");
    fprintf(out, "--tol %.17g\n--end %.17g\n", s->tol, s->end);
    fprintf(out, "--output-step %.17g\n--step %.17g\n", s->output_step, s->step);
    fprintf(out, "--output %s\n--csv %s\n", s->out != NULL ? "OUT.h5" : "(none)",
            s->csv != NULL ? "OUT.csv" : "(none)");
    put_pairs(out, "--option", &s->option);
    put_pairs(out, "--set", &s->load.set);
    put_pairs(out, "--input", &s->load.input);
    put_pairs(out, "--solid", &s->load.solid);
    put_pairs(out, "--flex", &s->load.flex);
}

TmlStatus cli_checkpoint_begin(CliCheckpoint *c, const RunSettings *s, const TmlModel *model,
                               TmlError *err)
{
    size_t n = 0;
    *c = (CliCheckpoint){.path = s->checkpoint, .every = s->every > 0.0 ? s->every : every_default};
    if (c->path == NULL) {
        return TML_OK;
    }
    FILE *out = open_memstream(&c->identity, &n);
    if (out != NULL) {
        put_identity(out, s, model);
    }
    if (out == NULL || fclose(out) != 0) {
        return fail(err, TML_E_NOMEM, "out of memory for a checkpoint");
    }
    c->written = cli_clock();
    return TML_OK;
}

void cli_checkpoint_free(CliCheckpoint *c)
{
    free(c->identity);
    c->identity = NULL;
}

bool cli_checkpoint_due(const CliCheckpoint *c)
{
    return c->path != NULL && cli_clock() - c->written >= c->every;
}

TmlStatus cli_checkpoint_write(CliCheckpoint *c, const TmlSim *sim, TmlError *err)
{
    char *note = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&note, &n);
    if (out != NULL) {
        fprintf(out, "%" PRId64 " %a %a\n%s", c->rows, c->energy_error, c->kinetic, c->identity);
    }
    if (out == NULL || fclose(out) != 0) {
        free(note);
        return fail(err, TML_E_NOMEM, "out of memory for a checkpoint");
    }
    const TmlStatus status = tml_checkpoint_write(c->path, sim, note, err);
    free(note);
    c->written = cli_clock();
    return status;
}

/* The first line in which two texts differ is named. */
static TmlStatus compare(const CliCheckpoint *c, const char *had, TmlError *err)
{
    const char *has = c->identity;
    while (*had != '\0' || *has != '\0') {
        const size_t n = strcspn(had, "\n"), m = strcspn(has, "\n");
        if (n != m || strncmp(had, has, n) != 0) {
            snprintf(err->message, sizeof err->message,
                     "'%s' is the checkpoint of another run: it has %.*s, this command has %.*s; "
                     "give the same command, "
                     "or remove the file to start anew",
                     c->path, n > 0 ? (int)n : 7, n > 0 ? had : "no more", m > 0 ? (int)m : 7,
                     m > 0 ? has : "no more");
            return err->status = TML_E_ARGUMENT;
        }
        had += n + (had[n] == '\n');
        has += m + (has[m] == '\n');
    }
    return TML_OK;
}

TmlStatus cli_checkpoint_resume(CliCheckpoint *c, const TmlHooks *hooks, TmlModel **model,
                                TmlSim **sim, TmlError *err)
{
    char *note = NULL;
    int used = 0;
    *sim = NULL;
    if (access(c->path, F_OK) != 0) {
        return errno == ENOENT ? TML_OK : fail(err, TML_E_IO, strerror(errno));
    }
    TmlStatus status = tml_checkpoint_open(c->path, hooks, model, sim, &note, err);
    if (status == TML_OK && sscanf(note, "%" SCNd64 " %la %la\n%n", &c->rows, &c->energy_error,
                                   &c->kinetic, &used) < 3) {
        status = fail(err, TML_E_MODEL, "the checkpoint was not written by this command");
    }
    status = status == TML_OK ? compare(c, note + used, err) : status;
    if (status != TML_OK) {
        tml_sim_free(*sim);
        tml_model_free(*model);
        *sim = NULL;
        *model = NULL;
    }
    tml_text_free(note);
    return status;
}
