/* model/wheel/rail/rail_force.c - the force of a rail on a wheel, over all contacts.
 *
 * At a contact x points forward, t along the profile, n up from the rail; r is its point of the wheel from the middle
 * of the tape circle, v and w motion of the wheel there.
 *
 *   (R1)  v_c = v + w x r,  V = v_x - v_cx / 2,  S = sqrt(V^2 + slow^2)
 *   (R2)  xi = v_cx / S,  eta = v_c . t / S,  phi = (w . n) V / S^2
 *   (R3)  k_y taken as (k_y + sqrt(k_y^2 + 4 k_0^2)) / 2,  k_0 = 1 / flattest
 *   (R4)  N = weight E* c(k_x, k_y) d^(3/2) max(0, 1 + damping d'),  d' = -(v_c - v_x (0, slope)) . n
 *   (R5)  F = N n + F_x x + F_y t,  M = r x F + M_z n V / S
 *   (R6)  rigid surfaces: N is the force f of a constraint, N = f . n, sqrt(d) = (N / (E* c))^(1/3) in the half axes; (R5) without N n
 *
 * V is the mean of the speed of the axle and that of the circumference. Backwards the leading edge is the other
 * one, which turns the signs of spin round: the factor V / S. c and the half axes are those of Hertz.
 * Derivatives are by whatever the place and the motion carry theirs by.
 */
#include "model/wheel/rail/rail_force.h"
#include "model/contact/law/elliptic.h"

#include <math.h>

typedef struct Ellipse {
    Dual load, a, b; /* load without damping */
} Ellipse;

/* load: that of a constraint, NULL: by the depth. */
static Ellipse ellipse_of(const TmlRailLaw *law, const TmlRailTouch *c, const Dual *load)
{
    const double k0 = 1.0 / law->flattest;
    const Dual root = d6_sqrt(d6_linear(4.0 * k0 * k0, 1.0, d6_mul(c->ky, c->ky)));
    const Dual ky = d6_scale(0.5, d6_add(c->ky, root)); // (R3)
    const TmlEllipse e = tml_hertz_ellipse(c->kx.x, ky.x);
    const Dual stiffness =
        d6_function2(c->kx, ky, e.stiffness, e.stiffness_by[0], e.stiffness_by[1]);
    Dual root_d = d6_sqrt(c->depth);
    if (load != NULL) { // (R6)
        const Dual cube = d6_div(*load, d6_scale(law->modulus, stiffness));
        const double third = cbrt(cube.x);
        root_d = d6_function(cube, third, 1.0 / (3.0 * third * third));
    }
    const Dual a = d6_function2(c->kx, ky, e.semi[0], e.semi_by[0][0], e.semi_by[0][1]);
    const Dual b = d6_function2(c->kx, ky, e.semi[1], e.semi_by[1][0], e.semi_by[1][1]);
    return (Ellipse){
        .load = d6_scale(law->modulus,
                         d6_mul(c->weight, d6_mul(stiffness, d6_mul(c->depth, root_d)))), // (R4)
        .a = d6_mul(a, root_d),
        .b = d6_mul(b, root_d),
    };
}

static TmlCreepOut given_forces(const TmlRailLaw *law, const TmlCreepIn *in)
{
    const double *f = law->coefficient;
    return (TmlCreepOut){
        .fx = d6_scale(-f[0], in->xi),
        .fy = d6_sub(d6_scale(-f[1], in->eta), d6_scale(f[2], in->phi)),
        .mz = d6_sub(d6_scale(f[2], in->eta), d6_scale(f[3], in->phi)),
    };
}

/* The creep forces of numbers with derivatives by others: those by the six inputs, chained. */
static TmlCreepOut creep_forces(const TmlRailLaw *law, const TmlCreepIn *in, bool derivatives)
{
    if (law->given) {
        return given_forces(law, in);
    }
    return tml_creep(&law->creep, in, derivatives);
}

/* Forces of one contact; sum[6] gets force and moment. load: as above, above 0. */
static void contact_forces(const TmlRailLaw *law, const TmlRailMotion *m, bool derivatives,
                           const Dual *load, TmlRailContact *o, Dual *sum)
{
    const TmlRailTouch *p = &o->touch;
    const Dual *c = &m->place[RAIL_CY];
    const DualVec v = m->velocity, w = m->omega;
    const Dual zero = d6(0.0), one = d6(1.0);
    const DualVec r = {p->x, d6_sub(p->y, c[0]), d6_sub(p->z, c[1])};
    const DualVec x = {one, zero, zero}, t = {zero, p->nz, d6_neg(p->ny)}, n = {zero, p->ny, p->nz};
    const DualVec vc = d6v_add(v, d6v_cross(w, r)); // (R1)
    const Dual V = d6_sub(v.x, d6_scale(0.5, vc.x));
    const Dual S2 = d6_linear(law->slow * law->slow, 1.0, d6_mul(V, V)), S = d6_sqrt(S2);
    const Ellipse e = ellipse_of(law, p, load);
    const DualVec over = {zero, d6_mul(m->slope[0], v.x), d6_mul(m->slope[1], v.x)};
    const Dual closing = d6_neg(d6v_dot(d6v_sub(vc, over), n));
    const Dual factor = d6_linear(1.0, law->damping, closing);
    o->normal = load != NULL ? *load : factor.x > 0.0 ? d6_mul(e.load, factor) : zero;
    const TmlCreepIn in = {.xi = d6_div(vc.x, S), // (R2)
                           .eta = d6_div(d6v_dot(vc, t), S),
                           .phi = d6_div(d6_mul(d6v_dot(w, n), V), S2),
                           .load = o->normal,
                           .a = e.a,
                           .b = e.b};
    const TmlCreepOut f =
        o->normal.x > 0.0 ? creep_forces(law, &in, derivatives) : (TmlCreepOut){0};
    o->fx = f.fx, o->fy = f.fy, o->mz = f.mz;
    o->xi = in.xi, o->eta = in.eta, o->phi = in.phi, o->a = in.a, o->b = in.b;
    const DualVec normal = d6v_scale(load != NULL ? zero : o->normal, n);
    const DualVec F = d6v_axpy(f.fy, t, d6v_axpy(f.fx, x, normal)); // (R5)
    const DualVec M = d6v_axpy(d6_mul(f.mz, d6_div(V, S)), n, d6v_cross(r, F));
    const Dual *add[6] = {&F.x, &F.y, &F.z, &M.x, &M.y, &M.z};
    for (int k = 0; k < 6; ++k) {
        sum[k] = d6_add(sum[k], *add[k]);
    }
}

/* A number with derivatives by the place, as one with those that the place itself has. */
static Dual chained(Dual a, const Dual place[RAIL_PLACE])
{
    Dual o = d6(a.x);
    for (int k = 0; k < RAIL_PLACE; ++k) {
        for (int j = 0; j < DUAL_VARIABLES; ++j) {
            o.g[j] += a.g[k] * place[k].g[j];
        }
    }
    return o;
}

static TmlRailTouch chained_touch(const TmlRailTouch *p, const Dual place[RAIL_PLACE])
{
    return (TmlRailTouch){.depth = chained(p->depth, place),
                          .weight = chained(p->weight, place),
                          .x = chained(p->x, place),
                          .y = chained(p->y, place),
                          .z = chained(p->z, place),
                          .ny = chained(p->ny, place),
                          .nz = chained(p->nz, place),
                          .kx = chained(p->kx, place),
                          .ky = chained(p->ky, place),
                          .wheel = chained(p->wheel, place),
                          .rail = chained(p->rail, place),
                          .radius = chained(p->radius, place)};
}

int tml_rail_force(const TmlRailPair *pair, const TmlRailLaw *law, const TmlRailMotion *m,
                   bool derivatives, Dual sum[6], TmlRailContact contact[RAIL_TOUCHES])
{
    TmlRailTouch touch[RAIL_TOUCHES];
    double place[RAIL_PLACE];
    for (int k = 0; k < RAIL_PLACE; ++k) {
        place[k] = m->place[k].x;
    }
    for (int k = 0; k < 6; ++k) {
        sum[k] = d6(0.0);
    }
    const int n = tml_rail_touches(pair, place, 0.0, touch);
    for (int i = 0; i < n; ++i) {
        TmlRailContact one = {.touch = chained_touch(&touch[i], m->place)};
        contact_forces(law, m, derivatives, NULL, &one, sum);
        if (contact != NULL) {
            contact[i] = one;
        }
    }
    return n;
}

/* Contacts that are nearer to each other than this, m, along the profile count as one place: points of measured
 * profiles are rounded, which makes several minima of one. */
static const double one_place = 3e-3;

/* How much farther from the rail the nearest other place is; below 0: it is nearer. */
static Dual second_place(const TmlRailPair *pair, const TmlRailMotion *m, const double *place,
                         const TmlRailTouch *first)
{
    static const double reach = 0.01; // m: farther ones do not matter
    TmlRailTouch touch[RAIL_TOUCHES];
    const int n = tml_rail_touches(pair, place, reach, touch);
    Dual apart = d6(1.0);
    for (int k = 0; k < n; ++k) {
        const TmlRailTouch here = chained_touch(&touch[k], m->place);
        const Dual more = d6_sub(first->depth, here.depth);
        if (fabs(here.wheel.x - first->wheel.x) > one_place && more.x < apart.x) {
            apart = more;
        }
    }
    return apart;
}

int tml_rail_force_bound(const TmlRailPair *pair, const TmlRailLaw *law, const TmlRailMotion *m,
                         bool derivatives, TmlRailBound *bound, Dual sum[6],
                         TmlRailContact contact[RAIL_TOUCHES])
{
    TmlRailTouch touch;
    double place[RAIL_PLACE];
    for (int k = 0; k < RAIL_PLACE; ++k) {
        place[k] = m->place[k].x;
    }
    for (int k = 0; k < 6; ++k) {
        sum[k] = d6(0.0);
    }
    bound->bearing = d6(0.0);
    bound->apart = d6(1.0);
    if (!tml_rail_near(pair, place, bound->from, &touch)) {
        return -1;
    }
    TmlRailContact *one = &contact[0];
    *one = (TmlRailContact){.touch = chained_touch(&touch, m->place)};
    const TmlRailTouch *t = &one->touch;
    bound->apart = second_place(pair, m, place, t);
    bound->bearing = d6_add(d6_mul(bound->load.y, t->ny), d6_mul(bound->load.z, t->nz)); // (R6)
    if (!(bound->bearing.x > 0.0)) {
        return 0;
    }
    contact_forces(law, m, derivatives, &bound->bearing, one, sum);
    return 1;
}
