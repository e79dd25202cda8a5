/* system/redundancy/drive_rows.c - a row that drives something is never left out.
 *
 * A redundant row of a joint may go: the others hold what it holds. A row that follows a function
 * of time may not, because the mechanism would stand still where it is told to move. Of dependent
 * rows the sparse QR leaves out any, so that it is asked by ranks whether the drives are dependent:
 *
 *   (D1)  rank(all rows) = rank(rows that do not drive) + number of driving rows
 *
 * holds exactly when no combination of rows that vanishes contains a drive.                own
 */
#include "system/redundancy/drive_rows.h"

#include "base/fail.h"
#include "sparse/qr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool tml_constraint_drives(const TmlConstraint *c)
{
    return c->type->drives != NULL && c->type->drives(c->data);
}

/* Marks the rows that drive; returns their number. */
static int mark_drives(const TmlSystem *sys, bool *drive)
{
    const TmlModel *m = sys->model;
    int n = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows && tml_constraint_drives(con); ++k, ++n) {
            drive[sys->constraint[c].row0 + k] = true;
        }
    }
    return n;
}

/* Finds the rank of the rows that are kept. *B is memory for as many entries as A has. */
static TmlStatus rank_of(const TmlCsc *A, const bool *keep, double tolerance, TmlCsc *B,
                         bool *independent, int *rank, TmlError *err)
{
    for (int k = 0; k < A->start[A->cols]; ++k) {
        B->x[k] = keep[A->row[k]] ? A->x[k] : 0.0;
    }
    return tml_qr_row_rank(B, tolerance, independent, rank, err);
}

/* Tells whether a constraint has a part in a combination of rows. */
static bool takes_part(const TmlSystem *sys, const double *coefficient, int c)
{
    const int row0 = sys->constraint[c].row0;
    for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
        if (fabs(coefficient[row0 + k]) > 1e-5) {
            return true;
        }
    }
    return false;
}

/* Names the rows of a constraint where there are few, else the constraint alone. */
static void name_part(const TmlSystem *sys, const double *coefficient, int c, bool few, char *text,
                      size_t size)
{
    const int row0 = sys->constraint[c].row0;
    const TmlConstraint *con = &sys->model->constraints.at[c];
    for (int k = 0; k < con->type->rows && few; ++k) {
        if (fabs(coefficient[row0 + k]) > 1e-5) {
            tml_system_row_name(sys, row0 + k, text, size);
            return;
        }
    }
    snprintf(text, size, "joint '%.100s' (%s)", con->name, con->type->info.name);
}

/* Writes what a drive repeats as text, drives first, and tells whether one of them is there. */
static bool repeated(const TmlSystem *sys, const double *coefficient, char *text, size_t size)
{
    enum { NAMED = 6 };
    const TmlModel *m = sys->model;
    bool drives = false;
    size_t at = 0;
    int rows = 0, named = 0;
    text[0] = '\0';
    for (int row = 0; row < sys->dim.m_all; ++row) {
        rows += fabs(coefficient[row]) > 1e-5;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < m->constraints.n && named <= NAMED; ++c) {
            const bool drive = tml_constraint_drives(&m->constraints.at[c]);
            char name[256];
            if (drive != (pass == 0) || !takes_part(sys, coefficient, c)) {
                continue;
            }
            drives = drives || drive;
            name_part(sys, coefficient, c, rows == 1, name, sizeof name);
            const int w = ++named > NAMED
                              ? snprintf(text + at, size - at, " and others")
                              : snprintf(text + at, size - at, "%s%s", at > 0 ? ", " : "", name);
            at += w > 0 && (size_t)w < size - at ? (size_t)w : 0;
        }
    }
    return drives;
}

static TmlStatus fail_drive(const TmlSystem *sys, const TmlCsc *A, const bool *independent, int row,
                            double *coefficient, TmlError *err)
{
    char name[256], others[1200];
    memset(coefficient, 0, (size_t)sys->dim.m_all * sizeof *coefficient);
    TML_TRY(tml_qr_combination(A, independent, row, coefficient, err));
    tml_system_row_name(sys, row, name, sizeof name);
    char *colon = strrchr(name, ':'); // a drive has one row, whose own name says nothing more
    if (colon != NULL) {
        *colon = '\0';
    }
    const bool twice = repeated(sys, coefficient, others, sizeof others);
    if (others[0] == '\0') {
        return tml_fail(err, TML_E_ASSEMBLY,
                        "%s has nothing to drive: no body moves along the coordinate that it gives",
                        name);
    }
    return tml_fail(
        err, TML_E_ASSEMBLY,
        "%s has nothing to drive: what it gives is held already by %s; %s, or start "
        "elsewhere if this is a dead point",
        name, others,
        twice ? "two drives of one degree of freedom are one too many, even if they agree: keep one"
              : "drive a coordinate that the joints leave free");
}

/* Finds the first drive that depends on joints and on drives before it. */
static TmlStatus blame(const TmlSystem *sys, const TmlCsc *A, const bool *drive, double tolerance,
                       TmlCsc *B, bool *keep, bool *independent, double *coefficient, TmlError *err)
{
    int before = 0, after = 0;
    for (int row = 0; row < sys->dim.m_all; ++row) {
        keep[row] = !drive[row];
    }
    TML_TRY(rank_of(A, keep, tolerance, B, independent, &before, err));
    memcpy(keep, independent, (size_t)sys->dim.m_all * sizeof *keep);
    for (int row = 0; row < sys->dim.m_all; ++row) {
        if (!drive[row]) {
            continue;
        }
        keep[row] = true;
        TML_TRY(rank_of(A, keep, tolerance, B, independent, &after, err));
        if (after == before) {
            keep[row] = false;
            return fail_drive(sys, A, keep, row, coefficient, err);
        }
        before = after;
    }
    return TML_OK;
}

TmlStatus tml_drives_check(TmlSystem *sys, const TmlCsc *A, int rank, double tolerance,
                           TmlError *err)
{
    bool *drive, *keep, *independent;
    double *coefficient;
    TmlCsc B = *A;
    int rest = 0;
    TML_NEW(&sys->arena, drive, sys->dim.m_all);
    const int n = mark_drives(sys, drive);
    if (n == 0 || rank == sys->dim.m_all) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, keep, sys->dim.m_all);
    TML_NEW(&sys->arena, independent, sys->dim.m_all);
    TML_NEW(&sys->arena, coefficient, sys->dim.m_all);
    TML_NEW(&sys->arena, B.x, A->start[A->cols]);
    for (int row = 0; row < sys->dim.m_all; ++row) {
        keep[row] = !drive[row];
    }
    TML_TRY(rank_of(A, keep, tolerance, &B, independent, &rest, err));
    return rank == rest + n // (D1)
               ? TML_OK
               : blame(sys, A, drive, tolerance, &B, keep, independent, coefficient, err);
}
