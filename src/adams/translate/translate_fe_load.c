/* adams/translate/translate_fe_load.c - FE_LOAD: forces and torques by length on a FE_PART.
 *
 * A force along ground axes that depends on place and time is the `load` of the flexible body, one
 * of them; S is s there. Any other load is a force and a torque in a frame at every Gauss point of
 * every element,
 *
 *   (D1)  sum over points of w l q,      w the weight of the point, l the length of the element
 *
 * which is what the shape functions make of q to the degree of the points. So it may depend on
 * whatever forces depend on. Expressions are written once a point: S is a number there, SD, SV and
 * SA are functions of the frame.
 */
#include <stdio.h>
#include <string.h>

#include "adams/expression/translator.h"
#include "adams/translate/fe.h"
#include "math/gauss.h"
#include "math/vec3.h"

enum { POINTS = 4 }; /* exact to the seventh degree: shapes of the second, loads of the fifth */

/* One Gauss point of a load. */
typedef struct Point {
    TmlAdmSpot spot;
    double weight; /* m */
} Point;

/* A frame there with the axes of the section as the dataset has them: not turned by phi. */
static const char *add_frame(TmlAdm *adm, TmlAdmItem *load, TmlAdmItem *part, const TmlAdmFe *fe,
                             int element, double inside, int number)
{
    const TmlAdmSlice at = tml_adm_whole(load);
    const double phi = (1.0 - inside) * fe->node[element].phi + inside * fe->node[element + 1].phi;
    TmlValue *frames = (TmlValue *)(uintptr_t)tml_value_find(part->value, "frames");
    TmlValue *v = tml_adm_map(adm, at);
    const char *name = tml_arena_printf(adm->arena, "%s_%d", load->name, number);
    const char *path =
        name != NULL ? tml_arena_printf(adm->arena, "%s.%s", part->name, name) : NULL;
    adm->nomem |= path == NULL || frames == NULL;
    if (adm->nomem) {
        return NULL;
    }
    tml_adm_set(adm, v, "node", tml_adm_number(adm, at, element + 1 + inside));
    if (phi != 0.0) {
        TmlValue *turn = tml_adm_map(adm, at);
        tml_adm_set(adm, turn, "axis", tml_adm_scalar(adm, at, "x"));
        tml_adm_set(adm, turn, "angle", tml_adm_number(adm, at, -phi));
        tml_adm_set(adm, v, "rotation", turn);
    }
    tml_adm_set(adm, frames, name, v);
    return path;
}

/* The component of a force or torque at a point; NULL: none, or reported. */
static const char *component(TmlAdm *adm, TmlAdmItem *load, char kind, int axis, double weight)
{
    const char name[3] = {kind, "XYZ"[axis], '\0'};
    const TmlAdmArg *arg = tml_adm_arg(load, name);
    const double unit = kind == 'F' ? adm->force / adm->length : adm->force;
    const char *text = arg != NULL ? tml_adm_expression(adm, load, arg->value) : NULL;
    return text != NULL ? tml_adm_scaled(adm, text, unit * weight) : NULL;
}

/* Components in the axes of RM along ground axes. */
static void set_components(TmlAdm *adm, TmlAdmItem *load, char kind, double weight, const char *rm,
                           TmlValue *v)
{
    static const char axes[] = "XYZ";
    const bool ground = strcmp(rm, "ground") == 0;
    const char *part[3];
    for (int k = 0; k < 3; ++k) {
        part[k] = component(adm, load, kind, k, weight);
    }
    for (int row = 0; row < 3 && !load->failed; ++row) {
        const char key[3] = {kind == 'F' ? 'f' : 't', (char)('x' + row), '\0'};
        TmlAdmText text = {0};
        for (int k = 0; k < 3; ++k) {
            if (part[k] == NULL || (ground && k != row)) {
                continue;
            }
            tml_adm_write(&text, ground ? "%s" : text.n > 0 ? " + (%s)" : "(%s)", part[k]);
            if (!ground) {
                tml_adm_write(&text, "*C%c%c(%s)", axes[row], axes[k], rm);
            }
        }
        const bool any = text.n > 0;
        const char *whole = tml_adm_take(adm, &text);
        if (any && !adm->nomem) {
            tml_adm_set(adm, v, key, tml_adm_scalar(adm, tml_adm_whole(load), whole));
        }
    }
}

/* The force (F) or torque (T) at a point. */
static void add_force(TmlAdm *adm, TmlAdmItem *load, char kind, int number, const Point *p,
                      const char *rm)
{
    const TmlAdmSlice at = tml_adm_whole(load);
    TmlValue *v = tml_adm_map(adm, at);
    const char *name =
        tml_arena_printf(adm->arena, kind == 'F' ? "%s_%d" : "%s_torque_%d", load->name, number);
    adm->nomem |= name == NULL;
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, kind == 'F' ? "force" : "torque"));
    tml_adm_set(adm, v, "frame", tml_adm_scalar(adm, at, p->spot.frame));
    adm->spot = &p->spot;
    set_components(adm, load, kind, p->weight, rm, v);
    adm->spot = NULL;
    if (!adm->nomem && !load->failed) {
        tml_adm_set(adm, adm->forces, name, v);
    }
}

static void add_points(TmlAdm *adm, TmlAdmItem *load, TmlAdmItem *part, const TmlAdmFe *fe,
                       const char *rm)
{
    double x[POINTS], w[POINTS], before = 0.0;
    tml_gauss(POINTS, x, w);
    for (int k = 0; k < POINTS * (fe->n - 1) && !load->failed; ++k) {
        const int e = k / POINTS, i = k % POINTS;
        const double l = fe->length[e];
        const char *frame = add_frame(adm, load, part, fe, e, x[i], k + 1);
        const Point p = {{(before + x[i] * l) / fe->total, frame}, w[i] * l};
        before += i == POINTS - 1 ? l : 0.0;
        if (adm->nomem) {
            return;
        }
        if (tml_adm_component(load, 'F')) {
            add_force(adm, load, 'F', k + 1, &p, rm);
        }
        if (tml_adm_component(load, 'T')) {
            add_force(adm, load, 'T', k + 1, &p, rm);
        }
    }
}

/* May it be the load of the body itself? */
static bool is_simple(const TmlAdmItem *load, const TmlAdmItem *part)
{
    static const char *const names[] = {"FX", "FY", "FZ"};
    bool simple = !tml_adm_has(load, "RM") && !tml_adm_component(load, 'T') &&
                  tml_value_find(part->value, "load") == NULL;
    for (int k = 0; k < 3 && simple; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(load, names[k]);
        simple = arg == NULL || tml_adm_is_plain(arg->value);
    }
    return simple;
}

static void set_load(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *part)
{
    static const TmlAdmSpot everywhere = {0.0, NULL};
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *force[3], *v = tml_adm_map(adm, at);
    adm->spot = &everywhere;
    for (int k = 0; k < 3; ++k) {
        const char *text = component(adm, item, 'F', k, 1.0);
        force[k] = tml_adm_scalar(adm, at, text != NULL ? text : "0");
    }
    adm->spot = NULL;
    tml_adm_set(adm, v, "force", tml_adm_list(adm, at, 3, force));
    tml_adm_set(adm, part->value, "load", v);
}

void tml_adm_fe_load(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *part = tml_adm_need(adm, item, "FE_PART", "FE_PART");
    TmlAdmItem *rm = tml_adm_ref(adm, item, "RM", "MARKER");
    if (part == NULL || part->failed || item->failed) {
        return;
    }
    const TmlAdmFe *fe = tml_adm_fe(adm, part);
    if (!tml_adm_component(item, 'F') && !tml_adm_component(item, 'T')) {
        tml_adm_error(adm, item, tml_adm_whole(item), "no component is given");
        return;
    }
    if (fe == NULL || part->value == NULL) {
        return;
    }
    if (is_simple(item, part)) {
        set_load(adm, item, part);
    } else {
        add_points(adm, item, part, fe, rm != NULL ? rm->path : "ground");
    }
    item->written = !item->failed;
}
