/* model/read/contact/read_laws.h - laws of contact with the numbers of entries and of materials; internal to read/. */
#pragma once

#include "model/read/read.h"

/* Of the model's list; -1: unknown. */
int tml_find_material(const TmlModel *m, const char *name);

/* What the entry says (NULL: nothing), and for parameters of the law that it leaves open what the pair
 * of materials has. NULL: out of memory, which the reader knows. */
const TmlValue *tml_law_values(TmlReader *r, const TmlParam *params, const TmlValue *entry,
                               const TmlMaterialPair *pair);

/* An entry of `contacts` whose keys are known, before its materials are looked at. */
typedef struct TmlLawEntry {
    const TmlPressType *press; /* NULL: these never touch */
    const TmlSlipType *slip;   /* NULL: none, or that of materials with friction */
    const TmlValue *friction;  /* its map; NULL: the entry does not have it */
    bool smooth;               /* `friction: none` */
    const TmlValue *rolling;   /* its map; NULL: the entry does not have it */
    bool rolls;                /* `rolling: none`: nothing resists it */
    TmlMixingRules rules;
} TmlLawEntry;

/* Law, friction and mixing of the entry x, keys checked; false after reporting. */
bool tml_read_law_entry(TmlEntry *x, TmlLawEntry *out);
/* The law with its numbers for two materials (-1: none); reports what is missing. */
void tml_read_law(TmlEntry *x, const TmlLawEntry *entry, int first, int second, TmlContactLaw *out);
