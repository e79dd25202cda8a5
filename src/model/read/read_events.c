/* model/read/read_events.c - events: what happens when an expression reaches a value. */
#include <math.h>

#include "model/measure/binding.h"
#include "model/read/read.h"

/* An expression that is looked at when a step is done; its number. */
static int add_probe(TmlEntry *x, const TmlValue *v, const char *what)
{
    TmlModel *m = x->r->m;
    const TmlChannel probe = {.name = x->name, .unit = ""};
    bool ok = true;
    TML_LIST_ADD(m->probes, probe, &ok);
    x->r->nomem |= !ok;
    if (ok) {
        tml_read_expression(x, v, what,
                            (TmlPending){.target = TML_TARGET_PROBE,
                                         .index = m->probes.n - 1,
                                         .allowed = TML_ALLOW_ALL});
    }
    return m->probes.n - 1;
}

static void read_sets(TmlEntry *x, const TmlValue *map, TmlEvent *event)
{
    const TmlModel *m = x->r->m;
    if (map == NULL || !tml_read_is_map(x, map, "set")) {
        return;
    }
    event->set = tml_reader_alloc(x->r, (size_t)map->n, sizeof *event->set);
    for (int k = 0; event->set != NULL && k < map->n; ++k) {
        const int state = tml_model_find_state(m, map->key[k]->text);
        if (state < 0) {
            tml_entry_unknown_name(x, map->key[k], "state", map->key[k]->text, m->states.at,
                                   m->states.n, sizeof *m->states.at);
            return;
        }
        event->set[event->n_sets++] = (TmlEventSet){state, add_probe(x, map->item[k], "set")};
    }
}

static void optional(TmlEntry *x, const char *key, TmlRange range, const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_read_ranged(x, v, key, range, unit, out);
    }
}

static void flag(TmlEntry *x, const char *key, bool *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_read_bool(x, v, key, out);
    }
}

static void read_event(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlEvent event = {.name = x->name,
                      .error = 1e-6,
                      .step = (double)NAN,
                      .output_step = (double)NAN,
                      .source = x->key};
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    const TmlValue *when = tml_value_find(x->value, "when");
    const TmlValue *condition = tml_value_find(x->value, "condition");
    tml_read_keys(x, x->value, tml_keys_event, NULL, NULL);
    if (when == NULL) {
        tml_entry_error(x, x->key, "missing key 'when': the expression that it watches");
        return;
    }
    event.probe = add_probe(x, when, "when");
    optional(x, "value", TML_ANY, "", &event.value);
    optional(x, "error", TML_POSITIVE, "", &event.error);
    optional(x, "step", TML_POSITIVE, "s", &event.step);
    optional(x, "output_step", TML_POSITIVE, "s", &event.output_step);
    flag(x, "angle", &event.angle);
    flag(x, "stop", &event.stop);
    flag(x, "restart", &event.restart);
    flag(x, "row", &event.row);
    flag(x, "halt", &event.halt);
    flag(x, "at_start", &event.at_start);
    flag(x, "silent", &event.silent);
    if (condition != NULL) {
        int which = 0;
        tml_read_choice(x, condition, "condition", "equal|above|below", &which);
        event.condition = (TmlCondition)which;
    }
    read_sets(x, tml_value_find(x->value, "set"), &event);
    bool ok = true;
    TML_LIST_ADD(m->events, event, &ok);
    x->r->nomem |= !ok;
}

void tml_read_events(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "event", NULL, read_event, NULL);
}
