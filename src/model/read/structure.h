/* model/read/structure.h - which unknowns of implicit equations are states, and which are algebraic. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* How an unknown enters an equation. */
enum {
    TML_ABSENT = -2,
    TML_THROUGH = -1, /* not itself, but perhaps by way of accelerations or reactions */
    TML_BY_VALUE = 0,
    TML_BY_RATE = 1
};

/* n equations for n unknowns that may enter by their rates. */
typedef struct TmlStructure {
    int n;
    short *entry;    /* n * n: entry[i * n + j], of unknown j in equation i */
    int *equation;   /* n: the one that belongs to each unknown */
    bool *algebraic; /* n: the unknown follows from its equation, else its rate does */
    int *times;      /* n: how often an equation has to be differentiated for the rates */
    int bad_equation, bad_unknown;
} TmlStructure;

typedef enum TmlStructureResult {
    TML_STRUCTURE_FOUND,
    TML_STRUCTURE_SINGULAR, /* nothing determines bad_unknown; bad_equation is left over */
    TML_STRUCTURE_HIGH      /* bad_equation would have to be differentiated twice, or with rates */
} TmlStructureResult;

TML_NODISCARD TmlStatus tml_structure_create(int n, TmlArena *arena, TmlStructure *out,
                                             TmlError *err);

/* Fill equation, algebraic and times from entry. Uses the arena for scratch. */
TML_NODISCARD TmlStatus tml_structure_solve(TmlStructure *s, TmlArena *arena,
                                            TmlStructureResult *result, TmlError *err);
