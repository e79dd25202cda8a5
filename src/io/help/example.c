/* io/help/example.c - examples from tables: what the type says itself, else ends and parameters by kind. */
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
    case TML_ENDS_MODAL:
        break;
    }
    return "";
}

/* A value that the table accepts. */
static void sample(const TmlParam *p, char *out, size_t size)
{
    static const char *const texts[] = {
        [TML_PARAM_REAL] = "0.5",
        [TML_PARAM_INT] = "1",
        [TML_PARAM_BOOL] = "true",
        [TML_PARAM_VEC3] = "[0, 0, 1]",
        [TML_PARAM_REALS] = "[1, 2]",
        [TML_PARAM_POINTS] = "[[0, 0], [1, 0], [0, 1]]",
        [TML_PARAM_MAT66] = "[1e4, 1e4, 1e5, 100, 100, 100]",
        [TML_PARAM_EXPR] = "10*sin(2*pi*time)",
        [TML_PARAM_EXPRS3] = "[0, 0, 10*sin(2*pi*time)]",
        [TML_PARAM_SPLINE] = "table",
        [TML_PARAM_JOINT] = "pin",
        [TML_PARAM_TERMS] = "[{joint: pin}, {joint: slide, coefficient: -2}]",
        [TML_PARAM_STRING] = "text",
        [TML_PARAM_ROAD] = "track",
        [TML_PARAM_TIR] = "tyre.tir",
        [TML_PARAM_PROFILE] = "S1002",
        [TML_PARAM_TRACK] = "line",
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

/* The ends, and what must be given. */
static void write_fields(const TmlTypeInfo *info, TmlEndsKind ends, char *fields, size_t size)
{
    bool any_required = false;
    size_t fill = (size_t)snprintf(fields, size, "%s", ends_text(ends));
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        any_required |= p->standard == NULL && p->kind != TML_PARAM_JOINT;
    }
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        char value[TML_NAME_MAX];
        if (is_shown(info, p, any_required) && fill < size) {
            sample(p, value, sizeof value);
            fill += (size_t)snprintf(fields + fill, size - fill, "%s%s: %s", fill > 0 ? ", " : "",
                                     p->name, value);
        }
    }
}

void tml_example_element(const TmlTypeInfo *info, TmlEndsKind ends, const char *section, char *out,
                         size_t size)
{
    char fields[TML_EXAMPLE_MAX / 2] = "";
    if (info->example == NULL) {
        write_fields(info, ends, fields, sizeof fields);
    }
    const char *said = info->example != NULL ? info->example : fields;
    snprintf(out, size, "%s:\n  my_%s: {type: %s%s%s}\n", section, info->name, info->name,
             said[0] != '\0' ? ", " : "", said);
}

/* What the type says itself, else its parameters. */
static const char *said_of(const TmlTypeInfo *info, char *fields, size_t size)
{
    fields[0] = '\0';
    if (info->example == NULL && info->params != NULL) {
        write_fields(info, TML_ENDS_TERMS, fields, size); // no ends
    }
    return info->example != NULL ? info->example : fields;
}

void tml_example_shape(const TmlTypeInfo *info, char *out, size_t size)
{
    char fields[TML_EXAMPLE_MAX / 2];
    snprintf(out, size, "shape: {%s: {%s}}\n", info->name, said_of(info, fields, sizeof fields));
}

void tml_example_law(const TmlTypeInfo *info, const char *part, char *out, size_t size)
{
    char fields[TML_EXAMPLE_MAX / 2];
    const char *said = said_of(info, fields, sizeof fields);
    const char *comma = said[0] != '\0' ? ", " : "";
    if (part != NULL) {
        const bool named = strcmp(part, "friction") == 0;
        snprintf(out, size,
                 "contacts:\n  floor: {between: [ball, ground], law: linear, stiffness: 1e6,\n"
                 "          %s: {%s%s%s%s}}\n",
                 part, named ? "law: " : "", named ? info->name : "", named ? comma : "", said);
    } else {
        snprintf(out, size, "contacts:\n  floor: {between: [ball, ground], law: %s%s%s}\n",
                 info->name, comma, said);
    }
}
