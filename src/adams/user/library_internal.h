/* adams/user/library_internal.h - the library and the call under way, for the utility functions. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "adams/user/library.h"

enum { TML_ADM_MESSAGES = 100 };

typedef void TmlAdmUtility(void);

typedef struct TmlAdmDataLink {
    char kind; /* 'A' array, 'S' string, 'C' spline, 'K' curve, 'P' part, 'I', 'O' plant lists */
    TmlAdmData data;
    struct TmlAdmDataLink *next;
} TmlAdmDataLink;

struct TmlAdmLibrary {
    TmlArena *arena;
    const char *path;
    void *handle;
    TmlAdmUtility *const *utilities; /* see tml_adm_utilities */
    TmlAdmDataLink *data;
    TmlAdmFacts facts;
    pthread_mutex_t calls;  /* routines keep variables of their own: one at a time */
    pthread_mutex_t memory; /* of the memos of routines */
    pthread_mutex_t lock;   /* of what follows */
    int n_messages;
    char *message[TML_ADM_MESSAGES];
    atomic_bool stopped; /* a routine asked for the end of the run */
};

typedef struct TmlAdmUnderWay {
    TmlAdmLibrary *library;
    const TmlAdmRoutine *routine;
    TmlAdmRoutine *recorder; /* NULL: nothing is noted */
    const double *value;     /* time, then the values of the requests */
    double time;
    TmlAdmPutSpline *put; /* in a routine that reads a SPLINE */
    TmlAdmScript *script; /* in CONSUB */
} TmlAdmUnderWay;

TmlAdmUnderWay *tml_adm_under_way(void); /* NULL: no routine is being called */
/* Begin and end a call; begin gives the one that was under way. */
TmlAdmUnderWay *tml_adm_begin(TmlAdmUnderWay *now);
void tml_adm_end(TmlAdmUnderWay *before);
/* A symbol in one of the spellings of its name; NULL: none. */
void *tml_adm_library_symbol(const TmlAdmLibrary *library, const char *name, bool *fortran);

/* A value that the routine under way asks for; false: not while the model was loaded. */
bool tml_adm_value_of(const TmlAdmUnderWay *now, const char *name, int n, const int *id,
                      double *out);
const TmlAdmData *tml_adm_find_data(const TmlAdmUnderWay *now, char kind, int id);

/* Named by the library so that a program linked with an archive holds what only routines call. */
TmlAdmUtility *const *tml_adm_utilities(void);
