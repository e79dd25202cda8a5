/* io/lazy/hdf5_calls.c - fills the table of hdf5_calls.h. */
#define TML_CALLS_PLAIN
#include "io/lazy/hdf5_calls.h"

#define TABLE tml_h5_calls
#define TABLE_TYPE TmlH5Calls
#define TABLE_CALLS "io/lazy/hdf5_calls.def"
#define TABLE_READY tml_h5_ready
#if defined(TML_HDF5_LIBRARY)
#define TABLE_LIBRARY TML_HDF5_LIBRARY
#endif
#include "io/lazy/lazy_table.h"
