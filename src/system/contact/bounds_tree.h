/* system/contact/bounds_tree.h - a tree of boxes: which of many overlap a given one.
 *
 * The boxes may be of very different sizes and shapes. n boxes take n log n to build; a question takes
 * log n and what it finds, as long as no more boxes than a few cover everything.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/element.h"

/* Sides parallel to the axes; both ends belong to it. */
typedef struct TmlBox {
    TmlVec3 low, high;
} TmlBox;

typedef struct TmlBoxNode {
    TmlBox box;
    int first, count; /* of the order: leaves and inner nodes alike */
    int right;        /* the second child; the first is the next node; 0: a leaf */
} TmlBoxNode;

typedef struct TmlBoundsTree {
    int n, cap, n_nodes;
    int *order;        /* n: numbers of boxes, those of a node side by side */
    TmlBoxNode *node;  /* n_nodes */
    const TmlBox *box; /* of the caller, by their numbers */
} TmlBoundsTree;

/* Makes room for up to `cap` boxes. */
TML_NODISCARD TmlStatus tml_bounds_tree_setup(TmlBoundsTree *tree, TmlArena *arena, int cap,
                                              TmlError *err);

/* A tree of the boxes box[which[k]], k < n, which stay where they are while it is asked. */
void tml_bounds_tree_build(TmlBoundsTree *tree, const TmlBox *box, const int *which, int n);

/* What is called for each box that is found; anything but TML_OK ends the search. */
typedef TmlStatus (*TmlBoxFound)(void *user, int number, TmlError *err);

/* All boxes that overlap the given one, or touch it. */
TML_NODISCARD TmlStatus tml_bounds_tree_ask(const TmlBoundsTree *tree, const TmlBox *box,
                                            TmlBoxFound found, void *user, TmlError *err);

static inline bool tml_boxes_overlap(const TmlBox *a, const TmlBox *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}
