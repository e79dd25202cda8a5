/* adams/translate/translate_systems.c - LSE, TFSISO.
 *
 * Time is in seconds in our equations. With T the unit of time:
 *
 *   (L1)  x' = (A x + B u) / T          (L2)  coefficient k of a polynomial in s times T^k
 */
#include <math.h>
#include <string.h>

#include "adams/dataset/dataset.h"

/* A matrix of an LSE as rows of numbers in seconds; false: reported. */
static bool set_matrix(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *name, double factor)
{
    TmlAdmItem *m = tml_adm_ref(adm, item, name, "MATRIX");
    int rows, cols;
    if (m == NULL) {
        return !item->failed;
    }
    double *x = tml_adm_matrix(adm, m, &rows, &cols);
    TmlValue **row = x != NULL ? tml_arena_alloc(adm->arena, (size_t)rows, sizeof *row) : NULL;
    if (row == NULL) {
        item->failed |= x == NULL;
        adm->nomem |= x != NULL;
        return false;
    }
    const TmlAdmSlice at = tml_adm_whole(m);
    for (int k = 0; k < rows * cols; ++k) {
        x[k] *= factor;
    }
    for (int k = 0; k < rows; ++k) {
        row[k] = tml_adm_numbers(adm, at, cols, x + (ptrdiff_t)k * cols);
    }
    TmlValue *list = tml_adm_list(adm, at, rows, row);
    if (!adm->nomem) {
        tml_adm_set(adm, v, name, list);
    }
    return !adm->nomem;
}

/* --- systems ---------------------------------------------------------------------------------- */

/* Variables of the ARRAY that U names. */
static bool set_inputs(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    enum { MOST_INPUTS = 64 };
    TmlAdmItem *array = tml_adm_ref(adm, item, "U", "ARRAY");
    double id[MOST_INPUTS];
    TmlValue *name[MOST_INPUTS];
    if (array == NULL) {
        return !item->failed;
    }
    const int n = tml_adm_reals(adm, array, "VARIABLES", 1, MOST_INPUTS, id);
    if (n == 0) {
        tml_adm_error(adm, item, tml_adm_arg(item, "U")->value, "ARRAY/%s has no VARIABLES",
                      array->id);
        return false;
    }
    for (int k = 0; k < n; ++k) {
        const char *text = tml_arena_printf(adm->arena, "%.0f", id[k]);
        TmlAdmItem *variable = text != NULL ? tml_adm_find(adm, "VARIABLE", text) : NULL;
        adm->nomem |= text == NULL;
        if (variable == NULL) {
            tml_adm_error(adm, item, tml_adm_arg(item, "U")->value,
                          "ARRAY/%s: there is no VARIABLE/%s", array->id, text != NULL ? text : "");
            return false;
        }
        name[k] = tml_adm_scalar(adm, tml_adm_whole(array), variable->name);
    }
    TmlValue *list = tml_adm_list(adm, tml_adm_whole(array), n, name);
    if (!adm->nomem) {
        tml_adm_set(adm, v, "inputs", list);
    }
    return !adm->nomem;
}

void tml_adm_lse(TmlAdm *adm, TmlAdmItem *item)
{
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    TmlAdmItem *ic = tml_adm_ref(adm, item, "IC", "ARRAY");
    if (tml_adm_need(adm, item, "X", "ARRAY") == NULL ||
        tml_adm_need(adm, item, "A", "MATRIX") == NULL || !set_inputs(adm, item, v)) {
        return;
    }
    const double rate = tml_adm_is_held(adm, item) ? 0.0 : 1.0 / adm->time; // (L1)
    if (!set_matrix(adm, item, v, "A", rate) || !set_matrix(adm, item, v, "B", rate) ||
        !set_matrix(adm, item, v, "C", 1.0) || !set_matrix(adm, item, v, "D", 1.0)) {
        return;
    }
    if (ic != NULL) {
        double x[1000];
        const int n = tml_adm_reals(adm, ic, "NUMBERS", 1, 1000, x);
        if (n > 0) {
            tml_adm_set(adm, v, "initial", tml_adm_numbers(adm, tml_adm_whole(ic), n, x));
        }
    }
    tml_adm_enter(adm, adm->systems, item, v);
}

void tml_adm_tfsiso(TmlAdm *adm, TmlAdmItem *item)
{
    enum { MOST_COEFFICIENTS = 64 };
    static const char *const names[] = {"NUMERATOR", "DENOMINATOR"}, *const keys[] = {
                                                                         "numerator",
                                                                         "denominator"};
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    if (tml_adm_need(adm, item, "U", "ARRAY") == NULL || !set_inputs(adm, item, v)) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        double x[MOST_COEFFICIENTS];
        const int n = tml_adm_reals(adm, item, names[i], 1, MOST_COEFFICIENTS, x);
        if (n == 0) {
            if (!item->failed) {
                tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", names[i]);
            }
            return;
        }
        for (int k = 0; k < n; ++k) {
            x[k] *= pow(adm->time, k); // (L2)
        }
        tml_adm_set(adm, v, keys[i],
                    tml_adm_numbers(adm, tml_adm_arg(item, names[i])->value, n, x));
    }
    tml_adm_enter(adm, adm->systems, item, v);
}
