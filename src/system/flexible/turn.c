/* system/flexible/turn.c - (R1) of turn.h. */
#include "system/flexible/turn.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "system/flexible/flex.h"

#include <math.h>

/* A node: the gradients its axes come from, and the unknowns that turn with it. */
typedef struct TurnNode {
    const TmlVector *a, *b;  /* b NULL: the least turn of a */
    int u[TML_FLEX_KINDS];   /* first unknown of each free vector */
    int dim[TML_FLEX_KINDS]; /* 2 or 3 */
    int n;
    TmlMat33 then, R; /* axes when the factors were made, turn since */
} TurnNode;

struct TmlTurn {
    int n;
    TurnNode *node;
    bool turned; /* some R is not the unit matrix */
};

/* Returns axes along a and across it towards b; with a alone, only column cx counts. */
static TmlMat33 axes(const TmlSystem *sys, const TurnNode *node)
{
    TmlVec3 a[3], b[3];
    TmlMat33 A = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    tml_vector_kin(sys, node->a, a);
    A.cx = v3_unit(a[0]);
    if (node->b != NULL) {
        tml_vector_kin(sys, node->b, b);
        A.cz = v3_unit(v3_cross(A.cx, b[0]));
        A.cy = v3_cross(A.cz, A.cx);
    }
    return A;
}

/* Returns the least turn of the unit vector a into b, or none where it has reversed. */
static TmlMat33 least_turn(TmlVec3 a, TmlVec3 b)
{
    const double c = v3_dot(a, b);
    const TmlMat33 one = m3_identity();
    if (c < -0.9) {
        return one;
    }
    const TmlVec3 w = v3_cross(a, b);
    const TmlMat33 S = m3_skew(w), SS = m3_mul(&S, &S), R = m3_add(&one, &S);
    return m3_axpy(1.0 / (1.0 + c), &SS, &R);
}

static TmlMat33 turn_since(const TmlMat33 *then, const TmlMat33 *now, bool whole)
{
    if (!whole) {
        return least_turn(then->cx, now->cx);
    }
    const TmlMat33 back = m3_transpose(then);
    return m3_mul(now, &back);
}

/* Collects the gradients and free vectors of a node. taken[nb] marks bodies that turn with another
 * node. */
static bool node_fill(const TmlSystem *sys, const TmlMesh *mesh, int k, bool *taken, TurnNode *node)
{
    const TmlVector *vector = &mesh->vector[k * mesh->type->vectors];
    *node = (TurnNode){.R = m3_identity()};
    for (int i = 0; i < mesh->type->vectors; ++i) {
        const TmlVector *v = &vector[i];
        if (mesh->type->kind[i] != TML_FLEX_R) {
            node->b = node->a != NULL && node->b == NULL ? v : node->b;
            node->a = node->a == NULL ? v : node->a;
        }
        const int body = tml_flex_free_body(sys, v, mesh->type->dim);
        if (body < 0 || taken[body] || sys->dim.span[body + 1].u0 == sys->dim.span[body].u0) {
            continue;
        }
        taken[body] = true;
        node->u[node->n] = sys->dim.span[body].u0;
        node->dim[node->n++] = sys->dim.span[body].nu;
    }
    return node->n > 0 && node->a != NULL;
}

TmlStatus tml_turn_create(TmlSystem *sys, TmlArena *arena, TmlTurn **out, TmlError *err)
{
    const TmlModel *m = sys->model;
    int nodes = 0;
    bool *taken;
    *out = NULL;
    for (int k = 0; k < m->meshes.n; ++k) {
        nodes += m->meshes.at[k].n_nodes;
    }
    if (nodes == 0) {
        return TML_OK;
    }
    TML_NEW(arena, *out, 1);
    TML_NEW(arena, (*out)->node, nodes);
    TML_NEW(arena, taken, sys->dim.nb);
    for (int k = 0; k < m->meshes.n; ++k) {
        for (int i = 0; i < m->meshes.at[k].n_nodes; ++i) {
            TurnNode *node = &(*out)->node[(*out)->n];
            (*out)->n += node_fill(sys, &m->meshes.at[k], i, taken, node);
        }
    }
    return TML_OK;
}

void tml_turn_mark(TmlTurn *turn, const TmlSystem *sys)
{
    turn->turned = false;
    for (int k = 0; k < turn->n; ++k) {
        turn->node[k].then = axes(sys, &turn->node[k]);
        turn->node[k].R = m3_identity();
    }
}

double tml_turn_update(TmlTurn *turn, const TmlSystem *sys)
{
    double most = 0.0;
    for (int k = 0; k < turn->n; ++k) {
        TurnNode *node = &turn->node[k];
        const TmlMat33 now = axes(sys, node);
        node->R = turn_since(&node->then, &now, node->b != NULL);
        const double trace = node->R.cx.x + node->R.cy.y + node->R.cz.z;
        most = fmax(most, acos(fmin(fmax(0.5 * (trace - 1.0), -1.0), 1.0)));
    }
    turn->turned = most > 0.0;
    return most;
}

/* r <- T r, or T^T r. */
static void turn_vectors(const TmlTurn *turn, bool back, double *r)
{
    for (int k = 0; k < turn->n; ++k) {
        const TurnNode *node = &turn->node[k];
        for (int i = 0; i < node->n; ++i) {
            double *x = r + node->u[i];
            const TmlVec3 v = v3(x[0], x[1], node->dim[i] > 2 ? x[2] : 0.0);
            const TmlVec3 w = back ? m3_tmulv(&node->R, v) : m3_mulv(&node->R, v);
            x[0] = w.x;
            x[1] = w.y;
            if (node->dim[i] > 2) {
                x[2] = w.z;
            }
        }
    }
}

void tml_turn_solve(const TmlTurn *turn, TmlSystem *sys, double *r)
{
    if (turn == NULL || !turn->turned) {
        tml_system_solve(sys, TML_FACTORS_STEP, r);
        return;
    }
    turn_vectors(turn, true, r);
    tml_system_solve(sys, TML_FACTORS_STEP, r);
    turn_vectors(turn, false, r);
}
