/* analysis/sensitivity/sensitivity.c - derivatives of a run by parameters: the equations of motion, differentiated along the run.
 *
 * With s = (q, v, X) and S = ds/dp, z = (q'', lambda, X', V, F) and the residual r of (S1) to (S3) at acceleration level,
 *
 *   (E1)  r_s S + r_z dz/dp + r_p = 0,   Sq' = Sv,  Sv' = dq''/dp,  SX' = dX'/dp
 *
 * is linear with known coefficients: it is solved step by step beside the run, by the singly diagonally implicit method of order 4 with
 * five stages of Hairer and Wanner (L-stable, g = 1/4), whose embedded method of order 3 gives the error. At a stage
 *
 *   (E2)  Sv = v^ + h g Sa,  Sq = q^ + h g Sv,  SX = X^ + h g SX',   K dz = -(r_s S^ + r_p)
 *
 * with the exact stage matrix K of system/matrix. K serves for corrections only, so that what counts is the residual of (E1). Its
 * products with directions are central differences along them,
 *
 *   (E3)  r_s S + r_z dz = (r(s + e S, z + e dz) - r(s - e S, z - e dz)) / 2 e,   r_p = (r(p + d) - r(p - d)) / 2 d
 *
 * with e such that no coordinate moves by more than 1e-5 of its unit: errors are e^2 and 1e-16 / e, some 1e-10. r_p comes from models that were read with
 * other values of the parameter. So does S at the start, from their assembled states. docs/decisions/0021-parameter-gradients.md
 *
 * After each step Sq and Sv are moved onto the derivatives of the constraints,
 *
 *   (E4)  Phi_q Sq + Phi_p = 0,   (Phi_q v)_q Sq + Phi_q Sv + (Phi')_p = 0                         by (P1) of project.c
 *   (E5)  p . Sp = 0,  p . Sp' + p' . Sp = 0 for Euler parameters p
 *
 * A kink or jump of the equations at a time that moves with a parameter is refused, by the breaks of the two models, and so are jumps
 * at states (contacts, events).                                                                                   own
 */
#include "analysis/sensitivity/sensitivity.h"

#include "analysis/driver/sim_internal.h"
#include "base/block.h"
#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = 5, SWEEPS = 12, TRIES = 40 };

static const double g_stage = 0.25, reach = 1e-5, settled = 1e-10, stalled = 1e-6;
static const double c_stage[STAGES] = {0.25, 0.75, 0.55, 0.5, 1.0};
static const double a_stage[STAGES][STAGES] = {
    {0.25},
    {0.5, 0.25},
    {17.0 / 50.0, -1.0 / 25.0, 0.25},
    {371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0, 0.25},
    {25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0, 0.25},
};
/* b - b^ */
static const double e_stage[STAGES] = {-3.0 / 16.0, -27.0 / 32.0, 25.0 / 32.0, 0.0, 0.25};

typedef struct Parameter {
    TmlSystem *plus, *minus;
    double shift;
    double *S, *next, *known; /* size: Sq, Sv, SX */
    double *k[STAGES];        /* size: Sv, Sa, SX' */
    double *Sa, *SXd;         /* parts of a buffer */
    double *z, *rp;           /* n */
    double
        least; /* derivatives of accelerations below this are rounding: of what the parameter does not change */
    double scale, scale_x; /* largest so far: of Sq and Sv in their units, of SX */
    double *channel;       /* derivatives at the row */
} Parameter;

struct TmlSensitivity {
    TmlArena arena;
    TmlSim *sim;
    TmlSystem *sys; /* of `same` */
    int n, nq, nx, nz, size, channels;
    Parameter *at;
    double tolerance, h;
    double rate; /* 1/s: what counts as one of velocities */
    int64_t steps;
    TmlState here, trial,
        end; /* of the run at a stage; moved from it; at the end of the last step */
    double *r, *other, *dq;
    bool matrix_is_stage;
    int n_times;
    const double *times; /* of rows; NULL: output times */
};

/* --- states that are moved ----------------------------------------------------------------------------------- */

/* The largest part of a direction, in units of coordinates and rates. */
static double extent(const TmlSensitivity *z, const double *Sq, const double *Sv, const double *SX,
                     const TmlState *s)
{
    const double *unit = tml_dims(z->sys)->unit_q;
    double big = 0.0;
    for (int k = 0; k < z->nq; ++k) {
        big = fmax(big, fmax(fabs(Sq[k]), fabs(Sv[k]) / z->rate) / unit[k]);
    }
    for (int k = 0; k < z->nx; ++k) {
        const double unit_x =
            fmax(fabs(s->X[k]), z->sim->it.norm.state[k] / fmax(z->sim->tolerance, 1e-12));
        big = fmax(big, fabs(SX[k]) / fmax(unit_x, 1e-30));
    }
    return big;
}

/* trial = here + e (S, Sa, dz). */
static void move(TmlSensitivity *z, double e, const double *Sq, const double *Sv, const double *SX,
                 const double *dz)
{
    TmlState *t = &z->trial;
    tml_state_copy(z->sys, &z->here, t);
    for (int k = 0; k < z->nq; ++k) {
        t->q[k] += e * Sq[k];
        t->v[k] += e * Sv[k];
    }
    for (int k = 0; k < z->nx; ++k) {
        t->X[k] += e * SX[k];
    }
    if (dz != NULL) {
        for (int k = 0; k < z->nz; ++k) {
            z->other[k] = -e * dz[k];
        }
        tml_system_correct(z->sys, t, z->other, z->dq);
    }
}

/* The first of the four Euler parameters of a body, -1: it has none. */
static int euler(const TmlDims *dim, int b)
{
    const TmlBodySpan *s = &dim->span[b];
    return s->nq == s->nu + 1 ? s->q0 + s->nq - 4 : -1;
}

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Sa from its part N dz, with the part along Euler parameters that keeps (E5): g: h g of the stage. */
static void settle_euler(const TmlSensitivity *z, const double *known, double g, double *Sa)
{
    const TmlDims *dim = tml_dims(z->sys);
    const TmlState *s = &z->here;
    for (int b = 1; b < dim->nb; ++b) {
        const int at = euler(dim, b);
        if (at < 0) {
            continue;
        }
        const double *p = s->q + at, *v = s->v + at, *a = s->a + at;
        double rest = 0.0;
        for (int k = 0; k < 4; ++k) {
            const double Sv = known[z->nq + at + k] + g * Sa[at + k];
            rest += 2.0 * v[k] * Sv + a[k] * (known[at + k] + g * Sv);
        }
        const double beta = -rest / (dot4(p, p) + 2.0 * g * dot4(v, p) + g * g * dot4(a, p));
        for (int k = 0; k < 4; ++k) {
            Sa[at + k] += beta * p[k];
        }
    }
}

/* (E2): S of a stage from its known part and Sa, SX'. Fills k as well. */
static void stage_values(const TmlSensitivity *z, const double *known, double g, const double *Sa,
                         const double *SXd, double *S, double *k)
{
    for (int i = 0; i < z->nq; ++i) {
        const double Sv = known[z->nq + i] + g * Sa[i];
        S[i] = known[i] + g * Sv;
        S[z->nq + i] = Sv;
        if (k != NULL) {
            k[i] = Sv;
            k[z->nq + i] = Sa[i];
        }
    }
    for (int i = 0; i < z->nx; ++i) {
        S[2 * z->nq + i] = known[2 * z->nq + i] + g * SXd[i];
        if (k != NULL) {
            k[2 * z->nq + i] = SXd[i];
        }
    }
}

/* --- the linear system ----------------------------------------------------------------------------------------- */

/* Makes the matrix at `here` for a stage of h g, and its factors. */
static TmlStatus make_matrix(TmlSensitivity *z, double g, TmlError *err)
{
    const TmlCoeffs c = {.a = 1.0, .v = g, .q = g * g};
    tml_system_residual(z->sys, &z->here, TML_LEVEL_ACCELERATION, z->r);
    if (z->matrix_is_stage) {
        tml_system_stage_jacobian(z->sys, &z->here, c, g);
    } else {
        const TmlCoeffs plain = {.a = 1.0};
        tml_system_jacobian(z->sys, &z->here, plain, 0.0);
    }
    const int bad = tml_system_factor(z->sys, z->matrix_is_stage ? TML_FACTORS_STAGE
                                                                 : TML_FACTORS_ACCELERATION);
    return bad < 0
               ? TML_OK
               : tml_fail(
                     err, TML_E_SINGULAR,
                     "derivatives by parameters cannot pass the singular position at t = %.9g s",
                     z->here.t);
}

static void solve(const TmlSensitivity *z, double *r)
{
    tml_system_solve(z->sys, z->matrix_is_stage ? TML_FACTORS_STAGE : TML_FACTORS_ACCELERATION, r);
}

/* r_p of (E3) into rp. */
static void by_parameter(TmlSensitivity *z, Parameter *p)
{
    tml_system_residual(p->plus, &z->here, TML_LEVEL_ACCELERATION, p->rp);
    tml_system_residual(p->minus, &z->here, TML_LEVEL_ACCELERATION, z->r);
    for (int k = 0; k < z->nz; ++k) {
        p->rp[k] = (p->rp[k] - z->r[k]) / (2.0 * p->shift);
    }
}

static double size_of(const TmlSensitivity *z, const double *x)
{
    const double *unit = tml_dims(z->sys)->unit;
    double big = 0.0;
    for (int k = 0; k < tml_dims(z->sys)->nu; ++k) {
        big = fmax(big, fabs(x[k]) / unit[k]);
    }
    return big;
}

/* Sets p->Sa and p->SXd from z. */
static void rates_of(const TmlSensitivity *z, Parameter *p, const double *known, double g)
{
    const TmlDims *dim = tml_dims(z->sys);
    tml_system_expand(z->sys, z->here.q, p->z, p->Sa);
    settle_euler(z, known, g, p->Sa);
    memcpy(p->SXd, p->z + dim->nu + dim->m, (size_t)z->nx * sizeof *p->SXd);
}

/* (E3) at S of the stage, into z->r, with r_p. */
static void residual(TmlSensitivity *z, const Parameter *p, const double *S)
{
    const double *Sq = S, *Sv = S + z->nq, *SX = S + 2 * z->nq;
    const double big = extent(z, Sq, Sv, SX, &z->here), e = big > 0.0 ? reach / big : 1.0;
    move(z, -e, Sq, Sv, SX, p->z);
    tml_system_residual(z->sys, &z->trial, TML_LEVEL_ACCELERATION, z->r);
    move(z, e, Sq, Sv, SX, p->z);
    tml_system_residual(z->sys, &z->trial, TML_LEVEL_ACCELERATION, z->other);
    for (int k = 0; k < z->nz; ++k) {
        z->r[k] = (z->other[k] - z->r[k]) / (2.0 * e) + p->rp[k];
    }
}

/* Subtracts the correction in z->r. False: something is not finite. */
static bool correct(const TmlSensitivity *z, Parameter *p)
{
    for (int i = 0; i < z->nz; ++i) {
        p->z[i] -= z->r[i];
        if (!isfinite(p->z[i])) {
            return false;
        }
    }
    return true;
}

/* Solves (E2) for one parameter; S of the stage into p->next. The equations are linear and the matrix is exact but for what
 * rotations add to it: accelerations tell when all is settled, and one more sweep leaves rounding of the others. False:
 * corrections do not shrink. */
static bool solve_stage(TmlSensitivity *z, Parameter *p, const double *known, double g, double *k)
{
    const double *unit = tml_dims(z->sys)->unit_q;
    double last = HUGE_VAL, fastest = z->rate * z->rate;
    for (int i = 0; i < z->nq; ++i) {
        fastest = fmax(fastest, fabs(z->here.a[i]) / unit[i]);
    }
    p->least = fastest * reach / p->shift;
    bool is_settled = false, done = false;
    for (int sweep = 0; sweep < SWEEPS && !done; ++sweep) {
        rates_of(z, p, known, g);
        stage_values(z, known, g, p->Sa, p->SXd, p->next, k);
        residual(z, p, p->next);
        solve(z, z->r);
        if (!correct(z, p)) {
            return false;
        }
        const double worst = size_of(z, z->r), all = size_of(z, p->z);
        done = is_settled;
        const double size = fmax(all, 10.0 * p->least);
        is_settled = worst <= settled * size || (worst > 0.5 * last && worst <= stalled * size);
        last = worst;
    }
    rates_of(z, p, known, g);
    stage_values(z, known, g, p->Sa, p->SXd, p->next, k);
    return done || last <= stalled * fmax(size_of(z, p->z), 10.0 * p->least);
}

/* --- onto the constraints ------------------------------------------------------------------------------------- */

/* Derivative of the active rows at a level along S, and by the parameter, into z->r. */
static void rows_along(TmlSensitivity *z, const Parameter *p, const double *S, TmlLevel level)
{
    const double *Sq = S, *Sv = S + z->nq, *SX = S + 2 * z->nq;
    const double big = extent(z, Sq, Sv, SX, &z->here), e = big > 0.0 ? reach / big : 1.0;
    double *sum = p->rp; // free at the end of a step
    memset(sum, 0, (size_t)z->nz * sizeof *sum);
    for (int sign = -1; sign <= 1; sign += 2) {
        move(z, sign * e, Sq, Sv, SX, NULL);
        tml_system_rows(z->sys, &z->trial, level, z->r);
        for (int k = 0; k < z->nz; ++k) {
            sum[k] += sign * z->r[k] / (2.0 * e);
        }
        tml_system_rows(sign > 0 ? p->plus : p->minus, &z->here, level, z->r);
        for (int k = 0; k < z->nz; ++k) {
            sum[k] += sign * z->r[k] / (2.0 * p->shift);
        }
    }
    memcpy(z->r, sum, (size_t)z->nz * sizeof *sum);
}

/* (E5) */
static void project_euler(const TmlSensitivity *z, double *S)
{
    const TmlDims *dim = tml_dims(z->sys);
    for (int b = 1; b < dim->nb; ++b) {
        const int at = euler(dim, b);
        if (at < 0) {
            continue;
        }
        const double *p = z->here.q + at, *v = z->here.v + at, pp = dot4(p, p);
        double *Sp = S + at, *Sv = S + z->nq + at;
        const double along = dot4(p, Sp) / pp;
        for (int k = 0; k < 4; ++k) {
            Sp[k] -= along * p[k];
        }
        const double rate = (dot4(p, Sv) + dot4(v, Sp)) / pp;
        for (int k = 0; k < 4; ++k) {
            Sv[k] -= rate * p[k];
        }
    }
}

/* (E4) at `here`, with factors of the acceleration matrix. */
static TmlStatus project(TmlSensitivity *z, TmlError *err)
{
    const TmlCoeffs c = {.a = 1.0};
    if (tml_dims(z->sys)->m > 0) {
        tml_system_residual(z->sys, &z->here, TML_LEVEL_ACCELERATION, z->r);
        tml_system_jacobian(z->sys, &z->here, c, 0.0);
        if (tml_system_factor(z->sys, TML_FACTORS_ACCELERATION) >= 0) {
            return tml_fail(
                err, TML_E_SINGULAR,
                "derivatives by parameters cannot pass the singular position at t = %.9g s",
                z->here.t);
        }
    }
    for (int i = 0; i < z->n; ++i) {
        Parameter *p = &z->at[i];
        for (int level = 0; level < 2 && tml_dims(z->sys)->m > 0; ++level) {
            double *to = p->S + (level == 0 ? 0 : z->nq);
            rows_along(z, p, p->S, level == 0 ? TML_LEVEL_POSITION : TML_LEVEL_VELOCITY);
            tml_system_solve(z->sys, TML_FACTORS_ACCELERATION, z->r);
            tml_system_expand(z->sys, z->here.q, z->r, z->dq);
            for (int k = 0; k < z->nq; ++k) {
                to[k] -= z->dq[k];
            }
        }
        project_euler(z, p->S);
    }
    return TML_OK;
}

/* --- steps ------------------------------------------------------------------------------------------------------ */

static TmlStatus look(TmlSensitivity *z, double t, TmlError *err)
{
    TML_TRY(tml_sim_row_at(z->sim, t, err));
    tml_state_copy(z->sys, &z->sim->row, &z->here);
    return TML_OK;
}

/* The larger of the scale so far and that of S. */
static void note_scales(TmlSensitivity *z, Parameter *p, const double *S)
{
    const double *unit = tml_dims(z->sys)->unit_q;
    for (int k = 0; k < z->nq; ++k) {
        p->scale = fmax(p->scale, fmax(fabs(S[k]), fabs(S[z->nq + k]) / z->rate) / unit[k]);
    }
    for (int k = 0; k < z->nx; ++k) {
        p->scale_x = fmax(p->scale_x, fabs(S[2 * z->nq + k]));
    }
}

/* Error of a step over what is allowed, and its result into p->next. */
static double finish_step(TmlSensitivity *z, Parameter *p, double h)
{
    const double *unit = tml_dims(z->sys)->unit_q;
    double worst = 0.0;
    memcpy(p->known, p->S, (size_t)z->size * sizeof *p->S);
    for (int i = 0; i < z->size; ++i) {
        for (int s = 0; s < STAGES; ++s) {
            p->known[i] += h * a_stage[STAGES - 1][s] * p->k[s][i];
        }
    }
    note_scales(z, p, p->known);
    for (int i = 0; i < z->size; ++i) {
        double e = 0.0;
        for (int s = 0; s < STAGES; ++s) {
            e += h * e_stage[s] * p->k[s][i];
        }
        const bool state = i >= 2 * z->nq, velocity = !state && i >= z->nq;
        const double scale =
            state ? p->scale_x : p->scale * unit[i % z->nq] * (velocity ? z->rate : 1.0);
        worst = scale > 0.0 ? fmax(worst, fabs(e) / (z->tolerance * scale)) : worst;
    }
    memcpy(p->next, p->known, (size_t)z->size * sizeof *p->next);
    return worst;
}

/* One step from t to t + h inside of the last step of the run. *error above 1, or negative: to be made shorter. */
static TmlStatus try_step(TmlSensitivity *z, double t, double h, double *error, TmlError *err)
{
    const double g = h * g_stage;
    *error = 0.0;
    for (int s = 0; s < STAGES; ++s) {
        TML_TRY(look(z, t + c_stage[s] * h, err));
        TML_TRY(make_matrix(z, g, err));
        for (int i = 0; i < z->n; ++i) {
            Parameter *p = &z->at[i];
            memcpy(p->known, p->S, (size_t)z->size * sizeof *p->S);
            for (int j = 0; j < s; ++j) {
                for (int k = 0; k < z->size; ++k) {
                    p->known[k] += h * a_stage[s][j] * p->k[j][k];
                }
            }
            by_parameter(z, p);
            if (!solve_stage(z, p, p->known, g, p->k[s])) {
                *error = -1.0;
                return TML_OK;
            }
        }
    }
    for (int i = 0; i < z->n; ++i) {
        *error = fmax(*error, finish_step(z, &z->at[i], h));
    }
    return TML_OK;
}

/* From t to `to`, both inside of the last step of the run. */
static TmlStatus advance(TmlSensitivity *z, double t, double to, TmlError *err)
{
    const double whole = to - t;
    int tries = 0;
    while (t < to) {
        double h = fmin(z->h, to - t), error;
        h = h < to - t && 2.0 * h > to - t ? 0.5 * (to - t) : h;
        TML_TRY(try_step(z, t, h, &error, err));
        const bool least = h < 1e-5 * whole || ++tries > TRIES;
        if ((error < 0.0 || error > 1.0) && !least) {
            z->h = error < 0.0 ? 0.25 * h : h * fmax(0.2, 0.9 * pow(error, -0.25));
            continue;
        }
        if (error < 0.0) {
            return tml_fail(
                err, TML_E_STEP,
                "the equations of the derivatives by parameters are not solved at t = %.9g s", t);
        }
        for (int i = 0; i < z->n; ++i) {
            memcpy(z->at[i].S, z->at[i].next, (size_t)z->size * sizeof(double));
        }
        t = h >= to - t ? to : t + h;
        z->steps++;
        tries = 0;
        TML_TRY(look(z, t, err));
        TML_TRY(project(z, err));
        z->h = fmax(z->h, h) * fmin(4.0, fmax(0.3, 0.9 * pow(fmax(error, 1e-4), -0.25)));
    }
    return TML_OK;
}

/* --- breaks ------------------------------------------------------------------------------------------------------ */

/* dt/dp of the break at t; 0: it does not move, or is none. */
static double break_rate(const Parameter *p, double t)
{
    const double near = 1e-3 * fmax(fabs(t), 1e-6), slack = 0.0;
    const double a = tml_system_next_break(p->plus, t - near, slack),
                 b = tml_system_next_break(p->minus, t - near, slack);
    return fabs(a - t) < near && fabs(b - t) < near ? (a - b) / (2.0 * p->shift) : 0.0;
}

/* Derivatives would jump with a break that moves. */
static TmlStatus check_break(const TmlSensitivity *z, double t, TmlError *err)
{
    for (int i = 0; i < z->n; ++i) {
        if (fabs(break_rate(&z->at[i], t)) > 1e-6 * fmax(fabs(t), 1e-6) * reach / z->at[i].shift) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "the equations have a kink or a jump at t = %.9g s that moves with "
                            "parameter number %d: derivatives by "
                            "this parameter are not computed",
                            t, i + 1);
        }
    }
    return TML_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static double channel_at(TmlSystem *sys, const TmlState *s, int k, bool first)
{
    if (first) {
        tml_system_kinematics(sys, s, true);
    }
    return tml_system_channel(sys, s, k);
}

/* Derivatives of all channels at `here`, where the sim has its row. */
static TmlStatus fill_channels(TmlSensitivity *z, TmlError *err)
{
    const bool stage = z->matrix_is_stage;
    z->matrix_is_stage = false;
    const TmlStatus status = make_matrix(z, 0.0, err);
    for (int i = 0; i < z->n && status == TML_OK; ++i) {
        Parameter *p = &z->at[i];
        by_parameter(z, p);
        memcpy(p->known, p->S, (size_t)z->size * sizeof *p->S);
        (void)solve_stage(z, p, p->known, 0.0, NULL);
        const double *Sq = p->S, *Sv = Sq + z->nq, *SX = Sv + z->nq;
        const double big = extent(z, Sq, Sv, SX, &z->here), e = big > 0.0 ? reach / big : 1.0;
        memset(p->channel, 0, (size_t)z->channels * sizeof *p->channel);
        for (int sign = -1; sign <= 1; sign += 2) {
            move(z, sign * e, Sq, Sv, SX, p->z);
            for (int k = 0; k < z->channels; ++k) {
                p->channel[k] += sign * channel_at(z->sys, &z->trial, k, k == 0) / (2.0 * e);
            }
            TmlSystem *shifted = sign > 0 ? p->plus : p->minus;
            for (int k = 0; k < z->channels; ++k) {
                p->channel[k] += sign * channel_at(shifted, &z->here, k, k == 0) / (2.0 * p->shift);
            }
        }
    }
    z->matrix_is_stage = stage;
    return status;
}

static TmlStatus emit(TmlSensitivity *z, double t, TmlRowFn row, void *user, TmlError *err)
{
    TML_TRY(look(z, t, err));
    TML_TRY(fill_channels(z, err));
    return row != NULL ? row(user, z->sim, err) : TML_OK;
}

/* Rows of redundant joints may be others than before. */
static TmlStatus same_rows(TmlSensitivity *z, TmlError *err)
{
    bool changed = false;
    TML_TRY(tml_system_take_rows(z->sys, z->sim->sys, &z->here, &changed, err));
    if (changed && z->matrix_is_stage) {
        TML_TRY(tml_system_build_stage(z->sys, err));
    }
    for (int i = 0; i < z->n; ++i) {
        TML_TRY(tml_system_take_rows(z->at[i].plus, z->sim->sys, &z->here, &changed, err));
        TML_TRY(tml_system_take_rows(z->at[i].minus, z->sim->sys, &z->here, &changed, err));
    }
    return TML_OK;
}

static void commit_all(TmlSensitivity *z)
{
    tml_system_kinematics(z->sys, &z->here, false);
    tml_system_commit(z->sys, &z->here);
    for (int i = 0; i < z->n; ++i) {
        TmlSystem *const two[] = {z->at[i].plus, z->at[i].minus};
        for (int k = 0; k < 2; ++k) {
            tml_system_kinematics(two[k], &z->here, false);
            tml_system_commit(two[k], &z->here);
        }
    }
}

/* Tells whether row k is not behind `to`, and its time. */
static bool next_row(const TmlSensitivity *z, int64_t k, double to, double *at)
{
    const TmlSim *sim = z->sim;
    if (z->times != NULL) {
        *at = k < z->n_times ? z->times[k] : HUGE_VAL;
        return *at <= to;
    }
    *at = tml_sim_row_time(sim, k);
    return *at <= to && !(k > 0 && tml_sim_row_time(sim, k - 1) >= sim->end);
}

/* Follows the last step of the run, with its rows. */
static TmlStatus follow(TmlSensitivity *z, int64_t *next, TmlRowFn row, void *user, TmlError *err)
{
    TmlSim *sim = z->sim;
    const double from = tml_sim_step_start(sim)->s.t, to = tml_sim_step_end(sim)->s.t;
    double t = from;
    z->rate = fmax(z->rate, sim->it.norm.rate);
    if (tml_sim_drives_impacts(sim) > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a drive changes its velocity at once at t = %.9g s: derivatives by "
                        "parameters do not cross impacts",
                        from);
    }
    TML_TRY(same_rows(z, err));
    TML_TRY(check_break(z, to, err));
    const double slack = 1e-12 * fmax(1.0, fabs(to));
    for (double at; next_row(z, *next, to + slack, &at); ++*next) {
        TML_TRY(advance(z, t, fmin(at, to), err));
        t = fmin(at, to);
        TML_TRY(emit(z, t, row, user, err));
    }
    TML_TRY(advance(z, t, to, err));
    TML_TRY(look(z, to, err));
    commit_all(z);
    return TML_OK;
}

static TmlStatus run(TmlSensitivity *z, TmlRowFn row, void *user, TmlError *err)
{
    TmlSim *sim = z->sim;
    int64_t next = 0;
    double at;
    for (; next_row(z, next, tml_sim_time(sim), &at); ++next) {
        TML_TRY(emit(z, tml_sim_time(sim), row, user, err));
    }
    z->h = 1e-3 * sim->end;
    while (tml_sim_time(sim) < sim->end && !tml_sim_halted(sim)) {
        TML_TRY(tml_sim_step(sim, err));
        TML_TRY(follow(z, &next, row, user, err));
    }
    return TML_OK;
}

TmlStatus tml_sensitivity_run(TmlSensitivity *z, int n, const double *times, TmlRowFn row,
                              void *user, TmlError *err)
{
    z->n_times = n;
    z->times = times;
    return run(z, row, user, err);
}

double tml_sensitivity_channel(const TmlSensitivity *z, int channel, int parameter)
{
    return channel >= 0 && channel < z->channels && parameter >= 0 && parameter < z->n
               ? z->at[parameter].channel[channel]
               : (double)NAN;
}

int64_t tml_sensitivity_steps(const TmlSensitivity *z)
{
    return z->steps;
}

bool tml_sensitivity_is_rough(const TmlSensitivity *z)
{
    return tml_system_is_rough(z->sys, TML_KINKS_ALL) || tml_system_has_tyres(z->sys);
}

/* --- setup ------------------------------------------------------------------------------------------------------- */

static TmlStatus check_model(const TmlSim *sim, TmlError *err)
{
    const TmlModel *m = sim->model;
    const char *what = tml_system_touches(sim->sys) ? "contacts, at whose onsets derivatives jump"
                       : tml_system_is_delayed(sim->sys) ? "delays"
                       : m->events.n > 0                 ? "events, at which derivatives jump"
                       : m->run.from_rest || sim->options.equilibrium ? "a start from equilibrium"
                       : m->channels.n == 0
                           ? "no outputs; name what is to be differentiated under 'outputs'"
                           : NULL;
    return what == NULL
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT,
                          "derivatives by parameters are not computed: the model has %s", what);
}

/* S at the start, from the assembled states of both sides. */
static void start_values(TmlSensitivity *z, Parameter *p, const TmlState *plus,
                         const TmlState *minus)
{
    const TmlDims *dim = tml_dims(z->sys);
    for (int k = 0; k < z->nq; ++k) {
        p->S[k] = (plus->q[k] - minus->q[k]) / (2.0 * p->shift);
        p->S[z->nq + k] = (plus->v[k] - minus->v[k]) / (2.0 * p->shift);
    }
    for (int k = 0; k < z->nx; ++k) {
        p->S[2 * z->nq + k] = (plus->X[k] - minus->X[k]) / (2.0 * p->shift);
    }
    for (int b = 1; b < dim->nb; ++b) { // both signs of Euler parameters are the same rotation
        const int at = euler(dim, b);
        if (at >= 0 && dot4(plus->q + at, minus->q + at) < 0.0) {
            for (int k = at; k < at + 4; ++k) {
                p->S[k] = (plus->q[k] + minus->q[k]) / (2.0 * p->shift);
                p->S[z->nq + k] = (plus->v[k] + minus->v[k]) / (2.0 * p->shift);
            }
        }
    }
    note_scales(z, p, p->S);
}

static TmlStatus make_parameter(TmlSensitivity *z, int i, TmlSim *plus, TmlSim *minus, double shift,
                                TmlError *err)
{
    Parameter *p = &z->at[i];
    const TmlDims *a = tml_dims(z->sys), *b = tml_dims(plus->sys), *c = tml_dims(minus->sys);
    if (a->nq != b->nq || a->m_all != b->m_all || a->nx != b->nx || a->n != b->n ||
        a->nq != c->nq || a->m_all != c->m_all || a->nx != c->nx || a->n != c->n) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "parameter number %d changes which equations the model has", i + 1);
    }
    p->plus = plus->sys;
    p->minus = minus->sys;
    p->shift = shift;
    // a change of the parameter by its own size that moves nothing by a millionth of its unit does nothing
    p->scale = 1e-6 * reach / shift;
    tml_system_set_length(p->plus, a->length);
    tml_system_set_length(p->minus, a->length);
    TML_NEW(&z->arena, p->S, z->size);
    TML_NEW(&z->arena, p->next, z->size);
    TML_NEW(&z->arena, p->known, z->size);
    for (int s = 0; s < STAGES; ++s) {
        TML_NEW(&z->arena, p->k[s], z->size);
    }
    TML_NEW(&z->arena, p->Sa, z->nq);
    TML_NEW(&z->arena, p->SXd, z->nx);
    TML_NEW(&z->arena, p->z, z->nz);
    TML_NEW(&z->arena, p->rp, z->nz);
    TML_NEW(&z->arena, p->channel, z->channels);
    start_values(z, p, &plus->it.now, &minus->it.now);
    return TML_OK;
}

static TmlStatus fill(TmlSensitivity *z, TmlSim *same, TmlSim *const *plus, TmlSim *const *minus,
                      const double *shift, TmlError *err)
{
    const TmlDims *dim = tml_dims(same->sys);
    const char *joint, *type;
    z->sys = same->sys;
    z->nq = dim->nq;
    z->nx = dim->nx;
    z->nz = dim->n;
    z->size = 2 * dim->nq + dim->nx;
    z->channels = tml_row_channel_count(z->sim);
    z->rate = z->sim->it.norm.rate;
    z->matrix_is_stage = !tml_system_lacks_stage(z->sys, &joint, &type);
    TML_NEW(&z->arena, z->at, z->n);
    TML_NEW(&z->arena, z->r, z->nz + z->nq);
    TML_NEW(&z->arena, z->other, z->nz + z->nq);
    TML_NEW(&z->arena, z->dq, z->nq);
    TML_TRY(tml_state_create_in(z->sys, &z->arena, &z->here, err));
    TML_TRY(tml_state_create_in(z->sys, &z->arena, &z->trial, err));
    tml_state_copy(z->sys, &z->sim->it.now, &z->here);
    for (int i = 0; i < z->n; ++i) {
        TML_TRY(make_parameter(z, i, plus[i], minus[i], shift[i], err));
    }
    if (z->matrix_is_stage) {
        TML_TRY(tml_system_build_stage(z->sys, err));
    }
    return same_rows(z, err);
}

TmlStatus tml_sensitivity_create(TmlSim *sim, TmlSim *same, int n, TmlSim *const *plus,
                                 TmlSim *const *minus, const double *shift, double tolerance,
                                 TmlSensitivity **out, TmlError *err)
{
    *out = NULL;
    TML_TRY(check_model(sim, err));
    TmlSensitivity *z = tml_mem_zalloc(1, sizeof *z);
    if (z == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    z->sim = sim;
    z->n = n;
    z->tolerance = tolerance;
    const TmlStatus status = fill(z, same, plus, minus, shift, err);
    if (status != TML_OK) {
        tml_sensitivity_free(z);
        return status;
    }
    *out = z;
    return TML_OK;
}

void tml_sensitivity_free(TmlSensitivity *z)
{
    if (z != NULL) {
        tml_arena_free(&z->arena);
        tml_mem_free(z);
    }
}
