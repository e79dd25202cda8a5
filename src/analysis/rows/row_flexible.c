/* analysis/rows/row_flexible.c - flexible bodies at the output row. */
#include "trammel/flexible.h"

#include "analysis/driver/sim_internal.h"
#include "math/vec3.h"
#include "model/flexible/mesh.h"

#include <math.h>

static bool exists(const TmlSim *sim, int flexible)
{
    return flexible >= 0 && flexible < tml_flex_count(sim->sys);
}

static bool has_vector(const TmlSim *sim, int flexible, int node, int vector)
{
    return exists(sim, flexible) && node >= 0 && node < tml_flex_nodes(sim->sys, flexible) &&
           vector >= 0 && vector < tml_flex_vectors(sim->sys, flexible);
}

TmlVec3 tml_row_node(const TmlSim *sim, int flexible, int node, int vector)
{
    TmlVec3 x[3] = {{0}};
    if (!tml_row_exists(sim, __func__)) {
        return v3((double)NAN, (double)NAN, (double)NAN);
    }
    if (has_vector(sim, flexible, node, vector)) {
        tml_flex_node(sim->sys, flexible, node, vector, x);
    }
    return x[0];
}

TmlVec3 tml_row_node_rate(const TmlSim *sim, int flexible, int node, int vector)
{
    TmlVec3 x[3] = {{0}};
    if (!tml_row_exists(sim, __func__)) {
        return v3((double)NAN, (double)NAN, (double)NAN);
    }
    if (has_vector(sim, flexible, node, vector)) {
        tml_flex_node(sim->sys, flexible, node, vector, x);
    }
    return x[1];
}

/* Finds the element at a place and where in it. */
static int locate(const TmlSim *sim, int flexible, const double place[3], double xi[3])
{
    const bool patch = tml_model_flexible(sim->model, flexible).patch;
    const double u = fmin(fmax(place[0], 0.0), 1.0);
    const double v = patch ? fmin(fmax(place[1], 0.0), 1.0) : 0.0;
    const int e = tml_mesh_place(sim->model, flexible, u, v, xi);
    if (!patch) {
        xi[1] = place[1];
    }
    xi[2] = place[2];
    return e;
}

TmlVec3 tml_row_place(const TmlSim *sim, int flexible, const double place[3])
{
    const double none = (double)NAN;
    double xi[3];
    if (!exists(sim, flexible) || !tml_row_exists(sim, __func__)) {
        return v3(none, none, none);
    }
    const int e = locate(sim, flexible, place, xi);
    return tml_flex_position(sim->sys, e, xi);
}

double tml_row_strain(const TmlSim *sim, int flexible, const double place[3], int output)
{
    double xi[3], value[TML_FLEX_MAX_OUTPUTS];
    if (output < 0 || output >= tml_model_flexible(sim->model, flexible).outputs ||
        !tml_row_exists(sim, __func__)) {
        return (double)NAN;
    }
    const int e = locate(sim, flexible, place, xi);
    tml_flex_outputs(sim->sys, e, xi, value);
    return value[output];
}

void tml_row_element_outputs(const TmlSim *sim, int flexible, int element, const double xi[3],
                             double *value)
{
    tml_flex_outputs(sim->sys, tml_flex_element(sim->sys, flexible, element), xi, value);
}
