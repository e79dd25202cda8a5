/* model/wheel/road/road_surface.c - heights on a rectangular grid.
 *
 *   (R1)  h(x, y) = sum over 4 x 4 nodes of c_ij B_i(u) B_j(v)     uniform cubic B-splines, u and v in cells
 *
 * The coefficients c make the surface pass through the given heights: along every row and then every column a
 * tridiagonal system (1 4 1)/6 with second derivatives of zero at the ends. Slopes and curvature are continuous. Beyond the
 * border the height is that of the nearest point of the border, unless the run stops there.
 */
#include "base/fail.h"
#include "model/wheel/road/road.h"

#include <math.h>

typedef struct SurfaceData {
    TmlReals heights;
    int columns;
    TmlReals origin;
    double dx, dy;
    int nx, ny;      /* by prepare */
    const double *c; /* (nx + 2) (ny + 2) coefficients, x fastest */
} SurfaceData;

static TmlStatus surface_check(const void *data, TmlError *err)
{
    const SurfaceData *p = data;
    if (p->columns < 3 || p->heights.n % p->columns != 0 || p->heights.n / p->columns < 3) {
        return tml_fail(err, TML_E_MODEL,
                        "heights must be rows of `columns` numbers, at least 3 rows of 3: got %d "
                        "numbers and columns %d",
                        p->heights.n, p->columns);
    }
    if (p->origin.n != 0 && p->origin.n != 2) {
        return tml_fail(err, TML_E_MODEL, "origin must be [x, y]");
    }
    return TML_OK;
}

/* Coefficients c[-1 .. n] (a stride apart) of values at c[0 .. n-1], which they replace. c[0] and c[n-1] of a natural
 * spline are the values themselves. */
static void interpolate(double *c, int n, int stride, double *work)
{
    for (int k = 1; k < n - 1; ++k) { // (c[k-1] + 4 c[k] + c[k+1]) / 6 = value
        double right = 6.0 * c[k * stride];
        if (k == 1) {
            right -= c[0];
        }
        if (k == n - 2) {
            right -= c[(n - 1) * stride];
        }
        const double below = k > 1 ? work[k - 1] : 0.0, pivot = 4.0 - below;
        work[k] = 1.0 / pivot;
        c[k * stride] = (right - (k > 1 ? c[(k - 1) * stride] : 0.0)) / pivot;
    }
    for (int k = n - 3; k >= 1; --k) {
        c[k * stride] -= work[k] * c[(k + 1) * stride];
    }
    c[-stride] = 2.0 * c[0] - c[stride];
    c[n * stride] = 2.0 * c[(n - 1) * stride] - c[(n - 2) * stride];
}

static TmlStatus surface_prepare(void *data, TmlArena *arena, TmlError *err)
{
    SurfaceData *p = data;
    const int nx = p->nx = p->columns, ny = p->ny = p->heights.n / p->columns;
    const int row = nx + 2, most = nx > ny ? nx : ny;
    double *c = tml_arena_alloc(arena, (size_t)row * (size_t)(ny + 2), sizeof *c);
    double *work = tml_arena_alloc(arena, (size_t)most, sizeof *work);
    if (c == NULL || work == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int j = 0; j < ny; ++j) {
        double *at = &c[(j + 1) * row + 1];
        for (int i = 0; i < nx; ++i) {
            at[i] = p->heights.value[j * nx + i];
        }
        interpolate(at, nx, 1, work);
    }
    for (int i = 0; i < row; ++i) {
        interpolate(&c[row + i], ny, row, work);
    }
    p->c = c;
    return TML_OK;
}

/* The four B-splines of a cell at u in [0, 1], and derivatives by u. */
static void basis(double u, double b[4], double d[4], double dd[4])
{
    const double w = 1.0 - u;
    b[0] = w * w * w / 6.0;
    b[1] = (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0;
    b[3] = u * u * u / 6.0;
    b[2] = 1.0 - b[0] - b[1] - b[3];
    d[0] = -0.5 * w * w;
    d[1] = 1.5 * u * u - 2.0 * u;
    d[3] = 0.5 * u * u;
    d[2] = -d[0] - d[1] - d[3];
    dd[0] = w;
    dd[1] = 3.0 * u - 2.0;
    dd[3] = u;
    dd[2] = 1.0 - 3.0 * u;
}

/* The cell of x, and the place in it; inside: false beyond the border. */
static int cell_of(double x, int n, double *u, bool *inside)
{
    const double bounded = fmin(fmax(x, 0.0), n - 1.0);
    const int k = bounded >= n - 1.0 ? n - 2 : (int)bounded;
    *inside = bounded == x;
    *u = bounded - k;
    return k;
}

static void surface_at(const void *data, double x, double y, TmlRoadPoint *out)
{
    const SurfaceData *p = data;
    double u, v, bx[4], by[4], dx[4], dy[4], ddx[4], ddy[4];
    bool in_x, in_y;
    const int i =
        cell_of((x - (p->origin.n == 2 ? p->origin.value[0] : 0.0)) / p->dx, p->nx, &u, &in_x);
    const int j =
        cell_of((y - (p->origin.n == 2 ? p->origin.value[1] : 0.0)) / p->dy, p->ny, &v, &in_y);
    basis(u, bx, dx, ddx);
    basis(v, by, dy, ddy);
    for (int b = 0; b < 4; ++b) {
        const double *c = &p->c[(j + b) * (p->nx + 2) + i];
        double s = 0.0, sx = 0.0, sxx = 0.0;
        for (int a = 0; a < 4; ++a) {
            s += c[a] * bx[a];
            sx += c[a] * dx[a];
            sxx += c[a] * ddx[a];
        }
        out->h += s * by[b]; // (R1)
        out->x += sx * by[b] / p->dx;
        out->y += s * dy[b] / p->dy;
        out->xx += sxx * by[b] / (p->dx * p->dx);
        out->xy += sx * dy[b] / (p->dx * p->dy);
        out->yy += s * ddy[b] / (p->dy * p->dy);
    }
    if (!in_x) {
        out->x = out->xx = out->xy = 0.0;
    }
    if (!in_y) {
        out->y = out->yy = out->xy = 0.0;
    }
}

static TmlRoadBorder surface_border(const void *data, double x, double y)
{
    const SurfaceData *p = data;
    const double x0 = p->origin.n == 2 ? p->origin.value[0] : 0.0;
    const double y0 = p->origin.n == 2 ? p->origin.value[1] : 0.0;
    const double sides_x[2] = {x0, x0 + (p->nx - 1) * p->dx},
                 sides_y[2] = {y0, y0 + (p->ny - 1) * p->dy};
    return tml_road_rectangle(sides_x, sides_y, x, y);
}

static const TmlParam surface_params[] = {
    {"heights", TML_PARAM_POINTS, TML_ANY, "m", offsetof(SurfaceData, heights), NULL,
     "heights of the nodes, rows along x: the first row is that of the smallest y", NULL},
    {"columns", TML_PARAM_INT, TML_POSITIVE, "", offsetof(SurfaceData, columns), NULL,
     "how many heights a row has", NULL},
    {"origin", TML_PARAM_REALS, TML_ANY, "m", offsetof(SurfaceData, origin), "",
     "x and y of the first height; [0, 0] without it", NULL},
    {"dx", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(SurfaceData, dx), NULL,
     "distance of the nodes along x", NULL},
    {"dy", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(SurfaceData, dy), NULL,
     "distance of the nodes along y", NULL},
    {0},
};

extern const TmlRoadType tml_road_surface;
const TmlRoadType tml_road_surface = {
    .info = {.name = "surface",
             .text = "Heights on a rectangular grid, with continuous slopes and curvatures.",
             .data_size = sizeof(SurfaceData),
             .params = surface_params},
    .check = surface_check,
    .prepare = surface_prepare,
    .at = surface_at,
    .border = surface_border,
};
