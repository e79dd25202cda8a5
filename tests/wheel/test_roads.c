/* tests/wheel/test_roads.c - roads of triangles, their files, where roads end, random roads by cells, tyres by load index. */
#include "tyre_util.h"

#include "model/wheel/tyre/tmeasy_index.h"

#define SQUARE                                                                                     \
    "type: triangles, nodes: [[-1, -1, 0.01], [3, -1, 0.03], [3, 1, -0.02], [-1, 1, 0.02]], "      \
    "elements: [[1, 2, 3], [1, 3, 4]]"

static const TmlRoad *road_of(const TmlModel *m)
{
    return ((const TmlTyre *)m->forces.at[0].data)->road;
}

static TmlRoadPoint point_at(const TmlModel *m, double x, double y)
{
    TmlRoadPoint out;
    tml_road_at(road_of(m), x, y, &out);
    return out;
}

/* --- triangles ------------------------------------------------------------------------------- */

/* Heights at nodes and in planes between them; rounding. */
TEST(triangles_are_planes)
{
    TmlModel *m = model_of(t, SQUARE, "type: vertical_tyre, " VERTICAL, NULL);
    CHECK_NEAR(t, point_at(m, -1, -1).h, 0.01, 1e-15); // closed forms, rounding
    CHECK_NEAR(t, point_at(m, 3, 1).h, -0.02, 1e-15);
    CHECK_NEAR(t, point_at(m, 1, -1).h, 0.02, 1e-15);
    CHECK_NEAR(t, point_at(m, 1, 0).h, -0.005, 1e-15);
    CHECK_NEAR(t, point_at(m, 2, -0.9).x, 0.005, 1e-15);
    CHECK_NEAR(t, tml_road_border(road_of(m), 2.75, 0.1).inside, 0.25, 1e-14);
    CHECK_NEAR(t, tml_road_border(road_of(m), 3.5, 0.1).inside, -0.5, 1e-14);
    CHECK_NEAR(t, tml_road_border(road_of(m), 3.5, 0.1).x, -1.0, 1e-14);
    tml_model_free(m);
}

/* A step of triangles is the step of `bumps`: the disc's contact is the same wherever it stands. */
TEST(a_step_of_triangles)
{
    TmlModel *a = model_of(t, "type: bumps, shape: step, at: [2], height: 0.05",
                           "type: vertical_tyre, contact: disc, " VERTICAL, NULL);
    TmlModel *b = model_of(
        t,
        "type: triangles, nodes: [[-2, -9, 0], [2, -9, 0], [2, 9, 0], [-2, 9, 0], [2, -9, 0.05], "
        "[6, -9, 0.05], [6, 9, 0.05], [2, 9, 0.05]], elements: [[1, 2, 3], [1, 3, 4], [5, 6, 7], "
        "[5, 7, 8], [2, 5, 8], [2, 8, 3]]",
        "type: vertical_tyre, contact: disc, " VERTICAL, NULL);
    for (int k = 0; k < 200; ++k) {
        const double x = test_random(t, 1.5, 2.5), z = test_random(t, 0.34, 0.4);
        const DualVec c = d6v(v3(x, 0.1, z)), s = d6v(v3(0.1, cos(0.12), 0.06));
        TmlTyreTouch on_a, on_b;
        tml_tyre_touch(a->forces.at[0].data, c, s, &on_a);
        tml_tyre_touch(b->forces.at[0].data, c, s, &on_b);
        // edges are looked for 3.5e-10 m beside them
        CHECK_NEAR(t, on_b.deflection.x, on_a.deflection.x, 1e-8);
        CHECK_NEAR(t, on_b.normal.x.x, on_a.normal.x.x, 1e-7);
    }
    tml_model_free(a);
    tml_model_free(b);
}

/* A cylinder of narrow triangles is a cylinder but for its facets: 200 over half a turn of 1 m, sagitta 1 - cos(pi / 400) = 3.1e-5 m. */
TEST(a_round_road_of_triangles)
{
    enum { FACETS = 200 };
    static char road[40000];
    size_t n = (size_t)snprintf(road, sizeof road, "type: triangles, nodes: [");
    for (int k = 0; k <= FACETS; ++k) {
        const double angle = M_PI * (0.05 + 0.9 * k / FACETS);
        for (int side = -1; side <= 1; side += 2) {
            n += (size_t)snprintf(road + n, sizeof road - n, "%s[%.12f, %d, %.12f]",
                                  k + side > -1 ? ", " : "", -cos(angle), side, sin(angle));
        }
    }
    n += (size_t)snprintf(road + n, sizeof road - n, "], elements: [");
    for (int k = 0; k < FACETS; ++k) {
        n += (size_t)snprintf(road + n, sizeof road - n, "%s[%d, %d, %d], [%d, %d, %d]",
                              k > 0 ? ", " : "", 2 * k + 1, 2 * k + 2, 2 * k + 3, 2 * k + 2,
                              2 * k + 3, 2 * k + 4);
    }
    snprintf(road + n, sizeof road - n, "]");
    TmlModel *m = NULL;
    TmlError err = {0};
    static char text[41000];
    snprintf(text, sizeof text,
             "trammel: 1\nroads: {track: {%s}}\nbodies: {wheel: {mass: 20, inertia: [1, 1, 1], "
             "position: [0, 0, 1.33]}}\n"
             "forces: {tyre: {bodies: [ground, wheel], at: [0, 0, 1.33], axis: y, road: track, "
             "contact: disc, type: vertical_tyre, " VERTICAL "}}\n",
             road);
    CHECK_OK(t, tml_load_text(text, "round", 0, NULL, NULL, &m, &err), &err);
    for (int k = 0; m != NULL && k < 100; ++k) {
        const double angle = M_PI * test_random(t, 0.35, 0.65), way = 1.33;
        TmlTyreTouch touch;
        tml_tyre_touch(m->forces.at[0].data, d6v(v3(-way * cos(angle), 0.1, way * sin(angle))),
                       d6v(v3(0, 1, 0)), &touch);
        CHECK_NEAR(t, touch.deflection.x, 0.02, 4e-5);      // the sagitta
        CHECK_NEAR(t, touch.normal.x.x, -cos(angle), 0.02); // half the angle of a facet, 0.007
    }
    tml_model_free(m);
}

/* Friction of the triangles under the wheel. */
TEST(friction_by_triangles)
{
    TmlModel *m =
        model_of(t, SQUARE ", frictions: [0.3, 0.7]", "type: vertical_tyre, " VERTICAL, NULL);
    CHECK(t, point_at(m, 2, -0.5).friction == 0.3 && point_at(m, 0, 0.5).friction == 0.7);
    tml_model_free(m);
}

TEST(derivatives_on_triangles_and_planes)
{
    static const char *const roads[] = {SQUARE, "type: iso8608, class: C, seed: 5",
                                        "type: flat, x_range: [-5, 8], y_range: [-3, 4]"};
    static const char *const tyres[] = {TMEASY ", contact: plane", LINEAR ", contact: disc",
                                        ("type: tmeasy_tyre, load_index: 92, section_height: 0.12, "
                                         "radius: 0.35, contact: plane, damping: 700")};
    const char *const name = t->name;
    for (size_t r = 0; r < sizeof roads / sizeof roads[0]; ++r) {
        TmlModel *m = model_of(t, roads[r], tyres[r], NULL);
        char what[64];
        snprintf(what, sizeof what, "%.12s on %.14s", tyres[r] + 6, roads[r] + 6);
        derivatives(t, m, what);
        tml_model_free(m);
    }
    t->name = name;
}

/* --- files ----------------------------------------------------------------------------------- */

#define RDF(units, nodes, elements)                                                                \
    "[MDI_HEADER]\nFILE_TYPE = 'rdf'\n(COMMENTS)\n{comment_string}\n'a road'\n" units              \
    "[MODEL]\nMETHOD = '3D'\n[NODES]\nNUMBER_OF_NODES = 4\n{ node x y z }\n" nodes                 \
    "[ELEMENTS]\n{ node_1 node_2 node_3 mu }\n" elements
#define UNITS "[UNITS]\nLENGTH = 'mm'\nANGLE = 'degree'\n"
#define NODES                                                                                      \
    "10 -1000 -1000 10\n20 3000 -1000 30 $ a corner\n! a line\n30 3000 1000 -20\n40 -1000 1000 "   \
    "20\n"
#define ELEMENTS "10 20 30 0.5\n10 30 40 0.9\n"

static const char *rdf_road(TestCtx *t, const char *text)
{
    static char road[1200];
    char path[1024];
    snprintf(path, sizeof path, "%s/own_road.rdf", TRAMMEL_BINARY_DIR);
    write_tir(t, path, text);
    snprintf(road, sizeof road, "type: triangles, file: %s", path);
    return road;
}

TEST(a_road_data_file)
{
    TmlModel *m = model_of(t, rdf_road(t, RDF(UNITS, NODES, ELEMENTS)),
                           "type: vertical_tyre, " VERTICAL, NULL);
    TmlModel *same = model_of(t, SQUARE, "type: vertical_tyre, " VERTICAL, NULL);
    for (int k = 0; m != NULL && same != NULL && k < 50; ++k) {
        const double x = test_random(t, -1, 3), y = test_random(t, -1, 1);
        CHECK_NEAR(t, point_at(m, x, y).h, point_at(same, x, y).h, 1e-15); // rounding
    }
    CHECK(t, m == NULL || point_at(m, 2, -0.5).friction == 0.5);
    tml_model_free(m);
    tml_model_free(same);
}

static void refused(TestCtx *t, const char *road, const char *part)
{
    char text[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\nroads: {track: {%s}}\n"
             "bodies: {wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [0, 0, 0.33]}}\n"
             "forces: {tyre: {bodies: [ground, wheel], at: [0, 0, 0.33], axis: y, road: track, "
             "type: vertical_tyre, " VERTICAL "}}\n",
             road);
    CHECK(t, tml_load_text(text, "bad", 0, NULL, NULL, &m, &err) != TML_OK);
    if (strstr(err.message, part) == NULL) {
        test_fail(t, __FILE__, __LINE__, "expected '%s' in: %s", part, err.message);
    }
    tml_model_free(m);
}

TEST(bad_triangles_are_told)
{
    refused(t, "type: triangles", "either file or nodes");
    refused(t, "type: triangles, nodes: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], elements: [[1, 2, 4]]",
            "no node 4");
    refused(t, "type: triangles, nodes: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], elements: [[1, 2]]",
            "rows");
    refused(t, "type: triangles, nodes: [[0, 0, 0], [1, 0, 0], [1, 0, 1]], elements: [[1, 2, 3]]",
            "upright");
    refused(t, SQUARE ", frictions: [1]", "each of 2 elements");
    refused(t, "type: triangles, file: no_such.rdf", "no_such.rdf");
    refused(t, rdf_road(t, RDF("", NODES, ELEMENTS)), "no LENGTH");
    refused(t, rdf_road(t, RDF("[UNITS]\nLENGTH = 'ell'\n", NODES, ELEMENTS)), "unknown unit");
    refused(t, rdf_road(t, RDF(UNITS, NODES "10 5 5 5\n", ELEMENTS)), "two nodes 10");
    refused(t, rdf_road(t, RDF(UNITS, NODES, "10 20 50 1\n")), "no node 50");
    refused(t, rdf_road(t, RDF(UNITS, NODES "50 1 2\n", ELEMENTS)), "number x y z");
    refused(t, rdf_road(t, "[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '2D'\n"), "only '3D'");
    refused(t, "type: flat, x_range: [3, 1]", "increasing");
    refused(t, "type: flat, ends: cliff", "go_on");
}

/* --- the end of the road --------------------------------------------------------------------- */

/* A wheel that rolls at 8 m/s over the end, 4 m ahead of it. */
static double time_of_end(TestCtx *t, const char *road, char *note, size_t room)
{
    char text[2048];
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    snprintf(
        text, sizeof text,
        "trammel: 1\ngravity: [0, 0, -9.81]\nroads: {track: {%s}}\n"
        "bodies: {wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [0, 0, 0.349], velocity: "
        "[8, 0, 0], angular_velocity: [0, 8/0.35, 0]}}\n"
        "forces: {tyre: {bodies: [ground, wheel], at: [0, 0, 0.349], axis: y, road: track, " LINEAR
        "}}\n",
        road);
    CHECK_OK(t, tml_load_text(text, "end", 0, NULL, NULL, &m, &err), &err);
    TmlSimOptions options = tml_sim_options_default();
    options.end_time = 1.0;
    options.output_step = 0.1;
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &options, &sim, &err) : TML_E_MODEL, &err);
    double reached = 0.0;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        reached = tml_sim_time(sim);
        snprintf(note, room, "%s", tml_sim_note(sim, tml_sim_note_count(sim) - 1));
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return reached;
}

TEST(a_road_that_ends)
{
    char note[256] = "";
    // 4 m at 8 m/s; the rolling resistance of 0.005 m by load slows by 0.1 %
    CHECK_NEAR(t, time_of_end(t, "type: flat, x_range: [-1, 4]", note, sizeof note), 0.5, 5e-3);
    CHECK(t, strstr(note, "end of its road") != NULL);
    CHECK_NEAR(t,
               time_of_end(t, "type: profile, height: {x: [-1, 1, 2, 4], y: [0, 0, 0, 0]}", note,
                           sizeof note),
               0.5, 5e-3);
    CHECK_NEAR(t,
               time_of_end(t,
                           "type: triangles, nodes: [[-1, -1, 0], [4, -1, 0], [4, 1, 0], [-1, 1, "
                           "0]], elements: [[1, 2, 3], [1, 3, 4]]",
                           note, sizeof note),
               0.5, 5e-3);
    CHECK(t, time_of_end(t, "type: flat, x_range: [-1, 4], ends: go_on", note, sizeof note) == 1.0);
    CHECK(t, time_of_end(t, "type: flat, x_range: [1, 4]", note, sizeof note) ==
                 0.0); // it starts beside it
}

/* --- a road that moves ------------------------------------------------------------------------ */

/* A post shakes a wheel on its tyre: m z'' = k (a sin(w t) - z), from rest; z = a (sin(w t) - r sin(w_0 t)) / (1 - r^2), r = w / w_0. */
TEST(a_shaker_post)
{
    const double w = 40.0, w0 = sqrt(2e5 / 20.0), r = w / w0, end = 0.7;
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_OK(t,
             tml_load_text(
                 "trammel: 1\n"
                 "bodies:\n"
                 "  post: {mass: 5, inertia: [1, 1, 1], position: [0, 0, -0.4]}\n"
                 "  wheel: {mass: 20, inertia: [1, 1, 1], position: [0, 0, 0.35]}\n"
                 "joints:\n"
                 "  guide: {type: translational, bodies: [ground, post], at: [0, 0, 0], axis: z}\n"
                 "  shake: {type: motion, joint: guide, function: 0.01*sin(40*time)}\n"
                 "  up: {type: translational, bodies: [ground, wheel], at: [0, 0, 0.35], axis: z}\n"
                 "forces:\n"
                 "  tyre: {type: vertical_tyre, bodies: [post, wheel], at: [0, 0, 0.35], axis: y, "
                 "radius: 0.35, "
                 "stiffness: 2e5, pulls: true}\n"
                 "outputs: {z: DZ(wheel) - 0.35}\n",
                 "post", 0, NULL, NULL, &m, &err),
             &err);
    TmlSimOptions options = tml_sim_options_default();
    options.integrator = "dop853";
    options.tolerance = 1e-10;
    options.end_time = options.output_step = end;
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &options, &sim, &err) : TML_E_MODEL, &err);
    if (sim != NULL) {
        // from rest the wheel has the velocity 0, the post 0.4 m/s
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        const double exact = 0.01 * (sin(w * end) - r * sin(w0 * end)) / (1.0 - r * r);
        CHECK_NEAR(t, tml_row_channel(sim, 0), exact, 1e-9); // ten times the tolerance
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- random roads ---------------------------------------------------------------------------- */

/* Heights by cells join without a step, and slopes are those of the heights. Amplitudes are centimetres; rounding of the terms of the
 * series is 1e-17, of second derivatives 1/w^2 = 400 times and more of that. */
TEST(cells_of_a_random_road_join)
{
    TmlModel *m = model_of(t, "type: iso8608, class: D, seed: 3, shortest: 0.2",
                           "type: vertical_tyre, " VERTICAL, NULL);
    const double cell = 2.0 * 0.9 * 0.2 / (2.0 * M_PI), h = 1e-4;
    for (int k = -20; k < 500 && m != NULL; ++k) {
        const TmlRoadPoint a = point_at(m, k * cell * (1.0 - 1e-15) - 1e-15, 0),
                           b = point_at(m, k * cell + 1e-15, 0);
        CHECK_NEAR(t, a.h, b.h, 1e-14); // 3e-15 m apart, at slopes below 0.3
        CHECK_NEAR(t, a.xx, b.xx, 1e-9);
        const double x = test_random(t, -5, 100);
        const double slope = (point_at(m, x + h, 0).h - point_at(m, x - h, 0).h) / (2.0 * h);
        // h^2 / 6 of a third derivative of (2 pi / 0.2)^3 times 1e-3 m: 5e-8
        CHECK_NEAR(t, point_at(m, x, 0).x, slope, 2e-7);
    }
    tml_model_free(m);
}

/* Where a random road begins, slopes and curvatures are those of the heights, too. Differences of slopes are off by h^2/6 times a fourth
 * derivative, (2 pi / 0.2)^4 times 1e-3 m at most: 2e-6. */
TEST(a_random_road_begins_smoothly)
{
    TmlModel *m = model_of(t, "type: iso8608, class: D, seed: 3, shortest: 0.2, from: 5, fade: 10",
                           "type: vertical_tyre, " VERTICAL, NULL);
    const double h = 1e-4;
    CHECK_NEAR(t, point_at(m, 4.9, 0).h, 0.0, 0.0); // level, exact
    for (int k = 0; k < 200 && m != NULL; ++k) {
        const double x = test_random(t, 5.5, 14.5);
        const TmlRoadPoint a = point_at(m, x - h, 0), b = point_at(m, x + h, 0);
        CHECK_NEAR(t, point_at(m, x, 0).x, (b.h - a.h) / (2.0 * h), 2e-7);  // h^2, as above
        CHECK_NEAR(t, point_at(m, x, 0).xx, (b.x - a.x) / (2.0 * h), 1e-5); // h^2
    }
    tml_model_free(m);
}

/* The heights of a random road have the mean square of the integral of (I1), and so have its slopes:
 *   <h^2> = G_0 n_0^2 (longest - shortest),  <h_x^2> = (2 pi n_0)^2 G_0 (1 / shortest - 1 / longest)   for the waviness 2.
 * 4000 places at random leave sqrt(2 / 4000) = 2.2 % of a mean square; where waves lie in their bands of 1.3 % of n, some 0.3 %. */
TEST(a_random_road_has_the_density_of_its_class)
{
    enum { PLACES = 4000 };
    static const double class_c = 256e-6, n0 = 0.1, shortest = 0.5, longest = 40.0;
    TmlModel *m = model_of(t, "type: iso8608, class: C, seed: 11, shortest: 0.5, longest: 40",
                           "type: vertical_tyre, " VERTICAL, NULL);
    double height = 0.0, slope = 0.0;
    for (int k = 0; k < PLACES && m != NULL; ++k) {
        const TmlRoadPoint p = point_at(m, test_random(t, 0.0, 1e6), 0);
        height += p.h * p.h / PLACES;
        slope += p.x * p.x / PLACES;
    }
    const double heights = class_c * n0 * n0 * (longest - shortest);
    const double slopes = pow(2.0 * M_PI * n0, 2.0) * class_c * (1.0 / shortest - 1.0 / longest);
    CHECK_NEAR(t, height, heights, 0.11 * heights); // five times 2.2 %
    CHECK_NEAR(t, slope, slopes, 0.11 * slopes);    // five times 2.2 %
    tml_model_free(m);
}

/* --- obstacles ------------------------------------------------------------------------------- */

/* Slopes are the rates of heights, and curvatures those of slopes, on both sides of obstacles. Differences over 1e-5 m are off by h^2 / 6
 * times a third derivative, at most 0.05 (2 pi / 0.4)^3 = 200 (half of the cylinder: 2e4 in the part looked at), and by rounding, 1e-12. */
TEST(obstacles_have_their_slopes)
{
    static const char *const shapes[] = {
        "half_cylinder, at: [2.2], height: 0.1", "cosine, at: [2], height: 0.05, length: 0.4",
        "quintic, at: [2], height: 0.05, length: 0.4", "ramp, at: [2], height: 0.05, length: 0.4"};
    const char *const name = t->name;
    const double h = 1e-5;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
        char road[128];
        snprintf(road, sizeof road, "type: bumps, shape: %s", shapes[k]);
        TmlModel *m = model_of(t, road, "type: vertical_tyre, " VERTICAL, NULL);
        t->name = shapes[k];
        for (int i = 0; i < 100 && m != NULL; ++i) {
            const double x = 2.2 + test_random(t, k == 0 ? -0.08 : -0.19, k == 0 ? 0.08 : 0.19);
            const TmlRoadPoint a = point_at(m, x - h, 0), b = point_at(m, x + h, 0);
            CHECK_NEAR(t, point_at(m, x, 0).x, (b.h - a.h) / (2.0 * h), 1e-6);
            CHECK_NEAR(t, point_at(m, x, 0).xx, (b.x - a.x) / (2.0 * h), 1e-4);
        }
        tml_model_free(m);
    }
    t->name = name;
}

/* --- tyres by load index --------------------------------------------------------------------- */

/* Index 108 carries 1000 kg; the nominal load is half of that, and the stiffness such that it gives way by 0.16 of the section. */
TEST(a_tyre_by_its_load_index)
{
    CHECK_NEAR(t, tml_load_of_index(0), 9.81 * 45.0, 1e-12);     // closed form, rounding
    CHECK_NEAR(t, tml_load_of_index(108), 9.81 * 1000.0, 1e-12); // ETRTO
    CHECK_NEAR(t, tml_load_of_index(159), 9.81 * 4375.0, 1e-11);
    CHECK(t, tml_load_of_index(-1) == 0.0 && tml_load_of_index(tml_most_load_index() + 1) == 0.0);
    TmlModel *m = model_of(
        t, "type: flat",
        "type: tmeasy_tyre, load_index: 108, kind: truck, section_height: 0.2604, radius: 0.4699",
        NULL);
    const TmlTyre *tyre = m->forces.at[0].data;
    CHECK_NEAR(t, tyre->stiffness, 9810.0 / (0.16 * 0.2604), 1e-9);
    const TmlTyreSlip slip = {.kappa = d6(1e-9),
                              .side = d6(0.33167),
                              .camber = d6(0),
                              .load = d6(4905.0),
                              .speed = d6(10.0),
                              .friction = 1.0};
    TmlTyreSteady out = {0};
    tyre->law->steady(tyre, &slip, &out);
    CHECK_NEAR(t, out.cx.x, 17.7764 * 4905.0, 1e-6); // what is printed of the kind
    CHECK_NEAR(t, out.cy.x * out.psi_y.x * 0.33167, 0.75876 * 4905.0, 1e-6);
    tml_model_free(m);
}

TEST_SUITE(roads) = {
    CASE(triangles_are_planes),
    CASE(a_step_of_triangles),
    CASE(a_round_road_of_triangles),
    CASE(friction_by_triangles),
    CASE(derivatives_on_triangles_and_planes),
    CASE(a_road_data_file),
    CASE(bad_triangles_are_told),
    CASE(a_road_that_ends),
    CASE(a_shaker_post),
    CASE(cells_of_a_random_road_join),
    CASE(a_random_road_begins_smoothly),
    CASE(a_random_road_has_the_density_of_its_class),
    CASE(obstacles_have_their_slopes),
    CASE(a_tyre_by_its_load_index),
    {0},
};
