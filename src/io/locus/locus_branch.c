/* io/locus/locus_branch.c - eigenvalues of neighbouring values as branches.
 *
 * A mode is looked for where a straight line through its last two places leads. Of all pairs (place, mode) the nearest is joined
 * first, then the nearest of the rest. Where a pair of complex eigenvalues becomes two real ones, one of these goes on
 * and the other begins a branch.
 */
#include "io/locus/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How often an interval is halved to find how a motion became unstable. */
enum { DEEPEST = 6 };

typedef struct Pair {
    double distance;
    int from, to;
} Pair;

static int by_distance(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

TmlStatus tml_locus_match(TmlArena *scratch, const TmlLocusPoint *before, const int *back,
                          const TmlLocusPoint *from, const TmlLocusPoint *to, int *match,
                          TmlError *err)
{
    Pair *pair;
    bool *taken;
    TML_NEW(scratch, pair, (size_t)from->n * (size_t)to->n + 1);
    TML_NEW(scratch, taken, to->n + 1);
    const double on =
        before != NULL ? (to->value - from->value) / (from->value - before->value) : 0.0;
    int n = 0;
    for (int i = 0; i < from->n; ++i) {
        const TmlMode *m = &from->mode[i];
        const TmlMode *last = before != NULL && back[i] >= 0 ? &before->mode[back[i]] : m;
        const double re = m->real + on * (m->real - last->real);
        // what has become real stays so, unless it comes nearer to a pair
        const double im = fmax(m->imag + on * (m->imag - last->imag), 0.0);
        match[i] = -1;
        for (int k = 0; k < to->n; ++k) {
            pair[n++] = (Pair){hypot(to->mode[k].real - re, to->mode[k].imag - im), i, k};
        }
    }
    qsort(pair, (size_t)n, sizeof *pair, by_distance);
    for (int k = 0; k < n; ++k) {
        if (match[pair[k].from] < 0 && !taken[pair[k].to]) {
            match[pair[k].from] = pair[k].to;
            taken[pair[k].to] = true;
        }
    }
    return TML_OK;
}

static int weight(const TmlMode *m)
{
    return m->imag > 0.0 ? 2 : 1;
}

int tml_locus_count_unstable(const TmlLocusPoint *p)
{
    int count = 0;
    for (int k = 0; k < p->n; ++k) {
        count += p->mode[k].real > p->noise ? weight(&p->mode[k]) : 0;
    }
    return count;
}

/* By how many the unstable motions grow along the branches from a point to the next. */
static int count_along(const TmlLocusPoint *a, const TmlLocusPoint *b, const int *match)
{
    int count = 0;
    for (int i = 0; i < a->n; ++i) {
        if (match[i] >= 0) {
            count += b->mode[match[i]].real > b->noise ? weight(&b->mode[match[i]]) : 0;
            count -= a->mode[i].real > a->noise ? weight(&a->mode[i]) : 0;
        }
    }
    return count;
}

/* A value in the middle of the interval before point k. */
static TmlStatus halve(TmlLocus *w, int k, TmlError *err)
{
    TmlLocusPoint middle;
    const int depth = w->point[k].depth + 1;
    TML_TRY(tml_locus_evaluate(w, 0.5 * (w->point[k - 1].value + w->point[k].value), &middle, err));
    if (!tml_mem_grow((void **)&w->point, &w->cap, w->n + 1, sizeof *w->point)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    memmove(w->point + k + 1, w->point + k, (size_t)(w->n - k) * sizeof *w->point);
    w->point[k] = middle;
    w->point[k].depth = w->point[k + 1].depth = depth;
    ++w->n;
    return TML_OK;
}

/* The modes of point k - 1 that those of point k come from. */
static void go_back(const TmlLocusPoint *p, const TmlLocusPoint *next, const int *match, int *back)
{
    for (int k = 0; k < next->n; ++k) {
        back[k] = -1;
    }
    for (int i = 0; i < p->n; ++i) {
        if (match[i] >= 0) {
            back[match[i]] = i;
        }
    }
}

TmlStatus tml_locus_join(TmlLocus *w, TmlError *err)
{
    int *back = NULL;
    for (int k = 0; k < w->point[0].n; ++k) {
        w->point[0].branch[k] = w->branches++;
    }
    for (int k = 1; k < w->n;) {
        const TmlLocusPoint *a = &w->point[k - 1];
        TmlLocusPoint *b = &w->point[k];
        TmlArena scratch = {0};
        int *match, *next;
        TML_NEW(&w->arena, match, a->n + 1);
        TML_NEW(&w->arena, next, b->n + 1);
        const TmlStatus status =
            tml_locus_match(&scratch, k > 1 ? a - 1 : NULL, back, a, b, match, err);
        tml_arena_free(&scratch);
        TML_TRY(status);
        const int change = tml_locus_count_unstable(b) - tml_locus_count_unstable(a);
        if (change != count_along(a, b, match) && b->depth < DEEPEST) {
            TML_TRY(halve(w, k, err));
            continue;
        }
        go_back(a, b, match, next);
        for (int i = 0; i < b->n; ++i) {
            b->branch[i] = next[i] >= 0 ? a->branch[next[i]] : w->branches++;
        }
        back = next;
        ++k;
    }
    return TML_OK;
}
