/* tests/io/test_mesh_read.c - meshes from Gmsh, Abaqus and CalculiX files: what is read, what is refused. */
#include "../robust/robust_util.h"

#include "io/part/mesh_read.h"
#include "reduce/mesh/assemble.h"
#include "reduce/mesh/fe_stress.h"
#include "reduce/mesh/mass_points.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of that name with that text; its path. */
static const char *write_file(const char *name, const char *text)
{
    static char path[4][4096];
    static int turn;
    char *at = path[turn++ % 4];
    snprintf(at, sizeof path[0], "%s/mesh_read_%d_%s", TRAMMEL_BINARY_DIR, (int)getpid(), name);
    FILE *f = fopen(at, "w");
    if (f != NULL) {
        fputs(text, f);
        fclose(f);
    }
    return at;
}

static TmlStatus read_text(const char *name, const char *text, TmlFeMesh *mesh, TmlError *err)
{
    const char *path = write_file(name, text);
    *err = (TmlError){0};
    const TmlStatus status = tml_fe_mesh_read(path, mesh, err);
    unlink(path);
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

static bool has_note(const TmlFeMesh *mesh, const char *part)
{
    for (int k = 0; k < mesh->n_notes; ++k) {
        if (strstr(mesh->note[k], part) != NULL) {
            return true;
        }
    }
    return false;
}

/* Two tetrahedra on a triangle, whose group is a surface. */
static const char *const msh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 5 \"foot\"\n3 1 \"whole body\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n4\n1 2 2 5 1 1 2 30\n2 4 2 1 1 1 2 30 4\n3 4 2 1 1 2 30 4 5\n"
    "4 15 2 0 1 1\n$EndElements\n";
static const char *const msh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 5 \"foot\"\n3 1 \"whole body\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 1\n1 0 0 0 0\n7 0 0 0 1 1 1 1 -5 0\n9 0 0 0 1 1 1 1 1 1 7\n$EndEntities\n"
    "$Nodes\n2 5 1 30\n2 7 0 3\n1\n2\n30\n0 0 0\n1 0 0\n0 1 0\n"
    "3 9 1 2\n4\n5\n0 0 1 0.1 0.2 0.3\n1 1 1 0.4 0.5 0.6\n$EndNodes\n"
    "$Elements\n2 3 1 3\n2 7 2 1\n1 1 2 30\n3 9 4 2\n2 1 2 30 4\n3 2 30 4 5\n$EndElements\n";

TEST(gmsh_both_versions)
{
    const char *const texts[2] = {msh2, msh4};
    for (int k = 0; k < 2; ++k) {
        TmlFeMesh mesh;
        TmlError err;
        CHECK_OK(t, read_text("a.msh", texts[k], &mesh, &err), &err);
        CHECK_INT(t, mesh.n_nodes, 5);
        CHECK_INT(t, mesh.id[2], 30);
        CHECK_NEAR(t, mesh.x[2].y, 1.0, 0.0); // read exactly
        CHECK_INT(t, mesh.n_elements, 2);
        CHECK_STR(t, mesh.element[1].type->name, "tet4");
        CHECK_INT(t, mesh.node[mesh.element[1].first + 1], 2);
        const TmlFeSet *foot = find_set(mesh.n_node_sets, mesh.node_set, "foot");
        const TmlFeSet *body = find_set(mesh.n_element_sets, mesh.element_set, "whole body");
        CHECK(t, foot != NULL && foot->n == 3 && foot->at[2] == 2);
        CHECK(t, body != NULL && body->n == 2 && body->at[1] == 1);
        CHECK(t, find_set(mesh.n_element_sets, mesh.element_set, "foot") == NULL);
        CHECK(t, has_note(&mesh, "surfaces are left out"));
        tml_fe_mesh_free(&mesh);
    }
}

/* Surfaces without any solid are shells; lines of their groups are still sets of nodes. */
TEST(gmsh_shells)
{
    static const char *const text =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 2 \"edge\"\n2 5 "
        "\"skin\"\n$EndPhysicalNames\n"
        "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n$EndNodes\n"
        "$Elements\n3\n1 1 2 2 1 1 4\n2 3 2 5 1 1 2 3 4\n3 2 2 5 1 2 5 3\n$EndElements\n";
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err;
    CHECK_OK(t, read_text("s.msh", text, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_elements, 2);
    if (mesh.n_elements == 2) {
        CHECK_STR(t, mesh.element[0].type->name, "shell4");
        CHECK_STR(t, mesh.element[1].type->name, "shell3");
    }
    const TmlFeSet *edge = find_set(mesh.n_node_sets, mesh.node_set, "edge");
    const TmlFeSet *skin = find_set(mesh.n_element_sets, mesh.element_set, "skin");
    CHECK(t, edge != NULL && edge->n == 2);
    CHECK(t, skin != NULL && skin->n == 2);
    mesh.n_materials = 1;
    mesh.material = tml_arena_alloc(&mesh.arena, 1, sizeof *mesh.material);
    mesh.material[0] = (TmlFeMaterial){"m", 2e11, 0.3, 7800};
    mesh.element[0].material = mesh.element[1].material = 0;
    CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message,
              "has no section: a description of the part gives shells a 'thickness'");
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* In version 2.2 an element stands once in each of its groups; it is one element. */
TEST(gmsh_element_of_two_groups)
{
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(
        t,
        read_text("b.msh",
                  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                  "4 0 0 1\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 2 1 1 2 3 4\n"
                  "$EndElements\n",
                  &mesh, &err),
        &err);
    CHECK_INT(t, mesh.n_elements, 1);
    const TmlFeSet *a = find_set(mesh.n_element_sets, mesh.element_set, "3:1");
    const TmlFeSet *b = find_set(mesh.n_element_sets, mesh.element_set, "3:2");
    CHECK(t, a != NULL && b != NULL && a->n == 1 && b->n == 1 && b->at[0] == 0);
    tml_fe_mesh_free(&mesh);
}

/* Nodes of elements of second order as Gmsh numbers them: on edges in its own order. */
TEST(gmsh_second_order)
{
    static const int tet[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
    static const int hex[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                   {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
    static const double tets[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int k = 0; k < 2; ++k) {
        const int corners = k == 0 ? 4 : 8, edges = k == 0 ? 6 : 12;
        const double(*x)[3] = k == 0 ? tets : cube;
        char text[4000];
        TmlFeMesh mesh;
        TmlError err;
        int n = snprintf(text, sizeof text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n",
                         corners + edges);
        for (int i = 0; i < corners + edges; ++i) {
            double at[3];
            for (int c = 0; c < 3; ++c) {
                const int *end = i >= corners ? (k == 0 ? tet : hex)[i - corners] : NULL;
                at[c] = end == NULL ? x[i][c] : 0.5 * (x[end[0]][c] + x[end[1]][c]);
            }
            n += snprintf(text + n, sizeof text - (size_t)n, "%d %g %g %g\n", i + 1, at[0], at[1],
                          at[2]);
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "$EndNodes\n$Elements\n1\n1 %d 0",
                      k == 0 ? 11 : 17);
        for (int i = 0; i < corners + edges; ++i) {
            n += snprintf(text + n, sizeof text - (size_t)n, " %d", i + 1);
        }
        snprintf(text + n, sizeof text - (size_t)n, "\n$EndElements\n");
        CHECK_OK(t, read_text("q.msh", text, &mesh, &err), &err);
        const TmlFeElementType *type = mesh.element[0].type;
        for (int i = corners; i < corners + edges; ++i) { // each lies in the middle of its own edge
            const int *end = type->edge[i - corners];
            const TmlVec3 p = mesh.x[mesh.node[i]], a = mesh.x[mesh.node[end[0]]];
            const TmlVec3 b = mesh.x[mesh.node[end[1]]];
            CHECK_NEAR(t, p.x, 0.5 * (a.x + b.x), 0.0); // halves are exact
            CHECK_NEAR(t, p.y, 0.5 * (a.y + b.y), 0.0);
            CHECK_NEAR(t, p.z, 0.5 * (a.z + b.z), 0.0);
        }
        // the order of Abaqus in a file of Gmsh is told
        const int node = mesh.node[corners + edges - 1];
        mesh.node[corners + edges - 1] = mesh.node[corners + edges - 2];
        mesh.node[corners + edges - 2] = node;
        TmlFeMaterial steel = {"steel", 2e11, 0.3, 7800};
        mesh.material = &steel;
        mesh.element[0].material = 0;
        CHECK(t, tml_fe_check(&mesh, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, "element 1");
        tml_fe_mesh_free(&mesh);
    }
}

/* Files that end anywhere are refused, and never make a smaller mesh in silence. */
TEST(gmsh_cut_short)
{
    const char *const texts[2] = {msh2, msh4};
    for (int k = 0; k < 2; ++k) {
        const size_t n = strlen(texts[k]);
        for (size_t at = 0; at + 1 < n; ++at) { // the last byte is an end of line
            char *cut = strndup(texts[k], at);
            TmlFeMesh mesh;
            TmlError err;
            const TmlStatus status = read_text("c.msh", cut, &mesh, &err);
            CHECK(t, status != TML_OK || mesh.n_elements == 0); // whole sections may be missing
            if (status != TML_OK) {
                CHECK_HAS(t, err.message, "c.msh:");
            }
            tml_fe_mesh_free(&mesh);
            free(cut);
        }
    }
}

static const struct {
    const char *name, *text, *message;
} refused[] = {
    {"d.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "version 4 of Gmsh's format is not read"},
    {"d.msh", "$MeshFormat\n2.2 1 8\n$EndMeshFormat\n", "the file is binary"},
    {"d.msh", "solid x\n", "a section that begins with $"},
    {"d.msh", "", "the file is empty"},
    {"d.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n",
     "d.msh:7: node 1 is given again: it was in line 6"},
    {"d.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
     "5 4 0 1 1 1 77\n$EndElements\n",
     "d.msh:10: element 5: there is no node 77"},
    {"d.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
     "5 12 0 1 1 1 77\n$EndElements\n",
     "hexahedron of 27 nodes"},
    {"d.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n$EndNodes\n",
     "d.msh:7: $Nodes: the number of a node should be here"},
    {"d.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 nan 0\n$EndNodes\n",
     "d.msh:6: $Nodes: a coordinate should be here"},
    {"e.inp", "*NODE\nx, 0, 0\n", "e.inp:2: *NODE: the number of a node should be a whole number"},
    {"e.inp", "*NODE\n1, 0, 0, zero\n", "e.inp:2: *NODE: a coordinate should be a number"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=S8R\n",
     "elements of type S8R are not read: write it as S4R"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=SPRING1\n", "belongs into the model"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=Q9\n",
     "elements of type Q9 are not read; known are"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1\n*NSET, NSET=A\n1\n",
     "e.inp:5: element 1 has 2 of 4 nodes"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1, 1, 1, 1\n",
     "e.inp:4: *ELEMENT: element 1 has more than 4 nodes"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*NSET, NSET=A\n1, 2\n", "set 'A': there is no node 2"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*NSET, NSET=A\nB\n", "neither a number nor a set"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*NODE\n1, 1, 0, 0\n", "node 1 is given again"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*CONNECTOR SECTION\n2\n",
     "e.inp:3: *CONNECTOR SECTION is not read, and might"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=../x.inp\n", "only files in this folder"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*PART, NAME=P\n", "the file ends within *PART"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELASTIC\n1, 0.3\n", "*ELASTIC stands before any *MATERIAL"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*MATERIAL, NAME=M\n*ELASTIC, TYPE=ORTHO\n1, 2\n",
     "only TYPE=ISOTROPIC"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*MATERIAL, NAME=M\n*DENSITY\n1, 20\n2, 100\n",
     "depends on temperature"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*SOLID SECTION, ELSET=E, MATERIAL=M\n", "no material 'M'"},
    {"e.inp",
     "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n1, 1, 2\n*SPRING, "
     "ELSET=S\n\n-4\n",
     "the rate must be positive"},
    {"e.inp", "*SPRING, ELSET=S, NONLINEAR\n\n1, 2\n", "NONLINEAR is not read"},
    {"e.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=MASS, ELSET=S\n1, 1\n*SPRING, ELSET=S\n\n4\n",
     "*SPRING: is not for the elements of set"},
    {"e.inp", "*NODE, NSET=A,\n1, 0, 0, 0\n", "does the line before end with a comma by mistake?"},
    {"e.inp", "1, 2, 3\n", "a keyword that begins with *"},
    {"e.inp", "", "the file has no nodes"},
    {"f.txt", "x", "ends with .msh or .inp"},
};

TEST(refused_files)
{
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k) {
        TmlFeMesh mesh;
        TmlError err;
        t->name = refused[k].message;
        CHECK(t, read_text(refused[k].name, refused[k].text, &mesh, &err) != TML_OK);
        CHECK_HAS(t, err.message, refused[k].message);
        tml_fe_mesh_free(&mesh);
    }
    TmlFeMesh mesh;
    TmlError err = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/mesh_read_%d.msh", TRAMMEL_BINARY_DIR, (int)getpid());
    CHECK_INT(t, mkfifo(path, 0600), 0);
    CHECK(t, tml_fe_mesh_read(path, &mesh, &err) == TML_E_IO);
    CHECK_HAS(t, err.message, "is a pipe or a device");
    tml_fe_mesh_free(&mesh);
    unlink(path);
}

static const char *const inp =
    "** two tetrahedra\n*Heading\n anything, at all\n"
    "*Node, nset=Nall\n1, 0., 0., 0.\n2, 1, 0, 0\n30, 0, 1d0, 0\n"
    "4, 0, 0, 1\r\n5, 1, 1, 1\n"
    "*Element, type=C3D4,\n elset=Eall\n1, 1, 2, 30, 4\n2, 2, 30,\n4, 5\n"
    "*ELEMENT, TYPE=CPS3, ELSET=Surface1\n100, 1, 2, 30\n"
    "*Nset, nset=Low, generate\n1, 29\n"
    "*Nset, nset=Mixed\nlow, 5,\n"
    "*Elset, elset=One\n2, 100\n"
    "*Material, name=Steel\n*Density\n 7850.,\n*Elastic\n 2.1e+11, 0.3\n*Plastic\n"
    "250e6, 0.\n"
    "*Solid Section, elset=EALL, material=STEEL\n,\n"
    "*Boundary\nLow, 1, 3\n"
    "*Step\n*Static\n*Cload\n5, 1, 100.\n*End Step\n";

TEST(inp_mesh)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err;
    CHECK_OK(t, read_text("g.inp", inp, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_nodes, 5);
    CHECK_INT(t, mesh.n_elements, 2);
    CHECK_INT(t, mesh.node[7], 4);
    CHECK_INT(t, mesh.element[1].line, 13);
    const TmlFeSet *low = find_set(mesh.n_node_sets, mesh.node_set, "Low");
    const TmlFeSet *mixed = find_set(mesh.n_node_sets, mesh.node_set, "Mixed");
    const TmlFeSet *surface = find_set(mesh.n_node_sets, mesh.node_set, "Surface1");
    const TmlFeSet *one = find_set(mesh.n_element_sets, mesh.element_set, "One");
    CHECK(t, low != NULL && low->n == 4);
    CHECK(t, mixed != NULL && mixed->n == 4);
    CHECK(t, surface != NULL && surface->n == 3);
    CHECK(t, one != NULL && one->n == 1 && one->at[0] == 1);
    CHECK_INT(t, mesh.n_materials, 1);
    CHECK_NEAR(t, mesh.material[0].young, 2.1e11, 0.0); // read exactly
    CHECK_INT(t, mesh.element[1].material, 0);
    CHECK(t, has_note(&mesh, "type CPS3 are left out") && has_note(&mesh, "*PLASTIC is left out") &&
                 has_note(&mesh, "*BOUNDARY is left out") && has_note(&mesh, "steps are left out"));
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* A part with one instance that is shifted and turned; sets of the assembly. */
/* What Gmsh writes of a group of faces: the faces as plane elements, the group as a set of these. */
TEST(inp_groups_of_faces)
{
    static const char *const text =
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"
        "*ELEMENT, type=CPS3, ELSET=Surface7\n11, 1, 2, 3\n12, 1, 2, 4\n"
        "*ELEMENT, type=C3D4, ELSET=Volume1\n20, 1, 2, 3, 4\n"
        "*ELSET,ELSET=foot\n11, 12\n*ELSET,ELSET=body\n20\n*ELSET,ELSET=both\n11, 20\n"
        "*NSET,NSET=one\n3\n*ELSET,ELSET=one\n11\n";
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(t, read_text("g.inp", text, &mesh, &err), &err);
    const TmlFeSet *foot = find_set(mesh.n_node_sets, mesh.node_set, "foot");
    const TmlFeSet *one = find_set(mesh.n_node_sets, mesh.node_set, "one");
    CHECK(t, foot != NULL && foot->n == 4);
    CHECK(t, one != NULL && one->n == 1 && one->at[0] == 2); // as the file has it
    CHECK(t, find_set(mesh.n_node_sets, mesh.node_set, "body") == NULL);
    CHECK(t, find_set(mesh.n_node_sets, mesh.node_set, "both") == NULL);
    tml_fe_mesh_free(&mesh);
}

/* A rod of two bars of 2 m with a spring across and masses: matrices by hand, and in millimetres the same. */
TEST(inp_trusses_springs_masses)
{
    static const char *const text[2] = {
        "*NODE\n1, 0, 0, 0\n2, 2, 0, 0\n3, 2, 2, 0\n"
        "*ELEMENT, TYPE=T3D2, ELSET=BARS\n7, 1, 2\n8, 2, 3\n"
        "*ELEMENT, TYPE=T3D2, ELSET=DRAWN\n9, 1, 3\n"
        "*ELEMENT, TYPE=SPRINGA, ELSET=S\n10, 1, 3\n*SPRING, ELSET=S\n\n3e6\n"
        "*ELEMENT, TYPE=MASS, ELSET=M\n11, 3\n*MASS, ELSET=M\n5,\n"
        "*MATERIAL, NAME=ST\n*ELASTIC\n2e11, 0.3\n*DENSITY\n8000\n"
        "*SOLID SECTION, ELSET=BARS, MATERIAL=ST\n1e-4,\n",
        "*NODE\n1, 0, 0, 0\n2, 2000, 0, 0\n3, 2000, 2000, 0\n"
        "*ELEMENT, TYPE=T3D2, ELSET=BARS\n7, 1, 2\n8, 2, 3\n"
        "*ELEMENT, TYPE=T3D2, ELSET=DRAWN\n9, 1, 3\n"
        "*ELEMENT, TYPE=SPRINGA, ELSET=S\n10, 1, 3\n*SPRING, ELSET=S\n\n3e3\n"
        "*ELEMENT, TYPE=MASS, ELSET=M\n11, 3\n*MASS, ELSET=M\n5e-3,\n"
        "*MATERIAL, NAME=ST\n*ELASTIC\n2e5, 0.3\n*DENSITY\n8e-9\n"
        "*SOLID SECTION, ELSET=BARS, MATERIAL=ST\n100,\n"};
    for (int unit = 0; unit < 2; ++unit) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err;
        CHECK_OK(t, read_text("t.inp", text[unit], &mesh, &err), &err);
        tml_fe_scale(&mesh, unit == 0 ? 1.0 : 1e-3);
        CHECK_INT(t, mesh.n_elements, 4);
        CHECK(t, has_note(&mesh, "T3D2 without a section are left out"));
        CHECK(t, find_set(mesh.n_node_sets, mesh.node_set, "DRAWN") != NULL);
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
        // EA/L = 1e7 N/m, rho A L/6 = 0.8/3 kg; the spring has half of its rate along x and along y. Rounding of decimals
        const double bar = 1e7, across = 1.5e6, m = 1.6 / 6.0;
        const struct {
            int row, col;
            double K, M;
        } want[] = {{0, 0, bar + across, 2 * m},
                    {3, 0, -bar, m},
                    {6, 0, -across, 0},
                    {1, 0, across, 0},
                    {4, 4, bar, 4 * m},
                    {7, 7, bar + across, 2 * m + 5},
                    {2, 2, 0, 2 * m},
                    {8, 8, 0, 2 * m + 5}};
        for (size_t k = 0; k < sizeof want / sizeof want[0]; ++k) {
            const int i = tml_csc_find(&a.K, want[k].row, want[k].col);
            const int j = tml_csc_find(&a.M, want[k].row, want[k].col);
            CHECK_NEAR(t, i >= 0 ? a.K.x[i] : 0.0, want[k].K, 1e-5);
            CHECK_NEAR(t, j >= 0 ? a.M.x[j] : 0.0, want[k].M, 1e-12);
        }
        double u[9] = {0, 0, 0, 1e-3, 0, 0, 0, 0, 0}, stress[6 * 4];
        tml_fe_stress(&a, u, stress);
        // the spring, then the bars, of which the first is longer: 2e11 Pa / 2000; rounding of decimals
        CHECK_NEAR(t, stress[0], 0.0, 1.0);
        CHECK_NEAR(t, stress[6], 1e8, 1.0);
        CHECK_NEAR(t, stress[13], 0.0, 1.0);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

/* Couplings as CAE writes them, in the assembly: reference points of their own, faces of elements; and a rigid body by a set. */
TEST(inp_couplings)
{
    static const char *const head =
        "*PART, NAME=P\n*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, "
        "0, 1\n"
        "7, 1, 1, 1\n8, 0, 1, 1\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, "
        "NSET=N\n1, 2\n"
        "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n10, 0, 0\n*END INSTANCE\n"
        "*NODE\n1, 9, 8, 7\n2, 3, 2, 1\n*NSET, NSET=RP\n2,\n"
        "*ELSET, ELSET=S, INSTANCE=I\n1,\n*SURFACE, TYPE=ELEMENT, NAME=UP\nS, S2\n";
    static const char *const good =
        "*COUPLING, CONSTRAINT NAME=top-1, REF NODE=RP, SURFACE=UP\n*KINEMATIC\n1, 3\n"
        "*COUPLING, CONSTRAINT NAME=other, REF NODE=1, SURFACE=UP\n*DISTRIBUTING\n*END ASSEMBLY\n";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RP, SURFACE=UP\n*KINEMATIC\n1, 2\n*END ASSEMBLY\n",
         "tie degrees of freedom 1 to 3"},
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RP, SURFACE=DOWN\n*KINEMATIC\n*END ASSEMBLY\n",
         "there is no surface 'DOWN'"},
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RR, SURFACE=UP\n*KINEMATIC\n*END ASSEMBLY\n",
         "there is no reference node 'RR'"},
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RP, SURFACE=UP\n*END ASSEMBLY\n",
         "*KINEMATIC or *DISTRIBUTING should follow"},
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RP, SURFACE=UP, ORIENTATION=O\n*KINEMATIC\n",
         "ORIENTATION is not read"},
        {"*COUPLING, CONSTRAINT NAME=a, REF NODE=RP, SURFACE=UP\n*DISTRIBUTING, WEIGHTING "
         "METHOD=LINEAR\n",
         "only WEIGHTING METHOD=UNIFORM"},
        {"*SURFACE, TYPE=ELEMENT, NAME=UP\nS, S7\n*COUPLING, REF NODE=RP, SURFACE=UP\n*KINEMATIC\n"
         "*END ASSEMBLY\n",
         "have no face 'S7'"},
        {"*KINEMATIC\n1, 6\n", "stands behind no *COUPLING"},
        {"*RIGID BODY, NSET=N\n", "needs REF NODE"},
    };
    char text[4000];
    TmlFeMesh mesh;
    TmlError err;
    snprintf(text, sizeof text, "%s%s", head, good);
    CHECK_OK(t, read_text("c.inp", text, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_couplings, 2);
    if (mesh.n_couplings == 2) {
        const TmlFeCoupling *c = mesh.coupling;
        CHECK_STR(t, c[0].name, "top_1");
        CHECK(t, !c[0].average && c[1].average && c[1].id == 1);
        // points of the assembly stay, nodes are shifted by the instance: read exactly
        CHECK_NEAR(t, c[0].at.x, 3.0, 0.0);
        CHECK_NEAR(t, c[1].at.z, 7.0, 0.0);
        CHECK_NEAR(t, mesh.x[0].x, 10.0, 0.0);
        CHECK_INT(t, c[0].n, 4);
        for (int k = 0; k < c[0].n; ++k) {
            CHECK_INT(t, c[0].node[k], 4 + k);
        }
    }
    tml_fe_mesh_free(&mesh);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        t->name = bad[k].message;
        snprintf(text, sizeof text, "%s%s", head, bad[k].text);
        CHECK(t, read_text("c.inp", text, &mesh, &err) != TML_OK);
        CHECK_HAS(t, err.message, bad[k].message);
        tml_fe_mesh_free(&mesh);
    }
    t->name = NULL;
    static const char *const rigid =
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n9, 5, 5, 5\n"
        "*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 4\n*NSET, NSET=F\n1, 2, 3\n"
        "*RIGID BODY, NSET=F, REF NODE=9\n";
    CHECK_OK(t, read_text("r.inp", rigid, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_couplings, 1);
    if (mesh.n_couplings == 1) {
        CHECK_STR(t, mesh.coupling[0].name, "node9");
        CHECK_INT(t, mesh.coupling[0].n, 3);
        CHECK_NEAR(t, mesh.coupling[0].at.y, 5.0, 0.0); // read exactly
    }
    tml_fe_mesh_free(&mesh);
}

TEST(inp_instance)
{
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(
        t,
        read_text("h.inp",
                  "*Part, name=P\n*Node\n1, 1, 0, 0\n2, 2, 0, 0\n*Nset, nset=S\n1\n*End Part\n"
                  "*Assembly, name=A\n*Instance, name=I, part=P\n0, 0, 5\n0, 0, 0, 0, 0, 1, 90\n"
                  "*End Instance\n*Node\n1, 9, 9, 9\n*Nset, nset=S, instance=I\n2\n"
                  "*Nset, nset=Q, instance=I\nI.1, 2\n*Nset, nset=R\n1\n*End Assembly\n",
                  &mesh, &err),
        &err);
    CHECK_INT(t, mesh.n_nodes, 2);
    CHECK_NEAR(t, mesh.x[1].x, 0.0, 1e-15); // rounding of a quarter turn
    CHECK_NEAR(t, mesh.x[1].y, 2.0, 1e-15); // rounding of a quarter turn
    CHECK_NEAR(t, mesh.x[1].z, 5.0, 1e-15); // rounding of a quarter turn
    CHECK_INT(t, mesh.n_node_sets, 3);
    const TmlFeSet *part = find_set(mesh.n_node_sets, mesh.node_set, "S");
    const TmlFeSet *assembly = find_set(mesh.n_node_sets, mesh.node_set, "ASSEMBLY.S");
    CHECK(t, part != NULL && part->n == 1 && part->at[0] == 0);
    CHECK(t, assembly != NULL && assembly->n == 1 && assembly->at[0] == 1);
    tml_fe_mesh_free(&mesh);
}

TEST(inp_include)
{
    TmlFeMesh mesh;
    TmlError err;
    char text[400];
    const char *path = write_file("nodes.txt", "1, 0, 0, 0\n2, 1, 0, 0\n");
    const char *name = strrchr(path, '/') + 1;
    snprintf(text, sizeof text, "*NODE, NSET=N\n*INCLUDE, INPUT=%s\n3, 2, 0, 0\n", name);
    CHECK_OK(t, read_text("i.inp", text, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_nodes, 3);
    CHECK(t, mesh.n_node_sets == 1 && mesh.node_set[0].n == 3);
    tml_fe_mesh_free(&mesh);
    unlink(path);
    // a file that includes itself comes to an end
    path = write_file("self.inp", "");
    name = strrchr(path, '/') + 1;
    snprintf(text, sizeof text, "*INCLUDE, INPUT=%s\n*INCLUDE, INPUT=%s\n", name, name);
    path = write_file("self.inp", text);
    CHECK(t, tml_fe_mesh_read(path, &mesh, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "include each other too often");
    tml_fe_mesh_free(&mesh);
    unlink(path);
}

TEST(inp_beams)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err;
    CHECK_OK(t,
             read_text("j.inp",
                       "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n*ELEMENT, TYPE=B31, ELSET=E\n"
                       "1, 1, 2\n2, 2, 3\n*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800\n"
                       "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.02, 0.05\n0, 0, -1\n",
                       &mesh, &err),
             &err);
    CHECK_INT(t, mesh.n_sections, 1);
    // 0.02 along n1 = -z, 0.05 across: bending about z is the stiff one
    CHECK_NEAR(t, mesh.section[0].Iz, 0.02 * 0.05 * 0.05 * 0.05 / 12, 1e-20); // rounding
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    CHECK_INT(t, a.n, 18);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* Beams of three nodes are two beams each, also in sets. */
TEST(inp_beams_of_three_nodes)
{
    static const char *const text =
        "*NODE\n1, 0\n2, 1\n3, 2\n4, 2, 1\n5, 2, 2\n*ELEMENT, TYPE=B32R, ELSET=B\n7, 1, 2, 3\n9, "
        "3, 4, 5\n"
        "*ELSET, ELSET=ONE\n9,\n*ELSET, ELSET=ALL, GENERATE\n1, 10\n*MATERIAL, "
        "NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800\n"
        "*BEAM SECTION, SECTION=RECT, ELSET=B, MATERIAL=M\n0.02, 0.03\n0, 0, 1\n";
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(t, read_text("b32.inp", text, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_elements, 4);
    const TmlFeSet *one = find_set(mesh.n_element_sets, mesh.element_set, "ONE");
    const TmlFeSet *all = find_set(mesh.n_element_sets, mesh.element_set, "ALL");
    CHECK(t, one != NULL && one->n == 2 && all != NULL && all->n == 4);
    for (int k = 0; k < mesh.n_elements; ++k) {
        CHECK(t, mesh.element[k].section == 0 && mesh.element[k].material == 0);
    }
    if (one != NULL && one->n == 2) {
        const TmlFeElement *second = &mesh.element[one->at[1]];
        CHECK_INT(t, second->id, 1009);
        CHECK_INT(t, mesh.node[second->first], 3);
        CHECK_INT(t, mesh.node[second->first + 1], 4);
    }
    CHECK(t, has_note(&mesh, "1000 is added to the number of the second half"));
    tml_fe_mesh_free(&mesh);
}

/* Abaqus gives a circle by its radius, CalculiX by two diameters. */
TEST(inp_circles)
{
    static const char *const size[3] = {"0.01", "0.02, 0.02", "0.02, 0.03"};
    for (int k = 0; k < 3; ++k) {
        TmlFeMesh mesh;
        TmlError err;
        char text[300];
        snprintf(text, sizeof text,
                 "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n"
                 "*MATERIAL, NAME=M\n*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=CIRC\n%s\n",
                 size[k]);
        CHECK(t, (read_text("r.inp", text, &mesh, &err) == TML_OK) == (k < 2));
        if (k < 2) {
            CHECK_NEAR(t, mesh.section[0].reach_y, 0.01, 0.0); // a half is exact
            CHECK_INT(t, has_note(&mesh, "they are its diameters"), k);
        } else {
            CHECK_HAS(t, err.message, "ellipses are not read");
        }
        tml_fe_mesh_free(&mesh);
    }
}

TEST(inp_shells)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err;
    CHECK_OK(t,
             read_text("l.inp",
                       "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 2, 0, 0\n"
                       "*ELEMENT, TYPE=S4R, ELSET=E\n1, 1, 2, 3, 4\n*ELEMENT, TYPE=S3, ELSET=E\n"
                       "2, 2, 5, 3\n*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800\n"
                       "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01, 5\n",
                       &mesh, &err),
             &err);
    CHECK_NEAR(t, mesh.section[0].thickness, 0.01, 0.0); // read exactly
    CHECK(t, has_note(&mesh, "shells S3, S3R, S4, S4R are flat"));
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    CHECK_INT(t, a.n, 30);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* All that is done with a mesh; arg: the path of a file. */
static TmlStatus use_file(void *arg, TmlError *err)
{
    TmlFeMesh mesh;
    TmlFeMatrices a = {0};
    TmlArena arena = {0};
    TmlFeMaterial steel = {"steel", 2e11, 0.3, 7800};
    TmlCsc N, Kg;
    TmlVec3 *x;
    double *mass, u[256] = {0};
    int32_t *corner;
    int n;
    TmlStatus status = tml_fe_mesh_read(arg, &mesh, err);
    if (status == TML_OK && mesh.n_materials == 0) {
        mesh.material = &steel;
        for (int k = 0; k < mesh.n_elements; ++k) {
            mesh.element[k].material = 0;
        }
    }
    status = status == TML_OK ? tml_fe_check_pieces(&mesh, 0, NULL, err) : status;
    status = status == TML_OK ? tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, err) : status;
    status = status == TML_OK ? tml_fe_surface(&mesh, &arena, &n, &corner, err) : status;
    status = status == TML_OK ? tml_fe_geometric(&a, u, &arena, &Kg, err) : status;
    status = status == TML_OK
                 ? tml_fe_mass_points(&a, TML_FE_MASS_EXACT, &arena, &n, &mass, &x, &N, err)
                 : status;
    tml_arena_free(&arena);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
    return status;
}

/* Two instances of a cube, tied, with beams of three nodes, a mass and inertia at a reference point, and relations. */
static const char *const assembly =
    "*PART, NAME=P\n*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, "
    "1\n7, 1, 1, 1\n8, 0, 1, 1\n"
    "9, 2\n10, 3\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*ELEMENT, TYPE=B32, "
    "ELSET=B\n2, 2, 9, 10\n"
    "*NSET, NSET=N, ELSET=E\n*SURFACE, NAME=LOW\nE, S1\n*SURFACE, NAME=ALL\nE,\n*SOLID SECTION, "
    "ELSET=E, MATERIAL=M\n"
    "*BEAM SECTION, SECTION=CIRC, ELSET=B, MATERIAL=M\n0.02\n*END PART\n"
    "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*INSTANCE, NAME=J, PART=P\n0, 0, "
    "1\n*END INSTANCE\n"
    "*TIE, NAME=T\nJ.LOW, I.ALL\n*NODE\n1, 0, 0, 3\n*NSET, NSET=RP\n1,\n*ELEMENT, TYPE=MASS, "
    "ELSET=M\n1, 1\n*MASS, ELSET=M\n2\n"
    "*ELEMENT, TYPE=ROTARYI, ELSET=R\n2, 1\n*ROTARY INERTIA, ELSET=R\n1, 1, 1\n*MPC\nBEAM, J.7, "
    "RP\n*EQUATION\n2\n"
    "J.10, 1, 1., I.10, 1, -1.\n*ELSET, ELSET=TOP, INSTANCE=J\n1\n*SURFACE, NAME=S\nTOP, S2\n"
    "*COUPLING, REF NODE=RP, SURFACE=S, CONSTRAINT NAME=C\n*KINEMATIC\n1, 3\n*END "
    "ASSEMBLY\n*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n"
    "*DENSITY\n7800\n";

TEST(every_allocation_may_fail)
{
    const struct {
        const char *name, *text;
    } files[4] = {{"m.msh", msh2}, {"n.msh", msh4}, {"o.inp", inp}, {"p.inp", assembly}};
    for (int k = 0; k < 4; ++k) {
        char path[4096];
        Counter memory = {0};
        snprintf(path, sizeof path, "%s", write_file(files[k].name, files[k].text));
        t->name = files[k].name;
        counter_set(&memory);
        CHECK(t, counter_sweep(t, &memory, use_file, path) > 10);
        tml_set_allocator(NULL);
        unlink(path);
    }
}

/* A file in mm, N and t is the same part in SI. */
TEST(other_units)
{
    static const char *const text[2] = {
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n*ELEMENT, TYPE=B31, ELSET=B\n1, 1, 2\n"
        "*ELEMENT, TYPE=S3, ELSET=S\n2, 1, 2, 3\n*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n"
        "*DENSITY\n7850\n*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n0.02, 0.05\n"
        "*SHELL SECTION, ELSET=S, MATERIAL=M\n0.01\n",
        "*NODE\n1, 0, 0, 0\n2, 1000, 0, 0\n3, 1000, 1000, 0\n*ELEMENT, TYPE=B31, ELSET=B\n"
        "1, 1, 2\n*ELEMENT, TYPE=S3, ELSET=S\n2, 1, 2, 3\n*MATERIAL, NAME=M\n*ELASTIC\n"
        "2.1e5, 0.3\n*DENSITY\n7.85e-9\n*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT\n"
        "20, 50\n*SHELL SECTION, ELSET=S, MATERIAL=M\n10\n"};
    TmlFeMesh mesh[2];
    TmlFeMatrices a[2];
    TmlError err;
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(t, read_text("p.inp", text[k], &mesh[k], &err), &err);
        if (k == 1) {
            tml_fe_scale(&mesh[k], 1e-3);
        }
        CHECK_OK(t, tml_fe_assemble(&mesh[k], TML_FE_MASS_EXACT, &a[k], &err), &err);
    }
    for (int j = 0; j < a[0].n; ++j) { // rounding of powers of a thousandth
        for (int p = a[0].K.start[j]; p < a[0].K.start[j + 1]; ++p) {
            CHECK_NEAR(t, a[1].K.x[p] / 1e9, a[0].K.x[p] / 1e9, 1e-12);
            CHECK_NEAR(t, a[1].M.x[p], a[0].M.x[p], 1e-12);
        }
    }
    for (int k = 0; k < 2; ++k) {
        tml_fe_matrices_free(&a[k]);
        tml_fe_mesh_free(&mesh[k]);
    }
}

/* Pieces that share no node are told; a set that ties them makes them one. */
TEST(pieces)
{
    TmlFeMesh mesh;
    TmlError err;
    CHECK_OK(t,
             read_text("k.inp",
                       "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n11, 5, 0, 0\n"
                       "12, 6, 0, 0\n13, 5, 1, 0\n14, 5, 0, 1\n15, 6, 1, 1\n*ELEMENT, TYPE=C3D4\n"
                       "1, 11, 12, 13, 14\n2, 12, 13, 14, 15\n3, 1, 2, 3, 4\n",
                       &mesh, &err),
             &err);
    CHECK(t, tml_fe_check_pieces(&mesh, 0, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message,
              "in 2 pieces that share no node; the smallest has 1 element: "
              "element 3 at node 1");
    const int tied[2] = {0, 6};
    const TmlFeSet tie = {.name = "tie", .n = 2, .at = tied};
    CHECK_OK(t, tml_fe_check_pieces(&mesh, 1, &tie, &err), &err);
    tml_fe_mesh_free(&mesh);
}

TEST_SUITE(mesh_read) = {CASE(gmsh_both_versions),
                         CASE(gmsh_element_of_two_groups),
                         CASE(gmsh_shells),
                         CASE(gmsh_second_order),
                         CASE(gmsh_cut_short),
                         CASE(refused_files),
                         CASE(inp_mesh),
                         CASE(inp_groups_of_faces),
                         CASE(inp_trusses_springs_masses),
                         CASE(inp_couplings),
                         CASE(inp_instance),
                         CASE(inp_include),
                         CASE(inp_beams),
                         CASE(inp_beams_of_three_nodes),
                         CASE(inp_circles),
                         CASE(inp_shells),
                         CASE(every_allocation_may_fail),
                         CASE(other_units),
                         CASE(pieces),
                         {0}};
