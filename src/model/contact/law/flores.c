/* model/contact/law/flores.c - damping by restitution as Flores and others published it.
 *
 * At 0.5 collisions keep 0.470 of the speed, at 0.9 they keep 0.894.
 */
#include "model/contact/law/restitution.h"

static TmlStatus flores_check(const void *data, TmlError *err)
{
    const TmlStatus status = tml_bounce_check(data, err);
    return status != TML_OK
               ? status
               : tml_restitution_positive(((const TmlBounceData *)data)->restitution, err);
}

static void flores_press(const TmlPressIn *in, TmlPress *out)
{
    const double e = ((const TmlBounceData *)in->data)->restitution;
    tml_bounce_press(in, 1.6 * (1.0 - e) / e, out); // (R4)
}

TML_PRESS_TYPE(flores) = {
    .info = {.name = "flores",
             .text = "Law of Flores and others; it reproduces its restitution to some hundredths.",
             .data_size = sizeof(TmlBounceData),
             .params = tml_bounce_params,
             .example = "stiffness: 1e6, restitution: 0.8"},
    .remembers_entry = true,
    .check = flores_check,
    .suits = tml_bounce_suits,
    .pulls = tml_bounce_pulls,
    .press = flores_press,
};
