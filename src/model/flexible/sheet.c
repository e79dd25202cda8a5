/* model/flexible/sheet.c - (Z1), (Z2) of sheet.h. */
#include "model/flexible/sheet.h"

#include <string.h>

enum { SIDES = 2 };

/* Hermite's cubics of both ends of a side, or derivatives by its length. */
typedef struct Cubics {
    double h[SIDES], g[SIDES];
} Cubics;

static double cubic(double c2, double c3, double p, int d)
{
    switch (d) {
    case 0:
        return p * p * (c2 + c3 * p);
    case 1:
        return p * (2.0 * c2 + 3.0 * c3 * p);
    default:
        return 2.0 * c2 + 6.0 * c3 * p;
    }
}

static Cubics cubics_at(double l, double u, int d)
{
    Cubics out;
    for (int k = 0; k < SIDES; ++k) {
        const double p = k == 0 ? 1.0 - u : u, dp = k == 0 ? -1.0 / l : 1.0 / l;
        const double scale = d == 0 ? 1.0 : d == 1 ? dp : dp * dp;
        out.h[k] = scale * cubic(3.0, -2.0, p, d);
        out.g[k] = (k == 0 ? l : -l) * scale * cubic(1.0, -1.0, p, d);
    }
    return out;
}

void tml_sheet_span(const TmlFlex *flex, TmlSheetKind kind, double reach, double span[2])
{
    span[0] = flex->size[0];
    span[1] = kind == TML_SHEET_PATCH ? flex->size[1] : 2.0 * reach;
}

void tml_sheet_xi(TmlSheetKind kind, double reach, const double place[2], double xi[3])
{
    const double across = kind == TML_SHEET_PATCH ? place[1] : (2.0 * place[1] - 1.0) * reach;
    xi[0] = place[0];
    xi[1] = kind == TML_SHEET_Z ? 0.0 : across;
    xi[2] = kind == TML_SHEET_Z ? across : 0.0;
}

static void patch_weights(const TmlFlexType *type, const Cubics *x, const Cubics *y, double *s)
{
    static const int end_x[4] = {0, 1, 1, 0}, end_y[4] = {0, 0, 1, 1};
    for (int k = 0; k < 4; ++k) { // (Z1)
        double *to = s + k * type->vectors;
        to[0] = x->h[end_x[k]] * y->h[end_y[k]];
        to[1] = x->g[end_x[k]] * y->h[end_y[k]];
        to[2] = x->h[end_x[k]] * y->g[end_y[k]];
    }
}

static void beam_weights(const TmlFlexType *type, TmlSheetKind kind, const Cubics *x,
                         const double xi[3], int dy, double *s)
{
    const TmlFlexKind across = kind == TML_SHEET_Z ? TML_FLEX_RZ : TML_FLEX_RY;
    const double y = kind == TML_SHEET_Z ? xi[2] : xi[1];
    const double axis = dy == 0 ? 1.0 : 0.0, arm = dy == 0 ? y : dy == 1 ? 1.0 : 0.0;
    for (int i = 0; i < SIDES * type->vectors; ++i) { // (Z2)
        const TmlFlexKind what = type->kind[i % type->vectors];
        const int k = i / type->vectors;
        s[i] = what == TML_FLEX_R    ? axis * x->h[k]
               : what == TML_FLEX_RX ? axis * x->g[k]
               : what == across      ? arm * x->h[k]
                                     : 0.0;
    }
}

void tml_sheet_weights(const TmlFlexType *type, const TmlFlex *flex, TmlSheetKind kind,
                       const double xi[3], int dx, int dy, double *s)
{
    const Cubics x = cubics_at(flex->size[0], xi[0], dx);
    memset(s, 0, (size_t)(type->nodes * type->vectors) * sizeof *s);
    if (kind == TML_SHEET_PATCH) {
        const Cubics y = cubics_at(flex->size[1], xi[1], dy);
        patch_weights(type, &x, &y, s);
    } else {
        beam_weights(type, kind, &x, xi, dy, s);
    }
}

void tml_sheet_jet(const TmlFlexType *type, const TmlFlex *flex, TmlSheetKind kind,
                   const double xi[3], double s[TML_SHEET_JET][TML_FLEX_MAX_VECTORS])
{
    static const int dx[TML_SHEET_JET] = {0, 1, 0, 2, 1, 0}, dy[TML_SHEET_JET] = {0, 0, 1, 0, 1, 2};
    Cubics x[3], y[3] = {{{0}, {0}}};
    for (int d = 0; d < 3; ++d) {
        x[d] = cubics_at(flex->size[0], xi[0], d);
        if (kind == TML_SHEET_PATCH) {
            y[d] = cubics_at(flex->size[1], xi[1], d);
        }
    }
    for (int k = 0; k < TML_SHEET_JET; ++k) {
        memset(s[k], 0, (size_t)(type->nodes * type->vectors) * sizeof s[k][0]);
        if (kind == TML_SHEET_PATCH) {
            patch_weights(type, &x[dx[k]], &y[dy[k]], s[k]);
        } else {
            beam_weights(type, kind, &x[dx[k]], xi, dy[k], s[k]);
        }
    }
}
