/* tests/system/test_stations.c - flexible bodies that touch: matrices against differences. */
#include "../analysis/study.h"
#include "step_probe.h"

#include "model/flexible/mesh.h"
#include "model/registry.h"
#include "system/contact/touching.h"
#include "trammel/analysis.h"

#include <stdio.h>

/* --- derivatives ---------------------------------------------------------------------------------- */

/* What a mesh of a type lies on: shapes of a moving body and of the ground, all of which it touches at the start. The
 * tops are at z = 0, the middle of the mesh is above them by a little less than it reaches. */
static void say_touching(const TmlFlexType *type, const char *friction, char *text, size_t size)
{
    const bool patch = type->topology == TML_FLEX_PATCH, plane = type->dim == 2;
    const bool flat = tml_mesh_has_section(type) && !plane;
    snprintf(text, size,
             "trammel: 1\n"
             "ground: {shape: [{half_space: {normal: %s, name: floor}}]}\n"
             "bodies:\n"
             "  drum: {mass: 1, inertia: [0.1, 0.2, 0.25], position: %s,\n"
             "         angular_velocity: [0.3, 0.5, 0.2],\n"
             "         shape: {sphere: {radius: 0.3}}}\n"
             "  block: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [-0.5, 0.7, 0.2]}\n"
             "flexible:\n"
             "  mesh: {type: %s, material: {E: 1e4, nu: 0.3, density: 100}, %s,\n"
             "         %s: {clamp: block}}\n"
             "contacts:\n"
             "  all: {between: [mesh, [ground, drum]], law: hunt_crossley, stiffness: 1e4,\n"
             "        exponent: 1.5, damping: 0.5, friction: {%s}, rolling: {rolling: 0.01}}\n",
             plane ? "y" : "z",
             plane   ? "[0.75, -0.28, 0]"
             : patch ? "[0.75, 0.25, -0.28]"
                     : "[0.75, 0.1, -0.28]",
             type->info.name,
             patch   ? "patch: {origin: [0, 0, 0.04], x: [1, 0, 0], y: [0, 0.5, 0]}, "
                       "elements: [2, 1], section: {thickness: 0.1}, contact: {stations: 3}"
             : plane ? "line: [[0, 0.04, 0], [1, 0.04, 0]], elements: 3, "
                       "section: {height: 0.1, width: 0.1}"
             : flat  ? "line: [[0, 0, 0.04], [1, 0, 0.04]], elements: 3, y_axis: z, "
                       "section: {height: 0.1, width: 0.25}"
                     : "line: [[0, 0, 0.04], [1, 0, 0.04]], elements: 3, section: {radius: 0.05}",
             patch ? "edges: {left" : "start", friction);
    char *edge = strstr(text, "edges: {left: {clamp: block}}");
    if (edge != NULL) { // the brace of the list of edges
        memmove(edge + strlen("edges: {left: {clamp: block}}") + 1,
                edge + strlen("edges: {left: {clamp: block}}"),
                strlen(edge + strlen("edges: {left: {clamp: block}}")) + 1);
        edge[strlen("edges: {left: {clamp: block}}")] = '}';
    }
}

/* Lines that touch at travelling points: a ball and a bar across, where elements meet and within them; a cable that
 * lies on the line, station by station; one that crosses it. */
typedef enum Lines { LIES_ON_ROPE, ON_BALL_AND_BAR, CROSSES_ROPE, LINES } Lines;

static void say_lines(const TmlFlexType *type, const char *friction, Lines what, char *text,
                      size_t size)
{
    const bool plane = type->dim == 2;
    snprintf(text, size,
             "trammel: 1\n"
             "ground: {shape: {capsule: {radius: 0.1, length: 0.5, axis: %s, position: %s}}}\n"
             "bodies:\n"
             "  drum: {mass: 1, inertia: [0.1, 0.2, 0.25], position: %s,\n"
             "         angular_velocity: [0.3, 0.5, 0.2],\n"
             "         shape: {sphere: {radius: 0.3}}}\n"
             "  block: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [-0.5, 0.7, 0.2]}\n"
             "flexible:\n"
             "  mesh: {type: %s, material: {E: 1e4, nu: 0.3, density: 100},\n"
             "         line: [[0, 0, 0], [1, 0, 0]], elements: 3, section: {%s},\n"
             "         start: {clamp: block}}\n"
             "  rope: {type: cable, material: {E: 1e4, density: 100}, section: {radius: 0.04},\n"
             "         line: %s, elements: 2}\n"
             "contacts:\n"
             "  all: {between: [mesh, [%s]], law: hunt_crossley, stiffness: 1e4,\n"
             "        exponent: 1.5, damping: 0.5, friction: {%s}, flexible: %s}\n",
             plane ? "z" : "y", plane ? "[0.3, -0.14, 0]" : "[0.3, 0, -0.14]",
             plane ? "[0.667, -0.34, 0]" : "[0.667, 0.01, -0.34]", type->info.name,
             plane ? "height: 0.1, width: 0.1" : "radius: 0.05",
             plane                  ? "[[0.5, 0.08, -0.2], [0.56, 0.08, 0.2]]"
             : what == CROSSES_ROPE ? "[[0.4, -0.3, 0.08], [0.6, 0.3, 0.085]]"
                                    : "[[0.1, -0.02, 0.08], [0.9, 0.02, 0.08]]",
             what == ON_BALL_AND_BAR ? "ground, drum" : "rope", friction,
             what == LIES_ON_ROPE ? "spread" : "closest");
}

/* The matrix at random states near the start, where most stations touch. */
static void probe_touching(TestCtx *t, TmlModel *model, int points)
{
    Probe p = probe_open(t, model, &step_kind);
    TmlSystem *sys = p.sys;
    TmlError err = {0};
    for (int n = 0; n < 3; ++n) {
        bool patterns;
        tml_system_initial(sys, &p.s);
        for (int k = 0; k < sys->dim.nq; ++k) {
            p.s.q[k] += test_random(t, -1, 1) * 3e-3;
            p.s.v[k] += test_random(t, -1, 1);
            p.s.a[k] = test_random(t, -1, 1);
        }
        for (int k = 0; k < sys->dim.nx; ++k) {
            p.s.X[k] = 1e-4 * test_random(t, -1, 1);
        }
        tml_system_retract(sys, p.s.q);
        for (int k = 0; k < sys->dim.n; ++k) {
            p.z[k] = 0.02 * test_random(t, -1, 1); // in no step of a difference does a station part
        }
        tml_system_kinematics(sys, &p.s, false);
        CHECK_OK(t, tml_system_touching_renew(sys, 1.0, 0.5, &patterns, &err), &err);
        CHECK_OK(t, tml_system_build_pattern(sys, &err), &err);
        tml_system_commit(sys, &p.s);
        tml_system_kinematics(sys, &p.s, false);
        CHECK(t, tml_system_touch_points(sys, NULL, 0) >= points);
        CHECK(t, sys->touching->n_couplings > 0);
        probe_check(t, &p);
    }
    probe_close(&p);
}

TEST(matrices_of_every_element_match_differences)
{
    static const char *const friction[] = {"dynamic: 0.3, static_velocity: 0.5",
                                           "law: lugre, dynamic: 0.3, stiffness: 1e4, damping: 10"};
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        for (size_t i = 0; i < sizeof friction / sizeof *friction; ++i) {
            char text[2000];
            t->name = tml_flex_types[k]->info.name;
            say_touching(tml_flex_types[k], friction[i], text, sizeof text);
            TmlModel *model = study_model(t, text);
            if (model != NULL) {
                probe_touching(t, model, 8);
            }
            tml_model_free(model);
        }
    }
    t->name = NULL;
}

/* Elements whose axis is smooth from one to the next. */
static bool travels(const TmlFlexType *type)
{
    bool slope = false;
    for (int k = 0; k < type->vectors; ++k) {
        slope = slope || type->kind[k] == TML_FLEX_RX;
    }
    return slope && type->topology == TML_FLEX_LINE;
}

TEST(matrices_of_travelling_points_match_differences)
{
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        for (int what = 0; what < LINES && travels(tml_flex_types[k]); ++what) {
            char text[2000];
            t->name = tml_flex_types[k]->info.name;
            say_lines(tml_flex_types[k], "dynamic: 0.3, static_velocity: 0.5", (Lines)what, text,
                      sizeof text);
            TmlModel *model = study_model(t, text);
            if (model != NULL) {
                probe_touching(t, model, what == ON_BALL_AND_BAR ? 2 : 1);
            }
            tml_model_free(model);
        }
    }
    t->name = NULL;
}

/* Faces and flat beams that are touched where something is closest, and each other station by station. */
typedef struct Faces {
    const char *name, *first, *second; /* of the test; flexible bodies */
    const char *between, *flexible;
    int points;
} Faces;

#define SOFT "material: {E: 1e4, nu: 0.3, density: 100}"
#define SHEET(type, z)                                                                             \
    "{type: " type ", " SOFT ", patch: {origin: [0, 0, " z "], x: [1, 0.03, 0.01], y: [0.02, "     \
    "0.5, 0]}, elements: [2, 2], section: {thickness: 0.1}, contact: {stations: 2}}"
#define TOP(type)                                                                                  \
    "{type: " type ", " SOFT ", patch: {origin: [0.31, 0.11, 0.09], x: [0.5, 0, 0], y: [0, 0.6, "  \
    "0.01]}, elements: [2, 1], section: {thickness: 0.1}, contact: {stations: 2}}"
#define FLAT_BEAM(line, across)                                                                    \
    "{type: beam, " SOFT ", line: " line ", elements: 2, y_axis: z, section: {height: 0.1, width:" \
    " " across "}, contact: {stations: 3}}"
#define ROUND(type, line)                                                                          \
    "{type: " type ", " SOFT ", line: " line ", elements: 2, section: {radius: 0.04}, contact: "   \
    "{stations: 3}}"
#define ALONG "[[0.1, 0.2, 0.08], [0.9, 0.3, 0.085]]"

static const Faces faces[] = {
    {"ball on shell", SHEET("shell", "0"), NULL, "one, drum", "closest", 1},
    {"ball on plate", SHEET("plate", "0"), NULL, "one, drum", "closest", 1},
    {"ball on the edge of a shell", SHEET("shell", "0"), NULL, "one, edge", "closest", 1},
    {"ball on the corner of a plate", SHEET("plate", "0"), NULL, "one, corner", "closest", 1},
    {"ellipsoid on shell", SHEET("shell", "0"), NULL, "one, egg", "closest", 1},
    {"ball on flat beam", FLAT_BEAM("[[0, 0.25, 0], [1, 0.25, 0]]", "0.4"), NULL, "one, drum",
     "closest", 1},
    {"shell on shell", SHEET("shell", "0"), TOP("shell"), "one, two", "spread", 12},
    {"plate on shell", SHEET("shell", "0"), TOP("plate"), "one, two", "spread", 12},
    {"plate on plate", SHEET("plate", "0"), TOP("plate"), "one, two", "spread", 12},
    {"cable on shell", SHEET("shell", "0"), ROUND("cable", ALONG), "one, two", "spread", 4},
    {"beam3 on plate", SHEET("plate", "0"), ROUND("beam3", ALONG), "one, two", "spread", 4},
    {"flat beam on flat beam", FLAT_BEAM("[[0, 0.25, 0], [1, 0.25, 0]]", "0.3"),
     FLAT_BEAM("[[0.2, 0.2, 0.09], [0.8, 0.3, 0.095]]", "0.2"), "one, two", "spread", 12},
    {"flat beam on cable", ROUND("cable", "[[0, 0.25, 0], [1, 0.25, 0]]"),
     FLAT_BEAM("[[0.2, 0.2, 0.08], [0.8, 0.3, 0.085]]", "0.2"), "one, two", "spread", 4},
    {"beam3 on flat beam", FLAT_BEAM("[[0, 0.25, 0], [1, 0.25, 0]]", "0.3"), ROUND("beam3", ALONG),
     "one, two", "spread", 4},
};

static void say_faces(const Faces *f, const char *more, char *text, size_t size)
{
    snprintf(
        text, size,
        "trammel: 1\n"
        "bodies:\n"
        "  drum: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.55, 0.26, -0.34],\n"
        "         angular_velocity: [0.3, 0.5, 0.2], shape: {sphere: {radius: 0.3}}}\n"
        "  edge: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.55, -0.02, -0.33],\n"
        "         shape: {sphere: {radius: 0.3}}}\n"
        "  corner: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [-0.05, -0.04, -0.32],\n"
        "         shape: {sphere: {radius: 0.3}}}\n"
        "  egg: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.3, 0.36, -0.24],\n"
        "         angular_velocity: [0.3, 0.5, 0.2],\n"
        "         shape: {ellipsoid: {semi_axes: [0.25, 0.3, 0.2]}}}\n"
        "flexible:\n"
        "  one: %s\n"
        "%s%s\n"
        "contacts:\n"
        "  all: {between: [%s], law: hunt_crossley, stiffness: 1e4,\n"
        "        exponent: 1.5, damping: 0.5, friction: {dynamic: 0.3, static_velocity: 0.5},\n"
        "        flexible: %s}\n%s",
        f->first, f->second != NULL ? "  two: " : "", f->second != NULL ? f->second : "",
        f->between, f->flexible, more);
}

TEST(matrices_of_faces_match_differences)
{
    for (size_t k = 0; k < sizeof faces / sizeof *faces; ++k) {
        char text[2600];
        t->name = faces[k].name;
        say_faces(&faces[k], "", text, sizeof text);
        TmlModel *model = study_model(t, text);
        if (model != NULL) {
            probe_touching(t, model, faces[k].points);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* What equations read of contacts: rows of states, whose derivatives know that points travel. */
#define READ                                                                                       \
    "states:\n"                                                                                    \
    "  n: {rate: contact_force(all)}\n"                                                            \
    "  x: {rate: \"contact_fx(one, %s)\"}\n"                                                       \
    "  y: {rate: \"contact_fy(one, %s)\"}\n"                                                       \
    "  z: {rate: \"contact_fz(one, %s)\"}\n"                                                       \
    "  d: {rate: 1e4*contact_depth(all)}\n"                                                        \
    "  p: {rate: contact_power(all)}\n"

TEST(values_of_travelling_points_match_differences)
{
    for (size_t k = 0; k < sizeof faces / sizeof *faces; ++k) {
        char text[3000], more[600];
        const char *other = strstr(faces[k].between, ", ") + 2;
        t->name = faces[k].name;
        snprintf(more, sizeof more, READ, other, other, other);
        say_faces(&faces[k], more, text, sizeof text);
        TmlModel *model = study_model(t, text);
        if (model != NULL) {
            probe_touching(t, model, faces[k].points);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* One element under two balls: its point is elsewhere for each of them. */
TEST(values_of_two_on_one_element_match_differences)
{
    static const char *const mesh[] = {ROUND("cable", "[[0, 0.2, 0], [1, 0.25, 0]]"),
                                       SHEET("shell", "0"),
                                       FLAT_BEAM("[[0, 0.25, 0], [1, 0.25, 0]]", "0.4")};
    for (size_t k = 0; k < sizeof mesh / sizeof *mesh; ++k) {
        char text[3000];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies:\n"
                 "  low: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.15, 0.2, -0.11],\n"
                 "        shape: {sphere: {radius: 0.08}}}\n"
                 "  high: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.35, 0.22, 0.11],\n"
                 "        shape: {sphere: {radius: 0.08}}}\n"
                 "flexible:\n"
                 "  one: %s\n"
                 "contacts:\n"
                 "  all: {between: [one, [low, high]], law: hunt_crossley, stiffness: 1e4,\n"
                 "        exponent: 1.5, damping: 0.5, friction: {dynamic: 0.3, static_velocity: "
                 "0.5},\n"
                 "        flexible: closest}\n" READ,
                 mesh[k], "low", "high", "low");
        t->name = mesh[k];
        TmlModel *model = study_model(t, text);
        if (model != NULL) {
            probe_touching(t, model, 2);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* Forces of contact and of stresses together move and turn nothing: what acts on r adds up to nothing, and so does x x f of all
 * vectors. Accelerations are zero, so that the residual is these forces alone. */
static void check_balance(TestCtx *t, const TmlSystem *sys, const TmlState *s, const double *f)
{
    double force[3] = {0}, moment[3] = {0}, size = 0.0;
    for (int b = 0; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const double *x = s->q + sys->dim.span[b].q0, *at = f + sys->dim.span[b].u0;
        if (type != &tml_body_position3 && type != &tml_body_gradient3) {
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            force[k] += type == &tml_body_position3 ? at[k] : 0.0;
            moment[k] += x[i] * at[j] - x[j] * at[i];
            size += fabs(at[k]);
        }
    }
    CHECK(t, size > 1.0); // N: it presses
    for (int k = 0; k < 3; ++k) {
        // rounding of some hundred terms, on vectors of the size of one
        CHECK_NEAR(t, force[k], 0.0, 1e-12 * size);
        CHECK_NEAR(t, moment[k], 0.0, 1e-12 * size);
    }
}

TEST(forces_and_moments_balance)
{
    for (size_t k = 0; k < sizeof faces / sizeof *faces; ++k) {
        char text[3000];
        bool patterns;
        TmlError err = {0};
        if (faces[k].second == NULL) {
            continue; // the ball has no vectors
        }
        t->name = faces[k].name;
        say_faces(&faces[k], "", text, sizeof text);
        if (strstr(text, "cable") !=
            NULL) { // friction across it would twist it: it has no friction
            memcpy(strstr(text, "dynamic: 0.3"), "dynamic: 0.0", strlen("dynamic: 0.0"));
        }
        TmlModel *model = study_model(t, text);
        if (model == NULL) {
            continue;
        }
        Probe p = probe_open(t, model, &step_kind);
        tml_system_initial(p.sys, &p.s);
        for (int i = 0; i < p.sys->dim.nq; ++i) {
            p.s.q[i] += 3e-3 * test_random(t, -1, 1);
            p.s.v[i] += test_random(t, -1, 1);
            p.s.a[i] = 0.0;
        }
        tml_system_kinematics(p.sys, &p.s, false);
        CHECK_OK(t, tml_system_touching_renew(p.sys, 1.0, 0.5, &patterns, &err), &err);
        tml_system_residual(p.sys, &p.s, TML_LEVEL_POSITION, p.e);
        CHECK(t, tml_system_touch_points(p.sys, NULL, 0) >= faces[k].points);
        check_balance(t, p.sys, &p.s, p.e);
        probe_close(&p);
        tml_model_free(model);
    }
    t->name = NULL;
}

TEST_SUITE(stations) = {CASE(matrices_of_every_element_match_differences),
                        CASE(matrices_of_travelling_points_match_differences),
                        CASE(matrices_of_faces_match_differences),
                        CASE(values_of_travelling_points_match_differences),
                        CASE(values_of_two_on_one_element_match_differences),
                        CASE(forces_and_moments_balance),
                        {0}};
