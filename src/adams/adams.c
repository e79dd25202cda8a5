/* adams/adams.c - a dataset, statement by statement. */
#include "adams/adams.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"
#include "model/model.h"

static void translate_all(TmlAdm *adm)
{
    for (int round = 0; round < TML_ADM_ROUNDS; ++round) {
        for (int k = 0; k < adm->n && !adm->nomem; ++k) {
            TmlAdmItem *item = &adm->item[k];
            const TmlAdmSyntax *syntax = item->syntax;
            if (syntax->translate != NULL && (int)syntax->round == round && !item->failed &&
                !item->inactive) {
                syntax->translate(adm, item);
            }
        }
    }
}

/* One error for all statements of a kind that is not supported, with the lines of all. */
static void tell_refused(TmlAdm *adm, const TmlAdmSyntax *syntax)
{
    enum { LISTED = 1500 }; // a message holds them
    TmlAdmText text = {0};
    TmlAdmItem *first = NULL;
    int n = 0;
    for (int k = 0; k < adm->n; ++k) {
        if (adm->item[k].syntax == syntax) {
            first = first != NULL ? first : &adm->item[k];
            if (n < LISTED) {
                tml_adm_write(&text, "%s%d", n > 0 ? ", " : "", adm->item[k].s->line[0]);
            }
            n++;
        }
    }
    if (n > LISTED) {
        tml_adm_write(&text, " and %d more", n - LISTED);
    }
    const char *lines = tml_adm_take(adm, &text);
    if (n == 1) {
        tml_adm_error(adm, first, first->s->keyword, "not supported yet: %s", syntax->text);
    } else if (n > 1) {
        tml_adm_error(adm, first, first->s->keyword,
                      "not supported yet: %s; %d statements, on lines %s", syntax->text, n, lines);
    }
}

/* One note for all statements that change nothing. */
static void tell_ignored(TmlAdm *adm)
{
    TmlAdmText text = {0};
    const TmlAdmStatement *first = NULL;
    for (int s = 0; tml_adm_syntax_at(s) != NULL; ++s) {
        const TmlAdmSyntax *syntax = tml_adm_syntax_at(s);
        const bool pictures = strcmp(syntax->name, "GRAPHICS") == 0;
        const bool told = (syntax->use == TML_ADM_IGNORED && !syntax->silent) || pictures;
        int n = 0;
        for (int k = 0; told && k < adm->n; ++k) {
            if (adm->item[k].syntax == syntax && !(pictures && adm->item[k].written)) {
                first = first != NULL ? first : adm->item[k].s;
                n++;
            }
        }
        if (n > 0) {
            tml_adm_write(&text, "%s%s (%d)", text.n > 0 ? ", " : "", syntax->name, n);
        }
    }
    const char *list = tml_adm_take(adm, &text);
    if (first != NULL) {
        const TmlValue at = tml_adm_place(first, 0);
        tml_report_add(adm->notes, &at, "ignored, as they change no motion: %s", list);
    }
}

static void make_root(TmlAdm *adm)
{
    static const TmlAdmSlice nowhere = {0};
    TmlValue **const section[] = {&adm->bodies,  &adm->frames,    &adm->splines, &adm->joints,
                                  &adm->forces,  &adm->variables, &adm->states,  &adm->outputs,
                                  &adm->systems, &adm->paths,     &adm->events,  &adm->flexible,
                                  &adm->delays,  &adm->contacts,  &adm->modal};
    adm->root = tml_adm_map(adm, nowhere);
    for (size_t k = 0; k < sizeof section / sizeof *section; ++k) {
        *section[k] = tml_adm_map(adm, nowhere);
    }
    tml_adm_set(adm, adm->root, "trammel", tml_adm_scalar(adm, nowhere, "1"));
    if (adm->source.title != NULL) {
        tml_adm_set(adm, adm->root, "title", tml_adm_scalar(adm, nowhere, adm->source.title));
    }
}

/* Sections that hold something, in the order of a model file. */
static void close_root(TmlAdm *adm)
{
    const struct {
        const char *name;
        TmlValue *map;
    } sections[] = {
        {"bodies", adm->bodies},       {"modal", adm->modal},       {"flexible", adm->flexible},
        {"frames", adm->frames},       {"splines", adm->splines},   {"paths", adm->paths},
        {"joints", adm->joints},       {"contacts", adm->contacts}, {"forces", adm->forces},
        {"variables", adm->variables}, {"states", adm->states},     {"delays", adm->delays},
        {"systems", adm->systems},     {"events", adm->events},     {"outputs", adm->outputs}};
    for (size_t k = 0; k < sizeof sections / sizeof *sections; ++k) {
        if (sections[k].map != NULL && sections[k].map->n > 0) {
            tml_adm_set(adm, adm->root, sections[k].name, sections[k].map);
        }
    }
}

/* The model owns the library. */
static TmlStatus open_library(TmlAdm *adm, const char *path, TmlError *err)
{
    TmlModel *m = adm->model;
    if (path == NULL) {
        return TML_OK;
    }
    TML_TRY(tml_adm_library_open(path, &m->arena, &adm->library, err));
    if (!tml_model_input_add(m, path)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    m->attached.self = adm->library;
    m->attached.free = tml_adm_library_close;
    m->attached.message = tml_adm_library_message;
    const TmlValue at = {.file = adm->file, .line = 1, .column = 1};
    tml_report_add(adm->notes, &at,
                   "user-written routines of '%s': derivatives are taken by differences", path);
    return TML_OK;
}

/* Warnings become those of the model, and are kept as what stands for something else. */
static TmlStatus keep_warnings(TmlAdm *adm, TmlError *err)
{
    TmlModel *m = adm->model;
    bool ok = true;
    const int n = tml_report_sort(&adm->warnings);
    for (int k = 0; k < n && ok; ++k) {
        const char *text = tml_report_text(&adm->warnings, k);
        ok = text != NULL;
        TML_LIST_ADD(m->warnings, text, &ok);
        TML_LIST_ADD(m->substitutes, text, &ok);
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_adams_units(const char *text, size_t length, TmlArena *arena, TmlAdamsUnits *out,
                          TmlError *err)
{
    TmlReport unused = {.arena = arena}; // the dataset is read again, and its errors told then
    TmlAdm adm = {.arena = arena, .report = &unused, .notes = &unused, .file = ""};
    const TmlStatus status = tml_adm_read(&adm, text, length, err);
    if (status == TML_OK) {
        tml_adm_units(&adm);
        *out = (TmlAdamsUnits){adm.mass, adm.length, adm.force, adm.time};
    }
    tml_adm_free(&adm);
    return status;
}

TmlStatus tml_adams_parse(const char *text, size_t length, const char *file,
                          const TmlAdamsOptions *options, TmlModel *model, TmlReport *report,
                          TmlReport *notes, TmlValue **out, TmlError *err)
{
    TmlAdm adm = {.arena = &model->arena,
                  .model = model,
                  .mode = options->mode != 0 ? options->mode : 4,
                  .for_file = options->for_file,
                  .report = report,
                  .notes = notes,
                  .warnings = {.arena = &model->arena, .limit = INT_MAX},
                  .file = file,
                  .commands = options->commands,
                  .n_commands = options->n_commands};
    *out = NULL;
    TmlStatus status = open_library(&adm, options->user_library, err);
    status = status == TML_OK ? tml_adm_read(&adm, text, length, err) : status;
    if (status == TML_OK) {
        make_root(&adm);
        tml_adm_units(&adm);
        tml_adm_library_fill(&adm);
        tml_adm_inputs(&adm, options);
        tml_adm_solids(&adm, options);
        tml_adm_flexes(&adm, options);
        for (int s = 0; tml_adm_syntax_at(s) != NULL; ++s) {
            if (tml_adm_syntax_at(s)->use == TML_ADM_REFUSED) {
                tell_refused(&adm, tml_adm_syntax_at(s));
            }
        }
        adm.velocities_open = tml_adm_velocities_open(&adm);
        tml_adm_displace(&adm);
        tml_adm_leave_out(&adm);
        translate_all(&adm);
        tml_adm_initial(&adm);
        tml_adm_shapes(&adm);
        tell_ignored(&adm);
        tml_adm_tell_missing(&adm);
        close_root(&adm);
        // errors of the model reader would only follow from those found here
        *out = report->n == 0 && !adm.nomem ? adm.root : NULL;
        status = adm.nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : keep_warnings(&adm, err);
    }
    tml_adm_free(&adm);
    return status;
}

bool tml_adams_is_dataset(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcasecmp(path + n - 4, ".adm") == 0;
}

void tml_adams_statements(void (*visit)(void *arg, const char *name, const char *use,
                                        const char *text),
                          void *arg)
{
    for (int s = 0; tml_adm_syntax_at(s) != NULL; ++s) {
        const TmlAdmSyntax *syntax = tml_adm_syntax_at(s);
        static const char *const uses[] = {[TML_ADM_USED] = "read",
                                           [TML_ADM_IGNORED] = "ignored",
                                           [TML_ADM_REFUSED] = "not supported yet"};
        visit(arg, syntax->name, uses[syntax->use], syntax->text);
    }
}
