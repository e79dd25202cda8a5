/* model/wheel/rail/fastsim.c - Kalker's simplified theory, cell by cell.
 *
 * x, y are parts of the half axes a, b, tractions t parts of mu p_0, p_0 = 2 N / (pi a b) that of a
 * parabolic pressure. With the slips
 *
 *   (F1)  u_0 = a xi / (L1 mu p_0),  u_1 = a eta / (L2 mu p_0),  u_2 = a b phi / (L3 mu p_0),
 *         u_3 = a^2 phi / (L3 mu p_0)
 *   (F2)  w = (u_0 - u_2 y, u_1 + u_3 x)
 *   (F3)  from the leading edge backwards: t <- t - w dx, and where |t| > g = 1 - x^2 - y^2: t <- g t / |t|
 *
 * The first step is half a cell, so that tractions belong to the middles of cells, where g is taken:
 * second order in the size of the cells. g is scaled so that its sum over the cells is that of the
 * integral; otherwise full slip would have more than mu N.
 */
#include "model/wheel/rail/creep.h"

#include <math.h>

typedef struct Traction {
    double t[2], by[2][4];
} Traction;

/* (F2), (F3) for one cell. */
static void advance(const double u[4], double x, double y, double dx, double g, bool derivatives,
                    Traction *p)
{
    p->t[0] -= dx * (u[0] - u[2] * y);
    p->t[1] -= dx * (u[1] + u[3] * x);
    if (derivatives) {
        p->by[0][0] -= dx;
        p->by[0][2] += dx * y;
        p->by[1][1] -= dx;
        p->by[1][3] -= dx * x;
    }
    const double size = sqrt(p->t[0] * p->t[0] + p->t[1] * p->t[1]);
    if (size <= g) {
        return;
    }
    const double n[2] = {p->t[0] / size, p->t[1] / size}, s = g / size;
    p->t[0] = g * n[0];
    p->t[1] = g * n[1];
    for (int k = 0; k < 4 && derivatives; ++k) {
        const double along = n[0] * p->by[0][k] + n[1] * p->by[1][k];
        p->by[0][k] = s * (p->by[0][k] - n[0] * along);
        p->by[1][k] = s * (p->by[1][k] - n[1] * along);
    }
}

/* Adds one cell of the given area to the sums. */
static void gather(const Traction *p, double x, double y, double area, bool derivatives,
                   TmlFastsim *out)
{
    const double part[4] = {area, area, area * x, area * y};
    const int of[4] = {0, 1, 1, 0};
    for (int r = 0; r < 4; ++r) {
        out->f[r] += part[r] * p->t[of[r]];
        for (int k = 0; k < 4 && derivatives; ++k) {
            out->by[r][k] += part[r] * p->by[of[r]][k];
        }
    }
}

/* What the bound must be multiplied with, so that its sum is pi / 2. The squares of the n middles of cells on [-1, 1] add up to
 * (n^2 - 1) / (3 n). */
static double bound_scale(int cells)
{
    const double n = cells, strip = n - (n * n - 1.0) / (3.0 * n);
    double sum = 0.0;
    for (int j = 0; j < cells; ++j) {
        const double y = (2 * j + 1.0) / n - 1.0, edge2 = 1.0 - y * y;
        sum += edge2 * sqrt(edge2) * strip * 4.0 / (n * n);
    }
    return 0.5 * M_PI / sum;
}

void tml_fastsim(int cells, const double u[4], bool derivatives, TmlFastsim *out)
{
    const double scale = bound_scale(cells), dy = 2.0 / cells;
    *out = (TmlFastsim){0};
    for (int j = 0; j < cells; ++j) {
        const double y = (2 * j + 1.0) / cells - 1.0, edge = sqrt(1.0 - y * y), dx = edge * dy;
        Traction p = {0};
        for (int i = 0; i < cells; ++i) {
            const double x = edge - (i + 0.5) * dx, step = i == 0 ? 0.5 * dx : dx;
            // the slip of the way from the middle of the cell before to the middle of this one
            advance(u, x + 0.5 * step, y, step, scale * (1.0 - x * x - y * y), derivatives, &p);
            gather(&p, x, y, dx * dy * 2.0 / M_PI, derivatives, out);
        }
    }
}
