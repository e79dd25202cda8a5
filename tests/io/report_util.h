/* tests/io/report_util.h - runs with a result file, and reports taken apart again.
 *
 * The decoder is written from docs/develop/report_format.md alone.
 */
#pragma once

#include "test.h"

#include "base/arena.h"
#include "io/load/yaml.h"
#include "trammel/trammel.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PATH_SIZE = 512 };

static const char test_page[] = "<!doctype html><title>t</title><body><!--TRAMMEL-DATA-->"
                                "<script>0</script></body>";

/* --- a folder with a page -------------------------------------------------------------------- */

typedef struct Folder {
    char path[PATH_SIZE - 64];
    TmlReportOptions options;
    char page[PATH_SIZE];
} Folder;

static inline void write_bytes(const char *path, const void *data, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(data, 1, n, file);
        fclose(file);
    }
}

static inline void folder_open(TestCtx *t, Folder *f)
{
    snprintf(f->path, sizeof f->path, "%s/report-XXXXXX", test_binary_dir());
    CHECK(t, mkdtemp(f->path) != NULL);
    snprintf(f->page, sizeof f->page, "%s/page.html", f->path);
    write_bytes(f->page, test_page, strlen(test_page));
    f->options = tml_report_options_default();
    f->options.viewer = f->page;
}

static inline const char *in_folder(const Folder *f, const char *name)
{
    static char path[4][PATH_SIZE];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], PATH_SIZE, "%s/%s", f->path, name);
    return path[next];
}

static inline void folder_close(Folder *f)
{
    static const char *const names[] = {"page.html", "a.h5",     "a.html",     "b.h5", "b.html",
                                        "part.stl",  "part.obj", "model.yaml", NULL};
    for (const char *const *n = names; *n != NULL; ++n) {
        unlink(in_folder(f, *n));
    }
    rmdir(f->path);
}

/* --- a run ----------------------------------------------------------------------------------- */

typedef struct RunRows {
    TmlWriter *writer;
    void (*row)(void *user, const TmlSim *sim); /* NULL: nothing more */
    void *user;
} RunRows;

static inline TmlStatus run_row(void *user, const TmlSim *sim, TmlError *err)
{
    RunRows *r = user;
    if (r->row != NULL) {
        r->row(r->user, sim);
    }
    return tml_writer_row(r->writer, sim, err);
}

/* Run a model text into a.h5. */
static inline void run_text(TestCtx *t, const Folder *f, const char *text,
                            const TmlSimOptions *options,
                            void (*row)(void *user, const TmlSim *sim), void *user)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    RunRows rows = {.row = row, .user = user};
    TmlSimOptions o = options != NULL ? *options : tml_sim_options_default();
    o.record_solver = true;
    CHECK_OK(t, tml_load_text(text, "bench.yaml", 0, NULL, NULL, &model, &err), &err);
    if (model != NULL) {
        CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    }
    if (sim != NULL) {
        CHECK_OK(t, tml_writer_open(in_folder(f, "a.h5"), sim, &rows.writer, &err), &err);
        CHECK_OK(t, tml_sim_run(sim, run_row, &rows, &err), &err);
        CHECK_OK(t, tml_writer_close(rows.writer, sim, &err), &err);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- a report taken apart -------------------------------------------------------------------- */

typedef struct Report {
    TmlArena arena;
    char *html;
    uint8_t *data;
    size_t n;
    const TmlValue *header;
} Report;

static inline int letter_value(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(letters, c) : NULL;
    return at != NULL ? (int)(at - letters) : -1;
}

static inline size_t decode_base64(const char *from, const char *end, uint8_t *to)
{
    size_t n = 0;
    for (; from + 3 < end; from += 4) {
        unsigned v = 0;
        int letters = 0;
        for (int k = 0; k < 4; ++k) {
            const int value = letter_value(from[k]);
            letters += value >= 0;
            v = v << 6 | (unsigned)(value >= 0 ? value : 0);
        }
        for (int k = 0; k < letters - 1; ++k) {
            to[n++] = (uint8_t)(v >> (16 - 8 * k));
        }
    }
    return n;
}

static inline bool report_parse(TestCtx *t, Report *r)
{
    uint32_t length = 0;
    TmlReport errors = {.arena = &r->arena, .limit = 5};
    TmlValue *header = NULL;
    TmlError err = {0};
    CHECK(t, r->n > 16 && memcmp(r->data, "TMLREP01", 8) == 0);
    if (r->n <= 16) {
        return false;
    }
    memcpy(&length, r->data + 8, 4);
    CHECK(t, 16 + (size_t)length <= r->n);
    CHECK_OK(t,
             tml_yaml_parse((const char *)r->data + 16, length, "header", &r->arena, &errors,
                            &header, &err),
             &err);
    CHECK(t, header != NULL);
    r->header = header;
    return header != NULL;
}

static inline bool report_open(TestCtx *t, Report *r, const char *path)
{
    static const char head[] = "<script id=\"trammel-data\" type=\"text/plain\">";
    struct stat info;
    *r = (Report){0};
    FILE *file = fopen(path, "rb");
    CHECK(t, file != NULL && stat(path, &info) == 0);
    if (file == NULL) {
        return false;
    }
    r->html = calloc(1, (size_t)info.st_size + 1);
    CHECK(t, fread(r->html, 1, (size_t)info.st_size, file) == (size_t)info.st_size);
    fclose(file);
    char *from = strstr(r->html, head);
    char *end = from != NULL ? strstr(from, "</script>") : NULL;
    CHECK(t, end != NULL);
    if (end == NULL) {
        return false;
    }
    r->data = malloc((size_t)info.st_size);
    r->n = decode_base64(from + strlen(head), end, r->data);
    return report_parse(t, r);
}

static inline void report_close(Report *r)
{
    free(r->html);
    free(r->data);
    tml_arena_free(&r->arena);
}

/* "scene.bodies.1.name": keys and numbers of entries. NULL: not there. */
static inline const TmlValue *find(const TmlValue *v, const char *path)
{
    while (v != NULL && path[0] != '\0') {
        char key[128];
        const size_t n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        if (v->kind == TML_VALUE_LIST) {
            const int k = atoi(key);
            v = k < v->n ? v->item[k] : NULL;
        } else {
            v = tml_value_find(v, key);
        }
        path += n + (path[n] == '.');
    }
    return v;
}

static inline double number_at(const TmlValue *v, const char *path)
{
    const TmlValue *found = find(v, path);
    return found != NULL && found->kind == TML_VALUE_SCALAR ? strtod(found->text, NULL)
                                                            : (double)NAN;
}

static inline const char *text_at(const TmlValue *v, const char *path)
{
    const TmlValue *found = find(v, path);
    return found != NULL && found->kind == TML_VALUE_SCALAR ? found->text : "";
}

static inline bool flag_at(const TmlValue *v, const char *path)
{
    return strcmp(text_at(v, path), "true") == 0;
}

/* Values of a block as doubles; *rows: its first axis. The caller frees them. */
static inline double *block_read(TestCtx *t, const Report *r, const TmlValue *b, int *rows,
                                 int *columns)
{
    const TmlValue *shape = find(b, "shape");
    const char *type = text_at(b, "type");
    const size_t size = strcmp(type, "f64") == 0 ? 8 : strcmp(type, "u8") == 0 ? 1 : 4;
    const size_t at = (size_t)number_at(b, "at"), bytes = (size_t)number_at(b, "bytes");
    *rows = shape != NULL && shape->n > 0 ? (int)number_at(shape, "0") : 0;
    *columns = 1;
    for (int k = 1; shape != NULL && k < shape->n; ++k) {
        *columns *= atoi(shape->item[k]->text);
    }
    const size_t n = (size_t)*rows * (size_t)*columns;
    uint8_t *raw = calloc(n + 1, size);
    double *out = calloc(n + 1, sizeof *out);
    uLongf length = (uLongf)(n * size);
    CHECK(t, at % 8 == 0 && at + bytes <= r->n);
    CHECK_STR(t, text_at(b, "codec"), "deflate");
    CHECK_INT(t, uncompress(raw, &length, r->data + at, bytes), Z_OK);
    CHECK_INT(t, length, n * size);
    const double scale = find(b, "scale") != NULL ? number_at(b, "scale") : 1.0;
    int32_t *sum = calloc((size_t)*columns + 1, sizeof *sum);
    for (size_t k = 0; k < n; ++k) {
        uint8_t value[8] = {0};
        for (size_t p = 0; p < size; ++p) {
            value[p] = size > 1 && flag_at(b, "shuffle") ? raw[p * n + k] : raw[k * size + p];
        }
        if (strcmp(type, "f64") == 0) {
            memcpy(&out[k], value, 8);
        } else if (strcmp(type, "f32") == 0) {
            float x;
            memcpy(&x, value, 4);
            out[k] = (double)x;
        } else if (strcmp(type, "i32") == 0) {
            int32_t x;
            memcpy(&x, value, 4);
            if (flag_at(b, "delta")) {
                x = sum[k % (size_t)*columns] += x;
            }
            out[k] = scale * x;
        } else {
            out[k] = value[0];
        }
    }
    free(sum);
    free(raw);
    return out;
}
