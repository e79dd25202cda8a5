/* io/report/viewer.c - the page of reports as it was built, inside of the library.
 *
 * cmake/viewer.cmake defines TML_VIEWER_HTML when the page is there; the assembler takes the file
 * as it is.
 */
#include "io/report/viewer.h"

#ifdef TML_VIEWER_HTML

__asm__(".section .rodata\n"
        ".global tml_viewer_begin\n"
        ".hidden tml_viewer_begin\n"
        ".global tml_viewer_end\n"
        ".hidden tml_viewer_end\n"
        "tml_viewer_begin:\n"
        ".incbin \"" TML_VIEWER_HTML "\"\n"
        "tml_viewer_end:\n"
        ".byte 0\n"
        ".text\n");

extern const char tml_viewer_begin[], tml_viewer_end[];

const char *tml_viewer_text(void)
{
    return tml_viewer_begin;
}

size_t tml_viewer_size(void)
{
    return (size_t)(tml_viewer_end - tml_viewer_begin);
}

#else

const char *tml_viewer_text(void)
{
    return "";
}

size_t tml_viewer_size(void)
{
    return 0;
}

#endif
