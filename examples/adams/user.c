/* examples/adams/user.c - user-written routines of the dataset user.adm: forces, variables and
 * more. With constraint.c and control.c they make one shared library:
 *
 *     trammel run user.adm --user-library user.so --end 1 --csv user.csv
 *
 * Every routine does something whose result is known: an oscillator, a fall, a decay.
 */
#include "trammel/adams_user.h"

#include <math.h>
#include <string.h>

adams_c_Sfosub Sfosub;
adams_c_Gfosub Gfosub;
adams_c_Vfosub Vfosub;
adams_c_Vtosub Vtosub;
adams_c_Fiesub Fiesub;
adams_c_Motsub Motsub;
adams_c_Varsub Varsub;
adams_c_Difsub Difsub, Decay;
adams_c_Reqsub Reqsub;
adams_c_Gsesub Gsesub;
adams_c_Spline_read Parabola;
void vardbl_(const int *id, const double *time, const double *par, const int *npar,
             const int *dflag, const int *iflag, double *value);

/* USER(stiffness, free length): a spring between the markers, force = -k (length - l0). */
void Sfosub(const struct sAdamsSforce *sforce, double time, int dflag, int iflag, double *value)
{
    const int ends[2] = {sforce->I, sforce->J};
    double length = 0.0;
    int error = 0;
    (void)time, (void)dflag, (void)iflag;
    c_sysfnc("DM", ends, 2, &length, &error);
    c_errmes(error, "no length of the spring", sforce->ID, "STOP");
    *value = -sforce->PAR[0] * (length - sforce->PAR[1]);
}

/* USER(stiffness, damping): a spring and damper to the origin in all directions, no torque. The
 * stiffness comes from array 1 when it is given as 0. */
void Gfosub(const struct sAdamsGforce *gforce, double time, int dflag, int iflag, double *value)
{
    const int ends[3] = {gforce->I, gforce->RM, gforce->RM};
    double place[6], rate[6], numbers[8], k = gforce->PAR[0];
    int n = 0, error = 0;
    (void)time, (void)dflag, (void)iflag;
    c_sysary("DISP", ends, 3, place, &n, &error);
    c_errmes(error, "no displacement", gforce->ID, "STOP");
    c_sysary("VEL", ends, 3, rate, &n, &error);
    c_errmes(error, "no velocity", gforce->ID, "STOP");
    if (k == 0.0) {
        c_gtaray(1, numbers, &n, &error);
        k = n > 0 ? numbers[0] : 0.0;
    }
    for (int a = 0; a < 3; ++a) {
        value[a] = -k * place[a] - gforce->PAR[1] * rate[a];
        value[3 + a] = 0.0;
    }
}

/* USER(mass): its weight, against gravity. The mass is in N s^2/mm, as forces are in N. */
void Vfosub(const struct sAdamsVforce *vforce, double time, int dflag, int iflag, double *value)
{
    double g[3];
    (void)time, (void)dflag, (void)iflag;
    c_get_gravity(&g[0], &g[1], &g[2]);
    for (int a = 0; a < 3; ++a) {
        value[a] = -vforce->PAR[0] * g[a];
    }
}

/* USER(torque): about z, switched on smoothly in the first half second. */
void Vtosub(const struct sAdamsVtorque *vtorque, double time, int dflag, int iflag, double *value)
{
    int error = 0;
    (void)dflag, (void)iflag;
    value[0] = value[1] = 0.0;
    c_step(time, 0.0, 0.0, 0.5, vtorque->PAR[0], 0, &value[2], &error);
}

/* USER(stiffness): along x only. */
void Fiesub(const struct sAdamsField *field, double time, double *disp, double *velo, int dflag,
            int iflag, double *value, double *dfddis, double *dfdvel)
{
    (void)time, (void)velo, (void)dflag, (void)iflag, (void)dfddis, (void)dfdvel;
    memset(value, 0, 6 * sizeof *value);
    value[0] = -field->PAR[0] * disp[0];
}

/* USER(amplitude, rate): a sine with its derivatives. */
void Motsub(const struct sAdamsMotion *motion, double time, int iord, int iflag, double *value)
{
    const double a = motion->PAR[0], w = motion->PAR[1];
    (void)iflag;
    *value = iord == 0   ? a * sin(w * time)
             : iord == 1 ? a * w * cos(w * time)
                         : -a * w * w * sin(w * time);
}

/* USER(marker, spline): a table over the height of a marker. */
void Varsub(const struct sAdamsVariable *variable, double time, int dflag, int iflag, double *value)
{
    const int marker[1] = {(int)variable->PAR[0]};
    double height = 0.0, table[3] = {0.0};
    int error = 0;
    (void)time, (void)dflag, (void)iflag;
    c_sysfnc("DZ", marker, 1, &height, &error);
    c_cubspl(height, 0.0, (int)variable->PAR[1], 0, table, &error);
    c_errmes(error, "no table", variable->ID, "STOP");
    *value = table[0];
}

/* As Fortran calls it: twice the variable that USER names. */
void vardbl_(const int *id, const double *time, const double *par, const int *npar,
             const int *dflag, const int *iflag, double *value)
{
    const int other[1] = {(int)par[0]};
    int error = 0;
    (void)id, (void)time, (void)npar, (void)dflag, (void)iflag;
    c_sysfnc("VARVAL", other, 1, value, &error);
    *value *= 2.0;
}

/* x' = -a x, under the default name and under another. */
void Difsub(const struct sAdamsDiff *diff, double time, int dflag, int iflag, double *value)
{
    const int self[1] = {diff->ID};
    double x = 0.0;
    int error = 0;
    (void)time, (void)dflag, (void)iflag;
    c_sysfnc("DIF", self, 1, &x, &error);
    *value = -diff->PAR[0] * x;
}

void Decay(const struct sAdamsDiff *diff, double time, int dflag, int iflag, double *value)
{
    Difsub(diff, time, dflag, iflag, value);
    *value *= 2.0;
}

/* F2: the length of string 1; F3, F4: from utilities; F6: time. */
void Reqsub(const struct sAdamsRequest *request, double time, int iflag, double *output)
{
    char text[128];
    int n = 0, error = 0;
    (void)request, (void)iflag;
    c_gtstrg(1, text, &n, &error);
    output[1] = n;
    c_step5(0.25, 0.0, 0.0, 1.0, 1.0, 1, &output[2], &error);
    c_bistop(1.5, 0.0, 0.0, 1.0, 10.0, 1.0, 0.0, 0.1, 0, &output[3], &error);
    output[5] = time;
}

/* x1' = x2, x2' = -w^2 x1 + u;  y = x1 + 2 u */
void Gsesub(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int nstate,
            const double *states, int ninput, const double *inputs, int noutput, double *stated,
            double *output)
{
    const double w = gse->PAR[0];
    (void)time, (void)dflag, (void)iflag, (void)nstate, (void)ninput, (void)noutput;
    stated[0] = states[1];
    stated[1] = -w * w * states[0] + inputs[0];
    output[0] = states[0] + 2.0 * inputs[0];
}

/* A table of x^2. */
void Parabola(const struct sAdamsSpline *spline, int *ierr)
{
    double x[9], y[9];
    for (int k = 0; k < 9; ++k) {
        x[k] = 0.25 * k - 1.0;
        y[k] = x[k] * x[k];
    }
    c_put_spline(spline->ID, 9, 1, x, y, NULL, ierr);
}
