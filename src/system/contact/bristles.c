/* system/contact/bristles.c - states of bristles in the equations: who has them, rows and columns of the matrices.
 *
 *   (R1)  y' - rate(q, v, y) = 0                rows of the states; the value is that of tml_pair_force
 *   (R2)  -(rate_q P + rate_v W) in the columns of the two bodies, -c_x rate_y in their own
 *   (R3)  -c_x T^T w_y in the rows of the bodies
 */
#include "system/contact/touching.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/pair_point.h"
#include "model/force/pair.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <string.h>

TmlStatus tml_bristles_setup(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    const TmlModel *m = sys->model;
    for (int k = 0; k < m->bristles.n; ++k) {
        t->n_bristles += m->bristles.at[k].n;
    }
    t->bristle0 = sys->n_memory;
    sys->n_memory += t->n_bristles;
    TML_NEW(&sys->arena, t->bristle_rate, 3 * t->n_bristles);
    TML_NEW(&sys->arena, t->tangent, TML_BRISTLES_A_PAIR);
    TML_NEW(&sys->arena, t->block, t->n_bristles);
    return TML_OK;
}

TmlStatus tml_bristles_room(TmlSystem *sys, TmlError *err)
{
    for (int k = 0; k < sys->touching->n_bristles; ++k) {
        TmlBristleBlock *b = &sys->touching->block[k];
        for (int e = 0; e < 2; ++e) {
            TML_NEW(&sys->arena, b->row[e], 3 * sys->stride);
            TML_NEW(&sys->arena, b->column[e], 3 * sys->stride);
        }
    }
    return TML_OK;
}

/* Blocks of what touches nothing are zero. */
void tml_bristles_clear(TmlSystem *sys)
{
    const size_t size = 3 * (size_t)sys->stride * sizeof(double);
    for (int k = 0; k < sys->touching->n_bristles; ++k) {
        TmlBristleBlock *b = &sys->touching->block[k];
        for (int e = 0; e < 2; ++e) {
            memset(b->row[e], 0, size);
            memset(b->column[e], 0, size);
        }
        memset(b->own, 0, sizeof b->own);
    }
}

/* out[cols * 3] = -(by_q P + by_v W)^T of end e: a row for each column of the end. */
static void row_block(const TmlBristleTangent *K, int e, const TmlFrameMap *map, int cols,
                      double *out)
{
    for (int c = 0; c < cols; ++c) {
        for (int r = 0; r < 3; ++r) {
            double x = 0.0;
            for (int p = 0; p < 6; ++p) {
                x -= K->by_q[PAIR_SIZE * r + 6 * e + p] * map->P[p * cols + c] +
                     K->by_v[PAIR_SIZE * r + 6 * e + p] * map->W[p * cols + c];
            }
            out[3 * c + r] = x;
        }
    }
}

void tml_bristles_take(TmlSystem *sys, const TmlNear *near, const int *end, TmlCoeffs c)
{
    struct TmlTouching *t = sys->touching;
    const TmlBristlePair *p = &sys->model->bristles.at[near->bristle];
    for (int e = 0; e < 2; ++e) {
        const int cols = tml_end_parts(sys, end[e])->cols;
        TmlFrameMap map = sys->room.map[0];
        if (cols == 0) {
            continue;
        }
        tml_end_map(sys, end[e], c, TML_MAP_MOTION | TML_MAP_TWIST, &map);
        for (int k = 0; k < p->n; ++k) {
            const TmlBristleTangent *K = &t->tangent[k];
            TmlBristleBlock *to = &t->block[p->first + k];
            if (K->used) {
                row_block(K, e, &map, cols, to->row[e]);
                tml_end_dual(sys, end[e], K->wrench + 6 * e * 3, 3, to->column[e]);
            }
        }
    }
    for (int k = 0; k < p->n; ++k) {
        memcpy(t->block[p->first + k].own, t->tangent[k].by_y, sizeof t->tangent[k].by_y);
    }
}

/* (R2), (R3) of one bristle; first: the place of its states among the unknowns. */
static void emit_one(TmlSystem *sys, const TmlBristlePair *p, int first, TmlBristleBlock *b,
                     double c_x, bool plain)
{
    double own[9];
    for (int e = 0; e < 2; ++e) {
        const int end = tml_carrier_of(sys, p->shape[e])->end;
        const TmlParts *parts = tml_end_parts(sys, end);
        double *column = sys->room.rows;
        for (int k = 0; k < 3 * parts->cols; ++k) {
            column[k] = -c_x * b->column[e][k];
            b->row[e][k] = plain ? 0.0 : b->row[e][k];
        }
        if (parts->cols > 0) {
            tml_emit_rows(sys, first, 3, parts, b->row[e], true);
            tml_emit_columns(sys, parts, first, 3, column, true);
        }
    }
    for (int k = 0; k < 9; ++k) {
        own[k] = plain ? 0.0 : -c_x * b->own[k];
    }
    tml_emit(sys, first, 3, first, 3, own, true);
}

void tml_bristles_emit(TmlSystem *sys, double c_x, bool plain)
{
    struct TmlTouching *t = sys->touching;
    for (int k = 0; k < sys->model->bristles.n; ++k) {
        const TmlBristlePair *p = &sys->model->bristles.at[k];
        for (int i = 0; i < p->n; ++i) {
            const int first = sys->dim.nu + sys->dim.m + p->state0 + 3 * i;
            emit_one(sys, p, first, &t->block[p->first + i], c_x, plain);
        }
    }
}

/* --- who has which ------------------------------------------------------------------------------ */

void tml_bristles_commit(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    double *id = sys->memory + t->bristle0;
    bool *near_one = (bool *)(void *)sys->scratch; // one flag for each bristle
    if (t->n_bristles == 0) {
        return;
    }
    memset(near_one, 0, (size_t)t->n_bristles * sizeof *near_one);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        TmlPairPoint point[TML_TOUCH_MAX];
        TmlPairForce force;
        if (near->bristle < 0) {
            continue;
        }
        const TmlBristlePair *p = &sys->model->bristles.at[near->bristle];
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        const int n = tml_pair_force(&in, &force, point);
        double now[TML_BRISTLES_A_PAIR] = {0};
        uint64_t taken = 0;
        for (int i = 0; i < n; ++i) {
            const int slot = point[i].closed ? tml_pair_slot(&in, point[i].id, true, &taken) : -1;
            if (slot >= 0) {
                now[slot] = (double)point[i].id + 1.0;
            }
        }
        for (int i = 0; i < p->n; ++i) {
            t->bristles_changed = t->bristles_changed || id[p->first + i] != now[i];
            id[p->first + i] = now[i];
            near_one[p->first + i] = true;
        }
    }
    for (int k = 0; k < t->n_bristles; ++k) {
        id[k] = near_one[k] ? id[k] : 0.0;
    }
}

bool tml_system_free_bristles(TmlSystem *sys, TmlState *s)
{
    struct TmlTouching *t = sys->touching;
    bool changed = t != NULL && t->bristles_changed;
    for (int k = 0; t != NULL && k < sys->model->bristles.n; ++k) {
        const TmlBristlePair *p = &sys->model->bristles.at[k];
        for (int i = 0; i < 3 * p->n; ++i) {
            double *x = &s->X[p->state0 + i];
            if (sys->memory[t->bristle0 + p->first + i / 3] == 0.0 && *x != 0.0) {
                *x = 0.0;
                changed = true;
            }
        }
    }
    if (t != NULL) {
        t->bristles_changed = false;
    }
    return changed;
}

bool tml_system_is_bristle(const TmlSystem *sys, int state)
{
    const TmlBristlePair *pair = sys->model->bristles.at; // whose states follow each other
    const int n = sys->model->bristles.n;
    return n > 0 && state >= pair[0].state0 && state < pair[n - 1].state0 + 3 * pair[n - 1].n;
}

bool tml_system_is_idle_bristle(const TmlSystem *sys, int state)
{
    const TmlBristlePair *pair = sys->model->bristles.at;
    if (!tml_system_is_bristle(sys, state)) {
        return false;
    }
    while (state >= pair->state0 + 3 * pair->n) {
        ++pair;
    }
    const int at = pair->first + (state - pair->state0) / 3;
    return sys->memory[sys->touching->bristle0 + at] == 0.0;
}

/* The state of a bristle that bears what statics found. */
static void bear(const TmlNear *near, const TmlPairIn *in, const TmlPairPoint *p, int slot,
                 double *y)
{
    const TmlVec3 z = in->law->slip->bear(in->law->slip_data, p->force / p->share,
                                          v3_scale(1.0 / p->share, p->friction)); // (C17)
    const TmlVec3 own = v3_scale(sqrt(p->share), m3_tmulv(&in->e[near->bristles.home]->A, z));
    y[3 * slot] = own.x;
    y[3 * slot + 1] = own.y;
    y[3 * slot + 2] = own.z;
}

void tml_system_bear_bristles(TmlSystem *sys, TmlState *s)
{
    struct TmlTouching *t = sys->touching;
    if (t == NULL || t->n_bristles == 0 || !s->still) {
        return;
    }
    tml_system_kinematics(sys, s, false);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        TmlPairPoint point[TML_TOUCH_MAX];
        TmlPairForce force;
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        if (near->bristle < 0 || in.law->slip->bear == NULL) {
            continue;
        }
        const TmlBristlePair *p = &sys->model->bristles.at[near->bristle];
        const int n = tml_pair_force(&in, &force, point);
        for (int i = 0; i < n; ++i) {
            for (int slot = 0; slot < p->n && point[i].closed; ++slot) {
                if (near->bristles.id[slot] == (double)point[i].id + 1.0) {
                    bear(near, &in, &point[i], slot, s->X + p->state0);
                }
            }
        }
    }
}
