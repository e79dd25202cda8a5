/* reduce/basis/held_part.c - static solutions of a part that is held by freedoms and by rows, see the header. */
#include "reduce/basis/held_part.h"

#include "math/dense.h"
#include "reduce/element/element.h"

#include <math.h>
#include <string.h>

/* --- what is held ------------------------------------------------------------------------------- */

/* Six freedoms that hold rigid motion as firmly as any: rows of R, rotations measured by the part's
 * length, each the longest that is left when the earlier ones are taken out. */
static TmlStatus choose_pins(const TmlTied *t, int pin[6], TmlError *err)
{
    const size_t n = (size_t)t->n;
    double *W = tml_mem_zalloc(6 * n, sizeof *W);
    if (W == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t c = 0; c < 6; ++c) {
            W[6 * i + c] = t->R[c * n + i] / (c < 3 ? 1.0 : t->length);
        }
    }
    bool regular = true;
    for (int k = 0; k < 6; ++k) {
        double best = 0.0;
        for (size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (size_t c = 0; c < 6; ++c) {
                sum += W[6 * i + c] * W[6 * i + c];
            }
            if (sum > best) {
                best = sum;
                pin[k] = (int)i;
            }
        }
        regular = regular && best > 1e-12; // squares of what is left; rounding is 1e-32
        double e[6];
        for (size_t c = 0; c < 6; ++c) {
            e[c] = W[6 * (size_t)pin[k] + c] / sqrt(best > 0.0 ? best : 1.0);
        }
        for (size_t i = 0; i < n; ++i) {
            double dot = 0.0;
            for (size_t c = 0; c < 6; ++c) {
                dot += W[6 * i + c] * e[c];
            }
            for (size_t c = 0; c < 6; ++c) {
                W[6 * i + c] -= dot * e[c];
            }
        }
    }
    tml_mem_free(W);
    return regular
               ? TML_OK
               : tml_fail(err, TML_E_MODEL,
                          "all nodes lie on a line, so that nothing holds the rotation about it");
}

static TmlStatus number_free(TmlHeld *h, const bool *held, TmlError *err)
{
    const TmlTied *t = h->t;
    int pin[6] = {-1, -1, -1, -1, -1, -1};
    TML_NEW(&h->arena, h->index, t->n);
    TML_NEW(&h->arena, h->at, t->n);
    if (h->floats) {
        TML_TRY(choose_pins(t, pin, err));
    }
    for (int i = 0; i < t->n; ++i) {
        bool fixed = held != NULL && held[i];
        for (int k = 0; k < 6; ++k) {
            fixed = fixed || pin[k] == i;
        }
        h->index[i] = fixed ? -1 : h->n_free;
        if (!fixed) {
            h->at[h->n_free++] = i;
        }
    }
    return TML_OK;
}

/* --- factors ------------------------------------------------------------------------------------ */

/* The rows and columns of K that are free. */
static TmlStatus free_part(const TmlHeld *h, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    const TmlCsc *K = &h->t->K;
    int entries = 0;
    for (int pass = 0; pass < 2; ++pass) {
        entries = 0;
        for (int j = 0; j < K->cols; ++j) {
            for (int p = K->start[j]; p < K->start[j + 1] && h->index[j] >= 0; ++p) {
                const int i = h->index[K->row[p]];
                if (i >= 0 && pass == 1) {
                    out->row[entries] = i;
                    out->x[entries] = K->x[p];
                }
                entries += i >= 0;
            }
            if (h->index[j] >= 0 && pass == 1) {
                out->start[h->index[j] + 1] = entries;
            }
        }
        if (pass == 0) {
            *out = (TmlCsc){.rows = h->n_free, .cols = h->n_free};
            TML_NEW(arena, out->start, h->n_free + 1);
            TML_NEW(arena, out->row, entries);
            TML_NEW(arena, out->x, entries);
        }
    }
    return TML_OK;
}

/* Whether a mesh has elements of this type. */
static bool has_type(const TmlFeMesh *mesh, const char *name)
{
    const TmlFeElementType *type = tml_fe_type_named(name);
    for (int k = 0; mesh != NULL && k < mesh->n_elements; ++k) {
        if (mesh->element[k].type == type) {
            return true;
        }
    }
    return false;
}

static TmlStatus factor_free(TmlHeld *h, TmlError *err)
{
    TmlArena scratch = {0};
    TmlCsc K;
    int weak = 0;
    TmlStatus status = free_part(h, &scratch, &K, err);
    if (status == TML_OK && h->n_free > 0) {
        status = tml_cholesky_create(&K, &h->factors, &weak, err);
    }
    tml_arena_free(&scratch);
    if (status == TML_E_SINGULAR) {
        return tml_fail(
            err, TML_E_MODEL,
            "the stiffness is not definite at %s, with %s: a piece there hangs on "
            "nothing, or can move without strain%s",
            tml_tied_freedom(h->t, h->at[weak]).text,
            h->floats ? "the whole part held against rigid motion" : "all interfaces held",
            has_type(h->t->fe->mesh, "hex20r")
                ? "; hex20r (C3D20R) alone in a row can: try 'elements: {hex20r: hex20}'"
                : "");
    }
    return status;
}

/* Full columns to those of the free unknowns, and back. */
static void gather_free(const TmlHeld *h, int columns, const double *full, double *out)
{
    for (int c = 0; c < columns; ++c) {
        for (int i = 0; i < h->n_free; ++i) {
            out[(size_t)c * (size_t)h->n_free + (size_t)i] =
                full[(size_t)c * (size_t)h->t->n + (size_t)h->at[i]];
        }
    }
}

static TmlStatus solve_free(TmlHeld *h, int columns, double *X, TmlError *err)
{
    return h->n_free > 0 ? tml_cholesky_solve(h->factors, columns, X, X, err) : TML_OK;
}

/* (HE2), or D K^-1 D^T alone when it does not float. S is scaled to rows and columns of one size. */
static TmlStatus small_matrix(TmlHeld *h, TmlError *err)
{
    const TmlTied *t = h->t;
    const int r = h->n_rows, n = t->n, order = r + (h->floats ? 6 : 0);
    h->order = order;
    TML_NEW(&h->arena, h->Y, (size_t)h->n_free * (size_t)r);
    TML_NEW(&h->arena, h->S, (size_t)order * (size_t)order);
    TML_NEW(&h->arena, h->pivot, order);
    if (order == 0) {
        return TML_OK;
    }
    gather_free(h, r, h->D, h->Y);
    TML_TRY(solve_free(h, r, h->Y, err));
    for (int j = 0; j < r; ++j) {
        for (int i = 0; i < r; ++i) {
            const double *d = h->D + (size_t)i * (size_t)n,
                         *y = h->Y + (size_t)j * (size_t)h->n_free;
            double sum = 0.0;
            for (int k = 0; k < h->n_free; ++k) {
                sum += d[h->at[k]] * y[k];
            }
            h->S[(size_t)j * (size_t)order + (size_t)i] = h->floats ? -sum : sum;
        }
    }
    for (int a = 0; a < 6 && h->floats; ++a) {
        for (int i = 0; i < r; ++i) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += h->D[(size_t)i * (size_t)n + (size_t)k] *
                       t->R[(size_t)a * (size_t)n + (size_t)k];
            }
            h->S[(size_t)(r + a) * (size_t)order + (size_t)i] = sum;
            h->S[(size_t)i * (size_t)order + (size_t)(r + a)] = sum;
        }
    }
    const TmlStatus status = tml_dense_factor(order, h->S, h->pivot, err);
    return status == TML_E_SINGULAR
               ? tml_fail(err, TML_E_MODEL,
                          h->floats ? "the interfaces do not hold the part against rigid motion"
                                    : "two interfaces say the same: their nodes are tied twice")
               : status;
}

TmlStatus tml_held_create(const TmlTied *t, const bool *held, int n_rows, const double *D,
                          TmlHeld *out, TmlError *err)
{
    *out = (TmlHeld){.t = t, .floats = held == NULL, .n_rows = n_rows, .D = D};
    TmlStatus status = number_free(out, held, err);
    status = status == TML_OK ? factor_free(out, err) : status;
    status = status == TML_OK ? small_matrix(out, err) : status;
    if (status != TML_OK) {
        tml_held_free(out);
    }
    return status;
}

void tml_held_free(TmlHeld *h)
{
    tml_cholesky_free(h->factors);
    tml_arena_free(&h->arena);
    *h = (TmlHeld){0};
}

/* --- solutions ---------------------------------------------------------------------------------- */

/* The load on the free unknowns, less what given displacements of held ones take. */
static void free_load(const TmlHeld *h, int columns, const double *F, const double *U, double *full,
                      double *load)
{
    const size_t n = (size_t)h->t->n;
    for (int c = 0; c < columns; ++c) {
        const double *u = U + (size_t)c * n;
        bool moves = false;
        memset(full, 0, 2 * n * sizeof *full);
        double *given = full + n;
        for (size_t i = 0; i < n && !h->floats; ++i) {
            given[i] = h->index[i] < 0 ? u[i] : 0.0;
            moves = moves || given[i] != 0.0;
        }
        if (moves) {
            tml_csc_lower_mul(&h->t->K, 1, given, full);
        }
        for (size_t i = 0; i < n; ++i) {
            full[i] = (F != NULL ? F[(size_t)c * n + i] : 0.0) - full[i];
        }
        gather_free(h, 1, full, load + (size_t)c * (size_t)h->n_free);
    }
}

/* Right-hand side of the small system: of rows, d - D u for what is known of u, with the sign of
 * (HE2); of rigid motion, R^T f. */
static void small_load(const TmlHeld *h, const double *F, const double *d, const double *u,
                       double *s)
{
    const size_t n = (size_t)h->t->n;
    for (int i = 0; i < h->n_rows; ++i) {
        double sum = d != NULL ? d[i] : 0.0;
        for (size_t k = 0; k < n; ++k) {
            sum -= h->D[(size_t)i * n + k] * u[k];
        }
        s[i] = h->floats ? sum : -sum;
    }
    for (int a = 0; a < 6 && h->floats; ++a) {
        s[h->n_rows + a] = 0.0;
        for (size_t k = 0; k < n && F != NULL; ++k) {
            s[h->n_rows + a] += h->t->R[(size_t)a * n + k] * F[k];
        }
    }
}

/* u += R a - Y l */
static void correct(const TmlHeld *h, const double *s, double *u)
{
    const size_t n = (size_t)h->t->n;
    for (int i = 0; i < h->n_rows; ++i) {
        const double *y = h->Y + (size_t)i * (size_t)h->n_free;
        for (int k = 0; k < h->n_free; ++k) {
            u[h->at[k]] -= s[i] * y[k];
        }
    }
    for (int a = 0; a < 6 && h->floats; ++a) {
        for (size_t k = 0; k < n; ++k) {
            u[k] += s[h->n_rows + a] * h->t->R[(size_t)a * n + k];
        }
    }
}

TmlStatus tml_held_solve(TmlHeld *h, int columns, const double *F, const double *d, double *U,
                         TmlError *err)
{
    const size_t n = (size_t)h->t->n;
    TmlArena scratch = {0};
    double *full = tml_arena_alloc(&scratch, 2 * n, sizeof *full);
    double *x = tml_arena_alloc(&scratch, (size_t)h->n_free * (size_t)columns, sizeof *x);
    double *s = tml_arena_alloc(&scratch, (size_t)h->order + 1, sizeof *s);
    TmlStatus status =
        full != NULL && x != NULL && s != NULL
            ? TML_OK
            : tml_fail(err, TML_E_NOMEM, "out of memory for %d static solutions", columns);
    if (status == TML_OK) {
        free_load(h, columns, F, U, full, x);
        status = solve_free(h, columns, x, err);
    }
    for (int c = 0; c < columns && status == TML_OK; ++c) {
        double *u = U + (size_t)c * n;
        for (size_t i = 0; i < n; ++i) {
            if (h->index[i] >= 0) {
                u[i] = x[(size_t)c * (size_t)h->n_free + (size_t)h->index[i]];
            } else if (h->floats) {
                u[i] = 0.0; // a pin
            }
        }
        small_load(h, F != NULL ? F + (size_t)c * n : NULL,
                   d != NULL ? d + (size_t)c * (size_t)h->n_rows : NULL, u, s);
        tml_dense_solve(h->order, h->S, h->pivot, 1, s);
        correct(h, s, u);
    }
    tml_arena_free(&scratch);
    return status;
}
