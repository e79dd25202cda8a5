/* system/contact/bounds_tree.c - see bounds_tree.h.
 *
 * A node is cut in two halves of equal count, across the direction in which the middles of its boxes are
 * spread most. A huge box therefore spoils no more than the nodes above its leaf, and rods side by side
 * are told apart across their length.
 */
#include "system/contact/bounds_tree.h"

#include <math.h>

enum { LEAF = 4, DEPTH = 64 };

TmlStatus tml_bounds_tree_setup(TmlBoundsTree *tree, TmlArena *arena, int cap, TmlError *err)
{
    *tree = (TmlBoundsTree){.cap = cap};
    TML_NEW(arena, tree->order, cap);
    TML_NEW(arena, tree->node, 2 * (size_t)cap + 1);
    return TML_OK;
}

static double along(TmlVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Twice the middle of a box. One that is nowhere is sorted in somewhere: it overlaps nothing. */
static double middle(const TmlBoundsTree *tree, int k, int axis)
{
    const TmlBox *b = &tree->box[tree->order[k]];
    const double x = along(b->low, axis) + along(b->high, axis);
    return isfinite(x) ? x : 0.0;
}

/* Puts the box of rank `mid` in its place, smaller ones before it, larger ones behind (Hoare). */
static void part(TmlBoundsTree *tree, int low, int high, int mid, int axis)
{
    while (low < high) {
        const double pivot = middle(tree, mid, axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(tree, i, axis) < pivot) {
                ++i;
            }
            while (pivot < middle(tree, j, axis)) {
                --j;
            }
            if (i <= j) {
                const int swap = tree->order[i];
                tree->order[i++] = tree->order[j];
                tree->order[j--] = swap;
            }
        }
        low = j < mid ? i : low;
        high = mid < i ? j : high;
    }
}

static void take_in(TmlBox *all, const TmlBox *b)
{
    all->low.x = fmin(all->low.x, b->low.x);
    all->low.y = fmin(all->low.y, b->low.y);
    all->low.z = fmin(all->low.z, b->low.z);
    all->high.x = fmax(all->high.x, b->high.x);
    all->high.y = fmax(all->high.y, b->high.y);
    all->high.z = fmax(all->high.z, b->high.z);
}

static int widest(const TmlBoundsTree *tree, int first, int count)
{
    int best = 0;
    double most = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = first; k < first + count; ++k) {
            const double x = middle(tree, k, axis);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low > most) {
            most = high - low;
            best = axis;
        }
    }
    return best;
}

static void build(TmlBoundsTree *tree, int first, int count)
{
    TmlBoxNode *node = &tree->node[tree->n_nodes++];
    *node = (TmlBoxNode){.first = first, .count = count};
    if (count > LEAF) {
        const int half = count / 2;
        part(tree, first, first + count - 1, first + half, widest(tree, first, count));
        const TmlBoxNode *left = node + 1;
        build(tree, first, half);
        node->right = tree->n_nodes;
        build(tree, first + half, count - half);
        node->box = left->box;
        take_in(&node->box, &tree->node[node->right].box);
        return;
    }
    node->box = tree->box[tree->order[first]];
    for (int k = first + 1; k < first + count; ++k) {
        take_in(&node->box, &tree->box[tree->order[k]]);
    }
}

void tml_bounds_tree_build(TmlBoundsTree *tree, const TmlBox *box, const int *which, int n)
{
    tree->box = box;
    tree->n = n;
    tree->n_nodes = 0;
    for (int k = 0; k < n; ++k) {
        tree->order[k] = which[k];
    }
    if (n > 0) {
        build(tree, 0, n);
    }
}

static TmlStatus ask_leaf(const TmlBoundsTree *tree, const TmlBoxNode *node, const TmlBox *box,
                          TmlBoxFound found, void *user, TmlError *err)
{
    for (int k = node->first; k < node->first + node->count; ++k) {
        const int number = tree->order[k];
        if (tml_boxes_overlap(box, &tree->box[number])) {
            TML_TRY(found(user, number, err));
        }
    }
    return TML_OK;
}

TmlStatus tml_bounds_tree_ask(const TmlBoundsTree *tree, const TmlBox *box, TmlBoxFound found,
                              void *user, TmlError *err)
{
    int stack[DEPTH], n = 0; // halves of equal count: no deeper than the bits of a number
    if (tree->n == 0) {
        return TML_OK;
    }
    stack[n++] = 0;
    while (n > 0) {
        const int at = stack[--n];
        const TmlBoxNode *node = &tree->node[at];
        if (!tml_boxes_overlap(box, &node->box)) {
            continue;
        }
        if (node->right == 0) {
            TML_TRY(ask_leaf(tree, node, box, found, user, err));
            continue;
        }
        stack[n++] = node->right;
        stack[n++] = at + 1;
    }
    return TML_OK;
}
