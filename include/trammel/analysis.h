/* trammel/analysis.h - static equilibrium, linearisation and modes of a model.
 *
 * Both work on the last accepted state of a sim: after tml_sim_create that is the assembled initial
 * state, after tml_sim_run the one at the end, after tml_sim_statics the equilibrium.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- static equilibrium --------------------------------------------------------------------- */

typedef struct TmlStaticsOptions {
    uint32_t size;          /* set by tml_statics_options_default; do not change */
    int32_t max_iterations; /* of all stages together */
    double tolerance;       /* of positions, relative to the size of the model */
    TmlSpin spin;           /* of the frame, see tml_sim_statics; standing still: the model's */
    bool fixed;             /* no frame turns, whatever the model says */
    bool nearest;           /* the equilibrium beside the start, stable or not, when there is one */
} TmlStaticsOptions;

typedef struct TmlStaticsInfo {
    int32_t iterations; /* linear systems solved */
    int32_t load_steps; /* 0: reached downhill; else by a ramp of the loads: may be unstable */
    double residual;    /* largest force without balance, relative to the largest force */
    double moved;       /* m: farthest way of a body from its start */
    double turned;      /* rad */
    bool neutral;       /* some motion meets no resistance: other positions are as good */
    TmlSpin spin;       /* of the frame in use */
    /* Stability, above 64 degrees of freedom of the 16 motions of least stiffness (12 modes in a
     * frame that turns, or with user states). unstable: those that grow from the equilibrium, 0:
     * stable, -1: not known; growth: 1/s, of the fastest. negative: those that meet negative
     * stiffness; more than unstable: Coriolis forces or feedback hold them. */
    int32_t unstable, negative;
    double growth;
    /* How far it lies from the start, over what the model linearised at the start would move; 0:
     * found at once beside the start. */
    double beyond;
    /* Another equilibrium lies nearer to the start and is unstable: how far it is, and the number
     * of its unstable motions. The option `nearest` takes it. */
    bool nearer;
    int32_t nearer_unstable;
    double nearer_moved, nearer_turned; /* m, rad */
} TmlStaticsInfo;

TML_API TmlStaticsOptions tml_statics_options_default(void);

/* Move the sim to a static equilibrium at its time: velocities zero, rates of user states zero. The
 * one that Newton's method finds beside the present state is taken when it is stable; in a frame
 * that turns, when nothing moves away from it without oscillation. Else it is sought downhill. What
 * is known of its stability, and of an unstable one nearer to the start, is in *out. Afterwards
 * tml_row_* reads the equilibrium and a run starts from it. In a frame that turns (section
 * `rotating_frame` of the model, or options) the equilibrium is relative to the frame: everything
 * turns with it as if rigid. options may be NULL. On failure the sim keeps its state.
 *   TML_E_SINGULAR  there is none: the message names what runs away, and where to
 *   TML_E_STEP      none was found
 *   TML_E_ARGUMENT  something cannot turn with the frame: the message names it */
TML_API TML_NODISCARD TmlStatus tml_sim_statics(TmlSim *sim, const TmlStaticsOptions *options,
                                                TmlStaticsInfo *out, TmlError *err);

/* --- equilibrium paths ---------------------------------------------------------------------- */

typedef struct TmlPathOptions {
    uint32_t size;      /* set by tml_path_options_default; do not change */
    int32_t max_points; /* 1000; the path may go on */
    double from, to;    /* of time, or of the parameter that takes its place (TmlModel: follow) */
    double step;        /* largest one along the path; 0.05 */
    const TmlStaticsOptions *statics; /* of the start; its frame is that of the path; NULL: none */
} TmlPathOptions;

typedef enum TmlPathKind {
    TML_PATH_POINT,
    TML_PATH_LIMIT, /* the parameter turns back */
    TML_PATH_BRANCH /* another path crosses */
} TmlPathKind;

/* One equilibrium of a path. Lengths along the path count the parameter by |to - from| and
 * displacements by the size of the model, so that what moves most at the start counts once. */
typedef struct TmlPathPoint {
    double length;
    double parameter;
    double slope;     /* of the parameter over |to - from|, by the length; 0 at a limit point */
    double stiffness; /* 1/s^2, of the motion that meets least of it, over its inertia */
    double residual;  /* largest force without balance, relative to the largest force */
    int32_t unstable; /* motions along which the equilibrium is unstable, counted along the path */
    int32_t kind;     /* TmlPathKind */
    int32_t iterations;
} TmlPathPoint;

typedef struct TmlPathInfo {
    int32_t points, limits, branches; /* points: all of them */
    int32_t iterations;               /* linear systems of all tries */
    double length;
    bool reached; /* the parameter has come to `to` */
} TmlPathInfo;

TML_API TmlPathOptions tml_path_options_default(void);

/* Follow the equilibria of the sim by arc length, through points where load and displacements turn
 * back, from the one that tml_sim_statics finds at `from` until the parameter has come to `to`,
 * lies as far on the other side of `from`, or the points are used up. The parameter is the sim's
 * time, or that of tml_model_follow. `row` is called at every point (NULL: not) with the sim set to
 * it; it returns a status other than TML_OK to stop. options must give from and to. Afterwards the
 * sim is at the last point; what was reached is in *out on failure too.
 *   TML_E_ARGUMENT  an option is out of range; the parameter acts on nothing
 *   TML_E_STEP      the path is lost: the message says where */
TML_API TML_NODISCARD TmlStatus tml_sim_path(TmlSim *sim, const TmlPathOptions *options,
                                             TmlRowFn row, void *user, TmlPathInfo *out,
                                             TmlError *err);
/* The point that the row belongs to; zeros outside of paths. On a path tml_row_time is its length,
 * and channels with its parameter, `unstable` and `point` (TmlPathKind) follow those of the model.
 */
TML_API TmlPathPoint tml_row_path(const TmlSim *sim);

/* Force elements at the row: names are owned by the model, NULL out of range. */
TML_API int tml_sim_force_count(const TmlSim *sim);
TML_API const char *tml_sim_force_name(const TmlSim *sim, int force);
TML_API int tml_sim_force_find(const TmlSim *sim, const char *name); /* -1: unknown */
/* Force and torque on the owner of the last end, about that end's origin; local: its axes. */
TML_API TmlReaction tml_row_force(const TmlSim *sim, int force);
/* The index-th output of the element's type; false past the end. Texts are static. */
TML_API bool tml_row_force_output(const TmlSim *sim, int force, int index, const char **name,
                                  const char **unit, double *value);

/* A point at which two shapes touch, in global axes. Names are owned by the model. */
typedef struct TmlRowContact {
    const char *contact;  /* the entry of `contacts` that holds */
    const char *shape[2]; /* "ball", or "ball.rim" for a shape with a name of its own */
    int body[2];    /* for tml_row_body; 0: ground; -2 - k: flexible body k of tml_model_flexible */
    TmlVec3 point;  /* midway between the two surfaces */
    TmlVec3 normal; /* unit, out of the first into the second */
    double force;   /* N, along the normal on the second; the first gets the opposite */
    TmlVec3 friction; /* N, on the second */
    double depth;     /* m */
    double rate;      /* m/s, of the depth; positive: it closes */
} TmlRowContact;

/* Entries of `contacts`: how many, and their names, NULL out of range. */
TML_API int tml_sim_contact_count(const TmlSim *sim);
TML_API const char *tml_sim_contact_name(const TmlSim *sim, int contact);
/* The points that touch at the row. Returns how many there are, of which up to `cap` are given; 0 without a
 * row. out: may be NULL when cap is 0. */
TML_API int tml_row_contacts(const TmlSim *sim, TmlRowContact *out, int cap);

/* --- global error ---------------------------------------------------------------------------- */

/* A channel, or the position of a body, of a run and of another one by a method of higher order. */
typedef struct TmlErrorItem {
    const char *name, *unit; /* owned by sim and model */
    bool body;
    double difference; /* the largest of all rows; of a body: distance, m */
    double scale;      /* range in the run; infinite: it holds nothing but rounding */
    double relative;   /* difference over scale */
    double time;       /* s, of the largest */
} TmlErrorItem;

typedef struct TmlErrorInfo {
    const char *integrator; /* of the other run */
    double tolerance;
    int64_t steps, rows;  /* rows: compared */
    int32_t items, worst; /* worst: the item that is off most, -1: none is off */
    double relative;      /* of that item */
    double suggested;     /* what the tolerance of the run lets expect; more is worth a warning */
} TmlErrorInfo;

/* After tml_sim_run with check_error among its options: compute the same motion once more, by radau
 * at a thousandth of the tolerance, and compare all output rows. Costs the time of that run. The
 * hooks of the options hear of its progress.
 *   TML_E_ARGUMENT  no rows were kept, or the run went on from another
 *   others          the other run failed: its message */
TML_API TML_NODISCARD TmlStatus tml_sim_check_error(TmlSim *sim, TmlError *err);
/* What it found; false: not called, or failed. Channels come first, then bodies. */
TML_API bool tml_sim_error_info(const TmlSim *sim, TmlErrorInfo *out);
TML_API TmlErrorItem tml_sim_error_item(const TmlSim *sim, int index);
/* Largest relative difference of any item in each of so many equal parts of the time. */
TML_API int tml_sim_error_parts(const TmlSim *sim, const double **relative);

/* --- linearisation -------------------------------------------------------------------------- */

typedef struct TmlLinear TmlLinear;

typedef struct TmlLinearOptions {
    uint32_t size; /* set by tml_linear_options_default; do not change */
    int32_t modes; /* how many, nearest the shift; 0: all of a small system, 20 of a large one */
    double shift;  /* 1/s */
    bool sparse;   /* with `modes`: the method for large systems for a small one too */
    /* Independent coordinates of the bodies (rotations preferred) as those of the linear system,
     * not the directions that the constraints allow: J1 and J2 of the state-space methods. The same
     * about an equilibrium at rest. Small systems only. */
    bool partition;
    TmlSpin spin; /* of the axes that displacements are seen from; standing still: the model's */
    bool fixed;   /* axes stand still, whatever the model says */
} TmlLinearOptions;

TML_API TmlLinearOptions tml_linear_options_default(void);

/* Linearise about the last accepted state and find eigenvalues; the sim is not changed. At a state
 * that is no equilibrium the coefficients are those of this moment. options may be NULL. On failure
 * *out is NULL. The sim must outlive the result.
 *   TML_E_ARGUMENT  an option is out of range; rolling constraints in a large system
 *   TML_E_SINGULAR  a motion has no inertia, or a singular position */
TML_API TML_NODISCARD TmlStatus tml_sim_linearize(TmlSim *sim, const TmlLinearOptions *options,
                                                  TmlLinear **out, TmlError *err);
TML_API void tml_linear_free(TmlLinear *lin); /* NULL is fine */

typedef struct TmlLinearInfo {
    double time;                /* s */
    double shift;               /* 1/s, in use: it may have been moved off an eigenvalue */
    int32_t order;              /* states of the linear system */
    int32_t degrees_of_freedom; /* independent velocities */
    int32_t modes;              /* found; of a complex pair one is counted */
    bool sparse;                /* only those nearest the shift */
    double speed, acceleration; /* largest of the state, m/s and m/s^2, relative to the axes */
    double imbalance; /* inertia forces of that acceleration over the largest force in play */
    double length;    /* m: size of the model */
    TmlSpin spin;     /* of the axes */
    /* By how much the equations change as axes turn, over the square of their rate: accelerations
     * of the model that is turned about the axis. Not zero: something is fixed in space, and the
     * eigenvalues are those of this moment. */
    double unsteady;
    /* States of bristles that no point of contact has: nothing moves them, and their eigenvalues, zero, are not among the
     * modes of a small system. */
    int32_t idle_states;
} TmlLinearInfo;

TML_API TmlLinearInfo tml_linear_info(const TmlLinear *lin);

/* One eigenvalue, or one of a complex pair: the one with positive imaginary part. */
typedef struct TmlMode {
    double real, imag;        /* 1/s */
    double frequency;         /* Hz, of the oscillation: imag / (2 pi) */
    double natural_frequency; /* Hz, |eigenvalue| / (2 pi) */
    double damping_ratio;     /* -real / |eigenvalue|; 0 for the eigenvalue 0 */
    double time_constant;     /* s, -1 / real: negative when it grows, infinite without damping */
} TmlMode;

/* Share of one body in a mode: displacement of its centre of mass and rotation, global axes, real
 * and imaginary part. The largest of all bodies, lengths counted by the size of the model, is 1. */
typedef struct TmlModeBody {
    TmlVec3 translation, rotation;
    TmlVec3 translation_imag, rotation_imag;
    double energy; /* of the mode's kinetic energy, 0 to 1 */
} TmlModeBody;

/* Modes are sorted by their distance from the shift. Out of range: zeros. */
TML_API TmlMode tml_linear_mode(const TmlLinear *lin, int mode);
TML_API TmlModeBody tml_linear_body(const TmlLinear *lin, int mode, int body);
/* Share of a flexible body in the mode's kinetic energy, and the displacement of one of its nodes,
 * scaled with the bodies. */
TML_API double tml_linear_flexible(const TmlLinear *lin, int mode, int flexible);
TML_API void tml_linear_node(const TmlLinear *lin, int mode, int flexible, int node, TmlVec3 *real,
                             TmlVec3 *imag);
/* Change of one of the vectors of a node: 0 is the position, the others are gradients. */
TML_API void tml_linear_vector(const TmlLinear *lin, int mode, int flexible, int node, int vector,
                               TmlVec3 *real, TmlVec3 *imag);
/* Change of a coordinate of a modal body, as its part normalises its modes, scaled with the bodies. Out of range: zeros. */
TML_API void tml_linear_modal(const TmlLinear *lin, int mode, int modal, int coordinate,
                              double *real, double *imag);
/* User state of the model in a mode, scaled with the bodies. */
TML_API void tml_linear_state(const TmlLinear *lin, int mode, int state, double *real,
                              double *imag);

/* Make the state about which was linearised the row of its sim, for tml_row_* and writers. */
TML_API TML_NODISCARD TmlStatus tml_linear_row(const TmlLinear *lin, TmlSim *sim, TmlError *err);

/* The matrix A of x' = A x by columns, order * order values, owned by lin; x holds independent
 * positions, as many velocities (fewer with rolling constraints), user states. NULL: sparse. */
TML_API const double *tml_linear_matrix(const TmlLinear *lin);

/* --- files ---------------------------------------------------------------------------------- */

/* Eigenvalues, energies and shapes as JSON or, with the state, as HDF5 (.h5, .hdf5; what tml_report
 * shows in motion), or the eigenvalues as CSV, by the suffix of the path. HDF5: the row of the sim
 * becomes that state. */
TML_API TML_NODISCARD TmlStatus tml_write_modes(const char *path, TmlSim *sim, const TmlLinear *lin,
                                                TmlError *err);
/* Positions, reactions, forces and channels of the row as JSON. */
TML_API TML_NODISCARD TmlStatus tml_write_statics(const char *path, const TmlSim *sim,
                                                  const TmlStaticsInfo *info, TmlError *err);

#ifdef __cplusplus
}
#endif
