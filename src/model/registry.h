/* model/registry.h - the tables of all built-in types, found by name. */
#pragma once

#include "model/body/body.h"
#include "model/flexible/flexible.h"
#include "trammel/element.h"

/* How the file of a type defines its table. Only registry.c reads elements.def: a line there does not
 * build the files of all types anew. */
#define TML_BODY_TYPE(name)                                                                        \
    extern const TmlBodyType tml_body_##name;                                                      \
    const TmlBodyType tml_body_##name
#define TML_CONSTRAINT_TYPE(name)                                                                  \
    extern const TmlConstraintType tml_constraint_##name;                                          \
    const TmlConstraintType tml_constraint_##name
#define TML_FORCE_TYPE(name)                                                                       \
    extern const TmlForceType tml_force_##name;                                                    \
    const TmlForceType tml_force_##name
#define TML_FLEX_TYPE(name)                                                                        \
    extern const TmlFlexType tml_flex_##name;                                                      \
    const TmlFlexType tml_flex_##name

/* Each ends with NULL. */
extern const TmlBodyType *const tml_body_types[];
extern const TmlConstraintType *const tml_constraint_types[];
extern const TmlForceType *const tml_force_types[];
extern const TmlFlexType *const tml_flex_types[];

/* By name; NULL: unknown. The model's own registered types come after the built-in ones. */
const TmlBodyType *tml_find_body_type(const char *name);
const TmlConstraintType *tml_find_constraint_type(const TmlModel *m, const char *name);
const TmlForceType *tml_find_force_type(const TmlModel *m, const char *name);
const TmlFlexType *tml_find_flex_type(const char *name);
