/* model/read/read_inertia.c - the inertia of a rigid body, checked.
 *
 *   (I1)  J' = R J R^T                       from the axes R to body axes
 *   (I2)  J_cm = J_o - m (c.c 1 - c c^T)     from the origin to the centre of mass, Steiner
 *   (I3)  J_1 + J_2 >= J_3                   principal moments of any solid, J_1 >= 0
 */
#include <math.h>

#include "math/principal.h"
#include "math/vec3.h"
#include "model/read/read.h"

/* How far the largest moment may exceed the sum of the others, in parts of itself, and still be
 * taken with a warning. Data of real vehicles go to a tenth: moments of flat parts that were
 * rounded to one digit. Wrong units, places or orders of the entries give a half and more. */
static const double most_excess = 0.2;

static bool inertia_possible(TmlEntry *x, const TmlValue *at, bool solid, const TmlMat33 *J)
{
    const double slack = 1e-9; // relative: rounded input of thin rods and plates must pass
    double w[3];
    TmlMat33 axes;
    tml_principal(J, w, &axes);
    const double least = fmin(w[0], fmin(w[1], w[2])), most = fmax(w[0], fmax(w[1], w[2]));
    const double p[3] = {least, w[0] + w[1] + w[2] - least - most, most}; // ascending
    const double excess = p[2] > 0.0 ? (p[2] - p[0] - p[1]) / p[2] : 0.0; // (I3)
    if (!(p[0] >= -slack * p[2]) || !(p[2] >= 0.0)) {
        tml_entry_error(x, at,
                        "inertia: the principal moments about the centre of mass, %.6g, %.6g, "
                        "%.6g kg m^2, must not be negative",
                        p[0], p[1], p[2]);
        return false;
    }
    if (!solid || excess <= slack) {
        return true;
    }
    static const char *const fmt =
        "inertia: the principal moments about the centre of mass, %.6g, %.6g, %.6g kg m^2, belong "
        "to no solid: the largest exceeds the sum of the others by %.3g %% of itself%s";
    if (excess > most_excess) {
        tml_entry_error(x, at, fmt, p[0], p[1], p[2], 100.0 * excess, "; solid: false takes any");
        return false;
    }
    tml_entry_warning(x, at, fmt, p[0], p[1], p[2], 100.0 * excess, "");
    return true;
}

static bool read_entries(TmlEntry *x, const TmlValue *v, TmlMat33 *J)
{
    double a[6] = {0};
    const bool six = v->kind == TML_VALUE_LIST && v->n == 6;
    if (!tml_read_numbers(x, v, "inertia", six ? 6 : 3,
                          "three numbers [Ixx, Iyy, Izz] or six [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]",
                          a)) {
        return false;
    }
    *J = (TmlMat33){{a[0], a[3], a[4]}, {a[3], a[1], a[5]}, {a[4], a[5], a[2]}};
    return true;
}

bool tml_read_inertia(TmlEntry *x, double mass, TmlVec3 cm, TmlMat33 *J)
{
    const TmlValue *v = tml_value_find(x->value, "inertia");
    const TmlValue *axes = tml_value_find(x->value, "inertia_axes");
    const TmlValue *about = tml_value_find(x->value, "inertia_about");
    if (v == NULL) {
        tml_entry_error(x, x->key,
                        "missing key 'inertia' (kg m^2); a body without rotation is type: point");
        return false;
    }
    TmlMat33 R = m3_identity();
    int origin = 0;
    bool ok = read_entries(x, v, J);
    ok &= axes == NULL || tml_read_rotation(x, axes, "inertia_axes", &R);
    ok &= about == NULL || tml_read_choice(x, about, "inertia_about", "cm|origin", &origin);
    if (!ok) {
        return false;
    }
    // (I1)
    const TmlMat33 Rt = m3_transpose(&R), JRt = m3_mul(J, &Rt);
    *J = m3_mul(&R, &JRt);
    if (origin == 1) { // (I2)
        const double cc = v3_dot(cm, cm);
        const TmlMat33 S = {{cc - cm.x * cm.x, -cm.x * cm.y, -cm.x * cm.z},
                            {-cm.x * cm.y, cc - cm.y * cm.y, -cm.y * cm.z},
                            {-cm.x * cm.z, -cm.y * cm.z, cc - cm.z * cm.z}};
        *J = m3_axpy(-mass, &S, J);
    }
    const TmlValue *word = tml_value_find(x->value, "solid");
    bool solid = true;
    ok = word == NULL || tml_read_bool(x, word, "solid", &solid);
    return ok && inertia_possible(x, v, solid, J); // (I3)
}
