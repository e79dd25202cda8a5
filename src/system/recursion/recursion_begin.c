/* system/recursion/recursion_begin.c - constants of the links at a state, from which coordinates count. */
#include "system/recursion/links.h"

#include "math/vec3.h"

#include <string.h>

/* Where something is, and how it moves. */
typedef struct Pose {
    TmlVec3 r, v, w;
    TmlMat33 A;
    TmlQuat p;
} Pose;

static Pose pose_of_body(const TmlSystem *sys, const TmlState *s, int body)
{
    const TmlBodySpan *span = &sys->dim.span[body];
    Pose b = {.A = m3_identity(), .p = q4_identity()};
    double u[6] = {0};
    if (body == TML_GROUND) {
        return b;
    }
    const double *q = s->q + span->q0;
    sys->model->bodies.at[body].type->reduce(q, s->v + span->q0, u);
    b.r = v3(q[0], q[1], q[2]);
    b.v = v3(u[0], u[1], u[2]);
    if (span->nq == 7) {
        b.p = q4_unit((TmlQuat){q[3], q[4], q[5], q[6]});
        b.A = q4_matrix(b.p);
        b.w = v3(u[3], u[4], u[5]);
    }
    return b;
}

/* The same of a frame on a body. */
static Pose pose_of_frame(const Pose *b, const TmlEnd *end)
{
    const TmlVec3 s = m3_mulv(&b->A, end->s_b);
    return (Pose){.r = v3_add(b->r, s),
                  .v = v3_add(b->v, v3_cross(b->w, s)),
                  .w = b->w,
                  .A = m3_mul(&b->A, &end->A_b)};
}

/* Returns the pose of a link at the last motion. */
static Pose pose_of_link(const TmlRecursion *r, int link)
{
    const TmlLinkMotion *m = &r->motion[link];
    return (Pose){m->r, m->v, m->w, m->A, link < 0 ? q4_identity() : r->p[link]};
}

static TmlVec3 column(const TmlMat33 *A, int k)
{
    return k == 0 ? A->cx : k == 1 ? A->cy : A->cz;
}

static void put(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

/* Sets the constants of one link, with its coordinate and speed; D: the motion of the child's frame relative to what the parent
 * makes of it. */
static void begin_link(TmlRecursion *r, int k, TmlVec3 axis, const TmlMat33 *like, TmlVec3 point,
                       const Pose *D, TmlQuat p_child, double *x, double *y)
{
    TmlLink *l = &r->link[k];
    const Pose from = pose_of_link(r, l->parent);
    TmlMat33 A = from.A;
    TmlQuat p = from.p;
    l->d = m3_tmulv(&from.A, v3_sub(point, from.r));
    x[l->x0] = 0.0;
    switch (l->kind) {
    case TML_LINK_PIN:
        A = like != NULL ? *like : m3_from_z(axis, v3(0, 0, 0));
        l->L = m3_tmul(&from.A, &A);
        r->L[k] = q4_from_matrix(&l->L);
        p = q4_mul(from.p, r->L[k]);
        y[l->y0] = v3_dot(axis, D->w);
        break;
    case TML_LINK_SLIDE:
        l->e = m3_tmulv(&from.A, axis);
        y[l->y0] = v3_dot(axis, D->v);
        break;
    case TML_LINK_SHIFT:
        put(x + l->x0, v3(0, 0, 0));
        put(y + l->y0, m3_tmulv(&from.A, D->v));
        break;
    case TML_LINK_BALL: {
        const TmlQuat q = q4_mul(q4_conj(from.p), p_child);
        x[l->x0] = q.w, x[l->x0 + 1] = q.x, x[l->x0 + 2] = q.y, x[l->x0 + 3] = q.z;
        put(y + l->y0, m3_tmulv(&from.A, D->w));
        A = q4_matrix(p_child);
        p = p_child;
        break;
    }
    }
    r->motion[k].r = point;
    r->motion[k].A = A;
    r->p[k] = p;
}

static void begin_hang(TmlRecursion *r, const TmlState *s, const TmlHang *h, double *x, double *y)
{
    const Pose parent = pose_of_body(r->sys, s, h->parent),
               child = pose_of_body(r->sys, s, h->body);
    const Pose from = pose_of_frame(&parent, &h->from), at = pose_of_frame(&child, &h->at);
    const TmlVec3 arm = v3_sub(at.r, parent.r);
    const Pose D = {.v = v3_sub(at.v, v3_add(parent.v, v3_cross(parent.w, arm))),
                    .w = v3_sub(child.w, parent.w)};
    for (int k = 0; k < h->n; ++k) {
        const bool own = h->axis[k] > 2; // of the child
        const Pose *frame = own ? &at : &from;
        const bool first = r->link[h->first + k].kind == TML_LINK_PIN && h->axis[k] == 2;
        begin_link(r, h->first + k, column(&frame->A, h->axis[k] % 3), first ? &from.A : NULL, at.r,
                   &D, child.p, x, y);
    }
    // the body on its link
    TmlBodyPlace *b = &r->place[h->body];
    const Pose link = pose_of_link(r, b->link);
    b->s = m3_tmulv(&link.A, v3_sub(child.r, link.r));
    b->p = q4_mul(q4_conj(link.p), child.p);
    b->K = m3_tmul(&link.A, &child.A);
}

/* --- inertia ---------------------------------------------------------------------------------- */

static void inertia_of(const TmlRecursion *r, int body, double *mass, TmlSym *J)
{
    const TmlBody *b = &r->sys->model->bodies.at[body];
    TmlMat33 own = {0};
    b->type->inertia(b->data, mass, &own);
    const TmlSym S = sym_of(&own);
    *J = sym_turn(&r->place[body].K, &S);
}

/* Sets mass, centre and inertia of each link from the bodies on it. */
static void begin_inertia(TmlRecursion *r)
{
    for (int k = 0; k < r->n_links; ++k) {
        r->link[k].mass = 0.0;
        r->link[k].c = v3(0, 0, 0);
        r->link[k].J = (TmlSym){0};
    }
    for (int b = 1; b < r->sys->dim.nb; ++b) {
        const TmlBodyPlace *at = &r->place[b];
        if (at->link < 0) {
            continue;
        }
        TmlLink *l = &r->link[at->link];
        double mass;
        TmlSym J;
        inertia_of(r, b, &mass, &J);
        const double all = l->mass + mass;
        const TmlVec3 apart = v3_sub(at->s, l->c);
        if (all > 0.0) {
            sym_add_offset(&l->J, l->mass * mass / all, apart);
            l->c = v3_axpy(mass / all, apart, l->c);
        }
        sym_add(&l->J, &J);
        l->mass = all;
    }
    for (int k = 0; k < r->n_links; ++k) {
        TmlLink *l = &r->link[k];
        l->C = l->J;
        sym_add_offset(&l->C, l->mass, l->c);
    }
}

/* Sets the ground, which carries the weight as an acceleration. */
static void begin_ground(TmlRecursion *r)
{
    r->motion[-1] = (TmlLinkMotion){.A = m3_identity()};
    r->ra[-1] = r->rw[-1] = v3(0, 0, 0);
}

bool tml_recursion_begin(TmlRecursion *r, const TmlState *s, double *x, double *y)
{
    begin_ground(r);
    for (int k = 0; k < r->n_hangs; ++k) {
        begin_hang(r, s, &r->hang[k], x, y);
    }
    begin_inertia(r);
    memmove(r->x, x, (size_t)r->nx * sizeof *x);
    memmove(r->y, y, (size_t)r->ny * sizeof *y);
    tml_links_move(r);
    tml_links_axes_begin(r);
    return tml_links_articulate(r) && tml_loops_choose(r, s->t);
}
