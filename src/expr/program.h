/* expr/program.h - a compiled expression (private to the layer).
 *
 * Values are numbered: n_const constants, n_active leaves in rising order, then the results of the
 * instructions, which only use earlier values.
 */
#pragma once

#include "expr/expr.h"
#include "expr/op.h"

enum { TML_SUPPORT_BITS = 64 };

/* Times first + k period, for all integers k. */
typedef struct TmlExprTimes {
    double first, period;
} TmlExprTimes;

struct TmlExpr {
    const char *text;
    TmlDimension dim;
    int n_const, n_active, n_instr;
    int root;     /* value of the expression */
    int n_leaves; /* largest leaf + 1 */
    int smooth;
    int between;   /* smoothness but for kinks at known times */
    bool switches; /* tml_expr_switches */
    int n_breaks, n_repeated;
    const double *constant;       /* n_const */
    const int *active;            /* n_active: leaf numbers */
    const TmlInstr *instr;        /* n_instr */
    const double *breaks;         /* n_breaks: times, rising */
    const TmlExprTimes *repeated; /* n_repeated: kinks that come back for ever */
    const int *all;               /* n_active: 0, 1, 2, ... */
    /* n_active + n_instr: bit k set when the value depends on active leaf k. Only used when there
     * are at most TML_SUPPORT_BITS active leaves. */
    const uint64_t *support;
};

static inline int tml_expr_values(const TmlExpr *e)
{
    return e->n_const + e->n_active + e->n_instr;
}
