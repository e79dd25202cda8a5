/* model/modal/modal_prepare.c - the arrays of a modal body from its part and its options.
 *
 * What is left out or added is so in the arrays (MO2), never in single formulas: energy stays balanced.
 *
 *   (MO9)  centrifugal stiffness is foreshortening: J_ab of modes i, j loses K_ab,ij, K_ab by w_a w_b. In G_ij that is
 *          1/2 tr(D) 1 - D,  D_aa = -K_aa,ij,  D_ab = -K_ab,ij / 2
 *   (MO15) a mode above the limit w has the modal mass K_jj / w^2: its answer to slow loads is the static one, and nothing is faster
 */
#include "model/modal/modal.h"

#include <math.h>
#include <string.h>

/* A coordinate is the largest displacement of its mode, or what its largest rotation does over the size of the part, if
 * that is more. */
static TmlStatus choose_scales(TmlModal *b, TmlArena *arena, TmlError *err)
{
    TML_NEW(arena, b->scale, b->m);
    for (int j = 0; j < b->m; ++j) {
        const double most = fmax(b->part->largest[j], b->part->size * b->part->turning[j]);
        b->scale[j] = most > 0.0 ? most : 1.0;
    }
    return TML_OK;
}

/* A symmetric matrix of the part, m x m, for the body's coordinates. */
static TmlStatus scaled(const TmlModal *b, const double *of, TmlArena *arena, double **out,
                        TmlError *err)
{
    const size_t m = (size_t)b->m;
    TML_NEW(arena, *out, m * m);
    for (size_t k = 0; k < m * m; ++k) {
        (*out)[k] = of[k] / (b->scale[k / m] * b->scale[k % m]);
    }
    return TML_OK;
}

/* A vector for each of the modes. */
static TmlStatus scaled_vectors(const TmlModal *b, const double *of, TmlArena *arena, double **out,
                                TmlError *err)
{
    TML_NEW(arena, *out, 3 * (size_t)b->m);
    for (int k = 0; k < 3 * b->m; ++k) {
        (*out)[k] = of[k] / b->scale[k / 3];
    }
    return TML_OK;
}

static TmlStatus take_moments(TmlModal *b, TmlArena *arena, TmlError *err)
{
    const size_t n = (size_t)b->m + 1;
    TML_NEW(arena, b->P, 3 * n);
    TML_NEW(arena, b->G, 9 * n * n);
    for (size_t i = 0; i < n; ++i) {
        const double of_i = i > 0 ? b->scale[i - 1] : 1.0;
        for (size_t k = 0; k < 3; ++k) {
            b->P[3 * i + k] = b->part->P[3 * i + k] / of_i;
        }
        for (size_t j = 0; j < n; ++j) {
            const double of_j = j > 0 ? b->scale[j - 1] : 1.0;
            for (size_t k = 0; k < 9; ++k) {
                b->G[9 * (i * n + j) + k] = b->part->G[9 * (i * n + j) + k] / (of_i * of_j);
            }
        }
    }
    return TML_OK;
}

/* M_ij = tr(G_ij) and the rest, before anything changes G. */
static TmlStatus modal_mass(TmlModal *b, TmlArena *arena, TmlError *err)
{
    const size_t m = (size_t)b->m;
    TML_NEW(arena, b->M, m * m);
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < m; ++j) {
            const double *G = b->G + 9 * ((i + 1) * (m + 1) + j + 1);
            const double rest = b->part->rest_M != NULL ? b->part->rest_M[i * m + j] : 0.0;
            b->M[i * m + j] = G[0] + G[4] + G[8] + rest / (b->scale[i] * b->scale[j]);
        }
    }
    return TML_OK;
}

/* (MO9) of one pair of modes; `by` is the product of their scales. */
static void stiffen(const double *K, size_t mm, size_t at, double by, double G[9])
{
    const double xx = -K[at] / by, yy = -K[mm + at] / by, zz = -K[2 * mm + at] / by;
    const double xy = -0.5 * K[3 * mm + at] / by, yz = -0.5 * K[4 * mm + at] / by,
                 zx = -0.5 * K[5 * mm + at] / by;
    const double half = 0.5 * (xx + yy + zz);
    const double D[9] = {xx, xy, zx, xy, yy, yz, zx, yz, zz};
    for (int k = 0; k < 9; ++k) {
        G[k] += (k % 4 == 0 ? half : 0.0) - D[k];
    }
}

/* What the options make of the moments of second order. */
static void change_moments(TmlModal *b)
{
    const size_t m = (size_t)b->m;
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < m; ++j) {
            double *to = b->G + 9 * ((i + 1) * (m + 1) + j + 1);
            if (!b->options.second_order) {
                memset(to, 0, 9 * sizeof *to);
            } else if (b->options.stiffened) {
                stiffen(b->centrifugal, m * m, i * m + j, b->scale[i] * b->scale[j], to);
            }
        }
    }
}

/* By a ratio for every mode. */
static TmlStatus even_damping(TmlModal *b, TmlArena *arena, TmlError *err)
{
    const size_t m = (size_t)b->m;
    TML_NEW(arena, b->D, m * m);
    for (size_t j = 0; j < m; ++j) {
        const size_t jj = j * m + j;
        const double ratio = b->options.ratio != NULL ? b->options.ratio[j] : b->options.damping;
        b->D[jj] = 2.0 * ratio * sqrt(fmax(b->K[jj] * b->M[jj], 0.0));
    }
    return TML_OK;
}

/* (MO15); ratios of damping stay as they are. */
static void hold_fast_modes(TmlModal *b)
{
    const size_t m = (size_t)b->m;
    const double w = 2.0 * acos(-1.0) * b->options.limit;
    for (size_t j = 0; j < m && w > 0.0; ++j) {
        const double held = b->K[j * m + j] / (w * w), own = b->M[j * m + j];
        if (!(held > own)) {
            continue;
        }
        b->n_static++;
        b->M[j * m + j] = held;
        for (size_t i = 0; i < m && b->D != NULL; ++i) {
            const double by = sqrt(sqrt(held / own));
            b->D[j * m + i] *= by;
            b->D[i * m + j] *= by;
        }
    }
}

static TmlStatus take_frames(TmlModal *b, TmlArena *arena, TmlError *err)
{
    const size_t m = (size_t)b->m, n = (size_t)tml_modal_points(b);
    TML_NEW(arena, b->phi, 3 * m * n);
    TML_NEW(arena, b->psi, 3 * m * n);
    for (int f = 0; f < b->part->n_frames; ++f) {
        for (size_t k = 0; k < 3 * m; ++k) {
            b->phi[3 * m * (size_t)f + k] = b->part->frame[f].phi[k] / b->scale[k / 3];
            b->psi[3 * m * (size_t)f + k] = b->part->frame[f].psi[k] / b->scale[k / 3];
        }
    }
    return TML_OK;
}

/* (ML3) of modal_force.c */
static TmlStatus take_push_and_turn(TmlModal *b, TmlArena *arena, TmlError *err)
{
    const size_t m = (size_t)b->m;
    TML_NEW(arena, b->load_unit, b->part->n_loads + 1);
    for (int l = 0; l < b->part->n_loads; ++l) {
        const TmlPartLoad *load = &b->part->load[l];
        double *push = b->phi + 3 * m * (size_t)tml_modal_load_point(b, l), *turn = push + 3 * m;
        double most = 0.0;
        for (size_t j = 0; j < m; ++j) {
            push[3 * j] = load->mode[j] / b->scale[j];
            most = fmax(most, fabs(push[3 * j]));
            for (size_t c = 0; c < 3; ++c) {
                turn[3 * j + c] = load->turn[3 * j + c] / b->scale[j];
                most = fmax(most, fabs(turn[3 * j + c]));
            }
        }
        b->load_unit[l] = most > 0.0 ? most : 1.0;
        for (size_t k = 0; k < 6 * m; ++k) {
            push[k] /= b->load_unit[l];
        }
    }
    return TML_OK;
}

static TmlStatus check_options(const TmlPart *part, const TmlModalOptions *o, TmlError *err)
{
    if (o->stiffened && part->centrifugal == NULL) {
        return tml_fail(err, TML_E_MODEL,
                        "part '%s' has no centrifugal stiffness; reduce it with 'stiffening: "
                        "centrifugal', or say 'stiffening: none'",
                        part->name);
    }
    for (int l = 0; o->loads && l < part->n_stiffening; ++l) {
        if (part->stiffening[l].load == NULL) {
            return tml_fail(err, TML_E_MODEL,
                            "the file of part '%s' does not contain the loads of its load cases; "
                            "make it again with 'trammel reduce'",
                            part->name);
        }
    }
    if (o->loads && part->n_stiffening == 0) {
        return tml_fail(err, TML_E_MODEL,
                        "part '%s' has no load cases; reduce it with 'stiffening: {loads: ...}', "
                        "or say 'stiffening: none'",
                        part->name);
    }
    if (o->stiffened && !o->second_order) {
        return tml_fail(err, TML_E_MODEL,
                        "stiffening by spin needs the terms of second order, whose inertia it "
                        "corrects: say 'terms: second_order', or 'stiffening: none'");
    }
    return TML_OK;
}

TmlStatus tml_modal_prepare(TmlModal *body, TmlArena *arena, TmlError *err)
{
    const TmlPart *part = body->part;
    TML_TRY(check_options(part, &body->options, err));
    body->m = part->m;
    body->mass = part->mass;
    TML_TRY(choose_scales(body, arena, err));
    TML_TRY(take_moments(body, arena, err));
    TML_TRY(modal_mass(body, arena, err));
    TML_TRY(scaled(body, part->K, arena, &body->K, err));
    body->centrifugal = body->options.stiffened ? part->centrifugal : NULL;
    if (body->options.loads && body->m > 0) {
        TML_TRY(tml_modal_take_loads(body, arena, err));
    }
    change_moments(body);
    if (part->rest_J != NULL) {
        memcpy(body->J_r, part->rest_J, sizeof body->J_r);
        TML_TRY(scaled_vectors(body, part->rest_C, arena, &body->C_r, err));
    }
    TML_TRY(take_frames(body, arena, err));
    TML_TRY(take_push_and_turn(body, arena, err));
    if (body->options.ratio != NULL || !isnan(body->options.damping)) {
        TML_TRY(even_damping(body, arena, err));
    } else if (part->D != NULL) {
        TML_TRY(scaled(body, part->D, arena, &body->D, err));
    }
    hold_fast_modes(body);
    return TML_OK;
}
