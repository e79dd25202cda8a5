/* tests/system/test_near_pairs.c - the broad phase against brute force.
 *
 * No list says how long it took, but what was looked at can be counted: candidates of a list.
 */
#include "../analysis/study.h"

#include "math/vec3.h"
#include "system/contact/touching.h"

/* --- the tree ------------------------------------------------------------------------------------ */

enum { BOXES = 300 };

typedef struct Found {
    bool hit[BOXES];
    int twice;
} Found;

static TmlStatus note(void *user, int number, TmlError *err)
{
    Found *f = user;
    (void)err;
    f->twice += f->hit[number];
    f->hit[number] = true;
    return TML_OK;
}

/* A box with its middle in [0, way] and half sides between `small` and `large`, equally likely in the logarithm. */
static TmlBox random_box(TestCtx *t, TmlVec3 way, TmlVec3 small, TmlVec3 large)
{
    const TmlVec3 c = {test_random(t, 0, 1) * way.x, test_random(t, 0, 1) * way.y,
                       test_random(t, 0, 1) * way.z};
    const TmlVec3 h = {small.x * pow(large.x / small.x, test_random(t, 0, 1)),
                       small.y * pow(large.y / small.y, test_random(t, 0, 1)),
                       small.z * pow(large.z / small.z, test_random(t, 0, 1))};
    return (TmlBox){v3_sub(c, h), v3_add(c, h)};
}

/* All boxes, those of a random half, and none; each is asked for as well as places between them. */
static void compare(TestCtx *t, const TmlBox *box, int n)
{
    TmlArena arena = {0};
    TmlBoundsTree tree;
    TmlError err;
    int which[BOXES], m = 0;
    bool in[BOXES];
    CHECK_OK(t, tml_bounds_tree_setup(&tree, &arena, BOXES, &err), &err);
    for (int k = 0; k < n; ++k) {
        in[k] = n < BOXES || test_random(t, 0, 1) < 0.5;
        if (in[k]) {
            which[m++] = k;
        }
    }
    tml_bounds_tree_build(&tree, box, which, m);
    int wrong = 0, twice = 0;
    for (int k = 0; k < n; ++k) {
        Found found = {0};
        CHECK_OK(t, tml_bounds_tree_ask(&tree, &box[k], note, &found, &err), &err);
        for (int i = 0; i < n; ++i) {
            wrong += found.hit[i] != (in[i] && tml_boxes_overlap(&box[i], &box[k]));
        }
        twice += found.twice;
    }
    CHECK_INT(t, wrong, 0);
    CHECK_INT(t, twice, 0);
    tml_arena_free(&arena);
}

TEST(tree_finds_what_brute_force_finds)
{
    static const struct {
        TmlVec3 way, small, large;
    } kind[] = {
        {{1, 1, 1}, {0.05, 0.05, 0.05}, {0.05, 0.05, 0.05}}, // balls
        {{1, 1, 1}, {1e-6, 1e-6, 1e-6}, {1, 1, 1}},          // of all sizes
        {{1, 1, 1}, {2, 1e-3, 1e-3}, {2, 2e-3, 2e-3}},       // rods side by side
        {{1, 1, 1}, {1e-3, 1e-3, 1e-3}, {1, 1e-3, 1}},       // rods and plates
        {{10, 0, 0}, {0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}},      // in line
        {{0, 0, 0}, {0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}},       // all of them the same
        {{1e9, 1, 1e-9}, {1e-3, 1e-3, 1e-12}, {1, 1, 1}},
    };
    TmlBox box[BOXES];
    for (int k = 0; k < (int)(sizeof kind / sizeof kind[0]); ++k) {
        for (int n = 0; n <= BOXES; n = n < 12 ? n + 1 : n + 144) {
            for (int i = 0; i < n; ++i) {
                box[i] = random_box(t, kind[k].way, kind[k].small, kind[k].large);
            }
            compare(t, box, n);
        }
    }
    // a floor under all others, boxes that touch by a face, one that is nowhere
    for (int i = 0; i < BOXES; ++i) {
        const double x = i / 17, y = i % 17; // NOLINT(bugprone-integer-division): whole places
        box[i] = (TmlBox){{x, y, 0}, {x + 1, y + 1, 1}};
    }
    box[0] = (TmlBox){{-100, -100, -1}, {100, 100, 0}};
    box[1] = (TmlBox){{(double)NAN, 0, 0}, {(double)NAN, 0, 0}};
    compare(t, box, BOXES);
}

/* --- the list ------------------------------------------------------------------------------------ */

/* Balls, boxes, rods and a ring of many sizes, on a plane, over a plate that is much larger than all, with a plane
 * that moves. Which pairs of these types there are is said by the reader: others have no contact. */
#define CROWD                                                                                      \
    "trammel: 1\n"                                                                                 \
    "ground:\n"                                                                                    \
    "  shape:\n"                                                                                   \
    "    - {half_space: {normal: z, name: floor, group: planes}}\n"                                \
    "    - {half_space: {normal: [1, 1, 0], position: [-1, -1, 0], name: wall, group: planes}}\n"  \
    "    - {box: {size: [50, 50, 0.2], position: [0, 0, 0.1], name: plate, group: flat}}\n"        \
    "bodies:\n"                                                                                    \
    "  lid: {mass: 1, inertia: [1, 1, 1], shape: {half_space: {normal: -z, position: [0, 0, 4], "  \
    "name: lid, group: planes}}}\n"                                                                \
    "  for i in 1..40:\n"                                                                          \
    "    \"ball{i}\": {mass: 1, inertia: [1, 1, 1], shape: {sphere: {radius: 0.01*1.13^i, group: " \
    "balls}}}\n"                                                                                   \
    "    \"rod{i}\": {mass: 1, inertia: [1, 1, 1], shape: {capsule: {radius: 0.02, length: "       \
    "0.05*i, position: [0.1, 0, 0.2], group: rods}}}\n"                                            \
    "    \"brick{i}\": {mass: 1, inertia: [1, 1, 1], shape: {box: {size: [0.5, 0.1, 0.02*i], "     \
    "group: flat}}}\n"                                                                             \
    "contacts:\n"                                                                                  \
    "  points: {between: [[balls, rods], [balls, rods]], law: power, stiffness: 1, exponent: "     \
    "1.5}\n"                                                                                       \
    "  planes: {between: [[balls, rods], planes], law: power, stiffness: 1, exponent: 1.5}\n"      \
    "  faces: {between: [flat, flat], law: linear, foundation: 1}\n"                               \
    "  ground: {between: [flat, planes], law: linear, foundation: 1}\n"                            \
    "  mixed: {between: [flat, balls], law: linear, stiffness: 1, foundation: 1}\n"

/* Bodies somewhere in a room of 3 m, with speeds of up to 1 m/s and 1 rad/s. */
static void scatter(TestCtx *t, TmlSystem *sys, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        for (int k = 0; k < dim->span[b].nq; ++k) {
            const int at = dim->span[b].q0 + k;
            s->q[at] = k < 3 ? test_random(t, 0, 3) : test_random(t, -1, 1);
            s->v[at] = test_random(t, -0.3, 0.3);
        }
    }
    tml_system_retract(sys, s->q);
    tml_system_retract_velocity(sys, s->q, s->v);
}

static const TmlNear *near_of(const TmlSystem *sys, int a, int b)
{
    const struct TmlTouching *touching = sys->touching;
    for (int k = 0; k < touching->n; ++k) {
        if (touching->near[k].shape[0] == a && touching->near[k].shape[1] == b) {
            return &touching->near[k];
        }
    }
    return NULL;
}

/* Pairs of the model that touch at the last kinematics; of these those that the list does not have, or that it takes
 * for asleep. */
static int missed(TmlSystem *sys, int *touching)
{
    const TmlModel *m = sys->model;
    int n = 0;
    *touching = 0;
    tml_near_look(sys, 0.0);
    for (int a = 0; a < m->shapes.n; ++a) {
        for (int b = a + 1; b < m->shapes.n; ++b) {
            const int body[2] = {m->shapes.at[a].body, m->shapes.at[b].body};
            TmlNear pair = {.shape = {a, b}, .contact = tml_contact_of(m, a, b), .bristle = -1};
            if (pair.contact < 0 || sys->dim.span[body[0]].nu + sys->dim.span[body[1]].nu == 0) {
                continue;
            }
            const TmlPairIn in = tml_near_in(sys, &pair, 0.0);
            TmlPairForce force;
            tml_pair_force(&in, &force, NULL);
            const TmlNear *near = near_of(sys, a, b);
            *touching += force.depth > 0.0;
            n += force.depth > 0.0 && (near == NULL || tml_near_sleeps(sys->touching, near));
        }
    }
    return n;
}

/* What carries the shapes of a body; NULL: it has none. */
static const TmlCarrier *carrier_of_body(const TmlSystem *sys, int body)
{
    for (int k = 0; k < sys->touching->n_carriers; ++k) {
        if (sys->touching->carrier[k].body == body) {
            return &sys->touching->carrier[k];
        }
    }
    return NULL;
}

/* Adds `part` of its margin to the place of every body that moves, in a random direction. */
static void push(TestCtx *t, TmlSystem *sys, TmlState *s, double part)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlCarrier *carrier = carrier_of_body(sys, b);
        const double way = carrier != NULL ? part * carrier->margin / sqrt(3.0) : 0.0;
        for (int k = 0; k < 3; ++k) {
            s->q[dim->span[b].q0 + k] += test_random(t, -1, 1) > 0.0 ? way : -way;
        }
    }
    tml_system_kinematics(sys, s, false);
}

/* Nothing that touches is missed where bodies are, and as long as they stay within their margins; in lists that are
 * made at once as in those that are made bit by bit. Bodies far off are not in it. */
TEST(list_misses_no_pair)
{
    TmlModel *model = study_model(t, CROWD);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->it.now;
    TmlError err;
    bool patterns;
    int total = 0, pairs = 0;
    for (int k = 0; k < 8; ++k) {
        int touching;
        scatter(t, sys, s);
        tml_system_kinematics(sys, s, false);
        CHECK_OK(t, tml_system_touching_renew(sys, 0.01, 0.02, &patterns, &err), &err);
        CHECK_INT(t, missed(sys, &touching), 0);
        total += touching;
        pairs += sys->touching->n;
        for (int step = 0; step < 6; ++step) {
            // an odd push uses up what half of the bodies have, an even one of none
            push(t, sys, s, step % 2 == 0 ? 0.3 : 0.6);
            CHECK_INT(t, missed(sys, &touching), 0);
            CHECK_OK(t, tml_system_touching_renew(sys, 0.0, 0.02, &patterns, &err), &err);
            CHECK_INT(t, missed(sys, &touching), 0);
        }
    }
    CHECK(t, total > 1000);      // there was something to miss
    CHECK(t, pairs < 4 * total); // and the list is no list of everything
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A body that stays where it is keeps its box while another one moves on. */
TEST(boxes_are_renewed_where_bodies_move)
{
    TmlModel *model = study_model(t, CROWD);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->it.now;
    TmlError err;
    bool patterns;
    scatter(t, sys, s);
    memset(s->v, 0, (size_t)tml_dims(sys)->nq * sizeof *s->v);
    tml_system_kinematics(sys, s, false);
    CHECK_OK(t, tml_system_touching_renew(sys, 0.01, 0.02, &patterns, &err), &err);
    s->q[tml_dims(sys)->span[5].q0] += 0.1;
    tml_system_kinematics(sys, s, false);
    CHECK(t, !tml_system_touching_holds(sys, 0.0));
    CHECK_OK(t, tml_system_touching_renew(sys, 0.01, 0.02, &patterns, &err), &err);
    int stale = 0;
    for (int b = 1; b < tml_dims(sys)->nb; ++b) {
        const TmlCarrier *carrier = carrier_of_body(sys, b);
        stale += carrier != NULL && carrier->stale;
    }
    CHECK_INT(t, stale, 1);
    CHECK(t, carrier_of_body(sys, 5)->stale);
    CHECK(t, tml_system_touching_holds(sys, 0.0));
    tml_sim_free(sim);
    tml_model_free(model);
}

/* 3000 small balls over one floor, a plane or a plate as large as all of them: each is near to it and to
 * its neighbours alone. Balls stand 2.2 radii apart; nothing but the floor is within their margins. */
TEST(list_is_linear_over_a_large_floor)
{
    static const char *const floor[] = {"half_space: {normal: z}",
                                        "box: {size: [100, 100, 1], position: [0, 0, -0.5]}"};
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "ground: {shape: {%s}}\n"
                 "bodies:\n"
                 "  for i in 1..60:\n"
                 "    for j in 1..50:\n"
                 "      \"b{i}_{j}\": {type: point, mass: 1, position: [0.022*i, 0.022*j, 0.01], "
                 "shape: {sphere: {radius: 0.01}}}\n"
                 "contacts: {all: {between: all, law: power, stiffness: 1, exponent: 1.5}}\n",
                 floor[k]);
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(0.1, 0.1, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        CHECK_INT(t, sim->sys->touching->n, 3000);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

TEST_SUITE(near_pairs) = {CASE(tree_finds_what_brute_force_finds),
                          CASE(list_misses_no_pair),
                          CASE(boxes_are_renewed_where_bodies_move),
                          CASE(list_is_linear_over_a_large_floor),
                          {0}};
