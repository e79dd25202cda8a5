/* model/modal/modal_node.c - frames of modal bodies. */
#include "model/flexible/flexible.h"
#include "model/modal/modal.h"

#include "math/vec3.h"

/* sum of x_j times the vectors of the modes. */
static TmlVec3 sum_of(const double *vectors, int m, const double *x)
{
    TmlVec3 sum = {0};
    for (int j = 0; j < m; ++j) {
        sum = v3_axpy(x[j], v3(vectors[3 * j], vectors[3 * j + 1], vectors[3 * j + 2]), sum);
    }
    return sum;
}

TmlVec3 tml_modal_place(const TmlModal *body, int frame)
{
    return frame < body->part->n_frames ? body->part->frame[frame].x : v3(0, 0, 0);
}

TmlAttach tml_modal_node(const TmlModal *body, int frame, const double *const x[3])
{
    const size_t at = 3 * (size_t)body->m * (size_t)frame;
    TmlAttach z;
    for (int level = 0; level < 3; ++level) {
        z.c[level] = sum_of(body->phi + at, body->m, x[level]);
        z.psi[level] = sum_of(body->psi + at, body->m, x[level]);
    }
    z.c[0] = v3_add(z.c[0], tml_modal_place(body, frame));
    return z;
}

int tml_modal_of_body(const TmlModel *m, int body)
{
    for (int k = 0; k < m->modals.n; ++k) {
        if (m->modals.at[k].body == body) {
            return k;
        }
    }
    return -1;
}

/* Initial coordinates are those of the hidden bodies, three each. */
static TmlAttach initial_node(const TmlModel *m, const TmlModal *b, int frame)
{
    const size_t at = 3 * (size_t)b->m * (size_t)frame;
    TmlAttach z = {{tml_modal_place(b, frame), {0, 0, 0}, {0, 0, 0}},
                   {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int j = 0; j < b->m; ++j) {
        const TmlBody *h = &m->bodies.at[b->first + j / 3];
        const double *phi = b->phi + at + 3 * j, *psi = b->psi + at + 3 * j;
        const double x[2] = {(&h->r0.x)[j % 3], (&h->v0.x)[j % 3]};
        for (int level = 0; level < 2; ++level) {
            z.c[level] = v3_axpy(x[level], v3(phi[0], phi[1], phi[2]), z.c[level]);
            z.psi[level] = v3_axpy(x[level], v3(psi[0], psi[1], psi[2]), z.psi[level]);
        }
    }
    return z;
}

TmlFrameKin tml_modal_initial_point(const TmlModel *m, int point)
{
    const TmlFlexPoint *p = &m->points.at[point];
    const TmlModal *b = &m->modals.at[p->modal];
    const TmlBody *body = &m->bodies.at[b->body];
    const TmlAttach z = initial_node(m, b, p->frame);
    const TmlFrameKin k = {
        .r = body->r0, .A = q4_matrix(body->p0), .v = body->v0, .omega = body->omega0};
    TmlFrameKin out;
    tml_attach_frame(&k, &z, &out);
    out.a = out.alpha = v3(0, 0, 0);
    return out;
}

TmlEnd tml_modal_undeformed(const TmlModel *m, const TmlEnd *end)
{
    const TmlFlexPoint *p = end->point > 0 ? &m->points.at[end->point - 1] : NULL;
    if (p == NULL || p->flex >= 0) {
        return *end;
    }
    const TmlVec3 x = tml_modal_place(&m->modals.at[p->modal], p->frame);
    return tml_body_end(end->body, v3_add(x, end->s_b), end->A_b);
}
