/* tests/model/test_flex_contract.c - what every registered element of flexible bodies satisfies.
 *
 * Each test runs over all types, formulations, materials and sections that the type accepts, with
 * straight and with curved stress-free shapes.
 */
#include "flex_util.h"

#include "model/flexible/mesh.h"

#include <math.h>

/* Differences of sixth order. */
enum { STENCIL = 6 };
static const double stencil_at[STENCIL] = {-3, -2, -1, 1, 2, 3};
static const double stencil_weight[STENCIL] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60,
                                               45.0 / 60, -9.0 / 60, 1.0 / 60};

/* A rigid motion, however large, and its velocity: no energy, no force. */
static void rigid_motion(TestCtx *t, FlexSample *s)
{
    for (int n = 0; n < 3; ++n) {
        memcpy(s->x, s->rest, sizeof s->x);
        memset(s->v, 0, sizeof s->v);
        const TmlMat33 Q = flex_rotation(t, s);
        const TmlVec3 omega =
            s->type->dim == 2 ? v3(0, 0, test_random(t, -5, 5)) : v3_scale(5.0, test_vec3(t));
        const FlexSample m = flex_moved(s, &Q, flex_vector(t, s), flex_vector(t, s), omega);
        const TmlFlexIn in = flex_in(&m);
        double f[FN];
        s->type->force(&in, f);
        // strains are of rounding, 1e-16 times a few terms; energies of their square, those of
        // rubber of the rounding of I1 - 3
        const bool rubber = s->data.material.model == TML_MATERIAL_MOONEY_RIVLIN;
        CHECK_NEAR(t, s->type->energy(&in), 0.0, (rubber ? 1e-15 : 1e-26) * force_unit);
        CHECK_NEAR(t, flex_norm(f, flex_size(s)), 0.0, 1e-13 * force_unit);
        CHECK_NEAR(t, s->type->volume(&in), 1.0, 1e-13);
    }
}

TEST(rigid_motion_has_no_strain)
{
    flex_each(t, 0.1, rigid_motion);
}

/* Sum of the tangent times y, against the difference of forces along y. */
static void tangent_against(TestCtx *t, const FlexSample *s, double h)
{
    const int n = flex_size(s);
    const double c_q = test_random(t, 0.5, 1), c_v = test_random(t, 0.2, 1);
    double K[FN * FN], y[FN], want[FN] = {0}, off[FN];
    const TmlFlexIn in = flex_in(s);
    s->type->tangent(&in, c_q, c_v, K);
    for (int k = 0; k < n; ++k) {
        y[k] = test_random(t, -1, 1);
    }
    for (int k = 0; k < STENCIL; ++k) {
        FlexSample m = *s;
        double f[FN];
        for (int i = 0; i < n; ++i) {
            m.x[i] += stencil_at[k] * h * c_q * y[i];
            m.v[i] += stencil_at[k] * h * c_v * y[i];
        }
        const TmlFlexIn moved = flex_in(&m);
        s->type->force(&moved, f);
        for (int i = 0; i < n; ++i) {
            want[i] += stencil_weight[k] * f[i] / h;
        }
    }
    for (int i = 0; i < n; ++i) {
        off[i] = -want[i];
        for (int j = 0; j < n; ++j) {
            off[i] += K[i * n + j] * y[j];
        }
    }
    // of what is compared: 1e-16 of forces over h, at least 1e-6, and h^6 of higher derivatives;
    // fastest are those of a damped cable, by h times 10 (from x to curvature) over the curvature
    CHECK_NEAR(t, flex_norm(off, n), 0.0, 1e-8 * flex_norm(want, n));
    CHECK(t, flex_norm(off, n) > 0.0); // equal bits would mean the same code ran twice
}

static void tangent(TestCtx *t, FlexSample *s)
{
    for (int n = 0; n < 4; ++n) {
        flex_deform(t, s, 0.05, 0.5);
        tangent_against(t, s, 2e-5);
        flex_deform(t, s, 0.0, n < 2 ? 0.0 : 0.5); // cables change fast here: their (K3)
        tangent_against(t, s, 1e-6);
    }
}

TEST(tangents_match_differences)
{
    flex_each(t, 0.0, tangent);
    flex_each(t, 0.1, tangent);
}

/* The elastic force is the gradient of the energy. */
static void gradient(TestCtx *t, FlexSample *s)
{
    const int n = flex_size(s);
    const double h = 1e-4;
    double y[FN], f[FN], slope = 0.0, power = 0.0;
    flex_deform(t, s, 0.05, 0.0);
    for (int k = 0; k < n; ++k) {
        y[k] = test_random(t, -1, 1);
    }
    for (int k = 0; k < STENCIL; ++k) {
        FlexSample m = *s;
        for (int i = 0; i < n; ++i) {
            m.x[i] += stencil_at[k] * h * y[i];
        }
        const TmlFlexIn moved = flex_in(&m);
        slope += stencil_weight[k] * s->type->energy(&moved) / h;
    }
    const TmlFlexIn in = flex_in(s);
    s->type->force(&in, f);
    for (int k = 0; k < n; ++k) {
        power += f[k] * y[k];
    }
    // energies are about one: 1e-16 / h of rounding, and h^6 times derivatives of the seventh
    // order. These are EI k_0 / kappa^6 where a bent cable is almost straight, 1e9 for kappa = 0.06
    CHECK_NEAR(t, slope, power, 1e-9 * fmax(flex_norm(f, n), 1.0));
}

TEST(force_is_the_gradient_of_energy)
{
    flex_each(t, 0.0, gradient);
}

static double asymmetry(const double *K, int n)
{
    double largest = 0.0;
    for (int i = 0; i < n * n; ++i) {
        largest = fmax(largest, fabs(K[i] - K[i % n * n + i / n]));
    }
    return largest;
}

/* Symmetric without damping, and in its part by velocities with it. */
static void symmetry(TestCtx *t, FlexSample *s)
{
    const int n = flex_size(s);
    double K[FN * FN];
    flex_deform(t, s, 0.05, 0.5);
    const TmlFlexIn in = flex_in(s);
    const bool damped = s->data.material.damping > 0.0;
    s->type->tangent(&in, damped ? 0.0 : 1.0, damped ? 1.0 : 0.0, K);
    CHECK_NEAR(t, asymmetry(K, n), 0.0, 1e-14 * n * flex_norm(K, n * n)); // order of sums
    CHECK(t, flex_norm(K, n * n) > 0.0);
}

TEST(tangents_are_symmetric_where_they_should_be)
{
    flex_each(t, 0.0, symmetry);
    flex_each(t, 0.1, symmetry);
}

/* A rigid motion on top turns forces and leaves energy alone. */
static void indifference(TestCtx *t, FlexSample *s)
{
    for (int n = 0; n < 3; ++n) {
        double f[FN], g[FN];
        flex_deform(t, s, 0.05, 0.5);
        const TmlMat33 Q = flex_rotation(t, s);
        const TmlVec3 spin =
            s->type->dim == 2 ? v3(0, 0, test_random(t, -3, 3)) : v3_scale(3.0, test_vec3(t));
        const FlexSample m = flex_moved(s, &Q, flex_vector(t, s), flex_vector(t, s), spin);
        const TmlFlexIn in = flex_in(s), moved = flex_in(&m);
        s->type->force(&in, f);
        s->type->force(&moved, g);
        const double scale = flex_norm(f, flex_size(s)), energy = s->type->energy(&in);
        CHECK_NEAR(t, s->type->energy(&moved), energy, 1e-12 * energy); // roundings of strains 0.1
        const double tolerance = 1e-12 * scale;                         // roundings
        for (int i = 0; i < flex_n(s); ++i) {
            const TmlVec3 want = m3_mulv(&Q, flex_vec(s, f, i)), got = flex_vec(s, g, i);
            CHECK_NEAR(t, v3_norm(v3_sub(got, want)), 0.0, tolerance);
        }
    }
}

TEST(rigid_motion_on_top_changes_nothing)
{
    flex_each(t, 0.1, indifference);
}

/* --- shape functions and mass ----------------------------------------------------------------- */

/* A place inside the element: xi from 0 to 1, others in the section (patches: xi[1] from 0 to 1).
 */
static void place(TestCtx *t, const FlexSample *s, double xi[3])
{
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    xi[0] = test_random(t, 0.05, 0.95);
    xi[1] = patch ? test_random(t, 0.05, 0.95) : test_random(t, -0.1, 0.1);
    xi[2] = test_random(t, -0.05, 0.05);
}

static void shapes(TestCtx *t, FlexSample *s)
{
    memcpy(s->x, s->rest, sizeof s->x);
    for (int n = 0; n < 5; ++n) {
        double xi[3], w[TML_FLEX_KINDS][FV], sum[TML_FLEX_KINDS] = {0};
        place(t, s, xi);
        for (int k = 0; k < TML_FLEX_KINDS; ++k) {
            s->type->shape(&s->data, s->table, xi, (TmlFlexKind)k, w[k]);
            for (int i = 0; i < flex_n(s); ++i) {
                sum[k] += flex_kind(s, i) == TML_FLEX_R ? w[k][i] : 0.0;
            }
        }
        CHECK_NEAR(t, sum[TML_FLEX_R], 1.0, 1e-14); // a translation moves all alike: rounding
        for (int k = TML_FLEX_RX; k < TML_FLEX_KINDS; ++k) {
            const TmlFlexKind kind = (TmlFlexKind)k;
            CHECK_NEAR(t, sum[k], 0.0, 1e-13); // roundings over a length of 0.7
            if (!flex_has(s->type, kind) && k != TML_FLEX_RX) {
                continue;
            }
            // cubics: fourth-order differences are exact but for 1e-16 / 1e-3
            const TmlVec3 got = flex_field(s, s->x, xi, kind), want = flex_slope(s, s->x, xi, kind);
            CHECK_NEAR(t, v3_norm(v3_sub(got, want)), 0.0, 1e-11);
        }
    }
}

TEST(shape_functions_are_consistent)
{
    flex_each(t, 0.0, shapes);
}

/* Nodal values come back at the nodes: r, and the gradients that the type has. */
static void nodal(TestCtx *t, FlexSample *s)
{
    flex_deform(t, s, 0.1, 0.0);
    for (int i = 0; i < flex_n(s); ++i) {
        double xi[3] = {0};
        flex_node_place(s->type, i / s->type->vectors, xi);
        const TmlVec3 got = flex_field(s, s->x, xi, flex_kind(s, i));
        CHECK_NEAR(t, v3_norm(v3_sub(got, flex_vec(s, s->x, i))), 0.0, 1e-13); // roundings
    }
}

TEST(shape_functions_interpolate)
{
    flex_each(t, 0.0, nodal);
}

/* Volume by material coordinates: what the gradients that the type has span. */
static double jacobian(const FlexSample *s, const double xi[3])
{
    const TmlVec3 a = flex_field(s, s->rest, xi, TML_FLEX_RX);
    const TmlVec3 b = flex_field(s, s->rest, xi, TML_FLEX_RY);
    const TmlVec3 c = flex_field(s, s->rest, xi, TML_FLEX_RZ);
    if (!flex_has(s->type, TML_FLEX_RY)) {
        return v3_norm(a);
    }
    return flex_has(s->type, TML_FLEX_RZ) ? v3_dot(a, v3_cross(b, c)) : v3_norm(v3_cross(a, b));
}

/* A fine grid of midpoints over the section, corrected to exact second moments. */
typedef struct Grid {
    int n;
    double y[64 * 64], z[64 * 64], area[64 * 64];
} Grid;

static void grid_rectangle(double h, double w, double area, Grid *g)
{
    enum { N = 4 };
    static const double at[2] = {-0.28867513459481287, 0.28867513459481287}; // two Gauss points
    g->n = 0;
    for (int k = 0; k < 4 * N * N; ++k) {
        const int i = k / (2 * N), row = i / 2, column = k % (2 * N) / 2;
        g->y[g->n] = h * ((row + 0.5 + at[i % 2]) / N - 0.5);
        g->z[g->n] = w * ((column + 0.5 + at[k % 2]) / N - 0.5);
        g->area[g->n++] = area / (4 * N * N);
    }
}

static void grid_section(const TmlCrossSection *c, Grid *g)
{
    const double pi = 3.14159265358979323846;
    if (c->mass_area > 0.0) {
        grid_rectangle(sqrt(12 * c->mass_Iz / c->mass_area), sqrt(12 * c->mass_Iy / c->mass_area),
                       c->mass_area, g);
    } else if (c->kind == TML_CROSS_RECTANGLE) {
        grid_rectangle(c->height, c->width, c->area, g);
    } else if (c->kind == TML_CROSS_GENERAL) { // any section of the same moments will do
        grid_rectangle(sqrt(12 * c->Iz / c->area), sqrt(12 * c->Iy / c->area), c->area, g);
    } else if (c->kind == TML_CROSS_CIRCLE) {
        const double r2 = c->radius * c->radius, i2 = c->inner * c->inner;
        g->n = 0;
        for (int k = 0; k < 8 * 16; ++k) {
            const int ring = k / 16;
            const double r = sqrt(i2 + (r2 - i2) * (ring + 0.5) / 8),
                         angle = 2 * pi * (k % 16) / 16;
            g->y[g->n] = r * cos(angle + 0.1);
            g->z[g->n] = r * sin(angle + 0.1);
            g->area[g->n++] = c->area / (8 * 16);
        }
    } else {
        grid_rectangle(0.0, c->height, c->height, g);
    }
}

/* Mass by many points of `shape`. */
static void fine_mass(const FlexSample *s, double *M, double *w)
{
    enum { N = 24 };
    static Grid g;
    static const double at[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double gauss[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    const int n = flex_n(s), across = patch ? 3 * N : 1;
    grid_section(&s->data.section, &g);
    for (int k = 0; k < 3 * N * across; ++k) {
        const int a = k / across, b = k % across;
        for (int p = 0; p < g.n; ++p) {
            const int cell = a / 3, other = b / 3;
            const double u = (cell + at[a % 3]) / N, v = (other + at[b % 3]) / N;
            const double xi[3] = {u, patch ? v : g.y[p], g.z[p]};
            const double m = s->data.material.density * g.area[p] * jacobian(s, xi) * gauss[a % 3] /
                             N * s->size[0] * (patch ? gauss[b % 3] / N * s->size[1] : 1.0);
            double S[FV];
            s->type->shape(&s->data, s->table, xi, TML_FLEX_R, S);
            for (int i = 0; i < n; ++i) {
                w[i] += m * S[i];
                for (int j = 0; j < n; ++j) {
                    M[i * n + j] += m * S[i] * S[j];
                }
            }
        }
    }
}

static void mass(TestCtx *t, FlexSample *s)
{
    const int n = flex_n(s);
    const double *M = tml_flex_mass(s->type, s->table), *w = tml_flex_weight(s->type, s->table);
    double fine[FV * FV] = {0}, fine_w[FV] = {0}, total = 0.0, fine_total = 0.0;
    fine_mass(s, fine, fine_w);
    // the three points in 24 parts are exact to (1/24)^6 = 5e-9 of the sixth derivative over 2e6,
    // the element's own points to those of the curved |r_x| or det J_0, about (0.6 l)^8
    for (int i = 0; i < n * n; ++i) {
        CHECK_NEAR(t, M[i], fine[i], 1e-8 * flex_norm(fine, n * n));
        CHECK_NEAR(t, M[i], M[i % n * n + i / n], 1e-15 * flex_norm(fine, n * n)); // rounding
    }
    for (int i = 0; i < n; ++i) {
        double row = 0.0;
        for (int j = 0; j < n; ++j) {
            row += flex_kind(s, j) == TML_FLEX_R ? M[i * n + j] : 0.0;
        }
        CHECK_NEAR(t, w[i], fine_w[i], 1e-8 * flex_norm(fine_w, n));
        CHECK_NEAR(t, row, w[i], 1e-14 * flex_norm(w, n)); // force of a translation: rounding
        total += flex_kind(s, i) == TML_FLEX_R ? w[i] : 0.0;
        fine_total += flex_kind(s, i) == TML_FLEX_R ? fine_w[i] : 0.0;
    }
    CHECK_NEAR(t, total, fine_total, 1e-8 * fine_total);
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    if (!s->curved) {
        const TmlCrossSection *c = &s->data.section;
        const double area = c->mass_area > 0.0 ? c->mass_area : c->area;
        const double volume = s->size[0] * area * (patch ? s->size[1] : 1.0);
        CHECK_NEAR(t, total, s->data.material.density * volume, 1e-12 * total); // roundings
    }
}

TEST(mass_by_two_quadratures)
{
    flex_each(t, 0.0, mass);
}

/* Sections heavier than their size: moments of the mass in the mass matrix, others elsewhere. */
static void other_mass(TestCtx *t, FlexSample *s)
{
    if (s->type->topology == TML_FLEX_PATCH) {
        return; // the reader refuses them
    }
    const TmlFlexReference ref = {s->rest, {s->size[0], s->size[1]}};
    const TmlFlexIn light = flex_in(s);
    TmlError err = {0};
    flex_deform(t, s, 0.02, 0.0);
    const double energy = s->type->energy(&light);
    s->data.section.mass_area = 0.05;
    s->data.section.mass_Iy = 0.9 * s->data.section.Iy; // not above: sections as stiff as before
    s->data.section.mass_Iz = 0.8 * s->data.section.Iz;
    CHECK_OK(t, s->type->prepare(&s->data, &ref, &s->arena, NULL, &s->table, &err), &err);
    mass(t, s);
    const TmlFlexIn heavy = flex_in(s);
    CHECK_NEAR(t, s->type->energy(&heavy), energy, 0.0); // the same operations
}

TEST(mass_may_have_moments_of_its_own)
{
    flex_each(t, 0.0, other_mass);
}

/* --- patch tests ------------------------------------------------------------------------------ */

static int output_index(const TmlTypeInfo *info, const char *name)
{
    for (int k = 0; info->outputs != NULL && info->outputs[k].name != NULL; ++k) {
        if (strcmp(info->outputs[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Stretched along its axis without change across: the strain is the same everywhere and the force
 * on r and r_x at a node between two elements of different length vanishes. */
static void stretch(TestCtx *t, FlexSample *s)
{
    const double factor = 1.04;
    const int k = output_index(&s->type->info, "strain_xx");
    const int at = k >= 0 ? k : output_index(&s->type->info, "strain");
    if (s->curved || at < 0) {
        return;
    }
    const TmlVec3 e = v3_unit(
        v3_sub(flex_field(s, s->rest, (double[3]){1, 0, 0}, TML_FLEX_R), flex_vec(s, s->rest, 0)));
    for (int i = 0; i < flex_n(s); ++i) {
        const TmlVec3 x = flex_vec(s, s->rest, i);
        flex_put(s, s->x, i, v3_axpy((factor - 1.0) * v3_dot(e, x), e, x));
    }
    const TmlFlexIn in = flex_in(s);
    const double want = 0.5 * (factor * factor - 1.0);
    for (int n = 0; n < 5; ++n) {
        double xi[3], value[64];
        place(t, s, xi);
        s->type->strain(&in, xi, value);
        CHECK_NEAR(t, value[at], want, 1e-13); // roundings
    }
}

TEST(constant_stretch_is_constant)
{
    flex_each(t, 0.0, stretch);
}

/* Force of an element of other length next to the sample, under the same stretch, on its first
 * node.
 */
static void neighbour(TestCtx *t, FlexSample *s)
{
    const double factor = 1.04;
    if (s->curved || s->type->topology != TML_FLEX_LINE) {
        return;
    }
    FlexSample two = {.type = s->type, .data = s->data, .size = {0.37, 0.0}};
    const TmlMat33 Q = m3_identity();
    double f[FN], g[FN];
    TmlError err = {0};
    FlexSample *const both[2] = {s, &two};
    for (int n = 0; n < 2; ++n) {
        FlexSample *e = both[n];
        flex_bend(e, 0.0, n == 0 ? 0.0 : s->size[0], &Q, v3(0, 0, 0), e->rest);
        const TmlFlexReference ref = {e->rest, {e->size[0], 0.0}};
        CHECK_OK(t, e->type->prepare(&e->data, &ref, &two.arena, NULL, &e->table, &err), &err);
        for (int i = 0; i < flex_n(e); ++i) {
            TmlVec3 x = flex_vec(e, e->rest, i);
            x.x *= factor;
            flex_put(e, e->x, i, x);
        }
        const TmlFlexIn in = flex_in(e);
        e->type->force(&in, n == 0 ? f : g);
    }
    const int last = (s->type->nodes - 1) * s->type->vectors;
    for (int i = 0; i < s->type->vectors; ++i) {
        if (flex_kind(s, i) != TML_FLEX_R && flex_kind(s, i) != TML_FLEX_RX) {
            continue; // stresses across are not balanced at r_y and r_z: the sides are held
        }
        const TmlVec3 sum = v3_add(flex_vec(s, f, last + i), flex_vec(s, g, i));
        CHECK_NEAR(t, v3_norm(sum), 0.0, 1e-13 * force_unit); // roundings
    }
    CHECK(t, flex_norm(f, flex_size(s)) > 1e-4 * force_unit);
    tml_arena_free(&two.arena);
}

TEST(constant_stretch_is_in_equilibrium)
{
    flex_each(t, 0.0, neighbour);
}

/* Bending energy over E I phi^2 / (2 l) when all nodes lie on an arc with gradients along its axes.
 * (1 - nu) / ((1 + nu) (1 - 2 nu)) = 1.3462 is Poisson locking: the section may not change its
 * shape linearly over its height. */
static double expected_bending(const FlexSample *s)
{
    const char *name = s->type->info.name;
    const double locked = 0.7 / (1.3 * 0.4);
    if (strcmp(name, "cable") == 0) {
        return 1.0;
    }
    if (strcmp(name, "beam2d") == 0) {
        return locked;
    }
    if ((strcmp(name, "beam") == 0 || strcmp(name, "beam3") == 0) &&
        s->data.material.model == TML_MATERIAL_ELASTIC) {
        return s->data.formulation == TML_FORM_CONTINUUM ? locked : 1.0;
    }
    // a strip that may not bend across as well, 1/(1 - nu^2): plane stress over the thickness
    if (strcmp(name, "shell") == 0) {
        return 1.0 / 0.91;
    }
    if (strcmp(name, "plate") == 0 && s->data.material.model == TML_MATERIAL_ELASTIC) {
        return s->data.formulation == TML_FORM_CONTINUUM ? locked : 1.0 / 0.91;
    }
    return 0.0;
}

static void bending(TestCtx *t, FlexSample *s)
{
    const double phi = 1e-3, E = s->data.material.E;
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    const double I = patch ? s->size[1] * pow(s->data.section.height, 3) / 12 : s->data.section.Iz;
    if (s->curved || s->data.material.model != TML_MATERIAL_ELASTIC) {
        return;
    }
    const TmlMat33 Q = flex_rotation(t, s);
    flex_bend(s, phi / s->size[0], 0.0, &Q, v3(0, 0, 0), s->x);
    const TmlFlexIn in = flex_in(s);
    const double ratio = s->type->energy(&in) / (0.5 * E * I * phi * phi / s->size[0]);
    const double want = expected_bending(s);
    if (want > 0.0) {
        CHECK_NEAR(t, ratio, want, patch ? 4e-5 : 1e-5); // truncated: terms of phi^2 (l / h)^2
    } else {
        CHECK(t, ratio > 0.9 && ratio < 1.5); // no shear locking, which would be (l / h)^2 = 20
    }
}

TEST(pure_bending_has_the_known_error)
{
    flex_each(t, 0.0, bending);
}

/* --- strain output ---------------------------------------------------------------------------- */

/* Columns: derivatives of position by x, y, z from differences; across what the type has not got,
 * the normal. */
static TmlMat33 slopes(const FlexSample *s, const double *x, const double xi[3])
{
    TmlMat33 J = {.cx = flex_slope(s, x, xi, TML_FLEX_RX)};
    J.cy = flex_slope(s, x, xi, TML_FLEX_RY);
    J.cz = flex_has(s->type, TML_FLEX_RZ) ? flex_slope(s, x, xi, TML_FLEX_RZ)
                                          : v3_unit(v3_cross(J.cx, J.cy));
    return J;
}

static TmlMat33 inverse(const TmlMat33 *A)
{
    const double det = m3_det(A);
    const TmlMat33 rows = {v3_scale(1 / det, v3_cross(A->cy, A->cz)),
                           v3_scale(1 / det, v3_cross(A->cz, A->cx)),
                           v3_scale(1 / det, v3_cross(A->cx, A->cy))};
    return m3_transpose(&rows);
}

static void check_green(TestCtx *t, const FlexSample *s, const double xi[3], const double *value)
{
    static const char *const names[6] = {"strain_xx", "strain_yy", "strain_zz",
                                         "strain_xy", "strain_xz", "strain_yz"};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
    const double axis[3] = {xi[0], s->type->topology == TML_FLEX_PATCH ? xi[1] : 0.0, 0.0};
    const TmlMat33 J = slopes(s, s->x, xi), J0 = slopes(s, s->rest, xi);
    const TmlMat33 base = slopes(s, s->rest, axis);
    const TmlMat33 R = tml_flex_triad(base.cx, base.cy), inv = inverse(&J0);
    const TmlMat33 T = m3_mul(&inv, &R), F = m3_mul(&J, &T), C = m3_tmul(&F, &F);
    const TmlVec3 columns[3] = {C.cx, C.cy, C.cz};
    for (int k = 0; k < 6; ++k) {
        const int at = output_index(&s->type->info, names[k]);
        if (at >= 0) {
            const double c = (&columns[col[k]].x)[row[k]];
            // differences of cubics: 1e-16 / 1e-3 of lengths and gradients of one
            CHECK_NEAR(t, value[at], 0.5 * (c - (row[k] == col[k] ? 1.0 : 0.0)), 1e-11);
        }
    }
}

/* A cable by differences of its tangent: stretch, and turn by stress-free length. */
static void check_cable(TestCtx *t, const FlexSample *s, const double xi[3], const double *value)
{
    const double h = 1e-3;
    const TmlVec3 a = flex_slope(s, s->x, xi, TML_FLEX_RX),
                  a0 = flex_slope(s, s->rest, xi, TML_FLEX_RX);
    TmlVec3 e[2];
    for (int k = 0; k < 2; ++k) {
        const double at[3] = {xi[0] + (k == 0 ? -h : h), 0, 0};
        e[k] = v3_unit(flex_slope(s, s->x, at, TML_FLEX_RX));
    }
    const double turn = v3_norm(v3_sub(e[1], e[0])) / (2 * h * s->size[0] * v3_norm(a0));
    CHECK_NEAR(t, value[0], 0.5 * (v3_dot(a, a) / v3_dot(a0, a0) - 1.0), 1e-11); // as above
    CHECK_NEAR(t, value[1], turn, 1e-4 * (1.0 + turn)); // second order: h^2 and derivatives of 100
}

static void strain(TestCtx *t, FlexSample *s)
{
    for (int n = 0; n < 3; ++n) {
        double xi[3], value[64] = {0};
        flex_deform(t, s, 0.05, 0.0);
        place(t, s, xi);
        if (!flex_has(s->type, TML_FLEX_RZ)) {
            xi[2] = 0.0; // positions off the surface are not in the shape functions
        }
        const TmlFlexIn in = flex_in(s);
        s->type->strain(&in, xi, value);
        if (output_index(&s->type->info, "strain_xx") >= 0) {
            check_green(t, s, xi, value);
        } else if (strcmp(s->type->info.name, "cable") == 0) {
            check_cable(t, s, xi, value);
        }
    }
}

TEST(strains_match_differences_of_positions)
{
    flex_each(t, 0.0, strain);
}

/* An element turned inside out is seen. */
static void inverted(TestCtx *t, FlexSample *s)
{
    if (s->type->dim == 3 && !flex_has(s->type, TML_FLEX_RZ)) {
        return; // a surface or a line has no inside
    }
    memcpy(s->x, s->rest, sizeof s->x);
    for (int i = 0; i < flex_n(s); ++i) {
        const TmlVec3 x = flex_vec(s, s->x, i);
        flex_put(s, s->x, i, v3(x.x, -x.y, x.z)); // a mirror
    }
    const TmlFlexIn in = flex_in(s);
    CHECK(t, s->type->volume(&in) < 0.0);
    const TmlFlexReference ref = {s->x, {s->size[0], s->size[1]}};
    TmlError err = {0};
    const void *table = NULL;
    CHECK(t, s->type->prepare(&s->data, &ref, &s->arena, NULL, &table, &err) == TML_E_MODEL);
}

TEST(inverted_elements_are_seen)
{
    flex_each(t, 0.0, inverted);
}

TEST_SUITE(flex_contract) = {
    CASE(rigid_motion_has_no_strain),
    CASE(tangents_match_differences),
    CASE(force_is_the_gradient_of_energy),
    CASE(tangents_are_symmetric_where_they_should_be),
    CASE(rigid_motion_on_top_changes_nothing),
    CASE(shape_functions_are_consistent),
    CASE(shape_functions_interpolate),
    CASE(mass_by_two_quadratures),
    CASE(constant_stretch_is_constant),
    CASE(constant_stretch_is_in_equilibrium),
    CASE(pure_bending_has_the_known_error),
    CASE(strains_match_differences_of_positions),
    CASE(inverted_elements_are_seen),
    CASE(mass_may_have_moments_of_its_own),
    {0},
};
