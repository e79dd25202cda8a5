/* adams/library.h - user-written routines in a shared library.
 *
 * A routine sees the model through utility functions without a handle, so that the call under way
 * is a variable of the thread: the one place where the library of Trammel keeps such a thing.
 */
#pragma once

#include "base/arena.h"
#include "trammel/adams_user.h"
#include "trammel/function.h"

struct TmlSpline;

enum { TML_ADM_MAX_REQUESTS = TML_MAX_ARGS_FIRST - 1, TML_ADM_REQUEST_IDS = 8 };

/* One value that a routine asks for: DX(1, 2). */
typedef struct TmlAdmRequest {
    char name[12];
    int n, id[TML_ADM_REQUEST_IDS];
} TmlAdmRequest;

typedef enum TmlAdmRoutineKind {
    TML_ADM_SFOSUB,
    TML_ADM_GFOSUB,
    TML_ADM_VFOSUB,
    TML_ADM_VTOSUB,
    TML_ADM_FIESUB,
    TML_ADM_MOTSUB,
    TML_ADM_VARSUB,
    TML_ADM_DIFSUB,
    TML_ADM_REQSUB,
    TML_ADM_GSESUB,
    TML_ADM_GSE_DERIV,
    TML_ADM_N_ROUTINES
} TmlAdmRoutineKind;

/* Numbers and texts that routines may read. */
typedef struct TmlAdmData {
    int id, n;
    const double *number;     /* n; ARRAY */
    const char *text;         /* STRING */
    struct TmlSpline *spline; /* SPLINE of one curve */
} TmlAdmData;

typedef struct TmlAdmPutSpline {
    int nx, nz;
    const double *x, *y, *z; /* nx, nx * nz, nz; from the arena */
} TmlAdmPutSpline;

typedef struct TmlAdmLibrary TmlAdmLibrary;

typedef struct TmlAdmRoutine {
    TmlAdmLibrary *owner;
    TmlAdmRoutineKind kind;
    const char *name;     /* of the symbol */
    void *symbol, *other; /* other: Gse_output */
    bool fortran;
    int id, n_par;
    const double *par; /* n_par */
    union {
        struct sAdamsSforce sforce;
        struct sAdamsGforce gforce;
        struct sAdamsVforce vforce;
        struct sAdamsVtorque vtorque;
        struct sAdamsField field;
        struct sAdamsMotion motion;
        struct sAdamsVariable variable;
        struct sAdamsDiff diff;
        struct sAdamsRequest request;
        struct sAdamsGSE gse;
    } of;
    int n_values;   /* results */
    int n_inputs;   /* arguments beside time: requests, or x and u, or 12 of a field */
    int n_requests; /* 0: arguments are handed over as they are */
    TmlAdmRequest request[TML_ADM_MAX_REQUESTS];
} TmlAdmRoutine;

/* Name of a routine in messages: "SFOSUB". */
const char *tml_adm_routine_name(TmlAdmRoutineKind kind);

/* Open a library; memory comes from the arena, which outlives it. */
TML_NODISCARD TmlStatus tml_adm_library_open(const char *path, TmlArena *arena, TmlAdmLibrary **out,
                                             TmlError *err);
void tml_adm_library_close(void *library); /* NULL is fine */
const char *tml_adm_library_path(const TmlAdmLibrary *library);
/* What routines said; NULL past the end. */
const char *tml_adm_library_message(const void *library, int index);
/* The message of a routine that asked for the end of the run; NULL: none did. */
const char *tml_adm_library_stopped(const TmlAdmLibrary *library);
/* Data for routines: arrays, strings and splines are kept apart by kind. */
bool tml_adm_library_add(TmlAdmLibrary *library, char kind, TmlAdmData data);
void tml_adm_library_gravity(TmlAdmLibrary *library, double gx, double gy, double gz);

/* Find the routine: by its default name (name NULL) or by name. false: the library has none. */
bool tml_adm_routine_find(TmlAdmRoutine *r, const char *name);
/* A routine that reads a SPLINE. */
bool tml_adm_spline_read(TmlAdmLibrary *library, const char *name,
                         const struct sAdamsSpline *spline, TmlAdmPutSpline *out);
/* Call it as while a model is loaded, and note what it asks for. false: more than can be noted. */
bool tml_adm_routine_record(TmlAdmRoutine *r);
/* Results at input[0] the time and its n_inputs arguments; iord: of MOTSUB, else 0. */
void tml_adm_routine_call(const TmlAdmRoutine *r, const double *input, int iord, double *out);

/* One result as a function of expressions, whose user is a TmlAdmResult. */
typedef struct TmlAdmResult {
    const TmlAdmRoutine *routine;
    int index;
} TmlAdmResult;
void tml_adm_result_eval(void *result, const double *arg, int order, TmlJet *out);
