/* io/read/results_read.h - reads result files: what they hold, and rows in ranges.
 *
 * Opens what a run has ended, is still writing, or left behind when it was killed. Things of one
 * kind (channels, bodies, joints) form a set: a value belongs to an item, a field of it and a
 * column of that. How a set is stored (a dataset per item, or packed) makes no difference here.
 */
#pragma once

#include "io/read/hdf5_read.h"

typedef enum TmlResultState {
    TML_RESULT_ENDED,   /* done or failed: `status` tells */
    TML_RESULT_RUNNING, /* a process still writes the file */
    TML_RESULT_KILLED,  /* left behind by a process that was killed */
} TmlResultState;

typedef enum TmlResultKind {
    TML_RESULT_CHANNELS,    /* one field without a name */
    TML_RESULT_BODIES,      /* rigid bodies and points: position, orientation, ... */
    TML_RESULT_JOINTS,      /* reaction */
    TML_RESULT_CERTIFICATE, /* one item: phi, ..., kinetic, ... */
    TML_RESULT_SOLVER,      /* one item; a row per attempted step, not per output time */
    TML_RESULT_KINDS
} TmlResultKind;

typedef struct TmlResultField {
    const char *name, *unit;   /* unit "": none, or that of the item */
    int width;                 /* values of an item in a row */
    const char *const *column; /* their names; NULL: one value */
} TmlResultField;

typedef struct TmlResultSet {
    int64_t rows;
    int n_items, n_fields;
    const char **item;      /* names as in the model */
    const char **item_unit; /* of channels; NULL: the fields tell */
    TmlResultField *field;
    /* where it lies in the file */
    const char *group;
    const char **item_link, **field_link; /* NULL: no such level */
    bool packed;
} TmlResultSet;

typedef struct TmlResultFile {
    const char *path;
    TmlArena arena; /* owner of all texts and arrays */
    hid_t file;
    TmlResultState state;
    const char *status; /* "running", "done", or why the run failed */
    int64_t rows;       /* of /time: whole in all sets but the solver's */
    double *time;
    int time_cap;
    TmlResultSet set[TML_RESULT_KINDS];
    TmlH5Quiet quiet; /* HDF5 is silent as long as the file is open */
} TmlResultFile;

/* Open a result file; the caller closes it, also after a failure.
 *   TML_E_IO  it cannot be read, is not a result file, or is damaged; the message tells which and
 *             begins with the path */
TML_NODISCARD TmlStatus tml_result_open(const char *path, TmlResultFile *out, TmlError *err);
void tml_result_close(TmlResultFile *f);

/* Look for rows that came since (state running): `rows`, `time` and the solver's rows grow. */
TML_NODISCARD TmlStatus tml_result_refresh(TmlResultFile *f, TmlError *err);

/* Rows first, ..., first + n - 1 of a field: out holds n x width values, or n x items x width when
 * item is -1, which is the fast way to all of them. */
TML_NODISCARD TmlStatus tml_result_read(TmlResultFile *f, TmlResultKind kind, int item, int field,
                                        int64_t first, int64_t n, double *out, TmlError *err);

/* Number of the item or field of that name; -1: none. */
int tml_result_item(const TmlResultSet *s, const char *name);
int tml_result_field(const TmlResultSet *s, const char *name);

/* Attributes of the object at `path` ("/" for the run itself: title, model, integrator, ...), kept
 * in the file's arena. A text that is not there is NULL, a number NAN; *n is 0 for no list. */
const char *tml_result_text(TmlResultFile *f, const char *path, const char *name);
double tml_result_number(TmlResultFile *f, const char *path, const char *name);
TML_NODISCARD TmlStatus tml_result_texts(TmlResultFile *f, const char *path, const char *name,
                                         int *n, const char *const **out, TmlError *err);
