/* tests/io/test_part_source.c - meshes and matrices in the description of a part: units, types, materials, pieces. */
#include "test.h"

#include "io/part/mesh_read.h"
#include "reduce/mesh/assemble.h"
#include "trammel/part.h"

#include <stdlib.h>
#include <unistd.h>

static const char *folder(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/part_source_%d", TRAMMEL_BINARY_DIR, (int)getpid());
    return path;
}

static void write_file(const char *suffix, const char *text)
{
    char path[5000];
    snprintf(path, sizeof path, "%s%s", folder(), suffix);
    FILE *f = fopen(path, "w");
    if (f != NULL) {
        fputs(text, f);
        fclose(f);
    }
}

/* A bar of n hexahedra of length `side` each, with material. */
static void write_bar(int n, double side, double young, double density, bool torn)
{
    char text[20000];
    size_t at = (size_t)snprintf(text, sizeof text, "*NODE, NSET=ALL\n");
    for (int k = 0; k < 4 * (n + 1); ++k) {
        const int layer = k / 4;
        at += (size_t)snprintf(text + at, sizeof text - at, "%d, %.12g, %.12g, %.12g\n", k + 1,
                               side * layer, side * (k % 4 == 1 || k % 4 == 2), side * (k % 4 > 1));
    }
    for (int k = 0; torn && k < 8; ++k) { // one more, elsewhere
        const int layer = k / 4;
        at += (size_t)snprintf(text + at, sizeof text - at, "%d, %g, %g, %g\n", 1000 + k,
                               side * (50 + layer), side * (k % 4 == 1 || k % 4 == 2),
                               side * (k % 4 > 1));
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "*ELEMENT, TYPE=C3D8, ELSET=E\n");
    for (int k = 0; k < n + torn; ++k) {
        const int a = k < n ? 4 * k + 1 : 1000, b = a + 4;
        at += (size_t)snprintf(text + at, sizeof text - at, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n",
                               k + 1, a, a + 1, a + 2, a + 3, b, b + 1, b + 2, b + 3);
    }
    snprintf(text + at, sizeof text - at,
             "*NSET, NSET=LEFT\n1, 2, 3, 4\n*NSET, NSET=RIGHT, GENERATE\n%d, %d\n"
             "*MATERIAL, NAME=M\n*ELASTIC\n%.12g, 0.3\n*DENSITY\n%.12g\n"
             "*SOLID SECTION, ELSET=E, MATERIAL=M\n",
             4 * n + 1, 4 * n + 4, young, density);
    write_file(".inp", text);
}

/* A bar of four cubes without materials, two of which are a set. */
static void write_half(void)
{
    char path[5000], text[20000] = {0};
    write_bar(4, 0.05, 1, 1, false);
    snprintf(path, sizeof path, "%s.inp", folder());
    FILE *f = fopen(path, "r");
    const size_t n = f != NULL ? fread(text, 1, sizeof text - 100, f) : 0;
    if (f != NULL) {
        fclose(f);
    }
    char *end = n > 0 ? strstr(text, "*MATERIAL") : NULL;
    if (end != NULL) {
        strcpy(end, "*ELSET, ELSET=HALF\n1, 2\n");
        write_file(".inp", text);
    }
}

/* The nodes of that bar alone, the last first, and a rigid body at its right end. */
static void write_nodes(double unit, bool rigid)
{
    char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "*NODE\n");
    for (int k = 19; k >= 0; --k) {
        const int station = k / 4;
        at += (size_t)snprintf(text + at, sizeof text - at, "%d, %.12g, %.12g, %.12g\n", k + 1,
                               unit * 0.05 * station, unit * 0.05 * (k % 4 == 1 || k % 4 == 2),
                               unit * 0.05 * (k % 4 > 1));
    }
    if (rigid) {
        snprintf(
            text + at, sizeof text - at,
            "*NSET, NSET=RIGHT, GENERATE\n17, 20\n*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n*PART, "
            "NAME=P\n*END PART\n*ASSEMBLY, "
            "NAME=A\n*NODE\n1, 300, 0, 0\n"
            "*NSET, NSET=RP\n1\n*SURFACE, NAME=S, TYPE=NODE\nRIGHT\n"
            "*COUPLING, CONSTRAINT NAME=R, REF NODE=RP, SURFACE=S\n*KINEMATIC\n*END ASSEMBLY\n");
    }
    write_file("n.inp", text);
}

/* Reduces the bar with further keys. NULL: err tells. */
static TmlReducedPart *reduce(const char *keys, TmlError *err)
{
    char text[6000], path[5000];
    TmlReducedPart *part = NULL;
    const char *name = strrchr(folder(), '/') + 1;
    *err = (TmlError){0};
    snprintf(text, sizeof text,
             "part: bar\nmesh: %s.inp\ninterfaces: {A: {set: LEFT}, B: {set: RIGHT}}\nmodes: 4\n%s",
             name, keys);
    write_file(".yaml", text);
    snprintf(path, sizeof path, "%s.yaml", folder());
    (void)!tml_part_reduce(path, 0, NULL, NULL, &part, err);
    return part;
}

static void clean_up(void)
{
    char path[5000];
    snprintf(path, sizeof path, "%s.yaml", folder());
    unlink(path);
    snprintf(path, sizeof path, "%s.inp", folder());
    unlink(path);
}

/* A file in mm, N and t is the same part. */
TEST(units_of_length)
{
    TmlError err;
    write_bar(10, 0.05, 2.1e11, 7850, false);
    TmlReducedPart *si = reduce("", &err);
    CHECK(t, si != NULL);
    write_bar(10, 50, 2.1e5, 7.85e-9, false);
    TmlReducedPart *mm = reduce("scale: 1 mm\n", &err);
    CHECK(t, mm != NULL);
    if (si != NULL && mm != NULL) {
        // rounding of powers of a thousandth, magnified by the condition of the eigenproblem
        CHECK_NEAR(t, tml_part_info(mm).mass / tml_part_info(si).mass, 1.0, 1e-12);
        CHECK_NEAR(t, tml_part_info(si).mass, 7850 * 10 * 0.05 * 0.05 * 0.05, 1e-9);
        CHECK_NEAR(t, tml_part_mode(mm, 0).hertz / tml_part_mode(si, 0).hertz, 1.0, 1e-8);
    }
    tml_part_free(si);
    tml_part_free(mm);
    clean_up();
}

/* Elements taken as others: a bar of one row that bends. */
TEST(types_of_elements)
{
    TmlError err;
    write_bar(20, 0.02, 2.1e11, 7850, false);
    TmlReducedPart *stiff = reduce("", &err), *soft = reduce("elements: {hex8: hex8i}\n", &err);
    CHECK(t, stiff != NULL && soft != NULL);
    if (stiff != NULL && soft != NULL) {
        // measured 1.24: cubes with full integration are too stiff in bending
        CHECK(t, tml_part_mode(stiff, 0).hertz > 1.1 * tml_part_mode(soft, 0).hertz);
    }
    tml_part_free(stiff);
    tml_part_free(soft);
    CHECK(t, reduce("elements: {hex8: hex9}\n", &err) == NULL);
    CHECK_HAS(t, err.message, "there is no type of elements 'hex9'");
    CHECK(t, reduce("elements: {tet10: tet4}\n", &err) == NULL);
    CHECK_HAS(t, err.message, "have other nodes");
    CHECK(t, reduce("elements: {hex20: hex20r}\n", &err) == NULL);
    CHECK_HAS(t, err.message, "the mesh has no hex20");
    clean_up();
}

/* Sets of the mesh get materials of their own, the others the one without a set, in whatever order they stand; what would be
 * passed over, or hold by its order alone, is an error. */
TEST(materials_of_sets)
{
    static const char *const both[2] = {
        "materials:\n  rest: {young: 7e10, poisson: 0.3, density: 2700}\n"
        "  heavy: {set: HALF, young: 2e11, poisson: 0.3, density: 7800}\n",
        "materials:\n  heavy: {set: HALF, young: 2e11, poisson: 0.3, density: 7800}\n"
        "material: {young: 7e10, poisson: 0.3, density: 2700}\n"};
    TmlError err;
    for (int k = 0; k < 2; ++k) {
        write_half();
        TmlReducedPart *part = reduce(both[k], &err);
        CHECK(t, part != NULL);
        if (part != NULL) { // two of four cubes of 0.05 m are heavy; rounding
            CHECK_NEAR(t, tml_part_info(part).mass, 2 * 1.25e-4 * (7800 + 2700), 1e-12);
        }
        tml_part_free(part);
    }
    write_half();
    CHECK(t, reduce("material: {young: 7e10, poisson: 0.3, density: 2700}\n"
                    "materials: [{set: HALF, young: 2e11, poisson: 0.3, density: 7800}]\n",
                    &err) == NULL);
    CHECK_HAS(t, err.message, "materials: expected a map");
    write_half();
    CHECK(t, reduce("materials:\n  a: {set: HALF, young: 7e10, poisson: 0.3, density: 2700}\n"
                    "  b: {set: E, young: 2e11, poisson: 0.3, density: 7800}\n",
                    &err) == NULL);
    CHECK_HAS(t, err.message, "element 1 has material 'a' already");
    clean_up();
}

/* A rigid body of the file is an interface where its reference node is, in metres. */
TEST(rigid_bodies_of_the_file)
{
    TmlError err;
    char path[5000], text[20000] = {0};
    write_bar(4, 50, 2.1e5, 7.85e-9, false);
    snprintf(path, sizeof path, "%s.inp", folder());
    FILE *f = fopen(path, "r");
    const size_t n = f != NULL ? fread(text, 1, sizeof text - 200, f) : 0;
    if (f != NULL) {
        fclose(f);
    }
    snprintf(text + n, sizeof text - n,
             "*NODE\n77, 250, 30, 20\n*NSET, NSET=END, GENERATE\n17, 20\n*RIGID BODY, NSET=END, "
             "REF NODE=77\n");
    write_file(".inp", text);
    CHECK(t, reduce("scale: 1 mm\n", &err) == NULL); // B holds these nodes as well
    CHECK_HAS(t, err.message, "is held by interface 'B' already");
    snprintf(text, sizeof text,
             "part: bar\nmesh: %s.inp\nscale: 1 mm\ninterfaces: {A: {set: LEFT}}\nmodes: 4\nframe: "
             "node77\n",
             strrchr(folder(), '/') + 1);
    write_file(".yaml", text);
    snprintf(path, sizeof path, "%s.yaml", folder());
    TmlReducedPart *part = NULL;
    CHECK_OK(t, tml_part_reduce(path, 0, NULL, NULL, &part, &err), &err);
    if (part != NULL) {
        const TmlPartFrameInfo frame = tml_part_frame(part, 1);
        CHECK_INT(t, tml_part_info(part).frames, 2);
        CHECK_STR(t, frame.name, "node77");
        CHECK(t, frame.turns && frame.node == 77);
        CHECK_NEAR(t, frame.at.x, 0.25, 1e-15); // rounding
        CHECK_NEAR(t, tml_part_info(part).origin.y, 0.03, 1e-15);
    }
    tml_part_free(part);
    clean_up();
}

/* A plate of Gmsh's quadrangles with the thickness of the description, in mm, is that of S4 with a section. */
TEST(shells_of_gmsh)
{
    enum { X = 6, Y = 3 };
    char msh[12000], inp[12000], nodes[2][4000], cells[2][4000], path[5000], text[6000];
    size_t n[2] = {0, 0}, c[2] = {0, 0};
    for (int k = 0; k < (X + 1) * (Y + 1); ++k) {
        const int column = k % (X + 1), row = k / (X + 1);
        const double x = 0.05 * column, y = 0.04 * row;
        n[0] += (size_t)snprintf(nodes[0] + n[0], sizeof nodes[0] - n[0], "%d %g %g 0\n", k + 1,
                                 1e3 * x, 1e3 * y);
        n[1] += (size_t)snprintf(nodes[1] + n[1], sizeof nodes[1] - n[1], "%d, %g, %g, 0\n", k + 1,
                                 x, y);
    }
    for (int k = 0; k < X * Y; ++k) {
        const int a = 1 + k % X + (X + 1) * (k / X), d = a + X + 1;
        c[0] += (size_t)snprintf(cells[0] + c[0], sizeof cells[0] - c[0],
                                 "%d 3 2 9 1 %d %d %d %d\n", k + 1, a, a + 1, d + 1, d);
        c[1] += (size_t)snprintf(cells[1] + c[1], sizeof cells[1] - c[1], "%d, %d, %d, %d, %d\n",
                                 k + 1, a, a + 1, d + 1, d);
    }
    snprintf(msh, sizeof msh,
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 9 "
             "\"skin\"\n$EndPhysicalNames\n$Nodes\n%d\n%s$EndNodes\n"
             "$Elements\n%d\n%s$EndElements\n",
             (X + 1) * (Y + 1), nodes[0], X * Y, cells[0]);
    snprintf(inp, sizeof inp,
             "*NODE\n%s*ELEMENT, TYPE=S4, ELSET=E\n%s*MATERIAL, NAME=M\n*ELASTIC\n7e10, "
             "0.3\n*DENSITY\n2700\n"
             "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.003\n",
             nodes[1], cells[1]);
    write_file(".msh", msh);
    write_file(".inp", inp);
    static const char *const from[] = {".inp\n",
                                       ".msh\nscale: 1 mm\nthickness: 3 mm\nmaterial: {young: "
                                       "7e10, poisson: 0.3, density: 2700}\n",
                                       ".msh\nscale: 1 mm\nmaterials: {m: {set: skin, young: 7e10, "
                                       "poisson: 0.3, density: 2700, thickness: 3 mm}}\n",
                                       ".inp\nthickness: 3 mm\n"};
    TmlReducedPart *part[4] = {NULL};
    TmlError err = {0};
    for (int k = 0; k < 4; ++k) {
        snprintf(
            text, sizeof text,
            "part: plate\nmesh: %s%sinterfaces: {A: {box: [[0, 0, 0], [0.001, 1, 1]]}}\nmodes: 8\n",
            strrchr(folder(), '/') + 1, from[k]);
        write_file(".yaml", text);
        snprintf(path, sizeof path, "%s.yaml", folder());
        (void)!tml_part_reduce(path, 0, NULL, NULL, &part[k], &err);
    }
    CHECK_HAS(t, err.message, "thickness: no shells without one are there");
    CHECK(t, part[0] != NULL && part[1] != NULL && part[2] != NULL && part[3] == NULL);
    for (int k = 1; k < 3 && part[0] != NULL && part[k] != NULL; ++k) {
        for (int j = 0; j < tml_part_info(part[0]).modes; ++j) {
            // rounding of decimals in mm and in m, by the condition of the eigenvalues
            CHECK_NEAR(t, tml_part_mode(part[k], j).hertz / tml_part_mode(part[0], j).hertz, 1.0,
                       1e-9);
        }
    }
    for (int k = 0; k < 4; ++k) {
        tml_part_free(part[k]);
    }
    snprintf(path, sizeof path, "%s.msh", folder());
    unlink(path);
    clean_up();
}

/* --- matrices --------------------------------------------------------------------------------------- */

/* A matrix as lines `row column value`, its rows and columns of rotations by 1 / length each. */
static void write_matrix(const char *suffix, const TmlCsc *A, int per, double factor, double length)
{
    char path[5000];
    snprintf(path, sizeof path, "%s%s", folder(), suffix);
    FILE *f = fopen(path, "w");
    for (int j = 0; f != NULL && j < A->cols; ++j) {
        for (int k = A->start[j]; k < A->start[j + 1]; ++k) {
            const int turns = (j % per > 2) + (A->row[k] % per > 2);
            const double x =
                factor * A->x[k] * (turns > 0 ? 1 / length : 1) * (turns > 1 ? 1 / length : 1);
            fprintf(f, "%d %d %.17g\n", A->row[k] + 1, j + 1, x);
        }
    }
    if (f != NULL) {
        fclose(f);
    }
}

/* Reads FOLDER.inp, writes its matrices, and reduces these with `keys`. */
static TmlReducedPart *reduce_matrices(TestCtx *t, const char *nodes, const char *keys, int per,
                                       double factor, double length, TmlError *err)
{
    char text[6000], path[5000];
    const char *name = strrchr(folder(), '/') + 1;
    TmlReducedPart *part = NULL;
    TmlFeMesh mesh;
    TmlFeMatrices a;
    snprintf(path, sizeof path, "%s.inp", folder());
    CHECK_OK(t, tml_fe_mesh_read(path, &mesh, err), err);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, err), err);
    write_matrix(".K", &a.K, per, factor, length);
    write_matrix(".M", &a.M, per, factor, length);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
    snprintf(text, sizeof text, "part: bar\nmatrices: {stiffness: %s.K, mass: %s.M, nodes: %s%s%s",
             name, name, name, nodes, keys);
    write_file(".yaml", text);
    snprintf(path, sizeof path, "%s.yaml", folder());
    CHECK_OK(t, tml_part_reduce(path, 0, NULL, NULL, &part, err), err);
    return part;
}

static void same_parts(TestCtx *t, const TmlReducedPart *a, const TmlReducedPart *b)
{
    CHECK(t, a != NULL && b != NULL);
    for (int k = 0; a != NULL && b != NULL && k < tml_part_info(a).modes; ++k) {
        // 17 digits of the matrices, times their condition: rotations beside displacements
        CHECK_NEAR(t, tml_part_mode(a, k).hertz / tml_part_mode(b, k).hertz, 1.0, 1e-7);
    }
}

/* Matrices in mm, N and t, with and without rotations, and nodes whose file has them in another order and a rigid body. */
TEST(matrices_in_other_units)
{
    static const char *const beam =
        "*NODE\n1, 0, 0, 0\n2, 0.4, 0, 0\n3, 0.8, 0.3, 0\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n2, "
        "2, 3\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n"
        "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.02, 0.03\n0, 0, -1\n";
    static const char *const ends =
        "interfaces: {A: {node: 1, tie: node}, B: {node: 3, tie: node}}\nmodes: 4\n";
    char text[6000];
    TmlError err = {0};
    write_file(".inp", beam);
    write_file(".txt", "1 0 0 0\n2 0.4 0 0\n3 0.8 0.3 0\n");
    snprintf(text, sizeof text, "}\n%s", ends);
    TmlReducedPart *si = reduce_matrices(t, ".txt", text, 6, 1.0, 1.0, &err);
    write_file(".txt", "1 0 0 0\n2 400 0 0\n3 800 300 0\n");
    snprintf(text, sizeof text, ", stiffness_factor: 1000, mass_factor: 1000}\nscale: 1 mm\n%s",
             ends);
    TmlReducedPart *mm = reduce_matrices(t, ".txt", text, 6, 1e-3, 1e-3, &err);
    same_parts(t, si, mm);
    tml_part_free(si);
    tml_part_free(mm);

    write_bar(4, 0.05, 2.1e11, 7850, false);
    snprintf(text, sizeof text,
             "}\ninterfaces: {A: {node: 1, tie: node}, R: {box: [[0.19, -1, -1], [0.21, 1, 1]], "
             "at: [0.3, 0, 0]}}\nmodes: 4\n");
    write_nodes(1.0, false);
    si = reduce_matrices(t, "n.inp", text, 3, 1.0, 1.0, &err);
    snprintf(text, sizeof text,
             ", stiffness_factor: 1000, mass_factor: 1000}\nscale: 1 mm\ninterfaces: {A: {node: 1, "
             "tie: node}}\nmodes: 4\n");
    write_nodes(1e3, true);
    mm = reduce_matrices(t, "n.inp", text, 3, 1e-3, 1e-3, &err);
    same_parts(t, si, mm);
    if (mm != NULL) {
        CHECK_NEAR(t, tml_part_frame(mm, 1).at.x, 0.3, 1e-15); // rounding
        bool told = false; // of the equation, which the matrices do not have
        for (int k = 0; tml_part_note(mm, k) != NULL; ++k) {
            told = told || strstr(tml_part_note(mm, k), "matrices are taken as they are") != NULL;
        }
        CHECK(t, told);
    }
    tml_part_free(si);
    tml_part_free(mm);
    static const char *const made[] = {".K", ".M", ".txt", "n.inp"};
    for (int k = 0; k < 4; ++k) {
        snprintf(text, sizeof text, "%s%s", folder(), made[k]);
        unlink(text);
    }
    clean_up();
}

/* --- pieces ----------------------------------------------------------------------------------------- */

/* A piece that hangs on nothing is named; a rigid tie holds it. */
TEST(pieces)
{
    TmlError err;
    write_bar(4, 0.05, 2.1e11, 7850, true);
    CHECK(t, reduce("", &err) == NULL);
    CHECK_HAS(t, err.message,
              "in 2 pieces that share no node; the smallest has 1 element: element 5 "
              "at node 1000");
    clean_up();
}

TEST_SUITE(part_source) = {CASE(units_of_length),
                           CASE(types_of_elements),
                           CASE(materials_of_sets),
                           CASE(rigid_bodies_of_the_file),
                           CASE(matrices_in_other_units),
                           CASE(shells_of_gmsh),
                           CASE(pieces),
                           {0}};
