/* io/load.h - the tree of a model file with its includes, before it is read. */
#pragma once

#include "model/model.h"
#include "model/value.h"

/* m: a new model, which owns the memory of the tree and its notes. */
TML_NODISCARD TmlStatus tml_load_root(TmlModel *m, const char *path, TmlValue **root,
                                      TmlError *err);
