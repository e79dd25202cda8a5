/* io/help/example.c - examples from tables: the ends by their kind, and the parameters that matter. */
#include "io/help/example.h"

#include <stdio.h>
#include <string.h>

static const char *ends_text(TmlEndsKind ends)
{
    switch (ends) {
    case TML_ENDS_FRAMES:
        return "bodies: [ground, rod], at: [0, 0, 0], axis: z";
    case TML_ENDS_POINTS:
        return "bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]]";
    case TML_ENDS_ONE:
        return "body: rod, at: [1, 0, 0]";
    case TML_ENDS_JOINT:
        return "joint: pin";
    case TML_ENDS_TERMS:
    case TML_ENDS_EXPR:
        break;
    }
    return "";
}

/* What says more than the first parameters of the table. NULL name ends the list. */
static const struct {
    const char *name, *fields;
} chosen[] = {
    {"universal", ", bodies: [ground, rod], at: [0, 0, 0], axes: [x, y]"},
    {"distance", ", bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]]"},
    {"gear", ", terms: [{joint: pin}, {joint: pin2}], teeth: [20, 40]"},
    {"rack_pinion", ", terms: [{joint: pin}, {joint: slide}], radius: 0.05"},
    {"rolling_disc", ", frames: [ground, {body: rod, rotation: {z: y, x: x}}], radius: 0.5"},
    {"point_on_curve", ", bodies: [rope, rod], at: [1, 0, 0]"},
    {"point_on_path",
     ", bodies: [ground, rod], at: [1, 0, 0], path: {points: [[1, 0, 0], [2, 0, 0]]}"},
    {"motion", ", joint: pin, function: 2*pi*time"},
    {"angle_motion", ", frames: [ground, rod], angle: first, function: 2*pi*time"},
    {"spring", ", bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]], stiffness: 1e4, "
               "damping: 50"},
    {"rotational_spring", ", joint: pin, stiffness: 400, damping: 15, free_angle: -90 deg"},
    {"friction", ", joint: pin, static: 0.3, dynamic: 0.2, radius: 1 cm"},
    {NULL, NULL},
};

/* A value that the table accepts. */
static void sample(const TmlParam *p, char *out, size_t size)
{
    static const char *const texts[] = {
        [TML_PARAM_REAL] = "0.5",
        [TML_PARAM_INT] = "1",
        [TML_PARAM_BOOL] = "true",
        [TML_PARAM_VEC3] = "[0, 0, 1]",
        [TML_PARAM_REALS] = "[1, 2]",
        [TML_PARAM_MAT66] = "[1e4, 1e4, 1e5, 100, 100, 100]",
        [TML_PARAM_EXPR] = "10*sin(2*pi*time)",
        [TML_PARAM_EXPRS3] = "[0, 0, 10*sin(2*pi*time)]",
        [TML_PARAM_SPLINE] = "table",
        [TML_PARAM_JOINT] = "pin",
        [TML_PARAM_TERMS] = "[{joint: pin}, {joint: slide, coefficient: -2}]",
        [TML_PARAM_STRING] = "text",
        [TML_PARAM_PATH] = "{points: [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], closed: true}",
    };
    if (p->kind == TML_PARAM_CHOICE || p->kind == TML_PARAM_COORDINATE) {
        snprintf(out, size, "%.*s", (int)strcspn(p->choices, "|"), p->choices);
    } else {
        snprintf(out, size, "%s", texts[p->kind]);
    }
}

/* Required parameters; without any, the first that is no choice. */
static bool is_shown(const TmlTypeInfo *info, const TmlParam *p, bool any_required)
{
    if (p->kind == TML_PARAM_JOINT) {
        return false; // belongs to the ends
    }
    if (any_required) {
        return p->standard == NULL;
    }
    const TmlParam *first = info->params;
    while (first->name != NULL && first->kind == TML_PARAM_JOINT) {
        first++;
    }
    return p == first;
}

void tml_example_element(const TmlTypeInfo *info, TmlEndsKind ends, const char *section, char *out,
                         size_t size)
{
    char fields[TML_EXAMPLE_MAX / 2] = "";
    size_t fill = 0;
    bool any_required = false;
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        any_required |= p->standard == NULL && p->kind != TML_PARAM_JOINT;
    }
    if (ends_text(ends)[0] != '\0') {
        fill = (size_t)snprintf(fields, sizeof fields, ", %s", ends_text(ends));
    }
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        char value[TML_NAME_MAX];
        if (is_shown(info, p, any_required) && fill < sizeof fields) {
            sample(p, value, sizeof value);
            // an expression joint must look at the motion
            const bool motion = ends == TML_ENDS_EXPR && p->kind == TML_PARAM_EXPR;
            fill += (size_t)snprintf(fields + fill, sizeof fields - fill, ", %s: %s", p->name,
                                     motion ? "DZ(rod) - DX(rod)^2" : value);
        }
    }
    for (int k = 0; chosen[k].name != NULL; ++k) {
        if (strcmp(chosen[k].name, info->name) == 0) {
            snprintf(fields, sizeof fields, "%s", chosen[k].fields);
        }
    }
    snprintf(out, size, "%s:\n  my_%s: {type: %s%s}\n", section, info->name, info->name, fields);
}
