/* io/part/part_file.h - reduced parts in HDF5 files.
 *
 * A file holds one TmlPart (model/modal/part.h): attributes format, version, name and numbers of the
 * root, a dataset for each array, the frames in /frames, stiffening load cases in /stiffening. The
 * attribute `checksum` is over all numbers, so that a file that was cut or changed is not taken for a
 * part.
 */
#pragma once

#include "base/arena.h"
#include "model/modal/part.h"
#include "model/model.h"
#include "trammel/part.h"

/* The file takes its name when it is whole; what had it before stays until then. */
TML_NODISCARD TmlStatus tml_part_save(const char *path, const TmlPart *part, TmlError *err);

/* The part behind the public handle. */
const TmlPart *tml_reduced_part(const TmlReducedPart *p);

/* All memory comes from the arena. TML_E_IO: no such file, no part, damaged, of another version. */
TML_NODISCARD TmlStatus tml_part_load(const char *path, TmlArena *arena, TmlPart *out,
                                      TmlError *err);

/* The same from a description, by its ending (.yaml, .yml), which is reduced anew; or from a file. */
TML_NODISCARD TmlStatus tml_part_take(const char *path, TmlArena *arena, TmlPart *out,
                                      TmlError *err);
/* The same for a model, which learns of all files that are read. */
TML_NODISCARD TmlStatus tml_part_take_for(TmlModel *m, const char *path, TmlPart *out,
                                          TmlError *err);
