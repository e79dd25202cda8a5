/* system/contact/touching.c - near pairs as forces: ends, wrenches, blocks of the matrix. */
#include "system/contact/touching.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/force/pair.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <string.h>

enum { SLOTS_A_SHAPE = 16 };

/* --- layout ------------------------------------------------------------------------------------ */

static double farther(double radius, const TmlBodyShape *s)
{
    TmlVec3 low, high;
    s->shape.type->bounds(s->shape.data, &low, &high);
    const double reach =
        v3_norm(v3(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y)),
                   fmax(fabs(low.z), fabs(high.z))));
    // a shape without bounds is near to everything, wherever it is
    return isfinite(reach) ? fmax(radius, v3_norm(s->place.r) + reach) : radius;
}

/* A body whose shapes are all without bounds has no size of its own to take a margin from: at rest it would have none, and
 * its least motion would end the list of near pairs and every step with it. It counts as large as the largest of what it
 * may touch. */
static void size_planes(struct TmlTouching *t)
{
    double most = 0.0;
    for (int c = 0; c < t->n_carriers; ++c) {
        most = fmax(most, t->carrier[c].radius);
    }
    for (int c = 0; c < t->n_carriers; ++c) {
        t->carrier[c].radius = t->carrier[c].radius > 0.0 ? t->carrier[c].radius : most;
    }
}

/* Lists a carrier for each body with shapes, each station of a flexible body, and each shape at a frame of a modal body. */
static TmlStatus list_carriers(TmlSystem *sys, struct TmlTouching *t, TmlError *err)
{
    const TmlModel *m = sys->model;
    int *of_body;
    TML_NEW(&sys->arena, of_body, m->bodies.n);
    for (int k = 0; k < m->shapes.n; ++k) {
        const TmlBodyShape *s = &m->shapes.at[k];
        const int known = s->point > 0 || s->element > 0 ? 0 : of_body[s->body];
        const int c = known > 0 ? known - 1 : t->n_carriers++;
        if (known == 0) {
            t->carrier[c] = (TmlCarrier){.body = s->body,
                                         .element = s->element - 1,
                                         .point = s->point,
                                         .segment = s->segment,
                                         .sheet = s->sheet,
                                         .reach = s->reach,
                                         .end = sys->n_ends++};
            memcpy(t->carrier[c].open, s->open, sizeof s->open);
            memcpy(t->carrier[c].corner, s->corner, sizeof s->corner);
            of_body[s->body] = s->point > 0 || s->element > 0 ? 0 : c + 1;
        }
        t->carried_by[k] = c;
        t->carrier[c].radius = farther(t->carrier[c].radius, s);
    }
    size_planes(t);
    return TML_OK;
}

TmlStatus tml_touching_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    struct TmlTouching *t;
    if (m->contacts.n == 0 || m->shapes.n == 0) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, t, 1);
    TML_NEW(&sys->arena, t->carrier, m->shapes.n);
    TML_NEW(&sys->arena, t->carried_by, m->shapes.n);
    TML_TRY(list_carriers(sys, t, err));
    t->slots = SLOTS_A_SHAPE * m->shapes.n;
    TML_NEW(&sys->arena, t->memory, t->slots);
    t->memory0 = sys->n_memory;
    sys->n_memory += 1 + TML_MEMORY_VALUES * t->slots;
    sys->touching = t;
    TML_TRY(tml_near_pairs_setup(sys, err));
    TML_TRY(tml_own_setup(sys, err));
    return tml_bristles_setup(sys, err);
}

TmlStatus tml_touching_room(TmlSystem *sys, TmlError *err)
{
    TML_TRY(tml_own_room(sys, err));
    TML_TRY(tml_contact_rates_room(sys, err));
    return tml_bristles_room(sys, err);
}

void tml_touching_free(TmlSystem *sys)
{
    if (sys->touching != NULL) {
        tml_mem_free(sys->touching->near);
        tml_mem_free(sys->touching->coupling);
        tml_mem_free(sys->touching->wanted);
    }
}

void tml_touching_fill_ends(TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; t != NULL && k < t->n_carriers; ++k) {
        const TmlCarrier *c = &t->carrier[k];
        sys->end[c->end] = tml_body_end(c->body, v3(0, 0, 0), m3_identity());
        sys->end[c->end].point = c->point;
    }
}

/* That of the station, of which there is one at most; half of it where the other body has stations for this one, too. */
static double weight_of(const TmlBodyShape *a, const TmlBodyShape *b)
{
    const TmlBodyShape *station = a->weight > 0.0 ? a : b;
    const bool twice = a->element > 0 && b->element > 0 && station->mutual && a->face == b->face;
    return twice ? 0.5 * station->weight : station->weight;
}

/* Part of the length scale below which the end of a bristle is taken for rounding: some hundred units in the last place. */
static const double least_end = 1e-13;

TmlPairIn tml_near_in(const TmlSystem *sys, TmlNear *near, double reach)
{
    const TmlModel *m = sys->model;
    const TmlBodyShape *a = &m->shapes.at[near->shape[0]], *b = &m->shapes.at[near->shape[1]];
    if (near->bristle >= 0) {
        const TmlBristlePair *p = &m->bristles.at[near->bristle];
        near->bristles = (TmlBristles){
            .n = p->n,
            // a ball turns under its bristles, the floor does not
            .home = tml_carrier_moves(sys, tml_carrier_of(sys, near->shape[1])) ? 0 : 1,
            .id = sys->memory + sys->touching->bristle0 + p->first,
            .y = sys->touching->X + p->state0,
            .rate = sys->touching->bristle_rate + 3 * p->first,
        };
    }
    const TmlSided sided = tml_near_sides(sys, near);
    // a law that is continued beyond its end needs the point there
    const bool beyond = sided == TML_SIDED_ALL || (sided != TML_SIDED_NONE && near->pressed);
    const bool absent = near->travels && !tml_travel(sys, near, reach);
    return (TmlPairIn){
        .absent = absent,
        .shape = {a->shape, b->shape},
        .place = {&a->place, &b->place},
        .e = {sys->kin + tml_near_end(sys, near, 0), sys->kin + tml_near_end(sys, near, 1)},
        .law = tml_contact_law(m, near->contact, near->shape[0], near->shape[1]),
        .acts = tml_contact_acts(m, near->contact, near->shape[0], near->shape[1]),
        .weight = weight_of(a, b),
        .reach = beyond ? fmax(reach, tml_near_reach(sys, near)) : reach,
        .sided = sided,
        .crowded = sys->touching->crowded,
        .memory = sys->touching->memory + near->memory0,
        .n_memory = near->n_memory,
        .still = sys->touching->still,
        .bristles = near->bristle >= 0 ? &near->bristles : NULL,
        .watch = sys->touching->iterating ? &near->watch[sys->touching->stage] : NULL,
        .held = sys->touching->held,
        .single = !sys->touching->asked && !sys->touching->held,
        .least = least_end * sys->dim.length,
    };
}

/* --- forces ------------------------------------------------------------------------------------- */

bool tml_near_is_mutual(const TmlSystem *sys, const TmlNear *near)
{
    return tml_end_parts(sys, tml_near_end(sys, near, 0))->cols > 0 &&
           tml_end_parts(sys, tml_near_end(sys, near, 1))->cols > 0;
}

/* A pair that touches without blocks in the matrix: what follows from that is judged after the try. */
static void note_uncoupled(TmlSystem *sys, TmlNear *near)
{
    if (near->coupling < 0 && tml_near_is_mutual(sys, near)) {
        near->wanted = sys->touching->uncoupled = true;
    }
}

void tml_touching_residual(TmlSystem *sys, double *r)
{
    struct TmlTouching *t = sys->touching;
    t->straight = false;
    if (t->probing) {
        return;
    }
    tml_near_look(sys, 0.0);
    for (int k = 0; k < t->n; ++k) {
        TmlPairForce force;
        if (tml_near_sleeps(t, &t->near[k])) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, &t->near[k], 0.0);
        sys->stats.candidates++;
        if (tml_pair_force(&in, &force, NULL) == 0 || force.touching == 0) {
            continue;
        }
        sys->stats.contacts++;
        t->straight = t->straight || force.straight;
        note_uncoupled(sys, &t->near[k]);
        for (int e = 0; e < 2; ++e) {
            const TmlCarrier *c = &t->carrier[t->near[k].carrier[e]];
            TmlRow *w = &sys->wrench[c->end];
            if (c->segment) { // its end is elsewhere for another pair
                const TmlRow back = {v3_neg(force.w[e].r), v3_neg(force.w[e].theta)};
                tml_end_wrench(sys, c->end, &back, r);
                continue;
            }
            w->r = v3_sub(w->r, force.w[e].r);
            w->theta = v3_sub(w->theta, force.w[e].theta);
        }
        sys->power.stored += force.power_elastic;
        sys->power.press += force.power_press;
        sys->power.slip += force.power_slip;
    }
    t->held = t->held || t->asked;
    t->asked = false;
}

double tml_touching_stored(const TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    double stored = 0.0;
    for (int k = 0; k < t->n; ++k) {
        TmlPairForce force;
        const TmlPairIn in = tml_near_in(sys, &t->near[k], 0.0);
        tml_pair_force(&in, &force, NULL);
        stored += force.stored;
    }
    return stored;
}

/* block[ni * nj] = -T_i^T (Kq_ij P_j + Kv_ij W_j), (J4) of jacobian.c; map: that of end j. */
static void pair_block(const TmlSystem *sys, const int *end, int i, int j, const double *Kq,
                       const double *Kv, const TmlFrameMap *map, double *block)
{
    const int nj = tml_end_parts(sys, end[j])->cols;
    double *X = sys->room.X;
    for (int r = 0; r < 6; ++r) {
        const double *q = Kq + (6 * i + r) * PAIR_SIZE + 6 * j;
        const double *v = Kv + (6 * i + r) * PAIR_SIZE + 6 * j;
        for (int c = 0; c < nj; ++c) {
            double x = 0.0;
            for (int p = 0; p < 6; ++p) {
                x -= q[p] * map->P[p * nj + c] + v[p] * map->W[p * nj + c];
            }
            X[r * nj + c] = x;
        }
    }
    tml_end_dual(sys, end[i], X, nj, block);
}

/* The blocks between two ends go to the couplings, body by body; what both have in common to the diagonal. */
static void add_mutual(TmlSystem *sys, const TmlNear *near, const TmlParts *pi, const TmlParts *pj,
                       const double *block)
{
    struct TmlTouching *t = sys->touching;
    for (int a = 0; a < pi->n; ++a) {
        for (int b = 0; b < pj->n; ++b) {
            const int x = pi->body[a], y = pj->body[b];
            const int nr = pi->col[a + 1] - pi->col[a], nc = pj->col[b + 1] - pj->col[b];
            double part[TML_BODY_MAX_NU * TML_BODY_MAX_NU];
            for (int k = 0; k < nr * nc; ++k) {
                part[k] = block[(pi->col[a] + k / nc) * pj->cols + pj->col[b] + k % nc];
            }
            if (x == y) {
                tml_parts_block(sys, &sys->parts[x], &sys->parts[x], part, true);
                continue;
            }
            const bool alone = pi->n == 1 && pj->n == 1;
            TmlCoupling *to = &t->coupling[alone ? near->coupling : tml_coupling_find(sys, x, y)];
            double *sum = to->block[x == to->body[0] ? 0 : 1];
            for (int k = 0; k < nr * nc; ++k) {
                sum[k] += part[k];
            }
        }
    }
}

/* The block of an end with itself: of a body to the diagonal, of a flexible element or a modal body to what is emitted for all
 * of it. */
static void add_own(TmlSystem *sys, const TmlCarrier *c, const double *block)
{
    const TmlParts *p = tml_end_parts(sys, c->end);
    if (c->point == 0) {
        tml_parts_block(sys, p, p, block, true);
        return;
    }
    double *sum = tml_own_block(sys, c);
    for (int k = 0; k < p->cols * p->cols; ++k) {
        sum[k] += block[k];
    }
}

void tml_near_add(TmlSystem *sys, const TmlNear *near, int i, int j, const double *block)
{
    if (i == j) {
        add_own(sys, tml_carrier_of(sys, near->shape[i]), block);
    } else if (near->coupling >= 0) {
        add_mutual(sys, near, tml_end_parts(sys, tml_near_end(sys, near, i)),
                   tml_end_parts(sys, tml_near_end(sys, near, j)), block);
    }
}

/* The blocks of one pair: those of a body with itself go to the diagonal, the others to the coupling. */
static void near_blocks(TmlSystem *sys, TmlNear *near, TmlCoeffs c)
{
    TmlPairIn in = tml_near_in(sys, near, 0.0);
    const int end[2] = {tml_near_end(sys, near, 0), tml_near_end(sys, near, 1)};
    in.stiff = &near->stiff;
    near->stiff.n = 0;
    double Kq[PAIR_SIZE * PAIR_SIZE] = {0}, Kv[PAIR_SIZE * PAIR_SIZE] = {0};
    double *block = sys->room.block;
    if (near->bristle >= 0) {
        memset(sys->touching->tangent, 0,
               (size_t)near->bristles.n * sizeof *sys->touching->tangent);
    }
    if (!tml_pair_tangent(&in, Kq, Kv, sys->touching->tangent)) {
        return;
    }
    if (near->bristle >= 0) {
        tml_bristles_take(sys, near, end, c);
    }
    for (int j = 0; j < 2; ++j) {
        const TmlParts *pj = tml_end_parts(sys, end[j]);
        TmlFrameMap map = sys->room.map[0];
        if (pj->cols == 0) {
            continue;
        }
        tml_end_map(sys, end[j], c, TML_MAP_MOTION | TML_MAP_TWIST, &map);
        for (int i = 0; i < 2; ++i) {
            const TmlParts *pi = tml_end_parts(sys, end[i]);
            if (pi->cols == 0 || (i != j && near->coupling < 0)) {
                continue;
            }
            pair_block(sys, end, i, j, Kq, Kv, &map, block);
            tml_near_add(sys, near, i, j, block);
        }
    }
    if (near->travels) {
        tml_travel_blocks(sys, near, &in, Kq, Kv, c);
    }
}

/* Bodies with shapes have full diagonal blocks in the pattern, whatever touches them. */
static void mark_diagonals(TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    double *zero = sys->room.block;
    memset(zero, 0, (size_t)sys->stride * (size_t)sys->stride * sizeof *zero);
    for (int k = 0; k < t->n_carriers; ++k) {
        const TmlParts *p = tml_end_parts(sys, t->carrier[k].end);
        if (p->cols > 0 && t->carrier[k].point == 0) {
            tml_parts_block(sys, p, p, zero, true);
        }
    }
}

void tml_touching_blocks(TmlSystem *sys, TmlCoeffs c, double c_x, bool plain)
{
    struct TmlTouching *t = sys->touching;
    if (sys->target->blocks->pass != TML_PASS_ADD) {
        mark_diagonals(sys);
    }
    if (t->n_bristles > 0) {
        tml_bristles_clear(sys);
    }
    for (int k = 0; k < t->n_couplings; ++k) {
        memset(t->coupling[k].block, 0, sizeof t->coupling[k].block);
    }
    tml_near_look(sys, 0.0);
    tml_own_clear(sys);
    for (int k = 0; k < t->n && !t->probing; ++k) {
        if (!tml_near_sleeps(t, &t->near[k])) {
            near_blocks(sys, &t->near[k], c);
        }
    }
    tml_own_emit(sys, c);
    for (int k = 0; k < t->n_couplings; ++k) {
        const TmlCoupling *x = &t->coupling[k];
        const TmlBodySpan *a = &sys->dim.span[x->body[0]], *b = &sys->dim.span[x->body[1]];
        tml_emit(sys, a->u0, a->nu, b->u0, b->nu, x->block[0], true);
        tml_emit(sys, b->u0, b->nu, a->u0, a->nu, x->block[1], true);
    }
    tml_bristles_emit(sys, c_x, plain);
}

/* --- facts -------------------------------------------------------------------------------------- */

/* Whether slips are watched; what was seen of them is forgotten. */
static void watch_slips(struct TmlTouching *t, bool on)
{
    t->iterating = on;
    t->straight = t->asked = t->held = false;
    for (int k = 0; k < t->n && on; ++k) {
        for (int i = 0; i < TML_SLIP_STAGES; ++i) {
            t->near[k].watch[i].n = 0;
        }
    }
    t->stage = 0;
}

bool tml_system_iterate(TmlSystem *sys, TmlIteration *iteration, void *arg)
{
    if (sys->touching == NULL) {
        return iteration(arg);
    }
    watch_slips(sys->touching, true);
    const bool converged = iteration(arg);
    watch_slips(sys->touching, false);
    return converged;
}

void tml_system_watch_stage(TmlSystem *sys, int stage)
{
    if (sys->touching != NULL) {
        sys->touching->stage = stage;
    }
}

/* Whether the tangent stands for the law of a point in some stage. */
static bool turned_somewhere(const TmlNear *near, uint64_t id)
{
    bool turned = false;
    for (int i = 0; i < TML_SLIP_STAGES; ++i) {
        const TmlSlipWatch *w = &near->watch[i];
        for (int k = 0; k < w->n; ++k) {
            turned = turned || (w->id[k] == id && w->straight[k]);
        }
    }
    return turned;
}

/* Slips beyond so many widths of their law have next to no tangent: that of tanh is 0.18 of the one at zero. */
static const double flat_widths = 1.5;

static bool was_stiff(const TmlNear *near, uint64_t id)
{
    bool stiff = false;
    for (int k = 0; k < near->stiff.n && !stiff; ++k) {
        stiff = near->stiff.id[k] == id;
    }
    return stiff;
}

bool tml_system_slips_hidden(const TmlSystem *sys)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; t != NULL && t->iterating && k < t->n; ++k) {
        const TmlNear *near = &t->near[k];
        if (near->stiff.n == 0) {
            continue;
        }
        const TmlContactLaw *law =
            tml_contact_law(sys->model, near->contact, near->shape[0], near->shape[1]);
        const double flat = flat_widths * law->slip->width(law->slip_data);
        for (int i = 0; i < TML_SLIP_STAGES; ++i) {
            for (int p = 0; p < near->watch[i].n; ++p) {
                if (v3_norm(near->watch[i].v[p]) > flat && was_stiff(near, near->watch[i].id[p])) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool tml_system_share_turns(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    bool any = false;
    for (int k = 0; t != NULL && t->iterating && k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        for (int i = 0; i < TML_SLIP_STAGES; ++i) {
            TmlSlipWatch *w = &near->watch[i];
            for (int p = 0; p < w->n; ++p) {
                w->straight[p] = turned_somewhere(near, w->id[p]);
                w->v[p] = w->straight[p] ? v3(0, 0, 0) : w->v[p];
                any = any || w->straight[p];
            }
        }
    }
    return any;
}

void tml_system_note_slips(TmlSystem *sys)
{
    if (sys->touching != NULL) {
        sys->touching->asked = sys->touching->iterating;
        sys->touching->held = false;
    }
}

bool tml_system_slips_turned(const TmlSystem *sys)
{
    return sys->touching != NULL && sys->touching->straight;
}

bool tml_system_touches(const TmlSystem *sys)
{
    return sys->touching != NULL;
}

TmlTouchingStats tml_system_touching_stats(const TmlSystem *sys)
{
    TmlTouchingStats stats = {0};
    if (sys->touching != NULL) {
        stats = sys->touching->stats;
        stats.candidates = sys->stats.candidates;
        stats.contacts = sys->stats.contacts;
    }
    return stats;
}
