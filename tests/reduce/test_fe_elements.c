/* tests/reduce/test_fe_elements.c - what every type of finite element must satisfy.
 *
 * Each element is a distorted and turned copy of its natural shape. Sums have some hundred terms, so
 * that each limit is some hundred eps (2e-16) of the numbers that are compared, unless said otherwise.
 */
#include "fe_util.h"

#include "math/vec3.h"
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"
#include "reduce/mesh/face.h"
#include "reduce/mesh/fe_stress.h"
#include "reduce/mesh/mass_points.h"

static const TmlFeMaterial steel = {"steel", 2.1, 0.3, 7.8};

/* Places of the nodes of a type: natural ones of solids, along x for beams, in a plane for shells. */
static TmlVec3 natural(const TmlFeElementType *type, int a)
{
    static const TmlVec3 three[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const TmlVec3 four[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    if (type->n_freedoms == 6 && type->n_faces == 1) {
        return type->n_nodes == 3 ? three[a] : four[a];
    }
    return type->node_at != NULL ? v3(type->node_at[a][0], type->node_at[a][1], type->node_at[a][2])
                                 : v3(a, 0, 0);
}

/* An element that stands alone, corners moved at random by `bent`, nodes on edges at their middle
 * and a little off it. */
static void make_one(TestCtx *t, const TmlFeElementType *type, double bent, TmlFeMesh *mesh)
{
    const TmlQuat q = test_quat(t);
    const TmlMat33 A = q4_matrix(q);
    *mesh = (TmlFeMesh){.n_nodes = type->n_nodes, .n_elements = 1, .n_materials = 1};
    mesh->id = tml_arena_alloc(&mesh->arena, TML_FE_NODES, sizeof *mesh->id);
    mesh->x = tml_arena_alloc(&mesh->arena, TML_FE_NODES, sizeof *mesh->x);
    mesh->node = tml_arena_alloc(&mesh->arena, TML_FE_NODES, sizeof *mesh->node);
    mesh->element = tml_arena_alloc(&mesh->arena, 1, sizeof *mesh->element);
    mesh->material = tml_arena_alloc(&mesh->arena, 1, sizeof *mesh->material);
    mesh->section = tml_arena_alloc(&mesh->arena, 1, sizeof *mesh->section);
    mesh->material[0] = steel;
    mesh->section[0] = (TmlFeSection){.name = "s",
                                      .area = 0.02,
                                      .Iy = 3e-5,
                                      .Iz = 2e-5,
                                      .J = 4e-5,
                                      .shear_y = 0.8,
                                      .shear_z = 0.7,
                                      .up = test_vec3(t),
                                      .thickness = 0.05,
                                      .mass = 0.3,
                                      .rate = 4.0,
                                      .inertia = {0.3, 0.5, 0.9}};
    mesh->n_sections = 1;
    mesh->element[0] = (TmlFeElement){.id = 7, .type = type, .section = 0};
    for (int a = 0; a < type->n_nodes; ++a) {
        TmlVec3 x = natural(type, a);
        if (a >= type->n_corners) {
            const int *end = type->edge[a - type->n_corners];
            x = v3_scale(0.5, v3_add(mesh->x[end[0]], mesh->x[end[1]]));
            x = v3_axpy(0.1 * bent, test_vec3(t), x);
        } else {
            x = m3_mulv(&A, v3(1.1 * x.x, 0.8 * x.y + 0.2 * x.x, 1.3 * x.z));
            x = v3_axpy(bent, test_vec3(t), x);
        }
        mesh->id[a] = a + 1;
        mesh->node[a] = a;
        mesh->x[a] = x;
    }
}

static int freedoms(const TmlFeElementType *type)
{
    return type->n_nodes * type->n_freedoms;
}

/* Values of a field u(x) = c + W x, and of its rotation, at the freedoms. */
static void linear_field(const TmlFeOne *e, TmlVec3 c, const TmlMat33 *W, double *u)
{
    for (int a = 0; a < e->type->n_nodes; ++a) {
        const TmlVec3 v = v3_add(c, m3_mulv(W, e->x[a]));
        double *to = u + a * e->type->n_freedoms;
        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        if (e->type->n_freedoms == 6) {
            to[3] = 0.5 * (W->cy.z - W->cz.y);
            to[4] = 0.5 * (W->cz.x - W->cx.z);
            to[5] = 0.5 * (W->cx.y - W->cy.x);
        }
    }
}

TEST(shape_functions)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        const TmlFeElementType *e = *type;
        double N[TML_FE_NODES], dN[TML_FE_NODES][3], P[TML_FE_NODES], Q[TML_FE_NODES];
        double ignored[TML_FE_NODES][3];
        t->name = e->name;
        for (int a = 0; e->shape != NULL && a < e->n_nodes; ++a) {
            e->shape(e->node_at[a], N, dN);
            for (int b = 0; b < e->n_nodes; ++b) {
                CHECK_NEAR(t, N[b], a == b, 1e-15); // rounding of halves and quarters
            }
        }
        for (int round = 0; e->shape != NULL && round < 5; ++round) {
            const double h = 1e-5;
            double at[3], sum = 0;
            for (int i = 0; i < 3; ++i) {
                at[i] = test_random(t, 0, 0.4);
            }
            e->shape(at, N, dN);
            for (int i = 0; i < 3; ++i) {
                double more[3] = {at[0], at[1], at[2]}, less[3] = {at[0], at[1], at[2]};
                more[i] += h;
                less[i] -= h;
                e->shape(more, P, ignored);
                e->shape(less, Q, ignored);
                for (int a = 0; a < e->n_nodes; ++a) {
                    CHECK_NEAR(t, dN[a][i], (P[a] - Q[a]) / (2 * h), 1e-9); // h^2 and eps / h
                }
            }
            for (int a = 0; a < e->n_nodes; ++a) {
                sum += N[a];
            }
            CHECK_NEAR(t, sum, 1.0, 1e-14); // rounding
        }
    }
}

/* Rigid motion costs nothing; uniform strain gives uniform stress and its energy. */
TEST(rigid_motion_and_uniform_strain)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeOne e;
        TmlError err = {0};
        double u[TML_FE_FREEDOMS], f[TML_FE_FREEDOMS], stress[6 * TML_FE_POINTS];
        static double K[TML_FE_FREEDOMS * TML_FE_FREEDOMS];
        make_one(t, *type, 0.1, &mesh);
        tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &e);
        t->name = e.type->name;
        CHECK_OK(t, e.type->check(&e, &err), &err);
        e.type->stiffness(&e, K);
        const int n = freedoms(e.type);
        for (int round = 0; round < 2; ++round) {
            TmlMat33 W = round == 0 ? m3_skew(test_vec3(t))
                                    : (TmlMat33){test_vec3(t), test_vec3(t), test_vec3(t)};
            double energy = 0, scale = 0;
            linear_field(&e, test_vec3(t), &W, u);
            memset(f, 0, sizeof f);
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < n; ++i) {
                    f[i] += K[j * n + i] * u[j];
                    scale = fmax(scale, fabs(K[j * n + i]));
                    CHECK_NEAR(t, K[j * n + i], K[i * n + j], 1e-15); // rounding
                }
            }
            for (int i = 0; i < n; ++i) {
                energy += u[i] * f[i];
                if (round == 0) {
                    CHECK_NEAR(t, f[i], 0.0, 1e-13 * scale);
                }
            }
            if (round == 0 || e.type->shape == NULL) {
                continue;
            }
            const double tr = W.cx.x + W.cy.y + W.cz.z, mu = 2.1 / 2.6;
            const double lambda = 2.1 * 0.3 / (1.3 * 0.4);
            const double want[6] = {lambda * tr + 2 * mu * W.cx.x, lambda * tr + 2 * mu * W.cy.y,
                                    lambda * tr + 2 * mu * W.cz.z, mu * (W.cx.y + W.cy.x),
                                    mu * (W.cy.z + W.cz.y),        mu * (W.cz.x + W.cx.z)};
            const double density = want[0] * W.cx.x + want[1] * W.cy.y + want[2] * W.cz.z +
                                   (want[3] * want[3] + want[4] * want[4] + want[5] * want[5]) / mu;
            double volume = 0;
            TmlFePoint point[TML_FE_POINTS];
            double nodal[6 * TML_FE_NODES];
            e.type->stress(&e, u, stress);
            e.type->to_nodes(&e, stress, nodal);
            CHECK_INT(t, e.type->stiffness_points(point), e.type->n_stress);
            for (int k = 0; k < 6 * e.type->n_stress; ++k) {
                CHECK_NEAR(t, stress[k], want[k % 6], 1e-13);
            }
            for (int k = 0; k < 6 * e.type->n_nodes; ++k) {
                CHECK_NEAR(t, nodal[k], want[k % 6], 1e-12); // continued by weights of up to 10
            }
            // the volume by the points of the stiffness, from its mass with that rule
            TmlFeOne other = e;
            double S[TML_FE_NODES * TML_FE_NODES];
            other.rule = TML_FE_MASS_CCX;
            e.type->scalar_mass(&other, S);
            for (int k = 0; k < e.type->n_nodes * e.type->n_nodes; ++k) {
                volume += S[k] / steel.density;
            }
            CHECK_NEAR(t, energy / (density * volume), 1.0, 1e-12);
        }
        tml_fe_mesh_free(&mesh);
    }
}

/* Stress and stiffness belong together: u . K u is the energy of the stress at the points, for any u. */
TEST(energy_of_stress)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeOne e;
        TmlFePoint point[TML_FE_POINTS];
        double u[TML_FE_FREEDOMS], stress[6 * TML_FE_POINTS], energy = 0, want = 0;
        static double K[TML_FE_FREEDOMS * TML_FE_FREEDOMS];
        TmlVec3 g[TML_FE_NODES];
        if ((*type)->shape == NULL) {
            continue;
        }
        make_one(t, *type, 0.1, &mesh);
        tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &e);
        t->name = e.type->name;
        e.type->stiffness(&e, K);
        const int n = freedoms(e.type), count = e.type->stiffness_points(point);
        for (int i = 0; i < n; ++i) {
            u[i] = test_random(t, -1, 1);
        }
        for (int k = 0; k < n * n; ++k) {
            energy += u[k % n] * K[k] * u[k / n];
        }
        e.type->stress(&e, u, stress);
        for (int k = 0; k < count; ++k) {
            const double *s = stress + 6 * k, tr = s[0] + s[1] + s[2];
            const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] +
                                  2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
            want += point[k].weight * tml_iso_gradient(&e, point[k].at, g) *
                    (1.3 * square - 0.3 * tr * tr) / 2.1;
        }
        CHECK_NEAR(t, energy / want, 1.0, 1e-12);
        tml_fe_mesh_free(&mesh);
    }
}

static double factorial(int n)
{
    return n > 1 ? n * factorial(n - 1) : 1.0;
}

/* Of wedges: degree in the triangle, and along the axis. */
TEST(quadrature_of_wedges)
{
    static const struct {
        int (*points)(TmlFePoint *out);
        int degree, along;
    } rules[] = {
        {tml_wedge_points_2, 1, 3}, {tml_wedge_points_9, 2, 5}, {tml_wedge_points_18, 4, 5}};
    for (size_t q = 0; q < sizeof rules / sizeof rules[0]; ++q) {
        TmlFePoint point[TML_FE_POINTS];
        const int n = rules[q].points(point);
        for (int a = 0; a <= rules[q].degree; ++a) {
            for (int b = 0; a + b <= rules[q].degree; ++b) {
                for (int c = 0; c <= rules[q].along; ++c) {
                    double sum = 0;
                    for (int p = 0; p < n; ++p) {
                        sum += point[p].weight * pow(point[p].at[0], a) * pow(point[p].at[1], b) *
                               pow(point[p].at[2], c);
                    }
                    const double flat = factorial(a) * factorial(b) / factorial(a + b + 2);
                    // rounding of some ten terms
                    CHECK_NEAR(t, sum, c % 2 != 0 ? 0.0 : 2.0 * flat / (c + 1), 1e-15);
                }
            }
        }
    }
}

/* Rules integrate the powers that they are said to. */
TEST(quadrature)
{
    static const struct {
        int (*points)(TmlFePoint *out);
        int degree;
        bool hex; /* degree of each direction */
    } rules[] = {{tml_tet_points_1, 1, false},
                 {tml_tet_points_4, 2, false},
                 {tml_tet_points_15, 5, false},
                 {tml_hex_points_8, 3, true},
                 {tml_hex_points_27, 5, true}};
    for (size_t q = 0; q < sizeof rules / sizeof rules[0]; ++q) {
        TmlFePoint point[TML_FE_POINTS];
        const int n = rules[q].points(point), d = rules[q].degree;
        for (int k = 0; k < (d + 1) * (d + 1) * (d + 1); ++k) {
            const int a = k % (d + 1), b = k / (d + 1) % (d + 1), c = k / ((d + 1) * (d + 1));
            double sum = 0;
            for (int p = 0; p < n; ++p) {
                sum += point[p].weight * pow(point[p].at[0], a) * pow(point[p].at[1], b) *
                       pow(point[p].at[2], c);
            }
            if (rules[q].hex) {
                const bool odd = a % 2 != 0 || b % 2 != 0 || c % 2 != 0;
                CHECK_NEAR(t, sum, odd ? 0.0 : 8.0 / ((a + 1) * (b + 1) * (c + 1)), 1e-13);
            } else if (a + b + c <= d) {
                const double want =
                    factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
                CHECK_NEAR(t, sum, want, 1e-15);
            }
        }
    }
}

/* Mass, centre and moments by points are those of the matrix, and positive. */
TEST(mass_by_points_and_by_matrix)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        TmlArena arena = {0};
        TmlCsc N;
        double *mass, total = 0;
        TmlVec3 *x, load_sum = v3(0, 0, 0), first = v3(0, 0, 0);
        int n;
        make_one(t, *type, 0.1, &mesh);
        t->name = (*type)->name;
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
        CHECK_INT(t, tml_fe_turns(&mesh), (*type)->n_freedoms == 6);
        CHECK_OK(t, tml_fe_mass_points(&a, TML_FE_MASS_EXACT, &arena, &n, &mass, &x, &N, &err),
                 &err);
        CHECK_INT(t, N.rows, 3 * n);
        double *v = tml_arena_alloc(&arena, (size_t)N.rows, sizeof *v);
        for (int j = 0; j < a.n; ++j) { // columns of M by the points
            double *u = tml_arena_alloc(&arena, (size_t)a.n, sizeof *u);
            double *w = tml_arena_alloc(&arena, (size_t)a.n, sizeof *w);
            u[j] = 1;
            memset(v, 0, (size_t)N.rows * sizeof *v);
            tml_csc_mul(&N, u, v);
            for (int p = 0; p < N.rows; ++p) {
                v[p] *= mass[p / 3];
            }
            tml_csc_tmul(&N, v, w);
            for (int i = j; i < a.n; ++i) {
                const int at = tml_csc_find(&a.M, i, j);
                CHECK_NEAR(t, at >= 0 ? a.M.x[at] : 0.0, w[i], 1e-13);
            }
        }
        // points move with the body
        const TmlMat33 W = m3_skew(test_vec3(t));
        TmlFeOne one;
        double rigid[TML_FE_FREEDOMS];
        tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &one);
        linear_field(&one, v3(1, 2, 3), &W, rigid);
        memset(v, 0, (size_t)N.rows * sizeof *v);
        tml_csc_mul(&N, rigid, v);
        for (int p = 0; p < n; ++p) {
            const TmlVec3 want = v3_add(v3(1, 2, 3), m3_mulv(&W, x[p]));
            CHECK_NEAR(t, v[3 * p], want.x, 1e-13);
            CHECK_NEAR(t, v[3 * p + 1], want.y, 1e-13);
            CHECK_NEAR(t, v[3 * p + 2], want.z, 1e-13);
        }
        for (int p = 0; p < n; ++p) {
            total += mass[p];
            first = v3_axpy(mass[p], x[p], first);
        }
        CHECK(t, (*type)->stress != NULL && (total > 0 || (*type)->bare)); // springs have none
        // weight along (1, 2, 3), and B x with B the unit matrix: mass times place of the centre
        double *load = tml_arena_alloc(&arena, (size_t)a.n, sizeof *load);
        const TmlMat33 unit = m3_identity();
        tml_fe_load(&a, &unit, v3(1, 2, 3), load);
        for (int k = 0; k < a.n_nodes; ++k) {
            const double *f = load + a.first[k];
            load_sum = v3_add(load_sum, v3(f[0], f[1], f[2]));
        }
        CHECK_NEAR(t, load_sum.x, first.x + total, 1e-12);
        CHECK_NEAR(t, load_sum.y, first.y + 2 * total, 1e-12);
        CHECK_NEAR(t, load_sum.z, first.z + 3 * total, 1e-12);
        tml_arena_free(&arena);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

/* Geometric stiffness is the second derivative of stress times the quadratic part of strain: rigid
 * shifts cost nothing, and a small rotation about an axis the work of the stress on its second order.
 */
TEST(geometric_stiffness)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeOne e;
        double u[TML_FE_FREEDOMS], stress[6 * TML_FE_POINTS];
        static double K[TML_FE_FREEDOMS * TML_FE_FREEDOMS];
        if ((*type)->shape == NULL) {
            continue;
        }
        make_one(t, *type, 0.05, &mesh);
        tml_fe_one(&mesh, 0, TML_FE_MASS_CCX, &e);
        t->name = e.type->name;
        const double s[6] = {1, 2, 3, 0.4, 0.5, 0.6};
        for (int k = 0; k < 6 * e.type->n_stress; ++k) {
            stress[k] = s[k % 6];
        }
        e.type->geometric(&e, stress, K);
        const int n = freedoms(e.type);
        const TmlVec3 w = test_vec3(t);
        const TmlMat33 W = m3_skew(w);
        double energy = 0, volume = 0, S[TML_FE_NODES * TML_FE_NODES];
        linear_field(&e, test_vec3(t), &W, u);
        for (int k = 0; k < n * n; ++k) {
            energy += u[k % n] * K[k] * u[k / n];
        }
        e.type->scalar_mass(&e, S);
        for (int k = 0; k < e.type->n_nodes * e.type->n_nodes; ++k) {
            volume += S[k] / steel.density;
        }
        // W^T W = |w|^2 - w w^T, summed with the stress
        const double ww = v3_dot(w, w), tr = s[0] + s[1] + s[2];
        const double wsw = s[0] * w.x * w.x + s[1] * w.y * w.y + s[2] * w.z * w.z +
                           2 * (s[3] * w.x * w.y + s[4] * w.y * w.z + s[5] * w.z * w.x);
        CHECK_NEAR(t, energy, volume * (tr * ww - wsw), 1e-12);
        tml_fe_mesh_free(&mesh);
    }
}

/* A line that turns by a small w does the work F L |w x n|^2 / 2 on its normal force, and u . K u is that force squared over
 * the rate, for any u. */
TEST(lines_under_tension)
{
    static const char *const name[] = {"truss2", "spring2"};
    for (int k = 0; k < 2; ++k) {
        TmlFeMesh mesh;
        TmlFeOne e;
        double u[6], stress[6], energy = 0, K[36];
        make_one(t, tml_fe_type_named(name[k]), 0.1, &mesh);
        tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &e);
        t->name = name[k];
        const TmlVec3 d = v3_sub(e.x[1], e.x[0]), w = test_vec3(t);
        const double L = v3_norm(d), EA = k == 0 ? steel.young * 0.02 : 4.0 * L;
        for (int i = 0; i < 6; ++i) {
            u[i] = test_random(t, -1, 1);
        }
        e.type->stiffness(&e, K);
        for (int i = 0; i < 36; ++i) {
            energy += u[i % 6] * K[i] * u[i / 6];
        }
        e.type->stress(&e, u, stress);
        const double F = k == 0 ? 0.02 * (stress[0] + stress[1] + stress[2]) : stress[0];
        CHECK_NEAR(t, energy, F * F * L / EA, 1e-12);
        if (k == 0) { // along the line, whatever its direction
            const TmlMat33 s = {{stress[0], stress[3], stress[5]},
                                {stress[3], stress[1], stress[4]},
                                {stress[5], stress[4], stress[2]}};
            CHECK_NEAR(t, v3_norm(v3_sub(v3_scale(0.02, m3_mulv(&s, d)), v3_scale(F, d))), 0.0,
                       1e-12);
        }
        const TmlMat33 W = m3_skew(w);
        linear_field(&e, test_vec3(t), &W, u);
        e.type->geometric(&e, stress, K);
        energy = 0;
        for (int i = 0; i < 36; ++i) {
            energy += u[i % 6] * K[i] * u[i / 6];
        }
        const TmlVec3 across = v3_cross(w, d);
        CHECK_NEAR(t, energy, F / L * v3_dot(across, across), 1e-12);
        tml_fe_mesh_free(&mesh);
    }
}

/* Triangles of one element enclose its volume, seen from outside; two elements share a face. */
TEST(outer_faces)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlError err = {0};
        TmlArena arena = {0};
        int n;
        int32_t *corner;
        double volume = 0, want = 0;
        make_one(t, *type, 0.0, &mesh); // straight: triangles are exact
        t->name = (*type)->name;
        CHECK_OK(t, tml_fe_surface(&mesh, &arena, &n, &corner, &err), &err);
        for (int k = 0; k < n; ++k) {
            const int *node = mesh.node;
            const TmlVec3 a = mesh.x[node[corner[3 * k]]], b = mesh.x[node[corner[3 * k + 1]]];
            volume += v3_dot(a, v3_cross(b, mesh.x[node[corner[3 * k + 2]]])) / 6;
        }
        if ((*type)->shape != NULL) {
            TmlFeOne e;
            double S[TML_FE_NODES * TML_FE_NODES];
            tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &e);
            e.type->scalar_mass(&e, S);
            for (int k = 0; k < e.type->n_nodes * e.type->n_nodes; ++k) {
                want += S[k] / steel.density;
            }
            CHECK_NEAR(t, volume, want, 1e-13);
        } else {
            CHECK_INT(t, n,
                      (*type)->n_faces > 0 ? (*type)->n_nodes - 2
                                           : (*type)->n_nodes == 2); // a line, a point
        }
        tml_arena_free(&arena);
        tml_fe_mesh_free(&mesh);
    }
}

/* Pressure all around an element has no resultant; its forces times the places of their nodes are -3 p times the volume, curved or
 * not: the divergence theorem on the shape of the element itself. */
TEST(pressure_all_around)
{
    for (const TmlFeElementType *const *p = tml_fe_types; *p != NULL; ++p) {
        const TmlFeElementType *type = *p;
        if (type->node_at == NULL || type->n_faces < 4) {
            continue;
        }
        t->name = type->name;
        TmlFeMesh mesh;
        TmlFeOne one;
        TmlFePoint at[TML_FE_POINTS];
        TmlVec3 g[TML_FE_NODES], force = v3(0, 0, 0), moment = force;
        double volume = 0.0, work = 0.0;
        make_one(t, type, 0.05, &mesh);
        tml_fe_one(&mesh, 0, TML_FE_MASS_EXACT, &one);
        const int points = type->mass_points(at);
        for (int k = 0; k < points; ++k) {
            volume += at[k].weight * tml_iso_gradient(&one, at[k].at, g);
        }
        for (int k = 0; k < type->n_faces; ++k) {
            int node[TML_FACE_NODES];
            TmlVec3 x[TML_FACE_NODES], f[TML_FACE_NODES] = {{0}};
            const int n = tml_fe_face_nodes(&mesh, (TmlFeFace){0, k}, node);
            for (int i = 0; i < n; ++i) {
                x[i] = mesh.x[node[i]];
            }
            tml_face_pressure(n, x, 2.0, f);
            for (int i = 0; i < n; ++i) {
                force = v3_add(force, f[i]);
                moment = v3_add(moment, v3_cross(x[i], f[i]));
                work += v3_dot(x[i], f[i]);
            }
        }
        CHECK_NEAR(t, v3_norm(force), 0.0, 1e-13); // rounding of forces of some units
        CHECK_NEAR(t, v3_norm(moment), 0.0, 1e-13);
        // the rule of the mass has degree 5 in curved tetrahedra, where det J has 3: exact; in wedges and hexahedra too
        CHECK_NEAR(t, work / (-6.0 * volume), 1.0, 1e-12);
        tml_arena_free(&mesh.arena);
    }
    t->name = NULL;
}

TEST(wrong_elements_are_named)
{
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        t->name = (*type)->name;
        if ((*type)->shape == NULL) {
            continue;
        }
        make_one(t, *type, 0.05, &mesh);
        mesh.file = "part.msh";
        const int *face = (*type)->face;
        const TmlVec3 x = mesh.x[face[0]]; // two corners change places: inside out
        mesh.x[face[0]] = mesh.x[face[1]];
        mesh.x[face[1]] = x;
        CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, "part.msh: element 7");
        CHECK_HAS(t, err.message, "node ");
        tml_fe_matrices_free(&a);
        mesh.x[face[1]] = mesh.x[face[0]];
        mesh.x[face[0]] = x;
        mesh.material[0].density = (double)NAN;
        CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, "material 'steel' has no density");
        tml_fe_matrices_free(&a);
        mesh.element[0].material = -1;
        CHECK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, "has no material");
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

TEST_SUITE(fe_elements) = {CASE(shape_functions),
                           CASE(rigid_motion_and_uniform_strain),
                           CASE(energy_of_stress),
                           CASE(quadrature),
                           CASE(quadrature_of_wedges),
                           CASE(mass_by_points_and_by_matrix),
                           CASE(geometric_stiffness),
                           CASE(lines_under_tension),
                           CASE(outer_faces),
                           CASE(pressure_all_around),
                           CASE(wrong_elements_are_named),
                           {0}};
