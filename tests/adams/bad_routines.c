/* tests/adams/bad_routines.c - user-written routines that go wrong, for test_adams_user.c. */
#include "trammel/adams_user.h"

#include <math.h>

adams_c_Sfosub Sfosub;
adams_c_Varsub Varsub, Greedy;
adams_c_Motsub Motsub;
adams_c_Gsesub Gsesub;
adams_c_Cousub Cousub;
adams_c_Couxx Couxx;
adams_c_Couxx2 Couxx2;
adams_c_Consub Consub, Loads;
adams_c_Gseupdate Gse_update;
adams_c_Gsesample Gse_samp;

/* No number from 0.5 on. */
void Sfosub(const struct sAdamsSforce *sforce, double time, int dflag, int iflag, double *value)
{
    (void)sforce, (void)dflag, (void)iflag;
    *value = time < 0.5 ? 0.0 : (double)NAN;
}

/* Asks for more when the time is between those that are tried while a model is loaded. */
void Varsub(const struct sAdamsVariable *variable, double time, int dflag, int iflag, double *value)
{
    const int marker[1] = {20};
    int error = 0;
    (void)variable, (void)dflag, (void)iflag;
    *value = 0.0;
    if (time > 0.5 && time < 0.9) {
        c_sysfnc("DX", marker, 1, value, &error);
    }
}

/* Asks for more than can be. */
void Greedy(const struct sAdamsVariable *variable, double time, int dflag, int iflag, double *value)
{
    int error = 0;
    (void)variable, (void)time, (void)dflag, (void)iflag;
    for (int k = 0; k < 70; ++k) {
        const int markers[2] = {20, k};
        c_sysfnc("DX", markers, 2, value, &error);
    }
}

/* A motion is a function of time. */
void Motsub(const struct sAdamsMotion *motion, double time, int iord, int iflag, double *value)
{
    const int marker[1] = {20};
    int error = 0;
    (void)motion, (void)time, (void)iord, (void)iflag;
    c_sysfnc("DX", marker, 1, value, &error);
}

/* A coupler whose second derivatives are wrong. */
void Cousub(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag,
            double *value)
{
    (void)coupler, (void)time, (void)iflag;
    *value = disp[0] + disp[1] * disp[1];
}

void Couxx(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag, double *dfda)
{
    (void)coupler, (void)time, (void)iflag;
    dfda[0] = 1.0;
    dfda[1] = 2.0 * disp[1];
}

void Couxx2(const struct sAdamsCoupler *coupler, double time, double *disp, int iflag,
            double *d2fda2)
{
    (void)coupler, (void)time, (void)iflag, (void)disp;
    d2fda2[0] = 2.0;
}

/* Results of every size: the number of each. */
void Gsesub(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int nstate,
            const double *states, int ninput, const double *inputs, int noutput, double *stated,
            double *output)
{
    (void)gse, (void)time, (void)dflag, (void)iflag, (void)states, (void)ninput, (void)inputs;
    for (int k = 0; k < nstate; ++k) {
        stated[k] = 0.0;
    }
    for (int k = 0; k < noutput; ++k) {
        output[k] = k + 1.0;
    }
}

void Gse_update(const struct sAdamsGSE *gse, double time, int dflag, int iflag, int nd, double *xd)
{
    (void)gse, (void)time, (void)dflag, (void)iflag;
    c_gse_xd(xd, nd);
}

/* Stands still from 0.2 on. */
void Gse_samp(const struct sAdamsGSE *gse, double time, int iflag, double *period)
{
    (void)gse, (void)iflag;
    *period = time < 0.2 ? 0.1 : 0.0;
}

/* Values between simulations are not known. */
void Consub(const struct sAdamsControl *control)
{
    const int marker[1] = {20};
    double x = 0.0;
    int status = 0;
    (void)control;
    c_analys("DYNAMIC", "", 0.0, 1.0, 1, &status);
    c_sysfnc("DX", marker, 1, &x, &status);
}

void Loads(const struct sAdamsControl *control)
{
    int status = 0;
    (void)control;
    c_analys("MODAL", "", 0.0, 1.0, 1, &status);
}
