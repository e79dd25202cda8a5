/* io/part/inp/inp_relation.c - *EQUATION and *MPC of Abaqus and CalculiX files as linear relations of freedoms.
 *
 * With r from node b to node a, u displacements and t rotations:
 *
 *     BEAM       u_a = u_b + t_b x r,  t_a = t_b        TIE   u_a = u_b,  t_a = t_b       PIN   u_a = u_b
 *     LINK       (u_a - u_b) . r = 0: the distance stays, for small motion
 *     LINEAR     u_a on the line of b and c             QUADRATIC   u_a on the parabola of b, c and d
 *
 * Rotations count where an element gives them to a node, or where a BEAM turns about it.
 */
#include "io/part/inp/inp.h"

#include "math/vec3.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- reading ------------------------------------------------------------------------------------- */

TmlStatus tml_inp_add_term(TmlInpReader *r, const TmlInpTerm *term, TmlError *err)
{
    if (!tml_mem_grow((void **)&r->term, &r->cap_terms, r->n_terms + 1, sizeof *r->term)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for ties");
    }
    r->term[r->n_terms++] = *term;
    return tml_inp_point_nodes(r, &term->of, err);
}

TmlStatus tml_inp_add_tie(TmlInpReader *r, const TmlInpTie *tie, TmlError *err)
{
    if (!tml_mem_grow((void **)&r->tie, &r->cap_ties, r->n_ties + 1, sizeof *r->tie)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for ties");
    }
    r->tie[r->n_ties] = *tie;
    r->tie[r->n_ties].first = r->n_terms;
    r->tie[r->n_ties++].line = r->source[r->depth - 1].line;
    return TML_OK;
}

TmlStatus tml_inp_equation(TmlInpReader *r, TmlError *err)
{
    if (tml_inp_value(r, "INPUT") != NULL) {
        return tml_inp_fail(r, err, "*EQUATION: INPUT is not read");
    }
    r->terms_left = 0;
    return TML_OK;
}

TmlStatus tml_inp_equation_end(TmlInpReader *r, TmlError *err)
{
    const int left = r->terms_left;
    r->terms_left = 0;
    return left == 0
               ? TML_OK
               : tml_inp_fail(r, err, "*EQUATION: %d terms are missing before this line", left);
}

/* The number of terms in a line of its own, then four terms a line: node, degree of freedom, factor. */
TmlStatus tml_inp_equation_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    int64_t n = 0;
    if (r->terms_left == 0) {
        const TmlInpTie tie = {.kind = TML_INP_EQUATION};
        TML_TRY(tml_inp_int(r, line->n > 0 ? line->item[0] : "", "the number of terms", &n, err));
        r->terms_left = n < 1000000 ? (int)n : 1000000;
        return tml_inp_add_tie(r, &tie, err);
    }
    const int items = line->n > 0 && line->item[line->n - 1][0] == '\0' ? line->n - 1 : line->n;
    if (items % 3 != 0 || items / 3 > r->terms_left) {
        return tml_inp_fail(r, err,
                            "*EQUATION: a term has a node, a degree of freedom and a factor; %d "
                            "terms are left",
                            r->terms_left);
    }
    for (int k = 0; k < items; k += 3) {
        TmlInpTerm term = {0};
        int64_t freedom = 0;
        tml_inp_name(r, line->item[k], &term.of);
        TML_TRY(tml_inp_int(r, line->item[k + 1], "the degree of freedom", &freedom, err));
        TML_TRY(tml_inp_real(r, line->item[k + 2], "a factor", &term.factor, err));
        if (freedom > 6) {
            return tml_inp_fail(r, err, "*EQUATION: degrees of freedom are 1 to 6");
        }
        term.freedom = (int)freedom - 1;
        TML_TRY(tml_inp_add_term(r, &term, err));
        r->tie[r->n_ties - 1].n++;
        r->terms_left--;
    }
    return TML_OK;
}

static const struct {
    const char *name;
    TmlInpTieKind kind;
    int n; /* nodes */
} mpcs[] = {{"BEAM", TML_INP_MPC_BEAM, 2},     {"TIE", TML_INP_MPC_TIE, 2},
            {"PIN", TML_INP_MPC_PIN, 2},       {"LINK", TML_INP_MPC_LINK, 2},
            {"LINEAR", TML_INP_MPC_LINEAR, 3}, {"QUADRATIC", TML_INP_MPC_QUADRATIC, 4}};

TmlStatus tml_inp_mpc(TmlInpReader *r, TmlError *err)
{
    if (r->now.n > 0) {
        return tml_inp_fail(r, err, "*MPC: %.30s is not read", r->now.key[0]);
    }
    return TML_OK;
}

TmlStatus tml_inp_mpc_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    const size_t count = sizeof mpcs / sizeof mpcs[0];
    const int items = line->n > 0 && line->item[line->n - 1][0] == '\0' ? line->n - 1 : line->n;
    size_t k = 0;
    while (k < count && (items == 0 || strcasecmp(mpcs[k].name, line->item[0]) != 0)) {
        ++k;
    }
    if (k == count) {
        return tml_inp_fail(r, err,
                            "*MPC: the type '%.30s' is not read; known are BEAM, TIE, PIN, LINK, "
                            "LINEAR and QUADRATIC",
                            items > 0 ? line->item[0] : "");
    }
    if (items != mpcs[k].n + 1) {
        return tml_inp_fail(r, err, "*MPC: %s has %d nodes", mpcs[k].name, mpcs[k].n);
    }
    const TmlInpTie tie = {.kind = mpcs[k].kind, .n = mpcs[k].n};
    TML_TRY(tml_inp_add_tie(r, &tie, err));
    for (int i = 1; i < items; ++i) {
        TmlInpTerm term = {0};
        tml_inp_name(r, line->item[i], &term.of);
        TML_TRY(tml_inp_add_term(r, &term, err));
    }
    return TML_OK;
}

/* --- relations of the mesh ----------------------------------------------------------------------- */

TmlStatus tml_inp_begin_relation(TmlInpReader *r, TmlInpWho who, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    if (!tml_mem_grow((void **)&r->relation, &r->cap_relations, mesh->n_relations + 1,
                      sizeof *r->relation)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for ties");
    }
    r->relation[mesh->n_relations++] =
        (TmlFeRelation){.keyword = who.keyword, .first = mesh->n_terms, .line = who.line};
    return TML_OK;
}

TmlStatus tml_inp_relation_term(TmlInpReader *r, int node, int freedom, double factor,
                                TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    if (factor == 0.0) {
        return TML_OK;
    }
    if (!tml_mem_grow((void **)&r->fe_term, &r->cap_fe_terms, mesh->n_terms + 1,
                      sizeof *r->fe_term)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for ties");
    }
    r->fe_term[mesh->n_terms++] = (TmlFeTerm){node, freedom, factor};
    r->relation[mesh->n_relations - 1].n++;
    return TML_OK;
}

static const TmlInpWho equation = {.keyword = "EQUATION"}, mpc = {.keyword = "MPC"};

static TmlInpWho who_is(const TmlInpTie *tie)
{
    TmlInpWho who = tie->kind == TML_INP_EQUATION ? equation : mpc;
    who.line = tie->line;
    return who;
}

/* The first term may name several nodes: each has the relation. */
static TmlStatus resolve_equation(TmlInpReader *r, const TmlInpTie *tie, TmlError *err)
{
    const TmlInpWho who = who_is(tie);
    const TmlInpTerm *term = r->term + tie->first;
    const int *firsts;
    int count = 0;
    if (r->transformed) {
        return tml_inp_who_fail(r, who, err,
                                "it might be in axes of a *TRANSFORM, which is not read: "
                                "write it in global axes",
                                "");
    }
    TML_TRY(tml_inp_nodes_of(r, who, &term[0].of, &count, &firsts, err));
    for (int m = 0; m < count; ++m) {
        TML_TRY(tml_inp_begin_relation(r, who, err));
        for (int k = 0; k < tie->n; ++k) {
            const int *node = NULL;
            int n = 0;
            TML_TRY(tml_inp_nodes_of(r, who, &term[k].of, &n, &node, err));
            if (k > 0 && n != 1) {
                return tml_inp_who_fail(r, who, err,
                                        "only the first term may have a set of several "
                                        "nodes, whose order is not known: here it is",
                                        term[k].of.text);
            }
            TML_TRY(tml_inp_relation_term(r, k == 0 ? firsts[m] : node[0], term[k].freedom,
                                          term[k].factor, err));
        }
    }
    return TML_OK;
}

/* u_a = u_b + t_b x r, freedom c of a; then also of rotations where turns is set. */
static TmlStatus rigid_relation(TmlInpReader *r, TmlInpWho who, int a, int b, int c, TmlVec3 arm,
                                TmlError *err)
{
    const double skew[3][3] = {{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}};
    TML_TRY(tml_inp_begin_relation(r, who, err));
    TML_TRY(tml_inp_relation_term(r, a, c, -1.0, err));
    TML_TRY(tml_inp_relation_term(r, b, c, 1.0, err));
    for (int k = 0; k < 3 && c < 3; ++k) {
        TML_TRY(tml_inp_relation_term(r, b, 3 + k, skew[c][k], err));
    }
    return TML_OK;
}

TmlStatus tml_inp_follow(TmlInpReader *r, TmlInpWho who, int a, int b, int i, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    return rigid_relation(r, who, a, b, i, v3_sub(mesh->x[a], mesh->x[b]), err);
}

static TmlStatus resolve_link(TmlInpReader *r, TmlInpWho who, int a, int b, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlVec3 d = v3_sub(mesh->x[a], mesh->x[b]);
    const double c[3] = {d.x, d.y, d.z};
    int most = 0;
    for (int k = 1; k < 3; ++k) {
        most = fabs(c[k]) > fabs(c[most]) ? k : most;
    }
    if (c[most] == 0.0) {
        return tml_inp_who_fail(r, who, err, "LINK: both nodes are in one place", "");
    }
    TML_TRY(tml_inp_begin_relation(r, who, err));
    for (int k = 0; k < 3; ++k) { // the largest one first: it follows
        const int at = (most + k) % 3;
        TML_TRY(tml_inp_relation_term(r, a, at, c[at] / c[most], err));
        TML_TRY(tml_inp_relation_term(r, b, at, -c[at] / c[most], err));
    }
    return TML_OK;
}

static TmlStatus resolve_pair(TmlInpReader *r, const TmlInpTie *tie, const bool *turns, int a,
                              int b, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlInpWho who = who_is(tie);
    const TmlVec3 arm =
        tie->kind == TML_INP_MPC_BEAM ? v3_sub(mesh->x[a], mesh->x[b]) : v3(0, 0, 0);
    if (a == b) {
        return TML_OK;
    }
    if (tie->kind == TML_INP_MPC_LINK) {
        return resolve_link(r, who, a, b, err);
    }
    const bool rotations = tie->kind != TML_INP_MPC_PIN && turns[a] && turns[b];
    for (int c = 0; c < (rotations ? 6 : 3); ++c) {
        TML_TRY(rigid_relation(r, who, a, b, c, arm, err));
    }
    return TML_OK;
}

/* Where a lies between the others, from -1 to 1, and their weights there. */
static TmlStatus resolve_between(TmlInpReader *r, const TmlInpTie *tie, const int *node,
                                 TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    const int n = tie->n - 1;
    const TmlVec3 begin = mesh->x[node[1]], end = mesh->x[node[n]];
    const TmlVec3 along = v3_sub(end, begin);
    const double length2 = v3_dot(along, along);
    const double s =
        length2 > 0.0 ? 2.0 * v3_dot(v3_sub(mesh->x[node[0]], begin), along) / length2 - 1.0 : 0.0;
    const double linear[2] = {0.5 * (1.0 - s), 0.5 * (1.0 + s)};
    const double quadratic[3] = {0.5 * s * (s - 1.0), 1.0 - s * s, 0.5 * s * (s + 1.0)};
    for (int c = 0; c < 3; ++c) {
        TML_TRY(tml_inp_begin_relation(r, who_is(tie), err));
        TML_TRY(tml_inp_relation_term(r, node[0], c, -1.0, err));
        for (int k = 0; k < n; ++k) {
            TML_TRY(
                tml_inp_relation_term(r, node[1 + k], c, n == 2 ? linear[k] : quadratic[k], err));
        }
    }
    return TML_OK;
}

/* The first name may be a set, each of whose nodes is tied. */
static TmlStatus resolve_mpc(TmlInpReader *r, const TmlInpTie *tie, const bool *turns,
                             TmlError *err)
{
    const TmlInpWho who = who_is(tie);
    const int *firsts;
    int count = 0, node[4] = {0};
    TML_TRY(tml_inp_nodes_of(r, who, &r->term[tie->first].of, &count, &firsts, err));
    for (int k = 1; k < tie->n; ++k) {
        const TmlInpName *name = &r->term[tie->first + k].of;
        const int *at = NULL;
        int n = 0;
        TML_TRY(tml_inp_nodes_of(r, who, name, &n, &at, err));
        if (n != 1) {
            return tml_inp_who_fail(r, who, err,
                                    "only the first name may be a set of several nodes: here it is",
                                    name->text);
        }
        node[k] = at[0];
    }
    for (int m = 0; m < count; ++m) {
        node[0] = firsts[m];
        TML_TRY(tie->n > 2 ? resolve_between(r, tie, node, err)
                           : resolve_pair(r, tie, turns, node[0], node[1], err));
    }
    return TML_OK;
}

/* --- who turns ----------------------------------------------------------------------------------- */

void tml_inp_turning(const TmlFeMesh *mesh, bool *turns)
{
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        for (int i = 0; i < e->type->n_nodes && e->type->n_freedoms == 6; ++i) {
            turns[mesh->node[e->first + i]] = true;
        }
    }
}

/* Nodes about which a BEAM turns others, or of which one follows that turns; again until no other is found. */
static TmlStatus turn_about(TmlInpReader *r, bool *turns, bool *more, TmlError *err)
{
    *more = false;
    for (int k = 0; k < r->n_ties; ++k) {
        const TmlInpTie *tie = &r->tie[k];
        if (tie->kind == TML_INP_EQUATION) {
            for (int i = 0; i < tie->n; ++i) {
                const TmlInpTerm *term = &r->term[tie->first + i];
                const int *at = NULL;
                int n = 0;
                TML_TRY(tml_inp_nodes_of(r, who_is(tie), &term->of, &n, &at, err));
                for (int m = 0; m < n && term->freedom > 2; ++m) {
                    *more = *more || !turns[at[m]];
                    turns[at[m]] = true;
                }
            }
        }
        if (tie->kind != TML_INP_MPC_BEAM) {
            continue;
        }
        const int *a = NULL, *b = NULL;
        int n_a = 0, n_b = 0;
        TML_TRY(tml_inp_nodes_of(r, who_is(tie), &r->term[tie->first].of, &n_a, &a, err));
        TML_TRY(tml_inp_nodes_of(r, who_is(tie), &r->term[tie->first + 1].of, &n_b, &b, err));
        for (int i = 0; i < n_a && n_b > 0; ++i) {
            const TmlVec3 arm = v3_sub(r->build.mesh->x[a[i]], r->build.mesh->x[b[0]]);
            if (!turns[b[0]] && (turns[a[i]] || v3_norm(arm) > 0.0)) {
                turns[b[0]] = true;
                *more = true;
            }
        }
    }
    return TML_OK;
}

/* --- all ----------------------------------------------------------------------------------------- */

static TmlStatus resolve_all(TmlInpReader *r, TmlError *err)
{
    const TmlFeMesh *mesh = r->build.mesh;
    bool *turns, *tied, more = true;
    TML_NEW(&r->scratch, turns, mesh->n_nodes + 1);
    TML_NEW(&r->scratch, tied, mesh->n_nodes + 1);
    tml_inp_turning(mesh, turns);
    while (more) {
        TML_TRY(turn_about(r, turns, &more, err));
    }
    for (int k = 0; k < r->n_ties; ++k) {
        const TmlInpTie *tie = &r->tie[k];
        TML_TRY(tie->kind == TML_INP_EQUATION ? resolve_equation(r, tie, err)
                : tie->kind == TML_INP_TIE    ? tml_inp_resolve_tie(r, tie, turns, tied, err)
                                              : resolve_mpc(r, tie, turns, err));
    }
    return TML_OK;
}

TmlStatus tml_inp_relations(TmlInpReader *r, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    if (r->n_ties > 0) {
        TML_TRY(resolve_all(r, err));
    }
    TML_NEW(&mesh->arena, mesh->relation, mesh->n_relations + 1);
    TML_NEW(&mesh->arena, mesh->term, mesh->n_terms + 1);
    if (mesh->n_relations > 0) {
        memcpy(mesh->relation, r->relation, (size_t)mesh->n_relations * sizeof *r->relation);
    }
    if (mesh->n_terms > 0) {
        memcpy(mesh->term, r->fe_term, (size_t)mesh->n_terms * sizeof *r->fe_term);
    }
    return TML_OK;
}
