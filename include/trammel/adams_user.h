/* trammel/adams_user.h - user-written routines of Adams datasets, in C.
 *
 * A shared library named with --user-library holds them; see docs/guide/adams.md. The structures
 * and argument lists are those that Adams/Solver documents for C, so that sources written for it
 * compile against this header. All values are in the units of the dataset.
 *
 * A routine with its default name (Sfosub), or with a name of upper- and lower-case letters that ROUTINE gives,
 * is called as declared below. A routine whose name has only upper-case or only lower-case letters, with or
 * without a final underscore (sfosub_), is called in the manner of Fortran: all arguments are references, and ID,
 * TIME, PAR and NPAR stand in place of the structure.
 *
 * While a model is loaded a routine is called with iflag 1, 3 and 0. It may depend only on those quantities that
 * it requests from c_sysfnc and c_sysary in these calls. Later calls have iflag and dflag 0. There are many of them
 * in a step, in any order, and for states that may be rejected. So a result must depend only on time and on the
 * quantities requested. Only Gse_update is called once for each sample. Two calls never run at the same time.
 * Derivatives that a routine does not give are computed by differences.
 */
#pragma once

#include <stddef.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what a routine gets to know about its element ------------------------------------------- */

struct sAdamsSforce {
    int ID, NPAR;
    const double *PAR; /* arguments of USER(...) */
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

struct sAdamsSensor {
    int ID, NPAR;
    const double *PAR;
    double VALUE, Error;
    char Logic[2]; /* "EQ", "GE" or "LE" without a final zero */
};

struct sAdamsCoupler {
    int ID, NPAR;
    const double *PAR;
    int NJOINT, JOINTS[3];
    char TYPE[3]; /* 'T' or 'R' of each joint */
};

struct sAdamsCurve {
    int ID, NPAR;
    const double *PAR;
    int CLOSED, ORDER;
    double MINPAR, MAXPAR;
};

struct sAdamsControl {
    int NPAR;
    const double *PAR;
};

struct sAdamsGSE {
    int ID, NPAR;
    const double *PAR;
    int NI, NO, U, Y, NS, X, IC; /* sizes (NI, NO, NS) and identifiers of arrays */
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
/* disp, velo: 6 numbers each, displacement and velocity of I relative to J along and about the axes of J;
 * value: 6, force and torque on I. The derivatives, 6 by 6 by columns, need not be set. */
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
/* The same as separate routines, which call c_gse_x and c_gse_u. Gse_deriv gives x', or with IMPLICIT the residual
 * as a function of x, x' and u; Gse_output the outputs; Gse_update the discrete states of the next sample; Gse_samp
 * the time until that sample. */
typedef void adams_c_Gsederiv(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                              int ns, double *xdot);
typedef void adams_c_Gseoutput(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                               int no, double *y);
typedef void adams_c_Gseupdate(const struct sAdamsGSE *gse, double time, int dflag, int iflag,
                               int nd, double *xd);
typedef void adams_c_Gsesample(const struct sAdamsGSE *gse, double time, int iflag, double *period);
/* Sensub gives the value that the sensor watches, Sevsub the value that EVALUATE stores. */
typedef void adams_c_Sensub(const struct sAdamsSensor *sensor, double time, int iflag,
                            double *value);
typedef void adams_c_Sevsub(const struct sAdamsSensor *sensor, double time, int iflag,
                            double *value);
/* disp: for each joint the displacement of I relative to J along or about z of J. Cousub gives a value that must
 * vanish, Couxx its derivatives by disp, Couxx2 its second derivatives, in rows with one number for each joint.
 * Without Couxx or Couxx2 the derivatives are computed by differences. */
typedef void adams_c_Cousub(const struct sAdamsCoupler *coupler, double time, double *disp,
                            int iflag, double *value);
typedef void adams_c_Couxx(const struct sAdamsCoupler *coupler, double time, double *disp,
                           int iflag, double *dfda);
typedef void adams_c_Couxx2(const struct sAdamsCoupler *coupler, double time, double *disp,
                            int iflag, double *d2fda2);
/* values: 3 numbers, a point of the curve at alpha (iord 0) or its derivatives by alpha (iord 1, 2) */
typedef void adams_c_Cursub(const struct sAdamsCurve *curve, double alpha, int iord, int iflag,
                            double *values);
/* For CONTROL in command files. It is called while these are read; the simulations that it requests are run after
 * it has returned. It must not request values of the model. */
typedef void adams_c_Consub(const struct sAdamsControl *control);
/* Passes its table to c_put_spline. */
typedef void adams_c_Spline_read(const struct sAdamsSpline *spline, int *ierr);

/* --- what a routine may call ----------------------------------------------------------------- */

/* Get one value: "DX", "VM", "FZ", "VARVAL" ... of the markers or elements in ipar, as in expressions. */
TML_API void c_sysfnc(const char *fncnam, const int *ipar, int nsize, double *state, int *errflg);
/* Get several values: "TDISP", "RDISP" (psi, theta, phi), "DISP" (both), "TVEL", "RVEL", "VEL", "TACC",
 * "RACC", "ACC", "TFORCE", "RFORCE", "FORCE", "ARRAY", "PINPUT", "POUTPUT". */
TML_API void c_sysary(const char *fncnam, const int *ipar, int nsize, double *states, int *nstates,
                      int *errflg);
/* Partial derivatives of a result. They are accepted and not used. */
TML_API void c_syspar(const char *fncnam, const int *ipar, int nsize, const double *partl,
                      int npartl, int *errflg);
/* Send a message if errflg is not 0; endflg "STOP" ends the run. */
TML_API void c_errmes(int errflg, const char *message, int id, const char *endflg);
TML_API void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp);
TML_API void c_timget(double *time); /* time of the present call */

/* For Consub. c_analys requests a simulation up to a time ("STATIC", "DYNAMIC", "KINEMATIC", "TRANSIENT"), whose
 * last row is written whether c_datout is called or not. c_modify takes a command, or a statement that changes the
 * dataset. status is not 0 if this is not possible, and in all other routines. */
TML_API void c_analys(const char *antype, const char *label, double start, double end, int init,
                      int *status);
TML_API void c_datout(int *status);
TML_API void c_modify(const char *command, int *status);

/* Get the numbers of an ARRAY, the text of a STRING; istat < 0: there is none. */
TML_API void c_gtaray(int id, double *array, int *number, int *istat);
TML_API void c_gtstrg(int id, char *string, int *nchars, int *istat);
TML_API void c_istrng(int number, char *string, int *length, int *istat);
TML_API void c_rstrng(double number, char *string, int *length, int *istat);
TML_API void c_get_gravity(double *gx, double *gy, double *gz);

/* Interpolate the table of a SPLINE statement: array[0] is the value (iord 0) or a derivative by x (iord 1, 2). */
TML_API void c_akispl(double x, double z, int id, int iord, double *array, int *errflg);
TML_API void c_cubspl(double x, double z, int id, int iord, double *array, int *errflg);
/* For Spline_read. nz is 1 for one curve; otherwise y holds nz curves one after another. */
TML_API void c_put_spline(int id, int nx, int nz, const double *x, const double *y, const double *z,
                          int *errflg);

/* The functions of expressions. iord 1 and 2 give derivatives by x; c_impact and c_bistop take iord 0 only. */
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
TML_API void c_cheby(double x, double x0, const double *par, int npar, int iord, double *value,
                     int *errflg);
TML_API void c_forcos(double x, double x0, double w, const double *par, int npar, int iord,
                      double *value, int *errflg);
TML_API void c_forsin(double x, double x0, double w, const double *par, int npar, int iord,
                      double *value, int *errflg);
TML_API void c_shf(double x, double x0, double a, double w, double phi, double b, int iord,
                   double *value, int *errflg);

/* Convert orientations between "EULER" (body 3-1-3), "B123" .. "S321", "YPR", "BRYANT", "EULPAR", "RODPAR" and
 * "COSINES" (by columns), and places between "CARTESIAN", "CYLINDRICAL" (r, theta, z) and "SPHERICAL" (rho, phi from
 * z, theta). istat -1: the first system is unknown, -2: the second. */
TML_API void c_rcnvrt(const char *sys1, const double *coord1, const char *sys2, double *coord2,
                      int *istat);
TML_API void c_tcnvrt(const char *sys1, const double *coord1, const char *sys2, double *coord2,
                      int *istat);
/* Evaluate a CURVE that a CURSUB gives: 3 coordinates, or their derivatives; istat < 0: there is no such curve. */
TML_API void c_gtcurv(int id, double alpha, int iord, double *array, int *istat);

/* For routines of a GSE. */
TML_API int c_gse_ns(void);
TML_API int c_gse_nd(void);
TML_API int c_gse_ni(void);
TML_API int c_gse_no(void);
TML_API void c_gse_x(double *x, int ns);
TML_API void c_gse_xdot(double *xdot, int ns); /* with IMPLICIT */
TML_API void c_gse_xd(double *xd, int nd);
TML_API void c_gse_u(double *u, int ni);
/* Partial derivatives and their pattern. They are accepted and not used. */
TML_API void c_gsepar_x(const double *par, int size);
TML_API void c_gsepar_xdot(const double *par, int size);
TML_API void c_gsepar_u(const double *par, int size);
TML_API void c_gsemap_x(int row, int column);
TML_API void c_gsemap_xdot(int row, int column);
TML_API void c_gsemap_u(int row, int column);

/* For UCOSUB while the model is loaded: says what its q contains. lparts gives the part of each variable, lvars a
 * number from 11 to 16: x, y, z of its centre of mass, psi, theta, phi of its principal axes, relative to ground.
 * There are at most 7 variables. */
TML_API void c_ucovar(int id, int nparts, const int *lparts, int nvars, const int *lvars);

/* Get the kind of analysis as the function MODE gives it, and the processor time; test whether values are finite
 * (outcome 1: one is not, and index counts from 1 to the first such value). */
TML_API void c_getmod(int *mode);
TML_API void c_anlmod(int *mode);
TML_API void c_getcpu(double *seconds);
TML_API void c_naninf(const double *value, const int *size, int *outcome, int *index);
TML_API void c_adams_needs_partials(int *wanted); /* never */
/* These have no effect, because calls never overlap and nothing is saved. */
TML_API void c_adams_declare_threadsafe(void);
TML_API void c_adams_smp_group(int group);
TML_API void c_adams_serialize_integers(const int *data, int count);
TML_API void c_adams_unserialize_integers(int *data, int count);
TML_API void c_adams_serialize_doubles(const double *data, int count);
TML_API void c_adams_unserialize_doubles(double *data, int count);
TML_API void c_adams_serialize_characters(const char *data, int count);
TML_API void c_adams_unserialize_characters(char *data, int count);

/* --- the same for Fortran ---------------------------------------------------------------------- */

TML_API void analys_(const char *antype, const char *label, const double *start, const double *end,
                     const int *init, int *status, size_t n, size_t n_label);
TML_API void datout_(int *status);
TML_API void modify_(const char *command, int *status, size_t n);
TML_API void sysfnc_(const char *fncnam, const int *ipar, const int *nsize, double *state,
                     int *errflg, size_t n);
TML_API void sysary_(const char *fncnam, const int *ipar, const int *nsize, double *states,
                     int *nstates, int *errflg, size_t n);
TML_API void syspar_(const char *fncnam, const int *ipar, const int *nsize, const double *partl,
                     const int *npartl, int *errflg, size_t n);
TML_API void errmes_(const int *errflg, const char *message, const int *id, const char *endflg,
                     size_t n, size_t n_end);
TML_API void usrmes_(const int *msgflg, const char *message, const int *id, const char *msgtyp,
                     size_t n, size_t n_type);
TML_API void timget_(double *time);
TML_API void gtaray_(const int *id, double *array, int *number, int *istat);
TML_API void gtstrg_(const int *id, char *string, int *nchars, int *istat, size_t n);
TML_API void gtcurv_(const int *id, const double *alpha, const int *iord, double *array,
                     int *istat);
TML_API void get_gravity_(double *gx, double *gy, double *gz);
TML_API void akispl_(const double *x, const double *z, const int *id, const int *iord,
                     double *array, int *errflg);
TML_API void cubspl_(const double *x, const double *z, const int *id, const int *iord,
                     double *array, int *errflg);
TML_API void step_(const double *x, const double *x0, const double *h0, const double *x1,
                   const double *h1, const int *iord, double *value, int *errflg);
TML_API void step5_(const double *x, const double *x0, const double *h0, const double *x1,
                    const double *h1, const int *iord, double *value, int *errflg);
TML_API void havsin_(const double *x, const double *x0, const double *h0, const double *x1,
                     const double *h1, const int *iord, double *value, int *errflg);
TML_API void poly_(const double *x, const double *x0, const double *par, const int *npar,
                   const int *iord, double *value, int *errflg);
TML_API void impact_(const double *x, const double *dxdt, const double *x1, const double *k,
                     const double *e, const double *cmax, const double *d, const int *iord,
                     double *value, int *errflg);
TML_API void bistop_(const double *x, const double *dxdt, const double *x1, const double *x2,
                     const double *k, const double *e, const double *cmax, const double *d,
                     const int *iord, double *value, int *errflg);
TML_API void rcnvrt_(const char *sys1, const double *coord1, const char *sys2, double *coord2,
                     int *istat, size_t n1, size_t n2);
TML_API void tcnvrt_(const char *sys1, const double *coord1, const char *sys2, double *coord2,
                     int *istat, size_t n1, size_t n2);
TML_API void ucovar_(const int *id, const int *nparts, const int *lparts, const int *nvars,
                     const int *lvars);
TML_API void getmod_(int *mode);
TML_API void gse_ns_(int *ns);
TML_API void gse_nd_(int *nd);
TML_API void gse_ni_(int *ni);
TML_API void gse_no_(int *no);
TML_API void gse_x_(double *x, const int *ns);
TML_API void gse_xdot_(double *xdot, const int *ns);
TML_API void gse_xd_(double *xd, const int *nd);
TML_API void gse_u_(double *u, const int *ni);

#ifdef __cplusplus
}
#endif
