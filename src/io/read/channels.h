/* io/read/channels.h - channels of a file: their names, and where their values lie. */
#pragma once

#include "io/read/results_modal.h"
#include "io/text/textbuf.h"
#include "trammel/channels.h"

typedef struct TmlChannel {
    int name, unit; /* places in the texts */
    int source;     /* a TmlResultKind, or one of the following */
    int item, field, column;
    int part[2]; /* flexible: node and vector, or element and point */
} TmlChannel;

enum { TML_CHANNEL_FLEXIBLE = TML_RESULT_KINDS, TML_CHANNEL_MODAL, TML_CHANNEL_COLUMN };

struct TmlChannels {
    TmlTextBuf text; /* names and units, each with a zero behind it */
    TmlChannel *at;
    int n, cap;
    bool is_csv;
    TmlResultFile file; /* HDF5 */
    int n_modal;
    TmlResultModal *modal;
    int64_t rows; /* CSV */
    int columns;
    double *table; /* rows x columns, the first of which is the time */
    int time_name; /* CSV: place in the texts */
    const char *title;
    char note[256];
};

/* Keep a text; returns its place. Failure shows in c->text. */
int tml_channels_text(TmlChannels *c, const char *text);

/* Enter a channel; its name and unit are copied. */
TML_NODISCARD TmlStatus tml_channels_add(TmlChannels *c, TmlChannel where, const char *name,
                                         const char *unit, TmlError *err);

TML_NODISCARD TmlStatus tml_channels_open_h5(TmlChannels *c, const char *path, TmlError *err);
TML_NODISCARD TmlStatus tml_channels_open_csv(TmlChannels *c, const char *path, TmlError *err);
TML_NODISCARD TmlStatus tml_channels_read_h5(TmlChannels *c, const TmlChannel *channel,
                                             double *time, double *value, TmlError *err);
