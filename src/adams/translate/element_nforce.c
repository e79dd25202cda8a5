/* adams/translate/element_nforce.c - what an NFORCE does to its markers.
 *
 * Each I has a force and a torque of its own in the model (translate_nforce.c). J takes
 *
 *   (J1)  F_J = -sum F_I,  T_J = -sum (T_I + d_I x F_I),  d_I from J to I
 */
#include <string.h>

#include "adams/dataset/dataset.h"

typedef struct Part {
    TmlAdm *adm;
    TmlAdmText *out;
    const TmlAdmItem *element, *j;
    const char *axes;
} Part;

static TmlAdmItem *marker_j(TmlAdm *adm, const TmlAdmItem *e)
{
    const TmlAdmArg *arg = tml_adm_arg(e, "J");
    return arg != NULL ? tml_adm_find(adm, "MARKER", tml_adm_id(adm, arg->value)) : NULL;
}

static bool is_marker_i(const TmlAdmItem *e, const TmlAdmItem *marker)
{
    const TmlAdmArg *arg = tml_adm_arg(e, "I");
    return marker != NULL && arg != NULL && strcmp(marker->syntax->name, "MARKER") == 0 &&
           tml_adm_mentions(arg->value, marker->id);
}

bool tml_adm_in_nforce(TmlAdm *adm, TmlAdmItem *e, const TmlAdmItem *i, const TmlAdmItem *j)
{
    if (strcmp(e->syntax->name, "NFORCE") != 0 || e->inactive) {
        return false;
    }
    const TmlAdmItem *base = marker_j(adm, e);
    return (is_marker_i(e, i) && (j == NULL || j == base)) ||
           (i == base && (j == NULL || is_marker_i(e, j)));
}

/* A component of the force (kind f) or torque (t) on I; axis 0, 1, 2. */
static void write_on_i(const Part *p, const TmlAdmItem *i, char kind, int axis)
{
    tml_adm_write(p->out, "force(%s_%s%s, %s).%c%c", p->element->name,
                  kind == 't' ? "torque" : "force", i->id, p->axes, kind, "xyz"[axis]);
}

/* What the force on one I adds to J, without the sign. */
static void write_on_j(const Part *p, const TmlAdmItem *i, char kind, int axis)
{
    static const char axes[] = "XYZ";
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    write_on_i(p, i, kind, axis);
    if (kind == 't') { // (J1)
        tml_adm_write(p->out, " + D%c(%s, %s, %s)*", axes[a], i->path, p->j->path, p->axes);
        write_on_i(p, i, 'f', b);
        tml_adm_write(p->out, " - D%c(%s, %s, %s)*", axes[b], i->path, p->j->path, p->axes);
        write_on_i(p, i, 'f', a);
    }
}

static void write_axis(const Part *p, const TmlAdmItem *i, const TmlAdmItem *only, char kind,
                       int axis)
{
    if (i != p->j) {
        write_on_i(p, i, kind, axis);
        return;
    }
    tml_adm_write(p->out, "-(");
    const TmlAdmArg *arg = tml_adm_arg(p->element, "I");
    TmlAdmItem *marker;
    for (int at = 0, n = 0; arg != NULL && tml_adm_next_ref(p->adm, arg, "MARKER", &at, &marker);) {
        if (marker != NULL && (only == NULL || only == marker)) {
            tml_adm_write(p->out, n++ > 0 ? " + " : "");
            write_on_j(p, marker, kind, axis);
        }
    }
    tml_adm_write(p->out, ")");
}

bool tml_adm_nforce_wrench(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at,
                           TmlAdmItem *e, const TmlAdmItem *i, const TmlAdmItem *j, int component,
                           const char *axes)
{
    const Part p = {adm, out, e, marker_j(adm, e), axes};
    const char kind = component > 4 ? 't' : 'f';
    const int axis = (component - 1) % 4 - 1; // -1: magnitude
    const double unit = kind == 't' ? adm->force * adm->length : adm->force;
    if (e->inactive) {
        tml_adm_write(out, "0");
        return true;
    }
    if (!tml_adm_in_nforce(adm, e, i, j)) {
        tml_adm_error(adm, user, at, "MARKER/%s is not one of NFORCE/%s", i->id, e->id);
        return false;
    }
    tml_adm_write(out, axis < 0 ? "(sqrt(" : "((");
    for (int a = axis < 0 ? 0 : axis; a <= (axis < 0 ? 2 : axis); ++a) {
        tml_adm_write(out, axis < 0 ? "%s(" : "%.0s", a > 0 ? " + " : "");
        write_axis(&p, i, j, kind, a);
        tml_adm_write(out, axis < 0 ? ")^2" : "");
    }
    tml_adm_write(out, ")*%s)", tml_adm_digits(adm, 1.0 / unit));
    return true;
}
