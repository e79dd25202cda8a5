/* base/find.h - types of elements, laws and methods, found by the names in their tables. */
#pragma once

#include <string.h>

/* Defines a function that returns the type of this name from a list that ends with NULL. NULL: there is none. */
#define TML_FIND_TYPE(function, Type, list)                                                        \
    const Type *function(const char *name)                                                         \
    {                                                                                              \
        for (const Type *const *t = (list); *t != NULL; ++t) {                                     \
            if (strcmp((*t)->info.name, name) == 0) {                                              \
                return *t;                                                                         \
            }                                                                                      \
        }                                                                                          \
        return NULL;                                                                               \
    }

/* Where no type was found so far: looks among those of a TML_LIST, which were registered at run time. */
#define TML_FIND_AMONG(found, listed, wanted)                                                      \
    for (int k_ = 0; (found) == NULL && k_ < (listed).n; ++k_) {                                   \
        (found) = strcmp((listed).at[k_]->info.name, (wanted)) == 0 ? (listed).at[k_] : NULL;      \
    }
