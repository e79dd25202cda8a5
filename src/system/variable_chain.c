/* system/variable_chain.c - names the circle of variables that a message is about. */
#include "system/variable_chain.h"

#include <stdio.h>

/* Searches the variables that others read, nearest first; from[k]: the one that reads k. */
static bool search(const TmlModel *m, int start, int *from, int *queue)
{
    int n = 0;
    queue[n++] = start;
    for (int i = 0; i < n; ++i) {
        const TmlBinding *b = m->variables.at[queue[i]].binding;
        for (int k = 0; b != NULL && k < b->n_unknowns; ++k) {
            const TmlUnknown *u = &b->unknown[k];
            if (u->kind != TML_UNKNOWN_V || from[u->index] >= 0) {
                continue;
            }
            from[u->index] = queue[i];
            if (u->index == start) {
                return true;
            }
            queue[n++] = u->index;
        }
    }
    return false;
}

static size_t add_name(const TmlVariable *v, bool place, char *text, size_t size)
{
    const TmlValue *at = v->source;
    const int w = place && at != NULL && at->line > 0
                      ? snprintf(text, size, "%s (%s:%d) -> ", v->name,
                                 at->file != NULL ? at->file : "model", at->line)
                      : snprintf(text, size, "%s%s", v->name, place ? " -> " : "");
    return w > 0 && (size_t)w < size ? (size_t)w : 0;
}

void tml_variable_chain(const TmlSystem *sys, int variable, char *text, size_t size)
{
    enum { MOST = 20 }; // longer circles are cut
    const TmlModel *m = sys->model;
    int *from = tml_mem_zalloc(2 * (size_t)m->variables.n, sizeof *from);
    int chain[MOST], n = 0;
    text[0] = '\0';
    if (from == NULL) {
        return;
    }
    for (int k = 0; k < m->variables.n; ++k) {
        from[k] = -1;
    }
    if (search(m, variable, from, from + m->variables.n)) {
        for (int k = from[variable]; k != variable && n < MOST; k = from[k]) {
            chain[n++] = k; // the chain is found backwards
        }
        size_t at = add_name(&m->variables.at[variable], true, text, size);
        while (n > 0) {
            at += add_name(&m->variables.at[chain[--n]], true, text + at, size - at);
        }
        add_name(&m->variables.at[variable], false, text + at, size - at);
    }
    tml_mem_free(from);
}
