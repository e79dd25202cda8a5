/* model/contact/shape/profile/point_touch.c - a round thing at a surface that is known by its distance.
 *
 *   (P13)  depth = R - h,  p = q - n (R + h) / 2,  dh = n . dq,  dn = H dq
 */
#include "model/contact/shape/profile/point_touch.h"
#include "math/vec3.h"

enum { N = TML_TOUCH_VARIABLES };

void tml_point_touch(const TmlSurfaceNear *s, TmlVec3 q, const TmlVec3 *dq, double radius,
                     const double along[2], TmlTouch *touch, TmlTouchRate *rate)
{
    const double k[2] = {s->curvature[0] + along[0], s->curvature[1] + along[1]};
    const int low = k[0] <= k[1] ? 0 : 1;
    const double arm = 0.5 * (radius + s->height);
    *touch = (TmlTouch){.p = v3_axpy(-arm, s->n, q),
                        .n = s->n,
                        .depth = radius - s->height,
                        .curvature = {k[low], k[1 - low]},
                        .id = s->id};
    if (rate == NULL) {
        return;
    }
    *rate = (TmlTouchRate){0};
    for (int i = 0; i < N; ++i) {
        const TmlVec3 d = dq != NULL ? dq[i] : v3(i == 0, i == 1, i == 2);
        const double dh = v3_dot(s->n, d);
        rate->n[i] = m3_mulv(&s->H, d);
        rate->depth[i] = -dh;
        rate->p[i] = v3_axpy(-arm, rate->n[i], v3_axpy(-0.5 * dh, s->n, d));
        rate->curvature[0][i] = s->curvature_rate[low][i];
        rate->curvature[1][i] = s->curvature_rate[1 - low][i];
    }
}
