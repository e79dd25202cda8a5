/* reduce/mesh/fe_check.c - what can be wrong with a mesh before its matrices are made. */
#include "reduce/mesh/assemble.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* --- elements ------------------------------------------------------------------------------ */

static TmlStatus check_material(const TmlFeMaterial *m, TmlError *err)
{
    if (!(m->young > 0.0) || !isfinite(m->young)) {
        return tml_fail(err, TML_E_MODEL,
                        isnan(m->young) ? "material '%s' has no modulus of elasticity"
                                        : "material '%s': the modulus of elasticity must be "
                                          "positive",
                        m->name);
    }
    if (!(m->poisson > -1.0 && m->poisson < 0.5)) {
        return tml_fail(err, TML_E_MODEL,
                        isnan(m->poisson) ? "material '%s' has no Poisson's ratio"
                                          : "material '%s': Poisson's ratio must lie between -1 "
                                            "and 0.5",
                        m->name);
    }
    if (!(m->density > 0.0) || !isfinite(m->density)) {
        return tml_fail(err, TML_E_MODEL,
                        isnan(m->density) ? "material '%s' has no density"
                                          : "material '%s': the density must be positive",
                        m->name);
    }
    return TML_OK;
}

static TmlStatus check_element(const TmlFeMesh *mesh, int k, TmlError *err)
{
    TmlFeOne one;
    tml_fe_one(mesh, k, TML_FE_MASS_EXACT, &one);
    if (one.type->bare) {
        return one.type->check(&one, err);
    }
    if (one.element->material < 0) {
        return tml_fail(err, TML_E_MODEL, "has no material");
    }
    if (one.type->n_freedoms == 6 && one.element->section < 0) {
        return tml_fail(err, TML_E_MODEL,
                        one.type->n_faces == 1 ? "has no section: a description of the part gives "
                                                 "shells a 'thickness'"
                                               : "has no section");
    }
    TML_TRY(check_material(&one.material, err));
    return one.type->check(&one, err);
}

TmlStatus tml_fe_check(const TmlFeMesh *mesh, TmlError *err)
{
    const char *file = mesh->file != NULL ? mesh->file : "mesh";
    if (mesh->n_elements == 0) {
        return tml_fail(err, TML_E_MODEL, "%s: has no elements that can be used", file);
    }
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlStatus status = check_element(mesh, k, err);
        const TmlFeElement *e = &mesh->element[k];
        if (status != TML_OK && e->line > 0) {
            return tml_fail_ctx(err, status, "%s:%d: element %" PRId64 " (%s)", file, e->line,
                                e->id, e->type->name);
        }
        if (status != TML_OK) {
            return tml_fail_ctx(err, status, "%s: element %" PRId64 " (%s)", file, e->id,
                                e->type->name);
        }
    }
    return TML_OK;
}

/* --- pieces -------------------------------------------------------------------------------- */

static int root_of(int *parent, int k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static void join(int *parent, int a, int b)
{
    const int p = root_of(parent, a), q = root_of(parent, b);
    parent[p > q ? p : q] = p > q ? q : p;
}

static void join_all(const TmlFeMesh *mesh, int n_ties, const TmlFeSet *ties, int *parent)
{
    for (int k = 0; k < mesh->n_nodes; ++k) {
        parent[k] = k;
    }
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        for (int i = 1; i < e->type->n_nodes; ++i) {
            join(parent, mesh->node[e->first], mesh->node[e->first + i]);
        }
    }
    for (int k = 0; k < n_ties; ++k) {
        for (int i = 1; i < ties[k].n; ++i) {
            join(parent, ties[k].at[0], ties[k].at[i]);
        }
    }
    for (int k = 0; k < mesh->n_relations; ++k) {
        const TmlFeTerm *term = mesh->term + mesh->relation[k].first;
        for (int i = 1; i < mesh->relation[k].n; ++i) {
            join(parent, term[0].node, term[i].node);
        }
    }
}

/* Tells of the piece with the fewest elements: its first element, and one of its nodes. */
static TmlStatus tell_pieces(const TmlFeMesh *mesh, int pieces, int *parent, const int *count,
                             TmlError *err)
{
    int least = -1;
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (count[k] > 0 && (least < 0 || count[k] < count[least])) {
            least = k;
        }
    }
    int k = 0;
    while (root_of(parent, mesh->node[mesh->element[k].first]) != least) {
        ++k;
    }
    const TmlFeElement *e = &mesh->element[k];
    return tml_fail(
        err, TML_E_MODEL,
        "%s: the mesh is in %d pieces that share no node; the smallest has %d element%s: "
        "element %" PRId64 " at node %" PRId64 "%s",
        mesh->file != NULL ? mesh->file : "mesh", pieces, count[least],
        count[least] == 1 ? "" : "s", e->id, mesh->id[mesh->node[e->first]],
        count[least] == 1 ? "" : " and others");
}

static TmlStatus count_pieces(const TmlFeMesh *mesh, int n_ties, const TmlFeSet *ties,
                              TmlArena *scratch, TmlError *err)
{
    int *parent, *count, pieces = 0;
    TML_NEW(scratch, parent, mesh->n_nodes);
    TML_NEW(scratch, count, mesh->n_nodes); // elements of the piece with this root
    join_all(mesh, n_ties, ties, parent);
    for (int k = 0; k < mesh->n_elements; ++k) {
        pieces += count[root_of(parent, mesh->node[mesh->element[k].first])]++ == 0;
    }
    return pieces > 1 ? tell_pieces(mesh, pieces, parent, count, err) : TML_OK;
}

TmlStatus tml_fe_check_pieces(const TmlFeMesh *mesh, int n_ties, const TmlFeSet *ties,
                              TmlError *err)
{
    TmlArena scratch = {0};
    const TmlStatus status = count_pieces(mesh, n_ties, ties, &scratch, err);
    tml_arena_free(&scratch);
    return status;
}
