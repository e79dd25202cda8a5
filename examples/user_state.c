/* user_state.c - a state whose rate is a C function: friction with memory after Bouc and Wen.
 *
 *   (B1)  z' = A v - b |v| z - c v |z|       z: bristle, v: speed of the slide
 *   (B2)  force on the block: -k z
 *
 * Pulled one way from rest, z depends on the way x alone: z = A / (b + c) (1 - exp(-(b + c) x)).
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

typedef struct BoucWen {
    double A, b, c;
} BoucWen;

static double sign(double x)
{
    return (double)((x > 0.0) - (x < 0.0));
}

/* bouc_wen(v, z), with first derivatives: enough for rates of states and for forces. */
static void bouc_wen(void *user, const double *arg, int order, TmlJet *out)
{
    const BoucWen *p = user;
    const double v = arg[0], z = arg[1];
    out->value = p->A * v - p->b * fabs(v) * z - p->c * v * fabs(z); // (B1)
    if (order >= 1) {
        out->g[0] = p->A - p->b * sign(v) * z - p->c * fabs(z);
        out->g[1] = -p->b * fabs(v) - p->c * v * sign(z);
    }
}

static const char text[] =
    "parameters: {k: 100}\n"
    "bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  guide: {type: translational, bodies: [ground, block], at: [0, 0, 0], axis: x}\n"
    "states:\n"
    "  z: {rate: \"bouc_wen(velocity(guide), z)\", initial: 0}\n"
    "forces:\n"
    "  pull: {type: force, body: block, fx: 60 + 40*time}\n"
    "  rub: {type: force, body: block, fx: -k*z}\n"
    "outputs: {x: displacement(guide), z: z, force: force(rub).fx}\n"
    "simulate: {end: 0.5, output_step: 0.05, tolerance: 1e-8}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    const BoucWen *p = user;
    (void)err;
    const double x = tml_row_channel(sim, 0), s = p->b + p->c;
    printf("%6.2f %9.4f %9.4f %9.4f %9.2f\n", tml_row_time(sim), x, tml_row_channel(sim, 1),
           p->A / s * (1.0 - exp(-s * x)), tml_row_channel(sim, 2) + 0.0);
    return TML_OK;
}

static TmlStatus build(TmlModel *model, const TmlUserFunction *function, TmlError *err)
{
    TmlStatus status = tml_model_register_function(model, function, err);
    if (status == TML_OK) {
        status = tml_model_add(model, text, err);
    }
    return status == TML_OK ? tml_model_finish(model, err) : status;
}

int main(void)
{
    BoucWen friction = {.A = 1.0, .b = 1.5, .c = 0.5};
    const TmlUserFunction function = {.name = "bouc_wen",
                                      .text = "Rate of a bristle at speed v and deflection z.",
                                      .n_args = 2,
                                      .order = 1,
                                      .user = &friction,
                                      .eval = bouc_wen};
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlStatus status = tml_model_create(&model, &err);
    if (status == TML_OK) {
        status = build(model, &function, &err);
    }
    if (status == TML_OK) {
        status = tml_sim_create(model, NULL, &sim, &err);
    }
    if (status == TML_OK) {
        printf("%6s %9s %9s %9s %9s\n", "s", "x, m", "z", "exact", "N");
        status = tml_sim_run(sim, print_row, &friction, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return tml_status_exit(status);
}
