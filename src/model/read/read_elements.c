/* model/read/read_elements.c - joints and forces.
 *
 * Three rounds, so that order in the file does not matter: declare (name, type, memory), read
 * (parameters and own ends), then the ends of those that use other joints.
 */
#include <string.h>

#include "model/measure/binding.h"
#include "model/read/read.h"
#include "model/registry.h"

/* Stand in for a type that does not exist: expressions may still name the element. */
static const TmlConstraintType unknown_constraint = {
    .info = {.name = "unknown"}, .has_angle = true, .has_displacement = true};
static const TmlForceType unknown_force = {.info = {.name = "unknown"}};

/* What both families have in common. */
typedef struct View {
    const TmlTypeInfo *info;
    TmlEndsKind kind;
    void *data;
    TmlEnd **end;
    int *n_ends, *joint;
} View;

static View constraint_view(TmlConstraint *c)
{
    return (View){&c->type->info, c->type->ends, c->data, &c->end, &c->n_ends, NULL};
}

static View force_view(TmlForce *f)
{
    return (View){&f->type->info, f->type->ends, f->data, &f->end, &f->n_ends, &f->joint};
}

static const char *type_text(TmlEntry *x)
{
    const TmlValue *type = tml_value_find(x->value, "type");
    if (type == NULL) {
        tml_entry_error(x, x->key, "missing key 'type'");
        return NULL;
    }
    return tml_read_text(x, type, "type");
}

static bool name_is_free(TmlEntry *x, bool taken)
{
    if (taken) {
        tml_entry_error(x, x->key, "there is already a %s of this name", x->kind);
    }
    return !taken && !x->r->nomem;
}

/* --- declare ---------------------------------------------------------------------------------- */

static const TmlConstraintType *constraint_type(TmlEntry *x)
{
    enum { MAX_TYPES = 128 };
    const TmlModel *m = x->r->m;
    const char *name = tml_read_is_map(x, x->value, NULL) ? type_text(x) : NULL;
    if (name == NULL) {
        return &unknown_constraint;
    }
    const TmlConstraintType *type = tml_find_constraint_type(m, name);
    if (type != NULL) {
        return type;
    }
    const char *known[MAX_TYPES];
    int n = 0;
    for (int k = 0; tml_constraint_types[k] != NULL && n < MAX_TYPES; ++k) {
        known[n++] = tml_constraint_types[k]->info.name;
    }
    for (int k = 0; k < m->user_constraints.n && n < MAX_TYPES; ++k) {
        known[n++] = m->user_constraints.at[k]->info.name;
    }
    if (tml_find_force_type(m, name) != NULL) {
        tml_entry_error(x, tml_value_find(x->value, "type"), "'%s' is a force; move it to 'forces'",
                        name);
    } else {
        tml_entry_unknown(x, tml_value_find(x->value, "type"), "type of joint", name, known, n);
    }
    return &unknown_constraint;
}

static const TmlForceType *force_type(TmlEntry *x)
{
    enum { MAX_TYPES = 128 };
    const TmlModel *m = x->r->m;
    const char *name = tml_read_is_map(x, x->value, NULL) ? type_text(x) : NULL;
    if (name == NULL) {
        return &unknown_force;
    }
    const TmlForceType *type = tml_find_force_type(m, name);
    if (type != NULL) {
        return type;
    }
    const char *known[MAX_TYPES];
    int n = 0;
    for (int k = 0; tml_force_types[k] != NULL && n < MAX_TYPES; ++k) {
        known[n++] = tml_force_types[k]->info.name;
    }
    for (int k = 0; k < m->user_forces.n && n < MAX_TYPES; ++k) {
        known[n++] = m->user_forces.at[k]->info.name;
    }
    if (tml_find_constraint_type(m, name) != NULL) {
        tml_entry_error(x, tml_value_find(x->value, "type"), "'%s' is a joint; move it to 'joints'",
                        name);
    } else {
        tml_entry_unknown(x, tml_value_find(x->value, "type"), "type of force", name, known, n);
    }
    return &unknown_force;
}

static void declare_joint(TmlEntry *x, void *arg)
{
    TmlReader *r = x->r;
    TmlModel *m = r->m;
    (void)arg;
    if (!name_is_free(x, tml_model_find_constraint(m, x->name) >= 0)) {
        return;
    }
    const TmlConstraintType *type = constraint_type(x);
    const TmlConstraint c = {.name = x->name,
                             .type = type,
                             .source = x->key,
                             .data = tml_reader_alloc(r, 1, type->info.data_size)};
    bool ok = true;
    TML_LIST_ADD(m->constraints, c, &ok);
    const TmlElement element = {*x, m->constraints.n - 1};
    TML_LIST_ADD(r->joints, element, &ok);
    r->nomem |= !ok;
}

static void declare_force(TmlEntry *x, void *arg)
{
    TmlReader *r = x->r;
    TmlModel *m = r->m;
    (void)arg;
    if (!name_is_free(x, tml_model_find_force(m, x->name) >= 0)) {
        return;
    }
    const TmlForceType *type = force_type(x);
    const TmlForce f = {.name = x->name,
                        .type = type,
                        .source = x->key,
                        .joint = -1,
                        .data = tml_reader_alloc(r, 1, type->info.data_size)};
    bool ok = true;
    TML_LIST_ADD(m->forces, f, &ok);
    const TmlElement element = {*x, m->forces.n - 1};
    TML_LIST_ADD(r->forces, element, &ok);
    r->nomem |= !ok;
}

/* --- read ------------------------------------------------------------------------------------- */

static bool has_own_ends(const TmlEntry *x, const View *view)
{
    return view->kind != TML_ENDS_TERMS && view->kind != TML_ENDS_EXPR &&
           view->kind != TML_ENDS_MODAL &&
           (view->kind != TML_ENDS_JOINT || tml_value_find(x->value, "joint") == NULL);
}

/* A parameter of the table by name and kind, or NULL. */
static const void *table_slot(const View *view, const char *name, TmlParamKind kind)
{
    for (const TmlParam *p = view->info->params; p != NULL && p->name != NULL; ++p) {
        if (p->kind == kind && strcmp(p->name, name) == 0) {
            return (const char *)view->data + p->offset;
        }
    }
    return NULL;
}

/* Parameters and own ends; the ends of others are two dummies until the next round. */
static void read_element(TmlElement *element, View view, const TmlKey *keys, unsigned allowed)
{
    TmlEntry *x = &element->x;
    if (x->bad && (view.info == &unknown_constraint.info || view.info == &unknown_force.info)) {
        tml_read_ends(x, TML_ENDS_EXPR, view.end, view.n_ends);
        *view.n_ends = *view.end != NULL ? 2 : 0;
        return;
    }
    tml_read_keys(x, x->value, keys, tml_keys_ends(view.kind), view.info->params);
    tml_read_table(x, view.info->params, allowed, view.data);
    if (has_own_ends(x, &view)) {
        tml_read_ends(x, view.kind, view.end, view.n_ends);
    } else {
        tml_read_ends(x, TML_ENDS_EXPR, view.end, view.n_ends);
    }
}

static bool lends_ends(const TmlConstraint *c)
{
    return c->n_ends == 2 &&
           (c->type->ends == TML_ENDS_FRAMES || c->type->ends == TML_ENDS_POINTS ||
            c->type->ends == TML_ENDS_ONE || c->type == &unknown_constraint);
}

/* Ends of the joints that the element names. */
static void borrow_ends(TmlElement *element, View view)
{
    TmlEntry *x = &element->x;
    const TmlModel *m = x->r->m;
    if (x->bad || has_own_ends(x, &view) || view.kind == TML_ENDS_EXPR ||
        view.kind == TML_ENDS_MODAL) {
        return;
    }
    const int *joint = table_slot(&view, "joint", TML_PARAM_JOINT);
    const TmlTerms *terms = table_slot(&view, "terms", TML_PARAM_TERMS);
    const bool single = view.kind == TML_ENDS_JOINT && joint != NULL;
    const int n = single ? 1 : view.kind == TML_ENDS_TERMS && terms != NULL ? terms->n : 0;
    TmlEnd *end = tml_reader_alloc(x->r, 2 * (size_t)n, sizeof *end);
    for (int k = 0; k < n && end != NULL; ++k) {
        const int index = single ? *joint : terms->term[k].joint;
        const TmlConstraint *c = &m->constraints.at[index];
        if (!lends_ends(c)) {
            tml_entry_error(x, tml_value_find(x->value, single ? "joint" : "terms"),
                            "joint '%s' (%s) does not connect two frames", c->name,
                            c->type->info.name);
            return;
        }
        end[2 * k] = c->end[0];
        end[2 * k + 1] = c->end[1];
    }
    *view.end = end;
    *view.n_ends = end != NULL ? 2 * n : 0;
    if (single && view.joint != NULL) {
        *view.joint = *joint;
    }
}

static void read_turns(TmlEntry *x, TmlConstraint *c)
{
    const TmlValue *turns = tml_value_find(x->value, "turns");
    if (turns == NULL || !tml_read_int(x, turns, "turns", &c->turns)) {
        return;
    }
    if (c->turns != 0 && !c->type->has_angle) {
        tml_entry_error(x, turns, "a %s joint has no angle to add turns to", c->type->info.name);
    }
}

void tml_read_joints(TmlReader *r, const TmlValue *section)
{
    TmlModel *m = r->m;
    tml_read_entries(r, section, "joint", NULL, declare_joint, NULL);
    for (int k = r->joints_read; k < r->joints.n && !r->nomem; ++k) {
        TmlElement *e = &r->joints.at[k];
        TmlConstraint *c = &m->constraints.at[e->index];
        // only the equation of an expression joint may look at the motion
        const unsigned allowed = c->type->ends == TML_ENDS_EXPR ? TML_ALLOW_MOTION | TML_ALLOW_TWIST
                                                                : TML_ALLOW_TIME_ONLY;
        read_element(e, constraint_view(c), tml_keys_joint, allowed);
        read_turns(&e->x, c);
        if (c->type->reading != NULL && c->type->reading->ends != NULL) {
            c->type->reading->ends(&e->x, c);
        }
    }
    for (int k = r->joints_read; k < r->joints.n && !r->nomem; ++k) {
        TmlElement *e = &r->joints.at[k];
        borrow_ends(e, constraint_view(&m->constraints.at[e->index]));
    }
    r->joints_read = r->joints.n;
}

/* A torsion spring in a joint that does not turn does nothing: the joint takes its torque. */
static void check_acts(TmlElement *element, const TmlForce *f)
{
    TmlEntry *x = &element->x;
    const TmlConstraint *joint = f->joint >= 0 ? &x->r->m->constraints.at[f->joint] : NULL;
    if (!x->bad && joint != NULL && f->type->on_angle &&
        joint->type->free_rotation == TML_FREE_NONE) {
        tml_entry_warning(x, tml_value_find(x->value, "joint"),
                          "has no effect: joint '%s' (%s) does not turn", joint->name,
                          joint->type->info.name);
    }
}

void tml_read_forces(TmlReader *r, const TmlValue *section)
{
    TmlModel *m = r->m;
    tml_read_entries(r, section, "force", NULL, declare_force, NULL);
    for (int k = r->forces_read; k < r->forces.n && !r->nomem; ++k) {
        TmlElement *e = &r->forces.at[k];
        const View view = force_view(&m->forces.at[e->index]);
        read_element(e, view, tml_keys_force, TML_ALLOW_ALL);
        borrow_ends(e, view);
        if (view.info != &unknown_force.info && m->forces.at[e->index].type->reading != NULL) {
            m->forces.at[e->index].type->reading->ends(&e->x, &m->forces.at[e->index]);
        }
        check_acts(e, &m->forces.at[e->index]);
    }
    r->forces_read = r->forces.n;
}
