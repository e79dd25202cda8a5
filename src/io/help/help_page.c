/* io/help/help_page.c - lines and tables of help, as plain text or as Markdown. */
#include "io/help/help_page.h"

#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 21, TEXT_COLUMN = 25, LINE_WIDTH = 96 };

/* --- lines ------------------------------------------------------------------------------------ */

void tml_page_heading(TmlHelpPage *p, const char *name, const char *family)
{
    p->hits++;
    if (p->markdown) {
        tml_textbuf_add(&p->text, "\n### %s\n\n", name);
    } else {
        tml_textbuf_add(&p->text, "%s%s (%s)\n\n", p->text.n > 0 ? "\n" : "", name, family);
    }
}

/* Words set in at a column, broken at spaces. The first line is at the column already. */
static void wrap(TmlHelpPage *p, const char *text, int column)
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
void tml_page_item(TmlHelpPage *p, const char *name, const char *text)
{
    tml_textbuf_add(&p->text, "  %-*s  %s\n", NAME_WIDTH, name, text);
}

void tml_page_paragraph(TmlHelpPage *p, const char *text)
{
    if (p->markdown) {
        tml_textbuf_add(&p->text, "%s\n", text);
    } else {
        tml_textbuf_put(&p->text, "  ");
        wrap(p, text, 2);
    }
}

static void table_begin(TmlHelpPage *p, const char *title)
{
    if (p->markdown) {
        tml_textbuf_add(&p->text, "\n| %s | unit | default | |\n|---|---|---|---|\n", title);
    } else {
        tml_textbuf_add(&p->text, "\n%s\n", title);
    }
}

/* A bar would end the cell. */
void tml_page_cell(TmlHelpPage *p, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        tml_textbuf_put(&p->text, *c == '|' ? "\\|" : (const char[]){*c, '\0'});
    }
}

/* standard NULL: required; "": absent. */
static void table_row(TmlHelpPage *p, const char *name, const char *unit, const char *standard,
                      const char *text, const char *choices)
{
    const char *by_default = standard == NULL ? "required" : standard;
    const char *words = choices != NULL ? choices : "";
    if (p->markdown) {
        tml_textbuf_add(&p->text, "| `%s` | %s | %s%s%s | ", name, unit,
                        standard != NULL && *standard != '\0' ? "`" : "", by_default,
                        standard != NULL && *standard != '\0' ? "`" : "");
        tml_page_cell(p, text);
        if (*words != '\0') {
            tml_textbuf_put(&p->text, ": ");
            tml_page_cell(p, words);
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

void tml_page_example(TmlHelpPage *p, const char *text)
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

/* --- tables ---------------------------------------------------------------------------------- */

void tml_page_keys(TmlHelpPage *p, const char *title, const TmlKey *keys)
{
    if (keys == NULL || keys->name == NULL) {
        return;
    }
    table_begin(p, title);
    for (const TmlKey *k = keys; k->name != NULL; ++k) {
        table_row(p, k->name, k->unit, k->standard, k->text, k->choices);
    }
}

void tml_page_params(TmlHelpPage *p, const char *title, const TmlParam *params)
{
    if (params == NULL || params->name == NULL) {
        return;
    }
    table_begin(p, title);
    for (const TmlParam *q = params; q->name != NULL; ++q) {
        table_row(p, q->name, q->unit, q->standard, q->text, q->choices);
    }
}

void tml_page_outputs(TmlHelpPage *p, const TmlOutput *outputs)
{
    if (outputs == NULL || outputs->name == NULL) {
        return;
    }
    table_begin(p, "outputs");
    for (const TmlOutput *o = outputs; o->name != NULL; ++o) {
        table_row(p, o->name, o->unit, "", o->text, NULL);
    }
}
