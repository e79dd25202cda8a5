/* io/load/motions.c - motions of joints that are given beside a model, as sections of one.
 *
 * A table of measured positions becomes a cubic spline, whose second derivative is continuous: accelerations follow from
 * it. Noise of size e in samples h apart is some 6 e / h^2 there, so that a low pass before it may be needed.
 */
#include "io/text/json.h"

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/channels.h"
#include "trammel/kinematics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_TEXT = 256, PATH_TEXT = 4096, ORDER = 4 };

typedef struct Motion {
    char joint[NAME_TEXT], coordinate[16], of[16]; /* coordinate "": the only one */
    char path[PATH_TEXT], column[NAME_TEXT];       /* path "": a function */
    double corner;                                 /* Hz; 0: no low pass */
    const char *function;
} Motion;

static bool ends_in(const char *text, const char *suffix)
{
    const size_t n = strlen(text), k = strlen(suffix);
    return n >= k && strcmp(text + n - k, suffix) == 0;
}

/* The joint, and its coordinate where one is named behind it. */
static void read_joint(const char *text, Motion *m)
{
    static const char *const words[] = {"angle", "displacement"};
    snprintf(m->joint, sizeof m->joint, "%.250s", text);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        char suffix[24];
        snprintf(suffix, sizeof suffix, ".%s", words[k]);
        if (ends_in(m->joint, suffix)) {
            m->joint[strlen(m->joint) - strlen(suffix)] = '\0';
            snprintf(m->coordinate, sizeof m->coordinate, "%s", words[k]);
        }
    }
}

/* "file.csv", "file.csv:column", "file.csv:column:hertz"; a text without ".csv" is a function. */
static TmlStatus read_source(Motion *m, TmlError *err)
{
    const char *at = strstr(m->function, ".csv");
    if (at == NULL || (at[4] != '\0' && at[4] != ':')) {
        return TML_OK;
    }
    snprintf(m->path, sizeof m->path, "%.*s", (int)(at + 4 - m->function), m->function);
    if (at[4] == ':') {
        const char *column = at + 5, *end = strrchr(column, ':');
        const size_t n = end != NULL ? (size_t)(end - column) : strlen(column);
        snprintf(m->column, sizeof m->column, "%.*s", (int)n, column);
        if (end != NULL) {
            char *rest = NULL;
            m->corner = strtod(end + 1, &rest);
            if (rest == end + 1 || *rest != '\0' || !(m->corner > 0.0)) {
                return tml_fail(err, TML_E_ARGUMENT,
                                "motion of '%s': '%s' is no frequency of a low pass in Hz",
                                m->joint, end + 1);
            }
        }
    }
    return TML_OK;
}

static TmlStatus read_motion(const char *joint, const char *function, Motion *m, TmlError *err)
{
    static const char *const words[] = {"velocity ", "acceleration "};
    *m = (Motion){.of = "displacement", .function = function};
    read_joint(joint, m);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        const size_t n = strlen(words[k]);
        if (strncmp(function, words[k], n) == 0) {
            m->function = function + n;
            snprintf(m->of, sizeof m->of, "%.*s", (int)n - 1, words[k]);
        }
    }
    if (m->joint[0] == '\0' || m->function[0] == '\0') {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a motion is JOINT=FUNCTION, for example pin=0.3*sin(2*time), not '%s=%s'",
                        joint, function);
    }
    return read_source(m, err);
}

/* --- tables -------------------------------------------------------------------------------------------- */

static TmlStatus find_column(const TmlChannels *c, const Motion *m, int *out, TmlError *err)
{
    if (m->column[0] == '\0') {
        *out = 0;
        return tml_channels_count(c) == 1
                   ? TML_OK
                   : tml_fail(err, TML_E_ARGUMENT,
                              "motion of '%s': '%s' has %d columns; write %s:COLUMN", m->joint,
                              m->path, tml_channels_count(c), m->path);
    }
    *out = tml_channels_match(c, m->column, 0);
    return *out >= 0 ? TML_OK : tml_channels_unknown(c, m->column, err);
}

static TmlStatus check_table(const Motion *m, int64_t n, const double *t, const double *x,
                             TmlError *err)
{
    if (n < 4) {
        return tml_fail(err, TML_E_ARGUMENT, "motion of '%s': '%s' has %d rows; 4 are needed",
                        m->joint, m->path, (int)n);
    }
    for (int64_t k = 0; k < n; ++k) {
        if (!isfinite(t[k]) || !isfinite(x[k])) {
            return tml_fail(err, TML_E_ARGUMENT, "motion of '%s': '%s' has a gap in row %d",
                            m->joint, m->path, (int)k + 1);
        }
        if (k > 0 && !(t[k] > t[k - 1])) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "motion of '%s': times of '%s' do not increase in row %d", m->joint,
                            m->path, (int)k + 1);
        }
    }
    return TML_OK;
}

static TmlStatus write_rows(TmlJson *j, TmlChannels *c, const Motion *m, double *rows, int64_t n,
                            int column, TmlError *err)
{
    double *t = rows, *x = rows + n;
    char number[TML_NUMBER_MAX];
    TML_TRY(tml_channels_read(c, column, t, x, err));
    TML_TRY(check_table(m, n, t, x, err));
    if (m->corner > 0.0) {
        TML_TRY(tml_low_pass(n, t, x, m->corner, ORDER, x, err));
    }
    for (int part = 0; part < 2; ++part) {
        tml_json_open(j, part == 0 ? "x" : "y", '[');
        for (int64_t k = 0; k < n; ++k) {
            tml_json_raw(j, NULL, tml_number_text(rows[part * n + k], number));
        }
        tml_json_close(j);
    }
    return TML_OK;
}

static TmlStatus write_table(TmlJson *j, const Motion *m, const char *name, TmlError *err)
{
    TmlChannels *c = NULL;
    int column = 0;
    TmlStatus status = tml_channels_open(m->path, &c, err);
    status = status == TML_OK ? find_column(c, m, &column, err) : status;
    if (status == TML_OK) {
        const int64_t n = tml_channels_info(c, column).rows;
        double *rows = tml_mem_zalloc(2 * (size_t)n + 2, sizeof *rows);
        tml_json_open(j, name, '{');
        status = rows != NULL ? write_rows(j, c, m, rows, n, column, err)
                              : tml_fail(err, TML_E_NOMEM, "out of memory");
        tml_json_close(j);
        tml_mem_free(rows);
    }
    tml_channels_free(c);
    return status;
}

/* --- sections ------------------------------------------------------------------------------------------- */

static void table_name(int k, char out[32])
{
    snprintf(out, 32, "given_motion_%d", k + 1);
}

static void write_joint(TmlJson *j, const Motion *m, int k)
{
    char name[NAME_TEXT + 16], table[32], call[64];
    table_name(k, table);
    snprintf(name, sizeof name, "%s_motion", m->joint);
    snprintf(call, sizeof call, "spline(time, %s)", table);
    tml_json_open(j, name, '{');
    tml_json_string(j, "type", "motion");
    tml_json_string(j, "joint", m->joint);
    if (m->coordinate[0] != '\0') {
        tml_json_string(j, "coordinate", m->coordinate);
    }
    tml_json_string(j, "function", m->path[0] != '\0' ? call : m->function);
    tml_json_string(j, "of", m->of);
    tml_json_close(j);
}

/* JSON is YAML. */
static TmlStatus write_all(TmlJson *j, int n, const char *const *joint, const char *const *function,
                           Motion *m, TmlError *err)
{
    tml_json_open(j, NULL, '{');
    tml_json_open(j, "splines", '{');
    for (int k = 0; k < n; ++k) {
        char table[32];
        table_name(k, table);
        TML_TRY(read_motion(joint[k], function[k], m, err));
        if (m->path[0] != '\0') {
            TML_TRY(write_table(j, m, table, err));
        }
    }
    tml_json_close(j);
    tml_json_open(j, "joints", '{');
    for (int k = 0; k < n; ++k) {
        TML_TRY(read_motion(joint[k], function[k], m, err));
        write_joint(j, m, k);
    }
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_motions_text(int n, const char *const *joint, const char *const *function, char **out,
                           TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    Motion *m = tml_mem_zalloc(1, sizeof *m);
    *out = NULL;
    TmlStatus status = m != NULL ? write_all(&j, n, joint, function, m, err)
                                 : tml_fail(err, TML_E_NOMEM, "out of memory");
    status = status == TML_OK ? tml_textbuf_take(&text, out, err) : status;
    tml_textbuf_free(&text);
    tml_mem_free(m);
    return status;
}
