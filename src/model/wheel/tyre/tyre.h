/* model/wheel/tyre/tyre.h - tyres: what all of them share, and what a law of slip adds.
 *
 * Axes of the contact (ISO, TYDEX W): x along the wheel, forward, y to the left, z the normal of the road. The axle points to the left, and
 * the wheel rolls forward when it turns about it in the positive sense. Text: docs/theory/tyres.md
 */
#pragma once

#include "expr/spline.h"
#include "model/wheel/road/road.h"
#include "model/wheel/wheel_pair.h"

/* What a law is asked with. */
typedef struct TmlTyreSlip {
    Dual kappa; /* longitudinal slip: driving above 0 */
    Dual side; /* -tan(alpha): the wheel moves to the right above 0, and the force is to the left */
    Dual camber;     /* rad; the top leans to the right above 0 */
    Dual load;       /* N, above 0 */
    Dual speed;      /* m/s, along the wheel, with its sign */
    double friction; /* factor of all coefficients of friction */
} TmlTyreSlip;

/* Steady forces: fx = fx0 + cx psi_x kappa, fy = fy0 + cy psi_y side. */
typedef struct TmlTyreSteady {
    Dual cx, cy;       /* slip stiffness, N; 0: no force in this direction */
    Dual psi_x, psi_y; /* secant by initial slope, 1 at small slips */
    Dual fx0, fy0;     /* forces without slip */
    Dual mx, my,
        mz;     /* moments about the axes of the contact; my resists rolling forward when below 0 */
    Dual trail; /* m: mz changes by -trail for each N that fy is above its steady value */
    Dual sigma_x, sigma_y; /* relaxation lengths, m */
} TmlTyreSteady;

typedef struct TmlTyreLaw {
    void (*steady)(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out);
} TmlTyreLaw;

typedef enum TmlTyreContact { TYRE_POINT, TYRE_DISC, TYRE_PLANE } TmlTyreContact;

/* The first member of the data of every type of tyre. */
typedef struct TmlTyre {
    const TmlRoad *road; /* NULL: the plane z = 0 */
    double radius, stiffness, damping;
    const TmlSpline *load_table;
    double damping_depth;
    bool pulls;
    int contact;
    double rolling;  /* part of the deflection by which the rolling radius is smaller */
    double friction; /* factor of the coefficients of friction */
    double hold_damping;
    double footprint_length, footprint_width; /* NAN: by the radius */
    /* by prepare */
    double effective[3],
        effective_depth; /* the rolling radius by (E1) of pac2002_tyre.c; 0: by `rolling` */
    const TmlTyreLaw *law;
    TmlMat33 R; /* axes of the road in those of the first end */
    TmlVec3 o;  /* its origin from that of the first end, in axes of the road */
} TmlTyre;

/* Where a wheel touches the road; axes and origin of the road. */
typedef struct TmlTyreTouch {
    DualVec point, normal;
    DualVec up;      /* from the point to the centre, a unit vector */
    Dual radius;     /* distance of the two */
    Dual deflection; /* less than 0: the gap */
    double friction; /* factor of the place on the road */
} TmlTyreTouch;

/* c, s: centre and axle, with their derivatives. */
void tml_tyre_touch(const TmlTyre *p, DualVec c, DualVec s, TmlTyreTouch *out);

/* Values behind the wrench, see tyre.c. */
enum {
    TYRE_LOAD = 6,
    TYRE_FX,
    TYRE_FY,
    TYRE_MX,
    TYRE_MY,
    TYRE_MZ,
    TYRE_KAPPA,
    TYRE_ALPHA,
    TYRE_CAMBER,
    TYRE_DEFLECTION,
    TYRE_RADIUS,
    TYRE_X,
    TYRE_Y,
    TYRE_Z,
    TYRE_RATE_X,
    TYRE_RATE_Y,
    TYRE_TO_BORDER,
    TYRE_OUT
};

void tml_tyre_eval(const void *data, const TmlWheelIn *in, bool derivatives, Dual out[WHEEL_OUT]);

/* --- for the tables of the types ------------------------------------------------------------- */

extern const TmlOutput tml_tyre_outputs[];
extern const struct TmlForceLaw tml_tyre_force_law, tml_tyre_vertical_law;
TmlStatus tml_tyre_check(const void *data, TmlError *err);
TmlStatus tml_tyre_prepare(TmlTyre *p, const TmlTyreLaw *law, const TmlFrameKin *e);
int tml_tyre_n_f(const void *data);
void tml_tyre_wrench(const TmlElementIn *in, TmlRow *w);
void tml_tyre_tangent(const TmlElementIn *in, double *Kq, double *Kv);
void tml_tyre_f_map(const TmlElementIn *in, TmlRow *P);
void tml_tyre_output(const TmlElementIn *in, double *value);
void tml_tyre_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of);

/* Parameters that all types have; Data: a struct whose first member is `TmlTyre tyre`. */
#define TYRE_PARAM(Data, member) offsetof(Data, tyre.member)
#define TYRE_PARAMS(Data)                                                                          \
    {"road",                                                                                       \
     TML_PARAM_ROAD,                                                                               \
     TML_ANY,                                                                                      \
     "",                                                                                           \
     TYRE_PARAM(Data, road),                                                                       \
     "",                                                                                           \
     "road under the wheel, one of `roads`; the plane z = 0 without it",                           \
     NULL},                                                                                        \
        {"radius", TML_PARAM_REAL,        TML_POSITIVE, "m", TYRE_PARAM(Data, radius),             \
         NULL,     "radius without load", NULL},                                                   \
        {"stiffness",                                                                              \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "N/m",                                                                                    \
         TYRE_PARAM(Data, stiffness),                                                              \
         "0",                                                                                      \
         "vertical stiffness",                                                                     \
         NULL},                                                                                    \
        {"damping",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "N s/m",                                                                                  \
         TYRE_PARAM(Data, damping),                                                                \
         "0",                                                                                      \
         "vertical damping",                                                                       \
         NULL},                                                                                    \
        {"load_table",                                                                             \
         TML_PARAM_SPLINE,                                                                         \
         TML_ANY,                                                                                  \
         "N over m",                                                                               \
         TYRE_PARAM(Data, load_table),                                                             \
         "",                                                                                       \
         "load over deflection, in place of stiffness",                                            \
         NULL},                                                                                    \
        TYRE_COMMON_PARAMS(Data)
#define TYRE_COMMON_PARAMS(Data)                                                                   \
    {"damping_depth",                                                                              \
     TML_PARAM_REAL,                                                                               \
     TML_POSITIVE,                                                                                 \
     "m",                                                                                          \
     TYRE_PARAM(Data, damping_depth),                                                              \
     "1e-3",                                                                                       \
     "deflection at which the damping is full; it grows smoothly from zero where the tyre "        \
     "touches",                                                                                    \
     NULL},                                                                                        \
        {"pulls",                                                                                  \
         TML_PARAM_BOOL,                                                                           \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         TYRE_PARAM(Data, pulls),                                                                  \
         "false",                                                                                  \
         "whether the vertical spring also pulls: the wheel never leaves the road",                \
         NULL},                                                                                    \
        {"contact",                                                                                \
         TML_PARAM_CHOICE,                                                                         \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         TYRE_PARAM(Data, contact),                                                                \
         "point",                                                                                  \
         "how the road is felt: at the point below the centre, by a disc of the tyre's radius "    \
         "that climbs sharp obstacles, or as the plane through four points of the footprint",      \
         "point|disc|plane"},                                                                      \
        {"footprint_length",                                                                       \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "m",                                                                                      \
         TYRE_PARAM(Data, footprint_length),                                                       \
         "",                                                                                       \
         "of `plane`: distance of the points along the wheel; 0.2 radius without it",              \
         NULL},                                                                                    \
        {"footprint_width",                                                                        \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "m",                                                                                      \
         TYRE_PARAM(Data, footprint_width),                                                        \
         "",                                                                                       \
         "of `plane`: distance of the points across it; 0.3 radius without it",                    \
         NULL},                                                                                    \
        {"rolling",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_FRACTION,                                                                             \
         "",                                                                                       \
         TYRE_PARAM(Data, rolling),                                                                \
         "1/3",                                                                                    \
         "part of the deflection by which the rolling radius is smaller than radius",              \
         NULL},                                                                                    \
        {"friction",                                                                               \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "",                                                                                       \
         TYRE_PARAM(Data, friction),                                                               \
         "1",                                                                                      \
         "factor of the tyre's coefficients of friction",                                          \
         NULL},                                                                                    \
    {                                                                                              \
        "hold_damping", TML_PARAM_REAL, TML_NONNEGATIVE, "s", TYRE_PARAM(Data, hold_damping),      \
            "0.04",                                                                                \
            "damping of the tyre's horizontal springs at standstill, by stiffness; it fades at 1 " \
            "m/s",                                                                                 \
            NULL                                                                                   \
    }

/* The table of a type, with what is of its own in `...`. */
#define TYRE_FUNCTIONS                                                                             \
    .ends = TML_ENDS_FRAMES, .n_f = tml_tyre_n_f, .law = &tml_tyre_force_law,                      \
    .wrench = tml_tyre_wrench, .tangent = tml_tyre_tangent, .f_map = tml_tyre_f_map,               \
    .output = tml_tyre_output, .output_tangent = tml_tyre_output_tangent
