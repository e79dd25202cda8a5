/* tests/sparse/saddle.h - saddle-point matrices [M J^T; J 0] of mechanisms, for tests and bench.
 *
 * Six rows a body (three translations, three rotations with a full inertia), each body hung on its
 * parent by a spherical joint: J = [-I, s~_parent, I, -s~_child], arms s at random. Columns are
 * body by body, then joint by joint.
 */
#pragma once

#include "sparse/csc.h"
#include "test.h"

typedef enum SaddleShape { SADDLE_CHAIN, SADDLE_TREE, SADDLE_STAR } SaddleShape;

typedef struct Saddle {
    TmlArena arena;
    TmlCsc A;
    int bodies;
} Saddle;

static inline int saddle_parent(TestCtx *t, SaddleShape shape, int body)
{
    if (body == 0) {
        return -1; // ground
    }
    const int any = (int)test_random(t, 0, body);
    return shape == SADDLE_CHAIN ? body - 1 : shape == SADDLE_TREE ? any : 0;
}

static inline bool saddle_pattern(Saddle *s, const int *parent)
{
    TmlPattern p;
    bool ok = true;
    tml_pattern_init(&p, 9 * s->bodies, 9 * s->bodies);
    for (int b = 0; b < s->bodies; ++b) {
        for (int k = 0; k < 3; ++k) {
            ok = ok && tml_pattern_add(&p, 6 * b + k, 6 * b + k);
            for (int l = 0; l < 3; ++l) {
                ok = ok && tml_pattern_add(&p, 6 * b + 3 + k, 6 * b + 3 + l);
            }
        }
        const int ends[2] = {parent[b], b};
        for (int e = 0; e < 2; ++e) {
            for (int k = 0; k < 3 && ends[e] >= 0; ++k) {
                const int row = 6 * s->bodies + 3 * b + k, at = 6 * ends[e];
                const int cols[3] = {at + k, at + 3 + (k + 1) % 3, at + 3 + (k + 2) % 3};
                for (int c = 0; c < 3; ++c) {
                    ok = ok && tml_pattern_add(&p, row, cols[c]);
                    ok = ok && tml_pattern_add(&p, cols[c], row);
                }
            }
        }
    }
    ok = ok && tml_pattern_csc(&p, &s->arena, &s->A, NULL) == TML_OK;
    tml_pattern_free(&p);
    return ok;
}

/* Values at random; the inertia of body b is mass(b) times a positive definite matrix. */
static inline void saddle_values(TestCtx *t, Saddle *s, const int *parent, double (*mass)(int body))
{
    const TmlCsc *A = &s->A;
    for (int b = 0; b < s->bodies; ++b) {
        for (int k = 0; k < 3; ++k) {
            A->x[tml_csc_find(A, 6 * b + k, 6 * b + k)] = mass(b);
            for (int l = 0; l <= k; ++l) { // diagonally dominant
                const double x = mass(b) * (k == l ? 0.4 : test_random(t, -0.1, 0.1));
                A->x[tml_csc_find(A, 6 * b + 3 + k, 6 * b + 3 + l)] = x;
                A->x[tml_csc_find(A, 6 * b + 3 + l, 6 * b + 3 + k)] = x;
            }
        }
        const int ends[2] = {parent[b], b};
        for (int e = 0; e < 2; ++e) {
            const TmlVec3 v = test_vec3(t);
            const double arm[3] = {v.x, v.y, v.z}, sign = e == 0 ? -1.0 : 1.0;
            for (int k = 0; k < 3 && ends[e] >= 0; ++k) {
                const int row = 6 * s->bodies + 3 * b + k, at = 6 * ends[e];
                const int cols[3] = {at + k, at + 3 + (k + 1) % 3, at + 3 + (k + 2) % 3};
                const double x[3] = {sign, sign * arm[(k + 2) % 3], -sign * arm[(k + 1) % 3]};
                for (int c = 0; c < 3; ++c) {
                    A->x[tml_csc_find(A, row, cols[c])] = x[c];
                    A->x[tml_csc_find(A, cols[c], row)] = x[c];
                }
            }
        }
    }
}

static inline bool saddle_build(TestCtx *t, Saddle *s, int bodies, SaddleShape shape,
                                double (*mass)(int body))
{
    *s = (Saddle){.bodies = bodies};
    int *parent = tml_arena_alloc(&s->arena, (size_t)bodies, sizeof *parent);
    for (int b = 0; b < bodies && parent != NULL; ++b) {
        parent[b] = saddle_parent(t, shape, b);
    }
    if (parent == NULL || !saddle_pattern(s, parent)) {
        return false;
    }
    saddle_values(t, s, parent, mass);
    return true;
}

static inline double saddle_unit_mass(int body)
{
    (void)body;
    return 1.0;
}
