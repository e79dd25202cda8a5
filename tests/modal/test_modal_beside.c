/* tests/modal/test_modal_beside.c - modal bodies beside what else tells the same: bodies in absolute nodal coordinates, other units,
 * a balance of forces at shapes in contact.
 */
#include "modal_util.h"

#include "../analysis/study.h"
#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

#include <math.h>

typedef struct Files {
    char part[200], mesh[200];
} Files;

static Files files_here(void)
{
    Files f;
    snprintf(f.part, sizeof f.part, "/tmp/trammel-beside-%ld.yaml", (long)getpid());
    snprintf(f.mesh, sizeof f.mesh, "/tmp/trammel-beside-%ld.inp", (long)getpid());
    return f;
}

static void write_text(TestCtx *t, const char *path, const char *text)
{
    TmlError err = {0};
    CHECK_OK(t, tml_file_write(path, text, strlen(text), &err), &err);
}

static TmlModel *model_from(TestCtx *t, const char *text)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

/* --- a bar that is spun up --------------------------------------------------------------------------- */

#define SPIN                                                                                       \
    "  drive: {type: motion, joint: hub, function: \"4/15*(time^2/2 + "                            \
    "(15/(2*pi))^2*(cos(2*pi*time/15) - 1))\"}\n"

/* Of Kane, Ryan and Banerjee: 8 m, to 4 rad/s within 15 s; it lags by 0.53 m at 6.75 s. */
static const char *const spun_part =
    "part: bar\nbeams:\n  nodes: {A: [0, 0, 0], B: [8, 0, 0]}\n"
    "  sections: {bar: {area: 7.3e-5, Iy: 8.218e-9, Iz: 8.218e-9, J: 1.6436e-8, up: z}}\n"
    "  members: [{nodes: [A, B], section: bar, elements: 20}]\n"
    "material: {young: 68950835361.4, poisson: 0.3, density: 2766.669}\n"
    "interfaces: {root: {set: A, tie: node}, tip: {set: B, tie: node}}\n"
    "modes: 4\ndamping: 0\nframe: root\n"
    "stiffening: {centrifugal: true, loads: {pull: {interface: tip, force: [1, 0, 0], held: "
    "root}}}\n";

static const char *const spun_mesh =
    "trammel: 1\nflexible:\n  arm: {type: beam, formulation: elastic_line, plane: xy, line: [[0, "
    "0, 0], [8, 0, 0]], elements: 4, material: {E: 68950835361.4, nu: 0.3, density: 2766.669}, "
    "section: {area: 7.3e-5, Iy: 8.218e-9, Iz: 8.218e-9, J: 1.6436e-8}}\n"
    "joints:\n  hub: {type: revolute, frames: [ground, arm.start]}\n" SPIN
    "outputs: {lag: \"DY(arm.end, arm.start, arm.start)\"}\n";

static void spin(TestCtx *t, const char *text, const char *method, double tolerance, Trace *out)
{
    TmlModel *model = model_from(t, text);
    TmlSimOptions o = study_options(8.0, 0.5, NULL);
    o.integrator = method;
    o.tolerance = tolerance;
    CHECK(t, model != NULL && study_run(t, model, &o, out));
    tml_model_free(model);
}

TEST(spin_up_as_absolute_coordinates_have_it)
{
    static const char *const how[] = {"centrifugal", "all", "none"};
    const Files f = files_here();
    Trace want = {0};
    double least = 0.0;
    write_text(t, f.part, spun_part);
    spin(t, spun_mesh, "hht", 1e-5, &want); // tolerance of the run
    for (int i = 0; i < want.n[CHANNEL]; ++i) {
        least = fmin(least, want.x[CHANNEL][i]);
    }
    CHECK_NEAR(t, least, -0.5347, 0.01); // known to 2 %, of rows of half a second
    for (int k = 0; k < 3; ++k) {
        char text[2000];
        Trace got = {0};
        double off = 0.0;
        snprintf(text, sizeof text,
                 "trammel: 1\nmodal: {arm: {part: %s, stiffening: %s}}\n"
                 "joints:\n  hub: {type: revolute, frames: [ground, arm.root]}\n" SPIN
                 "outputs: {lag: \"DY(arm.tip, arm.root, arm.root)\"}\n",
                 f.part, how[k]);
        t->name = how[k];
        spin(t, text, "radau", 1e-6, &got);
        for (int i = 0; i < want.n[CHANNEL] && i < got.n[CHANNEL]; ++i) {
            off = fmax(off, fabs(got.x[CHANNEL][i] - want.x[CHANNEL][i]));
        }
        if (k < 2) {
            // four elements are off by 0.2 % of the lag, modes that are linear by its square, 0.5 % of the length: 0.3 and 0.8 % measured
            CHECK_NEAR(t, off / 0.5347, 0.0, 0.012);
        } else {
            CHECK(t, off > 0.5); // it runs away
        }
        trace_free(&got);
    }
    t->name = NULL;
    trace_free(&want);
    remove(f.part);
}

/* --- units ------------------------------------------------------------------------------------------- */

/* A bar of four bricks along x in a unit of length: 1 for metres, 1e-3 for millimetres; tonnes then, and MPa. */
static void write_bar(TestCtx *t, const char *path, double unit)
{
    static const int brick[8] = {0, 4, 5, 1,
                                 3, 7, 6, 2}; // four nodes a section, going round; y, then z
    char text[4000];
    size_t n = 0;
    n += (size_t)snprintf(text + n, sizeof text - n, "*NODE\n");
    for (int k = 0; k < 20; ++k) {
        const double y = k % 4 == 1 || k % 4 == 2 ? 0.05 : 0.0, z = k % 4 >= 2 ? 0.04 : 0.0;
        n += (size_t)snprintf(text + n, sizeof text - n, "%d, %.15g, %.15g, %.15g\n", k + 1,
                              0.1 * (k / 4) / unit, y / unit, z / unit);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "*ELEMENT, TYPE=C3D8I, ELSET=ALL\n");
    for (int e = 0; e < 4; ++e) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%d", e + 1);
        for (int i = 0; i < 8; ++i) {
            n += (size_t)snprintf(text + n, sizeof text - n, ", %d", 4 * e + brick[i] + 1);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    snprintf(text + n, sizeof text - n,
             "*MATERIAL, NAME=SOFT\n*ELASTIC\n%.15g, 0.3\n*DENSITY\n%.15g\n"
             "*SOLID SECTION, ELSET=ALL, MATERIAL=SOFT\n",
             2e8 * unit * unit, 1200.0 * unit * unit * unit * unit);
    write_text(t, path, text);
}

/* N of SI are kg m/s^2: with mm, t and s forces are N as well, stresses N/mm^2, densities t/mm^3. */
TEST(millimetres_and_tonnes)
{
    static const char *const description =
        "part: bar\nmesh: %s\nscale: %s\n"
        "interfaces: {a: {box: [[-1, -1, -1], [%g, 1, 1]]}, b: {box: [[%g, -1, -1], [1, 1, 1]], "
        "tie: average}}\nmodes: 4\ndamping: 0.02\nstiffening: {loads: {pull: {interface: b, force: "
        "[1, 0, 0], held: a}}}\n";
    const Files f = files_here();
    Trace run[2] = {0};
    for (int k = 0; k < 2; ++k) {
        char text[2000];
        write_bar(t, f.mesh, k == 0 ? 1.0 : 1e-3);
        snprintf(text, sizeof text, description, f.mesh, k == 0 ? "1" : "1 mm", 0.01, 0.39);
        write_text(t, f.part, text);
        snprintf(text, sizeof text,
                 "trammel: 1\ngravity: -z\nmodal: {bar: {part: %s, angular_velocity: [0, 0, 3]}}\n"
                 "joints: {pin: {type: spherical, frames: [ground, bar.a]}}\n"
                 "outputs: {x: DX(bar.b), z: DZ(bar.b), w: WX(bar.b), e: \"DX(bar.b, bar.a, "
                 "bar.a)\"}\n",
                 f.part);
        TmlModel *model = model_from(t, text);
        TmlSimOptions o = study_options(0.3, 0.05, NULL);
        o.integrator = "radau";
        CHECK(t, model != NULL && study_run(t, model, &o, &run[k]));
        tml_model_free(model);
    }
    CHECK(t, run[0].n[CHANNEL] == 28 && fabs(run[0].x[CHANNEL][25]) > 0.05);
    // numbers differ by roundings, of matrices whose modes span four decades
    CHECK_NEAR(t, trace_error(&run[1], &run[0], CHANNEL), 0.0, 1e-8);
    trace_free(&run[0]);
    trace_free(&run[1]);
    remove(f.part);
    remove(f.mesh);
}

/* --- contact ----------------------------------------------------------------------------------------- */

/* A bar on a pin whose other end, a ball, falls on the floor and slides there a little. */
static const char *const falling_part =
    "part: bar\nbeams:\n  nodes: {A: [0, 0, 0], B: [1, 0, 0]}\n"
    "  sections: {bar: {rectangle: [40 mm, 30 mm], up: z}}\n"
    "  members: [{nodes: [A, B], section: bar, elements: 8}]\n"
    "material: {young: 1 GPa, poisson: 0.3, density: 1000}\n"
    "interfaces: {a: {set: A, tie: node}, b: {set: B, tie: node}}\nmodes: 2\ndamping: 0.05\n";

static const char *const falling =
    "trammel: 1\ngravity: -z\n"
    "modal:\n  bar: {part: %s, position: [0, 0, 0.25], shapes: {b: {sphere: {radius: 0.1, name: "
    "tip}}}}\n"
    "ground: {shape: {half_space: {normal: z, name: floor}}}\n"
    "joints: {pin: {type: spherical, bodies: [ground, bar], at: [0, 0, 0.25]}}\n"
    "contacts:\n  floor: {between: [bar.tip, ground], law: linear, stiffness: 2e4, damping: 100, "
    "neighbours: true, "
    "friction: {dynamic: 0.3, static_velocity: 0.01}}\n"
    "outputs: {z: DZ(bar.b), y: DY(bar.b), bent: \"DZ(bar.b, bar.a, bar.a)\", n: "
    "contact_force(floor)}\n";

TEST(every_method_bounces)
{
    const Files f = files_here();
    char text[2000];
    Trace want = {0};
    double most = 0.0;
    write_text(t, f.part, falling_part);
    snprintf(text, sizeof text, falling, f.part);
    TmlModel *model = model_from(t, text);
    TmlSimOptions o = study_options(0.3, 0.01, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-9;
    if (model != NULL && study_run(t, model, &o, &want)) {
        for (int i = 3; i < want.n[CHANNEL]; i += 4) {
            most = fmax(most, want.x[CHANNEL][i]);
        }
        CHECK(t, most > 20.0); // it has met the floor: its weight is 11.8 N
        for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
            Trace got = {0};
            double off = 0.0;
            o.integrator = t->name = tml_integrator_types[k]->info.name;
            o.tolerance = 1e-7;
            if (study_run(t, model, &o, &got)) {
                for (int i = 0; i < want.n[CHANNEL]; ++i) {
                    off =
                        fmax(off, i % 4 == 3 ? 0.0 : fabs(got.x[CHANNEL][i] - want.x[CHANNEL][i]));
                }
                // m: local errors of 1e-7 add up over a thousand steps
                CHECK_NEAR(t, off, 0.0, 1e-4);
            }
            trace_free(&got);
        }
        t->name = NULL;
    }
    trace_free(&want);
    tml_model_free(model);
    remove(f.part);
}

/* At rest the floor bears what the balance about the pin says, and the bar hangs through between the two. */
TEST(a_bar_lies_on_the_floor)
{
    const Files f = files_here();
    char text[2000];
    TmlError err = {0};
    TmlStaticsInfo info;
    write_text(t, f.part, falling_part);
    snprintf(text, sizeof text, falling, f.part);
    TmlModel *model = model_from(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        const double weight = 1.2 * 9.80665;
        // the ends of the chord turn with the bar; the middle of mass hangs by less than 1e-2 of the length beside it
        CHECK_NEAR(t, tml_row_channel(sim, 3) / (0.5 * weight), 1.0, 0.02);
        CHECK_NEAR(t, tml_row_channel(sim, 0), 0.1 - tml_row_channel(sim, 3) / 2e4,
                   1e-9); // the law of contact, solved to rounding
    }
    tml_sim_free(sim);
    tml_model_free(model);
    remove(f.part);
}

/* --- a shaft that turns ------------------------------------------------------------------------------ */

/* A light shaft of 0.5 m held at one end by a bearing, a disc of 2 kg at the other: whirl speeds w in axes that stand are those of
 *   (k11 - m w^2) (k22 - Id w^2 + W Ip w) = k12^2,  k = EI [12 / L^3, -6 / L^2; -6 / L^2, 4 / L]
 * and |w - W| as seen from the shaft. Above the first of them Coriolis forces hold the disc, which the verdict must say though the
 * light shaft has modes at 180 kHz beside. */
static const char *const shaft_part =
    "part: shaft\nbeams:\n  nodes: {A: [0, 0, 0], B: [0.5, 0, 0]}\n"
    "  sections: {s: {area: 3.14159265e-4, Iy: 7.85398163e-9, Iz: 7.85398163e-9, J: 1.57e-8, up: "
    "z}}\n"
    "  members: [{nodes: [A, B], section: s, elements: 20}]\n"
    "material: {young: 210 GPa, poisson: 0.3, density: 7.85}\n"
    "interfaces: {a: {set: A, tie: node}, b: {set: B, tie: node}}\nmodes: 10\ndamping: 0\n"
    "stiffening: {centrifugal: true}\n";

static const char *const rotor =
    "trammel: 1\nmodal:\n  s: {part: %s, angular_velocity: [300, 0, 0], frames: {z: {at: a, "
    "rotation: "
    "{axis: y, angle: 90 deg}}}}\n"
    "bodies:\n  disc: {mass: 2, inertia: [0.01, 0.005, 0.005], position: [0.5, 0, 0], "
    "angular_velocity: [300, 0, 0]}\n"
    "frames: {z: {body: ground, rotation: {axis: y, angle: 90 deg}}}\n"
    "joints:\n  bearing: {type: revolute, frames: [z, s.z]}\n  weld: {type: fixed, frames: [s.b, "
    "disc]}\n"
    "rotating_frame: {speed: 300, axis: x}\n";

TEST(a_shaft_whirls)
{
    static const double want[] = {154.24239, 432.39028, 1664.44926, 1677.81659}; // rad/s
    const Files f = files_here();
    char text[2000];
    TmlError err = {0};
    TmlStaticsInfo info = {0};
    TmlLinear *lin = NULL;
    write_text(t, f.part, shaft_part);
    snprintf(text, sizeof text, rotor, f.part);
    TmlModel *model = model_from(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        CHECK_INT(t, info.negative, 2);
        CHECK_INT(t, info.unstable, 0);
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    }
    for (int k = 0; k < 4 && lin != NULL; ++k) {
        const TmlMode m = tml_linear_mode(lin, k + 1); // the first is that of the bearing
        // the shaft has 6e-4 of the disc's mass, and a moment of m L^2/105, 6e-4 of the disc's
        CHECK_NEAR(t, fabs(m.imag) / want[k], 1.0, 1e-3);
        CHECK_NEAR(t, m.real / want[k], 0.0, 1e-6); // double roots of rounding
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    remove(f.part);
}

TEST_SUITE(modal_beside) = {CASE(spin_up_as_absolute_coordinates_have_it),
                            CASE(millimetres_and_tonnes),
                            CASE(every_method_bounces),
                            CASE(a_bar_lies_on_the_floor),
                            CASE(a_shaft_whirls),
                            {0}};
