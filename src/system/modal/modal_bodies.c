/* system/modal/modal_bodies.c - modal bodies in the equations: see modal_bodies.h. */
#include "system/modal/modal_bodies.h"

#include "base/fail.h"
#include "math/array.h"
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- setup ------------------------------------------------------------------------------------------------ */

static TmlStatus body_setup(TmlSystem *sys, const TmlModal *b, TmlModalState *to, TmlError *err)
{
    const int hidden = (b->m + 2) / 3;
    int *body, *col;
    to->body = b;
    TML_NEW(&sys->arena, body, hidden + 1);
    TML_NEW(&sys->arena, col, hidden + 2);
    body[0] = b->body;
    col[1] = 6;
    for (int k = 1; k <= hidden; ++k) {
        body[k] = b->first + k - 1;
        col[k + 1] = col[k] + sys->dim.span[body[k]].nu;
    }
    to->parts = (TmlParts){hidden + 1, 6 + b->m, body, col};
    for (int level = 0; level < 3; ++level) {
        TML_NEW(&sys->arena, to->x[level], b->m);
    }
    TML_NEW(&sys->arena, to->e, 6 + b->m);
    return tml_modal_sums_create(b, &sys->arena, &to->sums, err);
}

/* Lists the frames that the ends from `from` to `to` need and that are not in the list yet. */
static void list_nodes(TmlSystem *sys, int from, int to)
{
    struct TmlSystemModal *modal = sys->modal;
    for (int k = from; k < to; ++k) {
        const int point = sys->end[k].point - 1;
        const bool ours = point >= 0 && sys->model->points.at[point].flex < 0;
        if (ours && modal->node_of[point] < 0) {
            modal->node_of[point] = modal->n_nodes;
            modal->node[modal->n_nodes++].point = point;
        }
    }
}

TmlStatus tml_modal_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    size_t most = 0;
    if (m->modals.n == 0) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, sys->modal, 1);
    TML_NEW(&sys->arena, sys->modal->at, m->modals.n);
    sys->modal->n = m->modals.n;
    for (int k = 0; k < m->modals.n; ++k) {
        const size_t n = (size_t)m->modals.at[k].m + 6;
        TML_TRY(body_setup(sys, &m->modals.at[k], &sys->modal->at[k], err));
        most = n > most ? n : most;
    }
    TML_NEW(&sys->arena, sys->modal->told, m->modals.n);
    TML_NEW(&sys->arena, sys->modal->K, most * most);
    TML_NEW(&sys->arena, sys->modal->y, 3 * most);
    TML_NEW(&sys->arena, sys->modal->node, m->points.n);
    TML_NEW(&sys->arena, sys->modal->node_of, m->points.n);
    for (int k = 0; k < m->points.n; ++k) {
        sys->modal->node_of[k] = -1;
    }
    list_nodes(sys, 0, sys->n_ends_loop);
    sys->modal->n_nodes_loop = sys->modal->n_nodes;
    list_nodes(sys, sys->n_ends_loop, sys->n_ends);
    return TML_OK;
}

/* --- motion ----------------------------------------------------------------------------------------------- */

void tml_modal_kinematics(TmlSystem *sys, const TmlState *s, bool channels)
{
    struct TmlSystemModal *modal = sys->modal;
    for (int k = 0; k < modal->n; ++k) {
        TmlModalState *b = &modal->at[k];
        const size_t size = (size_t)b->body->m * sizeof(double);
        const int q0 = b->body->m > 0 ? sys->dim.span[b->body->first].q0 : 0;
        memcpy(b->x[0], s->q + q0, size);
        memcpy(b->x[1], s->v + q0, size);
        memcpy(b->x[2], s->a + q0, size);
    }
    const int n = channels ? modal->n_nodes : modal->n_nodes_loop;
    for (int k = 0; k < n; ++k) {
        TmlModalNode *node = &modal->node[k];
        const TmlFlexPoint *p = &sys->model->points.at[node->point];
        const TmlModalState *b = &modal->at[p->modal];
        const double *const x[3] = {b->x[0], b->x[1], b->x[2]};
        node->z = tml_modal_node(b->body, p->frame, x);
        tml_attach_frame(&sys->body[b->body->body].k, &node->z, &node->k);
    }
}

/* What the equations of a body are given at the last kinematics. */
static TmlModalIn modal_in(const TmlSystem *sys, const TmlModalState *b)
{
    const TmlFrameKin *k = &sys->body[b->body->body].k;
    return (TmlModalIn){
        .body = b->body,
        .f = m3_tmulv(&k->A, v3_sub(k->a, sys->gravity)),
        .w = m3_tmulv(&k->A, k->omega),
        .al = m3_tmulv(&k->A, k->alpha),
        .eta = b->x[0],
        .eta1 = b->x[1],
        .eta2 = b->x[2],
    };
}

/* r[nu] += e[6 + m], whose first six are in body axes. */
static void scatter(const TmlSystem *sys, const TmlModalState *b, const double *e, double *r)
{
    const TmlMat33 *A = &sys->body[b->body->body].k.A;
    double *to = r + sys->dim.span[b->body->body].u0;
    v3_put(to, v3_add(v3_at(to), m3_mulv(A, v3_at(e))));
    v3_put(to + 3, v3_add(v3_at(to + 3), m3_mulv(A, v3_at(e + 3))));
    for (int j = 0; j < b->body->m; ++j) {
        r[sys->dim.span[b->body->first].u0 + j] += e[6 + j];
    }
}

void tml_modal_forces(TmlSystem *sys, double *r)
{
    for (int k = 0; k < sys->modal->n; ++k) {
        TmlModalState *b = &sys->modal->at[k];
        const TmlModalIn in = modal_in(sys, b);
        tml_modal_shape(&in, &b->sums);
        tml_modal_rates(&in, &b->sums);
        tml_modal_residual(&in, &b->sums, b->e);
        scatter(sys, b, b->e, r);
        sys->power.stored += tml_modal_power(&in, &b->sums);
    }
}

/* --- derivatives ------------------------------------------------------------------------------------------ */

/* X[9 * 6]: what f, w and al change by, in body axes, with the unknowns of the frame; turn[6]: its rotation. With A turning by
 * dtheta, d(A^T x) = A^T (dx - dtheta x x). */
static void frame_changes(const TmlSystem *sys, int body, TmlCoeffs c, double *X, TmlVec3 turn[6])
{
    const TmlFrameKin *k = &sys->body[body].k;
    const TmlEnd origin = tml_body_end(body, v3(0, 0, 0), m3_identity());
    const TmlVec3 now[3] = {v3_sub(k->a, sys->gravity), k->omega, k->alpha};
    TmlBodyMap room;
    TmlFrameMap map = tml_body_map(&room);
    sys->model->bodies.at[body].type->frame_map(&sys->body[body], &origin, c, TML_MAP_ALL, &map);
    for (int j = 0; j < 6; ++j) {
        const double *const from[3] = {room.B + j, room.W + 18 + j, room.B + 18 + j};
        turn[j] = v3(room.P[18 + j], room.P[24 + j], room.P[30 + j]);
        for (int i = 0; i < 3; ++i) {
            const TmlVec3 dx = v3(from[i][0], from[i][6], from[i][12]);
            const TmlVec3 d = m3_tmulv(&k->A, v3_sub(dx, v3_cross(turn[j], now[i])));
            X[18 * i + j] = d.x;
            X[18 * i + 6 + j] = d.y;
            X[18 * i + 12 + j] = d.z;
        }
    }
}

/* Turns the first six rows of K to global axes. */
static void turn_rows(const TmlMat33 *A, int n, double *K)
{
    for (int part = 0; part < 6; part += 3) {
        double *x = K + part * n, *y = x + n, *z = y + n;
        for (int c = 0; c < n; ++c) {
            const TmlVec3 v = m3_mulv(A, v3(x[c], y[c], z[c]));
            x[c] = v.x;
            y[c] = v.y;
            z[c] = v.z;
        }
    }
}

void tml_modal_blocks(TmlSystem *sys, TmlCoeffs c)
{
    double *K = sys->modal->K;
    for (int k = 0; k < sys->modal->n; ++k) {
        TmlModalState *b = &sys->modal->at[k];
        const int n = 6 + b->body->m;
        const TmlMat33 *A = &sys->body[b->body->body].k.A;
        const TmlModalIn in = modal_in(sys, b);
        double X[54];
        TmlVec3 turn[6];
        frame_changes(sys, b->body->body, c, X, turn);
        tml_modal_tangent(&in, &b->sums, X, c.q, c.v, c.a, K);
        turn_rows(A, n, K);
        // the rows themselves turn with the frame
        for (int j = 0; j < 6; ++j) {
            for (int part = 0; part < 6; part += 3) {
                const TmlVec3 d = v3_cross(turn[j], m3_mulv(A, v3_at(b->e + part)));
                K[part * n + j] += d.x;
                K[(part + 1) * n + j] += d.y;
                K[(part + 2) * n + j] += d.z;
            }
        }
        tml_parts_block(sys, &b->parts, &b->parts, K, true);
    }
}

/* --- mass and energy -------------------------------------------------------------------------------------- */

void tml_modal_mass_mul(const TmlSystem *sys, const double *x, double *y)
{
    for (int k = 0; k < sys->modal->n; ++k) {
        TmlModalState *b = &sys->modal->at[k];
        const int n = 6 + b->body->m, u0 = sys->dim.span[b->body->body].u0;
        const TmlMat33 *A = &sys->body[b->body->body].k.A;
        const TmlModalIn in = modal_in(sys, b);
        double *to = sys->modal->y, *from = sys->modal->y + n;
        tml_modal_shape(&in, &b->sums);
        v3_put(from, m3_tmulv(A, v3_at(x + u0)));
        v3_put(from + 3, m3_tmulv(A, v3_at(x + u0 + 3)));
        if (b->body->m > 0) {
            memcpy(from + 6, x + sys->dim.span[b->body->first].u0,
                   (size_t)b->body->m * sizeof *from);
        }
        tml_modal_mass_times(b->body, &b->sums, from, to);
        scatter(sys, b, to, y);
    }
}

void tml_modal_mass_diagonal(TmlSystem *sys, double *d, double *total)
{
    for (int k = 0; k < sys->modal->n; ++k) {
        const TmlModal *b = sys->modal->at[k].body;
        const double trace = b->G[0] + b->G[4] + b->G[8];
        *total += b->mass;
        for (int i = 0; i < 6; ++i) {
            const double turning = (2.0 * trace + b->J_r[0] + b->J_r[4] + b->J_r[8]) / 3.0;
            d[sys->dim.span[b->body].u0 + i] += i < 3 ? b->mass : turning;
        }
        for (int j = 0; j < b->m; ++j) {
            d[sys->dim.span[b->first].u0 + j] += b->M[(size_t)j * (size_t)b->m + (size_t)j];
        }
    }
}

void tml_modal_energy(const TmlSystem *sys, TmlEnergy *e)
{
    for (int k = 0; k < sys->modal->n; ++k) {
        TmlModalState *b = &sys->modal->at[k];
        const TmlFrameKin *f = &sys->body[b->body->body].k;
        const TmlModalIn in = modal_in(sys, b);
        tml_modal_shape(&in, &b->sums);
        tml_modal_rates(&in, &b->sums);
        const TmlVec3 moment = v3_axpy(b->body->mass, f->r, m3_mulv(&f->A, b->sums.S));
        e->kinetic += tml_modal_kinetic(&in, &b->sums, m3_tmulv(&f->A, f->v));
        e->gravity -= v3_dot(sys->gravity, moment);
        e->stored += tml_modal_stored(&in, &b->sums);
    }
}

/* Displacements are linear in the coordinates. Measured on a cantilever that is bent by a tenth of its length: its tip is off by 1e-3 of the
 * length in mean axes and by 6e-3 in a frame at the clamp; bent by a third, by 0.01 and 0.06 (docs/theory/modal.md). */
static const double much = 0.1;

TmlStatus tml_modal_check(TmlSystem *sys, const TmlState *s, const char **told, TmlError *err)
{
    *told = NULL;
    for (int k = 0; sys->modal != NULL && k < sys->modal->n; ++k) {
        const TmlModal *b = sys->modal->at[k].body;
        double most = 0.0;
        for (int j = 0; j < b->m; ++j) {
            most = fmax(most, fabs(s->q[sys->dim.span[b->first].q0 + j]));
        }
        if (most > b->part->size) {
            return tml_fail(err, TML_E_STEP,
                            "modal body '%s' is deformed by %.3g m at t = %.9g s, more than its "
                            "size of %.3g m, which is too much for modes; %s, divide the part into "
                            "several, or use a flexible body",
                            b->name, most, s->t, b->part->size,
                            b->options.stiffened
                                ? "look for a load that is too large"
                                : "reduce it with stiffening: {centrifugal: true} if it spins");
        }
        if (most > much * b->part->size && !sys->modal->told[k]) {
            sys->modal->told[k] = true;
            snprintf(sys->modal->text, sizeof sys->modal->text,
                     "modal body '%s' is deformed by %.0f %% of its size at t = %.6g s; modes are "
                     "linear, and results "
                     "are off by a part of that: divide the part into several",
                     b->name, 100.0 * most / b->part->size, s->t);
            *told = sys->modal->text;
        }
    }
    return TML_OK;
}

bool tml_modal_coordinate_name(const TmlSystem *sys, int body, int component, char *text,
                               size_t size)
{
    const TmlModel *m = sys->model;
    for (int k = 0; k < m->modals.n; ++k) {
        const TmlModal *b = &m->modals.at[k];
        if (body >= b->first && body < b->first + (b->m + 2) / 3) {
            snprintf(text, size, "modal body '%s': mode %d", b->name,
                     3 * (body - b->first) + component + 1);
            return true;
        }
    }
    return false;
}

double tml_modal_change(const TmlSystem *sys, int modal, int mode, const double *du)
{
    const TmlModal *b = sys->modal->at[modal].body;
    return du[sys->dim.span[b->first].u0 + mode] / b->scale[mode];
}

double tml_modal_value(const TmlSystem *sys, int modal, int mode, int level)
{
    const TmlModalState *b = &sys->modal->at[modal];
    return b->x[level][mode] / b->body->scale[mode];
}
