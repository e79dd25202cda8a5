/* adams/initial.c - initial conditions of joints (IC, ICROT, ICTRAN).
 *
 * From ground outwards, a joint moves the part which is reached first, and adds the velocity of I
 * relative to J to it. With p a point of the axis, z its direction in J, in global axes:
 *
 *   (V1)  turned by a, moved by s:  x -> p + R (x - p) + s z,   R = exp(a z~)
 *   (V2)  of a part behind a moved part:  its own motion first, then that of the other
 *
 * Where there are loops, assembly leaves these parts as they are as far as others can give way.
 *
 * A twist is the angular velocity and the velocity of the point at the origin:
 *
 *   (V3)  rotation about z through p:  (w z, p x w z)       (V4)  along z:  (0, v z)
 *   (V5)  of a part's own origin r:    v + omega x r
 */
#include <math.h>
#include <string.h>

#include "adams/dataset.h"
#include "math/vec3.h"

static bool has_condition(const TmlAdmItem *item)
{
    return strcmp(item->syntax->name, "JOINT") == 0 &&
           (tml_adm_has(item, "IC") || tml_adm_has(item, "ICROT") || tml_adm_has(item, "ICTRAN"));
}

/* Markers of a joint and the parts that have them; false: not both. */
static bool parts_of(TmlAdm *adm, TmlAdmItem *joint, TmlAdmItem *marker[2], TmlAdmItem *part[2])
{
    if (joint->failed || strcmp(joint->syntax->name, "JOINT") != 0 ||
        !tml_adm_ends(adm, joint, &marker[0], &marker[1]) || marker[1] == NULL) {
        return false;
    }
    part[0] = tml_adm_owner(adm, marker[0]);
    part[1] = tml_adm_owner(adm, marker[1]);
    return part[0] != NULL && part[1] != NULL;
}

/* --- displacements ------------------------------------------------------------------------------
 */

typedef struct Place {
    TmlAdmMove move;
    bool known, moved;
} Place;

/* x -> a(b(x)) */
static TmlAdmMove then(const TmlAdmMove *a, const TmlAdmMove *b)
{
    return (TmlAdmMove){m3_mul(&a->R, &b->R), v3_add(m3_mulv(&a->R, b->d), a->d)};
}

static TmlAdmMove inverse(const TmlAdmMove *a)
{
    const TmlMat33 R = m3_transpose(&a->R);
    return (TmlAdmMove){R, v3_neg(m3_mulv(&R, a->d))};
}

/* What a condition adds to the coordinate of the joint; 0: it stands so, or there is none. */
static double missing(TmlAdm *adm, TmlAdmItem *joint, const char *name, bool turns, double now)
{
    double ic[2] = {0.0, 0.0};
    if (tml_adm_reals(adm, joint, name, 1, 2, ic) == 0) {
        return 0.0;
    }
    const double off = turns ? remainder(ic[0] - now, 2.0 * M_PI) : ic[0] * adm->length - now;
    // 1e-6: angles and lengths of datasets have six digits or more
    return fabs(off) > 1e-6 * fmax(turns ? 1.0 : adm->length, fabs(now)) ? off : 0.0;
}

/* (V1) of I against J. */
static bool joint_move(TmlAdm *adm, TmlAdmItem *joint, TmlAdmItem *const marker[2],
                       TmlAdmMove *move, bool *moves)
{
    TmlVec3 ri, rj;
    TmlMat33 Ai, Aj;
    if (!tml_adm_global(adm, marker[0], &ri, &Ai) || !tml_adm_global(adm, marker[1], &rj, &Aj)) {
        return false;
    }
    const bool slides = tml_adm_has(joint, "TRANSLATIONAL");
    const double s = v3_dot(Aj.cz, v3_sub(ri, rj));
    const double angle = atan2(v3_dot(Ai.cx, Aj.cy), v3_dot(Ai.cx, Aj.cx));
    const double a = missing(adm, joint, "ICROT", true, angle) +
                     (slides ? 0.0 : missing(adm, joint, "IC", true, angle));
    const double d = missing(adm, joint, "ICTRAN", false, s) +
                     (slides ? missing(adm, joint, "IC", false, s) : 0.0);
    const TmlMat33 R = q4_matrix(q4_exp(v3_scale(a, Aj.cz)));
    *move = (TmlAdmMove){R, v3_axpy(d, Aj.cz, v3_sub(ri, m3_mulv(&R, ri)))};
    *moves = a != 0.0 || d != 0.0;
    return true;
}

/* Carry the motion over one joint; false: nothing new. */
static bool place_part(TmlAdm *adm, TmlAdmItem *joint, Place *place)
{
    TmlAdmItem *marker[2], *part[2];
    TmlAdmMove own;
    bool moves;
    if (!parts_of(adm, joint, marker, part)) {
        return false;
    }
    Place *a = &place[part[0] - adm->item], *b = &place[part[1] - adm->item];
    a->known |= tml_adm_is_ground(part[0]);
    b->known |= tml_adm_is_ground(part[1]);
    if (a->known == b->known || !joint_move(adm, joint, marker, &own, &moves)) {
        return false;
    }
    const TmlAdmMove back = inverse(&own);
    Place *to = b->known ? a : b;
    const Place *from = b->known ? b : a;
    to->move = then(&from->move, b->known ? &own : &back); // (V2)
    to->moved = from->moved || moves;
    to->known = true;
    return true;
}

static void hold_parts(TmlAdm *adm, TmlAdmItem *joint)
{
    TmlAdmItem *marker[2], *part[2];
    if (parts_of(adm, joint, marker, part)) {
        part[0]->held |= !tml_adm_is_ground(part[0]);
        part[1]->held |= !tml_adm_is_ground(part[1]);
    }
}

void tml_adm_displace(TmlAdm *adm)
{
    bool any = false, more = true;
    for (int k = 0; k < adm->n; ++k) {
        if (has_condition(&adm->item[k])) {
            any = true;
            hold_parts(adm, &adm->item[k]);
        }
    }
    Place *place = any ? tml_arena_alloc(adm->arena, (size_t)adm->n, sizeof *place) : NULL;
    adm->nomem |= any && place == NULL;
    for (int k = 0; place != NULL && k < adm->n; ++k) {
        place[k].move.R = m3_identity();
    }
    while (place != NULL && more && !adm->nomem) {
        more = false;
        // joints with conditions first: where there are loops, the others close them
        for (int round = 0; round < 2 && !more; ++round) {
            for (int k = 0; k < adm->n; ++k) {
                TmlAdmItem *joint = &adm->item[k];
                more |= has_condition(joint) == (round == 0) && place_part(adm, joint, place);
            }
        }
    }
    for (int k = 0; place != NULL && k < adm->n; ++k) {
        adm->item[k].move = place[k].moved ? &place[k].move : NULL;
    }
}

/* --- velocities ---------------------------------------------------------------------------------
 */

typedef struct Twist {
    TmlVec3 omega, v;
    bool known;
} Twist;

/* One condition of a joint. */
static void add_rate(TmlAdm *adm, TmlAdmItem *joint, const char *name, bool turns,
                     const TmlMat33 *Aj, TmlVec3 ri, Twist *rel)
{
    double ic[2] = {0.0, 0.0};
    if (tml_adm_reals(adm, joint, name, 1, 2, ic) == 0) {
        return;
    }
    const double rate = ic[1] / adm->time * (turns ? 1.0 : adm->length);
    const TmlVec3 z = v3_scale(rate, Aj->cz);
    if (turns) {
        rel->omega = v3_add(rel->omega, z);
        rel->v = v3_add(rel->v, v3_cross(ri, z)); // (V3)
    } else {
        rel->v = v3_add(rel->v, z); // (V4)
    }
}

/* Twist of I relative to J. */
static bool relative(TmlAdm *adm, TmlAdmItem *joint, TmlAdmItem *const marker[2], Twist *rel)
{
    TmlVec3 ri, rj;
    TmlMat33 Ai, Aj;
    const bool slides = tml_adm_has(joint, "TRANSLATIONAL");
    *rel = (Twist){.known = true};
    if (!tml_adm_global(adm, marker[0], &ri, &Ai) || !tml_adm_global(adm, marker[1], &rj, &Aj)) {
        return false;
    }
    add_rate(adm, joint, "IC", !slides, &Aj, ri, rel);
    add_rate(adm, joint, "ICROT", true, &Aj, ri, rel);
    add_rate(adm, joint, "ICTRAN", false, &Aj, ri, rel);
    return true;
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
                tml_adm_turned(adm, at, v3_add(w.v, v3_cross(w.omega, r)))); // (V5)
    tml_adm_set(adm, body, "angular_velocity", tml_adm_turned(adm, at, w.omega));
}

/* Carry the twist over one joint; false: nothing new. */
static bool reach(TmlAdm *adm, TmlAdmItem *joint, Twist *twist)
{
    TmlAdmItem *marker[2], *part[2];
    Twist rel;
    if (!parts_of(adm, joint, marker, part)) {
        return false;
    }
    Twist *wa = &twist[part[0] - adm->item], *wb = &twist[part[1] - adm->item];
    wa->known |= tml_adm_is_ground(part[0]);
    wb->known |= tml_adm_is_ground(part[1]);
    if (wa->known == wb->known || !relative(adm, joint, marker, &rel)) {
        return false;
    }
    const double s = wb->known ? 1.0 : -1.0;
    Twist *to = wb->known ? wa : wb;
    const Twist *from = wb->known ? wb : wa;
    *to = (Twist){v3_axpy(s, rel.omega, from->omega), v3_axpy(s, rel.v, from->v), true};
    set_twist(adm, to == wa ? part[0] : part[1], *to);
    return true;
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
            more |= reach(adm, &adm->item[k], twist);
        }
    }
}
