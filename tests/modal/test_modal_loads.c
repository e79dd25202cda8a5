/* tests/modal/test_modal_loads.c - load cases of parts as forces: against sums over nodes, against a force at a frame, with every
 * method; what reduction makes of them, against closed forms.
 */
#include "modal_skin.h"

#include "../analysis/study.h"
#include "analysis/integrator/integrator.h"
#include "io/part/description/part_read.h"
#include "model/modal/modal.h"

#include <math.h>

enum { MODES = 5, CHANNELS = 4 };

typedef struct Bench {
    RandomPart p;
    char part[200];
    TmlModel *model;
} Bench;

static bool bench_open(TestCtx *t, const char *format, Bench *b)
{
    random_part(t, MODES, &b->p);
    random_applied(t, &b->p);
    save_random_part(t, &b->p, b->part, sizeof b->part);
    b->model = modal_model(t, format, b->part);
    return b->model != NULL;
}

static void bench_close(Bench *b)
{
    tml_model_free(b->model);
    remove(b->part);
}

/* --- against sums over nodes -------------------------------------------------------------------------- */

static const char *const pushed =
    "trammel: 1\n"
    "bodies: {rod: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}}\n"
    "modal:\n  arm: {part: %s, position: [0.1, 0.2, 0.3], rotation: {axis: [1, 2, 3], angle: "
    "0.7},\n"
    "        amplitudes: [0.1, -0.2, 0.05, 0.2, -0.1]}\n"
    "variables: {s: time}\n"
    "forces: {press: {type: modal_force, body: arm, load: press, scale: s, reaction: rod}}\n";

/* The residual at scale 0 less that at scale s: the generalised forces Q[nu] of the load. */
static double *generalised(TestCtx *t, TmlSim *sim, double s)
{
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    double *r = calloc((size_t)dim->n, sizeof *r), *zero = calloc((size_t)dim->n, sizeof *zero);
    CHECK(t, dim->nf == 1);
    sim->it.now.F[0] = 0.0;
    tml_system_residual(sys, &sim->it.now, TML_LEVEL_ACCELERATION, zero);
    sim->it.now.F[0] = s;
    tml_system_residual(sys, &sim->it.now, TML_LEVEL_ACCELERATION, r);
    for (int k = 0; k < dim->n; ++k) {
        r[k] = zero[k] - r[k];
    }
    free(zero);
    return r;
}

/* A random velocity of the arm: what it does to the nodes, and what the load does on it. */
static void virtual_power(TestCtx *t, const Bench *b, const TmlSystem *sys, const double *Q,
                          double s)
{
    const TmlModal *m = &b->model->modals.at[0];
    const TmlBody *body = &b->model->bodies.at[m->body];
    const TmlMat33 A = q4_matrix(body->p0);
    const TmlDims *dim = tml_dims(sys);
    const TmlVec3 v = test_vec3(t), w = test_vec3(t);
    const double *of_frame = Q + dim->span[m->body].u0, *of_modes = Q + dim->span[m->first].u0;
    double rate[MODAL_MOST], want = 0.0;
    double got = v3_dot(v, v3(of_frame[0], of_frame[1], of_frame[2])) +
                 v3_dot(w, v3(of_frame[3], of_frame[4], of_frame[5]));
    for (int j = 0; j < b->p.m; ++j) {
        rate[j] = test_random(t, -1, 1);
        got += rate[j] * m->scale[j] * of_modes[j];
    }
    for (int k = 0; k < MODAL_NODES; ++k) {
        static const double eta[MODES] = {0.1, -0.2, 0.05, 0.2, -0.1};
        TmlVec3 c = b->p.x[k], c1 = v3(0, 0, 0);
        for (int j = 0; j < b->p.m; ++j) {
            c = v3_axpy(eta[j], b->p.mode[j][k], c);
            c1 = v3_axpy(rate[j], b->p.mode[j][k], c1);
        }
        const TmlVec3 of_node = v3_add(v, v3_add(v3_cross(w, m3_mulv(&A, c)), m3_mulv(&A, c1)));
        want += s * v3_dot(m3_mulv(&A, b->p.pushed[k]), of_node);
    }
    CHECK_NEAR(t, got, want, 1e-12); // rounding of sums of some tens
}

/* Load and reaction together have no resultant. */
static void equilibrium(TestCtx *t, const Bench *b, const TmlSystem *sys, const double *Q)
{
    TmlVec3 force = v3(0, 0, 0), moment = force;
    const int rod = tml_model_find_body(b->model, "rod"), arm = b->model->modals.at[0].body;
    const int body[2] = {rod, arm};
    for (int k = 0; k < 2; ++k) {
        const double *q = Q + tml_dims(sys)->span[body[k]].u0;
        const TmlVec3 f = v3(q[0], q[1], q[2]);
        force = v3_add(force, f);
        moment = v3_add(moment, v3_cross(b->model->bodies.at[body[k]].r0, f));
        moment = v3_add(moment, v3(q[3], q[4], q[5]));
    }
    CHECK_NEAR(t, v3_norm(force), 0.0, 1e-13); // rounding of forces of some N
    CHECK_NEAR(t, v3_norm(moment), 0.0, 1e-13);
}

TEST(loads_are_those_of_their_nodes)
{
    Bench b;
    if (bench_open(t, pushed, &b)) {
        const TmlSimOptions o = study_options(1.0, 1.0, NULL);
        TmlSim *sim = study_sim(t, b.model, &o);
        double *Q = generalised(t, sim, 1.7);
        for (int k = 0; k < 20; ++k) {
            virtual_power(t, &b, sim->sys, Q, 1.7);
        }
        equilibrium(t, &b, sim->sys, Q);
        free(Q);
        tml_sim_free(sim);
    }
    bench_close(&b);
}

/* --- against a force at a frame ---------------------------------------------------------------------- */

/* The load `corner`, and the same as a force in the axes of the floating frame, which those of a node without rotation are. */
static const char *const as_load =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]}\n"
    "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "variables:\n  s: \"2*sin(7*time) + 0.3*WX(arm.b)\"\n"
    "forces:\n"
    "  corner: {type: modal_force, body: arm, load: corner, scale: s}\n"
    "  press: {type: modal_force, body: arm, load: press, scale: 0.1}\n"
    "outputs:\n  x: DX(arm.c)\n  e1: output(arm, 1).mode\n  e3: output(arm, 3).mode\n"
    "  w: WX(arm.b)\n";
static const char *const as_force =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]}\n"
    "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "variables:\n  s: \"2*sin(7*time) + 0.3*WX(arm.b)\"\n"
    "forces:\n"
    "  corner: {type: force, frame: arm.c, axes: second, fx: s, fy: -2*s, fz: 3*s}\n"
    "  press: {type: modal_force, body: arm, load: press, scale: 0.1}\n"
    "outputs:\n  x: DX(arm.c)\n  e1: output(arm, 1).mode\n  e3: output(arm, 3).mode\n"
    "  w: WX(arm.b)\n";

static TmlSimOptions tight(double end, double output_step, const char *method, double tolerance)
{
    TmlSimOptions o = study_options(end, output_step, NULL);
    o.integrator = method;
    o.tolerance = tolerance;
    return o;
}

TEST(every_method_moves_alike)
{
    Bench b;
    if (bench_open(t, as_load, &b)) {
        TmlModel *other = modal_model(t, as_force, b.part);
        Trace want = {0}, got = {0};
        TmlSimOptions o = tight(1.0, 0.05, "radau", 1e-10);
        const bool ok = study_run(t, other, &o, &want);
        if (ok && study_run(t, b.model, &o, &got)) {
            // the same equations: two runs at 1e-10, one of whose channels is a velocity
            CHECK_NEAR(t, trace_error(&got, &want, CHANNEL), 0.0, 1e-7);
        }
        trace_free(&got);
        for (int k = 0; ok && tml_integrator_types[k] != NULL; ++k) {
            t->name = tml_integrator_types[k]->info.name;
            o = tight(1.0, 0.05, t->name, 1e-8);
            if (study_run(t, b.model, &o, &got)) {
                // local errors of 1e-8 in some thousand steps of second order; one of the channels is a velocity
                CHECK_NEAR(t, trace_error(&got, &want, CHANNEL), 0.0, 1e-4);
            }
            trace_free(&got);
        }
        t->name = NULL;
        trace_free(&want);
        tml_model_free(other);
    }
    bench_close(&b);
}

static TmlStatus last_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    for (int k = 0; k < CHANNELS; ++k) {
        ((double *)user)[k] = tml_row_channel(sim, k);
    }
    return TML_OK;
}

TEST(runs_go_on_from_dumps)
{
    const char path[] = "/tmp/trammel-modal-loads.dump";
    Bench b;
    if (bench_open(t, as_load, &b)) {
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            t->name = tml_integrator_types[k]->info.name;
            const TmlSimOptions o = tight(0.4, 0.4, t->name, 1e-7);
            double whole[CHANNELS] = {0}, parts[CHANNELS] = {0};
            TmlError err = {0};
            TmlModel *again = NULL;
            TmlSim *second = NULL, *sim = study_sim(t, b.model, &o),
                   *first = study_sim(t, b.model, &o);
            CHECK_OK(t, tml_sim_run(sim, last_row, whole, &err), &err);
            while (err.status == TML_OK && tml_sim_time(first) < 0.2) {
                CHECK_OK(t, tml_sim_step(first, &err), &err);
            }
            CHECK_OK(t, tml_dump_write(path, first, NULL, NULL, &err), &err);
            CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
            if (second != NULL) {
                CHECK_OK(t, tml_sim_run(second, last_row, parts, &err), &err);
                for (int c = 0; c < 3; ++c) {
                    CHECK_NEAR(t, parts[c], whole[c], 1e-4); // two runs at 1e-7, some hundred steps
                }
            }
            tml_sim_free(second);
            tml_model_free(again);
            tml_sim_free(first);
            tml_sim_free(sim);
        }
        t->name = NULL;
        remove(path);
    }
    bench_close(&b);
}

/* --- statics and eigenvalues ---------------------------------------------------------------------------- */

static TmlLinear *linear_of(TestCtx *t, const TmlModel *model, double *row)
{
    const TmlSimOptions o = tight(1.0, 1.0, "radau", 1e-9);
    TmlSim *sim = study_sim(t, model, &o);
    TmlLinear *lin = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_sim_statics(sim, NULL, NULL, &err), &err);
    CHECK_OK(t, last_row(row, sim, &err), &err);
    CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    tml_sim_free(sim);
    return lin;
}

/* In equilibrium and in the eigenvalues there the load is the force. */
TEST(statics_and_eigenvalues)
{
    static const char *const held =
        "trammel: 1\n"
        "modal:\n  arm: {part: %s}\n"
        "joints:\n  clamp: {type: fixed, frames: [ground, arm.a]}\n"
        "forces:\n"
        "  corner: {type: modal_force, body: arm, load: corner, scale: 0.2 - DX(arm.c)}\n"
        "outputs:\n  x: DX(arm.c)\n  e1: output(arm, 1).mode\n  e3: output(arm, 3).mode\n"
        "  fx: reaction(clamp).fx\n";
    static const char *const same =
        "trammel: 1\n"
        "modal:\n  arm: {part: %s}\n"
        "joints:\n  clamp: {type: fixed, frames: [ground, arm.a]}\n"
        "variables: {s: 0.2 - DX(arm.c)}\n"
        "forces:\n"
        "  corner: {type: force, frame: arm.c, axes: second, fx: s, fy: -2*s, fz: 3*s}\n"
        "outputs:\n  x: DX(arm.c)\n  e1: output(arm, 1).mode\n  e3: output(arm, 3).mode\n"
        "  fx: reaction(clamp).fx\n";
    Bench b;
    if (bench_open(t, held, &b)) {
        TmlModel *other = modal_model(t, same, b.part);
        double row[2][CHANNELS] = {{0}};
        TmlLinear *lin[2] = {linear_of(t, b.model, row[0]), linear_of(t, other, row[1])};
        CHECK(t, fabs(row[0][1]) > 1e-4); // it is bent
        for (int c = 0; c < CHANNELS; ++c) {
            CHECK_NEAR(t, row[0][c], row[1][c],
                       1e-9); // both to the limit of statics, 1e-10 or less
        }
        const int n = lin[0] != NULL && lin[1] != NULL ? tml_linear_info(lin[0]).modes : 0;
        CHECK(t, n > 0);
        for (int k = 0; k < n && k < tml_linear_info(lin[1]).modes; ++k) {
            const TmlMode x = tml_linear_mode(lin[0], k), y = tml_linear_mode(lin[1], k);
            CHECK_NEAR(t, x.real, y.real,
                       1e-7); // eigenvalues of some 10/s at places that are 1e-9 apart
            CHECK_NEAR(t, x.imag, y.imag, 1e-7);
        }
        tml_linear_free(lin[0]);
        tml_linear_free(lin[1]);
        tml_model_free(other);
    }
    bench_close(&b);
}

/* --- what reduction makes of them ------------------------------------------------------------------------ */

#define BAR "/tmp/trammel-modal-loads-bar.yaml"

/* A bar of length 1, EI = 1, mass 0.5 per length, clamped at A; %s: load cases, which act on it in statics. */
static double tip_of(TestCtx *t, const char *loads, const char *load)
{
    char text[1500], model[600];
    double row[CHANNELS] = {0};
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "part: bar\n"
             "beams:\n  nodes: {A: [0, 0, 0], M: [0.5, 0, 0], B: [1, 0, 0]}\n"
             "  sections: {s: {area: 1, Iy: 1e-4, Iz: 1e-4, J: 1e-4, up: z}}\n"
             "  members: [{nodes: [A, M], section: s, elements: 4}, {nodes: [M, B], section: s, "
             "elements: 4}]\n"
             "material: {young: 1e4, poisson: 0.25, density: 0.5}\n"
             "interfaces: {A: {set: A}}\nkeep: {B: 3}\nmodes: 1\ndamping: 0.01\nframe: A\n"
             "loads: {%s}\n",
             loads);
    CHECK_OK(t, tml_file_write(BAR, text, strlen(text), &err), &err);
    snprintf(model, sizeof model,
             "trammel: 1\nmodal: {bar: {part: " BAR "}}\n"
             "joints: {clamp: {type: fixed, frames: [ground, bar.A]}}\n"
             "forces: {f: {type: modal_force, body: bar, load: %s, scale: 0.01}}\n"
             "outputs: {a: DX(bar.B) - 1, b: DY(bar.B), z: DZ(bar.B), ry: reaction(clamp).fz}\n",
             load);
    CHECK_OK(t, tml_load_text(model, "/tmp/modal.yaml", 0, NULL, NULL, &m, &err), &err);
    if (m != NULL) {
        const TmlSimOptions o = tight(1.0, 1.0, "radau", 1e-9);
        TmlSim *sim = study_sim(t, m, &o);
        CHECK_OK(t, tml_sim_statics(sim, NULL, NULL, &err), &err);
        CHECK_OK(t, last_row(row, sim, &err), &err);
        tml_sim_free(sim);
    }
    tml_model_free(m);
    remove(BAR);
    return row[2];
}

/* Deflections of the tip of a cantilever: one mode and the static shapes are exact. A frame at the clamp makes the part linear. */
TEST(static_shapes_are_exact)
{
    // statics to 1e-10 of a deflection of 1e-3, and factors of a stiffness of condition 1e4
    const double limit = 1e-11;
    CHECK_NEAR(t, tip_of(t, "end: {node: 3, force: [0, 0, 1]}", "end"), 0.01 / 3.0, limit);
    CHECK_NEAR(t, tip_of(t, "middle: {set: M, force: [0, 0, 1]}", "middle"), 0.01 * 5.0 / 48.0,
               limit);
    CHECK_NEAR(t, tip_of(t, "weight: {acceleration: [0, 0, 2]}", "weight"), 0.01 / 8.0, limit);
    CHECK_NEAR(t,
               tip_of(t,
                      "all: [{acceleration: [0, 0, 2]}, {set: M, force: [0, 0, 1]}, "
                      "{nodes: [3], force: [0, 0, -2]}]",
                      "all"),
               0.01 * (1.0 / 8.0 + 5.0 / 48.0 - 2.0 / 3.0), limit);
    // half of the force on each of two nodes
    CHECK_NEAR(t, tip_of(t, "two: {nodes: [2, 3], force: [0, 0, 1]}", "two"),
               0.005 * (1.0 / 3.0 + 5.0 / 48.0), limit);
}

/* A bar of length 1 that turns about its middle at 1 rad/s, EA = 1e4, mass 0.5 per length: how much its half grows. */
static double stretch_of(TestCtx *t, const char *more, double *share)
{
    char text[1500];
    double row[CHANNELS] = {0};
    TmlModel *m = NULL;
    TmlPartRead from;
    TmlReduceFacts facts = {0};
    TmlPart part;
    TmlArena arena = {0};
    TmlError err = {0};
    snprintf(text, sizeof text,
             "part: bar\n"
             "beams:\n  nodes: {A: [-0.5, 0, 0], M: [0, 0, 0], B: [0.5, 0, 0]}\n"
             "  sections: {s: {area: 1, Iy: 1e-2, Iz: 1e-2, J: 1e-2, up: z}}\n"
             "  members: [{nodes: [A, M], section: s, elements: 4}, {nodes: [M, B], section: s, "
             "elements: 4}]\n"
             "material: {young: 1e4, poisson: 0.25, density: 0.5}\n"
             "interfaces: {M: {set: M}}\nkeep: {B: 3}\nmodes: 1\ndamping: 0.01\n"
             "stiffening: {centrifugal: true%s}\n",
             more);
    CHECK_OK(t, tml_file_write(BAR, text, strlen(text), &err), &err);
    CHECK_OK(t, tml_part_read_file(BAR, &(TmlOverrides){0}, &from, &err), &err);
    CHECK_OK(t, tml_reduce(&from.fe, &from.o, &arena, &part, &facts, &err), &err);
    *share = facts.spin_share;
    tml_part_read_free(&from);
    tml_arena_free(&arena);
    CHECK_OK(t,
             tml_load_text("trammel: 1\nmodal: {bar: {part: " BAR
                           ", angular_velocity: [0, 0, 1]}}\n"
                           "joints: {pin: {type: revolute, frames: [ground, bar.M]}}\n"
                           "rotating_frame: {speed: 1, axis: z}\n"
                           "outputs: {r: DM(bar.B) - 0.5, a: time, b: time, c: time}\n",
                           "/tmp/modal.yaml", 0, NULL, NULL, &m, &err),
             &err);
    if (m != NULL) {
        const TmlSimOptions o = tight(1.0, 1.0, "radau", 1e-9);
        TmlSim *sim = study_sim(t, m, &o);
        CHECK_OK(t, tml_sim_statics(sim, NULL, NULL, &err), &err);
        CHECK_OK(t, last_row(row, sim, &err), &err);
        tml_sim_free(sim);
    }
    tml_model_free(m);
    remove(BAR);
    return row[0];
}

/* Without the static shapes of spin one bending mode does not stretch at all; with them the growth is rho w^2 l^3 / 3 E. */
TEST(shapes_of_spin)
{
    double share[2];
    const double exact = 0.5 * 0.125 / (3.0 * 1e4);
    // bending has no part of it: rounding in energies, the limit of statics of 1e-10 m in the growth
    CHECK_NEAR(t, stretch_of(t, "", &share[0]), 0.0, 1e-10);
    CHECK_NEAR(t, share[0], 0.0, 1e-12);
    // inertia pushes what has grown further outwards: rho w^2 l^2 / E = 1e-5 of it
    CHECK_NEAR(t, stretch_of(t, ", shapes: true", &share[1]) / exact, 1.0, 2e-5);
    CHECK_NEAR(t, share[1], 1.0, 1e-9); // rounding of a factorisation
}

/* The free upper face of the bracket's first bar is 100 mm long and 20 mm wide: 10 kPa on it. */
TEST(resultants)
{
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/models/modal/parts/pressed_bracket.yaml", test_source_dir());
    CHECK_OK(t, tml_part_reduce(path, 0, NULL, NULL, &part, &err), &err);
    if (part != NULL) {
        const TmlPartLoadInfo blast = tml_part_load_case(part, 0),
                              belt = tml_part_load_case(part, 1);
        CHECK_INT(t, tml_part_info(part).loads, 2);
        CHECK_STR(t, blast.name, "blast");
        CHECK_NEAR(t, blast.force.y, -20.0, 1e-12); // rounding
        CHECK_NEAR(t, hypot(blast.force.x, blast.force.z), 0.0, 1e-12);
        CHECK_NEAR(t, blast.torque.z, -20.0 * 0.05, 1e-12);
        CHECK_STR(t, belt.name, "belt");
        CHECK_NEAR(t, belt.force.z, 5.0, 1e-12);
        CHECK(t, tml_part_load_case(part, 2).name == NULL &&
                     tml_part_load_case(part, -1).name == NULL);
    }
    tml_part_free(part);
}

/* --- what cannot be -------------------------------------------------------------------------------------- */

static void refused(TestCtx *t, const char *part, const char *entry, const char *want)
{
    char text[1000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\nbodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\nmodal: {arm: {part: %s}}\n"
             "forces:\n  f: {type: modal_force, %s}\n",
             part, entry);
    CHECK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err) != TML_OK);
    CHECK_HAS(t, err.message, want);
    tml_model_free(model);
}

TEST(wrong_models)
{
    Bench b;
    if (bench_open(t, pushed, &b)) {
        refused(t, b.part, "body: rod, load: press", "no modal body");
        refused(t, b.part, "body: amr, load: press", "did you mean 'arm'?");
        refused(t, b.part, "body: arm, load: prses", "did you mean 'press'?");
        refused(t, b.part, "body: arm", "missing key 'load'");
        refused(t, b.part, "body: arm, load: press, reaction: arm.a", "cannot take it");
        refused(t, b.part, "body: arm, load: press, scale: nothing", "nothing");
        b.p.part.n_loads = 0;
        save_random_part(t, &b.p, b.part, sizeof b.part);
        refused(t, b.part, "body: arm, load: press", "has no load cases");
    }
    bench_close(&b);
}

TEST_SUITE(modal_loads) = {CASE(loads_are_those_of_their_nodes),
                           CASE(every_method_moves_alike),
                           CASE(runs_go_on_from_dumps),
                           CASE(statics_and_eigenvalues),
                           CASE(static_shapes_are_exact),
                           CASE(resultants),
                           CASE(shapes_of_spin),
                           CASE(wrong_models),
                           {0}};
