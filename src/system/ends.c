/* system/ends.c - frames of elements and expressions, whatever owns them.
 *
 * A frame of a rigid body is moved by the unknowns of that body, a point of a flexible body by
 * those of all nodes of its element (flex_end.c), a frame of a modal body by all its modes (modal_end.c).
 */
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"

#include "base/fail.h"

#include <string.h>

/* A body is the only part of its frames; ground has none. */
static TmlStatus body_parts(TmlSystem *sys, TmlError *err)
{
    int *body, *col;
    TML_NEW(&sys->arena, sys->parts, sys->dim.nb);
    TML_NEW(&sys->arena, body, sys->dim.nb);
    TML_NEW(&sys->arena, col, 2 * sys->dim.nb);
    sys->stride = TML_BODY_MAX_NU;
    for (int b = 0; b < sys->dim.nb; ++b) {
        const int nu = sys->dim.span[b].nu;
        body[b] = b;
        col[2 * b + 1] = nu;
        sys->parts[b] = (TmlParts){nu > 0 ? 1 : 0, nu, body + b, col + 2 * b};
    }
    return TML_OK;
}

TmlStatus tml_ends_setup(TmlSystem *sys, TmlError *err)
{
    TML_TRY(body_parts(sys, err));
    TML_TRY(tml_modal_setup(sys, err));
    TML_TRY(tml_flex_setup(sys, err));
    for (int k = 0; k < sys->n_ends; ++k) {
        const int cols = tml_end_parts(sys, k)->cols;
        sys->stride = cols > sys->stride ? cols : sys->stride;
    }
    return TML_OK;
}

const TmlParts *tml_point_parts(const TmlSystem *sys, int point)
{
    const TmlFlexPoint *p = &sys->model->points.at[point];
    return p->flex < 0 ? &sys->modal->at[p->modal].parts : tml_element_parts(sys, p->flex);
}

void tml_end_frame(TmlSystem *sys, int end)
{
    const int b = sys->end[end].body;
    if (tml_end_is_modal(sys, end)) {
        tml_modal_end_frame(sys, end);
        return;
    }
    if (sys->end[end].point > 0) {
        tml_flex_end_frame(sys, end);
        return;
    }
    sys->model->bodies.at[b].type->frame(&sys->body[b], &sys->end[end], &sys->kin[end]);
}

void tml_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out)
{
    const int b = sys->end[end].body;
    if (tml_end_is_modal(sys, end)) {
        tml_modal_end_map(sys, end, c, what, out);
        return;
    }
    if (sys->end[end].point > 0) {
        tml_flex_end_map(sys, end, c, what, out);
        return;
    }
    sys->model->bodies.at[b].type->frame_map(&sys->body[b], &sys->end[end], c, what, out);
}

void tml_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r)
{
    const int b = sys->end[end].body;
    if (tml_end_is_modal(sys, end)) {
        tml_modal_end_wrench(sys, end, w, r);
        return;
    }
    if (sys->end[end].point > 0) {
        tml_flex_end_wrench(sys, end, w, r);
        return;
    }
    sys->model->bodies.at[b].type->frame_wrench(&sys->body[b], &sys->end[end], w,
                                                r + sys->dim.span[b].u0);
}

void tml_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y)
{
    const int b = sys->end[end].body;
    if (tml_end_is_modal(sys, end)) {
        tml_modal_end_dual(sys, end, X, n, Y);
        return;
    }
    if (sys->end[end].point > 0) {
        tml_flex_end_dual(sys, end, X, n, Y);
        return;
    }
    sys->model->bodies.at[b].type->frame_dual(&sys->body[b], &sys->end[end], X, n, Y);
}

void tml_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K)
{
    const int b = sys->end[end].body;
    if (tml_end_is_modal(sys, end)) {
        tml_modal_end_geometric(sys, end, w, c_q, K);
        return;
    }
    if (sys->end[end].point > 0) {
        tml_flex_end_geometric(sys, end, w, c_q, K);
        return;
    }
    sys->model->bodies.at[b].type->frame_geometric(&sys->body[b], &sys->end[end], w, c_q, K);
}
