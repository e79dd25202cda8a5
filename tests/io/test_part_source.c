/* tests/io/test_part_source.c - meshes in the description of a part: units, types, pieces. */
#include "test.h"

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
                           CASE(pieces),
                           {0}};
