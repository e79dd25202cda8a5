/* model/flexible/vector_body.c - coordinates of flexible bodies as bodies of one to three numbers.
 *
 * A body without mass of its own whose coordinates are one vector: the position of a node, or one
 * of its gradients. Inertia comes from the elements that use it. Frames of flexible bodies belong
 * to points of elements, never to these.
 */
#include "model/flexible/flexible.h"

#include "math/vec3.h"
#include "model/body/body.h"

#include <string.h>

/* Number k of a body whose first lies along the axis `first`: 0, 1, 2 for x, y, z. */
static int axis_of(int first, int k)
{
    return (first + k) % 3;
}

static TmlVec3 vec_of(const double *x, int n, int first)
{
    double v[3] = {0};
    for (int k = 0; k < n; ++k) {
        v[axis_of(first, k)] = x[k];
    }
    return v3(v[0], v[1], v[2]);
}

static void vec_put(double *x, int n, int first, TmlVec3 vec)
{
    const double v[3] = {vec.x, vec.y, vec.z};
    for (int k = 0; k < n; ++k) {
        x[k] = v[axis_of(first, k)];
    }
}

static void kin_of(const TmlBodyIn *in, int n, int first, TmlBodyKin *out)
{
    *out = (TmlBodyKin){
        .k = {.r = vec_of(in->q, n, first), .A = m3_identity(), .v = vec_of(in->v, n, first)}};
    if (in->a != NULL) {
        out->k.a = vec_of(in->a, n, first);
    }
}

static void map_of(double *M, int n, int first, double c)
{
    memset(M, 0, (size_t)(6 * n) * sizeof *M);
    for (int k = 0; k < n; ++k) {
        M[axis_of(first, k) * n + k] = c;
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

/* The functions that know how many numbers there are, and along which axes. */
#define VECTOR_AXES(KIND, N, FIRST)                                                                \
    enum { first_##KIND = FIRST };                                                                 \
    static void initial_##KIND(const TmlBody *body, double *q, double *v)                          \
    {                                                                                              \
        vec_put(q, N, FIRST, body->r0);                                                            \
        vec_put(v, N, FIRST, body->v0);                                                            \
    }                                                                                              \
    static void kin_##KIND(const TmlBodyIn *in, TmlBodyKin *out)                                   \
    {                                                                                              \
        kin_of(in, N, FIRST, out);                                                                 \
    }                                                                                              \
    static void frame_map_##KIND(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c,            \
                                 unsigned what, TmlFrameMap *out)                                  \
    {                                                                                              \
        (void)kin, (void)end, (void)what;                                                          \
        map_of(out->P, N, FIRST, c.q);                                                             \
        map_of(out->W, N, FIRST, c.v);                                                             \
        map_of(out->B, N, FIRST, c.a);                                                             \
    }                                                                                              \
    static void frame_wrench_##KIND(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,     \
                                    double *e)                                                     \
    {                                                                                              \
        (void)kin, (void)end;                                                                      \
        vec_put(e, N, FIRST, v3_add(vec_of(e, N, FIRST), w->r));                                   \
    }                                                                                              \
    static void frame_dual_##KIND(const TmlBodyKin *kin, const TmlEnd *end, const double *X,       \
                                  int n, double *Y)                                                \
    {                                                                                              \
        (void)kin, (void)end;                                                                      \
        for (int k = 0; k < N; ++k) {                                                              \
            memcpy(Y + k * n, X + axis_of(FIRST, k) * n, (size_t)n * sizeof *Y);                   \
        }                                                                                          \
    }

/* Those that know how many only. */
#define VECTOR_NUMBERS(N)                                                                          \
    static void mass_##N(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)                    \
    {                                                                                              \
        (void)in, (void)kin;                                                                       \
        memset(M, 0, N *N * sizeof *M);                                                            \
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

#define VECTOR_TYPE(KIND, N, LENGTHS, SCALARS, NAME, TEXT)                                         \
    {                                                                                              \
        .info = {.name = NAME, .text = TEXT}, .nq = N, .nu = N, .lengths = LENGTHS,                \
        .first = first_##KIND, .scalars = SCALARS, .hidden = true, .initial = initial_##KIND,      \
        .kin = kin_##KIND, .residual = vector_residual, .tangent = vector_tangent,                 \
        .mass = mass_##N, .frame = vector_frame, .frame_map = frame_map_##KIND,                    \
        .frame_wrench = frame_wrench_##KIND, .frame_dual = frame_dual_##KIND,                      \
        .frame_geometric = vector_geometric, .expand = expand_##N, .reduce = expand_##N,           \
        .retract = vector_retract, .retract_velocity = vector_retract_velocity,                    \
        .acceleration = acceleration_##N, .chart_state = chart_state_##N,                          \
        .chart_second = chart_second_##N, .chart_acceleration = chart_second_##N,                  \
        .chart_coordinates = chart_coordinates_##N, .kinetic = vector_kinetic,                     \
        .potential = vector_potential                                                              \
    }

VECTOR_AXES(x, 1, 0)
VECTOR_AXES(xy, 2, 0)
VECTOR_AXES(yz, 2, 1)
VECTOR_AXES(zx, 2, 2)
VECTOR_AXES(xyz, 3, 0)
VECTOR_NUMBERS(1)
VECTOR_NUMBERS(2)
VECTOR_NUMBERS(3)

const TmlBodyType tml_body_place =
    VECTOR_TYPE(x, 1, 1, false, "place", "Place along a flexible body.");
const TmlBodyType tml_body_position2 =
    VECTOR_TYPE(xy, 2, 2, false, "position2", "Position of a node in the plane.");
const TmlBodyType tml_body_gradient2 =
    VECTOR_TYPE(xy, 2, 0, false, "gradient2", "Gradient at a node in the plane.");
const TmlBodyType tml_body_position_yz =
    VECTOR_TYPE(yz, 2, 2, false, "position_yz", "Position of a node in a plane.");
const TmlBodyType tml_body_gradient_yz =
    VECTOR_TYPE(yz, 2, 0, false, "gradient_yz", "Gradient at a node in a plane.");
const TmlBodyType tml_body_position_zx =
    VECTOR_TYPE(zx, 2, 2, false, "position_zx", "Position of a node in a plane.");
const TmlBodyType tml_body_gradient_zx =
    VECTOR_TYPE(zx, 2, 0, false, "gradient_zx", "Gradient at a node in a plane.");
const TmlBodyType tml_body_position3 =
    VECTOR_TYPE(xyz, 3, 3, false, "position3", "Position of a node.");
const TmlBodyType tml_body_gradient3 =
    VECTOR_TYPE(xyz, 3, 0, false, "gradient3", "Gradient at a node.");

/* Coordinates of modal bodies count as lengths: each is the displacement where its mode has most. */
#define MODES_TYPE(KIND, N, NAME)                                                                  \
    VECTOR_TYPE(KIND, N, N, true, NAME, "Coordinates of a modal body.")

static const TmlBodyType modes1 = MODES_TYPE(x, 1, "modes1"), modes2 = MODES_TYPE(xy, 2, "modes2"),
                         modes3 = MODES_TYPE(xyz, 3, "modes3");
const TmlBodyType *const tml_body_modes[3] = {&modes1, &modes2, &modes3};
