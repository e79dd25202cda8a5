/* model/wheel/rail/rail_wheel.c - a wheel on a rail as a force.
 *
 * c is the middle of the tape circle, s the axle (to the left), v and w the motion, all in the axes of the track's
 * start, with their derivatives (wheel_pair.h).
 *
 *   (V1)  station: (c - r) . r' = 0,  d(station) = r' . dc / (r' . r' - (c - r) . r'')
 *   (V2)  origin of the rail: q = r + A (0, Y, Z),  Y = o rail_y + fault_y,  Z = rail_z + fault_z,  o = 1 left, -1 right
 *   (V3)  axes of the rail: x, o y, z of the track; those of the right rail are left-handed, so that rotations and
 *         moments get the factor o as well
 *   (V4)  slope of the rail: (o (Y' - twist Z), Z' + twist Y) by the way along x
 *
 * Forces: rail_force.c. Text: docs/theory/rails.md
 */
#include "model/wheel/rail/rail_wheel.h"

#include "model/measure/law.h"
#include "model/model.h"
#include "model/registry.h"

#include <math.h>

/* Choices of `creep` behind those of TmlCreepTheory. */
enum { CREEP_GIVEN = 5, PATCHES = 3 };

/* Values behind the wrench. */
enum {
    OUT_STATION = 6,
    OUT_Y,
    OUT_Z,
    OUT_YAW,
    OUT_VERTICAL,
    OUT_LATERAL,
    OUT_LONGITUDINAL,
    OUT_RATIO,
    OUT_WEAR,
    OUT_CONTACTS,
    OUT_RADIUS,
    OUT_HOLD,
    OUT_TO_END,
    OUT_BEARING,
    OUT_APART,
    OUT_PATCH
};
enum {
    PATCH_LOAD,
    PATCH_FX,
    PATCH_FY,
    PATCH_MZ,
    PATCH_XI,
    PATCH_ETA,
    PATCH_PHI,
    PATCH_A,
    PATCH_B,
    PATCH_DEPTH,
    PATCH_PRESSURE,
    PATCH_X,
    PATCH_Y,
    PATCH_Z,
    PATCH_ANGLE,
    PATCH_SIZE
};
enum { OUT_COUNT = OUT_PATCH + PATCHES * PATCH_SIZE };
_Static_assert(OUT_COUNT <= (int)WHEEL_OUT, "all values of a wheel have a place");

/* --- where the wheel is -------------------------------------------------------------------------- */

static DualVec along(TmlVec3 value, TmlVec3 rate, Dual s)
{
    return (DualVec){d6_function(s, value.x, rate.x), d6_function(s, value.y, rate.y),
                     d6_function(s, value.z, rate.z)};
}

/* (V1); p: the track there. */
static Dual station_of(const TmlTrack *track, DualVec c, TmlTrackPoint *p)
{
    Dual s = d6(tml_track_station(track, d6v_value(c)));
    tml_track_at(track, s.x, p);
    const double by = v3_dot(p->dr, p->dr) - v3_dot(v3_sub(d6v_value(c), p->r), p->ddr);
    for (int k = 0; k < DUAL_VARIABLES; ++k) {
        s.g[k] = v3_dot(p->dr, d6v_rate(&c, k)) / by;
    }
    return s;
}

void tml_rail_view(const TmlRailWheel *p, const TmlWheelIn *in, TmlRailView *o)
{
    TmlTrackPoint at;
    double fy[3], fz[3];
    const Dual s = station_of(p->track, in->c, &at);
    o->station = s;
    o->out = p->side == 0 ? 1.0 : -1.0;
    tml_track_fault(p->track, p->side, s.x, fy, fz);
    const DualVec x = along(at.A.cx, at.dA.cx, s), y = along(at.A.cy, at.dA.cy, s);
    const DualVec z = along(at.A.cz, at.dA.cz, s);
    const Dual Y = d6_function(s, o->out * p->rail_y + fy[0], fy[1]);
    const Dual Z = d6_function(s, p->rail_z + fz[0], fz[1]);
    o->axes[0] = x;
    o->axes[1] = d6v_times(o->out, y); // (V3)
    o->axes[2] = z;
    o->origin = d6v_axpy(Z, z, d6v_axpy(Y, y, along(at.r, at.dr, s))); // (V2)
    const DualVec d = d6v_along(o->axes, d6v_sub(in->c, o->origin));
    const DualVec e = d6v_times(o->out, d6v_along(o->axes, in->s));
    o->motion.place[RAIL_CY] = d.y;
    o->motion.place[RAIL_CZ] = d.z;
    o->motion.place[RAIL_EX] = e.x;
    o->motion.place[RAIL_EY] = e.y;
    o->motion.place[RAIL_EZ] = e.z;
    o->motion.velocity = d6v_along(o->axes, in->v);
    o->motion.omega = d6v_times(o->out, d6v_along(o->axes, in->w)); // (V3)
    const Dual twist = d6_function(s, at.twist, at.twist_rate);
    o->motion.slope[0] =
        d6_scale(o->out, d6_sub(d6_function(s, fy[1], fy[2]), d6_mul(twist, Z))); // (V4)
    o->motion.slope[1] = d6_add(d6_function(s, fz[1], fz[2]), d6_mul(twist, Y));
}

/* --- forces and what is told of them ------------------------------------------------------------- */

static void patch_values(const TmlRailWheel *p, const TmlRailView *view, const TmlRailContact *c,
                         Dual out[PATCH_SIZE])
{
    const TmlRailTouch *t = &c->touch;
    const Dual area = d6_mul(c->a, c->b);
    out[PATCH_LOAD] = c->normal;
    out[PATCH_FX] = c->fx;
    out[PATCH_FY] = c->fy;
    out[PATCH_MZ] = c->mz;
    out[PATCH_XI] = c->xi;
    out[PATCH_ETA] = c->eta;
    out[PATCH_PHI] = c->phi;
    out[PATCH_A] = c->a;
    out[PATCH_B] = c->b;
    out[PATCH_DEPTH] = t->depth;
    out[PATCH_PRESSURE] = area.x > 0.0 ? d6_scale(1.5 / M_PI, d6_div(c->normal, area)) : d6(0.0);
    out[PATCH_X] = t->x;
    out[PATCH_Y] = d6_scale(view->out, d6_linear(p->rail_y, 1.0, t->y));
    out[PATCH_Z] = d6_linear(p->rail_z, 1.0, t->z);
    const double q = t->ny.x * t->ny.x + t->nz.x * t->nz.x;
    out[PATCH_ANGLE] =
        d6_function2(t->ny, t->nz, atan2(-t->ny.x, t->nz.x), -t->nz.x / q, t->ny.x / q);
}

static Dual magnitude(Dual a)
{
    return a.x < 0.0 ? d6_neg(a) : a;
}

/* Sums over all contacts, n of them. */
static void total_values(const TmlRailView *view, int n, const TmlRailContact *c, const Dual sum[6],
                         Dual out[WHEEL_OUT])
{
    Dual load = d6(0.0), radius = d6(0.0);
    for (int k = 0; k < n; ++k) {
        load = d6_add(load, c[k].normal);
        radius = d6_add(radius, d6_mul(c[k].normal, c[k].touch.radius));
        const Dual work = d6_add(d6_mul(c[k].fx, c[k].xi), d6_mul(c[k].fy, c[k].eta));
        out[OUT_WEAR] = d6_add(out[OUT_WEAR], magnitude(d6_add(work, d6_mul(c[k].mz, c[k].phi))));
    }
    out[OUT_RADIUS] = load.x > 0.0 ? d6_div(radius, load) : d6(0.0);
    out[OUT_VERTICAL] = sum[2];
    out[OUT_LATERAL] = d6_neg(sum[1]);
    out[OUT_LONGITUDINAL] = sum[0];
    // Y/Q, which stays finite where the load vanishes: below 1 N it fades
    const Dual q2 = d6_linear(1.0, 1.0, d6_mul(sum[2], sum[2]));
    out[OUT_RATIO] = d6_div(d6_mul(out[OUT_LATERAL], sum[2]), q2);
    out[OUT_CONTACTS] = d6(n > 0 ? n : 0);
    const Dual *e = &view->motion.place[RAIL_EX];
    const Dual ex = d6_scale(-view->out, e[0]);
    const double h = e[1].x * e[1].x + ex.x * ex.x;
    out[OUT_YAW] = d6_function2(ex, e[1], atan2(ex.x, e[1].x), e[1].x / h, -ex.x / h);
}

double tml_rail_memory(const double *memory)
{
    return memory != NULL && memory[0] > 0.0 ? memory[0] - 1.0 : -1.0;
}

/* Creep forces with the load of a constraint. */
static int bound_forces(const TmlRailWheel *p, const TmlWheelIn *in, const TmlRailView *view,
                        bool derivatives, Dual sum[6], TmlRailContact contact[RAIL_TOUCHES],
                        Dual out[WHEEL_OUT])
{
    const DualVec axes[3] = {d6v(p->R.cx), d6v(p->R.cy), d6v(p->R.cz)};
    const DualVec reaction = {in->u[0], in->u[1], in->u[2]};
    TmlRailBound bound = {.load = d6v_along(view->axes, d6v_along(axes, reaction)),
                          .from = tml_rail_memory(in->memory)};
    const int n =
        tml_rail_force_bound(&p->pair, &p->law, &view->motion, derivatives, &bound, sum, contact);
    out[OUT_BEARING] = bound.bearing;
    out[OUT_APART] = bound.apart;
    return n;
}

static void rail_wheel_eval(const void *data, const TmlWheelIn *in, bool derivatives,
                            Dual out[WHEEL_OUT])
{
    const TmlRailWheel *p = data;
    TmlRailView view;
    TmlRailContact contact[RAIL_TOUCHES];
    Dual sum[6];
    for (int k = 0; k < OUT_COUNT; ++k) {
        out[k] = d6(0.0);
    }
    tml_rail_view(p, in, &view);
    out[OUT_APART] = d6(1.0);
    const int n = p->bound
                      ? bound_forces(p, in, &view, derivatives, sum, contact, out)
                      : tml_rail_force(&p->pair, &p->law, &view.motion, derivatives, sum, contact);
    const DualVec F = d6v_sum(view.axes, (DualVec){sum[0], sum[1], sum[2]});
    const DualVec M = d6v_times(view.out, d6v_sum(view.axes, (DualVec){sum[3], sum[4], sum[5]}));
    const Dual wrench[6] = {F.x, F.y, F.z, M.x, M.y, M.z};
    for (int k = 0; k < 6; ++k) {
        out[k] = wrench[k];
    }
    out[OUT_STATION] = view.station;
    out[OUT_Y] = d6_scale(view.out, d6_linear(p->rail_y, 1.0, view.motion.place[RAIL_CY]));
    out[OUT_Z] = d6_linear(p->rail_z, 1.0, view.motion.place[RAIL_CZ]);
    out[OUT_HOLD] = tml_rail_hold(&p->pair, view.motion.place);
    const Dual left = d6_linear(p->track->length, -1.0, view.station);
    out[OUT_TO_END] = !p->track->ends ? d6(1e9) : left.x < view.station.x ? left : view.station;
    if (p->bound && n > 0) { // the force of the constraint is told, too
        sum[1] = d6_add(sum[1], d6_mul(contact[0].normal, contact[0].touch.ny));
        sum[2] = d6_add(sum[2], d6_mul(contact[0].normal, contact[0].touch.nz));
    }
    total_values(&view, n, contact, sum, out);
    for (int k = 0; k < n && k < PATCHES; ++k) { // counted from the outside
        patch_values(p, &view, &contact[n - 1 - k], out + OUT_PATCH + k * PATCH_SIZE);
    }
}

/* --- the table -------------------------------------------------------------------------------------- */

static void rail_wheel_place(const void *data, TmlMat33 *R, TmlVec3 *o)
{
    const TmlRailWheel *p = data;
    *R = p->R;
    *o = p->o;
}

static const TmlWheelModel rail_model = {
    .n_out = OUT_COUNT, .n_own = 0, .eval = rail_wheel_eval, .place = rail_wheel_place};
static const TmlWheelModel bound_model = {
    .n_out = OUT_COUNT, .n_own = 3, .eval = rail_wheel_eval, .place = rail_wheel_place};

static const TmlWheelModel *model_of(const TmlElementIn *in)
{
    return ((const TmlRailWheel *)in->data)->bound ? &bound_model : &rail_model;
}

TmlStatus tml_rail_has_profile(const TmlRailWheel *p, TmlError *err)
{
    return p->rail != NULL || p->track->rail != NULL
               ? TML_OK
               : tml_fail(err, TML_E_MODEL,
                          "no profile of the rail: give `rail` here or in track '%s'",
                          p->track->name);
}

TmlStatus tml_rail_wheel_check(const void *data, TmlError *err)
{
    const TmlRailWheel *p = data;
    if (p->creep == CREEP_GIVEN && p->coefficients.n != 4) {
        return tml_fail(err, TML_E_MODEL,
                        "creep: coefficients needs `coefficients`: [f11, f22, f23, f33] in N, N, N "
                        "m, N m^2");
    }
    if (p->creep != CREEP_GIVEN && p->coefficients.n > 0) {
        return tml_fail(err, TML_E_MODEL, "`coefficients` needs creep: coefficients");
    }
    if (!p->bound) {
        TML_TRY(tml_rail_has_profile(p, err));
    }
    if (p->cells < 2 || p->cells > 200) {
        return tml_fail(err, TML_E_MODEL, "cells must be from 2 to 200, got %d", p->cells);
    }
    if (p->poisson > 0.5 || (!isnan(p->rail_poisson) && p->rail_poisson > 0.5)) {
        return tml_fail(err, TML_E_MODEL, "Poisson's ratio must not be above 0.5");
    }
    return TML_OK;
}

/* The combined elastic constants of two bodies. */
static void prepare_law(TmlRailWheel *p)
{
    const double E[2] = {p->young, isnan(p->rail_young) ? p->young : p->rail_young};
    const double nu[2] = {p->poisson, isnan(p->rail_poisson) ? p->poisson : p->rail_poisson};
    const double G[2] = {0.5 * E[0] / (1.0 + nu[0]), 0.5 * E[1] / (1.0 + nu[1])};
    const double G_c = 2.0 / (1.0 / G[0] + 1.0 / G[1]);
    p->law =
        (TmlRailLaw){.creep = {.theory = (TmlCreepTheory)p->creep,
                               .shear = G_c,
                               .friction = p->friction,
                               .adhesion_factor = p->adhesion_factor,
                               .slip_factor = p->slip_factor,
                               .cells = p->cells},
                     .modulus = 1.0 / ((1.0 - nu[0] * nu[0]) / E[0] + (1.0 - nu[1] * nu[1]) / E[1]),
                     .damping = p->damping,
                     .flattest = p->flattest,
                     .slow = p->slow,
                     .given = p->creep == CREEP_GIVEN};
    if (p->creep == TML_CREEP_TABLE) {
        tml_creep_table_fill(p->track->creep);
        p->law.creep.table = p->track->creep;
    }
    for (int k = 0; k < p->coefficients.n; ++k) {
        p->law.coefficient[k] = p->coefficients.value[k];
    }
    // nu by G as Kalker combines them
    tml_kalker_prepare(G_c * 0.5 * (nu[0] / G[0] + nu[1] / G[1]), &p->law.creep.kalker);
}

TmlStatus tml_rail_place(const TmlTrack *track, const TmlRailProfile *rail, double *y, double *z,
                         TmlError *err)
{
    const double length = tml_rail_profile_length(rail);
    enum { SCAN = 4000 };
    double at[3][2], top = -HUGE_VAL, top_s = 0.0;
    for (int k = 0; k <= SCAN; ++k) {
        tml_rail_profile_at(rail, length * k / SCAN, at);
        if (at[0][1] > top) {
            top = at[0][1], top_s = length * k / SCAN;
        }
    }
    *z = -top;
    *y = 0.5 * track->rail_base;
    if (!isnan(track->rail_base)) {
        return TML_OK;
    }
    double low = 0.0, high = top_s; // the inner face, from its lower end to the top
    tml_rail_profile_at(rail, 0.0, at);
    if (at[0][1] > top - track->depth) {
        return tml_fail(err, TML_E_MODEL,
                        "the profile of the rail ends %.4g mm below its top on the inner side, but "
                        "the gauge is measured %.4g mm below it: give `rail_base` of the track, "
                        "the distance of "
                        "the origins of both profiles, instead",
                        1e3 * (top - at[0][1]), 1e3 * track->depth);
    }
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        tml_rail_profile_at(rail, middle, at);
        *(at[0][1] < top - track->depth ? &low : &high) = middle;
    }
    *y = 0.5 * track->gauge - at[0][0];
    return TML_OK;
}

/* The flange hangs down on the inside. */
static TmlStatus check_flange(const TmlRailProfile *wheel, TmlError *err)
{
    static const double least = 0.012; // m: what is lower than this is no flange
    double low = 0.0, low_y = 0.0, high = 0.0;
    for (int k = 0; k < wheel->n; ++k) {
        if (wheel->z[k] < low) {
            low = wheel->z[k], low_y = wheel->y[k];
        }
        high = fmax(high, wheel->z[k]);
    }
    if (high > least && high > -low) {
        return tml_fail(err, TML_E_MODEL,
                        "the flange of the wheel's profile points up (%.1f mm): give `z: down` "
                        "where z of its points goes down",
                        1e3 * high);
    }
    if (low < -least && low_y > 0.0) {
        return tml_fail(err, TML_E_MODEL,
                        "the flange of the wheel's profile is on the outside (y = %.1f mm): give "
                        "`y: inward` where y of its points goes to the middle of the track",
                        1e3 * low_y);
    }
    return TML_OK;
}

TmlStatus tml_rail_seat(TmlRailWheel *p, const TmlFrameKin *e, TmlError *err)
{
    const TmlRailProfile *rail = p->rail != NULL ? p->rail : p->track->rail;
    TML_TRY(check_flange(p->profile, err));
    tml_rail_pair_prepare(p->profile, rail, p->radius, &p->pair);
    TML_TRY(tml_rail_place(p->track, rail, &p->rail_y, &p->rail_z, err));
    p->R = m3_tmul(&e[0].A, &p->track->rotation);
    p->o = m3_tmulv(&p->track->rotation, v3_sub(p->track->position, e[0].r));
    const TmlMat33 *T = &p->track->rotation;
    const TmlWheelIn in = {.c = d6v(m3_tmulv(T, v3_sub(e[1].r, p->track->position))),
                           .s = d6v(m3_tmulv(T, e[1].A.cz))};
    TmlRailView view;
    tml_rail_view(p, &in, &view);
    if (view.motion.place[RAIL_EY].x < 0.5) {
        return tml_fail(err, TML_E_MODEL,
                        "the axle must point to the left of the track at the start (give `axis: y` "
                        "for a track along x)");
    }
    if (!(tml_rail_hold(&p->pair, view.motion.place).x > 0.0)) {
        return tml_fail(
            err, TML_E_MODEL,
            "the wheel is not on its rail at the start: its tape circle is %.1f mm outward of the "
            "origin of the %s rail's profile and %.1f mm above the rail's top (radius %.1f mm)",
            1e3 * view.motion.place[RAIL_CY].x, p->side == 0 ? "left" : "right",
            1e3 * (view.motion.place[RAIL_CZ].x - p->pair.top - p->radius), 1e3 * p->radius);
    }
    if (p->track->ends && !(view.station.x >= 0.0 && view.station.x <= p->track->length)) {
        return tml_fail(err, TML_E_MODEL,
                        "the wheel is beyond the ends of track '%s' at the start: its station is "
                        "%.6g m, the track is %.6g m long",
                        p->track->name, view.station.x, p->track->length);
    }
    return TML_OK;
}

TmlStatus tml_rail_wheel_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends;
    prepare_law(data);
    return tml_rail_seat(data, e, err);
}

void tml_rail_commit(const TmlElementIn *in, double *memory)
{
    const TmlRailWheel *p = in->data;
    const TmlMat33 A = m3_mul(&in->e[0].A, &p->R);
    const TmlVec3 d = v3_sub(in->e[1].r, in->e[0].r);
    const TmlWheelIn at = {.c = d6v(v3_sub(m3_tmulv(&A, d), p->o)),
                           .s = d6v(m3_tmulv(&A, in->e[1].A.cz))};
    TmlRailView view;
    TmlRailTouch touch;
    double place[RAIL_PLACE];
    tml_rail_view(p, &at, &view);
    for (int k = 0; k < RAIL_PLACE; ++k) {
        place[k] = view.motion.place[k].x;
    }
    if (tml_rail_near(&p->pair, place, tml_rail_memory(in->memory), &touch)) {
        memory[0] = 1.0 + touch.wheel.x;
    }
}

void tml_rail_wheel_wrench(const TmlElementIn *in, TmlRow *w)
{
    tml_wheel_wrench(model_of(in), in, w);
}

void tml_rail_wheel_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    tml_wheel_tangent(model_of(in), in, Kq, Kv);
}

void tml_rail_wheel_f_map(const TmlElementIn *in, TmlRow *P)
{
    tml_wheel_f_map(model_of(in), in, P);
}

void tml_rail_wheel_output(const TmlElementIn *in, double *value)
{
    tml_wheel_output(model_of(in), in, value);
}

void tml_rail_wheel_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    tml_wheel_output_tangent(model_of(in), in, Oq, Ov, Of);
}

#define PARAM(member) offsetof(TmlRailWheel, member)
static const TmlParam rail_wheel_params[] = {
    RAIL_SEAT_PARAMS,
    RAIL_CREEP_PARAMS,
    {"damping", TML_PARAM_REAL, TML_NONNEGATIVE, "s/m", PARAM(damping), "0.1",
     "the normal force grows by this part for each m/s of approach", NULL},
    RAIL_SLOW_PARAMS,
    {0},
};

#define PATCH_OUTPUTS(n)                                                                           \
    {"load" n, "N", "normal force of patch " n ", counted from the outside of the rail"},          \
        {"fx" n, "N", "creep force on the wheel, forward"},                                        \
        {"fy" n, "N", "creep force on the wheel, along the profile outward"},                      \
        {"mz" n, "N m", "spin moment on the wheel"}, {"xi" n, "", "longitudinal creepage"},        \
        {"eta" n, "", "lateral creepage, along the profile outward"},                              \
        {"phi" n, "1/m", "spin creepage"}, {"a" n, "m", "half axis along the rail"},               \
        {"b" n, "m", "half axis across"}, {"depth" n, "m", "elastic approach"},                    \
        {"pressure" n, "Pa", "largest pressure"},                                                  \
        {"x" n, "m", "of the contact, ahead of the axle"},                                         \
        {"y" n, "m", "of the contact, to the left of the middle of the track"},                    \
        {"z" n, "m", "of the contact, above the tops of the rails"},                               \
    {                                                                                              \
        "angle" n, "rad", "contact angle, above 0 towards the inside"                              \
    }

const TmlOutput tml_rail_wheel_outputs[] = {
    {"station", "m", "way along the track"},
    {"y", "m", "of the wheel's centre, to the left of the middle of the track"},
    {"z", "m", "of the wheel's centre, above the tops of the rails"},
    {"yaw", "rad", "of the axle against the track"},
    {"vertical", "N", "Q: force along z of the track, up on the wheel"},
    {"lateral", "N", "Y: force of the wheel on its rail, outward"},
    {"longitudinal", "N", "force on the wheel, forward"},
    {"ratio", "", "Y/Q"},
    {"wear", "N", "wear number, energy by way: sum of forces times creepages"},
    {"contacts", "", "number of contacts"},
    {"radius", "m", "rolling radius: of the contacts, weighted with their loads"},
    {"hold", "m", "how far the wheel is from leaving its rail; at 0 the run ends"},
    {"to_end", "m", "way to the end of the track; at 0 the run ends"},
    {"bearing", "N", "rail_creep: load of the contact by constraint; at 0 the run ends"},
    {"apart", "m", "rail_creep: distance at a second place; at 0 the run ends; 1 without one"},
    PATCH_OUTPUTS("1"),
    PATCH_OUTPUTS("2"),
    PATCH_OUTPUTS("3"),
    {0},
};

const TmlForceStop tml_rail_wheel_stops[] = {
    {"hold", "has lost its rail"},
    {"to_end", "is at the end of the track"},
    {"bearing", "lifts off its rail, which a contact by constraint cannot"},
    {"apart", "touches its rail at a second place; a contact by constraint has one"},
    {0},
};

/* The last two are for contacts by constraint. */
static bool rail_wheel_can_stop(const void *data, int k)
{
    (void)data;
    return k < 2;
}

static const TmlForceLaw rail_wheel_law = {
    .stops = tml_rail_wheel_stops, .can_stop = rail_wheel_can_stop, .on_rail = true};

const TmlRailWheel *tml_rail_wheel_of(const TmlForce *force)
{
    const TmlForceLaw *law = force->type->law;
    return law != NULL && law->on_rail ? force->data : NULL;
}

TML_FORCE_TYPE(rail_wheel) = {
    .info = {.name = "rail_wheel",
             .text = "Wheel on a rail: contacts by profiles, normal and creep forces.",
             .example = "bodies: [ground, rod], at: [0, 0.75, 0.46], axis: y, track: line, "
                        "side: left, profile: S1002, radius: 0.46",
             .data_size = sizeof(TmlRailWheel),
             .params = rail_wheel_params,
             .outputs = tml_rail_wheel_outputs},
    .ends = TML_ENDS_FRAMES,
    .law = &rail_wheel_law,
    .check = tml_rail_wheel_check,
    .prepare = tml_rail_wheel_prepare,
    .wrench = tml_rail_wheel_wrench,
    .tangent = tml_rail_wheel_tangent,
    .output = tml_rail_wheel_output,
    .output_tangent = tml_rail_wheel_output_tangent,
};
