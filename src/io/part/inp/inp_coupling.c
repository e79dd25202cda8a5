/* io/part/inp/inp_coupling.c - surfaces, couplings and rigid bodies of Abaqus and CalculiX files.
 *
 * A coupling ties nodes to a reference point: *KINEMATIC and *RIGID BODY as a rigid spider, *DISTRIBUTING as an averaging one.
 * Each becomes an interface of the part. The reference point lies in the mesh or in the assembly, whose nodes are kept apart.
 */
#include "io/part/inp/inp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- reading -------------------------------------------------------------------------------- */

static TmlStatus new_coupling(TmlInpReader *r, TmlInpCoupling **out, TmlError *err)
{
    if (!tml_mem_grow((void **)&r->coupling, &r->cap_couplings, r->n_couplings + 1,
                      sizeof *r->coupling)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for couplings");
    }
    *out = &r->coupling[r->n_couplings++];
    **out = (TmlInpCoupling){.line = r->source[r->depth - 1].line};
    snprintf((*out)->keyword, sizeof(*out)->keyword, "%s", r->now.name);
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
    tml_inp_name(r, ref, &c->ref);
    return TML_OK;
}

TmlStatus tml_inp_coupling(TmlInpReader *r, TmlError *err)
{
    static const char *const known[] = {"CONSTRAINT NAME", "REF NODE", "SURFACE", NULL};
    TmlInpCoupling *c = NULL;
    TML_TRY(only(r, known, err));
    TML_TRY(new_coupling(r, &c, err));
    TML_TRY(reference(r, c, err));
    const char *name = tml_inp_value(r, "CONSTRAINT NAME");
    snprintf(c->name, sizeof c->name, "%s", name != NULL ? name : "");
    tml_inp_name(r, tml_inp_value(r, "SURFACE"), &c->surface);
    return c->surface.text[0] != '\0' ? TML_OK : tml_inp_fail(r, err, "*COUPLING needs SURFACE");
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
    tml_inp_name(r, nset != NULL ? nset : elset, nset != NULL ? &c->nset : &c->elset);
    c->dofs = 0x3f;
    return TML_OK;
}

/* *KINEMATIC and *DISTRIBUTING belong to the *COUPLING before them. */
static TmlStatus of_coupling(TmlInpReader *r, bool average, TmlError *err)
{
    static const char *const known[] = {"WEIGHTING METHOD", "COUPLING", NULL};
    TmlInpCoupling *c = r->n_couplings > 0 ? &r->coupling[r->n_couplings - 1] : NULL;
    const char *weights = tml_inp_value(r, "WEIGHTING METHOD");
    TML_TRY(only(r, known, err));
    if (c == NULL || strcmp(c->keyword, "COUPLING") != 0 || c->kind) {
        return tml_inp_fail(r, err, "*%s stands behind no *COUPLING", r->now.name);
    }
    if (weights != NULL && strcasecmp(weights, "UNIFORM") != 0) {
        return tml_inp_fail(r, err, "*%s: only WEIGHTING METHOD=UNIFORM is read", r->now.name);
    }
    const char *how =
        tml_inp_value(r, "COUPLING"); // how rotations of the nodes enter, which have none here
    if (how != NULL && strcasecmp(how, "STRUCTURAL") != 0 && strcasecmp(how, "CONTINUUM") != 0) {
        return tml_inp_fail(r, err, "*%s: COUPLING is STRUCTURAL or CONTINUUM", r->now.name);
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

/* *KINEMATIC COUPLING is the old form: nodes with the first and last degree of freedom in each line. */
TmlStatus tml_inp_kinematic_coupling(TmlInpReader *r, TmlError *err)
{
    static const char *const known[] = {"REF NODE", NULL};
    TmlInpCoupling *c = NULL;
    TML_TRY(only(r, known, err));
    TML_TRY(new_coupling(r, &c, err));
    c->kind = true;
    return reference(r, c, err);
}

TmlStatus tml_inp_kinematic_coupling_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlInpLine freedoms = {.n = line->n - 1};
    if (r->lines > 1) { // a line is a coupling with the same reference node
        TmlInpCoupling *next = NULL;
        TML_TRY(new_coupling(r, &next, err));
        next->kind = true;
        next->ref = r->coupling[r->n_couplings - 2].ref;
    }
    TmlInpCoupling *c = &r->coupling[r->n_couplings - 1];
    tml_inp_name(r, line->n > 0 ? line->item[0] : "", &c->nset);
    for (int k = 0; k < freedoms.n && k < TML_INP_ITEMS; ++k) {
        memcpy(freedoms.item[k], line->item[k + 1], sizeof freedoms.item[k]);
    }
    return freedoms.n > 0 ? tml_inp_coupling_data(r, &freedoms, err) : TML_OK;
}

/* --- what a coupling ties -------------------------------------------------------------------- */

static TmlInpWho who_is(const TmlInpCoupling *c)
{
    return (TmlInpWho){.keyword = c->keyword, .line = c->line};
}

static TmlStatus coupling_fail(const TmlInpReader *r, const TmlInpCoupling *c, TmlError *err,
                               const char *what, const char *name)
{
    return tml_inp_who_fail(r, who_is(c), err, what, name);
}

static TmlStatus nodes_of_elements(const TmlInpReader *r, const TmlInpCoupling *c, bool *in,
                                   TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlFeSet *of = tml_inp_set_of(mesh->n_element_sets, mesh->element_set, &c->elset);
    for (int k = 0; of != NULL && k < of->n; ++k) {
        const TmlFeElement *e = &mesh->element[of->at[k]];
        for (int i = 0; i < e->type->n_nodes; ++i) {
            in[mesh->node[e->first + i]] = true;
        }
    }
    return of != NULL ? TML_OK
                      : coupling_fail(r, c, err, "there is no set of elements", c->elset.text);
}

static TmlStatus tied_nodes(const TmlInpReader *r, const TmlInpCoupling *c, bool *in, TmlError *err)
{
    return c->nset.text[0] != '\0'    ? tml_inp_set_nodes(r, who_is(c), &c->nset, in, err)
           : c->elset.text[0] != '\0' ? nodes_of_elements(r, c, in, err)
                                      : tml_inp_surface_nodes(r, who_is(c), &c->surface, in, err);
}

/* The place of the reference point, its node in the mesh (-1: it has none), and its number. */
static TmlStatus find_reference(TmlInpReader *r, const TmlInpCoupling *c, TmlVec3 *at, int *node,
                                int64_t *id, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlInpPoint *point = tml_inp_point_of(r, &c->ref);
    const int *list = NULL;
    int n = 0;
    *node = -1;
    if (point != NULL) {
        *at = point->x;
        *node = point->node != 0 ? tml_inp_node_numbered(r, point->node) : -1;
        *id = point->id;
        return TML_OK;
    }
    TmlError none = {0};
    if (tml_inp_nodes_of(r, who_is(c), &c->ref, &n, &list, &none) != TML_OK || n != 1) {
        return coupling_fail(r, c, err, "there is no reference node", c->ref.text);
    }
    *node = list[0];
    *at = mesh->x[*node];
    *id = mesh->id[*node];
    return TML_OK;
}

static bool has_element(const TmlFeMesh *mesh, int node)
{
    for (int k = 0; k < mesh->n_elements && node >= 0; ++k) {
        for (int i = 0; i < mesh->element[k].type->n_nodes; ++i) {
            if (mesh->node[mesh->element[k].first + i] == node) {
                return true;
            }
        }
    }
    return false;
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

/* Whether some freedoms of the nodes stay free: turning nodes have six, others three. */
static bool is_partial(const TmlInpReader *r, const TmlInpCoupling *c, const bool *in)
{
    const TmlFeMesh *mesh = r->build.mesh;
    bool turns = false;
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e =
            &mesh->element[k]; // an inertia at the reference node does not count
        for (int i = 0; i < e->type->n_nodes && e->type->n_freedoms == 6 && e->type->n_nodes > 1;
             ++i) {
            turns = turns || in[mesh->node[e->first + i]];
        }
    }
    const int wanted = turns || c->average ? 0x3f : 0x7;
    return c->dofs != 0 && (c->dofs & wanted) != wanted;
}

static TmlStatus check_freedoms(const TmlInpReader *r, const TmlInpCoupling *c, bool partial,
                                bool own, TmlError *err)
{
    if (!c->kind && strcmp(c->keyword, "COUPLING") == 0) {
        return coupling_fail(r, c, err, "*KINEMATIC or *DISTRIBUTING should follow", "");
    }
    if (partial && c->average) {
        return coupling_fail(r, c, err,
                             "only distributing couplings of all degrees of freedom are read", "");
    }
    if (partial && r->transformed) {
        return coupling_fail(
            r, c, err, "its degrees of freedom might be those of a *TRANSFORM, which is not read",
            "");
    }
    return !partial || own || (c->dofs & 0x7) == 0x7
               ? TML_OK
               : coupling_fail(
                     r, c, err,
                     "its reference node has no element, and nothing holds it in the directions "
                     "that are not tied; tie degrees of freedom 1 to 3",
                     "");
}

/* The nodes follow the reference node in some freedoms; that node is the frame. */
static TmlStatus tie_some(TmlInpReader *r, const TmlInpCoupling *c, const bool *in, int node,
                          const char *name, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    bool *turns;
    int *frame;
    TML_NEW(&r->scratch, turns, mesh->n_nodes + 1);
    TML_NEW(&mesh->arena, frame, 1);
    tml_inp_turning(mesh, turns);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        for (int i = 0; i < 6 && in[k] && k != node; ++i) {
            if ((c->dofs >> i & 1) != 0 && (i < 3 || turns[k])) {
                TML_TRY(tml_inp_follow(r, who_is(c), k, node, i, err));
            }
        }
    }
    *frame = node;
    mesh->coupling[mesh->n_couplings++] = (TmlFeCoupling){.name = name,
                                                          .at = mesh->x[node],
                                                          .node_alone = true,
                                                          .id = mesh->id[node],
                                                          .n = 1,
                                                          .line = c->line,
                                                          .follower = -1,
                                                          .node = frame};
    return TML_OK;
}

/* Rigid couplings of one reference node are one. */
static TmlFeCoupling *same_reference(TmlFeMesh *mesh, int64_t id, TmlVec3 at, bool average)
{
    for (int k = 0; k < mesh->n_couplings && !average; ++k) {
        TmlFeCoupling *c = &mesh->coupling[k];
        if (!c->average && !c->node_alone && c->id == id && c->at.x == at.x && c->at.y == at.y &&
            c->at.z == at.z) {
            return c;
        }
    }
    return NULL;
}

/* A reference node that has elements, such as a mass, goes with the rigid body or follows the average. */
static TmlStatus resolve(TmlInpReader *r, const TmlInpCoupling *c, bool *in, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    TmlVec3 at;
    int node = -1, *list, n = 0;
    int64_t id = 0;
    memset(in, 0, (size_t)mesh->n_nodes * sizeof *in);
    TML_TRY(find_reference(r, c, &at, &node, &id, err));
    TML_TRY(tied_nodes(r, c, in, err));
    const bool own = has_element(mesh, node), partial = is_partial(r, c, in);
    TML_TRY(check_freedoms(r, c, partial, own, err));
    if (partial) {
        const char *name = frame_name(mesh, c, id);
        return name != NULL ? tie_some(r, c, in, node, name, err)
                            : tml_fail(err, TML_E_NOMEM, "out of memory for couplings");
    }
    TmlFeCoupling *before = same_reference(mesh, id, at, c->average);
    for (int k = 0; before != NULL && k < before->n; ++k) {
        in[before->node[k]] = true;
    }
    if (node >= 0) {
        in[node] = own && !c->average;
    }
    TML_NEW(&mesh->arena, list, mesh->n_nodes + 1);
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (in[k]) {
            list[n++] = k;
        }
    }
    TmlFeCoupling *out = before != NULL ? before : &mesh->coupling[mesh->n_couplings++];
    const char *name = before != NULL ? before->name : frame_name(mesh, c, id);
    *out = (TmlFeCoupling){.name = name,
                           .at = at,
                           .average = c->average,
                           .id = id,
                           .n = n,
                           .line = c->line,
                           .follower = own && c->average ? node : -1,
                           .node = list};
    return name != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory for couplings");
}

TmlStatus tml_inp_coupling_points(TmlInpReader *r, TmlError *err)
{
    for (int k = 0; k < r->n_couplings; ++k) {
        const TmlInpCoupling *c = &r->coupling[k];
        if (c->dofs != 0 && c->dofs != 0x3f && !c->average) {
            TML_TRY(tml_inp_point_nodes(r, &c->ref, err));
        }
    }
    return TML_OK;
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
