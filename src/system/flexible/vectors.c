/* system/flexible/vectors.c - (V1) of vectors.h. */
#include "system/flexible/vectors.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <string.h>

static bool is_free(const TmlSystem *sys, int body)
{
    return sys->model->bodies.at[body].type->hidden;
}

static TmlEnd term_end(const TmlVectorTerm *t, bool origin)
{
    return (TmlEnd){t->body, origin ? v3(0, 0, 0) : t->s_b, m3_identity(), 0};
}

int tml_parts_column(const TmlParts *parts, int body)
{
    int k = 0;
    while (parts->body[k] != body) {
        ++k;
    }
    return parts->col[k];
}

static void add_kin(const TmlFrameKin *k, double c, TmlVec3 out[3])
{
    out[0] = v3_axpy(c, k->r, out[0]);
    out[1] = v3_axpy(c, k->v, out[1]);
    out[2] = v3_axpy(c, k->a, out[2]);
}

void tml_vector_kin(const TmlSystem *sys, const TmlVector *v, TmlVec3 out[3])
{
    out[0] = out[1] = out[2] = v3(0, 0, 0);
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        if (is_free(sys, t->body)) {
            add_kin(&sys->body[t->body].k, t->c, out);
            continue;
        }
        const TmlBodyType *type = sys->model->bodies.at[t->body].type;
        const TmlEnd end = term_end(t, false), origin = term_end(t, true);
        TmlFrameKin kin;
        type->frame(&sys->body[t->body], &end, &kin);
        add_kin(&kin, t->c, out);
        if (t->direction) {
            type->frame(&sys->body[t->body], &origin, &kin);
            add_kin(&kin, -t->c, out);
        }
    }
}

/* Adds c times the first three rows of M[6 * nu] to columns col.. of out[3 * cols]. */
static void add_rows(const double *M, int nu, double c, double *out, int cols, int col)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < nu; ++j) {
            out[i * cols + col + j] += c * M[i * nu + j];
        }
    }
}

static void add_map(const TmlFrameMap *m, int nu, unsigned what, double c, TmlVectorMap *out,
                    int cols, int col)
{
    if ((what & TML_MAP_MOTION) != 0) {
        add_rows(m->P, nu, c, out->P, cols, col);
    }
    if ((what & TML_MAP_TWIST) != 0) {
        add_rows(m->W, nu, c, out->W, cols, col);
    }
    if ((what & TML_MAP_ACCELERATION) != 0) {
        add_rows(m->B, nu, c, out->B, cols, col);
    }
}

void tml_vector_map(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts, TmlCoeffs c,
                    unsigned what, TmlVectorMap *out)
{
    const size_t size = 3 * (size_t)parts->cols * sizeof(double);
    double *const level[3] = {out->P, out->W, out->B};
    for (int k = 0; k < 3; ++k) {
        if ((what >> k & 1u) != 0) {
            memset(level[k], 0, size);
        }
    }
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const int nu = sys->dim.span[t->body + 1].u0 - sys->dim.span[t->body].u0;
        if (nu == 0) {
            continue;
        }
        const TmlBodyType *type = sys->model->bodies.at[t->body].type;
        const int col = tml_parts_column(parts, t->body);
        const TmlEnd end = term_end(t, false), origin = term_end(t, true);
        TmlBodyMap room;
        TmlFrameMap map = tml_body_map(&room);
        type->frame_map(&sys->body[t->body], &end, c, what, &map);
        add_map(&map, nu, what, t->c, out, parts->cols, col);
        if (t->direction && !is_free(sys, t->body)) {
            type->frame_map(&sys->body[t->body], &origin, c, what, &map);
            add_map(&map, nu, what, -t->c, out, parts->cols, col);
        }
    }
}

TmlVec3 tml_vector_change(const TmlSystem *sys, const TmlVector *v, const double *du)
{
    const TmlCoeffs one = {.q = 1.0};
    TmlVec3 dx = {0};
    for (int k = 0; k < v->n; ++k) {
        // a term alone has the columns of its body
        const int body = v->term[k].body, nu = sys->dim.span[body].nu;
        const int col[2] = {0, nu};
        const TmlParts own = {nu > 0 ? 1 : 0, nu, &body, col};
        const TmlVector term = {1, &v->term[k]};
        TmlVectorMap D;
        tml_vector_map(sys, &term, &own, one, TML_MAP_MOTION, &D);
        for (int j = 0; j < nu; ++j) {
            const double u = du[sys->dim.span[body].u0 + j];
            dx = v3_axpy(u, v3(D.P[j], D.P[nu + j], D.P[2 * nu + j]), dx);
        }
    }
    return dx;
}

void tml_vector_force(const TmlSystem *sys, const TmlVector *v, TmlVec3 f, double *r)
{
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const TmlBodyType *type = sys->model->bodies.at[t->body].type;
        const TmlEnd end = term_end(t, false), origin = term_end(t, true);
        const TmlRow w = {v3_scale(t->c, f), {0, 0, 0}}, back = {v3_scale(-t->c, f), {0, 0, 0}};
        type->frame_wrench(&sys->body[t->body], &end, &w, r + sys->dim.span[t->body].u0);
        if (t->direction && !is_free(sys, t->body)) {
            type->frame_wrench(&sys->body[t->body], &origin, &back, r + sys->dim.span[t->body].u0);
        }
    }
}

static void add_dual(const double *Y6, int nu, int n, double c, double *Y)
{
    for (int k = 0; k < nu * n; ++k) {
        Y[k] += c * Y6[k];
    }
}

void tml_vector_dual(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts,
                     const double *F, int n, double *Y)
{
    double X[6 * TML_END_MAX_NU] = {0}, Y6[6 * TML_END_MAX_NU];
    memcpy(X, F, 3 * (size_t)n * sizeof *X);
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const int nu = sys->dim.span[t->body + 1].u0 - sys->dim.span[t->body].u0;
        if (nu == 0) {
            continue;
        }
        const TmlBodyType *type = sys->model->bodies.at[t->body].type;
        const TmlEnd end = term_end(t, false), origin = term_end(t, true);
        double *y = Y + (size_t)tml_parts_column(parts, t->body) * (size_t)n;
        type->frame_dual(&sys->body[t->body], &end, X, n, Y6);
        add_dual(Y6, nu, n, t->c, y);
        if (t->direction && !is_free(sys, t->body)) {
            type->frame_dual(&sys->body[t->body], &origin, X, n, Y6);
            add_dual(Y6, nu, n, -t->c, y);
        }
    }
}

void tml_vector_geometric(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts,
                          TmlVec3 f, double c_q, double *K)
{
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const int nu = sys->dim.span[t->body + 1].u0 - sys->dim.span[t->body].u0;
        if (nu == 0 || is_free(sys, t->body)) {
            continue;
        }
        // the origin of a direction adds nothing: its map does not depend on the position
        const TmlBodyType *type = sys->model->bodies.at[t->body].type;
        const TmlEnd end = term_end(t, false);
        const TmlRow w = {v3_scale(t->c, f), {0, 0, 0}};
        double G[TML_BODY_MAX_NU * TML_BODY_MAX_NU] = {0};
        type->frame_geometric(&sys->body[t->body], &end, &w, c_q, G);
        const int col = tml_parts_column(parts, t->body);
        for (int i = 0; i < nu; ++i) {
            for (int j = 0; j < nu; ++j) {
                K[(col + i) * parts->cols + col + j] += G[i * nu + j];
            }
        }
    }
}

TmlStatus tml_vector_parts(const TmlSystem *sys, int n, const TmlVector *const *v, TmlArena *arena,
                           TmlParts *out, TmlError *err)
{
    int *body, *col, found = 0, room = 0;
    for (int k = 0; k < n; ++k) {
        room += v[k]->n;
    }
    TML_NEW(arena, body, room);
    TML_NEW(arena, col, room + 1);
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < v[k]->n; ++i) {
            const int b = v[k]->term[i].body, nu = sys->dim.span[b].nu;
            bool known = nu == 0;
            for (int j = 0; j < found && !known; ++j) {
                known = body[j] == b;
            }
            if (!known) {
                body[found++] = b;
                col[found] = col[found - 1] + nu;
            }
        }
    }
    *out = (TmlParts){found, col[found], body, col};
    return TML_OK;
}
