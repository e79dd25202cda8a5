/* user_shape.c - a shape of one's own: a bowl, known by the distance of a point from it.
 *
 *   (B1)  h = R - |x|, n = -x / |x|, H = -(1 - u u^T) / |x| with u = x / |x|: all that lies outside of a ball is solid
 *
 * One function makes it touch balls, and the corners of boxes, hulls and meshes. A marble of radius r that slides
 * in it without friction moves as a pendulum of the length R - r, which hangs beside it.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <trammel/trammel.h>

typedef struct Bowl {
    double radius;
} Bowl;

static void bowl_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const double R = ((const Bowl *)data)->radius;
    *low = (TmlVec3){-R, -R, -R};
    *high = (TmlVec3){R, R, R};
}

static double bowl_distance(const void *data, TmlVec3 x, TmlVec3 *n, TmlMat33 *H)
{
    const Bowl *bowl = data;
    const double rho = fmax(sqrt(x.x * x.x + x.y * x.y + x.z * x.z), 1e-12 * bowl->radius);
    const TmlVec3 u = {x.x / rho, x.y / rho, x.z / rho};
    *n = (TmlVec3){-u.x, -u.y, -u.z}; // (B1)
    *H = (TmlMat33){{(u.x * u.x - 1.0) / rho, u.x * u.y / rho, u.x * u.z / rho},
                    {u.x * u.y / rho, (u.y * u.y - 1.0) / rho, u.y * u.z / rho},
                    {u.x * u.z / rho, u.y * u.z / rho, (u.z * u.z - 1.0) / rho}};
    return bowl->radius - rho;
}

static const TmlParam bowl_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(Bowl, radius), NULL, "of the hollow",
     NULL},
    {0},
};

static const TmlShapeType bowl = {
    .info = {.name = "bowl",
             .text = "The inside of a ball.",
             .data_size = sizeof(Bowl),
             .params = bowl_params},
    .bounds = bowl_bounds,
    .distance = bowl_distance,
};

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "parameters: {L: 0.45, a: 0.3}\n"
    "ground: {shape: {bowl: {radius: 0.5, position: [0, 0, 0.5]}}}\n"
    "bodies:\n"
    "  marble: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [L*sin(a), 0, 0.5 - L*cos(a)],\n"
    "           shape: {sphere: {radius: 0.05}}}\n"
    "  die: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, 0.021],\n"
    "        shape: {box: {size: [0.04, 0.04, 0.04]}}}\n"
    "  bob: {type: point, mass: 0.1, position: [L*sin(a), 1, 0.5 - L*cos(a)]}\n"
    "joints: {string: {type: distance, bodies: [ground, bob], points: [[0, 1, 0.5], [L*sin(a), 1, "
    "0.5 - L*cos(a)]]}}\n"
    "contacts:\n"
    "  marble: {between: [marble, ground], law: hunt_crossley, stiffness: 1e8, damping: 10}\n"
    "  die: {between: [die, ground], law: hunt_crossley, stiffness: 1e6, damping: 10}\n"
    "outputs: {marble: DX(marble), bob: DX(bob), corners: contact_count(die)}\n"
    "simulate: {end: 1.2, output_step: 0.2, tolerance: 1e-8}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)err;
    printf("%4.1f %8.3f %8.3f %8.0f\n", tml_row_time(sim), tml_row_channel(sim, 0),
           tml_row_channel(sim, 1), tml_row_channel(sim, 2));
    return TML_OK;
}

static TmlStatus build(TmlModel *model, TmlError *err)
{
    TmlStatus status = tml_model_register_shape(model, &bowl, err);
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
        printf("%4s %8s %8s %8s\n", "s", "marble", "bob", "corners");
        status = tml_sim_run(sim, print_row, NULL, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "error: %s\n", err.message);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return status != TML_OK;
}
