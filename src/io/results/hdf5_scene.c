/* io/results/hdf5_scene.c - what a report needs besides rows, in a result file. */
#include "io/results/hdf5_scene.h"

#include "analysis/driver/sim_facts.h"
#include "io/export/summary.h"
#include "io/report/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the command ---------------------------------------------------------------------------- */

/* A word of a shell command: in quotes when it has characters that mean something there. */
static void put_word(TmlTextBuf *b, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        tml_textbuf_put(b, word);
        return;
    }
    tml_textbuf_put(b, "'");
    for (const char *c = word; *c != '\0'; ++c) {
        tml_textbuf_put(b, *c == '\'' ? "'\\''" : (const char[]){*c, '\0'});
    }
    tml_textbuf_put(b, "'");
}

static void put_option(TmlTextBuf *b, const char *option, const char *value)
{
    tml_textbuf_add(b, " --%s ", option);
    put_word(b, value);
}

static void put_pair(TmlTextBuf *b, const char *option, const char *key, const char *value)
{
    TmlTextBuf pair = {0};
    tml_textbuf_add(&pair, "%s=%s", key, value);
    put_option(b, option, pair.at != NULL ? pair.at : "");
    b->failed |= pair.failed;
    tml_textbuf_free(&pair);
}

static void put_number(TmlTextBuf *b, const char *option, double value)
{
    char number[TML_NUMBER_MAX];
    if (isfinite(value) && value > 0.0) {
        put_option(b, option, tml_number_short(value, number));
    }
}

static void put_path(TmlTextBuf *b, const TmlModel *m, const TmlPathAsked *path)
{
    char range[2 * TML_NUMBER_MAX + 2], from[TML_NUMBER_MAX], to[TML_NUMBER_MAX];
    snprintf(range, sizeof range, "%s:%s", tml_number_short(path->from, from),
             tml_number_short(path->to, to));
    put_pair(b, "path", m->followed != NULL ? m->followed : "time", range);
    put_number(b, "path-step", path->step);
}

/* The command line that makes this run again. */
static void put_command(TmlTextBuf *b, const TmlSim *sim)
{
    const TmlModel *m = tml_sim_model(sim);
    const double step = tml_sim_options(sim)->step;
    TmlPathAsked path;
    const bool on_path = tml_sim_path_asked(sim, &path);
    const char *key, *value;
    char number[TML_NUMBER_MAX];
    tml_textbuf_put(b, on_path ? "trammel statics " : "trammel run ");
    put_word(b, m->file != NULL ? m->file : "MODEL");
    for (int k = 0; k < m->overrides.n; ++k) {
        put_pair(b, "set", m->overrides.at[k].name,
                 tml_number_short(m->overrides.at[k].value, number));
    }
    if (on_path) {
        put_path(b, m, &path);
        return;
    }
    put_option(b, "integrator", tml_sim_choice(sim) != NULL ? "auto" : tml_sim_integrator(sim));
    put_number(b, step > 0.0 ? "step" : "tol", step > 0.0 ? step : tml_sim_tolerance(sim));
    put_number(b, "end", tml_sim_end_time(sim));
    put_number(b, "output-step", tml_sim_output_step(sim));
    for (int k = 0; tml_sim_option(sim, k, &key, &value); ++k) {
        put_pair(b, "option", key, value);
    }
}

static TmlStatus command_create(hid_t file, const TmlSim *sim, TmlError *err)
{
    TmlTextBuf text = {0};
    char *command = NULL;
    put_command(&text, sim);
    TML_TRY(tml_textbuf_take(&text, &command, err));
    const TmlStatus status = tml_h5_attr_text(file, "command", command, err);
    tml_mem_free(command);
    return status;
}

/* --- scene and meshes ------------------------------------------------------------------------ */

static TmlStatus mesh_create(hid_t parent, int k, const TmlSceneMesh *mesh, TmlError *err)
{
    const TmlTriangles *t = &mesh->triangles;
    const hsize_t d_vertex[] = {(hsize_t)t->n_vertices, 3};
    const hsize_t d_triangle[] = {(hsize_t)t->n_triangles, 3};
    char name[16];
    hid_t group;
    snprintf(name, sizeof name, "%d", k);
    TML_TRY(tml_h5_group(parent, name, &group, err));
    TmlStatus status = tml_h5_attr_text(group, "file", mesh->file, err);
    if (status == TML_OK) {
        status = tml_h5_array(group, "vertices", H5T_NATIVE_FLOAT, 2, d_vertex, t->vertex, err);
    }
    if (status == TML_OK) {
        status =
            tml_h5_array(group, "triangles", H5T_NATIVE_INT32, 2, d_triangle, t->triangle, err);
    }
    H5Gclose(group);
    return status;
}

static TmlStatus scene_create(hid_t file, const TmlScene *s, TmlError *err)
{
    hid_t group;
    TML_TRY(tml_h5_cell_create(file, "scene", (size_t)s->text.n, s->text.at, err));
    if (s->n_meshes == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "meshes", &group, err));
    TmlStatus status = TML_OK;
    for (int k = 0; k < s->n_meshes && status == TML_OK; ++k) {
        status = mesh_create(group, k, &s->mesh[k], err);
    }
    H5Gclose(group);
    return status;
}

TmlStatus tml_h5_scene_create(hid_t file, const TmlSim *sim, TmlError *err)
{
    TmlScene scene;
    TmlStatus status = tml_scene_build(&scene, sim, err);
    if (status == TML_OK) {
        status = scene_create(file, &scene, err);
    }
    tml_scene_free(&scene);
    TML_TRY(status);
    TML_TRY(command_create(file, sim, err));
    return tml_h5_cell_create(file, "statistics", TML_H5_STATISTICS, "", err);
}

TmlStatus tml_h5_statistics_write(hid_t file, const TmlSim *sim, TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text, .compact = true};
    char *json = NULL;
    const TmlSimStats stats = tml_sim_stats(sim);
    tml_json_stats(&j, NULL, &stats);
    TML_TRY(tml_textbuf_take(&text, &json, err));
    const TmlStatus status = tml_h5_cell_write(file, "statistics", json, err);
    tml_mem_free(json);
    return status;
}
