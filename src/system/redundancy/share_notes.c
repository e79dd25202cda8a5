/* system/redundancy/share_notes.c - which equations depend on how open reactions are shared.
 *
 * An equation depends on it when its gradient by the multipliers has a part along a null vector. A
 * gradient may vanish where the model stands (friction without slip or load), so multipliers and
 * velocities are drawn by lot.
 */
#include "system/redundancy/share.h"

#include "base/fail.h"
#include "system/redundancy/name_list.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 3 };

/* Open parts of a gradient that are smaller, relative to it, are rounding. */
static const double least_gradient = 1e-6;

static double by_lot(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

/* Draws velocities of the size of the model a second, and multipliers of the size of a weight. */
static void draw(const TmlSystem *sys, const TmlState *s, uint64_t *seed, TmlState *out)
{
    const TmlVec3 g = sys->gravity;
    const double a = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    const double load = sys->dim.mass * (a > 0.0 ? a : sys->dim.length);
    tml_state_copy(sys, s, out);
    for (int k = 0; k < sys->dim.nq; ++k) {
        out->v[k] = by_lot(seed) * sys->dim.unit_q[k];
    }
    tml_system_retract_velocity(sys, out->q, out->v);
    for (int k = 0; k < sys->dim.m_all; ++k) {
        out->lambda[k] = by_lot(seed) * load;
    }
}

/* Tells whether equation k depends on what the loop leaves open, at the last kinematics. */
static bool depends(TmlSystem *sys, const TmlState *s, int k, const TmlShareGroup *group)
{
    TmlShare *share = sys->share;
    const TmlEquation *eq = &sys->equation[k];
    double u[TML_BIND_MAX_UNKNOWNS], gu[TML_BIND_MAX_UNKNOWNS], size = 0.0, open = 0.0;
    TmlRow gq[TML_MAX_ENDS], gv[TML_MAX_ENDS], ga[TML_MAX_ENDS];
    TmlBindGrad grad = {.q = gq, .v = gv, .a = ga, .u = gu};
    const TmlBindIn in = tml_equation_in(sys, s, eq, u);
    tml_binding_gradient(eq->binding, &in, &grad);
    memset(share->g, 0, (size_t)share->n_rows * sizeof *share->g);
    for (int i = 0; i < eq->binding->n_unknowns; ++i) {
        const int r = tml_share_row(sys, eq, i);
        if (r >= group->row0 && r < group->row0 + group->n_rows) {
            share->g[r] += gu[i] / share->size[r];
        }
    }
    tml_share_open_part(share, share->g, share->n_g);
    for (int r = group->row0; r < group->row0 + group->n_rows; ++r) {
        size = fmax(size, fabs(share->g[r]));
        open = fmax(open, fabs(share->n_g[r]));
    }
    return open > least_gradient * size;
}

/* Marks the equations that the motion depends on in matters[nx + nv + nf]: forces, states, and the
 * variables that these read. */
static void find_matters(const TmlSystem *sys, bool *matters)
{
    const int n = sys->dim.nx + sys->dim.nv + sys->dim.nf,
              v0 = sys->dim.size - sys->dim.nv - sys->dim.nf;
    bool more = true;
    for (int k = 0; k < n; ++k) {
        matters[k] =
            k < sys->dim.nx || k >= sys->dim.nx + sys->dim.nv || tml_equation_is_implicit(sys, k);
    }
    while (more) {
        more = false;
        for (int k = 0; k < n; ++k) {
            const TmlEquation *eq = &sys->equation[k];
            for (int i = 0; matters[k] && i < eq->binding->n_unknowns; ++i) {
                const int v = eq->offset[i] - v0;
                if (v >= 0 && v < sys->dim.nv && !matters[sys->dim.nx + v]) {
                    matters[sys->dim.nx + v] = more = true;
                }
            }
        }
    }
}

static const char *owner_of(const TmlSystem *sys, int k)
{
    const TmlModel *m = sys->model;
    if (k < sys->dim.nx) {
        return m->states.at[k].name;
    }
    if (k < sys->dim.nx + sys->dim.nv) {
        return m->variables.at[k - sys->dim.nx].name;
    }
    int f = 0;
    while (f + 1 < m->forces.n && sys->force[f + 1].row0 <= k - sys->dim.nx - sys->dim.nv) {
        ++f;
    }
    return m->forces.at[f].name;
}

/* Writes one note for each loop. told[nx + nv + nf] marks the equations that depend on it. */
static void tell_loop(const TmlSystem *sys, const TmlShareGroup *group, const bool *told,
                      TmlNotes *notes)
{
    char who[512], joints[512];
    TmlNameList names = tml_name_list_begin(who, sizeof who);
    TmlNameList read = tml_name_list_begin(joints, sizeof joints);
    const char *last = "";
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        const char *name = told[k] ? owner_of(sys, k) : last;
        if (strcmp(name, last) != 0) {
            tml_name_list_add(&names, name);
            last = name;
        }
    }
    for (int c = 0; c < group->n_constraints; ++c) {
        const int joint = group->constraint[c];
        bool reads = false;
        for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
            const TmlEquation *eq = &sys->equation[k];
            for (int i = 0; told[k] && i < eq->binding->n_unknowns; ++i) {
                const int row = eq->offset[i] - 3 * sys->dim.nq - sys->constraint[joint].row0;
                reads = reads || (row >= 0 && row < sys->model->constraints.at[joint].type->rows);
            }
        }
        if (reads) {
            tml_name_list_add(&read, sys->model->constraints.at[joint].name);
        }
    }
    if (names.n > 0) {
        tml_notes_add(notes,
                      "%s depend%s on reactions of %s, which redundant joints leave open: they are "
                      "shared so that the sum of the squares of all forces, and of torques over "
                      "%.4g m, is least; bodies and joints that give way would share them "
                      "otherwise, and the motion depends on it",
                      who, names.n == 1 ? "s" : "", joints, group->length);
    }
}

static TmlStatus tell_in(TmlSystem *sys, const TmlState *s, TmlArena *arena, TmlNotes *notes,
                         TmlError *err)
{
    const TmlShare *share = sys->share;
    const int n = sys->dim.nx + sys->dim.nv + sys->dim.nf;
    TmlState drawn;
    bool *matters, *told;
    uint64_t seed = 5;
    TML_NEW(arena, matters, n);
    TML_NEW(arena, told, (size_t)n * (size_t)share->n_groups);
    TML_TRY(tml_state_create_in(sys, arena, &drawn, err));
    find_matters(sys, matters);
    for (int d = 0; d < DRAWS; ++d) {
        draw(sys, s, &seed, &drawn);
        tml_system_kinematics(sys, &drawn, false);
        for (int k = 0; k < n; ++k) {
            for (int i = share->first_read[k]; matters[k] && i < share->first_read[k + 1]; ++i) {
                const int loop = share->read[i];
                told[loop * n + k] |= depends(sys, &drawn, k, &share->group[loop]);
            }
        }
    }
    for (int loop = 0; loop < share->n_groups; ++loop) {
        tell_loop(sys, &share->group[loop], told + (size_t)loop * (size_t)n, notes);
    }
    tml_system_kinematics(sys, s, false);
    return TML_OK;
}

TmlStatus tml_share_tell(TmlSystem *sys, const TmlState *s, TmlNotes *notes, TmlError *err)
{
    if (sys->share == NULL ||
        sys->share->first_read[sys->dim.nx + sys->dim.nv + sys->dim.nf] == 0) {
        return TML_OK;
    }
    TmlArena scratch = {0};
    const TmlStatus status = tell_in(sys, s, &scratch, notes, err);
    tml_arena_free(&scratch);
    return status;
}
