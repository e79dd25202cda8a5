/* system/coordinates/row_order.c - in which order to eliminate the rows of joints.
 *
 * Bodies are visited from ground on, level by level; groups that nothing ties to ground start at
 * one of their bodies. A joint through which a body is first reached belongs to the tree, all
 * others close loops. Backwards, the order of the visit runs from the tips to the root. own
 */
#include "system/coordinates/row_order.h"

#include "base/fail.h"
#include "system/system_internal.h"

typedef struct Visit {
    const TmlSystem *sys;
    int *start, *joint; /* nb + 1; per body: the constraints that it has part in */
    bool *reached;      /* nb */
    bool *seen;         /* per constraint */
    bool *tree;         /* per constraint: reaches a body */
    int *queue, n;      /* nb: bodies in the order of the visit */
    int *met, n_met;    /* constraints in the order of the visit */
} Visit;

/* Tells whether an end of the constraint is at rest. */
static bool is_grounded(const TmlSystem *sys, int c)
{
    for (int e = 0; e < sys->model->constraints.at[c].n_ends; ++e) {
        if (tml_end_parts(sys, sys->constraint[c].end0 + e)->cols == 0) {
            return true;
        }
    }
    return false;
}

/* Counts the constraints of each body, or lists them when there is room; returns how many in all.
 */
static int list_joints(Visit *v)
{
    const TmlModel *m = v->sys->model;
    int n = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int e = 0; e < m->constraints.at[c].n_ends; ++e) {
            const TmlParts *p = tml_end_parts(v->sys, v->sys->constraint[c].end0 + e);
            for (int i = 0; i < p->n; ++i, ++n) {
                if (v->joint == NULL) {
                    v->start[p->body[i] + 1]++;
                } else {
                    v->joint[v->start[p->body[i]]++] = c;
                }
            }
        }
    }
    return n;
}

static void meet(Visit *v, int c)
{
    const TmlConstraint *con = &v->sys->model->constraints.at[c];
    if (v->seen[c]) {
        return;
    }
    v->seen[c] = true;
    v->met[v->n_met++] = c;
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlParts *p = tml_end_parts(v->sys, v->sys->constraint[c].end0 + e);
        for (int i = 0; i < p->n; ++i) {
            const int b = p->body[i];
            if (!v->reached[b] && v->sys->dim.span[b].nu > 0) {
                v->reached[b] = v->tree[c] = true;
                v->queue[v->n++] = b;
            }
        }
    }
}

static void visit(Visit *v)
{
    const TmlSystem *sys = v->sys;
    int done = 0;
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        if (is_grounded(sys, c)) {
            meet(v, c);
        }
    }
    for (int root = 1; root <= sys->dim.nb; ++root) {
        for (; done < v->n; ++done) {
            const int b = v->queue[done];
            for (int k = v->start[b]; k < v->start[b + 1]; ++k) {
                meet(v, v->joint[k]);
            }
        }
        if (root < sys->dim.nb && !v->reached[root]) {
            v->reached[root] = true;
            v->queue[v->n++] = root;
        }
    }
}

static int list_rows(const Visit *v, bool tree, int *order, int n)
{
    const TmlSystem *sys = v->sys;
    for (int k = v->n_met - 1; k >= 0; --k) {
        const int c = v->met[k];
        for (int i = 0; i < sys->model->constraints.at[c].type->rows && v->tree[c] == tree; ++i) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + i];
            if (row >= 0) {
                order[n++] = row;
            }
        }
    }
    return n;
}

static TmlStatus fill(Visit *v, TmlArena *arena, int *order, int *n_tree, TmlError *err)
{
    const int nb = v->sys->dim.nb, nc = v->sys->model->constraints.n;
    TML_NEW(arena, v->start, nb + 2);
    TML_NEW(arena, v->reached, nb + 1);
    TML_NEW(arena, v->queue, nb + 1);
    TML_NEW(arena, v->seen, nc + 1);
    TML_NEW(arena, v->tree, nc + 1);
    TML_NEW(arena, v->met, nc + 1);
    const int n = list_joints(v);
    for (int b = 0; b < nb; ++b) {
        v->start[b + 1] += v->start[b];
    }
    TML_NEW(arena, v->joint, n + 1);
    list_joints(v); // moves each start to the end of its body
    for (int b = nb; b > 0; --b) {
        v->start[b] = v->start[b - 1];
    }
    v->start[0] = 0;
    visit(v);
    *n_tree = list_rows(v, true, order, 0);
    const int all = list_rows(v, false, order, *n_tree);
    return all == v->sys->dim.m
               ? TML_OK
               : tml_fail(err, TML_E_INTERNAL, "%d of %d rows are in order", all, v->sys->dim.m);
}

TmlStatus tml_system_row_order(TmlSystem *sys, int *order, int *n_tree, TmlError *err)
{
    const TmlArenaMark mark = tml_arena_mark(&sys->arena);
    Visit v = {.sys = sys};
    const TmlStatus status = fill(&v, &sys->arena, order, n_tree, err);
    tml_arena_release(&sys->arena, mark);
    return status;
}
