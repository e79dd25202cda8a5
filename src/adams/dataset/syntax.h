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

/* Rounds in which statements are written: parts before their markers, and joints before whatever
 * asks for their reactions. */
typedef enum TmlAdmRound {
    TML_ADM_BODIES,
    TML_ADM_PLACES, /* markers, and tables that others name */
    TML_ADM_JOINTS,
    TML_ADM_ON_JOINTS, /* what belongs to a joint */
    TML_ADM_ACTIONS,
    TML_ADM_RESULTS,
    TML_ADM_ROUNDS,
} TmlAdmRound;

typedef enum TmlAdmActs {
    TML_ADM_ACTS_NOT,
    TML_ADM_CONSTRAINS, /* on its markers, by a reaction */
    TML_ADM_PUSHES,     /* on its markers, by a force */
} TmlAdmActs;

struct TmlAdm;
struct TmlAdmItem;

/* All that is known of a kind of statement; what is left out is zero. */
typedef struct TmlAdmSyntax {
    const char *name;
    const TmlAdmKey *keys; /* ends with an empty row; NULL: arguments are not read */
    TmlAdmUse use;
    const char *text; /* what it is, or what ignoring it changes */
    bool unnumbered;  /* KEYWORD/ without an id */
    bool lenient;     /* arguments that are not known are notes: they change no motion */
    bool silent;      /* ignored without a note */
    bool carries;     /* markers that follow and name no part belong to it */
    bool carried;     /* named and written within the body that carries it */
    bool system;      /* equations whose states and outputs are held by ARRAYs */

    const char *space;   /* where its name is the only one; NULL: among the forces */
    const char *choices; /* arguments of which it has one kind at a time: words behind '|' exclude
                          * those before; NULL: none */
    TmlAdmActs acts;
    int routine, routine_values; /* the user-written routine that it calls (TmlAdmRoutineKind) and
                                  * the number of its results; 0 results: none */

    /* Writes it into the model, in its round. NULL: it is read by those who name it. */
    void (*translate)(struct TmlAdm *adm, struct TmlAdmItem *item);
    TmlAdmRound round;
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
