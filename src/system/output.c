/* system/output.c - what is reported of a state: energies, violations, reactions, channels. */
#include "system/flexible/flex.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

TmlEnergy tml_system_energy(TmlSystem *sys, const TmlState *s)
{
    const TmlModel *m = sys->model;
    TmlEnergy e = {0};
    tml_system_kinematics(sys, s, false);
    for (int b = 1; b < sys->nb; ++b) {
        const int q0 = sys->q0[b];
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        e.kinetic += m->bodies.at[b].type->kinetic(&in, &sys->body[b]);
        e.gravity += m->bodies.at[b].type->potential(&in, &sys->body[b], sys->gravity);
    }
    for (int f = 0; f < m->forces.n; ++f) {
        if (m->forces.at[f].type->energy != NULL) {
            const TmlElementIn in = tml_force_in(sys, s, f);
            e.stored += m->forces.at[f].type->energy(&in);
        }
    }
    if (sys->flex != NULL) {
        tml_flex_energy(sys, &e);
    }
    return e;
}

/* Sizes that velocities and accelerations of the rows are relative to: at least one. */
static void rate_scales(const TmlSystem *sys, double *speed, double *acceleration)
{
    *speed = *acceleration = 1.0;
    for (int b = 1; b < sys->nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k;
        *speed = fmax(*speed, fmax(v3_norm(k->v), v3_norm(k->omega)));
        *acceleration = fmax(*acceleration, fmax(v3_norm(k->a), v3_norm(k->alpha)));
    }
}

void tml_system_violation(TmlSystem *sys, const TmlState *s, double out[3])
{
    const TmlModel *m = sys->model;
    double phi[TML_MAX_ROWS], speed, acceleration;
    out[0] = out[1] = out[2] = 0.0;
    tml_system_kinematics(sys, s, false);
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int level = 0; level < 3; ++level) {
            tml_constraint_level(sys, c, s->t, (TmlLevel)level, phi);
            for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
                const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
                if (!(level == 0 && pfaffian)) {
                    out[level] = fmax(out[level], fabs(phi[k]));
                }
            }
        }
    }
    rate_scales(sys, &speed, &acceleration);
    out[0] /= sys->length;
    out[1] /= speed;
    out[2] /= acceleration;
}

double tml_system_channel(TmlSystem *sys, const TmlState *s, int k)
{
    double u[TML_BIND_MAX_UNKNOWNS];
    const TmlBindIn in = tml_equation_in(sys, s, &sys->channel[k], u);
    return tml_binding_value(sys->channel[k].binding, &in);
}

double tml_system_probe(TmlSystem *sys, const TmlState *s, int k)
{
    return tml_system_channel(sys, s, sys->model->channels.n + k);
}

TmlRow tml_system_reaction(TmlSystem *sys, const TmlState *s, int c)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, s->t);
    TmlRow *J = sys->room.J, w = {{0, 0, 0}, {0, 0, 0}};
    con->type->jacobian(&in, J);
    if (con->n_ends < 2) {
        return w;
    }
    for (int k = 0; k < con->type->rows; ++k) {
        const double lambda = s->lambda[sys->constraint[c].row0 + k];
        const TmlRow *row = &J[k * con->n_ends + 1];
        w.r = v3_axpy(-lambda, row->r, w.r);
        w.theta = v3_axpy(-lambda, row->theta, w.theta);
    }
    return w;
}

/* Null vectors of J^T: for each redundant row its combination of active rows. N is m_all x d by
 * columns. The factors of the acceleration-level matrix give the combination, since
 * [M J^T; J 0] [x; c] = [J_d^T; 0] has x = 0 when J_d^T = J^T c. */
static void null_vectors(TmlSystem *sys, double t, const int *redundant, int d, double *N,
                         double *rhs)
{
    const TmlModel *m = sys->model;
    for (int j = 0; j < d; ++j) {
        int c = 0;
        while (c + 1 < m->constraints.n && sys->constraint[c + 1].row0 <= redundant[j]) {
            ++c;
        }
        const int n = m->constraints.at[c].n_ends, row = redundant[j] - sys->constraint[c].row0;
        memset(rhs, 0, (size_t)sys->n * sizeof *rhs);
        const double *Ju = tml_constraint_rows(sys, c, t);
        for (int e = 0; e < n; ++e) {
            const TmlParts *parts = tml_end_parts(sys, sys->constraint[c].end0 + e);
            const double *x = Ju + (size_t)(row * n + e) * (size_t)sys->stride;
            for (int i = 0; i < parts->cols; ++i) {
                rhs[tml_parts_unknown(sys, parts, i)] += x[i];
            }
        }
        tml_system_solve(sys, rhs);
        double *col = N + (size_t)j * (size_t)sys->m_all;
        for (int k = 0; k < sys->m_all; ++k) {
            col[k] = sys->row_unknown[k] >= 0 ? -rhs[sys->nu + sys->row_unknown[k]] : 0.0;
        }
        col[redundant[j]] = 1.0;
    }
}

/* lambda -= N (N^T N)^-1 N^T lambda, by Gram-Schmidt on the columns of N. */
static void remove_null_part(int m, int d, double *N, double *lambda)
{
    for (int j = 0; j < d; ++j) {
        double *x = N + (size_t)j * (size_t)m;
        for (int i = 0; i < j; ++i) {
            const double *y = N + (size_t)i * (size_t)m;
            double dot = 0.0;
            for (int k = 0; k < m; ++k) {
                dot += x[k] * y[k];
            }
            for (int k = 0; k < m; ++k) {
                x[k] -= dot * y[k];
            }
        }
        double norm2 = 0.0, dot = 0.0;
        for (int k = 0; k < m; ++k) {
            norm2 += x[k] * x[k];
        }
        const double scale = norm2 > 0.0 ? 1.0 / sqrt(norm2) : 0.0;
        for (int k = 0; k < m; ++k) {
            x[k] *= scale;
            dot += x[k] * lambda[k];
        }
        for (int k = 0; k < m; ++k) {
            lambda[k] -= dot * x[k];
        }
    }
}

TmlStatus tml_system_min_norm_lambda(TmlSystem *sys, TmlState *s, TmlError *err)
{
    const int d = sys->m_all - sys->m;
    if (d == 0) {
        return TML_OK;
    }
    if (sys->null == NULL) {
        // last what tells that all are there: a failure leaves nothing half made
        TML_NEW(&sys->arena, sys->redundant, d);
        TML_NEW(&sys->arena, sys->not_unique, sys->m_all);
        TML_NEW(&sys->arena, sys->null, (size_t)d * (size_t)sys->m_all);
        for (int k = 0, j = 0; k < sys->m_all; ++k) {
            if (sys->row_unknown[k] < 0) {
                sys->redundant[j++] = k;
            }
        }
    }
    const TmlFactors before = sys->use;
    sys->use = TML_FACTORS_ACCELERATION;
    null_vectors(sys, s->t, sys->redundant, d, sys->null, sys->scratch);
    sys->use = before;
    for (int k = 0; k < sys->m_all; ++k) {
        for (int j = 0; j < d; ++j) {
            const double x = sys->null[(size_t)j * (size_t)sys->m_all + (size_t)k];
            sys->not_unique[k] = sys->not_unique[k] || fabs(x) > 1e-6;
        }
    }
    remove_null_part(sys->m_all, d, sys->null, s->lambda);
    return TML_OK;
}
