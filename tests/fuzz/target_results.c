/* tests/fuzz/target_results.c - HDF5 files given to commands that read results. */
#include "results.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 16, CHANNELS = 10, ROWS = 1 << 14, PANELS = 4 };

/* --- drawing --------------------------------------------------------------------------------- */

typedef struct Curve {
    double *time, *value;
} Curve;

/* Reads some channels of all kinds. */
static int read_curves(TmlChannels *c, Curve *curve, TmlSeries *series)
{
    const int count = tml_channels_count(c), stride = count / CHANNELS + 1;
    int used = 0;
    for (int k = 0; k < count; k += stride) {
        const TmlChannelInfo info = tml_channels_info(c, k);
        if (info.rows < 0 || info.rows > ROWS) {
            continue;
        }
        TmlError err = {0};
        Curve *at = &curve[used];
        const size_t room = ((size_t)info.rows + 1) * sizeof(double);
        at->time = malloc(room);
        at->value = malloc(room);
        const TmlStatus status = tml_channels_read(c, k, at->time, at->value, &err);
        fuzz_check(status, &err);
        if (status != TML_OK) {
            free(at->time);
            free(at->value);
            continue;
        }
        series[used++] =
            (TmlSeries){.name = info.name, .n = (int)info.rows, .x = at->time, .y = at->value};
    }
    return used;
}

/* Draws one panel for four channels, every second one logarithmic. */
static void draw_series(const TmlChannels *c, int n, const TmlSeries *series)
{
    TmlPlot plot[CHANNELS / PANELS + 1];
    TmlFigure figure = tml_figure_default();
    TmlError err = {0};
    char *text = NULL;
    for (int k = 0; k < n; k += PANELS) {
        TmlPlot *p = &plot[figure.n_plots];
        *p = tml_plot_default();
        p->series = series + k;
        p->n_series = n - k < PANELS ? n - k : PANELS;
        p->y.log = figure.n_plots % 2 != 0;
        p->y.label = series[k].name;
        figure.n_plots++;
    }
    figure.plots = plot;
    figure.title = tml_channels_title(c);
    figure.share_x = true;
    fuzz_check(tml_figure_svg(&figure, &text, &err), &err);
    tml_text_free(text);
}

void fuzz_draw(const char *path)
{
    TmlChannels *c = NULL;
    TmlError err = {0};
    Curve curve[CHANNELS];
    TmlSeries series[CHANNELS];
    const TmlStatus status = tml_channels_open(path, &c, &err);
    fuzz_check(status, &err);
    if (status != TML_OK) {
        return;
    }
    const int used = read_curves(c, curve, series);
    if (used > 0) {
        draw_series(c, used, series);
    }
    (void)tml_channels_unknown(c, "nothing", &err);
    for (int k = 0; k < used; ++k) {
        free(curve[k].time);
        free(curve[k].value);
    }
    tml_channels_free(c);
}

/* --- targets --------------------------------------------------------------------------------- */

/* Checks that nothing of HDF5 stays open. */
static void check_closed(void)
{
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0) {
        hid_t id[8];
        char name[256] = "";
        const ssize_t n = H5Fget_obj_ids((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL, 8, id);
        for (ssize_t k = 0; k < n; ++k) {
            H5Iget_name(id[k], name, sizeof name);
        }
        fuzz_wrong("left open", name);
    }
}

void fuzz_plot(const uint8_t *data, size_t size)
{
    if (size <= LONGEST) {
        fuzz_draw(fuzz_results(data, size));
        check_closed();
    }
}

void fuzz_report(const uint8_t *data, size_t size)
{
    static bool there;
    static const char page[] = "<html><!--TRAMMEL-DATA--></html>\n";
    if (size > LONGEST) {
        return;
    }
    if (!there) {
        (void)fuzz_write("page.html", page, sizeof page - 1);
        there = true;
    }
    TmlError err = {0};
    TmlReportOptions o = tml_report_options_default();
    o.viewer = fuzz_beside("page.html");
    fuzz_check(tml_report(fuzz_results(data, size), fuzz_beside("report.html"), &o, &err), &err);
    check_closed();
}

void fuzz_repair(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    char *text = NULL;
    TmlError err = {0};
    fuzz_check(tml_repair(fuzz_results(data, size), &text, &err), &err);
    tml_text_free(text);
    check_closed();
}

void fuzz_export(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    TmlError err = {0};
    int64_t rows;
    int columns;
    const char *path = fuzz_results(data, size);
    fuzz_check(tml_export_csv(path, 0, NULL, true, fuzz_beside("out.csv"), &rows, &columns, &err),
               &err);
    fuzz_check(tml_export_vtk(path, fuzz_beside("vtk"), &rows, &err), &err);
    check_closed();
}
