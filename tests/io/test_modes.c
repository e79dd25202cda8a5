/* tests/io/test_modes.c - modes as HDF5 and in a report: the shapes are those of the library. */
#include "report_util.h"

#include "trammel/analysis.h"

static const char model_text[] =
    "trammel: 1\n"
    "title: modes\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {load: {mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], position: [1, 0, 0]},\n"
    "         bob: {type: point, mass: 1, position: [0, 1, -0.5]}}\n"
    "flexible:\n"
    "  'rod/1': {type: beam3, line: [[0, 0, 0], [1, 0, 0]], elements: 2, end: {clamp: load},\n"
    "            material: {E: 2e9, nu: 0.3, density: 1000, damping: 1e-4},\n"
    "            section: {radius: 0.02}, start: {clamp: ground}}\n"
    "frames: {hook: {position: [0, 1, 0]}}\n"
    "joints: {rope: {type: distance, frames: [hook, bob]}}\n"
    "outputs: {x: DX(load)}\n";

/* Block (mode, 2, n, 3) at a place. */
static double part(const double *x, int columns, int mode, int imag, int n, int item, int k)
{
    (void)columns;
    return x[((mode * 2 + imag) * n + item) * 3 + k];
}

static void check_vec(TestCtx *t, const double *x, int mode, int imag, int n, int item,
                      TmlVec3 want)
{
    const double all[3] = {want.x, want.y, want.z};
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(t, part(x, 0, mode, imag, n, item, k), all[k], 1e-7); // single precision
    }
}

static void check_bodies(TestCtx *t, const Report *r, const TmlLinear *lin)
{
    int rows, columns;
    double *x = block_read(t, r, find(r->header, "modes.translation"), &rows, &columns);
    double *turn = block_read(t, r, find(r->header, "modes.rotation"), &rows, &columns);
    CHECK_INT(t, rows, tml_linear_info(lin).modes);
    CHECK_INT(t, columns, 2 * 2 * 3);
    for (int mode = 0; mode < rows && columns == 12; ++mode) {
        for (int b = 0; b < 2; ++b) {
            const TmlModeBody want = tml_linear_body(lin, mode, b + 1);
            check_vec(t, x, mode, 0, 2, b, want.translation);
            check_vec(t, x, mode, 1, 2, b, want.translation_imag);
            check_vec(t, turn, mode, 0, 2, b, want.rotation);
            check_vec(t, turn, mode, 1, 2, b, want.rotation_imag);
        }
    }
    free(x);
    free(turn);
}

static void check_flexible(TestCtx *t, const Report *r, const TmlModel *model, const TmlLinear *lin)
{
    int rows, columns;
    const TmlFlexibleInfo info = tml_model_flexible(model, 0);
    const int n = info.nodes * info.vectors;
    double *x = block_read(t, r, find(r->header, "modes.flexible.0"), &rows, &columns);
    CHECK_INT(t, columns, 6 * n);
    for (int mode = 0; mode < rows && columns == 6 * n; ++mode) {
        for (int i = 0; i < n; ++i) {
            TmlVec3 re, im;
            tml_linear_vector(lin, mode, 0, i / info.vectors, i % info.vectors, &re, &im);
            check_vec(t, x, mode, 0, n, i, re);
            check_vec(t, x, mode, 1, n, i, im);
        }
    }
    free(x);
}

static void check_report(TestCtx *t, const Report *r, const TmlSim *sim, const TmlLinear *lin)
{
    char path[64];
    const TmlModel *model = tml_sim_model(sim);
    const TmlValue *list = find(r->header, "modes.list");
    CHECK_INT(t, list != NULL ? list->n : -1, tml_linear_info(lin).modes);
    for (int k = 0; list != NULL && k < list->n; ++k) {
        const TmlMode m = tml_linear_mode(lin, k);
        snprintf(path, sizeof path, "%d.frequency", k);
        CHECK_NEAR(t, number_at(list, path), m.frequency, 0.0);
        snprintf(path, sizeof path, "%d.real", k);
        CHECK_NEAR(t, number_at(list, path), m.real, 0.0);
        // shares: the largest first, and the names of their bodies
        snprintf(path, sizeof path, "%d.energy.0.0", k);
        const char *name = text_at(list, path);
        snprintf(path, sizeof path, "%d.energy.0.1", k);
        const double want = strcmp(name, "load") == 0  ? tml_linear_body(lin, k, 1).energy
                            : strcmp(name, "bob") == 0 ? tml_linear_body(lin, k, 2).energy
                                                       : tml_linear_flexible(lin, k, 0);
        CHECK_NEAR(t, number_at(list, path), want, 0.0);
        CHECK(t, want > 0.3);
    }
    // the picture is the equilibrium
    int rows, columns;
    double *at = block_read(t, r, find(r->header, "frames.position"), &rows, &columns);
    const TmlVec3 load = tml_row_body(sim, 1).position;
    CHECK_INT(t, rows, 1);
    CHECK_NEAR(t, at[2], load.z, 1e-6); // rounded to 2^-24 of the size
    CHECK(t, load.z < -1e-3);
    free(at);
    check_bodies(t, r, lin);
    check_flexible(t, r, model, lin);
}

TEST(modes_are_kept_and_shown)
{
    Folder f;
    Report r = {0};
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlLinear *lin = NULL;
    TmlStaticsInfo info;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    folder_open(t, &f);
    CHECK_OK(t, tml_load_text(model_text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
    CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    if (lin != NULL) {
        char results[512];
        snprintf(results, sizeof results, "%s", in_folder(&f, "modes.h5"));
        CHECK_OK(t, tml_write_modes(results, sim, lin, &err), &err);
        CHECK_OK(t, tml_report(results, in_folder(&f, "modes.html"), &f.options, &err), &err);
        if (report_open(t, &r, in_folder(&f, "modes.html"))) {
            check_report(t, &r, sim, lin);
        }
        report_close(&r);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    folder_close(&f);
}

TEST_SUITE(io_modes) = {CASE(modes_are_kept_and_shown), {0}};
