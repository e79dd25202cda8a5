/* adams/initial.c - initial velocities of joints (IC, ICROT, ICTRAN).
 *
 * From ground outwards, a joint adds the velocity of I relative to J to that of the part which is
 * reached first. A twist is the angular velocity and the velocity of the point at the origin:
 *
 *   (V1)  rotation about z through p:  (w z, p x w z)       (V2)  along z:  (0, v z)
 *   (V3)  of a part's own origin r:    v + omega x r
 */
#include <math.h>
#include <string.h>

#include "adams/dataset.h"
#include "math/vec3.h"

typedef struct Twist {
    TmlVec3 omega, v;
    bool known;
} Twist;

/* One condition of a joint; false: the displacement is not that of the parts. */
static bool add_rate(TmlAdm *adm, TmlAdmItem *joint, const char *name, bool turns,
                     const TmlMat33 *Ai, const TmlMat33 *Aj, TmlVec3 ri, TmlVec3 rj, Twist *rel)
{
    double ic[2] = {0.0, 0.0};
    const int n = tml_adm_reals(adm, joint, name, 1, 2, ic);
    if (n == 0) {
        return true;
    }
    const double slides = v3_dot(Aj->cz, v3_sub(ri, rj)) / adm->length;
    const double angle = atan2(v3_dot(Ai->cx, Aj->cy), v3_dot(Ai->cx, Aj->cx));
    const double off = turns ? remainder(ic[0] - angle, 2.0 * M_PI) : ic[0] - slides;
    const double rate = ic[1] / adm->time * (turns ? 1.0 : adm->length);
    // 1e-6: angles and lengths of datasets have six digits or more
    if (fabs(off) > 1e-6 * fmax(1.0, fabs(ic[0]))) {
        tml_adm_error(adm, joint, tml_adm_arg(joint, name)->value,
                      "not supported yet: an initial displacement that is not where the parts "
                      "stand (%.9g)",
                      turns ? angle : slides);
        return false;
    }
    const TmlVec3 z = v3_scale(rate, Aj->cz);
    if (turns) {
        rel->omega = v3_add(rel->omega, z);
        rel->v = v3_add(rel->v, v3_cross(ri, z)); // (V1)
    } else {
        rel->v = v3_add(rel->v, z); // (V2)
    }
    return true;
}

/* Twist of I relative to J. */
static bool relative(TmlAdm *adm, TmlAdmItem *joint, TmlAdmItem *i, TmlAdmItem *j, Twist *rel)
{
    TmlVec3 ri, rj;
    TmlMat33 Ai, Aj;
    const bool slides = tml_adm_has(joint, "TRANSLATIONAL");
    *rel = (Twist){.known = true};
    return tml_adm_global(adm, i, &ri, &Ai) && tml_adm_global(adm, j, &rj, &Aj) &&
           add_rate(adm, joint, "IC", !slides, &Ai, &Aj, ri, rj, rel) &&
           add_rate(adm, joint, "ICROT", true, &Ai, &Aj, ri, rj, rel) &&
           add_rate(adm, joint, "ICTRAN", false, &Ai, &Aj, ri, rj, rel);
}

static void set_twist(TmlAdm *adm, TmlAdmItem *part, Twist w)
{
    TmlValue *body = (TmlValue *)(uintptr_t)tml_value_find(adm->bodies, part->name);
    TmlVec3 r;
    TmlMat33 A;
    if (body == NULL || tml_value_find(body, "velocity") != NULL ||
        tml_value_find(body, "angular_velocity") != NULL || !tml_adm_frame(adm, part, &r, &A)) {
        return; // what the part says itself counts
    }
    const TmlAdmSlice at = tml_adm_whole(part);
    tml_adm_set(adm, body, "velocity",
                tml_adm_vec3(adm, at, v3_add(w.v, v3_cross(w.omega, r)))); // (V3)
    tml_adm_set(adm, body, "angular_velocity", tml_adm_vec3(adm, at, w.omega));
}

/* Carry the twist over one joint; false: nothing new. */
static bool reach(TmlAdm *adm, TmlAdmItem *joint, Twist *twist)
{
    TmlAdmItem *i, *j;
    Twist rel;
    if (joint->failed || joint->inactive || !tml_adm_ends(adm, joint, &i, &j) || j == NULL) {
        return false;
    }
    TmlAdmItem *a = tml_adm_owner(adm, i), *b = tml_adm_owner(adm, j);
    if (a == NULL || b == NULL) {
        return false;
    }
    Twist *wa = &twist[a - adm->item], *wb = &twist[b - adm->item];
    wa->known |= tml_adm_is_ground(a);
    wb->known |= tml_adm_is_ground(b);
    if (wa->known == wb->known || !relative(adm, joint, i, j, &rel)) {
        return false;
    }
    const double s = wb->known ? 1.0 : -1.0;
    Twist *to = wb->known ? wa : wb;
    const Twist *from = wb->known ? wb : wa;
    *to = (Twist){v3_axpy(s, rel.omega, from->omega), v3_axpy(s, rel.v, from->v), true};
    set_twist(adm, to == wa ? a : b, *to);
    return true;
}

static bool has_condition(const TmlAdmItem *item)
{
    return strcmp(item->syntax->name, "JOINT") == 0 &&
           (tml_adm_has(item, "IC") || tml_adm_has(item, "ICROT") || tml_adm_has(item, "ICTRAN"));
}

void tml_adm_initial(TmlAdm *adm)
{
    bool any = false, more = true;
    for (int k = 0; k < adm->n; ++k) {
        any |= has_condition(&adm->item[k]);
    }
    Twist *twist = any ? tml_arena_alloc(adm->arena, (size_t)adm->n, sizeof *twist) : NULL;
    adm->nomem |= any && twist == NULL;
    while (twist != NULL && more && !adm->nomem) {
        more = false;
        for (int k = 0; k < adm->n; ++k) {
            more |=
                strcmp(adm->item[k].syntax->name, "JOINT") == 0 && reach(adm, &adm->item[k], twist);
        }
    }
}
