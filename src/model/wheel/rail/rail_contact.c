/* model/wheel/rail/rail_contact.c - a rigid wheel that touches a rigid rail, as a joint.
 *
 * In axes of the track's start c is the middle of the tape circle and a the axle, x = (c, a) both together. Their rates are
 * those of (W1) of wheel_pair.h. The five numbers of the wheel's place in the axes of its rail (rail_touch.h) follow by the
 * station u, with o the rail's origin and e_k an axis of the rail there:
 *
 *   (G1)  F = (c - r) . r' = 0,  D = r' . r' - (c - r) . r'',  u_i = r'_i / D,
 *         u_ij = (r''_i u_j + r''_j u_i + ((c - r) . r''' - 3 r' . r'') u_i u_j) / D
 *   (G2)  p_k = e_k . (c - o), or e_k . a:  p_k,i = e_k,i + p_k' u_i,
 *         p_k,ij = p_k'' u_i u_j + e'_k,i u_j + e'_k,j u_i + p_k' u_ij,  ' by u alone
 *
 * g is the distance of wheel and rail at the contact, which is followed from step to step, n the normal of the rail there, q the point of the wheel from the middle of the
 * tape circle. Where g is least it changes with the place as if the points on both surfaces stayed:
 *
 *   (G3)  dg = n . dc + (q x n) . dphi,  by the axle: (q x n) x a / (a . a), as q x n has no part along it
 *   (G4)  phi = g = 0,  g_i = g_k p_k,i,  g_ij = g_kl p_k,i p_l,j + g_k p_k,ij
 *
 * n and q carry their exact derivatives by the place, which makes g_kl. With G_c = A g_c, G_a = A g_a, z the axle, d = r_1 - r_0,
 * all in global axes, and v, w of (W1) there:
 *
 *   (G5)  J: by r_1 G_c, by theta_1 z x G_a, by r_0 -G_c, by theta_0 -(d x G_c + z x G_a)
 *   (G6)  gamma = -(G_c . c'' + G_a . a'' + x'^T g_xx x'),
 *         c'' = -omega_0 x (v_1 - v_0) - omega_0 x v,  a'' = w x (omega_1 x z) - omega_0 x (w x z)
 *
 * The derivative of gamma by the motions needs x'^T g_xxx x', third derivatives of profiles, which jump at the points of a
 * spline: that part is a central difference of g_xx x' along x'. All else is exact. Methods use it for matrices only.
 * Text: docs/theory/rails.md
 */
#include "base/fail.h"
#include "model/read/read.h"
#include "model/registry.h"
#include "model/wheel/rail/rail_wheel.h"

#include <math.h>
#include <string.h>

enum { X = 6, NM = 12 };

/* --- the place of the wheel, twice differentiated ------------------------------------------------ */

typedef struct Place {
    double v[RAIL_PLACE], g[RAIL_PLACE][X], h[RAIL_PLACE][X][X];
} Place;

/* An axis of the rail and the origin of its profile, each with two derivatives by the station. */
typedef struct Line {
    TmlVec3 axis[3][3], origin[3];
} Line;

/* The station with its derivatives by c. */
typedef struct Station {
    double g[3], h[3][3];
} Station;

static double entry(TmlVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static Station station_of(TmlVec3 c, const TmlTrackPoint *p, const TmlTrackBend *b)
{
    const TmlVec3 d = v3_sub(c, p->r);
    const double D = v3_dot(p->dr, p->dr) - v3_dot(d, p->ddr);
    const double bend = v3_dot(d, b->dddr) - 3.0 * v3_dot(p->dr, p->ddr);
    Station o;
    for (int i = 0; i < 3; ++i) {
        o.g[i] = entry(p->dr, i) / D; // (G1)
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            o.h[i][j] =
                (entry(p->ddr, i) * o.g[j] + entry(p->ddr, j) * o.g[i] + bend * o.g[i] * o.g[j]) /
                D;
        }
    }
    return o;
}

static Line line_of(const TmlRailWheel *p, double u, const TmlTrackPoint *at, const TmlTrackBend *b)
{
    const double out = p->side == 0 ? 1.0 : -1.0;
    double Y[3], Z[3];
    tml_track_fault(p->track, p->side, u, Y, Z);
    Y[0] += out * p->rail_y;
    Z[0] += p->rail_z;
    const TmlVec3 y[3] = {at->A.cy, at->dA.cy, b->ddA.cy}, z[3] = {at->A.cz, at->dA.cz, b->ddA.cz};
    Line o = {.origin = {at->r, at->dr, at->ddr}};
    const TmlVec3 x[3] = {at->A.cx, at->dA.cx, b->ddA.cx};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i <= k; ++i) { // Leibniz
            const double times = k == 2 && i == 1 ? 2.0 : 1.0;
            o.origin[k] = v3_axpy(times * Y[i], y[k - i], o.origin[k]);
            o.origin[k] = v3_axpy(times * Z[i], z[k - i], o.origin[k]);
        }
        o.axis[0][k] = x[k];
        o.axis[1][k] = v3_scale(out, y[k]);
        o.axis[2][k] = z[k];
    }
    return o;
}

/* (G2) for one number; along[k]: its derivatives by the station alone, by: the axis that it is a component along, and its
 * derivative; first: of x. */
static void place_derivatives(const Station *u, const double along[3], const TmlVec3 by[2],
                              int first, double *g, double (*h)[X])
{
    double ug[X] = {u->g[0], u->g[1], u->g[2]}, own[X] = {0}, own1[X] = {0};
    for (int i = 0; i < 3; ++i) {
        own[first + i] = entry(by[0], i);
        own1[first + i] = entry(by[1], i);
    }
    for (int i = 0; i < X; ++i) {
        g[i] = own[i] + along[1] * ug[i];
        for (int j = 0; j < X; ++j) {
            const double bent = i < 3 && j < 3 ? u->h[i][j] : 0.0;
            h[i][j] =
                along[2] * ug[i] * ug[j] + own1[i] * ug[j] + own1[j] * ug[i] + along[1] * bent;
        }
    }
}

static void place_of(const TmlRailWheel *p, TmlVec3 c, TmlVec3 a, Place *o)
{
    const double u = tml_track_station(p->track, c), out = p->side == 0 ? 1.0 : -1.0;
    TmlTrackPoint at;
    TmlTrackBend bend;
    tml_track_at(p->track, u, &at);
    tml_track_bend(p->track, u, &bend);
    const Station s = station_of(c, &at, &bend);
    const Line l = line_of(p, u, &at, &bend);
    const TmlVec3 d = v3_sub(c, l.origin[0]);
    for (int k = 0; k < 2; ++k) {
        const TmlVec3 *e = l.axis[1 + k];
        const double along[3] = {v3_dot(e[0], d), v3_dot(e[1], d) - v3_dot(e[0], l.origin[1]),
                                 v3_dot(e[2], d) - 2.0 * v3_dot(e[1], l.origin[1]) -
                                     v3_dot(e[0], l.origin[2])};
        o->v[RAIL_CY + k] = along[0];
        place_derivatives(&s, along, e, 0, o->g[RAIL_CY + k], o->h[RAIL_CY + k]);
    }
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 e[3] = {v3_scale(out, l.axis[k][0]), v3_scale(out, l.axis[k][1]),
                              v3_scale(out, l.axis[k][2])};
        const double along[3] = {v3_dot(e[0], a), v3_dot(e[1], a), v3_dot(e[2], a)};
        o->v[RAIL_EX + k] = along[0];
        place_derivatives(&s, along, e, 3, o->g[RAIL_EX + k], o->h[RAIL_EX + k]);
    }
}

/* --- the distance of wheel and rail -------------------------------------------------------------- */

typedef struct Gap {
    double x, g[X], h[X][X];
} Gap;

/* (G3): the derivatives of the distance by the place, each with its own. */
static void gap_by_place(const TmlRailTouch *t, const double place[RAIL_PLACE], Dual by[RAIL_PLACE])
{
    Dual x[RAIL_PLACE];
    for (int k = 0; k < RAIL_PLACE; ++k) {
        x[k] = d6(place[k]);
        x[k].g[k] = 1.0;
    }
    const DualVec n = {d6(0.0), t->ny, t->nz}, e = {x[RAIL_EX], x[RAIL_EY], x[RAIL_EZ]};
    const DualVec q = {t->x, d6_sub(t->y, x[RAIL_CY]), d6_sub(t->z, x[RAIL_CZ])};
    const DualVec turned = d6v_cross(d6v_cross(q, n), e);
    const DualVec axle = d6v_scale(d6_div(d6(1.0), d6v_dot(e, e)), turned);
    const Dual all[RAIL_PLACE] = {t->ny, t->nz, axle.x, axle.y, axle.z};
    memcpy(by, all, sizeof all);
}

/* (G4). The distance of a wheel beside its rail is R exp(z/R - 1), with z the height of its middle over the rail: of the size of R, upwards,
 * and never zero, so that no iteration takes a wheel beside its rail for one that touches. */
static void gap_of(const TmlRailWheel *p, TmlVec3 c, TmlVec3 a, double from, Gap *o)
{
    Place place;
    TmlRailTouch touch;
    Dual by[RAIL_PLACE] = {0};
    place_of(p, c, a, &place);
    memset(o, 0, sizeof *o);
    if (tml_rail_near(&p->pair, place.v, from, &touch)) {
        o->x = -touch.depth.x;
        gap_by_place(&touch, place.v, by);
    } else {
        const double R = p->radius, grown = exp(place.v[RAIL_CZ] / R - 1.0);
        o->x = R * grown;
        by[RAIL_CZ] = d6(grown);
        by[RAIL_CZ].g[RAIL_CZ] = grown / R;
    }
    for (int i = 0; i < X; ++i) {
        for (int k = 0; k < RAIL_PLACE; ++k) {
            o->g[i] += by[k].x * place.g[k][i];
        }
        for (int j = 0; j < X; ++j) {
            for (int k = 0; k < RAIL_PLACE; ++k) {
                double bent = 0.0;
                for (int l = 0; l < RAIL_PLACE; ++l) {
                    bent += by[k].g[l] * place.g[l][j];
                }
                o->h[i][j] += bent * place.g[k][i] + by[k].x * place.h[k][i][j];
            }
        }
    }
}

/* --- rows ----------------------------------------------------------------------------------------- */

/* What all rows are made of, in global axes. */
typedef struct View {
    TmlMat33 A;
    TmlVec3 d, z, Gc, Ga;
    Gap gap;
} View;

static View view_of(const TmlElementIn *in)
{
    const TmlRailWheel *p = in->data;
    const TmlFrameKin *i = &in->e[0], *j = &in->e[1];
    View o = {.A = m3_mul(&i->A, &p->R), .d = v3_sub(j->r, i->r), .z = j->A.cz};
    gap_of(p, v3_sub(m3_tmulv(&o.A, o.d), p->o), m3_tmulv(&o.A, o.z), tml_rail_memory(in->memory),
           &o.gap);
    o.Gc = m3_mulv(&o.A, v3(o.gap.g[0], o.gap.g[1], o.gap.g[2]));
    o.Ga = m3_mulv(&o.A, v3(o.gap.g[3], o.gap.g[4], o.gap.g[5]));
    return o;
}

static void rail_contact_residual(const TmlElementIn *in, double *phi)
{
    phi[0] = view_of(in).gap.x;
}

static void rail_contact_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const View o = view_of(in);
    const TmlVec3 turn = v3_cross(o.z, o.Ga);
    J[0] = (TmlRow){v3_neg(o.Gc), v3_neg(v3_add(v3_cross(o.d, o.Gc), turn))}; // (G5)
    J[1] = (TmlRow){o.Gc, turn};
}

/* x of both, in axes of the track, from c and a in global ones. */
static void put_x(const View *o, TmlVec3 c, TmlVec3 a, double x[X])
{
    const TmlVec3 both[2] = {m3_tmulv(&o->A, c), m3_tmulv(&o->A, a)};
    for (int k = 0; k < X; ++k) {
        x[k] = entry(both[k / 3], k % 3);
    }
}

/* Velocities and, without those of the ends, accelerations of c and of the axle, in global axes. */
typedef struct Motion {
    TmlVec3 v, turned, c2, a2, dv, w;
} Motion;

static Motion motion_of(const TmlElementIn *in, const View *o)
{
    const TmlVec3 w0 = in->e[0].omega, w1 = in->e[1].omega;
    Motion m = {.dv = v3_sub(in->e[1].v, in->e[0].v), .w = v3_sub(w1, w0)};
    m.v = v3_sub(m.dv, v3_cross(w0, o->d));
    m.turned = v3_cross(m.w, o->z);
    m.c2 = v3_neg(v3_add(v3_cross(w0, m.dv), v3_cross(w0, m.v))); // (G6)
    m.a2 = v3_sub(v3_cross(m.w, v3_cross(w1, o->z)), v3_cross(w0, m.turned));
    return m;
}

/* The second derivatives of the distance times a variation of x. */
static void times_second(const Gap *gap, const double x[X], double out[X])
{
    for (int k = 0; k < X; ++k) {
        out[k] = 0.0;
        for (int l = 0; l < X; ++l) {
            out[k] += gap->h[k][l] * x[l];
        }
    }
}

static double dot(const double a[X], const double b[X])
{
    double sum = 0.0;
    for (int k = 0; k < X; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

static void rail_contact_gamma(const TmlElementIn *in, double *gamma)
{
    const View o = view_of(in);
    const Motion m = motion_of(in, &o);
    double rate[X], bent[X];
    put_x(&o, m.v, m.turned, rate);
    times_second(&o.gap, rate, bent);
    gamma[0] = -(v3_dot(o.Gc, m.c2) + v3_dot(o.Ga, m.a2) + dot(rate, bent)); // (G6)
}

static double *component(TmlRow *rows, int k)
{
    TmlVec3 *v = k % 6 < 3 ? &rows[k / 6].r : &rows[k / 6].theta;
    return k % 3 == 0 ? &v->x : k % 3 == 1 ? &v->y : &v->z;
}

/* The derivative of (G5) along a motion of both ends. */
static void jacobian_along(const View *o, const TmlRow m[2], TmlRow out[2])
{
    const TmlVec3 dd = v3_sub(m[1].r, m[0].r), dz = v3_cross(m[1].theta, o->z);
    const TmlVec3 turn = v3_sub(m[1].theta, m[0].theta);
    double x[X], g[X];
    put_x(o, v3_sub(dd, v3_cross(m[0].theta, o->d)), v3_cross(turn, o->z), x);
    times_second(&o->gap, x, g);
    const TmlVec3 Gc = v3_add(m3_mulv(&o->A, v3(g[0], g[1], g[2])), v3_cross(m[0].theta, o->Gc));
    const TmlVec3 Ga = v3_add(m3_mulv(&o->A, v3(g[3], g[4], g[5])), v3_cross(m[0].theta, o->Ga));
    const TmlVec3 turned = v3_add(v3_cross(dz, o->Ga), v3_cross(o->z, Ga));
    const TmlVec3 arm = v3_add(v3_cross(dd, o->Gc), v3_cross(o->d, Gc));
    out[0] = (TmlRow){v3_neg(Gc), v3_neg(v3_add(arm, turned))};
    out[1] = (TmlRow){Gc, turned};
}

static void rail_contact_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const View o = view_of(in);
    for (int col = 0; col < NM; ++col) {
        TmlRow m[2] = {0}, column[2];
        *component(m, col) = 1.0;
        jacobian_along(&o, m, column);
        for (int row = 0; row < NM; ++row) {
            K[row * NM + col] += lambda[0] * *component(column, row);
        }
    }
}

/* x'^T g_xxx x': as third derivatives are symmetric, the change of g_xx x' along x'. */
static void third_of(const TmlElementIn *in, const View *o, const double rate[X], double out[X])
{
    static const double small = 1e-6; // m and rad: a step over which profiles hardly bend
    const TmlRailWheel *p = in->data;
    const double size = sqrt(dot(rate, rate)), h = size > 0.0 ? small / size : 0.0;
    double ahead[X], behind[X];
    memset(out, 0, X * sizeof *out);
    if (!(size > 0.0)) {
        return;
    }
    const TmlVec3 c = v3_sub(m3_tmulv(&o->A, o->d), p->o), a = m3_tmulv(&o->A, o->z);
    const double from = tml_rail_memory(in->memory);
    const TmlVec3 by_c = v3(rate[0], rate[1], rate[2]), by_a = v3(rate[3], rate[4], rate[5]);
    Gap gap;
    gap_of(p, v3_axpy(h, by_c, c), v3_axpy(h, by_a, a), from, &gap);
    times_second(&gap, rate, ahead);
    gap_of(p, v3_axpy(-h, by_c, c), v3_axpy(-h, by_a, a), from, &gap);
    times_second(&gap, rate, behind);
    for (int k = 0; k < X; ++k) {
        out[k] = (ahead[k] - behind[k]) / (2.0 * h);
    }
}

/* What does not depend on the direction of a variation. */
typedef struct Base {
    const View *o;
    Motion m;
    TmlVec3 w0, w1;
    double rate[X], bent[X], third[X], second[X];
} Base;

/* The derivative of gamma along a variation of d and z with the axes turned by turn, and of v and so on: D has those in
 * global axes. */
static double gamma_along(const Base *b, TmlVec3 turn, const double x[X], const Motion *D)
{
    double rate[X], second[X], g[X];
    put_x(b->o, v3_sub(D->v, v3_cross(turn, b->m.v)),
          v3_sub(D->turned, v3_cross(turn, b->m.turned)), rate);
    put_x(b->o, v3_sub(D->c2, v3_cross(turn, b->m.c2)), v3_sub(D->a2, v3_cross(turn, b->m.a2)),
          second);
    times_second(&b->o->gap, x, g);
    return -(dot(g, b->second) + dot(b->o->gap.g, second) + dot(b->third, x) +
             2.0 * dot(b->bent, rate));
}

static double gamma_by_motion(const Base *b, const TmlRow m[2])
{
    const View *o = b->o;
    const TmlVec3 dd = v3_sub(m[1].r, m[0].r), dz = v3_cross(m[1].theta, o->z);
    const TmlVec3 turn = m[0].theta, about = v3_sub(m[1].theta, turn);
    double x[X];
    put_x(o, v3_sub(dd, v3_cross(turn, o->d)), v3_cross(about, o->z), x);
    Motion D = {.v = v3_neg(v3_cross(b->w0, dd)), .turned = v3_cross(b->m.w, dz)};
    D.c2 = v3_neg(v3_cross(b->w0, D.v));
    D.a2 = v3_sub(v3_cross(b->m.w, v3_cross(b->w1, dz)), v3_cross(b->w0, D.turned));
    return gamma_along(b, turn, x, &D);
}

static double gamma_by_twist(const Base *b, const TmlRow m[2])
{
    const View *o = b->o;
    const TmlVec3 dw0 = m[0].theta, dw = v3_sub(m[1].theta, dw0), ddv = v3_sub(m[1].r, m[0].r);
    const double none[X] = {0};
    Motion D = {.v = v3_sub(ddv, v3_cross(dw0, o->d)), .turned = v3_cross(dw, o->z)};
    D.c2 = v3_neg(v3_add(v3_add(v3_cross(dw0, b->m.dv), v3_cross(b->w0, ddv)),
                         v3_add(v3_cross(dw0, b->m.v), v3_cross(b->w0, D.v))));
    D.a2 =
        v3_add(v3_cross(dw, v3_cross(b->w1, o->z)), v3_cross(b->m.w, v3_cross(m[1].theta, o->z)));
    D.a2 = v3_sub(D.a2, v3_add(v3_cross(dw0, b->m.turned), v3_cross(b->w0, D.turned)));
    return gamma_along(b, v3(0, 0, 0), none, &D);
}

static void rail_contact_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const View o = view_of(in);
    Base b = {.o = &o, .m = motion_of(in, &o), .w0 = in->e[0].omega, .w1 = in->e[1].omega};
    put_x(&o, b.m.v, b.m.turned, b.rate);
    put_x(&o, b.m.c2, b.m.a2, b.second);
    times_second(&o.gap, b.rate, b.bent);
    third_of(in, &o, b.rate, b.third);
    for (int col = 0; col < NM; ++col) {
        TmlRow m[2] = {0};
        *component(m, col) = 1.0;
        *component(Gm, col) = gamma_by_motion(&b, m);
        *component(Gv, col) = gamma_by_twist(&b, m);
    }
}

/* --- the table ------------------------------------------------------------------------------------ */

static TmlStatus rail_contact_check(const void *data, TmlError *err)
{
    return tml_rail_has_profile(data, err);
}

static TmlStatus rail_contact_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends;
    return tml_rail_seat(data, e, err);
}

static const TmlJointReading rail_contact_reading = {.on_rail = true};

static const char *const rail_contact_rows[] = {"contact of wheel and rail"};

static const TmlParam rail_contact_params[] = {RAIL_SEAT_PARAMS, {0}};

TML_CONSTRAINT_TYPE(rail_contact) = {
    .info = {.name = "rail_contact",
             .text = "A rigid wheel touches a rigid rail at one place; its axle is z of the second "
                     "frame. The force `rail_creep` adds the creep forces.",
             .example = "bodies: [ground, rod], at: [0, 0.75, 0.46], axis: y, track: line, "
                        "side: left, profile: S1002, radius: 0.46",
             .data_size = sizeof(TmlRailWheel),
             .params = rail_contact_params},
    .ends = TML_ENDS_FRAMES,
    .rows = 1,
    .n_memory = 1,
    .row_names = rail_contact_rows,
    .reading = &rail_contact_reading,
    .check = rail_contact_check,
    .prepare = rail_contact_prepare,
    .residual = rail_contact_residual,
    .jacobian = rail_contact_jacobian,
    .gamma = rail_contact_gamma,
    .curvature = rail_contact_curvature,
    .gamma_tangent = rail_contact_gamma_tangent,
    .commit = tml_rail_commit,
};
