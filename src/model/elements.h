/* model/elements.h - the table of each built-in type by its own name, from elements.def: for the
 * registry, and for those who need one type and no other. */
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
