/* reduce/stiffening.c - geometric stiffness of modes, from stresses of unit loads. */
#include "reduce/stiffening.h"

#include "math/array.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "reduce/basis/held_part.h"
#include "reduce/mesh/assemble.h"
#include "reduce/mesh/mass_points.h"

#include <math.h>
#include <string.h>

/* The part held at an interface, or floating against its own inertia (-1). */
static TmlStatus hold(const TmlTied *t, int interface, TmlArena *scratch, TmlHeld *out,
                      TmlError *err)
{
    const size_t n = (size_t)t->n;
    if (interface < 0) {
        return tml_held_create(t, NULL, 6, t->MR, out, err);
    }
    const TmlTiedFrame *frame = &t->frame[interface];
    double *rows;
    TML_NEW(scratch, rows, n * (size_t)frame->count);
    for (int c = 0; c < frame->count; ++c) {
        if (frame->at >= 0) {
            rows[(size_t)c * n + (size_t)(frame->at + c)] = 1.0;
        } else {
            memcpy(rows + (size_t)c * n, t->D + (size_t)(frame->row + c) * n, n * sizeof *rows);
        }
    }
    return tml_held_create(t, NULL, frame->count, rows, out, err);
}

/* (GS2): F[m] by the static answer q to the load f. */
static TmlStatus load_on_modes(const TmlModes *modes, const double *f, const double *q, double *Kq,
                               double *F, TmlError *err)
{
    const TmlTied *t = modes->t;
    double of_load = 0.0, of_stress = 0.0;
    tml_csc_lower_mul(&t->K, 1, q, Kq);
    for (int i = 0; i < t->n; ++i) {
        of_load = fmax(of_load, fabs(f[i]));
        of_stress = fmax(of_stress, fabs(Kq[i]));
    }
    // what inertia bears without a stress is left as roundings of the solution
    if (!(of_stress > 1e-9 * of_load)) {
        return tml_fail(
            err, TML_E_MODEL,
            "it causes no stresses; 'held' must name an interface that supports the load");
    }
    tml_dense_mul(true, false, modes->m, 1, t->n, 1.0, modes->V, Kq, 0.0, F);
    return TML_OK;
}

/* (GS3): what part of the energy of the static answer q to the load f the modes have. */
static double share_of_modes(const TmlModes *modes, const double *f, const double *q)
{
    const int n = modes->t->n;
    const double whole = vec_dot(n, f, q);
    double share = 0.0;
    for (int j = 0; j < modes->m; ++j) {
        const double push = vec_dot(n, f, modes->V + (size_t)j * (size_t)n);
        share += push * push / modes->w2[j];
    }
    return whole > 0.0 ? share / whole : 1.0;
}

/* (GS1) of the static answer to a load on all freedoms of the nodes, and on q. K: m x m; F: m, NULL: not asked for. */
static TmlStatus stiffness_of(const TmlModes *modes, TmlHeld *held, const double *load,
                              const double *on_q, const double *u, double *K, double *F,
                              TmlSpinShare *share, TmlError *err)
{
    const TmlTied *t = held->t;
    const TmlFeMatrices *fe = t->fe;
    const int m = modes->m;
    TmlArena scratch = {0};
    TmlCsc Kg;
    double *f = tml_arena_alloc(&scratch, (size_t)t->n, sizeof *f);
    double *q = tml_arena_alloc(&scratch, (size_t)t->n, sizeof *q);
    double *full = tml_arena_alloc(&scratch, (size_t)(fe->n > t->n ? fe->n : t->n), sizeof *full);
    double *KU = tml_arena_alloc(&scratch, (size_t)fe->n * (size_t)m + 1, sizeof *KU);
    TmlStatus status = f != NULL && q != NULL && full != NULL && KU != NULL
                           ? TML_OK
                           : tml_fail(err, TML_E_NOMEM, "out of memory for a load case");
    if (status == TML_OK) {
        tml_csc_mul(&t->Tt, load, f);
        for (int i = 0; i < t->n && on_q != NULL; ++i) {
            f[i] += on_q[i];
        }
        status = tml_held_solve(held, 1, f, NULL, q, err);
    }
    if (status == TML_OK && F != NULL) {
        status = load_on_modes(modes, f, q, full, F, err);
    }
    if (status == TML_OK && share != NULL) {
        *share = (TmlSpinShare){vec_dot(t->n, f, q), share_of_modes(modes, f, q)};
    }
    if (status == TML_OK) {
        tml_tied_expand(t, q, full);
        status = tml_fe_geometric(fe, full, &scratch, &Kg, err);
    }
    if (status == TML_OK) {
        tml_csc_lower_mul(&Kg, m, u, KU);
        tml_dense_mul(true, false, m, m, fe->n, 1.0, u, KU, 0.0, K);
        for (int j = 0; j < m; ++j) {
            for (int i = 0; i < j; ++i) {
                double *a = &K[(size_t)j * (size_t)m + (size_t)i];
                double *b = &K[(size_t)i * (size_t)m + (size_t)j];
                *a = *b = 0.5 * (*a + *b);
            }
        }
    }
    tml_arena_free(&scratch);
    return status;
}

/* rho (tr(W) x - W x), W the coefficient of case c in w w^T. */
static TmlMat33 centrifugal_matrix(int c)
{
    static const TmlMat33 W[6] = {
        {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}},
        {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}};
    const double trace = c < 3 ? 1.0 : 0.0;
    const TmlMat33 diagonal = m3_diag(trace, trace, trace);
    return m3_axpy(-1.0, &W[c], &diagonal);
}

void tml_centrifugal_forces(const TmlFeMatrices *fe, TmlVec3 origin, int c, double *f)
{
    const TmlMat33 B = centrifugal_matrix(c);
    tml_fe_load(fe, &B, v3_neg(m3_mulv(&B, origin)), f);
}

TmlStatus tml_part_centrifugal(const TmlModes *modes, int frame, const double *u, TmlArena *arena,
                               TmlPart *part, TmlSpinShare share[6], TmlError *err)
{
    const TmlTied *t = modes->t;
    const size_t square = (size_t)modes->m * (size_t)modes->m;
    TmlArena scratch = {0};
    TmlHeld held = {0};
    double *K, *load;
    TML_NEW(arena, K, 6 * square + 1);
    TmlStatus status = hold(t, frame, &scratch, &held, err);
    for (int c = 0; c < 6 && status == TML_OK; ++c) {
        load = tml_arena_alloc(&scratch, (size_t)t->fe->n, sizeof *load);
        if (load == NULL) {
            status = tml_fail(err, TML_E_NOMEM, "out of memory for a load case");
            break;
        }
        tml_centrifugal_forces(t->fe, part->origin, c, load);
        status =
            stiffness_of(modes, &held, load, NULL, u, K + (size_t)c * square, NULL, &share[c], err);
    }
    tml_held_free(&held);
    tml_arena_free(&scratch);
    part->centrifugal = status == TML_OK ? K : NULL;
    return status;
}

/* Force and torque of a load case on q. */
static void add_wrench(const TmlTied *t, const TmlLoadCase *l, double *f)
{
    if (l->interface < 0) {
        return;
    }
    const TmlTiedFrame *frame = &t->frame[l->interface];
    const double wrench[6] = {l->force.x,  l->force.y,  l->force.z,
                              l->torque.x, l->torque.y, l->torque.z};
    for (int c = 0; c < frame->count; ++c) {
        if (frame->at >= 0) {
            f[frame->at + c] += wrench[c];
            continue;
        }
        const double *row = t->D + (size_t)(frame->row + c) * (size_t)t->n;
        for (int i = 0; i < t->n; ++i) {
            f[i] += wrench[c] * row[i];
        }
    }
}

static TmlStatus load_case(const TmlModes *modes, const TmlLoadCase *l, const double *u, double *K,
                           double *F, TmlError *err)
{
    const TmlTied *t = modes->t;
    const TmlMat33 zero = m3_diag(0, 0, 0);
    TmlArena scratch = {0};
    TmlHeld held = {0};
    double *load = tml_arena_alloc(&scratch, (size_t)t->fe->n, sizeof *load);
    double *f = tml_arena_alloc(&scratch, (size_t)t->n, sizeof *f);
    TmlStatus status = load != NULL && f != NULL ? hold(t, l->held, &scratch, &held, err)
                                                 : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status == TML_OK) {
        tml_fe_load(t->fe, &zero, l->acceleration, load);
        add_wrench(t, l, f);
        status = stiffness_of(modes, &held, load, f, u, K, F, NULL, err);
    }
    tml_held_free(&held);
    tml_arena_free(&scratch);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "load case '%s'", l->name);
}

TmlStatus tml_part_load_cases(const TmlModes *modes, int n, const TmlLoadCase *load,
                              const double *u, TmlArena *arena, TmlPart *part, TmlError *err)
{
    const size_t square = (size_t)modes->m * (size_t)modes->m;
    TmlPartStiffening *list;
    TML_NEW(arena, list, n + 1);
    for (int k = 0; k < n; ++k) {
        double *K, *F;
        TML_NEW(arena, K, square + 1);
        TML_NEW(arena, F, modes->m + 1);
        TML_TRY(load_case(modes, &load[k], u, K, F, err));
        list[k] = (TmlPartStiffening){tml_arena_strdup(arena, load[k].name), K, F};
        if (list[k].name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    part->n_stiffening = n;
    part->stiffening = list;
    return TML_OK;
}
