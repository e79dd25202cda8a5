/* model/flexible/catenary/read_catenaries.c - the section `catenaries`: each entry becomes bodies, joints and forces.
 *
 * The shape at rest is that of the catenary alone: no pantograph touches it, nothing else pulls. It is found by statics on
 * a model of its own when the reader has somebody to do that; what was found are then lengths of droppers and
 * unstressed wires, and the place at which every node starts. Otherwise the lengths are variables that statics
 * adjusts when it is asked to.
 */
#include <string.h>

#include "model/flexible/catenary/catenary.h"

/* The catenary as a model of its own. */
static TmlStatus find_shape(TmlEntry *x, const TmlCatenaryPlan *plan, TmlRestShape *out,
                            TmlError *err)
{
    TmlModel *m = x->r->m;
    TmlArena *arena = &m->arena;
    TmlValue *root = tml_catenary_tree(x, plan, NULL);
    TmlValue *const g[] = {tml_value_real(arena, 0.0), tml_value_real(arena, 0.0),
                           tml_value_real(arena, m->gravity.z)};
    const bool ok = root != NULL &&
                    tml_value_set(arena, root, "trammel", tml_value_scalar(arena, "1")) &&
                    tml_value_set(arena, root, "gravity", tml_value_list(arena, 3, g));
    if (!ok) {
        err->status = TML_E_NOMEM;
        return TML_E_NOMEM;
    }
    return m->find_rest(m, root, out, err);
}

/* Both wires start at their shape. */
static void keep_shape(TmlEntry *x, const TmlRestShape *rest)
{
    for (int wire = 0; wire < 2; ++wire) {
        const TmlFoundShape found = {tml_catenary_wire(x, wire), rest->n[wire], rest->vector[wire]};
        bool ok = found.name != NULL;
        TML_LIST_ADD(x->r->found, found, &ok);
        x->r->nomem |= !ok;
    }
}

static void read_catenary(TmlEntry *x, void *arg)
{
    TmlReader *r = x->r;
    TmlCatenaryPlan plan;
    TmlRestShape rest;
    TmlError err = {0};
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL) || !tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_catenary, NULL, NULL);
    if (!tml_catenary_plan(x, &plan) || x->bad) {
        return;
    }
    const bool find = r->m->find_rest != NULL;
    if (find && find_shape(x, &plan, &rest, &err) != TML_OK) {
        r->nomem |= err.status == TML_E_NOMEM;
        tml_entry_error(x, x->key,
                        "no shape at rest was found: every dropper must carry weight; check 'sag', "
                        "tensions and masses (%s)",
                        err.message);
        return;
    }
    if (find && (rest.n_meshes != 2 || rest.n_values < 1)) {
        r->nomem = true;
        return;
    }
    const TmlValue *tree = tml_catenary_tree(x, &plan, find ? &rest : NULL);
    r->nomem |= tree == NULL;
    if (tree == NULL || x->bad) {
        return;
    }
    if (find) {
        keep_shape(x, &rest);
    }
    tml_read_bodies(r, tml_value_find(tree, "bodies"));
    tml_read_frames(r, tml_value_find(tree, "frames"));
    tml_read_flexible(r, tml_value_find(tree, "flexible"));
    tml_read_joints(r, tml_value_find(tree, "joints"));
    tml_read_forces(r, tml_value_find(tree, "forces"));
    tml_read_signals(r, tree);
}

void tml_read_catenaries(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "catenary", NULL, read_catenary, NULL);
}
