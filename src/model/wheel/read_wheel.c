/* model/wheel/read_wheel.c - the section `roads`, and what tyres name: roads and property files. */
#include "base/fail.h"
#include "base/input.h"
#include "model/read/read.h"
#include "model/wheel/road/road.h"
#include "model/wheel/tyre/pac2002.h"
#include "model/wheel/tyre/tir.h"

#include <math.h>
#include <string.h>

static const TmlRoadType *road_type(TmlEntry *x)
{
    enum { MOST = 32 };
    const char *known[MOST];
    int n;
    const TmlRoadType *const *all = tml_road_types(&n);
    const TmlValue *v = tml_value_find(x->value, "type");
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'type'; 'trammel help roads' lists them");
        return NULL;
    }
    const char *name = tml_read_text(x, v, "type");
    const TmlRoadType *type = name != NULL ? tml_road_type(name) : NULL;
    if (name != NULL && type == NULL) {
        for (int k = 0; k < n && k < MOST; ++k) {
            known[k] = all[k]->info.name;
        }
        tml_entry_unknown(x, v, "type of road", name, known, n < MOST ? n : MOST);
    }
    return type;
}

/* The file of a road that has one, beside the model. */
static TmlStatus read_file(TmlEntry *x, const TmlRoadType *type, void *data, TmlError *err)
{
    TmlModel *m = x->r->m;
    const TmlValue *file = tml_value_find(x->value, "file");
    const char *name =
        type->read_file != NULL && file != NULL ? tml_read_text(x, file, "file") : NULL;
    if (name == NULL) {
        return TML_OK;
    }
    const char *path = tml_input_beside(&m->arena, file->file, name);
    if (path == NULL || !tml_model_input_add(m, path)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    return type->read_file(data, path, &m->arena, err);
}

/* [from, to] of a key, increasing. */
static void read_range(TmlEntry *x, const char *key, double out[2])
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL && tml_read_numbers(x, v, key, 2, "[from, to]", out) && !(out[0] < out[1])) {
        tml_entry_expected(x, v, key, "[from, to], increasing");
    }
}

static void read_data(TmlEntry *x, TmlRoad *road)
{
    void *data = tml_reader_alloc(x->r, 1, road->type->info.data_size);
    TmlError err = {0};
    if (data == NULL) {
        return;
    }
    tml_read_table(x, road->type->info.params, 0, data);
    TmlStatus status = x->bad ? TML_OK : read_file(x, road->type, data, &err);
    if (!x->bad && status == TML_OK && road->type->check != NULL) {
        status = road->type->check(data, &err);
    }
    if (!x->bad && status == TML_OK && road->type->prepare != NULL) {
        status = road->type->prepare(data, &x->r->m->arena, &err);
    }
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, x->key, "%s", err.message);
    }
    road->data = data;
}

static void read_road(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlRoad *road = tml_reader_alloc(x->r, 1, sizeof *road);
    bool ok = true;
    (void)arg;
    if (road == NULL || !tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    for (int k = 0; k < m->roads.n; ++k) {
        if (strcmp(m->roads.at[k].name, x->name) == 0) {
            tml_entry_error(x, x->key, "there is already a road of this name");
            return;
        }
    }
    const TmlValue *position = tml_value_find(x->value, "position");
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    const TmlValue *friction = tml_value_find(x->value, "friction");
    const TmlValue *ends = tml_value_find(x->value, "ends");
    *road = (TmlRoad){.name = x->name,
                      .rotation = m3_identity(),
                      .friction = 1.0,
                      .x_range = {-HUGE_VAL, HUGE_VAL},
                      .y_range = {-HUGE_VAL, HUGE_VAL}};
    road->type = road_type(x);
    if (road->type != NULL) {
        tml_read_keys(x, x->value, tml_keys_road, NULL, road->type->info.params);
        read_data(x, road);
    }
    if (position != NULL) {
        tml_read_vec3(x, position, "position", &road->position);
    }
    if (rotation != NULL) {
        tml_read_rotation(x, rotation, "rotation", &road->rotation);
    }
    if (friction != NULL) {
        tml_read_ranged(x, friction, "friction", TML_NONNEGATIVE, "", &road->friction);
    }
    if (ends != NULL) {
        tml_read_choice(x, ends, "ends", "stop|go_on", &road->ends);
    }
    read_range(x, "x_range", road->x_range);
    read_range(x, "y_range", road->y_range);
    // the name stays known when the road is wrong
    const TmlNamedRoad named = {.name = x->name, .road = x->bad ? NULL : road};
    TML_LIST_ADD(m->roads, named, &ok);
    x->r->nomem |= !ok;
}

void tml_read_roads(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "road", NULL, read_road, NULL);
}

bool tml_read_road_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlRoad **out)
{
    const TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    for (int k = 0; name != NULL && k < m->roads.n; ++k) {
        if (strcmp(m->roads.at[k].name, name) == 0) {
            *out = m->roads.at[k].road;
            x->bad |= *out == NULL; // its own error is told already
            return *out != NULL;
        }
    }
    if (name != NULL) {
        tml_entry_unknown_name(x, v, "road", name, m->roads.at, m->roads.n, sizeof *m->roads.at);
    }
    return false;
}

/* Coefficients that are not zero and not read. */
static void warn_of_unread(TmlEntry *x, const TmlValue *v, const TmlTir *tir)
{
    enum { MOST = 4 };
    const char *names[MOST + 1];
    const int n = tml_pac2002_unread(tir, MOST + 1, names);
    if (n > 0) {
        tml_entry_warning(x, v,
                          "%s: %s%s%s%s%s%s%s%s: such coefficients are not read; the formulas are "
                          "those of version 5.2",
                          tir->path, names[0], n > 1 ? ", " : "", n > 1 ? names[1] : "",
                          n > 2 ? ", " : "", n > 2 ? names[2] : "", n > 3 ? ", " : "",
                          n > 3 ? names[3] : "", n > MOST ? " and others" : "");
    }
}

bool tml_read_tir_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlTir **out)
{
    TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    TmlError err = {0};
    if (name == NULL) {
        return false;
    }
    const char *path = tml_input_beside(&m->arena, v->file, name);
    if (path == NULL || !tml_model_input_add(m, path)) {
        x->r->nomem = true;
        return false;
    }
    const TmlStatus status = tml_tir_read(path, &m->arena, out, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, v, "%s: %s", what, err.message);
    } else {
        warn_of_unread(x, v, *out);
    }
    return status == TML_OK;
}
