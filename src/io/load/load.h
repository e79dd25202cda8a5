/* io/load/load.h - the tree of a model file with its includes, before it is read. */
#pragma once

#include "model/model.h"
#include "model/read/value.h"

#include "adams/adams.h"
#include "trammel/io.h"

/* Load a model of whose files the texts of some are given; the others are read. */
TML_NODISCARD TmlStatus tml_load_sources(const char *path, int n, const TmlSource *source,
                                         const TmlLoadOptions *options, TmlModel **out,
                                         TmlError *err);

/* What datasets need of them. */
TmlAdamsOptions tml_adams_options(const TmlLoadOptions *options);

/* Load a model whose dataset is read with these options. */
TML_NODISCARD TmlStatus tml_load_dataset(const char *path, const TmlLoadOptions *options,
                                         const TmlAdamsOptions *adams, TmlModel **out,
                                         TmlError *err);

/* m: a new model, which owns the memory of the tree and its notes. */
TML_NODISCARD TmlStatus tml_load_root(TmlModel *m, const char *path, const TmlAdamsOptions *adams,
                                      TmlValue **root, TmlError *err);
