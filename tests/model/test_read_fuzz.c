/* tests/model/test_read_fuzz.c - mutated models, and memory that runs out. */
#include "load_fuzz.h"

static const char model[] =
    "trammel: 1\n"
    "title: Everything\n"
    "parameters: {L: 1.5, m: 3, k: \"4*m/L^2\", N: 3, alpha: 30 deg}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: m, inertia: [0.01, 1, 1, 0, 0, 0], position: [L, 0, 0], cm: [0.1, 0, 0],\n"
    "        rotation: {axis: z, angle: 30 deg}, frames: {tip: {position: [L, 0, 0]}},\n"
    "        shape: {cylinder: {radius: 0.05, length: 2*L}}, locked: [x, omega]}\n"
    "  ball: {type: point, mass: 0.2, position: [0, 1, 0]}\n"
    "  for i in 1..N:\n"
    "    \"link{i}\": {mass: m, inertia: [1, 1, 1], position: [\"i*L\", 0, 0],\n"
    "               rotation: {euler: \"313\", angles: [0.1, 0.2, 0.3]}}\n"
    "frames: {pivot: {position: [0, 0, 1.2], rotation: {z: y, x: x}}}\n"
    "splines:\n"
    "  table: {type: akima, x: [0, 1, 2, 4], y: [0, 3, 4, 4]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z, turns: 1}\n"
    "  weld: {type: spherical, frames: [rod.tip, ball]}\n"
    "  slide: {type: translational, frames: [pivot, link1]}\n"
    "  mesh: {type: coupler, terms: [{joint: pin}, {joint: slide, coefficient: -2}]}\n"
    "  drive: {type: motion, joint: pin, function: \"alpha*sin(2*pi*time)\"}\n"
    "  wire: {type: expression, expression: \"DZ(ball) - DX(ball)^2\"}\n"
    "  for i in 2..N:\n"
    "    \"hinge{i}\": {type: universal, bodies: [\"link{i-1}\", \"link{i}\"], at: [i, 0, 0],\n"
    "                axes: [x, y]}\n"
    "forces:\n"
    "  s: {type: rotational_spring, joint: pin, stiffness: k, damping: 15, table: table}\n"
    "  b: {type: bushing, bodies: [ground, link2], at: [0, 0, 0], stiffness: [1, 2, 3, 4, 5, 6]}\n"
    "  f: {type: force, body: ball, fx: \"step(time, 0, 0, 1, x) + akispl(time, table)\"}\n"
    "  r: {type: friction, joint: pin, static: 0.3, dynamic: 0.2, radius: 1 cm}\n"
    "variables: {v: {value: \"VM(rod.tip, pivot) - 0.3\", initial: 1}}\n"
    "states:\n"
    "  x: {rate: \"(12 - 0.4*x - v)/0.002\", initial: 2}\n"
    "  y: {implicit: \"rate(y) + y - force(f).fx\"}\n"
    "outputs: {theta: angle(pin), load: {value: reaction(pin).fm, unit: N}}\n"
    "simulate: {end: 2, output_step: 10 ms, tolerance: 1e-5, options: {alpha: -0.3}}\n";

/* What models are made of; pieces that were trouble for some parser once. */
static const char *const pieces[] = {
    "{",      "}",           "[",     "]",        ":",      ": ",   ",",    "\n",          "\n  ",
    "'",      "\"",          "*",     "&a ",      "*a",     "!t ",  "|\n",  "?",           "- ",
    "#",      "\t",          "for ",  " in ",     "..",     "{i}",  "{",    "1e999",       "-",
    "0",      "nan",         ".inf",  "()",       "(((((",  "^^^",  "rod.", ".tip",        "ground",
    "true",   "null",        "~",     "\xc3\xa4", "type",   "name", "time", "pi",          "1/0",
    "%",      "\\",          "---\n", "...",      "<<: *a", "\xff", "\x01", "9e307*9e307", "axis: ",
    "bodies", "joint: mesh", "{}",    "[]",       "@",      "`",
};

static void mutate(TestCtx *t, char *text, size_t size)
{
    const int n = (int)strlen(text);
    if (n < 8) {
        return;
    }
    const int at = pick(t, n - 4), length = 1 + pick(t, pick(t, 2) == 0 ? 4 : n - at - 1);
    char piece[64];
    switch (pick(t, 6)) {
    case 0: // change a byte
        text[at] = (char)(1 + pick(t, 255));
        break;
    case 1: // delete
        memmove(text + at, text + at + length, (size_t)(n - at - length) + 1);
        break;
    case 2:
    case 3: // insert a piece
        insert(text, size, (size_t)at, pieces[pick(t, (int)(sizeof pieces / sizeof *pieces))]);
        break;
    case 4: // copy a stretch elsewhere
        snprintf(piece, sizeof piece, "%.*s", length < 60 ? length : 60, text + at);
        insert(text, size, (size_t)pick(t, n), piece);
        break;
    default: // cut off
        text[n - length < 1 ? 1 : pick(t, 8) == 0 ? at : n] = '\0';
        break;
    }
}

TEST(the_model_is_good)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(model, "m", 0, NULL, NULL, &m, &err), &err);
    tml_model_free(m);
}

TEST(mutations_give_messages)
{
    enum { COUNT = 4000 };
    const int good = fuzz_mutations(t, model, "m", "", COUNT, mutate);
    CHECK(t, good > 0 && good < COUNT / 2);
}

TEST(memory_may_run_out_anywhere)
{
    fuzz_memory(t, model, "m");
}

TEST_SUITE(model_read_fuzz) = {
    CASE(the_model_is_good), CASE(mutations_give_messages), CASE(memory_may_run_out_anywhere), {0}};
