/* io/part/inp_coupling.c - surfaces, couplings and rigid bodies of Abaqus and CalculiX files.
 *
 * A coupling ties nodes to a reference point: *KINEMATIC and *RIGID BODY as a rigid spider, *DISTRIBUTING as an averaging one.
 * Each becomes an interface of the part. The reference point lies in the mesh or in the assembly, whose nodes are kept apart.
 */
#include "io/part/inp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- reading -------------------------------------------------------------------------------- */

static void copy(char to[TML_INP_WORD], const char *from)
{
    snprintf(to, TML_INP_WORD, "%s", from != NULL ? from : "");
}

/* "INSTANCE.NAME" without the instance: there is one. */
static const char *own_name(const char *text)
{
    const char *dot = strrchr(text, '.');
    return dot != NULL ? dot + 1 : text;
}

TmlStatus tml_inp_surface(TmlInpReader *r, TmlError *err)
{
    const char *name = tml_inp_value(r, "NAME"), *type = tml_inp_value(r, "TYPE");
    r->surface_nodes = type != NULL && strcasecmp(type, "NODE") == 0;
    r->skip =
        name == NULL || (type != NULL && !r->surface_nodes && strcasecmp(type, "ELEMENT") != 0);
    copy(r->surface_name, name);
    (void)err; // what a coupling needs and is not there is told then
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
    copy(p->surface, r->surface_name);
    copy(p->of, own_name(line->item[0]));
    p->in_assembly = r->in_assembly;
    copy(p->face, line->n > 1 ? line->item[1] : "");
    return TML_OK;
}

static TmlStatus new_coupling(TmlInpReader *r, TmlInpCoupling **out, TmlError *err)
{
    if (!tml_mem_grow((void **)&r->coupling, &r->cap_couplings, r->n_couplings + 1,
                      sizeof *r->coupling)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for couplings");
    }
    *out = &r->coupling[r->n_couplings++];
    **out = (TmlInpCoupling){.line = r->source[r->depth - 1].line};
    copy((*out)->keyword, r->now.name);
    return TML_OK;
}

/* All parameters are known. */
static TmlStatus only(const TmlInpReader *r, const char *const *known, TmlError *err)
{
    for (int k = 0; k < r->now.n; ++k) {
        const char *const *name = known;
        while (*name != NULL && strcmp(*name, r->now.key[k]) != 0) {
            ++name;
        }
        if (*name == NULL) {
            return tml_inp_fail(r, err, "*%s: %.30s is not read", r->now.name, r->now.key[k]);
        }
    }
    return TML_OK;
}

static TmlStatus reference(TmlInpReader *r, TmlInpCoupling *c, TmlError *err)
{
    const char *ref = tml_inp_value(r, "REF NODE");
    if (ref == NULL || ref[0] == '\0') {
        return tml_inp_fail(r, err, "*%s needs REF NODE", r->now.name);
    }
    copy(c->ref, own_name(ref));
    c->in_assembly = r->in_assembly && strchr(ref, '.') == NULL;
    return TML_OK;
}

TmlStatus tml_inp_coupling(TmlInpReader *r, TmlError *err)
{
    static const char *const known[] = {"CONSTRAINT NAME", "REF NODE", "SURFACE", NULL};
    TmlInpCoupling *c = NULL;
    TML_TRY(only(r, known, err));
    TML_TRY(new_coupling(r, &c, err));
    TML_TRY(reference(r, c, err));
    copy(c->name, tml_inp_value(r, "CONSTRAINT NAME"));
    copy(c->surface, tml_inp_value(r, "SURFACE"));
    return c->surface[0] != '\0' ? TML_OK : tml_inp_fail(r, err, "*COUPLING needs SURFACE");
}

TmlStatus tml_inp_rigid_body(TmlInpReader *r, TmlError *err)
{
    static const char *const known[] = {"NSET", "ELSET", "REF NODE", "ROT NODE", NULL};
    TmlInpCoupling *c = NULL;
    TML_TRY(only(r, known, err));
    TML_TRY(new_coupling(r, &c, err));
    TML_TRY(reference(r, c, err));
    const char *nset = tml_inp_value(r, "NSET"), *elset = tml_inp_value(r, "ELSET");
    if ((nset == NULL) == (elset == NULL)) {
        return tml_inp_fail(r, err, "*RIGID BODY needs NSET or ELSET");
    }
    copy(nset != NULL ? c->nset : c->elset, own_name(nset != NULL ? nset : elset));
    c->dofs = 0x3f;
    return TML_OK;
}

/* *KINEMATIC and *DISTRIBUTING belong to the *COUPLING before them. */
static TmlStatus of_coupling(TmlInpReader *r, bool average, TmlError *err)
{
    static const char *const known[] = {"WEIGHTING METHOD", NULL};
    TmlInpCoupling *c = r->n_couplings > 0 ? &r->coupling[r->n_couplings - 1] : NULL;
    const char *weights = tml_inp_value(r, "WEIGHTING METHOD");
    TML_TRY(only(r, known, err));
    if (c == NULL || strcmp(c->keyword, "COUPLING") != 0 || c->kind) {
        return tml_inp_fail(r, err, "*%s stands behind no *COUPLING", r->now.name);
    }
    if (weights != NULL && strcasecmp(weights, "UNIFORM") != 0) {
        return tml_inp_fail(r, err, "*%s: only WEIGHTING METHOD=UNIFORM is read", r->now.name);
    }
    if (average) {
        tml_mesh_note(&r->build,
                      "the nodes of a distributing coupling count the same, whatever the areas "
                      "around them");
    }
    c->kind = true;
    c->average = average;
    return TML_OK;
}

TmlStatus tml_inp_kinematic(TmlInpReader *r, TmlError *err)
{
    return of_coupling(r, false, err);
}

TmlStatus tml_inp_distributing(TmlInpReader *r, TmlError *err)
{
    return of_coupling(r, true, err);
}

/* The first and the last degree of freedom that are tied. */
TmlStatus tml_inp_coupling_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlInpCoupling *c = &r->coupling[r->n_couplings - 1];
    int64_t first = 0, last = 0;
    if (line->n == 0 || line->item[0][0] == '\0') {
        return TML_OK;
    }
    TML_TRY(tml_inp_int(r, line->item[0], "the first degree of freedom", &first, err));
    last = first;
    if (line->n > 1 && line->item[1][0] != '\0') {
        TML_TRY(tml_inp_int(r, line->item[1], "the last degree of freedom", &last, err));
    }
    if (last > 6 || last < first) {
        return tml_inp_fail(r, err, "*%s: degrees of freedom are 1 to 6, in rising order",
                            r->now.name);
    }
    for (int64_t k = first; k <= last; ++k) {
        c->dofs |= 1 << (k - 1);
    }
    return TML_OK;
}

/* --- points of the assembly ------------------------------------------------------------------ */

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

static const TmlInpPoint *point_numbered(const TmlInpReader *r, int64_t id)
{
    for (int k = 0; k < r->n_points; ++k) {
        if (r->point[k].id == id && r->point[k].set[0] == '\0') {
            return &r->point[k];
        }
    }
    return NULL;
}

static const TmlInpPoint *point_named(const TmlInpReader *r, const char *set)
{
    for (int k = 0; k < r->n_points; ++k) {
        if (strcasecmp(r->point[k].set, set) == 0) {
            return point_numbered(r, r->point[k].id);
        }
    }
    return NULL;
}

/* --- what a coupling ties -------------------------------------------------------------------- */

static TmlStatus coupling_fail(const TmlInpReader *r, const TmlInpCoupling *c, TmlError *err,
                               const char *what, const char *name)
{
    return tml_fail(err, TML_E_MODEL, "%s:%d: *%s: %s%s%s%s", r->build.mesh->file, c->line,
                    c->keyword, what, name[0] != '\0' ? " '" : "", name,
                    name[0] != '\0' ? "'" : "");
}

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
static const TmlFeSet *set_of(int n, const TmlFeSet *sets, const char *name, bool in_assembly)
{
    char full[TML_INP_WORD + 16];
    snprintf(full, sizeof full, "ASSEMBLY.%s", name);
    const TmlFeSet *own = in_assembly ? set_named(n, sets, full) : NULL;
    return own != NULL ? own : set_named(n, sets, name);
}

static int node_numbered(const TmlFeMesh *mesh, int64_t id)
{
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (mesh->id[k] == id) {
            return k;
        }
    }
    return -1;
}

/* Corners of face S1, S2, ... of Abaqus, from 1; 0 ends it. Triangles and rectangles have all their nodes. */
static const int *face_corners(const TmlFeElementType *type, const char *face)
{
    static const int tet[4][5] = {{1, 2, 3}, {1, 4, 2}, {2, 4, 3}, {3, 4, 1}};
    static const int hex[6][5] = {{1, 2, 3, 4}, {5, 8, 7, 6}, {1, 5, 6, 2},
                                  {2, 6, 7, 3}, {3, 7, 8, 4}, {4, 8, 5, 1}};
    static const int wedge[5][5] = {{1, 2, 3}, {4, 5, 6}, {1, 2, 5, 4}, {2, 3, 6, 5}, {3, 1, 4, 6}};
    static const int whole[5] = {1, 2, 3, 4};
    const int k = toupper((unsigned char)face[0]) == 'S' ? atoi(face + 1) - 1 : -1;
    if (type->n_faces == 1) {
        return strcasecmp(face, "SPOS") == 0 || strcasecmp(face, "SNEG") == 0 ? whole : NULL;
    }
    if (k < 0 || k >= type->n_faces) {
        return NULL;
    }
    return type->n_corners == 4   ? tet[k]
           : type->n_corners == 8 ? hex[k]
           : type->n_corners == 6 ? wedge[k]
                                  : NULL;
}

static bool is_corner(const int *corners, int node)
{
    for (int k = 0; k < 4 && corners[k] > 0; ++k) {
        if (corners[k] == node + 1) {
            return true;
        }
    }
    return false;
}

/* The corners of a face, and the nodes on its edges. */
static bool add_face(const TmlFeMesh *mesh, int element, const char *face, bool *in)
{
    const TmlFeElement *e = &mesh->element[element];
    const int *corners = face_corners(e->type, face);
    for (int k = 0; k < e->type->n_nodes && corners != NULL; ++k) {
        const int *ends = k >= e->type->n_corners ? e->type->edge[k - e->type->n_corners] : NULL;
        const bool on = ends == NULL ? is_corner(corners, k)
                                     : is_corner(corners, ends[0]) && is_corner(corners, ends[1]);
        if (on) {
            in[mesh->node[e->first + k]] = true;
        }
    }
    return corners != NULL;
}

static bool is_number(const char *text, int64_t *id)
{
    char *end = NULL;
    *id = strtoll(text, &end, 10);
    return end != text && *end == '\0';
}

static TmlStatus add_piece(const TmlInpReader *r, const TmlInpCoupling *c, const TmlInpPiece *p,
                           bool *in, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    int64_t id = 0;
    if (p->nodes) {
        const TmlFeSet *set = set_of(mesh->n_node_sets, mesh->node_set, p->of, p->in_assembly);
        const int node = is_number(p->of, &id) ? node_numbered(mesh, id) : -1;
        for (int k = 0; set != NULL && k < set->n; ++k) {
            in[set->at[k]] = true;
        }
        if (node >= 0) {
            in[node] = true;
        }
        return set != NULL || node >= 0
                   ? TML_OK
                   : coupling_fail(r, c, err, "there is no set of nodes", p->of);
    }
    const TmlFeSet *set = set_of(mesh->n_element_sets, mesh->element_set, p->of, p->in_assembly);
    bool found = set != NULL, known = true;
    for (int k = 0; set != NULL && k < set->n; ++k) {
        known = add_face(mesh, set->at[k], p->face, in) && known;
    }
    for (int k = 0; set == NULL && is_number(p->of, &id) && k < mesh->n_elements; ++k) {
        if (mesh->element[k].id == id) {
            known = add_face(mesh, k, p->face, in) && known;
            found = true;
        }
    }
    if (!found) {
        return coupling_fail(r, c, err, "there is no element or set of elements", p->of);
    }
    return known ? TML_OK
                 : coupling_fail(r, c, err, "the elements of its surface have no face", p->face);
}

static TmlStatus tied_nodes(const TmlInpReader *r, const TmlInpCoupling *c, bool *in, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    bool found = false;
    if (c->nset[0] != '\0' || c->elset[0] != '\0') {
        TmlInpPiece set = {.nodes = true, .in_assembly = c->in_assembly};
        copy(set.of, c->nset);
        if (c->nset[0] != '\0') {
            return add_piece(r, c, &set, in, err);
        }
        const TmlFeSet *of =
            set_of(mesh->n_element_sets, mesh->element_set, c->elset, c->in_assembly);
        for (int k = 0; of != NULL && k < of->n; ++k) {
            const TmlFeElement *e = &mesh->element[of->at[k]];
            for (int i = 0; i < e->type->n_nodes; ++i) {
                in[mesh->node[e->first + i]] = true;
            }
        }
        return of != NULL ? TML_OK
                          : coupling_fail(r, c, err, "there is no set of elements", c->elset);
    }
    for (int k = 0; k < r->n_pieces; ++k) {
        if (strcasecmp(r->piece[k].surface, c->surface) == 0) {
            TML_TRY(add_piece(r, c, &r->piece[k], in, err));
            found = true;
        }
    }
    return found ? TML_OK : coupling_fail(r, c, err, "there is no surface", c->surface);
}

/* The place of the reference point, and its node in the mesh (-1: it has none). */
static TmlStatus find_reference(const TmlInpReader *r, const TmlInpCoupling *c, TmlVec3 *at,
                                int *node, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    int64_t id = 0;
    const bool number = is_number(c->ref, &id);
    const TmlInpPoint *point =
        number ? (c->in_assembly ? point_numbered(r, id) : NULL) : point_named(r, c->ref);
    const TmlFeSet *set =
        number ? NULL : set_of(mesh->n_node_sets, mesh->node_set, c->ref, c->in_assembly);
    *node = number ? node_numbered(mesh, id) : set != NULL && set->n == 1 ? set->at[0] : -1;
    if (point != NULL) {
        *at = point->x;
        *node = -1;
        return TML_OK;
    }
    if (*node < 0) {
        return coupling_fail(r, c, err, "there is no reference node", c->ref);
    }
    *at = mesh->x[*node];
    return TML_OK;
}

/* Names of frames stand in expressions: letters, digits and _. */
static const char *frame_name(TmlFeMesh *mesh, const TmlInpCoupling *c, int64_t id)
{
    char *name = c->name[0] != '\0' ? tml_arena_strdup(&mesh->arena, c->name)
                                    : tml_arena_printf(&mesh->arena, "node%" PRId64, id);
    for (char *at = name; at != NULL && *at != '\0'; ++at) {
        *at = isalnum((unsigned char)*at) ? *at : '_';
    }
    return name;
}

/* Turning nodes need all six, others have three. */
static TmlStatus check_freedoms(const TmlInpReader *r, const TmlInpCoupling *c, TmlError *err)
{
    bool turns = false;
    for (int k = 0; k < r->build.mesh->n_elements; ++k) {
        turns = turns || r->build.mesh->element[k].type->n_freedoms == 6;
    }
    const int wanted = turns || c->average ? 0x3f : 0x7;
    if (!c->kind && strcmp(c->keyword, "COUPLING") == 0) {
        return coupling_fail(r, c, err, "*KINEMATIC or *DISTRIBUTING should follow", "");
    }
    return c->dofs == 0 || (c->dofs & wanted) == wanted
               ? TML_OK
               : coupling_fail(r, c, err, "only couplings of all degrees of freedom are read", "");
}

static TmlStatus resolve(TmlInpReader *r, const TmlInpCoupling *c, bool *in, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    TmlFeCoupling *out = &mesh->coupling[mesh->n_couplings];
    int node = -1, *list, n = 0;
    int64_t id = 0;
    memset(in, 0, (size_t)mesh->n_nodes * sizeof *in);
    TML_TRY(check_freedoms(r, c, err));
    TML_TRY(find_reference(r, c, &out->at, &node, err));
    TML_TRY(tied_nodes(r, c, in, err));
    TML_NEW(&mesh->arena, list, mesh->n_nodes + 1);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (in[k] && k != node) {
            list[n++] = k;
        }
    }
    out->id = node >= 0 ? mesh->id[node] : is_number(c->ref, &id) ? id : 0;
    out->name = frame_name(mesh, c, out->id);
    out->average = c->average;
    out->n = n;
    out->node = list;
    out->line = c->line;
    mesh->n_couplings++;
    return out->name != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory for couplings");
}

TmlStatus tml_inp_couplings(TmlInpReader *r, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    if (r->n_couplings == 0) {
        return TML_OK;
    }
    bool *in = tml_mem_zalloc((size_t)mesh->n_nodes + 1, sizeof *in);
    TML_NEW(&mesh->arena, mesh->coupling, r->n_couplings);
    TmlStatus status = in != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int k = 0; k < r->n_couplings && status == TML_OK; ++k) {
        status = resolve(r, &r->coupling[k], in, err);
    }
    tml_mem_free(in);
    return status;
}
