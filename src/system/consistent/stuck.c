/* system/consistent/stuck.c - groups of bodies that their joints leave no freedom.
 *
 * Bodies that joints tie to each other are a group; ground ties nothing. With n_u velocities and m
 * independent rows a group has
 *
 *   (G1)  f = n_u - m
 *
 * degrees of freedom. With f = 0 it stands still for ever, whatever acts on it. That is meant where
 * a motion drives the group, or where all its joints are rigid connections. Else it is a mistake,
 * such as one axis of a plane mechanism that is not parallel to the others, and is told.       own
 */
#include "system/redundancy/drive_rows.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

typedef struct Groups {
    int *parent;  // nb: of the tree that a body belongs to
    int *freedom; // nb: (G1), at the root of a group
    bool *meant;  // nb: at the root: standing still is what the model says
} Groups;

static int root_of(const Groups *g, int b)
{
    while (g->parent[b] != b) {
        g->parent[b] = g->parent[g->parent[b]]; // half the way for those who ask next
        b = g->parent[b];
    }
    return b;
}

static void join(Groups *g, int a, int b)
{
    if (a > 0 && b > 0) {
        g->parent[root_of(g, b)] = root_of(g, a);
    }
}

/* Returns the body that has this unknown. */
static int body_of(const TmlSystem *sys, int unknown)
{
    int low = 0, high = sys->dim.nb;
    while (high - low > 1) {
        const int mid = (low + high) / 2;
        *(sys->dim.span[mid].u0 <= unknown ? &low : &high) = mid;
    }
    return low;
}

/* Joins all bodies of a constraint that can move, and returns the first of them, or 0 when there is
 * none. */
static int tie(const TmlSystem *sys, int c, Groups *g)
{
    const int n = sys->model->constraints.at[c].n_ends, end0 = sys->constraint[c].end0;
    int first = 0;
    for (int e = 0; e < n; ++e) {
        const TmlParts *parts = tml_end_parts(sys, end0 + e);
        for (int i = 0; i < parts->cols; ++i) {
            const int b = body_of(sys, tml_parts_unknown(sys, parts, i));
            first = first > 0 ? first : b;
            join(g, first, b);
        }
    }
    return first;
}

static bool is_rigid(const TmlConstraint *c)
{
    return c->type->free_rotation == TML_FREE_NONE && c->type->free_along == 0;
}

static void count(const TmlSystem *sys, Groups *g, const int *first)
{
    const TmlModel *m = sys->model;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int root = root_of(g, b);
        g->freedom[root] += sys->dim.span[b].nu;
        g->meant[root] = true;
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const int root = first[c] > 0 ? root_of(g, first[c]) : 0;
        for (int k = 0; k < con->type->rows; ++k) {
            g->freedom[root] -= sys->row_unknown[sys->constraint[c].row0 + k] >= 0; // (G1)
        }
        g->meant[root] = g->meant[root] && is_rigid(con);
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        if (first[c] > 0 && tml_constraint_drives(&m->constraints.at[c])) {
            g->meant[root_of(g, first[c])] = true;
        }
    }
    // parts of flexible bodies: what holds a node does not hold the body
    for (int b = 1; b < sys->dim.nb; ++b) {
        if (m->bodies.at[b].type->hidden) {
            g->meant[root_of(g, b)] = true;
        }
    }
}

static void tell(const TmlSystem *sys, const Groups *g, const int *first, int root, TmlNotes *notes)
{
    enum { NAMED = 8 };
    const TmlModel *m = sys->model;
    char joints[768] = "", bodies[512] = "";
    size_t at = 0;
    int named = 0, n_bodies = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (first[c] > 0 && root_of(g, first[c]) == root && ++named <= NAMED) {
            const int w = snprintf(joints + at, sizeof joints - at, "%s'%.60s'",
                                   named > 1 ? ", " : "", m->constraints.at[c].name);
            at += w > 0 && (size_t)w < sizeof joints - at ? (size_t)w : 0;
        }
    }
    for (int b = 1; b < sys->dim.nb; ++b) {
        if (root_of(g, b) == root && ++n_bodies == 1) {
            snprintf(bodies, sizeof bodies, "body '%.200s'", m->bodies.at[b].name);
        }
    }
    if (n_bodies > 1) {
        snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies), " and %d more",
                 n_bodies - 1);
    }
    tml_notes_add(notes,
                  "%s cannot move: the joints %s%s leave no degree of freedom and no motion drives "
                  "them; check that axes and points are where they should be",
                  bodies, joints, named > NAMED ? " and others" : "");
}

TmlStatus tml_system_stuck(TmlSystem *sys, TmlNotes *notes, int *n, TmlError *err)
{
    const TmlArenaMark mark = tml_arena_mark(&sys->arena);
    Groups g;
    int *first;
    *n = 0;
    TML_NEW(&sys->arena, g.parent, sys->dim.nb);
    TML_NEW(&sys->arena, g.freedom, sys->dim.nb);
    TML_NEW(&sys->arena, g.meant, sys->dim.nb);
    TML_NEW(&sys->arena, first, sys->model->constraints.n);
    for (int b = 0; b < sys->dim.nb; ++b) {
        g.parent[b] = b;
    }
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        first[c] = tie(sys, c, &g);
    }
    count(sys, &g, first);
    for (int b = 1; b < sys->dim.nb; ++b) {
        if (root_of(&g, b) == b && sys->dim.span[b + 1].u0 > sys->dim.span[b].u0 &&
            g.freedom[b] == 0 && !g.meant[b]) {
            tell(sys, &g, first, b, notes);
            ++*n;
        }
    }
    tml_arena_release(&sys->arena, mark);
    return TML_OK;
}
