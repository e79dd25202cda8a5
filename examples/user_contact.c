/* user_contact.c - a law of contact and a law of friction of one's own.
 *
 *   (U1)  N = k d + k_3 d^3 for a depth d: a rubber that stiffens; it stores k d^2 / 2 + k_3 d^4 / 4
 *   (U2)  T = -c N v: a film of oil whose drag grows with the load, v the velocity along the surface
 *
 * A ball dropped on such a floor comes back to its height, and slows down along it: the part of its speed
 * that a bounce leaves is exp(-c times the momentum that the floor gave it, over its mass).
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <trammel/trammel.h>

/* Parameters of an entry of `contacts`, filled from the model by the tables below. */
typedef struct Rubber {
    double stiffness, stiffening;
} Rubber;

typedef struct Film {
    double drag;
} Film;

static void rubber_press(const TmlPressIn *in, TmlPress *out)
{
    const Rubber *p = in->data;
    const double d = in->depth;
    *out = (TmlPress){0};
    out->force = out->elastic = p->stiffness * d + p->stiffening * d * d * d; // (U1)
    out->by_depth = p->stiffness + 3.0 * p->stiffening * d * d;
    out->stored = 0.5 * p->stiffness * d * d + 0.25 * p->stiffening * d * d * d * d;
}

static void film_slip(const TmlSlipIn *in, TmlSlip *out)
{
    const Film *p = in->data;
    const double c = p->drag * in->force;
    *out = (TmlSlip){0};
    out->force = (TmlVec3){-c * in->v.x, -c * in->v.y, -c * in->v.z}; // (U2)
    out->by_v = (TmlMat33){{-c, 0, 0}, {0, -c, 0}, {0, 0, -c}};
    out->by_force = (TmlVec3){-p->drag * in->v.x, -p->drag * in->v.y, -p->drag * in->v.z};
}

static const TmlParam rubber_params[] = {
    {"stiffness", TML_PARAM_REAL, TML_POSITIVE, "N/m", offsetof(Rubber, stiffness), NULL,
     "force a depth of small depths", NULL},
    {"stiffening", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^3", offsetof(Rubber, stiffening), "0",
     "what the cube of the depth adds", NULL},
    {0},
};

static const TmlParam film_params[] = {
    {"drag", TML_PARAM_REAL, TML_NONNEGATIVE, "s/m", offsetof(Film, drag), NULL,
     "part of the normal force for each m/s", NULL},
    {0},
};

static const TmlPressType rubber = {
    .info = {.name = "rubber",
             .text = "A spring that stiffens with the cube of the depth.",
             .data_size = sizeof(Rubber),
             .params = rubber_params},
    .press = rubber_press,
};

static const TmlSlipType film = {
    .info = {.name = "film",
             .text = "Drag by a film of oil, proportional to load and speed.",
             .data_size = sizeof(Film),
             .params = film_params},
    .slip = film_slip,
};

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "ground: {shape: {half_space: {normal: z}}}\n"
    "bodies: {ball: {type: point, mass: 0.5, position: [0, 0, 0.3], velocity: [1, 0, 0],\n"
    "                shape: {sphere: {radius: 0.1}}}}\n"
    "contacts:\n"
    "  floor: {between: [ball, ground], law: rubber, stiffness: 1e4, stiffening: 1e9,\n"
    "          friction: {law: film, drag: 0.02}}\n"
    "outputs: {z: DZ(ball), vx: VX(ball)}\n"
    "simulate: {end: 1.2, output_step: 0.2, tolerance: 1e-9}\n";

static TmlStatus print_row(void *user, const TmlSim *sim, TmlError *err)
{
    const TmlCertificate c = tml_row_certificate(sim);
    (void)user, (void)err;
    printf("%4.1f %8.4f %8.4f %8.4f %8.4f\n", tml_row_time(sim), tml_row_channel(sim, 0),
           tml_row_channel(sim, 1), c.kinetic + c.potential,
           round(1e4 * c.lost_friction) / 1e4 + 0.0); // + 0.0 turns a rounded -0 into 0
    return TML_OK;
}

static TmlStatus build(TmlModel *model, TmlError *err)
{
    TmlStatus status = tml_model_register_press(model, &rubber, err);
    if (status == TML_OK) {
        status = tml_model_register_slip(model, &film, err);
    }
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
        printf("%4s %8s %8s %8s %8s\n", "s", "z, m", "vx, m/s", "E, J", "lost, J");
        status = tml_sim_run(sim, print_row, NULL, &err);
    }
    if (status != TML_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return status == TML_OK ? 0 : 1;
}
