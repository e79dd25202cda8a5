/* model/wheel/rail/track_fault.c - irregularities of a track: tables, and sums of waves by densities.
 *
 *   (I1)  fault = f(s) scale (table(s) + sum_k sqrt(2 S(w_k) dw_k) cos(w_k s + phi_k)),  f the quintic step of (s - from) / fade
 *   (I2)  left rail: y + lateral + gauge / 2, z + vertical - cross / 2;  right rail: the other signs of gauge and cross
 *
 * Densities S over the way's circular frequency w, one-sided, in m^2/(rad/m):
 *
 *   (I3)  german_low, german_high (ERRI B 176): vertical A_v w_c^2 / ((w^2 + w_r^2) (w^2 + w_c^2)); lateral the same with
 *         A_a; cross level as (I4) with A_v b^2 in place of 4 k A_v, gauge the same with A_g = 5.32e-8, 1.032e-7 m rad
 *   (I4)  AAR (FRA) classes 1 to 6: vertical k A_v w_c^2 / (w^2 (w^2 + w_c^2)), lateral with A_a, cross level and gauge
 *         4 k A_v w_c^2 / ((w^2 + w_c^2) (w^2 + w_s^2)),  k = 1/4
 *
 * Bands are equally wide in log w; w_k lies at random within its band. The random numbers are those of SplitMix64.
 */
#include "model/wheel/rail/track.h"

#include <math.h>

/* A_v, A_a (m rad), w_s (rad/m) of the classes 1 to 6. */
static const double aar[6][3] = {{1.2107e-4, 3.3634e-4, 0.6046}, {1.0181e-4, 1.2107e-4, 0.9308},
                                 {0.6816e-4, 0.4128e-4, 0.8520}, {0.5376e-4, 0.3027e-4, 1.1312},
                                 {0.2095e-4, 0.0762e-4, 0.8209}, {0.0339e-4, 0.0339e-4, 0.4380}};
/* A_v, A_a, A_g (m rad) of low and high disturbance. */
static const double german[2][3] = {{4.032e-7, 2.119e-7, 5.32e-8}, {1.08e-6, 6.125e-7, 1.032e-7}};

static double density(int kind, int fault, double w, double base)
{
    const double wc = 0.8246, wr = 0.0206, ws = 0.4380, w2 = w * w;
    if (kind < 2) {
        const double *A = german[kind];
        const double band = wc * wc / ((w2 + wr * wr) * (w2 + wc * wc));
        const double twist = band * w2 / (w2 + ws * ws);
        // the standard has the angle of cross level by half of the base: back to the height over the base
        return fault == TRACK_VERTICAL  ? A[0] * band
               : fault == TRACK_LATERAL ? A[1] * band
               : fault == TRACK_CROSS   ? A[0] * twist / (0.25 * base * base) * base * base
                                        : A[2] * twist;
    }
    const double *A = aar[kind - 2], k = 0.25, c2 = 0.8245 * 0.8245;
    return fault == TRACK_VERTICAL  ? k * A[0] * c2 / (w2 * (w2 + c2))
           : fault == TRACK_LATERAL ? k * A[1] * c2 / (w2 * (w2 + c2))
                                    : 4.0 * k * A[0] * c2 / ((w2 + c2) * (w2 + A[2] * A[2]));
}

/* The next number of [0, 1), SplitMix64. */
static double next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

TmlStatus tml_track_spectrum(const TmlTrackSpectrum *p, TmlTrack *track, TmlArena *arena,
                             TmlError *err)
{
    uint64_t state = (uint64_t)(int64_t)p->seed;
    if (!(p->longest > p->shortest)) {
        return tml_fail(err, TML_E_MODEL, "longest (%.9g m) must be larger than shortest (%.9g m)",
                        p->longest, p->shortest);
    }
    if (p->waves < 1 || p->waves > 10000) {
        return tml_fail(err, TML_E_MODEL, "waves must be from 1 to 10000, got %d", p->waves);
    }
    const double low = log(2.0 * M_PI / p->longest);
    const double band = (log(2.0 * M_PI / p->shortest) - low) / p->waves;
    for (int f = 0; f < TRACK_FAULTS; ++f) {
        double *wave;
        TML_NEW(arena, wave, 3 * p->waves);
        for (int k = 0; k < p->waves; ++k) {
            const double from = exp(low + band * k), to = exp(low + band * (k + 1));
            const double w = from + (to - from) * next_random(&state);
            wave[3 * k] = sqrt(2.0 * density(p->kind, f, w, track->base) * (to - from)); // (I1)
            wave[3 * k + 1] = w;
            wave[3 * k + 2] = 2.0 * M_PI * next_random(&state);
        }
        track->waves[f] = (TmlTrackWaves){p->waves, wave};
    }
    return TML_OK;
}

/* Table and waves of one fault, without the fade. Beyond its ends a table is zero. */
static void raw_fault(const TmlTrack *t, int f, double s, double d[3])
{
    const TmlTrackWaves *w = &t->waves[f];
    d[0] = d[1] = d[2] = 0.0;
    if (t->fault[f] != NULL) {
        const double *knot;
        const int n = tml_spline_knots(t->fault[f], &knot);
        if (n == 0 || (s >= knot[0] && s <= knot[n - 1])) {
            tml_spline_eval(t->fault[f], s, 2, d);
        }
    }
    for (int k = 0; k < w->n; ++k) {
        const double *a = &w->wave[3 * k];
        const double c = a[0] * cos(a[1] * s + a[2]), n = a[0] * sin(a[1] * s + a[2]);
        d[0] += c;
        d[1] -= a[1] * n;
        d[2] -= a[1] * a[1] * c;
    }
}

static void fault_at(const TmlTrack *t, int f, double s, double d[3])
{
    double raw[3], g = 1.0, g1 = 0.0, g2 = 0.0;
    d[0] = d[1] = d[2] = 0.0;
    if (t->fault[f] == NULL && t->waves[f].n == 0) {
        return;
    }
    if (t->fade > 0.0) {
        const double u = fmin(fmax((s - t->from) / t->fade, 0.0), 1.0);
        g = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
        g1 = 30.0 * u * u * (1.0 - u) * (1.0 - u) / t->fade;
        g2 = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (t->fade * t->fade);
    }
    raw_fault(t, f, s, raw);
    d[0] = t->scale * g * raw[0];
    d[1] = t->scale * (g * raw[1] + g1 * raw[0]);
    d[2] = t->scale * (g * raw[2] + 2.0 * g1 * raw[1] + g2 * raw[0]);
}

void tml_track_fault(const TmlTrack *t, int side, double s, double y[3], double z[3])
{
    const double half = side == 0 ? 0.5 : -0.5;
    double f[TRACK_FAULTS][3];
    for (int k = 0; k < TRACK_FAULTS; ++k) {
        fault_at(t, k, s, f[k]);
    }
    for (int k = 0; k < 3; ++k) {
        y[k] = f[TRACK_LATERAL][k] + half * f[TRACK_GAUGE][k]; // (I2)
        z[k] = f[TRACK_VERTICAL][k] - half * f[TRACK_CROSS][k];
    }
}
