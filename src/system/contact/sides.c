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

/* Tells whether the force of the law between the shapes of a pair jumps. */
static bool jumps(const TmlSystem *sys, const TmlNear *near)
{
    const TmlContactLaw *law =
        tml_contact_law(sys->model, near->contact, near->shape[0], near->shape[1]);
    return law->press->jumps != NULL && law->press->jumps(law->press_data);
}

static bool is_station(const TmlSystem *sys, int shape)
{
    return sys->model->shapes.at[shape].weight > 0.0;
}

TmlSided tml_near_sides(const TmlSystem *sys, const TmlNear *near)
{
    const struct TmlTouching *t = sys->touching;
    const TmlSided asked = sys->model->contacts.at[near->contact].sided;
    if (near->faces) {
        return TML_SIDED_NONE;
    }
    if (!t->sided || asked == TML_SIDED_ALL) {
        return t->sided ? asked : TML_SIDED_NONE;
    }
    // points that travel are not remembered, those that stand for a length or an area are many with a small force each
    const bool single =
        !near->travels && !is_station(sys, near->shape[0]) && !is_station(sys, near->shape[1]);
    return t->jumps && single && asked == TML_SIDED_JUMPS && jumps(sys, near) ? asked
                                                                              : TML_SIDED_NONE;
}

bool tml_system_locates(const TmlSystem *sys)
{
    bool locates = false;
    for (int k = 0; sys->touching != NULL && k < sys->model->contacts.n; ++k) {
        locates = locates || sys->model->contacts.at[k].sided == TML_SIDED_ALL;
    }
    return locates;
}

void tml_system_keep_sides(TmlSystem *sys, bool jumps)
{
    if (sys->touching != NULL) {
        sys->touching->keeps = sys->touching->sided = true;
        sys->touching->jumps = jumps;
    }
}

static double miss_of(const TmlPairIn *in, TmlMiss to)
{
    return in->sided == TML_SIDED_ALL ? to.located : to.jumps;
}

/* Whether any near pair keeps sides. */
static bool any_sided(const TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    bool any = false;
    for (int k = 0; t != NULL && t->sided && k < t->n && !any; ++k) {
        any = tml_near_sides(sys, &t->near[k]) != TML_SIDED_NONE;
    }
    return any;
}

/* Notes what has been passed at the last kinematics. */
static bool note_passed(TmlSystem *sys, TmlMiss to)
{
    struct TmlTouching *t = sys->touching;
    bool any = false;
    tml_near_look(sys, 0.0);
    for (int k = 0; k < t->n; ++k) {
        double value[TML_TURNS], slack[TML_TURNS];
        TmlNear *near = &t->near[k];
        near->passed = false;
        if (tml_near_sleeps(t, near) || tml_near_sides(sys, near) == TML_SIDED_NONE) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        tml_pair_turns(&in, miss_of(&in, to), value, slack);
        for (int i = 0; i < TML_TURNS; ++i) {
            near->turn[i] = value[i] < -slack[i] ? value[i] : HUGE_VAL;
            near->passed = near->passed || near->turn[i] < 0.0;
        }
        if (near->turn[TML_TURN_OPENS] < 0.0) {
            near->turn[TML_TURN_RELEASES] = HUGE_VAL; // (T2)
        }
        any = any || near->passed;
    }
    return any;
}

TmlPassed tml_system_first_passed(TmlSystem *sys, const TmlState *start, const TmlState *end,
                                  TmlMiss to)
{
    struct TmlTouching *t = sys->touching;
    TmlPassed passed = {.pair = -1};
    double least = HUGE_VAL;
    if (!any_sided(sys)) {
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
        if (!near->passed) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        tml_pair_turns(&in, miss_of(&in, to), value, slack);
        for (int i = 0; i < TML_TURNS; ++i) {
            const double first = isfinite(value[i]) ? fmax(value[i], 0.0) : 0.0;
            const double at = first / (first - near->turn[i]); // (T1)
            if (near->turn[i] < 0.0 && at < least) {
                least = at;
                passed = (TmlPassed){
                    .pair = k,
                    .turn = i,
                    .first = first,
                    .last = near->turn[i],
                    .slack = slack[i],
                    .located = tml_near_sides(sys, near) == TML_SIDED_ALL,
                };
            }
        }
    }
    return passed;
}

double tml_system_turn_value(TmlSystem *sys, const TmlState *s, TmlPassed *p, TmlMiss to)
{
    double value[TML_TURNS], slack[TML_TURNS];
    tml_system_kinematics(sys, s, false);
    TmlNear *near = &sys->touching->near[p->pair];
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    tml_pair_turns(&in, miss_of(&in, to), value, slack);
    p->slack = slack[p->turn];
    return value[p->turn];
}

bool tml_turn_is_release(const TmlPassed *p)
{
    return p->turn == TML_TURN_OPENS || p->turn == TML_TURN_RELEASES;
}

/* Writes down what a pair has become. */
static void take_sides(TmlSystem *sys, TmlNear *near, const TmlSide *side, const double *rate)
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
    tml_near_note_pressed(sys->touching, near);
    tml_touching_keep(sys, near);
}

bool tml_system_cross_sides(TmlSystem *sys, TmlState *s, TmlMiss to)
{
    struct TmlTouching *t = sys->touching;
    bool changed = false;
    if (!any_sided(sys)) {
        return false;
    }
    tml_system_kinematics(sys, s, true);
    for (int k = 0; k < t->n; ++k) {
        TmlSide side[TML_TOUCH_MAX];
        double rate[TML_TOUCH_MAX];
        TmlNear *near = &t->near[k];
        if (tml_near_sides(sys, near) == TML_SIDED_NONE) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        if (tml_pair_cross(&in, miss_of(&in, to), side, rate)) {
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

void tml_system_open_sides(TmlSystem *sys, TmlMiss to)
{
    struct TmlTouching *t = sys->touching;
    for (int k = 0; t != NULL && k < t->n; ++k) {
        TmlSide side[TML_TOUCH_MAX];
        double rate[TML_TOUCH_MAX];
        TmlNear *near = &t->near[k];
        if (!near->pressed || tml_near_sides(sys, near) != TML_SIDED_JUMPS) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        if (tml_pair_opened(&in, miss_of(&in, to), side, rate)) {
            take_sides(sys, near, side, rate);
        }
    }
}
