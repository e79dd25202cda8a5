/* tests/adams/test_adams_fe.c - FE_PART and FE_LOAD against the theory of beams.
 *
 * The beam: 1000 mm of 20 mm along y by 10 mm along z, E = 2e5 N/mm^2, clamped by a joint at its
 * first node, five nodes unless said. Loads bend it by 1e-3 of its length: what is not linear is of
 * the order 1e-6.
 */
#include "test.h"

#include "trammel/trammel.h"

#define HEAD                                                                                       \
    "beam\n"                                                                                       \
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"                          \
    "PART/1, GROUND\n"                                                                             \
    "MARKER/1, PART=1\n"                                                                           \
    "MATERIAL/1, NAME=steel, DENSITY=7.8E-6, YOUNGS_MODULUS=2E5, POISSONS_RATIO=0.25\n"
#define FIVE                                                                                       \
    "COORDINATES=1,0,0,0,0,0,0, 2,250,0,0,0,0,0, 3,500,0,0,0,0,0, 4,750,0,0,0,0,0, "               \
    "5,1000,0,0,0,0,0\n"
#define SECTIONS(numbers)                                                                          \
    ", SECTION=1," numbers ", 2," numbers ", 3," numbers ", 4," numbers ", 5," numbers "\n"
#define RECTANGLE "200, 1666.6666666666667, 6666.6666666666667, 0, 4577"
#define BEAM                                                                                       \
    HEAD "FE_PART/2, TYPE=3DBEAM, MATERIAL=1, " FIVE SECTIONS(RECTANGLE) ROOT                      \
        "REQUEST/1, D, I=25, J=1\n"
#define ROOT                                                                                       \
    "MARKER/21, FE_PART=2, NODE_LABEL=1\n"                                                         \
    "MARKER/25, FE_PART=2, NODE_LABEL=5, QP=1000, 0, 0\n"                                          \
    "JOINT/1, FIXED, I=21, J=1\n"

static const double L = 1000, E = 2e5, G = 8e4, A = 200, Iyy = 20000 / 12.0, Izz = 80000 / 12.0;

typedef struct Run {
    TmlModel *model;
    TmlSim *sim;
} Run;

static Run open_text(TestCtx *t, const char *text, double end)
{
    Run r = {0};
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = end;
    o.output_step = end;
    o.tolerance = 1e-8;
    CHECK_OK(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &r.model, &err), &err);
    if (r.model != NULL) {
        CHECK_OK(t, tml_sim_create(r.model, &o, &r.sim, &err), &err);
    }
    return r;
}

static double channel(const Run *r, const char *name)
{
    const int k = r->sim != NULL ? tml_sim_channel_find(r->sim, name) : -1;
    return k >= 0 ? tml_row_channel(r->sim, k) : (double)NAN;
}

static void close_run(Run *r)
{
    tml_sim_free(r->sim);
    tml_model_free(r->model);
}

/* Channels of the equilibrium of a beam with more statements. */
static void settle(TestCtx *t, const char *beam, const char *more, int n, const char *const *names,
                   double *out)
{
    char text[8192];
    TmlError err = {0};
    TmlStaticsInfo info;
    snprintf(text, sizeof text, "%s%sEND\n", beam, more);
    Run r = open_text(t, text, 1.0);
    const TmlStatus status =
        r.sim != NULL ? tml_sim_statics(r.sim, NULL, &info, &err) : TML_E_MODEL;
    CHECK_OK(t, status, &err);
    for (int k = 0; k < n; ++k) {
        out[k] = status == TML_OK ? channel(&r, names[k]) : (double)NAN;
    }
    close_run(&r);
}

/* P L^3 / (3 E I) + P L / (G A): Timoshenko's beam, whose shape one element of `beam3` has up to
 * (l/L)^4 of the cubic, l/L = 1/4: 4e-3 of an element's share, 4e-3/64 = 6e-5 of the tip's. */
TEST(tip_force)
{
    static const char *const names[] = {"1.F3", "1.F4", "2.F3", "2.F4"};
    double u[4];
    settle(t, BEAM,
           "GFORCE/1, I=25, JFLOAT=9, RM=1, FX=0\\FY=4\\FZ=1\nMARKER/9, PART=1, FLOATING\n"
           "REQUEST/2, F3=JOINT(1,0,3,0)\\F4=JOINT(1,0,4,0)\n",
           4, names, u);
    const double y = 4 * (L * L * L / (3 * E * Izz) + L / (G * A));
    const double z = 1 * (L * L * L / (3 * E * Iyy) + L / (G * A));
    CHECK_NEAR(t, u[0], y, 1e-4 * y);
    CHECK_NEAR(t, u[1], z, 1e-4 * z);
    CHECK_NEAR(t, u[2], -4.0, 1e-8); // what holds the beam: as exact as the equilibrium
    CHECK_NEAR(t, u[3], -1.0, 1e-8);
}

/* q L^4 / (8 E I) + q L^2 / (2 G A), and for a load that grows to the tip 11 q L^4 / (120 E I) + q
 * L^2 / (3 G A); a torque by length m L^2 / (2 G J). */
TEST(spread_loads)
{
    static const char *const names[] = {"1.F3", "1.F4", "2.F6", "2.F3", "2.F4"};
    double u[5];
    settle(t, BEAM,
           "FE_LOAD/1, FE_PART=2, FY=1E-2\\TX=0.5\n"
           "FE_LOAD/2, FE_PART=2, FZ=2E-3*S\n"
           "REQUEST/2, F3=JOINT(1,0,3,0)\\F4=JOINT(1,0,4,0)\\F6=AX(25,1)\n",
           5, names, u);
    const double y = 1e-2 * (pow(L, 4) / (8 * E * Izz) + L * L / (2 * G * A));
    const double z = 2e-3 * (11 * pow(L, 4) / (120 * E * Iyy) + L * L / (3 * G * A));
    const double twist = 0.5 * L * L / (2 * G * 4577);
    // four elements, (1/4)^4 of what the cubic leaves; the twist turns y by 7e-4 into z: 1e-3 of it
    CHECK_NEAR(t, u[0], y, 1e-3 * y);
    CHECK_NEAR(t, u[1], z, 2e-3 * z);
    CHECK_NEAR(t, u[2], twist, 1e-3 * twist);
    CHECK_NEAR(t, u[3], -10.0, 1e-7); // q L and q L / 2, which Gauss points give exactly
    CHECK_NEAR(t, u[4], -1.0, 1e-7);
}

/* A load in the axes of a marker of the beam itself follows it: the shear force at the root stays,
 * the axial one is that of the slope. */
TEST(load_that_follows)
{
    static const char *const names[] = {"2.F2", "2.F3", "2.F4"};
    double u[3];
    settle(t, BEAM,
           "FE_LOAD/1, FE_PART=2, RM=25, FY=1E-2\nREQUEST/2, F2=JOINT(1,0,2,0)\\F3=JOINT(1,0,3,0)"
           "\\F4=AZ(25,1)\n",
           3, names, u);
    // the tolerance of the equilibrium: 3e-9 was measured
    CHECK_NEAR(t, u[0], 10 * sin(u[2]), 3e-8);
    CHECK_NEAR(t, u[1], -10 * cos(u[2]), 3e-8);
    CHECK_NEAR(t, u[2], 1e-2 * L * L * L / (6 * E * Izz),
               2e-6 * u[2]); // q L^3 / (6 E I); 1e-6 is left out
}

/* A section that stands askew by 30 degrees, by Iyz and by the axes of the nodes; deflection is
 * L^3/(3 E) times the inverse of its second moments times the force. */
TEST(product_of_the_section)
{
    static const char *const names[] = {"1.F3", "1.F4"};
    // y' = c y + s z with the larger moment, Izz: products of the two axes are c s (Izz - Iyy)
    const double c2 = 0.75, s2 = 0.25, cs = 0.43301270189221932;
    const double yy = c2 * Izz + s2 * Iyy, zz = s2 * Izz + c2 * Iyy, yz = cs * (Izz - Iyy);
    const double det = yy * zz - yz * yz, f = L * L * L / (3 * E);
    double u[2], v[2];
    settle(t,
           HEAD "FE_PART/2, TYPE=3DBEAM, MATERIAL=1, " FIVE SECTIONS(
               "200, 2916.6666666666665, 5416.666666666667, 2165.0635094610967, 4577") ROOT
           "REQUEST/1, D, I=25, J=1\n",
           "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=25, J=3, FUNCTION=2\n"
           "MARKER/3, PART=1, REULER=0D, 90D, 0D\n",
           2, names, u);
    settle(t,
           HEAD "FE_PART/2, TYPE=3DBEAM, MATERIAL=1, "
                "COORDINATES=1,0,0,0,0,30D,0, 2,250,0,0,0,30D,0, 3,500,0,0,0,30D,0, "
                "4,750,0,0,0,30D,0, 5,1000,0,0,0,30D,0\n" SECTIONS(RECTANGLE) ROOT
           "REQUEST/1, D, I=25, J=1\n",
           "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=25, J=3, FUNCTION=2\n"
           "MARKER/3, PART=1, REULER=0D, 90D, 0D\n",
           2, names, v);
    // the force is 2 N along z of marker 3, which is -y; shear adds P L/(G A) = 1e-4 mm of 1
    CHECK_NEAR(t, u[0], -2 * f * zz / det, 1e-3);
    CHECK_NEAR(t, u[1], 2 * f * yz / det, 1e-3);
    CHECK_NEAR(t, u[0], v[0], 1e-9);
    CHECK_NEAR(t, u[1], v[1], 1e-9);
}

/* Sections are the mean of two nodes: one element from 300 to 100 mm^2 is one of 200. */
TEST(sections_that_change)
{
    static const char *const names[] = {"1.F4"};
    static const char *const section[] = {
        "1, 300, 2000, 9000, 0, 6000, 2, 100, 1000, 3000, 0, 2000",
        "1, 200, 1500, 6000, 0, 4000, 2, 200, 1500, 6000, 0, 4000"};
    double u[2];
    for (int k = 0; k < 2; ++k) {
        char beam[2048];
        snprintf(beam, sizeof beam,
                 HEAD "ACCGRAV/KGRAV=-100\n"
                      "FE_PART/2, TYPE=3DBEAM, MATERIAL=1\n"
                      ", COORDINATES=1,0,0,0,0,0,0, 2,1000,0,0,0,0,0, SECTION=%s\n"
                      "MARKER/21, FE_PART=2, NODE_LABEL=1\n"
                      "MARKER/25, FE_PART=2, NODE_LABEL=2, QP=1000, 0, 0\n"
                      "JOINT/1, FIXED, I=21, J=1\nREQUEST/1, D, I=25, J=1\n",
                 section[k]);
        settle(t, beam, "", 1, names, &u[k]);
    }
    CHECK(t, u[0] < -1e-3);
    CHECK_NEAR(t, u[0], u[1], 1e-14); // the same numbers: rounding
}

/* A quarter of a circle of 1 m by four nodes: the wall holds its weight, short by 3e-4
 * (tests/mechanisms/test_flexible_nodes.c). */
TEST(weight_of_a_curved_beam)
{
    static const char *const names[] = {"2.F4"};
    double u[1];
    settle(t,
           HEAD "ACCGRAV/KGRAV=-9810\n"
                "FE_PART/2, TYPE=3DBEAM, QG=0, 0, 0, MATERIAL=1, NODE_LABELS=11, 12, 13, 14\n"
                ", COORDINATES=11, 0, 0, 0, 0, 0, 0\n"
                ", 12, 500, 133.9745962155614, 0, 30D, 0, 0\n"
                ", 13, 866.0254037844386, 500, 0, 60D, 0, 0\n"
                ", 14, 1000, 1000, 0, 90D, 0, 0\n"
                ", SECTION=11, 200, 5E4, 5E4, 0, 1E5, 12, 200, 5E4, 5E4, 0, 1E5\n"
                ", 13, 200, 5E4, 5E4, 0, 1E5, 14, 200, 5E4, 5E4, 0, 1E5\n"
                "MARKER/21, FE_PART=2, NODE_LABEL=11\n"
                "JOINT/1, FIXED, I=21, J=1\n"
                "REQUEST/2, F4=JOINT(1,0,4,0)\n",
           "", 1, names, u);
    const double weight = 7.8e-6 * A * 9.81 * 0.5 * 3.14159265358979 * L;
    CHECK_NEAR(t, u[0], weight, 4e-4 * weight);
}

/* A mass at the end of the beam, and a force whose reaction acts on a node of it. */
TEST(parts_on_a_beam)
{
    static const char *const names[] = {"1.F4", "2.F4", "3.F4"};
    double u[3];
    const double z = L * L * L / (3 * E * Iyy) + L / (G * A);
    settle(t, BEAM,
           "ACCGRAV/KGRAV=-1E-6\n"
           "PART/3, MASS=1E9, CM=30, IP=1, 1, 1, QG=1000, 0, 0\n"
           "MARKER/30, PART=3\n"
           "MARKER/26, FE_PART=2, NODE_LABEL=5, QP=1000, 0, 0\n"
           "MARKER/31, PART=3\n"
           "JOINT/2, HOOKE, I=31, J=26\n" // free about y, along which the beam turns
           "JPRIM/1, PARALLEL_AXES, I=30, J=1\n"
           "REQUEST/2, F4=JOINT(2,1,4,0)\nREQUEST/3, F4=JOINT(1,0,4,0)\n",
           3, names, u);
    CHECK_NEAR(t, u[0], -z, 1e-4 * z); // 1E9 kg * 1E-6 mm/s^2 = 1 N
    CHECK_NEAR(t, u[1], -1.0, 1e-7);
    settle(t, BEAM,
           "PART/3, MASS=1, CM=30, IP=1, 1, 1, QG=1000, 0, 50\nMARKER/30, PART=3\n"
           "MARKER/31, PART=1, QP=1000, 0, 50\nJOINT/2, FIXED, I=30, J=31\n"
           "MARKER/27, FE_PART=2, NODE_LABEL=5, FLOATING\n"
           "VFORCE/1, I=30, JFLOAT=27, RM=1, FX=0\\FY=0\\FZ=-1\n"
           "REQUEST/2, F4=JOINT(2,0,4,0)\nREQUEST/3, F4=VZ(27,1)\n",
           2, names, u);
    CHECK_NEAR(t, u[0], z, 1e-4 * z);
    CHECK_NEAR(t, u[1], 1.0, 1e-7);
}

/* Motions of a marker beside the first node against ground, about axes of their own, move the whole
 * beam: to (7, 3, -2) mm and turned by 0.1 about z of marker 22, which is y of ground. */
TEST(motions_of_markers)
{
    static const char *const names[] = {"1.F2", "1.F3", "1.F4", "2.F2"};
    double u[4];
    settle(t,
           HEAD "FE_PART/2, TYPE=3DBEAM, MATERIAL=1, " FIVE SECTIONS(
               RECTANGLE) "MARKER/25, FE_PART=2, NODE_LABEL=5, QP=1000, 0, 0\n"
                          "REQUEST/1, D, I=25, J=1\n",
           "MARKER/22, FE_PART=2, NODE_LABEL=1, QP=0, 0, 10, REULER=0D, -90D, 0D\n"
           "MARKER/3, PART=1, QP=0, 0, 10, REULER=0D, -90D, 0D\n"
           "MOTION/1, I=22, J=3, X, FUNCTION=7\n"
           "MOTION/2, I=22, J=3, Y, FUNCTION=2\n"
           "MOTION/3, I=22, J=3, Z, FUNCTION=3\n"
           "MOTION/4, I=22, J=3, B1, FUNCTION=0\n"
           "MOTION/5, I=22, J=3, B2, FUNCTION=0\n"
           "MOTION/6, I=22, J=3, B3, FUNCTION=0.1\n"
           "REQUEST/2, F2=AY(25,1)\n",
           4, names, u);
    // the marker stands 10 mm above the node: x = 7 + 1000 c - 10 s, z = 10 - 2 - 1000 s - 10 c;
    // rounding
    CHECK_NEAR(t, u[0], 7.0 + L * cos(0.1) - 10 * sin(0.1), 1e-11);
    CHECK_NEAR(t, u[1], 3.0, 1e-11);
    CHECK_NEAR(t, u[2], 8.0 - L * sin(0.1) - 10 * cos(0.1), 1e-11);
    CHECK_NEAR(t, u[3], 0.1, 1e-14);
}

/* 3.51602 (E I / (rho A L^4))^(1/2), bending about y first; rotary inertia and shear take (r/L)^2
 * (1 + E/G) times 2.3 of it, 1e-4 for r = h/3.5 = 6 mm. */
TEST(first_frequencies)
{
    char text[4096];
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlLinearOptions o = tml_linear_options_default();
    snprintf(text, sizeof text, "%sEND\n", BEAM);
    Run r = open_text(t, text, 1.0);
    o.modes = 2;
    o.sparse = true;
    if (r.sim != NULL) {
        CHECK_OK(t, tml_sim_linearize(r.sim, &o, &lin, &err), &err);
    }
    const double mass = 7.8e-6 * A * 1e-3; // kg mm^-1 in N s^2 mm^-2
    const double first = 3.5160152685 * sqrt(E * Iyy / (mass * pow(L, 4)));
    // four elements raise it by some 1e-4
    CHECK_NEAR(t, lin != NULL ? tml_linear_mode(lin, 0).imag : 0.0, first, 5e-4 * first);
    CHECK_NEAR(t, lin != NULL ? tml_linear_mode(lin, 1).imag : 0.0, 2 * first, 1e-3 * first);
    tml_linear_free(lin);
    close_run(&r);
}

#define SWING(type)                                                                                \
    HEAD "ACCGRAV/JGRAV=-9810\n"                                                                   \
         "MATERIAL/2, NAME=rubber, DENSITY=1E-6, YOUNGS_MODULUS=20, POISSONS_RATIO=0.3\n"          \
         "FE_PART/2, TYPE=" type ", MATERIAL=rubber\n"                                             \
         ", COORDINATES=1,0,0,0,0,0,0, 2,300,0,0,0,0,0, 3,600,0,0,0,0,0\n"                         \
         ", SECTION=1, 400, 13333, 13333, 0, 22500, 2, 400, 13333, 13333, 0, 22500\n"              \
         ", 3, 400, 13333, 13333, 0, 22500\n"                                                      \
         "MARKER/21, FE_PART=2, NODE_LABEL=1\nMARKER/25, FE_PART=2, NODE_LABEL=3, QP=600,0,0\n"    \
         "JOINT/1, REVOLUTE, I=21, J=1\nREQUEST/1, D, I=25, J=1\nEND\n"

/* A soft beam falls about a pin: energy is kept, and the beam in the plane moves as that in space.
 */
TEST(falls_about_a_pin)
{
    static const char *const texts[] = {SWING("3DBEAM"), SWING("2DBEAMXY")};
    double x[2] = {0}, y[2] = {0};
    for (int k = 0; k < 2; ++k) {
        TmlError err = {0};
        Run r = open_text(t, texts[k], 0.3);
        if (r.sim != NULL) {
            CHECK_OK(t, tml_sim_run(r.sim, NULL, NULL, &err), &err);
            x[k] = channel(&r, "1.F2");
            y[k] = channel(&r, "1.F3");
            // 1 J is what 0.24 kg gain in 0.4 m; thousands of steps at 1e-8 each
            CHECK_NEAR(t, tml_row_certificate(r.sim).energy_error, 0.0, 1e-5);
        }
        close_run(&r);
    }
    CHECK(t, y[0] < -300.0);
    // both are followed to 1e-8 a step, in mm
    CHECK_NEAR(t, x[1], x[0], 1e-2);
    CHECK_NEAR(t, y[1], y[0], 1e-2);
}

/* The one dataset of this kind that is public, without its contacts: it falls. */
TEST(a_real_dataset)
{
    static char text[1 << 15], kept[1 << 15];
    glob_t found;
    if (!test_cases_glob(t, "adm-files/fe_part.adm", &found)) {
        return;
    }
    FILE *file = fopen(found.gl_pathv[0], "r");
    CHECK(t, file != NULL);
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    globfree(&found);
    bool contact = false;
    size_t n = 0;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        contact = strncmp(line, "CONTACT", 7) == 0 || (contact && line[0] == ',');
        if (!contact && n + length < sizeof kept) {
            memcpy(kept + n, line, length);
            n += length;
        }
        line += length;
    }
    Run r = open_text(t, kept, 0.1);
    TmlError err = {0};
    if (r.sim != NULL) {
        CHECK_OK(t, tml_sim_run(r.sim, NULL, NULL, &err), &err);
        // g t^2/2 below 100 mm: a parabola, which steps follow to rounding
        CHECK_NEAR(t, channel(&r, "Fe_Part_1.end.y"), 0.1 - 0.5 * 9.80665 * 0.01, 1e-12);
    }
    close_run(&r);
}

TEST_SUITE(adams_fe) = {CASE(tip_force),
                        CASE(spread_loads),
                        CASE(load_that_follows),
                        CASE(product_of_the_section),
                        CASE(sections_that_change),
                        CASE(weight_of_a_curved_beam),
                        CASE(parts_on_a_beam),
                        CASE(motions_of_markers),
                        CASE(first_frequencies),
                        CASE(falls_about_a_pin),
                        CASE(a_real_dataset),
                        {0}};
