/* tests/system/test_system.c - the Newton matrix of whole models against differences.
 *
 * Every model that the project ships is taken at a random state; the product of the matrix with a
 * random direction must equal the difference of the residual along it. This covers the maps from
 * frames to bodies, the scatter maps and the pattern, which the tests of single elements do not
 * see.
 */
#include "test.h"

#include "base/arena.h"
#include "system/system.h"
#include "trammel/io.h"

#include <dirent.h>
#include <stdlib.h>

typedef struct Probe {
    TmlSystem *sys;
    TmlState s, moved;
    TmlCoeffs c;
    double c_x;
    double *z, *dq, *e, *want, *got; /* direction; nq; n each */
} Probe;

static void random_state(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    tml_system_initial(sys, &p->s);
    for (int k = 0; k < sys->nq; ++k) {
        p->s.q[k] += test_random(t, -0.3, 0.3) * (k % 7 < 3 ? sys->length : 1.0);
        p->s.v[k] += test_random(t, -1, 1);
        p->s.a[k] = test_random(t, -1, 1);
    }
    tml_system_retract(sys, p->s.q);
    for (int k = 3 * sys->nq; k < sys->size; ++k) {
        p->s.data[k] += test_random(t, -1, 1);
    }
    p->s.t = test_random(t, 0.01, 0.02);
    for (int row = 0; row < sys->m_all; ++row) {
        p->s.lambda[row] = sys->row_unknown[row] >= 0 ? p->s.lambda[row] : 0.0;
    }
}

/* p->moved = p->s moved by eps along p->z, as a step of an integrator moves it. */
static void move(Probe *p, double eps)
{
    TmlSystem *sys = p->sys;
    const double *z = p->z;
    tml_state_copy(sys, &p->s, &p->moved);
    tml_system_expand(sys, p->s.q, z, p->dq);
    for (int k = 0; k < sys->nq; ++k) {
        p->moved.a[k] += eps * p->c.a * p->dq[k];
        p->moved.v[k] += eps * p->c.v * p->dq[k];
        p->moved.q[k] += eps * p->c.q * p->dq[k];
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

static void scaled_residual(Probe *p, double eps)
{
    TmlSystem *sys = p->sys;
    move(p, eps);
    tml_system_residual(sys, &p->moved, TML_LEVEL_POSITION, p->e);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            if (row >= 0) {
                p->e[sys->nu + row] /= (sys->pfaffian[c] >> k & 1u) != 0 ? p->c.v : p->c.q;
            }
        }
    }
}

static void check_matrix(TestCtx *t, Probe *p)
{
    // fourth-order differences: truncation h^4 times fifth derivatives, rounding 1e-16 / h
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    const double h = 1e-4;
    TmlSystem *sys = p->sys;
    double size = 1.0;
    memset(p->want, 0, (size_t)sys->n * sizeof *p->want);
    memset(p->got, 0, (size_t)sys->n * sizeof *p->got);
    for (int i = 0; i < 4; ++i) {
        scaled_residual(p, place[i] * h);
        for (int k = 0; k < sys->n; ++k) {
            p->want[k] += weight[i] * p->e[k] / h;
        }
    }
    scaled_residual(p, 0.0);
    for (int k = 0; k < sys->n; ++k) {
        size = fmax(size, fabs(p->e[k]));
    }
    tml_system_jacobian(sys, &p->s, p->c, p->c_x);
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STEP].K;
    tml_csc_mul(K, p->z, p->got);
    for (int k = sys->nu; k < sys->nu + sys->m; ++k) {
        // the small diagonal of the multipliers, (J5), is not part of the derivative
        p->got[k] -= K->x[tml_csc_find(K, k, k)] * p->z[k];
    }
    for (int k = 0; k < sys->n; ++k) {
        char name[200];
        const double tol = 1e-7 * fabs(p->want[k]) + 1e-9 * size;
        if (!(fabs(p->got[k] - p->want[k]) <= tol)) {
            tml_system_unknown_name(sys, k, name, sizeof name);
            printf("row %d, %s\n", k, name);
        }
        CHECK_NEAR(t, p->got[k], p->want[k], tol);
    }
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
    CHECK_OK(t, tml_state_create(sys, &p.s, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &p.moved, &err), &err);
    p.z = new_vector(sys, sys->n);
    p.e = new_vector(sys, sys->n);
    p.want = new_vector(sys, sys->n);
    p.got = new_vector(sys, sys->n);
    p.dq = new_vector(sys, sys->nq);
    for (int n = 0; n < 3; ++n) {
        random_state(t, &p);
        for (int k = 0; k < sys->n; ++k) {
            p.z[k] = test_random(t, -1, 1);
        }
        check_matrix(t, &p);
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

TEST(matrix_of_every_model_matches_differences)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/models", test_source_dir());
    const int models = check_folder(t, folder);
    t->name = NULL;
    CHECK(t, models > 30);
}

TEST_SUITE(system) = {CASE(matrix_of_every_model_matches_differences), {0}};
