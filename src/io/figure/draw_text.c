/* io/figure/draw_text.c - text on a page: what is shown of it, and how wide it is. */
#include "io/figure/draw.h"

#include <stdio.h>
#include <string.h>

/* Widths of the characters from the space to ~ in Helvetica, in thousandths of the size. */
static const short widths[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

// other fonts that stand in for Helvetica are up to an eighth wider
static const double slack = 1.13;
static const char unknown[] = "\xef\xbf\xbd", ellipsis[] = "\xe2\x80\xa6";

/* Bytes of the UTF-8 character at c, and its number; 0: not one. */
static int character(const char *c, uint32_t *code)
{
    const unsigned char *u = (const unsigned char *)c;
    const int n = u[0] < 0x80   ? 1
                  : u[0] < 0xc2 ? 0
                  : u[0] < 0xe0 ? 2
                  : u[0] < 0xf0 ? 3
                  : u[0] < 0xf5 ? 4
                                : 0;
    static const unsigned char mask[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    *code = u[0] & mask[n];
    for (int k = 1; k < n; ++k) {
        if ((u[k] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (u[k] & 0x3f);
    }
    const bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return n > 0 && *code >= least[n] && *code <= 0x10ffff && !surrogate ? n : 0;
}

static double character_width(uint32_t code)
{
    if (code >= ' ' && code <= '~') {
        return widths[code - ' '] / 1000.0;
    }
    return code < 0x1100 || (code >= 0x2000 && code < 0x2e80) ? 0.6 : 1.0; // ideographs, emoji
}

double tml_text_width(const char *text, double size)
{
    double width = 0.0;
    while (*text != '\0') {
        uint32_t code;
        const int n = character(text, &code);
        width += n > 0 ? character_width(code) : 1.0;
        text += n > 0 ? n : 1;
    }
    return slack * size * width;
}

void tml_text_fit(const char *text, double size, double width, char out[TML_LINE_MAX])
{
    const double room = width / (slack * size), tail = character_width(0x2026);
    double used = 0.0;
    size_t n = 0, kept = 0; // kept: where an ellipsis still fits
    bool cut = false;
    while (*text != '\0' && !cut) {
        uint32_t code;
        const int bytes = character(text, &code);
        const bool control = bytes == 1 && (code < 0x20 || code == 0x7f);
        const char *from = bytes == 0 ? unknown : control ? " " : text;
        const size_t add = bytes == 0 ? strlen(unknown) : (size_t)bytes;
        used += bytes > 0 ? character_width(code) : 1.0;
        cut = n + add + sizeof ellipsis > TML_LINE_MAX || (width > 0.0 && used > room);
        if (!cut) {
            memcpy(out + n, from, add);
            n += add;
            kept = used + tail <= room || width <= 0.0 ? n : kept;
            text += bytes > 0 ? bytes : 1;
        }
    }
    out[cut ? kept : n] = '\0';
    if (cut) {
        snprintf(out + kept, TML_LINE_MAX - kept, "%s", ellipsis);
    }
}

int tml_text_run(const char **at, bool *raised)
{
    const char *c = *at;
    *raised = c[0] == '^' && strspn(c + 1, "-0123456789") > 0;
    if (*raised) {
        *at = c + 1;
        return (int)strspn(*at, "-0123456789");
    }
    int n = c[0] != '\0';
    while (c[n] != '\0' && !(c[n] == '^' && strspn(c + n + 1, "-0123456789") > 0)) {
        n++;
    }
    return n;
}
