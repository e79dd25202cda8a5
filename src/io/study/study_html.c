/* io/study/study_html.c - the page of studies (viewer/study/study.html), inside of the library; the assembler takes the
 * file as it is. */
#include "io/study/study_html.h"

__asm__(".section .rodata\n"
        ".global tml_study_html\n"
        ".hidden tml_study_html\n"
        "tml_study_html:\n"
        ".incbin \"" TML_STUDY_HTML "\"\n"
        ".byte 0\n"
        ".text\n");
