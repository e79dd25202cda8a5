/* model/contact/law/restitution.c - damping that gives a wanted restitution exactly, for every exponent.
 *
 * The law of Hunt and Crossley with eta from (R1). h grows as 1 / e: at 0 a ten-thousandth of the speed is left.
 */
#include "model/contact/law/restitution.h"

static void restitution_prepare(void *data)
{
    TmlBounceData *p = data;
    p->h = tml_restitution_exact(p->restitution); // (R1)
}

static void restitution_press(const TmlPressIn *in, TmlPress *out)
{
    tml_bounce_press(in, ((const TmlBounceData *)in->data)->h, out);
}

TML_PRESS_TYPE(restitution) = {
    .info = {.name = "restitution",
             .text = "Stiffness times a power of the depth, with damping that reproduces the "
                     "coefficient of restitution.",
             .data_size = sizeof(TmlBounceData),
             .params = tml_bounce_params,
             .example = "stiffness: 1e6, restitution: 0.8"},
    .remembers_entry = true,
    .check = tml_bounce_check,
    .prepare = restitution_prepare,
    .suits = tml_bounce_suits,
    .pulls = tml_bounce_pulls,
    .press = restitution_press,
};
