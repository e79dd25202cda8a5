/* tests/system/test_contact_rows.c - rows of expressions that read contacts, in the matrix, against differences. */
#include "../analysis/study.h"
#include "step_probe.h"

#include "system/contact/touching.h"

/* Two balls of different size, one on top of the other, and a box on its corners. */
#define MOVING(friction)                                                                           \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  low: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0.195], cm: [0.01, 0, 0],\n"   \
    "        shape: {sphere: {radius: 0.2}}}\n"                                                    \
    "  top: {mass: 2, inertia: [0.01, 0.02, 0.03], position: [0.1, 0, 0.47],\n"                    \
    "        shape: {ellipsoid: {semi_axes: [0.1, 0.12, 0.1]}}}\n"                                 \
    "  case: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1, 0, 0.09], \n"                    \
    "        shape: {box: {size: [0.2, 0.2, 0.2], points: corners}}}\n"                            \
    "  far: {mass: 1, inertia: [1, 1, 1], position: [0, 3, 0]}\n"                                  \
    "contacts: {all: {between: all, law: hunt_crossley, stiffness: 1e4, damping: 0.3, "            \
    "friction: {" friction "}}, apart: {between: [case, top], law: none}}\n"                       \
    "variables: {\n"                                                                               \
    "  a: contact_force(all) + 2*contact_force(low), b: 'contact_fx(low)*contact_fz(low, top)',\n" \
    "  c: 'contact_fy(all, top)', d: contact_tx(low), e: 'contact_ty(low, ground)',\n"             \
    "  f: contact_tz(case), g: contact_power(all), h: contact_power(low),\n"                       \
    "  i: 10*contact_depth(all), j: 'contact_depth(case, ground)', k: "                            \
    "contact_count(case)*time}\n"                                                                  \
    "states: {s: {rate: 0.1*contact_force(all) - s, initial: 0}}\n"                                \
    "forces: {push: {type: force, body: far, fx: contact_fx(low), fy: contact_ty(top)*AZ(far)}}\n"

/* A state near the start, at which the same shapes touch. */
static void touching_state(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const int x0 = 3 * sys->dim.nq + sys->dim.m_all;
    tml_system_initial(sys, &p->s);
    for (int k = 0; k < sys->dim.nq; ++k) {
        p->s.q[k] += test_random(t, -1, 1) * 5e-4;
        p->s.v[k] = test_random(t, -0.3, 0.3);
        p->s.a[k] = test_random(t, -1, 1);
    }
    tml_system_retract(sys, p->s.q);
    for (int k = x0; k < sys->dim.size; ++k) {
        p->s.data[k] = test_random(t, -1, 1) * (k < x0 + sys->dim.nx ? 1e-4 : 1.0);
    }
    for (int k = 0; k < sys->dim.n; ++k) {
        p->z[k] = test_random(t, -1, 1) * (k < sys->dim.nu + sys->dim.m ? 1.0 : 1e-3);
    }
    p->s.t = 0.5;
}

/* Rows of variables, states and forces: products of the matrix with a direction against differences of second order.
 * The force of a sphere goes with depth^1.5: truncation h^2 times third derivatives, 1e-10 * 1e4 / depth^1.5 (1e-3 m)
 * = 0.03 of 1e5 N/m; rounding 1e-16 * 1e5 / h. */
static void check_rows(TestCtx *t, Probe *p)
{
    const double h = 2e-7;
    const int first = p->sys->dim.nu + p->sys->dim.m;
    double size = 1.0;
    probe_residual(p, h);
    memcpy(p->want, p->e, (size_t)p->sys->dim.n * sizeof *p->e);
    probe_residual(p, -h);
    for (int k = first; k < p->sys->dim.n; ++k) {
        p->want[k] = (p->want[k] - p->e[k]) / (2.0 * h);
        size = fmax(size, fabs(p->want[k]));
    }
    probe_residual(p, 0.0);
    probe_product(p);
    for (int k = first; k < p->sys->dim.n; ++k) {
        char name[200];
        const double tol = 2e-7 * size + 1e-5 * fabs(p->want[k]); // as above; a tenth was measured
        if (!(fabs(p->got[k] - p->want[k]) <= tol)) {
            tml_system_unknown_name(p->sys, k, name, sizeof name);
            printf("row %d, %s\n", k, name);
        }
        CHECK_NEAR(t, p->got[k], p->want[k], tol);
    }
}

static void check_matrix(TestCtx *t, const char *text)
{
    TmlError err = {0};
    TmlModel *model = study_model(t, text);
    if (model == NULL) {
        return;
    }
    Probe p = probe_open(t, model, &step_kind);
    tml_system_initial(p.sys, &p.s);
    CHECK_OK(t, tml_touching_start(p.sys, &p.s, &err), &err);
    tml_touching_commit(p.sys);
    CHECK_OK(t, tml_system_build_pattern(p.sys, &err), &err);
    for (int n = 0; n < 10; ++n) {
        touching_state(t, &p);
        check_rows(t, &p);
    }
    CHECK(t, p.sys->stats.contacts > 0);
    probe_close(&p);
    tml_model_free(model);
}

TEST(rows_of_expressions_match_differences)
{
    check_matrix(t, MOVING("law: coulomb, dynamic: 0.3, static_velocity: 0.1"));
}

TEST(rows_of_expressions_match_differences_with_bristles)
{
    check_matrix(t, MOVING("law: elastic, dynamic: 0.3, stiffness: 1e4, damping: 10"));
}

TEST_SUITE(contact_rows) = {CASE(rows_of_expressions_match_differences),
                            CASE(rows_of_expressions_match_differences_with_bristles),
                            {0}};
