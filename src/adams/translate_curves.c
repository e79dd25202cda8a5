/* adams/translate_curves.c - CURVE, PTCV, CVCV. */
#include <math.h>
#include <string.h>

#include "adams/dataset.h"
#include "math/vec3.h"

/* Points of the MATRIX; a last one that repeats the first is left out of closed curves. */
static TmlValue *curve_points(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *matrix)
{
    int rows, cols;
    double *x = tml_adm_matrix(adm, matrix, &rows, &cols);
    const TmlAdmSlice at = tml_adm_whole(matrix);
    if (x == NULL || cols != 3) {
        if (x != NULL) {
            tml_adm_error(adm, item, tml_adm_arg(item, "MATRIX")->value,
                          "MATRIX/%s must have three columns, x, y and z of points", matrix->id);
        }
        item->failed = true;
        return NULL;
    }
    const double *last = x + 3 * (ptrdiff_t)(rows - 1);
    const bool repeated = x[0] == last[0] && x[1] == last[1] && x[2] == last[2];
    const int n = tml_adm_has(item, "CLOSED") && repeated ? rows - 1 : rows;
    TmlValue **point = tml_arena_alloc(adm->arena, (size_t)rows, sizeof *point);
    adm->nomem |= point == NULL;
    for (int k = 0; k < 3 * n && !adm->nomem; ++k) {
        x[k] *= adm->length;
    }
    for (int k = 0; k < n && !adm->nomem; ++k) {
        point[k] = tml_adm_numbers(adm, at, 3, x + 3 * (ptrdiff_t)k);
    }
    return tml_adm_list(adm, at, n, point);
}

void tml_adm_curve(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    const double order = tml_adm_real(adm, item, "ORDER", 4.0);
    if (function != NULL) {
        tml_adm_error(adm, item, function->value,
                      "not supported yet: a curve by a user-written routine; points that follow it "
                      "would move freely");
        return;
    }
    TmlAdmItem *matrix = tml_adm_need(adm, item, "MATRIX", "MATRIX");
    if (matrix == NULL || item->failed) {
        return;
    }
    if (!tml_adm_has(item, "CURVE_POINTS")) {
        tml_adm_error(
            adm, item, tml_adm_whole(item),
            "not supported yet: a curve by control points; CURVE_POINTS gives points that "
            "it goes through");
        return;
    }
    if (order != 4.0) {
        tml_adm_error(adm, item, tml_adm_arg(item, "ORDER")->value,
                      "not supported yet: ORDER other than 4; the curve would have another shape "
                      "between its points");
        return;
    }
    TmlValue *points = curve_points(adm, item, matrix);
    if (points == NULL) {
        return;
    }
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    tml_adm_set(adm, v, "points", points);
    if (tml_adm_has(item, "CLOSED")) {
        tml_adm_set(adm, v, "closed", tml_adm_scalar(adm, tml_adm_whole(item), "true"));
    }
    tml_adm_enter(adm, adm->paths, item, v);
}

/* The frame that carries a curve: RM, or the part of the floating marker. NULL: reported. */
static const char *carrier(TmlAdm *adm, TmlAdmItem *item, const char *floating, const char *rm)
{
    TmlAdmItem *marker = tml_adm_ref(adm, item, rm, "MARKER");
    TmlAdmItem *at =
        marker == NULL && !item->failed ? tml_adm_need(adm, item, floating, "MARKER") : NULL;
    TmlAdmItem *part = at != NULL ? tml_adm_owner(adm, at) : NULL;
    return marker != NULL ? marker->path : part != NULL ? tml_adm_body_name(part) : NULL;
}

/* A point in the axes of the curve near which the joint begins. */
static void set_near(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *name)
{
    double x[3];
    if (tml_adm_reals(adm, item, name, 3, 3, x) == 3) {
        const TmlVec3 r = v3_scale(adm->length, v3(x[0], x[1], x[2]));
        tml_adm_set(adm, v, "near", tml_adm_vec3(adm, tml_adm_arg(item, name)->value, r));
    }
}

void tml_adm_ptcv(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlAdmItem *i = tml_adm_need(adm, item, "I", "MARKER");
    TmlAdmItem *curve = tml_adm_need(adm, item, "CURVE", "CURVE");
    const char *on = carrier(adm, item, "JFLOAT", "RM");
    if (i == NULL || curve == NULL || on == NULL || item->failed || curve->failed) {
        return; // what is wrong with the curve is told there
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "point_on_path"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, on, i->path));
    tml_adm_set(adm, v, "path", tml_adm_scalar(adm, at, curve->name));
    set_near(adm, item, v, "DISPLACEMENT_IC");
    tml_adm_enter(adm, adm->joints, item, v);
}

void tml_adm_cvcv(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlAdmItem *first = tml_adm_need(adm, item, "JCURVE", "CURVE");
    TmlAdmItem *second = tml_adm_need(adm, item, "ICURVE", "CURVE");
    const char *on_j = carrier(adm, item, "JFLOAT", "JRM");
    const char *on_i = carrier(adm, item, "IFLOAT", "IRM");
    if (first == NULL || second == NULL || on_i == NULL || on_j == NULL || item->failed ||
        first->failed || second->failed) {
        return;
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "path_on_path"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, on_j, on_i));
    tml_adm_set(adm, v, "path", tml_adm_scalar(adm, at, first->name));
    tml_adm_set(adm, v, "second_path", tml_adm_scalar(adm, at, second->name));
    set_near(adm, item, v, "J_DISPLACEMENT_IC");
    tml_adm_enter(adm, adm->joints, item, v);
}
