/* io/report/container.c - the data block of a report: a JSON header and compressed arrays.
 *
 *   bytes 0-7 "TMLREP01", 8-11 length of the header, 12-15 zero, the header, zeros up to a multiple
 *   of 8, blocks at multiples of 8                                              little endian
 *
 * Blocks are larger than memory may be: bytes of one significance are collected by reading the
 * values once for each byte of a value.
 */
#include "io/report/container.h"

#include "base/arena.h"
#include "base/fail.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PORTION = 16384, VALUES = 4096, PLACE_WIDTH = 15, HEAD = 16, LEVEL = 6 };

static const uint8_t magic[8] = {'T', 'M', 'L', 'R', 'E', 'P', '0', '1'};
static const struct {
    const char *name;
    int size;
} types[] = {{"f64", 8}, {"f32", 4}, {"i32", 4}, {"u8", 1}};

/* A file without a name, in TMPDIR or where temporary files outlive memory. */
static TmlStatus nameless(FILE **out, TmlError *err)
{
    const char *folder = getenv("TMPDIR");
    const char *const place[] = {folder != NULL && folder[0] != '\0' ? folder : "/var/tmp", "/tmp"};
    int fd = -1;
    for (size_t k = 0; k < sizeof place / sizeof place[0] && fd < 0; ++k) {
        fd = tml_file_open(place[k], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    *out = fd >= 0 ? tml_file_stream(fd, "w+") : tmpfile();
    if (*out == NULL) {
        if (fd >= 0) {
            (void)tml_file_close(fd);
        }
        return tml_fail(err, TML_E_IO, "cannot create a temporary file: %s", strerror(errno));
    }
    return TML_OK;
}

static TmlStatus cannot_write(TmlError *err)
{
    return tml_fail(err, TML_E_IO, "cannot write a temporary file: %s", strerror(errno));
}

/* --- spills ---------------------------------------------------------------------------------- */

TmlStatus tml_spill_open(TmlSpill *s, TmlError *err)
{
    *s = (TmlSpill){.finite = true};
    return nameless(&s->file, err);
}

TmlStatus tml_spill_add(TmlSpill *s, size_t n, const double *value, TmlError *err)
{
    for (size_t k = 0; k < n; ++k) {
        const double size = fabs(value[k]);
        s->finite = s->finite && isfinite(size);
        s->largest = size > s->largest ? size : s->largest;
    }
    s->n += (int64_t)n;
    return fwrite(value, sizeof *value, n, s->file) == n ? TML_OK : cannot_write(err);
}

void tml_spill_close(TmlSpill *s)
{
    if (s->file != NULL) {
        fclose(s->file);
    }
    *s = (TmlSpill){0};
}

/* --- encoding -------------------------------------------------------------------------------- */

typedef struct Source {
    TmlSpill *spill; // NULL: from memory
    const double *value;
    int64_t n, next;
} Source;

static TmlStatus source_rewind(Source *s, TmlError *err)
{
    s->next = 0;
    return s->spill == NULL || fseeko(s->spill->file, 0, SEEK_SET) == 0 ? TML_OK
                                                                        : cannot_write(err);
}

static TmlStatus source_read(Source *s, double *out, size_t *n, TmlError *err)
{
    const int64_t left = s->n - s->next;
    *n = left < VALUES ? (size_t)left : VALUES;
    if (s->spill == NULL) {
        memcpy(out, s->value + s->next, *n * sizeof *out);
    } else if (fread(out, sizeof *out, *n, s->spill->file) != *n) {
        return tml_fail(err, TML_E_IO, "cannot read a temporary file: %s", strerror(errno));
    }
    s->next += (int64_t)*n;
    return TML_OK;
}

typedef struct Encoder {
    TmlContainer *c;
    const TmlBlockSpec *spec;
    int64_t columns; // values of a row
    int32_t *before; // the row before, for differences
    int64_t at;      // value within the array
    z_stream z;
    int64_t stored; // bytes written
    uint8_t out[PORTION];
} Encoder;

/* The bits of one value, lowest byte first. */
static uint64_t bits_of(Encoder *e, double x)
{
    uint64_t bits = 0;
    switch (e->spec->type) {
    case TML_BLOCK_F64:
        memcpy(&bits, &x, sizeof x);
        return bits;
    case TML_BLOCK_F32: {
        const float f = (float)x;
        uint32_t word;
        memcpy(&word, &f, sizeof f);
        return word;
    }
    case TML_BLOCK_I32: {
        const double scale = e->spec->scale > 0.0 ? e->spec->scale : 1.0;
        const int32_t whole = (int32_t)fmax(fmin(rint(x / scale), INT32_MAX), INT32_MIN);
        int32_t *before = e->before != NULL ? &e->before[e->at % e->columns] : NULL;
        const uint32_t word = (uint32_t)whole - (before != NULL ? (uint32_t)*before : 0u);
        if (before != NULL) {
            *before = whole;
        }
        return word;
    }
    case TML_BLOCK_U8:
        break;
    }
    return (uint64_t)fmax(fmin(rint(x), 255.0), 0.0);
}

static TmlStatus deflate_some(Encoder *e, int flush, TmlError *err)
{
    do {
        e->z.next_out = e->out;
        e->z.avail_out = sizeof e->out;
        if (deflate(&e->z, flush) == Z_STREAM_ERROR) {
            return tml_fail(err, TML_E_INTERNAL, "zlib refuses its own state");
        }
        const size_t n = sizeof e->out - e->z.avail_out;
        if (fwrite(e->out, 1, n, e->c->blocks) != n) {
            return cannot_write(err);
        }
        e->stored += (int64_t)n;
    } while (e->z.avail_out == 0);
    return TML_OK;
}

/* Byte b of every value. */
static TmlStatus encode_plane(Encoder *e, Source *s, int b, TmlError *err)
{
    double value[VALUES];
    uint8_t byte[VALUES];
    TML_TRY(source_rewind(s, err));
    e->at = 0;
    if (e->before != NULL) {
        memset(e->before, 0, (size_t)e->columns * sizeof *e->before);
    }
    while (s->next < s->n) {
        size_t n;
        TML_TRY(source_read(s, value, &n, err));
        for (size_t k = 0; k < n; ++k, ++e->at) {
            byte[k] = (uint8_t)(bits_of(e, value[k]) >> (8 * b));
        }
        e->z.next_in = byte;
        e->z.avail_in = (uInt)n;
        TML_TRY(deflate_some(e, Z_NO_FLUSH, err));
    }
    return TML_OK;
}

static TmlStatus encode(Encoder *e, Source *s, TmlError *err)
{
    static const uint8_t zeros[8] = {0};
    for (int b = 0; b < types[e->spec->type].size; ++b) {
        TML_TRY(encode_plane(e, s, b, err));
    }
    e->z.avail_in = 0;
    TML_TRY(deflate_some(e, Z_FINISH, err));
    const size_t rest = (size_t)(-e->stored & 7);
    return fwrite(zeros, 1, rest, e->c->blocks) == rest ? TML_OK : cannot_write(err);
}

/* --- the header ------------------------------------------------------------------------------ */

static bool describe(TmlContainer *c, const char *key, const TmlBlockSpec *spec, int64_t bytes)
{
    TmlJson *j = &c->json;
    char blank[PLACE_WIDTH + 1];
    if (!tml_mem_grow((void **)&c->place, &c->cap_places, c->n_places + 1, sizeof *c->place)) {
        return false;
    }
    tml_json_open(j, key, '{');
    // the place is known when the header is: until then room for its digits
    snprintf(blank, sizeof blank, "%*d", PLACE_WIDTH, 0);
    tml_json_raw(j, "at", blank);
    c->place[c->n_places++] = (struct TmlBlockPlace){c->text.n - PLACE_WIDTH, c->size};
    tml_json_int(j, "bytes", bytes);
    tml_json_string(j, "codec", "deflate");
    tml_json_string(j, "type", types[spec->type].name);
    tml_json_open(j, "shape", '[');
    for (int k = 0; k < spec->rank; ++k) {
        tml_json_int(j, NULL, spec->dim[k]);
    }
    tml_json_close(j);
    if (types[spec->type].size > 1) {
        tml_json_bool(j, "shuffle", true);
    }
    if (spec->delta) {
        tml_json_bool(j, "delta", true);
    }
    if (spec->scale > 0.0) {
        tml_json_number(j, "scale", spec->scale);
    }
    tml_json_close(j);
    return true;
}

static TmlStatus block_write(TmlContainer *c, const char *key, const TmlBlockSpec *spec, Source *s,
                             TmlError *err)
{
    Encoder *e = tml_mem_zalloc(1, sizeof *e);
    if (e == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", key);
    }
    e->c = c;
    e->spec = spec;
    e->columns = 1;
    for (int k = 1; k < spec->rank; ++k) {
        e->columns *= spec->dim[k];
    }
    s->n = spec->dim[0] * e->columns;
    TmlStatus status = TML_OK;
    if (spec->delta && e->columns > 0) {
        e->before = tml_mem_zalloc((size_t)e->columns, sizeof *e->before);
        status =
            e->before == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", key) : TML_OK;
    }
    if (status == TML_OK && deflateInit(&e->z, LEVEL) != Z_OK) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for zlib");
    } else if (status == TML_OK) {
        status = encode(e, s, err);
        deflateEnd(&e->z);
    }
    if (status == TML_OK && !describe(c, key, spec, e->stored)) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for the header");
    }
    c->size += (e->stored + 7) & ~(int64_t)7;
    tml_mem_free(e->before);
    tml_mem_free(e);
    return status;
}

TmlStatus tml_block_spill(TmlContainer *c, const char *key, const TmlBlockSpec *spec,
                          TmlSpill *from, TmlError *err)
{
    Source s = {.spill = from};
    return block_write(c, key, spec, &s, err);
}

TmlStatus tml_block_values(TmlContainer *c, const char *key, const TmlBlockSpec *spec,
                           const double *value, TmlError *err)
{
    Source s = {.value = value};
    return block_write(c, key, spec, &s, err);
}

/* --- the whole ------------------------------------------------------------------------------- */

TmlStatus tml_container_open(TmlContainer *c, TmlError *err)
{
    *c = (TmlContainer){0};
    c->json = (TmlJson){.text = &c->text, .compact = true};
    return nameless(&c->blocks, err);
}

void tml_container_close(TmlContainer *c)
{
    if (c->blocks != NULL) {
        fclose(c->blocks);
    }
    tml_textbuf_free(&c->text);
    tml_mem_free(c->place);
    *c = (TmlContainer){0};
}

static void place_blocks(TmlContainer *c, int64_t base)
{
    for (int k = 0; k < c->n_places; ++k) {
        char number[32];
        snprintf(number, sizeof number, "%*" PRId64, PLACE_WIDTH, base + c->place[k].at);
        memcpy(c->text.at + c->place[k].text, number, PLACE_WIDTH);
    }
}

static TmlStatus send_blocks(TmlContainer *c, TmlPutFn put, void *user, TmlError *err)
{
    char portion[PORTION];
    if (fflush(c->blocks) != 0 || fseeko(c->blocks, 0, SEEK_SET) != 0) {
        return cannot_write(err);
    }
    for (int64_t left = c->size; left > 0;) {
        const size_t n = left < PORTION ? (size_t)left : PORTION;
        if (fread(portion, 1, n, c->blocks) != n) {
            return tml_fail(err, TML_E_IO, "cannot read a temporary file: %s", strerror(errno));
        }
        if (!put(user, portion, n)) {
            return tml_fail(err, TML_E_IO, "the data could not be handed over: %s",
                            strerror(errno));
        }
        left -= (int64_t)n;
    }
    return TML_OK;
}

TmlStatus tml_container_send(TmlContainer *c, TmlPutFn put, void *user, TmlError *err)
{
    static const char zeros[8] = {0};
    if (c->text.failed) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the header");
    }
    uint8_t head[HEAD] = {0};
    const uint32_t length = (uint32_t)c->text.n;
    const size_t rest = (size_t)(-(HEAD + c->text.n) & 7);
    memcpy(head, magic, sizeof magic);
    for (int k = 0; k < 4; ++k) {
        head[8 + k] = (uint8_t)(length >> (8 * k));
    }
    place_blocks(c, HEAD + (int64_t)length + (int64_t)rest);
    if (!put(user, head, HEAD) || !put(user, c->text.at, length) || !put(user, zeros, rest)) {
        return tml_fail(err, TML_E_IO, "the data could not be handed over: %s", strerror(errno));
    }
    return send_blocks(c, put, user, err);
}
