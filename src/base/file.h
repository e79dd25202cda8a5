/* base/file.h - system calls on files that a signal, or a part of the bytes, does not stop.
 *
 * A call may be interrupted (EINTR) or take part of the bytes; neither is a failure. Streams of the
 * C library take the first for one.
 */
#pragma once

#include "trammel/base.h"

#include <stdio.h>
#include <sys/types.h>

/* open(2); close(2), whose descriptor is closed whatever it returns. False: errno tells. */
int tml_file_open(const char *path, int flags, mode_t mode);
bool tml_file_close(int fd);

/* Another descriptor of the same open file. */
int tml_file_dup(int fd);

/* ftruncate(2). */
TML_NODISCARD bool tml_file_cut(int fd, off_t size);

/* pwrite and pread of all bytes. Reading past the end gives zeros. False: errno tells. */
TML_NODISCARD bool tml_write_at(int fd, off_t at, size_t size, const void *bytes);
TML_NODISCARD bool tml_read_at(int fd, off_t at, size_t size, void *bytes);

/* Bytes from here on, up to size or the end of the file; -1: errno tells. */
ssize_t tml_read_some(int fd, size_t size, void *bytes);

/* A stream to read and write a descriptor, which it takes over. NULL: out of memory. */
FILE *tml_file_stream(int fd, const char *mode);

/* A stream that reads n bytes of memory, which it takes over and frees with tml_mem_free. NULL: out
 * of memory. */
FILE *tml_memory_stream(char *bytes, size_t n);
