/* model/measure/measure_names.h - shared by the files that turn names into leaves. */
#pragma once

#include "model/measure/measure.h"

typedef enum TmlArgForm {
    TML_ARG_FRAMES, /* to, from, axes, observer */
    TML_ARG_PAIR,   /* to, from, observer: no axes */
    TML_ARG_JOINT,
    TML_ARG_REACTION, /* joint, axes */
    TML_ARG_FORCE,    /* force, axes */
    TML_ARG_OUTPUT,   /* force */
    TML_ARG_STATE,
    TML_ARG_DELAY,
    TML_ARG_CONTACT, /* entry of contacts or body, body */
} TmlArgForm;

typedef struct TmlModelFunction {
    const char *name;
    TmlArgForm form;
    int max_args;
    TmlLeafKind kind, of;
    int axis;
    unsigned needs; /* TML_ALLOW_ bit */
    const char *signature, *text;
} TmlModelFunction;

/* The function of that name, whatever its case; NULL: none. */
const TmlModelFunction *tml_model_function(const char *name);
/* k-th function, NULL after the last. */
const TmlModelFunction *tml_model_function_at(int k);

/* Words for a suggestion. */
typedef struct TmlWords {
    int n, cap;
    const char **at;
} TmlWords;

void tml_words_add(TmlWords *words, const char *word);
/* Fail with "unknown <what> '<word>'" and the nearest of the words, which are freed. */
TmlStatus tml_words_fail(TmlWords *words, const char *what, const char *word, TmlError *err);

/* Index of an end, an unknown or a leaf in the list; entered when it is new. */
TML_NODISCARD TmlStatus tml_leaves_end(TmlLeafList *list, const TmlEnd *end, int *out,
                                       TmlError *err);
TML_NODISCARD TmlStatus tml_leaves_unknown(TmlLeafList *list, TmlUnknown u, int *out,
                                           TmlError *err);
TML_NODISCARD TmlStatus tml_leaves_leaf(TmlLeafList *list, TmlLeaf leaf, TmlExprSymbol *out,
                                        TmlError *err);
TmlLeaf tml_leaf_empty(TmlLeafKind kind);

/* The leaf of an unknown, or of what is read like one. */
TML_NODISCARD TmlStatus tml_leaves_read(TmlLeafList *list, TmlUnknown u, TmlExprSymbol *out,
                                        TmlError *err);

/* output(flexible body, place).name, see measure_place.c. mesh: the body. */
TML_NODISCARD TmlStatus tml_leaves_place(TmlLeafList *list, int mesh, const TmlExprArg *args, int n,
                                         const char *member, TmlExprSymbol *out, TmlError *err);
/* output(modal body, k).mode, .rate, .acceleration; what they need of TML_ALLOW_. */
unsigned tml_leaves_mode_needs(const char *member);
TML_NODISCARD TmlStatus tml_leaves_mode(TmlLeafList *list, int modal, const TmlExprArg *args, int n,
                                        const char *member, TmlExprSymbol *out, TmlError *err);

/* The frame of that name, see measure_list.c. */
TML_NODISCARD TmlStatus tml_leaves_frame(const TmlModel *m, const char *name, TmlEnd *out,
                                         TmlError *err);

/* contact_force(contact or body, body) and others, see measure_contact.c. */
TML_NODISCARD TmlStatus tml_leaves_contact(TmlLeafList *list, const TmlModelFunction *f,
                                           const TmlExprArg *args, int n, TmlExprSymbol *out,
                                           TmlError *err);
