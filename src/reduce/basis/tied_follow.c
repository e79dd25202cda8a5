/* reduce/basis/tied_follow.c - which freedoms of a part follow from others: those of rigid spiders and of relations of the mesh. */
#include "reduce/basis/tied_follow.h"

#include "math/vec3.h"
#include "reduce/basis/spider.h"

#include <math.h>

/* Freedoms of a node in a rigid spider (IF1). */
static TmlStatus follow_frame(const TmlTied *t, TmlFollow *out, int node, int f, TmlError *err)
{
    const TmlFeMatrices *fe = t->fe;
    const TmlVec3 r = v3_sub(fe->x[node], t->frame[f].of->at);
    for (int i = 0; fe->first[node] + i < fe->first[node + 1]; ++i) {
        double row[6], x[6];
        int at[6], n = 0;
        tml_spider_row(r, i, row);
        for (int c = 0; c < 6; ++c) {
            at[n] = fe->n + 6 * f + c;
            x[n] = row[c];
            n += row[c] != 0.0;
        }
        TML_TRY(tml_follow_add(out, fe->first[node] + i, n, at, x, err));
    }
    return TML_OK;
}

/* Half the diagonal of the box around the nodes. */
static double reach_of(const TmlFeMatrices *fe)
{
    TmlVec3 low = fe->x[0], high = fe->x[0];
    for (int k = 1; k < fe->n_nodes; ++k) {
        const TmlVec3 x = fe->x[k];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    const double reach = 0.5 * v3_norm(v3_sub(high, low));
    return reach > 0.0 ? reach : 1.0; // that it has no extent is told when it is weighed
}

/* Rigid motion satisfies a relation of the mesh, else the part would be held. */
static TmlStatus check_relation(const TmlFeMatrices *fe, const TmlFeRelation *r, double reach,
                                TmlError *err)
{
    static const char *const motion[6] = {"along x", "along y", "along z",
                                          "about x", "about y", "about z"};
    static const double digits = 1e-5; // of the numbers in a file
    const TmlFeTerm *term = fe->mesh->term + r->first;
    double sum[6] = {0}, most = 0.0;
    for (int k = 0; k < r->n; ++k) {
        double row[6];
        tml_spider_row(v3_sub(fe->x[term[k].node], fe->x[term[0].node]), term[k].freedom, row);
        most = fmax(most, fabs(term[k].factor) / (term[k].freedom < 3 ? 1.0 : reach));
        for (int c = 0; c < 6; ++c) {
            sum[c] += term[k].factor * row[c];
        }
    }
    for (int c = 0; c < 6; ++c) {
        if (fabs(sum[c]) > digits * most * (c < 3 ? 1.0 : reach)) {
            return tml_fail(err, TML_E_MODEL,
                            "it resists rigid motion %s, so that it would hold the part: supports "
                            "belong into the "
                            "model, and nodes that are tied to each other into one place",
                            motion[c]);
        }
    }
    return TML_OK;
}

static TmlStatus follow_relation(const TmlFeMatrices *fe, const TmlFeRelation *r, double reach,
                                 const double *weight, TmlArena *scratch, TmlFollow *out,
                                 TmlError *err)
{
    const TmlFeTerm *term = fe->mesh->term + r->first;
    int *at;
    double *x;
    TML_TRY(check_relation(fe, r, reach, err));
    TML_NEW(scratch, at, r->n);
    TML_NEW(scratch, x, r->n);
    for (int k = 0; k < r->n; ++k) {
        at[k] = fe->first[term[k].node] + term[k].freedom;
        x[k] = term[k].factor;
    }
    return tml_follow_relation(out, r->n, at, x, weight, err);
}

static TmlStatus follow_relations(const TmlFeMatrices *fe, double reach, const double *weight,
                                  TmlArena *scratch, TmlFollow *out, TmlError *err)
{
    const TmlFeMesh *mesh = fe->mesh;
    for (int k = 0; mesh != NULL && k < mesh->n_relations; ++k) {
        const TmlFeRelation *r = &mesh->relation[k];
        const TmlStatus status = follow_relation(fe, r, reach, weight, scratch, out, err);
        if (status == TML_E_MODEL) {
            return tml_fail_ctx(err, status, "%s:%d: *%s", mesh->file, r->line, r->keyword);
        }
        TML_TRY(status);
    }
    return TML_OK;
}

/* A node that moves as an average does (IF2). */
static TmlStatus follow_average(const TmlFeMatrices *fe, const TmlInterface *i, double reach,
                                const double *weight, TmlArena *scratch, TmlFollow *out,
                                TmlError *err)
{
    const int own = fe->first[i->follower], count = fe->first[i->follower + 1] - own;
    const TmlVec3 off = v3_sub(fe->x[i->follower], i->at);
    double *rows, *x;
    int *at;
    if (v3_norm(off) > 1e-9 * reach) { // both come from one node of the file
        return tml_fail(err, TML_E_MODEL, "interface '%s': its frame is not at its node", i->name);
    }
    TML_NEW(scratch, rows, 6 * (size_t)fe->n);
    TML_NEW(scratch, at, 3 * (size_t)i->n + 1);
    TML_NEW(scratch, x, 3 * (size_t)i->n + 1);
    TML_TRY(tml_spider_average(fe, i, rows, err));
    for (int c = 0; c < count; ++c) {
        int n = 1;
        at[0] = own + c;
        x[0] = -1.0;
        for (int k = 0; k < i->n; ++k) {
            for (int a = 0; a < 3; ++a, ++n) {
                at[n] = fe->first[i->node[k]] + a;
                x[n] = rows[(size_t)c * (size_t)fe->n + (size_t)at[n]];
            }
        }
        TML_TRY(tml_follow_relation(out, n, at, x, weight, err));
    }
    return TML_OK;
}

/* What makes factors of freedoms comparable. */
static TmlStatus weigh_freedoms(const TmlFeMatrices *fe, const TmlFollow *f, double reach,
                                TmlArena *scratch, double **out, TmlError *err)
{
    double *weight;
    TML_NEW(scratch, weight, f->n + 1);
    for (int i = 0; i < f->n; ++i) {
        weight[i] = i >= fe->n && (i - fe->n) % 6 > 2 ? 1.0 / reach : 1.0;
    }
    for (int k = 0; k < fe->n_nodes; ++k) {
        for (int i = fe->first[k] + 3; i < fe->first[k + 1]; ++i) {
            weight[i] = 1.0 / reach;
        }
    }
    *out = weight;
    return TML_OK;
}

static TmlStatus follow_others(const TmlTied *t, TmlArena *scratch, TmlFollow *out, TmlError *err)
{
    const TmlFeMatrices *fe = t->fe;
    const double reach = reach_of(fe);
    double *weight = NULL;
    TML_TRY(weigh_freedoms(fe, out, reach, scratch, &weight, err));
    TML_TRY(follow_relations(fe, reach, weight, scratch, out, err));
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlInterface *i = t->frame[f].of;
        if (i->tie == TML_TIE_AVERAGE && i->follows) {
            TML_TRY(follow_average(fe, i, reach, weight, scratch, out, err));
        }
    }
    return TML_OK;
}

/* Frames and the nodes that are interfaces do not follow from others. */
TmlStatus tml_tied_follow(const TmlTied *t, const int *owner, TmlFollow *out, TmlError *err)
{
    const TmlFeMatrices *fe = t->fe;
    TmlArena scratch = {0};
    TML_TRY(tml_follow_create(fe->n + 6 * t->n_frames, out, err));
    for (int i = fe->n; i < out->n; ++i) {
        out->kept[i] = true;
    }
    for (int k = 0; k < fe->n_nodes; ++k) {
        const int f = owner[k];
        if (f >= 0 && t->frame[f].of->tie == TML_TIE_RIGID) {
            TML_TRY(follow_frame(t, out, k, f, err));
        }
        for (int i = fe->first[k]; i < fe->first[k + 1]; ++i) {
            out->kept[i] = f >= 0;
        }
    }
    const TmlStatus status = follow_others(t, &scratch, out, err);
    tml_arena_free(&scratch);
    TML_TRY(status);
    return tml_follow_resolve(out, err);
}
