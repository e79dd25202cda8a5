/* tests/modal/test_modal_runs.c - runs of modal bodies: methods agree, invariants hold, symmetries are kept.
 */
#include "modal_util.h"

#include "../analysis/study.h"
#include "analysis/integrator/integrator.h"
#include "trammel/part.h"

/* %s: the part, then what a test adds. */
static const char *const swing =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]%s}\n"
    "bodies:\n  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.4, -0.8, 0.2]}\n"
    "joints:\n"
    "  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "  pin: {type: revolute, frames: [arm.b, bob]}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [arm.c, ground], stiffness: 20, damping: 1, free_length: "
    "0.5}\n"
    "outputs:\n"
    "  x: DX(arm.c)\n  y: DY(arm.b)\n  z: DZ(bob)\n  wx: WX(arm.b)\n";

static const char *const flight =
    "trammel: 1\n"
    "modal:\n  arm: {part: %s, velocity: [0.1, 0.2, 0.3], angular_velocity: [0.5, 1, 2], "
    "damping: 0, amplitudes: [0.05, -0.03]%s}\n"
    "outputs:\n  x: DX(arm.c)\n  wx: WX(arm.b)\n";

static TmlModel *model_of(TestCtx *t, const char *format, const char *part, const char *more)
{
    char text[4000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, format, part, more);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

static bool run_by(TestCtx *t, const TmlModel *model, const char *integrator, double tolerance,
                   Trace *out)
{
    TmlSimOptions o = study_options(1.0, 0.1, NULL);
    o.integrator = integrator;
    o.tolerance = tolerance;
    return study_run(t, model, &o, out);
}

/* Every method comes to what radau finds at 1e-10 as its tolerance falls. */
TEST(methods_agree)
{
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    TmlModel *model = model_of(t, swing, path, "");
    Trace want = {0};
    if (model != NULL && run_by(t, model, "radau", 1e-10, &want)) {
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            Trace got = {0};
            t->name = tml_integrator_types[k]->info.name;
            if (run_by(t, model, t->name, 1e-8, &got)) {
                // a second of motion with thousand steps of second order: local errors of 1e-8 add up
                CHECK_NEAR(t, trace_error(&got, &want, CHANNEL), 0.0, 2e-5);
            }
            trace_free(&got);
        }
        t->name = NULL;
    }
    trace_free(&want);
    tml_model_free(model);
    remove(path);
}

/* Energies of the first and the last row. */
typedef struct Ends {
    double first, last;
    bool begun;
} Ends;

static TmlStatus note_energy(void *user, const TmlSim *sim, TmlError *err)
{
    Ends *e = user;
    const TmlCertificate c = tml_row_certificate(sim);
    (void)err;
    e->last = c.kinetic + c.potential;
    e->first = e->begun ? e->first : e->last;
    e->begun = true;
    return TML_OK;
}

/* A free body without damping keeps energy and momentum, with and without stiffening by spin. */
TEST(energy_is_kept)
{
    static const char *const more[] = {", stiffening: none", ", stiffening: centrifugal",
                                       ", terms: first_order"};
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    for (size_t k = 0; k < sizeof more / sizeof *more; ++k) {
        TmlModel *model = model_of(t, flight, path, more[k]);
        TmlSimOptions o = study_options(2.0, 0.1, NULL);
        TmlError err = {0};
        o.integrator = "radau";
        o.tolerance = 1e-11;
        t->name = more[k];
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            Ends e = {0};
            CHECK_OK(t, tml_sim_run(sim, note_energy, &e, &err), &err);
            // 1e-11 a step of some hundred, relative to the energy
            CHECK_NEAR(t, e.last / e.first, 1.0, 1e-8);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    t->name = NULL;
    remove(path);
}

typedef struct Told {
    int warnings;
    char last[400];
} Told;

static void hear(void *user, TmlLogLevel level, const char *text)
{
    Told *told = user;
    if (level == TML_LOG_WARNING && strstr(text, "is deformed by") != NULL) {
        told->warnings++;
        snprintf(told->last, sizeof told->last, "%s", text);
    }
}

/* A free body whose first mode has the amplitude of 0.15 of its size is told of, once; one that is beyond its size stops. */
TEST(much_deformation_is_told)
{
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    for (int k = 0; k < 2; ++k) {
        Told told = {0};
        TmlError err = {0};
        char format[1000];
        snprintf(format, sizeof format,
                 "trammel: 1\nmodal: {arm: {part: %%s, damping: 0, amplitudes: [%g]%%s}}\n"
                 "outputs: {x: DX(arm.c)}\n",
                 (k == 0 ? 0.15 : 1.5) * p.part.size / p.largest[0]);
        TmlModel *model = model_of(t, format, path, "");
        TmlSimOptions o = study_options(1.0, 0.1, NULL);
        o.hooks.log = hear;
        o.hooks.user = &told;
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            const TmlStatus status = tml_sim_run(sim, NULL, NULL, &err);
            CHECK_INT(t, status, k == 0 ? TML_OK : TML_E_STEP);
            CHECK_INT(t, told.warnings, k == 0 ? 1 : 0);
            CHECK_HAS(t, k == 0 ? told.last : err.message, "modal body 'arm' is deformed by");
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    remove(path);
}

/* A model may name a description in place of the file that is made of it. */
TEST(a_description_is_a_part)
{
    char from[4200], to[200];
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    Trace run[2] = {0};
    snprintf(from, sizeof from, "%s/models/modal/parts/rod.yaml", test_source_dir());
    snprintf(to, sizeof to, "/tmp/trammel-modal-%ld.h5", (long)getpid());
    CHECK_OK(t, tml_part_reduce(from, 0, NULL, NULL, &part, &err), &err);
    CHECK_OK(t, part != NULL ? tml_part_write(part, to, &err) : TML_E_IO, &err);
    for (int k = 0; k < 2; ++k) {
        char text[5000];
        TmlModel *model = NULL;
        snprintf(text, sizeof text,
                 "trammel: 1\ngravity: -y\nmodal: {rod: {part: %s}}\n"
                 "joints: {pin: {type: revolute, frames: [ground, rod.big_end]}}\n"
                 "outputs: {y: DY(rod.small_end)}\n",
                 k == 0 ? from : to);
        CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
        TmlSimOptions o = study_options(0.1, 0.01, NULL);
        o.integrator = "radau";
        CHECK(t, model != NULL && study_run(t, model, &o, &run[k]));
        tml_model_free(model);
    }
    CHECK_NEAR(t, trace_error(&run[0], &run[1], CHANNEL), 0.0, 0.0); // the same numbers
    trace_free(&run[0]);
    trace_free(&run[1]);
    tml_part_free(part);
    remove(to);
}

/* Modes are few and damped: a high order pays, where meshes have hht. */
TEST(auto_takes_radau)
{
    TmlModel *model = study_model(t, "models/modal/slider_crank.yaml");
    TmlSimOptions o = study_options(0.06, 0.01, NULL);
    o.integrator = "auto";
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_STR(t, sim != NULL ? sim->type->info.name : NULL, "radau");
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(modal_runs) = {
    CASE(methods_agree),           CASE(energy_is_kept),   CASE(much_deformation_is_told),
    CASE(a_description_is_a_part), CASE(auto_takes_radau), {0}};
