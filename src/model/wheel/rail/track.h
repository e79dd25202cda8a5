/* model/wheel/rail/track.h - a track: a curve in space with two rails beside it.
 *
 * The middle of the track runs level with the tops of the rails. At the station s, counted along its plan, x points
 * forward, y to the left and z up; cant turns y and z about x. Text: docs/theory/rails.md
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "expr/spline.h"
#include "model/wheel/rail/creep.h"
#include "model/wheel/rail/rail_profile.h"

/* A piece of the plan: curvature and cant go from one value to the other. */
typedef struct TmlTrackSegment {
    double length;
    double curvature[2]; /* 1/m, at both ends; above 0: to the left */
    double cant[2];      /* m, height of the right rail over the left one */
    double gradient[2];  /* rise by way */
    bool smooth;         /* by 3 u^2 - 2 u^3, not in proportion */
} TmlTrackSegment;

typedef enum TmlTrackFault {
    TRACK_LATERAL,  /* both rails to the left */
    TRACK_VERTICAL, /* both rails up */
    TRACK_CROSS,    /* right rail over left one */
    TRACK_GAUGE,    /* rails apart */
    TRACK_FAULTS
} TmlTrackFault;

typedef struct TmlTrackWaves {
    int n;
    const double *wave; /* 3 a wave: amplitude, rad/m, phase */
} TmlTrackWaves;

typedef struct TmlTrack {
    const char *name;
    TmlVec3 position; /* of its start, at the start */
    TmlMat33 rotation;
    double gauge, depth; /* distance of the inner faces, so far below the top of the rails */
    double base;         /* between the rails' middles, that cant is over */
    double rail_base;    /* between the origins of the rails' profiles; NAN: by gauge */
    const TmlRailProfile *rail;
    bool ends;      /* a wheel that goes on beyond ends the run */
    bool pivot_low; /* the lower rail keeps its height in cant, not the middle */
    int n;
    const TmlTrackSegment *segment;
    double scale, from, fade; /* of the irregularities: factor, where they begin, over which way */
    const TmlSpline *fault[TRACK_FAULTS];
    TmlTrackWaves waves[TRACK_FAULTS];
    TmlCreepTable *creep; /* shared by its wheels; filled for the first that asks for it */
    /* by tml_track_prepare */
    double length;
    int n_nodes;
    const struct TmlTrackNode *node;
} TmlTrack;

TML_NODISCARD TmlStatus tml_track_prepare(TmlTrack *track, TmlArena *arena, TmlError *err);

/* The track at s: place, axes and their first derivatives by s; the second one of the place. */
typedef struct TmlTrackPoint {
    TmlVec3 r, dr, ddr;
    TmlMat33 A, dA;
    double curvature, cant;
    double twist, twist_rate; /* rad/m, about x, and its derivative */
} TmlTrackPoint;

void tml_track_at(const TmlTrack *track, double s, TmlTrackPoint *out);

/* One derivative more: of the place the third, of the axes the second. */
typedef struct TmlTrackBend {
    TmlVec3 dddr;
    TmlMat33 ddA;
} TmlTrackBend;

void tml_track_bend(const TmlTrack *track, double s, TmlTrackBend *out);

/* The station of the plane across the track that a point is in; of several the nearest. */
double tml_track_station(const TmlTrack *track, TmlVec3 r);

/* By how much the rail is off its place: y (to the left) and z, each with its first and second derivative by s.
 * side: 0 left, 1 right. */
void tml_track_fault(const TmlTrack *track, int side, double s, double y[3], double z[3]);

/* Random irregularities by densities of power. kind: index into the choices below. */
#define TRACK_SPECTRA "german_low|german_high|aar1|aar2|aar3|aar4|aar5|aar6"
typedef struct TmlTrackSpectrum {
    int kind, seed, waves;
    double shortest, longest;
} TmlTrackSpectrum;
TML_NODISCARD TmlStatus tml_track_spectrum(const TmlTrackSpectrum *spectrum, TmlTrack *track,
                                           TmlArena *arena, TmlError *err);
