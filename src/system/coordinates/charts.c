/* system/coordinates/charts.c - see charts.h. */
#include "system/coordinates/charts.h"

#include "math/rotation.h"
#include "system/system_internal.h"

#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU };

static const TmlBodyType *type_of(const TmlSystem *sys, int body)
{
    return sys->model->bodies.at[body].type;
}

/* --- all bodies ------------------------------------------------------------------------------- */

void tml_chart_state(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                     TmlState *s)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0, u0 = sys->dim.span[b].u0;
        type_of(sys, b)->chart_state(q_ref + q0, x + u0, x1 + u0, s->q + q0, s->v + q0);
    }
}

void tml_chart_motion(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                      const double *x2, TmlState *s)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = type_of(sys, b);
        const int q0 = sys->dim.span[b].q0, u0 = sys->dim.span[b].u0;
        double udot[NU];
        type->chart_state(q_ref + q0, x + u0, x1 + u0, s->q + q0, s->v + q0);
        type->chart_acceleration(x + u0, x1 + u0, x2 + u0, udot);
        type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
    }
}

void tml_chart_coordinates(const TmlSystem *sys, const double *q_ref, const TmlState *s, double *x,
                           double *x1)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0, u0 = sys->dim.span[b].u0;
        type_of(sys, b)->chart_coordinates(q_ref + q0, s->q + q0, s->v + q0, x + u0, x1 + u0);
    }
}

void tml_chart_second(const TmlSystem *sys, const TmlState *s, const double *x, const double *x1,
                      double *f)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = type_of(sys, b);
        const int q0 = sys->dim.span[b].q0, u0 = sys->dim.span[b].u0;
        double udot[NU];
        type->reduce(s->q + q0, s->a + q0, udot);
        type->chart_second(x + u0, x1 + u0, udot, f + u0);
    }
    memcpy(f + sys->dim.nu, s->Xd, (size_t)sys->dim.nx * sizeof *f);
}

void tml_chart_rates(const TmlSystem *sys, const double *x, const double *x1, const double *udot,
                     double *x2)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int u0 = sys->dim.span[b].u0;
        type_of(sys, b)->chart_second(x + u0, x1 + u0, udot + u0, x2 + u0);
    }
}

void tml_chart_acceleration(const TmlSystem *sys, const double *x, const double *x1,
                            const double *x2, double *udot)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int u0 = sys->dim.span[b].u0;
        type_of(sys, b)->chart_acceleration(x + u0, x1 + u0, x2 + u0, udot + u0);
    }
}

void tml_system_set_accelerations(const TmlSystem *sys, const double *udot, TmlState *s)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0;
        type_of(sys, b)->acceleration(s->q + q0, s->v + q0, udot + sys->dim.span[b].u0, s->a + q0);
    }
}

/* --- one body --------------------------------------------------------------------------------- */

void tml_body_coordinates(const TmlSystem *sys, int body, const TmlState *from, const TmlState *s,
                          TmlBodyChart *out)
{
    const double origin[TML_BODY_MAX_NQ] = {0, 0, 0, 1};
    const int q0 = sys->dim.span[body].q0;
    *out = (TmlBodyChart){0};
    type_of(sys, body)->chart_coordinates(from != NULL ? from->q + q0 : origin, s->q + q0,
                                          s->v + q0, out->x, out->x1);
}

/* Returns the rotation vector that is nearest to how far the body has turned about its axis over h
 * at the rates w of the two ends: it may have gone round more than once. */
static TmlVec3 unwind(TmlVec3 theta, TmlVec3 w0, TmlVec3 w1, double h)
{
    const double angle = v3_norm(theta);
    const TmlVec3 turned = v3_scale(0.5 * h, v3_add(w0, w1));
    if (v3_norm(turned) < M_PI || angle == 0.0) {
        return theta;
    }
    const TmlVec3 axis = v3_scale(1.0 / angle, theta);
    const double more = round((v3_dot(turned, axis) - angle) / (2.0 * M_PI));
    return v3_axpy(2.0 * M_PI * more, axis, theta);
}

void tml_body_on_chart(const TmlSystem *sys, int body, const TmlState *from, const TmlState *s,
                       TmlBodyChart *out)
{
    const TmlBodyType *type = type_of(sys, body);
    const int q0 = sys->dim.span[body].q0;
    double udot[NU], w[NU], w0[NU];
    type->chart_coordinates(from->q + q0, s->q + q0, s->v + q0, out->x, out->x1);
    if (type->turns) {
        type->reduce(s->q + q0, s->v + q0, w);
        type->reduce(from->q + q0, from->v + q0, w0);
        const TmlVec3 w_from = v3(w0[3], w0[4], w0[5]), w_s = v3(w[3], w[4], w[5]);
        const TmlVec3 theta =
            unwind(v3(out->x[3], out->x[4], out->x[5]), w_from, w_s, s->t - from->t);
        const TmlVec3 rate = rotation_rate_inverse(theta, w_s);
        memcpy(out->x + 3, (double[]){theta.x, theta.y, theta.z}, 3 * sizeof(double));
        memcpy(out->x1 + 3, (double[]){rate.x, rate.y, rate.z}, 3 * sizeof(double));
    }
    type->reduce(s->q + q0, s->a + q0, udot);
    type->chart_second(out->x, out->x1, udot, out->x2);
}

void tml_body_from_chart(const TmlSystem *sys, int body, const TmlState *from,
                         const TmlBodyChart *at, TmlState *s)
{
    const TmlBodyType *type = type_of(sys, body);
    const int q0 = sys->dim.span[body].q0;
    double udot[NU];
    type->chart_state(from->q + q0, at->x, at->x1, s->q + q0, s->v + q0);
    type->chart_acceleration(at->x, at->x1, at->x2, udot);
    type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
}
