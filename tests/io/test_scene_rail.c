/* tests/io/test_scene_rail.c - pictures of wheels and rails: closed surfaces of the right size that look outward. */
#include "io/report/scene.h"
#include "trammel/trammel.h"

#include "test.h"

#include <math.h>
#include <string.h>

#define MODEL(track, shape)                                                                        \
    "trammel: 1\n"                                                                                 \
    "bodies: {set: {mass: 1000, inertia: [500, 100, 500], position: [3, 0, 0.46], velocity: [10, " \
    "0, 0]" shape "}}\n"                                                                           \
    "profiles: {wheel: {arcs: [[-0.06, -0.006], [0.06, 0.006, 0]]}, rail: {arcs: [[-0.03, "        \
    "-0.0046], [0.03, -0.0046, 0.1]]}}\n"                                                          \
    "tracks: {line: {rail: rail, rail_base: 1.5" track "}}\n"                                      \
    "forces:\n"                                                                                    \
    "  l: {type: rail_wheel, bodies: [ground, set], at: [3, 0.75, 0.46], axis: y, track: line, "   \
    "side: left, profile: wheel, radius: 0.46}\n"                                                  \
    "  r: {type: rail_wheel, bodies: [ground, set], at: [3, -0.75, 0.46], axis: y, track: line, "  \
    "side: right, profile: wheel, radius: 0.46}\n"                                                 \
    "simulate: {end: 2}\n"

static bool build(TestCtx *t, const char *text, TmlModel **m, TmlSim **sim, TmlScene *scene)
{
    TmlError err = {0};
    *m = NULL;
    *sim = NULL;
    CHECK_OK(t, tml_load_text(text, "scene.yaml", 0, NULL, NULL, m, &err), &err);
    if (*m == NULL) {
        return false;
    }
    CHECK_OK(t, tml_sim_create(*m, NULL, sim, &err), &err);
    if (*sim != NULL) {
        CHECK_OK(t, tml_scene_build(scene, *sim, &err), &err);
    }
    return *sim != NULL;
}

/* Six times the volume inside, above 0 where triangles go round to the left as seen from outside; and the box. */
static double volume(const TmlTriangles *s, double low[3], double high[3])
{
    double sum = 0.0;
    for (int k = 0; k < s->n_triangles; ++k) {
        double x[3][3];
        for (int i = 0; i < 9; ++i) {
            x[i / 3][i % 3] = (double)s->vertex[3 * s->triangle[3 * k + i / 3] + i % 3];
        }
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            sum += x[0][i] * (x[1][j] * x[2][l] - x[1][l] * x[2][j]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
        for (int k = 0; k < s->n_vertices; ++k) {
            low[i] = fmin(low[i], (double)s->vertex[3 * k + i]);
            high[i] = fmax(high[i], (double)s->vertex[3 * k + i]);
        }
    }
    return sum / 6.0;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        ++n;
    }
    return n;
}

TEST(wheels_and_rails_are_drawn)
{
    TmlModel *m;
    TmlSim *sim;
    TmlScene scene = {0};
    if (build(t, MODEL("", ""), &m, &sim, &scene)) {
        double low[3], high[3];
        CHECK_INT(t, scene.n_meshes, 5); // two rails and sleepers with the ground, two wheels
        CHECK_INT(t, count(scene.text.at, "\"kind\":\"mesh\""), 5);
        CHECK_INT(t, count(scene.text.at, "\"kind\":\"link\""), 1); // the axle
        for (int side = 0; side < 2; ++side) {
            const TmlTriangles *wheel = &scene.mesh[3 + side].triangles;
            // cones between the corners of rim, web and hub; 48 sides are 0.3 % less than a circle
            CHECK_NEAR(t, volume(wheel, low, high), 0.0394663, 0.0002);
            CHECK_NEAR(t, high[0], 0.466, 1e-6); // the inner edge of the cone
            CHECK_NEAR(t, low[2], -0.07, 1e-6);  // the hub
            const TmlTriangles *rail = &scene.mesh[side].triangles;
            volume(rail, low, high);
            CHECK_NEAR(t, high[2], 0.0,
                       1e-4); // the highest of its points, of which the top is none
            CHECK(t, low[0] < 1.0 && high[0] > 23.0); // 3 m and on for 2 s at 10 m/s
            const double middle = side == 0 ? 0.75 : -0.75;
            CHECK_NEAR(t, 0.5 * (low[1] + high[1]), middle, 1e-6); // single precision
        }
        CHECK(t, volume(&scene.mesh[2].triangles, low, high) != 0.0); // sleepers have no bottom
    }
    tml_scene_free(&scene);
    tml_sim_free(sim);
    tml_model_free(m);
}

/* A body with shapes keeps them and has no axle; a track that ends is drawn to its end. */
TEST(shapes_stay_and_tracks_end)
{
    TmlModel *m;
    TmlSim *sim;
    TmlScene scene = {0};
    if (build(
            t,
            MODEL(", position: [1, 0, 0], rotation: {axis: z, angle: 0}, segments: [{straight: 7}]",
                  ", shape: {sphere: {radius: 0.1}}"),
            &m, &sim, &scene)) {
        double low[3], high[3];
        CHECK_INT(t, scene.n_meshes, 5);
        CHECK_INT(t, count(scene.text.at, "\"kind\":\"link\""), 0);
        CHECK_INT(t, count(scene.text.at, "\"kind\":\"sphere\""), 1);
        volume(&scene.mesh[0].triangles, low, high);
        CHECK_NEAR(t, low[0], 1.0, 1e-6); // single precision
        CHECK_NEAR(t, high[0], 8.0, 1e-6);
    }
    tml_scene_free(&scene);
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(io_scene_rail) = {
    CASE(wheels_and_rails_are_drawn), CASE(shapes_stay_and_tracks_end), {0}};
