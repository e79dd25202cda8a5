/* tests/modal/test_modal_results.c - modal bodies in result files, channels, descriptions and outputs. */
#include "modal_skin.h"

#include <math.h>

static const char *const pendulum =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01], "
    "amplitude_rates: [0, 0.3]}\n"
    "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "outputs:\n  eta: output(arm, 2).mode\n  rate: output(arm, 2).rate\n"
    "  both: output(arm, 1).mode + 2 * output(arm, 3).rate\n";

/* All rows of a channel; the caller frees them. */
static double *channel(TestCtx *t, TmlChannels *c, const char *name, int64_t *rows)
{
    const int k = tml_channels_match(c, name, 0);
    TmlError err = {0};
    CHECK(t, k >= 0);
    if (k < 0) {
        return NULL;
    }
    *rows = tml_channels_info(c, k).rows;
    double *x = calloc((size_t)*rows, sizeof *x);
    CHECK_OK(t, tml_channels_read(c, k, NULL, x, &err), &err);
    return x;
}

static void compare_channels(TestCtx *t, TmlChannels *c)
{
    int64_t n[6] = {0};
    double *mode = channel(t, c, "arm.mode2", &n[0]),
           *rate = channel(t, c, "arm.mode2.rate", &n[1]), *eta = channel(t, c, "eta", &n[2]),
           *eta1 = channel(t, c, "rate", &n[3]), *one = channel(t, c, "arm.mode1", &n[4]),
           *three = channel(t, c, "arm.mode3.rate", &n[5]);
    int64_t m = 0;
    double *both = channel(t, c, "both", &m);
    bool same = both != NULL && mode != NULL && rate != NULL && one != NULL && three != NULL;
    for (int64_t k = 0; same && k < n[0]; ++k) {
        CHECK_NEAR(t, eta[k], mode[k], 1e-15);                  // a rounding of numbers below 1
        CHECK_NEAR(t, eta1[k], rate[k], 1e-15);                 // as above
        CHECK_NEAR(t, both[k], one[k] + 2.0 * three[k], 1e-15); // a rounding of numbers below 1
    }
    CHECK_INT(t, n[0], 6);
    if (same) {
        // as the part normalises them; assembly holds coordinates softly and moves them by some 1e-9
        CHECK_NEAR(t, one[0], 0.02, 1e-7);
        CHECK_NEAR(t, mode[0], -0.01, 1e-7);
        CHECK(t, fabs(mode[n[0] - 1] - mode[0]) > 1e-4);
    }
    free(mode), free(rate), free(eta), free(eta1), free(one), free(three), free(both);
}

/* Coordinates of the file are those of calls, outputs and channels. */
TEST(files_hold_coordinates)
{
    RandomPart p;
    RandomSkin skin;
    char part[200], path[] = "/tmp/trammel-modal-results.h5";
    TmlSim *sim = NULL;
    TmlChannels *c = NULL;
    TmlError err = {0};
    random_part(t, 5, &p);
    random_skin(t, &p, &skin);
    save_random_part(t, &p, part, sizeof part);
    TmlModel *model = modal_model(t, pendulum, part);
    if (model != NULL && modal_run(t, model, 0.5, path, &sim)) {
        CHECK_OK(t, tml_channels_open(path, &c, &err), &err);
        int64_t n = 0;
        double *x = c != NULL ? channel(t, c, "arm.mode4", &n) : NULL;
        if (x != NULL) {
            CHECK_NEAR(t, x[n - 1], tml_row_mode(sim, 0, 3), 0.0); // the same number
        }
        free(x);
        if (c != NULL) {
            compare_channels(t, c);
        }
        CHECK(t, isnan(tml_row_mode(sim, 0, 5)) && isnan(tml_row_mode_rate(sim, 1, 0)));
    }
    tml_channels_free(c);
    tml_sim_free(sim);
    tml_model_free(model);
    remove(path);
    remove(part);
}

TEST(models_tell)
{
    RandomPart p;
    char part[200], *text = NULL;
    TmlError err = {0};
    random_part(t, 5, &p);
    save_random_part(t, &p, part, sizeof part);
    TmlModel *model = modal_model(t, pendulum, part);
    if (model != NULL) {
        const TmlModalInfo info = tml_model_modal(model, 0);
        CHECK_INT(t, tml_model_modal_count(model), 1);
        CHECK_INT(t, tml_model_modal_find(model, "arm"), 0);
        CHECK_INT(t, tml_model_modal_find(model, "leg"), -1);
        CHECK_STR(t, tml_model_modal_name(model, 0), "arm");
        CHECK_STR(t, info.part, part);
        CHECK_STR(t, tml_model_body_name(model, info.body), "arm");
        CHECK_INT(t, info.modes, 5);
        CHECK_NEAR(t, info.highest, 5.0, 0.0);                       // hertz[j] = 1 + j
        CHECK_NEAR(t, tml_model_modal_hertz(model, 0, 2), 3.0, 0.0); // as above
        CHECK_INT(t, tml_model_modal(model, 1).modes, 0);
        CHECK_OK(t, tml_describe(model, NULL, &text, &err), &err);
        CHECK_HAS(t, text, "5 modes to 5 Hz, part trammel-modal-");
        CHECK_HAS(t, text, "stiffened by spin");
    }
    tml_text_free(text);
    tml_model_free(model);
    remove(part);
}

/* What cannot be read is refused with the reason. */
TEST(wrong_outputs)
{
    static const char *const cases[][2] = {
        {"outputs:\n  x: output(arm, 6).mode\n", "counted from 1 to 5"},
        {"outputs:\n  x: output(arm, 0).mode\n", "counted from 1 to 5"},
        {"outputs:\n  x: output(arm, 1.5).mode\n", "it has no 1.5"},
        {"outputs:\n  x: output(arm, 1).stress\n", "its first coordinate"},
        {"outputs:\n  x: output(arm).mode\n", "its first coordinate"},
        {"joints:\n  j: {type: expression, expression: \"output(arm, 1).acceleration\"}\n",
         "reads accelerations"},
    };
    RandomPart p;
    char part[200], text[2000];
    random_part(t, 5, &p);
    save_random_part(t, &p, part, sizeof part);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        TmlModel *model = NULL;
        TmlError err = {0};
        snprintf(text, sizeof text, "trammel: 1\nmodal:\n  arm: {part: %s}\n%s", part, cases[k][0]);
        CHECK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err) != TML_OK);
        CHECK_HAS(t, err.message, cases[k][1]);
        tml_model_free(model);
    }
    remove(part);
}

TEST_SUITE(modal_results) = {
    CASE(files_hold_coordinates), CASE(models_tell), CASE(wrong_outputs), {0}};
