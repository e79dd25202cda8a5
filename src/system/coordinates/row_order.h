/* system/coordinates/row_order.h - the rows of a tree of joints from its tips to its root, the others after. */
#pragma once

#include "system/system.h"

/* Sets order[m] to the active rows. First come those of joints that make a tree, or several, the
 * farthest from ground first: the joint that holds a body comes after all joints that the body
 * itself holds. Those that close loops follow. *n_tree tells how many belong to the tree. */
TML_NODISCARD TmlStatus tml_system_row_order(TmlSystem *sys, int *order, int *n_tree,
                                             TmlError *err);
