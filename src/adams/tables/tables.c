/* adams/tables/tables.c - SPLINE, ARRAY, MATRIX: numbers for other statements, in them or in files.
 *
 * A family of curves over z is one spline a curve. Between curves k and k + 1 the value is linear
 * in z, and so it is beyond the first and the last pair:
 *
 *   (F1)  y(x, z) = y_k(x) + (z - z_k) / (z_{k+1} - z_k) (y_{k+1}(x) - y_k(x))
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"
#include "adams/tables/history.h"
#include "adams/tables/numbers.h"
#include "adams/user/library.h"
#include "base/input.h"
#include "model/model.h"

enum { MOST = 100000 };

/* --- files ------------------------------------------------------------------------------------ */

/* The file that FILE names, next to the dataset; NULL: out of memory. */
static const char *file_path(TmlAdm *adm, const TmlAdmItem *item)
{
    const char *name = tml_adm_copy(adm->arena, tml_adm_arg(item, "FILE")->value);
    const char *path = name != NULL ? tml_input_beside(adm->arena, adm->file, name) : NULL;
    adm->nomem |= path == NULL;
    if (path != NULL && adm->model != NULL) {
        adm->nomem |= !tml_model_input_add(adm->model, path);
    }
    return path;
}

/* Its numbers; false: reported. */
static bool load_file(TmlAdm *adm, TmlAdmItem *item, const char *block_name, TmlAdmNumbers *f)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "FILE"), *block = tml_adm_arg(item, block_name);
    const char *which = block != NULL ? tml_adm_copy(adm->arena, block->value) : "";
    const char *path = file_path(adm, item);
    if (path == NULL || which == NULL) {
        adm->nomem = true;
        return false;
    }
    const bool opened = tml_adm_numbers_read(path, which, f);
    adm->nomem |= f->nomem;
    if (f->wrong > 0) {
        tml_adm_error(adm, item, arg->value, "'%s', line %d: expected numbers only", path,
                      f->wrong);
    } else if (!opened || f->rows == 0 || f->ragged) {
        tml_adm_error(adm, item, arg->value, "%s '%s'",
                      !opened     ? "cannot open"
                      : f->ragged ? "rows of different lengths in"
                                  : "no numbers in",
                      path);
    }
    return !item->failed && !adm->nomem;
}

/* --- SPLINE ----------------------------------------------------------------------------------- */

int tml_adm_curves(const TmlAdmItem *spline)
{
    return spline->n_curves > 1 ? spline->n_curves : 1;
}

static const char *curve_name(TmlAdm *adm, const TmlAdmItem *spline, int k)
{
    if (tml_adm_curves(spline) == 1) {
        return spline->name;
    }
    const char *name = tml_arena_printf(adm->arena, "%s_z%d", spline->name, k + 1);
    adm->nomem |= name == NULL;
    return name != NULL ? name : "";
}

/* Curve k of n: x and every stride-th y. */
static void enter_curve(TmlAdm *adm, TmlAdmItem *item, int k, int n, const double *x,
                        const double *y)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "x", tml_adm_numbers(adm, at, n, x));
    tml_adm_set(adm, v, "y", tml_adm_numbers(adm, at, n, y));
    if (!tml_adm_has(item, "LINEAR_EXTRAPOLATE")) {
        tml_adm_set(adm, v, "extrapolate",
                    tml_adm_scalar(adm, at, item->history ? "constant" : "parabola"));
    }
    tml_adm_set(adm, adm->splines, curve_name(adm, item, k), v);
    if (tml_adm_curves(item) == 1) {
        tml_adm_library_curve(adm, item, n, x, y);
    }
    item->written = true;
}

/* z of a family, which must increase; false: reported. */
static bool set_family(TmlAdm *adm, TmlAdmItem *item, int n, const double *z)
{
    item->n_curves = n;
    item->curve_z = tml_arena_alloc(adm->arena, (size_t)n, sizeof *item->curve_z);
    adm->nomem |= item->curve_z == NULL;
    for (int k = 0; k < n && !adm->nomem; ++k) {
        item->curve_z[k] = z[k];
        if (k > 0 && !(z[k] > z[k - 1])) {
            tml_adm_error(adm, item, tml_adm_whole(item), "z must increase from curve to curve");
        }
    }
    return !item->failed && !adm->nomem;
}

/* A time history, which keeps its last values. */
static void spline_from_history(TmlAdm *adm, TmlAdmItem *item, const char *path)
{
    TmlAdmHistory h = {0};
    const TmlAdmArg *channel = tml_adm_arg(item, "CHANNEL");
    const double which = tml_adm_real(adm, item, "CHANNEL", 1.0);
    if (item->failed || !(which >= 1.0 && which <= 1e6 && which == (int)which)) {
        tml_adm_error(adm, item, channel->value, "CHANNEL must be a number from 1 on");
        return;
    }
    if (tml_adm_history_read(path, (int)which, &h)) {
        double *x = tml_mem_zalloc((size_t)h.n, sizeof *x);
        adm->nomem |= x == NULL;
        for (int k = 0; x != NULL && k < h.n; ++k) {
            x[k] = h.from + k * h.step;
        }
        item->history = true;
        if (x != NULL) {
            enter_curve(adm, item, 0, h.n, x, h.y);
        }
        tml_mem_free(x);
    } else if (h.nomem) {
        adm->nomem = true;
    } else {
        tml_adm_error(adm, item, tml_adm_arg(item, "FILE")->value, "'%s': %s", path, h.wrong);
    }
    tml_adm_history_free(&h);
}

static void spline_from_file(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmNumbers f = {0};
    const char *path = file_path(adm, item);
    if (path != NULL && tml_adm_is_history(path)) {
        spline_from_history(adm, item, path);
        return;
    }
    if (tml_adm_has(item, "CHANNEL")) {
        tml_adm_error(adm, item, tml_adm_arg(item, "CHANNEL")->value,
                      "CHANNEL is one of an RPC III file, and '%s' is none", path);
        return;
    }
    if (load_file(adm, item, "BLOCK", &f)) {
        const int curves = f.columns - 1;
        double *column = tml_arena_alloc(adm->arena, 2 * (size_t)f.rows, sizeof *column);
        adm->nomem |= column == NULL;
        if (curves < 1 || (curves > 1 && f.n_z != curves)) {
            tml_adm_error(adm, item, tml_adm_arg(item, "FILE")->value,
                          "expected two columns, or one more than there are z values");
        } else if (column != NULL && (curves == 1 || set_family(adm, item, curves, f.z))) {
            for (int k = 0; k < curves; ++k) {
                for (int r = 0; r < f.rows; ++r) {
                    column[r] = ((const double *)f.value)[r * f.columns];
                    column[f.rows + r] = ((const double *)f.value)[r * f.columns + k + 1];
                }
                enter_curve(adm, item, k, f.rows, column, column + f.rows);
            }
        }
    }
    tml_adm_numbers_free(&f);
}

/* Y = y1, y2 ... of one curve; Y = z, y1, y2 ... again and again of a family. */
static void read_curves(TmlAdm *adm, TmlAdmItem *item, int n, const double *x, double *y)
{
    double z[64];
    int curves = 0;
    for (int a = 0; a < item->n_args; ++a) {
        curves += strcmp(item->args[a].key->name, "Y") == 0 ? 1 : 0;
    }
    const int first = curves > 1 ? 1 : 0;
    for (int pass = 0; pass < 2 && !item->failed; ++pass) {
        for (int a = 0, k = 0; a < item->n_args && !item->failed; ++a) {
            const TmlAdmArg *arg = &item->args[a];
            if (strcmp(arg->key->name, "Y") != 0) {
                continue;
            }
            const int m = tml_adm_arg_reals(adm, item, arg, 2, MOST, y);
            if (m != n + first || curves > 64) {
                tml_adm_error(adm, item, arg->value, "%d x, but %d y%s", n, m - first,
                              curves > 64 ? ", or more than 64 curves" : "");
            } else if (pass == 0) {
                z[k++] = y[0];
            } else {
                enter_curve(adm, item, k++, n, x, y + first);
            }
        }
        if (pass == 0 && curves > 1 && !item->failed && !set_family(adm, item, curves, z)) {
            return;
        }
    }
}

/* A user-written routine reads the file. */
static void spline_from_routine(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *file = tml_adm_arg(item, "FILE"), *block = tml_adm_arg(item, "BLOCK");
    const TmlAdmArg *routine = tml_adm_arg(item, "ROUTINE");
    const char *text = tml_adm_copy(adm->arena, routine->value);
    const char *colons = text != NULL ? strstr(text, "::") : NULL;
    const char *name = colons != NULL ? colons + 2 : text;
    const struct sAdamsSpline s = {atoi(item->id),
                                   file != NULL ? tml_adm_copy(adm->arena, file->value) : "",
                                   block != NULL ? tml_adm_copy(adm->arena, block->value) : ""};
    TmlAdmPutSpline put = {0};
    adm->nomem |= text == NULL || s.FILENAME == NULL || s.BLOCKNAME == NULL;
    if (adm->nomem) {
        return;
    }
    if (adm->library == NULL ||
        !tml_adm_spline_read(adm->library, name[0] != '\0' ? name : NULL, &s, &put)) {
        tml_adm_error(
            adm, item, routine->value,
            adm->library == NULL
                ? "needs the user-written routine %s: name its library with --user-library"
                : "the routine %s is not there, or gave no table",
            name);
        return;
    }
    if (put.nz == 1 || set_family(adm, item, put.nz, put.z)) {
        for (int k = 0; k < put.nz; ++k) {
            enter_curve(adm, item, k, put.nx, put.x, put.y + (ptrdiff_t)k * put.nx);
        }
    }
}

void tml_adm_spline(TmlAdm *adm, TmlAdmItem *item)
{
    if (tml_adm_has(item, "ROUTINE")) {
        spline_from_routine(adm, item);
        return;
    }
    if (tml_adm_has(item, "FILE")) {
        spline_from_file(adm, item);
        return;
    }
    if (!tml_adm_has(item, "X") || !tml_adm_has(item, "Y")) {
        tml_adm_error(adm, item, tml_adm_whole(item), "X and Y, or FILE, are missing");
        return;
    }
    double *number = tml_mem_zalloc(2 * (size_t)MOST, sizeof *number);
    if (number == NULL) {
        adm->nomem = true;
        return;
    }
    const int n = tml_adm_reals(adm, item, "X", 2, MOST, number);
    if (n > 0) {
        read_curves(adm, item, n, number, number + MOST);
    }
    tml_mem_free(number);
}

bool tml_adm_spline_value(TmlAdm *adm, TmlAdmText *out, const TmlAdmItem *spline,
                          const char *function, const char *x, const char *z, int order)
{
    const int n = tml_adm_curves(spline);
    const double *at = spline->curve_z;
    if (n == 1) {
        tml_adm_write(out, "%s(%s, %s", function, x, spline->name);
        tml_adm_write(out, order > 0 ? ", %d)" : ")%.0d", order);
        return true;
    }
    for (int k = 0; k + 1 < n; ++k) {
        if (k + 2 < n) {
            tml_adm_write(out, "if((%s) < %s, ", z, tml_adm_digits(adm, at[k + 1]));
        }
        const char *low = curve_name(adm, spline, k), *high = curve_name(adm, spline, k + 1);
        tml_adm_write(out, "(%s(%s, %s) + ((%s) - (%s))*%s*(%s(%s, %s) - %s(%s, %s)))", function, x,
                      low, z, tml_adm_digits(adm, at[k]),
                      tml_adm_digits(adm, 1.0 / (at[k + 1] - at[k])), function, x, high, function,
                      x, low); // (F1)
        tml_adm_write(out, k + 2 < n ? ", " : "");
    }
    for (int k = 0; k + 2 < n; ++k) {
        tml_adm_write(out, ")");
    }
    return true;
}

/* --- ARRAY ------------------------------------------------------------------------------------ */

/* The GSE, LSE or TFSISO whose states (X) or outputs (Y) an array holds; NULL: none. */
static const TmlAdmItem *array_owner(TmlAdm *adm, const TmlAdmItem *array, const char *role)
{
    for (int k = 0; k < adm->n; ++k) {
        const TmlAdmItem *item = &adm->item[k];
        const TmlAdmArg *arg = tml_adm_arg(item, role);
        if (item->syntax->system && arg != NULL &&
            strcmp(tml_adm_id(adm, arg->value), array->id) == 0) {
            return item;
        }
    }
    return NULL;
}

const char *tml_adm_system_name(TmlAdm *adm, const TmlAdmItem *owner, char what, int k)
{
    const bool transfer = strcmp(owner->syntax->name, "TFSISO") == 0;
    const bool system = transfer || strcmp(owner->syntax->name, "LSE") == 0;
    if (transfer && what == 'y') {
        return owner->name; // it has one output
    }
    const char *name =
        tml_arena_printf(adm->arena, system ? "%s.%c%d" : "%s_%c%d", owner->name, what, k);
    adm->nomem |= name == NULL;
    return name != NULL ? name : "";
}

TmlAdmItem *tml_adm_listed(TmlAdm *adm, TmlAdmItem *list, int k)
{
    TmlAdmItem *variable = NULL;
    double *x = tml_mem_zalloc(MOST, sizeof *x);
    adm->nomem |= x == NULL;
    if (x != NULL && k >= 1 && k <= tml_adm_reals(adm, list, "VARIABLES", 1, MOST, x)) {
        char id[32];
        snprintf(id, sizeof id, "%.0f", x[k - 1]);
        variable = tml_adm_find(adm, "VARIABLE", id);
    }
    tml_mem_free(x);
    return variable;
}

bool tml_adm_entry(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *list, int k)
{
    const TmlAdmItem *variable = tml_adm_listed(adm, list, k);
    if (variable != NULL) {
        tml_adm_write(out, "%s", variable->name);
        return true;
    }
    double *x = tml_mem_zalloc(MOST, sizeof *x);
    adm->nomem |= x == NULL;
    const int n = x != NULL ? tml_adm_reals(adm, list, "NUMBERS", 1, MOST, x) : 0;
    bool ok = k >= 1 && k <= n;
    if (ok) {
        tml_adm_write(out, "(%s)", tml_adm_digits(adm, x[k - 1]));
    } else if (n == 0 && k >= 1 && !tml_adm_has(list, "VARIABLES")) {
        const TmlAdmItem *states = array_owner(adm, list, "X"), *y = array_owner(adm, list, "Y");
        const TmlAdmItem *held = array_owner(adm, list, "XD");
        ok = states != NULL || y != NULL || held != NULL;
        tml_adm_write(out, "%s",
                      states != NULL ? tml_adm_system_name(adm, states, 'x', k)
                      : y != NULL    ? tml_adm_system_name(adm, y, 'y', k)
                      : held != NULL ? tml_adm_system_name(adm, held, 'd', k)
                                     : "");
    }
    tml_mem_free(x);
    return ok;
}

int tml_adm_array_size(TmlAdm *adm, TmlAdmItem *array)
{
    static const char *const lists[] = {"NUMBERS", "VARIABLES"};
    double *x = tml_mem_zalloc(MOST, sizeof *x);
    int n = 0;
    adm->nomem |= x == NULL;
    for (int k = 0; k < 2 && x != NULL && n == 0; ++k) {
        n = tml_adm_reals(adm, array, lists[k], 1, MOST, x);
    }
    tml_mem_free(x);
    const double size = tml_adm_real(adm, array, "SIZE", 0.0);
    if (n == 0 && !(size >= 0.0 && size <= MOST)) {
        tml_adm_error(adm, array, tml_adm_arg(array, "SIZE")->value, "SIZE must be 0 to %d",
                      (int)MOST);
        return 0;
    }
    return n > 0 ? n : (int)size;
}

/* --- MATRIX ----------------------------------------------------------------------------------- */

/* FULL = RORDER or CORDER, VALUES by rows or columns. */
static void fill_full(TmlAdm *adm, TmlAdmItem *item, int rows, int columns, double *out)
{
    const TmlAdmArg *full = tml_adm_arg(item, "FULL");
    const bool by_columns = full != NULL && full->value.length > 0 &&
                            toupper((unsigned char)full->value.of->text[full->value.start]) == 'C';
    const int n = rows * columns;
    double *x = tml_arena_alloc(adm->arena, (size_t)n, sizeof *x);
    adm->nomem |= x == NULL;
    if (x != NULL && tml_adm_reals(adm, item, "VALUES", n, n, x) == n) {
        for (int k = 0; k < n; ++k) {
            out[k] = by_columns ? x[k % columns * rows + k / columns] : x[k];
        }
    } else if (!item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument VALUES is missing");
    }
}

/* SPARSE, I, J, VALUES: entry by entry, counted from 1. */
static void fill_sparse(TmlAdm *adm, TmlAdmItem *item, int rows, int columns, double *out)
{
    const int most = rows * columns;
    double *x = tml_arena_alloc(adm->arena, 3 * (size_t)most, sizeof *x);
    adm->nomem |= x == NULL;
    if (x == NULL) {
        return;
    }
    const int n = tml_adm_reals(adm, item, "VALUES", 1, most, x);
    const int ni = tml_adm_reals(adm, item, "I", 1, most, x + most);
    const int nj = tml_adm_reals(adm, item, "J", 1, most, x + 2 * (ptrdiff_t)most);
    for (int k = 0; k < n && n == ni && n == nj; ++k) {
        const double i = x[most + k], j = x[2 * most + k];
        if (!(i >= 1.0 && i <= rows && j >= 1.0 && j <= columns)) {
            tml_adm_error(adm, item, tml_adm_whole(item), "entry (%g, %g) is outside of it", i, j);
            return;
        }
        out[((int)i - 1) * columns + (int)j - 1] = x[k];
    }
    if (!item->failed && (n == 0 || n != ni || n != nj)) {
        tml_adm_error(adm, item, tml_adm_whole(item), "I, J and VALUES must be as many");
    }
}

static double *matrix_from_file(TmlAdm *adm, TmlAdmItem *item, int *rows, int *columns)
{
    TmlAdmNumbers f = {0};
    double *out = NULL;
    if (load_file(adm, item, "NAME", &f)) {
        *rows = f.rows;
        *columns = f.columns;
        out = tml_arena_alloc(adm->arena, (size_t)f.rows * (size_t)f.columns, sizeof *out);
        adm->nomem |= out == NULL;
        if (out != NULL) {
            memcpy(out, f.value, (size_t)f.rows * (size_t)f.columns * sizeof *out);
        }
    }
    tml_adm_numbers_free(&f);
    return out;
}

double *tml_adm_matrix(TmlAdm *adm, TmlAdmItem *item, int *rows, int *columns)
{
    if (tml_adm_has(item, "FILE")) {
        return matrix_from_file(adm, item, rows, columns);
    }
    const double r = tml_adm_real(adm, item, "ROWS", 0.0);
    const double c = tml_adm_real(adm, item, "COLUMNS", 0.0);
    if (!(r >= 1.0 && r <= 10000.0 && c >= 1.0 && c <= 10000.0 && r * c <= MOST)) {
        tml_adm_error(adm, item, tml_adm_whole(item),
                      "ROWS and COLUMNS must be given, positive, and at most %d entries",
                      (int)MOST);
        return NULL;
    }
    *rows = (int)r;
    *columns = (int)c;
    double *out = tml_arena_alloc(adm->arena, (size_t)*rows * (size_t)*columns, sizeof *out);
    adm->nomem |= out == NULL;
    if (out != NULL && tml_adm_has(item, "SPARSE")) {
        fill_sparse(adm, item, *rows, *columns, out);
    } else if (out != NULL) {
        fill_full(adm, item, *rows, *columns, out);
    }
    return item->failed ? NULL : out;
}

void tml_adm_check_matrix(TmlAdm *adm, TmlAdmItem *item)
{
    int rows, columns;
    if (tml_adm_matrix(adm, item, &rows, &columns) != NULL) {
        item->written = true; // read by those who name it
    }
}
