/* tests/system/test_rank.c - which rows are left out, and what is told of it. */
#include "test.h"

#include "analysis/driver/sim_internal.h"
#include "system/system_internal.h"
#include "trammel/io.h"

/* N parallelograms in a row, with parallel pins in space: three redundant rows each. START is the
 * angle of the posts: at a right angle all links are in line, a singular position. */
static const char windows[] =
    "trammel: 1\n"
    "parameters: {N: 2, START: 0}\n"
    "bodies:\n"
    "  for k in 0..N:\n"
    "    \"post{k}\": {mass: 1, inertia: [0.1, 0.1, 0.1], rotation: {axis: z, angle: -START},\n"
    "               position: [k + 0.5*sin(START), 0.5*cos(START), 0]}\n"
    "  for k in 1..N:\n"
    "    \"beam{k}\": {mass: 1, inertia: [0.1, 0.1, 0.1],\n"
    "               position: [k - 0.5 + sin(START), cos(START), 0]}\n"
    "joints:\n"
    "  for k in 0..N:\n"
    "    \"A{k}\": {type: revolute, bodies: [ground, \"post{k}\"], at: [k, 0, 0], axis: z}\n"
    "  for k in 1..N:\n"
    "    \"B{k}\": {type: revolute, bodies: [\"post{k-1}\", \"beam{k}\"],\n"
    "            at: [k - 1 + sin(START), cos(START), 0], axis: z}\n"
    "    \"C{k}\": {type: revolute, bodies: [\"beam{k}\", \"post{k}\"],\n"
    "            at: [k + sin(START), cos(START), 0], axis: z}\n"
    "simulate: {end: 1}\n";

static TmlSim *windows_sim(TestCtx *t, double n, double start, TmlModel **model)
{
    static const char *const name[] = {"N", "START"};
    const double value[] = {n, start};
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    TmlError err = {0};
    *model = NULL;
    CHECK_OK(t, tml_load_text(windows, "test", 2, name, value, model, &err), &err);
    if (*model != NULL) {
        CHECK_OK(t, tml_sim_create(*model, &o, &sim, &err), &err);
    }
    return sim;
}

/* Below and above 500 rows, where the order of the rank's factorisation changes, the rows that are
 * left out are those of the joints that close the loops. A matrix of such a row of loops needs
 * factors of two or three times its entries in a good order; rows from anywhere made it 23 times.
 */
TEST(rows_that_are_left_out_lie_together)
{
    static const double n[] = {30.0, 36.0};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model;
        TmlSim *sim = windows_sim(t, n[k], 0.0, &model);
        if (sim != NULL) {
            TmlSystem *sys = sim->sys;
            const TmlCoeffs c = {.a = 1.0};
            CHECK_INT(t, sys->dim.m_all - sys->dim.m, (int)(3.0 * n[k]));
            tml_system_residual(sys, &sim->it.now, TML_LEVEL_ACCELERATION, sys->scratch);
            tml_system_jacobian(sys, &sim->it.now, c, 0.0);
            CHECK_INT(t, tml_system_factor(sys, TML_FACTORS_STEP), -1);
            const TmlLuInfo *lu = tml_lu_info(sys->inverse[TML_FACTORS_STEP].lu);
            const int entries = sys->matrix[TML_MATRIX_STEP].K.start[sys->dim.n];
            CHECK(t, lu->lnz + lu->unz < 4 * entries);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* 30 loops with three rows each: a note a loop for the first twenty, and one for the rest. */
TEST(redundant_rows_are_told_by_loops)
{
    TmlModel *model;
    TmlSim *sim = windows_sim(t, 30.0, 0.0, &model);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_note_count(sim), 21);
        CHECK_HAS(t, tml_sim_note(sim, 0), "the loop of 'A0', 'A1', 'B1', 'C1' has 3 redundant");
        CHECK_HAS(t, tml_sim_note(sim, 20), "and 30 more redundant constraint equations");
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* At a singular start the rows that are needed later are kept, and the start is told with the
 * joints; beside it nothing is told. */
TEST(singular_starts_are_told)
{
    static const double quarter = 1.57079632679489661923;
    for (int k = 0; k < 2; ++k) {
        TmlModel *model;
        TmlSim *sim = windows_sim(t, 1.0, k == 0 ? quarter : 0.3, &model);
        if (sim != NULL) {
            CHECK_INT(t, sim->sys->dim.m_all - sim->sys->dim.m, 3);
            CHECK(t, (sim->sys->singular_start != NULL) == (k == 0));
            const char *last = tml_sim_note(sim, tml_sim_note_count(sim) - 1);
            CHECK(t, (strstr(last, "singular position of 'A0', 'A1', 'B1', 'C1'") != NULL) ==
                         (k == 0));
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

TEST_SUITE(rank) = {
    CASE(rows_that_are_left_out_lie_together),
    CASE(redundant_rows_are_told_by_loops),
    CASE(singular_starts_are_told),
    {0},
};
