/* model/wheel/rail/wheelset.c - a rigid wheelset on rigid rails.
 *
 *   (S1)  the axle e = (-sin yaw cos roll, cos yaw cos roll, sin roll); the left wheel has its outside along e, the
 *         right one along -e. On the right side the picture is mirrored, so that y points outward there too.
 *   (S2)  gap_left(z, roll) = gap_right(z, roll) = 0 by Newton; a gap changes with the place of its wheel as
 *         the deepest point says
 *
 * Equivalent conicity (EN 15302): a wheelset that rolls without slip follows
 *
 *   (S3)  y'' = -delta(y) / (e r),  derivative by the way along the track
 *   (S4)  with P' = delta / (e r): half a wave is int dy / sqrt(2 (P(y_1) - P(y))) between y_0 and y_1,
 *         P(y_0) = P(y_1); the amplitude is (y_1 - y_0) / 2
 *   (S5)  tan(gamma_e) = (pi / L)^2 2 e r
 *
 * With y = middle + amplitude sin(phi) the integrand is bounded. The motion is about the zero of delta,
 * wherever that is.
 */
#include "model/wheel/rail/wheelset.h"

#include <math.h>

void tml_wheelset_place(const TmlWheelset *w, int side, const TmlWheelsetPlace *at,
                        double place[RAIL_PLACE])
{
    const TmlWheelSide *s = &w->side[side];
    const double out = side == 0 ? 1.0 : -1.0;
    const double e[3] = {-sin(at->yaw) * cos(at->roll), cos(at->yaw) * cos(at->roll),
                         sin(at->roll)};
    place[RAIL_EX] = out * e[0]; // (S1)
    place[RAIL_EY] = e[1];
    place[RAIL_EZ] = out * e[2];
    place[RAIL_CY] = out * (at->y - w->below * sin(at->roll)) + s->wheel_y * e[1] - s->rail_y;
    place[RAIL_CZ] = at->z + s->wheel_y * out * e[2] - s->rail_z;
}

/* The depth of a side, and its derivatives by z and roll. */
static bool side_depth(const TmlWheelset *w, int side, const TmlWheelsetPlace *at,
                       TmlRailTouch *touch, double by[2])
{
    double place[RAIL_PLACE];
    tml_wheelset_place(w, side, at, place);
    if (!tml_rail_deepest(w->side[side].pair, place, touch)) {
        return false;
    }
    const double out = side == 0 ? 1.0 : -1.0, arm = w->side[side].wheel_y, *g = touch->depth.g;
    const double cr = cos(at->roll), sr = sin(at->roll), cy = cos(at->yaw), sy = sin(at->yaw);
    by[0] = g[RAIL_CZ];
    by[1] = g[RAIL_EX] * out * sy * sr - (g[RAIL_EY] + arm * g[RAIL_CY]) * cy * sr -
            out * w->below * cr * g[RAIL_CY] + (g[RAIL_EZ] + arm * g[RAIL_CZ]) * out * cr;
    return true;
}

bool tml_wheelset_settle(const TmlWheelset *w, TmlWheelsetPlace *at, TmlRailTouch touch[2])
{
    double size = 1.0;
    for (int k = 0; k < 100; ++k) { // (S2)
        double a[2], b[2];
        if (!side_depth(w, 0, at, &touch[0], a) || !side_depth(w, 1, at, &touch[1], b)) {
            return false;
        }
        const double r[2] = {touch[0].depth.x, touch[1].depth.x}, det = a[0] * b[1] - a[1] * b[0];
        const double dz = (r[0] * b[1] - r[1] * a[1]) / det, dr = (a[0] * r[1] - b[0] * r[0]) / det;
        // contact points that jump to and fro are told by steps that do not get smaller
        const double now = fabs(dz) + fabs(dr), part = k > 20 && now > 0.9 * size ? 0.5 : 1.0;
        size = now;
        if (!(now < 0.1)) {
            return false;
        }
        at->z -= part * dz;
        at->roll -= part * dr;
        if (now < 1e-13) {
            return true;
        }
    }
    return size < 1e-9;
}

/* --- conicity ------------------------------------------------------------------------------- */

/* delta at y by straight lines; k: the interval. */
static double delta_at(const TmlRadiusTable *t, double y, int *k)
{
    int low = 0, high = t->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(t->y[middle] > y ? &high : &low) = middle;
    }
    *k = low;
    const double u = (y - t->y[low]) / (t->y[low + 1] - t->y[low]);
    return (1.0 - u) * t->delta[low] + u * t->delta[low + 1];
}

/* The integral of delta from `from` to `to`. */
static double work_between(const TmlRadiusTable *t, double from, double to)
{
    if (from > to) {
        return -work_between(t, to, from);
    }
    int k, last;
    double sum = 0.0, y = from, d = delta_at(t, from, &k);
    const double end = delta_at(t, to, &last);
    for (; k < last; ++k) {
        sum += 0.5 * (d + t->delta[k + 1]) * (t->y[k + 1] - y);
        y = t->y[k + 1];
        d = t->delta[k + 1];
    }
    return sum + 0.5 * (d + end) * (to - y);
}

/* The middle of the motion with this amplitude: P is the same at both of its ends. */
static double motion_middle(const TmlRadiusTable *t, double amplitude)
{
    double low = t->y[0] + amplitude, high = t->y[t->n - 1] - amplitude;
    if (!(low <= high) || work_between(t, low - amplitude, low + amplitude) > 0.0 ||
        work_between(t, high - amplitude, high + amplitude) < 0.0) {
        return (double)NAN;
    }
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        *(work_between(t, middle - amplitude, middle + amplitude) > 0.0 ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

double tml_equivalent_conicity(const TmlRadiusTable *t, double base, double radius,
                               double amplitude)
{
    enum { PARTS = 2000 };
    const double middle = motion_middle(t, amplitude), top = middle + amplitude;
    double sum = 0.0;
    for (int k = 0; k < PARTS; ++k) {
        const double phi = M_PI * ((k + 0.5) / PARTS - 0.5), y = middle + amplitude * sin(phi);
        const double P = work_between(t, y, top) / (base * radius);
        sum += P > 0.0 ? amplitude * cos(phi) / sqrt(2.0 * P) : (double)NAN; // (S4)
    }
    const double L = 2.0 * sum * M_PI / PARTS;
    return 2.0 * base * radius * (M_PI / L) * (M_PI / L); // (S5)
}
