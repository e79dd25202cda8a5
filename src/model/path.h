/* model/path.h - smooth curves through points, fixed in a frame.
 *
 * A cubic spline over the chord between the points: open ones end straight and go on so, closed
 * ones are periodic.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/types.h"

typedef struct TmlPath TmlPath;
struct TmlPath {
    int n; /* pieces */
    bool closed;
    double length;      /* sum of the chords */
    const double *knot; /* n + 1: parameter at the ends of the pieces, from 0 */
    TmlVec3 (*c)[4];    /* n: coefficients by s - knot */
    TmlVec3 normal;     /* unit vector of the plane that it lies in, best; zero: a straight line */
};

/* n >= 2 points, 3 when closed, no two neighbours equal; the first is not repeated at the end. */
TML_NODISCARD TmlStatus tml_path_create(int n, const TmlVec3 *point, bool closed, TmlArena *arena,
                                        TmlPath **out, TmlError *err);

/* d[0] the point at s, d[1..3] its derivatives. */
void tml_path_at(const TmlPath *p, double s, TmlVec3 d[4]);

/* Parameter of the point that is nearest to r. */
double tml_path_nearest(const TmlPath *p, TmlVec3 r);
