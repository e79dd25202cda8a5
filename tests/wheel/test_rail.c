/* tests/wheel/test_rail.c - profiles, contact of a wheel with a rail, wheelsets on a track.
 *
 * The tables are those of rail/ of the reference cases: the Manchester contact benchmark and EN 15302.
 */
#include "rail_util.h"

/* --- profiles ------------------------------------------------------------------------------- */

/* Points on a circle, rounded as tables are, at distances of 0.1 mm. */
TEST(curvature_of_rounded_points)
{
    enum { N = 400 };
    static double point[2 * N];
    TmlArena arena = {0};
    TmlError err;
    TmlRailProfile *p = NULL;
    for (int i = 0; i < N; ++i) { // in falling y, to be turned
        const double a = (N / 2 - i) * 1e-4 / 0.3;
        point[2 * i] = round(0.3 * sin(a) * 1e8) / 1e8;
        point[2 * i + 1] = round((0.3 * cos(a) - 0.3) * 1e8) / 1e8;
    }
    const TmlProfilePoints in = {N, point, 1e-8, 1e-7};
    CHECK_OK(t, tml_rail_profile_create(&in, &arena, &p, &err), &err);
    for (int i = 40; i < N - 40; ++i) {
        // rounding to 1e-8 m would give second differences of 1e-8 / 1e-8 = 1 1/m; the fit averages it:
        // 5 %, measured 2 %
        CHECK_NEAR(t, tml_rail_profile_curvature(p, p->s[i]) * 0.3, 1.0, 0.05);
    }
    double d[3][2];
    tml_rail_profile_at(p, 0.0, d);
    CHECK(t, d[0][0] < 0.0 && d[1][0] > 0.9); // turned
    // the deviation that was allowed, nearly reached by the search for lambda: 40 halvings of an exponent of 80
    CHECK_NEAR(t, p->deviation, 1e-8, 1e-10);
    tml_arena_free(&arena);
}

static void refused(TestCtx *t, int n, const double *point, const char *text)
{
    TmlArena arena = {0};
    TmlError err;
    TmlRailProfile *p = NULL;
    const TmlProfilePoints in = {n, point, 0.0, 0.0};
    CHECK(t, tml_rail_profile_create(&in, &arena, &p, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, text);
    tml_arena_free(&arena);
}

TEST(bad_profiles_are_refused)
{
    refused(t, 1, (double[]){0, 0}, "two points at least, got 1");
    refused(t, 5, (double[]){0, 0, 1, 0, 2, 0, 1.2, 0.1, 3, 0.2}, "turns back at point 3");
    refused(t, 6, (double[]){0, 0, 2, 0, 2.5, 1, 2, 1.5, 1, 1, 1.2, -1},
            "crosses itself between points 1 and 5");
    refused(t, 3, (double[]){0, 0, 1, (double)NAN, 2, 0}, "point 2 of the profile is not a number");
}

/* Points of a table that are almost the same are merged, and the fit does not see them. */
TEST(near_points_are_merged)
{
    TmlArena arena = {0};
    TmlError err;
    TmlRailProfile *p = NULL;
    const double point[] = {0, 0, 1, 0, 1.0000001, 1e-7, 2, 0, 3, 0};
    const TmlProfilePoints in = {5, point, 0.0, 0.0};
    CHECK_OK(t, tml_rail_profile_create(&in, &arena, &p, &err), &err);
    CHECK_INT(t, p->n, 4);
    tml_arena_free(&arena);
}

/* --- one wheel on a rail ---------------------------------------------------------------------- */

/* The left wheel of the Manchester benchmark. */
typedef struct Bench {
    TmlArena arena;
    TmlRailPair pair;
    TmlWheelset set;
    TmlRailLaw law;
} Bench;

static bool bench_make(TestCtx *t, TmlCreepTheory theory, Bench *b)
{
    *b = (Bench){.law = {.modulus = 82e9 / (1 - 0.28), .flattest = 10.0, .slow = 1e-6}};
    const TmlRailProfile *wheel = profile_of(t, &b->arena, "wheel_S1002_mbench", -1, -1);
    const TmlRailProfile *rail = profile_of(t, &b->arena, "rail_UIC60_mbench", 1, -1);
    if (wheel == NULL || rail == NULL) {
        return false;
    }
    b->law.creep = (TmlCreepLaw){.theory = theory,
                                 .shear = 82e9,
                                 .friction = 0.3,
                                 .adhesion_factor = 1.0,
                                 .slip_factor = 1.0,
                                 .cells = 20};
    tml_kalker_prepare(0.28, &b->law.creep.kalker);
    tml_rail_pair_prepare(wheel, rail, 0.46, &b->pair);
    // gauge 1435 mm at 14 mm below the top, on the inner side
    double d[3][2];
    tml_rail_profile_at(rail, profile_s_at(rail, 1, -14e-3, 0.0, 0.03), d);
    const double rail_y = 0.7175 - d[0][0];
    for (int k = 0; k < 2; ++k) {
        b->set.side[k] = (TmlWheelSide){&b->pair, 0.75, rail_y, 0.0};
    }
    return true;
}

/* Row of the table as a motion of the left wheel; the benchmark has x forward, y right, z down. */
static RailNumbers bench_motion(const Bench *b, const Csv *table, int r, double z)
{
    RailNumbers m = {0};
    const TmlWheelsetPlace at = {.y = -1e-3 * csv_at(table, r, 2),
                                 .z = z,
                                 .yaw = -1e-3 * csv_at(table, r, 3),
                                 .roll = csv_at(table, r, 4)};
    tml_wheelset_place(&b->set, 0, &at, m.place);
    const double spin = -csv_at(table, r, 6);
    m.velocity[0] = 2.0;
    for (int k = 0; k < 3; ++k) {
        m.omega[k] = spin * m.place[RAIL_EX + k];
    }
    return m;
}

/* The contacts under the load of the benchmark; returns the one that bears most. */
static TmlRailContact bench_load(const Bench *b, const Csv *table, int r, double *z)
{
    double low = 0.43, high = 0.47;
    RailWrench w;
    TmlRailContact c[RAIL_TOUCHES] = {0};
    int n = 0;
    for (int k = 0; k < 60; ++k) {
        *z = 0.5 * (low + high);
        const RailNumbers m = bench_motion(b, table, r, *z);
        n = rail_force(&b->pair, &b->law, &m, false, &w, c);
        *(w.value[2] > 10000.0 ? &low : &high) = *z;
    }
    int most = 0;
    for (int k = 1; k < n; ++k) {
        most = c[k].normal.x > c[most].normal.x ? k : most;
    }
    return c[most];
}

/* Limits are those of the case: they are the accuracy of Hertz and of simplified creep against CONTACT. Its first
 * row has one patch where the undeformed surfaces have two minima, 10 mm apart: it is looked at alone. */
TEST(manchester_benchmark)
{
    static Bench b;
    for (int theory = TML_CREEP_POLACH; theory <= TML_CREEP_FASTSIM; ++theory) {
        if (!bench_make(t, (TmlCreepTheory)theory, &b)) {
            return;
        }
        const Csv table = csv_read(t, "rail/manchester_contact/mbench_a22_left.csv");
        for (int r = 1; r < table.rows; ++r) {
            double z;
            const TmlRailContact c = bench_load(&b, &table, r, &z);
            const double y = -1e3 * (c.touch.y.x + b.set.side[0].rail_y);
            // 0.3 mm; the second row, beside the two minima of the first, 0.5: measured 0.41
            CHECK_NEAR(t, y, csv_at(&table, r, 10), r == 1 ? 0.5 : 0.3);
            CHECK_NEAR(t, 460.0 - 1e3 * z, csv_at(&table, r, 5), 2e-3); // measured 1.5e-3 mm
            // 0.005 rad and 0.5 % as the case says; measured 1.4e-3 rad and 0.06 %
            CHECK_NEAR(t, -c.touch.ny.x, csv_at(&table, r, 12), 5e-3);
            CHECK_NEAR(t, c.normal.x / csv_at(&table, r, 18), 1.0, 5e-3);
            // creepages to 2e-5 and 2 %; spin, which is in 1/mm, has these 2 % and the angle's deviation
            CHECK_NEAR(t, -c.xi.x, csv_at(&table, r, 15),
                       2e-5 + 0.02 * fabs(csv_at(&table, r, 15)));
            CHECK_NEAR(t, c.eta.x, csv_at(&table, r, 16),
                       2e-5 + 0.02 * fabs(csv_at(&table, r, 16)));
            CHECK_NEAR(t, 1e-3 * c.phi.x, csv_at(&table, r, 17),
                       2e-5 + 0.02 * fabs(csv_at(&table, r, 17)));
            // 10 % of mu N for simplified theories, 20 % of the pressure; measured 5 % and 0.5 %
            CHECK_NEAR(t, -c.fx.x, csv_at(&table, r, 19), 0.1 * 0.3 * 10000.0);
            CHECK_NEAR(t, c.fy.x, csv_at(&table, r, 20), 0.1 * 0.3 * 10000.0);
            const double p0 = 1.5e-6 * c.normal.x / (M_PI * c.a.x * c.b.x);
            CHECK_NEAR(t, p0 / csv_at(&table, r, 23), 1.0, 0.2);
        }
        tml_arena_free(&b.arena);
    }
}

/* Derivatives of forces by place and motion, on tread and flange, for every theory. */
TEST(rail_force_derivatives)
{
    static Bench b;
    for (int theory = 0; theory <= TML_CREEP_LINEAR; ++theory) {
        if (!bench_make(t, (TmlCreepTheory)theory, &b)) {
            return;
        }
        b.law.damping = 0.2;
        const Csv table = csv_read(t, "rail/manchester_contact/mbench_a22_left.csv");
        for (int r = 2; r < table.rows; r += 3) {
            double z;
            bench_load(&b, &table, r, &z);
            RailNumbers m = bench_motion(&b, &table, r, z);
            m.velocity[1] = 0.01;
            m.velocity[2] = -0.02;
            m.slope[1] = 1e-3;
            RailWrench w;
            CHECK(t, rail_force(&b.pair, &b.law, &m, true, &w, NULL) > 0);
            for (int k = 0; k < RAIL_PLACE + 6; ++k) {
                const double h = k < 2 ? 1e-9 : k < RAIL_PLACE ? 2e-6 : 1e-6;
                RailWrench d[2];
                for (int s = 0; s < 2; ++s) {
                    RailNumbers at = m;
                    double *x = k < RAIL_PLACE       ? &at.place[k]
                                : k < RAIL_PLACE + 3 ? &at.velocity[k - RAIL_PLACE]
                                                     : &at.omega[k - RAIL_PLACE - 3];
                    *x += s == 0 ? -h : h;
                    rail_force(&b.pair, &b.law, &at, false, &d[s], NULL);
                }
                const double *g = k < RAIL_PLACE ? w.by_place[k] : w.by_motion[k - RAIL_PLACE];
                double size = 0.0;
                for (int c = 0; c < 6; ++c) {
                    size = fmax(size, fabs(g[c]));
                }
                for (int c = 0; c < 6; ++c) {
                    // truncation of the difference quotient; curvature's slope jumps between points of the
                    // profile, cells of FASTSIM switch: 2e-4 of the largest, measured 5e-5
                    CHECK_NEAR(t, g[c], (d[1].value[c] - d[0].value[c]) / (2.0 * h), 2e-4 * size);
                }
            }
        }
        tml_arena_free(&b.arena);
    }
}

/* The force stays continuous while the wheel is moved over the rail from flange to flange, where contacts come, go
 * and merge. */
TEST(force_is_continuous_over_the_rail)
{
    static Bench b;
    if (!bench_make(t, TML_CREEP_POLACH, &b)) {
        return;
    }
    double before[6] = {0}, largest = 0.0;
    int two = 0;
    for (int k = 0; k <= 4000; ++k) {
        RailNumbers m = {.velocity = {20.0, 0.0, 0.0}};
        const TmlWheelsetPlace at = {
            .y = -6e-3 + 12e-3 * k / 4000, .z = 0.46 - 0.26e-3, .yaw = 1e-3};
        tml_wheelset_place(&b.set, 0, &at, m.place);
        for (int c = 0; c < 3; ++c) {
            m.omega[c] = 20.0 / 0.46 * m.place[RAIL_EX + c];
        }
        RailWrench w;
        TmlRailContact c[RAIL_TOUCHES];
        const int n = rail_force(&b.pair, &b.law, &m, false, &w, c);
        two += n > 1;
        for (int i = 0; i < 6 && k > 0; ++i) {
            largest = fmax(largest, fabs(w.value[i] - before[i]) / (1e3 + fabs(w.value[2])));
        }
        memcpy(before, w.value, sizeof before);
    }
    CHECK(t, two > 10);
    // steps of 3e-6 m at forces that change by their own size over 1e-4 m: 3 %; a contact that jumps
    // would change all of it
    CHECK(t, largest < 0.1);
    tml_arena_free(&b.arena);
}

/* A cone of slope 0.1 on a rail that is an arc of 0.3 m; the pair points to profiles in the arena. */
static bool cone_make(TestCtx *t, TmlArena *arena, TmlRailPair *pair)
{
    TmlError err;
    TmlRailProfile *cone = NULL, *rail = NULL;
    static double arc[2 * 401];
    const double line[] = {-0.05, -0.05 * 0.1, 0.05, 0.05 * 0.1};
    for (int i = 0; i <= 400; ++i) {
        const double a = (i - 200) * 0.8e-3;
        arc[2 * i] = 0.3 * sin(a);
        arc[2 * i + 1] = 0.3 * cos(a) - 0.3;
    }
    const TmlProfilePoints a = {2, line, 0.0, 0.0}, c = {401, arc, 0.0, 0.0};
    CHECK_OK(t, tml_rail_profile_create(&a, arena, &cone, &err), &err);
    CHECK_OK(t, tml_rail_profile_create(&c, arena, &rail, &err), &err);
    if (cone == NULL || rail == NULL) {
        return false;
    }
    tml_rail_pair_prepare(cone, rail, 0.46, pair);
    return true;
}

/* A cylinder on a flat top: the point stays under the axle, however the wheel is turned, off the rail it says so. */
TEST(cone_on_a_round_rail)
{
    TmlArena arena = {0};
    static TmlRailPair pair;
    if (!cone_make(t, &arena, &pair)) {
        return;
    }
    const double slope = atan(0.1);
    for (int k = 0; k < 3; ++k) {
        const double yaw = 0.02 * k, place[RAIL_PLACE] = {0.004, 0.4605, -sin(yaw), cos(yaw), 0.0};
        TmlRailTouch p;
        CHECK(t, tml_rail_deepest(&pair, place, &p));
        if (k == 0) {
            // the normal of the cone is that of the circle, at sin(slope); spline of the arc: h^4 / 384 / r^3
            CHECK_NEAR(t, p.ny.x, -sin(slope), 1e-9);
            CHECK_NEAR(t, p.ky.x, 1.0 / 0.3, 1e-4); // h^2 of the second derivative of the spline
            CHECK_NEAR(t, p.kx.x, cos(slope) / p.radius.x, 1e-12); // rounding
        }
        // sin(theta) of (W1), to rounding
        const double sine = -0.1 * place[RAIL_EX] / cos(yaw), Y = p.wheel.x * cos(slope) - 0.05;
        CHECK_NEAR(t, p.x.x, Y * place[RAIL_EX] + p.radius.x * sine * cos(yaw), 1e-12);
    }
    const double off[RAIL_PLACE] = {0.3, 0.46, 0.0, 1.0, 0.0};
    TmlRailTouch p[RAIL_TOUCHES];
    CHECK_INT(t, tml_rail_touches(&pair, off, 0.0, p), -1);
    CHECK(t, !tml_rail_deepest(&pair, off, p));
    tml_arena_free(&arena);
}

/* A wheel with two equal ridges, 0.2 mm above the valley between them, sinks into a flat rail: (W4) by the depths. The share that each
 * loses sets in with r^2 as the valley touches and ends at a half, so that both count as one. */
TEST(two_contacts_become_one)
{
    enum { POINTS = 401 };
    static double wave[2 * POINTS];
    static TmlRailPair pair;
    const double line[] = {-0.1, 0.0, 0.1, 0.0}, height = 1e-4, radius = 0.46;
    for (int i = 0; i < POINTS; ++i) {
        wave[2 * i] = 0.06 * (2.0 * i / (POINTS - 1) - 1.0);
        wave[2 * i + 1] = height * cos(2.0 * M_PI * wave[2 * i] / 0.04);
    }
    TmlArena arena = {0};
    TmlError err;
    TmlRailProfile *wheel = NULL, *rail = NULL;
    const TmlProfilePoints a = {POINTS, wave, 0.0, 0.0}, b = {2, line, 0.0, 0.0};
    CHECK_OK(t, tml_rail_profile_create(&a, &arena, &wheel, &err), &err);
    CHECK_OK(t, tml_rail_profile_create(&b, &arena, &rail, &err), &err);
    tml_rail_pair_prepare(wheel, rail, radius, &pair);
    static const double part[] = {-0.1, 1e-3, 0.01, 0.3, 0.5, 0.9, 0.99};
    for (int k = 0; k < 7; ++k) {
        // r is the depth of the valley over that of a ridge
        const double r = part[k], ridge = 2.0 * height / (1.0 - r),
                     m = r > 0.0 ? r * r * (3.0 - 2.0 * r) : 0.0;
        const double place[RAIL_PLACE] = {0.0, radius + height - ridge, 0.0, 1.0, 0.0};
        TmlRailTouch c[RAIL_TOUCHES];
        CHECK_INT(t, tml_rail_touches(&pair, place, 0.0, c), 2);
        for (int i = 0; i < 2; ++i) {
            CHECK_NEAR(t, c[i].depth.x, ridge, 1e-9); // the spline of the points, 5e-11 in a wave
            // m goes with r^2, and r is off by the spline over the depth of the valley: 5e-11 of 2e-7 m at least
            CHECK_NEAR(t, c[i].weight.x, 1.0 - 0.5 * m, 1e-3 * m);
        }
    }
    tml_arena_free(&arena);
}

/* Formulas (R1) to (R5) on the same cone and rail, by what is told of the contact. */
TEST(force_of_one_contact)
{
    TmlArena arena = {0};
    static TmlRailPair pair;
    if (!cone_make(t, &arena, &pair)) {
        return;
    }
    const TmlRailLaw law = {.modulus = 1e11,
                            .damping = 0.5,
                            .flattest = 10.0,
                            .slow = 1e-9,
                            .coefficient = {1e3, 2e3, 3e4, 4e4},
                            .given = true};
    RailNumbers m = {.place = {0.004, 0.4605, 0.0, 1.0, 0.0}};
    RailWrench w;
    TmlRailContact c[RAIL_TOUCHES];
    CHECK_INT(t, rail_force(&pair, &law, &m, false, &w, c), 1);
    const double still = c[0].normal.x;
    for (int back = 0; back < 2; ++back) {
        const double way = back ? -1.0 : 1.0,
                     r[3] = {c[0].touch.x.x, c[0].touch.y.x - 0.004, c[0].touch.z.x - 0.4605};
        const double ny = c[0].touch.ny.x, nz = c[0].touch.nz.x;
        m.velocity[0] = 2.0 * way;
        m.velocity[2] = -0.1;
        m.omega[2] = 0.3;
        CHECK_INT(t, rail_force(&pair, &law, &m, false, &w, c), 1);
        // motion of the point: v + w x r; all below to rounding
        const double vx = 2.0 * way - 0.3 * r[1], vy = 0.3 * r[0], V = 2.0 * way - 0.5 * vx,
                     S = fabs(V);
        const double closing = 0.1 * nz - vy * ny;
        CHECK_NEAR(t, c[0].normal.x, still * (1.0 + 0.5 * closing), 1e-12 * still);
        CHECK_NEAR(t, c[0].xi.x, vx / S, 1e-12);
        CHECK_NEAR(t, c[0].phi.x, 0.3 * nz * V / (S * S), 1e-12);
        const double N = c[0].normal.x, fx = c[0].fx.x, fy = c[0].fy.x, turn = c[0].mz.x * V / S;
        const double F[3] = {fx, N * ny + fy * nz, N * nz - fy * ny};
        CHECK_NEAR(t, w.value[0], F[0], 1e-9 * N);
        CHECK_NEAR(t, w.value[1], F[1], 1e-9 * N);
        CHECK_NEAR(t, w.value[2], F[2], 1e-9 * N);
        CHECK_NEAR(t, w.value[4], r[2] * F[0] - r[0] * F[2] + turn * ny, 1e-9 * N);
        CHECK_NEAR(t, w.value[5], r[0] * F[1] - r[1] * F[0] + turn * nz, 1e-9 * N);
        CHECK(t, fabs(turn) > 1.0); // or the last two would say nothing of it
    }
    tml_arena_free(&arena);
}

/* --- wheelsets -------------------------------------------------------------------------------- */

typedef struct Pairing {
    const char *left, *right, *table; /* profiles of the wheels */
    double left_radius, right_radius;
    double most; /* mm, of the median deviation of delta_r */
} Pairing;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* delta_r over the shift, mm, at the y of the table; how many rows. */
static int delta_of(const TmlWheelset *set, const Csv *table, double *y, double *delta)
{
    TmlWheelsetPlace at = {.z = 0.46};
    int n = 0;
    for (int r = 0; r < table->rows; ++r) {
        TmlRailTouch touch[2];
        at.y = 1e-3 * csv_at(table, r, 0);
        if (tml_wheelset_settle(set, &at, touch)) {
            y[n] = at.y;
            delta[n++] = touch[0].radius.x - touch[1].radius.x;
        }
    }
    return n;
}

/* Rolling radii from profiles, and conicity from these and from the given table. */
TEST(equivalent_conicity)
{
    static const Pairing pairs[] = {{"A", "A", "E1", 0.46, 0.46, 0.05},
                                    {"B", "B", "E2", 0.46, 0.46, 0.05},
                                    {"H", "H", "E3", 0.46, 0.46, 0.05}};
    static TmlRailPair pair[2];
    static double y[CSV_ROWS], delta[CSV_ROWS], off[CSV_ROWS];
    for (int p = 0; p < 3; ++p) {
        TmlArena arena = {0};
        char name[64], path[128];
        const TmlRailProfile *rail = profile_of(t, &arena, "rail_S_UIC519A", 1, 1);
        for (int k = 0; k < 2 && rail != NULL; ++k) {
            snprintf(name, sizeof name, "wheel_R_UIC519%s",
                     k == 0 ? pairs[p].left : pairs[p].right);
            tml_rail_pair_prepare(profile_of(t, &arena, name, 1, 1), rail,
                                  k == 0 ? pairs[p].left_radius : pairs[p].right_radius, &pair[k]);
        }
        if (rail == NULL) {
            return;
        }
        const TmlWheelset set = {{{&pair[0], 0.75, 0.75004, 0.0}, {&pair[1], 0.75, 0.75004, 0.0}},
                                 0.46};
        snprintf(path, sizeof path, "rail/equivalent_conicity/%s_delta_r.csv", pairs[p].table);
        const Csv table = csv_read(t, path);
        snprintf(path, sizeof path, "rail/equivalent_conicity/%s_conicity.csv", pairs[p].table);
        const Csv reference = csv_read(t, path);
        t->name = pairs[p].table;
        const int n = delta_of(&set, &table, y, delta);
        CHECK_INT(t, n, table.rows);
        int m = 0;
        for (int r = 0; r < n; ++r) {
            if (fabs(y[r]) < 6e-3) {
                off[m++] = fabs(1e3 * delta[r] - csv_at(&table, r, 1));
            }
        }
        qsort(off, (size_t)m, sizeof *off, by_size);
        CHECK(
            t,
            off[m / 2] <
                pairs[p].most); // the printed profiles: rounding of E1 moves its conformal contact
        static double ty[CSV_ROWS], td[CSV_ROWS];
        for (int r = 0; r < table.rows; ++r) {
            ty[r] = 1e-3 * csv_at(&table, r, 0);
            td[r] = 1e-3 * csv_at(&table, r, 1);
        }
        for (int r = 0; r < reference.rows && csv_at(&reference, r, 0) <= 6.0; ++r) {
            const double a = 1e-3 * csv_at(&reference, r, 0), want = csv_at(&reference, r, 1);
            const TmlRadiusTable given = {table.rows, ty, td}, own = {n, y, delta};
            // 0.003 from the table, away from the step of E2 at 3 mm and of E3 at 2.2 mm, where an interval of it decides
            const double step = p == 1 ? 3.0 : p == 2 ? 2.2 : -1.0;
            if (fabs(csv_at(&reference, r, 0) - step) > 0.35) {
                CHECK_NEAR(t, tml_equivalent_conicity(&given, 1.5, 0.46, a), want, 3e-3);
            }
            // the whole chain, tolerance of the standard; E2 at 3 mm hangs on 0.04 mm of the rail's place
            if (p == 1 && fabs(csv_at(&reference, r, 0) - 3.0) < 0.06) {
                continue;
            }
            CHECK_NEAR(t, tml_equivalent_conicity(&own, 1.5, 0.46, a), want,
                       fmin(0.05, 0.5 * want) + 1e-6);
        }
        tml_arena_free(&arena);
    }
    t->name = NULL;
}

/* Where delta is straight the wave is Klingel's at every amplitude, also about a middle that is not 0. */
TEST(conicity_of_a_cone)
{
    double y[41], delta[41];
    for (int k = 0; k < 41; ++k) {
        y[k] = 1e-3 * (k - 20);
        delta[k] = 2.0 * 0.1 * (y[k] - 3e-3);
    }
    const TmlRadiusTable table = {41, y, delta};
    for (double a = 1e-3; a < 17e-3; a += 3e-3) {
        CHECK_NEAR(t, tml_equivalent_conicity(&table, 1.5, 0.46, a), 0.1,
                   1e-9); // rounding of 2000 terms
    }
    CHECK(t, isnan(tml_equivalent_conicity(&table, 1.5, 0.46, 17.5e-3)));
}

TEST_SUITE(rail) = {CASE(curvature_of_rounded_points), CASE(bad_profiles_are_refused),
                    CASE(near_points_are_merged),      CASE(manchester_benchmark),
                    CASE(rail_force_derivatives),      CASE(force_is_continuous_over_the_rail),
                    CASE(cone_on_a_round_rail),        CASE(two_contacts_become_one),
                    CASE(force_of_one_contact),        CASE(equivalent_conicity),
                    CASE(conicity_of_a_cone),          {0}};
