/* system/redundancy/share.h - reactions that redundancy leaves open: by which rule they are shared.
 *
 * Redundant rows leave part of the multipliers open: lambda and lambda + N z with Phi_q^T N = 0 put
 * the same forces on the bodies. Everything that looks at reactions (friction, expressions, events,
 * rows of results) sees one of them, the smallest:
 *
 *   (R1)  lambda_s = arg min sum_k (s_k lambda_k)^2,  Phi_q^T lambda_s = Phi_q^T lambda
 *   (R2)  s_k = L |J_k,r| for rows that hold points, |J_k,theta| for rows that hold directions:
 *         forces count with L, torques with one, whatever the row is written in
 *
 * L is the largest distance of a joint of the loop from the middle of all that are on the same
 * body: half the distance of two bearings of a shaft. It does not depend on units, axes, the order
 * of joints, reference points or where the motion starts. A loop is a set of constraints that no
 * single body connects with the others; null vectors stay inside of one, so each has its own L and
 * an equation depends on its own loops alone.
 *
 * With mu = S lambda, B = S^-1 J U the scaled rows (U: L for lengths), a: rows that are kept, r:
 * rows that are left out:
 *
 *   (R3)  [1 B_a^T; B_a -e] [x; c] = [B_r^T; 0],   N = [-c; 1]: one vector for each row left out
 *   (R4)  mu_s = mu - Q Q^T mu,  Q an orthonormal basis of the vectors N
 *   (R5)  d(g . mu_s) = n_g . dB y + y_g . dB^T n,  n = Q Q^T mu, n_g = Q Q^T g, B y = mu_s,
 *         B y_g = g - n_g: the derivative of an orthogonal projector (Golub and Pereyra 1973)
 *
 * Off the constraints, where all rows may be independent, c of (R3) is the closest combination, so
 * that (R1) stays smooth.
 */
#pragma once

#include "system/system_internal.h"

typedef struct TmlShareGroup {
    int n_constraints, *constraint;
    int n_bodies, *body, *col0; /* its bodies and their first columns of the matrix */
    int row0, n_rows;           /* its rows, among those of all loops */
    int n_open;                 /* rows that are left out */
    int *open;                  /* n_open: which, among the rows of all loops */
    double length;              /* m: L of (R2) */
} TmlShareGroup;

struct TmlShare {
    TmlSystem *sys;
    TmlArena arena;
    int n_groups;
    TmlShareGroup *group;
    int *group_of;      /* per constraint: its loop, -1: none with redundant rows */
    int n_cols, n_rows; /* the matrix has both; columns of a body are those of one loop */
    int depth;          /* most rows that one loop leaves out */
    int *row, *row_at;  /* n_rows: its number in m_all; m_all: its number here or -1 */
    int *first;         /* n_rows + 1: first entry of each row */
    int *col, *map;     /* entries: column; two places in A each */
    double *value;      /* entries: of B */
    int *diagonal;      /* n_cols + n_rows: places in A */
    int *body_col;      /* nb: first column of a body in the loop at hand */
    double *unit;       /* n_cols: U */
    double *size;       /* n_rows: S at the last factorisation */
    TmlCsc A;
    TmlLu *lu;
    bool factored;
    uint64_t motion; /* of the kinematics that the factors belong to */
    uint64_t marked; /* of those at which tml_system_shared_lambda was last asked */
    bool large;      /* too many for Q, which is then not there: (R8) of share_large.c */
    double *Q;       /* depth * n_rows: (R4) */
    double *pivots;  /* n_rows * depth: rows of Q that are being chosen from */
    struct {
        double *z, *r, *p, *w, *Ap; /* n_rows */
        double *rhs;                /* n_cols + n_rows */
        TmlCsc K;                   /* (R9): the pattern of A */
        TmlLu *lu;
        bool factored;
    } cg;                   /* of (R8) */
    int looks;              /* rows of results that open rows were looked for in */
    bool *kept;             /* m_all: what was chosen */
    double wear;            /* largest |c| of (R3) */
    double *given, *seen;   /* m_all: multipliers last asked for, and what they are shared as */
    double *open_part;      /* n_rows: n of (R5) */
    bool projected, moved;  /* seen belongs to given; y belongs to seen */
    double *y, *y_g;        /* n_cols + n_rows: (R5) */
    double *g, *n_g, *x;    /* n_rows; x: scratch */
    double *turn;           /* n_cols: derivative by the motion */
    int *first_read, *read; /* nx + nv + nf + 1: loops that each equation reads */
};
typedef struct TmlShare TmlShare;

/* Loops with rows that are left out; nothing to do without. s is on the constraints. Sets
 * TmlEquation.shared. Calls kinematics. */
TML_NODISCARD TmlStatus tml_share_create(TmlSystem *sys, const TmlState *s, TmlError *err);
void tml_share_free(TmlSystem *sys);

/* share_groups.c: loops, their bodies and lengths. */
TML_NODISCARD TmlStatus tml_share_find_groups(TmlShare *share, const TmlState *s, TmlError *err);

/* lambda_s[m_all] of (R1) for the multipliers of s at the last kinematics, which is that of s. */
const double *tml_share_seen(TmlShare *share, const TmlState *s);

/* Other rows are left out from now on, as many of each loop as before. */
void tml_share_rows_changed(TmlShare *share);

/* Of an equation that reads some: its unknowns, with multipliers as they are shared. */
void tml_share_read(const TmlSystem *sys, const TmlState *s, const TmlEquation *eq,
                    double *unknowns);

/* Factors and Q at the last kinematics; false: there are none. */
bool tml_share_renew(TmlShare *share, double t);
/* n = Q Q^T x, for scaled multipliers of all loops. */
void tml_share_open_part(const TmlShare *share, const double *x, double *n);
/* share_large.c: the same without Q; room and factors for it. */
void tml_share_open_part_large(const TmlShare *share, const double *x, double *n);
TML_NODISCARD TmlStatus tml_share_large_create(TmlShare *share, TmlError *err);
void tml_share_large_renew(TmlShare *share);
/* Move what lambda[m_all] has in rows that are left out to those that are kept, with the same
 * forces on the bodies; with the factors as they are. */
void tml_share_carry(TmlShare *share, double *lambda);
/* y with B y = x on the rows that are kept; x in the range of B. */
void tml_share_motion(const TmlShare *share, const double *x, double *y);

/* share_gradient.c: blocks of equation k, whose derivatives by its unknowns are gu: its
 * derivatives by multipliers and, with c.q, by positions, through (R1). */
void tml_share_blocks(TmlSystem *sys, const TmlState *s, int k, const double *gu, double sign,
                      TmlCoeffs c);

/* share_notes.c: tell which forces and equations depend on how reactions are shared. Calls
 * kinematics. */
TML_NODISCARD TmlStatus tml_share_tell(TmlSystem *sys, const TmlState *s, TmlNotes *notes,
                                       TmlError *err);

/* Returns the row of unknown i of an equation among those of all loops, or -1. */
static inline int tml_share_row(const TmlSystem *sys, const TmlEquation *eq, int i)
{
    const int row = eq->offset[i] - 3 * sys->dim.nq; // multipliers follow q, q', q''
    return row >= 0 && row < sys->dim.m_all ? sys->share->row_at[row] : -1;
}
