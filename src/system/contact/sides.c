/* system/contact/sides.c - sides of onset and release of all near pairs: what a step passes, and what follows from it.
 *
 * A pair has up to four values that end a side as they pass zero (model/contact/pair_sides.c). Several may in one step:
 *
 *   (T1)  the first is the one with the least f_0 / (f_0 - f_1), as if values went straight; steps are looked at again
 *         after they were shortened, so that a wrong order costs tries only
 *   (T2)  a law whose force ends as its gap opens passes both; the gap is the better one to look for, for the force
 *         may come to zero with its rate
 */
#include "system/contact/touching.h"

#include <math.h>

bool tml_near_is_sided(const TmlSystem *sys, const TmlNear *near)
{
    return sys->touching->sided && sys->model->contacts.at[near->contact].locate;
}

bool tml_system_locates(const TmlSystem *sys)
{
    bool locates = false;
    for (int k = 0; sys->touching != NULL && k < sys->model->contacts.n; ++k) {
        locates = locates || sys->model->contacts.at[k].locate;
    }
    return locates;
}

void tml_system_keep_sides(TmlSystem *sys, bool on)
{
    if (sys->touching != NULL) {
        sys->touching->sided = on && tml_system_locates(sys);
    }
}

/* Notes what has been passed at the last kinematics. */
static bool note_passed(TmlSystem *sys, double to)
{
    struct TmlTouching *t = sys->touching;
    bool any = false;
    for (int k = 0; k < t->n; ++k) {
        double value[TML_TURNS], slack[TML_TURNS];
        TmlNear *near = &t->near[k];
        if (!tml_near_is_sided(sys, near)) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        tml_pair_turns(&in, to, value, slack);
        for (int i = 0; i < TML_TURNS; ++i) {
            near->turn[i] = value[i] < -slack[i] ? value[i] : HUGE_VAL;
            any = any || near->turn[i] < 0.0;
        }
        if (near->turn[TML_TURN_OPENS] < 0.0) {
            near->turn[TML_TURN_RELEASES] = HUGE_VAL; // (T2)
        }
    }
    return any;
}

TmlPassed tml_system_first_passed(TmlSystem *sys, const TmlState *start, const TmlState *end,
                                  double to)
{
    struct TmlTouching *t = sys->touching;
    TmlPassed passed = {.pair = -1};
    double least = HUGE_VAL;
    if (t == NULL || !t->sided) {
        return passed;
    }
    tml_system_kinematics(sys, end, false);
    if (!note_passed(sys, to)) {
        return passed;
    }
    tml_system_kinematics(sys, start, false);
    for (int k = 0; k < t->n; ++k) {
        double value[TML_TURNS], slack[TML_TURNS];
        TmlNear *near = &t->near[k];
        if (!tml_near_is_sided(sys, near)) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        tml_pair_turns(&in, to, value, slack);
        for (int i = 0; i < TML_TURNS; ++i) {
            const double first = isfinite(value[i]) ? fmax(value[i], 0.0) : 0.0;
            const double at = first / (first - near->turn[i]); // (T1)
            if (near->turn[i] < 0.0 && at < least) {
                least = at;
                passed = (TmlPassed){k, i, first, near->turn[i], slack[i]};
            }
        }
    }
    return passed;
}

double tml_system_turn_value(TmlSystem *sys, const TmlState *s, TmlPassed *p, double to)
{
    double value[TML_TURNS], slack[TML_TURNS];
    tml_system_kinematics(sys, s, false);
    const TmlPairIn in = tml_near_in(sys, &sys->touching->near[p->pair], 0.0);
    tml_pair_turns(&in, to, value, slack);
    p->slack = slack[p->turn];
    return value[p->turn];
}

bool tml_turn_is_release(const TmlPassed *p)
{
    return p->turn == TML_TURN_OPENS || p->turn == TML_TURN_RELEASES;
}

/* Writes down what a pair has become. */
static void take_sides(TmlSystem *sys, const TmlNear *near, const TmlSide *side, const double *rate)
{
    for (int i = 0; i < near->n_memory; ++i) {
        TmlPointMemory *m = &sys->touching->memory[near->memory0 + i];
        const double speed = fmax(rate[i], 0.0);
        if (side[i] == TML_SIDE_PRESSED && m->side == TML_SIDE_OPEN) {
            m->entry = speed;
        } else if (side[i] == TML_SIDE_OPEN && m->side != TML_SIDE_OPEN) {
            m->entry = -speed;
        }
        m->side = side[i];
    }
    tml_touching_keep(sys, near);
}

bool tml_system_cross_sides(TmlSystem *sys, TmlState *s, double to)
{
    struct TmlTouching *t = sys->touching;
    bool changed = false;
    if (t == NULL || !t->sided) {
        return false;
    }
    tml_system_kinematics(sys, s, true);
    for (int k = 0; k < t->n; ++k) {
        TmlSide side[TML_TOUCH_MAX];
        double rate[TML_TOUCH_MAX];
        TmlNear *near = &t->near[k];
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        if (tml_near_is_sided(sys, near) && tml_pair_cross(&in, to, side, rate)) {
            take_sides(sys, near, side, rate);
            changed = true;
        }
    }
    if (changed) {
        tml_bristles_commit(sys);
        tml_system_free_bristles(sys, s);
    }
    return changed;
}
