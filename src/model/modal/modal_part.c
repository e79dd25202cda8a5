/* model/modal/modal_part.c - the parts of a model: read once, and taken whole or by some of their modes. */
#include "model/modal/modal.h"

#include <string.h>

TmlStatus tml_model_part(TmlModel *m, const char *path, const TmlPart **out, TmlError *err)
{
    bool ok = true;
    for (int k = 0; k < m->parts.n; ++k) {
        if (strcmp(m->parts.at[k].path, path) == 0) {
            *out = m->parts.at[k].part;
            return TML_OK;
        }
    }
    *out = NULL;
    if (m->load_part == NULL) {
        return tml_fail(err, TML_E_MODEL, "parts can be read from model files only");
    }
    TmlPart *part;
    TML_NEW(&m->arena, part, 1);
    TML_TRY(m->load_part(m, path, part, err));
    const TmlModelPart kept = {tml_arena_strdup(&m->arena, path), part};
    TML_LIST_ADD(m->parts, kept, &ok);
    if (!ok || kept.path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    *out = part;
    return TML_OK;
}

/* --- some modes of a part --------------------------------------------------------------------- */

typedef struct Pick {
    const TmlPart *from;
    int n;
    const int *mode; /* n, counted from 0 */
    TmlArena *arena;
} Pick;

/* `width` numbers of each mode, for each of `blocks`. */
static TmlStatus rows(const Pick *k, const double *of, size_t blocks, size_t width,
                      const double **out, TmlError *err)
{
    const size_t n = (size_t)k->n, m = (size_t)k->from->m;
    double *to;
    if (of == NULL) {
        return TML_OK;
    }
    TML_NEW(k->arena, to, blocks * n * width + 1);
    for (size_t b = 0; b < blocks; ++b) {
        for (size_t j = 0; j < n; ++j) {
            memcpy(to + (b * n + j) * width, of + (b * m + (size_t)k->mode[j]) * width,
                   width * sizeof *to);
        }
    }
    *out = to;
    return TML_OK;
}

static TmlStatus floats(const Pick *k, const float *of, size_t width, const float **out,
                        TmlError *err)
{
    const size_t n = (size_t)k->n, m = (size_t)k->from->m, nodes = (size_t)k->from->n_nodes;
    float *to;
    if (of == NULL) {
        return TML_OK;
    }
    TML_NEW(k->arena, to, nodes * n * width + 1);
    for (size_t b = 0; b < nodes; ++b) {
        for (size_t j = 0; j < n; ++j) {
            memcpy(to + (b * n + j) * width, of + (b * m + (size_t)k->mode[j]) * width,
                   width * sizeof *to);
        }
    }
    *out = to;
    return TML_OK;
}

/* Matrices over the modes, one after the other. */
static TmlStatus squares(const Pick *k, const double *of, size_t count, const double **out,
                         TmlError *err)
{
    const size_t n = (size_t)k->n, m = (size_t)k->from->m;
    double *to;
    if (of == NULL) {
        return TML_OK;
    }
    TML_NEW(k->arena, to, count * n * n + 1);
    for (size_t c = 0; c < count; ++c) {
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j < n; ++j) {
                to[(c * n + i) * n + j] = of[(c * m + (size_t)k->mode[i]) * m + (size_t)k->mode[j]];
            }
        }
    }
    *out = to;
    return TML_OK;
}

/* P and G, whose first entry is the undeformed part. */
static TmlStatus pick_moments(const Pick *k, TmlPart *out, TmlError *err)
{
    const size_t n = (size_t)k->n + 1, m = (size_t)k->from->m + 1;
    double *P, *G;
    TML_NEW(k->arena, P, 3 * n);
    TML_NEW(k->arena, G, 9 * n * n);
    for (size_t i = 0; i < n; ++i) {
        const size_t a = i > 0 ? (size_t)k->mode[i - 1] + 1 : 0;
        memcpy(P + 3 * i, k->from->P + 3 * a, 3 * sizeof *P);
        for (size_t j = 0; j < n; ++j) {
            const size_t b = j > 0 ? (size_t)k->mode[j - 1] + 1 : 0;
            memcpy(G + 9 * (i * n + j), k->from->G + 9 * (a * m + b), 9 * sizeof *G);
        }
    }
    out->P = P;
    out->G = G;
    return TML_OK;
}

static TmlStatus pick_frames(const Pick *k, TmlPart *out, TmlError *err)
{
    TmlPartFrame *frame;
    TmlPartStiffening *stiffening;
    TML_NEW(k->arena, frame, k->from->n_frames + 1);
    TML_NEW(k->arena, stiffening, k->from->n_stiffening + 1);
    for (int f = 0; f < k->from->n_frames; ++f) {
        frame[f] = k->from->frame[f];
        TML_TRY(rows(k, k->from->frame[f].phi, 1, 3, &frame[f].phi, err));
        TML_TRY(rows(k, k->from->frame[f].psi, 1, 3, &frame[f].psi, err));
    }
    for (int s = 0; s < k->from->n_stiffening; ++s) {
        stiffening[s] = k->from->stiffening[s];
        TML_TRY(squares(k, k->from->stiffening[s].K, 1, &stiffening[s].K, err));
        TML_TRY(rows(k, k->from->stiffening[s].load, 1, 1, &stiffening[s].load, err));
    }
    out->frame = frame;
    out->stiffening = stiffening;
    return TML_OK;
}

static TmlStatus pick_loads(const Pick *k, TmlPart *out, TmlError *err)
{
    TmlPartLoad *load;
    TML_NEW(k->arena, load, k->from->n_loads + 1);
    for (int l = 0; l < k->from->n_loads; ++l) {
        load[l] = k->from->load[l];
        TML_TRY(rows(k, k->from->load[l].mode, 1, 1, &load[l].mode, err));
        TML_TRY(rows(k, k->from->load[l].turn, 1, 3, &load[l].turn, err));
    }
    out->load = load;
    return TML_OK;
}

TmlStatus tml_part_pick(const TmlPart *part, int n, const int *mode, TmlArena *arena, TmlPart *out,
                        TmlError *err)
{
    const Pick k = {part, n, mode, arena};
    int32_t *physical = NULL;
    *out = *part;
    out->m = n;
    TML_TRY(pick_moments(&k, out, err));
    TML_TRY(rows(&k, part->rest_C, 1, 3, &out->rest_C, err));
    TML_TRY(squares(&k, part->rest_M, 1, &out->rest_M, err));
    TML_TRY(squares(&k, part->K, 1, &out->K, err));
    TML_TRY(squares(&k, part->D, 1, &out->D, err));
    TML_TRY(rows(&k, part->hertz, 1, 1, &out->hertz, err));
    TML_TRY(rows(&k, part->largest, 1, 1, &out->largest, err));
    TML_TRY(rows(&k, part->turning, 1, 1, &out->turning, err));
    TML_TRY(squares(&k, part->centrifugal, 6, &out->centrifugal, err));
    TML_TRY(pick_frames(&k, out, err));
    TML_TRY(pick_loads(&k, out, err));
    TML_TRY(floats(&k, part->shape, 3, &out->shape, err));
    TML_TRY(floats(&k, part->stress, 6, &out->stress, err));
    if (part->physical != NULL) {
        TML_NEW(arena, physical, n + 1);
        for (int j = 0; j < n; ++j) {
            physical[j] = part->physical[mode[j]];
        }
        out->physical = physical;
    }
    return TML_OK;
}
