/* io/lazy/cairo_calls.c - fills the table of cairo_calls.h. */
#if TML_CAIRO
#define TML_CALLS_PLAIN
#include "io/lazy/cairo_calls.h"

#define TABLE tml_cairo_calls
#define TABLE_TYPE TmlCairoCalls
#define TABLE_CALLS "io/lazy/cairo_calls.def"
#define TABLE_READY tml_cairo_ready
#if defined(TML_CAIRO_LIBRARY)
#define TABLE_LIBRARY TML_CAIRO_LIBRARY
#endif
#include "io/lazy/lazy_table.h"
#endif
