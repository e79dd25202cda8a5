/* model/wheel/rail/creep.h - forces of an elliptic contact by its creepages. */
#pragma once

#include "math/dual6.h"
#include "model/wheel/rail/kalker.h"

typedef enum TmlCreepTheory {
    TML_CREEP_POLACH,
    TML_CREEP_FASTSIM,
    TML_CREEP_SATURATED,
    TML_CREEP_LINEAR,
    TML_CREEP_TABLE,
} TmlCreepTheory;

/* Forces of FASTSIM on a grid, see creep_table.c. */
enum { CREEP_NODES = 19, CREEP_SPINS = 21, CREEP_RATIOS = 7 };
typedef struct TmlCreepTable {
    bool filled;
    float f[CREEP_NODES][2 * CREEP_NODES - 1][CREEP_SPINS][CREEP_RATIOS][4];
} TmlCreepTable;

typedef struct TmlCreepLaw {
    TmlCreepTheory theory;
    double shear, friction;              /* modulus G, N/m^2; coefficient mu */
    double adhesion_factor, slip_factor; /* Polach's k_A and k_S */
    int cells;                           /* FASTSIM: along and across */
    TmlKalker kalker;
    const TmlCreepTable *table; /* for TML_CREEP_TABLE */
} TmlCreepLaw;

/* The creepages are those of the wheel against the rail, the forces act on the wheel. */
typedef struct TmlCreepIn {
    Dual xi, eta, phi; /* along, across; spin, 1/m */
    Dual load;         /* normal force, N */
    Dual a, b;         /* half axes along and across, m */
} TmlCreepIn;

typedef struct TmlCreepOut {
    Dual fx, fy, mz;
} TmlCreepOut;

/* derivatives: false, for the values alone. */
TmlCreepOut tml_creep(const TmlCreepLaw *law, const TmlCreepIn *in, bool derivatives);

/* FASTSIM in numbers without dimension, see (F1). */
typedef struct TmlFastsim {
    double f[4];     /* sums of t_x, t_y, x t_y, y t_x over the area, parts of mu N */
    double by[4][4]; /* their derivatives by u */
} TmlFastsim;

/* The same from a table, by u_0, u_1, u_s and a/b, see (B1). */
void tml_creep_table_fill(TmlCreepTable *table);
void tml_creep_table_at(const TmlCreepTable *table, const double u[4], TmlFastsim *out);

void tml_fastsim(int cells, const double u[4], bool derivatives, TmlFastsim *out);
