/* tests/fuzz/fuzz.h - targets of the fuzzer: one function each, which takes any bytes.
 *
 * A target keeps nothing from one call to the next, frees all it made, and reads and writes no file
 * but those of a folder of its own (fuzz_folder): calls that open others fail in these programs, as
 * if the file were forbidden. What it finds wrong ends the process by fuzz_wrong.
 */
#pragma once

#include "trammel/trammel.h"

#include <stddef.h>
#include <stdint.h>

typedef void (*FuzzTarget)(const uint8_t *data, size_t size);

/* The targets, by their names. */
#define FUZZ_TARGETS(X)                                                                            \
    X(expression)                                                                                  \
    X(yaml)                                                                                        \
    X(adm)                                                                                         \
    X(acf)                                                                                         \
    X(mesh)                                                                                        \
    X(part)                                                                                        \
    X(table)                                                                                       \
    X(csv)                                                                                         \
    X(report)                                                                                      \
    X(plot)                                                                                        \
    X(repair)                                                                                      \
    X(export)

#define FUZZ_DECLARE(name) void fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* Makes one execution. */
void fuzz_one(FuzzTarget target, const uint8_t *data, size_t size);

/* A folder in memory (/dev/shm, where there is one) that goes with the process; beside() is a path
 * in it, good until the fourth call after. */
const char *fuzz_folder(void);
const char *fuzz_beside(const char *name);

/* Writes a file of that folder and returns its path as fuzz_beside does. */
const char *fuzz_write(const char *name, const void *data, size_t size);

/* Returns the bytes as a text that ends at the first zero; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Tells a defect that no sanitizer sees, and ends the process. */
_Noreturn void fuzz_wrong(const char *what, const char *detail);

/* Checks that a failure has a status of its own and a message. */
void fuzz_check(TmlStatus status, const TmlError *err);

/* --- models (model.c) ------------------------------------------------------------------------ */

/* Limits the memory of the library; to be called before a target uses it. */
void fuzz_limit_memory(void);

/* Loads a text. Where that works and the model is small it describes it, assembles it, runs it for
 * some steps with rows, and linearises it. */
void fuzz_model(const char *text, const char *name);

/* Makes a bounded number of steps and rows of a sim. */
void fuzz_run(TmlSim *sim);
TmlSimOptions fuzz_sim_options(int *budget);
bool fuzz_is_small(const TmlModel *model);

/* Draws all channels of a file of results (target_results.c). */
void fuzz_draw(const char *path);
