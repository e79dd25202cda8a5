/* tests/system/test_recursion.c - accelerations by the recursion over the tree against those of the sparse system, at random
 * states of every model that it serves; and the residual of implicit methods with its derivatives, by differences.
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
    const size_t states = (size_t)tml_dims(sys)->nx; // behind the speeds, in implicit methods
    p->y = calloc((size_t)p->ny + states + 1, sizeof(double));
    p->y1 = calloc((size_t)p->ny + states + 1, sizeof(double));
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
    tml_recursion_state(p->r, p->x, p->y, p->y1, true, false, a);
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

/* --- residual and derivatives ------------------------------------------------------------------- */

/* All links but balls, laws about pins from both sides, forces between bodies of different branches, and a controller: states,
 * variables and forces by expressions that read each other. */
static const char *const branches =
    "trammel: 1\n"
    "gravity: [1, -9, 2]\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0.1, 0]}\n"
    "  b: {mass: 1, inertia: [0.2, 0.1, 0.15], position: [1.2, 0.3, 0.2], "
    "rotation: {axis: x, angle: 0.4}}\n"
    "  c: {mass: 0.7, inertia: [0.05, 0.1, 0.1], position: [1.5, 0.9, 0.1]}\n"
    "  d: {mass: 1.5, inertia: [0.1, 0.1, 0.2], position: [0.2, 1, 0.3]}\n"
    "  e: {mass: 0.4, inertia: [0.1, 0.1, 0.2], position: [-0.5, 0.4, 0.3]}\n"
    "  f: {type: point, mass: 0.6, position: [0.4, 1.4, 0.1]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0.1, 0, 1]}\n"
    "  slot: {type: cylindrical, bodies: [b, a], at: [1, 0.2, 0], axis: [1, 1, 0]}\n"
    "  rail: {type: translational, bodies: [b, c], at: [1.4, 0.6, 0.1], axis: [0, 1, 0.2]}\n"
    "  cross: {type: universal, bodies: [a, d], at: [0.3, 0.5, 0.1], axis: z}\n"
    "  floor: {type: planar, bodies: [ground, e], at: [-0.5, 0.4, 0.3], axis: y}\n"
    "forces:\n"
    "  coil: {type: rotational_spring, joint: pin, stiffness: 30, damping: 2, free_angle: 0.3}\n"
    "  back: {type: rotational_spring, joint: slot, stiffness: 20, damping: 3, preload: 1}\n"
    "  far: {type: spring, bodies: [c, d], points: [[1.5, 1, 0], [0.2, 1.1, 0.4]], stiffness: 50, "
    "damping: 4}\n"
    "  tie: {type: spring, bodies: [ground, f], points: [[0, 2, 0], [0.4, 1.4, 0.1]], stiffness: "
    "70, "
    "damping: 1}\n"
    "  rubber: {type: bushing, bodies: [e, a], at: [0, 0.2, 0], stiffness: [10, 20, 30, 1, 2, 3], "
    "damping: [1, 2, 3, 1, 2, 3]}\n"
    "  motor: {type: torque, bodies: [a, d], at: [0.3, 0.5, 0.1], tx: lag, tz: '3*angle(pin)*push "
    "+ "
    "VX(c, a)'}\n"
    "  twist: {type: rotational_spring, joint: pin, stiffness: 4, expression: -2*lag*push}\n"
    "states:\n"
    "  lag: {rate: (angle(pin) - lag)*5 + 0.3*push^2, initial: 0.4}\n"
    "  sum: {rate: lag*lag - DX(f) + angular_velocity(slot), initial: 0.2}\n"
    "variables:\n"
    "  gap: {value: 'DM(c, d)*sum'}\n"
    "  push: {value: sin(gap) + lag*VY(e)}\n"
    "simulate: {end: 1, output_step: 1}\n";

/* Balls and floating bodies, with springs of all kinds between them. */
static const char *const balls =
    "trammel: 1\n"
    "gravity: [1, -9, 2]\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0.1, 0], angular_velocity: [1, 2, "
    "3]}\n"
    "  b: {mass: 1, inertia: [0.2, 0.1, 0.15], position: [1.2, 0.3, 0.2], "
    "rotation: {axis: x, angle: 0.4}}\n"
    "  c: {mass: 0.7, inertia: [0.05, 0.1, 0.1], position: [1.5, 0.9, 0.1]}\n"
    "  d: {mass: 1.5, inertia: [0.1, 0.1, 0.2], position: [0.2, 1, 0.3]}\n"
    "joints:\n"
    "  hip: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
    "  knee: {type: spherical, bodies: [b, a], at: [1, 0.2, 0]}\n"
    "  pin: {type: revolute, bodies: [b, c], at: [1.4, 0.6, 0.1], axis: [0, 1, 0.2]}\n"
    "forces:\n"
    "  far: {type: spring, bodies: [c, d], points: [[1.5, 1, 0], [0.2, 1.1, 0.4]], stiffness: 50, "
    "damping: 4}\n"
    "  rubber: {type: bushing, bodies: [d, a], at: [0, 0.2, 0], stiffness: [10, 20, 30, 1, 2, 3], "
    "damping: [1, 2, 3, 1, 2, 3]}\n"
    "simulate: {end: 1, output_step: 1}\n";

/* Loops of all kinds of rows: a spatial four-bar, a coupler, a motion, a rolling disc, a point on a line. */
static const char *const loops[] = {"models/studies/four_bar.yaml",
                                    "models/closed_forms/four_bar.yaml",
                                    "models/cases/andrews.yaml",
                                    "models/cases/iftomm_a04_bricard.yaml",
                                    "models/cases/slider_crank_spring.yaml",
                                    "models/elements/gear.yaml",
                                    "models/elements/screw.yaml",
                                    "models/elements/motion.yaml",
                                    "models/elements/rolling_disc.yaml",
                                    "models/elements/point_on_line.yaml",
                                    "models/studies/tumbling_disc.yaml",
                                    "models/elements/angle_motion.yaml"};

/* The equations of motion on charts: unknowns c'', X' and multipliers. */
typedef struct Probe {
    Pair p;
    TmlTangent *tangent;
    int n; /* unknowns */
    double *base, *c, *c1, *c2, *y, *y1;
    double *r, *up, *down, *K[3];
} Probe;

static void probe_room(TestCtx *t, Probe *x)
{
    CHECK_OK(t, tml_tangent_create(x->p.r, &x->tangent, NULL), &(TmlError){0});
    x->n = tml_tangent_size(x->tangent);
    const size_t n = (size_t)x->n + (size_t)x->p.nx;
    double **own[] = {&x->base, &x->c, &x->c1, &x->c2, &x->y, &x->y1, &x->r, &x->up, &x->down};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        *own[k] = calloc(n, sizeof(double));
    }
    for (int k = 0; k < 3; ++k) {
        x->K[k] = calloc(n * n, sizeof(double));
    }
}

static void probe_free(Probe *x)
{
    double *own[] = {x->base, x->c, x->c1, x->c2, x->y, x->y1, x->r, x->up, x->down};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        free(own[k]);
    }
    for (int k = 0; k < 3; ++k) {
        free(x->K[k]);
    }
    pair_free(&x->p);
}

/* out: what is left at c, c', c''. */
static void residual_at(TestCtx *t, Probe *x, double *out)
{
    const size_t more = (size_t)(x->n - x->p.ny) * sizeof *out;
    tml_charts_motion(x->p.r, x->base, x->c, x->c1, x->c2, x->p.x, x->y, x->y1);
    memcpy(x->y + x->p.ny, x->c1 + x->p.ny, more);
    memcpy(x->y1 + x->p.ny, x->c2 + x->p.ny, more);
    CHECK(t, tml_tangent_residual(x->tangent, &x->p.by_recursion, x->p.x, x->y, x->y1, out));
}

/* Column by column, K[kind] against differences of the residual by one of c'', c', c, of which there are `columns`. */
static void compare_columns(TestCtx *t, Probe *x, int kind, int columns, double *of)
{
    const double h = 1e-5;
    const int n = x->n;
    const double size = largest_of(n * n, x->K[kind]);
    for (int j = 0; j < columns; ++j) {
        const double was = of[j];
        of[j] = was + h;
        residual_at(t, x, x->up);
        of[j] = was - h;
        residual_at(t, x, x->down);
        of[j] = was;
        for (int i = 0; i < n; ++i) {
            const double slope = (x->up[i] - x->down[i]) / (2.0 * h);
            // central differences: h^2 = 1e-10 of third derivatives, and rounding: some 1e-16 / h = 1e-11 of the largest terms,
            // which are what is left, and forces of some radians times the stiffness
            const double terms = largest_of(n, x->r) + largest_of(n * n, x->K[2]);
            const double all = fmax(size, 1e-3) + 1e-2 * terms;
            CHECK_NEAR(t, (x->K[kind][i * n + j] - slope) / all, 0.0, 1e-8);
        }
    }
}

/* The accelerations and multipliers that the recursion finds solve the equations of implicit methods. */
static void check_solution(TestCtx *t, Probe *x)
{
    Pair *p = &x->p;
    TmlState *s = &p->by_recursion;
    const size_t states = (size_t)tml_dims(p->sim->sys)->nx * sizeof *s->X;
    CHECK(t, tml_recursion_rates(p->r, s, p->x, p->y, 1e-6, p->x1, p->y1));
    memcpy(x->base, p->x, (size_t)p->nx * sizeof *p->x);
    tml_charts_begin(p->r, p->x, x->c);
    memcpy(x->c1, p->y, (size_t)p->ny * sizeof *p->y);
    memcpy(x->c2, p->y1, (size_t)p->ny * sizeof *p->y);
    memcpy(x->c1 + p->ny, s->X, states);
    memcpy(x->c2 + p->ny, s->Xd, states);
    const int rows = tml_recursion_rows(p->r);
    memcpy(x->c2 + x->n - rows, tml_recursion_multipliers(p->r), (size_t)rows * sizeof *x->c2);
    residual_at(t, x, x->r);
    tml_tangent_matrices(x->tangent, s, x->K);
    const double size = largest_of(x->n * x->n, x->K[0]) + 1e-300;
    const double most = fmax(1.0, largest_of(x->n, x->c2));
    for (int k = 0; k < x->n; ++k) {
        // rounding of inertias of many links, over the hold of loops
        CHECK_NEAR(t, x->r[k] / (size * most), 0.0, 1e-10);
    }
}

static void compare_derivatives(TestCtx *t, Probe *x)
{
    Pair *p = &x->p;
    const double length = fmin(1.0, p->sim->sys->dim.length);
    check_solution(t, x);
    for (int k = 0; k < x->n; ++k) { // away from the solution all terms count
        x->c2[k] += test_random(t, -1, 1);
    }
    for (int k = 0; k < p->ny; ++k) { // charts have turned then, and loops are open
        x->c[k] += 0.03 * length * test_random(t, -1, 1);
    }
    residual_at(t, x, x->r);
    tml_tangent_matrices(x->tangent, &p->by_recursion, x->K);
    tml_charts_matrices(p->r, x->c, x->c1, x->c2, x->n, x->K);
    compare_columns(t, x, 0, x->n, x->c2);
    compare_columns(t, x, 1, x->n - tml_recursion_rows(p->r), x->c1);
    compare_columns(t, x, 2, p->ny, x->c);
}

/* Returns how many laws about axes there were, or -1 where the model is refused. */
static int probe_derivatives(TestCtx *t, const char *text)
{
    Probe x = {0};
    const char *why = NULL;
    TmlError err = {0};
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    x.p.sim = study_sim(t, model, &o);
    int laws = -1;
    const TmlStatus status = pair_fill(&x.p, &why, &err);
    CHECK_OK(t, status, &err);
    if (status == TML_OK && tml_tangent_refuse(x.p.r) == NULL) {
        laws = x.p.r->n_axes;
        probe_room(t, &x);
        for (int k = 0; k < STATES; ++k) {
            if (draw(t, &x.p, 0.1 * k)) {
                compare_derivatives(t, &x);
            }
        }
    }
    probe_free(&x);
    tml_model_free(model);
    return laws;
}

TEST(derivatives_are_those_of_the_residual)
{
    CHECK_INT(t, probe_derivatives(t, branches), 2);
    CHECK_INT(t, probe_derivatives(t, "models/double_pendulum.yaml"), 2);
    CHECK_INT(t, probe_derivatives(t, "models/closed_forms/chain_revolute.yaml"), 0);
}

TEST(derivatives_of_balls_are_those_on_their_charts)
{
    CHECK_INT(t, probe_derivatives(t, balls), 0);
    CHECK_INT(t, probe_derivatives(t, "models/cases/heavy_top.yaml"), 0);
    CHECK_INT(t, probe_derivatives(t, "models/elements/bushing.yaml"), 0);
}

TEST(derivatives_of_loops_have_their_multipliers)
{
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; ++k) {
        t->name = loops[k];
        CHECK(t, probe_derivatives(t, loops[k]) >= 0);
    }
    t->name = NULL;
}

TEST_SUITE(recursion) = {CASE(accelerations_are_those_of_the_sparse_system_in_every_model),
                         CASE(derivatives_are_those_of_the_residual),
                         CASE(derivatives_of_balls_are_those_on_their_charts),
                         CASE(derivatives_of_loops_have_their_multipliers),
                         {0}};
