/* adams/expression.h - the translator of function expressions, shared by its two files. */
#pragma once

#include "adams/dataset.h"

enum { TML_ADM_MAX_ARGS = 64, TML_ADM_WORD_MAX = 64 };

typedef struct TmlAdmTranslator {
    TmlAdm *adm;
    TmlAdmItem *item;
    TmlAdmText *out;
    int depth;
} TmlAdmTranslator;

typedef struct TmlAdmCall {
    const char *name; /* in capitals */
    TmlAdmSlice at, arg[TML_ADM_MAX_ARGS];
    char behind[TML_ADM_MAX_ARGS]; /* ',' or ':' or ')' */
    int n;
} TmlAdmCall;

/* Write an expression, or a call of a function, in our language. false: reported. */
bool tml_adm_translate(TmlAdmTranslator *t, TmlAdmSlice s);
bool tml_adm_write_call(TmlAdmTranslator *t, const TmlAdmCall *call);
/* An error about a place; what holds one %s. Returns false. */
bool tml_adm_refuse(TmlAdmTranslator *t, TmlAdmSlice at, const char *what, const char *word)
    __attribute__((format(printf, 3, 0)));
