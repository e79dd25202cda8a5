/* model/read/read_rotation.c - the ways to write an orientation.
 *
 *   {axis: z, angle: 30 deg}
 *   {euler_parameters: [e0, e1, e2, e3]}
 *   {euler: "313", angles: [a, b, c], fixed: false}
 *   {x: vec, y: vec} or any other two axes, the first exact, the second made perpendicular
 *   {matrix: [[..], [..], [..]]}          rows
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/read/read.h"

/* Numbers of a rotation are often written with seven digits; what is off by more is a mistake. */
static const double rounded = 1e-6;

static bool from_axis_angle(TmlEntry *x, const TmlValue *v, const char *what, TmlMat33 *out)
{
    const TmlValue *axis = tml_value_find(v, "axis"), *angle = tml_value_find(v, "angle");
    if (axis == NULL || angle == NULL) {
        tml_entry_error(x, v, "%s: 'axis' and 'angle' go together", what);
        return false;
    }
    TmlVec3 n;
    double a;
    const bool ok = tml_read_direction(x, axis, "axis", &n);
    if (!tml_read_number(x, angle, "angle", &a) || !ok) {
        return false;
    }
    *out = q4_matrix(
        (TmlQuat){cos(0.5 * a), sin(0.5 * a) * n.x, sin(0.5 * a) * n.y, sin(0.5 * a) * n.z});
    return true;
}

static bool from_parameters(TmlEntry *x, const TmlValue *v, TmlMat33 *out)
{
    double e[4];
    if (!tml_read_numbers(x, v, "euler_parameters", 4, "a list of four numbers", e)) {
        return false;
    }
    const double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(fabs(norm - 1.0) <= rounded)) {
        tml_entry_error(x, v, "euler_parameters: their norm must be 1, it is %.9g", norm);
        return false;
    }
    *out = q4_matrix((TmlQuat){e[0], e[1], e[2], e[3]});
    return true;
}

static TmlMat33 about_axis(int axis, double angle)
{
    const double h = 0.5 * angle, s = sin(h);
    return q4_matrix(
        (TmlQuat){cos(h), axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0});
}

/* Three axes written as 1, 2, 3 or x, y, z; neighbours differ. */
static bool read_sequence(TmlEntry *x, const TmlValue *v, int axis[3])
{
    const char *text = tml_read_text(x, v, "euler");
    if (text == NULL) {
        return false;
    }
    bool ok = strlen(text) == 3;
    for (int k = 0; ok && k < 3; ++k) {
        axis[k] = text[k] >= '1' && text[k] <= '3'   ? text[k] - '1'
                  : text[k] >= 'x' && text[k] <= 'z' ? text[k] - 'x'
                                                     : -1;
        ok = axis[k] >= 0 && (k == 0 || axis[k] != axis[k - 1]);
    }
    if (!ok) {
        tml_entry_error(x, v,
                        "euler: expected three axes such as 313 or xyz, neighbours different, "
                        "got '%s'",
                        text);
    }
    return ok;
}

static bool from_euler(TmlEntry *x, const TmlValue *v, const char *what, TmlMat33 *out)
{
    const TmlValue *sequence = tml_value_find(v, "euler"), *angles = tml_value_find(v, "angles");
    const TmlValue *fixed = tml_value_find(v, "fixed");
    if (sequence == NULL || angles == NULL) {
        tml_entry_error(x, v, "%s: 'euler' and 'angles' go together", what);
        return false;
    }
    int axis[3];
    double a[3];
    bool space = false;
    bool ok = read_sequence(x, sequence, axis);
    ok &= tml_read_numbers(x, angles, "angles", 3, "a list of three numbers", a);
    ok &= fixed == NULL || tml_read_bool(x, fixed, "fixed", &space);
    if (!ok) {
        return false;
    }
    TmlMat33 A = m3_identity();
    for (int k = 0; k < 3; ++k) {
        const TmlMat33 R = about_axis(axis[k], a[k]);
        A = space ? m3_mul(&R, &A) : m3_mul(&A, &R);
    }
    *out = A;
    return true;
}

static TmlVec3 *column(TmlMat33 *A, int k)
{
    return k == 0 ? &A->cx : k == 1 ? &A->cy : &A->cz;
}

/* Two axes in the order in which they are written. */
static bool from_axes(TmlEntry *x, const TmlValue *v, const char *what, TmlMat33 *out)
{
    int which[3], n = 0;
    TmlVec3 given[3];
    bool ok = true;
    for (int k = 0; k < v->n; ++k) {
        const char *key = v->key[k]->text;
        if (key[0] >= 'x' && key[0] <= 'z' && key[1] == '\0' && n < 3) {
            which[n] = key[0] - 'x';
            ok &= tml_read_direction(x, v->item[k], key, &given[n]);
            n++;
        }
    }
    if (n != 2) {
        tml_entry_error(x, v, "%s: exactly two of x, y, z are needed", what);
        return false;
    }
    if (!ok) {
        return false;
    }
    const TmlVec3 rest = v3_axpy(-v3_dot(given[0], given[1]), given[0], given[1]);
    if (v3_norm(rest) <= 1e-9) { // sine of the angle between unit vectors
        tml_entry_error(x, v, "%s: the two axes are parallel", what);
        return false;
    }
    const int third = 3 - which[0] - which[1];
    *column(out, which[0]) = given[0];
    *column(out, which[1]) = v3_unit(rest);
    // right-handed: the third is the cyclic product of the other two
    *column(out, third) = v3_cross(*column(out, (third + 1) % 3), *column(out, (third + 2) % 3));
    return true;
}

static bool from_matrix(TmlEntry *x, const TmlValue *v, TmlMat33 *out)
{
    double a[3][3];
    if (v->kind != TML_VALUE_LIST || v->n != 3) {
        tml_entry_expected(x, v, "matrix", "three rows of three numbers");
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        if (!tml_read_numbers(x, v->item[k], "matrix", 3, "a row of three numbers", a[k])) {
            return false;
        }
    }
    TmlMat33 A = {
        {a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}};
    const TmlMat33 G = m3_tmul(&A, &A);
    const double off =
        fmax(fmax(fabs(G.cx.x - 1.0), fabs(G.cy.y - 1.0)),
             fmax(fabs(G.cz.z - 1.0), fmax(fabs(G.cy.x), fmax(fabs(G.cz.x), fabs(G.cz.y)))));
    if (!(off <= rounded) || v3_dot(A.cx, v3_cross(A.cy, A.cz)) < 0.0) {
        tml_entry_error(x, v, "matrix: not a rotation (A^T A differs from 1 by %.3g%s)", off,
                        off <= rounded ? ", and it mirrors" : "");
        return false;
    }
    *out = q4_matrix(q4_from_matrix(&A)); // exactly orthonormal
    return true;
}

bool tml_read_rotation(TmlEntry *x, const TmlValue *v, const char *what, TmlMat33 *out)
{
    if (v->kind != TML_VALUE_MAP) {
        tml_entry_expected(x, v, what, "a map such as {axis: z, angle: 30 deg}");
        return false;
    }
    static const struct {
        const char *key;
        int form;
    } forms[] = {{"axis", 0},  {"angle", 0},  {"euler_parameters", 1},
                 {"euler", 2}, {"angles", 2}, {"fixed", 2},
                 {"x", 3},     {"y", 3},      {"z", 3},
                 {"matrix", 4}};
    const bool before = x->bad;
    x->bad = false;
    tml_read_keys(x, v, tml_keys_rotation, NULL, NULL);
    const bool unknown = x->bad;
    x->bad |= before;
    if (unknown) {
        return false;
    }
    int form = -1;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
        if (tml_value_find(v, forms[k].key) == NULL) {
            continue;
        }
        if (form >= 0 && form != forms[k].form) {
            tml_entry_error(x, v, "%s: '%s' does not belong to the way the rotation is given", what,
                            forms[k].key);
            return false;
        }
        form = forms[k].form;
    }
    switch (form) {
    case 0:
        return from_axis_angle(x, v, what, out);
    case 1:
        return from_parameters(x, tml_value_find(v, "euler_parameters"), out);
    case 2:
        return from_euler(x, v, what, out);
    case 3:
        return from_axes(x, v, what, out);
    case 4:
        return from_matrix(x, tml_value_find(v, "matrix"), out);
    default:
        *out = m3_identity(); // an empty map turns nothing
        return true;
    }
}
