/* tests/system/test_contact_faces.c - plates, shells and flat beams that touch each other, and balls at their closest points:
 * at rest, over borders of elements and edges, by every method, in other units and axes.
 */
#include "../analysis/study.h"

#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "model/registry.h"
#include "system/contact/touching.h"
#include "trammel/analysis.h"
#include "trammel/io.h"

#include <stdio.h>

enum { TEXT = 3000 };

/* Vectors of nodes are moved a little, each otherwise: elements beside each other are bent differently then. */
static void bend(const TmlSystem *sys, TmlState *s, double by)
{
    for (int b = 0; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const double size = type == &tml_body_position3 ? 0.01 * by : by;
        for (int k = sys->dim.span[b].q0; k < sys->dim.span[b + 1].q0 && type->hidden; ++k) {
            s->q[k] += size * sin(1.0 + k * k);
        }
    }
}

/* What the expressions of a model read of contacts, at the start. */
static void at_start(TestCtx *t, const char *text, double by, double *value, int n)
{
    TmlModel *model = study_model(t, text);
    TmlSystem *sys = NULL;
    TmlState s;
    TmlError err = {0};
    for (int k = 0; k < n; ++k) {
        value[k] = (double)NAN;
    }
    if (model == NULL) {
        return;
    }
    CHECK_OK(t, tml_system_create(model, 1, &sys, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &s, &err), &err);
    tml_system_initial(sys, &s);
    bend(sys, &s, by);
    CHECK_OK(t, tml_touching_start(sys, &s, &err), &err);
    CHECK_INT(t, model->contact_values.n, n);
    for (int k = 0; k < n; ++k) {
        value[k] = tml_system_contact_value(sys, k);
    }
    tml_system_free(sys);
    tml_model_free(model);
}

/* --- where elements meet ------------------------------------------------------------------------------- */

/* A sheet whose corners are not square: at a sharp one the closest point goes from edge to edge. */
#define SKEW                                                                                       \
    "low: {type: %s, patch: {origin: [-0.1, -0.1, 0], x: [0.2, 0, 0.01], y: [0.12, 0.15, 0]}, "    \
    "elements: [4, 1], section: {thickness: 0.02}, material: {E: 1e8, nu: 0.3, density: 1000}}"
#define ROUND_CORNER(at)                                                                           \
    "trammel: 1\n"                                                                                 \
    "parameters: {s: %.17g}\n"                                                                     \
    "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: " at ",\n"                             \
    "                velocity: [0.3, 0.1, -0.2], shape: {sphere: {radius: 0.03}}}}\n"              \
    "flexible:\n"                                                                                  \
    "  " SKEW "\n"                                                                                 \
    "contacts: {on: {between: [ball, low], flexible: closest, law: hunt_crossley,\n"               \
    "                stiffness: 1e5, exponent: 1.5, damping: 0.3, friction: {dynamic: 0.3}}}\n"    \
    "outputs: {f: contact_force(on), x: contact_fx(on), y: contact_fy(on), z: contact_fz(on)}\n"

/* A parameter s that moves what touches from -1 to 1, over a border; a twisted sheet of four elements. */
#define TWISTED                                                                                    \
    "low: {type: %s, patch: {corners: [[-0.1, -0.1, -0.01], [0.1, -0.1, 0.004], [0.1, 0.1, "       \
    "-0.006], [-0.1, 0.1, 0.012]]}, elements: [2, 2], section: {thickness: 0.02},\n"               \
    "        material: {E: 1e8, nu: 0.3, density: 1000}}"
#define BALL(at)                                                                                   \
    "trammel: 1\n"                                                                                 \
    "parameters: {s: %.17g}\n"                                                                     \
    "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: " at ",\n"                             \
    "                velocity: [0.3, 0.1, -0.2], shape: {sphere: {radius: 0.03}}}}\n"              \
    "flexible:\n"                                                                                  \
    "  " TWISTED "\n"                                                                              \
    "contacts: {on: {between: [ball, low], flexible: closest, law: hunt_crossley,\n"               \
    "                stiffness: 1e5, exponent: 1.5, damping: 0.3, friction: {dynamic: 0.3}}}\n"    \
    "outputs: {f: contact_force(on), x: contact_fx(on), y: contact_fy(on), z: contact_fz(on)}\n"
#define ONTO(origin, more)                                                                         \
    "trammel: 1\n"                                                                                 \
    "parameters: {s: %.17g}\n"                                                                     \
    "flexible:\n"                                                                                  \
    "  " TWISTED "\n"                                                                              \
    "  high: {material: {E: 1e8, nu: 0.3, density: 1000}, velocity: [0.3, 0.1, -0.2],\n"           \
    "         " more "}\n"                                                                         \
    "contacts: {on: {between: [high, low], law: hunt_crossley,\n"                                  \
    "                stiffness: 1e7, exponent: 1.5, damping: 0.3, friction: {dynamic: 0.3}}}\n"    \
    "outputs: {f: contact_force(on), x: contact_fx(on), y: contact_fy(on), z: contact_fz(on)}\n"

static const char *const over[] = {
    BALL("[0.002*s, 0.043, 0.0395]"),                           // over the border along y
    BALL("[-0.06, 0.002*s + 1e-4, 0.0381]"),                    // over that along x
    BALL("[0.002*s, 0.0013*s + 2e-5, 0.0395]"),                 // past the node in the middle
    BALL("[0.002*s, 0.0013*s, 0.0395]"),                        // through it
    BALL("[0.1 + 0.004*s, 0.043, 0.0365]"),                     // over a free edge
    BALL("[0.002*s, 0.106, 0.0385]"),                           // along one, over a border
    ROUND_CORNER("[-0.105 - 0.005*s, -0.105 + 0.006*s, 0.03]"), // sharp: origin
    ROUND_CORNER("[0.1 + (0.01 + 0.004*s) + 0.62*(0.01*s - 0.03), 0.78*(0.01*s - 0.03) - 0.1, "
                 "0.03]"),                              // blunt
    BALL("[0.104 - 0.002*s, 0.103 + 0.004*s, 0.0305]"), // round a corner
    ONTO("", "type: shell, patch: {origin: [-0.03 + 0.005*s, -0.041, 0.0185], x: [0.05, 0, 0.001], "
             "y: [0, 0.06, 0.001]}, elements: [1, 1], section: {thickness: 0.02}"),
    ONTO("", "type: beam, line: [[-0.06 + 0.005*s, -0.041, 0.018], [0.04, 0.06, 0.019]], elements: "
             "2, y_axis: z, section: {height: 0.02, width: 0.06}"),
};

enum { VALUES = 4 };

static double apart(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; ++k) {
        sum += fabs(a[k] - b[k]);
    }
    return sum;
}

static void values_at(TestCtx *t, const char *form, double place, const char *type, double *value)
{
    char text[TEXT];
    snprintf(text, sizeof text, form, place, type);
    at_start(t, text, 0.02, value, VALUES);
}

TEST(no_force_jumps_where_faces_meet)
{
    static const char *const types[] = {"shell", "plate"};
    for (size_t k = 0; k < 2 * sizeof over / sizeof *over; ++k) {
        const char *form = over[k / 2], *type = types[k % 2];
        double low = -1.0, high = 1.0, a[VALUES], b[VALUES], x[VALUES];
        t->name = form;
        values_at(t, form, low, type, a);
        values_at(t, form, high, type, b);
        const double size = fmax(fabs(a[0]), fabs(b[0]));
        CHECK(t, a[0] > 0.0 && b[0] > 0.0 && apart(a, b) > 1e-3 * size);
        for (int i = 0; i < 24;
             ++i) { // halves with the larger change lead to a jump, if there is one
            const double middle = 0.5 * (low + high);
            values_at(t, form, middle, type, x);
            const bool first = apart(a, x) > apart(x, b);
            high = first ? middle : high;
            low = first ? low : middle;
            memcpy(first ? b : a, x, sizeof x);
        }
        // 1.2e-7 of a way are left, in which forces change by less than eight times their size: 1e-6 of it at most
        CHECK_NEAR(t, apart(a, b), 0.0, 1e-6 * size);
    }
    t->name = NULL;
}

/* A ball above a border, a node or an edge touches once, however near to it; two elements reckon with other roundings. */
TEST(a_ball_over_a_border_counts_once)
{
    static const double at[][2] = {{0.1, 0.07}, {0.03, 0.1}, {0.1, 0.1}, {0.1, 0.0}, {0.2, 0.1}};
    for (int k = 0; k < 5 * 2 * 12 * 2; ++k) {
        const double *place = at[k / 48], sign = k % 2 == 0 ? 1.0 : -1.0;
        const double off = sign * pow(10.0, -6.0 - k / 2 % 12), dx = k / 24 % 2 == 0 ? off : 0.0;
        char text[TEXT];
        double value[2];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [%.17g, %.17g, 0.0395],\n"
                 "                shape: {sphere: {radius: 0.03}}}}\n"
                 "flexible: {low: {type: shell, patch: {origin: [0, 0, 0], x: [0.2, 0, 0], y: [0, "
                 "0.2, 0]}, elements: [2, 2], section: {thickness: 0.02},\n"
                 "           material: {E: 1e8, nu: 0.3, density: 1000}}}\n"
                 "contacts: {on: {between: [ball, low], flexible: closest, law: linear, stiffness: "
                 "1e5}}\n"
                 "outputs: {n: contact_count(on), f: contact_force(on)}\n",
                 place[0] + dx, place[1] + 0.7 * off);
        t->name = text;
        at_start(t, text, 0.0, value, 2);
        CHECK_NEAR(t, value[0], 1.0, 0.0); // a count
        CHECK_NEAR(t, value[1], 50.0,
                   2e-6); // N: 1e-6 m past an edge are 1.3e-11 m of depth, 1e5 N/m
    }
    t->name = NULL;
}

/* The distance of a point from a segment, and from the parallelogram 0, a, a + b, b. */
static double from_segment(TmlVec3 p, TmlVec3 from, TmlVec3 way)
{
    const TmlVec3 d = v3_sub(p, from);
    const double s = fmin(fmax(v3_dot(d, way) / v3_dot(way, way), 0.0), 1.0);
    return v3_norm(v3_axpy(-s, way, d));
}

static double from_parallelogram(TmlVec3 p, TmlVec3 a, TmlVec3 b)
{
    const TmlVec3 n = v3_unit(v3_cross(a, b)), flat = v3_axpy(-v3_dot(p, n), n, p);
    const double area = v3_norm(v3_cross(a, b));
    const double u = v3_dot(v3_cross(flat, b), n) / area, v = v3_dot(v3_cross(a, flat), n) / area;
    if (u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0) {
        return fabs(v3_dot(p, n));
    }
    const TmlVec3 zero = v3(0, 0, 0);
    return fmin(fmin(from_segment(p, zero, a), from_segment(p, b, a)),
                fmin(from_segment(p, zero, b), from_segment(p, a, b)));
}

TEST(gaps_are_those_of_the_closest_point)
{
    const TmlVec3 a = v3(0.2, 0.0, 0.02), b = v3(0.12, 0.15, 0.0);
    for (int k = 0; k < 60; ++k) {
        const TmlVec3 p =
            v3(test_random(t, -0.1, 0.45), test_random(t, -0.1, 0.25), test_random(t, 0.02, 0.1));
        char text[TEXT];
        double depth;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [%.17g, %.17g, %.17g],\n"
                 "                shape: {sphere: {radius: 0.03}}}}\n"
                 "flexible: {low: {type: %s, patch: {origin: [0, 0, 0], x: [0.2, 0, 0.02], y: "
                 "[0.12, 0.15, 0]}, elements: [4, 1], section: {thickness: 0.02},\n"
                 "           material: {E: 1e8, nu: 0.3, density: 1000}}}\n"
                 "contacts: {on: {between: [ball, low], flexible: closest, law: linear, stiffness: "
                 "1e5}}\n"
                 "outputs: {d: contact_depth(on)}\n",
                 p.x, p.y, p.z, k % 2 == 0 ? "shell" : "plate");
        t->name = text;
        at_start(t, text, 0.0, &depth, 1);
        CHECK_NEAR(t, depth, 0.04 - from_parallelogram(p, a, b), 1e-12); // m; rounding
    }
    t->name = NULL;
}

/* A body is not lost behind shapes that no entry names. */
TEST(all_elements_touch_behind_other_shapes)
{
    static const char *const text =
        "trammel: 1\n"
        "bodies:\n"
        "  other: {mass: 1, inertia: [1, 1, 1], position: [0, 5, 0], shape: {sphere: {radius: "
        "0.02}}}\n"
        "  ball: {mass: 1, inertia: [1, 1, 1], position: [0.8, 0, 0.0295],\n"
        "         shape: {sphere: {radius: 0.02}}}\n"
        "flexible: {rope: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 4,\n"
        "                  section: {radius: 0.01}, material: {E: 1e6, density: 1000}}}\n"
        "contacts: {on: {between: [ball, rope], flexible: closest, law: linear, stiffness: 1e5}}\n"
        "outputs: {f: contact_force(on)}\n";
    double force;
    at_start(t, text, 0.0, &force, 1);
    CHECK_NEAR(t, force, 50.0, 1e-9); // 1e5 N/m times 0.5 mm; rounding of places
}

TEST_SUITE(contact_faces) = {CASE(no_force_jumps_where_faces_meet),
                             CASE(a_ball_over_a_border_counts_once),
                             CASE(gaps_are_those_of_the_closest_point),
                             CASE(all_elements_touch_behind_other_shapes),
                             {0}};
