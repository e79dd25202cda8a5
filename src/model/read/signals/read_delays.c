/* model/read/signals/read_delays.c - delays: what is delayed and by how much become variables of the model.
 *
 * The variables are "NAME.value" and, unless the delay is a number, "NAME.time"; delay(NAME) reads
 * them and the past of the run (past.c).
 */
#include "model/measure/binding.h"
#include "model/read/read.h"

/* A variable NAME.what of the expression; its number. */
static int add_variable(TmlEntry *x, const char *what, const TmlValue *v)
{
    TmlModel *m = x->r->m;
    const TmlVariable variable = {.name = tml_reader_printf(x->r, "%s.%s", x->name, what),
                                  .source = x->key};
    bool ok = variable.name != NULL;
    TML_LIST_ADD(m->variables, variable, &ok);
    x->r->nomem |= !ok;
    if (ok) {
        tml_read_expression(x, v, what,
                            (TmlPending){.target = TML_TARGET_VARIABLE,
                                         .index = m->variables.n - 1,
                                         .allowed = TML_ALLOW_ALL});
    }
    return m->variables.n - 1;
}

/* A number, or a variable. */
static void read_time(TmlEntry *x, const TmlValue *v, TmlDelay *delay)
{
    const char *text = v->kind == TML_VALUE_SCALAR ? tml_read_substitute(x, v, v->text) : NULL;
    delay->time = -1;
    if (text != NULL && tml_read_is_constant(x, text, &delay->fixed)) {
        if (!(delay->fixed >= 0.0)) {
            tml_entry_error(x, v, "time is %.9g s; a delay must not be negative", delay->fixed);
        }
    } else if (!x->bad) {
        delay->time = add_variable(x, "time", v);
    }
}

static void read_delay(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlDelay delay = {.name = x->name, .time = -1, .source = x->key};
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL) || !tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    const TmlValue *value = tml_value_find(x->value, "value");
    const TmlValue *time = tml_value_find(x->value, "time");
    const TmlValue *history = tml_value_find(x->value, "history");
    tml_read_keys(x, x->value, tml_keys_delay, NULL, NULL);
    if (value == NULL || time == NULL) {
        tml_entry_error(x, x->key, "missing key '%s'", value == NULL ? "value" : "time");
        return;
    }
    delay.value = add_variable(x, "value", value);
    read_time(x, time, &delay);
    if (history != NULL) {
        delay.history = tml_reader_alloc(x->r, 1, sizeof *delay.history);
        if (delay.history != NULL) {
            tml_read_expression(x, history, "history",
                                (TmlPending){.target = TML_TARGET_SLOT,
                                             .slot = delay.history,
                                             .allowed = TML_ALLOW_TIME_ONLY});
        }
    }
    bool ok = true;
    TML_LIST_ADD(m->delays, delay, &ok);
    x->r->nomem |= !ok;
}

void tml_read_delays(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "delay", NULL, read_delay, NULL);
}
