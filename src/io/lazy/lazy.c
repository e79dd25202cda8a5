/* io/lazy/lazy.c - shared libraries that are loaded by the first command that needs them. */
#include "io/lazy/lazy.h"

#include <dlfcn.h>
#include <string.h>

/* The loader takes an interrupted call (EINTR) for a failure, so it is asked a second time. */
static void *load(const char *library)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    return handle != NULL ? handle : dlopen(library, RTLD_LAZY | RTLD_LOCAL);
}

static TmlStatus failed(const char *library, TmlError *err)
{
    const char *why = dlerror();
    return tml_fail(err, TML_E_IO, "cannot load the library '%s': %s", library,
                    why != NULL ? why : "unknown reason");
}

/* A program that is linked with the library itself may hold its variables (copy relocations): what the program sees comes first. */
static void *address_of(void *handle, const char *name)
{
    void *shared = dlsym(RTLD_DEFAULT, name);
    return shared != NULL ? shared : dlsym(handle, name);
}

TmlStatus tml_lazy_load(const char *library, int n, const TmlLazyName *names, void *table,
                        TmlError *err)
{
    void *handle = load(library);
    if (handle == NULL) {
        return failed(library, err);
    }
    for (int k = 0; k < n; ++k) {
        void *address = address_of(handle, names[k].name);
        if (address == NULL) {
            return failed(library, err);
        }
        memcpy((char *)table + names[k].at, &address,
               sizeof address); // of a function or of a number
    }
    return TML_OK;
}
