/* tests/wheel/test_tyres.c - tyres: curves against tables, derivatives, rolling, standing, landing.
 *
 * The tables are those of vehicles/tyre_* of the reference cases.
 */
#include "csv_util.h"
#include "model/model.h"
#include "model/registry.h"
#include "model/wheel/tyre/tyre.h"
#include "trammel/io.h"
#include "trammel/sim.h"

#include "../model/element_util.h"

enum { SIZE = 12, OUTPUTS = TYRE_OUT - 6 };

/* A wheel over a road, with one tyre; the text of the tyre behind its ends. */
static TmlModel *model_of(TestCtx *t, const char *road, const char *tyre, const char *folder)
{
    char text[8192], name[1100];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(name, sizeof name, "%s/tyre.yaml", folder != NULL ? folder : ".");
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "roads: {track: {%s}}\n"
             "bodies:\n"
             "  post: {mass: 5, inertia: [1, 1, 1], position: [0.3, 0.2, -0.4]}\n"
             "  wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [1, 0, 0.33]}\n"
             "forces:\n"
             "  tyre: {bodies: [post, wheel], at: [1, 0, 0.33], axis: y, road: track, %s}\n",
             road, tyre);
    CHECK_OK(t, tml_load_text(text, name, 0, NULL, NULL, &m, &err), &err);
    return m;
}

#define VERTICAL "radius: 0.35, stiffness: 2e5, damping: 800"
#define FIALA                                                                                      \
    "type: fiala_tyre, " VERTICAL ", mu_static: 0.9835, mu_sliding: 0.5568, "                      \
    "longitudinal: 193929, lateral: 50000, width: 0.318"
#define TMEASY                                                                                     \
    "type: tmeasy_tyre, " VERTICAL ", load: 3000, longitudinal: [90000, 3300, 0.11, 3200, 0.5], "  \
    "lateral: [65000, 3200, 0.18, 3150, 0.6], trail: 0.03"
/* Chrono's HMMWV_Pac89Tire.json */
#define PAC89                                                                                      \
    "type: pac89_tyre, " VERTICAL ", "                                                             \
    "a: [1.49975356208205, -4.84987524731462, 812.449795340733, 2613.92367840654, "                \
    "48.857910109076, 0, -0.00879541881020228, 0.376999015041155], "                               \
    "b: [1.50018802672136, -15.7761466722458, 1022.11238546683, -2.55317715303733, "               \
    "208.777316195246, 0.0073134908964823, -0.00376410345674027, 0.156330736057758, "              \
    "-1.15310023217878]"
#define LINEAR                                                                                     \
    "type: linear_tyre, " VERTICAL ", longitudinal: 90000, lateral: 70000, mu: 0.9, "              \
    "camber_stiffness: -4000, trail: 0.04, resistance: 0.005"

/* A file of the format with all groups of coefficients, of our own making. */
static const char *const tir_text =
    "[UNITS]\nLENGTH='meter'\nFORCE='newton'\nANGLE='radian'\nMASS='kg'\nTIME='second'\n"
    "[MODEL]\nPROPERTY_FILE_FORMAT='PAC2002' $ comment\nTYRESIDE='LEFT'\n"
    "[VERTICAL]\nUNLOADED_RADIUS=0.35\nVERTICAL_STIFFNESS=2e5\nVERTICAL_DAMPING=800\nFNOMIN=4000\n"
    "BREFF=8\nDREFF=0.25\nFREFF=0.01\nKPUMIN=-1.5\nKPUMAX=1.5\nFZMIN=200\nFZMAX=15000\n"
    "PCX1=1.65\nPDX1=1.1\nPDX2=-0.08\nPDX3=0.3\nPEX1=0.1\nPEX2=0.05\nPEX4=0.01\n"
    "PKX1=22\nPKX2=0.5\nPKX3=0.2\nPHX1=-1e-3\nPVX1=1e-5\n"
    "RBX1=12\nRBX2=-10\nRCX1=1.05\nRHX1=0.005\nREX1=-0.1\n"
    "PTX1=2\nPTX2=0.3\nPTX3=-0.3\n"
    "PCY1=1.35\nPDY1=1\nPDY2=-0.15\nPDY3=0.8\nPEY1=-1\nPEY2=-0.2\nPEY3=0.1\nPEY4=-2\n"
    "PKY1=-18\nPKY2=1.8\nPKY3=0.3\nPHY1=3e-3\nPHY3=0.03\nPVY1=0.02\nPVY3=-0.3\n"
    "RBY1=7\nRBY2=2.5\nRBY3=1e-3\nRCY1=1.05\nRHY1=0.01\nRVY1=0.01\nRVY2=0.1\nRVY3=-0.3\nRVY4=10\n"
    "RVY5=1.9\nRVY6=-20\nPTY1=2\nPTY2=2\nQSX1=0.01\nQSX2=0.4\nQSX3=0.02\nQSY1=0.01\nQSY3=1e-3\n"
    "QBZ1=10\nQBZ2=-1\nQBZ4=0.2\nQBZ5=-0.2\nQBZ9=10\nQCZ1=1.15\nQDZ1=0.12\nQDZ2=-0.02\nQDZ3=0.1\n"
    "QDZ4=-3\nQDZ6=-1e-3\nQDZ8=-0.1\nQEZ1=-1.5\nQEZ4=0.2\nQEZ5=-0.5\nQHZ1=5e-3\nQHZ3=0.1\n"
    "SSZ1=0.02\nSSZ2=0.01\nSSZ3=0.3\n";

static void write_tir(TestCtx *t, const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(t, f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static const char *own_tir(TestCtx *t)
{
    static char line[1200];
    char path[1024];
    snprintf(path, sizeof path, "%s/own_tyre.tir", TRAMMEL_BINARY_DIR);
    write_tir(t, path, tir_text);
    snprintf(line, sizeof line, "type: pac2002_tyre, mounted: right, file: %s", path);
    return line;
}

/* --- curves ---------------------------------------------------------------------------------- */

static TmlTyreSteady steady_of(const TmlModel *m, double kappa, double alpha, double camber,
                               double load, double friction)
{
    const TmlTyre *tyre = m->forces.at[0].data;
    const TmlTyreSlip slip = {.kappa = d6(kappa),
                              .side = d6(-tan(alpha)),
                              .camber = d6(camber),
                              .load = d6(load),
                              .speed = d6(10.0),
                              .friction = friction};
    TmlTyreSteady out = {0};
    tyre->law->steady(tyre, &slip, &out);
    return out;
}

static double fx_of(const TmlTyreSteady *s, double kappa)
{
    return s->fx0.x + s->cx.x * s->psi_x.x * kappa;
}

static double fy_of(const TmlTyreSteady *s, double alpha)
{
    return s->fy0.x - s->cy.x * s->psi_y.x * tan(alpha);
}

/* Tables have twelve digits of forces up to 1e4 N. Angles of the tables have the sign of their forces. */
TEST(fiala_by_its_table)
{
    TmlModel *m = model_of(t, "type: flat", FIALA, NULL);
    const Csv table = csv_read(t, "vehicles/tyre_fiala/fiala.csv");
    for (int r = 0; r < table.rows; ++r) {
        const double load = csv_at(&table, r, 0), kappa = csv_at(&table, r, 1);
        const double alpha = csv_at(&table, r, 2) * M_PI / 180.0;
        const TmlTyreSteady s = steady_of(m, kappa, alpha, 0.0, load, 1.0);
        CHECK_NEAR(t, fx_of(&s, kappa), csv_at(&table, r, 3), 1e-8);
        CHECK_NEAR(t, fy_of(&s, alpha), csv_at(&table, r, 4), 1e-8);
        CHECK_NEAR(t, s.mz.x, csv_at(&table, r, 5), 1e-8);
    }
    tml_model_free(m);
}

TEST(pac89_by_its_table)
{
    TmlModel *m = model_of(t, "type: flat", PAC89, NULL);
    const Csv table = csv_read(t, "vehicles/tyre_pac89/pac89.csv");
    for (int r = 0; r < table.rows; ++r) {
        const double load = csv_at(&table, r, 0), kappa = csv_at(&table, r, 1);
        const double alpha = csv_at(&table, r, 2) * M_PI / 180.0;
        if (csv_at(&table, r, 3) != 0.0 && alpha != 0.0) {
            continue; // the table has pure slips side by side
        }
        const TmlTyreSteady s = steady_of(m, kappa, alpha, 0.0, load, 1.0);
        // twelve digits, as above
        CHECK_NEAR(t, fx_of(&s, kappa), csv_at(&table, r, 4), 1e-8);
        CHECK_NEAR(t, fabs(fy_of(&s, alpha)), fabs(csv_at(&table, r, 5)), 1e-8);
    }
    tml_model_free(m);
}

TEST(tmeasy_by_its_table)
{
    TmlModel *m = model_of(t, "type: flat", TMEASY, NULL);
    const Csv table = csv_read(t, "vehicles/tyre_tmeasy/tmeasy.csv");
    for (int r = 0; r < table.rows; ++r) {
        const double slip = csv_at(&table, r, 0);
        const TmlTyreSteady x = steady_of(m, slip, 0.0, 0.0, 3000.0, 1.0);
        const TmlTyreSteady y = steady_of(m, 0.0, -atan(slip), 0.0, 3000.0, 1.0);
        // twelve digits, as above
        CHECK_NEAR(t, fx_of(&x, slip), csv_at(&table, r, 1), 1e-8);
        CHECK_NEAR(t, fy_of(&y, -atan(slip)), csv_at(&table, r, 2), 1e-8);
    }
    tml_model_free(m);
}

TEST(pac2002_by_its_table)
{
    char tyre[2048];
    const Csv table = csv_read(t, "vehicles/tyre_pac2002/pac2002_hmmwv.csv");
    if (table.rows == 0) {
        return;
    }
    snprintf(tyre, sizeof tyre,
             "type: pac2002_tyre, file: %s/vehicles/hmmwv/tire/HMMWV_Pac02Tire.tir",
             test_cases_dir());
    TmlModel *m = model_of(t, "type: flat", tyre, NULL);
    for (int r = 0; r < table.rows; ++r) {
        const double load = csv_at(&table, r, 0), kappa = csv_at(&table, r, 1);
        const double alpha = csv_at(&table, r, 2) * M_PI / 180.0;
        const double camber = csv_at(&table, r, 3) * M_PI / 180.0;
        const TmlTyreSteady s = steady_of(m, kappa, alpha, camber, load, 1.0);
        // |camber| is rounded off at 1e-3 rad, which changes K_y by up to 1e-3 PKY3
        const double part = camber == 0.0 ? 1e-9 : 1e-3;
        CHECK_NEAR(t, s.cx.x, csv_at(&table, r, 6), 1e-9 * s.cx.x);
        CHECK_NEAR(t, -s.cy.x, csv_at(&table, r, 7), part * s.cy.x);
        if (alpha == 0.0) { // the table has pure slips: without the other the weight is 1
            CHECK_NEAR(t, fx_of(&s, kappa), csv_at(&table, r, 4), 1e-7);
        }
        if (kappa == 0.0) {
            CHECK_NEAR(t, fy_of(&s, alpha), csv_at(&table, r, 5), part * load);
        }
    }
    tml_model_free(m);
}

/* --- derivatives ----------------------------------------------------------------------------- */

typedef struct Sample {
    const TmlForceType *type;
    TmlFrameKin e[2];
    double f[2];
    TmlElementIn in;
} Sample;

static void random_sample(TestCtx *t, const TmlModel *m, Sample *s)
{
    const TmlForce *force = &m->forces.at[0];
    *s = (Sample){.type = force->type};
    const TmlVec3 place[2] = {v3(0.3, 0.2, -0.4), v3(1, 0, 0.33)};
    for (int k = 0; k < 2; ++k) {
        s->e[k] = tml_model_initial_kin(m, &force->end[k]);
        (void)place;
        for (int c = 0; c < 6; ++c) {
            s->e[k] = kin_moved(&s->e[k], c, test_random(t, -0.008, 0.008));
            s->e[k] = kin_moved(&s->e[k], MOVE_TWIST + c, test_random(t, -0.4, 0.4));
        }
    }
    s->e[1].v = v3_add(s->e[1].v, v3(test_random(t, 1.0, 12.0), 0, 0));
    s->e[1].omega = v3_add(s->e[1].omega, v3(0, test_random(t, 0.0, 35.0), 0));
    s->f[0] = test_random(t, -0.01, 0.01);
    s->f[1] = test_random(t, -0.01, 0.01);
    s->in = (TmlElementIn){.data = force->data, .e = s->e, .n_ends = 2, .f = s->f};
}

static void wrench_and_outputs(const Sample *s, const TmlFrameKin *e, const double *f, double *v)
{
    TmlElementIn in = s->in;
    TmlRow w[2];
    in.e = e;
    in.f = f;
    s->type->wrench(&in, w);
    for (int r = 0; r < SIZE; ++r) {
        v[r] = row_entry(&w[r / 6], r % 6);
    }
    s->type->output(&in, v + SIZE);
}

static void difference(const Sample *s, int end, int move, double h, double *d)
{
    for (int r = 0; r < SIZE + OUTPUTS; ++r) {
        d[r] = 0.0;
    }
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[2] = {s->e[0], s->e[1]};
        double v[SIZE + OUTPUTS];
        e[end] = kin_moved(&e[end], move, stencil_at[p] * h);
        wrench_and_outputs(s, e, s->f, v);
        for (int r = 0; r < SIZE + OUTPUTS; ++r) {
            d[r] += stencil_weight[p] / h * v[r];
        }
    }
}

static bool close(double a, double b)
{
    return fabs(a - b) <= 2e-3 + 2e-5 * fabs(b);
}

/* Checks one derivative. Curves have corners, at a bound of friction for example: where two steps of different size disagree there is one
 * between them, and nothing can be said. */
static void check_one(TestCtx *t, double exact, double coarse, double fine, int *corners)
{
    if (!close(exact, coarse) && !close(coarse, fine)) {
        ++*corners;
        return;
    }
    CHECK(t, close(exact, coarse));
}

/* A difference is off by the rounding of forces of 1e4 N over the step, 1e-12 1e4 / 2e-5 = 5e-4 N, and by truncation where
 * curves bend within 1e-2: (2e-5/1e-2)^6, nothing. Secants near zero slip are straight pieces, 1e-5 of their slope. */
static void derivatives(TestCtx *t, const TmlModel *m, const char *name)
{
    int corners = 0;
    t->name = name;
    for (int k = 0; k < 40; ++k) {
        Sample s;
        double Kq[SIZE * SIZE] = {0}, Kv[SIZE * SIZE] = {0}, Of[OUTPUTS * 2] = {0};
        TmlRow Oq[OUTPUTS * 2], Ov[OUTPUTS * 2];
        memset(Oq, 0, sizeof Oq);
        memset(Ov, 0, sizeof Ov);
        random_sample(t, m, &s);
        s.type->tangent(&s.in, Kq, Kv);
        s.type->output_tangent(&s.in, Oq, Ov, Of);
        for (int c = 0; c < SIZE; ++c) {
            double dq[SIZE + OUTPUTS], dv[SIZE + OUTPUTS], fq[SIZE + OUTPUTS], fv[SIZE + OUTPUTS];
            difference(&s, c / 6, MOVE_MOTION + c % 6, 2e-5, dq);
            difference(&s, c / 6, MOVE_TWIST + c % 6, 2e-5, dv);
            difference(&s, c / 6, MOVE_MOTION + c % 6, 5e-6, fq);
            difference(&s, c / 6, MOVE_TWIST + c % 6, 5e-6, fv);
            for (int r = 0; r < SIZE + OUTPUTS; ++r) {
                const double q =
                    r < SIZE ? Kq[r * SIZE + c] : row_entry(&Oq[(r - SIZE) * 2 + c / 6], c % 6);
                const double v =
                    r < SIZE ? Kv[r * SIZE + c] : row_entry(&Ov[(r - SIZE) * 2 + c / 6], c % 6);
                check_one(t, q, dq[r], fq[r], &corners);
                check_one(t, v, dv[r], fv[r], &corners);
            }
        }
    }
    CHECK(t, corners < 200); // of 27,000: two samples of 40 at most meet one
}

TEST(derivatives_match_differences)
{
    static const char *const roads[] = {
        "type: flat, rotation: {axis: y, angle: 0.1}, position: [0, 0, 0.05]",
        "type: surface, columns: 4, dx: 0.7, dy: 0.5, origin: [-0.5, -0.8], heights: [0, 0.02, "
        "0.01, 0, "
        "0.01, 0, 0.03, 0, 0.02, 0.01, 0, 0.02, 0, 0.02, 0.01, 0]",
        "type: iso8608, class: C, seed: 5"};
    const char *const tyres[] = {FIALA ", together: true",        TMEASY, PAC89, LINEAR, own_tir(t),
                                 "type: vertical_tyre, " VERTICAL};
    const char *const name = t->name;
    for (size_t k = 0; k < sizeof tyres / sizeof tyres[0]; ++k) {
        for (size_t r = 0; r < sizeof roads / sizeof roads[0]; ++r) {
            TmlModel *m = model_of(t, roads[r], tyres[k], NULL);
            char what[64];
            snprintf(what, sizeof what, "%.12s on %.14s", tyres[k] + 6, roads[r] + 6);
            derivatives(t, m, what);
            tml_model_free(m);
        }
    }
    t->name = name;
}

/* Every type of force with a road is among those above. */
TEST(every_tyre_is_tested)
{
    int n = 0;
    for (const TmlForceType *const *p = tml_force_types; *p != NULL; ++p) {
        for (const TmlParam *q = (*p)->info.params; q->name != NULL; ++q) {
            n += q->kind == TML_PARAM_ROAD;
        }
    }
    CHECK(t, n == 6);
}

/* --- contact --------------------------------------------------------------------------------- */

static TmlTyreTouch touch_at(const TmlModel *m, double x, double z, double lean)
{
    const TmlTyre *tyre = m->forces.at[0].data;
    TmlTyreTouch touch;
    tml_tyre_touch(tyre, d6v(v3(x, 0, z)), d6v(v3(0, cos(lean), sin(lean))), &touch);
    return touch;
}

/* A disc of 0.35 m before a step of 50 mm touches it from 0.180 m on: sqrt(0.35^2 - 0.3^2) = 0.18028. There its deflection is that of
 * the flat, 0. Behind, the lifted centre is on a circle about the edge. */
TEST(a_disc_climbs_a_step)
{
    TmlModel *m = model_of(t, "type: bumps, shape: step, at: [2], height: 0.05",
                           "type: vertical_tyre, contact: disc, " VERTICAL, NULL);
    const double reach = sqrt(0.35 * 0.35 - 0.3 * 0.3);
    TmlTyreTouch at = touch_at(m, 2.0 - reach - 0.03, 0.35, 0.0);
    CHECK_NEAR(t, at.deflection.x, 0.0, 1e-12); // rounding of lengths of 2 m
    at = touch_at(m, 2.0 - 0.1, sqrt(0.35 * 0.35 - 0.01) + 0.05, 0.0);
    CHECK_NEAR(t, at.deflection.x, 0.0, 1e-9); // edges are looked at 3.5e-10 m beside them
    CHECK_NEAR(t, at.normal.x.x, -0.1 / 0.35, 1e-9);
    at = touch_at(m, 2.3, 0.4, 0.0);
    CHECK_NEAR(t, at.deflection.x, 0.0, 1e-9);
    CHECK_NEAR(t, at.normal.z.x, 1.0, 1e-9);
    tml_model_free(m);
}

/* Over a half cylinder the centre of the disc goes round its axis: deflection R + r - distance. */
TEST(a_disc_rolls_over_a_half_cylinder)
{
    TmlModel *m = model_of(t, "type: bumps, shape: half_cylinder, at: [2], height: 0.05",
                           "type: vertical_tyre, contact: disc, " VERTICAL, NULL);
    double before = 0.0, jump = 0.0;
    for (int k = 0; k <= 4000; ++k) {
        const double x = 1.5 + k / 4000.0;
        const TmlTyreTouch at = touch_at(m, x, 0.33, 0.0);
        const double on_top = 0.40 - hypot(x - 2.0, 0.33), flat = 0.02;
        if (on_top > flat + 0.01) {
            CHECK_NEAR(t, at.deflection.x, on_top, 1e-9); // Newton's method ends at rounding
        } else if (on_top < flat - 0.01) {
            CHECK_NEAR(t, at.deflection.x, flat, 1e-9);
        }
        const double force = at.deflection.x * at.normal.x.x;
        jump = k > 0 ? fmax(jump, fabs(force - before)) : jump;
        before = force;
    }
    // over steps of 0.25 mm: the passage from one contact to the other takes 7 mm of depth, some 10 mm of the way
    CHECK(t, jump < 1.5e-3);
    tml_model_free(m);
}

/* On a plane a leaning wheel touches at the height by the cosine. */
TEST(a_leaning_wheel)
{
    TmlModel *m = model_of(t, "type: flat", "type: vertical_tyre, " VERTICAL, NULL);
    const TmlTyreTouch at = touch_at(m, 0.0, 0.3, 0.2);
    CHECK_NEAR(t, at.radius.x, 0.3 / cos(0.2), 1e-13); // closed form, rounding
    CHECK_NEAR(t, at.point.y.x, 0.3 * tan(0.2), 1e-13);
    tml_model_free(m);
}

/* --- runs ------------------------------------------------------------------------------------ */

enum { MOST_CHANNELS = 8 };

/* Runs a model by a method and reads its channels at two times. False: the run did not end. */
static bool run_to(TestCtx *t, const TmlModel *m, const char *method, double tol,
                   const double at[2], double value[2][MOST_CHANNELS])
{
    TmlSimOptions options = tml_sim_options_default();
    TmlSim *sim = NULL;
    TmlError err = {0};
    options.integrator = method;
    options.tolerance = tol;
    options.end_time = at[1];
    options.output_step = at[1];
    TmlStatus status = tml_sim_create(m, &options, &sim, &err);
    for (bool first = true; status == TML_OK && tml_sim_time(sim) < at[1];) {
        status = tml_sim_step(sim, &err);
        if (status == TML_OK && first && tml_sim_time(sim) >= at[0]) {
            first = false;
            status = tml_sim_row_at(sim, at[0], &err);
            for (int k = 0; status == TML_OK && k < tml_row_channel_count(sim); ++k) {
                value[0][k] = tml_row_channel(sim, k);
            }
        }
    }
    if (status == TML_OK) {
        status = tml_sim_row_at(sim, at[1], &err);
    }
    for (int k = 0; status == TML_OK && k < tml_row_channel_count(sim); ++k) {
        value[1][k] = tml_row_channel(sim, k);
    }
    CHECK_OK(t, status, &err);
    tml_sim_free(sim);
    return status == TML_OK;
}

/* The tyre carries the weight along the slope, 500 kg, and does not creep: at rest r of (Y6) is zero, so that what moves is the end of
 * the swing, whose last part decays within a second. */
TEST(a_braked_wheel_stands_on_a_slope)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    double value[2][MOST_CHANNELS];
    const double at[2] = {8.0, 20.0};
    CHECK_OK(t, tml_load(TRAMMEL_SOURCE_DIR "/models/wheel/braking.yaml", 0, NULL, NULL, &m, &err),
             &err);
    if (m != NULL && run_to(t, m, "radau", 1e-6, at, value)) {
        CHECK_NEAR(t, value[1][0], -500.0 * 9.81 * sin(0.1), 1e-3); // 2e-6 of it: the tolerance
        CHECK_NEAR(t, value[1][1], 0.0, 1e-7);
        CHECK_NEAR(t, value[1][2], value[0][2], 1e-6);     // 12 s
        CHECK(t, value[1][2] > 9.0 && value[1][2] < 11.0); // 10 m/s at about 5 m/s^2
    }
    tml_model_free(m);
}

/* A wheel with a carriage, driven by a torque, on a wavy road; everything turned about z and moved. */
static TmlModel *rolling_model(TestCtx *t, double turn, double x, double y)
{
    char text[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "parameters: {a: %.17g, X: %.17g, Y: %.17g}\n"
        "roads: {wavy: {type: profile, position: [X, Y, 0], rotation: {axis: z, angle: a},\n"
        "  height: {x: [-9, 0, 1, 2, 3, 9], y: [0, 0, 0.02, -0.01, 0, 0]}}}\n"
        "bodies:\n"
        "  carriage: {mass: 400, inertia: [30, 40, 50], position: [X, Y, 0.6],\n"
        "             velocity: [8*cos(a), 8*sin(a), 0], rotation: {axis: z, angle: a}}\n"
        "  wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [X, Y, 0.335], rotation: {axis: "
        "z, "
        "angle: a},\n"
        "          velocity: [8*cos(a), 8*sin(a), 0],\n"
        "          angular_velocity: [-8/0.345*sin(a), 8/0.345*cos(a), 0]}\n"
        "joints:\n"
        "  hub: {type: revolute, bodies: [carriage, wheel], at: [X, Y, 0.335], axis: [-sin(a), "
        "cos(a), 0]}\n"
        "  upright: {type: orientation, bodies: [ground, carriage], at: [X, Y, 0.6]}\n"
        "forces:\n"
        "  tyre: {bodies: [ground, wheel], at: [X, Y, 0.335], axis: [-sin(a), cos(a), 0], road: "
        "wavy,\n"
        "         %s}\n"
        "  drive: {type: rotational_spring, joint: hub, expression: -150}\n"
        "outputs: {load: output(tyre).load, fx: output(tyre).fx, fy: output(tyre).fy,\n"
        "          x: output(tyre).x, deflection: tyre.x1}\n",
        turn, x, y, TMEASY);
    CHECK_OK(t, tml_load_text(text, "rolling", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* Limits: 1e-3 of the load of 4120 N, whose error by methods of order two at 1e-7 was 3e-5 of it on a flat road. */
TEST(every_method_rolls)
{
    const double at[2] = {0.15, 0.3};
    double exact[2][MOST_CHANNELS], value[2][MOST_CHANNELS];
    TmlModel *m = rolling_model(t, 0.0, 0.0, 0.0);
    if (m == NULL || !run_to(t, m, "radau", 1e-10, at, exact)) {
        tml_model_free(m);
        return;
    }
    CHECK(t, fabs(exact[1][1]) > 100.0); // it is driven
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        const char *const name = t->name;
        t->name = tml_integrator_name(k);
        if (run_to(t, m, t->name, 1e-7, at, value)) {
            for (int c = 0; c < 3; ++c) {
                CHECK_NEAR(t, value[1][c], exact[1][c], 4.0);
            }
            CHECK_NEAR(t, value[1][3], exact[1][3], 1e-3);
        }
        t->name = name;
    }
    tml_model_free(m);
}

/* Turned about z and moved, all is the same but for rounding that grows with the tolerance of 1e-10. */
TEST(turned_and_moved)
{
    const double at[2] = {0.15, 0.3};
    double here[2][MOST_CHANNELS], there[2][MOST_CHANNELS];
    TmlModel *a = rolling_model(t, 0.0, 0.0, 0.0), *b = rolling_model(t, 0.7, 30.0, -20.0);
    if (a != NULL && b != NULL && run_to(t, a, "radau", 1e-10, at, here) &&
        run_to(t, b, "radau", 1e-10, at, there)) {
        for (int c = 0; c < 4; ++c) {
            CHECK_NEAR(t, there[1][c], here[1][c], 1e-2); // 2e-6 of the load
        }
    }
    tml_model_free(a);
    tml_model_free(b);
}

/* --- bad input ------------------------------------------------------------------------------- */

static void refused(TestCtx *t, const char *road, const char *tyre, const char *part)
{
    char text[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "roads: {track: {%s}}\n"
        "bodies: {wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [0, 0, 0.33]}}\n"
        "forces: {tyre: {bodies: [ground, wheel], at: [0, 0, 0.33], axis: y, road: track, %s}}\n",
        road, tyre);
    CHECK(t, tml_load_text(text, "bad", 0, NULL, NULL, &m, &err) != TML_OK);
    if (strstr(err.message, part) == NULL) {
        test_fail(t, __FILE__, __LINE__, "expected '%s' in: %s", part, err.message);
    }
    tml_model_free(m);
}

TEST(bad_roads_and_tyres_are_told)
{
    refused(t, "type: flatt", FIALA, "did you mean 'flat'");
    refused(t, "type: bumps, shape: plank, at: [1], height: 0.1", FIALA, "needs a length");
    refused(t, "type: surface, columns: 3, dx: 1, dy: 1, heights: [1, 2, 3, 4]", FIALA, "rows of");
    refused(t, "type: iso8608, shortest: 2, longest: 1", FIALA, "longest");
    refused(t, "type: flat", "type: fiala_tyre, radius: 0.3", "missing key 'mu_static'");
    refused(t, "type: flat", "type: vertical_tyre, radius: 0.3", "needs a stiffness");
    refused(t, "type: flat",
            "type: tmeasy_tyre, " VERTICAL
            ", load: 3000, longitudinal: [3e4, 3300, 0.11, 3200, 0.5], "
            "lateral: [6.5e4, 3200, 0.18, 3150, 0.6]",
            "at least 2");
    refused(t, "type: flat", "type: pac2002_tyre, file: no_such.tir", "no_such.tir");
}

/* A property file with one thing wrong: a line of it in place of another. */
static void refused_file(TestCtx *t, const char *old, const char *other, const char *part)
{
    char text[8192], path[1024], tyre[1200];
    const char *at = strstr(tir_text, old);
    CHECK(t, at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - tir_text), tir_text, other,
             at + strlen(old));
    snprintf(path, sizeof path, "%s/bad_tyre.tir", TRAMMEL_BINARY_DIR);
    write_tir(t, path, text);
    snprintf(tyre, sizeof tyre, "type: pac2002_tyre, file: %s", path);
    refused(t, "type: flat", tyre, part);
}

TEST(bad_property_files_are_told)
{
    refused_file(t, "PCX1=1.65\n", "", "missing key PCX1");
    refused_file(t, "PCX1=1.65\n", "PCX1=1.65\nPCX1=1.7\n", "stands twice");
    refused_file(t, "LENGTH='meter'\n", "", "no LENGTH");
    refused_file(t, "LENGTH='meter'", "LENGTH='ell'", "unknown unit");
    refused_file(t, "PKY1=-18", "PKY1=18", "SAE");
    refused_file(t, "PCX1=1.65", "PCX1=1.6x5", "expected a number");
    refused_file(t, "'PAC2002'", "'FTIRE'", "only PAC2002");
    refused_file(t, "KPUMIN=-1.5", "ALPMAX=12", "half a turn");
    refused_file(t, "FNOMIN=4000", "FNOMIN=-4000", "above 0");
}

TEST_SUITE(tyres) = {
    CASE(fiala_by_its_table),
    CASE(pac89_by_its_table),
    CASE(tmeasy_by_its_table),
    CASE(pac2002_by_its_table),
    CASE(derivatives_match_differences),
    CASE(every_tyre_is_tested),
    CASE(a_disc_climbs_a_step),
    CASE(a_disc_rolls_over_a_half_cylinder),
    CASE(a_leaning_wheel),
    CASE(a_braked_wheel_stands_on_a_slope),
    CASE(every_method_rolls),
    CASE(turned_and_moved),
    CASE(bad_roads_and_tyres_are_told),
    CASE(bad_property_files_are_told),
    {0},
};
