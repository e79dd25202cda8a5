/* system/contact/touching_memory.c - what is remembered of points that touch, from one accepted state to the next.
 *
 * It is kept among the memory of the system, so that restarts, dumps and take-overs know it: a count, then
 * for each point the number of its pair of shapes, its identity, the rate with which it closed and that of
 * the state before: rows are made of a step after its end was committed, and the last step of a contact
 * ends with the gap open. Then come its side of onset and release (model/contact/pair_sides.c) and the anchors of its friction, which statics read: in a motion they go along with the
 * point, at rest they stay where it was laid down.
 */
#include "system/contact/touching.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Points that may close within so many steps of the last size are remembered while they are open. */
static const double steps_remembered = 4.0;

static double pair_number(const TmlSystem *sys, const TmlNear *near)
{
    return (double)near->shape[0] * sys->model->shapes.n + near->shape[1];
}

void tml_near_note_pressed(const struct TmlTouching *t, TmlNear *near)
{
    near->pressed = false;
    for (int k = near->memory0; k < near->memory0 + near->n_memory; ++k) {
        near->pressed = near->pressed || t->memory[k].side != TML_SIDE_OPEN;
    }
}

void tml_touching_remember(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    const double *kept = sys->memory + t->memory0;
    const int n = (int)kept[0];
    int at = 0, fill = 0;
    enum { W = TML_MEMORY_VALUES };
    // both lists are in the order of the numbers of pairs
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        const double number = pair_number(sys, near);
        near->memory0 = fill;
        while (at < n && kept[1 + W * at] < number) {
            ++at;
        }
        for (; at < n && kept[1 + W * at] == number; ++at) {
            const double *x = kept + 2 + W * at;
            t->memory[fill++] =
                (TmlPointMemory){.id = (uint64_t)x[0],
                                 .entry = x[1],
                                 .before = x[2],
                                 .side = (TmlSide)x[3],
                                 .held = x[4] != 0.0,
                                 .anchor = {v3(x[5], x[6], x[7]), v3(x[8], x[9], x[10])}};
        }
        near->n_memory = fill - near->memory0;
        tml_near_note_pressed(t, near);
    }
}

/* The rate to remember of a point: while its gap is open that of the present, as a negative number; the one it
 * closed with, which is the larger one of the last before and the first after; from then on that. */
static double entry_of(const TmlNear *near, const TmlPointMemory *memory, const TmlPairPoint *p)
{
    const double rate = fmax(p->rate, 0.0);
    double most = 0.0;
    if (!p->closed) {
        return -rate;
    }
    for (int k = 0; k < near->n_memory; ++k) {
        const double entry = memory[near->memory0 + k].entry;
        if (memory[near->memory0 + k].id == p->id) {
            return signbit(entry) ? fmax(rate, -entry) : entry;
        }
        most = fmax(most, fabs(entry));
    }
    return fmax(most, near->n_memory > 0 ? 0.0 : rate);
}

/* The side to remember: as long as sides are kept the one that it had; else the one that depth and force tell. */
static TmlSide side_of(const TmlPairPoint *p)
{
    if (p->side == TML_SIDE_OPEN || p->side == TML_SIDE_PRESSED) {
        return p->side;
    }
    return !(p->depth > 0.0) ? TML_SIDE_OPEN : p->force != 0.0 ? TML_SIDE_PRESSED : TML_SIDE_SLACK;
}

/* The entry of a point that was closed at the state before; 0: it was open. */
static double entry_before(const TmlNear *near, const TmlPointMemory *memory, uint64_t id)
{
    for (int k = near->memory0; k < near->memory0 + near->n_memory; ++k) {
        if (memory[k].id == id) {
            return fmax(memory[k].entry, 0.0);
        }
    }
    return 0.0;
}

/* x[7]: whether there are anchors, and these. */
static void put_anchors(const TmlPairIn *in, const TmlPairPoint *p, double *x)
{
    TmlVec3 anchor[2] = {m3_tmulv(&in->e[0]->A, v3_sub(p->p, in->e[0]->r)),
                         m3_tmulv(&in->e[1]->A, v3_sub(p->p, in->e[1]->r))};
    if (!in->still) { // where they would lie on each other
        anchor[1] = v3_add(anchor[1], m3_tmulv(&in->e[1]->A, p->z));
    }
    for (int k = 0; k < in->n_memory && in->still; ++k) {
        if (in->memory[k].id == p->id && in->memory[k].held) {
            anchor[0] = in->memory[k].anchor[0];
            anchor[1] = in->memory[k].anchor[1];
        }
    }
    const double values[7] = {in->law->slip != NULL && p->depth > 0.0,
                              anchor[0].x,
                              anchor[0].y,
                              anchor[0].z,
                              anchor[1].x,
                              anchor[1].y,
                              anchor[1].z};
    memcpy(x, values, sizeof values);
}

void tml_touching_commit(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    double *kept = sys->memory + t->memory0;
    TmlPairPoint point[TML_TOUCH_MAX];
    int fill = 0;
    t->crowded = false;
    if (!t->listed) {
        return; // the memory of a run that goes on waits for the first list
    }
    tml_near_look(sys, steps_remembered * t->h);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        if (tml_near_sleeps(t, near)) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        TmlPairForce force;
        const int n = tml_pair_force(&in, &force, point);
        t->crowded = t->crowded || fill + n > t->slots;
        t->released = t->released || (near->pressed && force.depth < near->parts_at);
        near->faces = n > 0;
        for (int i = 0; i < n && fill < t->slots; ++i, ++fill) {
            near->faces = near->faces && point[i].size > 0.0;
            double *at = kept + 1 + (size_t)fill * TML_MEMORY_VALUES;
            at[0] = pair_number(sys, near);
            at[1] = (double)point[i].id;
            at[2] = entry_of(near, t->memory, &point[i]);
            at[3] = entry_before(near, t->memory, point[i].id);
            at[4] = (double)side_of(&point[i]);
            put_anchors(&in, &point[i], at + 5);
        }
    }
    kept[0] = fill;
    for (int k = 0; k < t->n; ++k) {
        t->near[k].was_pressed = t->near[k].pressed;
    }
    tml_touching_remember(sys);
    for (int k = 0; k < t->n; ++k) {
        t->released = t->released || (t->near[k].was_pressed && !t->near[k].pressed);
    }
    tml_bristles_commit(sys);
}

bool tml_system_presses(const TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; t != NULL && k < t->n; ++k) {
        if (t->near[k].pressed) {
            return true;
        }
    }
    return false;
}

bool tml_system_released(TmlSystem *sys)
{
    const bool released = sys->touching != NULL && sys->touching->released;
    if (released) {
        sys->touching->released = false;
    }
    return released;
}

void tml_touching_keep(TmlSystem *sys, const TmlNear *near)
{
    const struct TmlTouching *t = sys->touching;
    double *kept = sys->memory + t->memory0;
    const double number = pair_number(sys, near);
    int at = 0;
    while (at < (int)kept[0] && kept[1 + TML_MEMORY_VALUES * at] != number) {
        ++at;
    }
    for (int k = 0; k < near->n_memory; ++k, ++at) { // in the same order, remember() has taken all
        kept[3 + TML_MEMORY_VALUES * at] = t->memory[near->memory0 + k].entry;
        kept[5 + TML_MEMORY_VALUES * at] = (double)t->memory[near->memory0 + k].side;
    }
}

/* Shapes are the same when their names are, in the same order. */
static bool same_shapes(const TmlModel *a, const TmlModel *b)
{
    bool same = a->shapes.n == b->shapes.n;
    for (int k = 0; k < a->shapes.n && same; ++k) {
        same = strcmp(a->shapes.at[k].name, b->shapes.at[k].name) == 0;
    }
    return same;
}

void tml_touching_take(TmlSystem *sys, const TmlSystem *from)
{
    if (sys->touching == NULL || from->touching == NULL || !same_shapes(sys->model, from->model)) {
        return;
    }
    memcpy(sys->memory + sys->touching->memory0, from->memory + from->touching->memory0,
           (size_t)(1 + TML_MEMORY_VALUES * sys->touching->slots) * sizeof *sys->memory);
    tml_touching_remember(sys);
}
