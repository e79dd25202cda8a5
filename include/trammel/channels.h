/* trammel/channels.h - read results as channels, each of which is one number over time with a name.
 *
 * An HDF5 result file, also that of a run in progress or of a killed run, holds
 *   theta1                                   the outputs of the model
 *   rod1.position.x, rod1.velocity.z, ...    bodies
 *   pin1.reaction.fx, ..., tz_local          joints
 *   beam.node0.x, beam.stress.0.2.sxx        flexible bodies: nodes; element, point, column
 *   arm.mode3, arm.mode3.rate                modal bodies: coordinates of the part's modes, from 1 on
 *   certificate.phi, ..., energy.kinetic     constraints and energies
 *   solver.h, solver.error, ...              attempted steps, over their own times
 * In a CSV file the first column is the time, and each other column is a channel.
 */
#pragma once

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlChannels TmlChannels;

typedef struct TmlChannelInfo {
    const char *name, *unit; /* unit "": the channel has none, or it is not known */
    int64_t rows;
    bool attempts; /* it has one row per attempted step, not per output time */
} TmlChannelInfo;

/* Open a result file: .csv by its ending, else HDF5. On failure *out is NULL.
 *   TML_E_IO  it cannot be read, is not a result file, or is damaged */
TML_API TML_NODISCARD TmlStatus tml_channels_open(const char *path, TmlChannels **out,
                                                  TmlError *err);
TML_API void tml_channels_free(TmlChannels *c); /* NULL is fine */

TML_API int tml_channels_count(const TmlChannels *c);
TML_API TmlChannelInfo tml_channels_info(const TmlChannels *c, int channel);
TML_API const char *tml_channels_title(const TmlChannels *c); /* title of the model; "": none */
/* Label of the horizontal axis with its unit: "time, s", or the name of the first column of a CSV file. */
TML_API const char *tml_channels_time(const TmlChannels *c);
/* Note on the state of the file: still being written, run killed, run failed; NULL: nothing to note. */
TML_API const char *tml_channels_note(const TmlChannels *c);

/* Index of the first channel, from index `from` on, that has this name or matches this pattern; -1: none. In
 * a pattern * stands for any text, ? for any character and [ab] for one of these characters. */
TML_API int tml_channels_match(const TmlChannels *c, const char *pattern, int from);

/* Return TML_E_ARGUMENT with a message that a channel is unknown and which names are most similar. */
TML_API TmlStatus tml_channels_unknown(const TmlChannels *c, const char *name, TmlError *err);

/* Read all rows of a channel: their values, and their times, s. Either array may be NULL. */
TML_API TML_NODISCARD TmlStatus tml_channels_read(TmlChannels *c, int channel, double *time,
                                                  double *value, TmlError *err);

/* Values of a channel after a Butterworth low pass of even order that runs forwards and backwards: nothing is late, and
 * amplitudes at the corner frequency (Hz) are halved. Rows must have equal distances in time; the last one may come
 * earlier. out[n] may be value. */
TML_API TML_NODISCARD TmlStatus tml_low_pass(int64_t n, const double *time, const double *value,
                                             double corner, int order, double *out, TmlError *err);

/* Of the rows where `from` <= along[k] <= `to`; without rows all are NAN. */
typedef struct TmlStatistics {
    int64_t rows;
    double mean, deviation, min, max; /* deviation: root of the mean square from the mean */
    double loss;                      /* share of the rows whose value is not above `level` */
} TmlStatistics;

TML_API TmlStatistics tml_statistics(int64_t n, const double *along, const double *value,
                                     double from, double to, double level);

#ifdef __cplusplus
}
#endif
