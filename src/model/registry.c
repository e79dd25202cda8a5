/* model/registry.c - lists of all types, made from elements.def. */
#include "model/registry.h"

#include "base/find.h"
#include "model/elements.h"

#define TML_BODY(name) &tml_body_##name,
#define TML_CONSTRAINT(name)
#define TML_FORCE(name)
#define TML_FLEX(name)
const TmlBodyType *const tml_body_types[] = {
#include "model/elements.def"
    NULL};
#undef TML_BODY
#undef TML_CONSTRAINT
#undef TML_FORCE
#undef TML_FLEX

#define TML_BODY(name)
#define TML_CONSTRAINT(name) &tml_constraint_##name,
#define TML_FORCE(name)
#define TML_FLEX(name)
const TmlConstraintType *const tml_constraint_types[] = {
#include "model/elements.def"
    NULL};
#undef TML_BODY
#undef TML_CONSTRAINT
#undef TML_FORCE
#undef TML_FLEX

#define TML_BODY(name)
#define TML_CONSTRAINT(name)
#define TML_FORCE(name) &tml_force_##name,
#define TML_FLEX(name)
const TmlForceType *const tml_force_types[] = {
#include "model/elements.def"
    NULL};
#undef TML_BODY
#undef TML_CONSTRAINT
#undef TML_FORCE
#undef TML_FLEX

#define TML_BODY(name)
#define TML_CONSTRAINT(name)
#define TML_FORCE(name)
#define TML_FLEX(name) &tml_flex_##name,
const TmlFlexType *const tml_flex_types[] = {
#include "model/elements.def"
    NULL};
#undef TML_BODY
#undef TML_CONSTRAINT
#undef TML_FORCE
#undef TML_FLEX

TML_FIND_TYPE(tml_find_body_type, TmlBodyType, tml_body_types)
TML_FIND_TYPE(tml_find_flex_type, TmlFlexType, tml_flex_types)

static const TmlConstraintType *built_in_constraint(const char *name);
static const TmlForceType *built_in_force(const char *name);
TML_FIND_TYPE(built_in_constraint, TmlConstraintType, tml_constraint_types)
TML_FIND_TYPE(built_in_force, TmlForceType, tml_force_types)

const TmlConstraintType *tml_find_constraint_type(const TmlModel *m, const char *name)
{
    const TmlConstraintType *type = built_in_constraint(name);
    if (m != NULL) {
        TML_FIND_AMONG(type, m->user_constraints, name)
    }
    return type;
}

const TmlForceType *tml_find_force_type(const TmlModel *m, const char *name)
{
    const TmlForceType *type = built_in_force(name);
    if (m != NULL) {
        TML_FIND_AMONG(type, m->user_forces, name)
    }
    return type;
}
