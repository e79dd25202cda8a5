/* adams/dataset/source.h - a dataset text as statements whose characters remember where they stood.
 *
 * A statement is KEYWORD/ID, arguments. Its lines are joined: comments are gone, and the comma that
 * begins a continuation line is TML_ADM_JOIN, because only the argument that it stands in tells
 * whether it separates (between arguments, in lists) or means nothing (inside an expression).
 */
#pragma once

#include "model/read/value.h"

enum { TML_ADM_JOIN = '\001' };

/* A piece of a joined statement; text is not closed by a zero. */
typedef struct TmlAdmSlice {
    const struct TmlAdmStatement *of;
    int start, length;
} TmlAdmSlice;

typedef struct TmlAdmStatement {
    const char *file;
    const char *text;         /* joined, closed by a zero */
    const int *line, *column; /* of every character, 1-based */
    int length;
    TmlAdmSlice keyword, id; /* id.length 0: none */
    int slash;               /* behind the slash; where arguments begin without an id */
    int arguments;           /* where they begin behind the id */
    const char *view_name;   /* of the comment before it; NULL: none */
} TmlAdmStatement;

typedef struct TmlAdmSource {
    const char *title; /* NULL: none */
    int n, cap;
    TmlAdmStatement *statement;
} TmlAdmSource;

/* Split a text into statements. LF, CRLF or CR, UTF-8 or Latin-1 (only inside comments and texts).
 * Lines that begin no statement are reported. All memory but source->statement (freed with
 * tml_mem_free) comes from the arena. */
TML_NODISCARD TmlStatus tml_adm_source(const char *text, size_t length, const char *file,
                                       TmlArena *arena, TmlReport *report, TmlAdmSource *source,
                                       TmlError *err);

/* The same of a command file. Its first lines may be the names of the dataset and of results:
 * *model and *results, NULL: not there. Commands may be words without a slash; STOP ends. */
TML_NODISCARD TmlStatus tml_adm_command_source(const char *text, size_t length, const char *file,
                                               TmlArena *arena, TmlReport *report,
                                               TmlAdmSource *source, const char **model,
                                               const char **results, TmlError *err);

/* A place for messages: the character at an offset of the statement. */
TmlValue tml_adm_place(const TmlAdmStatement *s, int offset);

/* Without blanks and joins at both ends. */
TmlAdmSlice tml_adm_trim(TmlAdmSlice slice);
char *tml_adm_copy(TmlArena *arena, TmlAdmSlice slice); /* NULL: out of memory */
