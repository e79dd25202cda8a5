/* expr/functions.h - table of the mathematical functions (private to the layer). */
#pragma once

#include "expr/builder.h"

enum { TML_FUNCTION_ARGS = 34 };

/* Functions whose arguments the parser must treat in its own way. */
typedef enum TmlFunctionForm {
    TML_FORM_PLAIN,
    TML_FORM_IF,     /* if(cond, a, b) or if(x: a, b, c) */
    TML_FORM_SPLINE, /* a spline's name among the arguments */
    TML_FORM_CURVE   /* a path's, whose own parameter is the argument */
} TmlFunctionForm;

typedef struct TmlFunction {
    const char *name; /* lower case */
    int min_args, max_args;
    const char *signature, *text;
    int smooth; /* continuous derivatives of the function itself, 3: three and more */
    TmlFunctionForm form;
    TmlOp op; /* for the builders that serve several functions */
    /* The value of the function of n argument values. */
    int (*build)(TmlBuilder *b, TmlOp op, const int *arg, int n);
    /* Says what is wrong with constant arguments (NAN: not constant), NULL: nothing. May be NULL.
     */
    const char *(*check)(const double *arg, int n);
    int spline_kind; /* FORM_SPLINE, FORM_CURVE: a TmlSplineKind, -1: the spline's own */
} TmlFunction;

/* The function of that name, upper and lower case being equal, or NULL. */
const TmlFunction *tml_function_find(const char *name);
/* Its value, for a function of plain form. */
int tml_function_build(TmlBuilder *b, const TmlFunction *f, const int *arg, int n);
/* Row of the table, NULL past the end. */
const TmlFunction *tml_function_at(int index);
