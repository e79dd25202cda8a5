/* model/contact/pair_sides.c - the sides of onset and release that points are on, and when these end.
 *
 * Forces of contact have kinks and jumps where a gap closes or opens, and where a law cuts them to zero. Steps that end
 * there (events: locate) see the law of one side, continued:
 *
 *   open      no force                     ends where the gap closes:           g <= 0, g' < 0
 *   pressed   the law without its cuts     ends where the gap opens:            d <= 0, d' < 0
 *                                          or its force ends before:            N <= 0, N' < 0, unless it pulls
 *   slack     no force in an overlap       ends where the force comes back:     N >= 0, N' > 0
 *                                          or the gap opens, which changes nothing
 *
 * Where `events` says nothing, points of laws that jump keep the sides of their jumps alone: open ones have no force
 * until a step ends where the gap closes; pressed ones are continued to where it opens if they pull. If they do not, their
 * force has come to zero before, a kink that steps may pass: it is cut as ever, and a point whose gap has opened within
 * a step starts the next one as an open one.
 *
 *   (S1)  N' = F_d d' + F_r d'',  d'' = -g'' by (C9)
 *   (S2)  where a law jumps and does not pull, a point that opens and closes again stays pressed while its gap, g + g'^2 / (2 |g''|) at
 *         its widest, is less than a step may miss: a body that rests on such a law has less depth than that, and would
 *         end every step on an onset of its own
 *
 * Equations are those of model/contact/pair_point.h.
 */
#include "model/contact/pair_point.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

/* Units in the last place that places and forces may be off by. */
static const double units = 16.0;

static const TmlPointMemory *find(const TmlPairIn *in, uint64_t id)
{
    for (int k = 0; k < in->n_memory; ++k) {
        if (in->memory[k].id == id) {
            return &in->memory[k];
        }
    }
    return NULL;
}

static bool any_pressed(const TmlPairIn *in)
{
    for (int k = 0; k < in->n_memory; ++k) {
        if (in->memory[k].side == TML_SIDE_PRESSED) {
            return true;
        }
    }
    return false;
}

TmlSide tml_pair_side(const TmlPairIn *in, const TmlTouch *t)
{
    if (!in->sided || t->size > 0.0) {
        return TML_SIDE_NONE;
    }
    const TmlPointMemory *own = find(in, t->id);
    if (own != NULL) {
        const bool whole = in->sided == TML_SIDED_ALL || own->side != TML_SIDE_SLACK;
        return whole ? own->side : TML_SIDE_PRESSED;
    }
    return in->crowded || any_pressed(in) ? TML_SIDE_NONE : TML_SIDE_OPEN;
}

bool tml_pair_closed(TmlSide side, double depth)
{
    switch (side) {
    case TML_SIDE_OPEN:
        return false;
    case TML_SIDE_PRESSED:
        return true;
    default:
        return depth > 0.0;
    }
}

static bool pulls(const TmlPairIn *in)
{
    const TmlPressType *press = in->law->press;
    return press->pulls != NULL && press->pulls(in->law->press_data);
}

bool tml_pair_cuts(const TmlPairIn *in, TmlSide side)
{
    return in->sided == TML_SIDED_JUMPS && side == TML_SIDE_PRESSED && !pulls(in);
}

bool tml_pair_continues(const TmlPairIn *in, TmlSide side, double depth)
{
    return side == TML_SIDE_PRESSED && (depth <= 0.0 || !tml_pair_cuts(in, side));
}

/* The force of a point without its cuts, whatever its side. */
static TmlPress whole_force(const TmlPairIn *in, const TmlTouch *t, const TmlPoint *x)
{
    const TmlPointMemory *own = find(in, t->id);
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = t->depth,
                              .rate = -x->un,
                              .curvature = {t->curvature[0], t->curvature[1]},
                              .entry = own != NULL ? fabs(own->entry) : 0.0,
                              .continued = true};
    TmlPress out = {0};
    in->law->press->press(&press, &out);
    return out;
}

static double gap_slack(const TmlPoint *x, double to)
{
    return fmax(to, units * DBL_EPSILON * v3_norm(x->P));
}

static double force_slack(const TmlPress *p, const TmlPoint *x, double to)
{
    return fabs(p->by_depth) * to +
           units * DBL_EPSILON * (fabs(p->elastic) + fabs(p->by_rate * x->un));
}

static void take_least(double value, double slack, double *least, double *its_slack)
{
    if (value < *least) {
        *least = value;
        *its_slack = slack;
    }
}

void tml_pair_turns(const TmlPairIn *in, double to, double value[TML_TURNS],
                    double slack[TML_TURNS])
{
    TmlTouch touch[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->reach, touch, NULL);
    const bool may_pull = pulls(in);
    for (int k = 0; k < TML_TURNS; ++k) {
        value[k] = HUGE_VAL;
        slack[k] = 0.0;
    }
    for (int k = 0; k < n; ++k) {
        const TmlSide side = tml_pair_side(in, &touch[k]);
        const TmlPoint x = tml_pair_motion(in, &g, &touch[k]);
        const double d = touch[k].depth, small = gap_slack(&x, to);
        if (side == TML_SIDE_OPEN) {
            take_least(-d, small, &value[TML_TURN_CLOSES], &slack[TML_TURN_CLOSES]);
        } else if (side == TML_SIDE_PRESSED && !tml_pair_cuts(in, side)) {
            const TmlPress p = whole_force(in, &touch[k], &x);
            const double little = force_slack(&p, &x, small);
            take_least(d, small, &value[TML_TURN_OPENS], &slack[TML_TURN_OPENS]);
            if (!may_pull && (d > small || p.force < -little)) {
                take_least(p.force, little, &value[TML_TURN_RELEASES], &slack[TML_TURN_RELEASES]);
            }
        } else if (side == TML_SIDE_SLACK && d > small) {
            const TmlPress p = whole_force(in, &touch[k], &x);
            take_least(-p.force, force_slack(&p, &x, small), &value[TML_TURN_RETURNS],
                       &slack[TML_TURN_RETURNS]);
        }
    }
}

/* (S2): whether a gap that is as good as closed opens by more than a step may miss, or stays open. */
static bool parts(double depth, double opening, double second, double small)
{
    if (depth > 0.0 || (opening <= 0.0 && (opening < 0.0 || second <= 0.0))) {
        return false;
    }
    return second >= 0.0 || opening * opening / (-2.0 * second) - depth > small;
}

/* The side that a point goes on with. */
static TmlSide next_side(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t,
                         const TmlTouchRate *rate, double to)
{
    const TmlSide side = tml_pair_side(in, t);
    const TmlPoint x = tml_pair_motion(in, g, t);
    const double second = tml_pair_gap_second(in, g, &x, rate), d = t->depth;
    const double small = gap_slack(&x, to);
    const bool opening = x.un > 0.0 || (x.un == 0.0 && second > 0.0);
    if (in->sided == TML_SIDED_JUMPS && !pulls(in)) {
        return d >= -small && !parts(d, x.un, second, small) ? TML_SIDE_PRESSED : TML_SIDE_OPEN;
    }
    if (side == TML_SIDE_OPEN) {
        return d >= -small && (!opening || d > small) ? TML_SIDE_PRESSED : side;
    }
    if (d <= (side == TML_SIDE_PRESSED ? small : 0.0)) {
        return side == TML_SIDE_PRESSED && !opening ? side : TML_SIDE_OPEN;
    }
    const TmlPress p = whole_force(in, t, &x);
    const double little = force_slack(&p, &x, small);
    const double change = -(p.by_depth * x.un + p.by_rate * second); // (S1)
    if (side == TML_SIDE_PRESSED && !pulls(in)) {
        return p.force < -little || (p.force <= little && change < 0.0) ? TML_SIDE_SLACK : side;
    }
    if (side == TML_SIDE_SLACK) {
        return p.force > little || (p.force >= -little && change > 0.0) ? TML_SIDE_PRESSED : side;
    }
    return side;
}

/* Whether the gap of a point that is pressed has opened and stays open, (S2). */
static bool has_opened(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t,
                       const TmlTouchRate *rate, double to)
{
    if (t->size > 0.0 || t->depth > 0.0) {
        return false;
    }
    const TmlPoint x = tml_pair_motion(in, g, t);
    return x.un > 0.0 &&
           parts(t->depth, x.un, tml_pair_gap_second(in, g, &x, rate), gap_slack(&x, to));
}

bool tml_pair_opened(const TmlPairIn *in, double to, TmlSide *side, double *rate)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate by[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->reach, touch, by);
    bool changed = false;
    for (int i = 0; i < in->n_memory; ++i) {
        const TmlSide was = in->memory[i].side;
        bool open = tml_pair_cuts(in, was == TML_SIDE_SLACK ? TML_SIDE_PRESSED : was);
        for (int k = 0; k < n && open; ++k) {
            if (touch[k].id == in->memory[i].id) {
                open = has_opened(in, &g, &touch[k], &by[k], to);
            }
        }
        side[i] = open ? TML_SIDE_OPEN : was;
        rate[i] = 0.0;
        changed = changed || open;
    }
    return changed;
}

bool tml_pair_cross(const TmlPairIn *in, double to, TmlSide *side, double *rate)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate by[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->reach, touch, by);
    bool changed = false;
    for (int i = 0; i < in->n_memory; ++i) {
        side[i] = in->memory[i].side;
        rate[i] = 0.0;
        for (int k = 0; k < n; ++k) {
            if (touch[k].id == in->memory[i].id && touch[k].size == 0.0) {
                side[i] = next_side(in, &g, &touch[k], &by[k], to);
                rate[i] = -tml_pair_motion(in, &g, &touch[k]).un;
            }
        }
        changed = changed || side[i] != in->memory[i].side;
    }
    return changed;
}
