/* model/contact/shape/polyhedron/polyhedron.c - boxes as polyhedra, other axes, supports. */
#include "model/contact/shape/polyhedron/polyhedron.h"
#include "math/vec3.h"

/* Corner k is at x, y, z = plus where bit 0, 1, 2 of k is set. Faces: -x, +x, -y, +y, -z, +z. */
static const TmlVec3 box_normal[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                      {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
static const int box_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int box_loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int box_edge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                    {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

TmlPolyhedron tml_box_polyhedron(TmlVec3 size, TmlBoxRoom *room)
{
    const TmlVec3 h = v3_scale(0.5, size);
    for (int k = 0; k < 8; ++k) {
        room->corner[k] = v3(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
    }
    room->offset[0] = room->offset[1] = h.x;
    room->offset[2] = room->offset[3] = h.y;
    room->offset[4] = room->offset[5] = h.z;
    return (TmlPolyhedron){.n_corners = 8,
                           .n_faces = 6,
                           .n_edges = 12,
                           .corner = room->corner,
                           .normal = box_normal,
                           .offset = room->offset,
                           .start = box_start,
                           .loop = box_loop,
                           .edge = box_edge,
                           .radius = v3_norm(h)};
}

int tml_polyhedron_support(const TmlPolyhedron *P, TmlVec3 direction)
{
    int best = 0;
    double top = -HUGE_VAL;
    for (int k = 0; k < P->n_corners; ++k) {
        const double d = v3_dot(direction, P->corner[k]);
        if (d > top) {
            top = d;
            best = k;
        }
    }
    return best;
}

void tml_polyhedron_pose(const TmlPolyhedron *P, const TmlPose *pose, TmlPosedRoom *room,
                         TmlPolyhedron *out)
{
    *out = *P;
    for (int k = 0; k < P->n_corners; ++k) {
        room->corner[k] = v3_add(pose->r, m3_mulv(&pose->A, P->corner[k]));
    }
    for (int f = 0; f < P->n_faces; ++f) {
        room->normal[f] = m3_mulv(&pose->A, P->normal[f]);
        room->offset[f] = P->offset[f] + v3_dot(room->normal[f], pose->r);
    }
    out->corner = room->corner;
    out->normal = room->normal;
    out->offset = room->offset;
    out->centre = v3_add(pose->r, m3_mulv(&pose->A, P->centre));
}
