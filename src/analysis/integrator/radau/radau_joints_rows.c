/* analysis/integrator/radau/radau_joints_rows.c - radau in joint coordinates between the ends of steps: states by (R8) and the work of
 * forces by (R16) of radau_joints.c.
 */
#include "analysis/integrator/radau/radau_joints.h"

#include "analysis/integrator/radau/radau_tables.h"

#include <math.h>
#include <string.h>

enum { NODES = TML_RADAU_NODES };

/* --- (R16) ------------------------------------------------------------------------------------ */

enum { POWERS = sizeof(TmlPower) / sizeof(double) };

/* The error of order 6 in h of (R16), from one of order 4 and one of order 2: each is the next one times the square of their ratio. */
static double work_error(double fourth, double second)
{
    const double a = fabs(fourth), b = fabs(second);
    return a < b ? a * (a / b) : a;
}

bool tml_radau_joints_work(TmlIntegrator *it, double x, TmlPower *out, double *doubt)
{
    const TmlRadau *all = it->work;
    const TmlRadauJoints *w = all->joints;
    double l[3][NODES];
    if (!w->accounts || !w->taken) {
        return false;
    }
    tml_radau_weights(x, l);
    *doubt = 0.0;
    for (int k = 0; k < POWERS; ++k) {
        double p[NODES], sum = 0.0, off = 0.0;
        for (int i = 0; i < NODES; ++i) {
            p[i] = ((const double *)&w->power[i])[k];
            sum += w->h * l[1][i] * p[i];
            off += w->h / radau_g * (i > 0 ? radau_e[i - 1] : 1.0) * p[i];
        }
        ((double *)out)[k] = sum;
        *doubt = fmax(*doubt, work_error(off, w->h * (p[1] - 0.5 * (p[0] + p[NODES - 1]))));
    }
    return true;
}

/* --- (R8) ------------------------------------------------------------------------------------- */

/* Sets w->j.X, w->j.Y and w->j.Y1 to the motion at t of the last step, states and multipliers with it. Polynomials of the chart have second rates at their nodes, and those
 * of accelerations do not depend on it. */
static void interpolate(TmlRadauJoints *w, double end, double t)
{
    const double h = w->h_last, s = 1.0 - (end - t) / h;
    const double *const z[NODES] = {w->node[0], w->z[0], w->z[1], w->z[2]};
    double l[3][NODES];
    tml_radau_weights(s, l);
    for (int k = 0; k < w->j.size; ++k) {
        double v = k < w->j.all ? w->j.w_n[k] : 0.0, a = 0.0;
        for (int j = 0; j < NODES; ++j) {
            a += l[0][j] * w->node[j][k];
            v += h * l[1][j] * z[j][k];
        }
        w->ew[k] = v;
        w->dx[k] = a;
    }
    for (int k = 0; k < w->j.n; ++k) {
        w->ex[k] = w->j.x_n[k] + h * s * w->j.w_n[k];
        for (int j = 0; j < NODES; ++j) {
            w->ex[k] += h * h * l[2][j] * z[j][k];
        }
    }
    tml_joint_steps_move(&w->j, w->ex, w->ew, w->dx);
    memcpy(w->j.Y1, w->dx, (size_t)w->j.size * sizeof(double));
}

void tml_radau_joints_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    interpolate(w, end->t, t);
    tml_state_copy(it->sys, end, out);
    tml_joint_steps_put(&w->j, t, w->j.X, w->j.Y, w->j.Y1, false, out);
}

bool tml_radau_joints_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    const size_t states = (size_t)(w->j.all - w->j.n) * sizeof(double);
    if (!w->taken) {
        return false;
    }
    interpolate(w, end->t, t);
    tml_state_copy(it->sys, end, out);
    w->j.s.t = out->t = t;
    memcpy(w->j.s.X, w->j.Y + w->j.n, states);
    if (!tml_recursion_row(w->j.recursion, &w->j.s, w->j.X, w->j.Y, w->j.X1, w->j.Y1)) {
        return false;
    }
    memcpy(out->X, w->j.s.X, states);
    memcpy(out->Xd, w->j.s.Xd, states);
    tml_joint_steps_put_values(it, &w->j, out);
    tml_recursion_state(w->j.recursion, w->j.X, w->j.Y, w->j.Y1, true, false, out);
    tml_system_kinematics(it->sys, out, true);
    tml_recursion_reactions(w->j.recursion, out);
    return true;
}
