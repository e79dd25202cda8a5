/* tests/adams/test_adams_flex.c - FLEX_BODY as a modal body, against the same model in our language.
 *
 * The part is the rod of models/modal: a bar of 0.4 m, ten modes from 397 Hz on, whose ends are nodes 1 and 2.
 */
#include "../modal/modal_util.h"
#include "test.h"

#include "trammel/trammel.h"

#include <stdlib.h>

#define ROD TRAMMEL_SOURCE_DIR "/models/modal/parts/rod.yaml"
#define DATASET TRAMMEL_BINARY_DIR "/test_flex.adm"

static const char *write_to(TestCtx *t, const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    return path;
}

static TmlLoadOptions with_parts(int n, const char *const *name, const char *const *file)
{
    TmlLoadOptions o = tml_load_options_default();
    o.n_flex = n;
    o.flex_name = name;
    o.flex_file = file;
    return o;
}

static TmlStatus load(TestCtx *t, const char *text, const char *part, TmlModel **out, TmlError *err)
{
    static const char *const name[] = {"4"};
    const TmlLoadOptions o = with_parts(part != NULL ? 1 : 0, name, &part);
    return tml_load_with(write_to(t, DATASET, text), &o, out, err);
}

/* --- runs --------------------------------------------------------------------------------------- */

enum { CHANNELS = 8, ROWS = 16 };

typedef struct Rows {
    int n, channels;
    double value[ROWS][CHANNELS];
} Rows;

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *rows = user;
    (void)err;
    for (int k = 0; k < rows->channels && rows->n < ROWS; ++k) {
        rows->value[rows->n][k] = tml_row_channel(sim, k);
    }
    rows->n++;
    return TML_OK;
}

static void run(TestCtx *t, const TmlModel *m, const char *integrator, double end, double tolerance,
                Rows *out)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = integrator;
    o.end_time = end;
    o.output_step = end / 4;
    o.tolerance = tolerance;
    *out = (Rows){0};
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        out->channels =
            tml_row_channel_count(sim) < CHANNELS ? tml_row_channel_count(sim) : CHANNELS;
        CHECK_OK(t, tml_sim_run(sim, keep_row, out, &err), &err);
    }
    tml_sim_free(sim);
}

/* Rows of b times factor[k] are those of a, to `limit` of the largest value of the channel. */
static void compare(TestCtx *t, const Rows *a, const Rows *b, const double *factor, double limit)
{
    CHECK_INT(t, a->n, 5);
    CHECK_INT(t, b->n, a->n);
    CHECK_INT(t, b->channels, a->channels);
    for (int k = 0; k < a->channels; ++k) {
        double largest = 0.0;
        for (int r = 0; r < a->n; ++r) {
            largest = fmax(largest, fabs(a->value[r][k]));
        }
        CHECK(t, largest > 0.0); // a channel that shows nothing compares nothing
        for (int r = 0; r < a->n && r < b->n; ++r) {
            const double got = b->value[r][k] * (factor != NULL ? factor[k] : 1.0);
            CHECK_NEAR(t, got, a->value[r][k], limit * largest); // as the caller says
        }
    }
}

/* --- a slider-crank ----------------------------------------------------------------------------- */

static const char crank[] =
    "slider-crank\n"
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0.45,0,0, REULER=90D,90D,0D\n"
    "PART/2, MASS=1, CM=20, IP=1E-4,1E-3,1E-3\nMARKER/20, PART=2\nMARKER/21, PART=2, "
    "QP=0.05,0,0\n"
    "PART/3, MASS=0.3, CM=30, IP=1E-4,1E-4,1E-4, QG=0.45,0,0\nMARKER/30, PART=3\n"
    "MARKER/31, PART=3, REULER=90D,90D,0D\n"
    "! adams_view_name='rod'\n"
    "FLEX_BODY/4, QG=0.05,0,0, CRATIO=STEP(FXFREQ,500,0.02,5000,1)\\, MNF_FILE=rod.mnf\n"
    "! adams_view_name='big_end'\n"
    "MARKER/40, NODE_ID=1\n"
    "MARKER/41, FLEX_BODY=4, NODE_ID=2, QP=0.4,0,0\n"
    "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=40, J=21\n"
    "JOINT/3, REVOLUTE, I=30, J=41\nJOINT/4, TRANSLATIONAL, I=31, J=2\n"
    "MOTION/1, ROTATION, JOINT=1, FUNCTION=100*PI*TIME\n"
    "REQUEST/1, F2=DX(30)\\F3=AZ(41,40)\\F4=JOINT(3,0,2,0)\\F6=Q(4,1)\\F7=QDOT(4,2)\n"
    "END\n";

/* The same by hand, bodies and joints in the same order. */
static void write_model(TestCtx *t, const char *path)
{
    char text[4096], damping[512] = "";
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_part_reduce(ROD, 0, NULL, NULL, &part, &err), &err);
    const int m = part != NULL ? tml_part_info(part).modes : 0;
    for (int j = 0; j < m; ++j) { // STEP is a cubic
        const double x = fmin(fmax((tml_part_mode(part, j).hertz - 500) / 4500, 0), 1);
        const size_t n = strlen(damping);
        snprintf(damping + n, sizeof damping - n, "%s%.17g", j > 0 ? ", " : "",
                 0.02 + 0.98 * x * x * (3 - 2 * x));
    }
    tml_part_free(part);
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: [1e-4, 1e-3, 1e-3], frames: {pin: {position: [0.05, 0, "
             "0]}}}\n"
             "  piston: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4], position: [0.45, 0, 0],\n"
             "           frames: {bore: {rotation: {euler: zxz, angles: [90 deg, 90 deg, 0]}}}}\n"
             "modal:\n"
             "  rod: {part: %s, position: [0.05, 0, 0], damping: [%s]}\n"
             "frames:\n"
             "  bore: {position: [0.45, 0, 0], rotation: {euler: zxz, angles: [90 deg, 90 deg, "
             "0]}}\n"
             "joints:\n"
             "  main: {type: revolute, frames: [ground, crank]}\n"
             "  big: {type: revolute, frames: [crank.pin, rod.big_end]}\n"
             "  small: {type: revolute, frames: [rod.small_end, piston]}\n"
             "  bore: {type: translational, frames: [bore, piston.bore]}\n"
             "  drive: {type: motion, joint: main, function: 100*pi*time}\n"
             "outputs:\n"
             "  a: DX(piston)\n"
             "  b: PROJZ(rod.small_end, rod.big_end)\n"
             "  c: reaction(small).fx\n"
             "  d: output(rod, 1).mode\n"
             "  e: output(rod, 2).rate\n",
             ROD, damping);
    write_to(t, path, text);
}

/* The equations are the same, so that rounding alone is between both. It grows with the error that a method may make: a
 * chaotic motion this is not, and the limit is that of the comparison that was asked for. */
TEST(same_as_model)
{
    static const char path[] = TRAMMEL_BINARY_DIR "/test_flex.yaml";
    TmlModel *dataset = NULL, *model = NULL;
    TmlError err = {0};
    write_model(t, path);
    CHECK_OK(t, load(t, crank, ROD, &dataset, &err), &err);
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &model, &err), &err);
    for (int k = 0; tml_integrator_name(k) != NULL && dataset != NULL && model != NULL; ++k) {
        Rows a, b;
        t->name = tml_integrator_name(k);
        run(t, model, t->name, 4e-4, 1e-5, &a);
        run(t, dataset, t->name, 4e-4, 1e-5, &b);
        compare(t, &a, &b, NULL, 1e-10); // rounding, see above
    }
    tml_model_free(dataset);
    tml_model_free(model);
}

/* --- units -------------------------------------------------------------------------------------- */

typedef struct Units {
    const char *force, *mass, *length, *time;
    double F, M, L, T; /* in SI */
} Units;

/* A free rod, tilted, that flies, spins and vibrates, with a spring on an arm at its end. */
static void write_flight(char *text, size_t size, const Units *u)
{
    const double L = u->L, V = u->L / u->T, q = u->L * sqrt(u->M), K = u->F / u->L;
    const double C = K * u->T, g = u->L / (u->T * u->T);
    snprintf(text, size,
             "flight\nUNITS/FORCE=%s, MASS=%s, LENGTH=%s, TIME=%s\nACCGRAV/JGRAV=%.17g\n"
             "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/9, PART=1, FLOATING\n"
             "FLEX_BODY/4, QG=%.17g,%.17g,%.17g, REULER=30D,40D,-20D\n"
             ", VX=%.17g, VY=%.17g, WZ=%.17g, WX=%.17g, MODES=1,2,3,5,7, CRATIO=%.3g*FXMODE\\\n"
             ", DMODE=%.17g,0,%.17g, VMODE=0,%.17g, INVARIANTS=T:T:T:T:T:T:T:T:T\n"
             "MARKER/40, NODE_ID=1\nMARKER/41, NODE_ID=2, QP=%.17g,%.17g,0, REULER=10D,20D,30D\n"
             "MARKER/42, QP=%.17g,0,0\n"
             "VFORCE/1, I=41, JFLOAT=9, RM=41, "
             "FX=-%.17g*DX(41,1,41)-%.17g*VX(41,1,41)\\FY=%.17g*Q(4,2)\\"
             "FZ=-%.17g*DZ(41,1,41)\n"
             "REQUEST/1, F1=DM(41,1)\\F2=DX(41,40,40)\\F3=VZ(41)\\F4=WX(40)\\F6=Q(4,1)\\"
             "F7=QDOT(4,3)\\F8=ACCY(42)\nREQUEST/2, F2=FX(41,9)\n"
             "END\n",
             u->force, u->mass, u->length, u->time, -9.81 / g, 0.1 / L, 0.2 / L, -0.3 / L, 1.5 / V,
             -0.5 / V, 20 * u->T, -35 * u->T, 0.004, 2e-4 / q, -1e-4 / q, 0.05 / (q / u->T),
             0.41 / L, 0.03 / L, 0.2 / L, 500 / K, 2 / C, 1e4 * q / u->F, 300 / K);
}

/* The constants are rounded once, and differ by some 1e-16; the motion is smooth and grows them little. */
TEST(units_do_not_matter)
{
    static const Units units[] = {
        {"NEWTON", "KILOGRAM", "METER", "SECOND", 1, 1, 1, 1},
        {"NEWTON", "TONNE", "MILLIMETER", "SECOND", 1, 1e3, 1e-3, 1},
        {"NEWTON", "KILOGRAM", "MILLIMETER", "SECOND", 1, 1, 1e-3, 1},
        {"KNEWTON", "GRAM", "CENTIMETER", "MILLISECOND", 1e3, 1e-3, 1e-2, 1e-3},
    };
    Rows first = {0};
    for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
        const Units *u = &units[k];
        const double q = u->L * sqrt(u->M), V = u->L / u->T;
        const double factor[] = {u->L, u->L, V, 1 / u->T, q, q / u->T, V / u->T, u->F};
        char text[4096];
        TmlModel *m = NULL;
        TmlError err = {0};
        Rows rows = {0};
        write_flight(text, sizeof text, u);
        CHECK_OK(t, load(t, text, ROD, &m, &err), &err);
        if (m != NULL) {
            run(t, m, "radau", 2e-3, 1e-8, &rows);
        }
        CHECK_INT(t, rows.channels, 8);
        if (k == 0) {
            first = rows;
        }
        compare(t, &first, &rows, factor, 1e-10); // rounding, see above
        tml_model_free(m);
    }
}

typedef struct Start {
    double mode[5], rate[5];
    int n;
} Start;

static TmlStatus keep_start(void *user, const TmlSim *sim, TmlError *err)
{
    Start *s = user;
    (void)err;
    for (int j = 0; j < 5 && s->n == 0; ++j) {
        s->mode[j] = tml_row_mode(sim, 0, j);
        s->rate[j] = tml_row_mode_rate(sim, 0, j);
    }
    s->n++;
    return TML_OK;
}

/* Coordinates at the start of the same flight are those of (FB1) in SI. */
TEST(start_of_a_flight)
{
    static const double mode[5] = {2e-4, 0, -1e-4, 0, 0}, rate[5] = {0, 0.05, 0, 0, 0};
    char text[4096];
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    Start start = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 1e-6;
    write_flight(text, sizeof text,
                 &(Units){"NEWTON", "TONNE", "MILLIMETER", "SECOND", 1, 1e3, 1e-3, 1});
    CHECK_OK(t, load(t, text, ROD, &m, &err), &err);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, sim != NULL ? tml_sim_run(sim, keep_start, &start, &err) : TML_E_MODEL, &err);
    CHECK_INT(t, m != NULL ? tml_model_modal(m, 0).modes : 0, 5);
    for (int j = 0; j < 5; ++j) { // numbers of the dataset, converted and read back: some roundings
        CHECK_NEAR(t, start.mode[j], mode[j], 1e-17);
        CHECK_NEAR(t, start.rate[j], rate[j], 1e-15);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- damping ------------------------------------------------------------------------------------ */

/* Ratios of the eigenvalues of a free rod: those of CRATIO, mode by mode. */
static void check_damping(TestCtx *t, const char *units, const char *cratio,
                          double (*want)(double hertz, int number))
{
    char text[1024];
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlLinear *lin = NULL;
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 1e-3;
    snprintf(text, sizeof text, "rod\n%sPART/1, GROUND\nMARKER/1, PART=1\nFLEX_BODY/4%s\nEND\n",
             units, cratio);
    CHECK_OK(t, tml_part_reduce(ROD, 0, NULL, NULL, &part, &err), &err);
    CHECK_OK(t, load(t, text, ROD, &m, &err), &err);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, sim != NULL ? tml_sim_linearize(sim, NULL, &lin, &err) : TML_E_MODEL, &err);
    for (int j = 0; lin != NULL && part != NULL && j < tml_part_info(part).modes; ++j) {
        const double w = 2 * M_PI * tml_part_mode(part, j).hertz;
        const double ratio = want(w / (2 * M_PI), j + 1);
        double nearest = 1e300;
        for (int k = 0; k < tml_linear_info(lin).modes;
             ++k) { // s = -ratio w +- i w sqrt(1 - ratio^2)
            const TmlMode mode = tml_linear_mode(lin, k);
            nearest = fmin(nearest, hypot(mode.real + ratio * w,
                                          fabs(mode.imag) - w * sqrt(1 - ratio * ratio)));
        }
        // critical damping is a double eigenvalue, which has half the digits
        CHECK_NEAR(t, nearest / w, 0.0, ratio < 1 ? 1e-9 : 1e-5);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(m);
    tml_part_free(part);
}

static double standard_ratio(double hertz, int number)
{
    (void)number;
    return hertz < 100 ? 0.01 : hertz < 1000 ? 0.1 : 1.0;
}

static double by_number(double hertz, int number)
{
    (void)hertz;
    return number < 3 ? 0.01 * number : 0.3;
}

static double by_frequency(double hertz, int number)
{
    (void)number;
    return fmin(1e-4 * hertz, 0.5);
}

static double no_damping(double hertz, int number)
{
    (void)hertz, (void)number;
    return 0.0;
}

TEST(damping)
{
    check_damping(t, "", "", standard_ratio);
    check_damping(t, "", ", CRATIO=0", no_damping);
    check_damping(t, "", ", CRATIO=IF(FXMODE-3: 0.01*FXMODE, 0.3, 0.3)", by_number);
    check_damping(t, "", ", CRATIO=MIN(1E-4*FXFREQ, 0.5)\\, QG=1,0,0", by_frequency);
    // frequencies are in cycles by the unit of time
    check_damping(t, "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=MILLISECOND\n",
                  ", CRATIO=MIN(0.1*FXFREQ, 0.5)", by_frequency);
}

/* What a statement becomes, on a part whose modes are all below 100 Hz. */
TEST(settings_become_keys)
{
    static const struct {
        const char *statement, *has, *has_not;
    } cases[] = {{"", "damping: 0.01", "static_above"},
                 {", DYNAMIC_LIMIT=0.003", "static_above: 3", "terms"},
                 {", INVARIANTS=T:T:T:T:F:T:T:T:F", "terms: first_order", "static_above"},
                 {", INVARIANTS=T:T:T:T:F:T:T:T:T", "damping: 0.01", "terms"},
                 {", INVARIANTS=T:T:T:T:T:T:T:T:F", "damping: 0.01", "terms"},
                 {", REPRESENTATION=RIGID, DMODE=1,2", "modes: []", "damping"},
                 {", REPRESENTATION=MODAL", "damping: 0.01", "modes"},
                 {", GENERALIZED_DAMPING=INTERNAL_ONLY", "modal:", "damping"},
                 {", GENERALIZED_DAMPING=OFF", "damping: 0.01", "modes:"}};
    static const char *const name[] = {"4"};
    char part[200];
    const char *file = part;
    RandomPart p;
    random_part(t, 3, &p);
    save_random_part(t, &p, part, sizeof part);
    const TmlLoadOptions o = with_parts(1, name, &file);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[1024], *out = NULL;
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = cases[k].statement;
        snprintf(text, sizeof text,
                 "part\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=MILLISECOND\nPART/1, "
                 "GROUND\n"
                 "MARKER/1, PART=1\nFLEX_BODY/4%s\nEND\n",
                 cases[k].statement);
        CHECK_OK(t, tml_convert_to(write_to(t, DATASET, text), &o, NULL, &m, &out, &err), &err);
        CHECK_HAS(t, out, cases[k].has);
        CHECK(t, out != NULL && strstr(out, cases[k].has_not) == NULL);
        tml_text_free(out);
        tml_model_free(m);
    }
    t->name = NULL;
    remove(part);
}

/* --- load cases --------------------------------------------------------------------------------- */

/* MFORCE against the model in our language, in millimetres and milliseconds too; JFLOAT takes the reaction. */
TEST(load_cases)
{
    static const char *const units[] = {"LENGTH=METER, TIME=SECOND",
                                        "LENGTH=MILLIMETER, TIME=MILLISECOND"};
    static const char *const numbers[] = {"PART/2, MASS=2, CM=20, IP=0.1,0.2,0.3\n",
                                          "PART/2, MASS=2, CM=20, IP=1E5,2E5,3E5\n"};
    static const char *const scale[] = {"3*SIN(20*TIME)+DX(41)", "3*SIN(0.02*TIME)+DX(41)/1000"};
    static const double back[] = {1e-3, 1e-3, 1e-3};
    static const char *const name[] = {"4"};
    char part[200], text[2048];
    const char *file = part;
    const TmlLoadOptions o = with_parts(1, name, &file);
    RandomPart p;
    Rows want, got;
    random_part(t, 4, &p);
    random_applied(t, &p);
    save_random_part(t, &p, part, sizeof part);
    TmlError err = {0};
    TmlModel *m = NULL;
    snprintf(text, sizeof text,
             "trammel: 1\nbodies: {two: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
             "modal: {arm: {part: %s, position: [1, 2, 3], damping: 0.01}}\n"
             "forces:\n"
             "  a: {type: modal_force, body: arm, load: corner, scale: \"3*sin(20*time) + "
             "DX(arm.b)\", reaction: two}\n"
             "  b: {type: modal_force, body: arm, load: press, scale: -0.5}\n"
             "outputs: {x: DX(arm.b), y: DY(two), z: DZ(arm.b)}\n",
             part);
    CHECK_OK(t, tml_load_text(text, "/tmp/modal.yaml", 0, NULL, NULL, &m, &err), &err);
    if (m != NULL) {
        run(t, m, "radau", 0.2, 1e-9, &want);
    }
    tml_model_free(m);
    for (int k = 0; k < 2; ++k) {
        TmlModel *set = NULL;
        snprintf(text, sizeof text,
                 "rod\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, %s\nPART/1, GROUND\nMARKER/1, PART=1\n"
                 "%sMARKER/20, PART=2\nMARKER/21, PART=2, FLOATING\n"
                 "FLEX_BODY/4, QG=%s, CRATIO=0.01\n"
                 "MARKER/41, FLEX_BODY=4, NODE_ID=1\n"
                 "MFORCE/1, FLEX_BODY=4, JFLOAT=21, CASE_INDEX=2, SCALE=%s\n"
                 "MFORCE/2, SCALE=-0.5\\, FLEX_BODY=4, CASE_INDEX=1\n"
                 "REQUEST/1, F2=DX(41)\\F3=DY(20)\\F4=DZ(41)\nEND\n",
                 units[k], numbers[k], k == 0 ? "1,2,3" : "1000,2000,3000", scale[k]);
        CHECK_OK(t, tml_load_with(write_to(t, DATASET, text), &o, &set, &err), &err);
        if (set != NULL) {
            run(t, set, "radau", k == 0 ? 0.2 : 200.0 / 1000.0, 1e-9, &got);
            // two runs at 1e-9, and six digits of the unit of force where that is not N
            compare(t, &want, &got, k == 0 ? NULL : back, 1e-6);
        }
        tml_model_free(set);
    }
    remove(part);
}

/* --- markers ------------------------------------------------------------------------------------ */

/* A marker without a node moves with the floating frame; one with a node and a place is carried by the node on an arm, in
 * axes of its own. Undeformed, both stand where the dataset says. */
TEST(places_of_markers)
{
    static const char text[] =
        "rod\nPART/1, GROUND\nMARKER/1, PART=1\n"
        "FLEX_BODY/4, QG=1,2,3, REULER=90D,0,0, CRATIO=0\\\n"
        "MARKER/40, NODE_ID=2\nMARKER/41, NODE_ID=2, QP=0.4,0.1,0, REULER=0,90D,0\n"
        "MARKER/42, QP=0.25,0,0\nMARKER/43, RM=41, QP=0,0,0.5, NODE_ID=2\n"
        "REQUEST/1, F2=DX(40)\\F3=DY(40)\\F4=DZ(40)\n"
        "REQUEST/2, F2=DX(41)\\F3=DY(41)\\F4=DZ(41)\\F6=DY(41,1,41)\n"
        "REQUEST/3, F2=DX(42)\\F3=DY(42)\\F4=DZ(42)\n"
        "REQUEST/4, F2=DX(43)\\F3=DY(43)\\F4=DZ(43)\nEND\n";
    static const struct {
        const char *name;
        double value;
    } want[] = {
        {"1.F2", 1},   {"1.F3", 2.4}, {"1.F4", 3}, {"2.F2", 0.9},  {"2.F3", 2.4},
        {"2.F4", 3},   {"2.F6", 3},   {"3.F2", 1}, {"3.F3", 2.25}, {"3.F4", 3},
        {"4.F2", 1.4}, {"4.F3", 2.4}, {"4.F4", 3},
    };
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 1e-3;
    CHECK_OK(t, load(t, text, ROD, &m, &err), &err);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    CHECK_OK(t, sim != NULL ? tml_sim_run(sim, keep_row, &(Rows){0}, &err) : TML_E_MODEL, &err);
    for (size_t k = 0; sim != NULL && k < sizeof want / sizeof *want; ++k) {
        const int c = tml_sim_channel_find(sim, want[k].name);
        t->name = want[k].name;
        // at rest: rounding of numbers of the order of 1
        CHECK_NEAR(t, c >= 0 ? tml_row_channel(sim, c) : (double)NAN, want[k].value, 1e-12);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- what is wrong ------------------------------------------------------------------------------ */

#define HEAD "rod\nPART/1, GROUND\nMARKER/1, PART=1\n"

TEST(wrong_datasets)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"FLEX_BODY/4\nMARKER/40, NODE_ID=7\n", "test_flex.adm:5:20: MARKER/40: NODE_ID: part "
                                                "'rod' of FLEX_BODY/4 has no frame for node 7; it "
                                                "has big_end (node 1), small_end (node 2). Add "
                                                "'keep: {node7: 7}' or an interface with 'id: "
                                                "7' to the description"},
        {"FLEX_BODY/4\nMARKER/40, NODE_ID=1,2\n", ":5:20: MARKER/40: NODE_ID: not supported yet: a "
                                                  "marker on several nodes"},
        {"FLEX_BODY/4, MODES=0,1\n", ":4:20: FLEX_BODY/4: MODES: part 'rod' has modes 1 to 10"},
        {"FLEX_BODY/4, MODES=9,10,11\n", "which are named in rising order; got 11"},
        {"FLEX_BODY/4, MODES=2,1\n", "which are named in rising order; got 1"},
        {"FLEX_BODY/4, MODES=1,2, DMODE=1,2,3\n", "DMODE: expected"},
        {"FLEX_BODY/4, CRATIO=TIME\n",
         ":4:21: FLEX_BODY/4: CRATIO may depend on FXFREQ and FXMODE"},
        {"FLEX_BODY/4, CRATIO=1-FXMODE\n", "CRATIO is -1 for mode 2; it must not be negative"},
        {"FLEX_BODY/4, CRATIO=USER(1)\n", "DMPSUB"},
        {"FLEX_BODY/4, DYNAMIC_LIMIT=0\n", "DYNAMIC_LIMIT must be above 0, got 0"},
        {"FLEX_BODY/4, INVARIANTS=T:T:F\n", "INVARIANTS: expected nine of T and F, got 3"},
        {"FLEX_BODY/4\nMFORCE/1, FLEX_BODY=4, CASE_INDEX=1, SCALE=2\n",
         "MFORCE/1: CASE_INDEX: part 'rod' of FLEX_BODY/4 has no load cases; write them as "
         "'loads'"},
        {"FLEX_BODY/4\nMFORCE/1, FLEX_BODY=5, CASE_INDEX=1, SCALE=2\n", "FLEX_BODY"},
        {"FLEX_BODY/4\nMFORCE/1, FLEX_BODY=4, SCALE=2\n", "argument CASE_INDEX is missing"},
        {"FLEX_BODY/4\nMFORCE/1, FLEX_BODY=4, FUNCTION=USER(1,2)\n", "routine MFOSUB"},
        {"FLEX_BODY/4\nMFORCE/1, FLEX_BODY=4, FORCE=USER(1,2)\n", "routine MFOSUB"},
        {"FLEX_BODY/4, REPRESENTATION=NONLINEAR\n",
         "REPRESENTATION=NONLINEAR is not supported; read are FLEXIBLE, MODAL, RIGID"},
        {"FLEX_BODY/4, GENERALIZED_DAMPING=FULL, CRATIO=0.01\n",
         "with the latter the damping is that of the part"},
        {"FLEX_BODY/4\nVARIABLE/1, FUNCTION=Q(5,1)\n", "there is no FLEX_BODY/5"},
        {"FLEX_BODY/4\nVARIABLE/1, FUNCTION=Q(4,0)\n", "the modes of Q are counted from 1"},
        {"FLEX_BODY/4\nREQUEST/1, F2=Q(4,11)\n", "are counted from 1 to 10; it has no 11"},
        {"FLEX_BODY/4\nFLEX_BODY/5\n", ":5:1: FLEX_BODY/5: needs its part from finite elements, "
                                       "which 'trammel reduce' makes: name "
                                       "it with --flex 5=PART.h5"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[512];
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = wrong[k].text;
        snprintf(text, sizeof text, HEAD "%sEND\n", wrong[k].text);
        CHECK_INT(t, load(t, text, ROD, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        tml_model_free(m);
    }
}

static void check_options(TestCtx *t, int n, const char *const *name, const char *const *file,
                          const char *message)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    const TmlLoadOptions o = with_parts(n, name, file);
    t->name = message;
    write_to(t, DATASET, HEAD "! adams_view_name='Rod'\nFLEX_BODY/4, CRATIO=0\nEND\n");
    const TmlStatus status = tml_load_with(DATASET, &o, &m, &err);
    CHECK_INT(t, status, message != NULL ? TML_E_MODEL : TML_OK);
    if (message != NULL) {
        CHECK_HAS(t, err.message, message);
    }
    tml_model_free(m);
}

TEST(wrong_options)
{
    static const char *const both[] = {"4", "rod"}, *const other[] = {"5"};
    static const char *const rods[] = {ROD, ROD}, *const none[] = {"/no/such/part.h5"},
                             *const model[] = {TRAMMEL_SOURCE_DIR "/models/demo.yaml"};
    check_options(t, 1, both, rods, NULL);
    check_options(t, 1, both + 1, rods, NULL);
    check_options(t, 2, both, rods, "--flex rod=" ROD ": the body has another part already");
    check_options(t, 1, other, rods,
                  "--flex 5=" ROD ": there is no such FLEX_BODY; there are FLEX_BODY/4");
    check_options(t, 1, both, none, "--flex 4=/no/such/part.h5: cannot open");
    check_options(t, 1, both, model, "models/demo.yaml");
}

/* A part file that is cut short, or has a byte changed, is refused whatever the place. */
TEST(damaged_part)
{
    static const char whole[] = TRAMMEL_BINARY_DIR "/test_flex_rod.h5",
                      cut[] = TRAMMEL_BINARY_DIR "/test_flex_cut.h5";
    static const char *const name[] = {"4"};
    const char *file = cut;
    TmlReducedPart *part = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_part_reduce(ROD, 0, NULL, NULL, &part, &err), &err);
    CHECK_OK(t, part != NULL ? tml_part_write(part, whole, &err) : TML_E_MODEL, &err);
    tml_part_free(part);
    FILE *from = fopen(whole, "rb");
    static char bytes[1 << 20];
    const size_t n = from != NULL ? fread(bytes, 1, sizeof bytes, from) : 0;
    if (from != NULL) {
        fclose(from);
    }
    CHECK(t, n > 1000 && n < sizeof bytes);
    for (size_t k = 1; k < 8 && n > 1000; ++k) {
        FILE *to = fopen(cut, "wb");
        CHECK(t, to != NULL && fwrite(bytes, 1, n * k / 8, to) == n * k / 8);
        if (to != NULL) {
            fclose(to);
        }
        check_options(t, 1, name, &file, "--flex 4=");
    }
    file = whole;
    check_options(t, 1, name, &file, NULL);
}

/* --- convert ------------------------------------------------------------------------------------ */

/* The model of a dataset names the part from its own folder, moves as the dataset does, and no options are fine. */
TEST(converted)
{
    static const char target[] = TRAMMEL_BINARY_DIR "/test_flex_converted.yaml";
    static const char *const name[] = {"rod"}, *const file[] = {ROD};
    const TmlLoadOptions o = with_parts(1, name, file);
    TmlModel *m = NULL, *dataset = NULL, *model = NULL;
    TmlError err = {0};
    char *text = NULL;
    Rows a, b;
    CHECK_OK(t, tml_convert_to(write_to(t, DATASET, crank), &o, target, &m, &text, &err), &err);
    CHECK_HAS(t, text, "models/modal/parts/rod.yaml");
    CHECK(t, text != NULL && strstr(text, "part: \"" ROD) == NULL &&
                 strstr(text, "part: " ROD) == NULL);
    write_to(t, target, text != NULL ? text : "");
    tml_text_free(text);
    tml_model_free(m);
    CHECK_OK(t, load(t, crank, ROD, &dataset, &err), &err);
    CHECK_OK(t, tml_load(target, 0, NULL, NULL, &model, &err), &err);
    if (dataset != NULL && model != NULL) {
        run(t, dataset, "radau", 4e-4, 1e-6, &a);
        run(t, model, "radau", 4e-4, 1e-6, &b);
        compare(t, &a, &b, NULL, 1e-12); // rounding: the same model, read from its text
    }
    tml_model_free(dataset);
    tml_model_free(model);
    text = NULL;
    CHECK_OK(t,
             tml_convert_to(TRAMMEL_SOURCE_DIR "/models/modal/slider_crank.yaml", NULL, NULL, &m,
                            &text, &err),
             &err);
    CHECK_HAS(t, text, "parts/rod.yaml");
    tml_text_free(text);
    tml_model_free(m);
}

/* Files that the part was made of are inputs of the model: nothing may be written over them. */
TEST(files_are_inputs)
{
    static const char *const crank_part = TRAMMEL_SOURCE_DIR "/models/modal/parts/bell_crank.yaml";
    TmlModel *m = NULL;
    TmlError err = {0};
    bool mesh = false, part = false;
    CHECK_OK(t, load(t, HEAD "FLEX_BODY/4, CRATIO=0\nEND\n", crank_part, &m, &err), &err);
    for (int k = 0; m != NULL && tml_model_input(m, k) != NULL; ++k) {
        mesh |= strstr(tml_model_input(m, k), "bell_crank.inp") != NULL;
        part |= strstr(tml_model_input(m, k), "bell_crank.yaml") != NULL;
    }
    CHECK(t, mesh);
    CHECK(t, part);
    tml_model_free(m);
}

TEST_SUITE(adams_flex) = {
    CASE(same_as_model),
    CASE(units_do_not_matter),
    CASE(start_of_a_flight),
    CASE(damping),
    CASE(settings_become_keys),
    CASE(load_cases),
    CASE(places_of_markers),
    CASE(wrong_datasets),
    CASE(wrong_options),
    CASE(damaged_part),
    CASE(converted),
    CASE(files_are_inputs),
    {0},
};
