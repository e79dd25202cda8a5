/* model/wheel/rail/creep_table.c - forces of FASTSIM by interpolation.
 *
 * (F1) has four slips u_0 to u_3 of which the last two are one spin and the ratio of the half axes:
 *
 *   (B1)  u_s = sqrt(u_2 u_3) with the sign of the spin,  g = u_3 / u_2 = a / b,  u_2 = u_s / sqrt(g),  u_3 = u_s sqrt(g)
 *   (B2)  (u_0, u_1, u_s) <- (u_0, u_1, u_s) / max(1, r),  r^2 = (u_0^2 + u_1^2) / U^2 + u_s^2 / S^2,  U = 40, S = 200: beyond them all
 *         slips, and only the direction counts
 *   (B3)  x_k = asinh(u_k / w) / asinh(U_k / w),  w = 0.05;  x_g = (1 + log10 g) / 2
 *
 * Nodes are equally far apart in x. In each of the four directions there is a cubic whose slopes at nodes are those of parabolas, so that
 * forces have continuous first derivatives, which FASTSIM itself does not have. Nodes exist for u_0 >= 0 and u_s >= 0; the others
 * follow from symmetry:
 *
 *   (B4)  f(-u_0, u_1, u_s) = (-f_0, f_1, f_2, f_3),  f(u_0, -u_1, -u_s) = (f_0, -f_1, -f_2, -f_3)
 */
#include "model/wheel/rail/creep.h"

#include <math.h>

static const double farthest[3] = {40.0, 40.0, 200.0}, knee = 0.05; // U, U, S and w of (B2), (B3)
enum { AXES = 4, FORCES = 4, POINTS = 4, CELLS = 20 };
static const int intervals[3] = {CREEP_NODES - 1, CREEP_NODES - 1, CREEP_SPINS - 1};

/* A slip by the number of its node. */
static double slip_of(int axis, int at)
{
    return knee * sinh(asinh(farthest[axis] / knee) * at / intervals[axis]);
}

void tml_creep_table_fill(TmlCreepTable *table)
{
    if (table->filled) {
        return;
    }
    for (int i = 0; i < CREEP_NODES; ++i) {
        for (int j = 0; j < 2 * CREEP_NODES - 1; ++j) {
            for (int k = 0; k < CREEP_SPINS; ++k) {
                for (int g = 0; g < CREEP_RATIOS; ++g) {
                    const double root = pow(10.0, (double)g / (CREEP_RATIOS - 1) - 0.5);
                    const double s = slip_of(2, k);
                    const double u[4] = {slip_of(0, i), slip_of(1, j - intervals[1]), s / root,
                                         s * root};
                    TmlFastsim f;
                    tml_fastsim(CELLS, u, false, &f);
                    for (int c = 0; c < FORCES; ++c) {
                        table->f[i][j][k][g][c] = (float)f.f[c];
                    }
                }
            }
        }
    }
    table->filled = true;
}

/* The row of a node over the ratios by symmetry, beyond the last node that itself; whether f_0, and the others, change their sign. */
static const float (*row_of(const TmlCreepTable *t, int i, int j, int k, bool turned[2]))[FORCES]
{
    enum { LAST = CREEP_NODES - 1, LAST_SPIN = CREEP_SPINS - 1 };
    turned[0] = i < 0; // (B4)
    turned[1] = k < 0;
    i = i < 0 ? -i : i;
    j = k < 0 ? -j : j;
    k = k < 0 ? -k : k;
    return t->f[i > LAST ? LAST : i][(j > LAST    ? LAST
                                      : j < -LAST ? -LAST
                                                  : j) +
                                     LAST][k > LAST_SPIN ? LAST_SPIN : k];
}

/* Weights of the values at four places x for a value at u between the middle two, and their derivatives: a cubic whose slope at a node is
 * that of the parabola through it and its neighbours. */
static void weights(const double x[POINTS], double u, double w[POINTS], double d[POINTS])
{
    const double a = x[1] - x[0], h = x[2] - x[1], b = x[3] - x[2], v = (u - x[1]) / h;
    const double before[POINTS] = {-h / (a * (a + h)), 1.0 / a - 1.0 / h, a / (h * (a + h)), 0.0};
    const double after[POINTS] = {0.0, -b / (h * (h + b)), 1.0 / h - 1.0 / b, h / (b * (h + b))};
    const double s = v * v * (3.0 - 2.0 * v), m = v * (1.0 - v) * (1.0 - v) * h,
                 n = v * v * (v - 1.0) * h;
    const double ds = 6.0 * v * (1.0 - v) / h, dm = (1.0 - v) * (1.0 - 3.0 * v),
                 dn = v * (3.0 * v - 2.0);
    for (int k = 0; k < POINTS; ++k) {
        w[k] = m * before[k] + n * after[k];
        d[k] = dm * before[k] + dn * after[k];
    }
    w[1] += 1.0 - s;
    w[2] += s;
    d[1] -= ds;
    d[2] += ds;
}

/* Weights of one axis; the node before the value. axis 3: the ratio, in logarithms. */
static int axis_weights(int axis, double u, double w[POINTS], double d[POINTS])
{
    double x[POINTS];
    const double place = axis < 3 ? intervals[axis] / asinh(farthest[axis] / knee) * asinh(u / knee)
                                  : (CREEP_RATIOS - 1) * 0.5 * (1.0 + u);
    const int base = (int)floor(place);
    for (int k = 0; k < POINTS; ++k) {
        const int at = base - 1 + k;
        x[k] = axis < 3 ? slip_of(axis, at) : 2.0 * at / (CREEP_RATIOS - 1) - 1.0;
    }
    weights(x, u, w, d);
    return base;
}

/* Values and derivatives by the last axes, of which one more is summed over at a time. */
typedef struct Sum {
    double x[FORCES], by[AXES][FORCES];
} Sum;

/* Adds a term with its weight along an axis; the derivatives by the axes behind it go along. */
static void add_term(Sum *sum, const Sum *term, int axis, double w, double d)
{
    for (int c = 0; c < FORCES; ++c) {
        sum->x[c] += w * term->x[c];
        sum->by[axis][c] += d * term->x[c];
        for (int a = axis + 1; a < AXES; ++a) {
            sum->by[a][c] += w * term->by[a][c];
        }
    }
}

/* Over the ratios of one node. */
static void sum_ratios(const TmlCreepTable *t, const int at[3], int base, const double w[POINTS],
                       const double d[POINTS], Sum *out)
{
    bool turned[2];
    const float(*row)[FORCES] = row_of(t, at[0], at[1], at[2], turned);
    *out = (Sum){0};
    for (int q = 0; q < POINTS; ++q) {
        const int g = base - 1 + q, inside = g < 0                  ? 0
                                             : g > CREEP_RATIOS - 1 ? CREEP_RATIOS - 1
                                                                    : g;
        for (int c = 0; c < FORCES; ++c) {
            out->x[c] += w[q] * (double)row[inside][c];
            out->by[3][c] += d[q] * (double)row[inside][c];
        }
    }
    for (int c = 0; c < FORCES; ++c) {
        if (turned[c > 0]) {
            out->x[c] = -out->x[c];
            out->by[3][c] = -out->by[3][c];
        }
    }
}

/* Forces and their derivatives by the three slips and by log10 of the ratio. */
static void interpolate(const TmlCreepTable *t, const double place[AXES], Sum *out)
{
    double w[AXES][POINTS], d[AXES][POINTS];
    int base[AXES], at[3];
    for (int a = 0; a < AXES; ++a) {
        base[a] = axis_weights(a, place[a], w[a], d[a]);
    }
    *out = (Sum){0};
    for (int i = 0; i < POINTS; ++i) {
        Sum plane = {0};
        at[0] = base[0] - 1 + i;
        for (int j = 0; j < POINTS; ++j) {
            Sum line = {0};
            at[1] = base[1] - 1 + j;
            for (int k = 0; k < POINTS; ++k) {
                Sum node;
                at[2] = base[2] - 1 + k;
                sum_ratios(t, at, base[3], w[3], d[3], &node);
                add_term(&line, &node, 2, w[2][k], d[2][k]);
            }
            add_term(&plane, &line, 1, w[1][j], d[1][j]);
        }
        add_term(out, &plane, 0, w[0][i], d[0][i]);
    }
}

/* (B2): the three slips and their derivatives by the three. */
static void bounded(const double u[3], double out[3], double by[3][3])
{
    double r2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        r2 += u[i] * u[i] / (farthest[i] * farthest[i]);
    }
    const double s = r2 > 1.0 ? 1.0 / sqrt(r2) : 1.0;
    for (int i = 0; i < 3; ++i) {
        out[i] = s * u[i];
        for (int k = 0; k < 3; ++k) {
            const double turn =
                r2 > 1.0 ? s * s * s * u[i] * u[k] / (farthest[k] * farthest[k]) : 0.0;
            by[i][k] = (i == k ? s : 0.0) - turn;
        }
    }
}

void tml_creep_table_at(const TmlCreepTable *t, const double u[4], TmlFastsim *out)
{
    double place[AXES], dx[3][3];
    Sum sum;
    const double ratio = log10(u[3]);
    const bool inside = fabs(ratio) < 1.0;
    bounded(u, place, dx);
    place[3] = fmin(fmax(ratio, -1.0), 1.0);
    interpolate(t, place, &sum);
    for (int c = 0; c < FORCES; ++c) {
        const double by[AXES] = {sum.by[0][c], sum.by[1][c], sum.by[2][c], sum.by[3][c]};
        out->f[c] = sum.x[c];
        for (int k = 0; k < 3; ++k) { // by the three slips before (B2)
            out->by[c][k] = by[0] * dx[0][k] + by[1] * dx[1][k] + by[2] * dx[2][k];
        }
        out->by[c][3] = inside ? by[3] / (log(10.0) * u[3]) : 0.0;
    }
}
