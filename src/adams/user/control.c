/* adams/user/control.c - CONSUB: a user-written routine that runs simulations.
 *
 * The routine is called while the commands are read. Its calls of ANALYS and MODIFY become commands
 * in the place of CONTROL, so that everything is known before anything is run. What they would have
 * led to is not known to it: asking for values of the model ends the run.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adams/user/library_internal.h"

enum { LONGEST = 1024, MOST_TEXT = 1 << 20 };

/* One line more; false: too long, or no memory. */
static bool add_line(TmlAdmScript *script, const char *line)
{
    const int n = (int)strlen(line);
    if (n >= LONGEST || script->n > MOST_TEXT ||
        !tml_mem_grow(&script->text, &script->cap, script->n + n + 2, 1)) {
        return false;
    }
    memcpy((char *)script->text + script->n, line, (size_t)n);
    script->n += n;
    ((char *)script->text)[script->n++] = '\n';
    ((char *)script->text)[script->n] = '\0';
    return true;
}

static TmlAdmScript *script_of(const char *who)
{
    const TmlAdmUnderWay *now = tml_adm_under_way();
    if (now != NULL && now->script == NULL) {
        tml_adm_library_say(now->library, false, "%s: only CONSUB may call %s", now->routine->name,
                            who);
    }
    return now != NULL ? now->script : NULL;
}

void c_analys(const char *antype, const char *label, double start, double end, int init,
              int *status)
{
    static const struct {
        const char *type, *command;
    } kinds[] = {{"STATIC", "STATICS"},
                 {"DYNAMIC", "DYNAMICS"},
                 {"KINEMATIC", "KINEMATICS"},
                 {"TRANSIENT", "TRANSIENT"}};
    TmlAdmScript *script = script_of("ANALYS");
    char line[LONGEST];
    (void)label, (void)init; // every simulation goes on from the one before
    *status = -1;
    for (size_t k = 0; script != NULL && k < sizeof kinds / sizeof *kinds; ++k) {
        if (strncasecmp(antype, kinds[k].type, strlen(kinds[k].type)) == 0) {
            const bool at_once = k == 0 && !(end > start);
            snprintf(line, sizeof line, at_once ? "SIMULATE/%s" : "SIMULATE/%s, END=%.17g, STEPS=1",
                     kinds[k].command, end);
            *status = isfinite(end) && add_line(script, line) ? 0 : -1;
            return;
        }
    }
    if (script != NULL) {
        tml_adm_library_say(tml_adm_under_way()->library, true,
                            "ANALYS: '%.40s' is not supported yet: STATIC, DYNAMIC, KINEMATIC and "
                            "TRANSIENT are",
                            antype);
    }
}

void c_datout(int *status)
{
    *status = script_of("DATOUT") != NULL ? 0 : -1; // each simulation writes its end
}

void c_modify(const char *command, int *status)
{
    TmlAdmScript *script = script_of("MODIFY");
    const bool one = strpbrk(command, "\r\n") == NULL;
    *status = script != NULL && one && add_line(script, command) ? 0 : -1;
}

typedef void FortranControl(const double *par, const int *npar);

bool tml_adm_control_call(TmlAdmLibrary *library, const char *name, int n_par, const double *par,
                          TmlAdmScript *script)
{
    const char *routine = name != NULL ? name : "Consub";
    TmlAdmRoutine r = {.owner = library, .name = routine, .statement = "CONTROL"};
    const struct sAdamsControl control = {n_par, par};
    const double none[1] = {0.0};
    void *symbol = tml_adm_library_symbol(library, routine, &r.fortran);
    if (symbol == NULL) {
        return false;
    }
    TmlAdmUnderWay now = {library, &r, NULL, none, 0.0, NULL, script};
    TmlAdmUnderWay *before = tml_adm_begin(&now);
    if (r.fortran) {
        FortranControl *call;
        memcpy(&call, &symbol, sizeof call);
        call(par, &n_par);
    } else {
        adams_c_Consub *call;
        memcpy(&call, &symbol, sizeof call);
        call(&control);
    }
    tml_adm_end(before);
    return true;
}
