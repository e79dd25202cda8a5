/* io/figure/draw_png.c - a page as a PNG picture, drawn by cairo.
 *
 * Without cairo (TML_CAIRO is 0) there is no such page, and the caller is told what to install.
 */
#include "base/arena.h"
#include "base/fail.h"
#include "io/figure/draw.h"

#if TML_CAIRO

#include "io/lazy/cairo_calls.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_MAX = 32767 }; // cairo's own limit of a picture

typedef struct PngPage {
    TmlPage page; // first: a TmlPage is one of these
    cairo_surface_t *surface;
    cairo_t *cr;
    char *bytes; // of the file
    int n, cap;
} PngPage;

static cairo_t *cr_of(TmlPage *page)
{
    return ((PngPage *)page)->cr;
}

static void set_color(cairo_t *cr, uint32_t color)
{
    cairo_set_source_rgb(cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0);
}

static void png_move(TmlPage *page, double x, double y)
{
    cairo_move_to(cr_of(page), x, y);
}

static void png_line(TmlPage *page, double x, double y)
{
    cairo_line_to(cr_of(page), x, y);
}

static void png_circle(TmlPage *page, double x, double y, double r)
{
    cairo_new_sub_path(cr_of(page));
    cairo_arc(cr_of(page), x, y, r, 0.0, 2.0 * acos(-1.0));
    cairo_close_path(cr_of(page));
}

static void png_stroke(TmlPage *page, const TmlPen *pen)
{
    cairo_t *cr = cr_of(page);
    set_color(cr, pen->color);
    cairo_set_line_width(cr, pen->width);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cr, pen->dash, pen->n_dash, 0.0);
    cairo_stroke(cr);
}

static void png_fill(TmlPage *page, uint32_t color, const char *note)
{
    (void)note; // a picture has no place for it
    set_color(cr_of(page), color);
    cairo_fill(cr_of(page));
}

/* Draws the runs of a text from the current point on, or only adds their widths. */
static double show_runs(cairo_t *cr, const TmlFont *font, const char *text, bool show)
{
    bool raised = false;
    double width = 0.0;
    for (int n; (n = font->formula ? tml_text_run(&text, &raised) : (int)strlen(text)) > 0;
         text += n) {
        char run[TML_LINE_MAX + 4];
        const bool minus = raised && text[0] == '-';
        snprintf(run, sizeof run, "%s%.*s", minus ? "\xe2\x88\x92" : "", n - minus, text + minus);
        cairo_text_extents_t extents;
        cairo_set_font_size(cr, raised ? 0.75 * font->size : font->size);
        cairo_text_extents(cr, run, &extents);
        if (show) {
            cairo_move_to(cr, width, raised ? -0.34 * font->size : 0.0);
            cairo_show_text(cr, run);
        }
        width += extents.x_advance;
    }
    return width;
}

static void png_text(TmlPage *page, double x, double y, const TmlFont *font, const char *text)
{
    cairo_t *cr = cr_of(page);
    char line[TML_LINE_MAX];
    tml_text_fit(text, 1.0, 0.0, line);
    cairo_select_font_face(cr, "Helvetica", CAIRO_FONT_SLANT_NORMAL,
                           font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    const double width = show_runs(cr, font, line, false);
    const double part = font->anchor == TML_ANCHOR_START    ? 0.0
                        : font->anchor == TML_ANCHOR_MIDDLE ? 0.5
                                                            : 1.0;
    cairo_save(cr);
    cairo_translate(cr, x, y);
    if (font->upwards) {
        cairo_rotate(cr, -0.5 * acos(-1.0));
    }
    cairo_translate(cr, -part * width, 0.0);
    set_color(cr, font->color);
    (void)show_runs(cr, font, line, true);
    cairo_restore(cr);
    cairo_new_path(cr);
}

static void png_clip(TmlPage *page, double x, double y, double w, double h)
{
    cairo_t *cr = cr_of(page);
    cairo_save(cr);
    cairo_rectangle(cr, x, y, w, h);
    cairo_clip(cr);
}

static void png_unclip(TmlPage *page)
{
    cairo_restore(cr_of(page));
}

static const TmlPageKind png_kind = {
    .move = png_move,
    .line = png_line,
    .circle = png_circle,
    .stroke = png_stroke,
    .fill = png_fill,
    .text = png_text,
    .clip = png_clip,
    .unclip = png_unclip,
};

bool tml_png_exists(void)
{
    return true;
}

TmlStatus tml_png_ready(TmlError *err)
{
    return tml_cairo_ready(err);
}

TmlPage *tml_png_begin(double width, double height, uint32_t paper, double scale)
{
    PngPage *p = NULL;
    if (width * scale <= SIDE_MAX && height * scale <= SIDE_MAX) {
        p = tml_mem_zalloc(1, sizeof *p);
    }
    if (p == NULL) {
        return NULL;
    }
    p->page = (TmlPage){&png_kind, width, height};
    p->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * scale),
                                            (int)lround(height * scale));
    p->cr = cairo_create(p->surface);
    cairo_scale(p->cr, scale, scale);
    set_color(p->cr, paper);
    cairo_paint(p->cr);
    return &p->page;
}

static cairo_status_t add_bytes(void *user, const unsigned char *data, unsigned length)
{
    PngPage *p = user;
    if (!tml_mem_grow((void **)&p->bytes, &p->cap, p->n + (int)length, 1)) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    memcpy(p->bytes + p->n, data, length);
    p->n += (int)length;
    return CAIRO_STATUS_SUCCESS;
}

TmlStatus tml_png_end(TmlPage *page, char **out, size_t *size, TmlError *err)
{
    PngPage *p = (PngPage *)page;
    *out = NULL;
    *size = 0;
    if (p == NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "no memory for the picture, or more than %d pixels wide or high", SIDE_MAX);
    }
    cairo_status_t status = cairo_status(p->cr);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(p->surface, add_bytes, p);
    }
    cairo_destroy(p->cr);
    cairo_surface_destroy(p->surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        *out = p->bytes;
        *size = (size_t)p->n;
    } else {
        tml_mem_free(p->bytes);
    }
    tml_mem_free(p);
    return status == CAIRO_STATUS_SUCCESS
               ? TML_OK
               : tml_fail(err, TML_E_NOMEM, "cannot draw the picture: %s",
                          cairo_status_to_string(status));
}

#else

bool tml_png_exists(void)
{
    return false;
}

TmlStatus tml_png_ready(TmlError *err)
{
    (void)err;
    return TML_OK;
}

TmlPage *tml_png_begin(double width, double height, uint32_t paper, double scale)
{
    (void)width, (void)height, (void)paper, (void)scale;
    return NULL;
}

TmlStatus tml_png_end(TmlPage *page, char **out, size_t *size, TmlError *err)
{
    (void)page;
    *out = NULL;
    *size = 0;
    return tml_fail(err, TML_E_ARGUMENT,
                    "this trammel was built without PNG support; use .svg, or install cairo "
                    "(libcairo2-dev) and build it again");
}

#endif
