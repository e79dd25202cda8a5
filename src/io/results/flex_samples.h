/* io/results/flex_samples.h - the points of a flexible body at which results are kept.
 *
 * Points are the same in all elements. Lines: at the start, the middle and the end of the element,
 * on the axis and at the outermost fibres of the section. Patches: 3 x 3 places on the bottom, then
 * 3 x 3 on the top.
 */
#pragma once

#include "trammel/flexible.h"

enum { TML_SAMPLES_MAX = 18, TML_SAMPLE_VECTORS_MAX = 16 };

typedef struct TmlFlexSamples {
    int n;                         /* points of an element */
    int stations;                  /* along the element: 3; each has the same number of fibres */
    int fibres;                    /* points of a station; of patches the nine places of a side */
    double xi[TML_SAMPLES_MAX][3]; /* 0 to 1 along the element, then as places of flexible.h */
} TmlFlexSamples;

TmlFlexSamples tml_flex_samples(const TmlModel *model, int flexible);

/* weight[n * vectors of the element]: the position of each point is the sum of weights times the
 * vectors of the element, node by node. */
void tml_flex_sample_weights(const TmlModel *model, int flexible, int element,
                             const TmlFlexSamples *s, double *weight);

/* value[n * outputs]: strains and stresses at the output row. */
void tml_flex_sample_outputs(const TmlSim *sim, int flexible, int element, const TmlFlexSamples *s,
                             double *value);
