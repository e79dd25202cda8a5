/* tests/wheel/test_rail_contact.c - wheels that a constraint holds on their rails: derivatives, runs by several methods, statics,
 * eigenvalues, and where such a run ends. */
#include "model/model.h"
#include "model/registry.h"
#include "model/wheel/rail/rail_wheel.h"
#include "rail_util.h"
#include "trammel/analysis.h"
#include "trammel/io.h"
#include "trammel/sim.h"

#include "../analysis/study.h"
#include "../model/element_util.h"

enum { SIZE = 12 };

/* A wheel with a conical tread and a flange of 70 degrees, and the head of a UIC 60 rail; mm. */
#define PROFILES                                                                                   \
    "profiles:\n"                                                                                  \
    "  wheel: {unit: mm, arcs: [[-61.06, -16.03], [-38.509, -16.032, -12], [-36.457, -10.394, "    \
    "0], [-24, -1.2, 14], [60, 3, 0]]}\n"                                                          \
    "  rail: {unit: mm, inclination: 1/40, arcs: [[-36.0221, -14.302], [-26.05, -2.304829, 13], "  \
    "[-10.25, -0.1751553, 80], [10.25, -0.1751553, 300], [26.05, -2.304829, 80], [36.0221, "       \
    "-14.302, 13]]}\n"

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "./rail.yaml", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* --- derivatives ---------------------------------------------------------------------------------- */

typedef struct Sample {
    const TmlConstraintType *type;
    TmlFrameKin e[2];
    const void *data;
} Sample;

static TmlElementIn in_of(const Sample *s, const TmlFrameKin *e)
{
    static const double none[1];
    return (TmlElementIn){.data = s->data, .e = e, .n_ends = 2, .memory = none};
}

/* A wheel near its rail, anywhere from the tread to the flange, in motion. */
static void random_sample(TestCtx *t, const TmlModel *m, Sample *s)
{
    const TmlConstraint *joint = &m->constraints.at[0];
    const TmlRailWheel *p = joint->data;
    TmlTrackPoint at;
    double y[3], z[3];
    *s = (Sample){.type = joint->type, .data = p};
    for (int k = 0; k < 2; ++k) {
        s->e[k] = tml_model_initial_kin(m, &joint->end[k]);
    }
    const double out = p->side == 0 ? 1.0 : -1.0, station = test_random(t, 15.0, 60.0);
    tml_track_at(p->track, station, &at);
    tml_track_fault(p->track, p->side, station, y, z);
    const TmlVec3 place = v3(0, out * (p->rail_y + test_random(t, -6e-3, 10e-3)) + y[0],
                             p->rail_z + 0.46 + z[0] + test_random(t, -3e-4, 2e-4));
    const TmlMat33 T = p->track->rotation, A = m3_mul(&T, &at.A);
    s->e[1].r = v3_add(p->track->position, m3_mulv(&T, v3_add(at.r, m3_mulv(&at.A, place))));
    s->e[1].A = (TmlMat33){A.cz, A.cx, A.cy};
    for (int c = 0; c < 3; ++c) {
        s->e[1] = kin_moved(&s->e[1], 3 + c, test_random(t, -5e-3, 5e-3));
        for (int end = 0; end < 2; ++end) {
            s->e[end] = kin_moved(&s->e[end], MOVE_TWIST + c, test_random(t, -0.1, 0.1));
            s->e[end] = kin_moved(&s->e[end], MOVE_TWIST + 3 + c, test_random(t, -0.1, 0.1));
        }
    }
    s->e[1].v = v3_axpy(5.0, A.cx, s->e[1].v);
    s->e[1].omega = v3_axpy(5.0 / 0.46, A.cy, s->e[1].omega);
}

/* Everything that a difference is taken of. */
enum { OF_PHI, OF_GAMMA, OF_J, OF_ALL = OF_J + SIZE };

static void values_at(const Sample *s, const TmlFrameKin *e, double v[OF_ALL])
{
    const TmlElementIn in = in_of(s, e);
    TmlRow J[2];
    s->type->residual(&in, &v[OF_PHI]);
    s->type->gamma(&in, &v[OF_GAMMA]);
    s->type->jacobian(&in, J);
    for (int c = 0; c < SIZE; ++c) {
        v[OF_J + c] = row_entry(&J[c / 6], c % 6);
    }
}

/* The derivative along a coordinate of an end; end 2: along the flight of both ends. */
static void difference(const Sample *s, int end, int move, double h, double d[OF_ALL])
{
    memset(d, 0, OF_ALL * sizeof *d);
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[2] = {s->e[0], s->e[1]};
        double v[OF_ALL];
        for (int k = 0; k < 2; ++k) {
            if (end == 2) {
                e[k] = kin_flown(&e[k], stencil_at[p] * h);
            } else if (k == end) {
                e[k] = kin_moved(&e[k], move, stencil_at[p] * h);
            }
        }
        values_at(s, e, v);
        for (int r = 0; r < OF_ALL; ++r) {
            d[r] += stencil_weight[p] / h * v[r];
        }
    }
}

/* Compares unless two differences disagree: second derivatives of the gap have kinks at the points of a profile, where its
 * curve is put together of cubics, and nothing can be said there. */
static void compare(TestCtx *t, double exact, double coarse, double fine, double limit, int *bends)
{
    if (fabs(exact - fine) > limit && fabs(coarse - fine) > 0.2 * limit) {
        ++*bends;
    } else {
        CHECK_NEAR(t, exact, fine, limit);
    }
}

static void check_sample(TestCtx *t, const Sample *s, int *bends)
{
    const TmlElementIn in = in_of(s, s->e);
    const double lambda = 1.0, h = 2e-6;
    double K[SIZE * SIZE] = {0}, here[OF_ALL], coarse[OF_ALL], fine[OF_ALL];
    TmlRow Gm[2], Gv[2];
    values_at(s, s->e, here);
    s->type->curvature(&in, &lambda, K);
    s->type->gamma_tangent(&in, Gm, Gv);
    double most = 0.0, most_m = 0.0, most_v = 0.0;
    for (int k = 0; k < SIZE; ++k) {
        most_m = fmax(most_m, fabs(row_entry(&Gm[k / 6], k % 6)));
        most_v = fmax(most_v, fabs(row_entry(&Gv[k / 6], k % 6)));
        for (int c = 0; c < SIZE; ++c) {
            most = fmax(most, fabs(K[k * SIZE + c]));
        }
    }
    for (int c = 0; c < SIZE; ++c) {
        difference(s, c / 6, MOVE_MOTION + c % 6, h, coarse);
        difference(s, c / 6, MOVE_MOTION + c % 6, 0.4 * h, fine);
        // rounding of the gap, 1e-16 of metres over the step
        compare(t, here[OF_J + c], coarse[OF_PHI], fine[OF_PHI], 1e-7, bends);
        for (int r = 0; r < SIZE; ++r) {
            // the place of the contact is found to 1e-15 m, by slopes: 1e-9 over the step; splines bend within it
            compare(t, K[r * SIZE + c], coarse[OF_J + r], fine[OF_J + r], 1e-5 * most + 1e-6,
                    bends);
        }
        // third derivatives: a difference itself
        compare(t, row_entry(&Gm[c / 6], c % 6), coarse[OF_GAMMA], fine[OF_GAMMA],
                1e-2 * most_m + 1e-4, bends);
        difference(s, c / 6, MOVE_TWIST + c % 6, 0.1, fine); // a quadratic form: exact
        CHECK_NEAR(t, row_entry(&Gv[c / 6], c % 6), fine[OF_GAMMA], 1e-9 * most_v + 1e-10);
    }
    // without accelerations the velocity of the gap changes by -gamma
    double rate[2] = {0.0, 0.0};
    for (int fineness = 0; fineness < 2; ++fineness) {
        const double step = fineness == 0 ? 1e-6 : 4e-7;
        for (int p = 0; p < STENCIL; ++p) {
            const TmlFrameKin e[2] = {kin_flown(&s->e[0], stencil_at[p] * step),
                                      kin_flown(&s->e[1], stencil_at[p] * step)};
            double v[OF_ALL], speed = 0.0;
            values_at(s, e, v);
            for (int c = 0; c < SIZE; ++c) {
                const TmlVec3 *part = c % 6 < 3 ? &e[c / 6].v : &e[c / 6].omega;
                speed += v[OF_J + c] * (c % 3 == 0 ? part->x : c % 3 == 1 ? part->y : part->z);
            }
            rate[fineness] += stencil_weight[p] / step * speed;
        }
    }
    // a motion of 5 m/s over the step: rounding 1e-15 over it
    compare(t, -here[OF_GAMMA], rate[0], rate[1], 1e-6 * (1.0 + fabs(here[OF_GAMMA])), bends);
}

TEST(derivatives_match_differences)
{
    static const char *const tracks[] = {
        "position: [0, 0, 0]",
        "position: [19.9, 0, 0], rotation: {axis: z, angle: 0.02}, segments: [{straight: 15}, "
        "{transition: 20}, {arc: 50, radius: 300, cant: 0.1, gradient: 0.01}], irregularities: "
        "{spectrum: aar4, seed: 3}",
        "pivot: low, segments: [{straight: 15}, {transition: 20, shape: smooth}, {arc: 50, radius: "
        "-250, cant: 0.08}], irregularities: {vertical: {x: [0, 10, 20, 40, 80], y: [0, 1e-3, 0, "
        "-2e-3, 0]}, gauge: {x: [0, 30, 50, 80], y: [0, 2e-3, 1e-3, 0]}}",
        // steep and rough beyond all railways: the station of a wheel counts by the product of slope and bend (G1) and by that of the
        // irregularities
        "segments: [{straight: 15}, {transition: 45}, {straight: 20, gradient: 0.8}], "
        "irregularities: "
        "{vertical: {x: [0, 15, 30, 45, 60, 80], y: [0, 0, 1, 0, 1, 0]}}"};
    for (int k = 0; k < 8; ++k) {
        char text[4096];
        int bends = 0;
        const char *const side = k % 2 == 0 ? "left" : "right";
        snprintf(text, sizeof text,
                 "trammel: 1\nbodies:\n"
                 "  post: {mass: 5, inertia: [1, 1, 1], position: [0.3, 0.2, -0.4]}\n"
                 "  wheel: {mass: 20, inertia: [1, 2, 1], position: [20, 0, 0.46]}\n" PROFILES
                 "tracks: {line: {rail: rail, %s}}\njoints:\n"
                 "  w: {type: rail_contact, bodies: [post, wheel], at: [20, %s, 0.46], axis: y, "
                 "track: line, side: %s, profile: wheel, radius: 0.46}\n",
                 tracks[k % 4], k % 2 == 0 ? "0.751" : "-0.751", side);
        TmlModel *m = load(t, text);
        for (int i = 0; m != NULL && i < 12; ++i) {
            Sample s;
            random_sample(t, m, &s);
            check_sample(t, &s, &bends);
        }
        CHECK(t, bends < 12 * (SIZE * SIZE + SIZE + 1) / 10); // one in ten at most
        tml_model_free(m);
    }
}

/* --- runs ------------------------------------------------------------------------------------------ */

/* A wheelset on springs that roll along with it; parameters behind `more`. a: the track is turned by it about z and moved. */
static const char hunting[] =
    "trammel: 1\n"
    "parameters: {a: 0, X: 0, Y: 0, speed: 20, y0: 2 mm, lift: 0, push: 0}\n"
    "gravity: -z\n"
    "bodies:\n"
    "  set: {mass: 1250, inertia: [700, 250, 700], position: [X - y0*sin(a), Y + y0*cos(a), "
    "0.46],\n"
    "        rotation: {axis: z, angle: a}, velocity: [speed*cos(a), speed*sin(a), 0],\n"
    "        angular_velocity: [-speed/0.46*sin(a), speed/0.46*cos(a), 0]}\n"
    "frames:\n"
    "  rails: {position: [X, Y, 0], rotation: {axis: z, angle: a}}\n"
    "  left_wheel: {body: set, position: [0, 0.75, 0], rotation: {z: y, x: x}}\n"
    "  right_wheel: {body: set, position: [0, -0.75, 0], rotation: {z: y, x: x}}\n" PROFILES
    "tracks: {line: {rail: rail, position: [X, Y, 0], rotation: {axis: z, angle: a}}}\n"
    "joints:\n"
    "  left: {type: rail_contact, frames: [ground, left_wheel], track: line, side: left, profile: "
    "wheel, radius: 0.46}\n"
    "  right: {type: rail_contact, frames: [ground, right_wheel], track: line, side: right, "
    "profile: wheel, radius: 0.46}\n"
    "forces:\n"
    "  creep_l: {type: rail_creep, joint: left, friction: 0.4}\n"
    "  creep_r: {type: rail_creep, joint: right, friction: 0.4}\n"
    "  load: {type: force, body: set, fz: -80e3 + lift*time}\n"
    "  springs: {type: force, body: set, axes: first,\n"
    "    fx: '(500e3*DY(set, rails, rails) - push*time)*sin(a)',\n"
    "    fy: '-(500e3*DY(set, rails, rails) - push*time)*cos(a)'}\n"
    "  turning: {type: torque, body: set, tz: -405e3*output(creep_l).yaw}\n"
    "outputs: {y: 'DY(set, rails, rails)', x: 'DX(set, rails, rails)', load: "
    "output(creep_l).vertical,\n"
    "          yaw: output(creep_l).yaw, bearing: output(creep_l).bearing}\n"
    "simulate: {end: 0.3}\n";

typedef struct Final {
    double y, x, load, yaw, bearing, time;
} Final;

/* The last row of a run with some parameters, or of statics where method is NULL. */
static bool hunt(TestCtx *t, const char *method, double tolerance, int n, const char *const *name,
                 const double *value, Final *out)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlStatus status = tml_load_text(hunting, "./hunting.yaml", n, name, value, &m, &err);
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    o.tolerance = tolerance;
    if (status == TML_OK) {
        status = tml_sim_create(m, &o, &sim, &err);
    }
    if (status == TML_OK) {
        status = method != NULL ? tml_sim_run(sim, NULL, NULL, &err)
                                : tml_sim_statics(sim, NULL, NULL, &err);
    }
    CHECK_OK(t, status, &err);
    if (status == TML_OK) {
        *out = (Final){tml_row_channel(sim, 0), tml_row_channel(sim, 1), tml_row_channel(sim, 2),
                       tml_row_channel(sim, 3), tml_row_channel(sim, 4), tml_sim_time(sim)};
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return status == TML_OK;
}

/* All methods that pass stiff creep find the same motion. */
TEST(methods_agree)
{
    static const char *const method[] = {
        "radau", "hht", "generalized-alpha", "bdf-i3", "bdf-si2", "rosenbrock", "dop853"};
    // with steps of second order an error of 1e-8 a step adds up over a thousand steps, part of which cancels; measured 2e-7 m
    static const double limit = 1e-6;
    Final first = {0};
    for (int k = 0; k < 7; ++k) {
        Final f = {0};
        t->name = method[k];
        if (hunt(t, method[k], k == 0 ? 1e-9 : 1e-8, 0, NULL, NULL, &f)) {
            first = k == 0 ? f : first;
            CHECK_NEAR(t, f.y, first.y, limit);
            CHECK_NEAR(t, f.x, first.x, limit);
            CHECK_NEAR(t, f.load, first.load,
                       1e-4 * first.load); // 5 N: accelerations of 1e-3 m/s^2
            CHECK(t, fabs(f.y) < 1.9e-3 && f.x > 5.9);
        }
    }
    // the load of both is the weight and 80 kN; the outputs tell the constraint's force with that of the creep
    CHECK_NEAR(t, first.load, 0.5 * (1250.0 * 9.80665 + 80e3), 0.05 * first.load);
}

/* The same motion on a track that is turned. (Moved by metres, assembly puts it elsewhere by some micrometres.) */
TEST(turned)
{
    static const char *const name = "a";
    static const double angle = 2.1;
    Final a = {0}, b = {0};
    if (hunt(t, "radau", 1e-9, 0, NULL, NULL, &a) && hunt(t, "radau", 1e-9, 1, &name, &angle, &b)) {
        // errors of 1e-9 a step
        CHECK_NEAR(t, b.y, a.y, 1e-8);
        CHECK_NEAR(t, b.x, a.x, 1e-8);
        CHECK_NEAR(t, b.yaw, a.yaw, 1e-8);
    }
}

/* In two pieces as in one: the place of the contact goes on with the run. */
TEST(runs_in_pieces)
{
    TmlModel *m = load(t, hunting);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *first, *second = NULL;
    TmlError err = {0};
    Final whole = {0};
    o.integrator = "radau";
    o.tolerance = 1e-9;
    first = m != NULL ? study_sim(t, m, &o) : NULL;
    if (first != NULL && hunt(t, "radau", 1e-9, 0, NULL, NULL, &whole)) {
        CHECK_OK(t, tml_sim_run(first, NULL, NULL, &err), &err);
        o.from = first;
        o.end_time = 0.3;
        CHECK_OK(t, tml_sim_create(m, &o, &second, &err), &err);
    }
    if (second != NULL) {
        CHECK_OK(t, tml_sim_run(second, NULL, NULL, &err), &err);
        CHECK_NEAR(t, tml_row_channel(second, 0), whole.y, 1e-8); // other steps: 1e-9 each
        CHECK_NEAR(t, tml_row_channel(second, 2), whole.load, 1e-5 * whole.load);
    }
    tml_sim_free(second);
    tml_sim_free(first);
    tml_model_free(m);
}

/* Statics finds the middle of the track, and half of the load on each wheel. */
TEST(statics_of_a_wheelset)
{
    static const char *const name = "speed";
    static const double rest = 0.0;
    Final f = {0};
    if (hunt(t, NULL, 1e-6, 1, &name, &rest, &f)) {
        CHECK_NEAR(t, f.y, 0.0, 1e-9); // statics ends at 1e-10 of the model's size
        CHECK_NEAR(t, f.load, 0.5 * (1250.0 * 9.80665 + 80e3), 1e-4);
        CHECK_NEAR(t, f.bearing, f.load / cos(atan(0.05)), 1e-4); // the cone is 1 in 20
    }
}

/* Where the constraint would have to pull, and where a second place touches, the run ends. */
TEST(ends_of_contact_by_constraint)
{
    static const char *const names[] = {"lift", "push"};
    static const double lifted[] = {600e3, 0.0}, pushed[] = {0.0, 20e6};
    Final f = {0};
    if (hunt(t, "radau", 1e-7, 2, names, lifted, &f)) {
        // 600e3 t carries the weight and 80 kN at 0.154 s. The shift of 2 mm takes up to 13 % of the load from one wheel, which
        // is lifted off before
        const double all = (1250.0 * 9.80665 + 80e3) / 600e3;
        CHECK_NEAR(t, f.time, all, 0.13 * all);
        CHECK_NEAR(t, f.bearing, 0.0, 2000.0); // 5 % of the load: the channel is the left wheel's
    }
    if (hunt(t, "radau", 1e-7, 2, names, pushed, &f)) {
        CHECK(t, f.time < 0.25 && f.y > 4e-3 && f.y < 9e-3); // the play of the flange
    }
}

TEST(bad_input_is_told)
{
    static const char *const text =
        "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: y}}\n"
        "forces: {c: {type: rail_creep, joint: pin}}\n";
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK(t, tml_load_text(text, "./bad.yaml", 0, NULL, NULL, &m, &err) != TML_OK);
    CHECK_HAS(t, err.message, "joint 'pin' is of type revolute; creep forces need a rail_contact");
    tml_model_free(m);
}

TEST_SUITE(rail_contact) = {CASE(derivatives_match_differences),
                            CASE(methods_agree),
                            CASE(turned),
                            CASE(runs_in_pieces),
                            CASE(statics_of_a_wheelset),
                            CASE(ends_of_contact_by_constraint),
                            CASE(bad_input_is_told),
                            {0}};
