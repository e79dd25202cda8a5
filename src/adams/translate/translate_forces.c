/* adams/translate/translate_forces.c - SFORCE, SPRINGDAMPER, VFORCE, VTORQUE, GFORCE, BUSHING. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "adams/dataset/dataset.h"

/* The expression of an argument in SI; NULL: reported. */
static TmlValue *need_function(TmlAdm *adm, TmlAdmItem *item, const char *name, double unit)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", name);
        return NULL;
    }
    const char *text = tml_adm_expression(adm, item, arg->value);
    return text != NULL ? tml_adm_scalar(adm, arg->value, tml_adm_scaled(adm, text, unit)) : NULL;
}

/* ACTIONONLY: on I, along or about z of J, which only gives the direction. */
static void action_only(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *i, TmlAdmItem *j, bool turns)
{
    static const char *const axes[3] = {"X", "Y", "Z"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *arg = tml_adm_arg(item, "FUNCTION");
    const double unit = turns ? adm->force * adm->length : adm->force;
    TmlValue *v = tml_adm_map(adm, at), *text = need_function(adm, item, "FUNCTION", unit);
    if (text == NULL) {
        return;
    }
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, turns ? "torque" : "force"));
    tml_adm_set(adm, v, "frame", tml_adm_scalar(adm, at, i->path));
    for (int k = 0; k < 3; ++k) {
        const char key[3] = {turns ? 't' : 'f', (char)('x' + k), '\0'};
        const char *component = tml_arena_printf(adm->arena, "%s*C%sZ(%s)",
                                                 tml_adm_factor(adm, text->text), axes[k], j->path);
        adm->nomem |= component == NULL;
        if (component != NULL) {
            tml_adm_set(adm, v, key, tml_adm_scalar(adm, arg->value, component));
        }
    }
    tml_adm_enter(adm, adm->forces, item, v);
}

void tml_adm_sforce(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *i, *j;
    const TmlAdmSlice at = tml_adm_whole(item);
    const bool turns = tml_adm_has(item, "ROTATIONAL");
    if (!tml_adm_need_ends(adm, item, &i, &j)) {
        return;
    }
    if (tml_adm_has(item, "ACTIONONLY")) {
        action_only(adm, item, i, j, turns);
        return;
    }
    // positive pushes the markers apart: our springs pull
    const double unit = turns ? adm->force * adm->length : -adm->force;
    TmlValue *v = tml_adm_map(adm, at), *text = need_function(adm, item, "FUNCTION", unit);
    if (text == NULL) {
        return;
    }
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, turns ? "rotational_spring" : "spring"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, j->path, i->path));
    tml_adm_set(adm, v, "expression", text);
    tml_adm_enter(adm, adm->forces, item, v);
}

static void set_real(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *name, const char *key,
                     double unit)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg != NULL) {
        const double value = tml_adm_real(adm, item, name, 0.0) * unit;
        tml_adm_set(adm, v, key, tml_adm_number(adm, arg->value, value));
    }
}

void tml_adm_springdamper(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *i, *j;
    const TmlAdmSlice at = tml_adm_whole(item);
    const bool turns = tml_adm_has(item, "ROTATION") || tml_adm_has(item, "ROTATIONAL");
    const double F = adm->force, L = adm->length, T = adm->time;
    TmlValue *v = tml_adm_map(adm, at);
    if (!tml_adm_need_ends(adm, item, &i, &j)) {
        return;
    }
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, turns ? "rotational_spring" : "spring"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, j->path, i->path));
    if (turns) {
        set_real(adm, item, v, "KT", "stiffness", F * L);
        set_real(adm, item, v, "CT", "damping", F * L * T);
        set_real(adm, item, v, "ANGLE", "free_angle", 1.0);
        set_real(adm, item, v, "TORQUE", "preload", F * L);
    } else {
        set_real(adm, item, v, "K", "stiffness", F / L);
        set_real(adm, item, v, "C", "damping", F * T / L);
        // the length without a force is 0 when it is not given
        tml_adm_set(adm, v, "free_length",
                    tml_adm_number(adm, at, L * tml_adm_real(adm, item, "LENGTH", 0.0)));
        set_real(adm, item, v, "FORCE", "preload", -F); // pushes, our preload pulls
    }
    tml_adm_enter(adm, adm->forces, item, v);
}

/* --- forces by components --------------------------------------------------------------------- */

/* A result of the routine of FUNCTION = USER(...), in SI; NULL: reported. */
static TmlValue *user_component(TmlAdm *adm, TmlAdmItem *item, int index, double unit)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "FUNCTION");
    const char *text = tml_adm_user(adm, item, arg->value, index);
    return text != NULL ? tml_adm_scalar(adm, arg->value, tml_adm_scaled(adm, text, unit)) : NULL;
}

/* Component k of FXYZ or TXYZ, in SI; NULL: not given, or reported. */
static TmlValue *vector_component(TmlAdm *adm, TmlAdmItem *item, const char *name, int k,
                                  double unit)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    const char *part[3];
    return arg != NULL && tml_adm_vector(adm, item, arg->value, part)
               ? tml_adm_scalar(adm, arg->value, tml_adm_scaled(adm, part[k], unit))
               : NULL;
}

/* Components in the axes of RM as components in ground axes. */
static bool set_components(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, char kind, const char *rm)
{
    static const char axes[] = "XYZ";
    const double unit = kind == 'F' ? adm->force : adm->force * adm->length;
    const TmlValue *part[3];
    for (int k = 0; k < 3; ++k) {
        const char name[3] = {kind, axes[k], '\0'}, *whole = kind == 'F' ? "FXYZ" : "TXYZ";
        const bool user = tml_adm_has(item, "FUNCTION");
        const int torque = kind == 'T' && strcmp(item->syntax->name, "VTORQUE") != 0 ? 3 : 0;
        part[k] = user                      ? user_component(adm, item, k + torque, unit)
                  : tml_adm_has(item, name) ? need_function(adm, item, name, unit)
                                            : vector_component(adm, item, whole, k, unit);
        if (item->failed) {
            return false;
        }
    }
    for (int row = 0; row < 3; ++row) {
        TmlAdmText text = {0};
        const TmlValue *at = NULL;
        for (int k = 0; k < 3; ++k) {
            if (part[k] != NULL && (strcmp(rm, "ground") != 0 || k == row)) {
                tml_adm_write(&text, at != NULL ? " + (%s)" : "(%s)", part[k]->text);
                at = part[k];
                if (strcmp(rm, "ground") != 0) {
                    tml_adm_write(&text, "*C%c%c(%s)", axes[row], axes[k], rm);
                }
            }
        }
        const char key[3] = {kind == 'F' ? 'f' : 't', (char)('x' + row), '\0'};
        const char *whole = tml_adm_take(adm, &text);
        TmlValue *value = at != NULL ? tml_adm_scalar(adm, tml_adm_whole(item), whole) : NULL;
        if (value != NULL) {
            value->line = at->line;
            value->column = at->column;
            tml_adm_set(adm, v, key, value);
        }
    }
    return true;
}

/* The part, or the node of a beam, that takes the reaction; NULL: ground, or reported. */
static const char *reaction_part(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *j = tml_adm_ref(adm, item, tml_adm_has(item, "JFLOAT") ? "JFLOAT" : "J", "MARKER");
    TmlAdmItem *part = j != NULL ? tml_adm_owner(adm, j) : NULL;
    return part != NULL && !tml_adm_is_ground(part) ? tml_adm_carrier(adm, j) : NULL;
}

/* Our force on I takes its reaction at the same point of the other part, as JFLOAT does. */
static void component_force(TmlAdm *adm, TmlAdmItem *item, char kind, const char *name,
                            TmlAdmItem *i, const char *part, const char *rm)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, kind == 'F' ? "force" : "torque"));
    if (part != NULL) {
        tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, part, i->path));
    } else {
        tml_adm_set(adm, v, "frame", tml_adm_scalar(adm, at, i->path));
    }
    if (!set_components(adm, item, v, kind, rm)) {
        return;
    }
    tml_adm_set(adm, adm->forces, name, v);
    item->written = true;
}

/* Has it forces (F) or torques (T)? A user-written routine gives all that there may be. */
bool tml_adm_component(const TmlAdmItem *item, char kind)
{
    const bool user = tml_adm_has(item, "FUNCTION");
    const char *other = kind == 'F' ? "VTORQUE" : "VFORCE";
    return (user && strcmp(item->syntax->name, other) != 0) ||
           tml_adm_has(item, kind == 'F' ? "FX" : "TX") ||
           tml_adm_has(item, kind == 'F' ? "FY" : "TY") ||
           tml_adm_has(item, kind == 'F' ? "FZ" : "TZ") ||
           tml_adm_has(item, kind == 'F' ? "FXYZ" : "TXYZ");
}

/* VFORCE, VTORQUE, GFORCE. */
void tml_adm_vector_force(TmlAdm *adm, TmlAdmItem *item)
{
    const bool has_f = tml_adm_component(item, 'F'), has_t = tml_adm_component(item, 'T');
    TmlAdmItem *i = tml_adm_need(adm, item, "I", "MARKER");
    TmlAdmItem *rm = tml_adm_ref(adm, item, "RM", "MARKER");
    const char *part = reaction_part(adm, item);
    if (i == NULL || item->failed) {
        return;
    }
    if (!has_f && !has_t) {
        tml_adm_error(adm, item, tml_adm_whole(item), "no component is given");
        return;
    }
    const char *axes = rm != NULL ? rm->path : "ground";
    const char *twin = tml_arena_printf(adm->arena, "%s_torque", item->name);
    if (twin == NULL) {
        adm->nomem = true;
        return;
    }
    if (has_f) {
        component_force(adm, item, 'F', item->name, i, part, axes);
    }
    if (has_t && !item->failed) {
        component_force(adm, item, 'T', has_f ? twin : item->name, i, part, axes);
    }
}

/* BUSHING: C, K, FORCE along and CT, KT, TORQUE about the axes of J. */
void tml_adm_bushing(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *linear, *angular, *key;
        int time;
    } rows[] = {
        {"K", "KT", "stiffness", 0}, {"C", "CT", "damping", 1}, {"FORCE", "TORQUE", "preload", -1}};
    const TmlAdmSlice at = tml_adm_whole(item);
    const double F = adm->force, L = adm->length;
    TmlAdmItem *i, *j;
    TmlValue *v = tml_adm_map(adm, at);
    if (!tml_adm_need_ends(adm, item, &i, &j)) {
        return;
    }
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "bushing"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, j->path, i->path));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        double x[6] = {0.0};
        tml_adm_reals(adm, item, rows[k].linear, 3, 3, x);
        tml_adm_reals(adm, item, rows[k].angular, 3, 3, x + 3);
        const double time = rows[k].time > 0 ? adm->time : 1.0;
        for (int a = 0; a < 6; ++a) {
            x[a] *= rows[k].time < 0 ? (a < 3 ? F : F * L) : (a < 3 ? F / L : F * L) * time;
        }
        if (k == 0 || tml_adm_has(item, rows[k].linear) || tml_adm_has(item, rows[k].angular)) {
            tml_adm_set(adm, v, rows[k].key, tml_adm_numbers(adm, at, 6, x));
        }
    }
    tml_adm_enter(adm, adm->forces, item, v);
}

/* --- six-component forces --------------------------------------------------------------------- */

/* A bushing with full matrices in SI: force on I = -K (z - z0) - C z' + preload. formulation NULL:
 * linear. */
static void enter_matrix(TmlAdm *adm, TmlAdmItem *item, const double K[36], const double C[36],
                         const double z0[6], const double preload[6], const char *formulation)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlAdmItem *i, *j;
    TmlValue *row[2][6], *v = tml_adm_map(adm, at);
    const bool turned = z0[3] != 0.0 || z0[4] != 0.0 || z0[5] != 0.0;
    if (!tml_adm_need_ends(adm, item, &i, &j)) {
        return;
    }
    for (int r = 0; r < 6; ++r) {
        row[0][r] = tml_adm_numbers(adm, at, 6, K + (ptrdiff_t)6 * r);
        row[1][r] = tml_adm_numbers(adm, at, 6, C + (ptrdiff_t)6 * r);
    }
    TmlValue *stiffness = tml_adm_list(adm, at, 6, row[0]);
    TmlValue *damping = tml_adm_list(adm, at, 6, row[1]);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "bushing"));
    tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, j->path, i->path));
    tml_adm_set(adm, v, "stiffness", stiffness);
    tml_adm_set(adm, v, "damping", damping);
    tml_adm_set(adm, v, "preload", tml_adm_numbers(adm, at, 6, preload));
    tml_adm_set(adm, v, "reference", tml_adm_numbers(adm, at, turned ? 6 : 3, z0));
    if (formulation != NULL) {
        tml_adm_set(adm, v, "formulation", tml_adm_scalar(adm, at, formulation));
        set_real(adm, item, v, "LENGTH_TOL", "shortest", adm->length);
    }
    tml_adm_enter(adm, adm->forces, item, v);
}

/* Unit of an entry of a matrix of rates: force and torque over length and angle. */
static double entry_unit(const TmlAdm *adm, int r, int c)
{
    return adm->force * (r < 3 ? 1.0 : adm->length) / (c < 3 ? adm->length : 1.0);
}

/* CMATRIX by columns, of which a symmetric one gives those from the diagonal down; or CRATIO times
 * K. */
static void read_damping(TmlAdm *adm, TmlAdmItem *item, bool symmetric, const double K[36],
                         double C[36])
{
    double x[36];
    const int size = symmetric ? 21 : 36;
    const double ratio = tml_adm_real(adm, item, "CRATIO", 0.0) * adm->time;
    const bool full = tml_adm_reals(adm, item, "CMATRIX", size, size, x) == size;
    for (int c = 0, k = 0; c < 6; ++c) {
        for (int r = symmetric ? c : 0; r < 6; ++r, ++k) {
            C[6 * r + c] = full ? x[k] * entry_unit(adm, r, c) * adm->time : ratio * K[6 * r + c];
            if (symmetric) {
                C[6 * c + r] = C[6 * r + c];
            }
        }
    }
}

/* Force and torque on I in the axes of J, the reaction at the same point of the other part. */
static void user_field(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *i, *j;
    const char *twin = tml_arena_printf(adm->arena, "%s_torque", item->name);
    adm->nomem |= twin == NULL;
    if (twin == NULL || !tml_adm_need_ends(adm, item, &i, &j)) {
        return;
    }
    const char *part = reaction_part(adm, item);
    component_force(adm, item, 'F', item->name, i, part, j->path);
    if (!item->failed) {
        component_force(adm, item, 'T', twin, i, part, j->path);
    }
}

/* Our word for FORMULATION; NULL: linear, or reported. */
static const char *formulation_of(TmlAdm *adm, TmlAdmItem *item, const char *nonlinear,
                                  const char *string)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "FORMULATION");
    const char *word = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "L";
    const int first = word != NULL ? toupper((unsigned char)word[0]) : 'L';
    if (first == 'N') {
        return nonlinear;
    }
    if (first == 'S' && string != NULL) {
        return string;
    }
    if (first != 'L') {
        tml_adm_error(adm, item, arg->value, "expected LINEAR%s or NONLINEAR",
                      string != NULL ? ", STRING" : "");
    }
    return NULL;
}

void tml_adm_field(TmlAdm *adm, TmlAdmItem *item)
{
    double x[36], K[36], C[36], z0[6] = {0.0}, preload[6] = {0.0};
    if (tml_adm_has(item, "FUNCTION")) {
        user_field(adm, item);
        return;
    }
    const char *formulation = formulation_of(adm, item, "string", NULL);
    if (item->failed || tml_adm_reals(adm, item, "KMATRIX", 36, 36, x) != 36) {
        if (!item->failed) {
            tml_adm_error(adm, item, tml_adm_whole(item), "argument KMATRIX is missing");
        }
        return;
    }
    for (int k = 0; k < 36; ++k) { // by columns
        K[k] = x[6 * (k % 6) + k / 6] * entry_unit(adm, k / 6, k % 6);
    }
    read_damping(adm, item, false, K, C);
    tml_adm_reals(adm, item, "LENGTH", 6, 6, z0);
    tml_adm_reals(adm, item, "FORCE", 6, 6, preload);
    for (int k = 0; k < 6; ++k) {
        z0[k] *= k < 3 ? adm->length : 1.0;
        preload[k] *= k < 3 ? adm->force : adm->force * adm->length;
    }
    if (formulation != NULL && z0[0] == 0.0 && z0[1] == 0.0 && z0[2] == 0.0) {
        tml_adm_note(adm, item, tml_adm_arg(item, "FORMULATION")->value,
                     "taken as LINEAR: without LENGTH there is no axis that a force is along");
        formulation = NULL;
    }
    if (!item->failed) {
        enter_matrix(adm, item, K, C, z0, preload, formulation);
    }
}

/* Timoshenko's beam along x of J with its free end at I:
 *
 *   (T1)  P_y = 12 E Izz ASY / (G A L^2),  P_z = 12 E Iyy ASZ / (G A L^2) */
void tml_adm_beam(TmlAdm *adm, TmlAdmItem *item)
{
    static const char *const names[] = {"LENGTH", "AREA",     "IXX",     "IYY",
                                        "IZZ",    "EMODULUS", "GMODULUS"};
    double value[7], K[36] = {0.0}, C[36];
    const char *formulation = formulation_of(adm, item, "beam", "string");
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        value[k] = tml_adm_real(adm, item, names[k], 0.0);
        if (!tml_adm_has(item, names[k]) || item->failed || !(value[k] > 0.0)) {
            tml_adm_error(adm, item, tml_adm_whole(item), "%s must be given and positive",
                          names[k]);
            return;
        }
    }
    const double m = adm->length, m4 = m * m * m * m, Pa = adm->force / (m * m);
    const double L = value[0] * m, A = value[1] * m * m, E = value[5] * Pa, G = value[6] * Pa;
    const double EIy = E * value[3] * m4, EIz = E * value[4] * m4;
    const double shear = 12.0 / (G * A * L * L); // (T1)
    const double py = EIz * shear * tml_adm_real(adm, item, "ASY", 0.0);
    const double pz = EIy * shear * tml_adm_real(adm, item, "ASZ", 0.0);
    K[0] = E * A / L;
    K[7] = 12.0 * EIz / (L * L * L * (1.0 + py));
    K[14] = 12.0 * EIy / (L * L * L * (1.0 + pz));
    K[21] = G * value[2] * m4 / L;
    K[28] = (4.0 + pz) * EIy / (L * (1.0 + pz));
    K[35] = (4.0 + py) * EIz / (L * (1.0 + py));
    K[11] = K[31] = -6.0 * EIz / (L * L * (1.0 + py));
    K[16] = K[26] = 6.0 * EIy / (L * L * (1.0 + pz));
    read_damping(adm, item, true, K, C);
    if (!item->failed) {
        enter_matrix(adm, item, K, C, (const double[6]){L, 0, 0, 0, 0, 0}, (const double[6]){0},
                     formulation);
    }
}
