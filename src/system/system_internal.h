/* system/system_internal.h - the fields of a system and the calls among its files, for src/system alone.
 *
 * Those above include system/system.h, which has no fields (tools/check_layers.py).
 */
#pragma once

#include "system/system.h"

/* Where the parts of one element live. */
typedef struct TmlSlot {
    int end0;    /* number of its first end */
    int row0;    /* constraints: first of its rows in m_all; forces: first of its F */
    int memory0; /* first of its memory values */
} TmlSlot;

/* One scalar equation given by an expression, or an output channel. */
typedef struct TmlEquation {
    const TmlBinding *binding;
    int end0, memory0;
    int *offset; /* n_unknowns: place of each unknown in TmlState.data; -1 - k: model->places[k] */
    int *column; /* n_unknowns: column of the linear system, -1: redundant row, has none */
    int *is_state; /* n_unknowns: 1 when the column is X' and the value X (factor c_x) */
    bool shared;   /* the expression reads reactions that redundancy leaves open: share.h */
} TmlEquation;

/* The bodies whose unknowns move something, and the local columns that stand for them. */
typedef struct TmlParts {
    int n, cols;
    const int *body; /* n */
    const int *col;  /* n + 1: first column of each; col[n] = cols */
} TmlParts;

typedef struct TmlBlocks TmlBlocks; /* scatter maps, see jacobian.c */
typedef struct TmlMatrix {
    TmlMatrixKind kind;
    TmlArena arena; /* memory of K: matrices are built anew when other rows are kept */
    TmlCsc K;
    TmlBlocks *blocks; /* NULL: not built */
} TmlMatrix;

typedef struct TmlClosure TmlClosure; /* projection matrix, see closure.c */
typedef struct TmlWatch TmlWatch;     /* rows that are left out, see watch.c */
typedef struct TmlDrives TmlDrives;   /* constraints that may jump in time, see drives.c */

struct TmlSystem {
    TmlDims dim;           /* first, for tml_dims */
    double *unit, *unit_q; /* the arrays of dim, which the system may write */
    const TmlModel *model;
    TmlArena arena;
    int n_ends, n_ends_loop;      /* ends seen by equations come first, those of channels after */
    TmlEnd *end;                  /* n_ends */
    TmlFrameKin *kin;             /* n_ends: motion at the last evaluated state */
    TmlParts *parts;              /* nb entries: what moves the frames of each body */
    struct TmlSystemFlex *flex;   /* NULL: no flexible bodies */
    struct TmlSystemModal *modal; /* NULL: no modal bodies */
    struct TmlTouching *touching; /* NULL: no contacts */
    int stride;                   /* largest number of columns of any end */
    TmlRow *wrench;               /* n_ends_loop: scratch */
    TmlBodyKin *body;             /* nb */
    TmlSlot *constraint, *force;  /* one slot for each constraint and each force of the model */
    TmlEquation *equation;        /* nx + nv + nf: states, variables, forces */
    double *held;                 /* nv: values of the variables that are constants */
    TmlEquation *channel;         /* model->channels.n, then model->probes.n */
    int n_settles, *settles;      /* V and F that do not depend on themselves, in order */
    bool *settled;                /* nv + nf flags: the value is among these */
    int n_memory;
    double *memory;     /* n_memory: turn counts, bristles; changed by commit only */
    int *row_owner;     /* m_all entries: the constraint that the row belongs to */
    int *row_unknown;   /* m_all: number of the row's lambda among the m active, or -1 */
    uint32_t *pfaffian; /* per constraint: mask of Pfaffian rows */
    double *work;       /* scratch for elements and expressions */
    struct {
        TmlRow *J, *D, *Gm, *Gv; /* rows times ends */
        double *Ju;              /* the same times `stride` */
        TmlFrameMap map[2];      /* of an end */
        double *X;               /* 6 stride: wrenches, one for each column of an end */
        double *block;           /* stride squared: between two ends */
        double *rows;            /* TML_MAX_ROWS stride */
        double *row[2];          /* stride */
    } room;                      /* scratch for one constraint at a time and for its ends */
    double *scratch;             /* size + n: scratch of whole-system functions */
    bool linear_unknowns;        /* no expression reads accelerations, multipliers, X', V or F */
    bool reads_acceleration;     /* some equation of (S3) reads accelerations */
    bool constant_mass;          /* the mass matrix of the bodies does not depend on the motion */
    double earliest, latest;     /* s: times that expressions may see, tml_system_set_span */
    bool *not_unique; /* m_all: rows whose lambda redundancy leaves open; NULL until used */
    int threads;      /* number of threads for loops over elements */
    double
        *violation; /* 3: residuals note here how far the constraints are off; NULL: they do not */
    struct TmlRowMotion *row_motion; /* what constraints see; NULL: all of the model is looked at */
    uint64_t motion;        /* counts calls of the kinematics, so that results can tell their age */
    struct TmlShare *share; /* NULL: no redundant rows */
    TmlMatrix matrix[TML_MATRIX_COUNT];
    TmlMatrix *target; /* the matrix that is being assembled */
    TmlInverse inverse[TML_FACTORS_COUNT];
    TmlSolver solver[TML_FACTORS_COUNT];        /* the solvers that each of these may use */
    double accuracy;                            /* of iterations with the matrix of steps */
    double cq;                                  /* c.q of the matrix as it was last assembled */
    double regularisation;                      /* e of (J5), chosen at the start by (P5) */
    TmlMatrixKind lu_matrix[TML_FACTORS_COUNT]; /* which matrix each set of factors belongs to */
    bool factored[TML_FACTORS_COUNT];           /* the last factorisation succeeded */
    bool out_of_memory;                         /* some factorisation has run out of memory */
    TmlClosure *closure;
    const char *singular_start; /* joints with dependent rows at the start; NULL: none */
    TmlDrives *drives;          /* NULL: not looked for */
    TmlWatch *watch;            /* NULL: no row has been left out yet */
    TmlPast *past;              /* one for each delay; NULL: values are not delayed */
    double *inverse_mass; /* nu: of a diagonal metric close to M, finite for massless bodies too */
    TmlVec3 gravity;      /* m/s^2, at the last kinematics */
    TmlPower power;       /* at the last residual */
    TmlSystemStats stats;
};

/* residual.c: weight per mass at a time that expressions see; forces at the last kinematics, but those that are marked
 * (NULL: none), with their powers: less their wrenches are added to sys->wrench; the power that a moving constraint puts in. */
TmlVec3 tml_system_gravity_at(const TmlSystem *sys, double t);
void tml_body_kinematics(TmlSystem *sys, const TmlState *s, int b);
void tml_system_forces(TmlSystem *sys, const TmlState *s, const bool *but);
double tml_drive_power(const TmlConstraint *con, const TmlElementIn *in, const double *lambda);

/* output.c: makes violations relative to the size and the motion of the model. */
void tml_system_scale_violation(const TmlSystem *sys, double violation[3]);

/* settle.c: the order of variables and forces; their values at the last kinematics, and with r
 * (nv + nf) unless that is NULL their rows of the residual. */
TML_NODISCARD TmlStatus tml_system_settle_setup(TmlSystem *sys, TmlError *err);
void tml_system_settle(TmlSystem *sys, TmlState *s, double *r);

/* The step matrix at c.q = c.v = 0 with (S3) left out: its rows are those of 1. */
void tml_system_jacobian_plain(TmlSystem *sys, const TmlState *s, TmlCoeffs c);

/* Numbers the active rows (NULL: all) and with them the unknowns. */
void tml_system_number_rows(TmlSystem *sys, const bool *active);

/* Length of active row k in the sense of a diagonal metric close to M^-1, from the step matrix as
 * it was last made: the root of (J5)'s diagonal. */
double tml_row_length(const TmlSystem *sys, int k);

/* e of (J5), unless (P5) asks for less. */
#define TML_REGULARISATION 1e-10

/* (P5): chooses e of (J5) for a system that is assembled at s, project.c. */
void tml_system_choose_regularisation(TmlSystem *sys, const TmlState *s);

/* The time that expressions see at the time t. */
static inline double tml_system_time(const TmlSystem *sys, double t)
{
    return t < sys->earliest ? sys->earliest : t > sys->latest ? sys->latest : t;
}

/* continue.c: coordinates, rates, states, variables and time; then memory, for the kinematics at s.
 */
void tml_system_take_state(const TmlSystem *sys, const TmlStart *from, TmlState *s);
void tml_system_take_memory(TmlSystem *sys, const TmlStart *from, const TmlState *s);

/* Move q, then v (each may be skipped), least in a diagonal metric close to M so that all rows hold
 * at s->t. Returns the largest remaining |Phi_k| relative to the row's size in (dr / L, dtheta), or
 * a negative number when the position iteration fails. */
typedef struct TmlCloseWhat {
    bool position, velocity;
    bool assembly; /* locked coordinates stay, q stays close to where it was */
    bool path;     /* should the direct way fail, a path is followed */
} TmlCloseWhat;
double tml_system_close(TmlSystem *sys, TmlState *s, TmlCloseWhat what);

/* What counts as closed. Redundant joints whose places are given to ten digits or fewer contradict
 * each other by less. */
#define TML_CLOSED 1e-7

/* Rank of the constraint rows at s: sets row_unknown, m, n and rebuilds the linear system when the
 * set of active rows changes. Redundant rows are named in notes. */
TML_NODISCARD TmlStatus tml_system_rank(TmlSystem *sys, const TmlState *s, TmlNotes *notes,
                                        TmlError *err);

/* A state on the constraints near to another, while the system is being set up; false when none was
 * found. */
bool tml_system_beside(TmlSystem *sys, const TmlState *from, uint64_t *seed, TmlState *to);

/* Makes the scaled rows at the last kinematics, a sparse matrix m_all x nu. */
TML_NODISCARD TmlStatus tml_system_rows_matrix(TmlSystem *sys, double t, TmlArena *arena,
                                               TmlCsc *out, TmlError *err);

/* redundant.c: tell the rows of A that are not independent, by loops. */
TML_NODISCARD TmlStatus tml_system_name_redundant(TmlSystem *sys, const TmlCsc *A,
                                                  const bool *independent, TmlNotes *notes,
                                                  TmlError *err);

/* The joints, as text, with a row that is independent elsewhere (best) and not at the start (first,
 * rows A), and of the loop that it belongs to. */
TML_NODISCARD TmlStatus tml_system_name_singular(TmlSystem *sys, const TmlCsc *A, const bool *first,
                                                 const bool *best, char *text, size_t size,
                                                 TmlError *err);

/* At the last kinematics, of s: the joints whose active rows a row of m_all repeats, as text;
 * whether it does at s. */
TML_NODISCARD TmlStatus tml_system_partners(TmlSystem *sys, const TmlState *s, int row, char *text,
                                            size_t size, bool *depends, TmlError *err);

/* What is left of a row of length one, relative, when it counts as redundant: see rank.c. */
#define TML_RANK_TOLERANCE 1e-6

/* Is equation k of (S3) 0 = expression, and not unknown = expression? */
static inline bool tml_equation_is_implicit(const TmlSystem *sys, int k)
{
    const TmlModel *m = sys->model;
    return k < sys->dim.nx
               ? m->states.at[k].implicit
               : k < sys->dim.nx + sys->dim.nv && m->variables.at[k - sys->dim.nx].implicit;
}

/* Is equation k of (S3) that of a constant, which is held at s? */
static inline bool tml_equation_is_held(const TmlSystem *sys, const TmlState *s, int k)
{
    return !s->adjusts && k >= sys->dim.nx && k < sys->dim.nx + sys->dim.nv &&
           sys->model->variables.at[k - sys->dim.nx].adjusted;
}

/* --- ends.c: frames, whatever owns them ------------------------------------------------------ */

const TmlParts *tml_point_parts(const TmlSystem *sys, int point);
const TmlParts *tml_element_parts(const TmlSystem *sys, int element);

static inline const TmlParts *tml_end_parts(const TmlSystem *sys, int end)
{
    const TmlEnd *e = &sys->end[end];
    return e->point > 0 ? tml_point_parts(sys, e->point - 1) : &sys->parts[e->body];
}

/* The unknown that a local column stands for. */
static inline int tml_parts_unknown(const TmlSystem *sys, const TmlParts *p, int col)
{
    int k = 0;
    while (p->col[k + 1] <= col) {
        ++k;
    }
    return sys->dim.span[p->body[k]].u0 + col - p->col[k];
}

TML_NODISCARD TmlStatus tml_ends_setup(TmlSystem *sys, TmlError *err);

/* Motion of the end at the last motion of the bodies. */
void tml_end_frame(TmlSystem *sys, int end);

/* Derivatives of that motion by y: 6 x cols matrices, cols those of tml_end_parts. */
void tml_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out);

/* r[nu] += T^T w */
void tml_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r);

/* Y[cols * n] = T^T X for n wrenches, the columns of X[6 * n]. */
void tml_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y);

/* K[cols * cols] += c_q * derivative of T^T w by u at fixed w. */
void tml_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K);

/* Of a coordinate of a flexible body: "flexible body 'arm', node 3: position along y". False: the
 * body is none. Nodes count from 1. */
bool tml_flex_coordinate_name(const TmlSystem *sys, int body, int component, char *text,
                              size_t size);

/* Rows of one constraint in u at the last kinematics: for row k and end e,
 * Ju[(k * n_ends + e) * stride + c], c the columns of tml_end_parts. The result, room.Ju, lasts
 * until the next constraint is asked. */
const double *tml_constraint_rows(TmlSystem *sys, int c, double t);
/* phi[rows] of one constraint at the last kinematics: Phi, its first or second time derivative. */
void tml_constraint_level(TmlSystem *sys, int c, double t, TmlLevel level, double *phi);
void tml_constraint_levels(TmlSystem *sys, int c, double t, double phi[3][TML_MAX_ROWS]);
/* What an element is given at the last kinematics. */
TmlElementIn tml_constraint_in(const TmlSystem *sys, int c, double t);
TmlElementIn tml_force_in(const TmlSystem *sys, const TmlState *s, int f);
TmlBindIn tml_equation_in(const TmlSystem *sys, const TmlState *s, const TmlEquation *eq,
                          double *unknowns);
