/* cli/export.c - trammel export: results in the formats of other programs. */
#include "cli.h"

#include <stddef.h>
#include <stdio.h>

typedef struct ExportSettings {
    const char *vtk;
    bool quiet;
} ExportSettings;

static const CliOption export_options[] = {
    {"vtk", 0, CLI_TEXT, "FOLDER", "write .vtu files and results.pvd for ParaView",
     offsetof(ExportSettings, vtk)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(ExportSettings, quiet)},
    {0},
};

static int export_run(const CliCommand *self, int argc, char **argv)
{
    ExportSettings s = {0};
    int n = 0;
    const int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (s.vtk == NULL) {
        return cli_wrong("nothing to do: add --vtk FOLDER");
    }
    TmlError err = {0};
    int64_t rows = 0;
    const TmlStatus status = tml_export_vtk(argv[0], s.vtk, &rows, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (!s.quiet) {
        printf("%lld rows in %s/results.pvd\n", (long long)rows, s.vtk);
    }
    return 0;
}

const CliCommand cli_export = {
    .name = "export",
    .arguments = "OUT.h5",
    .text = "Write results in the formats of other programs: VTK.",
    .n_min = 1,
    .n_max = 1,
    .options = export_options,
    .run = export_run,
};
