/* adams/expression/calls_tables.c - functions of variables, arrays and tables in our language. */
#include "adams/expression/translator.h"

#include <string.h>

/* The FUNCTION of a VARIABLE instead of its value: what it was some time ago, or in a constraint,
 * whose derivatives need it. */
static bool write_function(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmItem *variable)
{
    enum { MOST = 1000 }; // variables of variables that name each other twice grow without end
    const TmlAdmArg *function = tml_adm_arg(variable, "FUNCTION");
    const bool driven = variable->driven != NULL;
    const bool known = driven || (function != NULL && !tml_adm_is_user(function->value));
    if (t->delay != NULL && (!known || driven || ++t->n_spelled > MOST)) {
        *t->moves = true;
        return false;
    }
    if (!known) {
        return tml_adm_refuse(t, call->at,
                              "%s in a constraint is not supported yet: only what depends on TIME "
                              "and positions",
                              call->name);
    }
    if (t->delay == NULL && ++t->n_spelled > MOST) {
        return tml_adm_refuse(t, call->at, "%s: variables depend on each other too often",
                              call->name);
    }
    tml_adm_write(t->out, "(");
    if (driven) {
        tml_adm_write(t->out, "%s", variable->driven);
    }
    const bool ok = driven || tml_adm_translate(t, function->value);
    tml_adm_write(t->out, ")");
    return ok;
}

bool tml_adm_write_variable(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *found = tml_adm_element_of(t, call->arg[0], f->keyword);
    const bool is_variable = strcmp(f->name, "VARVAL") == 0;
    if (found != NULL && (t->delay != NULL || (t->spelled && is_variable))) {
        return write_function(t, call, found);
    }
    if (found != NULL) {
        tml_adm_write(t->out, "%s", found->name);
    }
    return found != NULL;
}

/* DIF1: per unit of time of the dataset. */
bool tml_adm_write_rate(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *found = tml_adm_element_of(t, call->arg[0], f->keyword);
    if (found != NULL && t->adm->time != 1.0) {
        tml_adm_write(t->out, "(rate(%s)*%s)", found->name, tml_adm_digits(t->adm, t->adm->time));
    } else if (found != NULL) {
        tml_adm_write(t->out, "rate(%s)", found->name);
    }
    return found != NULL;
}

/* SENVAL(sensor): what it has evaluated. */
bool tml_adm_write_sensor(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *sensor = tml_adm_element_of(t, call->arg[0], f->keyword);
    if (sensor != NULL) {
        const bool evaluates = tml_adm_has(sensor, "EVALUATE");
        tml_adm_write(t->out, "%s", evaluates ? tml_adm_sensor_value(t->adm, sensor) : "0");
    }
    return sensor != NULL;
}

/* ARYVAL(array, k), PINVAL(pinput, k), POUVAL(poutput, k). */
bool tml_adm_write_entry(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *list = tml_adm_element_of(t, call->arg[0], f->keyword);
    const int k = tml_adm_whole_number(t, call->arg[1]);
    TmlAdmItem *variable = list != NULL ? tml_adm_listed(t->adm, list, k) : NULL;
    if (variable != NULL && (t->delay != NULL || t->spelled)) {
        return write_function(t, call, variable);
    }
    if (list != NULL && t->delay != NULL && !tml_adm_has(list, "NUMBERS")) {
        *t->moves = true;
        return false;
    }
    return list != NULL && (tml_adm_entry(t->adm, t->out, list, k) ||
                            tml_adm_refuse(t, call->at, "%s: there is no such entry", f->name));
}

/* CUBSPL(x, z, spline, order): between curves of a family, linear in z. */
bool tml_adm_write_spline(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdmItem *spline = tml_adm_element_of(t, call->arg[2], "SPLINE");
    const int order = call->n > 3 ? tml_adm_whole_number(t, call->arg[3]) : 0;
    TmlAdmText x = {0}, z = {0};
    TmlAdmText *out = t->out;
    if (spline == NULL) {
        return false;
    }
    if (order < 0 || order > 2) {
        return tml_adm_refuse(t, call->arg[3], "%s: the order of a derivative is 0, 1 or 2",
                              f->name);
    }
    t->out = &x;
    bool ok = tml_adm_translate(t, call->arg[0]);
    t->out = &z;
    ok = ok && tml_adm_translate(t, call->arg[1]);
    t->out = out;
    const char *at = tml_adm_take(t->adm, &x), *along = tml_adm_take(t->adm, &z);
    if (ok && order > 0 && tml_adm_curves(spline) > 1) {
        return tml_adm_refuse(t, call->arg[3], "%s: derivatives of a single curve only", f->name);
    }
    return ok && tml_adm_spline_value(t->adm, out, spline, f->name[0] == 'A' ? "akispl" : "cubspl",
                                      at, along, order);
}
