/* model/contact/shape/polyhedron/pairs_polyhedra.c - pairs of boxes and hulls with each other and with others. */
#include "math/vec3.h"
#include "model/contact/shape/box.h"
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

int tml_pair_half_space_box(const void *first, const void *second, const TmlPose *pose,
                            double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    TmlBoxRoom room;
    const TmlPolyhedron B = from_box(second, &room);
    (void)first;
    return tml_polyhedra_touch(NULL, &B, pose, reach, touch, rate);
}

int tml_pair_box_box(const void *first, const void *second, const TmlPose *pose, double reach,
                     TmlTouch *touch, TmlTouchRate *rate)
{
    TmlBoxRoom a, b;
    const TmlPolyhedron A = from_box(first, &a), B = from_box(second, &b);
    return tml_polyhedra_touch(&A, &B, pose, reach, touch, rate);
}

/* A sphere is its centre with a radius around. */
static int sphere_touch(const TmlPolyhedron *A, double radius, const TmlPose *pose, double reach,
                        TmlTouch *touch, TmlTouchRate *rate)
{
    TmlNear near;
    tml_near_point(A, pose->r, &near);
    if (near.distance > radius + reach) {
        return 0;
    }
    tml_near_touch(&near, radius, pose->r, touch, rate);
    return 1;
}

int tml_pair_box_sphere(const void *first, const void *second, const TmlPose *pose, double reach,
                        TmlTouch *touch, TmlTouchRate *rate)
{
    TmlBoxRoom a;
    const TmlPolyhedron A = from_box(first, &a);
    return sphere_touch(&A, *(const double *)second, pose, reach, touch, rate);
}
