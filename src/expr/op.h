/* expr/op.h - operations of a compiled expression and their partial derivatives.
 *
 * Everything is built from operations of one or two operands, f(u) or f(u, v), and the choice
 * c ? u : v. Functions such as STEP or IMPACT are made of these, so that their derivatives of any
 * order follow from one chain rule. Functions of the caller's own have more operands: the ARG
 * operations in front of a CALL, in order, each tied to the one before by v.
 */
#pragma once

#include "expr/spline.h"
#include "trammel/function.h"

/* Partial derivatives of f(u, v) to third order. */
enum {
    TML_D,
    TML_D_U,
    TML_D_V,
    TML_D_UU,
    TML_D_UV,
    TML_D_VV,
    TML_D_UUU,
    TML_D_UUV,
    TML_D_UVV,
    TML_D_VVV,
    TML_PARTIALS
};

/* code, operands, continuous derivatives (3: as many as wanted), partials.
 * Smoothness counts inside the domain: poles, and the cut of atan2, are not kinks. */
#define TML_OP_LIST(X)                                                                             \
    X(ADD, 2, 3, op_add)                                                                           \
    X(SUB, 2, 3, op_sub)                                                                           \
    X(MUL, 2, 3, op_mul)                                                                           \
    X(DIV, 2, 3, op_div)                                                                           \
    X(POW, 2, 3, op_pow)                                                                           \
    X(ATAN2, 2, 3, op_atan2)                                                                       \
    X(HYPOT, 2, 3, op_hypot)                                                                       \
    X(MOD, 2, 0, op_mod)                                                                           \
    X(LT, 2, 0, op_lt)                                                                             \
    X(LE, 2, 0, op_le)                                                                             \
    X(EQ, 2, 0, op_eq)                                                                             \
    X(AND, 2, 0, op_and)                                                                           \
    X(OR, 2, 0, op_or)                                                                             \
    X(NOT, 1, 0, op_not)                                                                           \
    X(NEG, 1, 3, op_neg)                                                                           \
    X(POWC, 1, 3, op_powc)                                                                         \
    X(SQRT, 1, 3, op_sqrt)                                                                         \
    X(EXP, 1, 3, op_exp)                                                                           \
    X(LOG, 1, 3, op_log)                                                                           \
    X(LOG10, 1, 3, op_log10)                                                                       \
    X(SIN, 1, 3, op_sin)                                                                           \
    X(COS, 1, 3, op_cos)                                                                           \
    X(TAN, 1, 3, op_tan)                                                                           \
    X(ASIN, 1, 3, op_asin)                                                                         \
    X(ACOS, 1, 3, op_acos)                                                                         \
    X(ATAN, 1, 3, op_atan)                                                                         \
    X(SINH, 1, 3, op_sinh)                                                                         \
    X(COSH, 1, 3, op_cosh)                                                                         \
    X(TANH, 1, 3, op_tanh)                                                                         \
    X(ABS, 1, 0, op_abs)                                                                           \
    X(SIGN, 1, 0, op_sign)                                                                         \
    X(AINT, 1, 0, op_aint)                                                                         \
    X(ANINT, 1, 0, op_anint)                                                                       \
    X(FLOOR, 1, 0, op_floor)                                                                       \
    X(CEIL, 1, 0, op_ceil)                                                                         \
    X(CLAMP, 1, 0, op_clamp)                                                                       \
    X(WRAP, 1, 0, op_wrap)                                                                         \
    X(SPLINE, 1, 3, op_spline)

#define TML_OP_ENUM(code, operands, smooth, partials) TML_OP_##code,
typedef enum TmlOp {
    TML_OP_LIST(TML_OP_ENUM) TML_OP_SELECT, /* c != 0 ? u : v, three operands */
    TML_OP_ARG,                             /* u, an argument of the next CALL; v: ARG before, -1 */
    TML_OP_CALL,                            /* function of the ARGs before it; u: the last */
    TML_OP_CONST,                           /* sources: not in a finished program's instructions */
    TML_OP_LEAF,
    TML_OP_COUNT
} TmlOp;
#undef TML_OP_ENUM

/* One operation. Operands are indices of values; unused ones are -1. */
typedef struct TmlInstr {
    TmlOp op;
    int u, v, c;
    double p;                /* POWC: exponent; SPLINE: derivative shown as the value; CONST */
    const TmlSpline *spline; /* SPLINE */
    const TmlUserFunction *function; /* CALL */
} TmlInstr;

/* d[TML_PARTIALS] at (u, v) up to the order; must come zeroed. Not for SELECT,
 * ARG and CALL. */
typedef void TmlOpFn(const TmlInstr *in, double u, double v, int order, double *d);

typedef struct TmlOpInfo {
    int operands, smooth;
    TmlOpFn *partials;
} TmlOpInfo;

const TmlOpInfo *tml_op_info(TmlOp op);
