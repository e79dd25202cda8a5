/* tests/wheel/test_rail_wheel.c - wheels on rails as elements: derivatives, tracks, runs, and what is refused. */
#include "model/model.h"
#include "model/registry.h"
#include "model/wheel/rail/rail_wheel.h"
#include "rail_util.h"
#include "trammel/io.h"
#include "trammel/sim.h"

#include "../model/element_util.h"

enum { SIZE = 12, OUTPUTS = 60 };

/* A wheel with a conical tread and a flange of 70 degrees, and the head of a UIC 60 rail; mm. */
#define PROFILES                                                                                   \
    "profiles:\n"                                                                                  \
    "  wheel: {unit: mm, arcs: [[-61.06, -16.03], [-38.509, -16.032, -12], [-36.457, -10.394, "    \
    "0], [-24, -1.2, 14], [60, 3, 0]]}\n"                                                          \
    "  rail: {unit: mm, inclination: 1/40, arcs: [[-36.0221, -14.302], [-26.05, -2.304829, 13], "  \
    "[-10.25, -0.1751553, 80], [10.25, -0.1751553, 300], [26.05, -2.304829, 80], [36.0221, "       \
    "-14.302, 13]]}\n"

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "./rail.yaml", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* One wheel over its rail at the station 20 m of a track; the text of the track and of the wheel. */
static TmlModel *wheel_model(TestCtx *t, const char *track, const char *side, const char *wheel)
{
    char text[8192];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies:\n"
             "  post: {mass: 5, inertia: [1, 1, 1], position: [0.3, 0.2, -0.4]}\n"
             "  wheel: {mass: 20, inertia: [1, 2, 1], position: [20, 0, 0.46]}\n" PROFILES
             "tracks: {line: {rail: rail, %s}}\n"
             "forces:\n"
             "  w: {type: rail_wheel, bodies: [post, wheel], at: [20, %s, 0.46], axis: y, track: "
             "line, side: %s, profile: wheel, radius: 0.46, %s}\n",
             track, side[0] == 'l' ? "0.751" : "-0.751", side, wheel);
    return load(t, text);
}

/* --- derivatives -------------------------------------------------------------------------------- */

typedef struct Sample {
    const TmlForceType *type;
    TmlFrameKin e[2];
    TmlElementIn in;
} Sample;

/* A rolling wheel that presses its rail, anywhere from the tread to the flange. */
static bool random_sample(TestCtx *t, const TmlModel *m, Sample *s)
{
    const TmlForce *force = &m->forces.at[0];
    const TmlRailWheel *p = force->data;
    TmlTrackPoint at;
    *s = (Sample){.type = force->type};
    for (int k = 0; k < 2; ++k) {
        s->e[k] = tml_model_initial_kin(m, &force->end[k]);
    }
    const double out = p->side == 0 ? 1.0 : -1.0, station = test_random(t, 15.0, 60.0);
    tml_track_at(p->track, station, &at);
    double y[3], z[3];
    tml_track_fault(p->track, p->side, station, y, z);
    const TmlVec3 place = v3(0, out * (p->rail_y + test_random(t, -6e-3, 12e-3)) + y[0],
                             p->rail_z + 0.46 + z[0] + test_random(t, -3e-4, 2e-5));
    const TmlMat33 T = p->track->rotation;
    s->e[1].r = v3_add(p->track->position, m3_mulv(&T, v3_add(at.r, m3_mulv(&at.A, place))));
    const TmlMat33 A = m3_mul(&T, &at.A);
    s->e[1].A = (TmlMat33){A.cz, A.cx, A.cy};
    for (int c = 0; c < 3; ++c) {
        s->e[1] = kin_moved(&s->e[1], 3 + c, test_random(t, -5e-3, 5e-3));
        s->e[0] = kin_moved(&s->e[0], MOVE_TWIST + c, test_random(t, -0.05, 0.05));
        s->e[1] = kin_moved(&s->e[1], MOVE_TWIST + c, test_random(t, -0.05, 0.05));
    }
    s->e[1].v = v3_axpy(20.0, A.cx, s->e[1].v);
    s->e[1].omega = v3_axpy(20.0 / 0.46, A.cy, s->e[1].omega);
    s->in = (TmlElementIn){.data = force->data, .e = s->e, .n_ends = 2};
    double value[OUTPUTS];
    s->type->output(&s->in, value);
    return value[9] > 0.0; // contacts
}

static void wrench_and_outputs(const Sample *s, const TmlFrameKin *e, double *v)
{
    TmlElementIn in = s->in;
    TmlRow w[2];
    in.e = e;
    s->type->wrench(&in, w);
    for (int r = 0; r < SIZE; ++r) {
        v[r] = row_entry(&w[r / 6], r % 6);
    }
    s->type->output(&in, v + SIZE);
}

static void difference(const Sample *s, int end, int move, double h, double *d)
{
    memset(d, 0, (SIZE + OUTPUTS) * sizeof *d);
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[2] = {s->e[0], s->e[1]};
        double v[SIZE + OUTPUTS];
        e[end] = kin_moved(&e[end], move, stencil_at[p] * h);
        wrench_and_outputs(s, e, v);
        for (int r = 0; r < SIZE + OUTPUTS; ++r) {
            d[r] += stencil_weight[p] / h * v[r];
        }
    }
}

/* The slope ahead of the place, to second order: at a bend it is not that of a central difference. */
static void slope_ahead(const Sample *s, int end, int move, double h, double *d)
{
    static const double weight[] = {-1.5, 2.0, -0.5};
    memset(d, 0, (SIZE + OUTPUTS) * sizeof *d);
    for (int p = 0; p < 3; ++p) {
        TmlFrameKin e[2] = {s->e[0], s->e[1]};
        double v[SIZE + OUTPUTS];
        e[end] = kin_moved(&e[end], move, p * h);
        wrench_and_outputs(s, e, v);
        for (int r = 0; r < SIZE + OUTPUTS; ++r) {
            d[r] += weight[p] / h * v[r];
        }
    }
}

/* Three differences that agree where the function is smooth. */
typedef struct Slopes {
    double coarse[SIZE + OUTPUTS], fine[SIZE + OUTPUTS], ahead[SIZE + OUTPUTS];
} Slopes;

/* All derivatives of one sample by one coordinate. exact: column of the tangents, then of the outputs. */
static void check_column(TestCtx *t, const double *exact, const Slopes *d, const double *size,
                         bool fastsim, int *corners)
{
    for (int r = 0; r < SIZE + OUTPUTS; ++r) {
        // curvatures of a profile are pieces of cubics whose second derivative jumps, cells of FASTSIM switch, and contacts
        // come and go: where two steps of different size disagree, or the slope ahead is another, nothing can be said. Else 1e-4
        // of the largest of a row: rounding of depths, 1e-16 / 1e-7, over depths of 1e-5; FASTSIM 3e-3: with cells that switch
        // near the place, measured 1.3e-3
        const double limit = (fastsim ? 3e-3 : 1e-4) * size[r] + 1e-9;
        const double bend = fmax(fabs(d->coarse[r] - d->fine[r]), fabs(d->coarse[r] - d->ahead[r]));
        if (fabs(exact[r] - d->coarse[r]) > limit && bend > 0.2 * limit) {
            ++*corners;
            continue;
        }
        CHECK_NEAR(t, exact[r], d->coarse[r], limit);
    }
}

static void check_sample(TestCtx *t, const Sample *s, int *corners)
{
    static TmlRow Oq[OUTPUTS * 2], Ov[OUTPUTS * 2];
    double Kq[SIZE * SIZE] = {0}, Kv[SIZE * SIZE] = {0}, Of[1];
    const bool fastsim = ((const TmlRailWheel *)s->in.data)->creep == TML_CREEP_FASTSIM;
    memset(Oq, 0, sizeof Oq);
    memset(Ov, 0, sizeof Ov);
    s->type->tangent(&s->in, Kq, Kv);
    s->type->output_tangent(&s->in, Oq, Ov, Of);
    for (int motion = 0; motion < 2; ++motion) {
        const double *K = motion == 0 ? Kq : Kv;
        const TmlRow *O = motion == 0 ? Oq : Ov;
        double size[SIZE + OUTPUTS] = {0};
        for (int c = 0; c < SIZE; ++c) {
            for (int r = 0; r < SIZE + OUTPUTS; ++r) {
                const double x =
                    r < SIZE ? K[r * SIZE + c] : row_entry(&O[(r - SIZE) * 2 + c / 6], c % 6);
                size[r] = fmax(size[r], fabs(x));
            }
        }
        for (int c = 0; c < SIZE; ++c) {
            double exact[SIZE + OUTPUTS];
            Slopes d;
            const double h = motion == 0 ? 4e-8 : 1e-4;
            const int move = (motion == 0 ? MOVE_MOTION : MOVE_TWIST) + c % 6;
            difference(s, c / 6, move, h, d.coarse);
            difference(s, c / 6, move, 0.4 * h, d.fine);
            slope_ahead(s, c / 6, move, 0.4 * h, d.ahead);
            for (int r = 0; r < SIZE + OUTPUTS; ++r) {
                exact[r] =
                    r < SIZE ? K[r * SIZE + c] : row_entry(&O[(r - SIZE) * 2 + c / 6], c % 6);
            }
            check_column(t, exact, &d, size, fastsim, corners);
        }
    }
}

TEST(derivatives_match_differences)
{
    static const char *const tracks[] = {
        "position: [0, 0, 0]",
        "position: [19.9, 0, 0], rotation: {axis: z, angle: 0.02}, segments: [{straight: 15}, "
        "{transition: 20}, {arc: 50, "
        "radius: 300, cant: 0.1, gradient: 0.01}], irregularities: {spectrum: aar4, seed: 3}",
        "pivot: low, segments: [{straight: 15}, {transition: 20, shape: smooth}, {arc: 50, radius: "
        "-250, cant: 0.08}], irregularities: {vertical: {x: [0, 10, 20, 40, 80], y: [0, 1e-3, 0, "
        "-2e-3, 0]}, gauge: {x: [0, 30, 50, 80], y: [0, 2e-3, 1e-3, 0]}}"};
    static const char *const laws[] = {"creep: polach, friction: 0.3",
                                       "creep: fastsim, cells: 10",
                                       "creep: saturated, rail_young: 7e10, rail_poisson: 0.33",
                                       "creep: linear",
                                       "creep: coefficients, coefficients: [1e6, 2e6, 1e4, 10]",
                                       "creep: polach, slip_factor: 0.4, damping: 0.5",
                                       "creep: table"};
    const char *const name = t->name;
    for (int k = 0; k < 7; ++k) {
        int corners = 0, samples = 0;
        TmlModel *m = wheel_model(t, tracks[k % 3], k % 2 == 0 ? "left" : "right", laws[k]);
        t->name = laws[k];
        for (int i = 0; m != NULL && i < 60 && samples < 12; ++i) {
            Sample s;
            if (random_sample(t, m, &s)) {
                check_sample(t, &s, &corners);
                ++samples;
            }
        }
        CHECK_INT(t, samples, 12);
        CHECK(t, corners < 12 * 2 * SIZE * (SIZE + OUTPUTS) / 10); // one in ten at most
        tml_model_free(m);
    }
    t->name = name;
}

/* --- tracks ------------------------------------------------------------------------------------- */

static const TmlTrack *track_of(TestCtx *t, const char *track, TmlModel **m)
{
    *m = wheel_model(t, track, "left", "friction: 0.3");
    return *m != NULL ? m[0]->tracks.at[0].track : NULL;
}

/* Derivatives of the curve and of its axes, and the station of a point beside it. */
TEST(track_is_a_curve)
{
    TmlModel *m;
    const TmlTrack *track = track_of(t,
                                     "segments: [{straight: 25}, {transition: 30, shape: smooth}, "
                                     "{arc: 400, radius: 200, cant: 0.12, gradient: 0.02}, "
                                     "{transition: 40}, {arc: 300, radius: -150, cant: 0.1}]",
                                     &m);
    for (double s = -10.0; track != NULL && s < 810.0; s += 7.31) {
        TmlTrackPoint p, a, b;
        const double h = 1e-4;
        tml_track_at(track, s, &p);
        tml_track_at(track, s - h, &a);
        tml_track_at(track, s + h, &b);
        // h^2 / 6 of third derivatives, 1e-3: 2e-12; rounding of 1e2 m over h: 1e-10
        CHECK(t, v3_norm(v3_sub(p.dr, v3_scale(0.5 / h, v3_sub(b.r, a.r)))) < 1e-8);
        CHECK(t, v3_norm(v3_sub(p.ddr, v3_scale(0.5 / h, v3_sub(b.dr, a.dr)))) < 1e-8);
        CHECK(t, v3_norm(v3_sub(p.dA.cy, v3_scale(0.5 / h, v3_sub(b.A.cy, a.A.cy)))) < 1e-8);
        CHECK(t, v3_norm(v3_sub(p.dA.cz, v3_scale(0.5 / h, v3_sub(b.A.cz, a.A.cz)))) < 1e-8);
        CHECK_NEAR(t, p.twist, v3_dot(p.dA.cy, p.A.cz), 1e-12);           // rounding
        CHECK_NEAR(t, p.twist_rate, 0.5 / h * (b.twist - a.twist), 1e-8); // as above
        CHECK_NEAR(t, v3_norm(p.A.cy), 1.0, 1e-14);                       // rounding
        const TmlVec3 beside = v3_add(p.r, m3_mulv(&p.A, v3(0, 1.2, 0.5)));
        // Newton ends at 1e-12 (1 + s)
        CHECK_NEAR(t, tml_track_station(track, beside), s, 1e-8);
    }
    tml_model_free(m);
}

/* The clothoid x - i y = int exp(i s^2 / (2 R L)) ds by its series, and a half circle. */
TEST(clothoid_and_arc)
{
    TmlModel *m;
    const double R = 300.0, L = 80.0;
    const TmlTrack *track = track_of(
        t, "segments: [{straight: 22}, {transition: 80}, {arc: 942.477796076938, radius: 300}]",
        &m);
    TmlTrackPoint p, q;
    if (track == NULL) {
        return;
    }
    tml_track_at(track, 22.0 + L, &p);
    double x = 0.0, y = 0.0,
           term = L; // sum over (i a)^n s^(2 n + 1) / (n! (2 n + 1)), a = 1 / (2 R L)
    for (int n = 0; n < 12; ++n) {
        const double part = term / (2 * n + 1);
        *(n % 2 == 0 ? &x : &y) += (n / 2) % 2 == 0 ? part : -part;
        term *= L * L / (2.0 * R * L) / (n + 1);
    }
    CHECK_NEAR(t, p.r.x, 22.0 + x, 1e-11); // rounding
    CHECK_NEAR(t, p.r.y, y, 1e-11);
    CHECK_NEAR(t, p.curvature, 1.0 / R, 1e-15);
    tml_track_at(track, track->length, &q); // pi R later it goes the other way, 2 R beside
    CHECK_NEAR(t, v3_norm(v3_sub(q.r, v3_axpy(2.0 * R, p.A.cy, p.r))), 0.0, 1e-9);
    tml_model_free(m);
}

/* Waves of the spectrum have the variance of the density between the wavelengths, on any machine the same. */
TEST(spectrum_of_irregularities)
{
    TmlModel *m;
    const TmlTrack *track = track_of(
        t, "irregularities: {spectrum: german_low, seed: 7, shortest: 3, longest: 40, waves: 400}",
        &m);
    double sum = 0.0, want = 0.0;
    enum { N = 200000 };
    for (int k = 0; track != NULL && k < N; ++k) {
        double y[3], z[3], y2[3], z2[3];
        tml_track_fault(track, 0, 0.25 * k, y, z);
        tml_track_fault(track, 1, 0.25 * k, y2, z2);
        sum += 0.25 * (z[0] + z2[0]) * (z[0] + z2[0]) / N; // the mean of both rails: vertical
    }
    for (int k = 0; k < 10000; ++k) { // A_v w_c^2 / ((w^2 + w_r^2) (w^2 + w_c^2))
        const double a = log(2.0 * M_PI / 40.0), b = log(2.0 * M_PI / 3.0), d = (b - a) / 10000;
        const double w = exp(a + d * (k + 0.5));
        want += 4.032e-7 * 0.8246 * 0.8246 /
                ((w * w + 0.0206 * 0.0206) * (w * w + 0.8246 * 0.8246)) * w * d;
    }
    CHECK_NEAR(t, sum / want, 1.0, 0.05); // 400 bands with a random place each: measured 1 %
    tml_model_free(m);
}

/* --- what is refused ------------------------------------------------------------------------------ */

static void refused(TestCtx *t, const char *profiles, const char *track, const char *wheel,
                    const char *text)
{
    char model[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(model, sizeof model,
             "trammel: 1\nbodies:\n  wheel: {mass: 20, inertia: [1, 2, 1], position: [0, 0.751, "
             "0.46]}\n%s\ntracks: {line: {%s}}\nforces:\n  w: {type: rail_wheel, bodies: [ground, "
             "wheel], track: line, profile: wheel, radius: 0.46, %s}\n",
             profiles, track, wheel);
    CHECK(t, tml_load_text(model, "./rail.yaml", 0, NULL, NULL, &m, &err) != TML_OK);
    CHECK_HAS(t, err.message, text);
    tml_model_free(m);
}

TEST(bad_input_is_told)
{
#define AT "at: [0, 0.751, 0.46], axis: y, side: left"
    refused(t, PROFILES, "rail: rail", "at: [0, 0.9, 0.46], axis: y, side: left",
            "the wheel is not on its rail at the start: its tape circle is");
    refused(t, PROFILES, "rail: rail", "at: [0, 0.751, 0.46], axis: -y, side: left",
            "the axle must point to the left");
    refused(t, PROFILES, "rail: rail", "at: [0, 0.751, 0.46], axis: y, side: right",
            "the wheel is not on its rail at the start");
    refused(t, PROFILES, "rail: rail, segments: [{straight: 10}, {transition: 5}]", AT,
            "a transition stands between two other pieces");
    refused(t, PROFILES, "rail: rail, segments: [{straight: 10}, {arc: 5}]", AT,
            "an arc, and no other piece, has a radius");
    refused(t, PROFILES, "rail: rail, segments: [{straight: 10}, {arc: 5, radius: 300, cant: 0.1}]",
            AT, "the cant jumps from 0 to 0.1 m; put a transition");
    refused(t, PROFILES, "rail: rail, position: [5, 0, 0], segments: [{straight: 10}]", AT,
            "the wheel is beyond the ends of track 'line' at the start: its station is -5 m");
    refused(t, PROFILES, "gauge: 1.435", AT, "no profile of the rail");
    refused(t, PROFILES, "rail: rail", AT ", creep: coefficients", "needs `coefficients`");
    refused(t, "profiles: {wheel: {points: [[0, 0], [1, 0], [2, 0], [1.2, 0.1], [3, 0.2]]}}",
            "rail_base: 1.5", AT, "the profile turns back at point 3");
    refused(t, "profiles: {wheel: {file: absent.csv}}", "rail_base: 1.5", AT, "absent.csv");
    refused(t,
            "profiles: {wheel: {unit: mm, y: inward, arcs: [[-61.06, -16.03], [-38.509, -16.032, "
            "-12], [-36.457, -10.394, 0], [-24, -1.2, 14], [60, 3, 0]]}, rail: {points: [[-0.03, "
            "-0.002], "
            "[0, 0], [0.03, -0.002]]}}",
            "rail: rail, rail_base: 1.5", AT,
            "the flange of the wheel's profile is on the outside");
    refused(t,
            "profiles: {wheel: {unit: mm, z: down, arcs: [[-61.06, -16.03], [-38.509, -16.032, "
            "-12], [-36.457, -10.394, 0], [-24, -1.2, 14], [60, 3, 0]]}, rail: {points: [[-0.03, "
            "-0.002], "
            "[0, 0], [0.03, -0.002]]}}",
            "rail: rail, rail_base: 1.5", AT, "the flange of the wheel's profile points up");
}

/* --- runs ----------------------------------------------------------------------------------------- */

/* A wheelset that rolls through a transition on rough track, towards its flange. `scale`: of all lengths; masses go with its third power,
 * accelerations of gravity with it, so that times stay the same. */
static TmlModel *rolling(TestCtx *t, double scale)
{
    char text[8192];
    const double c = scale, c3 = c * c * c, c5 = c3 * c * c;
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "gravity: [0, 0, %.17g]\n"
        "bodies: {set: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, "
        "%.17g], "
        "velocity: [%.17g, 0, 0], angular_velocity: [0, 43.5, 0]}}\n"
        "profiles:\n"
        "  wheel: {smoothing: 0, deviation: 0, points: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, "
        "%.17g]]}\n"
        "  rail: {smoothing: 0, deviation: 0, points: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, "
        "%.17g], [%.17g, %.17g], "
        "[%.17g, %.17g]]}\n"
        "splines: {bump: {x: [0, %.17g, %.17g, %.17g], y: [0, %.17g, %.17g, 0]}}\n"
        "tracks: {line: {rail: rail, rail_base: %.17g, base: %.17g, segments: [{straight: %.17g}, "
        "{transition: %.17g, shape: "
        "smooth}, {arc: %.17g, radius: %.17g, cant: %.17g}], irregularities: {vertical: bump, "
        "from: %.17g, fade: %.17g}}}\n"
        "forces:\n"
        "  l: {type: rail_wheel, bodies: [ground, set], at: [%.17g, %.17g, %.17g], axis: y, track: "
        "line, side: left, "
        "profile: wheel, radius: %.17g, young: %.17g, flattest: %.17g, slow: %.17g, damping: "
        "%.17g}\n"
        "  r: {type: rail_wheel, bodies: [ground, set], at: [%.17g, %.17g, %.17g], axis: y, track: "
        "line, side: right, "
        "profile: wheel, radius: %.17g, young: %.17g, flattest: %.17g, slow: %.17g, damping: "
        "%.17g}\n"
        "simulate: {end: 0.2}\n",
        -9.81 * c, 1500 * c3, 700 * c5, 120 * c5, 700 * c5, 2 * c, 1e-3 * c, 0.460515 * c, 20 * c,
        -0.06 * c, -0.0045 * c, 0.0, 0.0, 0.06 * c, 0.0015 * c, -0.03 * c, -1.5e-3 * c, -0.015 * c,
        -3.75e-4 * c, 0.0, 0.0, 0.015 * c, -3.75e-4 * c, 0.03 * c, -1.5e-3 * c, 3 * c, 6 * c, 9 * c,
        1e-3 * c, -1e-3 * c, 1.5 * c, 1.5 * c, 3 * c, 3 * c, 20 * c, 200 * c, 0.05 * c, 2.2 * c,
        2 * c, 2 * c, 0.751 * c, 0.460515 * c, 0.46 * c, 2.1e11 * c * c, 10 * c, 0.1 * c, 0.1 / c,
        2 * c, -0.749 * c, 0.460515 * c, 0.46 * c, 2.1e11 * c * c, 10 * c, 0.1 * c, 0.1 / c);
    return load(t, text);
}

static TmlSim *run_to(TestCtx *t, const TmlModel *m, const TmlSim *from, double end)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "radau";
    o.tolerance = 1e-8;
    o.from = from;
    o.end_time = end;
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    }
    return sim;
}

/* In two pieces as in one, and ten times as large as small. */
TEST(runs_in_pieces_and_scaled)
{
    TmlModel *m = rolling(t, 1.0), *large = rolling(t, 10.0);
    if (m == NULL || large == NULL) {
        return;
    }
    TmlSim *whole = run_to(t, m, NULL, 0.12), *first = run_to(t, m, NULL, 0.05);
    TmlSim *second = run_to(t, m, first, 0.12), *big = run_to(t, large, NULL, 0.12);
    const TmlVec3 a = tml_row_body(whole, 1).position, b = tml_row_body(second, 1).position;
    const TmlVec3 d = v3_scale(0.1, tml_row_body(big, 1).position);
    // radau at 1e-8, measured 1.5e-7 m
    CHECK_NEAR(t, v3_norm(v3_sub(a, b)), 0.0, 1e-6);
    CHECK_NEAR(t, v3_norm(v3_sub(a, d)), 0.0, 1e-6);
    CHECK(t, a.x > 4.3 && fabs(a.y - 1e-3) > 1e-4); // it rolled into the transition
    tml_sim_free(whole);
    tml_sim_free(second);
    tml_sim_free(first);
    tml_sim_free(big);
    tml_model_free(m);
    tml_model_free(large);
}

TEST_SUITE(rail_wheel) = {CASE(derivatives_match_differences),
                          CASE(track_is_a_curve),
                          CASE(clothoid_and_arc),
                          CASE(spectrum_of_irregularities),
                          CASE(bad_input_is_told),
                          CASE(runs_in_pieces_and_scaled),
                          {0}};
