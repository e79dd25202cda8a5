/* model/contact/shape/mesh/triangle_gap.c - the gap between triangles and polyhedra that are apart. */
#include "model/contact/shape/mesh/triangle_gap.h"
#include "math/vec3.h"

TmlPolyhedron tml_triangle_polyhedron(const TmlMeshSolid *m, int triangle, const TmlPose *pose,
                                      TmlTriangleRoom *room)
{
    static const int start[2] = {0, 3}, loop[3] = {0, 1, 2}, edge[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    TmlVec3 centre = v3(0, 0, 0);
    double radius = 0.0;
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 x = m->t.corner[m->t.triangle[triangle][i]];
        room->corner[i] = pose != NULL ? v3_add(pose->r, m3_mulv(&pose->A, x)) : x;
        centre = v3_axpy(1.0 / 3.0, room->corner[i], centre);
    }
    const TmlVec3 n = m->normal[triangle];
    room->normal = pose != NULL ? m3_mulv(&pose->A, n) : n;
    room->offset = v3_dot(room->normal, room->corner[0]);
    for (int i = 0; i < 3; ++i) {
        radius = fmax(radius, v3_norm(v3_sub(room->corner[i], centre)));
    }
    return (TmlPolyhedron){.n_corners = 3,
                           .n_faces = 1,
                           .n_edges = 3,
                           .corner = room->corner,
                           .normal = &room->normal,
                           .offset = &room->offset,
                           .start = start,
                           .loop = loop,
                           .edge = edge,
                           .centre = centre,
                           .radius = radius};
}

void tml_gap_look(TmlGap *gap, const TmlPolyhedron *first, const TmlPolyhedron *second)
{
    TmlNearPair near;
    const double apart = v3_norm(v3_sub(first->centre, second->centre));
    if (apart - first->radius - second->radius > gap->distance) {
        return;
    }
    if (tml_near_features(first, second, gap->distance, &near) && near.distance > 0.0 &&
        (!gap->found || near.distance < gap->distance)) {
        gap->near = near;
        gap->distance = near.distance;
        gap->found = true;
    }
}

int tml_gap_touch(const TmlGap *gap, const TmlPose *pose, TmlTouch *touch, TmlTouchRate *rate)
{
    if (!gap->found) {
        return 0;
    }
    tml_near_touch(&gap->near, 0.0, pose->r, touch, rate);
    touch->id = 0; // of one gap there is but one
    return 1;
}
