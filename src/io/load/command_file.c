/* io/load/command_file.c - command files of Adams: simulations of a dataset that follow each other. */
#include "adams/commands/commands.h"
#include "base/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/load/load.h"

struct TmlCommands {
    TmlArena arena;
    TmlAdmCommands read;
    TmlReport notes;
    const char *dataset; /* path */
    TmlLoadOptions options;
    double time; /* unit of the dataset, s */
    int n_notes;
    const char **note; /* n_notes */
};

bool tml_is_commands(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcasecmp(path + n - 4, ".acf") == 0;
}

/* A name as people write it: in quotes, or with the separators of another system. */
static const char *plain_name(TmlCommands *c, const char *name)
{
    const size_t n = strlen(name);
    const bool quoted = n > 2 && (name[0] == '"' || name[0] == '\'') && name[n - 1] == name[0];
    char *copy = tml_arena_strndup(&c->arena, name + quoted, quoted ? n - 2 : n);
    for (char *at = copy; at != NULL && (at = strchr(at, '\\')) != NULL;) {
        *at = '/';
    }
    return copy;
}

/* The dataset that the file names, next to it; ".adm" may be left out. */
static const char *named_dataset(TmlCommands *c, const char *path)
{
    const char *name = plain_name(c, c->read.model), *slash = strrchr(path, '/');
    if (name == NULL) {
        return NULL;
    }
    const size_t n = strlen(name);
    const int folder = slash != NULL && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    const bool suffix = n > 4 && strcasecmp(name + n - 4, ".adm") == 0;
    return tml_arena_printf(&c->arena, "%.*s%s%s", folder, path, name, suffix ? "" : ".adm");
}

static TmlStatus keep_notes(TmlCommands *c, TmlError *err)
{
    const int n = c->notes.n < c->notes.limit ? c->notes.n : c->notes.limit;
    TML_NEW(&c->arena, c->note, n);
    for (int k = 0; k < n; ++k) {
        const struct TmlReportLine *at = &c->notes.line[k];
        c->note[k] =
            tml_arena_printf(&c->arena, "%s:%d:%d: %s", at->file, at->line, at->column, at->text);
        if (c->note[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        c->n_notes++;
    }
    return TML_OK;
}

static TmlStatus read_commands(TmlCommands *c, const char *path, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    TmlReport report = {.arena = &c->arena};
    const char *file = tml_arena_strdup(&c->arena, path);
    c->notes.arena = &c->arena;
    if (file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_input_read_any(path, &text, &length, err));
    TmlStatus status = tml_adm_commands_read(text, length, file, c->options.user_library, &c->arena,
                                             &report, &c->notes, &c->read, err);
    tml_mem_free(text);
    status = status == TML_OK ? tml_report_status(&report, err) : status;
    return status == TML_OK ? keep_notes(c, err) : status;
}

static TmlStatus read_units(TmlCommands *c, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    TmlArena scratch = {0};
    TML_TRY(tml_input_read_any(c->dataset, &text, &length, err));
    TmlAdamsUnits units = {.time = 1.0};
    const TmlStatus status = tml_adams_units(text, length, &scratch, &units, err);
    c->time = units.time;
    tml_mem_free(text);
    tml_arena_free(&scratch);
    return status;
}

/* What is wrong with a later simulation is told before the first one is run. */
static TmlStatus check_models(const TmlCommands *c, TmlError *err)
{
    for (int k = 0; k < c->read.n_simulations; ++k) {
        TmlModel *m = NULL;
        if (c->read.simulation[k].changed) {
            TML_TRY(tml_commands_model(c, k, &m, err));
            tml_model_free(m);
        }
    }
    return TML_OK;
}

static TmlStatus open_all(TmlCommands *c, const char *path, const char *dataset, TmlError *err)
{
    TML_TRY(read_commands(c, path, err));
    if (dataset == NULL && c->read.model == NULL) {
        return tml_fail(err, TML_E_MODEL,
                        "%s: no dataset is named: write its name in the first line, or run the "
                        "dataset with --commands",
                        path);
    }
    c->dataset = dataset != NULL ? tml_arena_strdup(&c->arena, dataset) : named_dataset(c, path);
    if (c->dataset == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    const TmlStatus status = read_units(c, err);
    if (status != TML_OK) {
        return dataset == NULL ? tml_fail_ctx(err, status, "%s", path) : status;
    }
    return check_models(c, err);
}

TmlStatus tml_commands_open(const char *path, const char *dataset, const TmlLoadOptions *options,
                            TmlCommands **out, TmlError *err)
{
    *out = NULL;
    TmlCommands *c = tml_mem_zalloc(1, sizeof *c);
    if (c == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    c->options = options != NULL ? *options : tml_load_options_default();
    const TmlStatus status = open_all(c, path, dataset, err);
    if (status != TML_OK) {
        tml_commands_free(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

void tml_commands_free(TmlCommands *c)
{
    if (c != NULL) {
        tml_adm_commands_free(&c->read);
        tml_arena_free(&c->arena);
        tml_mem_free(c);
    }
}

int tml_commands_count(const TmlCommands *c)
{
    return c->read.n_simulations;
}

bool tml_commands_reload(const TmlCommands *c)
{
    return c->read.reloads;
}

TmlSimulation tml_commands_simulation(const TmlCommands *c, int index)
{
    if (index < 0 || index >= c->read.n_simulations) {
        return (TmlSimulation){.end = (double)NAN, .duration = (double)NAN};
    }
    const TmlAdmSimulation *s = &c->read.simulation[index];
    return (TmlSimulation){.kind = s->kind == TML_ADM_STATICS       ? TML_SIMULATION_STATICS
                                   : s->kind == TML_ADM_KINEMATICS  ? TML_SIMULATION_KINEMATICS
                                   : s->kind == TML_ADM_EIGENVALUES ? TML_SIMULATION_EIGENVALUES
                                                                    : TML_SIMULATION_DYNAMICS,
                           .end = s->end * c->time,
                           .duration = s->duration * c->time,
                           .output_step = s->output_step * c->time,
                           .steps = s->steps,
                           .changed = s->changed,
                           .from = s->from,
                           .file = s->file,
                           .line = s->line};
}

TmlStatus tml_commands_model(const TmlCommands *c, int index, TmlModel **out, TmlError *err)
{
    *out = NULL;
    if (index < 0 || index >= c->read.n_simulations) {
        return tml_fail(err, TML_E_ARGUMENT, "there is no simulation %d", index);
    }
    TmlAdamsOptions adams = tml_adams_options(&c->options);
    const TmlAdmSimulation *s = &c->read.simulation[index];
    adams.commands = c->read.command + s->first;
    adams.n_commands = s->before - s->first;
    const TmlAdmSimulate kind = tml_adm_simulation_kind(&c->read, index);
    adams.mode = kind == TML_ADM_STATICS ? 5 : kind == TML_ADM_KINEMATICS ? 1 : 4;
    return tml_load_dataset(c->dataset, &c->options, &adams, out, err);
}

const char *tml_commands_note(const TmlCommands *c, int index)
{
    return index >= 0 && index < c->n_notes ? c->note[index] : NULL;
}
