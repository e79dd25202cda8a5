/* io/report/container.h - the data block of a report: a JSON header and compressed arrays.
 *
 * The header is written as text (c.json) with tml_block_* calls where an array belongs; arrays go
 * to a temporary file at once, so that memory stays small. docs/develop/report_format.md describes
 * the format.
 *
 * An array is integers or floats made from doubles. Integers are value = x / scale, rounded, and
 * differences from the row before (delta); all bytes of one significance stand together (shuffle).
 */
#pragma once

#include "io/text/json.h"

#include <stdio.h>

typedef enum TmlBlockType {
    TML_BLOCK_F64,
    TML_BLOCK_F32,
    TML_BLOCK_I32,
    TML_BLOCK_U8
} TmlBlockType;

enum { TML_BLOCK_RANK = 4 };

/* Doubles in a temporary file, in rows. */
typedef struct TmlSpill {
    FILE *file;
    int64_t n;      /* values */
    double largest; /* magnitude */
    bool finite;
} TmlSpill;

TML_NODISCARD TmlStatus tml_spill_open(TmlSpill *s, TmlError *err);
TML_NODISCARD TmlStatus tml_spill_add(TmlSpill *s, size_t n, const double *value, TmlError *err);
void tml_spill_close(TmlSpill *s);

/* How an array is stored. The first axis is that of the rows. */
typedef struct TmlBlockSpec {
    TmlBlockType type;
    int rank;
    int64_t dim[TML_BLOCK_RANK];
    double scale; /* integers: of one unit; 0: 1 */
    bool delta;   /* integers: differences along the first axis */
} TmlBlockSpec;

typedef struct TmlContainer {
    TmlTextBuf text;
    TmlJson json;
    FILE *blocks;
    int64_t size; /* bytes of blocks, a multiple of 8 */
    int n_places, cap_places;
    struct TmlBlockPlace {
        int text; /* where its number stands in the header */
        int64_t at;
    } * place;
} TmlContainer;

TML_NODISCARD TmlStatus tml_container_open(TmlContainer *c, TmlError *err);
void tml_container_close(TmlContainer *c);

/* Store an array and write its description under `key` into the header. */
TML_NODISCARD TmlStatus tml_block_spill(TmlContainer *c, const char *key, const TmlBlockSpec *spec,
                                        TmlSpill *from, TmlError *err);
TML_NODISCARD TmlStatus tml_block_values(TmlContainer *c, const char *key, const TmlBlockSpec *spec,
                                         const double *value, TmlError *err);

/* Header and blocks in order: `put` gets portions and returns false to stop (an error of its own).
 * Returns TML_E_IO when it did or when the blocks cannot be read. */
typedef bool (*TmlPutFn)(void *user, const void *data, size_t n);
TML_NODISCARD TmlStatus tml_container_send(TmlContainer *c, TmlPutFn put, void *user,
                                           TmlError *err);
