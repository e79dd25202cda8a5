/* model/read/structure.c - structural analysis of implicit equations.
 *
 * s_ij is the order of the derivative in which unknown j enters equation i (-inf: not at all).
 *
 *   (T1)  an assignment of equations to unknowns, one to one, with the largest sum of s_ij
 *   (T2)  the least c_i >= 0, d_j with d_j - c_i >= s_ij, and = for assigned pairs, by repeating
 *         d_j = max_i (s_ij + c_i),  c_i = d_j - s_ij (assigned)             Pryce, BIT 41 (2001)
 *
 * Equation i is to be differentiated c_i times, after which unknowns in their derivatives of order
 * d_j are determined. Unknowns with d_j = 0 are algebraic. So are, in number, as many others as
 * there are equations with c_i = 1: those are solved for some of the unknowns that they hold, and
 * their derivatives for the rates of the same (dummy derivatives; Mattsson and Soderlind, SIAM J.
 * Sci. Comput. 14, 1993). Which is free as far as the structure goes; an unknown takes its own
 * equation where it can.
 */
#include "model/read/structure.h"

#include "base/fail.h"

#include <limits.h>

enum { COST_RATE = 0, COST_VALUE = 1, COST_THROUGH = 1000, COST_ABSENT = 100000 };

TmlStatus tml_structure_create(int n, TmlArena *arena, TmlStructure *out, TmlError *err)
{
    *out = (TmlStructure){.n = n, .bad_equation = -1, .bad_unknown = -1};
    TML_NEW(arena, out->entry, (size_t)n * (size_t)n);
    TML_NEW(arena, out->equation, n);
    TML_NEW(arena, out->algebraic, n);
    TML_NEW(arena, out->times, n);
    for (int k = 0; k < n * n; ++k) {
        out->entry[k] = TML_ABSENT;
    }
    return TML_OK;
}

static int entry_cost(int entry, bool own)
{
    const int cost = entry == TML_BY_RATE    ? COST_RATE
                     : entry == TML_BY_VALUE ? COST_VALUE
                     : entry == TML_THROUGH  ? COST_THROUGH
                                             : COST_ABSENT;
    return 2 * cost + (own ? 0 : 1); // of equal ones the own equation
}

/* Scratch of the assignment, each of n + 1. */
typedef struct Labels {
    int *u, *v;      /* potentials of rows and columns */
    int *row, *back; /* row of a column, column before it on the path; 0: none */
    int *least;      /* least reduced cost of a column */
    bool *used;
} Labels;

/* One row more by a shortest augmenting path: rows and columns count from 1. */
static void augment(const TmlStructure *s, Labels *w, int row)
{
    const int n = s->n;
    int col = 0;
    w->row[0] = row;
    for (int j = 0; j <= n; ++j) {
        w->least[j] = INT_MAX;
        w->used[j] = false;
    }
    do {
        const int i = w->row[col];
        int delta = INT_MAX, next = 0;
        w->used[col] = true;
        for (int j = 1; j <= n; ++j) {
            if (w->used[j]) {
                continue;
            }
            const int cost = entry_cost(s->entry[(i - 1) * n + j - 1], i == j);
            const int reduced = cost - w->u[i] - w->v[j];
            if (reduced < w->least[j]) {
                w->least[j] = reduced;
                w->back[j] = col;
            }
            if (w->least[j] < delta) {
                delta = w->least[j];
                next = j;
            }
        }
        for (int j = 0; j <= n; ++j) {
            if (w->used[j]) {
                w->u[w->row[j]] += delta;
                w->v[j] -= delta;
            } else {
                w->least[j] -= delta;
            }
        }
        col = next;
    } while (w->row[col] != 0);
    while (col != 0) {
        w->row[col] = w->row[w->back[col]];
        col = w->back[col];
    }
}

/* (T1): sets equation. */
static TmlStatus assign(TmlStructure *s, TmlArena *arena, TmlError *err)
{
    Labels w;
    const size_t n = (size_t)s->n + 1;
    TML_NEW(arena, w.u, n);
    TML_NEW(arena, w.v, n);
    TML_NEW(arena, w.row, n);
    TML_NEW(arena, w.back, n);
    TML_NEW(arena, w.least, n);
    TML_NEW(arena, w.used, n);
    for (int i = 1; i <= s->n; ++i) {
        augment(s, &w, i);
    }
    for (int j = 0; j < s->n; ++j) {
        s->equation[j] = w.row[j + 1] - 1;
    }
    return TML_OK;
}

static int order_of(int entry)
{
    return entry == TML_BY_RATE ? 1 : 0;
}

/* (T2) into times and order[n]; false: above what is handled. */
static bool offsets(TmlStructure *s, int *order)
{
    const int n = s->n;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int j = 0; j < n; ++j) {
            order[j] = 0;
            for (int i = 0; i < n; ++i) {
                const int entry = s->entry[i * n + j];
                if (entry >= TML_BY_VALUE || (entry == TML_THROUGH && s->equation[j] == i)) {
                    const int need = order_of(entry) + s->times[i];
                    order[j] = need > order[j] ? need : order[j];
                }
            }
            const int i = s->equation[j], times = order[j] - order_of(s->entry[i * n + j]);
            changed |= times != s->times[i];
            s->times[i] = times;
            if (order[j] > 1) {
                s->bad_equation = i;
                s->bad_unknown = j;
                return false;
            }
        }
    }
    return true;
}

/* Give unknown j an equation among those with c_i = 1, moving others if need be. owner[i]: -1. */
static bool take(TmlStructure *s, int j, int *owner, bool *tried)
{
    for (int turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < s->n; ++i) {
            const bool fits = s->times[i] == 1 && s->entry[i * s->n + j] == TML_BY_VALUE;
            if (!fits || tried[i] || (turn == 0 && i != j)) {
                continue;
            }
            tried[i] = true;
            if (owner[i] < 0 || take(s, owner[i], owner, tried)) {
                owner[i] = j;
                return true;
            }
        }
    }
    return false;
}

/* The unknowns of equations with c_i = 1; then equations for those whose rates follow. */
static TmlStatus choose(TmlStructure *s, const int *order, TmlArena *arena, TmlError *err)
{
    const int n = s->n;
    int *owner, *given;
    bool *tried;
    TML_NEW(arena, owner, n);
    TML_NEW(arena, given, n);
    TML_NEW(arena, tried, n);
    for (int i = 0; i < n; ++i) {
        owner[i] = given[i] = -1;
    }
    for (int turn = 0; turn < 2; ++turn) { // first those whose own equation is such a one
        for (int j = 0; j < n; ++j) {
            if (order[j] == 1 && (s->times[j] == 1) == (turn == 0)) {
                for (int i = 0; i < n; ++i) {
                    tried[i] = false;
                }
                (void)take(s, j, owner, tried);
            }
        }
    }
    for (int j = 0; j < n; ++j) {
        s->algebraic[j] = order[j] == 0;
        owner[s->equation[j]] = order[j] == 0 ? j : owner[s->equation[j]];
    }
    for (int i = 0; i < n; ++i) {
        if (owner[i] >= 0) {
            given[owner[i]] = i;
            s->algebraic[owner[i]] = true;
        }
    }
    for (int turn = 0; turn < 2; ++turn) { // the rest in any order, the own one if it is free
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n && given[j] < 0; ++i) {
                if (owner[i] < 0 && (turn == 1 || i == j)) {
                    owner[i] = j;
                    given[j] = i;
                }
            }
        }
    }
    for (int j = 0; j < n; ++j) {
        s->equation[j] = given[j];
    }
    return TML_OK;
}

TmlStatus tml_structure_solve(TmlStructure *s, TmlArena *arena, TmlStructureResult *result,
                              TmlError *err)
{
    int *order;
    TML_NEW(arena, order, s->n);
    TML_TRY(assign(s, arena, err));
    *result = TML_STRUCTURE_SINGULAR;
    for (int j = 0; j < s->n; ++j) {
        s->times[j] = 0;
        if (s->entry[s->equation[j] * s->n + j] == TML_ABSENT) {
            s->bad_equation = s->equation[j];
            s->bad_unknown = j;
            return TML_OK;
        }
    }
    *result = TML_STRUCTURE_HIGH;
    if (!offsets(s, order)) {
        return TML_OK;
    }
    *result = TML_STRUCTURE_FOUND;
    return choose(s, order, arena, err);
}
