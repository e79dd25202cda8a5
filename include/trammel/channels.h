/* trammel/channels.h - read results as channels: one number over time each, by name.
 *
 * An HDF5 result file, also of a run that goes on or was killed, holds
 *   theta1                                   the outputs of the model
 *   rod1.position.x, rod1.velocity.z, ...    bodies
 *   pin1.reaction.fx, ..., tz_local          joints
 *   beam.node0.x, beam.stress.0.2.sxx        flexible bodies: nodes; element, point, column
 *   arm.mode3, arm.mode3.rate                modal bodies: coordinates of the part's modes, from 1 on
 *   certificate.phi, ..., energy.kinetic     constraints and energies
 *   solver.h, solver.error, ...              attempted steps, over their own times
 * A CSV file holds the columns behind its first, which is the time.
 */
#pragma once

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlChannels TmlChannels;

typedef struct TmlChannelInfo {
    const char *name, *unit; /* unit "": none or not known */
    int64_t rows;
    bool attempts; /* a row per attempted step, not per output time */
} TmlChannelInfo;

/* Open a result file: .csv by its ending, else HDF5. On failure *out is NULL.
 *   TML_E_IO  it cannot be read, is not a result file, or is damaged */
TML_API TML_NODISCARD TmlStatus tml_channels_open(const char *path, TmlChannels **out,
                                                  TmlError *err);
TML_API void tml_channels_free(TmlChannels *c); /* NULL is fine */

TML_API int tml_channels_count(const TmlChannels *c);
TML_API TmlChannelInfo tml_channels_info(const TmlChannels *c, int channel);
TML_API const char *tml_channels_title(const TmlChannels *c); /* of the model; "": none */
/* What the rows stand over, with its unit: "time, s", or the name of the first column of a CSV. */
TML_API const char *tml_channels_time(const TmlChannels *c);
/* What is to be said about the file: still being written, killed, failed; NULL: nothing. */
TML_API const char *tml_channels_note(const TmlChannels *c);

/* First channel from number `from` on that has this name or matches this pattern, in which * stands
 * for any text, ? for any character and [ab] for one of several; -1: none. */
TML_API int tml_channels_match(const TmlChannels *c, const char *pattern, int from);

/* TML_E_ARGUMENT and a message that names the channels nearest to a name that none has. */
TML_API TmlStatus tml_channels_unknown(const TmlChannels *c, const char *name, TmlError *err);

/* All rows of a channel: values, and the times that belong to them, s. Either may be NULL. */
TML_API TML_NODISCARD TmlStatus tml_channels_read(TmlChannels *c, int channel, double *time,
                                                  double *value, TmlError *err);

#ifdef __cplusplus
}
#endif
