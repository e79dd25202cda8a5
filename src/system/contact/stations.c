/* system/contact/stations.c - stations of flexible bodies, and shapes of modal bodies, in the matrices.
 *
 * A station is a sphere about a point of a flexible element, and its end is moved by all vectors of that. What pairs add
 * to the block of an element with itself is summed up and handed over once for each element, in the same order
 * always: which stations touch changes, the pattern of the matrix must not.
 */
#include "system/contact/touching.h"

#include "base/fail.h"
#include "model/flexible/flexible.h"
#include "system/matrix/blocks.h"
#include "system/modal/modal_bodies.h"

#include <string.h>

/* What the block of one element takes. */
static size_t square(const TmlSystem *sys)
{
    return (size_t)sys->stride * (size_t)sys->stride;
}

/* What the end of a carrier is a part of: an element, or behind all elements a modal body; -1: a body that moves by itself. */
static int owner(const TmlSystem *sys, const TmlCarrier *c)
{
    const TmlModel *m = sys->model;
    return c->point == 0 || c->element >= 0 ? c->element
                                            : m->flexes.n + m->points.at[c->point - 1].modal;
}

TmlStatus tml_own_setup(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    const int n = sys->model->flexes.n + sys->model->modals.n;
    bool any = false;
    for (int k = 0; k < t->n_carriers; ++k) {
        any = any || t->carrier[k].point > 0;
    }
    if (!any) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, t->own, n);
    TML_NEW(&sys->arena, t->own_of, n);
    for (int e = 0; e < n; ++e) {
        t->own_of[e] = -1;
    }
    for (int k = 0; k < t->n_carriers; ++k) {
        const int e = owner(sys, &t->carrier[k]);
        if (e >= 0 && t->own_of[e] < 0) {
            t->own_of[e] = t->n_own;
            t->own[t->n_own++] = e;
        }
    }
    return TML_OK;
}

TmlStatus tml_own_room(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    TML_NEW(&sys->arena, t->own_block, (size_t)t->n_own * square(sys));
    return TML_OK;
}

double *tml_own_block(const TmlSystem *sys, const TmlCarrier *c)
{
    const struct TmlTouching *t = sys->touching;
    return t->own_block + (size_t)t->own_of[owner(sys, c)] * square(sys);
}

void tml_own_clear(TmlSystem *sys)
{
    if (sys->touching->n_own > 0) {
        memset(sys->touching->own_block, 0,
               (size_t)sys->touching->n_own * square(sys) * sizeof *sys->touching->own_block);
    }
}

static bool is_zero(const TmlRow *w)
{
    return w->r.x == 0.0 && w->r.y == 0.0 && w->r.z == 0.0 && w->theta.x == 0.0 &&
           w->theta.y == 0.0 && w->theta.z == 0.0;
}

void tml_own_emit(TmlSystem *sys, TmlCoeffs c)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n_carriers; ++k) {
        const TmlCarrier *at = &t->carrier[k];
        if (at->point > 0 && !is_zero(&sys->wrench[at->end])) {
            tml_end_geometric(sys, at->end, &sys->wrench[at->end], c.q, tml_own_block(sys, at));
        }
    }
    for (int k = 0; k < t->n_own; ++k) {
        const int e = t->own[k], n = sys->model->flexes.n;
        const TmlParts *p = e < n ? tml_element_parts(sys, e) : &sys->modal->at[e - n].parts;
        tml_parts_block(sys, p, p, t->own_block + (size_t)k * square(sys), true);
    }
}

bool tml_touching_has_end(const TmlSystem *sys, int end)
{
    const struct TmlTouching *t = sys->touching;
    // the ends of carriers follow each other
    return t != NULL && t->n_carriers > 0 && end >= t->carrier[0].end &&
           end <= t->carrier[t->n_carriers - 1].end;
}
