/* adams/translate/places.c - where markers and parts stand: QP, REULER, ZP, XP, RM; which part has a marker.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/flexible/flex_part.h"
#include "adams/translate/fe.h"
#include "math/vec3.h"

bool tml_adm_is_ground(const TmlAdmItem *part)
{
    return tml_adm_has(part, "GROUND");
}

const char *tml_adm_body_name(const TmlAdmItem *part)
{
    return tml_adm_is_ground(part) ? "ground" : part->name;
}

TmlAdmItem *tml_adm_owner(TmlAdm *adm, TmlAdmItem *marker)
{
    static const char *const kinds[] = {"PART", "POINT_MASS", "FE_PART", "FLEX_BODY"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(marker, kinds[k]);
        if (arg != NULL) {
            return tml_adm_find(adm, kinds[k], tml_adm_id(adm, arg->value));
        }
    }
    return marker->behind;
}

const char *tml_adm_carrier(TmlAdm *adm, TmlAdmItem *marker)
{
    const TmlAdmItem *part = tml_adm_owner(adm, marker);
    const bool node = part != NULL && (tml_adm_is_fe(part) ||
                                       (tml_adm_is_flex(part) && tml_adm_has(marker, "NODE_ID")));
    return part == NULL ? NULL : node ? marker->path : tml_adm_body_name(part);
}

TmlMat33 tml_adm_euler(const double a[3])
{
    const TmlQuat z1 = q4_exp(v3(0, 0, a[0])), x = q4_exp(v3(a[1], 0, 0)),
                  z2 = q4_exp(v3(0, 0, a[2]));
    return q4_matrix(q4_mul(q4_mul(z1, x), z2));
}

/* Axes from a point on z and a point in the xz plane; exact_x: the other way round. */
static bool axes_from_points(TmlVec3 r, TmlVec3 z, TmlVec3 x, bool exact_x, TmlMat33 *A)
{
    const TmlVec3 dz = v3_sub(z, r), dx = v3_sub(x, r);
    if (v3_norm(v3_cross(dz, dx)) <= 1e-12 * v3_norm(dz) * v3_norm(dx)) {
        return false;
    }
    const TmlVec3 y = v3_unit(v3_cross(dz, dx));
    if (exact_x) {
        A->cx = v3_unit(dx);
        A->cz = v3_cross(A->cx, y);
    } else {
        A->cz = v3_unit(dz);
        A->cx = v3_cross(y, A->cz);
    }
    A->cy = y;
    return true;
}

static bool read_point(TmlAdm *adm, TmlAdmItem *item, const char *name, TmlVec3 *out)
{
    double x[3];
    const bool given = tml_adm_reals(adm, item, name, 3, 3, x) == 3;
    if (given) {
        *out = v3_scale(adm->length, v3(x[0], x[1], x[2]));
    }
    return given;
}

/* Place as the statement has it. */
static bool written_frame(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A)
{
    const bool part = tml_adm_has(item, "QG") || strcmp(item->syntax->name, "MARKER") != 0;
    const char *point_z = part ? "ZG" : "ZP", *point_x = part ? "XG" : "XP";
    double a[3];
    TmlVec3 z = {0}, x = {0};
    *r = v3(0, 0, 0);
    *A = m3_identity();
    if (!read_point(adm, item, part ? "QG" : "QP", r) && !part && !tml_adm_has(item, "RM")) {
        tml_adm_flex_place(adm, item, r);
    }
    if (tml_adm_reals(adm, item, "REULER", 3, 3, a) == 3) {
        *A = tml_adm_euler(a);
    }
    const bool has_z = read_point(adm, item, point_z, &z);
    const bool has_x = read_point(adm, item, point_x, &x);
    if (!has_z && !has_x) {
        return !item->failed;
    }
    if (tml_adm_has(item, "REULER")) {
        tml_adm_error(adm, item, tml_adm_arg(item, "REULER")->name,
                      "REULER and %s exclude each other", has_z ? point_z : point_x);
        return false;
    }
    // the point that is missing: some direction that is not parallel to the other
    const TmlVec3 d = v3_sub(has_z ? z : x, *r);
    const TmlVec3 other = v3_add(*r, fabs(d.x) > 0.9 * v3_norm(d) ? v3(0, 1, 0) : v3(1, 0, 0));
    const bool exact_x = tml_adm_has(item, "USEXP") || !has_z;
    if (!axes_from_points(*r, has_z ? z : other, has_x ? x : other, exact_x, A)) {
        tml_adm_error(adm, item, tml_adm_arg(item, has_z ? point_z : point_x)->value,
                      "the origin, %s and %s are on one line", point_z, point_x);
        return false;
    }
    return !item->failed;
}

/* What products of rotations leave behind fourteen digits of a vector taken away. */
static double tidy(double x, double size)
{
    char text[40];
    snprintf(text, sizeof text, "%.14g", fabs(x) < 2e-15 * size ? 0.0 : x);
    const double y = strtod(text, NULL);
    return fabs(y - x) <= 4e-15 * size ? y : x;
}

TmlVec3 tml_adm_tidy(TmlVec3 v)
{
    const double size = v3_norm(v);
    return v3(tidy(v.x, size), tidy(v.y, size), tidy(v.z, size));
}

/* A marker that is written in the axes of another one of its part, RM. */
static bool referred_frame(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A)
{
    TmlAdmItem *rm = item;
    for (int depth = 0; tml_adm_has(rm, "RM"); ++depth) {
        TmlVec3 d;
        TmlMat33 B;
        TmlAdmItem *next = tml_adm_ref(adm, rm, "RM", "MARKER");
        if (next == NULL || depth > adm->n ||
            tml_adm_owner(adm, next) != tml_adm_owner(adm, item)) {
            if (next != NULL) {
                tml_adm_error(adm, item, tml_adm_arg(item, "RM")->value,
                              depth > adm->n ? "RM leads back to MARKER/%s itself"
                                             : "RM: MARKER/%s is on another part",
                              depth > adm->n ? item->id : next->id);
            }
            return false;
        }
        rm = next;
        if (!written_frame(adm, rm, &d, &B)) {
            return false;
        }
        *r = tml_adm_tidy(v3_add(d, m3_mulv(&B, *r)));
        *A = m3_mul(&B, A);
    }
    return true;
}

bool tml_adm_frame(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A)
{
    const bool marker = strcmp(item->syntax->name, "MARKER") == 0;
    if (!written_frame(adm, item, r, A) || (marker && !referred_frame(adm, item, r, A))) {
        return false;
    }
    if (item->move != NULL) {
        *r = v3_add(m3_mulv(&item->move->R, *r), item->move->d);
        *A = m3_mul(&item->move->R, A);
    }
    return true;
}

bool tml_adm_global(TmlAdm *adm, TmlAdmItem *marker, TmlVec3 *r, TmlMat33 *A)
{
    TmlAdmItem *part = tml_adm_owner(adm, marker);
    TmlVec3 rp, rm;
    TmlMat33 Ap, Am;
    if (part == NULL || !tml_adm_frame(adm, part, &rp, &Ap) ||
        !tml_adm_frame(adm, marker, &rm, &Am)) {
        return false;
    }
    *r = v3_add(rp, m3_mulv(&Ap, rm));
    *A = m3_mul(&Ap, &Am);
    return true;
}
