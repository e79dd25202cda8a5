/* io/export/rail_write.c - contact points and conicity of a wheelset as CSV, JSON and pictures. */
#include "io/text/json.h"

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/trammel.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const char *const side_name[2] = {"left", "right"};

/* Amplitudes of conicities: a step of 0.1 mm. */
static const double amplitude_step = 1e-4;

static int amplitudes_of(const TmlRailTable *t)
{
    const int n = tml_rail_table_rows(t);
    const double high = fmax(tml_rail_table_row(t, n - 1)->y, -tml_rail_table_row(t, 0)->y);
    return (int)(high / amplitude_step * (1.0 + 1e-9));
}

static void csv_text(const TmlRailTable *t, TmlTextBuf *text)
{
    char number[TML_NUMBER_MAX];
    tml_textbuf_put(text, "y,z,roll,delta_r,jump");
    for (int side = 0; side < 2; ++side) {
        const char *s = side_name[side];
        tml_textbuf_add(
            text, ",%s_contacts,%s_wheel_y,%s_wheel_z,%s_rail_y,%s_rail_z,%s_x,%s_angle,%s_radius",
            s, s, s, s, s, s, s, s);
    }
    tml_textbuf_put(text, "\n");
    for (int k = 0; k < tml_rail_table_rows(t); ++k) {
        const TmlRailTableRow *r = tml_rail_table_row(t, k);
        const double head[] = {r->y, r->z, r->roll, r->delta, r->jump};
        for (int c = 0; c < 5; ++c) {
            tml_textbuf_add(text, "%s%s", c > 0 ? "," : "", tml_number_short(head[c], number));
        }
        for (int side = 0; side < 2; ++side) {
            const TmlRailPlace *p = &r->contact[side][0];
            const double x[] = {r->n[side], p->wheel_y, p->wheel_z, p->rail_y,
                                p->rail_z,  p->x,       p->angle,   p->radius};
            for (int c = 0; c < 8; ++c) {
                tml_textbuf_add(text, ",%s", tml_number_short(x[c], number));
            }
        }
        tml_textbuf_put(text, "\n");
    }
}

static void json_contacts(TmlJson *j, const TmlRailTableRow *r)
{
    for (int side = 0; side < 2; ++side) {
        tml_json_open(j, side_name[side], '[');
        for (int k = 0; k < r->n[side]; ++k) {
            const TmlRailPlace *p = &r->contact[side][k];
            tml_json_open(j, NULL, '{');
            tml_json_number(j, "wheel_y", p->wheel_y);
            tml_json_number(j, "wheel_z", p->wheel_z);
            tml_json_number(j, "rail_y", p->rail_y);
            tml_json_number(j, "rail_z", p->rail_z);
            tml_json_number(j, "x", p->x);
            tml_json_number(j, "angle", p->angle);
            tml_json_number(j, "radius", p->radius);
            tml_json_number(j, "gap", p->gap);
            tml_json_close(j);
        }
        tml_json_close(j);
    }
}

static void json_text(const TmlRailTable *t, TmlTextBuf *text)
{
    TmlJson j = {.text = text};
    tml_json_open(&j, NULL, '{');
    tml_json_string(&j, "trammel", TML_VERSION);
    tml_json_string(&j, "left", tml_rail_table_wheel(t, 0));
    tml_json_string(&j, "right", tml_rail_table_wheel(t, 1));
    tml_json_open(&j, "conicity", '[');
    for (int k = 1; k <= amplitudes_of(t); ++k) {
        const double gamma = tml_rail_table_conicity(t, k * amplitude_step);
        if (isfinite(gamma)) {
            tml_json_open(&j, NULL, '{');
            tml_json_number(&j, "amplitude", k * amplitude_step);
            tml_json_number(&j, "tan_gamma_e", gamma);
            tml_json_close(&j);
        }
    }
    tml_json_close(&j);
    tml_json_open(&j, "shifts", '[');
    for (int k = 0; k < tml_rail_table_rows(t); ++k) {
        const TmlRailTableRow *r = tml_rail_table_row(t, k);
        tml_json_open(&j, NULL, '{');
        tml_json_number(&j, "y", r->y);
        tml_json_number(&j, "z", r->z);
        tml_json_number(&j, "roll", r->roll);
        tml_json_number(&j, "delta_r", r->delta);
        tml_json_bool(&j, "jump", r->jump);
        json_contacts(&j, r);
        tml_json_close(&j);
    }
    tml_json_close(&j);
    tml_json_close(&j);
}

/* --- pictures -------------------------------------------------------------------------------- */

enum { PLOTS = 6, MOST_LINES = 64 };

/* The wheel is drawn so far above the rail, m. */
static const double lifted = 0.012;

typedef struct Drawing {
    TmlArena arena;
    TmlPlot plot[PLOTS];
} Drawing;

/* An array of the arena: the k-th number times 1000. */
#define FILL(out, n, expression)                                                                   \
    do {                                                                                           \
        TML_NEW(&d->arena, out, (n) + 1);                                                          \
        for (int k = 0; k < (n); ++k) {                                                            \
            (out)[k] = 1e3 * (expression);                                                         \
        }                                                                                          \
    } while (0)

static TmlStatus draw_radii(const TmlRailTable *t, Drawing *d, TmlError *err)
{
    const int n = tml_rail_table_rows(t), m = amplitudes_of(t);
    double *y, *delta, *amplitude, *gamma;
    TmlSeries *s;
    FILL(y, n, tml_rail_table_row(t, k)->y);
    FILL(delta, n, tml_rail_table_row(t, k)->delta);
    FILL(amplitude, m, (k + 1) * amplitude_step);
    FILL(gamma, m, 1e-3 * tml_rail_table_conicity(t, (k + 1) * amplitude_step));
    TML_NEW(&d->arena, s, 2);
    s[0] = (TmlSeries){.n = n, .x = y, .y = delta};
    s[1] = (TmlSeries){.n = m, .x = amplitude, .y = gamma};
    d->plot[0] = tml_plot_default();
    d->plot[0].title = "Difference of rolling radii";
    d->plot[0].x.label = "lateral shift, mm";
    d->plot[0].y.label = "left - right, mm";
    d->plot[0].series = &s[0];
    d->plot[1] = tml_plot_default();
    d->plot[1].title = "Equivalent conicity";
    d->plot[1].x.label = "amplitude, mm";
    d->plot[1].y.label = "tan(gamma_e)";
    d->plot[1].series = &s[1];
    d->plot[0].n_series = d->plot[1].n_series = 1;
    return TML_OK;
}

/* Profiles of one side, with a line from wheel to rail for each whole millimetre. */
static TmlStatus draw_side(const TmlRailTable *t, int side, Drawing *d, TmlError *err)
{
    TmlSeries *s;
    int n, rows = tml_rail_table_rows(t), lines = 0;
    TML_NEW(&d->arena, s, MOST_LINES + 2);
    for (int wheel = 0; wheel < 2; ++wheel) {
        const double *y = tml_rail_table_profile(t, side, wheel, 0, &n);
        const double *z = tml_rail_table_profile(t, side, wheel, 1, &n);
        double *a, *b;
        FILL(a, n, y[k]);
        FILL(b, n, z[k] + (wheel ? lifted : 0.0));
        s[lines++] = (TmlSeries){.name = wheel ? "wheel" : "rail", .n = n, .x = a, .y = b};
    }
    for (int i = 0; i < rows && lines < MOST_LINES; ++i) {
        const TmlRailTableRow *r = tml_rail_table_row(t, i);
        const TmlRailPlace *p = &r->contact[side][0];
        if (fabs(r->y * 1e3 - round(r->y * 1e3)) < 1e-6) {
            const double ends[2][2] = {{p->rail_y, p->wheel_y}, {p->rail_z, p->wheel_z + lifted}};
            double *a, *b;
            FILL(a, 2, ends[0][k]);
            FILL(b, 2, ends[1][k]);
            s[lines++] = (TmlSeries){.n = 2, .x = a, .y = b, .marks = true};
        }
    }
    TmlPlot *plot = &d->plot[2 + side];
    *plot = tml_plot_default();
    plot->title = side == 0 ? "Contacts of the left wheel" : "Contacts of the right wheel";
    plot->x.label = "y outward, mm";
    plot->y.label = "z, mm";
    plot->series = s;
    plot->n_series = lines;
    return TML_OK;
}

static TmlStatus draw_places(const TmlRailTable *t, int wheel, Drawing *d, TmlError *err)
{
    const int n = tml_rail_table_rows(t);
    double *y, *at;
    TmlSeries *s;
    FILL(y, n, tml_rail_table_row(t, k)->y);
    TML_NEW(&d->arena, s, 2);
    for (int side = 0; side < 2; ++side) {
        FILL(at, n,
             wheel ? tml_rail_table_row(t, k)->contact[side][0].wheel_y
                   : tml_rail_table_row(t, k)->contact[side][0].rail_y);
        s[side] = (TmlSeries){.name = side_name[side], .n = n, .x = y, .y = at};
    }
    TmlPlot *plot = &d->plot[wheel ? 4 : 5];
    *plot = tml_plot_default();
    plot->title = wheel ? "Contact on the wheel" : "Contact on the rail";
    plot->x.label = "lateral shift, mm";
    plot->y.label = "y outward, mm";
    plot->series = s;
    plot->n_series = 2;
    return TML_OK;
}

static TmlStatus draw(const TmlRailTable *t, Drawing *d, TmlError *err)
{
    TML_TRY(draw_radii(t, d, err));
    for (int k = 0; k < 2; ++k) {
        TML_TRY(draw_side(t, k, d, err));
        TML_TRY(draw_places(t, k, d, err));
    }
    return TML_OK;
}

static TmlStatus write_picture(const char *path, const TmlRailTable *t, TmlError *err)
{
    Drawing d = {0};
    TmlStatus status = draw(t, &d, err);
    if (status == TML_OK) {
        TmlFigure figure = tml_figure_default();
        figure.n_plots = PLOTS;
        figure.columns = 2;
        figure.plots = d.plot;
        status = tml_figure_write(&figure, path, err);
    }
    tml_arena_free(&d.arena);
    return status;
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcasecmp(path + n - k, suffix) == 0;
}

TmlStatus tml_write_rail_table(const char *path, const TmlRailTable *table, TmlError *err)
{
    TmlTextBuf text = {0};
    char *all;
    if (ends_in(path, ".svg") || ends_in(path, ".png")) {
        return write_picture(path, table, err);
    }
    if (!ends_in(path, ".csv") && !ends_in(path, ".json")) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "the name of the file must end in .csv, .json, .svg or .png, not '%s'",
                        path);
    }
    (ends_in(path, ".csv") ? csv_text : json_text)(table, &text);
    TML_TRY(tml_textbuf_take(&text, &all, err));
    const TmlStatus status = tml_file_write(path, all, strlen(all), err);
    tml_text_free(all);
    return status;
}
