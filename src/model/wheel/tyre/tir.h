/* model/wheel/tyre/tir.h - tyre property files (.tir): keys with numbers or words, in sections.
 *
 *   [SECTION]
 *   KEY = 1.5      $ what follows is a comment, as is a line that begins with ! or $
 *   KEY = 'word'
 *   {pen  fz}      rows of a table follow
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "expr/spline.h"

typedef struct TmlTirKey {
    const char *section, *name; /* as written, in capitals */
    const char *text;           /* of words, without quotes; NULL: a number */
    double value;
    int line;
} TmlTirKey;

typedef struct TmlTir {
    const char *path;
    int n;
    const TmlTirKey *key;
    int n_curve; /* rows of [DEFLECTION_LOAD_CURVE], in units of the file */
    const double *curve;
    const TmlSpline *load; /* the same as load over deflection, SI; NULL: there is none */
    /* SI units in one of the file */
    double length, force, angle, mass, time, pressure;
} TmlTir;

/* Reads a file. Keys that stand twice, numbers that are none, unknown or missing units are errors with the line. */
TML_NODISCARD TmlStatus tml_tir_read(const char *path, TmlArena *arena, const TmlTir **out,
                                     TmlError *err);

/* A key of any section; NULL: it is not there. */
const TmlTirKey *tml_tir_find(const TmlTir *tir, const char *name);
