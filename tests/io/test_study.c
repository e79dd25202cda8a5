/* tests/io/test_study.c - designs, effects against closed forms, records and what a kill leaves of them. */
#include "test.h"

#include "base/file.h"
#include "io/study/study.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

/* A study without a model: designs need no more than this. */
static TmlStudy *bare(TestCtx *t, TmlDesign design, int samples, int n, const TmlSpread *spread)
{
    TmlError err = {0};
    TmlStudy *s = tml_mem_zalloc(1, sizeof *s);
    s->design = design;
    s->samples = samples;
    s->levels = 4;
    s->n_spreads = n;
    s->spread = tml_arena_alloc(&s->arena, (size_t)n, sizeof *s->spread);
    memcpy(s->spread, spread, (size_t)n * sizeof *spread);
    s->n_responses = 1;
    CHECK_OK(t, tml_study_design_make(s, &err), &err);
    return s;
}

static TmlSpread range(const char *name, double from, double to)
{
    return (TmlSpread){.name = name, .from = from, .to = to};
}

/* --- Sobol's sequence ---------------------------------------------------------------------------------- */

/* x^k modulo a polynomial over the field of two elements. */
static uint32_t power(uint32_t polynomial, int degree, uint32_t k)
{
    uint32_t x = 1;
    for (uint32_t i = 0; i < k; ++i) {
        x <<= 1;
        x = (x >> degree & 1) != 0 ? x ^ polynomial : x;
    }
    return x;
}

/* Polynomials are primitive (x has the order 2^s - 1), all different, and numbers odd and below 2^i: each dimension is then a
 * sequence whose first 2^k points lie one in each of 2^k intervals. */
TEST(sobol_polynomials_are_primitive)
{
    uint32_t seen[TML_SOBOL_MAX] = {0};
    for (int d = 1; d < TML_SOBOL_MAX; ++d) {
        int degree;
        uint32_t inner;
        const uint32_t *m = tml_sobol_numbers(d, &degree, &inner);
        const uint32_t all = 1u << degree | inner << 1 | 1u, order = (1u << degree) - 1;
        CHECK(t, power(all, degree, order) == 1);
        for (uint32_t k = 1; k < order; ++k) {
            CHECK(t, order == 1 || power(all, degree, k) != 1);
        }
        for (int i = 0; i < degree; ++i) {
            CHECK(t, m[i] % 2 == 1 && m[i] < 2u << i);
        }
        for (int other = 1; other < d; ++other) {
            CHECK(t, seen[other] != all);
        }
        seen[d] = all;
    }
}

/* The lines of the file new-joe-kuo-6.21201 of Joe and Kuo, as published: d, s, a, m_1 to m_s. */
TEST(sobol_numbers_are_those_of_joe_and_kuo)
{
    static const int published[][10] = {
        {2, 1, 0, 1},
        {3, 2, 1, 1, 3},
        {4, 3, 1, 1, 3, 1},
        {5, 3, 2, 1, 1, 1},
        {6, 4, 1, 1, 1, 3, 3},
        {7, 4, 4, 1, 3, 5, 13},
        {8, 5, 2, 1, 1, 5, 5, 17},
        {9, 5, 4, 1, 1, 5, 5, 5},
        {10, 5, 7, 1, 1, 7, 11, 19},
        {11, 5, 11, 1, 1, 5, 1, 1},
        {12, 5, 13, 1, 1, 1, 3, 11},
        {13, 5, 14, 1, 3, 5, 5, 31},
        {14, 6, 1, 1, 3, 3, 9, 7, 49},
        {15, 6, 13, 1, 1, 1, 15, 21, 21},
        {16, 6, 16, 1, 3, 1, 13, 27, 49},
        {17, 6, 19, 1, 1, 1, 15, 7, 5},
        {18, 6, 22, 1, 3, 1, 15, 13, 25},
        {19, 6, 25, 1, 1, 5, 5, 19, 61},
        {20, 7, 1, 1, 3, 7, 11, 23, 15, 103},
        {21, 7, 4, 1, 3, 7, 13, 13, 15, 69},
    };
    CHECK_INT(t, sizeof published / sizeof *published, TML_SOBOL_MAX - 1);
    for (int k = 0; k < TML_SOBOL_MAX - 1; ++k) {
        int degree;
        uint32_t inner;
        const uint32_t *m = tml_sobol_numbers(published[k][0] - 1, &degree, &inner);
        CHECK_INT(t, degree, published[k][1]);
        CHECK_INT(t, inner, published[k][2]);
        for (int i = 0; i < degree; ++i) {
            CHECK_INT(t, m[i], published[k][3 + i]);
        }
    }
}

TEST(sobol_fills_intervals_and_squares)
{
    enum { N = 256 };
    for (int d = 0; d < TML_SOBOL_MAX; ++d) {
        bool hit[N] = {false};
        for (uint32_t k = 0; k < N; ++k) {
            const double x = tml_sobol(d, k, 0xdeadbeef + (uint32_t)d);
            CHECK(t, x >= 0.0 && x < 1.0);
            hit[(int)(x * N)] = true;
        }
        for (int k = 0; k < N; ++k) {
            CHECK(t, hit[k]);
        }
    }
    // the first two dimensions are a net: one point of 256 in each box of a grid of 16 x 16
    bool box[16][16] = {{false}};
    for (uint32_t k = 0; k < N; ++k) {
        box[(int)(16 * tml_sobol(0, k, 0))][(int)(16 * tml_sobol(1, k, 0))] = true;
    }
    for (int k = 0; k < N; ++k) {
        CHECK(t, box[k / 16][k % 16]);
    }
}

/* --- designs ---------------------------------------------------------------------------------------------- */

TEST(grid_has_all_combinations)
{
    double values[] = {5.0, 7.0};
    const TmlSpread all[] = {
        {.name = "a", .from = 1.0, .to = 100.0, .count = 3, .log = true},
        {.name = "b", .kind = TML_SPREAD_VALUES, .n = 2, .value = values},
        {.name = "c", .from = -1.0, .to = 1.0, .count = 1},
    };
    TmlStudy *s = bare(t, TML_DESIGN_GRID, 0, 3, all);
    CHECK_INT(t, s->runs, 6);
    for (int run = 0; run < s->runs; ++run) {
        const int decade = run / 2;
        CHECK_NEAR(t, tml_study_value(s, run, 0), pow(10.0, decade),
                   1e-13); // rounding of pow
        CHECK(t, tml_study_value(s, run, 1) == values[run % 2]);
        CHECK(t, tml_study_value(s, run, 2) == -1.0);
    }
    CHECK(t, tml_study_value(s, 4, 0) == 100.0); // ends are met exactly
    tml_study_free(s);
}

TEST(latin_hypercube_has_one_in_each_class)
{
    const TmlSpread all[] = {range("a", 2.0, 3.0), range("b", -4.0, 0.0)};
    TmlStudy *s = bare(t, TML_DESIGN_LATIN, 50, 2, all);
    for (int p = 0; p < 2; ++p) {
        bool hit[50] = {false};
        for (int run = 0; run < 50; ++run) {
            const double u = (tml_study_value(s, run, p) - all[p].from) / (all[p].to - all[p].from);
            hit[(int)(u * 50)] = true;
        }
        for (int k = 0; k < 50; ++k) {
            CHECK(t, hit[k]);
        }
    }
    CHECK(t, tml_study_value(s, 0, 0) != 0.25 * tml_study_value(s, 0, 1) + 3.0); // not in step
    tml_study_free(s);
}

/* Quantiles of the normal distribution against the table of Abramowitz and Stegun, 26.2, and by symmetry. */
TEST(normal_values_are_quantiles)
{
    const TmlSpread x = {.kind = TML_SPREAD_NORMAL, .mean = 10.0, .deviation = 2.0};
    CHECK_NEAR(t, tml_spread_value(&x, 0.5), 10.0, 1e-13);                             // rounding
    CHECK_NEAR(t, tml_spread_value(&x, 0.975), 10.0 + 2.0 * 1.959963984540054, 1e-12); // rounding
    CHECK_NEAR(t, tml_spread_value(&x, 1e-6), 10.0 - 2.0 * 4.753424308822899, 1e-10); // of u near 0
    CHECK(t, isfinite(tml_spread_value(&x, 0.0)) && isfinite(tml_spread_value(&x, 1.0)));
    double mean = 0.0, square = 0.0;
    TmlStudy *s = bare(t, TML_DESIGN_SOBOL, 4096, 1, &x);
    for (int run = 0; run < s->runs; ++run) {
        mean += s->value[run] / s->runs;
        square += (s->value[run] - 10.0) * (s->value[run] - 10.0) / s->runs;
    }
    CHECK_NEAR(t, mean, 10.0, 2e-3);  // ends of 4096 strata: 1/4096 times some deviations
    CHECK_NEAR(t, square, 4.0, 0.03); // the same
    tml_study_free(s);
}

/* --- effects ----------------------------------------------------------------------------------------------- */

/* Ishigami and Homma's function, a = 7, b = 0.1, on [-pi, pi]^3: its indices are known. */
static double ishigami(const double *x)
{
    return sin(x[0]) + 7.0 * pow(sin(x[1]), 2.0) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
}

TEST(indices_of_ishigami)
{
    const TmlSpread all[] = {range("a", -pi, pi), range("b", -pi, pi), range("c", -pi, pi)};
    const double b = 0.1, a = 7.0;
    const double V1 = 0.5 * pow(1.0 + b * pow(pi, 4.0) / 5.0, 2.0), V2 = a * a / 8.0;
    const double V13 = b * b * pow(pi, 8.0) * (1.0 / 18.0 - 1.0 / 50.0), V = V1 + V2 + V13;
    const double first[] = {V1 / V, V2 / V, 0.0}, total[] = {(V1 + V13) / V, V2 / V, V13 / V};
    TmlStudy *s = bare(t, TML_DESIGN_INDICES, 4096, 3, all);
    double *y = tml_mem_zalloc((size_t)s->runs, sizeof *y);
    for (int run = 0; run < s->runs; ++run) {
        y[run] = 1000.0 + ishigami(s->value + 3 * run); // far from zero, as loads often are
    }
    for (int p = 0; p < 3; ++p) {
        const TmlEffect e = tml_study_effect(s, y, p, 0);
        // Monte Carlo has 1 / sqrt(4096) = 0.016 times a factor of order one, Sobol's points a tenth of it
        CHECK_NEAR(t, e.main, first[p], 0.01);
        CHECK_NEAR(t, e.total, total[p], 0.01);
    }
    y[5] = (double)NAN; // a run that failed takes its point with it, not more
    CHECK_NEAR(t, tml_study_effect(s, y, 0, 0).main, first[0], 0.01);
    tml_mem_free(y);
    tml_study_free(s);
}

/* Of a linear function all elementary effects of a parameter are its slope times its range. */
TEST(morris_of_a_linear_function)
{
    const TmlSpread all[] = {range("a", 0.0, 2.0), range("b", -1.0, 3.0), range("c", 5.0, 6.0)};
    TmlStudy *s = bare(t, TML_DESIGN_MORRIS, 10, 3, all);
    double y[40];
    CHECK_INT(t, s->runs, 40);
    for (int run = 0; run < 40; ++run) {
        const double *x = s->value + 3 * run;
        y[run] = 3.0 * x[0] - 0.5 * x[1] + x[1] * x[1] * 0.0 + 7.0;
        for (int p = 0; p < 3; ++p) {
            CHECK(t, x[p] >= all[p].from && x[p] <= all[p].to);
        }
    }
    const double slope[] = {6.0, -2.0, 0.0};
    for (int p = 0; p < 3; ++p) {
        const TmlEffect e = tml_study_effect(s, y, p, 0);
        CHECK_NEAR(t, e.main, slope[p], 1e-13); // rounding
        CHECK_NEAR(t, e.total, fabs(slope[p]), 1e-13);
        CHECK_NEAR(t, e.spread, 0.0, 1e-6); // square root of rounding
    }
    tml_study_free(s);
}

TEST(ranks_and_means_of_other_designs)
{
    const TmlSpread all[] = {range("a", 0.0, 1.0), range("b", 0.0, 1.0)};
    TmlStudy *s = bare(t, TML_DESIGN_SOBOL, 1024, 2, all);
    double *y = tml_mem_zalloc((size_t)s->runs, sizeof *y);
    for (int run = 0; run < s->runs; ++run) {
        y[run] = exp(-5.0 * s->value[2 * run]); // falls, and does not see b
    }
    const TmlEffect a = tml_study_effect(s, y, 0, 0), b = tml_study_effect(s, y, 1, 0);
    // means over the first and the last tenth
    const double low = (exp(-4.5) - exp(-5.0)) / 0.5, high = (1.0 - exp(-0.5)) / 0.5;
    CHECK_NEAR(t, a.main, high - low, 5e-3); // measured 2.2e-3: ends of tenths lie between points
    CHECK_NEAR(t, a.total, -1.0, 1e-12);     // ranks are exact
    CHECK(t, fabs(b.total) < 0.05 && b.main < 0.05);
    tml_mem_free(y);
    tml_study_free(s);
}

/* Equal values share their rank. By hand: a = 0, 0, 1, 1 and y = 1, 2, 2, 3 have the ranks 0.5, 0.5, 2.5, 2.5 and 0, 1.5, 1.5, 3,
 * so that the correlation is 3 / sqrt(4 * 4.5). */
TEST(equal_values_share_their_rank)
{
    const TmlSpread all[] = {{.name = "a", .from = 0.0, .to = 1.0, .count = 2},
                             {.name = "b", .from = 0.0, .to = 1.0, .count = 2}};
    TmlStudy *s = bare(t, TML_DESIGN_GRID, 0, 2, all);
    double y[4];
    CHECK_INT(t, s->runs, 4);
    for (int run = 0; run < 4; ++run) {
        y[run] = 1.0 + s->value[2 * run] + s->value[2 * run + 1];
    }
    CHECK_NEAR(t, tml_study_effect(s, y, 0, 0).total, M_SQRT1_2, 1e-15); // rounding
    CHECK_NEAR(t, tml_study_effect(s, y, 1, 0).total, M_SQRT1_2, 1e-15);
    tml_study_free(s);
}

/* --- runs and records ----------------------------------------------------------------------------------------- */

static const char model_text[] = "trammel: 1\n"
                                 "parameters: {r: 2, m: 1}\n"
                                 "bodies: {b: {type: point, mass: m}}\n"
                                 "states: {x: {rate: r, initial: -1}}\n"
                                 "outputs: {x: x, y: x^2 - 1}\n"
                                 "simulate: {end: 1, output_step: 0.25}\n";

static const char study_text[] = "study: Straight lines\n"
                                 "model: study_line.yaml\n"
                                 "parameters: {r: [1, 2, 3], m: {from: 1, to: -1, count: 2}}\n"
                                 "responses:\n"
                                 "  mean: {of: x, take: mean}\n"
                                 "  rms: {of: x, take: rms}\n"
                                 "  end: {of: x, take: end}\n"
                                 "  range: {of: x, take: range}\n"
                                 "  top: {of: x, take: largest, to: 0.3 s}\n"
                                 "  when: {of: y, take: time_of_max, from: 0.1}\n"
                                 "  never: {of: y, from: 5}\n"
                                 "keep: [y]\n";

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

static TmlStudy *lines(TestCtx *t)
{
    TmlError err = {0};
    TmlStudy *s = NULL;
    put_file("study_line.yaml", model_text);
    put_file("study_lines.yaml", study_text);
    CHECK(t, tml_is_study("study_lines.yaml") && !tml_is_study("study_line.yaml"));
    CHECK_OK(t, tml_study_load("study_lines.yaml", NULL, &s, &err), &err);
    return s;
}

/* Frees the study, and takes all files out of the folder that these tests leave in it. */
static void put_away(TmlStudy *s)
{
    static const char *const left[] = {
        "study_line.yaml", "study_lines.yaml",  "study_cut.h5",       "study_cut.csv",
        "study_cut.html",  "study_cut.h5.runs", "study_other.h5.runs"};
    tml_study_free(s);
    for (size_t k = 0; k < sizeof left / sizeof *left; ++k) {
        unlink(left[k]);
    }
}

/* x = -1 + r t: all responses are known; the mass of -1 kg makes a run fail. */
TEST(responses_of_a_straight_line)
{
    TmlStudy *s = lines(t);
    for (int run = 0; run < 6 && s != NULL; ++run) {
        TmlError err = {0};
        void *bytes = NULL;
        size_t size = 0;
        CHECK_OK(t, tml_study_run(s, run, NULL, &bytes, &size, &err), &err);
        CHECK(t, tml_record_good(s, bytes, size));
        TmlRecord head;
        memcpy(&head, bytes, sizeof head);
        const double *y = (const double *)(const void *)((char *)bytes + sizeof head);
        if (run % 2 == 1) {
            CHECK(t, head.status == TML_E_MODEL && head.message > 10 && isnan(y[0]));
        } else {
            const int pair = run / 2;
            const double r = 1.0 + pair;
            CHECK_INT(t, head.rows, 5);
            CHECK_NEAR(t, y[0], -1.0 + 0.5 * r,
                       1e-9); // the tolerance of the run; trapezia are exact
            // trapezia of a parabola in 4 pieces: + r^2 h^2 / 6
            CHECK_NEAR(t, y[1] * y[1], 1.0 - r + r * r / 3.0 + r * r / 96.0, 1e-9);
            CHECK_NEAR(t, y[2], -1.0 + r, 1e-9);
            CHECK_NEAR(t, y[3], r, 1e-9);
            CHECK_NEAR(t, y[4], 1.0, 1e-9);
            CHECK_NEAR(t, y[5], r > 2.0 - 1e-9 ? 1.0 : 0.25, 1e-12);
            CHECK(t, isnan(y[6]));
        }
        ((char *)bytes)[size / 2] ^= 1; // one bit is enough
        CHECK(t, !tml_record_good(s, bytes, size));
        tml_study_record_free(bytes);
    }
    put_away(s);
}

static void add_runs(TestCtx *t, TmlStudy *s, TmlStore *store, int from, int to)
{
    for (int run = from; run < to; ++run) {
        TmlError err = {0};
        void *bytes = NULL;
        size_t size = 0;
        CHECK_OK(t, tml_study_run(s, run, NULL, &bytes, &size, &err), &err);
        CHECK_OK(t, tml_store_add(store, bytes, size, NULL, NULL, &err), &err);
        CHECK_OK(t, tml_store_add(store, bytes, size, NULL, NULL, &err), &err); // counts once
        tml_study_record_free(bytes);
    }
}

static off_t size_of(const char *path)
{
    const int fd = open(path, O_RDONLY);
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    close(fd);
    return size;
}

/* Whatever is cut off the end of the records, those before it are there again, and the study can go on. */
TEST(records_survive_a_cut)
{
    TmlStudy *s = lines(t);
    TmlError err = {0};
    TmlStore *store = NULL;
    off_t ends[4] = {0};
    unlink("study_cut.h5.runs");
    CHECK_OK(t, tml_store_open("study_cut.h5", s, TML_STORE_NEW, &store, &err), &err);
    for (int run = 0; run < 3 && store != NULL; ++run) {
        add_runs(t, s, store, run, run + 1);
        ends[run + 1] = size_of("study_cut.h5.runs");
    }
    tml_store_close(store);
    CHECK(t, tml_store_open("study_cut.h5", s, TML_STORE_NEW, &store, &err) == TML_E_ARGUMENT);
    int whole = 3;
    for (off_t size = ends[3]; whole > 0; size -= 37) { // a file without a whole record goes away
        CHECK(t, truncate("study_cut.h5.runs", size) == 0);
        CHECK_OK(t, tml_store_open("study_cut.h5", s, TML_STORE_RESUME, &store, &err), &err);
        while (ends[whole] > size) {
            --whole;
        }
        CHECK_INT(t, tml_store_count(store), whole);
        CHECK(t, !tml_store_has(store, whole));
        tml_store_close(store);
    }
    CHECK_OK(t, tml_store_open("study_cut.h5", s, TML_STORE_NEW, &store, &err), &err);
    add_runs(t, s, store, 0, 6);
    CHECK_OK(t, tml_store_finish(store, "study_cut.csv", "study_cut.html", &err), &err);
    tml_store_close(store);
    CHECK(t, access("study_cut.h5.runs", F_OK) != 0 && access("study_cut.h5", F_OK) == 0);
    put_away(s);
}

TEST(records_of_another_study_are_refused)
{
    TmlStudy *s = lines(t);
    TmlError err = {0};
    TmlStore *store = NULL;
    unlink("study_other.h5.runs");
    CHECK_OK(t, tml_store_open("study_other.h5", s, TML_STORE_NEW, &store, &err), &err);
    add_runs(t, s, store, 0, 2);
    TmlStore *second = NULL;
    CHECK(t, tml_store_open("study_other.h5", s, TML_STORE_RESUME, &second, &err) == TML_E_IO);
    tml_store_close(store);
    CHECK_OK(t, tml_study_settings(s, NULL, 2.0, (double)NAN, (double)NAN, &err), &err);
    CHECK(t, tml_store_open("study_other.h5", s, TML_STORE_RESUME, &store, &err) == TML_E_ARGUMENT);
    CHECK_OK(t, tml_store_open("study_other.h5", s, TML_STORE_RESTART, &store, &err), &err);
    CHECK_INT(t, tml_store_count(store), 0);
    tml_store_close(store);
    put_away(s);
}

TEST_SUITE(study) = {
    CASE(sobol_polynomials_are_primitive),
    CASE(sobol_numbers_are_those_of_joe_and_kuo),
    CASE(sobol_fills_intervals_and_squares),
    CASE(grid_has_all_combinations),
    CASE(latin_hypercube_has_one_in_each_class),
    CASE(normal_values_are_quantiles),
    CASE(indices_of_ishigami),
    CASE(morris_of_a_linear_function),
    CASE(ranks_and_means_of_other_designs),
    CASE(equal_values_share_their_rank),
    CASE(responses_of_a_straight_line),
    CASE(records_survive_a_cut),
    CASE(records_of_another_study_are_refused),
    {0},
};
