/* examples/adams/control.c - user-written state equations and sensors of the dataset control.adm,
 * and a routine that runs simulations.
 */
#include "trammel/adams_user.h"

#include <stdio.h>

adams_c_Gseupdate Gse_update, Count;
adams_c_Gseoutput Gse_output, Square;
adams_c_Gsesample Wider;
adams_c_Gsederiv Residual, Mixed;
adams_c_Sensub Sensub;
adams_c_Sevsub Sevsub;
adams_c_Consub Consub;

/* USER(factor): xd + factor u. */
void Gse_update(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int nd, double *xd)
{
    double old[1], u[1];
    (void)time, (void)dflag, (void)iflag, (void)nd;
    c_gse_xd(old, c_gse_nd());
    c_gse_u(u, c_gse_ni());
    xd[0] = old[0] + gse->PAR[0] * u[0];
}

/* xd itself. */
void Gse_output(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int no, double *y)
{
    const int array[1] = {gse->XD};
    int n = 0, error = 0;
    (void)time, (void)dflag, (void)iflag, (void)no;
    c_sysary("ARRAY", array, 1, y, &n, &error);
    c_errmes(error, "no discrete states", gse->ID, "STOP");
}

void Count(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int nd, double *xd)
{
    (void)gse, (void)time, (void)dflag, (void)iflag;
    c_gse_xd(xd, nd);
    xd[0] += 1.0;
}

/* USER(period): it grows with the number of samples. */
void Wider(const struct sAdamsGSE *gse, double time, int iflag, double *period)
{
    double xd[1];
    (void)time, (void)iflag;
    c_gse_xd(xd, 1);
    *period = gse->PAR[0] * (1.0 + xd[0]);
}

/* USER(milliseconds a second). */
void Residual(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int ns, double *f)
{
    const double second = gse->PAR[0];
    double x[2], rate[2];
    (void)time, (void)dflag, (void)iflag;
    c_gse_x(x, ns);
    c_gse_xdot(rate, ns);
    f[0] = second * (rate[0] + 0.5 * rate[1]) - x[1] + 2.0 * x[0];
    f[1] = second * rate[1] + 4.0 * x[0];
}

/* USER(second): the first holds rates, the second none. */
void Mixed(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int ns, double *f)
{
    const double second = gse->PAR[0];
    double x[2], rate[2], u[1];
    (void)time, (void)dflag, (void)iflag;
    c_gse_x(x, ns);
    c_gse_xdot(rate, ns);
    c_gse_u(u, 1);
    f[0] = second * (rate[0] + rate[1]) - u[0];
    f[1] = x[1] - x[0] * x[0];
}

void Square(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int no, double *y)
{
    double x[2];
    (void)gse, (void)time, (void)dflag, (void)iflag, (void)no;
    c_gse_x(x, 2);
    y[0] = x[0] * x[0];
}

/* USER(marker): its place along x. */
void Sensub(const struct sAdamsSensor *sensor, double time, int iflag, double *value)
{
    const int marker[1] = {(int)sensor->PAR[0]};
    int error = 0;
    (void)time, (void)iflag;
    c_sysfnc("DX", marker, 1, value, &error);
    c_errmes(error, "no displacement", sensor->ID, "STOP");
}

/* USER(factor): of the time. */
void Sevsub(const struct sAdamsSensor *sensor, double time, int iflag, double *value)
{
    (void)iflag;
    *value = sensor->PAR[0] * time;
}

/* USER(f): a second with VARIABLE/1 as it is, another one with the number f. */
void Consub(const struct sAdamsControl *control)
{
    char command[80];
    int status = 0;
    c_analys("DYNAMIC", "first", 0.0, 1.0, 1, &status);
    c_errmes(status, "the first simulation cannot be", 1, "STOP");
    c_datout(&status);
    snprintf(command, sizeof command, "VARIABLE/1, FUNCTION=%g", control->PAR[0]);
    c_modify(command, &status);
    c_analys("DYNAMIC", "second", 1.0, 2.0, 0, &status);
    c_errmes(status, "the second simulation cannot be", 2, "STOP");
    c_datout(&status);
}
