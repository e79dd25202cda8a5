/* base/names.h - a table from texts to numbers. */
#pragma once

#include "trammel/base.h"

typedef struct TmlNameSlot {
    const char *key; /* NULL: free */
    uint64_t hash;
    int value;
} TmlNameSlot;

/* All zero is an empty table. Keys are not copied: they must outlive it. */
typedef struct TmlNames {
    int n, cap; /* entries, slots (a power of two) */
    TmlNameSlot *slot;
} TmlNames;

/* Enter a key; one that exists keeps its first value. false: out of memory. */
TML_NODISCARD bool tml_names_add(TmlNames *names, const char *key, int value);
int tml_names_find(const TmlNames *names, const char *key); /* -1: unknown */
void tml_names_free(TmlNames *names);
