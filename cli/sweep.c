/* cli/sweep.c - trammel linearize --over: eigenvalues over a parameter. */
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_POINTS = 21 };

/* FROM:TO or FROM:TO:N behind the equals sign. */
static bool read_values(const char *text, TmlSweepOptions *o)
{
    char *end = NULL;
    o->from = strtod(text, &end);
    if (end == text || *end != ':') {
        return false;
    }
    text = end + 1;
    o->to = strtod(text, &end);
    o->points = USUAL_POINTS;
    if (end == text || !isfinite(o->from) || !isfinite(o->to) || o->from == o->to) {
        return false;
    }
    if (*end == ':') {
        text = end + 1;
        const long n = strtol(text, &end, 10);
        o->points = n >= 2 && n <= 100000 ? (int32_t)n : 0;
    }
    return *end == '\0' && o->points > 0;
}

int cli_sweep_check(CliSweep *sweep)
{
    TmlSweepOptions *o = &sweep->options;
    *o = tml_sweep_options_default();
    if (sweep->what == NULL) {
        return sweep->critical || sweep->picture != NULL
                   ? cli_wrong("--critical and --svg belong to --over")
                   : CLI_GO_ON;
    }
    char *equals = strchr(sweep->what, '=');
    if (equals == NULL || equals == sweep->what || !read_values(equals + 1, o)) {
        return cli_wrong("option '--over' needs NAME=FROM:TO:N with two different numbers and a "
                         "number of values from 2 to 100000, not '%s'",
                         sweep->what);
    }
    *equals = '\0';
    o->parameter = sweep->what;
    o->crossings = sweep->critical;
    return CLI_GO_ON;
}

static void print_values(const TmlSweep *w, const char *name)
{
    printf("\n%14s %9s  %13s %12s %9s\n", name, "unstable", "real 1/s", "freq. Hz", "damping");
    for (int k = 0; k < tml_sweep_points(w); ++k) {
        const int least = tml_sweep_least(w, k);
        const TmlMode m = tml_sweep_mode(w, k, least);
        printf("%14.9g %9d  ", tml_sweep_value(w, k), tml_sweep_unstable(w, k));
        if (least < 0) {
            printf("%13s\n", "-");
        } else {
            printf("%13.6g %12.6g %9.4f\n", m.real, m.frequency, m.damping_ratio);
        }
    }
}

static void print_crossings(const TmlSweep *w, const char *name)
{
    const int n = tml_sweep_crossings(w);
    if (n == 0) {
        printf("\n  critical     none between the ends\n");
    }
    for (int k = 0; k < n; ++k) {
        const TmlCrossing c = tml_sweep_crossing(w, k);
        printf("%s  critical     %s = %.12g: ", k == 0 ? "\n" : "", name, c.value);
        if (c.frequency > 0.0) {
            printf("an oscillation of %.9g Hz becomes %s\n", c.frequency,
                   c.unstable ? "unstable" : "stable");
        } else {
            printf("a motion without oscillation becomes %s\n", c.unstable ? "unstable" : "stable");
        }
    }
}

int cli_sweep_run(const TmlModel *model, const CliSweep *sweep, const char *csv, const char *json,
                  bool quiet)
{
    TmlError err = {0};
    TmlSweep *w = NULL;
    TmlStatus status = tml_sweep(model, &sweep->options, &w, &err);
    if (status == TML_OK && !quiet) {
        const char *title = tml_model_title(model);
        printf(
            "%s\n  linearised   at %d values of %s, %d branches; listed: the mode that is damped "
            "least\n",
            title != NULL && title[0] != '\0' ? title : "(no title)", tml_sweep_points(w),
            sweep->options.parameter, tml_sweep_branches(w));
        print_values(w, sweep->options.parameter);
        if (sweep->critical) {
            print_crossings(w, sweep->options.parameter);
        }
    }
    const char *const path[] = {csv, json, sweep->picture};
    for (size_t k = 0; k < sizeof path / sizeof path[0] && status == TML_OK; ++k) {
        status = path[k] != NULL ? tml_write_sweep(path[k], w, &err) : TML_OK;
    }
    tml_sweep_free(w);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}
