/* model/body/rigid.h - data of a rigid body. */
#pragma once

#include "model/body/body.h"
#include "trammel/types.h"

typedef struct TmlRigidData {
    double mass;
    TmlMat33 J; /* about the centre of mass, body axes */
} TmlRigidData;

extern const TmlBodyType tml_body_rigid;
