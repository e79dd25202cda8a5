/* steps.c - step by step: rows where they are wanted, things by their names, other parameters.
 *
 * A rod on a pin with a damper swings for five lengths. Its first turning point lies between two
 * steps: the angular velocity is zero there. The model is read once.
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

static const char text[] =
    "trammel: 1\n"
    "title: Rod on a pin, with a damper\n"
    "parameters: {L: 1.2, m: 3}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {mass: m, inertia: [0.01, m*L^2/12, m*L^2/12], position: [L/2, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
    "forces:\n"
    "  damper: {type: rotational_spring, joint: pin, damping: 0.2}\n"
    "simulate: {end: 5, integrator: rosenbrock, tolerance: 1e-8}\n";

/* Angular velocity of the rod at t, inside of the last step. */
static double speed_at(TmlSim *sim, int rod, double t, TmlStatus *status, TmlError *err)
{
    *status = *status == TML_OK ? tml_sim_row_at(sim, t, err) : *status;
    return *status == TML_OK ? tml_row_body(sim, rod).omega.z : 0.0;
}

/* Step until the rod turns back, then find the time by halves of the step. */
static TmlStatus turning_point(TmlSim *sim, int rod, double *time, TmlError *err)
{
    TmlStatus status = TML_OK;
    double from = 0.0, speed = -1.0;
    while (status == TML_OK && speed < 0.0) {
        from = tml_sim_time(sim);
        status = tml_sim_step(sim, err);
        speed = speed_at(sim, rod, tml_sim_time(sim), &status, err);
    }
    double to = tml_sim_time(sim);
    for (int k = 0; k < 50 && status == TML_OK; ++k) {
        const double middle = 0.5 * (from + to);
        *(speed_at(sim, rod, middle, &status, err) < 0.0 ? &from : &to) = middle;
    }
    *time = to;
    return status;
}

static TmlStatus swing(const TmlModel *model, double length, TmlError *err)
{
    TmlSim *sim = NULL;
    double time = 0.0;
    const int rod = tml_model_body_find(model, "rod"), pin = tml_model_joint_find(model, "pin");
    TmlStatus status = tml_sim_create(model, NULL, &sim, err);
    if (status == TML_OK) {
        status = turning_point(sim, rod, &time, err);
    }
    if (status == TML_OK) {
        const TmlBodyState s = tml_row_body(sim, rod);
        printf("%5.2f m: turns back at %.5f s, at %.4f m, pulled by %.3f N\n", length, time,
               s.position.y, tml_row_reaction(sim, pin).force.y);
    }
    tml_sim_free(sim);
    return status;
}

int main(void)
{
    static const char *const name[] = {"L"};
    static const double length[] = {0.8, 1.0, 1.2, 1.4, 1.6};
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlStatus status = tml_load_text(text, "swing", 0, NULL, NULL, &model, &err);
    for (size_t k = 0; k < sizeof length / sizeof length[0] && status == TML_OK; ++k) {
        TmlModel *other = NULL;
        status = tml_model_with(model, 1, name, &length[k], &other, &err);
        status = status == TML_OK ? swing(other, length[k], &err) : status;
        tml_model_free(other);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    }
    tml_model_free(model);
    return tml_status_exit(status);
}
