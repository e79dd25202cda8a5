/* system/recursion/loops_rows.c - which joints close loops, and which of their rows are kept.
 *
 * A row is left out when the tree does not move it, as those across the plane of links that turn about parallel axes, or when it
 * follows from others, at most 1e-6 of its length left. As many are kept as the sparse system keeps.
 */
#include "system/recursion/links.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* What is left of a row's square beside the rows before it; the largest for which as many rows are left as are wanted counts, so
 * that of several that say the same those are kept that say it best. */
static const double thresholds[] = {1e-2, 1e-4,  1e-6,
                                    1e-8, 1e-10, TML_RANK_TOLERANCE *TML_RANK_TOLERANCE};
enum { THRESHOLDS = sizeof thresholds / sizeof thresholds[0] };

/* --- structure -------------------------------------------------------------------------------- */

/* Lists the links that move the ends of a constraint, from the last one to the first; `marked` is zero and will be. Returns
 * how many; path NULL: they are counted only. */
static int list_path(const TmlRecursion *r, int c, bool *marked, int *path)
{
    const TmlConstraint *con = &r->sys->model->constraints.at[c];
    int n = 0, last = -1;
    for (int e = 0; e < con->n_ends; ++e) {
        for (int k = r->place[con->end[e].body].link; k >= 0; k = r->link[k].parent) {
            n += !marked[k];
            marked[k] = true;
            last = k > last ? k : last;
        }
    }
    int left = n;
    for (int k = last, i = 0; left > 0; --k) {
        if (marked[k]) {
            marked[k] = false;
            --left;
            if (path != NULL) {
                path[i++] = k;
            }
        }
    }
    return n;
}

static int count_cut(const TmlRecursion *r, const TmlTree *tree, bool *marked, int *rows,
                     int *paths, int *responses)
{
    const TmlModel *m = r->sys->model;
    int n = 0;
    *rows = *paths = *responses = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (!tree->in_tree[c]) {
            const int path = list_path(r, c, marked, NULL);
            ++n;
            *rows += m->constraints.at[c].type->rows;
            *paths += path;
            *responses += path * m->constraints.at[c].type->rows;
        }
    }
    return n;
}

static TmlStatus cut_fill(TmlRecursion *r, const TmlTree *tree, bool *marked, TmlError *err)
{
    TmlLoops *l = &r->loops;
    const TmlModel *m = r->sys->model;
    int n = 0, path0 = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (tree->in_tree[c]) {
            continue;
        }
        const TmlConstraint *con = &m->constraints.at[c];
        TmlCutJoint *cut = &l->cut[n++];
        *cut = (TmlCutJoint){.constraint = c, .path0 = path0};
        cut->n_path = list_path(r, c, marked, l->path + path0);
        path0 += cut->n_path;
        TML_NEW(&r->arena, cut->J, (size_t)con->type->rows * (size_t)con->n_ends + 1);
    }
    return TML_OK;
}

/* Makes rows the kept ones of those that `drop` does not name, joint by joint. */
static void list_rows(TmlRecursion *r, const bool *drop)
{
    TmlLoops *l = &r->loops;
    int u0 = 0, all = 0;
    l->m = 0;
    for (int i = 0; i < l->n_cut; ++i) {
        TmlCutJoint *cut = &l->cut[i];
        cut->row0 = l->m;
        for (int k = 0; k < r->sys->model->constraints.at[cut->constraint].type->rows; ++k, ++all) {
            if (drop == NULL || !drop[all]) {
                l->row[l->m] = (TmlLoopRow){.cut = i, .k = k, .place = l->m, .u0 = u0};
                l->m++;
                u0 += cut->n_path;
            }
        }
        cut->n_rows = l->m - cut->row0;
    }
}

/* Lists for each link the rows whose path has it. */
static void list_touches(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    memset(l->touch0, 0, (size_t)(r->n_links + 2) * sizeof *l->touch0);
    for (int i = 0; i < l->m; ++i) {
        const TmlCutJoint *cut = &l->cut[l->row[i].cut];
        for (int p = 0; p < cut->n_path; ++p) {
            l->touch0[l->path[cut->path0 + p] + 2]++;
        }
    }
    for (int k = 1; k < r->n_links + 1; ++k) {
        l->touch0[k + 1] += l->touch0[k];
    }
    for (int i = 0; i < l->m; ++i) {
        const TmlCutJoint *cut = &l->cut[l->row[i].cut];
        for (int p = 0; p < cut->n_path; ++p) {
            const int at = l->touch0[l->path[cut->path0 + p] + 1]++;
            l->touch_row[at] = i;
            l->touch_at[at] = l->row[i].u0 + p;
        }
    }
}

/* Finds the first column of each row of the envelope in the present order. Returns its size. */
static size_t bound_envelope(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    for (int i = 0; i < l->m; ++i) {
        l->first[i] = i;
    }
    for (int k = 0; k < r->n_links; ++k) {
        int low = l->m;
        for (int i = l->touch0[k]; i < l->touch0[k + 1]; ++i) {
            const int place = l->row[l->touch_row[i]].place;
            low = place < low ? place : low;
        }
        for (int i = l->touch0[k]; i < l->touch0[k + 1]; ++i) {
            const int place = l->row[l->touch_row[i]].place;
            l->first[place] = low < l->first[place] ? low : l->first[place];
        }
    }
    l->start[0] = 0;
    for (int i = 0; i < l->m; ++i) {
        l->start[i + 1] = l->start[i] + (size_t)(i - l->first[i] + 1);
    }
    return l->start[l->m];
}

static size_t structure(TmlRecursion *r, const bool *drop)
{
    list_rows(r, drop);
    list_touches(r);
    return bound_envelope(r);
}

static TmlStatus allocate(TmlRecursion *r, int responses, TmlError *err)
{
    TmlLoops *l = &r->loops;
    const size_t all = (size_t)l->all + 1, links = (size_t)r->n_links + 2;
    TML_NEW(&r->arena, l->row, all);
    TML_NEW(&r->arena, l->size, all);
    TML_NEW(&r->arena, l->u, (size_t)responses + 1);
    TML_NEW(&r->arena, l->Du, (size_t)responses + 1);
    TML_NEW(&r->arena, l->touch0, links);
    TML_NEW(&r->arena, l->touch_row, (size_t)responses + 1);
    TML_NEW(&r->arena, l->touch_at, (size_t)responses + 1);
    TML_NEW(&r->arena, l->first, all);
    TML_NEW(&r->arena, l->start, all + 1);
    TML_NEW(&r->arena, l->pivot, all);
    TML_NEW(&r->arena, l->diagonal, all);
    TML_NEW(&r->arena, l->rhs, all);
    TML_NEW(&r->arena, l->lambda, all);
    TML_NEW(&r->arena, l->drop, all);
    TML_NEW(&r->arena, l->kept, all);
    TML_NEW(&r->arena, l->wf, links);
    TML_NEW(&r->arena, l->wn, links);
    return TML_OK;
}

TmlStatus tml_loops_setup(TmlRecursion *r, const TmlTree *tree, TmlError *err)
{
    TmlLoops *l = &r->loops;
    bool *marked;
    int paths, responses;
    TML_NEW(&r->arena, marked, r->n_links + 1);
    l->n_cut = count_cut(r, tree, marked, &l->all, &paths, &responses);
    if (l->n_cut == 0) {
        return TML_OK;
    }
    TML_NEW(&r->arena, l->cut, l->n_cut);
    TML_NEW(&r->arena, l->path, (size_t)paths + 1);
    TML_TRY(cut_fill(r, tree, marked, err));
    TML_TRY(allocate(r, responses, err));
    l->room = structure(r, NULL);
    TML_NEW(&r->arena, l->value, l->room + 1);
    return TML_OK;
}

/* --- the choice ------------------------------------------------------------------------------- */

/* Returns the length of a row in the sense of M^-1 as if its bodies were free. */
static double free_length(const TmlRecursion *r, const TmlCutJoint *cut, int k)
{
    const TmlSystem *sys = r->sys;
    const TmlConstraint *con = &sys->model->constraints.at[cut->constraint];
    const TmlFrameKin *e = sys->kin + sys->constraint[cut->constraint].end0;
    double sum = 0.0;
    for (int i = 0; i < con->n_ends; ++i) {
        const TmlBodySpan *span = &sys->dim.span[con->end[i].body];
        const TmlRow *J = &cut->J[k * con->n_ends + i];
        TmlFrameKin b;
        tml_links_body(r, con->end[i].body, &b);
        const TmlVec3 T = v3_add(J->theta, v3_cross(v3_sub(e[i].r, b.r), J->r));
        const double w[6] = {J->r.x, J->r.y, J->r.z, T.x, T.y, T.z};
        for (int u = 0; u < span->nu; ++u) {
            sum += w[u] * w[u] * sys->inverse_mass[span->u0 + u];
        }
    }
    return sum;
}

static void measure_rows(TmlRecursion *r)
{
    TmlLoops *l = &r->loops;
    for (int i = 0; i < l->m; ++i) {
        const TmlCutJoint *cut = &l->cut[l->row[i].cut];
        const int n = r->sys->model->constraints.at[cut->constraint].n_ends;
        double size = 0.0;
        for (int e = 0; e < n; ++e) {
            const TmlRow *J = &cut->J[l->row[i].k * n + e];
            size = fmax(size, fmax(v3_norm(J->r) * r->sys->dim.length, v3_norm(J->theta)));
        }
        l->size[i] = size > 0.0 ? size : 1.0;
    }
}

/* Marks rows that the tree does not move, and those that follow from others before them but for a part; the envelope has the
 * rows of all. Returns how many are left. */
static int mark(TmlRecursion *r, double part)
{
    static const double moved = TML_RANK_TOLERANCE * TML_RANK_TOLERANCE;
    TmlLoops *l = &r->loops;
    int left = 0;
    l->spare = false;
    for (int i = 0; i < l->m; ++i) {
        double *a = l->value + l->start[i] - l->first[i];
        const double diagonal = a[i];
        double pivot = diagonal;
        for (int j = l->first[i]; j < i;
             ++j) { // as factor_envelope does, without rows that are left out
            const double *b = l->value + l->start[j] - l->first[j];
            const int from = l->first[i] > l->first[j] ? l->first[i] : l->first[j];
            for (int k = from; k < j && !l->drop[j]; ++k) {
                a[j] -= l->drop[k] ? 0.0 : a[k] * b[k];
            }
        }
        for (int j = l->first[i]; j < i; ++j) {
            const double L = l->drop[j] ? 0.0 : a[j] / l->pivot[j];
            pivot -= L * a[j];
            a[j] = L;
        }
        const TmlLoopRow *row = &l->row[i];
        const bool still = !(diagonal > moved * free_length(r, &l->cut[row->cut], row->k));
        l->drop[i] = still || !(pivot > part * diagonal);
        left += !l->drop[i];
        l->pivot[i] = pivot;
        l->spare |= l->drop[i] && !still;
    }
    return left;
}

/* Marks as many rows as leave those that are wanted; false: no threshold does. */
static bool mark_wanted(TmlRecursion *r, int wanted)
{
    structure(r, NULL);
    for (int k = 0; k < THRESHOLDS; ++k) {
        if (!tml_loops_lambda(r)) {
            return false;
        }
        if (mark(r, thresholds[k]) == wanted) {
            return true;
        }
    }
    return false;
}

bool tml_loops_choose(TmlRecursion *r, double t)
{
    TmlLoops *l = &r->loops;
    const TmlDims *dim = tml_dims(r->sys);
    if (l->n_cut == 0) {
        return true;
    }
    tml_loops_move(r);
    tml_loops_rows(r, t);
    const bool good = mark_wanted(r, r->ny - (dim->nu - dim->m));
    if (good) {
        memcpy(l->kept, l->drop, (size_t)l->all * sizeof *l->kept);
        l->chosen = true;
    }
    if (!l->chosen) {
        return false;
    }
    structure(r, l->kept); // at a singular position those of before stay
    measure_rows(r);
    if (!tml_loops_factor(r)) {
        return false;
    }
    l->hold_chosen = good ? l->hold : l->hold_chosen;
    return true;
}

bool tml_recursion_worn(const TmlRecursion *r)
{
    static const double worn = 1e-3;
    return r->loops.spare && r->loops.hold < worn * r->loops.hold_chosen;
}

bool tml_recursion_choose(TmlRecursion *r, double t, const double *x, const double *y)
{
    memmove(r->x, x, (size_t)r->nx * sizeof *x);
    memmove(r->y, y, (size_t)r->ny * sizeof *y);
    tml_links_move(r);
    return tml_links_articulate(r) && tml_loops_choose(r, t);
}

double tml_recursion_burden(const TmlRecursion *r)
{
    static const double recursion = 1400.0; // instructions for one link
    double flops = 0.0;
    for (int i = 0; i < r->loops.m; ++i) {
        const double width = i - r->loops.first[i] + 1;
        flops += width * width;
    }
    return r->n_links > 0 ? flops / (recursion * r->n_links) : 0.0;
}
