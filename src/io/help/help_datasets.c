/* io/help/help_datasets.c - which statements of Adams datasets and command files are read, for the guide. */
#include <string.h>

#include "adams/adams.h"
#include "adams/commands/commands.h"
#include "io/help/help_datasets.h"

static void add_row(void *arg, const char *name, const char *use, const char *text)
{
    tml_textbuf_add(arg, "| `%s` | %s | %s |\n", name, use, text);
}

typedef struct Groups {
    TmlTextBuf *out;
    const char *group; /* of the row under way; NULL: none */
} Groups;

static void add_function(void *arg, const char *group, const char *name)
{
    Groups *g = arg;
    const bool same = g->group != NULL && strcmp(g->group, group) == 0;
    if (same) {
        tml_textbuf_add(g->out, ", `%s`", name);
    } else {
        tml_textbuf_add(g->out, "%s| %s | `%s`", g->group != NULL ? " |\n" : "", group, name);
    }
    g->group = group;
}

void tml_help_datasets(TmlTextBuf *out)
{
    static const char head[] = "| | | |\n|---|---|---|\n";
    Groups groups = {out, NULL};
    tml_textbuf_put(out,
                    "## Statements\n\nWritten by `trammel help datasets` from the tables of the "
                    "reader.\n\n");
    tml_textbuf_put(out, head);
    tml_adams_statements(add_row, out);
    tml_textbuf_put(out, "\n## Commands\n\nStatements of a dataset may be among the commands.\n\n");
    tml_textbuf_put(out, head);
    tml_adm_commands_list(add_row, out);
    tml_textbuf_put(out, "\n## Functions\n\n| | |\n|---|---|\n");
    tml_adams_functions(add_function, &groups);
    tml_textbuf_put(out,
                    " |\n| names | `TIME`, `MODE`, `PI`, `DTOR`, `RTOD`; in `FE_LOAD` `S` |\n");
}
