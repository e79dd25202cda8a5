/* io/results/flex_samples.c - the points of a flexible body at which results are kept. */
#include "io/results/flex_samples.h"

#include "analysis/driver/sim_facts.h"
#include "model/flexible/mesh.h"

#include <string.h>

/* Fibres of a line: y, z of the axis and of the outermost points of the section. */
static int line_fibres(const TmlFlexibleInfo *f, double at[5][2])
{
    const double y = f->radius > 0.0 ? f->radius : 0.5 * f->height;
    const double z = f->radius > 0.0 ? f->radius : 0.5 * f->width;
    memset(at, 0, 10 * sizeof(double));
    if (!(y > 0.0)) {
        return 1; // a general section: nobody knows its outline
    }
    if (f->dim == 2) {
        at[1][0] = -y;
        at[2][0] = y;
        return 3;
    }
    // in turn around the axis: corners, or the ends of the diameters along y and z
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const double diameter[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    for (int k = 0; k < 4; ++k) {
        at[1 + k][0] = y * (f->radius > 0.0 ? diameter : corner)[k][0];
        at[1 + k][1] = z * (f->radius > 0.0 ? diameter : corner)[k][1];
    }
    return 5;
}

TmlFlexSamples tml_flex_samples(const TmlModel *model, int flexible)
{
    const TmlFlexibleInfo f = tml_model_flexible(model, flexible);
    TmlFlexSamples s = {.stations = 3};
    double fibre[5][2];
    if (f.patch) {
        s.fibres = 9;
        s.stations = 2; // bottom and top
        for (int k = 0; k < 18; ++k) {
            s.xi[k][0] = 0.5 * (k % 3);
            const int row = k % 9 / 3;
            s.xi[k][1] = 0.5 * row;
            s.xi[k][2] = (k < 9 ? -0.5 : 0.5) * f.height;
        }
    } else {
        s.fibres = line_fibres(&f, fibre);
        for (int k = 0; k < 3 * s.fibres; ++k) {
            const int station = k / s.fibres;
            s.xi[k][0] = 0.5 * station;
            s.xi[k][1] = fibre[k % s.fibres][0];
            s.xi[k][2] = fibre[k % s.fibres][1];
        }
    }
    s.n = s.stations * s.fibres;
    return s;
}

void tml_flex_sample_weights(const TmlModel *model, int flexible, int element,
                             const TmlFlexSamples *s, double *weight)
{
    const TmlMesh *mesh = &model->meshes.at[flexible];
    const int n = mesh->type->nodes * mesh->type->vectors;
    for (int k = 0; k < s->n; ++k) {
        mesh->type->shape(mesh->data, model->flexes.at[mesh->flex0 + element].table, s->xi[k],
                          TML_FLEX_R, weight + k * n);
    }
}

void tml_flex_sample_outputs(const TmlSim *sim, int flexible, int element, const TmlFlexSamples *s,
                             double *value)
{
    const int n = tml_mesh_outputs(&tml_sim_model(sim)->meshes.at[flexible]);
    for (int k = 0; k < s->n; ++k) {
        tml_row_element_outputs(sim, flexible, element, s->xi[k], value + k * n);
    }
}
