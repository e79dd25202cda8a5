/* adams/expression/calls_contact.c - CONTACT(id, jflag, comp, rm): force and torque of a contact on the bodies of IGEOM
 * or JGEOM.
 *
 * Our functions give components along global axes of the force on one body, and of its torque about the centre of mass of
 * the body; with the cosines C_ga between the global axis g and the axis a of the marker:
 *
 *   (N1)  f_a = sum_g C_ga sum_b f_g(b)         all bodies b of the side; torques likewise
 */
#include <string.h>

#include "adams/expression/translator.h"

enum { MAGNITUDE = 1, FX, TORQUE = 4, LAST = 8, BODIES_MOST = 64 }; // 5 to 8 are torques

/* The bodies of one side, each once; how many. */
static int bodies_of(TmlAdm *adm, const TmlAdmItem *contact, const char *side,
                     const char *body[BODIES_MOST])
{
    const TmlAdmArg *arg = tml_adm_arg(contact, side);
    TmlAdmSlice id;
    int n = 0;
    for (int at = 0; arg != NULL && n < BODIES_MOST && tml_adm_next_id(arg->value, &at, &id);) {
        const TmlAdmItem *shape = tml_adm_find(adm, "GRAPHICS", tml_adm_id(adm, id));
        const char *name =
            shape != NULL && shape->carrier != NULL ? tml_adm_body_name(shape->carrier) : NULL;
        bool known = name == NULL;
        for (int k = 0; k < n && !known; ++k) {
            known = strcmp(body[k], name) == 0;
        }
        if (!known) {
            body[n++] = name;
        }
    }
    return n;
}

/* The sum over the bodies along a global axis, 'x' to 'z'. */
static void write_along(TmlAdmText *out, const char *contact, int n, const char *const *body,
                        char kind, char axis)
{
    tml_adm_write(out, n > 1 ? "(" : "");
    for (int k = 0; k < n; ++k) {
        tml_adm_write(out, "%scontact_%c%c(%s, %s)", k > 0 ? " + " : "", kind, axis, contact,
                      body[k]);
    }
    tml_adm_write(out, n > 1 ? ")" : "");
}

static void write_component(TmlAdmText *out, const char *contact, int n, const char *const *body,
                            char kind, int axis, const char *axes) // (N1)
{
    static const char small[] = "xyz", large[] = "XYZ";
    if (strcmp(axes, "ground") == 0) {
        write_along(out, contact, n, body, kind, small[axis]);
        return;
    }
    tml_adm_write(out, "(");
    for (int g = 0; g < 3; ++g) {
        tml_adm_write(out, g > 0 ? " + " : "");
        write_along(out, contact, n, body, kind, small[g]);
        tml_adm_write(out, "*C%c%c(%s)", large[g], large[axis], axes);
    }
    tml_adm_write(out, ")");
}

static void write_force(TmlAdmTranslator *t, const TmlAdmItem *contact, const char *side,
                        int component, const char *axes)
{
    const char *body[BODIES_MOST];
    const int n = bodies_of(t->adm, contact, side, body);
    const bool torque = component > TORQUE;
    const double unit = t->adm->force * (torque ? t->adm->length : 1.0);
    const char kind = torque ? 't' : 'f';
    component -= torque ? TORQUE : 0;
    tml_adm_write(t->out, unit != 1.0 ? "(" : "");
    if (component == MAGNITUDE) {
        tml_adm_write(t->out, "sqrt(");
        for (int g = 0; g < 3; ++g) {
            tml_adm_write(t->out, g > 0 ? " + " : "");
            write_component(t->out, contact->name, n, body, kind, g, "ground");
            tml_adm_write(t->out, "^2");
        }
        tml_adm_write(t->out, ")");
    } else {
        write_component(t->out, contact->name, n, body, kind, component - FX, axes);
    }
    if (unit != 1.0) {
        tml_adm_write(t->out, "*%s)", tml_adm_digits(t->adm, 1.0 / unit));
    }
}

bool tml_adm_write_contact(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const TmlAdmItem *contact = tml_adm_element_of(t, call->arg[0], f->keyword);
    const char *axes = call->n > 3 ? tml_adm_frame_of(t, call->arg[3], TML_ADM_AXES) : "ground";
    const int on_j = tml_adm_whole_number(t, call->arg[1]);
    const int component = tml_adm_whole_number(t, call->arg[2]);
    if (contact == NULL || axes == NULL) {
        return false;
    }
    if (contact->inactive) {
        tml_adm_write(t->out, "0");
        return true;
    }
    if (on_j < 0) {
        return tml_adm_refuse(t, call->arg[1], "the flag of %s must be 0, on I, or 1, on J",
                              call->name);
    }
    if (component < MAGNITUDE || component > LAST) {
        return tml_adm_refuse(t, call->arg[2], "the component of %s must be 1 to 8", call->name);
    }
    if (contact->value == NULL) { // told where it stands: there will be no model
        tml_adm_write(t->out, "0");
        return true;
    }
    write_force(t, contact, on_j != 0 ? "JGEOM" : "IGEOM", component, axes);
    return true;
}
