/* tests/modal/test_modal_runs.c - runs of modal bodies: methods agree, invariants hold, symmetries are kept.
 */
#include "modal_util.h"

#include "../analysis/study.h"
#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"
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

/* Orders of convergence by fixed steps: exact derivatives leave no method below its own. */
TEST(methods_keep_their_orders)
{
    static const struct {
        const char *name;
        double order, step;
    } method[] = {{"radau", 5.0, 0.05},
                  {"rosenbrock", 4.0, 0.02},
                  {"hht", 2.0, 0.005},
                  {"generalized-alpha", 2.0, 0.005}};
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    TmlModel *model = model_of(t, swing, path, "");
    Trace want = {0};
    if (model != NULL && run_by(t, model, "radau", 1e-12, &want)) {
        for (size_t k = 0; k < sizeof method / sizeof *method; ++k) {
            double error[4] = {0}, step[4];
            t->name = method[k].name;
            for (int i = 0; i < 4; ++i) {
                Trace got = {0};
                TmlSimOptions o = study_options(1.0, 0.1, NULL);
                o.integrator = method[k].name;
                o.tolerance =
                    method[k].order > 2.5 ? 1e-11 : 1e-9; // iterations leave a small part of it
                o.step = step[i] = ldexp(method[k].step, -i);
                CHECK(t, study_run(t, model, &o, &got));
                error[i] = trace_error(&got, &want, CHANNEL);
                trace_free(&got);
            }
            const double slope = study_slope(3, step + 1, error + 1);
            if (study_verbose()) {
                printf("%-18s %9.2e %9.2e %9.2e %9.2e  %5.2f\n", t->name, error[0], error[1],
                       error[2], error[3], slope);
            }
            CHECK_NEAR(t, slope, method[k].order,
                       0.1); // higher terms of the error; 0.034 was measured
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
/* Losses of modes and of a damper are accounted for: with what is left they are the energy of the start, some 3 J. */
TEST(losses_are_accounted_for)
{
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    TmlModel *model = model_of(t, swing, path, "");
    Trace run = {0};
    if (model != NULL && run_by(t, model, "radau", 1e-9, &run)) {
        CHECK(t, run.stats.max_energy_error <
                     1e-6); // a hundred steps of 1e-9 of the energy, ten times
    }
    trace_free(&run);
    tml_model_free(model);
    remove(path);
}

/* The same of a body on which nothing acts but its own damping, whatever way the method takes its account. */
TEST(losses_of_a_free_body_are_accounted_for)
{
    static const char *const free_body =
        "trammel: 1\nmodal:\n  arm: {part: %s, angular_velocity: [0.1, 0.2, 0.3], damping: 0.05, "
        "amplitudes: [0.02, -0.01]%s}\noutputs: {x: DX(arm.c)}\n";
    static const char *const method[] = {"radau", "dop853", "hht", "bdf-i3", "rosenbrock", "adams"};
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    TmlModel *model = model_of(t, free_body, path, "");
    for (int k = 0; k < 6 && model != NULL; ++k) {
        Trace run = {0};
        t->name = method[k];
        if (run_by(t, model, method[k], 1e-8, &run)) {
            // nearly all of the energy of the modes is lost, 1e-2 J and more; local errors of some hundred steps add up
            CHECK(t, run.stats.max_energy_error < 1e-5);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
    remove(path);
}

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

/* A bar of four beams: %s is its interfaces, modes and frame. */
static const char *const bar =
    "part: bar\nbeams:\n  nodes: {a: [0, 0, 0], b: [1, 0.2, 0]}\n"
    "  sections: {bar: {rectangle: [60 mm, 40 mm], up: z}}\n"
    "  members: [{nodes: [a, b], section: bar, elements: 4}]\n"
    "material: {young: 210 GPa, poisson: 0.3, density: 7850}\ndamping: 0\n%s";

static TmlReducedPart *reduce_bar(TestCtx *t, const char *more)
{
    char path[200], text[2000];
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "/tmp/trammel-bar-%ld.yaml", (long)getpid());
    snprintf(text, sizeof text, bar, more);
    FILE *f = fopen(path, "w");
    CHECK(t, f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    CHECK_OK(t, tml_part_reduce(path, 0, NULL, NULL, &part, &err), &err);
    remove(path);
    return part;
}

/* With all its modes a body that is held in its nodal frame is the finite-element model itself. */
TEST(all_modes_are_the_mesh)
{
    char path[200], text[1000];
    TmlError err = {0};
    TmlModel *model = NULL;
    // 18 inner freedoms; the six of the free end come with its static shapes
    TmlReducedPart *all = reduce_bar(
        t, "interfaces: {a: {set: a, tie: node}, b: {set: b, tie: node}}\nmodes: 18\nframe: a\n");
    TmlReducedPart *held = reduce_bar(t, "interfaces: {a: {set: a, tie: node}}\nmodes: 20\n");
    snprintf(path, sizeof path, "/tmp/trammel-modal-%ld.h5", (long)getpid());
    CHECK_OK(t, all != NULL ? tml_part_write(all, path, &err) : TML_E_IO, &err);
    snprintf(text, sizeof text,
             "trammel: 1\nmodal: {bar: {part: %s, position: [1, 2, 3], rotation: {axis: [1, 2, 3], "
             "angle: 0.7}}}\n"
             "joints: {clamp: {type: fixed, frames: [ground, bar.a]}}\n",
             path);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlLinear *lin = NULL;
    CHECK_OK(t, sim != NULL ? tml_sim_linearize(sim, NULL, &lin, &err) : TML_E_IO, &err);
    if (lin != NULL && held != NULL) {
        CHECK_INT(t, tml_linear_info(lin).degrees_of_freedom, 24);
        for (int k = 0; k < 12; ++k) {
            const double want = tml_part_fixed_mode(held, k).hertz;
            // rounding of two solutions of one eigenproblem, whose values span six decades
            CHECK_NEAR(t, tml_linear_mode(lin, k).frequency / want, 1.0, 1e-8);
        }
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    tml_part_free(all);
    tml_part_free(held);
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

/* Parts are joined as they are where joints allow it; where they do not, the body is told to be deformed, by its own name. */
TEST(assembly_tells_of_deformed_bodies)
{
    static const char *const joints[] = {"a: {type: spherical, frames: [ground, arm.a]}",
                                         "a: {type: fixed, frames: [ground, arm.a]}\n"
                                         "  b: {type: spherical, frames: [ground, arm.b]}"};
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    for (int k = 0; k < 2; ++k) {
        Told told = {0};
        TmlModel *model =
            model_of(t, "trammel: 1\nmodal: {arm: {part: %s}}\njoints:\n  %s\n", path, joints[k]);
        TmlSimOptions o = study_options(1.0, 0.1, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        for (int n = 0; sim != NULL && n < sim->notes.n; ++n) {
            CHECK(t, strstr(sim->notes.text[n], "mode1") == NULL);
            told.warnings +=
                strstr(sim->notes.text[n], "assembly deformed modal body 'arm' by") != NULL;
        }
        CHECK_INT(t, told.warnings, k);
        tml_sim_free(sim);
        tml_model_free(model);
    }
    remove(path);
}

/* What would hold no point of the part, or a point that it does not know, is refused with the way round it. */
TEST(only_frames_of_the_part_are_held)
{
    static const char *const bad[][2] = {
        {"pin: {type: revolute, bodies: [ground, arm], at: [7, 8, 9]}", "has no frame there"},
        {"push: {type: force, body: arm, at: [7, 8, 9], fx: 1}", "is nearest"},
        {"pin: {type: fixed, frames: [ground, arm.c]}", "a frame that is a single node of a solid"},
    };
    RandomPart p;
    char path[200];
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        char text[1000];
        TmlModel *model = NULL;
        TmlError err = {0};
        const bool force = strstr(bad[k][0], "force") != NULL;
        snprintf(text, sizeof text, "trammel: 1\nmodal: {arm: {part: %s}}\n%s:\n  %s\n", path,
                 force ? "forces" : "joints", bad[k][0]);
        CHECK_INT(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err),
                  TML_E_MODEL);
        CHECK_HAS(t, err.message, bad[k][1]);
        tml_model_free(model);
    }
    // the place of a frame serves
    char text[1000];
    TmlModel *model = NULL;
    TmlError err = {0};
    const TmlVec3 at = v3_add(p.part.origin, p.frame[1].x);
    snprintf(text, sizeof text,
             "trammel: 1\nmodal: {arm: {part: %s}}\njoints: {pin: {type: revolute, bodies: "
             "[ground, arm], "
             "at: [%.12g, %.12g, %.12g]}}\n",
             path, at.x, at.y, at.z);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_INT(t, model != NULL ? model->warnings.n : -1, 0);
    tml_model_free(model);
    // the floating frame can be held, but hardly anybody means that
    snprintf(text, sizeof text,
             "trammel: 1\nmodal: {arm: {part: %s}}\njoints: {pin: {type: revolute, frames: "
             "[ground, arm]}}\n",
             path);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_INT(t, model != NULL ? model->warnings.n : -1, 1);
    CHECK_HAS(t, model != NULL ? model->warnings.at[0] : NULL,
              "Name a frame of its part, 'arm.NAME': a, b, c");
    tml_model_free(model);
    remove(path);
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

TEST_SUITE(modal_runs) = {CASE(methods_agree),
                          CASE(methods_keep_their_orders),
                          CASE(energy_is_kept),
                          CASE(losses_are_accounted_for),
                          CASE(losses_of_a_free_body_are_accounted_for),
                          CASE(much_deformation_is_told),
                          CASE(all_modes_are_the_mesh),
                          CASE(a_description_is_a_part),
                          CASE(assembly_tells_of_deformed_bodies),
                          CASE(only_frames_of_the_part_are_held),
                          CASE(auto_takes_radau),
                          {0}};
