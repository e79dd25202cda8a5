/* model/measure/measure_list.c - the leaves, ends and unknowns of one expression, each entered once.
 *
 * A frame is a named frame, a body (its origin), "body.cm", or "element.first" and
 * "element.second" for the frames of a joint or force.
 */
#include "math/vec3.h"
#include "model/measure/measure_names.h"

#include <string.h>

/* --- suggestions ----------------------------------------------------------------------------- */

void tml_words_add(TmlWords *words, const char *word)
{
    void *at = words->at;
    if (tml_mem_grow(&at, &words->cap, words->n + 1, sizeof *words->at)) {
        words->at = at;
        words->at[words->n++] = word;
    }
}

TmlStatus tml_words_fail(TmlWords *words, const char *what, const char *word, TmlError *err)
{
    const char *near = words->n > 0 ? tml_nearest(word, words->at, words->n) : NULL;
    tml_mem_free(words->at);
    *words = (TmlWords){0};
    return near != NULL
               ? tml_fail(err, TML_E_MODEL, "unknown %s '%s'; did you mean '%s'?", what, word, near)
               : tml_fail(err, TML_E_MODEL, "unknown %s '%s'", what, word);
}

/* --- ends, unknowns, leaves ------------------------------------------------------------------ */

TmlStatus tml_leaves_end(TmlLeafList *list, const TmlEnd *end, int *out, TmlError *err)
{
    for (int k = 0; k < list->n_ends; ++k) {
        if (tml_end_equal(&list->end[k], end)) {
            *out = k;
            return TML_OK;
        }
    }
    if (list->n_ends == TML_MAX_ENDS) {
        return tml_fail(err, TML_E_MODEL,
                        "the expression uses more than %d frames; split it by variables",
                        (int)TML_MAX_ENDS);
    }
    list->end[list->n_ends] = *end;
    *out = list->n_ends++;
    return TML_OK;
}

TmlStatus tml_leaves_unknown(TmlLeafList *list, TmlUnknown u, int *out, TmlError *err)
{
    for (int k = 0; k < list->n_unknowns; ++k) {
        const TmlUnknown *v = &list->unknown[k];
        if (v->kind == u.kind && v->index == u.index && v->row == u.row) {
            *out = k;
            return TML_OK;
        }
    }
    if (list->n_unknowns == TML_BIND_MAX_UNKNOWNS) {
        return tml_fail(err, TML_E_MODEL,
                        "the expression reads more than %d reactions, states, variables and "
                        "forces; split it by variables",
                        (int)TML_BIND_MAX_UNKNOWNS);
    }
    void *at = list->unknown;
    if (!tml_mem_grow(&at, &list->cap_unknowns, list->n_unknowns + 1, sizeof *list->unknown)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (unknowns of an expression)");
    }
    list->unknown = at;
    list->unknown[list->n_unknowns] = u;
    *out = list->n_unknowns++;
    return TML_OK;
}

static bool leaf_equal(const TmlLeaf *a, const TmlLeaf *b)
{
    return a->kind == b->kind && a->of == b->of && a->axis == b->axis && a->torque == b->torque &&
           a->offset == b->offset && a->element == b->element &&
           memcmp(a->slot, b->slot, sizeof a->slot) == 0;
}

/* Find the leaf or add it, with its place in memory. */
TmlStatus tml_leaves_leaf(TmlLeafList *list, TmlLeaf leaf, TmlExprSymbol *out, TmlError *err)
{
    for (int k = 1; k < list->n_leaves; ++k) {
        if (leaf_equal(&list->leaf[k], &leaf)) {
            *out = (TmlExprSymbol){.leaf = k};
            return TML_OK;
        }
    }
    int n_memory = 0;
    if (leaf.constraint != NULL) {
        n_memory = leaf.constraint->n_memory;
    } else if (leaf.force != NULL) {
        n_memory = leaf.force->n_memory;
    } else if (tml_position_turns(leaf.kind, leaf.axis)) {
        n_memory = 1;
    }
    leaf.memory = n_memory > 0 ? list->n_memory : -1;
    list->n_memory += n_memory;

    void *at = list->leaf;
    if (!tml_mem_grow(&at, &list->cap_leaves, list->n_leaves + 1, sizeof *list->leaf)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (leaves of an expression)");
    }
    list->leaf = at;
    list->leaf[list->n_leaves] = leaf;
    *out = (TmlExprSymbol){.leaf = list->n_leaves++};
    return TML_OK;
}

TmlLeaf tml_leaf_empty(TmlLeafKind kind)
{
    return (TmlLeaf){
        .kind = kind, .of = kind, .slot = {-1, -1, -1, -1}, .memory = -1, .element = -1};
}

/* --- frames ---------------------------------------------------------------------------------- */

static TmlStatus fail_frame(const TmlModel *m, const char *word, TmlError *err)
{
    TmlWords words = {0};
    for (int k = 0; k < m->frames.n; ++k) {
        tml_words_add(&words, m->frames.at[k].name);
    }
    for (int k = 0; k < m->bodies.n; ++k) {
        tml_words_add(&words, m->bodies.at[k].name);
    }
    return tml_words_fail(&words, "body or frame", word, err);
}

/* Is `name` the text `stem` of length n? Finds what stands before ".cm" and the like. */
static int find_stem(const TmlModel *m, const char *name, size_t n, const char *what)
{
    char stem[TML_NAME_MAX];
    if (n >= sizeof stem) {
        return -1;
    }
    memcpy(stem, name, n);
    stem[n] = '\0';
    return strcmp(what, "body") == 0    ? tml_model_find_body(m, stem)
           : strcmp(what, "joint") == 0 ? tml_model_find_constraint(m, stem)
                                        : tml_model_find_force(m, stem);
}

/* "pin1.first", "pin1.second": the frames of a joint, or of a force. NULL: no such thing. */
static const TmlEnd *find_element_end(const TmlModel *m, const char *name, size_t stem, int which)
{
    const int joint = find_stem(m, name, stem, "joint");
    if (joint >= 0) {
        const TmlConstraint *c = &m->constraints.at[joint];
        return which < c->n_ends ? &c->end[which] : NULL;
    }
    const int force = find_stem(m, name, stem, "force");
    if (force >= 0) {
        const TmlForce *f = &m->forces.at[force];
        return which < f->n_ends ? &f->end[which] : NULL;
    }
    return NULL;
}

TmlStatus tml_leaves_frame(const TmlModel *m, const char *name, TmlEnd *out, TmlError *err)
{
    const int frame = tml_model_find_frame(m, name);
    if (frame >= 0) {
        *out = m->frames.at[frame].end;
        return TML_OK;
    }
    const int whole = tml_model_find_body(m, name);
    const char *dot = strrchr(name, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - name) : 0;
    const char *suffix = dot != NULL ? dot + 1 : "";
    *out = (TmlEnd){.A_b = m3_identity()};
    if (whole >= 0) { // the origin of the body, seen from its centre of mass
        out->body = whole;
        out->s_b = v3_sub(v3(0, 0, 0), m->bodies.at[whole].cm);
        return TML_OK;
    }
    if (strcmp(suffix, "cm") == 0 && find_stem(m, name, stem, "body") >= 0) {
        out->body = find_stem(m, name, stem, "body");
        return TML_OK;
    }
    if (strcmp(suffix, "first") == 0 || strcmp(suffix, "second") == 0) {
        const TmlEnd *end = find_element_end(m, name, stem, suffix[0] == 's');
        if (end != NULL) {
            *out = *end;
            return TML_OK;
        }
    }
    return fail_frame(m, name, err);
}

/* --- the list --------------------------------------------------------------------------------- */

TmlStatus tml_leaves_init(TmlLeafList *list, TmlModel *model, const char *where, unsigned allowed,
                          TmlError *err)
{
    *list = (TmlLeafList){.model = model, .where = where, .allowed = allowed};
    void *at = NULL;
    if (!tml_mem_grow(&at, &list->cap_leaves, 1, sizeof *list->leaf)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (leaves of an expression)");
    }
    list->leaf = at;
    list->leaf[0] = tml_leaf_empty(TML_LEAF_TIME);
    list->n_leaves = 1;
    return TML_OK;
}

void tml_leaves_free(TmlLeafList *list)
{
    tml_mem_free(list->leaf);
    tml_mem_free(list->unknown);
}
