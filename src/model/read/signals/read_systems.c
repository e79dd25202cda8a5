/* model/read/signals/read_systems.c - linear systems with inputs and outputs: states and variables of the model.
 *
 *   (S1)  x' = A x + B u,   y = C x + D u
 *   (S2)  y / u = (b_0 + b_1 s + .. + b_m s^m) / (d_0 + d_1 s + .. + d_n s^n),  m <= n:
 *         x_k' = x_{k+1},  x_n' = (u - sum_k d_{k-1} x_k) / d_n,
 *         y = sum_k (b_{k-1} - b_n d_{k-1} / d_n) x_k + b_n / d_n u
 *
 * Inputs u_k and outputs y_k become variables, x_k states: "NAME.u1", "NAME.y1", "NAME.x1"; the
 * output of a transfer function has the name of the system itself.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/measure/binding.h"
#include "model/read/read.h"
#include "model/read/sections.h"

const TmlKey tml_keys_system[] = {
    {"inputs", TML_KEY_EXPRS, "", "",
     "expressions of the inputs u, which are NAME.u1, NAME.u2, ...", NULL},
    {"A", TML_KEY_MATRIX, "", "", "x' = A x + B u; the states are NAME.x1, NAME.x2, ...", NULL},
    {"B", TML_KEY_MATRIX, "", "", "one column for each input", NULL},
    {"C", TML_KEY_MATRIX, "", "", "y = C x + D u; the outputs are NAME.y1, NAME.y2, ...", NULL},
    {"D", TML_KEY_MATRIX, "", "", "one row for each output, one column for each input", NULL},
    {"numerator", TML_KEY_NUMBERS, "", "",
     "instead of matrices, a transfer function: coefficients of s^0, s^1, ...; its output is NAME",
     NULL},
    {"denominator", TML_KEY_NUMBERS, "", "", "coefficients of s^0, s^1, ..., not fewer", NULL},
    {"initial", TML_KEY_NUMBERS, "", "", "states at the start; zero without it", NULL},
    {0},
};

typedef struct Matrix {
    int rows, cols;
    double *at; /* by rows; NULL: none */
} Matrix;

typedef struct Linear {
    int nx, nu, ny;
    Matrix A, B, C, D;
    const double *initial; /* nx, or NULL */
    bool single;           /* one output with the name of the system */
} Linear;

/* Text that grows in the memory of the model; NULL: out of memory. */
typedef struct Sum {
    const char *text;
    bool begun;
} Sum;

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_matrix(TmlEntry *x, const char *key, Matrix *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v == NULL) {
        return true;
    }
    if (v->kind != TML_VALUE_LIST || v->n == 0) {
        tml_entry_expected(x, v, key, "a list of rows");
        return false;
    }
    // one row may be written without its brackets
    const bool flat = v->item[0]->kind != TML_VALUE_LIST;
    out->rows = flat ? 1 : v->n;
    out->cols = flat ? v->n : v->item[0]->n;
    out->at = tml_reader_alloc(x->r, (size_t)out->rows * (size_t)out->cols, sizeof *out->at);
    for (int k = 0; k < out->rows && out->at != NULL; ++k) {
        const TmlValue *row = flat ? v : v->item[k];
        if (!tml_read_numbers(x, row, key, out->cols, "rows of equal length",
                              out->at + (ptrdiff_t)k * out->cols)) {
            return false;
        }
    }
    return out->at != NULL;
}

/* The size that a matrix must have; what is not given is zero. */
static bool check_size(TmlEntry *x, const char *key, Matrix *m, int rows, int cols)
{
    if (m->at == NULL) {
        *m = (Matrix){rows, cols,
                      tml_reader_alloc(x->r, (size_t)rows * (size_t)cols, sizeof *m->at)};
        return m->at != NULL;
    }
    if (m->rows != rows || m->cols != cols) {
        tml_entry_error(x, tml_value_find(x->value, key), "%s has %d x %d numbers, not %d x %d",
                        key, m->rows, m->cols, rows, cols);
        return false;
    }
    return true;
}

static bool read_state_space(TmlEntry *x, Linear *s)
{
    bool ok = read_matrix(x, "A", &s->A) && read_matrix(x, "B", &s->B);
    ok = ok && read_matrix(x, "C", &s->C) && read_matrix(x, "D", &s->D);
    if (!ok) {
        return false;
    }
    s->nx = s->A.at != NULL ? s->A.rows : 0;
    s->ny = s->C.at != NULL ? s->C.rows : s->D.at != NULL ? s->D.rows : 0;
    if (s->nx == 0 && s->D.at == NULL) {
        tml_entry_error(x, x->key, "give A, or D, or numerator and denominator");
        return false;
    }
    return check_size(x, "A", &s->A, s->nx, s->nx) && check_size(x, "B", &s->B, s->nx, s->nu) &&
           check_size(x, "C", &s->C, s->ny, s->nx) && check_size(x, "D", &s->D, s->ny, s->nu);
}

/* (S2) */
static bool read_transfer(TmlEntry *x, Linear *s)
{
    const TmlValue *num = tml_value_find(x->value, "numerator");
    const TmlValue *den = tml_value_find(x->value, "denominator");
    TmlReals b, d;
    if (num == NULL || den == NULL || !tml_read_reals(x, num, "numerator", &b) ||
        !tml_read_reals(x, den, "denominator", &d)) {
        if (!x->bad) {
            tml_entry_error(x, x->key, "numerator and denominator belong together");
        }
        return false;
    }
    const int n = d.n - 1;
    if (s->nu != 1) {
        tml_entry_error(x, x->key, "a transfer function has one input");
        return false;
    }
    if (b.n > d.n || d.n == 0 || d.value[n] == 0.0) {
        tml_entry_error(x, den,
                        d.n > 0 && d.value[n] == 0.0
                            ? "the last coefficient of the denominator must not be zero"
                            : "the numerator has more coefficients than the denominator");
        return false;
    }
    s->nx = n;
    s->ny = 1;
    s->single = true;
    bool ok = check_size(x, "A", &s->A, n, n) && check_size(x, "B", &s->B, n, 1);
    ok = ok && check_size(x, "C", &s->C, 1, n) && check_size(x, "D", &s->D, 1, 1);
    const double last = b.n == d.n ? b.value[n] / d.value[n] : 0.0;
    for (int k = 0; ok && k < n; ++k) {
        if (k + 1 < n) {
            s->A.at[k * n + k + 1] = 1.0;
        }
        s->A.at[(n - 1) * n + k] -= d.value[k] / d.value[n];
        s->C.at[k] = (k < b.n ? b.value[k] : 0.0) - last * d.value[k];
    }
    if (ok && n > 0) {
        s->B.at[n - 1] = 1.0 / d.value[n];
    }
    if (ok) {
        s->D.at[0] = last;
    }
    return ok;
}

/* --- states and variables --------------------------------------------------------------------- */

static void add_term(TmlReader *r, Sum *sum, double c, const char *name, char kind, int k)
{
    if (c == 0.0 || sum->text == NULL) {
        return;
    }
    sum->text = tml_reader_printf(r, "%s%s%.17g*\"%s.%c%d\"", sum->begun ? sum->text : "",
                                  sum->begun ? " + " : "", c, name, kind, k + 1);
    sum->begun = true;
}

/* Row k of P x + Q u as text. */
static const char *row_text(TmlEntry *x, const Matrix *P, const Matrix *Q, int k)
{
    Sum sum = {"0", false};
    for (int c = 0; c < P->cols; ++c) {
        add_term(x->r, &sum, P->at[k * P->cols + c], x->name, 'x', c);
    }
    for (int c = 0; c < Q->cols; ++c) {
        add_term(x->r, &sum, Q->at[k * Q->cols + c], x->name, 'u', c);
    }
    return sum.text;
}

/* A new variable; its number. */
static int add_variable(TmlEntry *x, const char *name)
{
    TmlModel *m = x->r->m;
    const TmlVariable variable = {.name = name, .source = x->key};
    bool ok = name != NULL;
    TML_LIST_ADD(m->variables, variable, &ok);
    x->r->nomem |= !ok;
    return m->variables.n - 1;
}

static void add_system(TmlEntry *x, const Linear *s)
{
    TmlModel *m = x->r->m;
    for (int k = 0; k < s->nx && !x->r->nomem; ++k) {
        const TmlUserState state = {.name = tml_reader_printf(x->r, "%s.x%d", x->name, k + 1),
                                    .initial = s->initial != NULL ? s->initial[k] : 0.0,
                                    .source = x->key};
        bool ok = state.name != NULL;
        TML_LIST_ADD(m->states, state, &ok);
        x->r->nomem |= !ok;
        tml_read_made(x, TML_TARGET_STATE, m->states.n - 1, row_text(x, &s->A, &s->B, k)); // (S1)
    }
    for (int k = 0; k < s->ny && !x->r->nomem; ++k) {
        const char *name = s->single ? x->name : tml_reader_printf(x->r, "%s.y%d", x->name, k + 1);
        tml_read_made(x, TML_TARGET_VARIABLE, add_variable(x, name), row_text(x, &s->C, &s->D, k));
    }
}

/* One expression, or a list of them. */
static int read_inputs(TmlEntry *x)
{
    const TmlValue *v = tml_value_find(x->value, "inputs");
    const int n = v == NULL ? 0 : v->kind == TML_VALUE_LIST ? v->n : 1;
    for (int k = 0; k < n && !x->r->nomem; ++k) {
        const char *name = tml_reader_printf(x->r, "%s.u%d", x->name, k + 1);
        const int index = add_variable(x, name);
        tml_read_expression(
            x, v->kind == TML_VALUE_LIST ? v->item[k] : v, "inputs",
            (TmlPending){.target = TML_TARGET_VARIABLE, .index = index, .allowed = TML_ALLOW_ALL});
    }
    return n;
}

static void read_system(TmlEntry *x, void *arg)
{
    Linear s = {0};
    TmlReals initial;
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL) || !tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_system, NULL, NULL);
    s.nu = read_inputs(x);
    const bool transfer = tml_value_find(x->value, "numerator") != NULL ||
                          tml_value_find(x->value, "denominator") != NULL;
    static const char *const matrices[] = {"A", "B", "C", "D"};
    for (int k = 0; transfer && k < 4; ++k) {
        const TmlValue *v = tml_value_find(x->value, matrices[k]);
        if (v != NULL) {
            tml_entry_error(x, v, "'%s' does not go with 'numerator'", matrices[k]);
        }
    }
    if (x->bad || !(transfer ? read_transfer(x, &s) : read_state_space(x, &s))) {
        return;
    }
    const TmlValue *start = tml_value_find(x->value, "initial");
    if (start != NULL && tml_read_reals(x, start, "initial", &initial)) {
        if (initial.n != s.nx) {
            tml_entry_error(x, start, "initial has %d numbers, not %d", initial.n, s.nx);
            return;
        }
        s.initial = initial.value;
    }
    add_system(x, &s);
}

void tml_read_systems(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "system", NULL, read_system, NULL);
}
