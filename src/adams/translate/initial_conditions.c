/* adams/translate/initial_conditions.c - initial conditions of joints (IC, ICROT, ICTRAN).
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
#include <stddef.h>
#include <string.h>

#include "adams/translate/fe.h"
#include "math/vec3.h"

static bool has_condition(const TmlAdmItem *item)
{
    return strcmp(item->syntax->name, "JOINT") == 0 &&
           (tml_adm_has(item, "IC") || tml_adm_has(item, "ICROT") || tml_adm_has(item, "ICTRAN"));
}

/* --- from ground outwards --------------------------------------------------------------------- */

typedef struct Link {
    TmlAdmItem *joint, *marker[2], *part[2]; /* of I and J */
    int to;                                  /* the part that it leads to, 0 or 1 */
} Link;

/* Joints in the order in which parts are reached: n of them. */
typedef struct Tree {
    int n;
    Link *link;
} Tree;

/* Parts and the joints that wait at those which are reached. */
typedef struct Walk {
    TmlAdm *adm;
    Link *link; /* of all joints, n */
    int n;
    int *start, *at; /* of every item: where its joints begin; numbers of joints, 2 n */
    bool *known;     /* of every item: it is reached */
    int *queue[2];   /* 2 n each: joints with conditions, others */
    int head[2], tail[2];
} Walk;

/* Markers of a joint and the parts that have them; false: not both. */
static bool read_link(TmlAdm *adm, TmlAdmItem *joint, Link *link)
{
    if (joint->failed || joint->inactive || strcmp(joint->syntax->name, "JOINT") != 0 ||
        !tml_adm_ends(adm, joint, &link->marker[0], &link->marker[1]) || link->marker[1] == NULL) {
        return false;
    }
    link->joint = joint;
    link->part[0] = tml_adm_owner(adm, link->marker[0]);
    link->part[1] = tml_adm_owner(adm, link->marker[1]);
    return link->part[0] != NULL && link->part[1] != NULL;
}

static bool make_walk(TmlAdm *adm, Walk *w)
{
    const size_t n = (size_t)adm->n;
    *w = (Walk){.adm = adm,
                .link = tml_arena_alloc(adm->arena, n, sizeof *w->link),
                .start = tml_arena_alloc(adm->arena, n + 2, sizeof *w->start),
                .known = tml_arena_alloc(adm->arena, n, sizeof *w->known)};
    for (int k = 0; w->link != NULL && k < adm->n; ++k) {
        w->n += read_link(adm, &adm->item[k], &w->link[w->n]) ? 1 : 0;
    }
    int **const lists[] = {&w->at, &w->queue[0], &w->queue[1]};
    bool ok = w->link != NULL && w->start != NULL && w->known != NULL;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        *lists[k] = tml_arena_alloc(adm->arena, 2 * (size_t)w->n, sizeof(int));
        ok &= *lists[k] != NULL;
    }
    adm->nomem |= !ok;
    return ok;
}

/* The joints of every part. */
static void sort_links(Walk *w)
{
    for (int k = 0; k < 2 * w->n; ++k) { // counts, two places further on
        w->start[w->link[k / 2].part[k % 2] - w->adm->item + 2]++;
    }
    for (int k = 0; k < w->adm->n; ++k) {
        w->start[k + 2] += w->start[k + 1];
    }
    for (int k = 0; k < 2 * w->n; ++k) { // leaves start[k + 1] where joints of k end
        w->at[w->start[w->link[k / 2].part[k % 2] - w->adm->item + 1]++] = k / 2;
    }
}

static void reach(Walk *w, const TmlAdmItem *part)
{
    const ptrdiff_t p = part - w->adm->item;
    w->known[p] = true;
    for (int k = w->start[p]; k < w->start[p + 1]; ++k) {
        const int q = has_condition(w->link[w->at[k]].joint) ? 0 : 1;
        w->queue[q][w->tail[q]++] = w->at[k];
    }
}

/* Joints with conditions first: where there are loops, the others close them. */
static Tree make_tree(TmlAdm *adm)
{
    Walk w;
    Tree tree = {0, NULL};
    if (!make_walk(adm, &w)) {
        return tree;
    }
    tree.link = tml_arena_alloc(adm->arena, (size_t)w.n, sizeof *tree.link);
    adm->nomem |= tree.link == NULL;
    sort_links(&w);
    for (int k = 0; k < adm->n; ++k) {
        if (strcmp(adm->item[k].syntax->name, "PART") == 0 && tml_adm_is_ground(&adm->item[k])) {
            reach(&w, &adm->item[k]);
        }
    }
    while (tree.link != NULL && (w.head[0] < w.tail[0] || w.head[1] < w.tail[1])) {
        const int q = w.head[0] < w.tail[0] ? 0 : 1;
        Link *link = &w.link[w.queue[q][w.head[q]++]];
        const bool known[2] = {w.known[link->part[0] - adm->item],
                               w.known[link->part[1] - adm->item]};
        if (!known[0] || !known[1]) {
            link->to = known[0] ? 1 : 0;
            tree.link[tree.n++] = *link;
            reach(&w, link->part[link->to]);
        }
    }
    return tree;
}

/* --- displacements ---------------------------------------------------------------------------- */

typedef struct Place {
    TmlAdmMove move;
    bool moved;
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

/* Carry the motion over one joint. */
static void place_part(TmlAdm *adm, const Link *link, Place *place)
{
    TmlAdmMove own;
    bool moves;
    if (!joint_move(adm, link->joint, link->marker, &own, &moves)) {
        return; // reported: nothing will be run
    }
    const TmlAdmMove back = inverse(&own);
    Place *to = &place[link->part[link->to] - adm->item];
    const Place *from = &place[link->part[1 - link->to] - adm->item];
    to->move = then(&from->move, link->to == 0 ? &own : &back); // (V2)
    to->moved = from->moved || moves;
}

static void hold_parts(TmlAdm *adm, TmlAdmItem *joint)
{
    Link link;
    if (read_link(adm, joint, &link)) {
        link.part[0]->held |= !tml_adm_is_ground(link.part[0]);
        link.part[1]->held |= !tml_adm_is_ground(link.part[1]);
    }
}

static bool any_condition(const TmlAdm *adm)
{
    for (int k = 0; k < adm->n; ++k) {
        if (has_condition(&adm->item[k])) {
            return true;
        }
    }
    return false;
}

void tml_adm_displace(TmlAdm *adm)
{
    if (!any_condition(adm)) {
        return;
    }
    const Tree tree = make_tree(adm);
    Place *place = tml_arena_alloc(adm->arena, (size_t)adm->n, sizeof *place);
    if (place == NULL || adm->nomem) {
        adm->nomem = true;
        return;
    }
    for (int k = 0; k < adm->n; ++k) {
        place[k].move.R = m3_identity();
        if (has_condition(&adm->item[k])) {
            hold_parts(adm, &adm->item[k]);
        }
    }
    for (int k = 0; k < tree.n; ++k) {
        place_part(adm, &tree.link[k], place);
    }
    for (int k = 0; k < adm->n; ++k) {
        adm->item[k].move = place[k].moved ? &place[k].move : NULL;
    }
}

/* --- velocities ------------------------------------------------------------------------------- */

typedef struct Twist {
    TmlVec3 omega, v;
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
    *rel = (Twist){0};
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
    TmlValue *body = part->value;
    TmlVec3 r;
    TmlMat33 A;
    if (body == NULL || tml_value_find(body, "velocity") != NULL ||
        tml_value_find(body, "angular_velocity") != NULL || !tml_adm_frame(adm, part, &r, &A)) {
        return; // what the part says itself counts
    }
    r = tml_adm_is_fe(part) ? tml_adm_fe(adm, part)->node[0].r : r; // ours is that of the first
    const TmlAdmSlice at = tml_adm_whole(part);
    tml_adm_set(adm, body, "velocity",
                tml_adm_turned(adm, at, v3_add(w.v, v3_cross(w.omega, r)))); // (V5)
    tml_adm_set(adm, body, "angular_velocity", tml_adm_turned(adm, at, w.omega));
}

/* Carry the twist over one joint. */
static void carry_twist(TmlAdm *adm, const Link *link, Twist *twist)
{
    Twist rel;
    if (!relative(adm, link->joint, link->marker, &rel)) {
        return; // reported: nothing will be run
    }
    const double s = link->to == 0 ? 1.0 : -1.0;
    const Twist *from = &twist[link->part[1 - link->to] - adm->item];
    Twist *to = &twist[link->part[link->to] - adm->item];
    *to = (Twist){v3_axpy(s, rel.omega, from->omega), v3_axpy(s, rel.v, from->v)};
    set_twist(adm, link->part[link->to], *to);
}

void tml_adm_initial(TmlAdm *adm)
{
    if (!any_condition(adm)) {
        return;
    }
    const Tree tree = make_tree(adm);
    Twist *twist = tml_arena_alloc(adm->arena, (size_t)adm->n, sizeof *twist);
    adm->nomem |= twist == NULL;
    for (int k = 0; k < tree.n && !adm->nomem; ++k) {
        carry_twist(adm, &tree.link[k], twist);
    }
}
