/* tests/reduce/test_fe_cases.c - matrices, frequencies and stresses of the reference meshes. */
#include "fe_util.h"

#include "io/part/mesh_build.h"
#include "io/part/mesh_read.h"

static const double young = 210e9, poisson = 0.3, density = 7850;

static const char *case_path(const char *name)
{
    static char path[4096];
    const char *dir = test_cases_dir();
    if (dir == NULL) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/modal/%s", dir, name);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        return NULL;
    }
    fclose(f);
    return path;
}

static bool beam(TestCtx *t, const char *name, TmlFeMesh *mesh)
{
    TmlError err = {0};
    const char *path = case_path(name);
    if (path == NULL) {
        test_skip(t, "no reference cases");
        return false;
    }
    CHECK_OK(t, tml_msh_read(path, mesh, &err), &err);
    fe_material(mesh, young, poisson, density);
    return true;
}

/* Rows of numbers of a table, its head left out; returns the number of rows. */
static int table(const char *name, int columns, int most, double *out)
{
    const char *path = case_path(name);
    FILE *f = path != NULL ? fopen(path, "r") : NULL;
    char line[4096];
    int n = 0;
    if (f == NULL) {
        return 0;
    }
    while (fgets(line, sizeof line, f) != NULL && n < most) {
        char *at = line;
        int k = 0;
        for (; k < columns; ++k) {
            char *end;
            out[n * columns + k] = strtod(at, &end);
            if (end == at) {
                break;
            }
            at = end + (*end == ',');
        }
        n += k == columns;
    }
    fclose(f);
    return n;
}

/* Freedoms of nodes at x = 0. */
static bool *hold_end(const TmlFeMatrices *a, TmlArena *arena)
{
    bool *held = tml_arena_alloc(arena, (size_t)a->n, sizeof *held);
    for (int k = 0; k < a->n_nodes; ++k) {
        for (int i = a->first[k]; i < a->first[k + 1]; ++i) {
            held[i] = fabs(a->x[k].x) < 1e-9;
        }
    }
    return held;
}

/* Largest difference between a matrix and a file "row column value", as a part of the largest
 * entry; head: lines of a Matrix Market file come first. */
static double file_difference(TestCtx *t, const char *name, const TmlCsc *A, bool head)
{
    const char *path = case_path(name);
    FILE *f = fopen(path, "r");
    char line[256];
    double worst = 0, largest = 0, value, sum = 0, own = 0;
    int row, col;
    while (head && fgets(line, sizeof line, f) != NULL && line[0] == '%') {
    }
    while (fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "%d %d %lf", &row, &col, &value) != 3 || row < col) {
            continue;
        }
        const int at = tml_csc_find(A, row - 1, col - 1);
        const double mine = at >= 0 ? A->x[at] : 0.0;
        worst = fmax(worst, fabs(value - mine));
        largest = fmax(largest, fabs(value));
        sum += fabs(value);
    }
    fclose(f);
    for (int k = 0; k < A->start[A->cols]; ++k) {
        own += fabs(A->x[k]);
    }
    // what the file leaves out would be missing in its sum; sums of 1e5 entries round by 1e-13
    CHECK_NEAR(t, own / sum, 1.0, 1e-10);
    return worst / largest;
}

TEST(coarse_beam_matrices)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    if (!beam(t, "tet10_beam_coarse/mesh.msh", &mesh)) {
        return;
    }
    CHECK_INT(t, mesh.n_nodes, 651);
    CHECK_INT(t, mesh.n_elements, 276);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    CHECK_OK(t, tml_fe_check_pieces(&mesh, 0, NULL, &err), &err);
    // files of 12 digits
    CHECK_NEAR(t, file_difference(t, "tet10_beam_coarse/K.mtx", &a.K, true), 0.0, 1e-11);
    CHECK_NEAR(t, file_difference(t, "tet10_beam_coarse/M.mtx", &a.M, true), 0.0, 1e-11);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* Fixed and free frequencies of a beam: columns ccx fixed, own fixed, ccx free, own free. */
static void check_beam(TestCtx *t, const char *folder)
{
    char name[200];
    double f[20 * 5], hertz[26];
    for (int rule = 0; rule < 2; ++rule) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        TmlArena arena = {0};
        snprintf(name, sizeof name, "%s/mesh.msh", folder);
        if (!beam(t, name, &mesh)) {
            return;
        }
        snprintf(name, sizeof name, "%s/frequencies.csv", folder);
        CHECK_INT(t, table(name, 5, 20, f), 20);
        CHECK_OK(t,
                 tml_fe_assemble(&mesh, rule == 0 ? TML_FE_MASS_EXACT : TML_FE_MASS_CCX, &a, &err),
                 &err);
        // printed with 9 digits (own) and 7 digits (ccx: rounding of 5e-7 of the first digit)
        const double tol = rule == 0 ? 1e-8 : 6e-7;
        fe_frequencies(t, &a, hold_end(&a, &arena), 0.0, 20, hertz);
        for (int k = 0; k < 20; ++k) {
            CHECK_NEAR(t, hertz[k] / f[5 * k + (rule == 0 ? 2 : 1)], 1.0, tol);
        }
        fe_frequencies(t, &a, NULL, 1e6, 26, hertz);
        for (int k = 0; k < 20; ++k) {
            CHECK_NEAR(t, hertz[k + 6] / f[5 * k + (rule == 0 ? 4 : 3)], 1.0, tol);
        }
        tml_arena_free(&arena);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

TEST(coarse_beam_frequencies)
{
    check_beam(t, "tet10_beam_coarse");
}

TEST(beam_frequencies)
{
    check_beam(t, "tet10_beam");
}

/* u of the load case of a folder with its end held. */
static double *solve_static(TestCtx *t, const char *folder, const TmlFeMatrices *a, TmlArena *arena)
{
    char name[200];
    double *load = tml_arena_alloc(arena, 3 * 2000, sizeof *load);
    double *u = tml_arena_alloc(arena, (size_t)a->n, sizeof *u);
    FeSmall p;
    snprintf(name, sizeof name, "%s/static_loads.csv", folder);
    const int n = table(name, 3, 2000, load);
    CHECK(t, n > 0);
    fe_small(t, a, hold_end(a, arena), 0.0, &p);
    double *b = tml_arena_alloc(arena, (size_t)p.n, sizeof *b);
    for (int k = 0; k < n; ++k) { // nodes are numbered from 1 without gaps
        b[p.number[3 * ((int)load[3 * k] - 1) + (int)load[3 * k + 1] - 1]] += load[3 * k + 2];
    }
    tml_lu_solve(p.lu, b);
    for (int k = 0; k < a->n; ++k) {
        u[k] = p.number[k] >= 0 ? b[p.number[k]] : 0.0;
    }
    fe_small_free(&p);
    return u;
}

static void check_static(TestCtx *t, const char *folder)
{
    enum { MOST = 4000 };
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlArena arena = {0};
    TmlError err = {0};
    char name[200];
    static double u_ref[4 * MOST], s_ref[12 * MOST];
    double scale = 0, worst = 0, most = 0, largest = 0;
    snprintf(name, sizeof name, "%s/mesh.msh", folder);
    if (!beam(t, name, &mesh)) {
        return;
    }
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    const double *u = solve_static(t, folder, &a, &arena);
    snprintf(name, sizeof name, "%s/static_displacement.csv", folder);
    const int n = table(name, 4, MOST, u_ref);
    CHECK_INT(t, n, mesh.n_nodes);
    for (int k = 0; k < 3 * n; ++k) {
        scale = fmax(scale, fabs(u[k]));
        worst = fmax(worst, fabs(u[k] - u_ref[4 * (k / 3) + 1 + k % 3]));
    }
    CHECK_NEAR(t, worst / scale, 0.0, 1e-6); // printed with 7 digits
    snprintf(name, sizeof name, "%s/static_stress_ip.csv", folder);
    const int points = table(name, 12, MOST, s_ref);
    CHECK_INT(t, points, 4 * mesh.n_elements);
    for (int k = 0; k < points / 4; ++k) {
        TmlFeOne one;
        double own[30], stress[24];
        tml_fe_one(&mesh, k, TML_FE_MASS_EXACT, &one);
        for (int i = 0; i < 30; ++i) {
            own[i] = u[a.first[mesh.node[mesh.element[k].first + i / 3]] + i % 3];
        }
        one.type->stress(&one, own, stress);
        static const int order[6] = {0, 1, 2, 3, 5, 4}; // xx yy zz xy xz yz
        for (int i = 0; i < 24; ++i) {
            const double ref = s_ref[12 * (4 * k + i / 6) + 5 + order[i % 6]];
            most = fmax(most, fabs(ref));
            largest = fmax(largest, fabs(stress[i] - ref));
        }
    }
    CHECK_NEAR(t, largest / most, 0.0, 3e-7); // printed with 7 digits
    tml_arena_free(&arena);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* A beam that spins about z with one end on the axis at 100 rad/s, out of the plane and in it; slender ones
 * have 1.193 and 0.193. */
TEST(spinning_beam)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlArena arena = {0};
    TmlError err = {0};
    double rise[2];
    if (!beam(t, "tet10_beam_coarse/mesh.msh", &mesh)) {
        return;
    }
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    fe_spin(t, &a, hold_end(&a, &arena), 0.03, 100, true, rise);
    CHECK_NEAR(t, rise[0], 1.192, 6e-4); // printed with 4 digits
    CHECK_NEAR(t, rise[1], 0.195, 6e-4); // printed with 3 digits
    tml_arena_free(&arena);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

TEST(static_stresses)
{
    check_static(t, "tet10_beam_coarse");
    check_static(t, "tet10_beam");
}

/* The plate of hexahedra from its tables. */
static bool plate(TestCtx *t, const char *type, TmlFeMesh *mesh)
{
    enum { MOST = 700 };
    static double row[21 * MOST];
    TmlMeshBuild b;
    TmlError err = {0};
    if (case_path("hex20_plate/nodes.csv") == NULL) {
        test_skip(t, "no reference cases");
        return false;
    }
    *mesh = (TmlFeMesh){.file = "plate"};
    tml_mesh_build_init(&b, mesh);
    int n = table("hex20_plate/nodes.csv", 4, MOST, row);
    for (int k = 0; k < n; ++k) {
        tml_mesh_add_node(&b, (int64_t)row[4 * k],
                          (TmlVec3){row[4 * k + 1], row[4 * k + 2], row[4 * k + 3]}, k + 2);
    }
    n = table("hex20_plate/elements.csv", 21, MOST, row);
    for (int k = 0; k < n; ++k) {
        int64_t node[20];
        for (int i = 0; i < 20; ++i) {
            node[i] = (int64_t)row[21 * k + 1 + i];
        }
        (void)tml_mesh_add_element(&b, tml_fe_type_named(type), (int64_t)row[21 * k], node, k + 2);
    }
    CHECK_OK(t, tml_mesh_finish(&b, &err), &err);
    tml_mesh_build_free(&b);
    fe_material(mesh, young, poisson, density);
    return true;
}

TEST(plate_frequencies)
{
    double f[20 * 5], hertz[26];
    for (int reduced = 0; reduced < 2; ++reduced) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlArena arena = {0};
        TmlError err = {0};
        if (!plate(t, reduced == 0 ? "hex20" : "hex20r", &mesh)) {
            return;
        }
        const int n = table("hex20_plate/frequencies.csv", 5, 20, f);
        CHECK(t, n >= 6);
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_CCX, &a, &err), &err);
        fe_frequencies(t, &a, hold_end(&a, &arena), 0.0, n, hertz);
        for (int k = 0; k < n; ++k) {
            CHECK_NEAR(t, hertz[k] / f[5 * k + 1 + reduced], 1.0, 6e-7); // printed with 7 digits
        }
        if (reduced == 0) {
            fe_frequencies(t, &a, NULL, 1e5, n + 6, hertz);
            for (int k = 0; k < n; ++k) {
                CHECK_NEAR(t, hertz[k + 6] / f[5 * k + 4], 1.0, 6e-7); // as above
            }
        }
        tml_arena_free(&arena);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

/* Matrices that Abaqus wrote, from its own file. */
TEST(block_matrices)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlArena arena = {0};
    TmlError err = {0};
    double f[12 * 5], hertz[18];
    const char *path = case_path("abaqus_block_C3D10/blockC3D10.inp");
    if (path == NULL) {
        test_skip(t, "no reference cases");
        return;
    }
    CHECK_OK(t, tml_fe_mesh_read(path, &mesh, &err), &err);
    CHECK_INT(t, mesh.n_nodes, 257);
    CHECK_INT(t, mesh.n_elements, 122);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    // rounding of sums of some dozen terms
    CHECK_NEAR(t, file_difference(t, "abaqus_block_C3D10/blockC3D10_STIF1.mtx", &a.K, false), 0.0,
               1e-14);
    CHECK_NEAR(t, file_difference(t, "abaqus_block_C3D10/blockC3D10_MASS1.mtx", &a.M, false), 0.0,
               1e-14);
    const int n = table("abaqus_block_C3D10/frequencies.csv", 5, 12, f);
    CHECK(t, n >= 6);
    fe_frequencies(t, &a, hold_end(&a, &arena), 0.0, n, hertz);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(t, hertz[k] / f[5 * k + 3], 1.0, 1e-8); // printed with 9 digits
    }
    fe_frequencies(t, &a, NULL, 1e7, n + 6, hertz);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(t, hertz[k + 6] / f[5 * k + 1], 1.0, 1e-8); // printed with 9 digits
    }
    tml_arena_free(&arena);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* C3D8 of Abaqus is hex8b. */
TEST(rotor_stiffness)
{
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    const char *path = case_path("abaqus_rotor/rotorDiscTest.inp");
    if (path == NULL) {
        test_skip(t, "no reference cases");
        return;
    }
    CHECK_OK(t, tml_fe_mesh_read(path, &mesh, &err), &err);
    int count;
    CHECK_OK(t, tml_fe_retype(&mesh, "hex8", "hex8b", &count, &err), &err);
    CHECK_INT(t, count, mesh.n_elements);
    CHECK(t, tml_fe_retype(&mesh, "hex8b", "hex20", &count, &err) == TML_E_MODEL);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    CHECK_NEAR(t, file_difference(t, "abaqus_rotor/rotorDiscTestSTIF1.mtx", &a.K, false), 0.0,
               1e-14); // rounding, as above
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

TEST_SUITE(fe_cases) = {
    CASE(block_matrices),          CASE(rotor_stiffness),   CASE(coarse_beam_matrices),
    CASE(coarse_beam_frequencies), CASE(beam_frequencies),  CASE(static_stresses),
    CASE(spinning_beam),           CASE(plate_frequencies), {0}};
