/* model/flexible/flexible.c - what flexible bodies are made of, for those who read a model. */
#include "trammel/flexible.h"

#include "model/body/body.h"
#include "model/flexible/mesh.h"

#include <string.h>

static const TmlMesh *mesh_at(const TmlModel *m, int flexible)
{
    return flexible >= 0 && flexible < m->meshes.n ? &m->meshes.at[flexible] : NULL;
}

int tml_model_flexible_count(const TmlModel *m)
{
    return m->meshes.n;
}

const char *tml_model_flexible_name(const TmlModel *m, int flexible)
{
    const TmlMesh *mesh = mesh_at(m, flexible);
    return mesh != NULL ? mesh->name : NULL;
}

int tml_model_flexible_find(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->meshes.n; ++k) {
        if (strcmp(m->meshes.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* The functions of positions sum to one everywhere, so that their weights are the mass. */
static double mesh_mass(const TmlModel *m, const TmlMesh *mesh)
{
    const TmlFlexType *type = mesh->type;
    double mass = 0.0;
    for (int e = 0; e < mesh->n_x * mesh->n_y; ++e) {
        const double *w = tml_flex_weight(type, m->flexes.at[mesh->flex0 + e].table);
        for (int i = 0; i < type->nodes * type->vectors; ++i) {
            mass += type->kind[i % type->vectors] == TML_FLEX_R ? w[i] : 0.0;
        }
    }
    return mass;
}

int tml_mesh_outputs(const TmlMesh *mesh)
{
    int n = 0;
    while (mesh->type->info.outputs != NULL && mesh->type->info.outputs[n].name != NULL) {
        ++n;
    }
    return n;
}

/* Coordinates that were made for this mesh. */
static int own_coordinates(const TmlModel *m, const TmlMesh *mesh)
{
    int n = 0;
    for (int b = 0; b < m->bodies.n; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        n += body->type->hidden && body->owner == mesh->body ? body->type->nu : 0;
    }
    return n;
}

TmlFlexibleInfo tml_model_flexible(const TmlModel *m, int flexible)
{
    const TmlMesh *mesh = mesh_at(m, flexible);
    if (mesh == NULL) {
        return (TmlFlexibleInfo){0};
    }
    const TmlCrossSection *s = &mesh->data->section;
    const bool round = s->kind == TML_CROSS_CIRCLE, flat = s->kind == TML_CROSS_RECTANGLE;
    const double mass = mesh_mass(m, mesh), density = mesh->data->material.density;
    const double hollow = s->mass_area > 0.0 ? s->area / s->mass_area : 1.0;
    return (TmlFlexibleInfo){
        .type = mesh->type->info.name,
        .patch = mesh->type->topology == TML_FLEX_PATCH,
        .dim = mesh->type->dim,
        .nodes = mesh->n_nodes,
        .vectors = mesh->type->vectors,
        .elements = mesh->n_x * mesh->n_y,
        .elements_x = mesh->n_x,
        .elements_y = mesh->n_y,
        .element_nodes = mesh->type->nodes,
        .outputs = tml_mesh_outputs(mesh),
        .degrees_of_freedom = own_coordinates(m, mesh),
        .mass = mass,
        .volume = density > 0.0 ? mass / density * hollow : 0.0,
        .height = flat || s->kind == TML_CROSS_PLATE ? s->height : 0.0,
        .width = flat ? s->width : 0.0,
        .radius = round ? s->radius : 0.0,
        .inner = round ? s->inner : 0.0,
    };
}

int tml_model_flexible_element(const TmlModel *m, int flexible, int element, int32_t node[4])
{
    const TmlMesh *mesh = mesh_at(m, flexible);
    if (mesh == NULL || element < 0 || element >= mesh->n_x * mesh->n_y) {
        return 0;
    }
    for (int k = 0; k < mesh->type->nodes; ++k) {
        node[k] = m->flexes.at[mesh->flex0 + element].node[k];
    }
    return mesh->type->nodes;
}

const char *tml_model_flexible_vector(const TmlModel *m, int flexible, int vector)
{
    static const char *const names[TML_FLEX_KINDS] = {"r", "rx", "ry", "rz"};
    const TmlMesh *mesh = mesh_at(m, flexible);
    const bool known = mesh != NULL && vector >= 0 && vector < mesh->type->vectors;
    return known ? names[mesh->type->kind[vector]] : NULL;
}

bool tml_model_flexible_output(const TmlModel *m, int flexible, int output, const char **name,
                               const char **unit)
{
    const TmlMesh *mesh = mesh_at(m, flexible);
    if (mesh == NULL || output < 0 || output >= tml_mesh_outputs(mesh)) {
        return false;
    }
    *name = mesh->type->info.outputs[output].name;
    *unit = mesh->type->info.outputs[output].unit;
    return true;
}
