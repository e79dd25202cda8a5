/* io/report/report_page.c - the page of a report: found, filled, written.
 *
 * The data are put in as base64 text, so that nothing in them can end the script element or mean
 * anything to a browser.
 */
#include "io/report/report_page.h"
#include "io/file/draft.h"

#include "base/arena.h"
#include "base/fail.h"
#include "base/input.h"
#include "io/report/viewer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_MAX = 64 << 20, LINE = 3 * 4096 };

static const char mark[] = "<!--TRAMMEL-DATA-->";

/* --- the page --------------------------------------------------------------------------------- */

TmlStatus tml_page_open(const TmlReportOptions *options, TmlPage *out, TmlError *err)
{
    const char *asked = getenv("TRAMMEL_VIEWER");
    const char *path = options->viewer != NULL             ? options->viewer
                       : asked != NULL && asked[0] != '\0' ? asked
                                                           : NULL;
    size_t n = tml_viewer_size();
    *out = (TmlPage){.text = tml_viewer_text()};
    if (path != NULL) {
        TML_TRY(tml_input_read(path, &out->held, &n, err));
        out->text = out->held;
    } else if (n == 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "reports need the viewer, which was not built: install node (18 or newer) "
                        "and npm, run 'make' again, and it will be");
    }
    const char *at = memmem(out->text, n, mark, strlen(mark));
    if (at == NULL) {
        return tml_fail(err, TML_E_IO, "the page '%s' has no place %s for the data",
                        path != NULL ? path : "viewer.html", mark);
    }
    out->before = (size_t)(at - out->text);
    out->rest = at + strlen(mark);
    out->after = n - out->before - strlen(mark);
    return TML_OK;
}

void tml_page_close(TmlPage *page)
{
    tml_mem_free(page->held);
    *page = (TmlPage){0};
}

/* --- base64 ----------------------------------------------------------------------------------- */

typedef struct Base64 {
    FILE *to;
    size_t held;
    uint8_t in[LINE];
    char out[LINE / 3 * 4];
} Base64;

static bool base64_flush(Base64 *b)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = b->out;
    for (size_t k = 0; k < b->held; k += 3) {
        const size_t n = b->held - k;
        const unsigned v = (unsigned)b->in[k] << 16 | (n > 1 ? (unsigned)b->in[k + 1] << 8 : 0u) |
                           (n > 2 ? (unsigned)b->in[k + 2] : 0u);
        *out++ = letter[v >> 18];
        *out++ = letter[v >> 12 & 63];
        *out++ = '=';
        *out++ = '=';
        if (n > 1) {
            out[-2] = letter[v >> 6 & 63];
        }
        if (n > 2) {
            out[-1] = letter[v & 63];
        }
    }
    b->held = 0;
    const size_t n = (size_t)(out - b->out);
    return fwrite(b->out, 1, n, b->to) == n;
}

static bool base64_put(void *user, const void *data, size_t n)
{
    Base64 *b = user;
    const uint8_t *from = data;
    while (n > 0) {
        const size_t room = sizeof b->in - b->held, part = n < room ? n : room;
        memcpy(b->in + b->held, from, part);
        b->held += part;
        from += part;
        n -= part;
        if (b->held == sizeof b->in && !base64_flush(b)) {
            return false;
        }
    }
    return true;
}

/* --- the file --------------------------------------------------------------------------------- */

/* The k-th element with data: trammel-data, trammel-data-2, ... */
static TmlStatus write_element(TmlContainer *c, int k, Base64 *b, TmlError *err)
{
    bool ok = fputs("<script id=\"trammel-data", b->to) >= 0;
    ok = ok && (k == 0 || fprintf(b->to, "-%d", k + 1) > 0);
    ok = ok && fputs("\" type=\"text/plain\">", b->to) >= 0;
    TML_TRY(ok ? tml_container_send(c, base64_put, b, err) : TML_E_IO);
    return base64_flush(b) && fputs("</script>", b->to) >= 0 ? TML_OK : TML_E_IO;
}

static TmlStatus write_parts(const TmlPage *page, int n, TmlContainer *const *c, FILE *file,
                             TmlError *err)
{
    Base64 *b = tml_mem_zalloc(1, sizeof *b);
    if (b == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the report");
    }
    b->to = file;
    bool ok = fwrite(page->text, 1, page->before, file) == page->before;
    TmlStatus status = ok ? TML_OK : TML_E_IO;
    for (int k = 0; k < n && status == TML_OK; ++k) {
        status = write_element(c[k], k, b, err);
    }
    ok = status == TML_OK && fwrite(page->rest, 1, page->after, file) == page->after;
    tml_mem_free(b);
    if (ferror(file)) {
        return tml_fail(err, TML_E_IO, "%s", strerror(errno));
    }
    return status == TML_OK && !ok ? tml_fail(err, TML_E_IO, "%s", strerror(errno)) : status;
}

typedef struct Contents {
    const TmlPage *page;
    int n;
    TmlContainer *const *c;
} Contents;

static TmlStatus fill(void *user, FILE *file, TmlError *err)
{
    const Contents *what = user;
    const TmlStatus status = write_parts(what->page, what->n, what->c, file, err);
    return ferror(file) ? TML_OK : status; // the stream keeps its failure, which comes first
}

TmlStatus tml_page_write(const TmlPage *page, int n, TmlContainer *const *c, const char *path,
                         TmlError *err)
{
    Contents what = {page, n, c};
    const TmlStatus status = tml_draft_write(path, TML_LINK_REPLACE, fill, &what, err);
    return status == TML_OK || (err != NULL && strstr(err->message, path) != NULL)
               ? status
               : tml_fail_ctx(err, status, "cannot write '%s'", path);
}
