/* system/contact/touching_memory.c - what is remembered of points that touch, from one accepted state to the next.
 *
 * It is kept among the memory of the system, so that restarts, dumps and take-overs know it: a count, then
 * for each point the number of its pair of shapes, its identity, the rate with which it closed and that of
 * the state before: rows are made of a step after its end was committed, and the last step of a contact
 * ends with the gap open.
 */
#include "system/contact/touching.h"

#include <math.h>
#include <string.h>

/* Points that may close within so many steps of the last size are remembered while they are open. */
static const double steps_remembered = 4.0;

static double pair_number(const TmlSystem *sys, const TmlNear *near)
{
    return (double)near->shape[0] * sys->model->shapes.n + near->shape[1];
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
            t->memory[fill++] =
                (TmlPointMemory){(uint64_t)kept[2 + W * at], kept[3 + W * at], kept[4 + W * at]};
        }
        near->n_memory = fill - near->memory0;
    }
}

/* The rate to remember of a point: while its gap is open that of the present, as a negative number; the one it
 * closed with, which is the larger one of the last before and the first after; from then on that. */
static double entry_of(const TmlNear *near, const TmlPointMemory *memory, const TmlPairPoint *p)
{
    const double rate = fmax(p->rate, 0.0);
    double most = 0.0;
    if (p->depth <= 0.0) {
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

void tml_touching_commit(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    double *kept = sys->memory + t->memory0;
    TmlPairPoint point[TML_TOUCH_MAX];
    int fill = 0;
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
        for (int i = 0; i < n && fill < t->slots; ++i, ++fill) {
            double *at = kept + 1 + (size_t)fill * TML_MEMORY_VALUES;
            at[0] = pair_number(sys, near);
            at[1] = (double)point[i].id;
            at[2] = entry_of(near, t->memory, &point[i]);
            at[3] = entry_before(near, t->memory, point[i].id);
        }
    }
    kept[0] = fill;
    tml_touching_remember(sys);
    tml_bristles_commit(sys);
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
