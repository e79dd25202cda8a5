/* io/recover/recover_csv.c - histories of nodes as comma-separated values. */
#include "io/recover/recover.h"

#include "io/text/textbuf.h"
#include "trammel/io.h"

#include <string.h>

static const char *const columns[] = {
    "x",   "y",   "z",   "ux", "uy", "uz",        "sxx",          "syy", "szz", "sxy",
    "syz", "szx", "s1",  "s2", "s3", "von_mises", "signed_mises", "exx", "eyy", "ezz",
    "gxy", "gyz", "gzx", "e1", "e2", "e3"};

enum { COLUMNS = sizeof columns / sizeof *columns, MOTION = 6, STRESS = 17 };

/* Names with commas or quotes are in quotes, as RFC 4180 has it. */
static void put_name(TmlTextBuf *b, const char *body, const char *place, const char *column)
{
    const bool quoted = strpbrk(body, ",\"\r\n=+-@ ") != NULL;
    tml_textbuf_put(b, quoted ? ",\"" : ",");
    for (const char *c = body; *c != '\0'; ++c) {
        tml_textbuf_add(b, *c == '"' ? "\"%c" : "%c", *c);
    }
    tml_textbuf_add(b, ".%s.%s%s", place, column, quoted ? "\"" : "");
}

static void put_state(TmlTextBuf *b, const TmlNodeState *x, int n)
{
    const double value[COLUMNS] = {x->place.x,
                                   x->place.y,
                                   x->place.z,
                                   x->displacement.x,
                                   x->displacement.y,
                                   x->displacement.z,
                                   x->stress[0],
                                   x->stress[1],
                                   x->stress[2],
                                   x->stress[3],
                                   x->stress[4],
                                   x->stress[5],
                                   x->principal[0],
                                   x->principal[1],
                                   x->principal[2],
                                   x->von_mises,
                                   x->signed_mises,
                                   x->strain[0],
                                   x->strain[1],
                                   x->strain[2],
                                   x->strain[3],
                                   x->strain[4],
                                   x->strain[5],
                                   x->principal_strain[0],
                                   x->principal_strain[1],
                                   x->principal_strain[2]};
    char text[TML_NUMBER_MAX];
    for (int k = 0; k < n; ++k) {
        tml_textbuf_put(b, ",");
        tml_textbuf_put(b, tml_number_text(value[k], text));
    }
}

static TmlStatus write_rows(TmlRecovery *r, int body, int n, const int *index, TmlTextBuf *b,
                            TmlError *err)
{
    const TmlPart *part = &r->at[body].part;
    const int per_node = part->stress == NULL ? MOTION : part->elastic == NULL ? STRESS : COLUMNS;
    const size_t rows = (size_t)r->rows;
    TmlNodeState *x = tml_mem_zalloc(rows * (size_t)n + 1, sizeof *x);
    TmlStatus status = x != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    char text[TML_NUMBER_MAX];
    tml_textbuf_put(b, "time");
    for (int i = 0; i < n && status == TML_OK; ++i) {
        status = tml_recovery_history(r, body, index[i], x + rows * (size_t)i, err);
        char place[TML_PLACE_MAX];
        (void)tml_recovery_place(r, body, index[i], place);
        for (int c = 0; c < per_node && status == TML_OK; ++c) {
            put_name(b, r->at[body].result->name, place, columns[c]);
        }
    }
    tml_textbuf_put(b, "\n");
    for (size_t k = 0; k < rows && status == TML_OK; ++k) {
        tml_textbuf_put(b, tml_number_text(r->file.time[r->first + (int64_t)k], text));
        for (int i = 0; i < n; ++i) {
            put_state(b, &x[rows * (size_t)i + k], per_node);
        }
        tml_textbuf_put(b, "\n");
    }
    tml_mem_free(x);
    return status;
}

TmlStatus tml_recovery_csv(TmlRecovery *r, int body, int n, const int *index, const char *path,
                           TmlError *err)
{
    TmlTextBuf b = {0};
    char *all = NULL;
    if (body < 0 || body >= r->n) {
        return tml_fail(err, TML_E_ARGUMENT, "there is no modal body %d", body);
    }
    TmlStatus status = write_rows(r, body, n, index, &b, err);
    status = status == TML_OK ? tml_textbuf_take(&b, &all, err) : status;
    status = status == TML_OK ? tml_file_write(path, all, strlen(all), err) : status;
    tml_text_free(all);
    tml_textbuf_free(&b);
    return status;
}
