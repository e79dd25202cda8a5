/* trammel/analysis.h - static equilibrium, linearisation and modes of a model.
 *
 * All work on the last accepted state of a sim. After tml_sim_create that is the assembled initial state, after
 * tml_sim_run the state at the end, after tml_sim_statics the equilibrium.
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
    TmlSpin spin;           /* of the frame (see tml_sim_statics); rate zero: that of the model */
    bool fixed;             /* the frame does not turn, whatever the model says */
    bool nearest;           /* accept the equilibrium nearest the start even if it is unstable */
} TmlStaticsOptions;

typedef struct TmlStaticsInfo {
    int32_t iterations; /* linear systems solved */
    int32_t load_steps; /* > 0: found only by a ramp of the loads, so that it may be unstable */
    double residual;    /* largest residual force, relative to the largest force */
    double moved;       /* m: largest displacement of a body from the start */
    double turned;      /* rad: largest rotation of a body from the start */
    bool neutral;       /* some motion has no stiffness: other positions are equilibria, too */
    TmlSpin spin;       /* of the frame in use */
    /* Stability. Above 64 degrees of freedom only the 16 motions of least stiffness are examined (12 modes in a
     * rotating frame, or with user states). `unstable` is the number of motions that grow, 0: the equilibrium is
     * stable, -1: not known; `growth` is the rate of the fastest, 1/s. `negative` is the number of motions with
     * negative stiffness. Where it is larger than `unstable`, Coriolis forces or feedback stabilise them. */
    int32_t unstable, negative;
    double growth;
    /* Distance of the equilibrium from the start, divided by the displacement of the model linearised at the
     * start; 0: Newton's method found the equilibrium from the start. */
    double beyond;
    /* Whether another equilibrium, which is unstable, lies nearer to the start; its distance, and the number of
     * its unstable motions. The option `nearest` accepts it. */
    bool nearer;
    int32_t nearer_unstable;
    double nearer_moved, nearer_turned; /* m, rad */
} TmlStaticsInfo;

TML_API TmlStaticsOptions tml_statics_options_default(void);

/* Move the sim to a static equilibrium at its present time: velocities and rates of user states are zero.
 * Newton's method starts at the present state. The equilibrium that it finds is accepted if it is stable; in a
 * rotating frame, if no motion leaves it without oscillation. Otherwise the search follows the forces downhill, like
 * a motion M x' = F without inertia (docs/theory/statics.md). *out tells
 * what is known of its stability, and of an unstable equilibrium nearer to the start. Afterwards tml_row_*
 * reads the equilibrium and a run starts from it. In a rotating frame (section `rotating_frame` of the model,
 * or the options) the equilibrium is relative to the frame: everything turns with the frame like one rigid
 * body. options and out may be NULL. On failure the sim keeps its state.
 *   TML_E_SINGULAR  there is no equilibrium: the message names what moves away, and in which direction
 *   TML_E_STEP      no equilibrium was found
 *   TML_E_ARGUMENT  something cannot turn with the frame: the message names it */
TML_API TML_NODISCARD TmlStatus tml_sim_statics(TmlSim *sim, const TmlStaticsOptions *options,
                                                TmlStaticsInfo *out, TmlError *err);

/* --- equilibrium paths ---------------------------------------------------------------------- */

typedef struct TmlPathOptions {
    uint32_t size;      /* set by tml_path_options_default; do not change */
    int32_t max_points; /* after which the path ends; default: 1000 */
    double from, to;    /* of time, or of the parameter in its place (tml_model_follow) */
    double step;        /* largest step along the path; default: 0.05 */
    const TmlStaticsOptions *statics; /* of the start; its frame is the path's; NULL: default */
} TmlPathOptions;

typedef enum TmlPathKind {
    TML_PATH_POINT,
    TML_PATH_LIMIT, /* limit point: the parameter has a maximum or minimum */
    TML_PATH_BRANCH /* branch point: another path crosses */
} TmlPathKind;

/* One equilibrium of a path. In lengths along the path, changes of the parameter are divided by |to - from| and
 * displacements by the size of the model, so that what moves most at the start has the weight 1. */
typedef struct TmlPathPoint {
    double length;
    double parameter;
    double slope;     /* of parameter / |to - from| over the length; 0 at a limit point */
    double stiffness; /* 1/s^2: of the softest motion, divided by its inertia */
    double residual;  /* largest residual force, relative to the largest force */
    int32_t unstable; /* number of unstable motions, counted along the path */
    int32_t kind;     /* TmlPathKind */
    int32_t iterations;
} TmlPathPoint;

typedef struct TmlPathInfo {
    int32_t points, limits, branches; /* all points; limit points and branch points among them */
    int32_t iterations;               /* linear systems solved, in failed attempts too */
    double length;
    bool reached; /* the parameter has reached `to` */
} TmlPathInfo;

TML_API TmlPathOptions tml_path_options_default(void);

/* Follow the equilibria of the sim by arc length, also through points where the load or displacements turn
 * back. The path starts at the equilibrium that tml_sim_statics finds at `from`. It ends when the parameter
 * reaches `to`, or the same distance on the other side of `from`, or after max_points. The parameter is the
 * sim's time, or that of tml_model_follow. `row` is called at every point with the sim set to it, and returns a
 * status other than TML_OK to stop; it may be NULL. The options must give `from` and `to`. Afterwards the sim is
 * at the last point. *out says what was reached, also on failure.
 *   TML_E_ARGUMENT  an option is out of range, or the parameter has no effect on the model
 *   TML_E_STEP      the path is lost: the message says where */
TML_API TML_NODISCARD TmlStatus tml_sim_path(TmlSim *sim, const TmlPathOptions *options,
                                             TmlRowFn row, void *user, TmlPathInfo *out,
                                             TmlError *err);
/* The point of the path that the row belongs to; zeros if the row belongs to no path. On a path tml_row_time is
 * the length, and three channels follow those of the model: the parameter, `unstable` and `point` (TmlPathKind).
 */
TML_API TmlPathPoint tml_row_path(const TmlSim *sim);

/* Force elements at the row. The model owns their names; an index out of range gives NULL. */
TML_API int tml_sim_force_count(const TmlSim *sim);
TML_API const char *tml_sim_force_name(const TmlSim *sim, int force);
TML_API int tml_sim_force_find(const TmlSim *sim, const char *name); /* -1: unknown */
/* Force on the owner of the last end, and torque about the origin of that end; `_local`: in its axes. */
TML_API TmlReaction tml_row_force(const TmlSim *sim, int force);
/* The index-th output of the element's type, with static texts; false past the end. */
TML_API bool tml_row_force_output(const TmlSim *sim, int force, int index, const char **name,
                                  const char **unit, double *value);

/* A point at which two shapes touch, in global axes. The model owns the names. */
typedef struct TmlRowContact {
    const char *contact;  /* the entry of `contacts` that applies */
    const char *shape[2]; /* "ball", or "ball.rim" for a shape with a name of its own */
    int body[2];    /* for tml_row_body; 0: ground; -2 - k: flexible body k of tml_model_flexible */
    TmlVec3 point;  /* midway between the two surfaces */
    TmlVec3 normal; /* unit, out of the first into the second */
    double force;   /* N, along the normal on the second; the first gets the opposite */
    TmlVec3 friction; /* N, on the second */
    double depth;     /* m */
    double rate;      /* m/s: rate of the depth, positive while the shapes approach */
} TmlRowContact;

/* Number of entries of `contacts`, and their names; NULL out of range. */
TML_API int tml_sim_contact_count(const TmlSim *sim);
TML_API const char *tml_sim_contact_name(const TmlSim *sim, int contact);
/* The points that touch at the row. Returns their number, 0 without a row, and writes at most `cap` of them to
 * out, which may be NULL when cap is 0. */
TML_API int tml_row_contacts(const TmlSim *sim, TmlRowContact *out, int cap);

/* --- global error ---------------------------------------------------------------------------- */

/* Comparison of a channel, or of the position of a body, between a run and another run by radau. */
typedef struct TmlErrorItem {
    const char *name, *unit; /* owned by sim and model */
    bool body;               /* it is a body and not a channel */
    double difference;       /* largest difference over all rows; for a body the distance, m */
    double scale;    /* range of the item in the run; infinite: it is nothing but rounding */
    double relative; /* difference / scale */
    double time;     /* s, at which the largest difference occurs */
} TmlErrorItem;

typedef struct TmlErrorInfo {
    const char *integrator; /* of the other run */
    double tolerance;
    int64_t steps, rows; /* steps of the other run; rows that were compared */
    int32_t items,
        worst;        /* worst: the item with the largest relative difference, -1: none differs */
    double relative;  /* relative difference of that item */
    double suggested; /* what the tolerance lets expect; a larger difference deserves a warning */
} TmlErrorInfo;

/* After tml_sim_run with the option check_error: compute the same motion again by radau with a thousandth of the
 * tolerance, and compare all output rows. This takes the time of that second run, whose progress goes to the
 * hooks of the options.
 *   TML_E_ARGUMENT  no rows were kept, or the run continued another one
 *   others          the second run failed; the message is that of the run */
TML_API TML_NODISCARD TmlStatus tml_sim_check_error(TmlSim *sim, TmlError *err);
/* The result of tml_sim_check_error; false: it was not called, or it failed. Items are channels first, then
 * bodies. */
TML_API bool tml_sim_error_info(const TmlSim *sim, TmlErrorInfo *out);
TML_API TmlErrorItem tml_sim_error_item(const TmlSim *sim, int index);
/* The time is divided into equal parts. Returns their number and the largest relative difference of any item in
 * each part. */
TML_API int tml_sim_error_parts(const TmlSim *sim, const double **relative);

/* --- linearisation -------------------------------------------------------------------------- */

typedef struct TmlLinear TmlLinear;

typedef struct TmlLinearOptions {
    uint32_t size; /* set by tml_linear_options_default; do not change */
    int32_t
        modes; /* number of modes nearest the shift; 0: all of a small system, 20 of a large one */
    double shift; /* 1/s */
    bool sparse;  /* with `modes`: use the method for large systems for small ones, too */
    /* Use independent coordinates of bodies (rotations are preferred) as the coordinates of the linear system,
     * instead of directions that the constraints allow: J1 and J2 of the state-space methods. Eigenvalues about
     * an equilibrium at rest are the same. For small systems only. */
    bool partition;
    TmlSpin spin; /* of the axes that displacements refer to; rate zero: that of the model */
    bool fixed;   /* the axes do not turn, whatever the model says */
} TmlLinearOptions;

TML_API TmlLinearOptions tml_linear_options_default(void);

/* Linearise about the last accepted state and find eigenvalues. The sim is not changed. If the state is no
 * equilibrium, the coefficients hold for this instant only. options may be NULL. On failure *out is NULL. The sim
 * must outlive the result.
 *   TML_E_ARGUMENT  an option is out of range; rolling constraints in a large system
 *   TML_E_SINGULAR  a motion has no inertia, or a singular position */
TML_API TML_NODISCARD TmlStatus tml_sim_linearize(TmlSim *sim, const TmlLinearOptions *options,
                                                  TmlLinear **out, TmlError *err);
TML_API void tml_linear_free(TmlLinear *lin); /* NULL is fine */

typedef struct TmlLinearInfo {
    double time;                /* s */
    double shift;               /* 1/s, as used: it may have been moved away from an eigenvalue */
    int32_t order;              /* number of states of the linear system */
    int32_t degrees_of_freedom; /* number of independent velocities */
    int32_t modes;              /* number of modes found; a complex pair counts once */
    bool sparse;                /* only the modes nearest the shift were computed */
    double speed, acceleration; /* largest ones of the state, m/s and m/s^2, relative to the axes */
    double imbalance;           /* inertia forces of that acceleration / largest force present */
    double length;              /* m: size of the model */
    TmlSpin spin;               /* of the axes */
    /* How much the equations change while the axes turn: change of accelerations when the model is turned about
     * the axis, divided by the square of the rate. If it is not zero, something is fixed in space, and the
     * eigenvalues hold for this instant only. */
    double unsteady;
    /* Number of bristle states without a point of contact. Nothing changes them. Their eigenvalues, zero, are not
     * listed among the modes of a small system. */
    int32_t idle_states;
} TmlLinearInfo;

TML_API TmlLinearInfo tml_linear_info(const TmlLinear *lin);

/* A real eigenvalue, or that one of a complex pair whose imaginary part is positive. */
typedef struct TmlMode {
    double real, imag;        /* 1/s */
    double frequency;         /* Hz, of the oscillation: imag / (2 pi) */
    double natural_frequency; /* Hz, |eigenvalue| / (2 pi) */
    double damping_ratio;     /* -real / |eigenvalue|; 0 for the eigenvalue 0 */
    double time_constant;     /* s, -1 / real; negative if the mode grows, infinite if undamped */
} TmlMode;

/* Motion of one body in a mode: displacement of its centre of mass and rotation, in global axes, real and
 * imaginary parts. Modes are scaled so that the largest of all these numbers is 1, where displacements are divided
 * by the size of the model. */
typedef struct TmlModeBody {
    TmlVec3 translation, rotation;
    TmlVec3 translation_imag, rotation_imag;
    double energy; /* share of the body in the mode's kinetic energy, 0 to 1 */
} TmlModeBody;

/* Modes are sorted by their distance from the shift. An index out of range gives zeros. */
TML_API TmlMode tml_linear_mode(const TmlLinear *lin, int mode);
TML_API TmlModeBody tml_linear_body(const TmlLinear *lin, int mode, int body);
/* Share of a flexible body in the mode's kinetic energy, and the displacement of one of its nodes, scaled as the
 * bodies are. */
TML_API double tml_linear_flexible(const TmlLinear *lin, int mode, int flexible);
TML_API void tml_linear_node(const TmlLinear *lin, int mode, int flexible, int node, TmlVec3 *real,
                             TmlVec3 *imag);
/* Change of one of the vectors of a node: 0 is the position, the others are gradients. */
TML_API void tml_linear_vector(const TmlLinear *lin, int mode, int flexible, int node, int vector,
                               TmlVec3 *real, TmlVec3 *imag);
/* Change of a coordinate of a modal body, scaled as the bodies are; the part defines how its modes are normalised. An
 * index out of range gives zeros. */
TML_API void tml_linear_modal(const TmlLinear *lin, int mode, int modal, int coordinate,
                              double *real, double *imag);
/* Change of a user state of the model in a mode, scaled as the bodies are. */
TML_API void tml_linear_state(const TmlLinear *lin, int mode, int state, double *real,
                              double *imag);

/* Set the row of the sim to the state about which it was linearised, for tml_row_* and writers. */
TML_API TML_NODISCARD TmlStatus tml_linear_row(const TmlLinear *lin, TmlSim *sim, TmlError *err);

/* The matrix A of x' = A x by columns, order * order values, which lin owns. x holds independent positions,
 * as many velocities (fewer with rolling constraints), and user states. NULL: the method for large systems was
 * used. */
TML_API const double *tml_linear_matrix(const TmlLinear *lin);

/* --- files ---------------------------------------------------------------------------------- */

/* Write modes to a file. The suffix of the path chooses the kind: JSON with eigenvalues, energies and shapes;
 * HDF5 (.h5, .hdf5) with the state as well, which tml_report shows in motion; CSV with the eigenvalues only. For
 * HDF5 the row of the sim is set to the state about which it was linearised. */
TML_API TML_NODISCARD TmlStatus tml_write_modes(const char *path, TmlSim *sim, const TmlLinear *lin,
                                                TmlError *err);
/* Write positions, reactions, forces and channels of the row as JSON. */
TML_API TML_NODISCARD TmlStatus tml_write_statics(const char *path, const TmlSim *sim,
                                                  const TmlStaticsInfo *info, TmlError *err);

#ifdef __cplusplus
}
#endif
