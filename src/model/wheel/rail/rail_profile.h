/* model/wheel/rail/rail_profile.h - cross sections of wheels and rails as smooth curves.
 *
 * In a section y points outward, away from the middle of the track, and z up; the curve runs from
 * the inside to the outside. The origin of a wheel's profile lies on its tape circle.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "math/dual6.h"

typedef struct TmlRailProfile {
    int n;           /* points that are left after merging */
    double *s;       /* n: length of the chords up to a point */
    double *y, *z;   /* n: the fitted points */
    double *yy, *zz; /* n: second derivatives there */
    double *k, *kk;  /* n: curvature of a smoother fit, above 0 where it is convex upwards; slope */
    double deviation; /* rms distance of the fit from the points, m */
} TmlRailProfile;

typedef struct TmlProfilePoints {
    int n;
    const double *point; /* 2 n: y, z */
    double deviation;    /* rms distance that the fit may have, m; 0: through the points */
    double smoothing;    /* the same of the fit that curvatures come from */
} TmlProfilePoints;

/* Points that are very near each other are merged, their order is turned to run outward. A curve
 * that crosses itself or turns back is refused with the number of the point, from 1. */
TML_NODISCARD TmlStatus tml_rail_profile_create(const TmlProfilePoints *points, TmlArena *arena,
                                                TmlRailProfile **out, TmlError *err);

/* p[0] = (y, z) at s and its derivatives p[1], p[2]; beyond the ends it goes on straight. */
void tml_rail_profile_at(const TmlRailProfile *p, double s, double at[3][2]);
/* Point, tangent and curvature with derivatives. Any of them may be NULL. */
void tml_rail_profile_dual(const TmlRailProfile *p, Dual s, Dual point[2], Dual tangent[2],
                           Dual *curvature);
double tml_rail_profile_length(const TmlRailProfile *p);
/* Curvature above 0: the middle of its circle lies below. */
double tml_rail_profile_curvature(const TmlRailProfile *p, double s);
