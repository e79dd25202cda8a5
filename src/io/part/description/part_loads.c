/* io/part/description/part_loads.c - stiffening of a part: centrifugal, and load cases by name. */
#include "io/part/description/part_read.h"

#include "math/vec3.h"

static bool read_interface_key(TmlPartRead *p, TmlEntry *x, const char *key, int *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    const char *name = v != NULL ? tml_read_text(x, v, key) : NULL;
    *out = name != NULL ? tml_part_interface(p, x, v, name) : -1;
    return v == NULL || *out >= 0;
}

static bool read_vector_key(TmlEntry *x, const char *key, TmlVec3 *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    return v == NULL || tml_read_vec3(x, v, key, out);
}

static bool read_load(TmlPartRead *p, TmlEntry *x, TmlLoadCase *out)
{
    *out = (TmlLoadCase){.name = x->name};
    if (!tml_read_is_map(x, x->value, NULL)) {
        return false;
    }
    tml_read_keys(x, x->value, tml_keys_of_part_load, NULL, NULL);
    if (!read_interface_key(p, x, "interface", &out->interface) ||
        !read_interface_key(p, x, "held", &out->held) ||
        !read_vector_key(x, "acceleration", &out->acceleration) ||
        !read_vector_key(x, "force", &out->force) || !read_vector_key(x, "torque", &out->torque)) {
        return false;
    }
    const bool wrench =
        tml_value_find(x->value, "force") != NULL || tml_value_find(x->value, "torque") != NULL;
    if (wrench != (out->interface >= 0)) {
        tml_entry_error(x, NULL, "'interface' goes with 'force' and 'torque'");
        return false;
    }
    if (out->held >= 0 && p->o.interface[out->held].tie == TML_TIE_NODE &&
        p->fe.first[1] - p->fe.first[0] == 3) {
        tml_entry_error(x, tml_value_find(x->value, "held"),
                        "held: interface '%s' has no rotation and does not hold the part",
                        p->o.interface[out->held].name);
        return false;
    }
    return true;
}

void tml_part_read_stiffening(TmlPartRead *p)
{
    const TmlValue *v = tml_value_find(p->root, "stiffening");
    TmlEntry x = {.r = p->r, .kind = "stiffening", .value = v};
    if (v == NULL || !tml_read_is_map(&x, v, NULL)) {
        return;
    }
    tml_read_keys(&x, v, tml_keys_of_part_stiffening, NULL, NULL);
    if (p->fe.mesh == NULL) {
        tml_entry_error(&x, NULL, "matrices alone give no stresses; stiffening needs a mesh");
        return;
    }
    const TmlValue *centrifugal = tml_value_find(v, "centrifugal"),
                   *all = tml_value_find(v, "loads"), *shapes = tml_value_find(v, "shapes");
    p->o.centrifugal = true;
    if (centrifugal != NULL) {
        (void)tml_read_bool(&x, centrifugal, "centrifugal", &p->o.centrifugal);
    }
    if (shapes != NULL) {
        (void)tml_read_bool(&x, shapes, "shapes", &p->o.spin_shapes);
    }
    if (all == NULL || !tml_read_is_map(&x, all, "loads")) {
        return;
    }
    TmlLoadCase *load = tml_reader_alloc(p->r, (size_t)all->n, sizeof *load);
    for (int k = 0; k < all->n && load != NULL; ++k) {
        TmlEntry one = {.r = p->r,
                        .kind = "load",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        p->o.n_load_cases += read_load(p, &one, &load[p->o.n_load_cases]);
    }
    p->o.load_case = load;
}
