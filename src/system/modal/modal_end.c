/* system/modal/modal_end.c - frames of modal bodies as ends of joints, forces and expressions.
 *
 * A node is moved by twelve numbers: the six of the floating frame, and its place and rotation in that (attach.h). Those six are
 * linear in the modal coordinates, so that all is done with twelve columns, and spread over the modes at the end.
 *
 *   (ME1)  z = z_0 + Z x,  Z 6 x m: phi and psi of the frame
 */
#include "system/modal/modal_bodies.h"

#include "math/vec3.h"
#include "model/flexible/flexible.h"

#include <string.h>

enum { N = TML_ATTACH_COLUMNS };

static const TmlModalNode *node_of(const TmlSystem *sys, int end)
{
    return &sys->modal->node[sys->modal->node_of[sys->end[end].point - 1]];
}

/* The body of an end, and phi and psi of its frame. */
typedef struct Owner {
    const TmlModalState *at;
    const TmlFrameKin *k;
    const double *phi, *psi;
    int m;
} Owner;

static Owner owner_of(const TmlSystem *sys, const TmlModalNode *node)
{
    const TmlFlexPoint *p = &sys->model->points.at[node->point];
    const TmlModalState *at = &sys->modal->at[p->modal];
    const size_t first = 3 * (size_t)at->body->m * (size_t)p->frame;
    return (Owner){at, &sys->body[at->body->body].k, at->body->phi + first, at->body->psi + first,
                   at->body->m};
}

void tml_modal_end_frame(TmlSystem *sys, int end)
{
    tml_frame_offset(&node_of(sys, end)->k, &sys->end[end], &sys->kin[end]);
}

/* out[6 * (6 + m)] from M[6 * 12], (ME1). */
static void spread_columns(const Owner *o, const double *M, double *out)
{
    const int cols = 6 + o->m;
    for (int r = 0; r < 6; ++r) {
        const double *z = M + r * N + 6;
        double *to = out + (size_t)r * (size_t)cols;
        memcpy(to, M + r * N, 6 * sizeof *to);
        for (int j = 0; j < o->m; ++j) {
            const double *a = o->phi + 3 * j, *b = o->psi + 3 * j;
            to[6 + j] =
                z[0] * a[0] + z[1] * a[1] + z[2] * a[2] + z[3] * b[0] + z[4] * b[1] + z[5] * b[2];
        }
    }
}

/* Moves the maps of the node, 6 x 12, to a frame at the offset s from it:
 *   dr += dtheta x s;  dv += d omega x s + omega x (dtheta x s);
 *   da += d alpha x s + alpha x (dtheta x s) + d omega x (omega x s) + omega x d(omega x s) */
static void offset_maps(const TmlFrameKin *k, TmlVec3 s, unsigned what, const TmlFrameMap *map)
{
    for (int c = 0; c < N; ++c) {
        const double *P = map->P + c, *W = map->W + c, *B = map->B + c;
        const TmlVec3 dtheta = v3(P[3 * N], P[4 * N], P[5 * N]), ds = v3_cross(dtheta, s);
        TmlVec3 rows[3] = {ds, {0, 0, 0}, {0, 0, 0}};
        if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) != 0) {
            const TmlVec3 dw = v3(W[3 * N], W[4 * N], W[5 * N]);
            rows[1] = v3_add(v3_cross(dw, s), v3_cross(k->omega, ds));
            if ((what & TML_MAP_ACCELERATION) != 0) {
                const TmlVec3 dal = v3(B[3 * N], B[4 * N], B[5 * N]);
                rows[2] = v3_add(v3_cross(dal, s), v3_cross(k->alpha, ds));
                rows[2] = v3_add(rows[2], v3_cross(dw, v3_cross(k->omega, s)));
                rows[2] = v3_add(rows[2], v3_cross(k->omega, rows[1]));
            }
        }
        double *const to[3] = {map->P, map->W, map->B};
        for (int level = 0; level < 3; ++level) {
            if ((what >> level & 1u) != 0) {
                to[level][c] += rows[level].x;
                to[level][N + c] += rows[level].y;
                to[level][2 * N + c] += rows[level].z;
            }
        }
    }
}

void tml_modal_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out)
{
    const TmlModalNode *node = node_of(sys, end);
    const Owner o = owner_of(sys, node);
    const int body = o.at->body->body;
    const TmlEnd origin = tml_body_end(body, v3(0, 0, 0), m3_identity());
    // accelerations need the maps of rates, and these those of positions
    const unsigned need = (what & TML_MAP_ACCELERATION) != 0 ? TML_MAP_ALL
                          : (what & TML_MAP_TWIST) != 0      ? (TML_MAP_MOTION | TML_MAP_TWIST)
                                                             : TML_MAP_MOTION;
    double room[3][6 * N];
    TmlFrameMap small = {room[0], room[1], room[2]};
    TmlBodyMap of_body;
    TmlFrameMap frame = tml_body_map(&of_body);
    sys->model->bodies.at[body].type->frame_map(&sys->body[body], &origin, c, need, &frame);
    tml_attach_map(o.k, &node->z, &of_body, c, need, &small);
    const TmlVec3 s = m3_mulv(&node->k.A, sys->end[end].s_b);
    if (v3_dot(s, s) > 0.0) {
        offset_maps(&node->k, s, need, &small);
    }
    double *const to[3] = {out->P, out->W, out->B};
    for (int level = 0; level < 3; ++level) {
        if ((what >> level & 1u) != 0) {
            spread_columns(&o, room[level], to[level]);
        }
    }
}

/* T^T w in twelve numbers, for a wrench about the end's origin. */
static void dual_of(const TmlSystem *sys, int end, const TmlModalNode *node, const Owner *o,
                    const TmlRow *w, double g[N])
{
    const TmlVec3 s = m3_mulv(&node->k.A, sys->end[end].s_b);
    const TmlRow about = {w->r, v3_add(w->theta, v3_cross(s, w->r))};
    tml_attach_dual(o->k, &node->z, &about, g);
}

static double mode_share(const Owner *o, int j, const double *g)
{
    const double *a = o->phi + 3 * j, *b = o->psi + 3 * j;
    return a[0] * g[6] + a[1] * g[7] + a[2] * g[8] + b[0] * g[9] + b[1] * g[10] + b[2] * g[11];
}

void tml_modal_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r)
{
    const TmlModalNode *node = node_of(sys, end);
    const Owner o = owner_of(sys, node);
    double g[N], *to = r + sys->dim.span[o.at->body->body].u0;
    dual_of(sys, end, node, &o, w, g);
    for (int k = 0; k < 6; ++k) {
        to[k] += g[k];
    }
    for (int j = 0; j < o.m; ++j) {
        r[sys->dim.span[o.at->body->first].u0 + j] += mode_share(&o, j, g);
    }
}

void tml_modal_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y)
{
    const TmlModalNode *node = node_of(sys, end);
    const Owner o = owner_of(sys, node);
    for (int k = 0; k < n; ++k) {
        const TmlRow w = {{X[k], X[n + k], X[2 * n + k]},
                          {X[3 * n + k], X[4 * n + k], X[5 * n + k]}};
        double g[N];
        dual_of(sys, end, node, &o, &w, g);
        for (int i = 0; i < 6; ++i) {
            Y[(size_t)i * (size_t)n + (size_t)k] = g[i];
        }
        for (int j = 0; j < o.m; ++j) {
            Y[(size_t)(6 + j) * (size_t)n + (size_t)k] = mode_share(&o, j, g);
        }
    }
}

void tml_modal_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K)
{
    const TmlModalNode *node = node_of(sys, end);
    const Owner o = owner_of(sys, node);
    const int cols = 6 + o.m;
    double G[N * N] = {0};
    tml_attach_geometric(o.k, &node->z, m3_mulv(&node->k.A, sys->end[end].s_b), w, c_q, G);
    for (int c = 0; c < cols; ++c) {
        double g[N]; /* column c, its rows still twelve */
        for (int r = 0; r < N; ++r) {
            g[r] = c < 6 ? G[r * N + c] : mode_share(&o, c - 6, G + r * N);
        }
        for (int r = 0; r < 6; ++r) {
            K[(size_t)r * (size_t)cols + (size_t)c] += g[r];
        }
        for (int j = 0; j < o.m; ++j) {
            K[(size_t)(6 + j) * (size_t)cols + (size_t)c] += mode_share(&o, j, g);
        }
    }
}
