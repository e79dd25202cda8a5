/* tests/wheel/test_tyres.c - tyres: curves against tables, derivatives, rolling, standing, landing.
 *
 * The tables are those of vehicles/tyre_* of the reference cases.
 */
#include "tyre_util.h"

#include "model/wheel/tyre/pac2002.h"

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
        const double alpha =
            -csv_at(&table, r, 2) * M_PI / 180.0; // those of the table are to the right
        const TmlTyreSteady s = steady_of(m, kappa, alpha, 0.0, load, 1.0);
        // twelve digits, as above; the table has pure slips side by side
        CHECK_NEAR(t, fx_of(&s, kappa), csv_at(&table, r, 4), 1e-8);
        CHECK_NEAR(t, fy_of(&s, alpha), csv_at(&table, r, 5), 1e-8);
        CHECK_NEAR(t, s.mz.x, csv_at(&table, r, 6), 1e-8);
    }
    tml_model_free(m);
}

/* Forces of pure slip at sqrt(2) times a slip. */
static double fx_beyond(const TmlModel *m, double kappa, double load)
{
    const TmlTyreSteady s = steady_of(m, M_SQRT2 * kappa, 0.0, 0.0, load, 1.0);
    return fx_of(&s, M_SQRT2 * kappa);
}

static double fy_beyond(const TmlModel *m, double angle, double load)
{
    const double more = atan(M_SQRT2 * tan(angle));
    const TmlTyreSteady s = steady_of(m, 0.0, -more, 0.0, load, 1.0);
    return fy_of(&s, -more);
}

/* At the slips of both largest forces together s of (P4) is sqrt(2): both forces are those of sqrt(2) times these slips, by sqrt(2),
 * whatever the load. */
/* BCD of the lateral force is (1 - a5 |camber in degrees|) times that without camber. */
TEST(pac89_slope_by_camber)
{
    static const char *const tyre =
        "type: pac89_tyre, " VERTICAL ", a: [1.3, -22, 1011, 1078, 1.82, 0.013, -0.1, 0.5], "
        "b: [1.65, -21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486]";
    TmlModel *m = model_of(t, "type: flat", tyre, NULL);
    const double upright = steady_of(m, 0.0, 0.0, 0.0, 4000.0, 1.0).cy.x;
    for (int degrees = -4; degrees <= 4; degrees += 2) {
        const double leaning = steady_of(m, 0.0, 0.0, degrees * M_PI / 180.0, 4000.0, 1.0).cy.x;
        // rounding of a dozen operations
        CHECK_NEAR(t, leaning / upright, 1.0 - 0.013 * abs(degrees), 1e-13);
    }
    tml_model_free(m);
}

TEST(pac89_both_slips)
{
    TmlModel *m = model_of(t, "type: flat", PAC89, NULL);
    for (int step = 0; step < 5; ++step) {
        const double load = 2000.0 + 1500.0 * step;
        double kappa = 0.0, angle = 0.0, fx = 0.0, fy = 0.0;
        for (int k = 1; k < 60000; ++k) { // the largest forces, looked for
            const TmlTyreSteady x = steady_of(m, 1e-5 * k, 0.0, 0.0, load, 1.0);
            const TmlTyreSteady y = steady_of(m, 0.0, -1e-5 * k, 0.0, load, 1.0);
            if (fx_of(&x, 1e-5 * k) > fx) {
                fx = fx_of(&x, kappa = 1e-5 * k);
            }
            if (fy_of(&y, -1e-5 * k) > fy) {
                fy = fy_of(&y, -(angle = 1e-5 * k));
            }
        }
        const TmlTyreSteady both = steady_of(m, kappa, -angle, 0.0, load, 1.0);
        // the slips are found within 1e-5, or 1e-4 of themselves
        CHECK_NEAR(t, fx_of(&both, kappa), M_SQRT1_2 * fx_beyond(m, kappa, load), 2e-4 * fx);
        CHECK_NEAR(t, fy_of(&both, -angle), M_SQRT1_2 * fy_beyond(m, angle, load), 2e-4 * fy);
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

/* With the friction m of the road all forces are m times those at slips that are m times smaller: (M2) to (M4) with the slips and forces
 * of peak and sliding times m, and the same initial slope. The slope at no slip does not change. */
TEST(tmeasy_on_a_slippery_road)
{
    TmlModel *m = model_of(t, "type: flat", TMEASY, NULL);
    static const double friction[] = {0.3, 0.7, 1.2};
    for (int k = 0; k < 60 && m != NULL; ++k) {
        const double mu = friction[k % 3], load = test_random(t, 1000.0, 6000.0);
        const double kappa = test_random(t, -0.5, 0.5), side = test_random(t, -0.5, 0.5);
        const TmlTyreSteady wet = steady_of(m, mu * kappa, atan(mu * side), 0.0, load, mu);
        const TmlTyreSteady dry = steady_of(m, kappa, atan(side), 0.0, load, 1.0);
        const double fx = mu * fx_of(&dry, kappa), fy = mu * fy_of(&dry, atan(side));
        // the same in another order of operations: rounding of forces up to 1e4 N
        CHECK_NEAR(t, fx_of(&wet, mu * kappa), fx, 1e-10);
        CHECK_NEAR(t, fy_of(&wet, atan(mu * side)), fy, 1e-10);
        CHECK(t, wet.cx.x == dry.cx.x && wet.cy.x == dry.cy.x);
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
        const double part = 1e-9; // digits of the table
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

static double named_output(const double *v, const char *name)
{
    double value = (double)NAN;
    for (int k = 0; k < OUTPUTS; ++k) {
        value = strcmp(tml_tyre_outputs[k].name, name) == 0 ? v[SIZE + k] : value;
    }
    return value;
}

/* Where a wheel turns over its contact, that does not move: the tyre sees no lateral slip, though the centre does. */
TEST(a_wheel_that_turns_over_its_contact)
{
    TmlModel *m = model_of(t, "type: flat", FIALA, NULL);
    const double height = 0.33, rolls = 0.8, way = 10.0; // m, rad/s, m/s
    Sample s;
    double v[SIZE + OUTPUTS];
    random_sample(t, m, &s);
    for (int k = 0; k < 2; ++k) {
        s.e[k] = tml_model_initial_kin(m, &m->forces.at[0].end[k]);
    }
    s.e[1].omega = v3(rolls, way / height, 0.0);
    s.e[1].v = v3(way, -rolls * height, 0.0); // omega x (0, 0, height)
    wrench_and_outputs(&s, s.e, s.f, v);
    CHECK_NEAR(t, named_output(v, "alpha"), 0.0, 1e-13); // rounding of speeds of 10 m/s
    s.e[1].v.y = 0.0;
    wrench_and_outputs(&s, s.e, s.f, v);
    // the contact moves to the left with rolls height; the crawl of (Y5) takes 1e-12 of it away, as was measured
    CHECK_NEAR(t, named_output(v, "alpha"), atan(rolls * height / way), 1e-10);
    tml_model_free(m);
}

/* Outputs of an upright wheel whose centre is 0.33 m above the road and goes with 10 m/s, and `aside` to the left. It turns with `spin`;
 * the tyre is not deflected along the road. */
static void rolling(TestCtx *t, const TmlModel *m, double aside, double spin, double *v)
{
    Sample s;
    random_sample(t, m, &s);
    for (int k = 0; k < 2; ++k) {
        s.e[k] = tml_model_initial_kin(m, &m->forces.at[0].end[k]);
        s.f[k] = 0.0;
    }
    s.e[1].omega = v3(0.0, spin, 0.0);
    s.e[1].v = v3(10.0, aside, 0.0);
    wrench_and_outputs(&s, s.e, s.f, v);
}

static double slip_of_rolling(TestCtx *t, const char *tyre)
{
    TmlModel *m = model_of(t, "type: flat", tyre, NULL);
    double v[SIZE + OUTPUTS];
    rolling(t, m, 0.0, 10.0 / 0.33, v);
    tml_model_free(m);
    return named_output(v, "kappa");
}

/* The slip is that of a wheel with the rolling radius, (Y4), of a tyre of 0.35 m that is pressed in by 0.02 m: less by a third of that, or
 * by BREFF, DREFF and FREFF at the deflection by 4000 N and 2e5 N/m. */
TEST(slips_are_by_the_rolling_radius)
{
    const double third = 0.35 - 0.02 / 3.0, file = 0.35 - 0.02 * (0.25 * atan(8.0) + 0.01);
    // the crawl of (Y5) adds half its square by that of 10 m/s; 2e-12 was measured
    CHECK_NEAR(t, slip_of_rolling(t, FIALA), third / 0.33 - 1.0, 1e-10);
    CHECK_NEAR(t, slip_of_rolling(t, own_tir(t)), file / 0.33 - 1.0, 1e-10);
}

/* The aligning moment is a force behind the wheel's centre: as long as the tyre has no lateral force yet it has no moment. */
TEST(the_aligning_moment_waits_for_the_force)
{
    static const char *const tyre[] = {FIALA, PAC89, TMEASY};
    for (int k = 0; k < 3; ++k) {
        TmlModel *m = model_of(t, "type: flat", tyre[k], NULL);
        double v[SIZE + OUTPUTS];
        rolling(t, m, 0.02, 10.0 / (0.35 - 0.02 / 3.0), v);
        const TmlTyreSteady s = steady_of(m, 0.0, 0.002, 0.0, named_output(v, "load"), 1.0);
        CHECK(t, fabs(s.mz.x) > 0.1); // N m: the moment once the force is there
        // the curves of moment and force bend: at 2 mrad Pacejka's are 1.1e-4 off their proportion, as was measured
        CHECK_NEAR(t, named_output(v, "fy") / fy_of(&s, 0.002), 0.0, 1e-6);
        CHECK_NEAR(t, named_output(v, "mz") / s.mz.x, 0.0, 1e-3);
        tml_model_free(m);
    }
}

/* The lateral force of a wheel that carries next to nothing, deflected by u, and slides to the side with `slide`. */
static double force_of_sliding(TestCtx *t, const TmlModel *m, double u, double slide)
{
    Sample s;
    double v[SIZE + OUTPUTS];
    random_sample(t, m, &s);
    for (int k = 0; k < 2; ++k) {
        s.e[k] = tml_model_initial_kin(m, &m->forces.at[0].end[k]);
    }
    s.f[0] = 0.0, s.f[1] = u;
    s.e[1].r.z = 0.35 - 5e-4; // 100 N
    s.e[1].omega = v3(0.0, 0.0, 0.0);
    s.e[1].v = v3(0.0, slide, 0.0);
    wrench_and_outputs(&s, s.e, s.f, v);
    return named_output(v, "fy");
}

/* As a tyre slides and its load goes, its deflection is let go within microseconds. The damper (Y7) must not push with that rate: the force
 * lies between that of the deflection, which is the force at rest, and that of the friction, which has its sign here. */
TEST(a_sliding_tyre_lets_go_without_a_kick)
{
    static const char *const tyre[] = {FIALA, PAC89, TMEASY};
    for (int k = 0; k < 3; ++k) {
        TmlModel *m = model_of(t, "type: flat", tyre[k], NULL);
        for (int side = 0; side < 2; ++side) {
            const double u = side == 0 ? 0.1 : -0.1; // m: more than friction holds at 100 N
            const double held = force_of_sliding(t, m, u, 0.0);
            const double let_go = force_of_sliding(t, m, u, side == 0 ? -0.3 : 0.3);
            CHECK(t, fabs(held) > 150.0);
            CHECK(t, let_go / held > 0.0 && let_go / held < 1.0);
        }
        tml_model_free(m);
    }
}

/* Most coefficients of PAC2002 come in pairs: one that holds at the nominal load, and how it changes with dfz. At one load the second adds
 * dfz times its value to the first. */
TEST(coefficients_by_load)
{
    static const TmlPacKey pair[][2] = {
        {PAC_PDX1, PAC_PDX2}, {PAC_PKX1, PAC_PKX2}, {PAC_PHX1, PAC_PHX2}, {PAC_PVX1, PAC_PVX2},
        {PAC_REX1, PAC_REX2}, {PAC_PTX1, PAC_PTX2}, {PAC_PDY1, PAC_PDY2}, {PAC_PEY1, PAC_PEY2},
        {PAC_PHY1, PAC_PHY2}, {PAC_PVY1, PAC_PVY2}, {PAC_PVY3, PAC_PVY4}, {PAC_REY1, PAC_REY2},
        {PAC_RHY1, PAC_RHY2}, {PAC_RVY1, PAC_RVY2}, {PAC_QDZ1, PAC_QDZ2}, {PAC_QDZ6, PAC_QDZ7},
        {PAC_QDZ8, PAC_QDZ9}, {PAC_QHZ1, PAC_QHZ2}, {PAC_QHZ3, PAC_QHZ4}, {PAC_QEZ1, PAC_QEZ2},
        {PAC_QBZ1, PAC_QBZ2}, {PAC_SSZ3, PAC_SSZ4}};
    char path[1024];
    TmlArena arena = {0};
    const TmlTir *tir = NULL;
    TmlPac2002 p = {0};
    TmlError err = {0};
    (void)own_tir(t); // it writes the file
    snprintf(path, sizeof path, "%s/own_tyre.tir", TRAMMEL_BINARY_DIR);
    CHECK_OK(t, tml_tir_read(path, &arena, &tir, &err), &err);
    CHECK_OK(t, tml_pac2002_read(tir, &p, &err), &err);
    const double dfz = (5000.0 - p.c[PAC_FNOMIN]) / p.c[PAC_FNOMIN];
    const TmlTyreSlip slip = {.kappa = d6(0.03),
                              .side = d6(0.05),
                              .camber = d6(0.04),
                              .load = d6(5000.0),
                              .speed = d6(10.0),
                              .friction = 1.0};
    for (size_t k = 0; k < sizeof pair / sizeof pair[0]; ++k) {
        TmlPac2002 by_load = p, fixed = p;
        TmlTyreSteady a = {0}, b = {0}, plain = {0};
        by_load.c[pair[k][1]] += 0.04;
        fixed.c[pair[k][0]] += 0.04 * dfz;
        tml_pac2002_steady(&by_load, &slip, &a);
        tml_pac2002_steady(&fixed, &slip, &b);
        tml_pac2002_steady(&p, &slip, &plain);
        const double of_a[] = {fx_of(&a, 0.03), a.fy0.x + a.cy.x * a.psi_y.x * 0.05, a.mz.x,
                               a.sigma_x.x};
        const double of_b[] = {fx_of(&b, 0.03), b.fy0.x + b.cy.x * b.psi_y.x * 0.05, b.mz.x,
                               b.sigma_x.x};
        const double of_p[] = {fx_of(&plain, 0.03), plain.fy0.x + plain.cy.x * plain.psi_y.x * 0.05,
                               plain.mz.x, plain.sigma_x.x};
        bool matters = false;
        for (int i = 0; i < 4; ++i) {
            CHECK_NEAR(t, of_a[i], of_b[i], 1e-8); // rounding of forces of 1e4 N
            matters = matters || fabs(of_a[i] - of_p[i]) > 1e-6;
        }
        CHECK(t, matters);
    }
    tml_arena_free(&arena);
}

/* A tyre of the other side of a vehicle is its mirror image. */
TEST(a_mirrored_tyre)
{
    const char *right = own_tir(t);
    char left[1200];
    snprintf(left, sizeof left, "type: pac2002_tyre, mounted: left,%s", strstr(right, " file:"));
    TmlModel *m[2] = {model_of(t, "type: flat", left, NULL),
                      model_of(t, "type: flat", right, NULL)};
    for (int k = 0; k < 20; ++k) {
        const double kappa = test_random(t, -0.2, 0.2), alpha = test_random(t, -0.2, 0.2);
        const double camber = test_random(t, -0.1, 0.1), load = test_random(t, 1e3, 8e3);
        const TmlTyreSteady a = steady_of(m[0], kappa, alpha, camber, load, 1.0);
        const TmlTyreSteady b = steady_of(m[1], kappa, -alpha, -camber, load, 1.0);
        // rounding of forces of 1e4 N
        CHECK_NEAR(t, fx_of(&b, kappa), fx_of(&a, kappa), 1e-9);
        CHECK_NEAR(t, fy_of(&b, -alpha), -fy_of(&a, alpha), 1e-9);
        CHECK_NEAR(t, b.mz.x, -a.mz.x, 1e-9);
        CHECK_NEAR(t, b.mx.x, -a.mx.x, 1e-9);
        CHECK_NEAR(t, b.my.x, a.my.x, 1e-9);
    }
    tml_model_free(m[0]);
    tml_model_free(m[1]);
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

/* The text with one part in place of another. */
static void replace(TestCtx *t, char *text, const char *old, const char *other)
{
    char rest[8192];
    char *at = strstr(text, old);
    CHECK(t, at != NULL);
    if (at != NULL) {
        snprintf(rest, sizeof rest, "%s", at + strlen(old));
        sprintf(at, "%s%s", other, rest);
    }
}

/* The same tyre in mm and kN has the same forces, moments and springs, but for rounding. */
TEST(a_property_file_in_other_units)
{
    static const char *const changes[][2] = {{"'meter'", "'mm'"},
                                             {"'newton'", "'kN'"},
                                             {"RADIUS=0.35", "RADIUS=350"},
                                             {"STIFFNESS=2e5", "STIFFNESS=0.2"},
                                             {"DAMPING=800", "DAMPING=8e-4"},
                                             {"FNOMIN=4000", "FNOMIN=4"},
                                             {"FZMIN=200", "FZMIN=0.2"},
                                             {"FZMAX=15000", "FZMAX=15"}};
    char text[8192], path[1024], tyre[1200];
    snprintf(text, sizeof text, "%s", tir_text);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; ++k) {
        replace(t, text, changes[k][0], changes[k][1]);
    }
    snprintf(path, sizeof path, "%s/tyre_in_mm.tir", TRAMMEL_BINARY_DIR);
    write_tir(t, path, text);
    snprintf(tyre, sizeof tyre, "type: pac2002_tyre, mounted: right, file: %s", path);
    TmlModel *a = model_of(t, "type: flat", own_tir(t), NULL),
             *b = model_of(t, "type: flat", tyre, NULL);
    const TmlTyre *x = a->forces.at[0].data, *y = b->forces.at[0].data;
    CHECK_NEAR(t, y->stiffness, x->stiffness, 1e-9); // rounding of 2e5
    CHECK_NEAR(t, y->damping, x->damping, 1e-12);
    CHECK_NEAR(t, y->radius, x->radius, 1e-16);
    for (int k = 0; k < 20; ++k) {
        const double kappa = test_random(t, -0.3, 0.3), alpha = test_random(t, -0.2, 0.2);
        const double camber = test_random(t, -0.1, 0.1), load = test_random(t, 500.0, 9000.0);
        const TmlTyreSteady u = steady_of(a, kappa, alpha, camber, load, 1.0);
        const TmlTyreSteady v = steady_of(b, kappa, alpha, camber, load, 1.0);
        CHECK_NEAR(t, fx_of(&v, kappa), fx_of(&u, kappa), 1e-8); // rounding of forces of 1e4 N
        CHECK_NEAR(t, fy_of(&v, alpha), fy_of(&u, alpha), 1e-8);
        CHECK_NEAR(t, v.mz.x, u.mz.x, 1e-8);
        CHECK_NEAR(t, v.sigma_y.x, u.sigma_y.x, 1e-12);
    }
    tml_model_free(a);
    tml_model_free(b);
}

/* (P8): at twice the pressure the stiffnesses and frictions change as the coefficients say, at the nominal one not at all. */
TEST(inflation_pressure)
{
    static const char *const more =
        "IP_NOM=2e5\nPPX1=-0.3\nPPX2=0.1\nPPX3=-0.05\nPPX4=0.02\nPPY1=-0.4\nPPY3=-0.1\n";
    char text[8192], path[1024], tyre[1200];
    TmlModel *m[3];
    for (int k = 0; k < 3; ++k) { // no pressure told, the nominal one, twice that
        snprintf(text, sizeof text, "%s%s%s", tir_text, k > 0 ? more : "",
                 k == 1   ? "IP=2e5\n"
                 : k == 2 ? "IP=4e5\n"
                          : "");
        snprintf(path, sizeof path, "%s/tyre_pressure.tir", TRAMMEL_BINARY_DIR);
        write_tir(t, path, text);
        snprintf(tyre, sizeof tyre, "type: pac2002_tyre, file: %s", path);
        m[k] = model_of(t, "type: flat", tyre, NULL);
    }
    const TmlTyreSteady none = steady_of(m[0], 0.0, 0.0, 0.0, 5000.0, 1.0);
    const TmlTyreSteady same = steady_of(m[1], 0.0, 0.0, 0.0, 5000.0, 1.0);
    const TmlTyreSteady high = steady_of(m[2], 0.0, 0.0, 0.0, 5000.0, 1.0);
    CHECK(t, same.cx.x == none.cx.x && same.cy.x == none.cy.x);
    CHECK_NEAR(t, high.cx.x, (1.0 - 0.3 + 0.1) * none.cx.x, 1e-9 * none.cx.x); // rounding
    CHECK_NEAR(t, high.cy.x, (1.0 - 0.4) * none.cy.x, 1e-9 * none.cy.x);
    for (int k = 0; k < 3; ++k) {
        tml_model_free(m[k]);
    }
}

TEST_SUITE(tyres) = {
    CASE(fiala_by_its_table),
    CASE(pac89_by_its_table),
    CASE(pac89_slope_by_camber),
    CASE(pac89_both_slips),
    CASE(tmeasy_by_its_table),
    CASE(tmeasy_on_a_slippery_road),
    CASE(pac2002_by_its_table),
    CASE(a_property_file_in_other_units),
    CASE(inflation_pressure),
    CASE(derivatives_match_differences),
    CASE(every_tyre_is_tested),
    CASE(a_disc_climbs_a_step),
    CASE(a_disc_rolls_over_a_half_cylinder),
    CASE(a_leaning_wheel),
    CASE(a_wheel_that_turns_over_its_contact),
    CASE(slips_are_by_the_rolling_radius),
    CASE(the_aligning_moment_waits_for_the_force),
    CASE(a_sliding_tyre_lets_go_without_a_kick),
    CASE(a_mirrored_tyre),
    CASE(coefficients_by_load),
    CASE(a_braked_wheel_stands_on_a_slope),
    CASE(every_method_rolls),
    CASE(turned_and_moved),
    CASE(bad_roads_and_tyres_are_told),
    CASE(bad_property_files_are_told),
    {0},
};
