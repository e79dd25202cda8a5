/* io/report/report.c - reports of result files and comparisons. */
#include "base/real.h"
#include "io/compare/compare.h"
#include "io/file/unnamed.h"
#include "io/report/report_page.h"
#include "io/report/report_parts.h"
#include "io/results/hdf5_driver.h"
#include "model/model.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { WHOLE_BYTES = 4 << 20 }; // results up to this are kept whole

TmlReportOptions tml_report_options_default(void)
{
    return (TmlReportOptions){.size = sizeof(TmlReportOptions), .error = 5e-4};
}

TmlReportOptions tml_report_options(const TmlReportOptions *options)
{
    return options != NULL ? *options : tml_report_options_default();
}

TmlStatus tml_report_check(const TmlReportOptions *options, TmlError *err)
{
    const TmlReportOptions o = tml_report_options(options);
    TmlPage page;
    const TmlStatus status = tml_page_open(&o, &page, err);
    tml_page_close(&page);
    return status;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Bytes that all rows would take. */
static double whole_bytes(const TmlReportJob *job)
{
    const TmlResultSet *set = job->file.set;
    double row = 8.0 * (9.0 + set[TML_RESULT_CHANNELS].n_items) +
                 (set[TML_RESULT_BODIES].packed ? 28.0 : 124.0) * set[TML_RESULT_BODIES].n_items +
                 (set[TML_RESULT_JOINTS].packed ? 24.0 : 72.0) * set[TML_RESULT_JOINTS].n_items;
    for (int k = 0; k < job->n_flexible; ++k) {
        const TmlResultFlexible *f = &job->flexible[k];
        row += 4.0 * (double)tml_h5_array_row(&f->nodes) +
               4.0 * f->elements * f->points * (f->columns[0] + f->columns[1]);
    }
    for (int k = 0; k < job->n_modal; ++k) {
        row += 4.0 * job->modal[k].part.m;
    }
    return row * (double)(job->file.rows - job->first);
}

/* The size that the scene tells; 1 m without one. */
static double scene_size(const char *scene)
{
    static const char mark[] = ",\"size\":";
    const char *at = scene != NULL ? strstr(scene, mark) : NULL;
    const double size = at != NULL ? tml_real_read(at + strlen(mark), NULL) : 1.0;
    return isfinite(size) && size > 0.0 ? size : 1.0;
}

/* A text dataset that files of older versions do not have. */
static TmlStatus optional_cell(const TmlReportJob *job, const char *name, char **out, TmlError *err)
{
    return H5Lexists(job->file.file, name, H5P_DEFAULT) > 0
               ? tml_h5_cell_read(job->file.file, name, out, err)
               : TML_OK;
}

/* The rows of /time are in every dataset; a running file may have to be looked at again. */
static TmlStatus check_rows(const TmlReportJob *job, TmlH5Array *a, TmlError *err)
{
    if (a->id > 0 && (int64_t)a->dim[0] < job->file.rows) {
        tml_h5_array_refresh(a);
    }
    return a->id > 0 && (int64_t)a->dim[0] < job->file.rows
               ? tml_fail(err, TML_E_IO, "damaged: a flexible body has %llu rows, not %lld",
                          (unsigned long long)a->dim[0], (long long)job->file.rows)
               : TML_OK;
}

static TmlStatus job_open(TmlReportJob *job, const char *path, int64_t first, TmlError *err)
{
    TML_TRY(tml_result_open(path, &job->file, err));
    TML_TRY(optional_cell(job, "statistics", &job->statistics, err));
    TML_TRY(optional_cell(job, "scene", &job->scene, err));
    TML_TRY(tml_result_flexible(&job->file, &job->n_flexible, &job->flexible, err));
    for (int k = 0; k < job->n_flexible; ++k) {
        TML_TRY(check_rows(job, &job->flexible[k].nodes, err));
        for (int s = 0; s < TML_RESULT_VALUES; ++s) {
            TML_TRY(check_rows(job, &job->flexible[k].value[s], err));
        }
    }
    TML_TRY(tml_report_modal_open(job, err));
    job->status = job->file.state == TML_RESULT_KILLED ? "the run was killed before its end"
                                                       : job->file.status;
    job->first = first < 0 ? 0 : first > job->file.rows ? job->file.rows : first;
    job->modes = H5Lexists(job->file.file, "modes", H5P_DEFAULT) > 0;
    job->size = scene_size(job->scene);
    job->whole = whole_bytes(job) <= WHOLE_BYTES;
    return TML_OK;
}

static TmlStatus job_fill(TmlReportJob *job, TmlError *err)
{
    TML_TRY(tml_container_open(&job->c, err));
    tml_json_open(&job->c.json, NULL, '{');
    TML_TRY(tml_report_head(job, err));
    TML_TRY(tml_report_frames(job, err));
    TML_TRY(tml_report_channels(job, err));
    TML_TRY(tml_report_solver(job, err));
    tml_json_raw(&job->c.json, "compare", NULL);
    TML_TRY(job->modes ? tml_report_modes_part(job, err) : TML_OK);
    tml_json_close(&job->c.json);
    return TML_OK;
}

/* The data of a report; errors begin with the file's name. */
static TmlStatus job_make(TmlReportJob *job, const char *path, int64_t first,
                          const TmlReportOptions *options, TmlError *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = tml_is_unnamed(path) ? "" : slash != NULL ? slash + 1 : path;
    *job = (TmlReportJob){.bound = options->error, .results = name};
    if (!(options->error >= 0.0 && options->error <= 0.1)) {
        return tml_fail(err, TML_E_ARGUMENT, "error: %g is not between 0 and 0.1", options->error);
    }
    TmlStatus status = job_open(job, path, first, err);
    if (status == TML_OK) {
        status = job_fill(job, err);
    }
    status = tml_h5_reads_check(status, err);
    if (status != TML_OK && strstr(err != NULL ? err->message : path, path) == NULL) {
        status = tml_fail_ctx(err, status, "'%s'", path);
    }
    status = tml_unnamed_told(path, status, err);
    tml_result_flexible_close(job->n_flexible, job->flexible);
    tml_result_modal_close(job->n_results, job->results_modal);
    tml_result_close(&job->file);
    tml_mem_free(job->scene);
    tml_mem_free(job->statistics);
    return status;
}

/* One page of all these results, at most two. */
static TmlStatus report_runs(int n, const char *const *results, const char *html,
                             const TmlReportOptions *options, TmlError *err)
{
    const TmlReportOptions o = tml_report_options(options);
    TmlReportJob job[2] = {0};
    TmlContainer *const c[2] = {&job[0].c, &job[1].c};
    TmlPage page;
    TmlStatus status = tml_page_open(&o, &page, err);
    for (int k = 0; k < n && status == TML_OK; ++k) {
        status = job_make(&job[k], results[k], 0, &o, err);
    }
    if (status == TML_OK) {
        status = tml_page_write(&page, n, c, html, err);
    }
    for (int k = 0; k < n; ++k) {
        tml_container_close(c[k]);
    }
    tml_page_close(&page);
    return status;
}

TmlStatus tml_report(const char *results, const char *html, const TmlReportOptions *options,
                     TmlError *err)
{
    return report_runs(1, &results, html, options, err);
}

TmlStatus tml_report_two(const char *first, const char *second, const char *html,
                         const TmlReportOptions *options, TmlError *err)
{
    return report_runs(2, (const char *const[]){first, second}, html, options, err);
}

/* --- watching --------------------------------------------------------------------------------- */

static bool put_fd(void *user, const void *data, size_t n)
{
    const int fd = *(const int *)user;
    const char *at = data;
    while (n > 0) {
        const ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        at += done;
        n -= (size_t)done;
    }
    return true;
}

TmlStatus tml_report_data(const char *results, int64_t first, int fd,
                          const TmlReportOptions *options, TmlError *err)
{
    const TmlReportOptions o = tml_report_options(options);
    TmlReportJob job;
    TmlStatus status = job_make(&job, results, first, &o, err);
    if (status == TML_OK) {
        status = tml_container_send(&job.c, put_fd, &fd, err);
        status = status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", results);
    }
    tml_container_close(&job.c);
    return status;
}

TmlStatus tml_report_page(const TmlReportOptions *options, char **html, TmlError *err)
{
    static const char data[] = "<script id=\"trammel-watch\" type=\"application/json\">"
                               "{\"data\":\"data\",\"poll\":500}</script>";
    const TmlReportOptions o = tml_report_options(options);
    TmlPage page;
    *html = NULL;
    TmlStatus status = tml_page_open(&o, &page, err);
    if (status == TML_OK) {
        const size_t n = strlen(data);
        *html = tml_mem_zalloc(page.before + n + page.after + 1, 1);
        status = *html == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for the page") : TML_OK;
        if (status == TML_OK) {
            memcpy(*html, page.text, page.before);
            memcpy(*html + page.before, data, n);
            memcpy(*html + page.before + n, page.rest, page.after);
        }
    }
    tml_page_close(&page);
    return status;
}

/* --- comparisons ------------------------------------------------------------------------------ */

static void put_compare_row(TmlJson *j, const TmlCompareRow *row)
{
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "method", row->method);
    tml_json_number(j, "tolerance", row->tolerance);
    tml_json_number(j, "error", row->max_error);
    tml_json_number(j, "rms_error", row->rms_error);
    tml_json_int(j, "steps", row->stats.steps);
    tml_json_int(j, "rejected", row->stats.rejected);
    tml_json_int(j, "iterations", row->stats.iterations);
    tml_json_int(j, "evaluations", row->stats.residuals);
    tml_json_int(j, "jacobians", row->stats.jacobians);
    tml_json_int(j, "factorisations", row->stats.factorizations + row->stats.refactorizations);
    tml_json_number(j, "seconds", row->seconds);
    tml_json_string(j, "status", row->status == TML_OK ? "done" : tml_status_text(row->status));
    tml_json_string(j, "message", row->message);
    tml_json_close(j);
}

/* "radau at 1e-10, rosenbrock at 1e-10" */
static void name_references(const TmlCompare *compare, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (int k = 0; tml_compare_reference(compare, k) != NULL && at < size; ++k) {
        const TmlReferenceRun *run = tml_compare_reference(compare, k);
        const int n = snprintf(out + at, size - at, "%s%s at %.3g", k > 0 ? ", " : "", run->method,
                               run->tolerance);
        at += n > 0 ? (size_t)n : 0;
    }
}

static void put_compare(TmlJson *j, const TmlCompare *compare)
{
    char reference[512];
    name_references(compare, reference, sizeof reference);
    tml_json_open(j, "compare", '{');
    tml_json_open(j, "rows", '[');
    for (int k = 0; tml_compare_row(compare, k) != NULL; ++k) {
        put_compare_row(j, tml_compare_row(compare, k));
    }
    tml_json_close(j);
    tml_json_string(j, "reference", reference);
    tml_json_number(j, "doubt", tml_compare_doubt(compare));
    tml_json_open(j, "channels", '[');
    for (int k = 0; tml_compare_channel(compare, k) != NULL; ++k) {
        tml_json_string(j, NULL, tml_compare_channel(compare, k));
    }
    tml_json_close(j);
    tml_json_string(j, "model", compare->model->text);
    tml_json_close(j);
}

TmlStatus tml_report_compare(const TmlCompare *compare, const char *html,
                             const TmlReportOptions *options, TmlError *err)
{
    const TmlReportOptions o = tml_report_options(options);
    TmlContainer c = {0};
    TmlPage page;
    TmlStatus status = tml_page_open(&o, &page, err);
    if (status == TML_OK) {
        status = tml_container_open(&c, err);
    }
    if (status == TML_OK) {
        tml_json_open(&c.json, NULL, '{');
        tml_json_int(&c.json, "format", 1);
        tml_json_string(&c.json, "trammel", TML_VERSION);
        tml_json_string(&c.json, "title", tml_model_title(compare->model));
        tml_json_string(&c.json, "status", "done");
        put_compare(&c.json, compare);
        tml_json_close(&c.json);
        status = tml_page_write(&page, 1, (TmlContainer *const[]){&c}, html, err);
    }
    tml_container_close(&c);
    tml_page_close(&page);
    return status;
}
