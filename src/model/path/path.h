/* model/path/path.h - smooth curves, fixed in a frame: through points, or by functions.
 *
 * Through points: a cubic spline over the chord between the points: open ones end straight and go
 * on so, closed ones are periodic. Of other orders, or by control points, a B-spline; open ones
 * begin and end at the first and last point, and go on along the tangent.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "expr/spline.h"
#include "trammel/function.h"

enum {
    TML_PATH_ORDER = 4,
    TML_PATH_MAX_ORDER = 10,
    TML_PATH_DERIVATIVES = 4,
    TML_PATH_HIGHEST = TML_SPLINE_HIGHEST + 2 /* the axes of a path need two more */
};

typedef struct TmlPath TmlPath;
struct TmlPath {
    int n; /* pieces */
    int order;
    bool closed;
    double length;      /* sum of the chords, or of the sides of the control polygon */
    const double *knot; /* n + 1: parameter at the ends of the pieces, from 0 */
    TmlVec3 *c;         /* n times order: coefficients by s - knot */
    TmlVec3 normal;     /* unit vector of the plane that it lies in, best; zero: a straight line */
    const TmlUserFunction *function[3]; /* in place of pieces; NULL: none */
    double from, to, per_metre;         /* parameter of the functions at the ends, and by s */
};

typedef struct TmlPathPoints {
    int n;
    const TmlVec3 *point; /* no two neighbours equal; the first is not repeated at the end */
    bool closed;          /* 3 points at least, open: 2 */
    bool control;         /* control points, which it does not go through */
    int order;            /* of the polynomials, their degree and 1; as many points, open */
} TmlPathPoints;

TML_NODISCARD TmlStatus tml_path_create(const TmlPathPoints *points, TmlArena *arena, TmlPath **out,
                                        TmlError *err);

/* By three functions of one parameter between from and to, with three derivatives. */
TML_NODISCARD TmlStatus tml_path_create_function(const TmlUserFunction *const f[3], double from,
                                                 double to, bool closed, TmlArena *arena,
                                                 TmlPath **out, TmlError *err);
/* The same as tml_path_derivatives of such a path, inside of its ends. */
void tml_path_function_at(const TmlPath *p, double s, int order, TmlVec3 *d);
/* Normal of the plane of n points, as `normal`. */
TmlVec3 tml_path_plane(int n, const TmlVec3 *point);

/* d[0] the point at s, d[1..order] its derivatives, up to TML_PATH_HIGHEST. */
void tml_path_derivatives(const TmlPath *p, double s, int order, TmlVec3 *d);

/* The same with four derivatives, of functions without the fourth. */
void tml_path_at(const TmlPath *p, double s, TmlVec3 d[TML_PATH_DERIVATIVES + 1]);

/* Unit vectors at s: the tangent t, the normal n away from the centre of curvature, b = t x n, and
 * their derivatives, axes[m][0..2] for m up to TML_SPLINE_HIGHEST. Where the path is straight, b is
 * its normal, or across t. */
void tml_path_axes(const TmlPath *p, double s, int order, TmlVec3 (*axes)[3]);

/* Vectors along a path as functions for expressions. */
typedef enum TmlTrackVector {
    TML_TRACK_POINT,
    TML_TRACK_TANGENT,
    TML_TRACK_NORMAL,
    TML_TRACK_BINORMAL,
    TML_TRACK_VECTORS
} TmlTrackVector;

/* One component of one; NULL: out of memory. */
TmlSpline *tml_path_coordinate(const TmlPath *p, TmlTrackVector vector, int axis, TmlArena *arena);

/* Parameter of the point that is nearest to r. */
double tml_path_nearest(const TmlPath *p, TmlVec3 r);

/* Pieces of a B-spline into a path that has its arrays; chord: lengths of the sides. */
TML_NODISCARD TmlStatus tml_path_fill_bspline(const TmlPathPoints *points, const double *chord,
                                              TmlPath *p, double *knot, TmlError *err);
