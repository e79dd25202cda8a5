/* tests/modal/modal_skin.h - nodes, shapes, stresses and triangles for parts of random numbers, and result files of runs. */
#pragma once

#include "modal_util.h"

#include "trammel/trammel.h"

#include <math.h>

typedef struct RandomSkin {
    int64_t id[MODAL_NODES];
    float shape[MODAL_NODES * 3 * MODAL_MOST], stress[MODAL_NODES * 6 * MODAL_MOST];
    double elastic[MODAL_NODES * 2];
    int32_t corner[6];
} RandomSkin;

/* Nodes 101, 102, ... at the point masses. Stress modes are random, of some MPa; materials meet at the third node. */
static inline void random_skin(TestCtx *t, RandomPart *p, RandomSkin *s)
{
    static const int32_t corner[6] = {0, 1, 2, 2, 3, 4};
    for (int k = 0; k < MODAL_NODES; ++k) {
        s->id[k] = 101 + k;
        s->elastic[2 * k] = k == 2 ? (double)NAN : 70e9;
        s->elastic[2 * k + 1] = k == 2 ? (double)NAN : 0.33;
        for (int j = 0; j < p->m; ++j) {
            const TmlVec3 u = p->mode[j][k];
            float *to = s->shape + 3 * (k * p->m + j);
            to[0] = (float)u.x;
            to[1] = (float)u.y;
            to[2] = (float)u.z;
            for (int c = 0; c < 6; ++c) {
                s->stress[6 * (k * p->m + j) + c] = (float)test_random(t, -1e6, 1e6);
            }
        }
    }
    memcpy(s->corner, corner, sizeof corner);
    p->part.n_nodes = MODAL_NODES;
    p->part.id = s->id;
    p->part.x = p->x;
    p->part.shape = s->shape;
    p->part.stress = s->stress;
    p->part.elastic = s->elastic;
    p->part.n_triangles = 2;
    p->part.corner = s->corner;
}

static inline TmlModel *modal_model(TestCtx *t, const char *format, const char *part)
{
    char text[4000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, format, part);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

static inline TmlStatus modal_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

/* A run from 0 to `end` in steps of a tenth, kept in a file; *sim is at its end. False: failed. */
static inline bool modal_run(TestCtx *t, const TmlModel *model, double end, const char *path,
                             TmlSim **sim)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlError err = {0};
    TmlWriter *w = NULL;
    o.end_time = end;
    o.output_step = 0.1;
    *sim = NULL;
    CHECK_OK(t, tml_sim_create(model, &o, sim, &err), &err);
    if (*sim == NULL || tml_writer_open(path, *sim, &w, &err) != TML_OK) {
        return false;
    }
    const TmlStatus ran = tml_sim_run(*sim, modal_row, w, &err);
    CHECK_OK(t, ran, &err);
    const TmlStatus closed = tml_writer_close(w, *sim, &err);
    CHECK_OK(t, closed, &err);
    return ran == TML_OK && closed == TML_OK;
}
