/* expr/builder.h - makes the values of an expression, folding constants: for the parser, and for laws
 * that are written in code (model/measure/law.h).
 *
 * Functions return the number of a value. Running out of memory is remembered and reported by
 * tml_build_finish; until then value 0 stands in.
 */
#pragma once

#include "expr/program.h"

typedef struct TmlBuildNode {
    TmlInstr in; /* CONST: p; LEAF: u is the leaf's number */
    int smooth;  /* continuous derivatives, 0 to 3 */
    int between; /* the same but for kinks at known times */
    bool timed;  /* follows from time alone, and all its kinks are at known times */
    bool linear; /* value = offset + rate * time */
    /* value = offset + rate * time + jump * floor((time - first) / period): stairs and saw teeth,
     * as floor() and mod() of time make them; not linear then */
    bool wave;
    double offset, rate, jump, first, period;
    int trouble; /* number given by tml_build_blame, 0: none */
} TmlBuildNode;

typedef struct TmlBuilder {
    TmlBuildNode *node;
    int n, cap;
    bool oom;
} TmlBuilder;

TML_NODISCARD TmlStatus tml_build_init(TmlBuilder *b, TmlError *err);
void tml_build_free(TmlBuilder *b);

int tml_build_const(TmlBuilder *b, double value);
int tml_build_leaf(TmlBuilder *b, int leaf);
int tml_build_op1(TmlBuilder *b, TmlOp op, int u);
int tml_build_op2(TmlBuilder *b, TmlOp op, int u, int v);
int tml_build_power(TmlBuilder *b, int u, int v);
int tml_build_select(TmlBuilder *b, int c, int u, int v);
int tml_build_call(TmlBuilder *b, const TmlUserFunction *f, const int *arg);
int tml_build_spline(TmlBuilder *b, const TmlSpline *spline, int derivative, int u);

/* A plain function of the language by its name, step5 for example, of n values; not a finite number
 * when there is none of that name. */
int tml_build_function(TmlBuilder *b, const char *name, const int *arg, int n);

/* True, with the value, when it is known. */
bool tml_build_known(const TmlBuilder *b, int node, double *value);

/* Number (> 0) of what is to blame when this value is part of the result and makes it non-finite.
 * Kept by values that inherit the fault. */
void tml_build_blame(TmlBuilder *b, int node, int trouble);

/* Compiled expression of the values that `root` needs. When one of them is not finite, *trouble is
 * the number of what is to blame (-1: none was given) and *out is NULL. */
TML_NODISCARD TmlStatus tml_build_finish(TmlBuilder *b, int root, const char *text, TmlArena *arena,
                                         TmlExpr **out, int *trouble, TmlError *err);
