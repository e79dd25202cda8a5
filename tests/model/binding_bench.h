/* tests/model/binding_bench.h - a model made by hand, bindings at random states of it. */
#pragma once

#include "element_util.h"

#include "model/elements.h"
#include "model/measure/measure.h"
#include "model/registry.h"

#include <stdlib.h>

enum { BODIES = 4, FRAMES = 3, JOINTS = 5, FORCES = 6, STATES = 6, USER_STATES = 5, MEMORY = 64 };

/* A model made by hand: three bodies, joints, one force of every type, states, variables. */
typedef struct Bench {
    TestCtx *t;
    TmlModel m;
    TmlBody body[BODIES];
    TmlNamedFrame frame[FRAMES];
    TmlConstraint joint[JOINTS];
    TmlForce force[FORCES];
    char force_name[FORCES][16];
    TmlEnd end[2 * (JOINTS + FORCES)];
    TmlVariable variable[1];
    TmlDelay delay[1];
    TmlUserState state[USER_STATES];
    TmlParameter parameter[2];
    TmlNamedSpline spline[1];
    int expressions, rates; // checked; those of them that have a rate
} Bench;

static TmlEnd end_random(TestCtx *t, int body)
{
    return tml_body_end(body, test_vec3(t), q4_matrix(test_quat(t)));
}

static void bench_joints(Bench *s)
{
    static const TmlConstraintType *const types[JOINTS] = {
        &tml_constraint_revolute, &tml_constraint_cylindrical, &tml_constraint_spherical,
        &tml_constraint_universal, &tml_constraint_translational};
    static const char *const names[JOINTS] = {"pin", "cyl", "ball", "cross", "slide"};
    for (int k = 0; k < JOINTS; ++k) {
        TmlEnd *end = &s->end[2 * k];
        end[0] = end_random(s->t, k % 3 + 1);
        end[1] = end_random(s->t, (k + 1) % 3 + 1);
        s->joint[k] = (TmlConstraint){.name = names[k], .type = types[k], .n_ends = 2, .end = end};
    }
    s->joint[1].turns = 2;
}

static void bench_forces(Bench *s)
{
    int n = 0;
    for (const TmlForceType *const *p = tml_force_types; *p != NULL && n < FORCES; ++p, ++n) {
        TmlEnd *end = &s->end[2 * (JOINTS + n)];
        void *data = data_random(s->t, &s->m.arena, &(*p)->info, (*p)->check);
        end[0] = end_random(s->t, n % 3 + 1);
        end[1] = end_random(s->t, (n + 1) % 3 + 1);
        snprintf(s->force_name[n], sizeof s->force_name[n], "f%d", n);
        s->force[n] = (TmlForce){.name = s->force_name[n], .type = *p, .data = data, .n_ends = 2};
        s->force[n].end = end;
        s->force[n].joint = -1;
        s->force[n].n_f = (*p)->n_f != NULL ? (*p)->n_f(data) : 0;
    }
    s->m.forces.at = s->force;
    s->m.forces.n = n;
}

static void bench_init(TestCtx *t, Bench *s)
{
    static const char *const names[BODIES] = {"ground", "a", "b", "c"};
    static const char *const frames[FRAMES] = {"a.tip", "b.eye", "c.knee"};
    memset(s, 0, sizeof *s);
    s->t = t;
    for (int k = 0; k < BODIES; ++k) {
        s->body[k] = (TmlBody){.name = names[k], .cm = k > 0 ? test_vec3(t) : v3(0, 0, 0)};
    }
    for (int k = 0; k < FRAMES; ++k) {
        s->frame[k] = (TmlNamedFrame){frames[k], end_random(t, k + 1)};
    }
    bench_joints(s);
    bench_forces(s);
    s->variable[0] = (TmlVariable){.name = "speed"};
    s->delay[0] = (TmlDelay){.name = "echo", .value = 0, .time = -1, .fixed = 0.1};
    s->state[0] = (TmlUserState){.name = "x1"};
    s->state[1] = (TmlUserState){.name = "x2"};
    s->state[2] = (TmlUserState){.name = "rub.x1"};
    s->state[3] = (TmlUserState){.name = "rub.x2"};
    s->state[4] = (TmlUserState){.name = "rub.x3"};
    s->parameter[0] = (TmlParameter){"k1", 2.5, {0}};
    s->parameter[1] = (TmlParameter){"k2", -0.5, {0}};
    s->spline[0] = (TmlNamedSpline){"curve", (TmlSpline *)(uintptr_t)table_random(t, &s->m.arena)};
    s->m.bodies.at = s->body, s->m.bodies.n = BODIES;
    s->m.frames.at = s->frame, s->m.frames.n = FRAMES;
    s->m.constraints.at = s->joint, s->m.constraints.n = JOINTS;
    s->m.variables.at = s->variable, s->m.variables.n = 1;
    s->m.delays.at = s->delay, s->m.delays.n = 1;
    s->m.states.at = s->state, s->m.states.n = USER_STATES;
    s->m.parameters.at = s->parameter, s->m.parameters.n = 2;
    s->m.splines.at = s->spline, s->m.splines.n = 1;
}

static void bench_free(Bench *s)
{
    tml_arena_free(&s->m.arena);
}

/* --- a binding at a state --------------------------------------------------------------------- */

typedef struct Point {
    const TmlBinding *b;
    TmlFrameKin e[TML_MAX_ENDS];
    double u[TML_BIND_MAX_UNKNOWNS], memory[MEMORY];
    TmlBindIn in;
} Point;

static void point_random(TestCtx *t, const TmlBinding *b, double *work, Point *p)
{
    const TmlMat33 base = q4_matrix(test_quat(t));
    *p = (Point){.b = b};
    for (int k = 0; k < b->n_ends; ++k) {
        p->e[k] = kin_random(t, &base, 0.6);
    }
    for (int k = 0; k < b->n_unknowns; ++k) {
        p->u[k] = test_random(t, -1, 1);
    }
    CHECK(t, b->n_memory <= MEMORY);
    p->in = (TmlBindIn){p->e, test_random(t, 0.5, 1.5), p->u, p->memory, work, NULL, false, 0.0};
    tml_binding_commit(b, &p->in, p->memory);
}

static Point point_copy(const Point *p)
{
    Point q = *p;
    return q;
}

static const TmlBindIn *point_in(Point *p)
{
    p->in.e = p->e;
    p->in.u = p->u;
    p->in.memory = p->memory;
    return &p->in;
}

typedef struct Grad {
    TmlRow q[TML_MAX_ENDS], v[TML_MAX_ENDS], a[TML_MAX_ENDS];
    double u[TML_BIND_MAX_UNKNOWNS], value;
} Grad;

static Grad point_gradient(Point *p)
{
    Grad g;
    TmlBindGrad out = {.q = g.q, .v = g.v, .a = g.a, .u = g.u};
    memset(&g, 0xff, sizeof g); // everything must be overwritten
    tml_binding_gradient(p->b, point_in(p), &out);
    g.value = out.value;
    return g;
}

/* Largest entry of the gradient by the motions. */
static double grad_size(const TmlBinding *b, const Grad *g)
{
    double size = 0.0;
    for (int k = 0; k < 6 * b->n_ends; ++k) {
        size = fmax(size, fabs(row_entry(&g->q[k / 6], k % 6)));
    }
    return size;
}

/* Difference of fn by coordinate m of end k. */
static double point_difference(const Point *p, int k, int m,
                               double (*fn)(const TmlBinding *b, const TmlBindIn *in))
{
    double d = 0.0;
    for (int s = 0; s < STENCIL; ++s) {
        Point q = point_copy(p);
        q.e[k] = kin_moved(&p->e[k], m, stencil_at[s] * stencil_h);
        d += stencil_weight[s] / stencil_h * fn(p->b, point_in(&q));
    }
    return d;
}

static void gradient_check(TestCtx *t, Point *p)
{
    const TmlBinding *b = p->b;
    const Grad g = point_gradient(p);
    // differences lose a little where it is steep: 1.5e-9 of the slope was measured
    const double tol = 2e-9 * (1.0 + grad_size(b, &g));
    CHECK_NEAR(t, g.value, tml_binding_value(b, point_in(p)), 1e-14 * (1.0 + fabs(g.value)));
    for (int k = 0; k < b->n_ends; ++k) {
        const TmlRow *const rows[3] = {&g.q[k], &g.v[k], &g.a[k]};
        for (int m = 0; m < MOVES; ++m) {
            const double d = point_difference(p, k, m, tml_binding_value);
            CHECK_NEAR(t, row_entry(rows[m / 6], m % 6), d, tol);
        }
    }
    for (int k = 0; k < b->n_unknowns; ++k) {
        double d = 0.0;
        for (int s = 0; s < STENCIL; ++s) {
            Point q = point_copy(p);
            q.u[k] += stencil_at[s] * stencil_h;
            d += stencil_weight[s] / stencil_h * tml_binding_value(b, point_in(&q));
        }
        CHECK_NEAR(t, g.u[k], d, tol);
    }
}

/* What the flags promise to be unused must have no derivative. */
static void flags_check(TestCtx *t, Point *p)
{
    const Grad g = point_gradient(p);
    for (int k = 0; k < 6 * p->b->n_ends; ++k) {
        CHECK(t, p->b->uses_motion || row_entry(&g.q[k / 6], k % 6) == 0.0);
        CHECK(t, p->b->uses_twist || row_entry(&g.v[k / 6], k % 6) == 0.0);
        CHECK(t, p->b->uses_acceleration || row_entry(&g.a[k / 6], k % 6) == 0.0);
    }
}
