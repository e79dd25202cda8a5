/* model/primitive/expression_joint.h - what the reader does for joints given by an expression. */
#pragma once

#include "model/model.h"

/* When the expression is bound: its derivative by time, if it reads velocities. */
TML_NODISCARD TmlStatus tml_expression_complete(TmlModel *m, void *data, TmlError *err);
