/* tests/io/test_frame_read.c - frames of beams from their description. */
#include "test.h"

#include "io/load/yaml.h"
#include "io/part/frame_read.h"
#include "reduce/assemble.h"

/* Reads a frame; the messages are in the error when there are any. */
static TmlStatus read_text(const char *text, TmlFeMesh *mesh, TmlError *err)
{
    TmlArena arena = {0};
    TmlReport report = {.arena = &arena, .limit = 50};
    TmlValue *root = NULL;
    *err = (TmlError){0};
    *mesh = (TmlFeMesh){0};
    TmlStatus status = tml_yaml_parse(text, strlen(text), "part.yaml", &arena, &report, &root, err);
    if (status == TML_OK && root != NULL) {
        status = tml_frame_read(root, &report, mesh, err);
    }
    status = status == TML_OK ? tml_report_status(&report, err) : status;
    tml_arena_free(&arena);
    return status;
}

static const TmlFeSet *find_set(int n, const TmlFeSet *sets, const char *name)
{
    for (int k = 0; k < n; ++k) {
        if (strcmp(sets[k].name, name) == 0) {
            return &sets[k];
        }
    }
    return NULL;
}

TEST(a_frame)
{
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(t,
             read_text("nodes: {A: [0, 0, 0], 7: [1 m, 0, 0], C: [1000 mm, 1, 0]}\n"
                       "sections:\n"
                       "  bar: {rectangle: [60 mm, 40 mm], up: -z}\n"
                       "  rod: {tube: {radius: 0.01}}\n"
                       "  hollow: {box: [0.06, 0.04, 0.002], up: [0, 0, 1]}\n"
                       "  own: {area: 1e-3, Iy: 1e-7, Iz: 1e-7, J: 1e-7}\n"
                       "members:\n"
                       "  - {nodes: [A, 7, C], section: bar, elements: 3}\n"
                       "  - {nodes: [C, A], section: rod}\n",
                       &mesh, &err),
             &err);
    CHECK_INT(t, mesh.n_nodes, 7);
    CHECK_INT(t, mesh.n_elements, 7);
    CHECK_INT(t, mesh.id[1], 7);
    CHECK_NEAR(t, mesh.x[2].x, 1.0, 0.0);               // a unit is exact here
    CHECK_NEAR(t, mesh.section[0].area, 0.0024, 1e-18); // rounding
    CHECK_NEAR(t, mesh.section[0].up.z, -1.0, 0.0);     // read exactly
    CHECK(t, isinf(mesh.section[3].shear_y));
    const TmlFeSet *c = find_set(mesh.n_node_sets, mesh.node_set, "C");
    const TmlFeSet *bar = find_set(mesh.n_element_sets, mesh.element_set, "bar");
    CHECK(t, c != NULL && c->n == 1 && c->at[0] == 2);
    CHECK(t, bar != NULL && bar->n == 6);
    CHECK_INT(t, mesh.element[6].section, 1);
    CHECK_OK(t, tml_fe_check_pieces(&mesh, 0, NULL, &err), &err);
    tml_fe_mesh_free(&mesh);
}

static const struct {
    const char *text, *message;
} refused[] = {
    {"nodes: {A: [0, 0]}\n", "part.yaml:1:12: a node: expected a list of 3 numbers"},
    {"nodes: {A: [0, 0, 2 kg]}\n", "a node: the unit does not fit: it is measured in m"},
    {"nodes: {A: [0, 0, 0]}\n", "expected sections"},
    {"node: {A: [0, 0, 0]}\n", "frame has no 'node'; did you mean 'nodes'?"},
    {"nodes: {A: [0, 0, 0]}\nsections: {s: {rectangle: [1, 2]}}\n", "is not round needs up"},
    {"nodes: {A: [0, 0, 0]}\nsections: {s: {tube: {radius: 1, wall: 2}}}\n",
     "walls thinner than the section"},
    {"nodes: {A: [0, 0, 0]}\nsections: {s: {tube: {radius: -1}}}\n", "radius must be positive"},
    {"nodes: {A: [0, 0, 0]}\nsections: {s: {area: 1, tube: {radius: 1}}}\n",
     "a section has one of"},
    {"nodes: {A: [0, 0, 0], B: [1, 0, 0]}\nsections: {s: {tube: {radius: 1}}}\n"
     "members: [{nodes: [A, X], section: s}]\n",
     "there is no node of this name"},
    {"nodes: {A: [0, 0, 0], B: [1, 0, 0]}\nsections: {s: {tube: {radius: 1}}}\n"
     "members: [{nodes: [A, B], section: q}]\n",
     "there is no section of this name"},
    {"nodes: {A: [0, 0, 0], B: [1, 0, 0]}\nsections: {s: {tube: {radius: 1}}}\n"
     "members: [{nodes: [A, B], section: s, elements: 1.5}]\n",
     "a whole number"},
    {"nodes: {A: [0, 0, 0], B: [1, 0, 0]}\nsections: {s: {tube: {radius: 1}}}\n"
     "members: [{nodes: [A, B], section: s}, {nodes: [B, A], section: s}]\n",
     "it would be there twice"},
};

TEST(wrong_frames)
{
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k) {
        TmlFeMesh mesh;
        TmlError err;
        t->name = refused[k].message;
        CHECK(t, read_text(refused[k].text, &mesh, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, refused[k].message);
        tml_fe_mesh_free(&mesh);
    }
}

TEST_SUITE(frame_read) = {CASE(a_frame), CASE(wrong_frames), {0}};
