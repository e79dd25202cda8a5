/* io/part/inp/inp_surface.c - surfaces of Abaqus and CalculiX files: nodes, or faces of elements. */
#include "io/part/inp/inp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

TmlStatus tml_inp_surface(TmlInpReader *r, TmlError *err)
{
    const char *name = tml_inp_value(r, "NAME"), *type = tml_inp_value(r, "TYPE");
    TmlInpName own;
    r->surface_nodes = type != NULL && strcasecmp(type, "NODE") == 0;
    r->skip =
        name == NULL || (type != NULL && !r->surface_nodes && strcasecmp(type, "ELEMENT") != 0);
    tml_inp_name(r, name, &own);
    snprintf(r->surface_name, sizeof r->surface_name, "%s", own.text);
    (void)err; // what a tie needs and is not there is told then
    return TML_OK;
}

TmlStatus tml_inp_surface_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    if (line->n == 0 || line->item[0][0] == '\0') {
        return TML_OK;
    }
    if (!tml_mem_grow((void **)&r->piece, &r->cap_pieces, r->n_pieces + 1, sizeof *r->piece)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for surfaces");
    }
    TmlInpPiece *p = &r->piece[r->n_pieces++];
    *p = (TmlInpPiece){.nodes = r->surface_nodes};
    memcpy(p->surface, r->surface_name, sizeof p->surface);
    tml_inp_name(r, line->item[0], &p->of);
    snprintf(p->face, sizeof p->face, "%s", line->n > 1 ? line->item[1] : "");
    return TML_OK;
}

/* --- faces --------------------------------------------------------------------------------------- */

/* Corners of face S1, S2, ... of Abaqus, from 0; -1: it is a triangle. */
static const int *label_corners(const TmlFeElementType *type, const char *label)
{
    static const int tet[4][4] = {{0, 1, 2, -1}, {0, 3, 1, -1}, {1, 3, 2, -1}, {2, 3, 0, -1}};
    static const int hex[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                  {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
    static const int wedge[5][4] = {
        {0, 1, 2, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    const int k = toupper((unsigned char)label[0]) == 'S' ? atoi(label + 1) - 1 : -1;
    if (k < 0 || k >= type->n_faces) {
        return NULL;
    }
    return type->n_corners == 4   ? tet[k]
           : type->n_corners == 8 ? hex[k]
           : type->n_corners == 6 ? wedge[k]
                                  : NULL;
}

/* The face of a type that a label names; -1: there is none. */
static int face_labelled(const TmlFeElementType *type, const char *label)
{
    if (type->n_faces == 1) {
        return strcasecmp(label, "SPOS") == 0 || strcasecmp(label, "SNEG") == 0 || label[0] == '\0'
                   ? 0
                   : -1;
    }
    const int *corner = label_corners(type, label);
    for (int f = 0; f < type->n_faces && corner != NULL; ++f) {
        const int *around = type->face + f * type->n_around;
        int found = 0, wanted = 0;
        for (int c = 0; c < 4 && corner[c] >= 0; ++c, ++wanted) {
            for (int i = 0; i < type->n_around; ++i) {
                found += around[i] == corner[c];
            }
        }
        if (found == wanted) {
            return f;
        }
    }
    return -1;
}

/* Faces of a surface as they are found. */
typedef struct Faces {
    const TmlInpReader *r;
    TmlInpWho who;
    TmlArena *arena;
    int n, cap;
    TmlFeFace *face;
    bool *of_set; /* elements of the present piece */
} Faces;

static TmlStatus add_face(Faces *w, int element, int face, TmlError *err)
{
    if (!tml_mem_grow((void **)&w->face, &w->cap, w->n + 1, sizeof *w->face)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for surfaces");
    }
    w->face[w->n++] = (TmlFeFace){element, face};
    return TML_OK;
}

/* Elements of a piece without a label: their outer faces. */
static TmlStatus add_outer(Faces *w, const TmlFeMesh *mesh, TmlError *err)
{
    TmlFeFace *outer;
    int n = 0;
    TML_TRY(tml_fe_outer_faces(mesh, w->arena, &n, &outer, err));
    for (int k = 0; k < n; ++k) {
        if (w->of_set[outer[k].element]) {
            TML_TRY(add_face(w, outer[k].element, outer[k].face, err));
        }
    }
    return TML_OK;
}

static TmlStatus add_elements(Faces *w, const TmlInpPiece *p, TmlError *err)
{
    const TmlFeMesh *mesh = w->r->build.mesh;
    const TmlFeSet *set =
        p->of.id != 0 ? NULL : tml_inp_set_of(mesh->n_element_sets, mesh->element_set, &p->of);
    bool found = set != NULL;
    memset(w->of_set, 0, (size_t)mesh->n_elements * sizeof *w->of_set);
    for (int k = 0; set != NULL && k < set->n; ++k) {
        w->of_set[set->at[k]] = true;
    }
    for (int k = 0; p->of.id != 0 && k < mesh->n_elements; ++k) {
        w->of_set[k] = mesh->element[k].id == p->of.id;
        found = found || w->of_set[k];
    }
    if (!found) {
        return tml_inp_who_fail(w->r, w->who, err, "there is no element or set of elements",
                                p->of.text);
    }
    if (p->face[0] == '\0') {
        return add_outer(w, mesh, err);
    }
    for (int k = 0; k < mesh->n_elements; ++k) {
        const int face = w->of_set[k] ? face_labelled(mesh->element[k].type, p->face) : -1;
        if (w->of_set[k] && face < 0) {
            return tml_inp_who_fail(w->r, w->who, err, "the elements of its surface have no face",
                                    p->face);
        }
        if (face >= 0) {
            TML_TRY(add_face(w, k, face, err));
        }
    }
    return TML_OK;
}

/* All pieces of a surface: faces to `w`, nodes to `in`; NULL: only faces will do. */
static TmlStatus all_pieces(Faces *w, const TmlInpName *name, bool *in, TmlError *err)
{
    const TmlInpReader *r = w->r;
    bool found = false;
    for (int k = 0; k < r->n_pieces; ++k) {
        const TmlInpPiece *p = &r->piece[k];
        if (strcasecmp(p->surface, name->text) != 0) {
            continue;
        }
        found = true;
        if (p->nodes && in == NULL) {
            return tml_inp_who_fail(r, w->who, err, "faces are wanted, and nodes are in surface",
                                    name->text);
        }
        TML_TRY(p->nodes ? tml_inp_set_nodes(r, w->who, &p->of, in, err) : add_elements(w, p, err));
    }
    return found ? TML_OK : tml_inp_who_fail(r, w->who, err, "there is no surface", name->text);
}

TmlStatus tml_inp_surface_faces(const TmlInpReader *r, TmlInpWho who, const TmlInpName *name,
                                TmlArena *arena, int *n, TmlFeFace **out, TmlError *err)
{
    Faces w = {.r = r, .who = who, .arena = arena};
    TML_NEW(arena, w.of_set, r->build.mesh->n_elements + 1);
    TmlStatus status = all_pieces(&w, name, NULL, err);
    *n = w.n;
    *out = tml_arena_alloc(arena, (size_t)w.n + 1, sizeof **out);
    if (status == TML_OK && *out == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for surfaces");
    }
    if (status == TML_OK && w.n > 0) {
        memcpy(*out, w.face, (size_t)w.n * sizeof *w.face);
    }
    tml_mem_free(w.face);
    return status;
}

static TmlStatus mark(Faces *w, const TmlInpName *name, bool *in, TmlError *err)
{
    const TmlFeMesh *mesh = w->r->build.mesh;
    TML_NEW(w->arena, w->of_set, mesh->n_elements + 1);
    TML_TRY(all_pieces(w, name, in, err));
    for (int k = 0; k < w->n; ++k) {
        int node[TML_FE_NODES];
        const int n = tml_fe_face_nodes(mesh, w->face[k], node);
        for (int i = 0; i < n; ++i) {
            in[node[i]] = true;
        }
    }
    return TML_OK;
}

TmlStatus tml_inp_surface_nodes(const TmlInpReader *r, TmlInpWho who, const TmlInpName *name,
                                bool *in, TmlError *err)
{
    TmlArena arena = {0};
    Faces w = {.r = r, .who = who, .arena = &arena};
    const TmlStatus status = mark(&w, name, in, err);
    tml_mem_free(w.face);
    tml_arena_free(&arena);
    return status;
}

TmlStatus tml_inp_set_nodes(const TmlInpReader *r, TmlInpWho who, const TmlInpName *name, bool *in,
                            TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlFeSet *set =
        name->id != 0 ? NULL : tml_inp_set_of(mesh->n_node_sets, mesh->node_set, name);
    const int node = name->id != 0 ? tml_inp_node_numbered(r, name->id) : -1;
    for (int k = 0; set != NULL && k < set->n; ++k) {
        in[set->at[k]] = true;
    }
    if (node >= 0) {
        in[node] = true;
    }
    return set != NULL || node >= 0
               ? TML_OK
               : tml_inp_who_fail(r, who, err, "there is no set of nodes", name->text);
}
