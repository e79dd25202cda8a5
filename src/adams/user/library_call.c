/* adams/user/library_call.c - user-written routines: how each kind is called, in C and as Fortran calls.
 */
#include <math.h>

#include "adams/user/library_internal.h"

static _Thread_local TmlAdmUnderWay *under_way; // see library.h

TmlAdmUnderWay *tml_adm_under_way(void)
{
    return under_way;
}

TmlAdmUnderWay *tml_adm_begin(TmlAdmUnderWay *now)
{
    TmlAdmUnderWay *before = under_way;
    pthread_mutex_lock(&now->library->calls);
    under_way = now;
    return before;
}

void tml_adm_end(TmlAdmUnderWay *before)
{
    TmlAdmLibrary *library = under_way->library;
    under_way = before;
    pthread_mutex_unlock(&library->calls);
}

/* A symbol as a function: C has no conversion between them. */
#define AS(type, symbol)                                                                           \
    ((union {                                                                                      \
        void *p;                                                                                   \
        type *f;                                                                                   \
    }){.p = (symbol)})                                                                             \
        .f

/* Names of arguments in Fortran: ID, TIME, PAR, NPAR, DFLAG, IFLAG and what each kind adds. */
typedef void Fortran(const int *id, const double *time, const double *par, const int *npar,
                     const int *dflag, const int *iflag, double *value);
typedef void FortranPlain(const int *id, const double *time, const double *par, const int *npar,
                          const int *iflag, double *value);
typedef void FortranField(const int *id, const double *time, const double *par, const int *npar,
                          const double *disp, const double *velo, const int *dflag,
                          const int *iflag, double *field, double *dfddis, double *dfdvel);
typedef void FortranCoupler(const int *id, const double *time, const double *par, const int *npar,
                            double *disp, const int *ndisp, const int *iflag, double *value);
typedef void FortranCurve(const int *id, const double *par, const int *npar, const double *alpha,
                          const int *iord, const int *iflag, double *values);
typedef void FortranConstraint(const int *id, const double *time, const double *q,
                               const double *par, const int *npar, const int *idrsel,
                               const int *iflag, double *scalar, double *array, double *xmatrx);
typedef void FortranGse(const int *id, const double *time, const double *par, const int *npar,
                        const int *dflag, const int *iflag, const int *nstate, const double *states,
                        const int *ninput, const double *inputs, const int *noutput, double *stated,
                        double *output);
typedef void FortranPart(const int *id, const double *time, const double *par, const int *npar,
                         const int *dflag, const int *iflag, const int *n, double *out);

/* --- kinds with arguments of their own -------------------------------------------------------- */

static void call_gsesub(const TmlAdmRoutine *r, const double *in, int iflag, double *out)
{
    const struct sAdamsGSE *g = &r->of.gse;
    const double *x = in + 1, *u = x + g->NS + g->ND;
    const int dflag = 0;
    void *symbol = r->symbol;
    if (r->fortran) {
        AS(FortranGse, symbol)
        (&r->id, in, r->par, &r->n_par, &dflag, &iflag, &g->NS, x, &g->NI, u, &g->NO, out,
         out + g->NS);
    } else {
        AS(adams_c_Gsesub, symbol)
        (g, in[0], 0, iflag, g->NS, x, g->NI, u, g->NO, out, out + g->NS);
    }
}

/* Gse_deriv, Gse_output, Gse_update: of one form. */
static void call_part(const TmlAdmRoutine *r, const double *in, int iflag, double *out)
{
    const int dflag = 0;
    void *symbol = r->symbol;
    if (r->fortran) {
        AS(FortranPart, symbol)
        (&r->id, in, r->par, &r->n_par, &dflag, &iflag, &r->n_values, out);
    } else {
        AS(adams_c_Gsederiv, symbol)(&r->of.gse, in[0], 0, iflag, r->n_values, out);
    }
}

static void call_field(const TmlAdmRoutine *r, const double *in, int iflag, double *out)
{
    double disp[6], velo[6], by_disp[36] = {0.0}, by_velo[36] = {0.0};
    const int dflag = 0;
    void *symbol = r->symbol;
    for (int k = 0; k < 6; ++k) {
        disp[k] = in[1 + k];
        velo[k] = in[7 + k];
    }
    if (r->fortran) {
        AS(FortranField, symbol)
        (&r->id, in, r->par, &r->n_par, disp, velo, &dflag, &iflag, out, by_disp, by_velo);
    } else {
        AS(adams_c_Fiesub, symbol)
        (&r->of.field, in[0], disp, velo, 0, iflag, out, by_disp, by_velo);
    }
}

/* iord 1: Couxx, 2: Couxx2. */
static void call_coupler(const TmlAdmRoutine *r, const double *in, int iord, int iflag, double *out)
{
    double disp[3] = {0.0};
    void *symbol = iord == 2 ? r->third : iord == 1 ? r->other : r->symbol;
    for (int k = 0; k < r->n_own; ++k) {
        disp[k] = in[1 + k];
    }
    if (r->fortran) {
        AS(FortranCoupler, symbol)
        (&r->id, in, r->par, &r->n_par, disp, &r->n_own, &iflag, out);
    } else {
        AS(adams_c_Cousub, symbol)(&r->of.coupler, in[0], disp, iflag, out);
    }
}

static void call_curve(const TmlAdmRoutine *r, const double *in, int iord, int iflag, double *out)
{
    void *symbol = r->symbol;
    if (r->fortran) {
        AS(FortranCurve, symbol)(&r->id, r->par, &r->n_par, in + 1, &iord, &iflag, out);
    } else {
        AS(adams_c_Cursub, symbol)(&r->of.curve, in[1], iord, iflag, out);
    }
}

static void call_constraint(const TmlAdmRoutine *r, const double *in, const int select[3],
                            int iflag, double *scalar, double *array, double *matrix)
{
    void *symbol = r->symbol;
    AS(FortranConstraint, symbol)
    (&r->id, in, in + 1, r->par, &r->n_par, select, &iflag, scalar, array, matrix);
}

/* --- all others ------------------------------------------------------------------------------- */

static void call_fortran(const TmlAdmRoutine *r, const double *in, int iord, int iflag, double *out)
{
    void *symbol = r->symbol;
    switch (r->kind) {
    case TML_ADM_REQSUB:
    case TML_ADM_SENSUB:
    case TML_ADM_SEVSUB:
    case TML_ADM_GSE_SAMP:
        AS(FortranPlain, symbol)(&r->id, in, r->par, &r->n_par, &iflag, out);
        break;
    default:
        AS(Fortran, symbol)(&r->id, in, r->par, &r->n_par, &iord, &iflag, out); // dflag or iord
        break;
    }
}

static void call_c(const TmlAdmRoutine *r, double t, int iord, int iflag, double *out)
{
    void *symbol = r->symbol;
    switch (r->kind) {
    case TML_ADM_SFOSUB:
        AS(adams_c_Sfosub, symbol)(&r->of.sforce, t, 0, iflag, out);
        break;
    case TML_ADM_GFOSUB:
        AS(adams_c_Gfosub, symbol)(&r->of.gforce, t, 0, iflag, out);
        break;
    case TML_ADM_VFOSUB:
        AS(adams_c_Vfosub, symbol)(&r->of.vforce, t, 0, iflag, out);
        break;
    case TML_ADM_VTOSUB:
        AS(adams_c_Vtosub, symbol)(&r->of.vtorque, t, 0, iflag, out);
        break;
    case TML_ADM_MOTSUB:
        AS(adams_c_Motsub, symbol)(&r->of.motion, t, iord, iflag, out);
        break;
    case TML_ADM_VARSUB:
        AS(adams_c_Varsub, symbol)(&r->of.variable, t, 0, iflag, out);
        break;
    case TML_ADM_DIFSUB:
        AS(adams_c_Difsub, symbol)(&r->of.diff, t, 0, iflag, out);
        break;
    case TML_ADM_SENSUB:
    case TML_ADM_SEVSUB:
        AS(adams_c_Sensub, symbol)(&r->of.sensor, t, iflag, out);
        break;
    case TML_ADM_GSE_SAMP:
        AS(adams_c_Gsesample, symbol)(&r->of.gse, t, iflag, out);
        break;
    default:
        AS(adams_c_Reqsub, symbol)(&r->of.request, t, iflag, out);
        break;
    }
}

static void call_kind(const TmlAdmRoutine *r, const double *in, int iord, int iflag, double *out)
{
    static const int value_only[3] = {1, 0, 0};
    double array[30] = {0.0}, matrix[900]; // of UCOSUB, which writes what it is asked for
    switch (r->kind) {
    case TML_ADM_GSESUB:
        call_gsesub(r, in, iflag, out);
        break;
    case TML_ADM_GSE_DERIV:
    case TML_ADM_GSE_OUTPUT:
    case TML_ADM_GSE_UPDATE:
        call_part(r, in, iflag, out);
        break;
    case TML_ADM_FIESUB:
        call_field(r, in, iflag, out);
        break;
    case TML_ADM_COUSUB:
        call_coupler(r, in, iord, iflag, out);
        break;
    case TML_ADM_CURSUB:
        call_curve(r, in, iord, iflag, out);
        break;
    case TML_ADM_UCOSUB:
        call_constraint(r, in, value_only, iflag, out, array, matrix);
        break;
    default:
        if (r->fortran) {
            call_fortran(r, in, iord, iflag, out);
        } else {
            call_c(r, in[0], iord, iflag, out);
        }
        break;
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

/* recorder NULL: a call of the run. */
static void call(const TmlAdmRoutine *r, TmlAdmRoutine *recorder, const double *in, int iord,
                 int iflag, double *out)
{
    TmlAdmUnderWay now = {r->owner, r, recorder, in, in[0], NULL, NULL};
    const int n = r->kind == TML_ADM_COUSUB ? (iord == 2 ? 9 : 3) : r->n_values;
    TmlAdmUnderWay *before = tml_adm_begin(&now);
    for (int k = 0; k < n; ++k) {
        out[k] = 0.0;
    }
    call_kind(r, in, iord, iflag, out);
    tml_adm_end(before);
}

/* A result that is no number is told; once a routine has ended the run there are no others. */
static void check_results(const TmlAdmRoutine *r, int n, double *out)
{
    if (r->kind == TML_ADM_GSE_SAMP && out[0] <= 0.0) { // there would be no end of samples
        tml_adm_library_say(r->owner, true, "%s: %s gives %g as the time until the next sample",
                            r->statement, r->name, out[0]);
    }
    for (int k = 0; k < n; ++k) {
        if (r->owner->stopped) {
            out[k] = (double)NAN;
        } else if (!isfinite(out[k])) {
            tml_adm_library_say(r->owner, false, "%s: result %d of %s is not a number (%g)",
                                r->statement, k + 1, r->name, out[k]);
        }
    }
}

void tml_adm_routine_call(const TmlAdmRoutine *r, const double *in, int iord, double *out)
{
    call(r, NULL, in, iord, 0, out);
    const bool coupler = r->kind == TML_ADM_COUSUB;
    check_results(r, coupler && iord > 0 ? (iord == 1 ? r->n_own : 9) : r->n_values, out);
}

void tml_adm_ucosub_call(const TmlAdmRoutine *r, const double *in, const int select[3],
                         double *scalar, double *array, double *matrix)
{
    TmlAdmUnderWay now = {r->owner, r, NULL, in, in[0], NULL, NULL};
    TmlAdmUnderWay *before = tml_adm_begin(&now);
    *scalar = 0.0; // what is zero need not be set
    for (int k = 0; k < 30; ++k) {
        array[k] = 0.0;
    }
    for (int k = 0; k < 900; ++k) {
        matrix[k] = 0.0;
    }
    call_constraint(r, in, select, 0, scalar, array, matrix);
    tml_adm_end(before);
    check_results(r, 1, scalar);
}

bool tml_adm_routine_record(TmlAdmRoutine *r)
{
    // several values, as what is asked for may hang on them
    enum { N_TRIED = 7 };
    static const double tried[N_TRIED] = {0.0, 0.0, 0.0, 1.0, -1.0, 0.37, -2.6};
    static const int flag[N_TRIED] = {1, 3, 0, 0, 0, 0, 0};
    double in[TML_MAX_ARGS_FIRST], out[TML_ADM_MAX_VALUES];
    for (int k = 0; k < N_TRIED; ++k) {
        for (int a = 0; a < TML_MAX_ARGS_FIRST; ++a) {
            in[a] = a == 0 ? fabs(tried[k]) : tried[k] * (1.0 + 0.1 * a);
        }
        if (r->kind == TML_ADM_CURSUB) { // inside of its range
            const double share = (double)k / (double)(N_TRIED - 1);
            in[1] = r->of.curve.MINPAR + share * (r->of.curve.MAXPAR - r->of.curve.MINPAR);
        }
        call(r, r, in, 0, flag[k], out);
    }
    return tml_adm_routine_inputs(r) < TML_MAX_ARGS_FIRST;
}

bool tml_adm_spline_read(TmlAdmLibrary *library, const char *name,
                         const struct sAdamsSpline *spline, TmlAdmPutSpline *out)
{
    TmlAdmRoutine r = {.owner = library};
    double zero[1] = {0.0};
    int error = 0;
    void *symbol = tml_adm_library_symbol(library, name != NULL ? name : "Spline_read", &r.fortran);
    if (symbol == NULL || r.fortran) {
        return false;
    }
    TmlAdmUnderWay now = {library, &r, NULL, zero, 0.0, out, NULL};
    TmlAdmUnderWay *before = tml_adm_begin(&now);
    AS(adams_c_Spline_read, symbol)(spline, &error);
    tml_adm_end(before);
    return error == 0 && out->nx > 0;
}
