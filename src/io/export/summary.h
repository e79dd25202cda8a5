/* io/export/summary.h - statistics of a run as JSON, shared by the summary and the result file. */
#pragma once

#include "io/text/json.h"
#include "trammel/sim.h"

/* An object with every field of the statistics under its own name. */
void tml_json_stats(TmlJson *j, const char *key, const TmlSimStats *stats);
