/* tests/io/test_part_yaml.c - descriptions of parts: what they choose, and what is wrong with them. */
#include "io/part/description/part_read.h"
#include "test.h"
#include "trammel/part.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A bar of beams along x with a cross bar, by which all sources but meshes of solids can be tested. */
#define BEAMS                                                                                      \
    "beams:\n"                                                                                     \
    "  nodes: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 0.5, 0]}\n"                                      \
    "  sections: {bar: {rectangle: [60 mm, 40 mm], up: z}}\n"                                      \
    "  members:\n"                                                                                 \
    "    - {nodes: [A, B], section: bar, elements: 6}\n"                                           \
    "    - {nodes: [B, C], section: bar, elements: 3}\n"                                           \
    "material: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}\n"

static const char *scratch(const char *name, const char *text)
{
    static char path[2][512];
    static int turn;
    char *p = path[turn++ % 2];
    snprintf(p, sizeof path[0], "%s/part-yaml-%d-%s", TRAMMEL_BINARY_DIR, (int)getpid(), name);
    FILE *f = fopen(p, "w");
    fputs(text, f);
    fclose(f);
    return p;
}

/* Reads a description; messages in err. */
static TmlStatus read_text(const char *text, TmlPartRead *p, TmlError *err)
{
    const char *path = scratch("p.yaml", text);
    const TmlStatus status = tml_part_read_file(path, NULL, p, err);
    unlink(path);
    return status;
}

typedef struct Bad {
    const char *text, *message;
} Bad;

TEST(wrong_descriptions)
{
    static const Bad bad[] = {
        {"", "expected one of the keys 'mesh', 'matrices' and 'beams'"},
        {BEAMS, "missing key 'part'"},
        {"part: p\nmesh: a.msh\n" BEAMS, "expected one of the keys"},
        {"part: p\nmesh: nothing.msh\n", "nothing.msh"},
        {"part: p\nmaterail: {}\n" BEAMS, "unknown key 'materail'; did you mean 'material'?"},
        {"part: p\n" BEAMS "interfaces: {I: {set: Z}}\n", "unknown set of nodes 'Z'"},
        {"part: p\n" BEAMS "interfaces: {I: {node: 99}}\n", "node: there is no node 99"},
        {"part: p\n" BEAMS "interfaces: {I: {box: [[5, 5, 5], [6, 6, 6]]}}\n",
         "no node of the part lies there"},
        {"part: p\n" BEAMS "interfaces: {I: {box: [1, 2]}}\n", "box: expected"},
        {"part: p\n" BEAMS "interfaces: {I: {}}\n",
         "expected 'set', 'nodes', 'node', 'box' or 'near'"},
        {"part: p\n" BEAMS "interfaces: {I: {near: [0, 0, 0]}}\n", "missing key 'distance'"},
        {"part: p\n" BEAMS "interfaces: {I: {near: [0, 0, 0], distance: [2, 1]}}\n",
         "must be larger"},
        {"part: p\n" BEAMS "interfaces: {I: {set: A, tie: glue}}\n", "glue"},
        {"part: p\n" BEAMS "interfaces: {I: {set: A, at: [1, 1, 1]}}\n",
         "the frame of a node is at the node"},
        {"part: p\n" BEAMS "frame: J\ninterfaces: {I: {set: A}}\n", "unknown interface 'J'"},
        {"part: p\n" BEAMS "modes: -2\n", "must not be negative"},
        {"part: p\n" BEAMS "modes: {method: guess}\n", "guess"},
        {"part: p\n" BEAMS "modes: {up_to: 3 kg}\n", "up_to"},
        {"part: p\n" BEAMS "damping: -0.1\n", "damping must not be negative"},
        {"part: p\n" BEAMS "damping: {ratio: 0.1, mass: 2}\n", "expected 'ratio', or 'table'"},
        {"part: p\n" BEAMS "damping: {table: [[10, 0.1], [5, 0.2]]}\n", "frequencies must rise"},
        {"part: p\n" BEAMS "keep: {tip: 99}\n", "there is no node 99"},
        {"part: p\n" BEAMS "keep: {I: 2}\ninterfaces: {I: {set: A}}\n",
         "an interface has that name"},
        {"part: p\n" BEAMS "stiffening: {loads: {g: {force: [1, 0, 0]}}}\n",
         "'interface' goes with"},
        {"part: p\n" BEAMS "stiffening: {loads: {g: {held: Q}}}\ninterfaces: {I: {set: A}}\n",
         "unknown interface 'Q'"},
        {"part: p\n" BEAMS "loads: [1]\n", "loads"},
        {"part: p\n" BEAMS "loads: {g: {}}\n",
         "expected one of 'acceleration', 'interface' and nodes"},
        {"part: p\n" BEAMS "loads: {g: {node: 1, acceleration: [1, 0, 0]}}\n",
         "loads that act together are a list"},
        {"part: p\n" BEAMS "loads: {g: {node: 1}}\n", "nodes go with either 'force'"},
        {"part: p\n" BEAMS "loads: {g: {node: 1, torque: [1, 0, 0]}}\n",
         "a torque needs an interface"},
        {"part: p\n" BEAMS "loads: {g: [{node: 99, force: [1, 0, 0]}]}\n", "there is no node 99"},
        {"part: p\n" BEAMS "loads: {g: {set: A, pressure: 1 MPa}}\n", "no outer face of the mesh"},
        {"part: p\n" BEAMS "loads: {g: {set: A, pressure: 1 kg}}\n", "pressure"},
        {"part: p\n" BEAMS "loads: {g: {interface: Q, force: [1, 0, 0]}}\n", "Q"},
        {"part: p\n" BEAMS "interfaces: {I: {set: A}}\nloads: {g: {interface: I}}\n",
         "'interface' goes with 'force', 'torque' or both"},
        {"part: p\n" BEAMS "loads: {g: {acceleration: [1, 0, 0], force: [1, 0, 0]}}\n",
         "write a list of loads"},
        {"part: p\n" BEAMS "loads: {g: {node: 1, forse: [1, 0, 0]}}\n", "did you mean 'force'?"},
        {"part: p\nmatrices: {stiffness: K.mtx}\n", "missing key 'mass'"},
        {"part: p\n" BEAMS "scale: 1 mm\n", "scale: does not go with 'beams'"},
        {"part: p\nmatrices: {}\nmaterial: {}\n", "material: does not go with 'matrices'"},
        {"part: p\n" BEAMS "nodes: some\n", "some"},
        {"part: p\n" BEAMS "stresses: perhaps\n", "perhaps"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlPartRead p;
        TmlError err = {0};
        t->name = bad[k].text;
        CHECK(t, read_text(bad[k].text, &p, &err) != TML_OK);
        CHECK_HAS(t, err.message, bad[k].message);
        tml_part_read_free(&p);
    }
    t->name = NULL;
}

/* Places of messages are file, line and column. */
TEST(places_are_told)
{
    TmlPartRead p;
    TmlError err = {0};
    CHECK_INT(
        t,
        read_text("part: p\n" BEAMS "interfaces:\n  I: {set: A, size: 3}\ndamping: x1\n", &p, &err),
        TML_E_MODEL);
    CHECK_HAS(t, err.message, "p.yaml:11:");
    CHECK_HAS(t, err.message, "p.yaml:10:15: interface 'I': unknown key 'size'");
    tml_part_read_free(&p);
}

static int count_of(TestCtx *t, const char *interface)
{
    char text[2048];
    TmlPartRead p;
    TmlError err = {0};
    snprintf(text, sizeof text, "part: p\nparameters: {d: 0.2}\n" BEAMS "interfaces: {I: %s}\n",
             interface);
    t->name = interface;
    CHECK_OK(t, read_text(text, &p, &err), &err);
    const int n = p.o.n_interfaces == 1 ? p.o.interface[0].n : -1;
    tml_part_read_free(&p);
    t->name = NULL;
    return n;
}

/* Nodes by set, number, box, distance from a point and from an axis, and by several together. */
TEST(choice_of_nodes)
{
    CHECK_INT(t, count_of(t, "{set: A}"), 1);
    CHECK_INT(t, count_of(t, "{box: [[0, 0, 0], [0.5, 0, 0]]}"), 4); // 0, 1/6, 2/6, 3/6
    CHECK_INT(t, count_of(t, "{box: [[500 mm, 1, 1], [0, -1, -1]]}"), 4);
    CHECK_INT(t, count_of(t, "{near: [0, 0, 0], distance: d}"), 2);
    CHECK_INT(t, count_of(t, "{near: [0, 0, 0], distance: [100 mm, 0.4]}"), 2);
    CHECK_INT(t, count_of(t, "{near: [0, 0, 0], axis: x, distance: 1 mm}"), 7);
    CHECK_INT(t, count_of(t, "{near: [0, 0, 0], axis: x, distance: 1 mm, length: [0.3, 0.7]}"), 3);
    CHECK_INT(
        t,
        count_of(t, "{near: [1, 0, 0], axis: y, distance: 1 mm, box: [[0, 0.1, -1], [2, 1, 1]]}"),
        3);
}

/* The whole way of a frame of beams: units, parameters, a node that turns, mass and first frequency. */
TEST(frame_of_beams)
{
    const char *path = scratch("p.yaml", "part: angle\nparameters: {n: 6}\n" BEAMS
                                         "interfaces: {I: {set: A}, J: {set: C}}\nmodes: n\n"
                                         "frame: I\nkeep: {corner: 2}\nstiffening: {}\n");
    const char *name = "n", *value = "4";
    TmlReducedPart *part = NULL, *again = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_part_reduce(path, 1, &name, &value, &part, &err), &err);
    const TmlPartInfo info = tml_part_info(part);
    CHECK_STR(t, info.name, "angle");
    CHECK_INT(t, info.fixed_modes, 4);
    CHECK_INT(t, info.modes, 6 + 4);
    CHECK_INT(t, info.frames, 3);
    CHECK(t, info.centrifugal);
    CHECK_NEAR(t, info.mass, 1.5 * 0.06 * 0.04 * 7850, 1e-9); // rounding of a sum over ten beams
    CHECK_NEAR(t, info.mesh_mass / info.mass, 1.0, 1e-12);    // the same
    CHECK_NEAR(t, info.centre.x, (0.5 * 1.0 + 1.0 * 0.5) / 1.5, 1e-12); // the same
    CHECK(t, tml_part_frame(part, 0).turns && tml_part_frame(part, 2).turns);
    CHECK_NEAR(t, tml_part_frame(part, 1).at.y, 0.5, 1e-14); // rounding
    CHECK_HAS(t, tml_part_note(part, 0), "damping is not given");
    CHECK_NEAR(t, tml_part_mode(part, 0).ratio, 0.01, 1e-14); // rounding
    const char *file = scratch("p.h5", "");
    CHECK_OK(t, tml_part_write(part, file, &err), &err);
    CHECK_OK(t, tml_part_read(file, &again, &err), &err);
    CHECK(t, tml_part_mode(again, 3).hertz == tml_part_mode(part, 3).hertz);
    CHECK(t, isnan(tml_part_info(again).mesh_mass));
    tml_part_free(again);
    tml_part_free(part);
    unlink(file);
    unlink(path);
}

TEST_SUITE(io_part_yaml) = {CASE(wrong_descriptions),
                            CASE(places_are_told),
                            CASE(choice_of_nodes),
                            CASE(frame_of_beams),
                            {0}};
