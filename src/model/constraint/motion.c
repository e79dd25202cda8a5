/* model/constraint/motion.c - a driven joint: its angle or displacement follows a function of time.
 *
 *   (M1)  s - g(t) = 0,  s the angle about or the displacement along z of the first frame
 *
 * and, for a function f that prescribes
 *
 *   (M2)  displacement:  g = f
 *   (M3)  velocity:      g = s_c + int f,                       from t_c to t
 *   (M4)  acceleration:  g = s_c + w_c (t - t_c) + int (t - x) f(x) dx,  g' = w_c + int f
 *
 * All three hold at position level, so nothing drifts and every integrator can use them. (M3) and
 * (M4) start from the initial motion of the joint and remember t_c, s_c = g(t_c), w_c = g'(t_c) of
 * the last accepted state; the integrals over one step are by Gauss's formula with 8 points, whose
 * error is of order h^17. Steps end where f has a kink. An angle is the branch nearest to g, so it
 * needs no count of turns.
 * Primitives and derivatives: model/primitive.c. Text: docs/theory/constraints.md#motion
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/binding.h"
#include "model/primitive.h"
#include "model/registry.h"

enum { OF_DISPLACEMENT, OF_VELOCITY, OF_ACCELERATION };

/* Places in memory; all zero before the first commit. */
enum { STARTED, T_C, S_C, W_C, MEMORY };

typedef struct MotionData {
    int joint;
    TmlBinding *function; // of time only
    int coordinate;       // TmlCoordinate
    int of;
    double s0, w0; // coordinate and its rate at the start
} MotionData;

static TmlPrim coordinate(const MotionData *p)
{
    return p->coordinate == TML_COORD_ANGLE ? (TmlPrim){.kind = TML_PRIM_ANGLE}
                                            : (TmlPrim){.kind = TML_PRIM_ALONG, .axis_i = 2};
}

static size_t motion_work(const void *data)
{
    return ((const MotionData *)data)->function->work;
}

/* Rate of a coordinate that one end gives it. */
static double rate_of(const TmlRow *J, const TmlFrameKin *e)
{
    return v3_dot(J->r, e->v) + v3_dot(J->theta, e->omega);
}

static TmlStatus motion_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    MotionData *p = data;
    const TmlBinding *f = p->function;
    (void)n_ends;
    if (f->uses_motion || f->uses_twist || f->uses_acceleration || f->n_unknowns > 0) {
        return tml_fail(err, TML_E_MODEL,
                        "'%s' reads the state; the function of a motion may depend on time only",
                        f->text);
    }
    const TmlPrim s = coordinate(p);
    TmlRow Ji, Jj;
    tml_prim_rows(&s, &e[0], &e[1], &Ji, &Jj);
    p->s0 = tml_prim_value(&s, &e[0], &e[1], 0.0);
    p->w0 = rate_of(&Ji, &e[0]) + rate_of(&Jj, &e[1]);
    return TML_OK;
}

/* Integrals from a to b of f(x) and of (b - x) f(x). */
static void integrals(const TmlBinding *f, double a, double b, double *work, double I[2])
{
    static const double node[4] = {0.18343464249564980494, 0.52553240991632898582,
                                   0.79666647741362673959, 0.96028985649753623168};
    static const double weight[4] = {0.36268378337836198297, 0.31370664587788728734,
                                     0.22238103445337447054, 0.10122853629037625915};
    const double half = 0.5 * (b - a);
    I[0] = I[1] = 0.0;
    for (int k = 0; k < 8; ++k) {
        const double x = k % 2 == 0 ? node[k / 2] : -node[k / 2];
        double d[4];
        tml_binding_time(f, a + half * (1.0 + x), work, d);
        I[0] += half * weight[k / 2] * d[0];
        I[1] += half * weight[k / 2] * half * (1.0 - x) * d[0];
    }
}

/* g and its first three derivatives at in->t. */
static void target(const TmlElementIn *in, double g[4])
{
    const MotionData *p = in->data;
    double f[4];
    tml_binding_time(p->function, in->t, in->work, f);
    if (p->of == OF_DISPLACEMENT) {
        for (int k = 0; k < 4; ++k) {
            g[k] = f[k]; // (M2)
        }
        return;
    }
    double s = p->s0, w = p->w0, h = 0.0, I[2] = {0.0, 0.0};
    if (in->memory[STARTED] != 0.0) {
        s = in->memory[S_C];
        w = in->memory[W_C];
        h = in->t - in->memory[T_C];
        integrals(p->function, in->memory[T_C], in->t, in->work, I);
    }
    if (p->of == OF_VELOCITY) {
        g[0] = s + I[0]; // (M3)
        g[1] = f[0];
        g[2] = f[1];
        g[3] = f[2];
    } else {
        g[0] = s + w * h + I[1]; // (M4)
        g[1] = w + I[0];
        g[2] = f[0];
        g[3] = f[1];
    }
}

static void motion_residual(const TmlElementIn *in, double *phi)
{
    const TmlPrim s = coordinate(in->data);
    double g[4];
    target(in, g);
    phi[0] = tml_prim_value(&s, &in->e[0], &in->e[1], g[0]) - g[0]; // (M1)
}

static void motion_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const TmlPrim s = coordinate(in->data);
    tml_prims_jacobian(&s, 1, in, J);
}

static void motion_rate(const TmlElementIn *in, double *phi_t)
{
    double g[4];
    target(in, g);
    phi_t[0] = -g[1];
}

static void motion_gamma(const TmlElementIn *in, double *gamma)
{
    const TmlPrim s = coordinate(in->data);
    double g[4];
    target(in, g);
    tml_prims_gamma(&s, 1, in, gamma);
    gamma[0] += g[2];
}

static void motion_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const TmlPrim s = coordinate(in->data);
    tml_prims_curvature(&s, 1, in, lambda, K);
}

static void motion_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const TmlPrim s = coordinate(in->data);
    tml_prims_gamma_tangent(&s, 1, in, Gm, Gv);
}

static void motion_gamma_t(const TmlElementIn *in, double *gamma_t)
{
    double g[4];
    target(in, g);
    gamma_t[0] = g[3];
}

static void motion_commit(const TmlElementIn *in, double *memory)
{
    double g[4];
    target(in, g);
    memory[STARTED] = 1.0;
    memory[T_C] = in->t;
    memory[S_C] = g[0];
    memory[W_C] = g[1];
}

/* Of a motion that joins: from where the joint is, as fast as it moves. */
static void motion_begin(const TmlElementIn *in, double *memory)
{
    const TmlPrim s = coordinate(in->data);
    TmlRow Ji, Jj;
    tml_prim_rows(&s, &in->e[0], &in->e[1], &Ji, &Jj);
    memory[STARTED] = 1.0;
    memory[T_C] = in->t;
    memory[S_C] = tml_prim_value(&s, &in->e[0], &in->e[1], 0.0);
    memory[W_C] = rate_of(&Ji, &in->e[0]) + rate_of(&Jj, &in->e[1]);
}

static const char *const motion_rows[] = {"motion"};

static const TmlParam motion_params[] = {
    {"joint", TML_PARAM_JOINT, TML_ANY, "", offsetof(MotionData, joint), "",
     "joint that is driven; without it the frames are given", NULL},
    {"function", TML_PARAM_EXPR, TML_ANY, "", offsetof(MotionData, function), NULL,
     "function of time, in rad or m, or these per s or s^2", NULL},
    {"coordinate", TML_PARAM_CHOICE, TML_ANY, "", offsetof(MotionData, coordinate), "angle",
     "coordinate of the joint that is driven", "angle|displacement"},
    {"of", TML_PARAM_CHOICE, TML_ANY, "", offsetof(MotionData, of), "displacement",
     "what the function prescribes: the coordinate, its rate or its second rate",
     "displacement|velocity|acceleration"},
    {0},
};

const TmlConstraintType tml_constraint_motion = {
    .info = {.name = "motion",
             .text = "The angle or displacement of a joint follows a function of time.",
             .data_size = sizeof(MotionData),
             .params = motion_params},
    .ends = TML_ENDS_JOINT,
    .rows = 1,
    .n_memory = MEMORY,
    .row_names = motion_rows,
    .work = motion_work,
    .prepare = motion_prepare,
    .residual = motion_residual,
    .jacobian = motion_jacobian,
    .rate = motion_rate,
    .gamma = motion_gamma,
    .curvature = motion_curvature,
    .gamma_tangent = motion_gamma_tangent,
    .gamma_t = motion_gamma_t,
    .commit = motion_commit,
    .begin = motion_begin,
};
