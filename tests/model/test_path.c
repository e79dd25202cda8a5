/* tests/model/test_path.c - smooth curves through points. */
#include "test.h"

#include "math/vec3.h"
#include "model/path/path.h"
#include "model/path/path_arcs.h"
#include "trammel/model.h"

static const double pi = 3.14159265358979323846;

static TmlPath *ring(TestCtx *t, TmlArena *arena, int n, int order)
{
    TmlVec3 point[64];
    TmlPath *p = NULL;
    TmlError err = {0};
    for (int k = 0; k < n; ++k) {
        point[k] = v3(cos(2.0 * pi * k / n), sin(2.0 * pi * k / n), 0.0);
    }
    const TmlPathPoints points = {n, point, true, false, order};
    CHECK_OK(t, tml_path_create(&points, arena, &p, &err), &err);
    return p;
}

/* A circle is met with an error of order h^4: halving h divides it by 16, here by 12 at least. */
TEST(closed_paths_are_periodic_and_accurate)
{
    TmlArena arena = {0};
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        const TmlPath *p = ring(t, &arena, i == 0 ? 24 : 48, 4);
        TmlVec3 d[5], e[5];
        for (int k = 0; k < 200; ++k) {
            tml_path_at(p, p->length * k / 200.0, d);
            error[i] = fmax(error[i], fabs(v3_norm(d[0]) - 1.0));
        }
        CHECK_NEAR(t, v3_norm(v3_sub(p->normal, v3(0, 0, 1))), 0.0, 1e-14);
        tml_path_at(p, 0.3, d);
        tml_path_at(p, 0.3 - 2.0 * p->length, e);
        for (int k = 0; k < 4; ++k) { // rounding of s relative to the length
            CHECK_NEAR(t, v3_norm(v3_sub(d[k], e[k])), 0.0, 1e-12);
        }
        // curvature is the same on both sides of every point, the closing one too
        for (int k = 0; k <= p->n; ++k) {
            tml_path_at(p, p->knot[k] - 1e-9, d);
            tml_path_at(p, p->knot[k] + 1e-9, e);
            CHECK_NEAR(t, v3_norm(v3_sub(d[2], e[2])), 0.0, 1e-7); // 2e-9 times d[3]
        }
    }
    CHECK(t, error[0] < 1e-4 && error[0] > 12.0 * error[1]);
    tml_arena_free(&arena);
}

TEST(derivatives_are_exact)
{
    static const TmlVec3 point[] = {{0, 0, 0}, {1, 2, 0}, {3, 1, -1}, {4, 0, 2}};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    const TmlPathPoints points = {4, point, false, false, 4};
    CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
    for (double s = -1.05; p != NULL && s < p->length + 1.0; s += 0.4) {
        const double h = 1e-4;
        TmlVec3 a[5], b[5], d[5];
        tml_path_at(p, s, d);
        tml_path_at(p, s - h, a);
        tml_path_at(p, s + h, b);
        for (int k = 0; k < 3; ++k) {
            // h^2/6 of the third derivative above, which is zero or that of d[3] = O(1)
            const TmlVec3 diff = v3_scale(0.5 / h, v3_sub(b[k], a[k]));
            CHECK_NEAR(t, v3_norm(v3_sub(diff, d[k + 1])), 0.0, 1e-7);
        }
    }
    for (int k = 0; p != NULL && k < 4; ++k) {
        TmlVec3 d[5];
        tml_path_at(p, k < 3 ? p->knot[k] : p->length, d);
        CHECK_NEAR(t, v3_norm(v3_sub(d[0], point[k])), 0.0, 1e-14);
    }
    tml_arena_free(&arena);
}

/* Orders 2 to 7 through the points of a circle: the error falls with the power of the order. */
TEST(orders_are_met)
{
    for (int order = 2; order <= 7; ++order) {
        TmlArena arena = {0};
        double error[2] = {0.0, 0.0};
        for (int i = 0; i < 2; ++i) {
            const int n = i == 0 ? 16 : 32;
            const TmlPath *p = ring(t, &arena, n, order);
            TmlVec3 d[5], e[5];
            for (int k = 0; p != NULL && k < 311; ++k) {
                tml_path_at(p, p->length * k / 311.0, d);
                error[i] = fmax(error[i], fabs(v3_norm(d[0]) - 1.0));
            }
            for (int k = 0; p != NULL && k <= p->n; ++k) { // order - 2 continuous derivatives
                tml_path_at(p, p->knot[k] - 1e-9, d);
                tml_path_at(p, p->knot[k] + 1e-9, e);
                for (int m = 0; m <= order - 2 && m < 4; ++m) {
                    CHECK_NEAR(t, v3_norm(v3_sub(d[m], e[m])), 0.0, 1e-7); // 2e-9 of the next
                }
            }
        }
        // even ones gain a power at the middle of the knots: at least the order, less a fifth
        CHECK(t, error[0] > 0.8 * pow(2.0, order) * error[1]);
        tml_arena_free(&arena);
    }
}

TEST(open_paths_of_other_orders_go_through_their_points)
{
    static const TmlVec3 point[] = {{0, 0, 0}, {1, 2, 0}, {3, 1, -1}, {4, 0, 2},
                                    {5, 2, 2}, {7, 2, 1}, {8, 0, 0}};
    for (int order = 2; order <= 7; ++order) {
        TmlArena arena = {0};
        TmlPath *p = NULL;
        TmlError err = {0};
        TmlVec3 d[5];
        const TmlPathPoints points = {7, point, false, false, order};
        CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
        double s = 0.0;
        for (int k = 0; p != NULL && k < 7; ++k) {
            s += k > 0 ? v3_norm(v3_sub(point[k], point[k - 1])) : 0.0;
            tml_path_at(p, s, d);
            CHECK_NEAR(t, v3_norm(v3_sub(d[0], point[k])), 0.0, 1e-11); // rounding of a matrix
        }
        tml_arena_free(&arena);
    }
}

/* Four control points are those of Bezier's cubic; equal knots of a closed curve weigh 1, 4, 1. */
TEST(control_points)
{
    static const TmlVec3 P[] = {{0, 0, 0}, {1, 2, 0}, {3, 1, -1}, {4, 0, 2}};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    TmlVec3 d[5];
    TmlPathPoints points = {4, P, false, true, 4};
    CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
    tml_path_at(p, 0.25 * p->length, d);
    TmlVec3 want = v3_scale(27.0 / 64.0, v3_add(P[0], P[1]));
    want = v3_axpy(9.0 / 64.0, P[2], v3_axpy(1.0 / 64.0, P[3], want));
    CHECK_NEAR(t, v3_norm(v3_sub(d[0], want)), 0.0, 1e-14); // rounding of a few products
    points.closed = true;
    CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
    CHECK_INT(t, p->n, 4);
    tml_path_at(p, 0.0, d);
    want = v3_scale(1.0 / 6.0, v3_axpy(4.0, P[1], v3_add(P[0], P[2])));
    CHECK_NEAR(t, v3_norm(v3_sub(d[0], want)), 0.0, 1e-14); // the same
    tml_arena_free(&arena);
}

TEST(nearest_points)
{
    TmlArena arena = {0};
    const TmlPath *p = ring(t, &arena, 32, 4);
    TmlVec3 d[5];
    for (int k = 0; k < 20; ++k) {
        const TmlVec3 r = v3(0.7 * cos(0.3 * k), 0.7 * sin(0.3 * k), 0.2);
        tml_path_at(p, tml_path_nearest(p, r), d);
        // the line to the nearest point is across the path, to rounding of the iteration
        CHECK_NEAR(t, v3_dot(v3_sub(d[0], r), d[1]), 0.0, 1e-12);
        CHECK(t, v3_dot(d[0], r) > 0.0);
    }
    tml_arena_free(&arena);
}

/* x = cos(u), y = sin(u), z = 2 u: component k of a helix with its derivatives. */
static void helix(void *user, const double *arg, int order, TmlJet *out)
{
    const int k = *(const int *)user;
    double *const into[4] = {&out->value, out->g, out->H, out->T};
    for (int m = 0; m <= order; ++m) {
        const double turned = arg[0] + 0.5 * pi * (m + (k == 0 ? 1 : 0));
        *into[m] = k < 2 ? sin(turned) : m == 0 ? 2.0 * arg[0] : m == 1 ? 2.0 : 0.0;
    }
}

static int component[3] = {0, 1, 2};
static const TmlUserFunction helix_x = {"helix_x", "", 1, 3, &component[0], helix};
static const TmlUserFunction helix_y = {"helix_y", "", 1, 3, &component[1], helix};
static const TmlUserFunction helix_z = {"helix_z", "", 1, 3, &component[2], helix};

TEST(paths_by_functions)
{
    const TmlUserFunction *const f[3] = {&helix_x, &helix_y, &helix_z};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    TmlVec3 d[5], e[5];
    CHECK_OK(t, tml_path_create_function(f, -1.0, 5.0, false, &arena, &p, &err), &err);
    // 128 chords over 6 rad of a curve of speed sqrt(5): each shorter by h^2 / 24 of its part
    CHECK_NEAR(t, p->length, 6.0 * sqrt(5.0), 6.0 * sqrt(5.0) * (6.0 / 128) * (6.0 / 128) / 24.0);
    // the k-th derivative of a sine is a sine. Of what is taken by differences of the third with
    // h = 0.024: h^6 / 140, rounding 1e-14 of a coordinate divided by 0.024, its square and cube;
    // at the ends, where all places lie on one side, some ten times of both
    static const double error[] = {1e-14, 1e-14, 1e-14, 1e-14, 1e-10, 1e-8, 1e-6};
    enum { HIGHEST = TML_SPLINE_HIGHEST };
    for (int k = 0; k <= 8; ++k) {
        const double s = p->length * k / 8.0, u = -1.0 + s * p->per_metre;
        TmlVec3 all[HIGHEST + 1];
        tml_path_derivatives(p, s, HIGHEST, all);
        for (int m = 0; m <= HIGHEST; ++m) {
            const double size = pow(p->per_metre, m), z = m == 0 ? 2.0 * u : m == 1 ? 2.0 : 0.0;
            const TmlVec3 want = v3(cos(u + 0.5 * pi * m), sin(u + 0.5 * pi * m), z);
            CHECK_NEAR(t, v3_norm(v3_sub(all[m], v3_scale(size, want))), 0.0, 10.0 * error[m]);
        }
    }
    tml_path_at(p, p->length + 2.0, d); // straight on
    tml_path_at(p, p->length, e);
    CHECK_NEAR(t, v3_norm(v3_sub(d[0], v3_axpy(2.0, e[1], e[0]))), 0.0, 1e-14);
    tml_path_at(p, 7.0, d);
    CHECK_NEAR(t, tml_path_nearest(p, v3_axpy(0.1, d[2], d[0])), 7.0, 1e-9);
    CHECK_INT(t, tml_path_create_function(f, 0.0, 5.0, true, &arena, &p, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "it is closed, but its ends are");
    tml_arena_free(&arena);
}

/* A circle closes: higher derivatives reach across the closing point. */
TEST(closed_paths_by_functions)
{
    const TmlUserFunction *const f[3] = {&helix_x, &helix_y, &helix_x};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_path_create_function(f, 0.0, 2.0 * pi, true, &arena, &p, &err), &err);
    for (int k = -3; k <= 3; ++k) {
        TmlVec3 d[TML_SPLINE_HIGHEST + 1];
        tml_path_derivatives(p, 0.01 * k, TML_SPLINE_HIGHEST, d);
        const double u = 0.01 * k * p->per_metre;
        // by parameter, as the differences are; see above
        CHECK_NEAR(t, d[4].y * pow(p->per_metre, -4), sin(u), 1e-10);
        CHECK_NEAR(t, d[6].y * pow(p->per_metre, -6), -sin(u), 1e-6);
    }
    tml_arena_free(&arena);
}

/* Coordinates as functions of expressions: each derivative is the slope of the one before, for all
 * orders, through points and by control points, open and closed. Inside of a piece polynomials
 * leave h^2 / 6 of two derivatives above, which grow as the order of the B-spline allows. */
TEST(coordinates_have_exact_derivatives)
{
    static const TmlVec3 point[] = {{0, 0, 0},  {1, 2, 0},  {3, 1, -1}, {4, 0, 2},
                                    {5, 2, 2},  {7, 2, 1},  {8, 0, 0},  {6, -2, 1},
                                    {4, -3, 0}, {2, -3, 0}, {1, -1, -1}};
    enum { POINTS = sizeof point / sizeof *point };
    for (int k = 0; k < 4 * (TML_PATH_MAX_ORDER - 1); ++k) {
        const TmlPathPoints points = {POINTS, point, (k & 1) != 0, (k & 2) != 0, 2 + k / 4};
        TmlArena arena = {0};
        TmlPath *p = NULL;
        TmlError err = {0};
        CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
        const TmlSpline *y = tml_path_coordinate(p, TML_TRACK_POINT, 1, &arena);
        CHECK_INT(t, tml_spline_smoothness(y), points.order > 5 ? 3 : points.order - 2);
        for (int i = 0; i < p->n; ++i) {
            const double h = 1e-4, s = 0.4 * p->knot[i] + 0.6 * p->knot[i + 1];
            double above[TML_SPLINE_HIGHEST + 1], below[TML_SPLINE_HIGHEST + 1], d[7];
            tml_spline_eval(y, s, TML_SPLINE_HIGHEST, d);
            tml_spline_eval(y, s + h, TML_SPLINE_HIGHEST, above);
            tml_spline_eval(y, s - h, TML_SPLINE_HIGHEST, below);
            double size = 1.0;
            for (int m = 0; m <= TML_SPLINE_HIGHEST; ++m) {
                size = fmax(size, fabs(d[m]));
            }
            for (int m = 0; m < TML_SPLINE_HIGHEST; ++m) {
                CHECK_NEAR(t, (above[m] - below[m]) / (2.0 * h), d[m + 1], 1e-6 * size);
            }
        }
        double wrapped[2], again[2];
        tml_spline_eval(y, 1.0, 1, wrapped);
        tml_spline_eval(y, 1.0 - 3.0 * p->length, 1, again);
        CHECK(t, !p->closed || fabs(wrapped[1] - again[1]) < 1e-10); // rounding of 3 lengths
        tml_spline_eval(y, p->length, 1, wrapped);
        tml_spline_eval(y, p->length + 2.0, 1, again);
        CHECK(t, p->closed || (fabs(again[0] - wrapped[0] - 2.0 * wrapped[1]) < 1e-12 &&
                               again[1] == wrapped[1]));
        tml_arena_free(&arena);
    }
}

/* The helix: t = (-sin, cos, 2)/sqrt(5), n = (cos, sin, 0) away from its axis, b = t x n. */
TEST(axes_of_paths)
{
    const TmlUserFunction *const f[3] = {&helix_x, &helix_y, &helix_z};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_path_create_function(f, -1.0, 5.0, false, &arena, &p, &err), &err);
    for (int k = 1; k < 8; ++k) {
        const double s = p->length * k / 8.0, u = -1.0 + s * p->per_metre, w = p->per_metre;
        TmlVec3 axes[4][3];
        tml_path_axes(p, s, 3, axes);
        for (int m = 0; m < 4; ++m) {
            const double a = u + 0.5 * pi * m, size = pow(w, m), r = sqrt(5.0);
            const double up = m == 0 ? 1.0 : 0.0;
            const TmlVec3 want[3] = {v3(-sin(a) / r, cos(a) / r, 2.0 * up / r),
                                     v3(cos(a), sin(a), 0.0),
                                     v3(-2.0 * sin(a) / r, 2.0 * cos(a) / r, -up / r)};
            // third derivatives of n see the fifth of the curve, off by 1e-8 at its ends (see
            // above); at these places 3e-13 was measured
            for (int i = 0; i < 3; ++i) {
                CHECK_NEAR(t, v3_norm(v3_sub(axes[m][i], v3_scale(size, want[i]))), 0.0, 1e-11);
            }
        }
    }
    tml_arena_free(&arena);
}

/* Each derivative of the components is the slope of the one before; h^2 / 6 of two above. Straight
 * paths have axes of their own. */
TEST(axes_have_exact_derivatives)
{
    static const TmlVec3 point[] = {{0, 0, 0}, {1, 2, 0}, {3, 1, -1}, {4, 0, 2}, {5, 2, 2}};
    static const TmlVec3 line[] = {{0, 0, 0}, {0, 0, 2}, {0, 0, 3}};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    TmlVec3 axes[2][3];
    TmlPathPoints points = {5, point, true, false, 5};
    CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
    for (int k = 0; k < 3 * TML_TRACK_VECTORS; ++k) {
        const TmlSpline *y = tml_path_coordinate(p, (TmlTrackVector)(k / 3), k % 3, &arena);
        for (int i = 0; i < p->n; ++i) {
            const double h = 1e-5, s = 0.4 * p->knot[i] + 0.6 * p->knot[i + 1];
            double above[4], below[4], d[4], size = 1.0;
            tml_spline_eval(y, s, 3, d);
            tml_spline_eval(y, s + h, 3, above);
            tml_spline_eval(y, s - h, 3, below);
            for (int m = 0; m < 4; ++m) {
                size = fmax(size, fabs(d[m]));
            }
            for (int m = 0; m < 3; ++m) {
                CHECK_NEAR(t, (above[m] - below[m]) / (2.0 * h), d[m + 1], 1e-6 * size);
            }
        }
    }
    points = (TmlPathPoints){3, line, false, false, 4};
    CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
    tml_path_axes(p, 1.0, 1, axes);
    CHECK(t, axes[0][0].z == 1.0 && axes[0][2].x == 1.0 && axes[0][1].y == -1.0);
    CHECK(t, v3_norm(axes[1][1]) == 0.0);
    tml_arena_free(&arena);
}

static void check_functions(TestCtx *t, const char *entry, const char *message)
{
    char text[512];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "bodies: {bead: {type: point, mass: 1, position: [1, 0, 0]}}\n"
             "paths: {wire: %s}\n"
             "joints: {on: {type: point_on_path, frames: [ground, bead], path: wire}}\n",
             entry);
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    TmlStatus status = tml_model_register_function(m, &helix_x, &err);
    status = status == TML_OK ? tml_model_register_function(m, &helix_y, &err) : status;
    status = status == TML_OK ? tml_model_register_function(m, &helix_z, &err) : status;
    status = status == TML_OK ? tml_model_add(m, text, &err) : status;
    status = status == TML_OK ? tml_model_finish(m, &err) : status;
    t->name = entry;
    CHECK_INT(t, status, message == NULL ? TML_OK : TML_E_MODEL);
    if (message != NULL) {
        CHECK_HAS(t, err.message, message);
    }
    tml_model_free(m);
}

TEST(functions_of_paths_by_name)
{
    check_functions(t, "{functions: [helix_x, helix_y, helix_z], range: [-1, 5]}", NULL);
    check_functions(t, "{functions: [helix_x, helix_y], range: [-1, 5]}", "three functions");
    check_functions(t, "{functions: [helix_x, helix_y, nobody]}", "'nobody' is no registered");
    check_functions(t, "{functions: [helix_x, helix_y, helix_z], range: [5, -1]}", "increasing");
}

TEST(wrong_points_are_told)
{
    static const TmlVec3 twice[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    TmlArena arena = {0};
    TmlPath *p = NULL;
    TmlError err = {0};
    TmlPathPoints points = {3, twice, false, false, 4};
    CHECK_INT(t, tml_path_create(&points, &arena, &p, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "points 2 and 3 of the path are the same");
    points = (TmlPathPoints){2, twice, true, false, 4};
    CHECK_INT(t, tml_path_create(&points, &arena, &p, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "at least 3 points");
    points = (TmlPathPoints){2, twice, false, true, 4};
    CHECK_INT(t, tml_path_create(&points, &arena, &p, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "at least 4 points");
    points.order = 1;
    CHECK_INT(t, tml_path_create(&points, &arena, &p, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "expected 2 to 10");
    CHECK(t, p == NULL);
    tml_arena_free(&arena);
}

/* Distance of a point from the nearest of arcs and lines. */
static double off_arcs(const TmlArcs *a, bool closed, TmlVec3 x)
{
    double least = HUGE_VAL;
    for (int k = 0; k < (closed ? a->n : a->n - 1); ++k) {
        const double *from = &a->points[2 * k], *to = &a->points[2 * ((k + 1) % a->n)];
        const double B = a->bulges[k];
        const TmlVec3 p = v3(from[0], from[1], x.z), q = v3(to[0], to[1], x.z), d = v3_sub(q, p);
        const TmlVec3 middle = v3_scale(0.5, v3_add(p, q)), left = v3(-d.y, d.x, 0.0);
        const TmlVec3 top = v3_axpy(-0.5 * B, left, middle); // of the arc
        TmlVec3 foot = v3_axpy(v3_dot(v3_sub(x, p), d) / v3_dot(d, d), d, p);
        if (B != 0.0) {
            const TmlVec3 c = v3_axpy((1.0 - B * B) / (4.0 * B), left, middle);
            foot = v3_axpy(v3_norm(v3_sub(p, c)), v3_unit(v3_sub(x, c)), c);
        }
        if (v3_norm(v3_sub(foot, top)) <= v3_norm(v3_sub(p, top)) * (1.0 + 1e-9)) {
            least = fmin(least, v3_norm(v3_sub(x, foot)));
        }
    }
    return least;
}

/* Direction of an arc where it begins (end 0) or ends. */
static double direction(const TmlArcs *a, int k, int end)
{
    const double *p = &a->points[2 * k], *q = &a->points[2 * ((k + 1) % a->n)];
    return atan2(q[1] - p[1], q[0] - p[0]) + (end == 0 ? -2.0 : 2.0) * atan(a->bulges[k]);
}

/* An ellipse and an open wave are met within the tolerance, without corners; polygons stay what they are. */
TEST(arcs_follow_a_plane_path)
{
    enum { N = 20 };
    TmlArena arena = {0};
    TmlVec3 point[N];
    TmlError err = {0};
    for (int kind = 0; kind < 3; ++kind) {
        const bool closed = kind != 1;
        TmlPath *p = NULL;
        TmlArcs arcs;
        for (int k = 0; k < N; ++k) {
            const double u = 2.0 * pi * k / N;
            point[k] = closed ? v3(2.0 * cos(u), sin(u), 0.5) : v3(u, 0.4 * sin(1.3 * u), 0.5);
        }
        const TmlPathPoints points = {N, point, closed, false, kind == 2 ? 2 : 4};
        CHECK_OK(t, tml_path_create(&points, &arena, &p, &err), &err);
        CHECK_OK(t, tml_path_arcs(p, 1e-5, &arena, &arcs, &err), &err);
        CHECK(t, arcs.n <= 20 * N && (kind < 2 || arcs.n == N));
        double most = 0.0, corner = 0.0;
        for (int k = 0; k < 400; ++k) {
            TmlVec3 x;
            tml_path_derivatives(p, p->length * k / 400.0, 0, &x);
            most = fmax(most, off_arcs(&arcs, closed, x));
        }
        for (int k = 0; k + 1 < arcs.n - (closed ? 0 : 1); ++k) {
            corner = fmax(
                corner,
                fabs(remainder(direction(&arcs, k, 1) - direction(&arcs, k + 1, 0), 2.0 * pi)));
        }
        // the tolerance, which was looked at in seven places of each part
        CHECK(t, most < 1.2e-5);
        // rounding of angles of short chords
        CHECK(t, kind == 2 ? corner > 0.1 : corner < 1e-11);
        for (int k = 0; k < arcs.n && kind == 2; ++k) {
            CHECK_NEAR(t, arcs.bulges[k], 0.0, 0.0);
        }
    }
    tml_arena_free(&arena);
}

TEST_SUITE(path) = {CASE(arcs_follow_a_plane_path),
                    CASE(closed_paths_are_periodic_and_accurate),
                    CASE(derivatives_are_exact),
                    CASE(orders_are_met),
                    CASE(open_paths_of_other_orders_go_through_their_points),
                    CASE(control_points),
                    CASE(nearest_points),
                    CASE(paths_by_functions),
                    CASE(closed_paths_by_functions),
                    CASE(coordinates_have_exact_derivatives),
                    CASE(axes_of_paths),
                    CASE(axes_have_exact_derivatives),
                    CASE(functions_of_paths_by_name),
                    CASE(wrong_points_are_told),
                    {0}};
