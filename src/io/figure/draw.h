/* io/figure/draw.h - a page to draw on: paths, text and clipping, as SVG or as a picture.
 *
 * x goes right, y down, both from the upper left corner. A path is built by move, line and circle
 * and used up by stroke or fill. Failures (memory) are remembered and reported at the end.
 */
#pragma once

#include "trammel/base.h"

typedef struct TmlPen {
    uint32_t color; /* 0xrrggbb */
    double width;
    int n_dash;     /* 0: a full line */
    double dash[4]; /* lengths of strokes and gaps in turn */
} TmlPen;

typedef enum TmlAnchor { TML_ANCHOR_START, TML_ANCHOR_MIDDLE, TML_ANCHOR_END } TmlAnchor;

typedef struct TmlFont {
    double size;
    uint32_t color;
    TmlAnchor anchor;
    bool bold;
    bool upwards; /* turned by a quarter to the left */
    bool formula; /* digits after ^ are raised: m/s^2, 10^-3 */
} TmlFont;

typedef struct TmlPage TmlPage;

typedef struct TmlPageKind {
    void (*move)(TmlPage *page, double x, double y);
    void (*line)(TmlPage *page, double x, double y);
    void (*circle)(TmlPage *page, double x, double y, double r);
    void (*stroke)(TmlPage *page, const TmlPen *pen);
    void (*fill)(TmlPage *page, uint32_t color, const char *note); /* note: on rest; may be NULL */
    void (*text)(TmlPage *page, double x, double y, const TmlFont *font, const char *text);
    void (*clip)(TmlPage *page, double x, double y, double w, double h);
    void (*unclip)(TmlPage *page);
} TmlPageKind;

struct TmlPage {
    const TmlPageKind *kind;
    double width, height;
};

/* A page of text; tml_svg_end frees it. NULL: out of memory. */
TmlPage *tml_svg_begin(double width, double height, uint32_t paper);
TML_NODISCARD TmlStatus tml_svg_end(TmlPage *page, char **out, TmlError *err);

/* A picture of `scale` pixels a unit; tml_png_end frees it. NULL: out of memory, or too large.
 * Without cairo tml_png_end is the place where that is told, and page is NULL there. */
bool tml_png_exists(void);
/* Loads cairo: before the first tml_png_begin. Without cairo tml_png_end tells. */
TML_NODISCARD TmlStatus tml_png_ready(TmlError *err);
TmlPage *tml_png_begin(double width, double height, uint32_t paper, double scale);
TML_NODISCARD TmlStatus tml_png_end(TmlPage *page, char **out, size_t *size, TmlError *err);

/* --- text ---------------------------------------------------------------------------------- */

enum { TML_LINE_MAX = 512 };

/* Text that can stand on a page: what is not UTF-8 becomes U+FFFD, control characters a space; cut
 * with an ellipsis to at most `width` units (0: any) at that size. */
void tml_text_fit(const char *text, double size, double width, char out[TML_LINE_MAX]);

/* Width of a text in a usual sans-serif font, rather too much than too little. */
double tml_text_width(const char *text, double size);

/* The next run of a formula: returns its length in bytes and sets *raised and, past the mark ^, its
 * start; 0: the end. */
int tml_text_run(const char **at, bool *raised);
