/* expr/expr.h - the expression language: parse, compile, evaluate with derivatives.
 *
 * An expression is compiled once to a program over *leaves*: scalars that the caller supplies at
 * every evaluation. Leaf 0 is always time; the resolver numbers the others from 1 (the same thing
 * asked for twice should get the same number). The layer knows mathematics only; what a leaf means
 * (DX(a, b), an angle, a variable) is the resolver's business.
 *
 * Evaluation allocates nothing; the caller passes work memory. Derivatives are exact (order 1 by a
 * sweep backwards, 2 and 3 forward) except at kinks, where the one-sided derivative of the branch
 * taken is returned.
 */
#pragma once

#include "base/arena.h"
#include "expr/dimension.h"
#include "expr/spline.h"
#include "trammel/function.h"

typedef struct TmlExpr TmlExpr;

/* An argument of a function that the resolver must know: a name, or a constant number. */
typedef struct TmlExprArg {
    const char *name; /* NULL: a number */
    double value;
    int column; /* 0-based offset into the text, for messages */
} TmlExprArg;

/* What a name or model function turns out to be. */
typedef struct TmlExprSymbol {
    bool constant;
    double value;     /* constant */
    int leaf;         /* not constant: >= 1 (0 for time) */
    TmlDimension dim; /* constant: its dimension; all zero when not known */
} TmlExprSymbol;

/* Looks names up for the compiler. Texts passed in live until the compiler returns; err may be
 * NULL. On failure the message says what is wrong and, where there is
 * one, the nearest valid spelling; the compiler adds the text with a caret. A NULL entry means that
 * no such thing exists in this place. */
typedef struct TmlExprResolver {
    void *user;
    /* A name standing alone: parameter, variable, state, "time" is known already. */
    TmlStatus (*name)(void *user, const char *name, TmlExprSymbol *out, TmlError *err);
    /* A function that is not mathematics: DX(a, b, c), angle(pin1), reaction(pin2).fx;
     * member is NULL when there is none. */
    TmlStatus (*call)(void *user, const char *function, const TmlExprArg *args, int n_args,
                      const char *member, TmlExprSymbol *out, TmlError *err);
    /* A named spline, for cubspl(x, name) and akispl(x, name). */
    TmlStatus (*spline)(void *user, const char *name, const TmlSpline **out, TmlError *err);
    /* A function of the caller's own; *out NULL: there is none of that name. Its table outlives the
     * program. */
    TmlStatus (*function)(void *user, const char *name, const TmlUserFunction **out, TmlError *err);
    /* All names that `name` and all functions that `call` accept, for suggestions: calls visit
     * once each. May be NULL. */
    void (*names)(void *user, void (*visit)(void *arg, const char *name), void *arg);
    /* What "time" stands for: NULL, leaf 0; else this constant, and leaf 0 is another thing's. */
    const double *time;
} TmlExprResolver;

/* Parse and compile. The program lives in the arena. Errors (TML_E_MODEL) read
 *     unknown name 'k3'; did you mean 'k2'?
 *       2*k3 + 1
 *         ^
 */
TML_NODISCARD TmlStatus tml_expr_compile(const char *text, const TmlExprResolver *resolver,
                                         TmlArena *arena, TmlExpr **out, TmlError *err);

/* Value of an expression without leaves other than those the resolver makes constant; time and
 * leaves are errors ("must be a constant"), and so are results that are not finite. */
TML_NODISCARD TmlStatus tml_expr_constant(const char *text, const TmlExprResolver *resolver,
                                          double *out, TmlError *err);

/* The same with its dimension. */
TML_NODISCARD TmlStatus tml_expr_quantity(const char *text, const TmlExprResolver *resolver,
                                          double *out, TmlDimension *dim, TmlError *err);

TmlDimension tml_expr_dimension(const TmlExpr *expr);
int tml_expr_leaves(const TmlExpr *expr); /* largest leaf + 1, at least 1 */
bool tml_expr_uses(const TmlExpr *expr, int leaf);
const char *tml_expr_text(const TmlExpr *expr); /* as written */

/* How many continuous derivatives it has at least: 0, 1, 2, or 3 for 3 and more. */
int tml_expr_smoothness(const TmlExpr *expr);
/* The same between the times of tml_expr_breakpoints: steps, tables and choices by a linear
 * function of time alone do not count. */
int tml_expr_smoothness_between(const TmlExpr *expr);

/* Derivatives that the functions of the caller's own in it give: 1, 2, or 3 (also without any). */
int tml_expr_order(const TmlExpr *expr);
int tml_expr_functions_called(const TmlExpr *expr); /* how often it calls such functions */

/* Whether it may hold still and then set in, or jump (cut-offs, choices, comparisons, functions of
 * the caller): more than kinks of absolute values, tables and limits min(max(x, a), b), which show wherever one looks. What
 * happens at the times of tml_expr_breakpoints does not count. */
bool tml_expr_switches(const TmlExpr *expr);

/* Times at which the expression has a kink or jump in some derivative that follow from its text
 * (STEP and IF on time, spline knots over time, ...), for arguments linear in time. Kinks that
 * repeat for ever (MOD, FLOOR) are not among them, but tml_expr_next_break knows them. Writes at
 * most max, sorted; returns how many there are. */
int tml_expr_breakpoints(const TmlExpr *expr, double *t, int max);

/* The first time behind t of a kink or jump that follows from the text, those that repeat for ever
 * included; HUGE_VAL: there is none. slack: times this close to t are t. */
double tml_expr_next_break(const TmlExpr *expr, double t, double slack);

/* Doubles of work memory that an evaluation of that order, or of a lower one, needs. */
size_t tml_expr_work(const TmlExpr *expr, int order);

/* Evaluate at leaf[n], n = tml_expr_leaves. order 0 to 3; arrays of the result may be NULL above
 * it. work: tml_expr_work(expr, order) doubles. */
void tml_expr_eval(const TmlExpr *expr, const double *leaf, int order, double *work, TmlJet *out);

/* Table of the built-in functions for help and schema: calls visit once each with name, signature
 * and one sentence. */
void tml_expr_functions(void (*visit)(void *arg, const char *name, const char *signature,
                                      const char *text),
                        void *arg);
