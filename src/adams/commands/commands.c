/* adams/commands/commands.c - reading command files.
 *
 * Commands run simulations and deactivate elements or bring them back; statements of a dataset give
 * arguments of the ones with the same identifier anew. Both count for all simulations behind them,
 * up to a RELOAD/SYSTEM, behind which those before its SAVE count, which are entered again.
 */
#include "adams/commands/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adams/user/library.h"
#include "base/input.h"
#include "base/real.h"

#define KEY(name, kind)                                                                            \
    {                                                                                              \
        name, kind, TML_ADM_USED, NULL                                                             \
    }
#define LAST                                                                                       \
    {                                                                                              \
        NULL, TML_ADM_FLAG, TML_ADM_USED, NULL                                                     \
    }

static const TmlAdmKey simulate[] = {
    KEY("DYNAMICS", TML_ADM_FLAG),
    KEY("KINEMATICS", TML_ADM_FLAG),
    KEY("STATICS", TML_ADM_FLAG),
    KEY("TRANSIENT", TML_ADM_FLAG),
    {"INITIAL_CONDITIONS", TML_ADM_FLAG, TML_ADM_IGNORED, "every simulation starts assembled"},
    {"DISPLACEMENT", TML_ADM_FLAG, TML_ADM_IGNORED, "every simulation starts assembled"},
    {"VELOCITY", TML_ADM_FLAG, TML_ADM_IGNORED, "every simulation starts assembled"},
    {"ACCELERATION", TML_ADM_FLAG, TML_ADM_IGNORED, "every simulation starts assembled"},
    KEY("END", TML_ADM_REALS),
    KEY("DURATION", TML_ADM_REALS),
    KEY("DTOUT", TML_ADM_REALS),
    KEY("STEPS", TML_ADM_REALS),
    LAST,
};

static const TmlAdmKey linear[] = {
    KEY("EIGENSOL", TML_ADM_FLAG),
    {"STATEMAT", TML_ADM_FLAG, TML_ADM_IGNORED, "'trammel linearize --json' writes the matrix"},
    {"MKB", TML_ADM_FLAG, TML_ADM_IGNORED, "'trammel linearize --json' writes the matrix"},
    {"NODAMPIN", TML_ADM_FLAG, TML_ADM_IGNORED, "eigenvalues are those with damping"},
    {"NOVECTOR", TML_ADM_FLAG, TML_ADM_IGNORED, "the bodies that carry a mode are printed"},
    {"ORIGINAL", TML_ADM_FLAG, TML_ADM_IGNORED, "eigenvalues do not depend on coordinates"},
    {"RM", TML_ADM_ID, TML_ADM_IGNORED, "eigenvalues are computed in non-rotating axes"},
    {"PINPUT", TML_ADM_ID, TML_ADM_IGNORED, "'trammel linearize --json' writes the matrix"},
    {"POUTPUT", TML_ADM_ID, TML_ADM_IGNORED, "'trammel linearize --json' writes the matrix"},
    {"FILE", TML_ADM_TEXT, TML_ADM_IGNORED, "'trammel linearize --json' writes the matrix"},
    LAST,
};

static const TmlAdmKey activate[] = {KEY("ID", TML_ADM_IDS), KEY("RANGE", TML_ADM_IDS), LAST};

static const TmlAdmKey file_keys[] = {KEY("MODEL", TML_ADM_TEXT),
                                      KEY("OUTPUT_PREFIX", TML_ADM_TEXT),
                                      KEY("COMMAND", TML_ADM_TEXT), LAST};

static const TmlAdmKey save_keys[] = {KEY("STATES", TML_ADM_FLAG), KEY("SYSTEM", TML_ADM_FLAG),
                                      KEY("BUFFER", TML_ADM_TEXT), KEY("FILE", TML_ADM_TEXT), LAST};

static const TmlAdmKey reload_keys[] = {
    KEY("STATES", TML_ADM_FLAG),
    KEY("SYSTEM", TML_ADM_FLAG),
    KEY("BUFFER", TML_ADM_TEXT),
    KEY("FILE", TML_ADM_TEXT),
    {"OUTPUT_PREFIX", TML_ADM_TEXT, TML_ADM_IGNORED, "results continue in the next part"},
    {"TITLE", TML_ADM_TEXT, TML_ADM_IGNORED, "the title stays"},
    LAST,
};

static const TmlAdmKey control_keys[] = {KEY("FUNCTION", TML_ADM_EXPR),
                                         KEY("ROUTINE", TML_ADM_TEXT), LAST};

static const TmlAdmKey read_keys[] = {KEY("FILE", TML_ADM_TEXT), LAST};

#define RUNS(word, args, is, alone)                                                                \
    {                                                                                              \
        .name = (word), .keys = (args), .use = TML_ADM_USED, .text = (is), .unnumbered = (alone)   \
    }
#define PASSED(word, is)                                                                           \
    {                                                                                              \
        .name = (word), .use = TML_ADM_IGNORED, .text = (is), .unnumbered = true                   \
    }
#define REFUSED(word, is)                                                                          \
    {                                                                                              \
        .name = (word), .use = TML_ADM_REFUSED, .text = (is), .unnumbered = true                   \
    }

static const TmlAdmSyntax commands[] = {
    RUNS("SIMULATE", simulate, "run a simulation", true),
    RUNS("DEACTIVATE", activate, "deactivate elements", false),
    RUNS("ACTIVATE", activate, "activate elements", false),
    RUNS("FILE", file_keys, "file names; with COMMAND, a file with more commands", true),
    RUNS("READ", read_keys, "commands in another file", true),
    RUNS("STOP", NULL, "the end", true),
    RUNS("EXIT", NULL, "the end", true),
    RUNS("CONTROL", control_keys, "a user-written routine that runs simulations", true),
    {.name = "LINEAR",
     .keys = linear,
     .use = TML_ADM_USED,
     .text = "with EIGENSOL, eigenvalues of the state reached",
     .unnumbered = true,
     .lenient = true},
    PASSED("LIST", "printing statements"),
    PASSED("INFO", "printing facts"),
    PASSED("SHOW", "printing facts"),
    PASSED("DISPLAY", "pictures"),
    RUNS("SAVE", save_keys, "save a state for RELOAD, with SYSTEM also the model", true),
    RUNS("RELOAD", reload_keys, "return to the state of an earlier SAVE", true),
    PASSED("ENVIRONMENT", "settings of Adams"),
    PASSED("HOLD", "settings of Adams"),
    PASSED("HELP", "texts of Adams"),
    PASSED("MENU", "texts of Adams"),
    PASSED("TIME", "printing the time used"),
    REFUSED("MODIFY", "changes of an older Adams"),
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const TmlAdmSyntax *find_command(const char *word, int length)
{
    const TmlAdmSyntax *found = NULL;
    for (int k = 0; k < N_COMMANDS && length >= 3; ++k) {
        if (strncasecmp(commands[k].name, word, (size_t)length) == 0) {
            if ((int)strlen(commands[k].name) == length) {
                return &commands[k];
            }
            found = found != NULL ? found : &commands[k];
        }
    }
    return found;
}

/* --- one command ------------------------------------------------------------------------------ */

bool tml_adm_is_command(const char *word, int length)
{
    return find_command(word, length) != NULL;
}

enum { DEEPEST = 8 }; // files that are read by files

typedef struct Reader {
    TmlArena *arena;
    TmlReport *report, *notes;
    TmlAdmCommands *out;
    const char *user_library; // path; NULL: none
    const char *root;         // file of the first commands
    int depth;
    bool stopped;
    int first;     // of the commands that count
    int from;      // where the next simulation begins
    bool reloaded; // the model is another one
} Reader;

static const TmlAdmArg *find(const TmlAdmCommand *c, const char *name)
{
    return tml_adm_find_arg(c->args, c->n_args, name);
}

/* A positive number, NAN: not given, or wrong and reported. */
static double number(Reader *r, const TmlAdmCommand *c, const char *name)
{
    const TmlAdmArg *arg = find(c, name);
    char *text = arg != NULL ? tml_adm_copy(r->arena, arg->value) : NULL, *end = NULL;
    if (text == NULL) {
        return (double)NAN;
    }
    const double value = tml_real_read(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || !(value > 0.0)) {
        const TmlValue at = tml_adm_place(c->s, arg->value.start);
        tml_report_add(r->report, &at, "SIMULATE: %s must be a positive number, not '%.60s'", name,
                       text);
        return (double)NAN;
    }
    return value;
}

static void tell(Reader *r, const TmlAdmCommand *c)
{
    for (int k = 0; k < c->n_args; ++k) {
        const TmlAdmArg *arg = &c->args[k];
        const TmlValue at = tml_adm_place(c->s, arg->name.start);
        if (arg->key->use == TML_ADM_REFUSED) {
            tml_report_add(r->report, &at, "%s: %s is not supported yet: %s", c->syntax->name,
                           arg->key->name, arg->key->text);
        } else if (arg->key->use == TML_ADM_IGNORED) {
            tml_report_add(r->notes, &at, "%s: %s is ignored: %s", c->syntax->name, arg->key->name,
                           arg->key->text);
        }
    }
}

/* Does anything behind the last simulation change the model? */
static bool has_changes(const Reader *r)
{
    const TmlAdmCommands *out = r->out;
    const int from =
        out->n_simulations > 0 ? out->simulation[out->n_simulations - 1].before + 1 : 0;
    for (int k = from; k < out->n; ++k) {
        const TmlAdmCommand *c = &out->command[k];
        if (c->statement ? c->syntax->use == TML_ADM_USED
                         : strstr(c->syntax->name, "ACTIVATE") != NULL) {
            return true;
        }
    }
    return out->n_simulations == 0 || r->reloaded;
}

/* MODE has another value in simulations of another kind. */
TmlAdmSimulate tml_adm_simulation_kind(const TmlAdmCommands *all, int index)
{
    while (index >= 0 && all->simulation[index].kind == TML_ADM_EIGENVALUES) {
        --index;
    }
    return index >= 0 ? all->simulation[index].kind : TML_ADM_DYNAMICS;
}

static void enter_simulation(Reader *r, const TmlAdmSimulation *s)
{
    r->from = r->out->n_simulations;
    r->reloaded = false;
    r->out->simulation[r->out->n_simulations++] = *s;
}

static void add_simulation(Reader *r, const TmlAdmCommand *c, int index)
{
    TmlAdmCommands *out = r->out;
    const TmlValue at = tml_adm_place(c->s, 0);
    const double steps = number(r, c, "STEPS");
    const TmlAdmSimulate kind = find(c, "STATICS") != NULL      ? TML_ADM_STATICS
                                : find(c, "KINEMATICS") != NULL ? TML_ADM_KINEMATICS
                                : find(c, "DYNAMICS") != NULL   ? TML_ADM_DYNAMICS
                                                                : TML_ADM_TRANSIENT;
    TmlAdmSimulation s = {.kind = kind,
                          .end = number(r, c, "END"),
                          .duration = number(r, c, "DURATION"),
                          .output_step = number(r, c, "DTOUT"),
                          .steps = steps >= 1.0 && steps <= 1e9 ? (int)steps : 0,
                          .first = r->first,
                          .before = index,
                          .from = r->from,
                          .changed = has_changes(r) ||
                                     kind != tml_adm_simulation_kind(out, out->n_simulations - 1),
                          .file = at.file,
                          .line = at.line};
    if (find(c, "INITIAL_CONDITIONS") != NULL || find(c, "ACCELERATION") != NULL ||
        find(c, "DISPLACEMENT") != NULL || find(c, "VELOCITY") != NULL) {
        return; // told already
    }
    if (!isnan(s.end) && !isnan(s.duration)) {
        tml_report_add(r->report, &at, "SIMULATE: END and DURATION exclude each other");
    } else if (isnan(s.end) && isnan(s.duration) && s.kind != TML_ADM_STATICS) {
        tml_report_add(r->report, &at, "SIMULATE: END or DURATION is missing");
    } else if (!isnan(steps) && s.steps == 0) {
        tml_report_add(r->report, &at, "SIMULATE: STEPS: expected 1 to 1e9, got %g", steps);
    } else if (s.steps > 0 && !isnan(s.output_step)) {
        tml_report_add(r->report, &at, "SIMULATE: STEPS and DTOUT exclude each other");
    } else {
        enter_simulation(r, &s);
    }
}

/* Eigenvalues of whatever the simulations before have reached. */
static void add_eigenvalues(Reader *r, const TmlAdmCommand *c, int index)
{
    const TmlValue at = tml_adm_place(c->s, 0);
    if (find(c, "EIGENSOL") != NULL) {
        const TmlAdmSimulation s = {.kind = TML_ADM_EIGENVALUES,
                                    .end = (double)NAN,
                                    .duration = (double)NAN,
                                    .output_step = (double)NAN,
                                    .first = r->first,
                                    .before = index,
                                    .from = r->from,
                                    .changed = has_changes(r),
                                    .file = at.file,
                                    .line = at.line};
        enter_simulation(r, &s);
    }
}

static void take_names(Reader *r, const TmlAdmCommand *c)
{
    const TmlAdmArg *model = find(c, "MODEL"), *results = find(c, "OUTPUT_PREFIX");
    r->out->model = model != NULL ? tml_adm_copy(r->arena, model->value) : r->out->model;
    r->out->results = results != NULL ? tml_adm_copy(r->arena, results->value) : r->out->results;
}

/* --- states ----------------------------------------------------------------------------------- */

/* What SAVE and RELOAD name: a BUFFER with STATES, a FILE with SYSTEM. NULL: reported. */
static const char *saved_name(Reader *r, const TmlAdmCommand *c, bool *system)
{
    *system = find(c, "SYSTEM") != NULL;
    const TmlAdmArg *arg = find(c, *system ? "FILE" : "BUFFER");
    const TmlValue at = tml_adm_place(c->s, 0);
    if (arg == NULL || *system == (find(c, "STATES") != NULL)) {
        tml_report_add(r->report, &at, "%s: expected STATES with BUFFER, or SYSTEM with FILE",
                       c->syntax->name);
        return NULL;
    }
    return tml_adm_copy(r->arena, arg->value);
}

static TmlStatus add_save(Reader *r, const TmlAdmCommand *c, TmlError *err)
{
    TmlAdmCommands *out = r->out;
    void *saves = out->save;
    TmlAdmSave save = {.first = r->first, .before = out->n, .simulation = r->from};
    save.name = saved_name(r, c, &save.system);
    if (!tml_mem_grow(&saves, &out->cap_saves, out->n_saves + 1, sizeof save)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->save = saves;
    if (save.name != NULL) {
        out->save[out->n_saves++] = save;
    }
    return TML_OK;
}

/* The last SAVE of the same kind and name. */
static TmlStatus add_reload(Reader *r, const TmlAdmCommand *c, TmlError *err)
{
    TmlAdmCommands *out = r->out;
    bool system;
    const char *name = saved_name(r, c, &system);
    int k = out->n_saves - 1;
    while (k >= 0 && name != NULL &&
           (out->save[k].system != system || strcmp(out->save[k].name, name) != 0)) {
        --k;
    }
    if (name == NULL) {
        return TML_OK;
    }
    if (k < 0) {
        const TmlValue at = tml_adm_place(c->s, 0);
        tml_report_add(
            r->report, &at,
            "RELOAD: there is no SAVE of '%.60s' before it; files of other runs are not read",
            name);
        return TML_OK;
    }
    const TmlAdmSave save = out->save[k];
    r->from = save.simulation;
    out->reloads = true;
    if (!system) {
        return TML_OK;
    }
    void *list = out->command;
    const int n = save.before - save.first;
    if (!tml_mem_grow(&list, &out->cap, out->n + n, sizeof *out->command)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->command = list;
    for (int i = 0; i < n; ++i) {
        out->command[out->n + i] = out->command[save.first + i];
    }
    r->first = out->n;
    r->reloaded = true;
    out->n += n;
    return TML_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

static TmlStatus read_text(Reader *r, const char *text, size_t length, const char *file,
                           TmlError *err);

/* READ/FILE = name and FILE/COMMAND = name: the commands of a file next to this one. */
static TmlStatus read_other(Reader *r, const TmlAdmStatement *s, const TmlAdmArg *arg,
                            TmlError *err)
{
    const TmlValue at = tml_adm_place(s, arg->value.start);
    const char *name = tml_adm_copy(r->arena, arg->value);
    const size_t n = name != NULL ? strlen(name) : 0;
    const bool suffix = n > 4 && strcasecmp(name + n - 4, ".acf") == 0;
    const char *whole =
        name != NULL ? tml_arena_printf(r->arena, "%s%s", name, suffix ? "" : ".acf") : NULL;
    const char *path = whole != NULL ? tml_input_beside(r->arena, s->file, whole) : NULL;
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (r->depth == DEEPEST) {
        tml_report_add(r->report, &at, "files of commands read each other: '%s'", name);
        r->stopped = true;
        return TML_OK;
    }
    size_t length = 0;
    char *text = NULL;
    const TmlStatus found = tml_input_read(path, &text, &length, err);
    if (found == TML_E_IO) {
        tml_report_add(r->report, &at, "cannot read '%s'", path);
    }
    if (found != TML_OK) {
        return found == TML_E_IO ? TML_OK : found;
    }
    const bool hidden =
        tml_report_hide(r->report, r->root, path) && tml_report_hide(r->notes, r->root, path);
    r->depth++;
    const TmlStatus status = hidden ? read_text(r, text, length, path, err)
                                    : tml_fail(err, TML_E_NOMEM, "out of memory");
    r->depth--;
    tml_mem_free(text);
    return status;
}

/* --- routines --------------------------------------------------------------------------------- */

/* Numbers of USER(...); false: it is not of that form. */
static bool user_numbers(Reader *r, const TmlAdmArg *arg, int most, double *par, int *n)
{
    const char *c = arg != NULL ? tml_adm_copy(r->arena, arg->value) : NULL;
    *n = 0;
    if (c == NULL || strncasecmp(c, "USER", 4) != 0 || c[4 + strspn(c + 4, " \t")] != '(') {
        return false;
    }
    c = strchr(c, '(') + 1;
    for (c += strspn(c, " \t,"); *c != '\0' && *c != ')' && *n < most; c += strspn(c, " \t,")) {
        char *end = NULL;
        par[(*n)++] = tml_real_read(c, &end);
        if (end == c) {
            return false;
        }
        c = end;
    }
    return *c == ')';
}

/* The name behind the :: of ROUTINE = library::name; NULL: the default. */
static const char *routine_name(Reader *r, const TmlAdmArg *arg)
{
    const char *name = arg != NULL ? tml_adm_copy(r->arena, arg->value) : NULL;
    const char *colons = name != NULL ? strstr(name, "::") : NULL;
    name = colons != NULL ? colons + 2 : name;
    return name != NULL && name[0] != '\0' ? name : NULL;
}

/* CONTROL/FUNCTION = USER(...): the commands that its routine asks for. */
static TmlStatus read_control(Reader *r, const TmlAdmCommand *c, TmlError *err)
{
    enum { MOST = 30 };
    double par[MOST];
    int n = 0;
    const TmlValue at = tml_adm_place(c->s, 0);
    const char *name = routine_name(r, find(c, "ROUTINE"));
    const char *shown = name != NULL ? name : "CONSUB";
    if (!user_numbers(r, find(c, "FUNCTION"), MOST, par, &n)) {
        tml_report_add(r->report, &at, "CONTROL: expected FUNCTION = USER(numbers)");
        return TML_OK;
    }
    if (r->user_library == NULL) {
        tml_report_add(r->report, &at,
                       "CONTROL: needs the user-written routine %s: name its library with "
                       "--user-library",
                       shown);
        return TML_OK;
    }
    TmlAdmLibrary *library = NULL;
    TmlAdmScript script = {0};
    TML_TRY(tml_adm_library_open(r->user_library, r->arena, &library, err));
    const bool found = tml_adm_control_call(library, name, n, par, &script);
    const char *stopped = found ? tml_adm_library_stopped(library) : NULL;
    const char *file = tml_arena_printf(r->arena, "%s(%s)", at.file, shown);
    TmlStatus status = file != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (!found || stopped != NULL) {
        tml_report_add(r->report, &at,
                       found ? "CONTROL: %s ends the run: %s"
                             : "CONTROL: the routine %s is not in '%s'",
                       shown, found ? stopped : r->user_library);
    } else if (script.n > 0 && status == TML_OK) {
        r->depth++;
        status = read_text(r, script.text, (size_t)script.n, file, err);
        r->depth--;
    }
    tml_mem_free(script.text);
    tml_adm_library_close(library);
    return status;
}

/* --- all commands ----------------------------------------------------------------------------- */

/* What is unknown, refused or without effect is told; false: nothing is left to do. */
static bool is_used(Reader *r, const TmlAdmStatement *s, const TmlAdmSyntax *syntax)
{
    const TmlValue at = tml_adm_place(s, 0);
    if (syntax == NULL) {
        const char *near = tml_adm_syntax_near(s->text, s->keyword.length);
        tml_report_add(r->report, &at,
                       near != NULL ? "unknown command '%.*s'; did you mean %s?"
                                    : "unknown command '%.*s'%.0s",
                       s->keyword.length, s->text, near != NULL ? near : "");
        return false;
    }
    if (syntax->use != TML_ADM_USED) {
        const bool refused = syntax->use == TML_ADM_REFUSED;
        tml_report_add(refused ? r->report : r->notes, &at, "%s: %s: %s", syntax->name,
                       refused ? "not supported yet" : "ignored", syntax->text);
        return false;
    }
    return true;
}

static TmlStatus read_command(Reader *r, const TmlAdmStatement *s, TmlError *err)
{
    TmlAdmCommands *out = r->out;
    TmlAdmCommand c = {.s = s, .syntax = find_command(s->text, s->keyword.length)};
    if (c.syntax == NULL) {
        c.syntax = tml_adm_syntax(s->text, s->keyword.length);
        c.statement = true;
    }
    if (!is_used(r, s, c.syntax)) {
        return TML_OK;
    }
    if (!c.statement && c.syntax->keys != NULL) {
        TML_TRY(tml_adm_arguments(s, c.syntax, r->arena, c.syntax->lenient ? r->notes : r->report,
                                  &c.args, &c.n_args, err));
        tell(r, &c);
    }
    const TmlAdmArg *other = c.statement ? NULL
                             : c.syntax->keys == read_keys
                                 ? find(&c, "FILE")
                                 : (c.syntax->keys == file_keys ? find(&c, "COMMAND") : NULL);
    if (other != NULL) {
        return read_other(r, s, other, err);
    }
    if (!c.statement && c.syntax->keys == control_keys) {
        return read_control(r, &c, err);
    }
    void *list = out->command, *runs = out->simulation;
    const bool ok =
        tml_mem_grow(&list, &out->cap, out->n + 1, sizeof c) &&
        tml_mem_grow(&runs, &out->cap_simulations, out->n_simulations + 1, sizeof *out->simulation);
    out->command = list;
    out->simulation = runs;
    if (!ok) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->command[out->n++] = c;
    if (c.syntax->keys == simulate) {
        add_simulation(r, &c, out->n - 1);
    } else if (c.syntax->keys == linear) {
        add_eigenvalues(r, &c, out->n - 1);
    } else if (c.syntax->keys == file_keys) {
        take_names(r, &c);
    } else if (c.syntax->keys == save_keys) {
        TML_TRY(add_save(r, &c, err));
    } else if (c.syntax->keys == reload_keys) {
        TML_TRY(add_reload(r, &c, err));
    }
    r->stopped = !c.statement && c.syntax->keys == NULL;
    return TML_OK;
}

/* The commands of one file. */
static TmlStatus read_text(Reader *r, const char *text, size_t length, const char *file,
                           TmlError *err)
{
    TmlAdmCommands *out = r->out;
    const char *model = NULL, *results = NULL;
    void *sources = out->source;
    if (!tml_mem_grow(&sources, &out->cap_sources, out->n_sources + 1, sizeof *out->source)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->source = sources;
    TmlAdmSource *source = &out->source[out->n_sources++];
    TML_TRY(tml_adm_command_source(text, length, file, r->arena, r->report, source, &model,
                                   &results, err));
    if (r->depth > 0 && model != NULL) {
        const TmlValue at = {.file = file, .line = 1, .column = 1};
        tml_report_add(r->report, &at, "expected a command, got '%.60s'", model);
        return TML_OK;
    }
    out->model = model != NULL ? model : out->model;
    out->results = results != NULL ? results : out->results;
    const TmlAdmStatement *statement = source->statement; // sources may move, statements do not
    for (int k = 0, n = source->n; k < n && !r->stopped; ++k) {
        TML_TRY(read_command(r, &statement[k], err));
    }
    return TML_OK;
}

TmlStatus tml_adm_commands_read(const char *text, size_t length, const char *file,
                                const char *library, TmlArena *arena, TmlReport *report,
                                TmlReport *notes, TmlAdmCommands *out, TmlError *err)
{
    Reader r = {.user_library = library,
                .arena = arena,
                .report = report,
                .notes = notes,
                .out = out,
                .root = file,
                .from = -1};
    *out = (TmlAdmCommands){0};
    TML_TRY(read_text(&r, text, length, file, err));
    if (out->n_simulations == 0 && report->n == 0) {
        const TmlValue at = {.file = file, .line = 1, .column = 1};
        tml_report_add(report, &at, "no SIMULATE: nothing would be run");
    }
    return TML_OK;
}

void tml_adm_commands_free(TmlAdmCommands *c)
{
    for (int k = 0; k < c->n_sources; ++k) {
        tml_mem_free(c->source[k].statement);
    }
    tml_mem_free(c->source);
    tml_mem_free(c->command);
    tml_mem_free(c->simulation);
    tml_mem_free(c->save);
    *c = (TmlAdmCommands){0};
}

void tml_adm_commands_list(void (*visit)(void *arg, const char *name, const char *use,
                                         const char *text),
                           void *arg)
{
    for (int k = 0; k < N_COMMANDS; ++k) {
        visit(arg, commands[k].name,
              commands[k].use == TML_ADM_USED      ? "read"
              : commands[k].use == TML_ADM_IGNORED ? "ignored"
                                                   : "not supported yet",
              commands[k].text);
    }
}
