/* tests/fuzz/results.h - files of results from bytes of the fuzzer.
 *
 * Whole files are large and most of their bytes are numbers, so that mutations of them seldom meet
 * anything. Inputs are edits of files that a small model has written: the first byte chooses the
 * file, each edit is a byte for its kind and some for its arguments (results_edit.c). An input that
 * begins like an HDF5 file is taken as it is.
 */
#pragma once

#include "fuzz.h"

#include <hdf5.h>

enum { BASES = 4 };

/* A file that is edited. Made once a process. */
typedef struct Base {
    uint8_t *bytes;
    size_t size;
    uint32_t *used; /* places of bytes that are not zero */
    int n_used;
    char **object; /* paths of groups and datasets */
    int n_objects;
    struct {
        int object;
        char *name;
    } * attribute;
    int n_attributes;
} Base;

const Base *fuzz_base(int k);

/* Bytes of an input, one after another; zeros behind the end. */
typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static inline unsigned next_byte(Bytes *b)
{
    return b->at < b->end ? *b->at++ : 0u;
}

static inline int next_below(Bytes *b, int n)
{
    const unsigned low = next_byte(b), high = n > 256 ? next_byte(b) : 0u;
    return n > 0 ? (int)((low | high << 8) % (unsigned)n) : 0;
}

/* Makes the file that an input stands for and returns its path. */
const char *fuzz_results(const uint8_t *data, size_t size);
