/* system/redundancy/rank.c - redundant constraints: found, named, left out.
 *
 * Rows are scaled to unit length in (dr / L, dtheta) and ranked by sparse QR at the assembled state
 * and at two perturbed states that are assembled again: at a singular position the rank is too
 * small, and rows dropped there would be missing later. Rows are kept out only when they are
 * dependent at the state of largest rank.
 */
#include "system/system_internal.h"

#include "base/fail.h"
#include "sparse/qr.h"
#include "system/redundancy/drive_rows.h"
#include "system/redundancy/share.h"

#include <math.h>
#include <string.h>

/* Relative size below which what remains of a row counts as nothing: places and axes of few digits
 * leave as much. */
static const double rank_tolerance = TML_RANK_TOLERANCE;

double tml_constraint_row_size(const TmlSystem *sys, int c, int row, const double *Ju)
{
    const int n = sys->model->constraints.at[c].n_ends, end0 = sys->constraint[c].end0;
    const double *x = Ju + (size_t)(row * n) * (size_t)sys->stride;
    double norm2 = 0.0;
    for (int e = 0; e < n; ++e, x += sys->stride) {
        const TmlParts *parts = tml_end_parts(sys, end0 + e);
        for (int i = 0; i < parts->cols; ++i) {
            const double y = x[i] * sys->dim.unit[tml_parts_unknown(sys, parts, i)];
            norm2 += y * y;
        }
    }
    return sqrt(norm2);
}

bool tml_constraint_row_is_length(TmlSystem *sys, int c, int row, double t)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    TmlRow *J = sys->room.J;
    bool length = false;
    con->type->jacobian(&in, J);
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlVec3 r = J[row * con->n_ends + e].r;
        length = length || r.x != 0.0 || r.y != 0.0 || r.z != 0.0;
    }
    return length;
}

TmlStatus tml_system_rows_matrix(TmlSystem *sys, double t, TmlArena *arena, TmlCsc *out,
                                 TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlPattern p;
    bool ok = true;
    tml_pattern_init(&p, sys->dim.m_all, sys->dim.nu);
    for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < m->constraints.n && ok; ++c) {
            const TmlConstraint *con = &m->constraints.at[c];
            const int n = con->n_ends, end0 = sys->constraint[c].end0;
            const double *Ju = tml_constraint_rows(sys, c, t);
            for (int k = 0; k < con->type->rows && ok; ++k) {
                const int row = sys->constraint[c].row0 + k;
                const double *x = Ju + (size_t)(k * n) * (size_t)sys->stride;
                const double norm = pass == 0 ? 1.0 : tml_constraint_row_size(sys, c, k, Ju);
                for (int i = 0; i < n * sys->stride && ok; ++i) {
                    const TmlParts *e = tml_end_parts(sys, end0 + i / sys->stride);
                    if (i % sys->stride >= e->cols) {
                        continue;
                    }
                    const int col = tml_parts_unknown(sys, e, i % sys->stride);
                    if (pass == 0) {
                        ok = tml_pattern_add(&p, row, col);
                    } else if (norm > 0.0) {
                        out->x[tml_csc_find(out, row, col)] += x[i] * sys->dim.unit[col] / norm;
                    }
                }
            }
        }
        if (pass == 0) {
            const TmlStatus status =
                ok ? tml_pattern_csc(&p, arena, out, err)
                   : tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
            tml_pattern_free(&p);
            TML_TRY(status);
        }
    }
    return TML_OK;
}

static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

bool tml_system_beside(TmlSystem *sys, const TmlState *from, uint64_t *seed, TmlState *to)
{
    tml_state_copy(sys, from, to);
    for (int k = 0; k < sys->dim.nq; ++k) {
        to->q[k] += 0.02 * noise(seed) * sys->dim.unit_q[k];
    }
    tml_system_retract(sys, to->q);
    const double worst = tml_system_close(sys, to, (TmlCloseWhat){.position = true});
    return worst >= 0.0 && worst < 1e-7;
}

/* Rows that are independent, by the matrix that tells it, at a position. */
typedef struct Rank {
    int n;
    bool *independent; /* m_all */
    TmlCsc A;
} Rank;

static TmlStatus rank_at(TmlSystem *sys, const TmlState *s, Rank *out, TmlError *err)
{
    tml_system_kinematics(sys, s, false);
    TML_TRY(tml_system_rows_matrix(sys, s->t, &sys->arena, &out->A, err));
    return tml_qr_row_rank(&out->A, rank_tolerance, out->independent, &out->n, err);
}

/* Finds the rank at the start, and, where rows are missing there, the largest of two positions beside it. */
static TmlStatus best_rank(TmlSystem *sys, const TmlState *s, Rank *first, Rank *best,
                           TmlError *err)
{
    const size_t size = (size_t)sys->dim.m_all * sizeof(bool);
    TmlState other;
    Rank trial = {0};
    uint64_t seed = 7;
    TML_NEW(&sys->arena, best->independent, sys->dim.m_all);
    TML_NEW(&sys->arena, first->independent, sys->dim.m_all);
    TML_NEW(&sys->arena, trial.independent, sys->dim.m_all);
    TML_TRY(tml_state_create(sys, &other, err));
    TML_TRY(rank_at(sys, s, first, err));
    best->n = first->n;
    best->A = first->A;
    memcpy(best->independent, first->independent, size);
    for (int k = 0; k < 2 && best->n < sys->dim.m_all; ++k) {
        trial.n = 0;
        if (tml_system_beside(sys, s, &seed, &other)) {
            TML_TRY(rank_at(sys, &other, &trial, err));
        }
        if (trial.n > best->n) {
            best->n = trial.n;
            best->A = trial.A;
            memcpy(best->independent, trial.independent, size);
        }
    }
    return TML_OK;
}

/* Finds the rank and names what is singular or redundant: `kept` are the rows that are independent, `singular` the joints of a
 * singular start. Memory on the arena is scratch. */
static TmlStatus find_rank(TmlSystem *sys, const TmlState *s, bool *kept, char *singular,
                           size_t room, TmlNotes *notes, TmlError *err)
{
    Rank first = {0}, best = {0};
    TML_TRY(best_rank(sys, s, &first, &best, err));
    memcpy(kept, best.independent, (size_t)sys->dim.m_all * sizeof *kept);
    TML_TRY(tml_drives_check(sys, &best.A, best.n, rank_tolerance, err));
    if (best.n > first.n) {
        TML_TRY(tml_system_name_singular(sys, &first.A, first.independent, best.independent,
                                         singular, room, err));
    }
    return best.n < sys->dim.m_all
               ? tml_system_name_redundant(sys, &best.A, best.independent, notes, err)
               : TML_OK;
}

TmlStatus tml_system_rank(TmlSystem *sys, const TmlState *s, TmlNotes *notes, TmlError *err)
{
    if (sys->dim.m_all == 0) {
        return tml_system_build_pattern(sys, err);
    }
    char singular[512] = "";
    bool *kept = tml_mem_zalloc((size_t)sys->dim.m_all, sizeof *kept);
    if (kept == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
    }
    const TmlArenaMark mark = tml_arena_mark(&sys->arena);
    TmlStatus status = find_rank(sys, s, kept, singular, sizeof singular, notes, err);
    tml_arena_release(&sys->arena, mark);
    if (singular[0] != '\0') {
        sys->singular_start = tml_arena_strdup(&sys->arena, singular);
        tml_notes_add(
            notes,
            "the start is a singular position of %s: the motion may continue in more than one way",
            singular);
    }
    if (status == TML_OK) {
        tml_system_number_rows(sys, kept);
        status = tml_system_watch_setup(sys, s, err);
    }
    status = status == TML_OK ? tml_share_create(sys, s, err) : status;
    status = status == TML_OK ? tml_share_tell(sys, s, notes, err) : status;
    status = status == TML_OK ? tml_system_build_pattern(sys, err) : status;
    tml_mem_free(kept);
    return status;
}
