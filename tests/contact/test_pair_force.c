/* tests/contact/test_pair_force.c - forces between shapes on moving frames: derivatives, balance, power.
 *
 * Frames move and turn at random; the law is that of Hunt and Crossley with friction. Derivatives by the motions are
 * compared with central differences of step h: their error is h^2 times third derivatives, of about 10 to 100
 * times the size of the tangent here, plus rounding over h. With h = 1e-6 both are below 1e-7 of the largest
 * entry.
 */
#include "law_util.h"
#include "touch_util.h"

#include "math/vec3.h"
#include "model/contact/pair_force.h"
#include "model/force/pair.h"

enum { TRIES = 50 };

typedef struct Sphere {
    double radius;
} Sphere;

typedef struct Case {
    TmlArena arena;
    Sphere ball[2];
    TmlPose place[2];
    TmlFrameKin e[2];
    TmlContactLaw law;
    TmlPairIn in;
} Case;

static TmlVec3 random_vector(TestCtx *t, double size)
{
    return v3(test_random(t, -size, size), test_random(t, -size, size),
              test_random(t, -size, size));
}

static TmlMat33 random_axes(TestCtx *t)
{
    return q4_matrix(q4_exp(random_vector(t, 2.0)));
}

/* A ball on frame 1 in a ball or a half-space on frame 0, by a tenth of its radius. */
static void case_make(TestCtx *t, Case *c, bool half_space)
{
    *c = (Case){.ball = {{0.7}, {0.4}}};
    for (int k = 0; k < 2; ++k) {
        c->place[k] = (TmlPose){random_vector(t, 0.5), random_axes(t)};
        c->e[k] = (TmlFrameKin){.r = random_vector(t, 1.0),
                                .A = random_axes(t),
                                .v = random_vector(t, 0.1), // slow: damping does not part them
                                .omega = random_vector(t, 0.1)};
    }
    const TmlShapeType *first = tml_find_shape_type(half_space ? "half_space" : "sphere");
    const TmlMat33 R = m3_mul(&c->e[0].A, &c->place[0].A);
    const TmlVec3 x0 = v3_add(c->e[0].r, m3_mulv(&c->e[0].A, c->place[0].r));
    const TmlVec3 n = half_space ? R.cz : v3_unit(random_vector(t, 1.0));
    const double distance = half_space ? 0.36 : 1.06;
    // the second frame where its ball has the wanted distance
    const TmlVec3 x1 = v3_axpy(distance, n, x0);
    c->e[1].r = v3_sub(x1, m3_mulv(&c->e[1].A, c->place[1].r));
    const TmlPressType *press = tml_find_press_type("hunt_crossley");
    const TmlSlipType *slip = tml_find_slip_type("coulomb");
    c->law.slip = slip;
    c->law.slip_data = law_data(t, &c->arena, &slip->info, slip->check);
    const TmlRollType *roll = tml_find_roll_type("resistance");
    c->law.roll = roll;
    c->law.roll_data = law_data(t, &c->arena, &roll->info, roll->check);
    c->law.press = press;
    do { // until it has what points need
        c->law.press_data = law_data(t, &c->arena, &press->info, press->check);
    } while (press->suits(c->law.press_data, TML_TOUCH_POINTS, NULL) != TML_OK);
    c->in =
        (TmlPairIn){.shape = {{first, &c->ball[0]}, {tml_find_shape_type("sphere"), &c->ball[1]}},
                    .place = {&c->place[0], &c->place[1]},
                    .e = {&c->e[0], &c->e[1]},
                    .law = &c->law,
                    // midway, on the first, on the second: derivatives and balance hold for all
                    .acts = (double)(t->seed / 7 % 3) - 1.0};
}

/* Move a frame, or change its twist, along one of the twelve variables. */
static void nudge(Case *c, int column, double h, bool twist)
{
    TmlFrameKin *f = &c->e[column / 6];
    const int k = column % 6;
    const TmlVec3 d = v3(h * (k % 3 == 0), h * (k % 3 == 1), h * (k % 3 == 2));
    if (twist) {
        *(k < 3 ? &f->v : &f->omega) = v3_add(k < 3 ? f->v : f->omega, d);
    } else if (k < 3) {
        f->r = v3_add(f->r, d);
    } else {
        const TmlMat33 D = q4_matrix(q4_exp(d));
        f->A = m3_mul(&D, &f->A);
    }
}

static void wrench_of(const Case *c, double w[PAIR_SIZE])
{
    TmlPairForce f;
    tml_pair_force(&c->in, &f, NULL);
    const TmlVec3 part[4] = {f.w[0].r, f.w[0].theta, f.w[1].r, f.w[1].theta};
    for (int k = 0; k < PAIR_SIZE; ++k) {
        w[k] = k % 3 == 0 ? part[k / 3].x : k % 3 == 1 ? part[k / 3].y : part[k / 3].z;
    }
}

static void check_tangent(TestCtx *t, Case *c, const double *K, bool twist)
{
    const double h = 1e-6;
    double largest = 0.0;
    for (int k = 0; k < PAIR_SIZE * PAIR_SIZE; ++k) {
        largest = fmax(largest, fabs(K[k]));
    }
    for (int column = 0; column < PAIR_SIZE; ++column) {
        double plus[PAIR_SIZE], minus[PAIR_SIZE];
        const Case kept = *c;
        nudge(c, column, h, twist);
        wrench_of(c, plus);
        c->e[0] = kept.e[0];
        c->e[1] = kept.e[1];
        nudge(c, column, -h, twist);
        wrench_of(c, minus);
        c->e[0] = kept.e[0];
        c->e[1] = kept.e[1];
        double size = 0.0;
        for (int r = 0; r < PAIR_SIZE; ++r) {
            size = fmax(size, fabs(plus[r]));
        }
        for (int r = 0; r < PAIR_SIZE; ++r) {
            // the quotient has an error of h^2 times third derivatives, see the head of the file
            CHECK_NEAR(t, K[r * PAIR_SIZE + column], (plus[r] - minus[r]) / (2.0 * h),
                       1e-6 * largest + 1e-15 * size / h); // and rounding
        }
    }
}

TEST(tangents_are_derivatives)
{
    for (int k = 0; k < TRIES; ++k) {
        Case c;
        double Kq[PAIR_SIZE * PAIR_SIZE] = {0}, Kv[PAIR_SIZE * PAIR_SIZE] = {0};
        case_make(t, &c, k % 2 == 0);
        CHECK(t, tml_pair_tangent(&c.in, Kq, Kv, NULL));
        check_tangent(t, &c, Kq, false);
        check_tangent(t, &c, Kv, true);
        tml_arena_free(&c.arena);
    }
}

/* Frames at rest with the shapes of one pair, by a tenth of their size in each other. */
static bool case_of_pair(TestCtx *t, Case *c, const TmlShape *a, const TmlShape *b)
{
    TmlPose pose = pose_random(t);
    case_make(t, c, true);
    if (!pose_to_depth(a, b, &pose, 0.02, 10.0)) {
        return false;
    }
    const TmlPose here = {v3(0, 0, 0), m3_identity()};
    c->place[0] = c->place[1] = here;
    c->e[0].r = here.r;
    c->e[0].A = here.A;
    c->e[1].r = pose.r;
    c->e[1].A = pose.A;
    c->in.shape[0] = *a;
    c->in.shape[1] = *b;
    return true;
}

static void pair_tangents(TestCtx *t, const TmlShapeType *ta, const TmlShapeType *tb)
{
    for (int k = 0; k < 8; ++k) {
        ShapeData da, db;
        Case c;
        double Kq[PAIR_SIZE * PAIR_SIZE] = {0}, Kv[PAIR_SIZE * PAIR_SIZE] = {0};
        shape_random(t, ta, 1.0, &da);
        shape_random(t, tb, 1.0, &db);
        const TmlShape a = {ta, &da}, b = {tb, &db};
        if (case_of_pair(t, &c, &a, &b) && tml_pair_tangent(&c.in, Kq, Kv, NULL)) {
            check_tangent(t, &c, Kq, false);
            check_tangent(t, &c, Kv, true);
        }
        tml_arena_free(&c.arena);
    }
}

TEST(tangents_of_all_pairs)
{
    CHECK(t, for_each_pair(t, pair_tangents) > 10);
}

/* --- bristles ---------------------------------------------------------------------------------- */

typedef struct Bristle {
    double id[2], y[6], rate[6];
    TmlBristles list;
} Bristle;

/* A case whose friction has bristles; the second slot is that of the point. */
static void bristle_case(TestCtx *t, Case *c, const TmlSlipType *slip, Bristle *b)
{
    case_make(t, c, test_random(t, 0, 1) < 0.5);
    c->law.slip = slip;
    c->law.slip_data = law_data(t, &c->arena, &slip->info, slip->check);
    *b = (Bristle){.id = {7.0, 1.0}};
    for (int k = 0; k < 6; ++k) {
        b->y[k] = test_random(t, -1e-4, 1e-4);
    }
    b->list = (TmlBristles){2, test_random(t, 0, 1) < 0.5 ? 0 : 1, b->id, b->y, b->rate};
    c->in.bristles = &b->list;
}

/* Rates of the bristle by the twelve variables, and rates and wrenches by its deflections, against differences. */
static void check_bristle(TestCtx *t, Case *c, Bristle *b, const TmlBristleTangent *K)
{
    const double h = 1e-7;
    double largest = 0.0;
    for (int k = 0; k < 36; ++k) {
        largest = fmax(largest, fmax(fabs(K->by_q[k]), fabs(K->by_v[k])));
    }
    for (int column = 0; column < 2 * PAIR_SIZE; ++column) {
        double w[PAIR_SIZE], rate[2][3];
        const Case kept = *c;
        for (int side = 0; side < 2; ++side) {
            nudge(c, column % PAIR_SIZE, side == 0 ? h : -h, column >= PAIR_SIZE);
            wrench_of(c, w);
            memcpy(rate[side], b->rate + 3, sizeof rate[side]);
            c->e[0] = kept.e[0];
            c->e[1] = kept.e[1];
        }
        for (int r = 0; r < 3; ++r) {
            const double exact =
                (column < PAIR_SIZE ? K->by_q : K->by_v)[PAIR_SIZE * r + column % PAIR_SIZE];
            // quotients of laws with kinks in z: h^2 over their width of 1e-4, squared, and rounding over h
            CHECK_NEAR(t, exact, (rate[0][r] - rate[1][r]) / (2.0 * h), 1e-5 * largest + 1e-8);
        }
    }
    CHECK_NEAR(t, b->rate[0], 0.0, 0.0); // exact: the other is nobody's
}

static void check_deflection(TestCtx *t, Case *c, Bristle *b, const TmlBristleTangent *K)
{
    const double h = 1e-9;
    for (int k = 0; k < 3; ++k) {
        double w[2][PAIR_SIZE], rate[2][3], size = 0.0;
        const double kept = b->y[3 + k];
        for (int side = 0; side < 2; ++side) {
            b->y[3 + k] = kept + (side == 0 ? h : -h);
            wrench_of(c, w[side]);
            memcpy(rate[side], b->rate + 3, sizeof rate[side]);
        }
        b->y[3 + k] = kept;
        for (int r = 0; r < PAIR_SIZE; ++r) {
            size = fmax(size, fabs(w[0][r]));
        }
        for (int r = 0; r < 3; ++r) {
            // quotients: rounding of rates of 1 m/s over h, 1e-7, and h^2 over the width of 1e-4 squared
            CHECK_NEAR(t, K->by_y[3 * r + k], (rate[0][r] - rate[1][r]) / (2.0 * h),
                       1e-5 * fabs(K->by_y[4 * k]) + 1e-6);
        }
        for (int r = 0; r < PAIR_SIZE; ++r) {
            CHECK_NEAR(t, K->wrench[3 * r + k], (w[0][r] - w[1][r]) / (2.0 * h),
                       1e-5 * fabs(K->wrench[3 * r + k]) + 1e-6 * size / 1e-4); // rounding over h
        }
    }
}

TEST(bristles_have_derivatives)
{
    int laws = 0, used = 0;
    for (const TmlSlipType *const *slip = tml_slip_types; *slip != NULL; ++slip) {
        laws += (*slip)->bristles;
        for (int k = 0; k < TRIES && (*slip)->bristles; ++k) {
            Case c;
            Bristle b;
            double Kq[PAIR_SIZE * PAIR_SIZE] = {0}, Kv[PAIR_SIZE * PAIR_SIZE] = {0};
            TmlBristleTangent K[2] = {{0}};
            t->name = (*slip)->info.name;
            bristle_case(t, &c, *slip, &b);
            CHECK(t, tml_pair_tangent(&c.in, Kq, Kv, K));
            CHECK(t, !K[0].used);
            TmlPairForce f;
            tml_pair_force(&c.in, &f, NULL);
            // adhesion may leave nothing that presses, or so little that the bristle is as stiff as a kink
            if (K[1].used && f.force > 1e-3) {
                check_bristle(t, &c, &b, &K[1]);
                check_deflection(t, &c, &b, &K[1]);
                ++used;
            }
            tml_arena_free(&c.arena);
        }
    }
    t->name = NULL;
    CHECK(t, laws >= 2 && used > 10);
}

/* --- bristles of patches ------------------------------------------------------------------------ */

enum { PIECES = 16 };

typedef struct Patch {
    double id[PIECES], y[3 * PIECES], rate[3 * PIECES];
    TmlBristles list;
} Patch;

/* A box in a half-space by a fiftieth of its size, with a bristle for each of its pieces. Returns how many there are. */
static int patch_case(TestCtx *t, Case *c, const TmlSlipType *slip, ShapeData data[2], Patch *b)
{
    const TmlShapeType *type[2] = {tml_find_shape_type("half_space"), tml_find_shape_type("box")};
    TmlPairPoint point[TML_TOUCH_MAX];
    TmlPairForce f;
    shape_random(t, type[0], 1.0, &data[0]);
    shape_random(t, type[1], 1.0, &data[1]);
    const TmlShape plane = {type[0], &data[0]}, box = {type[1], &data[1]};
    *b = (Patch){.id = {0.0}};
    if (!case_of_pair(t, c, &plane, &box)) {
        return 0;
    }
    do { // until it has what faces need
        c->law.press_data = law_data(t, &c->arena, &c->law.press->info, c->law.press->check);
    } while (c->law.press->suits(c->law.press_data, TML_TOUCH_PATCHES, NULL) != TML_OK);
    c->law.slip = slip;
    c->law.slip_data = law_data(t, &c->arena, &slip->info, slip->check);
    c->law.roll = NULL;
    const int n = tml_pair_force(&c->in, &f, point);
    for (int k = 0; k < n && k < PIECES; ++k) {
        b->id[k] = (double)point[k].id + 1.0;
    }
    for (int k = 0; k < 3 * PIECES; ++k) {
        b->y[k] = test_random(t, -1e-4, 1e-4);
    }
    b->list = (TmlBristles){PIECES, (int)(t->seed / 3 % 2), b->id, b->y, b->rate};
    c->in.bristles = &b->list;
    return f.force > 1e-3 ? n : 0; // damping may leave nothing that presses
}

/* Wrenches and rates of all bristles, by one of the 24 variables, against differences. */
static void check_patch(TestCtx *t, Case *c, Patch *b, const double *K, const TmlBristleTangent *B,
                        int column)
{
    const double h = 1e-7;
    const bool twist = column >= PAIR_SIZE;
    const int at = column % PAIR_SIZE;
    double w[2][PAIR_SIZE], rate[2][3 * PIECES], size = 0.0, largest = 0.0, fastest = 0.0;
    for (int side = 0; side < 2; ++side) {
        const Case kept = *c;
        nudge(c, at, side == 0 ? h : -h, twist);
        wrench_of(c, w[side]);
        memcpy(rate[side], b->rate, sizeof rate[side]);
        c->e[0] = kept.e[0];
        c->e[1] = kept.e[1];
    }
    for (int k = 0; k < PAIR_SIZE * PAIR_SIZE; ++k) {
        largest = fmax(largest, fabs(K[k]));
        size = fmax(size, fabs(w[0][k % PAIR_SIZE]));
    }
    for (int r = 0; r < PAIR_SIZE; ++r) {
        // quotients: h^2 over the width of kinks in z, 1e-4, squared; rounding over h
        CHECK_NEAR(t, K[r * PAIR_SIZE + at], (w[0][r] - w[1][r]) / (2.0 * h),
                   1e-5 * largest + 1e-14 * size / h);
    }
    for (int k = 0; k < 3 * PIECES; ++k) {
        const double *by = twist ? B[k / 3].by_v : B[k / 3].by_q;
        for (int j = 0; j < PAIR_SIZE; ++j) {
            fastest = fmax(fastest, fabs(by[PAIR_SIZE * (k % 3) + j]));
        }
        CHECK_NEAR(t, by[PAIR_SIZE * (k % 3) + at], (rate[0][k] - rate[1][k]) / (2.0 * h),
                   1e-5 * fastest + 1e-6); // as above
    }
}

TEST(bristles_of_patches_have_derivatives)
{
    int used = 0;
    for (const TmlSlipType *const *slip = tml_slip_types; *slip != NULL; ++slip) {
        for (int k = 0; k < TRIES && (*slip)->bristles; ++k) {
            Case c;
            Patch b;
            ShapeData data[2];
            TmlBristleTangent B[PIECES] = {{0}};
            double K[2][PAIR_SIZE * PAIR_SIZE] = {{0}};
            t->name = (*slip)->info.name;
            if (patch_case(t, &c, *slip, data, &b) > 1) {
                CHECK(t, tml_pair_tangent(&c.in, K[0], K[1], B));
                for (int column = 0; column < 2 * PAIR_SIZE; ++column) {
                    check_patch(t, &c, &b, K[column / PAIR_SIZE], B, column);
                }
                ++used;
            }
            tml_arena_free(&c.arena);
        }
    }
    t->name = NULL;
    CHECK(t, used > 10);
}

/* Pieces with one deflection and one speed hold as the law holds under the whole load, however it is cut into pieces. */
TEST(pieces_hold_as_the_whole)
{
    int used = 0;
    for (const TmlSlipType *const *slip = tml_slip_types; *slip != NULL; ++slip) {
        for (int k = 0; k < TRIES && (*slip)->bristles; ++k) {
            Case c;
            Patch b;
            ShapeData data[2];
            TmlPairForce f;
            TmlPairPoint point[TML_TOUCH_MAX];
            t->name = (*slip)->info.name;
            if (patch_case(t, &c, *slip, data, &b) > 1) {
                c.e[0].omega = c.e[1].omega = v3(0, 0, 0);
                const int n = tml_pair_force(&c.in, &f, point);
                for (int i = 3 * n - 1; i >= 0; --i) { // (C17): one z, y = sqrt(a) z
                    b.y[i] = sqrt(point[i / 3].share) * b.y[i % 3];
                }
                tml_pair_force(&c.in, &f, point);
                const TmlVec3 u = v3_sub(c.e[1].v, c.e[0].v);
                const TmlSlipIn whole = {.data = c.law.slip_data,
                                         .force = f.force,
                                         .v = v3_axpy(-v3_dot(u, point[0].n), point[0].n, u),
                                         .z = point[0].z};
                TmlSlip law = {0};
                TmlVec3 sum = v3(0, 0, 0);
                if (f.force > 1e-3) {
                    (*slip)->slip(&whole, &law);
                    for (int i = 0; i < n; ++i) {
                        sum = v3_add(sum, point[i].friction);
                    }
                    // rounding of a dozen sums
                    CHECK(t, v3_norm(v3_sub(sum, law.force)) <= 1e-12 * v3_norm(law.force));
                    ++used;
                }
            }
            tml_arena_free(&c.arena);
        }
    }
    t->name = NULL;
    CHECK(t, used > 10);
}

/* The energy of the bristles alone, and its rate as the pair tells it, along the motion of the frames: h of it ahead. */
static double bristle_energy(Case *c, Patch *b, double h, double *rate, double *lost)
{
    const Case kept = *c;
    const Patch bent = *b;
    TmlPairForce with, without;
    const double twist[12] = {c->e[0].v.x,     c->e[0].v.y,     c->e[0].v.z,     c->e[0].omega.x,
                              c->e[0].omega.y, c->e[0].omega.z, c->e[1].v.x,     c->e[1].v.y,
                              c->e[1].v.z,     c->e[1].omega.x, c->e[1].omega.y, c->e[1].omega.z};
    tml_pair_force(&c->in, &with, NULL);
    for (int k = 0; k < 3 * PIECES; ++k) {
        b->y[k] += h * b->rate[k];
    }
    for (int k = 0; k < 12; ++k) {
        nudge(c, k, h * twist[k], false);
    }
    tml_pair_force(&c->in, &with, NULL);
    memset(b->y, 0, sizeof b->y);
    tml_pair_force(&c->in, &without, NULL);
    *b = bent;
    c->e[0] = kept.e[0];
    c->e[1] = kept.e[1];
    *rate = without.power_elastic - with.power_elastic;
    *lost = -with.power_slip;
    return with.stored - without.stored;
}

/* A face that slides, turns and tilts: the shares of its pieces change, and what their bristles store changes by the work that
 * friction does, less what is lost. */
TEST(bristles_of_patches_make_no_energy)
{
    const double h = 1e-6;
    int used = 0;
    for (const TmlSlipType *const *slip = tml_slip_types; *slip != NULL; ++slip) {
        for (int k = 0; k < TRIES && (*slip)->bristles; ++k) {
            Case c;
            Patch b;
            ShapeData data[2];
            double rate, lost, ahead, aside;
            t->name = (*slip)->info.name;
            if (patch_case(t, &c, *slip, data, &b) > 1) {
                TmlPairPoint point[TML_TOUCH_MAX];
                TmlPairForce f;
                tml_pair_force(&c.in, &f, point);
                const TmlVec3 n = m3_tmulv(&c.e[b.list.home].A, point[0].n);
                for (int i = 0; i < 3 * PIECES;
                     i += 3) { // within the face, as those of sliding are
                    TmlVec3 y = v3_scale(1e3, v3(b.y[i], b.y[i + 1], b.y[i + 2]));
                    y = v3_axpy(-v3_dot(n, y), n,
                                y); // 0.1 m: more energy than the rounding of the quotient
                    b.y[i] = y.x;
                    b.y[i + 1] = y.y;
                    b.y[i + 2] = y.z;
                }
                ahead = bristle_energy(&c, &b, h, &rate, &lost);
                ahead -= bristle_energy(&c, &b, -h, &rate, &lost);
                bristle_energy(&c, &b, 0.0, &rate, &lost);
                aside = ahead / (2.0 * h);
                // the quotient: h times kinks of the law, rounding of energies of some J over h
                CHECK_NEAR(t, aside, rate, 1e-4 * (fabs(rate) + lost) + 1e-8);
                CHECK(t, lost >= -1e-12 * fabs(rate)); // rounding of a sum
                ++used;
            }
            tml_arena_free(&c.arena);
        }
    }
    t->name = NULL;
    CHECK(t, used > 10);
}

/* The rate of a deflection in space, within the tangent plane, when the axes of frame `home` have its state. */
static TmlVec3 rate_in_space(TestCtx *t, Case *c, Bristle *b, int home, TmlVec3 z, TmlVec3 n)
{
    const TmlVec3 y = m3_tmulv(&c->e[home].A, z);
    TmlPairForce f;
    b->y[3] = y.x;
    b->y[4] = y.y;
    b->y[5] = y.z;
    b->list.home = home;
    CHECK_INT(t, tml_pair_force(&c->in, &f, NULL), 1);
    const TmlVec3 rate = v3_add(m3_mulv(&c->e[home].A, v3(b->rate[3], b->rate[4], b->rate[5])),
                                v3_cross(c->e[home].omega, z));
    return v3_axpy(-v3_dot(rate, n), n, rate);
}

/* Bristles turn about the normal with the mean of both spins: whichever frame has their axes, they move the same, and two
 * frames that spin together carry them along. */
TEST(bristles_turn_with_both_bodies)
{
    for (int k = 0; k < TRIES; ++k) {
        Case c;
        Bristle b;
        TmlPairForce f;
        TmlPairPoint p[TML_TOUCH_MAX];
        bristle_case(t, &c, tml_find_slip_type(k % 2 == 0 ? "lugre" : "elastic"), &b);
        tml_pair_force(&c.in, &f, p);
        if (!(p[0].force >
              1e-3)) { // adhesion leaves nothing that presses: nothing holds the bristle
            tml_arena_free(&c.arena);
            continue;
        }
        const TmlVec3 n = p[0].n, any = random_vector(t, 1e-6);
        const TmlVec3 z = v3_axpy(-v3_dot(any, n), n, any);
        const TmlVec3 one = rate_in_space(t, &c, &b, 0, z, n);
        const TmlVec3 two = rate_in_space(t, &c, &b, 1, z, n);
        // rounding of products of 0.1 rad/s, 1e-6 m and of the slip of 0.1 m/s
        CHECK_NEAR(t, v3_norm(v3_sub(one, two)), 0.0, 1e-15);

        // both spin about the normal, and the slip is none: the bristle goes round with them
        for (int e = 0; e < 2; ++e) {
            c.e[e].omega = v3_scale(0.3, n);
            c.e[e].v = v3_cross(c.e[e].omega, v3_sub(c.e[e].r, p[0].p));
        }
        const TmlVec3 round = rate_in_space(t, &c, &b, k % 2, z, n);
        tml_pair_force(&c.in, &f, p);
        if (p[0].force > 1e-3) { // as above, without the damping
            // rounding of the slip, 1e-16 m/s, beside 3e-7 m/s
            CHECK_NEAR(t, v3_norm(v3_sub(round, v3_cross(v3_scale(0.3, n), z))), 0.0, 1e-12);
        }
        tml_arena_free(&c.arena);
    }
}

/* Forces and torques of both frames add up to nothing, and their power is that of the account. */
TEST(wrenches_are_in_balance)
{
    for (int k = 0; k < TRIES; ++k) {
        Case c;
        TmlPairForce f;
        case_make(t, &c, k % 2 == 0);
        CHECK_INT(t, tml_pair_force(&c.in, &f, NULL), 1);
        CHECK_INT(t, f.touching, 1);
        const double size = v3_norm(f.w[1].r), arm = 4.0; // m, the largest distance here
        const TmlVec3 force = v3_add(f.w[0].r, f.w[1].r);
        const TmlVec3 torque =
            v3_add(v3_add(f.w[0].theta, f.w[1].theta),
                   v3_add(v3_cross(c.e[0].r, f.w[0].r), v3_cross(c.e[1].r, f.w[1].r)));
        double power = 0.0;
        for (int e = 0; e < 2; ++e) {
            power += v3_dot(f.w[e].r, c.e[e].v) + v3_dot(f.w[e].theta, c.e[e].omega);
        }
        // sums of a dozen products, each rounded
        CHECK_NEAR(t, v3_norm(force), 0.0, 1e-14 * size);
        CHECK_NEAR(t, v3_norm(torque), 0.0, 1e-14 * size * arm);
        CHECK_NEAR(t, f.power_elastic + f.power_press + f.power_slip, power, 1e-13 * size * arm);
        CHECK(t, f.power_press <= 0.0 && f.power_slip <= 0.0);
        tml_arena_free(&c.arena);
    }
}

/* Where forces act: on the surface of the ball, of the half-space, or midway, as the normal and the depth say. */
TEST(forces_act_where_they_are_told)
{
    for (int k = 0; k < TRIES; ++k) {
        Case c;
        TmlPairForce f;
        TmlPairPoint p[TML_TOUCH_MAX];
        case_make(t, &c, true);
        const TmlMat33 R = m3_mul(&c.e[0].A, &c.place[0].A);
        const TmlVec3 x0 = v3_add(c.e[0].r, m3_mulv(&c.e[0].A, c.place[0].r));
        const double height[] = {-0.04, -0.02, 0.0}; // of the ball's lowest point to the plane
        for (int a = 0; a < 3; ++a) {
            c.in.acts = a - 1.0;
            CHECK_INT(t, tml_pair_force(&c.in, &f, p), 1);
            CHECK_NEAR(t, v3_dot(R.cz, v3_sub(p[0].p, x0)), height[a], 1e-14); // rounding
        }
        tml_arena_free(&c.arena);
    }
}

/* Frames that fall freely meet when the parabola says so: the gap is a polynomial of degree two. */
TEST(onset_of_a_fall_is_exact)
{
    const Sphere ball = {0.1};
    const TmlPose here = {v3(0, 0, 0), m3_identity()};
    const TmlFrameKin floor = {.A = m3_identity()};
    const TmlFrameKin fall = {
        .r = v3(3, 4, 1.1), .A = m3_identity(), .v = v3(5, 0, 1), .a = v3(0, 0, -9.81)};
    TmlContactLaw law = {.press = tml_find_press_type("hunt_crossley")};
    const TmlPairIn in = {.shape = {{tml_find_shape_type("half_space"), NULL},
                                    {tml_find_shape_type("sphere"), &ball}},
                          .place = {&here, &here},
                          .e = {&floor, &fall},
                          .law = &law,
                          .reach = 10.0};
    const double exact = (1.0 + sqrt(1.0 + 2.0 * 9.81)) / 9.81;
    CHECK_NEAR(t, tml_pair_onset(&in, 0.0, 1.0, NULL), exact, 4e-16); // rounding: two ulps
    CHECK(t, tml_pair_onset(&in, 0.0, 0.5, NULL) == HUGE_VAL);
}

TEST_SUITE(pair_force) = {CASE(tangents_are_derivatives),
                          CASE(tangents_of_all_pairs),
                          CASE(wrenches_are_in_balance),
                          CASE(bristles_have_derivatives),
                          CASE(bristles_of_patches_have_derivatives),
                          CASE(bristles_of_patches_make_no_energy),
                          CASE(pieces_hold_as_the_whole),
                          CASE(forces_act_where_they_are_told),
                          CASE(bristles_turn_with_both_bodies),
                          CASE(onset_of_a_fall_is_exact),
                          {0}};
