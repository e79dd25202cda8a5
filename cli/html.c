/* cli/html.c - mistakes about reports that would be found too late. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int cli_html_check(const char *path, const char *input)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL || (strcasecmp(dot, ".html") != 0 && strcasecmp(dot, ".htm") != 0)) {
        return cli_wrong("the name of a report must end in .html, not '%s'", path);
    }
    if (cli_same_file(path, input)) {
        return cli_wrong("'%s' is the input and would be overwritten", path);
    }
    TmlError err = {0};
    const TmlStatus status = tml_report_check(NULL, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}
