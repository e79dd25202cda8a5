/* model/vector_body.c - coordinates of flexible bodies as bodies of two or three numbers.
 *
 * A body without mass of its own whose coordinates are one vector: the position of a node, or one
 * of its gradients. Inertia comes from the elements that use it. Frames of flexible bodies belong
 * to points of elements, never to these.
 */
#include "model/flex.h"

#include "math/vec3.h"
#include "model/body.h"

#include <string.h>

static TmlVec3 vec_of(const double *x, int n)
{
    return v3(x[0], n > 1 ? x[1] : 0.0, n > 2 ? x[2] : 0.0);
}

static void vec_put(double *x, int n, TmlVec3 v)
{
    x[0] = v.x;
    if (n > 1) {
        x[1] = v.y;
    }
    if (n > 2) {
        x[2] = v.z;
    }
}

static void kin_of(const TmlBodyIn *in, int n, TmlBodyKin *out)
{
    *out = (TmlBodyKin){.k = {.r = vec_of(in->q, n), .A = m3_identity(), .v = vec_of(in->v, n)}};
    if (in->a != NULL) {
        out->k.a = vec_of(in->a, n);
    }
}

static void map_of(double *M, int n, double c)
{
    memset(M, 0, (size_t)(6 * n) * sizeof *M);
    for (int k = 0; k < n; ++k) {
        M[k * n + k] = c;
    }
}

static void vector_residual(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e)
{
    (void)in, (void)kin, (void)g, (void)e; // inertia belongs to the elements
}

static void vector_tangent(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K)
{
    (void)in, (void)kin, (void)c, (void)K;
}

static void vector_frame(const TmlBodyKin *kin, const TmlEnd *end, TmlFrameKin *out)
{
    *out = kin->k;
    out->A = end->A_b;
}

static void vector_geometric(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w, double c_q,
                             double *K)
{
    (void)kin, (void)end, (void)w, (void)c_q, (void)K;
}

static void vector_retract(double *q)
{
    (void)q;
}

static void vector_retract_velocity(const double *q, double *v)
{
    (void)q, (void)v;
}

static double vector_kinetic(const TmlBodyIn *in, const TmlBodyKin *kin)
{
    (void)in, (void)kin;
    return 0.0;
}

static double vector_potential(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g)
{
    (void)in, (void)kin, (void)g;
    return 0.0;
}

/* The functions that know how many numbers there are. */
#define VECTOR_FUNCTIONS(N)                                                                        \
    static void initial_##N(const TmlBody *body, double *q, double *v)                             \
    {                                                                                              \
        vec_put(q, N, body->r0);                                                                   \
        vec_put(v, N, body->v0);                                                                   \
    }                                                                                              \
    static void kin_##N(const TmlBodyIn *in, TmlBodyKin *out)                                      \
    {                                                                                              \
        kin_of(in, N, out);                                                                        \
    }                                                                                              \
    static void mass_##N(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)                    \
    {                                                                                              \
        (void)in, (void)kin;                                                                       \
        memset(M, 0, N *N * sizeof *M);                                                            \
    }                                                                                              \
    static void frame_map_##N(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c,               \
                              unsigned what, TmlFrameMap *out)                                     \
    {                                                                                              \
        (void)kin, (void)end, (void)what;                                                          \
        map_of(out->P, N, c.q);                                                                    \
        map_of(out->W, N, c.v);                                                                    \
        map_of(out->B, N, c.a);                                                                    \
    }                                                                                              \
    static void frame_wrench_##N(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,        \
                                 double *e)                                                        \
    {                                                                                              \
        (void)kin, (void)end;                                                                      \
        vec_put(e, N, v3_add(vec_of(e, N), w->r));                                                 \
    }                                                                                              \
    static void frame_dual_##N(const TmlBodyKin *kin, const TmlEnd *end, const double *X, int n,   \
                               double *Y)                                                          \
    {                                                                                              \
        (void)kin, (void)end;                                                                      \
        memcpy(Y, X, (size_t)(N * n) * sizeof *Y);                                                 \
    }                                                                                              \
    static void expand_##N(const double *q, const double *du, double *dq)                          \
    {                                                                                              \
        (void)q;                                                                                   \
        memcpy(dq, du, N * sizeof *dq);                                                            \
    }                                                                                              \
    static void acceleration_##N(const double *q, const double *v, const double *udot, double *a)  \
    {                                                                                              \
        (void)q, (void)v;                                                                          \
        memcpy(a, udot, N * sizeof *a);                                                            \
    }                                                                                              \
    static void chart_state_##N(const double *q_ref, const double *x, const double *x1, double *q, \
                                double *v)                                                         \
    {                                                                                              \
        for (int k = 0; k < N; ++k) {                                                              \
            q[k] = q_ref[k] + x[k];                                                                \
            v[k] = x1[k];                                                                          \
        }                                                                                          \
    }                                                                                              \
    static void chart_second_##N(const double *x, const double *x1, const double *udot,            \
                                 double *x2)                                                       \
    {                                                                                              \
        (void)x, (void)x1;                                                                         \
        memcpy(x2, udot, N * sizeof *x2);                                                          \
    }                                                                                              \
    static void chart_coordinates_##N(const double *q_ref, const double *q, const double *v,       \
                                      double *x, double *x1)                                       \
    {                                                                                              \
        for (int k = 0; k < N; ++k) {                                                              \
            x[k] = q[k] - q_ref[k];                                                                \
            x1[k] = v[k];                                                                          \
        }                                                                                          \
    }

#define VECTOR_TYPE(N, LENGTHS, NAME, TEXT)                                                        \
    {                                                                                              \
        .info = {.name = NAME, .text = TEXT}, .nq = N, .nu = N, .lengths = LENGTHS,                \
        .hidden = true, .initial = initial_##N, .kin = kin_##N, .residual = vector_residual,       \
        .tangent = vector_tangent, .mass = mass_##N, .frame = vector_frame,                        \
        .frame_map = frame_map_##N, .frame_wrench = frame_wrench_##N,                              \
        .frame_dual = frame_dual_##N, .frame_geometric = vector_geometric, .expand = expand_##N,   \
        .reduce = expand_##N, .retract = vector_retract,                                           \
        .retract_velocity = vector_retract_velocity, .acceleration = acceleration_##N,             \
        .chart_state = chart_state_##N, .chart_second = chart_second_##N,                          \
        .chart_acceleration = chart_second_##N, .chart_coordinates = chart_coordinates_##N,        \
        .kinetic = vector_kinetic, .potential = vector_potential                                   \
    }

VECTOR_FUNCTIONS(1)
VECTOR_FUNCTIONS(2)
VECTOR_FUNCTIONS(3)

const TmlBodyType tml_body_place = VECTOR_TYPE(1, 1, "place", "Place along a flexible body.");
const TmlBodyType tml_body_position2 =
    VECTOR_TYPE(2, 2, "position2", "Position of a node in the plane.");
const TmlBodyType tml_body_gradient2 =
    VECTOR_TYPE(2, 0, "gradient2", "Gradient at a node in the plane.");
const TmlBodyType tml_body_position3 = VECTOR_TYPE(3, 3, "position3", "Position of a node.");
const TmlBodyType tml_body_gradient3 = VECTOR_TYPE(3, 0, "gradient3", "Gradient at a node.");
