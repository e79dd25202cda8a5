/* adams/library_internal.h - the library and the call under way, for the utility functions. */
#pragma once

#include <pthread.h>

#include "adams/library.h"

enum { TML_ADM_MESSAGES = 100 };

typedef void TmlAdmUtility(void);

typedef struct TmlAdmDataLink {
    char kind; /* 'A' array, 'S' string, 'C' curve */
    TmlAdmData data;
    struct TmlAdmDataLink *next;
} TmlAdmDataLink;

struct TmlAdmLibrary {
    TmlArena *arena;
    const char *path;
    void *handle;
    TmlAdmUtility *const *utilities; /* see tml_adm_utilities */
    TmlAdmDataLink *data;
    double gravity[3];
    pthread_mutex_t lock; /* of what follows */
    int n_messages;
    char *message[TML_ADM_MESSAGES];
    bool stopped; /* a routine asked for the end of the run */
};

typedef struct TmlAdmUnderWay {
    TmlAdmLibrary *library;
    const TmlAdmRoutine *routine;
    TmlAdmRoutine *recorder; /* NULL: nothing is noted */
    const double *value;     /* time, then the values of the requests */
    double time;
    TmlAdmPutSpline *put; /* in a routine that reads a SPLINE */
} TmlAdmUnderWay;

TmlAdmUnderWay *tml_adm_under_way(void); /* NULL: no routine is being called */

/* Named by the library so that a program linked with an archive holds what only routines call. */
TmlAdmUtility *const *tml_adm_utilities(void);
