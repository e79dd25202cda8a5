/* analysis/linear/motion_name.c - a motion of the bodies in words: bodies and directions, and joints. */
#include "analysis/linear/motion_name.h"

#include "math/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* bodies, joints */

/* Bodies and joints that take this part in a motion of size 1 are named. */
static const double named_part = 0.5;

typedef struct Text {
    char *at;
    size_t left;
} Text;

static void TML_PRINTF(2, 3) text_add(Text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(text->at, text->left, fmt, args);
    va_end(args);
    const size_t used = n < 0 ? 0 : (size_t)n < text->left ? (size_t)n : text->left - 1;
    text->at += used;
    text->left -= used;
}

/* Takes rounding and signed zeros out of a number for a message. */
static double clean(double x)
{
    return fabs(x) < 1e-6 ? 0.0 : x;
}

/* The flexible body that coordinates belong to is named once, by the first of them that moves. */
static void bodies_name(const TmlSystem *sys, Text *text)
{
    const TmlDims *dim = tml_dims(sys);
    int named = 0, owner = 0;
    for (int b = 1; b < dim->nb; ++b) {
        const bool hidden = dim->span[b].owner != b;
        const bool gradient = hidden && dim->span[b].lengths == 0;
        const TmlVec3 r = tml_body_motion(sys, b)->v, o = tml_body_motion(sys, b)->omega;
        const double dr = v3_norm(r) / (gradient ? 1.0 : dim->length), dt = v3_norm(o);
        if ((dr < named_part && dt < named_part) || (hidden && dim->span[b].owner == owner)) {
            continue;
        }
        if (++named > NAMED) {
            text_add(text, " and others");
            return;
        }
        owner = hidden ? dim->span[b].owner : owner;
        const TmlVec3 d = v3_unit(dr >= dt ? r : o);
        text_add(text, "%s%sbody '%s' ", named > 1 ? ", " : "", hidden ? "flexible " : "",
                 tml_body_name(sys, b));
        if (gradient) {
            text_add(text, "turning or deforming");
        } else {
            text_add(text, "%s (%.3g, %.3g, %.3g)", dr >= dt ? "along" : "turning about",
                     clean(d.x), clean(d.y), clean(d.z));
        }
    }
}

static void joints_name(const TmlSystem *sys, Text *text)
{
    int named = 0;
    const TmlModel *model = tml_system_model(sys);
    for (int c = 0; c < tml_model_joint_count(model) && named <= NAMED; ++c) {
        int ends;
        const TmlFrameKin *e = tml_joint_motion(sys, c, &ends);
        if (ends < 2) {
            continue;
        }
        const double dr = v3_norm(v3_sub(e[1].v, e[0].v)) / tml_dims(sys)->length;
        if (dr < named_part && v3_norm(v3_sub(e[1].omega, e[0].omega)) < named_part) {
            continue;
        }
        if (++named > NAMED) {
            text_add(text, " ...");
        } else {
            text_add(text, "%s'%s'", named == 1 ? " (in joint " : ", ",
                     tml_model_joint_name(model, c));
        }
    }
    text_add(text, "%s", named > 0 ? ")" : "");
}

void tml_motion_name(TmlSystem *sys, TmlState *s, const double *x, char *text, size_t size)
{
    Text out = {text, size};
    text[0] = '\0';
    tml_system_expand(sys, s->q, x, s->v);
    tml_system_kinematics(sys, s, false);
    bodies_name(sys, &out);
    joints_name(sys, &out);
}
