/* model/contact/shape/polyhedron/pairs_polyhedra.c - pairs of boxes and hulls with each other and with others. */
#include "math/vec3.h"
#include "model/contact/shape/box.h"
#include "model/contact/shape/hull.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/polyhedron/near_features.h"

/* A shape as a polyhedron; its arrays may stand in the room. */
static TmlPolyhedron from_box(const void *data, TmlBoxRoom *room)
{
    const TmlBoxData *d = data;
    TmlPolyhedron P = tml_box_polyhedron(d->size, room);
    P.corners = d->head.points == TML_POINTS_CORNERS;
    return P;
}

static TmlPolyhedron from_hull(const void *data, TmlBoxRoom *room)
{
    (void)room;
    return *((const TmlHullData *)data)->solid;
}

#define FLOOR_PAIR(type)                                                                           \
    TML_PAIR_FUNCTION(half_space, type)                                                            \
    {                                                                                              \
        TmlBoxRoom room;                                                                           \
        const TmlPolyhedron B = from_##type(second, &room);                                        \
        (void)first;                                                                               \
        return tml_polyhedra_touch(NULL, &B, pose, reach, touch, rate);                            \
    }
FLOOR_PAIR(box)
FLOOR_PAIR(hull)

#define SOLID_PAIR(one, other)                                                                     \
    TML_PAIR_FUNCTION(one, other)                                                                  \
    {                                                                                              \
        TmlBoxRoom a, b;                                                                           \
        const TmlPolyhedron A = from_##one(first, &a), B = from_##other(second, &b);               \
        return tml_polyhedra_touch(&A, &B, pose, reach, touch, rate);                              \
    }
SOLID_PAIR(box, box)
SOLID_PAIR(hull, box)
SOLID_PAIR(hull, hull)

/* A sphere is its centre with a radius around. */
static int sphere_touch(const TmlPolyhedron *A, double radius, const TmlPose *pose, double reach,
                        TmlTouch *touch, TmlTouchRate *rate)
{
    TmlNearPair near;
    tml_near_point(A, pose->r, &near);
    if (near.distance > radius + reach) {
        return 0;
    }
    tml_near_touch(&near, radius, pose->r, touch, rate);
    return 1;
}

#define SPHERE_PAIR(type)                                                                          \
    TML_PAIR_FUNCTION(type, sphere)                                                                \
    {                                                                                              \
        TmlBoxRoom room;                                                                           \
        const TmlPolyhedron A = from_##type(first, &room);                                         \
        return sphere_touch(&A, *(const double *)second, pose, reach, touch, rate);                \
    }
SPHERE_PAIR(box)
SPHERE_PAIR(hull)
