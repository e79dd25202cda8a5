/* adams/user/utilities_fortran.c - the utilities as Fortran calls them: all arguments by reference, the
 * lengths of texts behind them, texts padded with blanks.
 */
#include <string.h>

#include "adams/user/library_internal.h"

enum { TEXT = 512 };

/* A text of Fortran as one of C, cut where it is too long. */
static const char *text_of(char out[TEXT], const char *text, size_t n)
{
    n = n < TEXT - 1 ? n : TEXT - 1;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\0')) {
        --n;
    }
    memcpy(out, text, n);
    out[n] = '\0';
    return out;
}

/* --- values and messages ---------------------------------------------------------------------- */

void sysfnc_(const char *fncnam, const int *ipar, const int *nsize, double *state, int *errflg,
             size_t n)
{
    char name[TEXT];
    c_sysfnc(text_of(name, fncnam, n), ipar, *nsize, state, errflg);
}

void sysary_(const char *fncnam, const int *ipar, const int *nsize, double *states, int *nstates,
             int *errflg, size_t n)
{
    char name[TEXT];
    c_sysary(text_of(name, fncnam, n), ipar, *nsize, states, nstates, errflg);
}

void syspar_(const char *fncnam, const int *ipar, const int *nsize, const double *partl,
             const int *npartl, int *errflg, size_t n)
{
    char name[TEXT];
    c_syspar(text_of(name, fncnam, n), ipar, *nsize, partl, *npartl, errflg);
}

void errmes_(const int *errflg, const char *message, const int *id, const char *endflg, size_t n,
             size_t n_end)
{
    char text[TEXT], end[TEXT];
    c_errmes(*errflg, text_of(text, message, n), *id, text_of(end, endflg, n_end));
}

void usrmes_(const int *msgflg, const char *message, const int *id, const char *msgtyp, size_t n,
             size_t n_type)
{
    char text[TEXT], type[TEXT];
    c_usrmes(*msgflg, text_of(text, message, n), *id, text_of(type, msgtyp, n_type));
}

void timget_(double *time)
{
    c_timget(time);
}

/* --- numbers and texts ------------------------------------------------------------------------ */

void gtaray_(const int *id, double *array, int *number, int *istat)
{
    c_gtaray(*id, array, number, istat);
}

void gtstrg_(const int *id, char *string, int *nchars, int *istat, size_t n)
{
    const TmlAdmData *data = tml_adm_find_data(tml_adm_under_way(), 'S', *id);
    const size_t length = data != NULL ? strlen(data->text) : 0;
    *istat = data != NULL ? 0 : -1;
    *nchars = (int)length;
    memset(string, ' ', n);
    if (length > 0) {
        memcpy(string, data->text, length < n ? length : n);
    }
}

void gtcurv_(const int *id, const double *alpha, const int *iord, double *array, int *istat)
{
    c_gtcurv(*id, *alpha, *iord, array, istat);
}

void get_gravity_(double *gx, double *gy, double *gz)
{
    c_get_gravity(gx, gy, gz);
}

void getmod_(int *mode)
{
    c_getmod(mode);
}

void ucovar_(const int *id, const int *nparts, const int *lparts, const int *nvars,
             const int *lvars)
{
    c_ucovar(*id, *nparts, lparts, *nvars, lvars);
}

/* --- functions -------------------------------------------------------------------------------- */

void akispl_(const double *x, const double *z, const int *id, const int *iord, double *array,
             int *errflg)
{
    c_akispl(*x, *z, *id, *iord, array, errflg);
}

void cubspl_(const double *x, const double *z, const int *id, const int *iord, double *array,
             int *errflg)
{
    c_cubspl(*x, *z, *id, *iord, array, errflg);
}

void step_(const double *x, const double *x0, const double *h0, const double *x1, const double *h1,
           const int *iord, double *value, int *errflg)
{
    c_step(*x, *x0, *h0, *x1, *h1, *iord, value, errflg);
}

void step5_(const double *x, const double *x0, const double *h0, const double *x1, const double *h1,
            const int *iord, double *value, int *errflg)
{
    c_step5(*x, *x0, *h0, *x1, *h1, *iord, value, errflg);
}

void havsin_(const double *x, const double *x0, const double *h0, const double *x1,
             const double *h1, const int *iord, double *value, int *errflg)
{
    c_havsin(*x, *x0, *h0, *x1, *h1, *iord, value, errflg);
}

void poly_(const double *x, const double *x0, const double *par, const int *npar, const int *iord,
           double *value, int *errflg)
{
    c_poly(*x, *x0, par, *npar, *iord, value, errflg);
}

void impact_(const double *x, const double *dxdt, const double *x1, const double *k,
             const double *e, const double *cmax, const double *d, const int *iord, double *value,
             int *errflg)
{
    c_impact(*x, *dxdt, *x1, *k, *e, *cmax, *d, *iord, value, errflg);
}

void bistop_(const double *x, const double *dxdt, const double *x1, const double *x2,
             const double *k, const double *e, const double *cmax, const double *d, const int *iord,
             double *value, int *errflg)
{
    c_bistop(*x, *dxdt, *x1, *x2, *k, *e, *cmax, *d, *iord, value, errflg);
}

void rcnvrt_(const char *sys1, const double *coord1, const char *sys2, double *coord2, int *istat,
             size_t n1, size_t n2)
{
    char one[TEXT], two[TEXT];
    c_rcnvrt(text_of(one, sys1, n1), coord1, text_of(two, sys2, n2), coord2, istat);
}

void tcnvrt_(const char *sys1, const double *coord1, const char *sys2, double *coord2, int *istat,
             size_t n1, size_t n2)
{
    char one[TEXT], two[TEXT];
    c_tcnvrt(text_of(one, sys1, n1), coord1, text_of(two, sys2, n2), coord2, istat);
}

/* --- simulations ------------------------------------------------------------------------------ */

void analys_(const char *antype, const char *label, const double *start, const double *end,
             const int *init, int *status, size_t n, size_t n_label)
{
    char type[TEXT], name[TEXT];
    c_analys(text_of(type, antype, n), text_of(name, label, n_label), *start, *end, *init, status);
}

void datout_(int *status)
{
    c_datout(status);
}

void modify_(const char *command, int *status, size_t n)
{
    char text[TEXT];
    c_modify(text_of(text, command, n), status);
}

/* --- general state equations ------------------------------------------------------------------ */

void gse_ns_(int *ns)
{
    *ns = c_gse_ns();
}

void gse_nd_(int *nd)
{
    *nd = c_gse_nd();
}

void gse_ni_(int *ni)
{
    *ni = c_gse_ni();
}

void gse_no_(int *no)
{
    *no = c_gse_no();
}

void gse_x_(double *x, const int *ns)
{
    c_gse_x(x, *ns);
}

void gse_xdot_(double *xdot, const int *ns)
{
    c_gse_xdot(xdot, *ns);
}

void gse_xd_(double *xd, const int *nd)
{
    c_gse_xd(xd, *nd);
}

void gse_u_(double *u, const int *ni)
{
    c_gse_u(u, *ni);
}
