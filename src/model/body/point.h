/* model/body/point.h - data of a point mass. */
#pragma once

typedef struct TmlPointData {
    double mass;
} TmlPointData;
