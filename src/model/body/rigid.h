/* model/body/rigid.h - data of a rigid body. */
#pragma once

#include "model/body/body.h"
#include "trammel/types.h"

typedef struct TmlRigidData {
    double mass;
    TmlMat33 J; /* about the centre of mass, body axes */
} TmlRigidData;

extern const TmlBodyType tml_body_rigid;

/* The floating frame of a modal body: it moves as a rigid body does, and has no inertia of its own. */
extern const TmlBodyType tml_body_floating;
