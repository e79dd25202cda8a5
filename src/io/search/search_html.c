/* io/search/search_html.c - the page of fits and optimisations (viewer/study/search.html), inside of the library; the assembler takes the
 * file as it is. */
#include "io/search/search_html.h"

__asm__(".section .rodata\n"
        ".global tml_search_html\n"
        ".hidden tml_search_html\n"
        "tml_search_html:\n"
        ".incbin \"" TML_SEARCH_HTML "\"\n"
        ".byte 0\n"
        ".text\n");
