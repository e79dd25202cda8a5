/* model/wheel/road/road.c - the registry of roads, and where they end. */
#include "model/wheel/road/road.h"

#include <math.h>
#include <string.h>

#define TML_ROAD(name) extern const TmlRoadType tml_road_##name;
#include "model/wheel/road/roads.def"
#undef TML_ROAD

static const TmlRoadType *const types[] = {
#define TML_ROAD(name) &tml_road_##name,
#include "model/wheel/road/roads.def"
#undef TML_ROAD
};

enum { N_TYPES = (int)(sizeof types / sizeof types[0]) };

const TmlRoadType *const *tml_road_types(int *n)
{
    if (n != NULL) {
        *n = N_TYPES;
    }
    return types;
}

const TmlRoadType *tml_road_type(const char *name)
{
    for (int k = 0; k < N_TYPES; ++k) {
        if (strcmp(types[k]->info.name, name) == 0) {
            return types[k];
        }
    }
    return NULL;
}

/* --- borders --------------------------------------------------------------------------------- */

TmlRoadBorder tml_road_rectangle(const double x[2], const double y[2], double at_x, double at_y)
{
    const TmlRoadBorder sides[] = {{at_x - x[0], 1.0, 0.0},
                                   {x[1] - at_x, -1.0, 0.0},
                                   {at_y - y[0], 0.0, 1.0},
                                   {y[1] - at_y, 0.0, -1.0}};
    TmlRoadBorder least = {.inside = ROAD_NO_BORDER};
    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; ++k) {
        least = sides[k].inside < least.inside ? sides[k] : least;
    }
    return least;
}

bool tml_road_stops(const TmlRoad *road)
{
    return road != NULL && road->ends == ROAD_STOPS &&
           (road->type->border != NULL || road->x_range[0] > -HUGE_VAL ||
            road->x_range[1] < HUGE_VAL || road->y_range[0] > -HUGE_VAL ||
            road->y_range[1] < HUGE_VAL);
}

TmlRoadBorder tml_road_border(const TmlRoad *road, double x, double y)
{
    TmlRoadBorder least = {.inside = ROAD_NO_BORDER};
    if (road == NULL) {
        return least;
    }
    if (road->type->border != NULL) {
        least = road->type->border(road->data, x, y);
    }
    const TmlRoadBorder range = tml_road_rectangle(road->x_range, road->y_range, x, y);
    return range.inside < least.inside ? range : least;
}

/* --- edges ----------------------------------------------------------------------------------- */

bool tml_road_edge_across(TmlRoadHeight height, const void *data, const double from[2],
                          const double to[2], double x, TmlRoadEdge *out)
{
    const double near = 1e-9 * hypot(to[0] - from[0], to[1] - from[1]);
    const double part = (x - from[0]) / (to[0] - from[0]);
    if (!(fabs(to[0] - from[0]) > 1e3 * near && part > 0.0 && part < 1.0)) {
        return false;
    }
    const double y = from[1] + part * (to[1] - from[1]);
    TmlRoadPoint left = {0}, right = {0};
    height(data, x - near, y, &left);
    height(data, x + near, y, &right);
    *out = (TmlRoadEdge){.at = v3(x, y, fmax(left.h, right.h)), .along = v3(0, 1, 0)};
    return true;
}
