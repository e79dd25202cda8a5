/* tests/contact/test_contact_read.c - what models say of shapes, materials and contacts, and what is wrong with it. */
#include "model/contact/contact.h"
#include "model/model.h"
#include "model/read/sections.h"
#include "test.h"
#include "trammel/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BALL(name, at, more)                                                                       \
    "  " name ": {mass: 1, inertia: [1, 1, 1], position: " at ", shape: " more "}\n"

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "model", 0, NULL, NULL, &m, &err), &err);
    return m;
}

static void refuse(TestCtx *t, const char *text, const char *message)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    t->name = message;
    CHECK_INT(t, tml_load_text(text, "model", 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, message);
    tml_model_free(m);
    t->name = NULL;
}

static double param(const TmlTypeInfo *info, const void *data, const char *name)
{
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            return *(const double *)((const char *)data + p->offset);
        }
    }
    return (double)NAN;
}

/* Equal but for a few roundings. */
static void check_close(TestCtx *t, double got, double want)
{
    CHECK_NEAR(t, got / want, 1.0, 1e-14); // a few roundings of the mixing
}

/* --- shapes ------------------------------------------------------------------------------------- */

/* A new type needs no line here: its example is a model. */
TEST(every_shape_can_be_written)
{
    const TmlKey *axis;
    const TmlTypeInfo *s;
    for (int k = 0; (s = tml_written_shape(k, &axis)) != NULL; ++k) {
        char text[1024], more[256] = "";
        const char *example = s->example;
        t->name = s->name;
        if (strcmp(s->name, "mesh") == 0) {
            snprintf(more, sizeof more, "file: %s/tests/data/contact/slab.obj", test_source_dir());
            example = more;
        }
        for (const TmlParam *p = s->params; example == NULL && p->name != NULL; ++p) {
            const char *value = p->kind == TML_PARAM_VEC3 ? "[1, 2, 3]" : "0.5";
            const size_t n = strlen(more);
            if (p->standard == NULL) {
                snprintf(more + n, sizeof more - n, "%s%s: %s", n > 0 ? ", " : "", p->name, value);
            }
        }
        snprintf(text, sizeof text,
                 "trammel: 1\nmaterials: {steel: {young: 210 GPa}}\n"
                 "bodies: {b: {mass: 1, inertia: [1, 1, 1], shape: {%s: {%s, position: [1, 2, 3],\n"
                 "  rotation: {axis: z, angle: 90 deg}, color: red, name: own, group: g,\n"
                 "  material: steel}}}}\n",
                 s->name, example != NULL ? example : more);
        TmlModel *m = load(t, text);
        if (m != NULL && m->looks.n == 1) {
            CHECK_STR(t, m->looks.at[0].name, "b.own");
            CHECK_STR(t, m->looks.at[0].material, "steel");
        }
        CHECK(t, m != NULL && m->looks.n == 1);
        tml_model_free(m);
    }
    t->name = NULL;
}

/* z of the shape's own axes is its axis or normal; the place is from the centre of mass. */
TEST(shapes_stand_where_they_are_said)
{
    TmlModel *m = load(t, "trammel: 1\nparameters: {R: 20 mm}\n"
                          "ground: {shape: {half_space: {normal: y, position: [0, -1, 0]}}}\n"
                          "bodies: {b: {mass: 1, inertia: [1, 1, 1], cm: [0, 0, 1],\n"
                          "  shape: [{cylinder: {radius: R, length: 2*R, position: [0, 0, 3]}},\n"
                          "          {cylinder: {radius: R, length: 1, axis: [0, 3, 4]}}]}}\n");
    if (m == NULL) {
        return;
    }
    const TmlBody *b = &m->bodies.at[1], *ground = &m->bodies.at[TML_GROUND];
    const TmlBodyShape *s = &m->looks.at[b->shape0], *plane = &m->looks.at[ground->shape0];
    CHECK(t, b->n_shapes == 2 && ground->n_shapes == 1);
    CHECK_NEAR(t, plane->place.A.cz.y, 1.0, 0.0);
    CHECK_NEAR(t, plane->place.r.y, -1.0, 0.0);
    CHECK_NEAR(t, s[0].place.A.cz.x, 1.0, 0.0); // along x when nothing is said
    CHECK_NEAR(t, s[0].place.r.z, 2.0, 0.0);
    CHECK_NEAR(t, param(&s[0].shape.type->info, s[0].shape.data, "length"), 0.04, 0.0);
    CHECK_NEAR(t, s[1].place.A.cz.y, 0.6, 2e-16); // one rounding
    tml_model_free(m);
}

TEST(wrong_shapes_are_named)
{
    static const struct {
        const char *shape, *message;
    } wrong[] = {
        {"{spere: {radius: 1}}",
         "model:2:51: body 'b': unknown shape 'spere'; did you mean 'sphere'?"},
        {"{sphere: {radus: 1}}", "unknown key 'radus'; did you mean 'radius'?"},
        {"{sphere: {}}", "missing key 'radius' (m)"},
        {"{sphere: {radius: -1}}", "radius must be greater than 0"},
        {"{sphere: {radius: 2 kg}}", "radius"},
        {"{sphere: {radius: 1}, box: {size: [1, 1, 1]}}", "write several shapes as a list"},
        {"{box: {size: [1, 1]}}", "size"},
        {"{box: {size: [1, 1, -1]}}", "all three must be positive"},
        {"{box: {size: [1, 1, 1], axis: z}}", "unknown key 'axis'"},
        {"{box: {size: [1, 1, 1], points: edges}}", "points"},
        {"{link: {from: [0, 0, 0], to: [0, 0, 0], radius: 1}}", "the same point"},
        {"{hull: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1]]}}", "points with as many numbers each"},
        {"{hull: {vertices: [[0, 0], [1, 0], [0, 1], [1, 1]]}}", "three for each point"},
        {"{extrusion: {points: [[0, 0], [0, 1], [1, 0]], thickness: 1}}", "clockwise"},
        {"{sphere: {radius: 1, material: stel}}", "unknown material 'stel'; did you mean 'steel'?"},
        {"{mesh: {scale: 1}}", "missing key 'file'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[512];
        snprintf(text, sizeof text,
                 "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], shape: %s}}\n"
                 "materials: {steel: {young: 1e9}}\n",
                 wrong[k].shape);
        refuse(t, text, wrong[k].message);
    }
}

/* --- materials ---------------------------------------------------------------------------------- */

#define PAIR_OF_BALLS(a, b)                                                                        \
    "trammel: 1\n"                                                                                 \
    "materials:\n"                                                                                 \
    "  steel: {young: 200 GPa, poisson: 0, restitution: 0.9, friction: 0.2, static_friction: "     \
    "0.3}\n"                                                                                       \
    "  rubber: {young: 50 GPa, poisson: 0, restitution: 0.5, friction: 0.8, rolling: 1 mm}\n"      \
    "  ice: {restitution: 0.1}\n"                                                                  \
    "bodies:\n" BALL("a", "[0, 0, 0]", "{sphere: {radius: 1" a "}}")                               \
        BALL("b", "[3, 0, 0]", "{sphere: {radius: 1" b "}}")

/* What the entry does not say comes from the materials, by the rule for mixing. */
TEST(materials_give_the_numbers)
{
    TmlModel *m = load(
        t, PAIR_OF_BALLS(
               ", material: steel",
               ", material: rubber") "contacts: {c: {between: all, law: hertz, mixing: mean}}\n");
    if (m == NULL) {
        return;
    }
    const int k = tml_contact_of(m, 0, 1);
    CHECK(t, k >= 0 && k == tml_contact_of(m, 1, 0));
    const TmlContactLaw *law = tml_contact_law(m, k < 0 ? 0 : k, 0, 1);
    CHECK_STR(t, law->press->info.name, "hertz");
    check_close(t, param(&law->press->info, law->press_data, "modulus"), 40e9);
    check_close(t, param(&law->press->info, law->press_data, "restitution"), 0.7);
    CHECK(t, law->slip != NULL && law->roll != NULL);
    CHECK_STR(t, law->slip->info.name, "coulomb");
    check_close(t, param(&law->slip->info, law->slip_data, "dynamic"), 0.5);
    check_close(t, param(&law->slip->info, law->slip_data, "static"), 0.55);
    check_close(t, param(&law->roll->info, law->roll_data, "rolling"), 1e-3);
    tml_model_free(m);
}

TEST(entries_go_before_materials)
{
    TmlModel *m =
        load(t, PAIR_OF_BALLS(", material: steel",
                              ", material: rubber") "contacts: {c: {between: [a, b], law: "
                                                    "hunt_crossley, stiffness: 1e6, damping: 0.1,\n"
                                                    "               friction: {law: coulomb, "
                                                    "dynamic: 0.6}, rolling: none}}\n");
    if (m == NULL) {
        return;
    }
    const TmlContactLaw *law = tml_contact_law(m, 0, 1, 0);
    CHECK_NEAR(t, param(&law->press->info, law->press_data, "restitution"), 1.0, 0.0);
    CHECK_NEAR(t, param(&law->press->info, law->press_data, "damping"), 0.1, 0.0);
    CHECK_NEAR(t, param(&law->slip->info, law->slip_data, "dynamic"), 0.6, 0.0);
    CHECK_NEAR(t, param(&law->slip->info, law->slip_data, "static"), 0.0, 0.0); // as dynamic
    CHECK(t, law->roll == NULL);
    tml_model_free(m);
    m = load(t, PAIR_OF_BALLS(", material: steel",
                              "") "contacts: {c: {between: all, law: hertz, friction: none}}\n");
    if (m != NULL) { // the material that is missing is taken for the same
        law = tml_contact_law(m, 0, 0, 1);
        CHECK(t, law->slip == NULL);
        check_close(t, param(&law->press->info, law->press_data, "modulus"), 100e9);
    }
    tml_model_free(m);
}

TEST(materials_that_lack_a_number_are_named)
{
    refuse(t,
           PAIR_OF_BALLS(", material: ice",
                         ", material: ice") "contacts: {c: {between: all, law: hertz}}\n",
           "contact 'c': hertz: ");
    refuse(t,
           PAIR_OF_BALLS(", material: ice",
                         ", material: ice") "contacts: {c: {between: all, law: hertz}}\n",
           "must be given (material 'ice')");
    refuse(t,
           PAIR_OF_BALLS("", "") "contacts: {c: {between: all, law: linear, stiffness: 1e6, "
                                 "friction: {law: coulomb}}}\n",
           "friction: 'dynamic' (coefficient of friction in sliding) is needed and not given; the "
           "shapes have no material");
    refuse(t,
           PAIR_OF_BALLS("", ", material: ice") "contacts: {c: {between: all, law: linear, "
                                                "stiffness: 1e6, friction: {}}}\n",
           "nor does the material 'ice'");
    refuse(t, "trammel: 1\nmaterials: {m: {restitution: 1.5}}\n", "restitution");
    refuse(t, "trammel: 1\nmaterials: {m: {friction: 0.5, static_friction: 0.4}}\n",
           "static friction");
    refuse(t, "trammel: 1\nmaterials: {m: {yong: 1}}\n",
           "unknown key 'yong'; did you mean 'young'?");
}

/* --- entries ------------------------------------------------------------------------------------ */

#define SCENE                                                                                      \
    "trammel: 1\n"                                                                                 \
    "ground: {shape: [{half_space: {name: floor}}, {half_space: {name: wall, normal: x}}]}\n"      \
    "bodies:\n" BALL("a", "[0, 0, 3]", "{sphere: {radius: 1, group: balls}}")                      \
        BALL("b", "[3, 0, 3]", "{sphere: {radius: 1, group: balls}}")                              \
            BALL("c", "[6, 0, 3]", "{torus: {radius: 1, tube_radius: 0.1}}")                       \
                BALL("d", "[9, 0, 3]",                                                             \
                     "{box: {size: [1, 1, 1]}}") "joints: {pin: {type: revolute, bodies: [a, c], " \
                                                 "at: [3, 0, 0], axis: y}}\n"

TEST(wrong_entries_are_named)
{
    static const struct {
        const char *entries, *message;
    } wrong[] = {
        {"k: {between: [a, b], law: linaer}",
         "unknown law of contact 'linaer'; did you mean 'linear'?"},
        {"k: {between: [a, b]}", "contact 'k': missing key 'law'"},
        {"k: {between: [a, b], law: linear}", "stiffness"},
        {"k: {between: [a, b], law: linear, stifness: 1}",
         "unknown key 'stifness'; did you mean 'stiffness'?"},
        {"k: {between: [a, b], law: linear, stiffness: 1 kg}", "stiffness"},
        {"k: {between: [a, bals], law: linear, stiffness: 1}",
         "unknown body, shape or group 'bals'; did you mean 'balls'?"},
        {"k: {between: [a], law: linear, stiffness: 1}", "all, or two bodies, shapes or groups"},
        {"k: {between: [a, a], law: linear, stiffness: 1}",
         "one body, 'a', which does not touch itself"},
        {"k: {between: [ground.floor, ground.wall], law: linear, stiffness: 1}",
         "belong to the ground ('ground.floor', 'ground.wall')"},
        {"k: {between: [a, c], law: linear, stiffness: 1}", "neighbours: true"},
        {"k: {between: [b, c], law: linear, stiffness: 1, friction: {law: colomb}}",
         "unknown law of friction 'colomb'; did you mean 'coulomb'?"},
        {"k: {between: [b, c], law: linear, stiffness: 1, friction: 0.3}",
         "friction: expected none, or a map"},
        {"k: {between: [b, c], law: linear, stiffness: 1, mixing: least}", "mixing"},
        {"k: {between: [a, b], law: linear, stiffness: 1, acts: third}",
         "acts: expected one of middle|first|second, got 'third'"},
        {"k: {between: all, law: linear, stiffness: 1, foundation: 1, acts: first}",
         "is on both sides of 'between', so that there is no first and no second"},
        {"k: {between: [c, d], law: linear, stiffness: 1, foundation: 1}",
         "cannot touch; take other shapes, or leave the pair out"},
        {"k: {between: [d, ground], law: linear, stiffness: 1}", "foundation"},
        {"k: {between: [d, ground], law: hertz, young: 1e9}",
         "'d' (box) and 'ground.floor' (half_space): "},
        {"k: {between: [a, b], law: linear, stiffness: 1},\n           l: {between: [b, a], law: "
         "linear, stiffness: 2}",
         "model:10:12: contact 'l': it names 'a' and 'b' as precisely as the contact 'k' does"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[2048];
        snprintf(text, sizeof text, SCENE "contacts: {%s}\n", wrong[k].entries);
        refuse(t, text, wrong[k].message);
    }
}

/* The more precise entry holds; none leaves a pair out; neighbours do not touch unless asked. */
TEST(the_most_precise_entry_holds)
{
    TmlModel *m =
        load(t, SCENE "contacts:\n"
                      "  any: {between: all, law: linear, stiffness: 1, foundation: 1}\n"
                      "  group: {between: [balls, all], law: linear, stiffness: 2, foundation: 1}\n"
                      "  bodies: {between: [a, ground], law: linear, stiffness: 3}\n"
                      "  shapes: {between: [a, ground.wall], law: linear, stiffness: 4}\n"
                      "  never: {between: [c, d], law: none}\n");
    static const struct {
        const char *first, *second;
        double stiffness; /* 0: no contact */
    } expected[] = {
        {"c", "ground.floor", 1}, {"a", "b", 2}, {"b", "c", 2}, {"a", "ground.floor", 3},
        {"a", "ground.wall", 4},  {"c", "d", 0}, {"a", "c", 0}, // a joint
    };
    for (size_t k = 0; m != NULL && k < sizeof expected / sizeof *expected; ++k) {
        int at[2] = {-1, -1};
        for (int s = 0; s < m->shapes.n; ++s) {
            at[0] = strcmp(m->shapes.at[s].name, expected[k].first) == 0 ? s : at[0];
            at[1] = strcmp(m->shapes.at[s].name, expected[k].second) == 0 ? s : at[1];
        }
        t->name = expected[k].second;
        CHECK(t, at[0] >= 0 && at[1] >= 0);
        const int c = tml_contact_of(m, at[0], at[1]);
        const TmlContactLaw *law = c >= 0 ? &m->contacts.at[c].law : NULL;
        CHECK_NEAR(t, law != NULL ? param(&law->press->info, law->press_data, "stiffness") : 0.0,
                   expected[k].stiffness, 0.0);
    }
    t->name = NULL;
    tml_model_free(m);
}

/* Shapes that nothing names are pictures: a mesh among them may be open, and its file may be anywhere. */
TEST(pictures_are_not_checked_as_solids)
{
    TmlModel *m = load(
        t, "trammel: 1\nbodies:\n" BALL("a", "x", "{sphere: {radius: 1}}")
               BALL("b", "y", "{sphere: {radius: 1}}")
                   BALL("c", "z", "{mesh: {file: nowhere.stl}}") "contacts: {k: {between: [a, b], "
                                                                 "law: linear, stiffness: 1}}\n");
    CHECK(t, m != NULL && m->shapes.n == 2 && m->looks.n == 3);
    tml_model_free(m);
    refuse(t,
           "trammel: 1\nbodies:\n" BALL("a", "x", "{sphere: {radius: 1}}")
               BALL("c", "z", "{mesh: {file: nowhere.stl}}") "contacts: {k: {between: all, law: "
                                                             "linear, stiffness: 1}}\n",
           "body 'c': shape: mesh: ");
}

TEST(points_that_touch_are_told)
{
    TmlModel *m = load(t, "trammel: 1\nground: {shape: {half_space: {}}}\n"
                          "bodies: {p: {type: point, mass: 1, shape: {sphere: {radius: 1}}}}\n"
                          "contacts: {k: {between: all, law: linear, stiffness: 1}}\n");
    CHECK(t, m != NULL && m->warnings.n == 1);
    if (m != NULL && m->warnings.n == 1) {
        CHECK_HAS(t, m->warnings.at[0], "a point body never rotates");
    }
    tml_model_free(m);
}

/* Of many points one warning speaks, with their number. */
TEST(points_that_touch_are_counted)
{
    TmlModel *m = load(
        t,
        "trammel: 1\nground: {shape: {half_space: {}}}\n"
        "bodies:\n  for i in 1..3:\n"
        "    \"p{i}\": {type: point, mass: 1, position: [i, 0, 2], shape: {sphere: {radius: 1}}}\n"
        "contacts: {k: {between: all, law: linear, stiffness: 1}}\n");
    CHECK(t, m != NULL && m->warnings.n == 1);
    if (m != NULL && m->warnings.n == 1) {
        CHECK_HAS(t, m->warnings.at[0], "body 'p1'");
        CHECK_HAS(t, m->warnings.at[0], "the same holds for 2 more bodies");
    }
    tml_model_free(m);
}

/* Who says that a point does not roll is not told so. */
TEST(points_that_are_meant_not_to_roll)
{
    TmlModel *m =
        load(t, "trammel: 1\nground: {shape: {half_space: {}}}\n"
                "bodies:\n  p: {type: point, mass: 1, shape: {sphere: {radius: 1, rolls: false}}}\n"
                "  q: {type: point, mass: 1, position: [3, 0, 0], shape: {sphere: {radius: 1, "
                "rolls: true}}}\n"
                "contacts: {k: {between: all, law: linear, stiffness: 1}}\n");
    CHECK(t, m != NULL && m->warnings.n == 1);
    if (m != NULL && m->warnings.n == 1) {
        CHECK_HAS(t, m->warnings.at[0], "body 'q'");
        CHECK(t, strstr(m->warnings.at[0], "the same holds") == NULL);
    }
    tml_model_free(m);
    refuse(t,
           "trammel: 1\nbodies: {p: {type: point, mass: 1, shape: {sphere: {radius: 1, rolls: "
           "often}}}}\n",
           "rolls");
}

/* A coefficient of damping that has no place to act is told, once for an entry; one that has is not. */
TEST(damping_that_does_nothing_is_told)
{
    static const struct {
        const char *shape, *law, *says;
    } set[] = {
        {"box: {size: [1, 1, 1]}", "law: linear, foundation: 1e8, damping: 20", "press over areas"},
        {"box: {size: [1, 1, 1]}", "law: power, foundation: 1e8, damping: 20", "press over areas"},
        {"sphere: {radius: 1}", "law: linear, stiffness: 1e6, foundation_damping: 20",
         "touch at points"},
        {"box: {size: [1, 1, 1]}", "law: linear, foundation: 1e8, foundation_damping: 20", NULL},
        {"box: {size: [1, 1, 1]}", "law: linear, foundation: 1e8", NULL},
        {"box: {size: [1, 1, 1], points: corners}", "law: linear, stiffness: 1e6, damping: 20",
         NULL},
        {"box: {size: [1, 1, 1]}", "law: hunt_crossley, foundation: 1e8, damping: 20", NULL},
        {"sphere: {radius: 1}", "law: linear, stiffness: 1e6, damping: 20, foundation: 1e8", NULL},
    };
    for (size_t k = 0; k < sizeof set / sizeof *set; ++k) {
        char text[1024];
        snprintf(text, sizeof text,
                 "trammel: 1\nground: {shape: {half_space: {}}}\nbodies:\n"
                 "  a: {mass: 1, inertia: [1, 1, 1], shape: {%s}}\n"
                 "  b: {mass: 1, inertia: [1, 1, 1], position: [9, 0, 0], shape: {%s}}\n"
                 "contacts: {k: {between: all, %s}}\n",
                 set[k].shape, set[k].shape, set[k].law);
        TmlModel *m = load(t, text);
        t->name = set[k].law;
        CHECK(t, m != NULL && m->warnings.n == (set[k].says != NULL));
        if (m != NULL && m->warnings.n == 1 && set[k].says != NULL) {
            CHECK_HAS(t, m->warnings.at[0], set[k].says);
        }
        tml_model_free(m);
    }
    t->name = NULL;
}

/* Pieces of a model may come in any order: entries are read when all shapes are there. */
TEST(entries_wait_for_all_shapes)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_OK(
        t,
        tml_model_add(m, "contacts: {k: {between: [a, ground], law: linear, stiffness: 1}}", &err),
        &err);
    CHECK_OK(
        t,
        tml_model_add(m, "bodies: {a: {mass: 1, inertia: [1, 1, 1], shape: {sphere: {radius: 1}}}}",
                      &err),
        &err);
    CHECK_OK(t, tml_model_add(m, "ground: {shape: {half_space: {}}}", &err), &err);
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    CHECK(t, m->shapes.n == 2 && m->contacts.n == 1);
    tml_model_free(m);
}

/* A loop of a hundred balls, with names of its own in shapes and contacts. */
TEST(a_hundred_balls)
{
    TmlModel *m =
        load(t, "trammel: 1\nparameters: {N: 100, r: 1 cm}\n"
                "ground: {shape: {half_space: {group: floor}}}\n"
                "bodies:\n  for i in 1..N:\n"
                "    \"ball{i}\": {mass: 1, inertia: [1, 1, 1], position: [\"3*i*r\", 0, 1],\n"
                "                shape: {sphere: {radius: r*(1 + i/1000), name: \"skin{i}\",\n"
                "                        group: balls}}}\n"
                "contacts:\n"
                "  balls: {between: [balls, balls], law: linear, stiffness: 1}\n"
                "  for i in 1..N:\n"
                "    \"floor{i}\": {between: [\"ball{i}.skin{i}\", floor], law: linear, stiffness: "
                "1 + i}\n");
    CHECK(t, m != NULL && m->shapes.n == 101 && m->contacts.n == 101);
    if (m != NULL && m->shapes.n == 101) {
        const TmlBodyShape *last = &m->shapes.at[99];
        CHECK_STR(t, last->name, "ball100.skin100");
        CHECK_NEAR(t, param(&last->shape.type->info, last->shape.data, "radius"), 0.011,
                   1e-17); // rounding
        const TmlContactLaw *law = &m->contacts.at[tml_contact_of(m, 99, 100)].law;
        CHECK_NEAR(t, param(&law->press->info, law->press_data, "stiffness"), 101.0, 0.0);
        CHECK_STR(t, m->contacts.at[tml_contact_of(m, 3, 50)].name, "balls");
    }
    tml_model_free(m);
}

TEST_SUITE(contact_read) = {CASE(every_shape_can_be_written),
                            CASE(shapes_stand_where_they_are_said),
                            CASE(wrong_shapes_are_named),
                            CASE(materials_give_the_numbers),
                            CASE(entries_go_before_materials),
                            CASE(materials_that_lack_a_number_are_named),
                            CASE(wrong_entries_are_named),
                            CASE(the_most_precise_entry_holds),
                            CASE(pictures_are_not_checked_as_solids),
                            CASE(points_that_touch_are_told),
                            CASE(points_that_touch_are_counted),
                            CASE(points_that_are_meant_not_to_roll),
                            CASE(damping_that_does_nothing_is_told),
                            CASE(entries_wait_for_all_shapes),
                            CASE(a_hundred_balls),
                            {0}};
