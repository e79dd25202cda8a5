/* system/elements.c - what bodies, joints and forces tell one by one, without their types. */
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "model/modal/modal.h"
#include "system/system_internal.h"

#include <string.h>

/* --- bodies ----------------------------------------------------------------------------------- */

const char *tml_body_name(const TmlSystem *sys, int body)
{
    return sys->model->bodies.at[sys->dim.span[body].owner].name;
}

TmlTriple tml_triple(const TmlSystem *sys, int body, bool rotation)
{
    const TmlDims *dim = tml_dims(sys);
    const int first = dim->span[body].u0 + (rotation ? 3 : 0),
              left = dim->span[body + 1].u0 - first;
    return (TmlTriple){first,
                       left < 0   ? 0
                       : left < 3 ? left
                                  : 3,
                       body,
                       rotation,
                       dim->span[body].scalars,
                       2 * body + (rotation ? 1 : 0)};
}

TmlTriple tml_triple_of(const TmlSystem *sys, int body, int unknown)
{
    return tml_triple(sys, body, unknown - tml_dims(sys)->span[body].u0 >= 3);
}

TmlQuat tml_body_orientation(const TmlSystem *sys, const TmlState *s, int body)
{
    const double *q = s->q + sys->dim.span[body].q0;
    return sys->model->bodies.at[body].type->turns ? (TmlQuat){q[3], q[4], q[5], q[6]}
                                                   : (TmlQuat){1, 0, 0, 0};
}

void tml_body_turn(const TmlSystem *sys, double *q, int body, TmlVec3 theta)
{
    if (sys->model->bodies.at[body].type->turns) {
        double *p = q + sys->dim.span[body].q0 + 3;
        const TmlQuat by = q4_mul(q4_exp(theta), (TmlQuat){p[0], p[1], p[2], p[3]});
        memcpy(p, &by, sizeof by);
    }
}

/* --- flexible bodies -------------------------------------------------------------------------- */

int tml_flex_count(const TmlSystem *sys)
{
    return sys->model->meshes.n;
}

const char *tml_flex_name(const TmlSystem *sys, int mesh)
{
    return sys->model->meshes.at[mesh].name;
}

int tml_flex_body(const TmlSystem *sys, int mesh)
{
    return sys->model->meshes.at[mesh].body;
}

int tml_flex_nodes(const TmlSystem *sys, int mesh)
{
    return sys->model->meshes.at[mesh].n_nodes;
}

int tml_flex_vectors(const TmlSystem *sys, int mesh)
{
    return sys->model->meshes.at[mesh].type->vectors;
}

int tml_flex_element(const TmlSystem *sys, int mesh, int element)
{
    return sys->model->meshes.at[mesh].flex0 + element;
}

/* --- joints ----------------------------------------------------------------------------------- */

const TmlFrameKin *tml_joint_motion(const TmlSystem *sys, int joint, int *n)
{
    *n = sys->model->constraints.at[joint].n_ends;
    return &sys->kin[sys->constraint[joint].end0];
}

bool tml_joint_is_unique(const TmlSystem *sys, int joint)
{
    const int rows = sys->model->constraints.at[joint].type->rows;
    bool unique = true;
    for (int k = 0; k < rows && sys->not_unique != NULL; ++k) {
        unique = unique && !sys->not_unique[sys->constraint[joint].row0 + k];
    }
    return unique;
}

bool tml_system_is_driven(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    bool any = false;
    for (int c = 0; c < m->constraints.n; ++c) {
        any = any || m->constraints.at[c].type->rate != NULL;
    }
    return any;
}

bool tml_system_is_conservative(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    bool any = m->forces.n > 0 || m->contacts.n > 0 || tml_system_is_driven(sys);
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        any = any || mesh->data->material.damping > 0.0 ||
              mesh->data->material.slope_damping > 0.0 || mesh->data->material.mass_damping > 0.0 ||
              mesh->data->transport != 0.0 || mesh->load != NULL;
    }
    for (int k = 0; k < m->modals.n; ++k) {
        any = any || m->modals.at[k].D != NULL;
    }
    return !any;
}

bool tml_system_lacks_stage(const TmlSystem *sys, const char **joint, const char **type)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (m->constraints.at[c].type->gamma_tangent == NULL) {
            *joint = m->constraints.at[c].name;
            *type = m->constraints.at[c].type->info.name;
            return true;
        }
    }
    return false;
}

/* --- forces ----------------------------------------------------------------------------------- */

const char *tml_force_name(const TmlSystem *sys, int force)
{
    return sys->model->forces.at[force].name;
}

TmlRow tml_force_wrench(const TmlSystem *sys, const TmlState *s, int force, TmlMat33 *axes)
{
    const TmlForce *f = &sys->model->forces.at[force];
    const TmlElementIn in = tml_force_in(sys, s, force);
    TmlRow w[TML_MAX_ENDS];
    f->type->wrench(&in, w);
    const int last = f->n_ends - 1;
    *axes = in.e[last].A;
    for (int e = 0; f->type->ends == TML_ENDS_MODAL && e < last; ++e) {
        if (f->end[e].body == f->end[last].body) { // points of the same body
            const TmlVec3 d = v3_sub(in.e[e].r, in.e[last].r);
            w[last].r = v3_add(w[last].r, w[e].r);
            w[last].theta = v3_add(w[last].theta, v3_add(w[e].theta, v3_cross(d, w[e].r)));
        }
    }
    return w[last];
}

bool tml_force_output(const TmlSystem *sys, const TmlState *s, int force, int index,
                      TmlForceOutput *out)
{
    enum { MOST = 256 };
    const TmlForceType *type = sys->model->forces.at[force].type;
    double all[MOST];
    int n = 0;
    while (type->info.outputs != NULL && type->info.outputs[n].name != NULL) {
        ++n;
    }
    if (index < 0 || index >= n || n > MOST) {
        return false;
    }
    out->name = type->info.outputs[index].name;
    out->unit = type->info.outputs[index].unit;
    if (s != NULL) {
        const TmlElementIn in = tml_force_in(sys, s, force);
        type->output(&in, all);
        out->value = all[index];
    }
    return true;
}
