/* model/body/rigid.h - data of a rigid body. */
#pragma once

#include "trammel/types.h"

typedef struct TmlRigidData {
    double mass;
    TmlMat33 J; /* about the centre of mass, body axes */
} TmlRigidData;
