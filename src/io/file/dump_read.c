/* io/file/dump_read.c - a run from a dump, see dump.h. */
#include "io/file/dump.h"

#include "base/fail.h"
#include "base/file.h"
#include "base/input.h"
#include "base/real.h"
#include "io/load/load.h"
#include "io/load/yaml.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool tml_is_dump(const char *path)
{
    char head[64] = "";
    const int fd = tml_file_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        const ssize_t n = tml_read_some(fd, sizeof head - 1, head);
        head[n > 0 ? n : 0] = '\0';
    }
    if (fd >= 0) {
        (void)tml_file_close(fd);
    }
    return head[strspn(head, " \t\r\n")] == '{' && strstr(head, "\"trammel_dump\"") != NULL;
}

/* --- values ----------------------------------------------------------------------------------- */

static double real_of(const TmlValue *v)
{
    char *end = NULL;
    if (v == NULL || v->kind != TML_VALUE_SCALAR) {
        return (double)NAN;
    }
    const double x = tml_real_read(v->text, &end);
    return end != v->text ? x : (double)NAN;
}

static const char *text_of(const TmlValue *map, const char *key)
{
    const TmlValue *v = tml_value_find(map, key);
    return v != NULL && v->kind == TML_VALUE_SCALAR ? v->text : NULL;
}

static double number_of(const TmlValue *map, const char *key, double otherwise)
{
    const double x = real_of(tml_value_find(map, key));
    return isnan(x) ? otherwise : x;
}

static TmlStatus damaged(const char *what, TmlError *err)
{
    return tml_fail(err, TML_E_MODEL, "the dump is damaged: %s", what);
}

/* A list of numbers. */
static TmlStatus reals(const TmlValue *map, const char *key, TmlArena *arena, int *n,
                       const double **out, TmlError *err)
{
    const TmlValue *list = tml_value_find(map, key);
    double *x;
    if (list == NULL || list->kind != TML_VALUE_LIST) {
        return damaged(key, err);
    }
    TML_NEW(arena, x, list->n);
    for (int k = 0; k < list->n; ++k) {
        x[k] = real_of(list->item[k]);
        if (isnan(x[k])) {
            return damaged(key, err);
        }
    }
    *n = list->n;
    *out = x;
    return TML_OK;
}

/* Numbers of an entry of a list of lists, in x[most]. */
static bool row_of(const TmlValue *row, int most, double *x, int *n)
{
    *n = row->kind == TML_VALUE_LIST ? row->n : 0;
    for (int k = 0; k < *n && k < most; ++k) {
        x[k] = real_of(row->item[k]);
    }
    return *n > 0 && *n <= most;
}

/* --- the state -------------------------------------------------------------------------------- */

static TmlStatus read_pieces(const TmlValue *list, TmlArena *arena, TmlImagePast *out,
                             TmlError *err)
{
    TmlPiece *piece;
    if (list == NULL || list->kind != TML_VALUE_LIST) {
        return damaged("pieces", err);
    }
    TML_NEW(arena, piece, list->n);
    for (int k = 0; k < list->n; ++k) {
        double x[3 + TML_PAST_DEGREE + 1] = {0};
        int n;
        if (!row_of(list->item[k], 3 + TML_PAST_DEGREE + 1, x, &n) || n < 4 || x[2] != n - 4) {
            return damaged("pieces", err);
        }
        piece[k] = (TmlPiece){.t0 = x[0], .t1 = x[1], .n = n - 4};
        memcpy(piece[k].c, x + 3, sizeof piece[k].c);
    }
    out->piece = piece;
    out->n_pieces = list->n;
    return TML_OK;
}

static TmlStatus read_past(const TmlValue *map, TmlArena *arena, TmlImagePast *out, TmlError *err)
{
    const double *head, *mesh_t, *mesh_y;
    int n, n_t, n_y;
    TML_TRY(reals(map, "head", arena, &n, &head, err));
    TML_TRY(reals(map, "mesh_t", arena, &n_t, &mesh_t, err));
    TML_TRY(reals(map, "mesh_y", arena, &n_y, &mesh_y, err));
    // dumps of earlier versions have 8 numbers: the longest delay is measured anew then
    if ((n != 8 && n != 10) || n_t != TML_PAST_MESH || n_y != TML_PAST_MESH || !(head[7] >= 0.0) ||
        head[7] > TML_PAST_MESH) {
        return damaged("delays", err);
    }
    *out = (TmlImagePast){.begun = head[0] != 0.0,
                          .next = head[1] != 0.0,
                          .origin = head[2],
                          .start = head[3],
                          .first = head[4],
                          .now = head[5],
                          .largest = head[6],
                          .n_mesh = (int)head[7],
                          .longest = n > 8 ? head[8] : 0.0,
                          .thinned = n > 9 && head[9] != 0.0};
    memcpy(out->mesh_t, mesh_t, sizeof out->mesh_t);
    memcpy(out->mesh_y, mesh_y, sizeof out->mesh_y);
    return read_pieces(tml_value_find(map, "pieces"), arena, out, err);
}

static TmlStatus read_delays(const TmlValue *state, TmlArena *arena, TmlImage *out, TmlError *err)
{
    const TmlValue *list = tml_value_find(state, "delays"), *kinks = tml_value_find(state, "kinks");
    TmlImagePast *past;
    struct TmlKink *kink;
    if (list == NULL || kinks == NULL || list->kind != TML_VALUE_LIST ||
        kinks->kind != TML_VALUE_LIST) {
        return damaged("delays", err);
    }
    TML_NEW(arena, past, list->n);
    TML_NEW(arena, kink, kinks->n);
    for (int k = 0; k < list->n; ++k) {
        TML_TRY(read_past(list->item[k], arena, &past[k], err));
    }
    for (int k = 0; k < kinks->n; ++k) {
        double x[2] = {0};
        int n;
        if (!row_of(kinks->item[k], 2, x, &n) || n != 2 || !(x[1] >= 0.0 && x[1] < INT_MAX)) {
            return damaged("kinks", err);
        }
        kink[k] = (struct TmlKink){x[0], (int)x[1]};
    }
    out->n_pasts = list->n;
    out->past = past;
    out->n_kinks = kinks->n;
    out->kink = kink;
    out->landed = number_of(state, "landed", -HUGE_VAL);
    return TML_OK;
}

static TmlStatus read_events(const TmlValue *state, TmlArena *arena, TmlImage *out, TmlError *err)
{
    const TmlValue *list = tml_value_find(state, "events");
    struct TmlEventState *event;
    if (list == NULL || list->kind != TML_VALUE_LIST) {
        return damaged("events", err);
    }
    TML_NEW(arena, event, list->n);
    for (int k = 0; k < list->n; ++k) {
        double x[2] = {0};
        int n;
        if (!row_of(list->item[k], 2, x, &n) || n != 2) {
            return damaged("events", err);
        }
        event[k] = (struct TmlEventState){.d = x[0], .holds = x[1] != 0.0};
    }
    out->n_events = list->n;
    out->event = event;
    return TML_OK;
}

TmlStatus tml_dump_image(const TmlValue *state, TmlArena *arena, TmlImage *out, TmlError *err)
{
    int n_v, n_a, n_xd;
    *out = (TmlImage){.t = number_of(state, "time", (double)NAN)};
    TML_TRY(reals(state, "q", arena, &out->nq, &out->q, err));
    TML_TRY(reals(state, "v", arena, &n_v, &out->v, err));
    TML_TRY(reals(state, "a", arena, &n_a, &out->a, err));
    TML_TRY(reals(state, "lambda", arena, &out->m_all, &out->lambda, err));
    TML_TRY(reals(state, "X", arena, &out->nx, &out->X, err));
    TML_TRY(reals(state, "X_rate", arena, &n_xd, &out->Xd, err));
    TML_TRY(reals(state, "V", arena, &out->nv, &out->V, err));
    TML_TRY(reals(state, "F", arena, &out->nf, &out->F, err));
    TML_TRY(reals(state, "memory", arena, &out->n_memory, &out->memory, err));
    if (tml_value_find(state, "X_scales") != NULL) { // not in dumps of earlier versions
        TML_TRY(reals(state, "X_scales", arena, &out->n_scales, &out->scale, err));
        out->acceleration = number_of(state, "X_acceleration", 0.0);
    }
    if (n_v != out->nq || n_a != out->nq || n_xd != out->nx || isnan(out->t)) {
        return damaged("state", err);
    }
    TML_TRY(read_events(state, arena, out, err));
    return read_delays(state, arena, out, err);
}

/* --- the model -------------------------------------------------------------------------------- */

/* A file that is named must be the one that it was. */
static TmlStatus check_sum(const char *path, const char *was, TmlError *err)
{
    uint64_t sum;
    int64_t bytes;
    char hex[32];
    if (path == NULL || was == NULL) {
        return damaged("a file without path or check sum", err);
    }
    TML_TRY(tml_dump_sum(path, &sum, &bytes, err));
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)sum);
    return strcmp(hex, was) == 0
               ? TML_OK
               : tml_fail(err, TML_E_MODEL,
                          "'%s' is not what it was when the run failed: its check sum differs",
                          path);
}

static TmlStatus check_named(const TmlValue *map, TmlError *err)
{
    return check_sum(text_of(map, "path"), text_of(map, "fnv1a"), err);
}

static TmlStatus read_sources(const TmlValue *root, TmlArena *arena, int *n, TmlSource **out,
                              TmlError *err)
{
    const TmlValue *files = tml_value_find(root, "files"),
                   *data = tml_value_find(root, "data_files");
    if (files == NULL || files->kind != TML_VALUE_LIST) {
        return damaged("files", err);
    }
    TML_NEW(arena, *out, files->n);
    *n = 0;
    for (int k = 0; k < files->n; ++k) {
        const char *path = text_of(files->item[k], "path"), *text = text_of(files->item[k], "text");
        if (text == NULL) {
            TML_TRY(check_named(files->item[k], err));
        } else if (path != NULL) {
            (*out)[(*n)++] = (TmlSource){path, text};
        }
    }
    for (int k = 0; data != NULL && data->kind == TML_VALUE_LIST && k < data->n; ++k) {
        TML_TRY(check_named(data->item[k], err));
    }
    return TML_OK;
}

/* Keys and values of a map as two lists. */
static TmlStatus pairs(const TmlValue *map, TmlArena *arena, int *n, const char ***key,
                       const char ***value, TmlError *err)
{
    *n = map != NULL && map->kind == TML_VALUE_MAP ? map->n : 0;
    TML_NEW(arena, *key, *n);
    TML_NEW(arena, *value, *n);
    for (int k = 0; k < *n; ++k) {
        (*key)[k] = map->key[k]->text;
        (*value)[k] = map->item[k]->kind == TML_VALUE_SCALAR ? map->item[k]->text : "";
    }
    return TML_OK;
}

/* A dump may come from anybody, and opening a library runs its code: the caller must name it, too.
 */
static TmlStatus check_library(const TmlValue *library, const char *given, TmlError *err)
{
    const char *path = text_of(library, "path"), *was = text_of(library, "fnv1a");
    const TmlValue *const named =
        library != NULL && library->kind == TML_VALUE_MAP ? library : NULL;
    if (named == NULL) {
        return given == NULL
                   ? TML_OK
                   : tml_fail(err, TML_E_ARGUMENT,
                              "the run of the dump had no user library; '%s' is not used", given);
    }
    if (given == NULL) {
        return tml_fail(err, TML_E_MODEL,
                        "the run of the dump called the user library '%s': name it with "
                        "--user-library if you trust it",
                        path != NULL ? path : "");
    }
    return check_sum(given, was, err);
}

static TmlStatus load_model(const TmlValue *root, const char *library, TmlArena *arena,
                            TmlModel **out, TmlError *err)
{
    const TmlValue *load = tml_value_find(root, "load");
    TmlLoadOptions o = tml_load_options_default();
    const char **set_name, **set_value, **input_name, **input_value, **solid_name, **solid_file,
        **flex_name, **flex_file;
    TmlSource *source = NULL;
    double *value;
    int n_sources = 0;
    const char *path = text_of(root, "model");
    if (path == NULL) {
        return damaged("model", err);
    }
    TML_TRY(read_sources(root, arena, &n_sources, &source, err));
    TML_TRY(pairs(tml_value_find(load, "set"), arena, &o.n, &set_name, &set_value, err));
    TML_TRY(
        pairs(tml_value_find(load, "input"), arena, &o.n_inputs, &input_name, &input_value, err));
    TML_TRY(
        pairs(tml_value_find(load, "solid"), arena, &o.n_solids, &solid_name, &solid_file, err));
    TML_TRY(pairs(tml_value_find(load, "flex"), arena, &o.n_flex, &flex_name, &flex_file, err));
    TML_NEW(arena, value, o.n);
    for (int k = 0; k < o.n; ++k) {
        value[k] = tml_real_read(set_value[k], NULL);
    }
    o.names = set_name;
    o.values = value;
    o.texts = set_value;
    o.input_name = input_name;
    o.input_value = input_value;
    o.solid_name = solid_name;
    o.solid_file = solid_file;
    o.solids = text_of(load, "solids");
    o.flex_name = flex_name;
    o.flex_file = flex_file;
    TML_TRY(check_library(tml_value_find(load, "user_library"), library, err));
    o.user_library = library;
    return tml_load_sources(path, n_sources, source, &o, out, err);
}

/* --- the run ---------------------------------------------------------------------------------- */

/* What the caller gives counts, then the dump. */
static TmlStatus make_sim(const TmlValue *root, TmlArena *arena, const TmlModel *model,
                          const TmlSimOptions *given, TmlSim **out, TmlError *err)
{
    const TmlValue *run = tml_value_find(root, "run");
    TmlSimOptions o = given != NULL ? *given : tml_sim_options_default();
    const char **key, **value;
    int n;
    TML_TRY(pairs(tml_value_find(run, "options"), arena, &n, &key, &value, err));
    if (o.integrator == NULL) {
        o.integrator = text_of(run, "integrator");
        if (o.n_options == 0) {
            o.n_options = n;
            o.option_key = key;
            o.option_value = value;
        }
    }
    const bool fixed = o.step == 0.0 && isnan(o.tolerance) && number_of(run, "step", 0.0) > 0.0;
    o.tolerance = isnan(o.tolerance) ? number_of(run, "tolerance", (double)NAN) : o.tolerance;
    o.step = fixed ? number_of(run, "step", 0.0) : o.step;
    o.end_time = isnan(o.end_time) ? number_of(run, "end_time", (double)NAN) : o.end_time;
    o.output_step =
        isnan(o.output_step) ? number_of(run, "output_step", (double)NAN) : o.output_step;
    o.min_step = o.min_step == 0.0 ? number_of(run, "min_step", 0.0) : o.min_step;
    o.max_step = o.max_step == 0.0 ? number_of(run, "max_step", 0.0) : o.max_step;
    o.length_scale = o.length_scale == 0.0 ? number_of(run, "length_scale", 0.0) : o.length_scale;
    return tml_sim_create(model, &o, out, err);
}

static TmlStatus open_root(const TmlValue *root, const char *library, TmlArena *arena,
                           const TmlSimOptions *given, TmlModel **model, TmlSim **sim,
                           TmlError *err)
{
    const double version = number_of(root, "trammel_dump", 0.0);
    TmlImage image;
    if (version != TML_DUMP_VERSION) {
        return tml_fail(err, TML_E_MODEL, "a dump of version %g; this program reads version %d",
                        version, (int)TML_DUMP_VERSION);
    }
    TML_TRY(tml_dump_image(tml_value_find(root, "state"), arena, &image, err));
    TML_TRY(load_model(root, library, arena, model, err));
    TML_TRY(make_sim(root, arena, *model, given, sim, err));
    return tml_sim_restore(*sim, &image, err);
}

TmlStatus tml_dump_open(const char *path, const TmlSimOptions *given, TmlModel **model,
                        TmlSim **sim, TmlError *err)
{
    return tml_dump_open_with(path, NULL, given, model, sim, err);
}

TmlStatus tml_dump_open_with(const char *path, const char *library, const TmlSimOptions *given,
                             TmlModel **model, TmlSim **sim, TmlError *err)
{
    TmlArena arena = {0};
    TmlReport report = {.arena = &arena};
    TmlValue *root = NULL;
    char *text = NULL;
    size_t length = 0;
    *model = NULL;
    *sim = NULL;
    TmlStatus status = tml_input_read(path, &text, &length, err);
    status =
        status == TML_OK ? tml_yaml_parse(text, length, path, &arena, &report, &root, err) : status;
    status = status == TML_OK ? tml_report_status(&report, err) : status;
    status = status == TML_OK ? open_root(root, library, &arena, given, model, sim, err) : status;
    if (status != TML_OK) {
        tml_sim_free(*sim);
        tml_model_free(*model);
        *sim = NULL;
        *model = NULL;
    }
    tml_mem_free(text);
    tml_arena_free(&arena);
    return status;
}
