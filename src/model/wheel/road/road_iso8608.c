/* model/wheel/road/road_iso8608.c - random roads of the classes of ISO 8608.
 *
 *   (I1)  G(n) = G_0 (n / n_0)^-w,  n_0 = 0.1 1/m, n in cycles per metre;  class A: G_0 = 16e-6 m^3, each next four times
 *         that (geometric means of the standard)
 *   (I2)  h(x) = sum_k sqrt(2 G(n_k) dn_k) cos(2 pi n_k x + phi_k)
 *
 * The bands are equally wide in log n, so that every octave has as many waves; n_k lies at random within its band,
 * which keeps the road from repeating. The random numbers are those of SplitMix64, which are the same on every machine. A fade
 * lets the road begin level and smoothly: h is multiplied by the quintic step of x / fade.
 *
 * A step asks for the height at many places near each other. So the sum is not made at each place, but once for a cell of length 2 w,
 * as its Taylor series about the middle x_c:
 *
 *   (I3)  h(x_c + w t) = sum_n c_n t^n,  c_n = sum_k a_k (k w)^n / n! cos(k x_c + phi_k + n pi / 2),  n up to 16, w = 0.9 / largest k
 *
 * What is left out is below 0.9^17 / 17! = 5e-16 of the amplitudes. Series are functions of the road and the cell alone; each
 * thread keeps some of them.
 */
#include "base/fail.h"
#include "model/wheel/road/road.h"

#include <math.h>

typedef struct IsoData {
    int grade;
    double roughness, waviness, least, most, fade, from;
    int waves, seed;
    const double *wave; /* 3 a wave: amplitude, 2 pi n, phase; by prepare */
    double half;        /* w of (I3) */
    uint64_t key;       /* tells roads apart: a digest of the waves */
} IsoData;

enum { DEGREE = 16, CELLS = 64 };

typedef struct Cell {
    uint64_t key;
    double index, c[DEGREE + 1]; /* of (I3) */
} Cell;

static _Thread_local Cell cells[CELLS];

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

/* FNV-1a over the bytes of some numbers, not 0. */
static uint64_t digest_of(const double *x, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    const unsigned char *byte = (const unsigned char *)x;
    for (size_t k = 0; k < n * sizeof *x; ++k) {
        h = (h ^ byte[k]) * 0x100000001b3u;
    }
    return h | 1u;
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
    p->half = 0.9 / (2.0 * M_PI * exp(low + band * p->waves));
    p->key = digest_of(wave, 3 * (size_t)p->waves);
    return TML_OK;
}

/* Makes the series of a cell. */
static void fill_cell(const IsoData *p, double index, Cell *cell)
{
    const double middle = (2.0 * index + 1.0) * p->half;
    *cell = (Cell){.key = p->key, .index = index};
    for (int k = 0; k < p->waves; ++k) {
        const double *w = &p->wave[3 * k], scale = w[1] * p->half;
        const double angle = w[1] * middle + w[2], c = w[0] * cos(angle), s = w[0] * sin(angle);
        const double turn[4] = {c, -s, -c, s}; // cos(angle + n pi / 2)
        double part = 1.0;
        for (int n = 0; n <= DEGREE; ++n) {
            cell->c[n] += part * turn[n % 4]; // (I3)
            part *= scale / (n + 1);
        }
    }
}

static const Cell *cell_at(const IsoData *p, double x)
{
    const double index = floor(0.5 * x / p->half);
    Cell *cell = &cells[(size_t)fabs(fmod(index, CELLS))];
    if (cell->key != p->key || cell->index != index) {
        fill_cell(p, index, cell);
    }
    return cell;
}

static void iso_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const IsoData *p = data;
    double h = 0.0, hx = 0.0, hxx = 0.0, f = 1.0, fx = 0.0, fxx = 0.0;
    (void)y;
    if (!(fabs(x) < 1e12)) {
        return;
    }
    const Cell *cell = cell_at(p, x);
    const double t = x / p->half - (2.0 * cell->index + 1.0);
    for (int n = DEGREE; n >= 0; --n) { // h, h_x and half of h_xx, by Horner's rule
        hxx = hxx * t + hx;
        hx = hx * t + h;
        h = h * t + cell->c[n];
    }
    hx /= p->half;
    hxx *= 2.0 / (p->half * p->half);
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
