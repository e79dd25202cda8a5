/* system/recursion/links_axes.c - forces that are torques about the axis of a pin.
 *
 *   (N9)  tau = sum +- T(angle_0 +- x, +- x'), T the law of a spring or damper about the common z axis of two frames: the first on
 *         the link before the pin, the second on the one behind it, or the other way round
 *
 * The axes stay aligned, as one belongs to each link; so the law needs neither frames nor wrenches, and its derivatives are those of a
 * function of two numbers.
 */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Axes of an assembled joint are aligned to rounding; what this leaves out is of its square. */
static const double most_tilt = 1e-9;

TmlStatus tml_links_axes_setup(TmlRecursion *r, TmlError *err)
{
    const int n = r->sys->model->forces.n;
    TML_NEW(&r->arena, r->axis, n + 1);
    TML_NEW(&r->arena, r->on_axis, n + 1);
    return TML_OK;
}

/* Moves the two frames of a force. */
static void move_frames(TmlRecursion *r, int f)
{
    const int end[2] = {r->sys->force[f].end0, r->sys->force[f].end0 + 1};
    tml_links_move_ends(r, 2, end);
}

/* The pin that alone lets the last link of a joint turn; slides along its axis may come before it. -1: the joint is another. */
static int pin_of(const TmlRecursion *r, const TmlHang *h)
{
    for (int k = h->first; k < h->first + h->n - 1; ++k) {
        if (r->link[k].kind != TML_LINK_SLIDE) {
            return -1;
        }
    }
    const int last = h->first + h->n - 1;
    return h->n > 0 && r->link[last].kind == TML_LINK_PIN ? last : -1;
}

static bool aligned(const TmlFrameKin *e, TmlVec3 s)
{
    return v3_norm(v3_cross(e->A.cz, s)) <= most_tilt && v3_dot(e->A.cz, s) > 0.0;
}

/* Tells whether force f is a law about the pin of h; sets the sign. */
static bool acts_about(TmlRecursion *r, int f, const TmlHang *h, double *sign)
{
    const TmlForce *force = &r->sys->model->forces.at[f];
    const int pin = pin_of(r, h), base = r->place[h->parent].link;
    const int first = r->place[force->end[0].body].link, second = r->place[force->end[1].body].link;
    const bool on = first == base && second == pin, back = second == base && first == pin;
    if (pin < 0 || (!on && !back)) {
        return false;
    }
    const TmlFrameKin *e = r->sys->kin + r->sys->force[f].end0;
    const TmlVec3 s = r->motion[pin].s;
    *sign = on ? 1.0 : -1.0;
    return (aligned(&e[0], s) && aligned(&e[1], s)) ||
           (aligned(&e[0], v3_neg(s)) && aligned(&e[1], v3_neg(s)) && (*sign = -*sign) != 0.0);
}

static void sort(TmlRecursion *r)
{
    const TmlModel *m = r->sys->model;
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        double law[3], sign;
        if (force->type->axis_law == NULL || !force->type->axis_law(force->data, 0.0, 0.0, law)) {
            continue;
        }
        move_frames(r, f);
        for (int k = 0; k < r->n_hangs && !r->on_axis[f]; ++k) {
            if (acts_about(r, f, &r->hang[k], &sign)) {
                r->on_axis[f] = true;
                r->axis[r->n_axes++] =
                    (TmlAxisLaw){.force = f, .link = pin_of(r, &r->hang[k]), .sign = sign};
            }
        }
    }
    r->sorted = true;
    tml_links_loads_sort(r);
}

void tml_links_axes_begin(TmlRecursion *r)
{
    if (!r->sorted) {
        sort(r);
    }
    for (int k = 0; k < r->n_axes; ++k) {
        TmlAxisLaw *a = &r->axis[k];
        const TmlForce *force = &r->sys->model->forces.at[a->force];
        const TmlElementIn in = {.data = force->data,
                                 .e = r->sys->kin + r->sys->force[a->force].end0,
                                 .n_ends = force->n_ends,
                                 .memory = r->sys->memory + r->sys->force[a->force].memory0};
        move_frames(r, a->force);
        a->angle = force->type->axis_angle(&in);
    }
}

void tml_links_axis_law(const TmlRecursion *r, const TmlAxisLaw *a, double law[3])
{
    const TmlForce *force = &r->sys->model->forces.at[a->force];
    const TmlLink *l = &r->link[a->link];
    force->type->axis_law(force->data, a->angle + a->sign * r->x[l->x0], a->sign * r->y[l->y0],
                          law);
    law[0] *= a->sign;
}

void tml_links_axes(TmlRecursion *r)
{
    for (int k = 0; k < r->n_axes; ++k) {
        r->motion[r->axis[k].link].tau = 0.0;
    }
    for (int k = 0; k < r->n_axes; ++k) {
        const TmlAxisLaw *a = &r->axis[k];
        double law[3];
        tml_links_axis_law(r, a, law);
        r->motion[a->link].tau += law[0];
        const double power = law[0] * r->y[r->link[a->link].y0];
        const bool stores = r->sys->model->forces.at[a->force].type->energy != NULL;
        *(stores ? &r->sys->power.stored : &r->sys->power.other) += power;
    }
}
