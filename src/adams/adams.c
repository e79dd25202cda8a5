/* adams/adams.c - a dataset, statement by statement. */
#include "adams/adams.h"

#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"
#include "model/model.h"

typedef void (*Handler)(TmlAdm *adm, TmlAdmItem *item);

static void no_model(TmlAdm *adm, TmlAdmItem *item)
{
    (void)adm, (void)item; // read by those who name it
}

/* Rounds in which statements are written: parts before their markers, and joints before whatever
 * asks for their reactions. */
static const struct {
    const char *keyword;
    Handler handler;
    int round;
} handlers[] = {{"PART", tml_adm_part, 0},
                {"POINT_MASS", tml_adm_part, 0},
                {"FE_PART", tml_adm_fe_part, 0},
                {"MATERIAL", no_model, 0},
                {"FE_LOAD", tml_adm_fe_load, 4},
                {"MARKER", tml_adm_marker, 1},
                {"UNITS", no_model, 0},
                {"OUTPUT", tml_adm_output, 0},
                {"ARRAY", no_model, 0},
                {"STRING", no_model, 0},
                {"MATRIX", tml_adm_check_matrix, 0},
                {"PINPUT", tml_adm_pinput, 5},
                {"POUTPUT", tml_adm_poutput, 5},
                {"ACCGRAV", tml_adm_gravity, 0},
                {"JOINT", tml_adm_joint, 2},
                {"JPRIM", tml_adm_jprim, 2},
                {"MOTION", tml_adm_motion, 4},
                {"GCON", tml_adm_gcon, 3},
                {"UCON", tml_adm_gcon, 3},
                {"MREQUEST", tml_adm_mrequest, 5},
                {"COUPLER", tml_adm_coupler, 2},
                {"GEAR", tml_adm_gear, 2},
                {"SFORCE", tml_adm_sforce, 4},
                {"SPRINGDAMPER", tml_adm_springdamper, 4},
                {"VFORCE", tml_adm_vector_force, 4},
                {"VTORQUE", tml_adm_vector_force, 4},
                {"GFORCE", tml_adm_vector_force, 4},
                {"BUSHING", tml_adm_bushing, 4},
                {"FIELD", tml_adm_field, 4},
                {"BEAM", tml_adm_beam, 4},
                {"NFORCE", tml_adm_nforce, 4},
                {"FRICTION", tml_adm_friction, 3},
                {"VARIABLE", tml_adm_variable, 4},
                {"DIFF", tml_adm_diff, 4},
                {"GSE", tml_adm_gse, 4},
                {"SPLINE", tml_adm_spline, 1},
                {"CURVE", tml_adm_curve, 1},
                {"PTCV", tml_adm_ptcv, 2},
                {"CVCV", tml_adm_cvcv, 2},
                {"SENSOR", tml_adm_sensor, 4},
                {"LSE", tml_adm_lse, 4},
                {"TFSISO", tml_adm_tfsiso, 4},
                {"REQUEST", tml_adm_request, 5},
                {"INTEGRATOR", tml_adm_integrator, 5}};

enum { ROUNDS = 6, N_HANDLERS = sizeof handlers / sizeof *handlers };

static int find_handler(const char *keyword)
{
    for (int k = 0; k < N_HANDLERS; ++k) {
        if (strcmp(handlers[k].keyword, keyword) == 0) {
            return k;
        }
    }
    return -1;
}

static void translate_all(TmlAdm *adm)
{
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < adm->n && !adm->nomem; ++k) {
            TmlAdmItem *item = &adm->item[k];
            const int h = find_handler(item->syntax->name);
            if (item->syntax->use != TML_ADM_USED || item->failed || item->inactive) {
                continue;
            }
            if (handlers[h].round == round) {
                handlers[h].handler(adm, item);
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
        int n = 0;
        for (int k = 0; k < adm->n; ++k) {
            const bool counts = adm->item[k].syntax == syntax;
            n += counts ? 1 : 0;
            if (counts && syntax->use == TML_ADM_IGNORED && strcmp(syntax->name, "END") != 0) {
                first = first != NULL ? first : adm->item[k].s;
            }
        }
        if (n > 0 && syntax->use == TML_ADM_IGNORED && strcmp(syntax->name, "END") != 0) {
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
                                  &adm->delays};
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
        {"bodies", adm->bodies},   {"flexible", adm->flexible},   {"frames", adm->frames},
        {"splines", adm->splines}, {"paths", adm->paths},         {"joints", adm->joints},
        {"forces", adm->forces},   {"variables", adm->variables}, {"states", adm->states},
        {"delays", adm->delays},   {"systems", adm->systems},     {"events", adm->events},
        {"outputs", adm->outputs}};
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
        for (int s = 0; tml_adm_syntax_at(s) != NULL; ++s) {
            if (tml_adm_syntax_at(s)->use == TML_ADM_REFUSED) {
                tell_refused(&adm, tml_adm_syntax_at(s));
            }
        }
        adm.velocities_open = tml_adm_velocities_open(&adm);
        tml_adm_displace(&adm);
        translate_all(&adm);
        tml_adm_initial(&adm);
        tell_ignored(&adm);
        tml_adm_tell_missing(&adm);
        close_root(&adm);
        // errors of the model reader would only follow from those found here
        *out = report->n == 0 && !adm.nomem ? adm.root : NULL;
        status = adm.nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
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
        const bool reads = find_handler(syntax->name) >= 0;
        visit(arg, syntax->name,
              syntax->use == TML_ADM_IGNORED         ? "ignored"
              : syntax->use == TML_ADM_USED && reads ? "read"
                                                     : "not supported yet",
              syntax->text);
    }
}
