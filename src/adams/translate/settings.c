/* adams/translate/settings.c - INTEGRATOR: methods and options of Adams as ours.
 *
 * The general-purpose methods (GSTIFF and its relatives) become `auto`, which is ours; those that
 * are asked for by their nature keep it: HHT, Newmark's method with its damping, stabilised index
 * 2, constant steps of BDF, predictor-corrector methods. ERROR is an absolute error in the unit of
 * length; our tolerance is relative to the size of the model and smaller unless it is asked for.
 */
#include <math.h>
#include <string.h>

#include "adams/dataset/dataset.h"

typedef struct Method {
    const char *flag, *name;       /* name NULL: auto */
    bool order, iterations, alpha; /* it has options max_order, iterations, alpha */
} Method;

static const Method methods[] = {{"HHT", "hht", false, true, true},
                                 {"NEWMARK", "generalized-alpha", false, true, false},
                                 {"SI2_GSTIFF", "bdf-si2", true, true, false},
                                 {"CONSTANT_BDF", "bdf-i3", true, true, false},
                                 {"ABAM", "adams", false, false, false},
                                 {"RKF45", "adams", false, false, false},
                                 {"GSTIFF", NULL, true, true, false},
                                 {"WSTIFF", NULL, true, true, false},
                                 {"DSTIFF", NULL, true, true, false},
                                 {"HASTIFF", NULL, true, true, false}};

static const Method stabilised = {"SI2", "bdf-si2", true, true, false};

/* The first that is named counts: commands come before the dataset. */
static const Method *find_method(const TmlAdmItem *item)
{
    const bool si = tml_adm_has(item, "SI1") || tml_adm_has(item, "SI2");
    for (int a = 0; a < item->n_args; ++a) {
        for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
            if (strcmp(item->args[a].key->name, methods[k].flag) == 0) {
                return methods[k].name == NULL && si ? &stabilised : &methods[k];
            }
        }
    }
    return si ? &stabilised : NULL;
}

static void set_steps(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    static const struct {
        const char *name, *key;
    } rows[] = {{"HMAX", "max_step"}, {"HINIT", "first_step"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(item, rows[k].name);
        const double h = tml_adm_real(adm, item, rows[k].name, 0.0) * adm->time;
        if (arg != NULL && h > 0.0) {
            tml_adm_set(adm, v, rows[k].key, tml_adm_number(adm, arg->value, h));
        }
    }
}

/* An option of the method from a number of the statement, when it lies in its range. */
static void set_option(TmlAdm *adm, TmlAdmItem *item, TmlValue *options, const char *name,
                       const char *key, double low, double high)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    const double value = tml_adm_real(adm, item, name, 0.0);
    if (arg != NULL && value >= low && value <= high) {
        tml_adm_set(adm, options, key, tml_adm_number(adm, arg->value, value));
    } else if (arg != NULL) {
        tml_adm_note(adm, item, arg->value, "%s = %g is not from %g to %g: the default counts",
                     name, value, low, high);
    }
}

/* What has no meaning for the method. */
static void tell_rest(TmlAdm *adm, TmlAdmItem *item, const Method *m)
{
    static const struct {
        const char *name, *why;
    } rows[] = {{"HMIN", "steps are as small as the tolerance asks for, which is tighter"},
                {"PATTERN", "when factors are renewed is decided by how the iteration converges"},
                {"CORRECTOR", "an iteration always ends by its own error"},
                {"INTERPOLATE", "rows are always interpolated"},
                {"ADAPTIVITY", "an iteration always ends by its own error"},
                {"SCALE", "errors are relative to the size of the model"},
                {"FIXIT", "iterations are counted by MAXIT"},
                {"HRATIO", "step sizes follow from the error"},
                {"BETA", "it follows from the damping"},
                {"GAMMA", "it follows from the damping"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(item, rows[k].name);
        if (arg != NULL) {
            tml_adm_note(adm, item, arg->name, "%s is not taken over: %s", rows[k].name,
                         rows[k].why);
        }
    }
    const bool automatic = m == NULL || m->name == NULL;
    static const char *const of_method[] = {"KMAX", "MAXIT", "ALPHA"};
    for (int k = 0; k < 3; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(item, of_method[k]);
        const bool used = !automatic && (k == 0 ? m->order : k == 1 ? m->iterations : m->alpha);
        if (arg != NULL && !used) {
            tml_adm_note(adm, item, arg->name,
                         "%s is not taken over: the method has no such option", of_method[k]);
        }
    }
}

/* Tighter tolerances than ours are taken over. */
static void set_tolerance(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    const double ours = 3e-10, least = 1e-13; // the least default of a method; rounding
    const TmlAdmArg *arg = tml_adm_arg(item, "ERROR");
    const double error = tml_adm_real(adm, item, "ERROR", 0.0) * adm->length;
    if (arg != NULL && error > 0.0 && error < ours) {
        tml_adm_set(adm, v, "tolerance", tml_adm_number(adm, arg->value, fmax(error, least)));
    } else if (arg != NULL) {
        tml_adm_note(
            adm, item, arg->value,
            "ERROR is not taken over: the default tolerance is tighter; --tol sets another");
    }
}

void tml_adm_integrator(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const Method *m = find_method(item);
    TmlValue *v = tml_adm_map(adm, at), *options = tml_adm_map(adm, at);
    if (tml_value_find(adm->root, "simulate") != NULL) {
        tml_adm_error(adm, item, at, "there is already an INTEGRATOR");
        return;
    }
    if (m != NULL && m->name != NULL) {
        tml_adm_set(adm, v, "integrator", tml_adm_scalar(adm, at, m->name));
        if (m->order) {
            set_option(adm, item, options, "KMAX", "max_order", 1.0, 5.0);
        }
        if (m->iterations) {
            set_option(adm, item, options, "MAXIT", "iterations", 2.0, 100.0);
        }
        if (m->alpha) {
            set_option(adm, item, options, "ALPHA", "alpha", -1.0 / 3.0, 0.0);
        }
    }
    set_tolerance(adm, item, v);
    set_steps(adm, item, v);
    tell_rest(adm, item, m);
    if (options->n > 0) {
        tml_adm_set(adm, v, "options", options);
    }
    tml_adm_set(adm, adm->root, "simulate", v);
    if (m != NULL && m->name == NULL) {
        tml_adm_note(
            adm, item, at,
            "%s is not taken over: auto chooses; --integrator bdf-i3 is the nearest method",
            m->flag);
    }
}
