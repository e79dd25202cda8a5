/* adams/translate/absent_solids.c - solids of contacts whose geometry is not read, and what stands for them.
 *
 * Parasolid files are not read. A solid has a mesh by its name beside the dataset (translate_graphics.c) or by
 * --solid; else --solids says what becomes of its contacts: they are left out (none), or the part touches with the
 * homogeneous ellipsoid or box that has its mass m, its centre and its principal moments J:
 *
 *   (S1)  ellipsoid  a^2 = 5/2 (J_y + J_z - J_x) / m     semi-axes, from J_x = m (b^2 + c^2) / 5
 *   (S2)  box        a^2 = 6 (J_y + J_z - J_x) / m       edges, from J_x = m (b^2 + c^2) / 12
 *
 * All solids of a part have the same substitute, which touches another part once. All of this is said in warnings
 * that a run repeats at its end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/adams.h"
#include "adams/dataset/dataset.h"
#include "base/input.h"
#include "math/vec3.h"

static bool is_external(const TmlAdmItem *item)
{
    return strcmp(item->syntax->name, "GRAPHICS") == 0 && tml_adm_has(item, "EXTERNAL");
}

static const char *element_of(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "ELEMENT");
    const char *name = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "a solid";
    adm->nomem |= name == NULL;
    return name != NULL ? name : "";
}

static void complain(TmlAdm *adm, const char *option, const char *text, const char *more)
{
    const TmlValue at = {.file = adm->file, .line = 1, .column = 1};
    tml_report_add(adm->report, &at, "%s: %s%s", option, text, more);
}

/* --- what the caller gives ---------------------------------------------------------------------- */

/* A GRAPHICS by its number, or all that have the name of a solid. */
static void give_mesh(TmlAdm *adm, const char *name, const char *path)
{
    const char *option = tml_arena_printf(adm->arena, "--solid %s=%s", name, path);
    const TmlAdmItem *other = tml_adm_find(adm, "GRAPHICS", name);
    FILE *stream = NULL;
    TmlError err = {0};
    int n = 0;
    if (option == NULL) {
        adm->nomem = true;
        return;
    }
    if (tml_input_open(path, &stream, &err) != TML_OK) {
        complain(adm, option, err.message, "");
        return;
    }
    fclose(stream);
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *item = &adm->item[k];
        if (is_external(item) &&
            (item == other || (other == NULL && strcasecmp(element_of(adm, item), name) == 0))) {
            item->mesh = tml_adm_whole_path(adm, path);
            n++;
        }
    }
    if (n == 0) {
        complain(adm, option,
                 other != NULL ? "this GRAPHICS is no solid of a file (EXTERNAL)"
                               : "there is no GRAPHICS of this number, and no solid of this name",
                 "");
    }
}

void tml_adm_solids(TmlAdm *adm, const TmlAdamsOptions *o)
{
    static const char *const words[] = {[TML_ADM_SOLIDS_NONE] = "none",
                                        [TML_ADM_SOLIDS_ELLIPSOID] = "ellipsoid",
                                        [TML_ADM_SOLIDS_BOX] = "box"};
    for (int k = TML_ADM_SOLIDS_NONE; o->solids != NULL && k <= TML_ADM_SOLIDS_BOX; ++k) {
        adm->solids = strcmp(o->solids, words[k]) == 0 ? (TmlAdmSolids)k : adm->solids;
    }
    if (o->solids != NULL && adm->solids == TML_ADM_SOLIDS_REFUSED) {
        complain(adm, "--solids", "expected none, ellipsoid or box, not ", o->solids);
    }
    for (int k = 0; k < o->n_solids && !adm->nomem; ++k) {
        give_mesh(adm, o->solid_name[k], o->solid_file[k]);
    }
}

/* --- substitutes -------------------------------------------------------------------------------- */

/* Eigenvalues and axes of a symmetric matrix by rotations of Jacobi: J = A diag(value) A^T, det A = 1. */
static void principal(TmlMat33 J, double value[3], TmlMat33 *A)
{
    enum { SWEEPS = 12 }; // off-diagonals fall quadratically: six would do
    double m[3][3] = {{J.cx.x, J.cy.x, J.cz.x}, {J.cy.x, J.cy.y, J.cz.y}, {J.cz.x, J.cz.y, J.cz.z}};
    TmlVec3 v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int k = 0; k < 3; ++k) {
            const int p = k, q = (k + 1) % 3, r = (k + 2) % 3;
            if (m[p][q] == 0.0) {
                continue;
            }
            const double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
            const double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
            const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
            const double pr = m[p][r], qr = m[q][r];
            const TmlVec3 vp = v[p], vq = v[q];
            m[p][p] -= t * m[p][q];
            m[q][q] += t * m[p][q];
            m[p][q] = m[q][p] = 0.0;
            m[p][r] = m[r][p] = c * pr - s * qr;
            m[q][r] = m[r][q] = s * pr + c * qr;
            v[p] = v3_sub(v3_scale(c, vp), v3_scale(s, vq));
            v[q] = v3_add(v3_scale(s, vp), v3_scale(c, vq));
        }
    }
    for (int k = 0; k < 3; ++k) {
        value[k] = m[k][k];
    }
    *A = (TmlMat33){v[0], v[1], v[2]};
}

/* Semi-axes (S1) or edges (S2); false: no homogeneous body has these moments. */
static bool size_of(const TmlAdm *adm, double mass, const double moment[3], double size[3])
{
    const double factor = adm->solids == TML_ADM_SOLIDS_BOX ? 6.0 : 2.5;
    for (int k = 0; k < 3; ++k) {
        const double x = moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k];
        size[k] = mass > 0.0 && x > 0.0 ? sqrt(factor * x / mass) : 0.0;
        if (!(size[k] > 0.0)) {
            return false;
        }
    }
    return true;
}

const char *tml_adm_substitute(TmlAdm *adm, TmlAdmItem *item, TmlValue *keys)
{
    TmlAdmItem *part = item->carrier;
    const TmlAdmSlice at = tml_adm_whole(item);
    double mass, moment[3], size[3];
    TmlVec3 c;
    TmlMat33 J, A;
    const bool box = adm->solids == TML_ADM_SOLIDS_BOX;
    if (adm->solids < TML_ADM_SOLIDS_ELLIPSOID || tml_adm_is_ground(part) ||
        !tml_adm_inertia(adm, part, &mass, &c, &J)) {
        return NULL;
    }
    principal(J, moment, &A);
    if (!size_of(adm, mass, moment, size)) {
        return NULL;
    }
    tml_adm_set(adm, keys, box ? "size" : "semi_axes", tml_adm_numbers(adm, at, 3, size));
    tml_adm_set(adm, keys, "position", tml_adm_turned(adm, at, c));
    tml_adm_set(adm, keys, "rotation", tml_adm_axes(adm, at, &A));
    item->substitute = true;
    return box ? "box" : "ellipsoid";
}

/* The GRAPHICS whose shape stands for this one: the first of its part that has a substitute. */
TmlAdmItem *tml_adm_stand_in(TmlAdm *adm, TmlAdmItem *item)
{
    for (int k = 0; item->substitute && k < adm->n; ++k) {
        if (adm->item[k].substitute && adm->item[k].carrier == item->carrier) {
            return &adm->item[k];
        }
    }
    return item;
}

/* --- contacts that are left out ----------------------------------------------------------------- */

/* Shapes of a side that can touch; `missing` grows by those that cannot. */
static int readable(TmlAdm *adm, TmlAdmItem *contact, const char *side, TmlAdmText *missing)
{
    const TmlAdmArg *arg = tml_adm_arg(contact, side);
    TmlAdmItem *shape;
    int n = 0;
    for (int at = 0; arg != NULL && tml_adm_next_ref(adm, arg, "GRAPHICS", &at, &shape);) {
        if (shape == NULL || !is_external(shape) || tml_adm_shape(adm, shape) || !shape->absent) {
            n++; // what else is wrong is told with the contact
        } else {
            tml_adm_write(missing, "%sGRAPHICS/%s (%s)", missing->n > 0 ? ", " : "", shape->id,
                          element_of(adm, shape));
        }
    }
    return n;
}

/* A CONTACT whose side has nothing left is not there; one that lacks some of its solids goes on without them. */
static void leave_out(TmlAdm *adm, TmlAdmItem *contact)
{
    TmlAdmText missing = {0};
    const int i = readable(adm, contact, "IGEOM", &missing);
    const int j = readable(adm, contact, "JGEOM", &missing);
    if (missing.n == 0) {
        return;
    }
    contact->inactive = i == 0 || j == 0;
    const char *solids = tml_adm_take(adm, &missing);
    tml_adm_warn(adm, contact, "%s, as --solids asks for: the geometry of %s is not read%s",
                 contact->inactive ? "is left out" : "goes on without some of its solids", solids,
                 adm->solids == TML_ADM_SOLIDS_NONE
                     ? ""
                     : ", and its part has no mass and inertia that a homogeneous body could have");
}

/* Substitutes of two parts touch once: a second CONTACT between other solids of the same parts would count twice. */
static bool is_repeated(TmlAdm *adm, TmlAdmItem *contact, TmlAdmItem *a, TmlAdmItem *b)
{
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *other = &adm->item[k];
        TmlAdmItem *x = other->first_pair[0], *y = other->first_pair[1];
        if (other == contact) {
            break;
        }
        if (x != NULL && ((x == a && y == b) || (x == b && y == a))) {
            tml_adm_warn(adm, contact,
                         "is left out: the substitutes of its solids touch by CONTACT/%s already",
                         other->id);
            return true;
        }
    }
    return false;
}

static void find_repeated(TmlAdm *adm, TmlAdmItem *contact)
{
    const TmlAdmArg *arg[2] = {tml_adm_arg(contact, "IGEOM"), tml_adm_arg(contact, "JGEOM")};
    TmlAdmItem *first[2] = {NULL, NULL};
    bool substitute = false;
    for (int side = 0; side < 2; ++side) {
        TmlAdmItem *shape;
        for (int at = 0; arg[side] != NULL && first[side] == NULL &&
                         tml_adm_next_ref(adm, arg[side], "GRAPHICS", &at, &shape);) {
            if (shape != NULL && tml_adm_shape(adm, shape)) {
                first[side] = tml_adm_stand_in(adm, shape);
                substitute |= first[side]->substitute;
            }
        }
    }
    if (substitute && first[0] != NULL && first[1] != NULL) {
        contact->inactive = is_repeated(adm, contact, first[0], first[1]);
        if (!contact->inactive) {
            contact->first_pair[0] = first[0];
            contact->first_pair[1] = first[1];
        }
    }
}

static void tell_substitutes(TmlAdm *adm)
{
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        TmlAdmItem *item = &adm->item[k];
        if (item->substitute) {
            tml_adm_warn(adm, item,
                         "%s is not read: PART/%s touches with the homogeneous %s that has its "
                         "mass, centre and inertia, a substitute by --solids",
                         element_of(adm, item), item->carrier->id, item->shape);
        }
    }
}

void tml_adm_leave_out(TmlAdm *adm)
{
    for (int k = 0; adm->solids != TML_ADM_SOLIDS_REFUSED && k < adm->n && !adm->nomem; ++k) {
        TmlAdmItem *item = &adm->item[k];
        if (strcmp(item->syntax->name, "CONTACT") == 0 && !item->failed && !item->inactive) {
            leave_out(adm, item);
            if (!item->inactive) {
                find_repeated(adm, item);
            }
        }
    }
    tell_substitutes(adm);
}
