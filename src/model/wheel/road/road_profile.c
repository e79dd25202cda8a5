/* model/wheel/road/road_profile.c - a height over the way, the same across the road.
 *
 * Between the points of the table the height is that of the spline; a cubic one has continuous curvature. Beyond the ends the road
 * goes on level, unless the run stops there.
 */
#include "expr/spline.h"
#include "model/wheel/road/road.h"

#include <math.h>

typedef struct ProfileData {
    const TmlSpline *height;
    double scale;
} ProfileData;

static void profile_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const ProfileData *p = data;
    const double *knot;
    const int n = tml_spline_knots(p->height, &knot);
    double d[3] = {0};
    (void)y;
    if (n > 0 && (x < knot[0] || x > knot[n - 1])) {
        tml_spline_eval(p->height, x < knot[0] ? knot[0] : knot[n - 1], 0, d);
        out->h = p->scale * d[0];
        return;
    }
    tml_spline_eval(p->height, x, 2, d);
    out->h = p->scale * d[0];
    out->x = p->scale * d[1];
    out->xx = p->scale * d[2];
}

static int profile_edges(const void *data, const double from[2], const double to[2], int n,
                         TmlRoadEdge *out)
{
    const ProfileData *p = data;
    const double *knot;
    const int count = tml_spline_knots(p->height, &knot);
    const bool corners = tml_spline_smoothness(p->height) < 1;
    int found = 0;
    for (int k = 0; k < count && found < n; ++k) {
        if (corners || k == 0 || k == count - 1) {
            found += tml_road_edge_across(profile_at, data, from, to, knot[k], &out[found]) ? 1 : 0;
        }
    }
    return found;
}

static TmlRoadBorder profile_border(const void *data, double x, double y)
{
    const ProfileData *p = data;
    const double *knot, across[2] = {-HUGE_VAL, HUGE_VAL};
    const int count = tml_spline_knots(p->height, &knot);
    const double ends[2] = {count > 0 ? knot[0] : -HUGE_VAL,
                            count > 0 ? knot[count - 1] : HUGE_VAL};
    return tml_road_rectangle(ends, across, x, y);
}

static const TmlParam profile_params[] = {
    {"height", TML_PARAM_SPLINE, TML_ANY, "m over m", offsetof(ProfileData, height), NULL,
     "height over x", NULL},
    {"scale", TML_PARAM_REAL, TML_ANY, "", offsetof(ProfileData, scale), "1",
     "factor of the height", NULL},
    {0},
};

extern const TmlRoadType tml_road_profile;
const TmlRoadType tml_road_profile = {
    .info =
        {.name = "profile",
         .text =
             "A height over the way by a table, the same across the road; level beyond its ends.",
         .data_size = sizeof(ProfileData),
         .params = profile_params},
    .at = profile_at,
    .edges = profile_edges,
    .border = profile_border,
};
