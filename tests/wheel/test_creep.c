/* tests/wheel/test_creep.c - ellipses, Kalker's coefficients and creep forces.
 *
 * The tables are those of rail/creep_forces and rail/kalker_coefficients of the reference cases.
 */
#include "csv_util.h"
#include "model/contact/law/elliptic.h"
#include "model/wheel/rail/creep.h"

static TmlCreepLaw law_of(TmlCreepTheory theory, double friction, int cells)
{
    TmlCreepLaw law = {.theory = theory,
                       .shear = 82e9,
                       .friction = friction,
                       .adhesion_factor = 1.0,
                       .slip_factor = 1.0,
                       .cells = cells};
    tml_kalker_prepare(0.28, &law.kalker);
    return law;
}

static TmlCreepOut forces(const TmlCreepLaw *law, const double x[6])
{
    Dual d[6];
    for (int k = 0; k < 6; ++k) {
        d[k] = d6(x[k]);
        d[k].g[k] = 1.0;
    }
    const TmlCreepIn in = {d[0], d[1], d[2], d[3], d[4], d[5]};
    return tml_creep(law, &in, true);
}

/* The locomotive case: half axes, approach and pressure of Hertz. */
TEST(ellipse_of_a_locomotive)
{
    // half the sum of curvatures along rolling 0.0008 1/mm; that across belongs to a/b = 1/2
    const double modulus = 2.0 * 82e9 * 1.28 / (2.0 * (1.0 - 0.28 * 0.28)), k_x = 1.6;
    double low = 0.01, high = k_x; // curvature across, by bisection
    for (int i = 0; i < 100; ++i) {
        const double k = 0.5 * (low + high);
        const TmlEllipse e = tml_hertz_ellipse(k_x, k);
        *(e.semi[0] / e.semi[1] > 0.5 ? &high : &low) = k;
    }
    const TmlEllipse e = tml_hertz_ellipse(k_x, low);
    const double d = pow(106700.0 / (e.stiffness * modulus), 2.0 / 3.0);
    // the seven digits of the reference
    CHECK_NEAR(t, e.semi[0] * sqrt(d), 6.303597e-3, 5e-10);
    CHECK_NEAR(t, e.semi[1] * sqrt(d), 12.607194e-3, 5e-10);
    CHECK_NEAR(t, d, 0.07652e-3, 5e-9); // its four digits
}

TEST(ellipse_derivatives)
{
    const double pairs[][2] = {{3, 3}, {3, 3.00001}, {1, 40}, {500, 0.3}, {2, 2.5}};
    for (int p = 0; p < 5; ++p) {
        const TmlEllipse e = tml_hertz_ellipse(pairs[p][0], pairs[p][1]);
        for (int c = 0; c < 2; ++c) {
            TmlEllipse d[2];
            const double h = 1e-4 * pairs[p][c];
            for (int s = 0; s < 2; ++s) {
                double k[2] = {pairs[p][0], pairs[p][1]};
                k[c] += s == 0 ? -h : h;
                d[s] = tml_hertz_ellipse(k[0], k[1]);
            }
            for (int a = 0; a < 2; ++a) {
                // truncation of the difference quotient, h^2 of it 1e-8
                const double q = (d[1].semi[a] - d[0].semi[a]) / (2.0 * h);
                CHECK_NEAR(t, e.semi_by[a][c], q, 1e-7 * e.semi[a] / pairs[p][c]);
            }
            const double q = (d[1].stiffness - d[0].stiffness) / (2.0 * h);
            CHECK_NEAR(t, e.stiffness_by[c], q, 1e-7 * e.stiffness / pairs[p][c]); // as above
        }
    }
}

TEST(coefficients_of_kalker)
{
    const Csv table = csv_read(t, "rail/kalker_coefficients/kalker.csv");
    const double nu[3] = {0.0, 0.25, 0.5};
    for (int n = 0; n < 3; ++n) {
        TmlKalker k;
        tml_kalker_prepare(nu[n], &k);
        for (int r = 0; r < table.rows; ++r) {
            const TmlKalkerC c = tml_kalker(&k, csv_at(&table, r, 0));
            for (int i = 0; i < KALKER_KINDS; ++i) {
                // rounding, and the printed digits of the ratio, 1e-6, at slopes up to 3
                CHECK_NEAR(t, c.c[i], csv_at(&table, r, 1 + 3 * n + i), 3e-6);
            }
        }
    }
    TmlKalker k;
    tml_kalker_prepare(0.28, &k);
    CHECK_NEAR(t, tml_kalker(&k, 0.5).c[0], 3.740, 5e-4); // the digits of a parabola by hand
    for (int step = 0; step < 27; ++step) {
        const double x = 0.15 * pow(1.17, step);
        const double h = 1e-5 * x;
        const TmlKalkerC c = tml_kalker(&k, x), p = tml_kalker(&k, x + h),
                         m = tml_kalker(&k, x - h);
        for (int i = 0; i < KALKER_KINDS; ++i) {
            // rounding 1e-15 / h of the difference quotient
            CHECK_NEAR(t, c.slope[i], (p.c[i] - m.c[i]) / (2.0 * h), 1e-7);
        }
    }
    CHECK_NEAR(t, tml_kalker(&k, 30.0).c[1], tml_kalker(&k, 10.0).c[1], 0.0);
    CHECK_NEAR(t, tml_kalker(&k, 30.0).slope[1], 0.0, 0.0);
}

/* Every theory has the derivatives of its forces. */
TEST(creep_derivatives)
{
    const double at[][6] = {{1e-4, -2e-4, 0.1, 8e4, 5e-3, 3e-3},
                            {3e-3, 2e-3, -0.6, 5e4, 4e-3, 6e-3},
                            {-2e-3, 5e-3, 0.5, 1e5, 6e-3, 5e-3}};
    const double scale[6] = {1e-3, 1e-3, 0.3, 5e4, 5e-3, 5e-3};
    for (int theory = 0; theory <= TML_CREEP_LINEAR; ++theory) {
        TmlCreepLaw law = law_of((TmlCreepTheory)theory, 0.3, 12);
        law.adhesion_factor = 0.7; // factors of one would hide their powers
        law.slip_factor = 0.3;
        for (int p = 0; p < 3; ++p) {
            const TmlCreepOut o = forces(&law, at[p]);
            for (int k = 0; k < 6; ++k) {
                double x[2][6], h = 1e-7 * scale[k];
                memcpy(x[0], at[p], sizeof x[0]);
                memcpy(x[1], at[p], sizeof x[1]);
                x[0][k] -= h;
                x[1][k] += h;
                const TmlCreepOut m = forces(&law, x[0]), q = forces(&law, x[1]);
                // forces of 3e4 N: rounding 1e-12 / 1e-7 of their size, with truncation 1e-6 times
                const double per = 2.0 * h, limit = 3e4 * 1e-6 / scale[k];
                CHECK_NEAR(t, o.fx.g[k], (q.fx.x - m.fx.x) / per, limit);
                CHECK_NEAR(t, o.fy.g[k], (q.fy.x - m.fy.x) / per, limit);
                CHECK_NEAR(t, o.mz.g[k], (q.mz.x - m.mz.x) / per, limit * 1e-2);
            }
        }
    }
}

/* Small creepages: every theory has Kalker's linear forces, those of spin included. Polach's takes the root of both squares, so that
 * one of two directions is tried at a time. */
TEST(small_creepages_are_linear)
{
    const double at[][6] = {{1e-7, 0, 0, 1e5, 5e-3, 3e-3},
                            {0, -1e-7, 0, 1e5, 5e-3, 3e-3},
                            {0, 1e-7, 2e-5, 1e5, 4e-3, 6e-3}};
    const TmlCreepLaw linear = law_of(TML_CREEP_LINEAR, 0.3, 0);
    for (int theory = 0; theory < TML_CREEP_LINEAR; ++theory) {
        const TmlCreepLaw law = law_of((TmlCreepTheory)theory, 0.3, 100);
        for (int p = 0; p < 3; ++p) {
            const TmlCreepOut o = forces(&law, at[p]), want = forces(&linear, at[p]);
            const double size = hypot(want.fx.x, want.fy.x);
            // a grid of a hundred cells, measured 5e-5; others are off by the creepage over that of sliding, measured 8e-6
            const double limit = theory == TML_CREEP_FASTSIM ? 5e-4 : 5e-5;
            CHECK_NEAR(t, o.fx.x, want.fx.x, limit * size);
            CHECK_NEAR(t, o.fy.x, want.fy.x, limit * size);
        }
    }
}

/* With spin, on 8 mm x 4 mm: the grid converges, and to what the references have. */
TEST(fastsim_with_spin)
{
    const double x[6] = {0.0, -0.000625, 0.625, 82000.0, 8e-3, 4e-3};
    // flexibilities of the reference, mm^3/N; slips of (F1) in mm and N
    const double L2 = 5.152e-5, L3 = 4.090e-5, full = 0.3 * 82000.0,
                 p0 = 2.0 * full / (M_PI * 32.0);
    const double u[4] = {0.0, 8.0 * x[1] / (L2 * p0), 32.0 * 0.000625 / (L3 * p0),
                         64.0 * 0.000625 / (L3 * p0)};
    // 20, 40, 100, 200 cells, from an independent program
    const int cells[] = {20, 40, 100, 200};
    const double want[] = {15952, 15876, 15825, 15806};
    for (int k = 0; k < 4; ++k) {
        TmlFastsim s;
        tml_fastsim(cells[k], u, false, &s);
        // that program did not scale the bound: the sum of its own exceeds mu N by 0.65 % at 10 cells,
        // and by an error that falls with their square, 0.16 % at 20
        CHECK_NEAR(t, -full * s.f[1], want[k], full * (3e-4 + 0.65 / (cells[k] * cells[k])));
    }
    const Csv table = csv_read(t, "rail/creep_forces/ellipse_8x4_spin.csv");
    if (table.rows > 0) {
        const TmlCreepLaw law = law_of(TML_CREEP_FASTSIM, 0.3, 200);
        // case 5, FASTSIM with 200 cells: 1.5 % of mu N, the error of its own grid
        CHECK_NEAR(t, forces(&law, x).fy.x, csv_at(&table, 4, 6), 0.015 * 0.3 * 82000.0);
        // the moment of spin is the sum over the same tractions: 5 %, measured 1.1 %
        CHECK_NEAR(t, forces(&law, x).mz.x / csv_at(&table, 4, 7) * 1e3, 1.0, 0.05);
        const TmlCreepLaw polach = law_of(TML_CREEP_POLACH, 0.3, 0);
        // Polach against CONTACT: 10 % of mu N, the accuracy of a simplified theory with spin
        CHECK_NEAR(t, forces(&polach, x).fy.x, csv_at(&table, 0, 6), 0.1 * 0.3 * 82000.0);
    }
}

TEST(creep_curve_of_a_locomotive)
{
    const Csv contact = csv_read(t, "rail/creep_forces/eurosprinter_contact.csv");
    const Csv fastsim = csv_read(t, "rail/creep_forces/eurosprinter_fastsim.csv");
    const double full = 0.33 * 106700.0;
    for (int theory = 0; theory < TML_CREEP_LINEAR; ++theory) {
        const TmlCreepLaw law = law_of((TmlCreepTheory)theory, 0.33, 20);
        for (int r = 0; r < contact.rows; ++r) {
            const double x[6] = {csv_at(&contact, r, 1), 0, 0, 106700.0, 6.303597e-3, 12.607194e-3};
            const TmlCreepOut o = forces(&law, x);
            // 5 % of the linear part, 10 % of mu N at the knee: the deviation of simplified theories
            const double limit = r == 0 ? 0.05 * 247.0 : 0.1 * full;
            CHECK_NEAR(t, o.fx.x, csv_at(&contact, r, 5), limit);
            if (theory == TML_CREEP_FASTSIM && fastsim.rows > r) {
                // converged against 40 x 40: 1.5 % of mu N, measured 1.2 %
                CHECK_NEAR(t, o.fx.x, csv_at(&fastsim, r, 5), 0.015 * full);
            }
            CHECK(t, fabs(o.fx.x) <= full * (1.0 + 1e-12)); // rounding of the sum of the bounds
            CHECK_NEAR(t, o.fy.x, 0.0, 1e-9 * full);        // rounding: the strips cancel
        }
    }
}

/* A number of [-1, 1] or so for slips from a tenth of the adhesion to many times the slip. */
static double any_slip(TestCtx *t, double largest)
{
    const double x = test_random(t, -1.0, 1.0);
    return largest * x * fabs(x) * fabs(x);
}

/* The table against FASTSIM itself over random ellipses and creepages, small and large, and its derivatives, which do not jump. */
TEST(table_of_fastsim)
{
    static TmlCreepTable table;
    TmlCreepLaw law = law_of(TML_CREEP_TABLE, 0.3, 20);
    const TmlCreepLaw fastsim = law_of(TML_CREEP_FASTSIM, 0.3, 20);
    const double scale[6] = {1e-3, 1e-3, 0.3, 5e4, 5e-3, 5e-3};
    double worst[2] = {0}, sum[2] = {0};
    enum { N = 2000 };
    tml_creep_table_fill(&table);
    law.table = &table;
    for (int i = 0; i < N; ++i) {
        const int usual = i % 2; // ellipses and creepages of running, else all that may happen
        const double ratio = pow(usual ? 2.0 : 8.0, test_random(t, -1.0, 1.0));
        const double size = test_random(t, 2e-3, 8e-3), most = usual ? 0.01 : 0.05;
        const double x[6] = {any_slip(t, most),         any_slip(t, most),
                             any_slip(t, 100.0 * most), test_random(t, 1e4, 2e5),
                             size * sqrt(ratio),        size / sqrt(ratio)};
        const TmlCreepOut o = forces(&law, x), want = forces(&fastsim, x);
        const double off = hypot(o.fx.x - want.fx.x, o.fy.x - want.fy.x) / (0.3 * x[3]);
        worst[usual] = fmax(worst[usual], off);
        sum[usual] += off * off;
        // interpolation, measured 3 % for long ellipses
        CHECK_NEAR(t, o.mz.x, want.mz.x, 0.06 * 0.3 * x[3] * fmax(x[4], x[5]));
        for (int k = 0; k < 6 && i % 20 == 0; ++k) {
            double y[2][6], h = 1e-6 * scale[k];
            memcpy(y[0], x, sizeof x);
            memcpy(y[1], x, sizeof x);
            y[0][k] -= h;
            y[1][k] += h;
            const TmlCreepOut m = forces(&law, y[0]), q = forces(&law, y[1]);
            // second derivatives jump at nodes: 1e-6 of a scale times curvatures of 1e2, with rounding 1e-3 of the slope's size
            const double limit = 1e-3 * 0.3 * x[3] / scale[k];
            CHECK_NEAR(t, o.fx.g[k], (q.fx.x - m.fx.x) / (2.0 * h), limit);
            CHECK_NEAR(t, o.fy.g[k], (q.fy.x - m.fy.x) / (2.0 * h), limit);
            CHECK_NEAR(t, o.mz.g[k], (q.mz.x - m.mz.x) / (2.0 * h), limit * 1e-2);
        }
    }
    // parts of mu N, measured
    CHECK(t, worst[0] < 0.05 && worst[1] < 0.03);
    CHECK(t, sqrt(2.0 * sum[0] / N) < 0.006 && sqrt(2.0 * sum[1] / N) < 0.003);
    // without creepage there is no force, and the slope is Kalker's but for the cells and the grid
    const double rest[6] = {0, 0, 0, 1e5, 5e-3, 4e-3};
    const TmlCreepLaw linear = law_of(TML_CREEP_LINEAR, 0.3, 0);
    const TmlCreepOut o = forces(&law, rest), want = forces(&linear, rest);
    CHECK_NEAR(t, hypot(o.fx.x, o.fy.x), 0.0, 1e-9);
    CHECK_NEAR(t, o.fx.g[0] / want.fx.g[0], 1.0, 0.02); // interpolation, measured
    CHECK_NEAR(t, o.fy.g[1] / want.fy.g[1], 1.0, 0.02);
    CHECK_NEAR(t, o.fy.g[2] / want.fy.g[2], 1.0, 0.02);
}

TEST_SUITE(creep) = {CASE(ellipse_of_a_locomotive),
                     CASE(ellipse_derivatives),
                     CASE(coefficients_of_kalker),
                     CASE(creep_derivatives),
                     CASE(small_creepages_are_linear),
                     CASE(fastsim_with_spin),
                     CASE(creep_curve_of_a_locomotive),
                     CASE(table_of_fastsim),
                     {0}};
