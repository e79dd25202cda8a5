/* analysis/rows/row_flexible.c - flexible bodies at the output row. */
#include "trammel/flexible.h"

#include "analysis/driver/sim_internal.h"
#include "math/vec3.h"
#include "model/flexible/mesh.h"

#include <math.h>

static const TmlMesh *mesh_at(const TmlSim *sim, int flexible)
{
    return flexible >= 0 && flexible < sim->model->meshes.n ? &sim->model->meshes.at[flexible]
                                                            : NULL;
}

static bool has_vector(const TmlMesh *mesh, int node, int vector)
{
    return mesh != NULL && node >= 0 && node < mesh->n_nodes && vector >= 0 &&
           vector < mesh->type->vectors;
}

TmlVec3 tml_row_node(const TmlSim *sim, int flexible, int node, int vector)
{
    TmlVec3 x[3] = {{0}};
    if (!tml_row_exists(sim, __func__)) {
        return v3((double)NAN, (double)NAN, (double)NAN);
    }
    if (has_vector(mesh_at(sim, flexible), node, vector)) {
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
    if (has_vector(mesh_at(sim, flexible), node, vector)) {
        tml_flex_node(sim->sys, flexible, node, vector, x);
    }
    return x[1];
}

/* The element at a place and where in it. */
static int locate(const TmlSim *sim, int flexible, const double place[3], double xi[3])
{
    const bool patch = sim->model->meshes.at[flexible].type->topology == TML_FLEX_PATCH;
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
    if (mesh_at(sim, flexible) == NULL || !tml_row_exists(sim, __func__)) {
        return v3(none, none, none);
    }
    const int e = locate(sim, flexible, place, xi);
    return tml_flex_position(sim->sys, e, xi);
}

double tml_row_strain(const TmlSim *sim, int flexible, const double place[3], int output)
{
    const TmlMesh *mesh = mesh_at(sim, flexible);
    double xi[3], value[TML_FLEX_MAX_OUTPUTS];
    if (mesh == NULL || output < 0 || output >= tml_mesh_outputs(mesh) ||
        !tml_row_exists(sim, __func__)) {
        return (double)NAN;
    }
    const int e = locate(sim, flexible, place, xi);
    tml_flex_outputs(sim->sys, e, xi, value);
    return value[output];
}
