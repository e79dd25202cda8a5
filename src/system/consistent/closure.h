/* system/consistent/closure.h - moving a state onto the constraints: what its two files share. */
#pragma once

#include "system/system_internal.h"

enum { TML_CLOSURE_MOST = 60 }; /* iterations of (C2) */

struct TmlClosure {
    TmlArena arena; /* of all below: the closure is dropped after the initial assembly */
    TmlCsc A;       /* nu + m_all */
    TmlLu *lu;
    int *map;        /* for each constraint, row, end, component: J^T entry, then J entry */
    int *diagonal;   /* nu + m_all */
    double *metric;  /* nu: W */
    double *lengths; /* nu: W in (dr / L, dtheta) */
    double *D;       /* m_all: diagonal of J W^-1 J^T */
    double *x, *du;  /* nu + m_all: right side and solution; nu */
    double *q0, *dq; /* nq */
    double *q_try;   /* nq: before a try that may be taken back */
    double *q_last, *q_here, *q_direct; /* nq: on a path; where the direct way came to */
    double *path_start;                 /* m_all: Phi where it begins */
    double *phi;                        /* m_all */
    double *size;                       /* m_all: |J_k| in (dr / L, dtheta) */
    double *offset; /* m_all: what the rows are asked to be, zero but on a path */
    bool *skip;     /* m_all: rows that take no part */
    bool *locked;   /* nu */
    int n_norms;
    double
        norms[TML_CLOSURE_MOST]; /* |Phi| after each iteration of the last (C2) that reduced it */
};

/* Iterates by (C2), at most so many times. It returns the largest |Phi_k - offset_k| / |J_k| that
 * is left, or a negative number. */
double tml_closure_onto(TmlSystem *sys, TmlState *s, int most);

/* Moves s by a path that starts at q0 (closure_path.c), after the direct way has left `worst`. When
 * no path arrives, s stays where the direct way came to. */
double tml_closure_follow(TmlSystem *sys, TmlState *s, double worst);
