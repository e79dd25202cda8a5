/* system/flexible/flex_row.c - flexible bodies at the last kinematics, for results and messages. */
#include "system/flexible/flex.h"

#include "math/vec3.h"
#include "model/flexible/mesh.h"

#include <stdio.h>

void tml_flex_node(const TmlSystem *sys, int mesh, int node, int vector, TmlVec3 out[3])
{
    const TmlMesh *s = &sys->model->meshes.at[mesh];
    tml_vector_kin(sys, &s->vector[node * s->type->vectors + vector], out);
}

TmlVec3 tml_flex_position(const TmlSystem *sys, int e, const double xi[3])
{
    const TmlFlexType *type = sys->model->meshes.at[sys->model->flexes.at[e].mesh].type;
    const TmlFlexIn in = tml_flex_in(sys, e);
    double s[TML_FLEX_MAX_VECTORS];
    TmlVec3 r = {0};
    type->shape(in.data, in.table, xi, TML_FLEX_R, s);
    for (int i = 0; i < type->nodes * type->vectors; ++i) {
        const double *x = in.x + i * type->dim;
        r = v3_axpy(s[i], v3(x[0], x[1], type->dim > 2 ? x[2] : 0.0), r);
    }
    return r;
}

void tml_flex_outputs(const TmlSystem *sys, int e, const double xi[3], double *value)
{
    const TmlFlexIn in = tml_flex_in(sys, e);
    sys->model->meshes.at[sys->model->flexes.at[e].mesh].type->strain(&in, xi, value);
}

double tml_flex_place_value(const TmlSystem *sys, int k)
{
    const TmlFlexPlace *p = &sys->model->places.at[k];
    const TmlMesh *mesh = &sys->model->meshes.at[sys->model->flexes.at[p->element].mesh];
    const int outputs = tml_mesh_outputs(mesh);
    double value[TML_FLEX_MAX_OUTPUTS];
    if (p->output >= outputs) {
        const TmlFlexIn in = tml_flex_in(sys, p->element);
        mesh->type->resultant(&in, p->xi[0], value);
        return value[p->output - outputs];
    }
    tml_flex_outputs(sys, p->element, p->xi, value);
    return value[p->output];
}

TmlVec3 tml_flex_vector_change(const TmlSystem *sys, int mesh, int vector, const double *du)
{
    return tml_vector_change(sys, &sys->model->meshes.at[mesh].vector[vector], du);
}

bool tml_flex_coordinate_name(const TmlSystem *sys, int body, int component, char *text,
                              size_t size)
{
    static const char *const what[TML_FLEX_KINDS] = {"position", "slope r_x", "gradient r_y",
                                                     "gradient r_z"};
    const TmlModel *m = sys->model;
    const TmlBody *b = &m->bodies.at[body];
    for (int k = 0; k < m->meshes.n && b->type->hidden; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        for (int i = 0; i < mesh->n_nodes * mesh->type->vectors && mesh->body == b->owner; ++i) {
            const TmlVector *v = &mesh->vector[i];
            if (v->n == 1 && v->term[0].body == body) {
                snprintf(text, size, "flexible body '%s', node %d: %s along %c", mesh->name,
                         i / mesh->type->vectors + 1,
                         what[mesh->type->kind[i % mesh->type->vectors]],
                         "xyz"[component < 3 ? component : 2]);
                return true;
            }
        }
    }
    return false;
}
