/* system/recursion/links.h - what the files of the recursion share: links, their motion, loops.
 *
 * A joint of the tree is a chain of links with one motion each, of which the last one carries the child; the others have no
 * mass. Bodies that are fixed to each other are one link. Links are in depth-first order, parents before children. What is
 * constant stands apart from what an evaluation writes.
 *
 *   pin     turns by x about z of its own axes        S = (0, s)
 *   slide   moves by x along e of its parent's axes   S = (e, 0)
 *   shift   moves by x, three numbers, in them        S = (1, 0)
 *   ball    turns by the quaternion x                 S = (0, 1)
 */
#pragma once

#include "system/coordinates/tree.h"
#include "system/recursion/recursion.h"
#include "system/recursion/symmetric.h"
#include "system/system_internal.h"

typedef enum TmlLinkKind {
    TML_LINK_PIN,
    TML_LINK_SLIDE,
    TML_LINK_SHIFT,
    TML_LINK_BALL
} TmlLinkKind;

typedef struct TmlLink {
    TmlLinkKind kind;
    int parent; /* -1: the ground */
    int x0, y0; /* its first position and speed */
    TmlMat33 L; /* pin: its axes at x = 0 in those of the parent */
    TmlVec3 d;  /* joint point from that of the parent in its axes, at x = 0 */
    TmlVec3 e;  /* slide */
    double mass;
    TmlVec3 c; /* centre of mass from the joint point, own axes */
    TmlSym J;  /* about the centre of mass, own axes */
    TmlSym C;  /* about the joint point */
} TmlLink;

/* At the last evaluation, all in global axes. */
typedef struct TmlLinkMotion {
    TmlMat33 A;          /* axes */
    TmlVec3 r, v, w;     /* joint point, its velocity, angular velocity */
    TmlVec3 d, s;        /* from the parent's joint point; axis of the pin or slide */
    TmlVec3 kappa, zeta; /* (N1) */
    TmlVec3 a, alpha;    /* of the joint point, less gravity; angular */
    TmlSym M, C;         /* (N2): [M B; B^T C], then articulated, (N5) */
    TmlMat33 Bt;         /* B^T: its columns are the rows of B */
    TmlVec3 f, n;        /* (N2), (N5) */
    TmlVec3 Um, Uc;      /* (N3) of pin and slide */
    double D1;           /* D^-1 of these */
    TmlSym D3;           /* D^-1 of shift and ball */
    TmlVec3 u;           /* (N3); of pin and slide u.x */
    double tau;          /* (N9): torque about the axis of a pin */
} TmlLinkMotion;

/* A joint of the tree: n links from `first` on, none when the bodies are fixed to each other. */
typedef struct TmlHang {
    int body, parent, first, n;
    int constraint;  /* -1: it floats */
    TmlEnd at, from; /* the frames on the child and on the parent */
    int axis[4]; /* of each link: 0 to 2 an axis of the parent's frame, 3 to 5 one of the child's */
} TmlHang;

/* Where a body is on the link that carries it. */
typedef struct TmlBodyPlace {
    int link;  /* -1: it is fixed to the ground */
    TmlVec3 s; /* centre of mass from the joint point, axes of the link */
    TmlQuat p; /* its axes in those of the link */
    TmlMat33 K;
} TmlBodyPlace;

/* What a state says of a body, recursion_take.c. */
typedef struct TmlGiven {
    TmlVec3 r, v, w;
    TmlMat33 A;
    TmlQuat p;
} TmlGiven;

/* (N9) A force that is a torque about the axis of one pin, by its angle and rate: it needs no frames. */
typedef struct TmlAxisLaw {
    int force, link;
    double sign, angle; /* 1 or -1: sense of the angle; the angle where the coordinate is zero */
} TmlAxisLaw;

/* A constraint that closes a loop: it is no joint of the tree. */
typedef struct TmlCutJoint {
    int constraint;
    int row0, n_rows;  /* its rows among those of TmlLoops */
    int path0, n_path; /* links that move its ends, in TmlLoops.path, last ones first */
    TmlRow *J;         /* rows * ends: its Jacobian at the last evaluation */
} TmlCutJoint;

typedef struct TmlLoopRow {
    int cut, k; /* the joint, and its row there */
    int place;  /* its place in the order of elimination */
    int u0;     /* the first of its responses, of which each link of the path has one */
} TmlLoopRow;

typedef struct TmlLoops {
    int n_cut, all, m; /* number of cut joints, of all their rows, and of the rows that are kept */
    TmlCutJoint *cut;
    int *path;
    TmlLoopRow *row; /* all: those that are kept come first */
    double *size;    /* all: the size of each row, in lengths of the model or in radians */
    TmlVec3 *u, *Du; /* (N7): responses, and D^-1 of them */
    int *touch0, *touch_row,
        *touch_at; /* links + 1: rows whose path has a link, and places of their responses */
    int *first;    /* all: first column of each row of the envelope */
    size_t *start; /* all + 1 */
    size_t room;   /* of the envelope */
    double *value, *pivot; /* L D L^T of Lambda */
    double *diagonal;      /* the diagonal of Lambda */
    double *rhs, *lambda;  /* all */
    double hold,
        hold_chosen; /* the least pivot relative to its diagonal; as it was when rows were chosen */
    bool *drop, *kept; /* all: scratch; rows that are left out */
    bool chosen;
    bool spare;       /* some rows are left out, and may have to be taken in later */
    TmlVec3 *wf, *wn; /* force and moment on each link while they are summed; zero between calls */
} TmlLoops;

struct TmlRecursion {
    TmlSystem *sys;
    TmlArena arena;
    int n_links, n_hangs, nx, ny;
    TmlLink *link;
    TmlLinkMotion *motion, *room; /* motion[-1] is the ground */
    TmlHang *hang;
    TmlBodyPlace *place; /* nb */
    TmlGiven *given;     /* nb */
    TmlQuat *p;          /* links: axes as quaternions, by tml_recursion_state */
    TmlQuat *L;          /* links: of pins, as quaternions */
    double *x, *y;       /* positions and speeds of the last evaluation of rates */
    double *dx, *dy;     /* scratch */
    TmlVec3 *ra, *rw;    /* links + 1: responses, scratch; [0] is the ground */
    bool loaded;         /* there are forces other than weight and laws about axes */
    bool equations;      /* there are states, variables or forces by expressions */
    bool works;          /* powers are asked for */
    int n_ends, *end;    /* frames that forces and expressions see */
    bool *seen;          /* for each frame whether it is among these */
    double *Q;           /* nu: forces on the bodies */
    int n_axes;          /* number of the forces of (N9) */
    TmlAxisLaw *axis;
    bool *on_axis; /* for each force whether it is among these */
    bool sorted;   /* on_axis has been filled */
    TmlLoops loops;
    TmlVec3 *force, *torque; /* nb: the load that the joints of the tree must balance */
    double least_mass;       /* pivots below this are none, kg; see tml_recursion_begin */
};

/* --- motion.c --- */

/* (N1): axes, points, velocities of all links, of `r->x` and `r->y`. */
void tml_links_move(TmlRecursion *r);
/* x moves by dy, in the sense of speeds. Returns the largest part, in lengths of the model and radians. */
double tml_links_turn(const TmlRecursion *r, const double *dy, double *x);
/* Motion of a body's frame; accelerations as well where they were computed. */
void tml_links_body(const TmlRecursion *r, int body, TmlFrameKin *out);

/* --- inertia.c --- */

/* (N2) to (N6), with the forces r->Q when `loaded`. False: a pivot is none. */
bool tml_links_accelerate(TmlRecursion *r, double *y1);
/* Takes the forces r->Q on the bodies from f and n of the links. */
void tml_links_add_forces(TmlRecursion *r);
/* Inwards only: articulated inertias without forces, for loops. */
bool tml_links_articulate(TmlRecursion *r);

/* --- loads.c --- */

TML_NODISCARD TmlStatus tml_links_loads_setup(TmlRecursion *r, TmlError *err);
/* After laws about axes are known. */
void tml_links_loads_sort(TmlRecursion *r);
/* Sets r->Q, X', V, F and the weight at s->t. False: a value is not finite. */
bool tml_links_loads(TmlRecursion *r, TmlState *s);
/* Moves the bodies and frames that these ends are on. */
void tml_links_move_ends(TmlRecursion *r, int n, const int *end);

/* --- links_axes.c --- */

TML_NODISCARD TmlStatus tml_links_axes_setup(TmlRecursion *r, TmlError *err);
/* After links have moved to where coordinates are zero. */
void tml_links_axes_begin(TmlRecursion *r);
/* Sets tau of the links that have such laws, and adds their powers. */
void tml_links_axes(TmlRecursion *r);
/* Value and derivatives of a law at r->x and r->y, along the coordinate. */
void tml_links_axis_law(const TmlRecursion *r, const TmlAxisLaw *a, double law[3]);

/* --- links_loads.c --- */

/* What of the model the recursion cannot do; NULL: nothing. */
const char *tml_links_refuse(const TmlSystem *sys);

/* --- loops.c, loops_rows.c --- */

TML_NODISCARD TmlStatus tml_loops_setup(TmlRecursion *r, const TmlTree *tree, TmlError *err);
/* Frames of all joints that are cut at the last motion of the links, with their accelerations; then the rows of these joints. */
void tml_loops_move(TmlRecursion *r);
void tml_loops_rows(TmlRecursion *r, double t);
/* (N7) after articulated inertias and rows: the matrix, and with its factors. False: something is not finite, or a pivot zero. */
bool tml_loops_lambda(TmlRecursion *r);
bool tml_loops_factor(TmlRecursion *r);
/* Sets the right side to the kept rows at a level; returns the largest relative to the size of its row, which is that of a
 * displacement in lengths of the model or of a turn. */
double tml_loops_level(TmlRecursion *r, double t, TmlLevel level);
/* Solves for lambda, and sets dy = -M^-1 G^T lambda; `accelerations`: those of the links change with it. */
void tml_loops_respond(TmlRecursion *r, double *dy, bool accelerations);
/* Chooses rows that are independent at the last motion. False: there are none. */
bool tml_loops_choose(TmlRecursion *r, double t);
/* Puts the last multipliers into s. */
void tml_loops_put(const TmlRecursion *r, TmlState *s);
/* Adds the power that moving constraints put in, by the last multipliers. */
void tml_loops_power(TmlRecursion *r, double t);
