/* io/read/hdf5_trust.h - what a result file may consist of before anything in it is read.
 *
 * HDF5 files may point out of themselves: links into other files, datasets whose values lie in any
 * file at all, filters that are libraries. A stranger's results could so have private files shown
 * in a report, or written to by a repair. Files of ours have none of these. Nor do they claim a
 * million million rows that were never written.
 */
#pragma once

#include "base/fail.h"
#include "io/results/hdf5_file.h"

/* bytes: the size of the file. TML_E_IO: it has parts that a result file of ours does not have. */
TML_NODISCARD TmlStatus tml_h5_trust(hid_t file, int64_t bytes, TmlError *err);
