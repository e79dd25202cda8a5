/* tests/modal/test_modal_meetings.c - modal bodies with what else there is: dumps, rows between steps, converted files, statics,
 * eigenvalues, events, delays; and the same motion of a model that is turned, shifted or normalised otherwise.
 */
#include "modal_skin.h"

#include "../analysis/study.h"
#include "analysis/integrator/integrator.h"

#include <math.h>

enum { MODES = 4 };

static const char *const hanging =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]}\n"
    "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [arm.c, ground], stiffness: 20, damping: 1, free_length: "
    "0.5}\n"
    "outputs:\n  x: DX(arm.c)\n  wx: WX(arm.b)\n  e1: output(arm, 1).mode\n  e3: output(arm, "
    "3).mode\n";

typedef struct Bench {
    RandomPart p;
    char part[200];
    TmlModel *model;
} Bench;

static bool bench_open(TestCtx *t, const char *format, int m, Bench *b)
{
    random_part(t, m, &b->p);
    save_random_part(t, &b->p, b->part, sizeof b->part);
    b->model = modal_model(t, format, b->part);
    return b->model != NULL;
}

static void bench_close(Bench *b)
{
    tml_model_free(b->model);
    remove(b->part);
}

static TmlSimOptions tight(double end, double output_step)
{
    TmlSimOptions o = study_options(end, output_step, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-9;
    return o;
}

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    double *x = user;
    (void)err;
    for (int k = 0; k < MODES; ++k) {
        x[k] = tml_row_channel(sim, k);
    }
    return TML_OK;
}

/* --- what a run is made of ------------------------------------------------------------------------ */

static void go_on(TestCtx *t, const TmlModel *model, const char *method)
{
    double whole[MODES] = {0}, parts[MODES] = {0};
    char path[] = "/tmp/trammel-modal-meetings.dump";
    TmlError err = {0};
    TmlModel *again = NULL;
    TmlSim *second = NULL;
    TmlSimOptions o = tight(1.0, 1.0);
    o.integrator = method;
    o.tolerance = 1e-7;
    TmlSim *sim = study_sim(t, model, &o), *first = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, keep_row, whole, &err), &err);
    while (err.status == TML_OK && tml_sim_time(first) < 0.5) {
        CHECK_OK(t, tml_sim_step(first, &err), &err);
    }
    CHECK_OK(t, tml_dump_write(path, first, NULL, NULL, &err), &err);
    CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
    if (second != NULL) {
        CHECK_OK(t, tml_sim_run(second, keep_row, parts, &err), &err);
        for (int k = 0; k < MODES; ++k) {
            // two runs with errors of some hundred times the tolerance
            CHECK_NEAR(t, parts[k], whole[k], 1e-4);
        }
    }
    tml_sim_free(second);
    tml_model_free(again);
    tml_sim_free(first);
    tml_sim_free(sim);
    remove(path);
}

TEST(runs_go_on_from_dumps)
{
    Bench b;
    if (bench_open(t, hanging, 5, &b)) {
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            t->name = tml_integrator_types[k]->info.name;
            go_on(t, b.model, t->name);
        }
        t->name = NULL;
    }
    bench_close(&b);
}

/* Rows that steps do not end at are as good as those they do. */
TEST(rows_between_steps)
{
    Bench b;
    Trace fine = {0}, loose = {0};
    if (bench_open(t, hanging, 5, &b)) {
        TmlSimOptions o = tight(1.0, 0.002);
        o.tolerance = 1e-11;
        bool ok = study_run(t, b.model, &o, &fine);
        for (int k = 0; ok && tml_integrator_types[k] != NULL; ++k) {
            t->name = tml_integrator_types[k]->info.name;
            o.integrator = t->name;
            o.tolerance = 1e-6;
            if (study_run(t, b.model, &o, &loose)) {
                // local errors of 1e-6 add up over hundreds of steps of second order
                CHECK_NEAR(t, trace_error(&loose, &fine, CHANNEL), 0.0, 2e-3);
            }
            trace_free(&loose);
        }
        t->name = NULL;
    }
    trace_free(&fine);
    bench_close(&b);
}

/* A run that starts late is the one that starts at 0: nothing in the model knows the time. */
TEST(late_start)
{
    Bench b;
    double at_zero[MODES] = {0}, late[MODES] = {0};
    TmlError err = {0};
    if (bench_open(t, hanging, 5, &b)) {
        TmlSimOptions o = tight(0.5, 0.5);
        TmlSim *sim = study_sim(t, b.model, &o), *rest = study_sim(t, b.model, &o);
        CHECK_OK(t, tml_sim_run(sim, keep_row, at_zero, &err), &err);
        o.from = rest;
        o.start_time = 20.0;
        o.end_time = 20.5;
        TmlSim *second = study_sim(t, b.model, &o);
        CHECK_OK(t, tml_sim_run(second, keep_row, late, &err), &err);
        for (int k = 0; k < MODES; ++k) {
            CHECK_NEAR(t, late[k], at_zero[k], 1e-6); // two runs at 1e-9, some hundred steps
        }
        tml_sim_free(second);
        tml_sim_free(rest);
        tml_sim_free(sim);
    }
    bench_close(&b);
}

/* A converted file in another folder finds the part, and moves alike; a parameter by --set counts. */
TEST(converted_and_set)
{
    static const char model[] = "/tmp/trammel-modal-model.yaml",
                      target[] = "/tmp/trammel-modal-folder/model.yaml";
    const char *const name[] = {"swing"};
    const double value[] = {3.0};
    RandomPart p;
    char part[200], text[2000], *out = NULL;
    TmlError err = {0};
    TmlModel *notes = NULL, *first = NULL, *second = NULL, *third = NULL;
    Trace a = {0}, b = {0}, c = {0};
    random_part(t, 5, &p);
    save_random_part(t, &p, part, sizeof part);
    snprintf(text, sizeof text,
             "trammel: 1\nparameters: {swing: 1}\nmodal:\n  arm: {part: %s, angular_velocity: [0, "
             "swing, 0], amplitudes: [0.02]}\noutputs:\n  x: DX(arm.c)\n  e: output(arm, 1).mode\n",
             strrchr(part, '/') + 1);
    CHECK_OK(t, tml_file_write(model, text, strlen(text), &err), &err);
    (void)!system("mkdir -p /tmp/trammel-modal-folder");
    const TmlLoadOptions load = tml_load_options_default();
    CHECK_OK(t, tml_convert_to(model, &load, target, &notes, &out, &err), &err);
    if (out != NULL) {
        CHECK_HAS(t, out, "../trammel-modal-");
        CHECK_OK(t, tml_file_write(target, out, strlen(out), &err), &err);
        CHECK_OK(t, tml_load(model, 0, NULL, NULL, &first, &err), &err);
        CHECK_OK(t, tml_load(target, 0, NULL, NULL, &second, &err), &err);
        CHECK_OK(t, tml_load(model, 1, name, value, &third, &err), &err);
        const TmlSimOptions o = tight(0.5, 0.1);
        if (study_run(t, first, &o, &a) && study_run(t, second, &o, &b) &&
            study_run(t, third, &o, &c)) {
            CHECK_NEAR(t, trace_error(&b, &a, CHANNEL), 0.0, 1e-12); // roundings: the same numbers
            CHECK(t, trace_error(&c, &a, CHANNEL) > 0.1);
        }
    }
    trace_free(&a), trace_free(&b), trace_free(&c);
    tml_model_free(notes), tml_model_free(first), tml_model_free(second), tml_model_free(third);
    tml_text_free(out);
    remove(model), remove(target), remove("/tmp/trammel-modal-folder"), remove(part);
}

/* --- the same motion ------------------------------------------------------------------------------ */

/* With gravity g, the mesh at `at` turned about (1, 2, 3), and a spring to the place p. */
static TmlModel *placed_model(TestCtx *t, const char *part, TmlVec3 g, TmlVec3 at, double angle,
                              TmlVec3 p)
{
    char text[2000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\ngravity: [%.17g, %.17g, %.17g]\n"
             "modal:\n  arm: {part: %s, position: [%.17g, %.17g, %.17g], rotation: {axis: [1, 2, "
             "3], angle: %.17g}, angular_velocity: [0.5, 1, 2], angular_velocity_axes: body, "
             "amplitudes: [0.02, -0.01]}\n"
             "frames:\n  p: {body: ground, position: [%.17g, %.17g, %.17g]}\n"
             "forces:\n  spring: {type: spring, frames: [arm.c, p], stiffness: 20, damping: 1, "
             "free_length: 0.5}\n"
             "outputs:\n  e1: output(arm, 1).mode\n  e3: output(arm, 3).mode\n  l: DM(arm.c, p)\n",
             g.x, g.y, g.z, part, at.x, at.y, at.z, angle, p.x, p.y, p.z);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

/* Turned by an angle about (1, 2, 3). */
static TmlVec3 turned(TmlVec3 x, double angle)
{
    const double s = sin(0.5 * angle) / sqrt(14.0);
    const TmlMat33 A = q4_matrix((TmlQuat){cos(0.5 * angle), s, 2.0 * s, 3.0 * s});
    return m3_mulv(&A, x);
}

TEST(turned_and_shifted)
{
    const TmlVec3 g = v3(1, -9, 3), at = v3(0.1, 0.2, -0.3), p = v3(0.5, 2.0, 0.4),
                  shift = v3(30, -20, 10);
    RandomPart part;
    char path[200];
    Trace a = {0}, b = {0};
    random_part(t, 5, &part);
    save_random_part(t, &part, path, sizeof path);
    TmlModel *first = placed_model(t, path, g, at, 0.3, p);
    TmlModel *second = placed_model(t, path, turned(g, 0.8), v3_add(shift, turned(at, 0.8)), 1.1,
                                    v3_add(shift, turned(p, 0.8)));
    const TmlSimOptions o = tight(1.0, 0.1);
    if (study_run(t, first, &o, &a) && study_run(t, second, &o, &b)) {
        CHECK_NEAR(t, trace_error(&b, &a, CHANNEL), 0.0, 1e-6); // two runs at 1e-9
    }
    trace_free(&a);
    trace_free(&b);
    tml_model_free(first);
    tml_model_free(second);
    remove(path);
}

/* Mode j of the part times f[j]: coordinates are f[j] times smaller, and all else is the same. */
static void normalise(RandomPart *p, const double *f)
{
    const int m = p->m;
    for (int i = 0; i < m; ++i) {
        for (int k = 0; k < MODAL_NODES; ++k) {
            p->mode[i][k] = v3_scale(f[i], p->mode[i][k]);
        }
        for (int j = 0; j < m; ++j) {
            p->K[i * m + j] *= f[i] * f[j];
            p->D[i * m + j] *= f[i] * f[j];
            for (int c = 0; c < 6; ++c) {
                p->centrifugal[c * m * m + i * m + j] *= f[i] * f[j];
            }
        }
        p->largest[i] *= f[i];
        p->turning[i] *= f[i];
        for (int k = 0; k < 9; ++k) {
            p->phi[k / 3][3 * i + k % 3] *= f[i];
            p->psi[k / 3][3 * i + k % 3] *= f[i];
        }
    }
    memset(p->P, 0, sizeof p->P);
    memset(p->G, 0, sizeof p->G);
    random_moments(p);
}

TEST(any_normalisation)
{
    const double f[5] = {100.0, 0.01, 3.0, 1e-4, 1e3};
    double a[MODES] = {0}, c[MODES] = {0};
    char text[4000], path[200];
    RandomPart p;
    TmlError err = {0};
    TmlModel *model = NULL;
    random_part(t, 5, &p);
    save_random_part(t, &p, path, sizeof path);
    TmlModel *first = modal_model(t, hanging, path);
    TmlSimOptions o = tight(0.5, 0.5);
    TmlSim *sim = study_sim(t, first, &o);
    CHECK_OK(t, tml_sim_run(sim, keep_row, a, &err), &err);
    const int64_t steps = sim != NULL ? tml_sim_stats(sim).steps : 0;
    tml_sim_free(sim);
    normalise(&p, f);
    save_random_part(t, &p, path, sizeof path);
    snprintf(text, sizeof text, hanging, path);
    char *amplitudes = strstr(text, "[0.02, -0.01]");
    memcpy(amplitudes, "[2e-4, -1.00]", 13); // the same amplitudes
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, keep_row, c, &err), &err);
    if (sim != NULL) {
        // numbers differ by roundings, and so do steps
        CHECK_NEAR(t, c[0], a[0], 1e-8);
        CHECK_NEAR(t, c[1], a[1], 1e-7);        // rad/s, faster than x
        CHECK_NEAR(t, f[0] * c[2], a[2], 1e-8); // as x
        CHECK_NEAR(t, f[2] * c[3], a[3], 1e-8); // as x
        CHECK(t, llabs((long long)(tml_sim_stats(sim).steps - steps)) <= 1);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    tml_model_free(first);
    remove(path);
}

/* --- statics and eigenvalues ---------------------------------------------------------------------- */

/* In equilibrium under its weight a body that is fixed stays as it is. */
TEST(statics_stay)
{
    static const char *const fixed =
        "trammel: 1\ngravity: [0, -9.81, 1]\nmodal:\n  arm: {part: %s}\n"
        "joints:\n  weld: {type: fixed, frames: [ground, arm]}\n"
        "outputs:\n  e1: output(arm, 1).mode\n  e2: output(arm, 2).mode\n  e3: output(arm, "
        "3).mode\n"
        "  e4: output(arm, 4).mode\n";
    Bench b;
    TmlError err = {0};
    TmlStaticsInfo info;
    double end[MODES] = {0};
    if (bench_open(t, fixed, 4, &b)) {
        const TmlSimOptions o = tight(1.0, 1.0);
        TmlSim *sim = study_sim(t, b.model, &o);
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        for (int j = 0; j < 4 && err.status == TML_OK; ++j) {
            // K eta = P g, the frame being that of the mesh and turned by nothing
            double sum = 0.0;
            for (int i = 0; i < 4; ++i) {
                sum += b.p.K[j * 4 + i] * tml_row_mode(sim, 0, i);
            }
            const double load = -9.81 * b.p.P[3 * (j + 1) + 1] + 1.0 * b.p.P[3 * (j + 1) + 2];
            CHECK_NEAR(t, sum, load, 1e-9); // N: a linear system, roundings of some N
        }
        double start[MODES];
        for (int j = 0; j < 4; ++j) {
            start[j] = tml_row_mode(sim, 0, j);
        }
        CHECK_OK(t, tml_sim_run(sim, keep_row, end, &err), &err);
        for (int j = 0; j < 4; ++j) {
            CHECK_NEAR(t, end[j], start[j], 1e-9); // of amplitudes of 0.1, at rest
        }
        tml_sim_free(sim);
    }
    bench_close(&b);
}

/* sum m |phi - a - b x x|^2 at its least: what a mode has of mass when rigid motion is free. */
static double free_mass(const RandomPart *p)
{
    double A[6][7] = {{0}}, own = 0.0;
    for (int k = 0; k < MODAL_NODES; ++k) {
        const TmlVec3 x = p->x[k], f = p->mode[0][k];
        const TmlVec3 row[6] = {v3(1, 0, 0),      v3(0, 1, 0),      v3(0, 0, 1),
                                v3(0, -x.z, x.y), v3(x.z, 0, -x.x), v3(-x.y, x.x, 0)};
        own += p->mass[k] * v3_dot(f, f);
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                A[i][j] += p->mass[k] * v3_dot(row[i], row[j]);
            }
            A[i][6] += p->mass[k] * v3_dot(row[i], f);
        }
    }
    double c[6];
    for (int i = 0; i < 6; ++i) {
        c[i] = A[i][6];
    }
    for (int i = 0; i < 6; ++i) { // Gauss and Jordan: the matrix is positive definite
        for (int r = 0; r < 6; ++r) {
            const double by = r == i ? 0.0 : A[r][i] / A[i][i];
            for (int j = i; j < 7; ++j) {
                A[r][j] -= by * A[i][j];
            }
        }
    }
    for (int i = 0; i < 6; ++i) {
        own -= c[i] * A[i][6] / A[i][i];
    }
    return own;
}

/* A free body with one mode has six zeros and one frequency; a fixed one that frequency alone. */
TEST(eigenvalues_by_hand)
{
    static const char *const models[] = {"trammel: 1\nmodal:\n  arm: {part: %s, damping: 0}\n",
                                         "trammel: 1\nmodal:\n  arm: {part: %s, damping: 0}\n"
                                         "joints:\n  weld: {type: fixed, frames: [ground, arm]}\n"};
    for (int k = 0; k < 2; ++k) {
        Bench b;
        TmlError err = {0};
        TmlLinear *lin = NULL;
        if (bench_open(t, models[k], 1, &b)) {
            const TmlSimOptions o = tight(1.0, 1.0);
            TmlSim *sim = study_sim(t, b.model, &o);
            const double *G = b.p.G + 9 * 3; // of the mode with itself
            const double mass = k == 0 ? free_mass(&b.p) : G[0] + G[4] + G[8];
            CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
            int still = 0;
            double found = 0.0;
            for (int i = 0; lin != NULL && i < tml_linear_info(lin).modes; ++i) {
                const TmlMode m = tml_linear_mode(lin, i);
                still += hypot(m.real, m.imag) < 1e-3; // roundings under a root
                found = fmax(found, m.imag);
            }
            CHECK_INT(t, tml_linear_info(lin).degrees_of_freedom, k == 0 ? 7 : 1);
            CHECK(t, k == 0 ? still >= 6 : still == 0);
            CHECK_NEAR(t, found / sqrt(b.p.K[0] / mass), 1.0, 1e-9); // a few roundings
            tml_linear_free(lin);
            tml_sim_free(sim);
        }
        bench_close(&b);
    }
}

/* --- events and delays ---------------------------------------------------------------------------- */

/* A frame of a modal body stops a run where it should, and what it was is known later. */
TEST(events_and_delays)
{
    static const char *const watched =
        "trammel: 1\ngravity: [0, -9.81, 1]\n"
        "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]}\n"
        "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
        "delays:\n  seen: {value: DX(arm.c), time: 0.1}\n"
        "events:\n  passed: {when: WX(arm.b), condition: below, value: -1, stop: true}\n"
        "forces:\n  push: {type: force, frame: arm.c, fx: 0.5*delay(seen)}\n"
        "outputs:\n  w: WX(arm.b)\n  seen: delay(seen)\n  x: DX(arm.c)\n  t: time\n";
    Bench b;
    TmlError err = {0};
    double want[MODES] = {0};
    if (bench_open(t, watched, 5, &b)) {
        TmlSimOptions o = tight(5.0, 0.01);
        TmlSim *sim = study_sim(t, b.model, &o);
        CHECK_OK(t, tml_sim_run(sim, keep_row, want, &err), &err);
        CHECK(t, want[3] > 0.0 && want[3] < 4.9);
        CHECK_NEAR(t, want[0], -1.0, 1e-6); // where the event is, at 1e-9
        tml_sim_free(sim);
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            double got[MODES] = {0};
            t->name = tml_integrator_types[k]->info.name;
            o.integrator = t->name;
            o.tolerance = 1e-7;
            sim = study_sim(t, b.model, &o);
            CHECK_OK(t, tml_sim_run(sim, keep_row, got, &err), &err);
            for (int i = 0; i < MODES; ++i) {
                CHECK_NEAR(t, got[i], want[i], 1e-3); // some hundred steps of second order at 1e-7
            }
            tml_sim_free(sim);
        }
        t->name = NULL;
    }
    bench_close(&b);
}

/* Coordinates in a joint, a force, a variable, a state and a delay: the joint drives the second one, the state gathers the rate of the
 * third, and all methods come to the same motion. */
TEST(expressions_read_coordinates)
{
    static const char *const controlled =
        "trammel: 1\ngravity: [0, -9.81, 1]\n"
        "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2]}\n"
        "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
        "  drive: {type: expression, expression: \"output(arm, 2).mode - 0.02*(1 - "
        "cos(2*time))\"}\n"
        "variables:\n  bent: output(arm, 1).mode*output(arm, 3).mode\n"
        "delays:\n  late: {value: \"output(arm, 1).rate\", time: 0.05}\n"
        "states:\n  sum: {rate: \"output(arm, 3).rate\"}\n"
        "forces:\n  push: {type: force, frame: arm.c, fx: \"-20*output(arm, 1).rate - "
        "3*delay(late)\", fy: \"200*bent\"}\n"
        "outputs:\n  driven: output(arm, 2).mode - 0.02*(1 - cos(2*time))\n"
        "  gathered: output(arm, 3).mode - sum\n  e1: output(arm, 1).mode\n  a: output(arm, "
        "1).acceleration\n";
    Bench b;
    TmlError err = {0};
    double want[MODES] = {0};
    if (bench_open(t, controlled, 5, &b)) {
        TmlSimOptions o = tight(0.6, 0.6);
        TmlSim *sim = study_sim(t, b.model, &o);
        CHECK_OK(t, tml_sim_run(sim, keep_row, want, &err), &err);
        CHECK(t, fabs(want[2]) > 1e-3);
        tml_sim_free(sim);
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            double got[MODES] = {0};
            t->name = tml_integrator_types[k]->info.name;
            o.integrator = t->name;
            o.tolerance = 1e-7;
            sim = study_sim(t, b.model, &o);
            CHECK_OK(t, tml_sim_run(sim, keep_row, got, &err), &err);
            CHECK_NEAR(t, got[0], 0.0, 1e-9);     // a joint, put onto its rows to rounding
            CHECK_NEAR(t, got[1], 0.0, 1e-5);     // some hundred steps of second order at 1e-7
            CHECK_NEAR(t, got[2], want[2], 1e-4); // as above, in a motion of 0.1
            CHECK_NEAR(t, got[3], want[3],
                       1e-2); // accelerations of some 1/s^2: 1e-7 / h^2, h = 5 ms
            tml_sim_free(sim);
        }
        t->name = NULL;
    }
    bench_close(&b);
}

TEST_SUITE(modal_meetings) = {CASE(runs_go_on_from_dumps),
                              CASE(rows_between_steps),
                              CASE(late_start),
                              CASE(converted_and_set),
                              CASE(turned_and_shifted),
                              CASE(any_normalisation),
                              CASE(statics_stay),
                              CASE(eigenvalues_by_hand),
                              CASE(events_and_delays),
                              CASE(expressions_read_coordinates),
                              {0}};
