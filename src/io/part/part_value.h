/* io/part/part_value.h - numbers and vectors in the description of a part, units allowed. */
#pragma once

#include "model/read/value.h"
#include "trammel/types.h"

/* Each adds to the report what is wrong, with its place, and returns false then. v NULL: missing, told
 * at `at`. A number may have a unit behind it, 20 mm or 210 GPa, which must fit `unit` ("m", "Pa"; "": a
 * mere number). Values are in SI. */
bool tml_part_number(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                     const char *unit, double *out);
/* The same, and larger than zero. */
bool tml_part_positive(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                       const char *unit, double *out);
/* A list of n numbers. */
bool tml_part_numbers(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                      const char *unit, int n, double *out);
/* A direction: x, y, z, -x, ..., or a list of three numbers. */
bool tml_part_direction(TmlReport *report, const TmlValue *v, const char *what, TmlVec3 *out);

/* Tells keys of a map that are not in the list; its nearest is offered. False: it is no map, or has
 * such keys. */
bool tml_part_keys(TmlReport *report, const TmlValue *map, const char *what,
                   const char *const *known, int n);
