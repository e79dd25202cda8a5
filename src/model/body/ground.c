/* model/body/ground.c - the ground, and what stands for a flexible body: no coordinates, a frame
 * that does not move. */
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "model/registry.h"

static void ground_initial(const TmlBody *body, double *q, double *v)
{
    (void)body, (void)q, (void)v;
}

static void ground_kin(const TmlBodyIn *in, TmlBodyKin *out)
{
    (void)in;
    *out = (TmlBodyKin){.k = {.A = m3_identity()}};
}

static void ground_residual(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e)
{
    (void)in, (void)kin, (void)g, (void)e;
}

static void ground_tangent(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K)
{
    (void)in, (void)kin, (void)c, (void)K;
}

static void ground_mass(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)
{
    (void)in, (void)kin, (void)M;
}

static void ground_frame(const TmlBodyKin *kin, const TmlEnd *end, TmlFrameKin *out)
{
    (void)kin;
    *out = (TmlFrameKin){.r = end->s_b, .A = end->A_b};
}

static void ground_frame_map(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c, unsigned what,
                             TmlFrameMap *out)
{
    (void)kin, (void)end, (void)c, (void)what, (void)out; // 6 x 0
}

static void ground_frame_wrench(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,
                                double *e)
{
    (void)kin, (void)end, (void)w, (void)e;
}

static void ground_frame_dual(const TmlBodyKin *kin, const TmlEnd *end, const double *X, int n,
                              double *Y)
{
    (void)kin, (void)end, (void)X, (void)n, (void)Y;
}

static void ground_frame_geometric(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,
                                   double c_q, double *K)
{
    (void)kin, (void)end, (void)w, (void)c_q, (void)K;
}

static void ground_expand(const double *q, const double *du, double *dq)
{
    (void)q, (void)du, (void)dq;
}

static void ground_retract(double *q)
{
    (void)q;
}

static void ground_retract_velocity(const double *q, double *v)
{
    (void)q, (void)v;
}

static void ground_acceleration(const double *q, const double *v, const double *udot, double *a)
{
    (void)q, (void)v, (void)udot, (void)a;
}

static void ground_chart_state(const double *q_ref, const double *x, const double *x1, double *q,
                               double *v)
{
    (void)q_ref, (void)x, (void)x1, (void)q, (void)v;
}

static void ground_chart_second(const double *x, const double *x1, const double *udot, double *x2)
{
    (void)x, (void)x1, (void)udot, (void)x2;
}

static void ground_chart_coordinates(const double *q_ref, const double *q, const double *v,
                                     double *x, double *x1)
{
    (void)q_ref, (void)q, (void)v, (void)x, (void)x1;
}

static double ground_kinetic(const TmlBodyIn *in, const TmlBodyKin *kin)
{
    (void)in, (void)kin;
    return 0.0;
}

static double ground_potential(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g)
{
    (void)in, (void)kin, (void)g;
    return 0.0;
}

/* What ground and the stand-ins of flexible bodies have in common: no coordinates. */
#define NO_COORDINATES                                                                             \
    .nq = 0, .nu = 0, .initial = ground_initial, .kin = ground_kin, .residual = ground_residual,   \
    .tangent = ground_tangent, .mass = ground_mass, .frame = ground_frame,                         \
    .frame_map = ground_frame_map, .frame_wrench = ground_frame_wrench,                            \
    .frame_dual = ground_frame_dual, .frame_geometric = ground_frame_geometric,                    \
    .expand = ground_expand, .reduce = ground_expand, .retract = ground_retract,                   \
    .retract_velocity = ground_retract_velocity, .acceleration = ground_acceleration,              \
    .chart_state = ground_chart_state, .chart_second = ground_chart_second,                        \
    .chart_acceleration = ground_chart_second, .chart_coordinates = ground_chart_coordinates,      \
    .kinetic = ground_kinetic, .potential = ground_potential

TML_BODY_TYPE(ground) = {
    .info = {.name = "ground", .text = "The ground: fixed, the origin of all positions."},
    NO_COORDINATES,
};

TML_BODY_TYPE(flexible) = {
    .info = {.name = "flexible", .text = "A flexible body; its coordinates belong to its nodes."},
    .mesh = true,
    NO_COORDINATES,
};
