/* reduce/element/fe_registry.c - all types of finite elements, found by their names. */
#include "reduce/element/element.h"

#include <string.h>
#include <strings.h>

#define TML_FE(name) extern const TmlFeElementType tml_fe_##name;
#include "reduce/element/fe_elements.def"
#undef TML_FE
#define TML_FE(name) &tml_fe_##name,
const TmlFeElementType *const tml_fe_types[] = {
#include "reduce/element/fe_elements.def"
    NULL};

const TmlFeElementType *tml_fe_type_inp(const char *name)
{
    for (const TmlFeElementType *const *t = tml_fe_types; *t != NULL; ++t) {
        for (const char *const *known = (*t)->inp; *known != NULL; ++known) {
            if (strcasecmp(*known, name) == 0) {
                return *t;
            }
        }
    }
    return NULL;
}

const TmlFeElementType *tml_fe_type_msh(int number)
{
    for (const TmlFeElementType *const *t = tml_fe_types; *t != NULL; ++t) {
        if ((*t)->msh == number && number != 0) {
            return *t;
        }
    }
    return NULL;
}

const TmlFeElementType *tml_fe_type_named(const char *name)
{
    for (const TmlFeElementType *const *t = tml_fe_types; *t != NULL; ++t) {
        if (strcmp((*t)->name, name) == 0) {
            return *t;
        }
    }
    return NULL;
}

TmlStatus tml_fe_retype(TmlFeMesh *mesh, const char *from, const char *to, int *count,
                        TmlError *err)
{
    const TmlFeElementType *a = tml_fe_type_named(from), *b = tml_fe_type_named(to);
    *count = 0;
    if (a == NULL || b == NULL) {
        return tml_fail(err, TML_E_MODEL, "there is no type of elements '%s'",
                        a == NULL ? from : to);
    }
    if (a->n_nodes != b->n_nodes || a->n_freedoms != b->n_freedoms) {
        return tml_fail(err, TML_E_MODEL, "elements '%s' and '%s' have other nodes", from, to);
    }
    for (int k = 0; k < mesh->n_elements; ++k) {
        if (mesh->element[k].type == a) {
            mesh->element[k].type = b;
            ++*count;
        }
    }
    return TML_OK;
}

void tml_fe_one(const TmlFeMesh *mesh, int k, TmlFeMassRule rule, TmlFeOne *out)
{
    const TmlFeElement *element = &mesh->element[k];
    out->element = element;
    out->type = element->type;
    out->rule = rule;
    for (int i = 0; i < element->type->n_nodes; ++i) {
        const int node = mesh->node[element->first + i];
        out->x[i] = mesh->x[node];
        out->id[i] = mesh->id[node];
    }
    out->material =
        element->material >= 0 ? mesh->material[element->material] : (TmlFeMaterial){.name = ""};
    out->section =
        element->section >= 0 ? mesh->section[element->section] : (TmlFeSection){.name = NULL};
}
