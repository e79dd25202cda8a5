/* adams/expression/grammar.c - the form of an expression: values and operators in turn, closed parentheses.
 *
 * Asked before an expression is translated, so that messages tell where the dataset has a mistake
 * and in its own words.
 */
#include <ctype.h>
#include <string.h>

#include "adams/expression/translator.h"

enum { MOST_OPEN = 200 };

typedef struct Form {
    TmlAdm *adm;
    TmlAdmItem *item;
    TmlAdmSlice s;
    int k;               // where we are
    int open[MOST_OPEN]; // places of parentheses
    int n_open;
    int operator; // place of the operator before, -1: none
    bool value;   // a value stands before
    bool joined;  // the comma of a continuation line stands before
} Form;

static char at(const Form *f, int k)
{
    return k < f->s.length ? f->s.of->text[f->s.start + k] : '\0';
}

static bool wrong(Form *f, int k, const char *what)
{
    const TmlAdmSlice place = {f->s.of, f->s.start + k, 1};
    tml_adm_error(f->adm, f->item, place, what, at(f, k));
    return false;
}

/* A value may begin: none stands before, or the comma of a new line separates them. */
static bool begin_value(Form *f)
{
    if (f->value && !(f->joined && f->n_open > 0)) {
        return wrong(f, f->k, "an operator is missing before '%c'");
    }
    f->operator= - 1;
    f->joined = false;
    f->value = true;
    return true;
}

/* A number with its power of ten or D, or a word; one call does both. */
static bool take_word(Form *f)
{
    const bool number = !isalpha((unsigned char)at(f, f->k));
    if (!begin_value(f)) {
        return false;
    }
    for (;; ++f->k) {
        const char c = at(f, f->k), before = f->k > 0 ? at(f, f->k - 1) : '\0';
        const bool sign = number && (c == '+' || c == '-') && (before == 'e' || before == 'E') &&
                          isdigit((unsigned char)at(f, f->k + 1));
        if (!isalnum((unsigned char)c) && c != '_' && !sign && !(number && c == '.')) {
            break;
        }
    }
    int next = f->k;
    while (isspace((unsigned char)at(f, next))) {
        ++next;
    }
    f->value = number || at(f, next) != '('; // else it is a call: its parenthesis begins the value
    return true;
}

static bool open_parenthesis(Form *f)
{
    if (f->n_open == MOST_OPEN) {
        return wrong(f, f->k, "the expression is nested too deeply at '%c'");
    }
    if (!begin_value(f)) {
        return false;
    }
    f->open[f->n_open++] = f->k++;
    f->value = false;
    return true;
}

static bool close_parenthesis(Form *f)
{
    if (f->n_open == 0) {
        return wrong(f, f->k, "'%c' closes no parenthesis");
    }
    if (f->operator>= 0) {
        return wrong(f, f->operator, "a value is missing behind '%c'");
    }
    f->n_open--;
    f->k++;
    f->value = true;
    f->joined = false;
    return true;
}

static bool take_operator(Form *f)
{
    const char c = at(f, f->k);
    if (!f->value && c != '-' && c != '+') {
        return wrong(f, f->k, "a value is missing before '%c'");
    }
    f->operator= f->k++;
    int next = f->k;
    while (isspace((unsigned char)at(f, next))) {
        ++next;
    }
    f->k = c == '*' && at(f, next) == '*' ? next + 1 : f->k; // also with a blank between
    f->value = f->joined = false;
    return true;
}

static bool separate(Form *f)
{
    if (f->operator>= 0 && f->n_open> 0) {
        return wrong(f, f->operator, "a value is missing behind '%c'");
    }
    f->k++;
    f->value = f->value && f->n_open == 0; // a comma at the end of a line means nothing there
    return true;
}

static bool next_piece(Form *f)
{
    const char c = at(f, f->k);
    if (isspace((unsigned char)c) || c == TML_ADM_JOIN) {
        f->joined |= c == TML_ADM_JOIN;
        f->k++;
        return true;
    }
    if (isalnum((unsigned char)c) || (c == '.' && isdigit((unsigned char)at(f, f->k + 1)))) {
        return take_word(f);
    }
    switch (c) {
    case '(':
        return open_parenthesis(f);
    case ')':
        return close_parenthesis(f);
    case ',':
    case ':':
        return separate(f);
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
        return take_operator(f);
    default: // told by the translation
        f->k = f->s.length;
        f->n_open = 0;
        f->operator= - 1;
        return true;
    }
}

bool tml_adm_is_formed(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice s)
{
    Form f = {.adm = adm, .item = item, .s = s, .operator= - 1 };
    while (f.k < s.length) {
        if (!next_piece(&f)) {
            return false;
        }
    }
    if (f.n_open > 0) {
        return wrong(&f, f.open[f.n_open - 1], "the parenthesis '%c' is not closed");
    }
    return f.operator<0 || wrong(&f, f.operator, "a value is missing behind '%c'");
}
