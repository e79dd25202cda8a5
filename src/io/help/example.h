/* io/help/example.h - a small example of any element, made from its table. */
#pragma once

#include "trammel/element.h"

enum { TML_EXAMPLE_MAX = 1024 };

/* Writes "joints:\n  name: {type: ..., ...}\n". section: "joints" or "forces". The example reads
 * in a model that has bodies rod and bar, joints pin and pin2 (revolute), slide (translational)
 * and a spline table. */
void tml_example_element(const TmlTypeInfo *info, TmlEndsKind ends, const char *section, char *out,
                         size_t size);

/* Writes "shape: {sphere: {radius: 0.5}}\n"; an entry of `contacts` with a law; part: the key that has it,
 * NULL: the entry itself. */
void tml_example_shape(const TmlTypeInfo *info, char *out, size_t size);
void tml_example_law(const TmlTypeInfo *info, const char *part, char *out, size_t size);
