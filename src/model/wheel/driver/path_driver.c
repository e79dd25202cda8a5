/* model/wheel/driver/path_driver.c - a driver who steers along a path by looking ahead.
 *
 * In axes of the body that carries the path, with z up: r the driver's place on the car (the middle of the rear axle), s the axis to the left,
 * v the velocity of the place, p(u) the path, u its parameter, ' the derivative by u:
 *
 *   (V1)  forward f = s x z / |s x z|,  left l = z x f,  V = v . f
 *   (V2)  foot of r on the path: (r - p) . p' = 0.  Its rate is  u' = (v . p' + 5/s (r - p) . p') / (p' . p' - (r - p) . p'')
 *   (V3)  looks ahead by  L = sqrt(least^2 + (preview V)^2),  at the target  q = p(u + L / |p'|)
 *   (V4)  curvature of the circle that leaves r along f and goes through q:  2 sin(eta) / |q - r|,  sin(eta) = l . (q - r) / |q - r|
 *   (V5)  angle of the front wheels  d = gain atan(wheelbase 2 sin(eta) / |q - r|),  bounded smoothly at +-limit
 *   (V6)  delay d_1' = (d - d_1) / delay
 *
 * (V4) is pure pursuit (Coulter 1992): it has no error on straight lines, and cuts corners by about L^2 / (8 radius). The place on the
 * path is a state that follows (V2), so that nothing is searched for during the motion, and where a path crosses itself the driver goes on
 * along it. The second term of (V2) takes out what the integration leaves, in 0.2 s.
 */
#include "base/fail.h"
#include "model/measure/law.h"
#include "model/path/path.h"
#include "model/registry.h"
#include "model/wheel/wheel_pair.h"

typedef struct PathDriver {
    const TmlPath *path;
    double wheelbase, preview, least, gain, limit, delay;
    int ends;
    /* by prepare */
    TmlMat33 R; /* axes of the path in those of the first end */
    TmlVec3 o;  /* its origin from that of the first end */
    double start;
} PathDriver;

enum {
    DRIVER_STEER = 6,
    DRIVER_DEVIATION,
    DRIVER_HEADING,
    DRIVER_STATION,
    DRIVER_AHEAD,
    DRIVER_TO_END,
    DRIVER_RATE_STATION,
    DRIVER_RATE_STEER,
    DRIVER_OUT
};

enum { GOES_ON, STOPS };

static const double catch_up = 5.0; // 1/s, of (V2)
static const double no_end = 1e6;   // to_end of closed paths

/* A point of the path and its derivatives at a parameter that moves; d[order] are constants. */
static DualVec point_at(const TmlVec3 *d, int k, Dual u)
{
    return (DualVec){d6_function(u, d[k].x, d[k + 1].x), d6_function(u, d[k].y, d[k + 1].y),
                     d6_function(u, d[k].z, d[k + 1].z)};
}

/* Between -most and most: the same up to 0.9 of it, smooth in its slope beyond. */
static Dual bounded(Dual a, double most)
{
    const double from = 0.9 * most, size = fabs(a.x), width = most - from;
    if (size <= from) {
        return a;
    }
    const double over = (size - from) / width, turned = atan(over * M_PI / 2.0) * 2.0 / M_PI;
    const double slope = 1.0 / (1.0 + over * over * M_PI * M_PI / 4.0);
    return d6_function(a, copysign(from + width * turned, a.x), slope);
}

/* (V3) to (V5) */
static Dual wanted_angle(const PathDriver *p, DualVec r, DualVec f, DualVec left, Dual u,
                         Dual speed, Dual V)
{
    TmlVec3 d[TML_PATH_DERIVATIVES + 1];
    const Dual way = d6_scale(p->preview, V);
    const Dual ahead = d6_sqrt(d6_linear(p->least * p->least, 1.0, d6_mul(way, way)));
    const Dual at = d6_add(u, d6_div(ahead, speed));
    tml_path_at(p->path, at.x, d);
    const DualVec to = d6v_sub(point_at(d, 0, at), r);
    const Dual x = d6v_dot(f, to), y = d6v_dot(left, to); // heights do not count
    const Dual size2 =
        d6_linear(1e-6 * p->least * p->least, 1.0, d6_add(d6_mul(x, x), d6_mul(y, y)));
    const Dual curve = d6_scale(2.0 * p->wheelbase, d6_div(y, size2));
    const Dual angle =
        d6_function(curve, p->gain * atan(curve.x), p->gain / (1.0 + curve.x * curve.x));
    return bounded(angle, p->limit);
}

static void driver_eval(const void *data, const TmlWheelIn *in, bool derivatives,
                        Dual out[WHEEL_OUT])
{
    const PathDriver *p = data;
    TmlVec3 d[TML_PATH_DERIVATIVES + 1];
    (void)derivatives;
    for (int k = 0; k < DRIVER_OUT; ++k) {
        out[k] = d6(0.0);
    }
    const DualVec up = d6v(v3(0, 0, 1));
    const DualVec f = d6v_unit(d6v_cross(in->s, up), 1e-9, v3(1, 0, 0)),
                  l = d6v_cross(up, f); // (V1)
    const Dual u = d6_linear(p->start, 1.0, in->u[0]), V = d6v_dot(in->v, f);
    tml_path_at(p->path, u.x, d);
    const DualVec t = point_at(d, 1, u), off = d6v_sub(in->c, point_at(d, 0, u));
    const Dual t2 = d6v_dot(t, t), speed = d6_sqrt(t2);
    Dual below = d6_sub(t2, d6v_dot(off, point_at(d, 2, u)));
    below =
        below.x < 0.1 * t2.x ? d6_scale(0.1, t2) : below; // beyond the path's centre of curvature
    const Dual along = d6_add(d6v_dot(in->v, t), d6_scale(catch_up, d6v_dot(off, t)));
    out[DRIVER_RATE_STATION] = d6_div(along, below); // (V2)
    const Dual angle = wanted_angle(p, in->c, f, l, u, speed, V);
    const bool delayed = p->delay > 0.0;
    out[DRIVER_STEER] = delayed ? in->u[1] : angle;
    if (delayed) { // (V6)
        out[DRIVER_RATE_STEER] = d6_scale(1.0 / p->delay, d6_sub(angle, in->u[1]));
    }
    const DualVec n = d6v_unit(d6v_cross(up, t), 1e-9, v3(0, 1, 0));
    out[DRIVER_DEVIATION] = d6v_dot(off, n);
    const Dual across = d6v_dot(f, n), with = d6_div(d6v_dot(f, t), speed);
    const double size = across.x * across.x + with.x * with.x;
    out[DRIVER_HEADING] = size > 0.0 ? d6_function2(across, with, atan2(across.x, with.x),
                                                    with.x / size, -across.x / size)
                                     : d6(0.0);
    out[DRIVER_STATION] = u;
    out[DRIVER_AHEAD] = angle;
    out[DRIVER_TO_END] =
        p->path->closed ? d6(no_end) : d6_linear(p->path->knot[p->path->n], -1.0, u);
}

static void driver_place(const void *data, TmlMat33 *R, TmlVec3 *o)
{
    const PathDriver *p = data;
    *R = p->R;
    *o = p->o;
}

static int driver_states(const void *data)
{
    return ((const PathDriver *)data)->delay > 0.0 ? 2 : 1;
}

static TmlWheelModel model_of(const TmlElementIn *in)
{
    return (TmlWheelModel){.n_out = DRIVER_OUT,
                           .n_own = driver_states(in->data),
                           .eval = driver_eval,
                           .place = driver_place};
}

static TmlStatus driver_check(const void *data, TmlError *err)
{
    const PathDriver *p = data;
    return p->path->function[0] == NULL
               ? TML_OK
               : tml_fail(err, TML_E_MODEL,
                          "a driver follows a path through points, not one of functions");
}

static TmlStatus driver_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    PathDriver *p = data;
    (void)n_ends, (void)err;
    p->R = m3_tmul(&e[0].A, &(TmlMat33){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    p->o = v3_neg(e[0].r);
    p->start = tml_path_nearest(p->path, e[1].r);
    return TML_OK;
}

/* It exerts no force: what its angle does is told by whoever reads it. */
static void driver_wrench(const TmlElementIn *in, TmlRow *w)
{
    (void)in;
    w[0] = w[1] = (TmlRow){0};
}

static void driver_f_map(const TmlElementIn *in, TmlRow *P)
{
    for (int k = 0; k < 2 * driver_states(in->data); ++k) {
        P[k] = (TmlRow){0};
    }
}

static void driver_output(const TmlElementIn *in, double *value)
{
    const TmlWheelModel model = model_of(in);
    tml_wheel_output(&model, in, value);
}

static void driver_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    const TmlWheelModel model = model_of(in);
    tml_wheel_output_tangent(&model, in, Oq, Ov, Of);
}

static int state_itself(TmlLaw *law, const void *data, int k)
{
    (void)data;
    return tml_law_state(law, k);
}

static int state_rate(TmlLaw *law, const void *data, int k)
{
    (void)data;
    return tml_law_call(law, "output", k == 0 ? "rate_station" : "rate_steer", 1, law->self);
}

/* One size for a way in m and an angle in rad: what matters of either. */
static double state_size(const void *data)
{
    (void)data;
    return 0.1;
}

static const TmlForceStop driver_stops[] = {{"to_end", "is at the end of its path"}, {0}};

static bool driver_can_stop(const void *data, int k)
{
    const PathDriver *p = data;
    (void)k;
    return p->ends == STOPS && p->path != NULL && !p->path->closed;
}

static const TmlForceLaw driver_law = {.stops = driver_stops,
                                       .can_stop = driver_can_stop,
                                       .f = state_itself,
                                       .n_x = driver_states,
                                       .x_scale = state_size,
                                       .x = state_rate};

static const TmlParam driver_params[] = {
    {"path", TML_PARAM_PATH, TML_ANY, "", offsetof(PathDriver, path), NULL,
     "path to follow, one of `paths`, or {points: [...]} in place; in global axes", NULL},
    {"wheelbase", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(PathDriver, wheelbase), NULL,
     "from the driver's place (the rear axle) to the axle that is steered", NULL},
    {"preview", TML_PARAM_REAL, TML_NONNEGATIVE, "s", offsetof(PathDriver, preview), "0.6",
     "time by which the driver looks ahead", NULL},
    {"least", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(PathDriver, least), "4",
     "way by which it looks ahead at least", NULL},
    {"gain", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(PathDriver, gain), "1",
     "factor of the angle, above 1 for a car that understeers", NULL},
    {"limit", TML_PARAM_REAL, TML_POSITIVE, "rad", offsetof(PathDriver, limit), "0.6",
     "largest angle of the wheels", NULL},
    {"delay", TML_PARAM_REAL, TML_NONNEGATIVE, "s", offsetof(PathDriver, delay), "0.1",
     "time constant of the driver's arms; 0: none", NULL},
    {"ends", TML_PARAM_CHOICE, TML_ANY, "", offsetof(PathDriver, ends), "straight",
     "where the path ends: it goes on straight, or the run stops", "straight|stop"},
    {0},
};

static const TmlOutput driver_outputs[] = {
    {"steer", "rad", "angle that the front wheels shall have, above 0 to the left"},
    {"deviation", "m", "distance of the driver's place from the path, above 0 to the left"},
    {"heading", "rad", "angle of the car against the path, above 0 to the left"},
    {"station", "m", "parameter of the path there: way along its chords"},
    {"ahead", "rad", "the angle before the delay"},
    {"to_end", "m", "way to the end of the path; 1e6 on closed ones"},
    {"rate_station", "m/s", "rate of the station"},
    {"rate_steer", "rad/s", "rate of the angle"},
    {0},
};

TML_FORCE_TYPE(path_driver) = {
    .info = {.name = "path_driver",
             .text = "Driver who steers along a path by looking ahead; it tells an angle and "
                     "exerts no force.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, path: {points: [[0, 0, "
                        "0], [20, 0, 0], [40, 3, 0], [80, 3, 0]]}, wheelbase: 2.7",
             .data_size = sizeof(PathDriver),
             .params = driver_params,
             .outputs = driver_outputs},
    .ends = TML_ENDS_FRAMES,
    .n_f = driver_states,
    .law = &driver_law,
    .check = driver_check,
    .prepare = driver_prepare,
    .wrench = driver_wrench,
    .f_map = driver_f_map,
    .output = driver_output,
    .output_tangent = driver_output_tangent,
};
