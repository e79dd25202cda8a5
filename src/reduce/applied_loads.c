/* reduce/applied_loads.c - what load cases do to a floating frame and to modes, (ML1) of model/modal/part.h.
 *
 * An acceleration a is a load of the moments: F = m a, T_0 = P_0 x a, q_j = P_j . a, T_j = P_j x a.
 */
#include "reduce/applied_loads.h"

#include "base/arena.h"
#include "math/array.h"
#include "math/vec3.h"

/* All nodes moved by a: what an acceleration a of the mass pushes with is M times that. */
static TmlStatus weight(const TmlFeMatrices *fe, TmlVec3 a, double *f, TmlError *err)
{
    double *moved = tml_mem_zalloc((size_t)fe->n, sizeof *moved);
    if (moved == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a load case");
    }
    for (int k = 0; k < fe->n_nodes; ++k) {
        if (fe->first[k + 1] > fe->first[k]) {
            v3_put(moved + fe->first[k], a);
        }
    }
    tml_csc_lower_mul(&fe->M, 1, moved, f);
    tml_mem_free(moved);
    return TML_OK;
}

TmlStatus tml_applied_forces(const TmlFeMatrices *fe, const TmlAppliedLoad *l, double *f,
                             TmlError *err)
{
    if (v3_norm(l->acceleration) > 0.0) {
        TML_TRY(weight(fe, l->acceleration, f, err));
    }
    for (int k = 0; k < l->n_nodes; ++k) {
        double *to = f + fe->first[l->node[k]];
        v3_put(to, v3_add(v3_at(to), l->force[k]));
    }
    return TML_OK;
}

/* --- what the unknowns of a modal body feel ----------------------------------------------------- */

/* A force at x, which the modes move by phi (`stride` numbers from one mode to the next). */
static void add_force(int m, TmlVec3 x, TmlVec3 f, const double *phi, size_t stride,
                      TmlPartLoad *to, double *mode, double *turn)
{
    to->force = v3_add(to->force, f);
    to->torque = v3_add(to->torque, v3_cross(x, f));
    for (int j = 0; j < m; ++j) {
        const TmlVec3 moved = v3_at(phi + (size_t)j * stride);
        mode[j] += v3_dot(moved, f);
        v3_put(turn + 3 * j, v3_add(v3_at(turn + 3 * j), v3_cross(moved, f)));
    }
}

static void add_wrench(const TmlPart *part, const TmlLoadWrench *w, TmlPartLoad *to, double *mode,
                       double *turn)
{
    const TmlPartFrame *frame = &part->frame[w->interface];
    add_force(part->m, frame->x, w->force, frame->phi, 3, to, mode, turn);
    to->torque = v3_add(to->torque, w->torque);
    for (int j = 0; j < part->m; ++j) {
        mode[j] += v3_dot(v3_at(frame->psi + 3 * j), w->torque);
    }
}

static void add_acceleration(const TmlPart *part, TmlVec3 a, TmlPartLoad *to, double *mode,
                             double *turn)
{
    to->force = v3_axpy(part->mass, a, to->force);
    to->torque = v3_add(to->torque, v3_cross(v3_at(part->P), a));
    for (int j = 0; j < part->m; ++j) {
        const TmlVec3 P = v3_at(part->P + 3 * (j + 1));
        mode[j] += v3_dot(P, a);
        v3_put(turn + 3 * j, v3_add(v3_at(turn + 3 * j), v3_cross(P, a)));
    }
}

TmlStatus tml_part_loads(const TmlFeMatrices *fe, int n, const TmlAppliedLoad *load,
                         const double *u, TmlArena *arena, TmlPart *part, TmlError *err)
{
    const size_t m = (size_t)part->m;
    TmlPartLoad *list;
    TML_NEW(arena, list, n + 1);
    for (int l = 0; l < n; ++l) { // (ML1)
        double *mode, *turn;
        TML_NEW(arena, mode, m + 1);
        TML_NEW(arena, turn, 3 * m + 1);
        add_acceleration(part, load[l].acceleration, &list[l], mode, turn);
        for (int k = 0; k < load[l].n_wrenches; ++k) {
            add_wrench(part, &load[l].wrench[k], &list[l], mode, turn);
        }
        for (int k = 0; k < load[l].n_nodes; ++k) {
            const int node = load[l].node[k];
            add_force(part->m, v3_sub(fe->x[node], part->origin), load[l].force[k],
                      u + fe->first[node], (size_t)fe->n, &list[l], mode, turn);
        }
        list[l].mode = mode;
        list[l].turn = turn;
        list[l].name = tml_arena_strdup(arena, load[l].name);
        if (list[l].name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    part->n_loads = n;
    part->load = list;
    return TML_OK;
}
