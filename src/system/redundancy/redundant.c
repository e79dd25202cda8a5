/* system/redundancy/redundant.c - which rows are redundant with which, in words.
 *
 * A row that is left out is a combination of active ones, and the joints that have part in it make
 * a loop. Rows whose joints are those of another, or some of them, belong to the same loop: one
 * note tells them all. */
#include "system/system_internal.h"

#include "base/fail.h"
#include "sparse/qr.h"
#include "system/redundancy/name_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Notes; rows whose loops are looked for, beyond which they are counted: in large models so many
 * that their combinations have ROOM numbers in all, but enough for the loops of the notes, of three
 * rows each. */
enum { NOTES = 20, SEARCHED_MOST = 300, SEARCHED_LEAST = 3 * NOTES, ROOM = 400000 };

/* --- one row -------------------------------------------------------------------------------- */

/* Tells whether rows of constraint c, other than `row` itself, have part in a combination. */
static bool uses(const TmlSystem *sys, const double *coefficient, int c, int row)
{
    const int row0 = sys->constraint[c].row0;
    bool used = false;
    for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
        used = used || (row0 + k != row && fabs(coefficient[row0 + k]) > 1e-5);
    }
    return used;
}

/* Writes the joints that a redundant row repeats. */
static void partners(const TmlSystem *sys, const double *coefficient, int row, char *text,
                     size_t size)
{
    TmlNameList names = tml_name_list_begin(text, size);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        if (uses(sys, coefficient, c, row)) {
            tml_name_list_add(&names, sys->model->constraints.at[c].name);
        }
    }
}

/* Returns what is left of a row of length one when a combination of others is taken away. */
static double remainder_of(const TmlCsc *A, const double *coefficient, int row)
{
    double sum = 0.0;
    for (int j = 0; j < A->cols; ++j) {
        double x = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            x += A->row[p] == row ? A->x[p] : -coefficient[A->row[p]] * A->x[p];
        }
        sum += x * x;
    }
    return sqrt(sum);
}

static TmlStatus partners_at(TmlSystem *sys, const TmlState *s, int row, char *text, size_t size,
                             bool *depends, TmlError *err)
{
    TmlCsc A;
    bool *active;
    double *coefficient;
    TML_NEW(&sys->arena, active, sys->dim.m_all);
    TML_NEW(&sys->arena, coefficient, sys->dim.m_all);
    for (int k = 0; k < sys->dim.m_all; ++k) {
        active[k] = sys->row_unknown[k] >= 0;
    }
    TML_TRY(tml_system_rows_matrix(sys, s->t, &sys->arena, &A, err));
    TML_TRY(tml_qr_combination(&A, active, row, coefficient, err));
    partners(sys, coefficient, row, text, size);
    *depends = remainder_of(&A, coefficient, row) <= sqrt(TML_RANK_TOLERANCE);
    return TML_OK;
}

TmlStatus tml_system_partners(TmlSystem *sys, const TmlState *s, int row, char *text, size_t size,
                              bool *depends, TmlError *err)
{
    const TmlArenaMark mark = tml_arena_mark(&sys->arena);
    const TmlStatus status = partners_at(sys, s, row, text, size, depends, err);
    tml_arena_release(&sys->arena, mark);
    return status;
}

static void tell_row(const TmlSystem *sys, const double *coefficient, int row, TmlNotes *notes)
{
    char name[256], others[512];
    tml_system_row_name(sys, row, name, sizeof name);
    partners(sys, coefficient, row, others, sizeof others);
    tml_notes_add(notes, "%s is redundant with %s; it is left out and watched", name,
                  others[0] != '\0' ? others : "nothing: it has no effect here");
}

/* --- loops ---------------------------------------------------------------------------------- */

typedef struct Loops {
    int n_rows, *row; /* those that are left out */
    int *loop;        /* n_rows: the loop of each */
    int n_loops;
    bool *joint;         /* n_rows * constraints: those of each loop */
    double *coefficient; /* n_rows * m_all */
} Loops;

static int row_owner(const TmlSystem *sys, int row)
{
    int c = 0;
    while (c + 1 < sys->model->constraints.n && sys->constraint[c + 1].row0 <= row) {
        ++c;
    }
    return c;
}

static bool within(const bool *a, const bool *b, int n)
{
    for (int k = 0; k < n; ++k) {
        if (a[k] && !b[k]) {
            return false;
        }
    }
    return true;
}

/* Puts the i-th row to the loop that has its joints, or begins one. */
static void add_to_loop(const TmlSystem *sys, Loops *x, int i)
{
    const int n = sys->model->constraints.n;
    bool *mine = x->joint + (size_t)x->n_loops * (size_t)n;
    for (int c = 0; c < n; ++c) {
        mine[c] = uses(sys, x->coefficient + (size_t)i * (size_t)sys->dim.m_all, c, x->row[i]);
    }
    mine[row_owner(sys, x->row[i])] = true;
    for (int k = 0; k < x->n_loops; ++k) {
        bool *other = x->joint + (size_t)k * (size_t)n;
        if (within(mine, other, n) || within(other, mine, n)) {
            for (int c = 0; c < n; ++c) {
                other[c] = other[c] || mine[c];
                mine[c] = false;
            }
            x->loop[i] = k;
            return;
        }
    }
    x->loop[i] = x->n_loops++;
}

static void tell_loop(const TmlSystem *sys, const Loops *x, int k, TmlNotes *notes)
{
    const TmlModel *m = sys->model;
    char joints[512], owners[512];
    TmlNameList all = tml_name_list_begin(joints, sizeof joints),
                out = tml_name_list_begin(owners, sizeof owners);
    int rows = 0, last = -1, only = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (x->joint[(size_t)k * (size_t)m->constraints.n + (size_t)c]) {
            tml_name_list_add(&all, m->constraints.at[c].name);
        }
    }
    for (int i = 0; i < x->n_rows; ++i) {
        const int owner = row_owner(sys, x->row[i]);
        if (x->loop[i] == k) {
            rows++;
            only = i;
            if (owner != last) {
                tml_name_list_add(&out, m->constraints.at[owner].name);
            }
            last = owner;
        }
    }
    if (rows == 1) {
        tell_row(sys, x->coefficient + (size_t)only * (size_t)sys->dim.m_all, x->row[only], notes);
    } else {
        tml_notes_add(
            notes,
            "the loop of %s has %d redundant equations; those, of %s, are left out and monitored",
            joints, rows, owners);
    }
}

TmlStatus tml_system_name_singular(TmlSystem *sys, const TmlCsc *A, const bool *first,
                                   const bool *best, char *text, size_t size, TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlNameList names = tml_name_list_begin(text, size);
    double *coefficient;
    TML_NEW(&sys->arena, coefficient, sys->dim.m_all);
    for (int row = 0; row < sys->dim.m_all && names.n == 0; ++row) {
        if (first[row] || !best[row]) {
            continue;
        }
        TML_TRY(tml_qr_combination(A, first, row, coefficient, err));
        for (int c = 0; c < m->constraints.n; ++c) {
            if (uses(sys, coefficient, c, row) || c == row_owner(sys, row)) {
                tml_name_list_add(&names, m->constraints.at[c].name);
            }
        }
    }
    return TML_OK;
}

TmlStatus tml_system_name_redundant(TmlSystem *sys, const TmlCsc *A, const bool *independent,
                                    TmlNotes *notes, TmlError *err)
{
    const int joints = sys->model->constraints.n;
    Loops x = {0};
    int all = 0, told = 0, most = ROOM / sys->dim.m_all;
    most = most > SEARCHED_MOST ? SEARCHED_MOST : most < SEARCHED_LEAST ? SEARCHED_LEAST : most;
    TML_NEW(&sys->arena, x.row, most);
    for (int row = 0; row < sys->dim.m_all; ++row) {
        if (!independent[row] && all++ < most) {
            x.row[x.n_rows++] = row;
        }
    }
    TML_NEW(&sys->arena, x.loop, x.n_rows);
    TML_NEW(&sys->arena, x.joint, (size_t)x.n_rows * (size_t)joints);
    TML_NEW(&sys->arena, x.coefficient, (size_t)x.n_rows * (size_t)sys->dim.m_all);
    TML_TRY(tml_qr_combinations(A, independent, x.n_rows, x.row, x.coefficient, err));
    if (notes != NULL && notes->every_row) {
        for (int i = 0; i < x.n_rows; ++i, ++told) {
            tell_row(sys, x.coefficient + (size_t)i * (size_t)sys->dim.m_all, x.row[i], notes);
        }
    } else {
        for (int i = 0; i < x.n_rows; ++i) {
            add_to_loop(sys, &x, i);
        }
        for (int k = 0; k < x.n_loops && k < NOTES; ++k) {
            tell_loop(sys, &x, k, notes);
        }
        for (int i = 0; i < x.n_rows; ++i) {
            told += x.loop[i] < NOTES;
        }
    }
    if (all > told) {
        tml_notes_add(notes, "and %d more redundant constraint equations", all - told);
    }
    return TML_OK;
}
