/* tests/robust/test_options.c - wrong options are refused with their name, value and range. */
#include "robust_util.h"

static const char rod[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}\n";

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "rod", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* Creation must fail with this message, and also without an error to write to. */
static void refuse(TestCtx *t, const TmlModel *m, const TmlSimOptions *o, const char *message)
{
    TmlError err = {0};
    TmlSim *sim = (TmlSim *)&err; // must be cleared
    t->name = message;
    CHECK_INT(t, tml_sim_create(m, o, &sim, &err), TML_E_ARGUMENT);
    CHECK(t, sim == NULL);
    CHECK_INT(t, err.status, TML_E_ARGUMENT);
    CHECK_STR(t, err.message, message);
    CHECK_INT(t, tml_sim_create(m, o, &sim, NULL), TML_E_ARGUMENT);
}

TEST(numbers_out_of_range)
{
    static const struct {
        size_t offset;
        double value;
        const char *message;
    } wrong[] = {
#define FIELD(name) offsetof(TmlSimOptions, name)
        {FIELD(end_time), 0, "end time is 0 s; it must be positive and finite"},
        {FIELD(end_time), -1, "end time is -1 s; it must be positive and finite"},
        {FIELD(end_time), HUGE_VAL, "end time is inf s; it must be positive and finite"},
        {FIELD(output_step), 0, "output step is 0 s; it must be positive and finite"},
        {FIELD(output_step), -0.1, "output step is -0.1 s; it must be positive and finite"},
        {FIELD(output_step), 1e-12, "output step 1e-12 s gives more than 1e9 rows up to 1 s"},
        {FIELD(tolerance), 0, "tolerance is 0; it must be positive and finite"},
        {FIELD(tolerance), -1e-6, "tolerance is -1e-06; it must be positive and finite"},
        {FIELD(tolerance), HUGE_VAL, "tolerance is inf; it must be positive and finite"},
        {FIELD(step), -1e-3, "step is -0.001 s; it must be positive and finite"},
        {FIELD(step), HUGE_VAL, "step is inf s; it must be positive and finite"},
        {FIELD(first_step), -1, "first step is -1 s; it must be positive and finite"},
        {FIELD(min_step), -1, "smallest step is -1 s; it must be positive and finite"},
        {FIELD(min_step), 2, "smallest step 2 s is longer than the largest, 1 s"},
        {FIELD(max_step), -1, "largest step is -1 s; it must be positive and finite"},
        {FIELD(max_step), HUGE_VAL, "largest step is inf s; it must be positive and finite"},
        {FIELD(length_scale), -2, "length scale is -2 m; it must be positive and finite"},
#undef FIELD
    };
    TmlModel *m = load(t, rod);
    for (size_t k = 0; m != NULL && k < sizeof wrong / sizeof *wrong; ++k) {
        TmlSimOptions o = tml_sim_options_default();
        o.end_time = 1.0;
        memcpy((char *)&o + wrong[k].offset, &wrong[k].value, sizeof wrong[k].value);
        refuse(t, m, &o, wrong[k].message);
    }
    tml_model_free(m);
}

TEST(nan_is_no_number)
{
    // NAN means "not given" for these three; for the others it is a mistake of the caller
    TmlModel *m = load(t, rod);
    TmlSimOptions o = tml_sim_options_default();
    refuse(t, m, NULL, "no end time: write simulate: {end: ...} in the model, or give --end");
    refuse(t, m, &o, "no end time: write simulate: {end: ...} in the model, or give --end");
    double *const fields[] = {&o.step, &o.first_step, &o.min_step, &o.max_step, &o.length_scale};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; ++k) {
        TmlError err = {0};
        TmlSim *sim = NULL;
        o.end_time = 1.0;
        *fields[k] = (double)NAN;
        CHECK_INT(t, tml_sim_create(m, &o, &sim, &err), TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, "nan");
        *fields[k] = 0.0;
    }
    tml_model_free(m);
}

TEST(integrator_and_its_options)
{
    static const struct {
        const char *key, *value, *message;
    } wrong[] = {
        {"alpa", "-0.1", "integrator 'hht' has no option 'alpa'; did you mean 'alpha'?"},
        {"xyzzy", "1", "integrator 'hht' has no option 'xyzzy'"},
        {"alpha", "much",
         "option 'alpha' is 'much'; expected a number: numerical damping, from -1/3 (most) to 0 "
         "(none)"},
        {"alpha", "0.5", "option 'alpha' is 0.5; it must be from -1/3 to 0"},
        {"rho", "0.2", "option 'rho' is 0.2; it must be 0 or from 0.5 to 1"},
        {"degree", "4", "option 'degree' is 4; it must be from 0 to 3"},
        {"newton", "0",
         "option 'newton' is '0'; expected a positive number: share of the tolerance that the "
         "Newton iteration may leave"},
        {"newton", "inf",
         "option 'newton' is 'inf'; expected a positive number: share of the tolerance that the "
         "Newton iteration may leave"},
        {"iterations", "2.5", "option 'iterations' is '2.5'; expected a whole number"},
        {"error", "small", "option 'error' is 'small'; expected one of sharp|paper"},
        {"filter", "yes", "option 'filter' is 'yes'; expected true or false"},
    };
    TmlModel *m = load(t, rod);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    o.integrator = "hth";
    refuse(t, m, &o, "there is no integrator 'hth'; did you mean 'hht'?");
    o.integrator = "hht";
    for (size_t k = 0; m != NULL && k < sizeof wrong / sizeof *wrong; ++k) {
        o.n_options = 1;
        o.option_key = &wrong[k].key;
        o.option_value = &wrong[k].value;
        refuse(t, m, &o, wrong[k].message);
    }
    o.n_options = 2;
    o.option_key = NULL;
    refuse(t, m, &o, "2 integrator options, but no keys and values");
    o.n_options = -1;
    refuse(t, m, &o, "-1 integrator options, but no keys and values");
    tml_model_free(m);
}

TEST(other_misuse)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    refuse(t, m, &o, "the model is not finished: call tml_model_finish");
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    o.size = 8;
    refuse(t, m, &o, "options of another version: start from tml_sim_options_default");
    CHECK_INT(t, tml_model_add(m, rod, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "the model is finished");
    tml_model_free(m);
    tml_model_free(NULL);
    tml_sim_free(NULL);
    tml_text_free(NULL);
}

TEST(nobody_listens_to_errors)
{
    TmlModel *m = (TmlModel *)&m; // must be cleared
    TmlSim *sim = NULL;
    CHECK_INT(t, tml_load("no/such/file.yaml", 0, NULL, NULL, &m, NULL), TML_E_IO);
    CHECK(t, m == NULL);
    CHECK_INT(t, tml_load_text("trammel: 2\nbodies: 3\n", "x", 0, NULL, NULL, &m, NULL),
              TML_E_MODEL);
    CHECK(t, m == NULL);
    CHECK_INT(t, tml_load_text(rod, "rod", 0, NULL, NULL, &m, NULL), TML_OK);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 0.01;
    CHECK_INT(t, tml_sim_create(m, &o, &sim, NULL), TML_OK);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_run(sim, NULL, NULL, NULL), TML_OK);
        CHECK_INT(t, tml_sim_step(sim, NULL), TML_E_ARGUMENT); // at its end
        CHECK_INT(t, tml_sim_run(sim, NULL, NULL, NULL), TML_OK);
        CHECK(t, isnan(tml_row_channel(sim, -1)) && isnan(tml_row_channel(sim, 99)));
        CHECK(t, tml_row_channel_name(sim, 99) == NULL && tml_sim_note(sim, -1) == NULL);
        CHECK(t, tml_model_body_name(m, 99) == NULL && tml_model_joint_name(m, -1) == NULL);
        CHECK_INT(t, tml_sim_channel_find(sim, "nothing"), -1);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(robust_options) = {CASE(numbers_out_of_range),       CASE(nan_is_no_number),
                              CASE(integrator_and_its_options), CASE(other_misuse),
                              CASE(nobody_listens_to_errors),   {0}};
