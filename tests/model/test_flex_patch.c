/* tests/model/test_flex_patch.c - patch tests and rank of the elements of plates, shells, beams.
 *
 * Patch test: four elements around one node carry a state of constant strain or curvature; the
 * forces at that node must cancel.
 */
#include "flex_util.h"

#include <math.h>

enum { GRID = 3, NODES = GRID * GRID };

/* Four elements of one type: place of their nodes, and material derivatives there. */
typedef struct Patch {
    const TmlFlexType *type;
    TmlFlexData data;
    double side[2][2];     /* m: lengths of the two elements along x, and along y */
    TmlVec3 along, across; /* directions of the sides */
    TmlArena arena;
} Patch;

/* A displacement: u = G X + (0, 0, curvature of X / 2), small. */
typedef struct Field {
    TmlMat33 G;
    double k[3]; /* w = (k0 X^2 + k1 Y^2 + 2 k2 X Y)/2 */
} Field;

static TmlVec3 node_place(const Patch *p, int i, int j)
{
    const double x = (i > 0 ? p->side[0][0] : 0.0) + (i > 1 ? p->side[0][1] : 0.0);
    const double y = (j > 0 ? p->side[1][0] : 0.0) + (j > 1 ? p->side[1][1] : 0.0);
    return v3_axpy(x, p->along, v3_scale(y, p->across));
}

/* Vector of a kind at X after the field; gradients by the sides. */
static TmlVec3 moved(const Patch *p, const Field *f, TmlVec3 X, TmlFlexKind kind)
{
    const double wx = f->k[0] * X.x + f->k[2] * X.y, wy = f->k[2] * X.x + f->k[1] * X.y;
    const TmlVec3 d = kind == TML_FLEX_RX ? p->along : p->across;
    switch (kind) {
    case TML_FLEX_R:
        return v3_add(v3_add(X, m3_mulv(&f->G, X)), v3(0, 0, 0.5 * (wx * X.x + wy * X.y)));
    case TML_FLEX_RZ: // the normal, with the change of thickness that G has
        return v3_add(v3(-wx, -wy, 1.0), m3_mulv(&f->G, v3(0, 0, 1)));
    default:
        return v3_add(v3_add(d, m3_mulv(&f->G, d)), v3(0, 0, wx * d.x + wy * d.y));
    }
}

static void fill(const Patch *p, const Field *f, const FlexSample *s, int e, double *x)
{
    for (int i = 0; i < flex_n(s); ++i) {
        double u[2];
        flex_node_place(s->type, i / s->type->vectors, u);
        const TmlVec3 X = node_place(p, e % 2 + (int)u[0], e / 2 + (int)u[1]);
        flex_put(s, x, i, moved(p, f, X, flex_kind(s, i)));
    }
}

/* Largest force at the middle node over the largest anywhere. */
static double unbalance(TestCtx *t, Patch *p, const Field *f)
{
    const Field none = {0};
    TmlVec3 sum[NODES][TML_FLEX_KINDS] = {{{0}}};
    double largest = 0.0, middle = 0.0;
    TmlError err = {0};
    for (int e = 0; e < 4; ++e) {
        FlexSample s = {.type = p->type, .data = p->data};
        double force[FN];
        s.size[0] = p->side[0][e % 2];
        s.size[1] = p->side[1][e / 2];
        fill(p, &none, &s, e, s.rest);
        fill(p, f, &s, e, s.x);
        const TmlFlexReference ref = {s.rest, {s.size[0], s.size[1]}};
        CHECK_OK(t, s.type->prepare(&s.data, &ref, &p->arena, NULL, &s.table, &err), &err);
        const TmlFlexIn in = flex_in(&s);
        s.type->force(&in, force);
        for (int i = 0; i < flex_n(&s); ++i) {
            double u[2];
            flex_node_place(s.type, i / s.type->vectors, u);
            const int node = (e / 2 + (int)u[1]) * GRID + e % 2 + (int)u[0];
            TmlVec3 *to = &sum[node][flex_kind(&s, i)];
            *to = v3_add(*to, flex_vec(&s, force, i));
            largest = fmax(largest, v3_norm(flex_vec(&s, force, i)));
        }
    }
    for (int k = 0; k < p->type->vectors; ++k) {
        middle = fmax(middle, v3_norm(sum[4][p->type->kind[k]]));
    }
    CHECK(t, largest > 0.0);
    return middle / largest;
}

static Patch patch_of(const char *name, TmlFormulation form, double skew)
{
    return (Patch){
        .type = tml_find_flex_type(name),
        .data = {.material = {.E = 1000.0, .nu = 0.3, .density = 1.0},
                 .section = {.kind = TML_CROSS_PLATE, .height = 0.05, .area = 0.05},
                 .formulation = form},
        .side = {{0.4, 0.7}, {0.3, 0.5}},
        .along = v3(1, 0, 0),
        .across = v3(sin(skew), cos(skew), 0),
    };
}

/* The thickness that leaves no stress across: -nu/(1 - nu) of the strains in the plane. */
static Field membrane(double size)
{
    Field f = {.G = {v3(size, 0.3 * size, 0), v3(0.1 * size, -0.5 * size, 0), v3(0, 0, 0)}};
    f.G.cz.z = -0.3 / 0.7 * 0.5 * size;
    return f;
}

static Field bending(double size)
{
    return (Field){.k = {size, -0.4 * size, 0.3 * size}};
}

TEST(constant_strain)
{
    const Field f = membrane(1e-6);
    for (int k = 0; k < 4; ++k) {
        Patch shell = patch_of("shell", TML_FORM_CONTINUUM, k * 0.2);
        Patch plate = patch_of("plate", TML_FORM_ENHANCED, k * 0.2);
        Patch solid = patch_of("plate", TML_FORM_CONTINUUM, k * 0.2);
        // strains of 1e-6 and their squares: 1e-6 of the forces; roundings of 1e-16 / 1e-6 less
        CHECK_NEAR(t, unbalance(t, &shell, &f), 0.0, 1e-5);
        CHECK_NEAR(t, unbalance(t, &plate, &f), 0.0, 1e-5);
        CHECK_NEAR(t, unbalance(t, &solid, &f), 0.0, 1e-5);
        tml_arena_free(&shell.arena);
        tml_arena_free(&plate.arena);
        tml_arena_free(&solid.arena);
    }
}

TEST(constant_curvature)
{
    const Field f = bending(1e-7);
    for (int k = 0; k < 2; ++k) {
        Patch shell = patch_of("shell", TML_FORM_CONTINUUM, k * 0.4);
        Patch plate = patch_of("plate", TML_FORM_ENHANCED, k * 0.4);
        // membrane forces E h (1e-7)^2 / 2 against moments E h^3/12 1e-7: 2.4e-4, and roundings
        CHECK_NEAR(t, unbalance(t, &shell, &f), 0.0, 1e-3);
        CHECK_NEAR(t, unbalance(t, &plate, &f), 0.0, 1e-3);
        tml_arena_free(&shell.arena);
        tml_arena_free(&plate.arena);
    }
}

/* Number of states with energy: rank of the tangent at rest by elimination with full pivots. */
static int rank_of(double *K, int n)
{
    const double unit = flex_norm(K, n * n);
    for (int r = 0; r < n; ++r) {
        int row = r, col = r;
        for (int i = r * n; i < n * n; ++i) {
            if (i % n >= r && fabs(K[i]) > fabs(K[row * n + col])) {
                row = i / n;
                col = i % n;
            }
        }
        if (fabs(K[row * n + col]) < 1e-10 * unit) { // roundings are 1e-15 of the largest
            return r;
        }
        for (int j = 0; j < n; ++j) {
            const double a = K[r * n + j];
            K[r * n + j] = K[row * n + j];
            K[row * n + j] = a;
        }
        for (int i = 0; i < n; ++i) {
            const double a = K[i * n + r];
            K[i * n + r] = K[i * n + col];
            K[i * n + col] = a;
        }
        for (int i = r + 1; i < n; ++i) {
            const double c = K[i * n + r] / K[r * n + r];
            for (int j = r; j < n; ++j) {
                K[i * n + j] -= c * K[r * n + j];
            }
        }
    }
    return n;
}

/* Only the six rigid motions have no energy. Reduced quadrature must not let others through. */
static void rank(TestCtx *t, FlexSample *s)
{
    const char *name = s->type->info.name;
    double K[FN * FN];
    if (strcmp(name, "beam3") != 0 && strcmp(name, "shell") != 0 && strcmp(name, "plate") != 0) {
        return;
    }
    memcpy(s->x, s->rest, sizeof s->x);
    const TmlFlexIn in = flex_in(s);
    s->type->tangent(&in, 1.0, 0.0, K);
    CHECK_INT(t, rank_of(K, flex_size(s)), flex_size(s) - 6);
}

TEST(only_rigid_motions_have_no_energy)
{
    flex_each(t, 0.0, rank);
}

TEST_SUITE(flex_patch) = {
    CASE(constant_strain),
    CASE(constant_curvature),
    CASE(only_rigid_motions_have_no_energy),
    {0},
};
