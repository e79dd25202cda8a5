/* tests/io/test_frame_read.c - frames of beams from their description. */
#include "test.h"

#include "io/load/yaml.h"
#include "io/part/frame_read.h"
#include "model/model.h"
#include "reduce/mesh/assemble.h"

/* Reads a frame; the messages are in the error when there are any. */
static TmlStatus read_text(const char *text, TmlFeMesh *mesh, TmlError *err)
{
    TmlModel *m = NULL;
    TmlValue *root = NULL;
    *err = (TmlError){0};
    *mesh = (TmlFeMesh){0};
    TmlStatus status = tml_model_create(&m, err);
    if (status != TML_OK) {
        return status;
    }
    TmlReader *r = m->reader;
    status = tml_yaml_parse(text, strlen(text), "part.yaml", &m->arena, &r->report, &root, err);
    if (status == TML_OK && root != NULL) {
        tml_read_parameters(r, tml_value_find(root, "parameters"), NULL);
        status = tml_frame_read(r, tml_value_find(root, "beams"), mesh, err);
    }
    status = status == TML_OK ? tml_report_status(&r->report, err) : status;
    tml_model_free(m);
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
             read_text("parameters: {L: 2 m}\n"
                       "beams:\n"
                       "  nodes: {A: [0, 0, 0], 7: [L/2, 0, 0], C: [1000 mm, 1, 0]}\n"
                       "  sections:\n"
                       "    bar: {rectangle: [60 mm, 40 mm], up: -z}\n"
                       "    rod: {tube: 0.01}\n"
                       "    pipe: {tube: [0.01, 2 mm], shear: [0.5, 0.5]}\n"
                       "    hollow: {box: [0.06, 0.04, 0.002], up: [0, 0, 1]}\n"
                       "    own: {area: 1e-3, Iy: 1e-7, Iz: 1e-7, J: 1e-7}\n"
                       "  members:\n"
                       "    - {nodes: [A, 7, C], section: bar, elements: 3}\n"
                       "    - {nodes: [C, A], section: rod}\n",
                       &mesh, &err),
             &err);
    CHECK_INT(t, mesh.n_nodes, 7);
    CHECK_INT(t, mesh.n_elements, 7);
    CHECK_INT(t, mesh.id[1], 7);
    CHECK_NEAR(t, mesh.x[1].x, 1.0, 0.0);               // a half is exact
    CHECK_NEAR(t, mesh.x[2].x, 1.0, 0.0);               // a unit is exact here
    CHECK_NEAR(t, mesh.section[0].area, 0.0024, 1e-18); // rounding
    CHECK_NEAR(t, mesh.section[0].up.z, -1.0, 0.0);     // read exactly
    CHECK_NEAR(t, mesh.section[2].shear_y, 0.5, 0.0);   // read exactly
    CHECK(t, isinf(mesh.section[4].shear_y));
    const TmlFeSet *c = find_set(mesh.n_node_sets, mesh.node_set, "C");
    const TmlFeSet *bar = find_set(mesh.n_element_sets, mesh.element_set, "bar");
    CHECK(t, c != NULL && c->n == 1 && c->at[0] == 2);
    CHECK(t, bar != NULL && bar->n == 6);
    CHECK_INT(t, mesh.element[6].section, 1);
    CHECK_OK(t, tml_fe_check_pieces(&mesh, 0, NULL, &err), &err);
    tml_fe_mesh_free(&mesh);
}

#define TWO "beams: {nodes: {A: [0, 0, 0], B: [1, 0, 0]}, sections: {s: {tube: 0.01}}, members: "

static const struct {
    const char *text, *message;
} refused[] = {
    {"beams: {nodes: {A: [0, 0]}}\n",
     "part.yaml:1:20: beams: a node: expected a list of three numbers"},
    {"beams: {nodes: {A: [0, 0, 2 kg]}}\n", "kg"},
    {"beams: {nodes: {A: [0, 0, 0]}}\n", "sections: expected names with cross sections"},
    {"beams: {node: {A: [0, 0, 0]}}\n", "did you mean 'nodes'?"},
    {"beams: {nodes: {A: [0, 0, 0]}, sections: {s: {rectangle: [1, 2]}}}\n", "missing key 'up'"},
    {"beams: {nodes: {A: [0, 0, 0]}, sections: {s: {tube: [1, 2]}}}\n", "walls are thicker"},
    {"beams: {nodes: {A: [0, 0, 0]}, sections: {s: {tube: -1}}}\n", "must be greater than 0"},
    {"beams: {nodes: {A: [0, 0, 0]}, sections: {s: {area: 1, tube: 1}}}\n",
     "expected one of the keys"},
    {"beams: {nodes: {A: [0, 0, 0]}, sections: {s: {area: 1}}}\n", "missing key 'Iy'"},
    {TWO "[{nodes: [A, X], section: s}]}\n", "there is no node of this name"},
    {TWO "[{nodes: [A, B], section: q}]}\n", "there is no section of this name"},
    {TWO "[{nodes: [A, B], section: s, elements: 0}]}\n", "elements: from 1 to 10000"},
    {TWO "[{nodes: [A, B], section: s}, {nodes: [B, A], section: s}]}\n",
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
