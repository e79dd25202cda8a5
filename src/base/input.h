/* base/input.h - files that are read: plain files of a bounded size.
 *
 * A model names tables, meshes and other files. Devices and pipes could go on for ever, and opening
 * a pipe without a writer waits for ever, so that they are refused.
 */
#pragma once

#include "base/arena.h"

#include <stdio.h>

enum { TML_INPUT_MAX = 256 << 20 }; /* bytes */

/* The path of a file that another one names: relative to its folder. NULL: out of memory. */
char *tml_input_beside(TmlArena *arena, const char *from, const char *name);

/* Whether it may be read as the files below are; whether an open file is a plain one, of any size. */
TML_NODISCARD TmlStatus tml_input_check(const char *path, TmlError *err);
TML_NODISCARD TmlStatus tml_input_plain(const char *path, int fd, TmlError *err);

/* A plain file as a stream. All of it has been read: what the stream ends with is the end of the
 * file and no failure, which few would look for. The message has the path in it. */
TML_NODISCARD TmlStatus tml_input_open(const char *path, FILE **out, TmlError *err);

/* The whole of a plain file with a zero behind it; free with tml_mem_free. */
TML_NODISCARD TmlStatus tml_input_read(const char *path, char **out, size_t *length, TmlError *err);

/* The same of what may be a pipe, too, up to the bound: what a user names in person. */
TML_NODISCARD TmlStatus tml_input_read_any(const char *path, char **out, size_t *length,
                                           TmlError *err);

/* Gives the lines of a plain file one after the other, numbered from 1, until one fails. A line may be changed in place. */
typedef TmlStatus TmlInputLine(void *user, int number, char *line);
TML_NODISCARD TmlStatus tml_input_lines(const char *path, TmlInputLine *take, void *user,
                                        TmlError *err);

/* The text without blanks, tabs and carriage returns at both ends, which it loses in place. */
char *tml_input_trim(char *text);
