/* model/primitive/relation.h - linear relations between joint coordinates: gears, racks, couplers.
 *
 *   (Y1)  sum_k w_k s_k - c = 0
 *
 * s_k is the angle or the displacement of the pair of ends 2k, 2k + 1; c is fixed by the initial
 * configuration, so that the relation holds where the model starts. Angles count turns: memory[k]
 * is how far the k-th coordinate was from its start at the last accepted state, so that a start
 * near half a turn does not fall on the other branch when assembly moves it a little.
 */
#pragma once

#include "trammel/element.h"

enum { TML_RELATION_TERMS = TML_MAX_ENDS / 2 };

/* First member of the data of every type that is a relation. */
typedef struct TmlRelation {
    TmlTerms terms;
    /* filled by prepare */
    double weight[TML_RELATION_TERMS]; /* w_k */
    double start[TML_RELATION_TERMS];  /* s_k, principal angles */
    double constant;                   /* c */
} TmlRelation;

extern const char *const tml_relation_rows[];

/* Number of terms between least and what the ends can hold; coefficients finite and not zero. */
TML_NODISCARD TmlStatus tml_relation_check(const TmlRelation *p, int least, TmlError *err);

/* w_k = coefficient_k times scale[k] (NULL: 1), then c from the initial motion e. */
void tml_relation_prepare(TmlRelation *p, const double *scale, const TmlFrameKin *e);

/* Entries of the table; in->data points to a TmlRelation. */
void tml_relation_residual(const TmlElementIn *in, double *phi);
void tml_relation_jacobian(const TmlElementIn *in, TmlRow *J);
void tml_relation_gamma(const TmlElementIn *in, double *gamma);
void tml_relation_curvature(const TmlElementIn *in, const double *lambda, double *K);
void tml_relation_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv);
void tml_relation_commit(const TmlElementIn *in, double *memory);

#define TML_RELATION_TABLE                                                                         \
    .rows = 1, .n_memory = TML_RELATION_TERMS, .row_names = tml_relation_rows,                     \
    .residual = tml_relation_residual, .jacobian = tml_relation_jacobian,                          \
    .gamma = tml_relation_gamma, .curvature = tml_relation_curvature,                              \
    .gamma_tangent = tml_relation_gamma_tangent, .commit = tml_relation_commit
