/* tests/reduce/test_fe_places.c - places of stress at nodes: faces of shells, fibres of beams, materials that meet. */
#include "fe_util.h"

#include "io/part/mesh_build.h"
#include "math/vec3.h"
#include "reduce/mesh/beam_section.h"
#include "reduce/mesh/stress_sites.h"

typedef struct Mesh {
    TmlFeMesh mesh;
    TmlFeMatrices a;
    TmlStressSites sites;
    TmlArena arena;
    double *u, *stress;
} Mesh;

static TmlMeshBuild begin(Mesh *m)
{
    TmlMeshBuild b;
    *m = (Mesh){.mesh = {.file = "places"}};
    tml_mesh_build_init(&b, &m->mesh);
    return b;
}

static void end(TestCtx *t, Mesh *m, TmlMeshBuild *b, const TmlFeSection *section, double poisson)
{
    TmlError err = {0};
    CHECK_OK(t, tml_mesh_finish(b, &err), &err);
    tml_mesh_build_free(b);
    fe_material(&m->mesh, 210e9, poisson, 7850);
    if (section != NULL) {
        m->mesh.section = tml_arena_alloc(&m->mesh.arena, 1, sizeof *section);
        m->mesh.section[0] = *section;
        m->mesh.n_sections = 1;
        for (int k = 0; k < m->mesh.n_elements; ++k) {
            m->mesh.element[k].section = 0;
        }
    }
}

static void assemble(TestCtx *t, Mesh *m)
{
    TmlError err = {0};
    CHECK_OK(t, tml_fe_assemble(&m->mesh, TML_FE_MASS_EXACT, &m->a, &err), &err);
    CHECK_OK(t, tml_stress_sites(&m->mesh, &m->arena, &m->sites, &err), &err);
    m->u = tml_arena_alloc(&m->arena, (size_t)m->a.n, sizeof *m->u);
    m->stress = tml_arena_alloc(&m->arena, 6 * (size_t)m->sites.places, sizeof *m->stress);
}

static void close_mesh(Mesh *m)
{
    tml_fe_matrices_free(&m->a);
    tml_fe_mesh_free(&m->mesh);
    tml_arena_free(&m->arena);
}

static const TmlStressSite *site_of(const Mesh *m, int node)
{
    return &m->sites.site[m->sites.of_node[node]];
}

/* --- shells ----------------------------------------------------------------------------------------- */

/* 3 x 3 cells, every second one seen from the other side, in the plane or folded up at x = 1. */
static void sheet(TestCtx *t, const char *type, bool fold, Mesh *m)
{
    enum { N = 3 };
    const TmlFeElementType *shell = tml_fe_type_named(type);
    const TmlFeSection section = {.name = "s", .thickness = 0.01};
    TmlMeshBuild b = begin(m);
    for (int k = 0; k < (N + 1) * (N + 1); ++k) {
        const double x = k % (N + 1), y = k / (N + 1);
        const TmlVec3 flat = v3(x, y + (x == 1 && y == 1 ? 0.2 : 0), 0);
        tml_mesh_add_node(&b, 1 + k, fold && x > 1 ? v3(1, y, x - 1) : flat, 1);
    }
    for (int k = 0; k < N * N; ++k) {
        const int64_t a = 1 + k % N + k / N * (N + 1), d = a + N + 1;
        const int64_t quad[2][4] = {{a, a + 1, d + 1, d}, {a, d, d + 1, a + 1}};
        const int64_t left[2][3] = {{a, a + 1, d}, {a, d, a + 1}};
        const int64_t right[2][3] = {{a + 1, d + 1, d}, {a + 1, d, d + 1}};
        const int other = k % 2;
        if (shell->n_nodes == 4) {
            (void)tml_mesh_add_element(&b, shell, k + 1, quad[other], 1);
        } else {
            (void)tml_mesh_add_element(&b, shell, 2 * k + 1, left[other], 1);
            (void)tml_mesh_add_element(&b, shell, 2 * k + 2, right[other], 1);
        }
    }
    end(t, m, &b, &section, 0.3);
    assemble(t, m);
}

/* Uniform strain and curvature: both faces of all nodes have what the theory of plates says, whichever way the elements look. */
TEST(faces_of_shells)
{
    static const char *const types[] = {"shell4", "shell3"};
    for (int k = 0; k < 2; ++k) {
        Mesh m;
        t->name = types[k];
        sheet(t, types[k], false, &m);
        for (int i = 0; i < m.a.n_nodes; ++i) {
            const double x = m.a.x[i].x, y = m.a.x[i].y;
            const double value[6] = {
                x + 2 * y,         3 * x - y,    0.5 * x * x + 0.3 * y * y + 0.4 * x * y,
                0.6 * y + 0.4 * x, -x - 0.4 * y, 0.5 * (3 - 2)};
            memcpy(m.u + 6 * i, value, sizeof value);
        }
        tml_site_stress(&m.a, &m.sites, m.u, m.stress);
        CHECK_INT(t, m.sites.places, 2 * m.a.n_nodes);
        for (int i = 0; i < m.a.n_nodes; ++i) {
            const TmlStressSite *s = site_of(&m, i);
            TmlFeOne one;
            tml_fe_one(&m.mesh, s->element, TML_FE_MASS_EXACT, &one);
            const double up = one.type->normal(&one).z, c = 210e9 / (1 - 0.09);
            for (int p = 0; p < 2; ++p) {
                const double z = (p == 0 ? 0.005 : -0.005) * up;
                const double ex = 1 - z, ey = -1 - 0.6 * z, exy = 5 - 0.8 * z;
                const double *got = m.stress + 6 * (s->first + p);
                CHECK_NEAR(t, got[0] / c, ex + 0.3 * ey, 1e-12); // rounding
                CHECK_NEAR(t, got[1] / c, ey + 0.3 * ex, 1e-12);
                CHECK_NEAR(t, got[3] / c, 0.35 * exy, 1e-12);
            }
        }
        close_mesh(&m);
    }
}

/* At a fold each plane has its own two faces; elements in one plane share theirs. */
TEST(folds_keep_apart)
{
    Mesh m;
    sheet(t, "shell4", true, &m);
    for (int i = 0; i < m.a.n_nodes; ++i) {
        const TmlStressSite *s = site_of(&m, i);
        int planes = 0, elements = 0;
        for (int k = m.sites.of_node[i]; k >= 0; k = m.sites.site[k].next) {
            planes++;
            elements += m.sites.site[k].members;
        }
        CHECK_INT(t, s->sides, 2);
        CHECK_INT(t, planes, i % 4 == 1 ? 2 : 1);
        CHECK_INT(t, elements, (i % 4 % 3 == 0 ? 1 : 2) * (i / 4 % 3 == 0 ? 1 : 2));
    }
    close_mesh(&m);
}

/* --- materials -------------------------------------------------------------------------------------- */

/* Two cubes in a row, one five times as stiff, pulled without lateral strain: the stress across the seam is one, and so is the
 * mean of nothing; what lies along the seam differs, and stays apart. */
TEST(materials_that_meet)
{
    Mesh m;
    TmlMeshBuild b = begin(&m);
    const TmlFeElementType *cube = tml_fe_type_named("hex8");
    for (int k = 0; k < 12; ++k) {
        tml_mesh_add_node(&b, 1 + k, v3(k / 4, k % 4 == 1 || k % 4 == 2, k % 4 >= 2), 1);
    }
    for (int64_t k = 0; k < 2; ++k) {
        const int64_t a = 1 + 4 * k;
        (void)tml_mesh_add_element(
            &b, cube, k + 1, (const int64_t[8]){a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7},
            1);
    }
    end(t, &m, &b, NULL, 0.25);
    TmlFeMaterial *two = tml_arena_alloc(&m.mesh.arena, 2, sizeof *two);
    two[0] = two[1] = m.mesh.material[0];
    two[1].young *= 5;
    m.mesh.material = two;
    m.mesh.n_materials = 2;
    m.mesh.element[1].material = 1;
    assemble(t, &m);
    CHECK_INT(t, m.sites.places, 16);
    const double strain[2] = {5e-3, 1e-3};
    for (int i = 0; i < 12; ++i) {
        m.u[3 * i] = i < 4 ? 0.0 : i < 8 ? strain[0] : strain[0] + strain[1];
    }
    tml_site_stress(&m.a, &m.sites, m.u, m.stress);
    for (int k = 0; k < m.sites.n; ++k) {
        const TmlStressSite *s = &m.sites.site[k];
        const double E = two[s->element].young, e = strain[s->element];    // lambda = mu = 0.4 E
        CHECK_NEAR(t, m.stress[6 * s->first] / (1.2 * E * e), 1.0, 1e-12); // rounding
        CHECK_NEAR(t, m.stress[6 * s->first + 1] / (0.4 * E * e), 1.0, 1e-12);
    }
    for (int i = 4; i < 8; ++i) { // one site of each
        const TmlStressSite *s = site_of(&m, i);
        CHECK(t, s->next >= 0 && m.sites.site[s->next].next < 0);
        CHECK_INT(t, s->element + m.sites.site[s->next].element, 1);
    }
    close_mesh(&m);
}

/* --- beams ------------------------------------------------------------------------------------------ */

/* Largest shear of a rectangle under a torque, T / (c a b^2), and that of the short side as a part of it: the table of
 * Timoshenko and Goodier, 109 (three digits), and of Roark for the short side. */
TEST(twist_of_rectangles)
{
    static const double table[][3] = {{1, 0.208, 1.0},
                                      {1.5, 0.231, 0.858},
                                      {2, 0.246, 0.796},
                                      {4, 0.282, 0.745},
                                      {10, 0.312, 0.743}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        TmlFeSection s = {0};
        const double b = 0.01, a = table[k][0] * b;
        tml_section_rectangle(a, b, 0.3, &s); // the long sides are across z
        CHECK_NEAR(t, 1.0 / (s.twist.z * a * b * b), table[k][1], 6e-4); // digits of the table
        CHECK_NEAR(t, s.twist.y / s.twist.z, table[k][2], 2e-3);         // as above
        TmlFeSection other = {0};
        tml_section_rectangle(b, a, 0.3, &other);
        // the same sums; those of the long and of the short side of a square end at 1e-8
        CHECK_NEAR(t, other.twist.y / s.twist.z, 1.0, 1e-8);
        CHECK_NEAR(t, s.twist.corner, 0.0, 0.0); // none, exactly
    }
}

/* A beam of one element, held at its first node and loaded at the second, in any direction. */
static void loaded_beam(TestCtx *t, const TmlFeSection *section, TmlVec3 end_at, const double F[6],
                        Mesh *m)
{
    TmlMeshBuild b = begin(m);
    tml_mesh_add_node(&b, 1, v3(0, 0, 0), 1);
    tml_mesh_add_node(&b, 2, end_at, 1);
    (void)tml_mesh_add_element(&b, tml_fe_type_named("beam31"), 7, (const int64_t[2]){1, 2}, 1);
    end(t, m, &b, section, 0.3);
    assemble(t, m);
    const bool held[12] = {true, true, true, true, true, true};
    FeSmall p;
    double x[6];
    fe_small(t, &m->a, held, 0.0, &p);
    memcpy(x, F, sizeof x);
    tml_lu_solve(p.lu, x);
    memcpy(m->u + 6, x, sizeof x);
    fe_small_free(&p);
    tml_site_stress(&m->a, &m->sites, m->u, m->stress);
}

/* Largest von Mises stress among the places of a node. */
static double hottest(const Mesh *m, int node)
{
    const TmlStressSite *s = site_of(m, node);
    double most = 0.0;
    for (int p = 0; p < s->sides; ++p) {
        const double *x = m->stress + 6 * (s->first + p);
        const double a = x[0] - x[1], b = x[1] - x[2], c = x[2] - x[0];
        most = fmax(most, sqrt(0.5 * (a * a + b * b + c * c) +
                               3 * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5])));
    }
    return most;
}

/* Normal force, two moments and a torque by the formulas of strength of materials, along an axis that is none of the mesh's. */
TEST(fibres_of_beams)
{
    const TmlVec3 x = v3(0.6, 0.8, 0), z = v3(0, 0, 1), y = v3_cross(z, x);
    const double N = 900, Vy = 50, Vz = -80, T = 30, L = 0.5;
    const TmlVec3 f = v3_axpy(N, x, v3_axpy(Vy, y, v3_scale(Vz, z))), q = v3_scale(T, x);
    const double F[6] = {f.x, f.y, f.z, q.x, q.y, q.z}, My = -Vz * L, Mz = Vy * L;
    TmlFeSection box = {.name = "b", .up = z}, tube = {.name = "t", .up = z}, own;
    Mesh m;
    tml_section_box(0.04, 0.02, 0.002, &box);
    loaded_beam(t, &box, v3_scale(L, x), F, &m);
    CHECK_INT(t, m.sites.places, 16); // eight at each end
    const double sigma = N / box.area + My * 0.01 / box.Iy + Mz * 0.02 / box.Iz;
    const double tau = T / (2 * 0.038 * 0.018 * 0.002);
    CHECK_NEAR(t, hottest(&m, 0) / sqrt(sigma * sigma + 3 * tau * tau), 1.0, 1e-9); // rounding
    CHECK_NEAR(t, hottest(&m, 1) / sqrt(pow(N / box.area, 2) + 3 * tau * tau), 1.0, 1e-9);
    close_mesh(&m);
    tml_section_tube(0.015, 0.012, 0.3, &tube);
    loaded_beam(t, &tube, v3_scale(L, x), F, &m);
    CHECK_INT(t, m.sites.places, 32);
    const double bend = hypot(My, Mz) * 0.015 / tube.Iy, twist = T * 0.015 / tube.J;
    const double exact = sqrt(pow(N / tube.area + bend, 2) + 3 * twist * twist);
    // sixteen fibres miss the farthest by 11.25 degrees at most, 2 % of what bends
    CHECK(t, hottest(&m, 0) <= exact * (1 + 1e-9) && hottest(&m, 0) > exact - 0.02 * bend);
    close_mesh(&m);
    own = box;
    own.reach_y = own.reach_z = 0.0; // a section by its moments: where its fibres are is not known
    loaded_beam(t, &own, v3_scale(L, x), F, &m);
    CHECK_INT(t, m.sites.places, 0);
    close_mesh(&m);
}

TEST_SUITE(fe_places) = {
    CASE(faces_of_shells),     CASE(folds_keep_apart), CASE(materials_that_meet),
    CASE(twist_of_rectangles), CASE(fibres_of_beams),  {0},
};
