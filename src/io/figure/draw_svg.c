/* io/figure/draw_svg.c - a page as SVG text. */
#include "base/arena.h"
#include "base/fail.h"
#include "io/figure/draw.h"
#include "io/text/textbuf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct SvgPage {
    TmlPage page; // first: a TmlPage is one of these
    TmlTextBuf text, path;
    int clips;
} SvgPage;

/* A coordinate: at most two decimals, a point in every locale. */
static const char *px(double x, char out[TML_NUMBER_MAX])
{
    const double rounded = round(100.0 * fmax(-1e6, fmin(1e6, x))) / 100.0;
    snprintf(out, TML_NUMBER_MAX, "%.10g", rounded + 0.0); // no -0
    char *comma = strchr(out, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    return out;
}

static void put_xy(TmlTextBuf *b, char what, double x, double y)
{
    char tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX];
    tml_textbuf_add(b, "%c%s,%s", what, px(x, tx), px(y, ty));
}

static void svg_move(TmlPage *page, double x, double y)
{
    put_xy(&((SvgPage *)page)->path, 'M', x, y);
}

static void svg_line(TmlPage *page, double x, double y)
{
    put_xy(&((SvgPage *)page)->path, 'L', x, y);
}

static void svg_circle(TmlPage *page, double x, double y, double r)
{
    TmlTextBuf *b = &((SvgPage *)page)->path;
    char tr[TML_NUMBER_MAX], td[TML_NUMBER_MAX];
    px(r, tr);
    px(2.0 * r, td);
    put_xy(b, 'M', x - r, y);
    tml_textbuf_add(b, "a%s,%s 0 1,0 %s,0a%s,%s 0 1,0 -%s,0", tr, tr, td, tr, tr, td);
}

/* The path that was built, as the beginning of an element; false: there is none. */
static bool open_path(SvgPage *s)
{
    if (s->path.n == 0) {
        return false;
    }
    tml_textbuf_put(&s->text, "<path d=\"");
    tml_textbuf_put(&s->text, s->path.at);
    s->text.failed = s->text.failed || s->path.failed;
    s->path.n = 0;
    return true;
}

static void svg_stroke(TmlPage *page, const TmlPen *pen)
{
    SvgPage *s = (SvgPage *)page;
    char number[TML_NUMBER_MAX];
    if (!open_path(s)) {
        return;
    }
    tml_textbuf_add(&s->text, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\"",
                    (unsigned)pen->color, px(pen->width, number));
    for (int k = 0; k < pen->n_dash; ++k) {
        tml_textbuf_add(&s->text, "%s%s", k == 0 ? " stroke-dasharray=\"" : " ",
                        px(pen->dash[k], number));
    }
    tml_textbuf_put(&s->text, pen->n_dash > 0 ? "\"/>\n" : "/>\n");
}

/* Text so that it cannot be taken for markup. */
static void put_escaped(TmlTextBuf *b, const char *text, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        switch (text[k]) {
        case '&':
            tml_textbuf_put(b, "&amp;");
            break;
        case '<':
            tml_textbuf_put(b, "&lt;");
            break;
        case '>':
            tml_textbuf_put(b, "&gt;");
            break;
        case '"':
            tml_textbuf_put(b, "&quot;");
            break;
        default:
            tml_textbuf_add(b, "%c", text[k]);
        }
    }
}

static void svg_fill(TmlPage *page, uint32_t color, const char *note)
{
    SvgPage *s = (SvgPage *)page;
    if (!open_path(s)) {
        return;
    }
    tml_textbuf_add(&s->text, "Z\" fill=\"#%06x\"", (unsigned)color);
    if (note == NULL) {
        tml_textbuf_put(&s->text, "/>\n");
        return;
    }
    char line[TML_LINE_MAX];
    tml_text_fit(note, 1.0, 0.0, line);
    tml_textbuf_put(&s->text, "><title>");
    put_escaped(&s->text, line, strlen(line));
    tml_textbuf_put(&s->text, "</title></path>\n");
}

/* Raised runs of a formula, with a true minus. */
static void put_formula(TmlTextBuf *b, const char *text)
{
    bool raised = false, was = false;
    for (int n; (n = tml_text_run(&text, &raised)) > 0; text += n) {
        if (raised) {
            tml_textbuf_put(b, "<tspan dy=\"-0.45em\" font-size=\"75%\">");
            const bool minus = text[0] == '-';
            tml_textbuf_add(b, "%s%.*s</tspan>", minus ? "\xe2\x88\x92" : "", n - minus,
                            text + minus);
        } else {
            tml_textbuf_put(b, was ? "<tspan dy=\"0.34em\">" : ""); // 0.45 of three quarters, back
            put_escaped(b, text, (size_t)n);
            tml_textbuf_put(b, was ? "</tspan>" : "");
        }
        was = raised;
    }
}

static void svg_text(TmlPage *page, double x, double y, const TmlFont *font, const char *text)
{
    static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    TmlTextBuf *b = &((SvgPage *)page)->text;
    char line[TML_LINE_MAX], tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX], size[TML_NUMBER_MAX];
    px(x, tx);
    px(y, ty);
    tml_textbuf_add(b, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" fill=\"#%06x\"%s%s", tx, ty,
                    px(font->size, size), (unsigned)font->color, anchor[font->anchor],
                    font->bold ? " font-weight=\"bold\"" : "");
    if (font->upwards) {
        tml_textbuf_add(b, " transform=\"rotate(-90 %s %s)\"", tx, ty);
    }
    tml_textbuf_put(b, ">");
    tml_text_fit(text, 1.0, 0.0, line);
    if (font->formula) {
        put_formula(b, line);
    } else {
        put_escaped(b, line, strlen(line));
    }
    tml_textbuf_put(b, "</text>\n");
}

static void svg_clip(TmlPage *page, double x, double y, double w, double h)
{
    SvgPage *s = (SvgPage *)page;
    char tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX], tw[TML_NUMBER_MAX], th[TML_NUMBER_MAX];
    const int k = s->clips++;
    tml_textbuf_add(&s->text,
                    "<clipPath id=\"clip%d\"><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>"
                    "</clipPath>\n<g clip-path=\"url(#clip%d)\" stroke-linejoin=\"round\">\n",
                    k, px(x, tx), px(y, ty), px(w, tw), px(h, th), k);
}

static void svg_unclip(TmlPage *page)
{
    tml_textbuf_put(&((SvgPage *)page)->text, "</g>\n");
}

static const TmlPageKind svg_kind = {
    .move = svg_move,
    .line = svg_line,
    .circle = svg_circle,
    .stroke = svg_stroke,
    .fill = svg_fill,
    .text = svg_text,
    .clip = svg_clip,
    .unclip = svg_unclip,
};

TmlPage *tml_svg_begin(double width, double height, uint32_t paper)
{
    SvgPage *s = tml_mem_zalloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->page = (TmlPage){&svg_kind, width, height};
    char w[TML_NUMBER_MAX], h[TML_NUMBER_MAX];
    px(width, w);
    px(height, h);
    tml_textbuf_add(&s->text,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "
                    "viewBox=\"0 0 %s %s\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                    "sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                    w, h, w, h, (unsigned)paper);
    return &s->page;
}

TmlStatus tml_svg_end(TmlPage *page, char **out, TmlError *err)
{
    SvgPage *s = (SvgPage *)page;
    *out = NULL;
    if (s == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a figure");
    }
    tml_textbuf_put(&s->text, "</svg>\n");
    const TmlStatus status = tml_textbuf_take(&s->text, out, err);
    tml_textbuf_free(&s->path);
    tml_mem_free(s);
    return status;
}
