/* adams/user/library.c - a shared library of user-written routines: opening, data, finding. */
#include "adams/user/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "adams/user/library_internal.h"
#include "base/fail.h"

/* Default names in C and what messages call them. */
static const struct {
    const char *c, *upper;
} names[TML_ADM_N_ROUTINES] = {
    [TML_ADM_SFOSUB] = {"Sfosub", "SFOSUB"},
    [TML_ADM_GFOSUB] = {"Gfosub", "GFOSUB"},
    [TML_ADM_VFOSUB] = {"Vfosub", "VFOSUB"},
    [TML_ADM_VTOSUB] = {"Vtosub", "VTOSUB"},
    [TML_ADM_FIESUB] = {"Fiesub", "FIESUB"},
    [TML_ADM_MOTSUB] = {"Motsub", "MOTSUB"},
    [TML_ADM_VARSUB] = {"Varsub", "VARSUB"},
    [TML_ADM_DIFSUB] = {"Difsub", "DIFSUB"},
    [TML_ADM_REQSUB] = {"Reqsub", "REQSUB"},
    [TML_ADM_SENSUB] = {"Sensub", "SENSUB"},
    [TML_ADM_SEVSUB] = {"Sevsub", "SEVSUB"},
    [TML_ADM_GCOSUB] = {"gcosub", "GCOSUB"}, // as Fortran calls, as the next
    [TML_ADM_COUSUB] = {"Cousub", "COUSUB"},
    [TML_ADM_UCOSUB] = {"ucosub", "UCOSUB"},
    [TML_ADM_CURSUB] = {"Cursub", "CURSUB"},
    [TML_ADM_GSESUB] = {"Gsesub", "GSESUB"},
    [TML_ADM_GSE_DERIV] = {"Gse_deriv", "GSE_DERIV"},
    [TML_ADM_GSE_OUTPUT] = {"Gse_output", "GSE_OUTPUT"},
    [TML_ADM_GSE_UPDATE] = {"Gse_update", "GSE_UPDATE"},
    [TML_ADM_GSE_SAMP] = {"Gse_samp", "GSE_SAMP"},
};

const char *tml_adm_routine_name(TmlAdmRoutineKind kind)
{
    return names[kind].upper;
}

/* --- the library ------------------------------------------------------------------------------ */

/* What the loader says, and what it means. */
static TmlStatus fail_to_open(const char *path, const char *why, TmlError *err)
{
    static const char missing[] = "undefined symbol: ";
    const char *symbol = why != NULL ? strstr(why, missing) : NULL;
    if (symbol != NULL) {
        symbol += strlen(missing);
        return tml_fail(err, TML_E_IO,
                        "cannot open the user library '%s': it calls '%.*s', which neither Trammel "
                        "nor a library that it is linked with has",
                        path, (int)strcspn(symbol, " ,\n"), symbol);
    }
    return tml_fail(err, TML_E_IO, "cannot open the user library '%s': %s", path,
                    why != NULL ? why : "out of memory");
}

/* A curve may be asked for by the routine of another element. */
static bool start_locks(TmlAdmLibrary *l)
{
    pthread_mutexattr_t again;
    if (pthread_mutexattr_init(&again) != 0) {
        return false;
    }
    const bool ok = pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE) == 0 &&
                    pthread_mutex_init(&l->calls, &again) == 0;
    pthread_mutexattr_destroy(&again);
    return ok && pthread_mutex_init(&l->memory, NULL) == 0 &&
           pthread_mutex_init(&l->lock, NULL) == 0;
}

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
    if (l->handle == NULL || l->path == NULL || !start_locks(l)) {
        const TmlStatus status = fail_to_open(path, dlerror(), err);
        if (l->handle != NULL) {
            dlclose(l->handle);
        }
        tml_mem_free(l);
        return status;
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
        pthread_mutex_destroy(&l->calls);
        pthread_mutex_destroy(&l->memory);
        tml_mem_free(l);
    }
}

const char *tml_adm_library_path(const TmlAdmLibrary *l)
{
    return l->path;
}

/* --- messages --------------------------------------------------------------------------------- */

const char *tml_adm_library_message(const void *library, int index)
{
    const TmlAdmLibrary *l = library;
    return index >= 0 && index < l->n_messages ? l->message[index] : NULL;
}

const char *tml_adm_library_stopped(const TmlAdmLibrary *l)
{
    return l->stopped ? l->n_messages > 0 ? l->message[l->n_messages - 1] : "" : NULL;
}

void tml_adm_library_say(TmlAdmLibrary *l, bool stop, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    pthread_mutex_lock(&l->lock);
    bool known = l->n_messages == TML_ADM_MESSAGES;
    for (int k = 0; k < l->n_messages && !known; ++k) {
        known = strcmp(l->message[k], line) == 0; // routines are called many times a step
    }
    if (!known) {
        const size_t n = strlen(line) + 1;
        char *copy = tml_mem_zalloc(n, 1);
        if (copy != NULL) {
            memcpy(copy, line, n);
            l->message[l->n_messages++] = copy;
        }
    }
    l->stopped |= stop;
    pthread_mutex_unlock(&l->lock);
}

/* --- data ------------------------------------------------------------------------------------- */

bool tml_adm_library_add(TmlAdmLibrary *l, char kind, TmlAdmData data)
{
    TmlAdmDataLink *link = tml_arena_alloc(l->arena, 1, sizeof *link);
    if (link != NULL) {
        *link = (TmlAdmDataLink){kind, data, l->data};
        l->data = link;
    }
    return link != NULL;
}

void tml_adm_library_facts(TmlAdmLibrary *l, const TmlAdmFacts *facts)
{
    l->facts = *facts;
}

/* --- finding ---------------------------------------------------------------------------------- */

/* dlsym also looks into the libraries that a library is linked with. A dataset could then call any
 * function of the C library; only those that the file itself defines are routines. */
static bool is_of_file(const TmlAdmLibrary *l, void *symbol)
{
    Dl_info info;
    struct link_map *own = NULL;
    void *owner = NULL;
    return dlinfo(l->handle, RTLD_DI_LINKMAP, &own) == 0 &&
           dladdr1(symbol, &info, &owner, RTLD_DL_LINKMAP) != 0 && owner == own;
}

static void *find_form(const TmlAdmLibrary *l, const char *name, int form)
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
    void *symbol = dlsym(l->handle, text);
    return symbol != NULL && is_of_file(l, symbol) ? symbol : NULL;
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

void *tml_adm_library_symbol(const TmlAdmLibrary *l, const char *name, bool *fortran)
{
    void *symbol = find_form(l, name, 0);
    *fortran = !is_mixed(name);
    for (int form = 1; form <= 3 && symbol == NULL; ++form) {
        symbol = find_form(l, name, form);
        *fortran = true;
    }
    return symbol;
}

bool tml_adm_routine_find(TmlAdmRoutine *r, const char *name)
{
    r->name = name != NULL ? name : names[r->kind].c;
    r->symbol = tml_adm_library_symbol(r->owner, r->name, &r->fortran);
    if (r->symbol == NULL && r->kind == TML_ADM_GSE_SAMP && name == NULL) { // both are documented
        r->symbol = tml_adm_library_symbol(r->owner, "Gse_sample", &r->fortran);
    }
    r->fortran |= r->kind == TML_ADM_UCOSUB || r->kind == TML_ADM_GCOSUB;
    return r->symbol != NULL;
}

void tml_adm_routine_find_other(TmlAdmRoutine *r, const char *first, const char *second)
{
    bool fortran = false;
    r->other = tml_adm_library_symbol(r->owner, first != NULL ? first : "Couxx", &fortran);
    r->other = fortran == r->fortran ? r->other : NULL;
    if (r->other != NULL && (first == NULL || second != NULL)) {
        r->third = tml_adm_library_symbol(r->owner, second != NULL ? second : "Couxx2", &fortran);
        r->third = fortran == r->fortran ? r->third : NULL;
    }
}
