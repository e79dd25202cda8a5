/* system/recursion/recursion_rates.c - rates of joint coordinates, and positions and speeds on the loops. */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 12 };

/* Where loops hold by less than this part of their rows, a position is next to a singular one: multipliers lose as many digits, and
 * rows of results are made otherwise. */
static const double least_hold = 1e-6;

static bool all_finite(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += x[k];
    }
    return isfinite(sum);
}

/* x' from y: of balls q' = 1/2 w q. */
static void rates_of_positions(const TmlRecursion *r, const double *x, const double *y, double *x1)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const double *w = y + l->y0, *q = x + l->x0;
        double *to = x1 + l->x0;
        if (l->kind == TML_LINK_BALL) {
            const TmlQuat d = q4_mul((TmlQuat){0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]},
                                     (TmlQuat){q[0], q[1], q[2], q[3]});
            to[0] = d.w, to[1] = d.x, to[2] = d.y, to[3] = d.z;
        } else {
            to[0] = w[0];
            if (l->kind == TML_LINK_SHIFT) {
                to[1] = w[1], to[2] = w[2];
            }
        }
    }
}

bool tml_recursion_rates(TmlRecursion *r, TmlState *s, const double *x, const double *y, double gap,
                         double *x1, double *y1)
{
    r->sys->stats.residuals++;
    memmove(r->x, x, (size_t)r->nx * sizeof *x);
    memmove(r->y, y, (size_t)r->ny * sizeof *y);
    tml_links_move(r);
    if (!tml_links_loads(r, s) || !tml_links_accelerate(r, y1)) {
        return false;
    }
    if (r->loops.m > 0) {
        tml_loops_move(r);
        if (!(tml_loops_level(r, s->t, TML_LEVEL_POSITION) <= gap)) {
            return false;
        }
        tml_loops_rows(r, s->t);
        if (!tml_loops_factor(r)) {
            return false;
        }
        tml_loops_level(r, s->t, TML_LEVEL_ACCELERATION);
        tml_loops_respond(r, r->dy, true);
        for (int k = 0; k < r->ny; ++k) {
            y1[k] += r->dy[k];
        }
        tml_loops_power(r, s->t);
    }
    rates_of_positions(r, x, y, x1);
    return all_finite(r->ny, y1);
}

/* Puts the quaternions of balls onto their sphere. */
static void normalise(const TmlRecursion *r, double *x)
{
    for (int k = 0; k < r->n_links; ++k) {
        if (r->link[k].kind == TML_LINK_BALL) {
            double *q = x + r->link[k].x0;
            const TmlQuat p = q4_unit((TmlQuat){q[0], q[1], q[2], q[3]});
            q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z;
        }
    }
}

double tml_links_turn(const TmlRecursion *r, const double *dy, double *x)
{
    double most = 0.0;
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const double *d = dy + l->y0;
        const bool length = l->kind == TML_LINK_SLIDE || l->kind == TML_LINK_SHIFT;
        const int n = l->kind == TML_LINK_SHIFT || l->kind == TML_LINK_BALL ? 3 : 1;
        double *q = x + l->x0;
        for (int i = 0; i < n; ++i) {
            const double size = fabs(d[i]) / (length ? r->sys->dim.length : 1.0);
            most = !(size <= most) ? size : most;
        }
        if (l->kind == TML_LINK_BALL) {
            const TmlQuat p =
                q4_mul(q4_exp(v3(d[0], d[1], d[2])), (TmlQuat){q[0], q[1], q[2], q[3]});
            q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z;
        } else {
            for (int i = 0; i < n; ++i) {
                q[i] += d[i];
            }
        }
    }
    return most;
}

/* When corrections of sizes `last` and `size` have come to an end: the next one would be rounding, or is no smaller. */
static bool settled(double size, double last)
{
    static const double small = 1e-9, enough = 4.0 * DBL_EPSILON;
    return size <= enough || (isfinite(last) && size <= last && size / last * size <= enough) ||
           (size <= small && size > 0.5 * last);
}

/* Moves r->x onto the loops with the factors of its first position. */
static bool close_positions(TmlRecursion *r, double t)
{
    static const double far = 0.5;
    double last = HUGE_VAL;
    for (int i = 0; i < MOST_CORRECTIONS; ++i) {
        tml_loops_level(r, t, TML_LEVEL_POSITION);
        tml_loops_respond(r, r->dy, false);
        const double size = tml_links_turn(r, r->dy, r->x);
        tml_links_move(r);
        tml_loops_move(r);
        if (settled(size, last)) {
            return true;
        }
        if (!(size <= far) || (i > 1 && size > last)) {
            return false;
        }
        last = size;
    }
    return false;
}

/* The same of speeds. */
static bool close_speeds(TmlRecursion *r, double t)
{
    double last = HUGE_VAL;
    tml_loops_rows(r, t);
    for (int i = 0; i < MOST_CORRECTIONS; ++i) {
        double size = 0.0, most = 1e-300;
        tml_loops_level(r, t, TML_LEVEL_VELOCITY);
        tml_loops_respond(r, r->dy, false);
        for (int k = 0; k < r->ny; ++k) {
            r->y[k] += r->dy[k];
            size = fmax(size, fabs(r->dy[k]));
            most = fmax(most, fabs(r->y[k]));
        }
        size /= most;
        if (settled(size, last)) {
            return true;
        }
        if (!isfinite(size) || (i > 1 && size > last)) {
            return false;
        }
        last = size;
        tml_links_move(r);
        tml_loops_move(r);
    }
    return false;
}

bool tml_recursion_close(TmlRecursion *r, double t, double *x, double *y)
{
    normalise(r, x);
    if (r->loops.m == 0) {
        return true;
    }
    memmove(r->x, x, (size_t)r->nx * sizeof *x);
    memmove(r->y, y, (size_t)r->ny * sizeof *y);
    tml_links_move(r);
    tml_loops_move(r);
    tml_loops_rows(r, t);
    if (!tml_links_articulate(r) || !tml_loops_factor(r) || !close_positions(r, t) ||
        !close_speeds(r, t)) {
        return false;
    }
    memcpy(x, r->x, (size_t)r->nx * sizeof *x);
    memcpy(y, r->y, (size_t)r->ny * sizeof *y);
    normalise(r, x);
    return all_finite(r->nx, x) && all_finite(r->ny, y);
}

bool tml_recursion_row(TmlRecursion *r, TmlState *s, double *x, double *y, double *x1, double *y1)
{
    const double hold = r->loops.hold; // by which a step judges its rows
    const bool good = tml_recursion_close(r, s->t, x, y) &&
                      tml_recursion_rates(r, s, x, y, HUGE_VAL, x1, y1) &&
                      (r->loops.m == 0 || r->loops.hold > least_hold);
    r->loops.hold = hold;
    return good;
}
