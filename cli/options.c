/* cli/options.c - reads the command line by the tables of options. */
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, WORD_MAX = 64 };

int cli_fail(TmlStatus status, const TmlError *err)
{
    fprintf(stderr, "error: %s\n",
            err->message[0] != '\0' ? err->message : tml_status_text(status));
    return tml_status_exit(status);
}

int cli_wrong(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("error: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    return CLI_WRONG;
}

TmlLoadOptions cli_load_options(const CliLoad *load)
{
    TmlLoadOptions o = tml_load_options_default();
    o.n = load->set.n;
    o.names = load->set.key;
    o.texts = load->set.value;
    o.strict = load->strict;
    o.n_inputs = load->input.n;
    o.input_name = load->input.key;
    o.input_value = load->input.value;
    o.user_library = load->library;
    o.n_solids = load->solid.n;
    o.solid_name = load->solid.key;
    o.solid_file = load->solid.value;
    o.solids = load->solids;
    o.n_flex = load->flex.n;
    o.flex_name = load->flex.key;
    o.flex_file = load->flex.value;
    o.follow = load->follow;
    o.more = load->more;
    return o;
}

void cli_load_free(CliLoad *load)
{
    cli_pairs_free(&load->set);
    cli_pairs_free(&load->input);
    cli_pairs_free(&load->solid);
    cli_pairs_free(&load->flex);
    tml_text_free(load->more);
}

int cli_load(const char *path, const CliLoad *load, TmlModel **out)
{
    TmlError err = {0};
    const TmlLoadOptions o = cli_load_options(load);
    const TmlStatus status = tml_load_with(path, &o, out, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

void cli_warnings(const TmlModel *model)
{
    for (int k = 0; tml_model_warning(model, k) != NULL; ++k) {
        fprintf(stderr, "warning: %s\n", tml_model_warning(model, k));
    }
}

int cli_spin(const TmlModel *model, const char *text, TmlSpin *out)
{
    char rest;
    TmlVec3 w;
    if (text == NULL) {
        return CLI_GO_ON;
    }
    if (sscanf(text, "%lf,%lf,%lf%c", &w.x, &w.y, &w.z, &rest) != 3 || !isfinite(w.x + w.y + w.z)) {
        return cli_wrong("option '--spin' needs three numbers such as 0,0,78.5, not '%s'", text);
    }
    *out = (TmlSpin){w, tml_model_rotating_frame(model).at};
    return CLI_GO_ON;
}

int cli_notes(const TmlModel *model, bool strict, bool quiet)
{
    int n = 0;
    if (!quiet) {
        cli_warnings(model);
    }
    for (; tml_model_note(model, n) != NULL; ++n) {
        if (strict || !quiet) {
            fprintf(stderr, "%s: %s\n", strict ? "error" : "note", tml_model_note(model, n));
        }
    }
    return strict && n > 0 ? CLI_WRONG : CLI_GO_ON;
}

int cli_print(TmlStatus status, char *text, const TmlError *err)
{
    if (status != TML_OK) {
        return cli_fail(status, err);
    }
    fputs(text, stdout);
    tml_text_free(text);
    return 0;
}

/* Edits (insert, delete, replace) from a to b; words longer than WORD_MAX are far from all. */
static int edit_distance(const char *a, const char *b)
{
    const int n = (int)strlen(b);
    int row[WORD_MAX + 1];
    if (strlen(a) > WORD_MAX || n > WORD_MAX) {
        return WORD_MAX;
    }
    for (int j = 0; j <= n; ++j) {
        row[j] = j;
    }
    for (int i = 1; a[i - 1] != '\0'; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            const int replace = diagonal + (a[i - 1] != b[j - 1]);
            const int shorter = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = replace < shorter ? replace : shorter;
        }
    }
    return row[n];
}

const char *cli_nearest(const char *word, const char *const *words, int n)
{
    const char *nearest = NULL;
    int best = 1 + (int)strlen(word) / 3; // a third of the letters may be wrong
    for (int k = 0; k < n; ++k) {
        const int distance = edit_distance(word, words[k]);
        // what was cut short or written out is meant too: --integ, --tolerance
        const size_t shorter = strlen(word) < strlen(words[k]) ? strlen(word) : strlen(words[k]);
        const bool begun = shorter >= 3 && strncmp(word, words[k], shorter) == 0;
        if (distance <= best || (begun && nearest == NULL)) {
            best = distance < best ? distance : best;
            nearest = words[k];
        }
    }
    return nearest;
}

static const CliOption *find_option(const CliCommand *c, const char *name, size_t length)
{
    for (const CliOption *o = c->options; o->name != NULL; ++o) {
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) {
            return o;
        }
    }
    return NULL;
}

static const CliOption *find_letter(const CliCommand *c, char letter)
{
    for (const CliOption *o = c->options; o->name != NULL; ++o) {
        if (o->letter == letter) {
            return o;
        }
    }
    return NULL;
}

static int unknown_option(const CliCommand *c, const char *arg)
{
    const char *words[WORDS_MAX] = {"help"};
    int n = 1;
    for (const CliOption *o = c->options; o->name != NULL && n < WORDS_MAX; ++o) {
        words[n++] = o->name;
    }
    char name[WORD_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    const char *near = cli_nearest(name + strspn(name, "-"), words, n);
    if (near != NULL) {
        return cli_wrong("unknown option '%s'; did you mean '--%s'?", name, near);
    }
    return cli_wrong("unknown option '%s'; 'trammel %s --help' lists the options", name, c->name);
}

static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static void *grown(void *list, int n, size_t size)
{
    void *more = realloc(list, (size_t)(n + 1) * size);
    if (more == NULL) {
        fputs("error: out of memory\n", stderr);
        exit(tml_status_exit(TML_E_NOMEM));
    }
    return more;
}

static int add_pair(const CliOption *o, CliPairs *pairs, char *text)
{
    char *equals = strchr(text, '=');
    double number = 0.0;
    if (equals == NULL || equals == text || equals[1] == '\0') {
        return cli_wrong("option '--%s' needs %s, not '%s'", o->name, o->value, text);
    }
    if (o->kind == CLI_PAIR_NUMBER && !read_number(equals + 1, &number)) {
        return cli_wrong("option '--%s %s': '%s' is not a finite number", o->name, text,
                         equals + 1);
    }
    *equals = '\0';
    pairs->key = grown(pairs->key, pairs->n, sizeof *pairs->key);
    pairs->value = grown(pairs->value, pairs->n, sizeof *pairs->value);
    pairs->number = grown(pairs->number, pairs->n, sizeof *pairs->number);
    pairs->key[pairs->n] = text;
    pairs->value[pairs->n] = equals + 1;
    pairs->number[pairs->n] = number;
    pairs->n++;
    return CLI_GO_ON;
}

void cli_pairs_free(CliPairs *pairs)
{
    free(pairs->key);
    free(pairs->value);
    free(pairs->number);
    *pairs = (CliPairs){0};
}

static int set_option(const CliOption *o, char *value, void *settings)
{
    void *at = (char *)settings + o->offset;
    switch (o->kind) {
    case CLI_FLAG:
        *(bool *)at = true;
        return CLI_GO_ON;
    case CLI_TEXT:
        *(const char **)at = value;
        return value[0] != '\0' ? CLI_GO_ON : cli_wrong("option '--%s' is empty", o->name);
    case CLI_POSITIVE:
        if (!read_number(value, at) || *(double *)at <= 0.0) {
            return cli_wrong("option '--%s' needs a positive number, not '%s'", o->name, value);
        }
        return CLI_GO_ON;
    case CLI_NUMBER:
        return read_number(value, at)
                   ? CLI_GO_ON
                   : cli_wrong("option '--%s' needs a number, not '%s'", o->name, value);
    case CLI_PAIR:
    case CLI_PAIR_NUMBER:
        return add_pair(o, at, value);
    }
    return CLI_WRONG;
}

/* One option at argv[*k], with its value in the same argument or in the next. */
static int parse_option(const CliCommand *c, int argc, char **argv, int *k, void *settings)
{
    char *arg = argv[*k], *value = NULL;
    const CliOption *o = NULL;
    if (arg[1] == '-') {
        const size_t length = strcspn(arg + 2, "=");
        o = find_option(c, arg + 2, length);
        value = arg[2 + length] == '=' ? arg + 3 + length : NULL;
    } else if (arg[2] == '\0') {
        o = find_letter(c, arg[1]);
    }
    if (o == NULL) {
        return unknown_option(c, arg);
    }
    if (o->kind == CLI_FLAG) {
        return value == NULL ? set_option(o, NULL, settings)
                             : cli_wrong("option '--%s' takes no value", o->name);
    }
    if (value == NULL) {
        const bool missing = *k + 1 >= argc || strncmp(argv[*k + 1], "--", 2) == 0;
        if (missing) {
            return cli_wrong("option '%s' needs a value: %s", arg, o->value);
        }
        value = argv[++*k];
    }
    return set_option(o, value, settings);
}

int cli_parse(const CliCommand *command, int argc, char **argv, void *settings, int *n_args)
{
    bool options_end = false;
    *n_args = 0;
    for (int k = 0; k < argc; ++k) {
        if (options_end || argv[k][0] != '-' || argv[k][1] == '\0') {
            argv[(*n_args)++] = argv[k];
        } else if (strcmp(argv[k], "--") == 0) {
            options_end = true;
        } else if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            cli_usage(command);
            return 0;
        } else {
            const int result = parse_option(command, argc, argv, &k, settings);
            if (result != CLI_GO_ON) {
                return result;
            }
        }
    }
    if (*n_args < command->n_min) {
        return cli_wrong("'trammel %s' needs %s", command->name, command->arguments);
    }
    if (*n_args > command->n_max) {
        return cli_wrong("'trammel %s': '%s' is one argument too many", command->name,
                         argv[command->n_max]);
    }
    return CLI_GO_ON;
}

void cli_usage(const CliCommand *command)
{
    printf("usage: trammel %s %s%s\n\n%s\n", command->name, command->arguments,
           command->options->name != NULL ? " [OPTION]..." : "", command->text);
    for (const CliOption *o = command->options; o->name != NULL; ++o) {
        char left[WORD_MAX], letter[8] = "";
        if (o->letter != 0) {
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        }
        snprintf(left, sizeof left, "%s--%s %s", letter, o->name, o->value != NULL ? o->value : "");
        printf("%s  %-26s %s\n", o == command->options ? "\n" : "", left, o->text);
    }
}
