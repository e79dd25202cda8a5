/* model/registry.h - the tables of all built-in types, made from elements.def. */
#pragma once

#include "model/body/body.h"
#include "model/flexible/flexible.h"
#include "trammel/element.h"

#define TML_BODY(name) extern const TmlBodyType tml_body_##name;
#define TML_CONSTRAINT(name) extern const TmlConstraintType tml_constraint_##name;
#define TML_FORCE(name) extern const TmlForceType tml_force_##name;
#define TML_FLEX(name) extern const TmlFlexType tml_flex_##name;
#include "model/elements.def"
#undef TML_BODY
#undef TML_CONSTRAINT
#undef TML_FORCE
#undef TML_FLEX

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
