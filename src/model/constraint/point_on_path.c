/* model/constraint/point_on_path.c - a point of a body stays on a curve that another body carries.
 *
 * The place on the path is a coordinate s of its own: the first end is a body of that one number,
 * the second has the point, the third carries the path:
 *
 *   (1)  phi = r_1 - r_2 - A_2 c(s)                                          three rows
 *   (2)  gamma = g of model/primitive/carried.h (C3)
 *
 * s has no mass: its row says that the force on the point has no part along the path. Accelerations
 * are continuous from piece to piece of the curve.
 */
#include "model/path/on_path.h"
#include "model/primitive/carried.h"
#include "model/registry.h"

#include <string.h>

enum { PLACE, POINT, FRAME, ENDS };

static Carried carried_of(const TmlElementIn *in)
{
    const TmlOnPath *d = in->data;
    TmlVec3 c[TML_PATH_DERIVATIVES + 1];
    tml_path_at(d->path, in->e[PLACE].r.x, c);
    return carried_make(c, &in->e[FRAME], &in->e[PLACE]);
}

static TmlVec3 unit(int k)
{
    return v3(k == 0, k == 1, k == 2);
}

static void put3(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

static void point_on_path_residual(const TmlElementIn *in, double *phi)
{
    const Carried c = carried_of(in);
    put3(phi, v3_sub(v3_sub(in->e[POINT].r, in->e[FRAME].r), c.w));
}

static void point_on_path_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const Carried c = carried_of(in);
    memset(J, 0, (size_t)(3 * ENDS) * sizeof *J);
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 e = unit(k);
        J[k * ENDS + PLACE].r.x = -v3_dot(e, c.t);
        J[k * ENDS + POINT].r = e;
        J[k * ENDS + FRAME] = (TmlRow){v3_neg(e), v3_cross(e, c.w)};
    }
}

static void point_on_path_gamma(const TmlElementIn *in, double *gamma)
{
    const Carried c = carried_of(in);
    put3(gamma, carried_second(&c)); // (2)
}

static void point_on_path_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const Carried c = carried_of(in);
    carried_curvature(&c, v3(-lambda[0], -lambda[1], -lambda[2]), 6 * ENDS, 6 * PLACE,
                      6 * FRAME + 3, K);
}

/* Rows of a derivative of the carried vector. */
static void put_rows(const CarriedBy *by, TmlRow *rows)
{
    memset(rows, 0, (size_t)(3 * ENDS) * sizeof *rows);
    for (int k = 0; k < 3; ++k) {
        rows[k * ENDS + PLACE].r.x = v3_dot(unit(k), by->s);
        rows[k * ENDS + FRAME].theta = m3_tmulv(&by->theta, unit(k));
    }
}

static void point_on_path_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const Carried c = carried_of(in);
    const CarriedBy motion = carried_second_by(&c), twist = carried_second_by_rate(&c);
    put_rows(&motion, Gm);
    put_rows(&twist, Gv);
}

static const char *const point_on_path_rows[] = {"translation along x", "translation along y",
                                                 "translation along z"};

static const TmlParam point_on_path_params[] = {
    {"path", TML_PARAM_PATH, TML_ANY, "", offsetof(TmlOnPath, path), NULL,
     "name of an entry of `paths`, or a map with its keys; in the axes of the first frame", NULL},
    {"near", TML_PARAM_REALS, TML_ANY, "m", offsetof(TmlOnPath, near_by), "",
     "a point in these axes near which the joint starts; default: the nearest point of the path",
     NULL},
    {"rate", TML_PARAM_REAL, TML_ANY, "m/s", offsetof(TmlOnPath, rate), "",
     "speed along the path at the start; default: that of the point", NULL},
    {"keep", TML_PARAM_BOOL, TML_ANY, "", offsetof(TmlOnPath, keep), "false",
     "whether assembly keeps `near` and `rate` and moves the bodies instead", NULL},
    {0},
};

static const TmlJointReading point_on_path_reading = {.ends = tml_read_on_path};

TML_CONSTRAINT_TYPE(point_on_path) = {
    .info =
        {.name = "point_on_path",
         .text = "The origin of the second frame stays on a curve that the first frame carries; "
                 "the x of the frame NAME.s is its position on the curve.",
         .example = "bodies: [ground, rod], at: [1, 0, 0], path: {points: [[1, 0, 0], [2, 0, 0]]}",
         .data_size = sizeof(TmlOnPath),
         .params = point_on_path_params},
    .ends = TML_ENDS_FRAMES,
    .rows = 3,
    .row_names = point_on_path_rows,
    .reading = &point_on_path_reading,
    .residual = point_on_path_residual,
    .jacobian = point_on_path_jacobian,
    .gamma = point_on_path_gamma,
    .curvature = point_on_path_curvature,
    .gamma_tangent = point_on_path_gamma_tangent,
};
