/* tests/expr/test_expr_errors.c - exact texts of error messages. */
#include "expr_fixture.h"

typedef struct Row {
    const char *text, *message;
} Row;

static const Row wrong[] = {
    {"", "the expression is empty"},
    {"  ", "the expression is empty"},
    {"1 +", "the expression ends too early\n  1 +\n     ^"},
    {"2*k3 + 1", "unknown name 'k3'; did you mean 'k1'?\n  2*k3 + 1\n    ^"},
    {"lenght", "unknown name 'lenght'; did you mean 'length'?\n  lenght\n  ^"},
    {"2*tme", "unknown name 'tme'; did you mean 'time'?\n  2*tme\n    ^"},
    {"qqq", "unknown name 'qqq'\n  qqq\n  ^"},
    {"'no such'", "unknown name 'no such'\n  'no such'\n  ^"},
    {"1 + sinn(x)", "unknown function 'sinn'; did you mean 'sin'?\n  1 + sinn(x)\n      ^"},
    {"reacton(pin2).fx",
     "unknown function 'reacton'; did you mean 'reaction'?\n  reacton(pin2).fx\n  ^"},
    {"foo(a)", "unknown function 'foo'\n  foo(a)\n  ^"},
    {"sin + 1", "'sin' is a function; write sin(x)\n  sin + 1\n  ^"},
    {"sin()", "sin takes 1 argument, got 0: sin(x)\n  sin()\n  ^"},
    {"sin(1, 2)", "sin takes 1 argument, got more: sin(x)\n  sin(1, 2)\n  ^"},
    {"2*step(x, 0, 1)",
     "step takes 5 arguments, got 3: step(x, x0, h0, x1, h1)\n  2*step(x, 0, 1)\n    ^"},
    {"poly(1)", "poly takes 3 to 33 arguments, got 1: poly(x, x0, a0, a1, ...)\n  poly(1)\n  ^"},
    {"2*(1 + 2", "the parenthesis is not closed\n  2*(1 + 2\n    ^"},
    {"sin(1", "the parenthesis is not closed\n  sin(1\n     ^"},
    {"dx(a", "the parenthesis is not closed\n  dx(a\n    ^"},
    {"1 + 2)", "unexpected ')'\n  1 + 2)\n       ^"},
    {"(1, 2)", "unexpected ','\n  (1, 2)\n    ^"},
    {"1 2", "an operator is missing before 2\n  1 2\n    ^"},
    {"x y", "an operator is missing before y\n  x y\n    ^"},
    {"3 degs", "unknown unit 'degs'; did you mean 'deg'?\n  3 degs\n    ^"},
    {"3 KN", "unknown unit 'KN'; did you mean 'kN'?\n  3 KN\n    ^"},
    {"3 L1", "unknown unit 'L1' (a product is written with *)\n  3 L1\n    ^"},
    {"3 x", "an operator is missing before x\n  3 x\n    ^"},
    {"3 sin(x)", "an operator is missing before sin\n  3 sin(x)\n    ^"},
    {"*2", "a value is missing before '*'\n  *2\n  ^"},
    {"x + and", "a value is missing before and\n  x + and\n      ^"},
    {"x = 1", "unexpected '='; equality is written ==\n  x = 1\n    ^"},
    {"x && y", "unexpected '&'; write and\n  x && y\n    ^"},
    {"x || y", "unexpected '|'; write or\n  x || y\n    ^"},
    {"!x", "unexpected '!'; write not\n  !x\n  ^"},
    {"x ? 1 : 2", "unexpected '?'\n  x ? 1 : 2\n    ^"},
    {"x \001", "unexpected byte 0x01\n  x  \n    ^"},
    {"x + \377\376", "unexpected byte 0xff\n  x + ??\n      ^"},
    {"1 < x < 2", "comparisons do not chain; write a < b and b < c\n  1 < x < 2\n        ^"},
    {"1 + \"abc", "the quote \" is not closed\n  1 + \"abc\n      ^"},
    {"''", "the name between the quotes is empty\n  ''\n  ^"},
    {"1e999", "the number 1e999 is too large\n  1e999\n  ^"},
    {"1 + dx()", "dx wants a frame\n  1 + dx()\n      ^"},
    {"dx(a, x + time)",
     "argument 2 of 'dx' must be a name or a constant\n  dx(a, x + time)\n        ^"},
    {"reaction(pin2).", "a name is expected after the dot\n  reaction(pin2).\n                 ^"},
    {"sin(x).fx", "sin has no members\n  sin(x).fx\n        ^"},
    {"cubspl(x, nope)", "no spline 'nope'\n  cubspl(x, nope)\n            ^"},
    {"cubspl(x, 3)", "the name of a spline is expected here\n  cubspl(x, 3)\n            ^"},
    {"curve(x, table)", "'table' is no coordinate of a path, as path.x is\n  curve(x, table)\n"
                        "           ^"},
    {"curve(x, wave, 4)", "the order of the derivative must be 0, 1, 2 or 3\n"
                          "  curve(x, wave, 4)\n                 ^"},
    {"curve(x, 0, wave, 1)", "curve takes 2 to 3 arguments, got more: curve(alpha, path.x)\n"
                             "  curve(x, 0, wave, 1)\n  ^"},
    {"cubspl(x)", "cubspl takes 2 to 4 arguments, got 1: cubspl(x, spline)\n  cubspl(x)\n  ^"},
    {"cubspl(x, 0, table, 4)",
     "the order of the derivative must be 0, 1, 2 or 3\n  cubspl(x, 0, table, 4)\n"
     "                      ^"},
    {"cubspl(x, short)", "cubspl needs a spline of at least 4 points; 'short' has fewer\n"
                         "  cubspl(x, short)\n            ^"},
    {"if(x, 1)", "if takes a condition and two values: if(cond, a, b)\n  if(x, 1)\n  ^"},
    {"if(x: 1, 2)", "if with a colon takes three values: if(x: a, b, c)\n  if(x: 1, 2)\n  ^"},
    {"step(x, 1, 0, 1, 1)", "step: x0 and x1 must differ\n  step(x, 1, 0, 1, 1)\n  ^"},
    {"impact(x, y, 0, -1, 1, 1, 1)", "impact: the stiffness k must not be negative\n"
                                     "  impact(x, y, 0, -1, 1, 1, 1)\n  ^"},
    {"impact(x, y, 0, 1, 1, 1, 0)",
     "impact: the depth d must be positive\n  impact(x, y, 0, 1, 1, 1, 0)\n  ^"},
    {"bistop(x, y, 2, 1, 1, 1, 1, 1)",
     "bistop: x1 must be less than x2\n  bistop(x, y, 2, 1, 1, 1, 1, 1)\n  ^"},
    {"mod(x, 0)", "mod: the period p must not be zero\n  mod(x, 0)\n  ^"},
    {"400 N/h", "'h' is a unit and a name of the model; for the unit write (1 h), for the "
                "name put what stands before it in parentheses\n  400 N/h\n        ^"},
    {"5 mm^x", "the power of a unit is a whole number from 1 to 9; put the number and its unit in "
               "parentheses\n  5 mm^x\n      ^"},
    {"x/0", "division by zero\n  x/0\n   ^"},
    {"x/(k1 - 10)", "division by zero\n  x/(k1 - 10)\n   ^"},
    {"if(x > 0, 1/0, 2)", "1 / 0 is not finite\n  if(x > 0, 1/0, 2)\n             ^"},
    {"\xce\xb8*2 + $", "unknown name '\xce\xb8'\n  \xce\xb8*2 + $\n  ^"},
    {"'odd name' + \"\xce\xb8\" $",
     "unexpected '$'\n  'odd name' + \"\xce\xb8\" $\n                   ^"},
};

TEST(compile_messages)
{
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        TmlExpr *e = (TmlExpr *)&f;
        t->name = wrong[k].text;
        f.err = (TmlError){0};
        CHECK_INT(t, tml_expr_compile(wrong[k].text, &f.resolver, &f.arena, &e, &f.err),
                  TML_E_MODEL);
        CHECK_STR(t, f.err.message, wrong[k].message);
        CHECK_INT(t, f.err.status, TML_E_MODEL);
        CHECK(t, e == NULL);
        // nobody listens
        CHECK_INT(t, tml_expr_compile(wrong[k].text, &f.resolver, &f.arena, &e, NULL), TML_E_MODEL);
    }
    fixture_close(&f);
}

TEST(constant_messages)
{
    static const Row rows[] = {
        {"2*time", "must be a constant, but 'time' varies\n  2*time\n    ^"},
        {"x + 1", "must be a constant, but 'x' varies\n  x + 1\n  ^"},
        {"dx(a)", "must be a constant, but 'dx' varies\n  dx(a)\n  ^"},
        {"1/0", "1 / 0 is not finite\n  1/0\n   ^"},
        {"2 + log(-1)", "log(-1) is not finite\n  2 + log(-1)\n      ^"},
        {"exp(1000) - exp(1000)", "exp(1000) is not finite\n  exp(1000) - exp(1000)\n  ^"},
        {"0^-1", "0 ^ -1 is not finite\n  0^-1\n   ^"},
        {"1e308*10", "1e+308 * 10 is not finite\n  1e308*10\n       ^"},
        {"1e308 + 1e308", "1e+308 + 1e+308 is not finite\n  1e308 + 1e308\n        ^"},
        {"1e300 GPa", "the number is not finite in SI units\n  1e300 GPa\n  ^"},
        {"bad", "'bad' is not finite\n  bad\n  ^"},
        {"cubspl(1e200, table)*1e200", "-1.86406e+200 * 1e+200 is not finite\n"
                                       "  cubspl(1e200, table)*1e200\n                      ^"},
    };
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        double value = 42;
        t->name = rows[k].text;
        CHECK_INT(t, tml_expr_constant(rows[k].text, &f.resolver, &value, &f.err), TML_E_MODEL);
        CHECK_STR(t, f.err.message, rows[k].message);
        CHECK_NEAR(t, value, 42, 0); // untouched
    }
    // what is not used may be anything
    double value;
    CHECK_OK(t, tml_expr_constant("if(k1 > 5, 1, 1/0)", &f.resolver, &value, &f.err), &f.err);
    CHECK_NEAR(t, value, 1, 0);
    // what the message about 400 N/h advises: h is a quarter there, and an hour has 3600 s
    CHECK_OK(t, tml_expr_constant("400 N/(1 h)", &f.resolver, &value, &f.err), &f.err);
    CHECK_NEAR(t, value, 400.0 / 3600.0, 1e-15); // two roundings
    CHECK_OK(t, tml_expr_constant("(400 N)/h", &f.resolver, &value, &f.err), &f.err);
    CHECK_NEAR(t, value, 1600.0, 0);
    fixture_close(&f);
}

TEST(without_a_resolver)
{
    TmlError err;
    TmlExpr *e;
    TmlArena arena = {0};
    CHECK_INT(t, tml_expr_compile("x", NULL, &arena, &e, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "unknown name 'x'\n  x\n  ^");
    CHECK_INT(t, tml_expr_compile("dx(a)", NULL, &arena, &e, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "unknown function 'dx'\n  dx(a)\n  ^");
    CHECK_INT(t, tml_expr_compile("spline(time, a)", NULL, &arena, &e, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "there are no splines here\n  spline(time, a)\n               ^");
    // a resolver that lists nothing speaks for itself
    const TmlExprResolver quiet = {.name = fixture_name};
    CHECK_INT(t, tml_expr_compile("nope", &quiet, &arena, &e, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "'nope' stands for nothing\n  nope\n  ^");
    tml_arena_free(&arena);
}

TEST(long_texts_are_cut)
{
    Fixture f;
    fixture_open(t, &f);
    char text[400] = "";
    for (int k = 0; k < 60; ++k) {
        strcat(text, k == 40 ? "q3+" : "1+");
    }
    strcat(text, "1");
    TmlExpr *e;
    CHECK_INT(t, tml_expr_compile(text, &f.resolver, &f.arena, &e, &f.err), TML_E_MODEL);
    CHECK_STR(
        t, f.err.message,
        "unknown name 'q3'\n"
        "  ...1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+q3+1+1+1+1+1+1+1+1+1+1+1+1+1...\n"
        "                                                     ^");
    fixture_close(&f);
}

TEST_SUITE(expr_errors) = {CASE(compile_messages),
                           CASE(constant_messages),
                           CASE(without_a_resolver),
                           CASE(long_texts_are_cut),
                           {0}};
