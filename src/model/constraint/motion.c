/* model/constraint/motion.c - a driven joint: its angle or displacement follows a function of time.
 *
 *   (M1)  s - g(t) = 0,  s the angle about or the displacement along z of the first frame
 *
 * with g of model/primitive/course.h. An angle is the branch nearest to g, so it needs no count of turns.
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#motion
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/primitive/course.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

#include <string.h>

typedef struct MotionData {
    int joint;
    int coordinate; // TmlCoordinate
    TmlCourse course;
} MotionData;

static TmlPrim coordinate(const MotionData *p)
{
    return p->coordinate == TML_COORD_ANGLE ? (TmlPrim){.kind = TML_PRIM_ANGLE}
                                            : (TmlPrim){.kind = TML_PRIM_ALONG, .axis_i = 2};
}

static size_t motion_work(const void *data)
{
    return ((const MotionData *)data)->course.function->work;
}

static bool motion_drives(const void *data)
{
    (void)data;
    return true;
}

/* Rate of a coordinate that one end gives it. */
static double rate_of(const TmlRow *J, const TmlFrameKin *e)
{
    return v3_dot(J->r, e->v) + v3_dot(J->theta, e->omega);
}

/* The coordinate and its rate. */
static void stand(const MotionData *p, const TmlFrameKin *e, double *value, double *rate)
{
    const TmlPrim s = coordinate(p);
    TmlRow Ji, Jj;
    tml_prim_rows(&s, &e[0], &e[1], &Ji, &Jj);
    *value = tml_prim_value(&s, &e[0], &e[1], 0.0);
    *rate = rate_of(&Ji, &e[0]) + rate_of(&Jj, &e[1]);
}

static TmlStatus motion_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    MotionData *p = data;
    double s, w;
    (void)n_ends;
    stand(p, e, &s, &w);
    return tml_course_prepare(&p->course, s, w, err);
}

static void target(const TmlElementIn *in, double g[4])
{
    tml_course_at(&((const MotionData *)in->data)->course, in, g);
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
    tml_course_commit(&((const MotionData *)in->data)->course, in, memory);
}

/* Of a motion that joins: from where the joint is, as fast as it moves. */
static void motion_begin(const TmlElementIn *in, double *memory)
{
    double s, w;
    stand(in->data, in->e, &s, &w);
    tml_course_begin(in->t, s, w, memory);
}

static double motion_drive(const TmlElementIn *in, double g[3])
{
    double all[4];
    target(in, all);
    memcpy(g, all, 3 * sizeof *g);
    return -1.0;
}

static const char *const motion_rows[] = {"motion"};

static const TmlParam motion_params[] = {
    {"joint", TML_PARAM_JOINT, TML_ANY, "", offsetof(MotionData, joint), "",
     "the driven joint; without it, give the frames", NULL},
    {"coordinate", TML_PARAM_COORDINATE, TML_ANY, "", offsetof(MotionData, coordinate), "",
     "the driven coordinate, angle or displacement; default: the only one that the joint has, for "
     "frames the angle",
     "angle|displacement"},
    TML_COURSE_PARAMS(MotionData),
    {0},
};

TML_CONSTRAINT_TYPE(motion) = {
    .info = {.name = "motion",
             .text = "The angle or displacement of a joint follows a function of time.",
             .example = "joint: pin, function: 2*pi*time",
             .data_size = sizeof(MotionData),
             .params = motion_params},
    .ends = TML_ENDS_JOINT,
    .rows = 1,
    .n_memory = TML_COURSE_MEMORY,
    .row_names = motion_rows,
    .work = motion_work,
    .drives = motion_drives,
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
    .drive = motion_drive,
};
