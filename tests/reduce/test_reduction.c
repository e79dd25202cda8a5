/* tests/reduce/test_reduction.c - what a reduced part must keep of the full one: statics at interfaces,
 * mass and inertia, all frequencies when nothing is cut; and parts that cannot be reduced. */
#include "reduce/basis/held_part.h"
#include "reduce/basis/spider.h"
#include "reduce_util.h"

#include "math/dense.h"
#include "math/vec3.h"

static const double pi = 3.14159265358979323846;

typedef struct Block {
    TmlArena arena;
    TmlFeMatrices fe;
    TmlInterface end[2];
} Block;

/* A block of bars, 6 x 2 x 2 nodes, with both ends as interfaces. */
static void block_of(TestCtx *t, TmlTie first, TmlTie second, Block *b)
{
    *b = (Block){0};
    truss_block(t, 6, 2, 2, 0.1, v3(0.3, -0.2, 0.1), &b->fe);
    b->end[0] = face(&b->arena, &b->fe, "A", first, 0.3, v3(0.3, -0.15, 0.15));
    b->end[1] = face(&b->arena, &b->fe, "B", second, 0.8, v3(0.83, -0.14, 0.15));
}

static void block_free(Block *b)
{
    tml_arena_free(&b->fe.arena);
    tml_arena_free(&b->arena);
}

static TmlReduceOptions options_of(const Block *b, TmlReductionMethod method, int count, int frame)
{
    return (TmlReduceOptions){
        .name = "block",
        .n_interfaces = 2,
        .interface = b->end,
        .reduction = {.method = method, .count = count, .hertz = (double)INFINITY},
        .frame = frame};
}

/* 6 x 6: motion of interface 1 by unit wrenches on it with interface 0 held, by the full matrices. */
static void full_compliance(TestCtx *t, const TmlTied *tied, double *C)
{
    const size_t n = (size_t)tied->n;
    TmlError err = {0};
    TmlHeld held;
    double *rows = calloc(6 * n, sizeof *rows), *F = calloc(6 * n, sizeof *F);
    double *U = calloc(6 * n, sizeof *U);
    for (int f = 0; f < 2; ++f) {
        const TmlTiedFrame *frame = &tied->frame[f];
        double *to = f == 0 ? rows : F;
        for (size_t c = 0; c < 6; ++c) {
            if (frame->at >= 0) {
                to[c * n + (size_t)frame->at + c] = 1.0;
            } else {
                memcpy(to + c * n, tied->D + ((size_t)frame->row + c) * n, n * sizeof *to);
            }
        }
    }
    CHECK_OK(t, tml_held_create(tied, NULL, 6, rows, &held, &err), &err);
    CHECK_OK(t, tml_held_solve(&held, 6, F, NULL, U, &err), &err);
    for (int c = 0; c < 6; ++c) {
        tml_tied_motion(tied, 1, U + (size_t)c * n, C + 6 * c);
    }
    tml_held_free(&held);
    free(rows);
    free(F);
    free(U);
}

/* The same by the modes of a part whose frame is at interface 0. */
static void part_compliance(const TmlPart *p, double *C)
{
    memset(C, 0, 36 * sizeof *C);
    for (int j = 0; j < p->m; ++j) {
        double v[6];
        memcpy(v, p->frame[1].phi + 3 * (size_t)j, 3 * sizeof *v);
        memcpy(v + 3, p->frame[1].psi + 3 * (size_t)j, 3 * sizeof *v);
        for (int a = 0; a < 36; ++a) {
            C[a] += v[a / 6] * v[a % 6] / p->K[(size_t)j * (size_t)(p->m + 1)];
        }
    }
}

/* Statics of the reduced part under loads at interfaces are those of the full matrices, whatever the
 * ties, the method and the number of modes. */
TEST(statics_at_interfaces)
{
    static const TmlTie ties[3][2] = {{TML_TIE_RIGID, TML_TIE_RIGID},
                                      {TML_TIE_AVERAGE, TML_TIE_AVERAGE},
                                      {TML_TIE_RIGID, TML_TIE_AVERAGE}};
    for (int k = 0; k < 18; ++k) {
        const int count = 4 * (k % 3);
        Block b;
        TmlTied tied;
        TmlPart part;
        TmlError err = {0};
        double want[36], got[36];
        block_of(t, ties[k / 6][0], ties[k / 6][1], &b);
        const TmlReduceOptions o =
            options_of(&b, k / 3 % 2 == 0 ? TML_CRAIG_BAMPTON : TML_HERTING, count, 0);
        CHECK_OK(t, tml_tied_create(&b.fe, 2, b.end, &tied, &err), &err);
        CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &part, NULL, &err), &err);
        CHECK_INT(t, part.m, (o.reduction.method == TML_HERTING ? 12 : 6) + count);
        full_compliance(t, &tied, want);
        part_compliance(&part, got);
        for (int a = 0; a < 36; ++a) {
            const double scale = sqrt(want[7 * (a / 6)] * want[7 * (a % 6)]);
            CHECK_NEAR(t, got[a] / scale, want[a] / scale, 1e-9); // asked for; rounding is 1e-12
        }
        tml_tied_free(&tied);
        block_free(&b);
    }
}

/* Mass, centre and inertia of the part are those of the mesh; modes carry no momentum in mean axes and
 * have unit mass; moments agree with each other. */
TEST(mass_and_moments)
{
    for (int frame = -1; frame < 1; ++frame) {
        Block b;
        TmlPart p;
        TmlReduceFacts facts;
        TmlError err = {0};
        block_of(t, TML_TIE_RIGID, TML_TIE_AVERAGE, &b);
        const TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 7, frame);
        CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, &facts, &err), &err);
        CHECK_NEAR(t, p.mass / facts.mesh_mass, 1.0, 1e-13); // rounding of sums over the nodes
        CHECK_NEAR(t, v3_norm(v3_sub(facts.centre, facts.mesh_centre)), 0.0, 1e-13); // the same
        for (int a = 0; a < 9; ++a) {
            const double scale = facts.mesh_inertia[0] + facts.mesh_inertia[4];
            CHECK_NEAR(t, facts.inertia[a] / scale, facts.mesh_inertia[a] / scale,
                       1e-12); // the same
        }
        CHECK(t, p.rest_J == NULL); // the mass is a number times the unit matrix
        const int m1 = p.m + 1;
        for (int i = 1; i < m1; ++i) {
            const double *G = p.G + 9 * (size_t)i * (size_t)m1; // G_i0
            // rounding times the mass of the part, about 30 kg, in units of sqrt(kg)
            for (int a = 0; a < 3 && frame < 0; ++a) {
                CHECK_NEAR(t, p.P[3 * i + a], 0.0, 1e-11);
                CHECK_NEAR(t,
                           G[3 * ((a + 1) % 3) + (a + 2) % 3] - G[3 * ((a + 2) % 3) + (a + 1) % 3],
                           0.0, 1e-11);
            }
            for (int j = 1; j < m1; ++j) {
                const double *Gij = p.G + 9 * ((size_t)i * (size_t)m1 + (size_t)j);
                CHECK_NEAR(t, Gij[0] + Gij[4] + Gij[8], i == j, 1e-11); // the same
            }
        }
        if (frame == 0) {
            // the frame stands still in all modes
            for (int k = 0; k < 3 * p.m; ++k) {
                CHECK(t, p.frame[0].phi[k] == 0.0 && p.frame[0].psi[k] == 0.0);
            }
            CHECK_NEAR(t, p.P[0] / p.mass, 0.25,
                       1e-13); // the centre is half a length away; rounding
        }
        block_free(&b);
    }
}

/* Of a matrix that is more than a scalar one the rest makes inertia exact without deformation. */
TEST(rest_of_a_general_matrix)
{
    Block b;
    TmlPart p;
    TmlReduceFacts facts;
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
    // a mass that is heavier along x than along y at two nodes
    for (int k = 0; k < 2; ++k) {
        const int i = 3 * (7 + 4 * k);
        b.fe.M.x[tml_csc_find(&b.fe.M, i, i)] *= 1.3;
    }
    const TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 5, -1);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, &facts, &err), &err);
    CHECK(t, p.rest_J != NULL && p.rest_C != NULL && p.rest_M != NULL);
    for (int a = 0; a < 9 && p.rest_J != NULL; ++a) {
        const double scale = facts.mesh_inertia[0] + facts.mesh_inertia[4];
        CHECK_NEAR(t, facts.inertia[a] / scale, facts.mesh_inertia[a] / scale, 1e-12); // rounding
    }
    double largest = 0.0;
    for (int k = 0; k < p.m * p.m; ++k) {
        const int i = k / p.m + 1, j = k % p.m + 1;
        const double *G = p.G + 9 * ((size_t)i * (size_t)(p.m + 1) + (size_t)j);
        largest = fmax(largest, fabs(p.rest_M[k]));
        CHECK_NEAR(t, G[0] + G[4] + G[8] + p.rest_M[k], i == j, 1e-12); // rounding
    }
    CHECK(t, largest > 1e-4); // there is a rest; 1e-4: far above rounding
    block_free(&b);
}

/* With all modes, frequencies are those of the full model, for every method. */
TEST(nothing_cut)
{
    Block b;
    TmlPart part[2];
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
    for (int k = 0; k < 2; ++k) {
        const TmlReduceOptions o =
            options_of(&b, k == 0 ? TML_CRAIG_BAMPTON : TML_HERTING, 1000, -1);
        CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &part[k], NULL, &err), &err);
        CHECK_INT(t, part[k].m, 16 * 3 + 12 - 6); // free nodes, two frames, less rigid motion
    }
    for (int j = 0; j < part[0].m; ++j) {
        CHECK_NEAR(t, part[0].hertz[j] / part[1].hertz[j], 1.0, 1e-10); // condition of K times eps
    }
    block_free(&b);
}

/* The same part turned, shifted, larger and of other units has the same frequencies, scaled. */
TEST(turned_shifted_scaled)
{
    Block a, b;
    TmlPart p, q;
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_AVERAGE, &a);
    block_of(t, TML_TIE_RIGID, TML_TIE_AVERAGE, &b);
    const TmlQuat turn = test_quat(t);
    const TmlMat33 A = q4_matrix(turn);
    TmlVec3 *x = tml_arena_alloc(&b.arena, (size_t)b.fe.n_nodes, sizeof *x);
    const double size = 1000.0;
    for (int k = 0; k < b.fe.n_nodes; ++k) {
        x[k] = v3_add(v3(5e3, -2e3, 7e3), v3_scale(size, m3_mulv(&A, b.fe.x[k])));
    }
    b.fe.x = x;
    // K and M of the turned part: blocks A K A^T
    for (int which = 0; which < 2; ++which) {
        TmlCsc *M = which == 0 ? &b.fe.K : &b.fe.M;
        const int n = b.fe.n;
        double *full = calloc((size_t)n * (size_t)n, sizeof *full),
               *turned = calloc((size_t)n * (size_t)n, sizeof *turned);
        for (int j = 0; j < n; ++j) {
            for (int s = M->start[j]; s < M->start[j + 1]; ++s) {
                full[j * n + M->row[s]] = full[M->row[s] * n + j] = M->x[s];
            }
        }
        const double *axis[3] = {&A.cx.x, &A.cy.x, &A.cz.x};
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                for (int e = 0; e < 9; ++e) {
                    turned[j * n + i] += axis[e / 3][i % 3] * axis[e % 3][j % 3] *
                                         full[(3 * (j / 3) + e % 3) * n + 3 * (i / 3) + e / 3];
                }
            }
        }
        int *row = calloc((size_t)n * (size_t)n, sizeof *row),
            *col = calloc((size_t)n * (size_t)n, sizeof *col);
        double *value = calloc((size_t)n * (size_t)n, sizeof *value);
        int entries = 0;
        for (int e = 0; e < n * n; ++e) {
            if (e % n >= e / n && turned[e] != 0.0) {
                row[entries] = e % n;
                col[entries] = e / n;
                value[entries++] = turned[e];
            }
        }
        CHECK_OK(t, tml_csc_triplets(n, n, entries, row, col, value, &b.fe.arena, M, &err), &err);
        free(full);
        free(turned);
        free(row);
        free(col);
        free(value);
    }
    for (int f = 0; f < 2; ++f) {
        b.end[f].at = v3_add(v3(5e3, -2e3, 7e3), v3_scale(size, m3_mulv(&A, a.end[f].at)));
    }
    const TmlReduceOptions o = options_of(&a, TML_CRAIG_BAMPTON, 6, -1);
    TmlReduceOptions other = options_of(&b, TML_CRAIG_BAMPTON, 6, -1);
    CHECK_OK(t, tml_reduce(&a.fe, &o, &a.arena, &p, NULL, &err), &err);
    CHECK_OK(t, tml_reduce(&b.fe, &other, &b.arena, &q, NULL, &err), &err);
    for (int j = 0; j < p.m; ++j) {
        CHECK_NEAR(t, q.hertz[j] / p.hertz[j], 1.0, 1e-9); // condition of K times eps
    }
    block_free(&a);
    block_free(&b);
}

/* A force at a node that is no interface: its static answer is exact with a residual vector. */
TEST(loads_elsewhere)
{
    double error[2];
    for (int with = 0; with < 2; ++with) {
        Block b;
        TmlPart p;
        TmlTied tied;
        TmlHeld held;
        TmlError err = {0};
        block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
        const int node = 8;
        const TmlUnitLoad load[3] = {{node, 0}, {node, 1}, {node, 2}};
        const TmlKeptNode kept = {"mid", node};
        TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 6, 0);
        o.n_kept = 1;
        o.kept = &kept;
        o.reduction.n_loads = with == 1 ? 3 : 0;
        o.reduction.load = load;
        CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
        CHECK_INT(t, p.m, 12 + 3 * with);
        CHECK_STR(t, p.frame[2].name, "mid");
        CHECK(t, !p.frame[2].turns);
        CHECK_OK(t, tml_tied_create(&b.fe, 2, b.end, &tied, &err), &err);
        bool *hold = calloc((size_t)tied.n, sizeof *hold);
        double *F = calloc((size_t)tied.n, sizeof *F), *u = calloc((size_t)tied.n, sizeof *u);
        for (int c = 0; c < 6; ++c) {
            hold[tied.frame[0].at + c] = true;
        }
        int at = 0;
        for (int k = tied.Tt.start[3 * node + 2]; k < tied.Tt.start[3 * node + 3]; ++k) {
            at = tied.Tt.row[k];
        }
        F[at] = 1.0;
        CHECK_OK(t, tml_held_create(&tied, hold, 0, NULL, &held, &err), &err);
        CHECK_OK(t, tml_held_solve(&held, 1, F, NULL, u, &err), &err);
        double sum = 0.0;
        for (int j = 0; j < p.m; ++j) {
            const double phi = p.frame[2].phi[3 * j + 2];
            sum += phi * phi / p.K[(size_t)j * (size_t)(p.m + 1)];
        }
        error[with] = fabs(sum / u[at] - 1.0);
        tml_held_free(&held);
        tml_tied_free(&tied);
        free(hold);
        free(F);
        free(u);
        block_free(&b);
    }
    CHECK(t, error[0] > 1e-4);          // without it truncation shows: the test can fail
    CHECK_NEAR(t, error[1], 0.0, 1e-9); // rounding of the solutions
}

/* Modes by frequency and by effective mass are those of the list by count. */
TEST(selection_of_modes)
{
    Block b;
    TmlPart all, some;
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
    TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 40, -1);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &all, NULL, &err), &err);
    o.reduction.count = -1;
    o.reduction.hertz = 0.5 * (all.fixed[24] + all.fixed[25]);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &some, NULL, &err), &err);
    CHECK_INT(t, some.n_fixed, 25);
    o.reduction.count = 10;
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &some, NULL, &err), &err);
    CHECK_INT(t, some.n_fixed, 10);
    o.reduction = (TmlReduction){.count = 40, .hertz = (double)INFINITY, .effective = 0.01};
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &some, NULL, &err), &err);
    int want = 0;
    for (int j = 0; j < all.n_fixed; ++j) {
        double most = 0.0;
        for (int c = 0; c < 6; ++c) {
            most = fmax(most, all.effective[6 * j + c]);
        }
        want += most >= 0.01; // the share that is asked for, exact
    }
    CHECK_INT(t, some.n_fixed, want);
    CHECK(t, want > 0 && want < 40);
    block_free(&b);
}

/* Damping by ratio, table and Rayleigh. */
TEST(damping_of_modes)
{
    Block b;
    TmlPart p;
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
    TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 4, -1);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    CHECK(t, p.D == NULL);
    const double ratio[3] = {0.02, 0.04, 0.03}, hertz[3] = {p.hertz[1], p.hertz[3], p.hertz[3] * 4};
    o.damping = (TmlDamping){.n = 3, .hertz = hertz, .ratio = ratio};
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    const double z = 0.02 + 0.02 * (p.hertz[2] - hertz[0]) / (hertz[1] - hertz[0]);
    const double want[4] = {0.02, 0.02, z, 0.04};
    for (int j = 0; j < 4; ++j) {
        CHECK_NEAR(t, p.D[j * (p.m + 1)] / (4 * pi * p.hertz[j]), want[j], 1e-14); // rounding
    }
    o.damping = (TmlDamping){.rayleigh = true, .mass = 3.0, .stiffness = 1e-5};
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    const double w = 2 * pi * p.hertz[5];
    CHECK_NEAR(t, p.D[5 * (p.m + 1)] / (3.0 + 1e-5 * w * w), 1.0, 1e-14); // rounding
    block_free(&b);
}

/* Two runs give the same bits, and the first of the largest components of each mode is positive. */
TEST(repeats)
{
    Block b;
    TmlPart p, q;
    TmlTied tied;
    TmlBasis basis;
    TmlModes modes;
    TmlError err = {0};
    block_of(t, TML_TIE_RIGID, TML_TIE_AVERAGE, &b);
    const TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 6, -1);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &q, NULL, &err), &err);
    CHECK(t, memcmp(p.G, q.G, 9 * (size_t)((p.m + 1) * (p.m + 1)) * sizeof(double)) == 0);
    CHECK_OK(t, tml_tied_create(&b.fe, 2, b.end, &tied, &err), &err);
    CHECK_OK(t, tml_basis_create(&tied, &o.reduction, &basis, &err), &err);
    CHECK_OK(t, tml_modes_create(&basis, -1, &modes, &err), &err);
    for (int j = 0; j < modes.m; ++j) {
        const double *v = modes.V + (size_t)j * (size_t)tied.n;
        double most = 0.0;
        for (int i = 0; i < tied.n; ++i) {
            most = fmax(most, fabs(v[i]));
        }
        int at = 0;
        while (fabs(v[at]) < (1.0 - 1e-6) * most) { // rounding of equal components
            at++;
        }
        CHECK(t, v[at] > 0.0);
    }
    tml_modes_free(&modes);
    tml_basis_free(&basis);
    tml_tied_free(&tied);
    block_free(&b);
}

typedef struct Wrong {
    const char *what, *message;
    int kind;
} Wrong;

/* What cannot be reduced is told by name. */
TEST(bad_parts)
{
    static const Wrong wrong[] = {
        {"a line", "interface 'A': its 2 nodes lie on a line", 0},
        {"twice", "interface 'B': node 100 is held by interface 'A' already", 1},
        {"loose node", "in pieces: node 108, x, and 2 more degrees of freedom, are not connected",
         2},
        {"negative mass", "the mass of node 105, freedom 1, is", 3},
        {"no rotation", "do not hold the part against rigid motion", 4},
        {"frame", "cannot be at interface 'A', which has no rotation", 5},
        {"weight", "the weight of node", 6},
        {"two halves", "in pieces: node 103, x", 7},
        {"a hinge", "not definite at node 108, x", 8},
        {"held", "the stiffness resists rigid motion along y: node 108, y", 9},
        {"mass", "the mass is not definite at node 10", 10},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        Block b;
        TmlPart p;
        TmlError err = {0};
        const double weight[4] = {1, 1, 0, 1};
        block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
        TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 4, -1);
        const int first = b.end[0].node[0];
        t->name = wrong[k].what;
        switch (wrong[k].kind) {
        case 0:
            b.end[0].n = 2;
            break;
        case 1:
            b.end[1] = b.end[0];
            b.end[1].name = "B";
            break;
        case 2: // node 8 loses its bars
            for (int j = 0; j < b.fe.n; ++j) {
                for (int s = b.fe.K.start[j]; s < b.fe.K.start[j + 1]; ++s) {
                    b.fe.K.x[s] = j / 3 == 8 || b.fe.K.row[s] / 3 == 8 ? 0.0 : b.fe.K.x[s];
                }
            }
            break;
        case 3:
            b.fe.M.x[tml_csc_find(&b.fe.M, 15, 15)] = -1.0;
            break;
        case 4:
            b.end[0] = (TmlInterface){.name = "A",
                                      .tie = TML_TIE_NODE,
                                      .at = b.fe.x[first],
                                      .n = 1,
                                      .node = b.end[0].node};
            o.n_interfaces = 1;
            break;
        case 5:
            b.end[0] = (TmlInterface){.name = "A",
                                      .tie = TML_TIE_NODE,
                                      .at = b.fe.x[first],
                                      .n = 1,
                                      .node = b.end[0].node};
            o.frame = 0;
            break;
        case 7: // nothing between the third and the fourth layer: both halves are held
            for (int j = 0; j < b.fe.n; ++j) {
                for (int s = b.fe.K.start[j]; s < b.fe.K.start[j + 1]; ++s) {
                    const bool across = (j / 3 % 6 < 3) != (b.fe.K.row[s] / 3 % 6 < 3);
                    b.fe.K.x[s] = across ? 0.0 : b.fe.K.x[s];
                }
            }
            break;
        case 8: // node 8 keeps a bar along z only, its own freedoms along x and y are free
            for (int j = 0; j < b.fe.n; ++j) {
                for (int s = b.fe.K.start[j]; s < b.fe.K.start[j + 1]; ++s) {
                    const int r = b.fe.K.row[s];
                    const bool mine = j / 3 == 8 || r / 3 == 8;
                    b.fe.K.x[s] = mine && !(j % 3 == 2 && r % 3 == 2) ? 0.0 : b.fe.K.x[s];
                }
            }
            break;
        case 9: // as stiff as its bars
            b.fe.K.x[tml_csc_find(&b.fe.K, 25, 25)] *= 1.1;
            break;
        case 10: // two freedoms that move against each other
            b.fe.M.x[tml_csc_find(&b.fe.M, 28, 25)] = 1.5 * b.fe.M.x[tml_csc_find(&b.fe.M, 25, 25)];
            break;
        default:
            b.end[1].tie = TML_TIE_AVERAGE;
            b.end[1].weight = weight;
            break;
        }
        CHECK_INT(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        block_free(&b);
    }
    t->name = NULL;
}

/* A frame tied by weights: it follows a rigid motion of its nodes as it is, and at their weighted centre each node moves it by its part. */
TEST(averages_by_weights)
{
    static const double weight[4] = {1, 2, 3, 4};
    Block b;
    TmlError err = {0};
    block_of(t, TML_TIE_AVERAGE, TML_TIE_RIGID, &b);
    TmlInterface *end = &b.end[0];
    CHECK_INT(t, end->n, 4);
    end->weight = weight;
    end->at = v3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        end->at = v3_axpy(weight[k] / 10.0, b.fe.x[end->node[k]], end->at);
    }
    const TmlVec3 move = v3(0.3, -0.2, 0.5), turn = v3(0.1, 0.4, -0.2);
    const double want[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
    const size_t n = (size_t)b.fe.n;
    double *rows = calloc(6 * n, sizeof *rows), sum[6] = {0};
    CHECK_OK(t, tml_spider_average(&b.fe, end, rows, &err), &err);
    for (int k = 0; k < 4; ++k) {
        const TmlVec3 u = v3_add(move, v3_cross(turn, v3_sub(b.fe.x[end->node[k]], end->at)));
        const size_t at = (size_t)b.fe.first[end->node[k]];
        for (size_t c = 0; c < 6; ++c) {
            const double *row = rows + c * n + at;
            sum[c] += row[0] * u.x + row[1] * u.y + row[2] * u.z;
        }
        CHECK_NEAR(t, rows[at], weight[k] / 10.0, 1e-13); // rounding of a system of six
    }
    for (int c = 0; c < 6; ++c) {
        CHECK_NEAR(t, sum[c], want[c], 1e-12); // as above, over nodes 0.3 m apart
    }
    free(rows);
    block_free(&b);
}

/* Nodes as interfaces, three freedoms each: three of them hold the part, one is enough for Herting. */
TEST(nodes_as_interfaces)
{
    Block b;
    TmlPart p;
    TmlError err = {0};
    TmlInterface three[3];
    static const int node[3] = {0, 5, 13};
    block_of(t, TML_TIE_RIGID, TML_TIE_RIGID, &b);
    for (int k = 0; k < 3; ++k) {
        three[k] = (TmlInterface){.name = k == 0   ? "a"
                                          : k == 1 ? "b"
                                                   : "c",
                                  .tie = TML_TIE_NODE,
                                  .at = b.fe.x[node[k]],
                                  .n = 1,
                                  .node = &node[k]};
    }
    TmlReduceOptions o = options_of(&b, TML_CRAIG_BAMPTON, 5, -1);
    o.interface = three;
    o.n_interfaces = 3;
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    CHECK_INT(t, p.m, 9 - 6 + 5);
    CHECK(t, !p.frame[1].turns);
    o.n_interfaces = 1;
    o.reduction.method = TML_HERTING;
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    CHECK_INT(t, p.m, 3 + 5);
    o.n_interfaces = 0;
    CHECK_OK(t, tml_reduce(&b.fe, &o, &b.arena, &p, NULL, &err), &err);
    CHECK_INT(t, p.m, 5);
    block_free(&b);
}

TEST_SUITE(reduction) = {CASE(statics_at_interfaces),
                         CASE(mass_and_moments),
                         CASE(rest_of_a_general_matrix),
                         CASE(nothing_cut),
                         CASE(turned_shifted_scaled),
                         CASE(loads_elsewhere),
                         CASE(selection_of_modes),
                         CASE(damping_of_modes),
                         CASE(repeats),
                         CASE(bad_parts),
                         CASE(averages_by_weights),
                         CASE(nodes_as_interfaces),
                         {0}};
