/* tests/modal/test_recover.c - stresses of modal bodies from result files, cycles and damage. */
#include "modal_skin.h"

#include <math.h>

/* --- cycles --------------------------------------------------------------------------------------- */

/* How many cycles have that range. */
static double counted(int n, const TmlCycle *c, double range)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += fabs(c[k].range - range) < 1e-12 ? c[k].count : 0.0; // ranges are whole numbers
    }
    return sum;
}

/* The example of ASTM E1049-85, figure 6 with its table of counts. */
TEST(standard_example)
{
    static const double x[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
    static const double want[][2] = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0},
                                     {9, 0.5}, {5, 0},   {7, 0},   {10, 0}};
    TmlCycle c[9];
    const int n = tml_rainflow(9, x, c);
    CHECK_INT(t, n, 7);
    for (size_t k = 0; k < sizeof want / sizeof *want; ++k) {
        CHECK_NEAR(t, counted(n, c, want[k][0]), want[k][1], 0.0); // halves are exact
    }
    // the whole cycle is that from -1 to 3
    for (int k = 0; k < n; ++k) {
        if (c[k].count > 0.9) {                 // 1, not 0.5
            CHECK_NEAR(t, c[k].mean, 1.0, 0.0); // exact in binary
        }
    }
}

/* Points between turning points, values that stand still, and what is no number change nothing. */
TEST(points_between_count_nothing)
{
    const double nan = (double)NAN;
    const double x[] = {-2, -2, 0, 1, -1, -3, -3, 2, 5, nan, -1, 3, 3, -4, 4, 0, -2, -2};
    TmlCycle c[18];
    const int n = tml_rainflow(18, x, c);
    CHECK_INT(t, n, 7);
    CHECK_NEAR(t, counted(n, c, 4), 1.5, 0.0); // halves are exact
    CHECK_NEAR(t, counted(n, c, 8), 1.0, 0.0); // as above
    const double flat[] = {3, 3, 3}, rise[] = {0, 1, 2};
    CHECK_INT(t, tml_rainflow(3, flat, c), 0);
    CHECK_INT(t, tml_rainflow(0, flat, c), 0);
    CHECK_INT(t, tml_rainflow(3, rise, c), 1);
    CHECK_NEAR(t, c[0].range, 2.0, 0.0); // the one range, exact
}

TEST(damage_adds_up)
{
    const TmlCycle c[] = {{200e6, 0, 1}, {400e6, 50e6, 0.5}, {20e6, 0, 1000}};
    const TmlStressLife all = {.stress = 100e6, .cycles = 1e6, .slope = 3},
                        limited = {.stress = 100e6, .cycles = 1e6, .slope = 3, .limit = 15e6};
    // amplitudes 100, 200 and 10 MPa: 1 + 0.5 * 8 + 1000 * 1e-3 over a million, to roundings
    CHECK_NEAR(t, 1e6 * tml_miner(3, c, &all), 6.0, 1e-12);
    CHECK_NEAR(t, 1e6 * tml_miner(3, c, &limited), 5.0, 1e-12); // without the last
}

/* Goodman: tension raises amplitudes, pressure does not lower them, a mean of the strength is failure. */
TEST(mean_stresses_count_by_goodman)
{
    const TmlCycle c[] = {{200e6, 100e6, 1}, {200e6, -100e6, 1}}, failed = {2e6, 400e6, 1},
                   still = {0.0, 500e6, 1};
    const TmlStressLife line = {100e6, 1e6, 3, 0, 400e6, TML_MEAN_GOODMAN},
                        limited = {100e6, 1e6, 3, 120e6, 400e6, TML_MEAN_GOODMAN};
    // 100 MPa / (1 - 1/4) = 400/3 MPa: (4/3)^3 = 64/27; the other counts one, to roundings
    CHECK_NEAR(t, 1e6 * tml_miner(2, c, &line), 64.0 / 27.0 + 1.0, 1e-12);
    // the limit is one of amplitudes without a mean: only the raised one is above it
    CHECK_NEAR(t, 1e6 * tml_miner(2, c, &limited), 64.0 / 27.0, 1e-12); // as above
    CHECK(t, isinf(tml_miner(1, &failed, &line)));
    CHECK_NEAR(t, tml_miner(1, &still, &line), 0.0, 0.0); // no cycle, no damage
}

/* The other rules on an amplitude of 100 MPa with means of 100 MPa, -100 MPa and 50 MPa. */
TEST(mean_stresses_by_other_rules)
{
    const TmlCycle up = {200e6, 100e6, 1}, down = {200e6, -100e6, 1}, some = {200e6, 50e6, 1},
                   pressed = {200e6, -150e6, 1}, failed = {2e6, 400e6, 1};
    TmlStressLife line = {100e6, 1e6, 3, 0, 400e6, TML_MEAN_GERBER};
    // 1 / (1 - 1/16) = 16/15; all to roundings
    CHECK_NEAR(t, 1e6 * tml_miner(1, &up, &line), pow(16.0 / 15.0, 3), 1e-12);
    CHECK_NEAR(t, 1e6 * tml_miner(1, &down, &line), 1.0, 1e-12);
    CHECK(t, isinf(tml_miner(1, &failed, &line)));
    line.mean = TML_MEAN_SODERBERG;
    line.ultimate = 250e6; // 1 / (1 - 0.4)
    CHECK_NEAR(t, 1e6 * tml_miner(1, &up, &line), pow(1.0 / 0.6, 3), 1e-12);
    line.mean =
        TML_MEAN_SWT; // the largest stress times the amplitude; the strength does not matter
    CHECK_NEAR(t, 1e6 * tml_miner(1, &up, &line), pow(2.0, 1.5), 1e-12);
    CHECK_NEAR(t, 1e6 * tml_miner(1, &some, &line), pow(1.5, 1.5), 1e-12);
    CHECK_NEAR(t, tml_miner(1, &down, &line), 0.0, 0.0); // never in tension
    CHECK_NEAR(t, tml_miner(1, &pressed, &line), 0.0, 0.0);
    CHECK_NEAR(t, 1e6 * tml_miner(1, &(TmlCycle){200e6, 0, 1}, &line), 1.0, 1e-12);
}

/* Tension along a tilted direction: the plane across it has the damage of the whole stress. Shear to and fro: two planes at 45
 * degrees have the stress of the shear. */
TEST(critical_planes)
{
    enum { N = 9 };
    const TmlStressLife line = {.stress = 100e6, .cycles = 1e6, .slope = 3};
    const double d[3] = {0.36, 0.48, 0.8}; // a unit vector
    TmlNodeState x[N] = {{0}};
    double history[N];
    TmlVec3 n;
    for (int k = 0; k < N; ++k) {
        const double s = k % 2 == 0 ? 100e6 : -100e6;
        const double all[6] = {d[0] * d[0], d[1] * d[1], d[2] * d[2],
                               d[0] * d[1], d[1] * d[2], d[2] * d[0]};
        for (int c = 0; c < 6; ++c) {
            x[k].stress[c] = s * all[c];
        }
    }
    double damage = tml_critical_plane(N, x, &line, &n, history);
    // eight half cycles; directions are 7.5 degrees apart: cos(5.4 degrees)^6 = 0.974 at worst
    CHECK(t, 1e6 * damage > 0.97 * 4 && 1e6 * damage <= 4.0 + 1e-9); // as above, and rounding
    CHECK(t, fabs(n.x * d[0] + n.y * d[1] + n.z * d[2]) > 0.9955);   // cos(5.4 degrees)
    CHECK(t, fabs(history[1]) > 99e6 && fabs(history[1]) < 100.001e6);
    for (int k = 0; k < N; ++k) {
        memset(x[k].stress, 0, sizeof x[k].stress);
        x[k].stress[3] = k % 2 == 0 ? 80e6 : -80e6;
    }
    damage = tml_critical_plane(N, x, &line, &n, history);
    // the ring of the equator has a direction at 45 degrees: exact to roundings
    CHECK_NEAR(t, 1e6 * damage, 4 * pow(0.8, 3), 1e-9);
    CHECK_NEAR(t, fabs(n.x * n.y), 0.5, 1e-12); // as above
}

/* --- stresses ------------------------------------------------------------------------------------- */

static const char *const pendulum =
    "trammel: 1\ngravity: [0, -9.81, 1]\n"
    "modal:\n  arm: {part: %s, angular_velocity: [0.5, 1, 2], amplitudes: [0.02, -0.01]}\n"
    "joints:\n  ball: {type: spherical, frames: [ground, arm.a]}\n"
    "outputs:\n  x: DX(arm.c)\n";

static const char results[] = "/tmp/trammel-recover.h5";

enum { ROWS = 71 }; // more than a block of 64, and no multiple of it

typedef struct Bench {
    RandomPart p;
    RandomSkin skin;
    char part[200];
    TmlModel *model;
    TmlSim *sim;
    TmlRecovery *r;
    double eta[5][ROWS];
    bool ready;
} Bench;

static void read_coordinates(TestCtx *t, Bench *b)
{
    TmlChannels *c = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_channels_open(results, &c, &err), &err);
    for (int j = 0; j < 5 && c != NULL; ++j) {
        char name[20];
        snprintf(name, sizeof name, "arm.mode%d", j + 1);
        const int k = tml_channels_match(c, name, 0);
        b->ready &= k >= 0 && tml_channels_info(c, k).rows == ROWS &&
                    tml_channels_read(c, k, NULL, b->eta[j], &err) == TML_OK;
    }
    b->ready &= c != NULL;
    tml_channels_free(c);
}

static void bench_open(TestCtx *t, Bench *b)
{
    TmlError err = {0};
    memset(b, 0, sizeof *b);
    random_part(t, 5, &b->p);
    random_skin(t, &b->p, &b->skin);
    save_random_part(t, &b->p, b->part, sizeof b->part);
    b->model = modal_model(t, pendulum, b->part);
    b->ready = b->model != NULL && modal_run(t, b->model, 7.0, results, &b->sim);
    if (b->ready) {
        read_coordinates(t, b);
        CHECK_OK(t, tml_recovery_open(results, 0, NULL, NULL, &b->r, &err), &err);
        b->ready &= b->r != NULL;
    }
    CHECK(t, b->ready);
}

static void bench_close(Bench *b)
{
    tml_recovery_free(b->r);
    tml_sim_free(b->sim);
    tml_model_free(b->model);
    remove(b->part);
    remove(results);
}

/* Sum of stress modes of a node by hand. */
static void stress_of(const Bench *b, int node, int row, double s[6])
{
    for (int c = 0; c < 6; ++c) {
        s[c] = 0.0;
        for (int j = 0; j < 5; ++j) {
            s[c] += (double)b->skin.stress[6 * (node * 5 + j) + c] * b->eta[j][row];
        }
    }
}

static void check_state(TestCtx *t, const Bench *b, int node, int row, const TmlNodeState *x)
{
    double s[6], u[3] = {0};
    stress_of(b, node, row, s);
    for (int c = 0; c < 6; ++c) {
        CHECK_NEAR(t, x->stress[c], s[c], 1e-6); // Pa: roundings of sums of 1e5
    }
    for (int j = 0; j < 5; ++j) {
        for (int c = 0; c < 3; ++c) {
            u[c] += (double)b->skin.shape[3 * (node * 5 + j) + c] * b->eta[j][row];
        }
    }
    CHECK_NEAR(t, x->displacement.y, u[1], 1e-14); // roundings of sums of 0.1
    // von Mises from principal stresses, and their sum: roundings of 1e5 Pa
    const double *p = x->principal;
    const double v = sqrt(0.5 * ((p[0] - p[1]) * (p[0] - p[1]) + (p[1] - p[2]) * (p[1] - p[2]) +
                                 (p[2] - p[0]) * (p[2] - p[0])));
    CHECK_NEAR(t, x->von_mises, v, 1e-5);                        // as above
    CHECK_NEAR(t, p[0] + p[1] + p[2], s[0] + s[1] + s[2], 1e-5); // as above
    CHECK(t, p[0] >= p[1] && p[1] >= p[2]);
    CHECK_NEAR(t, fabs(x->signed_mises), x->von_mises, 0.0); // the same number
    CHECK(t, (x->signed_mises < 0.0) == (-p[2] > p[0]));
}

/* Histories are sums of modes, and the peak of every node is the largest of its history. */
TEST(sums_of_modes)
{
    Bench b;
    TmlError err = {0};
    TmlNodeState x[ROWS];
    TmlHotSpot peak[MODAL_NODES];
    bench_open(t, &b);
    if (b.ready) {
        CHECK_INT(t, tml_recovery_count(b.r), 1);
        CHECK_INT(t, tml_recovery_body(b.r, 0).nodes, MODAL_NODES);
        CHECK_OK(t, tml_recovery_peaks(b.r, 0, peak, &err), &err);
        for (int node = 0; node < MODAL_NODES; ++node) {
            int hot = 0;
            CHECK_OK(t, tml_recovery_history(b.r, 0, node, x, &err), &err);
            for (int k = 0; k < ROWS; ++k) {
                check_state(t, &b, node, k, &x[k]);
                hot = x[k].von_mises > x[hot].von_mises ? k : hot;
            }
            CHECK_NEAR(t, peak[node].von_mises, x[hot].von_mises, 1e-6); // Pa: roundings of 1e5
            CHECK_NEAR(t, peak[node].time, x[hot].time, 0.0);            // the same row
            CHECK_INT(t, peak[node].node, 101 + node);
        }
        // where the last node is: (MO1) at the last row
        const TmlBodyState s = tml_row_body(b.sim, 1);
        const TmlMat33 A = q4_matrix(s.orientation);
        const TmlVec3 c = v3_add(b.p.x[MODAL_NODES - 1], x[ROWS - 1].displacement);
        const TmlVec3 d = v3_sub(x[ROWS - 1].place, v3_add(s.position, m3_mulv(&A, c)));
        CHECK_NEAR(t, v3_norm(d), 0.0, 1e-14); // roundings of lengths of 1
    }
    bench_close(&b);
}

/* The hottest come in order, none near another, and a window looks at its rows only. */
TEST(hottest_in_order)
{
    Bench b;
    TmlError err = {0};
    TmlHotSpot peak[MODAL_NODES], hot[MODAL_NODES], far[MODAL_NODES];
    bench_open(t, &b);
    if (b.ready) {
        CHECK_OK(t, tml_recovery_peaks(b.r, 0, peak, &err), &err);
        const int n = tml_recovery_hottest(MODAL_NODES, peak, 5, 0.0, hot);
        CHECK_INT(t, n, 5);
        for (int k = 1; k < n; ++k) {
            CHECK(t, hot[k - 1].von_mises >= hot[k].von_mises);
        }
        const int m = tml_recovery_hottest(MODAL_NODES, peak, MODAL_NODES, 1.0, far);
        CHECK(t, m < MODAL_NODES && far[0].node == hot[0].node);
        for (int k = 1; k < m; ++k) {
            CHECK(t, v3_norm(v3_sub(far[k].place, far[0].place)) >= 1.0);
        }
        // places are those of the mesh: the part's frame lies at (0.3, -0.2, 0.1) in it
        CHECK_NEAR(t, peak[2].place.x, b.p.x[2].x + 0.3, 1e-15); // a rounding
        CHECK_INT(t, tml_recovery_window(b.r, 1.95, 3.05), 11);
        CHECK_OK(t, tml_recovery_peaks(b.r, 0, peak, &err), &err);
        for (int k = 0; k < MODAL_NODES; ++k) {
            CHECK(t, peak[k].time > 1.9 && peak[k].time < 3.1); // rows at 2.0, ..., 3.0
        }
        CHECK_INT(t, tml_recovery_window(b.r, 100.0, 200.0), 0);
        CHECK(t, tml_recovery_peaks(b.r, 0, peak, &err) == TML_E_ARGUMENT);
    }
    bench_close(&b);
}

/* --- some of the modes ---------------------------------------------------------------------------- */

static const int kept[3] = {0, 2, 3};

/* The part that has these modes and no others, from its masses on. */
static void part_of_kept(const RandomPart *p, RandomPart *q)
{
    *q = *p;
    q->m = 3;
    memset(q->P, 0, sizeof q->P);
    memset(q->G, 0, sizeof q->G);
    for (int i = 0; i < 3; ++i) {
        memcpy(q->mode[i], p->mode[kept[i]], sizeof q->mode[i]);
        q->hertz[i] = p->hertz[kept[i]];
        q->largest[i] = p->largest[kept[i]];
        q->turning[i] = p->turning[kept[i]];
        for (int f = 0; f < 3; ++f) {
            memcpy(&q->phi[f][3 * i], &p->phi[f][3 * kept[i]], 3 * sizeof(double));
            memcpy(&q->psi[f][3 * i], &p->psi[f][3 * kept[i]], 3 * sizeof(double));
        }
        for (int j = 0; j < 3; ++j) {
            const int from = kept[i] * 5 + kept[j];
            q->K[3 * i + j] = p->K[from];
            q->D[3 * i + j] = p->D[from];
            for (int c = 0; c < 6; ++c) {
                q->centrifugal[9 * c + 3 * i + j] = p->centrifugal[25 * c + from];
            }
            for (int s = 0; s < 2; ++s) {
                q->by_load[s][3 * i + j] = p->by_load[s][from];
                q->load[s][i] = p->load[s][kept[i]];
            }
        }
    }
    random_moments(q);
    TmlPart *part = &q->part;
    part->m = 3;
    part->P = q->P, part->G = q->G, part->K = q->K, part->D = q->D;
    part->hertz = q->hertz, part->largest = q->largest, part->turning = q->turning;
    part->centrifugal = p->part.centrifugal != NULL ? q->centrifugal : NULL;
    part->shape = NULL, part->stress = NULL;
    part->n_nodes = part->n_triangles = 0;
    for (int f = 0; f < 3; ++f) {
        q->frame[f].phi = q->phi[f];
        q->frame[f].psi = q->psi[f];
    }
    part->frame = q->frame;
    for (int s = 0; s < part->n_stiffening; ++s) {
        q->stiffening[s].K = q->by_load[s];
        q->stiffening[s].load = q->load[s];
    }
    part->stiffening = q->stiffening;
}

/* Rows of the run, and the place of the frame at its end. */
static TmlVec3 end_of_run(TestCtx *t, const char *text, const char *part, TmlSim **sim,
                          TmlModel **model)
{
    *model = modal_model(t, text, part);
    const bool ran = *model != NULL && modal_run(t, *model, 2.0, results, sim);
    CHECK(t, ran);
    return ran ? tml_row_body(*sim, 1).position : v3((double)NAN, (double)NAN, (double)NAN);
}

/* `modes: [1, 3, 4]` is the part of these modes alone, in motion and in recovery. */
TEST(some_modes)
{
    static const char *const whole = "trammel: 1\nmodal: {arm: {part: %s, angular_velocity: [0.5, "
                                     "1, 2], amplitudes: [0.02, -0.01]}}\n"
                                     "joints: {ball: {type: spherical, frames: [ground, arm.a]}}\n";
    static const char *const some =
        "trammel: 1\nmodal: {arm: {part: %s, modes: [1, 3, 4], angular_velocity: [0.5, 1, 2],\n"
        "  amplitudes: [0.02, -0.01]}}\njoints: {ball: {type: spherical, frames: [ground, "
        "arm.a]}}\n";
    static RandomPart p, q;
    RandomSkin skin;
    static const char small[] = "/tmp/trammel-recover-small.h5";
    char path[200];
    TmlModel *model[2] = {0};
    TmlSim *sim[2] = {0};
    TmlRecovery *r = NULL;
    TmlError err = {0};
    TmlNodeState x[ROWS];
    random_part(t, 5, &p);
    random_loads(t, &p);
    random_skin(t, &p, &skin);
    save_random_part(t, &p, path, sizeof path);
    part_of_kept(&p, &q);
    CHECK_OK(t, tml_part_save(small, &q.part, &err), &err);
    const TmlVec3 a = end_of_run(t, whole, small, &sim[0], &model[0]);
    const TmlVec3 b = end_of_run(t, some, path, &sim[1], &model[1]);
    CHECK_NEAR(t, v3_norm(v3_sub(a, b)), 0.0,
               1e-12); // the same equations: roundings, grown for 2 s
    CHECK_OK(t, tml_recovery_open(results, 0, NULL, NULL, &r, &err), &err);
    if (r != NULL && sim[1] != NULL) {
        CHECK_OK(t, tml_recovery_history(r, 0, 3, x, &err), &err);
        double s = 0.0;
        for (int j = 0; j < 3; ++j) {
            s += (double)skin.stress[6 * (3 * 5 + kept[j]) + 1] * tml_row_mode(sim[1], 0, j);
        }
        CHECK_NEAR(t, x[20].stress[1], s, 1e-6); // Pa: roundings of sums of 1e5
    }
    tml_recovery_free(r);
    for (int k = 0; k < 2; ++k) {
        tml_sim_free(sim[k]);
        tml_model_free(model[k]);
    }
    remove(path);
    remove(small);
    remove(results);
}

/* Another part than that of the run is refused; one that lies elsewhere is named. */
TEST(other_parts)
{
    Bench b;
    TmlError err = {0};
    TmlRecovery *r = NULL;
    const char *const name[] = {"arm"}, *const wrong[] = {"leg"};
    const char *const path[] = {"/tmp/trammel-recover-other.h5"};
    bench_open(t, &b);
    if (b.ready) {
        CHECK_OK(t, tml_part_save(path[0], &b.p.part, &err), &err);
        CHECK_OK(t, tml_recovery_open(results, 1, name, path, &r, &err), &err);
        tml_recovery_free(r);
        CHECK(t, tml_recovery_open(results, 1, wrong, path, &r, &err) == TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, "no modal body 'leg'");
        b.p.hertz[3] *= 1.0 + 1e-9;
        CHECK_OK(t, tml_part_save(path[0], &b.p.part, &err), &err);
        CHECK(t, tml_recovery_open(results, 1, name, path, &r, &err) == TML_E_IO);
        CHECK_HAS(t, err.message, "not the part of the run: mode 4");
        b.p.hertz[3] = 4.0; // as it was
        for (int k = 0; k < MODAL_NODES; ++k) {
            for (int c = 0; c < 3; ++c) {
                b.skin.shape[3 * (5 * k + 1) + c] *= -1.0f; // the second mode has another sign
            }
        }
        CHECK_OK(t, tml_part_save(path[0], &b.p.part, &err), &err);
        CHECK(t, tml_recovery_open(results, 1, name, path, &r, &err) == TML_E_IO);
        CHECK_HAS(t, err.message, "mode 2 of 'arm' has another shape or sign");
        remove(b.part);
        CHECK(t, tml_recovery_open(results, 0, NULL, NULL, &r, &err) == TML_E_IO);
        CHECK_HAS(t, err.message, "--part arm=PART.h5");
        remove(path[0]);
    }
    bench_close(&b);
}

/* Hooke's law backwards gives the stresses; the principal strains have the axes of the principal stresses. */
TEST(strains_of_stresses)
{
    const double E = 70e9, nu = 0.33, mu = 0.5 * E / (1 + nu);
    const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    Bench b;
    TmlError err = {0};
    TmlNodeState x[ROWS];
    bench_open(t, &b);
    if (b.ready) {
        CHECK(t, tml_recovery_body(b.r, 0).strains);
        CHECK_OK(t, tml_recovery_history(b.r, 0, 1, x, &err), &err);
        for (int i = 0; i < ROWS; ++i) {
            const double *e = x[i].strain, trace = e[0] + e[1] + e[2];
            for (int c = 0; c < 6; ++c) {
                const double s = c < 3 ? lambda * trace + 2 * mu * e[c] : mu * e[c];
                CHECK_NEAR(t, s, x[i].stress[c], 1e-6); // roundings of some MPa
            }
            for (int c = 0; c < 3; ++c) {
                const double *p = x[i].principal_strain;
                CHECK_NEAR(t, lambda * (p[0] + p[1] + p[2]) + 2 * mu * p[c], x[i].principal[c],
                           1e-6); // as above
            }
        }
        CHECK_OK(t, tml_recovery_history(b.r, 0, 2, x, &err), &err);
        CHECK(t,
              isnan(x[0].strain[0]) && isnan(x[0].principal_strain[0]) && !isnan(x[0].von_mises));
    }
    bench_close(&b);
}

/* --- files ---------------------------------------------------------------------------------------- */

TEST(histories_as_csv)
{
    static const char csv[] = "/tmp/trammel-recover.csv";
    const int index[] = {4, 1};
    Bench b;
    TmlError err = {0};
    TmlNodeState x[ROWS];
    double got[ROWS];
    TmlChannels *c = NULL;
    bench_open(t, &b);
    if (b.ready) {
        CHECK_OK(t, tml_recovery_csv(b.r, 0, 2, index, csv, &err), &err);
        CHECK_OK(t, tml_recovery_history(b.r, 0, 1, x, &err), &err);
        CHECK_OK(t, tml_channels_open(csv, &c, &err), &err);
        const int k = c != NULL ? tml_channels_match(c, "arm.102.signed_mises", 0) : -1;
        CHECK(t, k >= 0 && tml_channels_count(c) == 52);
        if (k >= 0) {
            CHECK_OK(t, tml_channels_read(c, k, NULL, got, &err), &err);
            for (int i = 0; i < ROWS; ++i) {
                CHECK_NEAR(t, got[i], x[i].signed_mises, 0.0); // 17 digits read back
            }
        }
    }
    tml_channels_free(c);
    remove(csv);
    bench_close(&b);
}

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *all = calloc(1, 1 << 16);
    *n = f != NULL && all != NULL ? fread(all, 1, (1 << 16) - 1, f) : 0;
    if (f != NULL) {
        fclose(f);
    }
    return all;
}

/* Points and stresses of a .vtu file, raw behind "_": sizes, then numbers in the order of the head. */
TEST(surfaces_as_vtk)
{
    static const char folder[] = "/tmp/trammel-recover-vtk";
    Bench b;
    TmlError err = {0};
    TmlNodeState x[ROWS];
    int64_t rows = 0;
    size_t n = 0;
    char path[100];
    bench_open(t, &b);
    if (b.ready) {
        CHECK_OK(t, tml_recovery_vtk(b.r, folder, &rows, &err), &err);
        CHECK_INT(t, rows, ROWS);
        CHECK_OK(t, tml_recovery_history(b.r, 0, 5, x, &err), &err);
        snprintf(path, sizeof path, "%s/modal0_000070.vtu", folder);
        char *all = read_all(path, &n);
        const char *raw = strstr(all, "encoding=\"raw\">\n_");
        CHECK_HAS(t, all, "NumberOfPoints=\"8\" NumberOfCells=\"2\"");
        if (raw != NULL) {
            float mises[MODAL_NODES], place[3 * MODAL_NODES];
            const char *at = strchr(raw, '_') + 1 + 8 + 12 * MODAL_NODES + 8;
            memcpy(mises, at, sizeof mises);
            memcpy(place, at + sizeof mises + 8, sizeof place);
            // single precision: 6e-8 of 1e6 Pa and of some metres
            CHECK_NEAR(t, (double)mises[5], x[ROWS - 1].von_mises, 0.1);
            CHECK_NEAR(t, (double)place[16], x[ROWS - 1].place.y, 1e-6); // as above
        }
        CHECK(t, raw != NULL);
        free(all);
        snprintf(path, sizeof path, "%s/modal.pvd", folder);
        all = read_all(path, &n);
        CHECK_HAS(t, all, "file=\"modal0_000070.vtu\"");
        free(all);
        remove(path);
        for (int k = 0; k < ROWS; ++k) {
            snprintf(path, sizeof path, "%s/modal0_%06d.vtu", folder, k);
            remove(path);
        }
        rmdir(folder);
    }
    bench_close(&b);
}

TEST_SUITE(recover) = {CASE(standard_example),
                       CASE(points_between_count_nothing),
                       CASE(damage_adds_up),
                       CASE(mean_stresses_count_by_goodman),
                       CASE(mean_stresses_by_other_rules),
                       CASE(critical_planes),
                       CASE(strains_of_stresses),
                       CASE(sums_of_modes),
                       CASE(hottest_in_order),
                       CASE(some_modes),
                       CASE(other_parts),
                       CASE(histories_as_csv),
                       CASE(surfaces_as_vtk),
                       {0}};
