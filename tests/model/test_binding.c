/* tests/model/test_binding.c - expressions of a model: every function, every derivative.
 *
 * The list of expressions is made from tml_binding_functions, so a new function is covered, or
 * fails for want of an example.
 */
#include "binding_bench.h"
#include "model/measure/law.h"

/* Differences of sixth order: truncation is below 1e-9 and rounding 2e-13 of the value
 * (element_util.h). Ten times that, and a hundred times where second rates have size 1000. */
static const double DIFFERENCE = 1e-8;
/* A value of size ten after some tens of products. */
static const double ROUNDING = 1e-14;
static bool is_positional(const TmlBinding *b)
{
    return b->uses_motion && !b->uses_twist && !b->uses_acceleration && b->n_unknowns == 0;
}

/* Value' along the twists. */
static double rate_of(const TmlBinding *b, Point *p)
{
    const Grad g = point_gradient(p);
    double rate = tml_binding_dt(b, point_in(p));
    for (int k = 0; k < b->n_ends; ++k) {
        rate += v3_dot(g.q[k].r, p->e[k].v) + v3_dot(g.q[k].theta, p->e[k].omega);
    }
    return rate;
}

/* Derivatives of the rows: by the motions and by time. */
static void curvature_check(TestCtx *t, Point *p)
{
    const TmlBinding *b = p->b;
    const int n = 6 * b->n_ends;
    double *K = calloc((size_t)n * (size_t)n, sizeof *K);
    TmlRow Jt[TML_MAX_ENDS];
    tml_binding_curvature(b, point_in(p), 2.0, K);
    tml_binding_rows_dt(b, point_in(p), Jt);
    for (int c = 0; c <= n; ++c) { // n: time
        double d[6 * TML_MAX_ENDS] = {0};
        for (int s = 0; s < STENCIL; ++s) {
            Point q = point_copy(p);
            const double x = stencil_at[s] * stencil_h;
            if (c < n) {
                q.e[c / 6] = kin_moved(&p->e[c / 6], c % 6, x);
            } else {
                q.in.t += x;
            }
            const Grad g = point_gradient(&q);
            for (int r = 0; r < n; ++r) {
                d[r] += stencil_weight[s] / stencil_h * row_entry(&g.q[r / 6], r % 6);
            }
        }
        for (int r = 0; r < n; ++r) {
            const double got = c < n ? 0.5 * K[r * n + c] : row_entry(&Jt[r / 6], r % 6);
            CHECK_NEAR(t, got, d[r], DIFFERENCE * (1.0 + fabs(d[r])));
        }
    }
    free(K);
}

static void second_rate_check(TestCtx *t, Point *p)
{
    const TmlBinding *b = p->b;
    const double second = tml_binding_second_rate(b, point_in(p));
    double d = 0.0, dt = 0.0;
    for (int s = 0; s < STENCIL; ++s) {
        Point q = point_copy(p), later = point_copy(p);
        const double x = stencil_at[s] * stencil_h, w = stencil_weight[s] / stencil_h;
        for (int k = 0; k < b->n_ends; ++k) {
            q.e[k] = kin_flown(&p->e[k], x);
        }
        q.in.t += x;
        later.in.t += x;
        d += w * rate_of(b, &q);
        dt += w * tml_binding_second_rate(b, point_in(&later));
    }
    CHECK_NEAR(t, second, d, DIFFERENCE * (1.0 + fabs(d)));
    CHECK_NEAR(t, tml_binding_second_rate_dt(b, point_in(p)), dt, DIFFERENCE * (1.0 + fabs(dt)));

    TmlRow Gm[TML_MAX_ENDS], Gv[TML_MAX_ENDS];
    tml_binding_second_rate_tangent(b, point_in(p), Gm, Gv);
    for (int c = 0; c < 6 * b->n_ends; ++c) {
        const int k = c / 6, m = c % 6;
        const double dm = point_difference(p, k, MOVE_MOTION + m, tml_binding_second_rate);
        const double dv = point_difference(p, k, MOVE_TWIST + m, tml_binding_second_rate);
        CHECK_NEAR(t, row_entry(&Gm[k], m), dm, 10 * DIFFERENCE * (1.0 + fabs(dm)));
        CHECK_NEAR(t, row_entry(&Gv[k], m), dv, DIFFERENCE * (1.0 + fabs(dv)));
    }
}

/* The derivative by time as a binding of its own: its value along the motion that the point is in,
 * its gradient. False: it has none. */
static bool rate_check(Bench *s, const TmlBinding *of)
{
    TestCtx *t = s->t;
    TmlBinding *b = NULL;
    TmlError err = {0};
    if (tml_binding_rate_create(&s->m, of, "test", &b, &err) != TML_OK) {
        CHECK(t, strstr(err.message, "rate") != NULL); // says what has none
        return false;
    }
    const int n = of->n_leaves;
    double *work = calloc(b->work > of->work ? b->work : of->work, sizeof *work);
    for (int k = 0, tries = 0; k < STATES && tries < 500; ++tries) {
        Point p;
        point_random(t, b, work, &p);
        const Grad g = point_gradient(&p);
        if (!(grad_size(b, &g) < 50.0)) {
            continue; // near a singularity
        }
        ++k;
        double d = 0.0;
        for (int i = 0; i < STENCIL; ++i) {
            const double x = stencil_at[i] * stencil_h;
            Point q = point_copy(&p);
            q.b = of;
            q.in.t += x;
            for (int e = 0; e < of->n_ends; ++e) {
                q.e[e] = kin_flown(&p.e[e], x);
                q.e[e].v = v3_axpy(x, p.e[e].a, p.e[e].v);
                q.e[e].omega = v3_axpy(x, p.e[e].alpha, p.e[e].omega);
            }
            for (int a = 1; a < n; ++a) {
                if (b->leaf[a].kind == TML_LEAF_UNKNOWN) {
                    q.u[b->leaf[a].unknown[0]] += x * p.u[b->leaf[n - 1 + a].unknown[0]];
                }
            }
            d += stencil_weight[i] / stencil_h * tml_binding_value(of, point_in(&q));
        }
        CHECK_NEAR(t, g.value, d, DIFFERENCE * (1.0 + fabs(d) + grad_size(b, &g)));
        gradient_check(t, &p);
        flags_check(t, &p);
        // at rest only what moves counts
        for (int e = 0; e < b->n_ends; ++e) {
            p.e[e].v = p.e[e].omega = p.e[e].a = p.e[e].alpha = v3(0, 0, 0);
        }
        for (int i = of->n_unknowns; i < b->n_unknowns; ++i) {
            p.u[i] = 0.0;
        }
        p.in.rest = true;
        CHECK(t, tml_binding_value(b, point_in(&p)) == 0.0);
    }
    free(work);
    return true;
}

/* All derivatives of one expression at random states. States near a singularity of an angle or of
 * a distance are left out: differences have no digits there. */
static void derivatives_check(Bench *s, TmlBinding *b)
{
    double *work = calloc(b->work, sizeof *work);
    for (int k = 0, tries = 0; k < STATES && tries < 500; ++tries) {
        Point p;
        point_random(s->t, b, work, &p);
        const Grad g = point_gradient(&p);
        if (is_positional(b) && !(grad_size(b, &g) < 8.0)) {
            continue;
        }
        ++k;
        gradient_check(s->t, &p);
        flags_check(s->t, &p);
        if (is_positional(b)) {
            curvature_check(s->t, &p);
            second_rate_check(s->t, &p);
        }
    }
    free(work);
    const uint64_t seed = s->t->seed; // the other expressions keep their states
    s->rates += rate_check(s, b);
    s->t->seed = seed;
    s->expressions++;
}

static void expression_check(Bench *s, const char *text)
{
    TmlBinding *b = NULL;
    TmlError err = {0};
    s->t->name = text;
    CHECK_OK(s->t, tml_binding_create(&s->m, text, "test", TML_ALLOW_ALL, &b, &err), &err);
    if (b != NULL) {
        derivatives_check(s, b);
    }
}

/* --- every function --------------------------------------------------------------------------- */

static const char *const members[] = {"fx", "fy", "fz", "fm", "tx", "ty", "tz", "tm"};

static void frames_function(Bench *s, const char *name, const char *signature)
{
    static const char *const frames[] = {"a.tip", "b.eye", "c.knee", "b"};
    int n = 1;
    for (const char *c = signature; *c != '\0'; ++c) {
        n += *c == ',';
    }
    char full[128], twice[400];
    int used = snprintf(full, sizeof full, "%s(", name);
    for (int k = 0; k < n; ++k) {
        used +=
            snprintf(full + used, sizeof full - (size_t)used, "%s%s", k > 0 ? ", " : "", frames[k]);
    }
    snprintf(full + used, sizeof full - (size_t)used, ")");
    expression_check(s, full);
    snprintf(twice, sizeof twice, "%s(a, a.tip)*sin(time*%s) + %s^2", name, full, full);
    expression_check(s, twice); // one end in several slots, all orders of the chain rule
    snprintf(twice, sizeof twice, "%s(c)", name);
    expression_check(s, twice);
}

static void member_function(Bench *s, const char *name, const char *element)
{
    char text[128];
    for (size_t k = 0; k < sizeof members / sizeof members[0]; ++k) {
        snprintf(text, sizeof text, "%s(%s, c.knee).%s", name, element, members[k]);
        expression_check(s, text);
    }
    snprintf(text, sizeof text, "%s(%s).fy*%s(%s).tx", name, element, name, element);
    expression_check(s, text);
}

static void output_function(Bench *s, const char *name)
{
    char text[128];
    for (int k = 0; k < s->m.forces.n; ++k) {
        const TmlOutput *o = s->force[k].type->info.outputs;
        for (; o != NULL && o->name != NULL; ++o) {
            snprintf(text, sizeof text, "%s(%s).%s", name, s->force[k].name, o->name);
            expression_check(s, text);
        }
    }
}

/* Functions of contact need shapes, which the bench has not; their derivatives are those of
 * tests/system/test_contact_rows.c. */
static void contact_function(Bench *s, const char *name)
{
    char text[64];
    TmlBinding *binding = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, "%s(a)", name);
    CHECK(s->t, tml_binding_create(&s->m, text, "variable 'x'", TML_ALLOW_ALL, &binding, &err) ==
                    TML_E_MODEL);
    CHECK_HAS(s->t, err.message, "body 'a' has no shape that can touch");
}

static void visit_function(void *arg, const char *name, const char *signature, const char *text)
{
    Bench *s = arg;
    char expression[64];
    const char *args = signature + strlen(name);
    CHECK(s->t, strncmp(signature, name, strlen(name)) == 0 && text[0] != '\0');
    if (strncmp(args, "(to", 3) == 0) {
        frames_function(s, name, signature);
    } else if (strcmp(args, "(joint)") == 0 || strcmp(args, "(name)") == 0) {
        snprintf(expression, sizeof expression, "%s(%s)^2 + time", name,
                 args[1] == 'j'   ? "cyl"
                 : name[0] == 'r' ? "x2"
                                  : "echo");
        expression_check(s, expression);
    } else if (strncmp(args, "(joint, axes", 12) == 0) {
        for (int k = 0; k < JOINTS; ++k) {
            member_function(s, name, s->joint[k].name);
        }
    } else if (strncmp(args, "(element, axes", 14) == 0) {
        for (int k = 0; k < s->m.forces.n; ++k) {
            member_function(s, name, s->force[k].name);
        }
    } else if (strncmp(args, "(element).", 10) == 0) {
        output_function(s, name);
    } else if (strncmp(args, "(contact or body", 16) == 0) {
        contact_function(s, name);
    } else {
        test_fail(s->t, __FILE__, __LINE__, "no example for %s", signature);
    }
}

TEST(every_function_has_exact_derivatives)
{
    Bench s;
    bench_init(t, &s);
    tml_binding_functions(visit_function, &s);
    // all but accelerations, reactions, forces and rates have a rate
    CHECK(t, s.rates >= 30 && s.rates < s.expressions);
    bench_free(&s);
}

TEST(mixed_expressions)
{
    Bench s;
    bench_init(t, &s);
    expression_check(&s, "k1*speed*x1 - rate(x1)*DX(a)*time + cubspl(DM(a, b), curve)");
    expression_check(&s,
                     "atan2(DX(a, b), 2 + DY(b, c, a))*angle(cyl) + exp(0.3*displacement(cyl))");
    expression_check(&s, "sqrt(1 + reaction(pin).fx^2)*velocity(cyl) + force(f0).fm*ACCX(a)");
    const int before = s.rates;
    expression_check(&s, "VX(a, b, c)*WY(b, c, a) + sin(time*x1)*VM(b.eye, c)/(2 + DZ(a)^2)");
    expression_check(&s,
                     "velocity(cyl)*VR(a, b) + WM(a, c)*speed^3 - time^2*angular_velocity(pin)");
    expression_check(&s, "2*k1");
    expression_check(&s, "sin(3*time)");
    CHECK_INT(t, s.rates - before, 4);
    bench_free(&s);
}

/* --- values ----------------------------------------------------------------------------------- */

static TmlBinding *bind(Bench *s, const char *text)
{
    TmlBinding *b = NULL;
    TmlError err;
    CHECK_OK(s->t, tml_binding_create(&s->m, text, "test", TML_ALLOW_ALL, &b, &err), &err);
    return b;
}

/* Value with all ends moved as parts of their bodies, which are at the given places. */
static double value_of(Bench *s, const TmlBinding *b, const TmlFrameKin body[BODIES],
                       const double *u, const double *memory)
{
    TmlFrameKin e[TML_MAX_ENDS];
    double work[4096];
    CHECK(s->t, b->work <= 4096);
    for (int k = 0; k < b->n_ends; ++k) {
        const TmlFrameKin *f = &body[b->end[k].body];
        const TmlVec3 d = m3_mulv(&f->A, b->end[k].s_b);
        e[k] = *f;
        e[k].r = v3_add(f->r, d);
        e[k].v = v3_add(f->v, v3_cross(f->omega, d));
        e[k].A = m3_mul(&f->A, &b->end[k].A_b);
    }
    return tml_binding_value(b, &(TmlBindIn){e, 0.0, u, memory, work, NULL, false, 0.0});
}

TEST(known_values)
{
    Bench s;
    bench_init(t, &s);
    s.body[1].cm = v3(1, 0, 0);
    TmlFrameKin body[BODIES];
    for (int k = 0; k < BODIES; ++k) {
        body[k] = (TmlFrameKin){.A = m3_identity()};
    }
    body[1].r = v3(5, 6, 7); // centre of mass of a
    body[1].A = q4_matrix(q4_exp(v3(0, 0, M_PI / 2)));
    body[1].omega = v3(0, 0, 3);
    const double memory[4] = {0};
    // the origin of a lies at -cm, which is turned to -y: (5, 5, 7)
    CHECK_NEAR(t, value_of(&s, bind(&s, "DX(a)"), body, NULL, memory), 5.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "DY(a)"), body, NULL, memory), 5.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "DY(a.cm)"), body, NULL, memory), 6.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "dx(a.cm, a, a)"), body, NULL, memory), 1.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "DX(a.cm, ground, a.cm)"), body, NULL, memory), 6.0,
               ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "VX(a)"), body, NULL, memory), 3.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "WZ(a)"), body, NULL, memory), 3.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "VM(a, a.cm, a)"), body, NULL, memory), 0.0, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "AZ(a)"), body, NULL, memory), M_PI / 2, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "YAW(a)"), body, NULL, memory), M_PI / 2, ROUNDING);
    CHECK_NEAR(t, value_of(&s, bind(&s, "k1 + k2"), body, NULL, memory), 2.0, 0.0);
    bench_free(&s);
}

/* The three angles rebuild the rotation they were taken from. */
TEST(angle_sequences)
{
    Bench s;
    bench_init(t, &s);
    static const char *const names[2][3] = {{"PSI(a)", "THETA(a)", "PHI(a)"},
                                            {"YAW(a)", "PITCH(a)", "ROLL(a)"}};
    static const TmlVec3 axis[2][3] = {{{0, 0, 1}, {1, 0, 0}, {0, 0, 1}},
                                       {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}};
    const double memory[1] = {0.0};
    // the last four have the first and the third axis of a sequence parallel
    static const TmlVec3 lock[] = {{0, 0, 0}, {M_PI, 0, 0}, {0, M_PI / 2, 0}, {0, -M_PI / 2, 0}};
    for (int round = 0; round < 24; ++round) {
        TmlFrameKin body[BODIES] = {{.A = m3_identity()}};
        body[1].A = q4_matrix(test_quat(t));
        if (round >= 20) {
            const TmlQuat turn = q4_exp(v3(0, 0, test_random(t, -3.0, 3.0)));
            body[1].A = q4_matrix(q4_mul(turn, q4_exp(lock[round - 20])));
        }
        for (int k = 0; k < 2; ++k) {
            TmlMat33 A = m3_identity();
            for (int i = 0; i < 3; ++i) {
                const double x = value_of(&s, bind(&s, names[k][i]), body, NULL, memory);
                const TmlMat33 R = q4_matrix(q4_exp(v3_scale(x, axis[k][i])));
                A = m3_mul(&A, &R);
            }
            // rounding, grown near gimbal lock; at the lock angles come from a cosine near one, whose rounding of 1e-16 is one
            // of 1e-8 of the angle
            const double tol = round < 20 ? 1e-12 : 1e-7;
            CHECK_NEAR(t, v3_norm(v3_sub(A.cx, body[1].A.cx)), 0.0, tol);
            CHECK_NEAR(t, v3_norm(v3_sub(A.cy, body[1].A.cy)), 0.0, tol);
        }
    }
    bench_free(&s);
}

/* A turning joint: the angle grows beyond a turn when every state is committed. */
TEST(angles_count_turns)
{
    Bench s;
    bench_init(t, &s);
    const TmlBinding *b = bind(&s, "angle(cyl)");
    double memory[1] = {0.0}, work[64];
    CHECK_INT(t, b->n_memory, 1);
    CHECK(t, b->work <= 64);
    for (int k = 0; k < 30; ++k) {
        TmlFrameKin e[2] = {{.A = m3_identity()}, {.A = q4_matrix(q4_exp(v3(0, 0, -0.9 * k)))}};
        const TmlBindIn in = {e, 0.0, NULL, memory, work, NULL, false, 0.0};
        CHECK_NEAR(t, tml_binding_value(b, &in), 4.0 * M_PI - 0.9 * k, ROUNDING); // turns: 2
        tml_binding_commit(b, &in, memory);
    }
    bench_free(&s);
}

TEST(reaction_is_the_force_on_the_second_body)
{
    Bench s;
    bench_init(t, &s);
    const TmlBinding *b = bind(&s, "reaction(ball).fy");
    CHECK_INT(t, b->n_unknowns, 3);
    TmlFrameKin body[BODIES];
    for (int k = 0; k < BODIES; ++k) {
        body[k] = (TmlFrameKin){.A = m3_identity()};
    }
    const double lambda[3] = {1, 2, 3};
    // phi = r_1 - r_0, force on the system is -J^T lambda
    CHECK_NEAR(t, value_of(&s, b, body, lambda, NULL), -2.0, ROUNDING);
    bench_free(&s);
}

/* Equal things are shared, so that no work is done twice. */
TEST(leaves_ends_and_unknowns_are_shared)
{
    Bench s;
    bench_init(t, &s);
    const TmlBinding *b = bind(&s, "DX(a, b) + dx(a, b, ground)*DY(a, b) + speed*speed");
    CHECK_INT(t, b->n_leaves, 4); // time, DX, DY, speed
    CHECK_INT(t, b->n_ends, 3);
    CHECK_INT(t, b->n_unknowns, 1);
    b = bind(&s, "sin(3*time)");
    double d[4], work[64];
    CHECK(t, b->work <= 64 && b->n_ends == 0 && !b->uses_motion);
    tml_binding_time(b, 0.4, work, d);
    CHECK_NEAR(t, d[0], sin(1.2), 0.1 * ROUNDING);
    CHECK_NEAR(t, d[1], 3.0 * cos(1.2), 0.1 * ROUNDING);
    CHECK_NEAR(t, d[2], -9.0 * sin(1.2), ROUNDING);
    CHECK_NEAR(t, d[3], -27.0 * cos(1.2), ROUNDING);
    bench_free(&s);
}

/* --- friction --------------------------------------------------------------------------------- */

static void set_param(const TmlTypeInfo *info, void *data, const char *name, double value)
{
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0 && p->kind == TML_PARAM_CHOICE) {
            *(int *)((char *)data + p->offset) = (int)value;
        } else if (strcmp(p->name, name) == 0 && p->kind == TML_PARAM_BOOL) {
            *(bool *)((char *)data + p->offset) = value != 0.0;
        } else if (strcmp(p->name, name) == 0) {
            *(double *)((char *)data + p->offset) = value;
        }
    }
}

static TmlBinding *friction_bind(Bench *s, const void *data, bool rate, const char *joint, int k)
{
    TmlBinding *b = NULL;
    TmlError err = {0};
    CHECK_OK(s->t,
             tml_law_bind(&s->m, tml_force_friction.law, rate, data, k, "rub", joint, &b, &err),
             &err);
    return b;
}

/* The defining expressions of all kinds of friction compile and have exact derivatives. */
TEST(friction_expressions)
{
    const TmlForceType *type = &tml_force_friction;
    static const char *const joints[] = {"pin", "slide", "cyl", "ball", "cross", "cross"};
    static const int counts[] = {1, 1, 2, 3, 1, 1};
    Bench s;
    bench_init(t, &s);
    for (int k = 0; k < 12; ++k) {
        const int motion = k % 6;
        void *data = data_random(t, &s.m.arena, &type->info, type->check);
        set_param(&type->info, data, "motion", motion);
        // wide, as the states of the test are; wider where norms are rounded off at a thousandth
        set_param(&type->info, data, "static_velocity", k < 6 ? 2.0 : 500.0);
        set_param(&type->info, data, "dynamic_velocity", k < 6 ? 8.0 : 800.0);
        set_param(&type->info, data, "creep", k < 6 ? 0.0 : 500.0);
        set_param(&type->info, data, "reach", 5.0); // not zero for any displacement
        set_param(&type->info, data, "reach_rate", 0.1);
        CHECK_INT(t, type->n_f(data), counts[motion]);
        CHECK_INT(t, type->law->n_x(data), k < 6 ? 0 : counts[motion]);
        for (int i = 0; i < counts[motion]; ++i) {
            derivatives_check(&s, friction_bind(&s, data, false, joints[motion], i));
            if (k >= 6) {
                derivatives_check(&s, friction_bind(&s, data, true, joints[motion], i));
            }
        }
    }
    bench_free(&s);
}

/* A pin of radius R under a radial load N: torque mu N R against the rotation. */
TEST(friction_of_a_loaded_pin)
{
    const TmlForceType *type = &tml_force_friction;
    Bench s;
    bench_init(t, &s);
    void *data = tml_arena_alloc(&s.m.arena, 1, type->info.data_size);
    set_param(&type->info, data, "static", 0.5);
    set_param(&type->info, data, "dynamic", 0.3);
    set_param(&type->info, data, "static_velocity", 0.01);
    set_param(&type->info, data, "dynamic_velocity", 0.02);
    set_param(&type->info, data, "radius", 0.1);
    set_param(&type->info, data, "smoothing", 1e-6);
    set_param(&type->info, data, "load", 1.0);
    const TmlBinding *b = friction_bind(&s, data, false, "pin", 0);
    static const double speed[] = {0.0, 0.1, -0.1, 5.0, -5.0}; // rad/s
    static const double torque[] = {0.0, -5.0, 5.0, -3.0, 3.0};
    double work[4096], u[TML_BIND_MAX_UNKNOWNS] = {0.0};
    CHECK(t, b->work <= 4096);
    u[0] = 100.0; // force along x, whatever its sign
    for (int k = 0; k < 5; ++k) {
        TmlFrameKin e[TML_MAX_ENDS];
        for (int i = 0; i < b->n_ends; ++i) {
            e[i] = (TmlFrameKin){.A = m3_identity()};
            if (b->end[i].body == s.joint[0].end[1].body) {
                e[i].omega = v3(0, 0, speed[k]);
            }
        }
        // the rounding off takes 1e-6 N of 100
        CHECK_NEAR(t, tml_binding_value(b, &(TmlBindIn){e, 0.0, u, NULL, work, NULL, false, 0.0}),
                   torque[k], 1e-6);
    }
    bench_free(&s);
}

/* A cylindrical joint with all kinds of load, beside (F1), (F3), (F5) and (F6) typed by hand. */
TEST(friction_as_typed)
{
    static const char mu[] = "(step5(s, -0.5, -0.4, 0.5, 0.4) + step5(s, 0.5, 0, 0.9, -0.1)"
                             " + step5(s, -0.9, 0.1, -0.5, 0))";
    static const char drag[] = "step5(s, -0.5, -1, 0.5, 1)";
    static const char load[] =
        "(7 + sqrt(0.01^2 + reaction(cyl, cyl.first).fx^2 + reaction(cyl, cyl.first).fy^2) - 0.01"
        " + (sqrt(0.05^2 + reaction(cyl, cyl.first).tx^2 + reaction(cyl, cyl.first).ty^2) - 0.05)"
        "/(5 + 0.1*displacement(cyl))"
        " + (sqrt(0.02^2 + reaction(cyl, cyl.first).tz^2) - 0.02)/2)";
    static const char speed[] = "sqrt(0.0005^2 + velocity(cyl)^2 + (0.3*angular_velocity(cyl))^2)";
    static const struct {
        const char *name;
        double value;
    } params[] = {{"motion", 2.0},
                  {"static", 0.4},
                  {"dynamic", 0.3},
                  {"preload", 7.0},
                  {"static_velocity", 0.5},
                  {"dynamic_velocity", 0.9},
                  {"radius", 0.3},
                  {"reach", 5.0},
                  {"reach_rate", 0.1},
                  {"torsion", 2.0},
                  {"drag", 3.0},
                  {"drag_torque", 4.0},
                  {"smoothing", 0.01},
                  {"load", 1.0}};
    const TmlForceType *type = &tml_force_friction;
    Bench s;
    bench_init(t, &s);
    void *data = tml_arena_alloc(&s.m.arena, 1, type->info.data_size);
    for (size_t k = 0; k < sizeof params / sizeof *params; ++k) {
        set_param(&type->info, data, params[k].name, params[k].value);
    }
    for (int k = 0; k < 2; ++k) {
        const char *rate = k == 0 ? "velocity(cyl)" : "0.3*angular_velocity(cyl)";
        char text[4096] = "";
        int n = snprintf(text, sizeof text, "(-%s*%s*", k == 0 ? "1" : "0.3", load);
        for (int part = 0; part < 2; ++part) { // s stands for the speed
            for (const char *c = part == 0 ? mu : drag; *c != '\0'; ++c) {
                const bool is_s = *c == 's' && c[1] == ',';
                n += snprintf(text + n, sizeof text - (size_t)n, "%.*s", is_s ? 200 : 1,
                              is_s ? speed : c);
            }
            n += snprintf(text + n, sizeof text - (size_t)n, part == 0 ? " - %s*" : "%.0s)",
                          k == 0 ? "3" : "4");
        }
        snprintf(text + n, sizeof text - (size_t)n, "*(%s)/%s", rate, speed);
        TmlBinding *law = friction_bind(&s, data, false, "cyl", k), *typed = bind(&s, text);
        double *work = calloc(law->work + typed->work, sizeof *work);
        for (int i = 0; i < STATES; ++i) {
            Point p;
            point_random(t, typed, work, &p);
            const double wanted = tml_binding_value(typed, &p.in);
            // one is ordered as the other but for common factors: some rounding errors
            CHECK_NEAR(t, tml_binding_value(law, &p.in), wanted, 1e-13 * (1.0 + fabs(wanted)));
        }
        free(work);
    }
    bench_free(&s);
}

/* A ball joint of which Adams tells angular velocity, creep and coefficients: sliding, between
 * both, and sticking twice (delta robot of the reference data, t = 0.1, 0.42, 0.42, 0.68 s). */
TEST(friction_of_a_ball_as_adams_has_it)
{
    static const struct {
        double w[3], creep[3], mu[3];
    } rows[] = {
        {{1.2251463, -0.0070941869, 0.5156353},
         {0.0, 0.0, 0.0},
         {-0.00046084015, 2.6684863e-06, -0.00019395679}},
        {{0.040835693, -0.013028142, 0.096772248},
         {0.0, 0.0, 0.0},
         {-0.00038326314, 0.00012227555, -0.00090825532}},
        {{-0.0014040991, -0.0002807156, 0.033710574},
         {-3.1609956e-05, 5.7274601e-06, -8.9360673e-05},
         {2.6848965e-05, 4.433304e-06, -0.00057880758}},
        {{0.053466982, -0.019299251, -0.077504737},
         {0.0009096679, -0.00031412645, -0.00029891759},
         {-0.00055622418, 0.00020077232, 0.00080626514}},
    };
    const TmlForceType *type = &tml_force_friction;
    Bench s;
    bench_init(t, &s);
    void *data = tml_arena_alloc(&s.m.arena, 1, type->info.data_size);
    static const struct {
        const char *name;
        double value;
    } params[] = {{"motion", 3.0},          {"static", 0.001},          {"dynamic", 5e-4},
                  {"static_velocity", 0.1}, {"dynamic_velocity", 0.15}, {"radius", 1.0},
                  {"creep", 0.01},          {"smoothing", 1e-9},        {"load", 1.0}};
    for (size_t k = 0; k < sizeof params / sizeof *params; ++k) {
        set_param(&type->info, data, params[k].name, params[k].value);
    }
    for (int k = 0; k < 3; ++k) {
        const TmlBinding *b = friction_bind(&s, data, false, "ball", k);
        for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row) {
            double work[8192], u[TML_BIND_MAX_UNKNOWNS] = {0.0};
            TmlFrameKin e[TML_MAX_ENDS];
            CHECK(t, b->work <= 8192);
            for (int i = 0; i < b->n_unknowns; ++i) {
                const TmlUnknown *x = &b->unknown[i];
                u[i] = x->kind == TML_UNKNOWN_X ? rows[row].creep[x->index - 2]
                       : x->row == 0            ? 1.0
                                                : 0.0;
            }
            for (int i = 0; i < b->n_ends; ++i) {
                e[i] = (TmlFrameKin){.A = m3_identity()};
                if (b->end[i].body == s.joint[2].end[1].body) {
                    e[i].omega = v3(rows[row].w[0], rows[row].w[1], rows[row].w[2]);
                }
            }
            // 1e-10: Adams writes eight digits; norms are rounded off by 1e-6 of the largest here
            CHECK_NEAR(t,
                       tml_binding_value(b, &(TmlBindIn){e, 0.0, u, NULL, work, NULL, false, 0.0}),
                       rows[row].mu[k], 1e-9);
        }
    }
    bench_free(&s);
}

/* --- errors ----------------------------------------------------------------------------------- */

static void error_check(Bench *s, const char *text, unsigned allowed, const char *part)
{
    TmlBinding *b = NULL;
    TmlError err = {0};
    s->t->name = text;
    CHECK_INT(s->t, tml_binding_create(&s->m, text, "motion 'm1'", allowed, &b, &err), TML_E_MODEL);
    CHECK(s->t, b == NULL);
    CHECK_HAS(s->t, err.message, "motion 'm1': ");
    CHECK_HAS(s->t, err.message, part);
}

TEST(errors_say_what_is_wrong)
{
    Bench s;
    bench_init(t, &s);
    const unsigned all = TML_ALLOW_ALL;
    error_check(&s, "DX(a.tipp)", all, "unknown body or frame 'a.tipp'; did you mean 'a.tip'?");
    error_check(&s, "angle(pinn)", all, "unknown joint 'pinn'; did you mean 'pin'?");
    error_check(&s, "angle(ball)", all, "joint 'ball' is of type spherical, which has no angle");
    error_check(&s, "displacement(pin)", all, "which has no displacement");
    error_check(&s, "DXX(a)", all, "unknown function 'DXX'; did you mean 'DX'?");
    error_check(&s, "sped + 1", all, "unknown name 'sped'; did you mean 'speed'?");
    error_check(&s, "2*pin", all, "'pin' is a joint and has no value");
    error_check(&s, "DX(a, b, c, a)", all, "DX takes 1 to 3 arguments, not 4");
    error_check(&s, "DX(3)", all, "expected the name of a body or frame, found the number 3");
    error_check(&s, "reaction(pin)", all, "is followed by .fx");
    error_check(&s, "reaction(pin).fq", all, "not by .fq");
    error_check(&s, "DX(a).fx", all, "DX is a number and has no .fx");
    error_check(&s, "output(f0).lenght", all, "unknown output 'lenght'; did you mean 'length'?");
    error_check(&s, "rate(x3)", all, "unknown state or variable 'x3'; did you mean 'x1'?");
    error_check(&s, "delay(eco)", all, "unknown delay 'eco'; did you mean 'echo'?");
    error_check(&s, "2*echo", all, "'echo' is a delay: its value is delay(echo)");
    error_check(&s, "VX(a)", TML_ALLOW_MOTION,
                "'VX' reads velocities; motion 'm1' may read only time, displacements and angles");
    error_check(&s, "DX(a)", TML_ALLOW_TIME_ONLY, "motion 'm1' may read only time");
    error_check(&s, "ACCX(a)", TML_ALLOW_MOTION | TML_ALLOW_TWIST, "'ACCX' reads accelerations");
    error_check(&s, "speed", TML_ALLOW_MOTION, "'speed' reads states, variables, reactions");
    error_check(&s,
                "DX(pin.first, pin.second) + DX(cyl.first, cyl.second) + DX(ball.first, "
                "ball.second) + DX(cross.first, cross.second) + DX(slide.first, slide.second) "
                "+ DX(a) + DX(b)",
                all, "uses more than 12 frames");
    bench_free(&s);
}

TEST_SUITE(binding) = {CASE(every_function_has_exact_derivatives),
                       CASE(mixed_expressions),
                       CASE(known_values),
                       CASE(angle_sequences),
                       CASE(angles_count_turns),
                       CASE(reaction_is_the_force_on_the_second_body),
                       CASE(leaves_ends_and_unknowns_are_shared),
                       CASE(friction_expressions),
                       CASE(friction_of_a_loaded_pin),
                       CASE(friction_as_typed),
                       CASE(friction_of_a_ball_as_adams_has_it),
                       CASE(errors_say_what_is_wrong),
                       {0}};
