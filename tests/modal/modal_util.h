/* tests/modal/modal_util.h - parts of point masses with random modes, and models of them.
 *
 * Such a part is no solution of anything: its equations hold whatever the modes are, and random ones hide no error by symmetry.
 */
#pragma once

#include "test.h"

#include "base/arena.h"
#include "io/part/part_file.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <unistd.h>

enum { MODAL_NODES = 8, MODAL_MOST = 12 };

typedef struct RandomPart {
    TmlPart part;
    int m;
    double mass[MODAL_NODES];
    TmlVec3 x[MODAL_NODES], mode[MODAL_MOST][MODAL_NODES];
    double P[3 * (MODAL_MOST + 1)], G[9 * (MODAL_MOST + 1) * (MODAL_MOST + 1)];
    double K[MODAL_MOST * MODAL_MOST], D[MODAL_MOST * MODAL_MOST];
    double hertz[MODAL_MOST], largest[MODAL_MOST], turning[MODAL_MOST];
    double phi[3][3 * MODAL_MOST], psi[3][3 * MODAL_MOST];
    double centrifugal[6 * MODAL_MOST * MODAL_MOST];
    double by_load[2][MODAL_MOST * MODAL_MOST], load[2][MODAL_MOST];
    TmlPartStiffening stiffening[2];
    TmlVec3 pushed[MODAL_NODES];
    double on_mode[2][MODAL_MOST], by_turn[2][3 * MODAL_MOST];
    TmlPartLoad applied[2];
    TmlPartFrame frame[3];
} RandomPart;

/* f_0 = x, f_j = mode j. */
static inline TmlVec3 random_field(const RandomPart *p, int i, int node)
{
    return i == 0 ? p->x[node] : p->mode[i - 1][node];
}

static inline void random_moments(RandomPart *p)
{
    const int n = p->m + 1;
    for (int k = 0; k < MODAL_NODES; ++k) {
        for (int i = 0; i < n; ++i) {
            const TmlVec3 f = random_field(p, i, k);
            const double a[3] = {f.x, f.y, f.z};
            for (int c = 0; c < 3; ++c) {
                p->P[3 * i + c] += p->mass[k] * a[c];
            }
            for (int j = 0; j < n; ++j) {
                const TmlVec3 g = random_field(p, j, k);
                const double b[3] = {g.x, g.y, g.z};
                for (int c = 0; c < 9; ++c) {
                    p->G[9 * (i * n + j) + c] += p->mass[k] * a[c / 3] * b[c % 3];
                }
            }
        }
    }
}

/* Frames "a" and "b" with rotation, "c" without. */
static inline void random_frames(TestCtx *t, RandomPart *p)
{
    static const char *const name[3] = {"a", "b", "c"};
    for (int f = 0; f < 3; ++f) {
        for (int k = 0; k < 3 * p->m; ++k) {
            p->phi[f][k] = test_random(t, -0.5, 0.5);
            p->psi[f][k] = f < 2 ? test_random(t, -0.5, 0.5) : 0.0;
        }
        p->frame[f] = (TmlPartFrame){name[f], test_vec3(t), f < 2, p->phi[f], p->psi[f], f};
    }
}

static inline void random_part(TestCtx *t, int m, RandomPart *p)
{
    memset(p, 0, sizeof *p);
    p->m = m;
    double mass = 0.0;
    for (int k = 0; k < MODAL_NODES; ++k) {
        p->mass[k] = test_random(t, 0.1, 0.5);
        mass += p->mass[k];
        p->x[k] = test_vec3(t);
        for (int j = 0; j < m; ++j) {
            p->mode[j][k] = v3_scale(0.5, test_vec3(t));
        }
    }
    random_moments(p);
    random_frames(t, p);
    for (int j = 0; j < m; ++j) {
        p->hertz[j] = 1.0 + j;
        p->largest[j] = test_random(t, 0.4, 0.9);
        p->turning[j] = test_random(t, 0.1, 0.3);
        for (int i = 0; i <= j; ++i) {
            p->K[i * m + j] = p->K[j * m + i] = i == j ? 30.0 + 10.0 * j : test_random(t, -1, 1);
            p->D[i * m + j] = p->D[j * m + i] = i == j ? 0.5 : test_random(t, -0.1, 0.1);
            for (int c = 0; c < 6; ++c) {
                p->centrifugal[c * m * m + i * m + j] = p->centrifugal[c * m * m + j * m + i] =
                    test_random(t, -0.05, 0.05);
            }
        }
    }
    p->part = (TmlPart){.name = "random",
                        .m = m,
                        .mass = mass,
                        .size = 2.0,
                        .origin = {0.3, -0.2, 0.1},
                        .axes = m3_identity(),
                        .P = p->P,
                        .G = p->G,
                        .K = p->K,
                        .D = p->D,
                        .hertz = p->hertz,
                        .largest = p->largest,
                        .turning = p->turning,
                        .n_frames = 3,
                        .frame = p->frame,
                        .centrifugal = p->centrifugal};
}

/* Two load cases, "pull" and "press", for parts of two modes and more. */
static inline void random_loads(TestCtx *t, RandomPart *p)
{
    const int m = p->m;
    for (int l = 0; l < 2; ++l) {
        for (int j = 0; j < m; ++j) {
            p->load[l][j] = test_random(t, -10, 10);
            for (int i = 0; i <= j; ++i) {
                p->by_load[l][i * m + j] = p->by_load[l][j * m + i] = test_random(t, -1, 1);
            }
        }
        p->stiffening[l] =
            (TmlPartStiffening){l == 0 ? "pull" : "press", p->by_load[l], p->load[l]};
    }
    p->part.n_stiffening = 2;
    p->part.stiffening = p->stiffening;
}

/* Load cases that forces scale: "press" on all nodes, "corner" the force (1, -2, 3) on frame c. */
static inline void random_applied(TestCtx *t, RandomPart *p)
{
    static const TmlVec3 at_c = {1, -2, 3};
    TmlVec3 force = v3(0, 0, 0), torque = force;
    for (int k = 0; k < MODAL_NODES; ++k) {
        p->pushed[k] = test_vec3(t);
        force = v3_add(force, p->pushed[k]);
        torque = v3_add(torque, v3_cross(p->x[k], p->pushed[k]));
    }
    for (int j = 0; j < p->m; ++j) {
        TmlVec3 turn = v3(0, 0, 0);
        const TmlVec3 c = v3(p->phi[2][3 * j], p->phi[2][3 * j + 1], p->phi[2][3 * j + 2]);
        const TmlVec3 of_c = v3_cross(c, at_c);
        for (int k = 0; k < MODAL_NODES; ++k) {
            p->on_mode[0][j] += v3_dot(p->mode[j][k], p->pushed[k]);
            turn = v3_add(turn, v3_cross(p->mode[j][k], p->pushed[k]));
        }
        p->on_mode[1][j] = v3_dot(c, at_c);
        const double turns[2][3] = {{turn.x, turn.y, turn.z}, {of_c.x, of_c.y, of_c.z}};
        memcpy(p->by_turn[0] + 3 * j, turns[0], sizeof turns[0]);
        memcpy(p->by_turn[1] + 3 * j, turns[1], sizeof turns[1]);
    }
    p->applied[0] = (TmlPartLoad){"press", force, torque, p->on_mode[0], p->by_turn[0]};
    p->applied[1] =
        (TmlPartLoad){"corner", at_c, v3_cross(p->frame[2].x, at_c), p->on_mode[1], p->by_turn[1]};
    p->part.n_loads = 2;
    p->part.load = p->applied;
}

/* The part in a file of its own; to be removed by the caller. */
static inline void save_random_part(TestCtx *t, const RandomPart *p, char *path, size_t size)
{
    TmlError err = {0};
    snprintf(path, size, "/tmp/trammel-modal-%ld.h5", (long)getpid());
    CHECK_OK(t, tml_part_save(path, &p->part, &err), &err);
}
