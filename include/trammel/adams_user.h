/* trammel/adams_user.h - user-written routines of Adams datasets, in C.
 *
 * A shared library named with --user-library holds them; see docs/guide/adams.md. The structures
 * and argument lists are those that Adams/Solver documents for C, so that sources written for it
 * compile against this header. All values are in the units of the dataset.
 *
 * A routine under its default name (Sfosub), or under a name of its own with capital and small
 * letters that ROUTINE gives, is called as below. A name in capitals or small letters only, with or
 * without a final underscore (sfosub_), is called as Fortran calls it: all arguments by reference,
 * with ID, TIME, PAR and NPAR in place of the structure.
 *
 * While a model is loaded a routine is called with iflag 1, 3 and 0: what it asks of c_sysfnc and
 * c_sysary then is all that it depends on. Later calls have iflag and dflag 0. They come many times
 * a step, in any order, and for states that are not kept, so that a result must depend on nothing
 * but time and what was asked for. Derivatives are taken by differences.
 */
#pragma once

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what a routine is told about its element ------------------------------------------------ */

struct sAdamsSforce {
    int ID, NPAR;
    const double *PAR; /* of USER(...) */
    int I, J;          /* markers */
    int ACTION_ONLY;
    const char *Type; /* "TRANSLATIONAL" or "ROTATIONAL" */
};

struct sAdamsGforce {
    int ID, NPAR;
    const double *PAR;
    int I, RM, JFLOAT;
};

struct sAdamsVforce {
    int ID, NPAR;
    const double *PAR;
    int I, JFLOAT, RM;
};

struct sAdamsVtorque {
    int ID, NPAR;
    const double *PAR;
    int I, JFLOAT, RM;
};

struct sAdamsField {
    int ID, NPAR;
    const double *PAR;
    int I, J;
};

struct sAdamsMotion {
    int ID, NPAR;
    const double *PAR;
    int JOINT;
    const char *Type; /* "TRANSLATIONAL" or "ROTATIONAL" */
    int I, J;
    char Which[2];   /* "X", "B3" ... without a final zero */
    const char *DVA; /* "D", "V" or "A" */
};

struct sAdamsVariable {
    int ID, NPAR;
    const double *PAR;
    double IC;
};

struct sAdamsDiff {
    int ID, NPAR;
    const double *PAR;
    int STATIC_HOLD, IMPLICIT;
    double IC_R1, IC_R2;
};

struct sAdamsRequest {
    int ID, NPAR;
    const double *PAR;
    const char *COMMENT;
    const char *TITLE[8];
};

struct sAdamsGSE {
    int ID, NPAR;
    const double *PAR;
    int NI, NO, U, Y, NS, X, IC; /* sizes, and identifiers of arrays */
    int STATIC_HOLD, IMPLICIT, STATICS_ONLY;
    int ND, XD, ICD;
    double SAMPLE_OFFSET;
};

struct sAdamsSpline {
    int ID;
    const char *FILENAME, *BLOCKNAME;
};

/* --- routines -------------------------------------------------------------------------------- */

typedef void adams_c_Sfosub(const struct sAdamsSforce *sforce, double time, int dflag, int iflag,
                            double *value);
typedef void adams_c_Gfosub(const struct sAdamsGforce *gforce, double time, int dflag, int iflag,
                            double *value); /* 6: force, torque */
typedef void adams_c_Vfosub(const struct sAdamsVforce *vforce, double time, int dflag, int iflag,
                            double *value); /* 3 */
typedef void adams_c_Vtosub(const struct sAdamsVtorque *vtorque, double time, int dflag, int iflag,
                            double *value); /* 3 */
/* disp, velo: 6, of I against J along and about the axes of J; field: 6, force and torque on I.
 * Derivatives, 6 by 6 by columns, need not be set. */
typedef void adams_c_Fiesub(const struct sAdamsField *field, double time, double *disp,
                            double *velo, int dflag, int iflag, double *value, double *dfddis,
                            double *dfdvel);
/* iord: 0 the function, 1 and 2 its derivatives by time */
typedef void adams_c_Motsub(const struct sAdamsMotion *motion, double time, int iord, int iflag,
                            double *value);
typedef void adams_c_Varsub(const struct sAdamsVariable *variable, double time, int dflag,
                            int iflag, double *value);
typedef void adams_c_Difsub(const struct sAdamsDiff *diff, double time, int dflag, int iflag,
                            double *value);
typedef void adams_c_Reqsub(const struct sAdamsRequest *request, double time, int iflag,
                            double *output); /* 8: F1 to F8 */
typedef void adams_c_Gsesub(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                            int nstate, const double *states, int ninput, const double *inputs,
                            int noutput, double *stated, double *output);
/* The same in two routines, Gse_deriv and Gse_output, which ask c_gse_x and c_gse_u. */
typedef void adams_c_Gsederiv(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                              int ns, double *xdot);
typedef void adams_c_Gseoutput(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                               int no, double *y);
/* Gives its table with c_put_spline. */
typedef void adams_c_Spline_read(const struct sAdamsSpline *spline, int *ierr);

/* --- what a routine may call ----------------------------------------------------------------- */

/* One value: "DX", "VM", "FZ", "VARVAL" ... of the markers or elements in ipar, as in expressions.
 */
TML_API void c_sysfnc(const char *fncnam, const int *ipar, int nsize, double *state, int *errflg);
/* Several: "TDISP", "RDISP" (psi, theta, phi), "DISP" (both), "TVEL", "RVEL", "VEL", "TACC",
 * "RACC", "ACC", "TFORCE", "RFORCE", "FORCE", "ARRAY", "PINPUT", "POUTPUT". */
TML_API void c_sysary(const char *fncnam, const int *ipar, int nsize, double *states, int *nstates,
                      int *errflg);
/* Partial derivatives of a result: accepted, and not used. */
TML_API void c_syspar(const char *fncnam, const int *ipar, int nsize, const double *partl,
                      int npartl, int *errflg);
/* A message when errflg is not 0; endflg "STOP" ends the run. */
TML_API void c_errmes(int errflg, const char *message, int id, const char *endflg);
TML_API void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp);
TML_API void c_timget(double *time); /* of the call under way */

/* Numbers of an ARRAY, text of a STRING; istat below 0: there is none. */
TML_API void c_gtaray(int id, double *array, int *number, int *istat);
TML_API void c_gtstrg(int id, char *string, int *nchars, int *istat);
TML_API void c_istrng(int number, char *string, int *length, int *istat);
TML_API void c_rstrng(double number, char *string, int *length, int *istat);
TML_API void c_get_gravity(double *gx, double *gy, double *gz);

/* Tables of SPLINE statements: iord 0 the value, 1 and 2 derivatives by x, in array[0]. */
TML_API void c_akispl(double x, double z, int id, int iord, double *array, int *errflg);
TML_API void c_cubspl(double x, double z, int id, int iord, double *array, int *errflg);
/* In Spline_read: nz is 1 for one curve, else y holds nz curves one after another. */
TML_API void c_put_spline(int id, int nx, int nz, const double *x, const double *y, const double *z,
                          int *errflg);

/* Functions of expressions; iord up to 2 gives a derivative by x, for impact and bistop 0 only. */
TML_API void c_step(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                    int *errflg);
TML_API void c_step5(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                     int *errflg);
TML_API void c_havsin(double x, double x0, double h0, double x1, double h1, int iord, double *value,
                      int *errflg);
TML_API void c_poly(double x, double x0, const double *par, int npar, int iord, double *value,
                    int *errflg);
TML_API void c_impact(double x, double dxdt, double x1, double k, double e, double cmax, double d,
                      int iord, double *value, int *errflg);
TML_API void c_bistop(double x, double dxdt, double x1, double x2, double k, double e, double cmax,
                      double d, int iord, double *value, int *errflg);

/* In Gse_deriv and Gse_output. */
TML_API int c_gse_ns(void);
TML_API int c_gse_ni(void);
TML_API int c_gse_no(void);
TML_API void c_gse_x(double *x, int ns);
TML_API void c_gse_u(double *u, int ni);

#ifdef __cplusplus
}
#endif
