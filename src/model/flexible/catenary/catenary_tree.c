/* model/flexible/catenary/catenary_tree.c - an entry of `catenaries` as sections of a model file.
 *
 * NAME_contact and NAME_messenger are cables; their frames sK are at the supports, dK_J at the droppers of span K. Supports, arms
 * and droppers are forces with these names. What the shape at rest asks for is unknown at first:
 *
 *   (C1)  NAME_zK      height at which the support spring of the messenger has no force:  DZ(messenger) = height
 *   (C2)  NAME_aK      height at which the arm has none:                                  DZ(contact)
 *   (C3)  NAME_lK_J    what the dropper is longer than guessed:                           DZ(foot) = sag
 *
 * are constants that statics adjusts, while both wires end on weights of their tension. When the shape is known they
 * are numbers, and held wires are pinned where their ends came to.
 * Text: docs/theory/catenary.md
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "math/vec3.h"
#include "model/flexible/catenary/catenary.h"

/* Young's modulus that sections are given for: only EA and EI count. */
static const double any_modulus = 1e11;

/* A cable needs some stiffness against bending. A wire without any gets this part of T e^2, with the tension T and the length e of an
 * element: a wave of n elements feels it by (2 pi / n)^2 times that part, 1e-6 for the shortest that elements can show. */
static const double least_bending = 1e-7;

typedef struct Tree {
    TmlEntry *x;
    const TmlCatenaryPlan *p;
    const TmlRestShape *rest;
    TmlValue *root, *bodies, *flexible, *frames, *joints, *forces, *variables;
    int n_found; /* variables so far */
    bool failed;
} Tree;

/* --- values ----------------------------------------------------------------------------------- */

/* Messages about what is made point at the entry. */
static TmlValue *placed(Tree *t, TmlValue *v)
{
    t->failed |= v == NULL;
    if (v != NULL) {
        const TmlValue *at = t->x->key;
        v->made = true;
        v->file = at->file;
        v->line = at->line;
        v->column = at->column;
    }
    return v;
}

static TmlArena *arena_of(const Tree *t)
{
    return &t->x->r->m->arena;
}

static TmlValue *map_of(Tree *t)
{
    return placed(t, tml_value_map(arena_of(t)));
}

static TmlValue *real(Tree *t, double value)
{
    return placed(t, tml_value_real(arena_of(t), value));
}

static TmlValue *text_of(Tree *t, const char *fmt, ...) TML_PRINTF(2, 3);
static TmlValue *text_of(Tree *t, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return placed(t, tml_value_scalar(arena_of(t), text));
}

static void set(Tree *t, TmlValue *map, const char *key, TmlValue *value)
{
    t->failed |= !tml_value_set(arena_of(t), map, key, value);
    if (!t->failed) {
        placed(t, map->key[map->n - 1]);
    }
}

static void set_real(Tree *t, TmlValue *map, const char *key, double value)
{
    set(t, map, key, real(t, value));
}

static TmlValue *list_of(Tree *t, int n, TmlValue *const *item)
{
    return placed(t, tml_value_list(arena_of(t), n, item));
}

/* Numbers of expressions, exact. */
static const char *digits(double value, char out[32])
{
    snprintf(out, 32, "(%.17g)", value);
    return out;
}

/* --- places ----------------------------------------------------------------------------------- */

/* A point at `s` along the line, `aside` to its left, `up` over the start. */
static TmlVec3 point_at(const TmlCatenaryPlan *p, double s, double aside, double up)
{
    const TmlVec3 d = p->along == 0 ? v3(s, aside, up) : v3(-aside, s, up);
    return v3(p->start.x + d.x, p->start.y + d.y, p->start.z + d.z);
}

static TmlValue *point(Tree *t, double s, double aside, double up)
{
    const TmlVec3 r = point_at(t->p, s, aside, up);
    TmlValue *const item[] = {real(t, r.x), real(t, r.y), real(t, r.z)};
    return list_of(t, 3, item);
}

/* Support k from 0 to n, the ends included: the contact wire zigzags from the second one on. */
static double stagger_at(const TmlCatenaryPlan *p, int k)
{
    return k <= 0 || k >= p->n ? 0.0 : k % 2 == 1 ? p->stagger : -p->stagger;
}

static double support_place(const TmlCatenaryPlan *p, int k)
{
    return k < p->n ? p->span[k].from : p->length;
}

/* --- lengths ---------------------------------------------------------------------------------- */

/* Stretch of a straight cable under the tension, N = EA (l^2 - 1)/2 l. */
static double stretch_of(const TmlWirePlan *w)
{
    double l = 1.0 + w->tension / w->EA;
    for (int k = 0; k < 30; ++k) {
        l -= (0.5 * w->EA * (l * l - 1.0) * l - w->tension) / (0.5 * w->EA * (3.0 * l * l - 1.0));
    }
    return l;
}

/* Integral of half the square of the slope over a piece whose slope goes from a to b uniformly: what its arc is longer. */
static double excess(double a, double b, double length)
{
    return length * (a * a + a * b + b * b) / 6.0;
}

/* Weight that dropper j of a span carries: of the wire half way to its neighbours, and of a clamp. */
static double share_of(const TmlCatenaryPlan *p, const TmlSpanPlan *s, int j)
{
    const double g = p->gravity, at = s->at.value[j];
    const double before = j > 0 ? s->at.value[j - 1] : -s->at.value[0];
    const double after = j + 1 < s->at.n ? s->at.value[j + 1] : 2.0 * s->length - at;
    return (0.5 * (after - before) * p->contact.mass + p->clamp) * g;
}

/* How much longer the messenger is than its chords: it carries the contact wire at the droppers. */
static double messenger_excess(const TmlCatenaryPlan *p)
{
    const double g = p->gravity, T = p->messenger.tension;
    double sum = 0.0;
    for (int k = 0; k < p->n; ++k) {
        const TmlSpanPlan *s = &p->span[k];
        double end = 0.5 * p->messenger.mass * g * s->length, x = 0.0;
        for (int j = 0; j < s->at.n; ++j) {
            end += (share_of(p, s, j) + p->clamp * g) * (1.0 - s->at.value[j] / s->length);
        }
        double force = end;
        for (int j = 0; j <= s->at.n; ++j) {
            const double next = j < s->at.n ? s->at.value[j] : s->length;
            const double after = force - p->messenger.mass * g * (next - x);
            sum += excess(force / T, after / T, next - x);
            force = after - (j < s->at.n ? share_of(p, s, j) + p->clamp * g : 0.0);
            x = next;
        }
    }
    return sum;
}

/* The same of the contact wire: its own weight between droppers, the sag that is asked for. */
static double contact_excess(const TmlCatenaryPlan *p)
{
    const double load = p->contact.mass * p->gravity / p->contact.tension;
    double sum = 0.0, x = 0.0, z = 0.0;
    for (int k = 0; k < p->n; ++k) {
        const TmlSpanPlan *s = &p->span[k];
        for (int j = 0; j <= s->at.n; ++j) {
            const bool last = j == s->at.n;
            if (last && k + 1 < p->n) {
                continue; // over the support to the next dropper
            }
            const double at = s->from + (last ? s->length : s->at.value[j]);
            const double to = last ? 0.0 : -s->below[j], l = at - x, slope = (to - z) / l;
            sum += excess(slope - 0.5 * load * l, slope + 0.5 * load * l, l);
            x = at;
            z = to;
        }
        const double across = (stagger_at(p, k + 1) - stagger_at(p, k)) / s->length;
        sum += excess(across, across, s->length);
    }
    return sum;
}

/* --- wires ------------------------------------------------------------------------------------ */

const char *tml_catenary_wire(TmlEntry *x, int wire)
{
    return tml_reader_printf(x->r, "%s_%s", x->name, wire == 0 ? "contact" : "messenger");
}

typedef struct Wire {
    const TmlWirePlan *w;
    TmlValue *frames, *attach;
    TmlValue **node, **count; /* points of the polyline, elements between them */
    int n;
    double last; /* place of the last point */
    bool contact;
} Wire;

static void add_node(Tree *t, Wire *w, double s, double up)
{
    if (w->n > 0) {
        const double pieces = ceil((s - w->last) / t->p->element - 1e-9);
        w->count[w->n - 1] = text_of(t, "%d", (int)fmax(1.0, pieces));
    }
    w->node[w->n++] = point(t, s, 0.0, up);
    w->last = s;
}

/* A frame at a point of the axis, and a mass that is clamped there. */
static void add_place(Tree *t, Wire *w, const char *name, double s, double up, double mass)
{
    char body[TML_NAME_MAX];
    TmlValue *frame = map_of(t);
    set_real(t, frame, "at", s / t->p->length);
    set(t, w->frames, name, frame);
    add_node(t, w, s, up);
    if (mass > 0.0) {
        TmlValue *clamp = map_of(t), *tie = map_of(t);
        snprintf(body, sizeof body, "%.80s_%s_%s", t->x->name, w->contact ? "clamp" : "top", name);
        set(t, clamp, "type", text_of(t, "point"));
        set_real(t, clamp, "mass", mass);
        set(t, clamp, "position", point(t, s, 0.0, up));
        set(t, t->bodies, body, clamp);
        set_real(t, tie, "at", s / t->p->length);
        set(t, tie, "pin", text_of(t, "%s", body));
        TmlValue *one[] = {tie};
        if (w->attach == NULL) {
            w->attach = list_of(t, 1, one);
        } else {
            TmlValue **more = tml_reader_alloc(t->x->r, (size_t)w->attach->n + 1, sizeof *more);
            for (int k = 0; k < w->attach->n && more != NULL; ++k) {
                more[k] = w->attach->item[k];
            }
            t->failed |= more == NULL;
            if (more != NULL) {
                more[w->attach->n] = tie;
                w->attach = list_of(t, w->attach->n + 1, more);
            }
        }
    }
}

static void walk(Tree *t, Wire *w, double up)
{
    const TmlCatenaryPlan *p = t->p;
    char name[64];
    add_node(t, w, 0.0, up);
    for (int k = 0; k < p->n && !t->failed; ++k) {
        const TmlSpanPlan *s = &p->span[k];
        if (k > 0) {
            snprintf(name, sizeof name, "s%d", k);
            add_place(t, w, name, s->from, up, w->contact ? p->arm_mass : 0.0);
        }
        for (int j = 0; j < s->at.n; ++j) {
            snprintf(name, sizeof name, "d%d_%d", k + 1, j + 1);
            add_place(t, w, name, s->from + s->at.value[j], up, p->clamp);
        }
    }
    add_node(t, w, p->length, up);
}

static bool flat(const TmlCatenaryPlan *p)
{
    return p->stagger == 0.0;
}

static void put_end(Tree *t, Wire *w, TmlValue *body, const char *name)
{
    const bool held = t->rest != NULL && !t->p->weights;
    TmlValue *start = map_of(t), *end = map_of(t);
    set(t, start, "pin", text_of(t, "ground"));
    set(t, body, "start", start);
    if (held) {
        set(t, end, "pin", text_of(t, "ground"));
        set(t, body, "end", end);
        return;
    }
    char joint[TML_NAME_MAX], key[8];
    TmlValue *j = map_of(t), *pull = map_of(t), *place = map_of(t);
    set(t, place, "body", text_of(t, "ground"));
    set(t, place, "position", point(t, t->p->length, 0.0, w->contact ? 0.0 : t->p->height));
    if (flat(t->p)) {
        TmlValue *const ends[] = {place, text_of(t, "%s.end", name)};
        set(t, j, "type", text_of(t, "point_in_plane"));
        set(t, j, "frames", list_of(t, 2, ends));
    } else {
        TmlValue *const turn[] = {real(t, t->p->along == 1 ? -1.0 : 0.0),
                                  real(t, t->p->along == 0 ? 1.0 : 0.0), real(t, 0.0)};
        TmlValue *rotation = map_of(t);
        set(t, rotation, "axis", list_of(t, 3, turn));
        set(t, rotation, "angle", text_of(t, "90 deg")); // z along the wire
        set(t, place, "rotation", rotation);
        TmlValue *const ends[] = {place, text_of(t, "%s.end", name)};
        set(t, j, "type", text_of(t, "point_on_line"));
        set(t, j, "frames", list_of(t, 2, ends));
    }
    snprintf(joint, sizeof joint, "%.100s_end", name);
    set(t, t->joints, joint, j);
    set(t, pull, "type", text_of(t, "force"));
    set(t, pull, "frame", text_of(t, "%s.end", name));
    snprintf(key, sizeof key, "f%c", t->p->along == 0 ? 'x' : 'y');
    set_real(t, pull, key, w->w->tension);
    snprintf(joint, sizeof joint, "%.100s_weight", name);
    set(t, t->forces, joint, pull);
}

static void add_wire(Tree *t, bool contact)
{
    const TmlCatenaryPlan *p = t->p;
    const TmlWirePlan *w = contact ? &p->contact : &p->messenger;
    const char *name = tml_catenary_wire(t->x, contact ? 0 : 1);
    size_t room = 2;
    for (int k = 0; k < p->n; ++k) {
        room += (size_t)p->span[k].at.n + 1;
    }
    Wire wire = {.w = w,
                 .contact = contact,
                 .frames = map_of(t),
                 .node = tml_reader_alloc(t->x->r, room, sizeof *wire.node),
                 .count = tml_reader_alloc(t->x->r, room, sizeof *wire.count)};
    TmlValue *body = map_of(t), *material = map_of(t), *section = map_of(t), *touch = map_of(t);
    if (name == NULL || wire.node == NULL || wire.count == NULL || t->failed) {
        t->failed = true;
        return;
    }
    walk(t, &wire, contact ? 0.0 : p->height);
    set(t, body, "type", text_of(t, "cable"));
    set(t, body, "polyline", list_of(t, wire.n, wire.node));
    set(t, body, "elements", list_of(t, wire.n - 1, wire.count));
    if (flat(p)) {
        set(t, body, "plane", text_of(t, p->along == 0 ? "zx" : "yz"));
    }
    // so that the end comes to lie where the line ends
    const double longer = (contact ? contact_excess(p) : messenger_excess(p)) / p->length;
    set_real(t, body, "stretch", stretch_of(w) / (1.0 + longer));
    // EI of a stretched metre: curvature is the rotation of an unstressed one
    const double least = least_bending * w->tension * p->element * p->element;
    const double area = w->EA / any_modulus,
                 inertia = fmax(w->EI, least) / any_modulus / stretch_of(w);
    set_real(t, material, "E", any_modulus);
    set_real(t, material, "density", w->mass / area * stretch_of(w)); // of a stretched metre
    set_real(t, material, "damping", p->damping);
    set_real(t, material, "mass_damping", p->mass_damping);
    set_real(t, material, "slope_damping", p->damping * w->tension / stretch_of(w));
    set(t, body, "material", material);
    set_real(t, section, "area", area);
    set_real(t, section, "Iy", inertia);
    set_real(t, section, "Iz", inertia);
    set(t, body, "section", section);
    set_real(t, touch, "radius", w->radius);
    set(t, body, "contact", touch);
    put_end(t, &wire, body, name);
    if (wire.attach != NULL) {
        set(t, body, "attach", wire.attach);
    }
    set(t, body, "frames", wire.frames);
    set(t, t->flexible, name, body);
}

/* --- supports, arms, droppers ----------------------------------------------------------------- */

/* A constant that statics adjusts, by its name, or its value. */
static const char *unknown(Tree *t, const char *name, double initial, char out[TML_NAME_MAX],
                           const char *fmt, ...) TML_PRINTF(5, 6);
static const char *unknown(Tree *t, const char *name, double initial, char out[TML_NAME_MAX],
                           const char *fmt, ...)
{
    char text[1024];
    if (t->rest != NULL) {
        const double value =
            t->n_found < t->rest->n_values ? t->rest->value[t->n_found] : (double)NAN;
        t->n_found++;
        snprintf(out, TML_NAME_MAX, "(%.17g)", value);
        return out;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    TmlValue *v = map_of(t);
    set(t, v, "adjust", text_of(t, "%s", text));
    set_real(t, v, "initial", initial);
    set(t, t->variables, name, v);
    t->n_found++;
    snprintf(out, TML_NAME_MAX, "%s", name);
    return out;
}

/* A spring along z and, where the wire zigzags, one across, between a frame and the ground. */
static void hold(Tree *t, const char *name, const char *frame, const char *rest, double stiffness,
                 double damping, double load, double aside)
{
    const TmlCatenaryPlan *p = t->p;
    char a[32], b[32], c[32], d[32];
    TmlValue *f = map_of(t);
    set(t, f, "type", text_of(t, "force"));
    set(t, f, "frame", text_of(t, "%s", frame));
    set(t, f, "fz",
        text_of(t, "%s*(%s - DZ(\"%s\")) - %s*VZ(\"%s\") + %s", digits(stiffness, a), rest, frame,
                digits(damping, b), frame, digits(load, c)));
    if (!flat(p)) {
        const char across = p->along == 0 ? 'Y' : 'X';
        const TmlVec3 r = point_at(p, 0.0, aside, 0.0);
        set(t, f, p->along == 0 ? "fy" : "fx",
            text_of(t, "%s*(%s - D%c(\"%s\"))", digits(p->lateral, a),
                    digits(p->along == 0 ? r.y : r.x, d), across, frame));
    }
    set(t, t->forces, name, f);
}

static void add_support(Tree *t, int k)
{
    const TmlCatenaryPlan *p = t->p;
    char name[TML_NAME_MAX], frame[TML_NAME_MAX], value[TML_NAME_MAX], z[32];
    const double height = p->start.z + p->height;
    snprintf(name, sizeof name, "%.100s_z%d", t->x->name, k);
    snprintf(frame, sizeof frame, "%.100s_messenger.s%d", t->x->name, k);
    const double load = (p->contact.mass + p->messenger.mass) * p->gravity * 0.5 *
                        (p->span[k - 1].length + p->span[k].length);
    unknown(t, name, height + load / p->support, value, "DZ(\"%s\") - %s", frame,
            digits(height, z)); // (C1)
    snprintf(name, sizeof name, "%.100s_support%d", t->x->name, k);
    hold(t, name, frame, value, p->support, p->support_damping, 0.0, 0.0);
    snprintf(name, sizeof name, "%.100s_a%d", t->x->name, k);
    snprintf(frame, sizeof frame, "%.100s_contact.s%d", t->x->name, k);
    unknown(t, name, p->start.z, value, "DZ(\"%s\") - %s", frame, name); // (C2)
    if (t->rest != NULL) {
        TmlValue *mark = map_of(t);
        TmlValue *const r[] = {real(t, point_at(p, support_place(p, k), stagger_at(p, k), 0.0).x),
                               real(t, point_at(p, support_place(p, k), stagger_at(p, k), 0.0).y),
                               real(t, t->rest->value[t->n_found - 1])};
        set(t, mark, "position", list_of(t, 3, r));
        snprintf(name, sizeof name, "%.100s_s%d", t->x->name, k);
        set(t, t->frames, name, mark);
    }
    snprintf(name, sizeof name, "%.100s_arm%d", t->x->name, k);
    hold(t, name, frame, value, p->arm, p->arm_damping, p->arm_load + p->arm_mass * p->gravity,
         stagger_at(p, k));
}

static void add_dropper(Tree *t, int k, int j)
{
    const TmlCatenaryPlan *p = t->p;
    const TmlSpanPlan *s = &p->span[k];
    char name[TML_NAME_MAX], foot[TML_NAME_MAX], top[TML_NAME_MAX], value[TML_NAME_MAX], z[32];
    snprintf(name, sizeof name, "%.100s_l%d_%d", t->x->name, k + 1, j + 1);
    snprintf(foot, sizeof foot, "%.100s_contact.d%d_%d", t->x->name, k + 1, j + 1);
    snprintf(top, sizeof top, "%.100s_messenger.d%d_%d", t->x->name, k + 1, j + 1);
    const double guess = p->height - share_of(p, s, j) / p->dropper;
    unknown(t, name, 0.0, value, "DZ(\"%s\") - %s", foot,
            digits(p->start.z - s->below[j], z)); // (C3)
    TmlValue *f = map_of(t);
    TmlValue *const ends[] = {text_of(t, "%s", foot), text_of(t, "%s", top)};
    set(t, f, "type", text_of(t, "rope"));
    set(t, f, "frames", list_of(t, 2, ends));
    set_real(t, f, "stiffness", p->dropper);
    set_real(t, f, "damping", p->dropper_damping);
    set_real(t, f, "blend", p->blend);
    if (t->rest != NULL) {
        const double length = guess + t->rest->value[t->n_found - 1];
        if (!(length > 0.0)) {
            tml_entry_error(t->x, NULL,
                            "dropper %d of span %d would need a length of %.3g m: the messenger "
                            "hangs too low; give it more "
                            "height or tension",
                            j + 1, k + 1, length);
        }
        set_real(t, f, "free_length", fmax(length, 0.0));
    } else {
        set_real(t, f, "free_length", guess);
        set(t, f, "longer", text_of(t, "%s", value));
    }
    snprintf(name, sizeof name, "%.100s_d%d_%d", t->x->name, k + 1, j + 1);
    set(t, t->forces, name, f);
}

static void add_outputs(Tree *t)
{
    TmlValue *outputs = map_of(t);
    for (int k = 0; k < t->variables->n && !t->failed; ++k) {
        set(t, outputs, t->variables->key[k]->text, text_of(t, "%s", t->variables->key[k]->text));
    }
    set(t, t->root, "outputs", outputs);
}

TmlValue *tml_catenary_tree(TmlEntry *x, const TmlCatenaryPlan *plan, const TmlRestShape *rest)
{
    Tree t = {.x = x, .p = plan, .rest = rest};
    TmlValue **const section[] = {&t.bodies, &t.flexible, &t.frames,
                                  &t.joints, &t.forces,   &t.variables};
    static const char *const name[] = {"bodies", "flexible", "frames",
                                       "joints", "forces",   "variables"};
    t.root = map_of(&t);
    for (int k = 0; k < 6; ++k) {
        *section[k] = map_of(&t);
    }
    if (t.failed) {
        return NULL;
    }
    add_wire(&t, true);
    add_wire(&t, false);
    for (int k = 1; k < plan->n && !t.failed; ++k) {
        add_support(&t, k);
    }
    for (int k = 0; k < plan->n && !t.failed; ++k) {
        for (int j = 0; j < plan->span[k].at.n && !t.failed; ++j) {
            add_dropper(&t, k, j);
        }
    }
    for (int k = 0; k < 6; ++k) {
        set(&t, t.root, name[k], *section[k]);
    }
    if (rest == NULL) {
        add_outputs(&t);
    }
    return t.failed ? NULL : t.root;
}
