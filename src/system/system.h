/* system/system.h - the equations of a finished model as one sparse system.
 *
 *   (S1)  M(q) q'' + Phi_q^T lambda - Q(q, q', t, X, V, F) = 0     nu rows, dual to (dr, dtheta)
 *   (S2)  Phi(q, t) = 0, or A(q, t) q' + b = 0 for Pfaffian rows    m rows, redundant ones left out
 *   (S3)  d(X', X, ...) = 0,  V - v(...) = 0,  F - f(...) = 0       nx, nv, nf rows
 *
 * Unknowns of the linear system, in this order: u-components of q'' (nu), lambda (m), X' (nx),
 * V (nv), F (nf): equation (8) and the Newton matrix (12) of [003]. A system owns scratch memory,
 * so it belongs to one thread; the model behind it is constant and may be shared.
 */
#pragma once

#include "model/body/body.h"
#include "model/measure/binding.h"
#include "model/model.h"
#include "sparse/lu.h"
#include "system/matrix/inverse.h"

/* Where the coordinates and unknowns of a body are. The first `lengths` of each are lengths, others
 * angles and the like. */
typedef struct TmlBodySpan {
    int q0, nq; /* coordinates: the first, and how many */
    int u0, nu; /* unknowns */
    int lengths;
    int owner; /* the body itself, or the one that stands for the flexible body that it is part of */
    bool scalars; /* they have no direction in space: modal coordinates */
} TmlBodySpan;

/* How many there are of everything; m and n change when rows are found to be redundant. */
typedef struct TmlDims {
    int nb;                  /* bodies, ground included */
    int nq, nu;              /* coordinates, unknowns of the bodies */
    int m_all, m;            /* number of constraint rows: all rows, and the active ones */
    int nx, nv, nf;          /* states, variables, forces given by expressions */
    int n;                   /* unknowns of the linear system: nu + m + nx + nv + nf */
    int size;                /* doubles of a TmlState */
    double length, mass;     /* the size of the model, m; the mean mass of a body, kg */
    const TmlBodySpan *span; /* one for each body, and one where the last body ends */
    const double *unit;      /* nu: the size that counts as one: `length` or 1 */
    const double *unit_q;    /* nq: the same for coordinates */
} TmlDims;

/* All values at one time. The arrays are parts of one block of `size` doubles. */
typedef struct TmlState {
    double t;
    bool still;   /* time stands still: rates by time are 0, delayed values the present ones */
    bool adjusts; /* constants that statics finds are unknowns; else they are held */
    bool
        alone; /* an instant without a before, in statics and linear analysis: points in contact keep no sides */
    double *data;      /* size */
    double *q, *v, *a; /* nq: coordinates, rates, second rates */
    double *lambda;    /* m_all: one per constraint row; zero for redundant rows */
    double *X, *Xd;    /* nx */
    double *V, *F;     /* nv, nf */
} TmlState;

/* Level at which holonomic rows are taken by tml_system_residual. */
typedef enum TmlLevel { TML_LEVEL_POSITION, TML_LEVEL_VELOCITY, TML_LEVEL_ACCELERATION } TmlLevel;

struct TmlRowContact;

typedef struct TmlSystemStats {
    int64_t residuals, jacobians, factors, refactors, solves;
    int64_t analyses;           /* symbolic factorisations of the orderings that were tried */
    int64_t iterated, products; /* solves done by iterations, and their products */
    double seconds_residual, seconds_jacobian, seconds_factor, seconds_solve;
    int64_t candidates, contacts; /* near pairs of all residuals; those that touched */
} TmlSystemStats;

/* Solving for accelerations between steps must not destroy the factors that an integrator keeps. */
typedef enum TmlFactors {
    TML_FACTORS_STEP,
    TML_FACTORS_ACCELERATION,
    TML_FACTORS_STAGE,
    TML_FACTORS_ROW, /* these replace TML_FACTORS_ACCELERATION while an output row is made */
    TML_FACTORS_COUNT
} TmlFactors;

/* The two matrices. Both have the rows (S1) and (S3) and differ in those of the constraints. */
typedef enum TmlMatrixKind {
    TML_MATRIX_STEP,  /* rows of Phi_q: Newton iterations on positions; accelerations */
    TML_MATRIX_STAGE, /* derivative of the acceleration-level rows: linearly implicit stages */
    TML_MATRIX_COUNT
} TmlMatrixKind;

/* The fields are those of src/system alone (system/system_internal.h). */
typedef struct TmlSystem TmlSystem;

/* Returns the dimensions of a system. They are its first field. */
static inline const TmlDims *tml_dims(const TmlSystem *sys)
{
    return (const TmlDims *)sys;
}

TML_NODISCARD TmlStatus tml_system_create(const TmlModel *model, int threads, TmlSystem **out,
                                          TmlError *err);
void tml_system_free(TmlSystem *sys);

/* Set the size of the model that tolerances are relative to. */
void tml_system_set_length(TmlSystem *sys, double length);

/* Allocate a zeroed state; initial: q, v, X, V from the model, not assembled. */
TML_NODISCARD TmlStatus tml_state_create(TmlSystem *sys, TmlState *out, TmlError *err);
TML_NODISCARD TmlStatus tml_state_create_in(const TmlSystem *sys, TmlArena *arena, TmlState *out,
                                            TmlError *err);
void tml_state_copy(const TmlSystem *sys, const TmlState *from, TmlState *to);
void tml_system_initial(const TmlSystem *sys, TmlState *s);

/* Variables that are constants (`adjust`) are held at the values of s from now on. */
void tml_system_hold_constants(TmlSystem *sys, const TmlState *s);

/* Gives s, at positions that satisfy the constraints, the velocities of the state `given`, as far as the constraints
 * allow, and what accelerations and multipliers follow from them. */
TML_NODISCARD TmlStatus tml_system_set_moving(TmlSystem *sys, TmlState *s, const TmlState *given,
                                              TmlError *err);

/* Motion of bodies and ends at s; `channels` includes the ends of output channels. */
void tml_system_kinematics(TmlSystem *sys, const TmlState *s, bool channels);

/* r[n] = residual of (S1) to (S3) at s, constraint rows at the given level: Phi, its first or its
 * second time derivative (Pfaffian rows: A q' + b at position and velocity level, its derivative at
 * acceleration level). Rows are not scaled. Calls kinematics. */
void tml_system_residual(TmlSystem *sys, const TmlState *s, TmlLevel level, double *r);
/* The same after V and F of s are given the values that the rest of s says, as far as they do not
 * depend on themselves: their rows of r are zero then, or not finite where a value is not. */
void tml_system_residual_settled(TmlSystem *sys, TmlState *s, TmlLevel level, double *r);
/* The same at acceleration level and the last kinematics, with what tml_system_violation tells. */
void tml_system_residual_judged(TmlSystem *sys, TmlState *s, double *r, double violation[3]);
/* How often kinematics were made: the same number twice, and nothing has moved. */
uint64_t tml_system_motion(const TmlSystem *sys);

/* r[n] = partial derivative by time of the residual at position level, at rest. Forces on the
 * coordinates by a central difference over h, all else exact. other[n]: scratch. Calls kinematics.
 */
void tml_system_by_time(TmlSystem *sys, TmlState *s, double h, double *r, double *other);

/* K = derivative of the residual by the unknowns when q, v, X follow them as dq = c.q dq'',
 * dv = c.v dq'', dX = c_x dX'; holonomic rows divided by c.q, Pfaffian rows by c.v (rows of Phi_q
 * and A in u, so c.q = c.v = 0 gives the acceleration-level matrix). Uses the kinematics of the
 * last residual. */
void tml_system_jacobian(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x);

/* The stage matrix: as above, but with the derivative of the acceleration-level constraint rows, so
 * that K x = r solves (1 - J_v c_v/c_a ...) x of the underlying ordinary differential equation. The
 * coordinates of rotations are rotation vectors from the present position (c.chart is ignored). */
void tml_system_stage_jacobian(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x);

/* Make factors of the matrix that they belong to. Returns -1, or the number of the unknown without a
 * pivot. */
int tml_system_factor(TmlSystem *sys, TmlFactors which);
/* Puts the solution in the place of the right side r[n]. */
void tml_system_solve(TmlSystem *sys, TmlFactors which, double *r);

/* From now on what may be used to solve with the factors of steps and with those of accelerations and rows, as far as the
 * model is one for iterations. Until this is said steps are solved for directly, the others as takes less. */
TML_NODISCARD TmlStatus tml_system_set_solver(TmlSystem *sys, TmlSolver steps, TmlSolver others,
                                              TmlError *err);
/* How accurate iterations with TML_FACTORS_STEP are, relative to what they start from. */
void tml_system_set_accuracy(TmlSystem *sys, double accuracy);

/* Exchange the acceleration-level factors with those of output rows, before a row is made and after
 * it: what a method keeps is not touched, so that rows leave no trace in a run. */
void tml_system_swap_factors(TmlSystem *sys);
/* Gives back the memory of the acceleration-level factors, which are computed anew where they are needed. */
void tml_system_release_factors(TmlSystem *sys);

/* --- facts.c, time/smoothness.c: what kind of model it is ----------------------------------- */

bool tml_system_is_flexible(const TmlSystem *sys);  /* it has flexible or modal bodies */
bool tml_system_has_meshes(const TmlSystem *sys);   /* it has flexible bodies of nodes */
bool tml_system_is_redundant(const TmlSystem *sys); /* rows are left out as redundant */
bool tml_system_is_delayed(const TmlSystem *sys);   /* it has values that are delayed */
/* Returns as text the joints whose rows become dependent at the initial position; NULL: there are none. */
const char *tml_system_singular_start(const TmlSystem *sys);
/* Tells whether variables and forces can only be computed together with accelerations or multipliers. */
bool tml_system_needs_solution(const TmlSystem *sys);

/* Kinks that count beside those in which something sets in unseen: none, those of friction, or also those of absolute values, tables
 * and limits. */
typedef enum TmlKinks { TML_KINKS_HIDDEN, TML_KINKS_OF_FRICTION, TML_KINKS_ALL } TmlKinks;
/* Whether an expression of the state in the equations has a bounded number of derivatives. */
bool tml_system_is_rough(const TmlSystem *sys, TmlKinks kinks);
/* Whether tyres that may leave the ground roll in it: stiff forces, with kinks where they touch and let go. */
bool tml_system_has_tyres(const TmlSystem *sys);
/* Whether time appears in the equations other than through the state. Types of a user's own may
 * read it without an expression, so they count as if they did. */
bool tml_system_is_rheonomic(const TmlSystem *sys);
bool tml_system_is_driven(const TmlSystem *sys); /* some constraint depends on time */
/* Tells whether only gravity and elasticity do work: there is no force, motion, viscous stress or load. */
bool tml_system_is_conservative(const TmlSystem *sys);
/* A joint whose type cannot make its part of the stage matrix; false: there is none. */
bool tml_system_lacks_stage(const TmlSystem *sys, const char **joint, const char **type);
const TmlModel *tml_system_model(const TmlSystem *sys);

/* --- elements.c ------------------------------------------------------------------------------- */

/* Returns the name under which users know a body: for a part of a flexible body, the name of the flexible body. */
const char *tml_body_name(const TmlSystem *sys, int body);
/* Three unknowns that are the components of one vector (two in the plane): what moves a body or is a
 * gradient, and what turns a body. */
typedef struct TmlTriple {
    int first, n; /* unknowns */
    int body;
    bool rotation; /* of a body; else a position or a gradient */
    bool scalars;  /* no vector after all: no frame turns these */
    int index;     /* 2 * body + rotation */
} TmlTriple;
TmlTriple tml_triple(const TmlSystem *sys, int body, bool rotation);  /* n = 0: there is none */
TmlTriple tml_triple_of(const TmlSystem *sys, int body, int unknown); /* the one that has it */
TmlQuat tml_body_orientation(const TmlSystem *sys, const TmlState *s, int body);
/* Turns a body by a rotation vector in global axes, in the coordinates q; leaves one without rotation. */
void tml_body_turn(const TmlSystem *sys, double *q, int body, TmlVec3 theta);

/* Returns the motion of the *n ends of a joint at the state of the last call of the kinematics. */
const TmlFrameKin *tml_joint_motion(const TmlSystem *sys, int joint, int *n);
/* Whether redundancy does not leave its reaction open, after tml_system_min_norm_lambda or tml_system_shared_lambda. */
bool tml_joint_is_unique(const TmlSystem *sys, int joint);

const char *tml_force_name(const TmlSystem *sys, int force);
/* What a force does to its last end at s, whose kinematics are the last, and the axes of that end. */
TmlRow tml_force_wrench(const TmlSystem *sys, const TmlState *s, int force, TmlMat33 *axes);
/* An output of a force by its number; the value is filled unless s is NULL. False: there is none. */
typedef struct TmlForceOutput {
    const char *name, *unit;
    double value;
} TmlForceOutput;
bool tml_force_output(const TmlSystem *sys, const TmlState *s, int force, int index,
                      TmlForceOutput *out);

/* --- facts.c: memory, accounts, matrices, rows -------------------------------------------------- */

/* Returns memory that lasts as long as the system. */
TmlArena *tml_system_arena(TmlSystem *sys);
/* Returns room for size + n values. The next call on the system may overwrite them. */
double *tml_system_scratch(const TmlSystem *sys);
size_t tml_system_reserved(const TmlSystem *sys); /* bytes, of its arenas */

/* Reads the counters of work, or sets them back, so that what was done in between is not counted. */
TmlSystemStats tml_system_stats(const TmlSystem *sys);
void tml_system_set_stats(TmlSystem *sys, TmlSystemStats stats);

/* Returns n values that elements keep from one accepted state to the next, such as counts of turns. */
const double *tml_system_memory(const TmlSystem *sys, int *n);
void tml_system_set_memory(TmlSystem *sys, const double *memory);

/* Return a matrix as it was last computed, to read it, or to change its values before it is factored. The third call
 * tells whether there is a stage matrix. */
const TmlCsc *tml_system_matrix(const TmlSystem *sys, TmlMatrixKind kind);
TmlCsc *tml_system_matrix_to_change(TmlSystem *sys, TmlMatrixKind kind);
bool tml_system_has_stage(const TmlSystem *sys);
/* Tells whether the last factorisation succeeded and is still valid; the second call makes it invalid. */
bool tml_system_is_factored(const TmlSystem *sys, TmlFactors which);
void tml_system_drop_factors(TmlSystem *sys, TmlFactors which);
/* Tells whether a factorisation has run out of memory since tml_system_memory_again was last called. */
bool tml_system_out_of_memory(const TmlSystem *sys);
void tml_system_memory_again(TmlSystem *sys);
int tml_system_sign(const TmlSystem *sys, TmlFactors which); /* of the determinant */
/* NULL: there are none of this kind yet. */
const TmlLuInfo *tml_system_lu_info(const TmlSystem *sys, TmlFactors which);
/* nu: of a diagonal metric close to M, finite for massless bodies too. */
const double *tml_system_inverse_mass(const TmlSystem *sys);

/* A row of m_all: its number among the m active ones, or -1; whether it is Pfaffian, a row of
 * velocities that asks for no position. */
typedef struct TmlRowPlace {
    int unknown;
    bool velocity;
} TmlRowPlace;
TmlRowPlace tml_system_row(const TmlSystem *sys, int row);
int tml_row_unknown(const TmlSystem *sys, int row);         /* the first of these alone */
int tml_constraint_row(const TmlSystem *sys, int c, int k); /* the row of m_all that is k of c */
/* Divide the active rows of constraints in r[n]: Pfaffian ones by `velocity`, others by `position`. */
void tml_system_scale_rows(const TmlSystem *sys, double position, double velocity, double *r);
/* r[n] = (0, active rows at the level, 0); Pfaffian ones are zero at position level. Returns the
 * largest. Calls kinematics of what constraints see alone. */
double tml_system_rows(TmlSystem *sys, const TmlState *s, TmlLevel level, double *r);
/* r[nu] += Phi_q^T lambda of the rows that are left out as redundant: among reactions of smallest
 * norm they have their share, and the residual does not count them. */
void tml_system_add_redundant(TmlSystem *sys, const TmlState *s, double *r);

/* Motion of a body's frame at the last kinematics; m/s^2 of gravity there. */
const TmlFrameKin *tml_body_motion(const TmlSystem *sys, int body);
/* How fast that is, in lengths of the model and radians. Gradients of flexible bodies have no unit:
 * their rates count as they are, and they are nowhere. */
typedef struct TmlPace {
    double rate, acceleration; /* 1/s, 1/s^2: the larger of translation and rotation */
    double way;                /* from the origin, in lengths of the model */
} TmlPace;
TmlPace tml_body_pace(const TmlSystem *sys, int body);
TmlVec3 tml_system_gravity(const TmlSystem *sys);

/* W at the last residual. */
typedef struct TmlPower {
    double stored; /* of forces that can store energy */
    double other;  /* of other forces and of moving constraints */
    double press;  /* of what contacts do not give back, along their normals; negative: lost */
    double slip;   /* of friction in contacts */
} TmlPower;
TmlPower tml_system_power(const TmlSystem *sys);
/* N: the largest force on a body at the last residual, of loads, springs and joints; torques over
 * the length of the model. */
double tml_system_largest_force(const TmlSystem *sys);

/* Whether expressions do not see t, since a break lies before it: tml_system_set_span. */
bool tml_system_is_beyond(const TmlSystem *sys, double t);

/* Name of unknown or row k for messages: "acceleration along x of body 'rod'", "rotation about y
 * of joint 'pin2'". */
void tml_system_unknown_name(const TmlSystem *sys, int k, char *text, size_t size);
void tml_system_row_name(const TmlSystem *sys, int row, char *text, size_t size); /* of m_all */

/* Bodies: dq = N du, du = T dq, put q (and v) onto the norm constraints. */
void tml_system_expand(const TmlSystem *sys, const double *q, const double *du, double *dq);
void tml_system_reduce(const TmlSystem *sys, const double *q, const double *dq, double *du);
void tml_system_retract(const TmlSystem *sys, double *q);
void tml_system_retract_velocity(const TmlSystem *sys, const double *q, double *v);

/* y[nu] = M x[nu] at the last kinematics of s. */
void tml_system_mass_mul(const TmlSystem *sys, const TmlState *s, const double *x, double *y);

/* Subtracts the correction dz[n] from q'' (through N), lambda, X', V, F. dq: scratch, nq. */
void tml_system_correct(const TmlSystem *sys, TmlState *s, const double *dz, double *dq);

/* Values that belong to accepted states: turn counts and the like. */
void tml_system_commit(TmlSystem *sys, const TmlState *s);

/* Solve for q'', lambda, X', V, F at given t, q, v, X: Newton on the acceleration-level system.
 * TML_E_SINGULAR names the unknown; TML_E_STEP when it does not converge. */
TML_NODISCARD TmlStatus tml_system_accelerations(TmlSystem *sys, TmlState *s, TmlError *err);

/* The same to rounding with factors of an earlier state as long as they serve: for methods that ask
 * at many states close to each other. The accelerations and multipliers of s are where it starts;
 * they should be those of a state nearby. Zero a TmlKept to begin. */
typedef struct TmlKept {
    bool loose;   /* to 1e-10 of the largest will do; set by the caller */
    bool ready;   /* the factors may be used */
    bool renewed; /* the last call made new ones; the step matrix then holds (A1) */
    double floor; /* what rounding leaves, relative */
} TmlKept;
TML_NODISCARD TmlStatus tml_system_accelerations_kept(TmlSystem *sys, TmlState *s, TmlKept *kept,
                                                      TmlError *err);

/* Move v onto the velocity constraints orthogonally in the sense of M, with new factors: the change
 * is an impulse of the constraints, so the motion along them is not touched and a method keeps its
 * order. (Another metric, or factors of an earlier position, costs one.) False: singular. */
bool tml_system_project_velocity(TmlSystem *sys, TmlState *s);

/* Move q, v and a onto the constraints, orthogonally in the sense of M, with new acceleration-level
 * factors at s->q: for states that are close to them already. False: singular, or too far. */
bool tml_system_project(TmlSystem *sys, TmlState *s);

/* The same with the acceleration-level factors as they are: those of an earlier state, or of a
 * matrix with c_q and c_v, in whose sense the move is then least. False: too far for them. */
bool tml_system_project_kept(TmlSystem *sys, TmlState *s);

/* From n changes du[i][nu] of positions or velocities at s what a projection would leave of them:
 * the parts along the constraints, orthogonally in the sense of M. `renew`: with new factors, else
 * those of tml_system_accelerations at s, called just before. False: singular. */
bool tml_system_tangent(TmlSystem *sys, const TmlState *s, bool renew, int n, double *const *du);

/* The hold of the constraints at s: the least singular value of their rows, each of length one, in
 * the sense of M; 1 without constraints, 0 where the matrix has no factors. A singular position is
 * where it vanishes: rounding of positions is multiplied by 1 / hold, and that of accelerations by
 * its square. Makes new acceleration-level factors. Calls kinematics. */
double tml_system_hold(TmlSystem *sys, const TmlState *s);

/* The same, and as text the joints whose rows nearly depend on each other; empty where the matrix has no factors. */
double tml_system_weakest(TmlSystem *sys, const TmlState *s, char *text, size_t size);

/* Below this hold a failure is told as that of a singular position: accelerations have lost half of their digits there. */
#define TML_SINGULAR_HOLD 1e-4

/* What is told of it, behind the time: joints and hold, and what to do. */
#define TML_SINGULAR_TEXT                                                                          \
    "the mechanism comes to a singular position of the joints %s (their equations are "            \
    "independent by a part of %.1g "                                                               \
    "only), which it cannot pass, or near which reactions grow without bound: 'hht' and 'bdf-i3' " \
    "often pass where links only come in line, as may another --tol; or give one of these joints " \
    "compliance (a bushing), or avoid the position"

/* --- breaks.c: times at which expressions have kinks or jumps -------------------------------- */

/* The first behind t of all expressions in the equations; HUGE_VAL: none. slack: times this close
 * to t are t. */
double tml_system_next_break(const TmlSystem *sys, double t, double slack);

/* Between two breaks expressions are smooth. Until the next call they see times from `earliest` to
 * `latest` alone, a little inside of two breaks, or infinite: a step that ends on a break has the
 * values of the side that it comes from, and one that begins there those of the other. */
void tml_system_set_span(TmlSystem *sys, double earliest, double latest);

/* --- initial.c ----------------------------------------------------------------------------- */

/* Texts about what assembly did. */
typedef struct TmlNotes {
    TmlArena *arena;
    bool every_row; /* redundant rows one by one, and not by loops */
    int n, cap;
    const char **text;
} TmlNotes;

bool tml_notes_add(TmlNotes *notes, const char *fmt, ...) TML_PRINTF(2, 3);

/* A motion under way that another system goes on with. Bodies, states, variables and elements are
 * the same when their names are; what the other has not starts as its model says. */
typedef struct TmlStart {
    const TmlSystem *sys;
    const TmlState *s;
    double t; /* s */
} TmlStart;

/* Move s onto the constraints (positions, velocities), find redundant rows and leave them out, then
 * solve for accelerations and multipliers. from NULL: starts as the model says. */
TML_NODISCARD TmlStatus tml_system_assemble(TmlSystem *sys, TmlState *s, const TmlStart *from,
                                            TmlNotes *notes, TmlError *err);

/* stuck.c: notes about bodies that can never move, as their joints leave no freedom and nothing
 * drives them; *n: how many groups of bodies. After tml_system_assemble. */
TML_NODISCARD TmlStatus tml_system_stuck(TmlSystem *sys, TmlNotes *notes, int *n, TmlError *err);

/* --- delays.c: the past of delayed values --------------------------------------------------- */

/* From now on values are delayed. Nothing to do for a model without delays. */
TML_NODISCARD TmlStatus tml_system_past_create(TmlSystem *sys, TmlError *err);
void tml_system_past_free(TmlSystem *sys);
/* Takes over the past of delays with the same names from another system, when a run goes on. */
TML_NODISCARD TmlStatus tml_system_take_past(TmlSystem *sys, const TmlSystem *from, TmlError *err);

/* Returns the past of the k-th delay. */
TmlPast *tml_system_past(const TmlSystem *sys, int k);
/* Returns by how many seconds the k-th delay delays at a state. */
double tml_system_delay_time(const TmlSystem *sys, const TmlState *s, int k);
/* Whether the value of the k-th follows from positions, velocities, states and time: no
 * accelerations, reactions or implicit equations are behind it. */
bool tml_system_delay_follows(const TmlSystem *sys, int k);
/* X', V and F of s from their expressions, for states at which accelerations are not solved for.
 * Calls kinematics. */
void tml_system_follow(TmlSystem *sys, TmlState *s);

/* --- closure.c: onto the constraints while the system is being set up ----------------------- */

TML_NODISCARD TmlStatus tml_closure_create(TmlSystem *sys, TmlError *err);
void tml_closure_free(TmlSystem *sys);

/* Size of a row of constraint c in (dr / L, dtheta); Ju: its rows. Whether it has the unit of a
 * length and not of an angle. */
double tml_constraint_row_size(const TmlSystem *sys, int c, int row, const double *Ju);
bool tml_constraint_row_is_length(TmlSystem *sys, int c, int row, double t);

/* --- drives.c -------------------------------------------------------------------------------- */

/* A jump of a constraint in time, between numbers that are neighbours. */
typedef struct TmlDriveJump {
    int constraint, row;
    double left, right; /* s */
    double position;    /* of the row, to full turns; 0: it is one of its rate */
    double rate;
} TmlDriveJump;

/* Find the constraints that may jump; the first jump from s->t to `end` with the motion at s, when
 * there is one. rate: what counts as a jump of a rate, in lengths of the model or rad a second.
 * Calls kinematics. */
TML_NODISCARD TmlStatus tml_system_drives_setup(TmlSystem *sys, TmlError *err);
bool tml_system_drive_jump(TmlSystem *sys, const TmlState *s, double end, double rate,
                           TmlDriveJump *out);

/* A coordinate s that a constraint drives along g(t), at s, whose kinematics are the last; lambda[m_all]: of all rows.
 * False: it drives none. */
typedef struct TmlDriven {
    double value, rate, second; /* g and its derivatives: m or rad, by s */
    double force;               /* along s, on what moves with it: N or N m */
    bool length;                /* s is a length */
} TmlDriven;
bool tml_system_is_drive(const TmlSystem *sys, int constraint);
bool tml_system_driven(TmlSystem *sys, const TmlState *s, const double *lambda, int constraint,
                       TmlDriven *out);

/* --- watch.c ---------------------------------------------------------------------------------- */

/* Note which rows are left out; TML_E_ASSEMBLY names one that does not hold at s with the rows that
 * it contradicts. Calls kinematics. */
TML_NODISCARD TmlStatus tml_system_watch_setup(TmlSystem *sys, const TmlState *s, TmlError *err);
TML_NODISCARD TmlStatus tml_system_watch(TmlSystem *sys, const TmlState *s, TmlError *err);

/* share_choose.c: whether the rows that are kept are about to become dependent at s while those
 * that are left out are not: combinations of the former grow without bound. If so, keep others from
 * here on; *changed tells. As many as before: numbers of unknowns stay, matrices and factors are
 * gone and built anew, multipliers of s are those of the same forces. Both call kinematics. */
bool tml_system_rows_worn(TmlSystem *sys, const TmlState *s);
/* The same rows as those of another system of the same equations are kept from here on. */
TML_NODISCARD TmlStatus tml_system_take_rows(TmlSystem *sys, const TmlSystem *from,
                                             const TmlState *s, bool *changed, TmlError *err);
TML_NODISCARD TmlStatus tml_system_choose_rows(TmlSystem *sys, TmlState *s, bool *changed,
                                               TmlError *err);

/* --- contact/ --------------------------------------------------------------------------------- */

/* Tells whether pairs of shapes may touch, and how much work they took. */
typedef struct TmlTouchingStats {
    int64_t lists;      /* lists of near pairs that were made */
    int64_t patterns;   /* patterns of matrices made since bodies met for the first time */
    int64_t candidates; /* near pairs, summed over all residuals */
    int64_t contacts;   /* how many of these touched */
} TmlTouchingStats;
bool tml_system_touches(const TmlSystem *sys);
TmlTouchingStats tml_system_touching_stats(const TmlSystem *sys);

/* touching_values.c: entries of `contacts`; the points that touch at the last kinematics, in the order of their
 * shapes. Returns how many there are, of which up to `cap` are given. */
int tml_system_contact_count(const TmlSystem *sys);
const char *tml_system_contact_name(const TmlSystem *sys, int contact);
int tml_system_touch_points(const TmlSystem *sys, struct TmlRowContact *out, int cap);
/* Returns the k-th of model->contact_values there. */
double tml_system_contact_value(const TmlSystem *sys, int k);

/* Tells whether the list of near pairs still holds for a step of size h from the state of the last kinematics. */
bool tml_system_touching_holds(TmlSystem *sys, double h);
/* Make the list anew there, for a few steps of size h, and for moves by `part` of the size of its shapes of
 * each body at least. *patterns: bodies met that had not before, so that the matrices are gone and
 * must be built anew (tml_system_build_pattern). */
TML_NODISCARD TmlStatus tml_system_touching_renew(TmlSystem *sys, double h, double part,
                                                  bool *patterns, TmlError *err);

/* Limits of the onsets and releases that a step may pass without ending there. */
typedef struct TmlOnsetBounds {
    double to;      /* m: a gap counts as closed at this depth */
    double allowed; /* m: onsets and releases whose force displaces bodies by no more are passed */
    double swift;   /* m/s: by how much velocities may be off where a step lands on a release */
    double part;    /* of the time to a release, where velocities would be off by more */
    double horizon; /* s: onsets and releases that are further away are not looked for */
} TmlOnsetBounds;

/* At the last kinematics, accelerations included: s until a step should end because the gap of a near pair closes, or a force jumps
 * as one opens, HUGE_VAL: not within the horizon. release: the same of a force that ends without a jump. */
double tml_system_next_onset(TmlSystem *sys, const TmlOnsetBounds *b, double *release);
/* The longest step up to `most` in which the forces of points that are just closing displace their bodies by no more than
 * `allowed`, m, as far as a step does not see them. */
double tml_system_onset_step(TmlSystem *sys, double allowed, double most);

/* sides.c. A run begins, or goes on: at all states that are not `alone`, points of contacts with `events: locate` keep the sides of onset and
 * release that they are on, and laws are continued beyond these. With `jumps` so do points of laws whose force jumps. */
void tml_system_keep_sides(TmlSystem *sys, bool jumps);
/* Whether the model has contacts with `events: locate`. */
bool tml_system_locates(const TmlSystem *sys);
/* What a step passes that ends at `end`: the pair and the turn that it has passed first, as far as values at both ends tell; pair < 0:
 * none. */
typedef struct TmlPassed {
    int pair, turn;
    double first,
        last;     /* values at the start and the end of the step; the first may be near zero */
    double slack; /* values up to this count as zero */
    bool located; /* the contact asks for it by `events: locate` */
} TmlPassed;
/* m: errors that are allowed in the gap where a step ends: for contacts with `events: locate`, and for laws that jump. */
typedef struct TmlMiss {
    double located, jumps;
} TmlMiss;
TmlPassed tml_system_first_passed(TmlSystem *sys, const TmlState *start, const TmlState *end,
                                  TmlMiss to);
/* Returns the value of a turn at a state, and sets its slack there. */
double tml_system_turn_value(TmlSystem *sys, const TmlState *s, TmlPassed *p, TmlMiss to);
/* Tells whether a contact ends at this turn. */
bool tml_turn_is_release(const TmlPassed *p);
/* At an accepted state: points go on with the side that they come to. Whether any does. */
bool tml_system_cross_sides(TmlSystem *sys, TmlState *s, TmlMiss to);
/* At the last kinematics, of an accepted state: points that have opened where no step had to end are open ones from now on. */
void tml_system_open_sides(TmlSystem *sys, TmlMiss to);

/* Runs the iteration of a method, and returns what it returns. Slips of points in contact are watched meanwhile: where a correction turns
 * the slip of a point round, the tangent of friction at v = 0 stands for the law at that residual and in the next Jacobian. A
 * correction from such a residual needs a Jacobian of its own, and says nothing about convergence. */
typedef bool TmlIteration(void *arg);
bool tml_system_iterate(TmlSystem *sys, TmlIteration *iteration, void *arg);
/* For iterations with several residuals to each correction: while slips are watched they are noted at the next residual
 * only, and laws stay as they are there until this is called again. */
void tml_system_note_slips(TmlSystem *sys);
/* Whether a tangent stood for the law of some point at the last residual. */
bool tml_system_slips_turned(const TmlSystem *sys);
/* Whether some point slips by far more than the width of its law while the matrix has the tangent within it: corrections are
 * too small by the ratio of the two tangents then, and say nothing about what is left. */
bool tml_system_slips_hidden(const TmlSystem *sys);
/* For iterations that correct several states together, up to 3, with one matrix: whose slips the next residuals note; and, when
 * all were noted, a point that one of them turned round has the tangent in all, until slips are noted again. Whether any has. */
void tml_system_watch_stage(TmlSystem *sys, int stage);
bool tml_system_share_turns(TmlSystem *sys);

/* Tells whether some pair of shapes touches at the last accepted state. */
bool tml_system_presses(const TmlSystem *sys);
/* Tells whether a pair that touched has opened, at an accepted state, since the last call. */
bool tml_system_released(TmlSystem *sys);

/* Bristles of points that no longer touch are let go: their states become zero. Whether
 * any was not, or points have got bristles: rates of states jump then. */
bool tml_system_free_bristles(TmlSystem *sys, TmlState *s);
/* Tells whether a state is the deflection of a bristle, m. */
bool tml_system_is_bristle(const TmlSystem *sys, int state);
/* Tells whether a state is the deflection of a bristle that no contact point uses at present. */
bool tml_system_is_idle_bristle(const TmlSystem *sys, int state);
/* Gives the bristles of an equilibrium that statics has found the deflections that bear the friction there. */
void tml_system_bear_bristles(TmlSystem *sys, TmlState *s);

/* --- modal_bodies.c ------------------------------------------------------------------------- */

/* TML_E_STEP names a modal body that is deformed beyond its own size at s. Else *told: what is to be said of one that is deformed
 * more than modes can tell, once for each body; NULL: nothing. */
TML_NODISCARD TmlStatus tml_modal_check(TmlSystem *sys, const TmlState *s, const char **told,
                                        TmlError *err);

/* --- flex.c --------------------------------------------------------------------------------- */

/* TML_E_STEP names an element of a flexible body that is inside out at s. Calls kinematics. */
TML_NODISCARD TmlStatus tml_flex_check(TmlSystem *sys, const TmlState *s, TmlError *err);

/* For static solutions (TmlFlexIn.moved): note where the elements are before a move; take what was
 * noted as the place that the present state came from; forget, so that tangents are exact. */
void tml_flex_note(TmlSystem *sys);
void tml_flex_take_noted(TmlSystem *sys);
void tml_flex_forget(TmlSystem *sys);

/* At the last kinematics: a vector of a node with its two rates; the position xi of element e;
 * strains and stresses there. */
int tml_flex_count(const TmlSystem *sys);
const char *tml_flex_name(const TmlSystem *sys, int mesh);
int tml_flex_body(const TmlSystem *sys, int mesh);                 /* the body that stands for it */
int tml_flex_nodes(const TmlSystem *sys, int mesh);                /* number of nodes */
int tml_flex_vectors(const TmlSystem *sys, int mesh);              /* vectors of each node */
int tml_flex_element(const TmlSystem *sys, int mesh, int element); /* its number among all */
void tml_flex_node(const TmlSystem *sys, int mesh, int node, int vector, TmlVec3 out[3]);
TmlVec3 tml_flex_position(const TmlSystem *sys, int e, const double xi[3]);
void tml_flex_outputs(const TmlSystem *sys, int e, const double xi[3], double *value);
/* Returns the output at the k-th of model->places. */
double tml_flex_place_value(const TmlSystem *sys, int k);

/* How the unknowns du[nu] change a vector of the mesh, node by node. */
TmlVec3 tml_flex_vector_change(const TmlSystem *sys, int mesh, int vector, const double *du);

/* A coordinate of a modal body at the last kinematics, as the part normalises its modes; level: 0, or 1, 2 for its rates. */
double tml_modal_value(const TmlSystem *sys, int modal, int mode, int level);
/* Returns by how much the unknowns du[nu] change that coordinate. */
double tml_modal_change(const TmlSystem *sys, int modal, int mode, const double *du);

/* --- jacobian.c ---------------------------------------------------------------------------- */

/* Build the pattern and scatter maps of the step matrix for the active rows; of the stage matrix,
 * for the methods that use it. */
TML_NODISCARD TmlStatus tml_system_build_pattern(TmlSystem *sys, TmlError *err);
/* Does the same after other pairs of bodies have come to touch. The orderings of the earlier factors are tried first. */
TML_NODISCARD TmlStatus tml_system_renew_pattern(TmlSystem *sys, TmlError *err);
TML_NODISCARD TmlStatus tml_system_build_stage(TmlSystem *sys, TmlError *err);
void tml_system_free_matrices(TmlSystem *sys);
bool tml_system_has_matrices(const TmlSystem *sys); /* false after a failure to build them */

/* --- output.c ------------------------------------------------------------------------------ */

typedef struct TmlEnergy {
    double kinetic, gravity, stored; /* J; stored: in springs and the like */
} TmlEnergy;

TmlEnergy tml_system_energy(TmlSystem *sys, const TmlState *s);      /* calls kinematics */
TmlEnergy tml_system_energy_here(TmlSystem *sys, const TmlState *s); /* at the last kinematics */

/* Largest violation of the rows at each level, redundant ones included; relative to the size of the
 * model, to max(1, |v|) and max(1, |a|). Calls kinematics. */
void tml_system_violation(TmlSystem *sys, const TmlState *s, double out[3]);
/* Does the same at the state of the last kinematics. */
void tml_system_violation_here(TmlSystem *sys, const TmlState *s, double out[3]);

/* Value of channel k; call kinematics with channels first. */
double tml_system_channel(TmlSystem *sys, const TmlState *s, int k);
/* The same for the k-th expression that events look at. */
double tml_system_probe(TmlSystem *sys, const TmlState *s, int k);

/* Wrench of the first body on the second about the second end's origin (global), from lambda[rows]
 * of constraint c at the last kinematics. */
TmlRow tml_system_reaction(TmlSystem *sys, const TmlState *s, int c);

/* Multipliers of a state of the last kinematics as they are shared between redundant joints, of smallest norm as below; marks those
 * that are not unique. All calls of one kinematics are for one state, and cost no more than the first. */
double *tml_system_shared_lambda(TmlSystem *sys, const TmlState *s);

/* For redundant systems: lambda of smallest norm with the same forces, (R1) of share.h; sets all
 * rows and marks those that are not unique. At the last kinematics, which is that of s. */
TML_NODISCARD TmlStatus tml_system_min_norm_lambda(TmlSystem *sys, TmlState *s, TmlError *err);
