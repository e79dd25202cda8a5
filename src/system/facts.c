/* system/facts.c - what a system tells those above it, which do not see its fields. */
#include "system/contact/touching.h"
#include "system/redundancy/share.h"

#include "math/vec3.h"
#include "model/measure/past.h"

#include <math.h>
#include <string.h>

const TmlModel *tml_system_model(const TmlSystem *sys)
{
    return sys->model;
}

/* --- kinds of models -------------------------------------------------------------------------- */

bool tml_system_is_flexible(const TmlSystem *sys)
{
    return sys->flex != NULL || sys->modal != NULL;
}

bool tml_system_has_meshes(const TmlSystem *sys)
{
    return sys->flex != NULL;
}

bool tml_system_is_redundant(const TmlSystem *sys)
{
    return sys->share != NULL;
}

bool tml_system_is_delayed(const TmlSystem *sys)
{
    return sys->past != NULL;
}

const char *tml_system_singular_start(const TmlSystem *sys)
{
    return sys->singular_start;
}

bool tml_system_needs_solution(const TmlSystem *sys)
{
    bool need = sys->reads_acceleration;
    for (int k = 0; k < sys->dim.nv + sys->dim.nf; ++k) {
        const TmlEquation *eq = &sys->equation[sys->dim.nx + k];
        if (k < sys->dim.nv && sys->model->variables.at[k].adjusted) {
            continue; // a constant
        }
        need = need || !sys->settled[k];
        for (int i = 0; i < eq->binding->n_unknowns; ++i) {
            const int at = eq->offset[i];
            const int lambda = 3 * sys->dim.nq, states = lambda + sys->dim.m_all;
            const bool state = at >= states && at < states + sys->dim.nx,
                       settled = at >= states + 2 * sys->dim.nx;
            need = need || (at >= 0 && !state && !settled);
        }
    }
    return need;
}

/* --- memory and accounts ---------------------------------------------------------------------- */

TmlArena *tml_system_arena(TmlSystem *sys)
{
    return &sys->arena;
}

double *tml_system_scratch(const TmlSystem *sys)
{
    return sys->scratch;
}

size_t tml_system_reserved(const TmlSystem *sys)
{
    size_t bytes = sys->arena.reserved;
    for (int k = 0; k < TML_MATRIX_COUNT; ++k) {
        bytes += sys->matrix[k].arena.reserved;
    }
    return bytes;
}

TmlSystemStats tml_system_stats(const TmlSystem *sys)
{
    return sys->stats;
}

void tml_system_set_stats(TmlSystem *sys, TmlSystemStats stats)
{
    sys->stats = stats;
}

const double *tml_system_memory(const TmlSystem *sys, int *n)
{
    *n = sys->n_memory;
    return sys->memory;
}

void tml_system_set_memory(TmlSystem *sys, const double *memory)
{
    if (sys->n_memory > 0) {
        memcpy(sys->memory, memory, (size_t)sys->n_memory * sizeof *memory);
    }
    if (sys->touching != NULL) {
        tml_touching_remember(sys);
    }
}

/* --- matrices --------------------------------------------------------------------------------- */

const TmlCsc *tml_system_matrix(const TmlSystem *sys, TmlMatrixKind kind)
{
    return &sys->matrix[kind].K;
}

TmlCsc *tml_system_matrix_to_change(TmlSystem *sys, TmlMatrixKind kind)
{
    return &sys->matrix[kind].K;
}

bool tml_system_has_stage(const TmlSystem *sys)
{
    return sys->matrix[TML_MATRIX_STAGE].blocks != NULL;
}

bool tml_system_is_factored(const TmlSystem *sys, TmlFactors which)
{
    return sys->factored[which];
}

void tml_system_drop_factors(TmlSystem *sys, TmlFactors which)
{
    sys->factored[which] = false;
}

bool tml_system_out_of_memory(const TmlSystem *sys)
{
    return sys->out_of_memory;
}

void tml_system_memory_again(TmlSystem *sys)
{
    sys->out_of_memory = false;
}

int tml_system_sign(const TmlSystem *sys, TmlFactors which)
{
    return tml_lu_sign(sys->inverse[which].lu);
}

const TmlLuInfo *tml_system_lu_info(const TmlSystem *sys, TmlFactors which)
{
    return sys->inverse[which].lu != NULL ? tml_lu_info(sys->inverse[which].lu) : NULL;
}

const double *tml_system_inverse_mass(const TmlSystem *sys)
{
    return sys->inverse_mass;
}

/* --- rows of constraints ---------------------------------------------------------------------- */

TmlRowPlace tml_system_row(const TmlSystem *sys, int row)
{
    const int c = sys->row_owner[row], k = row - sys->constraint[c].row0;
    return (TmlRowPlace){sys->row_unknown[row], (sys->pfaffian[c] >> k & 1u) != 0};
}

void tml_system_scale_rows(const TmlSystem *sys, double position, double velocity, double *r)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            if (row >= 0) {
                r[sys->dim.nu + row] /= (sys->pfaffian[c] >> k & 1u) != 0 ? velocity : position;
            }
        }
    }
}

int tml_row_unknown(const TmlSystem *sys, int row)
{
    return sys->row_unknown[row];
}

int tml_constraint_row(const TmlSystem *sys, int c, int k)
{
    return sys->constraint[c].row0 + k;
}

void tml_system_add_redundant(TmlSystem *sys, const TmlState *s, double *r)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n && sys->dim.m < sys->dim.m_all; ++c) {
        const int n = m->constraints.at[c].n_ends, row0 = sys->constraint[c].row0;
        const double *Ju = tml_constraint_rows(sys, c, s->t);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            for (int e = 0; e < n && sys->row_unknown[row0 + k] < 0; ++e) {
                const TmlParts *parts = tml_end_parts(sys, sys->constraint[c].end0 + e);
                const double *x = Ju + (size_t)(k * n + e) * (size_t)sys->stride;
                for (int i = 0; i < parts->cols; ++i) {
                    r[tml_parts_unknown(sys, parts, i)] += s->lambda[row0 + k] * x[i];
                }
            }
        }
    }
}

/* --- at the last kinematics or residual --------------------------------------------------------- */

const TmlFrameKin *tml_body_motion(const TmlSystem *sys, int body)
{
    return &sys->body[body].k;
}

TmlPace tml_body_pace(const TmlSystem *sys, int body)
{
    const TmlFrameKin *k = &sys->body[body].k;
    const bool place = sys->dim.span[body].lengths > 0;
    const double length = place ? sys->dim.length : 1.0;
    return (TmlPace){
        .rate = fmax(v3_norm(k->v) / length, v3_norm(k->omega)),
        .acceleration = fmax(v3_norm(k->a) / length, v3_norm(k->alpha)),
        .way = place ? v3_norm(k->r) / length : 0.0,
    };
}

TmlVec3 tml_system_gravity(const TmlSystem *sys)
{
    return sys->gravity;
}

uint64_t tml_system_motion(const TmlSystem *sys)
{
    return sys->motion;
}

TmlPower tml_system_power(const TmlSystem *sys)
{
    return sys->power;
}

double tml_system_largest_force(const TmlSystem *sys)
{
    double force = 0.0;
    for (int k = 0; k < sys->n_ends_loop; ++k) {
        if (sys->end[k].body != TML_GROUND) {
            force = fmax(force, v3_norm(sys->wrench[k].r));
            force = fmax(force, v3_norm(sys->wrench[k].theta) / sys->dim.length);
        }
    }
    return force;
}

/* --- time ------------------------------------------------------------------------------------- */

bool tml_system_is_beyond(const TmlSystem *sys, double t)
{
    return t > sys->latest;
}

TmlPast *tml_system_past(const TmlSystem *sys, int k)
{
    return &sys->past[k];
}
