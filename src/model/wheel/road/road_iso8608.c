/* model/wheel/road/road_iso8608.c - random roads of the classes of ISO 8608.
 *
 *   (I1)  G(n) = G_0 (n / n_0)^-w,  n_0 = 0.1 1/m, n in cycles per metre;  class A: G_0 = 16e-6 m^3, each next four times
 *         that (geometric means of the standard)
 *   (I2)  h(x) = sum_k sqrt(2 G(n_k) dn_k) cos(2 pi n_k x + phi_k)
 *
 * The bands are equally wide in log n, so that every octave has as many waves; n_k lies at random within its band,
 * which keeps the road from repeating. The random numbers are those of SplitMix64, which are the same on every machine. A fade
 * lets the road begin level and smoothly: h is multiplied by the quintic step of x / fade.
 */
#include "base/fail.h"
#include "model/wheel/road/road.h"

#include <math.h>

typedef struct IsoData {
    int grade;
    double roughness, waviness, least, most, fade, from;
    int waves, seed;
    const double *wave; /* 3 a wave: amplitude, 2 pi n, phase; by prepare */
} IsoData;

static TmlStatus iso_check(const void *data, TmlError *err)
{
    const IsoData *p = data;
    if (!(p->most > p->least)) {
        return tml_fail(err, TML_E_MODEL, "longest (%.9g m) must be larger than shortest (%.9g m)",
                        p->most, p->least);
    }
    if (p->waves < 1 || p->waves > 10000) {
        return tml_fail(err, TML_E_MODEL, "waves must be from 1 to 10000, got %d", p->waves);
    }
    return TML_OK;
}

/* The next number of [0, 1), SplitMix64. */
static double next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static TmlStatus iso_prepare(void *data, TmlArena *arena, TmlError *err)
{
    static const double n0 = 0.1, class_a = 16e-6;
    IsoData *p = data;
    const double G0 = isnan(p->roughness) ? class_a * pow(4.0, p->grade) : p->roughness;
    const double low = log(1.0 / p->most), band = (log(1.0 / p->least) - low) / p->waves;
    double *wave = tml_arena_alloc(arena, (size_t)p->waves, 3 * sizeof *wave);
    uint64_t state = (uint64_t)(int64_t)p->seed;
    if (wave == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < p->waves; ++k) {
        const double from = exp(low + band * k), to = exp(low + band * (k + 1));
        const double n = from + (to - from) * next_random(&state);
        wave[3 * k] = sqrt(2.0 * G0 * pow(n / n0, -p->waviness) * (to - from)); // (I1), (I2)
        wave[3 * k + 1] = 2.0 * M_PI * n;
        wave[3 * k + 2] = 2.0 * M_PI * next_random(&state);
    }
    p->wave = wave;
    return TML_OK;
}

static void iso_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const IsoData *p = data;
    double h = 0.0, hx = 0.0, hxx = 0.0, f = 1.0, fx = 0.0, fxx = 0.0;
    (void)y;
    for (int k = 0; k < p->waves; ++k) {
        const double *w = &p->wave[3 * k];
        const double c = w[0] * cos(w[1] * x + w[2]), s = w[0] * sin(w[1] * x + w[2]);
        h += c;
        hx -= w[1] * s;
        hxx -= w[1] * w[1] * c;
    }
    if (p->fade > 0.0) {
        const double u = fmin(fmax((x - p->from) / p->fade, 0.0), 1.0);
        f = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
        fx = 30.0 * u * u * (1.0 - u) * (1.0 - u) / p->fade;
        fxx = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (p->fade * p->fade);
    }
    out->h = f * h;
    out->x = f * hx + fx * h;
    out->xx = f * hxx + 2.0 * fx * hx + fxx * h;
}

static const TmlParam iso_params[] = {
    {"class", TML_PARAM_CHOICE, TML_ANY, "", offsetof(IsoData, grade), "C",
     "class of roughness, A is the smoothest", "A|B|C|D|E|F|G|H"},
    {"roughness", TML_PARAM_REAL, TML_POSITIVE, "m^3", offsetof(IsoData, roughness), "",
     "instead of the class: density at 0.1 cycles/m", NULL},
    {"waviness", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(IsoData, waviness), "2",
     "exponent of the density", NULL},
    {"shortest", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(IsoData, least), "0.35",
     "shortest wavelength", NULL},
    {"longest", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(IsoData, most), "90",
     "longest wavelength", NULL},
    {"waves", TML_PARAM_INT, TML_POSITIVE, "", offsetof(IsoData, waves), "200",
     "how many waves it is the sum of", NULL},
    {"seed", TML_PARAM_INT, TML_ANY, "", offsetof(IsoData, seed), "1",
     "of the random numbers: the same seed gives the same road on every machine", NULL},
    {"from", TML_PARAM_REAL, TML_ANY, "m", offsetof(IsoData, from), "0",
     "x at which it begins to rise from the level, with fade", NULL},
    {"fade", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(IsoData, fade), "0",
     "length over which it grows from level to full; 0: it is rough everywhere", NULL},
    {0},
};

extern const TmlRoadType tml_road_iso8608;
const TmlRoadType tml_road_iso8608 = {
    .info = {.name = "iso8608",
             .text = "Random road of a class of ISO 8608, the same across its width.",
             .data_size = sizeof(IsoData),
             .params = iso_params},
    .check = iso_check,
    .prepare = iso_prepare,
    .at = iso_at,
};
