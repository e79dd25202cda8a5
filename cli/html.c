/* cli/html.c - mistakes about reports that would be found too late. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

int cli_html_check(const char *path, const char *input)
{
    struct stat a, b;
    const char *dot = strrchr(path, '.');
    if (dot == NULL || (strcasecmp(dot, ".html") != 0 && strcasecmp(dot, ".htm") != 0)) {
        return cli_wrong("the name of a report must end in .html, not '%s'", path);
    }
    if (stat(path, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino) {
        return cli_wrong("'%s' is the input and would be overwritten", path);
    }
    TmlError err = {0};
    const TmlStatus status = tml_report_check(NULL, &err);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}
