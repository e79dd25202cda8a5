/* adams/dataset/syntax.h - what statements there are, what arguments they take, and what became of them.
 *
 * One row a statement and one row an argument. A word may be cut short: the exact name counts,
 * else the first row of the table that begins with it.
 */
#pragma once

#include "adams/dataset/source.h"

typedef enum TmlAdmKind {
    TML_ADM_FLAG,  /* a word alone */
    TML_ADM_ID,    /* one identifier */
    TML_ADM_IDS,   /* identifiers */
    TML_ADM_REALS, /* numbers, D behind one for degrees */
    TML_ADM_EXPR,  /* a function expression */
    TML_ADM_WORDS, /* words separated by commas or colons */
    TML_ADM_TEXT,  /* up to the end of the line */
} TmlAdmKind;

typedef enum TmlAdmUse {
    TML_ADM_USED,
    TML_ADM_IGNORED, /* changes neither motion nor forces */
    TML_ADM_REFUSED, /* would change motion or forces */
} TmlAdmUse;

typedef struct TmlAdmKey {
    const char *name;
    TmlAdmKind kind;
    TmlAdmUse use;
    const char *text; /* of ignored and refused: what it would change; NULL: nothing to say */
} TmlAdmKey;

typedef struct TmlAdmSyntax {
    const char *name;
    const TmlAdmKey *keys; /* ends with an empty row; NULL: arguments are not read */
    TmlAdmUse use;
    const char *text; /* what it is, or what ignoring it changes */
    bool unnumbered;  /* KEYWORD/ without an id */
    bool lenient;     /* arguments that are not known are notes: they change no motion */
} TmlAdmSyntax;

typedef struct TmlAdmArg {
    const TmlAdmKey *key;
    TmlAdmSlice name, value;
} TmlAdmArg;

/* NULL: no such statement. */
const TmlAdmSyntax *tml_adm_syntax(const char *word, int length);
/* The statement that is spelt nearly so; NULL: none. */
const char *tml_adm_syntax_near(const char *word, int length);
const TmlAdmSyntax *tml_adm_syntax_at(int index); /* for lists; NULL: past the end */

/* The argument of that name; NULL: not given. */
const TmlAdmArg *tml_adm_find_arg(const TmlAdmArg *args, int n, const char *name);

/* Split the arguments of a statement. Unknown ones are reported. *args comes from the arena. */
TML_NODISCARD TmlStatus tml_adm_arguments(const TmlAdmStatement *s, const TmlAdmSyntax *syntax,
                                          TmlArena *arena, TmlReport *report, TmlAdmArg **args,
                                          int *n, TmlError *err);
