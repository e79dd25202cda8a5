/* system/redundancy/share_choose.c - which of the dependent rows are kept, chosen anew under way.
 *
 * Rows are left out by their rank at the start. Later those that are kept may become dependent
 * among themselves where the mechanism is not singular: the ones left out would hold it. Then c of
 * (R3) grows without bound. The null space itself is as good as ever, and its orthonormal basis Q
 * tells which rows may be left out:
 *
 *   (R7)  leave out the row of Q that is longest, take its direction from the others, repeat
 *
 * This is Gaussian elimination with row pivoting: c of the new choice is a small number. A row that
 * is left out already stays so when it is half as long as the longest, so that little changes.
 */
#include "system/redundancy/share.h"

#include <math.h>
#include <string.h>

/* Rows count as worn when c is larger than the first number (a choice by (R7) has 2 or so). A row
 * that is left out stays so while it is longer than the second, a part of the longest. */
static const double worn_size = 5.0, staying_part = 0.5;

/* Copies the rows of Q of one loop, n_rows x n_open, to W. */
static void rows_of(const TmlShare *share, const TmlShareGroup *group, double *W)
{
    for (int r = 0; r < group->n_rows; ++r) {
        for (int j = 0; j < group->n_open; ++j) {
            W[r * group->n_open + j] =
                share->Q[(size_t)j * (size_t)share->n_rows + (size_t)(group->row0 + r)];
        }
    }
}

static double length_of(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

/* Chooses the next row of one loop that is left out. */
static int pick(const TmlSystem *sys, const TmlShareGroup *group, const double *W, const bool *kept)
{
    int best = -1, old = -1;
    double longest = 0.0, longest_old = 0.0;
    for (int r = 0; r < group->n_rows; ++r) {
        const int row = sys->share->row[group->row0 + r];
        const double length = length_of(group->n_open, W + r * group->n_open);
        if (kept[row] && length > longest) {
            longest = length;
            best = r;
        }
        if (kept[row] && sys->row_unknown[row] < 0 && length > longest_old) {
            longest_old = length;
            old = r;
        }
    }
    return longest_old >= staying_part * longest ? old : best;
}

/* Does (R7) for one loop: kept[m_all] loses those that are left out. It returns false when Q has
 * not the rank. */
static bool choose(const TmlSystem *sys, const TmlShareGroup *group, double *W, bool *kept)
{
    const int d = group->n_open;
    rows_of(sys->share, group, W);
    for (int j = 0; j < d; ++j) {
        const int r = pick(sys, group, W, kept);
        double *x = r >= 0 ? W + r * d : NULL;
        const double length = x != NULL ? length_of(d, x) : 0.0;
        if (!(length > 1e-6)) {
            return false;
        }
        kept[sys->share->row[group->row0 + r]] = false;
        for (int k = 0; k < group->n_rows; ++k) {
            double *y = W + k * d, along = 0.0;
            for (int i = 0; i < d && k != r; ++i) {
                along += x[i] * y[i] / (length * length);
            }
            for (int i = 0; i < d && k != r; ++i) {
                y[i] -= along * x[i];
            }
        }
    }
    return true;
}

/* Rows of velocities and of positions do not stand for each other. */
static bool has_pfaffian(const TmlSystem *sys, const TmlShareGroup *group)
{
    bool has = false;
    for (int i = 0; i < group->n_constraints; ++i) {
        has = has || sys->pfaffian[group->constraint[i]] != 0;
    }
    return has;
}

/* Sets which rows of m_all are kept by (R7) in sys->share->kept, and tells whether they are
 * others. */
static bool choose_all(TmlSystem *sys)
{
    TmlShare *share = sys->share;
    bool changed = false;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        share->kept[k] = true;
    }
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        const bool done =
            !has_pfaffian(sys, group) && choose(sys, group, share->pivots, share->kept);
        for (int r = group->row0; r < group->row0 + group->n_rows; ++r) {
            const int row = share->row[r];
            const bool now = sys->row_unknown[row] >= 0;
            share->kept[row] = done ? share->kept[row] : now;
            changed = changed || share->kept[row] != now;
        }
    }
    return changed;
}

bool tml_system_rows_worn(TmlSystem *sys, const TmlState *s)
{
    if (sys->share == NULL) {
        return false;
    }
    tml_system_kinematics(sys, s, false);
    return tml_share_renew(sys->share, s->t) && sys->share->wear > worn_size && choose_all(sys);
}

TmlStatus tml_system_take_rows(TmlSystem *sys, const TmlSystem *from, const TmlState *s,
                               bool *changed, TmlError *err)
{
    *changed = false;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        *changed |= (sys->row_unknown[k] >= 0) != (from->row_unknown[k] >= 0);
    }
    if (!*changed) {
        return TML_OK;
    }
    if (sys->share == NULL || sys->dim.m != from->dim.m) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "other joints are redundant when the parameter is a little different");
    }
    for (int k = 0; k < sys->dim.m_all; ++k) {
        sys->share->kept[k] = from->row_unknown[k] >= 0;
    }
    tml_system_number_rows(sys, sys->share->kept);
    tml_share_rows_changed(sys->share);
    TML_TRY(tml_system_watch_setup(sys, s, err));
    return tml_system_build_pattern(sys, err);
}

TmlStatus tml_system_choose_rows(TmlSystem *sys, TmlState *s, bool *changed, TmlError *err)
{
    const TmlSystemStats stats = sys->stats;
    *changed = tml_system_rows_worn(sys, s);
    if (!*changed) {
        return TML_OK;
    }
    tml_system_number_rows(sys, sys->share->kept);
    tml_share_rows_changed(sys->share);
    TML_TRY(tml_system_watch_setup(sys, s, err));
    TML_TRY(tml_system_build_pattern(sys, err));
    sys->stats = stats; // the work of building does not count
    if (tml_share_renew(sys->share, s->t)) {
        tml_share_carry(sys->share, s->lambda);
    }
    return TML_OK;
}
