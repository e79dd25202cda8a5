/* tests/system/test_closure.c - onto the constraints from anywhere near, and by a path.
 *
 * Loops of four links with parallel pins in space have three redundant rows: off the constraints
 * these contradict each other, which is what makes a plain iteration slow.
 */
#include "test.h"

#include "analysis/driver/sim_internal.h"
#include "math/vec3.h"
#include "system/consistent/closure.h"
#include "system/system_internal.h"
#include "trammel/io.h"

#include <stdlib.h>

/* A plane loop of four points, turned, shifted and scaled. */
typedef struct Loop {
    TmlVec3 p[4], axis;
} Loop;

static TmlVec3 turned(TmlQuat q, TmlVec3 x)
{
    const TmlVec3 u = v3(q.x, q.y, q.z);
    return v3_add(x, v3_scale(2.0, v3_cross(u, v3_axpy(q.w, x, v3_cross(u, x)))));
}

static Loop random_loop(TestCtx *t, double length)
{
    static const double corner[4][2] = {{0, 0}, {0, 1}, {1.5, 1.3}, {1.8, 0}};
    const TmlQuat q = test_quat(t);
    const TmlVec3 shift = v3_scale(3.0 * length, test_vec3(t));
    Loop loop = {.axis = turned(q, v3(0, 0, 1))};
    for (int k = 0; k < 4; ++k) {
        const double x = corner[k][0] + test_random(t, -0.2, 0.2);
        const double y = corner[k][1] + test_random(t, -0.2, 0.2);
        loop.p[k] = v3_axpy(length, turned(q, v3(x, y, 0)), shift);
    }
    return loop;
}

static int put_link(char *text, size_t size, const char *name, TmlVec3 a, TmlVec3 b, double mass,
                    double length)
{
    const TmlVec3 c = v3_scale(0.5, v3_add(a, b));
    const double J = 0.1 * mass * length * length;
    return snprintf(text, size,
                    "  %s: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], "
                    "position: [%.17g, %.17g, %.17g]}\n",
                    name, mass, J, J, J, c.x, c.y, c.z);
}

static int put_pin(char *text, size_t size, const char *name, const char *bodies, TmlVec3 at,
                   TmlVec3 z)
{
    return snprintf(text, size,
                    "  %s: {type: revolute, bodies: [%s], at: [%.17g, %.17g, %.17g], "
                    "axis: [%.17g, %.17g, %.17g]}\n",
                    name, bodies, at.x, at.y, at.z, z.x, z.y, z.z);
}

/* drive: an entry of joints, or "". Masses differ by a factor of up to a thousand. */
static TmlModel *loop_model(TestCtx *t, const Loop *l, double length, const char *drive)
{
    char text[8192];
    size_t at = 0;
    TmlModel *model = NULL;
    TmlError err = {0};
#define PUT(call) at += (size_t)(call)
    PUT(snprintf(text, sizeof text, "trammel: 1\nbodies:\n"));
    PUT(put_link(text + at, sizeof text - at, "crank", l->p[0], l->p[1],
                 pow(10.0, test_random(t, -2.0, 1.0)), length));
    PUT(put_link(text + at, sizeof text - at, "rod", l->p[1], l->p[2],
                 pow(10.0, test_random(t, -2.0, 1.0)), length));
    PUT(put_link(text + at, sizeof text - at, "rocker", l->p[2], l->p[3],
                 pow(10.0, test_random(t, -2.0, 1.0)), length));
    PUT(snprintf(text + at, sizeof text - at, "joints:\n"));
    PUT(put_pin(text + at, sizeof text - at, "A", "ground, crank", l->p[0], l->axis));
    PUT(put_pin(text + at, sizeof text - at, "B", "crank, rod", l->p[1], l->axis));
    PUT(put_pin(text + at, sizeof text - at, "C", "rod, rocker", l->p[2], l->axis));
    PUT(put_pin(text + at, sizeof text - at, "D", "ground, rocker", l->p[3], l->axis));
    PUT(snprintf(text + at, sizeof text - at, "%soutputs: {a: angle(A), d: angle(D)}\n", drive));
#undef PUT
    CHECK(t, at < sizeof text);
    CHECK_OK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err), &err);
    return model;
}

static TmlSim *loop_sim(TestCtx *t, const TmlModel *model)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    if (model != NULL) {
        CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    }
    return sim;
}

static void disturb(TestCtx *t, const TmlSystem *sys, TmlState *s, double amount)
{
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] += amount * test_random(t, -1.0, 1.0) * sys->dim.unit_q[k];
    }
    tml_system_retract(sys, s->q);
}

/* |Phi| <= `curve` |Phi_before|^2 as long as that is above rounding (1e-14 in each row, and its
 * square root once more for what an iteration makes of it). 100: rows are relative to their size,
 * so that their second derivatives are of the order of one, divided by weak ones of the loop. */
static void check_quadratic(TestCtx *t, const TmlClosure *cl)
{
    const double curve = 100.0, floor = 3e-13;
    for (int k = 0; k + 1 < cl->n_norms; ++k) {
        const double before = cl->norms[k], after = cl->norms[k + 1];
        if (before < 1e-3) {
            CHECK(t, after <= curve * before * before + floor);
        }
    }
}

TEST(redundant_loops_close_quadratically)
{
    static const double length[] = {1e-3, 1.0, 1e3}, amount[] = {1e-6, 1e-3, 0.05};
    int most = 0;
    for (int n = 0; n < 25; ++n) {
        for (int u = 0; u < 3; ++u) {
            const Loop loop = random_loop(t, length[u]);
            TmlModel *model = loop_model(t, &loop, length[u], "");
            TmlSim *sim = loop_sim(t, model);
            TmlError err = {0};
            for (int k = 0; sim != NULL && k < 3; ++k) {
                TmlState *s = &sim->it.now;
                disturb(t, sim->sys, s, amount[k]);
                CHECK_OK(t, tml_closure_create(sim->sys, &err), &err);
                const double left = tml_system_close(sim->sys, s, (TmlCloseWhat){.position = true});
                // the iteration goes on to rounding, 1e-14 in each row
                CHECK_NEAR(t, left, 0.0, 1e-13);
                check_quadratic(t, sim->sys->closure);
                most = sim->sys->closure->n_norms > most ? sim->sys->closure->n_norms : most;
                tml_closure_free(sim->sys);
            }
            tml_sim_free(sim);
            tml_model_free(model);
        }
    }
    CHECK(t,
          most <= 12); // from a twentieth of a length, quadratically: 5 or 6, and some to get there
}

/* How far the loop is from its limits when the crank turns by `angle`: positive, rod and rocker can
 * meet, in parts of their lengths. */
static double margin_of(const Loop *l, double angle)
{
    const TmlVec3 x = v3_sub(l->p[1], l->p[0]), y = v3_cross(l->axis, x);
    const TmlVec3 tip = v3_add(l->p[0], v3_axpy(cos(angle), x, v3_scale(sin(angle), y)));
    const double rod = v3_norm(v3_sub(l->p[2], l->p[1])), d = v3_norm(v3_sub(l->p[3], tip));
    const double rocker = v3_norm(v3_sub(l->p[3], l->p[2]));
    return fmin(rod + rocker - d, d - fabs(rod - rocker)) / (rod + rocker);
}

/* The least margin on the way. */
static double margin_to(const Loop *l, double angle)
{
    double least = 1.0;
    for (int k = 0; k <= 100; ++k) {
        least = fmin(least, margin_of(l, 0.01 * k * angle));
    }
    return least;
}

/* Where the crank is wanted, from where it stands: the assembly takes it there when it can be taken
 * there, and refuses, with the drive's name, what is out of reach. Within 1e-4 of the limit, where
 * a misfit of less than 1e-7 may close the loop by bending it, nothing is said. */
TEST(drives_far_from_the_start_are_reached)
{
    static const double length[] = {1e-3, 1.0, 1e3};
    int reached = 0, refused = 0;
    for (int n = 0; n < 90; ++n) {
        const double unit = length[n % 3], angle = test_random(t, -2.0, 2.0);
        const Loop loop = random_loop(t, unit);
        char drive[160];
        snprintf(drive, sizeof drive, "  drive: {type: motion, joint: A, function: %.17g}\n",
                 angle);
        TmlModel *model = loop_model(t, &loop, unit, drive);
        TmlSimOptions o = tml_sim_options_default();
        TmlSim *sim = NULL;
        TmlError err = {0};
        o.end_time = 1.0;
        const TmlStatus status = tml_sim_create(model, &o, &sim, &err);
        if (margin_to(&loop, angle) > 1e-4) {
            CHECK_OK(t, status, &err);
            reached++;
        }
        if (margin_of(&loop, angle) < -1e-4) {
            CHECK(t, status == TML_E_ASSEMBLY);
            CHECK(t, strstr(err.message, "'drive' (off by") != NULL);
            refused++;
        }
        if (status == TML_OK) {
            double level[3]; // relative to the length, rows of angles too
            tml_system_violation(sim->sys, &sim->it.now, level);
            // rounding; 1e-14 was measured next to dead points
            CHECK_NEAR(t, level[0] * fmin(1.0, sim->sys->dim.length), 0.0, 1e-13);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    CHECK(t, reached > 40 && refused > 5);
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

/* The path of the drive ends where a run that moves it arrives: on the same branch. The run is off
 * by its tolerance; the drive's row and those of the pins leave no freedom, so by rounding only. */
TEST(path_of_a_drive_is_that_of_a_run)
{
    for (int n = 0; n < 20; ++n) {
        Loop loop;
        double angle;
        do {
            loop = random_loop(t, 1.0);
            angle = test_random(t, -2.0, 2.0);
        } while (margin_to(&loop, angle) < 0.02);
        char drive[160];
        snprintf(drive, sizeof drive,
                 "  drive: {type: motion, joint: A, function: \"%.17g*step5(time, 0, 0, 1, 1)\"}\n",
                 angle);
        TmlModel *model = loop_model(t, &loop, 1.0, drive);
        TmlSim *path = loop_sim(t, model), *run = loop_sim(t, model);
        TmlError err = {0};
        if (path != NULL && run != NULL) {
            TmlSystem *sys = path->sys;
            TmlState *s = &path->it.now;
            CHECK_OK(t, tml_sim_run(run, no_row, NULL, &err), &err);
            CHECK_OK(t, tml_closure_create(sys, &err), &err);
            memcpy(sys->closure->q0, s->q, (size_t)sys->dim.nq * sizeof *s->q);
            s->t = 1.0;
            CHECK_NEAR(t, tml_closure_follow(sys, s, 1.0), 0.0, 1e-13);
            for (int k = 0; k < sys->dim.nq; ++k) {
                CHECK_NEAR(t, s->q[k], run->it.now.q[k], 1e-10);
            }
            tml_closure_free(sys);
        }
        tml_sim_free(path);
        tml_sim_free(run);
        tml_model_free(model);
    }
}

/* A platform on three legs of two parts, in space: many rows too many. Lengths times `L`; the rods
 * are light and slender, as those of actuators are. */
static const char platform[] =
    "trammel: 1\n"
    "parameters: {L: 1, D1: 0, D2: 0, D3: 0}\n"
    "bodies:\n"
    "  plate: {mass: 2.5, inertia: [0.1*L^2, 0.2*L^2, 0.2*L^2], position: [0.9*L, 0.8*L, 0]}\n"
    "  base1: {mass: 4, inertia: [2e-3*L^2, 0.1*L^2, 0.1*L^2], position: [0.15*L, 0.2*L, 0]}\n"
    "  base2: {mass: 4, inertia: [2e-3*L^2, 0.1*L^2, 0.1*L^2], position: [1.9*L, 0.2*L, 0]}\n"
    "  base3: {mass: 4, inertia: [2e-3*L^2, 0.1*L^2, 0.1*L^2], position: [0.34*L, 1.8*L, 0]}\n"
    "  rod1: {mass: 0.5, inertia: [5e-5*L^2, 0.02*L^2, 0.02*L^2], position: [0.45*L, 0.6*L, 0]}\n"
    "  rod2: {mass: 0.5, inertia: [5e-5*L^2, 0.02*L^2, 0.02*L^2], position: [1.4*L, 0.6*L, 0]}\n"
    "  rod3: {mass: 0.5, inertia: [5e-5*L^2, 0.02*L^2, 0.02*L^2], position: [0.76*L, 1.2*L, 0]}\n"
    "joints:\n"
    "  A1: {type: revolute, bodies: [ground, base1], at: [0, 0, 0], axis: z}\n"
    "  A2: {type: revolute, bodies: [ground, base2], at: [2*L, 0, 0], axis: z}\n"
    "  A3: {type: revolute, bodies: [ground, base3], at: [0.2*L, 2*L, 0], axis: z}\n"
    "  S1: {type: translational, bodies: [base1, rod1], at: [0.3*L, 0.4*L, 0], axis: [0.6, 0.8, "
    "0]}\n"
    "  S2: {type: translational, bodies: [base2, rod2], at: [1.6*L, 0.4*L, 0],\n"
    "       axis: [-0.7, 0.8, 0]}\n"
    "  S3: {type: translational, bodies: [base3, rod3], at: [0.55*L, 1.5*L, 0],\n"
    "       axis: [0.7, -1, 0]}\n"
    "  B1: {type: revolute, bodies: [rod1, plate], at: [0.6*L, 0.8*L, 0], axis: z}\n"
    "  B2: {type: cylindrical, bodies: [rod2, plate], at: [1.3*L, 0.8*L, 0], axis: z}\n"
    "  B3: {type: cylindrical, bodies: [rod3, plate], at: [0.9*L, 1*L, 0], axis: z}\n"
    "  M1: {type: motion, joint: S1, coordinate: displacement, function: D1*L}\n"
    "  M2: {type: motion, joint: S2, coordinate: displacement, function: D2*L}\n"
    "  M3: {type: motion, joint: S3, coordinate: displacement, function: D3*L}\n";

TEST(driven_platforms_assemble_in_any_unit)
{
    static const char *const name[] = {"L", "D1", "D2", "D3"};
    static const double length[] = {1e-3, 1.0, 1e3};
    for (int n = 0; n < 30; ++n) {
        // away from the position, 0.006 off the other way, where the lines of the legs meet
        const double value[] = {length[n % 3], test_random(t, -0.05, 0.0),
                                test_random(t, 0.0, 0.05), test_random(t, 0.0, 0.05)};
        TmlModel *model = NULL;
        TmlError err = {0};
        CHECK_OK(t, tml_load_text(platform, "test", 4, name, value, &model, &err), &err);
        TmlSim *sim = loop_sim(t, model);
        if (sim != NULL) {
            double level[3];
            tml_system_violation(sim->sys, &sim->it.now, level);
            // rounding, as of loops above
            CHECK_NEAR(t, level[0] * fmin(1.0, sim->sys->dim.length), 0.0, 1e-13);
            CHECK_INT(t, tml_sim_stats(sim).degrees_of_freedom, 0);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A ring that a table carries with a bead on it, and a bead on a cable that a block clamps; d:
 * where all of it lies, u: the unit of length. */
static const char places[] =
    "trammel: 1\n"
    "parameters: {d: 0, u: 1}\n"
    "bodies:\n"
    "  table: {mass: 1, inertia: [0.1*u^2, 0.1*u^2, 0.1*u^2], position: [d, 2*d, 0],\n"
    "          velocity: [0.3*u, 0, 0], angular_velocity: [0, 0.5, 2]}\n"
    "  pearl: {mass: 0.2, inertia: [0.01*u^2, 0.01*u^2, 0.01*u^2], position: [d + u/2, 2*d, 0],\n"
    "          velocity: [0.7*u, 0.4*u, -0.2*u]}\n"
    "  block: {mass: 2, inertia: [0.1*u^2, 0.1*u^2, 0.1*u^2], position: [d + 2*u, 2*d, 0],\n"
    "          velocity: [0, 0.2*u, 0], angular_velocity: [0.3, 0, 1]}\n"
    "  bead: {type: point, mass: 0.1, position: [d + 2.5*u, 2*d, 0], velocity: [0, 0.5*u, 0]}\n"
    "paths:\n"
    "  ring: {closed: true, points: [[u/2, 0, 0], [0, u/2, 0], [-u/2, 0, 0], [0, -u/2, 0]]}\n"
    "flexible:\n"
    "  rope: {type: cable, line: [[d + 2.2*u, 2*d, 0], [d + 2.9*u, 2*d, 0]], elements: 2,\n"
    "         material: {E: 1e6/u, density: 1000/u^3}, section: {radius: 0.01*u},\n"
    "         start: {clamp: block}}\n"
    "joints:\n"
    "  groove: {type: point_on_path, frames: [table, pearl], path: ring}\n"
    "  slide: {type: point_on_curve, frames: [rope, bead]}\n"
    "simulate: {end: 1, output_step: 0.1}\n";

/* Tolerances and the metric of assembly count lengths by the size of the model, which depends
 * neither on where it lies nor on the unit; so do the velocities at the start. */
TEST(size_and_start_do_not_depend_on_origin_and_unit)
{
    static const char *const name[2] = {"d", "u"};
    static const double value[4][2] = {{0, 1}, {40, 1}, {0, 1e-3}, {0, 1e3}};
    double length = 0.0, *v = NULL;
    for (int k = 0; k < 4; ++k) {
        TmlModel *model = NULL;
        TmlError err = {0};
        CHECK_OK(t, tml_load_text(places, "test", 2, name, value[k], &model, &err), &err);
        TmlSim *sim = loop_sim(t, model);
        const double u = value[k][1];
        for (int i = 0; sim != NULL && i < sim->sys->dim.nq; ++i) {
            const double unit = sim->sys->dim.unit_q[i] == 1.0 ? 1.0 : u;
            v = v != NULL ? v : calloc((size_t)sim->sys->dim.nq, sizeof *v);
            if (k == 0) {
                length = sim->sys->dim.length;
                v[i] = sim->it.now.v[i];
            }
            // rounding of the solution, and of places 100 m away
            CHECK_NEAR(t, sim->it.now.v[i] / unit, v[i], 1e-11);
        }
        CHECK_NEAR(t, sim != NULL ? sim->sys->dim.length / u : 0.0, length, 1e-12);
        tml_sim_free(sim);
        tml_model_free(model);
    }
    free(v);
}

TEST_SUITE(closure) = {
    CASE(redundant_loops_close_quadratically),
    CASE(drives_far_from_the_start_are_reached),
    CASE(path_of_a_drive_is_that_of_a_run),
    CASE(driven_platforms_assemble_in_any_unit),
    CASE(size_and_start_do_not_depend_on_origin_and_unit),
    {0},
};
