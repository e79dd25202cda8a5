/* model/contact/shape/round/convex_pairs.c - pairs of convex shapes and of rods: which method finds their points. */
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"
#include "model/contact/shape/round/solid.h"

/* Solids of which both have a straight side: side by side they touch along a line. */
static int straight(const TmlSolid solid[2], const TmlRod rod[2], const TmlPose *pose, double reach,
                    TmlTouch *touch, TmlTouchRate *rate)
{
    const Dual share = tml_rods_beside_share(&rod[0], &rod[1], pose);
    int n = 0;
    if (share.x < 1.0) {
        n = tml_stacked_touch(&solid[0], &solid[1], pose, &share, reach, touch, rate);
    }
    if (share.x > 0.0) {
        n += tml_rods_beside(&rod[0], &rod[1], pose, share, reach, touch + n,
                             rate != NULL ? rate + n : NULL);
    }
    return n;
}

TML_PAIR_FUNCTION(capsule, capsule)
{
    const TmlRod a = tml_capsule_rod(first), b = tml_capsule_rod(second);
    return tml_rods_touch(&a, &b, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(capsule, cylinder)
{
    const TmlSolid solid[2] = {tml_capsule_solid(first), tml_cylinder_solid(second)};
    const TmlRod rod[2] = {tml_capsule_rod(first), tml_cylinder_rod(second)};
    return straight(solid, rod, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(cylinder, cylinder)
{
    const TmlSolid solid[2] = {tml_cylinder_solid(first), tml_cylinder_solid(second)};
    const TmlRod rod[2] = {tml_cylinder_rod(first), tml_cylinder_rod(second)};
    return straight(solid, rod, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(bore, cylinder)
{
    const TmlRod bore = tml_bore_rod(first), rod = tml_cylinder_rod(second);
    return tml_rod_in_bore(&bore, &rod, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(bore, capsule)
{
    const TmlRod bore = tml_bore_rod(first), rod = tml_capsule_rod(second);
    return tml_rod_in_bore(&bore, &rod, pose, reach, touch, rate);
}

/* The point of least depth, and feet of what lies on a cap. */
#define STACKED_PAIR(one, other)                                                                   \
    TML_PAIR_FUNCTION(one, other)                                                                  \
    {                                                                                              \
        const TmlSolid a = tml_##one##_solid(first), b = tml_##other##_solid(second);              \
        return tml_stacked_touch(&a, &b, pose, NULL, reach, touch, rate);                          \
    }
STACKED_PAIR(capsule, cone)
STACKED_PAIR(cylinder, cone)
STACKED_PAIR(cone, cone)

/* The point of least depth alone. */
#define SOLID_PAIR(one, other)                                                                     \
    TML_PAIR_FUNCTION(one, other)                                                                  \
    {                                                                                              \
        const TmlSolid a = tml_##one##_solid(first), b = tml_##other##_solid(second);              \
        return tml_solids_touch(&a, &b, pose, reach, touch, rate);                                 \
    }
SOLID_PAIR(capsule, ellipsoid)
SOLID_PAIR(cylinder, ellipsoid)
SOLID_PAIR(cone, ellipsoid)
SOLID_PAIR(ellipsoid, ellipsoid)
