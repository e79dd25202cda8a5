/* analysis/integrator/tlismni.h - what the loops of tlismni-* did, for tests and benchmarks. */
#pragma once

#include "analysis/two_loop.h"

TmlTwoLoopStats tml_tlismni_stats(const TmlIntegrator *it);
