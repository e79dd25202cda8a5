/* model/wheel/tyre/tmeasy_index.h - parameters of TMeasy from the load that a tyre may carry. */
#pragma once

typedef enum TmlTmeasyKind { TMEASY_PASSENGER, TMEASY_TRUCK } TmlTmeasyKind;

typedef struct TmlTmeasyMade {
    double load;             /* nominal */
    double x[2][5], y[2][5]; /* dF0, FM, sM, FS, sS at the nominal load and at twice that */
    double trail[2][3];      /* n/L, s0, sE */
} TmlTmeasyMade;

/* The load of a load index, N; 0: there is no such index. */
double tml_load_of_index(int index);
int tml_most_load_index(void);

/* most: the load that the tyre may carry, N; pressure: by that at which it may. */
void tml_tmeasy_by_load(TmlTmeasyKind kind, double most, double pressure, TmlTmeasyMade *out);
