/* analysis/integrator/two_loop/coordinates.h - what the two loops integrate: coordinates of the bodies of which some
 * are independent, or joint coordinates of a tree.
 *
 * A change of coordinates has n components. For bodies these are (dr, dtheta) of each, and the
 * formulas act on q; for joints they are the joint coordinates themselves.
 */
#pragma once

#include "analysis/integrator/two_loop/low_order.h"
#include "system/coordinates/cut.h"
#include "system/coordinates/partition.h"

typedef struct TmlCoordinates TmlCoordinates;

typedef struct TmlCoordinatesType {
    bool of_bodies; /* they are the coordinates of the bodies, not of joints */

    TML_NODISCARD TmlStatus (*setup)(TmlCoordinates *c, TmlIntegrator *it, TmlError *err);
    void (*teardown)(TmlCoordinates *c);

    /* The coordinates of s; slot 0: of the iterate, 1: of a trial. Their values are those that were
     * last written there, q that of s where it belongs to s. */
    TmlPoint (*point)(TmlCoordinates *c, TmlState *s, int slot);

    /* Fill y, the point of slot 0, from s: at a restart. */
    void (*read)(TmlCoordinates *c, TmlState *s, TmlPoint *y);

    /* Choose independent ones at the point y of the state s. scratch: a state to work on. */
    TML_NODISCARD TmlStatus (*choose)(TmlCoordinates *c, const TmlState *s, const TmlPoint *y,
                                      TmlState *scratch, TmlError *err);
    int (*count)(const TmlCoordinates *c);
    const int *(*index)(const TmlCoordinates *c);
    bool (*worn)(const TmlCoordinates *c);
    double (*unit)(const TmlCoordinates *c, int k); /* of component k, see TmlSystem.unit */

    /* q of s from y->q, y->q on the constraints; what has been added to y->q. NULL: no state there.
     */
    const double *(*close_positions)(TmlCoordinates *c, TmlState *s, TmlPoint *y);
    bool (*close_velocities)(TmlCoordinates *c, TmlState *s, TmlPoint *y);

    /* y->a from the accelerations of s; and those of s from a, a guess of y->a. */
    void (*accelerations)(TmlCoordinates *c, TmlState *s, TmlPoint *y);
    void (*guess)(TmlCoordinates *c, TmlState *s, const TmlPoint *y, const double *a);

    /* Components du[n] of a change dq of y->q, and the way back; y->q put where it may be. */
    void (*reduce)(const TmlCoordinates *c, const TmlPoint *y, const double *dq, double *du);
    void (*expand)(const TmlCoordinates *c, const TmlPoint *y, const double *du, double *dq);
    void (*retract)(const TmlCoordinates *c, TmlPoint *y);

    /* Dependent components from the independent ones. */
    void (*tangent)(TmlCoordinates *c, double *du);

    /* Components of the bodies [nu] of a change at s, and the way back. */
    void (*to_bodies)(TmlCoordinates *c, const TmlState *s, const double *du, double *body);
    void (*from_bodies)(TmlCoordinates *c, const TmlState *s, const TmlPoint *y, const double *body,
                        double *du);

    /* After a step: other bases for coordinates that have moved far. NULL: not needed. */
    void (*settle)(TmlCoordinates *c, TmlLowOrder *formula);
} TmlCoordinatesType;

struct TmlCoordinates {
    const TmlCoordinatesType *type;
    TmlSystem *sys;
    int nq, n; /* numbers that the formulas act on; components */
    TmlPartition *partition;
    TmlTree *tree;
    TmlCut *cut;
    double *y[2]; /* 3 n: points of the two slots */
};

extern const TmlCoordinatesType tml_coordinates_partitioned, tml_coordinates_recursive;
