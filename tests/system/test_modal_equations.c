/* tests/system/test_modal_equations.c - equations of motion of modal bodies, and the matrices of models with them.
 *
 * The equations are compared with sums over point masses, which know nothing of moments: by d'Alembert the row of an unknown is the
 * sum of m (a - g) times what that unknown moves the mass by. Matrices are compared with differences.
 */
#include "../modal/modal_util.h"

#include "model/modal/modal.h"
#include "stage_probe.h"
#include "step_probe.h"
#include "system/contact/touching.h"

typedef struct Sample {
    TmlModal body;
    TmlModalIn in;
    double x[3][MODAL_MOST];
    TmlArena arena;
} Sample;

static void sample(TestCtx *t, const RandomPart *p, TmlModalOptions options, Sample *s)
{
    TmlError err = {0};
    *s = (Sample){.body = {.name = "b", .part = &p->part, .options = options}};
    CHECK_OK(t, tml_modal_prepare(&s->body, &s->arena, &err), &err);
    for (int level = 0; level < 3; ++level) {
        for (int j = 0; j < p->m; ++j) {
            s->x[level][j] = test_random(t, -1, 1);
        }
    }
    s->in =
        (TmlModalIn){&s->body, test_vec3(t), test_vec3(t), test_vec3(t), s->x[0], s->x[1], s->x[2]};
}

/* e[6 + m] by masses, without stiffness and damping. */
static void by_masses(const RandomPart *p, const Sample *s, double *e)
{
    memset(e, 0, (size_t)(6 + p->m) * sizeof *e);
    for (int k = 0; k < MODAL_NODES; ++k) {
        TmlVec3 c[3] = {p->x[k], {0, 0, 0}, {0, 0, 0}};
        for (int level = 0; level < 3; ++level) {
            for (int j = 0; j < p->m; ++j) {
                c[level] = v3_axpy(s->x[level][j] / s->body.scale[j], p->mode[j][k], c[level]);
            }
        }
        const TmlVec3 w = s->in.w;
        TmlVec3 a = v3_add(s->in.f, v3_cross(s->in.al, c[0]));
        a = v3_add(a, v3_cross(w, v3_axpy(2.0, c[1], v3_cross(w, c[0]))));
        a = v3_scale(p->mass[k], v3_add(a, c[2]));
        const TmlVec3 torque = v3_cross(c[0], a);
        const double row[6] = {a.x, a.y, a.z, torque.x, torque.y, torque.z};
        for (int i = 0; i < 6; ++i) {
            e[i] += row[i];
        }
        for (int j = 0; j < p->m; ++j) {
            e[6 + j] += v3_dot(p->mode[j][k], a) / s->body.scale[j];
        }
    }
}

static const TmlModalOptions plain = {.second_order = true, .damping = (double)NAN};

TEST(equations_are_those_of_the_masses)
{
    static const int modes[] = {0, 1, 5, 12};
    for (size_t n = 0; n < sizeof modes / sizeof *modes; ++n) {
        RandomPart p;
        Sample s;
        TmlModalSums sums;
        TmlError err = {0};
        double want[6 + MODAL_MOST], got[6 + MODAL_MOST];
        random_part(t, modes[n], &p);
        sample(t, &p, plain, &s);
        CHECK_OK(t, tml_modal_sums_create(&s.body, &s.arena, &sums, &err), &err);
        tml_modal_shape(&s.in, &sums);
        tml_modal_rates(&s.in, &sums);
        tml_modal_residual(&s.in, &sums, got);
        by_masses(&p, &s, want);
        for (int k = 0; k < 6 + p.m; ++k) {
            for (int i = 0; i < p.m && k >= 6; ++i) {
                const int at = (k - 6) * p.m + i;
                want[k] += s.body.K[at] * s.x[0][i] + s.body.D[at] * s.x[1][i];
            }
            CHECK_NEAR(t, got[k], want[k],
                       1e-12); // rounding of some hundred terms of order one to fifty
        }
        tml_arena_free(&s.arena);
    }
}

/* Kinetic energy is half of u.M u, and its rate the power of the inertia forces: the one check that
 * stiffening must pass, which no sum over masses has. */
TEST(energy_balances)
{
    static const TmlModalOptions options[] = {
        {.second_order = true, .damping = (double)NAN},
        {.second_order = true, .stiffened = true, .damping = (double)NAN},
        {.second_order = false, .damping = (double)NAN},
        {.second_order = true, .loads = true, .damping = (double)NAN},
        {.second_order = true, .stiffened = true, .loads = true, .damping = (double)NAN},
        {.second_order = true, .damping = (double)NAN, .limit = 0.5},
    };
    for (size_t n = 0; n < sizeof options / sizeof *options; ++n) {
        RandomPart p;
        Sample s;
        TmlModalSums sums;
        TmlError err = {0};
        random_part(t, 5, &p);
        random_loads(t, &p);
        sample(t, &p, options[n], &s);
        CHECK_OK(t, tml_modal_sums_create(&s.body, &s.arena, &sums, &err), &err);
        const TmlVec3 v = test_vec3(t);
        double e[6 + MODAL_MOST], energy[4];
        // T(v, w, x, x') in body axes; v' of the components is f - w x v
        static const double place[4] = {-2, -1, 1, 2};
        const double h = 1e-3;
        const TmlVec3 v1 = v3_sub(s.in.f, v3_cross(s.in.w, v));
        for (int i = 0; i < 4; ++i) {
            double x[2][MODAL_MOST];
            TmlModalIn in = s.in;
            const double d = place[i] * h;
            for (int j = 0; j < p.m; ++j) {
                x[0][j] = s.x[0][j] + d * s.x[1][j];
                x[1][j] = s.x[1][j] + d * s.x[2][j];
            }
            in.eta = x[0];
            in.eta1 = x[1];
            in.w = v3_axpy(d, s.in.al, s.in.w);
            tml_modal_shape(&in, &sums);
            tml_modal_rates(&in, &sums);
            energy[i] =
                tml_modal_kinetic(&in, &sums, v3_axpy(d, v1, v)) + tml_modal_stored(&in, &sums);
        }
        const double rate =
            (energy[0] - 8.0 * energy[1] + 8.0 * energy[2] - energy[3]) / (12.0 * h);
        tml_modal_shape(&s.in, &sums);
        tml_modal_rates(&s.in, &sums);
        tml_modal_residual(&s.in, &sums, e);
        const TmlVec3 w = s.in.w;
        double power = e[0] * v.x + e[1] * v.y + e[2] * v.z + e[3] * w.x + e[4] * w.y + e[5] * w.z;
        for (int j = 0; j < p.m; ++j) {
            power += e[6 + j] * s.x[1][j];
            for (int i = 0; i < p.m; ++i) {
                power -= s.body.D[j * p.m + i] * s.x[1][i] * s.x[1][j];
            }
        }
        CHECK_NEAR(t, rate, power, 1e-9); // truncation h^4 = 1e-12 times derivatives of order 100
        tml_arena_free(&s.arena);
    }
}

/* Models with a modal body in joints and forces of all kinds. */
static const char *const models[] = {
    "trammel: 1\ngravity: [0.3, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, position: [0.1, 0.2, 0.3], rotation: {axis: [1, 2, 3], angle: "
    "0.7},\n"
    "        frames: {off: {at: b, position: [0.1, -0.2, 0.3], rotation: {axis: x, angle: "
    "0.4}}}}\n",
    "trammel: 1\ngravity: [0, 0, -9.81]\n"
    "modal:\n  arm: {part: %s, stiffening: all, terms: second_order, static_above: 1,\n"
    "        frames: {off: {at: b, position: [0.1, -0.2, 0.3], rotation: {axis: x, angle: 0.4}}}}\n"
    "bodies:\n  rod: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, frames: [arm.a, rod]}\n"
    "  ball: {type: spherical, frames: [arm.c, ground]}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [arm.off, rod.cm], stiffness: 30, damping: 2, free_length: "
    "0.1}\n"
    "  bush: {type: bushing, frames: [arm.b, ground], stiffness: [10, 20, 30, 4, 5, 6], damping: "
    "[1, 2, 3, 0.4, 0.5, 0.6]}\n"
    "  push: {type: force, frames: [ground, arm.off], fx: \"sin(time)\", fy: 1, fz: 2}\n"
    "  twist: {type: torque, frames: [rod, arm.b], tx: 0.3, ty: \"0.2 + WX(arm.a)\", tz: 0.1}\n"
    "  press: {type: modal_force, body: arm, load: press, scale: \"0.5 + sin(DX(arm.c)) + "
    "0.3*VY(rod)*output(arm, 3).rate\", reaction: rod}\n"
    "  corner: {type: modal_force, body: arm, load: corner, scale: \"2*v - time\"}\n"
    "  drive: {type: force, frames: [ground, arm.c], fx: \"3*output(arm, 1).mode^2 + "
    "sin(output(arm, 7).mode)*output(arm, 5).rate\", fy: v, fz: \"output(arm, 4).acceleration\"}\n"
    "variables:\n  v: \"DX(arm.off, rod) + VY(arm.c) + WZ(arm.b) + ACCX(arm.off) + output(arm, "
    "2).mode*output(arm, 3).rate\"\n",
};

static TmlModel *load(TestCtx *t, const char *format, const char *part)
{
    char text[4000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, format, part);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

static void check_matrices(TestCtx *t, const ProbeKind *kind)
{
    RandomPart p;
    char path[200];
    random_part(t, 7, &p); // three, three and one coordinate in a hidden body
    random_loads(t, &p);
    random_applied(t, &p);
    save_random_part(t, &p, path, sizeof path);
    for (size_t n = 0; n < sizeof models / sizeof *models; ++n) {
        TmlModel *model = load(t, models[n], path);
        if (model == NULL) {
            continue;
        }
        Probe probe = probe_open(t, model, kind);
        for (int k = 0; k < 4; ++k) {
            probe_random_state(t, &probe);
            probe_check(t, &probe);
        }
        probe_close(&probe);
        tml_model_free(model);
    }
    remove(path);
}

TEST(step_matrices_are_derivatives)
{
    check_matrices(t, &step_kind);
}

TEST(stage_matrices_are_derivatives)
{
    check_matrices(t, &stage_kind);
}

/* Shapes at frames of the part press on the ground and on a ball; %s: the part, friction. */
static const char *const pressed =
    "trammel: 1\n"
    "modal:\n"
    "  arm: {part: %s, angular_velocity: [0.3, 0.5, 0.2],\n"
    "        shapes: {a: {sphere: {radius: 1, name: big}}, b: {sphere: {radius: 1, name: small, "
    "position: [0.1, 0.2, 0]}}}}\n"
    "bodies:\n"
    "  ball: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [%.17g, %.17g, %.17g], shape: {sphere: "
    "{radius: 1}}}\n"
    "ground: {shape: {half_space: {normal: z, position: [0, 0, %.17g]}}}\n"
    "contacts:\n"
    "  floor: {between: [arm.small, ground], law: linear, stiffness: 1e4, damping: 20, friction: "
    "{%s}}\n"
    "  ball: {between: [arm.big, ball], law: hunt_crossley, stiffness: 1e4, exponent: 1.5, "
    "damping: 0.5, friction: {%s}}\n";

static void check_pressed(TestCtx *t, const RandomPart *p, const char *path, const char *friction)
{
    // frame x of the part is at origin + x; both spheres overlap what they touch by 0.05 m
    const TmlVec3 a = v3_add(p->part.origin, p->frame[0].x),
                  b = v3_add(p->part.origin, p->frame[1].x);
    const double floor = b.z - 0.95;
    char text[4000];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, pressed, path, a.x, a.y + 1.95, a.z, floor, friction, friction);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    if (model == NULL) {
        return;
    }
    Probe probe = probe_open(t, model, &step_kind);
    TmlSystem *sys = probe.sys;
    for (int n = 0; n < 3; ++n) {
        bool patterns;
        tml_system_initial(sys, &probe.s);
        for (int k = 0; k < sys->dim.nq; ++k) {
            probe.s.q[k] += test_random(t, -1, 1) * 3e-3;
            probe.s.v[k] += test_random(t, -1, 1);
            probe.s.a[k] = test_random(t, -1, 1);
        }
        for (int k = 0; k < sys->dim.nx; ++k) {
            probe.s.X[k] = 1e-4 * test_random(t, -1, 1);
        }
        tml_system_retract(sys, probe.s.q);
        for (int k = 0; k < sys->dim.n; ++k) {
            probe.z[k] = 0.02 * test_random(t, -1, 1); // in no step of a difference do they part
        }
        tml_system_kinematics(sys, &probe.s, false);
        CHECK_OK(t, tml_system_touching_renew(sys, 1.0, 0.5, &patterns, &err), &err);
        CHECK_OK(t, tml_system_build_pattern(sys, &err), &err);
        tml_system_commit(sys, &probe.s);
        tml_system_kinematics(sys, &probe.s, false);
        CHECK_INT(t, tml_system_touch_points(sys, NULL, 0), 2);
        probe_check(t, &probe);
    }
    probe_close(&probe);
    tml_model_free(model);
}

TEST(shapes_at_frames_touch)
{
    RandomPart p;
    char path[200];
    random_part(t, 7, &p);
    save_random_part(t, &p, path, sizeof path);
    check_pressed(t, &p, path, "dynamic: 0.3, static_velocity: 0.1");
    check_pressed(t, &p, path, "law: lugre, dynamic: 0.3, static: 0.4, stiffness: 1e3");
    remove(path);
}

TEST_SUITE(modal_equations) = {
    CASE(equations_are_those_of_the_masses),
    CASE(energy_balances),
    CASE(step_matrices_are_derivatives),
    CASE(stage_matrices_are_derivatives),
    CASE(shapes_at_frames_touch),
    {0},
};
