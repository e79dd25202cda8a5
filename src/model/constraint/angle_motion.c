/* model/constraint/angle_motion.c - one of three successive angles follows a function of time.
 *
 * The axes of the second frame come from those of the first by turns b1 about x, b2 about the new y
 * and b3 about the new z. With g(t) of model/primitive/course.h and R_ac = a_i . c_j:
 *
 *   (B1)  first:   phi = -R_yz cos g - R_zz sin g = cos b2 sin(b1 - g)
 *   (B2)  second:  phi = R_xz - sin g             = sin b2 - sin g
 *   (B3)  third:   phi = -R_xy cos g - R_xx sin g = cos b2 sin(b3 - g)
 *
 * These are smooth at any number of turns. All are phi = A(t) p + B(t) q + C(t) with p and q
 * cosines between axes (P2):
 *
 *   (B4)  phi'' = A p'' + B q'' + 2 (A' p' + B' q') + A'' p + B'' q + C''
 *
 * b2 must stay away from a right angle, where the other two turn about the same axis.        own
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#angle_motion
 */
#include "math/vec3.h"
#include "model/primitive/course.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

#include <math.h>
#include <string.h>

enum { FIRST, SECOND, THIRD };

typedef struct AngleMotionData {
    int angle;
    TmlCourse course;
} AngleMotionData;

// p and q of (B4), with their coefficients and the derivatives of these
typedef struct Terms {
    TmlPrim prim[2];
    double a[2][4], c[4];
} Terms;

static void prims(const AngleMotionData *d, TmlPrim prim[2])
{
    static const int axes[3][2][2] = {{{1, 2}, {2, 2}}, {{0, 2}, {0, 2}}, {{0, 1}, {0, 0}}};
    for (int k = 0; k < 2; ++k) {
        prim[k] = (TmlPrim){TML_PRIM_DOT, axes[d->angle][k][0], axes[d->angle][k][1]};
    }
}

static size_t angle_motion_work(const void *data)
{
    return ((const AngleMotionData *)data)->course.function->work;
}

static bool angle_motion_drives(const void *data)
{
    (void)data;
    return true;
}

/* cos g and sin g with their derivatives by time. */
static void circle(const double g[4], double c[4], double s[4])
{
    const double cg = cos(g[0]), sg = sin(g[0]), w = g[1];
    c[0] = cg;
    s[0] = sg;
    c[1] = -sg * w;
    s[1] = cg * w;
    c[2] = -cg * w * w - sg * g[2];
    s[2] = -sg * w * w + cg * g[2];
    c[3] = sg * w * w * w - 3.0 * cg * w * g[2] - sg * g[3];
    s[3] = -cg * w * w * w - 3.0 * sg * w * g[2] + cg * g[3];
}

static Terms terms_of(const TmlElementIn *in)
{
    const AngleMotionData *d = in->data;
    Terms t = {0};
    double g[4], c[4], s[4];
    prims(d, t.prim);
    tml_course_at(&d->course, in, g);
    circle(g, c, s);
    for (int k = 0; k < 4; ++k) {
        if (d->angle == SECOND) {
            t.a[0][k] = k == 0 ? 1.0 : 0.0; // (B2)
            t.c[k] = -s[k];
        } else {
            t.a[0][k] = -c[k]; // (B1), (B3)
            t.a[1][k] = -s[k];
        }
    }
    return t;
}

/* The rate of a cosine. */
static double rate_of(const TmlPrim *p, const TmlFrameKin *e)
{
    TmlRow J[2];
    tml_prim_rows(p, &e[0], &e[1], &J[0], &J[1]);
    return v3_dot(J[0].theta, e[0].omega) + v3_dot(J[1].theta, e[1].omega);
}

/* The angle and its rate. */
static void stand(const AngleMotionData *d, const TmlFrameKin *e, double *value, double *rate)
{
    TmlPrim prim[2];
    prims(d, prim);
    const double p = tml_prim_value(&prim[0], &e[0], &e[1], 0.0);
    const double q = tml_prim_value(&prim[1], &e[0], &e[1], 0.0);
    const double p_dot = rate_of(&prim[0], e), q_dot = rate_of(&prim[1], e);
    if (d->angle == SECOND) {
        *value = asin(fmax(-1.0, fmin(1.0, p)));
        *rate = p_dot / cos(*value);
    } else {
        *value = atan2(-p, q);
        *rate = (p * q_dot - q * p_dot) / (p * p + q * q);
    }
}

static TmlStatus angle_motion_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    AngleMotionData *d = data;
    double s, w;
    (void)n_ends;
    stand(d, e, &s, &w);
    return tml_course_prepare(&d->course, s, w, err);
}

static void angle_motion_residual(const TmlElementIn *in, double *phi)
{
    const Terms t = terms_of(in);
    phi[0] = t.c[0];
    for (int k = 0; k < 2; ++k) {
        phi[0] += t.a[k][0] * tml_prim_value(&t.prim[k], &in->e[0], &in->e[1], 0.0);
    }
}

/* J += s times the rows of a cosine. */
static void add_rows(const TmlPrim *p, const TmlElementIn *in, double s, TmlRow *J)
{
    TmlRow row[2];
    tml_prim_rows(p, &in->e[0], &in->e[1], &row[0], &row[1]);
    for (int end = 0; end < 2; ++end) {
        J[end].theta = v3_axpy(s, row[end].theta, J[end].theta);
    }
}

static void angle_motion_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const Terms t = terms_of(in);
    J[0] = J[1] = (TmlRow){0};
    for (int k = 0; k < 2; ++k) {
        add_rows(&t.prim[k], in, t.a[k][0], J);
    }
}

static void angle_motion_rate(const TmlElementIn *in, double *phi_t)
{
    const Terms t = terms_of(in);
    phi_t[0] = t.c[1];
    for (int k = 0; k < 2; ++k) {
        phi_t[0] += t.a[k][1] * tml_prim_value(&t.prim[k], &in->e[0], &in->e[1], 0.0);
    }
}

/* (B4) with the coefficients differentiated `more` times. */
static double second_rate(const TmlElementIn *in, int more)
{
    const Terms t = terms_of(in);
    double y = t.c[2 + more];
    for (int k = 0; k < 2; ++k) {
        const TmlPrim *p = &t.prim[k];
        y += t.a[k][more] * tml_prim_second_rate(p, &in->e[0], &in->e[1]);
        y += 2.0 * t.a[k][1 + more] * rate_of(p, in->e);
        y += t.a[k][2 + more] * tml_prim_value(p, &in->e[0], &in->e[1], 0.0);
    }
    return y;
}

static void angle_motion_gamma(const TmlElementIn *in, double *gamma)
{
    gamma[0] = -second_rate(in, 0);
}

static void angle_motion_gamma_t(const TmlElementIn *in, double *gamma_t)
{
    gamma_t[0] = -second_rate(in, 1);
}

static void angle_motion_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const Terms t = terms_of(in);
    for (int k = 0; k < 2; ++k) {
        tml_prim_curvature(&t.prim[k], &in->e[0], &in->e[1], lambda[0] * t.a[k][0], K);
    }
}

/* J += s times the derivative of the rate of a cosine by the motions: its curvature, seen along the
 * twists. */
static void add_rate_rows(const TmlPrim *p, const TmlElementIn *in, double s, TmlRow *J)
{
    enum { N = 12 };
    double K[N * N] = {0.0}, x[N] = {0.0};
    tml_prim_curvature(p, &in->e[0], &in->e[1], s, K);
    for (int c = 0; c < N; ++c) {
        for (int end = 0; end < 2; ++end) {
            const TmlVec3 w = in->e[end].omega;
            const double *at = K + (6 * end + 3) * N + c;
            x[c] += w.x * at[0] + w.y * at[N] + w.z * at[2 * N];
        }
    }
    J[0].theta = v3_add(J[0].theta, v3(x[3], x[4], x[5]));
    J[1].theta = v3_add(J[1].theta, v3(x[9], x[10], x[11]));
}

static void angle_motion_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const Terms t = terms_of(in);
    memset(Gm, 0, 2 * sizeof *Gm);
    memset(Gv, 0, 2 * sizeof *Gv);
    for (int k = 0; k < 2; ++k) {
        const TmlPrim *p = &t.prim[k];
        TmlRow m[2], v[2];
        tml_prim_second_rate_tangent(p, &in->e[0], &in->e[1], &m[0], &m[1], &v[0], &v[1]);
        for (int end = 0; end < 2; ++end) {
            Gm[end].theta = v3_axpy(-t.a[k][0], m[end].theta, Gm[end].theta);
            Gv[end].theta = v3_axpy(-t.a[k][0], v[end].theta, Gv[end].theta);
        }
        add_rate_rows(p, in, -2.0 * t.a[k][1], Gm);
        add_rows(p, in, -t.a[k][2], Gm);
        add_rows(p, in, -2.0 * t.a[k][1], Gv);
    }
}

static void angle_motion_jacobian_t(const TmlElementIn *in, TmlRow *Jt)
{
    const Terms t = terms_of(in);
    Jt[0] = Jt[1] = (TmlRow){0};
    for (int k = 0; k < 2; ++k) {
        add_rows(&t.prim[k], in, t.a[k][1], Jt);
    }
}

static void angle_motion_commit(const TmlElementIn *in, double *memory)
{
    tml_course_commit(&((const AngleMotionData *)in->data)->course, in, memory);
}

static void angle_motion_begin(const TmlElementIn *in, double *memory)
{
    double s, w;
    stand(in->data, in->e, &s, &w);
    tml_course_begin(in->t, s, w, memory);
}

static double angle_motion_drive(const TmlElementIn *in, double g[3])
{
    const AngleMotionData *d = in->data;
    const Terms t = terms_of(in);
    double all[4], c[4], s[4];
    tml_course_at(&d->course, in, all);
    circle(all, c, s);
    memcpy(g, all, 3 * sizeof *g);
    if (d->angle == SECOND) {
        return -c[0];
    }
    const double p = tml_prim_value(&t.prim[0], &in->e[0], &in->e[1], 0.0);
    const double q = tml_prim_value(&t.prim[1], &in->e[0], &in->e[1], 0.0);
    return s[0] * p - c[0] * q;
}

static const char *const angle_motion_rows[] = {"motion"};

static const TmlParam angle_motion_params[] = {
    {"angle", TML_PARAM_CHOICE, TML_ANY, "", offsetof(AngleMotionData, angle), NULL,
     "which angle: about x of the first frame, then the new y, then the new z",
     "first|second|third"},
    TML_COURSE_PARAMS(AngleMotionData),
    {0},
};

TML_CONSTRAINT_TYPE(angle_motion) = {
    .info = {.name = "angle_motion",
             .text =
                 "One of three successive angles between two frames follows a function of time.",
             .example = "frames: [ground, rod], angle: first, function: 2*pi*time",
             .data_size = sizeof(AngleMotionData),
             .params = angle_motion_params},
    .ends = TML_ENDS_FRAMES,
    .rows = 1,
    .n_memory = TML_COURSE_MEMORY,
    .row_names = angle_motion_rows,
    .work = angle_motion_work,
    .drives = angle_motion_drives,
    .prepare = angle_motion_prepare,
    .residual = angle_motion_residual,
    .jacobian = angle_motion_jacobian,
    .rate = angle_motion_rate,
    .gamma = angle_motion_gamma,
    .curvature = angle_motion_curvature,
    .gamma_tangent = angle_motion_gamma_tangent,
    .jacobian_t = angle_motion_jacobian_t,
    .gamma_t = angle_motion_gamma_t,
    .commit = angle_motion_commit,
    .begin = angle_motion_begin,
    .drive = angle_motion_drive,
};
