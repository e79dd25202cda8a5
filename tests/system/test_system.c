/* tests/system/test_system.c - the Newton matrix of whole models against differences.
 *
 * This covers the maps from frames to bodies, the scatter maps and the pattern, which the tests of
 * single elements do not see.
 */
#include "every_model.h"
#include "step_probe.h"

TEST(matrix_of_every_model_matches_differences)
{
    probe_every_model(t, &step_kind);
}

/* Functions of Adams in forces and constraints, which are put together from ours. */
TEST(matrix_of_a_dataset_matches_differences)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/adams/functions_derivatives.adm", test_source_dir());
    probe_model(t, path, &step_kind);
}

/* Equations without rates, and rates of everything that has one. */
TEST(matrix_of_implicit_equations_matches_differences)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/models/algebraic.yaml", test_source_dir());
    probe_model(t, path, &step_kind);
}

TEST_SUITE(system) = {CASE(matrix_of_every_model_matches_differences),
                      CASE(matrix_of_implicit_equations_matches_differences),
                      CASE(matrix_of_a_dataset_matches_differences),
                      {0}};
