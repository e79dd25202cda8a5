/* adams/translate/element.c - what joints and forces do to their markers.
 *
 * Our reaction and force functions give the wrench on the last end at its origin. From there, with
 * d from J to I, the wrench on the other end is
 *
 *   (W1)  F_J = -F_I,  T_J = -(T_I + d x F_I)
 */
#include <string.h>

#include "adams/dataset/dataset.h"

bool tml_adm_ends(TmlAdm *adm, TmlAdmItem *e, TmlAdmItem **i, TmlAdmItem **j)
{
    const TmlAdmArg *joint = tml_adm_arg(e, "JOINT");
    if (strcmp(e->syntax->name, "MOTION") == 0 && joint != NULL) {
        TmlAdmItem *of = tml_adm_find(adm, "JOINT", tml_adm_id(adm, joint->value));
        return of != NULL && tml_adm_ends(adm, of, i, j);
    }
    const TmlAdmArg *a = tml_adm_arg(e, "I"), *b = tml_adm_arg(e, "J");
    a = a != NULL ? a : tml_adm_arg(e, "IFLOAT");
    b = b != NULL ? b : tml_adm_arg(e, "JFLOAT");
    *i = a != NULL ? tml_adm_find(adm, "MARKER", tml_adm_id(adm, a->value)) : NULL;
    *j = b != NULL ? tml_adm_find(adm, "MARKER", tml_adm_id(adm, b->value)) : NULL;
    return *i != NULL;
}

/* Do the origins of both ends stay together? */
static bool coincide(const TmlAdmItem *e)
{
    static const char *const flags[] = {"REVOLUTE", "SPHERICAL", "FIXED", "UNIVERSAL",
                                        "HOOKE",    "ATPOINT",   "CONVEL"};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k) {
        if (tml_adm_has(e, flags[k])) {
            return true;
        }
    }
    return false;
}

static void write_part(TmlAdmText *out, const TmlAdmItem *e, const char *name, char kind, char axis,
                       const char *axes)
{
    tml_adm_write(out, "%s(%s", e->syntax->acts == TML_ADM_CONSTRAINS ? "reaction" : "force", name);
    tml_adm_write(out, strcmp(axes, "ground") != 0 ? ", %s).%c%c" : ")%.0s.%c%c", axes, kind, axis);
}

/* One component of (W1) in the axes of a frame; axis 0, 1, 2. */
static void write_moved(TmlAdmText *out, const TmlAdmItem *e, const TmlAdmItem *i,
                        const TmlAdmItem *j, int axis, const char *axes)
{
    static const char small[] = "xyz", large[] = "XYZ";
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    tml_adm_write(out, "-(");
    write_part(out, e, e->name, 't', small[axis], axes);
    tml_adm_write(out, " + D%c(%s, %s, %s)*", large[a], i->path, j->path, axes);
    write_part(out, e, e->name, 'f', small[b], axes);
    tml_adm_write(out, " - D%c(%s, %s, %s)*", large[b], i->path, j->path, axes);
    write_part(out, e, e->name, 'f', small[a], axes);
    tml_adm_write(out, ")");
}

/* The name of the part of an element that makes this component; NULL: it is zero. */
static const char *part_name(TmlAdm *adm, const TmlAdmItem *e, bool torque)
{
    const bool user = strcmp(e->syntax->name, "FIELD") == 0 && tml_adm_has(e, "FUNCTION");
    const bool twins = strcmp(e->syntax->name, "GFORCE") == 0 && tml_adm_component(e, 'F');
    if ((twins || user) && torque) {
        const bool has_t = user || tml_adm_component(e, 'T');
        const char *name = has_t ? tml_arena_printf(adm->arena, "%s_torque", e->name) : NULL;
        adm->nomem |= has_t && name == NULL;
        return name;
    }
    return e->name;
}

static void write_torque_magnitude(TmlAdmText *out, const TmlAdmItem *e, const TmlAdmItem *i,
                                   const TmlAdmItem *j, const char *axes)
{
    tml_adm_write(out, "sqrt(");
    for (int k = 0; k < 3; ++k) {
        tml_adm_write(out, k > 0 ? " + (" : "(");
        write_moved(out, e, i, j, k, axes);
        tml_adm_write(out, ")^2");
    }
    tml_adm_write(out, ")");
}

/* other: the marker at the other end of an element that does not name one, or NULL. */
static bool write_wrench(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at,
                         TmlAdmItem *e, TmlAdmItem *other, bool on_j, int component,
                         const char *axes)
{
    TmlAdmItem *i, *j;
    const bool torque = component > 4;
    const int axis = (component - 1) % 4; // 0: magnitude
    const double unit = torque ? adm->force * adm->length : adm->force;
    const bool gcon = strcmp(e->syntax->name, "GCON") == 0 || strcmp(e->syntax->name, "UCON") == 0;
    if (e->inactive) {
        tml_adm_write(out, "0");
        return true;
    }
    if (e->failed || !tml_adm_ends(adm, e, &i, &j) || (gcon && e->second == NULL)) {
        tml_adm_error(adm, user, at, "not supported yet: what %s/%s does to its markers",
                      e->syntax->name, e->id);
        return false;
    }
    j = j != NULL ? j : other;
    const char *name = part_name(adm, e, torque);
    const bool contact =
        strcmp(e->syntax->name, "PTCV") == 0 || strcmp(e->syntax->name, "CVCV") == 0;
    if (name == NULL || (contact && torque)) { // the contact has no torque about itself
        tml_adm_write(out, "0");
        return true;
    }
    // JFLOAT stands where I is
    const bool moves = torque && on_j && j != NULL && !coincide(e) && !tml_adm_has(e, "JFLOAT");
    tml_adm_write(out, unit != 1.0 ? "((" : "(");
    if (moves && axis == 0) {
        write_torque_magnitude(out, e, i, j, axes);
    } else if (moves) {
        write_moved(out, e, i, j, axis - 1, axes);
    } else {
        const bool negative = axis > 0 && on_j != e->flipped;
        tml_adm_write(out, negative ? "-" : "");
        write_part(out, e, name, torque ? 't' : 'f', "mxyz"[axis], axes);
    }
    tml_adm_write(out, ")");
    if (unit != 1.0) {
        tml_adm_write(out, "*%s)", tml_adm_digits(adm, 1.0 / unit));
    }
    return true;
}

bool tml_adm_wrench(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at, TmlAdmItem *e,
                    bool on_j, int component, const char *axes)
{
    return write_wrench(adm, out, user, at, e, NULL, on_j, component, axes);
}

/* Does an element act on i, from j unless that is NULL? *reversed: i is its J. */
static bool acts_on(TmlAdm *adm, TmlAdmItem *e, const TmlAdmItem *i, const TmlAdmItem *j,
                    bool *reversed)
{
    TmlAdmItem *a, *b;
    if (e->syntax->acts == TML_ADM_ACTS_NOT || e->inactive || !tml_adm_ends(adm, e, &a, &b)) {
        return false;
    }
    b = tml_adm_has(e, "ACTIONONLY") ? NULL : b;
    // a constraint by expression names its other marker in the expression only
    const TmlAdmArg *function = tml_adm_arg(e, "FUNCTION");
    const bool named = strcmp(e->syntax->name, "GCON") == 0 && j != NULL && function != NULL &&
                       tml_adm_mentions(function->value, (a == i ? j : i)->id);
    *reversed = a != i;
    return a == i ? j == NULL || b == j || named : (b == i || named) && (j == NULL || a == j);
}

/* A magnitude by components. */
static bool write_size(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at,
                       TmlAdmItem *i, TmlAdmItem *j, int component, const char *axes)
{
    tml_adm_write(out, "sqrt(");
    for (int c = component + 1; c <= component + 3; ++c) {
        tml_adm_write(out, c > component + 1 ? " + " : "");
        if (!tml_adm_between(adm, out, user, at, i, j, c, axes)) {
            return false;
        }
        tml_adm_write(out, "^2");
    }
    tml_adm_write(out, ")");
    return true;
}

bool tml_adm_between(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at, TmlAdmItem *i,
                     TmlAdmItem *j, int component, const char *axes)
{
    const int *list;
    const int listed = tml_adm_acting(adm, i, &list);
    int n = 0;
    bool reversed;
    for (int k = 0; k < listed; ++k) {
        TmlAdmItem *e = &adm->item[list[k]];
        n += acts_on(adm, e, i, j, &reversed) || tml_adm_in_nforce(adm, e, i, j) ? 1 : 0;
    }
    if (n > 1 && (component - 1) % 4 == 0) {
        return write_size(adm, out, user, at, i, j, component, axes);
    }
    tml_adm_write(out, "(%s", n == 0 ? "0" : "");
    for (int k = 0, written = 0; k < listed && written < n; ++k) {
        TmlAdmItem *e = &adm->item[list[k]];
        const bool in_nforce = tml_adm_in_nforce(adm, e, i, j);
        if (!in_nforce && !acts_on(adm, e, i, j, &reversed)) {
            continue;
        }
        tml_adm_write(out, written++ > 0 ? " + " : "");
        if (in_nforce ? !tml_adm_nforce_wrench(adm, out, user, at, e, i, j, component, axes)
                      : !write_wrench(adm, out, user, at, e, i, reversed, component, axes)) {
            return false;
        }
    }
    tml_adm_write(out, ")");
    return true;
}
