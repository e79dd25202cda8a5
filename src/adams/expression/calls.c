/* adams/expression/calls.c - functions of markers and elements in our language.
 *
 * Functions of the motion take names instead of identifiers, and are divided by their units,
 * L^l T^t. Reactions and forces: element.c.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/expression/translator.h"

/* --- markers and elements --------------------------------------------------------------------- */

/* A marker by its identifier; 0 is ground. NULL: reported. */
const char *tml_adm_frame_of(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmRole role)
{
    const char *id = tml_adm_id(t->adm, arg);
    if (strcmp(id, "0") == 0) {
        return "ground";
    }
    TmlAdmItem *marker = tml_adm_find(t->adm, "MARKER", id);
    if (marker == NULL || marker->path == NULL) {
        tml_adm_error(t->adm, t->item, arg, "there is no MARKER/%s", id);
        return NULL;
    }
    return tml_adm_has(marker, "FLOATING") ? tml_adm_floating_frame(t, arg, marker, role)
                                           : marker->path;
}

TmlAdmItem *tml_adm_element_of(TmlAdmTranslator *t, TmlAdmSlice arg, const char *keyword)
{
    const char *id = tml_adm_id(t->adm, arg);
    TmlAdmItem *found = tml_adm_find(t->adm, keyword, id);
    if (found == NULL) {
        tml_adm_error(t->adm, t->item, arg, "there is no %s/%s", keyword, id);
    }
    return found;
}

int tml_adm_whole_number(TmlAdmTranslator *t, TmlAdmSlice arg)
{
    const char *id = tml_adm_id(t->adm, arg);
    char *end;
    const long number = strtol(id, &end, 10);
    return end != id && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

/* --- functions of the motion ------------------------------------------------------------------ */

static TmlAdmRole role_of(const TmlAdmFunction *f, int k)
{
    const char last = f->name[strlen(f->name) - 1];
    const bool axes = k == 2 && last != 'M' && last != 'R'; // else what it is seen from
    const bool angle = f->length == 0 && f->time == 0;
    const bool place = k < 2 && f->length == 1 && f->time == 0;
    return axes || angle ? TML_ADM_AXES : place ? TML_ADM_PLACE : TML_ADM_VELOCITY;
}

/* Is one of the markers a contact of a CVCV? */
static bool has_contact(TmlAdmTranslator *t, const TmlAdmCall *call)
{
    TmlAdmFollower f;
    return (tml_adm_follower(t, call->arg[0], &f) && f.plane) ||
           (call->n > 1 && tml_adm_follower(t, call->arg[1], &f) && f.plane);
}

bool tml_adm_write_measure(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const double unit = pow(t->adm->length, f->length) * pow(t->adm->time, f->time);
    if (f->length == 1 && f->time < 0 && tml_adm_has_floating(t, call)) {
        return tml_adm_write_floating(t, call, f, unit);
    }
    if (f->length == 1 && f->time == 0 && has_contact(t, call)) {
        return tml_adm_write_distance(t, call, f, unit);
    }
    tml_adm_write(t->out, unit != 1.0 ? "(%s(" : "%s(", f->name);
    for (int k = 0; k < call->n; ++k) {
        const char *frame = tml_adm_frame_of(t, call->arg[k], role_of(f, k));
        if (frame == NULL) {
            return false;
        }
        tml_adm_write(t->out, k > 0 ? ", %s" : "%s", frame);
    }
    tml_adm_write(t->out, ")");
    if (unit != 1.0) {
        tml_adm_write(t->out, "*%s)", tml_adm_digits(t->adm, 1.0 / unit));
    }
    return true;
}

/* Angles that have another name or sign with us: AX is the angle of the projected z axis, PITCH
 * turns against the second angle of its sequence. */
bool tml_adm_write_angle(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const char *i = tml_adm_frame_of(t, call->arg[0], TML_ADM_AXES);
    const char *j = call->n > 1 ? tml_adm_frame_of(t, call->arg[1], TML_ADM_AXES) : "ground";
    if (i == NULL || j == NULL) {
        return false;
    }
    tml_adm_write(t->out, f->keyword[0] == '-' ? "(%s(%s, %s))" : "%s(%s, %s)", f->keyword, i, j);
    return true;
}

/* ORIENT(system, component, I, J). */
bool tml_adm_write_orient(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const int system = tml_adm_whole_number(t, call->arg[0]),
              k = tml_adm_whole_number(t, call->arg[1]);
    const char *i = tml_adm_frame_of(t, call->arg[2], TML_ADM_AXES);
    const char *j = call->n > 3 ? tml_adm_frame_of(t, call->arg[3], TML_ADM_AXES) : "ground";
    if (i == NULL || j == NULL) {
        return false;
    }
    return tml_adm_orient(t->out, system, k, i, j) ||
           tml_adm_refuse(t, call->at, "%s: there is no such system and component", f->name);
}

/* INCANG(i, j, k): the angle at j between the lines to i and to k. */
bool tml_adm_write_included_angle(TmlAdmTranslator *t, const TmlAdmCall *call,
                                  const TmlAdmFunction *f)
{
    TmlAdmMotionEnd i, j, k;
    (void)f;
    if (!tml_adm_read_place(t, call, 0, &i) || !tml_adm_read_place(t, call, 1, &j) ||
        !tml_adm_read_place(t, call, 2, &k)) {
        return false;
    }
    tml_adm_write(t->out, "acos((");
    for (int a = 0; a < 3; ++a) {
        tml_adm_write(t->out, a > 0 ? " + " : "");
        tml_adm_write_gap(t->out, &i, &j, a, "ground");
        tml_adm_write(t->out, "*");
        tml_adm_write_gap(t->out, &k, &j, a, "ground");
    }
    tml_adm_write(t->out, ")/(");
    tml_adm_write_gap_size(t->out, &i, &j);
    tml_adm_write(t->out, "*");
    tml_adm_write_gap_size(t->out, &k, &j);
    tml_adm_write(t->out, "))");
    return true;
}

/* A component of a vector: DXYZ by DX, DY, DZ. */
bool tml_adm_write_vector(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    char name[TML_ADM_WORD_MAX];
    const int component = t->component;
    if (component < 0) {
        return tml_adm_refuse(t, call->at, "a number is needed here, and %s is a vector", f->name);
    }
    TmlAdmCall part = *call;
    snprintf(name, sizeof name, "%.*s%c", (int)strlen(f->name) - 3, f->name, "XYZ"[component]);
    part.name = name;
    t->component = -1;
    const bool ok = tml_adm_write_call(t, &part);
    t->component = component;
    return ok;
}

/* UVX(i, k): a component of the x axis of i in the axes of k. */
bool tml_adm_write_axis(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const char *i = tml_adm_frame_of(t, call->arg[0], TML_ADM_AXES);
    const char *k = call->n > 1 ? tml_adm_frame_of(t, call->arg[1], TML_ADM_AXES) : "ground";
    if (t->component < 0) {
        return tml_adm_refuse(t, call->at, "a number is needed here, and %s is a vector", f->name);
    }
    if (i == NULL || k == NULL) {
        return false;
    }
    tml_adm_write(t->out, "C%c%c(%s, %s)", "XYZ"[t->component], f -> name[2], i, k);
    return true;
}

/* --- along a beam ----------------------------------------------------------------------------- */

/* SD(k), SV(k), SA(k) of the place that a load is written for: x, y, z and angles psi, theta, phi,
 * or the angular velocity and acceleration, along global axes. */
bool tml_adm_write_along(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    static const char *const names[3][6] = {{"DX", "DY", "DZ", "PSI", "THETA", "PHI"},
                                            {"VX", "VY", "VZ", "WX", "WY", "WZ"},
                                            {"ACCX", "ACCY", "ACCZ", "WDTX", "WDTY", "WDTZ"}};
    const int level = f->name[1] == 'D' ? 0 : f->name[1] == 'V' ? 1 : 2;
    const int k = tml_adm_whole_number(t, call->arg[0]);
    if (t->adm->spot == NULL) {
        return tml_adm_refuse(t, call->at, "%s is of the place along a beam: of FE_LOAD only",
                              f->name);
    }
    if (k < 1 || k > 6) {
        return tml_adm_refuse(t, call->arg[0], "the component of %s must be 1 to 6", f->name);
    }
    const double unit = (k <= 3 ? t->adm->length : 1.0) * pow(t->adm->time, -level);
    tml_adm_write(t->out, unit != 1.0 ? "(%s(%s)*%s)" : "%s(%s)%.0s", names[level][k - 1],
                  t->adm->spot->frame, tml_adm_digits(t->adm, 1.0 / unit));
    return true;
}

/* --- elements --------------------------------------------------------------------------------- */

/* JOINT(id, jflag, comp, rm) and the like. */
bool tml_adm_write_element(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *element = tml_adm_element_of(t, call->arg[0], f->keyword);
    const char *axes = call->n > 3 ? tml_adm_frame_of(t, call->arg[3], TML_ADM_AXES) : "ground";
    const int on_j = tml_adm_whole_number(t, call->arg[1]);
    const int component = tml_adm_whole_number(t, call->arg[2]);
    if (element == NULL || axes == NULL) {
        return false;
    }
    if (on_j < 0) {
        return tml_adm_refuse(t, call->arg[1], "the flag of %s must be 0, on I, or 1, on J",
                              call->name);
    }
    if (component < 1 || component > 8) {
        return tml_adm_refuse(t, call->arg[2], "the component of %s must be 1 to 8", call->name);
    }
    return tml_adm_wrench(t->adm, t->out, t->item, call->at, element, on_j != 0, component, axes);
}

/* NFORCE(id, marker, comp, rm): on one of its markers. */
bool tml_adm_write_nforce(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *element = tml_adm_element_of(t, call->arg[0], f->keyword);
    const TmlAdmItem *marker = tml_adm_element_of(t, call->arg[1], "MARKER");
    const char *axes = call->n > 3 ? tml_adm_frame_of(t, call->arg[3], TML_ADM_AXES) : "ground";
    const int component = tml_adm_whole_number(t, call->arg[2]);
    if (element == NULL || marker == NULL || axes == NULL) {
        return false;
    }
    if (component < 1 || component > 8) {
        return tml_adm_refuse(t, call->arg[2], "the component of %s must be 1 to 8", f->name);
    }
    return tml_adm_nforce_wrench(t->adm, t->out, t->item, call->at, element, marker, NULL,
                                 component, axes);
}

/* FX(i, j, rm) .. TM(i, j) */
bool tml_adm_write_between(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *i = tml_adm_element_of(t, call->arg[0], "MARKER"), *j = NULL;
    const char *axes = call->n > 2 ? tml_adm_frame_of(t, call->arg[2], TML_ADM_AXES) : "ground";
    if (call->n > 1 && strcmp(tml_adm_id(t->adm, call->arg[1]), "0") != 0) {
        j = tml_adm_element_of(t, call->arg[1], "MARKER");
        if (j == NULL) {
            return false;
        }
    }
    return i != NULL && axes != NULL &&
           tml_adm_between(t->adm, t->out, t->item, call->at, i, j, f->length, axes);
}
