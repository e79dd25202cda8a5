/* system/flexible/flex_end.c - frames at points of flexible elements.
 *
 *   (E1)  r = sum S_i x_i,   a = sum A_i x_i,   b = sum B_i x_i,   axes of a and b: math/triad.h
 *   (E2)  T^T (f, t): on x_i the force S_i f + A_i h_a + B_i h_b,   (h_a, h_b) = R^T t
 *
 * A_i and B_i are derivatives of S_i: model/flexible/flexible.h tells which.
 *
 * An offset of the end moves with the axes at the point, as on a rigid body.
 */
#include "system/flexible/flex.h"

#include "math/triad.h"
#include "math/vec3.h"

#include <string.h>

enum { MAX = TML_END_MAX_NU };

static const TmlFlexPoint *point_of(const TmlSystem *sys, int end)
{
    return &sys->flex->at[sys->end[end].point - 1];
}

/* Tells whether the second gradient counts. */
static bool spins(const TmlFlexPoint *p)
{
    return p->axes != TML_TRIAD_LEAST && p->axes != TML_TRIAD_SPINLESS;
}

static const TmlFlexOwner *owner_of(const TmlSystem *sys, int end)
{
    return &sys->flex->element[point_of(sys, end)->flex];
}

TmlVec3 tml_flex_vector(const TmlSystem *sys, int element, int i, int level)
{
    const TmlFlexOwner *o = &sys->flex->element[element];
    const int dim = sys->model->meshes.at[sys->model->flexes.at[element].mesh].type->dim;
    const double *x = sys->flex->x + ((size_t)element * 3 + (size_t)level) * TML_FLEX_MAX_N;
    if (dim < 3 && o->free[i] < 0) { // a body that it is tied to may leave the plane
        TmlVec3 all[3];
        tml_vector_kin(sys, o->vector[i], all);
        return all[level];
    }
    return v3(x[i * dim], x[i * dim + 1], dim > 2 ? x[i * dim + 2] : 0.0);
}

void tml_flex_point_kin(const TmlSystem *sys, int point)
{
    const TmlFlexPoint *p = &sys->flex->at[point];
    const TmlFlexOwner *o = &sys->flex->element[p->flex];
    TmlPointKin *out = &sys->flex->point[point];
    TmlVec3 g[3][3] = {{{0}}}; /* r, a, b: value, rate, second rate */
    for (int i = 0; i < o->n; ++i) {
        if (p->s[0][i] == 0.0 && p->s[1][i] == 0.0 && p->s[2][i] == 0.0) {
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const TmlVec3 x = tml_flex_vector(sys, p->flex, i, k);
            for (int w = 0; w < 3; ++w) {
                g[w][k] = v3_axpy(p->s[w][i], x, g[w][k]);
            }
        }
    }
    tml_triad_of(p->axes, g[1], g[2], &p->start, &out->triad);
    out->a = g[1][0];
    out->a_rate = g[1][1];
    out->b = g[2][0];
    out->k = (TmlFrameKin){.r = g[0][0], .v = g[0][1], .a = g[0][2]};
    out->k.A = m3_mul(&out->triad.A, &p->turn);
    double omega[3] = {0}, alpha[3] = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 6; ++j) {
            const TmlVec3 *rates = g[j < 3 ? 1 : 2];
            const double v = (&rates[1].x)[j % 3], a = (&rates[2].x)[j % 3];
            omega[i] += out->triad.R[0][6 * i + j] * v;
            alpha[i] += out->triad.R[1][6 * i + j] * v + out->triad.R[0][6 * i + j] * a;
        }
    }
    out->k.omega = v3(omega[0], omega[1], omega[2]);
    out->k.alpha = v3(alpha[0], alpha[1], alpha[2]);
}

void tml_flex_end_frame(TmlSystem *sys, int end)
{
    const TmlEnd *e = &sys->end[end];
    const TmlFrameKin *k = &sys->flex->point[e->point - 1].k;
    tml_frame_offset(k, e, &sys->kin[end]);
}

/* Derivatives by y of r, and of a and b as 6 rows, at one level. */
typedef struct Maps {
    double r[3 * MAX], g[6 * MAX];
} Maps;

static void add_scaled(const double *x, int n, double s, double *y)
{
    for (int k = 0; k < n && s != 0.0; ++k) {
        y[k] += s * x[k];
    }
}

/* what: one to three levels; maps[level] */
static void gather(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, Maps maps[3])
{
    const TmlFlexPoint *p = point_of(sys, end);
    const TmlFlexOwner *o = owner_of(sys, end);
    const int n = 3 * o->parts.cols;
    for (int k = 0; k < 3; ++k) {
        memset(maps[k].r, 0, (size_t)n * sizeof(double));
        memset(maps[k].g, 0, 2 * (size_t)n * sizeof(double));
    }
    for (int i = 0; i < o->n; ++i) {
        TmlVectorMap m;
        const double *const level[3] = {m.P, m.W, m.B};
        if (p->s[0][i] == 0.0 && p->s[1][i] == 0.0 && p->s[2][i] == 0.0) {
            continue;
        }
        tml_vector_map(sys, o->vector[i], &o->parts, c, what, &m);
        for (int k = 0; k < 3; ++k) {
            if ((what >> k & 1u) != 0) {
                add_scaled(level[k], n, p->s[0][i], maps[k].r);
                add_scaled(level[k], n, p->s[1][i], maps[k].g);
                add_scaled(level[k], n, spins(p) ? p->s[2][i] : 0.0, maps[k].g + n);
            }
        }
    }
}

/* out[3 * cols] += s R G, R 3 x 6 */
static void add_product(const double *R, const double *G, int cols, double s, double *out)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 6; ++k) {
            const double f = s * R[6 * i + k];
            for (int j = 0; j < cols && f != 0.0; ++j) {
                out[i * cols + j] += f * G[k * cols + j];
            }
        }
    }
}

/* out[3 * cols] += s w~ X */
static void add_cross(TmlVec3 w, const double *X, int cols, double s, double *out)
{
    for (int j = 0; j < cols; ++j) {
        const TmlVec3 x = v3(X[j], X[cols + j], X[2 * cols + j]), y = v3_cross(w, x);
        out[j] += s * y.x;
        out[cols + j] += s * y.y;
        out[2 * cols + j] += s * y.z;
    }
}

/* Sets the rows of d omega by (T6); accelerations of such points are not asked for. */
static void spinless_rows(const TmlPointKin *p, const Maps maps[3], int cols, TmlFrameMap *out)
{
    const double by = 1.0 / v3_dot(p->a, p->a);
    double *W = out->W + 3 * cols;
    memset(W, 0, 3 * (size_t)cols * sizeof *W);
    add_product(p->triad.R[0], maps[1].g, cols, 1.0, W);
    add_cross(p->a_rate, maps[0].g, cols, -by, W);
    for (int j = 0; j < cols; ++j) {
        const double *da = maps[0].g + j;
        const double f = -2.0 * by * (p->a.x * da[0] + p->a.y * da[cols] + p->a.z * da[2 * cols]);
        W[j] += f * p->k.omega.x;
        W[cols + j] += f * p->k.omega.y;
        W[2 * cols + j] += f * p->k.omega.z;
    }
}

/* Sets the rows of rotation of the point: dtheta, d omega, d alpha of (T1) to (T3). */
static void rotation_rows(const TmlPointKin *p, const Maps maps[3], int cols, unsigned what,
                          TmlFrameMap *out)
{
    const double *R = p->triad.R[0], *R1 = p->triad.R[1], *R2 = p->triad.R[2];
    double *P = out->P + 3 * cols, *W = out->W + 3 * cols, *B = out->B + 3 * cols;
    const size_t size = 3 * (size_t)cols * sizeof(double);
    double rate[3 * MAX]; /* R' dg + R dg' */
    memset(P, 0, size);
    add_product(R, maps[0].g, cols, 1.0, P);
    if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) == 0) {
        return;
    }
    memset(rate, 0, size);
    add_product(R1, maps[0].g, cols, 1.0, rate);
    add_product(R, maps[1].g, cols, 1.0, rate);
    memcpy(W, rate, size);
    add_cross(p->k.omega, P, cols, -1.0, W);
    if ((what & TML_MAP_ACCELERATION) != 0) {
        memset(B, 0, size);
        add_product(R2, maps[0].g, cols, 1.0, B);
        add_product(R1, maps[1].g, cols, 2.0, B);
        add_product(R, maps[2].g, cols, 1.0, B);
        add_cross(p->k.omega, rate, cols, -1.0, B);
        add_cross(p->k.alpha, P, cols, -1.0, B);
    }
}

/* Rows of translation for an offset s: those of the point are there already.
 *   dr += dtheta x s;  dv += d omega x s + omega x (dtheta x s);
 *   da += d alpha x s + alpha x (dtheta x s) + d omega x (omega x s) + omega x (d omega x s)
 *         + omega x (omega x (dtheta x s)) */
static void offset_rows(const TmlFrameKin *k, TmlVec3 s, int cols, unsigned what, TmlFrameMap *out)
{
    const TmlVec3 w = k->omega, ws = v3_cross(w, s);
    const double *P = out->P + 3 * cols, *W = out->W + 3 * cols, *B = out->B + 3 * cols;
    double ds[3 * MAX] = {0}, dws[3 * MAX] = {0};
    add_cross(s, P, cols, -1.0, ds);
    add_scaled(ds, 3 * cols, 1.0, out->P);
    if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) == 0) {
        return;
    }
    add_cross(s, W, cols, -1.0, dws);
    add_cross(w, ds, cols, 1.0, dws); // d(omega x s)
    if ((what & TML_MAP_TWIST) != 0) {
        add_scaled(dws, 3 * cols, 1.0, out->W);
    }
    if ((what & TML_MAP_ACCELERATION) != 0) {
        add_cross(s, B, cols, -1.0, out->B);
        add_cross(k->alpha, ds, cols, 1.0, out->B);
        add_cross(ws, W, cols, -1.0, out->B);
        add_cross(w, dws, cols, 1.0, out->B);
    }
}

void tml_flex_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out)
{
    const TmlEnd *e = &sys->end[end];
    const TmlPointKin *p = &sys->flex->point[e->point - 1];
    const int cols = owner_of(sys, end)->parts.cols;
    const size_t size = 3 * (size_t)cols * sizeof(double);
    // rates of rotation need the maps of positions too, accelerations those of both
    const unsigned need = (what & TML_MAP_ACCELERATION) != 0 ? TML_MAP_ALL
                          : (what & TML_MAP_TWIST) != 0      ? (TML_MAP_MOTION | TML_MAP_TWIST)
                                                             : TML_MAP_MOTION;
    Maps maps[3];
    gather(sys, end, c, need, maps);
    memcpy(out->P, maps[0].r, size);
    memcpy(out->W, maps[1].r, size);
    memcpy(out->B, maps[2].r, size);
    rotation_rows(p, maps, cols, need, out);
    if (point_of(sys, end)->axes == TML_TRIAD_SPINLESS && (need & TML_MAP_TWIST) != 0) {
        spinless_rows(p, maps, cols, out);
    }
    const TmlVec3 s = m3_mulv(&p->k.A, e->s_b);
    if (v3_dot(s, s) > 0.0) {
        offset_rows(&p->k, s, cols, need, out);
    }
}

/* Sets (h_a, h_b) of (E2) for a torque about the point. */
static void torque_forces(const TmlPointKin *p, TmlVec3 t, TmlVec3 h[2])
{
    const double *R = p->triad.R[0], ts[3] = {t.x, t.y, t.z};
    double x[6] = {0};
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 6; ++j) {
            x[j] += R[6 * k + j] * ts[k];
        }
    }
    h[0] = v3(x[0], x[1], x[2]);
    h[1] = v3(x[3], x[4], x[5]);
}

static TmlVec3 torque_about_point(const TmlPointKin *p, const TmlEnd *e, const TmlRow *w)
{
    return v3_add(w->theta, v3_cross(m3_mulv(&p->k.A, e->s_b), w->r));
}

/* Returns the force of (E2) on vector i. */
static TmlVec3 vector_share(const TmlFlexPoint *p, int i, TmlVec3 f, const TmlVec3 h[2])
{
    const TmlVec3 x = v3_axpy(p->s[1][i], h[0], v3_scale(p->s[0][i], f));
    return spins(p) ? v3_axpy(p->s[2][i], h[1], x) : x;
}

void tml_flex_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r)
{
    const TmlFlexPoint *p = point_of(sys, end);
    const TmlFlexOwner *o = owner_of(sys, end);
    const TmlPointKin *kin = &sys->flex->point[sys->end[end].point - 1];
    TmlVec3 h[2];
    torque_forces(kin, torque_about_point(kin, &sys->end[end], w), h);
    for (int i = 0; i < o->n; ++i) {
        tml_vector_force(sys, o->vector[i], vector_share(p, i, w->r, h), r);
    }
}

void tml_flex_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y)
{
    const TmlFlexPoint *p = point_of(sys, end);
    const TmlFlexOwner *o = owner_of(sys, end);
    const TmlPointKin *kin = &sys->flex->point[sys->end[end].point - 1];
    memset(Y, 0, (size_t)(o->parts.cols * n) * sizeof *Y);
    double f[9 * MAX]; /* for each column: f, h_a, h_b as rows */
    for (int k = 0; k < n; ++k) {
        const TmlRow w = {{X[k], X[n + k], X[2 * n + k]},
                          {X[3 * n + k], X[4 * n + k], X[5 * n + k]}};
        TmlVec3 h[2];
        torque_forces(kin, torque_about_point(kin, &sys->end[end], &w), h);
        const TmlVec3 *const from[3] = {&w.r, &h[0], &h[1]};
        for (int j = 0; j < 9; ++j) {
            f[j * n + k] = (&from[j / 3]->x)[j % 3];
        }
    }
    for (int i = 0; i < o->n; ++i) {
        double F[3 * MAX];
        memset(F, 0, 3 * (size_t)n * sizeof *F);
        for (int w = 0; w < (spins(p) ? 3 : 2); ++w) {
            add_scaled(f + 3 * w * n, 3 * n, p->s[w][i], F);
        }
        tml_vector_dual(sys, o->vector[i], &o->parts, F, n, Y);
    }
}

/* Sets the derivative of (h_a, h_b) by (a, b) at fixed force and torque on the end, 6 x 6. */
static void torque_derivative(const TmlFlexPoint *point, const TmlPointKin *p, TmlVec3 s,
                              const TmlRow *w, double *H)
{
    const TmlVec3 t = v3_add(w->theta, v3_cross(s, w->r));
    tml_triad_dual_derivative(point->axes, p->a, p->b, &point->start, t, H);
    // d(s x f) = (dtheta x s) x f = f~ s~ dtheta
    const TmlMat33 S = m3_skew_skew(w->r, s);
    const double *R = p->triad.R[0];
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            const TmlVec3 dtheta = v3(R[j], R[6 + j], R[12 + j]), d = m3_mulv(&S, dtheta);
            H[6 * i + j] += R[i] * d.x + R[6 + i] * d.y + R[12 + i] * d.z;
        }
    }
}

void tml_flex_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K)
{
    const TmlFlexPoint *p = point_of(sys, end);
    const TmlFlexOwner *o = owner_of(sys, end);
    const TmlPointKin *kin = &sys->flex->point[sys->end[end].point - 1];
    const TmlVec3 s = m3_mulv(&kin->k.A, sys->end[end].s_b);
    const TmlVec3 t = torque_about_point(kin, &sys->end[end], w);
    const int cols = o->parts.cols;
    TmlVec3 h[2];
    torque_forces(kin, t, h);
    for (int i = 0; i < o->n; ++i) {
        tml_vector_geometric(sys, o->vector[i], &o->parts, vector_share(p, i, w->r, h), c_q, K);
    }
    if (v3_dot(t, t) == 0.0 && v3_dot(s, s) == 0.0) {
        return;
    }
    Maps maps[3];
    double H[36], HG[6 * MAX], Y[MAX * MAX] = {0};
    gather(sys, end, (TmlCoeffs){.q = 1.0}, TML_MAP_MOTION, maps);
    torque_derivative(p, kin, s, w, H);
    memset(HG, 0, 6 * (size_t)cols * sizeof *HG);
    add_product(H, maps[0].g, cols, 1.0, HG);
    add_product(H + 18, maps[0].g, cols, 1.0, HG + 3 * cols);
    for (int i = 0; i < 6; ++i) {
        for (int r = 0; r < cols; ++r) {
            add_scaled(HG + i * cols, cols, c_q * maps[0].g[i * cols + r], Y + r * cols);
        }
    }
    add_scaled(Y, cols * cols, 1.0, K);
}

/* (E3)  x moves r, a and b by r_x, a_x and b_x, whose weights are ds:
 *         v_x = sum ds_r x_i',  omega_x by (T2) or (T6),  on x_i: ds_r f + ds_a h_a + ds_b h_b + A_i h_a,x + B_i h_b,x */
static TmlVec3 angular_change(const TmlFlexPoint *p, const TmlPointKin *kin, const TmlVec3 g[2],
                              const TmlVec3 rate[2])
{
    double turn[3] = {0}, change[3] = {0};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 6; ++j) {
            const double dg = (&g[j / 3].x)[j % 3], drate = (&rate[j / 3].x)[j % 3];
            turn[i] += kin->triad.R[0][6 * i + j] * dg;
            change[i] += kin->triad.R[1][6 * i + j] * dg + kin->triad.R[0][6 * i + j] * drate;
        }
    }
    const TmlVec3 d = v3(change[0], change[1], change[2]);
    if (p->axes != TML_TRIAD_SPINLESS) {
        return v3_add(d, v3_cross(v3(turn[0], turn[1], turn[2]), kin->k.omega)); // (T2)
    }
    const double by = 1.0 / v3_dot(kin->a, kin->a); // (T6)
    TmlVec3 w = v3_scale(by, v3_add(v3_cross(g[0], kin->a_rate), v3_cross(kin->a, rate[0])));
    return v3_axpy(-2.0 * by * v3_dot(kin->a, g[0]), kin->k.omega, w);
}

/* Returns the point moved along x (way 0), or along y of its sheet, in the units of xi. */
static TmlFlexPoint shifted(const TmlSystem *sys, const TmlFlexPoint *p, int way, double by)
{
    TmlFlexPoint out = *p;
    double xi[3] = {p->xi[0], p->xi[1], p->xi[2]};
    xi[way == 0 ? 0 : p->sheet == TML_SHEET_Z ? 2 : 1] += by;
    tml_flex_point_move(sys->model, &out, xi);
    return out;
}

/* Returns how many metres a unit of xi is along a way. */
static double unit_of(const TmlSystem *sys, const TmlFlexPoint *p, int way)
{
    const double *size = sys->model->flexes.at[p->flex].size;
    return way == 0 ? size[0] : p->sheet == TML_SHEET_PATCH ? size[1] : 1.0;
}

void tml_flex_end_travel(const TmlSystem *sys, int end, int way, const TmlRow *w, TmlVec3 *v_x,
                         TmlVec3 *omega_x, double *Y)
{
    const TmlFlexPoint *p = point_of(sys, end);
    const TmlFlexOwner *o = owner_of(sys, end);
    const TmlPointKin *kin = &sys->flex->point[sys->end[end].point - 1];
    // weights are polynomials of degree three: differences of fourth order are exact
    const double h = 0.25, by = 1.0 / (2.0 * h * unit_of(sys, p, way));
    const TmlFlexPoint low = shifted(sys, p, way, -h), high = shifted(sys, p, way, h);
    const TmlFlexPoint far[2] = {shifted(sys, p, way, -2.0 * h), shifted(sys, p, way, 2.0 * h)};
    TmlVec3 g[2] = {{0}}, rate[2] = {{0}}, hs[2], dh[2];
    double ds[3][TML_FLEX_MAX_VECTORS], H[36];
    *v_x = v3(0, 0, 0);
    for (int i = 0; i < o->n; ++i) {
        TmlVec3 x[3];
        tml_vector_kin(sys, o->vector[i], x);
        for (int k = 0; k < 3; ++k) {
            ds[k][i] = by * ((4.0 / 3.0) * (high.s[k][i] - low.s[k][i]) -
                             (far[1].s[k][i] - far[0].s[k][i]) / 6.0);
        }
        *v_x = v3_axpy(ds[0][i], x[1], *v_x);
        for (int k = 0; k < (spins(p) ? 2 : 1); ++k) {
            g[k] = v3_axpy(ds[k + 1][i], x[0], g[k]);
            rate[k] = v3_axpy(ds[k + 1][i], x[1], rate[k]);
        }
    }
    *omega_x = angular_change(p, kin, g, rate);
    torque_forces(kin, w->theta, hs);
    tml_triad_dual_derivative(p->axes, kin->a, kin->b, &p->start, w->theta, H);
    for (int i = 0; i < 6; ++i) {
        double d = 0.0;
        for (int j = 0; j < 6; ++j) {
            d += H[6 * i + j] * (&g[j / 3].x)[j % 3];
        }
        (&dh[i / 3].x)[i % 3] = d;
    }
    memset(Y, 0, (size_t)o->parts.cols * sizeof *Y);
    for (int i = 0; i < o->n; ++i) { // (E3)
        TmlVec3 f = v3_axpy(ds[1][i], hs[0], v3_scale(ds[0][i], w->r));
        f = v3_axpy(p->s[1][i], dh[0], f);
        if (spins(p)) {
            f = v3_axpy(p->s[2][i], dh[1], v3_axpy(ds[2][i], hs[1], f));
        }
        const double F[3] = {f.x, f.y, f.z};
        tml_vector_dual(sys, o->vector[i], &o->parts, F, 1, Y);
    }
}
