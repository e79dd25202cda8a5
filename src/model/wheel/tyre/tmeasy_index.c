/* model/wheel/tyre/tmeasy_index.c - parameters of TMeasy from the load that a tyre may carry.
 *
 *   (X1)  nominal load  N = P / 2 pressure^0.8,  P the load of the index
 *   (X2)  curves of a kind of tyre, forces by the load N or 2 N that they belong to
 *
 * Load indices: masses in kg as ETRTO and ISO 4000-1 list them. Numbers of both kinds: those with which Project Chrono estimates
 * tyres (truck tyres with a section of 80 %, passenger tyres with one of 70 %), normalised from data of Pacejka's book.
 */
#include "model/wheel/tyre/tmeasy_index.h"

#include <math.h>

static const double index_mass[] = {
    45,   46.5, 47.5, 48.7, 50,   51.5, 53,   54.5, 56,   58,   60,   61.5, 63,   65,   67,   69,
    71,   73,   75,   77.5, 80,   82.5, 85,   87.5, 90,   92.5, 95,   97.5, 100,  103,  106,  109,
    112,  115,  118,  121,  125,  128,  132,  136,  140,  145,  150,  155,  160,  165,  170,  175,
    180,  185,  190,  195,  200,  206,  212,  218,  224,  230,  236,  243,  250,  257,  265,  272,
    280,  290,  300,  307,  315,  325,  335,  345,  355,  365,  375,  387,  400,  412,  425,  437,
    450,  462,  475,  487,  500,  515,  530,  545,  560,  580,  600,  615,  630,  650,  670,  690,
    710,  730,  750,  775,  800,  825,  850,  875,  900,  925,  950,  975,  1000, 1030, 1060, 1090,
    1120, 1150, 1180, 1215, 1250, 1285, 1320, 1360, 1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750,
    1800, 1850, 1900, 1950, 2000, 2060, 2120, 2180, 2240, 2300, 2360, 2430, 2500, 2575, 2650, 2725,
    2800, 2900, 3000, 3075, 3150, 3250, 3350, 3450, 3550, 3650, 3750, 3875, 4000, 4125, 4250, 4375,
    4500, 4625, 4750, 4875, 5000, 5150, 5300, 5450, 5600, 5850, 6000, 6150, 6300, 6500, 6700, 6900,
    7100, 7300, 7500, 7750, 8000, 8250, 8500, 8750, 9000, 9250, 9500, 9750, 10000};

enum { N_INDICES = (int)(sizeof index_mass / sizeof index_mass[0]) };

int tml_most_load_index(void)
{
    return N_INDICES - 1;
}

double tml_load_of_index(int index)
{
    static const double gravity = 9.81;
    return index >= 0 && index < N_INDICES ? gravity * index_mass[index] : 0.0;
}

static const TmlTmeasyMade by_kind[] = {
    [TMEASY_PASSENGER] = {.x = {{18.3741, 1.1292, 0.13913, 0.80149, 0.66667},
                                {19.4669, 1.0896, 0.13913, 0.76917, 0.66667}},
                          .y = {{15.9826, 1.0009, 0.14852, 0.8336, 0.96524},
                                {12.8509, 0.91367, 0.18504, 0.77336, 1.0714}},
                          .trail = {{0.178, 0.16337, 0.96524}, {0.19, 0.20355, 1.0714}}},
    [TMEASY_TRUCK] = {.x = {{17.7764, 0.89965, 0.10811, 0.46183, 0.66667},
                            {14.5301, 0.77751, 0.12389, 0.42349, 0.66667}},
                      .y = {{7.4013, 0.75876, 0.33167, 0.68276, 1.0296},
                            {6.8505, 0.72628, 0.33216, 0.65319, 1.0296}},
                      .trail = {{0.178, 0.36484, 1.0296}, {0.19, 0.36538, 1.0296}}},
};

void tml_tmeasy_by_load(TmlTmeasyKind kind, double most, double pressure, TmlTmeasyMade *out)
{
    *out = by_kind[kind];
    out->load = 0.5 * most * pow(pressure, 0.8); // (X1)
    for (int k = 0; k < 2; ++k) {
        const double load = (k + 1) * out->load;
        static const int forces[] = {0, 1, 3};
        for (int f = 0; f < 3; ++f) { // (X2)
            out->x[k][forces[f]] *= load;
            out->y[k][forces[f]] *= load;
        }
    }
}
