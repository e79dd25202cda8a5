/* trammel/locus.h - eigenvalues over a parameter: root loci, Campbell diagrams, critical speeds.
 *
 * The model is made anew for every value of the parameter and linearised as `trammel linearize` does. Eigenvalues of
 * neighbouring values are joined to branches. Where a branch crosses the imaginary axis, the value is found to digits.
 */
#pragma once

#include "trammel/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlLocus TmlLocus;

typedef struct TmlLocusOptions {
    uint32_t size;         /* set by tml_locus_options_default; do not change */
    const char *parameter; /* of the model */
    double from, to;
    int32_t points; /* values of the parameter, both ends included, 2 at least; default: 21 */
    bool statics;   /* about the static equilibrium at every value */
    bool nearest;   /* with statics: accept the nearest equilibrium even if it is unstable */
    double at;      /* s: about the state that a run reaches at this time; 0: the initial state */
    bool crossings; /* find where branches cross the imaginary axis; default: true */
    TmlLinearOptions linear;
    void *user;
    bool (*go_on)(void *user); /* called before every value; false stops; may be NULL */
} TmlLocusOptions;

TML_API TmlLocusOptions tml_locus_options_default(void);

/* One place where a branch crosses the imaginary axis. */
typedef struct TmlCrossing {
    double value;     /* of the parameter */
    double frequency; /* Hz; 0: a real eigenvalue passes zero */
    double slope;     /* of the real part by the parameter */
    double doubt;     /* by how much the last correction moved the value */
    int32_t branch;
    bool unstable; /* the motion becomes unstable as the parameter goes from `from` to `to` */
} TmlCrossing;

/* The model must have been loaded from a file or text with parameters. On failure *out is NULL.
 *   TML_E_ARGUMENT   there is no such parameter, or an option is out of range
 *   TML_E_CANCELLED  go_on returned false */
TML_API TML_NODISCARD TmlStatus tml_locus(const TmlModel *model, const TmlLocusOptions *options,
                                          TmlLocus **out, TmlError *err);
TML_API void tml_locus_free(TmlLocus *locus); /* NULL is fine */

/* Values in their order; more than `points` where branches were hard to follow. */
TML_API int tml_locus_points(const TmlLocus *locus);
TML_API double tml_locus_value(const TmlLocus *locus, int point);
/* Modes at a value, as of tml_linear_mode, and the branch that each belongs to. */
TML_API int tml_locus_modes(const TmlLocus *locus, int point);
TML_API TmlMode tml_locus_mode(const TmlLocus *locus, int point, int mode);
TML_API int tml_locus_branch(const TmlLocus *locus, int point, int mode);
TML_API int tml_locus_branches(const TmlLocus *locus); /* number of branches */
/* Number of motions that grow at a value, a pair counted twice: those whose rate is above rounding. */
TML_API int tml_locus_unstable(const TmlLocus *locus, int point);
/* Mode with the largest real part, of those that are not zero to rounding; -1: none. */
TML_API int tml_locus_least(const TmlLocus *locus, int point);
TML_API int tml_locus_crossings(const TmlLocus *locus);
TML_API TmlCrossing tml_locus_crossing(const TmlLocus *locus, int index);

/* Write all of it. The suffix chooses the kind: .csv (a line for each mode of each value), .json, .svg or .png (real parts and
 * frequencies over the parameter, and the root locus). */
TML_API TML_NODISCARD TmlStatus tml_write_locus(const char *path, const TmlLocus *locus,
                                                TmlError *err);

#ifdef __cplusplus
}
#endif
