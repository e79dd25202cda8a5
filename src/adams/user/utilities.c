/* adams/user/utilities.c - what user-written routines may call.
 *
 * A value that is asked for while a model is loaded becomes an argument of the routine; later calls
 * find it among these.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adams/user/library_internal.h"
#include "expr/spline.h"

/* --- messages --------------------------------------------------------------------------------- */

void c_errmes(int errflg, const char *message, int id, const char *endflg)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    const bool stop = endflg != NULL && strncasecmp(endflg, "STOP", 4) == 0;
    if (now != NULL && errflg != 0) {
        tml_adm_library_say(now->library, stop, "error (%d): %.900s", id,
                            message != NULL ? message : "");
    }
}

void c_usrmes(int msgflg, const char *message, int id, const char *msgtyp)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    if (now != NULL && msgflg != 0) {
        tml_adm_library_say(now->library, false, "%.40s (%d): %.900s",
                            msgtyp != NULL ? msgtyp : "INFO", id, message != NULL ? message : "");
    }
}

/* --- values of the model ---------------------------------------------------------------------- */

static bool same(const TmlAdmRequest *a, const TmlAdmRequest *b)
{
    return a->n == b->n && strcmp(a->name, b->name) == 0 &&
           memcmp(a->id, b->id, (size_t)a->n * sizeof *a->id) == 0;
}

bool tml_adm_value_of(const TmlAdmUnderWay *now, const char *name, int n, const int *id,
                      double *out)
{
    TmlAdmRequest want = {.n = n};
    const double *value = now->value + 1 + now->routine->n_own;
    for (size_t k = 0; name[k] != '\0' && name[k] != ' ' && k + 1 < sizeof want.name; ++k) {
        want.name[k] = (char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 'a' + 'A' : name[k]);
    }
    for (int k = 0; k < n; ++k) {
        want.id[k] = id[k];
    }
    for (int k = 0; k < now->routine->n_requests && k < TML_ADM_MAX_REQUESTS; ++k) {
        if (same(&now->routine->request[k], &want)) {
            *out = value[k];
            return true;
        }
    }
    TmlAdmRoutine *r = now->recorder;
    *out = 0.0;
    if (now->script != NULL) {
        tml_adm_library_say(now->library, true,
                            "%s asks for %s: values of the model are not known to it yet",
                            now->routine->name, want.name);
        return false;
    }
    if (r == NULL) {
        tml_adm_library_say(now->library, true,
                            "%s: %s asks for %s of %d, which it did not ask for while the model "
                            "was loaded",
                            now->routine->statement, now->routine->name, want.name,
                            n > 0 ? id[0] : 0);
        return false;
    }
    const int k = r->n_requests++;
    if (tml_adm_routine_inputs(r) < TML_MAX_ARGS_FIRST) {
        r->request[k] = want;
        *out = value[k];
    }
    return true;
}

void c_sysfnc(const char *fncnam, const int *ipar, int nsize, double *state, int *errflg)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    const bool ok = now != NULL && nsize >= 0 && nsize <= TML_ADM_REQUEST_IDS &&
                    tml_adm_value_of(now, fncnam, nsize, ipar, state);
    *errflg = ok ? 0 : 1;
}

const TmlAdmData *tml_adm_find_data(const TmlAdmUnderWay *now, char kind, int id)
{
    for (const TmlAdmDataLink *d = now != NULL ? now->library->data : NULL; d != NULL;
         d = d->next) {
        if (d->kind == kind && d->data.id == id) {
            return &d->data;
        }
    }
    return NULL;
}

/* The arguments of a GSE that an array of its own holds: x, xd or u. NULL: another array. */
static const double *own_array(const TmlAdmUnderWay *now, int id, int *n)
{
    const TmlAdmRoutine *r = now->routine;
    const struct sAdamsGSE *g = &r->of.gse;
    if (r->kind < TML_ADM_GSESUB || id == 0) {
        return NULL;
    }
    const double *x = now->value + 1, *xd = x + g->NS * (g->IMPLICIT ? 2 : 1), *u = xd + g->ND;
    *n = id == g->X ? g->NS : id == g->XD ? g->ND : g->NI;
    return id == g->X ? x : id == g->XD ? xd : id == g->U ? u : NULL;
}

/* Entries of an array, a PINPUT or a POUTPUT; those of a GSE's own arrays are at hand. */
static bool list_values(const TmlAdmUnderWay *now, const char *function, char kind, int id,
                        double *states, int *n)
{
    const TmlAdmData *data = tml_adm_find_data(now, kind, id);
    *n = 0;
    const double *own = kind == 'A' ? own_array(now, id, n) : NULL;
    for (int k = 0; own != NULL && k < *n; ++k) {
        states[k] = own[k];
    }
    if (own != NULL) {
        return true;
    }
    bool ok = data != NULL;
    for (int k = 0; ok && k < data->n; ++k) {
        if (data->number != NULL) {
            states[k] = data->number[k];
        } else {
            ok = tml_adm_value_of(now, function, 2, (const int[2]){id, k + 1}, &states[k]);
        }
    }
    *n = ok ? data->n : 0;
    return ok;
}

void c_sysary(const char *fncnam, const int *ipar, int nsize, double *states, int *nstates,
              int *errflg)
{
    static const struct {
        const char *name, *first, *second;
    } rows[] = {{"TDISP", "D", NULL},  {"RDISP", "P", NULL},  {"DISP", "D", "P"},
                {"TVEL", "V", NULL},   {"RVEL", "W", NULL},   {"VEL", "V", "W"},
                {"TACC", "ACC", NULL}, {"RACC", "WDT", NULL}, {"ACC", "ACC", "WDT"},
                {"TFORCE", "F", NULL}, {"RFORCE", "T", NULL}, {"FORCE", "F", "T"}};
    static const char *const euler[3] = {"PSI", "THETA", "PHI"};
    const TmlAdmUnderWay *now = tml_adm_under_way();
    bool ok = false;
    *nstates = 0;
    *errflg = 1;
    if (now == NULL || nsize < 1 || nsize > TML_ADM_REQUEST_IDS) {
        return;
    }
    if (strcasecmp(fncnam, "ARRAY") == 0) {
        ok = list_values(now, "ARYVAL", 'A', ipar[0], states, nstates);
    } else if (strcasecmp(fncnam, "PINPUT") == 0) {
        ok = list_values(now, "PINVAL", 'I', ipar[0], states, nstates);
    } else if (strcasecmp(fncnam, "POUTPUT") == 0) {
        ok = list_values(now, "POUVAL", 'O', ipar[0], states, nstates);
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        const char *const stem[2] = {rows[r].first, rows[r].second};
        ok |= strcasecmp(fncnam, rows[r].name) == 0;
        for (int s = 0; s < 2 && stem[s] != NULL && strcasecmp(fncnam, rows[r].name) == 0; ++s) {
            for (int a = 0; a < 3; ++a) {
                char name[12];
                const bool angles = stem[s][0] == 'P';
                snprintf(name, sizeof name, "%s%c", stem[s], "XYZ"[a]);
                ok &=
                    tml_adm_value_of(now, angles ? euler[a] : name, angles && nsize > 2 ? 2 : nsize,
                                     ipar, &states[(*nstates)++]);
            }
        }
    }
    *errflg = ok ? 0 : 1;
}

void c_timget(double *time)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    *time = now != NULL ? now->time : 0.0;
}

/* --- numbers and texts ------------------------------------------------------------------------ */

void c_gtaray(int id, double *array, int *number, int *istat)
{
    const TmlAdmData *data = tml_adm_find_data(tml_adm_under_way(), 'A', id);
    *istat = data != NULL && data->number != NULL ? 0 : -1;
    *number = *istat == 0 ? data->n : 0;
    for (int k = 0; k < *number; ++k) {
        array[k] = data->number[k];
    }
}

static void give_text(const char *text, char *string, int *length, int *istat)
{
    *istat = text != NULL ? 0 : -1;
    *length = text != NULL ? (int)strlen(text) : 0;
    if (text != NULL) {
        memcpy(string, text, (size_t)*length + 1);
    }
}

void c_gtstrg(int id, char *string, int *nchars, int *istat)
{
    const TmlAdmData *data = tml_adm_find_data(tml_adm_under_way(), 'S', id);
    give_text(data != NULL ? data->text : NULL, string, nchars, istat);
}

void c_istrng(int number, char *string, int *length, int *istat)
{
    char text[32];
    snprintf(text, sizeof text, "%d", number);
    give_text(text, string, length, istat);
}

void c_rstrng(double number, char *string, int *length, int *istat)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", number);
    give_text(text, string, length, istat);
}

void c_get_gravity(double *gx, double *gy, double *gz)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    *gx = now != NULL ? now->library->facts.gravity[0] : 0.0;
    *gy = now != NULL ? now->library->facts.gravity[1] : 0.0;
    *gz = now != NULL ? now->library->facts.gravity[2] : 0.0;
}

void c_ucovar(int id, int nparts, const int *lparts, int nvars, const int *lvars)
{
    static const char *const name[] = {"DX", "DY", "DZ", "PSI", "THETA", "PHI"};
    const TmlAdmUnderWay *now = tml_adm_under_way();
    double unused;
    if (now == NULL || now->recorder == NULL || now->routine->kind != TML_ADM_UCOSUB) {
        return;
    }
    for (int k = 0; k < nparts && k < nvars; ++k) {
        const TmlAdmData *part = tml_adm_find_data(now, 'P', lparts[k]);
        const int code = lvars[k] - 11;
        if (part == NULL || code < 0 || code > 5) {
            tml_adm_library_say(now->library, true, "error (%d): UCOVAR: %s %d", id,
                                part == NULL ? "there is no PART with mass and the number"
                                             : "not supported yet: velocities, and variable",
                                part == NULL ? lparts[k] : lvars[k]);
            return;
        }
        tml_adm_value_of(now, name[code], 1, (const int[1]){part->n}, &unused);
    }
}

void c_gtcurv(int id, double alpha, int iord, double *array, int *istat)
{
    const TmlAdmData *curve = tml_adm_find_data(tml_adm_under_way(), 'K', id);
    *istat = curve != NULL && iord >= 0 && iord <= 2 ? 0 : -1;
    if (*istat == 0) {
        tml_adm_routine_call(curve->routine, (const double[2]){0.0, alpha}, iord, array);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static void spline_value(int id, TmlSplineKind kind, double x, int iord, double *array, int *errflg)
{
    const TmlAdmData *data = tml_adm_find_data(tml_adm_under_way(), 'C', id);
    const TmlSpline *spline = data != NULL ? tml_spline_as(data->spline, kind) : NULL;
    double d[4] = {0.0};
    *errflg = spline != NULL && iord >= 0 && iord <= 2 ? 0 : 1;
    if (*errflg == 0) {
        tml_spline_eval(spline, x, iord, d);
        array[0] = d[iord];
        array[1] = array[2] = 0.0; // by z: of one curve none
    }
}

void c_akispl(double x, double z, int id, int iord, double *array, int *errflg)
{
    (void)z;
    spline_value(id, TML_SPLINE_AKIMA, x, iord, array, errflg);
}

void c_cubspl(double x, double z, int id, int iord, double *array, int *errflg)
{
    (void)z;
    spline_value(id, TML_SPLINE_CUBIC, x, iord, array, errflg);
}

static const double *keep(TmlArena *arena, int n, const double *x)
{
    double *copy = n > 0 && x != NULL ? tml_arena_alloc(arena, (size_t)n, sizeof *copy) : NULL;
    for (int k = 0; copy != NULL && k < n; ++k) {
        copy[k] = x[k];
    }
    return copy;
}

void c_put_spline(int id, int nx, int nz, const double *x, const double *y, const double *z,
                  int *errflg)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    const int curves = nz > 1 ? nz : 1;
    (void)id;
    *errflg = 1;
    if (now == NULL || now->put == NULL || nx < 1 || nx > 100000 || curves > 64) {
        return;
    }
    TmlArena *arena = now->library->arena;
    *now->put = (TmlAdmPutSpline){nx, curves, keep(arena, nx, x), keep(arena, nx * curves, y),
                                  curves > 1 ? keep(arena, nz, z) : NULL};
    *errflg = now->put->x == NULL || now->put->y == NULL || (curves > 1 && now->put->z == NULL);
}

/* --- linking ---------------------------------------------------------------------------------- */

TmlAdmUtility *const *tml_adm_utilities(void)
{
    static TmlAdmUtility *const all[] = {(TmlAdmUtility *)c_sysfnc, (TmlAdmUtility *)c_step,
                                         (TmlAdmUtility *)c_gse_x,  (TmlAdmUtility *)c_rcnvrt,
                                         (TmlAdmUtility *)sysfnc_,  (TmlAdmUtility *)c_analys};
    return all;
}
