/* expr/dimension.h - dimensions of values with units.
 *
 * A number that is written with a unit has the unit's dimension, powers of length, mass and time;
 * angles have none. A number without a unit may be anything in SI units, and so may what becomes of
 * it: only what is surely of another dimension is an error. Whole numbers up to 12 and pi are most
 * likely mere factors (L/2, m*L^2/12): with them the dimension is likely, and worth a warning.
 */
#pragma once

#include "base/fail.h"

typedef enum TmlDimensionKind {
    TML_DIM_ANY = 0, /* a number without a unit */
    TML_DIM_FACTOR,  /* most likely a mere factor */
    TML_DIM_LIKELY,  /* the powers are those of the units in it, if factors are factors */
    TML_DIM_KNOWN,   /* by units alone */
} TmlDimensionKind;

typedef struct TmlDimension {
    TmlDimensionKind kind;
    int m, kg, s; /* powers */
} TmlDimension;

static inline TmlDimension tml_dimension(int m, int kg, int s)
{
    return (TmlDimension){TML_DIM_KNOWN, m, kg, s};
}

/* Whether the powers are those of b; of values that have powers. */
bool tml_dimension_same(TmlDimension a, TmlDimension b);
/* Whether a value has powers, by its units or most likely. */
bool tml_dimension_has(TmlDimension a);

/* a b, or a / b with sign -1. */
TmlDimension tml_dimension_product(TmlDimension a, TmlDimension b, int sign);
TmlDimension tml_dimension_power(TmlDimension a, double power);
/* Of a sum, difference or comparison; false: the two are surely of different dimensions. */
bool tml_dimension_sum(TmlDimension a, TmlDimension b, TmlDimension *out);

/* "a mass (kg)", or the powers alone. */
enum { TML_DIMENSION_TEXT = 64 };
void tml_dimension_text(TmlDimension a, char text[TML_DIMENSION_TEXT]);

/* The dimension of a text of units as tables have it: "N m/rad", "1/s". False: it is none. */
bool tml_dimension_read(const char *text, size_t length, TmlDimension *out);

/* Whether one of the dimensions in a text such as "N/m, N m/rad" is that of the value; also when
 * the value has none, and when the text is no list of units. */
bool tml_dimension_fits(TmlDimension a, const char *units);
