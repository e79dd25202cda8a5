/* model/contact/pair_force.c - from touches of two shapes to wrenches on two frames.
 *
 * Equations are those of model/contact/pair_point.h. Derivatives are in pair_tangent.c.
 */
#include "model/contact/pair_point.h"

#include "math/vec3.h"

#include <math.h>

TmlPairFrames tml_pair_frames(const TmlPairIn *in)
{
    TmlPairFrames g;
    const TmlMat33 R1 = m3_mul(&in->e[1]->A, &in->place[1]->A);
    g.x0 = v3_add(in->e[0]->r, m3_mulv(&in->e[0]->A, in->place[0]->r));
    g.x1 = v3_add(in->e[1]->r, m3_mulv(&in->e[1]->A, in->place[1]->r));
    g.R = m3_mul(&in->e[0]->A, &in->place[0]->A);
    g.pose.r = m3_tmulv(&g.R, v3_sub(g.x1, g.x0));
    g.pose.A = m3_tmul(&g.R, &R1);
    return g;
}

/* (C0) */
static void move_to_surface(double a, TmlTouch *t, TmlTouchRate *rate)
{
    const double part = t->size > 0.0 ? a : 0.5 * a;
    for (int k = 0; rate != NULL && k < TML_TOUCH_VARIABLES; ++k) {
        rate->p[k] = v3_axpy(part * rate->depth[k], t->n, rate->p[k]);
        rate->p[k] = v3_axpy(part * t->depth, rate->n[k], rate->p[k]);
    }
    t->p = v3_axpy(part * t->depth, t->n, t->p);
}

int tml_pair_touches(const TmlPairIn *in, const TmlPairFrames *g, double reach, TmlTouch *touch,
                     TmlTouchRate *rate)
{
    const int n =
        in->absent ? 0 : tml_touch(&in->shape[0], &in->shape[1], &g->pose, reach, touch, rate);
    for (int k = 0; k < n && in->acts != 0.0; ++k) {
        move_to_surface(in->acts, &touch[k], rate != NULL ? &rate[k] : NULL);
    }
    return n;
}

/* The rate with which a point closed: its own, else the largest of the pair. */
static double entry_of(const TmlPairIn *in, uint64_t id)
{
    double most = 0.0;
    for (int k = 0; k < in->n_memory; ++k) {
        const TmlPointMemory *memory = &in->memory[k];
        if (memory->id == id) {
            return signbit(memory->entry) && memory->before > 0.0 ? memory->before
                                                                  : fabs(memory->entry);
        }
        most = fmax(most, fabs(in->memory[k].entry));
    }
    return most;
}

TmlPoint tml_pair_motion(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t)
{
    const TmlFrameKin *a = in->e[0], *b = in->e[1];
    TmlPoint x; // large: what has no law is not even cleared
    x.P = v3_add(g->x0, m3_mulv(&g->R, t->p));
    x.N = m3_mulv(&g->R, t->n);
    x.f = x.slip.force = x.roll.torque = v3(0, 0, 0);
    x.press.force = x.by_fade = 0.0;
    x.z = v3(0, 0, 0);
    x.slot = -1;
    x.spin = 0.0;
    x.share = 1.0;
    x.by_share = x.rate_by_share = v3(0, 0, 0);
    x.patch = NULL;
    x.held = false;
    x.arm0 = v3_sub(x.P, a->r);
    x.arm1 = v3_sub(x.P, b->r);
    x.u = v3_sub(v3_add(b->v, v3_cross(b->omega, x.arm1)),
                 v3_add(a->v, v3_cross(a->omega, x.arm0))); // (C1)
    x.un = v3_dot(x.u, x.N);
    x.slip_v = v3_axpy(-x.un, x.N, x.u); // (C2)
    return x;
}

/* (C11) */
static void fade_press(double fade, TmlPoint *x)
{
    TmlPress *p = &x->press;
    const double part = 1.0 - fade;
    x->by_fade = -p->force;
    p->force *= part;
    p->by_depth *= part;
    p->by_size *= part;
    p->by_rate *= part;
    p->by_curvature[0] *= part;
    p->by_curvature[1] *= part;
    p->stored *= part;
    p->elastic *= part;
}

/* (C14) */
static void weigh(const TmlPairIn *in, TmlPoint *x)
{
    const double w = in->weight;
    const TmlMat33 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    TmlPress *p = &x->press;
    TmlSlip *s = &x->slip;
    if (!(w > 0.0)) {
        return;
    }
    x->by_fade *= w;
    p->force *= w;
    p->by_depth *= w;
    p->by_size *= w;
    p->by_rate *= w;
    p->by_curvature[0] *= w;
    p->by_curvature[1] *= w;
    p->stored *= w;
    p->elastic *= w;
    x->f = v3_scale(w, x->f);
    x->by_share = v3_scale(w, x->by_share);
    if (in->law->slip != NULL &&
        (p->force > 0.0 || x->slot >= 0)) { // what is a ratio of forces stays
        s->force = v3_scale(w, s->force);
        s->by_v = m3_axpy(w, &s->by_v, &none);
        s->by_z = m3_axpy(w, &s->by_z, &none);
        s->rate_by_force = v3_scale(1.0 / w, s->rate_by_force);
        s->stored *= w;
    }
    if (in->law->roll != NULL && p->force > 0.0) {
        x->roll.torque = v3_scale(w, x->roll.torque);
        x->roll.by_omega = m3_axpy(w, &x->roll.by_omega, &none);
        x->roll.by_n = m3_axpy(w, &x->roll.by_n, &none);
    }
}

TmlVec3 tml_point_deflection(const TmlPoint *x)
{
    return v3_axpy(-v3_dot(x->z, x->N), x->N, x->z);
}

/* The root of the share in (C17): one for a way in statics. */
static double point_root(const TmlPoint *x)
{
    return x->slot >= 0 ? sqrt(x->share) : 1.0;
}

/* (C16): the way of a point since it was laid down; none when that is not known. */
static void find_way(const TmlPairIn *in, uint64_t id, TmlPoint *x)
{
    for (int k = 0; k < in->n_memory && !x->held; ++k) {
        const TmlPointMemory *memory = &in->memory[k];
        if (memory->id == id && memory->held) {
            x->held = true;
            for (int e = 0; e < 2; ++e) {
                x->reach[e] = m3_mulv(&in->e[e]->A, memory->anchor[e]);
            }
            x->z = v3_sub(v3_add(in->e[1]->r, x->reach[1]), v3_add(in->e[0]->r, x->reach[0]));
        }
    }
}

TmlPatchSize tml_patch_size(const TmlTouch *touch, const TmlTouchRate *rate, int n)
{
    TmlPatchSize all = {0};
    for (int k = 0; k < n; ++k) {
        if (touch[k].size > 0.0) {
            all.size += touch[k].size;
            for (int i = 0; i < TML_TOUCH_VARIABLES && rate != NULL; ++i) {
                all.by[i] += rate[k].size[i];
            }
        }
    }
    return all;
}

/* (C17): from what the law says of the whole force of the patch to the piece's part of it. z: what the law was given. */
static void share_slip(double F, double root, TmlVec3 z, TmlPoint *x)
{
    const double a = x->share;
    const TmlMat33 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    TmlSlip *s = &x->slip;
    x->by_share = v3_axpy(-F / a, s->by_force, s->force);
    if (root != 1.0) { // the deflection falls as the piece grows: dz = -z da / (2 a)
        x->by_share = v3_axpy(-0.5, m3_mulv(&s->by_z, z), x->by_share);
        x->rate_by_share = v3_scale(0.5 / root, v3_sub(s->rate, m3_mulv(&s->rate_by_z, z)));
        x->rate_by_share = v3_axpy(-root * F / (a * a), s->rate_by_force, x->rate_by_share);
    }
    s->force = v3_scale(a, s->force);
    s->by_v = m3_axpy(a, &s->by_v, &none);
    s->by_z = m3_axpy(a / root, &s->by_z, &none);
    s->stored *= a;
    s->rate = v3_scale(root, s->rate);
    s->rate_by_v = m3_axpy(root, &s->rate_by_v, &none);
    s->rate_by_force = v3_scale(root / a, s->rate_by_force);
}

/* The friction of a point whose normal force is known; where there is none, its bristle springs back. */
static void point_slip(const TmlPairIn *in, bool straight, TmlPoint *x)
{
    const TmlSlipType *law = in->law->slip;
    const bool line = straight && !law->bristles;
    const double F = fmax(x->press.force, 0.0), root = point_root(x);
    const TmlSlipIn slip = {.data = in->law->slip_data,
                            .force = F / x->share,
                            .v = line ? v3(0, 0, 0) : x->slip_v,
                            .z = v3_scale(1.0 / root, tml_point_deflection(x)),
                            .uncut = straight && !line,
                            .least = in->least};
    x->slip = (TmlSlip){0};
    if (in->still) {
        if (x->held && law->hold != NULL) {
            law->hold(&slip, &x->slip);
        }
    } else {
        law->slip(&slip, &x->slip);
    }
    if (x->share != 1.0) {
        share_slip(F, root, slip.z, x);
    }
    if (in->still) {
        return;
    }
    if (line) {
        x->slip.force = m3_mulv(&x->slip.by_v, x->slip_v);
        x->slip.by_force = v3(0, 0, 0); // of a line whose slope is kept
    }
}

TmlPoint tml_pair_point(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t,
                        const TmlPatchSize *patch, bool straight, int slot)
{
    TmlPoint x = tml_pair_motion(in, g, t);
    if (patch != NULL && t->size > 0.0 && in->law->slip != NULL && in->law->slip->bristles) {
        x.share = t->size / patch->size;
        x.patch = patch;
    }
    if (in->still) {
        find_way(in, t->id, &x);
    } else if (slot >= 0) { // (C12)
        const double *z = in->bristles->y + 3 * slot;
        x.slot = slot;
        x.z = m3_mulv(&in->e[in->bristles->home]->A, v3(z[0], z[1], z[2]));
        x.spin = (in->bristles->home == 0 ? 0.5 : -0.5) *
                 v3_dot(x.N, v3_sub(in->e[1]->omega, in->e[0]->omega));
    }
    const TmlSide side = tml_pair_side(in, t);
    if (!tml_pair_closed(side, t->depth)) {
        return x;
    }
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = t->depth,
                              .size = t->size,
                              .rate = -x.un,
                              .curvature = {t->curvature[0], t->curvature[1]},
                              .entry = entry_of(in, t->id),
                              .continued = side == TML_SIDE_PRESSED};
    x.press = (TmlPress){0};
    in->law->press->press(&press, &x.press);
    if (side == TML_SIDE_SLACK || (x.press.force < 0.0 && tml_pair_cuts(in, side))) {
        x.press = (TmlPress){.stored = x.press.stored, .elastic = x.press.elastic};
    }
    fade_press(t->fade, &x);
    x.f = v3_scale(x.press.force, x.N); // (C3)
    if (in->law->slip != NULL && (x.press.force > 0.0 || x.slot >= 0)) {
        point_slip(in, straight, &x);
        x.f = v3_add(x.f, x.slip.force);
    }
    if (in->law->roll != NULL && x.press.force > 0.0) {
        const TmlRollIn roll = {.data = in->law->roll_data,
                                .force = x.press.force,
                                .n = x.N,
                                .omega = v3_sub(in->e[1]->omega, in->e[0]->omega)};
        x.roll = (TmlRoll){0};
        in->law->roll->roll(&roll, &x.roll); // (C10)
    }
    weigh(in, &x);
    return x;
}

TmlVec3 tml_point_bristle_rate(const TmlPoint *x)
{
    return v3_axpy(x->spin, v3_cross(x->N, x->z), x->slip.rate); // (C15); N x z is N x z_t
}

bool tml_pair_straight(const TmlPairIn *in, uint64_t id)
{
    for (int k = 0; in->watch != NULL && k < in->watch->n; ++k) {
        if (in->watch->id[k] == id) {
            return in->watch->straight[k];
        }
    }
    return false;
}

/* Notes what a law saturates in, the slip of a point or the deflection of its bristle, and says whether the correction before has
 * turned it round, from beyond the width of the law to beyond it on the other side. */
static bool turned_round(TmlSlipWatch *w, uint64_t id, TmlVec3 x, double width)
{
    const TmlVec3 beyond = v3_norm(x) > width ? x : v3(0, 0, 0);
    int k = 0;
    while (k < w->n && w->id[k] != id) {
        ++k;
    }
    if (k == w->n) {
        if (k < TML_SLIPS) {
            w->id[k] = id;
            w->v[k] = beyond;
            w->straight[k] = false;
            w->n++;
        }
        return false;
    }
    w->straight[k] = v3_dot(beyond, w->v[k]) < 0.0;
    w->v[k] = w->straight[k] ? v3(0, 0, 0) : beyond;
    return w->straight[k];
}

static bool slip_turned(const TmlPairIn *in, uint64_t id, TmlVec3 v)
{
    const TmlSlipType *law = in->law->slip;
    if (in->watch == NULL || law == NULL) {
        return false;
    }
    if (in->held) {
        return tml_pair_straight(in, id);
    }
    return law->width != NULL && turned_round(in->watch, id, v, law->width(in->law->slip_data));
}

/* The end of a bristle is known with the normal force only. */
static bool bristle_turned(const TmlPairIn *in, uint64_t id, const TmlPoint *x)
{
    const TmlSlipType *law = in->law->slip;
    if (in->watch == NULL || !in->single || x->slot < 0 || !(x->press.force > 0.0) ||
        law->reach == NULL) {
        return false;
    }
    const double end = fmax(law->reach(in->law->slip_data, x->press.force / x->share), in->least);
    return turned_round(in->watch, id, v3_scale(1.0 / point_root(x), tml_point_deflection(x)), end);
}

/* The energy of a bristle is a multiple of |z|^2, and its rate 2 E (z.z') / |z|^2. What goes into it is not lost. */
static void add_bristle(const TmlPairIn *in, const TmlPoint *x, TmlPairForce *out)
{
    const TmlVec3 z = tml_point_deflection(x);
    const TmlVec3 rate = m3_tmulv(&in->e[in->bristles->home]->A, tml_point_bristle_rate(x));
    const double square = v3_dot(z, z);
    const double change =
        square > 0.0 ? 2.0 * x->slip.stored * v3_dot(z, x->slip.rate) / square : 0.0;
    double *to = in->bristles->rate + 3 * x->slot;
    to[0] = rate.x;
    to[1] = rate.y;
    to[2] = rate.z;
    out->stored += x->slip.stored;
    out->power_elastic -= change;
    out->power_slip += change;
}

static void add_point(const TmlPairIn *in, const TmlPoint *x, TmlPairForce *out)
{
    out->w[1].r = v3_add(out->w[1].r, x->f);
    out->w[1].theta = v3_add(out->w[1].theta, v3_add(v3_cross(x->arm1, x->f), x->roll.torque));
    out->w[0].r = v3_sub(out->w[0].r, x->f);
    out->w[0].theta = v3_sub(out->w[0].theta, v3_add(v3_cross(x->arm0, x->f), x->roll.torque));
    out->touching++;
    out->force += x->press.force;
    out->stored += x->press.stored;
    out->power_elastic += x->press.elastic * x->un;
    out->power_press += (x->press.force - x->press.elastic) * x->un;
    out->power_slip += v3_dot(x->slip.force, x->slip_v) +
                       v3_dot(x->roll.torque, v3_sub(in->e[1]->omega, in->e[0]->omega));
    if (x->slot >= 0) {
        add_bristle(in, x, out);
    }
}

int tml_pair_slot(const TmlPairIn *in, uint64_t id, bool new, uint64_t *taken)
{
    const TmlBristles *b = in->law->slip != NULL && in->law->slip->bristles ? in->bristles : NULL;
    int chosen = -1;
    for (int k = 0; b != NULL && k < b->n; ++k) {
        const bool open = (*taken >> k & 1u) == 0;
        if (open && b->id[k] == (double)id + 1.0) {
            chosen = k;
            break;
        }
        chosen = new &&chosen < 0 && open && b->id[k] == 0.0 ? k : chosen; // the first that is free
    }
    *taken |= chosen >= 0 ? (uint64_t)1 << chosen : 0;
    return chosen;
}

int tml_pair_force(const TmlPairIn *in, TmlPairForce *out, TmlPairPoint *point)
{
    TmlTouch touch[TML_TOUCH_MAX];
    const TmlPairFrames g = tml_pair_frames(in);
    const int n = tml_pair_touches(in, &g, in->reach, touch, NULL);
    const TmlPatchSize patch = tml_patch_size(touch, NULL, n);
    uint64_t taken = 0;
    *out = (TmlPairForce){.depth = -HUGE_VAL};
    for (int k = 0; in->bristles != NULL && k < 3 * in->bristles->n; ++k) {
        in->bristles->rate[k] = 0.0;
    }
    for (int k = 0; k < n; ++k) {
        TmlPoint x = tml_pair_motion(in, &g, &touch[k]);
        const TmlSide side = tml_pair_side(in, &touch[k]);
        const bool closed = tml_pair_closed(side, touch[k].depth);
        const int slot = closed ? tml_pair_slot(in, touch[k].id, false, &taken) : -1;
        bool straight = closed && slip_turned(in, touch[k].id, x.slip_v);
        x = tml_pair_point(in, &g, &touch[k], &patch, straight, slot);
        if (bristle_turned(in, touch[k].id, &x)) {
            straight = true;
            x = tml_pair_point(in, &g, &touch[k], &patch, straight, slot);
        }
        out->straight = out->straight || straight;
        out->depth = fmax(out->depth, touch[k].depth);
        if (closed) {
            add_point(in, &x, out);
        }
        if (point != NULL) {
            point[k] = (TmlPairPoint){.id = touch[k].id,
                                      .p = x.P,
                                      .n = x.N,
                                      .friction = x.slip.force,
                                      .z = v3_scale(1.0 / point_root(&x), tml_point_deflection(&x)),
                                      .depth = touch[k].depth,
                                      .rate = -x.un,
                                      .size = touch[k].size,
                                      .share = x.share,
                                      .force = x.press.force,
                                      .curvature = {touch[k].curvature[0], touch[k].curvature[1]},
                                      .closed = closed,
                                      .side = side};
        }
    }
    return n;
}
