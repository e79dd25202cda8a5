/* system/redundancy/share_groups.c - loops of constraints: what a null vector of Phi_q^T can reach.
 *
 * The graph has the bodies for vertices and the constraints for edges. Two constraints belong
 * together when a circle runs through both. A null vector keeps every body in equilibrium, and a
 * joint puts opposite wrenches on its bodies; where two sets of constraints have but one body in
 * common, the wrenches of each set on it add up to zero by themselves, and the vector is a sum of
 * one of each. Constraints whose wrenches do not add up to zero (rows that measure along axes of
 * the ground, ends on flexible bodies) are taken to be connected with the ground as well: sets that
 * are too large are right, too.
 */
#include "system/redundancy/share.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct Edge {
    int from, to, constraint;
} Edge;

typedef struct Graph {
    int n, m, cap; /* vertices, edges */
    Edge *edge;
    int *first, *next;        /* edges at a vertex: first[n], next[2 m]; 2 k + 1 is k reversed */
    int *parent, *by, *depth; /* n: vertex above, edge to it, -1 - not reached */
    int *root;                /* per constraint: union-find */
} Graph;

static int root_of(int *root, int c)
{
    while (root[c] != c) {
        root[c] = root[root[c]];
        c = root[c];
    }
    return c;
}

static void join(Graph *g, int a, int b)
{
    const int x = root_of(g->root, a), y = root_of(g->root, b);
    g->root[x > y ? x : y] = x > y ? y : x;
}

/* --- edges ---------------------------------------------------------------------------------- */

static void add_edge(Graph *g, int from, int to, int c)
{
    g->edge[g->m++] = (Edge){from, to, c};
}

/* Tells whether the wrenches of each row add up to zero at the last kinematics. */
static bool balanced(TmlSystem *sys, int c, double t)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    TmlRow *J = sys->room.J;
    con->type->jacobian(&in, J);
    for (int k = 0; k < con->type->rows; ++k) {
        TmlVec3 r = v3(0, 0, 0), theta = v3(0, 0, 0);
        double force = 0.0, moment = 0.0;
        for (int e = 0; e < con->n_ends; ++e) {
            const TmlRow *x = &J[k * con->n_ends + e];
            const TmlVec3 about = v3_add(x->theta, v3_cross(in.e[e].r, x->r));
            r = v3_add(r, x->r);
            theta = v3_add(theta, about);
            force += v3_norm(x->r);
            moment += v3_norm(x->theta) + v3_norm(in.e[e].r) * v3_norm(x->r);
        }
        if (!(v3_norm(r) <= 1e-6 * force) || !(v3_norm(theta) <= 1e-6 * moment)) {
            return false;
        }
    }
    return true;
}

static void add_constraint(TmlSystem *sys, Graph *g, int c, double t)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    int hub = -1;
    bool grounded = !balanced(sys, c, t);
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + e);
        grounded = grounded || sys->end[sys->constraint[c].end0 + e].point > 0 || p->n == 0;
        for (int k = 0; k < p->n; ++k) {
            if (hub >= 0 && p->body[k] != hub) {
                add_edge(g, hub, p->body[k], c);
            }
            hub = hub < 0 ? p->body[k] : hub;
        }
    }
    if (grounded && hub >= 0) {
        add_edge(g, hub, 0, c);
    }
}

static int edges_at_most(const TmlSystem *sys)
{
    int n = 0;
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        n += 1;
        for (int e = 0; e < sys->model->constraints.at[c].n_ends; ++e) {
            n += tml_end_parts(sys, sys->constraint[c].end0 + e)->n;
        }
    }
    return n;
}

/* Wrenches that add up to zero where the model stands may do so by chance: they are looked at
 * beside it. */
static TmlStatus graph_fill(TmlSystem *sys, const TmlState *s, Graph *g, TmlArena *arena,
                            TmlError *err)
{
    TmlState beside;
    uint64_t seed = 11;
    TML_TRY(tml_state_create_in(sys, arena, &beside, err));
    if (!tml_system_beside(sys, s, &seed, &beside)) {
        tml_state_copy(sys, s, &beside);
    }
    tml_system_kinematics(sys, &beside, false);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        g->root[c] = c;
        add_constraint(sys, g, c, s->t);
    }
    memset(g->first, -1, (size_t)g->n * sizeof *g->first);
    for (int k = 0; k < g->m; ++k) {
        const Edge e = g->edge[k];
        g->next[2 * k] = g->first[e.from];
        g->first[e.from] = 2 * k;
        g->next[2 * k + 1] = g->first[e.to];
        g->first[e.to] = 2 * k + 1;
    }
    return TML_OK;
}

/* --- circles -------------------------------------------------------------------------------- */

/* Makes a tree over all vertices that `start` is connected with; queue[n] is scratch. */
static void grow_tree(Graph *g, int start, int *queue)
{
    int head = 0, tail = 0;
    g->by[start] = -1;
    g->depth[start] = 1;
    queue[tail++] = start;
    while (head < tail) {
        const int v = queue[head++];
        for (int k = g->first[v]; k >= 0; k = g->next[k]) {
            const Edge e = g->edge[k / 2];
            const int other = k % 2 == 0 ? e.to : e.from;
            if (g->depth[other] == 0) {
                g->depth[other] = g->depth[v] + 1;
                g->parent[other] = v;
                g->by[other] = k / 2;
                queue[tail++] = other;
            }
        }
    }
}

/* Joins the constraints of the circle that edge k closes in the tree: they belong together. */
static void close_circle(Graph *g, int k)
{
    const int c = g->edge[k].constraint;
    int a = g->edge[k].from, b = g->edge[k].to;
    while (a != b) {
        int *lower = g->depth[a] >= g->depth[b] ? &a : &b;
        join(g, c, g->edge[g->by[*lower]].constraint);
        *lower = g->parent[*lower];
    }
}

static TmlStatus find_circles(TmlSystem *sys, const TmlState *s, Graph *g, TmlArena *arena,
                              TmlError *err)
{
    int *queue;
    const int edges = edges_at_most(sys);
    g->n = sys->dim.nb;
    TML_NEW(arena, queue, g->n);
    TML_NEW(arena, g->edge, edges);
    TML_NEW(arena, g->first, g->n);
    TML_NEW(arena, g->next, 2 * edges);
    TML_NEW(arena, g->parent, g->n);
    TML_NEW(arena, g->by, g->n);
    TML_NEW(arena, g->depth, g->n);
    TML_NEW(arena, g->root, sys->model->constraints.n);
    TML_TRY(graph_fill(sys, s, g, arena, err));
    for (int v = 0; v < g->n; ++v) {
        if (g->depth[v] == 0) {
            grow_tree(g, v, queue);
        }
    }
    for (int k = 0; k < g->m; ++k) {
        const Edge e = g->edge[k];
        if (g->by[e.from] != k && g->by[e.to] != k) {
            close_circle(g, k);
        }
    }
    return TML_OK;
}

/* --- groups --------------------------------------------------------------------------------- */

static int count_open(const TmlSystem *sys, int c)
{
    int n = 0;
    for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
        n += sys->row_unknown[sys->constraint[c].row0 + k] < 0;
    }
    return n;
}

/* Returns the largest distance of the ends on one owner from their middle. The owner -1 stands for
 * all that are on flexible bodies. */
static double reach(const TmlSystem *sys, const TmlShareGroup *group, int owner)
{
    TmlVec3 middle = v3(0, 0, 0);
    double largest = 0.0;
    int n = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < group->n_constraints; ++i) {
            const int c = group->constraint[i];
            for (int e = 0; e < sys->model->constraints.at[c].n_ends; ++e) {
                const int end = sys->constraint[c].end0 + e;
                const TmlEnd *x = &sys->end[end];
                const bool flexible = x->point > 0;
                if (owner < 0 ? !flexible : flexible || x->body != owner) {
                    continue;
                }
                const TmlVec3 at = flexible ? sys->kin[end].r : x->s_b;
                if (pass == 0) {
                    middle = v3_add(middle, at);
                    ++n;
                } else {
                    largest = fmax(largest, v3_norm(v3_axpy(-1.0 / n, middle, at)));
                }
            }
        }
    }
    return largest;
}

static double group_length(const TmlSystem *sys, const TmlShareGroup *group)
{
    double length = fmax(reach(sys, group, 0), sys->flex != NULL ? reach(sys, group, -1) : 0.0);
    for (int k = 0; k < group->n_bodies; ++k) {
        length = fmax(length, reach(sys, group, group->body[k]));
    }
    // joints in one place have no levers: the length does not matter
    return length > 1e-9 * sys->dim.length ? length : sys->dim.length;
}

/* Collects the members of the group with this root. mark[nb] is zero before and after. */
static TmlStatus group_fill(TmlShare *share, Graph *g, int root, TmlShareGroup *group, char *mark,
                            TmlError *err)
{
    const TmlSystem *sys = share->sys;
    const int n = sys->model->constraints.n;
    for (int c = root; c < n; ++c) {
        group->n_constraints += root_of(g->root, c) == root;
    }
    TML_NEW(&share->arena, group->constraint, group->n_constraints);
    for (int pass = 0, i = 0; pass < 2; ++pass) {
        group->n_bodies = 0;
        for (int c = root; c < n; ++c) {
            if (root_of(g->root, c) != root) {
                continue;
            }
            if (pass == 0) {
                group->constraint[i++] = c;
                share->group_of[c] = (int)(group - share->group);
            }
            for (int e = 0; e < sys->model->constraints.at[c].n_ends; ++e) {
                const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + e);
                for (int k = 0; k < p->n; ++k) {
                    if (mark[p->body[k]] != pass + 1) {
                        mark[p->body[k]] = (char)(pass + 1);
                        if (pass == 1) {
                            group->body[group->n_bodies] = p->body[k];
                        }
                        group->n_bodies++;
                    }
                }
            }
        }
        if (pass == 0) {
            TML_NEW(&share->arena, group->body, group->n_bodies);
            TML_NEW(&share->arena, group->col0, group->n_bodies);
        }
    }
    for (int k = 0; k < group->n_bodies; ++k) {
        mark[group->body[k]] = 0;
    }
    return TML_OK;
}

/* Puts the ends of flexible bodies where the model has them, for lengths. */
static TmlStatus given_places(TmlSystem *sys, TmlArena *arena, TmlError *err)
{
    TmlState given;
    TML_TRY(tml_state_create_in(sys, arena, &given, err));
    tml_system_initial(sys, &given);
    tml_system_kinematics(sys, &given, false);
    return TML_OK;
}

static TmlStatus groups_fill(TmlShare *share, Graph *g, TmlArena *arena, TmlError *err)
{
    TmlSystem *sys = share->sys;
    const int n = sys->model->constraints.n;
    int *open;
    char *mark;
    TML_NEW(arena, open, n);
    TML_NEW(arena, mark, sys->dim.nb);
    TML_NEW(&share->arena, share->group_of, n);
    for (int c = 0; c < n; ++c) {
        open[root_of(g->root, c)] += count_open(sys, c);
        share->group_of[c] = -1;
    }
    for (int c = 0; c < n; ++c) {
        share->n_groups += open[c] > 0;
    }
    TML_NEW(&share->arena, share->group, share->n_groups);
    TML_TRY(given_places(sys, arena, err));
    for (int c = 0, k = 0; c < n; ++c) {
        if (open[c] > 0) {
            TmlShareGroup *group = &share->group[k++];
            group->n_open = open[c];
            TML_TRY(group_fill(share, g, c, group, mark, err));
            TML_NEW(&share->arena, group->open, group->n_open);
            group->length = group_length(sys, group);
        }
    }
    return TML_OK;
}

TmlStatus tml_share_find_groups(TmlShare *share, const TmlState *s, TmlError *err)
{
    TmlArena scratch = {0};
    Graph g = {0};
    TmlStatus status = find_circles(share->sys, s, &g, &scratch, err);
    status = status == TML_OK ? groups_fill(share, &g, &scratch, err) : status;
    tml_arena_free(&scratch);
    return status;
}
