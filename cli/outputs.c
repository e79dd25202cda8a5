/* cli/outputs.c - files that commands write: never one that was read. */
#include "cli.h"

#include <stdio.h>
#include <sys/stat.h>

bool cli_same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    return a != NULL && b != NULL && stat(a, &sa) == 0 && stat(b, &sb) == 0 &&
           sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

int cli_outputs_check(const TmlModel *model, int n, const char *const *output)
{
    for (int i = 0; i < n; ++i) {
        const char *input = output[i] != NULL ? tml_model_input(model, 0) : NULL;
        for (int k = 0; input != NULL; input = tml_model_input(model, ++k)) {
            if (cli_same_file(output[i], input)) {
                return cli_wrong("'%s' is read by the model and would be overwritten", output[i]);
            }
        }
    }
    return CLI_GO_ON;
}
