/* io/results/hdf5_flexible.c - flexible bodies in a result file. */
#include "io/results/hdf5_flexible.h"

#include <string.h>

/* Forces and stresses carry newtons or pascals in their unit; the rest is deformation. */
static bool is_stress(const char *unit)
{
    return strchr(unit, 'N') != NULL || strstr(unit, "Pa") != NULL;
}

static int output_set(const TmlModel *model, int flexible, int output, const char **name,
                      const char **unit)
{
    (void)tml_model_flexible_output(model, flexible, output, name, unit);
    return is_stress(*unit) ? TML_H5_STRESS : TML_H5_STRAIN;
}

TmlStatus tml_h5_flexible_init(TmlH5FlexibleList *l, TmlArena *arena, const TmlSim *sim,
                               size_t *row_bytes, TmlError *err)
{
    const TmlModel *model = tml_sim_model(sim);
    size_t most = 1;
    l->n = tml_model_flexible_count(model);
    *row_bytes = 0;
    TML_NEW(arena, l->at, l->n);
    for (int k = 0; k < l->n; ++k) {
        TmlH5Flexible *f = &l->at[k];
        f->info = tml_model_flexible(model, k);
        f->samples = tml_flex_samples(model, k);
        for (int o = 0; o < f->info.outputs; ++o) {
            const char *name, *unit;
            f->columns[output_set(model, k, o, &name, &unit)]++;
        }
        f->size[TML_H5_NODES] = 3 * (size_t)f->info.nodes * (size_t)f->info.vectors;
        for (int s = TML_H5_STRAIN; s <= TML_H5_STRESS; ++s) {
            f->size[s] = (size_t)f->info.elements * (size_t)f->samples.n * (size_t)f->columns[s];
        }
        for (int s = 0; s < TML_H5_FLEX_SETS; ++s) {
            *row_bytes += f->size[s] * sizeof(double);
        }
        const size_t own = (size_t)f->samples.n * (size_t)f->info.outputs;
        most = own > most ? own : most;
    }
    TML_NEW(arena, l->value, most);
    return TML_OK;
}

/* --- creation ------------------------------------------------------------------------------ */

static TmlStatus attributes(hid_t group, const TmlModel *model, int k, const TmlH5Flexible *f,
                            TmlError *err)
{
    const char *vectors[4];
    for (int v = 0; v < f->info.vectors; ++v) {
        vectors[v] = tml_model_flexible_vector(model, k, v);
    }
    const char *section = f->info.patch          ? "plate"
                          : f->info.radius > 0.0 ? "circle"
                          : f->info.height > 0.0 ? "rectangle"
                                                 : "general";
    TML_TRY(tml_h5_attr_text(group, "name", tml_model_flexible_name(model, k), err));
    TML_TRY(tml_h5_attr_text(group, "type", f->info.type, err));
    TML_TRY(tml_h5_attr_text(group, "shape", f->info.patch ? "patch" : "line", err));
    TML_TRY(tml_h5_attr_text(group, "section", section, err));
    TML_TRY(tml_h5_attr_texts(group, "vectors", f->info.vectors, vectors, err));
    const struct {
        const char *name;
        double value;
    } number[] = {{"dim", f->info.dim},
                  {"elements_x", f->info.elements_x},
                  {"elements_y", f->info.elements_y},
                  {"height", f->info.height},
                  {"width", f->info.width},
                  {"radius", f->info.radius},
                  {"inner_radius", f->info.inner},
                  {"mass", f->info.mass}};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; ++i) {
        TML_TRY(tml_h5_attr_number(group, number[i].name, number[i].value, err));
    }
    return TML_OK;
}

/* What does not change: connectivity, points, weights. */
static TmlStatus fixed_sets(TmlArena *arena, hid_t group, const TmlModel *model, int k,
                            const TmlH5Flexible *f, TmlError *err)
{
    const size_t n_e = (size_t)f->info.elements, n_n = (size_t)f->info.element_nodes;
    const size_t n_p = (size_t)f->samples.n, n_v = n_n * (size_t)f->info.vectors;
    int32_t *node;
    double *weight;
    TML_NEW(arena, node, n_e * n_n);
    TML_NEW(arena, weight, n_e * n_p * n_v);
    for (size_t e = 0; e < n_e; ++e) {
        int32_t own[4];
        (void)tml_model_flexible_element(model, k, (int)e, own);
        memcpy(node + e * n_n, own, n_n * sizeof *own);
        tml_flex_sample_weights(model, k, (int)e, &f->samples, weight + e * n_p * n_v);
    }
    const hsize_t d_node[] = {n_e, n_n}, d_point[] = {n_p, 3}, d_weight[] = {n_e, n_p, n_v};
    TML_TRY(tml_h5_array(group, "elements", H5T_NATIVE_INT32, 2, d_node, node, err));
    TML_TRY(tml_h5_array(group, "points", H5T_NATIVE_DOUBLE, 2, d_point, f->samples.xi, err));
    return tml_h5_array(group, "weights", H5T_NATIVE_DOUBLE, 3, d_weight, weight, err);
}

/* Names and units of the columns of strain or stress. */
static TmlStatus column_names(hid_t id, const TmlModel *model, int k, int set, TmlError *err)
{
    enum { MOST = 64 };
    const char *names[MOST], *units[MOST], *name, *unit;
    int n = 0;
    for (int o = 0; n < MOST && tml_model_flexible_output(model, k, o, &name, &unit); ++o) {
        if (output_set(model, k, o, &name, &unit) == set) {
            names[n] = name;
            units[n++] = unit;
        }
    }
    TML_TRY(tml_h5_attr_texts(id, "columns", n, names, err));
    return tml_h5_attr_texts(id, "units", n, units, err);
}

static TmlStatus growing_sets(TmlArena *arena, hid_t group, const TmlModel *model, int k,
                              TmlH5Flexible *f, int capacity, hsize_t rows, TmlError *err)
{
    static const char *const names[TML_H5_FLEX_SETS] = {"nodes", "strain", "stress"};
    for (int s = 0; s < TML_H5_FLEX_SETS; ++s) {
        TmlH5Column *c = &f->column[s];
        if (f->size[s] == 0) {
            continue;
        }
        *c = (TmlH5Column){.memory = H5T_NATIVE_DOUBLE, .rank = 4};
        c->dim[1] = (hsize_t)(s == TML_H5_NODES ? f->info.nodes : f->info.elements);
        c->dim[2] = (hsize_t)(s == TML_H5_NODES ? f->info.vectors : f->samples.n);
        c->dim[3] = (hsize_t)(s == TML_H5_NODES ? 3 : f->columns[s]);
        TML_TRY(tml_h5_column_create(group, names[s], rows, c, err));
        if (s == TML_H5_NODES) {
            TML_TRY(tml_h5_attr_text(c->id, "unit", "m; gradients have none", err));
        } else {
            TML_TRY(column_names(c->id, model, k, s, err));
        }
        TML_NEW(arena, f->buffer[s], f->size[s] * (size_t)capacity);
    }
    return TML_OK;
}

static TmlStatus body_create(TmlH5Flexible *f, TmlArena *arena, hid_t parent, const TmlModel *model,
                             int k, int capacity, hsize_t rows, TmlError *err)
{
    char safe[TML_H5_NAME_MAX];
    hid_t group;
    TML_TRY(tml_h5_group(parent, tml_h5_safe_name(tml_model_flexible_name(model, k), safe), &group,
                         err));
    TmlStatus status = attributes(group, model, k, f, err);
    status = status == TML_OK ? fixed_sets(arena, group, model, k, f, err) : status;
    status =
        status == TML_OK ? growing_sets(arena, group, model, k, f, capacity, rows, err) : status;
    H5Gclose(group);
    return status;
}

TmlStatus tml_h5_flexible_create(TmlH5FlexibleList *l, TmlArena *arena, hid_t file,
                                 const TmlSim *sim, int capacity, hsize_t rows, TmlError *err)
{
    hid_t group;
    TmlStatus status = TML_OK;
    if (l->n == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_group(file, "flexible", &group, err));
    for (int k = 0; k < l->n && status == TML_OK; ++k) {
        status = body_create(&l->at[k], arena, group, tml_sim_model(sim), k, capacity, rows, err);
    }
    H5Gclose(group);
    return status;
}

void tml_h5_flexible_close(TmlH5FlexibleList *l)
{
    for (int k = 0; k < l->n; ++k) {
        for (int s = 0; s < TML_H5_FLEX_SETS; ++s) {
            if (l->at[k].column[s].id > 0) {
                H5Dclose(l->at[k].column[s].id);
            }
        }
    }
}

/* --- rows ---------------------------------------------------------------------------------- */

static void fill_nodes(const TmlH5Flexible *f, int k, int row, const TmlSim *sim)
{
    double *to = f->buffer[TML_H5_NODES] + (size_t)row * f->size[TML_H5_NODES];
    for (int n = 0; n < f->info.nodes; ++n) {
        for (int v = 0; v < f->info.vectors; ++v, to += 3) {
            const TmlVec3 x = tml_row_node(sim, k, n, v);
            to[0] = x.x;
            to[1] = x.y;
            to[2] = x.z;
        }
    }
}

static void fill_outputs(const TmlH5FlexibleList *l, int k, int row, const TmlSim *sim)
{
    const TmlH5Flexible *f = &l->at[k];
    double *to[TML_H5_FLEX_SETS] = {NULL};
    for (int s = TML_H5_STRAIN; s <= TML_H5_STRESS; ++s) {
        to[s] = f->size[s] > 0 ? f->buffer[s] + (size_t)row * f->size[s] : NULL;
    }
    for (int e = 0; e < f->info.elements; ++e) {
        const double *value = l->value;
        tml_flex_sample_outputs(sim, k, e, &f->samples, l->value);
        for (int p = 0; p < f->samples.n; ++p) {
            for (int o = 0; o < f->info.outputs; ++o) {
                const char *name, *unit;
                *to[output_set(tml_sim_model(sim), k, o, &name, &unit)]++ = *value++;
            }
        }
    }
}

void tml_h5_flexible_fill(const TmlH5FlexibleList *l, int row, const TmlSim *sim)
{
    for (int k = 0; k < l->n; ++k) {
        fill_nodes(&l->at[k], k, row, sim);
        if (l->at[k].info.outputs > 0) {
            fill_outputs(l, k, row, sim);
        }
    }
}

TmlStatus tml_h5_flexible_write(TmlH5FlexibleList *l, hsize_t first, hsize_t n, TmlError *err)
{
    for (int k = 0; k < l->n; ++k) {
        TmlH5Flexible *f = &l->at[k];
        for (int s = 0; s < TML_H5_FLEX_SETS; ++s) {
            if (f->size[s] > 0) {
                TML_TRY(tml_h5_column_write(&f->column[s], first, n, f->buffer[s], err));
            }
        }
    }
    return TML_OK;
}
