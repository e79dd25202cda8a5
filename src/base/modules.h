/* base/modules.h - the program and the shared libraries that are loaded, to name places in them. */
#pragma once

#include "trammel/base.h"

enum { TML_MODULES_MAX = 128, TML_MODULE_NAME = 64 };

typedef struct TmlModule {
    uintptr_t start, end;
    char name[TML_MODULE_NAME]; /* without its folder; "" for the program */
    const char *code;           /* its instructions, which relocation does not change */
    size_t code_size;
} TmlModule;

/* Returns how many there are in out; 0: the system does not tell. */
int tml_modules(TmlModule out[TML_MODULES_MAX]);
/* A number that another build of the module does not share. */
uint64_t tml_module_sum(const TmlModule *m);
