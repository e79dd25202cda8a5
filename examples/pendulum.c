/* pendulum.c - build a model from text, run it, print what it does.
 *
 * A rod on a pin falls from the horizontal. Its energy tells the speed at every angle:
 *   J w^2 / 2 = m g L/2 sin(angle below the horizontal),  J = m L^2 / 3
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

static const char text[] =
    "trammel: 1\n"
    "title: Pendulum\n"
    "parameters: {L: 1, m: 2, g: 9.81}\n"
    "gravity: [0, 0, -g]\n"
    "bodies:\n"
    "  rod: {mass: m, inertia: [0, m*L^2/12, m*L^2/12], position: [L/2, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}\n"
    "outputs:\n"
    "  angle: {value: angle(pin), unit: rad}\n"
    "  speed: {value: angular_velocity(pin), unit: rad/s}\n"
    "  load: {value: reaction(pin).fm, unit: N}\n"
    "simulate: {end: 1, output_step: 0.1}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    double *worst = user;
    (void)err;
    const double angle = tml_row_channel(sim, 0), speed = tml_row_channel(sim, 1);
    const double exact = sqrt(3.0 * 9.81 * fabs(sin(angle)));
    printf("%6.2f %9.4f %9.4f %9.4f\n", tml_row_time(sim), angle, speed, tml_row_channel(sim, 2));
    *worst = fmax(*worst, fabs(fabs(speed) - exact));
    return TML_OK;
}

int main(void)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    double worst = 0.0;
    TmlStatus status = tml_load_text(text, "pendulum", 0, NULL, NULL, &model, &err);
    if (status == TML_OK) {
        status = tml_sim_create(model, NULL, &sim, &err);
    }
    if (status == TML_OK) {
        printf("%s\n%6s %9s %9s %9s\n", tml_model_title(model), "s", "rad", "rad/s", "N");
        status = tml_sim_run(sim, print_row, &worst, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    } else {
        printf("speed off by less than 1e-5: %s\n", worst < 1e-5 ? "yes" : "no");
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return tml_status_exit(status);
}
