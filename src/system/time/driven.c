/* system/time/driven.c - what a drive does: its coordinate, and the force along it.
 *
 * A drive is a row phi(s, g) = 0 that makes the coordinate s follow g(t), phi_s = -phi_g where it holds. Joints put the
 * force -phi_q^T lambda on the bodies, so that along s
 *
 *   (N1)  f = -phi_s lambda = phi_g lambda,   power f g'                                                      own
 */
#include "system/system_internal.h"

bool tml_system_is_drive(const TmlSystem *sys, int constraint)
{
    return sys->model->constraints.at[constraint].type->drive != NULL;
}

bool tml_system_driven(TmlSystem *sys, const TmlState *s, const double *lambda, int constraint,
                       TmlDriven *out)
{
    const TmlConstraintType *type = sys->model->constraints.at[constraint].type;
    double g[3];
    if (type->drive == NULL) {
        return false;
    }
    const TmlElementIn in = tml_constraint_in(sys, constraint, s->t);
    const double slope = type->drive(&in, g);
    *out = (TmlDriven){.value = g[0],
                       .rate = g[1],
                       .second = g[2],
                       .force = slope * lambda[sys->constraint[constraint].row0], // (N1)
                       .length = tml_constraint_row_is_length(sys, constraint, 0, s->t)};
    return true;
}
