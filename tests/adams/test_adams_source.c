/* tests/adams/test_adams_source.c - statements, continuations, comments, places, abbreviations. */
#include "test.h"

#include "adams/dataset/syntax.h"

#include <stdlib.h>

typedef struct Parsed {
    TmlArena arena;
    TmlReport report;
    TmlAdmSource source;
    TmlAdmArg *args;
    int n;
    const TmlAdmSyntax *syntax;
} Parsed;

/* The statements, and the arguments of the last one. */
static Parsed *parse(TestCtx *t, const char *text)
{
    Parsed *p = calloc(1, sizeof *p);
    TmlError err = {0};
    p->report.arena = &p->arena;
    CHECK_INT(t, tml_adm_source(text, strlen(text), "f", &p->arena, &p->report, &p->source, &err),
              TML_OK);
    if (p->source.n > 0) {
        const TmlAdmStatement *s = &p->source.statement[p->source.n - 1];
        p->syntax = tml_adm_syntax(s->text, s->keyword.length);
        if (p->syntax != NULL && p->syntax->keys != NULL) {
            CHECK_INT(t,
                      tml_adm_arguments(s, p->syntax, &p->arena, &p->report, &p->args, &p->n, &err),
                      TML_OK);
        }
    }
    return p;
}

static void drop(Parsed *p)
{
    tml_mem_free(p->source.statement);
    tml_arena_free(&p->arena);
    free(p);
}

static void check_arg(TestCtx *t, Parsed *p, int k, const char *name, const char *value)
{
    if (k >= p->n) {
        test_fail(t, __FILE__, __LINE__, "argument %d (%s) is missing", k, name);
        return;
    }
    const char *got = tml_adm_copy(&p->arena, p->args[k].value);
    t->checks++;
    if (strcmp(p->args[k].key->name, name) != 0 || strcmp(got, value) != 0) {
        test_fail(t, __FILE__, __LINE__, "argument %d: %s = '%s', expected %s = '%s'", k,
                  p->args[k].key->name, got, name, value);
    }
}

TEST(title_or_not)
{
    Parsed *p = parse(t, "ADAMS/View model name: arm\nUNITS/\nEND\n");
    CHECK(t, p->source.title != NULL && strcmp(p->source.title, "arm") == 0);
    CHECK_INT(t, p->source.n, 2);
    drop(p);
    p = parse(t, "! comment\nUNITS/\n");
    CHECK(t, p->source.title == NULL);
    CHECK_INT(t, p->source.n, 1);
    drop(p);
    p = parse(t, "\n\nUNITS/LENGTH=METER\r\n, MASS=GRAM\r\n");
    CHECK(t, p->source.title == NULL);
    check_arg(t, p, 0, "LENGTH", "METER");
    check_arg(t, p, 1, "MASS", "GRAM");
    drop(p);
}

TEST(names_of_view)
{
    Parsed *p = parse(t, "t\n!  adams_view_name='a b'\nPART/1, GROUND\nPART/2\n"
                         "! adams_view_name='c'\n!\nPART/3\n");
    CHECK_INT(t, p->source.n, 3);
    if (p->source.n == 3) {
        CHECK(t, strcmp(p->source.statement[0].view_name, "a b") == 0);
        CHECK(t, p->source.statement[1].view_name == NULL);
        CHECK(t, strcmp(p->source.statement[2].view_name, "c") == 0);
    }
    drop(p);
}

TEST(comments_inside_a_statement)
{
    Parsed *p =
        parse(t, "t\nMARKER/0102, PART = 01 ! on ground\n!, QP = 9, 9, 9\n, QP = 0,\n, -.4, 0\n"
                 ", REULER = 180D, 90D, 180D\n");
    CHECK_INT(t, p->n, 3);
    check_arg(t, p, 0, "PART", "01");
    check_arg(t, p, 2, "REULER", "180D, 90D, 180D");
    drop(p);
}

TEST(expressions_go_on)
{
    Parsed *p = parse(t, "t\nSFORCE/1, ROTATIONAL\n, I = 1, FUNCTION = -1E6*(AZ(1,2)-0.5)\n"
                         ", -1E3*WZ(1,2,2)\n, J = 2\n");
    CHECK_INT(t, p->n, 4);
    check_arg(t, p, 2, "FUNCTION", "-1E6*(AZ(1,2)-0.5)  -1E3*WZ(1,2,2)");
    check_arg(t, p, 3, "J", "2");
    drop(p);
    p = parse(t, "t\nVFORCE/1, I=1, JFLOAT=2, RM=3\n, FX = 1+2\\\n, FY = MAX(1,2)\\FZ=0\n");
    CHECK_INT(t, p->n, 6);
    check_arg(t, p, 3, "FX", "1+2");
    check_arg(t, p, 4, "FY", "MAX(1,2)");
    check_arg(t, p, 5, "FZ", "0");
    drop(p);
}

TEST(abbreviations)
{
    Parsed *p = parse(t, "t\nreq/01, D,i=0201,J=0101,C=DISPLACEMENT: X Y (any-thing)\n");
    CHECK_INT(t, p->n, 4);
    check_arg(t, p, 0, "DISPLACEMENT", "");
    check_arg(t, p, 1, "I", "0201");
    check_arg(t, p, 3, "COMMENT", "DISPLACEMENT: X Y (any-thing)");
    drop(p);
    CHECK(t,
          tml_adm_syntax("JO", 2) != NULL && strcmp(tml_adm_syntax("JO", 2)->name, "JOINT") == 0);
    CHECK(t, tml_adm_syntax("JOINTS", 6) == NULL);
    CHECK(t, tml_adm_syntax("P", 1) == NULL);
}

TEST(places)
{
    Parsed *p = parse(t, "t\nPART/2\n, MASS = 1\n,  CM = 20\n");
    CHECK_INT(t, p->n, 2);
    if (p->n == 2) {
        const TmlValue name = tml_adm_place(p->args[1].name.of, p->args[1].name.start);
        const TmlValue value = tml_adm_place(p->args[1].value.of, p->args[1].value.start);
        CHECK_INT(t, name.line, 4);
        CHECK_INT(t, name.column, 4);
        CHECK_INT(t, value.line, 4);
        CHECK_INT(t, value.column, 9);
    }
    drop(p);
}

TEST(what_is_no_statement)
{
    Parsed *p =
        parse(t, "t\nPART/1, GROUND\nnonsense here\n, QG=1,2,3\nPART/2, WRONG=3, MASS=1, ODD\n");
    CHECK_INT(t, p->report.n, 4); // two lines, two arguments
    CHECK_INT(t, p->n, 1);
    drop(p);
}

/* LF, CRLF, CR; a mark of UTF-8 before the first statement; zero bytes in comments. */
TEST(line_ends_and_marks)
{
    static const char *const texts[] = {"t\nPART/1, GROUND\n, MASS=1\n\nPART/2, CM=3\n",
                                        "t\r\nPART/1, GROUND\r\n, MASS=1\r\n\r\nPART/2, CM=3\r\n",
                                        "t\rPART/1, GROUND\r, MASS=1\r\rPART/2, CM=3",
                                        "\xef\xbb\xbf\nPART/1, GROUND\n, MASS=1\n\nPART/2, CM=3"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        Parsed *p = parse(t, texts[k]);
        CHECK_INT(t, p->report.n, 0);
        CHECK_INT(t, p->source.n, 2);
        CHECK_INT(t, tml_adm_place(&p->source.statement[p->source.n - 1], 0).line, 5);
        check_arg(t, p, 0, "CM", "3");
        drop(p);
    }
    Parsed *marked = parse(t, "\xef\xbb\xbfPART/1, GROUND");
    CHECK(t, marked->source.title == NULL && marked->source.n == 1);
    drop(marked);
    Parsed *first = parse(t, "SFORCE/1, I=1"); // written out: no title
    CHECK_INT(t, first->source.n, 1);
    drop(first);
}

TEST_SUITE(adams_source) = {
    CASE(title_or_not),         CASE(names_of_view),       CASE(comments_inside_a_statement),
    CASE(expressions_go_on),    CASE(abbreviations),       CASE(places),
    CASE(what_is_no_statement), CASE(line_ends_and_marks), {0}};
