/* user_constraint.c - a type of constraint of one's own: a rope that a winch shortens.
 *
 *   (W1)  phi = (d . d - L^2) / 2 = 0,  d = r_1 - r_0,  L(t) = length - speed t
 *   (W2)  J_0 = -d,  J_1 = d  by the motions of the origins;  phi_t = -L L'
 *   (W3)  phi'' = d . (a_1 - a_0) - gamma = 0,  gamma = -d' . d' + L'^2   (L'' = 0)
 *   (W4)  derivative of lambda J by the motions: lambda times [I -I; -I I]
 *   (W5)  derivative of gamma by the velocities: +2 d' at end 0, -2 d' at end 1; by the motions: 0
 *
 * A stone swung on the rope keeps its angular momentum: its speed across the rope grows as 1/L.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <trammel/trammel.h>

typedef struct Winch {
    double length, speed;
} Winch;

static double rope(const TmlElementIn *in)
{
    const Winch *p = in->data;
    return p->length - p->speed * in->t;
}

static TmlVec3 minus(TmlVec3 b, TmlVec3 a)
{
    return (TmlVec3){b.x - a.x, b.y - a.y, b.z - a.z};
}

static double dot(TmlVec3 a, TmlVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void winch_residual(const TmlElementIn *in, double *phi)
{
    const TmlVec3 d = minus(in->e[1].r, in->e[0].r);
    phi[0] = 0.5 * (dot(d, d) - rope(in) * rope(in)); // (W1)
}

static void winch_jacobian(const TmlElementIn *in, TmlRow *J)
{
    J[0] = (TmlRow){.r = minus(in->e[0].r, in->e[1].r)}; // (W2)
    J[1] = (TmlRow){.r = minus(in->e[1].r, in->e[0].r)};
}

static void winch_rate(const TmlElementIn *in, double *phi_t)
{
    const Winch *p = in->data;
    phi_t[0] = rope(in) * p->speed; // (W2), L' = -speed
}

static void winch_gamma(const TmlElementIn *in, double *gamma)
{
    const Winch *p = in->data;
    const TmlVec3 v = minus(in->e[1].v, in->e[0].v);
    gamma[0] = -dot(v, v) + p->speed * p->speed; // (W3)
}

static void winch_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    enum { R0 = 0, R1 = 6, N = 12 };
    (void)in;
    for (int i = 0; i < 3; ++i) { // (W4); K arrives zeroed but is added to
        K[(R0 + i) * N + R0 + i] += lambda[0];
        K[(R1 + i) * N + R1 + i] += lambda[0];
        K[(R0 + i) * N + R1 + i] -= lambda[0];
        K[(R1 + i) * N + R0 + i] -= lambda[0];
    }
}

static void winch_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const TmlVec3 v = minus(in->e[1].v, in->e[0].v);
    Gm[0] = Gm[1] = (TmlRow){.r = {0, 0, 0}};
    Gv[0] = (TmlRow){.r = {2 * v.x, 2 * v.y, 2 * v.z}}; // (W5)
    Gv[1] = (TmlRow){.r = {-2 * v.x, -2 * v.y, -2 * v.z}};
}

static const TmlParam winch_params[] = {
    {"length", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(Winch, length), NULL,
     "length of the rope at the start", NULL},
    {"speed", TML_PARAM_REAL, TML_ANY, "m/s", offsetof(Winch, speed), "0",
     "rate at which the rope is taken in", NULL},
    {0},
};

static const char *const winch_rows[] = {"length of the rope"};

static const TmlConstraintType winch = {
    .info = {.name = "winch",
             .text = "The distance of two points shrinks at a constant rate.",
             .data_size = sizeof(Winch),
             .params = winch_params},
    .ends = TML_ENDS_POINTS,
    .rows = 1,
    .row_names = winch_rows,
    .residual = winch_residual,
    .jacobian = winch_jacobian,
    .rate = winch_rate,
    .gamma = winch_gamma,
    .curvature = winch_curvature,
    .gamma_tangent = winch_gamma_tangent,
};

static const char text[] =
    "parameters: {L: 2, v: 0.5, w: 1.5}\n"
    "bodies: {stone: {type: point, mass: 1, position: [L, 0, 0], velocity: [-v, w*L, 0]}}\n"
    "joints: {rope: {type: winch, frames: [ground, stone], length: L, speed: v}}\n"
    "outputs:\n"
    "  length: DM(stone)\n"
    "  momentum: DX(stone)*VY(stone) - DY(stone)*VX(stone)\n"
    "  pull: reaction(rope).fm\n"
    "simulate: {end: 2, output_step: 0.25}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)err;
    printf("%6.2f %9.4f %9.4f %9.3f\n", tml_row_time(sim), tml_row_channel(sim, 0),
           tml_row_channel(sim, 1), tml_row_channel(sim, 2));
    return TML_OK;
}

static TmlStatus build(TmlModel *model, TmlError *err)
{
    TmlStatus status = tml_model_register_constraint(model, &winch, err);
    if (status == TML_OK) {
        status = tml_model_add(model, text, err);
    }
    return status == TML_OK ? tml_model_finish(model, err) : status;
}

int main(void)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlStatus status = tml_model_create(&model, &err);
    if (status == TML_OK) {
        status = build(model, &err);
    }
    if (status == TML_OK) {
        status = tml_sim_create(model, NULL, &sim, &err);
    }
    if (status == TML_OK) {
        printf("%6s %9s %9s %9s\n", "s", "m", "m^2/s", "N");
        status = tml_sim_run(sim, print_row, NULL, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return tml_status_exit(status);
}
