/* system/recursion/recursion_build.c - from the tree of joints to links, in depth-first order. */
#include "system/recursion/links.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <string.h>

enum { MOST_LINKS = 4 }; /* of one joint: three displacements and a rotation */

/* --- what a joint is made of ------------------------------------------------------------------ */

typedef struct Recipe {
    int n;
    TmlLinkKind kind[MOST_LINKS];
    int axis[MOST_LINKS];
} Recipe;

static void add_link(Recipe *r, TmlLinkKind kind, int axis)
{
    r->kind[r->n] = kind;
    r->axis[r->n++] = axis;
}

/* Displacements come first. Axes count from 0 in the parent's frame, from 3 in that of the child. */
static Recipe recipe(const TmlTreeJoint *t)
{
    Recipe r = {0};
    if (t->along == TML_ALONG_ALL) {
        add_link(&r, TML_LINK_SHIFT, 0);
    }
    for (int k = 0; k < 3 && t->along != TML_ALONG_ALL; ++k) {
        if ((t->along >> k & 1u) != 0) {
            add_link(&r, TML_LINK_SLIDE, k);
        }
    }
    if (t->rotation == TML_FREE_ALL) {
        add_link(&r, TML_LINK_BALL, 0);
    } else if (t->rotation == TML_FREE_ABOUT_Z) {
        add_link(&r, TML_LINK_PIN, 2);
    } else if (t->rotation == TML_FREE_CROSS) { // x of the first frame, y of the second
        add_link(&r, TML_LINK_PIN, t->flip ? 1 : 0);
        add_link(&r, TML_LINK_PIN, t->flip ? 3 : 4);
    }
    return r;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Lists the joints of a tree depth first; `stack` and `next` have room for each. */
static void depth_first(const TmlTree *tree, int *order, int *child, int *next)
{
    const int nb = tree->sys->dim.nb;
    for (int b = 0; b < nb; ++b) {
        child[b] = -1;
    }
    for (int k = tree->n_joints - 1; k >= 0; --k) { // children in the order of the tree
        next[k] = child[tree->joint[k].parent];
        child[tree->joint[k].parent] = k;
    }
    int n = 0, body = TML_GROUND;
    while (n < tree->n_joints) {
        const int k = child[body];
        if (k < 0) {
            body = tree->joint[tree->of_body[body]].parent;
            continue;
        }
        child[body] = next[k];
        order[n++] = k;
        body = tree->joint[k].body;
    }
}

/* --- links ------------------------------------------------------------------------------------ */

static void append_links(TmlRecursion *r, const TmlTreeJoint *t)
{
    static const int positions[] = {1, 1, 3, 4}, speeds[] = {1, 1, 3, 3};
    const Recipe made = recipe(t);
    TmlHang *h = &r->hang[r->n_hangs++];
    *h = (TmlHang){.body = t->body,
                   .parent = t->parent,
                   .first = r->n_links,
                   .n = made.n,
                   .constraint = t->constraint};
    h->at = t->flip ? t->i : t->j;
    h->from = t->flip ? t->j : t->i;
    int parent = r->place[t->parent].link;
    for (int k = 0; k < made.n; ++k) {
        TmlLink *l = &r->link[r->n_links];
        h->axis[k] = made.axis[k];
        *l = (TmlLink){.kind = made.kind[k], .parent = parent, .x0 = r->nx, .y0 = r->ny};
        r->nx += positions[l->kind];
        r->ny += speeds[l->kind];
        parent = r->n_links++;
    }
    r->place[t->body].link = parent;
}

static int count_links(const TmlTree *tree)
{
    int n = 0;
    for (int k = 0; k < tree->n_joints; ++k) {
        n += recipe(&tree->joint[k]).n;
    }
    return n;
}

static TmlStatus links_fill(TmlRecursion *r, const TmlTree *tree, TmlError *err)
{
    const int nb = tree->sys->dim.nb, n = count_links(tree);
    int *order, *child, *next;
    TML_NEW(&r->arena, order, nb);
    TML_NEW(&r->arena, child, nb);
    TML_NEW(&r->arena, next, nb);
    TML_NEW(&r->arena, r->link, n + 1);
    TML_NEW(&r->arena, r->room, n + 1);
    TML_NEW(&r->arena, r->hang, nb);
    TML_NEW(&r->arena, r->place, nb);
    TML_NEW(&r->arena, r->given, nb);
    TML_NEW(&r->arena, r->force, nb);
    TML_NEW(&r->arena, r->torque, nb);
    TML_NEW(&r->arena, r->p, n + 1);
    TML_NEW(&r->arena, r->L, n + 1);
    TML_NEW(&r->arena, r->ra, n + 1);
    TML_NEW(&r->arena, r->rw, n + 1);
    r->motion = r->room + 1;
    r->ra++;
    r->rw++;
    r->place[TML_GROUND] = (TmlBodyPlace){.link = -1, .p = q4_identity(), .K = m3_identity()};
    for (int b = 0; b < nb; ++b) {
        r->given[b] = (TmlGiven){.A = m3_identity(), .p = q4_identity()};
    }
    depth_first(tree, order, child, next);
    for (int k = 0; k < tree->n_joints; ++k) {
        append_links(r, &tree->joint[order[k]]);
    }
    TML_NEW(&r->arena, r->x, r->nx + 1);
    TML_NEW(&r->arena, r->dx, r->nx + 1);
    TML_NEW(&r->arena, r->y, r->ny + 1);
    TML_NEW(&r->arena, r->dy, r->ny + 1);
    TML_NEW(&r->arena, r->Q, tree->sys->dim.nu + 1);
    return TML_OK;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Cuts joints whose displacements are along axes that turn with the child, which links have only behind them: the child floats
 * instead. */
static void cut_turned_slides(TmlTree *tree)
{
    for (int k = 0; k < tree->n_joints; ++k) {
        TmlTreeJoint *t = &tree->joint[k];
        if (t->flip && t->rotation == TML_FREE_ALL && t->along != 0 && t->along != TML_ALONG_ALL) {
            tree->in_tree[t->constraint] = false;
            t->constraint = -1;
            t->parent = TML_GROUND;
            t->flip = false;
            t->along = TML_ALONG_ALL;
            t->i = t->j = (TmlEnd){.A_b = m3_identity()};
            t->j.body = t->body;
        }
    }
}

static TmlStatus fill(TmlRecursion *r, const TmlState *s, const char **why, TmlError *err)
{
    TmlSystem *sys = r->sys;
    TmlTree *tree;
    *why = tml_links_refuse(sys);
    if (*why != NULL) {
        return tml_fail(err, TML_E_MODEL, "%s", *why);
    }
    TML_TRY(tml_tree_create(sys, &tree, err));
    cut_turned_slides(tree);
    TmlStatus status = links_fill(r, tree, err);
    status = status == TML_OK ? tml_links_loads_setup(r, err) : status;
    status = status == TML_OK ? tml_loops_setup(r, tree, err) : status;
    tml_tree_free(tree);
    TML_TRY(status);
    if (!tml_recursion_begin(r, s, r->dx, r->dy)) {
        *why = "a joint has nothing behind it that could be accelerated, or the start is a "
               "singular position";
        return tml_fail(err, TML_E_MODEL, "%s", *why);
    }
    if (r->loops.n_cut == 0 && r->ny != sys->dim.nu - sys->dim.m) {
        *why = "a joint of its tree is redundant";
        return tml_fail(err, TML_E_MODEL, "%s", *why);
    }
    return TML_OK;
}

TmlStatus tml_recursion_create(TmlSystem *sys, const TmlState *s, TmlRecursion **out,
                               const char **why, TmlError *err)
{
    TmlRecursion *r = tml_mem_zalloc(1, sizeof *r);
    *out = NULL;
    *why = NULL;
    if (r == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for joint coordinates");
    }
    r->sys = sys;
    const TmlStatus status = fill(r, s, why, err);
    if (status != TML_OK) {
        tml_recursion_free(r);
        return status;
    }
    *out = r;
    return TML_OK;
}

void tml_recursion_free(TmlRecursion *r)
{
    if (r != NULL) {
        tml_arena_free(&r->arena);
        tml_mem_free(r);
    }
}

int tml_recursion_positions(const TmlRecursion *r)
{
    return r->nx;
}

int tml_recursion_speeds(const TmlRecursion *r)
{
    return r->ny;
}

int tml_recursion_rows(const TmlRecursion *r)
{
    return r->loops.m;
}

const double *tml_recursion_multipliers(const TmlRecursion *r)
{
    // trees have no rows; callers copy all there are, and NULL is no place to copy from
    static const double none[1] = {0.0};
    return r->loops.lambda != NULL ? r->loops.lambda : none;
}
