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
