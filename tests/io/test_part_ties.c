/* tests/io/test_part_ties.c - *TIE, *MPC, *EQUATION and couplings: bars in two pieces against bars in one, and against CalculiX. */
#include "test.h"

#include "trammel/part.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

typedef struct Text {
    char at[60000];
    size_t n;
} Text;

static void add(Text *to, const char *fmt, ...) TML_PRINTF(2, 3);
static void add(Text *to, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    to->n += (size_t)vsnprintf(to->at + to->n, sizeof to->at - to->n, fmt, args);
    va_end(args);
}

/* Bricks, three along x of 0.1 m, ny and nz across a square of 0.1 m: nodes and elements from `first` on. order 2: hex20. */
typedef struct Bar {
    double from;
    int order, nx, ny, nz, first;
} Bar;

/* Number of the node at a place of the finest grid; 0: hex20 has none there. */
static int number(const Bar *b, int i, int j, int l)
{
    const int o = b->order;
    if (o == 2 && i % 2 + j % 2 + l % 2 > 1) {
        return 0;
    }
    return b->first + (i * (o * b->ny + 1) + j) * (o * b->nz + 1) + l;
}

static bool turned; /* all nodes are turned about a corner that no axis meets */

static void add_node(Text *to, int id, double x, double y, double z)
{
    static const double A[3][3] = {
        {2 / 3.0, -1 / 3.0, 2 / 3.0}, {2 / 3.0, 2 / 3.0, -1 / 3.0}, {-1 / 3.0, 2 / 3.0, 2 / 3.0}};
    const double at[3] = {x, y, z};
    double out[3] = {x, y, z};
    for (int c = 0; c < 3 && turned; ++c) {
        out[c] = A[c][0] * at[0] + A[c][1] * at[1] + A[c][2] * at[2];
    }
    add(to, "%d, %.12g, %.12g, %.12g\n", id, out[0], out[1], out[2]);
}

static void add_nodes(Text *to, const Bar *b)
{
    const int o = b->order;
    add(to, "*NODE\n");
    for (int i = 0; i <= o * b->nx; ++i) {
        for (int j = 0; j <= o * b->ny; ++j) {
            for (int l = 0; l <= o * b->nz; ++l) {
                if (number(b, i, j, l) > 0) {
                    add_node(to, number(b, i, j, l), b->from + 0.1 * i / o, 0.1 * j / (o * b->ny),
                             0.1 * l / (o * b->nz));
                }
            }
        }
    }
}

static void add_elements(Text *to, const Bar *b, const char *set)
{
    static const int corner[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2},
                                      {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 0, 0}, {2, 1, 0},
                                      {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2}, {1, 2, 2},
                                      {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
    const int o = b->order;
    int e = b->first;
    add(to, "*ELEMENT, TYPE=%s, ELSET=%s\n", o == 2 ? "C3D20" : "C3D8I", set);
    for (int i = 0; i < b->nx; ++i) {
        for (int j = 0; j < b->ny; ++j) {
            for (int l = 0; l < b->nz; ++l, ++e) {
                add(to, "%d", e);
                for (int k = 0; k < (o == 2 ? 20 : 8); ++k) {
                    add(to, ",%s%d", k == 10 ? "\n" : " ",
                        number(b, o * i + corner[k][0] * o / 2, o * j + corner[k][1] * o / 2,
                               o * l + corner[k][2] * o / 2));
                }
                add(to, "\n");
            }
        }
    }
    const int layer = b->ny * b->nz; // at both ends
    add(to, "*ELSET, ELSET=%sLEFT, GENERATE\n%d, %d\n*ELSET, ELSET=%sRIGHT, GENERATE\n%d, %d\n",
        set, b->first, b->first + layer - 1, set, e - layer, e - 1);
    add(to, "*SOLID SECTION, ELSET=%s, MATERIAL=ST\n", set);
}

static void add_material(Text *to)
{
    add(to, "*MATERIAL, NAME=ST\n*ELASTIC\n210.D9, 0.3\n*DENSITY\n7850\n");
}

/* Two bars side by side, A and B. */
static void two_bars(Text *to, const Bar *a, const Bar *b)
{
    to->n = 0;
    add_nodes(to, a);
    add_nodes(to, b);
    add_elements(to, a, "A");
    add_elements(to, b, "B");
    add_material(to);
    add(to, "*SURFACE, NAME=SA\nARIGHT, S4\n*SURFACE, NAME=SB\nBLEFT, S6\n");
}

/* The part of that mesh. NULL: err tells. */
static TmlReducedPart *reduce(const Text *mesh, const char *keys, TmlError *err)
{
    char path[2][4200];
    TmlReducedPart *part = NULL;
    *err = (TmlError){0};
    for (int k = 0; k < 2; ++k) {
        snprintf(path[k], sizeof path[k], "%s/part_ties_%d.%s", TRAMMEL_BINARY_DIR, (int)getpid(),
                 k == 0 ? "inp" : "yaml");
        FILE *f = fopen(path[k], "w");
        if (f == NULL) {
            return NULL;
        }
        if (k == 0) {
            fputs(mesh->at, f);
        } else {
            fprintf(f, "part: bar\nmesh: part_ties_%d.inp\ndamping: 0.01\n%s", (int)getpid(), keys);
        }
        fclose(f);
    }
    (void)!tml_part_reduce(path[1], 0, NULL, NULL, &part, err);
    unlink(path[0]);
    unlink(path[1]);
    return part;
}

static bool noted(const TmlReducedPart *part, const char *what)
{
    for (int k = 0; tml_part_note(part, k) != NULL; ++k) {
        if (strstr(tml_part_note(part, k), what) != NULL) {
            return true;
        }
    }
    return false;
}

static const char *const ends =
    "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}, b: {box: [[0.6, 0, 0], "
    "[0.6, 1, 1]]}}\n";

/* The same frequencies and inertia. */
static void same_part(TestCtx *t, const TmlReducedPart *a, const TmlReducedPart *b, double rel)
{
    const TmlPartInfo p = tml_part_info(a), q = tml_part_info(b);
    CHECK_INT(t, p.modes, q.modes);
    CHECK_NEAR(t, p.mass, q.mass, rel * q.mass);
    CHECK_NEAR(t, p.inertia.cy.y, q.inertia.cy.y, rel * q.inertia.cy.y);
    for (int k = 0; k < p.modes && k < q.modes; ++k) {
        CHECK_NEAR(t, tml_part_mode(a, k).hertz, tml_part_mode(b, k).hertz,
                   rel * tml_part_mode(b, k).hertz);
    }
}

static const Bar left = {.order = 1, .nx = 3, .ny = 2, .nz = 2, .first = 1};
static const Bar right = {.from = 0.3, .order = 1, .nx = 3, .ny = 2, .nz = 2, .first = 1001};

/* Ways to join two bars, one line a node of the face; %s is filled by join(). */
static void join(Text *to, int way)
{
    if (way == 0) {
        add(to, "*TIE, NAME=T, ADJUST=YES\nSB, SA\n");
    } else if (way == 1) { // the faces of all elements, nodes by a set
        add(to, "*NSET, NSET=NB, GENERATE\n1001, 1009\n*SURFACE, NAME=SN, TYPE=NODE\nNB,\n"
                "*SURFACE, NAME=WHOLE\nA,\n*TIE, NAME=T\nSN, WHOLE\n");
    } else if (way == 2) { // twice as many relations as needed
        add(to, "*TIE, NAME=T\nSB, SA\n*EQUATION\n2\n1001, 1, 1., %d, 1, -1.\n",
            number(&left, 3, 0, 0));
    } else {
        static const char *const types[4] = {"TIE", "PIN", "beam", NULL};
        add(to, "%s", types[way - 3] != NULL ? "*MPC\n" : "*EQUATION\n");
        for (int k = 0; k < 9; ++k) {
            const int a = number(&left, 3, k / 3, k % 3), b = 1001 + k;
            for (int c = 1; c < 4 && types[way - 3] == NULL; ++c) {
                add(to, "2\n%d, %d, 1.,\n%d, %d, -1.\n", b, c, a, c);
            }
            if (types[way - 3] != NULL) {
                add(to, "%s, %d, %d\n", types[way - 3], b, a);
            }
        }
    }
}

/* Two bars with nodes in the same places, joined in each way, are the bar in one piece: rounding. */
TEST(joined_bars_are_one)
{
    static Text text;
    TmlError err;
    const Bar whole = {.order = 1, .nx = 6, .ny = 2, .nz = 2, .first = 1};
    add_nodes(&text, &whole);
    add_elements(&text, &whole, "A");
    add_material(&text);
    TmlReducedPart *one = reduce(&text, ends, &err);
    CHECK(t, one != NULL);
    for (int way = 0; way < 7 && one != NULL; ++way) {
        two_bars(&text, &left, &right);
        join(&text, way);
        TmlReducedPart *two = reduce(&text, ends, &err);
        CHECK_STR(t, err.message, "");
        if (two != NULL) {
            same_part(t, two, one, 1e-10); // round-off of the factors, as without ties
        }
        tml_part_free(two);
    }
    tml_part_free(one);
}

/* An interface on nodes that follow from others makes those follow it. */
TEST(interfaces_on_tied_nodes)
{
    static Text text;
    TmlError err;
    two_bars(&text, &left, &right);
    add(&text, "*TIE, NAME=T\nSB, SA\n");
    TmlReducedPart *on[2] = {
        reduce(&text,
               "modes: 4\ninterfaces: {a: {nodes: [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, "
               "1009]}}\n",
               &err),
        reduce(&text, "modes: 4\ninterfaces: {a: {nodes: [28, 29, 30, 31, 32, 33, 34, 35, 36]}}\n",
               &err)};
    CHECK_STR(t, err.message, "");
    if (on[0] != NULL && on[1] != NULL) {
        same_part(t, on[0], on[1], 1e-10); // rounding
    }
    tml_part_free(on[0]);
    tml_part_free(on[1]);
}

/* The tie of a finer mesh, and one of the same, held at one end, against ccx 2.20, which prints seven digits. */
TEST(ties_as_calculix_has_them)
{
    static const double hertz[2][8] = {
        {232.5577, 232.5577, 1316.947, 1316.947, 1336.529, 2171.966, 3273.492, 3273.492},
        {232.4600, 232.4694, 1314.673, 1314.818, 1320.822, 2171.965, 3261.285, 3263.403}};
    static Text text;
    for (int k = 0; k < 2; ++k) {
        TmlError err;
        const Bar a = {.order = 2, .nx = 3, .ny = 1, .nz = 1, .first = 1};
        const Bar b = {
            .from = 0.3, .order = 2, .nx = 3, .ny = 1 + k, .nz = 1 + 2 * k, .first = 1001};
        two_bars(&text, &a, &b);
        add(&text, "*TIE, NAME=T, POSITION TOLERANCE=0.01\nSB, SA\n");
        TmlReducedPart *part = reduce(
            &text,
            "mass_rule: ccx\nmodes: 8\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\nframe: a\n",
            &err);
        CHECK_STR(t, err.message, "");
        for (int j = 0; j < 8 && part != NULL; ++j) {
            CHECK_NEAR(t, tml_part_fixed_mode(part, j).hertz, hertz[k][j], 5e-7 * hertz[k][j]);
        }
        tml_part_free(part);
    }
}

/* A gap turns with the face: with it the part has the same frequencies when it is turned, as it would not if rigid motion
 * strained the tie. Nodes beyond the tolerance are not tied. */
TEST(gaps_turn_with_the_face)
{
    static Text text;
    static const char *const keys =
        "modes: 6\ninterfaces: {a: {nodes: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}\n";
    TmlReducedPart *part[2];
    TmlError err;
    Bar b = right;
    b.from = 0.304;
    for (int k = 0; k < 2; ++k) {
        turned = k == 1;
        two_bars(&text, &left, &b);
        add(&text, "*TIE, NAME=T, POSITION TOLERANCE=0.01, ADJUST=NO\nSB, SA\n");
        part[k] = reduce(&text, keys, &err);
        CHECK_STR(t, err.message, "");
    }
    turned = false;
    if (part[0] != NULL && part[1] != NULL) {
        const TmlPartInfo p = tml_part_info(part[0]);
        for (int k = 0; k < p.modes; ++k) {
            const double hertz = tml_part_mode(part[0], k).hertz;
            CHECK_NEAR(t, tml_part_mode(part[1], k).hertz, hertz,
                       1e-9 * hertz); // coordinates of 12 digits
        }
        // two bars of 23.55 kg whose ends are 0.304 m apart
        CHECK_NEAR(t, p.centre.x, 0.302, 1e-10);
    }
    tml_part_free(part[0]);
    tml_part_free(part[1]);
    two_bars(&text, &left, &b);
    add(&text, "*TIE, NAME=T\nSB, SA\n"); // nearer than a twentieth of a face, 0.0025
    CHECK(t, reduce(&text, keys, &err) == NULL);
    CHECK_HAS(t, err.message, "no node is near enough to surface 'SA'");
}

/* A mass at the reference node of a coupling goes with it, rigidly or as the mean does: mass, centre and inertia by hand. */
TEST(masses_at_reference_nodes)
{
    static const char *const kinds[3] = {
        "*COUPLING, REF NODE=5000, SURFACE=S, CONSTRAINT NAME=c\n*KINEMATIC\n",
        "*RIGID BODY, NSET=END, REF NODE=5000\n",
        "*COUPLING, REF NODE=5000, SURFACE=S\n*DISTRIBUTING, COUPLING=STRUCTURAL\n"};
    static Text text;
    for (int k = 0; k < 3; ++k) {
        TmlError err;
        text.n = 0;
        add_nodes(&text, &left);
        add(&text, "5000, 0.4, 0.05, 0.05\n*NSET, NSET=END, GENERATE\n28, 36\n*SURFACE, NAME=S, "
                   "TYPE=NODE\nEND\n");
        add_elements(&text, &left, "A");
        add(&text, "*ELEMENT, TYPE=MASS, ELSET=M\n5000, 5000\n*MASS, ELSET=M\n3.0\n%s", kinds[k]);
        add_material(&text);
        TmlReducedPart *part =
            reduce(&text, "modes: 4\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n", &err);
        CHECK_STR(t, err.message, "");
        if (part != NULL) {
            const TmlPartInfo info = tml_part_info(part);
            const double bar = 0.003 * 7850, mass = bar + 3.0,
                         centre = (0.15 * bar + 0.4 * 3.0) / mass;
            const double own = bar * (0.09 + 0.01) / 12.0; // about y of the bar; the mass has none
            const double inertia = own + bar * (centre - 0.15) * (centre - 0.15) +
                                   3.0 * (0.4 - centre) * (0.4 - centre);
            CHECK_NEAR(t, info.mass, mass, 1e-10); // rounding of sums over the mesh
            CHECK_NEAR(t, info.centre.x, centre, 1e-10);
            CHECK_NEAR(t, info.inertia.cy.y, inertia, 1e-10);
            CHECK_INT(t, info.frames, 2);
        }
        tml_part_free(part);
    }
}

/* A node of a beam at the corner of a block, tied by MPC BEAM across 0.05 m, against the beam tied to a rigid body there. */
TEST(beams_on_arms)
{
    static Text text;
    TmlReducedPart *part[2];
    TmlError err;
    for (int k = 0; k < 2; ++k) {
        text.n = 0;
        add_nodes(&text, &left);
        add(&text,
            "5000, 0.35, 0.05, 0.05\n5001, 0.7, 0.05, 0.05\n*NSET, NSET=END, GENERATE\n28, 36\n");
        add_elements(&text, &left, "A");
        add(&text, "*ELEMENT, TYPE=B31, ELSET=BE\n5000, 5000, 5001\n*BEAM SECTION, SECTION=RECT, "
                   "ELSET=BE, "
                   "MATERIAL=ST\n0.02, 0.03\n0, 0, 1\n");
        add(&text, "%s",
            k == 0 ? "*RIGID BODY, NSET=END, REF NODE=5000\n" : "*MPC\nBEAM, END, 5000\n");
        add_material(&text);
        part[k] = reduce(&text,
                         k == 0 ? "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n"
                                : "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}, "
                                  "node5000: {node: 5000}}\n",
                         &err);
        CHECK_STR(t, err.message, "");
    }
    if (part[0] != NULL && part[1] != NULL) {
        same_part(t, part[0], part[1], 1e-9); // rounding of factors of another order
    }
    tml_part_free(part[0]);
    tml_part_free(part[1]);
}

/* Two plates in one plane, tied along an edge: as one plate of shells. */
TEST(shells_edge_to_face)
{
    static Text text;
    TmlReducedPart *part[2];
    TmlError err;
    for (int k = 0; k < 2; ++k) {
        const int shift = k == 0 ? 0 : 100; // nodes of the second plate are its own
        text.n = 0;
        add(&text, "*NODE\n");
        for (int i = 0; i < 5; ++i) {
            for (int j = 0; j < 3; ++j) {
                add(&text, "%d, %g, %g, 0\n", 3 * i + j + 1, 0.1 * i, 0.1 * j);
                if (k == 1 && i >= 2) {
                    add(&text, "%d, %g, %g, 0\n", 3 * i + j + 1 + shift, 0.1 * i, 0.1 * j);
                }
            }
        }
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 2; ++j) {
                const int a = 3 * i + j + 1 + (i >= 2 ? shift : 0);
                add(&text, "*ELEMENT, TYPE=S4, ELSET=%s\n%d, %d, %d, %d, %d\n", i < 2 ? "A" : "B",
                    2 * i + j + 1, a, a + 3, a + 4, a + 1);
            }
        }
        if (k ==
            1) { // nodes 7 to 9 of the first plate are those of its edge; the rest of its copies has no element
            add(&text, "*NSET, NSET=EDGE\n107, 108, 109\n*SURFACE, NAME=SN, "
                       "TYPE=NODE\nEDGE\n*SURFACE, NAME=SA\nA, SPOS\n"
                       "*TIE, NAME=T\nSN, SA\n");
        }
        add(&text, "*SHELL SECTION, ELSET=A, MATERIAL=ST\n0.004\n*SHELL SECTION, ELSET=B, "
                   "MATERIAL=ST\n0.004\n");
        add_material(&text);
        part[k] = reduce(&text, "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n", &err);
        CHECK_STR(t, err.message, "");
    }
    if (part[0] != NULL && part[1] != NULL) {
        same_part(t, part[1], part[0], 1e-9); // rounding of factors of another order
    }
    tml_part_free(part[0]);
    tml_part_free(part[1]);
}

/* Lines between corners, and a line between these, are the tie of a finer face. */
TEST(lines_between_nodes)
{
    static Text text;
    TmlReducedPart *part[2];
    TmlError err;
    Bar a = left;
    a.ny = a.nz = 1;
    for (int k = 0; k < 2; ++k) {
        two_bars(&text, &a, &right);
        if (k == 0) {
            add(&text, "*TIE, NAME=T\nSB, SA\n");
        } else {
            add(&text, "*MPC\nPIN, 1001, 13\nPIN, 1003, 14\nPIN, 1007, 15\nPIN, 1009, 16\n"
                       "LINEAR, 1002, 13, 14\nLINEAR, 1004, 13, 15\nLINEAR, 1006, 14, 16\nLINEAR, "
                       "1008, 15, 16\n"
                       "LINEAR, 1005, 1002, 1008\n");
        }
        part[k] = reduce(&text, ends, &err);
        CHECK_STR(t, err.message, "");
    }
    if (part[0] != NULL && part[1] != NULL) {
        same_part(t, part[1], part[0], 1e-10); // rounding
    }
    tml_part_free(part[0]);
    tml_part_free(part[1]);
}

/* The distance of two nodes stays: as with a spring of 1e15 N/m between them, a thousandth of a percent of whose compliance the
 * bar has. Rounding of such a spring is 1e-5 of the stiffness of a brick, 2e10 N/m. */
TEST(links_are_stiff_springs)
{
    static const char *const brace[3] = {
        "", "*MPC\nLINK, 1, 36\n",
        "*ELEMENT, TYPE=SPRINGA, ELSET=S\n900, 1, 36\n*SPRING, ELSET=S\n\n1e15\n"};
    static Text text;
    TmlReducedPart *part[3];
    TmlError err;
    for (int k = 0; k < 3; ++k) {
        text.n = 0;
        add_nodes(&text, &left);
        add_elements(&text, &left, "A");
        add_material(&text);
        add(&text, "%s", brace[k]);
        part[k] = reduce(&text, "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n", &err);
        CHECK_STR(t, err.message, "");
    }
    if (part[0] != NULL && part[1] != NULL && part[2] != NULL) {
        same_part(t, part[1], part[2], 1e-4);
        // the first bends across the link
        CHECK(t,
              tml_part_fixed_mode(part[1], 1).hertz > 1.01 * tml_part_fixed_mode(part[0], 1).hertz);
    }
    for (int k = 0; k < 3; ++k) {
        tml_part_free(part[k]);
    }
}

TEST(coarse_nodes_on_fine_faces)
{
    static Text text;
    TmlError err;
    Bar b = right;
    b.ny = b.nz = 1;
    two_bars(&text, &left, &b);
    add(&text, "*TIE, NAME=T\nSB, SA\n");
    TmlReducedPart *part = reduce(&text, ends, &err);
    CHECK(t, part != NULL && noted(part, "make it the second one"));
    tml_part_free(part);
}

TEST(wrong_ties)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"*TIE, NAME=T\nSB, SA\n*EQUATION\n1\n1, 1, 1.\n", "it resists rigid motion along x"},
        {"*TIE, NAME=T\nSB, SA\n*EQUATION\n2\n1, 1, 1., 3, 1, -1.\n",
         "it resists rigid motion about"},
        {"*EQUATION\n3\n1, 1, 1., 3, 1, -1.\n", "1 terms are missing"},
        {"*EQUATION\n2\n1, 7, 1., 3, 1, -1.\n", "degrees of freedom are 1 to 6"},
        {"*EQUATION\n2\n1, 1, 1., 3\n", "a term has a node"},
        {"*EQUATION\n2\n1, 1, 1., 777, 1, -1.\n", "there is no node or set of nodes '777'"},
        {"*MPC\nSLIDER, 1, 2, 3\n", "the type 'SLIDER' is not read"},
        {"*MPC\nBEAM, 1\n", "BEAM has 2 nodes"},
        {"*MPC\nPIN, 1001, 1\n", "it resists rigid motion about"},
        {"*TIE, NAME=T\nSB\n", "a line has two surfaces"},
        {"*TIE, NAME=T\nSB, NONE\n", "there is no surface 'NONE'"},
        {"*TIE, NAME=T, CYCLIC SYMMETRY\nSB, SA\n", "CYCLIC SYMMETRY is not read"},
        {"*SURFACE, NAME=N, TYPE=NODE\n1,\n*TIE, NAME=T\nSB, N\n", "faces are wanted"},
        {"*TIE, NAME=T\nSB, SA\n*TRANSFORM, NSET=X\n1, 0, 0, 0, 1, 0\n*EQUATION\n2\n1, 1, 1., "
         "1001, 1, -1.\n",
         "*TRANSFORM"},
    };
    static Text text;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlError err;
        t->name = bad[k].message;
        two_bars(&text, &left, &right);
        add(&text, "%s", bad[k].text);
        CHECK(t, reduce(&text, ends, &err) == NULL);
        CHECK_HAS(t, err.message, bad[k].message);
    }
    t->name = NULL;
}

/* A part with its own set, surface and section, and an assembly of `n` of it in a row; %s stands before the end of the assembly. */
static void assemble(Text *to, int n, const char *place, const char *end)
{
    to->n = 0;
    add(to, "*Heading\n*Part, name=P\n");
    add_nodes(to, &left);
    add_elements(to, &left, "E");
    add(to, "*Surface, type=ELEMENT, name=SA\nELEFT, S6\n*Nset, nset=FIRST\n1, 2\n*End "
            "Part\n*Assembly, name=A\n"
            "*Instance, name=P-1, part=p\n*End Instance\n");
    for (int k = 1; k < n; ++k) {
        add(to, "*Instance, name=P-%d, part=P\n", k + 1);
        if (k == 1) {
            add(to, "%s", place);
        } else {
            add(to, "%g, 0., 0.\n", 0.3 * k);
        }
        add(to, "*End Instance\n");
    }
    add(to,
        "*Elset, elset=_SB, internal, instance=P-1, generate\n 9, 12, 1\n*Surface, type=ELEMENT, "
        "name=SB\n_SB, S4\n"
        "*Elset, elset=_SC, internal, instance=P-2\n9, 10, 11, 12\n*Surface, type=ELEMENT, "
        "name=SC\n_SC, S4\n%s"
        "*End Assembly\n",
        end);
    add_material(to);
}

/* Instances of a part, shifted or turned about, tied by surfaces, by nodes and by sets, are the bar in one piece. */
TEST(instances_are_copies)
{
    static const struct {
        int n;
        const char *place, *end;
    } way[] = {
        {2, "0.3, 0., 0.\n", "*Tie, name=T, adjust=yes\nP-2.SA, SB\n"},
        {2, "0.6, 0.1, 0.\n0.6, 0.1, 0., 0.6, 0.1, 1., 180.\n", "*Tie, name=T\nSC, SB\n"},
        {2, "0.3, 0., 0.\n",
         "*MPC\nTIE, P-2.1, P-1.28\nTIE, P-2.2, P-1.29\nTIE, P-2.3, P-1.30\nTIE, P-2.4, "
         "P-1.31\nTIE, P-2.5, P-1.32\n"
         "*Nset, nset=s, instance=P-2\n6\n*Nset, nset=m, instance=P-1\n33\n*MPC\nPIN, s, m\nPIN, "
         "P-2.7, P-1.34\n"
         "PIN, P-2.8, P-1.35\n*EQUATION\n2\nP-2.9, 1, 1., P-1.36, 1, -1.\n2\nP-2.9, 2, 1., P-1.36, "
         "2, -1.\n"
         "2\nP-2.9, 3, 1., P-1.36, 3, -1.\n"},
        {3, "0.3, 0., 0.\n", "*Tie, name=T\nP-2.SA, SB\n*Tie, name=U\nP-3.SA, SC\n"},
    };
    static Text text;
    TmlError err;
    for (size_t k = 0; k < sizeof way / sizeof way[0]; ++k) {
        char keys[200];
        const Bar whole = {.order = 1, .nx = 3 * way[k].n, .ny = 2, .nz = 2, .first = 1};
        const double end = 0.3 * way[k].n;
        snprintf(keys, sizeof keys,
                 "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}, b: {box: [[%g, 0, 0], "
                 "[%g, 1, 1]]}}\n",
                 end, end);
        text.n = 0;
        add_nodes(&text, &whole);
        add_elements(&text, &whole, "A");
        add_material(&text);
        TmlReducedPart *one = reduce(&text, keys, &err);
        assemble(&text, way[k].n, way[k].place, way[k].end);
        TmlReducedPart *two = reduce(&text, keys, &err);
        CHECK_STR(t, err.message, "");
        if (one != NULL && two != NULL) {
            same_part(t, two, one, 1e-10); // rounding of the factors
            CHECK(t, noted(two, "instance 'P-2': 1000 is added"));
        }
        tml_part_free(one);
        tml_part_free(two);
    }
}

/* A mass of the assembly at a reference point that a coupling ties to an instance; sets of instances are interfaces. */
TEST(masses_of_the_assembly)
{
    static const char *const end = "*Node\n1, 0.7, 0.05, 0.05\n*Nset, nset=m_Set\n1,\n*Element, "
                                   "type=MASS, elset=em\n1, 1\n*Mass, elset=em\n3.\n"
                                   "*Nset, nset=s_Set, instance=P-2, generate\n28, 36\n*Surface, "
                                   "type=NODE, name=s_CNS_, internal\ns_Set, 1.\n"
                                   "*Coupling, constraint name=C-1, ref node=m_Set, "
                                   "surface=s_CNS_\n*Kinematic\n*Tie, name=T\nP-2.SA, SB\n";
    static Text text;
    TmlError err;
    assemble(&text, 2, "0.3, 0., 0.\n", end);
    TmlReducedPart *part = reduce(
        &text, "modes: 4\ninterfaces: {a: {nodes: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}\nkeep: {}\n", &err);
    CHECK_STR(t, err.message, "");
    if (part != NULL) {
        const TmlPartInfo info = tml_part_info(part);
        const double bar = 0.006 * 7850, mass = bar + 3.0;
        CHECK_NEAR(t, info.mass, mass, 1e-10); // rounding of sums over the mesh
        CHECK_NEAR(t, info.centre.x, (0.3 * bar + 0.7 * 3.0) / mass, 1e-10);
        CHECK_STR(t, tml_part_frame(part, 1).name, "C_1");
    }
    tml_part_free(part);
}

/* Rotary inertia at the reference node of a coupling, about the axes of the mesh; nodes of elements as a set. */
TEST(rotary_inertia_and_nodes_of_elements)
{
    static Text text;
    TmlError err;
    text.n = 0;
    add_nodes(&text, &left);
    add(&text, "5000, 0.4, 0.05, 0.05\n");
    add_elements(&text, &left, "A");
    add(&text, "*NSET, NSET=END, ELSET=ARIGHT\n*SURFACE, NAME=S, TYPE=NODE\nEND\n*ELEMENT, "
               "TYPE=MASS, ELSET=M\n5000, 5000\n"
               "*MASS, ELSET=M\n3.0\n*ELEMENT, TYPE=ROTARYI, ELSET=R\n5001, 5000\n*ROTARY INERTIA, "
               "ELSET=R\n"
               "0.02, 0.05, 0.04\n*COUPLING, REF NODE=5000, SURFACE=S, CONSTRAINT "
               "NAME=c\n*KINEMATIC\n1, 3\n");
    add_material(&text);
    TmlReducedPart *part =
        reduce(&text, "modes: 4\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n", &err);
    CHECK_STR(t, err.message, "");
    if (part != NULL) {
        const TmlPartInfo info = tml_part_info(part);
        const double bar = 0.003 * 7850, mass = bar + 3.0, x = (0.15 * bar + 0.4 * 3.0) / mass;
        const double both = bar * (x - 0.15) * (x - 0.15) + 3.0 * (0.4 - x) * (0.4 - x);
        CHECK_NEAR(t, info.mass, mass, 1e-10); // rounding of sums over the mesh
        CHECK_NEAR(t, info.inertia.cx.x, bar * 0.02 / 12 + 0.02, 1e-10);
        CHECK_NEAR(t, info.inertia.cy.y, bar * 0.1 / 12 + both + 0.05, 1e-10);
        CHECK_NEAR(t, info.inertia.cz.z, bar * 0.1 / 12 + both + 0.04, 1e-10);
        CHECK_NEAR(t, info.mesh_inertia.cz.z, info.inertia.cz.z, 1e-10);
    }
    tml_part_free(part);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"*ROTARY INERTIA, ELSET=R\n0.02, 0.05, 0.04, 1e-3\n", "products of inertia are not read"},
        {"*ROTARY INERTIA, ELSET=R\n0.02\n", "three moments"},
        {"*NSET, NSET=X, ELSET=NONE\n", "there is no set of elements 'NONE'"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        two_bars(&text, &left, &right);
        add(&text, "%s", bad[k].text);
        CHECK(t, reduce(&text, ends, &err) == NULL);
        CHECK_HAS(t, err.message, bad[k].message);
    }
}

/* Nodes of shells that follow a reference node with their displacements alone: as with arms (BEAM) to points on which they hinge. Coordinates that a line of a node leaves out are zero. */
TEST(couplings_of_some_freedoms)
{
    static Text text;
    TmlReducedPart *part[3];
    TmlError err;
    for (int k = 0; k < 3; ++k) {
        text.n = 0;
        add(&text, "*NODE\n");
        for (int i = 0; i < 5; ++i) {
            for (int j = 0; j < 3; ++j) {
                add(&text, j == 0 ? "%d, %g\n" : "%d, %g, %g,\n", 3 * i + j + 1, 0.1 * i, 0.1 * j);
            }
        }
        add(&text, "500, 0.5, 0.1, 0.05\n*ELEMENT, TYPE=S4, ELSET=A\n");
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 2; ++j) {
                const int a = 3 * i + j + 1;
                add(&text, "%d, %d, %d, %d, %d\n", 2 * i + j + 1, a, a + 3, a + 4, a + 1);
            }
        }
        add(&text,
            "*SHELL SECTION, ELSET=A, MATERIAL=ST\n0.004\n*NSET, NSET=EDGE\n10, 12, 13, 14, 15\n"
            "*SURFACE, NAME=S, TYPE=NODE\nEDGE\n");
        if (k ==
            2) { // points at the nodes of the edge go with the reference node, and carry the edge on pins
            add(&text, "*NODE\n510, 0.3\n512, 0.3, 0.2\n513, 0.4, 0\n514, 0.4, 0.1\n515, 0.4, "
                       "0.2\n*MPC\nPIN, 13, 513\nPIN, "
                       "14, 514\nPIN, 15, 515\n"
                       "PIN, 10, 510\nPIN, 12, 512\nBEAM, 510, 500\nBEAM, 512, 500\nBEAM, 513, "
                       "500\nBEAM, 514, 500\nBEAM, 515, 500\n");
        } else {
            add(&text, "*COUPLING, REF NODE=500, SURFACE=S, CONSTRAINT NAME=c\n*KINEMATIC\n%s",
                k == 0 ? "1, 3\n" : "1, 6\n");
        }
        add_material(&text);
        part[k] = reduce(
            &text,
            k < 2 ? "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}}\n"
                  : "modes: 6\ninterfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}, c: {node: 500}}\n",
            &err);
        CHECK_STR(t, err.message, "");
    }
    if (part[0] != NULL && part[1] != NULL && part[2] != NULL) {
        same_part(t, part[0], part[2], 1e-9); // rounding of factors of another order
        CHECK_STR(t, tml_part_frame(part[0], 1).name, "c");
        // a clamped edge is stiffer than one on hinges
        CHECK(t,
              tml_part_fixed_mode(part[1], 0).hertz > 1.2 * tml_part_fixed_mode(part[0], 0).hertz);
    }
    for (int k = 0; k < 3; ++k) {
        tml_part_free(part[k]);
    }
}

TEST(wrong_instances)
{
    static const struct {
        const char *place, *end, *message;
    } bad[] = {
        {"0.3, 0, 0\n", "", "in 2 pieces that share no node"},
        {"0.3, 0\n", "", "a line has a shift of 3 numbers"},
        {"0.3, 0, 0\n*End Instance\n*Instance, name=P-9, part=Q\n", "", "there is no part 'Q'"},
        {"0.3, 0, 0\n*End Instance\n*Instance, name=p-2, part=P\n", "",
         "each needs a NAME of its own"},
        {"0.3, 0, 0\n", "*Tie, name=T\nP-4.SA, SB\n", "there is no surface 'P-4.SA'"},
        {"0.3, 0, 0\n", "*Nset, nset=q, instance=P-4\n1\n", "there is no instance 'P-4'"},
        {"0.3, 0, 0\n", "*Nset, nset=q, instance=P-2\nP-4.1\n", "there is no instance of 'P-4.1'"},
        {"0.3, 0, 0\n", "*Element, type=MASS, elset=e\n1, 5\n", "the assembly has no node 5"},
    };
    static Text text;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlError err;
        t->name = bad[k].message;
        assemble(&text, 2, bad[k].place, bad[k].end);
        CHECK(t, reduce(&text, ends, &err) == NULL);
        CHECK_HAS(t, err.message, bad[k].message);
    }
    t->name = NULL;
}

TEST_SUITE(part_ties) = {CASE(joined_bars_are_one),
                         CASE(interfaces_on_tied_nodes),
                         CASE(ties_as_calculix_has_them),
                         CASE(gaps_turn_with_the_face),
                         CASE(masses_at_reference_nodes),
                         CASE(beams_on_arms),
                         CASE(shells_edge_to_face),
                         CASE(lines_between_nodes),
                         CASE(links_are_stiff_springs),
                         CASE(coarse_nodes_on_fine_faces),
                         CASE(wrong_ties),
                         CASE(instances_are_copies),
                         CASE(masses_of_the_assembly),
                         CASE(rotary_inertia_and_nodes_of_elements),
                         CASE(couplings_of_some_freedoms),
                         CASE(wrong_instances),
                         {0}};
