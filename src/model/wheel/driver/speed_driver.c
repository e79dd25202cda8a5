/* model/wheel/driver/speed_driver.c - a driver who keeps a speed.
 *
 * With z up, s the axis to the left, v the velocity of the driver's place, V* the speed that is wanted:
 *
 *   (V7)  V = v . f,  f = s x z / |s x z|;  error e = V* - V
 *   (V8)  a_0 = gain e + x,  a = a_0 bounded smoothly between -brake and drive
 *   (V9)  x' = gain integral e + 2 gain (a - a_0)
 *   (V10) force = mass a
 *
 * The last term of (V9) keeps the integral from running away while a is at its bound. Who reads the output `force` puts it on the
 * wheels: a torque of force times radius, shared as wanted.
 */
#include "base/fail.h"
#include "model/measure/law.h"
#include "model/registry.h"
#include "model/wheel/wheel_pair.h"

typedef struct SpeedDriver {
    TmlBinding *speed;
    double mass, gain, integral, drive, brake;
    TmlMat33 R; /* by prepare: global axes in those of the first end */
} SpeedDriver;

enum { SPEED_FORCE = 6, SPEED_ERROR, SPEED_ACCELERATION, SPEED_SPEED, SPEED_RATE, SPEED_OUT };
enum { OWN_WANTED, OWN_INTEGRAL, OWN };

/* Between -low and high: the same up to 0.9 of them, smooth in its slope beyond. */
static Dual between(Dual a, double low, double high)
{
    const double most = a.x < 0.0 ? low : high, from = 0.9 * most, width = most - from;
    const double size = fabs(a.x);
    if (size <= from) {
        return a;
    }
    const double over = (size - from) / width, turned = atan(over * M_PI / 2.0) * 2.0 / M_PI;
    const double slope = 1.0 / (1.0 + over * over * M_PI * M_PI / 4.0);
    return d6_function(a, copysign(from + width * turned, a.x), slope);
}

static void speed_eval(const void *data, const TmlWheelIn *in, bool derivatives,
                       Dual out[WHEEL_OUT])
{
    const SpeedDriver *p = data;
    (void)derivatives;
    for (int k = 0; k < SPEED_OUT; ++k) {
        out[k] = d6(0.0);
    }
    const DualVec up = d6v(v3(0, 0, 1));
    const DualVec f = d6v_unit(d6v_cross(in->s, up), 1e-9, v3(1, 0, 0));
    const Dual V = d6v_dot(in->v, f), e = d6_sub(in->u[OWN_WANTED], V); // (V7)
    const Dual free = d6_add(d6_scale(p->gain, e), in->u[OWN_INTEGRAL]);
    const Dual a = between(free, p->brake, p->drive); // (V8)
    out[SPEED_FORCE] = d6_scale(p->mass, a);
    out[SPEED_ERROR] = e;
    out[SPEED_ACCELERATION] = a;
    out[SPEED_SPEED] = V;
    out[SPEED_RATE] = d6_add(d6_scale(p->gain * p->integral, e),
                             d6_scale(2.0 * p->gain, d6_sub(a, free))); // (V9)
}

static void speed_place(const void *data, TmlMat33 *R, TmlVec3 *o)
{
    *R = ((const SpeedDriver *)data)->R;
    *o = v3(0, 0, 0);
}

static const TmlWheelModel speed_model = {
    .n_out = SPEED_OUT, .n_own = OWN, .eval = speed_eval, .place = speed_place};

static TmlStatus speed_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    ((SpeedDriver *)data)->R = m3_tmul(&e[0].A, &(TmlMat33){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    return TML_OK;
}

static int speed_unknowns(const void *data)
{
    (void)data;
    return OWN;
}

static const TmlBinding *speed_binding(const void *data, int k)
{
    return k == OWN_WANTED ? ((const SpeedDriver *)data)->speed : NULL;
}

static void speed_wrench(const TmlElementIn *in, TmlRow *w)
{
    (void)in;
    w[0] = w[1] = (TmlRow){0};
}

static void speed_f_map(const TmlElementIn *in, TmlRow *P)
{
    for (int k = 0; k < 2 * speed_unknowns(in->data); ++k) {
        P[k] = (TmlRow){0};
    }
}

static void speed_output(const TmlElementIn *in, double *value)
{
    tml_wheel_output(&speed_model, in, value);
}

static void speed_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    tml_wheel_output_tangent(&speed_model, in, Oq, Ov, Of);
}

static int integral_itself(TmlLaw *law, const void *data, int k)
{
    (void)data, (void)k;
    return tml_law_state(law, 0);
}

static int integral_rate(TmlLaw *law, const void *data, int k)
{
    (void)data, (void)k;
    return tml_law_call(law, "output", "rate", 1, law->self);
}

static int one_state(const void *data)
{
    (void)data;
    return 1;
}

static double integral_size(const void *data)
{
    const SpeedDriver *p = data;
    return fmin(p->drive, p->brake);
}

static const TmlForceLaw speed_law = {
    .f = integral_itself, .n_x = one_state, .x_scale = integral_size, .x = integral_rate};

static const TmlParam speed_params[] = {
    {"speed", TML_PARAM_EXPR, TML_ANY, "m/s", offsetof(SpeedDriver, speed), NULL,
     "speed that is wanted: a number or an expression, of the time for example", NULL},
    {"mass", TML_PARAM_REAL, TML_POSITIVE, "kg", offsetof(SpeedDriver, mass), NULL,
     "mass of the car, which makes a force of an acceleration", NULL},
    {"gain", TML_PARAM_REAL, TML_POSITIVE, "1/s", offsetof(SpeedDriver, gain), "1",
     "acceleration by the error of the speed", NULL},
    {"integral", TML_PARAM_REAL, TML_NONNEGATIVE, "1/s", offsetof(SpeedDriver, integral), "0.3",
     "rate at which what the error leaves is taken out; 0: never", NULL},
    {"drive", TML_PARAM_REAL, TML_POSITIVE, "m/s^2", offsetof(SpeedDriver, drive), "3",
     "largest acceleration", NULL},
    {"brake", TML_PARAM_REAL, TML_POSITIVE, "m/s^2", offsetof(SpeedDriver, brake), "6",
     "largest deceleration", NULL},
    {0},
};

static const TmlOutput speed_outputs[] = {
    {"force", "N", "force that the wheels shall exert, above 0 forward"},
    {"error", "m/s", "speed that is wanted less the speed"},
    {"acceleration", "m/s^2", "force by mass"},
    {"speed", "m/s", "of the driver's place, forward"},
    {"rate", "m/s^3", "rate of the integral"},
    {0},
};

TML_FORCE_TYPE(speed_driver) = {
    .info = {.name = "speed_driver",
             .text = "Driver who keeps a speed; it tells the force that is needed and exerts none.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, speed: 20, mass: 1500",
             .data_size = sizeof(SpeedDriver),
             .params = speed_params,
             .outputs = speed_outputs},
    .ends = TML_ENDS_FRAMES,
    .n_f = speed_unknowns,
    .f_binding = speed_binding,
    .law = &speed_law,
    .prepare = speed_prepare,
    .wrench = speed_wrench,
    .f_map = speed_f_map,
    .output = speed_output,
    .output_tangent = speed_output_tangent,
};
