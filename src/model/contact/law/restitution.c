/* model/contact/law/restitution.c - damping that gives a wanted restitution exactly, for every exponent.
 *
 * The law of Hunt and Crossley with eta from (R1). At 0 there is no such damping: h grows as 1 / e.
 */
#include "model/contact/law/restitution.h"

static TmlStatus restitution_check(const void *data, TmlError *err)
{
    const TmlStatus status = tml_bounce_check(data, err);
    return status != TML_OK
               ? status
               : tml_restitution_positive(((const TmlBounceData *)data)->restitution, err);
}

static void restitution_press(const TmlPressIn *in, TmlPress *out)
{
    const double e = ((const TmlBounceData *)in->data)->restitution;
    tml_bounce_press(in, tml_restitution_exact(e), out); // (R1)
}

TML_PRESS_TYPE(restitution) = {
    .info = {.name = "restitution",
             .text = "Stiffness times a power of the depth, damped so that a collision keeps this "
                     "part of its speed.",
             .data_size = sizeof(TmlBounceData),
             .params = tml_bounce_params,
             .example = "stiffness: 1e6, restitution: 0.8"},
    .remembers_entry = true,
    .check = restitution_check,
    .suits = tml_bounce_suits,
    .pulls = tml_bounce_pulls,
    .press = restitution_press,
};
