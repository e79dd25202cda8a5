/* io/help/help_page.h - a page of help that grows line by line; internal to help. */
#pragma once

#include "io/text/textbuf.h"
#include "model/read/sections.h"

typedef struct TmlHelpPage {
    TmlTextBuf text;
    bool markdown; /* of the reference; else plain text for the terminal */
    int hits;      /* things shown */
} TmlHelpPage;

void tml_page_heading(TmlHelpPage *p, const char *name, const char *family);
void tml_page_paragraph(TmlHelpPage *p, const char *text);
void tml_page_example(TmlHelpPage *p, const char *text);
/* One line of the list of topics: programs read it by its first words. */
void tml_page_item(TmlHelpPage *p, const char *name, const char *text);
/* Text of a table's cell. */
void tml_page_cell(TmlHelpPage *p, const char *text);

/* Tables; nothing where a list is NULL or empty. */
void tml_page_keys(TmlHelpPage *p, const char *title, const TmlKey *keys);
void tml_page_params(TmlHelpPage *p, const char *title, const TmlParam *params);
void tml_page_outputs(TmlHelpPage *p, const TmlOutput *outputs);
