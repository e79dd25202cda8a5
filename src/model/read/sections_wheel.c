/* model/read/sections_wheel.c - keys of roads, of profiles of wheels and rails, and of tracks. */
#include "model/read/sections.h"

#include <stddef.h>

const TmlKey tml_keys_road[] = {
    {"type", TML_KEY_TEXT, "", NULL,
     "kind of road: flat, profile, surface, triangles, bumps, iso8608", NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "of its origin, global, at the start", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of its axes: x along it, z up", NULL},
    {"friction", TML_KEY_NUMBER, "", "1", "factor of the coefficients of friction of tyres", NULL},
    {"ends", TML_KEY_CHOICE, "", "stop",
     "what happens where a tyre leaves the road: the run stops, or the road goes on with the "
     "height of its "
     "border",
     "stop|go_on"},
    {"x_range", TML_KEY_NUMBERS, "m", "", "[from, to]: where the road begins and ends along x",
     NULL},
    {"y_range", TML_KEY_NUMBERS, "m", "", "[from, to]: its right and left border", NULL},
    {0},
};

const TmlKey tml_keys_profile[] = {
    {"file", TML_KEY_TEXT, "", "",
     "text file with two numbers y, z a line, separated by commas, semicolons or blanks; lines "
     "that do not begin with a number are skipped",
     NULL},
    {"points", TML_KEY_MATRIX, "", "", "instead of file: points [y, z]", NULL},
    {"arcs", TML_KEY_MATRIX, "", "",
     "instead of file: [y, z] of the first point, then [y, z, radius] of the end of each arc; "
     "above "
     "0: convex upwards, 0: a straight line",
     NULL},
    {"unit", TML_KEY_CHOICE, "", "m", "unit of these numbers", "m|mm"},
    {"columns", TML_KEY_NUMBERS, "", "[1, 2]", "columns of the file with y and z", NULL},
    {"y", TML_KEY_CHOICE, "", "outward",
     "where y points: away from the middle of the track or to it", "outward|inward"},
    {"z", TML_KEY_CHOICE, "", "up", "where z points", "up|down"},
    {"shift", TML_KEY_NUMBERS, "m", "[0, 0]",
     "added to y (outward) and z (up), so that the origin of a wheel lies on its tape circle",
     NULL},
    {"inclination", TML_KEY_NUMBER, "", "0",
     "of a rail that leans inward, as a slope: 1/40; for profiles that are drawn upright", NULL},
    {"deviation", TML_KEY_NUMBER, "m", "1e-7",
     "rms distance that the fitted curve may have from the points", NULL},
    {"smoothing", TML_KEY_NUMBER, "m", "1e-6",
     "the same of a smoother fit, which curvatures are taken from", NULL},
    {0},
};

const TmlKey tml_keys_segment[] = {
    {"straight", TML_KEY_NUMBER, "m", "", "length of a straight piece", NULL},
    {"arc", TML_KEY_NUMBER, "m", "", "instead: length of an arc", NULL},
    {"transition", TML_KEY_NUMBER, "m", "",
     "instead: length of a piece between its neighbours, over which curvature, cant and gradient "
     "change",
     NULL},
    {"radius", TML_KEY_NUMBER, "m", "", "of an arc; above 0 to the left, below 0 to the right",
     NULL},
    {"cant", TML_KEY_NUMBER, "m", "0",
     "height of the outer rail over the inner one; of a straight piece that of the right rail",
     NULL},
    {"gradient", TML_KEY_NUMBER, "", "0", "rise by way", NULL},
    {"shape", TML_KEY_CHOICE, "", "clothoid",
     "of a transition: curvature in proportion to the way, or smooth at both ends",
     "clothoid|smooth"},
    {0},
};

const TmlKey tml_keys_faults[] = {
    {"lateral", TML_KEY_SPLINE, "m over m", "", "both rails to the left, over the station", NULL},
    {"vertical", TML_KEY_SPLINE, "m over m", "", "both rails up", NULL},
    {"cross_level", TML_KEY_SPLINE, "m over m", "", "height of the right rail over the left one",
     NULL},
    {"gauge", TML_KEY_SPLINE, "m over m", "", "by which the rails are farther apart", NULL},
    {"spectrum", TML_KEY_CHOICE, "", "", "random irregularities of that density, in all four",
     "german_low|german_high|aar1|aar2|aar3|aar4|aar5|aar6"},
    {"seed", TML_KEY_INT, "", "1", "of the random numbers; they are the same on every machine",
     NULL},
    {"shortest", TML_KEY_NUMBER, "m", "2", "shortest wavelength of the spectrum", NULL},
    {"longest", TML_KEY_NUMBER, "m", "70", "longest wavelength of the spectrum", NULL},
    {"waves", TML_KEY_INT, "", "200", "how many waves each is the sum of", NULL},
    {"scale", TML_KEY_NUMBER, "", "1", "factor of all of them", NULL},
    {"from", TML_KEY_NUMBER, "m", "0", "station where they begin, with fade", NULL},
    {"fade", TML_KEY_NUMBER, "m", "0", "way over which they grow to full size; 0: full everywhere",
     NULL},
    {0},
};

const TmlKey tml_keys_track[] = {
    {"rail", TML_KEY_TEXT, "", "", "profile of both rails, one of `profiles`", NULL},
    {"gauge", TML_KEY_NUMBER, "m", "1.435", "distance of the inner faces of the rails", NULL},
    {"gauge_depth", TML_KEY_NUMBER, "m", "0.014", "how far below the rails' top it is measured",
     NULL},
    {"rail_base", TML_KEY_NUMBER, "m", "",
     "instead of gauge: distance of the origins of both rails' profiles", NULL},
    {"base", TML_KEY_NUMBER, "m", "1.5", "width that cant is measured over", NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]",
     "of the beginning, in the middle between the tops of the rails; global, at the start", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of the beginning: x forward, z up", NULL},
    {"segments", TML_KEY_SEGMENTS, "", "",
     "pieces one after the other: {straight: 50}, {transition: 30}, {arc: 100, radius: 300, cant: "
     "0.1}; without them straight and without an end",
     NULL},
    {"ends", TML_KEY_CHOICE, "", "stop",
     "what the last segment leads to: the run stops there, or the track goes on straight",
     "stop|straight"},
    {"pivot", TML_KEY_CHOICE, "", "middle",
     "what keeps its height in cant: the middle of the track, or the lower rail", "middle|low"},
    {"irregularities", TML_KEY_FAULTS, "", "", "by tables or of a spectrum", NULL},
    {0},
};
