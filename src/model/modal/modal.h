/* model/modal/modal.h - a body by modes: its data, and its equations of motion.
 *
 * The unknowns are those of a floating frame (r, A) and the modal coordinates eta. All below is in
 * the axes of the frame: f = A^T (r'' - g), w and al the angular velocity and acceleration. With the
 * moments of part.h, eta_0 = 1, and vee(x y^T) = x x y:
 *
 *   (MO3)  S = sum P_i eta_i,   E_j = sum_i G_ji eta_i = int rho phi_j c^T,   c = x + Phi eta
 *   (MO4)  J = tr(cc) 1 - cc + J_r,   cc = int rho c c^T,   C_j = -vee(E_j) + C_rj
 *   (MO5)  H^T = sum_j eta_j' E_j,   E'_j = sum_i G_ji eta_i',   i > 0
 *   (MO6)  m f + al x S + P eta'' + w x (w x S) + 2 w x P eta'                          force
 *   (MO7)  S x f + J al + C eta'' + w x J w + 2 (tr(H) w - H^T w) + w x C_r eta'       torque
 *   (MO8)  P_j . f + C_j . al + M_ji eta_i'' + w . E_j w - tr(E_j) w.w
 *          - 2 w . vee(E'_j) + K_ji eta_i + D_ji eta_i'                              mode j
 *
 * Derivation: docs/theory/modal.md.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "model/modal/attach.h"
#include "model/modal/part.h"
#include "model/model.h"

/* The part of a file, which is read once whatever names it; it lives as long as the model. */
TML_NODISCARD TmlStatus tml_model_part(TmlModel *m, const char *path, const TmlPart **out,
                                       TmlError *err);

/* The same part with n of its modes, counted from 0, in the order that is given. */
TML_NODISCARD TmlStatus tml_part_pick(const TmlPart *part, int n, const int *mode, TmlArena *arena,
                                      TmlPart *out, TmlError *err);

/* How a body uses its part. */
typedef struct TmlModalOptions {
    bool stiffened;      /* by spin: the centrifugal stiffness of the part */
    bool loads;          /* by the load cases of the part: modal_loads.c */
    bool second_order;   /* G_ij of modes with each other are kept */
    double damping;      /* ratio of every mode; NAN: that of the part */
    double limit;        /* Hz: modes above it are held static (MO15); 0: none is */
    const double *ratio; /* of each mode instead; NULL: not given one by one */
} TmlModalOptions;

/* Load cases that stiffen: see modal_loads.c. */
typedef struct TmlModalLoads {
    int n;
    double *K; /* n x m x m */
    double *c; /* n x m: what a coordinate adds to the load of each case */
    double *A; /* n x n: the inverse of (MO10) */
} TmlModalLoads;

struct TmlModal {
    const char *name;
    int body;     /* the floating frame */
    int first, m; /* hidden bodies that hold the coordinates, three each; how many modes */
    int point0;   /* of TmlModel.points: the first of the part's frames */
    const TmlPart *part;
    const char *path; /* of the part's file */
    TmlModalOptions options;
    double mass;
    /* The body's coordinates are lengths: scale[j] times those of the part. What follows belongs to them. */
    double *scale;
    double *P, *G; /* as those of the part, (MO2) */
    double *M;     /* m x m: tr(G_ij) and the rest */
    double *K, *D; /* m x m; D NULL: none */
    double J_r[9]; /* zero: no rest */
    double *C_r;   /* m x 3; NULL: none */
    const double
        *centrifugal; /* 6 x m x m, of the part's coordinates; NULL: not stiffened by spin */
    TmlModalLoads loads;
    int n_static; /* modes that are held static */
    /* Of each frame of the part, 3 m numbers each: phi[3 (frame m + j)]; then of the two points of each load. */
    double *phi, *psi;
    double *load_unit; /* of each load: what its points are scaled by, (ML3) of modal_force.c */
    const TmlValue *source;
};

/* Fill scale and what follows it from the part and the options. */
TML_NODISCARD TmlStatus tml_modal_prepare(TmlModal *body, TmlArena *arena, TmlError *err);

/* How many frames it has with the points of its loads, and which of them are these of load l: push, then turn. */
static inline int tml_modal_points(const TmlModal *body)
{
    return body->part->n_frames + 2 * body->part->n_loads;
}

static inline int tml_modal_load_point(const TmlModal *body, int l)
{
    return body->part->n_frames + 2 * l;
}

/* Where a frame is while the part is not deformed; points of loads start at the origin. */
TmlVec3 tml_modal_place(const TmlModal *body, int frame);

/* c and psi of a frame and their rates from coordinates x[3][m]: value, rate, second rate. */
TmlAttach tml_modal_node(const TmlModal *body, int frame, const double *const x[3]);

/* Motion at a point of TmlModel.points at the initial state, without the end's own offset. */
TmlFrameKin tml_modal_initial_point(const TmlModel *m, int point);

/* An end at a frame of a modal body as one fixed to its floating frame, where it is without deformation; others as they are. */
TmlEnd tml_modal_undeformed(const TmlModel *m, const TmlEnd *end);

/* The modal body that `body` is the frame of; -1: it is none. */
int tml_modal_of_body(const TmlModel *m, int body);

/* What one evaluation is given, and the sums that it is made of. */
typedef struct TmlModalIn {
    const TmlModal *body;
    TmlVec3 f, w, al;
    const double *eta, *eta1, *eta2; /* m: coordinates, rates, second rates */
} TmlModalIn;

typedef struct TmlModalSums {
    TmlVec3 S, P1; /* P1: P eta' */
    TmlMat33 J, Ht;
    double *C;           /* 3 m */
    double *E, *E1, *E2; /* 9 m, row major: with eta, eta', eta'' */
    double *column;      /* 6 + m: scratch */
    double *load_g;      /* K_l eta of each load case, n x m */
    double *load_b, *load_N;
} TmlModalSums;

TML_NODISCARD TmlStatus tml_modal_sums_create(const TmlModal *body, TmlArena *arena,
                                              TmlModalSums *s, TmlError *err);

/* S, E, J, C: with eta alone. */
void tml_modal_shape(const TmlModalIn *in, TmlModalSums *s);
/* All but E2, after tml_modal_shape. */
void tml_modal_rates(const TmlModalIn *in, TmlModalSums *s);

/* e[6 + m] = (MO6) to (MO8). */
void tml_modal_residual(const TmlModalIn *in, TmlModalSums *s, double *e);

/* y[6 + m] = M x, both in body axes. */
void tml_modal_mass_times(const TmlModal *body, const TmlModalSums *s, const double *x, double *y);

/* K[(6 + m)^2], row major: derivatives of e. X: those of f, w, al by the six unknowns of the frame,
 * 9 x 6 row major; coordinates change by c_q, rates by c_v, second rates by c_a. Fills E2. */
void tml_modal_tangent(const TmlModalIn *in, TmlModalSums *s, const double *X, double c_q,
                       double c_v, double c_a, double *K);

/* Energies in J, v: of the origin in body axes. */
double tml_modal_kinetic(const TmlModalIn *in, const TmlModalSums *s, TmlVec3 v);
double tml_modal_stored(const TmlModalIn *in, TmlModalSums *s);
/* Power of stiffness and damping, W; after tml_modal_residual. */
double tml_modal_power(const TmlModalIn *in, const TmlModalSums *s);

/* --- modal_loads.c: stiffening by load cases -------------------------------------------------------------- */

/* Fills `loads` and changes `centrifugal` (MO14); needs scale, G and K. */
TML_NODISCARD TmlStatus tml_modal_take_loads(TmlModal *body, TmlArena *arena, TmlError *err);
/* f[m] += what (MO12) has beyond K eta. */
void tml_modal_load_forces(const TmlModalIn *in, TmlModalSums *s, double *f);
double tml_modal_load_energy(const TmlModalIn *in, TmlModalSums *s);
double tml_modal_load_power(const TmlModalIn *in, const TmlModalSums *s);
/* Adds to the rows of the modes of K[(6 + m)^2]. */
void tml_modal_load_tangent(const TmlModalIn *in, TmlModalSums *s, double c_q, double *K);
