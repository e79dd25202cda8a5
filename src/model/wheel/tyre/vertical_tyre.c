/* model/wheel/tyre/vertical_tyre.c - a tyre that carries only: a spring and a damper along the normal of the road. */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/tyre.h"

typedef struct VerticalTyre {
    TmlTyre tyre;
} VerticalTyre;

static TmlStatus vertical_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    return tml_tyre_prepare(data, NULL, e);
}

static const TmlParam vertical_params[] = {TYRE_PARAMS(VerticalTyre), {0}};

TML_FORCE_TYPE(vertical_tyre) = {
    .info = {.name = "vertical_tyre",
             .text = "Tyre that carries load only: a spring and a damper along the road's normal.",
             .example =
                 "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, radius: 0.3, stiffness: 2e5",
             .data_size = sizeof(VerticalTyre),
             .params = vertical_params,
             .outputs = tml_tyre_outputs},
    .ends = TML_ENDS_FRAMES,
    .law = &tml_tyre_vertical_law,
    .check = tml_tyre_check,
    .prepare = vertical_prepare,
    .wrench = tml_tyre_wrench,
    .tangent = tml_tyre_tangent,
    .output = tml_tyre_output,
    .output_tangent = tml_tyre_output_tangent,
};
