/* adams/translate/translate_bodies.c - PART, POINT_MASS, MARKER.
 *
 * Inertia is given about the marker IM in its axes; with A the axes of IM seen from the part and d
 * from the centre of mass to IM:
 *
 *   (A1)  J = A I A^T - m (d.d 1 - d d^T)
 *
 * Products of inertia are positive integrals: the entries of the matrix are their negatives. The
 * velocity of a part is that of its centre of mass c, its angular velocity stands in the axes of
 * CM:
 *
 *   (A2)  v_o = v - omega x (A_part c)
 */
#include <math.h>
#include <string.h>

#include "adams/flexible/flex_part.h"
#include "adams/translate/fe.h"
#include "math/vec3.h"

/* --- places ----------------------------------------------------------------------------------- */

TmlValue *tml_adm_axes(TmlAdm *adm, TmlAdmSlice at, const TmlMat33 *A)
{
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "z", tml_adm_vec3(adm, at, tml_adm_tidy(A->cz)));
    tml_adm_set(adm, v, "x", tml_adm_vec3(adm, at, tml_adm_tidy(A->cx)));
    return v;
}

/* {euler: "313", angles: [...]} as written, or the axes that points give; NULL: none. */
static TmlValue *rotation_value(TmlAdm *adm, TmlAdmItem *item, const TmlMat33 *A)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "REULER");
    double a[3];
    if (tml_adm_has(item, "RM")) {
        return tml_adm_axes(adm, tml_adm_whole(item), A);
    }
    if (arg != NULL && item->move == NULL && tml_adm_reals(adm, item, "REULER", 3, 3, a) == 3) {
        TmlValue *v = tml_adm_map(adm, arg->value);
        tml_adm_set(adm, v, "euler", tml_adm_scalar(adm, arg->value, "zxz"));
        tml_adm_set(adm, v, "angles", tml_adm_angles(adm, arg->value, a));
        return v;
    }
    if (item->move == NULL && !tml_adm_has(item, "ZP") && !tml_adm_has(item, "XP") &&
        !tml_adm_has(item, "ZG") && !tml_adm_has(item, "XG")) {
        return NULL;
    }
    return tml_adm_axes(adm, tml_adm_whole(item), A);
}

/* rotation NULL: none. */
static void set_place(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlVec3 r, TmlValue *rotation)
{
    if (v3_norm(r) > 0.0) {
        const TmlAdmArg *q = tml_adm_arg(item, "QP");
        q = q != NULL ? q : tml_adm_arg(item, "QG");
        const TmlAdmSlice at = q != NULL ? q->value : tml_adm_whole(item);
        tml_adm_set(adm, v, "position", tml_adm_vec3(adm, at, r));
    }
    if (rotation != NULL) {
        tml_adm_set(adm, v, "rotation", rotation);
    }
}

void tml_adm_set_place(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlVec3 r, const TmlMat33 *A)
{
    set_place(adm, item, v, r, rotation_value(adm, item, A));
}

/* --- parts ------------------------------------------------------------------------------------ */

/* [Ixx Iyy Izz] or these and [Ixy Ixz Iyz]; products as integrals. */
static TmlMat33 inertia_matrix(const double ip[6])
{
    return (TmlMat33){{ip[0], -ip[3], -ip[4]}, {-ip[3], ip[1], -ip[5]}, {-ip[4], -ip[5], ip[2]}};
}

/* A marker of the part itself that an argument names. */
static TmlAdmItem *own_marker(TmlAdm *adm, TmlAdmItem *part, const char *name)
{
    TmlAdmItem *marker = tml_adm_ref(adm, part, name, "MARKER");
    if (marker != NULL && tml_adm_owner(adm, marker) != part) {
        tml_adm_error(adm, part, tml_adm_arg(part, name)->value, "%s: MARKER/%s is on another part",
                      name, marker->id);
        return NULL;
    }
    return marker;
}

bool tml_adm_inertia(TmlAdm *adm, TmlAdmItem *part, double *mass, TmlVec3 *c, TmlMat33 *J)
{
    double ip[6] = {0.0};
    const double unit = adm->mass * adm->length * adm->length;
    TmlAdmItem *cm = tml_adm_ref(adm, part, "CM", "MARKER");
    TmlAdmItem *im = tml_adm_has(part, "IM") ? tml_adm_ref(adm, part, "IM", "MARKER") : cm;
    TmlVec3 r;
    TmlMat33 A, A_cm;
    *mass = tml_adm_real(adm, part, "MASS", 0.0) * adm->mass;
    if (cm == NULL || im == NULL || tml_adm_reals(adm, part, "IP", 3, 6, ip) == 0 ||
        !tml_adm_frame(adm, cm, c, &A_cm) || !tml_adm_frame(adm, im, &r, &A)) {
        return false;
    }
    const TmlMat33 I = inertia_matrix(ip), AI = m3_mul(&A, &I), At = m3_transpose(&A);
    const TmlMat33 about = m3_mul(&AI, &At), here = m3_scale(unit, &about);
    const TmlVec3 d = v3_sub(r, *c);
    const TmlMat33 S = m3_skew_skew(d, d);
    *J = m3_axpy(*mass, &S, &here); // (A1)
    return true;
}

static void set_inertia(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, double mass, TmlAdmItem *cm,
                        TmlVec3 c)
{
    double ip[6] = {0.0};
    const double unit = adm->mass * adm->length * adm->length;
    const int n = tml_adm_reals(adm, item, "IP", 3, 6, ip);
    const TmlAdmArg *arg = tml_adm_arg(item, "IP");
    const TmlAdmSlice at = arg != NULL ? arg->value : tml_adm_whole(item);
    TmlAdmItem *im = own_marker(adm, item, "IM");
    TmlAdmItem *axes = im != NULL ? im : cm;
    TmlVec3 r = c;
    TmlMat33 A = m3_identity();
    for (int k = 0; k < 6; ++k) {
        ip[k] = k < n || (k < 3) ? ip[k] * unit : 0.0;
    }
    if (axes != NULL && !tml_adm_frame(adm, axes, &r, &A)) {
        return;
    }
    const TmlVec3 d = v3_sub(r, c);
    if (v3_norm(d) > 0.0) {
        const TmlMat33 I = inertia_matrix(ip), AI = m3_mul(&A, &I), At = m3_transpose(&A);
        const TmlMat33 S = m3_skew_skew(d, d);                                  // d d^T - d.d 1
        const TmlMat33 about = m3_mul(&AI, &At), J = m3_axpy(mass, &S, &about); // (A1)
        const double j[6] = {J.cx.x, J.cy.y, J.cz.z, J.cy.x, J.cz.x, J.cz.y};
        tml_adm_set(adm, v, "inertia", tml_adm_numbers(adm, at, 6, j));
        tml_adm_set(adm, v, "solid", tml_adm_scalar(adm, at, "false"));
        return;
    }
    if (n > 3 || ip[0] + ip[1] < ip[2] || ip[1] + ip[2] < ip[0] || ip[2] + ip[0] < ip[1]) {
        tml_adm_set(adm, v, "solid", tml_adm_scalar(adm, at, "false")); // Adams takes any
    }
    const double own[6] = {ip[0], ip[1], ip[2], -ip[3], -ip[4], -ip[5]};
    tml_adm_set(adm, v, "inertia", tml_adm_numbers(adm, at, n > 3 ? 6 : 3, own));
    TmlValue *rotation = axes != NULL ? rotation_value(adm, axes, &A) : NULL;
    if (rotation != NULL) {
        tml_adm_set(adm, v, "inertia_axes", rotation);
    }
}

bool tml_adm_rates(TmlAdm *adm, TmlAdmItem *item, const char *const names[3], const char *marker,
                   const TmlMat33 *standard, const TmlMat33 *A_part, TmlVec3 *out)
{
    const TmlVec3 w = {tml_adm_real(adm, item, names[0], 0.0),
                       tml_adm_real(adm, item, names[1], 0.0),
                       tml_adm_real(adm, item, names[2], 0.0)};
    TmlAdmItem *axes = tml_adm_ref(adm, item, marker, "MARKER");
    TmlMat33 A = *standard;
    if (axes != NULL) {
        TmlAdmItem *owner = tml_adm_owner(adm, axes);
        TmlVec3 r;
        TmlMat33 own, base = *A_part;
        if (owner != item && owner != NULL) {
            tml_adm_frame(adm, owner, &r, &base);
        }
        tml_adm_frame(adm, axes, &r, &own);
        A = m3_mul(&base, &own);
    }
    *out = m3_mulv(&A, w);
    return tml_adm_has(item, names[0]) || tml_adm_has(item, names[1]) ||
           tml_adm_has(item, names[2]);
}

static void set_velocity(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlAdmItem *cm, TmlVec3 c,
                         const TmlMat33 *A)
{
    static const char *const linear[3] = {"VX", "VY", "VZ"}, *const angular[3] = {"WX", "WY", "WZ"};
    const TmlMat33 I = m3_identity();
    TmlMat33 own = I;
    TmlVec3 r, velocity, omega;
    if (cm != NULL) {
        tml_adm_frame(adm, cm, &r, &own);
    }
    const TmlMat33 A_cm = m3_mul(A, &own);
    const bool moves = tml_adm_rates(adm, item, linear, "VM", &I, A, &velocity);
    const bool turns = tml_adm_rates(adm, item, angular, "WM", &A_cm, A, &omega);
    omega = v3_scale(1.0 / adm->time, omega);
    velocity = v3_scale(adm->length / adm->time, velocity);
    if (moves || turns) {
        velocity = v3_sub(velocity, v3_cross(omega, m3_mulv(A, c))); // (A2)
        tml_adm_set(adm, v, "velocity", tml_adm_turned(adm, tml_adm_whole(item), velocity));
    }
    if (turns) {
        tml_adm_set(adm, v, "angular_velocity", tml_adm_turned(adm, tml_adm_whole(item), omega));
    }
}

static bool gives_velocity(const TmlAdmItem *part)
{
    static const char *const names[] = {"VX", "VY", "VZ", "WX", "WY", "WZ"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        if (tml_adm_has(part, names[k])) {
            return true;
        }
    }
    return false;
}

bool tml_adm_velocities_open(const TmlAdm *adm)
{
    for (int k = 0; k < adm->n; ++k) {
        const TmlAdmItem *item = &adm->item[k];
        const bool moves = tml_adm_is_fe(item) || tml_adm_is_flex(item) ||
                           (strcmp(item->syntax->name, "PART") == 0 && !tml_adm_is_ground(item));
        if (moves && !gives_velocity(item)) {
            return true;
        }
    }
    return false;
}

/* The axes in which a part gives its angular velocity, global. */
static TmlMat33 spin_axes(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *marker = tml_adm_ref(adm, item, tml_adm_has(item, "WM") ? "WM" : "CM", "MARKER");
    TmlMat33 A = m3_identity();
    TmlVec3 r;
    if (marker == NULL || !tml_adm_global(adm, marker, &r, &A)) {
        tml_adm_frame(adm, item, &r, &A);
    }
    return A;
}

/* Components of the angular velocity that are given: along global axes one by one, else all. */
static int lock_spin(TmlAdm *adm, TmlAdmItem *item, TmlValue **word)
{
    static const char *const given[] = {"WX", "WY", "WZ"}, *const words[] = {"wx", "wy", "wz"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlMat33 A = spin_axes(adm, item);
    const TmlVec3 axis[3] = {A.cx, A.cy, A.cz};
    int n = 0, n_given = 0;
    for (int k = 0; k < 3; ++k) {
        const double c[3] = {fabs(axis[k].x), fabs(axis[k].y), fabs(axis[k].z)};
        n_given += tml_adm_has(item, given[k]);
        for (int m = 0; m < 3 && tml_adm_has(item, given[k]); ++m) {
            if (c[m] > 1.0 - 1e-12) {
                word[n++] = tml_adm_scalar(adm, at, words[m]);
            }
        }
    }
    if (n_given == 3 || n < n_given) {
        word[0] = tml_adm_scalar(adm, at, "omega");
        return 1;
    }
    return n;
}

/* Words for the velocities that a part gives; how many. */
static int lock_velocities(TmlAdm *adm, TmlAdmItem *item, TmlValue **word)
{
    static const char *const given[] = {"VX", "VY", "VZ"}, *const words[] = {"vx", "vy", "vz"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const bool all = tml_adm_has(item, "VX") && tml_adm_has(item, "VY") && tml_adm_has(item, "VZ");
    int n = 0;
    if (!gives_velocity(item) || !adm->velocities_open) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        if (tml_adm_has(item, given[k]) && (all || !tml_adm_has(item, "VM"))) {
            word[n++] = tml_adm_scalar(adm, at, words[k]);
        }
    }
    if (tml_adm_has(item, "WX") || tml_adm_has(item, "WY") || tml_adm_has(item, "WZ")) {
        n += lock_spin(adm, item, word + n);
    }
    return n;
}

/* EXACT = X:Y:Z:PSI:THETA:PHI, and velocities that are given. */
void tml_adm_set_locked(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    const TmlAdmArg *exact = tml_adm_arg(item, "EXACT");
    const char *text = exact != NULL ? tml_adm_copy(adm->arena, exact->value) : "";
    const bool rotates = text != NULL && strpbrk(text, "PpTt") != NULL;
    TmlValue *word[12];
    int n = 0;
    const TmlAdmSlice at = exact != NULL ? exact->value : tml_adm_whole(item);
    static const struct {
        const char *letters, *word;
    } places[] = {{"Xx", "x"}, {"Yy", "y"}, {"Zz", "z"}};
    for (size_t k = 0; text != NULL && k < sizeof places / sizeof *places; ++k) {
        if (strpbrk(text, places[k].letters) != NULL) {
            word[n++] = tml_adm_scalar(adm, at, places[k].word);
        }
    }
    if (rotates) {
        word[n++] = tml_adm_scalar(adm, at, "rotation");
    }
    n += lock_velocities(adm, item, word + n);
    if (item->held) {
        word[n++] = tml_adm_scalar(adm, at, "held");
    }
    if (n > 0 && !adm->nomem) {
        TmlValue *list = tml_value_list(adm->arena, n, word);
        adm->nomem |= list == NULL;
        tml_adm_set(adm, v, "locked", list);
    }
}

void tml_adm_part(TmlAdm *adm, TmlAdmItem *item)
{
    if (tml_adm_is_ground(item)) {
        return;
    }
    const bool point = strcmp(item->syntax->name, "POINT_MASS") == 0;
    const double mass = tml_adm_real(adm, item, "MASS", 0.0) * adm->mass;
    const TmlAdmArg *arg = tml_adm_arg(item, "MASS");
    const TmlAdmSlice whole = tml_adm_whole(item);
    TmlAdmItem *cm = own_marker(adm, item, "CM");
    TmlValue *v = tml_adm_map(adm, whole);
    TmlVec3 r, c = {0}, at_cm;
    TmlMat33 A, A_cm;
    if (mass > 0.0 && cm == NULL && !item->failed && !point) {
        tml_adm_error(adm, item, whole, "a part with mass needs the marker CM");
    }
    if (!tml_adm_frame(adm, item, &r, &A)) {
        return;
    }
    if (cm != NULL && tml_adm_frame(adm, cm, &at_cm, &A_cm)) {
        c = at_cm;
    }
    if (point) { // it does not turn: its markers are written in global axes
        tml_adm_set(adm, v, "type", tml_adm_scalar(adm, whole, "point"));
    }
    tml_adm_set(adm, v, "mass", tml_adm_number(adm, arg != NULL ? arg->value : whole, mass));
    if (!point) {
        if (v3_norm(c) > 0.0) {
            tml_adm_set(adm, v, "cm", tml_adm_vec3(adm, tml_adm_whole(cm), c));
        }
        set_inertia(adm, item, v, mass, cm, c);
    }
    set_place(adm, item, v, r, point ? NULL : rotation_value(adm, item, &A));
    set_velocity(adm, item, v, cm, c, &A);
    tml_adm_set_locked(adm, item, v);
    tml_adm_set(adm, v, "frames", tml_adm_map(adm, whole));
    tml_adm_enter(adm, adm->bodies, item, v);
}

/* --- markers ---------------------------------------------------------------------------------- */

void tml_adm_marker(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice whole = tml_adm_whole(item);
    TmlAdmItem *owner = tml_adm_owner(adm, item);
    TmlVec3 r;
    TmlMat33 A;
    if (item->failed) {
        return;
    }
    if (owner == NULL) {
        const TmlAdmArg *arg = tml_adm_arg(item, "PART");
        arg = arg != NULL ? arg : tml_adm_arg(item, "FE_PART");
        arg = arg != NULL ? arg : tml_adm_arg(item, "FLEX_BODY");
        tml_adm_error(adm, item, arg != NULL ? arg->value : whole,
                      arg != NULL ? "%s: there is no %s/%s"
                                  : "argument PART is missing%.0s%.0s%.0s",
                      arg != NULL ? arg->key->name : "", arg != NULL ? arg->key->name : "",
                      arg != NULL ? tml_adm_id(adm, arg->value) : "");
        return;
    }
    if (tml_adm_is_fe(owner)) {
        tml_adm_fe_marker(adm, item, owner);
        return;
    }
    if (tml_adm_is_flex(owner)) {
        tml_adm_flex_marker(adm, item, owner);
        return;
    }
    if (tml_adm_has(item, "FLOATING") || !tml_adm_frame(adm, item, &r, &A)) {
        return; // a floating marker only names the part that takes a reaction
    }
    TmlValue *v = tml_adm_map(adm, whole);
    if (strcmp(owner->syntax->name, "POINT_MASS") == 0) {
        TmlVec3 ro;
        TmlMat33 Ao, own = A;
        tml_adm_frame(adm, owner, &ro, &Ao);
        r = tml_adm_tidy(m3_mulv(&Ao, r));
        A = m3_mul(&Ao, &own);
        set_place(adm, item, v, r, tml_adm_axes(adm, whole, &A));
    } else {
        set_place(adm, item, v, r, rotation_value(adm, item, &A));
    }
    if (tml_adm_is_ground(owner)) {
        tml_adm_enter(adm, adm->frames, item, v);
        return;
    }
    TmlValue *frames = (TmlValue *)(uintptr_t)tml_value_find(owner->value, "frames");
    if (frames != NULL) {
        tml_adm_enter(adm, frames, item, v);
    }
}
