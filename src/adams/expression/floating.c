/* adams/expression/floating.c - floating markers in functions of the motion.
 *
 * A floating marker stands where the marker I of its element does, with the axes of its part B, and
 * moves as the point of the part that is there. With r from the origin of B to I, o its angular
 * velocity and o_l that of the frame l from which it is seen:
 *
 *   (F1)  v = v_B + (o - o_l) x r          (F2)  a = a_B + o' x r + o (o . r) - r (o . o)
 */
#include <string.h>

#include "adams/expression/translator.h"

typedef struct Floating {
    const char *body;      /* path of B; NULL: not floating, or of ground */
    TmlAdmMotionEnd place; /* I, the contact, or the marker itself */
} Floating;

const char *tml_adm_floating_frame(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmItem *marker,
                                   TmlAdmRole role)
{
    bool on_i;
    TmlAdmFollower follower;
    TmlAdmItem *part = tml_adm_owner(t->adm, marker);
    const TmlAdmItem *element = tml_adm_floats_in(t->adm, marker, &on_i);
    const TmlAdmArg *i = element != NULL ? tml_adm_arg(element, "I") : NULL;
    if (part == NULL || element == NULL) {
        tml_adm_error(t->adm, t->item, arg, "floating MARKER/%s belongs to no element", marker->id);
        return NULL;
    }
    const bool turns = strcmp(element->syntax->name, "PTCV") == 0 || i == NULL; // with the curve
    if (turns && t->turning && role == TML_ADM_AXES && tml_adm_follower(t, arg, &follower)) {
        return follower.carrier;
    }
    if (turns && (role == TML_ADM_AXES || (role == TML_ADM_PLACE && i == NULL))) {
        tml_adm_error(
            t->adm, t->item, arg,
            "the %s of floating MARKER/%s follow%s the curve of %s/%s, which is not there",
            role == TML_ADM_AXES ? "axes" : "place", marker->id, role == TML_ADM_AXES ? "" : "s",
            element->syntax->name, element->id);
        return NULL;
    }
    if (role == TML_ADM_PLACE) {
        const TmlAdmItem *on = tml_adm_find(t->adm, "MARKER", tml_adm_id(t->adm, i->value));
        return on != NULL ? on->path : NULL;
    }
    return tml_adm_carrier(t->adm, marker);
}

static TmlAdmItem *floating_of(TmlAdmTranslator *t, TmlAdmSlice arg)
{
    TmlAdmItem *marker = tml_adm_find(t->adm, "MARKER", tml_adm_id(t->adm, arg));
    TmlAdmItem *part = marker != NULL ? tml_adm_owner(t->adm, marker) : NULL;
    const bool floats = part != NULL && tml_adm_has(marker, "FLOATING");
    return floats && !tml_adm_is_ground(part) ? marker : NULL;
}

bool tml_adm_has_floating(TmlAdmTranslator *t, const TmlAdmCall *call)
{
    return (call->n > 0 && floating_of(t, call->arg[0]) != NULL) ||
           (call->n > 1 && floating_of(t, call->arg[1]) != NULL);
}

/* Component c of r, from the origin of B. */
static void write_radius(TmlAdmText *out, int c, const Floating *m, const char *along)
{
    const TmlAdmMotionEnd body = {.frame = m->body};
    if (m->place.follows) {
        tml_adm_write_gap(out, &m->place, &body, c, along);
    } else {
        tml_adm_write(out, "D%c(%s, %s, %s)", "XYZ"[c], m -> place.frame, m->body, along);
    }
}

/* Component c of u x r, u given by the letters of its function: W or WDT. */
static void write_cross(TmlAdmText *out, const char *u, int c, const Floating *m, const char *from,
                        const char *along)
{
    static const char axes[] = "XYZ";
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    for (int k = 0; k < 2; ++k) {
        tml_adm_write(out, "%s%s%c(%s, %s, %s)*", k > 0 ? " - " : "", u, axes[k > 0 ? b : a],
                      m->body, from, along);
        write_radius(out, k > 0 ? a : b, m, along);
    }
}

/* o_c (o . r) - r_c (o . o) */
static void write_inwards(TmlAdmText *out, int c, const Floating *m, const char *along)
{
    static const char axes[] = "XYZ";
    tml_adm_write(out, " + W%c(%s, ground, %s)*(", axes[c], m->body, along);
    for (int k = 0; k < 3; ++k) {
        tml_adm_write(out, "%sW%c(%s, ground, %s)*", k > 0 ? " + " : "", axes[k], m->body, along);
        write_radius(out, k, m, along);
    }
    tml_adm_write(out, ") - ");
    write_radius(out, c, m, along);
    tml_adm_write(out, "*WM(%s)^2", m->body);
}

/* The frame that moves as it does but for its distance: that of its part. */
static const char *moves_as(const Floating *m)
{
    return m->body != NULL ? m->body : m->place.follows ? "ground" : m->place.frame;
}

/* Component c of the velocity or acceleration of one marker against the other. */
static void write_component(TmlAdmText *out, bool second, int c, const Floating m[2],
                            const char *along, const char *seen)
{
    static const char axes[] = "XYZ";
    tml_adm_write(out, "(%s%c(%s, %s, %s", second ? "ACC" : "V", axes[c], moves_as(&m[0]),
                  moves_as(&m[1]), along);
    if (!second) {
        tml_adm_write(out, ", %s", seen);
    }
    tml_adm_write(out, ")");
    for (int k = 0; k < 2; ++k) {
        if (m[k].body != NULL) {
            tml_adm_write(out, k == 0 ? " + (" : " - (");
            write_cross(out, second ? "WDT" : "W", c, &m[k], seen, along); // (F1)
            if (second) {
                write_inwards(out, c, &m[k], along); // (F2)
            }
            tml_adm_write(out, ")");
        }
    }
    tml_adm_write(out, ")");
}

static bool read_marker(TmlAdmTranslator *t, const TmlAdmCall *call, int k, Floating *m)
{
    const bool moves = k < call->n && floating_of(t, call->arg[k]) != NULL;
    m->body = moves ? tml_adm_frame_of(t, call->arg[k], TML_ADM_VELOCITY) : NULL;
    return tml_adm_read_place(t, call, k, &m->place);
}

bool tml_adm_write_distance(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f,
                            double unit)
{
    const char last = f->name[1];
    const char *along = call->n > 2 ? tml_adm_frame_of(t, call->arg[2], TML_ADM_AXES) : "ground";
    TmlAdmMotionEnd i, j;
    if (along == NULL || !tml_adm_read_place(t, call, 0, &i) ||
        !tml_adm_read_place(t, call, 1, &j)) {
        return false;
    }
    tml_adm_write(t->out, "(");
    if (last == 'M') {
        tml_adm_write_gap_size(t->out, &i, &j);
    } else {
        tml_adm_write_gap(t->out, &i, &j, last - 'X', along);
    }
    tml_adm_write(t->out, "*%s)", tml_adm_digits(t->adm, 1.0 / unit));
    return true;
}

bool tml_adm_write_floating(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f,
                            double unit)
{
    const size_t length = strlen(f->name);
    const char last = f->name[length - 1];
    const bool second = f->time == -2;
    const char *along = "ground", *seen = "ground";
    Floating m[2];
    if (!read_marker(t, call, 0, &m[0]) || !read_marker(t, call, 1, &m[1])) {
        return false;
    }
    for (int k = 2; k < call->n; ++k) {
        const bool axes = k == 2 && last != 'M' && last != 'R';
        const char *frame =
            tml_adm_frame_of(t, call->arg[k], axes ? TML_ADM_AXES : TML_ADM_VELOCITY);
        if (frame == NULL) {
            return false;
        }
        *(axes ? &along : &seen) = frame;
    }
    if (second && strcmp(seen, "ground") != 0) {
        return tml_adm_refuse(t, call->at,
                              "not supported yet: %s of a floating marker seen from a moving frame",
                              f->name);
    }
    tml_adm_write(t->out, "(");
    if (last == 'M') {
        tml_adm_write(t->out, "HYPOT(HYPOT(");
    }
    for (int c = 0; c < 3; ++c) {
        const bool whole = last == 'M' || last == 'R';
        if (whole || last == "XYZ"[c]) {
            write_component(t->out, second, c, m, along, seen);
        }
        if (last == 'R') {
            tml_adm_write(t->out, "*");
            tml_adm_write_gap(t->out, &m[0].place, &m[1].place, c, "ground");
            tml_adm_write(t->out, c < 2 ? " + " : "");
        } else if (last == 'M') {
            tml_adm_write(t->out, c == 0 ? ", " : c == 1 ? "), " : ")");
        }
    }
    if (last == 'R') {
        tml_adm_write(t->out, ")/(");
        tml_adm_write_gap_size(t->out, &m[0].place, &m[1].place);
    }
    tml_adm_write(t->out, ")*%s", tml_adm_digits(t->adm, 1.0 / unit));
    return true;
}
