/* io/report/report_solver.c - the history of the solver in a report.
 *
 * One row per attempted step. Long histories are cut into bins of equally many attempts; of each
 * bin the first and the last attempt stay, those with the largest and smallest step and error, and
 * all that were rejected.
 */
#include "io/report/report_parts.h"

enum { WHOLE = 20000, BINS = 2500, N_COLUMNS = 7 }; // WHOLE: attempts up to which all are kept
enum { H = 1, ERROR, ACCEPTED };

static const struct {
    const char *name;
    TmlBlockType type;
} columns[N_COLUMNS] = {{"t", TML_BLOCK_F64},          {"h", TML_BLOCK_F64},
                        {"error", TML_BLOCK_F32},      {"accepted", TML_BLOCK_U8},
                        {"iterations", TML_BLOCK_I32}, {"order", TML_BLOCK_U8},
                        {"cause", TML_BLOCK_U8}};

typedef struct History {
    TmlReportJob *job;
    TmlRowSet rows;
    int64_t kept, cap;
    double *value[N_COLUMNS]; // kept rows, column by column
} History;

static TmlStatus keep(History *s, const double *row, TmlError *err)
{
    if (s->kept == s->cap) {
        const int64_t cap = s->cap > 0 ? 2 * s->cap : 1024;
        for (int c = 0; c < N_COLUMNS; ++c) {
            double *value = tml_mem_resize(s->value[c], (size_t)cap * sizeof *value);
            if (value == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory for the solver's history");
            }
            s->value[c] = value;
        }
        s->cap = cap;
    }
    for (int c = 0; c < N_COLUMNS; ++c) {
        s->value[c][s->kept] = row[c];
    }
    s->kept++;
    return TML_OK;
}

/* Is row k of the n of a bin worth keeping? extreme: rows of least and largest h and error. */
static bool stays(int k, int n, const double *row, const int extreme[4])
{
    return k == 0 || k == n - 1 || row[ACCEPTED] == 0.0 || k == extreme[0] || k == extreme[1] ||
           k == extreme[2] || k == extreme[3];
}

static TmlStatus keep_bin(History *s, const double *bin, int n, TmlError *err)
{
    int extreme[4] = {0};
    for (int k = 0; k < n; ++k) {
        for (int c = H; c <= ERROR; ++c) {
            int *least = &extreme[2 * (c - H)], *most = least + 1;
            const double x = bin[k * N_COLUMNS + c];
            *least = x < bin[*least * N_COLUMNS + c] ? k : *least;
            *most = x > bin[*most * N_COLUMNS + c] ? k : *most;
        }
    }
    for (int k = 0; k < n; ++k) {
        if (stays(k, n, bin + k * N_COLUMNS, extreme)) {
            TML_TRY(keep(s, bin + k * N_COLUMNS, err));
        }
    }
    return TML_OK;
}

static TmlStatus keep_all(History *s, const double *row, int n, TmlError *err)
{
    for (int k = 0; k < n; ++k) {
        TML_TRY(keep(s, row + k * N_COLUMNS, err));
    }
    return TML_OK;
}

static TmlStatus thin(History *s, int64_t total, TmlError *err)
{
    const bool all = total <= WHOLE;
    const int bin = (int)(all ? total + 1 : (total + BINS - 1) / BINS);
    double *buffer = tml_mem_zalloc((size_t)bin * N_COLUMNS, sizeof *buffer);
    TmlStatus status = buffer == NULL
                           ? tml_fail(err, TML_E_NOMEM, "out of memory for the solver's history")
                           : TML_OK;
    for (int64_t at = 0; at < total && status == TML_OK; at += bin) {
        const int rows = total - at < bin ? (int)(total - at) : bin;
        status = tml_rows_read(&s->rows, &s->job->file, at, rows, buffer, err);
        if (status == TML_OK) {
            status = (all ? keep_all : keep_bin)(s, buffer, rows, err);
        }
    }
    tml_mem_free(buffer);
    return status;
}

static TmlStatus write_causes(History *s, TmlError *err)
{
    TmlJson *j = &s->job->c.json;
    const char *const *text = NULL;
    int n = 0;
    TML_TRY(tml_result_texts(&s->job->file, "solver/cause", "causes", &n, &text, err));
    tml_json_open(j, "causes", '[');
    for (int k = 0; k < n; ++k) {
        tml_json_string(j, NULL, text[k]);
    }
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus history_write(History *s, TmlError *err)
{
    TmlJson *j = &s->job->c.json;
    const int64_t total = s->job->file.set[TML_RESULT_SOLVER].rows;
    for (int c = 0; c < N_COLUMNS; ++c) {
        TML_TRY(
            tml_rows_field(&s->rows, &s->job->file, TML_RESULT_SOLVER, 0, columns[c].name, 1, err));
    }
    TML_TRY(thin(s, total, err));
    tml_json_open(j, "solver", '{');
    for (int c = 0; c < N_COLUMNS; ++c) {
        const TmlBlockSpec spec = {columns[c].type, 1, {s->kept}, 0.0, false};
        TML_TRY(tml_block_values(&s->job->c, columns[c].name, &spec, s->value[c], err));
    }
    TML_TRY(write_causes(s, err));
    tml_json_int(j, "kept", s->kept);
    tml_json_int(j, "of", total);
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_report_solver(TmlReportJob *job, TmlError *err)
{
    if (job->file.set[TML_RESULT_SOLVER].n_fields == 0) {
        tml_json_raw(&job->c.json, "solver", NULL);
        return TML_OK;
    }
    History s = {.job = job};
    const TmlStatus status = history_write(&s, err);
    tml_rows_free(&s.rows);
    for (int c = 0; c < N_COLUMNS; ++c) {
        tml_mem_free(s.value[c]);
    }
    return status;
}
