/* model/wheel/road/road_flat.c - a plane. Slopes are made by the rotation of the road. */
#include "model/wheel/road/road.h"

typedef struct FlatData {
    double unused;
} FlatData;

static void flat_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    (void)data, (void)x, (void)y, (void)out; // all zero
}

extern const TmlRoadType tml_road_flat;
const TmlRoadType tml_road_flat = {
    .info = {.name = "flat", .text = "A plane.", .data_size = sizeof(FlatData)},
    .at = flat_at,
};
