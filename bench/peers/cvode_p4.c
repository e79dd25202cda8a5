/* bench/peers/cvode_p4.c - P4 by SUNDIALS CVODE (BDF) in the two angles, with their analytic Jacobian.
 *
 *   cvode_p4 RTOL REPEATS
 *
 * Rods of half lengths L1, L2, centres of mass at L1 (cos t1, sin t1) and 2 L1 (cos t1, sin t1) + L2 (cos t2, sin t2):
 *
 *   (P1)  a t1'' + b cos(t1 - t2) t2'' = -b sin(t1 - t2) t2'^2 - (m1 + 2 m2) g L1 cos t1 - T1 + T2
 *   (P2)  b cos(t1 - t2) t1'' + c t2'' = b sin(t1 - t2) t1'^2 - m2 g L2 cos t2 - T2
 *         a = 4/3 m1 L1^2 + 4 m2 L1^2,  b = 2 m2 L1 L2,  c = 4/3 m2 L2^2
 *         T1 = k1 (t1 - 3 pi/2) + c1 t1',  T2 = k2 (t2 - t1) + c2 (t2' - t1')
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

static const double g = 9.81, L1 = 1.0, L2 = 1.5, m1 = 3.0, m2 = 0.3, k1 = 400.0, c1 = 15.0,
                    k2 = 3e5, c2 = 5e4;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Terms {
    double M[2][2], r[2], acc[2], s, c;
} Terms;

static void evaluate(const double *y, Terms *o)
{
    const double a = 4.0 / 3.0 * m1 * L1 * L1 + 4.0 * m2 * L1 * L1, b = 2.0 * m2 * L1 * L2;
    const double T1 = k1 * (y[0] - 1.5 * M_PI) + c1 * y[2];
    const double T2 = k2 * (y[1] - y[0]) + c2 * (y[3] - y[2]);
    o->s = b * sin(y[0] - y[1]);
    o->c = b * cos(y[0] - y[1]);
    o->M[0][0] = a;
    o->M[0][1] = o->M[1][0] = o->c;
    o->M[1][1] = 4.0 / 3.0 * m2 * L2 * L2;
    o->r[0] = -o->s * y[3] * y[3] - (m1 + 2.0 * m2) * g * L1 * cos(y[0]) - T1 + T2;
    o->r[1] = o->s * y[2] * y[2] - m2 * g * L2 * cos(y[1]) - T2;
    const double det = a * o->M[1][1] - o->c * o->c;
    o->acc[0] = (o->M[1][1] * o->r[0] - o->c * o->r[1]) / det;
    o->acc[1] = (a * o->r[1] - o->c * o->r[0]) / det;
}

static int rates(double t, N_Vector y, N_Vector f, void *user)
{
    (void)t, (void)user;
    const double *x = N_VGetArrayPointer(y);
    double *d = N_VGetArrayPointer(f);
    Terms o;
    evaluate(x, &o);
    d[0] = x[2];
    d[1] = x[3];
    d[2] = o.acc[0];
    d[3] = o.acc[1];
    return 0;
}

/* M dacc = dr - dM acc, column by column. */
static int jacobian(double t, N_Vector y, N_Vector f, SUNMatrix J, void *user, N_Vector w1,
                    N_Vector w2, N_Vector w3)
{
    (void)t, (void)f, (void)user, (void)w1, (void)w2, (void)w3;
    const double *x = N_VGetArrayPointer(y);
    Terms o;
    evaluate(x, &o);
    // derivatives of s and c by t1 are c and -s, by t2 the negatives
    const double d0 = -o.c * x[3] * x[3] + o.s * o.acc[1], d1 = o.c * x[2] * x[2] + o.s * o.acc[0];
    const double r[4][2] = {
        {d0 + (m1 + 2.0 * m2) * g * L1 * sin(x[0]) - k1 - k2, d1 + k2},
        {-d0 + k2, -d1 + m2 * g * L2 * sin(x[1]) - k2},
        {-c1 - c2, 2.0 * o.s * x[2] + c2},
        {-2.0 * o.s * x[3] + c2, -c2},
    };
    const double det = o.M[0][0] * o.M[1][1] - o.c * o.c;
    for (int k = 0; k < 4; ++k) {
        SM_ELEMENT_D(J, 0, k) = k == 2;
        SM_ELEMENT_D(J, 1, k) = k == 3;
        SM_ELEMENT_D(J, 2, k) = (o.M[1][1] * r[k][0] - o.c * r[k][1]) / det;
        SM_ELEMENT_D(J, 3, k) = (o.M[0][0] * r[k][1] - o.c * r[k][0]) / det;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const double rtol = argc > 1 ? atof(argv[1]) : 1e-6;
    const int repeats = argc > 2 ? atoi(argv[2]) : 5;
    double best = HUGE_VAL;
    SUNContext context;
    if (SUNContext_Create(NULL, &context) != 0) {
        return 1;
    }
    for (int k = 0; k < repeats; ++k) {
        N_Vector y = N_VNew_Serial(4, context);
        double *x = N_VGetArrayPointer(y);
        x[0] = x[2] = 0.0;
        x[1] = 23.0 * M_PI / 12.0;
        x[3] = 10.0;
        void *cv = CVodeCreate(CV_BDF, context);
        SUNMatrix J = SUNDenseMatrix(4, 4, context);
        SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
        double t = 0.0;
        int flag = CVodeInit(cv, rates, 0.0, y) || CVodeSStolerances(cv, rtol, rtol) ||
                   CVodeSetLinearSolver(cv, solver, J) || CVodeSetJacFn(cv, jacobian) ||
                   CVodeSetMaxNumSteps(cv, 1000000) || CVodeSetStopTime(cv, 2.0);
        const double began = cpu();
        flag = flag == 0 ? CVode(cv, 2.0, y, &t, CV_NORMAL) : -1;
        best = fmin(best, cpu() - began);
        long steps = 0;
        CVodeGetNumSteps(cv, &steps);
        if (k == repeats - 1) {
            printf("cpu %.9g\nsteps %ld\nvalue theta1 %.17g\nvalue theta2 %.17g\n", best, steps,
                   x[0], x[1]);
        }
        CVodeFree(&cv);
        SUNLinSolFree(solver);
        SUNMatDestroy(J);
        N_VDestroy(y);
        if (flag < 0) {
            return 1;
        }
    }
    return 0;
}
