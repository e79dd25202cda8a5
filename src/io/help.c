/* io/help.c - help texts and the reference page, written from the tables.
 *
 * A topic may be several things at once (distance is a joint and a function): all are shown. The
 * same functions write plain text for the terminal and Markdown for the reference.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/integrator.h"
#include "base/arena.h"
#include "expr/unit.h"
#include "io/example.h"
#include "io/help_datasets.h"
#include "io/textbuf.h"
#include "model/binding.h"
#include "model/registry.h"
#include "model/sections.h"
#include "trammel/io.h"

enum { NAME_WIDTH = 21, TEXT_COLUMN = 25, LINE_WIDTH = 96 };

typedef struct Page {
    TmlTextBuf text;
    bool markdown;
    int hits; /* things shown */
} Page;

/* --- lines ---------------------------------------------------------------------------------------
 */

static void heading(Page *p, const char *name, const char *family)
{
    p->hits++;
    if (p->markdown) {
        tml_textbuf_add(&p->text, "\n### %s\n\n", name);
    } else {
        tml_textbuf_add(&p->text, "%s%s (%s)\n\n", p->text.n > 0 ? "\n" : "", name, family);
    }
}

/* Words set in at a column, broken at spaces. The first line is at the column already. */
static void wrap(Page *p, const char *text, int column)
{
    int at = column;
    while (*text != '\0') {
        const int n = (int)strcspn(text, " ");
        if (at + n > LINE_WIDTH && at > column) {
            tml_textbuf_add(&p->text, "\n%*s", column, "");
            at = column;
        }
        tml_textbuf_add(&p->text, "%s%.*s", at > column ? " " : "", n, text);
        at += n + 1;
        text += n + (text[n] == ' ');
    }
    tml_textbuf_put(&p->text, "\n");
}

/* One line per topic: programs read the list by its first words. */
static void list_item(Page *p, const char *name, const char *text)
{
    tml_textbuf_add(&p->text, "  %-*s  %s\n", NAME_WIDTH, name, text);
}

static void paragraph(Page *p, const char *text)
{
    if (p->markdown) {
        tml_textbuf_add(&p->text, "%s\n", text);
    } else {
        tml_textbuf_put(&p->text, "  ");
        wrap(p, text, 2);
    }
}

static void table_begin(Page *p, const char *title)
{
    if (p->markdown) {
        tml_textbuf_add(&p->text, "\n| %s | unit | default | |\n|---|---|---|---|\n", title);
    } else {
        tml_textbuf_add(&p->text, "\n%s\n", title);
    }
}

/* A bar would end the cell. */
static void cell(Page *p, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        tml_textbuf_put(&p->text, *c == '|' ? "\\|" : (const char[]){*c, '\0'});
    }
}

/* standard NULL: required; "": absent. */
static void table_row(Page *p, const char *name, const char *unit, const char *standard,
                      const char *text, const char *choices)
{
    const char *by_default = standard == NULL ? "required" : standard;
    const char *words = choices != NULL ? choices : "";
    if (p->markdown) {
        tml_textbuf_add(&p->text, "| `%s` | %s | %s%s%s | ", name, unit,
                        standard != NULL && *standard != '\0' ? "`" : "", by_default,
                        standard != NULL && *standard != '\0' ? "`" : "");
        cell(p, text);
        if (*words != '\0') {
            tml_textbuf_put(&p->text, ": ");
            cell(p, words);
        }
        tml_textbuf_put(&p->text, " |\n");
        return;
    }
    char line[1024];
    snprintf(line, sizeof line, "%s%s%s%s%s%s%s%s%s%s", text, *words != '\0' ? ": " : "", words,
             *unit != '\0' ? " [" : "", unit, *unit != '\0' ? "]" : "",
             *by_default != '\0' ? " (" : "",
             standard != NULL && *standard != '\0' ? "default " : "", by_default,
             *by_default != '\0' ? ")" : "");
    tml_textbuf_add(&p->text, "  %-*s  ", NAME_WIDTH, name);
    wrap(p, line, TEXT_COLUMN);
}

static void example(Page *p, const char *text)
{
    if (p->markdown) {
        tml_textbuf_add(&p->text, "\n```yaml\n%s```\n", text);
        return;
    }
    tml_textbuf_put(&p->text, "\nexample\n");
    while (*text != '\0') {
        const int n = (int)strcspn(text, "\n");
        tml_textbuf_add(&p->text, "  %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

/* --- things ---------------------------------------------------------------------------------- */

static void show_keys(Page *p, const char *title, const TmlKey *keys)
{
    if (keys == NULL || keys->name == NULL) {
        return;
    }
    table_begin(p, title);
    for (const TmlKey *k = keys; k->name != NULL; ++k) {
        table_row(p, k->name, k->unit, k->standard, k->text, k->choices);
    }
}

static void show_params(Page *p, const char *title, const TmlParam *params)
{
    if (params == NULL || params->name == NULL) {
        return;
    }
    table_begin(p, title);
    for (const TmlParam *q = params; q->name != NULL; ++q) {
        table_row(p, q->name, q->unit, q->standard, q->text, q->choices);
    }
}

static void show_outputs(Page *p, const TmlOutput *outputs)
{
    if (outputs == NULL || outputs->name == NULL) {
        return;
    }
    table_begin(p, "outputs");
    for (const TmlOutput *o = outputs; o->name != NULL; ++o) {
        table_row(p, o->name, o->unit, "", o->text, NULL);
    }
}

static void show_section(Page *p, const TmlSection *s)
{
    heading(p, s->name, "section");
    paragraph(p, s->text);
    show_keys(p, s->named ? "keys of an entry" : "keys", s->keys);
    example(p, s->example);
}

static void show_body(Page *p, const TmlBodyType *type)
{
    heading(p, type->info.name, "body");
    paragraph(p, type->info.text);
    paragraph(p, "See the section bodies for the keys.");
}

static void show_element(Page *p, const TmlTypeInfo *info, TmlEndsKind ends, const char *section)
{
    char text[TML_EXAMPLE_MAX];
    heading(p, info->name, strcmp(section, "joints") == 0 ? "joint" : "force");
    paragraph(p, info->text);
    show_keys(p, "ends", tml_keys_ends(ends));
    show_params(p, "parameters", info->params);
    show_outputs(p, info->outputs);
    tml_example_element(info, ends, section, text, sizeof text);
    example(p, text);
}

static void show_integrator(Page *p, const TmlIntegratorType *type)
{
    heading(p, type->info.name, "integrator");
    paragraph(p, type->info.text);
    tml_textbuf_add(&p->text, "%sorder %d, tolerance %g by default\n", p->markdown ? "\n" : "  ",
                    type->order, type->tolerance);
    show_params(p, "options", type->info.params);
}

static void show_auto(Page *p)
{
    heading(p, tml_auto_info.name, "integrator");
    paragraph(p, tml_auto_info.text);
    paragraph(p, "Smooth models get adams, or radau when they are stiff; models with contact, "
                 "friction, switches or forces of the user's own get "
                 "hht, and so do those of more than 300 bodies at tolerances of 1e-5 and above. "
                 "Should a method fail, hht goes on from the last accepted state; should a model "
                 "become stiff under adams, radau does. Options that are given belong to a method, "
                 "and that one is taken.");
}

/* --- topics ---------------------------------------------------------------------------------- */

static const char rotation_text[] =
    "The ways to write an orientation. Give axis and angle, or euler_parameters, or euler and "
    "angles, or two of x, y, z, or matrix.";
static const char rotation_example[] = "rotation: {axis: z, angle: 30 deg}\n"
                                       "rotation: {euler: xyz, angles: [0, 10 deg, 0]}\n"
                                       "rotation: {z: [0, 1, 0], x: x}\n";
static const char for_text[] =
    "Repeats the entries of a named section: for NAME in A..B, or for NAME in [a, b, c] with "
    "numbers or words. NAME may be used in expressions, and {expression} in names and texts is "
    "replaced by its value. Loops may be nested.";
static const char for_example[] =
    "bodies:\n"
    "  for i in 1..N:\n"
    "    \"link{i}\": {mass: m, inertia: [1, 1, 1], position: [\"i*L\", 0, 0]}\n"
    "joints:\n"
    "  for i in 2..N:\n"
    "    \"pin{i}\": {type: revolute, bodies: [\"link{i-1}\", \"link{i}\"], at: [\"i*L\", 0, 0]}\n";
static const char expression_text[] =
    "Numbers, names, + - * / ^, comparisons, and, or, not, parentheses and functions, which may be "
    "written in capitals. A unit may follow a number: 30 deg, 5 mm, 3 kN; the topic units lists "
    "them. Numbers of a model may use parameters; forces, variables, states and outputs may also "
    "use time and the state of the model. Names with odd characters stand in quotes.";
static const char units_text[] =
    "A unit may follow a number and binds to it more tightly than any operator: 30 deg, 400 N/mm, "
    "7.85 g/cm^3. The value is converted to SI units and radians, in which all numbers without a "
    "unit are. Capitals matter: mN is a thousandth of a newton, MN a million.";
static const char expression_example[] =
    "outputs: {spring_force: \"k*(DM(rod.tip, pivot) - L0)\", angle: \"rtod*angle(pin)\"}\n";

static void show_rotation(Page *p)
{
    heading(p, "rotation", "value");
    paragraph(p, rotation_text);
    show_keys(p, "keys", tml_keys_rotation);
    example(p, rotation_example);
}

static void show_shapes(Page *p)
{
    heading(p, "shape", "value");
    paragraph(p, "How pictures show a body: one of these, or a list of them.");
    for (const TmlShapeKeys *s = tml_shapes; s->name != NULL; ++s) {
        show_keys(p, s->name, s->keys);
    }
    example(p, "shape: {cylinder: {radius: 0.05, length: 2, axis: x, color: steelblue}}\n");
}

static void show_for(Page *p)
{
    heading(p, "for", "repetition");
    paragraph(p, for_text);
    example(p, for_example);
}

static void show_expression(Page *p)
{
    heading(p, "expressions", "language");
    paragraph(p, expression_text);
    example(p, expression_example);
}

static void show_units(Page *p)
{
    char list[1024] = "Known: ";
    size_t n = strlen(list);
    for (int k = 0; tml_unit_name(k) != NULL && n < sizeof list; ++k) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? ", " : "",
                              tml_unit_name(k));
    }
    heading(p, "units", "language");
    paragraph(p, units_text);
    paragraph(p, list);
    example(p, "parameters: {speed: 3000 rpm, k: 400 N/mm, swing: 30 deg}\n");
}

typedef struct Topic {
    const char *name, *text;
    void (*show)(Page *p);
} Topic;

static const Topic topics[] = {
    {"expressions", "how formulas are written", show_expression},
    {"units", "units after numbers", show_units},
    {"for", "repeating entries", show_for},
    {"rotation", "ways to write an orientation", show_rotation},
    {"shape", "how pictures show a body", show_shapes},
};

enum { N_TOPICS = sizeof topics / sizeof *topics };

typedef struct FunctionSearch {
    Page *page;
    const char *wanted; /* NULL: all, as a table or list */
} FunctionSearch;

static void visit_function(void *arg, const char *name, const char *signature, const char *text)
{
    FunctionSearch *s = arg;
    if (s->wanted != NULL && strcasecmp(s->wanted, name) == 0) {
        heading(s->page, name, "function");
        tml_textbuf_add(&s->page->text, "  %s\n", signature);
        paragraph(s->page, text);
    } else if (s->wanted == NULL && s->page->markdown) {
        tml_textbuf_add(&s->page->text, "| `%s` | ", signature);
        cell(s->page, text);
        tml_textbuf_put(&s->page->text, " |\n");
    } else if (s->wanted == NULL) {
        list_item(s->page, name, text);
    }
}

static void show_topic(Page *p, const char *wanted)
{
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        if (strcmp(s->name, wanted) == 0) {
            show_section(p, s);
        }
    }
    for (int k = 0; k < N_TOPICS; ++k) {
        if (strcmp(topics[k].name, wanted) == 0) {
            topics[k].show(p);
        }
    }
    for (int k = 0; tml_body_types[k] != NULL; ++k) {
        if (strcmp(tml_body_types[k]->info.name, wanted) == 0) {
            show_body(p, tml_body_types[k]);
        }
    }
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        if (strcmp(tml_constraint_types[k]->info.name, wanted) == 0) {
            show_element(p, &tml_constraint_types[k]->info, tml_constraint_types[k]->ends,
                         "joints");
        }
    }
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        if (strcmp(tml_force_types[k]->info.name, wanted) == 0) {
            show_element(p, &tml_force_types[k]->info, tml_force_types[k]->ends, "forces");
        }
    }
    if (strcmp(tml_auto_info.name, wanted) == 0) {
        show_auto(p);
    }
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        if (strcmp(tml_integrator_types[k]->info.name, wanted) == 0) {
            show_integrator(p, tml_integrator_types[k]);
        }
    }
    FunctionSearch search = {p, wanted};
    tml_expr_functions(visit_function, &search);
    tml_binding_functions(visit_function, &search);
}

/* --- lists ----------------------------------------------------------------------------------- */

static void list_all(Page *p)
{
    tml_textbuf_put(&p->text, "Topics of trammel help:\n\nsections of a model\n");
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        char line[TML_NAME_MAX];
        const size_t n = strcspn(s->text, ".:;");
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), s->text);
        list_item(p, s->name, line);
    }
    for (int k = 0; k < N_TOPICS; ++k) {
        list_item(p, topics[k].name, topics[k].text);
    }
    list_item(p, "datasets", "what is read of Adams datasets and command files");
    list_item(p, "reference", "all elements and functions as one page in Markdown");
    tml_textbuf_put(&p->text, "\nbodies\n");
    for (int k = 0; tml_body_types[k] != NULL; ++k) {
        list_item(p, tml_body_types[k]->info.name, tml_body_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\njoints\n");
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        list_item(p, tml_constraint_types[k]->info.name, tml_constraint_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\nforces\n");
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        list_item(p, tml_force_types[k]->info.name, tml_force_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\nintegrators\n");
    list_item(p, tml_auto_info.name, tml_auto_info.text);
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        list_item(p, tml_integrator_types[k]->info.name, tml_integrator_types[k]->info.text);
    }
    FunctionSearch all = {p, NULL};
    tml_textbuf_put(&p->text, "\nmathematics in expressions\n");
    tml_expr_functions(visit_function, &all);
    tml_textbuf_put(&p->text, "\nfunctions of the model's state\n");
    tml_binding_functions(visit_function, &all);
}

static void write_reference(Page *p)
{
    FunctionSearch all = {p, NULL};
    p->markdown = true;
    tml_textbuf_put(&p->text,
                    "# Elements of a model\n\n"
                    "Written by `trammel help reference` from the tables that the reader uses. "
                    "Units are SI; angles are in radians unless a unit is written.\n\n"
                    "## Sections\n");
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        show_section(p, s);
    }
    for (int k = 0; k < N_TOPICS; ++k) {
        topics[k].show(p);
    }
    tml_textbuf_put(&p->text, "\n## Joints\n");
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        show_element(p, &tml_constraint_types[k]->info, tml_constraint_types[k]->ends, "joints");
    }
    tml_textbuf_put(&p->text, "\n## Forces\n");
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        show_element(p, &tml_force_types[k]->info, tml_force_types[k]->ends, "forces");
    }
    tml_textbuf_put(&p->text, "\n## Mathematics in expressions\n\n| | |\n|---|---|\n");
    tml_expr_functions(visit_function, &all);
    tml_textbuf_put(&p->text, "\n## Functions of the model's state\n\n| | |\n|---|---|\n");
    tml_binding_functions(visit_function, &all);
}

/* --- unknown topics -------------------------------------------------------------------------- */

typedef struct Words {
    int n;
    const char *word[512];
} Words;

static void words_add(Words *w, const char *word)
{
    if (w->n < (int)(sizeof w->word / sizeof *w->word)) {
        w->word[w->n++] = word;
    }
}

static void words_visit(void *arg, const char *name, const char *signature, const char *text)
{
    (void)signature, (void)text;
    words_add(arg, name);
}

static TmlStatus unknown_topic(const char *topic, TmlError *err)
{
    Words w = {0};
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        words_add(&w, s->name);
    }
    for (int k = 0; k < N_TOPICS; ++k) {
        words_add(&w, topics[k].name);
    }
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        words_add(&w, tml_constraint_types[k]->info.name);
    }
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        words_add(&w, tml_force_types[k]->info.name);
    }
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        words_add(&w, tml_integrator_name(k));
    }
    tml_expr_functions(words_visit, &w);
    tml_binding_functions(words_visit, &w);
    const char *near = tml_nearest(topic, w.word, w.n);
    return tml_fail(err, TML_E_ARGUMENT, "no help on '%s'%s%s%s", topic,
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "; 'trammel help' lists the topics");
}

TmlStatus tml_help(const char *topic, char **out, TmlError *err)
{
    Page page = {0};
    *out = NULL;
    if (topic == NULL) {
        list_all(&page);
    } else if (strcmp(topic, "reference") == 0) {
        write_reference(&page);
    } else if (strcmp(topic, "datasets") == 0) {
        tml_help_datasets(&page.text);
    } else {
        show_topic(&page, topic);
        if (page.hits == 0) {
            tml_textbuf_free(&page.text);
            return unknown_topic(topic, err);
        }
    }
    return tml_textbuf_take(&page.text, out, err);
}

void tml_text_free(char *text)
{
    tml_mem_free(text);
}
