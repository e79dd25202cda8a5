/* io/report/report_head.c - what a report tells of the run, and the scene. */
#include "io/report/report_parts.h"

#include "trammel/trammel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the run ---------------------------------------------------------------------------------- */

static void put_text(TmlReportJob *job, const char *key)
{
    const char *text = tml_result_text(&job->file, "/", key);
    tml_json_string(&job->c.json, key, text != NULL ? text : "");
}

static void put_number(TmlReportJob *job, const char *key)
{
    tml_json_number(&job->c.json, key, tml_result_number(&job->file, "/", key));
}

static TmlStatus put_options(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const char *const *text = NULL;
    int n = 0;
    TML_TRY(tml_result_texts(&job->file, "/", "options", &n, &text, err));
    tml_json_open(j, "options", '{');
    for (int k = 0; k < n; ++k) { // key=value
        const char *equals = strchr(text[k], '=');
        const size_t length = equals != NULL ? (size_t)(equals - text[k]) : 0;
        char *key = length > 0 ? tml_arena_strndup(&job->file.arena, text[k], length) : NULL;
        if (key != NULL) {
            tml_json_string(j, key, equals + 1);
        }
    }
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus put_notes(TmlReportJob *job, TmlError *err)
{
    const char *const *text = NULL;
    int n = 0;
    TML_TRY(tml_result_texts(&job->file, "/", "notes", &n, &text, err));
    tml_json_open(&job->c.json, "notes", '[');
    for (int k = 0; k < n; ++k) {
        tml_json_string(&job->c.json, NULL, text[k]);
    }
    tml_json_close(&job->c.json);
    return TML_OK;
}

static TmlStatus put_run(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const bool told = job->statistics != NULL && job->statistics[0] == '{';
    tml_json_open(j, "run", '{');
    if (job->modes) { // one state, which no integrator has reached
        put_text(job, "model_file");
        put_text(job, "model");
        tml_json_int(j, "rows", job->file.rows);
        tml_json_close(j);
        return TML_OK;
    }
    put_text(job, "integrator");
    put_text(job, "choice");
    put_number(job, "tolerance");
    put_number(job, "end_time");
    put_number(job, "output_step");
    TML_TRY(put_options(job, err));
    TML_TRY(put_notes(job, err));
    put_text(job, "model_file");
    put_text(job, "model");
    put_text(job, "command");
    tml_json_raw(j, "statistics", told ? job->statistics : NULL);
    tml_json_int(j, "rows", job->file.rows);
    tml_json_int(j, "first", job->first);
    tml_json_string(j, "results", job->results);
    tml_json_close(j);
    return TML_OK;
}

/* --- flexible bodies -------------------------------------------------------------------------- */

static void put_columns(TmlReportJob *job, const TmlResultFlexible *f, const char *key,
                        const char *const *const list[TML_RESULT_VALUES])
{
    tml_json_open(&job->c.json, key, '[');
    for (int s = 0; s < TML_RESULT_VALUES; ++s) {
        for (int k = 0; k < f->columns[s]; ++k) {
            tml_json_string(&job->c.json, NULL, list[s][k]);
        }
    }
    tml_json_close(&job->c.json);
}

/* A fixed array of the file with three columns as a block. */
static TmlStatus put_array(TmlReportJob *job, const char *key, const char *path, TmlBlockType type,
                           TmlError *err)
{
    TmlH5Array a;
    if (!tml_h5_array_open(job->file.file, path, &a)) {
        return tml_h5_fail(err, "cannot read '/%s'", path);
    }
    const int64_t n = (int64_t)a.dim[0];
    const TmlBlockSpec spec = {type, 2, {n, 3}, 0.0, type == TML_BLOCK_I32};
    double *value = NULL;
    TmlStatus status = TML_OK;
    if (a.rank != 2 || a.dim[1] != 3 || n > INT32_MAX) {
        status = tml_fail(err, TML_E_IO, "damaged: '/%s' has an unexpected shape", path);
    } else {
        value = tml_mem_zalloc(3 * (size_t)n, sizeof *value);
        status = value == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for '/%s'", path)
                               : tml_h5_array_read(&a, H5T_NATIVE_DOUBLE, 0, n, value, err);
    }
    if (status == TML_OK) {
        status = tml_block_values(&job->c, key, &spec, value, err);
    }
    tml_mem_free(value);
    tml_h5_array_close(&a);
    return status;
}

static TmlStatus put_elements(TmlReportJob *job, const TmlResultFlexible *f, TmlError *err)
{
    const size_t n = (size_t)f->elements * (size_t)f->element_nodes;
    const TmlBlockSpec spec = {TML_BLOCK_I32, 2, {f->elements, f->element_nodes}, 0.0, false};
    double *node = tml_mem_zalloc(n, sizeof *node);
    if (node == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for flexible body '%s'", f->name);
    }
    for (size_t k = 0; k < n; ++k) {
        node[k] = f->node[k];
    }
    const TmlStatus status = tml_block_values(&job->c, "elements", &spec, node, err);
    tml_mem_free(node);
    return status;
}

static TmlStatus put_flexible(TmlReportJob *job, const TmlResultFlexible *f, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const TmlBlockSpec weight = {
        TML_BLOCK_F32, 3, {f->elements, f->points, f->vectors}, 0.0, false};
    const int fibres = f->patch ? 9 : f->points >= 3 ? f->points / 3 : 1;
    char link[TML_H5_NAME_MAX], path[2 * TML_H5_NAME_MAX];
    snprintf(path, sizeof path, "flexible/%s/points", tml_h5_safe_name(f->name, link));
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", f->name);
    tml_json_string(j, "topology", f->patch ? "patch" : "line");
    tml_json_int(j, "nodes", (int64_t)f->nodes.dim[1]);
    tml_json_int(j, "vectors", (int64_t)f->nodes.dim[2]);
    TML_TRY(put_elements(job, f, err));
    TML_TRY(tml_block_values(&job->c, "weights", &weight, f->weight, err));
    TML_TRY(put_array(job, "points", path, TML_BLOCK_F32, err));
    tml_json_int(j, "fibres", fibres);
    tml_json_int(j, "stations", f->points / fibres);
    tml_json_int(j, "strains", f->columns[TML_RESULT_STRAIN]);
    tml_json_int(j, "stresses", f->columns[TML_RESULT_STRESS]);
    put_columns(job, f, "columns", f->column);
    put_columns(job, f, "units", f->unit);
    tml_json_close(j);
    return TML_OK;
}

/* --- the scene -------------------------------------------------------------------------------- */

static TmlStatus put_mesh(TmlReportJob *job, int mesh, TmlError *err)
{
    char path[TML_NAME_MAX];
    snprintf(path, sizeof path, "meshes/%d/vertices", mesh);
    TML_TRY(put_array(job, "vertices", path, TML_BLOCK_F32, err));
    snprintf(path, sizeof path, "meshes/%d/triangles", mesh);
    return put_array(job, "triangles", path, TML_BLOCK_I32, err);
}

/* The stored text from `from` on up to `to`, with the arrays of meshes behind their numbers. In a
 * JSON text ,"mesh": can only be a key: quotes inside of texts have a backslash. */
static TmlStatus put_scene_text(TmlReportJob *job, const char *from, const char *to, TmlError *err)
{
    static const char mark[] = ",\"mesh\":";
    TmlTextBuf *text = &job->c.text;
    const char *next;
    while ((next = strstr(from, mark)) != NULL && next < to) {
        char *end = NULL;
        const long mesh = strtol(next + strlen(mark), &end, 10);
        tml_textbuf_add(text, "%.*s", (int)(end - from), from);
        TML_TRY(put_mesh(job, (int)mesh, err));
        from = end;
    }
    tml_textbuf_add(text, "%.*s", (int)(to - from), from);
    return TML_OK;
}

static TmlStatus put_flexible_list(TmlReportJob *job, TmlError *err)
{
    tml_json_open(&job->c.json, "flexible", '[');
    for (int k = 0; k < job->n_flexible; ++k) {
        TML_TRY(put_flexible(job, &job->flexible[k], err));
    }
    tml_json_close(&job->c.json);
    return TML_OK;
}

/* Files of version 0.1 have no scene: balls without joints. */
static TmlStatus put_plain_scene(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const TmlResultSet *bodies = &job->file.set[TML_RESULT_BODIES];
    tml_json_open(j, "counts", '{');
    tml_json_int(j, "bodies", bodies->n_items);
    tml_json_int(j, "joints", job->file.set[TML_RESULT_JOINTS].n_items);
    tml_json_int(j, "flexible", job->n_flexible);
    tml_json_close(j);
    tml_json_open(j, "scene", '{');
    tml_json_raw(j, "up", "[0,0,1]");
    tml_json_raw(j, "gravity", "[0,0,0]");
    tml_json_number(j, "size", job->size);
    tml_json_open(j, "bodies", '[');
    tml_json_raw(j, NULL, "{\"name\":\"ground\",\"shapes\":[]}");
    for (int k = 0; k < bodies->n_items; ++k) {
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", bodies->item[k]);
        tml_json_raw(j, "shapes",
                     "[{\"kind\":\"sphere\",\"position\":[0,0,0],\"orientation\":[1,0,0,0],"
                     "\"radius\":0.02,\"color\":null}]");
        tml_json_bool(j, "default", true);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_raw(j, "joints", "[]");
    tml_json_raw(j, "forces", "[]");
    TML_TRY(put_flexible_list(job, err));
    TML_TRY(tml_report_modal_scene(job, err));
    tml_json_close(j);
    return TML_OK;
}

/* {"counts":{...},"scene":{...}} without the outer braces, and with the flexible bodies added. */
static TmlStatus put_scene(TmlReportJob *job, TmlError *err)
{
    const char *text = job->scene;
    const size_t n = text != NULL ? strlen(text) : 0;
    if (n == 0) {
        return put_plain_scene(job, err);
    }
    if (n < 4 || text[0] != '{' || strcmp(text + n - 2, "}}") != 0) {
        return tml_fail(err, TML_E_IO, "the dataset /scene is damaged");
    }
    TmlJson *j = &job->c.json;
    tml_textbuf_put(j->text, ",");
    TML_TRY(put_scene_text(job, text + 1, text + n - 2, err));
    TML_TRY(put_flexible_list(job, err));
    TML_TRY(tml_report_modal_scene(job, err));
    tml_textbuf_put(j->text, "}");
    return TML_OK;
}

TmlStatus tml_report_head(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    tml_json_int(j, "format", 1);
    tml_json_string(j, "trammel", TML_VERSION);
    put_text(job, "title");
    tml_json_string(j, "status", job->status);
    TML_TRY(put_run(job, err));
    return put_scene(job, err);
}
