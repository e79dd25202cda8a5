/* adams/translate_bodies.c - PART, POINT_MASS, MARKER.
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

#include "adams/dataset.h"
#include "math/vec3.h"

/* --- places ----------------------------------------------------------------------------------- */

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
    const TmlAdmArg *part = tml_adm_arg(marker, "PART"), *point = tml_adm_arg(marker, "POINT_MASS");
    const TmlAdmArg *arg = part != NULL ? part : point;
    if (arg == NULL) {
        return NULL;
    }
    return tml_adm_find(adm, part != NULL ? "PART" : "POINT_MASS", tml_adm_id(adm, arg->value));
}

/* Body-fixed 3-1-3. */
static TmlMat33 euler_313(const double a[3])
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
    TmlVec3 z, x;
    *r = v3(0, 0, 0);
    *A = m3_identity();
    read_point(adm, item, part ? "QG" : "QP", r);
    if (tml_adm_reals(adm, item, "REULER", 3, 3, a) == 3) {
        *A = euler_313(a);
    }
    const bool has_z = read_point(adm, item, point_z, &z);
    const bool has_x = read_point(adm, item, point_x, &x);
    if (!has_z && !has_x) {
        return !item->failed;
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

bool tml_adm_frame(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A)
{
    if (!written_frame(adm, item, r, A)) {
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

/* {euler: "313", angles: [...]} as written, or the axes that points give; NULL: none. */
static TmlValue *rotation_value(TmlAdm *adm, TmlAdmItem *item, const TmlMat33 *A)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "REULER");
    double a[3];
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
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    tml_adm_set(adm, v, "z", tml_adm_vec3(adm, tml_adm_whole(item), A->cz));
    tml_adm_set(adm, v, "x", tml_adm_vec3(adm, tml_adm_whole(item), A->cx));
    return v;
}

static void set_place(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlVec3 r, const TmlMat33 *A)
{
    TmlValue *rotation = rotation_value(adm, item, A);
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

/* Three arguments as a vector in the axes of a marker, or of `standard`. */
static bool read_rates(TmlAdm *adm, TmlAdmItem *item, const char *const names[3],
                       const char *marker, const TmlMat33 *standard, const TmlMat33 *A_part,
                       TmlVec3 *out)
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
    const bool moves = read_rates(adm, item, linear, "VM", &I, A, &velocity);
    const bool turns = read_rates(adm, item, angular, "WM", &A_cm, A, &omega);
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

/* Does some moving part leave its velocity open? Then the given ones must not be shared out. */
static bool velocities_open(const TmlAdm *adm)
{
    for (int k = 0; k < adm->n; ++k) {
        const TmlAdmItem *item = &adm->item[k];
        if (strcmp(item->syntax->name, "PART") == 0 && !tml_adm_is_ground(item) &&
            !gives_velocity(item)) {
            return true;
        }
    }
    return false;
}

/* Words for the velocities that a part gives; how many. */
static int lock_velocities(TmlAdm *adm, TmlAdmItem *item, TmlValue **word)
{
    static const char *const given[] = {"VX", "VY", "VZ"}, *const words[] = {"vx", "vy", "vz"};
    const TmlAdmSlice at = tml_adm_whole(item);
    int n = 0;
    if (!gives_velocity(item) || !velocities_open(adm)) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        if (tml_adm_has(item, given[k]) && !tml_adm_has(item, "VM")) {
            word[n++] = tml_adm_scalar(adm, at, words[k]);
        }
    }
    if (tml_adm_has(item, "WX") || tml_adm_has(item, "WY") || tml_adm_has(item, "WZ")) {
        word[n++] = tml_adm_scalar(adm, at, "omega");
    }
    return n;
}

/* EXACT = X:Y:Z:PSI:THETA:PHI, and velocities that are given. */
static void set_locked(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    const TmlAdmArg *exact = tml_adm_arg(item, "EXACT");
    const char *text = exact != NULL ? tml_adm_copy(adm->arena, exact->value) : "";
    const bool rotates = text != NULL && strpbrk(text, "PpTt") != NULL;
    TmlValue *word[8];
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
    if (point) {
        tml_adm_set(adm, v, "type", tml_adm_scalar(adm, whole, "point"));
        A = m3_identity();
    }
    tml_adm_set(adm, v, "mass", tml_adm_number(adm, arg != NULL ? arg->value : whole, mass));
    if (!point) {
        if (v3_norm(c) > 0.0) {
            tml_adm_set(adm, v, "cm", tml_adm_vec3(adm, tml_adm_whole(cm), c));
        }
        set_inertia(adm, item, v, mass, cm, c);
    }
    set_place(adm, item, v, r, &A);
    set_velocity(adm, item, v, cm, c, &A);
    set_locked(adm, item, v);
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
        tml_adm_error(adm, item, arg != NULL ? arg->value : whole,
                      arg != NULL ? "PART: there is no PART/%s" : "argument PART is missing%.0s",
                      arg != NULL ? tml_adm_id(adm, arg->value) : "");
        return;
    }
    if (tml_adm_has(item, "FLOATING") || !tml_adm_frame(adm, item, &r, &A)) {
        return; // a floating marker only names the part that takes a reaction
    }
    TmlValue *v = tml_adm_map(adm, whole);
    set_place(adm, item, v, r, &A);
    if (tml_adm_is_ground(owner)) {
        tml_adm_enter(adm, adm->frames, item, v);
        return;
    }
    TmlValue *body = (TmlValue *)(uintptr_t)tml_value_find(adm->bodies, owner->name);
    TmlValue *frames = (TmlValue *)(uintptr_t)tml_value_find(body, "frames");
    if (frames != NULL) {
        tml_adm_enter(adm, frames, item, v);
    }
}
