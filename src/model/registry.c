/* model/registry.c - lists of all types, made from elements.def. */
#include "model/registry.h"

#include "model/elements.h"

#include <string.h>

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

const TmlBodyType *tml_find_body_type(const char *name)
{
    for (const TmlBodyType *const *t = tml_body_types; *t != NULL; ++t) {
        if (strcmp((*t)->info.name, name) == 0) {
            return *t;
        }
    }
    return NULL;
}

const TmlConstraintType *tml_find_constraint_type(const TmlModel *m, const char *name)
{
    for (const TmlConstraintType *const *t = tml_constraint_types; *t != NULL; ++t) {
        if (strcmp((*t)->info.name, name) == 0) {
            return *t;
        }
    }
    for (int k = 0; m != NULL && k < m->user_constraints.n; ++k) {
        if (strcmp(m->user_constraints.at[k]->info.name, name) == 0) {
            return m->user_constraints.at[k];
        }
    }
    return NULL;
}

const TmlForceType *tml_find_force_type(const TmlModel *m, const char *name)
{
    for (const TmlForceType *const *t = tml_force_types; *t != NULL; ++t) {
        if (strcmp((*t)->info.name, name) == 0) {
            return *t;
        }
    }
    for (int k = 0; m != NULL && k < m->user_forces.n; ++k) {
        if (strcmp(m->user_forces.at[k]->info.name, name) == 0) {
            return m->user_forces.at[k];
        }
    }
    return NULL;
}

const TmlFlexType *tml_find_flex_type(const char *name)
{
    for (const TmlFlexType *const *t = tml_flex_types; *t != NULL; ++t) {
        if (strcmp((*t)->info.name, name) == 0) {
            return *t;
        }
    }
    return NULL;
}
