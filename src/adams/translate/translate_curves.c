/* adams/translate/translate_curves.c - CURVE, PTCV, CVCV. */
#include <math.h>
#include <string.h>

#include "adams/dataset/dataset.h"
#include "math/vec3.h"
#include "model/path/path.h"

TmlVec3 *tml_adm_curve_points(TmlAdm *adm, TmlAdmItem *item, int *n)
{
    TmlAdmItem *matrix = tml_adm_need(adm, item, "MATRIX", "MATRIX");
    int rows = 0, cols;
    double *x = matrix != NULL ? tml_adm_matrix(adm, matrix, &rows, &cols) : NULL;
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
    TmlVec3 *point = tml_arena_alloc(adm->arena, (size_t)rows, sizeof *point);
    *n = tml_adm_has(item, "CLOSED") && repeated ? rows - 1 : rows;
    adm->nomem |= point == NULL;
    for (int k = 0; k < *n && !adm->nomem; ++k) {
        point[k] = v3_scale(adm->length, v3(x[3 * k], x[3 * k + 1], x[3 * k + 2]));
    }
    return point;
}

/* The points as they are written. */
static TmlValue *curve_points(TmlAdm *adm, TmlAdmItem *item, const TmlAdmItem *matrix)
{
    int n;
    const TmlVec3 *x = tml_adm_curve_points(adm, item, &n);
    const TmlAdmSlice at = tml_adm_whole(matrix);
    TmlValue **point =
        x != NULL ? tml_arena_alloc(adm->arena, (size_t)n, sizeof *point) : (TmlValue **)NULL;
    adm->nomem |= x != NULL && point == NULL;
    for (int k = 0; point != NULL && k < n; ++k) {
        point[k] = tml_adm_numbers(adm, at, 3, (const double[3]){x[k].x, x[k].y, x[k].z});
    }
    return point != NULL ? tml_adm_list(adm, at, n, point) : NULL;
}

void tml_adm_curve(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    const double order = tml_adm_real(adm, item, "ORDER", TML_PATH_ORDER);
    const TmlAdmSlice whole = tml_adm_whole(item);
    if (function != NULL) {
        tml_adm_user_curve(adm, item);
        return;
    }
    TmlAdmItem *matrix = tml_adm_need(adm, item, "MATRIX", "MATRIX");
    if (matrix == NULL || item->failed) {
        return;
    }
    if (order < 2.0 || order > TML_PATH_MAX_ORDER || order != floor(order)) {
        tml_adm_error(adm, item, tml_adm_arg(item, "ORDER")->value,
                      "expected an ORDER from 2 to %d: the degree of the pieces and 1",
                      TML_PATH_MAX_ORDER);
        return;
    }
    TmlValue *points = curve_points(adm, item, matrix);
    if (points == NULL) {
        return;
    }
    const bool control = !tml_adm_has(item, "CURVE_POINTS");
    if (control && !tml_adm_has(item, "CONTROL_POINTS")) {
        tml_adm_note(adm, item, whole,
                     "without CURVE_POINTS the points of MATRIX/%s are control points, which the "
                     "curve does not go through",
                     matrix->id);
    }
    if (order == 2.0 && !item->failed) {
        tml_adm_note(adm, item, tml_adm_arg(item, "ORDER")->value,
                     "ORDER = 2 is a polygon: velocities jump at its corners");
    }
    TmlValue *v = tml_adm_map(adm, whole);
    tml_adm_set(adm, v, control ? "control_points" : "points", points);
    if (tml_adm_has(item, "CLOSED")) {
        tml_adm_set(adm, v, "closed", tml_adm_scalar(adm, whole, "true"));
    }
    if (order != TML_PATH_ORDER) {
        tml_adm_set(adm, v, "order", tml_adm_number(adm, whole, order));
    }
    tml_adm_enter(adm, adm->paths, item, v);
}

/* The frame that carries a curve: RM, or the part of the floating marker. NULL: reported. */
static const char *carrier(TmlAdm *adm, TmlAdmItem *item, const char *floating, const char *rm)
{
    TmlAdmItem *marker = tml_adm_ref(adm, item, rm, "MARKER");
    TmlAdmItem *at =
        marker == NULL && !item->failed ? tml_adm_need(adm, item, floating, "MARKER") : NULL;
    return marker != NULL ? marker->path : at != NULL ? tml_adm_carrier(adm, at) : NULL;
}

/* Where the contact begins: a point in the axes of the marker `axes` of the part that carries the
 * curve, else in those of the curve; it stays there. */
static void set_start(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *const names[4],
                      const char *const keys[2])
{
    TmlAdmItem *axes = tml_adm_ref(adm, item, names[1], "MARKER");
    TmlAdmItem *rm = tml_adm_ref(adm, item, names[3], "MARKER");
    const TmlAdmArg *speed = tml_adm_arg(item, names[2]);
    double x[3];
    const bool given = tml_adm_reals(adm, item, names[0], 3, 3, x) == 3;
    if (given) {
        TmlVec3 r = v3_scale(adm->length, v3(x[0], x[1], x[2])), ra, rr = {0};
        TmlMat33 Aa, Ar = m3_identity();
        if (axes != NULL && tml_adm_frame(adm, axes, &ra, &Aa) &&
            (rm == NULL || tml_adm_frame(adm, rm, &rr, &Ar))) {
            r = m3_tmulv(&Ar, v3_sub(v3_add(ra, m3_mulv(&Aa, r)), rr)); // both on one part
        }
        tml_adm_set(adm, v, keys[0], tml_adm_vec3(adm, tml_adm_arg(item, names[0])->value, r));
    }
    if (speed != NULL) {
        const double rate = tml_adm_real(adm, item, names[2], 0.0) * adm->length / adm->time;
        tml_adm_set(adm, v, keys[1], tml_adm_number(adm, speed->value, rate));
    }
    if ((given || speed != NULL) && tml_value_find(v, "keep") == NULL) {
        tml_adm_set(adm, v, "keep", tml_adm_scalar(adm, tml_adm_whole(item), "true"));
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
    set_start(adm, item, v, (const char *const[4]){"DISP", "ICM", "VEL", "RM"},
              (const char *const[2]){"near", "rate"});
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
    set_start(adm, item, v, (const char *const[4]){"JDISP", "JICM", "JVEL", "JRM"},
              (const char *const[2]){"near", "rate"});
    set_start(adm, item, v, (const char *const[4]){"IDISP", "IICM", "IVEL", "IRM"},
              (const char *const[2]){"second_near", "second_rate"});
    tml_adm_enter(adm, adm->joints, item, v);
}
