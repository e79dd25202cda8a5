/* io/file/dump.c - write what a failed run needs to be repeated, see dump.h. */
#include "io/file/dump.h"

#include "analysis/driver/sim_facts.h"
#include "base/fail.h"
#include "base/input.h"
#include "io/load/load.h"
#include "io/text/json.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TmlStatus tml_dump_sum(const char *path, uint64_t *sum, int64_t *bytes, TmlError *err)
{
    char *text;
    size_t n = 0;
    TML_TRY(tml_input_read(path, &text, &n, err)); // a stranger's dump may name a pipe
    *sum = 14695981039346656037u;
    for (size_t k = 0; k < n; ++k) {
        *sum = (*sum ^ (unsigned char)text[k]) * 1099511628211u;
    }
    *bytes = (int64_t)n;
    tml_mem_free(text);
    return TML_OK;
}

/* --- the model -------------------------------------------------------------------------------- */

/* A path that means the same from any folder. The parts that includes add to it stay as they are.
 */
static TmlStatus absolute(const char *path, char *out, size_t size, TmlError *err)
{
    char here[2048] = "";
    if (path[0] != '/' && getcwd(here, sizeof here) == NULL) {
        return tml_fail(err, TML_E_IO, "'%s': cannot determine the working folder: %s", path,
                        strerror(errno));
    }
    snprintf(out, size, "%s%s%s", here, here[0] != '\0' ? "/" : "", path);
    return TML_OK;
}

/* Bytes of one UTF-8 character at c; 0: it is none. */
static int utf8_length(const unsigned char *c)
{
    const int n = c[0] < 0x80                   ? 1
                  : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                  : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                : 0;
    for (int k = 1; k < n; ++k) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

static bool is_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (*c != '\0') {
        const int n = utf8_length(c);
        if (n == 0) {
            return false;
        }
        c += n;
    }
    return true;
}

static TmlStatus write_named(TmlJson *j, const char *key, const char *path, TmlError *err)
{
    char full[4096], hex[32];
    uint64_t sum;
    int64_t bytes;
    TML_TRY(absolute(path, full, sizeof full, err));
    TML_TRY(tml_dump_sum(path, &sum, &bytes, err));
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)sum);
    tml_json_open(j, key, '{');
    tml_json_string(j, "path", full);
    tml_json_int(j, "bytes", bytes);
    tml_json_string(j, "fnv1a", hex);
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus write_files(TmlJson *j, const TmlModel *m, TmlError *err)
{
    char full[4096];
    TML_TRY(absolute(m->file, full, sizeof full, err));
    tml_json_string(j, "model", full);
    tml_json_open(j, "files", '[');
    for (int k = 0; k < m->sources.n; ++k) {
        const TmlSource *s = &m->sources.at[k];
        if (!is_utf8(s->text)) {
            TML_TRY(write_named(j, NULL, s->path, err));
            continue;
        }
        TML_TRY(absolute(s->path, full, sizeof full, err));
        tml_json_open(j, NULL, '{');
        tml_json_string(j, "path", full);
        tml_json_string(j, "text", s->text);
        tml_json_close(j);
    }
    tml_json_close(j);
    return TML_OK;
}

static bool is_source(const TmlModel *m, const char *path)
{
    for (int k = 0; k < m->sources.n; ++k) {
        if (strcmp(m->sources.at[k].path, path) == 0) {
            return true;
        }
    }
    return false;
}

static TmlStatus write_load(TmlJson *j, const TmlModel *m, const TmlLoadOptions *o, TmlError *err)
{
    tml_json_open(j, "data_files", '[');
    for (int k = 0; k < m->inputs.n; ++k) {
        if (!is_source(m, m->inputs.at[k])) {
            TML_TRY(write_named(j, NULL, m->inputs.at[k], err));
        }
    }
    tml_json_close(j);
    tml_json_open(j, "load", '{');
    tml_json_open(j, "set", '{');
    for (int k = 0; o != NULL && k < o->n; ++k) {
        if (o->texts != NULL && o->texts[k] != NULL) {
            tml_json_string(j, o->names[k], o->texts[k]);
        } else {
            tml_json_number(j, o->names[k], o->values[k]);
        }
    }
    tml_json_close(j);
    tml_json_open(j, "input", '{');
    for (int k = 0; o != NULL && k < o->n_inputs; ++k) {
        tml_json_string(j, o->input_name[k], o->input_value[k]);
    }
    tml_json_close(j);
    tml_json_open(j, "solid", '{');
    for (int k = 0; o != NULL && k < o->n_solids; ++k) {
        tml_json_string(j, o->solid_name[k], o->solid_file[k]);
    }
    tml_json_close(j);
    tml_json_open(j, "flex", '{');
    for (int k = 0; o != NULL && k < o->n_flex; ++k) {
        tml_json_string(j, o->flex_name[k], o->flex_file[k]);
    }
    tml_json_close(j);
    if (o != NULL && o->solids != NULL) {
        tml_json_string(j, "solids", o->solids);
    }
    TmlStatus status = TML_OK;
    if (o != NULL && o->user_library != NULL) {
        status = write_named(j, "user_library", o->user_library, err);
    }
    tml_json_close(j);
    return status;
}

/* --- the run ---------------------------------------------------------------------------------- */

static void write_run(TmlJson *j, const TmlSim *sim)
{
    const TmlSimOptions *o = tml_sim_options(sim);
    const char *key, *value;
    tml_json_open(j, "run", '{');
    tml_json_string(j, "integrator", tml_sim_integrator(sim));
    tml_json_string(j, "choice", tml_sim_choice(sim));
    tml_json_number(j, "tolerance", tml_sim_tolerance_used(sim));
    tml_json_number(j, "end_time", tml_sim_end_time(sim));
    tml_json_number(j, "output_step", tml_sim_output_step(sim));
    tml_json_number(j, "step", o->step);
    tml_json_number(j, "min_step", o->min_step);
    tml_json_number(j, "max_step", o->max_step);
    tml_json_number(j, "length_scale", o->length_scale);
    tml_json_open(j, "options", '{');
    for (int k = 0; tml_sim_option(sim, k, &key, &value); ++k) {
        tml_json_string(j, key, value);
    }
    tml_json_close(j);
    tml_json_close(j);
}

/* Numbers with all their digits, on one line. */
static void write_reals(TmlJson *j, const char *key, int n, const double *x)
{
    char number[TML_NUMBER_MAX];
    tml_json_raw(j, key, "[");
    for (int k = 0; k < n; ++k) {
        tml_textbuf_put(j->text, k > 0 ? ", " : "");
        tml_textbuf_put(j->text, isfinite(x[k]) ? tml_number_text(x[k], number) : "null");
    }
    tml_textbuf_put(j->text, "]");
}

static void write_past(TmlJson *j, const TmlImagePast *p, const char *name)
{
    const double head[] = {p->begun, p->next,    p->origin,         p->start,   p->first,
                           p->now,   p->largest, (double)p->n_mesh, p->longest, p->thinned};
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", name);
    write_reals(j, "head", (int)(sizeof head / sizeof head[0]), head);
    write_reals(j, "mesh_t", TML_PAST_MESH, p->mesh_t);
    write_reals(j, "mesh_y", TML_PAST_MESH, p->mesh_y);
    tml_json_open(j, "pieces", '[');
    for (int k = 0; k < p->n_pieces; ++k) {
        const TmlPiece *piece = &p->piece[k];
        double x[3 + TML_PAST_DEGREE + 1] = {piece->t0, piece->t1, (double)piece->n};
        memcpy(x + 3, piece->c, sizeof piece->c);
        write_reals(j, NULL, 3 + piece->n + 1, x);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void write_delays(TmlJson *j, const TmlSim *sim, const TmlImage *i)
{
    tml_json_open(j, "delays", '[');
    for (int k = 0; k < i->n_pasts; ++k) {
        const TmlImagePast past = tml_sim_image_past(sim, k);
        write_past(j, &past, tml_sim_model(sim)->delays.at[k].name);
    }
    tml_json_close(j);
    tml_json_open(j, "kinks", '[');
    for (int k = 0; k < i->n_kinks; ++k) {
        write_reals(j, NULL, 2, (const double[]){i->kink[k].t, i->kink[k].generation});
    }
    tml_json_close(j);
    tml_json_number(j, "landed", i->landed);
}

static void write_state(TmlJson *j, const TmlSim *sim)
{
    const TmlImage i = tml_sim_image(sim);
    tml_json_open(j, "state", '{');
    tml_json_number(j, "time", i.t);
    write_reals(j, "q", i.nq, i.q);
    write_reals(j, "v", i.nq, i.v);
    write_reals(j, "a", i.nq, i.a);
    write_reals(j, "lambda", i.m_all, i.lambda);
    write_reals(j, "X", i.nx, i.X);
    write_reals(j, "X_rate", i.nx, i.Xd);
    write_reals(j, "X_scales", i.n_scales, i.scale);
    tml_json_number(j, "X_acceleration", i.acceleration);
    write_reals(j, "V", i.nv, i.V);
    write_reals(j, "F", i.nf, i.F);
    write_reals(j, "memory", i.n_memory, i.memory);
    tml_json_open(j, "events", '[');
    for (int k = 0; k < i.n_events; ++k) {
        write_reals(j, NULL, 2, (const double[]){i.event[k].d, i.event[k].holds});
    }
    tml_json_close(j);
    write_delays(j, sim, &i);
    tml_json_close(j);
}

static TmlStatus fill(TmlJson *j, const TmlSim *sim, const TmlLoadOptions *load,
                      const char *message, TmlError *err)
{
    tml_json_open(j, NULL, '{');
    tml_json_int(j, "trammel_dump", TML_DUMP_VERSION);
    tml_json_string(j, "version", TML_VERSION);
    tml_json_string(j, "message", message);
    TML_TRY(write_files(j, tml_sim_model(sim), err));
    TML_TRY(write_load(j, tml_sim_model(sim), load, err));
    write_run(j, sim);
    write_state(j, sim);
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_dump_write(const char *path, const TmlSim *sim, const TmlLoadOptions *load,
                         const char *message, TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    char *json = NULL;
    if (tml_sim_model(sim)->file == NULL || tml_sim_model(sim)->sources.n == 0) {
        return tml_fail(err, TML_E_ARGUMENT, "a model that no file holds cannot be dumped");
    }
    if (tml_sim_model(sim)->more != NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a model with sections from elsewhere than its files cannot be dumped");
    }
    TmlStatus status = fill(&j, sim, load, message, err);
    status = status == TML_OK ? tml_textbuf_take(&text, &json, err) : status;
    status = status == TML_OK ? tml_file_write(path, json, strlen(json), err) : status;
    tml_textbuf_free(&text);
    tml_text_free(json);
    return status;
}
