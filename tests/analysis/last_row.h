/* tests/analysis/last_row.h - runs of which only the end is looked at. */
#pragma once

#include "study.h"

enum { MOST = 8 }; /* channels that are kept */

typedef struct Last {
    double x[MOST], t;
    int64_t steps;
} Last;

static inline TmlStatus last_row(void *user, const TmlSim *sim, TmlError *err)
{
    Last *last = user;
    (void)err;
    for (int k = 0; k < tml_row_channel_count(sim) && k < MOST; ++k) {
        last->x[k] = tml_row_channel(sim, k);
    }
    last->t = tml_row_time(sim);
    return TML_OK;
}

static inline Last run_to(TestCtx *t, const TmlModel *model, const char *method, double tolerance,
                          double end)
{
    Last last = {0};
    TmlError err = {0};
    TmlSimOptions o = study_options(end, end, NULL);
    o.integrator = t->name = method;
    o.tolerance = tolerance;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, last_row, &last, &err), &err);
        last.steps = tml_sim_stats(sim).steps;
    }
    tml_sim_free(sim);
    return last;
}
