/* model/wheel/tyre/tyre.c - forces of a tyre: load by deflection, horizontal forces by springs that slip.
 *
 * In the axes of the contact, with c the centre of the wheel, Q the point on the road, l their distance, `up` from Q to c,
 * s the axle, N the normal:
 *
 *   (Y1)  x = s x N / |s x N|,  y = N x x,  sin(camber) = s . N
 *   (Y2)  l' = (N . v + l (N . s) (up . (w x s))) / (N . up),  deflection rho = R - l
 *   (Y3)  load F_z = f(rho) + c b(rho / damping_depth) rho', not below 0;  b(u) = u^2 (3 - 2 u)
 *   (Y4)  V = v . x,  V_sx = V - R_e w . s,  V_sy = (v + w x (Q - c)) . y,  R_e = R - rolling rho
 *   (Y5)  kappa = -V_sx / V_e,  side = -V_sy / V_e,  V_e = sqrt(V^2 + e^2)
 *
 * The tyre's carcass is a spring in each direction, with the deflection u, a state, and k = C / sigma, C the slip stiffness
 * of the law and sigma its relaxation length:
 *
 *   (Y6)  u' = -V_s - r u,   r = (V_e / psi(slip) - e b_0) / sigma,   b_0 = exp(-(V / V_1)^2)
 *   (Y7)  F = k (u + g u') + (1 - b_0) F_0,   g = h_V / (1 + h_V r),  h_V = h exp(-(V / 1 m/s)^2)
 *
 * In steady rolling u' = 0 gives F = C psi slip + F_0, the law itself. At small slips r = V / sigma, which is the usual relaxation; of
 * a locked or spinning wheel r = k |V_s| / F, which bounds u by what the law can carry, so that no deflection is wound up while the tyre
 * slides; and at rest r = 0 exactly, so that a parked wheel does not creep. h damps the car on its tyres at standstill, and adds
 * nothing where u' = 0. As g r < 1, u + g u' = (1 - g r) u + g r (-V_s / r) lies between the deflection and what the law carries: with h_V
 * itself a tyre that slides while its load goes, and whose r grows without bound, would push with many times its friction. F_0 (ply steer, camber thrust) and the moments fade below V_1. Off the road u decays.
 *
 * Text: docs/theory/tyres.md
 */
#include "model/wheel/tyre/tyre.h"

#include "base/fail.h"
#include "model/measure/law.h"

static const double crawl = 1e-4;      // e of (Y5), m/s
static const double slow = 0.3;        // V_1, m/s
static const double held = 1.0;        // m/s, of (Y7)
static const double loose_time = 0.02; // s, in which u decays off the road

/* The load of (Y3) below which laws are asked with another one: a thousandth of what carries the radius. */
static double small_load(const TmlTyre *p)
{
    double d[2] = {p->stiffness * p->radius, 0.0};
    if (p->load_table != NULL) {
        tml_spline_eval(p->load_table, 0.1 * p->radius, 0, d);
        d[0] *= 10.0;
    }
    return 1e-3 * fmax(d[0], 1.0);
}

/* b(u) = u^2 (3 - 2 u), 0 before and 1 behind. */
static Dual blend(Dual u)
{
    const double x = fmin(fmax(u.x, 0.0), 1.0);
    return d6_function(u, x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x));
}

/* (Y3) */
static Dual load_of(const TmlTyre *p, Dual rho, Dual rate)
{
    double d[2] = {p->stiffness * rho.x, p->stiffness};
    if (p->load_table != NULL) {
        tml_spline_eval(p->load_table, rho.x, 1, d);
    }
    Dual load = d6_function(rho, d[0], d[1]);
    const Dual damped = p->pulls ? d6(1.0) : blend(d6_scale(1.0 / p->damping_depth, rho));
    load = d6_add(load, d6_scale(p->damping, d6_mul(damped, rate)));
    return !p->pulls && (rho.x <= 0.0 || load.x <= 0.0) ? d6(0.0) : load;
}

/* The load that laws are asked with: above `least` everywhere, itself above 2 least. */
static Dual asked_load(Dual load, double least)
{
    const double x = fmax(load.x, 0.0);
    return x >= 2.0 * least ? load
                            : d6_function(load, least + 0.25 * x * x / least, 0.5 * x / least);
}

/* R_e of (Y4) at a deflection that is not below 0. */
static Dual rolling_radius(const TmlTyre *p, Dual pressed)
{
    if (p->effective_depth == 0.0) {
        return d6_linear(p->radius, -p->rolling, pressed);
    }
    const Dual part = d6_scale(1.0 / p->effective_depth, pressed);
    const double inner = p->effective[1] * part.x;
    const Dual turn = d6_function(part, p->effective[0] * atan(inner),
                                  p->effective[0] * p->effective[1] / (1.0 + inner * inner));
    const Dual less = d6_add(turn, d6_scale(p->effective[2], part));
    return d6_linear(p->radius, -p->effective_depth, less);
}

/* What is common to both directions. */
typedef struct Rolling {
    Dual V_e, fade, hold; /* (Y5); 1 - b_0; h_V of (Y7) */
    Dual grip;            /* 1 on the road, 0 off it */
    Dual share;           /* load by the load that the law was asked with */
} Rolling;

/* One direction: (Y6), (Y7). */
typedef struct Spring {
    Dual rate, force;
} Spring;

static Spring spring_of(const Rolling *at, Dual u, Dual V_s, Dual stiffness, Dual psi, Dual sigma,
                        Dual F_0)
{
    Spring out;
    const Dual rest = d6_scale(crawl, d6_linear(1.0, -1.0, at->fade));
    const Dual r = d6_div(d6_sub(d6_div(at->V_e, psi), rest), sigma);
    const Dual loose = d6_scale(1.0 / loose_time, d6_linear(1.0, -1.0, at->grip));
    const Dual R = d6_add(d6_mul(at->grip, r), loose);
    out.rate = d6_neg(d6_add(d6_mul(at->grip, V_s), d6_mul(R, u)));
    const Dual k = d6_mul(at->share, d6_div(stiffness, sigma));
    const Dual g = d6_div(at->hold, d6_linear(1.0, 1.0, d6_mul(at->hold, R)));
    const Dual shown = d6_add(u, d6_mul(g, out.rate));
    out.force = d6_add(d6_mul(k, shown), d6_mul(at->share, d6_mul(at->fade, F_0)));
    return out;
}

static Rolling rolling_of(const TmlTyre *p, Dual V, Dual load, Dual asked, double least)
{
    Rolling at;
    const double b0 = exp(-V.x * V.x / (slow * slow)), b1 = exp(-V.x * V.x / (held * held));
    at.V_e = d6_sqrt(d6_linear(crawl * crawl, 1.0, d6_mul(V, V)));
    at.fade = d6_function(V, 1.0 - b0, 2.0 * V.x / (slow * slow) * b0);
    at.hold =
        d6_function(V, p->hold_damping * b1, -2.0 * V.x / (held * held) * p->hold_damping * b1);
    at.grip = blend(d6_scale(1.0 / least, load));
    at.share = load.x > 0.0 ? d6_div(load, asked) : d6(0.0);
    return at;
}

/* Forces and moments of the law in the axes of the contact, and what is told of them. */
static void slip_forces(const TmlTyre *p, const TmlWheelIn *in, Dual V, Dual V_sx, Dual V_sy,
                        double friction, Dual out[WHEEL_OUT])
{
    const double least = small_load(p);
    const Dual load = out[TYRE_LOAD], asked = asked_load(load, least);
    const Rolling at = rolling_of(p, V, load, asked, least);
    const Dual kappa = d6_neg(d6_div(V_sx, at.V_e)), side = d6_neg(d6_div(V_sy, at.V_e));
    const TmlTyreSlip slip = {.kappa = kappa,
                              .side = side,
                              .camber = out[TYRE_CAMBER],
                              .load = asked,
                              .speed = V,
                              .friction = p->friction * friction};
    TmlTyreSteady law = {0};
    p->law->steady(p, &slip, &law);
    const Spring x = spring_of(&at, in->u[0], V_sx, law.cx, law.psi_x, law.sigma_x, law.fx0);
    const Spring y = spring_of(&at, in->u[1], V_sy, law.cy, law.psi_y, law.sigma_y, law.fy0);
    const Dual steady = d6_mul(at.share, d6_add(law.fy0, d6_mul(d6_mul(law.cy, law.psi_y), side)));
    const Dual behind = d6_mul(law.trail, d6_sub(y.force, steady));
    out[TYRE_FX] = x.force;
    out[TYRE_FY] = y.force;
    out[TYRE_MX] = d6_mul(at.fade, d6_mul(at.share, law.mx));
    out[TYRE_MY] = d6_mul(at.fade, d6_mul(at.share, law.my));
    out[TYRE_MZ] = d6_mul(at.fade, d6_sub(d6_mul(at.share, law.mz), behind));
    out[TYRE_KAPPA] = kappa;
    out[TYRE_ALPHA] = d6_function(side, -atan(side.x), -1.0 / (1.0 + side.x * side.x));
    out[TYRE_RATE_X] = x.rate;
    out[TYRE_RATE_Y] = y.rate;
}

void tml_tyre_eval(const void *data, const TmlWheelIn *in, bool derivatives, Dual out[WHEEL_OUT])
{
    const TmlTyre *p = data;
    TmlTyreTouch touch;
    (void)derivatives;
    for (int k = 0; k < TYRE_OUT; ++k) {
        out[k] = d6(0.0);
    }
    tml_tyre_touch(p, in->c, in->s, &touch);
    const DualVec N = touch.normal, arm = d6v_sub(touch.point, in->c);
    const DualVec x = d6v_unit(d6v_cross(in->s, N), 1e-9, v3(1, 0, 0)), y = d6v_cross(N, x); // (Y1)
    const Dual lean = d6v_dot(in->s, N);
    const double bounded = fmin(fmax(lean.x, -1.0), 1.0);
    out[TYRE_CAMBER] =
        d6_function(lean, asin(bounded), 1.0 / sqrt(fmax(1.0 - bounded * bounded, 1e-12)));
    const Dual tilt = d6v_dot(touch.up, d6v_cross(in->w, in->s));
    const Dual rise = d6_add(d6v_dot(N, in->v), d6_mul(d6_mul(touch.radius, lean), tilt));
    const Dual rate = d6_neg(d6_div(rise, d6v_dot(N, touch.up))); // (Y2)
    out[TYRE_LOAD] = load_of(p, touch.deflection, rate);
    if (p->law != NULL) {
        const Dual V = d6v_dot(in->v, x), spin = d6v_dot(in->w, in->s);
        const Dual pressed = touch.deflection.x > 0.0 ? touch.deflection : d6(0.0);
        const Dual R_e = rolling_radius(p, pressed);
        const Dual V_sx = d6_sub(V, d6_mul(R_e, spin)); // (Y4)
        const Dual V_sy = d6v_dot(d6v_add(in->v, d6v_cross(in->w, arm)), y);
        const double friction = p->road != NULL ? p->road->friction * touch.friction : 1.0;
        slip_forces(p, in, V, V_sx, V_sy, friction, out);
    }
    const DualVec axes[3] = {x, y, N};
    const DualVec F = d6v_sum(axes, (DualVec){out[TYRE_FX], out[TYRE_FY], out[TYRE_LOAD]});
    const DualVec M = d6v_add(d6v_sum(axes, (DualVec){out[TYRE_MX], out[TYRE_MY], out[TYRE_MZ]}),
                              d6v_cross(arm, F));
    const Dual wrench[6] = {F.x, F.y, F.z, M.x, M.y, M.z};
    for (int k = 0; k < 6; ++k) {
        out[k] = wrench[k];
    }
    out[TYRE_DEFLECTION] = touch.deflection;
    out[TYRE_RADIUS] = touch.radius;
    out[TYRE_X] = touch.point.x;
    out[TYRE_Y] = touch.point.y;
    out[TYRE_Z] = touch.point.z;
    const TmlRoadBorder border = tml_road_border(p->road, touch.point.x.x, touch.point.y.x);
    out[TYRE_TO_BORDER] =
        d6_function2(touch.point.x, touch.point.y, border.inside, border.x, border.y);
}

/* --- the table ------------------------------------------------------------------------------- */

static void tyre_place(const void *data, TmlMat33 *R, TmlVec3 *o)
{
    const TmlTyre *p = data;
    *R = p->R;
    *o = p->o;
}

static const TmlWheelModel
    rolling_model = {.n_out = TYRE_OUT, .n_own = 2, .eval = tml_tyre_eval, .place = tyre_place},
    vertical_model = {.n_out = TYRE_OUT, .n_own = 0, .eval = tml_tyre_eval, .place = tyre_place};

static const TmlWheelModel *model_of(const TmlElementIn *in)
{
    return ((const TmlTyre *)in->data)->law != NULL ? &rolling_model : &vertical_model;
}

TmlStatus tml_tyre_check(const void *data, TmlError *err)
{
    const TmlTyre *p = data;
    if (!(p->stiffness > 0.0) && p->load_table == NULL) {
        return tml_fail(err, TML_E_MODEL, "a tyre needs a stiffness (N/m) > 0, or a load_table");
    }
    return TML_OK;
}

TmlStatus tml_tyre_prepare(TmlTyre *p, const TmlTyreLaw *law, const TmlFrameKin *e)
{
    const TmlMat33 axes = p->road != NULL ? p->road->rotation : m3_identity();
    const TmlVec3 origin = p->road != NULL ? p->road->position : v3(0, 0, 0);
    p->law = law;
    p->R = m3_tmul(&e[0].A, &axes);
    p->o = m3_tmulv(&axes, v3_sub(origin, e[0].r));
    return TML_OK;
}

int tml_tyre_n_f(const void *data)
{
    (void)data;
    return 2;
}

void tml_tyre_wrench(const TmlElementIn *in, TmlRow *w)
{
    tml_wheel_wrench(model_of(in), in, w);
}

void tml_tyre_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    tml_wheel_tangent(model_of(in), in, Kq, Kv);
}

void tml_tyre_f_map(const TmlElementIn *in, TmlRow *P)
{
    tml_wheel_f_map(model_of(in), in, P);
}

void tml_tyre_output(const TmlElementIn *in, double *value)
{
    tml_wheel_output(model_of(in), in, value);
}

void tml_tyre_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    tml_wheel_output_tangent(model_of(in), in, Oq, Ov, Of);
}

/* --- the deflections as unknowns and states -------------------------------------------------- */

/* F_k is the state itself. */
static int deflection(TmlLaw *law, const void *data, int k)
{
    (void)data;
    return tml_law_state(law, k);
}

static int deflection_rate(TmlLaw *law, const void *data, int k)
{
    (void)data;
    return tml_law_call(law, "output", k == 0 ? "rate_x" : "rate_y", 1, law->self);
}

static double deflection_size(const void *data)
{
    return 0.05 * ((const TmlTyre *)data)->radius; // about what a tyre gives way before it slides
}

static const TmlForceStop stops[] = {{"to_border", "is at the end of its road"}, {0}};

static bool can_stop(const void *data, int k)
{
    (void)k;
    return tml_road_stops(((const TmlTyre *)data)->road);
}

/* A tyre that pulls never leaves the road: the linear tyre of linear vehicles. */
static bool has_kinks(const void *data)
{
    return !((const TmlTyre *)data)->pulls;
}

const TmlForceLaw tml_tyre_vertical_law = {
    .stops = stops, .can_stop = can_stop, .kinks = has_kinks};

const TmlForceLaw tml_tyre_force_law = {
    .stops = stops,
    .can_stop = can_stop,
    .kinks = has_kinks,
    .f = deflection,
    .n_x = tml_tyre_n_f,
    .x_scale = deflection_size,
    .x = deflection_rate,
};

const TmlOutput tml_tyre_outputs[] = {
    {"load", "N", "force along the normal of the road"},
    {"fx", "N", "force along the wheel, on the wheel"},
    {"fy", "N", "force to the left of the wheel"},
    {"mx", "N m", "moment about the axis x of the contact"},
    {"my", "N m", "moment about the axis y of the contact: rolling resistance"},
    {"mz", "N m", "moment about the normal: aligning torque"},
    {"kappa", "", "longitudinal slip, above 0 when driving"},
    {"alpha", "rad", "slip angle, above 0 when the wheel moves to the left"},
    {"camber", "rad", "above 0 when the top leans to the right"},
    {"deflection", "m", "radius less the distance of the centre; below 0 off the road"},
    {"radius", "m", "distance of the centre from the contact"},
    {"x", "m", "of the contact, in the axes of the road"},
    {"y", "m", "of the contact, in the axes of the road"},
    {"z", "m", "of the contact, in the axes of the road"},
    {"rate_x", "m/s", "rate of the tyre's longitudinal deflection"},
    {"rate_y", "m/s", "rate of the tyre's lateral deflection"},
    {"to_border", "m",
     "way from the contact to the border of the road; at 0 the run ends; 1e6 without a border"},
    {0},
};
