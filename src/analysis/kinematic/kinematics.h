/* analysis/kinematic/kinematics.h - the motion of a model whose drives leave no freedom. */
#pragma once

#include "analysis/integrator/integrator.h"

/* The name by which options of a run ask for it. It is no integrator and not listed among them. */
#define TML_KINEMATICS "kinematics"

extern const TmlIntegratorType tml_kinematics_type;

/* freedoms.c: TML_E_MODEL names degrees of freedom that nothing drives, and states that want to be integrated. */
TML_NODISCARD TmlStatus tml_kinematics_check(TmlSystem *sys, const TmlState *s, TmlError *err);
