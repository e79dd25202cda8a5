/* user_force.c - a type of force of one's own: attraction of two points by the inverse square.
 *
 *   (F1)  d = r_1 - r_0;  force on end 1: -k d / |d|^3, on end 0 the opposite
 *   (F2)  its derivative by d: -k (I - 3 n n^T) / |d|^3,  n = d / |d|
 *   (F3)  stored energy: -k / |d|
 *
 * A planet on a circle around a fixed sun comes back after T = 2 pi sqrt(R^3 m / k).
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <trammel/trammel.h>

/* Parameters of one element, filled from the model by the table below. */
typedef struct Attraction {
    double strength;
} Attraction;

static TmlVec3 between(const TmlElementIn *in, double *length)
{
    const TmlVec3 a = in->e[0].r, b = in->e[1].r, d = {b.x - a.x, b.y - a.y, b.z - a.z};
    *length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return d;
}

static void attraction_wrench(const TmlElementIn *in, TmlRow *w)
{
    const Attraction *p = in->data;
    double length;
    const TmlVec3 d = between(in, &length);
    const double f = p->strength / (length * length * length);
    w[0] = (TmlRow){.r = {f * d.x, f * d.y, f * d.z}}; // (F1)
    w[1] = (TmlRow){.r = {-f * d.x, -f * d.y, -f * d.z}};
}

/* Rows and columns are r_0, theta_0, r_1, theta_1; neither torques nor velocities matter here. */
static void attraction_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    enum { R0 = 0, R1 = 6, N = 12 };
    const Attraction *p = in->data;
    double length;
    const TmlVec3 d = between(in, &length);
    const double f = p->strength / (length * length * length);
    const double n[3] = {d.x / length, d.y / length, d.z / length};
    (void)Kv;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double k = -f * ((i == j ? 1.0 : 0.0) - 3.0 * n[i] * n[j]); // (F2)
            Kq[(R1 + i) * N + R1 + j] = Kq[(R0 + i) * N + R0 + j] = k;
            Kq[(R1 + i) * N + R0 + j] = Kq[(R0 + i) * N + R1 + j] = -k;
        }
    }
}

static double attraction_energy(const TmlElementIn *in)
{
    const Attraction *p = in->data;
    double length;
    between(in, &length);
    return -p->strength / length; // (F3)
}

static void attraction_output(const TmlElementIn *in, double *value)
{
    between(in, &value[0]);
}

static const TmlParam attraction_params[] = {
    {"strength", TML_PARAM_REAL, TML_POSITIVE, "N m^2", offsetof(Attraction, strength), NULL,
     "force times distance squared", NULL},
    {0},
};

static const TmlOutput attraction_outputs[] = {{"distance", "m", "distance of the points"}, {0}};

static const TmlForceType attraction = {
    .info = {.name = "attraction",
             .text = "Two points attract each other by the inverse square of their distance.",
             .data_size = sizeof(Attraction),
             .params = attraction_params,
             .outputs = attraction_outputs},
    .ends = TML_ENDS_POINTS,
    .wrench = attraction_wrench,
    .tangent = attraction_tangent,
    .energy = attraction_energy,
    .output = attraction_output,
};

static const char text[] =
    "parameters: {k: 20, m: 0.5, R: 2, v: sqrt(k/(m*R)), T: 2*pi*R/v}\n"
    "bodies: {planet: {type: point, mass: m, position: [R, 0, 0], velocity: [0, v, 0]}}\n"
    "forces:\n"
    "  sun: {type: attraction, frames: [ground, planet], strength: k}\n"
    "outputs: {x: DX(planet), y: DY(planet), pull: force(sun).fm}\n"
    "simulate: {end: T, output_step: T/8, tolerance: 1e-10}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)err;
    // + 0.0 turns a rounded -0 into 0
    printf("%7.4f %8.4f %8.4f %8.4f %8.4f\n", tml_row_time(sim),
           round(1e4 * tml_row_channel(sim, 0)) / 1e4 + 0.0,
           round(1e4 * tml_row_channel(sim, 1)) / 1e4 + 0.0, tml_row_channel(sim, 2),
           tml_row_certificate(sim).potential);
    return TML_OK;
}

static TmlStatus build(TmlModel *model, TmlError *err)
{
    TmlStatus status = tml_model_register_force(model, &attraction, err);
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
        printf("%7s %8s %8s %8s %8s\n", "s", "x, m", "y, m", "pull, N", "V, J");
        status = tml_sim_run(sim, print_row, NULL, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s: %s\n", tml_status_name(status), err.message);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return tml_status_exit(status);
}
