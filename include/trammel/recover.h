/* trammel/recover.h - displacements and stresses of modal bodies, from a result file and the part's file.
 *
 * A result file keeps modal coordinates; the part keeps what each mode does at its nodes. Stresses
 * are sums of components: xx, yy, zz, xy, yz, zx in the axes of the part's frame, in Pa. At nodes they
 * are those that the reduction has averaged over elements. A node counts once for each of its places of stress: the faces
 * of shells, the outer fibres of beams, and each material where materials meet. Rows are read in blocks: memory does not
 * grow with the length of a run.
 */
#pragma once

#include "trammel/base.h"
#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlRecovery TmlRecovery;

typedef struct TmlRecoverBody {
    const char *name, *part;         /* part: path of the file that was read */
    int32_t modes, nodes, triangles; /* nodes: with all their places of stress */
    bool shapes, stresses;           /* what the part keeps of its nodes */
    bool strains;                    /* it knows the materials of its nodes, too */
} TmlRecoverBody;

/* A node at a time. */
typedef struct TmlNodeState {
    double time;
    TmlVec3 place;        /* global axes, m */
    TmlVec3 displacement; /* by deformation, axes of the part's frame, m */
    double stress[6];     /* Pa; zeros: the part has none */
    double principal[3];  /* the largest first */
    double von_mises;
    double signed_mises;        /* with the sign of the principal stress of largest magnitude */
    double strain[6];           /* of the stress by the node's material; shear strains are angles */
    double principal_strain[3]; /* the largest first */
} TmlNodeState;

typedef struct TmlHotSpot {
    int32_t index;          /* among the nodes of the part, from 0 */
    int64_t node;           /* its number in the mesh */
    TmlVec3 place;          /* in the undeformed mesh, m */
    double von_mises, time; /* largest over time, Pa, and when, s */
} TmlHotSpot;

/* part, path: n bodies whose part lies elsewhere than the result file says. A part that is not the
 * one of the run (number of modes, frequencies) is refused.
 *   TML_E_IO        a file cannot be read, or is not what it should be
 *   TML_E_ARGUMENT  no modal body has that name */
TML_API TML_NODISCARD TmlStatus tml_recovery_open(const char *results, int n,
                                                  const char *const *name, const char *const *path,
                                                  TmlRecovery **out, TmlError *err);
TML_API void tml_recovery_free(TmlRecovery *r); /* NULL is fine */

TML_API int tml_recovery_count(const TmlRecovery *r);
TML_API TmlRecoverBody tml_recovery_body(const TmlRecovery *r, int body); /* out of range: zeros */
/* Number of the node with that number of the mesh, from 0; -1: the part keeps none such. Of a node with several places of
 * stress it is the first, and the others follow it. */
TML_API int tml_recovery_node(const TmlRecovery *r, int body, int64_t node);
/* What tables call a place: "17", "17.top", "17.bottom" (faces of a shell), "17.f3" (fibre 3 of a beam), with the
 * element between where the node has several stresses: "17.e5.top". Returns the number of the node; -1: no such place. */
enum { TML_PLACE_MAX = 64 };
TML_API int64_t tml_recovery_place(const TmlRecovery *r, int body, int index,
                                   char text[TML_PLACE_MAX]);

/* Look at rows from one time to another only; NAN: from the first, to the last. Returns how many. */
TML_API int64_t tml_recovery_window(TmlRecovery *r, double from, double until);

/* The largest von Mises stress over time of every node. peak: as many as the body has nodes.
 *   TML_E_ARGUMENT  the part has no stress modes, or there is no row */
TML_API TML_NODISCARD TmlStatus tml_recovery_peaks(TmlRecovery *r, int body, TmlHotSpot *peak,
                                                   TmlError *err);
/* The hottest `most` of n peaks, each node once, no two nearer than `apart` (m); returns how many are in `out`. */
TML_API int tml_recovery_hottest(int n, const TmlHotSpot *peak, int most, double apart,
                                 TmlHotSpot *out);

/* One node at all rows of the window; index: from 0. */
TML_API TML_NODISCARD TmlStatus tml_recovery_history(TmlRecovery *r, int body, int index,
                                                     TmlNodeState *out, TmlError *err);

/* Histories of n nodes as comma-separated values: columns arm.23956.von_mises and so on. */
TML_API TML_NODISCARD TmlStatus tml_recovery_csv(TmlRecovery *r, int body, int n, const int *index,
                                                 const char *path, TmlError *err);

/* All modal bodies at all rows of the window for ParaView: surfaces as they are displaced, with
 * displacement and von Mises stress at nodes. modal.pvd in the folder lists them. */
TML_API TML_NODISCARD TmlStatus tml_recovery_vtk(TmlRecovery *r, const char *folder, int64_t *rows,
                                                 TmlError *err);

/* --- fatigue ----------------------------------------------------------------------------------- */

typedef struct TmlCycle {
    double range, mean;
    double count; /* 1, or 0.5: half a cycle */
} TmlCycle;

/* Cycles of a history by rainflow counting (ASTM E1049-85, 5.4.4). out: n places suffice. Returns how
 * many there are; -1: out of memory. What is not finite is left out. */
TML_API int tml_rainflow(int64_t n, const double *x, TmlCycle *out);

/* How a mean stress S_m counts: the amplitude S_a does as much damage as one without a mean of
 *   Goodman    S_a / (1 - S_m / strength)       strength: the ultimate one
 *   Gerber     S_a / (1 - (S_m / strength)^2)   the ultimate one
 *   Soderberg  S_a / (1 - S_m / strength)       the yield strength
 *   SWT        sqrt((S_a + S_m) S_a)            Smith, Watson, Topper; no strength; none where S_a + S_m <= 0
 * By the first three a mean that reaches the strength is failure, and pressure changes nothing. */
typedef enum TmlMeanRule {
    TML_MEAN_GOODMAN,
    TML_MEAN_GERBER,
    TML_MEAN_SODERBERG,
    TML_MEAN_SWT
} TmlMeanRule;

/* Cycles to failure at an amplitude S, half the range: cycles (stress / S)^slope. */
typedef struct TmlStressLife {
    double stress; /* Pa: amplitude at which `cycles` are endured */
    double cycles;
    double slope;
    double limit; /* Pa: amplitudes below do no damage; 0: all do */
    double
        ultimate; /* Pa: strength that mean stresses are compared with; 0: means are not looked at, but by SWT */
    TmlMeanRule mean;
} TmlStressLife;

/* Sum of counts over cycles to failure (Palmgren and Miner). A failure by its mean is infinity. */
TML_API double tml_miner(int n, const TmlCycle *cycle, const TmlStressLife *line);

/* The plane whose normal stress does most damage, among some 400 directions 7 degrees apart: its normal, in the axes of the
 * part's frame, and the damage. history: n places, becomes the normal stress of that plane, in Pa. -1: out of memory. */
TML_API double tml_critical_plane(int64_t n, const TmlNodeState *x, const TmlStressLife *line,
                                  TmlVec3 *normal, double *history);

#ifdef __cplusplus
}
#endif
