/* adams/library.c - user-written routines: finding, calling, differences.
 *
 *   (L1)  df/dx_k = (f(x + h e_k) - f(x - h e_k)) / (2 h),   h = e^(1/3) max(1, |x_k|)
 *
 * whose error is h^2 f'''/6 and e |f| / h, both about 4e-11 of the size of things. MOTSUB gives two
 * derivatives itself; the third is (L1) of the second.
 */
#include "adams/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adams/library_internal.h"
#include "base/fail.h"

enum { MOST_VALUES = 128 };

static _Thread_local TmlAdmUnderWay *under_way; // see library.h

TmlAdmUnderWay *tml_adm_under_way(void)
{
    return under_way;
}

/* Default names in C and what messages call them. */
static const struct {
    const char *c, *upper;
} names[TML_ADM_N_ROUTINES] = {
    [TML_ADM_SFOSUB] = {"Sfosub", "SFOSUB"},         [TML_ADM_GFOSUB] = {"Gfosub", "GFOSUB"},
    [TML_ADM_VFOSUB] = {"Vfosub", "VFOSUB"},         [TML_ADM_VTOSUB] = {"Vtosub", "VTOSUB"},
    [TML_ADM_FIESUB] = {"Fiesub", "FIESUB"},         [TML_ADM_MOTSUB] = {"Motsub", "MOTSUB"},
    [TML_ADM_VARSUB] = {"Varsub", "VARSUB"},         [TML_ADM_DIFSUB] = {"Difsub", "DIFSUB"},
    [TML_ADM_REQSUB] = {"Reqsub", "REQSUB"},         [TML_ADM_GSESUB] = {"Gsesub", "GSESUB"},
    [TML_ADM_GSE_DERIV] = {"Gse_deriv", "GSE_DERIV"}};

const char *tml_adm_routine_name(TmlAdmRoutineKind kind)
{
    return names[kind].upper;
}

/* --- the library ---------------------------------------------------------------------------------
 */

TmlStatus tml_adm_library_open(const char *path, TmlArena *arena, TmlAdmLibrary **out,
                               TmlError *err)
{
    TmlAdmLibrary *l = tml_mem_zalloc(1, sizeof *l);
    *out = NULL;
    if (l == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    // a path without a slash would be looked for in system folders only
    const char *file = strchr(path, '/') != NULL ? path : tml_arena_printf(arena, "./%s", path);
    l->arena = arena;
    l->utilities = tml_adm_utilities();
    l->path = tml_arena_strdup(arena, path);
    l->handle = file != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (l->handle == NULL || l->path == NULL || pthread_mutex_init(&l->lock, NULL) != 0) {
        const char *why = dlerror();
        tml_mem_free(l);
        return tml_fail(err, TML_E_IO, "cannot open the user library '%s': %s", path,
                        why != NULL ? why : "out of memory");
    }
    *out = l;
    return TML_OK;
}

void tml_adm_library_close(void *library)
{
    TmlAdmLibrary *l = library;
    if (l != NULL) {
        for (int k = 0; k < l->n_messages; ++k) {
            tml_mem_free(l->message[k]);
        }
        dlclose(l->handle);
        pthread_mutex_destroy(&l->lock);
        tml_mem_free(l);
    }
}

const char *tml_adm_library_path(const TmlAdmLibrary *l)
{
    return l->path;
}

const char *tml_adm_library_message(const void *library, int index)
{
    const TmlAdmLibrary *l = library;
    return index >= 0 && index < l->n_messages ? l->message[index] : NULL;
}

const char *tml_adm_library_stopped(const TmlAdmLibrary *l)
{
    return l->stopped ? l->n_messages > 0 ? l->message[l->n_messages - 1] : "" : NULL;
}

bool tml_adm_library_add(TmlAdmLibrary *l, char kind, TmlAdmData data)
{
    TmlAdmDataLink *link = tml_arena_alloc(l->arena, 1, sizeof *link);
    if (link != NULL) {
        *link = (TmlAdmDataLink){kind, data, l->data};
        l->data = link;
    }
    return link != NULL;
}

void tml_adm_library_gravity(TmlAdmLibrary *l, double gx, double gy, double gz)
{
    l->gravity[0] = gx;
    l->gravity[1] = gy;
    l->gravity[2] = gz;
}

/* --- finding -------------------------------------------------------------------------------------
 */

static void *find_symbol(const TmlAdmLibrary *l, const char *name, int form)
{
    char text[128];
    size_t n = 0;
    for (; name[n] != '\0' && n + 2 < sizeof text; ++n) {
        const int c = (unsigned char)name[n];
        text[n] = (char)(form == 0 ? c : form == 3 ? toupper(c) : tolower(c));
    }
    text[n] = '\0';
    if (form == 1) { // as gfortran names it
        text[n] = '_';
        text[n + 1] = '\0';
    }
    return dlsym(l->handle, text);
}

/* Capital and small letters mean C. */
static bool is_mixed(const char *name)
{
    bool upper = false, lower = false;
    for (const char *c = name; *c != '\0'; ++c) {
        upper |= isupper((unsigned char)*c) != 0;
        lower |= islower((unsigned char)*c) != 0;
    }
    return upper && lower;
}

static bool find_any(TmlAdmRoutine *r, const char *name, void **symbol)
{
    *symbol = find_symbol(r->owner, name, 0);
    r->fortran = !is_mixed(name);
    for (int form = 1; form <= 3 && *symbol == NULL; ++form) {
        *symbol = find_symbol(r->owner, name, form);
        r->fortran = true;
    }
    return *symbol != NULL;
}

bool tml_adm_routine_find(TmlAdmRoutine *r, const char *name)
{
    r->name = name != NULL ? name : names[r->kind].c;
    if (find_any(r, r->name, &r->symbol)) {
        return true;
    }
    if (r->kind == TML_ADM_GSESUB && name == NULL) {
        r->name = names[TML_ADM_GSE_DERIV].c;
        const bool pair = find_any(r, "Gse_deriv", &r->symbol) && !r->fortran &&
                          (r->of.gse.NO == 0 || find_any(r, "Gse_output", &r->other));
        r->kind = pair ? TML_ADM_GSE_DERIV : TML_ADM_GSESUB;
        return pair;
    }
    return false;
}

/* --- calling -------------------------------------------------------------------------------------
 */

/* A symbol as a function: C has no conversion between them. */
#define AS(type, symbol)                                                                           \
    ((union {                                                                                      \
        void *p;                                                                                   \
        type *f;                                                                                   \
    }){.p = (symbol)})                                                                             \
        .f

typedef void Fortran(const int *id, const double *time, const double *par, const int *npar,
                     const int *dflag, const int *iflag, double *value);
typedef void FortranRequest(const int *id, const double *time, const double *par, const int *npar,
                            const int *iflag, double *value);
typedef void FortranField(const int *id, const double *time, const double *par, const int *npar,
                          const double *disp, const double *velo, const int *dflag,
                          const int *iflag, double *field, double *dfddis, double *dfdvel);
typedef void FortranGse(const int *id, const double *time, const double *par, const int *npar,
                        const int *dflag, const int *iflag, const int *nstate, const double *states,
                        const int *ninput, const double *inputs, const int *noutput, double *stated,
                        double *output);

static void call_gse(const TmlAdmRoutine *r, const double *in, int iflag, double *out)
{
    const struct sAdamsGSE *g = &r->of.gse;
    const int dflag = 0;
    void *symbol = r->symbol, *other = r->other;
    const double *x = in + 1, *u = x + g->NS;
    if (r->kind == TML_ADM_GSE_DERIV) {
        AS(adams_c_Gsederiv, symbol)(g, in[0], 0, iflag, g->NS, out);
        if (g->NO > 0) {
            AS(adams_c_Gseoutput, other)(g, in[0], 0, iflag, g->NO, out + g->NS);
        }
    } else if (r->fortran) {
        AS(FortranGse, symbol)
        (&r->id, in, r->par, &r->n_par, &dflag, &iflag, &g->NS, x, &g->NI, u, &g->NO, out,
         out + g->NS);
    } else {
        AS(adams_c_Gsesub, symbol)
        (g, in[0], 0, iflag, g->NS, x, g->NI, u, g->NO, out, out + g->NS);
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

static void call_fortran(const TmlAdmRoutine *r, const double *in, int iord, int iflag, double *out)
{
    void *symbol = r->symbol;
    if (r->kind == TML_ADM_REQSUB) {
        AS(FortranRequest, symbol)(&r->id, in, r->par, &r->n_par, &iflag, out);
    } else {
        AS(Fortran, symbol)(&r->id, in, r->par, &r->n_par, &iord, &iflag, out); // dflag or iord
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
    default:
        AS(adams_c_Reqsub, symbol)(&r->of.request, t, iflag, out);
        break;
    }
}

/* recorder NULL: a call of the run. */
static void call(const TmlAdmRoutine *r, TmlAdmRoutine *recorder, const double *in, int iord,
                 int iflag, double *out)
{
    TmlAdmUnderWay now = {r->owner, r, recorder, in, in[0], NULL}, *before = under_way;
    under_way = &now;
    for (int k = 0; k < r->n_values; ++k) {
        out[k] = 0.0;
    }
    if (r->kind == TML_ADM_GSESUB || r->kind == TML_ADM_GSE_DERIV) {
        call_gse(r, in, iflag, out);
    } else if (r->kind == TML_ADM_FIESUB) {
        call_field(r, in, iflag, out);
    } else if (r->fortran) {
        call_fortran(r, in, iord, iflag, out);
    } else {
        call_c(r, in[0], iord, iflag, out);
    }
    under_way = before;
}

void tml_adm_routine_call(const TmlAdmRoutine *r, const double *in, int iord, double *out)
{
    call(r, NULL, in, iord, 0, out);
    for (int k = 0; k < r->n_values && r->owner->stopped; ++k) {
        out[k] = (double)NAN; // the run ends
    }
}

bool tml_adm_routine_record(TmlAdmRoutine *r)
{
    // several values, as what is asked for may hang on them
    static const double tried[] = {0.0, 0.0, 0.0, 1.0, -1.0, 0.37, -2.6};
    static const int flag[] = {1, 3, 0, 0, 0, 0, 0};
    double in[TML_MAX_ARGS_FIRST], out[MOST_VALUES];
    for (size_t k = 0; k < sizeof tried / sizeof *tried; ++k) {
        for (int a = 0; a < TML_MAX_ARGS_FIRST; ++a) {
            in[a] = a == 0 ? fabs(tried[k]) : tried[k] * (1.0 + 0.1 * a);
        }
        call(r, r, in, 0, flag[k], out);
    }
    const bool fits = r->n_requests <= TML_ADM_MAX_REQUESTS;
    r->n_inputs = r->n_requests > 0 ? r->n_requests : r->n_inputs;
    return fits;
}

bool tml_adm_spline_read(TmlAdmLibrary *library, const char *name,
                         const struct sAdamsSpline *spline, TmlAdmPutSpline *out)
{
    TmlAdmRoutine r = {.owner = library};
    void *symbol = NULL;
    double zero[1] = {0.0};
    int error = 0;
    if (!find_any(&r, name != NULL ? name : "Spline_read", &symbol) || r.fortran) {
        return false;
    }
    TmlAdmUnderWay now = {library, &r, NULL, zero, 0.0, out}, *before = under_way;
    under_way = &now;
    AS(adams_c_Spline_read, symbol)(spline, &error);
    under_way = before;
    return error == 0 && out->nx > 0;
}

/* --- results as functions ------------------------------------------------------------------------
 */

static double result_at(const TmlAdmResult *x, const double *arg, int iord)
{
    double out[MOST_VALUES];
    tml_adm_routine_call(x->routine, arg, iord, out);
    return out[x->index];
}

static double difference(const TmlAdmResult *x, const double *arg, int k, int iord)
{
    double moved[TML_MAX_ARGS_FIRST];
    const double h = cbrt(DBL_EPSILON) * fmax(1.0, fabs(arg[k]));
    for (int a = 0; a <= x->routine->n_inputs; ++a) {
        moved[a] = arg[a];
    }
    moved[k] = arg[k] + h;
    const double above = result_at(x, moved, iord), up = moved[k];
    moved[k] = arg[k] - h;
    return (above - result_at(x, moved, iord)) / (up - moved[k]); // (L1)
}

void tml_adm_result_eval(void *result, const double *arg, int order, TmlJet *out)
{
    const TmlAdmResult *x = result;
    const bool motion = x->routine->kind == TML_ADM_MOTSUB;
    out->value = result_at(x, arg, 0);
    for (int k = 0; order > 0 && k <= x->routine->n_inputs; ++k) {
        out->g[k] = motion ? result_at(x, arg, 1) : difference(x, arg, k, 0);
    }
    if (order > 1) { // of time only
        out->H[0] = result_at(x, arg, 2);
    }
    if (order > 2) {
        out->T[0] = difference(x, arg, 0, 2);
    }
}
