/* io/report/report_modal.c - surfaces of modal bodies in a report.
 *
 * The viewer adds up modes itself: nodes of the surface, what each mode does there, and coordinates over
 * time are all that it needs. Of a large part, modes that move it least are left out.
 */
#include "io/recover/recover.h"
#include "io/report/report_parts.h"

#include <math.h>

enum { VALUES_MAX = 4 << 20 }; // numbers of shapes and stresses of one body

/* The part of a body, if it can still be read and is the one of the run: without it the frame is drawn as other bodies are. */
static bool part_load(TmlReportJob *job, TmlResultModal *m, TmlReportModal *out)
{
    TmlError err = {0};
    out->result = m;
    out->body = 1 + tml_result_item(&job->file.set[TML_RESULT_BODIES], m->name);
    return m->m > 0 && out->body > 0 && m->part != NULL &&
           tml_recover_part_load(m, m->part, &job->file.arena, &out->part, &err) == TML_OK &&
           out->part.shape != NULL && out->part.n_triangles > 0;
}

TmlStatus tml_report_modal_open(TmlReportJob *job, TmlError *err)
{
    TML_TRY(tml_result_modal(&job->file, &job->n_results, &job->results_modal, err));
    TML_NEW(&job->file.arena, job->modal, job->n_results);
    for (int k = 0; k < job->n_results; ++k) {
        job->n_modal += part_load(job, &job->results_modal[k], &job->modal[job->n_modal]);
    }
    return TML_OK;
}

/* Nodes of triangles in the order in which they come; at[node]: number among them, -1: none. */
static int surface_nodes(const TmlPart *p, int32_t *at, int32_t *node)
{
    int n = 0;
    for (int k = 0; k < p->n_nodes; ++k) {
        at[k] = -1;
    }
    for (int k = 0; k < 3 * p->n_triangles; ++k) {
        const int32_t i = p->corner[k];
        if (at[i] < 0) {
            node[n] = i;
            at[i] = n++;
        }
    }
    return n;
}

/* How far each mode moves the part over the run. */
static TmlStatus importance(TmlReportJob *job, const TmlReportModal *b, double *most, TmlError *err)
{
    enum { ROWS = 256 };
    const int m = b->part.m;
    double *x;
    TML_NEW(&job->file.arena, x, (size_t)m * ROWS);
    for (int64_t row = 0; row < job->file.rows; row += ROWS) {
        const int64_t n = job->file.rows - row < ROWS ? job->file.rows - row : ROWS;
        TML_TRY(tml_result_modal_rows(b->result, TML_RESULT_COORDINATES, row, n, x, err));
        for (int64_t k = 0; k < n * m; ++k) {
            most[k % m] = fmax(most[k % m], fabs(x[k]) * b->part.largest[k % m]);
        }
    }
    return TML_OK;
}

/* Numbers of the modes that are kept, in order. */
static TmlStatus choose_modes(TmlReportJob *job, const TmlReportModal *b, int nodes, int *chosen,
                              int *n, TmlError *err)
{
    const int m = b->part.m, most = VALUES_MAX / (9 * (nodes > 0 ? nodes : 1));
    double *weight;
    *n = 0;
    TML_NEW(&job->file.arena, weight, m);
    if (m > most && b->result != NULL) { // of a part alone the lowest modes are kept
        TML_TRY(importance(job, b, weight, err));
    }
    for (int j = 0; j < m; ++j) {
        int before = 0; // modes that matter more
        for (int i = 0; i < m && m > most; ++i) {
            before += weight[i] > weight[j] || (weight[i] == weight[j] && i < j);
        }
        if (before < most || m <= most) {
            chosen[(*n)++] = j;
        }
    }
    return TML_OK;
}

/* Shapes or stresses of the chosen modes: (node, mode, component). */
static TmlStatus put_table(TmlReportJob *job, const char *key, const TmlPart *p, const float *table,
                           int width, int nodes, const int32_t *node, int modes, const int *chosen,
                           TmlError *err)
{
    const TmlBlockSpec spec = {TML_BLOCK_F32, 3, {nodes, modes, width}, 0.0, false};
    double *value =
        tml_mem_zalloc((size_t)nodes * (size_t)modes * (size_t)width + 1, sizeof *value);
    double *to = value;
    if (value == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a modal body");
    }
    for (int k = 0; k < nodes; ++k) {
        for (int j = 0; j < modes; ++j) {
            const size_t at = (size_t)node[k] * (size_t)p->m + (size_t)chosen[j];
            for (int c = 0; c < width; ++c) {
                *to++ = (double)table[(size_t)width * at + (size_t)c];
            }
        }
    }
    const TmlStatus status = tml_block_values(&job->c, key, &spec, value, err);
    tml_mem_free(value);
    return status;
}

static TmlStatus put_surface(TmlReportJob *job, const TmlPart *p, int nodes, const int32_t *node,
                             const int32_t *at, TmlError *err)
{
    const TmlBlockSpec corners = {TML_BLOCK_F32, 2, {nodes, 3}, 0.0, false};
    const TmlBlockSpec triangles = {TML_BLOCK_I32, 2, {p->n_triangles, 3}, 0.0, false};
    double *value;
    TML_NEW(&job->file.arena, value, 3 * (size_t)nodes);
    for (int k = 0; k < nodes; ++k) {
        const TmlVec3 x = p->x[node[k]];
        value[3 * k] = x.x;
        value[3 * k + 1] = x.y;
        value[3 * k + 2] = x.z;
    }
    TML_TRY(tml_block_values(&job->c, "vertices", &corners, value, err));
    TML_NEW(&job->file.arena, value, 3 * (size_t)p->n_triangles);
    for (int k = 0; k < 3 * p->n_triangles; ++k) {
        value[k] = at[p->corner[k]];
    }
    return tml_block_values(&job->c, "triangles", &triangles, value, err);
}

TmlStatus tml_report_modal_body(TmlReportJob *job, const TmlReportModal *b, const char *name,
                                TmlError *err)
{
    TmlJson *j = &job->c.json;
    const TmlPart *p = &b->part;
    int32_t *at, *node;
    int *chosen, modes = 0;
    TML_NEW(&job->file.arena, at, p->n_nodes);
    TML_NEW(&job->file.arena, node, p->n_nodes);
    TML_NEW(&job->file.arena, chosen, p->m);
    const int nodes = surface_nodes(p, at, node);
    TML_TRY(choose_modes(job, b, nodes, chosen, &modes, err));
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", name);
    tml_json_int(j, "body", b->body);
    tml_json_int(j, "modes", p->m);
    tml_json_open(j, "chosen", '[');
    for (int k = 0; k < modes; ++k) {
        tml_json_int(j, NULL, chosen[k]);
    }
    tml_json_close(j);
    TML_TRY(put_surface(job, p, nodes, node, at, err));
    TML_TRY(put_table(job, "shapes", p, p->shape, 3, nodes, node, modes, chosen, err));
    if (p->stress != NULL) {
        TML_TRY(put_table(job, "stress", p, p->stress, 6, nodes, node, modes, chosen, err));
    } else {
        tml_json_raw(j, "stress", NULL);
    }
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_report_modal_scene(TmlReportJob *job, TmlError *err)
{
    if (job->n_modal == 0) {
        return TML_OK;
    }
    tml_json_open(&job->c.json, "modal", '[');
    for (int k = 0; k < job->n_modal; ++k) {
        const TmlReportModal *b = &job->modal[k];
        TML_TRY(tml_report_modal_body(job, b, b->result->name, err));
    }
    tml_json_close(&job->c.json);
    return TML_OK;
}
