/* model/contact/shape/mesh/polyhedron_on_mesh.c - boxes and hulls on triangle meshes.
 *
 * The polyhedron has the field of depth of (P3), and what it does to a mesh that overlaps is, by the theorem of Gauss, its
 * pressure on the triangles within it:
 *
 *   (M4)  force on the polyhedron = k sum over triangles of n_t int delta dA
 *
 * which is the exact gradient of (P3), whatever features meet. delta is linear in the cell of each face, and triangles are
 * cut by the cells. Apart, one touch tells the gap of the nearest features.
 */
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/mesh/pressed.h"
#include "model/contact/shape/mesh/triangle_gap.h"

typedef struct Meeting {
    const TmlPolyhedron *P;     // in its own axes
    const TmlPolyhedron *posed; // in those of the mesh
    TmlDualPose at;
    TmlPressedSum sum;
    TmlGap gap;
} Meeting;

/* delta of a face over a sheet. */
static void depth_below(const Meeting *w, int face, const TmlSheet *sheet, Dual g[3])
{
    const DualVec n = d6v_sum(w->at.axis, d6v(w->P->normal[face]));
    const Dual c = d6_linear(w->P->offset[face], 1.0, d6v_dot(n, w->at.r));
    tml_sheet_linear(sheet, d6v_times(-1.0, n), c, g);
}

/* Whether all corners of a triangle are beyond one plane. */
static bool is_outside(const TmlMeshSolid *m, int k, const TmlPolyhedron *P)
{
    for (int f = 0; f < P->n_faces; ++f) {
        bool beyond = true;
        for (int i = 0; i < 3 && beyond; ++i) {
            const TmlVec3 x = m->t.corner[m->t.triangle[k][i]];
            beyond = v3_dot(P->normal[f], x) >= P->offset[f];
        }
        if (beyond) {
            return true;
        }
    }
    return false;
}

/* Faces that are nearest somewhere on a polygon: their depth is at most the least plus twice the size of it. */
static int near_faces(const Meeting *w, const TmlSheet *sheet, const TmlCutPolygon *Q, int *face)
{
    double size = 0.0, least = HUGE_VAL, depth[TML_POLYHEDRON_FACES];
    const TmlCutPoint *o = &Q->x[0];
    const DualVec x =
        d6v_axpy(o->u, sheet->across[0], d6v_axpy(o->v, sheet->across[1], sheet->origin));
    const TmlVec3 at = d6v_value(x);
    int n = 0;
    for (int k = 1; k < Q->n; ++k) {
        size = fmax(size, hypot(Q->x[k].u.x - o->u.x, Q->x[k].v.x - o->v.x));
    }
    for (int f = 0; f < w->posed->n_faces; ++f) {
        depth[f] = w->posed->offset[f] - v3_dot(w->posed->normal[f], at);
        least = fmin(least, depth[f]);
    }
    for (int f = 0; f < w->posed->n_faces; ++f) {
        if (depth[f] <= least + 2.0 * size) {
            face[n++] = f;
        }
    }
    return n;
}

/* Cuts by the planes of the polyhedron that cut. */
static void cut_by_planes(const Meeting *w, const TmlMeshSolid *m, int k, const TmlSheet *sheet,
                          TmlCutPolygon *Q)
{
    for (int f = 0; f < w->posed->n_faces && Q->n > 2; ++f) {
        bool cuts = false;
        for (int i = 0; i < 3; ++i) {
            const TmlVec3 x = m->t.corner[m->t.triangle[k][i]];
            cuts = cuts || v3_dot(w->posed->normal[f], x) > w->posed->offset[f];
        }
        if (cuts) {
            Dual g[3];
            depth_below(w, f, sheet, g);
            tml_cut(g, Q);
        }
    }
}

static void press(Meeting *w, const TmlMeshSolid *m, int k)
{
    TmlSheet sheet;
    TmlCutPolygon Q;
    int face[TML_POLYHEDRON_FACES];
    tml_sheet(m, k, NULL, &sheet, &Q);
    cut_by_planes(w, m, k, &sheet, &Q);
    if (Q.n < 3) {
        return;
    }
    const int n = near_faces(w, &sheet, &Q, face);
    for (int i = 0; i < n; ++i) {
        TmlCutPolygon cell = Q;
        Dual mine[3], other[3];
        depth_below(w, face[i], &sheet, mine);
        for (int j = 0; j < n && cell.n > 2; ++j) {
            if (j != i) {
                depth_below(w, face[j], &sheet, other);
                const Dual g[3] = {d6_sub(other[0], mine[0]), d6_sub(other[1], mine[1]),
                                   d6_sub(other[2], mine[2])};
                tml_cut(g, &cell);
            }
        }
        tml_press_add(&w->sum, &sheet, &cell, mine, d6(1.0)); // (M4)
    }
}

static bool meet(const TmlMeshSolid *m, int k, void *user)
{
    Meeting *w = user;
    if (!is_outside(m, k, w->posed)) {
        press(w, m, k);
    }
    if (w->sum.n == 0) {
        TmlTriangleRoom room;
        const TmlPolyhedron t = tml_triangle_polyhedron(m, k, NULL, &room);
        tml_gap_look(&w->gap, &t, w->posed);
    }
    return true;
}

int tml_mesh_polyhedron_touch(const TmlMeshSolid *m, const TmlPolyhedron *P, const TmlPose *pose,
                              double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting w;
    TmlPosedRoom room;
    TmlPolyhedron posed;
    tml_polyhedron_pose(P, pose, &room, &posed);
    w.P = P;
    w.posed = &posed;
    w.at = tml_dual_pose(pose);
    w.sum.n = 0;
    w.gap = (TmlGap){.distance = fmax(reach, 0.0)};
    TmlVec3 low = posed.corner[0], high = low;
    for (int k = 1; k < posed.n_corners; ++k) {
        const TmlVec3 x = posed.corner[k];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    const TmlVec3 far = v3(w.gap.distance, w.gap.distance, w.gap.distance);
    tml_mesh_visit(m, v3_sub(low, far), v3_add(high, far), meet, &w);
    const int n = tml_press_write(&w.sum, touch, rate);
    return n > 0 ? n : tml_gap_touch(&w.gap, pose, touch, rate);
}
