/* io/recover/recover.c - displacements and stresses of nodes from modal coordinates. */
#include "io/recover/recover.h"

#include "base/pool.h"
#include "io/results/hdf5_driver.h"
#include "math/principal.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { B = TML_RECOVER_BLOCK };

TmlStatus tml_recover_block_create(int m, TmlArena *arena, TmlRecoverBlock *b, TmlError *err)
{
    *b = (TmlRecoverBlock){0};
    TML_NEW(arena, b->eta, (size_t)m * B);
    TML_NEW(arena, b->read, (size_t)m * B);
    TML_NEW(arena, b->r, 3 * B);
    TML_NEW(arena, b->quat, 4 * B);
    return TML_OK;
}

TmlStatus tml_recover_block_read(TmlRecovery *r, int body, int64_t first, bool frame,
                                 TmlRecoverBlock *b, TmlError *err)
{
    const TmlRecoverPart *p = &r->at[body];
    const int64_t left = r->first + r->rows - first;
    const int m = p->part.m;
    b->first = first;
    b->n = left < B ? (int)left : B;
    TML_TRY(tml_result_modal_rows(p->result, TML_RESULT_COORDINATES, first, b->n, b->read, err));
    for (int k = 0; k < b->n * m; ++k) {
        b->eta[(k % m) * B + k / m] = b->read[k];
    }
    if (!frame) {
        return TML_OK;
    }
    TML_TRY(
        tml_result_read(&r->file, TML_RESULT_BODIES, p->item, r->position, first, b->n, b->r, err));
    return tml_result_read(&r->file, TML_RESULT_BODIES, p->item, r->orientation, first, b->n,
                           b->quat, err);
}

/* out[c][row] = sum over the modes of value[j][c] eta[j][row]: rows are the inner loop. */
static void sums(const float *value, int width, int m, const TmlRecoverBlock *b, double (*out)[B])
{
    memset(out, 0, (size_t)width * sizeof *out);
    for (int j = 0; j < m; ++j) {
        const double *eta = b->eta + (size_t)j * B;
        for (int c = 0; c < width; ++c) {
            const double x = (double)value[j * width + c];
            for (int k = 0; k < B; ++k) {
                out[c][k] += x * eta[k];
            }
        }
    }
}

void tml_recover_stress(const TmlPart *part, int node, const TmlRecoverBlock *b, double (*s)[B])
{
    sums(part->stress + 6 * (size_t)node * (size_t)part->m, 6, part->m, b, s);
}

void tml_recover_displacement(const TmlPart *part, int node, const TmlRecoverBlock *b,
                              double (*u)[B])
{
    sums(part->shape + 3 * (size_t)node * (size_t)part->m, 3, part->m, b, u);
}

double tml_von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* --- the hottest -------------------------------------------------------------------------------- */

/* The largest von Mises stress of one node in a block. */
static void node_peak(const TmlRecovery *r, const TmlPart *part, int node, const TmlRecoverBlock *b,
                      TmlHotSpot *peak)
{
    double s[6][B];
    tml_recover_stress(part, node, b, s);
    for (int k = 0; k < b->n; ++k) {
        const double one[6] = {s[0][k], s[1][k], s[2][k], s[3][k], s[4][k], s[5][k]};
        const double v = tml_von_mises(one);
        if (!(v <= peak->von_mises)) { // NAN is not overlooked
            peak->von_mises = v;
            peak->time = r->file.time[b->first + k];
        }
    }
}

typedef struct Search {
    const TmlRecovery *r;
    const TmlPart *part;
    const TmlRecoverBlock *b;
    TmlHotSpot *peak;
} Search;

static void search_nodes(void *user, int from, int to)
{
    const Search *s = user;
    for (int node = from; node < to; ++node) {
        node_peak(s->r, s->part, node, s->b, &s->peak[node]);
    }
}

static TmlStatus find_peaks_by(TmlPool *pool, TmlRecovery *r, int body, TmlArena *arena,
                               TmlHotSpot *peak, TmlError *err)
{
    const TmlPart *part = &r->at[body].part;
    TmlRecoverBlock b;
    TML_TRY(tml_recover_block_create(part->m, arena, &b, err));
    for (int node = 0; node < part->n_nodes; ++node) {
        peak[node] = (TmlHotSpot){
            .index = node,
            .node = part->id != NULL ? part->id[node] : node + 1,
            .place = v3_add(part->origin, m3_mulv(&part->axes, part->x[node])),
            .von_mises = -1.0,
        };
    }
    for (int64_t row = r->first; row < r->first + r->rows; row += B) {
        TML_TRY(tml_recover_block_read(r, body, row, false, &b, err));
        Search search = {r, part, &b, peak};
        tml_pool_for(pool, 0, part->n_nodes, search_nodes, &search);
    }
    return TML_OK;
}

static TmlStatus find_peaks(TmlRecovery *r, int body, TmlArena *arena, TmlHotSpot *peak,
                            TmlError *err)
{
    TmlPool *pool = tml_pool_create(tml_pool_asked(0));
    const TmlStatus status = find_peaks_by(pool, r, body, arena, peak, err);
    tml_pool_free(pool);
    return status;
}

static TmlStatus check_stresses(const TmlRecovery *r, int body, TmlError *err)
{
    const TmlRecoverBody b = tml_recovery_body(r, body);
    if (!b.stresses) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "part '%s' has no stress modes; reduce it with them to recover stresses",
                        b.part != NULL ? b.part : "");
    }
    return r->rows > 0 ? TML_OK : tml_fail(err, TML_E_ARGUMENT, "there is no row in that time");
}

TmlStatus tml_recovery_peaks(TmlRecovery *r, int body, TmlHotSpot *peak, TmlError *err)
{
    TmlArena arena = {0};
    TML_TRY(check_stresses(r, body, err));
    const TmlStatus status = find_peaks(r, body, &arena, peak, err);
    tml_arena_free(&arena);
    return tml_h5_reads_check(status, err);
}

static int hotter(const void *a, const void *b)
{
    const TmlHotSpot *x = *(const TmlHotSpot *const *)a, *y = *(const TmlHotSpot *const *)b;
    if (x->von_mises != y->von_mises) {
        return x->von_mises > y->von_mises ? -1 : 1;
    }
    return x->index < y->index ? -1 : 1;
}

int tml_recovery_hottest(int n, const TmlHotSpot *peak, int most, double apart, TmlHotSpot *out)
{
    const TmlHotSpot **order = tml_mem_zalloc((size_t)n + 1, sizeof *order);
    int found = 0;
    for (int k = 0; order != NULL && k < n; ++k) {
        order[k] = &peak[k];
    }
    if (order != NULL) {
        qsort(order, (size_t)n, sizeof *order, hotter);
    }
    for (int k = 0; order != NULL && k < n && found < most; ++k) {
        bool near = false;
        for (int i = 0; i < found && !near; ++i) {
            near = out[i].node == order[k]->node ||
                   v3_norm(v3_sub(out[i].place, order[k]->place)) < apart;
        }
        if (!near) {
            out[found++] = *order[k];
        }
    }
    tml_mem_free(order);
    return found;
}

/* --- histories ---------------------------------------------------------------------------------- */

static void sort_three(double w[3])
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 2 - pass; ++k) {
            if (w[k] < w[k + 1]) {
                const double other = w[k];
                w[k] = w[k + 1];
                w[k + 1] = other;
            }
        }
    }
}

static void invariants(TmlNodeState *x)
{
    const double *s = x->stress;
    const TmlMat33 S = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
    TmlMat33 axes;
    tml_principal(&S, x->principal, &axes);
    sort_three(x->principal);
    x->von_mises = tml_von_mises(s);
    x->signed_mises = fabs(x->principal[2]) > fabs(x->principal[0]) ? -x->von_mises : x->von_mises;
}

/* Hooke's law of the node's material; shear strains are angles, twice the components of the tensor. */
static void strains(const TmlPart *part, int node, TmlNodeState *x)
{
    const double E = part->elastic != NULL ? part->elastic[2 * node] : (double)NAN;
    const double nu = part->elastic != NULL ? part->elastic[2 * node + 1] : (double)NAN;
    const double *s = x->stress, trace = s[0] + s[1] + s[2];
    for (int c = 0; c < 3; ++c) {
        x->strain[c] = ((1.0 + nu) * s[c] - nu * trace) / E;
        x->strain[c + 3] = 2.0 * (1.0 + nu) * s[c + 3] / E;
        x->principal_strain[c] = ((1.0 + nu) * x->principal[c] - nu * trace) / E;
    }
}

static void put_rows(const TmlRecovery *r, const TmlPart *part, int node, const TmlRecoverBlock *b,
                     TmlNodeState *out)
{
    double s[6][B] = {{0}}, u[3][B] = {{0}};
    if (part->stress != NULL) {
        tml_recover_stress(part, node, b, s);
    }
    if (part->shape != NULL) {
        tml_recover_displacement(part, node, b, u);
    }
    for (int k = 0; k < b->n; ++k) {
        TmlNodeState *x = &out[k];
        const double *q = b->quat + 4 * k;
        const TmlMat33 A = q4_matrix((TmlQuat){q[0], q[1], q[2], q[3]});
        *x = (TmlNodeState){.time = r->file.time[b->first + k],
                            .displacement = v3(u[0][k], u[1][k], u[2][k])};
        const TmlVec3 c = v3_add(part->x[node], x->displacement);
        x->place = v3_add(v3(b->r[3 * k], b->r[3 * k + 1], b->r[3 * k + 2]), m3_mulv(&A, c));
        for (int c6 = 0; c6 < 6; ++c6) {
            x->stress[c6] = s[c6][k];
        }
        if (part->stress != NULL) {
            invariants(x);
            strains(part, node, x);
        }
    }
}

static TmlStatus read_history(TmlRecovery *r, int body, int index, TmlArena *arena,
                              TmlNodeState *out, TmlError *err)
{
    const TmlPart *part = &r->at[body].part;
    TmlRecoverBlock b;
    TML_TRY(tml_recover_block_create(part->m, arena, &b, err));
    for (int64_t row = 0; row < r->rows; row += B) {
        TML_TRY(tml_recover_block_read(r, body, r->first + row, true, &b, err));
        put_rows(r, part, index, &b, out + row);
    }
    return TML_OK;
}

TmlStatus tml_recovery_history(TmlRecovery *r, int body, int index, TmlNodeState *out,
                               TmlError *err)
{
    TmlArena arena = {0};
    if (index < 0 || index >= tml_recovery_body(r, body).nodes) {
        return tml_fail(err, TML_E_ARGUMENT, "there is no node %d in it", index);
    }
    const TmlStatus status = read_history(r, body, index, &arena, out, err);
    tml_arena_free(&arena);
    return tml_h5_reads_check(status, err);
}
