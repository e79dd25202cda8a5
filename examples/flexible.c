/* flexible.c - a flexible body: its equilibrium, stresses and lowest frequency.
 *
 * A cantilever beam carries a weight at its end. For small deflections
 *   w = P L^3 / (3 E I),   stress at the clamp P L h / (2 I),   omega = 3.516 sqrt(E I / (m L^3))
 */
#include <math.h>
#include <stdio.h>
#include <trammel/trammel.h>

static const char text[] =
    "trammel: 1\n"
    "title: Cantilever\n"
    "parameters: {L: 1, h: 0.02, E: 2e11, P: 1}\n"
    "flexible:\n"
    "  beam: {type: beam2d, line: [[0, 0, 0], [L, 0, 0]], elements: 32, start: {clamp: ground},\n"
    "         material: {E: E, nu: 0, density: 7800}, section: {height: h, width: h}}\n"
    "forces:\n"
    "  weight: {type: force, frame: beam.end, fy: -P}\n";

static void print_beam(const TmlModel *model, const TmlSim *sim, const TmlLinear *lin)
{
    const TmlFlexibleInfo beam = tml_model_flexible(model, 0);
    const double I = pow(0.02, 4) / 12.0, top[3] = {0.0, 0.01, 0.0};
    const double w = tml_row_node(sim, 0, beam.nodes - 1, 0).y;
    const double omega = tml_linear_mode(lin, 0).imag;
    printf("%s: %d elements, %.3f kg\n", tml_model_flexible_name(model, 0), (int)beam.elements,
           beam.mass);
    printf("deflection over that of small loads  %.2f\n", -w * 3.0 * 2e11 * I);
    printf("stress at the clamp over P L h/(2 I) %.2f\n",
           tml_row_strain(sim, 0, top, 3) * 2.0 * I / 0.02);
    printf("omega over that of Euler-Bernoulli   %.2f\n",
           omega / (3.516 * sqrt(2e11 * I / beam.mass)));
}

int main(void)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlLinear *lin = NULL;
    TmlStaticsInfo info;
    TmlSimOptions options = tml_sim_options_default();
    TmlLinearOptions near_zero = tml_linear_options_default();
    options.end_time = 1.0; // nothing is run in time
    near_zero.modes = 1;
    TmlStatus status = tml_load_text(text, "cantilever", 0, NULL, NULL, &model, &err);
    status = status == TML_OK ? tml_sim_create(model, &options, &sim, &err) : status;
    status = status == TML_OK ? tml_sim_statics(sim, NULL, &info, &err) : status;
    status = status == TML_OK ? tml_sim_linearize(sim, &near_zero, &lin, &err) : status;
    if (status == TML_OK) {
        print_beam(model, sim, lin);
    } else {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    return tml_status_exit(status);
}
