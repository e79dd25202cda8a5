/* model/body/point.h - data of a point mass. */
#pragma once

#include "model/body/body.h"

typedef struct TmlPointData {
    double mass;
} TmlPointData;

extern const TmlBodyType tml_body_point;
