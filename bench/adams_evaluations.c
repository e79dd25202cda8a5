/* bench/adams_evaluations.c - evaluations of `adams` and of SUNDIALS CVODE (Adams, functional
 * iteration) for the same accuracy on the same state-space problem.
 *
 *   adams_evaluations > bench/results/adams_evaluations.csv
 *
 * A planar double pendulum: for CVODE in two angles, written out below; for Trammel two bodies with
 * fourteen coordinates and two revolute joints, of which it finds the two independent ones itself.
 * Uniform rods of mass m and length l, angles from the vertical, from rest:
 *
 *   (E1)  (m1/3 + m2) l1^2 th1'' + m2 l1 l2/2 (c th2'' + s th2'^2) + (m1/2 + m2) g l1 sin th1 = 0
 *   (E2)  m2 l2^2/3 th2'' + m2 l1 l2/2 (c th1'' - s th1'^2) + m2 g l2/2 sin th2 = 0
 *         c = cos(th1 - th2), s = sin(th1 - th2)
 *
 * The error is the largest of both angles over the output times.
 */
#include "trammel/trammel.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { ROWS = 100, TOLERANCES = 10 };

static const double end = 10.0, g = 9.81, m1 = 1.0, m2 = 0.5, l1 = 1.0, l2 = 0.7;
static const double start[2] = {1.2, 0.4};

typedef struct Run {
    double angle[ROWS + 1][2];
    long steps, rejected, evaluations;
} Run;

/* (E1), (E2): x = (th1, th2, th1', th2'), f = x'. */
static void rates(const double *x, double *f)
{
    const double c = cos(x[0] - x[1]), s = sin(x[0] - x[1]), k = 0.5 * m2 * l1 * l2;
    const double a11 = (m1 / 3.0 + m2) * l1 * l1, a22 = m2 * l2 * l2 / 3.0, a12 = k * c;
    const double b1 = -k * s * x[3] * x[3] - (0.5 * m1 + m2) * g * l1 * sin(x[0]);
    const double b2 = k * s * x[2] * x[2] - 0.5 * m2 * g * l2 * sin(x[1]);
    const double det = a11 * a22 - a12 * a12;
    f[0] = x[2];
    f[1] = x[3];
    f[2] = (a22 * b1 - a12 * b2) / det;
    f[3] = (a11 * b2 - a12 * b1) / det;
}

/* --- reference: Runge and Kutta's method with a step whose error is at rounding --------------- */

static void reference_step(double *x, double h)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double f[4] = {0.0}, sum[4] = {0.0}, stage[4];
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 4; ++i) {
            stage[i] = x[i] + node[s] * h * f[i];
        }
        rates(stage, f);
        for (int i = 0; i < 4; ++i) {
            sum[i] += weight[s] * f[i];
        }
    }
    for (int i = 0; i < 4; ++i) {
        x[i] += h / 6.0 * sum[i];
    }
}

static void reference_run(Run *run)
{
    enum { SUBSTEPS = 5000 };
    double x[4] = {start[0], start[1], 0.0, 0.0};
    for (int k = 0; k <= ROWS; ++k) {
        run->angle[k][0] = x[0];
        run->angle[k][1] = x[1];
        for (int i = 0; i < SUBSTEPS; ++i) {
            reference_step(x, end / ROWS / SUBSTEPS);
        }
    }
}

/* --- CVODE ----------------------------------------------------------------------------------- */

static int right_side(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t;
    (void)user;
    rates(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static bool cvode_run(SUNContext context, double tolerance, Run *run)
{
    N_Vector y = N_VNew_Serial(4, context);
    void *cv = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    double *x = N_VGetArrayPointer(y), t = 0.0;
    x[0] = start[0];
    x[1] = start[1];
    x[2] = x[3] = 0.0;
    bool good = CVodeInit(cv, right_side, 0.0, y) == CV_SUCCESS &&
                CVodeSStolerances(cv, tolerance, tolerance) == CV_SUCCESS &&
                CVodeSetNonlinearSolver(cv, iteration) == CV_SUCCESS &&
                CVodeSetMaxNumSteps(cv, 10000000) == CV_SUCCESS;
    for (int k = 0; k <= ROWS && good; ++k) {
        good = k == 0 || CVode(cv, k * end / ROWS, y, &t, CV_NORMAL) >= 0;
        run->angle[k][0] = x[0];
        run->angle[k][1] = x[1];
    }
    CVodeGetNumSteps(cv, &run->steps);
    CVodeGetNumErrTestFails(cv, &run->rejected);
    CVodeGetNumRhsEvals(cv, &run->evaluations);
    SUNNonlinSolFree(iteration);
    CVodeFree(&cv);
    N_VDestroy(y);
    return good;
}

/* --- Trammel -------------------------------------------------------------------------------- */

static const char format[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {a1: 1.2, a2: 0.4, m1: 1, m2: 0.5, l1: 1, l2: 0.7}\n"
    "bodies:\n"
    "  rod1: {mass: m1, inertia: ['m1*l1^2/12', 0.001, 'm1*l1^2/12'],\n"
    "         position: ['l1/2*sin(a1)', '-l1/2*cos(a1)', 0], rotation: {axis: z, angle: a1}}\n"
    "  rod2: {mass: m2, inertia: ['m2*l2^2/12', 0.001, 'm2*l2^2/12'],\n"
    "         position: ['l1*sin(a1) + l2/2*sin(a2)', '-l1*cos(a1) - l2/2*cos(a2)', 0],\n"
    "         rotation: {axis: z, angle: a2}}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, rod2], at: ['l1*sin(a1)', '-l1*cos(a1)', 0],\n"
    "         axis: z}\n"
    "outputs: {relative1: angle(pin1), relative2: angle(pin2)}\n";

typedef struct Rows {
    Run *run;
    int n;
    double zero[2]; /* joint angles at the start */
} Rows;

static TmlStatus take_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *rows = user;
    const double x[2] = {tml_row_channel(sim, 0), tml_row_channel(sim, 1)};
    (void)err;
    if (rows->n == 0) {
        rows->zero[0] = x[0];
        rows->zero[1] = x[1];
    }
    if (rows->n <= ROWS) {
        double *a = rows->run->angle[rows->n++];
        a[0] = start[0] + x[0] - rows->zero[0];
        a[1] = start[1] + x[0] - rows->zero[0] + x[1] - rows->zero[1];
    }
    return TML_OK;
}

static bool trammel_run(const TmlModel *model, double tolerance, Run *run)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    Rows rows = {.run = run};
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "adams";
    o.end_time = end;
    o.output_step = end / ROWS;
    o.tolerance = tolerance;
    TmlStatus status = tml_sim_create(model, &o, &sim, &err);
    status = status == TML_OK ? tml_sim_run(sim, take_row, &rows, &err) : status;
    if (status == TML_OK) {
        const TmlSimStats st = tml_sim_stats(sim);
        run->steps = (long)st.steps;
        run->rejected = (long)st.rejected;
        run->evaluations = (long)st.iterations;
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    tml_sim_free(sim);
    return status == TML_OK;
}

/* --- comparison ----------------------------------------------------------------------------- */

static double error_of(const Run *run, const Run *exact)
{
    double worst = 0.0;
    for (int k = 0; k <= ROWS; ++k) {
        for (int i = 0; i < 2; ++i) {
            worst = fmax(worst, fabs(run->angle[k][i] - exact->angle[k][i]));
        }
    }
    return worst;
}

/* Evaluations for an error, between the two nearest runs (errors fall along the list). */
static double evaluations_at(const double *error, const long *count, double wanted)
{
    for (int k = 1; k < TOLERANCES; ++k) {
        if (error[k - 1] >= wanted && error[k] < wanted) {
            const double x = log(error[k - 1] / wanted) / log(error[k - 1] / error[k]);
            return exp((1.0 - x) * log((double)count[k - 1]) + x * log((double)count[k]));
        }
    }
    return (double)NAN;
}

int main(void)
{
    static Run run, exact;
    double error[2][TOLERANCES];
    long count[2][TOLERANCES];
    SUNContext context;
    TmlModel *model = NULL;
    TmlError err = {0};
    if (SUNContext_Create(NULL, &context) != 0 ||
        tml_load_text(format, "double pendulum", 0, NULL, NULL, &model, &err) != TML_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    reference_run(&exact);
    printf("method,tolerance,error,steps,rejected,evaluations\n");
    bool good = true;
    for (int who = 0; who < 2; ++who) {
        for (int k = 0; k < TOLERANCES && good; ++k) {
            const double tolerance = pow(10.0, -3 - k);
            good = who == 0 ? cvode_run(context, tolerance, &run)
                            : trammel_run(model, tolerance, &run);
            error[who][k] = error_of(&run, &exact);
            count[who][k] = run.evaluations;
            printf("%s,%.0e,%.3g,%ld,%ld,%ld\n", who == 0 ? "cvode" : "adams", tolerance,
                   error[who][k], run.steps, run.rejected, run.evaluations);
        }
    }
    printf("# error,cvode,adams,ratio\n");
    for (int k = 2; k <= 9 && good; ++k) {
        const double e = pow(10.0, -k), a = evaluations_at(error[0], count[0], e),
                     b = evaluations_at(error[1], count[1], e);
        printf("# %.0e,%.0f,%.0f,%.2f\n", e, a, b, b / a);
    }
    tml_model_free(model);
    SUNContext_Free(&context);
    return good ? 0 : 1;
}
