/* tests/modal/test_modal_stiffness.c - what loads do to the stiffness of modal bodies, and modes that are held static. */
#include "modal_util.h"

#include "../analysis/study.h"
#include "trammel/analysis.h"
#include "trammel/part.h"

#include <math.h>

/* A flat steel bar of 1 m, 20 mm x 10 mm: %s is what a test adds. */
static const char *const bar =
    "part: bar\nbeams:\n  nodes: {a: [0, 0, 0], b: [1, 0, 0]}\n"
    "  sections: {bar: {area: 200e-6, Iy: 6.6666666666666667e-9, Iz: 1.6666666666666667e-9, J: "
    "4.5e-9, up: z}}\n"
    "  members: [{nodes: [a, b], section: bar, elements: 20}]\n"
    "material: {young: 210 GPa, poisson: 0.3, density: 7850}\n"
    "interfaces: {a: {set: a, tie: node}, b: {set: b, tie: node}}\nmodes: 8\ndamping: 0.01\n%s";

static const double EI = 210e9 * 1.6666666666666667e-9, PER_LENGTH = 7850 * 200e-6;

static const char *const pulled =
    "stiffening: {loads: {pull: {interface: b, force: [1, 0, 0], held: a}}}\n%s";

static void reduce_to(TestCtx *t, const char *description, const char *path)
{
    char from[200];
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    snprintf(from, sizeof from, "/tmp/trammel-stiff-%ld.yaml", (long)getpid());
    CHECK_OK(t, tml_file_write(from, description, strlen(description), &err), &err);
    CHECK_OK(t, tml_part_reduce(from, 0, NULL, NULL, &part, &err), &err);
    CHECK_OK(t, part != NULL ? tml_part_write(part, path, &err) : TML_E_IO, &err);
    tml_part_free(part);
    remove(from);
}

/* The bar with load cases in a file, its frame at the clamp or in mean axes. */
static void pulled_bar(TestCtx *t, bool mean, char *path, size_t size)
{
    char more[200], text[2000];
    snprintf(path, size, "/tmp/trammel-stiff-%ld.h5", (long)getpid());
    snprintf(more, sizeof more, pulled, mean ? "" : "frame: a\n");
    snprintf(text, sizeof text, bar, more);
    reduce_to(t, text, path);
}

static TmlModel *model_from(TestCtx *t, const char *text)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err), &err);
    return model;
}

/* --- load cases ------------------------------------------------------------------------------------- */

/* The determinant of a clamped bar under the tension T whose free end has no moment and no force across T, at w rad/s. */
static double tensioned(double T, double w)
{
    const double half = T / (2.0 * EI), root = sqrt(half * half + PER_LENGTH * w * w / EI);
    const double p = sqrt(root + half), q = sqrt(root - half), d = p * p - q * q;
    const double C = cosh(p), S = sinh(p), c = cos(q), s = sin(q);
    const double a11 = p * p * C + q * q * c, a12 = q * p * p * S + p * q * q * s;
    const double a21 = p * p * p * S - q * q * q * s - d * (p * S + q * s);
    const double a22 = q * p * p * p * C + p * q * q * q * c - d * p * q * (C - c);
    return a11 * a22 - a12 * a21;
}

/* The first root, 1/s. */
static double tensioned_frequency(double T)
{
    double low = 1.0, high = 1.0;
    while (tensioned(T, low) * tensioned(T, high + 0.5) > 0.0) {
        high += 0.5;
    }
    low = high;
    high += 0.5;
    for (int k = 0; k < 60; ++k) {
        const double mid = 0.5 * (low + high);
        *(tensioned(T, low) * tensioned(T, mid) > 0.0 ? &low : &high) = mid;
    }
    return low;
}

/* The least eigenvalue of the clamped bar in equilibrium under an axial force: imaginary part, or minus the rate at which it buckles. */
static double first_of(TestCtx *t, const char *part, const char *stiffening, double force)
{
    char text[1000];
    TmlError err = {0};
    TmlStaticsInfo info;
    TmlLinear *lin = NULL;
    TmlStaticsOptions how = tml_statics_options_default();
    double found = (double)NAN;
    how.nearest = true;
    snprintf(text, sizeof text,
             "trammel: 1\nmodal: {bar: {part: %s, damping: 0, stiffening: %s, rotation: {axis: [1, "
             "2, 3], angle: 0.7}}}\n"
             "joints: {clamp: {type: fixed, frames: [along, bar.a]}}\n"
             "frames: {along: {body: ground, rotation: {axis: [1, 2, 3], angle: 0.7}}}\n"
             "forces: {pull: {type: force, frames: [along, bar.b], axes: first, fx: %.17g}}\n",
             part, stiffening, force);
    TmlModel *model = model_from(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, &how, &info, &err), &err);
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
        const TmlMode m = tml_linear_mode(lin, 0);
        found = m.imag != 0.0 ? fabs(m.imag) : -fabs(m.real);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    return found;
}

/* Frequencies under tension and Euler's load, by a frame at the clamp and by mean axes, of a part that is turned. */
TEST(axial_loads_stiffen_and_buckle)
{
    const double euler = acos(-1.0) * acos(-1.0) * EI / 4.0;
    for (int mean = 0; mean < 2; ++mean) {
        char part[200];
        pulled_bar(t, mean != 0, part, sizeof part);
        for (int k = 0; k < 2; ++k) {
            const double force = k == 0 ? 1000.0 : -600.0;
            // shear and rotary inertia, which the closed form has not, are (h/L)^2 = 1e-4; 5e-5 was measured
            CHECK_NEAR(t, first_of(t, part, "loads", force) / tensioned_frequency(force), 1.0,
                       2e-4);
        }
        CHECK(t, first_of(t, part, "loads", -0.999 * euler) > 0.0);
        CHECK(t, first_of(t, part, "loads", -1.001 * euler) < 0.0);
        // auto takes what the part has; spin and load cases together are the load cases where nothing spins
        CHECK_NEAR(t, first_of(t, part, "auto", 1000.0), first_of(t, part, "all", 1000.0), 0.0);
        CHECK_NEAR(t, first_of(t, part, "all", 1000.0) / first_of(t, part, "loads", 1000.0), 1.0,
                   1e-9); // roundings of one matrix
        if (mean == 0) {  // in a frame at the clamp nothing else knows of the load
            CHECK_NEAR(t, first_of(t, part, "none", 1000.0) / tensioned_frequency(1e-3), 1.0,
                       2e-4); // as above
        }
        remove(part);
    }
}

/* The bar on a hub that is spun up to ten turns a second; lag of its tip. %s: part, stiffening, time of spinning up. */
static const char *const spun = "trammel: 1\nparameters: {ws: 60, Ts: %g}\n"
                                "modal: {arm: {part: %s, stiffening: %s}}\n"
                                "joints:\n  hub: {type: revolute, frames: [ground, arm.a]}\n"
                                "  drive: {type: motion, joint: hub, function: \"ws/Ts*(time^2/2 + "
                                "(Ts/(2*pi))^2*(cos(2*pi*time/Ts) - 1))\"}\n"
                                "outputs: {lag: \"DY(arm.b, arm.a, arm.a)\"}\n";

static double lag_between(TestCtx *t, const char *part, const char *one, const char *other,
                          double time, double *most)
{
    const char *const how[2] = {one, other};
    Trace run[2] = {0};
    double off = 0.0;
    *most = 0.0;
    for (int k = 0; k < 2; ++k) {
        char text[1000];
        snprintf(text, sizeof text, spun, time, part, how[k]);
        TmlModel *model = model_from(t, text);
        TmlSimOptions o = study_options(time, time / 50.0, NULL);
        o.integrator = "radau";
        o.tolerance = 1e-6;
        CHECK(t, model != NULL && study_run(t, model, &o, &run[k]));
        tml_model_free(model);
    }
    for (int i = 0; i < run[0].n[CHANNEL] && i < run[1].n[CHANNEL]; ++i) {
        *most = fmax(*most, fabs(run[0].x[CHANNEL][i]));
        off = fmax(off, fabs(run[0].x[CHANNEL][i] - run[1].x[CHANNEL][i]));
    }
    trace_free(&run[0]);
    trace_free(&run[1]);
    return off / *most;
}

/* Spin stretches the bar, and its load cases see that: both together are the stiffening by spin, but for terms that vanish with the square
 * of the deformation. Counted twice, stiffening would be off by a part that does not vanish. */
TEST(spin_is_not_counted_twice)
{
    char part[200];
    double most[2];
    pulled_bar(t, false, part, sizeof part);
    const double slow = lag_between(t, part, "centrifugal", "all", 4.0, &most[0]);
    const double fast = lag_between(t, part, "centrifugal", "all", 1.0, &most[1]);
    CHECK(t, most[1] > 2.0 * most[0]);
    // lags of 0.012 and 0.047 of the length: 1.3e-4 and 2.8e-3 were measured
    CHECK(t, slow < 2.5e-4);
    CHECK(t, slow < 0.1 * fast);
    // load cases alone see a tension that is the same all along the bar
    CHECK(t, lag_between(t, part, "centrifugal", "loads", 4.0, &most[0]) > 0.01);
    remove(part);
}

/* A bar on a cart that accelerates along it, or on the ground in a field of gravity: %s are the stiffening, gravity, and where the cart goes. */
static const char *const carried =
    "trammel: 1\ngravity: [%g, 0, 0]\nmodal: {arm: {part: %s, stiffening: %s}}\n"
    "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n  rail: {type: translational, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
    "  hold: {type: fixed, frames: [cart, arm.a]}\n"
    "  drive: {type: motion, joint: rail, function: \"%g*time^2\"}\n"
    "forces: {side: {type: force, frame: arm.b, fy: 5}}\noutputs: {y: DY(arm.b)}\n";

static void carry(TestCtx *t, const char *part, const char *stiffening, double gravity, double way,
                  Trace *out)
{
    char text[1000];
    snprintf(text, sizeof text, carried, gravity, part, stiffening, way);
    TmlModel *model = model_from(t, text);
    TmlSimOptions o = study_options(0.2, 0.01, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-6;
    CHECK(t, model != NULL && study_run(t, model, &o, out));
    tml_model_free(model);
}

/* Acceleration of the frame stiffens as gravity does: a load case knows either by the deformation. */
TEST(accelerated_frames_stiffen)
{
    static const char *const how[3] = {"loads", "loads", "none"};
    char part[200], text[2000];
    Trace run[3] = {0};
    double most = 0.0, off[2] = {0};
    snprintf(text, sizeof text, bar,
             "frame: a\nstiffening: {loads: {weight: {acceleration: [1, 0, 0], held: a}}}\n");
    snprintf(part, sizeof part, "/tmp/trammel-stiff-%ld.h5", (long)getpid());
    reduce_to(t, text, part);
    for (int k = 0; k < 3; ++k) {
        carry(t, part, how[k], k == 0 ? 3000.0 : 0.0, k == 0 ? 0.0 : -1500.0, &run[k]);
    }
    for (int i = 0; i < run[0].n[CHANNEL]; ++i) {
        most = fmax(most, fabs(run[0].x[CHANNEL][i]));
        for (int k = 0; k < 2; ++k) {
            off[k] = fmax(off[k], fabs(run[k + 1].x[CHANNEL][i] - run[0].x[CHANNEL][i]));
        }
    }
    CHECK_NEAR(t, off[0] / most, 0.0, 1e-3); // tolerances of two runs
    CHECK(t, off[1] > 0.5 * most);           // without the load case it is another bar
    for (int k = 0; k < 3; ++k) {
        trace_free(&run[k]);
    }
    remove(part);
}

/* A part without load cases, and two cases that are one. */
TEST(load_cases_that_cannot_serve)
{
    static const char *const bad[][2] = {
        {"", "has no load cases"},
        {"stiffening: {loads: {pull: {interface: b, force: [1, 0, 0], held: a}, more: {interface: "
         "b, force: [2, 0, 0], held: a}}}\n",
         "load case 'more' of part 'bar' strains its modes as others do"},
    };
    char part[200], text[2000];
    snprintf(part, sizeof part, "/tmp/trammel-stiff-%ld.h5", (long)getpid());
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        TmlModel *model = NULL;
        TmlError err = {0};
        snprintf(text, sizeof text, bar, bad[k][0]);
        reduce_to(t, text, part);
        snprintf(text, sizeof text, "trammel: 1\nmodal: {bar: {part: %s, stiffening: loads}}\n",
                 part);
        CHECK_INT(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &model, &err),
                  TML_E_MODEL);
        CHECK_HAS(t, err.message, bad[k][1]);
        tml_model_free(model);
    }
    // an acceleration of a free part strains nothing
    TmlReducedPart *reduced = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, bar,
             "stiffening: {loads: {fall: {acceleration: [0, 0, -9.81]}}}\n");
    snprintf(part, sizeof part, "/tmp/trammel-stiff-%ld.yaml", (long)getpid());
    CHECK_OK(t, tml_file_write(part, text, strlen(text), &err), &err);
    CHECK_INT(t, tml_part_reduce(part, 0, NULL, NULL, &reduced, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "load case 'fall': it causes no stresses");
    tml_part_free(reduced);
    remove(part);
}

/* --- modes that are held static --------------------------------------------------------------------- */

/* %s: the part, and what a test adds. The tip swings with 2 Hz, a tenth of the first frequency. */
static const char *const swung =
    "trammel: 1\ngravity: [0, -1, 0]\n"
    "modal: {bar: {part: %s%s}}\n"
    "joints: {clamp: {type: revolute, frames: [ground, bar.a]}, "
    "drive: {type: motion, joint: clamp, function: \"0.1*(1 - cos(4*pi*time))\"}}\n"
    "forces: {pull: {type: force, frame: bar.b, fy: \"5*(1 - cos(4*pi*time))\"}}\n"
    "outputs: {x: DX(bar.b), y: DY(bar.b)}\n";

typedef struct Held {
    Trace trace;
    double highest; /* Hz, in linearize */
    double damping; /* ratio of the mode with it */
    int64_t steps;  /* of adams */
} Held;

static void run_held(TestCtx *t, const char *part, const char *more, Held *out)
{
    char text[1000];
    TmlError err = {0};
    TmlLinear *lin = NULL;
    snprintf(text, sizeof text, swung, part, more);
    *out = (Held){0};
    TmlModel *model = model_from(t, text);
    TmlSimOptions o = study_options(0.5, 0.05, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-8;
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL && study_run(t, model, &o, &out->trace)) {
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
        for (int k = 0; lin != NULL && k < tml_linear_info(lin).modes; ++k) {
            const TmlMode m = tml_linear_mode(lin, k);
            if (m.frequency > out->highest) {
                out->highest = m.frequency;
                out->damping = -m.real / hypot(m.real, m.imag);
            }
        }
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    o = study_options(0.05, 0.05, NULL);
    o.integrator = "adams";
    Trace trace = {0};
    if (model != NULL && study_run(t, model, &o, &trace)) {
        out->steps = trace.stats.steps;
    }
    trace_free(&trace);
    tml_model_free(model);
}

/* Slow motion is that of the whole body, the better the higher the limit; nothing is faster than that, and explicit steps grow. */
TEST(fast_modes_are_held_static)
{
    static const double limit[3] = {40.0, 400.0, 0.0};
    char part[200], text[2000], more[100];
    Held run[3];
    snprintf(part, sizeof part, "/tmp/trammel-stiff-%ld.h5", (long)getpid());
    snprintf(text, sizeof text, bar, "frame: a\n");
    reduce_to(t, text, part);
    for (int k = 0; k < 3; ++k) {
        more[0] = '\0';
        if (limit[k] > 0.0) {
            snprintf(more, sizeof more, ", static_above: %g Hz", limit[k]);
        }
        run_held(t, part, more, &run[k]);
    }
    const double off[2] = {trace_error(&run[0].trace, &run[2].trace, CHANNEL),
                           trace_error(&run[1].trace, &run[2].trace, CHANNEL)};
    // (2 Hz / 40 Hz)^2 of what modes above 40 Hz have of the deflection, a few hundredths: 5e-5 was measured
    CHECK_NEAR(t, off[0], 0.0, 2e-4);
    CHECK(t, off[1] < 0.01 * off[0]); // the square of the limits
    CHECK(t, run[2].highest > 1500.0);
    for (int k = 0; k < 2; ++k) {
        CHECK(t, run[k].highest <= limit[k] * 1.0001); // roundings of eigenvalues
        CHECK(t, run[k].highest > 0.9 * limit[k]);
        CHECK_NEAR(t, run[k].damping, 0.01,
                   1e-3); // damped eigenvalues of modes that the drive couples
    }
    CHECK(t, 2 * run[0].steps < run[1].steps && 2 * run[1].steps < run[2].steps);
    for (int k = 0; k < 3; ++k) {
        trace_free(&run[k].trace);
    }
    remove(part);
}

/* Statics are those of the whole body. */
TEST(held_modes_keep_statics)
{
    char part[200], text[2000];
    double tip[2] = {0};
    TmlError err = {0};
    TmlStaticsInfo info;
    snprintf(part, sizeof part, "/tmp/trammel-stiff-%ld.h5", (long)getpid());
    snprintf(text, sizeof text, bar, "");
    reduce_to(t, text, part);
    for (int k = 0; k < 2; ++k) {
        snprintf(text, sizeof text,
                 "trammel: 1\ngravity: -y\nmodal: {bar: {part: %s%s}}\n"
                 "joints: {clamp: {type: fixed, frames: [ground, bar.a]}}\n"
                 "forces: {pull: {type: force, frame: bar.b, fx: 100, fy: 3, fz: 4}}\n"
                 "outputs: {y: DY(bar.b)}\n",
                 part, k == 0 ? "" : ", static_above: 1 Hz");
        TmlModel *model = model_from(t, text);
        const TmlSimOptions o = study_options(1.0, 1.0, NULL);
        TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
            tip[k] = tml_row_channel(sim, 0);
            CHECK_INT(t, tml_model_modal(model, 0).static_modes, k == 0 ? 0 : 14);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    CHECK(t, fabs(tip[0]) > 1e-3);
    CHECK_NEAR(t, tip[1] / tip[0], 1.0, 1e-8); // rounding: iterations to one solution
    remove(part);
}

TEST_SUITE(modal_stiffness) = {CASE(accelerated_frames_stiffen),
                               CASE(axial_loads_stiffen_and_buckle),
                               CASE(spin_is_not_counted_twice),
                               CASE(load_cases_that_cannot_serve),
                               CASE(fast_modes_are_held_static),
                               CASE(held_modes_keep_statics),
                               {0}};
