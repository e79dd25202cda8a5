/* model/read/read_finish.c - binds expressions and prepares elements when all names are known.
 *
 * Order: expressions of joints first (they give expression joints their ends), then the number of
 * unknowns of each force, then everything that may read reactions and forces, then the elements'
 * own checks and preparation, then the laws of forces that have one, last the
 * structure of implicit states.
 */
#include <string.h>

#include "math/vec3.h"
#include "model/elements.h"
#include "model/measure/binding.h"
#include "model/measure/law.h"
#include "model/read/read.h"
#include "model/registry.h"

/* A message about a broken entry ('pin' or 'rod.tip') follows from that entry's error. */
static bool follows_from_error(const TmlReader *r, const char *message)
{
    for (int k = 0; k < r->broken.cap; ++k) {
        const char *name = r->broken.slot[k].key;
        const size_t n = name != NULL ? strlen(name) : 0;
        for (const char *c = n > 0 ? strchr(message, '\'') : NULL; c != NULL;
             c = strchr(c + 1, '\'')) {
            if (strncmp(c + 1, name, n) == 0 && (c[n + 1] == '\'' || c[n + 1] == '.')) {
                return true;
            }
        }
    }
    return false;
}

/* The binding says whose expression it is; so do our own messages. */
static void drop_prefix(TmlError *err, const char *where)
{
    const size_t n = strlen(where);
    if (strncmp(err->message, where, n) == 0 && strncmp(err->message + n, ": ", 2) == 0) {
        memmove(err->message, err->message + n + 2, strlen(err->message + n + 2) + 1);
    }
}

/* For what is done with all of them later. */
static void keep(TmlReader *r, TmlBinding *binding)
{
    bool ok = true;
    if (binding != NULL) {
        TML_LIST_ADD(r->bound, binding, &ok);
    }
    r->nomem |= !ok;
}

static void bind(TmlReader *r, const TmlPending *p)
{
    TmlModel *m = r->m;
    TmlBinding *binding = NULL;
    TmlError err = {0};
    const TmlStatus status = tml_binding_create(m, p->text, p->where, p->allowed, &binding, &err);
    drop_prefix(&err, p->where);
    if (status == TML_E_NOMEM) {
        r->nomem = true;
    } else if (status != TML_OK && !follows_from_error(r, err.message)) {
        TmlEntry x = {.r = r, .kind = p->where, .scope = p->scope, .value = p->at};
        r->unbound++;
        tml_entry_expr_error(&x, p->at, NULL, p->text, &err);
    }
    if (status != TML_OK && p->owner != NULL) {
        r->nomem |= !tml_names_add(&r->broken, p->owner, 0); // what follows from it is not told
    }
    if (binding != NULL && p->unit != NULL) {
        TmlEntry x = {.r = r, .kind = p->where, .scope = p->scope, .value = p->at};
        tml_check_dimension(&x, p->at, p->what, p->unit, tml_expr_dimension(binding->expr));
    }
    keep(r, binding);
    switch (p->target) {
    case TML_TARGET_SLOT:
        *p->slot = binding;
        break;
    case TML_TARGET_VARIABLE:
        m->variables.at[p->index].binding = binding;
        break;
    case TML_TARGET_STATE:
        m->states.at[p->index].binding = binding;
        break;
    case TML_TARGET_CHANNEL:
        m->channels.at[p->index].binding = binding;
        break;
    case TML_TARGET_PROBE:
        m->probes.at[p->index].binding = binding;
        break;
    }
}

/* joints: those of joints, which read no unknowns; else all others. */
static void bind_all(TmlReader *r, bool joints)
{
    enum { ENOUGH = 200 }; /* the nearest spelling among thousands of names takes its time */
    for (int k = 0; k < r->pending.n && !r->nomem && r->unbound < ENOUGH; ++k) {
        const TmlPending *p = &r->pending.at[k];
        if (((p->allowed & TML_ALLOW_UNKNOWNS) == 0) == joints) {
            bind(r, p);
        }
    }
}

/* An expression joint has the ends that its expression looks at. */
static void take_ends(TmlReader *r)
{
    for (int k = 0; k < r->joints.n; ++k) {
        TmlConstraint *c = &r->m->constraints.at[r->joints.at[k].index];
        for (const TmlParam *p = c->type->info.params;
             c->type->ends == TML_ENDS_EXPR && p != NULL && p->name != NULL; ++p) {
            const TmlBinding *b = p->kind == TML_PARAM_EXPR
                                      ? *(TmlBinding *const *)((const char *)c->data + p->offset)
                                      : NULL;
            if (b != NULL) {
                c->end = b->end;
                c->n_ends = b->n_ends;
                break;
            }
        }
    }
}

/* How many unknowns a force has depends on which expressions it was given, not on what they say:
 * a placeholder stands in until they are bound. */
static void count_unknowns(TmlReader *r)
{
    TmlModel *m = r->m;
    TmlBinding *placeholder = tml_reader_alloc(r, 1, sizeof *placeholder);
    for (int k = 0; k < r->pending.n; ++k) {
        if (r->pending.at[k].slot != NULL && *r->pending.at[k].slot == NULL) {
            *r->pending.at[k].slot = placeholder;
        }
    }
    for (int k = 0; k < m->forces.n && placeholder != NULL; ++k) {
        TmlForce *f = &m->forces.at[k];
        f->n_f = f->type->n_f != NULL ? f->type->n_f(f->data) : 0;
    }
}

static void fail_element(TmlEntry *x, const TmlTypeInfo *info, const TmlError *err)
{
    if (err->status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else {
        tml_entry_error(x, x->key, "(%s) %s", info->name, err->message);
    }
}

typedef TmlStatus (*CheckFn)(const void *data, TmlError *err);
typedef TmlStatus (*PrepareFn)(void *data, const TmlFrameKin *e, int n_ends, TmlError *err);

static TmlStatus prepare_at_start(const TmlModel *m, PrepareFn prepare, void *data,
                                  const TmlEnd *end, int n_ends, TmlError *err)
{
    TmlFrameKin *e = tml_mem_zalloc((size_t)n_ends + 1, sizeof *e);
    if (e == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < n_ends; ++k) {
        e[k] = tml_model_initial_kin(m, &end[k]);
    }
    const TmlStatus status = prepare(data, e, n_ends, err);
    tml_mem_free(e);
    return status;
}

/* many: the type may have more ends than others. */
static void check_and_prepare(TmlElement *element, const TmlTypeInfo *info, CheckFn check,
                              PrepareFn prepare, void *data, const TmlEnd *end, int n_ends,
                              bool many)
{
    TmlEntry *x = &element->x;
    TmlError err = {0};
    if (x->bad || tml_names_find(&x->r->broken, x->name) >= 0) {
        return;
    }
    if (n_ends > TML_MAX_ENDS && !many) {
        tml_entry_error(x, x->key, "uses %d frames, at most %d are possible", n_ends,
                        (int)TML_MAX_ENDS);
        return;
    }
    if ((check != NULL && check(data, &err) != TML_OK) ||
        (prepare != NULL &&
         prepare_at_start(x->r->m, prepare, data, end, n_ends, &err) != TML_OK)) {
        fail_element(x, info, &err);
    }
}

/* The k-th unknown, or the rate of the k-th own state, of a force that has a law. */
static TmlBinding *law_binding(TmlReader *r, TmlEntry *x, const TmlForce *f, bool rate, int k)
{
    TmlError err = {0};
    TmlBinding *binding = NULL;
    const char *joint = f->joint >= 0 ? r->m->constraints.at[f->joint].name : NULL;
    if (tml_law_bind(r->m, f->type->law, rate, f->data, k, f->name, joint, &binding, &err) !=
        TML_OK) {
        fail_element(x, &f->type->info, &err);
    }
    keep(r, binding);
    return binding;
}

static int own_states(const TmlForce *f)
{
    const TmlForceLaw *law = f->type->law;
    return law != NULL && law->n_x != NULL ? law->n_x(f->data) : 0;
}

static void define_unknowns(TmlReader *r, TmlElement *element)
{
    TmlForce *f = &r->m->forces.at[element->index];
    if (element->x.bad || f->n_f == 0) {
        return;
    }
    if (f->n_f > TML_MAX_OWN) {
        tml_entry_error(&element->x, element->x.key, "has %d unknowns, at most %d are possible",
                        f->n_f, (int)TML_MAX_OWN);
        return;
    }
    f->f = tml_reader_alloc(r, (size_t)f->n_f, sizeof *f->f);
    for (int k = 0; k < f->n_f && f->f != NULL && !r->nomem; ++k) {
        f->f[k] = f->type->f_binding != NULL ? f->type->f_binding(f->data, k) : NULL;
        if (f->f[k] == NULL && f->type->law != NULL) {
            f->f[k] = law_binding(r, &element->x, f, false, k);
        }
    }
    for (int k = 0; k < own_states(f) && !r->nomem; ++k) {
        r->m->states.at[f->state0 + k].binding = law_binding(r, &element->x, f, true, k);
    }
}

/* States that forces own, before anything that may name them is bound. */
static void declare_states(TmlReader *r)
{
    TmlModel *m = r->m;
    for (int i = 0; i < m->forces.n && !r->nomem; ++i) {
        TmlForce *f = &m->forces.at[i];
        const int n = own_states(f);
        f->state0 = m->states.n;
        for (int k = 0; k < n; ++k) {
            const TmlUserState state = {.name = tml_reader_printf(r, "%s.x%d", f->name, k + 1),
                                        .scale = f->type->law->x_scale(f->data),
                                        .source = f->source};
            bool ok = state.name != NULL;
            TML_LIST_ADD(m->states, state, &ok);
            r->nomem |= !ok;
        }
    }
}

/* Events that end the run where a force loses its meaning. */
static void declare_stops(TmlReader *r)
{
    TmlModel *m = r->m;
    for (int i = 0; i < m->forces.n && !r->nomem; ++i) {
        const TmlForce *f = &m->forces.at[i];
        const TmlForceStop *s = f->type->law != NULL ? f->type->law->stops : NULL;
        for (int k = 0; s != NULL && s->output != NULL && !r->nomem; ++s, ++k) {
            if (f->type->law->can_stop != NULL &&
                (f->data == NULL || !f->type->law->can_stop(f->data, k))) {
                continue;
            }
            const char *name = tml_reader_printf(r, "%s %s", f->name, s->text);
            const TmlChannel probe = {.name = name, .unit = ""};
            const TmlEvent event = {.name = name,
                                    .probe = m->probes.n,
                                    .condition = TML_WHEN_BELOW,
                                    .error = 1e-6,
                                    .step = (double)NAN,
                                    .output_step = (double)NAN,
                                    .stop = true,
                                    .row = true,
                                    .at_start = true,
                                    .source = f->source};
            const TmlPending pending = {
                .target = TML_TARGET_PROBE,
                .index = m->probes.n,
                .allowed = TML_ALLOW_ALL,
                .at = f->source,
                .owner = f->name,
                .text = tml_reader_printf(r, "output(%s).%s", f->name, s->output),
                .where = tml_reader_printf(r, "force '%s'", f->name)};
            bool ok = name != NULL && pending.text != NULL && pending.where != NULL;
            TML_LIST_ADD(m->probes, probe, &ok);
            TML_LIST_ADD(m->events, event, &ok);
            TML_LIST_ADD(r->pending, pending, &ok);
            r->nomem |= !ok;
        }
    }
}

static void complete_joint(TmlReader *r, TmlElement *element, const TmlConstraint *c)
{
    const TmlJointReading *reading = c->type->reading;
    TmlError err = {0};
    if (reading != NULL && reading->complete != NULL &&
        reading->complete(r->m, c->data, &err) != TML_OK) {
        fail_element(&element->x, &c->type->info, &err);
    }
}

static void take_from_joint(TmlReader *r, TmlElement *element, const TmlForce *f)
{
    const TmlForceLaw *law = f->type->law;
    TmlError err = {0};
    if (f->joint < 0 || law == NULL || law->from_joint == NULL || element->x.bad) {
        return;
    }
    const TmlConstraint *joint = &r->m->constraints.at[f->joint];
    if (tml_names_find(&r->broken, joint->name) >= 0) {
        element->x.bad = true; // told of the joint
    } else if (law->from_joint(f->data, joint, &err) != TML_OK) {
        fail_element(&element->x, &f->type->info, &err);
    }
}

static void finish_elements(TmlReader *r)
{
    TmlModel *m = r->m;
    for (int k = 0; k < r->joints.n && !r->nomem; ++k) {
        const TmlConstraint *c = &m->constraints.at[r->joints.at[k].index];
        complete_joint(r, &r->joints.at[k], c);
        check_and_prepare(&r->joints.at[k], &c->type->info, c->type->check, c->type->prepare,
                          c->data, c->end, c->n_ends, c->type->arrow);
    }
    for (int k = 0; k < r->forces.n && !r->nomem; ++k) {
        const TmlForce *f = &m->forces.at[r->forces.at[k].index];
        take_from_joint(r, &r->forces.at[k], f);
        check_and_prepare(&r->forces.at[k], &f->type->info, f->type->check, f->type->prepare,
                          f->data, f->end, f->n_ends, false);
    }
    for (int k = 0; k < r->forces.n && !r->nomem; ++k) {
        define_unknowns(r, &r->forces.at[k]);
    }
}

/* Names of a finished model are complete: from now on nobody writes to the tables. */
static void complete_tables(const TmlModel *m)
{
    tml_model_find_body(m, "");
    tml_model_find_frame(m, "");
    tml_model_find_constraint(m, "");
    tml_model_find_force(m, "");
    tml_model_find_variable(m, "");
    tml_model_find_state(m, "");
    tml_model_find_spline(m, "");
    tml_model_find_parameter(m, "");
}

/* Warnings as texts of the model, by their places. */
static TmlStatus keep_warnings(TmlReader *r, TmlError *err)
{
    bool ok = true;
    const int n = tml_report_sort(&r->warnings);
    for (int k = 0; k < n && ok; ++k) {
        const char *text = tml_report_text(&r->warnings, k);
        ok = text != NULL;
        TML_LIST_ADD(r->m->warnings, text, &ok);
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_reader_finish(TmlReader *r, TmlError *err)
{
    TmlModel *m = r->m;
    if (!r->nomem) {
        tml_check_followed(r);
        tml_read_contacts(r);
        bind_all(r, true);
        take_ends(r);
        count_unknowns(r);
        declare_states(r);
        declare_stops(r);
        bind_all(r, false);
        finish_elements(r);
        if (!r->nomem && r->report.n == 0) {
            tml_read_implicit(r);
        }
        for (int k = 0; k < r->joints.n && !r->nomem && r->report.n == 0; ++k) {
            tml_check_spin(&r->joints.at[k]);
        }
        complete_tables(m);
    }
    if (!r->nomem && r->report.n == 0) {
        TML_TRY(tml_contacts_finish(m, err));
        tml_check_contacts(r);
    }
    if (r->nomem) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_report_status(&r->report, err));
    TML_TRY(keep_warnings(r, err));
    TML_TRY(tml_model_list_shown(m, err));
    m->finished = true;
    m->reader = NULL;
    tml_reader_free(r);
    return TML_OK;
}

TmlStatus tml_model_finish(TmlModel *m, TmlError *err)
{
    if (m->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is finished already");
    }
    return tml_reader_finish(m->reader, err);
}
