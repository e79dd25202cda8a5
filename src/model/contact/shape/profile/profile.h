/* model/contact/shape/profile/profile.h - closed plane curves of lines and arcs, and where a point is nearest to them. */
#pragma once

#include "model/contact/contacts.h"

typedef struct TmlVec2 {
    double x, y;
} TmlVec2;

/* From a to b along a line, or an arc about c. The solid is on the left. */
typedef struct TmlProfilePiece {
    TmlVec2 a, b, c;
    double radius;   /* 0: a line */
    double side;     /* of an arc: 1 the solid is inside the circle, -1 outside */
    TmlVec2 out, in; /* directions of the curve at a and at b, unit */
    bool inner;      /* no surface: on the axis of a revolution */
} TmlProfilePiece;

typedef struct TmlProfile {
    int n;
    TmlProfilePiece *piece;
    TmlVec2 low, high;
} TmlProfile;

/* What extrusions and revolutions are read from. */
typedef struct TmlProfileData {
    TmlReals points, bulges;
    const TmlProfile *profile;            /* made by prepare */
    const struct TmlMeshSolid *triangles; /* made by prepare */
} TmlProfileData;

#define TML_PROFILE_PARAMS(text)                                                                   \
    {                                                                                              \
        "points", TML_PARAM_POINTS, TML_ANY, "m", offsetof(TmlProfileData, points), NULL, text,    \
        NULL},                                                                                     \
    {                                                                                              \
        "bulges", TML_PARAM_REALS, TML_ANY, "", offsetof(TmlProfileData, bulges), "",              \
            "for each side from one point to the next: tangent of a quarter of its arc's angle, "  \
            "positive to the outside; 0: a straight line",                                         \
            NULL                                                                                   \
    }

/* Fails: too few points, pieces without length, a curve that turns clockwise. */
TML_NODISCARD TmlStatus tml_profile_check(const TmlProfileData *data, TmlError *err);
/* revolved: pieces on the axis x = 0 are no surface. */
TML_NODISCARD TmlStatus tml_profile_make(TmlProfileData *data, bool revolved,
                                         const TmlShapeSetup *setup, TmlError *err);

/* A local minimum of the distance. */
typedef struct TmlProfileNear {
    double height;    /* above the curve; negative inside */
    TmlVec2 n, t;     /* outward normal, and the direction a quarter turn from it */
    double bend;      /* dn = bend t when the point moves by t */
    double curvature; /* of the curve; HUGE_VAL at corners */
    int id;
} TmlProfileNear;

/* Local minima within `most` of a point outside, or the nearest of a point inside; at most `room`,
 * returns how many. */
int tml_profile_near(const TmlProfile *p, TmlVec2 x, double most, int room, TmlProfileNear *out);
