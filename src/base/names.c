/* base/names.c - open addressing with linear probing, at most half full. */
#include "base/names.h"

#include <string.h>

#include "base/arena.h"

enum { FIRST_SLOTS = 32 };

/* FNV-1a: short keys, no adversary who gains anything but slow reading of his own model. */
static uint64_t hash_text(const char *key)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const unsigned char *c = (const unsigned char *)key; *c != '\0'; ++c) {
        h = (h ^ *c) * 0x100000001b3u;
    }
    return h ^ (h >> 29);
}

/* Slot that holds the key, or the free one where it belongs. */
static TmlNameSlot *slot_of(TmlNameSlot *slot, int cap, const char *key, uint64_t hash)
{
    const size_t mask = (size_t)cap - 1;
    size_t k = (size_t)hash & mask;
    while (slot[k].key != NULL && (slot[k].hash != hash || strcmp(slot[k].key, key) != 0)) {
        k = (k + 1) & mask;
    }
    return &slot[k];
}

static bool names_grow(TmlNames *names)
{
    if (names->cap > (1 << 29)) {
        return false;
    }
    const int cap = names->cap > 0 ? 2 * names->cap : FIRST_SLOTS;
    TmlNameSlot *slot = tml_mem_zalloc((size_t)cap, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    for (int k = 0; k < names->cap; ++k) {
        const TmlNameSlot *old = &names->slot[k];
        if (old->key != NULL) {
            *slot_of(slot, cap, old->key, old->hash) = *old;
        }
    }
    tml_mem_free(names->slot);
    names->slot = slot;
    names->cap = cap;
    return true;
}

bool tml_names_add(TmlNames *names, const char *key, int value)
{
    if (2 * (names->n + 1) > names->cap && !names_grow(names)) {
        return false;
    }
    const uint64_t hash = hash_text(key);
    TmlNameSlot *slot = slot_of(names->slot, names->cap, key, hash);
    if (slot->key == NULL) {
        *slot = (TmlNameSlot){.key = key, .hash = hash, .value = value};
        names->n++;
    }
    return true;
}

int tml_names_find(const TmlNames *names, const char *key)
{
    if (names->n == 0) {
        return -1;
    }
    const TmlNameSlot *slot = slot_of(names->slot, names->cap, key, hash_text(key));
    return slot->key != NULL ? slot->value : -1;
}

void tml_names_free(TmlNames *names)
{
    tml_mem_free(names->slot);
    *names = (TmlNames){0};
}
