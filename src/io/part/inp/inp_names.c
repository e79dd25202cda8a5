/* io/part/inp/inp_names.c - what names and numbers of Abaqus and CalculiX files stand for: nodes, sets, points of the assembly. */
#include "io/part/inp/inp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A number alone; 0: it is none. */
static int64_t number_of(const char *text)
{
    char *end = NULL;
    const long long id = strtoll(text, &end, 10);
    return end != text && *end == '\0' && id > 0 ? id : 0;
}

/* "INSTANCE.NAME" without the instance where there is one only; with it, also where it is the present one, where there are several. */
void tml_inp_name(const TmlInpReader *r, const char *text, TmlInpName *out)
{
    const char *dot = text != NULL ? strrchr(text, '.') : NULL;
    const char *own = dot != NULL ? dot + 1 : text;
    const bool assembly = r->in_assembly && !r->in_instance;
    int64_t offset = r->offset;
    *out = (TmlInpName){.in_assembly = assembly && dot == NULL};
    if (own == NULL || own[0] == '\0') {
        return;
    }
    if (r->several && r->in_instance && dot == NULL) {
        char full[2 * TML_INP_WORD];
        snprintf(full, sizeof full, "%s.%s", r->instance_name, own);
        snprintf(out->text, sizeof out->text, "%.*s", TML_INP_WORD - 1, full);
    } else {
        snprintf(out->text, sizeof out->text, "%s", r->several ? text : own);
    }
    if (r->several && dot != NULL) {
        offset = tml_inp_offset(r, text, (size_t)(dot - text));
    }
    const int64_t number = out->in_assembly ? 0 : number_of(own);
    out->id = number > 0 && offset >= 0 ? number + offset : 0;
}

TmlStatus tml_inp_who_fail(const TmlInpReader *r, TmlInpWho who, TmlError *err, const char *what,
                           const char *name)
{
    return tml_fail(err, TML_E_MODEL, "%s:%d: *%s: %s%s%s%s", r->build.mesh->file, who.line,
                    who.keyword, what, name[0] != '\0' ? " '" : "", name,
                    name[0] != '\0' ? "'" : "");
}

/* --- sets and nodes ------------------------------------------------------------------------------ */

static const TmlFeSet *set_named(int n, const TmlFeSet *sets, const char *name)
{
    for (int k = 0; k < n; ++k) {
        if (strcasecmp(sets[k].name, name) == 0) {
            return &sets[k];
        }
    }
    return NULL;
}

/* A set of the assembly that is called as one of the part has a longer name. */
const TmlFeSet *tml_inp_set_of(int n, const TmlFeSet *sets, const TmlInpName *name)
{
    char full[TML_INP_WORD + 16];
    snprintf(full, sizeof full, "ASSEMBLY.%s", name->text);
    const TmlFeSet *own = name->in_assembly ? set_named(n, sets, full) : NULL;
    return own != NULL ? own : set_named(n, sets, name->text);
}

int tml_inp_node_numbered(const TmlInpReader *r, int64_t id)
{
    const TmlFeMesh *mesh = r->build.mesh;
    int low = 0, high = mesh->n_nodes;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (mesh->id[r->by_id[mid]] < id) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low < mesh->n_nodes && mesh->id[r->by_id[low]] == id ? r->by_id[low] : -1;
}

TmlStatus tml_inp_nodes_of(TmlInpReader *r, TmlInpWho who, const TmlInpName *name, int *n,
                           const int **out, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlInpPoint *point = tml_inp_point_of(r, name);
    const int64_t id = point != NULL   ? point->node
                       : name->id != 0 ? name->id
                                       : number_of(name->text);
    const TmlFeSet *set = id == 0 ? tml_inp_set_of(mesh->n_node_sets, mesh->node_set, name) : NULL;
    int *node;
    if (set != NULL) {
        *n = set->n;
        *out = set->at;
        return TML_OK;
    }
    TML_NEW(&r->scratch, node, 1);
    *node = id != 0 ? tml_inp_node_numbered(r, id) : -1;
    *n = 1;
    *out = node;
    return *node >= 0
               ? TML_OK
               : tml_inp_who_fail(r, who, err, "there is no node or set of nodes", name->text);
}

/* --- points of the assembly ---------------------------------------------------------------------- */

void tml_inp_point(TmlInpReader *r, int64_t id, TmlVec3 x)
{
    if (tml_mem_grow((void **)&r->point, &r->cap_points, r->n_points + 1, sizeof *r->point)) {
        r->point[r->n_points++] = (TmlInpPoint){.id = id, .x = x};
    } else {
        r->build.nomem = true;
    }
}

void tml_inp_point_set(TmlInpReader *r, const char *name, int64_t id)
{
    tml_inp_point(r, id, (TmlVec3){0, 0, 0});
    if (!r->build.nomem) {
        tml_inp_upper(name, r->point[r->n_points - 1].set);
    }
}

TmlStatus tml_inp_point_nodes(TmlInpReader *r, const TmlInpName *name, TmlError *err)
{
    const int64_t id = number_of(name->text);
    for (int k = 0; k < r->n_points && name->in_assembly; ++k) {
        const TmlInpPoint *p = &r->point[k];
        int64_t node = 0;
        if ((id != 0 && p->id == id && p->set[0] == '\0') ||
            (id == 0 && strcasecmp(p->set, name->text) == 0)) {
            TML_TRY(tml_inp_point_node(r, p->id, &node, err));
        }
    }
    return TML_OK;
}

static const TmlInpPoint *point_numbered(const TmlInpReader *r, int64_t id)
{
    for (int k = 0; k < r->n_points; ++k) {
        if (r->point[k].id == id && r->point[k].set[0] == '\0') {
            return &r->point[k];
        }
    }
    return NULL;
}

TmlStatus tml_inp_point_node(TmlInpReader *r, int64_t id, int64_t *out, TmlError *err)
{
    TmlInpPoint *point = NULL;
    for (int k = 0; k < r->n_points && point == NULL; ++k) {
        point = r->point[k].id == id && r->point[k].set[0] == '\0' ? &r->point[k] : NULL;
    }
    if (point == NULL) {
        return tml_inp_fail(r, err, "*%s: the assembly has no node %lld", r->now.name,
                            (long long)id);
    }
    if (point->node == 0) {
        if (r->assembly_offset == 0) {
            r->assembly_offset = tml_inp_next_offset(r);
        }
        point->node = r->assembly_offset + id;
        tml_inp_count(r, point->node);
        tml_mesh_add_node(&r->build, point->node, point->x, tml_inp_line(r));
    }
    *out = point->node;
    return TML_OK;
}

const TmlInpPoint *tml_inp_point_of(const TmlInpReader *r, const TmlInpName *name)
{
    const int64_t id = number_of(name->text);
    if (!name->in_assembly) {
        return NULL;
    }
    for (int k = 0; k < r->n_points && id == 0; ++k) {
        if (strcasecmp(r->point[k].set, name->text) == 0) {
            return point_numbered(r, r->point[k].id);
        }
    }
    return id != 0 ? point_numbered(r, id) : NULL;
}
