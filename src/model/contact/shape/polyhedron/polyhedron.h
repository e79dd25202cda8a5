/* model/contact/shape/polyhedron/polyhedron.h - convex polyhedra: boxes and hulls as contact sees them.
 *
 * Faces are numbered; each has a plane n . x <= offset with n out of the solid, and a loop of corners,
 * counterclockwise seen from outside. Text: docs/theory/contact.md
 */
#pragma once

#include "model/contact/contacts.h"

enum {
    TML_POLYHEDRON_FACES = 256, /* of one polyhedron at most */
    TML_POLYGON_CORNERS = 512   /* of a face that others have cut */
};

typedef struct TmlPolyhedron {
    int n_corners, n_faces, n_edges;
    const TmlVec3 *corner; /* n_corners */
    const TmlVec3 *normal; /* n_faces, unit */
    const double *offset;  /* n_faces */
    const int *start;      /* n_faces + 1: where the loop of a face begins */
    const int *loop;       /* start[n_faces] corners */
    const int (*edge)[2];  /* n_edges: two corners */
    TmlVec3 centre;        /* of a sphere around all corners */
    double radius;
    bool corners; /* its corners touch as points */
} TmlPolyhedron;

/* What the data of boxes and hulls begin with. */
typedef struct TmlPolyhedronData {
    int points; /* TmlPolyhedronPoints */
} TmlPolyhedronData;

typedef enum TmlPolyhedronPoints { TML_POINTS_PATCH, TML_POINTS_CORNERS } TmlPolyhedronPoints;

#define TML_POLYHEDRON_POINTS                                                                      \
    {                                                                                              \
        "points", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlPolyhedronData, points), "patch",     \
            "patch: pressure over the overlap; corners: its corners touch as points",              \
            "patch|corners"                                                                        \
    }

/* A box of full edge lengths `size` about the origin. The arrays stand in `room`. */
typedef struct TmlBoxRoom {
    TmlVec3 corner[8];
    double offset[6];
} TmlBoxRoom;
TmlPolyhedron tml_box_polyhedron(TmlVec3 size, TmlBoxRoom *room);

/* The corner farthest along a direction. */
int tml_polyhedron_support(const TmlPolyhedron *P, TmlVec3 direction);

/* A polyhedron with another pose: corners and planes in other axes. The arrays that the pose changes
 * stand in `room`, which the caller keeps; topology is shared. */
typedef struct TmlPosedRoom {
    TmlVec3 corner[2 * TML_POLYHEDRON_FACES]; /* Euler: at most 2 F - 4 */
    TmlVec3 normal[TML_POLYHEDRON_FACES];
    double offset[TML_POLYHEDRON_FACES];
} TmlPosedRoom;
void tml_polyhedron_pose(const TmlPolyhedron *P, const TmlPose *pose, TmlPosedRoom *room,
                         TmlPolyhedron *out);

/* Touches of two polyhedra, or of the half-space z < 0 (first: NULL) and one. B: in the axes of A. */
int tml_overlap_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, TmlVec3 r, TmlTouch *touch,
                      TmlTouchRate *rate);
int tml_corners_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, TmlVec3 r, double reach,
                      TmlTouch *touch, TmlTouchRate *rate);
int tml_polyhedra_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, const TmlPose *pose,
                        double reach, TmlTouch *touch, TmlTouchRate *rate);

/* Derivatives of a point that moves with the second shape, whose origin is r: (P1) of overlap.c. */
void tml_carried(TmlVec3 x, TmlVec3 r, TmlVec3 d[TML_TOUCH_VARIABLES]);
