/* tests/adams/test_adams_utilities.c - derivatives of user-written routines, and what these may
 * call: orientations, functions, names in Fortran.
 */
#include "test.h"

#include "adams/user/library.h"
#include "trammel/trammel.h"

#include <string.h>

/* --- derivatives ------------------------------------------------------------------------------ */

typedef struct Opened {
    TmlArena arena;
    TmlAdmLibrary *library;
    TmlAdmRoutine routine;
} Opened;

static bool open_routine(TestCtx *t, Opened *x, TmlAdmRoutineKind kind, const char *name, int n_own,
                         const double *par)
{
    TmlError err = {0};
    *x = (Opened){0};
    CHECK_OK(t,
             tml_adm_library_open(TRAMMEL_BINARY_DIR "/examples/adams_user.so", &x->arena,
                                  &x->library, &err),
             &err);
    x->routine = (TmlAdmRoutine){.owner = x->library,
                                 .kind = kind,
                                 .statement = "TEST/1",
                                 .id = 1,
                                 .n_par = 2,
                                 .par = par,
                                 .n_values = 1,
                                 .n_own = n_own};
    x->routine.of.coupler = (struct sAdamsCoupler){.ID = 1, .NPAR = 2, .PAR = par, .NJOINT = 2};
    const bool found = x->library != NULL && tml_adm_routine_find(&x->routine, name);
    CHECK(t, found);
    return found;
}

static void close_routine(Opened *x)
{
    tml_adm_library_close(x->library);
    tml_arena_free(&x->arena);
}

/* Value and derivatives of a2 - a1 - e sin(a1) by time, a1, a2. */
static void check_coupler(TestCtx *t, TmlAdmRoutine *r, double second, double third)
{
    enum { N = 3 };
    const double in[N] = {0.7, 0.9, 1.6}, e = r->par[0];
    double g[N] = {0.0}, H[N * N] = {0.0}, T[N * N * N] = {0.0};
    TmlAdmResult result = {r, 0, 2.0};
    TmlJet jet = {0.0, g, H, T};
    tml_adm_result_eval(&result, in, 3, &jet);
    CHECK_NEAR(t, jet.value, 2.0 * (1.6 - 0.9 - e * sin(0.9)), 1e-15); // rounding
    const double slope[N] = {0.0, -2.0 - 2.0 * e * cos(0.9), 2.0};
    for (int k = 0; k < N; ++k) {
        CHECK_NEAR(t, g[k], slope[k], 1e-12); // (L2) once: 3e-13
    }
    for (int k = 0; k < N * N; ++k) {
        CHECK_NEAR(t, H[k], k == 4 ? 2.0 * e * sin(0.9) : 0.0, second);
    }
    for (int k = 0; k < N * N * N; ++k) {
        CHECK_NEAR(t, T[k], k == 13 ? 2.0 * e * cos(0.9) : 0.0, third);
    }
}

TEST(couplers_have_three_derivatives)
{
    static const double par[2] = {0.4, 0.0};
    Opened x;
    if (open_routine(t, &x, TML_ADM_COUSUB, NULL, 2, par)) {
        // errors of (L2), library_eval.c, times ten: as many terms
        check_coupler(t, &x.routine, 4e-10, 1e-8);
        tml_adm_routine_find_other(&x.routine, NULL, NULL);
        CHECK(t, x.routine.other != NULL && x.routine.third != NULL);
        CHECK(t, tml_adm_routine_check_second(&x.routine) && x.routine.stride == 2);
        check_coupler(t, &x.routine, 4e-12, 4e-12); // by time once
        x.routine.third = NULL;
        check_coupler(t, &x.routine, 4e-12, 4e-10);
    }
    close_routine(&x);
}

TEST(constraints_give_their_own)
{
    // x^2 + y^2 - 3^2 by time, x, y
    static const double par[2] = {6.0, 3.0};
    enum { N = 3 };
    const double in[N] = {0.7, 2.0, -1.0};
    Opened x;
    if (open_routine(t, &x, TML_ADM_UCOSUB, NULL, 2, par)) {
        double g[N] = {0.0}, H[N * N] = {0.0}, T[N * N * N] = {0.0};
        TmlAdmResult result = {&x.routine, 0, 1.0};
        TmlJet jet = {0.0, g, H, T};
        tml_adm_result_eval(&result, in, 3, &jet);
        CHECK(t, jet.value == -4.0 && g[0] == 0.0 && g[1] == 4.0 && g[2] == -2.0);
        for (int k = 0; k < N * N; ++k) {
            CHECK(t, H[k] == (k == 4 || k == 8 ? 2.0 : 0.0));
        }
        for (int k = 0; k < N * N * N; ++k) {
            CHECK(t, T[k] == 0.0); // differences of constants
        }
    }
    close_routine(&x);
}

/* --- orientations and places ------------------------------------------------------------------ */

TEST(orientations_convert)
{
    const double angle[3] = {0.7, 0.4, -1.1};
    for (int kind = 0; kind < 2; ++kind) {
        for (int code = 0; code < 27; ++code) {
            const int a = code / 9, b = code / 3 % 3, c = code % 3;
            const char name[5] = {"BS"[kind], (char)('1' + a), (char)('1' + b), (char)('1' + c), 0};
            double A[9], p[4], back[3] = {0.0}, again[9];
            int status = -9;
            c_rcnvrt(name, angle, "COSINES", A, &status);
            CHECK_INT(t, status, a == b || b == c ? -1 : 0);
            if (a == b || b == c) {
                continue;
            }
            c_rcnvrt("COSINES", A, "EULPAR", p, &status);
            c_rcnvrt("EULPAR", p, name, back, &status);
            CHECK_INT(t, status, 0);
            c_rcnvrt(name, back, "COSINES", again, &status);
            t->name = name;
            for (int k = 0; k < 9; ++k) { // some ten roundings of numbers up to 1
                CHECK_NEAR(t, again[k], A[k], 1e-14);
            }
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(t, back[k], angle[k], 1e-14);
            }
        }
    }
}

TEST(known_orientations)
{
    const double half = 0.5 * M_PI, quarter[3] = {half, 0.0, 0.0}, dead[3] = {0.3, half, 0.0};
    double A[9], x[4];
    int status = -9;
    c_rcnvrt("EULER", quarter, "COSINES", A, &status); // x turned onto y, up to rounding
    CHECK_NEAR(t, A[1], 1.0, 1e-15);
    CHECK_NEAR(t, A[3], -1.0, 1e-15);
    c_rcnvrt("EULER", quarter, "RODPAR", x, &status);
    CHECK_NEAR(t, x[2], 1.0, 1e-15); // tan of half the angle: rounding
    c_rcnvrt("B123", dead, "B123", x, &status);
    CHECK_NEAR(t, x[0], 0.3, 1e-7); // at the dead point, where an angle has half of the digits
    CHECK_NEAR(t, x[1], half, 1e-7);
    c_rcnvrt("EULER", quarter, "NONE", x, &status);
    CHECK_INT(t, status, -2);
    const double place[3] = {1.0, 2.0, -2.0};
    double ball[3], rod[3], back[3];
    c_tcnvrt("CARTESIAN", place, "SPHERICAL", ball, &status);
    CHECK_NEAR(t, ball[0], 3.0, 1e-15);
    c_tcnvrt("SPHERICAL", ball, "CYLINDRICAL", rod, &status);
    CHECK_NEAR(t, rod[0], sqrt(5.0), 1e-15);
    c_tcnvrt("CYLINDRICAL", rod, "CARTESIAN", back, &status);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(t, back[k], place[k], 1e-14);
    }
}

/* --- functions -------------------------------------------------------------------------------- */

typedef double Function(double x, int order, int *error);

static const double series[] = {0.3, -0.7, 0.2, 0.5};

static double step_at(double x, int order, int *error)
{
    double y;
    c_step(x, 0.1, -1.0, 0.9, 2.0, order, &y, error);
    return y;
}

static double step5_at(double x, int order, int *error)
{
    double y;
    c_step5(x, 0.1, -1.0, 0.9, 2.0, order, &y, error);
    return y;
}

static double havsin_at(double x, int order, int *error)
{
    double y;
    c_havsin(x, 0.1, -1.0, 0.9, 2.0, order, &y, error);
    return y;
}

static double poly_at(double x, int order, int *error)
{
    double y;
    c_poly(x, 0.1, series, 4, order, &y, error);
    return y;
}

static double cheby_at(double x, int order, int *error)
{
    double y;
    c_cheby(x, 0.1, series, 4, order, &y, error);
    return y;
}

static double forcos_at(double x, int order, int *error)
{
    double y;
    c_forcos(x, 0.1, 1.7, series, 4, order, &y, error);
    return y;
}

static double forsin_at(double x, int order, int *error)
{
    double y;
    c_forsin(x, 0.1, 1.7, series, 4, order, &y, error);
    return y;
}

static double shf_at(double x, int order, int *error)
{
    double y;
    c_shf(x, 0.1, 2.0, 1.7, 0.3, 1.0, order, &y, error);
    return y;
}

TEST(functions_and_their_derivatives)
{
    Function *const all[] = {step_at,  step5_at,  havsin_at, poly_at,
                             cheby_at, forcos_at, forsin_at, shf_at};
    const double u = 0.5, x = 0.6, h = 1e-5;
    int error = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        for (int order = 1; order <= 2; ++order) {
            const double slope =
                (all[k](x + h, order - 1, &error) - all[k](x - h, order - 1, &error)) / (2.0 * h);
            // h^2 / 6 of a third derivative, up to 1e3 of the steps' slopes, and less of rounding
            CHECK_NEAR(t, all[k](x, order, &error), slope, 1e-7);
            CHECK_INT(t, error, 0);
        }
        all[k](x, 3, &error);
        CHECK(t, error != 0);
    }
    // T_3 = 4 u^3 - 3 u
    const double T[4] = {1.0, u, 2.0 * u * u - 1.0, 4.0 * u * u * u - 3.0 * u};
    double cheby = 0.0, waves = series[0];
    for (int k = 0; k < 4; ++k) {
        cheby += series[k] * T[k];
        waves += k > 0 ? series[k] * cos(k * 1.7 * u) : 0.0;
    }
    CHECK_NEAR(t, cheby_at(x, 0, &error), cheby, 1e-15);
    CHECK_NEAR(t, forcos_at(x, 0, &error), waves, 1e-15);
    CHECK_NEAR(t, shf_at(x, 0, &error), 2.0 * sin(1.7 * u - 0.3) + 1.0, 1e-15);
}

TEST(fortran_has_the_same)
{
    const double x = 0.6, x0 = 0.1, x1 = 0.9, h0 = -1.0, h1 = 2.0, angle[3] = {0.7, 0.4, -1.1};
    const int order = 1, size = 3;
    double y, parameters[4], same[4];
    const double values[3] = {1.0, (double)NAN, 2.0};
    int error = -1, status = -9, outcome, index;
    step_(&x, &x0, &h0, &x1, &h1, &order, &y, &error);
    CHECK(t, error == 0 && y == step_at(x, 1, &error));
    rcnvrt_("EULER   ", angle, "EULPAR", parameters, &status, 8, 6);
    c_rcnvrt("EULER", angle, "EULPAR", same, &status);
    CHECK_INT(t, status, 0);
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(t, same[k], parameters[k], 0.0); // the same function
    }
    c_naninf(values, &size, &outcome, &index);
    CHECK(t, outcome == 1 && index == 2);
    // outside of a routine there is nothing to ask
    sysfnc_("DX", &size, &order, &y, &error, 2);
    CHECK(t, error != 0 && c_gse_ns() == 0);
}

TEST_SUITE(adams_utilities) = {CASE(couplers_have_three_derivatives),
                               CASE(constraints_give_their_own),
                               CASE(orientations_convert),
                               CASE(known_orientations),
                               CASE(functions_and_their_derivatives),
                               CASE(fortran_has_the_same),
                               {0}};
