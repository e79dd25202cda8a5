/* expr/unit.c - the table of units. Exact by definition unless noted. */
#include "expr/unit.h"
#include "base/nearest.h"

#include <math.h>
#include <string.h>

typedef struct Unit {
    const char *name;
    double factor, parts; // factor / parts in SI: 3 mm is 3 * 1 / 1000, which is 0.003 exactly
} Unit;

static const Unit units[] = {
    // angle, turning speed, frequency
    {"rad", 1, 1},
    {"mrad", 1, 1e3},
    {"deg", M_PI, 180},
    {"rev", 2 * M_PI, 1},
    {"rpm", M_PI, 30},
    {"Hz", 1, 1},
    {"kHz", 1e3, 1},
    // length
    {"m", 1, 1},
    {"km", 1e3, 1},
    {"dm", 1, 10},
    {"cm", 1, 100},
    {"mm", 1, 1e3},
    {"um", 1, 1e6},
    {"nm", 1, 1e9},
    {"in", 254, 1e4},
    {"ft", 3048, 1e4},
    // mass
    {"kg", 1, 1},
    {"g", 1, 1e3},
    {"mg", 1, 1e6},
    {"t", 1e3, 1},
    {"lb", 0.45359237, 1}, // international avoirdupois
    // time
    {"s", 1, 1},
    {"ms", 1, 1e3},
    {"us", 1, 1e6},
    {"min", 60, 1},
    {"h", 3600, 1},
    // acceleration
    {"g0", 9.80665, 1}, // standard gravity
    // force and torque
    {"N", 1, 1},
    {"mN", 1, 1e3},
    {"kN", 1e3, 1},
    {"MN", 1e6, 1},
    {"lbf", 0.45359237 * 9.80665, 1},
    {"Nm", 1, 1},
    {"Nmm", 1, 1e3},
    {"kNm", 1e3, 1},
    // pressure
    {"Pa", 1, 1},
    {"kPa", 1e3, 1},
    {"MPa", 1e6, 1},
    {"GPa", 1e9, 1},
    {"bar", 1e5, 1},
    // energy and power
    {"J", 1, 1},
    {"mJ", 1, 1e3},
    {"kJ", 1e3, 1},
    {"MJ", 1e6, 1},
    {"W", 1, 1},
    {"mW", 1, 1e3},
    {"kW", 1e3, 1},
    {"MW", 1e6, 1},
};

enum { N_UNITS = sizeof units / sizeof units[0] };

bool tml_unit_find(const char *name, int length, double *factor, double *parts)
{
    for (int k = 0; k < N_UNITS; ++k) {
        const char *u = units[k].name;
        if ((size_t)length == strlen(u) && strncmp(name, u, (size_t)length) == 0) {
            *factor = units[k].factor;
            *parts = units[k].parts;
            return true;
        }
    }
    return false;
}

const char *tml_unit_name(int k)
{
    return k >= 0 && k < N_UNITS ? units[k].name : NULL;
}

const char *tml_unit_nearest(const char *name)
{
    const char *names[N_UNITS];
    for (int k = 0; k < N_UNITS; ++k) {
        names[k] = units[k].name;
    }
    return tml_nearest(name, names, N_UNITS);
}
