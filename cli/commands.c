/* cli/commands.c - the state that a command file (.acf) leads to. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What was made on the way; a simulation without one of its own has that of another. */
typedef struct Way {
    const TmlCommands *commands;
    int n, n_models, n_sims;
    TmlSim **at, **sim; /* at: of each simulation; sim: those that were made */
    TmlModel **model;
    TmlError err;
} Way;

static TmlStatus new_model(Way *w, int k)
{
    TmlModel *model = NULL;
    const TmlStatus status = tml_commands_model(w->commands, k, &model, &w->err);
    if (status == TML_OK) {
        w->model[w->n_models++] = model;
    }
    return status;
}

/* A sim of the present model that goes on from another, NULL: from the start. */
static TmlStatus new_sim(Way *w, const TmlSim *from, double start, double end, TmlSim **out)
{
    TmlSimOptions o = tml_sim_options_default();
    o.from = from;
    o.start_time = from != NULL ? start : (double)NAN;
    o.end_time = end;
    const TmlStatus status = tml_sim_create(w->model[w->n_models - 1], &o, out, &w->err);
    if (status == TML_OK) {
        w->sim[w->n_sims++] = *out;
    }
    return status;
}

/* Simulation k from the end of the one that it names. */
static TmlStatus do_stage(Way *w, int k)
{
    const TmlSimulation s = tml_commands_simulation(w->commands, k);
    TmlSim *from = s.from >= 0 ? w->at[s.from] : NULL;
    const double now = from != NULL ? tml_sim_time(from) : 0.0;
    const double end = !isnan(s.end) ? s.end : now + s.duration;
    w->at[k] = from;
    TmlStatus status = s.changed || k == 0 ? new_model(w, k) : TML_OK;
    if (status != TML_OK) {
        return status;
    }
    if (s.kind == TML_SIMULATION_EIGENVALUES) {
        return from != NULL && !s.changed ? TML_OK : new_sim(w, from, now, now + 1.0, &w->at[k]);
    }
    if (s.kind == TML_SIMULATION_STATICS) {
        TmlStaticsInfo info;
        const double t = isnan(end) ? now : end;
        status = new_sim(w, from, t, t + 1.0, &w->at[k]);
        return status == TML_OK ? tml_sim_statics(w->at[k], NULL, &info, &w->err) : status;
    }
    if (!(end > now)) {
        return from != NULL ? TML_OK : new_sim(w, from, now, now + 1.0, &w->at[k]);
    }
    status = new_sim(w, from, (double)NAN, end, &w->at[k]);
    return status == TML_OK ? tml_sim_run(w->at[k], NULL, NULL, &w->err) : status;
}

/* All up to the first request for eigenvalues; the last sim. */
static TmlStatus go(Way *w, TmlSim **out)
{
    TmlStatus status = TML_OK;
    for (int k = 0; k < w->n && status == TML_OK; ++k) {
        status = do_stage(w, k);
        *out = w->at[k];
        if (tml_commands_simulation(w->commands, k).kind == TML_SIMULATION_EIGENVALUES) {
            break;
        }
    }
    return status;
}

/* Keep the one that was reached, with its model. */
static void way_free(Way *w, const TmlSim *kept)
{
    const TmlModel *model = kept != NULL ? tml_sim_model(kept) : NULL;
    for (int k = 0; k < w->n_sims; ++k) {
        if (w->sim[k] != kept) {
            tml_sim_free(w->sim[k]);
        }
    }
    for (int k = 0; k < w->n_models; ++k) {
        if (w->model[k] != model) {
            tml_model_free(w->model[k]);
        }
    }
    free(w->at);
    free(w->sim);
    free(w->model);
}

int cli_commands_reach(const char *path, const CliLoad *load, TmlModel **model, TmlSim **sim)
{
    TmlCommands *commands = NULL;
    const TmlLoadOptions o = cli_load_options(load);
    Way w = {0};
    *model = NULL;
    *sim = NULL;
    TmlStatus status = tml_commands_open(path, NULL, &o, &commands, &w.err);
    if (status != TML_OK) {
        return cli_fail(status, &w.err);
    }
    w.commands = commands;
    w.n = tml_commands_count(commands);
    const size_t n = (size_t)w.n + 1;
    w.at = calloc(n, sizeof(TmlSim *));
    w.sim = calloc(n, sizeof(TmlSim *));
    w.model = calloc(n, sizeof(TmlModel *));
    status = w.at != NULL && w.sim != NULL && w.model != NULL ? go(&w, sim) : TML_E_NOMEM;
    const int result = status != TML_OK ? cli_fail(status, &w.err)
                       : *sim == NULL   ? cli_wrong("'%s' simulates nothing", path)
                                        : CLI_GO_ON;
    *sim = result == CLI_GO_ON ? *sim : NULL;
    for (int k = 0; k < w.n_models && *sim != NULL; ++k) {
        *model = w.model[k] == tml_sim_model(*sim) ? w.model[k] : *model;
    }
    way_free(&w, *sim);
    tml_commands_free(commands);
    return result;
}
