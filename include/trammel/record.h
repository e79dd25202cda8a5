/* trammel/record.h - all output rows of a run in memory, as a table of numbers.
 *
 * The columns are the time and the channels of trammel/channels.h: outputs by their names, then rod1.position.x, pin1.reaction.fx,
 * beam.node0.x, arm.mode1, certificate.phi, energy.kinetic and so on.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlRecord TmlRecord;

/* Make an empty table for the rows of a sim. `all` false: time and outputs only. */
TML_API TML_NODISCARD TmlStatus tml_record_create(const TmlSim *sim, bool all, TmlRecord **out,
                                                  TmlError *err);
TML_API void tml_record_free(TmlRecord *record); /* NULL is fine */

/* Append the row of the sim. It is a TmlRowFn: tml_sim_run(sim, tml_record_row, record, &err). */
TML_API TmlStatus tml_record_row(void *record, const TmlSim *sim, TmlError *err);

TML_API int64_t tml_record_rows(const TmlRecord *record);
TML_API int tml_record_columns(const TmlRecord *record);
/* The record owns the texts; NULL out of range. */
TML_API const char *tml_record_name(const TmlRecord *record, int column);
TML_API const char *tml_record_unit(const TmlRecord *record, int column);
/* The table, row after row; it moves when rows are added. */
TML_API const double *tml_record_values(const TmlRecord *record);

#ifdef __cplusplus
}
#endif
