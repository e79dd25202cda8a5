/* tests/analysis/test_statics_branch.c - which equilibrium is found where there are several, and
 * what is said of its stability and of others.
 *
 * Positions are good to 1e-10 of the size of the model, see test_statics.c.
 */
#include "study.h"

#include "trammel/analysis.h"

#include <stdarg.h>

static const double pi = 3.14159265358979323846;

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlStaticsInfo info;
    TmlStatus status;
    TmlError err;
} Case;

static void case_make(TestCtx *t, bool nearest, Case *c, const char *format, ...)
{
    const TmlSimOptions options = study_options(1.0, 0.1, NULL);
    TmlStaticsOptions o = tml_statics_options_default();
    char text[3072];
    va_list args;
    va_start(args, format);
    CHECK(t, vsnprintf(text, sizeof text, format, args) < (int)sizeof text);
    va_end(args);
    *c = (Case){.model = study_model(t, text), .status = TML_E_INTERNAL};
    c->sim = study_sim(t, c->model, &options);
    o.nearest = nearest;
    if (c->sim != NULL) {
        c->status = tml_sim_statics(c->sim, &o, &c->info, &c->err);
    }
    CHECK_OK(t, c->status, &c->err);
}

static void case_free(Case *c)
{
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

static double value(const Case *c, const char *channel)
{
    return c->status == TML_OK ? tml_row_channel(c->sim, tml_sim_channel_find(c->sim, channel))
                               : (double)NAN;
}

/* --- standing still --------------------------------------------------------------------------- */

static const char pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0, 0.5, 0],\n"
    "               rotation: {axis: z, angle: %.17g}}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
    "outputs: {x: DX(bar.cm), y: DY(bar.cm)}\n";

/* Statics has a tolerance of 1e-10 of the largest force, which is as much of places of size one. */
static const double EQUILIBRIUM = 1e-10;

/* From beside the upright position the pendulum comes to hang, and the other one is told; asked for
 * the nearest it stands, unstable, and falls with sqrt(m g l / I) as the inertia about the pin is
 * 0.21 + 2 / 4. */
TEST(inverted_pendulum)
{
    const double growth = sqrt(2 * 9.81 * 0.5 / (0.21 + 0.5));
    Case c;
    case_make(t, false, &c, pendulum, 0.04);
    CHECK_NEAR(t, value(&c, "y"), -0.5, EQUILIBRIUM);
    CHECK_INT(t, c.info.unstable, 0);
    CHECK(t, c.info.nearer);
    CHECK_INT(t, c.info.nearer_unstable, 1);
    CHECK_NEAR(t, c.info.nearer_turned, 0.04, EQUILIBRIUM);
    CHECK(t, c.info.beyond > 50); // pi over 0.04
    case_free(&c);
    case_make(t, true, &c, pendulum, 0.04);
    CHECK_NEAR(t, value(&c, "y"), 0.5, EQUILIBRIUM);
    CHECK_INT(t, c.info.unstable, 1);
    CHECK_NEAR(t, c.info.growth, growth, 5e-8); // 4e-9 was measured
    CHECK(t, !c.info.nearer);
    case_free(&c);
    // exactly there: it stays, and that it is unstable is said
    case_make(t, false, &c, pendulum, 0.0);
    CHECK_NEAR(t, value(&c, "y"), 0.5, 1e-12);
    CHECK_INT(t, c.info.unstable, 1);
    CHECK(t, !c.info.nearer);
    case_free(&c);
    case_make(t, false, &c, pendulum, pi + 0.3);
    CHECK_INT(t, c.info.unstable, 0);
    CHECK_NEAR(t, value(&c, "y"), -0.5, 1e-10);
    CHECK(t, !c.info.nearer);
    case_free(&c);
}

/* Two wells: F = 30 (x - x^3), rest at -1 and 1, unstable at 0. The size of a model must not tell:
 * lengths in units of s. */
TEST(two_wells)
{
    static const struct {
        double start, end;
        bool nearer;
    } cases[] = {{0.8, 1, false}, {0.05, 1, true}, {-0.05, -1, true}, {-1.3, -1, false}};
    static const double scales[] = {1.0, 1e-3, 1e3};
    for (int k = 0; k < 12; ++k) {
        const double s = scales[k / 4];
        Case c;
        case_make(t, false, &c,
                  "trammel: 1\n"
                  "bodies: {m: {type: point, mass: 2, position: [%.17g, 0, 0]}}\n"
                  "frames: {x: {position: [5*s, 0, 0], rotation: {z: x, x: y}}}\n"
                  "joints: {rail: {type: point_on_line, frames: [x, m]}}\n"
                  "parameters: {s: %.17g}\n"
                  "forces: {wells: {type: force, body: m, fx: 30*(DX(m)/s - (DX(m)/s)^3)}}\n"
                  "outputs: {x: DX(m)/s}\n",
                  cases[k % 4].start * s, s);
        CHECK_NEAR(t, value(&c, "x"), cases[k % 4].end, EQUILIBRIUM);
        CHECK_INT(t, c.info.unstable, 0);
        CHECK(t, c.info.nearer == cases[k % 4].nearer);
        case_free(&c);
    }
}

/* Columns of links on torsion springs, standing: all unstable motions are counted, also where only
 * some of the motions are looked at. Compared with the eigenvalues of the linear system. */
TEST(count_of_a_chain)
{
    static const struct {
        int links;
        double stiffness;
    } cases[] = {{3, 4.0}, {24, 200.0}, {24, 20.0}, {24, 1e5}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        Case c;
        case_make(
            t, false, &c,
            "trammel: 1\n"
            "parameters: {N: %d, k: %.17g}\n"
            "gravity: [0, -9.81, 0]\n"
            "bodies:\n"
            "  for i in 1..N:\n"
            "    \"l{i}\": {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, i - 0.5, 0]}\n"
            "joints:\n"
            "  j1: {type: revolute, bodies: [ground, l1], at: [0, 0, 0], axis: z}\n"
            "  for i in 2..N:\n"
            "    \"j{i}\": {type: revolute, bodies: [\"l{i-1}\", \"l{i}\"],\n"
            "              at: [0, i - 1, 0], axis: z}\n"
            "forces:\n"
            "  s1: {type: rotational_spring, joint: j1, stiffness: k}\n"
            "  for i in 2..N:\n"
            "    \"s{i}\": {type: rotational_spring, joint: \"j{i}\", stiffness: k}\n",
            cases[k].links, cases[k].stiffness);
        TmlLinear *lin = NULL;
        int growing = 0;
        if (c.status == TML_OK) {
            CHECK_OK(t, tml_sim_linearize(c.sim, NULL, &lin, &c.err), &c.err);
        }
        for (int m = 0; lin != NULL && m < tml_linear_info(lin).modes; ++m) {
            growing += tml_linear_mode(lin, m).real > 1e-6;
        }
        CHECK_INT(t, c.info.unstable, growing);
        CHECK(t, (k == 3) == (growing == 0));
        tml_linear_free(lin);
        case_free(&c);
    }
}

/* A flat truss of two springs, pressed beyond its limit load, snaps through: far beyond what its
 * stiffness at the start says, with nothing nearer. Below the limit load there is nothing to say.
 */
TEST(snap_through)
{
    for (int k = 0; k < 2; ++k) {
        Case c;
        case_make(t, false, &c,
                  "trammel: 1\n"
                  "bodies: {m: {type: point, mass: 1, position: [0, 0.2, 0]}}\n"
                  "frames: {a: {position: [-1, 0, 0]}, b: {position: [1, 0, 0]},\n"
                  "         y: {rotation: {z: y, x: z}}}\n"
                  "joints: {rail: {type: point_on_line, frames: [y, m]}}\n"
                  "forces:\n"
                  "  l: {type: spring, frames: [a, m], stiffness: 1e4}\n"
                  "  r: {type: spring, frames: [b, m], stiffness: 1e4}\n"
                  "  p: {type: force, body: m, fy: %g}\n"
                  "outputs: {y: DY(m)}\n",
                  k == 0 ? -10.0 : -60.0);
        CHECK((t), (value(&c, "y") < 0.0) == (k == 1));
        CHECK_INT(t, c.info.unstable, 0);
        CHECK(t, !c.info.nearer);
        CHECK(t, k == 0 ? c.info.beyond == 0.0 : c.info.beyond > 3.0);
        case_free(&c);
    }
}

/* --- frames that turn ------------------------------------------------------------------------- */

/* A rotor on a shaft that stiffens as it bends: in the frame k (1 + c r^2) r = m W^2 (r + e). Above
 * the critical speed the root beside zero is the answer, not the far one where stiffness has grown.
 */
TEST(stiffening_shaft)
{
    const double k = 2500, stiffen = 400, e = 1e-4;
    static const double speeds[] = {30, 55, 80, 200};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; ++i) {
        const double W = speeds[i];
        double r = e * W * W / (k - W * W);
        for (int it = 0; it < 50; ++it) {
            const double f = k * (1 + stiffen * r * r) * r - W * W * (r + e);
            r -= f / (k * (1 + 3 * stiffen * r * r) - W * W);
        }
        Case c;
        case_make(t, false, &c,
                  "trammel: 1\n"
                  "bodies: {disc: {mass: 1, inertia: [0.02, 0.02, 0.03], cm: [%.17g, 0, 0],\n"
                  "                angular_velocity: [0, 0, %g]}}\n"
                  "joints: {plane: {type: planar, bodies: [ground, disc], at: [0.3, 0, 0],\n"
                  "                 axis: z}}\n"
                  "rotating_frame: {speed: %g}\n"
                  "forces: {shaft: {type: force, body: disc,\n"
                  "  fx: \"-%g*(1 + %g*(DX(disc)^2 + DY(disc)^2))*DX(disc)\",\n"
                  "  fy: \"-%g*(1 + %g*(DX(disc)^2 + DY(disc)^2))*DY(disc)\"}}\n"
                  "outputs: {r: DX(disc)}\n",
                  e, W, W, k, stiffen, k, stiffen);
        CHECK_NEAR(t, value(&c, "r"), r, EQUILIBRIUM);
        CHECK_INT(t, c.info.unstable, 0); // Coriolis forces hold it
        CHECK_INT(t, c.info.negative, W > 50 ? 2 : 0);
        CHECK(t, !c.info.nearer);
        case_free(&c);
    }
}

/* An elastic shaft with a disc out of balance, below and above its critical speed of 145 rad/s:
 * k = 48 E I / L^3, and 17/35 of the mass of the shaft (Rayleigh) move with the disc,
 * y = m_d e W^2 / (k - m W^2). Above, damping inside the shaft drives it slowly. */
TEST(flexible_shaft)
{
    static const double speeds[] = {100, 150, 300};
    const double r4 = 0.006 * 0.006 * 0.006 * 0.006, k = 48 * 2.1e11 * pi * r4 / 4 / 0.216;
    const double m = 2 + 17.0 / 35.0 * 7850 * pi * 0.006 * 0.006 * 0.6;
    for (size_t i = 0; i < 3; ++i) {
        const double W = speeds[i];
        Case c;
        case_make(t, false, &c,
                  "trammel: 1\n"
                  "parameters: {w: %g, e: 1e-4}\n"
                  "bodies: {disc: {mass: 2, inertia: [5e-3, 2.5e-3, 2.5e-3], cm: [0, e, 0],\n"
                  "                angular_velocity: [w, 0, 0]}}\n"
                  "flexible:\n"
                  "  l: {type: beam3, formulation: elastic_line, line: [[-0.3,0,0],[0,0,0]],\n"
                  "      elements: 2, section: {radius: 0.006}, end: {clamp: disc},\n"
                  "      material: {E: 2.1e11, nu: 0.3, density: 7850, damping: 1e-5},\n"
                  "      angular_velocity: [w, 0, 0]}\n"
                  "  r: {type: beam3, formulation: elastic_line, line: [[0,0,0],[0.3,0,0]],\n"
                  "      elements: 2, section: {radius: 0.006}, start: {clamp: disc},\n"
                  "      material: {E: 2.1e11, nu: 0.3, density: 7850, damping: 1e-5},\n"
                  "      angular_velocity: [w, 0, 0]}\n"
                  "rotating_frame: {speed: w, axis: x}\n"
                  "frames: {ax: {position: [0.3, 0, 0], rotation: {z: x, x: y}}}\n"
                  "joints: {bl: {type: spherical, bodies: [ground, l], at: [-0.3, 0, 0]},\n"
                  "         br: {type: point_on_line, frames: [ax, r.end]}}\n"
                  "outputs: {y: DY(disc)}\n",
                  W);
        const double want = 2 * 1e-4 * W * W / (k - m * W * W);
        CHECK_NEAR(t, value(&c, "y"), want,
                   0.02 * fabs(want)); // Rayleigh: an error of 1.1 % at 150
        CHECK_INT(t, c.info.negative, i == 0 ? 0 : 2);
        CHECK_INT(t, c.info.unstable, i == 0 ? 0 : 1);
        CHECK(t, c.info.growth < 1.0);
        case_free(&c);
    }
}

/* An arm on a hinge across a turning axis leaves the axis for cos = g / (W^2 l): below, it is
 * pushed away without oscillation, no Coriolis force helps. */
TEST(governor)
{
    const double W = 8;
    Case c;
    case_make(t, false, &c,
              "trammel: 1\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies:\n"
              "  hub: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, %g]}\n"
              "  arm: {mass: 2, inertia: [1e-9, 1e-9, 1e-9], cm: [0, 0, -0.5],\n"
              "        rotation: {axis: y, angle: -0.1}, angular_velocity: [0, 0, %g]}\n"
              "joints:\n"
              "  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
              "  hinge: {type: revolute, bodies: [hub, arm], at: [0, 0, 0], axis: y}\n"
              "rotating_frame: {speed: %g}\n"
              "outputs: {z: DZ(arm.cm)}\n",
              W, W, W);
    CHECK_NEAR(t, value(&c, "z"), -9.81 / (W * W), EQUILIBRIUM); // and 1e-9 of m l^2 for the arm
    CHECK_INT(t, c.info.unstable, 0);
    CHECK(t, c.info.nearer);
    CHECK_INT(t, c.info.nearer_unstable, 1);
    case_free(&c);
}

/* --- balance of what linearize is given ------------------------------------------------------- */

/* Accelerations of stiff parts are rounding, whatever their size: forces tell. The same rod of
 * steel in m and of a size that makes accelerations larger; then a start that is none. */
TEST(balance_by_forces)
{
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? 1.0 : 1e-3;
        Case c;
        case_make(t, false, &c,
                  "trammel: 1\n"
                  "gravity: [0, 0, -9.81]\n"
                  "flexible:\n"
                  "  rod: {type: beam3, line: [[0, 0, 0], [%g, 0, 0]], elements: 8,\n"
                  "        section: {radius: %g}, start: {clamp: ground},\n"
                  "        material: {E: 2.1e11, nu: 0.3, density: 7850}}\n",
                  s, 0.01 * s);
        const TmlSimOptions options = study_options(1.0, 0.1, NULL);
        TmlLinear *lin = NULL;
        TmlSim *start = study_sim(t, c.model, &options);
        if (start != NULL) { // its weight is all that acts
            CHECK_OK(t, tml_sim_linearize(start, NULL, &lin, &c.err), &c.err);
            CHECK(t, lin != NULL && tml_linear_info(lin).imbalance > 0.5);
            tml_linear_free(lin);
        }
        if (c.status == TML_OK) {
            CHECK_OK(t, tml_sim_linearize(c.sim, NULL, &lin, &c.err), &c.err);
            CHECK(t, lin != NULL && tml_linear_info(lin).imbalance <= 1e-6);
            tml_linear_free(lin);
        }
        tml_sim_free(start);
        case_free(&c);
    }
}

TEST_SUITE(statics_branch) = {
    CASE(inverted_pendulum), CASE(two_wells),         CASE(count_of_a_chain),
    CASE(snap_through),      CASE(stiffening_shaft),  CASE(flexible_shaft),
    CASE(governor),          CASE(balance_by_forces), {0},
};
