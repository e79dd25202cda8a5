/* io/help/help.c - help texts and the reference page, written from the tables.
 *
 * A topic may be several things at once (distance is a joint and a function): all are shown. The
 * same functions write plain text for the terminal and Markdown for the reference.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/integrator/integrator.h"
#include "base/arena.h"
#include "expr/unit.h"
#include "io/help/example.h"
#include "io/help/help_datasets.h"
#include "io/help/help_page.h"
#include "io/help/help_part.h"
#include "model/contact/contacts.h"
#include "model/flexible/flexible.h"
#include "model/measure/binding.h"
#include "model/read/sections.h"
#include "model/registry.h"
#include "trammel/io.h"

/* --- things ---------------------------------------------------------------------------------- */

/* The maps within a flexible body. */
static void show_flexible_maps(TmlHelpPage *p)
{
    static const struct {
        const char *title;
        const TmlKey *keys;
    } map[] = {
        {"arc: keys", tml_keys_arc},
        {"nodes: keys of a node", tml_keys_node},
        {"patch: keys", tml_keys_patch},
        {"rest: keys", tml_keys_rest},
        {"material: keys", tml_keys_material},
        {"section: keys", tml_keys_cross},
        {"start, end, and each of edges: keys", tml_keys_attach},
        {"attach: keys of an item", tml_keys_attach_at},
        {"edges: keys", tml_keys_edges},
        {"load: keys", tml_keys_load},
        {"contact: keys", tml_keys_stations},
        {"frames: keys of a frame", tml_keys_flex_frame},
    };
    for (size_t k = 0; k < sizeof map / sizeof *map; ++k) {
        tml_page_keys(p, map[k].title, map[k].keys);
    }
}

static void show_catenary_maps(TmlHelpPage *p)
{
    tml_page_keys(p, "contact_wire: keys", tml_keys_contact_wire);
    tml_page_keys(p, "messenger: keys", tml_keys_messenger);
    tml_page_keys(p, "droppers: keys", tml_keys_droppers);
    tml_page_keys(p, "arms: keys", tml_keys_arms);
}

static void show_section(TmlHelpPage *p, const TmlSection *s)
{
    tml_page_heading(p, s->name, "section");
    tml_page_paragraph(p, s->text);
    tml_page_keys(p, s->named ? "keys of an entry" : "keys", s->keys);
    if (s->keys == tml_keys_flexible) {
        show_flexible_maps(p);
    } else if (s->keys == tml_keys_catenary) {
        show_catenary_maps(p);
    }
    tml_page_example(p, s->example);
}

static void show_body(TmlHelpPage *p, const TmlBodyType *type)
{
    tml_page_heading(p, type->info.name, "body");
    tml_page_paragraph(p, type->info.text);
    tml_page_paragraph(p, "See the section bodies for the keys.");
}

static void show_flex(TmlHelpPage *p, const TmlFlexType *type)
{
    tml_page_heading(p, type->info.name, "flexible body");
    tml_page_paragraph(p, type->info.text);
    tml_page_outputs(p, type->info.outputs);
    tml_page_outputs(p, type->resultants);
}

static void show_element(TmlHelpPage *p, const TmlTypeInfo *info, TmlEndsKind ends,
                         const char *section)
{
    char text[TML_EXAMPLE_MAX];
    tml_page_heading(p, info->name, strcmp(section, "joints") == 0 ? "joint" : "force");
    tml_page_paragraph(p, info->text);
    tml_page_keys(p, "ends", tml_keys_ends(ends));
    tml_page_params(p, "parameters", info->params);
    tml_page_outputs(p, info->outputs);
    tml_example_element(info, ends, section, text, sizeof text);
    tml_page_example(p, text);
}

static void show_integrator(TmlHelpPage *p, const TmlIntegratorType *type)
{
    tml_page_heading(p, type->info.name, "integrator");
    tml_page_paragraph(p, type->info.text);
    tml_textbuf_add(&p->text, "%sorder %d, tolerance %g by default\n", p->markdown ? "\n" : "  ",
                    type->order, type->tolerance);
    tml_page_params(p, "options", type->info.params);
}

static void show_auto(TmlHelpPage *p)
{
    tml_page_heading(p, tml_auto_info.name, "integrator");
    tml_page_paragraph(p, tml_auto_info.text);
    tml_page_paragraph(
        p, "Smooth models get adams, or radau when they are stiff; models with contact, friction, "
           "switches or user-defined forces get hht, and so do models with more than 300 bodies at "
           "tolerances of 1e-5 and above. "
           "If a method fails, hht continues from the last accepted state; if a model becomes "
           "stiff under adams, radau continues. Options that are given belong to a method, "
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
    "use time and the state of the model. Names with unusual characters need quotes.";
static const char units_text[] =
    "A unit may follow a number and binds to it more tightly than any operator: 30 deg, 400 N/mm, "
    "7.85 g/cm^3. The value is converted to SI units and radians, in which all numbers without a "
    "unit are. Case matters: mN is a thousandth of a newton, MN a million newtons.";
static const char expression_example[] =
    "outputs: {spring_force: \"k*(DM(rod.tip, pivot) - L0)\", angle: \"rtod*angle(pin)\"}\n";

static void show_rotation(TmlHelpPage *p)
{
    tml_page_heading(p, "rotation", "value");
    tml_page_paragraph(p, rotation_text);
    tml_page_keys(p, "keys", tml_keys_rotation);
    tml_page_example(p, rotation_example);
}

static void show_shapes(TmlHelpPage *p)
{
    tml_page_heading(p, "shape", "value");
    tml_page_paragraph(p, "The shape of a body, for pictures and contacts: one of these shapes, or "
                          "a list of them. The parameters of each are under its name.");
    char list[1024] = "Shapes: ";
    const TmlKey *axis;
    size_t n = strlen(list);
    int k = 0;
    for (const TmlTypeInfo *s; n < sizeof list && (s = tml_written_shape(k, &axis)) != NULL; ++k) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? ", " : "", s->name);
    }
    tml_page_paragraph(p, list);
    tml_page_keys(p, "keys of every shape", tml_keys_shape);
    tml_page_example(p,
                     "shape: {cylinder: {radius: 0.05, length: 2, axis: x, color: steelblue}}\n");
}

static void show_shape(TmlHelpPage *p, const TmlTypeInfo *info, const TmlKey *axis)
{
    char text[TML_EXAMPLE_MAX];
    tml_page_heading(p, info->name, "shape");
    tml_page_paragraph(p, info->text);
    tml_page_params(p, "parameters", info->params);
    tml_page_keys(p, "turned by", axis);
    tml_page_paragraph(p, "Keys of every shape: position, rotation, color, name, group, material.");
    tml_example_shape(info, text, sizeof text);
    tml_page_example(p, text);
}

static void show_law(TmlHelpPage *p, const TmlTypeInfo *info, const char *family)
{
    char text[TML_EXAMPLE_MAX];
    tml_page_heading(p, info->name, family);
    tml_page_paragraph(p, info->text);
    tml_page_params(p, "parameters", info->params);
    const bool friction = strcmp(family, "law of friction") == 0;
    const char *part = friction                                ? "friction"
                       : strcmp(family, "law of rolling") == 0 ? "rolling"
                                                               : NULL;
    tml_example_law(info, part, text, sizeof text);
    tml_page_example(p, text);
}

/* What is written of every shape and law; `visit` is given the family. */
typedef void VisitFn(void *arg, const TmlTypeInfo *info, const TmlKey *axis, const char *family);

static void visit_contacts(VisitFn *visit, void *arg)
{
    const TmlKey *axis;
    int k = 0;
    for (const TmlTypeInfo *s; (s = tml_written_shape(k, &axis)) != NULL; ++k) {
        visit(arg, s, axis, "shape");
    }
    for (k = 0; tml_press_types[k] != NULL; ++k) {
        visit(arg, &tml_press_types[k]->info, NULL, "law of contact");
    }
    for (k = 0; tml_slip_types[k] != NULL; ++k) {
        visit(arg, &tml_slip_types[k]->info, NULL, "law of friction");
    }
    for (k = 0; tml_roll_types[k] != NULL; ++k) {
        visit(arg, &tml_roll_types[k]->info, NULL, "law of rolling");
    }
}

typedef struct ContactSearch {
    TmlHelpPage *page;
    const char *wanted, *family; /* NULL: all */
    bool list;                   /* one line each */
} ContactSearch;

static void visit_contact(void *arg, const TmlTypeInfo *info, const TmlKey *axis,
                          const char *family)
{
    const ContactSearch *s = arg;
    if ((s->wanted != NULL && strcmp(s->wanted, info->name) != 0) ||
        (s->family != NULL && strcmp(s->family, family) != 0)) {
        return;
    }
    if (s->list) {
        tml_page_item(s->page, info->name, info->text);
    } else if (axis != NULL) {
        show_shape(s->page, info, axis);
    } else {
        show_law(s->page, info, family);
    }
}

static void show_for(TmlHelpPage *p)
{
    tml_page_heading(p, "for", "repetition");
    tml_page_paragraph(p, for_text);
    tml_page_example(p, for_example);
}

static void show_expression(TmlHelpPage *p)
{
    tml_page_heading(p, "expressions", "language");
    tml_page_paragraph(p, expression_text);
    tml_page_example(p, expression_example);
}

static void show_units(TmlHelpPage *p)
{
    char list[1024] = "Known: ";
    size_t n = strlen(list);
    for (int k = 0; tml_unit_name(k) != NULL && n < sizeof list; ++k) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? ", " : "",
                              tml_unit_name(k));
    }
    tml_page_heading(p, "units", "language");
    tml_page_paragraph(p, units_text);
    tml_page_paragraph(p, list);
    tml_page_example(p, "parameters: {speed: 3000 rpm, k: 400 N/mm, swing: 30 deg}\n");
}

typedef struct Topic {
    const char *name, *text;
    void (*show)(TmlHelpPage *p);
} Topic;

static const Topic topics[] = {
    {"expressions", "how formulas are written", show_expression},
    {"units", "units after numbers", show_units},
    {"for", "repeating entries", show_for},
    {"rotation", "ways to write an orientation", show_rotation},
    {"shape", "shapes for pictures and contacts", show_shapes},
    {"parts", "finite-element parts for 'trammel reduce'", tml_help_part},
};

enum { N_TOPICS = sizeof topics / sizeof *topics };

typedef struct FunctionSearch {
    TmlHelpPage *page;
    const char *wanted; /* NULL: all, as a table or list */
} FunctionSearch;

static void visit_function(void *arg, const char *name, const char *signature, const char *text)
{
    FunctionSearch *s = arg;
    if (s->wanted != NULL && strcasecmp(s->wanted, name) == 0) {
        tml_page_heading(s->page, name, "function");
        tml_textbuf_add(&s->page->text, "  %s\n", signature);
        tml_page_paragraph(s->page, text);
    } else if (s->wanted == NULL && s->page->markdown) {
        tml_textbuf_add(&s->page->text, "| `%s` | ", signature);
        tml_page_cell(s->page, text);
        tml_textbuf_put(&s->page->text, " |\n");
    } else if (s->wanted == NULL) {
        tml_page_item(s->page, name, text);
    }
}

static void show_topic(TmlHelpPage *p, const char *wanted)
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
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        if (strcmp(tml_flex_types[k]->info.name, wanted) == 0) {
            show_flex(p, tml_flex_types[k]);
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
    ContactSearch shapes = {.page = p, .wanted = wanted};
    visit_contacts(visit_contact, &shapes);
    FunctionSearch search = {p, wanted};
    tml_expr_functions(visit_function, &search);
    tml_binding_functions(visit_function, &search);
}

/* --- lists ----------------------------------------------------------------------------------- */

static void list_all(TmlHelpPage *p)
{
    tml_textbuf_put(&p->text, "Topics of trammel help:\n\nsections of a model\n");
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        char line[TML_NAME_MAX];
        const size_t n = strcspn(s->text, ".:;");
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), s->text);
        tml_page_item(p, s->name, line);
    }
    for (int k = 0; k < N_TOPICS; ++k) {
        tml_page_item(p, topics[k].name, topics[k].text);
    }
    tml_page_item(p, "datasets", "which statements of Adams datasets and command files are read");
    tml_page_item(p, "reference", "all elements and functions as one page in Markdown");
    tml_textbuf_put(&p->text, "\nbodies\n");
    for (int k = 0; tml_body_types[k] != NULL; ++k) {
        tml_page_item(p, tml_body_types[k]->info.name, tml_body_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\nflexible bodies\n");
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        tml_page_item(p, tml_flex_types[k]->info.name, tml_flex_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\njoints\n");
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        tml_page_item(p, tml_constraint_types[k]->info.name, tml_constraint_types[k]->info.text);
    }
    tml_textbuf_put(&p->text, "\nforces\n");
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        tml_page_item(p, tml_force_types[k]->info.name, tml_force_types[k]->info.text);
    }
    static const struct {
        const char *title, *family;
    } families[] = {{"shapes", "shape"},
                    {"laws of contact", "law of contact"},
                    {"laws of friction", "law of friction"},
                    {"laws of rolling resistance", "law of rolling"}};
    for (size_t k = 0; k < sizeof families / sizeof *families; ++k) {
        ContactSearch shapes = {.page = p, .family = families[k].family, .list = true};
        tml_textbuf_add(&p->text, "\n%s\n", families[k].title);
        visit_contacts(visit_contact, &shapes);
    }
    tml_textbuf_put(&p->text, "\nintegrators\n");
    tml_page_item(p, tml_auto_info.name, tml_auto_info.text);
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        tml_page_item(p, tml_integrator_types[k]->info.name, tml_integrator_types[k]->info.text);
    }
    FunctionSearch all = {p, NULL};
    tml_textbuf_put(&p->text, "\nmathematics in expressions\n");
    tml_expr_functions(visit_function, &all);
    tml_textbuf_put(&p->text, "\nfunctions of the model's state\n");
    tml_binding_functions(visit_function, &all);
}

static void write_reference(TmlHelpPage *p)
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
    tml_textbuf_put(&p->text, "\n## Flexible bodies\n");
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        show_flex(p, tml_flex_types[k]);
    }
    tml_textbuf_put(&p->text, "\n## Joints\n");
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        show_element(p, &tml_constraint_types[k]->info, tml_constraint_types[k]->ends, "joints");
    }
    tml_textbuf_put(&p->text, "\n## Forces\n");
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        show_element(p, &tml_force_types[k]->info, tml_force_types[k]->ends, "forces");
    }
    ContactSearch shapes = {.page = p, .family = "shape"};
    tml_textbuf_put(&p->text, "\n## Shapes\n");
    visit_contacts(visit_contact, &shapes);
    tml_textbuf_put(&p->text, "\n## Laws of contact\n");
    shapes.family = "law of contact";
    visit_contacts(visit_contact, &shapes);
    tml_textbuf_put(&p->text, "\n## Laws of friction\n");
    shapes.family = "law of friction";
    visit_contacts(visit_contact, &shapes);
    tml_textbuf_put(&p->text, "\n## Laws of rolling resistance\n");
    shapes.family = "law of rolling";
    visit_contacts(visit_contact, &shapes);
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

static void words_contact(void *arg, const TmlTypeInfo *info, const TmlKey *axis,
                          const char *family)
{
    (void)axis, (void)family;
    words_add(arg, info->name);
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
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        words_add(&w, tml_flex_types[k]->info.name);
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
    visit_contacts(words_contact, &w);
    tml_expr_functions(words_visit, &w);
    tml_binding_functions(words_visit, &w);
    const char *near = tml_nearest(topic, w.word, w.n);
    return tml_fail(err, TML_E_ARGUMENT, "no help on '%s'%s%s%s", topic,
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "; 'trammel help' lists the topics");
}

TmlStatus tml_help(const char *topic, char **out, TmlError *err)
{
    TmlHelpPage page = {0};
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
