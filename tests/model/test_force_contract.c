/* tests/model/test_force_contract.c - what every registered force must satisfy.
 *
 * A new type is covered by these checks as soon as its registry line exists.
 */
#include "element_util.h"

#include "model/elements.h"
#include "model/measure/law.h"
#include "model/registry.h"

enum { STATES = 50, ENDS = 2, SIZE = 6 * ENDS, MAX_OUTPUTS = 16 };

// a random element at a random state
typedef struct Sample {
    const TmlForceType *type;
    TmlFrameKin e[ENDS];
    double f[TML_MAX_OWN], memory[TML_MAX_OWN];
    int n_f, n_outputs;
    TmlElementIn in;
} Sample;

static void sample_make(TestCtx *t, TmlArena *arena, const TmlForceType *type, Sample *s)
{
    const TmlMat33 base = q4_matrix(test_quat(t));
    *s = (Sample){.type = type};
    t->name = type->info.name;
    for (int k = 0; k < ENDS; ++k) {
        s->e[k] = kin_random(t, &base, 0.5); // keeps rotation vectors and angles off their jumps
    }
    void *data = data_random(t, arena, &type->info, type->check);
    TmlError err;
    if (type->prepare != NULL) {
        CHECK_OK(t, type->prepare(data, s->e, ENDS, &err), &err);
    }
    s->n_f = type->n_f != NULL ? type->n_f(data) : 0;
    for (int k = 0; k < s->n_f; ++k) {
        s->f[k] = test_random(t, -1, 1);
    }
    while (type->info.outputs != NULL && type->info.outputs[s->n_outputs].name != NULL) {
        s->n_outputs++;
    }
    s->in = (TmlElementIn){.data = data, .e = s->e, .n_ends = ENDS, .f = s->f, .memory = s->memory};
    if (type->commit != NULL) {
        type->commit(&s->in, s->memory);
    }
}

/* Wheels need roads, tracks, curves and files that random numbers do not make: tests/wheel/test_tyres.c and
 * test_rail_wheel.c have the same for them; test_modal_equations.c and test_modal_loads.c have it for forces on modal bodies. */
static bool needs_more(const TmlForceType *type)
{
    if (type->ends == TML_ENDS_MODAL || (type->law != NULL && type->law->on_rail)) {
        return true;
    }
    for (const TmlParam *p = type->info.params; p->name != NULL; ++p) {
        if (p->kind == TML_PARAM_ROAD || p->kind == TML_PARAM_TRACK) {
            return true;
        }
    }
    return false;
}

/* Random numbers of a type follow from its name: a new type changes nothing for the others. */
static uint64_t seed_of(const char *name)
{
    uint64_t seed = 14695981039346656037u; // FNV-1a
    for (; *name != '\0'; ++name) {
        seed = (seed ^ (unsigned char)*name) * 1099511628211u;
    }
    return seed;
}

static void for_all(TestCtx *t, void (*run)(TestCtx *t, const Sample *s))
{
    for (const TmlForceType *const *p = tml_force_types; *p != NULL; ++p) {
        if (needs_more(*p)) {
            continue;
        }
        TmlArena arena = {0};
        t->seed = seed_of((*p)->info.name);
        for (int k = 0; k < STATES; ++k) {
            Sample s;
            sample_make(t, &arena, *p, &s);
            run(t, &s);
        }
        tml_arena_free(&arena);
    }
}

static void wrench_at(const Sample *s, const TmlFrameKin *e, TmlRow *w)
{
    TmlElementIn in = s->in;
    in.e = e;
    memset(w, 0, ENDS * sizeof *w);
    s->type->wrench(&in, w);
}

/* Difference of the wrench by coordinate m of end k. */
static void wrench_difference(const Sample *s, int k, int m, double *d)
{
    memset(d, 0, SIZE * sizeof *d);
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[ENDS] = {s->e[0], s->e[1]};
        TmlRow w[ENDS];
        e[k] = kin_moved(&e[k], m, stencil_at[p] * stencil_h);
        wrench_at(s, e, w);
        for (int r = 0; r < SIZE; ++r) {
            d[r] += stencil_weight[p] / stencil_h * row_entry(&w[r / 6], r % 6);
        }
    }
}

static void tangent_check(TestCtx *t, const Sample *s)
{
    double Kq[SIZE * SIZE] = {0}, Kv[SIZE * SIZE] = {0};
    if (s->type->tangent != NULL) {
        s->type->tangent(&s->in, Kq, Kv);
    }
    for (int c = 0; c < SIZE; ++c) {
        double dq[SIZE], dv[SIZE];
        wrench_difference(s, c / 6, MOVE_MOTION + c % 6, dq);
        wrench_difference(s, c / 6, MOVE_TWIST + c % 6, dv);
        for (int r = 0; r < SIZE; ++r) {
            // truncation of the differences, 1e-9 (element_util.h), and rounding 2e-13 of forces
            // of size 10, with tangents up to 1e3 where points are close
            CHECK_NEAR(t, Kq[r * SIZE + c], dq[r], 1e-8 * (1.0 + fabs(dq[r])));
            CHECK_NEAR(t, Kv[r * SIZE + c], dv[r], 1e-9 * (1.0 + fabs(dv[r])));
        }
    }
}

TEST(tangent_matches_differences)
{
    for_all(t, tangent_check);
}

static void f_map_check(TestCtx *t, const Sample *s)
{
    TmlRow P[TML_MAX_OWN * ENDS], w[ENDS];
    CHECK(t, s->n_f <= TML_MAX_OWN);
    if (s->n_f == 0) {
        return;
    }
    for (int k = 0; k < TML_MAX_OWN * ENDS; ++k) { // all of it is to be set, zeros too
        P[k] = (TmlRow){v3((double)NAN, 0, 0), v3((double)NAN, 0, 0)};
    }
    s->type->f_map(&s->in, P);
    for (int k = 0; k < s->n_f; ++k) {
        double d[SIZE] = {0};
        for (int p = 0; p < STENCIL; ++p) {
            Sample moved = *s;
            moved.in.f = moved.f;
            moved.f[k] += stencil_at[p] * stencil_h;
            wrench_at(&moved, s->e, w);
            for (int r = 0; r < SIZE; ++r) {
                d[r] += stencil_weight[p] / stencil_h * row_entry(&w[r / 6], r % 6);
            }
        }
        for (int r = 0; r < SIZE; ++r) {
            // rounding of forces of size 10 in differences of 5e-4
            CHECK_NEAR(t, row_entry(&P[k * ENDS + r / 6], r % 6), d[r], 1e-10);
        }
    }
}

TEST(f_map_matches_differences)
{
    for_all(t, f_map_check);
}

static void equilibrium_check(TestCtx *t, const Sample *s)
{
    TmlRow w[ENDS];
    wrench_at(s, s->e, w);
    TmlVec3 force = v3(0, 0, 0), moment = force;
    for (int k = 0; k < ENDS; ++k) {
        force = v3_add(force, w[k].r);
        moment = v3_add(moment, v3_add(w[k].theta, v3_cross(s->e[k].r, w[k].r)));
    }
    CHECK_NEAR(t, v3_norm(force), 0.0, 1e-12); // rounding of forces of the order 10
    CHECK_NEAR(t, v3_norm(moment), 0.0, 1e-12);
}

TEST(both_ends_are_in_equilibrium)
{
    for_all(t, equilibrium_check);
}

static void energy_check(TestCtx *t, const Sample *s)
{
    if (s->type->energy == NULL) {
        return;
    }
    // at rest and without F only the conservative part acts
    Sample rest = *s;
    TmlRow w[ENDS];
    memset(rest.f, 0, sizeof rest.f);
    rest.in.f = rest.f;
    for (int k = 0; k < ENDS; ++k) {
        rest.e[k].v = rest.e[k].omega = v3(0, 0, 0);
    }
    rest.in.e = rest.e;
    wrench_at(&rest, rest.e, w);
    for (int c = 0; c < SIZE; ++c) {
        double d = 0.0;
        for (int p = 0; p < STENCIL; ++p) {
            TmlFrameKin e[ENDS] = {rest.e[0], rest.e[1]};
            TmlElementIn in = rest.in;
            e[c / 6] = kin_moved(&e[c / 6], c % 6, stencil_at[p] * stencil_h);
            in.e = e;
            d += stencil_weight[p] / stencil_h * s->type->energy(&in);
        }
        // integrals over the table count from its first knot, where they are 2e4 J: the difference
        // carries 1e-12 J of rounding over the step
        CHECK_NEAR(t, row_entry(&w[c / 6], c % 6), -d, 1e-8 * (1.0 + fabs(d)));
    }
}

TEST(energy_gradient_is_minus_the_wrench)
{
    for_all(t, energy_check);
}

static void output_difference(const Sample *s, int k, int m, double *d)
{
    memset(d, 0, MAX_OUTPUTS * sizeof *d);
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[ENDS] = {s->e[0], s->e[1]};
        TmlElementIn in = s->in;
        double value[MAX_OUTPUTS];
        e[k] = kin_moved(&e[k], m, stencil_at[p] * stencil_h);
        in.e = e;
        s->type->output(&in, value);
        for (int o = 0; o < s->n_outputs; ++o) {
            d[o] += stencil_weight[p] / stencil_h * value[o];
        }
    }
}

/* Outputs of drivers are not linear in their states, so that differences have the error of those by the motion. */
static void output_f_check(TestCtx *t, const Sample *s, const double *Of)
{
    for (int k = 0; k < s->n_f; ++k) {
        double d[MAX_OUTPUTS] = {0}, value[MAX_OUTPUTS];
        for (int p = 0; p < STENCIL; ++p) {
            Sample other = *s;
            other.f[k] += stencil_at[p] * stencil_h;
            other.in.f = other.f;
            s->type->output(&other.in, value);
            for (int o = 0; o < s->n_outputs; ++o) {
                d[o] += stencil_weight[p] / stencil_h * value[o];
            }
        }
        for (int o = 0; o < s->n_outputs; ++o) {
            // bounds of drivers, as in output_check
            CHECK_NEAR(t, Of[o * s->n_f + k], d[o], 2e-5 * (1.0 + fabs(d[o])));
        }
    }
}

static void output_check(TestCtx *t, const Sample *s)
{
    CHECK(t, (s->type->output != NULL) == (s->type->info.outputs != NULL));
    if (s->n_outputs == 0) {
        return;
    }
    TmlRow Oq[MAX_OUTPUTS * ENDS], Ov[MAX_OUTPUTS * ENDS];
    double Of[MAX_OUTPUTS * TML_MAX_OWN] = {0};
    CHECK(t, s->n_outputs <= MAX_OUTPUTS);
    memset(Oq, 0, sizeof Oq);
    memset(Ov, 0, sizeof Ov);
    s->type->output_tangent(&s->in, Oq, Ov, Of);
    for (int c = 0; c < SIZE; ++c) {
        double dq[MAX_OUTPUTS], dv[MAX_OUTPUTS];
        output_difference(s, c / 6, MOVE_MOTION + c % 6, dq);
        output_difference(s, c / 6, MOVE_TWIST + c % 6, dv);
        for (int o = 0; o < s->n_outputs; ++o) {
            const TmlRow *q = &Oq[o * ENDS + c / 6], *v = &Ov[o * ENDS + c / 6];
            // as in tangent_check; drivers are bounded, with a curvature that jumps by some 1e-1 beside a bound, times stencil_h of
            // 5e-4
            const double bends = strstr(s->type->info.name, "_driver") != NULL ? 2e-5 : 0.0;
            CHECK_NEAR(t, row_entry(q, c % 6), dq[o], (1e-8 + bends) * (1.0 + fabs(dq[o])));
            CHECK_NEAR(t, row_entry(v, c % 6), dv[o], (1e-9 + bends) * (1.0 + fabs(dv[o])));
        }
    }
    output_f_check(t, s, Of);
}

TEST(outputs_match_differences)
{
    for_all(t, output_check);
}

TEST(parameters_are_documented)
{
    for (const TmlForceType *const *p = tml_force_types; *p != NULL; ++p) {
        const TmlTypeInfo *info = &(*p)->info;
        t->name = info->name;
        CHECK(t, info->text != NULL && (*p)->wrench != NULL);
        for (const TmlParam *q = info->params; q->name != NULL; ++q) {
            CHECK(t, q->text != NULL && q->unit != NULL && q->offset < info->data_size);
            CHECK(t, (q->kind == TML_PARAM_CHOICE) == (q->choices != NULL));
        }
        for (const TmlOutput *q = info->outputs; q != NULL && q->name != NULL; ++q) {
            CHECK(t, q->text != NULL && q->unit != NULL);
        }
    }
}

/* --- single types ----------------------------------------------------------------------------- */

static void set_real(const TmlTypeInfo *info, void *data, const char *name, double value)
{
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            *(double *)((char *)data + p->offset) = value;
        }
    }
}

/* A spring of free length zero is smooth through zero length; others stay finite there. */
TEST(spring_at_zero_length)
{
    const TmlForceType *type = &tml_force_spring;
    TmlArena arena = {0};
    void *data = tml_arena_alloc(&arena, 1, type->info.data_size);
    TmlFrameKin e[ENDS] = {{.A = m3_identity()}, {.A = m3_identity(), .v = {2, 0, -1}}};
    const TmlElementIn in = {.data = data, .e = e, .n_ends = ENDS};
    TmlRow w[ENDS];
    double Kq[SIZE * SIZE] = {0}, Kv[SIZE * SIZE] = {0};

    set_real(&type->info, data, "stiffness", 10.0);
    set_real(&type->info, data, "damping", 3.0);
    type->wrench(&in, w);
    type->tangent(&in, Kq, Kv);
    CHECK_NEAR(t, w[1].r.x, -6.0, 0.0); // -c d'
    CHECK_NEAR(t, w[1].r.z, 3.0, 0.0);
    CHECK_NEAR(t, Kq[6 * SIZE + 6], -10.0, 0.0);
    CHECK_NEAR(t, Kv[8 * SIZE + 2], 3.0, 0.0);

    set_real(&type->info, data, "free_length", 1.0);
    memset(Kq, 0, sizeof Kq);
    memset(Kv, 0, sizeof Kv);
    type->wrench(&in, w);
    type->tangent(&in, Kq, Kv);
    CHECK_NEAR(t, v3_norm(w[1].r), 0.0, 0.0);
    for (int k = 0; k < SIZE * SIZE; ++k) {
        CHECK_NEAR(t, Kq[k] + Kv[k], 0.0, 0.0);
    }
    tml_arena_free(&arena);
}

TEST(spring_takes_its_initial_length)
{
    const TmlForceType *type = &tml_force_spring;
    TmlArena arena = {0};
    TmlError err;
    void *data = tml_arena_alloc(&arena, 1, type->info.data_size);
    TmlFrameKin e[ENDS] = {{.A = m3_identity()}, {.A = m3_identity(), .r = {3, 4, 0}}};
    const TmlElementIn in = {.data = data, .e = e, .n_ends = ENDS};
    double value[3];
    set_real(&type->info, data, "stiffness", 2.0);
    set_real(&type->info, data, "free_length", (double)NAN);
    CHECK_OK(t, type->prepare(data, e, ENDS, &err), &err);
    e[1].r.x = 8.0;
    e[1].r.y = 6.0;
    type->output(&in, value);
    // a square root and two products: rounding of 10
    CHECK_NEAR(t, value[0], 10.0, 1e-14);
    CHECK_NEAR(t, value[2], 10.0, 1e-14); // 2 (10 - 5)
    tml_arena_free(&arena);
}

/* The series of the bushing's coefficients and their closed form meet. */
TEST(bushing_is_smooth_over_its_series)
{
    TmlArena arena = {0};
    const TmlForceType *type = &tml_force_bushing;
    t->name = type->info.name;
    void *data = data_random(t, &arena, &type->info, type->check);
    TmlFrameKin e[ENDS] = {{.A = m3_identity()}};
    const TmlElementIn in = {.data = data, .e = e, .n_ends = ENDS};
    const double angle[3] = {0.6 - 1e-9, 0.6, 0.6 + 1e-9};
    double Kq[3][SIZE * SIZE] = {{0}}, Kv[3][SIZE * SIZE] = {{0}};
    e[1].omega = test_vec3(t);
    for (int k = 0; k < 3; ++k) {
        e[1].A = q4_matrix(q4_exp(v3_scale(angle[k], v3(0.6, 0.0, 0.8))));
        type->tangent(&in, Kq[k], Kv[k]);
    }
    for (int k = 0; k < SIZE * SIZE; ++k) {
        // a smooth function has a second difference of 1e-18; the rounding of both forms is 1e-14
        CHECK_NEAR(t, Kq[0][k] - 2.0 * Kq[1][k] + Kq[2][k], 0.0, 1e-12);
    }
    tml_arena_free(&arena);
}

TEST(rotational_spring_counts_turns)
{
    TmlArena arena = {0};
    const TmlForceType *type = &tml_force_rotational_spring;
    void *data = tml_arena_alloc(&arena, 1, type->info.data_size);
    TmlFrameKin e[ENDS] = {{.A = m3_identity()}, {.A = m3_identity()}};
    double memory[1] = {0.0}, value[3];
    const TmlElementIn in = {.data = data, .e = e, .n_ends = ENDS, .memory = memory};
    set_real(&type->info, data, "stiffness", 2.0);
    for (int k = 1; k <= 10; ++k) {
        e[1].A = q4_matrix(q4_exp(v3(0, 0, 1.5 * k)));
        type->output(&in, value);
        // rounding of angles of up to 15
        CHECK_NEAR(t, value[0], 1.5 * k, 1e-13);
        CHECK_NEAR(t, value[2], -3.0 * k, 1e-13);
        type->commit(&in, memory);
    }
    tml_arena_free(&arena);
}

TEST_SUITE(force_contract) = {CASE(tangent_matches_differences),
                              CASE(f_map_matches_differences),
                              CASE(both_ends_are_in_equilibrium),
                              CASE(energy_gradient_is_minus_the_wrench),
                              CASE(outputs_match_differences),
                              CASE(parameters_are_documented),
                              CASE(spring_at_zero_length),
                              CASE(spring_takes_its_initial_length),
                              CASE(bushing_is_smooth_over_its_series),
                              CASE(rotational_spring_counts_turns),
                              {0}};
