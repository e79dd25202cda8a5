/* model/model.c - the life of a model, and finding its things by name. */
#include "model/model.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/block.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/flexible.h"
#include "model/measure/binding.h"
#include "model/modal/modal.h"
#include "model/read/read.h"
#include "model/registry.h"

/* One table per list; `done` entries of the list are in it. Tables catch up with their lists when
 * they are asked, so that a list may be filled by anyone; a finished model is complete and its
 * tables no longer change. */
typedef struct Table {
    TmlNames names;
    int done;
} Table;

struct TmlModelIndex {
    Table bodies, frames, constraints, forces, variables, states, splines, parameters;
};

/* at: first name of the list; stride: bytes from one item to the next; names come first in all. */
static int find(Table *table, const char *name, int n, const void *at, size_t stride)
{
    const char *item = at;
    int k = table != NULL ? table->done : 0;
    for (; table != NULL && k < n; ++k) {
        if (!tml_names_add(&table->names, *(const char *const *)(item + (size_t)k * stride), k)) {
            break; // out of memory: the rest is searched below
        }
        table->done = k + 1;
    }
    const int found = table != NULL ? tml_names_find(&table->names, name) : -1;
    for (; found < 0 && k < n; ++k) {
        if (strcmp(*(const char *const *)(item + (size_t)k * stride), name) == 0) {
            return k;
        }
    }
    return found;
}

#define FIND(m, list, wanted)                                                                      \
    find((m)->index != NULL ? &(m)->index->list : NULL, (wanted), (m)->list.n, (m)->list.at,       \
         sizeof *(m)->list.at)

void tml_model_forget_names(TmlModel *m)
{
    if (m->index != NULL) {
        tml_names_free(&m->index->variables.names);
        tml_names_free(&m->index->states.names);
        m->index->variables = m->index->states = (Table){0};
    }
}

int tml_model_find_body(const TmlModel *m, const char *name)
{
    return FIND(m, bodies, name);
}

int tml_model_find_frame(const TmlModel *m, const char *name)
{
    return FIND(m, frames, name);
}

int tml_model_find_constraint(const TmlModel *m, const char *name)
{
    return FIND(m, constraints, name);
}

int tml_model_find_force(const TmlModel *m, const char *name)
{
    return FIND(m, forces, name);
}

int tml_model_find_variable(const TmlModel *m, const char *name)
{
    return FIND(m, variables, name);
}

int tml_model_find_state(const TmlModel *m, const char *name)
{
    return FIND(m, states, name);
}

int tml_model_find_spline(const TmlModel *m, const char *name)
{
    return FIND(m, splines, name);
}

int tml_model_find_delay(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->delays.n; ++k) {
        if (strcmp(m->delays.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

int tml_model_find_parameter(const TmlModel *m, const char *name)
{
    return FIND(m, parameters, name);
}

static bool v3_equal(TmlVec3 a, TmlVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool tml_end_equal(const TmlEnd *a, const TmlEnd *b)
{
    return a->body == b->body && a->point == b->point && v3_equal(a->s_b, b->s_b) &&
           v3_equal(a->A_b.cx, b->A_b.cx) && v3_equal(a->A_b.cy, b->A_b.cy) &&
           v3_equal(a->A_b.cz, b->A_b.cz);
}

TmlFrameKin tml_model_initial_kin(const TmlModel *m, const TmlEnd *end)
{
    if (end->point > 0) {
        const TmlFrameKin point = m->points.at[end->point - 1].flex < 0
                                      ? tml_modal_initial_point(m, end->point - 1)
                                      : tml_flex_initial_point(m, end->point - 1);
        TmlFrameKin out;
        tml_frame_offset(&point, end, &out);
        return out;
    }
    const TmlBody *body = &m->bodies.at[end->body];
    const TmlMat33 A = q4_matrix(body->p0);
    const TmlVec3 s = m3_mulv(&A, end->s_b);
    return (TmlFrameKin){
        .r = v3_add(body->r0, s),
        .A = m3_mul(&A, &end->A_b),
        .v = v3_add(body->v0, v3_cross(body->omega0, s)),
        .omega = body->omega0,
    };
}

static bool add_ground(TmlModel *m)
{
    bool ok = true;
    const TmlBody ground = {.name = "ground", .type = &tml_body_ground, .p0 = {1, 0, 0, 0}};
    const TmlNamedFrame frame = {.name = "ground",
                                 .end = tml_body_end(TML_GROUND, v3(0, 0, 0), m3_identity())};
    TML_LIST_ADD(m->bodies, ground, &ok);
    TML_LIST_ADD(m->frames, frame, &ok);
    return ok;
}

TmlStatus tml_model_create(TmlModel **out, TmlError *err)
{
    *out = NULL;
    TmlModel *m = tml_mem_zalloc(1, sizeof *m);
    if (m == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    m->index = tml_mem_zalloc(1, sizeof *m->index);
    m->reader = tml_reader_create(m);
    if (m->index == NULL || m->reader == NULL || !add_ground(m)) {
        tml_model_free(m);
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    m->title = "";
    const double none = (double)NAN;
    m->run = (TmlRunSettings){.end = none,
                              .output_step = none,
                              .tolerance = none,
                              .first_step = none,
                              .min_step = none,
                              .max_step = none,
                              .length_scale = none,
                              .time_scale = none};
    *out = m;
    return TML_OK;
}

static void index_free(struct TmlModelIndex *index)
{
    if (index == NULL) {
        return;
    }
    Table *const tables[] = {&index->bodies,  &index->frames,    &index->constraints,
                             &index->forces,  &index->variables, &index->states,
                             &index->splines, &index->parameters};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k) {
        tml_names_free(&tables[k]->names);
    }
    tml_mem_free(index);
}

void tml_model_free(TmlModel *m)
{
    if (m == NULL) {
        return;
    }
    tml_reader_free(m->reader);
    index_free(m->index);
    tml_mem_free(m->bodies.at);
    tml_mem_free(m->frames.at);
    tml_mem_free(m->meshes.at);
    tml_mem_free(m->flexes.at);
    tml_mem_free(m->modals.at);
    tml_mem_free(m->parts.at);
    tml_mem_free(m->points.at);
    tml_mem_free(m->places.at);
    tml_mem_free(m->constraints.at);
    tml_mem_free(m->forces.at);
    tml_mem_free(m->looks.at);
    tml_mem_free(m->shapes.at);
    tml_mem_free(m->materials.at);
    tml_mem_free(m->contacts.at);
    tml_mem_free(m->bristles.at);
    tml_mem_free(m->contact_values.at);
    tml_mem_free(m->variables.at);
    tml_mem_free(m->states.at);
    tml_mem_free(m->delays.at);
    tml_mem_free(m->channels.at);
    tml_mem_free(m->splines.at);
    tml_mem_free(m->paths.at);
    tml_mem_free(m->roads.at);
    tml_mem_free(m->profiles.at);
    tml_mem_free(m->tracks.at);
    tml_mem_free(m->probes.at);
    tml_mem_free(m->events.at);
    tml_mem_free(m->signals.at);
    tml_mem_free(m->given_inputs.at);
    tml_mem_free(m->notes.at);
    tml_mem_free(m->inputs.at);
    tml_mem_free(m->warnings.at);
    tml_mem_free(m->substitutes.at);
    tml_mem_free(m->sources.at);
    tml_mem_free(m->parameters.at);
    tml_mem_free(m->overrides.at);
    tml_mem_free(m->user_constraints.at);
    tml_mem_free(m->user_forces.at);
    tml_mem_free(m->user_presses.at);
    tml_mem_free(m->user_shapes.at);
    tml_mem_free(m->user_slips.at);
    tml_mem_free(m->user_functions.at);
    tml_names_free(&m->function_names);
    if (m->attached.free != NULL) {
        m->attached.free(m->attached.self);
    }
    tml_arena_free(&m->arena);
    const uint64_t group = m->group;
    tml_mem_free(m);
    tml_blocks_free_group(group);
}

static TmlStatus check_type(const TmlModel *m, const TmlTypeInfo *info, bool known, TmlError *err)
{
    if (m->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is finished");
    }
    if (info->name == NULL || info->name[0] == '\0') {
        return tml_fail(err, TML_E_ARGUMENT, "the type has no name");
    }
    if (known) {
        return tml_fail(err, TML_E_ARGUMENT, "there is already a type '%s'", info->name);
    }
    return TML_OK;
}

TmlStatus tml_model_register_constraint(TmlModel *m, const TmlConstraintType *type, TmlError *err)
{
    const bool known =
        type->info.name != NULL && tml_find_constraint_type(m, type->info.name) != NULL;
    TML_TRY(check_type(m, &type->info, known, err));
    if (type->rows < 1 || type->rows > TML_MAX_ROWS || type->residual == NULL ||
        type->jacobian == NULL || type->gamma == NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "type '%s': 1 to %d rows, residual, jacobian and gamma are required",
                        type->info.name, TML_MAX_ROWS);
    }
    bool ok = true;
    TML_LIST_ADD(m->user_constraints, type, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_model_register_force(TmlModel *m, const TmlForceType *type, TmlError *err)
{
    const bool known = type->info.name != NULL && tml_find_force_type(m, type->info.name) != NULL;
    TML_TRY(check_type(m, &type->info, known, err));
    if (type->wrench == NULL || (type->n_f != NULL && type->f_map == NULL) ||
        (type->output == NULL) != (type->info.outputs == NULL)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "type '%s': wrench is required, f_map with n_f, output with outputs",
                        type->info.name);
    }
    bool ok = true;
    TML_LIST_ADD(m->user_forces, type, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_model_register_press(TmlModel *m, const TmlPressType *type, TmlError *err)
{
    const bool known =
        type->info.name != NULL && tml_contact_press_type(m, type->info.name) != NULL;
    TML_TRY(check_type(m, &type->info, known, err));
    if (type->press == NULL) {
        return tml_fail(err, TML_E_ARGUMENT, "law '%s': press is required", type->info.name);
    }
    bool ok = true;
    TML_LIST_ADD(m->user_presses, type, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_model_register_shape(TmlModel *m, const TmlShapeType *type, TmlError *err)
{
    const bool known =
        type->info.name != NULL && (tml_contact_shape_type(m, type->info.name) != NULL ||
                                    strcmp(type->info.name, "link") == 0);
    TML_TRY(check_type(m, &type->info, known, err));
    if (type->bounds == NULL || (type->support == NULL && type->distance == NULL)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "shape '%s': bounds are required, and support or distance",
                        type->info.name);
    }
    bool ok = true;
    TML_LIST_ADD(m->user_shapes, type, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_model_register_slip(TmlModel *m, const TmlSlipType *type, TmlError *err)
{
    const bool known = type->info.name != NULL && tml_contact_slip_type(m, type->info.name) != NULL;
    TML_TRY(check_type(m, &type->info, known, err));
    if (type->slip == NULL || (type->bristles && type->reach == NULL)) {
        return tml_fail(err, TML_E_ARGUMENT, "law '%s': slip is required, and reach with bristles",
                        type->info.name);
    }
    bool ok = true;
    TML_LIST_ADD(m->user_slips, type, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

enum { FUNCTION_NAME_MAX = 256 };

/* A name in small letters; false: it is longer than that of any function. */
static bool fold(const char *name, char out[FUNCTION_NAME_MAX])
{
    size_t n = 0;
    for (; name[n] != '\0' && n + 1 < FUNCTION_NAME_MAX; ++n) {
        out[n] = (char)tolower((unsigned char)name[n]);
    }
    out[n] = '\0';
    return name[n] == '\0';
}

const TmlUserFunction *tml_model_find_function(const TmlModel *m, const char *name)
{
    char key[FUNCTION_NAME_MAX];
    const int k = fold(name, key) ? tml_names_find(&m->function_names, key) : -1;
    return k >= 0 ? m->user_functions.at[k] : NULL;
}

typedef struct NameTaken {
    const char *name;
    bool taken;
} NameTaken;

static void name_compare(void *arg, const char *name, const char *signature, const char *text)
{
    NameTaken *x = arg;
    (void)signature, (void)text;
    x->taken = x->taken || strcasecmp(x->name, name) == 0;
}

/* Letters, digits and _, no digit first: what the parser reads as the name of a function. */
static bool is_word(const char *name)
{
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return name != NULL && name[0] != '\0' && (name[0] < '0' || name[0] > '9') &&
           name[strspn(name, letters)] == '\0';
}

TmlStatus tml_model_follow(TmlModel *m, const char *parameter, TmlError *err)
{
    if (m->finished || m->parameters.n > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' is to be followed: say so before parameters are added", parameter);
    }
    m->followed = tml_arena_strdup(&m->arena, parameter);
    return m->followed != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_model_register_function(TmlModel *m, const TmlUserFunction *f, TmlError *err)
{
    if (m->finished) {
        return tml_fail(err, TML_E_ARGUMENT, "the model is finished");
    }
    if (!is_word(f->name)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' is no name for a function: use letters, digits and _",
                        f->name != NULL ? f->name : "");
    }
    NameTaken x = {.name = f->name, .taken = tml_model_find_function(m, f->name) != NULL};
    tml_expr_functions(name_compare, &x);
    tml_binding_functions(name_compare, &x);
    if (x.taken) {
        return tml_fail(err, TML_E_ARGUMENT, "there is already a function '%s'", f->name);
    }
    const int most = f->order == 1 ? TML_MAX_ARGS_FIRST : TML_MAX_ARGS;
    if (f->n_args < 1 || f->n_args > most || f->order < 1 || f->order > 3 || f->eval == NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "function '%s': 1 to %d arguments, order 1 to 3 and eval are required",
                        f->name, most);
    }
    char key[FUNCTION_NAME_MAX];
    if (!fold(f->name, key)) {
        return tml_fail(err, TML_E_ARGUMENT, "the name of function '%.40s...' is too long",
                        f->name);
    }
    const char *kept = tml_arena_strdup(&m->arena, key);
    bool ok = kept != NULL;
    if (ok) {
        TML_LIST_ADD(m->user_functions, f, &ok);
    }
    if (ok && !tml_names_add(&m->function_names, kept, m->user_functions.n - 1)) {
        m->user_functions.n--; // as if it had never been registered
        ok = false;
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

const char *tml_model_message(const TmlModel *m, int index)
{
    return m->attached.message != NULL ? m->attached.message(m->attached.self, index) : NULL;
}

bool tml_body_is_shown(const TmlBody *body)
{
    return !body->type->hidden && !body->type->mesh;
}

int tml_model_shown_body(const TmlModel *m, int index)
{
    if (m->shown != NULL) {
        return index >= 0 && index < m->n_shown ? m->shown[index] : -1;
    }
    for (int b = 0; b < m->bodies.n && index >= 0; ++b) {
        if (tml_body_is_shown(&m->bodies.at[b]) && index-- == 0) {
            return b;
        }
    }
    return -1;
}

TmlStatus tml_model_list_shown(TmlModel *m, TmlError *err)
{
    TML_NEW(&m->arena, m->shown, m->bodies.n);
    for (int b = 0; b < m->bodies.n; ++b) {
        if (tml_body_is_shown(&m->bodies.at[b])) {
            m->shown[m->n_shown++] = b;
        }
    }
    return TML_OK;
}

int tml_model_body_count(const TmlModel *m)
{
    int n = m->n_shown;
    for (int b = 0; b < m->bodies.n && m->shown == NULL; ++b) {
        n += tml_body_is_shown(&m->bodies.at[b]) ? 1 : 0;
    }
    return n;
}

const char *tml_model_body_name(const TmlModel *m, int index)
{
    const int b = tml_model_shown_body(m, index);
    return b >= 0 ? m->bodies.at[b].name : NULL;
}

int tml_model_joint_count(const TmlModel *m)
{
    return m->constraints.n;
}

const char *tml_model_joint_name(const TmlModel *m, int index)
{
    return index >= 0 && index < m->constraints.n ? m->constraints.at[index].name : NULL;
}

int tml_model_joint_find(const TmlModel *m, const char *name)
{
    return tml_model_find_constraint(m, name);
}

int tml_model_body_find(const TmlModel *m, const char *name)
{
    const int b = tml_model_find_body(m, name), n = tml_model_body_count(m);
    int k = b >= 0 ? 0 : n;
    while (k < n && tml_model_shown_body(m, k) != b) {
        ++k;
    }
    return k < n ? k : -1;
}

int tml_model_state_count(const TmlModel *m)
{
    return m->states.n;
}

const char *tml_model_state_name(const TmlModel *m, int index)
{
    return index >= 0 && index < m->states.n ? m->states.at[index].name : NULL;
}

int tml_model_state_find(const TmlModel *m, const char *name)
{
    return tml_model_find_state(m, name);
}

double tml_model_end_time(const TmlModel *m)
{
    return m->run.end;
}

const char *tml_model_warning(const TmlModel *m, int index)
{
    return index >= 0 && index < m->warnings.n ? m->warnings.at[index] : NULL;
}

const char *tml_model_substitute(const TmlModel *m, int index)
{
    return index >= 0 && index < m->substitutes.n ? m->substitutes.at[index] : NULL;
}

void tml_model_strict(TmlModel *m, bool strict)
{
    m->strict = strict;
}

const char *tml_model_note(const TmlModel *m, int index)
{
    return index >= 0 && index < m->notes.n ? m->notes.at[index] : NULL;
}

bool tml_model_input_add(TmlModel *m, const char *path)
{
    bool ok = true;
    const char *copy = tml_arena_strdup(&m->arena, path);
    if (copy != NULL) {
        TML_LIST_ADD(m->inputs, copy, &ok);
    }
    return ok && copy != NULL;
}

const char *tml_model_input(const TmlModel *m, int index)
{
    return index >= 0 && index < m->inputs.n ? m->inputs.at[index] : NULL;
}

TmlSpin tml_model_rotating_frame(const TmlModel *m)
{
    return m->spin;
}

const char *tml_model_title(const TmlModel *m)
{
    return m->title;
}
