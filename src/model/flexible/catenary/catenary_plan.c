/* model/flexible/catenary/catenary_plan.c - the keys of an entry of `catenaries` as numbers. */
#include <math.h>

#include "model/flexible/catenary/catenary.h"

enum { SPANS_MAX = 1000, NODES_MAX = 100000 };

/* A number under a key of a map; absent: it stays. */
static bool number(TmlEntry *x, const TmlValue *map, const char *key, TmlRange range,
                   const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(map, key);
    return v == NULL || tml_read_ranged(x, v, key, range, unit, out);
}

/* The same, required. */
static bool needed(TmlEntry *x, const TmlValue *map, const char *key, TmlRange range,
                   const char *unit, double *out)
{
    if (tml_value_find(map, key) == NULL) {
        tml_entry_error(x, map, "missing key '%s'", key);
        return false;
    }
    return number(x, map, key, range, unit, out);
}

/* A nested map with its keys checked; NULL: absent or reported. */
static const TmlValue *part(TmlEntry *x, const char *key, const TmlKey *keys)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v == NULL || !tml_read_is_map(x, v, key)) {
        return NULL;
    }
    tml_read_keys(x, v, keys, NULL, NULL);
    return v;
}

static bool read_wire(TmlEntry *x, const char *key, const TmlKey *keys, TmlWirePlan *w,
                      const TmlValue **map)
{
    *map = part(x, key, keys);
    if (tml_value_find(x->value, key) == NULL) {
        tml_entry_error(x, x->key, "missing key '%s'", key);
    }
    if (*map == NULL) {
        return false;
    }
    w->radius = 0.006;
    bool ok = needed(x, *map, "tension", TML_POSITIVE, "N", &w->tension);
    ok &= needed(x, *map, "mass", TML_POSITIVE, "kg/m", &w->mass);
    ok &= needed(x, *map, "EA", TML_POSITIVE, "N", &w->EA);
    ok &= number(x, *map, "EI", TML_NONNEGATIVE, "N m^2", &w->EI);
    ok &= number(x, *map, "radius", TML_POSITIVE, "m", &w->radius);
    if (ok && w->tension > 0.1 * w->EA) {
        tml_entry_error(x, *map,
                        "%s: the tension, %g N, stretches a wire of EA = %g N by more than 10 %%",
                        key, w->tension, w->EA);
        ok = false;
    }
    return ok;
}

/* spans: a number with `span`, or a list of lengths. */
static bool read_spans(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *spans = tml_value_find(x->value, "spans"),
                   *span = tml_value_find(x->value, "span");
    TmlReals lengths = {0};
    double length = 0.0;
    if (spans == NULL || (spans->kind == TML_VALUE_LIST) == (span != NULL)) {
        tml_entry_error(x, spans != NULL ? spans : x->key,
                        "give either 'spans' as a number with 'span', the length of each, or "
                        "'spans' as a list of lengths");
        return false;
    }
    const bool list = span == NULL;
    if (list ? !tml_read_reals(x, spans, "spans", &lengths)
             : !tml_read_int(x, spans, "spans", &p->n) ||
                   !tml_read_ranged(x, span, "span", TML_POSITIVE, "m", &length)) {
        return false;
    }
    p->n = list ? lengths.n : p->n;
    if (p->n < 1 || p->n > SPANS_MAX) {
        tml_entry_error(x, spans, "spans: expected 1 to %d, got %d", SPANS_MAX, p->n);
        return false;
    }
    p->span = tml_reader_alloc(x->r, (size_t)p->n, sizeof *p->span);
    for (int k = 0; k < p->n && p->span != NULL; ++k) {
        p->span[k] = (TmlSpanPlan){.from = p->length, .length = list ? lengths.value[k] : length};
        if (!(p->span[k].length > 0.0)) {
            tml_entry_error(x, spans, "spans: length %d is %g m; it must be positive", k + 1,
                            p->span[k].length);
            return false;
        }
        p->length += p->span[k].length;
    }
    return p->span != NULL;
}

/* Droppers lie between the supports, in order. */
static bool places_fit(TmlEntry *x, const TmlValue *at, const TmlSpanPlan *s)
{
    double before = 0.0;
    for (int k = 0; k < s->at.n; ++k) {
        if (!(s->at.value[k] > before && s->at.value[k] < s->length)) {
            tml_entry_error(x, at,
                            "at: dropper %d at %g m: expected rising places between the supports, "
                            "above %g and below %g m",
                            k + 1, s->at.value[k], before, s->length);
            return false;
        }
        before = s->at.value[k];
    }
    return s->at.n > 0;
}

/* A list for all spans, or a list of lists with one for each. */
static bool read_lists(TmlEntry *x, const TmlValue *v, const char *key, int n, TmlReals *out)
{
    const bool each = v->kind == TML_VALUE_LIST && v->n > 0 && v->item[0]->kind == TML_VALUE_LIST;
    if (each && v->n != n) {
        tml_entry_error(x, v, "%s: %d lists for %d spans", key, v->n, n);
        return false;
    }
    for (int k = 0; k < n; ++k) {
        if (k > 0 && !each) {
            out[k] = out[0];
        } else if (!tml_read_reals(x, each ? v->item[k] : v, key, &out[k])) {
            return false;
        }
    }
    return true;
}

/* Depths of the feet of the droppers: a list for each span, or a parabola with this depth in the middle. */
static bool read_sag(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *v = tml_value_find(x->value, "sag");
    double depth = 0.0;
    const bool listed = v != NULL && v->kind == TML_VALUE_LIST;
    TmlReals *given = tml_reader_alloc(x->r, (size_t)p->n, sizeof *given);
    if (given == NULL || (listed && !read_lists(x, v, "sag", p->n, given)) ||
        (v != NULL && !listed && !tml_read_ranged(x, v, "sag", TML_ANY, "m", &depth))) {
        return false;
    }
    for (int k = 0; k < p->n; ++k) {
        TmlSpanPlan *s = &p->span[k];
        if (listed && given[k].n != s->at.n) {
            tml_entry_error(x, v, "sag: %d depths for %d droppers", given[k].n, s->at.n);
            return false;
        }
        double *below = tml_reader_alloc(x->r, (size_t)s->at.n, sizeof *below);
        for (int j = 0; j < s->at.n && below != NULL; ++j) {
            const double u = s->at.value[j] / s->length;
            below[j] = listed ? given[k].value[j] : 4.0 * depth * u * (1.0 - u);
        }
        s->below = below;
    }
    return !x->r->nomem;
}

static bool read_droppers(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *map = part(x, "droppers", tml_keys_droppers);
    const TmlValue *at = tml_value_find(map, "at");
    TmlReals *places = tml_reader_alloc(x->r, (size_t)p->n, sizeof *places);
    if (map == NULL || at == NULL) {
        if (!x->bad) {
            tml_entry_error(x, map != NULL ? map : x->key, "missing key '%s'",
                            map != NULL ? "at" : "droppers");
        }
        return false;
    }
    bool ok = needed(x, map, "stiffness", TML_POSITIVE, "N/m", &p->dropper);
    ok &= number(x, map, "damping", TML_NONNEGATIVE, "N s/m", &p->dropper_damping);
    ok &= number(x, map, "blend", TML_NONNEGATIVE, "N", &p->blend);
    ok &= number(x, map, "clamp", TML_NONNEGATIVE, "kg", &p->clamp);
    if (places == NULL || !read_lists(x, at, "at", p->n, places)) {
        return false;
    }
    for (int k = 0; k < p->n; ++k) {
        p->span[k].at = places[k];
        if (!places_fit(x, at, &p->span[k])) {
            return false;
        }
    }
    return ok && read_sag(x, p);
}

static bool read_arms(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *map = part(x, "arms", tml_keys_arms);
    bool ok = number(x, map, "stiffness", TML_NONNEGATIVE, "N/m", &p->arm);
    ok &= number(x, map, "damping", TML_NONNEGATIVE, "N s/m", &p->arm_damping);
    ok &= number(x, map, "mass", TML_NONNEGATIVE, "kg", &p->arm_mass);
    ok &= number(x, map, "load", TML_ANY, "N", &p->arm_load);
    return ok && number(x, map, "lateral", TML_POSITIVE, "N/m", &p->lateral);
}

static bool read_rest(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *start = tml_value_find(x->value, "start"),
                   *along = tml_value_find(x->value, "direction"),
                   *ends = tml_value_find(x->value, "ends");
    int weights = 0;
    bool ok = start == NULL || tml_read_vec3(x, start, "start", &p->start);
    ok &= along == NULL || tml_read_choice(x, along, "direction", "x|y", &p->along);
    ok &= ends == NULL || tml_read_choice(x, ends, "ends", "held|weights", &weights);
    p->weights = weights == 1;
    ok &= number(x, x->value, "element", TML_POSITIVE, "m", &p->element);
    ok &= number(x, x->value, "stagger", TML_ANY, "m", &p->stagger);
    ok &= number(x, x->value, "mass_damping", TML_NONNEGATIVE, "1/s", &p->mass_damping);
    ok &= number(x, x->value, "damping", TML_NONNEGATIVE, "s", &p->damping);
    if (ok && p->length / p->element > NODES_MAX) {
        tml_entry_error(x, x->key, "%g m of wire in elements of %g m are more than %d elements",
                        p->length, p->element, NODES_MAX);
        return false;
    }
    return ok;
}

bool tml_catenary_plan(TmlEntry *x, TmlCatenaryPlan *p)
{
    const TmlValue *contact, *messenger;
    *p = (TmlCatenaryPlan){.element = 0.5, .support = 5e4, .lateral = 1e6};
    bool ok = read_wire(x, "contact_wire", tml_keys_contact_wire, &p->contact, &contact);
    ok &= read_wire(x, "messenger", tml_keys_messenger, &p->messenger, &messenger);
    ok &= messenger != NULL && needed(x, messenger, "height", TML_POSITIVE, "m", &p->height);
    ok &= number(x, messenger, "support", TML_POSITIVE, "N/m", &p->support);
    ok &= number(x, messenger, "support_damping", TML_NONNEGATIVE, "N s/m", &p->support_damping);
    const TmlVec3 g = x->r->m->gravity;
    if (!(g.z < 0.0) || fabs(g.x) + fabs(g.y) > 1e-12 * fabs(g.z)) {
        tml_entry_error(x, x->key, "a catenary hangs: gravity must point along -z");
        ok = false;
    }
    p->gravity = -g.z;
    return read_spans(x, p) && read_droppers(x, p) && read_arms(x, p) && read_rest(x, p) && ok;
}
