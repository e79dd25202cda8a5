/* system/coordinates/charts.h - coordinates of bodies from a position: translations and rotation vectors.
 *
 * x[nu] are the coordinates from a position q_ref on, x1 and x2 their rates. The second rates follow
 * from the u-accelerations (a, alpha) and the other way round. Methods that take accelerations for
 * functions of the state step and interpolate in these coordinates.
 */
#pragma once

#include "system/system.h"

/* Sets q and q' of s at x with rates x1 from q_ref. */
void tml_chart_state(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                     TmlState *s);

/* The same with q'' by the second rates x2. */
void tml_chart_motion(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                      const double *x2, TmlState *s);

/* Goes the way back: x and x1 of the positions and velocities of s. */
void tml_chart_coordinates(const TmlSystem *sys, const double *q_ref, const TmlState *s, double *x,
                           double *x1);

/* f[nu + nx]: x'' that belongs to the accelerations of s, which lies at x, x1; then X'. */
void tml_chart_second(const TmlSystem *sys, const TmlState *s, const double *x, const double *x1,
                      double *f);

/* x2 of u-accelerations udot at x, x1; the way back. */
void tml_chart_rates(const TmlSystem *sys, const double *x, const double *x1, const double *udot,
                     double *x2);
void tml_chart_acceleration(const TmlSystem *sys, const double *x, const double *x1,
                            const double *x2, double *udot);

/* Sets q'' of s from u-accelerations. */
void tml_system_set_accelerations(const TmlSystem *sys, const double *udot, TmlState *s);

/* One body, on the chart of its position in a state. */
typedef struct TmlBodyChart {
    double x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU], x2[TML_BODY_MAX_NU];
} TmlBodyChart;

/* Sets x and x1 of a body of s, by places; those that the body has not are zero. from NULL stands
 * for the origin. */
void tml_body_coordinates(const TmlSystem *sys, int body, const TmlState *from, const TmlState *s,
                          TmlBodyChart *out);

/* The same with x2, and rotation vectors that go round as often as the body has turned on the way. */
void tml_body_on_chart(const TmlSystem *sys, int body, const TmlState *from, const TmlState *s,
                       TmlBodyChart *out);

/* Sets q, q', q'' of a body of s from what is on the chart of its position in `from`. */
void tml_body_from_chart(const TmlSystem *sys, int body, const TmlState *from,
                         const TmlBodyChart *at, TmlState *s);
