/* trammel/recover.h - displacements and stresses of modal bodies, from a result file and the part's file.
 *
 * A result file keeps modal coordinates; the part keeps displacements and stresses of each mode at its nodes. A
 * stress is the sum of modal stresses times coordinates. It has the components xx, yy, zz, xy, yz, zx in the axes of
 * the part's frame, in Pa. At nodes the reduction has averaged stresses over elements. A node counts once for each of
 * its places of stress: the two faces of a shell, the outer fibres of a beam, and each material where materials meet.
 * Rows are read in blocks, so that memory does not grow with the length of a run.
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
    int32_t modes, nodes, triangles; /* nodes: one for each place of stress */
    bool shapes, stresses;           /* whether the part keeps displacements, stresses at nodes */
    bool strains;                    /* whether it keeps materials of nodes, too */
} TmlRecoverBody;

/* State of a node at one time. */
typedef struct TmlNodeState {
    double time;
    TmlVec3 place;        /* global axes, m */
    TmlVec3 displacement; /* by deformation, in axes of the part's frame, m */
    double stress[6];     /* Pa; zeros if the part has no stress modes */
    double principal[3];  /* principal stresses, the largest first */
    double von_mises;
    double signed_mises;        /* with the sign of the principal stress of largest magnitude */
    double strain[6];           /* from the stress and the material; shear strains are angles */
    double principal_strain[3]; /* principal strains, the largest first */
} TmlNodeState;

typedef struct TmlHotSpot {
    int32_t index;          /* index among the nodes of the part, from 0 */
    int64_t node;           /* number in the mesh */
    TmlVec3 place;          /* place in the undeformed mesh, m */
    double von_mises, time; /* largest value over time, Pa, and its time, s */
} TmlHotSpot;

/* Open a result file and the parts of its modal bodies. name and path give n bodies whose part is not where the
 * result file says. A part is refused if its modes (number, frequencies) are not those of the run.
 *   TML_E_IO        a file cannot be read, or is not what it should be
 *   TML_E_ARGUMENT  no modal body has that name */
TML_API TML_NODISCARD TmlStatus tml_recovery_open(const char *results, int n,
                                                  const char *const *name, const char *const *path,
                                                  TmlRecovery **out, TmlError *err);
TML_API void tml_recovery_free(TmlRecovery *r); /* NULL is fine */

TML_API int tml_recovery_count(const TmlRecovery *r);
TML_API TmlRecoverBody tml_recovery_body(const TmlRecovery *r, int body); /* out of range: zeros */
/* Index, from 0, of the node with this number in the mesh; -1: the part does not keep it. If the node has several places
 * of stress, this is the index of the first; those of the others follow. */
TML_API int tml_recovery_node(const TmlRecovery *r, int body, int64_t node);
/* Name of a place in tables: "17", "17.top" and "17.bottom" (faces of a shell), "17.f3" (fibre 3 of a beam). Where the
 * node has different stresses in different elements the name contains the element: "17.e5.top". Returns the number of
 * the node; -1: there is no such place. */
enum { TML_PLACE_MAX = 64 };
TML_API int64_t tml_recovery_place(const TmlRecovery *r, int body, int index,
                                   char text[TML_PLACE_MAX]);

/* Use only rows from one time to another; NAN: from the first, to the last. Returns the number of rows. */
TML_API int64_t tml_recovery_window(TmlRecovery *r, double from, double until);

/* Find the largest von Mises stress over time of every node. `peak` has one entry for each node of the body.
 *   TML_E_ARGUMENT  the part has no stress modes, or there is no row */
TML_API TML_NODISCARD TmlStatus tml_recovery_peaks(TmlRecovery *r, int body, TmlHotSpot *peak,
                                                   TmlError *err);
/* Select the largest of n peaks, at most `most` of them, each node only once, and no two nearer to each other than
 * `apart` (m). Returns how many are in `out`. */
TML_API int tml_recovery_hottest(int n, const TmlHotSpot *peak, int most, double apart,
                                 TmlHotSpot *out);

/* Compute one node, given by its index from 0, at all rows of the window. */
TML_API TML_NODISCARD TmlStatus tml_recovery_history(TmlRecovery *r, int body, int index,
                                                     TmlNodeState *out, TmlError *err);

/* Write histories of n nodes as comma-separated values, with columns arm.23956.von_mises and so on. */
TML_API TML_NODISCARD TmlStatus tml_recovery_csv(TmlRecovery *r, int body, int n, const int *index,
                                                 const char *path, TmlError *err);

/* Write all modal bodies at all rows of the window for ParaView: their displaced surfaces, with displacement and
 * von Mises stress at nodes. The file modal.pvd in the folder lists them. */
TML_API TML_NODISCARD TmlStatus tml_recovery_vtk(TmlRecovery *r, const char *folder, int64_t *rows,
                                                 TmlError *err);

/* --- fatigue ----------------------------------------------------------------------------------- */

typedef struct TmlCycle {
    double range, mean;
    double count; /* 1, or 0.5 for half a cycle */
} TmlCycle;

/* Count the cycles of a history by the rainflow method (ASTM E1049-85, 5.4.4). `out` needs n places. Returns the
 * number of cycles; -1: out of memory. Values that are not finite are left out. */
TML_API int tml_rainflow(int64_t n, const double *x, TmlCycle *out);

/* How a mean stress S_m is taken into account. An amplitude S_a with the mean S_m does as much damage as, with no mean,
 * the amplitude
 *   Goodman    S_a / (1 - S_m / strength)       strength: the ultimate one
 *   Gerber     S_a / (1 - (S_m / strength)^2)   the ultimate one
 *   Soderberg  S_a / (1 - S_m / strength)       the yield strength
 *   SWT        sqrt((S_a + S_m) S_a)            Smith, Watson, Topper; no strength; none where S_a + S_m <= 0
 * In the first three a mean that reaches the strength is a failure, and a compressive mean has no effect. */
typedef enum TmlMeanRule {
    TML_MEAN_GOODMAN,
    TML_MEAN_GERBER,
    TML_MEAN_SODERBERG,
    TML_MEAN_SWT
} TmlMeanRule;

/* The number of cycles to failure at an amplitude S, which is half the range, is cycles (stress / S)^slope. */
typedef struct TmlStressLife {
    double stress; /* Pa: amplitude at which `cycles` are endured */
    double cycles;
    double slope;
    double limit; /* Pa: amplitudes below it do no damage; 0: all do */
    double
        ultimate; /* Pa: strength in the mean rules; 0: mean stresses are ignored, except by SWT */
    TmlMeanRule mean;
} TmlStressLife;

/* Damage by Palmgren and Miner: the sum of counts over cycles to failure. It is infinite if a mean is a failure. */
TML_API double tml_miner(int n, const TmlCycle *cycle, const TmlStressLife *line);

/* Find the plane whose normal stress does most damage, among some 400 directions 7 degrees apart. Returns the damage, and
 * the normal of the plane in the axes of the part's frame. `history`, n places, receives the normal stress of that plane,
 * Pa. -1: out of memory. */
TML_API double tml_critical_plane(int64_t n, const TmlNodeState *x, const TmlStressLife *line,
                                  TmlVec3 *normal, double *history);

#ifdef __cplusplus
}
#endif
