/* reduce/basis/tied.c - interfaces: nodes tied to frames, and the matrices that are left. */
#include "reduce/basis/tied.h"

#include "math/dense.h"
#include "math/vec3.h"
#include "reduce/basis/spider.h"
#include "reduce/basis/tied_follow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Who owns a node's freedoms: a rigid spider, or nobody (-1). */
typedef struct Ties {
    TmlTied *t;
    bool loose; /* pieces do not matter */
    int *owner; /* fe->n_nodes */
    int *
        where; /* fe->n, then six of each frame: freedom in q of one that is free; -1: it follows from others */
    TmlFollow follow; /* of these */
    int n, cap;
    int *row, *col; /* n: entries */
    double *x;
} Ties;

static TmlStatus add_entry(Ties *w, int row, int col, double x, TmlError *err)
{
    int caps[3] = {w->cap, w->cap, w->cap};
    if (!tml_mem_grow((void **)&w->row, &caps[0], w->n + 1, sizeof *w->row) ||
        !tml_mem_grow((void **)&w->col, &caps[1], w->n + 1, sizeof *w->col) ||
        !tml_mem_grow((void **)&w->x, &caps[2], w->n + 1, sizeof *w->x)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d entries of a matrix", w->n);
    }
    w->cap = caps[2];
    w->row[w->n] = row;
    w->col[w->n] = col;
    w->x[w->n++] = x;
    return TML_OK;
}

static int freedoms(const TmlFeMatrices *fe, int node)
{
    return fe->first[node + 1] - fe->first[node];
}

/* --- who is tied to whom ------------------------------------------------------------------------ */

static TmlStatus own_nodes(Ties *w, TmlError *err)
{
    const TmlTied *t = w->t;
    for (int k = 0; k < t->fe->n_nodes; ++k) {
        w->owner[k] = -1;
    }
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlInterface *i = t->frame[f].of;
        for (int k = 0; k < i->n && i->tie != TML_TIE_AVERAGE; ++k) {
            const int other = w->owner[i->node[k]];
            if (other >= 0 && other != f) {
                return tml_fail(
                    err, TML_E_MODEL, "interface '%s': node %lld is held by interface '%s' already",
                    i->name, (long long)t->fe->id[i->node[k]], t->frame[other].of->name);
            }
            w->owner[i->node[k]] = f;
        }
    }
    return TML_OK;
}

/* --- what is left --------------------------------------------------------------------------------- */

/* Numbers the freedoms that are left: free nodes in their order, then rigid frames. */
static void number_freedoms(Ties *w)
{
    TmlTied *t = w->t;
    for (int k = 0; k < t->fe->n_nodes; ++k) {
        const int f = w->owner[k];
        if (f >= 0 && t->frame[f].of->tie == TML_TIE_NODE) {
            t->frame[f].at = t->n;
        }
        for (int i = t->fe->first[k]; i < t->fe->first[k + 1]; ++i) {
            w->where[i] = w->follow.first[i] < 0 ? t->n++ : -1;
        }
    }
    for (int f = 0; f < t->n_frames; ++f) {
        TmlTiedFrame *frame = &t->frame[f];
        frame->count = frame->of->tie == TML_TIE_NODE ? freedoms(t->fe, frame->of->node[0]) : 6;
        frame->first = t->n_motions;
        t->n_motions += frame->count;
        if (frame->of->tie == TML_TIE_RIGID) {
            frame->at = t->n;
            for (int c = 0; c < 6; ++c) {
                w->where[t->fe->n + 6 * f + c] = t->n++;
            }
        } else if (frame->of->tie == TML_TIE_AVERAGE) {
            frame->row = t->n_rows;
            t->n_rows += 6;
        }
    }
}

/* Columns of T^T: how the freedoms of nodes follow from q. */
static TmlStatus tie_all(Ties *w, TmlError *err)
{
    TmlTied *t = w->t;
    const TmlFollow *f = &w->follow;
    for (int i = 0; i < t->fe->n; ++i) {
        if (f->first[i] < 0) {
            TML_TRY(add_entry(w, w->where[i], i, 1.0, err));
        }
        for (int p = f->first[i]; p >= 0 && p < f->first[i] + f->count[i]; ++p) {
            TML_TRY(add_entry(w, w->where[f->at[p]], i, f->x[p], err));
        }
    }
    t->where = w->where;
    return tml_csc_triplets(t->n, t->fe->n, w->n, w->row, w->col, w->x, &t->arena, &t->Tt, err);
}

/* --- matrices ----------------------------------------------------------------------------------- */

/* Entries of the lower triangle of T^T A T, column by column, as they come. */
typedef struct Columns {
    const TmlCsc *Tt;
    TmlCsc *to;
    int *next; /* to->cols: entries so far, or where the next one goes */
} Columns;

/* What one entry of the full matrix adds; to->row NULL: it is only counted. */
static void spread(Columns *c, int i, int j, double x)
{
    const TmlCsc *Tt = c->Tt;
    for (int a = Tt->start[i]; a < Tt->start[i + 1]; ++a) {
        for (int b = Tt->start[j]; b < Tt->start[j + 1]; ++b) {
            if (Tt->row[a] < Tt->row[b]) {
                continue;
            }
            const int at = c->next[Tt->row[b]]++;
            if (c->to->row != NULL) {
                c->to->row[at] = Tt->row[a];
                c->to->x[at] = Tt->x[a] * Tt->x[b] * x;
            }
        }
    }
}

static void spread_all(Columns *c, const TmlCsc *A)
{
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            spread(c, A->row[p], j, A->x[p]);
            if (A->row[p] != j) {
                spread(c, j, A->row[p], A->x[p]);
            }
        }
    }
}

typedef struct Entry {
    int row;
    double x;
} Entry;

static int by_row(const void *a, const void *b)
{
    return ((const Entry *)a)->row - ((const Entry *)b)->row;
}

/* Rows of one column in order, those of one place added up. Returns how many are left; list: room for
 * n. Most columns are in order already. */
static int merge_column(int n, int *row, double *x, Entry *list)
{
    bool ordered = true;
    for (int k = 1; k < n && ordered; ++k) {
        ordered = row[k] > row[k - 1];
    }
    if (ordered) {
        return n;
    }
    for (int k = 0; k < n; ++k) {
        list[k] = (Entry){row[k], x[k]};
    }
    qsort(list, (size_t)n, sizeof *list, by_row);
    int left = 0;
    for (int k = 0; k < n; ++k) {
        if (left > 0 && row[left - 1] == list[k].row) {
            x[left - 1] += list[k].x;
        } else {
            row[left] = list[k].row;
            x[left++] = list[k].x;
        }
    }
    return left;
}

/* Columns are merged in place, and close up. */
static TmlStatus merge_columns(TmlCsc *A, TmlError *err)
{
    int longest = 0, end = 0;
    for (int j = 0; j < A->cols; ++j) {
        const int n = A->start[j + 1] - A->start[j];
        longest = n > longest ? n : longest;
    }
    Entry *list = tml_mem_zalloc((size_t)longest + 1, sizeof *list);
    if (list == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a column of %d entries", longest);
    }
    for (int j = 0; j < A->cols; ++j) {
        const int from = A->start[j];
        const int n = merge_column(A->start[j + 1] - from, A->row + from, A->x + from, list);
        memmove(A->row + end, A->row + from, (size_t)n * sizeof *A->row);
        memmove(A->x + end, A->x + from, (size_t)n * sizeof *A->x);
        A->start[j] = end;
        end += n;
    }
    A->start[A->cols] = end;
    tml_mem_free(list);
    return TML_OK;
}

/* T^T A T: entries are counted, put into their columns, and merged there. */
static TmlStatus tie_matrix(Ties *w, const TmlCsc *A, TmlCsc *out, TmlError *err)
{
    TmlArena *arena = &w->t->arena;
    const int n = w->t->n;
    *out = (TmlCsc){.rows = n, .cols = n};
    Columns c = {.Tt = &w->t->Tt, .to = out};
    TML_NEW(arena, out->start, n + 1);
    TML_NEW(arena, c.next, n + 1);
    spread_all(&c, A);
    int64_t entries = 0;
    for (int j = 0; j < n; ++j) {
        out->start[j] = (int)entries;
        entries += c.next[j];
        c.next[j] = out->start[j];
    }
    if (entries > INT_MAX) {
        return tml_fail(err, TML_E_NOMEM, "%lld entries are more than a matrix can have",
                        (long long)entries);
    }
    out->start[n] = (int)entries;
    TML_NEW(arena, out->row, entries);
    TML_NEW(arena, out->x, entries);
    spread_all(&c, A);
    return merge_columns(out, err);
}

/* --- averages ----------------------------------------------------------------------------------- */

static TmlStatus average_rows(TmlTied *t, const TmlTiedFrame *frame, TmlError *err)
{
    TmlArena scratch = {0};
    double *full = tml_arena_alloc(&scratch, 6 * (size_t)t->fe->n, sizeof *full);
    TmlStatus status = full != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status == TML_OK) {
        status = tml_spider_average(t->fe, frame->of, full, err);
    }
    for (int c = 0; c < 6 && status == TML_OK; ++c) {
        tml_csc_mul(&t->Tt, full + (size_t)c * (size_t)t->fe->n,
                    t->D + (size_t)(frame->row + c) * (size_t)t->n);
    }
    tml_arena_free(&scratch);
    return status;
}

static TmlStatus averages(TmlTied *t, TmlError *err)
{
    TML_NEW(&t->arena, t->D, (size_t)t->n * (size_t)t->n_rows);
    for (int f = 0; f < t->n_frames; ++f) {
        if (t->frame[f].row >= 0) {
            TML_TRY(average_rows(t, &t->frame[f], err));
        }
    }
    return TML_OK;
}

/* --- rigid motion and mass ---------------------------------------------------------------------- */

/* Rigid motion about a point, of q. */
static void rigid_motion(const Ties *w, TmlVec3 about)
{
    TmlTied *t = w->t;
    const size_t n = (size_t)t->n;
    memset(t->R, 0, 6 * n * sizeof *t->R);
    for (int k = 0; k < t->fe->n_nodes; ++k) {
        for (int i = 0; i < freedoms(t->fe, k); ++i) {
            const int at = w->where[t->fe->first[k] + i];
            double row[6];
            tml_spider_row(v3_sub(t->fe->x[k], about), i, row);
            for (int c = 0; c < 6 && at >= 0; ++c) {
                t->R[(size_t)c * n + (size_t)at] = row[c];
            }
        }
    }
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlTiedFrame *frame = &t->frame[f];
        for (int i = 0; i < 6 && frame->of->tie == TML_TIE_RIGID; ++i) {
            double row[6];
            tml_spider_row(v3_sub(frame->of->at, about), i, row);
            for (int c = 0; c < 6; ++c) {
                t->R[(size_t)c * n + (size_t)(frame->at + i)] = row[c];
            }
        }
    }
}

static void inertia_of(TmlTied *t)
{
    memset(t->MR, 0, 6 * (size_t)t->n * sizeof *t->MR);
    tml_csc_lower_mul(&t->M, 6, t->R, t->MR);
    tml_dense_mul(true, false, 6, 6, t->n, 1.0, t->R, t->MR, 0.0, t->inertia);
}

/* The centre of mass from the moments about the origin of the mesh, then all about it. */
static TmlStatus weigh(Ties *w, TmlError *err)
{
    TmlTied *t = w->t;
    TML_NEW(&t->arena, t->R, 6 * (size_t)t->n);
    TML_NEW(&t->arena, t->MR, 6 * (size_t)t->n);
    TmlVec3 about = v3(0, 0, 0);
    for (int k = 0; k < t->fe->n_nodes; ++k) { // near the part, so that no digits are lost
        about = v3_axpy(1.0 / t->fe->n_nodes, t->fe->x[k], about);
    }
    rigid_motion(w, about);
    inertia_of(t);
    const double *I = t->inertia;
    t->mass = (I[0] + I[7] + I[14]) / 3.0;
    if (!(t->mass > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "the mass of the part is %g kg", t->mass);
    }
    // the coupling of translation c and rotation is mass times the skew matrix of the centre
    t->centre = v3_axpy(
        0.5 / t->mass,
        v3(I[6 * 5 + 1] - I[6 * 4 + 2], I[6 * 3 + 2] - I[6 * 5 + 0], I[6 * 4 + 0] - I[6 * 3 + 1]),
        about);
    rigid_motion(w, t->centre);
    inertia_of(t);
    t->length = sqrt((I[21] + I[28] + I[35]) / (2.0 * t->mass));
    return t->length > 0.0 ? TML_OK
                           : tml_fail(err, TML_E_MODEL,
                                      "the part has no extent: all its nodes lie "
                                      "in one point");
}

/* --- pieces ------------------------------------------------------------------------------------- */

static int root_of(int *up, int i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* Freedoms that K couples, and those of one node or frame, belong to one piece. */
static void join_freedoms(const Ties *w, int *up)
{
    const TmlTied *t = w->t;
    for (int k = 0; k < t->fe->n_nodes; ++k) {
        int before = -1; // the free ones of a node
        for (int i = t->fe->first[k]; i < t->fe->first[k + 1]; ++i) {
            const int at = w->where[i];
            if (at >= 0 && before >= 0) {
                up[root_of(up, at)] = root_of(up, before);
            }
            before = at >= 0 ? at : before;
        }
    }
    for (int f = 0; f < t->n_frames; ++f) {
        for (int c = 1; c < t->frame[f].count && t->frame[f].at >= 0; ++c) {
            up[root_of(up, t->frame[f].at + c)] = root_of(up, t->frame[f].at);
        }
    }
    for (int j = 0; j < t->K.cols; ++j) {
        for (int p = t->K.start[j]; p < t->K.start[j + 1]; ++p) {
            if (t->K.x[p] != 0.0) {
                up[root_of(up, t->K.row[p])] = root_of(up, j);
            }
        }
    }
}

/* A part in two pieces is two parts: each would float on its own. */
static TmlStatus check_pieces(const Ties *w, TmlError *err)
{
    const TmlTied *t = w->t;
    int *up, piece[2] = {-1, -1}, other = 0;
    TML_NEW(&w->t->arena, up, t->n + 1);
    for (int i = 0; i < t->n; ++i) {
        up[i] = i;
    }
    join_freedoms(w, up);
    for (int i = 0; i < t->n; ++i) {
        const bool first = root_of(up, i) == root_of(up, 0);
        piece[!first] = piece[!first] < 0 ? i : piece[!first];
        other += !first;
    }
    return other == 0 ? TML_OK
                      : tml_fail(err, TML_E_MODEL,
                                 "the part is in pieces: %s, and %d more degrees of freedom, are "
                                 "not connected to anything that holds %s; connect them by an "
                                 "interface with 'tie: rigid', or leave them out",
                                 tml_tied_freedom(t, piece[1]).text, other - 1,
                                 tml_tied_freedom(t, piece[0]).text);
}

/* --- all ---------------------------------------------------------------------------------------- */

static TmlStatus tie(Ties *w, TmlError *err)
{
    TmlTied *t = w->t;
    TML_NEW(&t->arena, w->owner, t->fe->n_nodes);
    TML_NEW(&t->arena, w->where, t->fe->n + 6 * t->n_frames);
    for (int f = 0; f < t->n_frames; ++f) {
        TML_TRY(tml_spider_check(t->fe, t->frame[f].of, err));
    }
    TML_TRY(own_nodes(w, err));
    TML_TRY(tml_tied_follow(t, w->owner, &w->follow, err));
    number_freedoms(w);
    TML_TRY(tie_all(w, err));
    TML_TRY(tie_matrix(w, &t->fe->K, &t->K, err));
    TML_TRY(tie_matrix(w, &t->fe->M, &t->M, err));
    if (!w->loose) {
        TML_TRY(check_pieces(w, err));
    }
    TML_TRY(averages(t, err));
    return weigh(w, err);
}

static TmlStatus create(const TmlFeMatrices *fe, bool loose, int n_interfaces,
                        const TmlInterface *interfaces, TmlTied *out, TmlError *err)
{
    *out = (TmlTied){.fe = fe, .n_frames = n_interfaces};
    Ties w = {.t = out, .loose = loose};
    out->frame = tml_arena_alloc(&out->arena, (size_t)n_interfaces, sizeof *out->frame);
    TmlStatus status = out->frame != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int f = 0; f < n_interfaces && status == TML_OK; ++f) {
        out->frame[f] = (TmlTiedFrame){.of = &interfaces[f], .at = -1, .row = -1};
    }
    status = status == TML_OK ? tie(&w, err) : status;
    tml_follow_free(&w.follow);
    tml_mem_free(w.row);
    tml_mem_free(w.col);
    tml_mem_free(w.x);
    if (status != TML_OK) {
        tml_tied_free(out);
    }
    return status;
}

TmlStatus tml_tied_create(const TmlFeMatrices *fe, int n_interfaces, const TmlInterface *interfaces,
                          TmlTied *out, TmlError *err)
{
    return create(fe, false, n_interfaces, interfaces, out, err);
}

TmlStatus tml_tied_loose(const TmlFeMatrices *fe, TmlTied *out, TmlError *err)
{
    return create(fe, true, 0, NULL, out, err);
}

void tml_tied_free(TmlTied *t)
{
    tml_arena_free(&t->arena);
    *t = (TmlTied){0};
}

void tml_tied_motion(const TmlTied *t, int f, const double *q, double *out)
{
    const TmlTiedFrame *frame = &t->frame[f];
    for (int c = 0; c < frame->count; ++c) {
        if (frame->at >= 0) {
            out[c] = q[frame->at + c];
            continue;
        }
        const double *row = t->D + (size_t)(frame->row + c) * (size_t)t->n;
        out[c] = 0.0;
        for (int i = 0; i < t->n; ++i) {
            out[c] += row[i] * q[i];
        }
    }
}

void tml_tied_expand(const TmlTied *t, const double *q, double *u)
{
    memset(u, 0, (size_t)t->fe->n * sizeof *u);
    tml_csc_tmul(&t->Tt, q, u);
}

TmlFreedomText tml_tied_freedom(const TmlTied *t, int freedom)
{
    static const char *const direction[6] = {"x",          "y",          "z",
                                             "rotation x", "rotation y", "rotation z"};
    TmlFreedomText out = {{0}};
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlTiedFrame *frame = &t->frame[f];
        if (frame->at >= 0 && freedom >= frame->at && freedom < frame->at + frame->count) {
            tml_spider_text(out.text, sizeof out.text, "interface '%s', %s", frame->of->name,
                            direction[freedom - frame->at]);
            return out;
        }
    }
    for (int k = 0; k < t->fe->n_nodes; ++k) {
        for (int i = 0; i < freedoms(t->fe, k); ++i) {
            if (t->where[t->fe->first[k] + i] == freedom) {
                tml_spider_text(out.text, sizeof out.text, "node %lld, %s", (long long)t->fe->id[k],
                                direction[i]);
                return out;
            }
        }
    }
    return out;
}
