/* trammel/rail.h - a wheelset of a model on its track: contact points, rolling radii and equivalent conicity.
 *
 * Wheels and rails are rigid here, as EN 15302 has them: at each lateral shift the wheelset is put on the rails, height and roll
 * are found, and both wheels touch at their nearest points.
 */
#pragma once

#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlRailTable TmlRailTable;

typedef struct TmlRailTableOptions {
    uint32_t size; /* set by tml_rail_table_options_default; do not change */
    const char *left,
        *right; /* forces rail_wheel; NULL: the first one of the left rail, and the first of the right rail of its track */
    double range; /* m: shifts go from -range to range; default 0.008 */
    double step;  /* m, default 0.0001 */
    double yaw;   /* rad */
    double base; /* m: twice the distance of a contact from the middle, for conicity; default 1.5 */
    double radius; /* m: of a rolling wheel, for conicity; NAN: the mean of both wheels */
    double gap; /* m: places with a larger gap than this do not count as contacts; default 1e-5 */
} TmlRailTableOptions;

TML_API TmlRailTableOptions tml_rail_table_options_default(void);

enum { TML_RAIL_CONTACTS = 6 };

/* Lengths in m. y points outward, away from the middle of the track, z up. */
typedef struct TmlRailPlace {
    double wheel_y, wheel_z; /* on the profile of the wheel */
    double rail_y, rail_z;   /* on that of the rail */
    double x;                /* ahead of the axle */
    double
        angle; /* rad: slope of the contact plane; above 0: it falls to the inside of the track */
    double radius; /* rolling radius */
    double gap;    /* 0: it touches */
} TmlRailPlace;

typedef struct TmlRailTableRow {
    double y,
        z; /* of the wheelset: shift to the left, at the height of the rails; height of the axle */
    double roll;  /* rad */
    double delta; /* rolling radius of the left wheel less that of the right one */
    bool jump;    /* a contact jumps from this row to the next, which has the same shift */
    int32_t n[2]; /* number of contacts, left and right; the touching one comes first */
    TmlRailPlace contact[2][TML_RAIL_CONTACTS];
} TmlRailTableRow;

/* Fewer shifts than asked for if a wheel would leave its rail. The model may be freed before the table.
 *   TML_E_ARGUMENT  no such wheels, or an option is out of range
 *   TML_E_MODEL     the wheels do not rest on their rails even without shift */
TML_API TML_NODISCARD TmlStatus tml_rail_table(const TmlModel *model,
                                               const TmlRailTableOptions *options,
                                               TmlRailTable **out, TmlError *err);
TML_API void tml_rail_table_free(TmlRailTable *table); /* NULL is fine */
TML_API int tml_rail_table_rows(const TmlRailTable *table);
TML_API const TmlRailTableRow *tml_rail_table_row(const TmlRailTable *table,
                                                  int index); /* NULL past the end */
TML_API const char *tml_rail_table_wheel(const TmlRailTable *table,
                                         int side); /* name of the force */

/* Equivalent conicity at an amplitude in m: tan(gamma_e) of EN 15302, from the wavelength of the nonlinear motion. NAN: it
 * would leave the table. */
TML_API double tml_rail_table_conicity(const TmlRailTable *table, double amplitude);

/* Points of the profiles, for pictures: coordinate 0 y, 1 z; wheel: 1, rail: 0. *n: how many. */
TML_API const double *tml_rail_table_profile(const TmlRailTable *table, int side, int wheel,
                                             int coordinate, int *n);

/* The suffix chooses the kind: .csv (a line for each shift), .json (with conicities and all contacts), .svg or .png. */
TML_API TML_NODISCARD TmlStatus tml_write_rail_table(const char *path, const TmlRailTable *table,
                                                     TmlError *err);

#ifdef __cplusplus
}
#endif
