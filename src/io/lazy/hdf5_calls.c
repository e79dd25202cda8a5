/* io/lazy/hdf5_calls.c - fills the table of hdf5_calls.h. */
#define TML_CALLS_PLAIN
#include "io/lazy/hdf5_calls.h"

#include "io/lazy/lazy.h"

#include <pthread.h>
#include <stddef.h>

TmlH5Calls tml_h5_calls;

#if defined(TML_HDF5_LIBRARY)

static const TmlLazyName names[] = {
#define TML_CALL(name) {#name, offsetof(TmlH5Calls, name)},
#include "io/lazy/hdf5_calls.def"
#undef TML_CALL
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool there;

TmlStatus tml_h5_ready(TmlError *err)
{
    pthread_mutex_lock(&lock);
    const TmlStatus status =
        there ? TML_OK
              : tml_lazy_load(TML_HDF5_LIBRARY, (int)(sizeof names / sizeof names[0]), names,
                              &tml_h5_calls, err);
    there = there || status == TML_OK;
    pthread_mutex_unlock(&lock);
    return status;
}

#else // the library is linked

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
#define TML_CALL(name) tml_h5_calls.name = &name;
#include "io/lazy/hdf5_calls.def"
#undef TML_CALL
}

TmlStatus tml_h5_ready(TmlError *err)
{
    (void)err;
    (void)pthread_once(&once, fill);
    return TML_OK;
}

#endif
