/* model/measure/measure_names.c - names and functions of a model, as expressions write them.
 *
 * Turns DX(a, b), angle(pin), reaction(pin).fx, variable and state names into leaves.
 */
#include "model/measure/measure_names.h"

#include "math/vec3.h"
#include "trammel/flexible.h"
#include "trammel/modal.h"

#include <string.h>

static TmlStatus fail_joint(const TmlModel *m, const char *word, TmlError *err)
{
    TmlWords words = {0};
    for (int k = 0; k < m->constraints.n; ++k) {
        tml_words_add(&words, m->constraints.at[k].name);
    }
    return tml_words_fail(&words, "joint", word, err);
}

static TmlStatus fail_force(const TmlModel *m, const char *word, TmlError *err)
{
    TmlWords words = {0};
    for (int k = 0; k < m->forces.n; ++k) {
        tml_words_add(&words, m->forces.at[k].name);
    }
    return tml_words_fail(&words, "force", word, err);
}

/* "'VX' reads velocities; motion 'm1' may read only time, displacements and angles" */
static TmlStatus check_allowed(const TmlLeafList *list, const char *what, unsigned needs,
                               TmlError *err)
{
    static const char *const classes[] = {"displacements and angles", "velocities", "accelerations",
                                          "states, variables, reactions and forces"};
    if ((needs & ~list->allowed) == 0) {
        return TML_OK;
    }
    const char *reads = classes[0];
    char may[256] = "time";
    for (unsigned k = 0; k < 4; ++k) {
        if ((needs >> k & 1u) != 0) {
            reads = classes[k];
        }
        if ((list->allowed >> k & 1u) != 0) {
            strcat(may, ", ");
            strcat(may, classes[k]);
        }
    }
    return tml_fail(err, TML_E_MODEL, "'%s' reads %s; %s may read only %s", what, reads,
                    list->where, may);
}

/* --- arguments ------------------------------------------------------------------------------- */

static TmlStatus arg_name(const TmlExprArg *arg, const char *what, const char **out, TmlError *err)
{
    if (arg->name == NULL) {
        return tml_fail(err, TML_E_MODEL, "expected the name of a %s, found the number %.9g", what,
                        arg->value);
    }
    *out = arg->name;
    return TML_OK;
}

/* Put the frame named by the argument, or the standard one, into a slot of the leaf. */
static TmlStatus arg_slot(TmlLeafList *list, const TmlExprArg *arg, TmlLeaf *leaf, int slot,
                          TmlError *err)
{
    TmlEnd end = {.body = TML_GROUND, .A_b = m3_identity()};
    if (arg != NULL) {
        const char *name = NULL;
        TML_TRY(arg_name(arg, "body or frame", &name, err));
        TML_TRY(tml_leaves_frame(list->model, name, &end, err));
    }
    return tml_leaves_end(list, &end, &leaf->slot[slot], err);
}

/* fx .. tm of reaction and force */
static TmlStatus arg_member(const TmlModelFunction *f, const char *member, TmlLeaf *leaf,
                            TmlError *err)
{
    static const char axes[] = "xyzm";
    const char *at = member != NULL && strlen(member) == 2 ? strchr(axes, member[1]) : NULL;
    if (at == NULL || (member[0] != 'f' && member[0] != 't')) {
        return tml_fail(err, TML_E_MODEL,
                        "%s(...) is followed by .fx, .fy, .fz, .fm, .tx, .ty, .tz or .tm%s%s%s",
                        f->name, member != NULL ? ", not by ." : "", member != NULL ? member : "",
                        member != NULL ? "" : "; nothing stands here");
    }
    leaf->torque = member[0] == 't';
    leaf->axis = (int)(at - axes);
    return TML_OK;
}

static TmlStatus leaf_element(TmlLeafList *list, TmlLeaf *leaf, const TmlEnd *ends, int n_ends,
                              TmlUnknownKind kind, int n_unknowns, TmlError *err)
{
    leaf->n_ends = n_ends;
    leaf->n_unknowns = n_unknowns;
    TML_NEW(&list->model->arena, leaf->end, n_ends);
    TML_NEW(&list->model->arena, leaf->unknown, n_unknowns);
    for (int k = 0; k < n_ends; ++k) {
        TML_TRY(tml_leaves_end(list, &ends[k], &leaf->end[k], err));
    }
    for (int k = 0; k < n_unknowns; ++k) {
        TML_TRY(
            tml_leaves_unknown(list, (TmlUnknown){kind, leaf->element, k}, &leaf->unknown[k], err));
    }
    return TML_OK;
}

/* --- calls ------------------------------------------------------------------------------------ */

static TmlStatus call_frames(TmlLeafList *list, const TmlModelFunction *f, const TmlExprArg *args,
                             int n, TmlLeaf *leaf, TmlError *err)
{
    const bool axes = f->form == TML_ARG_FRAMES;
    const int observer = axes ? 3 : 2;
    TML_TRY(arg_slot(list, &args[0], leaf, TML_SLOT_TO, err));
    TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_FROM, err));
    if (axes) {
        TML_TRY(arg_slot(list, n > 2 ? &args[2] : NULL, leaf, TML_SLOT_AXES, err));
    }
    const bool observed = leaf->kind == TML_LEAF_VELOCITY || leaf->kind == TML_LEAF_SPIN ||
                          leaf->kind == TML_LEAF_ACCELERATION || leaf->kind == TML_LEAF_SPIN_RATE;
    if (observed) {
        TML_TRY(
            arg_slot(list, n > observer ? &args[observer] : NULL, leaf, TML_SLOT_OBSERVER, err));
    }
    return TML_OK;
}

static TmlStatus call_joint(TmlLeafList *list, const TmlModelFunction *f, const TmlExprArg *args,
                            TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "joint", &name, err));
    const int joint = tml_model_find_constraint(list->model, name);
    if (joint < 0) {
        return fail_joint(list->model, name, err);
    }
    const TmlConstraint *c = &list->model->constraints.at[joint];
    const bool angle = f->of == TML_LEAF_ANGLE;
    if (!(angle ? c->type->has_angle : c->type->has_displacement) || c->n_ends < 2) {
        return tml_fail(err, TML_E_MODEL, "joint '%s' is of type %s, which has no %s", name,
                        c->type->info.name, angle ? "angle" : "displacement");
    }
    leaf->offset = f->kind == TML_LEAF_ANGLE ? 2.0 * M_PI * (double)c->turns : 0.0;
    TML_TRY(tml_leaves_end(list, &c->end[0], &leaf->slot[TML_SLOT_FROM], err));
    TML_TRY(tml_leaves_end(list, &c->end[1], &leaf->slot[TML_SLOT_TO], err));
    if (!angle) {
        leaf->slot[TML_SLOT_AXES] = leaf->slot[TML_SLOT_FROM];
    }
    return TML_OK;
}

static TmlStatus call_reaction(TmlLeafList *list, const TmlModelFunction *f, const TmlExprArg *args,
                               int n, const char *member, TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "joint", &name, err));
    const int joint = tml_model_find_constraint(list->model, name);
    if (joint < 0) {
        return fail_joint(list->model, name, err);
    }
    const TmlConstraint *c = &list->model->constraints.at[joint];
    if (c->n_ends < 2) {
        return tml_fail(err, TML_E_MODEL, "joint '%s' has no second body for a reaction", name);
    }
    TML_TRY(arg_member(f, member, leaf, err));
    TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_AXES, err));
    leaf->element = joint;
    leaf->constraint = c->type;
    leaf->data = c->data;
    const int n_ends = c->type->reaction_ends > 0 ? c->type->reaction_ends : c->n_ends;
    return leaf_element(list, leaf, c->end, n_ends, TML_UNKNOWN_LAMBDA, c->type->rows, err);
}

static TmlStatus output_member(const TmlForce *force, const char *member, TmlLeaf *leaf,
                               TmlError *err)
{
    const TmlOutput *outputs = force->type->info.outputs;
    TmlWords words = {0};
    for (int k = 0; outputs != NULL && outputs[k].name != NULL; ++k) {
        tml_words_add(&words, outputs[k].name);
        if (member != NULL && strcmp(member, outputs[k].name) == 0) {
            leaf->axis = k;
            tml_mem_free(words.at);
            return force->type->output_tangent != NULL
                       ? TML_OK
                       : tml_fail(err, TML_E_MODEL,
                                  "output '%s' of force '%s' has no derivatives: type %s does not "
                                  "give them",
                                  member, force->name, force->type->info.name);
        }
    }
    if (member == NULL) {
        tml_mem_free(words.at);
        return tml_fail(err, TML_E_MODEL, "output(%s) is followed by a dot and the output's name",
                        force->name);
    }
    return tml_words_fail(&words, "output", member, err);
}

static TmlStatus call_force(TmlLeafList *list, const TmlModelFunction *f, const TmlExprArg *args,
                            int n, const char *member, TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "force", &name, err));
    const int index = tml_model_find_force(list->model, name);
    if (index < 0) {
        return fail_force(list->model, name, err);
    }
    const TmlForce *force = &list->model->forces.at[index];
    leaf->element = index;
    leaf->force = force->type;
    leaf->data = force->data;
    if (f->form == TML_ARG_OUTPUT) {
        TML_TRY(output_member(force, member, leaf, err));
    } else {
        TML_TRY(arg_member(f, member, leaf, err));
        TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_AXES, err));
    }
    return leaf_element(list, leaf, force->end, force->n_ends, TML_UNKNOWN_F, force->n_f, err);
}

TmlStatus tml_leaves_read(TmlLeafList *list, TmlUnknown u, TmlExprSymbol *out, TmlError *err)
{
    TmlLeaf leaf = tml_leaf_empty(TML_LEAF_UNKNOWN);
    TML_TRY(tml_leaves_unknown(list, u, &leaf.axis, err));
    leaf.n_unknowns = 1;
    TML_NEW(&list->model->arena, leaf.unknown, 1);
    leaf.unknown[0] = leaf.axis;
    return tml_leaves_leaf(list, leaf, out, err);
}

static TmlStatus call_state(TmlLeafList *list, const TmlExprArg *args, TmlExprSymbol *out,
                            TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "state", &name, err));
    const int index = tml_model_find_state(list->model, name);
    const int variable = tml_model_find_variable(list->model, name);
    if (index < 0 && variable >= 0) {
        return tml_leaves_read(list, (TmlUnknown){TML_UNKNOWN_VDOT, variable, 0}, out, err);
    }
    if (index < 0) {
        TmlWords words = {0};
        for (int k = 0; k < list->model->variables.n; ++k) {
            tml_words_add(&words, list->model->variables.at[k].name);
        }
        for (int k = 0; k < list->model->states.n; ++k) {
            tml_words_add(&words, list->model->states.at[k].name);
        }
        return tml_words_fail(&words, "state or variable", name, err);
    }
    return tml_leaves_read(list, (TmlUnknown){TML_UNKNOWN_XDOT, index, 0}, out, err);
}

static TmlStatus call_delay(TmlLeafList *list, const TmlExprArg *args, TmlLeaf *leaf, TmlError *err)
{
    const TmlModel *m = list->model;
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "delay", &name, err));
    leaf->element = tml_model_find_delay(m, name);
    if (leaf->element < 0) {
        TmlWords words = {0};
        for (int k = 0; k < m->delays.n; ++k) {
            tml_words_add(&words, m->delays.at[k].name);
        }
        return tml_words_fail(&words, "delay", name, err);
    }
    const TmlDelay *d = &m->delays.at[leaf->element];
    const int variable[2] = {d->value, d->time};
    leaf->offset = d->fixed;
    leaf->n_unknowns = d->time >= 0 ? 2 : 1;
    TML_NEW(&list->model->arena, leaf->unknown, leaf->n_unknowns);
    for (int k = 0; k < leaf->n_unknowns; ++k) {
        const TmlUnknown u = {TML_UNKNOWN_V, variable[k], 0};
        TML_TRY(tml_leaves_unknown(list, u, &leaf->unknown[k], err));
    }
    return TML_OK;
}

static TmlStatus check_count(const TmlModelFunction *f, int n, const char *member, TmlError *err)
{
    if (n < 1 || n > f->max_args) {
        return tml_fail(err, TML_E_MODEL, "%s takes %s%d argument%s, not %d: %s", f->name,
                        f->max_args > 1 ? "1 to " : "", f->max_args, f->max_args > 1 ? "s" : "", n,
                        f->signature);
    }
    if (member != NULL && f->form != TML_ARG_REACTION && f->form != TML_ARG_FORCE &&
        f->form != TML_ARG_OUTPUT) {
        return tml_fail(err, TML_E_MODEL, "%s is a number and has no .%s: %s", f->name, member,
                        f->signature);
    }
    return TML_OK;
}

static TmlStatus resolve_call(void *user, const char *function, const TmlExprArg *args, int n_args,
                              const char *member, TmlExprSymbol *out, TmlError *err)
{
    TmlLeafList *list = user;
    const TmlModelFunction *f = tml_model_function(function);
    if (f == NULL) {
        return tml_fail(err, TML_E_MODEL, "unknown function '%s'", function);
    }
    TML_TRY(check_count(f, n_args, member, err));
    const bool named = f->form == TML_ARG_OUTPUT && args[0].name != NULL;
    const int modal = named ? tml_model_modal_find(list->model, args[0].name) : -1;
    TML_TRY(
        check_allowed(list, f->name, modal >= 0 ? tml_leaves_mode_needs(member) : f->needs, err));
    const int mesh = named ? tml_model_flexible_find(list->model, args[0].name) : -1;
    if (mesh >= 0) {
        return tml_leaves_place(list, mesh, args, n_args, member, out, err);
    }
    if (modal >= 0) {
        return tml_leaves_mode(list, modal, args, n_args, member, out, err);
    }

    TmlLeaf leaf = tml_leaf_empty(f->kind);
    leaf.of = f->of;
    leaf.axis = f->axis;
    switch (f->form) {
    case TML_ARG_FRAMES:
    case TML_ARG_PAIR:
        TML_TRY(call_frames(list, f, args, n_args, &leaf, err));
        break;
    case TML_ARG_JOINT:
        TML_TRY(call_joint(list, f, args, &leaf, err));
        break;
    case TML_ARG_REACTION:
        TML_TRY(call_reaction(list, f, args, n_args, member, &leaf, err));
        break;
    case TML_ARG_OUTPUT:
        if (n_args > 1) {
            return tml_fail(err, TML_E_MODEL, "places belong to flexible and modal bodies: %s",
                            f->signature);
        }
        TML_TRY(call_force(list, f, args, n_args, member, &leaf, err));
        break;
    case TML_ARG_FORCE:
        TML_TRY(call_force(list, f, args, n_args, member, &leaf, err));
        break;
    case TML_ARG_STATE:
        return call_state(list, args, out, err);
    case TML_ARG_DELAY:
        TML_TRY(call_delay(list, args, &leaf, err));
        break;
    case TML_ARG_CONTACT:
        return tml_leaves_contact(list, f, args, n_args, out, err);
    }
    return tml_leaves_leaf(list, leaf, out, err);
}

/* --- names standing alone --------------------------------------------------------------------- */

static void visit_names(void *user, void (*visit)(void *arg, const char *name), void *arg)
{
    const TmlLeafList *list = user;
    const TmlModel *m = list->model;
    for (int k = 0; tml_model_function_at(k) != NULL; ++k) {
        visit(arg, tml_model_function_at(k)->name);
    }
    for (int k = 0; k < m->user_functions.n; ++k) {
        visit(arg, m->user_functions.at[k]->name);
    }
    for (int k = 0; k < m->parameters.n; ++k) {
        visit(arg, m->parameters.at[k].name);
    }
    for (int k = 0; k < m->variables.n; ++k) {
        visit(arg, m->variables.at[k].name);
    }
    for (int k = 0; k < m->states.n; ++k) {
        visit(arg, m->states.at[k].name);
    }
    if (list->misplaced != NULL) {
        visit(arg, list->misplaced);
    }
}

static TmlStatus resolve_name(void *user, const char *name, TmlExprSymbol *out, TmlError *err)
{
    TmlLeafList *list = user;
    const TmlModel *m = list->model;
    const int parameter = tml_model_find_parameter(m, name);
    if (parameter >= 0 && m->followed != NULL && strcmp(name, m->followed) == 0) {
        *out = (TmlExprSymbol){.leaf = 0};
        return TML_OK;
    }
    if (parameter >= 0) {
        *out = (TmlExprSymbol){.constant = true,
                               .value = m->parameters.at[parameter].value,
                               .dim = m->parameters.at[parameter].dim};
        return TML_OK;
    }
    const int variable = tml_model_find_variable(m, name), state = tml_model_find_state(m, name);
    if (variable >= 0 || state >= 0) {
        TML_TRY(check_allowed(list, name, TML_ALLOW_UNKNOWNS, err));
        const TmlUnknown u = variable >= 0 ? (TmlUnknown){TML_UNKNOWN_V, variable, 0}
                                           : (TmlUnknown){TML_UNKNOWN_X, state, 0};
        return tml_leaves_read(list, u, out, err);
    }
    if (tml_model_find_delay(m, name) >= 0) {
        list->misplaced = name;
        return tml_fail(err, TML_E_MODEL, "'%s' is a delay: its value is delay(%s)", name, name);
    }
    const char *thing = tml_model_find_body(m, name) >= 0         ? "body"
                        : tml_model_find_frame(m, name) >= 0      ? "frame"
                        : tml_model_find_constraint(m, name) >= 0 ? "joint"
                        : tml_model_find_force(m, name) >= 0      ? "force"
                                                                  : NULL;
    if (thing != NULL) {
        list->misplaced = name; // listed from now on, so that our words reach the user
        return tml_fail(err, TML_E_MODEL, "'%s' is a %s and has no value", name, thing);
    }
    return tml_fail(err, TML_E_MODEL, "unknown name '%s'", name);
}

/* NAME.x of a path, over its parameter, or NAME.tx, .nx, .bx of its axes; false: there is none of
 * that name. */
static bool find_path_part(const TmlModel *m, const char *name, const TmlSpline **out)
{
    static const char vectors[] = "tnb", axes[] = "xyz";
    const char *dot = strrchr(name, '.');
    const size_t n = dot != NULL ? strlen(dot + 1) : 0;
    const char *axis = n == 1 || n == 2 ? strchr(axes, dot[n]) : NULL;
    const char *vector = n == 2 ? strchr(vectors, dot[1]) : NULL;
    if (axis == NULL || (n == 2 && vector == NULL)) {
        return false;
    }
    for (int k = 0; k < m->paths.n; ++k) {
        const TmlNamedPath *p = &m->paths.at[k];
        const size_t length = strlen(p->name);
        if (length == (size_t)(dot - name) && strncmp(name, p->name, length) == 0) {
            *out = p->part[vector != NULL ? 1 + (vector - vectors) : 0][axis - axes];
            return true;
        }
    }
    return false;
}

static TmlStatus resolve_spline(void *user, const char *name, const TmlSpline **out, TmlError *err)
{
    const TmlModel *m = ((const TmlLeafList *)user)->model;
    const int index = tml_model_find_spline(m, name);
    if (index >= 0) {
        *out = m->splines.at[index].spline;
        return TML_OK;
    }
    if (find_path_part(m, name, out)) {
        return *out != NULL
                   ? TML_OK
                   : tml_fail(err, TML_E_MODEL, "'%s' belongs to a path that is wrong", name);
    }
    TmlWords words = {0};
    for (int k = 0; k < m->splines.n; ++k) {
        tml_words_add(&words, m->splines.at[k].name);
    }
    return tml_words_fail(&words, "spline", name, err);
}

static TmlStatus resolve_function(void *user, const char *name, const TmlUserFunction **out,
                                  TmlError *err)
{
    const TmlLeafList *list = user;
    *out = tml_model_find_function(list->model, name);
    // what knows no unknowns belongs to a constraint, which is differentiated three times
    const bool constraint = (list->allowed & TML_ALLOW_UNKNOWNS) == 0;
    if (*out != NULL && constraint && (*out)->order < 3) {
        return tml_fail(err, TML_E_MODEL,
                        "'%s' gives derivatives of order %d; constraints and motions need 3",
                        (*out)->name, (*out)->order);
    }
    return TML_OK;
}

/* Time of a model whose parameter is followed. */
static const double at_rest = 0.0;

TmlExprResolver tml_leaves_resolver(TmlLeafList *list)
{
    return (TmlExprResolver){.user = list,
                             .name = resolve_name,
                             .call = resolve_call,
                             .spline = resolve_spline,
                             .function = resolve_function,
                             .names = visit_names,
                             .time = list->model->followed != NULL ? &at_rest : NULL};
}
