/* io/lazy/lazy.h - shared libraries that are loaded by the first command that needs them.
 *
 * HDF5 of Debian brings 35 libraries with it (curl, OpenSSL, GnuTLS, Kerberos), cairo those of X11: the loader took 10 of the 12 ms
 * of CPU time with which every command began. A run that writes CSV needs neither.
 */
#pragma once

#include "base/fail.h"

#include <stddef.h>

/* A name of the library and where its address goes in the table. */
typedef struct TmlLazyName {
    const char *name;
    size_t at; /* bytes from the start of the table */
} TmlLazyName;

/* Loads a library by its name and fills the table with n addresses. A library that is there stays until the process ends. */
TML_NODISCARD TmlStatus tml_lazy_load(const char *library, int n, const TmlLazyName *names,
                                      void *table, TmlError *err);
