/* model/wheel/road/road.c - the registry of roads. */
#include "model/wheel/road/road.h"

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
