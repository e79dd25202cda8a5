/* model/measure/measure_place.c - output(body, s, y, z).name: strains, stresses and other outputs of a
 * flexible body at a place; output(body, 3).mode, .rate and .acceleration: coordinates of a modal body.
 *
 * The former are read like unknowns and have no derivatives, so that only outputs of a run may have them:
 * an element knows its strains by its coordinates, and an expression by the motion of frames. The latter are motions:
 * a hidden body that holds coordinates has a frame whose place they are.
 */
#include "model/measure/measure_names.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/flexible/mesh.h"
#include "model/modal/modal.h"

#include <math.h>
#include <string.h>

/* A number, or the name of a parameter. */
static TmlStatus arg_number(const TmlModel *m, const TmlExprArg *arg, double *out, TmlError *err)
{
    const int k = arg->name != NULL ? tml_model_find_parameter(m, arg->name) : -1;
    if (arg->name != NULL && k < 0) {
        return tml_fail(err, TML_E_MODEL, "expected a number for the place, found '%s'", arg->name);
    }
    if (k >= 0 && m->followed != NULL && strcmp(arg->name, m->followed) == 0) {
        return tml_fail(err, TML_E_MODEL, "'%s' moves along the path and gives no place",
                        arg->name);
    }
    *out = k >= 0 ? m->parameters.at[k].value : arg->value;
    return TML_OK;
}

/* Along lines the first number goes from 0 to 1, over patches the first two. */
static TmlStatus read_place(const TmlModel *m, const TmlMesh *mesh, const TmlExprArg *args, int n,
                            double place[3], TmlError *err)
{
    const int along = mesh->type->topology == TML_FLEX_PATCH ? 2 : 1;
    if (n < 1 + along) {
        return tml_fail(err, TML_E_MODEL, "%s needs a place: output(%s, %s).name", mesh->name,
                        mesh->name, along == 2 ? "u, v, z = 0" : "s, y = 0, z = 0");
    }
    memset(place, 0, 3 * sizeof *place);
    for (int k = 0; k < n - 1; ++k) {
        TML_TRY(arg_number(m, &args[k + 1], &place[k], err));
        if (k < along && !(place[k] >= 0.0 && place[k] <= 1.0)) {
            return tml_fail(err, TML_E_MODEL, "a place along '%s' goes from 0 to 1, not to %.9g",
                            mesh->name, place[k]);
        }
    }
    return TML_OK;
}

static TmlStatus find_output(const TmlMesh *mesh, const char *member, int *out, TmlError *err)
{
    const TmlOutput *outputs = mesh->type->info.outputs;
    TmlWords words = {0};
    if (member == NULL) {
        return tml_fail(err, TML_E_MODEL, "output(%s, ...) is followed by a dot and a name: .%s",
                        mesh->name, outputs[0].name);
    }
    const int n = tml_mesh_outputs(mesh);
    const bool line = mesh->data->formulation == TML_FORM_ELASTIC_LINE;
    const int more = line && mesh->type->resultants != NULL ? TML_RESULTANTS : 0;
    for (int k = 0; k < n + more; ++k) {
        const char *name = k < n ? outputs[k].name : mesh->type->resultants[k - n].name;
        if (strcmp(member, name) == 0) {
            tml_mem_free(words.at);
            *out = k;
            return TML_OK;
        }
        tml_words_add(&words, name);
    }
    return tml_words_fail(&words, "output", member, err);
}

static TmlStatus add_place(TmlLeafList *list, TmlFlexPlace p, TmlExprSymbol *out, TmlError *err)
{
    TmlModel *m = list->model;
    bool ok = true;
    TML_LIST_ADD(m->places, p, &ok);
    if (!ok) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (places of flexible bodies)");
    }
    return tml_leaves_read(list, (TmlUnknown){TML_UNKNOWN_PLACE, m->places.n - 1, 0}, out, err);
}

TmlStatus tml_leaves_place(TmlLeafList *list, int mesh, const TmlExprArg *args, int n,
                           const char *member, TmlExprSymbol *out, TmlError *err)
{
    TmlModel *m = list->model;
    const TmlMesh *s = &m->meshes.at[mesh];
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    TmlFlexPlace p = {0};
    double place[3];
    if ((list->allowed & TML_ALLOW_PLACES) == 0) {
        return tml_fail(err, TML_E_MODEL,
                        "outputs of flexible body '%s' can be read under 'outputs' only; %s needs "
                        "derivatives, which they do not have",
                        s->name, list->where);
    }
    TML_TRY(read_place(m, s, args, n, place, err));
    TML_TRY(find_output(s, member, &p.output, err));
    p.element = tml_mesh_place(m, mesh, place[0], patch ? place[1] : 0.0, p.xi);
    p.xi[1] = patch ? p.xi[1] : place[1];
    p.xi[2] = place[2];
    return add_place(list, p, out, err);
}

/* The frame of the hidden body that holds a mode. Its axes are as long as a unit of the body's coordinates is in those of the part: a
 * distance along them is the part's coordinate. */
static TmlEnd mode_end(const TmlModal *b, int mode)
{
    const int first = mode - mode % 3;
    double unit[3] = {1, 1, 1};
    for (int k = 0; k < 3 && first + k < b->m; ++k) {
        unit[k] = 1.0 / b->scale[first + k];
    }
    return tml_body_end(b->first + mode / 3, (TmlVec3){0, 0, 0},
                        m3_diag(unit[0], unit[1], unit[2]));
}

unsigned tml_leaves_mode_needs(const char *member)
{
    return member != NULL && strcmp(member, "rate") == 0           ? TML_ALLOW_TWIST
           : member != NULL && strcmp(member, "acceleration") == 0 ? TML_ALLOW_ACCELERATION
                                                                   : TML_ALLOW_MOTION;
}

TmlStatus tml_leaves_mode(TmlLeafList *list, int modal, const TmlExprArg *args, int n,
                          const char *member, TmlExprSymbol *out, TmlError *err)
{
    const TmlModal *b = &list->model->modals.at[modal];
    const unsigned needs = tml_leaves_mode_needs(member);
    double mode = 0.0;
    if (n != 2 || (needs == TML_ALLOW_MOTION && (member == NULL || strcmp(member, "mode") != 0))) {
        return tml_fail(err, TML_E_MODEL,
                        "a modal body has output(%s, 1).mode, its first coordinate, .rate and "
                        ".acceleration",
                        b->name);
    }
    TML_TRY(arg_number(list->model, &args[1], &mode, err));
    if (!(mode >= 1.0 && mode <= b->m) || mode != floor(mode)) {
        return tml_fail(err, TML_E_MODEL, "modes of '%s' are counted from 1 to %d; it has no %.9g",
                        b->name, b->m, mode);
    }
    TmlLeaf leaf = tml_leaf_empty(needs == TML_ALLOW_MOTION  ? TML_LEAF_ALONG
                                  : needs == TML_ALLOW_TWIST ? TML_LEAF_RATE
                                                             : TML_LEAF_SECOND);
    const TmlEnd ground = tml_body_end(0, (TmlVec3){0, 0, 0}, m3_identity());
    const TmlEnd end = mode_end(b, (int)mode - 1);
    leaf.of = TML_LEAF_ALONG;
    leaf.axis = ((int)mode - 1) % 3;
    TML_TRY(tml_leaves_end(list, &ground, &leaf.slot[TML_SLOT_FROM], err));
    TML_TRY(tml_leaves_end(list, &end, &leaf.slot[TML_SLOT_TO], err));
    leaf.slot[TML_SLOT_AXES] = leaf.slot[TML_SLOT_TO];
    return tml_leaves_leaf(list, leaf, out, err);
}
