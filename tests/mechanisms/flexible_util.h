/* tests/mechanisms/flexible_util.h - one flexible body: its equilibrium, its modes. */
#pragma once

#include "test.h"

#include "trammel/trammel.h"

typedef struct FlexCase {
    TmlModel *model;
    TmlSim *sim;
    TmlStaticsInfo info;
    TmlStatus status;
} FlexCase;

/* text: a model with parameters; n pairs of name and value replace some of them. */
static inline FlexCase flex_case(TestCtx *t, const char *text, int n, const char *const *names,
                                 const double *values)
{
    FlexCase c = {0};
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    CHECK_OK(t, tml_load_text(text, "flexible.yaml", n, names, values, &c.model, &err), &err);
    if (c.model != NULL) {
        CHECK_OK(t, tml_sim_create(c.model, &o, &c.sim, &err), &err);
    }
    return c;
}

/* To the static equilibrium; false: there is none. */
static inline bool flex_settle(TestCtx *t, FlexCase *c)
{
    TmlError err = {0};
    if (c->sim != NULL) {
        c->status = tml_sim_statics(c->sim, NULL, &c->info, &err);
        CHECK_OK(t, c->status, &err);
    }
    return c->sim != NULL && c->status == TML_OK;
}

/* Position of the last node of the first flexible body. */
static inline TmlVec3 flex_tip(const FlexCase *c)
{
    return tml_row_node(c->sim, 0, tml_model_flexible(c->model, 0).nodes - 1, 0);
}

static inline void flex_close(FlexCase *c)
{
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}
