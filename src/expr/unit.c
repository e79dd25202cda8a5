/* expr/unit.c - the table of units. Exact by definition unless noted. */
#include "expr/unit.h"
#include "base/nearest.h"

#include <math.h>
#include <string.h>

typedef struct Unit {
    const char *name;
    double factor, parts; // factor / parts in SI: 3 mm is 3 * 1 / 1000, which is 0.003 exactly
    int power[3];         // of m, kg and s
} Unit;

static const Unit units[] = {
    // angle, turning speed, frequency
    {"rad", 1, 1, {0, 0, 0}},
    {"mrad", 1, 1e3, {0, 0, 0}},
    {"deg", M_PI, 180, {0, 0, 0}},
    {"rev", 2 * M_PI, 1, {0, 0, 0}},
    {"rpm", M_PI, 30, {0, 0, -1}},
    {"Hz", 1, 1, {0, 0, -1}},
    {"kHz", 1e3, 1, {0, 0, -1}},
    // length
    {"m", 1, 1, {1, 0, 0}},
    {"km", 1e3, 1, {1, 0, 0}},
    {"dm", 1, 10, {1, 0, 0}},
    {"cm", 1, 100, {1, 0, 0}},
    {"mm", 1, 1e3, {1, 0, 0}},
    {"um", 1, 1e6, {1, 0, 0}},
    {"nm", 1, 1e9, {1, 0, 0}},
    {"in", 254, 1e4, {1, 0, 0}},
    {"ft", 3048, 1e4, {1, 0, 0}},
    // mass
    {"kg", 1, 1, {0, 1, 0}},
    {"g", 1, 1e3, {0, 1, 0}},
    {"mg", 1, 1e6, {0, 1, 0}},
    {"t", 1e3, 1, {0, 1, 0}},
    {"lb", 0.45359237, 1, {0, 1, 0}}, // international avoirdupois
    // time
    {"s", 1, 1, {0, 0, 1}},
    {"ms", 1, 1e3, {0, 0, 1}},
    {"us", 1, 1e6, {0, 0, 1}},
    {"min", 60, 1, {0, 0, 1}},
    {"h", 3600, 1, {0, 0, 1}},
    // acceleration
    {"g0", 9.80665, 1, {1, 0, -2}}, // standard gravity
    // force and torque
    {"N", 1, 1, {1, 1, -2}},
    {"mN", 1, 1e3, {1, 1, -2}},
    {"kN", 1e3, 1, {1, 1, -2}},
    {"MN", 1e6, 1, {1, 1, -2}},
    {"lbf", 0.45359237 * 9.80665, 1, {1, 1, -2}},
    {"Nm", 1, 1, {2, 1, -2}},
    {"Nmm", 1, 1e3, {2, 1, -2}},
    {"kNm", 1e3, 1, {2, 1, -2}},
    // pressure
    {"Pa", 1, 1, {-1, 1, -2}},
    {"kPa", 1e3, 1, {-1, 1, -2}},
    {"MPa", 1e6, 1, {-1, 1, -2}},
    {"GPa", 1e9, 1, {-1, 1, -2}},
    {"bar", 1e5, 1, {-1, 1, -2}},
    // energy and power
    {"J", 1, 1, {2, 1, -2}},
    {"mJ", 1, 1e3, {2, 1, -2}},
    {"kJ", 1e3, 1, {2, 1, -2}},
    {"MJ", 1e6, 1, {2, 1, -2}},
    {"W", 1, 1, {2, 1, -3}},
    {"mW", 1, 1e3, {2, 1, -3}},
    {"kW", 1e3, 1, {2, 1, -3}},
    {"MW", 1e6, 1, {2, 1, -3}},
};

enum { N_UNITS = sizeof units / sizeof units[0] };

bool tml_unit_find(const char *name, int length, double *factor, double *parts,
                   TmlDimension *dimension)
{
    for (int k = 0; k < N_UNITS; ++k) {
        const char *u = units[k].name;
        if ((size_t)length == strlen(u) && strncmp(name, u, (size_t)length) == 0) {
            *factor = units[k].factor;
            *parts = units[k].parts;
            const int *p = units[k].power;
            *dimension = tml_dimension(p[0], p[1], p[2]);
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
