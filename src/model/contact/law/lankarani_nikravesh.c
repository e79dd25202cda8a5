/* model/contact/law/lankarani_nikravesh.c - damping by restitution as Lankarani and Nikravesh published it.
 *
 * It is meant for restitutions near 1; at 0.5 collisions keep 0.725 of the speed.
 */
#include "model/contact/law/restitution.h"

static void lankarani_nikravesh_press(const TmlPressIn *in, TmlPress *out)
{
    const double e = ((const TmlBounceData *)in->data)->restitution;
    tml_bounce_press(in, 0.75 * (1.0 - e * e), out); // (R3)
}

TML_PRESS_TYPE(lankarani_nikravesh) = {
    .info = {.name = "lankarani_nikravesh",
             .text =
                 "Law of Lankarani and Nikravesh; it reproduces its restitution only above 0.9.",
             .data_size = sizeof(TmlBounceData),
             .params = tml_bounce_params,
             .example = "stiffness: 1e6, restitution: 0.8"},
    .remembers_entry = true,
    .check = tml_bounce_check,
    .suits = tml_bounce_suits,
    .pulls = tml_bounce_pulls,
    .press = lankarani_nikravesh_press,
};
