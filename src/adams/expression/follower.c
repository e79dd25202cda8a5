/* adams/expression/follower.c - floating markers that follow a curve, in functions of the motion.
 *
 * Those of a PTCV and a CVCV stand at the contact, with x along the tangent t of the curve. That of
 * a PTCV has y away from the centre of curvature, those of a CVCV have z along that of the frame R
 * that carries the curve. With c(s) and the axes e_a(s) in the axes of R:
 *
 *   (K1)  r = r_R + c_k k_R            components along a:  v_a = sum_k e_ak (v . k_R)
 *   (K2)  cosines R_ab = a_J . b_I = sum_kl e_Jal e_Ibk (l_RJ . k_RI)
 *
 * Angles follow from the cosines, as ORIENT has them.
 */
#include <string.h>

#include "adams/expression/translator.h"

static const char small[] = "xyz", large[] = "XYZ";

/* --- who follows ------------------------------------------------------------------------------ */

const TmlAdmItem *tml_adm_floats_in(TmlAdm *adm, const TmlAdmItem *marker, bool *on_i)
{
    static const char *const names[] = {"JFLOAT", "IFLOAT"};
    const int *list;
    const int n = tml_adm_acting(adm, marker, &list);
    for (int k = 0; k < 2 * n; ++k) {
        const TmlAdmItem *item = &adm->item[list[k / 2]];
        const TmlAdmArg *arg = tml_adm_arg(item, names[k % 2]);
        if (arg != NULL && strcmp(tml_adm_id(adm, arg->value), marker->id) == 0) {
            *on_i = k % 2 == 1;
            return item;
        }
    }
    return NULL;
}

/* The statement that an argument names, if there is one. */
static TmlAdmItem *named(TmlAdm *adm, const TmlAdmItem *item, const char *arg, const char *keyword)
{
    const TmlAdmArg *found = tml_adm_arg(item, arg);
    return found != NULL ? tml_adm_find(adm, keyword, tml_adm_id(adm, found->value)) : NULL;
}

bool tml_adm_follower(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmFollower *out)
{
    TmlAdm *adm = t->adm;
    bool on_i;
    TmlAdmItem *marker = tml_adm_find(adm, "MARKER", tml_adm_id(adm, arg));
    const bool floats = marker != NULL && tml_adm_has(marker, "FLOATING");
    const TmlAdmItem *e = floats ? tml_adm_floats_in(adm, marker, &on_i) : NULL;
    const bool plane = e != NULL && strcmp(e->syntax->name, "CVCV") == 0;
    if (e == NULL || (!plane && strcmp(e->syntax->name, "PTCV") != 0)) {
        return false;
    }
    const TmlAdmItem *part = tml_adm_owner(adm, marker);
    const TmlAdmItem *rm = named(adm, e, !plane ? "RM" : on_i ? "IRM" : "JRM", "MARKER");
    const TmlAdmItem *curve = named(adm, e, !plane ? "CURVE" : on_i ? "ICURVE" : "JCURVE", "CURVE");
    if (part == NULL || curve == NULL || curve->failed || e->failed || e->inactive) {
        return false; // told there, or by what asks for the marker
    }
    *out = (TmlAdmFollower){
        .carrier = rm != NULL ? rm->path : tml_adm_body_name(part),
        .curve = curve->name,
        .place = tml_arena_printf(adm->arena, "DX(%s.s%s)", e->name, plane && on_i ? "2" : ""),
        .plane = plane};
    adm->nomem |= out->place == NULL;
    return out->carrier != NULL && out->place != NULL;
}

/* --- axes ------------------------------------------------------------------------------------- */

/* Is component k of axis a in the axes of the carrier always zero? */
static bool is_zero(const TmlAdmFollower *f, int a, int k)
{
    return f->plane && ((a == 2) != (k == 2));
}

static void write_unit(TmlAdmText *out, const TmlAdmFollower *f, int a, int k)
{
    if (f->plane && a == 2) {
        tml_adm_write(out, "1");
    } else if (f->plane && a == 1) { // z x t
        tml_adm_write(out, "%sspline(%s, %s.t%c)", k == 0 ? "-" : "", f->place, f->curve,
                      k == 0 ? 'y' : 'x');
    } else {
        tml_adm_write(out, "spline(%s, %s.%c%c)", f->place, f->curve, "tnb"[a], small[k]);
    }
}

/* (K2) between a follower or a frame and another. */
static void write_cosine(TmlAdmText *out, int a, int b, const TmlAdmMotionEnd *i,
                         const TmlAdmMotionEnd *j)
{
    int written = 0;
    tml_adm_write(out, "(");
    for (int n = 0; n < 9; ++n) {
        const int k = n % 3, l = n / 3; // axes of the frames of i and j
        const bool used = (i->follows ? !is_zero(&i->follower, b, k) : k == b) &&
                          (j->follows ? !is_zero(&j->follower, a, l) : l == a);
        if (!used) {
            continue;
        }
        tml_adm_write(out, "%sC%c%c(%s, %s)", written++ > 0 ? " + " : "", large[l], large[k],
                      i->follows ? i->follower.carrier : i->frame,
                      j->follows ? j->follower.carrier : j->frame);
        if (i->follows) {
            tml_adm_write(out, "*(");
            write_unit(out, &i->follower, b, k);
            tml_adm_write(out, ")");
        }
        if (j->follows) {
            tml_adm_write(out, "*(");
            write_unit(out, &j->follower, a, l);
            tml_adm_write(out, ")");
        }
    }
    tml_adm_write(out, ")");
}

/* A text in which CXY(@, @) stands for cosines. */
static void write_cosines(TmlAdmText *out, const char *text, const TmlAdmMotionEnd *i,
                          const TmlAdmMotionEnd *j)
{
    static const char mark[] = "(@, @)";
    for (const char *c = text; *c != '\0'; ++c) {
        if (c[0] == 'C' && c[1] != '\0' && strncmp(c + 3, mark, sizeof mark - 1) == 0) {
            write_cosine(out, c[1] - 'X', c[2] - 'X', i, j);
            c += 2 + sizeof mark - 1;
        } else {
            tml_adm_write(out, "%c", *c);
        }
    }
}

static bool read_end(TmlAdmTranslator *t, const TmlAdmCall *call, int k, TmlAdmMotionEnd *out)
{
    *out = (TmlAdmMotionEnd){.frame = "ground"};
    if (k >= call->n) {
        return true;
    }
    out->follows = tml_adm_follower(t, call->arg[k], &out->follower);
    out->frame = out->follows ? NULL : tml_adm_frame_of(t, call->arg[k], TML_ADM_AXES);
    return out->follows || out->frame != NULL;
}

/* System and component of ORIENT that an angle is; 0: another. */
static int system_of(const char *name, int *component)
{
    static const char *const angles[] = {"PSI", "THETA", "PHI", "YAW", "PITCH", "ROLL"};
    for (int k = 0; k < 6; ++k) {
        if (strcmp(name, angles[k]) == 0) {
            *component = k % 3 + 1;
            return k < 3 ? 13 : 8; // 3-1-3, 3-2-1
        }
    }
    return 0;
}

bool tml_adm_write_turned_angle(TmlAdmTranslator *t, const TmlAdmCall *call,
                                const TmlAdmFunction *f)
{
    static const char *const projected[] = {"atan2(-CYZ(@, @), CZZ(@, @))",
                                            "atan2(CXZ(@, @), CZZ(@, @))",
                                            "atan2(CYX(@, @), CXX(@, @))"};
    const bool orient = f->write == tml_adm_write_orient, axis = f->write == tml_adm_write_axis;
    TmlAdmMotionEnd i, j;
    TmlAdmText text = {0};
    int component = 0, system = system_of(f->name, &component);
    if (!read_end(t, call, orient ? 2 : 0, &i) || !read_end(t, call, orient ? 3 : 1, &j)) {
        return false;
    }
    if (axis && t->component < 0) {
        return tml_adm_refuse(t, call->at, "a number is needed here, and %s is a vector", f->name);
    }
    if (orient) {
        system = tml_adm_whole_number(t, call->arg[0]);
        component = tml_adm_whole_number(t, call->arg[1]);
    }
    bool known = true;
    tml_adm_write(&text, strcmp(f->name, "PITCH") == 0 ? "(-" : "(");
    if (axis) {
        tml_adm_write(&text, "C%c%c(@, @)", large[t->component], f->name[2]);
    } else if (orient || system > 0) {
        known = tml_adm_orient(&text, system, component, "@", "@");
    } else {
        tml_adm_write(&text, "%s", projected[f->name[1] - 'X']);
    }
    tml_adm_write(&text, ")");
    const char *template = tml_adm_take(t->adm, &text);
    if (!known) {
        return tml_adm_refuse(t, call->at, "%s: there is no such system and component", f->name);
    }
    write_cosines(t->out, template, &i, &j);
    return true;
}

/* --- components ------------------------------------------------------------------------------- */

/* The argument that names the axes of a component; -1: none. */
static int axes_argument(const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const bool by_name = f->write == tml_adm_write_measure || f->write == tml_adm_write_between;
    const bool by_number = f->write == tml_adm_write_element || f->write == tml_adm_write_nforce;
    const char last = f->name[strlen(f->name) - 1];
    const int k = by_number ? 3 : by_name && strchr(large, last) != NULL ? 2 : call->n;
    return k < call->n ? k : -1;
}

/* (K1) of a function of three components. */
static bool write_turned(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f,
                         const TmlAdmFollower *follower)
{
    const bool by_number = f->write == tml_adm_write_element || f->write == tml_adm_write_nforce;
    const int number = by_number ? tml_adm_whole_number(t, call->arg[2]) : 0;
    const size_t last = strlen(f->name) - 1;
    const int a = by_number ? (number - 2) % 4 : f->name[last] - 'X', first = number > 4 ? 6 : 2;
    char name[TML_ADM_WORD_MAX], digit[2] = {'2', '\0'};
    TmlAdmCall part = *call;
    int written = 0;
    bool ok = true;
    strcpy(name, f->name);
    part.name = name;
    tml_adm_write(t->out, "(");
    for (int k = 0; ok && k < 3; ++k) {
        if (is_zero(follower, a, k)) {
            continue;
        }
        if (by_number) {
            digit[0] = (char)('0' + first + k);
            const char *text = tml_arena_printf(t->adm->arena, "%s", digit);
            t->adm->nomem |= text == NULL;
            part.arg[2] = tml_adm_text_slice(t->adm, t->item, text != NULL ? text : "");
        } else {
            name[last] = large[k];
        }
        tml_adm_write(t->out, written++ > 0 ? " + " : "");
        ok = tml_adm_write_call(t, &part);
        tml_adm_write(t->out, "*(");
        write_unit(t->out, follower, a, k);
        tml_adm_write(t->out, ")");
    }
    tml_adm_write(t->out, ")");
    return ok;
}

bool tml_adm_write_along_follower(TmlAdmTranslator *t, const TmlAdmCall *call,
                                  const TmlAdmFunction *f, bool *written)
{
    TmlAdmFollower follower;
    const int k = t->turning ? -1 : axes_argument(call, f);
    *written = k >= 0 && tml_adm_follower(t, call->arg[k], &follower);
    if (!*written) {
        return true;
    }
    const bool by_number = k == 3;
    const int number = by_number ? tml_adm_whole_number(t, call->arg[2]) : 0;
    t->turning = true;
    // magnitudes have no axes; what is no component is told by its function
    const bool component = !by_number || (number > 1 && number <= 8 && number != 5);
    const bool ok = component ? write_turned(t, call, f, &follower) : f->write(t, call, f);
    t->turning = false;
    return ok;
}

/* --- places ----------------------------------------------------------------------------------- */

/* Component c of the contact from the origin of its carrier. */
static void write_contact(TmlAdmText *out, const TmlAdmFollower *f, int c, const char *along)
{
    for (int k = 0; k < 3; ++k) {
        tml_adm_write(out, "%sspline(%s, %s.%c)*C%c%c(%s, %s)", k > 0 ? " + " : "", f->place,
                      f->curve, small[k], large[c], large[k], f->carrier, along);
    }
}

void tml_adm_write_gap(TmlAdmText *out, const TmlAdmMotionEnd *i, const TmlAdmMotionEnd *j, int c,
                       const char *along)
{
    const TmlAdmMotionEnd *const end[2] = {i, j};
    const char *from = i->follows ? i->follower.carrier : i->frame;
    const char *to = j->follows ? j->follower.carrier : j->frame;
    if (!i->follows && !j->follows && strcmp(along, "ground") == 0) {
        tml_adm_write(out, "D%c(%s, %s)", large[c], from, to);
        return;
    }
    tml_adm_write(out, "(D%c(%s, %s, %s)", large[c], from, to, along);
    for (int k = 0; k < 2; ++k) {
        if (end[k]->follows) {
            tml_adm_write(out, k == 0 ? " + " : " - (");
            write_contact(out, &end[k]->follower, c, along);
            tml_adm_write(out, k == 0 ? "" : ")");
        }
    }
    tml_adm_write(out, ")");
}

void tml_adm_write_gap_size(TmlAdmText *out, const TmlAdmMotionEnd *i, const TmlAdmMotionEnd *j)
{
    if (!i->follows && !j->follows) {
        tml_adm_write(out, "DM(%s, %s)", i->frame, j->frame);
        return;
    }
    tml_adm_write(out, "hypot(hypot(");
    for (int c = 0; c < 3; ++c) {
        tml_adm_write_gap(out, i, j, c, "ground");
        tml_adm_write(out, c == 0 ? ", " : c == 1 ? "), " : ")");
    }
}

bool tml_adm_read_place(TmlAdmTranslator *t, const TmlAdmCall *call, int k, TmlAdmMotionEnd *out)
{
    *out = (TmlAdmMotionEnd){.frame = "ground"};
    if (k >= call->n) {
        return true;
    }
    // of a PTCV it stands where I does
    out->follows = tml_adm_follower(t, call->arg[k], &out->follower) && out->follower.plane;
    out->frame = out->follows ? NULL : tml_adm_frame_of(t, call->arg[k], TML_ADM_PLACE);
    return out->follows || out->frame != NULL;
}
