/* adams/user/library.h - user-written routines in a shared library.
 *
 * A routine sees the model through utility functions without a handle, so that the call under way
 * is a variable of the thread: the one place where the library of Trammel keeps such a thing.
 */
#pragma once

#include "base/arena.h"
#include "trammel/adams_user.h"
#include "trammel/function.h"

struct TmlSpline;

enum {
    TML_ADM_MAX_REQUESTS = TML_MAX_ARGS_FIRST - 1,
    TML_ADM_REQUEST_IDS = 8,
    TML_ADM_MAX_SIZE = 100,                    /* states, outputs of a GSE */
    TML_ADM_MAX_VALUES = 2 * TML_ADM_MAX_SIZE, /* results of a routine: GSESUB gives both */
};

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
    TML_ADM_SENSUB,
    TML_ADM_SEVSUB,
    TML_ADM_GCOSUB,
    TML_ADM_COUSUB,
    TML_ADM_UCOSUB,
    TML_ADM_CURSUB,
    TML_ADM_GSESUB,
    TML_ADM_GSE_DERIV,
    TML_ADM_GSE_OUTPUT,
    TML_ADM_GSE_UPDATE,
    TML_ADM_GSE_SAMP,
    TML_ADM_N_ROUTINES
} TmlAdmRoutineKind;

/* Numbers and texts that routines may read. */
typedef struct TmlAdmData {
    int id, n;                           /* PART: n is its CM marker */
    const double *number;                /* n; ARRAY */
    const char *text;                    /* STRING */
    struct TmlSpline *spline;            /* SPLINE of one curve */
    const struct TmlAdmRoutine *routine; /* CURVE by CURSUB */
} TmlAdmData;

/* Facts of the dataset as a whole. */
typedef struct TmlAdmFacts {
    double gravity[3];
    int mode; /* of the analysis */
} TmlAdmFacts;

typedef struct TmlAdmPutSpline {
    int nx, nz;
    const double *x, *y, *z; /* nx, nx * nz, nz; from the arena */
} TmlAdmPutSpline;

typedef struct TmlAdmLibrary TmlAdmLibrary;

/* The last call of a routine; all its results have the same arguments. */
typedef struct TmlAdmMemo {
    bool value, slope; /* what is there */
    int orders;        /* CURSUB: the point and its derivatives that are there, up to 4 */
    double *in, *out;  /* 1 + inputs; results */
    double *J;         /* results by inputs and time */
} TmlAdmMemo;

typedef struct TmlAdmRoutine {
    TmlAdmLibrary *owner;
    struct TmlAdmRoutine *next; /* of the same element */
    TmlAdmRoutineKind kind;
    const char *statement; /* "SFORCE/1" */
    const char *name;      /* of the symbol */
    void *symbol, *other;  /* other: Couxx; NULL: none */
    void *third;           /* Couxx2; NULL: none, or not that of Couxx */
    int stride;            /* of the matrix that it gives */
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
        struct sAdamsSensor sensor;
        struct sAdamsCoupler coupler;
        struct sAdamsCurve curve;
        struct sAdamsGSE gse;
    } of;
    int n_values; /* results */
    int n_own;    /* arguments handed over as they are: of a field, a coupler, states and inputs */
    int n_requests; /* what it asks for, behind them */
    TmlAdmRequest request[TML_ADM_MAX_REQUESTS];
    TmlAdmMemo memo;
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
void tml_adm_library_facts(TmlAdmLibrary *library, const TmlAdmFacts *facts);
/* A message, once; stop: it ends the run. */
void tml_adm_library_say(TmlAdmLibrary *library, bool stop, const char *fmt, ...) TML_PRINTF(3, 4);

/* Find the routine: by its default name (name NULL) or by name. false: the library has none. */
bool tml_adm_routine_find(TmlAdmRoutine *r, const char *name);
/* Find what goes with it: Couxx and Couxx2, under their default names (NULL) or others. */
void tml_adm_routine_find_other(TmlAdmRoutine *r, const char *first, const char *second);
/* Is what Couxx2 gives the slope of Couxx? Else it is not called any more. */
bool tml_adm_routine_check_second(TmlAdmRoutine *r);
/* A routine that reads a SPLINE. */
bool tml_adm_spline_read(TmlAdmLibrary *library, const char *name,
                         const struct sAdamsSpline *spline, TmlAdmPutSpline *out);
/* Commands that CONSUB asks for, a line each. */
typedef struct TmlAdmScript {
    void *text; /* char, ends in 0; NULL: none */
    int n, cap;
} TmlAdmScript;
/* Call Consub (name NULL) or another one; the caller frees the text. false: it is not there. */
bool tml_adm_control_call(TmlAdmLibrary *library, const char *name, int n_par, const double *par,
                          TmlAdmScript *script);
/* Call it as while a model is loaded, and note what it asks for. false: more than can be noted. */
bool tml_adm_routine_record(TmlAdmRoutine *r);
/* Arguments beside time. */
int tml_adm_routine_inputs(const TmlAdmRoutine *r);
/* Derivatives that its results are given with: 1 or 3. */
int tml_adm_routine_order(const TmlAdmRoutine *r);

/* A call of the run: results at in[0] the time and the arguments behind it. iord: derivative, of
 * MOTSUB and CURSUB up to 2; of COUSUB 1 gives those by all displacements, 2 a matrix of 9. */
void tml_adm_routine_call(const TmlAdmRoutine *r, const double *in, int iord, double *out);
/* UCOSUB: select[3] as IDRSEL; scalar 1, array 30, matrix 30 * 30. */
void tml_adm_ucosub_call(const TmlAdmRoutine *r, const double *in, const int select[3],
                         double *scalar, double *array, double *matrix);

/* One result as a function of expressions, whose user is a TmlAdmResult. */
typedef struct TmlAdmResult {
    TmlAdmRoutine *routine;
    int index;
    double factor; /* of the result */
} TmlAdmResult;
/* Memory of the last call; false: out of memory. */
bool tml_adm_routine_prepare(TmlAdmRoutine *r, TmlArena *arena);
void tml_adm_result_eval(void *result, const double *arg, int order, TmlJet *out);
/* The same of CURSUB, whose one argument is the parameter. */
void tml_adm_curve_eval(void *result, const double *arg, int order, TmlJet *out);
