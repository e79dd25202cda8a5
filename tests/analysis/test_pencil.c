/* tests/analysis/test_pencil.c - the linearised equations: derivatives against differences, the
 * dense and the sparse method against each other, memory that runs out.
 */
#include "linear_models.h"

#include "analysis/linear/pencil.h"
#include "math/vec3.h"
#include "robust/robust_util.h"

/* Three blocks on a line, the last one held by a force with a lag: a user state, a variable. */
static const char servo[] =
    "trammel: 1\n"
    "bodies:\n"
    "  a: {type: point, mass: 1, position: [1, 0, 0]}\n"
    "  b: {type: point, mass: 2, position: [2, 0, 0]}\n"
    "  c: {type: point, mass: 1, position: [3, 0, 0]}\n"
    "joints:\n"
    "  for i in [a, b, c]:\n"
    "    \"line_{i}\": {type: point_on_line, frames: [{body: ground,\n"
    "      rotation: {axis: y, angle: pi/2}}, \"{i}\"]}\n"
    "forces:\n"
    "  ga: {type: spring, frames: [ground, a], stiffness: 100, damping: 1}\n"
    "  ab: {type: spring, frames: [a, b], stiffness: 80, damping: 2}\n"
    "  bc: {type: spring, frames: [b, c], stiffness: 50, damping: 1}\n"
    "  hold: {type: force, body: c, fx: lag}\n"
    "variables: {want: 30*(3 - DX(c)) - 2*VX(c)}\n"
    "states: {lag: {rate: (want - lag)/0.1, initial: 0}}\n";

/* --- derivatives ------------------------------------------------------------------------------ */

/* d(accelerations, X') along an allowed motion of the state, against differences of
 * tml_system_accelerations at states moved that way. */
typedef struct Probe {
    TmlSim *sim;
    TmlSystem *sys;
    TmlArena arena;
    TmlPencil p;
    TmlState s, moved;
    double *e, *rate, *x, *saddle, *want, *got[2], *exact; /* n + 1 each */
} Probe;

static void probe_directions(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const int nu = dim->nu, m = dim->m;
    // e onto J e = 0; rows that move positions only through velocities do not bind it
    for (int k = 0; k < nu + m; ++k) {
        p->saddle[k] = k < nu ? test_random(t, -1, 1) : 0.0;
    }
    tml_lu_solve(p->p.saddle_lu, p->saddle);
    memcpy(p->e, p->saddle, (size_t)nu * sizeof *p->e);
    // rate: one that the constraints allow, and the normal part that goes with e
    for (int k = 0; k < nu; ++k) {
        p->saddle[k] = test_random(t, -1, 1);
    }
    tml_pencil_rate(&p->p, p->e, p->saddle + nu);
    for (int k = 0; k < m; ++k) {
        p->saddle[nu + k] *= -1.0;
    }
    tml_lu_solve(p->p.saddle_lu, p->saddle);
    memcpy(p->rate, p->saddle, (size_t)nu * sizeof *p->rate);
    for (int k = 0; k < dim->nx; ++k) {
        p->x[k] = test_random(t, -1, 1);
    }
}

static TmlVec3 vec_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

/* The state moved by eps: positions by e, angular velocities by d omega = e' - w x e. */
static void probe_state(Probe *p, const TmlVec3 *omega, double eps)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    tml_state_copy(sys, &p->s, &p->moved);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlBodyType *type = tml_system_model(sys)->bodies.at[b].type;
        const int q0 = dim->span[b].q0, u0 = dim->span[b].u0, nu = dim->span[b + 1].u0 - u0;
        double x[TML_BODY_MAX_NU] = {0}, zero[TML_BODY_MAX_NU] = {0}, u[TML_BODY_MAX_NU] = {0};
        type->reduce(p->s.q + q0, p->s.v + q0, u);
        for (int k = 0; k < nu; ++k) {
            x[k] = eps * p->e[u0 + k];
            u[k] += eps * p->rate[u0 + k];
        }
        if (nu == 6) {
            const TmlVec3 we = v3_cross(omega[b], vec_at(p->e + u0 + 3));
            u[3] -= eps * we.x;
            u[4] -= eps * we.y;
            u[5] -= eps * we.z;
        }
        type->chart_state(p->s.q + q0, x, zero, p->moved.q + q0, p->moved.v + q0);
        type->expand(p->moved.q + q0, u, p->moved.v + q0);
    }
    for (int k = 0; k < dim->nx; ++k) {
        p->moved.X[k] += eps * p->x[k];
    }
}

/* out: accelerations (u) and X' there. */
static void probe_accelerations(TestCtx *t, Probe *p, const TmlVec3 *omega, double eps, double *out)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlError err = {0};
    probe_state(p, omega, eps);
    CHECK_OK(t, tml_system_accelerations(sys, &p->moved, &err), &err);
    tml_system_kinematics(sys, &p->moved, false);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlFrameKin *k = tml_body_motion(sys, b);
        const double u[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        memcpy(out + dim->span[b].u0, u,
               (size_t)(dim->span[b + 1].u0 - dim->span[b].u0) * sizeof *u);
    }
    memcpy(out + dim->nu, p->moved.Xd, (size_t)dim->nx * sizeof *out);
}

/* e'' from (L1) as d alpha = e'' - w x e' - alpha x e, and X'. */
static void probe_exact(Probe *p, const TmlVec3 *omega, const TmlVec3 *alpha, double *out)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    double *r = p->want, *z = p->p.z;
    memset(r, 0, (size_t)dim->n * sizeof *r);
    tml_pencil_apply(&p->p, p->e, p->rate, NULL, r);
    memset(z, 0, (size_t)dim->n * sizeof *z);
    memcpy(z + dim->nu + dim->m, p->x, (size_t)dim->nx * sizeof *z);
    tml_csc_mul(&p->p.x, z, r);
    for (int k = 0; k < dim->n; ++k) {
        r[k] = -r[k];
    }
    tml_lu_solve(p->p.inertia_lu, r);
    memcpy(out, r, (size_t)dim->nu * sizeof *out);
    memcpy(out + dim->nu, r + dim->nu + dim->m, (size_t)dim->nx * sizeof *out);
    for (int b = 1; b < dim->nb; ++b) {
        const int k = dim->span[b].u0 + 3;
        if (dim->span[b + 1].u0 - dim->span[b].u0 == 6) {
            const TmlVec3 x = v3_add(v3_cross(omega[b], vec_at(p->rate + k)),
                                     v3_cross(alpha[b], vec_at(p->e + k)));
            out[k] -= x.x;
            out[k + 1] -= x.y;
            out[k + 2] -= x.z;
        }
    }
}

static void probe_check(TestCtx *t, Probe *p)
{
    enum { BODIES = 64 };
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    const int n = dim->nu + dim->nx;
    TmlVec3 omega[BODIES] = {{0, 0, 0}}, alpha[BODIES] = {{0, 0, 0}};
    double size = 0.0, off = 0.0, *exact = p->exact;
    const double h = 1e-5;
    CHECK(t, dim->nb <= BODIES);
    tml_system_kinematics(sys, &p->s, false);
    for (int b = 1; b < dim->nb && b < BODIES; ++b) {
        omega[b] = tml_body_motion(sys, b)->omega;
        alpha[b] = tml_body_motion(sys, b)->alpha;
    }
    probe_directions(t, p);
    probe_exact(p, omega, alpha, exact);
    probe_accelerations(t, p, omega, h, p->got[0]);
    probe_accelerations(t, p, omega, -h, p->got[1]);
    for (int k = 0; k < n; ++k) {
        const double difference = (p->got[0][k] - p->got[1][k]) / (2 * h);
        size = fmax(size, fabs(difference));
        off = fmax(off, fabs(difference - exact[k]));
    }
    // truncation h^2 = 1e-10 of third derivatives, which grow with the spin squared (120^2), and
    // rounding 1e-16 / h of accelerations of stiff models
    CHECK_NEAR(t, off / fmax(size, 1.0), 0.0, 2e-5);
}

static void probe_model(TestCtx *t, const char *name)
{
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, name);
    Probe p = {.sim = study_sim(t, model, &o)};
    TmlError err = {0};
    t->name = name;
    if (p.sim != NULL) {
        TmlSystem *sys = p.sys = p.sim->sys;
        const size_t n = (size_t)tml_dims(sys)->n + 1;
        CHECK_OK(t, tml_state_create_in(sys, &p.arena, &p.s, &err), &err);
        CHECK_OK(t, tml_state_create_in(sys, &p.arena, &p.moved, &err), &err);
        double *all = tml_arena_alloc(&p.arena, 9 * n, sizeof *all);
        p.e = all, p.rate = all + n, p.x = all + 2 * n, p.saddle = all + 3 * n;
        p.want = all + 4 * n, p.got[0] = all + 5 * n, p.got[1] = all + 6 * n, p.exact = all + 7 * n;
        const TmlSpin still = {{0, 0, 0}, {0, 0, 0}};
        tml_state_copy(sys, &p.sim->it.now, &p.s);
        const TmlStatus status = tml_pencil_create(sys, &p.s, &still, &p.arena, &p.p, &err);
        CHECK_OK(t, status, &err);
        if (status == TML_OK) {
            probe_check(t, &p);
        }
        tml_pencil_free(&p.p);
    }
    tml_arena_free(&p.arena);
    tml_sim_free(p.sim);
    tml_model_free(model);
}

TEST(derivatives_match_differences)
{
    const char *const models[] = {
        "models/closed_forms/steady_top.yaml",
        "models/closed_forms/free_rotation.yaml",
        "models/closed_forms/four_bar.yaml",
        "models/closed_forms/pendulum.yaml",
        "models/closed_forms/rolling_disc.yaml",
        "models/cases/slider_crank_spring.yaml",
        "models/cases/iftomm_a04_bricard.yaml",
        "models/elements/universal.yaml",
        "models/elements/bushing.yaml",
        "models/elements/screw.yaml",
        "models/elements/gear.yaml",
        "models/elements/motion.yaml",
        "models/pid.yaml",
        "models/demo.yaml",
        servo,
        blade(2),
        sleeping_top,
        bead_on_arm,
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; ++k) {
        probe_model(t, models[k]);
    }
}

/* --- two methods ------------------------------------------------------------------------------ */

/* Every mode of the sparse method is one of the dense method. */
static void check_agreement(TestCtx *t, const char *text, int modes, double shift)
{
    TmlLinearOptions o = tml_linear_options_default();
    Case dense, sparse;
    t->name = text;
    const bool first = case_make(t, text, false, NULL, &dense);
    o.modes = modes;
    o.shift = shift;
    o.sparse = true;
    if (case_make(t, text, false, &o, &sparse) && first) {
        CHECK(t, sparse.info.sparse && !dense.info.sparse);
        CHECK(t, tml_linear_matrix(sparse.lin) == NULL && tml_linear_matrix(dense.lin) != NULL);
        for (int k = 0; k < sparse.info.modes; ++k) {
            const TmlMode m = tml_linear_mode(sparse.lin, k);
            // both methods lose a few digits to the spread of the eigenvalues; a free motion has
            // the eigenvalue zero two or four times, which rounding splits by its root
            const double size = 2 * pi * m.natural_frequency;
            check_mode(t, &dense, m.real, m.imag, size < 1e-2 ? 1e-2 : 1e-8 * fmax(1.0, size));
        }
    }
    case_free(&sparse);
    case_free(&dense);
}

TEST(sparse_and_dense_agree)
{
    char *chain = chain_text(30, 4.0);
    check_agreement(t, chain, 5, -1.0);
    free(chain);
    check_agreement(t, servo, 1, -1.0);
    check_agreement(t, blade(2), 1, 1.0);
    check_agreement(t, "models/closed_forms/chain_spherical.yaml", 3, 0.5);
    check_agreement(t, "models/elements/bushing.yaml", 3, 1.0);
}

TEST(wrong_options)
{
    TmlLinearOptions o = tml_linear_options_default();
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, sleeping_top);
    TmlSim *sim = study_sim(t, model, &run);
    TmlLinear *lin = NULL;
    TmlError err = {0};
    o.modes = -1;
    CHECK_INT(t, tml_sim_linearize(sim, &o, &lin, &err), TML_E_ARGUMENT);
    CHECK(t, lin == NULL);
    o.modes = 0;
    o.shift = (double)NAN;
    CHECK_INT(t, tml_sim_linearize(sim, &o, &lin, &err), TML_E_ARGUMENT);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- memory ----------------------------------------------------------------------------------- */

typedef struct Linearization {
    TmlSim *sim;
    const TmlLinearOptions *o;
} Linearization;

static TmlStatus linearize_once(void *arg, TmlError *err)
{
    const Linearization *l = arg;
    TmlLinear *lin = NULL;
    const TmlStatus status = tml_sim_linearize(l->sim, l->o, &lin, err);
    tml_linear_free(lin);
    return status;
}

/* Each allocation of ours fails in turn: the error says so, nothing leaks, the sim goes on. */
static void check_memory(TestCtx *t, TmlSim *sim, const TmlLinearOptions *o, Counter *memory)
{
    // a handful at least: the sweep reached the matrices
    CHECK(t, counter_sweep(t, memory, linearize_once, &(Linearization){sim, o}) > 9);
}

TEST(out_of_memory)
{
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    TmlLinearOptions o = tml_linear_options_default();
    Counter memory = {0};
    counter_set(&memory);
    TmlModel *model = study_model(t, servo);
    TmlSim *sim = study_sim(t, model, &run);
    TmlLinear *lin = NULL;
    TmlError err = {0};
    // once without failures: the stage matrix stays with the sim
    CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    tml_linear_free(lin);
    check_memory(t, sim, NULL, &memory);
    o.partition = true;
    check_memory(t, sim, &o, &memory);
    o.partition = false;
    o.sparse = true;
    o.modes = 1;
    check_memory(t, sim, &o, &memory);
    tml_sim_free(sim);
    tml_model_free(model);
    CHECK_INT(t, memory.live, 0);
    tml_set_allocator(NULL);
}

TEST_SUITE(pencil) = {
    CASE(derivatives_match_differences),
    CASE(sparse_and_dense_agree),
    CASE(wrong_options),
    CASE(out_of_memory),
    {0},
};
