/* adams/translate/translate_sensor.c - SENSOR. */
#include <string.h>

#include "adams/dataset/dataset.h"

const char *tml_adm_sensor_value(TmlAdm *adm, const TmlAdmItem *sensor)
{
    const char *name = tml_arena_printf(adm->arena, "%s_value", sensor->name);
    adm->nomem |= name == NULL;
    return name != NULL ? name : "";
}

/* EVALUATE: a state that only the event changes, for SENVAL. */
static void set_value(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "EVALUATE");
    const char *text = arg != NULL ? tml_adm_expression(adm, item, arg->value) : NULL;
    if (text == NULL) {
        return;
    }
    const char *name = tml_adm_sensor_value(adm, item);
    TmlValue *state = tml_adm_map(adm, arg->value), *set = tml_adm_map(adm, arg->value);
    tml_adm_set(adm, state, "rate", tml_adm_scalar(adm, arg->value, "0"));
    tml_adm_set(adm, adm->states, name, state);
    tml_adm_set(adm, set, name, tml_adm_scalar(adm, arg->value, text));
    tml_adm_set(adm, v, "set", set);
}

static void set_time(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *name, const char *key)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg != NULL) {
        const double value = tml_adm_real(adm, item, name, 0.0) * adm->time;
        tml_adm_set(adm, v, key, tml_adm_number(adm, arg->value, value));
    }
}

void tml_adm_sensor(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    const TmlAdmArg *value = tml_adm_arg(item, "VALUE");
    if (function == NULL || value == NULL) {
        tml_adm_error(adm, item, at, "argument %s is missing",
                      function == NULL ? "FUNCTION" : "VALUE");
        return;
    }
    const char *text = tml_adm_expression(adm, item, function->value);
    if (text == NULL) {
        return;
    }
    TmlValue *v = tml_adm_map(adm, at);
    const double target = tml_adm_real(adm, item, "VALUE", 0.0);
    const double error = tml_adm_real(adm, item, "ERROR", 1e-3);
    tml_adm_set(adm, v, "when", tml_adm_scalar(adm, function->value, text));
    tml_adm_set(adm, v, "condition",
                tml_adm_scalar(adm, at,
                               tml_adm_has(item, "GE")   ? "above"
                               : tml_adm_has(item, "LE") ? "below"
                                                         : "equal"));
    tml_adm_set(adm, v, "value", tml_adm_number(adm, value->value, target));
    tml_adm_set(adm, v, "error", tml_adm_number(adm, at, error));
    if (tml_adm_has(item, "ANGLE")) {
        tml_adm_set(adm, v, "angle", tml_adm_scalar(adm, at, "true"));
    }
    if (tml_adm_has(item, "HALT")) {
        tml_adm_set(adm, v, "halt", tml_adm_scalar(adm, at, "true"));
    } else if (tml_adm_has(item, "RETURN")) {
        tml_adm_set(adm, v, "stop", tml_adm_scalar(adm, at, "true"));
    }
    if (tml_adm_has(item, "RESTART")) {
        tml_adm_set(adm, v, "restart", tml_adm_scalar(adm, at, "true"));
    }
    if (tml_adm_has(item, "PRINT")) {
        tml_adm_set(adm, v, "row", tml_adm_scalar(adm, at, "true"));
    }
    set_time(adm, item, v, "STEPSIZE", "step");
    set_time(adm, item, v, "DT", "output_step");
    set_value(adm, item, v);
    if (!item->failed) {
        tml_adm_enter(adm, adm->events, item, v);
    }
}
