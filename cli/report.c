/* cli/report.c - trammel report: results as a page to look at. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct ReportSettings {
    const char *out;
    double error;
    bool quiet;
} ReportSettings;

#define AT(field) offsetof(ReportSettings, field)
static const CliOption report_options[] = {
    {"output", 'o', CLI_TEXT, "OUT.html", "the page; default: the name of the results with .html",
     AT(out)},
    {"error", 0, CLI_POSITIVE, "EPS",
     "error allowed when rows of long runs are omitted, relative to sizes and ranges; 5e-4",
     AT(error)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(quiet)},
    {0},
};
#undef AT

/* run.h5 -> run.html */
static bool html_name(const char *results, char *out, size_t size)
{
    const char *slash = strrchr(results, '/'), *dot = strrchr(results, '.');
    const bool suffix = dot != NULL && (slash == NULL || dot > slash + 1) && dot > results;
    const int n = suffix ? (int)(dot - results) : (int)strlen(results);
    return snprintf(out, size, "%.*s.html", n, results) < (int)size;
}

static int report_run(const CliCommand *self, int argc, char **argv)
{
    ReportSettings s = {0};
    char name[4096];
    int n = 0;
    const int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (s.out == NULL) {
        if (!html_name(argv[0], name, sizeof name)) {
            return cli_wrong("the name of the results is too long: add -o OUT.html");
        }
        s.out = name;
    }
    for (int k = 0; k < n; ++k) {
        const int wrong = cli_html_check(s.out, argv[k]);
        if (wrong != CLI_GO_ON) {
            return wrong;
        }
    }
    TmlError err = {0};
    TmlReportOptions o = tml_report_options_default();
    o.error = s.error > 0.0 ? s.error : o.error;
    const TmlStatus status = n > 1 ? tml_report_two(argv[0], argv[1], s.out, &o, &err)
                                   : tml_report(argv[0], s.out, &o, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    struct stat info;
    if (!s.quiet) {
        const double size = stat(s.out, &info) == 0 ? 1e-6 * (double)info.st_size : (double)NAN;
        printf("%s, %.3g MB: open it in a browser\n", s.out, size);
    }
    return 0;
}

const CliCommand cli_report = {
    .name = "report",
    .arguments = "OUT.h5 [OTHER.h5]",
    .text = "Write a report, one HTML page: motion in 3-D, curves, the solver's history; also of "
            "two runs.",
    .n_min = 1,
    .n_max = 2,
    .options = report_options,
    .run = report_run,
};
