/* tests/model/test_joints.c - joints with known answers: free motions, relations, the disc. */
#include "test.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/elements.h"
#include "model/model.h"
#include "model/primitive/relation.h"
#include "model/registry.h"

static const double pi = 3.14159265358979323846;

/* frame moved along and turned about its own z axis */
static TmlFrameKin advanced(TmlFrameKin e, double displacement, double angle)
{
    const TmlMat33 turn = q4_matrix(q4_exp(v3(0, 0, angle)));
    e.r = v3_axpy(displacement, e.A.cz, e.r);
    e.A = m3_mul(&e.A, &turn);
    return e;
}

static TmlFrameKin random_frame(TestCtx *t)
{
    return (TmlFrameKin){.r = test_vec3(t), .A = q4_matrix(test_quat(t))};
}

/* --- free motions -------------------------------------------------------------------------- */

/* free: which of translations along and rotations about x, y, z the joint leaves, as bits. */
static const struct {
    const char *name;
    unsigned free;
} joints[] = {
    {"revolute", 040},      {"spherical", 070},     {"translational", 004},
    {"cylindrical", 044},   {"universal", 030},     {"planar", 043},
    {"fixed", 000},         {"point_on_line", 074}, {"point_in_plane", 073},
    {"parallel_axes", 047}, {"orientation", 007},   {"constant_velocity", 030},
};

TEST(joints_leave_the_right_motions)
{
    const double tol = 1e-14; // rounding of products of unit vectors
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; ++k) {
        const TmlConstraintType *type = tml_find_constraint_type(NULL, joints[k].name);
        t->name = joints[k].name;
        TmlFrameKin e[2];
        e[0] = e[1] = random_frame(t);
        const double memory[4] = {0}; // of constant_velocity
        const TmlElementIn in = {.e = e, .n_ends = 2, .memory = memory};
        TmlRow J[2 * TML_MAX_ROWS];
        double phi[TML_MAX_ROWS];
        type->residual(&in, phi);
        type->jacobian(&in, J);
        int n_free = 0;
        for (int dof = 0; dof < 6; ++dof) {
            const TmlVec3 axis = dof % 3 == 0 ? e[0].A.cx : dof % 3 == 1 ? e[0].A.cy : e[0].A.cz;
            double change = 0.0;
            for (int row = 0; row < type->rows; ++row) {
                change += fabs(v3_dot(dof < 3 ? J[2 * row + 1].r : J[2 * row + 1].theta, axis));
                CHECK_NEAR(t, phi[row], 0.0, tol);
            }
            const bool is_free = (joints[k].free >> dof & 1u) != 0;
            n_free += is_free;
            CHECK(t, is_free ? change < tol : change > 0.5);
        }
        CHECK_INT(t, type->rows + n_free, 6);
    }
}

/* --- shafts of the same speed -------------------------------------------------------------- */

/* The second shaft turns by 400 degrees about an axis across z of the first. The row stays zero, has
 * the length one and goes on without a jump, at the fold and where the turn is whole again; a twist
 * of the second shaft shows in it wherever it is. */
TEST(shafts_fold_back)
{
    enum { STEPS = 400 };
    const TmlConstraintType *type = tml_find_constraint_type(NULL, "constant_velocity");
    const double tol = 4e-15; // rounding of products of unit vectors, roots at the fold included
    const TmlVec3 across = {0.6, 0.8, 0.0};
    double memory[4] = {0}, phi[4];
    TmlFrameKin e[2] = {random_frame(t)};
    TmlRow J[8];
    TmlVec3 last = e[0].A.cz;
    for (int k = 0; k <= STEPS; ++k) {
        const TmlMat33 bend = q4_matrix(q4_exp(v3_scale(k * pi / 180.0, across)));
        e[1] = e[0];
        e[1].A = m3_mul(&e[0].A, &bend);
        const TmlElementIn in = {.e = e, .n_ends = 2, .memory = memory};
        type->residual(&in, phi);
        type->jacobian(&in, J);
        CHECK_NEAR(t, phi[3], 0.0, tol);
        CHECK_NEAR(t, v3_norm(J[7].theta), 1.0, tol);
        // it halves the angle: half a degree a step
        CHECK_NEAR(t, v3_norm(v3_sub(J[7].theta, last)), k == 0 ? 0.0 : 2 * sin(pi / 720), tol);
        last = J[7].theta;
        type->commit(&in, memory);
        e[1] = advanced(e[1], 0.0, 1e-3);
        type->residual(&in, phi);
        // 2 p_3 = 2 sin(twist/2) cos(bend/2), which is zero at the fold: there the row turns across z
        CHECK_NEAR(t, phi[3], 2.0 * sin(0.5e-3) * cos(k * pi / 360.0), tol);
        e[1] = e[0];
        const TmlMat33 aside = q4_matrix(q4_exp(v3_scale(1e-3, last)));
        e[1].A = m3_mul(&e[0].A, &bend);
        e[1].A = m3_mul(&aside, &e[1].A);
        type->residual(&in, phi);
        CHECK_NEAR(t, phi[3], 2.0 * sin(0.5e-3), tol); // a turn along the row, anywhere
    }
}

/* --- screw and relations ------------------------------------------------------------------- */

TEST(screw_advances_by_its_pitch)
{
    struct {
        double pitch, start, offset;
    } data = {.pitch = 0.02};
    const TmlConstraintType *type = &tml_constraint_screw;
    TmlError err = {0};
    double memory[1] = {0}, phi[5];
    const TmlFrameKin start = random_frame(t);
    const double half = pi - 1e-3; // the first quarter passes the branch of the principal angle
    TmlFrameKin e[2] = {start, advanced(start, 0.3, half)};
    CHECK_OK(t, type->prepare(&data, e, 2, &err), &err);
    const TmlElementIn in = {.data = &data, .e = e, .n_ends = 2, .memory = memory};
    for (int k = 0; k <= 30; ++k) { // 7.5 turns by quarters
        e[1] = advanced(start, 0.3 + 0.02 * k / 4.0, half + pi / 2 * k);
        type->residual(&in, phi);
        for (int row = 0; row < 5; ++row) {
            CHECK_NEAR(t, phi[row], 0.0, 1e-14); // rounding at lengths of 1
        }
        type->commit(&in, memory);
    }
    CHECK_NEAR(t, memory[0], 15 * pi, 1e-12);
}

TEST(gear_counts_turns)
{
    static const double teeth[2] = {20, 50};
    static const TmlTerm terms[2] = {{.coefficient = 1.0}, {.coefficient = 1.0}};
    struct {
        TmlRelation relation;
        TmlReals teeth;
    } data = {.relation = {.terms = {2, terms}}, .teeth = {2, teeth}};
    const TmlConstraintType *type = &tml_constraint_gear;
    TmlError err = {0};
    double memory[TML_RELATION_TERMS] = {0}, phi[1];
    const TmlFrameKin a = random_frame(t), b = random_frame(t);
    TmlFrameKin e[4] = {a, advanced(a, 0, 1.0), b, advanced(b, 0, -0.5)};
    CHECK_OK(t, type->check(&data, &err), &err);
    CHECK_OK(t, type->prepare(&data, e, 4, &err), &err);
    const TmlElementIn in = {.data = &data, .e = e, .n_ends = 4, .memory = memory};
    for (int k = 0; k <= 40; ++k) { // five turns of the small wheel, two back of the large one
        e[1] = advanced(a, 0, 1.0 + pi / 4 * k);
        e[3] = advanced(b, 0, -0.5 - pi / 10 * k);
        type->residual(&in, phi);
        CHECK_NEAR(t, phi[0], 0.0, 1e-11); // rounding at 20 teeth times 32 rad
        type->commit(&in, memory);
    }
}

TEST(rack_moves_by_radius_times_angle)
{
    static const TmlTerm terms[2] = {{.coordinate = TML_COORD_ANGLE, .coefficient = 1.0},
                                     {.coordinate = TML_COORD_DISPLACEMENT, .coefficient = -1.0}};
    struct {
        TmlRelation relation;
        double radius;
    } data = {.relation = {.terms = {2, terms}}, .radius = 0.25};
    const TmlConstraintType *type = &tml_constraint_rack_pinion;
    TmlError err = {0};
    double memory[TML_RELATION_TERMS] = {0}, phi[1];
    const TmlFrameKin a = random_frame(t), b = random_frame(t);
    TmlFrameKin e[4] = {a, a, b, advanced(b, 0.1, 0)};
    CHECK_OK(t, type->check(&data, &err), &err);
    CHECK_OK(t, type->prepare(&data, e, 4, &err), &err);
    const TmlElementIn in = {.data = &data, .e = e, .n_ends = 4, .memory = memory};
    e[1] = advanced(a, 0, 2.0);
    e[3] = advanced(b, 0.1 + 0.25 * 2.0, 0);
    type->residual(&in, phi);
    CHECK_NEAR(t, phi[0], 0.0, 1e-14); // rounding at lengths of 1
}

/* --- motions ------------------------------------------------------------------------------- */

/* Velocity and acceleration are integrated exactly, whatever the steps: the joint that moves by the
 * closed-form integral satisfies the motion. Starts at 0.3 m with 0.5 m/s. */
TEST(motions_integrate_their_function)
{
    static const char *const text =
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.3], velocity: [0, 0, 0.5]}}\n"
        "joints:\n"
        "  slide: {type: translational, frames: [ground, b]}\n"
        "  v: {type: motion, joint: slide, coordinate: displacement, of: velocity,"
        " function: '3*cos(3*time)'}\n"
        "  a: {type: motion, joint: slide, coordinate: displacement, of: acceleration,"
        " function: 'exp(-time)'}\n";
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&model, &err), &err);
    CHECK_OK(t, tml_model_add(model, text, &err), &err);
    CHECK_OK(t, tml_model_finish(model, &err), &err);
    for (int k = 1; k <= 2 && model->finished; ++k) {
        const TmlConstraint *motion = &model->constraints.at[k];
        double memory[8] = {0}, work[256], phi[1], phi_t[1];
        TmlFrameKin e[2] = {{.A = m3_identity()}, {.A = m3_identity()}};
        TmlElementIn in = {
            .data = motion->data, .e = e, .n_ends = 2, .memory = memory, .work = work};
        CHECK(t, motion->type->work(motion->data) <= 256);
        for (int n = 0; n <= 20; ++n) {
            in.t = 0.01 * n * n; // uneven steps, up to 0.39 s
            const double displacement =
                k == 1 ? 0.3 + sin(3.0 * in.t) : 0.3 + 0.5 * in.t + in.t + exp(-in.t) - 1.0;
            const double velocity = k == 1 ? 3.0 * cos(3.0 * in.t) : 1.5 - exp(-in.t);
            e[1].r = v3(0, 0, displacement);
            motion->type->residual(&in, phi);
            motion->type->rate(&in, phi_t);
            CHECK_NEAR(t, phi[0], 0.0, 1e-13); // rounding of 20 sums at up to 6 m
            CHECK_NEAR(t, phi_t[0], -velocity, 1e-13);
            motion->type->commit(&in, memory);
        }
    }
    tml_model_free(model);
}

/* --- rolling disc -------------------------------------------------------------------------- */

/* Lowest point of the rim by search, from the centre: independent of the closed form. */
static TmlVec3 lowest(const TmlFrameKin *plane, const TmlFrameKin *disc, double radius)
{
    double a = 0.0, step = 2.0 * pi / 64;
    TmlVec3 best = v3(0, 0, 0);
    for (int level = 0; level < 12; ++level) {
        double low = HUGE_VAL, at = a;
        for (int k = -40; k <= 40; ++k) {
            const double x = a + k * step;
            const TmlVec3 p = v3_scale(
                radius, v3_add(v3_scale(cos(x), disc->A.cx), v3_scale(sin(x), disc->A.cy)));
            if (v3_dot(plane->A.cz, p) < low) {
                low = v3_dot(plane->A.cz, p);
                at = x;
                best = p;
            }
        }
        a = at;
        step *= 0.05;
    }
    return best;
}

TEST(disc_rolls_on_its_lowest_point)
{
    const double radius = 0.4;
    const TmlConstraintType *type = &tml_constraint_rolling_disc;
    for (int k = 0; k < 20; ++k) {
        TmlFrameKin e[2] = {random_frame(t), random_frame(t)};
        if (v3_norm(v3_cross(e[0].A.cz, e[1].A.cz)) < 0.1) {
            continue;
        }
        // put the rim on the plane, then let the centre move as rolling demands
        const TmlVec3 p = lowest(&e[0], &e[1], radius);
        const TmlVec3 q = v3_add(v3_sub(e[1].r, e[0].r), p);
        e[1].r = v3_axpy(-v3_dot(e[0].A.cz, q), e[0].A.cz, e[1].r);
        e[0].v = test_vec3(t);
        e[0].omega = test_vec3(t);
        e[1].omega = test_vec3(t);
        const TmlVec3 arm = v3_add(v3_sub(e[1].r, e[0].r), p);
        e[1].v = v3_add(e[0].v, v3_sub(v3_cross(e[0].omega, arm), v3_cross(e[1].omega, p)));
        const TmlElementIn in = {.data = &radius, .e = e, .n_ends = 2};
        double phi[3];
        type->residual(&in, phi);
        for (int row = 0; row < 3; ++row) {
            CHECK_NEAR(t, phi[row], 0.0, 1e-7); // a search finds a minimum to the root of rounding
        }
    }
}

TEST(upright_disc_rolls_straight)
{
    const double radius = 0.5, w = 3.0;
    // spin axis along -y: the disc rolls along x with v = w R
    TmlFrameKin e[2] = {{.A = m3_identity()}, {.A = m3_from_z(v3(0, 1, 0), v3(1, 0, 0))}};
    e[1].r = v3(0.7, 0.2, radius);
    e[1].omega = v3(0, w, 0);
    e[1].v = v3(w * radius, 0, 0);
    const TmlElementIn in = {.data = &radius, .e = e, .n_ends = 2};
    double phi[3];
    tml_constraint_rolling_disc.residual(&in, phi);
    for (int row = 0; row < 3; ++row) {
        CHECK_NEAR(t, phi[row], 0.0, 1e-15); // one rounding
    }
}

/* --- errors -------------------------------------------------------------------------------- */

TEST(impossible_data_is_rejected)
{
    TmlError err = {0};
    double length = 0.0;
    const TmlFrameKin same[2] = {{.A = m3_identity()}, {.A = m3_identity()}};
    CHECK_INT(t, tml_constraint_distance.prepare(&length, same, 2, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "the two points coincide");
    CHECK_INT(t, tml_constraint_revolute_spherical.prepare(&length, same, 2, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "the two points coincide");
    CHECK_INT(t, tml_constraint_rolling_disc.prepare(&length, same, 2, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "lies flat");

    TmlTerm terms[2] = {{.coefficient = 1.0}, {.coefficient = 0.0}};
    TmlRelation relation = {.terms = {2, terms}};
    CHECK_INT(t, tml_constraint_coupler.check(&relation, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "the coefficient of term 2 is 0");
    relation.terms.n = 0;
    CHECK_INT(t, tml_constraint_coupler.check(&relation, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "0 terms given, expected 1 to 6");
}

TEST(distance_defaults_to_the_initial_one)
{
    TmlError err = {0};
    double length = 0.0, given = 2.0, phi[1];
    const TmlFrameKin e[2] = {{.A = m3_identity()}, {.r = v3(3, 4, 0), .A = m3_identity()}};
    CHECK_OK(t, tml_constraint_distance.prepare(&length, e, 2, &err), &err);
    CHECK_OK(t, tml_constraint_distance.prepare(&given, e, 2, &err), &err);
    CHECK(t, length == 5.0 && given == 2.0);
    const TmlElementIn in = {.data = &given, .e = e, .n_ends = 2};
    tml_constraint_distance.residual(&in, phi);
    CHECK(t, phi[0] == 3.0);
}

TEST_SUITE(joints) = {
    CASE(joints_leave_the_right_motions),
    CASE(shafts_fold_back),
    CASE(screw_advances_by_its_pitch),
    CASE(gear_counts_turns),
    CASE(rack_moves_by_radius_times_angle),
    CASE(motions_integrate_their_function),
    CASE(disc_rolls_on_its_lowest_point),
    CASE(upright_disc_rolls_straight),
    CASE(impossible_data_is_rejected),
    CASE(distance_defaults_to_the_initial_one),
    {0},
};
