/* model/wheel/road/road_bumps.c - obstacles across a level road, at one or several places.
 *
 * With s = x - place, L the length, H the height:
 *
 *   (B1)  half_cylinder  h = sqrt(H^2 - s^2), |s| < H: a half of a cylinder of radius H lies on the road
 *   (B2)  cosine         h = H (1 - cos(2 pi s / L)) / 2, 0 < s < L: once differentiable at its ends
 *   (B3)  quintic        h = H b(2 s / L) up and down again, b(u) = u^3 (10 - 15 u + 6 u^2): twice differentiable
 *   (B4)  plank          h = H, 0 < s < L: with two sharp edges, which the disc of the tyre climbs
 *   (B5)  step           h = H, s > 0
 *   (B6)  ramp           h = H s / L, 0 < s < L, and H behind it
 */
#include "base/fail.h"
#include "model/wheel/road/road.h"

#include <math.h>

typedef enum BumpShape {
    BUMP_HALF_CYLINDER,
    BUMP_COSINE,
    BUMP_QUINTIC,
    BUMP_PLANK,
    BUMP_STEP,
    BUMP_RAMP,
} BumpShape;

typedef struct BumpsData {
    int shape;
    TmlReals at;
    double height, length;
} BumpsData;

static TmlStatus bumps_check(const void *data, TmlError *err)
{
    const BumpsData *p = data;
    if (p->shape != BUMP_HALF_CYLINDER && p->shape != BUMP_STEP && !(p->length > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "this shape needs a length (m) > 0");
    }
    if (p->shape == BUMP_HALF_CYLINDER && !(p->height > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "the height of a half_cylinder is its radius, > 0");
    }
    return TML_OK;
}

/* (B1) to (B6): height, slope and curvature at s. */
static void bump_at(const BumpsData *p, double s, double d[3])
{
    const double H = p->height, L = p->length, w = 2.0 * M_PI / L;
    d[0] = d[1] = d[2] = 0.0;
    switch ((BumpShape)p->shape) {
    case BUMP_HALF_CYLINDER:
        if (fabs(s) < H) {
            const double z = sqrt(H * H - s * s);
            d[0] = z;
            d[1] = -s / z;
            d[2] = -H * H / (z * z * z);
        }
        break;
    case BUMP_COSINE:
        if (s > 0.0 && s < L) {
            d[0] = 0.5 * H * (1.0 - cos(w * s));
            d[1] = 0.5 * H * w * sin(w * s);
            d[2] = 0.5 * H * w * w * cos(w * s);
        }
        break;
    case BUMP_QUINTIC:
        if (s > 0.0 && s < L) {
            const double side = s < 0.5 * L ? 1.0 : -1.0, k = 2.0 / L;
            const double u = s < 0.5 * L ? k * s : k * (L - s);
            d[0] = H * u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
            d[1] = side * k * H * 30.0 * u * u * (1.0 - u) * (1.0 - u);
            d[2] = k * k * H * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
        }
        break;
    case BUMP_PLANK:
        d[0] = s > 0.0 && s < L ? H : 0.0;
        break;
    case BUMP_STEP:
        d[0] = s > 0.0 ? H : 0.0;
        break;
    case BUMP_RAMP:
        d[0] = s <= 0.0 ? 0.0 : s < L ? H * s / L : H;
        d[1] = s > 0.0 && s < L ? H / L : 0.0;
        break;
    }
}

static void bumps_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const BumpsData *p = data;
    (void)y;
    for (int k = 0; k < p->at.n; ++k) {
        double d[3];
        bump_at(p, x - p->at.value[k], d);
        out->h += d[0];
        out->x += d[1];
        out->xx += d[2];
    }
}

static int bumps_edges(const void *data, const double from[2], const double to[2], int n,
                       TmlRoadEdge *out)
{
    const BumpsData *p = data;
    const bool round = p->shape == BUMP_HALF_CYLINDER;
    const double s[2] = {round ? -p->height : 0.0, round ? p->height : p->length};
    const int ends = p->shape == BUMP_STEP ? 1 : p->shape == BUMP_QUINTIC ? 0 : 2;
    int found = 0;
    for (int k = 0; k < p->at.n; ++k) {
        for (int e = 0; e < ends && found < n; ++e) {
            const double x = p->at.value[k] + s[e];
            found += tml_road_edge_across(bumps_at, data, from, to, x, &out[found]) ? 1 : 0;
        }
    }
    return found;
}

static const TmlParam bumps_params[] = {
    {"shape", TML_PARAM_CHOICE, TML_ANY, "", offsetof(BumpsData, shape), NULL,
     "what lies on the road", "half_cylinder|cosine|quintic|plank|step|ramp"},
    {"at", TML_PARAM_REALS, TML_ANY, "m", offsetof(BumpsData, at), NULL,
     "x where each begins; of a half_cylinder its middle", NULL},
    {"height", TML_PARAM_REAL, TML_ANY, "m", offsetof(BumpsData, height), NULL,
     "height; of a half_cylinder its radius", NULL},
    {"length", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(BumpsData, length), "0",
     "length along the road", NULL},
    {0},
};

extern const TmlRoadType tml_road_bumps;
const TmlRoadType tml_road_bumps = {
    .info = {.name = "bumps",
             .text = "Obstacles across a level road, at one or several places.",
             .data_size = sizeof(BumpsData),
             .params = bumps_params},
    .check = bumps_check,
    .at = bumps_at,
    .edges = bumps_edges,
};
