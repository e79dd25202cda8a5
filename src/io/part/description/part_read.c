/* io/part/description/part_read.c - the description of a part (PART.yaml): what becomes of it. */
#include "io/part/description/part_read.h"

#include "base/input.h"
#include "io/load/yaml.h"
#include "math/vec3.h"

#include <string.h>

static const double default_ratio = 0.01; // damping that nobody asked for, but all parts have
enum { DEFAULT_COUNT = 20 };              // modes

/* --- modes and damping -------------------------------------------------------------------------- */

static void read_modes(TmlPartRead *p)
{
    const TmlValue *section = tml_value_find(p->root, "modes");
    TmlEntry x = {.r = p->r, .kind = "modes", .value = section};
    TmlReduction *how = &p->o.reduction;
    *how = (TmlReduction){.count = DEFAULT_COUNT, .hertz = (double)INFINITY};
    if (section == NULL) {
        return;
    }
    if (section->kind == TML_VALUE_SCALAR) { // the number alone
        if (tml_read_int(&x, section, "modes", &how->count) && how->count < 0) {
            tml_entry_error(&x, section, "modes: the number must not be negative");
        }
        return;
    }
    if (!tml_read_is_map(&x, section, NULL)) {
        return;
    }
    tml_read_keys(&x, section, tml_keys_of_part_modes, NULL, NULL);
    const TmlValue *method = tml_value_find(section, "method");
    const TmlValue *count = tml_value_find(section, "count");
    const TmlValue *hertz = tml_value_find(section, "up_to");
    const TmlValue *effective = tml_value_find(section, "effective_mass");
    int word = 0;
    if (method != NULL && tml_read_choice(&x, method, "method", "craig_bampton|herting", &word)) {
        how->method = word == 1 ? TML_HERTING : TML_CRAIG_BAMPTON;
    }
    if (hertz != NULL && tml_read_ranged(&x, hertz, "up_to", TML_POSITIVE, "Hz", &how->hertz)) {
        how->count = -1;
    }
    if (count != NULL && tml_read_int(&x, count, "count", &how->count) && how->count < 0) {
        tml_entry_error(&x, count, "count: the number must not be negative");
    }
    if (effective != NULL) {
        (void)tml_read_ranged(&x, effective, "effective_mass", TML_FRACTION, "", &how->effective);
    }
}

static void read_damping_table(TmlEntry *x, const TmlValue *v, TmlDamping *out)
{
    if (v->kind != TML_VALUE_LIST || v->n < 2) {
        tml_entry_expected(x, v, "table", "two or more pairs of frequency and ratio");
        return;
    }
    double *hertz = tml_reader_alloc(x->r, (size_t)v->n, sizeof *hertz);
    double *ratio = tml_reader_alloc(x->r, (size_t)v->n, sizeof *ratio);
    for (int k = 0; k < v->n && hertz != NULL && ratio != NULL; ++k) {
        double pair[2] = {0};
        if (!tml_read_numbers(x, v->item[k], "table", 2, "a pair of frequency and ratio", pair)) {
            return;
        }
        hertz[k] = pair[0];
        ratio[k] = pair[1];
        if ((k > 0 && !(hertz[k] > hertz[k - 1])) || !(ratio[k] >= 0.0)) {
            tml_entry_error(x, v->item[k], "table: frequencies must rise, ratios not be negative");
            return;
        }
    }
    out->n = v->n;
    out->hertz = hertz;
    out->ratio = ratio;
}

static void set_ratio(TmlPartRead *p, double value)
{
    double *ratio = tml_reader_alloc(p->r, 1, sizeof *ratio);
    if (ratio != NULL) {
        *ratio = value;
        p->o.damping = (TmlDamping){.n = 1, .ratio = ratio};
    }
}

static void read_damping(TmlPartRead *p)
{
    const TmlValue *v = tml_value_find(p->root, "damping");
    TmlEntry x = {.r = p->r, .kind = "damping", .value = v};
    double value = default_ratio;
    p->default_damping = v == NULL;
    if (v == NULL || v->kind == TML_VALUE_SCALAR) {
        if (v == NULL || tml_read_ranged(&x, v, "damping", TML_NONNEGATIVE, "", &value)) {
            set_ratio(p, value);
        }
        return;
    }
    if (!tml_read_is_map(&x, v, NULL)) {
        return;
    }
    tml_read_keys(&x, v, tml_keys_of_part_damping, NULL, NULL);
    const TmlValue *ratio = tml_value_find(v, "ratio"), *table = tml_value_find(v, "table");
    const TmlValue *mass = tml_value_find(v, "mass"), *stiffness = tml_value_find(v, "stiffness");
    const bool rayleigh = mass != NULL || stiffness != NULL;
    if ((ratio != NULL) + (table != NULL) + rayleigh != 1) {
        tml_entry_error(&x, NULL, "expected 'ratio', or 'table', or 'mass' and 'stiffness'");
    } else if (table != NULL) {
        read_damping_table(&x, table, &p->o.damping);
    } else if (ratio != NULL && tml_read_ranged(&x, ratio, "ratio", TML_NONNEGATIVE, "", &value)) {
        set_ratio(p, value);
    } else if (rayleigh) {
        TmlDamping *d = &p->o.damping;
        d->rayleigh = true;
        if (mass != NULL) {
            (void)tml_read_ranged(&x, mass, "mass", TML_NONNEGATIVE, "1/s", &d->mass);
        }
        if (stiffness != NULL) {
            (void)tml_read_ranged(&x, stiffness, "stiffness", TML_NONNEGATIVE, "s", &d->stiffness);
        }
    }
}

/* --- what else is kept -------------------------------------------------------------------------- */

static void read_frame(TmlPartRead *p)
{
    const TmlValue *v = tml_value_find(p->root, "frame");
    TmlEntry x = {.r = p->r, .value = p->root};
    p->o.frame = -1;
    const char *name = v != NULL ? tml_read_text(&x, v, "frame") : NULL;
    if (name != NULL && strcmp(name, "mean") != 0) {
        p->o.frame = tml_part_interface(p, &x, v, name);
    }
}

/* A node that models can name: its number, or {node, load}. */
static bool read_kept(TmlPartRead *p, TmlEntry *x, TmlKeptNode *out, bool *loaded)
{
    const TmlValue *v = x->value;
    int number = 0;
    *loaded = false;
    if (v->kind == TML_VALUE_MAP) {
        tml_read_keys(x, v, tml_keys_of_part_kept, NULL, NULL);
        const TmlValue *load = tml_value_find(v, "load");
        if (load != NULL && !tml_read_bool(x, load, "load", loaded)) {
            return false;
        }
        v = tml_value_find(v, "node");
        if (v == NULL) {
            tml_entry_error(x, NULL, "missing key 'node': its number");
            return false;
        }
    }
    if (!tml_read_int(x, v, "node", &number)) {
        return false;
    }
    const int node = tml_part_node(p, x, v, "node", number);
    *out = (TmlKeptNode){x->name, node};
    return node >= 0;
}

static void read_all_kept(TmlPartRead *p)
{
    const TmlValue *all = tml_value_find(p->root, "keep");
    TmlEntry x = {.r = p->r, .kind = "keep", .value = all};
    if (all == NULL || !tml_read_is_map(&x, all, NULL)) {
        return;
    }
    TmlKeptNode *kept = tml_reader_alloc(p->r, (size_t)all->n, sizeof *kept);
    TmlUnitLoad *load = tml_reader_alloc(p->r, 3 * (size_t)all->n, sizeof *load);
    for (int k = 0; k < all->n && kept != NULL && load != NULL; ++k) {
        TmlEntry one = {.r = p->r,
                        .kind = "node",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        bool loaded = false;
        if (!read_kept(p, &one, &kept[p->o.n_kept], &loaded)) {
            continue;
        }
        for (int f = 0; f < p->o.n_interfaces; ++f) {
            if (strcmp(p->o.interface[f].name, one.name) == 0) {
                tml_entry_error(&one, one.key, "an interface has that name");
            }
        }
        for (int c = 0; c < 3 && loaded; ++c) {
            load[p->o.reduction.n_loads++] = (TmlUnitLoad){kept[p->o.n_kept].node, c};
        }
        p->o.n_kept++;
    }
    p->o.kept = kept;
    p->o.reduction.load = load;
}

/* Which nodes stay in the part, and whether with stresses. */
static void read_nodes(TmlPartRead *p)
{
    TmlEntry x = {.r = p->r, .value = p->root};
    const TmlValue *nodes = tml_value_find(p->root, "nodes");
    const TmlValue *stresses = tml_value_find(p->root, "stresses");
    int word = 0;
    p->o.nodes.stresses = true;
    if (nodes != NULL && tml_read_choice(&x, nodes, "nodes", "surface|all", &word)) {
        p->o.nodes.all = word == 1;
    }
    if (stresses != NULL) {
        (void)tml_read_bool(&x, stresses, "stresses", &p->o.nodes.stresses);
    }
}

/* --- the document ------------------------------------------------------------------------------- */

static TmlStatus read_text(TmlPartRead *p, const char *path, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    TmlValue *root = NULL;
    TML_TRY(tml_input_read_any(path, &text, &length, err));
    const char *name = tml_arena_strdup(&p->m->arena, path);
    const TmlStatus status =
        name != NULL ? tml_yaml_parse(text, length, name, &p->m->arena, &p->r->report, &root, err)
                     : tml_fail(err, TML_E_NOMEM, "out of memory");
    tml_mem_free(text);
    TML_TRY(status);
    TML_TRY(tml_report_status(&p->r->report, err));
    if (root == NULL || root->kind != TML_VALUE_MAP) {
        return tml_fail(err, TML_E_MODEL, "%s: expected a map (part, mesh, interfaces, ...)", path);
    }
    p->root = root;
    return TML_OK;
}

static void read_head(TmlPartRead *p)
{
    TmlEntry x = {.r = p->r, .value = p->root};
    tml_read_keys(&x, p->root, tml_keys_of_part, NULL, NULL);
    const TmlValue *name = tml_value_find(p->root, "part");
    if (name == NULL) {
        tml_entry_error(&x, NULL, "missing key 'part': its name");
        return;
    }
    p->o.name = tml_read_text(&x, name, "part");
}

/* Pieces of a mesh that neither a node nor a rigid tie holds together. */
static TmlStatus check_pieces(TmlPartRead *p, TmlError *err)
{
    int n = 0;
    if (p->fe.mesh == NULL) {
        return TML_OK;
    }
    TmlFeSet *ties = tml_reader_alloc(p->r, (size_t)p->o.n_interfaces + 1, sizeof *ties);
    int(*pair)[2] = tml_reader_alloc(p->r, (size_t)p->o.n_interfaces + 1, sizeof *pair);
    if (ties == NULL || pair == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < p->o.n_interfaces; ++k) {
        const TmlInterface *i = &p->o.interface[k];
        if (i->tie == TML_TIE_RIGID) {
            ties[n++] = (TmlFeSet){.name = i->name, .n = i->n, .at = i->node};
        } else if (i->follows && i->n > 0) {
            pair[k][0] = i->follower;
            pair[k][1] = i->node[0];
            ties[n++] = (TmlFeSet){.name = i->name, .n = 2, .at = pair[k]};
        }
    }
    return tml_fe_check_pieces(&p->mesh, n, ties, err);
}

static TmlStatus read_all(TmlPartRead *p, const char *path, const TmlOverrides *given,
                          TmlError *err)
{
    TML_TRY(tml_model_create(&p->m, err));
    p->r = p->m->reader;
    TML_TRY(read_text(p, path, err));
    tml_read_parameters(p->r, tml_value_find(p->root, "parameters"), given);
    TML_TRY(tml_report_status(&p->r->report, err));
    TML_TRY(tml_part_read_source(p, err));
    read_head(p);
    read_modes(p);
    read_damping(p);
    if (p->fe.n_nodes == 0) {
        return tml_report_status(&p->r->report, err); // without nodes all else would be wrong, too
    }
    tml_part_read_interfaces(p);
    read_frame(p);
    read_all_kept(p);
    read_nodes(p);
    tml_part_read_stiffening(p);
    tml_part_read_loads(p);
    if (p->r->nomem) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_report_status(&p->r->report, err));
    return check_pieces(p, err);
}

TmlStatus tml_part_read_file(const char *path, const TmlOverrides *given, TmlPartRead *out,
                             TmlError *err)
{
    *out = (TmlPartRead){0};
    return read_all(out, path, given, err);
}

void tml_part_read_free(TmlPartRead *p)
{
    tml_fe_matrices_free(&p->fe);
    tml_fe_mesh_free(&p->mesh);
    tml_model_free(p->m);
    *p = (TmlPartRead){0};
}
