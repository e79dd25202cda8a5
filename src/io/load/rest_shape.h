/* io/load/rest_shape.h - statics for the reader of models. */
#pragma once

#include "model/model.h"

/* TmlModel.find_rest */
TmlStatus tml_find_rest(TmlModel *m, const struct TmlValue *root, TmlRestShape *out, TmlError *err);
