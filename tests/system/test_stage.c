/* tests/system/test_stage.c - the stage matrix of whole models against differences.
 *
 * Every model that the project ships is taken at a random state with p . p' = 0 and second rates
 * that keep the norms. All bodies are then moved on their charts (translations and rotation vectors
 * x from the present position, with rates x' and x''), so that dx = c_q z, dx' = c_v z,
 * dx'' = c_a z: the product of the matrix with z must equal the difference of the residual at
 * acceleration level.
 */
#include "test.h"

#include "base/arena.h"
#include "math/rotation.h"
#include "system/system.h"
#include "trammel/io.h"

#include <dirent.h>
#include <stdlib.h>

typedef struct Probe {
    TmlSystem *sys;
    TmlState s, moved;
    TmlCoeffs c;
    double c_x;
    double *z, *w, *f;      /* direction (n); rates and second rates on the chart (nu) */
    double *e, *want, *got; /* n each */
} Probe;

static void random_state(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    tml_system_initial(sys, &p->s);
    for (int k = 0; k < sys->nq; ++k) {
        p->s.q[k] += test_random(t, -0.3, 0.3) * (k % 7 < 3 ? sys->length : 1.0);
    }
    tml_system_retract(sys, p->s.q);
    for (int k = 3 * sys->nq; k < sys->size; ++k) {
        p->s.data[k] += test_random(t, -1, 1);
    }
    for (int k = 0; k < sys->nu; ++k) {
        p->w[k] = test_random(t, -2, 2);
        p->f[k] = test_random(t, -2, 2);
    }
    p->s.t = test_random(t, 0.01, 0.02);
    for (int row = 0; row < sys->m_all; ++row) {
        p->s.lambda[row] = sys->row_unknown[row] >= 0 ? p->s.lambda[row] : 0.0;
    }
}

/* q, q', q'' of the moved state at x, x1, x2 on the chart of one body. */
static void body_state(Probe *p, int b, const double *x, const double *x1, const double *x2)
{
    const TmlBodyType *type = p->sys->model->bodies.at[b].type;
    const int q0 = p->sys->q0[b];
    double udot[TML_BODY_MAX_NU];
    memcpy(udot, x2, (size_t)type->nu * sizeof *udot);
    if (type->nu == 6) { // alpha = D theta'' + D' theta'
        const TmlVec3 theta = v3(x[3], x[4], x[5]), theta1 = v3(x1[3], x1[4], x1[5]);
        const TmlVec3 alpha =
            v3_add(rotation_rate(theta, v3(x2[3], x2[4], x2[5])), rotation_bias(theta, theta1));
        udot[3] = alpha.x;
        udot[4] = alpha.y;
        udot[5] = alpha.z;
    }
    type->chart_state(p->s.q + q0, x, x1, p->moved.q + q0, p->moved.v + q0);
    type->acceleration(p->moved.q + q0, p->moved.v + q0, udot, p->moved.a + q0);
}

/* p->moved = p->s moved by eps along p->z on the charts. */
static void move(Probe *p, double eps)
{
    TmlSystem *sys = p->sys;
    const double *z = p->z;
    tml_state_copy(sys, &p->s, &p->moved);
    for (int b = 1; b < sys->nb; ++b) {
        double x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU], x2[TML_BODY_MAX_NU];
        const int u0 = sys->u0[b], nu = sys->u0[b + 1] - u0;
        for (int k = 0; k < nu; ++k) {
            x[k] = eps * p->c.q * z[u0 + k];
            x1[k] = p->w[u0 + k] + eps * p->c.v * z[u0 + k];
            x2[k] = p->f[u0 + k] + eps * p->c.a * z[u0 + k];
        }
        body_state(p, b, x, x1, x2);
    }
    for (int row = 0; row < sys->m_all; ++row) {
        if (sys->row_unknown[row] >= 0) {
            p->moved.lambda[row] += eps * z[sys->nu + sys->row_unknown[row]];
        }
    }
    z += sys->nu + sys->m;
    for (int k = 0; k < sys->nx; ++k) {
        p->moved.Xd[k] += eps * z[k];
        p->moved.X[k] += eps * p->c_x * z[k];
    }
    z += sys->nx;
    for (int k = 0; k < sys->nv + sys->nf; ++k) {
        p->moved.V[k] += eps * z[k];
    }
}

static void residual_at(Probe *p, double eps)
{
    move(p, eps);
    tml_system_residual(p->sys, &p->moved, TML_LEVEL_ACCELERATION, p->e);
}

/* p->want = derivative of the residual by differences of fourth order; returns its scale. */
static double differences(Probe *p)
{
    // truncation h^4 times fifth derivatives, rounding 1e-16 / h
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    const double h = 1e-4;
    double size = 1.0;
    memset(p->want, 0, (size_t)p->sys->n * sizeof *p->want);
    for (int i = 0; i < 4; ++i) {
        residual_at(p, place[i] * h);
        for (int k = 0; k < p->sys->n; ++k) {
            p->want[k] += weight[i] * p->e[k] / h;
        }
    }
    residual_at(p, 0.0);
    for (int k = 0; k < p->sys->n; ++k) {
        size = fmax(size, fabs(p->e[k]));
    }
    return size;
}

/* p->got = K z without the small diagonal of the multipliers, which is not part of the derivative.
 */
static void product(Probe *p)
{
    TmlSystem *sys = p->sys;
    tml_system_stage_jacobian(sys, &p->moved, p->c, p->c_x);
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    memset(p->got, 0, (size_t)sys->n * sizeof *p->got);
    tml_csc_mul(K, p->z, p->got);
    for (int k = sys->nu; k < sys->nu + sys->m; ++k) {
        p->got[k] -= K->x[tml_csc_find(K, k, k)] * p->z[k];
    }
}

static void check_matrix(TestCtx *t, Probe *p)
{
    const double size = differences(p); // leaves the kinematics of the state itself
    product(p);
    for (int k = 0; k < p->sys->n; ++k) {
        char name[200];
        const double tol = 1e-7 * fabs(p->want[k]) + 1e-9 * size;
        if (!(fabs(p->got[k] - p->want[k]) <= tol)) {
            tml_system_unknown_name(p->sys, k, name, sizeof name);
            printf("row %d, %s\n", k, name);
        }
        CHECK_NEAR(t, p->got[k], p->want[k], tol);
    }
}

/* K is linear in its four coefficients: methods combine kept values. */
static void check_linear(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const TmlCoeffs c = p->c;
    const double c_x = p->c_x;
    const struct {
        TmlCoeffs c;
        double c_x, weight;
    } part[5] = {{{.a = 1}, 0, c.a},
                 {{.v = 1}, 0, c.v},
                 {{.q = 1}, 0, c.q},
                 {{.a = 0}, 1, c_x},
                 {{.a = 0}, 0, 1 - c.a - c.v - c.q - c_x}}; // what depends on none counts once
    double size = 1.0;
    product(p);
    memcpy(p->want, p->got, (size_t)sys->n * sizeof *p->want);
    memset(p->e, 0, (size_t)sys->n * sizeof *p->e);
    for (int i = 0; i < 5; ++i) {
        p->c = part[i].c;
        p->c_x = part[i].c_x;
        product(p);
        for (int k = 0; k < sys->n; ++k) {
            p->e[k] += part[i].weight * p->got[k];
            size = fmax(size, fabs(p->got[k]));
        }
    }
    for (int k = 0; k < sys->n; ++k) {
        CHECK_NEAR(t, p->e[k], p->want[k], 1e-13 * size); // rounding of sums
    }
    p->c = c;
    p->c_x = c_x;
}

static double *new_vector(TmlSystem *sys, int n)
{
    return tml_arena_alloc(&sys->arena, (size_t)n, sizeof(double));
}

static void check_model(TestCtx *t, const char *path)
{
    TmlError err;
    TmlModel *model;
    Probe p = {.c = {.a = 1.0, .v = 0.3, .q = 0.2}, .c_x = 0.25};
    if (tml_load(path, 0, NULL, NULL, &model, &err) != TML_OK) {
        // a model may need a table that is made when it is run
        if (err.status != TML_E_IO) {
            test_fail(t, __FILE__, __LINE__, "%s", err.message);
        }
        return;
    }
    CHECK_OK(t, tml_system_create(model, &p.sys, &err), &err);
    TmlSystem *sys = p.sys;
    CHECK_OK(t, tml_closure_create(sys, &err), &err);
    CHECK_OK(t, tml_system_build_pattern(sys, &err), &err);
    CHECK_OK(t, tml_system_build_stage(sys, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &p.s, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &p.moved, &err), &err);
    p.z = new_vector(sys, sys->n);
    p.e = new_vector(sys, sys->n);
    p.want = new_vector(sys, sys->n);
    p.got = new_vector(sys, sys->n);
    p.w = new_vector(sys, sys->nu);
    p.f = new_vector(sys, sys->nu);
    for (int n = 0; n < 3; ++n) {
        random_state(t, &p);
        for (int k = 0; k < sys->n; ++k) {
            p.z[k] = test_random(t, -1, 1);
        }
        check_matrix(t, &p);
        check_linear(t, &p);
    }
    tml_system_free(sys);
    tml_model_free(model);
}

static int check_folder(TestCtx *t, const char *folder)
{
    struct dirent **list;
    const int n = scandir(folder, &list, NULL, alphasort);
    int models = 0;
    for (int k = 0; k < n; ++k) {
        char path[4096];
        const char *name = list[k]->d_name, *dot = strrchr(name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, name);
        const bool fragments = strcmp(name, "include") == 0; // pieces of models
        if (list[k]->d_type == DT_DIR && name[0] != '.' && !fragments) {
            models += check_folder(t, path);
        } else if (dot != NULL && strcmp(dot, ".yaml") == 0) {
            t->name = name;
            check_model(t, path);
            models++;
        }
        free(list[k]);
    }
    if (n >= 0) {
        free(list);
    }
    return models;
}

TEST(stage_matrix_of_every_model_matches_differences)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/models", test_source_dir());
    const int models = check_folder(t, folder);
    t->name = NULL;
    CHECK(t, models > 30);
}

TEST_SUITE(stage) = {CASE(stage_matrix_of_every_model_matches_differences), {0}};
