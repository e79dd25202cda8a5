/* tests/analysis/test_bushing_beam.c - massless beams between bodies, bent far, at rest.
 *
 * Chains of equal beams with the stiffness of clamped ones. Statics end when no body moves by more
 * than 1e-10 of the model's size.
 */
#include "study.h"

#include "math/vec3.h"
#include "trammel/analysis.h"

typedef struct Tip {
    double x, y, z, angle;
} Tip;

/* Length 1, E I = G J = 1; load: keys of forces at the last of n bodies. */
static Tip chain_tip(TestCtx *t, int n, const char *formulation, const char *load)
{
    static const char stiffness[] = "[[1e8,0,0,0,0,0], [0,12/h^3,0,0,0,-6/h^2], "
                                    "[0,0,12/h^3,0,6/h^2,0], [0,0,0,1/h,0,0], "
                                    "[0,0,6/h^2,0,4/h,0], [0,-6/h^2,0,0,0,4/h]]";
    static char text[2048];
    TmlStaticsInfo info;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "parameters: {N: %d, h: 1/N}\n"
             "bodies:\n"
             "  for i in 0..N:\n"
             "    \"n{i}\": {mass: 1, inertia: [1, 1, 1], position: [\"i*h\", 0, 0]}\n"
             "joints: {clamp: {type: fixed, bodies: [ground, n0], at: [0, 0, 0]}}\n"
             "forces:\n"
             "  for i in 1..N:\n"
             "    \"b{i}\": {type: bushing, frames: [\"n{i-1}\", \"n{i}\"], formulation: %s,\n"
             "             reference: [h, 0, 0], stiffness: %s}\n"
             "  load: {frame: n%d, %s}\n"
             "outputs: {x: DX(n%d), y: DY(n%d), z: DZ(n%d), angle: AZ(n%d)}\n",
             n, formulation, stiffness, n, load, n, n, n, n);
    const TmlSimOptions options = study_options(1.0, 0.1, NULL);
    TmlModel *m = study_model(t, text);
    TmlSim *sim = study_sim(t, m, &options);
    Tip tip = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        tip = (Tip){tml_row_channel(sim, 0), tml_row_channel(sim, 1), tml_row_channel(sim, 2),
                    tml_row_channel(sim, 3)};
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return tip;
}

static double off(Tip a, Tip b)
{
    return v3_norm(v3(a.x - b.x, a.y - b.y, a.z - b.z));
}

/* Tip load 10 E I/L^2: theta'' = -10 cos(theta) integrated by fourth-order steps of 1/4000. */
static const Tip elastica = {0.4450044022462, 0.8106090248803, 0.0, 1.4302855388039};

TEST(tip_load_converges_to_the_elastica)
{
    const Tip a = chain_tip(t, 4, "beam", "type: force, fy: 10");
    const Tip b = chain_tip(t, 8, "beam", "type: force, fy: 10");
    const double ea = off(a, elastica), eb = off(b, elastica);
    // cubic shapes and their exact chord to the fourth power of the angle: order four, with the
    // next power of elements that turn by half a radian at most
    CHECK(t, ea < 1e-2);
    CHECK(t, eb < ea / 10.0);
    CHECK_NEAR(t, b.angle, elastica.angle, 1e-3);
    // what is linear in the axes of the first frame loses two orders
    CHECK(t, off(chain_tip(t, 8, "string", "type: force, fy: 10"), elastica) > 3.0 * eb);
    CHECK(t, off(chain_tip(t, 8, "linear", "type: force, fy: 10"), elastica) > 3.0 * eb);
}

/* Statics has a tolerance of 1e-10 of the forces; ten links add such errors up. */
static const double EQUILIBRIUM = 1e-9;

/* The same load in another plane: a beam that is equal in both bends there. */
TEST(planes_are_alike)
{
    const Tip a = chain_tip(t, 6, "beam", "type: force, fy: 10");
    const Tip b = chain_tip(t, 6, "beam", "type: force, fy: 6, fz: 8");
    CHECK_NEAR(t, b.x, a.x, EQUILIBRIUM);
    CHECK_NEAR(t, b.y, 0.6 * a.y, EQUILIBRIUM);
    CHECK_NEAR(t, b.z, 0.8 * a.y, EQUILIBRIUM);
}

/* The moment 2 pi E I/L closes the ring: equal chords at equal angles. */
TEST(end_moment_closes_a_ring)
{
    const Tip tip = chain_tip(t, 10, "beam", "type: torque, tz: 2*pi");
    CHECK_NEAR(t, tip.x, 0.0, EQUILIBRIUM);
    CHECK_NEAR(t, tip.y, 0.0, EQUILIBRIUM);
    CHECK_NEAR(t, tip.angle, 2.0 * M_PI, EQUILIBRIUM);
}

/* A moment m across and along the beam, equal stiffness in bending and torsion: the axes turn about
 * it, R = exp(s m~), and the tip stands at the integral of R e_x. */
TEST(oblique_moment_makes_a_helix)
{
    const TmlVec3 m = {0.9, 0.0, 1.2}, u = v3_unit(m), ex = {1, 0, 0};
    const double a = v3_norm(m);
    TmlVec3 r = v3_axpy((1.0 - cos(a)) / a, v3_cross(u, ex), v3_scale(sin(a) / a, ex));
    r = v3_axpy(v3_dot(u, ex) * (1.0 - sin(a) / a), u, r);
    const Tip exact = {r.x, r.y, r.z, 0.0};
    const Tip few = chain_tip(t, 4, "beam", "type: torque, tx: 0.9, tz: 1.2");
    const Tip more = chain_tip(t, 8, "beam", "type: torque, tx: 0.9, tz: 1.2");
    // twist tilts the chord of a bent element by the product of both angles over 12: order two
    CHECK(t, off(few, exact) < 0.9 * 1.2 / 16.0 / 12.0);
    CHECK(t, off(more, exact) < off(few, exact) / 3.5);
}

TEST_SUITE(bushing_beam) = {CASE(tip_load_converges_to_the_elastica),
                            CASE(planes_are_alike),
                            CASE(end_moment_closes_a_ring),
                            CASE(oblique_moment_makes_a_helix),
                            {0}};
