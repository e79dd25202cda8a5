/* adams/user/utilities_gse.c - what routines of general state equations may call, and what says nothing.
 *
 * The arguments of these routines are time, x, with IMPLICIT x', xd and u, in this order.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "adams/user/library_internal.h"

static const struct sAdamsGSE *gse(void)
{
    static const struct sAdamsGSE none = {0};
    const TmlAdmUnderWay *now = tml_adm_under_way();
    return now != NULL && now->routine->kind >= TML_ADM_GSESUB ? &now->routine->of.gse : &none;
}

int c_gse_ns(void)
{
    return gse()->NS;
}

int c_gse_nd(void)
{
    return gse()->ND;
}

int c_gse_ni(void)
{
    return gse()->NI;
}

int c_gse_no(void)
{
    return gse()->NO;
}

/* Arguments from the place `from` behind the time; n: room, there: how many there are. */
static void give(double *out, int n, int from, int there)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    for (int k = 0; k < n; ++k) {
        out[k] = k < there ? now->value[1 + from + k] : 0.0;
    }
}

void c_gse_x(double *x, int ns)
{
    give(x, ns, 0, gse()->NS);
}

void c_gse_xdot(double *xdot, int ns)
{
    const struct sAdamsGSE *g = gse();
    give(xdot, ns, g->NS, g->IMPLICIT ? g->NS : 0);
}

void c_gse_xd(double *xd, int nd)
{
    const struct sAdamsGSE *g = gse();
    give(xd, nd, g->NS * (g->IMPLICIT ? 2 : 1), g->ND);
}

void c_gse_u(double *u, int ni)
{
    const struct sAdamsGSE *g = gse();
    give(u, ni, g->NS * (g->IMPLICIT ? 2 : 1) + g->ND, g->NI);
}

/* --- accepted, and not used ------------------------------------------------------------------- */

void c_gsepar_x(const double *par, int size)
{
    (void)par, (void)size;
}

void c_gsepar_xdot(const double *par, int size)
{
    (void)par, (void)size;
}

void c_gsepar_u(const double *par, int size)
{
    (void)par, (void)size;
}

void c_gsemap_x(int row, int column)
{
    (void)row, (void)column;
}

void c_gsemap_xdot(int row, int column)
{
    (void)row, (void)column;
}

void c_gsemap_u(int row, int column)
{
    (void)row, (void)column;
}

void c_syspar(const char *fncnam, const int *ipar, int nsize, const double *partl, int npartl,
              int *errflg)
{
    (void)fncnam, (void)ipar, (void)nsize, (void)partl, (void)npartl;
    *errflg = 0;
}

void c_adams_declare_threadsafe(void)
{
    // calls come one after another all the same
}

void c_adams_needs_partials(int *wanted)
{
    *wanted = 0;
}

void c_adams_smp_group(int group)
{
    (void)group;
}

void c_adams_serialize_integers(const int *data, int count)
{
    (void)data, (void)count;
}

void c_adams_unserialize_integers(int *data, int count)
{
    (void)data, (void)count;
}

void c_adams_serialize_doubles(const double *data, int count)
{
    (void)data, (void)count;
}

void c_adams_unserialize_doubles(double *data, int count)
{
    (void)data, (void)count;
}

void c_adams_serialize_characters(const char *data, int count)
{
    (void)data, (void)count;
}

void c_adams_unserialize_characters(char *data, int count)
{
    (void)data, (void)count;
}

/* --- facts ------------------------------------------------------------------------------------ */

void c_getmod(int *mode)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    *mode = now != NULL ? now->library->facts.mode : 0;
}

void c_anlmod(int *mode)
{
    c_getmod(mode);
}

void c_getcpu(double *seconds)
{
    *seconds = (double)clock() / CLOCKS_PER_SEC;
}

void c_naninf(const double *value, const int *size, int *outcome, int *index)
{
    *outcome = *index = 0;
    for (int k = 0; k < *size && *outcome == 0; ++k) {
        *outcome = isfinite(value[k]) ? 0 : 1;
        *index = *outcome != 0 ? k + 1 : 0;
    }
}
