/* model/contact/shape/mesh/mesh_on_mesh.c - triangle meshes on each other.
 *
 * A mesh has no cells of nearest faces as a convex solid has. Below each of its triangles there is a prism instead,
 * straight down from its sides, and in it the depth below the triangle's plane. Two triangles press on each other where the
 * one, t, is in the prism of the other, s, and faces it:
 *
 *   (M5)  pressure on t = k w d_s,   w = max(0, -n_t . n_s) / 2,   along n_t, over the part of t in the prism of s
 *
 * and the same with the roles exchanged, so that a pair and its swap are the same; faces that lie flat on each other have k d
 * in all. Force and moment are continuous: triangles come and go with no area or no depth. Beside an edge that
 * sticks out, prisms of two triangles overlap in a wedge, at a hollow one they leave a wedge out, both as wide as the depth:
 * the force there is not that of an energy. Prisms are as deep as a quarter of the thinner mesh.
 */
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/mesh/pressed.h"
#include "model/contact/shape/mesh/triangle_gap.h"

typedef struct Meeting {
    const TmlMeshSolid *mesh[2];
    const TmlPose *pose;
    TmlDualPose at;
    double deepest; // of prisms
    double reach;
    TmlPressedSum sum;
    TmlGap gap;
    int one; // triangle of the first
    TmlPolyhedron first;
} Meeting;

static DualVec placed(const TmlDualPose *at, TmlVec3 x)
{
    return at != NULL ? tml_dual_out(at, d6v(x)) : d6v(x);
}

static DualVec turned(const TmlDualPose *at, TmlVec3 x)
{
    return at != NULL ? d6v_sum(at->axis, d6v(x)) : d6v(x);
}

/* Triangle t of mesh `a` in the prism of triangle s of the other. */
static void press(Meeting *w, int a, int t, int s)
{
    const TmlDualPose *mine = a == 1 ? &w->at : NULL, *other = a == 0 ? &w->at : NULL;
    const TmlMeshSolid *m = w->mesh[1 - a];
    const DualVec n = turned(other, m->normal[s]), down = d6v_times(-1.0, n);
    TmlSheet sheet;
    TmlCutPolygon polygon;
    Dual g[3], depth[3];
    tml_sheet(w->mesh[a], t, mine, &sheet, &polygon);
    const Dual weight = d6_scale(-0.5, d6v_dot(n, sheet.normal));
    if (!(weight.x > 0.0)) {
        return;
    }
    const DualVec top = placed(other, m->t.corner[m->t.triangle[s][0]]);
    tml_sheet_linear(&sheet, down, d6v_dot(n, top), depth);
    tml_cut(depth, &polygon);
    const Dual rest[3] = {d6_linear(w->deepest, -1.0, depth[0]), d6_neg(depth[1]),
                          d6_neg(depth[2])};
    tml_cut(rest, &polygon);
    for (int i = 0; i < 3 && polygon.n > 2; ++i) {
        const TmlVec3 x = m->t.corner[m->t.triangle[s][i]];
        const TmlVec3 side = v3_sub(m->t.corner[m->t.triangle[s][(i + 1) % 3]], x);
        const DualVec q = turned(other, v3_cross(m->normal[s], side));
        tml_sheet_linear(&sheet, q, d6_neg(d6v_dot(q, placed(other, x))), g);
        tml_cut(g, &polygon);
    }
    tml_press_add(&w->sum, &sheet, &polygon, depth, weight); // (M5)
}

/* Whether two triangles are so that neither can be in the prism of the other. */
static bool cannot_press(const Meeting *w, const TmlPolyhedron *a, const TmlPolyhedron *b)
{
    if (v3_dot(a->normal[0], b->normal[0]) >= 0.0) {
        return true;
    }
    bool above = true, over = true;
    for (int i = 0; i < 3; ++i) {
        const double h = v3_dot(a->normal[0], b->corner[i]) - a->offset[0];
        const double g = v3_dot(b->normal[0], a->corner[i]) - b->offset[0];
        above = above && (h >= 0.0 || h < -2.0 * w->deepest - 2.0 * b->radius);
        over = over && (g >= 0.0 || g < -2.0 * w->deepest - 2.0 * a->radius);
    }
    return above && over;
}

static bool meet_two(const TmlMeshSolid *m, int k, void *user)
{
    Meeting *w = user;
    TmlTriangleRoom room;
    const TmlPolyhedron second = tml_triangle_polyhedron(m, k, w->pose, &room);
    if (!cannot_press(w, &w->first, &second)) {
        press(w, 0, w->one, k);
        press(w, 1, k, w->one);
    }
    if (w->sum.n == 0) {
        tml_gap_look(&w->gap, &w->first, &second);
    }
    return true;
}

static void around(const TmlVec3 *x, int n, double far, TmlVec3 *low, TmlVec3 *high)
{
    *low = *high = x[0];
    for (int k = 1; k < n; ++k) {
        *low = v3(fmin(low->x, x[k].x), fmin(low->y, x[k].y), fmin(low->z, x[k].z));
        *high = v3(fmax(high->x, x[k].x), fmax(high->y, x[k].y), fmax(high->z, x[k].z));
    }
    *low = v3_sub(*low, v3(far, far, far));
    *high = v3_add(*high, v3(far, far, far));
}

static bool meet_one(const TmlMeshSolid *m, int k, void *user)
{
    Meeting *w = user;
    TmlTriangleRoom room;
    TmlVec3 x[3], low, high;
    w->one = k;
    w->first = tml_triangle_polyhedron(m, k, NULL, &room);
    for (int i = 0; i < 3; ++i) { // in the axes of the second
        x[i] = m3_tmulv(&w->pose->A, v3_sub(room.corner[i], w->pose->r));
    }
    around(x, 3, fmax(w->reach, w->deepest), &low, &high);
    tml_mesh_visit(w->mesh[1], low, high, meet_two, w);
    return true;
}

static double thickness(const TmlMeshSolid *m)
{
    const TmlVec3 d = v3_sub(m->high, m->low);
    return fmin(d.x, fmin(d.y, d.z));
}

int tml_meshes_touch(const TmlMeshSolid *first, const TmlMeshSolid *second, const TmlPose *pose,
                     double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting w;
    TmlVec3 corner[8], low, high;
    w.mesh[0] = first;
    w.mesh[1] = second;
    w.pose = pose;
    w.at = tml_dual_pose(pose);
    w.reach = fmax(reach, 0.0);
    w.deepest = 0.25 * fmin(thickness(w.mesh[0]), thickness(w.mesh[1]));
    w.sum.n = 0;
    w.gap = (TmlGap){.distance = w.reach};
    for (int k = 0; k < 8; ++k) {
        const TmlVec3 l = w.mesh[1]->low, h = w.mesh[1]->high;
        const TmlVec3 x = v3(k & 1 ? h.x : l.x, k & 2 ? h.y : l.y, k & 4 ? h.z : l.z);
        corner[k] = v3_add(pose->r, m3_mulv(&pose->A, x));
    }
    around(corner, 8, fmax(w.reach, w.deepest), &low, &high);
    tml_mesh_visit(w.mesh[0], low, high, meet_one, &w);
    const int n = tml_press_write(&w.sum, touch, rate);
    return n > 0 ? n : tml_gap_touch(&w.gap, pose, touch, rate);
}
