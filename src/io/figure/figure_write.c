/* io/figure/figure_write.c - a figure as SVG or PNG, in memory or as a file. */
#include "base/fail.h"
#include "io/figure/figure.h"
#include "trammel/io.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static TmlPage *svg_begin(double width, double height, uint32_t paper, double scale)
{
    (void)scale; // SVG has no pixels
    return tml_svg_begin(width, height, paper);
}

TmlStatus tml_figure_svg(const TmlFigure *figure, char **out, TmlError *err)
{
    TmlPage *page;
    *out = NULL;
    TML_TRY(tml_figure_draw(figure, svg_begin, &page, err));
    return tml_svg_end(page, out, err);
}

bool tml_figure_has_png(void)
{
    return tml_png_exists();
}

TmlStatus tml_figure_png(const TmlFigure *figure, char **out, size_t *size, TmlError *err)
{
    TmlPage *page;
    *out = NULL;
    *size = 0;
    TML_TRY(tml_png_ready(err));
    TML_TRY(tml_figure_draw(figure, tml_png_begin, &page, err));
    return tml_png_end(page, out, size, err);
}

TmlStatus tml_figure_write(const TmlFigure *figure, const char *path, TmlError *err)
{
    const char *dot = strrchr(path, '.');
    const bool svg = dot != NULL && strcasecmp(dot, ".svg") == 0;
    char *bytes = NULL;
    size_t size = 0;
    if (svg) {
        TML_TRY(tml_figure_svg(figure, &bytes, err));
        size = strlen(bytes);
    } else if (dot != NULL && strcasecmp(dot, ".png") == 0) {
        TML_TRY(tml_figure_png(figure, &bytes, &size, err));
    } else {
        return tml_fail(err, TML_E_ARGUMENT, "the name of a figure ends in .svg or .png, not '%s'",
                        path);
    }
    const TmlStatus status = tml_file_write(path, bytes, size, err);
    tml_text_free(bytes);
    return status;
}
