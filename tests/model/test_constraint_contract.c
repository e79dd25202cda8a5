/* tests/model/test_constraint_contract.c - what every registered constraint must satisfy.
 *
 * A new type is covered by these checks as soon as its registry line exists; one whose data cannot
 * be filled here fails. Derivatives are compared with central differences of sixth order at random
 * states: ends moved by dr and exp(dtheta) from the left.
 */
#include "test.h"

#include "math/vec3.h"
#include "model/model.h"
#include "model/primitive/relation.h"
#include "model/registry.h"

#include <math.h>
#include <stdlib.h>

enum { STATES = 50, MAX_MEMORY = 16, MAX_OUT = 6 * TML_MAX_ENDS * TML_MAX_ROWS, DATA = 512 };

// Steps of the differences. First: truncation h^6 / 140 times the seventh derivative, up to 1e8 for
// a distance, about 1e-12; rounding 1e-15 / h. Second: h^6 / 560 times the eighth derivative, up to
// 1e9, is about 3e-8 at the worst place and far less at most; rounding 1e-14 / h^2 about 4e-10.
static const double step1 = 1e-3, step2 = 5e-3;
static const double tol = 1e-8; // relative to the largest of 1 and the value

/* --- a constraint at a state --------------------------------------------------------------- */

typedef struct Sample {
    const TmlConstraintType *type;
    _Alignas(16) unsigned char data[DATA];
    TmlFrameKin e[TML_MAX_ENDS];
    int n_ends;
    double t, memory[MAX_MEMORY], lambda[TML_MAX_ROWS];
    double *work;
} Sample;

static TmlElementIn sample_in(const Sample *s)
{
    return (TmlElementIn){.data = s->data,
                          .e = s->e,
                          .n_ends = s->n_ends,
                          .t = s->t,
                          .memory = s->memory,
                          .work = s->work};
}

static TmlFrameKin random_frame(TestCtx *t)
{
    return (TmlFrameKin){.r = test_vec3(t),
                         .A = q4_matrix(test_quat(t)),
                         .v = test_vec3(t),
                         .omega = test_vec3(t),
                         .a = test_vec3(t),
                         .alpha = test_vec3(t)};
}

/* Two frames away from what joints exclude: coinciding points, axes parallel or opposite. */
static void random_pair(TestCtx *t, TmlFrameKin *e)
{
    double distance, sine, cosine;
    do {
        e[0] = random_frame(t);
        e[1] = random_frame(t);
        distance = v3_norm(v3_sub(e[1].r, e[0].r));
        sine = v3_norm(v3_cross(e[0].A.cz, e[1].A.cz));
        cosine = v3_dot(e[0].A.cz, e[1].A.cz);
    } while (distance < 0.5 || sine < 0.4 || cosine < -0.5);
}

/* --- data for each type -------------------------------------------------------------------- */

/* Parameters of types that need no names, found by their tables. */
static void fill_params(TestCtx *t, const TmlTypeInfo *info, unsigned char *data)
{
    static const double teeth[4] = {17, 23, 31, 12};
    static const TmlTerm mixed[4] = {{.coordinate = TML_COORD_ANGLE, .coefficient = 1.5},
                                     {.coordinate = TML_COORD_DISPLACEMENT, .coefficient = -0.7},
                                     {.coordinate = TML_COORD_ANGLE, .coefficient = 0.4},
                                     {.coordinate = TML_COORD_ANGLE, .coefficient = -2.0}};
    const bool rack = strcmp(info->name, "rack_pinion") == 0;
    const bool gear = strcmp(info->name, "gear") == 0;
    for (const TmlParam *p = info->params; p != NULL && p->kind != TML_PARAM_NONE; ++p) {
        void *at = data + p->offset;
        if (p->kind == TML_PARAM_REAL) {
            *(double *)at = test_random(t, 0.2, 1.0);
        } else if (p->kind == TML_PARAM_TERMS) {
            *(TmlTerms *)at = rack   ? (TmlTerms){2, mixed}
                              : gear ? (TmlTerms){2, mixed + 2}
                                     : (TmlTerms){4, mixed};
        } else if (p->kind == TML_PARAM_REALS) {
            *(TmlReals *)at = (TmlReals){2, teeth};
        } else {
            test_fail(t, __FILE__, __LINE__, "no data for parameter '%s' of '%s'", p->name,
                      info->name);
        }
    }
}

// Types with expressions or paths take their data from a model.
static const char *const model_text =
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "paths: {ring: {points: [[6, 0, 0], [0, 7, 1], [-6, 0, 0], [0, -5, 0]], closed: true}}\n"
    "joints:\n"
    "  pin: {type: cylindrical, bodies: [a, b], at: [0, 0, 0], axis: z}\n"
    "  m0: {type: motion, joint: pin, function: 'sin(3*time)', coordinate: angle}\n"
    "  m1: {type: motion, joint: pin, function: 'sin(3*time)', of: velocity, coordinate: angle}\n"
    "  m2: {type: motion, joint: pin, function: 'exp(-time)', of: acceleration, coordinate: "
    "angle}\n"
    "  m3: {type: motion, joint: pin, function: 'time^3', coordinate: displacement}\n"
    "  m4: {type: motion, joint: pin, function: 'cos(time)', coordinate: displacement,"
    " of: velocity}\n"
    "  m5: {type: motion, joint: pin, function: 'cos(time)', coordinate: displacement,"
    " of: acceleration}\n"
    "  a0: {type: angle_motion, frames: [a, b], angle: first, function: 'sin(3*time)'}\n"
    "  a1: {type: angle_motion, frames: [a, b], angle: second, function: 'sin(3*time)'}\n"
    "  a2: {type: angle_motion, frames: [a, b], angle: third, function: 'exp(-time)'}\n"
    "  a3: {type: angle_motion, frames: [a, b], angle: first, function: 'cos(time)',"
    " of: velocity, initial: 0.3}\n"
    "  a4: {type: angle_motion, frames: [a, b], angle: second, function: 'cos(time)',"
    " of: acceleration, initial: 0.3, initial_rate: 2}\n"
    "  p0: {type: point_on_path, frames: [a, b], path: ring}\n"
    "  p1: {type: point_on_path, frames: [a, b], path: {points: [[0, 0, 0], [1, 1, 0], [2, 0, "
    "3]]}}\n"
    "  p2: {type: path_on_path, frames: [a, b], path: ring, second_path: {points: [[8, 0, 0],"
    " [0, 6, 0], [5, 9, 0]], closed: true}}\n"
    "  p3: {type: path_on_path, frames: [a, b], second_path: {control_points: [[8, 0, 0],"
    " [0, 6, 0], [5, 9, 0], [9, 9, 1]], order: 4}, path: {control_points: [[0, 0, 0],"
    " [1, 6, 0], [5, 9, 1], [9, 5, 0], [9, -5, 2], [3, -6, 0]], order: 6}}\n"
    "  e0: {type: expression, expression: 'cos(time)*DM(b, a) + DX(a)*DY(b, a, b)'}\n"
    "  e1: {type: expression, expression: 'angle(pin)^2 - sin(2*time)*displacement(pin)'}\n"
    "  e2: {type: expression, expression: 'VY(b, a, b)*cos(time) + DX(a)*WZ(b, a, a)'}\n"
    "  e3: {type: expression, expression: 'VX(b, a, b, a)*DM(b, a) - sin(time)*DY(b, a)"
    " + VR(b, a)'}\n"
    "  e4: {type: expression, expression: 'angular_velocity(pin)*angle(pin) + 2*velocity(pin)"
    " - time^2'}\n";

static TmlModel *text_model(TestCtx *t)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&model, &err), &err);
    if (model != NULL) {
        CHECK_OK(t, tml_model_add(model, model_text, &err), &err);
        CHECK_OK(t, tml_model_finish(model, &err), &err);
    }
    return model;
}

/* The k-th constraint of the type in the model, counted round; NULL: there is none. */
static const TmlConstraint *of_type(const TmlModel *model, const TmlConstraintType *type, int k)
{
    int n = 0;
    for (int i = 0; i < model->constraints.n; ++i) {
        n += model->constraints.at[i].type == type;
    }
    int which = n > 0 ? k % n : -1;
    for (int i = 0; i < model->constraints.n; ++i) {
        if (model->constraints.at[i].type == type && which-- == 0) {
            return &model->constraints.at[i];
        }
    }
    return NULL;
}

static bool has_path(const TmlTypeInfo *info)
{
    return info->params != NULL && info->params[0].kind == TML_PARAM_PATH;
}

static bool has_expression(const TmlTypeInfo *info)
{
    for (const TmlParam *p = info->params; p != NULL && p->kind != TML_PARAM_NONE; ++p) {
        if (p->kind == TML_PARAM_EXPR || p->kind == TML_PARAM_PATH) {
            return true;
        }
    }
    return false;
}

/* Data, ends and twists at random; memory as after two accepted states. False: no data. */
static bool sample_make(TestCtx *t, const TmlModel *model, const TmlConstraintType *type, int k,
                        Sample *s)
{
    TmlError err = {0};
    *s = (Sample){.type = type, .n_ends = 2};
    if (has_expression(&type->info)) {
        const TmlConstraint *c = of_type(model, type, k);
        if (c == NULL) {
            test_fail(t, __FILE__, __LINE__, "the model of this test lacks a '%s'",
                      type->info.name);
            return false;
        }
        memcpy(s->data, c->data, type->info.data_size);
        s->n_ends = c->n_ends;
    } else {
        fill_params(t, &type->info, s->data);
        s->n_ends =
            type->ends == TML_ENDS_TERMS ? 2 * ((TmlRelation *)(void *)s->data)->terms.n : 2;
    }
    for (int end = 0; end < s->n_ends; end += 2) {
        random_pair(t, &s->e[end]);
    }
    for (int end = 0; end < s->n_ends && has_path(&type->info); ++end) {
        s->e[end].r.x += 4.0; // the middle of a piece: third derivatives jump between pieces
    }
    for (int row = 0; row < type->rows; ++row) {
        s->lambda[row] = test_random(t, -1.0, 1.0);
    }
    if (type->check != NULL) {
        CHECK_OK(t, type->check(s->data, &err), &err);
    }
    if (type->prepare != NULL) {
        CHECK_OK(t, type->prepare(s->data, s->e, s->n_ends, &err), &err);
    }
    const size_t work = type->work != NULL ? type->work(s->data) : 0;
    s->work = calloc(work + 1, sizeof(double));
    for (s->t = 0.2; type->commit != NULL && s->t < 0.4; s->t += 0.15) {
        double next[MAX_MEMORY] = {0};
        const TmlElementIn in = sample_in(s);
        type->commit(&in, next);
        memcpy(s->memory, next, sizeof next);
    }
    s->t = 0.5;
    return s->work != NULL;
}

/* --- differences --------------------------------------------------------------------------- */

/* A direction in which a sample is moved. */
typedef struct Direction {
    TmlRow motion[TML_MAX_ENDS], twist[TML_MAX_ENDS];
    double time;
} Direction;

static Sample moved(const Sample *s, const Direction *d, double x)
{
    Sample m = *s;
    m.t += x * d->time;
    for (int end = 0; end < s->n_ends; ++end) {
        TmlFrameKin *e = &m.e[end];
        const TmlMat33 turn = q4_matrix(q4_exp(v3_scale(x, d->motion[end].theta)));
        e->r = v3_axpy(x, d->motion[end].r, e->r);
        e->A = m3_mul(&turn, &e->A);
        e->v = v3_axpy(x, d->twist[end].r, e->v);
        e->omega = v3_axpy(x, d->twist[end].theta, e->omega);
    }
    return m;
}

typedef void Eval(const Sample *s, double *out);

static void eval_residual(const Sample *s, double *out)
{
    const TmlElementIn in = sample_in(s);
    s->type->residual(&in, out);
}

static void eval_jacobian(const Sample *s, double *out)
{
    const TmlElementIn in = sample_in(s);
    TmlRow J[TML_MAX_ROWS * TML_MAX_ENDS] = {0};
    s->type->jacobian(&in, J);
    memcpy(out, J, (size_t)(s->type->rows * s->n_ends) * sizeof *J);
}

/* sum_k lambda_k J_k */
static void eval_reaction(const Sample *s, double *out)
{
    double J[MAX_OUT];
    const int n = 6 * s->n_ends;
    eval_jacobian(s, J);
    for (int k = 0; k < n; ++k) {
        out[k] = 0.0;
        for (int row = 0; row < s->type->rows; ++row) {
            out[k] += s->lambda[row] * J[row * n + k];
        }
    }
}

static void eval_gamma(const Sample *s, double *out)
{
    const TmlElementIn in = sample_in(s);
    s->type->gamma(&in, out);
}

/* Central difference of sixth order; order: of the derivative, 1 or 2. */
static void difference(const Sample *s, const Direction *d, Eval *eval, int order, int n,
                       double *out)
{
    static const double first[7] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    static const double second[7] = {2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0};
    const double h = order == 1 ? step1 : step2;
    for (int k = 0; k < n; ++k) {
        out[k] = 0.0;
    }
    for (int p = 0; p < 7; ++p) {
        double value[MAX_OUT];
        const Sample m = moved(s, d, (p - 3) * h);
        eval(&m, value);
        const double w = order == 1 ? first[p] / (60.0 * h) : second[p] / (180.0 * h * h);
        for (int k = 0; k < n; ++k) {
            out[k] += w * value[k];
        }
    }
}

/* What was compared for one type: a difference that always agrees to the last bit is no
 * difference but the analytic code run twice. */
typedef struct Tally {
    bool nonzero, differs;
} Tally;

static void compare(TestCtx *t, const double *exact, const double *differences, int n, Tally *tally)
{
    for (int k = 0; k < n; ++k) {
        const double scale = fmax(1.0, fabs(exact[k]));
        CHECK_NEAR(t, exact[k], differences[k], tol * scale);
        tally->nonzero |= exact[k] != 0.0;
        tally->differs |= exact[k] != differences[k];
    }
}

static Direction random_direction(TestCtx *t, bool motion, bool twist)
{
    Direction d = {0};
    for (int end = 0; end < TML_MAX_ENDS; ++end) {
        const TmlRow x = {test_vec3(t), test_vec3(t)};
        d.motion[end] = motion ? x : (TmlRow){0};
        d.twist[end] = twist ? x : (TmlRow){0};
    }
    return d;
}

/* out[row] = sum over the ends of row . x */
static void rows_times(const Sample *s, const TmlRow *rows, const TmlRow *x, double *out)
{
    for (int row = 0; row < s->type->rows; ++row) {
        out[row] = 0.0;
        for (int end = 0; end < s->n_ends; ++end) {
            const TmlRow *J = &rows[row * s->n_ends + end];
            out[row] += v3_dot(J->r, x[end].r) + v3_dot(J->theta, x[end].theta);
        }
    }
}

static uint32_t pfaffian(const Sample *s)
{
    return s->type->pfaffian_rows != NULL ? s->type->pfaffian_rows(s->data) : s->type->pfaffian;
}

/* Runs a check at all states of all types. */
/* Each type has states of its own, whatever the order of the registry. */
static uint64_t name_seed(const char *name)
{
    uint64_t seed = 20050706;
    for (; *name != '\0'; ++name) {
        seed = 31 * seed + (unsigned char)*name;
    }
    return seed;
}

/* Wheels on rails need tracks and profiles, and places near a rail: tests/wheel/test_rail_contact.c has the same for
 * them. */
static bool rolls(const TmlConstraintType *type)
{
    for (const TmlParam *p = type->info.params; p != NULL && p->kind != TML_PARAM_NONE; ++p) {
        if (p->kind == TML_PARAM_TRACK) {
            return true;
        }
    }
    return false;
}

static void each_sample(TestCtx *t, void (*check)(TestCtx *t, const Sample *s, Tally *tally))
{
    TmlModel *model = text_model(t);
    for (const TmlConstraintType *const *c = tml_constraint_types; *c != NULL; ++c) {
        Tally tally = {0};
        t->name = (*c)->info.name;
        t->seed = name_seed(t->name);
        for (int k = 0; model != NULL && !rolls(*c) && k < STATES; ++k) {
            Sample s;
            if (!sample_make(t, model, *c, k, &s)) {
                break;
            }
            check(t, &s, &tally);
            free(s.work);
        }
        CHECK(t, !tally.nonzero || tally.differs);
    }
    tml_model_free(model);
}

/* --- checks -------------------------------------------------------------------------------- */

/* Holonomic rows by the motions, Pfaffian rows by the twists, in which they are linear. */
static void check_jacobian(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    TmlRow J[TML_MAX_ROWS * TML_MAX_ENDS] = {0};
    double exact[TML_MAX_ROWS], by_motion[TML_MAX_ROWS], by_twist[TML_MAX_ROWS];
    const Direction m = random_direction(t, true, false);
    Direction v = {0};
    memcpy(v.twist, m.motion, sizeof v.twist);
    s->type->jacobian(&in, J);
    rows_times(s, J, m.motion, exact);
    difference(s, &m, eval_residual, 1, s->type->rows, by_motion);
    difference(s, &v, eval_residual, 1, s->type->rows, by_twist);
    for (int row = 0; row < s->type->rows; ++row) {
        const bool velocity = (pfaffian(s) >> row & 1u) != 0;
        compare(t, &exact[row], velocity ? &by_twist[row] : &by_motion[row], 1, tally);
    }
}

TEST(jacobian_matches_differences)
{
    each_sample(t, check_jacobian);
}

/* The curvature as a full matrix. */
static void full_curvature(const Sample *s, const TmlElementIn *in, double *K)
{
    const int n = 6 * s->n_ends;
    s->type->curvature(in, s->lambda, K);
    for (int i = 6; i < n && s->type->arrow; ++i) {
        for (int k = 0; k < 6; ++k) {
            K[i * n + k] = K[k * n + i];
        }
    }
}

static void check_curvature(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    const int n = 6 * s->n_ends;
    double K[36 * TML_MAX_ENDS * TML_MAX_ENDS] = {0};
    double exact[6 * TML_MAX_ENDS], differences[6 * TML_MAX_ENDS];
    const Direction d = random_direction(t, true, false);
    if (s->type->curvature != NULL) {
        full_curvature(s, &in, K);
    }
    const double *x = &d.motion[0].r.x;
    for (int row = 0; row < n; ++row) {
        exact[row] = 0.0;
        for (int col = 0; col < n; ++col) {
            exact[row] += K[row * n + col] * x[col];
        }
    }
    difference(s, &d, eval_reaction, 1, n, differences);
    compare(t, exact, differences, n, tally);
}

TEST(curvature_matches_differences)
{
    each_sample(t, check_curvature);
}

/* No translation where a type says that there is none: such rows and columns are never read. */
static void check_turns_only(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    const int n = 6 * s->n_ends;
    double K[36 * TML_MAX_ENDS * TML_MAX_ENDS] = {0};
    bool translations = false;
    (void)tally;
    if (s->type->curvature == NULL) {
        return;
    }
    s->type->curvature(&in, s->lambda, K);
    for (int k = 0; k < n * n; ++k) {
        const bool turns = k / n % 6 >= 3 && k % n % 6 >= 3;
        translations = translations || (!turns && K[k] != 0.0);
    }
    CHECK(t, !(s->type->turns_only && translations));
}

TEST(curvature_turns_only_where_it_says_so)
{
    each_sample(t, check_turns_only);
}

/* Along the motion with the given twists and no accelerations, phi'' = -gamma. */
static void check_gamma(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    double gamma[TML_MAX_ROWS], second[TML_MAX_ROWS], first[TML_MAX_ROWS];
    Direction d = {.time = 1.0};
    for (int end = 0; end < s->n_ends; ++end) {
        d.motion[end] = (TmlRow){s->e[end].v, s->e[end].omega};
    }
    s->type->gamma(&in, gamma);
    difference(s, &d, eval_residual, 2, s->type->rows, second);
    difference(s, &d, eval_residual, 1, s->type->rows, first);
    for (int row = 0; row < s->type->rows; ++row) {
        const double exact = -gamma[row];
        const bool velocity = (pfaffian(s) >> row & 1u) != 0;
        compare(t, &exact, velocity ? &first[row] : &second[row], 1, tally);
    }
}

TEST(gamma_matches_differences)
{
    each_sample(t, check_gamma);
}

static void check_gamma_tangent(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    TmlRow Gm[TML_MAX_ROWS * TML_MAX_ENDS] = {0}, Gv[TML_MAX_ROWS * TML_MAX_ENDS] = {0};
    double exact[TML_MAX_ROWS], differences[TML_MAX_ROWS];
    const Direction m = random_direction(t, true, false), v = random_direction(t, false, true);
    s->type->gamma_tangent(&in, Gm, Gv);
    rows_times(s, Gm, m.motion, exact);
    difference(s, &m, eval_gamma, 1, s->type->rows, differences);
    compare(t, exact, differences, s->type->rows, tally);
    rows_times(s, Gv, v.twist, exact);
    difference(s, &v, eval_gamma, 1, s->type->rows, differences);
    compare(t, exact, differences, s->type->rows, tally);
}

TEST(gamma_tangent_matches_differences)
{
    each_sample(t, check_gamma_tangent);
}

/* phi_t of holonomic rows; b of Pfaffian rows is what remains without twists. */
static void check_rate(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    const Direction d = {.time = 1.0};
    double exact[TML_MAX_ROWS] = {0}, differences[TML_MAX_ROWS], still[TML_MAX_ROWS];
    Sample rest = *s;
    for (int end = 0; end < s->n_ends; ++end) {
        rest.e[end].v = rest.e[end].omega = v3(0, 0, 0);
    }
    if (s->type->rate != NULL) {
        s->type->rate(&in, exact);
    }
    difference(s, &d, eval_residual, 1, s->type->rows, differences);
    eval_residual(&rest, still);
    for (int row = 0; row < s->type->rows; ++row) {
        const bool velocity = (pfaffian(s) >> row & 1u) != 0;
        compare(t, &exact[row], velocity ? &still[row] : &differences[row], 1, tally);
    }
}

TEST(rate_matches_differences)
{
    each_sample(t, check_rate);
}

static void check_time(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    const Direction d = {.time = 1.0};
    const int n = 6 * s->type->rows * s->n_ends;
    TmlRow Jt[TML_MAX_ROWS * TML_MAX_ENDS] = {0};
    double differences[MAX_OUT], gamma_t[TML_MAX_ROWS] = {0};
    if (s->type->jacobian_t != NULL) {
        s->type->jacobian_t(&in, Jt);
    }
    difference(s, &d, eval_jacobian, 1, n, differences);
    compare(t, &Jt[0].r.x, differences, n, tally);
    if (s->type->gamma_t != NULL) {
        s->type->gamma_t(&in, gamma_t);
    }
    difference(s, &d, eval_gamma, 1, s->type->rows, differences);
    compare(t, gamma_t, differences, s->type->rows, tally);
}

TEST(time_derivatives_match_differences)
{
    each_sample(t, check_time);
}

/* Pfaffian rows: A v + b by the motions at fixed twists; the other rows of D are zero. */
static void check_velocity_tangent(TestCtx *t, const Sample *s, Tally *tally)
{
    const TmlElementIn in = sample_in(s);
    TmlRow D[TML_MAX_ROWS * TML_MAX_ENDS] = {0};
    double exact[TML_MAX_ROWS], differences[TML_MAX_ROWS];
    const Direction d = random_direction(t, true, false);
    if (pfaffian(s) == 0) {
        return;
    }
    s->type->velocity_tangent(&in, D);
    rows_times(s, D, d.motion, exact);
    difference(s, &d, eval_residual, 1, s->type->rows, differences);
    for (int row = 0; row < s->type->rows; ++row) {
        if ((pfaffian(s) >> row & 1u) != 0) {
            compare(t, &exact[row], &differences[row], 1, tally);
        } else {
            CHECK(t, exact[row] == 0.0);
        }
    }
}

TEST(velocity_tangent_matches_differences)
{
    each_sample(t, check_velocity_tangent);
}

/* --- free motions --------------------------------------------------------------------------- */

static const int free_turns[] = {
    [TML_FREE_NONE] = 0, [TML_FREE_ABOUT_Z] = 1, [TML_FREE_CROSS] = 2, [TML_FREE_ALL] = 3};

static TmlMat33 turn_about(TestCtx *t, TmlVec3 axis)
{
    return q4_matrix(q4_exp(v3_scale(test_random(t, -1.4, 1.4), axis)));
}

/* The rotation of the second frame in the first, somewhere where the joint may be. */
static TmlMat33 free_rotation(TestCtx *t, TmlFreeRotation kind)
{
    const TmlMat33 x = turn_about(t, v3(1, 0, 0)), y = turn_about(t, v3(0, 1, 0));
    const TmlMat33 z = turn_about(t, v3(0, 0, 1)), none = m3_identity();
    return kind == TML_FREE_ALL       ? q4_matrix(test_quat(t))
           : kind == TML_FREE_ABOUT_Z ? z
           : kind == TML_FREE_CROSS   ? m3_mul(&x, &y)
                                      : none;
}

/* Put the second frame where the joint says that it may be. */
static void place_freely(TestCtx *t, Sample *s)
{
    const unsigned along = s->type->free_along;
    const TmlVec3 d = v3((along & TML_ALONG_X) != 0 ? test_random(t, -2.0, 2.0) : 0.0,
                         (along & TML_ALONG_Y) != 0 ? test_random(t, -2.0, 2.0) : 0.0,
                         (along & TML_ALONG_Z) != 0 ? test_random(t, -2.0, 2.0) : 0.0);
    const TmlMat33 A = free_rotation(t, s->type->free_rotation);
    s->e[1].r = v3_add(s->e[0].r, m3_mulv(&s->e[0].A, d));
    s->e[1].A = m3_mul(&s->e[0].A, &A);
}

/* How many independent rows the joint has by the motion of its second frame. */
static int second_rank(const Sample *s)
{
    const TmlElementIn in = sample_in(s);
    TmlRow J[TML_MAX_ROWS * TML_MAX_ENDS] = {0}, kept[TML_MAX_ROWS];
    int rank = 0;
    s->type->jacobian(&in, J);
    for (int row = 0; row < s->type->rows; ++row) {
        TmlRow x = J[2 * row + 1];
        for (int k = 0; k < rank; ++k) {
            const double part = v3_dot(x.r, kept[k].r) + v3_dot(x.theta, kept[k].theta);
            x = (TmlRow){v3_axpy(-part, kept[k].r, x.r), v3_axpy(-part, kept[k].theta, x.theta)};
        }
        const double size = sqrt(v3_dot(x.r, x.r) + v3_dot(x.theta, x.theta));
        if (size > 1e-6) { // rows are of size one, and far from parallel
            kept[rank++] = (TmlRow){v3_scale(1.0 / size, x.r), v3_scale(1.0 / size, x.theta)};
        }
    }
    return rank;
}

/* The motions that a joint calls free leave its rows at zero, and there are no others. */
TEST(free_motions_are_those_of_the_rows)
{
    int checked = 0;
    for (const TmlConstraintType *const *c = tml_constraint_types; *c != NULL; ++c) {
        const TmlConstraintType *type = *c;
        const unsigned along = type->free_along;
        t->name = type->info.name;
        CHECK(t, type->free_rotation != TML_FREE_UNKNOWN || along == 0);
        if (type->free_rotation == TML_FREE_UNKNOWN) {
            continue;
        }
        const int slides = (int)((along & 1u) + (along >> 1 & 1u) + (along >> 2 & 1u));
        CHECK_INT(t, free_turns[type->free_rotation] + slides, 6 - type->rows);
        CHECK(t, type->pfaffian == 0 && type->pfaffian_rows == NULL);
        CHECK(t, !type->has_displacement || (along & TML_ALONG_Z) != 0);
        CHECK(t, !type->has_angle || type->free_rotation == TML_FREE_ABOUT_Z);
        for (int k = 0; k < STATES; ++k) {
            Sample s;
            double phi[TML_MAX_ROWS] = {0};
            if (!sample_make(t, NULL, type, k, &s)) {
                continue;
            }
            place_freely(t, &s);
            eval_residual(&s, phi);
            for (int row = 0; row < type->rows; ++row) {
                CHECK_NEAR(t, phi[row], 0.0, 1e-14); // some roundings of numbers up to 4
            }
            CHECK_INT(t, second_rank(&s), type->rows);
            free(s.work);
        }
        checked++;
    }
    CHECK(t, checked >= 11); // those of the library that have coordinates of their own
}

/* --- tables -------------------------------------------------------------------------------- */

TEST(tables_are_complete)
{
    for (const TmlConstraintType *const *c = tml_constraint_types; *c != NULL; ++c) {
        const TmlConstraintType *type = *c;
        t->name = type->info.name;
        CHECK(t, type->info.name != NULL && type->info.text != NULL);
        CHECK(t, type->rows > 0 && type->rows <= TML_MAX_ROWS);
        CHECK(t, type->residual != NULL && type->jacobian != NULL);
        CHECK(t, type->gamma != NULL && type->gamma_tangent != NULL);
        CHECK(t, (type->pfaffian != 0 || type->pfaffian_rows != NULL) ==
                     (type->velocity_tangent != NULL));
        CHECK(t, type->n_memory == 0 || type->commit != NULL);
        CHECK(t, type->n_memory <= MAX_MEMORY && (rolls(type) || type->info.data_size <= DATA));
        for (int row = 0; type->row_names != NULL && row < type->rows; ++row) {
            CHECK(t, type->row_names[row] != NULL);
        }
        CHECK(t, type->row_names != NULL);
        CHECK(t, tml_find_constraint_type(NULL, type->info.name) == type);
        for (const TmlParam *p = type->info.params; p != NULL && p->name != NULL; ++p) {
            CHECK(t, p->text != NULL && p->unit != NULL && p->offset < type->info.data_size);
            const bool words = p->kind == TML_PARAM_CHOICE || p->kind == TML_PARAM_COORDINATE;
            CHECK(t, words == (p->choices != NULL));
        }
    }
}

TEST_SUITE(constraint_contract) = {
    CASE(tables_are_complete),
    CASE(jacobian_matches_differences),
    CASE(curvature_matches_differences),
    CASE(curvature_turns_only_where_it_says_so),
    CASE(gamma_matches_differences),
    CASE(gamma_tangent_matches_differences),
    CASE(rate_matches_differences),
    CASE(time_derivatives_match_differences),
    CASE(velocity_tangent_matches_differences),
    CASE(free_motions_are_those_of_the_rows),
    {0},
};
