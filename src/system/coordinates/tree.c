/* system/coordinates/tree.c - the spanning tree: which joints are in it, and where it is. See tree.h. */
#include "system/coordinates/tree.h"

#include "base/fail.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "system/system_internal.h"

#include <string.h>

/* --- structure ------------------------------------------------------------------------------ */

/* Joints that could be in the tree, listed by body: of body b from start[b] to start[b + 1]. */
typedef struct Adjacency {
    int *start, *constraint;
} Adjacency;

static bool has_rotation(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu == 6 && sys->dim.span[body].nq == 7;
}

static bool is_point(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu == 3 && sys->dim.span[body].nq == 3;
}

/* Tells whether a constraint is a joint between two different bodies whose free motion is known. A
 * point has no axes. */
static bool usable(const TmlSystem *sys, int c)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    if (con->type->free_rotation == TML_FREE_UNKNOWN || con->n_ends != 2) {
        return false;
    }
    const int a = con->end[0].body, b = con->end[1].body;
    return a != b && (a == TML_GROUND || has_rotation(sys, a)) &&
           (b == TML_GROUND || has_rotation(sys, b));
}

static TmlStatus adjacency_fill(const TmlSystem *sys, TmlArena *arena, Adjacency *a, TmlError *err)
{
    const TmlModel *m = sys->model;
    TML_NEW(arena, a->start, sys->dim.nb + 2);
    TML_NEW(arena, a->constraint, 2 * (size_t)m->constraints.n + 1);
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int e = 0; e < 2 && usable(sys, c); ++e) {
            a->start[m->constraints.at[c].end[e].body + 2]++;
        }
    }
    for (int b = 0; b < sys->dim.nb; ++b) {
        a->start[b + 2] += a->start[b + 1];
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int e = 0; e < 2 && usable(sys, c); ++e) {
            a->constraint[a->start[m->constraints.at[c].end[e].body + 1]++] = c;
        }
    }
    return TML_OK;
}

static TmlTreeJoint *append(TmlTree *tree, int body, int parent)
{
    TmlTreeJoint *t = &tree->joint[tree->n_joints];
    tree->of_body[body] = tree->n_joints++;
    *t = (TmlTreeJoint){.body = body, .parent = parent, .constraint = -1};
    return t;
}

static void coordinates_count(TmlTree *tree, TmlTreeJoint *t)
{
    static const int rotations[] = {
        [TML_FREE_NONE] = 0, [TML_FREE_ABOUT_Z] = 1, [TML_FREE_CROSS] = 2, [TML_FREE_ALL] = 3};
    t->n_along = (int)((t->along & 1u) + (t->along >> 1 & 1u) + (t->along >> 2 & 1u));
    t->n = t->n_along + rotations[t->rotation];
    t->x0 = tree->n;
    t->p_i = q4_from_matrix(&t->i.A_b);
    t->p_j = q4_from_matrix(&t->j.A_b);
    tree->n += t->n;
}

static void hang_floating(TmlTree *tree, int body)
{
    TmlTreeJoint *t = append(tree, body, TML_GROUND);
    t->rotation = has_rotation(tree->sys, body) ? TML_FREE_ALL : TML_FREE_NONE;
    t->along = TML_ALONG_ALL;
    t->i = t->j = (TmlEnd){.A_b = m3_identity()};
    t->j.body = body;
    coordinates_count(tree, t);
}

static void hang_on(TmlTree *tree, int c, int body, int parent)
{
    const TmlConstraint *con = &tree->sys->model->constraints.at[c];
    TmlTreeJoint *t = append(tree, body, parent);
    t->constraint = c;
    t->flip = con->end[0].body == body;
    t->rotation = con->type->free_rotation;
    t->along = con->type->free_along;
    t->i = con->end[0];
    t->j = con->end[1];
    tree->in_tree[c] = true;
    coordinates_count(tree, t);
}

/* Visits all bodies that can be reached from `from`, nearest first. */
static void grow(TmlTree *tree, const Adjacency *a, int from)
{
    int next = tree->n_joints, body = from;
    for (;;) {
        for (int k = a->start[body]; k < a->start[body + 1]; ++k) {
            const int c = a->constraint[k];
            const TmlConstraint *con = &tree->sys->model->constraints.at[c];
            const int other = con->end[0].body == body ? con->end[1].body : con->end[0].body;
            if (other != TML_GROUND && tree->of_body[other] < 0) {
                hang_on(tree, c, other, body);
            }
        }
        if (next == tree->n_joints) {
            return;
        }
        body = tree->joint[next++].body;
    }
}

static TmlStatus tree_fill(TmlTree *tree, TmlError *err)
{
    TmlSystem *sys = tree->sys;
    Adjacency a;
    TML_NEW(&tree->arena, tree->joint, sys->dim.nb);
    TML_NEW(&tree->arena, tree->of_body, sys->dim.nb);
    TML_NEW(&tree->arena, tree->in_tree, sys->model->constraints.n + 1);
    TML_NEW(&tree->arena, tree->V, sys->dim.nb);
    TML_NEW(&tree->arena, tree->V1, sys->dim.nb);
    TML_NEW(&tree->arena, tree->u, sys->dim.nu + 1);
    TML_NEW(&tree->arena, tree->udot, sys->dim.nu + 1);
    TML_TRY(adjacency_fill(sys, &tree->arena, &a, err));
    for (int b = 0; b < sys->dim.nb; ++b) {
        tree->of_body[b] = -1;
        if (b != TML_GROUND && !has_rotation(sys, b) && !is_point(sys, b)) {
            return tml_fail(err, TML_E_MODEL,
                            "body '%s' is of a type that has no joint coordinates; use "
                            "coordinates=partitioned",
                            sys->model->bodies.at[b].name);
        }
    }
    grow(tree, &a, TML_GROUND);
    for (int b = 1; b < sys->dim.nb; ++b) {
        if (tree->of_body[b] < 0) {
            hang_floating(tree, b);
            grow(tree, &a, b);
        }
    }
    TML_NEW(&tree->arena, tree->S, tree->n + 1);
    TML_NEW(&tree->arena, tree->length, tree->n + 1);
    for (int k = 0; k < tree->n_joints; ++k) {
        const TmlTreeJoint *t = &tree->joint[k];
        for (int i = 0; i < t->n_along; ++i) {
            tree->length[t->x0 + i] = true;
        }
    }
    return TML_OK;
}

TmlStatus tml_tree_create(TmlSystem *sys, TmlTree **out, TmlError *err)
{
    TmlTree *tree = tml_mem_zalloc(1, sizeof *tree);
    *out = NULL;
    if (tree == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the tree of joints");
    }
    tree->sys = sys;
    const TmlStatus status = tree_fill(tree, err);
    if (status != TML_OK) {
        tml_tree_free(tree);
        return status;
    }
    *out = tree;
    return TML_OK;
}

void tml_tree_free(TmlTree *tree)
{
    if (tree != NULL) {
        tml_arena_free(&tree->arena);
        tml_mem_free(tree);
    }
}

/* --- bases of the coordinates --------------------------------------------------------------- */

int tml_tree_rebase(TmlTree *tree, const double *x, int k, TmlVec3 *base)
{
    const double limit = 0.5;
    for (++k; k < tree->n_joints; ++k) {
        TmlTreeJoint *t = &tree->joint[k];
        const double *r = x + t->x0 + t->n_along;
        if (t->rotation == TML_FREE_ALL && v3_norm(v3(r[0], r[1], r[2])) > limit) {
            *base = v3(r[0], r[1], r[2]);
            t->R0 = q4_unit(q4_mul(q4_exp(*base), t->R0));
            return k;
        }
    }
    return -1;
}

/* Turns x to y with exp(y) = exp(x) exp(-base), with equal angular velocity and acceleration. */
void tml_tree_rotate(TmlVec3 base, double *x, double *x1, double *x2)
{
    const TmlVec3 t = v3(x[0], x[1], x[2]), t1 = v3(x1[0], x1[1], x1[2]);
    const TmlVec3 t2 = v3(x2[0], x2[1], x2[2]);
    const TmlVec3 w = rotation_rate(t, t1), al = v3_add(rotation_rate(t, t2), rotation_bias(t, t1));
    const TmlVec3 y = rotation_log(q4_unit(q4_mul(q4_exp(t), q4_exp(v3_neg(base)))));
    const TmlVec3 y1 = rotation_rate_inverse(y, w);
    const TmlVec3 y2 = rotation_rate_inverse(y, v3_sub(al, rotation_bias(y, y1)));
    x[0] = y.x, x[1] = y.y, x[2] = y.z;
    x1[0] = y1.x, x1[1] = y1.y, x1[2] = y1.z;
    x2[0] = y2.x, x2[1] = y2.y, x2[2] = y2.z;
}
