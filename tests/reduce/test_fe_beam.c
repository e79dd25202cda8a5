/* tests/reduce/test_fe_beam.c - beams: the reference matrices, statics, buckling, sections. */
#include "fe_util.h"

#include "math/vec3.h"
#include "reduce/mesh/beam_section.h"
#include "reduce/mesh/mass_points.h"

/* A straight beam of n elements from the origin. */
static void line_mesh(int n, TmlVec3 end, const TmlFeSection *section, TmlFeMesh *mesh)
{
    *mesh = (TmlFeMesh){.n_nodes = n + 1, .n_elements = n, .n_sections = 1};
    mesh->id = tml_arena_alloc(&mesh->arena, (size_t)n + 1, sizeof *mesh->id);
    mesh->x = tml_arena_alloc(&mesh->arena, (size_t)n + 1, sizeof *mesh->x);
    mesh->node = tml_arena_alloc(&mesh->arena, 2 * (size_t)n, sizeof *mesh->node);
    mesh->element = tml_arena_alloc(&mesh->arena, (size_t)n, sizeof *mesh->element);
    mesh->section = tml_arena_alloc(&mesh->arena, 1, sizeof *mesh->section);
    mesh->section[0] = *section;
    for (int k = 0; k <= n; ++k) {
        mesh->id[k] = k + 1;
        mesh->x[k] = v3_scale((double)k / n, end);
    }
    for (int k = 0; k < n; ++k) {
        mesh->node[2 * k] = k;
        mesh->node[2 * k + 1] = k + 1;
        mesh->element[k] =
            (TmlFeElement){.id = k + 1, .type = tml_fe_type_named("beam31"), .first = 2 * k};
    }
    fe_material(mesh, 210e9, 0.3, 7850);
}

static TmlFeSection rectangle(void)
{
    TmlFeSection s = {.name = "r", .up = {0, 0, 1}};
    tml_section_rectangle(0.06, 0.04, 0.3, &s);
    s.J = 7.51e-7; // as in the reference
    s.shear_y = s.shear_z = 5.0 / 6.0;
    return s;
}

/* Largest difference from a Matrix Market file, as a part of the largest entry of its kind. */
static double difference(TestCtx *t, const char *name, const TmlCsc *A)
{
    char path[4096], line[256];
    const char *dir = test_cases_dir();
    double worst = 0, value;
    int row, col, n = 0;
    if (dir == NULL) {
        test_skip(t, "no reference cases");
        return 0;
    }
    snprintf(path, sizeof path, "%s/modal/timoshenko_beam/%s", dir, name);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        test_skip(t, "no reference cases");
        return 0;
    }
    bool sizes = false;
    while (fgets(line, sizeof line, f) != NULL) {
        if (line[0] == '%') {
            continue;
        }
        if (!sizes) {
            sizes = true;
            continue;
        }
        CHECK_INT(t, sscanf(line, "%d %d %lf", &row, &col, &value), 3);
        const int at = tml_csc_find(A, row - 1, col - 1);
        const double p = A->x[tml_csc_find(A, row - 1, row - 1)];
        const double q = A->x[tml_csc_find(A, col - 1, col - 1)];
        worst = fmax(worst, fabs(value - (at >= 0 ? A->x[at] : 0.0)) / sqrt(p * q));
        n++;
    }
    fclose(f);
    CHECK(t, n > 300);
    return worst;
}

TEST(reference_matrices)
{
    const TmlFeSection s = rectangle();
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    line_mesh(20, v3(1, 0, 0), &s, &mesh);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    CHECK_INT(t, a.n, 126);
    CHECK_NEAR(t, difference(t, "K.mtx", &a.K), 0.0, 1e-12); // rounding of 17 digits
    CHECK_NEAR(t, difference(t, "M.mtx", &a.M), 0.0, 1e-12); // rounding of 17 digits
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* The same beam in any direction has the same frequencies: axes of the section follow `up`. */
TEST(turned_beam)
{
    const double want[4] = {33.37811589, 49.98779951, 207.60963971, 308.08028231};
    for (int round = 0; round < 3; ++round) {
        const TmlMat33 A = q4_matrix(test_quat(t));
        TmlFeSection s = rectangle();
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        bool held[126] = {true, true, true, true, true, true};
        double hertz[4];
        s.up = v3_axpy(0.3, A.cx, A.cz); // not normal to the beam: it need not be
        line_mesh(20, A.cx, &s, &mesh);
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
        fe_frequencies(t, &a, held, 0.0, 4, hertz);
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(t, hertz[k] / want[k], 1.0, 1e-9); // printed with 10 digits
        }
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

/* Forces at the ends: a cantilever with a force at its tip along x, y and z, and a torque. */
TEST(section_forces)
{
    const TmlFeSection s = rectangle();
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    FeSmall p;
    bool held[12] = {true, true, true, true, true, true};
    double u[12] = {0}, force[12], x[6] = {100, 20, 30, 5, 0, 0};
    line_mesh(1, v3(2, 0, 0), &s, &mesh);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    fe_small(t, &a, held, 0.0, &p);
    tml_lu_solve(p.lu, x);
    memcpy(u + 6, x, sizeof x);
    // tip: F L / (E A), F L^3 / (3 E I) + F L / (k G A)
    const double G = 210e9 / 2.6, kGA = 5.0 / 6.0 * G * s.area;
    CHECK_NEAR(t, u[6] / (100 * 2 / (210e9 * s.area)), 1.0, 1e-12);                 // rounding
    CHECK_NEAR(t, u[7] / (20 * 8 / (3 * 210e9 * s.Iz) + 20 * 2 / kGA), 1.0, 1e-12); // rounding
    CHECK_NEAR(t, u[8] / (30 * 8 / (3 * 210e9 * s.Iy) + 30 * 2 / kGA), 1.0, 1e-12); // rounding
    TmlFeOne e;
    tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &e);
    e.type->stress(&e, u, force);
    // moments at the root: -z force times 2 about y is +, here M = r x F: (0, -60, 40)
    const double want[12] = {100, 20, 30, 5, -60, 40, 100, 20, 30, 5, 0, 0};
    for (int k = 0; k < 12; ++k) {
        CHECK_NEAR(t, force[k], want[k], 1e-8); // rounding of stiffnesses of 1e9 N/m
    }
    fe_small_free(&p);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* Buckling of a cantilever by its geometric stiffness: K - P Kg is singular at Euler's load. */
TEST(buckling)
{
    TmlFeSection s = rectangle();
    TmlFeMesh mesh;
    TmlFeMatrices a, b;
    TmlError err = {0};
    TmlArena arena = {0};
    enum { M = 16 };
    bool held[6 * M + 6] = {true, true, true, true, true, true};
    double u[6 * M + 6] = {0}, hertz[1];
    s.shear_y = s.shear_z = (double)INFINITY; // Euler's column
    line_mesh(M, v3(1, 0, 0), &s, &mesh);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    for (int k = 0; k <= M; ++k) {
        u[6 * k] = (double)k / M / (210e9 * s.area); // the tension of 1 N
    }
    b = a;
    CHECK_OK(t, tml_fe_geometric(&a, u, &arena, &b.M, &err), &err);
    // eigenvalues P of K x = P Kg x, as frequencies of the pair
    fe_frequencies(t, &b, held, 0.0, 1, hertz);
    const double pi = 3.14159265358979323846, P = 4 * pi * pi * hertz[0] * hertz[0];
    // sixteen cubic elements: 1e-7 is their error of order h^4
    CHECK_NEAR(t, P / (pi * pi * 210e9 * s.Iy / 4), 1.0, 1e-6);
    tml_arena_free(&arena);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

/* As that of solids in fe_cases, without reference data. */
TEST(spinning_beam)
{
    const TmlFeSection s = rectangle();
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    bool held[126] = {true, true, true, true, true, true};
    double rise[2];
    line_mesh(20, v3(1, 0, 0), &s, &mesh);
    CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
    fe_spin(t, &a, held, 0.0, 10, false, rise);
    // published 1.193 for slender beams; shear and twenty elements, each of a constant force, cost 1e-3
    CHECK_NEAR(t, rise[0], 1.193, 4e-3);
    CHECK_NEAR(t, rise[1], 1.193, 8e-3);
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

TEST(sections)
{
    TmlFeSection s = {0};
    tml_section_rectangle(0.06, 0.04, 0.3, &s);
    CHECK_NEAR(t, s.Iz, 0.04 * 0.06 * 0.06 * 0.06 / 12, 1e-20); // rounding
    CHECK_NEAR(t, s.J, 7.51e-7, 2e-9);                          // printed with 3 digits
    CHECK_NEAR(t, s.shear_y, 0.85, 0.001);                      // printed with 2 digits
    tml_section_rectangle(1, 1, 0.3, &s);
    CHECK_NEAR(t, s.J, 0.140577, 1e-6); // printed with 6 digits
    tml_section_tube(0.05, 0, 0.3, &s);
    CHECK_NEAR(t, s.shear_y, 0.886, 1e-3); // printed with 3 digits
    tml_section_tube(0.05, 0.0499, 0.3, &s);
    CHECK_NEAR(t, s.shear_y, 0.531, 1e-3); // printed with 3 digits
    tml_section_box(0.1, 0.1, 0.002, &s);
    CHECK_NEAR(t, s.J, 0.098 * 0.098 * 0.098 * 0.002, 1e-15); // rounding; a^3 t of a thin square
}

TEST(wrong_beams)
{
    TmlFeSection s = rectangle();
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlError err = {0};
    line_mesh(2, v3(1, 0, 0), &s, &mesh);
    mesh.x[1] = mesh.x[0];
    CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "element 1 (beam31): has no length: nodes 1 and 2");
    tml_fe_matrices_free(&a);
    mesh.x[1] = v3(0.5, 0, 0);
    mesh.section[0].up = v3(2, 0, 0);
    CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "its direction is along the beam");
    tml_fe_matrices_free(&a);
    mesh.element[1].section = -1;
    mesh.section[0].up = v3(0, 0, 1);
    CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "element 2 (beam31): has no section");
    tml_fe_matrices_free(&a);
    tml_fe_mesh_free(&mesh);
}

TEST_SUITE(fe_beam) = {
    CASE(reference_matrices), CASE(turned_beam), CASE(section_forces), CASE(buckling),
    CASE(spinning_beam),      CASE(sections),    CASE(wrong_beams),    {0}};
