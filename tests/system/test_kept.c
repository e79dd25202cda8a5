/* tests/system/test_kept.c - accelerations by factors of an earlier state. */
#include "analysis/study.h"

#include "system/coordinates/partition.h"
#include "system/system_internal.h"

/* Largest difference of what was solved for, relative to the largest of its kind. */
static double difference(const TmlSystem *sys, const TmlState *a, const TmlState *b)
{
    const double *x[2][2] = {{a->a, b->a}, {a->lambda, b->lambda}};
    const int n[2] = {sys->dim.nq, sys->dim.m_all};
    double worst = 0.0;
    for (int i = 0; i < 2; ++i) {
        double size = 1e-300, off = 0.0;
        for (int k = 0; k < n[i]; ++k) {
            size = fmax(size, fabs(x[i][1][k]));
            off = fmax(off, fabs(x[i][0][k] - x[i][1][k]));
        }
        worst = fmax(worst, off / size);
    }
    return worst;
}

/* States ever farther from the first, closed on the constraints: kept factors give what new ones
 * give, and are not renewed for small moves. */
static void check_model(TestCtx *t, const char *path)
{
    TmlModel *model = study_model(t, path);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->it.now, *fresh = &sim->it.next;
    TmlPartition *p;
    TmlKept kept = {0};
    TmlError err = {0};
    double *du = calloc((size_t)sys->dim.nu, sizeof *du),
           *dq = calloc((size_t)sys->dim.nq, sizeof *dq);
    int renewals = 0;
    t->name = path;
    CHECK_OK(t, tml_partition_create(sys, &p, &err), &err);
    CHECK_OK(t, tml_partition_choose(p, s, &err), &err);
    CHECK_OK(t, tml_system_accelerations_kept(sys, s, &kept, &err), &err);
    CHECK(t, kept.ready && kept.renewed);
    for (int k = 0; k < 40; ++k) {
        const double size = k < 30 ? 1e-4 : 0.03;
        for (int i = 0; i < sys->dim.nu; ++i) {
            du[i] = test_random(t, -size, size);
        }
        tml_partition_tangent(p, du);
        tml_system_expand(sys, s->q, du, dq);
        for (int i = 0; i < sys->dim.nq; ++i) {
            s->q[i] += dq[i];
            s->v[i] += 10.0 * dq[i];
        }
        tml_system_retract(sys, s->q);
        CHECK(t, tml_partition_close_positions(p, s) && tml_partition_close_velocities(p, s));
        tml_state_copy(sys, s, fresh);
        fresh->t = s->t;
        kept.loose = k % 2 != 0;
        CHECK_OK(t, tml_system_accelerations_kept(sys, s, &kept, &err), &err);
        const bool renewed = kept.renewed;
        if (k < 30) {
            renewals += renewed;
        }
        // of another system, so that its factors are not ours
        TmlSim *other = study_sim(t, model, &o);
        tml_state_copy(sys, fresh, &other->it.now);
        other->it.now.t = s->t;
        memcpy(other->sys->memory, sys->memory, (size_t)sys->n_memory * sizeof(double));
        CHECK_OK(t, tml_system_accelerations(other->sys, &other->it.now, &err), &err);
        // rounding times the condition of the matrix; loose: 1e-10 by an estimate, of sizes not
        // below the weight
        CHECK(t, difference(sys, s, &other->it.now) <= (kept.loose && !renewed ? 1e-7 : 1e-13));
        tml_sim_free(other);
    }
    CHECK(t, renewals <= 10); // moves of 1e-4, refinement contracts by a few times that
    tml_partition_free(p);
    free(du);
    free(dq);
    tml_sim_free(sim);
    tml_model_free(model);
    t->name = NULL;
}

TEST(same_as_new_factors)
{
    check_model(t, "models/closed_forms/chain_spherical.yaml");
    check_model(t, "models/stiff_chain.yaml");
    check_model(t, "models/cases/andrews.yaml");
    check_model(t, "models/cases/iftomm_a04_bricard.yaml");
}

TEST_SUITE(kept) = {CASE(same_as_new_factors), {0}};
