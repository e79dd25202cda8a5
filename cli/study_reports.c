/* cli/study_reports.c - reports of the runs of a study, each in a page of its own.
 *
 * Runs are made once more: rows of bodies and joints are not in records. Processes share them by their numbers.
 */
#include "study_reports.h"
#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void cli_study_reports_folder(const char *page, char *out, size_t size)
{
    const char *base = strrchr(page, '/');
    base = base != NULL ? base + 1 : page;
    snprintf(out, size, "%.*s-runs", (int)(strlen(base) - strlen(".html")), base);
}

/* Runs first, first + step, ...; how many could not be made, 200 at most: an exit status. */
static int make_some(const TmlStudy *study, const char *folder, int first, int step)
{
    int failed = 0;
    TmlError *err = calloc(1, sizeof *err);
    for (int run = first; run < tml_study_runs(study) && !cli_cancelled(); run += step) {
        char path[4400];
        snprintf(path, sizeof path, "%s/run-%d.html", folder, run + 1);
        if (tml_study_report(study, run, path, err) != TML_OK) {
            failed += failed < 200;
        }
    }
    free(err);
    return failed;
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int cli_study_reports(const TmlStudy *study, const char *page, int processes)
{
    char name[4096], folder[4200];
    const char *end = strrchr(page, '/');
    cli_study_reports_folder(page, name, sizeof name);
    snprintf(folder, sizeof folder, "%.*s%s", end != NULL ? (int)(end - page) + 1 : 0, page, name);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        (void)cli_wrong("'%s': cannot make this folder: %s", folder, strerror(errno));
        return -1;
    }
    pid_t *child = calloc((size_t)processes, sizeof *child);
    int failed = 0;
    for (int k = 0; k < processes && child != NULL; ++k) {
        child[k] = fork();
        if (child[k] == 0) {
            _exit(make_some(study, folder, k, processes));
        }
    }
    for (int k = 0; k < processes; ++k) {
        const bool made = child != NULL && child[k] > 0;
        failed += made ? wait_for(child[k]) : make_some(study, folder, k, processes);
    }
    free(child);
    return failed;
}
