/* tests/system/test_recursion.c - accelerations by the recursion over the tree against those of the sparse system, at random
 * states of every model that it serves, and of mechanisms that have every joint and force.
 */
#include "analysis/study.h"

#include "system/recursion/links.h"
#include "system/system_internal.h"

#include <dirent.h>

enum { STATES = 3 };

typedef struct Pair {
    TmlSim *sim;
    TmlRecursion *r;
    TmlState by_recursion, sparse;
    double *x, *y, *x1, *y1;
    int nx, ny;
} Pair;

static TmlStatus pair_fill(Pair *p, const char **why, TmlError *err)
{
    TmlSystem *sys = p->sim->sys;
    TML_TRY(tml_recursion_create(sys, &p->sim->it.now, &p->r, why, err));
    p->nx = tml_recursion_positions(p->r);
    p->ny = tml_recursion_speeds(p->r);
    p->x = calloc((size_t)p->nx + 1, sizeof(double));
    p->x1 = calloc((size_t)p->nx + 1, sizeof(double));
    p->y = calloc((size_t)p->ny + 1, sizeof(double));
    p->y1 = calloc((size_t)p->ny + 1, sizeof(double));
    TML_TRY(tml_state_create(sys, &p->by_recursion, err));
    return tml_state_create(sys, &p->sparse, err);
}

static void pair_free(Pair *p)
{
    tml_recursion_free(p->r);
    tml_sim_free(p->sim);
    free(p->x);
    free(p->x1);
    free(p->y);
    free(p->y1);
}

/* Draws positions and speeds by lot around the start, on the loops. False: there are none near. */
static bool draw(TestCtx *t, Pair *p, double far)
{
    TmlSystem *sys = p->sim->sys;
    tml_recursion_begin(p->r, &p->sim->it.now, p->x, p->y);
    for (int k = 0; k < p->nx; ++k) {
        p->x[k] += far * test_random(t, -1, 1) * fmin(1.0, sys->dim.length);
    }
    for (int k = 0; k < p->ny; ++k) {
        p->y[k] += 3.0 * far * test_random(t, -1, 1) * fmin(1.0, sys->dim.length);
    }
    tml_state_copy(sys, &p->sim->it.now, &p->by_recursion);
    p->by_recursion.t = p->sim->it.now.t;
    return tml_recursion_close(p->r, p->by_recursion.t, p->x, p->y);
}

static double largest_of(int n, const double *a)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        big = fmax(big, fabs(a[k]));
    }
    return big;
}

static double difference(int n, const double *a, const double *b)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        big = fmax(big, fabs(a[k] - b[k]));
    }
    return big;
}

/* Multipliers of all joints, which follow link by link, are those of the sparse system; of redundant rows both are shared in the same
 * way. */
static void compare_multipliers(TestCtx *t, Pair *p)
{
    TmlSystem *sys = p->sim->sys;
    TmlState *a = &p->by_recursion, *b = &p->sparse;
    const double weight = sys->dim.mass * (v3_norm(tml_system_gravity(sys)) + 1e-3);
    const double length = fmax(1.0, sys->dim.length); // rows are forces and torques
    CHECK_OK(t, tml_system_min_norm_lambda(sys, b, NULL), &(TmlError){0});
    CHECK_OK(t, tml_system_min_norm_lambda(sys, a, NULL), &(TmlError){0});
    const double size = fmax(largest_of(sys->dim.m_all, b->lambda), weight * length);
    for (int k = 0; k < sys->dim.m_all; ++k) {
        // the error of accelerations, 1e-10, over the hold of the constraints
        CHECK_NEAR(t, (a->lambda[k] - b->lambda[k]) / size, 0.0, 1e-9);
    }
}

/* Compares at one state. Returns false where the sparse system has no solution. */
static bool compare(TestCtx *t, Pair *p)
{
    TmlSystem *sys = p->sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlState *a = &p->by_recursion, *b = &p->sparse;
    CHECK(t, tml_recursion_rates(p->r, a, p->x, p->y, 1e-6, p->x1, p->y1));
    tml_recursion_state(p->r, p->x, p->y, p->y1, true, a);
    tml_system_kinematics(sys, a, false);
    tml_recursion_reactions(p->r, a);
    tml_state_copy(sys, a, b);
    if (tml_system_accelerations(sys, b, NULL) != TML_OK ||
        tml_system_hold(sys, b) < 1e-3) { // the sparse one loses digits itself
        return false;
    }
    double violation[3];
    tml_system_violation(sys, a, violation);
    // positions and velocities are closed to rounding, of coordinates of many lengths and turns
    CHECK_NEAR(t, violation[0], 0.0, 1e-9);
    CHECK_NEAR(t, violation[1], 0.0, 1e-9);
    const double weight = v3_norm(tml_system_gravity(sys));
    const double size = fmax(fmax(largest_of(dim->nq, b->a), weight), 1e-3);
    // both solve to a few units in the last place times the condition, which the hold bounds
    CHECK_NEAR(t, difference(dim->nq, a->a, b->a) / size, 0.0, 1e-10);
    compare_multipliers(t, p);
    const double rates = fmax(largest_of(dim->nx, b->Xd), 1.0);
    CHECK_NEAR(t, difference(dim->nx, a->Xd, b->Xd) / rates, 0.0, 1e-10);
    const double values = fmax(largest_of(dim->nv + dim->nf, b->V), 1.0);
    CHECK_NEAR(t, difference(dim->nv + dim->nf, a->V, b->V) / values, 0.0, 1e-10);
    return true;
}

/* Returns whether the model is served. */
static bool probe(TestCtx *t, const char *path, int *compared, const char **why)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    Pair p = {0};
    *compared = 0;
    *why = "";
    if (tml_load(path, 0, NULL, NULL, &model, &err) != TML_OK) {
        *why = "not a model of its own";
        return false;
    }
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    if (tml_sim_create(model, &o, &p.sim, &err) != TML_OK) {
        tml_model_free(model);
        return false;
    }
    const bool served = pair_fill(&p, why, &err) == TML_OK;
    for (int k = 0; served && k < STATES; ++k) {
        *compared += draw(t, &p, k == 0 ? 0.0 : 0.1 * k) && compare(t, &p);
    }
    if (!served && *why == NULL) {
        CHECK_OK(t, err.status, &err);
        *why = err.message;
    }
    const bool table = getenv("TRAMMEL_TABLES") != NULL;
    if (table) {
        printf("%-40s %s%s\n", strrchr(path, '/') + 1,
               served ? "" : "no: ", served ? (*compared == STATES ? "" : "not all states") : *why);
    }
    pair_free(&p);
    tml_model_free(model);
    return served;
}

static void probe_models(TestCtx *t, const char *folder, int *served, int *all)
{
    struct dirent **list;
    const int n = scandir(folder, &list, NULL, alphasort);
    for (int k = 0; k < n; ++k) {
        char path[4096];
        const char *name = list[k]->d_name, *dot = strrchr(name, '.'), *why;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        const bool fragments = strcmp(name, "include") == 0 || strcmp(name, "parts") == 0;
        if (list[k]->d_type == DT_DIR && name[0] != '.' && !fragments) {
            probe_models(t, path, served, all);
        } else if (dot != NULL && strcmp(dot, ".yaml") == 0) {
            int compared;
            t->name = list[k]->d_name;
            *served += probe(t, path, &compared, &why);
            ++*all;
        }
        free(list[k]);
    }
    if (n >= 0) {
        free(list);
    }
}

TEST(accelerations_are_those_of_the_sparse_system_in_every_model)
{
    char folder[4096];
    int served = 0, all = 0;
    snprintf(folder, sizeof folder, "%s/models", test_source_dir());
    probe_models(t, folder, &served, &all);
    t->name = NULL;
    if (getenv("TRAMMEL_TABLES") != NULL) {
        printf("%d of %d\n", served, all);
    }
    CHECK(t, served > all / 3); // the others deform, touch, or read reactions
}

TEST_SUITE(recursion) = {CASE(accelerations_are_those_of_the_sparse_system_in_every_model), {0}};
