/* io/report_head.c - what a report tells of the run, and the scene. */
#include "io/report_parts.h"

#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the run ---------------------------------------------------------------------------------- */

static TmlStatus put_text(TmlReportJob *job, const char *key, const char *attribute, TmlError *err)
{
    const char *text;
    TML_TRY(tml_results_text(&job->results, attribute, &text, err));
    tml_json_string(&job->c.json, key, text);
    return TML_OK;
}

static TmlStatus put_options(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const char **text = NULL;
    int n = 0;
    TML_TRY(tml_results_texts(&job->results, job->results.file, "options", &n, &text, err));
    tml_json_open(j, "options", '{');
    for (int k = 0; k < n; ++k) { // key=value
        const char *equals = strchr(text[k], '=');
        char *key = equals != NULL ? tml_arena_strndup(&job->results.arena, text[k],
                                                       (size_t)(equals - text[k]))
                                   : NULL;
        if (key != NULL) {
            tml_json_string(j, key, equals + 1);
        }
    }
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus put_notes(TmlReportJob *job, TmlError *err)
{
    const char **text = NULL;
    int n = 0;
    TML_TRY(tml_results_texts(&job->results, job->results.file, "notes", &n, &text, err));
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
    const TmlResults *r = &job->results;
    const bool told = r->statistics != NULL && r->statistics[0] == '{';
    tml_json_open(j, "run", '{');
    TML_TRY(put_text(job, "integrator", "integrator", err));
    TML_TRY(put_text(job, "choice", "choice", err));
    tml_json_number(j, "tolerance", tml_results_number(r, "tolerance"));
    tml_json_number(j, "end_time", tml_results_number(r, "end_time"));
    tml_json_number(j, "output_step", tml_results_number(r, "output_step"));
    TML_TRY(put_options(job, err));
    TML_TRY(put_notes(job, err));
    TML_TRY(put_text(job, "model_file", "model_file", err));
    TML_TRY(put_text(job, "model", "model", err));
    TML_TRY(put_text(job, "command", "command", err));
    tml_json_raw(j, "statistics", told ? r->statistics : NULL);
    tml_json_int(j, "rows", r->rows);
    tml_json_int(j, "first", job->first);
    tml_json_close(j);
    return TML_OK;
}

/* --- flexible bodies -------------------------------------------------------------------------- */

static void put_columns(TmlReportJob *job, const TmlReportFlexible *f, const char *key,
                        const char **const list[2])
{
    tml_json_open(&job->c.json, key, '[');
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < f->columns[s]; ++k) {
            tml_json_string(&job->c.json, NULL, list[s][k]);
        }
    }
    tml_json_close(&job->c.json);
}

static TmlStatus put_flexible(TmlReportJob *job, const TmlReportFlexible *f, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const size_t n = (size_t)f->elements * (size_t)f->element_nodes;
    const TmlBlockSpec element = {TML_BLOCK_I32, 2, {f->elements, f->element_nodes}, 0.0, false};
    const TmlBlockSpec point = {TML_BLOCK_F32, 2, {f->points, 3}, 0.0, false};
    const TmlBlockSpec weight = {
        TML_BLOCK_F32, 3, {f->elements, f->points, f->element_nodes * f->vectors}, 0.0, false};
    double *node = tml_mem_zalloc(n, sizeof *node);
    if (node == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for flexible body '%s'", f->name);
    }
    for (size_t k = 0; k < n; ++k) {
        node[k] = f->element[k];
    }
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", f->name);
    tml_json_string(j, "topology", f->patch ? "patch" : "line");
    tml_json_int(j, "nodes", f->nodes);
    tml_json_int(j, "vectors", f->vectors);
    TmlStatus status = tml_block_values(&job->c, "elements", &element, node, err);
    tml_mem_free(node);
    TML_TRY(status);
    TML_TRY(tml_block_values(&job->c, "weights", &weight, f->weight, err));
    TML_TRY(tml_block_values(&job->c, "points", &point, f->point, err));
    tml_json_int(j, "fibres", f->fibres);
    tml_json_int(j, "stations", f->points / (f->fibres > 0 ? f->fibres : 1));
    tml_json_int(j, "strains", f->columns[0]);
    tml_json_int(j, "stresses", f->columns[1]);
    put_columns(job, f, "columns", f->column);
    put_columns(job, f, "units", f->unit);
    tml_json_close(j);
    return TML_OK;
}

/* --- the scene -------------------------------------------------------------------------------- */

/* A fixed array of the file as a block. */
static TmlStatus put_array(TmlReportJob *job, const char *key, int mesh, TmlBlockType type,
                           TmlError *err)
{
    char path[TML_NAME_MAX];
    TmlRowSet rows = {0};
    const int64_t held = job->results.rows;
    snprintf(path, sizeof path, "meshes/%d/%s", mesh, key);
    job->results.rows = 0; // an array of its own length
    TmlStatus status = tml_rows_add(&job->results, path, 3, 0, &rows, err);
    job->results.rows = held;
    TML_TRY(status);
    const int64_t n = (int64_t)rows.part->dim[0];
    double *value = n < INT32_MAX ? tml_mem_zalloc(3 * (size_t)n, sizeof *value) : NULL;
    const TmlBlockSpec spec = {type, 2, {n, 3}, 0.0, type == TML_BLOCK_I32};
    status = value == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for a mesh")
                           : tml_rows_read(&rows, 0, (int)n, value, err);
    status = status == TML_OK ? tml_block_values(&job->c, key, &spec, value, err) : status;
    tml_mem_free(value);
    tml_rows_close(&rows);
    return status;
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
        TML_TRY(put_array(job, "vertices", (int)mesh, TML_BLOCK_F32, err));
        TML_TRY(put_array(job, "triangles", (int)mesh, TML_BLOCK_I32, err));
        from = end;
    }
    tml_textbuf_add(text, "%.*s", (int)(to - from), from);
    return TML_OK;
}

static TmlStatus put_flexible_list(TmlReportJob *job, TmlError *err)
{
    tml_json_open(&job->c.json, "flexible", '[');
    for (int k = 0; k < job->results.n_flexible; ++k) {
        TML_TRY(put_flexible(job, &job->results.flexible[k], err));
    }
    tml_json_close(&job->c.json);
    return TML_OK;
}

/* Files of version 0.1 have no scene: balls without joints. */
static TmlStatus put_plain_scene(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    const TmlResults *r = &job->results;
    tml_json_open(j, "counts", '{');
    tml_json_int(j, "bodies", r->n_bodies);
    tml_json_int(j, "joints", r->n_joints);
    tml_json_int(j, "flexible", r->n_flexible);
    tml_json_close(j);
    tml_json_open(j, "scene", '{');
    tml_json_raw(j, "up", "[0,0,1]");
    tml_json_raw(j, "gravity", "[0,0,0]");
    tml_json_number(j, "size", job->size);
    tml_json_open(j, "bodies", '[');
    tml_json_raw(j, NULL, "{\"name\":\"ground\",\"shapes\":[]}");
    for (int k = 0; k < r->n_bodies; ++k) {
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "name", r->body[k]);
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
    tml_json_close(j);
    return TML_OK;
}

/* {"counts":{...},"scene":{...}} without the outer braces, and with the flexible bodies added. */
static TmlStatus put_scene(TmlReportJob *job, TmlError *err)
{
    const char *text = job->results.scene;
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
    tml_textbuf_put(j->text, "}");
    return TML_OK;
}

TmlStatus tml_report_head(TmlReportJob *job, TmlError *err)
{
    TmlJson *j = &job->c.json;
    tml_json_int(j, "format", 1);
    tml_json_string(j, "trammel", TML_VERSION);
    TML_TRY(put_text(job, "title", "title", err));
    tml_json_string(j, "status", job->kind);
    TML_TRY(put_run(job, err));
    return put_scene(job, err);
}
