/* analysis/integrator/tlismni.h - what the loops of TLISMNI did, for tests and benchmarks. */
#pragma once

#include "analysis/integrator.h"

typedef struct TmlTlismniStats {
    int64_t evaluations; /* accelerations at a closed state: each closes, factors and solves */
    int64_t corrections; /* of the outer loop */
    int64_t krylov;      /* products of the inner loop; each is an evaluation too */
    int64_t preconditioners, partitions;
} TmlTlismniStats;

TmlTlismniStats tml_tlismni_stats(const TmlIntegrator *it);
