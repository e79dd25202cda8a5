/* model/body/point.c - point mass: three coordinates, no rotation.
 *
 *   (B1)  m a - m g = f
 *
 * Frames of a point keep their place beside it and their axes: it does not turn, and torques do
 * nothing.
 */
#include "model/body/point.h"

#include "math/array.h"
#include "math/vec3.h"
#include "model/read/read.h"
#include "model/registry.h"

#include <string.h>

static void point_initial(const TmlBody *body, double *q, double *v)
{
    v3_put(q, body->r0);
    v3_put(v, body->v0);
}

static void point_kin(const TmlBodyIn *in, TmlBodyKin *out)
{
    *out = (TmlBodyKin){.k = {.r = v3_at(in->q), .A = m3_identity(), .v = v3_at(in->v)}};
    if (in->a != NULL) {
        out->k.a = v3_at(in->a);
    }
}

static void point_residual(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e)
{
    const TmlPointData *d = in->data;
    e[0] += d->mass * (kin->k.a.x - g.x); // (B1)
    e[1] += d->mass * (kin->k.a.y - g.y);
    e[2] += d->mass * (kin->k.a.z - g.z);
}

static void point_tangent(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K)
{
    const TmlPointData *d = in->data;
    (void)kin;
    K[0] += c.a * d->mass;
    K[4] += c.a * d->mass;
    K[8] += c.a * d->mass;
}

static void point_mass(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)
{
    memset(M, 0, 9 * sizeof *M);
    point_tangent(in, kin, (TmlCoeffs){.a = 1.0}, M);
}

static void point_frame(const TmlBodyKin *kin, const TmlEnd *end, TmlFrameKin *out)
{
    *out = kin->k;
    out->r = v3_add(kin->k.r, end->s_b);
    out->A = end->A_b;
}

static void map_fill(double *M, double c)
{
    memset(M, 0, 18 * sizeof *M);
    M[0] = M[4] = M[8] = c;
}

static void point_frame_map(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c, unsigned what,
                            TmlFrameMap *out)
{
    (void)kin, (void)end, (void)what;
    map_fill(out->P, c.q);
    map_fill(out->W, c.v);
    map_fill(out->B, c.a);
}

static void point_frame_wrench(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w, double *e)
{
    (void)kin, (void)end;
    e[0] += w->r.x;
    e[1] += w->r.y;
    e[2] += w->r.z;
}

static void point_frame_dual(const TmlBodyKin *kin, const TmlEnd *end, const double *X, int n,
                             double *Y)
{
    (void)kin, (void)end;
    memcpy(Y, X, 3 * (size_t)n * sizeof *Y);
}

static void point_frame_geometric(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,
                                  double c_q, double *K)
{
    (void)kin, (void)end, (void)w, (void)c_q, (void)K; // T is constant
}

static void point_expand(const double *q, const double *du, double *dq)
{
    (void)q;
    memcpy(dq, du, 3 * sizeof *dq);
}

static void point_retract(double *q)
{
    (void)q;
}

static void point_retract_velocity(const double *q, double *v)
{
    (void)q, (void)v;
}

static void point_acceleration(const double *q, const double *v, const double *udot, double *a)
{
    (void)q, (void)v;
    memcpy(a, udot, 3 * sizeof *a);
}

static void point_chart_state(const double *q_ref, const double *x, const double *x1, double *q,
                              double *v)
{
    for (int k = 0; k < 3; ++k) {
        q[k] = q_ref[k] + x[k];
        v[k] = x1[k];
    }
}

static void point_chart_second(const double *x, const double *x1, const double *udot, double *x2)
{
    (void)x, (void)x1;
    memcpy(x2, udot, 3 * sizeof *x2);
}

static void point_chart_coordinates(const double *q_ref, const double *q, const double *v,
                                    double *x, double *x1)
{
    for (int k = 0; k < 3; ++k) {
        x[k] = q[k] - q_ref[k];
        x1[k] = v[k];
    }
}

static double point_kinetic(const TmlBodyIn *in, const TmlBodyKin *kin)
{
    const TmlPointData *d = in->data;
    return 0.5 * d->mass * v3_dot(kin->k.v, kin->k.v);
}

static double point_potential(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g)
{
    const TmlPointData *d = in->data;
    return -d->mass * v3_dot(g, kin->k.r);
}

static const TmlParam point_params[] = {
    {"mass", TML_PARAM_REAL, TML_NONNEGATIVE, "kg", offsetof(TmlPointData, mass), NULL, "mass",
     NULL},
    {0},
};

static void point_inertia(const void *data, double *mass, TmlMat33 *J)
{
    *mass = ((const TmlPointData *)data)->mass;
    *J = (TmlMat33){0};
}

TML_BODY_TYPE(point) = {
    .info = {.name = "point",
             .text = "Point mass: three coordinates, no rotation.",
             .data_size = sizeof(TmlPointData),
             .params = point_params},
    .nq = 3,
    .nu = 3,
    .lengths = 3,
    .read = tml_read_point,
    .inertia = point_inertia,
    .initial = point_initial,
    .kin = point_kin,
    .residual = point_residual,
    .tangent = point_tangent,
    .mass = point_mass,
    .frame = point_frame,
    .frame_map = point_frame_map,
    .frame_wrench = point_frame_wrench,
    .frame_dual = point_frame_dual,
    .frame_geometric = point_frame_geometric,
    .expand = point_expand,
    .reduce = point_expand,
    .retract = point_retract,
    .retract_velocity = point_retract_velocity,
    .acceleration = point_acceleration,
    .chart_state = point_chart_state,
    .chart_second = point_chart_second,
    .chart_acceleration = point_chart_second, // its own inverse
    .chart_coordinates = point_chart_coordinates,
    .kinetic = point_kinetic,
    .potential = point_potential,
};
