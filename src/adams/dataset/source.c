/* adams/dataset/source.c - lines, comments and continuations of a dataset. */
#include "adams/dataset/source.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "adams/commands/commands.h"

enum { VIEW_NAME_MAX = 256 };

typedef struct Splitter {
    const char *file;
    TmlArena *arena;
    TmlReport *report;
    TmlAdmSource *source;
    char *text; // of the statement being joined
    int *line, *column;
    int n, cap;
    bool commands;                 // a command file: words alone are statements
    bool open;                     // a statement is being joined
    bool continues;                // the line before ended in '&'
    bool comma;                    // the line before ended in ','
    bool ended;                    // END was met
    char view_name[VIEW_NAME_MAX]; // of the last comment that holds one
    const char *name;              // of the statement being joined; NULL: none
    bool nomem;
} Splitter;

TmlValue tml_adm_place(const TmlAdmStatement *s, int offset)
{
    const int k = offset < s->length ? offset : s->length - 1;
    return (TmlValue){.kind = TML_VALUE_SCALAR,
                      .file = s->file,
                      .line = k >= 0 ? s->line[k] : 1,
                      .column = k >= 0 ? s->column[k] : 1,
                      .text = ""};
}

static bool is_gap(char c)
{
    return isspace((unsigned char)c) || c == TML_ADM_JOIN;
}

TmlAdmSlice tml_adm_trim(TmlAdmSlice slice)
{
    const char *text = slice.of->text;
    while (slice.length > 0 && is_gap(text[slice.start])) {
        slice.start++;
        slice.length--;
    }
    while (slice.length > 0 && is_gap(text[slice.start + slice.length - 1])) {
        slice.length--;
    }
    return slice;
}

char *tml_adm_copy(TmlArena *arena, TmlAdmSlice slice)
{
    char *copy = tml_arena_strndup(arena, slice.of->text + slice.start, (size_t)slice.length);
    for (char *c = copy; c != NULL && *c != '\0'; ++c) {
        *c = *c == TML_ADM_JOIN ? ' ' : *c;
    }
    return copy;
}

/* --- joining --------------------------------------------------------------------------------- */

static void join_char(Splitter *p, char c, int line, int column)
{
    void *text = p->text, *lines = p->line, *columns = p->column;
    int cap = p->cap;
    const bool ok = tml_mem_grow(&text, &cap, p->n + 2, 1);
    p->text = text;
    cap = p->cap;
    const bool also = ok && tml_mem_grow(&lines, &cap, p->n + 2, sizeof *p->line);
    p->line = lines;
    cap = p->cap;
    const bool all = also && tml_mem_grow(&columns, &cap, p->n + 2, sizeof *p->column);
    p->column = columns;
    p->nomem |= !all;
    if (!all) {
        return;
    }
    p->cap = cap;
    p->text[p->n] = c;
    p->line[p->n] = line;
    p->column[p->n] = column;
    p->n++;
}

/* KEYWORD / ID at the beginning of a joined statement. */
static void split_head(TmlAdmStatement *s)
{
    int k = 0;
    while (isalnum((unsigned char)s->text[k]) || s->text[k] == '_') {
        ++k;
    }
    s->keyword = (TmlAdmSlice){s, 0, k};
    while (is_gap(s->text[k]) && s->text[k] != '\0') {
        ++k;
    }
    s->id = (TmlAdmSlice){s, k, 0};
    s->slash = k;
    if (s->text[k] == '/') {
        const int start = s->slash = k + 1;
        int end = start;
        while (s->text[end] != '\0' && s->text[end] != ',' && s->text[end] != TML_ADM_JOIN) {
            ++end;
        }
        s->id = tml_adm_trim((TmlAdmSlice){s, start, end - start});
        for (int c = 0; c < s->id.length; ++c) {
            if (is_gap(s->text[s->id.start + c])) { // a comma was forgotten: told by those who ask
                s->id.length = c;
                end = s->id.start + c;
            }
        }
        k = end;
    }
    s->arguments = k;
}

static void close_statement(Splitter *p)
{
    if (!p->open || p->nomem) {
        p->open = false;
        return;
    }
    TmlAdmSource *source = p->source;
    void *list = source->statement;
    const size_t n = (size_t)p->n;
    int *line = tml_arena_alloc(p->arena, n + 1, sizeof *line);
    int *column = tml_arena_alloc(p->arena, n + 1, sizeof *column);
    char *text = tml_arena_strndup(p->arena, p->text, n);
    const bool grown = tml_mem_grow(&list, &source->cap, source->n + 1, sizeof *source->statement);
    source->statement = list;
    p->open = false;
    if (!grown || line == NULL || column == NULL || text == NULL) {
        p->nomem = true;
        return;
    }
    if (n > 0) {
        memcpy(line, p->line, n * sizeof *line);
        memcpy(column, p->column, n * sizeof *column);
    }
    source->statement[source->n++] = (TmlAdmStatement){.file = p->file,
                                                       .text = text,
                                                       .line = line,
                                                       .column = column,
                                                       .length = p->n,
                                                       .view_name = p->name};
}

/* --- lines ------------------------------------------------------------------------------------ */

/* adams_view_name='X' of a comment. */
static void read_comment(Splitter *p, const char *comment, int length)
{
    static const char key[] = "adams_view_name='";
    const int k = (int)sizeof key - 1;
    for (int at = 0; at + k < length; ++at) {
        if (strncasecmp(comment + at, key, (size_t)k) != 0) {
            continue;
        }
        const char *name = comment + at + k;
        const char *end = memchr(name, '\'', (size_t)(length - at - k));
        const int n = end != NULL ? (int)(end - name) : 0;
        if (n > 0 && n < VIEW_NAME_MAX) {
            memcpy(p->view_name, name, (size_t)n);
            p->view_name[n] = '\0';
        }
        return;
    }
}

/* Length up to the comment; texts in quotes may hold '!'. */
static int code_length(const char *line, int length)
{
    char quote = '\0';
    for (int k = 0; k < length; ++k) {
        if (quote != '\0') {
            quote = line[k] == quote ? '\0' : quote;
        } else if (line[k] == '"') {
            quote = '"';
        } else if (line[k] == '!') {
            return k;
        }
    }
    return quote == '\0' ? length
                         : (int)(memchr(line, '!', (size_t)length) != NULL
                                     ? (const char *)memchr(line, '!', (size_t)length) - line
                                     : length);
}

/* Does the piece begin KEYWORD/ or is it END? */
static bool begins_statement(const char *piece, int length)
{
    int k = 0;
    while (k < length && (isalnum((unsigned char)piece[k]) || piece[k] == '_')) {
        ++k;
    }
    if (k == 3 && strncasecmp(piece, "END", 3) == 0) {
        return true;
    }
    while (k < length && isspace((unsigned char)piece[k])) {
        ++k;
    }
    return k > 0 && k < length && piece[k] == '/' && isalpha((unsigned char)piece[0]);
}

/* A word alone: STOP. */
static bool is_command(const char *piece, int length)
{
    int k = 0;
    while (k < length && (isalnum((unsigned char)piece[k]) || piece[k] == '_')) {
        ++k;
    }
    return k > 0 && k == length;
}

static bool ends_all(const Splitter *p, const char *piece, int length)
{
    const char *word = p->commands ? "STOP" : "END";
    return (size_t)length == strlen(word) && strncasecmp(piece, word, strlen(word)) == 0;
}

static void add_piece(Splitter *p, const char *line, int from, int to, int number)
{
    for (int k = from; k < to; ++k) {
        join_char(p, line[k] != '\0' ? line[k] : ' ', number, k + 1);
    }
}

static void tell_no_statement(Splitter *p, const char *piece, int length, int line, int column)
{
    const TmlValue at = {.file = p->file, .line = line, .column = column};
    int n = 0;
    while (n < length && (isalnum((unsigned char)piece[n]) || piece[n] == '_')) {
        ++n;
    }
    const TmlAdmSyntax *known = tml_adm_syntax(piece, n);
    if (known != NULL && n >= 4 && n < length && isspace((unsigned char)piece[n])) {
        tml_report_add(p->report, &at, "expected '/' behind %.*s: %s/1, ...", n, piece,
                       known->name);
    } else {
        tml_report_add(p->report, &at,
                       "expected a statement (KEYWORD/...), or ',' that continues the one before");
    }
}

/* One line, or a part of it between semicolons. */
static void read_piece(Splitter *p, const char *line, int from, int to, int number)
{
    while (from < to && isspace((unsigned char)line[from])) {
        ++from;
    }
    while (to > from && isspace((unsigned char)line[to - 1])) {
        --to;
    }
    if (from == to || p->ended) {
        return;
    }
    const bool listed = p->comma && !begins_statement(line + from, to - from);
    const bool joined = p->continues || listed;
    p->continues = line[to - 1] == '&';
    to -= p->continues ? 1 : 0;
    p->comma = line[to - 1] == ',';
    if (p->open && (joined || line[from] == ',')) {
        join_char(p, joined && line[from] != ',' ? ' ' : TML_ADM_JOIN, number, from + 1);
        add_piece(p, line, line[from] == ',' ? from + 1 : from, to, number);
        return;
    }
    if (!begins_statement(line + from, to - from) &&
        !(p->commands && is_command(line + from, to - from))) {
        tell_no_statement(p, line + from, to - from, number, from + 1);
        close_statement(p);
        return;
    }
    close_statement(p);
    p->n = 0;
    p->open = true;
    p->name = p->view_name[0] != '\0' ? tml_arena_strdup(p->arena, p->view_name) : NULL;
    p->view_name[0] = '\0';
    p->ended = ends_all(p, line + from, to - from);
    add_piece(p, line, from, to, number);
}

static void read_line(Splitter *p, const char *line, int length, int number)
{
    const int code = code_length(line, length);
    bool quoted = false;
    int from = 0;
    for (int k = 0; k <= code; ++k) {
        quoted ^= k < code && line[k] == '"';
        if (k == code || (line[k] == ';' && !quoted)) {
            read_piece(p, line, from, k, number);
            from = k + 1;
        }
    }
    if (code < length) {
        read_comment(p, line + code, length - code);
    }
}

/* The first line is a title unless it begins a statement whose name is written out. */
static bool is_title(const char *line, int length)
{
    const int blank = (int)strspn(line, " \t");
    int n = 0;
    if (blank >= length || line[blank] == '!') {
        return false;
    }
    while (isalnum((unsigned char)line[blank + n]) || line[blank + n] == '_') {
        ++n;
    }
    const TmlAdmSyntax *known = line[blank + n] == '/' ? tml_adm_syntax(line + blank, n) : NULL;
    return known == NULL || (int)strlen(known->name) != n;
}

/* Length of what Adams/View writes before the name of a model; 0: another line. */
static int view_title(const char *line, int length)
{
    static const char by_view[] = " View model name:"; // "ADAMS/View" too
    enum { ADAMS = 5, VIEW = sizeof by_view - 1 };
    const bool named = length > ADAMS + VIEW && strncasecmp(line, "adams", ADAMS) == 0 &&
                       strncasecmp(line + ADAMS + 1, by_view + 1, VIEW - 1) == 0;
    return named ? ADAMS + VIEW : 0;
}

static void take_title(Splitter *p, const char *line, int length)
{
    const int skip = view_title(line, length);
    const char *text = line + skip + strspn(line + skip, " \t");
    const int n = length - (int)(text - line);
    char *title = tml_arena_strndup(p->arena, n > 0 ? text : line, (size_t)(n > 0 ? n : length));
    for (char *c = title; c != NULL && *c != '\0'; ++c) {
        *c = (char)((unsigned char)*c < 0x80 && *c != '{' && *c != '}' ? *c : '?'); // any encoding
    }
    p->source->title = title;
    p->nomem |= title == NULL;
}

/* The line at *at, which moves behind it: it ends in LF, CRLF or CR. */
static const char *next_line(const char *text, size_t length, size_t *at, int *count)
{
    const char *line = text + *at;
    size_t n = 0, left = length - *at;
    while (n < left && n < INT_MAX / 2 && line[n] != '\n' && line[n] != '\r') {
        ++n;
    }
    *at += n + (n + 1 < left && line[n] == '\r' && line[n + 1] == '\n' ? 2 : 1);
    *count = (int)n;
    return line;
}

/* Two bytes a character: a mark at the beginning, or a zero in each of the first ones. */
static bool is_wide(const char *text, size_t length)
{
    return (length >= 2 &&
            (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) ||
           (length >= 4 &&
            ((text[0] == '\0' && text[2] == '\0') || (text[1] == '\0' && text[3] == '\0')));
}

/* The bytes before the text; *length 0: it cannot be read, and that is reported. */
static size_t skip_mark(Splitter *p, const char *text, size_t *length)
{
    if (is_wide(text, *length)) {
        const TmlValue at = {.file = p->file, .line = 1, .column = 1};
        tml_report_add(p->report, &at,
                       "the file is written in UTF-16: save it as UTF-8, Latin-1 or ASCII");
        *length = 0;
        return 0;
    }
    return *length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static void split_lines(Splitter *p, const char *text, size_t length)
{
    bool first = true;
    int number = 1, count;
    for (size_t at = skip_mark(p, text, &length); at < length && !p->nomem; ++number) {
        const char *line = next_line(text, length, &at, &count);
        if (first && (int)strspn(line, " \t") < count) {
            first = false;
            if (is_title(line, count)) {
                take_title(p, line, count);
                continue;
            }
        }
        const bool begun = p->open || p->source->n > 0 || p->source->title != NULL;
        if (!begun && view_title(line, count) > 0) { // behind comments
            take_title(p, line, count);
            continue;
        }
        read_line(p, line, count, number);
    }
    close_statement(p);
}

static TmlStatus close_splitter(Splitter *p, TmlError *err)
{
    tml_mem_free(p->text);
    tml_mem_free(p->line);
    tml_mem_free(p->column);
    for (int k = 0; k < p->source->n; ++k) {
        split_head(&p->source->statement[k]);
    }
    return p->nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
}

TmlStatus tml_adm_source(const char *text, size_t length, const char *file, TmlArena *arena,
                         TmlReport *report, TmlAdmSource *source, TmlError *err)
{
    *source = (TmlAdmSource){0};
    Splitter p = {.file = file, .arena = arena, .report = report, .source = source};
    split_lines(&p, text, length);
    return close_splitter(&p, err);
}

/* --- command files ---------------------------------------------------------------------------- */

/* A name in a line of its own; NULL: the line is blank, or a comment. */
static const char *line_name(Splitter *p, const char *line, int length)
{
    int from = 0, to = code_length(line, length);
    while (from < to && isspace((unsigned char)line[from])) {
        ++from;
    }
    while (to > from && isspace((unsigned char)line[to - 1])) {
        --to;
    }
    const char *name =
        to > from ? tml_arena_strndup(p->arena, line + from, (size_t)(to - from)) : NULL;
    p->nomem |= to > from && name == NULL;
    return name;
}

/* Commands and statements may stand first although a name could. */
static bool is_first_command(const char *name)
{
    int n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_') {
        ++n;
    }
    const char behind = name[n + (int)strspn(name + n, " \t")];
    return behind == '/' && n >= 3 &&
           (tml_adm_is_command(name, n) || tml_adm_syntax(name, n) != NULL);
}

TmlStatus tml_adm_command_source(const char *text, size_t length, const char *file, TmlArena *arena,
                                 TmlReport *report, TmlAdmSource *source, const char **model,
                                 const char **results, TmlError *err)
{
    Splitter p = {
        .file = file, .arena = arena, .report = report, .source = source, .commands = true};
    size_t at = skip_mark(&p, text, &length);
    int number = 1, count = 0;
    *source = (TmlAdmSource){0};
    *model = *results = NULL;
    for (; at < length && !p.nomem; ++number) {
        const char *line = next_line(text, length, &at, &count);
        const char *name = number <= 2 ? line_name(&p, line, count) : NULL;
        if (number == 1 && name != NULL && !is_first_command(name)) {
            *model = name;
        } else if (number == 2 && *model != NULL) {
            *results = name;
        } else {
            read_line(&p, line, count, number);
        }
    }
    close_statement(&p);
    return close_splitter(&p, err);
}
