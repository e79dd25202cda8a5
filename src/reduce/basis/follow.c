/* reduce/basis/follow.c - freedoms that follow from others, see the header. */
#include "reduce/basis/follow.h"

#include <math.h>

/* Of the largest factor of a relation: below the first nothing is left of it but rounding, above the second the freedom that its
 * writer put first is the one that follows. */
static const double rounding = 1e-6, worth_dividing_by = 1e-5;

TmlStatus tml_follow_create(int n, TmlFollow *out, TmlError *err)
{
    *out = (TmlFollow){.n = n};
    TML_NEW(&out->arena, out->first, n + 1);
    TML_NEW(&out->arena, out->count, n + 1);
    TML_NEW(&out->arena, out->kept, n + 1);
    TML_NEW(&out->arena, out->order, n + 1);
    TML_NEW(&out->arena, out->sum, n + 1);
    TML_NEW(&out->arena, out->in, n + 1);
    TML_NEW(&out->arena, out->touched, n + 1);
    for (int i = 0; i < n; ++i) {
        out->first[i] = -1;
    }
    return TML_OK;
}

void tml_follow_free(TmlFollow *f)
{
    tml_mem_free(f->at);
    tml_mem_free(f->x);
    tml_arena_free(&f->arena);
    *f = (TmlFollow){0};
}

static TmlStatus add_entry(TmlFollow *f, int at, double x, TmlError *err)
{
    if (!tml_mem_grow((void **)&f->at, &f->cap_at, f->n_entries + 1, sizeof *f->at) ||
        !tml_mem_grow((void **)&f->x, &f->cap_x, f->n_entries + 1, sizeof *f->x)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d factors of ties", f->n_entries);
    }
    f->at[f->n_entries] = at;
    f->x[f->n_entries++] = x;
    return TML_OK;
}

TmlStatus tml_follow_add(TmlFollow *f, int i, int n, const int *at, const double *x, TmlError *err)
{
    const int first = f->n_entries;
    for (int k = 0; k < n; ++k) {
        TML_TRY(add_entry(f, at[k], x[k], err));
    }
    f->first[i] = first;
    f->count[i] = n;
    f->order[f->n_order++] = i;
    return TML_OK;
}

/* --- sums over freedoms -------------------------------------------------------------------------- */

static void add_to_sum(TmlFollow *f, int i, double x)
{
    if (!f->in[i]) {
        f->in[i] = true;
        f->touched[f->n_touched++] = i;
    }
    f->sum[i] += x;
}

static void clear_sum(TmlFollow *f)
{
    for (int k = 0; k < f->n_touched; ++k) {
        f->sum[f->touched[k]] = 0.0;
        f->in[f->touched[k]] = false;
    }
    f->n_touched = 0;
}

/* Replaces what follows in the sum. What one follows from was free when it was found, so that this comes to an end. */
static void replace_in_sum(TmlFollow *f)
{
    bool again = true;
    while (again) {
        again = false;
        for (int k = 0; k < f->n_touched; ++k) {
            const int i = f->touched[k];
            const double x = f->sum[i];
            if (f->first[i] < 0 || x == 0.0) {
                continue;
            }
            f->sum[i] = 0.0;
            for (int p = f->first[i]; p < f->first[i] + f->count[i]; ++p) {
                add_to_sum(f, f->at[p], x * f->x[p]);
            }
            again = true;
        }
    }
}

/* --- relations ----------------------------------------------------------------------------------- */

/* The freedom that is to follow; -1: none may. *largest: factor of all that are left. */
static int choose(const TmlFollow *f, int wanted, const double *weight, double *largest)
{
    int best = -1;
    double most = 0.0;
    *largest = 0.0;
    for (int k = 0; k < f->n_touched; ++k) {
        const int i = f->touched[k];
        const double size = fabs(f->sum[i]) * weight[i];
        *largest = fmax(*largest, size);
        if (!f->kept[i] && size > most) {
            most = size;
            best = i;
        }
    }
    const bool own = !f->kept[wanted] && f->in[wanted] &&
                     fabs(f->sum[wanted]) * weight[wanted] > worth_dividing_by * *largest;
    return own ? wanted : best;
}

static TmlStatus follow_from_sum(TmlFollow *f, int p, const double *weight, double least,
                                 TmlError *err)
{
    const int first = f->n_entries;
    for (int k = 0; k < f->n_touched; ++k) {
        const int i = f->touched[k];
        if (i != p && fabs(f->sum[i]) * weight[i] > least) {
            TML_TRY(add_entry(f, i, -f->sum[i] / f->sum[p], err)); // (FO1)
        }
    }
    f->first[p] = first;
    f->count[p] = f->n_entries - first;
    f->order[f->n_order++] = p;
    return TML_OK;
}

TmlStatus tml_follow_relation(TmlFollow *f, int n, const int *at, const double *x,
                              const double *weight, TmlError *err)
{
    double before = 0.0, largest = 0.0;
    TmlStatus status = TML_OK;
    for (int k = 0; k < n; ++k) {
        before = fmax(before, fabs(x[k]) * weight[at[k]]);
        add_to_sum(f, at[k], x[k]);
    }
    replace_in_sum(f);
    const int p = n > 0 ? choose(f, at[0], weight, &largest) : -1;
    const double least = rounding * before;
    if (largest > least) {
        status = p >= 0 && fabs(f->sum[p]) * weight[p] > least
                     ? follow_from_sum(f, p, weight, 1e-15 * before, err)
                     : tml_fail(err, TML_E_MODEL, "it ties frames of interfaces to each other");
    }
    clear_sum(f);
    return status;
}

TmlStatus tml_follow_resolve(TmlFollow *f, TmlError *err)
{
    for (int k = f->n_order - 1; k >= 0; --k) { // what the last ones follow from is free
        const int i = f->order[k];
        bool whole = true;
        for (int p = f->first[i]; p < f->first[i] + f->count[i]; ++p) {
            whole = whole && f->first[f->at[p]] < 0;
        }
        if (whole) {
            continue;
        }
        for (int p = f->first[i]; p < f->first[i] + f->count[i]; ++p) {
            add_to_sum(f, f->at[p], f->x[p]);
        }
        replace_in_sum(f);
        const int first = f->n_entries;
        for (int t = 0; t < f->n_touched; ++t) {
            if (f->sum[f->touched[t]] != 0.0) {
                TML_TRY(add_entry(f, f->touched[t], f->sum[f->touched[t]], err));
            }
        }
        f->first[i] = first;
        f->count[i] = f->n_entries - first;
        clear_sum(f);
    }
    return TML_OK;
}
