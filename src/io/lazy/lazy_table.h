/* io/lazy/lazy_table.h - the file of a library that is loaded late is these lines (cairo_calls.c, hdf5_calls.c).
 *
 * Before it is included there are: TABLE, its variable; TABLE_TYPE; TABLE_CALLS, the file that lists its calls; TABLE_READY, the name of
 * the function; TABLE_LIBRARY, the name of the library, unless that is linked.
 */
#include "io/lazy/lazy.h"

#include <pthread.h>

TABLE_TYPE TABLE;

#if defined(TABLE_LIBRARY)

static const TmlLazyName names[] = {
#define TML_CALL(name) {#name, offsetof(TABLE_TYPE, name)},
#include TABLE_CALLS
#undef TML_CALL
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool there;

TmlStatus TABLE_READY(TmlError *err)
{
    pthread_mutex_lock(&lock);
    const TmlStatus status =
        there ? TML_OK
              : tml_lazy_load(TABLE_LIBRARY, (int)(sizeof names / sizeof names[0]), names, &TABLE,
                              err);
    there = there || status == TML_OK;
    pthread_mutex_unlock(&lock);
    return status;
}

#else // the library is linked

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
#define TML_CALL(name) TABLE.name = &name;
#include TABLE_CALLS
#undef TML_CALL
}

TmlStatus TABLE_READY(TmlError *err)
{
    (void)err;
    (void)pthread_once(&once, fill);
    return TML_OK;
}

#endif
