/* model/constraint/path_on_path.c - two curves in a common plane that touch.
 *
 * The places of the contact on both paths are coordinates of their own. Ends: place and frame of
 * the second path, place and frame of the first. With w_k = A_k c_k(s_k), t_k = A_k c_k', and nu
 * the normal of the plane in the first frame:
 *
 *   (1)  r_2 + w_2 - r_1 - w_1 = 0                    three rows
 *   (2)  t_2 . u = 0,  u = A_1 (c_1' x nu)            the tangents are parallel
 *   (3)  gamma of (2) = -(g(t_2) . u + 2 t_2' . u' + t_2 . g(u)),  g of model/primitive/carried.h (C3)
 *
 * t_2 and u are carried vectors too. The places have no mass: the force has no part along the
 * tangent.                                                                                   own
 */
#include "model/path/on_path.h"
#include "model/primitive/carried.h"
#include "model/registry.h"

#include <string.h>

enum { PLACE_2, FRAME_2, PLACE_1, FRAME_1, ENDS, ROWS = 4 };

typedef struct State {
    Carried w2, w1, p, q; // of (1); t_2 and u of (2)
} State;

/* The vector without its first derivative: what comes next. */
static void shift(const TmlVec3 *c, TmlVec3 out[4])
{
    memcpy(out, c + 1, 4 * sizeof *out);
}

static State state_of(const TmlElementIn *in)
{
    const TmlOnPath *d = in->data;
    TmlVec3 c2[TML_PATH_DERIVATIVES + 1], c1[TML_PATH_DERIVATIVES + 1], t2[4], u[4];
    tml_path_derivatives(d->other, in->e[PLACE_2].r.x, TML_PATH_DERIVATIVES, c2);
    tml_path_derivatives(d->path, in->e[PLACE_1].r.x, TML_PATH_DERIVATIVES, c1);
    shift(c2, t2);
    shift(c1, u);
    for (int k = 0; k < 4; ++k) {
        u[k] = v3_cross(u[k], d->normal);
    }
    return (State){.w2 = carried_make(c2, &in->e[FRAME_2], &in->e[PLACE_2]),
                   .w1 = carried_make(c1, &in->e[FRAME_1], &in->e[PLACE_1]),
                   .p = carried_make(t2, &in->e[FRAME_2], &in->e[PLACE_2]),
                   .q = carried_make(u, &in->e[FRAME_1], &in->e[PLACE_1])};
}

static TmlVec3 unit(int k)
{
    return v3(k == 0, k == 1, k == 2);
}

static void path_on_path_residual(const TmlElementIn *in, double *phi)
{
    const State s = state_of(in);
    const TmlVec3 gap = v3_sub(v3_add(in->e[FRAME_2].r, s.w2.w), v3_add(in->e[FRAME_1].r, s.w1.w));
    for (int k = 0; k < 3; ++k) {
        phi[k] = v3_dot(unit(k), gap); // (1)
    }
    phi[3] = v3_dot(s.p.w, s.q.w); // (2)
}

/* row += scale e . (a derivative), at a place and a frame. */
static void add_by(TmlRow *row, int place, int frame, double scale, TmlVec3 e, const CarriedBy *by)
{
    row[place].r.x += scale * v3_dot(e, by->s);
    row[frame].theta = v3_axpy(scale, m3_tmulv(&by->theta, e), row[frame].theta);
}

static void path_on_path_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const State s = state_of(in);
    const CarriedBy w2 = carried_by(&s.w2), w1 = carried_by(&s.w1);
    const CarriedBy p = carried_by(&s.p), q = carried_by(&s.q);
    memset(J, 0, (size_t)(ROWS * ENDS) * sizeof *J);
    for (int k = 0; k < 3; ++k) {
        TmlRow *row = J + (ptrdiff_t)k * ENDS;
        row[FRAME_2].r = unit(k);
        row[FRAME_1].r = v3_neg(unit(k));
        add_by(row, PLACE_2, FRAME_2, 1.0, unit(k), &w2);
        add_by(row, PLACE_1, FRAME_1, -1.0, unit(k), &w1);
    }
    add_by(J + 3 * ENDS, PLACE_2, FRAME_2, 1.0, s.q.w, &p);
    add_by(J + 3 * ENDS, PLACE_1, FRAME_1, 1.0, s.p.w, &q);
}

static void path_on_path_gamma(const TmlElementIn *in, double *gamma)
{
    const State s = state_of(in);
    const TmlVec3 g = v3_sub(carried_second(&s.w1), carried_second(&s.w2));
    for (int k = 0; k < 3; ++k) {
        gamma[k] = v3_dot(unit(k), g);
    }
    gamma[3] = -(v3_dot(carried_second(&s.p), s.q.w) +
                 2.0 * v3_dot(carried_rate(&s.p), carried_rate(&s.q)) +
                 v3_dot(s.p.w, carried_second(&s.q))); // (3)
}

/* K += scale dp^T dq and its transpose, p and q at their places and frames. */
static void add_mixed(double *K, double scale, const CarriedBy *p, const CarriedBy *q)
{
    const TmlVec3 P[4] = {p->s, p->theta.cx, p->theta.cy, p->theta.cz};
    const TmlVec3 Q[4] = {q->s, q->theta.cx, q->theta.cy, q->theta.cz};
    const int n = 6 * ENDS;
    for (int i = 0; i < 4; ++i) {
        const int row = i == 0 ? 6 * PLACE_2 : 6 * FRAME_2 + 2 + i;
        for (int j = 0; j < 4; ++j) {
            const int col = j == 0 ? 6 * PLACE_1 : 6 * FRAME_1 + 2 + j;
            const double x = scale * v3_dot(P[i], Q[j]);
            K[row * n + col] += x;
            K[col * n + row] += x;
        }
    }
}

static void path_on_path_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const State s = state_of(in);
    const TmlVec3 l = v3(lambda[0], lambda[1], lambda[2]);
    const CarriedBy p = carried_by(&s.p), q = carried_by(&s.q);
    const int n = 6 * ENDS, two = 6 * FRAME_2 + 3, one = 6 * FRAME_1 + 3;
    carried_curvature(&s.w2, l, n, 6 * PLACE_2, two, K);
    carried_curvature(&s.w1, v3_neg(l), n, 6 * PLACE_1, one, K);
    carried_curvature(&s.p, v3_scale(lambda[3], s.q.w), n, 6 * PLACE_2, two, K);
    carried_curvature(&s.q, v3_scale(lambda[3], s.p.w), n, 6 * PLACE_1, one, K);
    add_mixed(K, lambda[3], &p, &q);
}

static void path_on_path_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const State s = state_of(in);
    const Carried *w[2] = {&s.w2, &s.w1}, *x[2] = {&s.p, &s.q};
    static const int place[2] = {PLACE_2, PLACE_1}, frame[2] = {FRAME_2, FRAME_1};
    memset(Gm, 0, (size_t)(ROWS * ENDS) * sizeof *Gm);
    memset(Gv, 0, (size_t)(ROWS * ENDS) * sizeof *Gv);
    for (int i = 0; i < 2; ++i) {
        const CarriedBy m = carried_second_by(w[i]), v = carried_second_by_rate(w[i]);
        for (int k = 0; k < 3; ++k) {
            const double sign = i == 0 ? -1.0 : 1.0;
            add_by(Gm + (ptrdiff_t)k * ENDS, place[i], frame[i], sign, unit(k), &m);
            add_by(Gv + (ptrdiff_t)k * ENDS, place[i], frame[i], sign, unit(k), &v);
        }
        // (3) by one of its two factors
        const Carried *a = x[i], *b = x[1 - i];
        const CarriedBy by = carried_by(a), rate = carried_rate_by(a);
        const CarriedBy second = carried_second_by(a), second_rate = carried_second_by_rate(a);
        TmlRow *gm = Gm + 3 * ENDS, *gv = Gv + 3 * ENDS;
        add_by(gm, place[i], frame[i], -1.0, b->w, &second);
        add_by(gm, place[i], frame[i], -2.0, carried_rate(b), &rate);
        add_by(gm, place[i], frame[i], -1.0, carried_second(b), &by);
        add_by(gv, place[i], frame[i], -1.0, b->w, &second_rate);
        add_by(gv, place[i], frame[i], -2.0, carried_rate(b), &by);
    }
}

static const char *const path_on_path_rows[] = {"translation along x", "translation along y",
                                                "translation along z", "tangents"};

static const TmlParam path_on_path_params[] = {
    {"path", TML_PARAM_PATH, TML_ANY, "", offsetof(TmlOnPath, path), NULL,
     "path that the first frame carries: name of an entry of `paths`, or a map with its keys",
     NULL},
    {"second_path", TML_PARAM_PATH, TML_ANY, "", offsetof(TmlOnPath, other), NULL,
     "path that the second frame carries", NULL},
    {"near", TML_PARAM_REALS, TML_ANY, "m", offsetof(TmlOnPath, near_by), "",
     "a point in the axes of the first frame near which they touch at the start", NULL},
    {"second_near", TML_PARAM_REALS, TML_ANY, "m", offsetof(TmlOnPath, second_near), "",
     "the same in the axes of the second frame", NULL},
    {"rate", TML_PARAM_REAL, TML_ANY, "m/s", offsetof(TmlOnPath, rate), "",
     "speed of the contact along the first path at the start", NULL},
    {"second_rate", TML_PARAM_REAL, TML_ANY, "m/s", offsetof(TmlOnPath, second_rate), "",
     "speed of the contact along the second path at the start", NULL},
    {"keep", TML_PARAM_BOOL, TML_ANY, "", offsetof(TmlOnPath, keep), "false",
     "whether assembly keeps the given values of these and moves the bodies instead", NULL},
    {0},
};

static const TmlJointReading path_on_path_reading = {.ends = tml_read_on_path};

TML_CONSTRAINT_TYPE(path_on_path) = {
    .info = {.name = "path_on_path",
             .text = "Two curves in a common plane touch; the x of the frames NAME.s and NAME.s2 "
                     "is the position of the contact.",
             .data_size = sizeof(TmlOnPath),
             .params = path_on_path_params},
    .ends = TML_ENDS_FRAMES,
    .rows = ROWS,
    .row_names = path_on_path_rows,
    .reading = &path_on_path_reading,
    .residual = path_on_path_residual,
    .jacobian = path_on_path_jacobian,
    .gamma = path_on_path_gamma,
    .curvature = path_on_path_curvature,
    .gamma_tangent = path_on_path_gamma_tangent,
};
