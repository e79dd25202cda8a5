/* tests/model/test_flex_cases.c - elements against the results of another program (Chrono).
 *
 * element_3243: matrices of the fully parameterised beam, by exact integration. cable_pendulum:
 * four cable elements, integrated to 1e-9. Skipped where the reference data are absent.
 */
#include "../analysis/study.h"
#include "flex_util.h"

#include "model/model.h"

/* Numbers of a text file of the case; -1: there is no such file. */
static int read_numbers(const char *name, double *x, int max)
{
    char path[4096];
    int n = 0;
    snprintf(path, sizeof path, "%s/ancf/element_3243/%s.txt", test_cases_dir(), name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    while (n < max && fscanf(file, "%lf", &x[n]) == 1) {
        ++n;
    }
    fclose(file);
    return n;
}

typedef struct Element {
    FlexSample s;
} Element;

/* The beam of the case, at rest and straight. */
static void element_init(TestCtx *t, Element *e, double damping)
{
    const double h = 0.1, factor = 10.0 * 1.3 / (12.0 + 11.0 * 0.3);
    const TmlMat33 one = m3_identity();
    TmlError err = {0};
    *e = (Element){.s = {.type = tml_find_flex_type("beam"), .size = {1.0, 0.0}}};
    e->s.data = (TmlFlexData){
        .material = {.E = 210e9, .nu = 0.3, .density = 7850, .damping = damping},
        .section = {.kind = TML_CROSS_RECTANGLE,
                    .height = h,
                    .width = h,
                    .area = h * h,
                    .Iy = h * h * h * h / 12,
                    .Iz = h * h * h * h / 12,
                    .shear_y = factor,
                    .shear_z = factor},
        .formulation = TML_FORM_ENHANCED,
    };
    flex_bend(&e->s, 0.0, 0.0, &one, v3(0, 0, 0), e->s.rest);
    memcpy(e->s.x, e->s.rest, sizeof e->s.x);
    const TmlFlexReference ref = {e->s.rest, {1.0, 0.0}};
    CHECK_OK(t, e->s.type->prepare(&e->s.data, &ref, &e->s.arena, NULL, &e->s.table, &err), &err);
}

/* The file's numbers against ours, relative to the largest. The case allows 1 % of forces and up to
 * a third of entries of Jacobians, which it means for differences. Both sides are exact integrals
 * here: what remains are the file's 15 digits and sums of 45 points. rounding: of our terms, where
 * they cancel. */
static void compare(TestCtx *t, const char *name, int n, int from, const double *got,
                    double rounding)
{
    static double want[2 * 24 * 24];
    t->name = name;
    CHECK(t, read_numbers(name, want, 2 * 24 * 24) >= n + from);
    const double size = flex_norm(want + from, n);
    CHECK(t, size > 0.0);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(t, got[k], want[from + k], 1e-12 * size + rounding);
    }
}

TEST(beam_matrices_of_chrono)
{
    enum { N = 24 };
    Element e;
    double f[N], K[N * N], gravity[N];
    if (test_cases_dir() == NULL || read_numbers("Grav", f, N) < 0) {
        test_skip(t, "no reference data for element_3243");
        return;
    }
    element_init(t, &e, 0.0);
    const TmlFlexType *type = e.s.type;
    const TmlFlexIn in = flex_in(&e.s);
    const double *w = tml_flex_weight(type, e.s.table);
    for (int k = 0; k < N; ++k) {
        gravity[k] = k % 3 == 2 ? -9.80665 * w[k / 3] : 0.0;
    }
    compare(t, "MassMatrix", 64, 0, tml_flex_mass(type, e.s.table), 0.0);
    compare(t, "Grav", N, 0, gravity, 0.0);
    type->tangent(&in, 1.0, 0.0, K);
    compare(t, "JacNoDispNoVelNoDamping", N * N, 0, K, 0.0);
    e.s.x[14] = 0.001;
    type->tangent(&in, 1.0, 0.0, K);
    compare(t, "JacSmallDispNoVelNoDamping", N * N, 0, K, 0.0);
    type->force(&in, f);
    for (int k = 0; k < N; ++k) {
        f[k] = -f[k];
    }
    compare(t, "IntFrcSmallDispNoVel", N, 0, f, 1e-15 * 2.1e9);
    tml_arena_free(&e.s.arena);
}

TEST(damped_beam_matrices_of_chrono)
{
    enum { N = 24 };
    static const char *const names[3] = {"JacNoDispNoVelWithDamping",
                                         "JacSmallDispNoVelWithDamping",
                                         "JacNoDispSmallVelWithDamping"};
    Element e;
    double f[N], K[N * N];
    if (test_cases_dir() == NULL || read_numbers("Grav", f, N) < 0) {
        test_skip(t, "no reference data for element_3243");
        return;
    }
    element_init(t, &e, 0.01);
    const TmlFlexIn in = flex_in(&e.s);
    for (int k = 0; k < 3; ++k) {
        e.s.x[14] = k == 1 ? 0.001 : 0.0;
        e.s.v[14] = k == 2 ? 0.001 : 0.0;
        e.s.type->tangent(&in, 1.0, 0.0, K);
        compare(t, names[k], N * N, 0, K, 0.0);
        e.s.type->tangent(&in, 0.0, 1.0, K);
        compare(t, names[k], N * N, N * N, K, 0.0);
    }
    e.s.type->force(&in, f);
    for (int k = 0; k < N; ++k) {
        f[k] = -f[k];
    }
    // strains of rounding times E A
    compare(t, "IntFrcNoDispSmallVel", N, 0, f, 1e-15 * 2.1e9);
    tml_arena_free(&e.s.arena);
}

/* --- cable ------------------------------------------------------------------------------------ */

/* EA = 40 N, EI = 7.957747e-5 N m^2, 0.008 kg/m; n5 is the tip. */
static const char pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "flexible:\n"
    "  c: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 4,\n"
    "      material: {E: 1.6e6, density: 320}, section: {radius: 5*sqrt(1e-6/pi)},\n"
    "      start: {pin: ground}, frames: {middle: {at: 0.5}}}\n"
    "outputs: {y3: DY(c.middle), x5: DX(c.end), z5: DZ(c.end)}\n";

/* Nodes start with -4 x along z, tangents at rest. */
static void throw_nodes(const TmlModel *m)
{
    for (int k = 0; k < m->bodies.n; ++k) {
        TmlBody *b = &m->bodies.at[k];
        if (b->type == &tml_body_position3) {
            b->v0 = v3(0, 0, -4.0 * b->r0.x);
        }
    }
}

/* Largest differences of n3_y and of n5_x, n5_z up to the end of the run. */
static void pendulum_errors(TestCtx *t, FILE *file, const Trace *run, double off[2])
{
    char line[512];
    int row = 0;
    for (; row < run->rows && fgets(line, sizeof line, file) != NULL; ++row) {
        double x[7];
        char *at = line;
        for (int k = 0; k < 7; ++k) {
            x[k] = strtod(at, &at);
            at += *at == ',';
        }
        off[0] = fmax(off[0], fabs(trace_value(run, row, 0) - x[4]));
        off[1] = fmax(off[1], fabs(trace_value(run, row, 1) - x[5]));
        off[1] = fmax(off[1], fabs(trace_value(run, row, 2) - x[6]));
    }
    CHECK_INT(t, row, 1001);
}

TEST(cable_pendulum_of_chrono)
{
    char path[4096], line[512];
    const char *folder = test_cases_dir();
    double off[2] = {0};
    snprintf(path, sizeof path, "%s/ancf/cable_pendulum_time_converged.csv",
             folder != NULL ? folder : "");
    FILE *file = folder != NULL ? fopen(path, "r") : NULL;
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        test_skip(t, "no reference data for cable_pendulum");
        return;
    }
    TmlModel *m = study_model(t, pendulum);
    TmlSimOptions o = study_options(1.0, 1e-3, NULL);
    Trace run;
    o.integrator = "radau";
    o.tolerance = 1e-8;
    throw_nodes(m);
    if (study_run(t, m, &o, &run)) {
        pendulum_errors(t, file, &run, off);
        if (study_verbose()) {
            printf("cable pendulum: n3_y off by %.3g m, n5 by %.3g m\n", off[0], off[1]);
        }
        // the accuracy that the case asks of the same formulation up to 1 s
        CHECK_NEAR(t, off[0], 0.0, 1e-4);
        CHECK_NEAR(t, off[1], 0.0, 1e-3);
    }
    trace_free(&run);
    tml_model_free(m);
    fclose(file);
}

TEST_SUITE(flex_cases) = {
    CASE(beam_matrices_of_chrono),
    CASE(damped_beam_matrices_of_chrono),
    CASE(cable_pendulum_of_chrono),
    {0},
};
