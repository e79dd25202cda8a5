/* examples/adams/constraint.c - user-written constraints and curves of the dataset constraint.adm.
 *
 * Positions follow from closed forms: see the comments of the dataset.
 */
#include "trammel/adams_user.h"

#include <math.h>

adams_c_Cousub Cousub, Cam;
adams_c_Couxx Couxx;
adams_c_Couxx2 Couxx2;
adams_c_Cursub Cursub;
void ucosub_(const int *id, const double *time, const double *q, const double *par, const int *npar,
             const int *idrsel, const int *iflag, double *scalar, double *array, double *xmatrx);
void gcosub_(const int *id, const double *time, const double *par, const int *npar,
             const int *dflag, const int *iflag, double *value);

/* USER(e): a2 - a1 - e sin(a1) = 0. */
void Cousub(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag,
            double *value)
{
    (void)time, (void)iflag;
    *value = disp[1] - disp[0] - coupler->PAR[0] * sin(disp[0]);
}

/* Its derivatives. */
void Couxx(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag, double *dfda)
{
    (void)time, (void)iflag;
    dfda[0] = -1.0 - coupler->PAR[0] * cos(disp[0]);
    dfda[1] = 1.0;
}

/* And those of these, row by row. */
void Couxx2(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag,
            double *d2fda2)
{
    (void)time, (void)iflag;
    d2fda2[0] = coupler->PAR[0] * sin(disp[0]);
    d2fda2[1] = d2fda2[2] = d2fda2[3] = 0.0;
}

/* USER(r): z - r (1 - cos(a)) = 0. */
void Cam(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag, double *value)
{
    (void)time, (void)iflag;
    *value = disp[0] - coupler->PAR[0] * (1.0 - cos(disp[1]));
}

/* USER(r): a cycloid that hangs, x = r (a + sin(a)), z = r (1 - cos(a)). */
void Cursub(const struct sAdamsCurve *curve, double alpha, int iord, int iflag, double *values)
{
    const double r = curve->PAR[0], s = sin(alpha), c = cos(alpha);
    (void)iflag;
    values[0] = iord == 0 ? r * (alpha + s) : iord == 1 ? r * (1.0 + c) : -r * s;
    values[1] = 0.0;
    values[2] = iord == 0 ? r * (1.0 - c) : iord == 1 ? r * s : r * c;
}

/* USER(part, r): x^2 + y^2 - r^2 = 0. */
void ucosub_(const int *id, const double *time, const double *q, const double *par, const int *npar,
             const int *idrsel, const int *iflag, double *scalar, double *array, double *xmatrx)
{
    const int parts[2] = {(int)par[0], (int)par[0]}, codes[2] = {11, 12};
    (void)time, (void)npar;
    if (*iflag != 0) {
        c_ucovar(*id, 2, parts, 2, codes);
        return;
    }
    if (idrsel[0] == 1) {
        *scalar = q[0] * q[0] + q[1] * q[1] - par[1] * par[1];
    }
    if (idrsel[1] == 1) {
        array[0] = 2.0 * q[0];
        array[1] = 2.0 * q[1];
    }
    if (idrsel[2] == 1) { // 30 by 30, by columns
        xmatrx[0] = xmatrx[31] = 2.0;
    }
}

/* USER(marker, a): x - a t^2 = 0. */
void gcosub_(const int *id, const double *time, const double *par, const int *npar,
             const int *dflag, const int *iflag, double *value)
{
    const int marker[1] = {(int)par[0]}, one = 1;
    double x = 0.0;
    int error = 0;
    (void)npar, (void)dflag, (void)iflag;
    sysfnc_("DX  ", marker, &one, &x, &error, 4);
    errmes_(&error, "no displacement", id, "STOP", 15, 4);
    *value = x - par[1] * *time * *time;
}
