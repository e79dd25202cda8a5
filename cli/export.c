/* cli/export.c - trammel export: results in the formats of other programs. */
#include "cli.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct ExportSettings {
    const char *vtk, *csv;
    bool list, units, quiet;
} ExportSettings;

static const CliOption export_options[] = {
    {"output", 'o', CLI_TEXT, "OUT.csv", "write channels as comma-separated values",
     offsetof(ExportSettings, csv)},
    {"list", 'l', CLI_FLAG, NULL, "print the channels (those that match) and their units",
     offsetof(ExportSettings, list)},
    {"units", 0, CLI_FLAG, NULL, "with their units in the headings: name [unit]",
     offsetof(ExportSettings, units)},
    {"vtk", 0, CLI_TEXT, "FOLDER", "write .vtu files and results.pvd for ParaView",
     offsetof(ExportSettings, vtk)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(ExportSettings, quiet)},
    {0},
};

static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

static int check(const ExportSettings *s, const char *input, int n_channels)
{
    if (!s->list && s->vtk == NULL && s->csv == NULL) {
        return cli_wrong("nothing to do: add -o OUT.csv, --vtk FOLDER or --list");
    }
    if (n_channels > 0 && s->csv == NULL && !s->list) {
        return cli_wrong("channels are for -o OUT.csv and --list; --vtk writes everything");
    }
    if (s->csv != NULL && same_file(s->csv, input)) {
        return cli_wrong("'%s' holds the results and would be overwritten", s->csv);
    }
    return CLI_GO_ON;
}

static int list(const char *results, int n, char **patterns)
{
    TmlError err = {0};
    TmlChannels *file = NULL;
    TmlStatus status = tml_channels_open(results, &file, &err);
    const int result = status == TML_OK ? cli_list_channels(file, n, patterns) : 0;
    tml_channels_free(file);
    return status == TML_OK ? result : cli_fail(status, &err);
}

static int write_csv(const ExportSettings *s, const char *results, int n, char **patterns)
{
    TmlError err = {0};
    int64_t rows = 0;
    int columns = 0;
    const TmlStatus status = tml_export_csv(results, n, (const char *const *)patterns, s->units,
                                            s->csv, &rows, &columns, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (!s->quiet) {
        printf("%lld rows of %d channel%s in %s\n", (long long)rows, columns,
               columns == 1 ? "" : "s", s->csv);
    }
    return 0;
}

static int write_vtk(const ExportSettings *s, const char *results)
{
    TmlError err = {0};
    int64_t rows = 0;
    const TmlStatus status = tml_export_vtk(results, s->vtk, &rows, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (!s->quiet) {
        printf("%lld rows in %s/results.pvd\n", (long long)rows, s->vtk);
    }
    return 0;
}

static int export_run(const CliCommand *self, int argc, char **argv)
{
    ExportSettings s = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &s, &n);
    result = result == CLI_GO_ON ? check(&s, argv[0], n - 1) : result;
    if (result != CLI_GO_ON) {
        return result;
    }
    result = s.list ? list(argv[0], n - 1, argv + 1) : 0;
    result = result == 0 && s.csv != NULL ? write_csv(&s, argv[0], n - 1, argv + 1) : result;
    return result == 0 && s.vtk != NULL ? write_vtk(&s, argv[0]) : result;
}

const CliCommand cli_export = {
    .name = "export",
    .arguments = "OUT.h5 [CHANNEL]...",
    .text = "Export results for other programs: channels as CSV, everything as VTK.",
    .n_min = 1,
    .n_max = 100000,
    .options = export_options,
    .run = export_run,
};
