/* model/contact/shape/hull.c - the convex hull of points, or of the corners of a mesh file. */
#include "model/contact/shape/hull.h"
#include "math/vec3.h"
#include "model/contact/shape/mesh/triangles.h"
#include "model/contact/shape/polyhedron/convex_hull.h"

static void hull_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const TmlPolyhedron *P = ((const TmlHullData *)data)->solid;
    *low = *high = P->corner[0];
    for (int k = 1; k < P->n_corners; ++k) {
        const TmlVec3 x = P->corner[k];
        *low = v3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = v3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
}

static TmlVec3 hull_support(const void *data, TmlVec3 direction, int *feature)
{
    const TmlPolyhedron *P = ((const TmlHullData *)data)->solid;
    *feature = tml_polyhedron_support(P, direction);
    return P->corner[*feature];
}

static int hull_faces(const void *data, const int **start, const int **loop, const TmlVec3 **corner)
{
    const TmlPolyhedron *P = ((const TmlHullData *)data)->solid;
    *start = P->start;
    *loop = P->loop;
    *corner = P->corner;
    return P->n_faces;
}

static TmlStatus hull_check(const void *data, TmlError *err)
{
    const TmlHullData *d = data;
    const bool file = d->file != NULL && d->file[0] != '\0';
    if (file == (d->vertices.n > 0)) {
        return tml_fail(err, TML_E_MODEL, "a hull has either vertices or a file");
    }
    if (d->vertices.n % 3 != 0) {
        return tml_fail(err, TML_E_MODEL,
                        "vertices has %d numbers; three for each point are wanted", d->vertices.n);
    }
    return TML_OK;
}

static TmlStatus hull_prepare(void *data, const TmlShapeSetup *setup, TmlError *err)
{
    TmlHullData *d = data;
    TmlPolyhedron *solid;
    TmlVec3 *x;
    int n = d->vertices.n / 3;
    TML_TAKE(setup, solid, 1);
    if (n > 0) {
        TML_TAKE(setup, x, n);
        for (int k = 0; k < n; ++k) {
            const double *v = d->vertices.value + 3 * k;
            x[k] = v3_scale(d->scale, v3(v[0], v[1], v[2]));
        }
    } else {
        TmlMeshTriangles m;
        TML_TRY(tml_mesh_triangles(d->file, d->scale, setup, &m, err));
        x = m.corner;
        n = m.n_corners;
    }
    TML_TRY(tml_convex_hull(x, n, setup, solid, err));
    solid->corners = d->head.points == TML_POINTS_CORNERS;
    d->solid = solid;
    return TML_OK;
}

static const TmlParam hull_params[] = {
    {"vertices", TML_PARAM_POINTS, TML_ANY, "m", offsetof(TmlHullData, vertices), "",
     "points: [x, y, z] of each", NULL},
    {"file", TML_PARAM_STRING, TML_ANY, "", offsetof(TmlHullData, file), "",
     "an STL or OBJ file whose corners are the points", NULL},
    {"scale", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(TmlHullData, scale), "1",
     "lengths are multiplied by this", NULL},
    TML_POLYHEDRON_POINTS,
    {0},
};

TML_SHAPE_TYPE(hull) = {
    .info = {.name = "hull",
             .text = "The convex hull of points or of a mesh file. It touches as a box does.",
             .data_size = sizeof(TmlHullData),
             .params = hull_params,
             .example = "vertices: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]"},
    .surface = TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .check = hull_check,
    .prepare = hull_prepare,
    .bounds = hull_bounds,
    .support = hull_support,
    .faces = hull_faces,
};
