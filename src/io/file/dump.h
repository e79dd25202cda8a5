/* io/file/dump.h - a failed run as one file that another run starts from.
 *
 * A JSON object with
 *   trammel_dump   1, the version of the format
 *   message        why the run ended
 *   model, files   the path of the model; its text and those of its includes, whole. A text that is
 *                  not UTF-8 is named by path and check sum instead
 *   data_files     tables and libraries that the model reads, by path and check sum
 *   load           parameters and inputs that were given
 *   run            method in use, tolerance, times, options
 *   state          the last accepted state: time, q, v, a, lambda, X, X', what is known of the sizes
 *                  of X, V, F, memory of elements, events, the past of delays
 */
#pragma once

#include "model/read/value.h"
#include "trammel/io.h"

#include "analysis/driver/image.h"

enum { TML_DUMP_VERSION = 1 };

/* dump_read.c: the state in a tree, whose memory is in the arena. */
TML_NODISCARD TmlStatus tml_dump_image(const TmlValue *state, TmlArena *arena, TmlImage *out,
                                       TmlError *err);

/* FNV-1a, 64 bits, and length of a file. */
TML_NODISCARD TmlStatus tml_dump_sum(const char *path, uint64_t *sum, int64_t *bytes,
                                     TmlError *err);
