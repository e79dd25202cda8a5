/* cli/over.c - trammel linearize --over: eigenvalues over a parameter. */
#include "over.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_POINTS = 21 };

/* FROM:TO or FROM:TO:N behind the equals sign. */
static bool read_values(const char *text, TmlLocusOptions *o)
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

int cli_over_check(CliOver *over)
{
    TmlLocusOptions *o = &over->options;
    *o = tml_locus_options_default();
    if (over->what == NULL) {
        return over->critical || over->picture != NULL
                   ? cli_wrong("--critical and --svg belong to --over")
                   : CLI_GO_ON;
    }
    char *equals = strchr(over->what, '=');
    if (equals == NULL || equals == over->what || !read_values(equals + 1, o)) {
        return cli_wrong("option '--over' needs NAME=FROM:TO:N with two different numbers and a "
                         "number of values from 2 to 100000, not '%s'",
                         over->what);
    }
    *equals = '\0';
    o->parameter = over->what;
    o->crossings = over->critical;
    return CLI_GO_ON;
}

static void print_values(const TmlLocus *w, const char *name)
{
    printf("\n%14s %9s  %13s %12s %9s\n", name, "unstable", "real 1/s", "freq. Hz", "damping");
    for (int k = 0; k < tml_locus_points(w); ++k) {
        const int least = tml_locus_least(w, k);
        const TmlMode m = tml_locus_mode(w, k, least);
        printf("%14.9g %9d  ", tml_locus_value(w, k), tml_locus_unstable(w, k));
        if (least < 0) {
            printf("%13s\n", "-");
        } else {
            printf("%13.6g %12.6g %9.4f\n", m.real, m.frequency, m.damping_ratio);
        }
    }
}

static void print_crossings(const TmlLocus *w, const char *name)
{
    const int n = tml_locus_crossings(w);
    if (n == 0) {
        printf("\n  critical     none between the ends\n");
    }
    for (int k = 0; k < n; ++k) {
        const TmlCrossing c = tml_locus_crossing(w, k);
        printf("%s  critical     %s = %.12g: ", k == 0 ? "\n" : "", name, c.value);
        if (c.frequency > 0.0) {
            printf("an oscillation of %.9g Hz becomes %s\n", c.frequency,
                   c.unstable ? "unstable" : "stable");
        } else {
            printf("a motion without oscillation becomes %s\n", c.unstable ? "unstable" : "stable");
        }
    }
}

int cli_over_run(const TmlModel *model, const CliOver *over, const char *csv, const char *json,
                 bool quiet)
{
    TmlError err = {0};
    TmlLocus *w = NULL;
    TmlStatus status = tml_locus(model, &over->options, &w, &err);
    if (status == TML_OK && !quiet) {
        const char *title = tml_model_title(model);
        printf(
            "%s\n  linearised   at %d values of %s, %d branches; listed: the mode that is damped "
            "least\n",
            title != NULL && title[0] != '\0' ? title : "(no title)", tml_locus_points(w),
            over->options.parameter, tml_locus_branches(w));
        print_values(w, over->options.parameter);
        if (over->critical) {
            print_crossings(w, over->options.parameter);
        }
    }
    const char *const path[] = {csv, json, over->picture};
    for (size_t k = 0; k < sizeof path / sizeof path[0] && status == TML_OK; ++k) {
        status = path[k] != NULL ? tml_write_locus(path[k], w, &err) : TML_OK;
    }
    tml_locus_free(w);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}
