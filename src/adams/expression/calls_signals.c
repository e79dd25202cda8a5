/* adams/expression/calls_signals.c - CURVE, INTERP, INVPSD and DELAY in our language.
 *
 * INVPSD is a sum over frequencies f_k in equal steps from f_0 to f_1. With weights w_k of the
 * trapezoidal rule its mean square is the area below the density P:
 *
 *   (P1)  y(x) = sum_k sqrt(2 P(f_k) w_k) sin(2 pi f_k x + phi_k)
 *
 * The phases phi_k are random numbers of the seed, others than those of Adams, which are not
 * documented. DELAY of what depends on time alone is that at an earlier time; of anything else an
 * entry of `delays`.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adams/expression/translator.h"
#include "base/real.h"
#include "model/read/value.h"

static const double two_pi = 6.28318530717958647693;

/* An argument in our language; NULL: reported. */
static const char *argument(TmlAdmTranslator *t, TmlAdmSlice s)
{
    TmlAdmText text = {0}, *out = t->out;
    t->out = &text;
    const bool ok = tml_adm_translate(t, s);
    t->out = out;
    const char *taken = tml_adm_take(t->adm, &text);
    return ok ? taken : NULL;
}

static double number_at(const TmlValue *list, int k)
{
    return list->item[k]->text != NULL ? tml_real_read(list->item[k]->text, NULL) : 0.0;
}

/* --- curves ----------------------------------------------------------------------------------- */

/* CURVE(alpha, order, component, curve) */
bool tml_adm_write_curve(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdm *adm = t->adm;
    TmlAdmItem *curve = tml_adm_element_of(t, call->arg[3], f->keyword);
    const int derivative = tml_adm_whole_number(t, call->arg[1]);
    const int component = tml_adm_whole_number(t, call->arg[2]);
    const char *alpha = argument(t, call->arg[0]);
    if (curve == NULL || alpha == NULL) {
        return false;
    }
    if (derivative < 0 || derivative > 2) {
        return tml_adm_refuse(t, call->arg[1], "%s: the order of a derivative is 0, 1 or 2",
                              f->name);
    }
    if (component < 1 || component > 3) {
        return tml_adm_refuse(t, call->arg[2], "the component of %s must be 1 to 3", f->name);
    }
    if (tml_value_find(adm->paths, curve->name) == NULL) {
        tml_adm_write(t->out, "0"); // what is wrong with the curve is told there
        return true;
    }
    tml_adm_write(t->out, adm->length != 1.0 ? "(curve(%s, %s.%c" : "curve(%s, %s.%c", alpha,
                  curve->name, "xyz"[component - 1]);
    if (derivative > 0) {
        tml_adm_write(t->out, ", %d", derivative);
    }
    tml_adm_write(t->out, ")");
    if (adm->length != 1.0) {
        tml_adm_write(t->out, "*%s)", tml_adm_digits(adm, 1.0 / adm->length));
    }
    return true;
}

/* INTERP(x, method, spline, order): by straight lines or cubics. */
bool tml_adm_write_interpolation(TmlAdmTranslator *t, const TmlAdmCall *call,
                                 const TmlAdmFunction *f)
{
    const TmlAdmItem *spline = tml_adm_element_of(t, call->arg[2], f->keyword);
    const int method = tml_adm_whole_number(t, call->arg[1]);
    const int order = call->n > 3 ? tml_adm_whole_number(t, call->arg[3]) : 0;
    const char *x = argument(t, call->arg[0]);
    if (spline == NULL || x == NULL) {
        return false;
    }
    if (method != 1 && method != 3) {
        return tml_adm_refuse(t, call->arg[1], "%s: the method is 1, linear, or 3, cubic", f->name);
    }
    if (order < 0 || order > 2) {
        return tml_adm_refuse(t, call->arg[3], "%s: the order of a derivative is 0, 1 or 2",
                              f->name);
    }
    if (tml_adm_curves(spline) > 1) {
        return tml_adm_refuse(t, call->arg[2], "%s takes a table of one curve", f->name);
    }
    return tml_adm_spline_value(t->adm, t->out, spline, method == 1 ? "linspl" : "cubspl", x, "0",
                                order);
}

/* --- power spectral density ------------------------------------------------------------------- */

typedef struct Density {
    const TmlValue *x, *y;
    bool logarithmic;
} Density;

/* P at a frequency, linear between the points of the table or between their logarithms. */
static double density_at(const Density *d, double f)
{
    const int n = d->x->n;
    int k = 0;
    while (k + 2 < n && number_at(d->x, k + 1) <= f) {
        ++k;
    }
    double x[2] = {number_at(d->x, k), number_at(d->x, k + 1)};
    double y[2] = {number_at(d->y, k), number_at(d->y, k + 1)};
    const bool logs = d->logarithmic && x[0] > 0.0 && y[0] > 0.0 && y[1] > 0.0 && f > 0.0;
    if (logs) {
        for (int i = 0; i < 2; ++i) {
            x[i] = log(x[i]);
            y[i] = log(y[i]);
        }
        f = log(f);
    }
    const double p = y[0] + (f - x[0]) / (x[1] - x[0]) * (y[1] - y[0]);
    return fmax(0.0, logs ? exp(p) : p);
}

/* Between 0 and 1, from the seed and a count: the mixing of splitmix64. */
static double random_number(int64_t seed, int k)
{
    uint64_t z = (uint64_t)seed * 0xd1342543de82ef95u + (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A constant argument; false: reported. */
static bool constant(TmlAdmTranslator *t, TmlAdmSlice s, double *out)
{
    const char *text = tml_adm_copy(t->adm->arena, s);
    char *end = NULL;
    t->adm->nomem |= text == NULL;
    *out = text != NULL ? tml_real_read(text, &end) : 0.0;
    return text != NULL && ((end != text && *end == '\0' && isfinite(*out)) ||
                            tml_adm_refuse(t, s, "a number is expected instead of '%s'", text));
}

/* INVPSD(x, spline, f0, f1, n, linlog, seed) */
bool tml_adm_write_density(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    enum { MOST = 1000, MOST_TEXT = 1 << 20 };
    TmlAdm *adm = t->adm;
    const TmlAdmItem *spline = tml_adm_element_of(t, call->arg[1], f->keyword);
    const char *x = argument(t, call->arg[0]);
    double f0, f1, count, logarithmic, seed;
    if (spline == NULL || x == NULL || !constant(t, call->arg[2], &f0) ||
        !constant(t, call->arg[3], &f1) || !constant(t, call->arg[4], &count) ||
        !constant(t, call->arg[5], &logarithmic) || !constant(t, call->arg[6], &seed)) {
        return false;
    }
    const TmlValue *map = tml_value_find(adm->splines, spline->name);
    const Density d = {map != NULL ? tml_value_find(map, "x") : NULL,
                       map != NULL ? tml_value_find(map, "y") : NULL, logarithmic != 0.0};
    if (!(f0 >= 0.0 && f1 > f0) || fabs(seed) > 1e15) {
        return tml_adm_refuse(t, call->arg[3], "%s: frequencies must increase from f0 to f1",
                              f->name);
    }
    if (!(count >= 2.0 && count <= MOST) || count * (double)strlen(x) > MOST_TEXT) {
        return tml_adm_refuse(t, call->arg[4], "%s takes 2 to 1000 frequencies", f->name);
    }
    if (d.x == NULL || d.y == NULL || d.x->n < 2 || d.x->n != d.y->n) {
        return tml_adm_refuse(t, call->arg[1], "%s takes a table of one curve", f->name);
    }
    const int n = (int)count;
    const double step = (f1 - f0) / (n - 1);
    tml_adm_write(t->out, "(");
    for (int k = 0; k < n; ++k) {
        const double frequency = f0 + k * step, w = k == 0 || k == n - 1 ? 0.5 * step : step;
        tml_adm_write(t->out, k > 0 ? " + %s" : "%s",
                      tml_adm_digits(adm, sqrt(2.0 * density_at(&d, frequency) * w))); // (P1)
        tml_adm_write(t->out, "*sin(%s*(%s)", tml_adm_digits(adm, two_pi * frequency), x);
        tml_adm_write(t->out, " + %s)",
                      tml_adm_digits(adm, two_pi * random_number((int64_t)seed, k)));
    }
    tml_adm_write(t->out, ")");
    return true;
}

/* --- delays ----------------------------------------------------------------------------------- */

/* An argument at an earlier time. *moves: nothing is written, for it depends on more than time. */
static const char *delayed(TmlAdmTranslator *t, TmlAdmSlice s, const char *delay, bool *moves)
{
    const char *kept = t->delay;
    bool *outer = t->moves;
    t->delay = delay;
    t->moves = moves;
    const char *text = argument(t, s);
    t->delay = kept;
    t->moves = outer;
    return text;
}

/* Of what depends on time alone. */
static bool write_earlier(TmlAdmTranslator *t, const TmlAdmCall *call, bool *moves)
{
    TmlAdmText text = {0};
    const char *by = argument(t, call->arg[1]);
    if (by == NULL) {
        *moves = t->moves != NULL && *t->moves;
        return false;
    }
    tml_adm_write(&text, t->delay != NULL ? "(%s + max(0, %s))" : "%.0smax(0, %s)",
                  t->delay != NULL ? t->delay : "", by);
    const char *delay = tml_adm_take(t->adm, &text);
    const char *value = t->adm->nomem ? NULL : delayed(t, call->arg[0], delay, moves);
    const char *history = value != NULL ? delayed(t, call->arg[2], delay, moves) : NULL;
    if (history == NULL) {
        return false;
    }
    tml_adm_write(t->out, "if(");
    tml_adm_write_time(t, delay);
    tml_adm_write(t->out, " < 0, %s, %s)", history, value);
    return true;
}

static bool same(const TmlValue *map, const char *key, const char *text)
{
    const TmlValue *v = tml_value_find(map, key);
    return v != NULL && v->text != NULL && strcmp(v->text, text) == 0;
}

/* The entry of `delays` that says so, or a new one. */
static const char *delay_entry(TmlAdm *adm, TmlAdmSlice at, const char *value, const char *time,
                               const char *history)
{
    for (int k = 0; k < adm->delays->n; ++k) {
        const TmlValue *map = adm->delays->item[k];
        if (same(map, "value", value) && same(map, "time", time) && same(map, "history", history)) {
            return adm->delays->key[k]->text;
        }
    }
    const char *name = NULL;
    for (int k = adm->delays->n + 1; name == NULL && !adm->nomem; ++k) {
        name = tml_arena_printf(adm->arena, "delay_%d", k);
        adm->nomem |= name == NULL;
        if (name != NULL && (tml_value_find(adm->variables, name) != NULL ||
                             tml_value_find(adm->states, name) != NULL)) {
            name = NULL;
        }
    }
    if (name != NULL) {
        TmlValue *map = tml_adm_map(adm, at);
        tml_adm_set(adm, map, "value", tml_adm_scalar(adm, at, value));
        tml_adm_set(adm, map, "time", tml_adm_scalar(adm, at, time));
        tml_adm_set(adm, map, "history", tml_adm_scalar(adm, at, history));
        tml_adm_set(adm, adm->delays, name, map);
    }
    return name;
}

/* Of anything: by the past of the run. */
static bool write_past(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdm *adm = t->adm;
    TmlAdmText text = {0};
    bool moves = false;
    const char *value = argument(t, call->arg[0]);
    const char *by = value != NULL ? argument(t, call->arg[1]) : NULL;
    const char *history = by != NULL ? delayed(t, call->arg[2], "0", &moves) : NULL;
    if (moves) {
        return tml_adm_refuse(t, call->arg[2], "the history of %s must be a function of TIME",
                              f->name);
    }
    if (history == NULL) {
        return false;
    }
    char *end = NULL;
    const double number = tml_real_read(by, &end);
    if (end != by && *end == '\0' && isfinite(number)) {
        tml_adm_write(&text, "%s", tml_adm_digits(adm, fmax(0.0, number) * adm->time));
    } else if (adm->time != 1.0) {
        tml_adm_write(&text, "max(0, %s)*%s", by, tml_adm_digits(adm, adm->time));
    } else {
        tml_adm_write(&text, "max(0, %s)", by);
    }
    const char *time = tml_adm_take(adm, &text);
    const char *name = adm->nomem ? NULL : delay_entry(adm, call->at, value, time, history);
    tml_adm_write(t->out, "delay(%s)", name != NULL ? name : "");
    return name != NULL;
}

/* DELAY(expression, delay, history, array): the history is for times before 0; the array tells
 * Adams how to interpolate. */
bool tml_adm_write_delay(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const char *array = call->n > 3 ? tml_adm_id(t->adm, call->arg[3]) : "0";
    bool moves = false;
    if (array == NULL ||
        (strcmp(array, "0") != 0 && tml_adm_element_of(t, call->arg[3], "ARRAY") == NULL)) {
        return false;
    }
    if (write_earlier(t, call, &moves)) {
        return true;
    }
    if (moves && t->delay != NULL) { // what is around it decides
        *t->moves = true;
        return false;
    }
    if (moves && t->spelled) {
        return tml_adm_refuse(t, call->at,
                              "%s in a constraint is not supported yet: only of what depends on "
                              "TIME alone",
                              f->name);
    }
    return moves && write_past(t, call, f);
}
