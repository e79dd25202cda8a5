/* model/contact/shape/mesh/mesh_solid.c - closed triangle meshes: neighbours, checks, flat patches, a tree of bounds. */
#include "model/contact/shape/mesh/mesh_solid.h"
#include "base/arena.h"
#include "math/vec3.h"

#include <stdlib.h>

static const double FLAT = 1e-10; // 1 - cosine of normals of one plane: rounding of stored corners
static const double SLIVER = 1e-12; // area over the square of the mesh's size

static TmlVec3 at(const TmlMeshSolid *m, int triangle, int i)
{
    return m->t.corner[m->t.triangle[triangle][i]];
}

/* --- neighbours and checks ------------------------------------------------------------------ */

typedef struct Side {
    int a, b; // a < b
    int triangle, i;
} Side;

static int by_corners(const void *p, const void *q)
{
    const Side *x = p, *y = q;
    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }
    if (x->b != y->b) {
        return x->b < y->b ? -1 : 1;
    }
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

/* Join sides that have the same two corners. Triangles are counted from one in messages. */
static TmlStatus join(TmlMeshSolid *m, const Side *side, TmlError *err)
{
    const int n = 3 * m->t.n_triangles;
    for (int k = 0; k < n;) {
        int same = 1;
        while (k + same < n && side[k + same].a == side[k].a && side[k + same].b == side[k].b) {
            ++same;
        }
        const Side *x = &side[k], *y = &side[k + (same > 1)];
        if (same == 1) {
            return tml_fail(err, TML_E_MODEL,
                            "the mesh has a hole beside triangle %d (its side %d has no neighbour)",
                            x->triangle + 1, x->i + 1);
        }
        if (same > 2) {
            return tml_fail(err, TML_E_MODEL, "%d triangles share a side of triangle %d", same,
                            x->triangle + 1);
        }
        if (m->t.triangle[x->triangle][x->i] == m->t.triangle[y->triangle][y->i]) {
            return tml_fail(err, TML_E_MODEL,
                            "triangle %d is turned against its neighbour %d: normals are inverted",
                            y->triangle + 1, x->triangle + 1);
        }
        m->across[x->triangle][x->i] = y->triangle;
        m->across[y->triangle][y->i] = x->triangle;
        k += same;
    }
    return TML_OK;
}

static TmlStatus find_neighbours(TmlMeshSolid *m, TmlError *err)
{
    const int n = m->t.n_triangles;
    Side *side = tml_mem_zalloc((size_t)n, 3 * sizeof *side);
    if (side == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the sides of %d triangles", n);
    }
    for (int k = 0; k < 3 * n; ++k) {
        const int a = m->t.triangle[k / 3][k % 3], b = m->t.triangle[k / 3][(k + 1) % 3];
        side[k] = (Side){a < b ? a : b, a < b ? b : a, k / 3, k % 3};
    }
    qsort(side, (size_t)(3 * n), sizeof *side, by_corners);
    const TmlStatus status = join(m, side, err);
    tml_mem_free(side);
    return status;
}

static TmlStatus find_normals(TmlMeshSolid *m, TmlError *err)
{
    const double size = v3_norm(v3_sub(m->high, m->low));
    double volume = 0.0;
    for (int k = 0; k < m->t.n_triangles; ++k) {
        const TmlVec3 a = v3_sub(at(m, k, 0), m->low);
        const TmlVec3 n =
            v3_cross(v3_sub(at(m, k, 1), at(m, k, 0)), v3_sub(at(m, k, 2), at(m, k, 0)));
        if (!(v3_norm(n) > SLIVER * size * size)) {
            return tml_fail(err, TML_E_MODEL, "triangle %d has no area", k + 1);
        }
        m->normal[k] = v3_unit(n);
        volume += v3_dot(n, a) / 6.0;
    }
    if (!(volume > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "normals point into the solid, that of triangle 1 and all others: its "
                        "volume is %g",
                        volume);
    }
    return TML_OK;
}

/* Number the flat patches, by walking over sides between triangles of one plane. stack: n_triangles. */
static void find_patches(TmlMeshSolid *m, int *stack)
{
    int patches = 0;
    for (int k = 0; k < m->t.n_triangles; ++k) {
        m->patch[k] = -1;
    }
    for (int k = 0; k < m->t.n_triangles; ++k) {
        if (m->patch[k] >= 0) {
            continue;
        }
        int n = 0;
        stack[n++] = k;
        m->patch[k] = patches;
        while (n > 0) {
            const int now = stack[--n];
            for (int i = 0; i < 3; ++i) {
                const int next = m->across[now][i];
                // by the plane of the first, so that a gentle curve is not one patch
                if (m->patch[next] < 0 && v3_dot(m->normal[next], m->normal[k]) > 1.0 - FLAT) {
                    m->patch[next] = patches;
                    stack[n++] = next;
                }
            }
        }
        patches++;
    }
}

/* --- the tree --------------------------------------------------------------------------------- */

static TmlVec3 lower(TmlVec3 a, TmlVec3 b)
{
    return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static TmlVec3 upper(TmlVec3 a, TmlVec3 b)
{
    return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

/* Three times the coordinate of the middle. */
static double middle(const TmlMeshSolid *m, int triangle, int axis)
{
    const TmlVec3 sum = v3_add(at(m, triangle, 0), v3_add(at(m, triangle, 1), at(m, triangle, 2)));
    return axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z;
}

/* Puts the k-th triangle along an axis in its place, lower ones before it (Hoare). */
static void part_at(const TmlMeshSolid *m, int *order, int n, int k, int axis)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const double pivot = middle(m, order[(low + high) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(m, order[i], axis) < pivot) {
                ++i;
            }
            while (middle(m, order[j], axis) > pivot) {
                --j;
            }
            if (i <= j) {
                const int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static void build(TmlMeshSolid *m, int node, int first, int count)
{
    TmlMeshNode3 *x = &m->node[node];
    x->low = x->high = at(m, m->order[first], 0);
    for (int k = first; k < first + count; ++k) {
        for (int i = 0; i < 3; ++i) {
            x->low = lower(x->low, at(m, m->order[k], i));
            x->high = upper(x->high, at(m, m->order[k], i));
        }
    }
    if (count <= 4) {
        x->first = first;
        x->count = count;
        return;
    }
    const TmlVec3 d = v3_sub(x->high, x->low);
    const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2, half = count / 2;
    part_at(m, m->order + first, count, half, axis);
    const int child = m->n_nodes;
    m->n_nodes += 2;
    x->first = child;
    x->count = 0;
    build(m, child, first, half);
    build(m, child + 1, first + half, count - half);
}

static bool apart(TmlVec3 low, TmlVec3 high, const TmlMeshNode3 *x)
{
    return low.x > x->high.x || low.y > x->high.y || low.z > x->high.z || high.x < x->low.x ||
           high.y < x->low.y || high.z < x->low.z;
}

void tml_mesh_visit(const TmlMeshSolid *m, TmlVec3 low, TmlVec3 high, TmlMeshVisit *visit,
                    void *user)
{
    int stack[64], n = 0; // halves of halves: 31 levels at most, one waits at each
    stack[n++] = 0;
    while (n > 0) {
        const TmlMeshNode3 *x = &m->node[stack[--n]];
        if (apart(low, high, x)) {
            continue;
        }
        for (int k = x->first; k < x->first + x->count; ++k) {
            if (!visit(m, m->order[k], user)) {
                return;
            }
        }
        if (x->count == 0) {
            stack[n++] = x->first;
            stack[n++] = x->first + 1;
        }
    }
}

TmlStatus tml_mesh_solid(const TmlMeshTriangles *t, const TmlShapeSetup *setup, TmlMeshSolid *out,
                         TmlError *err)
{
    const int n = t->n_triangles;
    if (n < 4) {
        return tml_fail(err, TML_E_MODEL, "%d triangles enclose no solid", n);
    }
    *out = (TmlMeshSolid){.t = *t};
    TML_TAKE(setup, out->across, n);
    TML_TAKE(setup, out->normal, n);
    TML_TAKE(setup, out->patch, n);
    TML_TAKE(setup, out->order, n);
    TML_TAKE(setup, out->node, 2 * n);
    out->low = out->high = t->corner[t->triangle[0][0]];
    for (int k = 0; k < 3 * n; ++k) {
        out->low = lower(out->low, t->corner[t->triangle[k / 3][k % 3]]);
        out->high = upper(out->high, t->corner[t->triangle[k / 3][k % 3]]);
    }
    TML_TRY(find_neighbours(out, err));
    TML_TRY(find_normals(out, err));
    find_patches(out, out->order);
    for (int k = 0; k < n; ++k) {
        out->order[k] = k;
    }
    out->n_nodes = 1;
    build(out, 0, 0, n);
    return TML_OK;
}

/* --- one triangle ----------------------------------------------------------------------------- */

TmlVec3 tml_triangle_nearest(TmlVec3 a, TmlVec3 b, TmlVec3 c, TmlVec3 x, int *where)
{
    const TmlVec3 corner[3] = {a, b, c};
    const TmlVec3 n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    bool inside = true;
    double best = HUGE_VAL;
    TmlVec3 out = a;
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 p = corner[i], u = v3_sub(corner[(i + 1) % 3], p), d = v3_sub(x, p);
        if (v3_dot(v3_cross(n, u), d) >= 0.0) {
            continue; // on the inner side of this side
        }
        inside = false;
        const double s = v3_dot(u, d) / v3_dot(u, u);
        const TmlVec3 foot = v3_axpy(fmin(fmax(s, 0.0), 1.0), u, p);
        const double distance = v3_norm(v3_sub(x, foot));
        if (distance < best) {
            best = distance;
            out = foot;
            *where = s <= 0.0 ? 4 + i : s >= 1.0 ? 4 + (i + 1) % 3 : 1 + i;
        }
    }
    if (inside) {
        *where = 0;
        out = v3_axpy(-v3_dot(n, v3_sub(x, a)), n, x);
    }
    return out;
}
