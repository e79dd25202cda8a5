/* adams/translate/translate_fe.c - FE_PART as a flexible body of `beam3` elements.
 *
 * Adams describes its beam in space as one in absolute nodal coordinates that stretches, shears,
 * bends and twists as a geometrically exact rod, without locking: `beam3` with the formulation
 * `elastic_line` is that. The beams in a plane, which neither shear nor have rotary inertia there,
 * are the same kept in the plane. One element lies between two nodes; its section is the mean of
 * theirs.
 */
#include <string.h>
#include <strings.h>

#include "adams/translate/fe.h"
#include "math/vec3.h"

/* --- material --------------------------------------------------------------------------------- */

/* A MATERIAL by its number, or by its NAME. */
static TmlAdmItem *find_material(TmlAdm *adm, const char *id)
{
    TmlAdmItem *found = tml_adm_find(adm, "MATERIAL", id);
    for (int k = 0; k < adm->n && found == NULL; ++k) {
        const TmlAdmArg *name = strcmp(adm->item[k].syntax->name, "MATERIAL") == 0
                                    ? tml_adm_arg(&adm->item[k], "NAME")
                                    : NULL;
        found =
            name != NULL && strcmp(tml_adm_id(adm, name->value), id) == 0 ? &adm->item[k] : NULL;
    }
    return found;
}

/* One constant of a material, positive unless it is a ratio; false: reported. */
static bool constant(TmlAdm *adm, TmlAdmItem *part, TmlAdmItem *material, const char *name,
                     double unit, const char *key, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(material, name);
    double x = 0.0;
    if (arg == NULL) {
        tml_adm_error(adm, part, tml_adm_arg(part, "MATERIAL")->value,
                      "MATERIAL: MATERIAL/%s has no %s", material->id, name);
        return false;
    }
    if (tml_adm_reals(adm, material, name, 1, 1, &x) != 1) {
        return false;
    }
    if (strcmp(key, "nu") != 0 && !(x > 0.0)) {
        tml_adm_error(adm, material, arg->value, "%s must be above 0, got %.6g", name, x);
        return false;
    }
    tml_adm_set(adm, v, key, tml_adm_number(adm, arg->value, x * unit));
    return true;
}

static bool set_damping(TmlAdm *adm, TmlAdmItem *item, const char *name, double unit,
                        const char *key, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    const double x = tml_adm_real(adm, item, name, 0.0);
    if (x < 0.0) {
        tml_adm_error(adm, item, arg->value, "%s must not be negative, got %.6g", name, x);
        return false;
    }
    if (x > 0.0) {
        tml_adm_set(adm, v, key, tml_adm_number(adm, arg->value, x * unit));
    }
    return !item->failed;
}

static TmlValue *material_value(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "MATERIAL");
    const double L = adm->length;
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument MATERIAL is missing");
        return NULL;
    }
    const char *id = tml_adm_id(adm, arg->value);
    TmlAdmItem *material = find_material(adm, id);
    if (material == NULL) {
        tml_adm_error(adm, item, arg->value, "MATERIAL: there is no MATERIAL/%s", id);
        return NULL;
    }
    TmlValue *v = tml_adm_map(adm, arg->value);
    bool ok = constant(adm, item, material, "YOUNGS_MODULUS", adm->force / (L * L), "E", v);
    ok &= constant(adm, item, material, "POISSONS_RATIO", 1.0, "nu", v);
    ok &= constant(adm, item, material, "DENSITY", adm->mass / (L * L * L), "density", v);
    ok &= set_damping(adm, item, "CRATIOK", adm->time, "damping", v);
    ok &= set_damping(adm, item, "CRATIOM", 1.0 / adm->time, "mass_damping", v);
    return ok ? v : NULL;
}

/* --- nodes and sections ----------------------------------------------------------------------- */

static TmlValue *nodes_value(TmlAdm *adm, TmlAdmItem *item, const TmlAdmFe *fe)
{
    const TmlAdmSlice at = tml_adm_arg(item, "COORDINATES")->value;
    TmlValue **list = tml_arena_alloc(adm->arena, (size_t)fe->n, sizeof(TmlValue *));
    adm->nomem |= list == NULL;
    for (int k = 0; k < fe->n && !adm->nomem; ++k) {
        TmlValue *rotation = tml_adm_fe_axes(adm, at, &fe->node[k].A);
        list[k] = tml_adm_map(adm, at);
        tml_adm_set(adm, list[k], "position", tml_adm_vec3(adm, at, tml_adm_tidy(fe->node[k].r)));
        if (rotation != NULL) {
            tml_adm_set(adm, list[k], "rotation", rotation);
        }
    }
    return adm->nomem ? NULL : tml_adm_list(adm, at, fe->n, list);
}

/* The mean of two nodes. */
static TmlValue *section_value(TmlAdm *adm, TmlAdmSlice at, const TmlAdmFeNode *a,
                               const TmlAdmFeNode *b)
{
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "area", tml_adm_number(adm, at, 0.5 * (a->area + b->area)));
    tml_adm_set(adm, v, "Iy", tml_adm_number(adm, at, 0.5 * (a->Iyy + b->Iyy)));
    tml_adm_set(adm, v, "Iz", tml_adm_number(adm, at, 0.5 * (a->Izz + b->Izz)));
    if (a->J > 0.0 && b->J > 0.0) {
        tml_adm_set(adm, v, "J", tml_adm_number(adm, at, 0.5 * (a->J + b->J)));
    }
    return v;
}

static bool is_uniform(const TmlAdmFe *fe)
{
    const TmlAdmFeNode *a = &fe->node[0];
    for (int k = 1; k < fe->n; ++k) {
        const TmlAdmFeNode *b = &fe->node[k];
        if (a->area != b->area || a->Iyy != b->Iyy || a->Izz != b->Izz || a->J != b->J) {
            return false;
        }
    }
    return true;
}

static TmlValue *sections_value(TmlAdm *adm, TmlAdmItem *item, const TmlAdmFe *fe)
{
    const TmlAdmSlice at = tml_adm_arg(item, "SECTION")->value;
    if (is_uniform(fe)) {
        return section_value(adm, at, &fe->node[0], &fe->node[0]);
    }
    TmlValue **list = tml_arena_alloc(adm->arena, (size_t)fe->n, sizeof(TmlValue *));
    adm->nomem |= list == NULL;
    for (int k = 0; k + 1 < fe->n && !adm->nomem; ++k) {
        list[k] = section_value(adm, at, &fe->node[k], &fe->node[k + 1]);
    }
    return adm->nomem ? NULL : tml_adm_list(adm, at, fe->n - 1, list);
}

/* --- the part --------------------------------------------------------------------------------- */

/* Velocities are those of a rigid body, VX.. of the origin of the part; ours of the first node. */
static void set_motion(TmlAdm *adm, TmlAdmItem *item, const TmlAdmFe *fe, TmlValue *v)
{
    static const char *const linear[3] = {"VX", "VY", "VZ"}, *const angular[3] = {"WX", "WY", "WZ"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlMat33 I = m3_identity();
    TmlVec3 r, velocity, omega;
    TmlMat33 A;
    if (!tml_adm_frame(adm, item, &r, &A)) {
        return;
    }
    const bool moves = tml_adm_rates(adm, item, linear, "VM", &I, &A, &velocity);
    const bool turns = tml_adm_rates(adm, item, angular, "WM", &A, &A, &omega);
    velocity = v3_scale(adm->length / adm->time, velocity);
    omega = v3_scale(1.0 / adm->time, omega);
    if (moves || turns) {
        velocity = v3_add(velocity, v3_cross(omega, v3_sub(fe->node[0].r, r)));
        tml_adm_set(adm, v, "velocity", tml_adm_turned(adm, at, velocity));
    }
    if (turns) {
        tml_adm_set(adm, v, "angular_velocity", tml_adm_turned(adm, at, omega));
    }
}

void tml_adm_fe_part(TmlAdm *adm, TmlAdmItem *item)
{
    static const char *const planes[] = {"", "xy", "yz", "zx"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmFe *fe = tml_adm_fe(adm, item);
    TmlValue *material = material_value(adm, item);
    if (fe == NULL || material == NULL || item->failed) {
        return;
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "beam3"));
    tml_adm_set(adm, v, "formulation", tml_adm_scalar(adm, at, "elastic_line"));
    if (fe->plane > 0) {
        tml_adm_set(adm, v, "plane", tml_adm_scalar(adm, at, planes[fe->plane]));
    }
    tml_adm_set(adm, v, "nodes", nodes_value(adm, item, fe));
    tml_adm_set(adm, v, "section", sections_value(adm, item, fe));
    tml_adm_set(adm, v, "material", material);
    set_motion(adm, item, fe, v);
    tml_adm_set(adm, v, "frames", tml_adm_map(adm, at));
    if (!adm->nomem) {
        tml_adm_enter(adm, adm->flexible, item, v);
    }
}

void tml_adm_fe_marker(TmlAdm *adm, TmlAdmItem *marker, TmlAdmItem *part)
{
    if (part->failed) {
        return; // told there
    }
    TmlValue *v = tml_adm_fe_frame(adm, marker, NULL);
    TmlValue *frames = (TmlValue *)(uintptr_t)tml_value_find(part->value, "frames");
    if (v != NULL && frames != NULL) {
        tml_adm_enter(adm, frames, marker, v);
    }
}
