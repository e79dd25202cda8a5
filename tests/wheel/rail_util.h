/* tests/wheel/rail_util.h - profiles of the reference cases. */
#pragma once

#include "csv_util.h"
#include "model/wheel/rail/rail_force.h"
#include "model/wheel/rail/wheelset.h"

/* A profile of the folder rail/profiles, in mm; y_sign, z_sign: to make y point outward and z up. NULL: not there. */
static inline TmlRailProfile *profile_of(TestCtx *t, TmlArena *arena, const char *name,
                                         double y_sign, double z_sign)
{
    static double point[2 * CSV_ROWS];
    char path[256];
    snprintf(path, sizeof path, "rail/profiles/%s.csv", name);
    const Csv table = csv_read(t, path);
    TmlRailProfile *p = NULL;
    TmlError err;
    for (int i = 0; i < table.rows; ++i) {
        point[2 * i] = 1e-3 * y_sign * csv_at(&table, i, 0);
        point[2 * i + 1] = 1e-3 * z_sign * csv_at(&table, i, 1);
    }
    if (table.rows > 0) {
        const TmlProfilePoints in = {table.rows, point, 1e-7, 1e-6};
        CHECK_OK(t, tml_rail_profile_create(&in, arena, &p, &err), &err);
    }
    return p;
}

/* Place and motion of a wheel in the axes of its rail, as numbers. */
typedef struct RailNumbers {
    double place[RAIL_PLACE], velocity[3], omega[3], slope[2];
} RailNumbers;

/* A force and its moment with derivatives by the k-th of place, of velocity and omega. */
typedef struct RailWrench {
    double value[6], by_place[RAIL_PLACE][6], by_motion[6][6];
} RailWrench;

static inline DualVec rail_vec(const double x[3], int first)
{
    DualVec v = {d6(x[0]), d6(x[1]), d6(x[2])};
    if (first >= 0) {
        v.x.g[first] = v.y.g[first + 1] = v.z.g[first + 2] = 1.0;
    }
    return v;
}

/* The force with its derivatives by the place, or by the motion. */
static inline int rail_pass(const TmlRailPair *pair, const TmlRailLaw *law, const RailNumbers *m,
                            bool motion, Dual sum[6], TmlRailContact *contact)
{
    TmlRailMotion in = {.velocity = rail_vec(m->velocity, motion ? 0 : -1),
                        .omega = rail_vec(m->omega, motion ? 3 : -1),
                        .slope = {d6(m->slope[0]), d6(m->slope[1])}};
    for (int k = 0; k < RAIL_PLACE; ++k) {
        in.place[k] = d6(m->place[k]);
        in.place[k].g[k] = motion ? 0.0 : 1.0;
    }
    return tml_rail_force(pair, law, &in, true, sum, contact);
}

static inline int rail_force(const TmlRailPair *pair, const TmlRailLaw *law, const RailNumbers *m,
                             bool derivatives, RailWrench *out, TmlRailContact *contact)
{
    Dual place[6], motion[6];
    const int n = rail_pass(pair, law, m, false, place, contact);
    *out = (RailWrench){0};
    if (derivatives) {
        rail_pass(pair, law, m, true, motion, NULL);
    }
    for (int k = 0; k < 6; ++k) {
        out->value[k] = place[k].x;
        for (int j = 0; j < 6 && derivatives; ++j) {
            out->by_motion[j][k] = motion[k].g[j];
            if (j < RAIL_PLACE) {
                out->by_place[j][k] = place[k].g[j];
            }
        }
    }
    return n;
}

/* The height at y, on a profile that has one. */
static inline double profile_s_at(const TmlRailProfile *p, int coordinate, double value,
                                  double from, double to)
{
    double a = from, b = to, d[3][2];
    tml_rail_profile_at(p, a, d);
    const bool rising = d[0][coordinate] < value;
    for (int k = 0; k < 100; ++k) {
        const double m = 0.5 * (a + b);
        tml_rail_profile_at(p, m, d);
        *((d[0][coordinate] < value) == rising ? &a : &b) = m;
    }
    return 0.5 * (a + b);
}
